"""Seats of a player in a book: what is counted of them, in groups and over time."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.game import POSITIONS, SEATS, TABLE_SIZES, Act, BettingStructure, table_size
from pokermodel.histories import Filter
from pokermodel.learning.course import LEAST_HANDS, PERIODS, Course, Period
from pokermodel.learning.order import by_number, day
from pokermodel.learning.profile import Profile
from pokermodel.learning.statistics import DEPTHS
from pokermodel.learning.winnings import winnings_course
from pokermodel.library._database import chunks
from pokermodel.library.columns import NO_TIME, SeatTable, Table
from pokermodel.library.counts import Counts, depths_of
from pokermodel.library.players import Player
from pokermodel.library.schema import HANDS
from pokermodel.reading.contexts import COARSE
from pokermodel.reading.frequencies import RECENT_ACTIONS, Context

if TYPE_CHECKING:
    from pokermodel.library.store import Store

__all__ = ["By", "Seats", "Structure"]

#: What `Book.breakdown` tells apart.
By: TypeAlias = Literal["position", "table", "stake", "month", "day", "depth", "structure"]
#: A betting structure, or its name.
Structure: TypeAlias = BettingStructure | Literal["limit", "pot limit", "no limit"]
#: Group of the hands whose value is not known.
_UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Seats:
    """Seats of a player, as the book has them when they are made.

    Parameters
    ----------
    book : Store
    hands : Table
    seats : SeatTable
        Those of the columns of the book.
    rows : ndarray of int64
        Rows of `seats`.
    """

    book: Store
    hands: Table
    seats: SeatTable
    rows: NDArray[np.int64]

    @classmethod
    def none(cls, book: Store) -> Seats:
        """No seats."""
        return cls(book, book.columns.hands, book.columns.seats, np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, book: Store, player: Player, where: str | Filter = "") -> Seats:
        """All seats of a player, in the hands that a filter means with them as the hero."""
        columns = book.columns
        hands, seats = columns.hands, columns.seats
        found = np.flatnonzero(np.isin(seats["player"], player.ids))
        if str(where):
            meant = book.select(Filter(str(where)).without("hero").with_hero(player.label)).hands
            found = found[np.isin(seats["hand"][found], meant)]
        return cls(book, hands, seats, found)

    def where(self, which: NDArray[Any]) -> Seats:
        """Some of them: by places or by truth values."""
        return replace(self, rows=self.rows[which])

    def column(self, name: str) -> NDArray[Any]:
        """A column of them."""
        found: NDArray[Any] = self.seats[name][self.rows]
        return found

    def of_hand(self, name: str) -> NDArray[Any]:
        """A column of their hands."""
        found: NDArray[Any] = self.hands[name][self.column("hand")]
        return found

    def by_structure(self) -> dict[BettingStructure, Seats]:
        """Seats by structure, in order, those that were played alone."""
        of = self.of_hand("structure")
        found = {structure: self.where(of == number) for number, structure in enumerate(BettingStructure)}
        return {structure: each for structure, each in found.items() if len(each.rows)}

    def counts(self, structure: BettingStructure) -> Counts:
        """The actions in them, if all their hands have one structure."""
        return self.book.counts_of(self.seats, self.rows, structure)

    def profile(self, player: str, structure: BettingStructure, *, latest: bool = False) -> Profile:
        """The profile that they make, with the latest actions if these are wanted."""
        recent = self.recent() if latest and structure.fixed else ()
        return Profile(player, self.counts(structure), recent, frozenset(self.book.statistics.to_learn_again))

    def broken_down(self, by: By, player: str, structure: BettingStructure | None) -> dict[str, Profile]:
        """Profiles by group; see `Book.breakdown`."""
        found = self.by_structure()
        if structure is not None or by != "structure":
            chosen = structure or max(found, key=lambda each: len(found[each].rows), default=None)
            found = {each: seats for each, seats in found.items() if each is chosen}
        groups: dict[str, Profile] = {}
        for each, seats in found.items():
            names = np.array(seats._groups(by, each))
            for group in sorted(set(names.tolist()), key=_in_order):
                groups[group] = seats.where(names == group).profile(player, each)
        return groups

    def _groups(self, by: By, structure: BettingStructure) -> list[str]:
        """In which group each seat is."""
        if by == "structure":
            return [str(structure)] * len(self.rows)
        if by == "position":
            names, column = (POSITIONS, "position") if structure.fixed else (SEATS, "name")
            return [names[number] for number in self.column(column).tolist()]
        if by == "depth":
            depths = depths_of(self.column("depth"))
            return [_UNKNOWN if structure.fixed else DEPTHS[number] for number in depths.tolist()]
        if by == "table":
            return [table_size(number) for number in self.of_hand("players").tolist()]
        if by == "stake":
            stakes = self.book.names.stakes()
            return [stakes[number].text for number in self.of_hand("stake").tolist()]
        days = [_day(time) for time in self.of_hand("time").tolist()]
        return [each if each == _UNKNOWN or by == "day" else each[: len("2009-07")] for each in days]

    # ----------------------------------------------------------------------------------------------- over time

    def in_order(self) -> Seats:
        """Seats in the order in which their hands were played: by time, then by site and number."""
        times, rooms = self.of_hand("time"), self.of_hand("room").tolist()
        if len(np.unique(times)) == len(times):
            return self.where(np.argsort(times))
        ids, numbers = self.of_hand("id").tolist(), dict[int, str]()
        with self.book.reading() as connection:
            for some in chunks(ids):
                query = sa.select(HANDS.c.id, HANDS.c.number).where(HANDS.c.id.in_(some))
                numbers.update((row.id, row.number) for row in connection.execute(query))
        texts = self.book.names.texts("site")
        places = [by_number(texts[at] + "\0") + by_number(numbers[each]) for at, each in zip(rooms, ids, strict=True)]
        return self.where(np.array(sorted(range(len(ids)), key=lambda k: (times[k], places[k])), dtype=np.int64))

    def course(self, player: str, structure: BettingStructure, periods: int = PERIODS) -> Course:
        """The results in them over time, if they are in order; see `Book.course`."""
        size, times = len(self.rows), self.of_hand("time")
        number = min(max(min(periods, size // LEAST_HANDS), 1), size)
        found = []
        for start, end in pairwise(size * k // number for k in range(number + 1) if number):
            known = times[start:end][times[start:end] != NO_TIME].tolist()
            first, last = (day(known[0]), day(known[-1])) if known else (None, None)
            found.append(Period(start, first, last, self.where(np.arange(start, end)).profile(player, structure)))
        stakes = self.book.names.stakes()
        return Course(
            tuple(found),
            _most_common(self.of_hand("players")),
            {stakes[each].text: hands for each, hands in _most_common(self.of_hand("stake")).items()},
            winnings_course(self.column("net"), self.column("ev")),
        )

    def recent(self) -> tuple[tuple[Context, Act], ...]:
        """The latest actions after the flop in limit; see `Book.recent`."""
        ordered = self.where(self.column("street") > 0).in_order().rows
        found: list[tuple[Context, Act]] = []
        for start in range(len(ordered), 0, -4 * RECENT_ACTIONS):
            some = ordered[max(start - 4 * RECENT_ACTIONS, 0) : start]
            numbers, _ = self.seats.numbers(some)
            places = numbers // 3 // COARSE // 6
            after = [
                (Context(place // 3, place % 3), Act(number % 3))
                for place, number in zip(places.tolist(), numbers.tolist(), strict=True)
                if place >= 3
            ]
            found = after + found
            if len(found) >= RECENT_ACTIONS:
                break
        return tuple(found[-RECENT_ACTIONS:])


def _day(time: int) -> str:
    return _UNKNOWN if time == NO_TIME else day(time)


def _most_common(values: NDArray[Any]) -> dict[int, int]:
    """How often each number is there, the most frequent first."""
    numbers, counts = np.unique(values, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return dict(zip(numbers[order].tolist(), counts[order].tolist(), strict=True))


_NUMBER = re.compile(r"\d+\.?\d*")


def _in_order(group: str) -> tuple[Any, ...]:
    """What groups are sorted by: positions as they act, stakes by amount, and what is not known last."""
    for names in (POSITIONS, SEATS, TABLE_SIZES, DEPTHS[:-1]):
        if group in names:
            return (0, list(names).index(group))
    numbers = [float(number) for number in _NUMBER.findall(group)]
    return group == _UNKNOWN, _NUMBER.sub("", group), numbers
