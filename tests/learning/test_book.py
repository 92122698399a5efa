"""The book: what it counts, that it counts once, and that nothing can damage it."""

from __future__ import annotations

import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.errors import HistoryError
from pokermodel.evaluation.hand_types import HAND_TYPES
from pokermodel.histories import HandSource, phh
from pokermodel.learning import book as book_module
from pokermodel.learning.book import Learnt
from pokermodel.learning.lessons import _AT, CONTEXTS, SIZE, Tally, identity, lesson
from pokermodel.learning.profile import Profile, wilson
from pokermodel.reading import Context
from pokermodel.reading.parts.contexts import N_CONTEXTS, ContextBook, ContextCounts, RichContext
from pokermodel.report.profile import print_profile

from ..common import books
from ..common.books import HANDS, SPEC, contents, learnt, played

on_both = pytest.mark.usefixtures("backend")
FOLD, CALL, RAISE = pm.Act.FOLD, pm.Act.CALL, pm.Act.RAISE

# ------------------------------------------------------------------------------------------------- what is counted


@on_both
def test_statistics_of_two_hands_by_hand():
    first = pm.Hand(
        *("t", "1", SPEC, ("Ann", "Bob", "Cid")),
        # Cid raises, Ann re-raises, Bob folds, Cid calls; Ann bets, Cid raises, Ann calls; checked down
        [(2, RAISE), (0, RAISE), (1, FOLD), (2, CALL), (0, RAISE), (2, RAISE), (0, CALL), *[(0, CALL), (2, CALL)] * 2],
        "2c7d9hTsKd",
        {0: "AsAh", 2: "QsJs"},
    )
    walk = pm.Hand("t", "2", SPEC, ("Ann", "Bob", "Cid"), [(2, FOLD), (0, FOLD)])
    book = learnt([first, walk])

    def made(name):
        return {key: (found.numerator, found.denominator) for key, found in book.profile(name).statistics.items()}

    assert first.payoffs == (-50, -10, 60)  # by a straight
    assert made("Ann") == {
        "vpip": (1, 2),
        "pfr": (1, 2),
        "three_bet": (1, 1),
        "af": (1, 1),
        "afq": (1, 2),
        "wtsd": (1, 1),
        "w_sd": (0, 1),
        "wwsf": (0, 1),
        "small_bets": (pytest.approx(-5.5), 2),
    }
    assert made("Bob")["vpip"] == (0, 1)  # the walk gave him no choice
    assert made("Bob")["small_bets"] == (pytest.approx(-1 + 0.5), 2)
    assert made("Bob")["wtsd"] == (0, 0)
    assert book.profile("Bob").statistics["wtsd"].value is None
    assert made("Cid")["pfr"] == (1, 2)
    assert made("Cid")["three_bet"] == (0, 0)
    assert book.profile("Cid").statistics["af"].high is None  # no calls: no upper end

    ann = book.profile("Ann").tally
    assert ann.actions[0, 2, 0, 0, RAISE] == 1  # her first act: two bets to call (one and a half), none before
    assert ann.actions[1, 0, 2, 1, RAISE] == 1  # the bet on the flop, after a raise that had bets to call
    assert ann.actions[1, 1, 2, 0, CALL] == 1  # the call, after a bet that had none
    assert ann.actions[2, 0, 1, 1, CALL] == 1
    assert ann.actions.sum() == 6
    assert pm.class_text(int(ann.showdowns.argmax())) == "AA"
    pair = HAND_TYPES.index("pair of A")
    assert ann.shown_postflop[0, :, :, pair].tolist() == [[0, 1], [1, 0], [0, 0]]
    assert ann.shown_preflop.sum() == 1
    assert book.profile("Ann").recent == (
        (Context(1, 0), RAISE),
        (Context(1, 1), CALL),
        (Context(2, 0), CALL),
        (Context(3, 0), CALL),
    )


