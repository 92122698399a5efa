"""Bookmarks: how far each file of a book was read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from pokermodel.game import BettingStructure
from pokermodel.library._database import Database
from pokermodel.library.schema import BOOK, FILES, HANDS

__all__ = ["Bookmark", "Bookmarks", "mark"]

_SPANS = 100  # of numbers that a query names


class Bookmark(NamedTuple):
    """How far a file was read.

    Attributes
    ----------
    path, member : str
        The file, and what of it, if it is an archive.
    size, changed, node : int
        Its size, time of change in nanoseconds and number on its device when it was read.
    at : tuple of int
        Where its last hand begins, as the reader of its format goes on there; empty if it cannot.
    hands : int
    head, tail : bytes
        Digests of its beginning, and of the part before `at`.
    """

    path: str
    member: str
    size: int
    changed: int
    node: int
    at: tuple[int, ...]
    hands: int
    head: bytes
    tail: bytes


def mark(connection: sa.Connection, bookmark: Bookmark) -> int:
    """Note how far a file is read; return its number."""
    values = {**bookmark._asdict(), "at": " ".join(str(int(each)) for each in bookmark.at)}
    same = FILES.c.path == bookmark.path, FILES.c.member == bookmark.member
    number: int | None = connection.scalar(sa.select(FILES.c.id).where(*same))
    if number is not None:
        connection.execute(FILES.update().where(*same).values(values))
        return number
    number = (connection.scalar(sa.select(sa.func.max(FILES.c.id))) or 0) + 1
    connection.execute(FILES.insert().values(id=number, **values))
    return number


def _bookmark(row: Any) -> Bookmark:
    """Return the bookmark that a row of the database has."""
    at = tuple(map(int, row.at.split()))
    return Bookmark(row.path, row.member, row.size, row.changed, row.node, at, row.hands, row.head, row.tail)


class Bookmarks:
    """How far the files of a book were read, and which hands each is the source of.

    Parameters
    ----------
    database : Database
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, path: str | os.PathLike[str]) -> dict[str, tuple[int, Bookmark]]:
        """How far a file was read, by member, with the number of the file in the book."""
        with self._database.transaction() as connection:
            rows = connection.execute(sa.select(FILES).where(FILES.c.path == os.fspath(path))).all()
        return {row.member: (row.id, _bookmark(row)) for row in rows}

    def all(self) -> list[Bookmark]:
        """All files that were read and are there, by path."""
        with self._database.transaction() as connection:
            return [_bookmark(row) for row in connection.execute(sa.select(FILES).order_by(FILES.c.path))]

    def structures(self, paths: Mapping[str, int | None]) -> Counter[str]:
        """How many hands there are of each betting structure in some files, or before a byte of a file."""
        query = sa.select(FILES.c.path, HANDS.c.structure, sa.func.count()).join(FILES, FILES.c.id == HANDS.c.file)
        query = query.group_by(FILES.c.path, HANDS.c.structure)
        found: Counter[str] = Counter()
        with self._database.transaction() as connection:
            rows = [row for row in connection.execute(query) if paths.get(row.path, 0) is None] if paths else []
            for path, before in paths.items():
                if before is not None:
                    rows += connection.execute(query.where(FILES.c.path == path, HANDS.c.at < before)).all()
        for _, number, hands in rows:
            found[str(tuple(BettingStructure)[number])] += hands
        return found

    def forget(self, path: str | os.PathLike[str]) -> int:
        """Note that a file has gone, or is another one now; return how many hands are without a source then."""
        with self._database.transaction(write=True) as connection:
            ids = connection.scalars(sa.select(FILES.c.id).where(FILES.c.path == os.fspath(path))).all()
            if not ids:
                return 0
            found = connection.execute(HANDS.update().where(HANDS.c.file.in_(ids)).values(file=None, at=-1)).rowcount
            connection.execute(FILES.delete().where(FILES.c.id.in_(ids)))
            if found:
                connection.execute(BOOK.update().values(generation=BOOK.c.generation + 1))
        return found

    def shadowed(self) -> list[str]:
        """Files some of whose hands were known from another file when they were read."""
        own = sa.select(sa.func.count()).where(HANDS.c.file == FILES.c.id).scalar_subquery()
        with self._database.transaction() as connection:
            return list(connection.scalars(sa.select(FILES.c.path).where(FILES.c.hands > own).distinct()))

    def begins(
        self, path: str, gaps: Sequence[tuple[int, int]], structures: Collection[BettingStructure]
    ) -> tuple[int, ...] | None:
        """Where a reader of a file can begin for all hands of some structures with numbers in some spans.

        None if it has none of them.
        """
        first = sa.func.min(HANDS.c.at)
        query = sa.select(FILES.c.at, FILES.c.member, first.label("first")).join(HANDS, FILES.c.id == HANDS.c.file)
        inside: list[sa.ColumnElement[bool]] = [HANDS.c.id.between(*gap) for gap in gaps[:_SPANS]]
        if len(gaps) > _SPANS:
            inside.append(HANDS.c.id >= gaps[_SPANS][0])
        of = [number for number, each in enumerate(BettingStructure) if each in structures]
        query = query.where(FILES.c.path == path, sa.or_(*inside), HANDS.c.structure.in_(of)).group_by(
            FILES.c.id, FILES.c.at, FILES.c.member
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
        if not rows:
            return None
        (found, *others), at = rows, tuple(map(int, rows[0].at.split()))
        # behind the byte stand numbers that are the same everywhere in a file, but for a line, which is in errors alone
        return () if others or found.member or not at or found.first < 0 else (found.first, *at[1:])
