"""The tables of a book, and how books of older versions become new ones."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from pokermodel.errors import BookError
from pokermodel.learning._database import Database

__all__ = ["COUNTERS", "EVERYBODY", "KNOWLEDGE", "LEARNT", "PLAYERS", "prepare"]

FORMAT = "pokermodel book"
VERSION = 4  # 2: richer contexts, and the sum of all players; 3: sums of other games; 4: knowledge of any kind

TABLES = sa.MetaData()
_ABOUT = sa.Table("pokermodel", TABLES, sa.Column("format", sa.Text), sa.Column("version", sa.Integer))

#: What is known, a piece to a row: of one kind and about one player, or about all if the name is empty.
KNOWLEDGE = sa.Table(
    "knowledge",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the content
    sa.Column("revision", sa.Integer, nullable=False),  # how often it was written
    sa.Column("content", sa.LargeBinary, nullable=False),  # `Knowledge.to_bytes`; statistics are in the tables below
    sa.UniqueConstraint("kind", "name"),
)
#: Which hands each piece has learnt.
LEARNT = sa.Table(
    "learnt",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),  # in the order in which they were learnt
    sa.Column("knowledge", sa.Integer, nullable=False),
    sa.Column("identity", sa.LargeBinary, nullable=False),
    sa.Column("added", sa.LargeBinary),  # what the hand added, where that is kept
    sa.UniqueConstraint("identity", "knowledge"),
)

PLAYERS = sa.Table(
    "players",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    # the latest actions after the flop, oldest first, a character each
    sa.Column("recent", sa.Text, nullable=False),
)
COUNTERS = sa.Table(
    "counters",
    TABLES,
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("counter", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("count", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
#: The number under which the sum of all players is kept.
EVERYBODY = 0


def prepare(database: Database, create: bool) -> None:
    """See to it that a database is a book of this version: make it one if it is empty or older.

    Raises
    ------
    BookError
        If it is a database of something else or a book of a newer version, or it is empty and nothing is to be made.
    """
    with database.transaction() as connection:
        version = _version(connection, database.where)
    if version == VERSION:
        return
    if version is None and not create:
        raise BookError(f"{database.where} is no book: it is empty")
    with database.transaction(write=True) as connection:
        version = _version(connection, database.where)  # another process may have been quicker
        if version is None:
            TABLES.create_all(connection)
            connection.execute(_ABOUT.insert().values(format=FORMAT, version=VERSION))
            return
        while version < VERSION:
            MIGRATIONS[version](connection)
            version += 1
            connection.execute(_ABOUT.update().values(version=version))


def _version(connection: sa.Connection, where: str) -> int | None:
    """The version of a book; None if the database is empty."""
    names = sa.inspect(connection).get_table_names()
    if not names:
        return None
    found = connection.execute(sa.select(_ABOUT)).all() if _ABOUT.name in names else []
    if len(found) != 1 or found[0].format != FORMAT:
        raise BookError(f"{where} is no book: it is a database of something else")
    version = found[0].version
    if not isinstance(version, int) or version < 1:
        raise BookError(f"{where} is damaged: it is a book of version {version!r}")
    if version > VERSION:
        raise BookError(
            f"{where} is a book of version {version}, and this pokermodel knows versions up to {VERSION}: "
            "a newer one is needed"
        )
    return version


# ---------------------------------------------------------------------------------------------------- older books


def _add_everybody(connection: sa.Connection) -> None:
    """Version 1 to 2. What the hands say of richer contexts waits until they are met again."""
    everybody = sa.select(sa.literal(EVERYBODY), COUNTERS.c.counter, sa.func.sum(COUNTERS.c.count))
    connection.execute(
        COUNTERS.insert().from_select(["player", "counter", "count"], everybody.group_by(COUNTERS.c.counter))
    )


def _add_sums(connection: sa.Connection) -> None:
    """Version 2 to 3, which had tables of their own for sums of other games: none are there yet."""


def _unite(connection: sa.Connection) -> None:
    """Version 3 to 4: one table of what is known and one of the hands learnt, where there were three of each."""
    TABLES.create_all(connection)
    tables = set(sa.inspect(connection).get_table_names())
    statistics = {"kind": "statistics", "name": "", "version": 2, "revision": 1, "content": b""}
    connection.execute(KNOWLEDGE.insert().values(**statistics))
    _move_hands(connection, "statistics", "", "identity, lesson FROM hands ORDER BY number")
    if "bpp_tables" in tables:
        for revision, content in connection.exec_driver_sql("SELECT revision, content FROM bpp_tables").all():
            bpp = {"kind": "bpp", "name": "", "version": 1, "revision": revision, "content": content}
            connection.execute(KNOWLEDGE.insert().values(**bpp))
            _move_hands(connection, "bpp", "", "identity, NULL FROM bpp_hands")
    if "sums" in tables:
        for row in connection.exec_driver_sql("SELECT id, kind, name, content FROM sums ORDER BY id").all():
            sums = {"kind": row.kind, "name": row.name, "version": 1, "revision": 1, "content": row.content}
            connection.execute(KNOWLEDGE.insert().values(**sums))
            _move_hands(connection, row.kind, row.name, f"identity, NULL FROM sum_hands WHERE sum = {int(row.id)}")
    for name in ("hands", "bpp_tables", "bpp_hands", "sums", "sum_hands"):
        if name in tables:
            connection.exec_driver_sql(f"DROP TABLE {name}")


def _move_hands(connection: sa.Connection, kind: str, name: str, hands: str) -> None:
    piece = sa.select(KNOWLEDGE.c.id).where(KNOWLEDGE.c.kind == kind, KNOWLEDGE.c.name == name)
    number = connection.scalars(piece).one()
    connection.exec_driver_sql(f"INSERT INTO learnt (knowledge, identity, added) SELECT {number}, {hands}")


#: What turns a book of an older version into one of the next, by the older one.
MIGRATIONS: dict[int, Callable[[sa.Connection], None]] = {1: _add_everybody, 2: _add_sums, 3: _unite}