def tracker(hands, name):
    """The statistics as trackers define them, by what the actions are called: numerators and denominators."""
    totals = {key: [0, 0] for key in ("vpip", "pfr", "three_bet", "afq", "wtsd", "w_sd", "wwsf", "af")}

    def count(key, done, chance):
        totals[key][0] += bool(done)
        totals[key][1] += bool(chance)

    for hand in hands:
        if name not in hand.players:
            continue
        seat = hand.players.index(name)
        decisions = list(hand.replay())
        own = [decision for decision in decisions if decision.seat == seat]
        preflop = [decision for decision in own if decision.round == 0]
        names = [decision.name for decision in preflop]
        count("vpip", {"call", "raise"} & {*names}, names)
        count("pfr", "raise" in names, any(RAISE in decision.legal for decision in preflop))
        raises, faced, reraised = 0, False, False
        level, short = 10, 0  # what it takes to stay; all-ins that are no raise by themselves
        for decision in decisions:
            if decision.round:
                break
            if decision.seat == seat and raises == 1 and decision.to_call and RAISE in decision.legal:
                faced = True
                reraised |= decision.name == "raise"
            more = decision.committed[decision.seat] + decision.put_in - level
            if more > 0:
                level, short = level + more, short + more
                if 2 * short >= decision.bet_size:
                    raises, short = raises + 1, 0
        count("three_bet", reraised, faced)
        later = Counter(decision.name for decision in own if decision.round)
        totals["af"][0] += later["bet"] + later["raise"]
        totals["af"][1] += later["call"]
        totals["afq"][0] += later["bet"] + later["raise"]
        totals["afq"][1] += later["bet"] + later["raise"] + later["call"] + later["fold"]
        folds = {decision.seat: decision.round for decision in decisions if decision.name == "fold"}
        left = hand.spec.players - len(folds)
        saw_flop = folds.get(seat, 4) > 0 and (left > 1 or any(round > 0 for round in folds.values()))
        showdown = seat not in folds and left > 1
        put_in = list(hand.spec.blinds)
        if hand.stacks is not None:
            put_in = [min(blind, stack) for blind, stack in zip(put_in, hand.stacks, strict=True) if stack is not None]
        for decision in decisions:
            put_in = list(decision.committed)
            put_in[decision.seat] += decision.put_in
        returned = max(put_in[seat] - max(chips for k, chips in enumerate(put_in) if k != seat), 0)
        won = hand.payoffs[seat] + put_in[seat] - returned > 0
        count("wtsd", showdown, saw_flop)
        count("w_sd", showdown and won, showdown)
        count("wwsf", saw_flop and won, saw_flop)
    return {key: tuple(pair) for key, pair in totals.items()}


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
def test_statistics_are_those_of_a_tracker(seed, players, short):
    rng = random.Random(seed)
    hands = []
    for number in range(12):
        spec = pm.GameSpec.ring(players, 5, 10)
        stacks = [rng.randint(1, 90) if short else None for _ in range(players)]
        deck = rng.sample(range(52), 5 + 2 * players)
        state, actions = pm.game.State(spec, stacks), []
        while not state.over:
            act = rng.choice([*state.legal(), CALL, RAISE if RAISE in state.legal() else CALL])
            actions.append((state.seat, act))
            state.act(act)
        board = deck[: 5 if state.showdown else (0, 3, 4, 5)[state.round]]
        holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(players)}
        names = rng.sample("ABCDEF", players)
        hands.append(pm.Hand("t", str(number), spec, names, actions, board, holdings, stacks))
    with pm.Book("sqlite://") as book:
        book.learn(hands)
        for name in book:
            found = book.profile(name).statistics
            shares = {key: (found[key].numerator, found[key].denominator) for key in found if key != "small_bets"}
            assert shares == tracker(hands, name)


@on_both
def test_a_returned_bet_is_no_win():
    spec = pm.GameSpec.heads_up(5, 10)
    # the second player calls all-in for less: what the first one gets back is his own
    hand = pm.Hand(
        *("t", "1", spec, ("Ann", "Bob"), [(0, RAISE), (1, CALL)], "2c7d9hTsKd", {0: "3h4h", 1: "AsAh"}),
        stacks=[100, 14],
    )
    ann = learnt([hand]).profile("Ann")
    assert ann.statistics["w_sd"].numerator == 0
    assert ann.statistics["wtsd"].denominator == 1


