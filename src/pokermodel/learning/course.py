"""A player's hands in the order in which they were played, as profiles of parts of equal length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from pokermodel.game import BettingStructure
from pokermodel.learning._records import HandRecord
from pokermodel.learning.order import day
from pokermodel.learning.profile import Profile
from pokermodel.learning.statistics import Contribution, PlayerCounts, totals
from pokermodel.learning.winnings import WinningsPoint, winnings_course

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
        What is known of them, without latest actions.
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
    """What a player did over time in one betting structure.

    Attributes
    ----------
    periods : tuple of Period
        In order, of equal length up to one hand.
    tables : mapping of int to int
        How many hands were played with so many players.
    stakes : mapping of str to int
        How many were played for each stake; "" where it is not known.
    winnings : tuple of WinningsPoint
        What was won after so many hands, after the rake and with all-in EV.
    """

    periods: tuple[Period, ...]
    tables: Mapping[int, int]
    stakes: Mapping[str, int]
    winnings: tuple[WinningsPoint, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        structure: BettingStructure,
        hands: Sequence[tuple[HandRecord, Contribution]],
        periods: int,
        to_learn_again: frozenset[str] = frozenset(),
    ) -> Course:
        """The course of a player.

        Parameters
        ----------
        hands : sequence of (HandRecord, Contribution)
            What each hand added, in order.
        periods : int
            How many there are at most.
        to_learn_again : frozenset of str
            Keys of statistics that were not counted in all hands.
        """
        number = max(min(periods, len(hands) // LEAST_HANDS), 1) if hands else 0
        ends = [len(hands) * k // number for k in range(number + 1)] if number else []
        found = []
        for start, end in pairwise(ends):
            part = hands[start:end]
            days = [day(record.hand.time) for record, _ in part if record.hand.time is not None]
            counts = PlayerCounts(totals([added for _, added in part]), structure)
            profile = Profile(name, counts, to_learn_again=to_learn_again)
            found.append(Period(start, days[0] if days else None, days[-1] if days else None, profile))
        tables = Counter(len(record.ids) for record, _ in hands)
        stakes = Counter(record.hand.stake for record, _ in hands)
        winnings = winnings_course([added for _, added in hands], structure)
        return cls(tuple(found), dict(tables.most_common()), dict(stakes.most_common()), winnings)

    @property
    def usual_table(self) -> int | None:
        """With how many players most hands were played; None without hands."""
        return next(iter(self.tables), None)

    @property
    def usual_stake(self) -> str:
        """For which stake most hands were played of which it is known; "" if of none."""
        return next((stake for stake in self.stakes if stake), "")
