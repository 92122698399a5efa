"""The counts of players: stack depths in classes, and statistics as a kind of knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pokermodel.game import BettingStructure, Decision, Hand

__all__ = ["DEPTHS", "DEPTH_EDGES", "PlayerStatistics"]

#: How deep a player sits: their stack at the beginning of a hand, as far as another player's covers it, in big blinds.
DEPTHS = ("below 20", "20 to 50", "50 to 100", "100 and more", "unknown")
#: Big blinds at which they meet; an edge belongs to the class above it.
DEPTH_EDGES = (20, 50, 100)


class PlayerStatistics:
    """How often each player did what, in which contexts and with which holdings.

    This is the one kind of knowledge that a book has of every hand: its rows.
    """

    kind: ClassVar[str] = "statistics"
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)

    @staticmethod
    def evidence(hand: Hand, decisions: Sequence[Decision]) -> None:
        """Nothing beyond the rows."""
