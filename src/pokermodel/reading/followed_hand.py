"""A hand that is followed act by act: what everybody can hold, what was done, and which act comes next.

A session has one of these at a time and throws it away when another hand begins, so that nothing of a hand can be left
behind in the next one. It knows neither readers nor what they make of acts.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from pokermodel._support.arrays import Floats
from pokermodel.game import Decision, Hand, Situation
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.tables import HandTables

__all__ = ["FollowedHand"]


class FollowedHand:
    """A hand so far.

    Attributes
    ----------
    begun : bool
        Whether somebody has acted.
    counted : bool
        Whether all acts were learnt from as they were observed.
    folded : dict of int to ndarray of float64, shape (1326,)
        The ranges of players who folded, by seat, where that is kept. It is replaced, not changed.
    """

    __slots__ = ("_hand", "_history", "_index", "acts", "counted", "folded", "round", "tables")

    def __init__(self, tables: HandTables) -> None:
        self.tables = tables
        self.acts: list[Decision] = []
        self.counted, self.round = True, 0
        self.folded: dict[int, Floats] = {}
        self._history = BettingHistory(len(tables.players))
        self._hand: tuple[str, str] | None = None  # source and number, from the first act on
        self._index = -1

    @property
    def begun(self) -> bool:
        """Whether somebody has acted."""
        return self._hand is not None

    def __deepcopy__(self, memo: dict[int, Any]) -> FollowedHand:
        other = FollowedHand(deepcopy(self.tables, memo))
        other.acts = list(self.acts)  # acts themselves do not change
        other.counted, other.round = self.counted, self.round
        other.folded = {seat: weights.copy() for seat, weights in self.folded.items()}
        other._history = deepcopy(self._history, memo)
        other._hand, other._index = self._hand, self._index
        return other

    def is_of(self, hand: Hand) -> bool:
        """Whether it is this hand."""
        return self._hand == (hand.source, hand.id)

    def is_whole(self, hand: Hand, acts: int) -> bool:
        """Whether it is this hand, which has so many acts, to its end."""
        return self.is_of(hand) and self._index == acts - 1

    def features(self, situation: Situation) -> Features:
        """The features of the next situation."""
        return self._history.describe(Features, situation)

    def goes_on(self, decision: Decision) -> bool:
        """See the next decision of this hand, and its board; False if it is the first one of a hand.

        `ValueError` if it is neither, or its board cannot come next.
        """
        index, tables, situation = decision.index, self.tables, decision.situation
        hand, last = (decision.source, decision.hand_id), self._index
        if hand != self._hand or index <= last or situation.players != tables.players:
            if index != 0 and (self.begun or not tables.players):
                expected = f"decision {last + 1}" if hand == self._hand else "the hand's first"
                raise ValueError(f"decision {index} of hand {decision.hand_id} does not follow: expected {expected}")
            return False
        if index != last + 1:
            raise ValueError(f"decision {index} of hand {decision.hand_id} does not follow decision {last}")
        self._index = index
        if situation.board != tables.board:
            tables.deal(situation.board)
        return True

    def begin(self, decision: Decision, start: Callable[[tuple[str, ...]], FollowedHand]) -> FollowedHand:
        """See the first decision of a hand: of this one, if nothing was seen of it, or of one that begins anew."""
        situation, found = decision.situation, self
        if decision.index == 0 and (self.begun or self.tables.board or situation.players != self.tables.players):
            found = start(situation.players)
        found._hand, found._index = (decision.source, decision.hand_id), decision.index
        found.tables.deal(situation.board)
        return found

    def add(self, decision: Decision, *, counted: bool) -> None:
        """Add what was done."""
        self._history.add(decision)
        self.acts.append(decision)
        self.counted = self.counted and counted
        self.round = decision.situation.round
