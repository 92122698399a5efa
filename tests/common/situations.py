"""Situations from the few numbers that a rule looks at."""

from __future__ import annotations

from pokermodel.game import Act, GameSpec, Situation

SPEC = GameSpec.heads_up(1, 2)


def situation(
    round: int, pot: int, to_call: int, bet_size: int, bets_to_call: int, num_bets: int, bets_put_in: int
) -> Situation:
    """A situation of two players; nothing that a rule of betting does not look at is what a table would make of it."""
    return Situation(
        spec=SPEC,
        players=("Ann", "Bob"),
        seat=0,
        player="Ann",
        board=(),
        round=round,
        pot=pot,
        to_call=to_call,
        bet_size=bet_size,
        bets_to_call=bets_to_call,
        num_bets=num_bets,
        bets_put_in=bets_put_in,
        active=(0, 1),
        position=1,
        committed=((pot - to_call) // 2, (pot + to_call) // 2),
        in_round=bets_put_in * bet_size,
        all_in=(),
        legal=(Act.FOLD, Act.CALL, Act.RAISE) if to_call else (Act.CALL, Act.RAISE),
        raise_range=((num_bets + 1) * bet_size, (num_bets + 1) * bet_size),
    )
