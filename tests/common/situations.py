"""Situations from the few numbers that a rule looks at."""

from __future__ import annotations

from pokermodel.game import Act, GameSpec, Situation, State

_FIRST = Situation.of(State(GameSpec.heads_up(1, 2)), ("Ann", "Bob"))


def situation(
    round: int, pot: int, to_call: int, bet_size: int, bets_to_call: int, num_bets: int, bets_put_in: int
) -> Situation:
    """A situation of two players in a limit game; what a rule of betting does not look at stays as it was at first."""
    return _FIRST._replace(
        round=round,
        pot=pot,
        to_call=to_call,
        bet_size=bet_size,
        bets_to_call=bets_to_call,
        num_bets=num_bets,
        bets_put_in=bets_put_in,
        legal=(Act.FOLD, Act.CALL, Act.RAISE) if to_call else (Act.CALL, Act.RAISE),
    )
