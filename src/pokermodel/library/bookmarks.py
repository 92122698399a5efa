"""Bookmarks: how far each file of a book was read."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from pokermodel.library.schema import FILES, HANDS

__all__ = ["Bookmark", "bookmark_of", "forget", "mark"]


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


def bookmark_of(row: Any) -> Bookmark:
    """Return the bookmark that a row of the database has."""
    at = tuple(map(int, row.at.split()))
    return Bookmark(row.path, row.member, row.size, row.changed, row.node, at, row.hands, row.head, row.tail)


def forget(connection: sa.Connection, path: str) -> int:
    """Note that a file has gone; return how many hands are without a source then."""
    ids = connection.scalars(sa.select(FILES.c.id).where(FILES.c.path == path)).all()
    if not ids:
        return 0
    found = connection.execute(HANDS.update().where(HANDS.c.file.in_(ids)).values(file=None, at=-1)).rowcount
    connection.execute(FILES.delete().where(FILES.c.id.in_(ids)))
    return found