@on_both
def test_a_raise_that_nobody_can_call_was_a_chance():
    # Ann raises with her last chip, Cid has folded, and Bob raises all the same
    hand = pm.Hand(
        *("t", "1", SPEC, ("Ann", "Bob", "Cid"), [(2, FOLD), (0, RAISE), (1, RAISE)], "2c3d4h5s7s"),
        {0: "AhAd", 1: "KhKd"},
        stacks=(15, 200, 200),
    )
    *_, last = hand.replay()
    assert RAISE not in last.legal
    taught = lesson(hand)
    chances = {_AT["pfr_chances"], _AT["three_bet_chances"], _AT["three_bets"]}
    shares = [share._replace(counters=tuple(k for k in share.counters if k not in chances)) for share in taught.shares]
    books_ = learnt([hand]), books.empty_book()
    books_[1].add([taught._replace(shares=tuple(shares))])  # as it was counted once
    for book in books_:
        found = book.profile("Bob").statistics
        assert (found["pfr"].numerator, found["pfr"].denominator) == (1, 1)
        assert (found["vpip"].numerator, found["vpip"].denominator) == (1, 1)


def test_wilson():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0
    # the textbook's condition: |share - p| = z*sqrt(p*(1 - p)/n) at both ends
    for made, chances in (1, 10), (37, 100), (999, 1000):
        for end in wilson(made, chances):
            assert abs(made / chances - end) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / chances), rel=1e-6)
    with pytest.raises(ValueError, match="made must be"):
        wilson(3, 2)


@on_both
def test_counts_are_those_of_a_modeler_that_watches():
    modeler = pm.OpponentModeler(model="loki2:som")
    for hand in HANDS:
        for decision in hand.replay():
            modeler.observe(decision)
    book = learnt(HANDS)
    assert set(book) >= set(modeler.book)
    for name in book:
        assert book[name] == modeler.book.get(name, pm.ActionCounts())
        assert book.profile(name).recent == tuple(modeler._recent.get(name, ()))


# ------------------------------------------------------------------------------------- once, in any order, any split


@on_both
@settings(max_examples=25)
@given(st.permutations(range(len(HANDS))), st.lists(st.integers(0, len(HANDS)), max_size=4))
def test_neither_order_nor_splits_matter(order, cuts):
    book = books.empty_book()
    bounds = [0, *sorted(cuts), len(HANDS)]
    for start, stop in pairwise(bounds):
        book.learn([HANDS[k] for k in order[start:stop]])
    assert contents(book, recent=False) == contents(learnt(HANDS), recent=False)


@on_both
@settings(max_examples=25)
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
    monkeypatch.setattr(book_module, "_ASKED", 2)
    monkeypatch.setattr(book_module, "BATCH", 3)
    progress = []
    assert contents(learnt(HANDS, progress=progress.append)) == whole
    assert progress[0] == 3
    assert progress[-1] == len(HANDS)
    assert contents_after_merge(learnt(HANDS)) == whole


@pytest.mark.parametrize("batch", [1, 2, 10])
def test_the_first_of_copies_is_learnt(monkeypatch, batch):
    # the same hand at a site of anonymous tables, kept by two players
    hand = HANDS[3]
    parts = hand.spec, hand.players, hand.actions, hand.board, hand.holdings
    first = pm.Hand("bovada", "1", *parts)
    second = pm.Hand("bovada", "1", hand.spec, ("Xia", "Yul", "Zoe"), *parts[2:])
    assert identity(first) == identity(second)
    monkeypatch.setattr(book_module, "BATCH", batch)
    book = books.empty_book()
    assert book.learn([first, second]) == Learnt(1, 1)
    assert set(book) == set(hand.players)


@pytest.mark.parametrize("batch", [1, 2, 10])
def test_of_copies_one_with_richer_contexts_is_learnt(monkeypatch, batch):
    monkeypatch.setattr(book_module, "BATCH", batch)
    whole = lesson(HANDS[3])
    old = whole._replace(
        shares=tuple(
            share._replace(counters=tuple(counter for counter in share.counters if counter < CONTEXTS))
            for share in whole.shares
        )
    )
    for copies in (old, whole), (whole, old):
        book = books.empty_book()
        assert book.add(copies) == Learnt(1, 1)
        assert contents(book) == contents(learnt(HANDS[3:4]))


