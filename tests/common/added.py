"""What hands add to the statistics of their players, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pokermodel._core.hand_counts import pack

__all__ = ["packed"]


def packed(*players: tuple[int, Sequence[int]]) -> bytes:
    """Winnings and counters of players as `HandCounts.added` has them."""
    return pack([won for won, _ in players], [[list(counters) for _, counters in players]])
