"""A player's hands in the order in which they were played, as profiles of parts of equal length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pokermodel.learning.profile import Profile
from pokermodel.learning.winnings import WinningsPoint

__all__ = ["LEAST_HANDS", "PERIODS", "Course", "Period"]

#: How many parts a player's hands are divided into, if each has at least so many hands.
PERIODS, LEAST_HANDS = 10, 50


class Period(NamedTuple):
    """Hands of a player that were played one after the other.

    Attributes
    ----------
    before : int
        How many of the player's hands came before these.
    first, last : str or None
        The days of the first and of the last one whose time is known (UTC), as ``"2009-07-31"``.
    profile : Profile
        The knowledge of them, without latest actions.
    """

    before: int
    first: str | None
    last: str | None
    profile: Profile

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "hands": [self.before + 1, self.before + self.profile.hands],
            "days": [self.first, self.last],
            "statistics": {key: each.to_dict() for key, each in self.profile.statistics.items()},
        }


class Course(NamedTuple):
    """A player's results over time in one betting structure.

    Attributes
    ----------
    periods : tuple of Period
        In order, of equal length up to one hand.
    tables : mapping of int to int
        How many hands were played with so many players.
    stakes : mapping of str to int
        How many were played for each stake; "" where it is not known.
    winnings : tuple of WinningsPoint
        The winnings after so many hands, after the rake and with all-in EV.
    """

    periods: tuple[Period, ...]
    tables: Mapping[int, int]
    stakes: Mapping[str, int]
    winnings: tuple[WinningsPoint, ...] = ()

    @property
    def usual_table(self) -> int | None:
        """With how many players most hands were played; None without hands."""
        return next(iter(self.tables), None)

    @property
    def usual_stake(self) -> str:
        """The stake of most of the hands, among those that state one; "" if none does."""
        return next((stake for stake in self.stakes if stake), "")