def test_threads_share_a_book_in_memory():
    book, expected = pm.Book("sqlite://"), pm.Book("sqlite://")
    expected.learn(HANDS)

    def learn(first):
        found = [book.learn([hand]).new for hand in HANDS[first::4]]
        return sum(found), len(book), book.profile(HANDS[first].players[0]).hands

    with ThreadPoolExecutor(4) as pool:
        for new, players, hands in pool.map(learn, range(4)):
            assert new == 10
            assert 3 <= players <= 5
            assert hands > 0
    assert contents(book, recent=False) == contents(expected, recent=False)
    book.close()
    expected.close()


def contents_after_merge(other):
    book = books.empty_book()
    book.merge(other)
    return contents(book)


def test_identity_is_of_the_hand_not_of_the_file():
    hand = HANDS[0]
    parts = list(hand._content())
    moved = pm.Hand("another folder", *parts[1:])
    assert identity(moved) == identity(hand)
    renamed = [pm.Hand("phh", name, *parts[2:]) for name in ("a", "b", "7", "8")]
    assert len({identity(each) for each in renamed}) == 3
    assert len({identity(each) for each in HANDS}) == len(HANDS)


def test_an_identity_is_for_ever():
    """A change here would have every hand learnt a second time."""
    assert identity(pm.example_hand()).hex() == "5ea56fdab70f52027f615b1490889371"


# ------------------------------------------------------------------------------------------------------ as a mapping


def test_a_modeler_reads_a_book_and_does_not_write(tmp_path):
    path = tmp_path / "players.book"
    book = pm.Book(path)
    book.learn(HANDS[:30])
    before = contents(book)
    watched = pm.OpponentModeler(model="som", book=book)
    plain = pm.OpponentModeler(model="som", book={name: pm.ActionCounts(book[name].values) for name in book})
    for hand in HANDS[30:]:
        for decision in hand.replay():
            ours, theirs = watched.observe(decision), plain.observe(decision)
            assert (ours.weights_after == theirs.weights_after).all()
    with pm.Book(path, create=False) as again:
        assert contents(book) == before == contents(again)
    book.learn(HANDS[30:])
    for name in book:
        assert book[name] == plain.book.get(name, book[name])
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
    with pytest.raises(TypeError, match="taken out"):
        del book["Ann"]
    book["nobody"] = pm.ActionCounts()
    assert len(book) == 6
    assert book != learnt(HANDS)
    assert book == book
    assert {book: 1}[book] == 1


def test_the_database_library_waits_until_a_book_is_opened():
    code = "import sys, pokermodel.reading, pokermodel.cli; sys.exit('sqlalchemy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@on_both
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
    assert book.learn([bad, HANDS[0], unfinished], skipped=skipped) == Learnt(1, 0)
    assert ["bad" in str(skipped[0]), "open" in str(skipped[1])] == [True, True]
    with pytest.raises(ValueError, match="turn of seat 2"):
        book.learn([bad])
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


def test_migration(tmp_path, monkeypatch):
    path = tmp_path / "old"
    with pm.Book(path) as book:
        book.learn(HANDS)
        known = contents(book)

    def fails(connection):
        connection.execute(sa.text("ALTER TABLE players ADD COLUMN town TEXT"))
        raise ValueError("out of ideas")

    now = book_module._VERSION
    monkeypatch.setattr(book_module, "_VERSION", now + 2)
    before = path.read_bytes()
    monkeypatch.setattr(book_module, "_MIGRATIONS", {now: lambda connection: None, now + 1: fails})
    with pytest.raises(ValueError, match="out of ideas"):
        pm.Book(path)
    assert path.read_bytes() == before  # all or nothing

    steps = []
    both = (now, now + 1)
    monkeypatch.setattr(book_module, "_MIGRATIONS", {k: lambda connection, k=k: steps.append(k) for k in both})
    with pm.Book(path) as book:
        assert contents(book) == known
    with pm.Book(path):
        assert steps == [*both]


