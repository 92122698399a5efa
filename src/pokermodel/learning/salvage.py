"""Books that are damaged: what is wrong with them, and what can be saved.

What each hand added to the statistics has a checksum, and so have the names of players and each piece of knowledge. All
of these that are whole make a new book; what a player's hands add up to is worked out again. Files of SQLite are read
page by page, so that damage in one place leaves all others within reach.
"""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.learning._checksums import identity_sum
from pokermodel.learning._database import DamageError, Database
from pokermodel.learning._pages import Row, rows
from pokermodel.learning._pieces import mark, revise
from pokermodel.learning._records import PieceRow, Record, is_name_of, is_whole
from pokermodel.learning._schema import KNOWLEDGE, LEARNT, PLAYERS, NewerError
from pokermodel.learning.evidence import HandEvidence
from pokermodel.learning.statistics import HandCounts, PlayerStatistics
from pokermodel.learning.store import Book

__all__ = ["Check", "check", "save"]


class Check(NamedTuple):
    """What is wrong with a book, and what can be saved of it.

    Attributes
    ----------
    problems : tuple of str
        What is wrong, a line each; none if the book is sound.
    hands : int
        Hands in the statistics that can be saved.
    lost : int or None
        Those that cannot; None if it is not known how many there were.
    kept, left : tuple of (str, str)
        Kind and name of the other pieces of knowledge that can be saved, and of those that cannot.
    """

    problems: tuple[str, ...]
    hands: int
    lost: int | None
    kept: tuple[tuple[str, str], ...]
    left: tuple[tuple[str, str], ...]


def check(where: str | os.PathLike[str]) -> Check:
    """See what is wrong with a book, and what can be saved of it. All of it is read.

    A book of an older version is taken over first, as by `Book`.

    Parameters
    ----------
    where : path-like or str
        As for `Book`.

    Returns
    -------
    Check

    Raises
    ------
    BookError
        If there is no such book, it is one of a newer version, or the database cannot be reached.
    """
    return _look(where)[1]


def save(where: str | os.PathLike[str], to: str | os.PathLike[str]) -> Check:
    """Save what can be saved of a book in a new one.

    Hands that are lost can be learnt again from their histories.

    Parameters
    ----------
    where : path-like or str
        As for `check`. It is left as it is.
    to : path-like or str
        A file that does not exist yet, or a database in which there is nothing.

    Returns
    -------
    Check
        What was wrong, and what was saved.

    Raises
    ------
    BookError
        As `check`, or if the new book cannot be written or has something in it.
    """
    found, outcome = _look(where)
    with Book(to) as book:
        with book._database.transaction() as connection:
            if connection.scalar(sa.select(sa.func.count()).select_from(KNOWLEDGE)):
                raise BookError(f"{book._database.where} has something in it: expected a new book")
        kind = PlayerStatistics.kind
        evidence = (HandEvidence(identity, {kind: hand}) for identity, hand in found.hands())
        book.learn_evidence(evidence, [PlayerStatistics])
        for piece, hands in found.sound():
            with book._database.transaction(write=True) as connection:
                new = PieceRow(None, piece.kind, piece.name)
                number = revise(connection, new, piece.version, piece.content, hands)
                mark(connection, number, ((identity, None) for identity in sorted(hands)))
    return outcome


def _look(where: str | os.PathLike[str]) -> tuple[_Found, Check]:
    """Read a book, and then all that is left of it."""
    try:
        with Book(where, create=False) as book:
            problems, wrong = book.problems(), None
    except NewerError:
        raise
    except BookError as error:
        problems, wrong = [str(error)], error
    found = _find(where)
    outcome = found.check(problems)
    if wrong is not None and not (outcome.hands or outcome.kept):
        raise wrong
    return found, outcome


# ------------------------------------------------------------------------------------------------------ what is left


