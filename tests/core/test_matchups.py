"""Exact showdowns by multisets of ranks, against every runout one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from pokermodel._core.dealing import Deals
from pokermodel._core.equity import count_runouts
from pokermodel._core.matchups import N_MATCHUPS, Matchups, list_matchups
from pokermodel.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_CARDS,
    N_HOLDINGS,
    SUITS,
    card_indices,
    cards_text,
    holding_cards,
    holding_index,
)
from pokermodel.evaluation import BoardAnalysis, evaluate_many
from pokermodel.evaluation.equity import _preflop, equity


def dense(weights):
    row = np.zeros(N_HOLDINGS)
    for holding, weight in weights.items():
        row[holding_index(holding)] = weight
    return row


@cache
def chosen(cards, to_come):
    """Every choice of so many cards of a deck."""
    return np.array(list(combinations(range(cards), to_come)), np.uint8)


def ranks_on_every_board(holdings, board=(), dead=()):
    """Rank of each holding (rows) on every board (columns)."""
    holdings = [holding_cards(holding) for holding in holdings]
    taken = {*board, *dead, *(card for holding in holdings for card in holding)}
    deck = np.array([card for card in range(52) if card not in taken], np.uint8)
    runouts = deck[chosen(len(deck), 5 - len(board))]
    hands = np.empty((len(runouts), 7), np.uint8)
    hands[:, 2 : 2 + len(board)] = list(board)
    hands[:, 2 + len(board) :] = runouts
    ranks = []
    for holding in holdings:
        hands[:, :2] = holding
        ranks.append(evaluate_many(hands))
    return np.array(ranks)


def one_by_one(first, second, board=(), dead=()):
    """Runouts that the first holding wins, ties and loses."""
    own, other = ranks_on_every_board([first, second], board, dead)
    return [int((own > other).sum()), int((own == other).sum()), int((own < other).sum())]


def tally(weights, opponent, board=(), dead=(), matchups=None):
    listed, sums = np.empty(N_MATCHUPS, np.uint16), np.empty(3)
    listed = listed[: list_matchups(weights, opponent, listed)]
    (matchups or Matchups(board, dead)).tally(weights, opponent, listed, sums)
    return sums


def of_two(first, second, board=(), dead=()):
    return tally(dense({first: 1}), dense({second: 1}), board, dead).tolist()


# ------------------------------------------------------------------------------------------------ two holdings


def suit_patterns(ranks):
    """Every way to give suits to four ranks, one for all that differ in the names of suits only."""
    seen = set()
    for suits in product(SUITS, repeat=4):
        names = dict(zip(dict.fromkeys(suits), SUITS, strict=False))
        cards = [rank + names[suit] for rank, suit in zip(ranks, suits, strict=True)]
        if len(set(cards)) == 4:
            seen.add((cards[0] + cards[1], cards[2] + cards[3]))
    return sorted(seen)


_RARER = ("AAAA", "AAAK", "AAKK", "AKAK", "AKQJ", "4A52", "3277", "9642")
SLOW = [pytest.param(ranks, marks=pytest.mark.slow) for ranks in _RARER]


@pytest.mark.native
@pytest.mark.parametrize("ranks", ["8765", pytest.param("T9T8", marks=pytest.mark.slow), *SLOW])
def test_every_suit_pattern_before_the_flop(ranks):
    for first, second in suit_patterns(ranks):
        assert of_two(first, second) == one_by_one(first, second), (first, second)


def few_cards(rng):
    """Four ranks' distance and two suits: full houses, straight flushes and shared ranks are frequent."""
    low = int(rng.integers(0, 8))
    return rng.permutation(
        [4 * rank + suit for rank in range(low, low + 6) for suit in (0, 1, int(rng.integers(2, 4)))]
    )


@pytest.mark.parametrize("deck", ["all cards", "few cards"])
@pytest.mark.parametrize(("board_cards", "times"), [pytest.param(0, 6, marks=pytest.mark.native), (3, 300), (4, 300)])
def test_random_holdings(deck, board_cards, times):
    rng = np.random.default_rng([board_cards, len(deck)])
    for _ in range(times):
        cards = (rng.permutation(52) if deck == "all cards" else few_cards(rng)).tolist()
        first, second, board = tuple(cards[:2]), tuple(cards[2:4]), cards[4 : 4 + board_cards]
        dead = cards[4 + board_cards : 4 + board_cards + int(rng.choice([0, 0, 1, 5]))]
        expected = one_by_one(first, second, board, dead)
        assert of_two(first, second, board, dead) == expected, (cards_text(cards[:4]), cards_text(board), dead)
        assert sum(expected) == comb(48 - len(board) - len(dead), 5 - len(board))