def older(path):
    """Make a book one of version 1, as that wrote it."""
    strip = []
    with pm.Book(path) as book:
        ids = {}
        with book._transaction() as connection:
            ids = {row.name: row.id for row in connection.execute(sa.select(book_module._players))}
        for each in book.lessons():
            shares = [
                share._replace(counters=tuple(counter for counter in share.counters if counter < CONTEXTS))
                for share in each.shares
            ]
            strip.append((book_module._packed(shares, ids), each.identity))
    with sqlite3.connect(path) as connection:
        connection.executemany("UPDATE hands SET lesson = ? WHERE identity = ?", strip)
        connection.execute(f"DELETE FROM counters WHERE player = 0 OR counter >= {CONTEXTS}")
        connection.execute("UPDATE pokermodel SET version = 1")
    connection.close()


def test_a_book_of_version_1(tmp_path):
    """It keeps what it knows, and learns the richer contexts of a hand when it meets that again."""
    path = tmp_path / "old"
    with pm.Book(path) as book:
        book.learn(HANDS[:30])
        known = contents(book)
    older(path)
    with pm.Book(path) as book:
        kept = contents(book)
        assert all(kept[name][::2] == known[name][::2] for name in book)  # all but the richer contexts
        assert kept[None] == (known[None][0], {})
        assert not any(book.contexts(name).rich for name in book)
        coarse_only = pm.Book("sqlite://")
        coarse_only.merge(book)
        assert contents(coarse_only) == kept

        assert book.learn(HANDS[10:]) == Learnt(10, 20)
        assert book.learn(HANDS[5:]) == Learnt(0, 35)  # and only once
        assert book.population().coarse.sum() > sum(book.population().rich.values()) > 0
        assert book.merge(learnt(HANDS[:5])) == Learnt(0, 5)
        assert contents(book) == contents(learnt(HANDS))
        assert list(book.lessons()) == list(learnt(HANDS).lessons())
    assert coarse_only.merge(learnt(HANDS[:30])) == Learnt(0, 30)
    assert contents(coarse_only) == known
    assert coarse_only.merge(coarse_only) == Learnt(0, 30)
    assert contents(coarse_only) == known
    coarse_only.close()


def test_richer_contexts():
    book = learnt(HANDS)
    whole = sum((book.contexts(name) for name in book), ContextCounts())
    assert book.population() == whole
    assert whole.coarse.sum() == whole.rich.total() == sum(len(hand.actions) for hand in HANDS)
    for name in book:
        assert book.contexts(name).counts == book[name]
        for counter, count in book.contexts(name).rich.items():
            context = RichContext.of(counter // 3)
            assert book.profile(name).tally.actions[*context[:4], counter % 3] >= count
    with pytest.raises(KeyError):
        book.contexts("nobody")
    assert isinstance(book, ContextBook)
    assert SIZE <= CONTEXTS
    assert CONTEXTS + 3 * N_CONTEXTS <= 1 << 16  # a lesson has two bytes for each


# -------------------------------------------------------------------------------------------------- the command line


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args):
        with pytest.raises(SystemExit) as left:
            main([*map(str, args)])
        output = capsys.readouterr()
        return subprocess.CompletedProcess(args, left.value.code, output.out, output.err)

    return run


def example_file(folder, name="example.phh"):
    path = folder / name
    path.write_bytes((Path(pm.__file__).parent / "data" / "example.phh").read_bytes())
    return path


