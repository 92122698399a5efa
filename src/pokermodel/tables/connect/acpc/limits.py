"""How long players may take."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Clock", "TimeLimits"]


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a player may take, in seconds. The defaults are those of the competition's dealer.

    Parameters
    ----------
    response : float
        Time for one answer.
    hand : float
        Time for all answers of a hand.
    per_hand : float
        Time for all answers of a match, divided by its number of hands.

    Raises
    ------
    ValueError
        If one is no positive number.
    """

    response: float = 600.0
    hand: float = 600.0
    per_hand: float = 7.0

    def __post_init__(self) -> None:
        for name in "response", "hand", "per_hand":
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise ValueError(f"the time limit {name} must be a positive number of seconds, got {value!r}")

    @property
    def decision(self) -> float:
        """Seconds for each slow decision of a player: half of the limit for four of them a hand."""
        return min(0.5 * self.response, self.hand / 8, self.per_hand / 8)


class Clock:
    """Counts the time that a player takes."""

    def __init__(self, limits: TimeLimits) -> None:
        self.limits = limits
        self.match = 0.0
        self.hand = 0.0

    def begin(self) -> None:
        """Begin a hand."""
        self.hand = 0.0

    def left(self, hands: int) -> float:
        """Seconds left for an answer in a match of so many hands; negative if there are none."""
        limits = self.limits
        return min(limits.response, limits.hand - self.hand, limits.per_hand * hands - self.match)

    def take(self, seconds: float) -> None:
        """Count the time of an answer."""
        self.match += seconds
        self.hand += seconds

    def spare(self, hands: int) -> float:
        """Seconds that a player gets for an answer in time: nine tenths of the rest."""
        return max(0.0, 0.9 * self.left(hands))
