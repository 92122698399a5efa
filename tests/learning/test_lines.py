"""Statistics of several acts: steals, 3-bets, continuation bets, check-raises; and winnings at showdowns."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._support.student import t_quantile
from pokermodel.game import POSITIONS, positions
from pokermodel.library import By
from tests.common import books
from tests.common.books import STATISTICS, learnt

FOLD, CALL, RAISE = pm.Act
#: Names of six players by their seats, the blinds first.
SEATS = ("SB", "BB", "EP", "MP", "CO", "BTN")
DECK = "2c7d9hTsKd" + "AsAhKsKhQsQhJsJh9s9d8s8h"
LETTERS = {"f": FOLD, "k": CALL, "c": CALL, "b": RAISE, "r": RAISE}


def hand(acts, players=6, number="1", stacks=None, spec=None):
    """A hand of 10-20: f, k, c, b, r are folds, checks, calls, bets and raises of whoever is to act; / ends a round."""
    spec = spec or pm.GameSpec.ring(players, 5, 10)
    names = SEATS[:2] + SEATS[8 - players :] if players > 2 else ("SB", "BB")
    state, done = pm.game.State(spec, stacks), []
    for round, letters in enumerate(acts.replace(" ", "").split("/")):
        for letter in letters:
            assert state.round == round, f"{letter} in round {round} of {acts}"
            assert (letter in "kb") == (state.to_call == 0 and (round > 0 or letter == "k")), letter
            done.append((state.seat, LETTERS[letter]))
            state.act(LETTERS[letter])
    assert state.over, acts
    board = DECK[: 10 if state.showdown else 2 * (0, 3, 4, 5)[state.round]]
    holdings = {seat: DECK[10 + 4 * seat : 14 + 4 * seat] for seat in range(players)} if state.showdown else {}
    return pm.Hand("test", number, spec, names, done, board, holdings, stacks)


def book_of(*hands):
    book = pm.Book("sqlite://")
    book.learn(hands, kinds=STATISTICS)
    return book


def made(key, *hands, round=None):
    """Numerator and denominator of a statistic, of the players who had a chance."""
    with book_of(*hands) as book:
        profiles = {name: book.profile(name) for name in sorted(book)}
    found = {
        name: (profile.statistics if round is None else profile.by_round()[round])[key]
        for name, profile in profiles.items()
    }
    return {name: (each.numerator, each.denominator) for name, each in found.items() if each.denominator}


# -------------------------------------------------------------------------------------------------------- positions


def seated(spec):
    return [POSITIONS[seat] for seat in positions(spec)]


def test_positions():
    ring = pm.GameSpec.ring
    assert seated(ring(10, 5, 10)) == [
        *("small blind", "big blind"),
        *("early", "early", "early", "middle", "middle", "middle", "cutoff", "button"),
    ]
    assert seated(ring(6, 5, 10)) == ["small blind", "big blind", "middle", "middle", "cutoff", "button"]
    assert seated(ring(3, 5, 10)) == ["small blind", "big blind", "button"]
    assert seated(ring(2, 5, 10)) == ["small blind", "big blind"]  # the button has the small blind
    assert seated(pm.GameSpec((10, 5), (10, 10, 20, 20), (1, 0, 0, 0))) == ["big blind", "small blind"]
    # nobody posted the small blind; a newcomer posted a big one in the cutoff
    assert seated(pm.GameSpec((10, 0, 0, 10, 0), (10, 10, 20, 20), (1, 0, 0, 0))) == [
        *("big blind", "middle", "middle", "cutoff", "button"),
    ]
    # one blind between two players: the other one has the button
    assert seated(pm.GameSpec((10, 0), (10, 10, 20, 20), (1, 0, 0, 0))) == ["big blind", "button"]


# ----------------------------------------------------------------------------------------------------------- steals


def test_steals():
    assert made("steal", hand("fffrff")) == {"BTN": (1, 1), "CO": (0, 1)}
    assert made("steal", hand("ffrfff")) == {"CO": (1, 1)}
    assert made("steal", hand("ffffrf")) == {"CO": (0, 1), "BTN": (0, 1), "SB": (1, 1)}
    assert made("steal", hand("frffff")) == {}  # from the middle it is none
    assert made("steal", hand("cffffk/kk/kk/kk")) == {}  # limped pots are not folded to
    assert made("steal", hand("fffcrff")) == {"CO": (0, 1), "BTN": (0, 1)}  # a limp on the button; the raise is none
    assert made("steal", hand("fffff")) == {"CO": (0, 1), "BTN": (0, 1), "SB": (0, 1)}  # a walk
    assert made("steal", hand("ff", 3)) == {"BTN": (0, 1), "SB": (0, 1)}
    assert made("steal", hand("rf", 2)) == {"SB": (1, 1)}
    # whose last chip is in the blind has no choice; who cannot raise has no chance
    assert made("steal", hand("ffffk", stacks=[5, 100, 100, 100, 100, 100])) == {"CO": (0, 1), "BTN": (0, 1)}
    assert made("steal", hand("ffffck", stacks=[9, 100, 100, 100, 100, 100])) == {"CO": (0, 1), "BTN": (0, 1)}


def test_folds_to_a_steal():
    assert made("fold_to_steal", hand("fffrff")) == {"SB": (1, 1), "BB": (1, 1)}
    assert made("fold_to_steal", hand("fffrfc/kk/kk/kk")) == {"SB": (1, 1), "BB": (0, 1)}
    assert made("fold_to_steal", hand("ffffrf")) == {"BB": (1, 1)}  # of the small blind
    assert made("fold_to_steal", hand("ffrrfff")) == {}  # the button re-raises: the blinds do not face a steal alone
    assert made("fold_to_steal", hand("fffrcf/kk/kk/kk")) == {"SB": (0, 1)}  # the small blind has called
    assert made("fold_to_steal", hand("fffrrff")) == {"SB": (0, 1)}
    assert made("fold_to_steal", hand("frffff")) == {}
    assert made("fold_to_steal", hand("fffcrff")) == {}
    # a big blind that is all in has no choice
    assert made("fold_to_steal", hand("fffrf", stacks=[100, 10, 100, 100, 100, 100])) == {"SB": (1, 1)}


# ----------------------------------------------------------------------------------------------------------- 3-bets


def test_folds_to_a_three_bet():
    assert made("three_bet", hand("frrffff")) == {"CO": (1, 1)}
    assert made("fold_to_three_bet", hand("frrffff")) == {"MP": (1, 1)}
    assert made("fold_to_three_bet", hand("frrfffc/kk/kk/kk")) == {"MP": (0, 1)}
    assert made("fold_to_three_bet", hand("frrfffrf")) == {"MP": (0, 1)}  # by a fourth bet
    assert made("fold_to_three_bet", hand("frrrffff")) == {}  # a fourth bet is no third one
    assert made("fold_to_three_bet", hand("frcfrfff")) == {"MP": (1, 1)}  # not of the caller in between
    assert made("fold_to_three_bet", hand("crfffff")) == {}  # the one who limped faces a raise, not a 3-bet
    assert made("fold_to_three_bet", hand("fffrff")) == {}


# ------------------------------------------------------------------------------------------------ continuation bets


def test_continuation_bets():
    called = "frffffc".replace("fffc", "ffc")  # the middle raises, the big blind calls
    assert called == "frfffc"
    assert made("cbet", hand(f"{called}/kbf")) == {"MP": (1, 1)}
    assert made("cbet", hand(f"{called}/kk/kk/kk")) == {"MP": (0, 1)}
    assert made("cbet", hand(f"{called}/bf")) == {}  # the other one bet first
    assert made("cbet", hand("frrfffc/kbf")) == {"CO": (1, 1)}  # the last raiser continues
    assert made("cbet", hand("fffcfk/kk/kk/kb f")) == {}  # a limped pot has no raiser
    # the raiser is all in, or all others are: nobody can bet
    stacks = [100, 100, 100, 20, 100, 100]
    assert made("cbet", hand(f"{called}", stacks=stacks)) == {}
    assert made("cbet", hand("frfcfc/kbc/kk/kk", stacks=stacks)) == {}
    assert made("cbet", hand(f"{called}", stacks=[100, 20, 100, 100, 100, 100])) == {}


def test_continuation_bets_by_round():
    called = "frfffc"
    three = hand(f"{called}/kbc/kbc/kbf")
    for round in "flop", "turn", "river":
        assert made("cbet", three, round=round) == {"MP": (1, 1)}
    assert made("cbet", three) == {"MP": (1, 1)}  # the flop's, as trackers have it
    two = hand(f"{called}/kbc/kk/kbf")  # who checks the turn does not continue on the river
    assert made("cbet", two, round="turn") == {"MP": (0, 1)}
    assert made("cbet", two, round="river") == {}
    raised = hand(f"{called}/kbrc/kbf")  # the check-raiser has the initiative, but continued nothing
    assert made("cbet", raised, round="turn") == {}
    assert made("cbet", hand(f"{called}/kbrrc/kbf"), round="turn") == {"MP": (1, 1)}  # raised again
    delayed = hand(f"{called}/kk/kbf")
    assert made("cbet", delayed, round="turn") == {}


def test_folds_to_a_continuation_bet():
    called = "frfffc"
    assert made("fold_to_cbet", hand(f"{called}/kbf")) == {"BB": (1, 1)}
    assert made("fold_to_cbet", hand(f"{called}/kbc/kk/kk")) == {"BB": (0, 1)}
    assert made("fold_to_cbet", hand(f"{called}/kbc/kbf")) == {"BB": (0, 1)}  # the flop's
    assert made("fold_to_cbet", hand(f"{called}/kbc/kbf"), round="turn") == {"BB": (1, 1)}
    assert made("fold_to_cbet", hand(f"{called}/bf")) == {}  # the raiser folds to a bet that continues nothing
    assert made("fold_to_cbet", hand(f"{called}/kbrf")) == {"BB": (0, 1)}  # nor is the raise of one such a bet
    assert made("fold_to_cbet", hand("frcffc/kbrff")) == {"CO": (0, 1)}  # after a raise the big blind faces two bets
    assert made("fold_to_cbet", hand("frcffc/kbcf/kk/kk")) == {"BB": (1, 1), "CO": (0, 1)}  # after a call still one
    assert made("fold_to_cbet", hand("fffcfk/kbf")) == {}
    # who is all in has nothing to decide
    stacks = [100, 20, 100, 100, 100, 100]
    assert made("fold_to_cbet", hand("frcffc/bf", stacks=stacks)) == {"CO": (1, 1)}


# ----------------------------------------------------------------------------------------------------- check-raises


def test_check_raises():
    called = "frfffc"
    assert made("check_raise", hand(f"{called}/kbrf")) == {"BB": (1, 1)}
    assert made("check_raise", hand(f"{called}/kbf")) == {"BB": (0, 1)}
    assert made("check_raise", hand(f"{called}/kbc/kk/kk")) == {"BB": (0, 1)}
    assert made("check_raise", hand(f"{called}/kk/kbrf")) == {"BB": (1, 1)}
    assert made("check_raise", hand(f"{called}/kk/kbrf"), round="flop") == {}
    assert made("check_raise", hand(f"{called}/kk/kbrf"), round="turn") == {"BB": (1, 1)}
    assert made("check_raise", hand(f"{called}/brf")) == {}  # no check before it
    assert made("check_raise", hand(f"{called}/kk/brf")) == {}  # a check in another round
    assert made("check_raise", hand(f"{called}/kk/kk/kk")) == {}
    assert made("check_raise", hand("frcffc/kkbrff")) == {"BB": (1, 1), "MP": (0, 1)}
    assert made("check_raise", hand("frcffc/kkbcrcc/kkk/kkk")) == {"BB": (0, 1), "MP": (1, 1)}  # a call before it
    # the limper who checked in the blind before the flop: only rounds after it count
    assert made("check_raise", hand("fffrfc/kk/kk/kk")) == {}
    # the bet took all that could be raised
    assert made("check_raise", hand(f"{called}/kbc", stacks=[100, 30, 100, 100, 100, 100])) == {}
    assert made("fold_to_cbet", hand(f"{called}/kbc", stacks=[100, 30, 100, 100, 100, 100])) == {"BB": (0, 1)}


# ------------------------------------------------------------------------------------------- all of them, otherwise


def plainly(hands, name):
    """The same statistics by what the acts are called, looking back from each act at those before it."""
    totals = {key: [0, 0] for key in KEYS}

    def count(key, done):
        totals[key][0] += done
        totals[key][1] += 1

    for hand in hands:
        if name not in hand.players:
            continue
        decisions = list(hand.replay())
        seats = [POSITIONS[seat] for seat in positions(hand.spec)]
        for k, decision in enumerate(decisions):
            if decision.player != name:
                continue
            round, before = decision.round, [each for each in decisions[:k] if each.round == decision.round]
            names = [each.name for each in before]
            own = [each.name for each in before if each.player == name]
            could_raise = RAISE in decision.legal
            raises = [each for each in before if each.name in ("bet", "raise")]
            here = seats[decision.seat]
            if round == 0:
                if set(names) <= {"fold"} and here in ("cutoff", "button", "small blind") and could_raise:
                    count("steal", decision.name == "raise")
                opened = [each for each in before if each.name != "fold"]
                if len(opened) == 1 and here.endswith("blind") and opened[0].name == "raise" and decision.to_call:
                    first = opened[0]
                    if seats[first.seat] in ("cutoff", "button", "small blind"):
                        count("fold_to_steal", decision.name == "fold")
                if len(raises) == 2 and raises[0].player == name:
                    count("fold_to_three_bet", decision.name == "fold")
                continue
            last = {each.round: each.player for each in decisions if each.name in ("bet", "raise")}

            def continues(round, decisions=decisions, last=last):
                """Who bet in a round as the last raiser of the one before, and of all before that."""
                acts = [each for each in decisions if each.round == round]
                bets = [each for each in acts if each.name == "bet"]
                if not bets or last.get(round - 1) != bets[0].player:
                    return None
                return bets[0].player if round == 1 or continues(round - 1) == bets[0].player else None

            may = last.get(round - 1) == name and (round == 1 or continues(round - 1) == name)
            street = ("", "", "_turn", "_river")[round]  # that of the flop has no name of its own
            if may and not raises and could_raise:
                count(f"cbet{street}", decision.name == "bet")
            if len(raises) == 1 and continues(round) == raises[0].player and "bet" in names:
                count(f"fold_to_cbet{street}", decision.name == "fold")
            if own == ["check"] and could_raise:
                count("check_raise", decision.name == "raise")
    return {key: tuple(pair) for key, pair in totals.items()}


KEYS = ("steal", "fold_to_steal", "fold_to_three_bet", "check_raise")
KEYS += tuple(f"{key}{street}" for key in ("cbet", "fold_to_cbet") for street in ("", "_turn", "_river"))


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 7), st.booleans())
def test_lines_are_those_of_the_plain_definitions(seed, players, short):
    rng = random.Random(seed)
    hands = []
    for number in range(12):
        spec = pm.GameSpec.ring(players, 5, 10)
        # whole bets, so that no all-in is less than a raise
        stacks = [10 * rng.randint(1, 9) for _ in range(players)] if short else None
        state, actions = pm.game.State(spec, stacks), []
        while not state.over:
            act = rng.choice([*state.legal(), CALL, RAISE if RAISE in state.legal() else CALL])
            actions.append((state.seat, act))
            state.act(act)
        deck = rng.sample(range(52), 5 + 2 * players)
        board = deck[: 5 if state.showdown else (0, 3, 4, 5)[state.round]]
        holdings = {seat: deck[5 + 2 * seat : 7 + 2 * seat] for seat in range(players)}
        names = rng.sample("ABCDEFG", players)
        hands.append(pm.Hand("t", str(number), spec, names, actions, board, holdings, stacks))
    with book_of(*hands) as book:
        for name in book:
            found = book.profile(name).statistics
            assert {key: (found[key].numerator, found[key].denominator) for key in KEYS} == plainly(hands, name)


# --------------------------------------------------------------------------------------------------------- winnings


def mean_and_interval(values):
    half = t_quantile(len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values))
    return pytest.approx(np.mean(values)), pytest.approx(np.mean(values) - half), pytest.approx(np.mean(values) + half)


def test_winnings_at_showdowns_and_without():
    hands = [
        hand("frfffc/kk/kk/kk", number="1"),  # two bets each, and the small blind
        hand("frfffc/kbc/kbc/kbc", number="2"),
        hand("frfffc/kbrc/kk/kk", number="3"),
        hand("frfffc/kbf", number="4"),
        hand("fffff", number="5"),
    ]
    with book_of(*hands) as book:
        found = book.profile("MP").statistics
        payoffs = [hand.payoffs[3] / 10 for hand in hands]
    shown, others = payoffs[:3], payoffs[3:]
    assert (found["showdown_small_bets"].numerator, found["showdown_small_bets"].denominator) == (sum(shown), 3)
    assert (found["other_small_bets"].numerator, found["other_small_bets"].denominator) == (sum(others), 2)
    for key, values in ("small_bets", payoffs), ("showdown_small_bets", shown), ("other_small_bets", others):
        assert (found[key].value, found[key].low, found[key].high) == mean_and_interval(values)


def test_one_showdown_has_no_interval():
    with book_of(hand("frfffc/kk/kk/kk")) as book:
        found = book.profile("BB").statistics
        assert found["showdown_small_bets"].value == pytest.approx(2.5)
        assert found["showdown_small_bets"].low is None
        assert found["other_small_bets"].value is None


# ------------------------------------------------------------------------------------------------- parts of a player


def dated(number, *date, bets=(10, 20), currency=""):
    """A hand of some day at some stake, in which the button steals."""
    spec = pm.GameSpec.ring(6, bets[0] // 2, bets[0])
    parts = hand("fffrff", number=str(number), spec=spec)._content()[:11]
    return pm.Hand(*parts, currency, datetime(*date, tzinfo=UTC) if date else None)


@pytest.mark.usefixtures("backend")
def test_profiles_by_position_stake_and_date():
    hands = [
        dated(1, 2009, 7, 31, 23, 59, 59, bets=(2, 4), currency="USD"),
        dated(2, 2009, 8, 1, bets=(10, 20), currency="USD"),
        dated(3, 2009, 8, 2, bets=(2, 4), currency="EUR"),
        dated(4, 1995, 4, 1, bets=(2, 4), currency="USD"),
        dated(5),
        hand("ff", 3, number="6"),  # the button folds
    ]
    book = learnt(hands)
    assert {group: profile.hands for group, profile in book.breakdown("position", "BTN").items()} == {"button": 6}
    assert [(group, profile.hands) for group, profile in book.breakdown("stake", "BTN").items()] == [
        ("10/20", 2),
        ("2/4 EUR", 1),
        ("2/4 USD", 2),
        ("10/20 USD", 1),
    ]
    months = book.breakdown("month", "BTN")
    assert [(group, profile.hands, profile.statistics["steal"].numerator) for group, profile in months.items()] == [
        ("1995-04", 1, 1),
        ("2009-07", 1, 1),
        ("2009-08", 2, 2),
        ("unknown", 2, 1),
    ]
    days = book.breakdown("day", "BTN")
    assert list(days) == ["1995-04-01", "2009-07-31", "2009-08-01", "2009-08-02", "unknown"]
    for by in get_args(By):
        everybody = book.breakdown(by)
        assert list(everybody) == list(book)
        for name in book:
            assert [(group, each.to_dict()["statistics"]) for group, each in everybody[name].items()] == [
                (group, each.to_dict()["statistics"]) for group, each in book.breakdown(by, name).items()
            ]
            total = sum(each.totals.contexts.coarse for each in everybody[name].values())
            assert total.tolist() == book.profile(name).totals.contexts.coarse.tolist()
    with pytest.raises(KeyError):
        book.breakdown("stake", "nobody")
    with pytest.raises(
        ValueError, match="unknown breakdown 'town': expected one of position, table, stake, month, day, depth"
    ):
        book.breakdown("town", "BTN")
    assert books.empty_book().breakdown("stake") == {}


def test_a_month_is_one_of_utc():
    east = timezone(timedelta(hours=-5))
    late = pm.Hand(*hand("fffrff")._content()[:12], datetime(2009, 7, 31, 20, tzinfo=east))
    naive = pm.Hand(*hand("fffrff", number="2")._content()[:12], datetime(2009, 7, 31, 20))
    with book_of(late, naive) as book:
        assert list(book.breakdown("month", "SB")) == ["2009-07", "2009-08"]
        assert list(book.breakdown("day", "SB")) == ["2009-07-31", "2009-08-01"]


def test_real_hands_in_parts(data_dir):
    """The parts are the whole, for every player."""
    with pm.Book("sqlite://") as book:
        book.learn(islice(pm.open_hands(data_dir / "irc-199504" / "sample300"), 60), kinds=STATISTICS)
        book.check()
        for by in get_args(By):
            for name, parts in book.breakdown(by).items():
                whole = book.profile(name)
                assert sum(part.hands for part in parts.values()) == whole.hands
                for key, statistic in whole.statistics.items():
                    assert sum(part.statistics[key].denominator for part in parts.values()) == statistic.denominator
