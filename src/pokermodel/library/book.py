"""The book: files with bookmarks, each hand once, each seat as a row, and what the user wrote about them.

Rows are the truth. A batch of hands is one transaction, with its players, texts and the bookmark of its file in it: a
process that is killed at any instant leaves whole batches, and reading the same files again adds what is missing.
Columns in memory (`pokermodel.library.columns`) are a cache of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args, overload

import numpy as np
import sqlalchemy as sa

from pokermodel._support.checks import check_choice, check_least, check_name
from pokermodel._support.frames import to_frame
from pokermodel.errors import UnknownPlayerError
from pokermodel.game import Act, BettingStructure, Hand
from pokermodel.histories import Filter
from pokermodel.histories._writing import ErrorSink
from pokermodel.learning.course import PERIODS, Course
from pokermodel.learning.knowledge import FromHands, Knowledge, select_kinds
from pokermodel.learning.profile import PROFILE_COLUMNS, Profile, profile_rows
from pokermodel.learning.rates import Population, rates
from pokermodel.library.bookmarks import Bookmark
from pokermodel.library.counts import contexts_of
from pokermodel.library.knowledge import learn_about, learn_hands
from pokermodel.library.merging import merge
from pokermodel.library.people import By, Seats, Structure
from pokermodel.library.players import Player, full_name
from pokermodel.library.schema import HANDS, SEATS_TABLE
from pokermodel.library.store import Added, Learnt, Store
from pokermodel.library.verdicts import StoredVerdict
from pokermodel.reading.contexts import ContextCounts
from pokermodel.reading.frequencies import ActionCounts, Context

__all__ = ["Added", "Book", "Bookmark", "Learnt", "StoredVerdict"]


class Book(Store, Mapping[str, ActionCounts]):
    """Hands and seats as rows in a database, and what is known of players.

    As a mapping it has the action counts of every player by name, which are those of limit hands. A player is a name at
    a poker site. Where players of several sites have a name, it is followed by the site, ``"Ann@pokerstars"``; without
    it, it stands for all of them, but a `profile` is of one.

    A book that is copied or pickled is opened again at the same address. A pickle has that address, with any password
    in it, and no hands. A book in memory can be neither copied nor pickled.

    Every method raises `BookError` if the database cannot be read or written, and is then as after the last batch. What
    takes the name of a player raises `UnknownPlayerError` if the book does not know the player.

    Parameters
    ----------
    where : path-like or str
        A SQLite file; or a URL, as ``postgresql://user@host/database``. ``sqlite://`` is a book in memory.
    create : bool
        Make the book if there is none, and bring its views up to date.

    Raises
    ------
    BookError
        If there is no book and `create` is false, the file is no book or has another version, or the database cannot
        be reached.

    Examples
    --------
    >>> import pokermodel as pm
    >>> book = pm.Book("sqlite://")  # in memory
    >>> book.learn([pm.example_hand()])
    Learnt(new=1, known=0)
    >>> book.learn([pm.example_hand()])
    Learnt(new=0, known=1)
    >>> book.profile("Eve").statistics["vpip"].numerator
    1
    """

    def learn(
        self,
        hands: Iterable[Hand],
        *,
        kinds: str | Iterable[str | type[FromHands]] | None = None,
        skipped: ErrorSink | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Learnt:
        """Add hands, and have readers learn from them, from each hand only once.

        Parameters
        ----------
        hands : iterable of Hand
            They are read as they are needed, `BATCH` at a time.
        kinds : str or iterable of str or type, optional
            The kinds of knowledge to learn, as `pokermodel.learning.kinds` lists them. Default: the statistics, which
            every book has, and what the default reader starts from. Kinds that do not learn from the betting structure
            of a hand leave it out.
        skipped : list of ValueError, optional
            Takes what is wrong with hands that cannot be learnt; None: raise it.
        progress : callable, optional
            Called after every batch with the number of hands that were dealt with.

        Returns
        -------
        Learnt
            How many of the hands were new.

        Raises
        ------
        ValueError
            If there is no such kind of knowledge; without `skipped`, at the first hand that breaks the rules, is not
            finished or cannot be paid out. Batches before it are kept.
        """
        return learn_hands(self, hands, select_kinds(kinds), skipped, progress)

    def learn_about(self, name: str, kind: type[Knowledge], evidence: Iterable[tuple[bytes, Any]]) -> Learnt:
        """Learn about a player from hands of any game.

        Parameters
        ----------
        name : str
            The player whom the knowledge is about.
        kind : type
            The kind of knowledge to learn.
        evidence : iterable of (bytes, object)
            The identity of each hand, and what it says, or None. Taken `BATCH` at a time.

        Returns
        -------
        Learnt
            How many hands were new.

        Raises
        ------
        ValueError
            If the name cannot be kept, or the evidence is refused.
        """
        check_name(name)
        return learn_about(self, name, kind, evidence)

    def merge(self, other: Book) -> Learnt:
        """Add the hands of another book, and what readers learnt from them.

        Hands that both have count once. What readers learnt is added kind by kind if no hand is in both; otherwise it
        stays as it is here, and the kind is in `Learnt.left`. It can be learnt from the hands themselves, where they
        still have a file. What the user wrote is not taken over: `Book.mine` is text that can be.

        Parameters
        ----------
        other : Book
            Is not changed.
        """
        if not isinstance(other, Book):
            raise ValueError(f"a book takes in another one: expected a Book, as Book(path) opens it, got {other!r}")
        return merge(self, other)

    # ------------------------------------------------------------------------------------------------------- players

    def alias(self, name: str, other: str | None) -> None:
        """Note that two names are those of one player, or of one player no more.

        The knowledge of a player covers all their names, and any of them finds it. It stands among what the user wrote
        (`Book.mine`).

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

    def profile(self, name: str, structure: Structure | None = None) -> Profile:
        """The knowledge of a player in one betting structure.

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
        """
        chosen = _structure(structure)
        found = self.profiles(name)
        if chosen is None:
            chosen = max(found, key=lambda each: found[each].hands, default=BettingStructure.LIMIT)
        if chosen in found:
            return found[chosen]
        return Seats.none(self).profile(self.players.one(name).label, chosen)

    def profiles(self, name: str, where: str | Filter = "") -> dict[BettingStructure, Profile]:
        """The knowledge of a player in each betting structure that they have played, in order.

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
        """
        player = self.players.one(name)
        return {
            structure: seats.profile(player.label, structure, latest=True)
            for structure, seats in Seats.of(self, player, where).by_structure().items()
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
        """The knowledge of a player, by position, table size, stake, month, day, stack depth or betting structure.

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
        """
        check_choice("breakdown", by, get_args(By))
        chosen, players = _structure(structure), self.players
        found = {
            player.label: Seats.of(self, player, where).broken_down(by, player.label, chosen)
            for player in (sorted(players, key=_label) if name is None else [players.one(name)])
        }
        return found if name is None else next(iter(found.values()))

    def course(
        self, name: str, structure: Structure | None = None, *, periods: int = PERIODS, where: str | Filter = ""
    ) -> Course:
        """A player's profiles over time: parts of their hands, in the order of play.

        Parameters
        ----------
        name : str
            The player's name, exactly.
        structure : {"limit", "pot limit", "no limit"}, optional
            The structure, as for `profile`.
        periods : int
            How many parts of equal length there are; fewer if these would have less than 50 hands.
        where : str or Filter
            Only hands that it means, with the player as the hero.

        Raises
        ------
        ValueError
            If there is no such structure, or `periods` is below 1.
        """
        check_least("periods", periods, 1)
        chosen = _structure(structure) or self.profile(name).structure
        player = self.players.one(name)
        seats = Seats.of(self, player, where).by_structure().get(chosen) or Seats.none(self)
        return seats.in_order().course(player.label, chosen, periods)

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions after the flop in limit, at most 20, in the order in which they were done.

        There are none of a player who is not known.
        """
        found = self._limit_seats(name)
        return replace(found[0], rows=np.concatenate([each.rows for each in found])).recent() if found else ()

    def _limit_seats(self, name: str) -> list[Seats]:
        """The seats in limit of each player with a name."""
        found = [Seats.of(self, each).by_structure().get(BettingStructure.LIMIT) for each in self.players.of(name)]
        return [each for each in found if each is not None]

    def rates(self, structure: Structure) -> Population:
        """How often each player of the book does what they could do, see `pokermodel.learning.rates`.

        Parameters
        ----------
        structure : {"limit", "pot limit", "no limit"}

        Returns
        -------
        Population
            The rates of all who have played the structure.

        Raises
        ------
        ValueError
            If there is no such structure.
        """
        chosen = _structure(structure)
        assert chosen is not None
        made, chances = self.everybody.counted(chosen)
        columns = self.columns
        played = columns.hands["structure"][columns.seats["hand"]] == tuple(BettingStructure).index(chosen)
        there = set(np.unique(columns.seats["player"][played]).tolist())
        players = [each for each in self.players if not there.isdisjoint(each.ids)]
        ids = [[number for number in each.ids if number in there] for each in players]
        shape = len(players), len(made)
        counts = [np.array([of[:, each].sum(axis=1) for each in ids]).reshape(shape) for of in (made, chances)]
        shown = [(place, rate) for place, rate in enumerate(rates(chosen)) if rate.statistic.table == "shown_postflop"]
        for row, player in enumerate(players if shown else ()):
            seats = Seats.of(self, player).by_structure()[chosen]
            seats = seats.where(seats.column("shown") != 0)
            for place, rate in shown:
                counts[0][row, place], counts[1][row, place] = rate.counts(seats.counts(chosen))
        return Population(chosen, tuple([each.label for each in players]), *counts)

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts, for a `ContextModel`."""
        if name not in self:
            raise UnknownPlayerError(name)
        found = [seats.counts(BettingStructure.LIMIT).contexts for seats in self._limit_seats(name)]
        return sum(found, ContextCounts())

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts."""
        query = sa.select(SEATS_TABLE.c.detail).join(HANDS, HANDS.c.id == SEATS_TABLE.c.hand)
        query = query.where(HANDS.c.structure == tuple(BettingStructure).index(BettingStructure.LIMIT))
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
