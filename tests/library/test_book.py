"""The book: that each hand is there once, in any order and any split, with its seats; and what is kept beside them."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.library import Added, Book, StoredVerdict
from tests.common.random_hands import wild_hand


@cache
def hand(seed: int) -> pm.Hand:
    return wild_hand(random.Random(seed), seed)


HANDS = [hand(seed) for seed in range(24)]


def content(book: Book) -> list[tuple[object, ...]]:
    """All seats of a book, in an order that does not depend on how they came there."""
    with book._database.transaction() as connection:
        names = [each["name"] for each in sa.inspect(connection).get_columns("seats") if each["name"] != "hand"]
        rows = connection.exec_driver_sql(f"SELECT {', '.join(names)} FROM seats").all()
    return sorted(map(tuple, rows), key=repr)


@cache
def all_at_once() -> list[tuple[object, ...]]:
    with Book("sqlite://") as book:
        book.add(HANDS)
        return content(book)


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(len(HANDS))), st.lists(st.integers(0, len(HANDS)), max_size=4))
def test_neither_order_nor_splits_matter(order, cuts):
    hands = [HANDS[k] for k in order]
    bounds = [0, *sorted(cuts), len(hands)]
    with Book("sqlite://") as book:
        for low, high in pairwise(bounds):
            new = book.add(hands[low:high])
            assert new == Added(high - low, 0)
            assert book.add(hands[:high:2]) == Added(0, len(hands[:high:2]))
        assert book.hands == len(hands)
        assert content(book) == all_at_once()
        book.check()


def test_every_database_has_the_same(database):
    with Book(database) as book:
        book.add(HANDS[:10])
        book.add(HANDS)
        assert len(content(book)) == len(all_at_once())
        assert len(book.columns.hands) == len(HANDS)
        with book._database.transaction() as connection:
            names = "number, seat, player, net, all_in_ev, cards, vpip, pfr_could, wtsd, af, line"
            mine = connection.exec_driver_sql(f"SELECT {names} FROM seats").all()
    with Book("sqlite://") as other:
        other.add(HANDS)
        with other._database.transaction() as connection:
            theirs = connection.exec_driver_sql(f"SELECT {names} FROM seats").all()
    assert sorted(map(repr, map(tuple, mine))) == sorted(map(repr, map(tuple, theirs)))


def test_columns_are_the_rows_and_are_extended(tmp_path):
    path = tmp_path / "b.db"
    with Book(path) as book, Book("sqlite://") as other:
        for k in range(0, len(HANDS), 5):
            book.add(HANDS[k : k + 5])
            assert len(book.columns.hands) == book.hands
        other.add(HANDS)
        for table in "hands", "seats", "own", "details":
            mine, theirs = getattr(book.columns, table), getattr(other.columns, table)
            assert len(mine) == len(theirs)
            for name in mine._kinds:
                assert mine[name].tolist() == theirs[name].tolist()
        net = book.columns.seats["net"].sum()
    with Book(path, create=False) as again:  # from the files
        assert again.columns.seats["net"].sum() == net
        with again._database.transaction() as connection:
            assert again.columns.seats["did_0"].tolist() == list(
                connection.exec_driver_sql("SELECT did_0 FROM _seats ORDER BY hand, seat").scalars()
            )
            query = "SELECT detail, s.seat = h.hero FROM _seats s JOIN _hands h ON h.id = s.hand ORDER BY h.id, s.seat"
            details = connection.exec_driver_sql(query).all()
        for table, wanted in (("seats", details), ("own", [each for each in details if each[1]])):
            turned = np.arange(len(wanted))[::-1]
            numbers, of = getattr(again.columns, table).numbers(turned)
            for place, k in enumerate(turned.tolist()):
                assert numbers[of == place].astype("<u2").tobytes() == bytes(wanted[k][0])


@pytest.mark.parametrize("harm", ["delete", "cut", "nonsense", "another book", "no folder"])
def test_columns_are_a_cache(tmp_path, harm):
    path = tmp_path / "b.db"
    with Book(path) as book:
        book.add(HANDS[:12])
        net = book.columns.seats["net"].tolist()
    folder = Path(f"{path}.columns")
    if harm == "delete":
        for file in folder.rglob("*"):
            if file.is_file():
                file.unlink()
    elif harm == "cut":
        next(folder.rglob("seats/net")).write_bytes(b"12345")
    elif harm == "nonsense":
        next(folder.rglob("state")).write_text("{[")
    elif harm == "another book":
        path.unlink()
        with Book(path) as book:
            book.add(HANDS[12:])
            net = book.columns.seats["net"].tolist()
    elif harm == "no folder":
        for file in sorted(folder.rglob("*"), reverse=True):
            file.unlink() if file.is_file() else file.rmdir()
        folder.rmdir()
        folder.write_text("a file in its way")
    with Book(path) as book:
        assert book.columns.seats["net"].tolist() == net


def test_readers_go_on_while_one_writes(tmp_path):
    path = tmp_path / "b.db"
    with Book(path) as book, Book(path) as other:
        book.add(HANDS[:4])
        with book._database.transaction(write=True) as connection:
            connection.exec_driver_sql("UPDATE _book SET revision = revision + 1")
            assert other.hands == 4  # and does not wait
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_two_writers_add_each_hand_once(tmp_path):
    path = tmp_path / "b.db"
    with Book(path), ThreadPoolExecutor(4) as pool:

        def add(seed):
            order = random.Random(seed).sample(HANDS, len(HANDS))
            with Book(path) as book:
                return sum(book.add(order[k : k + 3]).new for k in range(0, len(order), 3))

        assert sum(pool.map(add, range(4))) == len(HANDS)
        with Book(path) as book:
            assert content(book) == all_at_once()


KILLED = """
import random, sys
from pokermodel.library import Book
from tests.common.random_hands import wild_hand
book = Book(sys.argv[1])
print("ready", flush=True)
for seed in range(24):
    book.add([wild_hand(random.Random(seed), seed)])
    print(seed, flush=True)
