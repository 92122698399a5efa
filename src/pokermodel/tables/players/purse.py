"""The possible loss by answering a person, and the rest of it.

A player who leaves an equilibrium to win more from an opponent can lose to a deceiver. Before the turn that loss cannot
be computed at the table. Its result can be observed, so a match has a *purse*. Hands in which the player answers the
person add their results to the purse. When it is empty, the player returns to play without beliefs, for the rest of the
match. The loss is then at most the purse and a part of one hand, against any opponent. Risking earlier winnings alone
(Ganzfried and Sandholm 2015) needs the value of an opponent's gifts. Here winnings count up to a bound, so long losses
of a deceiver do not buy much.

Luck would empty a purse as well as an opponent. The luck of the cards is removed as far as the player sees it: the
value of their own holding compared with others, and the change of its share of the pot against the opponent's range on
each street. Each has mean 0 for any range, except for the few cards of the opponent. So the counted results have the
mean of the winnings, and by optional stopping the mean loss is at most the purse and the loss of its last hand.
"""

from __future__ import annotations

from collections.abc import Callable

from pokermodel._core.evaluator import evaluate
from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike, card_indices, holding_index, live_holdings
from pokermodel.evaluation.shares import holding_shares
from pokermodel.game import BOARD_CARDS, Decision, GameSpec, State
from pokermodel.tables.players.player import HandEnd

__all__ = ["GROWTH", "CountedHand", "Purse"]

#: By round, how much larger the pot is taken to be in the end than it is now.
GROWTH = (2.0, 1.6, 1.25, 1.0)


class Purse:
    """The rest, in small bets.

    Parameters
    ----------
    size : float
        The possible loss.

    Attributes
    ----------
    left : float
        Never more than twice the size.
    hands : int
        Number of hands that were counted.

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


class CountedHand:
    """A hand as it goes on, to say in the end what it was worth without the luck of the cards.

    Parameters
    ----------
    spec : GameSpec
        Heads-up limit, with stacks for all bets.
    seat : int
        The player's.
    """

    def __init__(self, spec: GameSpec, seat: int, holding: CardsLike) -> None:
        self.state = State(spec)
        self.seat = seat
        self.holding = card_indices(holding)
        self._deals: list[tuple[int, float, Floats]] = []  # round that ended, what is played for, range of the opponent
        self._first = float(max(self.state.committed))

    def observe(self, decision: Decision, likely: Callable[[], Floats]) -> None:
        """See an act.

        Parameters
        ----------
        likely : callable
            Says the weights of the opponent's holdings after it, float64 (1326,); asked where a street ends.
        """
        state, before = self.state, self.state.round
        state.act(decision.act, decision.to)
        if not state.over and state.round > before:
            self._deals.append((before, float(max(state.committed)), likely()))

    def won(self, end: HandEnd) -> float | None:
        """Chips that the player won or lost; None if neither the result nor the cards are known."""
        if end.payoffs:
            return float(end.payoffs[self.seat])
        if not self.state.over:
            return None
        if not self.state.showdown:
            return float(self.state.payoffs()[self.seat])
        if len(end.shown) < 2:
            return None
        ranks = [evaluate(card_indices(end.board) + end.shown[seat]) for seat in range(2)]
        return float(self.state.payoffs(ranks)[self.seat])

    def luck(self, board: CardsLike) -> float:
        """Chips that the cards brought, with the board as far as it was dealt."""
        cards = card_indices(board)
        nobody = live_holdings(self.holding).astype(float)
        found = GROWTH[0] * self._first * self._wins(nobody, ())
        for round_, stake, weights in self._deals:
            before, after = (cards[: BOARD_CARDS[each]] for each in (round_, round_ + 1))
            likely = weights * nobody * live_holdings(after)
            if likely.any():
                found += GROWTH[round_ + 1] * stake * (self._wins(likely, after) - self._wins(weights * nobody, before))
        return found

    def _wins(self, weights: Floats, board: tuple[int, ...]) -> float:
        """What the holding gets of a stake of 1 against a range, 1 to -1, if nobody bets any more."""
        live = weights * live_holdings(board)
        return float(live @ (2.0 * holding_shares(holding_index(self.holding), board) - 1.0) / live.sum())
