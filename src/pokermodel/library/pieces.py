"""The knowledge of readers in pieces, and the hands it comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.learning.statistics import PlayerStatistics
from pokermodel.library._database import Database, chunks, execute_many, insert_into
from pokermodel.library.schema import HANDS, KNOWLEDGE, LEARNT

__all__ = ["WHOLE", "Pieces", "Spans", "write_pieces"]

#: Scope and name of knowledge that is kept whole.
WHOLE = ("whole", "")


class Pieces:
    """The pieces of knowledge of a book."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def kinds(self) -> frozenset[str]:
        """Names of the kinds of knowledge that have learnt hands; statistics have learnt all that are there."""
        with self._database.transaction() as connection:
            found = frozenset(connection.scalars(sa.select(LEARNT.c.kind)))
            there = connection.execute(sa.select(HANDS.c.id).limit(1)).first() is not None
        return found | {PlayerStatistics.kind} if there else found

    def read(
        self, kind: str, version: int, wanted: Collection[tuple[str, str]] | None = None
    ) -> dict[tuple[str, str], bytes]:
        """Pieces of a kind of knowledge that are there, in the order of their names.

        Raises `BookError` if they are of another version.

        Parameters
        ----------
        wanted : collection of (str, str), optional
            Scope and name of each: ``("shared", "")``, ``("population", NAME)`` or ``("player", NAME)``. By default
            all.
        """
        found: dict[tuple[str, str], bytes] = {}
        queries = [sa.select(KNOWLEDGE).where(KNOWLEDGE.c.kind == kind).order_by(KNOWLEDGE.c.scope, KNOWLEDGE.c.name)]
        if wanted is not None:
            scopes: dict[str, list[str]] = {}
            for scope, name in wanted:
                scopes.setdefault(scope, []).append(name)
            (every,) = queries
            queries = [
                every.where(KNOWLEDGE.c.scope == scope, KNOWLEDGE.c.name.in_(some))
                for scope, names in scopes.items()
                for some in chunks(names)
            ]
        with self._database.transaction() as connection:
            for query in queries:
                for row in connection.execute(query):
                    if row.version != version:
                        raise BookError(
                            f"{self._database.where}: {kind!r} is kept in version {row.version}, and this "
                            f"pokermodel knows version {version}"
                        )
                    found[row.scope, row.name] = bytes(row.content)
        return found

    def put(
        self,
        kind: str,
        version: int,
        pieces: Mapping[tuple[str, str], bytes],
        *,
        numbers: Iterable[int],
        before: Spans,
    ) -> bool:
        """Write pieces of a kind of knowledge that has learnt some more hands.

        Parameters
        ----------
        before : Spans
            The result of `learnt` before the pieces were read.

        Returns
        -------
        bool
            False if another process has written in between: nothing is written then.
        """
        with self._database.transaction(write=True) as connection:
            if _learnt(connection, kind) != before:
                return False
            write_pieces(connection, version, {(kind, *name): content for name, content in pieces.items()})
            after = before.with_numbers(numbers)
            connection.execute(LEARNT.delete().where(LEARNT.c.kind == kind))
            rows = [{"kind": kind, "first": first, "last": last} for first, last in after]
            if rows:
                connection.execute(LEARNT.insert(), rows)
        return True

    def swap(
        self,
        version: int,
        pieces: Mapping[tuple[str, str, str], bytes],
        *,
        guard: tuple[str, str, str],
        before: bytes | None,
        dropped: Collection[str] = (),
    ) -> bool:
        """Write pieces of knowledge if there was no other writer since a moment.

        Parameters
        ----------
        pieces : mapping
            By kind, scope and name; the guard is one of them.
        guard : (str, str, str)
            The piece that tells whether somebody has written.
        before : bytes or None
            Its content when it was read; None if it was not there.
        dropped : collection of str
            Kinds whose pieces are all removed first.

        Returns
        -------
        bool
            False if the guard has another content by now: nothing is written then.
        """
        with self._database.transaction(write=True) as connection:
            same = [KNOWLEDGE.c[name] == part for name, part in zip(("kind", "scope", "name"), guard, strict=True)]
            found = connection.scalar(sa.select(KNOWLEDGE.c.content).where(*same))
            if (None if found is None else bytes(found)) != before:
                return False
            for kind in dropped:
                connection.execute(KNOWLEDGE.delete().where(KNOWLEDGE.c.kind == kind))
            write_pieces(connection, version, pieces)
        return True

    def learnt(self, kind: str) -> Spans:
        """The numbers of the hands that a kind of knowledge has learnt."""
        with self._database.transaction() as connection:
            return _learnt(connection, kind)

    def unlearnt(self, kind: str) -> list[tuple[int, int]]:
        """Spans of numbers of hands that a kind of knowledge has not learnt."""
        with self._database.transaction() as connection:
            last = connection.scalar(sa.select(sa.func.max(HANDS.c.id))) or 0
            return _learnt(connection, kind).gaps(last)


class Spans(tuple[tuple[int, int], ...]):
    """Whole numbers as spans, first and last of each, in order."""

    __slots__ = ()

    def has(self, number: int) -> bool:
        """Whether a number is among them."""
        place = bisect_right(self, (number, 1 << 62)) - 1
        return place >= 0 and self[place][1] >= number

    def with_numbers(self, numbers: Iterable[int]) -> Spans:
        """These and some more."""
        found: list[tuple[int, int]] = []
        for first, last in sorted([*self, *((number, number) for number in numbers)]):
            if found and first <= found[-1][1] + 1:
                found[-1] = found[-1][0], max(last, found[-1][1])
            else:
                found.append((first, last))
        return Spans(found)

    def gaps(self, end: int) -> list[tuple[int, int]]:
        """Numbers between them, from 1 to an end."""
        edges = [(0, 0), *self, (end + 1, end + 1)]
        return [(last + 1, first - 1) for (_, last), (first, _) in pairwise(edges) if last + 1 < first]


def _learnt(connection: sa.Connection, kind: str) -> Spans:
    query = sa.select(LEARNT.c.first, LEARNT.c.last).where(LEARNT.c.kind == kind).order_by(LEARNT.c.first)
    return Spans((int(row.first), int(row.last)) for row in connection.execute(query))


def write_pieces(connection: sa.Connection, version: int, pieces: Mapping[tuple[str, str, str], bytes]) -> None:
    """Write pieces in place of those that there are, by kind, scope and name."""
    values = [(*name, version, 1, content) for name, content in pieces.items()]
    insert = insert_into("_knowledge", ("kind", "scope", "name", "version", "revision", "content"))
    again = "version = excluded.version, revision = _knowledge.revision + 1, content = excluded.content"
    execute_many(connection, f"{insert} ON CONFLICT (kind, scope, name) DO UPDATE SET {again}", values)