@pytest.mark.parametrize("board", ["2c7d9h", "Tc9c8c", "2c2d2h", "Tc9c8cJc"])
def test_no_card_left_to_spare(board):
    """All cards dead but those of the two and just enough for runouts."""
    taken = card_indices("AsKsQdQh" + board)
    to_come = 5 - len(card_indices(board))
    dead = [card for card in range(52) if card not in taken][to_come:]
    assert sum(of_two("AsKs", "QdQh", card_indices(board), dead)) == 1
    assert of_two("AsKs", "QdQh", card_indices(board), dead) == one_by_one("AsKs", "QdQh", card_indices(board), dead)


def test_the_names_of_suits_mean_nothing():
    for suits in permutations(SUITS):
        renamed = ["".join(suits[SUITS.index(c)] if c in SUITS else c for c in text) for text in ("AcTd", "8c8h")]
        assert of_two(*renamed) == of_two("AcTd", "8c8h")
    assert of_two("8c8h", "AcTd") == of_two("AcTd", "8c8h")[::-1]


def test_public_figures():
    # aces and the worst holding against a random one, as every table of heads-up chances has them
    assert equity(["AA", None]).equity[0] == pytest.approx(0.8520, abs=5e-5)
    assert equity(["32o", None]).equity[0] == pytest.approx(0.3230, abs=5e-5)


# ------------------------------------------------------------------------------------------- several holdings


def several_one_by_one(holdings, board=(), dead=()):
    """Boards that each player wins alone, shares with one other and so on; lost ones first."""
    ranks = ranks_on_every_board(holdings, board, dead)
    wins = ranks == ranks.max(axis=0)
    winners = np.where(wins, wins.sum(axis=0), 0)
    return np.array([np.bincount(row, minlength=len(holdings) + 1) for row in winners])


def several(holdings, board=(), dead=()):
    won = np.empty((2, len(holdings), len(holdings) + 1))
    count_runouts(Deals(np.array([dense({holding: 1}) for holding in holdings]), board, dead, True), won)
    np.testing.assert_array_equal(won[0], won[1])
    return won[0]


@pytest.mark.parametrize("holdings", [
    pytest.param(["AhAd", "KsKc", "QhJh"], marks=pytest.mark.native),
    ["7s6s", "9s8s", "AsKs"],  # one straight flush against another
    ["AsKs", "AhKh", "AdKd", "AcKc"],
    pytest.param(["2c2d", "2h2s", "7c3c", "9d4h", "TcJd", "QsKd"], marks=pytest.mark.native),
])  # fmt: skip
def test_several_holdings_before_the_flop(holdings):
    np.testing.assert_array_equal(several(holdings), several_one_by_one(holdings))
    np.testing.assert_array_equal(several(holdings, (), (12, 33)), several_one_by_one(holdings, (), (12, 33)))


@pytest.mark.parametrize("deck", ["all cards", "few cards"])
@pytest.mark.parametrize("board_cards", [3, 4, 5])
def test_several_random_holdings(deck, board_cards):
    rng = np.random.default_rng([board_cards, len(deck), 1])
    for _ in range(100):
        cards = (rng.permutation(52) if deck == "all cards" else few_cards(rng)).tolist()
        players = int(rng.integers(2, 5))
        board, cards = cards[:board_cards], cards[board_cards:]
        holdings = [tuple(cards[2 * player : 2 * player + 2]) for player in range(players)]
        dead = cards[2 * players : 2 * players + int(rng.choice([0, 1, 5]))]
        expected = several_one_by_one(holdings, board, dead)
        np.testing.assert_array_equal(several(holdings, board, dead), expected, cards_text(board))


# ------------------------------------------------------------------------------------------------------ ranges


def by_pairs(first, second, board=(), dead=()):
    """Sums over all pairs of holdings {text: weight}, with what each pair comes to."""
    sums = np.zeros(3)
    for (own, weight), (other, factor) in product(first.items(), second.items()):
        if not {own[:2], own[2:]} & {other[:2], other[2:]}:
            sums += weight * factor * np.array(of_two(own, other, board, dead))
    return sums


