"""Equity of several players against plain enumeration and eval7."""

from __future__ import annotations

from itertools import combinations
from math import comb

import eval7
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel._core import equity as core
from pokermodel._core.dealing import Deals
from pokermodel.cards import CARDS, HOLDING_CARDS, N_HOLDINGS, card_indices, holding_cards, holding_index
from pokermodel.evaluation.equity import equity
from pokermodel.weights import WeightTable

EVAL7 = [eval7.Card(card) for card in CARDS]
WORDS = np.array([5, 6, 7, 8], dtype=np.uint64)


def enumerate_equity(ranges, board, dead=()):
    """Equity, win, tie, lose by every combination of holdings {cards: weight} and every board, with eval7."""
    board, dead = card_indices(board), card_indices(dead)
    total, found = 0.0, np.zeros((4, len(ranges)))

    def showdowns(holdings, weight):
        nonlocal total
        taken = {*board, *dead, *(card for holding in holdings for card in holding)}
        for runout in combinations(sorted(set(range(52)) - taken), 5 - len(board)):
            on_board = [EVAL7[card] for card in (*board, *runout)]
            ranks = [eval7.evaluate([*on_board, *(EVAL7[card] for card in holding)]) for holding in holdings]
            winners = [player for player, rank in enumerate(ranks) if rank == max(ranks)]
            total += weight
            for player in range(len(ranks)):
                fate = 3 if player not in winners else 1 if len(winners) == 1 else 2
                found[fate, player] += weight
                found[0, player] += weight / len(winners) * (player in winners)

    def extend(holdings, taken, weight, rest):
        if not rest:
            showdowns(holdings, weight)
            return
        for text, factor in rest[0].items():
            cards = holding_cards(text)
            if not taken.intersection(cards):
                extend([*holdings, cards], taken.union(cards), weight * factor, rest[1:])

    extend([], {*board, *dead}, 1.0, ranges)
    return found / total


def texts(ranges):
    return [",".join(f"{holding}:{weight}" for holding, weight in weights.items()) for weights in ranges]


def assert_exactly(found, expected):
    np.testing.assert_allclose([found.equity, found.win, found.tie, found.lose], expected, rtol=0, atol=1e-12)
    assert found.trials == 0
    assert not found.standard_error.any()


def assert_about(found, expected, sigmas=5):
    """Equity within its standard errors, the chances within theirs."""
    assert (abs(found.equity - expected[0]) <= sigmas * found.standard_error + 1e-12).all()
    chances = np.array([found.win, found.tie, found.lose])
    errors = np.sqrt(expected[1:] * (1 - expected[1:]) / found.trials)
    assert (abs(chances - expected[1:]) <= sigmas * errors + 1e-12).all()


# ------------------------------------------------------------------------------------------------------- exact

KNOWN = [
    (["AsAh", "KdKc"], "2c7d9h"),
    (["AsAh", "AdAc"], "2c7d9hJs"),
    (["AsAh", "AdAc", "KsKh"], "2c7d9hJs"),
    (["QsJs", "7c7d", "AhTs"], "9s8s2d"),
    (["2c3c", "4d5d", "6h7h", "8s9s"], "TsJsQsKsAs"),  # all play the board
    (["2c3d", "AdKd"], "TsJhQsKsAc"),
]


@pytest.mark.parametrize(("holdings", "board"), KNOWN)
@pytest.mark.parametrize("dead", ["", "3hJd"])
def test_known_holdings_on_every_board(holdings, board, dead):
    expected = enumerate_equity([{holding: 1} for holding in holdings], board, dead)
    assert_exactly(equity(holdings, board, dead), expected)
    assert_about(equity(holdings, board, dead, exact=False, trials=50_000, rng=1), expected)


def test_known_holdings_before_the_flop():
    found = equity(["AsAh", "KsKh"])
    # one of the suits' arrangements that public tables list: 1,410,336 won and 9,308 tied of 1,712,304
    assert round(float(found.win[0]) * comb(48, 5)) == 1_410_336
    assert round(float(found.tie[0]) * comb(48, 5)) == 9_308
    assert equity(["AsAh", "KsKh"], exact=True).win[0] == found.win[0]


def test_holdings_that_follow_from_each_other_are_known():
    assert_exactly(equity(["AsKs", "AsAh, QsQh"], "2c7d9h"), enumerate_equity([{"AsKs": 1}, {"QsQh": 1}], "2c7d9h"))


# --------------------------------------------------------------------------------------------------- simulated

