"""Pieces of knowledge in a database, and which hands each of them has learnt.

A batch of hands is learnt in three steps: read what a piece knows, in one transaction; work out what it knows then,
which may take long; write that in another transaction. If the piece was written in between, all three are repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

from pokermodel.errors import BookError, DamagedBookError
from pokermodel.learning._checksums import identity_sum
from pokermodel.learning._database import DamageError, Database, checked
from pokermodel.learning._records import PieceRow
from pokermodel.learning._tables import KNOWLEDGE, LEARNT
from pokermodel.learning.knowledge import Knowledge

__all__ = [
    "Attempt",
    "KnowledgePiece",
    "Piece",
    "PieceRow",
    "SupersededError",
    "chunks",
    "claim",
    "decode",
    "find_piece",
    "find_pieces",
    "insert",
    "learnt_among",
    "mark",
    "revise",
    "verify",
]

K = TypeVar("K", bound=Knowledge)
T = TypeVar("T")

ASKED = 5000  # values in one query: databases bound them
_VALUES = 900  # values in one statement that inserts; SQLite's bound was 999 once

_OF_KIND = sa.select(KNOWLEDGE).where(KNOWLEDGE.c.kind == sa.bindparam("kind"))
_PIECE = _OF_KIND.where(KNOWLEDGE.c.name == sa.bindparam("name"))
# the same without the index, and how many rows table and index have
_UNINDEXED = sa.select(sa.func.count()).where(
    KNOWLEDGE.c.kind + "" == sa.bindparam("kind"), KNOWLEDGE.c.name + "" == sa.bindparam("name")
)
_NUMBERS = sa.select(
    sa.select(sa.func.count(KNOWLEDGE.c.revision)).scalar_subquery(),
    sa.select(sa.func.count(KNOWLEDGE.c.kind)).scalar_subquery(),
)


class SupersededError(Exception):
    """A piece was written by somebody else since it was read."""


@dataclass
class Attempt:
    """An attempt to have a piece learn a batch of hands.

    Attributes
    ----------
    row : PieceRow
        What was read of the piece.
    known : set of bytes
        Hands of the batch from which it has nothing more to learn.
    state : object
        What the kind of piece needs besides.
    new : mapping of bytes to object
        What hands say that it has not learnt.
    changed : bool
        Whether there is something to write.
    """

    row: PieceRow
    known: set[bytes]
    state: Any = None
    new: Mapping[bytes, Any] = field(default_factory=dict)
    changed: bool = False


class Piece(Protocol):
    """How a piece of knowledge is kept."""

    kind: str
    name: str

    def known(self, connection: sa.Connection, identities: Collection[bytes]) -> set[bytes]:
        """Hands from which it has nothing more to learn."""

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Begin to learn a batch of these hands."""

    def update(self, attempt: Attempt, evidence: Mapping[bytes, Any]) -> None:
        """Learn what hands say that are not in `Attempt.known`. No transaction is open meanwhile."""

    def verify(self, connection: sa.Connection) -> None:
        """See to it that the hands that it has learnt are found; raise `DamageError` if they are not."""

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Write what is known by now; raise `SupersededError` if somebody else has written since it was read."""


class KnowledgePiece:
    """A piece that is kept as the bytes that its class makes of it.

    Parameters
    ----------
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
        return self.read(connection, identities).known

    def read(self, connection: sa.Connection, identities: Collection[bytes]) -> Attempt:
        """Read what is known so far."""
        row = find_piece(connection, self.kind, self.name)
        if row is None:
            return Attempt(PieceRow(None, self.kind, self.name), set())
        return Attempt(row, learnt_among(connection, row.id, identities))

    def verify(self, connection: sa.Connection) -> None:
        """See to it that the hands that it has learnt are found; raise `DamageError` if they are not."""
        if (row := find_piece(connection, self.kind, self.name)) is not None:
            verify(connection, row)

    def update(self, attempt: Attempt, evidence: Mapping[bytes, Any]) -> None:
        """Learn all of it at once."""
        attempt.new, attempt.changed = evidence, bool(evidence)
        if not evidence:
            return
        knowledge = self._class() if attempt.row.id is None else decode(self._database, self._class, attempt.row)
        if told := [each for each in evidence.values() if each is not None]:
            knowledge.update(told)
        attempt.state = knowledge.to_bytes()

    def write(self, connection: sa.Connection, attempt: Attempt) -> None:
        """Write the bytes, and which hands are in them."""
        number = revise(connection, attempt.row, self._class.version, attempt.state, attempt.new)
        mark(connection, number, ((identity, None) for identity in attempt.new))