@pytest.mark.parametrize(
    ("board", "dead"), [("", ""), ("", "7d2c2d"), ("2c7d9h", ""), ("Tc9c3d", "8c"), ("TcTd3dJh", "")]
)
def test_ranges_are_sums_of_pairs(board, dead):
    rng = np.random.default_rng(len(board) + len(dead))
    board, dead = card_indices(board), card_indices(dead)
    live = [h for h in range(N_HOLDINGS) if not set(HOLDING_CARDS[h].tolist()) & {*board, *dead}]
    # some of them in both ranges, some of the same ranks
    chosen = rng.choice(live, 9, replace=False).tolist()
    chosen += [h for h in live if CLASSES[CLASS_OF_HOLDING[h]] in ("88", "A8s")][:4]
    first = {cards_text(HOLDING_CARDS[h]): rng.random() for h in chosen[:9]}
    second = {cards_text(HOLDING_CARDS[h]): rng.random() for h in chosen[5:]}
    expected = by_pairs(first, second, board, dead)
    np.testing.assert_allclose(tally(dense(first), dense(second), board, dead), expected, rtol=1e-13)
    found = equity([dense(first), dense(second)], board, dead, exact=True)
    assert [found.win[0], found.tie[0], found.lose[0]] == pytest.approx(expected / expected.sum(), rel=1e-13)
    assert [found.lose[1], found.tie[1], found.win[1]] == pytest.approx(expected / expected.sum(), rel=1e-13)


@pytest.mark.parametrize("board", ["2c7d9h", "2c7c9h", "2c7c9c", "2c2d9h", "2c2d2h", "2c7d9hTs", "2c7c9c8c"])
def test_wide_ranges_after_the_flop(board):
    """Against the pairs of all holdings on a board, which count in another way."""
    weights, opponent = np.random.default_rng(1).random((2, N_HOLDINGS)) ** 4
    sums = tally(weights, opponent, card_indices(board))
    np.testing.assert_allclose(sums / sums.sum(), BoardAnalysis(board).showdowns(weights, opponent), rtol=1e-12)


@pytest.mark.slow
def test_all_against_all():
    found = equity([None, None])
    assert found.equity.tolist() == [0.5, 0.5]
    assert found.win[0] == found.lose[0]
    # C(52, 2) C(50, 2) C(48, 5) showdowns: as whole numbers
    sums = tally(np.ones(N_HOLDINGS), np.ones(N_HOLDINGS), matchups=_preflop())
    assert sums.sum() == comb(52, 2) * comb(50, 2) * comb(48, 5)
    assert sums[0] == sums[2]
    assert sums[1] / sums.sum() == found.tie[0]


@pytest.mark.native
def test_equity_is_what_simulation_finds():
    rng = np.random.default_rng(5)
    weights = list(rng.random((2, N_HOLDINGS)) ** 6 * (rng.random((2, N_HOLDINGS)) < 0.1))
    exact, simulated = equity(weights, dead="AsKd"), equity(weights, dead="AsKd", exact=False, rng=1)
    assert exact.trials == 0
    assert not exact.standard_error.any()
    assert (abs(exact.equity - simulated.equity) < 5 * simulated.standard_error).all()
    np.testing.assert_allclose(exact.win, simulated.win, atol=0.003)
    np.testing.assert_allclose(exact.tie, simulated.tie, atol=0.003)


@pytest.mark.parametrize("scale", [(1e-300, 1e300), (1e300, 1e300), (5e-324, 1e-300), (1.0, 5e-324)])
def test_scale_of_weights_means_nothing(scale):
    plain = equity(["QsQh, AsKs", "JdJc, AdKd"])
    weights = [
        dense(dict.fromkeys(texts, s)) for texts, s in zip((("QsQh", "AsKs"), ("JdJc", "AdKd")), scale, strict=True)
    ]
    np.testing.assert_allclose(equity(weights).equity, plain.equity, rtol=1e-14)


def test_tiny_weights_count_where_there_are_no_others():
    weights = [dense({"AsAh": 1, "KsKh": 1e-300}), dense({"AsKd": 1, "QsQd": 1e-300})]
    # the two that are likely cannot be held together
    second = of_two("KsKh", "AsKd")
    first = of_two("AsAh", "QsQd")
    expected = (np.array(first) + second) / (2 * comb(48, 5))
    found = equity(weights)
    assert [found.win[0], found.tie[0], found.lose[0]] == pytest.approx(expected, rel=1e-13)
    found = equity([dense({"AsAh": 1, "KsKh": 1e-300}), dense({"AsKd": 1e-300})])
    assert found.win[0] == pytest.approx(second[0] / comb(48, 5), rel=1e-14)


