"""Betting structures: how large a bet or raise may be."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["NO_CAP", "BettingStructure"]

#: `GameSpec.max_raises` of a round without a cap.
NO_CAP = 1_000_000


class BettingStructure(StrEnum):
    """How large a bet or raise may be, at least and at most.

    A structure is a value of the `GameSpec`; the bounds themselves are in ``rules.h``. The least is a full
    bet or raise, or all chips where these are fewer. The structures differ in the most: in limit it is the same
    amount; in pot limit, a raise by what the pot holds after a call; in no limit, all chips.
    """

    LIMIT = "limit"
    POT_LIMIT = "pot limit"
    NO_LIMIT = "no limit"

    @property
    def fixed(self) -> bool:
        """Whether a bet or raise has only one size: an act is then all there is to choose."""
        return self is BettingStructure.LIMIT

    @property
    def max_raises(self) -> tuple[int, int, int, int]:
        """Bets and raises of each round in the usual game of this structure."""
        return (3, 4, 4, 4) if self.fixed else (NO_CAP, NO_CAP, NO_CAP, NO_CAP)

    @property
    def reopening(self) -> str:
        """The usual rule for short all-ins, see `GameSpec`."""
        return "half" if self.fixed else "minimum"
