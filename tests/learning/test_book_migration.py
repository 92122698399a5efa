"""Books of older versions become new ones, with all that they know."""

from __future__ import annotations

import gzip
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.errors import BookError
from pokermodel.learning import _database, _players, _schema
from pokermodel.learning.evidence import HandEvidence
from pokermodel.learning.statistics import CONTEXTS, PlayerStatistics
from pokermodel.learning.store import Learnt
from pokermodel.reading import BayesTables
from pokermodel.stud import Reader, opponent_tables
from pokermodel.stud.opponents import opponent_counts

from ..common import books
from ..common.books import HANDS, STATISTICS, contents, counted, learnt

#: A book of version 3, as that wrote it in SQLite: statistics of the first 12 of `HANDS`, BPP's tables of the first 8,
#: and what was learnt of two opponents at stud.
VERSION_3 = Path(__file__).resolve().parent.parent / "data" / "book_version_3.sql.gz"
READER = Reader.parse("net9/act2")


def test_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "old"
    with pm.Book(path) as book:
        book.learn(HANDS, kinds=STATISTICS)
        known = contents(book)

    def fails(connection):
        connection.execute(sa.text("ALTER TABLE players ADD COLUMN town TEXT"))
        raise ValueError("out of ideas")

    now = _schema.VERSION
    monkeypatch.setattr(_schema, "VERSION", now + 2)
    before = path.read_bytes()
    monkeypatch.setattr(_schema, "MIGRATIONS", {now: lambda connection: None, now + 1: fails})
    with pytest.raises(ValueError, match="out of ideas"):
        pm.Book(path)
    assert path.read_bytes() == before  # all or nothing

    steps = []
    both = (now, now + 1)
    monkeypatch.setattr(_schema, "MIGRATIONS", {k: lambda connection, k=k: steps.append(k) for k in both})
    with pm.Book(path) as book:
        assert contents(book) == known
    with pm.Book(path):
        assert steps == [*both]