def test_what_has_no_weight_is_not_looked_at():
    out = np.empty(N_MATCHUPS, np.uint16)
    assert list_matchups(dense({"AsAh": 1}), dense({"KsKh": 1}), out) == 1
    assert list_matchups(dense({"AsAh": 1, "AsKs": 1}), dense({"KsKh": 1, "AdAc": 1}), out) == 4
    assert list_matchups(dense({"AsAh": 1, "KsKh": 1}), dense({"AdAc": 1, "KdKc": 1}), out) == 3  # whoever has which
    assert list_matchups(np.ones(N_HOLDINGS), np.ones(N_HOLDINGS), out) == N_MATCHUPS
    assert len(set(out.tolist())) == N_MATCHUPS
    assert list_matchups(np.zeros(N_HOLDINGS), np.ones(N_HOLDINGS), out) == 0


# ----------------------------------------------------------------------------------------------------- threads


@pytest.mark.native
def test_neither_threads_nor_what_is_known_change_a_bit(monkeypatch):
    rng = np.random.default_rng(3)
    weights = list(rng.random((2, N_HOLDINGS)) * (rng.random((2, N_HOLDINGS)) < 0.05))
    found = []
    for jobs in (1, 3):
        matchups = Matchups()
        monkeypatch.setattr("pokermodel.evaluation.equity._preflop", lambda matchups=matchups: matchups)
        found += [equity(weights, jobs=jobs), equity(weights, jobs=jobs)]
    for other in found[1:]:
        assert other.win.tolist() == found[0].win.tolist()
        assert other.tie.tolist() == found[0].tie.tolist()


def test_threads_fill_one_table():
    matchups = Matchups()
    rng = np.random.default_rng(4)
    ranges = [dense(dict.fromkeys(rng.choice(N_HOLDINGS, 6).tolist(), 1.0)) for _ in range(8)]
    expected = [tally(first, second) for first, second in product(ranges, ranges)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda pair: tally(*pair, matchups=matchups), product(ranges, ranges)))
    np.testing.assert_array_equal(found, expected)


def test_interrupts_are_heard(monkeypatch):
    calls = []

    class Interrupted:
        def tally(self, *args):
            calls.append(args)
            args[-1][:] = 1.0
            if len(calls) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr("pokermodel.evaluation.equity._preflop", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        equity([None, None], jobs=2)
    assert len(calls) < 20  # of 262


# ------------------------------------------------------------------------------------------------------- input


@pytest.mark.parametrize(("board", "dead", "message"), [
    ((52,), (), "out of range"),
    ((-1,), (), "out of range"),
    ((0, 0, 1), (), "occurs twice"),
    ((0, 1, 2), (2,), "occurs twice"),
    ((0, 1), (), "0, 3 or 4"),
    ((0, 1, 2, 3, 4), (), "0, 3 or 4"),
    ((), range(44), "fewer than 9"),
])  # fmt: skip
def test_no_table(board, dead, message):
    with pytest.raises(ValueError, match=message):
        Matchups(board, dead)


def test_core_refuses():
    one, listed, sums = np.ones(N_HOLDINGS), np.zeros(1, np.uint16), np.empty(3)
    for arguments, message in [
        ((one[:9], one, listed, sums), "length 1326"),
        ((one, one[:9], listed, sums), "length 1326"),
        ((one, one, listed, sums[:2]), "length 3"),
        ((one, one, np.array([91 << 8], np.uint16), sums), "no matchup"),
        ((one, one, np.array([3 << 8 | 4], np.uint16), sums), "no matchup"),
    ]:
        with pytest.raises(ValueError, match=message):
            Matchups().tally(*arguments)
    with pytest.raises(ValueError, match="length 4186"):
        list_matchups(one, one, listed)
    with pytest.raises(ValueError, match="length 1326"):
        list_matchups(one[:9], one, np.empty(N_MATCHUPS, np.uint16))


def test_no_holdings_together():
    with pytest.raises(ValueError, match="share no card"):
        equity(["AsKs, AsQs", "AsJs, AsTs"])
    with pytest.raises(ValueError, match="no holding"):
        equity(["AsKs", "AsQs, AsJs"])
