"""Books of older versions become new ones, with all that they know."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.classics.stud import Reader, opponent_tables
from pokermodel.classics.stud.opponents import opponent_counts
from pokermodel.errors import BookError
from pokermodel.learning import _schema, _tables
from pokermodel.learning.evidence import HandEvidence
from pokermodel.learning.layout import TABLES
from pokermodel.learning.statistics import SHOWDOWN_WON, PlayerStatistics, positions
from pokermodel.learning.store import Learnt
from tests.common import books
from tests.common.books import HANDS, STATISTICS, contents, counted, exported, learnt
from tests.common.old_books import dump, make_version_1, run, without_positions, written

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
    """The database of a book of version 3, in SQLite and in PostgreSQL."""
    return written(3, database)


@pytest.fixture
def version_4(database):
    return written(4, database)


def before_5(known):
    """Contents of a book as books before version 5 had them: without positions and what is counted with them."""
    first, last = TABLES["positions"].first, SHOWDOWN_WON
    found = dict(known)
    for name in found.keys() - {None}:
        totals, *rest = found[name]
        found[name] = (totals[:first] + [0] * (last - first) + totals[last:], *rest)
    return found


def kept(script, table):
    """The rows of a table in a dump, as text."""
    return re.findall(rf'INSERT INTO "{table}" VALUES\((.*)\);', script)


def test_version_3_keeps_everything(version_3):
    script = dump(3)
    ((_, tables),) = [row.rsplit(",", 1) for row in kept(script, "bpp_tables")]
    with pm.Book(version_3, create=False) as book:
        assert contents(book) == before_5(contents(learnt(HANDS[:12])))
        assert list(book.contributions()) == list(without_positions(HANDS[:12]))
        assert book.knowledge(BayesTables).to_bytes() == bytes.fromhex(tables[2:-1])
        assert book.knowledge(BayesTables).hands == 8
        sums = {row.split(",")[2]: bytes.fromhex(row.split(",")[3][2:-1]) for row in kept(script, "sums")}
        for name, estimator in ("Ann", "em"), ("Bob", "showdown_only"):
            assert book.knowledge(opponent_counts(READER, estimator), name).to_bytes() == sums[f"'{name}'"]
        assert opponent_tables(book, "Ann", READER).counts.sum() > 20

        # and which hands it had learnt for what
        assert book.learn(HANDS[:14]).new_to == {"statistics": 2, "bpp": 6, "adaptive": 14}
        with book._database.transaction() as connection:
            rows = connection.execute(sa.select(_tables.KNOWLEDGE)).all()
            hands = connection.execute(sa.select(_tables.LEARNT)).all()
        learnt_by = {(row.kind, row.name): [each for each in hands if each.knowledge == row.id] for row in rows}
        assert {key: len(found) for key, found in learnt_by.items()} == {
            ("statistics", ""): 14,
            ("bpp", ""): 14,
            ("adaptive", ""): 14,
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
        assert contents(book) == before_5(contents(learnt(HANDS[:12])))
        assert book.knowledge(BayesTables).hands == 8
        assert opponent_tables(book, "Ann", READER).counts.sum() == 0


def test_version_2_without_tables_of_bpp(version_3):
    run(version_3, *(f"DROP TABLE {name}" for name in ("sums", "sum_hands", "bpp_tables", "bpp_hands")))
    run(version_3, "UPDATE pokermodel SET version = 2")
    with pm.Book(version_3, create=False) as book:
        assert contents(book) == before_5(contents(learnt(HANDS[:12])))
        assert book.knowledge(BayesTables) is None


def test_version_1(version_3):
    """It keeps what it knows, and learns the richer contexts of a hand when it meets that again."""
    make_version_1(version_3)
    known = before_5(contents(learnt(HANDS[:12])))
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
        assert exported(book) == exported(learnt(HANDS))

        assert coarse_only.merge(learnt(HANDS[:12])) == Learnt(0, 12)
        assert exported(coarse_only) == exported(learnt(HANDS[:12]))
        assert coarse_only.merge(coarse_only) == Learnt(0, 12)
        assert exported(coarse_only) == exported(learnt(HANDS[:12]))


def test_version_4_keeps_everything(version_4):
    script = dump(4)
    recent = dict(re.findall(r"VALUES\(\d+,'(\w+)','(\w*)'\)", script))
    assert len(recent) == 5
    with pm.Book(version_4, create=False) as book:
        kept, whole = contents(book), before_5(contents(learnt(HANDS[:12])))
        assert {name: known[:2] for name, known in kept.items()} == {name: known[:2] for name, known in whole.items()}
        for name, letters in recent.items():  # in the order in which they were learnt
            numbers = [int(letter, 36) for letter in letters]
            assert [(round, bets, act) for (round, bets), act in book.recent(name)] == [
                (number // 9, number // 3 % 3, number % 3) for number in numbers
            ]
            assert book.profile(name).incomplete == book.profile(name).hands
            assert list(book.breakdown("position", name)) == list(book.breakdown("month", name)) == ["unknown"]
        assert book.knowledge(BayesTables).hands == 8
        assert book.hands == 12


def test_version_4_learns_what_is_missing_where_a_hand_is_met_again(version_4):
    with pm.Book(version_4) as book, pm.Book("sqlite://") as other:
        other.merge(book)
        assert book.learn(HANDS[5:7], kinds=STATISTICS) == Learnt(0, 2)
        assert 0 < sum(book.profile(name).incomplete for name in book) == 3 * 10
        assert book.learn([HANDS[k] for k in (13, 4, 11, 2)], kinds=STATISTICS) == Learnt(1, 3)
        assert book.learn(HANDS[:14]).new_to == {"statistics": 1, "bpp": 6, "adaptive": 14}
        assert exported(book) == exported(learnt(HANDS[:14]))
        assert not any(book.profile(name).incomplete for name in book)

        other.merge(learnt(HANDS[7:9]))  # from a book that has it all
        assert other.merge(book).new == 2
        assert exported(other) == exported(book)


@pytest.mark.usefixtures("backend")
def test_evidence_without_what_is_new_waits_for_that_with_it():
    ((key, whole),) = counted(HANDS[3:4])
    ((_, older),) = without_positions(HANDS[3:4])
    for order in (older, whole), (whole, older):
        book = books.empty_book()
        found = [book.learn_evidence([HandEvidence(key, {"statistics": added})], [PlayerStatistics]) for added in order]
        assert found == [Learnt(1, 0), Learnt(0, 1)]
        assert exported(book) == exported(learnt(HANDS[3:4]))


@pytest.mark.usefixtures("backend")
def test_what_is_missing_goes_to_the_players_who_were_learnt():
    """Another player's copy of a hand has other names at tables of anonymous players."""
    hand = HANDS[3]
    parts = hand.spec, hand.players, hand.actions, hand.board, hand.holdings
    first = pm.Hand("bovada", "1", *parts)
    second = pm.Hand("bovada", "1", hand.spec, ("Xia", "Yul", "Zoe"), *parts[2:])
    ((key, older),) = without_positions([first])
    book = books.empty_book()
    book.learn_evidence([HandEvidence(key, {"statistics": older})], [PlayerStatistics])
    assert book.learn([second], kinds=STATISTICS) == Learnt(0, 1)
    assert exported(book) == exported(learnt([first]))
    assert [list(book.breakdown("position", name)) for name in hand.players] == [
        ["small blind"],
        ["big blind"],
        ["button"],
    ]
    assert positions(hand.spec) == (0, 1, 5)


@pytest.mark.parametrize("version", ["0", "-1", "'new'", "NULL", "1.5"])
def test_a_version_that_there_never_was(tmp_path, version):
    path = tmp_path / "book"
    pm.Book(path).close()
    run(str(path), f"UPDATE pokermodel SET version = {version}")
    with pytest.raises(BookError, match="is damaged: it is a book of version"):
        pm.Book(path)