def test_commands(tmp_path, run):
    hands, book = example_file(tmp_path), tmp_path / "players"
    first = run("learn", hands, "--book", book)
    assert first.returncode == 0, first.stderr
    assert "1 hands read: 1 new" in first.stdout
    damaged = tmp_path / "damaged.phh"
    damaged.write_text("variant = 'FT'\n")
    again = run("learn", example_file(tmp_path, "copy.phh"), damaged, "--book", book, "--jobs", 2, "--json")
    report = json.loads(again.stdout)
    assert (report["new"], report["known"], report["players"]) == (0, 1, 6)
    assert report["skipped"] == 1
    assert [reason["hands"] for reason in report["reasons"]] == [1]
    assert "damaged.phh" in report["reasons"][0]["first"]

    shown = run("profile", "Eve", "--book", book)
    for text in ("VPIP", "3-bet", "W$SD", "1 / 1", "mu", "sigma", "river", "1 holdings shown"):
        assert text in shown.stdout
    assert "\x1b" not in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 100
    report = json.loads(run("profile", "Eve", "--book", book, "--json").stdout)
    assert report["statistics"]["vpip"]["denominator"] == 1
    assert len(report["contexts"]) == 12
    everybody = json.loads(run("profile", "--book", book, "--json").stdout)
    assert everybody["hands"] == 1
    assert {row["name"] for row in everybody["players"]} == set(pm.example_hand().players)
    assert {row["statistics"]["vpip"]["denominator"] for row in everybody["players"]} == {1}
    assert "Eve" in run("profile", "--book", book).stdout

    read = run("read", "--model", "som", "--book", book)
    assert read.returncode == 0, read.stderr
    assert read.stdout != run("read", "--model", "som").stdout
    for model in "som?contexts=previous", "loki2:contexts", "loki2:som?contexts=previous&system=B":
        read = run("read", "--model", model, "--book", book)
        assert read.returncode == 0, read.stderr
        assert read.stdout != run("read", "--model", model).stdout


def test_large_numbers_are_printed_in_full(capsys):
    counts = {"hands": 2_345_678, "vpip": 1_234_567, "vpip_chances": 2_345_678, "millionths": -1_234_567_500_000}
    profile = Profile("Ann", Tally({_AT[name]: count for name, count in counts.items()}))
    print_profile(profile, Console(width=120))
    shown = capsys.readouterr().out
    assert "1,234,567 / 2,345,678" in shown
    assert "-1,234,568 / 2,345,678" in shown  # small bets
    assert "e+" not in shown