@pytest.fixture
def version_3(database):
    """The database of a book of version 3, in SQLite and in PostgreSQL, and how often it says what it had learnt."""
    script = gzip.decompress(VERSION_3.read_bytes()).decode()
    if "://" not in database:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(script)
        return database
    engine = sa.create_engine(sa.make_url(database).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            if statement.startswith(("CREATE", "INSERT")):
                connection.exec_driver_sql(in_postgresql(statement))
    engine.dispose()
    return database


def in_postgresql(statement):
    """A statement of SQLite as PostgreSQL writes it."""
    statement = re.sub(r"X'([0-9A-F]*)'", r"'\\x\1'::bytea", statement).replace(" BLOB", " BYTEA")
    for key in "id", "number":
        statement = statement.replace(f"\t{key} INTEGER NOT NULL", f"\t{key} SERIAL NOT NULL")
    return statement.replace(" WITHOUT ROWID", "").replace('INSERT INTO "', 'INSERT INTO "')


def kept(script, table):
    """The rows of a table in a dump, as text."""
    return re.findall(rf'INSERT INTO "{table}" VALUES\((.*)\);', script)


def test_version_3_keeps_everything(version_3):
    script = gzip.decompress(VERSION_3.read_bytes()).decode()
    ((_, tables),) = [row.rsplit(",", 1) for row in kept(script, "bpp_tables")]
    with pm.Book(version_3, create=False) as book:
        assert contents(book) == contents(learnt(HANDS[:12]))
        assert list(book.contributions()) == counted(HANDS[:12])
        assert book.knowledge(BayesTables).to_bytes() == bytes.fromhex(tables[2:-1])
        assert book.knowledge(BayesTables).hands == 8
        sums = {row.split(",")[2]: bytes.fromhex(row.split(",")[3][2:-1]) for row in kept(script, "sums")}
        for name, estimator in ("Ann", "em"), ("Bob", "showdown_only"):
            assert book.knowledge(opponent_counts(READER, estimator), name).to_bytes() == sums[f"'{name}'"]
        assert opponent_tables(book, "Ann", READER).counts.sum() > 20

        # and which hands it had learnt for what
        assert book.learn(HANDS[:14]).new_to == {"statistics": 2, "bpp": 6}
        with book._database.transaction() as connection:
            rows = connection.execute(sa.select(_schema.KNOWLEDGE)).all()
            hands = connection.execute(sa.select(_schema.LEARNT)).all()
        learnt_by = {(row.kind, row.name): [each for each in hands if each.knowledge == row.id] for row in rows}
        assert {key: len(found) for key, found in learnt_by.items()} == {
            ("statistics", ""): 14,
            ("bpp", ""): 14,
            ("stud 9 act2 em", "Ann"): 20,
            ("stud 9 act2 showdown_only", "Bob"): 4,
        }
        assert "hands" not in sa.inspect(book._database.engine).get_table_names()
        assert contents(book) == contents(learnt(HANDS[:14]))
    with pm.Book(version_3, create=False) as book:
        assert book.hands == 14


def test_version_2(version_3):
    """It had no sums of other games."""
    run(version_3, "DROP TABLE sums", "DROP TABLE sum_hands", "UPDATE pokermodel SET version = 2")
    with pm.Book(version_3, create=False) as book:
        assert contents(book) == contents(learnt(HANDS[:12]))
        assert book.knowledge(BayesTables).hands == 8
        assert opponent_tables(book, "Ann", READER).counts.sum() == 0


def test_version_2_without_tables_of_bpp(version_3):
    run(version_3, *(f"DROP TABLE {name}" for name in ("sums", "sum_hands", "bpp_tables", "bpp_hands")))
    run(version_3, "UPDATE pokermodel SET version = 2")
    with pm.Book(version_3, create=False) as book:
        assert contents(book) == contents(learnt(HANDS[:12]))
        assert book.knowledge(BayesTables) is None


def run(where, *statements):
    """Execute statements in the database of a book that cannot be opened yet."""
    database = _database.Database(where, create=False)
    with database.transaction(write=True) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    database.close()


def coarse(added):
    """What a hand added without the richer contexts, as version 1 counted it."""
    return tuple(each._replace(counters=tuple(k for k in each.counters if k < CONTEXTS)) for each in added)


def make_version_1(where):
    """Make a book of version 3 one of version 1, as that wrote it."""
    database = _database.Database(where, create=False)
    with database.transaction(write=True) as connection:
        ids = {name: number for number, name in connection.exec_driver_sql("SELECT id, name FROM players")}
        hands = sa.Table("hands", sa.MetaData(), autoload_with=connection)
        for key, added in counted(HANDS[:12]):
            lesson = _players._packed(coarse(added), ids)
            connection.execute(hands.update().where(hands.c.identity == key).values(lesson=lesson))
        connection.exec_driver_sql(f"DELETE FROM counters WHERE player = 0 OR counter >= {CONTEXTS}")
        for name in "sums", "sum_hands", "bpp_tables", "bpp_hands":
            connection.exec_driver_sql(f"DROP TABLE {name}")
        connection.exec_driver_sql("UPDATE pokermodel SET version = 1")
    database.close()


def test_version_1(version_3):
    """It keeps what it knows, and learns the richer contexts of a hand when it meets that again."""
    make_version_1(version_3)
    known = contents(learnt(HANDS[:12]))
    with pm.Book(version_3) as book, pm.Book("sqlite://") as coarse_only:
        kept = contents(book)
        assert all(kept[name][::2] == known[name][::2] for name in book)  # all but the richer contexts
        assert kept[None] == (known[None][0], {})
        assert not any(book.contexts(name).rich for name in book)
        coarse_only.merge(book)
        assert contents(coarse_only) == kept

        assert book.learn(HANDS[8:], kinds=STATISTICS) == Learnt(28, 4)
        assert book.learn(HANDS[5:], kinds=STATISTICS) == Learnt(0, 35)  # and only once
        assert book.population().coarse.sum() > sum(book.population().rich.values()) > 0
        assert book.merge(learnt(HANDS[:5])) == Learnt(0, 5)
        assert contents(book) == contents(learnt(HANDS))
        assert list(book.contributions()) == counted(HANDS)

        assert coarse_only.merge(learnt(HANDS[:12])) == Learnt(0, 12)
        assert contents(coarse_only) == known
        assert coarse_only.merge(coarse_only) == Learnt(0, 12)
        assert contents(coarse_only) == known


@pytest.mark.usefixtures("backend")
def test_evidence_without_richer_contexts_waits_for_that_with_them():
    ((key, whole),) = counted(HANDS[3:4])
    for order in (coarse(whole), whole), (whole, coarse(whole)):
        book = books.empty_book()
        found = [book.learn_evidence([HandEvidence(key, {"statistics": added})], [PlayerStatistics]) for added in order]
        assert found == [Learnt(1, 0), Learnt(0, 1)]
        assert contents(book) == contents(learnt(HANDS[3:4]))


@pytest.mark.parametrize("version", ["0", "-1", "'new'", "NULL", "1.5"])
def test_a_version_that_there_never_was(tmp_path, version):
    path = tmp_path / "book"
    pm.Book(path).close()
    run(str(path), f"UPDATE pokermodel SET version = {version}")
    with pytest.raises(BookError, match="is damaged: it is a book of version"):
        pm.Book(path)