RANGES = [
    ([{"AsAh": 1, "KdKc": 0.3}, {"AsKs": 1, "7h7s": 0.5, "QdJd": 2}], "2c7d9hJs"),
    ([{"AsAh": 1, "KdKc": 0.3}, {"AsKs": 1, "AhKh": 0.5}, {"KcKs": 1, "QcQd": 0.1, "AdAc": 3}], "2c7d9hJs"),
    ([{"AsKs": 1, "AsQs": 1}, {"AhKh": 1, "AhQh": 2}, {"AdKd": 1, "AdQd": 3}, {"AcKc": 1, "QcJc": 4}], "2s2h9h9d"),
    ([{"5s6s": 1, "8c8d": 3}, {"TsTh": 1, "7h6h": 0.1}, {"Td8s": 1}], "9s8h7s"),
]


@pytest.mark.parametrize(("ranges", "board"), RANGES)
def test_ranges(ranges, board):
    expected = enumerate_equity(ranges, board)
    assert_about(equity(texts(ranges), board, trials=200_000, rng=1, exact=False), expected)
    if len(ranges) == 2:
        assert_exactly(equity(texts(ranges), board, exact=True), expected)


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_random_ranges_on_the_river(seed):
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52)
    board, cards = deck[:5].tolist(), deck[5:19]
    possible = [holding_index(pair) for pair in combinations(cards.tolist(), 2)]
    players = int(rng.integers(2, 5))
    ranges = [
        dict(zip(rng.choice(possible, 5, replace=False).tolist(), (0.05 + rng.random(5)).tolist(), strict=True))
        for _ in range(players)
    ]
    weights = np.zeros((players, N_HOLDINGS))
    for row, chosen in zip(weights, ranges, strict=True):
        row[list(chosen)] = list(chosen.values())
    try:
        found = equity(list(weights), board, trials=20_000, rng=seed, exact=False)
    except ValueError:
        holdings = [[set(HOLDING_CARDS[h].tolist()) for h in chosen] for chosen in ranges]
        assert not any_apart(holdings, set())
        return
    assert_about(found, enumerate_equity(ranges, board), sigmas=6)
    assert found.equity.sum() == pytest.approx(1)


def any_apart(holdings, taken):
    return not holdings or any(not cards & taken and any_apart(holdings[1:], taken | cards) for cards in holdings[0])


def test_aces_against_anything():
    # 0.85204 by enumeration
    for ranges in (["AA", None], ["AsAh", "random"], [None, "AA"]):
        found = equity(ranges, rng=2, exact=False)
        aces = ranges.index(None) ^ 1 if None in ranges else 0
        assert found.equity[aces] == pytest.approx(0.85204, abs=5 * found.standard_error[aces])
        assert found.standard_error[aces] < 0.0004


@pytest.mark.parametrize("players", [2, 3, 6, 23])
def test_nobody_knows_anything(players):
    found = equity([None] * players, trials=100_000, rng=players, exact=False)
    assert (abs(found.equity - 1 / players) < 5 * found.standard_error).all()
    assert found.equity.sum() == pytest.approx(1)
    np.testing.assert_allclose(found.win + found.tie + found.lose, 1)


@pytest.mark.parametrize("board", ["", "2c7d9h", "2c7d9hJs", "2c7d9hJs3d"])
def test_a_hand_against_a_range_with_eval7(board):
    cards = [eval7.Card(board[k : k + 2]) for k in range(0, len(board), 2)]
    hand, villain = [eval7.Card("As"), eval7.Card("Kd")], eval7.HandRange("22+, A2s+, KTs+, QJo")
    ranges = ["AsKd", "22+, A2s+, KTs+, QJo"]
    found = equity(ranges, board, trials=400_000, rng=1, exact=False)
    if len(cards) == 5:
        expected = eval7.py_hand_vs_range_exact(hand, villain, cards)
    else:  # its exact one is for rivers; its simulation is as large as ours and draws from no seed
        expected = eval7.py_hand_vs_range_monte_carlo(hand, villain, cards, 400_000)
    assert found.equity[0] == pytest.approx(expected, abs=8 * found.standard_error[0])
    exact = equity(ranges, board, exact=True)
    assert exact.equity[0] == pytest.approx(found.equity[0], abs=5 * found.standard_error[0])


