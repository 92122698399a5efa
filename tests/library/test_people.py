"""The book: that each hand is learnt once, in any order and any split, and what can be read of it."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.library import Learnt
from pokermodel.library._database import Database
from pokermodel.reading import Context
from tests.common import books
from tests.common.books import HANDS, SPEC, STATISTICS, contents, exported, in_batches_of, learnt, played
from tests.common.copies import WAYS

on_both = pytest.mark.usefixtures("backend")
FOLD, CALL, RAISE = pm.Act

# ------------------------------------------------------------------------------------- once, in any order, any split


def timed(hand, time):
    """The same hand, played at some time."""
    parts = hand._content()[:12]
    return pm.Hand(*parts, time)


AT = datetime(2009, 7, 1, 12, tzinfo=UTC)
#: Hands of which some have times, several the same one; the others stand by their numbers.
TIMED = [
    timed(hand, [None, AT + timedelta(minutes=k % 4), AT - timedelta(days=k)][k % 3]) for k, hand in enumerate(HANDS)
]


@cache
def all_at_once():
    with pm.Book("sqlite://") as book:
        book.learn(TIMED, kinds=STATISTICS)
        return exported(book)


@on_both
@settings(max_examples=4)
@given(st.permutations(range(len(TIMED))), st.lists(st.integers(0, len(TIMED)), max_size=4), st.data())
def test_neither_order_nor_splits_matter(order, cuts, data):
    """In any order, in batches, and by several books that are merged, some hands being in both."""
    bounds = [0, *sorted(cuts), len(TIMED)]
    parts = [[TIMED[k] for k in order[start:stop]] for start, stop in pairwise(bounds)]
    found = [books.empty_book() for _ in range(data.draw(st.integers(1, 3)))]
    for part in parts:
        found[data.draw(st.integers(0, len(found) - 1))].learn(part, kinds=STATISTICS)
    for book in found[1:]:
        book.learn(parts[0], kinds=STATISTICS)
        found[0].merge(book)
    assert exported(found[0]) == all_at_once()


def test_the_latest_acts_are_those_played_last():
    def first_to_bet(number, act, time=None, source="test"):
        """Ann bets or checks the flop; everybody checks, but for a fold to her bet."""
        acts = [(2, CALL), (0, CALL), (1, CALL), (0, act)]
        acts += [(1, FOLD), (2, FOLD)] if act == RAISE else [(1, CALL), (2, CALL), *[(k, CALL) for k in (0, 1, 2)] * 2]
        shown = {} if act == RAISE else {0: "AsAh", 1: "KsKh", 2: "QsQh"}
        board = "2c7d9h" if act == RAISE else "2c7d9hTc3d"
        return pm.Hand(source, number, SPEC, ("Ann", "Bob", "Cid"), acts, board, shown, time=time)

    def ends_with_a_bet(*hands):
        found = {learnt(order).recent("Ann")[-1] == (Context(1, 0), RAISE) for order in permutations(hands)}
        assert len(found) == 1  # in whatever order they were learnt
        return found.pop()

    later, early = AT + timedelta(seconds=1), AT - timedelta(days=400)
    east = later.astimezone(timezone(timedelta(hours=-5)))
    assert ends_with_a_bet(first_to_bet("1", RAISE, later), first_to_bet("2", CALL, AT), first_to_bet("3", CALL, early))
    assert ends_with_a_bet(first_to_bet("1", RAISE, east), first_to_bet("2", CALL, AT))
    assert ends_with_a_bet(first_to_bet("1", RAISE, later.replace(tzinfo=None)), first_to_bet("2", CALL, AT))
    # of the same time, and where none is known, by source and number, numbers as numbers
    assert ends_with_a_bet(first_to_bet("10", RAISE, AT), first_to_bet("9", CALL, AT))
    assert ends_with_a_bet(first_to_bet("10", RAISE), first_to_bet("9", CALL), first_to_bet("0008", CALL))
    assert ends_with_a_bet(first_to_bet("797-12", RAISE), first_to_bet("797-9", CALL), first_to_bet("99-100", CALL))
    assert ends_with_a_bet(first_to_bet("1", RAISE, source="z"), first_to_bet("2", CALL, source="a"))
    assert ends_with_a_bet(first_to_bet("2", RAISE, source="a/z"), first_to_bet("1", CALL, source="a/b"))  # of a folder
    assert ends_with_a_bet(first_to_bet("1", RAISE, early), first_to_bet("2", CALL))  # those without a time come first


def test_a_book_merges_books():
    with pytest.raises(ValueError, match=r"expected a Book, as Book\(path\) opens it, got 'theirs.db'"):
        learnt(HANDS[:1]).merge("theirs.db")


@on_both
@settings(max_examples=4)
@given(st.integers(0, 40), st.integers(0, 40))
def test_a_merged_book_has_learnt_both(stop, start):
    ours, theirs = learnt(HANDS[:stop]), learnt(HANDS[start:])
    assert ours.merge(theirs).known == max(stop - start, 0)
    both = [*HANDS[:stop], *HANDS[start:]]
    assert contents(ours) == contents(learnt(both))
    assert ours.merge(theirs).new == 0
    assert ours.merge(ours).new == 0


@on_both
def test_batches_leave_no_trace(monkeypatch):
    whole = contents(learnt(HANDS))
    monkeypatch.setattr(pm.library._database, "_ASKED", 2)
    in_batches_of(3, monkeypatch)
    progress = []
    assert contents(learnt(HANDS, progress=progress.append)) == whole
    assert progress[0] == 3
    assert progress[-1] == len(HANDS)
    assert contents_after_merge(learnt(HANDS)) == whole


def test_threads_share_a_book_in_memory():
    book, expected = pm.Book("sqlite://"), pm.Book("sqlite://")
    expected.learn(HANDS, kinds=STATISTICS)

    def learn(first):
        found = [book.learn([hand], kinds=STATISTICS).new for hand in HANDS[first::4]]
        return sum(found), len(book), book.profile(HANDS[first].players[0]).hands

    with ThreadPoolExecutor(4) as pool:
        for new, players, hands in pool.map(learn, range(4)):
            assert new == 10
            assert 3 <= players <= 5
            assert hands > 0
    assert contents(book) == contents(expected)
    book.close()
    expected.close()


# ---------------------------------------------------------------------------------------------- copies and pickles


@pytest.mark.parametrize("way", WAYS)
def test_another_book_at_the_same_address(tmp_path, monkeypatch, way):
    monkeypatch.chdir(tmp_path)
    book = pm.Book("players #1.book")
    book.learn(HANDS[:10], kinds=STATISTICS)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    other = WAYS[way](book)
    assert type(other) is pm.Book
    assert contents(other) == contents(learnt(HANDS[:10]))
    assert other.learn(HANDS, kinds=STATISTICS) == (30, 10)
    book.close()
    assert other.hands == 40
    other.close()


def test_a_pickle_of_a_book_that_is_gone(tmp_path):
    path = tmp_path / "players.book"
    with pm.Book(path) as book:
        content = pickle.dumps(book)
        assert len(content) < 500
    path.unlink()
    with pytest.raises(pm.BookError, match="no such book"):
        pickle.loads(content)
    assert not path.exists()


@pytest.mark.parametrize("way", WAYS)
def test_a_book_in_memory_has_no_address(way):
    with (
        pm.Book("sqlite://") as book,
        pytest.raises(pm.BookError, match="a book in memory cannot be copied or pickled, since it has no address"),
    ):
        WAYS[way](book)


def test_a_password_goes_with_a_pickle():
    pytest.importorskip("psycopg")
    database = Database("postgresql://eve:secret@host/players", create=False)
    assert "secret" not in database.where
    assert database.address == "postgresql+psycopg://eve:secret@host/players"
    database.close()


@pytest.mark.parametrize("where", ["file", "sqlite://"])
@pytest.mark.parametrize("model", ["som", "loki2:contexts", "loki2:som?contexts=previous"])
def test_branches_of_a_session_share_its_book(tmp_path, model, where):
    """Whatever database it is in; from a pickle it is opened again."""
    book = pm.Book(tmp_path / "players.book" if where == "file" else where)
    book.learn(HANDS[:20], kinds=STATISTICS)
    session = pm.OpponentModeler(model, book=book)
    decisions = list(HANDS[25].replay())
    for decision in decisions[:2]:
        session.observe(decision)
    others = [session.copy(), copy.copy(session), copy.deepcopy(session)]
    if where == "file":
        others.append(pickle.loads(pickle.dumps(session)))
    else:
        with pytest.raises(pm.BookError, match="in memory"):
            pickle.dumps(session)
    for decision in [*decisions[2:], *(each for hand in HANDS[30:34] for each in hand.replay())]:
        expected = session.observe(decision).weights_after.tobytes()
        for other in others:
            assert other.observe(decision).weights_after.tobytes() == expected
    book.close()


def contents_after_merge(other):
    book = books.empty_book()
    book.merge(other)
    return contents(book)


# ------------------------------------------------------------------------------------------------------ as a mapping


def test_a_modeler_reads_a_book_and_does_not_write(tmp_path):
    path = tmp_path / "players.book"
    book = pm.Book(path)
    book.learn(HANDS[:30], kinds=STATISTICS)
    before = contents(book)
    watched = pm.OpponentModeler(model="som", book=book)
    plain = pm.OpponentModeler(model="som", book={name: pm.reading.ActionCounts(book[name].values) for name in book})
    for hand in HANDS[30:]:
        for decision in hand.replay():
            ours, theirs = watched.observe(decision), plain.observe(decision)
            assert (ours.weights_after == theirs.weights_after).all()
    with pm.Book(path, create=False) as again:
        assert contents(book) == before == contents(again)
    book.learn(HANDS[30:], kinds=STATISTICS)
    for name in book:
        assert book[name] == (plain.reader.frequencies.counts(name) or pm.reading.ActionCounts())
    book.close()


@on_both
def test_a_modeler_goes_on_from_a_book():
    """With the latest actions and the richer contexts."""
    book = learnt(HANDS[:30])
    for model in "loki2:som", "loki2:contexts", "loki2:som?contexts=previous&system=B":
        whole, going_on = pm.OpponentModeler(model), pm.OpponentModeler(model, book=learnt(HANDS[:30]))
        for hand in HANDS[:30]:
            whole.learn(hand)
        for hand in HANDS[30:]:
            for decision in hand.replay():
                ours, theirs = whole.observe(decision), going_on.observe(decision)
                np.testing.assert_allclose(ours.weights_after, theirs.weights_after, rtol=1e-9, atol=1e-12)
    assert book.recent("Ann") == book.profile("Ann").recent
    assert book.recent("nobody") == ()


def test_mapping():
    book = learnt(HANDS)
    assert "nobody" not in book
    with pytest.raises(KeyError):
        book["nobody"]
    with pytest.raises(KeyError):
        book.profile("nobody")
    assert "a\0b" not in book
    assert "\ud800" not in book
    assert book.recent("\ud800") == ()
    assert len(book) == 5
    book["Ann"].add(pm.reading.Context(0, 0), CALL)  # to a copy
    assert book["Ann"] == learnt(HANDS)["Ann"]
    assert book != learnt(HANDS)
    assert book == book
    assert {book: 1}[book] == 1


def test_the_database_library_waits_until_a_book_is_opened():
    code = "import sys, pokermodel.learning, pokermodel.cli; sys.exit('sqlalchemy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@on_both
@on_both
def test_a_digest_tells_whether_anything_has_been_learnt():
    book = learnt(HANDS[:5])
    some = book.digest()
    book.learn(HANDS[:5], kinds=STATISTICS)  # which it knows
    assert book.digest() == some
    book.learn(HANDS[5:6], kinds=STATISTICS)
    more = book.digest()
    book.alias("Ann", "Bob")
    renamed = book.digest()
    book.merge(learnt(HANDS[6:8]))
    assert len({learnt([]).digest(), some, more, renamed, book.digest()}) == 5


def test_names_are_opaque():
    names = ("Ann'); DROP TABLE players;--", "\u202eBob \U0001f0a1", "  ")
    book = learnt([played(0, 0, names)])
    assert list(book) == sorted(names)
    for name in "\ud800x", "a\0b":
        with pytest.raises(ValueError, match="is not text"):
            learnt([played(0, 0, (name, "b", "c"))])


# -------------------------------------------------------------------------------------------------------- bad input


@on_both
def test_hands_that_break_the_rules():
    bad = pm.Hand("t", "bad", SPEC, ("Ann", "Bob", "Cid"), [(0, CALL)])
    unfinished = pm.Hand("t", "open", SPEC, ("Ann", "Bob", "Cid"), [(2, CALL)])
    skipped = []
    book = books.empty_book()
    assert book.learn([bad, HANDS[0], unfinished], skipped=skipped, kinds=STATISTICS) == Learnt(1, 0)
    assert ["bad" in str(skipped[0]), "open" in str(skipped[1])] == [True, True]
    with pytest.raises(ValueError, match="turn of seat 2"):
        book.learn([bad], kinds=STATISTICS)
    antes = pm.GameSpec((5, 10, 0), (1, 1, 2, 2), (2, 0, 0, 0), antes=(2_000_000,) * 3)
    with pytest.raises(ValueError, match="more than 1,000,000 small bets"):
        book.learn([pm.Hand("t", "dear", antes, ("Ann", "Bob", "Cid"), [(2, FOLD), (0, FOLD)])])
    assert book.hands == 1


def test_a_pot_shared_by_those_whom_antes_put_all_in(tmp_path):
    spec = pm.GameSpec((1, 2), (2, 2, 4, 4), (0, 0, 0, 0), antes=(10, 10))
    cards = {0: "AsKs", 1: "AdKd"}
    with pm.Book(tmp_path / "book") as book:
        book.learn([pm.Hand("t", "1", spec, ("Ann", "Bob"), [], "2h3h4h5c6c", cards, stacks=(10, 10))])
        for name in "Ann", "Bob":
            assert book.profile(name).statistics["w_sd"].numerator == 1
        book.learn([pm.Hand("t", "2", spec, ("Ann", "Bob"), [], "2hKh4h5c7c", {0: "AsKs", 1: "QdJd"}, stacks=(10, 30))])
        won = [book.profile(name).statistics["w_sd"].numerator for name in ("Ann", "Bob")]
        assert won == [2, 1]


def test_no_book(tmp_path):
    with pytest.raises(pm.BookError, match="no such book"):
        pm.Book(tmp_path / "none", create=False)
    assert not list(tmp_path.iterdir())
    with pytest.raises(pm.BookError, match="is a folder"):
        pm.Book(tmp_path)
    with pytest.raises(pm.BookError, match="there is no folder"):
        pm.Book(tmp_path / "a" / "b")
    with pytest.raises(pm.BookError, match="got a URL of 'mysql'"):
        pm.Book("mysql://host/db")
    with pytest.raises(pm.BookError, match=r"'bo\\udcff' cannot name a book: it is not UTF-8 text"):
        pm.Book("bo\udcff")
    with pytest.raises(pm.BookError, match="is no URL"):
        pm.Book("://")
    with pytest.raises(pm.BookError, match="the name of the book is empty"):
        pm.Book("")
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(pm.BookError, match="it is empty"):
        pm.Book(empty, create=False)
    pm.Book(empty).close()  # as a process leaves it that is killed at the wrong moment
