"""What is known of each player, kept between sessions in a database.

A book is a SQLite file, or a PostgreSQL database for many writers. It has the counters of every player
(`pokermodel.learning.lessons`), and, of every hand learnt, its identity and what it added to them. So a hand is
learnt once however often it is met, and two books that share hands can be merged.

Hands are learnt in batches, and a batch is one transaction with its identities and counters in it: a process killed
at any instant leaves whole batches, and learning the same hands again adds what is missing.
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
import sqlalchemy as sa
from numpy.typing import ArrayLike, NDArray
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pokermodel._arrays import Floats
from pokermodel._checks import check_name
from pokermodel.errors import BookError
from pokermodel.game import Act, Hand
from pokermodel.learning.lessons import (
    ACTIONS,
    CONTEXTS,
    SIZE,
    SQUARES,
    WON,
    Lesson,
    Share,
    Tally,
    action_of,
    check_names,
    context_counts,
    lesson,
)
from pokermodel.learning.lessons import identity as identity_of
from pokermodel.learning.profile import Profile
from pokermodel.reading.parts.class_tables import BayesTables
from pokermodel.reading.parts.contexts import ContextCounts
from pokermodel.reading.parts.frequencies import RECENT_ACTIONS, ActionCounts, Context

__all__ = ["BATCH", "Book", "Learnt"]


#: Hands that are learnt in one transaction.
BATCH = 4000

_FORMAT = "pokermodel book"
_VERSION = 3  # 2: richer contexts, and the sum of all players; 3: sums of other games

_tables = sa.MetaData()
_about = sa.Table("pokermodel", _tables, sa.Column("format", sa.Text), sa.Column("version", sa.Integer))
_players = sa.Table(
    "players",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    # the latest actions after the flop, oldest first, a character each
    sa.Column("recent", sa.Text, nullable=False),
)
_counters = sa.Table(
    "counters",
    _tables,
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("counter", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("count", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
_hands = sa.Table(
    "hands",
    _tables,
    sa.Column("number", sa.Integer, primary_key=True),  # in the order in which they were learnt
    sa.Column("identity", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("lesson", sa.LargeBinary, nullable=False),
)

# What is counted of players of other games: their own affair, but it can be added. 64-bit floats, low byte first.
_sums = sa.Table(
    "sums",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("kind", "name"),
)
_sum_hands = sa.Table(
    "sum_hands",
    _tables,
    sa.Column("sum", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("identity", sa.LargeBinary, primary_key=True),
    sqlite_with_rowid=False,
)

# BPP's tables, made when they are first learnt. They are one piece: a player's lean on those of all.
_bpp = sa.MetaData()
_bpp_tables = sa.Table(
    "bpp_tables",
    _bpp,
    sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("content", sa.LargeBinary, nullable=False),  # `BayesTables.to_bytes`
)
_bpp_hands = sa.Table(
    "bpp_hands", _bpp, sa.Column("identity", sa.LargeBinary, primary_key=True), sqlite_with_rowid=False
)

_EVERYBODY = 0  # the number under which the sum of all players is kept

_PLAYER = sa.select(_players).where(_players.c.name == sa.bindparam("name"))
_ACTIONS_OF = (
    sa.select(_counters.c.counter, _counters.c.count)
    .join(_players, _players.c.id == _counters.c.player)
    .where(_players.c.name == sa.bindparam("name"), _counters.c.counter < ACTIONS)
)
_COUNTERS_OF = sa.select(_counters.c.counter, _counters.c.count).where(
    _counters.c.player == sa.bindparam("player"), _counters.c.counter < SIZE
)
_CONTEXTS_OF = sa.select(_counters.c.counter, _counters.c.count).where(
    _counters.c.player == sa.bindparam("player"), (_counters.c.counter < ACTIONS) | (_counters.c.counter >= CONTEXTS)
)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_RECENT_FROM = ACTIONS // 4  # the first counter of an action after the flop
_ASKED = 5000  # names in one query
_PATIENCE = 120  # seconds to wait for another process that writes
_SHARE = struct.Struct("<IqH")  # player, winnings, number of counters


def _add_everybody(connection: sa.Connection) -> None:
    """Make a book of version 1 one of version 2. What its hands teach of richer contexts waits until they are met."""
    everybody = sa.select(sa.literal(_EVERYBODY), _counters.c.counter, sa.func.sum(_counters.c.count))
    connection.execute(
        _counters.insert().from_select(["player", "counter", "count"], everybody.group_by(_counters.c.counter))
    )


#: What turns a book of an older version into one of the next, by the older one.
_MIGRATIONS: dict[int, Callable[[sa.Connection], None]] = {1: _add_everybody, 2: _tables.create_all}


class Learnt(NamedTuple):
    """What learning added to a book."""

    #: Hands that were new.
    new: int
    #: Hands that the book had already.
    known: int


class Book(MutableMapping[str, ActionCounts]):
    """What is known of players: learnt from hands, kept in a database, read player by player.

    As ``book=`` of `OpponentModeler` it is a mapping of names to counts. These are read when they are asked for.
    What a modeler adds to them while it watches stays in this object, and is dropped by the next `learn` or
    `merge`: only these two write.

    Parameters
    ----------
    where : path-like or str
        A SQLite file; or a URL, as ``postgresql://user@host/database``, for which PostgreSQL's driver is needed
        (``pip install "pokermodel[postgresql]"``). ``sqlite://`` is a book in memory, for the threads of this process.
    create : bool
        Make the book if there is none.

    Raises
    ------
    BookError
        If there is no book and none is to be made, what is there is no book or one of a newer version, or the
        database cannot be reached.

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

    def __init__(self, where: str | os.PathLike[str], *, create: bool = True) -> None:
        self._counts: dict[str, ActionCounts] = {}
        self._engine = _engine(where, create)
        # a book in memory has but one connection: threads take turns, and a transaction within another is refused
        self._turn: AbstractContextManager[Any] = RLock() if _in_memory(self._engine.url) else nullcontext()
        self._where = self._engine.url.render_as_string()
        if self._engine.dialect.name == "sqlite":
            self._where = self._engine.url.database or ":memory:"
        try:
            self._open(create)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<Book {self._where!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def _open(self, create: bool) -> None:
        """Check that it is a book of this version; make it one if it is empty or older."""
        with self._transaction() as connection:
            version = self._version(connection)
        if version == _VERSION:
            return
        if version is None and not create:
            raise BookError(f"{self._where} is no book: it is empty")
        with self._transaction(write=True) as connection:
            version = self._version(connection)  # another process may have been quicker
            if version is None:
                _tables.create_all(connection)
                connection.execute(_about.insert().values(format=_FORMAT, version=_VERSION))
                return
            while version < _VERSION:
                _MIGRATIONS[version](connection)
                version += 1
                connection.execute(_about.update().values(version=version))

    def _version(self, connection: sa.Connection) -> int | None:
        """The version of the book; None if the database is empty."""
        names = sa.inspect(connection).get_table_names()
        if not names:
            return None
        found = connection.execute(sa.select(_about)).all() if _about.name in names else []
        if len(found) != 1 or found[0].format != _FORMAT:
            raise BookError(f"{self._where} is no book: it is a database of something else")
        version: int = found[0].version
        if version > _VERSION:
            raise BookError(
                f"{self._where} is a book of version {version}, and this pokermodel knows versions up to {_VERSION}: "
                "a newer one is needed"
            )
        return version

    @contextmanager
    def _transaction(self, write: bool = False) -> Iterator[sa.Connection]:
        """All or nothing. Those that write come one after the other; those that read see what was finished."""
        try:
            with self._turn, self._engine.connect() as plain:
                connection = plain.execution_options(pokermodel_write=write)
                if connection.dialect.name == "postgresql" and not write:
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    if write and connection.dialect.name == "postgresql":
                        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5230671)")
                    yield connection
        except DBAPIError as error:
            reason = " ".join(str(error.orig).split()) or type(error.orig).__name__
            raise BookError(f"{self._where}: {reason}") from None

    # ------------------------------------------------------------------------------------------------ learning

    def learn(
        self,
        hands: Iterable[Hand],
        *,
        skipped: list[ValueError] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Learnt:
        """Learn from hands, each only once.

        Parameters
        ----------
        hands : iterable of Hand
            They are read as they are needed.
        skipped : list of ValueError, optional
            Takes what is wrong with hands that cannot be learnt; None: raise it.
        progress : callable, optional
            Told after every batch how many hands were dealt with.

        Returns
        -------
        Learnt
            How many were new.

        Raises
        ------
        ValueError
            At the first hand that breaks the rules or cannot be paid out, without `skipped`. Batches before it are
            kept.
        BookError
            If the database cannot be written. It is as after the last batch.
        """
        return self.add(_lessons(hands, skipped), progress=progress)

    def merge(self, other: Book) -> Learnt:
        """Learn all that another book has learnt, in the order in which it did.

        Hands that both know count once, since a book keeps what each hand added. Not so the tables of BPP, and each
        player's `sums`: they are added if no hand is in both, and else stay as they are here; `learn_tables` and
        `learn_sums` add what is missing.

        Parameters
        ----------
        other : Book
            Is not changed.

        Returns
        -------
        Learnt
            How many hands were new.

        Raises
        ------
        BookError
            As `learn`.
        """
        found = self.add(other.lessons())
        self._merge_tables(other)
        self._merge_sums(other)
        return found

    def add(self, lessons: Iterable[Lesson], *, progress: Callable[[int], None] | None = None) -> Learnt:
        """Learn from lessons, made by `pokermodel.learning.lessons.lesson` or by another book.

        Parameters
        ----------
        lessons : iterable of Lesson
            They are taken as they are needed.
        progress : callable, optional
            As `learn`.

        Returns
        -------
        Learnt
            How many were new.

        Raises
        ------
        BookError
            As `learn`.
        """
        new = total = 0
        rest = iter(lessons)
        while batch := list(islice(rest, BATCH)):
            new += self._add(batch)
            total += len(batch)
            if progress is not None:
                progress(total)
        return Learnt(new, total - new)

    def _add(self, batch: list[Lesson]) -> int:
        by_identity: dict[bytes, Lesson] = {}
        for each in batch:  # as if they came one by one: the first counts, but for contexts that it does not have
            first = by_identity.setdefault(each.identity, each)
            if first is not each and not first.has_contexts:
                by_identity[each.identity] = each
        with self._transaction(write=True) as connection:
            known = sa.select(_hands).where(_hands.c.identity.in_(list(by_identity)))
            fuller = []
            for number, identity, packed in connection.execute(known).all():
                learnt = by_identity.pop(bytes(identity))
                if learnt.has_contexts and not Lesson(bytes(identity), _unpacked(bytes(packed))).has_contexts:
                    fuller.append((number, learnt))
            new = list(by_identity.values())
            if new or fuller:
                self._write(connection, new, fuller)
        self._counts.clear()
        return len(new)

    def _write(self, connection: sa.Connection, new: list[Lesson], fuller: list[tuple[int, Lesson]]) -> None:
        """Add hands that the book does not have, and what those teach by now that it learnt by an older version."""
        latest: dict[str, str] = {}
        lessons = [*new, *(each for _, each in fuller)]
        ids, recent = _known(connection, {share.name for each in lessons for share in each.shares})
        counts: Counter[int] = Counter()  # by player and counter, in one number
        for each in new:
            for name, won, counters in each.shares:
                player = ids[name] << 16
                counts.update([player | counter for counter in counters])
                counts[player | WON] += won
                counts[player | SQUARES] += (won * won + 500_000_000) // 1_000_000_000
                done = "".join([_letter(counter) for counter in counters if _RECENT_FROM <= counter < ACTIONS])
                latest[name] = (latest.get(name, recent[name]) + done)[-RECENT_ACTIONS:]
        for _, each in fuller:
            for name, _, counters in each.shares:
                player = ids[name] << 16
                counts.update([player | counter for counter in counters if counter >= CONTEXTS])
        everybody: Counter[int] = Counter()
        for key, count in counts.items():
            everybody[_EVERYBODY << 16 | key & 0xFFFF] += count
        rows = [{"identity": each.identity, "lesson": _packed(each.shares, ids)} for each in new]
        if rows:
            connection.execute(_hands.insert(), rows)
        if fuller:
            connection.execute(
                _hands.update().where(_hands.c.number == sa.bindparam("which")).values(lesson=sa.bindparam("fuller")),
                [{"which": number, "fuller": _packed(each.shares, ids)} for number, each in fuller],
            )
        # so many rows that SQLAlchemy's own insert would take a third of all time
        mark = "?" if connection.dialect.name == "sqlite" else "%s"
        counted = {**everybody, **counts}
        connection.exec_driver_sql(
            f"INSERT INTO counters (player, counter, count) VALUES ({mark}, {mark}, {mark}) "
            "ON CONFLICT (player, counter) DO UPDATE SET count = counters.count + excluded.count",
            [(key >> 16, key & 0xFFFF, counted[key]) for key in sorted(counted)],
        )
        if latest:
            connection.execute(
                _players.update().where(_players.c.id == sa.bindparam("player")).values(recent=sa.bindparam("latest")),
                [{"player": ids[name], "latest": text} for name, text in latest.items()],
            )

    def lessons(self) -> Iterator[Lesson]:
        """What every hand added, in the order in which they were learnt.

        Yields
        ------
        Lesson

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        last, names = 0, dict[int, str]()
        page = sa.select(_hands).where(_hands.c.number > sa.bindparam("last")).order_by(_hands.c.number).limit(BATCH)
        while True:
            with self._transaction() as connection:
                rows = connection.execute(page, {"last": last}).all()
                if rows:
                    names = {row.id: row.name for row in connection.execute(sa.select(_players))}
            for number, identity, packed in rows:
                yield Lesson(bytes(identity), _unpacked(bytes(packed), names))
                last = number
            if not rows:
                return

    # ------------------------------------------------------------------------------------------------- reading

    # ---------------------------------------------------------------------------------------------- BPP's tables

    def tables(self) -> BayesTables | None:
        """What BPP has learnt by `learn_tables`, for ``tables=`` of `OpponentModeler`; None of nothing.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        with self._transaction() as connection:
            return self._stored(connection)[1]

    def learn_tables(
        self, hands: Iterable[Hand], *, passes: int = 2, progress: Callable[[int], None] | None = None
    ) -> Learnt:
        """Teach BPP hands, each only once: what players do with each class of holdings, by EM over all hands.

        This takes longer than `learn`, which does not do it: every board has to be evaluated.

        Parameters
        ----------
        hands : iterable of Hand
            Those that cannot be learnt are left out.
        passes : int
            How often those of a batch are gone over again, see `BayesTables.fit`.
        progress : callable, optional
            Told after every batch how many hands were dealt with.

        Returns
        -------
        Learnt
            How many were new.

        Raises
        ------
        BookError
            If the database cannot be written. It is as after the last batch.
        """
        new = total = 0
        rest = iter(hands)
        while batch := list(islice(rest, BATCH)):
            by_identity: dict[bytes, Hand] = {}
            for hand in batch:
                by_identity.setdefault(identity_of(hand), hand)
            while (found := self._learn_tables(by_identity, passes)) is None:
                pass  # another process was quicker: once more, on top of what it wrote
            new += found
            total += len(batch)
            if progress is not None:
                progress(total)
        return Learnt(new, total - new)

    def _learn_tables(self, by_identity: Mapping[bytes, Hand], passes: int) -> int | None:
        with self._transaction() as connection:
            revision, stored = self._stored(connection)
            known = self._in_tables(connection, by_identity)
        new = [hand for each, hand in by_identity.items() if each not in known]
        if not new:
            return 0
        tables = BayesTables() if stored is None else stored
        tables.fit((hand for hand in new if _can_be_learnt(hand)), passes=passes)
        return len(new) if self._store(revision, tables, set(by_identity) - known) else None

    def _merge_tables(self, other: Book) -> None:
        with other._transaction() as connection:  # tables and hands of one moment
            _, more = other._stored(connection)
            if more is None:
                return
            theirs = set(map(bytes, connection.scalars(sa.select(_bpp_hands.c.identity))))
        merged = False
        while not merged:
            with self._transaction() as connection:
                revision, stored = self._stored(connection)
                if self._in_tables(connection, theirs):
                    return
            tables = BayesTables() if stored is None else stored
            tables.merge(more)
            merged = self._store(revision, tables, theirs)

    def _stored(self, connection: sa.Connection) -> tuple[int, BayesTables | None]:
        """The tables, and how often they were written."""
        if not sa.inspect(connection).has_table(_bpp_tables.name):
            return 0, None
        found = connection.execute(sa.select(_bpp_tables)).one_or_none()
        if found is None:
            return 0, None
        try:
            return found.revision, BayesTables.from_bytes(found.content)
        except ValueError as error:
            raise BookError(f"{self._where}: {error}") from None

    @staticmethod
    def _in_tables(connection: sa.Connection, identities: Iterable[bytes]) -> set[bytes]:
        """Which hands have been counted into the tables."""
        known: set[bytes] = set()
        if sa.inspect(connection).has_table(_bpp_hands.name):
            rest = iter(identities)
            while some := list(islice(rest, _ASKED)):
                asked = sa.select(_bpp_hands.c.identity).where(_bpp_hands.c.identity.in_(some))
                known.update(map(bytes, connection.scalars(asked)))
        return known

    def _store(self, revision: int, tables: BayesTables, identities: Iterable[bytes]) -> bool:
        """Write tables made from those of a revision; False if somebody else has written since."""
        with self._transaction(write=True) as connection:
            _bpp.create_all(connection)
            if (connection.scalar(sa.select(_bpp_tables.c.revision)) or 0) != revision:
                return False
            connection.execute(_bpp_tables.delete())
            connection.execute(_bpp_tables.insert().values(revision=revision + 1, content=tables.to_bytes()))
            connection.execute(_bpp_hands.insert(), [{"identity": each} for each in identities])
        return True

    # ------------------------------------------------------------------------------------------- other games

    def sums(self, kind: str, name: str | None, size: int) -> Floats:
        """What `learn_sums` has counted.

        Parameters
        ----------
        kind : str
            What is counted.
        name : str or None
            Of whom; None: of all players together.
        size : int
            How many numbers there are.

        Returns
        -------
        ndarray of float64, shape (size,)
            Zeros if nothing was learnt.

        Raises
        ------
        BookError
            If the book cannot be read, or has another number of them.
        """
        chosen = sa.select(_sums.c.content).where(_sums.c.kind == kind).order_by(_sums.c.name)
        if name is not None:
            chosen = chosen.where(_sums.c.name == name)
        with self._transaction() as connection:
            return self._total(connection.scalars(chosen), kind, size)

    def learn_sums(
        self,
        kind: str,
        name: str,
        identities: Sequence[bytes],
        size: int,
        count: Callable[[NDArray[np.intp], Floats], ArrayLike],
    ) -> Learnt:
        """Add what hands of any game teach of a player, each only once. What the numbers mean is the caller's affair.

        Parameters
        ----------
        kind : str
            What is counted.
        name : str
            Of whom.
        identities : sequence of bytes
            What tells each hand from all others.
        size : int
            How many numbers there are.
        count : callable
            Given the places of new hands and the sums before them, what is to be added: float (size,). Nobody else
            can write meanwhile.

        Returns
        -------
        Learnt
            How many were new.

        Raises
        ------
        ValueError
            If the name cannot be kept, or what is to be added is not so many numbers.
        BookError
            If the database cannot be written. As after any other error, it is as after the last batch.
        """
        check_name(name)
        new = 0
        for first in range(0, len(identities), BATCH):
            places: dict[bytes, int] = {}
            for place, identity in enumerate(identities[first : first + BATCH], first):
                places.setdefault(identity, place)
            with self._transaction(write=True) as connection:
                row, before = self._sum(connection, kind, name, size)
                for identity in self._in_sum(connection, row, places):
                    del places[identity]
                if places:
                    more = np.asarray(count(np.array(list(places.values()), dtype=np.intp), before), dtype=np.float64)
                    if more.shape != (size,):
                        raise ValueError(f"what is to be added must have shape ({size},), got {more.shape}")
                    self._write_sum(connection, (row, kind, name), before + more, places)
            new += len(places)
        return Learnt(new, len(identities) - new)

    def _merge_sums(self, other: Book) -> None:
        with other._transaction() as connection:
            rows = connection.execute(sa.select(_sums).order_by(_sums.c.id)).all()
        for theirs in rows:
            with other._transaction() as connection:  # content and hands of one moment
                content = connection.scalars(sa.select(_sums.c.content).where(_sums.c.id == theirs.id)).one()
                hands = sa.select(_sum_hands.c.identity).where(_sum_hands.c.sum == theirs.id)
                identities = set(map(bytes, connection.scalars(hands)))
            size = len(content) // 8
            more = other._total([content], theirs.kind, size)
            with self._transaction(write=True) as connection:
                row, before = self._sum(connection, theirs.kind, theirs.name, size)
                if not self._in_sum(connection, row, identities):
                    self._write_sum(connection, (row, theirs.kind, theirs.name), before + more, identities)

    def _total(self, contents: Iterable[bytes], kind: str, size: int) -> Floats:
        total = np.zeros(size)
        for content in contents:
            if len(content) != 8 * size:
                raise BookError(f"{self._where}: {len(content)} bytes of {kind!r} are not {size} numbers")
            total += np.frombuffer(content, dtype="<f8")
        return total

    def _sum(self, connection: sa.Connection, kind: str, name: str, size: int) -> tuple[int | None, Floats]:
        """The number of a player's sums, None if there are none, and what they are."""
        found = connection.execute(sa.select(_sums).where(_sums.c.kind == kind, _sums.c.name == name)).one_or_none()
        return (None, np.zeros(size)) if found is None else (found.id, self._total([found.content], kind, size))

    @staticmethod
    def _in_sum(connection: sa.Connection, row: int | None, identities: Iterable[bytes]) -> set[bytes]:
        """Which hands have been counted into a player's sums."""
        known: set[bytes] = set()
        rest = iter(identities)
        while some := list(islice(rest, _ASKED)):
            asked = sa.select(_sum_hands.c.identity).where(_sum_hands.c.sum == row, _sum_hands.c.identity.in_(some))
            known.update(map(bytes, connection.scalars(asked)))
        return known

    @staticmethod
    def _write_sum(
        connection: sa.Connection, key: tuple[int | None, str, str], total: Floats, identities: Iterable[bytes]
    ) -> None:
        row, kind, name = key
        content = total.astype("<f8").tobytes()
        if row is None:
            made = connection.execute(_sums.insert().values(kind=kind, name=name, content=content))
            assert made.inserted_primary_key is not None
            (row,) = made.inserted_primary_key
        else:
            connection.execute(_sums.update().where(_sums.c.id == row).values(content=content))
        connection.execute(_sum_hands.insert(), [{"sum": row, "identity": each} for each in identities])

    @property
    def hands(self) -> int:
        """How many hands were learnt."""
        with self._transaction() as connection:
            return int(connection.scalar(sa.select(sa.func.count()).select_from(_hands)) or 0)

    def profile(self, name: str) -> Profile:
        """What is known of a player.

        Parameters
        ----------
        name : str
            His name, exactly.

        Returns
        -------
        Profile

        Raises
        ------
        KeyError
            If the book does not know him.
        BookError
            If the book cannot be read.
        """
        with self._transaction() as connection:
            player = connection.execute(_PLAYER, {"name": name}).one_or_none()
            if player is None:
                raise KeyError(name)
            counters = connection.execute(_COUNTERS_OF, {"player": player.id}).all()
        return Profile(name, Tally(dict(map(tuple, counters))), _acts(player.recent))

    def recent(self, name: str) -> tuple[tuple[Context, Act], ...]:
        """A player's latest actions after the flop, at most 20, in the order in which they were learnt.

        None if he is not known.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        with self._transaction() as connection:
            player = connection.execute(_PLAYER, {"name": name}).one_or_none()
        return () if player is None else _acts(player.recent)

    def contexts(self, name: str) -> ContextCounts:
        """A player's actions by richer contexts, for a `ContextModel`.

        Of hands that were learnt by version 1, and not met again since, only the coarse contexts are known.

        Raises
        ------
        KeyError
            If the book does not know him.
        BookError
            If the book cannot be read.
        """
        with self._transaction() as connection:
            player = connection.execute(_PLAYER, {"name": name}).one_or_none()
            if player is None:
                raise KeyError(name)
            return self._contexts(connection, player.id)

    def population(self) -> ContextCounts:
        """The sum of all players' actions by richer contexts.

        Raises
        ------
        BookError
            If the book cannot be read.
        """
        with self._transaction() as connection:
            return self._contexts(connection, _EVERYBODY)

    def _contexts(self, connection: sa.Connection, player: int) -> ContextCounts:
        rows = connection.execute(_CONTEXTS_OF, {"player": player}).all()
        return context_counts(dict(map(tuple, rows)))

    def __getitem__(self, name: str) -> ActionCounts:
        found = self._counts.get(name)
        if found is None:
            with self._transaction() as connection:
                rows = connection.execute(_ACTIONS_OF, {"name": name}).all()
                if not rows and connection.execute(_PLAYER, {"name": name}).one_or_none() is None:
                    raise KeyError(name)
            found = self._counts.setdefault(
                name, Tally(dict(map(tuple, rows))).counts
            )  # another thread's, if it was first
        return found

    def setdefault(self, name: str, default: ActionCounts) -> ActionCounts:
        """Counts of a player, or these from now on if he is unknown; threads that ask at once get the same."""
        try:
            return self[name]
        except KeyError:
            return self._counts.setdefault(name, default)

    def __setitem__(self, name: str, counts: ActionCounts) -> None:
        self._counts[name] = counts

    def __delitem__(self, name: str) -> None:
        raise TypeError("nobody can be taken out of a book")

    def __iter__(self) -> Iterator[str]:
        with self._transaction() as connection:
            names = list(connection.scalars(sa.select(_players.c.name).order_by(_players.c.id)))
        yield from dict.fromkeys([*names, *self._counts])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


def _can_be_learnt(hand: Hand) -> bool:
    """Whether the hand is whole and within the rules, and its names can be kept."""
    try:
        check_names(hand)
        _ = hand.payoffs
    except ValueError:
        return False
    return True


def _lessons(hands: Iterable[Hand], skipped: list[ValueError] | None) -> Iterator[Lesson]:
    for hand in hands:
        try:
            learnt = lesson(hand)
        except ValueError as error:
            if skipped is None:
                raise
            skipped.append(error)
        else:
            yield learnt


def _letter(counter: int) -> str:
    """A recent action as a digit of base 36: which round, of how many bets to call, and act."""
    round, bets, act = action_of(counter)
    return _DIGITS[(round * 3 + bets) * 3 + act]


def _acts(letters: str) -> tuple[tuple[Context, Act], ...]:
    """Recent actions as they were made letters."""
    numbers = [int(letter, 36) for letter in letters]
    return tuple((Context(*divmod(number // 3, 3)), Act(number % 3)) for number in numbers)


def _known(connection: sa.Connection, names: set[str]) -> tuple[dict[str, int], dict[str, str]]:
    """Numbers and recent actions of players, who are added if they are new."""
    wanted = sorted(names)
    found = _rows(connection, wanted)
    new = names.difference(row.name for row in found)
    if new:
        connection.execute(_players.insert(), [{"name": name, "recent": ""} for name in sorted(new)])
        found = _rows(connection, wanted)
    return {row.name: row.id for row in found}, {row.name: row.recent for row in found}


def _rows(connection: sa.Connection, names: list[str]) -> list[Any]:
    """Players by their names, in several queries: databases bound the values that one may have."""
    rows: list[Any] = []
    for start in range(0, len(names), _ASKED):
        rows += connection.execute(sa.select(_players).where(_players.c.name.in_(names[start : start + _ASKED])))
    return rows


def _packed(shares: Iterable[Share], ids: dict[str, int]) -> bytes:
    return b"".join(
        _SHARE.pack(ids[name], won, len(counters)) + struct.pack(f"<{len(counters)}H", *counters)
        for name, won, counters in shares
    )


def _unpacked(data: bytes, names: Mapping[int, str] | None = None) -> tuple[Share, ...]:
    """Shares as they were packed; nobody is named without `names`."""
    shares = []
    start = 0
    while start < len(data):
        player, won, size = _SHARE.unpack_from(data, start)
        start += _SHARE.size
        name = "" if names is None else names[player]
        shares.append(Share(name, won, struct.unpack_from(f"<{size}H", data, start)))
        start += 2 * size
    return tuple(shares)


# ------------------------------------------------------------------------------------------------- databases


def _in_memory(url: sa.URL) -> bool:
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def _engine(where: str | os.PathLike[str], create: bool) -> sa.Engine:
    text = os.fspath(where)
    if not text:
        raise BookError("the name of the book is empty: expected a file or a URL")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BookError(f"{text!r} cannot name a book: it is not UTF-8 text") from None
    try:
        url = sa.make_url(text) if "://" in text else sa.URL.create("sqlite", database=text)
    except ArgumentError:
        raise BookError(f"{text!r} is no URL of a database") from None
    kind = url.get_backend_name()
    if kind == "sqlite":
        options: dict[str, Any] = {"connect_args": {"timeout": _PATIENCE}}
        if _in_memory(url):
            options["connect_args"]["check_same_thread"] = False
            options["poolclass"] = sa.StaticPool  # else every thread had an empty database of its own
        else:
            path = Path(url.database or "")
            if path.is_dir():
                raise BookError(f"{path} is a folder, expected the file of a book")
            if not path.exists() and not create:
                raise BookError(f"{path}: no such book: `pokermodel learn` makes one")
            if not path.exists() and not path.parent.is_dir():
                raise BookError(f"{path}: there is no folder {path.parent}")
        engine = sa.create_engine(url, **options)
        sa.event.listen(engine, "connect", _on_connect)
        sa.event.listen(engine, "begin", _on_begin)
        return engine
    if kind != "postgresql":
        raise BookError(f"a book is a SQLite file or a PostgreSQL database, got a URL of {kind!r}")
    if url.drivername == kind:
        url = url.set(drivername="postgresql+psycopg")
    try:
        return sa.create_engine(url)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise BookError(f'no driver for PostgreSQL ({error}): pip install "pokermodel[postgresql]"') from None


def _on_connect(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # we say ourselves when a transaction begins
    connection.execute("PRAGMA synchronous = FULL")


def _on_begin(connection: sa.Connection) -> None:
    # a transaction that reads first and writes then could find that another one was quicker
    write = connection.get_execution_options().get("pokermodel_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
