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
from pokermodel.game import BettingStructure
from pokermodel.learning._checksums import identity_sum
from pokermodel.learning._database import DamageError, Database
from pokermodel.learning._pages import PageRow, rows
from pokermodel.learning._pieces import mark, revise
from pokermodel.learning._records import HandRecord, PieceRow, PlayerRow, full_name, is_name_of, is_named, is_placed
from pokermodel.learning._schema import NewerError
from pokermodel.learning._tables import EDITIONS, KNOWLEDGE, LEARNT, PLAYERS
from pokermodel.learning.evidence import HandEvidence
from pokermodel.learning.knowledge import find_kind
from pokermodel.learning.layout import Layout, layout_of, of_version_5
from pokermodel.learning.statistics import HandCounts, PlayerStatistics, counted_by
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
    to_learn_again : tuple of str
        What the book has not counted in all of its hands, see `Book.to_learn_again`; none of a damaged one.
    """

    problems: tuple[str, ...]
    hands: int
    lost: int | None
    kept: tuple[tuple[str, str], ...]
    left: tuple[tuple[str, str], ...]
    to_learn_again: tuple[str, ...] = ()


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
        for one, other in found.aliases():
            with suppress(KeyError, ValueError):  # one of them has no hands that could be saved
                book.alias(one, other)
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
            again = () if problems else book.to_learn_again
    except NewerError:
        raise
    except BookError as error:
        problems, wrong, again = [str(error)], error, ()
    found = _find(where)
    outcome = found.check(problems)._replace(to_learn_again=again)
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
    #: Their sites, and whose other names they are.
    sites: dict[int, str] = field(default_factory=dict)
    alias: dict[int, int] = field(default_factory=dict)
    #: Layouts by which hands were counted; those of this build need not be found.
    layouts: dict[int, Layout] = field(default_factory=lambda: _layouts_of_build())
    #: Pieces of knowledge, the statistics among them.
    pieces: dict[int, PieceRow] = field(default_factory=dict)
    #: The hands that each piece has learnt, by the table and by its index.
    learnt: defaultdict[int, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    indexed: defaultdict[int, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _copies: defaultdict[bytes, list[tuple[int, bytes]]] = field(default_factory=lambda: defaultdict(list))
    # names that the index has; names and checksums of rows that do not fit together
    _names: dict[int, tuple[str, str]] = field(default_factory=dict)
    _doubtful: dict[int, tuple[object, bytes]] = field(default_factory=dict)
    _names_5: dict[int, str] = field(default_factory=dict)  # of version 5, in which names were alone

    def row(self, row: PageRow) -> None:
        """Take a row of any table, or an entry of an index."""
        try:
            match row:
                case PageRow(None, (str() as name, int() as number)):
                    self._names_5[number] = name
                case PageRow(None, (str() as name, str() as site, int() as number)):
                    if find_kind(name) is None:  # pieces of knowledge have such an index, too
                        self._names[number] = name, site
                case PageRow(None, (bytes() as identity, int() as piece, int())):
                    self.indexed[piece].add(identity)
                case PageRow(int() as number, (None, int() as piece, bytes() as identity, added)):
                    self._hand(number, piece, identity, added)
                case PageRow(int() as number, (None, str() as text, int(), int())):
                    layout = Layout.of_text(text)
                    if layout.number == number:
                        self.layouts[number] = layout
                case PageRow(int() as number, (None, name, _, bytes() as checks)):
                    if isinstance(name, str) and is_name_of(number, name, checks):
                        self.names.setdefault(number, name)
                    else:
                        self._doubtful.setdefault(number, (name, checks))
                case PageRow(int() as number, (None, name, site, recent, alias, bytes() as checks)):
                    self._player(number, name, site, recent, alias, checks)
                case PageRow(int() as number, (None, *values)) if len(values) == len(KNOWLEDGE.columns) - 1:
                    self._piece(PieceRow.of_values(number, *values))
        except (DamageError, ArithmeticError, LookupError, TypeError, ValueError):
            return

    def _hand(self, number: int, piece: int, identity: bytes, added: object) -> None:
        self.learnt[piece].add(identity)
        # of a hand that was completed, an older copy may be left
        if isinstance(added, bytes) and (is_placed(identity, added) or identity not in self.records):
            self._copies[identity].append((number, added))
            self.records[identity] = number, added

    def _player(self, number: int, name: object, site: object, recent: object, alias: object, checks: bytes) -> None:
        if isinstance(name, str) and isinstance(site, str) and is_name_of(number, name, checks, site):
            self.names[number], self.sites[number] = name, site
            with suppress(DamageError):
                self.alias[number] = PlayerRow.of(number, name, site, recent, alias, checks).alias
        else:
            self._doubtful[number] = name, checks

    def _piece(self, piece: PieceRow) -> None:
        number = piece.id or 0
        if number not in self.pieces or self.pieces[number].revision < piece.revision:
            self.pieces[number] = piece

    def finish(self) -> None:
        """Take the names that no row has from the index, which has them a second time."""
        for number, (name, site) in self._names.items():
            piece = self.pieces.get(number)
            if number not in self.names and (piece is None or (piece.kind, piece.name) != (name, site)):
                other, checks = self._doubtful.get(number, (name, b""))
                if other == name or is_name_of(number, name, checks, site):
                    self.names[number], self.sites[number] = name, site
        for number, name in self._names_5.items():
            if number not in self.names:
                other, checks = self._doubtful.get(number, (name, b""))
                if other == name or is_name_of(number, name, checks):
                    self.names[number] = name

    def hands(self) -> Iterator[tuple[bytes, HandCounts]]:
        """What hands added that can be saved, in the order in which they were learnt."""
        for identity, (number, _) in sorted(self.records.items(), key=lambda each: each[1][0]):
            found: list[tuple[tuple[bool, bool, int], HandCounts]] = []
            for at, added in self._copies[identity]:
                with suppress(DamageError):  # a name is lost, or what was counted
                    if at == number:
                        hand = HandRecord.unpack(identity, added, self.layouts).named(self.names)
                        rank = hand.place is not None, is_named(identity, added), len(counted_by(hand).blocks)
                        found.append((rank, hand))
            if found:
                yield identity, max(found, key=lambda each: each[0])[1]

    def aliases(self) -> Iterator[tuple[str, str]]:
        """Names of players, and other names of theirs."""
        for number, first in self.alias.items():
            if first and first in self.names:
                one, other = (full_name(self.names[each], self.sites.get(each, "")) for each in (first, number))
                yield one, other

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


def _layouts_of_build() -> dict[int, Layout]:
    found = [make(structure) for structure in BettingStructure for make in (layout_of, of_version_5)]
    return {layout.number: layout for layout in found}


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


def _rows_of(database: Database) -> Iterator[PageRow]:
    if database.engine.dialect.name == "sqlite" and database.engine.url.database not in (None, "", ":memory:"):
        yield from rows(_bytes(str(database.engine.url.database)))
        return
    with database.transaction() as connection:
        there = set(sa.inspect(connection).get_table_names())
        for table in (EDITIONS, LEARNT, PLAYERS, KNOWLEDGE):
            if table.name in there:
                for number, *values in connection.execute(sa.select(table)):
                    yield PageRow(number, (None, *values))