@dataclass
class _Found:
    """What is left of a book."""

    #: What hands added to the statistics: when each was learnt, and the bytes.
    records: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    #: The names of players.
    names: dict[int, str] = field(default_factory=dict)
    #: Pieces of knowledge, the statistics among them.
    pieces: dict[int, PieceRow] = field(default_factory=dict)
    #: The hands that each piece has learnt, by the table and by its index.
    learnt: defaultdict[int, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    indexed: defaultdict[int, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    # names that the index has; names and checksums of rows that do not fit together
    _names: dict[int, str] = field(default_factory=dict)
    _doubtful: dict[int, tuple[object, bytes]] = field(default_factory=dict)

    def row(self, row: Row) -> None:
        """Take a row of any table, or an entry of an index."""
        try:
            match row:
                case Row(None, (str() as name, int() as number)):
                    self._names[number] = name
                case Row(None, (bytes() as identity, int() as piece, int())):
                    self.indexed[piece].add(identity)
                case Row(int() as number, (None, int() as piece, bytes() as identity, added)):
                    self._hand(number, piece, identity, added)
                case Row(int() as number, (None, name, _, bytes() as checks)):
                    self._player(number, name, checks)
                case Row(int() as number, (None, *values)) if len(values) == len(KNOWLEDGE.columns) - 1:
                    self._piece(PieceRow.of_values(number, *values))
        except (DamageError, ArithmeticError, LookupError, TypeError, ValueError):
            return

    def _hand(self, number: int, piece: int, identity: bytes, added: object) -> None:
        self.learnt[piece].add(identity)
        if isinstance(added, bytes):
            whole = is_whole(identity, added)
            if whole or identity not in self.records:  # of a hand that was completed, an older copy may be left
                self.records[identity] = number, added

    def _player(self, number: int, name: object, checks: bytes) -> None:
        if isinstance(name, str) and is_name_of(number, name, checks):
            self.names[number] = name
        else:
            self._doubtful[number] = name, checks

    def _piece(self, piece: PieceRow) -> None:
        number = piece.id or 0
        if number not in self.pieces or self.pieces[number].revision < piece.revision:
            self.pieces[number] = piece

    def finish(self) -> None:
        """Take the names that no row has from the index, which has them a second time."""
        for number, name in self._names.items():
            if number not in self.names:
                other, checks = self._doubtful.get(number, (name, b""))
                if other == name or is_name_of(number, name, checks):
                    self.names[number] = name

    def hands(self) -> Iterator[tuple[bytes, HandCounts]]:
        """What hands added that can be saved, in the order in which they were learnt."""
        for identity, (_, added) in sorted(self.records.items(), key=lambda each: each[1][0]):
            try:
                hand = Record.unpack(identity, added).named(self.names)
            except DamageError:  # a name is lost
                continue
            yield identity, hand

    def sound(self) -> Iterator[tuple[PieceRow, set[bytes]]]:
        """Pieces besides the statistics of which content and hands are whole, and their hands."""
        for piece in self._others():
            if (hands := self._hands_of(piece)) is not None:
                yield piece, hands

    def _others(self) -> list[PieceRow]:
        found = [piece for piece in self.pieces.values() if piece.kind != PlayerStatistics.kind]
        return sorted(found, key=lambda piece: piece.id or 0)

    def _hands_of(self, piece: PieceRow) -> set[bytes] | None:
        one, other = self.learnt[piece.id or 0], self.indexed[piece.id or 0]
        for hands in one, other, one | other:
            if (len(hands), identity_sum(hands)) == (piece.hands, piece.identities):
                return hands
        return None

    def check(self, problems: Iterable[str]) -> Check:
        """What is wrong, and what can be saved."""
        hands = sum(1 for _ in self.hands())
        statistics = next((piece for piece in self.pieces.values() if piece.kind == PlayerStatistics.kind), None)
        kept = [(piece.kind, piece.name) for piece, _ in self.sound()]
        left = [key for piece in self._others() if (key := (piece.kind, piece.name)) not in kept]
        lost = None if statistics is None else max(statistics.hands - hands, 0)
        return Check(tuple(problems), hands, lost, tuple(kept), tuple(left))


def _find(where: str | os.PathLike[str]) -> _Found:
    """Read all that is left of a book."""
    database, found = Database(where, create=False), _Found()
    try:
        for row in _rows_of(database):
            found.row(row)
    finally:
        database.close()
    found.finish()
    return found


def _bytes(path: str) -> bytes:
    """The bytes of a file of SQLite, between two writers."""
    with closing(sqlite3.connect(path)) as connection:
        with suppress(sqlite3.Error):  # such damage does not keep anybody from reading
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return Path(path).read_bytes()


def _rows_of(database: Database) -> Iterator[Row]:
    if database.engine.dialect.name == "sqlite" and database.engine.url.database not in (None, "", ":memory:"):
        yield from rows(_bytes(str(database.engine.url.database)))
        return
    with database.transaction() as connection:
        there = set(sa.inspect(connection).get_table_names())
        for table in (LEARNT, PLAYERS, KNOWLEDGE):
            if table.name in there:
                for number, *values in connection.execute(sa.select(table)):
                    yield Row(number, (None, *values))