@pytest.mark.parametrize("board", ["2c7d9h", "2c7d9hJs", "2c7d9hJs3d", "TsJsQsKsAs"])
@pytest.mark.parametrize("holdings", [1, 5, 40])
def test_two_ranges_after_the_flop_are_exact(board, holdings):
    """One holding after the other, and the pairs of all, against plain enumeration."""
    rng = np.random.default_rng([len(board), holdings])
    dead = [card for card in range(52) if card not in card_indices(board)][::9] if holdings < 40 else []
    live = np.flatnonzero(~np.isin(HOLDING_CARDS, [*card_indices(board), *dead]).any(axis=1))
    first = dict(zip(rng.choice(live, holdings, replace=False).tolist(), rng.random(holdings).tolist(), strict=True))
    second = dict(zip(rng.choice(live, 3, replace=False).tolist(), rng.random(3).tolist(), strict=True))
    weights = np.zeros((2, N_HOLDINGS))
    for row, chosen in zip(weights, (first, second), strict=True):
        row[list(chosen)] = list(chosen.values())
    ranges = [{int(h): row[h] for h in np.flatnonzero(row)} for row in weights]
    if holdings == 40 and len(board) == 6:
        ranges[1] = dict(list(ranges[1].items())[:1])  # enumeration is slow
        weights[1, [h for h in range(N_HOLDINGS) if h not in ranges[1]]] = 0
    assert_exactly(equity(list(weights), board, dead, exact=True), enumerate_equity(ranges, board, dead))


def test_a_blocked_range_counts_for_nothing():
    """A holding that the opponent's only holding rules out must not be weighed against anything else."""
    found = equity(["AsKs, 2h2d", "AsAh"], "2c7d9hJs3d")
    assert_exactly(found, enumerate_equity([{"2h2d": 1}, {"AsAh": 1}], "2c7d9hJs3d"))
    with pytest.raises(ValueError, match="no holding"):
        equity(["AsKs", "AsAh"], "2c7d9h")


def test_scale_of_weights_means_nothing():
    rng = np.random.default_rng(3)
    weights = rng.random((3, N_HOLDINGS)) ** 4
    plain = equity(list(weights), "2c7d9h", trials=10_000, rng=1)
    scaled = equity(list(weights * 2.0 ** np.array([[-900], [0], [900]])), "2c7d9h", trials=10_000, rng=1)
    np.testing.assert_array_equal(plain.equity, scaled.equity)


def test_narrow_ranges_are_weighed():
    # five players who would all hold the same aces, if they could
    ranges = [{"AsAh": 1, f"{holding}": 0.1} for holding in ("KsKh", "QsQh", "JsJh", "7s7h", "9c9d")]
    expected = enumerate_equity(ranges, "2c7d9hJc3s")
    assert Deals(dense(ranges), (), (), True).method == "weigh"
    found = equity(texts(ranges), "2c7d9hJc3s", trials=400_000, rng=1)
    assert (found.standard_error[[2, 4]] > 0).all()
    assert (found.standard_error < 0.02).all()
    assert (abs(found.equity - expected[0]) < 5 * found.standard_error + 1e-12).all()
    np.testing.assert_allclose(found.win, expected[1], atol=0.05)


def dense(ranges):
    weights = np.zeros((len(ranges), N_HOLDINGS))
    for row, chosen in zip(weights, ranges, strict=True):
        for holding, weight in chosen.items():
            row[holding_index(holding)] = weight
    return weights


@pytest.mark.parametrize(("ranges", "board"), [(RANGES[1]), (RANGES[3])])
def test_standard_errors_say_how_results_scatter(ranges, board):
    expected = enumerate_equity(ranges, board)[0]
    found = [equity(texts(ranges), board, trials=2_000, rng=seed) for seed in range(200)]
    often = (expected > 0.05) & (expected < 0.95)  # who nearly never wins may not do so in any of 2,000 trials
    assert often.any()
    z = np.array([(one.equity - expected)[often] / one.standard_error[often] for one in found])
    assert (abs((z**2).mean(axis=0) - 1) < 0.5).all()


def test_showdowns_are_whole_numbers():
    won = np.empty((2, 3, 4))
    core.count_deals(Deals(np.ones((3, N_HOLDINGS)), (), (), True), WORDS, 5000, won)
    np.testing.assert_array_equal(won, np.round(won))
    np.testing.assert_array_equal(won[0], won[1])
    np.testing.assert_array_equal(won[0].sum(axis=1), 5000)
    # two who share are two players with a shared pot
    assert won[0, :, 2].sum() % 2 == 0
    assert won[0, :, 3].sum() % 3 == 0
    assert (won[0, :, 1:] / [1, 2, 3]).sum() == pytest.approx(5000)


# ----------------------------------------------------------------------------------------------- seeds and input


def test_threads_and_seeds():
    ranges = ["AA, KQs:0.3", "22+", None]
    one = equity(ranges, trials=300_001, rng=7, jobs=1)
    three = equity(ranges, trials=300_001, rng=7, jobs=3)
    for name in ("equity", "win", "tie", "lose", "standard_error"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))
    assert one.trials == 300_001
    assert (equity(ranges, trials=300_001, rng=8).equity != one.equity).any()


