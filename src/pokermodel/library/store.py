"""The rows of a book in a database, and what is asked of them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar, cast

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.errors import BookError, DamagedBookError
from pokermodel.game import BettingStructure, Hand
from pokermodel.histories import Filter
from pokermodel.histories._writing import ErrorSink
from pokermodel.learning.knowledge import Knowledge
from pokermodel.library._database import Database
from pokermodel.library.additions import Kept, Numbers, drop, first_of_each, found_again, insert, numbers_of
from pokermodel.library.bookmarks import Bookmark, Bookmarks, mark
from pokermodel.library.columns import Columns, SeatTable
from pokermodel.library.counts import Counts
from pokermodel.library.everybody import Everybody
from pokermodel.library.mine import Mine
from pokermodel.library.names import StoredNames
from pokermodel.library.pieces import WHOLE, Pieces
from pokermodel.library.players import Players
from pokermodel.library.rows import BATCH, Place, Rows, rows_of
from pokermodel.library.schema import (
    BOOK,
    HANDS,
    KNOWLEDGE,
    NAMES,
    PLAYERS,
    SEATS_TABLE,
    TEXTS,
    fingerprints,
    prepare,
)
from pokermodel.library.selection import Selection, select
from pokermodel.library.statistics import Statistics
from pokermodel.library.verdicts import Verdicts

__all__ = ["Added", "Learnt", "Store"]

K = TypeVar("K", bound=Knowledge)


class Added(NamedTuple):
    """How many hands were new, and how many were there already."""

    new: int
    known: int

    def __add__(self, other: tuple[int, ...]) -> Added:  # type: ignore[override]
        new, known = other
        return Added(self.new + new, self.known + known)


class Learnt(Added):
    """The result of learning for a book: a tuple of two numbers of hands, which compares as one, and the details.

    Parameters
    ----------
    new : int
        Hands that were new to any kind of knowledge.
    known : int
        Hands that all kinds had learnt before.
    new_to : mapping of str to int
        How many hands were new to each kind.
    left : tuple of str
        After a merge: kinds of knowledge that were left as they were, although the other book has more of them.
    structures : mapping of str to int
        How many hands there were of each betting structure, those known and left out included.
    left_out : mapping of str to int
        How many of them each kind left out, since it does not learn from hands of their structure. Hands that all
        kinds left out are neither new nor known.
    """

    new_to: Mapping[str, int]
    left: tuple[str, ...]
    structures: Mapping[str, int]
    left_out: Mapping[str, int]

    def __new__(
        cls,
        new: int,
        known: int,
        new_to: Mapping[str, int] | None = None,
        left: tuple[str, ...] = (),
        structures: Mapping[str, int] | None = None,
        left_out: Mapping[str, int] | None = None,
    ) -> Self:
        """Make one."""
        self = super().__new__(cls, new, known)
        self.new_to = dict(new_to or {})
        self.left = left
        self.structures = dict(structures or {})
        self.left_out = dict(left_out or {})
        return self


class Store:
    """The rows of a book and its files; beside them, in parts of their own, what else it keeps.

    Parameters
    ----------
    where : path-like or str
    create : bool

    Attributes
    ----------
    mine : Mine
        The user's notes.
    pieces : Pieces
        The knowledge of readers.
    bookmarks : Bookmarks
        How far each file was read.
    verdicts : Verdicts
        The verdicts on decisions.
    statistics : Statistics
        The statistics that are counted in the rows.
    """

    def __init__(self, where: str | os.PathLike[str], *, create: bool = True) -> None:
        self._database = Database(where, create)
        self._numbers = Kept({}, {}, {})
        self._known: tuple[Any, Players] | None = None
        self._count: tuple[Any, int] = None, 0
        self._columns: Columns | None = None
        self._everybody: Everybody | None = None
        self._held: dict[int, bytes] = {}
        self.pieces = Pieces(self._database)
        self.bookmarks = Bookmarks(self._database)
        self.verdicts = Verdicts(self._database, lambda: self.columns)
        self.statistics = Statistics(self._database, lambda: self.bits)
        try:
            made, self._bits = prepare(self._database, create)
            self.mine = Mine(self._database, None if self.path is None else Path(f"{self.path}.mine"))
            if made:
                self.mine.take_beside()
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<Book {self._database.where!r}>"

    def __reduce__(self) -> tuple[Callable[[type[Self], str], Self], tuple[type[Self], str]]:
        address = self.address
        if address is None:
            raise BookError(
                "a book in memory cannot be copied or pickled, since it has no address: expected one in a file or on "
                "PostgreSQL"
            )
        return _open, (type(self), address)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database, and of the columns."""
        self._columns = self._everybody = None
        self._database.close()

    @property
    def address(self) -> str | None:
        """The URL by which other processes open it; None for a book in memory."""
        return self._database.address

    @property
    def path(self) -> Path | None:
        """The file of it; None for a book in memory or on a server."""
        url = self._database.engine.url
        if self.address is None or url.get_backend_name() != "sqlite":
            return None
        return Path(url.database or "").absolute()

    @property
    def bits(self) -> Mapping[str, int]:
        """The bit of each count of a statistic, by name; counts that were defined since it was opened get theirs."""
        if fingerprints().keys() - self._bits.keys():
            _, self._bits = prepare(self._database, True)
            self._columns = self._everybody = None
        return dict(self._bits)

    @property
    def hands(self) -> int:
        """How many hands there are."""
        with self._database.transaction() as connection:
            revision = _revision(connection)
            if self._count[0] != revision:  # SQLite goes through all of them
                self._count = revision, connection.scalar(sa.select(sa.func.count()).select_from(HANDS)) or 0
        return self._count[1]

    @property
    def revision(self) -> tuple[int, int]:
        """How often hands were added, and how often rows were changed or removed."""
        with self._database.transaction() as connection:
            return _revision(connection)

    @property
    def columns(self) -> Columns:
        """Columns of all rows, up to date."""
        if self._columns is None:
            self._columns = Columns(None if self.path is None else Path(f"{self.path}.columns"), self._bits)
        with self._database.transaction() as connection:
            self._columns.refresh(connection, _revision(connection))
        return self._columns

    @property
    def everybody(self) -> Everybody:
        """The counts of all players, over columns that are up to date."""
        columns = self.columns
        if self._everybody is None:
            self._everybody = Everybody(columns, self._bits)
        return self._everybody

    @property
    def names(self) -> StoredNames:
        """The meaning of numbers in columns."""
        columns, players = self.columns, self.players  # whose names may have changed what columns remember
        return StoredNames(self._database, columns, players)

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

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """Return a connection for reading, which sees the book as it is when it is entered: its views, for instance."""
        return self._database.transaction()

    def digest(self) -> str:
        """A digest of all knowledge: it changes when something is learnt, merged or renamed."""
        pieces = sa.select(KNOWLEDGE.c.kind, sa.func.count(), sa.func.sum(KNOWLEDGE.c.revision))
        found = blake2b(digest_size=16)
        with self._database.transaction() as connection:
            told = sa.select(BOOK.c.name, BOOK.c.revision, BOOK.c.generation)
            for query in (told, pieces.group_by(KNOWLEDGE.c.kind), sa.select(NAMES)):
                for row in sorted(map(tuple, connection.execute(query))):
                    found.update(repr([str(value) for value in row]).encode())
        return found.hexdigest()

    # ------------------------------------------------------------------------------------------------- adding

    def add(
        self,
        hands: Iterable[Hand | tuple[Hand, Place]],
        *,
        skipped: ErrorSink | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Added:
        """Add hands, each only once.

        Parameters
        ----------
        hands : iterable of Hand or (Hand, Place)
            They are read as they are needed, `BATCH` at a time.
        skipped : ErrorSink, optional
            Takes what is wrong with hands that cannot be kept; None: raise it.
        progress : callable, optional
            Called after every batch with the number of hands that were dealt with.

        Raises
        ------
        ValueError
            Without `skipped`, at the first hand that breaks the rules, is not finished or cannot be paid out. Batches
            before it are kept.
        """
        found, done = Added(0, 0), 0
        given = ((each, Place()) if isinstance(each, Hand) else each for each in hands)
        while batch := list(islice(given, BATCH)):
            rows = rows_of(batch, self.bits, skipped)
            new = len(self.add_rows(rows))
            found += (new, len(rows.hands) - new)
            done += len(batch)
            if progress is not None:
                progress(done)
        return found

    def hold(self, hands: Sequence[Hand], skipped: ErrorSink | None = None) -> dict[int, int]:
        """Add hands that no file has, and keep them in memory as long as the book is open.

        Parameters
        ----------
        skipped : ErrorSink, optional
            As of `add`.

        Returns
        -------
        dict of int to int
            The number of each hand in the book, and where it stands among the given ones; of copies, the first.
        """
        rows = rows_of([(hand, Place()) for hand in hands], self.bits, skipped)
        self.add_rows(rows)
        numbers = self.numbers([row.identity for row in rows.hands])
        found: dict[int, int] = {}
        for place, row in zip(rows.kept, rows.hands, strict=True):
            if (number := numbers[row.identity]) not in self._held:
                found[number] = place
                self._held[number] = pickle.dumps(hands[place])
        return found

    def held(self, number: int) -> Hand | None:
        """A hand that is kept in memory, by its number."""
        content = self._held.get(number)
        return None if content is None else cast("Hand", pickle.loads(content))

    @property
    def holds(self) -> bool:
        """Whether hands are kept in memory."""
        return bool(self._held)

    def add_rows(self, rows: Rows, bookmark: Bookmark | None = None, *, drop_from: int | None = None) -> list[int]:
        """Add rows that were worked out, in any process, in one transaction.

        Parameters
        ----------
        rows : Rows
            Of the bits that this book has. `Place.file` of a row is not looked at where there is a bookmark.
        bookmark : Bookmark, optional
            How far their file is read when they are in the book.
        drop_from : int, optional
            Hands of that file from this byte on are replaced: they were read when they were not yet whole.
        """
        identities = [row.identity for row in rows.hands]
        with self._database.transaction(write=True) as connection:
            names = Numbers(self._numbers, connection)
            file = None if bookmark is None else mark(connection, bookmark)
            replaced = False
            if drop_from is not None and file is not None:
                replaced = drop(connection, file, drop_from, rows)
            known = numbers_of(connection, identities)
            fresh = first_of_each(identities, known)
            if len(fresh):
                insert(connection, names, rows, fresh, file)
            if known and file is not None:
                replaced |= found_again(connection, rows, known, file)
            if len(fresh) or replaced:
                change = {"revision": BOOK.c.revision + 1, "generation": BOOK.c.generation + int(replaced)}
                connection.execute(BOOK.update().values(change))
        names.keep()
        return fresh.tolist()  # type: ignore[no-any-return]

    # --------------------------------------------------------------------------------------------------- asking

    def select(self, where: str | Filter = "") -> Selection:
        """The hands that a filter means, and the hero's seats in them.

        Parameters
        ----------
        where : str or Filter
            Without ``hero=NAME`` the hero of a hand is the player whose history it is.
        """
        which = where if isinstance(where, Filter) else Filter(where)
        names = self.names
        return select(self.columns, which, names)

    def counts(self, where: str | Filter) -> dict[BettingStructure, Counts]:
        """The actions of a filter's hero in the selected hands, by betting structure.

        Raises
        ------
        ValueError
            If the filter has no hero.

        Examples
        --------
        >>> import pokermodel as pm
        >>> book = pm.Book("sqlite://")
        >>> book.add([pm.example_hand()])
        Added(new=1, known=0)
        >>> found = book.counts("hero=Eve")[pm.game.BettingStructure.LIMIT]
        >>> found.figures()["vpip"].value
        1.0
        """
        which = where if isinstance(where, Filter) else Filter(where)
        if which.hero is None and not which.needs_hero:
            which = Filter(f"{which} reached>=pre-flop")  # of whom the histories are
        found = self.select(which)
        structures, table = self.columns.hands["structure"][found.hands], found.table
        if table is None:
            raise ValueError(f"the filter {str(which)!r} is about no player: expected hero=NAME")
        present = np.unique(structures).tolist()
        return {
            structure: self.counts_of(table, found.seats[structures == number], structure)
            for number, structure in enumerate(BettingStructure)
            if number in present
        }

    def counts_of(self, table: SeatTable, seats: NDArray[np.int64], structure: BettingStructure) -> Counts:
        """The actions of some seats, if all their hands have one structure."""
        return Counts(table, seats, structure, self._bits)

    # ----------------------------------------------------------------------------------------------- knowledge

    @property
    def kinds(self) -> frozenset[str]:
        """Names of the kinds of knowledge that the book has learnt from hands."""
        return self.pieces.kinds

    def require(self, kinds: Iterable[str], what: str) -> None:
        """Make sure that the book has learnt what a reader starts from.

        Parameters
        ----------
        kinds : iterable of str
            Names of kinds of knowledge.
        what : str
            The feature that needs them, for the message.

        Raises
        ------
        BookError
            If one of them was not learnt; the message has the command that learns it.
        """
        there = self.kinds
        lacking = " ".join(f"--for {kind}" for kind in kinds if kind not in there)
        if lacking:
            where = self._database.where
            command = f"pokermodel learn FILES --book {quote(where)} {lacking}"
            raise BookError(f"{where} has learnt nothing for {what}: run `{command}`")

    def knowledge(self, kind: type[K], name: str = "") -> K | None:
        """The knowledge of a kind other than the statistics of players.

        Parameters
        ----------
        kind : type
            The class of the knowledge, registered or not.
        name : str
            The player whom it is about; "" for what is about all.

        Returns
        -------
        object of that class, or None
            None if nothing was learnt.

        Raises
        ------
        BookError
            If the book cannot be read, or what it has is damaged or of another version.
        """
        in_pieces: Any = kind
        if name:
            return self.knowledge_by_name(kind).get(name)
        if hasattr(kind, "of_pieces"):
            pieces = self.pieces.read(kind.kind, in_pieces.piece_version)
            if not pieces and kind.kind not in self.kinds:
                return None
            hands = sum(last - first + 1 for first, last in self.pieces.learnt(kind.kind))
            assembled: K = self._decoded(lambda some: in_pieces.of_pieces(some, hands=hands), pieces)
            return assembled
        found = self.pieces.read(kind.kind, kind.version, [WHOLE])
        return self._decoded(kind.from_bytes, found[WHOLE]) if WHOLE in found else None

    def knowledge_by_name(self, kind: type[K]) -> dict[str, K]:
        """All that is known of players of a kind that is kept whole, by name.

        Raises
        ------
        BookError
            As `knowledge`.
        """
        found = self.pieces.read(kind.kind, kind.version)
        return {name: self._decoded(kind.from_bytes, content) for (scope, name), content in found.items() if name}

    def _decoded(self, read: Callable[[Any], K], content: Any) -> K:
        try:
            return read(content)
        except BookError as error:  # not damaged, but of another prior
            raise BookError(f"{self._database.where}: {error}") from error
        except Exception as error:  # whatever a class finds wrong with damaged bytes
            raise DamagedBookError(self._database.where, str(error)) from error

    def numbers(self, identities: Sequence[bytes], path: str | None = None) -> dict[bytes, int]:
        """The numbers of those hands that are there, or that a file is the source of, by identity."""
        with self._database.transaction() as connection:
            return numbers_of(connection, identities, path)

    # ------------------------------------------------------------------------------------------------- integrity

    def check(self) -> None:
        """See to it that the database is whole; raise `DamagedBookError` if it is not."""
        if problems := self._database.problems():
            raise DamagedBookError(self._database.where, problems[0])
        with self._database.transaction() as connection:
            hands = connection.execute(
                sa.select(sa.func.count(), sa.func.sum(HANDS.c.players)).select_from(HANDS)
            ).one()
            seats = connection.scalar(sa.select(sa.func.count()).select_from(SEATS_TABLE))
        if (hands[1] or 0) != seats:
            raise DamagedBookError(
                self._database.where, f"its {hands[0]:,} hands have {hands[1]:,} seats, not {seats:,}"
            )


def _open(kind: type[_B], address: str) -> _B:
    """Open a book that was pickled."""
    return kind(address, create=False)


_B = TypeVar("_B", bound=Store)


def _revision(connection: sa.Connection) -> tuple[int, int]:
    row = connection.execute(sa.select(BOOK.c.revision, BOOK.c.generation)).one()
    return row.revision, row.generation
