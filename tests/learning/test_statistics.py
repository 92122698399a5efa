"""What is counted of players, and how it is told."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import pokermodel as pm
from pokermodel._support.student import t_quantile
from pokermodel.learning.profile import wilson
from pokermodel.library import Learnt
from pokermodel.reading import Context
from pokermodel.reading.contexts import ContextBook, ContextCounts
from pokermodel.reading.features import RICH
from pokermodel.report.profile import print_profile
from tests.common.books import HANDS, SPEC, STATISTICS, learnt
from tests.common.made_counts import made_profile

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
    some = {
        "vpip": (1, 2),
        "pfr": (1, 2),
        "rfi": (0, 1),  # when all had folded to her in the walk
        "limp": (0, 1),
        "cold_call": (0, 0),  # she was in the small blind
        "three_bet": (1, 1),
        "fold_to_three_bet": (0, 0),
        "steal": (0, 1),  # when all had folded to her in the walk
        "fold_to_steal": (0, 1),
        "cbet": (1, 1),
        "cbet_turn": (0, 0),  # Cid raised the flop last
        "fold_to_cbet": (0, 0),
        "donk": (0, 0),
        "donk_turn": (0, 1),  # into Cid
        "check_raise": (0, 0),
        "af": (1, 1),
        "afq": (1, 2),
        "wtsd": (1, 1),
        "w_sd": (0, 1),
        "wwsf": (0, 1),
        "small_bets": (pytest.approx(-5.5), 2),
        "ev_small_bets": (pytest.approx(-5.5), 2),
        "showdown_small_bets": (pytest.approx(-5), 1),
        "other_small_bets": (pytest.approx(-0.5), 1),
        "w_sd_three_bet": (0, 1),
        "w_sd_single_raised": (0, 0),
    }
    ann = made("Ann")
    assert {key: ann[key] for key in some} == some
    assert made("Cid")["float"] == (0, 0)
    assert made("Cid")["w_sd_three_bet"] == (1, 1)
    assert made("Cid")["steal"] == (1, 2)
    assert made("Cid")["fold_to_three_bet"] == (0, 1)
    assert made("Cid")["fold_to_cbet"] == (0, 1)
    assert made("Bob")["vpip"] == (0, 1)  # the walk gave him no choice
    assert made("Bob")["small_bets"] == (pytest.approx(-1 + 0.5), 2)
    assert made("Bob")["wtsd"] == (0, 0)
    assert book.profile("Bob").statistics["wtsd"].value is None
    assert made("Cid")["pfr"] == (1, 2)
    assert made("Cid")["three_bet"] == (0, 0)
    assert book.profile("Cid").statistics["af"].high is None  # no calls: no upper end

    ann = book.profile("Ann").totals
    assert ann.contexts.coarse[0, 2, 0, 0, RAISE] == 1  # her first act: two bets to call (one and a half), none before
    assert ann.contexts.coarse[1, 0, 2, 1, RAISE] == 1  # the bet on the flop, after a raise that had bets to call
    assert ann.contexts.coarse[1, 1, 2, 0, CALL] == 1  # the call, after a bet that had none
    assert ann.contexts.coarse[2, 0, 1, 1, CALL] == 1
    assert ann.contexts.coarse.sum() == 6
    assert pm.cards.CLASSES[ann.showdowns.argmax()] == "AA"
    assert sum(count for cell, count in ann._shown if not cell["busted"]) == 4
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
        book.learn(hands, kinds=STATISTICS)
        for name in book:
            found = book.profile(name).statistics
            expected = tracker(hands, name)
            assert {key: (found[key].numerator, found[key].denominator) for key in expected} == expected


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
    found = learnt([hand]).profile("Bob").statistics
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


def test_large_numbers_are_printed_in_full(capsys):
    profile = made_profile({"vpip": (1_234_567, 2_345_678)}, hands=2_345_678, small_bets=-1_234_567.5)
    print_profile(profile, Console(width=120))
    shown = capsys.readouterr().out
    assert "1,234,567 / 2,345,678" in shown
    assert "-1,234,568 / 2,345,678" in shown  # small bets
    assert "e+" not in shown


@on_both
def test_counts_are_those_of_a_modeler_that_watches():
    modeler = pm.OpponentModeler(model="loki2:som")
    for hand in HANDS:
        for decision in hand.replay():
            modeler.observe(decision)
    book = learnt(HANDS)
    frequencies = modeler.reader.frequencies
    assert set(book) >= {name for name, counts in frequencies._counts.items() if counts is not None}
    for name in book:
        assert book[name] == (frequencies.counts(name) or pm.reading.ActionCounts())
        assert book.profile(name).recent == tuple(frequencies._latest(name))


def test_richer_contexts():
    book = learnt(HANDS)
    whole = sum((book.contexts(name) for name in book), ContextCounts())
    assert book.population() == whole
    assert whole.coarse.sum() == whole.rich.total() == sum(len(hand.actions) for hand in HANDS)
    for name in book:
        assert book.contexts(name).counts == book[name]
        for counter, count in book.contexts(name).rich.items():
            context = RICH.values(counter // 3)
            assert book.contexts(name).coarse[*context[:4], counter % 3] >= count
    with pytest.raises(KeyError):
        book.contexts("nobody")
    with pytest.raises(ValueError, match="the book has no player 'nobody': expected a name"):
        book.profile("nobody")
    for name in (None, 5):  # which was said to be damage of the book
        with pytest.raises(ValueError, match=f"the book has no player {name}: expected a name"):
            book.profile(name)
    assert isinstance(book, ContextBook)
    assert 3 * RICH.size <= 1 << 16  # two bytes each are kept


# -------------------------------------------------------------------------------------------------------- real data


def test_real_hands(data_dir, tmp_path):
    sample = pm.open_hands(data_dir / "irc-199504" / "sample300")
    hands = list(sample)
    with pm.Book(tmp_path / "irc") as book:
        assert book.learn(hands, kinds=STATISTICS) == Learnt(300, 0)
        dev = pm.open_hands(data_dir / "irc-199504" / "holdem.199504.dev.tgz", strict=False)
        # the same hands out of an archive of another name
        assert book.learn(islice(dev, 300), kinds=STATISTICS).known > 0

    small = learnt(hands)
    for name in small:
        profile = small.profile(name)
        dealt = [hand for hand in hands if name in hand.players]
        assert profile.hands == len(dealt)
        won = [hand.payoffs[hand.players.index(name)] / hand.spec.small_bet for hand in dealt]
        statistic = profile.statistics["small_bets"]
        assert statistic.numerator == pytest.approx(sum(won), abs=1e-5 * len(won))
        if len(won) > 1:
            half = t_quantile(len(won) - 1) * np.std(won, ddof=1) / math.sqrt(len(won))
            assert statistic.high - statistic.low == pytest.approx(2 * half, abs=2e-2)
        assert profile.totals.showdowns.sum() == sum(hand.players.index(name) in hand.shown for hand in dealt)
    statistics = [small.profile(name).statistics for name in small]
    assert sum(each["w_sd"].numerator for each in statistics) >= sum(bool(hand.shown) for hand in hands)


def test_a_profile_is_quick(data_dir, tmp_path):
    """Reading a profile takes a part of the time of learning its hands, however fast the machine is."""
    book = pm.Book(tmp_path / "irc")
    hands = list(pm.open_hands(data_dir / "irc-199504" / "sample300"))
    begin = time.thread_time()
    book.learn(hands, kinds=STATISTICS)
    learnt = time.thread_time() - begin
    name = max(book, key=lambda name: book.profile(name).hands)
    for read in book.profile, book.contexts:
        times = []
        for _ in range(100):
            begin = time.thread_time()
            read(name)
            times.append(time.thread_time() - begin)
        assert min(times) < learnt / 5
    book.close()
