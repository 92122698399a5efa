"""What may be lost by answering a person, and what is left of it.

Who leaves an equilibrium to win more from somebody can be beaten by somebody else, who only seemed to play like that.
Before the turn nobody works out at the table by how much. What can be known is what came of it: so a match has a
*purse*. Hands in which the player answers the person are counted, and what they won or lost goes to the purse; when it
is empty the player goes back to what needs no belief, for the rest of the match. What is lost is then the purse and a
part of one hand, whatever the opponent does. To risk what was won before and no more (Ganzfried and Sandholm 2015)
needs the worth of an opponent's gifts; here winnings count up to a bound, so that somebody who lets themselves be
beaten for long does not buy much with it.

Luck would empty a purse as well as an opponent would. So what is counted of a hand is what it was worth by all holdings
that the player might have had, as likely as what they say that they do with each makes them, without the luck of the
board and of their acts (`pokermodel.players.luck`). At the table the opponent's holding is a range, that of the reader.
Each correction has mean 0, whatever the range is, but for the few cards that the opponent holds themselves. So
the mean of what is counted is that of the winnings, and by optional stopping the mean of all that is lost is at most
the purse and what is lost in its last hand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS, card_indices, holding_index, live_holdings
from pokermodel.evaluation.shares import holding_shares
from pokermodel.evaluation.stakes import stakes_won
from pokermodel.game import BOARD_CARDS, Decision, GameSpec, State
from pokermodel.players.luck import Side, made_of
from pokermodel.players.player import HandEnd
from pokermodel.reading.reader import Expectation
from pokermodel.solving import Solution

__all__ = ["CountedHand", "Purse"]


class Purse:
    """What is left, in small bets.

    Parameters
    ----------
    size : float
        What may be lost.

    Attributes
    ----------
    left : float
        Never more than twice the size.
    hands : int
        That were counted.

    Raises
    ------
    ValueError
        If the size is not above 0.

    Examples
    --------
    >>> purse = Purse(10.0)
    >>> purse.count(-4.0), purse.count(30.0), purse.count(-25.0), bool(purse)
    (6.0, 20.0, -5.0, False)
    """

    def __init__(self, size: float) -> None:
        if not size > 0:
            raise ValueError(f"the purse must be above 0 small bets, got {size!r}")
        self.size = size
        self.left = size
        self.hands = 0

    def __bool__(self) -> bool:
        return self.left > 0

    def count(self, won: float) -> float:
        """Count a hand in which something was risked; returns what is left."""
        self.left = min(2.0 * self.size, self.left + won)
        self.hands += 1
        return self.left


class CountedHand(Side):
    """A hand as it goes on, to say in the end what it was worth without the luck of the cards.

    Parameters
    ----------
    spec : GameSpec
        Heads-up limit, with stacks for all bets.
    seat : int
        The player's.

    Attributes
    ----------
    state : State
        After what was observed.
    luck : float
        Chips that the cards and the player's own acts brought so far.
    """

    def __init__(self, spec: GameSpec, seat: int) -> None:
        super().__init__(spec, seat, np.ones(N_HOLDINGS))
        self.state = State(spec)
        self.luck = 0.0
        self._range: Floats = np.ones(N_HOLDINGS)  # of the opponent
        self._seen: tuple[bytes, tuple[int, ...], Floats, Floats] | None = None
        self._ended = False  # the round: its cards are not yet seen
        self._said = True  # what the player does, before all of their acts

    def _against(self, board: tuple[int, ...]) -> tuple[Floats, Floats]:
        """What each holding gets of a stake against the range, and how much of the range goes with it."""
        likely = self._range * live_holdings(board)
        key = likely.tobytes()
        if self._seen is None or self._seen[:2] != (key, board):
            beside = Solution.beside(likely)
            won = stakes_won(likely, beside, board)
            with np.errstate(invalid="ignore", divide="ignore"):
                self._seen = key, board, np.where(beside > 0, won / beside, 0.0), beside
        return self._seen[2:]

    def wins(self, board: tuple[int, ...]) -> Floats:  # noqa: D102
        found, beside = self._against(board)
        self._beside = beside
        return found

    def mean(self, values: Floats) -> float:
        """Of values by holding, over pairs of what the player might have and the range."""
        weights = self.reach * self._beside
        total = float(weights.sum())
        return float(weights @ values) / total if total > 0 else 0.0

    def observe(self, decision: Decision, expected: Expectation | None, likely: Callable[[], Floats]) -> None:
        """See an act.

        Parameters
        ----------
        decision : Decision
        expected : Expectation or None
            What the player does with each holding; None where the opponent acted. Where it is None of the player's own
            act, or none of their holdings does that, as when a table acts for them, the hand counts for what was won.
        likely : callable
            Says the weights of the opponent's holdings after it, float64 (1326,); asked where they acted.
        """
        board = decision.situation.board
        self._deal(board)
        if decision.seat == self.seat:
            self._said = self._said and expected is not None and self._acted(decision, expected)
        before = self.state.round
        self.state.act(decision.act, decision.to)
        if decision.seat != self.seat:
            self._range = likely()
        self._ended = not self.state.over and self.state.round > before

    def _acted(self, decision: Decision, expected: Expectation) -> bool:
        """Take out the luck of the own act; returns whether some holding does it."""
        chances, made = np.nan_to_num(expected.strategy), made_of(expected, decision)
        board = decision.situation.board
        beside = self._against(board)[1]
        if not float((self.reach * beside) @ chances[:, made]) > 0:
            return False
        self.luck += self.acted(self.state, board, expected.actions, chances, made)
        return True

    def _deal(self, board: tuple[int, ...]) -> None:
        """Take out the luck of cards that came after the last act."""
        if self._ended and len(board) >= BOARD_CARDS[self.round + 1]:
            self.luck += self.dealt(self.state, board)
            self._ended = False

    def worth(self, end: HandEnd) -> float | None:
        """Chips that the hand was worth to the player; None where nobody says what was won and the cards do not."""
        state, board = self.state, card_indices(end.board)
        self._deal(board)
        shown = end.shown.get(1 - self.seat)
        if not state.over:
            return None
        if not state.showdown:
            return float(state.payoffs()[self.seat]) - self.luck
        if shown is None or not self._said:
            return None if not end.payoffs else float(end.payoffs[self.seat]) - self.luck
        possible = self.reach * live_holdings(shown)
        wins = 1.0 - 2.0 * holding_shares(holding_index(shown), board)
        total = float(possible.sum())
        if not total > 0:  # none of what the player says goes with the opponent's cards
            return None if not end.payoffs else float(end.payoffs[self.seat]) - self.luck
        return float(possible @ wins) / total * min(state.committed) - self.luck
