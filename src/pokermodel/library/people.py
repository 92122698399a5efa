"""Players of a book by the names that they go by, and what the book knows of them, one or all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, overload

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel._support.checks import check_choice, check_least
from pokermodel._support.frames import to_frame
from pokermodel.errors import UnknownPlayerError
from pokermodel.game import POSITIONS, SEATS, TABLE_SIZES, Act, BettingStructure, table_size
from pokermodel.histories import Filter
from pokermodel.learning.course import LEAST_HANDS, PERIODS, Course, Period
from pokermodel.learning.order import by_number, day
from pokermodel.learning.profile import PROFILE_COLUMNS, Profile, profile_rows
from pokermodel.learning.rates import Population, rates
from pokermodel.learning.statistics import DEPTHS
from pokermodel.learning.winnings import winnings_course
from pokermodel.library.bits import A_PAIR
from pokermodel.library.columns import NO_TIME, Columns, Table
from pokermodel.library.counts import Counts, Detail, contexts_of, depths_of
from pokermodel.library.names import StoredNames
from pokermodel.library.players import Player, Players, full_name
from pokermodel.library.schema import HANDS, NAMES, PLAYERS, SEATS_TABLE, TEXTS
from pokermodel.reading.contexts import COARSE, ContextCounts
from pokermodel.reading.frequencies import RECENT_ACTIONS, ActionCounts, Context

if TYPE_CHECKING:
    from pokermodel.library._database import Database
    from pokermodel.library.mine import Mine
    from pokermodel.library.selection import Selection

__all__ = ["By", "People", "Structure"]

#: What `Book.breakdown` tells apart.
By: TypeAlias = Literal["position", "table", "stake", "month", "day", "depth", "structure"]
#: A betting structure, or its name.
Structure: TypeAlias = BettingStructure | Literal["limit", "pot limit", "no limit"]
_STRUCTURES = tuple(BettingStructure)
#: What a hand is counted under of which it is not known.
_UNKNOWN = "unknown"
_AT_ONCE = 2000  # seats whose details are read with one query
Numbers: TypeAlias = NDArray[np.int64]


class People(Mapping[str, ActionCounts]):
    """What a book knows of players, read from its rows."""

    _database: Database
    _bits: Mapping[str, int]
    mine: Mine
    _known: tuple[Any, Players] | None = None
    _columns: Columns | None = None

    @property
    def columns(self) -> Columns:
        """Columns of all rows, up to date."""
        raise NotImplementedError

    @property
    def to_learn_again(self) -> tuple[str, ...]:
        """Keys of the statistics that were not counted in all hands, in order."""
        raise NotImplementedError

    def select(self, where: str | Filter = "") -> Selection:
        """The hands that a filter means, and the hero's seats in them."""
        raise NotImplementedError

    @property
    def players(self) -> Players:
        """All players, by their names."""
        with self._database.transaction() as connection:
            joined = connection.execute(sa.select(NAMES.c.site, NAMES.c.name, NAMES.c.person)).all()
            last = connection.scalar(sa.select(sa.func.max(PLAYERS.c.id))) or 0
            state = last, tuple(map(tuple, joined))
            if self._known is None or self._known[0] != state:
                query = sa.select(PLAYERS.c.id, TEXTS.c.text, PLAYERS.c.name).join(TEXTS, TEXTS.c.id == PLAYERS.c.site)
                rows = connection.execute(query.order_by(PLAYERS.c.id)).all()
                persons = {(site, name): person for site, name, person in state[1]}
                self._known = state, Players(((row[0], row[1], row[2]) for row in rows), persons)
                if self._columns is not None:
                    self._columns.memo.clear()
        return self._known[1]

    def alias(self, name: str, other: str | None) -> None:
        """Note that two names are those of one player, or of one player no more.

        What is known of a player is known of all their names together, and is asked for by any of them. It stands
        among what the user wrote (`Book.mine`).

        Parameters
        ----------
        name : str
            The name that the player goes by; where players of several sites have it, with the site.
        other : str or None
            Another one of theirs; None: `name` is a player of its own from now on.

        Raises
        ------
        UnknownPlayerError
            If the book has no player of a name.
        ValueError
            If several players have a name, or both are those of one player already.
        BookError
            If the book cannot be written.

        Examples
        --------
        >>> import pokermodel as pm
        >>> book = pm.Book("sqlite://")
        >>> learnt = book.learn([pm.example_hand()], kinds=["statistics"])
        >>> book.alias("Eve", "Ada")
        >>> book.profile("Ada").name, book.profile("Eve").hands
        ('Eve', 2)
        >>> book.alias("Ada", None)
        >>> book.profile("Eve").hands
        1
        """
        players = self.players
        one = players.one(name)
        if other is None:
            site, own = players.name_of(name)
            rest = [each for each in one.names if each != (site, own)]
            person = self.mine.person(site, own)
            if (site, own) == one.names[0] or person in (own, full_name(own, site)):  # the others go by another name
                self._join(rest, full_name(rest[0][1], rest[0][0]) if len(rest) > 1 else "")
            self._join([(site, own)], "")
            return
        two = players.one(other)
        if one == two:
            raise ValueError(f"{full_name(*reversed(players.name_of(other)))} is {name!r} already")
        site, own = one.names[0]
        self._join((*one.names, *two.names), full_name(own, site))

    def _join(self, names: Iterable[tuple[str, str]], person: str) -> None:
        for site, name in names:
            self.mine.join(site, name, person)

    # ------------------------------------------------------------------------------------------------- counting

    def _seats(self, player: Player, where: str | Filter = "") -> Numbers:
        """The rows of a player in the columns of seats, of the hands that a filter means with them as the hero."""
        columns = self.columns
        found = np.flatnonzero(np.isin(columns.seats["player"], player.ids))
        if str(where):
            others = " ".join(str(term) for term in Filter(str(where)).terms if term.key != "hero")
            meant = self.select(Filter(others).with_hero(player.label)).hands
            found = found[np.isin(columns.seats["hand"][found], meant)]
        return found

    def _structure_of(self, seats: Numbers) -> NDArray[Any]:
        columns = self.columns
        found: NDArray[Any] = columns.hands["structure"][columns.seats["hand"][seats]]
        return found

    def _by_structure(self, seats: Numbers) -> dict[BettingStructure, Numbers]:
        """Seats by structure, in order, those that were played alone."""
        of = self._structure_of(seats)
        found = {structure: seats[of == number] for number, structure in enumerate(_STRUCTURES)}
        return {structure: each for structure, each in found.items() if len(each)}

    def counts_of(self, table: Table, seats: Numbers, structure: BettingStructure) -> Counts:
        """What some seats did, whose hands are all of one structure."""
        if self._database.address is not None:
            return Counts(table, seats, structure, self._bits, lambda: self._details(table, seats))
        found = self._details(table, seats)  # a book in memory is gone once it is closed, and counts live on
        return Counts(table, seats, structure, self._bits, lambda: found)

    def _details(self, table: Table, seats: Numbers) -> list[Detail]:
        hands = self.columns.hands["id"][table["hand"][seats]].tolist()
        pairs = list(zip(hands, table["seat"][seats].tolist(), strict=True))
        s, h = SEATS_TABLE.c, HANDS.c
        query = sa.select(s.hand, s.seat, s.detail, s.cards, s.shown, h.board).join(HANDS, h.id == s.hand)
        found: dict[tuple[int, int], Detail] = {}
        with self._database.transaction() as connection:
            for start in range(0, len(pairs), _AT_ONCE):
                some = ", ".join(f"({hand}, {seat})" for hand, seat in pairs[start : start + _AT_ONCE])
                asked = query.where(sa.text(f"(_seats.hand, _seats.seat) IN (VALUES {some})"))
                for hand, seat, detail, cards, shown, board in connection.execute(asked):
                    found[hand, seat] = Detail(bytes(detail), cards if shown else "", board)
        return [found[pair] for pair in pairs]

    def _profile(self, player: str, seats: Numbers, structure: BettingStructure, *, latest: bool = False) -> Profile:
        counts = self.counts_of(self.columns.seats, seats, structure)
        recent = self._recent(seats) if latest and structure.fixed else ()
        again = frozenset(self.to_learn_again)
        return Profile(player, counts, recent, again)

    def profile(self, name: str, structure: Structure | None = None) -> Profile:
        """What is known of a player in one betting structure.

        Parameters
        ----------
        name : str
            The player's name, exactly; where players of several sites have it, with the site: ``"Ann@pokerstars"``.
        structure : {"limit", "pot limit", "no limit"}, optional
            Default: the one with most hands of the player, and the first of equals.

        Returns
        -------
        Profile
            Without hands, if the player has not played the structure.

        Raises
        ------
        ValueError
            If there is no such structure, or several players have the name.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        chosen = _structure(structure)
        found = self.profiles(name)
        if chosen is None:
            chosen = max(found, key=lambda each: found[each].hands, default=BettingStructure.LIMIT)
        if chosen in found:
            return found[chosen]
        return self._profile(self.players.one(name).label, np.zeros(0, dtype=np.int64), chosen)

    def profiles(self, name: str, where: str | Filter = "") -> dict[BettingStructure, Profile]:
        """What is known of a player in each betting structure that they have played, in order.

        Figures of structures are never added up: neither what is won, which is in other units, nor how often something
        is done means the same in them.

        Parameters
        ----------
        name : str
        where : str or Filter
            Only hands that it means, with the player as the hero.

        Raises
        ------
        ValueError
            If several players have the name.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        player = self.players.one(name)
        return {
            structure: self._profile(player.label, seats, structure, latest=True)
            for structure, seats in self._by_structure(self._seats(player, where)).items()
        }

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame of the statistics of all players in all structures; see `Profile.to_frame`."""
        profiles = (profile for name in self for profile in self.profiles(name).values())
        return to_frame((row for profile in profiles for row in profile_rows(profile)), PROFILE_COLUMNS, library)

    @overload
    def breakdown(
        self, by: By, name: str, structure: Structure | None = None, where: str | Filter = ""
    ) -> dict[str, Profile]: ...
    @overload
    def breakdown(
        self, by: By, name: None = None, structure: Structure | None = None, where: str | Filter = ""
    ) -> dict[str, dict[str, Profile]]: ...
    def breakdown(
        self, by: By, name: str | None = None, structure: Structure | None = None, where: str | Filter = ""
    ) -> dict[str, Profile] | dict[str, dict[str, Profile]]:
        """What is known of a player, by position, table size, stake, month, day, stack depth or betting structure.

        Parameters
        ----------
        by : {"position", "table", "stake", "month", "day", "depth", "structure"}
            Positions are those of `POSITIONS` in limit, and of `SEATS` outside it; tables those of `TABLE_SIZES`, by
            how many were dealt in; a stake is in money, as ``"2/4 USD"``; months and days are those of UTC, as
            ``"2009-07"`` and ``"2009-07-31"``; depths are those of `DEPTHS`, and not counted in limit. Hands for which
            it is not known are under ``"unknown"``. For rounds of betting see `Profile.by_round`.
        name : str, optional
            The player's name, exactly; without it, all players.
        structure : {"limit", "pot limit", "no limit"}, optional
            Hands of this structure. Default: of the one with most hands of the player; by structure, of all.
        where : str or Filter
            Only hands that it means, with the player as the hero.

        Returns
        -------
        dict of str to Profile
            By group, in order, each without latest actions; without `name`, one such dict for each player by name.

        Raises
        ------
        ValueError
            If there is no such `by`, or no such structure.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        check_choice("breakdown", by, get_args(By))
        chosen = _structure(structure)
        players = self.players
        found = {
            player.label: self._broken_down(by, player, chosen, where)
            for player in (sorted(players, key=_label) if name is None else [players.one(name)])
        }
        if name is None:
            return found
        (of_one,) = found.values()
        return of_one

    def _broken_down(
        self, by: By, player: Player, structure: BettingStructure | None, where: str | Filter
    ) -> dict[str, Profile]:
        found = self._by_structure(self._seats(player, where))
        if structure is not None or by != "structure":
            chosen = structure or max(found, key=lambda each: len(found[each]), default=None)
            found = {each: seats for each, seats in found.items() if each is chosen}
        groups: dict[str, Profile] = {}
        for each, seats in found.items():
            names = self._groups(by, seats, each)
            order = sorted(set(names), key=_in_order)
            places = {name: place for place, name in enumerate(order)}
            which = np.array([places[name] for name in names], dtype=np.int64)
            for place, group in enumerate(order):
                groups[group] = self._profile(player.label, seats[which == place], each)
        return groups

    def _groups(self, by: By, seats: Numbers, structure: BettingStructure) -> list[str]:
        """In which group each seat is."""
        columns = self.columns
        table, hand = columns.seats, columns.seats["hand"][seats]
        if by == "structure":
            return [str(structure)] * len(seats)
        if by == "position":
            names, column = (POSITIONS, "position") if structure.fixed else (SEATS, "name")
            return [names[number] for number in table[column][seats].tolist()]
        if by == "depth":
            depths = depths_of(table["depth"][seats])
            return [_UNKNOWN if structure.fixed else DEPTHS[number] for number in depths.tolist()]
        if by == "table":
            return [table_size(number) for number in columns.hands["players"][hand].tolist()]
        if by == "stake":
            stakes = StoredNames(self._database, columns).stakes()
            return [stakes[number].text for number in columns.hands["stake"][hand].tolist()]
        days = [_day(time) for time in columns.hands["time"][hand].tolist()]
        return [each if each == _UNKNOWN or by == "day" else each[: len("2009-07")] for each in days]

    # ----------------------------------------------------------------------------------------------- over time

    def _in_order(self, seats: Numbers) -> Numbers:
        """Seats in the order in which their hands were played: by time, then by site and number."""
        columns = self.columns
        hand = columns.seats["hand"][seats]
        times, rooms = columns.hands["time"][hand], columns.hands["room"][hand]
        numbers: dict[int, str] = {}
        if len(np.unique(times)) < len(times):
            ids = columns.hands["id"][hand].tolist()
            with self._database.transaction() as connection:
                for start in range(0, len(ids), _AT_ONCE):
                    query = sa.select(HANDS.c.id, HANDS.c.number).where(HANDS.c.id.in_(ids[start : start + _AT_ONCE]))
                    numbers.update((row.id, row.number) for row in connection.execute(query))
            texts = StoredNames(self._database, columns).texts("site")
            places = [
                by_number(texts[room] + "\0") + by_number(numbers[number])
                for room, number in zip(rooms.tolist(), ids, strict=True)
            ]
            order = sorted(range(len(seats)), key=lambda k: (times[k], places[k]))
            return seats[np.array(order, dtype=np.int64)]
        return seats[np.argsort(times)]

    def course(
        self, name: str, structure: Structure | None = None, *, periods: int = PERIODS, where: str | Filter = ""
    ) -> Course:
        """What a player did over time: profiles of parts of their hands, in the order in which these were played.

        Parameters
        ----------
        name : str
            The player's name, exactly.
        structure : {"limit", "pot limit", "no limit"}, optional
            As of `profile`.
        periods : int
            How many parts of equal length there are; fewer if these would have less than 50 hands.
        where : str or Filter
            Only hands that it means, with the player as the hero.

        Raises
        ------
        ValueError
            If there is no such structure, or `periods` is below 1.
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        check_least("periods", periods, 1)
        chosen = _structure(structure) or self.profile(name).structure
        player, columns = self.players.one(name), self.columns
        seats = self._by_structure(self._seats(player, where)).get(chosen, np.zeros(0, dtype=np.int64))
        seats = self._in_order(seats)
        hand = columns.seats["hand"][seats]
        number = max(min(periods, len(seats) // LEAST_HANDS), 1) if len(seats) else 0
        ends = [len(seats) * k // number for k in range(number + 1)] if number else []
        found = []
        for start, end in pairwise(ends):
            times = columns.hands["time"][hand[start:end]]
            days = [day(int(time)) for time in times[times != NO_TIME][[0, -1]]] if (times != NO_TIME).any() else []
            profile = self._profile(player.label, seats[start:end], chosen)
            found.append(Period(start, days[0] if days else None, days[-1] if days else None, profile))
        stakes = StoredNames(self._database, columns).stakes()
        return Course(
            tuple(found),
            _most_common(columns.hands["players"][hand].tolist()),
            _most_common([stakes[each].text for each in columns.hands["stake"][hand].tolist()]),
            winnings_course(columns.seats["net"][seats], columns.seats["ev"][seats]),
        )

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions after the flop in limit, at most 20, in the order in which they were done.

        There are none of a player who is not known.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        found = self.players.of(name)
        seats = [self._by_structure(self._seats(each)).get(BettingStructure.LIMIT) for each in found]
        there = [each for each in seats if each is not None]
        return self._recent(np.concatenate(there)) if there else ()

    def _recent(self, seats: Numbers) -> tuple[tuple[Context, Act], ...]:
        columns = self.columns
        ordered = self._in_order(seats[columns.seats["street"][seats] > 0])
        found: list[tuple[Context, Act]] = []
        for start in range(len(ordered), 0, -4 * RECENT_ACTIONS):
            some = self._details(columns.seats, ordered[max(start - 4 * RECENT_ACTIONS, 0) : start])
            numbers = np.frombuffer(b"".join(each.numbers for each in some), dtype="<u2").astype(np.int64)
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

    # ------------------------------------------------------------------------------------------------ all together

    def rates(self, structure: Structure) -> Population:
        """How often each player of the book does what they could do, see `pokermodel.learning.rates`.

        Parameters
        ----------
        structure : {"limit", "pot limit", "no limit"}

        Returns
        -------
        Population
            Of all who have played the structure.

        Raises
        ------
        ValueError
            If there is no such structure.
        BookError
            If the book cannot be read.
        """
        chosen = _structure(structure)
        assert chosen is not None
        columns, players = self.columns, list(self.players)
        which = np.flatnonzero(columns.hands["structure"][columns.seats["hand"]] == _STRUCTURES.index(chosen))
        number = np.full(max((max(player.ids) for player in players), default=0) + 1, -1, dtype=np.int64)
        for place, player in enumerate(players):
            number[list(player.ids)] = place
        who = number[columns.seats["player"][which]]
        order = np.argsort(who, kind="stable")
        which, who = which[order], who[order]
        there, begins = np.unique(who, return_index=True)
        asked = [(rate, rate.statistic.blocks(), rate.street) for rate in rates(chosen)]
        made = np.zeros((len(there), len(asked)), dtype=np.int64)
        chances = np.zeros_like(made)
        for column, (rate, blocks, street) in enumerate(asked):
            if rate.statistic.table:
                continue
            for name in [name for name, of in blocks.items() if name in self._bits and street in (None, of)]:
                pair, bit = divmod(self._bits[name], A_PAIR)
                for into, kind in ((made, "did"), (chances, "could")):
                    here = columns.seats[f"{kind}_{pair}"][which] >> bit & 1
                    into[:, column] += np.add.reduceat(here, begins) if len(begins) else here
        for row, some in enumerate(np.split(which, begins[1:]) if len(begins) else []):
            counts = self.counts_of(columns.seats, some, chosen)
            for column, (rate, *_) in enumerate(asked):
                if rate.statistic.table:
                    made[row, column], chances[row, column] = rate.counts(counts)
        labels = tuple([players[place].label for place in there.tolist()])
        return Population(chosen, labels, made, chances)

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts, for a `ContextModel`.

        Raises
        ------
        UnknownPlayerError
            If the book does not know the player.
        BookError
            If the book cannot be read.
        """
        found = self.players.of(name)
        if not found:
            raise UnknownPlayerError(name)
        together = ContextCounts()
        for each in found:
            seats = self._by_structure(self._seats(each)).get(BettingStructure.LIMIT)
            if seats is not None:
                together += self.counts_of(self.columns.seats, seats, BettingStructure.LIMIT).contexts
        return together

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        query = sa.select(SEATS_TABLE.c.detail).join(HANDS, HANDS.c.id == SEATS_TABLE.c.hand)
        query = query.where(HANDS.c.structure == _STRUCTURES.index(BettingStructure.LIMIT))
        numbers = np.zeros(1 << 16, dtype=np.int64)
        with self._database.transaction() as connection:
            for some in connection.execute(query, execution_options={"yield_per": 10_000}).partitions():
                content = np.frombuffer(b"".join(bytes(row.detail) for row in some), dtype="<u2")
                numbers += np.bincount(content, minlength=len(numbers))
        return contexts_of(numbers)

    def __getitem__(self, name: str) -> ActionCounts:
        return self.contexts(name).counts

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self.players.of(name))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(player.label for player in self.players))

    def __len__(self) -> int:
        return len(self.players)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


def _structure(structure: Structure | None) -> BettingStructure | None:
    if structure is None:
        return None
    check_choice("structure", structure, tuple(map(str, BettingStructure)))
    return BettingStructure(structure)


def _label(player: Player) -> str:
    return player.label


def _day(time: int) -> str:
    return _UNKNOWN if time == NO_TIME else day(time)


def _most_common(values: Sequence[Any]) -> dict[Any, int]:
    return dict(Counter(values).most_common())


_NUMBER = re.compile(r"\d+\.?\d*")


def _in_order(group: str) -> tuple[Any, ...]:
    """What groups are sorted by: positions as they act, stakes by amount, and what is not known last."""
    for names in (POSITIONS, SEATS, TABLE_SIZES, DEPTHS[:-1]):
        if group in names:
            return (0, list(names).index(group))
    numbers = [float(number) for number in _NUMBER.findall(group)]
    return group == _UNKNOWN, _NUMBER.sub("", group), numbers
