"""Pieces of knowledge in a database, and which hands each of them has learnt.

A batch of hands is learnt in three steps: read what a piece knows, in one transaction; work out what it knows then,
which may take long; write that in another transaction. If the piece was written in between, all three are repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.learning._database import Database, checked
from pokermodel.learning._schema import KNOWLEDGE, LEARNT
from pokermodel.learning.knowledge import Knowledge

__all__ = [
    "Attempt",
    "KnowledgePiece",
    "Piece",
    "SupersededError",
    "chunks",
    "decode",
    "find_piece",
    "learnt_among",
    "mark",
    "revise",
]

K = TypeVar("K", bound=Knowledge)
T = TypeVar("T")

ASKED = 5000  # values in one query: databases bound them

_PIECE = sa.select(KNOWLEDGE).where(KNOWLEDGE.c.kind == sa.bindparam("kind"), KNOWLEDGE.c.name == sa.bindparam("name"))


class SupersededError(Exception):
    """A piece was written by somebody else since it was read."""


@dataclass
class Attempt:
    """An attempt to have a piece learn a batch of hands.

    Attributes
    ----------
    number : int or None
        The piece's number in the database; None if it does not exist yet.
    revision : int
        How often it had been written when it was read.
    known : set of bytes
        Hands of the batch from which it has nothing more to learn.
    state : object
        What the kind of piece needs besides.
    new : mapping of bytes to object
        What hands say that it has not learnt.
    changed : bool
        Whether there is something to write.
    """

    number: int | None
    revision: int
    known: set[bytes]
    state: Any = None
    new: Mapping[bytes, Any] = field(default_factory=dict)
    changed: bool = False


class Piece(Protocol):
    """How a piece of knowledge is kept."""

    kind: str

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands from which it has nothing more to learn."""

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Begin to learn a batch of these hands."""

    def update(self, attempt: Attempt, evidence: Mapping[bytes, Any]) -> None:
        """Learn what hands say that are not in `Attempt.known`. No transaction is open meanwhile."""

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Write what is known by now; raise `SupersededError` if somebody else has written since it was read."""


class KnowledgePiece:
    """A piece that is kept as the bytes that its class makes of it.

    Parameters
    ----------
    database : Database
    knowledge : type
        A class that implements `Knowledge`.
    name : str
        Name of the player it is about; "" if it is about all.
    """

    def __init__(self, database: Database, knowledge: type[Knowledge], name: str = "") -> None:
        self._database = database
        self._class = knowledge
        self.kind = knowledge.kind
        self.name = name

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands that it has learnt."""
        this = sa.select(KNOWLEDGE.c.id).where(KNOWLEDGE.c.kind == self.kind, KNOWLEDGE.c.name == self.name)
        return learnt_among(connection, connection.scalar(this), identities)

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Read what is known so far."""
        row = find_piece(connection, self.kind, self.name)
        if row is None:
            return Attempt(None, 0, set())
        return Attempt(row.id, row.revision, learnt_among(connection, row.id, identities), row)

    def update(self, attempt: Attempt, evidence: Mapping[bytes, Any]) -> None:
        """Learn all of it at once."""
        attempt.new, attempt.changed = evidence, bool(evidence)
        if not evidence:
            return
        knowledge = self._class() if attempt.state is None else decode(self._database, self._class, attempt.state)
        if told := [each for each in evidence.values() if each is not None]:
            knowledge.update(told)
        attempt.state = knowledge.to_bytes()

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Write the bytes, and which hands are in them."""
        number = revise(connection, (self.kind, self.name), attempt, self._class.version, attempt.state)
        mark(connection, number, ((identity, None) for identity in attempt.new))


def decode(database: Database, knowledge: type[K], row: Any) -> K:
    """Turn the row of a piece into knowledge; raise `BookError` if it is damaged or of another version."""
    if row.version != knowledge.version:
        raise BookError(
            f"{database.where}: {knowledge.kind!r} is kept in version {row.version!r}, and this pokermodel knows "
            f"version {knowledge.version}"
        )
    try:
        return knowledge.from_bytes(row.content)
    except Exception as error:  # whatever a class finds wrong with damaged bytes
        raise BookError(f"{database.where} is damaged: {error}") from error


# ------------------------------------------------------------------------------------------------------ the tables


def find_piece(connection: sa.Connection, kind: str, name: str) -> Any | None:
    """The row of a piece; None if it does not exist yet."""
    row = connection.execute(_PIECE, {"kind": kind, "name": name}).one_or_none()
    if row is not None:
        checked(row.revision, int, f"the revision of {kind!r}")
        checked(row.content, bytes, f"the content of {kind!r}")
    return row


def revise(connection: sa.Connection, key: tuple[str, str], attempt: Attempt, version: int, content: bytes) -> int:
    """Write the content of a piece, by kind and name, and return its number.

    Raises
    ------
    SupersededError
        If it is not at the revision at which it was read.
    """
    values = {"version": version, "revision": attempt.revision + 1, "content": content}
    if attempt.number is not None:
        this = KNOWLEDGE.update().where(KNOWLEDGE.c.id == attempt.number, KNOWLEDGE.c.revision == attempt.revision)
        if connection.execute(this.values(**values)).rowcount != 1:
            raise SupersededError
        return attempt.number
    kind, name = key
    if find_piece(connection, kind, name) is not None:
        raise SupersededError
    made = connection.execute(KNOWLEDGE.insert().values(kind=kind, name=name, **values)).inserted_primary_key
    assert made is not None
    return int(made[0])


def chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """Values, as many at a time as one query may ask for."""
    rest = iter(values)
    while some := list(islice(rest, ASKED)):
        yield some


def learnt_among(connection: sa.Connection, number: int | None, identities: Iterable[bytes]) -> set[bytes]:
    """Which of some hands a piece has learnt."""
    found: set[bytes] = set()
    if number is not None:
        for some in chunks(identities):
            asked = sa.select(LEARNT.c.identity).where(LEARNT.c.identity.in_(some), LEARNT.c.knowledge == number)
            found.update(connection.scalars(asked))
    return found


def mark(connection: sa.Connection, number: int, hands: Iterable[tuple[bytes, bytes | None]]) -> None:
    """Note that a piece has learnt hands, and what each of them added, where that is kept."""
    rows = [(number, identity, added) for identity, added in hands]
    if rows:
        place = "?" if connection.dialect.name == "sqlite" else "%s"
        insert = f"INSERT INTO learnt (knowledge, identity, added) VALUES ({place}, {place}, {place})"
        connection.exec_driver_sql(insert, rows)