def decode(database: Database, knowledge: type[K], row: PieceRow) -> K:
    """Turn the row of a piece into knowledge; raise `BookError` if it is damaged or of another version."""
    if row.version != knowledge.version:
        raise BookError(
            f"{database.where}: {knowledge.kind!r} is kept in version {row.version!r}, and this pokermodel knows "
            f"version {knowledge.version}"
        )
    try:
        return knowledge.from_bytes(row.content)
    except Exception as error:  # whatever a class finds wrong with damaged bytes
        raise DamagedBookError(database.where, str(error)) from error


# ------------------------------------------------------------------------------------------------------ the tables


def find_piece(connection: sa.Connection, kind: str, name: str) -> PieceRow | None:
    """The row of a piece; None if it does not exist yet."""
    which = {"kind": kind, "name": name}
    row = connection.execute(_PIECE, which).one_or_none()
    if row is not None:
        return PieceRow.of(row)
    rows, indexed = connection.execute(_NUMBERS).one()
    if rows != indexed or connection.scalar(_UNINDEXED, which):
        raise DamageError("the index of what is known does not have all of it")
    return None


def find_pieces(connection: sa.Connection, kind: str) -> list[PieceRow]:
    """The rows of all pieces of a kind, by name."""
    return [PieceRow.of(row) for row in connection.execute(_OF_KIND.order_by(KNOWLEDGE.c.name), {"kind": kind})]


def claim(connection: sa.Connection, row: PieceRow) -> None:
    """See to it that a piece is still as it was read; raise `SupersededError` if it is not."""
    now = find_piece(connection, row.kind, row.name)
    if (0 if now is None else now.revision) != row.revision:
        raise SupersededError


def revise(connection: sa.Connection, row: PieceRow, version: int, content: bytes, new: Collection[bytes]) -> int:
    """Write the content of a piece, given what was read of it and the hands it has learnt since; return its number.

    Raises
    ------
    SupersededError
        If it is not at the revision at which it was read.
    """
    after = row._replace(
        version=version,
        revision=row.revision + 1,
        content=content,
        hands=row.hands + len(new),
        identities=identity_sum(new, row.identities),
    )
    if row.id is not None:
        this = KNOWLEDGE.update().where(KNOWLEDGE.c.id == row.id, KNOWLEDGE.c.revision == row.revision)
        if connection.execute(this.values(**after.values())).rowcount != 1:
            raise SupersededError
        return row.id
    claim(connection, row)
    made = connection.execute(KNOWLEDGE.insert().values(kind=row.kind, name=row.name, **after.values()))
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def verify(connection: sa.Connection, row: PieceRow) -> None:
    """See to it that all hands that a piece has learnt are found; raise `DamageError` if they are not."""
    identities = connection.scalars(sa.select(LEARNT.c.identity).where(LEARNT.c.knowledge == row.id))
    hands, total = 0, 0
    for some in identities.partitions(ASKED):
        hands += len(some)
        total = identity_sum((checked(each, bytes, "a hand's identity") for each in some), total)
    if (hands, total) != (row.hands, row.identities):
        raise DamageError(f"of the {row.hands:,} hands that {row.kind!r} has learnt not all are found")


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


def insert(connection: sa.Connection, table: str, columns: str, values: Sequence[Any], on_conflict: str = "") -> None:
    """Insert rows, many in one statement.

    They are so many that SQLAlchemy's own insert would take a third of all time, and a statement a row twice as long.

    Parameters
    ----------
    table, columns : str
        Where to; columns with commas.
    values : sequence
        Of all rows, one after the other.
    on_conflict : str
        What ends the statement.
    """
    width = columns.count(",") + 1
    at_once = _VALUES // width * width
    row = f"({', '.join(['?' if connection.dialect.name == 'sqlite' else '%s'] * width)})"
    whole = len(values) // at_once * at_once
    for first, end, step in (0, whole, at_once), (whole, len(values), width):
        if first < end:
            rows = ", ".join([row] * (step // width))
            statement = f"INSERT INTO {table} ({columns}) VALUES {rows} {on_conflict}"
            connection.exec_driver_sql(statement, [tuple(values[k : k + step]) for k in range(first, end, step)])


def mark(connection: sa.Connection, number: int, hands: Iterable[tuple[bytes, bytes | None]]) -> None:
    """Note that a piece has learnt hands, and what each of them added, where that is kept."""
    values = [each for identity, added in hands for each in (number, identity, added)]
    insert(connection, "learnt", "knowledge, identity, added", values)
