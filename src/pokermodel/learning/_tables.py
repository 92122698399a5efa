"""The tables of a book."""

from __future__ import annotations

import sqlalchemy as sa

__all__ = ["ABOUT", "COUNTERS", "EDITIONS", "EVERYBODY", "KNOWLEDGE", "LEARNT", "PLAYERS", "TABLES"]

TABLES = sa.MetaData()
#: Which format, and which version of it.
ABOUT = sa.Table("pokermodel", TABLES, sa.Column("format", sa.Text), sa.Column("version", sa.Integer))

#: What is known, a piece to a row: of one kind and about one player, or about all if the name is empty.
KNOWLEDGE = sa.Table(
    "knowledge",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the content
    sa.Column("revision", sa.Integer, nullable=False),  # how often it was written
    sa.Column("content", sa.LargeBinary, nullable=False),  # `Knowledge.to_bytes`; of the statistics `Totals`
    sa.Column("hands", sa.BigInteger),  # how many it has learnt
    sa.Column("identities", sa.LargeBinary),  # sum of their identities
    sa.Column("checksum", sa.BigInteger),  # of all of this
    sa.UniqueConstraint("kind", "name"),
)
#: Which hands each piece has learnt.
LEARNT = sa.Table(
    "learnt",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),  # in the order in which they were learnt
    sa.Column("knowledge", sa.Integer, nullable=False),
    sa.Column("identity", sa.LargeBinary, nullable=False),
    sa.Column("added", sa.LargeBinary),  # what the hand added to the statistics: `Record`
    sa.UniqueConstraint("identity", "knowledge"),
)

PLAYERS = sa.Table(
    "players",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("site", sa.Text, nullable=False),  # "" if it is not known, or there is none
    sa.Column("recent", sa.Text, nullable=False),  # the latest actions after the flop, as `PlayerRow` has them
    sa.Column("alias", sa.Integer, nullable=False),  # the number of the player whose name it is, too; or 0
    sa.Column("checks", sa.LargeBinary),  # checksums
    sa.UniqueConstraint("name", "site"),
)
#: By which layouts hands were counted (`Layout`), and how many by each.
EDITIONS = sa.Table(
    "editions",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # `Layout.number`
    sa.Column("layout", sa.Text, nullable=False),
    sa.Column("hands", sa.BigInteger, nullable=False),
    sa.Column("checksum", sa.BigInteger, nullable=False),
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
