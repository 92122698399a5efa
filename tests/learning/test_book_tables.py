"""BPP's tables in the book, and the commands that make and use them."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager

import pytest

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.errors import BookError
from pokermodel.learning import book as book_module
from pokermodel.learning.book import Learnt
from pokermodel.reading import BayesTables

from ..common.books import HANDS, SPEC
from ..common.books import empty_book as new_book

on_both = pytest.mark.usefixtures("backend")


@on_both
def test_hands_count_once():
    book = new_book()
    assert book.tables() is None
    assert book.learn_tables(HANDS[:6], passes=0) == Learnt(6, 0)
    assert book.learn_tables(HANDS[:8], passes=0) == Learnt(2, 6)
    again = book.tables().to_bytes()
    assert book.learn_tables([*HANDS[:8], *HANDS[:2]]) == Learnt(0, 10)
    assert book.tables().to_bytes() == again
    assert book.tables().hands == 8
    expected = BayesTables()
    for hand in HANDS[:8]:
        expected.learn(hand)
    assert again == expected.to_bytes()
    assert book.hands == 0  # that is another matter


@on_both
def test_broken_hands_are_left_out():
    book = new_book()
    example = pm.example_hand()
    broken = pm.Hand("t", "1", example.spec, example.players, example.actions[:3])
    assert book.learn_tables([broken, example]) == Learnt(2, 0)
    assert book.tables().hands == 1


@on_both
def test_books_of_different_hands_are_added():
    one, two, three = new_book(), new_book(), new_book()
    one.learn_tables(HANDS[:4], passes=0)
    two.learn_tables(HANDS[4:8], passes=0)
    first, second = one.tables(), two.tables()
    one.merge(two)
    first.merge(second)
    assert one.tables().to_bytes() == first.to_bytes()
    three.merge(one)  # into an empty one
    assert three.tables().to_bytes() == first.to_bytes()
    three.merge(two)  # all of which it has
    assert three.tables().to_bytes() == first.to_bytes()
    assert three.learn_tables(HANDS[2:10]) == Learnt(2, 6)
    three.merge(new_book())


@on_both
def test_what_is_learnt_while_books_are_merged_is_not_lost(monkeypatch):
    one, two = new_book(), new_book()
    two.learn_tables(HANDS[:4], passes=0)
    transaction, begun = two._transaction, []

    @contextmanager
    def interrupted(write=False):
        with transaction(write) as connection:
            yield connection
        if not begun:
            begun.append(True)
            two.learn_tables(HANDS[4:8], passes=0)  # somebody else, meanwhile

    monkeypatch.setattr(two, "_transaction", interrupted)
    one._merge_tables(two)
    missing = one.learn_tables(HANDS[:8], passes=0)
    assert begun
    assert one.tables().hands == 8
    assert missing == Learnt(4, 4)


@pytest.mark.parametrize("name", ["Ann\0Bob", "\ud800"])
def test_names_that_no_book_takes(name):
    odd = pm.Hand("t", "odd", SPEC, (name, "Dee", "Eve"), HANDS[0].actions, HANDS[0].board, HANDS[0].holdings)
    book, without = new_book(), new_book()
    skipped = []
    assert book.learn([odd, *HANDS[:3]], skipped=skipped) == Learnt(3, 0)
    assert len(skipped) == 1
    assert book.learn_tables([odd, *HANDS[:3]], passes=0) == Learnt(4, 0)
    without.learn_tables(HANDS[:3], passes=0)
    assert book.tables().to_bytes() == without.tables().to_bytes()
    tables = BayesTables()
    tables.learn(odd)
    with pytest.raises(ValueError, match="not text that can be kept"):
        tables.to_bytes()


@on_both
def test_who_is_slower_starts_again(monkeypatch):
    book = new_book()
    store, calls = book._store, []

    def slow(revision, tables, identities):
        if not calls:
            calls.append(revision)
            book.learn_tables(HANDS[:3], passes=0)  # somebody else, meanwhile
        return store(revision, tables, identities)

    monkeypatch.setattr(book, "_store", slow)
    assert book.learn_tables(HANDS[:5], passes=0) == Learnt(2, 3)
    assert book.tables().hands == 5


def test_batches(monkeypatch):
    monkeypatch.setattr(book_module, "BATCH", 2)
    told = []
    book = new_book()
    book.learn_tables(HANDS[:5], passes=0, progress=told.append)
    assert told == [2, 4, 5]
    whole = new_book()
    monkeypatch.setattr(book_module, "BATCH", 100)
    whole.learn_tables(HANDS[:5], passes=0)
    assert book.tables().to_bytes() == whole.tables().to_bytes()


@on_both
def test_damaged_tables():
    book = new_book()
    book.learn_tables(HANDS[:1])
    with book._transaction(write=True) as connection:
        connection.execute(book_module._bpp_tables.update().values(content=b"nothing"))
    with pytest.raises(BookError, match="no tables of BPP"):
        book.tables()


def run(capsys, *args):
    with pytest.raises(SystemExit) as left:
        main([*map(str, args)])
    output = capsys.readouterr()
    return subprocess.CompletedProcess(args, left.value.code, output.out, output.err)


def test_commands(data_dir, tmp_path, capsys):
    hands, book = data_dir / "irc-199504" / "sample300", tmp_path / "book"
    example = data_dir / "bovada-limit"
    learnt = run(capsys, "learn", hands, "--bpp", "--book", book)
    assert learnt.returncode == 0, learnt.stderr
    assert "300 hands new to BPP, 0 known" in learnt.stderr
    with pm.Book(book) as learnt_book:
        assert learnt_book.tables().hands == 300
    assert "0 hands new to BPP, 300 known" in run(capsys, "learn", hands, "--bpp", "--book", book).stderr
    read = json.loads(run(capsys, "read", "--model", "bpp", "--book", book, "--json").stdout)
    plain = json.loads(run(capsys, "read", "--model", "bpp", "--json").stdout)
    assert read["model"] == "bpp"
    assert read["steps"][0]["predicted"] != plain["steps"][0]["predicted"]
    assert sum(read["steps"][0]["predicted"]) == pytest.approx(1)
    informed, ignorant = (
        json.loads(run(capsys, "score", example, "--model", "bpp", "--frozen", "--json", *more).stdout)
        for more in (("--book", book), ())
    )
    assert informed["action_log_loss"] < ignorant["action_log_loss"]
    without = tmp_path / "without"
    run(capsys, "learn", hands, "--book", without)
    refused = run(capsys, "read", "--model", "bpp", "--book", without)
    assert refused.returncode == 2
    assert "pokermodel learn --bpp" in refused.stderr
