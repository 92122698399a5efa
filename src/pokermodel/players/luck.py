"""What cards and drawn acts bring a player in a game between two, beside what they bring on average.

A player who says what they do with each holding can be judged by all holdings that they might have had: everything
that the opponent saw would have been the same, each as likely as the strategy makes it (the imaginary observations of
AIVAT; Burch, Schmid, Moravčík, Morrill and Bowling 2018). What a card or an act did to a value function, less what it
does to it on average, is luck, and has mean 0 whatever the value function is. Here that is what both have in the pot,
times what the holding wins of it if nobody bets any more, times a constant of the round for the bets to come
(`GROWTH`), as far as stacks reach. A value function that is learnt would take out more; this one is the same for every
game and player, and nobody has to train it first.

It stands here once for who measures a game, and knows what the opponent had (`pokermodel.arena.aivat`), and for a
player at the table, who has a range of theirs (`pokermodel.players.purse`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, live_holdings
from pokermodel.game import BOARD_CARDS, Act, Decision, GameSpec, State
from pokermodel.reading.adaptive.sizes import size_class
from pokermodel.reading.reader import Choice, Expectation

__all__ = ["GROWTH", "Side", "made_of"]

#: By round, how much larger the pot is taken to be in the end than it is now.
GROWTH = (2.0, 1.6, 1.25, 1.0)

_CALLED = 0.5  # share of a bet that the other player still has to call which the value function takes to be called

#: Sizes that stand for their classes, by the pot after a call.
_CENTRES = (0.0, 0.3, 0.5, 0.72, 1.05, 1.7)


class Side:
    """A game between two as it goes on, from the side of a player.

    Parameters
    ----------
    spec : GameSpec
    seat : int
        The player's.
    reach : ndarray of float64, shape (1326,)
        How likely the player has each holding, in the eyes of the opponent, at the beginning.

    Attributes
    ----------
    reach : ndarray of float64, shape (1326,)
        The same by now.
    round : int
        That is played.
    """

    def __init__(self, spec: GameSpec, seat: int, reach: Floats) -> None:
        self.spec, self.seat, self.reach = spec, seat, reach
        self.round = 0

    def wins(self, board: tuple[int, ...]) -> Floats:
        """What each holding gets of a stake on a board, 1 to -1, if nobody bets any more: float64 (1326,)."""
        raise NotImplementedError

    def mean(self, values: Floats) -> float:
        """Of values by holding, over those that the player might have."""
        return float(self.reach @ values / self.reach.sum())

    def value(self, state: State, round_: int, board: tuple[int, ...]) -> Floats:
        """The value function: float64 (1326,); of holdings that are not possible, anything."""
        return _stake(state, round_) * self.wins(board)

    def dealt(self, state: State, board: tuple[int, ...]) -> float:
        """The luck of the cards that begin the next round, in chips; holdings that they rule out go.

        Parameters
        ----------
        state : State
            After the round that ended.
        board : tuple of int
            With these cards, or more.
        """
        before, after = (board[: BOARD_CARDS[each]] for each in (self.round, self.round + 1))
        self.round += 1
        stake = _stake(state, self.round)  # on either side of the deal, so that the cards alone make a difference
        worth = self.mean(stake * self.wins(before))
        self.reach = self.reach * live_holdings(after)
        return self.mean(stake * self.wins(after)) - worth

    def acted(
        self, state: State, board: tuple[int, ...], actions: Sequence[Choice], chances: Floats, made: int
    ) -> float:
        """The luck of an act, in chips; what an act of the player says of their holding is taken note of.

        Parameters
        ----------
        state : State
            Before the act.
        board : tuple of int
            Of the round.
        actions : sequence of Choice
        chances : ndarray of float64, shape (1326, actions)
            How likely each was, with each holding of the player; all rows are alike where the opponent acted.
        made : int
            Which of them was done.
        """
        possible = self.reach > 0
        before, after = np.zeros(N_HOLDINGS), np.zeros(N_HOLDINGS)
        wins = self.wins(board)
        for number, choice in enumerate(actions):
            if (chances[possible, number] > 0).any():  # else the rules may not offer it
                value = self._after(state, choice, wins)
                before += chances[:, number] * value
                after = value if number == made else after
        expected = self.mean(before)
        if state.seat == self.seat:
            self.reach = self.reach * chances[:, made]
        return self.mean(after) - expected

    def _after(self, state: State, choice: Choice, wins: Floats) -> Floats:
        """The value of an act: a fold loses what is in, and any other is answered by a call.

        Where bets have sizes, folds are as likely an answer: a bet counts by `_CALLED`.
        """
        if choice.act == Act.FOLD:
            lost = float(state.committed[state.seat])
            return np.full(N_HOLDINGS, -lost if state.seat == self.seat else lost)
        after = state.copy()
        after.act(choice.act, _representative(state, choice))
        value = _stake(after, state.round) * wins
        if not self.spec.structure.fixed:
            value *= _CALLED + (1.0 - _CALLED) * min(after.committed) / max(after.committed)
        return value


def _stake(state: State, round_: int) -> float:
    """Chips that each plays for in the end, as the value function takes it: no more than the shorter stack."""
    most = [stack for stack in (state.spec.stacks or ()) if stack is not None]
    return float(min([GROWTH[round_] * max(state.committed), *most]))


def _representative(state: State, choice: Choice) -> int | None:
    """What a bet or raise of a class of sizes goes to, as the value function takes it."""
    if choice.act != Act.RAISE:
        return None
    found = state.raise_range()
    if found is None or choice.size is None:
        return None if found is None else found[0]
    least, most = found
    if choice.size == len(_CENTRES):
        return least if most is None else most
    stay = max(state.committed) - state.round_base
    amount = round(stay + _CENTRES[choice.size] * (state.pot + state.to_call))
    return max(least, amount if most is None else min(most, amount))


def made_of(expected: Expectation, decision: Decision) -> int:
    """Which action of a strategy was done.

    Raises
    ------
    ValueError
        If it has none of that kind.
    """
    for number, choice in enumerate(expected.actions):
        if choice.act != decision.act:
            continue
        if choice.act != Act.RAISE or choice.size is None:
            return number
        assert decision.to is not None
        if choice.size == size_class(decision.situation, decision.to):
            return number
    raise ValueError(f"the strategy has no action for what {decision.player} did: {decision.name}")