@pytest.mark.parametrize(("arguments", "message"), [
    ({"ranges": "AA"}, "list of two or more"),
    ({"ranges": ["AA"]}, "two or more ranges, got 1"),
    ({"ranges": []}, "two or more ranges, got 0"),
    ({"ranges": [None] * 24}, "1 to 23 players"),
    ({"ranges": ["AsAh", "AsKs"]}, "share no card"),
    ({"ranges": ["AA", "AA", "AA"]}, "share no card"),
    ({"ranges": ["AA", "ZZ"]}, "column 1"),
    ({"ranges": ["AA", np.ones(5)]}, "shape"),
    ({"ranges": ["AA", None], "board": "AsAs"}, "duplicate"),
    ({"ranges": ["AA", None], "board": "As", "dead": "As"}, "duplicate"),
    ({"ranges": ["AA", None], "board": "2c3c4c5c6c7c"}, "0, 3, 4 or 5"),
    ({"ranges": ["AA", None], "board": "AsAhAd"}, "player 0 has no holding"),
    ({"ranges": ["AA", None, None], "trials": 1}, "2 or more"),
    ({"ranges": ["AA", None], "jobs": 0}, "jobs must be 1"),
    ({"ranges": ["AA", None, None], "rng": -1}, "not a source of randomness"),
    ({"ranges": ["AA", None, None], "exact": True}, "one holding each"),
])  # fmt: skip
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        equity(**arguments)


def test_core_refuses():
    deals = Deals(np.ones((2, N_HOLDINGS)), (), (), True)
    with pytest.raises(ValueError, match=r"shape \(2, 2, 3\)"):
        core.count_deals(deals, WORDS, 1, np.empty((2, 3, 3)))
    with pytest.raises(ValueError, match="4 words"):
        core.count_deals(deals, WORDS[:2], 1, np.empty((2, 2, 3)))
    with pytest.raises(ValueError, match="player 0 is not known"):
        core.count_runouts(deals, np.empty((2, 2, 3)))
    with pytest.raises(TypeError):
        core.count_deals(None, WORDS, 1, np.empty((2, 2, 3)))


@pytest.mark.parametrize("weight", ["1e-3", "1e-4", "1e-9"])
def test_two_players_whose_likely_holdings_exclude_each_other(weight):
    """There is but one deal; that it is unlikely does not matter."""
    found = equity([f"AsAh,KsKh:{weight}", f"AsKs,AhQh:{weight}"], "2c7d9h")
    np.testing.assert_allclose(found.equity, equity(["KsKh", "AhQh"], "2c7d9h").equity)


@pytest.mark.parametrize(("ranges", "possible", "board", "dead"), [
    (["AA:1e300, KK:1e-300", "QQ"], ["KK", "QQ"], "", "AsAhAd"),
    (["AsAh:1e300, KcKh:1e-300", "QcQh"], ["KcKh", "QcQh"], "AsKdQs", ""),
])  # fmt: skip
def test_weights_of_what_is_impossible_do_not_count(ranges, possible, board, dead):
    found = equity(ranges, board, dead)
    np.testing.assert_allclose(found.equity, equity(possible, board, dead).equity)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"trials": 2.5}, "trials must be a whole number, got 2.5"),
    ({"trials": float("nan")}, "trials must be a whole number, got nan"),
    ({"jobs": 1.5}, "jobs must be a whole number, got 1.5"),
])  # fmt: skip
def test_numbers_that_are_not_whole(arguments, message):
    with pytest.raises(ValueError, match=message):
        equity([None] * 3, **arguments)


def test_one_table_is_no_list_of_ranges():
    with pytest.raises(ValueError, match="expected a list of ranges"):
        equity(WeightTable())


def test_equities_and_errors_by_the_weights_of_showdowns() -> None:
    rng = np.random.default_rng(7)
    won, squares = rng.random((2, 3, 4))
    won[1:] *= won[0].sum() / won[1:].sum(axis=1, keepdims=True)
    share, total = np.array([0.0, 1.0, 1 / 2, 1 / 3]), won[0].sum()
    mean = won @ share / total
    error = np.sqrt((squares * (share - mean[:, None]) ** 2).sum(axis=1) * 50 / 49) / total
    expected = [mean, error, won[:, 1] / total, won[:, 2:].sum(axis=1) / total, won[:, 0] / total]
    assert core.summarize(won, squares, 50) == pytest.approx(np.array(expected), rel=1e-12)
    assert not core.summarize(won, None, 0)[1].any()
    with pytest.raises(ValueError, match="expected weights of 3 players and 4 numbers of winners"):
        core.summarize(won[:, :3].copy(), None, 0)