"""


def test_a_kill_loses_nothing_that_was_added_and_adds_nothing_twice(tmp_path):
    path = tmp_path / "b.db"
    rng = random.Random(3)
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        said = 0
        for _ in range(rng.randrange(8)):
            said += bool(process.stdout.readline())
        process.kill()
        process.wait()
        process.stdout.close()
        with Book(path) as book:
            assert book.hands >= said
            book.check()
    with Book(path) as book:
        book.add(HANDS)
        assert content(book) == all_at_once()


# ---------------------------------------------------------------------------------------------------- what is refused


def test_what_is_no_book_is_refused(tmp_path):
    with pytest.raises(pm.BookError, match="no such book"):
        Book(tmp_path / "none.db", create=False)
    with sqlite3.connect(tmp_path / "else.db") as other:
        other.execute("CREATE TABLE things (a)")
    with pytest.raises(pm.BookError, match="is no book"):
        Book(tmp_path / "else.db")
    path = tmp_path / "b.db"
    with Book(path):
        pass
    with sqlite3.connect(path) as changed:
        changed.execute("UPDATE _book SET version = version + 1")
    changed.close()
    with pytest.raises(pm.BookError, match="another version"):
        Book(path)


def test_a_damaged_book_says_so_in_one_line(tmp_path):
    path = tmp_path / "b.db"
    with Book(path) as book:
        book.add(HANDS)
    data = bytearray(path.read_bytes())
    for place in range(3 * len(data) // 4, len(data)):  # heads of pages among them, whatever the order of tables
        data[place] ^= 0x5A
    path.write_bytes(data)
    with pytest.raises(pm.DamagedBookError) as error, Book(path, create=False) as book:
        book.check()
    assert len(str(error.value).splitlines()) == 1
    assert "learn its histories again" in str(error.value)


def test_a_book_that_cannot_be_written_is_read(tmp_path):
    path = tmp_path / "b.db"
    with Book(path) as book:
        book.add(HANDS[:3])
    with Book(path, create=False) as book:
        book._database.close()
        sa.event.listen(book._database.engine, "connect", lambda each, _: each.execute("PRAGMA query_only = ON"))
        assert book.hands == 3
        assert len(book.columns.hands) == 3
        with pytest.raises(pm.BookError, match="readonly"):
            book.add(HANDS)


# ---------------------------------------------------------------------------------------------- verdicts and knowledge


def verdict(action: int, loss: float, stamp: str = "one") -> StoredVerdict:
    return StoredVerdict("pokerstars", "7", action, stamp, "mistake", loss, loss - 1, loss + 1, "fold", "exact", b"x")


def test_verdicts_are_kept_by_stamp(tmp_path):
    with Book(tmp_path / "b.db") as book:
        book.verdicts.put([verdict(1, 2.0), verdict(2, 9.0), verdict(1, 4.0, "two")])
        book.verdicts.put([verdict(1, 3.0)])
        assert book.verdicts.of("one") == [verdict(2, 9.0), verdict(1, 3.0)]
        assert book.verdicts.of("two", site="pokerstars", number="7") == [verdict(1, 4.0, "two")]
        assert book.verdicts.of("two", number="8") == []
        book.verdicts.put([])


def test_pieces_are_written_once_for_each_hand(tmp_path):
    with Book(tmp_path / "b.db") as book:
        ann, all_of_them = ("player", "Ann"), ("shared", "")
        none = book.pieces.learnt("adaptive")
        assert none == ()
        assert book.pieces.put("adaptive", 3, {ann: b"a", all_of_them: b"s"}, numbers=[1, 2, 4], before=none)
        some = book.pieces.learnt("adaptive")
        assert some == ((1, 2), (4, 4))
        assert [some.has(number) for number in range(6)] == [False, True, True, False, True, False]
        assert not book.pieces.put("adaptive", 3, {ann: b"late"}, numbers=[5], before=none)
        assert book.pieces.put("adaptive", 3, {ann: b"b"}, numbers=[3, 5], before=some)
        assert book.pieces.read("adaptive", 3, [ann, all_of_them, ("player", "Bob")]) == {ann: b"b", all_of_them: b"s"}
        assert book.pieces.learnt("adaptive") == ((1, 5),)
        with pytest.raises(pm.BookError, match="version 3"):
            book.pieces.read("adaptive", 4, [ann])