def test_learning_side_by_side_is_learning_one_after_the_other(tmp_path, run):
    folder = tmp_path / "histories"
    (folder / "deep").mkdir(parents=True)
    for k, hand in enumerate(HANDS):
        (folder / ("deep" if k % 3 else ".") / f"{k}.phh").write_text(pm.histories.phh.dumps(hand))
    (folder / "12.phh").write_text("variant = 'NT'")
    (folder / "44.phh").write_text("variant = 'NO'")
    found = []
    for jobs in 1, 2:
        book = tmp_path / str(jobs)
        report = run("learn", folder, example_file(tmp_path), "--book", book, "--jobs", jobs, "--json")
        with pm.Book(book) as learnt_book:
            found.append((json.loads(report.stdout), report.stderr, list(learnt_book.lessons())))
    assert found[0] == found[1]
    report, progress, lessons = found[0]
    assert (report["new"], report["skipped"], len(lessons)) == (40, 2, 40)
    assert report["reasons"] == [{"hands": 2, "first": report["reasons"][0]["first"]}]
    assert progress.splitlines() == [
        f"{folder}: 39 new hands, 0 known",
        f"{tmp_path / 'example.phh'}: 1 new hands, 0 known",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_pipe_is_learnt_whole(tmp_path, run, jobs):
    """Though it can be read only once, and by one process."""
    texts = {"hands": phh.dumps_all(HANDS), "damaged": "variant = 'NT'\n"}
    pipes = [tmp_path / name for name in texts]
    for pipe in pipes:
        os.mkfifo(pipe)
    writers = [threading.Thread(target=pipe.write_text, args=(texts[pipe.name],)) for pipe in pipes]
    for writer in writers:
        writer.start()
    said = run("learn", *pipes, "--book", tmp_path / "players", "--jobs", jobs, "--bpp", "--json")
    for writer in writers:
        writer.join()
    report = json.loads(said.stdout)
    assert (report["new"], report["skipped"]) == (40, 1)
    assert report["reasons"][0]["first"].startswith(f"{tmp_path / 'damaged'}:1: ")
    assert f"{tmp_path / 'hands'}: 40 hands new to BPP, 0 known" in said.stderr


def test_what_only_the_tables_miss_is_reported(tmp_path, run, monkeypatch):
    """A file that can no longer be read when BPP comes to it."""
    hands, damaged, gone = example_file(tmp_path), tmp_path / "damaged.phh", example_file(tmp_path, "gone.phh")
    damaged.write_text("variant = 'NT'\n")
    learn_tables = pm.Book.learn_tables

    def then_remove(*args, **kwargs):
        gone.unlink(missing_ok=True)
        return learn_tables(*args, **kwargs)

    monkeypatch.setattr(pm.Book, "learn_tables", then_remove)
    said = run("learn", hands, damaged, gone, "--book", tmp_path / "players", "--bpp", "--json")
    report = json.loads(said.stdout)
    assert (report["hands"], report["skipped"]) == (2, 2)
    assert {reason["first"].partition(":")[0] for reason in report["reasons"]} == {str(damaged), str(gone)}


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_learn_leaves_out(tmp_path, run, monkeypatch, jobs):
    """Files that are no histories, hands that no book takes, and more kinds of damage than are told apart or listed."""
    nothing, dear, damaged = tmp_path / "nothing.txt", tmp_path / "dear.phh", tmp_path / "damaged.phh"
    nothing.write_text("no hand history\n")
    antes = pm.GameSpec((5, 10, 0), (1, 1, 2, 2), (2, 0, 0, 0), antes=(2_000_000,) * 3)
    dear.write_text(phh.dumps(pm.Hand("t", "dear", antes, ("Ann", "Bob", "Cid"), [(2, FOLD), (0, FOLD)])))
    damaged.write_text("variant = 'FT'\n")
    command = "learn", nothing, damaged, dear, example_file(tmp_path), "--book", tmp_path / "players", "--jobs", jobs
    report = json.loads(run(*command, "--bpp", "--json").stdout)
    assert (report["hands"], report["skipped"], len(report["reasons"])) == (1, 3, 3)
    for reason, words in zip(report["reasons"], ("nothing.txt", "damaged.phh", "1,000,000 small bets"), strict=True):
        assert words in reason["first"]
    monkeypatch.setattr(sys.modules["pokermodel.cli.learn"], "_LISTED", 2)
    lines = run(*command).stdout.splitlines()
    assert lines[-2:] == ["  and 1 more kinds of damage (--json lists them)", "6 players in the book"]
    monkeypatch.setattr(sys.modules["pokermodel.cli.learn"], "_KINDS", 1)
    reasons = json.loads(run(*command, "--json").stdout)["reasons"]
    assert [reason["hands"] for reason in reasons] == [2, 1]


def test_bpp_learns_up_to_the_damage_and_hides_no_other(tmp_path, run, monkeypatch):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS[:10]))
    read = HandSource.read

    def damaged(source, skipped):
        yield from read(source, skipped)
        raise HistoryError("it ends too early", str(source.path))

    with monkeypatch.context() as patch:
        patch.setattr(HandSource, "read", damaged)
        assert "10 hands new to BPP" in run("learn", path, "--book", tmp_path / "players", "--bpp").stderr

    def broken(*arguments, **options):
        raise ValueError("it cannot be learnt")

    monkeypatch.setattr(pm.Book, "learn_tables", broken)
    result = run("learn", path, "--book", tmp_path / "players", "--bpp")
    assert result.returncode
    assert "it cannot be learnt" in result.stderr


def test_learning_is_counted_on_a_terminal(tmp_path, run, monkeypatch):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(HANDS))
    monkeypatch.setattr(book_module, "BATCH", 16)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    said = run("learn", path, "--book", tmp_path / "players", "--bpp").stderr
    counted = "".join(f"\r\x1b[K{path}: {hands} hands" for hands in (16, 32, 40))
    learnt, tables = said.split(f"{path}: 40 new hands, 0 known\n")
    assert learnt == counted + "\r\x1b[K"
    assert tables.startswith(f"\r\x1b[K{path}: ")
    assert tables.endswith(f"\r\x1b[K{path}: 40 hands new to BPP, 0 known\n")


