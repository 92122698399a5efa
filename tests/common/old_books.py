"""Books of older versions, and the hands that they have learnt."""

from __future__ import annotations

import gzip
import re
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

import pokermodel as pm
from pokermodel.game import BettingStructure
from pokermodel.learning import _database
from pokermodel.learning.layout import TABLES, of_version_5
from pokermodel.learning.statistics import CONTEXTS, HandCounts

from .added import packed
from .books import FREE, HANDS, POTS, counted

__all__ = ["VERSIONS", "at", "dump", "learnt_by", "make_version_1", "run", "without_positions", "written"]

DATA = Path(__file__).resolve().parent.parent / "data"
VERSIONS = (1, 2, 3, 4, 5)


def dump(version: int) -> str:
    """The statements of SQL that make a book of version 3, 4 or 5, as that wrote it in SQLite.

    Version 3 has statistics of the first 12 of `HANDS`, BPP's tables of the first 8, and what was learnt of two
    opponents at stud; version 4 the same hands in another order, and no opponents at stud. Version 5 has hands of all
    betting structures, and players of one name at two sites.
    """
    return gzip.decompress((DATA / f"book_version_{version}.sql.gz").read_bytes()).decode()


def learnt_by(version: int) -> list[pm.Hand]:
    """The hands that a book has statistics of."""
    hands = HANDS[:12]
    if version == 5:
        hands += [*FREE[:12], *POTS[:4], *(at("pokerstars", hand) for hand in FREE[12:18])]
        hands += [*(at("winamax", hand) for hand in FREE[18:22]), *(at("pokerstars", hand) for hand in HANDS[12:15])]
    return hands


def at(site: str, hand: pm.Hand) -> pm.Hand:
    """A hand as if it had been played at a poker site."""
    return pm.Hand(site, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings, hand.stacks)


def written(version: int, database: str) -> str:
    """The database, with a book in it that an older version wrote."""
    if version < 3:
        written(3, database)
        if version == 1:
            make_version_1(database)
        else:
            run(database, "DROP TABLE sums", "DROP TABLE sum_hands", "UPDATE pokermodel SET version = 2")
        return database
    script = dump(version)
    if "://" not in database:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(script)
        return database
    engine = sa.create_engine(sa.make_url(database).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            if statement.startswith(("CREATE", "INSERT")):
                connection.exec_driver_sql(in_postgresql(statement))
        for table, key in re.findall(r"CREATE TABLE (\w+) \(\n\t(id|number) INTEGER", script):  # where numbers go on
            last = f"SELECT max({key}) FROM {table}"
            connection.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{table}', '{key}'), ({last}))")
    engine.dispose()
    return database


def in_postgresql(statement: str) -> str:
    """A statement of SQLite as PostgreSQL writes it."""
    statement = re.sub(r"X'([0-9A-F]*)'", r"'\\x\1'::bytea", statement).replace(" BLOB", " BYTEA")
    for key in "id", "number":
        statement = statement.replace(f"\t{key} INTEGER NOT NULL", f"\t{key} SERIAL NOT NULL")
    return statement.replace(" WITHOUT ROWID", "").replace('INSERT INTO "', 'INSERT INTO "')


def without_positions(hands: Iterable[pm.Hand]) -> Iterator[tuple[bytes, HandCounts]]:
    """What hands add as older books kept it: without what is counted since version 5."""
    for key, hand in counted(hands):
        first = TABLES["positions"].first
        players = [(each.won, [k for k in each.counters if k < first or k >= CONTEXTS]) for each in hand.players]
        layout = of_version_5(BettingStructure.LIMIT, [CONTEXTS])
        yield key, HandCounts(hand.names, packed(*players), layout=layout)


def run(where: str, *statements: str) -> None:
    """Execute statements in the database of a book that cannot be opened yet."""
    database = _database.Database(where, create=False)
    with database.transaction(write=True) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    database.close()


def make_version_1(where: str) -> None:
    """Make a book of version 3 one of version 1, as that wrote it."""
    database = _database.Database(where, create=False)
    with database.transaction(write=True) as connection:
        ids = {name: number for number, name in connection.exec_driver_sql("SELECT id, name FROM players")}
        hands = sa.Table("hands", sa.MetaData(), autoload_with=connection)
        for key, hand in without_positions(HANDS[:12]):
            lesson = b""
            for name, won, counters in hand.players:
                coarse = [counter for counter in counters if counter < CONTEXTS]
                lesson += struct.pack(f"<IqH{len(coarse)}H", ids[name], won, len(coarse), *coarse)
            connection.execute(hands.update().where(hands.c.identity == key).values(lesson=lesson))
        connection.exec_driver_sql(f"DELETE FROM counters WHERE player = 0 OR counter >= {CONTEXTS}")
        for name in "sums", "sum_hands", "bpp_tables", "bpp_hands":
            connection.exec_driver_sql(f"DROP TABLE {name}")
        connection.exec_driver_sql("UPDATE pokermodel SET version = 1")
    database.close()