@pytest.mark.skipif(os.name != "posix", reason="no shell that closes a stream")
@pytest.mark.parametrize("jobs", [1, 2])
def test_learning_with_standard_error_closed(tmp_path, jobs):
    arguments = ["learn", example_file(tmp_path), "--book", tmp_path / "players", "--jobs", str(jobs), "--bpp"]
    closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "pokermodel", *arguments]
    said = subprocess.run(closed, stdout=subprocess.PIPE, text=True, timeout=100)
    assert said.returncode == 0
    assert said.stdout.startswith("1 hands read: 1 new")


def test_commands_close_the_book(tmp_path, run, monkeypatch):
    hands, book = example_file(tmp_path), tmp_path / "players"
    assert run("learn", hands, "--book", book).returncode == 0
    opened, closed = [], []
    for name, books_ in (("_open", opened), ("close", closed)):
        method = getattr(pm.Book, name)
        monkeypatch.setattr(
            pm.Book, name, lambda self, *rest, m=method, to=books_: (to.append(id(self)), m(self, *rest))
        )
    for command in (["read", "--model", "som"], ["score", hands, "--model", "som,own"], ["profile"]):
        assert run(*command, "--book", book).returncode == 0
    assert len(opened) == 4
    assert sorted(closed) == sorted(opened)


def test_commands_refuse(tmp_path, run):
    book = tmp_path / "players"
    with pm.Book(book) as first:
        first.learn([pm.example_hand()])
    damaged = tmp_path / "damaged.phh"
    damaged.write_text("variant = 'FT'\n")
    for arguments, message in (
        (("profile", "--book", tmp_path / "none"), "no such book"),
        (("profile", "Eva", "--book", book), "did you mean 'Eve'?"),
        (("profile", "\udcff", "--book", book), r"the book has no player '\udcff'"),
        (("read", "--book", book), "--book is for som"),
        (("read", "--model", "som", "--book", damaged), "not a database"),
        (("read", "--model", "som?contexts=all"), "expected one of twelve, previous, rich"),
        (("read", "--model", "sam"), "unknown model 'sam'"),
        (("learn", damaged, "--book", book), "no hand could be read"),
        (("learn", tmp_path / "none.phh", "--book", book), "does not exist"),
    ):
        result = run(*arguments)
        assert result.returncode == 2, arguments
        assert message in result.stderr
        assert "Traceback" not in result.stderr


# -------------------------------------------------------------------------------------------------------- real data


def test_real_hands(data_dir, tmp_path):
    sample = pm.open_hands(data_dir / "irc-199504" / "sample300")
    hands = list(sample)
    with pm.Book(tmp_path / "irc") as book:
        assert book.learn(hands) == Learnt(300, 0)
        dev = pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz", strict=False)
        assert book.learn(islice(dev, 300)).known > 0  # the same hands out of an archive of another name

    small = learnt(hands)
    for name in small:
        profile = small.profile(name)
        dealt = [hand for hand in hands if name in hand.players]
        assert profile.hands == len(dealt)
        won = [hand.payoffs[hand.players.index(name)] / hand.spec.small_bet for hand in dealt]
        statistic = profile.statistics["small_bets"]
        assert statistic.numerator == pytest.approx(sum(won), abs=1e-5 * len(won))
        if len(won) > 1:
            half = 1.959964 * np.std(won, ddof=1) / math.sqrt(len(won))
            assert statistic.high - statistic.low == pytest.approx(2 * half, abs=1e-2)
        assert profile.tally.showdowns.sum() == sum(hand.players.index(name) in hand.shown for hand in dealt)
    statistics = [small.profile(name).statistics for name in small]
    assert sum(each["w_sd"].numerator for each in statistics) >= sum(bool(hand.shown) for hand in hands)


def test_a_profile_is_quick(data_dir, tmp_path):
    book = pm.Book(tmp_path / "irc")
    book.learn(pm.open_hands(data_dir / "irc-199504" / "sample300"))
    name = max(book, key=lambda name: book.profile(name).hands)
    for read in book.profile, book.contexts:
        times = []
        for _ in range(100):
            begin = time.perf_counter()
            read(name)
            times.append(time.perf_counter() - begin)
        assert min(times) < 1e-3
    book.close()
