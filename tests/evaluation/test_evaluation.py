from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import pokermodel as pm
import pokermodel.evaluation as ev
from pokermodel._core.strength import Analysis, first_bad
from pokermodel.cards import CARDS, card_indices, cards_text, holding_index, holding_text, live_holdings
from tests.common import textbook

# Papp 1998, sections 5.2 and 5.3, and exact enumeration: ahead, tied, behind, strength
STRENGTHS = [
    ("AdQc", "3h4cJh", (628, 9, 444), 0.585106),
    ("8d7d", "9d6c2d", (120, 9, 952), 0.115171),
    ("Ah8h", "9h8c2c", (903, 6, 172), 0.838113),
    ("AdQc", "3h4cJh2s", (464, 9, 562), 0.452657),
    ("AdQc", "3h4cJh2s9d", (344, 9, 637), 0.352020),
]
# the nine cells [now][later], positive and negative potential
POTENTIALS = [
    ("AdQc", "3h4cJh", 2, [449005, 3211, 169504, 0, 8370, 540, 91981, 1036, 346543], 0.208324, 0.273693),
    ("AdQc", "3h4cJh", 1, [24126, 0, 4134, 0, 396, 9, 2186, 0, 17794], 0.108312, 0.145402),
    ("8d7d", "9d6c2d", 2, [101696, 5501, 11603, 3240, 5625, 45, 585463, 2858, 354159], 0.621491, 0.116636),
    ("8d7d", "9d6c2d", 1, [4980, 0, 420, 81, 324, 0, 17510, 0, 25330], 0.407748, 0.074967),
    ("Ah8h", "9h8c2c", 2, [722463, 1258, 170249, 270, 5580, 90, 37659, 51, 132570], 0.218294, 0.190562),
    ("Ah8h", "9h8c2c", 1, [36960, 0, 3675, 0, 270, 0, 774, 0, 6966], 0.098286, 0.090140),
    ("AdQc", "3h4cJh2s", 1, [16823, 188, 3405, 0, 387, 9, 3961, 237, 20530], 0.163664, 0.169957),
]


@pytest.mark.parametrize(("holding", "board", "cells", "strength"), STRENGTHS)
def test_published_strengths(holding, board, cells, strength):
    assert ev.hand_strength(holding, board) == pytest.approx(strength, abs=5e-7)
    table = ev.BoardAnalysis(board).evaluate()
    now = table.counts[holding_index(holding)].sum(axis=1)
    runouts = now.sum() / sum(cells)
    np.testing.assert_array_equal(now / runouts, cells)


def test_strength_against_several():
    assert ev.hand_strength("AdQc", "3h4cJh", opponents=5) == pytest.approx(0.068576, abs=5e-7)
    assert ev.hand_strength("Ah8h", "9h8c2c", opponents=3) == pytest.approx(0.838113**3, abs=2e-6)


@pytest.mark.parametrize("whole_board", [False, True])
@pytest.mark.parametrize(("holding", "board", "lookahead", "cells", "ppot", "npot"), POTENTIALS)
def test_published_potentials(holding, board, lookahead, cells, ppot, npot, whole_board):
    analysis = ev.BoardAnalysis(board)
    if whole_board:  # the same answer from the counts of all pairs
        table = analysis.evaluate(None, lookahead)
        assert table.ppot[holding_index(holding)] == pytest.approx(ppot, abs=5e-7)
        np.testing.assert_array_equal(table.counts[holding_index(holding)].ravel(), cells)
    found = analysis.potential(holding, None, lookahead)
    np.testing.assert_array_equal(found.counts.ravel(), cells)
    assert found.ppot == pytest.approx(ppot, abs=5e-7)
    assert found.npot == pytest.approx(npot, abs=5e-7)


@pytest.mark.parametrize(
    ("holding", "board", "optimistic", "effective"),
    [
        ("AdQc", "3h4cJh", 0.630044, 0.544969),
        ("8d7d", "9d6c2d", 0.475958, 0.467324),
        ("AdQc", "3h4cJh2s", 0.542238, 0.465305),
    ],
)
def test_published_effective_strengths(holding, board, optimistic, effective):
    table = ev.BoardAnalysis(board).evaluate()
    assert table.ehs[holding_index(holding)] == pytest.approx(effective, abs=5e-7)
    assert table.ehs_optimistic[holding_index(holding)] == pytest.approx(optimistic, abs=5e-7)


def test_published_uniform_hand_ranks():
    """Billings et al. 1998, Table 2."""
    table = ev.BoardAnalysis("3h4cJh").evaluate()
    published = {
        "Jc4h": 0.993525, "AcJc": 0.957447, "5h2h": 0.004163, "6s5s": 0.026364, "5s5h": 0.816374,
        "5s3s": 0.648474, "AcQd": 0.585106, "7s5s": 0.052266, "QsTs": 0.359389,
    }  # fmt: skip
    for holding, strength in published.items():
        assert table.hs[holding_index(holding)] == pytest.approx(strength, abs=5e-7)


CRUDE = [
    ("AcQd", "3h4cJh", 0.102128), ("5s3s", "3h4cJh", 0.093617), ("5s5h", "3h4cJh", 0.042553),
    ("QsTs", "3h4cJh", 0.095745), ("7s5s", "3h4cJh", 0.170213), ("6s5s", "3h4cJh", 0.251064),
    ("5h2h", "3h4cJh", 0.395745), ("AhKh", "3h4cJh", 0.293617), ("7s2d", "3h4cJh", 0.082979),
    ("8d7d", "9d6c2d", 0.402128), ("Ah8h", "9h8c2c", 0.093617), ("AcJc", "3h4cJh", 0.093617),
    ("Jc4h", "3h4cJh", 0.055319), ("AdQc", "3h4cJh2s", 0.169565), ("Ah2c", "Kh7h3h", 0.268085),
]  # fmt: skip


@pytest.mark.parametrize(("holding", "board", "expected"), CRUDE)
def test_crude_potential_worked_examples(holding, board, expected):
    assert ev.BoardAnalysis(board).crude_potentials()[holding_index(holding)] == pytest.approx(expected, abs=5e-7)


@pytest.mark.native
def test_crude_potential_is_near_the_exact_one():
    """Meant to be within 5% of PPOT1 in 95% of random cases (Papp 1998, section 7.2.3)."""
    rng = np.random.default_rng(7)
    for cards in (3, 4):
        errors = []
        for _ in range(25):
            analysis = ev.BoardAnalysis(rng.choice(52, cards, replace=False).tolist())
            errors.append(np.abs(analysis.crude_potentials() - analysis.evaluate().ppot)[analysis.live])
        assert (np.concatenate(errors) <= 0.05).mean() > 0.94


# ------------------------------------------------------------------------------------- textbook comparisons

FLOPS = {"rainbow": "2c7d9h", "two-tone": "Ts9s8d", "monotone": "Ac7c4c", "paired": "KhKd5s", "trips": "6c6d6h"}


def weightings(rng):
    sparse = np.where(rng.random(1326) < 0.05, rng.random(1326), 0.0)
    return {
        "uniform": np.ones(1326),
        "random": rng.random(1326),
        "sparse": sparse,
        "tiny": rng.random(1326) * 1e-300,
        "huge": rng.random(1326) * 1e300,
        "wild": 10.0 ** rng.uniform(-200, 100, 1326),
    }


def random_case(rng, board_cards, dead=0):
    cards = [CARDS[i] for i in rng.choice(52, board_cards + dead + 2, replace=False)]
    return cards[:2], cards[2 : 2 + board_cards], cards[2 + board_cards :]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.native) for seed in range(1, 4))])
@pytest.mark.parametrize("board_cards", [3, 4, 5])
def test_strength_equals_the_textbook(board_cards, seed):
    rng = np.random.default_rng([seed, board_cards])
    holding, board, dead = random_case(rng, board_cards, dead=seed)
    value = textbook.Values()
    analysis = ev.BoardAnalysis(board, dead)
    for name, weights in weightings(rng).items():
        expected = textbook.strength(holding, board, weights, dead, value)
        assert analysis.strength(holding, weights) == pytest.approx(expected, rel=1e-9), name


@pytest.mark.parametrize(
    "flop",
    [FLOPS["rainbow"], *(pytest.param(FLOPS[name], marks=pytest.mark.native) for name in FLOPS if name != "rainbow")],
    ids=FLOPS.keys(),
)
def test_all_strengths_of_a_flop_equal_the_textbook(flop):
    rng = np.random.default_rng(5)
    value = textbook.Values()
    board = [flop[i : i + 2] for i in (0, 2, 4)]
    holdings = textbook.all_holdings(board)
    values = np.array([hash_order(value([*h, *board])) for h in holdings])
    cards = np.array([[CARDS.index(a), CARDS.index(b)] for a, b in holdings])
    number = np.array([textbook.holding_number(h) for h in holdings])
    clash = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    for name, weights in weightings(rng).items():
        got = ev.BoardAnalysis(flop).strengths(weights)
        w = np.where(clash, 0.0, weights[number][None, :])
        w = w / w.max(axis=1, keepdims=True)
        ahead = (w * (values[None, :] < values[:, None])).sum(axis=1)
        tied = (w * (values[None, :] == values[:, None])).sum(axis=1)
        np.testing.assert_allclose(got[number], (ahead + tied / 2) / w.sum(axis=1), rtol=1e-9, err_msg=name)
        assert np.isnan(got[~live_holdings(flop)]).all()


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(3, 5), st.integers(0, 3), st.sampled_from([0.002, 0.05, 0.5, 1.0]))
def test_strengths_from_sums_over_beginnings(seed, board_cards, dead, share):
    """They are those of the weights ahead, tied and behind, which are added with care, to 1e-12."""
    rng = np.random.default_rng(seed)
    _, board, others = random_case(rng, board_cards, dead)
    analysis = ev.BoardAnalysis(board, others)
    for spread in (0, 2, 12):
        weights = np.where(rng.random(1326) < share, 10.0 ** rng.uniform(-spread, 0, 1326), 0.0)
        cells = np.zeros((1326, 3))
        analysis._analysis.masses(weights, cells)
        total = cells.sum(axis=1)
        some = total > 0
        expected = (cells[some, 0] + cells[some, 1] / 2) / total[some]
        strengths = analysis.strengths(weights)[some]
        np.testing.assert_allclose(strengths, expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(strengths, expected, rtol=1e-10, atol=0)
    np.testing.assert_array_equal(analysis.strengths(), analysis.evaluate(None).hs)  # whole numbers: to the bit


def hash_order(value):
    """A hand value as one number that orders alike."""
    padded = (*value, 0, 0, 0, 0, 0)[:6]
    number = 0
    for digit in padded:
        number = number * 16 + digit
    return number


@pytest.mark.native
@pytest.mark.parametrize(("board_cards", "seed"), [(3, 0), (4, 1), (3, 2)])
def test_one_card_potential_equals_the_textbook(board_cards, seed):
    rng = np.random.default_rng([seed, board_cards, 1])
    holding, board, dead = random_case(rng, board_cards, dead=8 * seed)
    weights = weightings(rng)[["random", "sparse", "wild"][seed]]
    counts = textbook.potential_counts(holding, board, weights, 1, dead)
    one = ev.BoardAnalysis(board, dead).potential(holding, weights)
    table = ev.BoardAnalysis(board, dead).evaluate(weights)
    index = holding_index(holding)
    for got in (one.counts, table.counts[index]):
        np.testing.assert_allclose(got, counts, rtol=1e-9)
    ppot, npot = textbook.potentials(counts)
    np.testing.assert_allclose([one.ppot, one.npot, table.ppot[index], table.npot[index]], [ppot, npot] * 2, rtol=1e-9)


@pytest.mark.native
@pytest.mark.parametrize("flop", FLOPS.values(), ids=FLOPS.keys())
def test_two_card_potential_equals_the_textbook(flop):
    """On a stripped deck, where the textbook can afford it."""
    rng = np.random.default_rng(9)
    board = [flop[i : i + 2] for i in (0, 2, 4)]
    rest = [card for card in textbook.DECK if card not in board]
    dead = [str(card) for card in rng.choice(rest, 30, replace=False)]
    live = [card for card in rest if card not in dead]
    value = textbook.Values()
    analysis = ev.BoardAnalysis(board, dead)
    for holding in (live[:2], [live[-1], live[9]]):
        weights = rng.random(1326)
        counts = textbook.potential_counts(holding, board, weights, 2, dead, value)
        np.testing.assert_allclose(analysis.potential(holding, weights, 2).counts, counts, rtol=1e-9)
        table = analysis.evaluate(weights, 2)
        np.testing.assert_allclose(table.counts[holding_index(holding)], counts, rtol=1e-9)


TURNS = {
    "rainbow": "2c7d9hTs", "two-tone": "2c7d9hTh", "two pairs of suits": "2c7d9dTc", "three suited": "Ac7c4cKd",
    "monotone": "Ac7c4c9c", "paired": "KhKd5s5h", "quads": "6c6d6h6s", "straight flush": "7h8h9hTh",
}  # fmt: skip


@pytest.mark.parametrize(
    ("board", "lookahead"),
    [pytest.param(flop, lookahead, marks=pytest.mark.native) for flop in FLOPS.values() for lookahead in (1, 2)]
    + [(turn, 1) for turn in TURNS.values()],
)
def test_two_kernels_agree(board, lookahead):
    """One answer from the counts of all holdings and from a walk over the runouts of one, for many holdings."""
    rng = np.random.default_rng(3)
    weights = weightings(rng)
    dead = [int(rng.choice(np.setdiff1d(range(52), card_indices(board))))]
    for name, known in (("wild", ()), ("sparse", dead)):
        whole, other = ev.BoardAnalysis(board, known), ev.BoardAnalysis(board, known)
        counts = whole.evaluate(weights[name], lookahead).counts
        for index in rng.choice(np.flatnonzero(whole.live), 60, replace=False):
            by_runout = other.potential(int(index), weights[name], lookahead).counts
            np.testing.assert_allclose(counts[index], by_runout, rtol=1e-12, err_msg=holding_text(int(index)))
            with_counts = whole.potential(int(index), weights[name], lookahead).counts
            np.testing.assert_allclose(with_counts, by_runout, rtol=1e-12)


# ------------------------------------------------------------------------------------ suits and the cache


@pytest.fixture
def cache():
    """The cache, empty."""
    before = ev.counts_cache.info().limit
    ev.counts_cache.clear()
    yield ev.counts_cache
    ev.counts_cache.resize(before)


def renamed(cards, suits):
    return "".join(
        card[0] + suits["cdhs".index(card[1])] for card in map("".join, zip(*[iter(cards)] * 2, strict=True))
    )


@pytest.mark.parametrize("board", ["2c7d9h", "Ts9s8d", "Ac7c4c", "KhKd5s", "Ts9s8dJs", "2c7d9dTc", "2c7d9hTsQs"])
def test_names_of_suits_do_not_matter(board, cache):
    rng = np.random.default_rng(11)
    weights = rng.random(1326)
    expected = ev.BoardAnalysis(board, "3s3h").evaluate(weights)
    for suits in ("dchs", "shdc", "hscd"):
        index = [holding_index(renamed(holding_text(k), suits)) for k in range(1326)]
        other = np.empty(1326)
        other[index] = weights
        got = ev.BoardAnalysis(renamed(board, suits), renamed("3s3h", suits)).evaluate(other)
        for name in ("hs", "ppot", "npot", "ehs", "counts"):
            np.testing.assert_allclose(getattr(got, name)[index], getattr(expected, name), rtol=1e-13, err_msg=name)
    assert cache.info().entries == (len(board) < 10)  # counted once


def test_counts_are_shared_between_analyses(cache):
    ev.BoardAnalysis("2c7d9h").evaluate()
    assert cache.info()[:3] == (0, 1, 1)
    ev.BoardAnalysis("9s2d7c").evaluate()
    assert cache.info()[:3] == (1, 1, 1)
    ev.BoardAnalysis("2c7d9h").evaluate(lookahead=2)
    ev.BoardAnalysis("2c7d9h", "As").evaluate()
    assert cache.info()[:3] == (1, 3, 3)


def test_the_cache_is_bounded(cache):
    ev.BoardAnalysis("Ac7c4c").evaluate()
    size = cache.info().nbytes
    assert 2e5 < size < 2e6
    cache.resize(2 * size)
    for board in ("Ac7c5c", "Ac7c6c", "Ac8c4c"):
        ev.BoardAnalysis(board).evaluate()
    assert cache.info().entries == 2
    assert cache.info().nbytes <= 2 * size
    misses = cache.info().misses
    ev.BoardAnalysis("Ac7c4c").evaluate()  # was used longest ago
    assert cache.info().misses == misses + 1
    cache.resize(0)
    assert cache.info()[2:] == (0, 0, 0)
    ev.BoardAnalysis("Ac7c4c").evaluate()
    assert cache.info().entries == 0
    with pytest.raises(ValueError, match="in bytes must be 0 or more"):
        cache.resize(-1)


def test_threads_share_the_cache(cache):
    boards = ["2c7d9h", "2d7c9h", "2h7s9d", "Ts9s8d", "Th9h8c", "Ac7c4c"] * 4
    expected = {board: ev.BoardAnalysis(board).potential("AsKd").counts for board in boards}
    cache.resize(1 << 20)  # too small for all
    with ThreadPoolExecutor(8) as pool:
        for board, table in zip(boards, pool.map(lambda each: ev.BoardAnalysis(each).evaluate(), boards), strict=True):
            np.testing.assert_array_equal(table.counts[holding_index("AsKd")], expected[board])
    assert cache.info().nbytes <= 1 << 20


def test_counts_of_another_board_are_refused():
    one, other = Analysis([0, 5, 10]), Analysis([0, 5, 14])
    with pytest.raises(ValueError, match="another board"):
        other.keep(one.count(1))
    with pytest.raises(ValueError, match="no counts for 1 cards to come yet"):
        other.cells(np.ones(1326), 1, np.zeros((1326, 9)))


def test_core_refuses():
    for board, dead, message in (
        ([0, 5], (), "3 to 5 cards, got 2"),
        ([0, 5, 52], (), "card index 52 is out of range"),
        ([0, 5, -1], (), "card index -1 is out of range"),
        ([0, 5, 5], (), "duplicate card: index 5"),
        ([0, 5, 10], [10], "duplicate card: index 10"),
        ([0, 5, 10], range(1, 48), "47 dead cards leave fewer than two holdings"),
    ):
        with pytest.raises(ValueError, match=message):
            Analysis(board, dead)
    analysis, one, nine = Analysis([0, 5, 10]), np.ones(1326), np.empty((1326, 9))
    analysis.keep(analysis.count(1))
    for call, message in (
        (lambda: first_bad(one[1:]), r"weights must have shape \(1326,\), got \(1325,\)"),
        (lambda: analysis.strengths(one[1:], one.copy()), r"weights must have shape \(1326,\), got \(1325,\)"),
        (lambda: analysis.strengths(one, np.empty(1325)), r"out must have shape \(1326,\), got \(1325,\)"),
        (lambda: analysis.masses(one, np.empty((1326, 2))), r"shape \(1326, 3\), got \(1326, 2\)"),
        (lambda: analysis.cells(one, 1, nine[:, :8].copy()), r"shape \(1326, 9\), got \(1326, 8\)"),
        (lambda: analysis.cells(one, 3, nine), r"lookahead must be 1..2 on a board of 3 cards, got 3"),
        (lambda: analysis.count(0), "lookahead must be 1..2 on a board of 3 cards, got 0"),
        (lambda: analysis.potential(1325, one, 1, np.empty(8)), r"cells must have shape \(9,\), got \(8,\)"),
        (lambda: analysis.potential(1326, one, 1, np.empty(9)), "holding 1326 shares a card"),
        (lambda: analysis.holding_cells(1325, one, 1, np.empty(10)), r"out must have shape \(9,\), got \(10,\)"),
        (lambda: analysis.holding_cells(0, one, 1, np.empty(9)), "holding 0 shares a card"),
        (lambda: analysis.outs(np.empty(1)), r"out must have shape \(1326,\), got \(1,\)"),
        (lambda: Analysis([0, 5, 10, 15, 20]).outs(one.copy()), "no potential on the river"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.native
@pytest.mark.parametrize("seed", range(8))
def test_crude_potential_equals_the_textbook(seed):
    rng = np.random.default_rng([seed, 2])
    _, board, dead = random_case(rng, 3 + seed % 2, dead=(0, 3, 20)[seed % 3])
    potentials = ev.BoardAnalysis(board, dead).crude_potentials()
    holdings = textbook.all_holdings([*board, *dead])
    for k in rng.choice(len(holdings), 40, replace=False):
        expected = textbook.crude_potential(holdings[k], board, dead)
        assert potentials[textbook.holding_number(holdings[k])] == pytest.approx(expected, abs=1e-12)


_WET = ["Ac7c4c", "6c6d6h", "Ts9s8d", "Th9h8h", "KsQsJs", "8h9hThJh", "AcAdKhKs", "6c6d6h6s", "AdKcQcJc", "As2d3h5s"]


@pytest.mark.parametrize("text", _WET)
def test_crude_potential_on_wet_boards(text):
    rng = np.random.default_rng(4)
    board = [text[i : i + 2] for i in range(0, len(text), 2)]
    potentials = ev.BoardAnalysis(text).crude_potentials()
    holdings = textbook.all_holdings(board)
    for k in rng.choice(len(holdings), 40, replace=False):
        expected = textbook.crude_potential(holdings[k], board)
        assert potentials[textbook.holding_number(holdings[k])] == pytest.approx(expected, abs=1e-12)


# ------------------------------------------------------------------------------------------------ properties


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJh2s", "3h4cJh2s9d", "TsJsQsKsAs"])
def test_cells_are_complete_and_symmetric(board):
    table = ev.BoardAnalysis(board).evaluate()
    live = live_holdings(board)
    unseen = 52 - len(board) // 2
    runouts = 1 if unseen == 47 else unseen - 4
    opponents = (unseen - 2) * (unseen - 3) // 2
    np.testing.assert_array_equal(table.counts[live].sum(axis=(1, 2)), opponents * runouts)
    total = table.counts[live].sum(axis=0)
    np.testing.assert_array_equal(total, total[::-1, ::-1])  # who wins a pair, the other loses
    assert np.isnan(table.hs[~live]).all()
    for array in (table.hs, table.ppot, table.npot):
        assert ((array[live] >= 0) & (array[live] <= 1)).all()
    if unseen == 47:
        assert (table.ppot[live] == 0).all()
        np.testing.assert_array_equal(table.ehs[live], table.hs[live])


def test_scale_of_weights_does_not_matter():
    rng = np.random.default_rng(0)
    weights = rng.random(1326)
    expected = ev.BoardAnalysis("2c7d9h").evaluate(weights, 2)
    for factor in (1e-300, 1e-30, 1e30, 1e300):
        got = ev.BoardAnalysis("2c7d9h").evaluate(weights * factor, 2)
        for name in ("hs", "ppot", "npot", "ehs", "ehs_optimistic"):
            np.testing.assert_allclose(getattr(got, name), getattr(expected, name), rtol=1e-9)


def test_no_weight_left_means_uniform():
    only = np.zeros(1326)
    only[holding_index("AsAh")] = 1.0
    table = ev.BoardAnalysis("2c7d9h").evaluate(only)
    uniform = ev.BoardAnalysis("2c7d9h").evaluate()
    blocked = holding_index("AsKd")  # nobody can hold aces beside it
    assert table.hs[blocked] == uniform.hs[blocked]
    assert table.ppot[blocked] == uniform.ppot[blocked]
    assert table.hs[holding_index("KsKd")] == 0.0
    assert ev.hand_potential("AsKd", "2c7d9h", only)[:2] == ev.hand_potential("AsKd", "2c7d9h")[:2]
    assert ev.hand_strength("AsKd", "2c7d9h", np.zeros(1326)) == ev.hand_strength("AsKd", "2c7d9h")


def test_product_of_tables():
    rng = np.random.default_rng(1)
    tables = rng.random((2, 1326))
    expected = np.prod([ev.hand_strength("AdQc", "3h4cJh", table) for table in tables])
    assert ev.hand_strength("AdQc", "3h4cJh", tables) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="do not go with"):
        ev.hand_strength("AdQc", "3h4cJh", tables, opponents=3)


# ------------------------------------------------------------------------------- several opponents at once


def sparse_tables(rng, opponents, holdings, spread=0.0):
    """Tables with few holdings each, drawn from a few cards, so that many of them collide."""
    tables = np.zeros((opponents, 1326))
    low = rng.choice(np.arange(20, 1326))
    for table in tables:
        some = rng.choice(np.arange(max(0, low - 150), low), min(holdings, 20))
        table[some] = 10.0 ** rng.uniform(-spread, 0, len(some))
    return tables


@settings(max_examples=25)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(3, 5),
    st.integers(1, 3),
    st.integers(0, 30),
    st.sampled_from([1, 3, 20]),
    st.sampled_from([0.0, 2.0, 12.0, 80.0]),
)
def test_joint_strength_equals_the_textbook(seed, board_cards, opponents, dead, holdings, spread):
    rng = np.random.default_rng(seed)
    holding, board, others = random_case(rng, board_cards, dead)
    tables = sparse_tables(rng, opponents, holdings, spread)
    assume(
        (tables[:, live_holdings([*holding, *board, *others])].sum(axis=1) > 0).all()
    )  # else any holding is possible
    expected = textbook.joint_strength(holding, board, tables, others)
    analysis = ev.BoardAnalysis(board, others)
    if np.isnan(expected):
        with pytest.raises(ValueError, match="no holdings that can be dealt together"):
            analysis.joint_strength(holding, tables)
    else:
        assert analysis.joint_strength(holding, tables) == pytest.approx(expected, rel=1e-9, abs=0)


@pytest.mark.parametrize("name", ["uniform", "random", "sparse", "tiny", "huge"])
def test_joint_strength_against_two_full_tables(name):
    """The enumeration as one sum over all pairs of holdings."""
    rng = np.random.default_rng(3)
    holding, board, _ = random_case(rng, 4)
    one, two = weightings(rng)[name], np.roll(weightings(rng)[name], 5)
    value = textbook.Values()
    others = textbook.all_holdings([*holding, *board])
    mine = value([*holding, *board])
    score = np.array([(1.0, 0.5, 0.0)[textbook.state(mine, value([*other, *board]))] for other in others])
    number = np.array([textbook.holding_number(other) for other in others])
    cards = np.array([[CARDS.index(a), CARDS.index(b)] for a, b in others])
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    first, second = (weights[number] / weights[number].max() for weights in (one, two))
    expected = (first * score) @ apart @ (second * score) / (first @ apart @ second)
    assert ev.BoardAnalysis(board).joint_strength(holding, [one, two]) == pytest.approx(expected, rel=1e-11)


def test_joint_strength_against_three_full_tables():
    """That of two, for each holding of the third, in the deck without it."""
    rng = np.random.default_rng(4)
    deck = [CARDS[card] for card in rng.permutation(52)]
    holding, board, dead, live = deck[:2], deck[2:5], deck[5:40], deck[40:]  # 12 cards are left
    tables = rng.random((3, 1326))
    value = textbook.Values()
    counted = total = 0.0
    for other in textbook.all_holdings(set(CARDS) - set(live)):
        score = (1.0, 0.5, 0.0)[textbook.state(value([*holding, *board]), value([*other, *board]))]
        rest = ev.BoardAnalysis(board, [*dead, *other])
        pairs = sum(
            tables[0][holding_index(one)] * tables[1][holding_index(two)]
            for one in textbook.all_holdings(set(CARDS) - set(live) | set(other))
            for two in textbook.all_holdings(set(CARDS) - set(live) | {*other, *one})
        )
        weight = tables[2][holding_index(other)] * pairs
        total += weight
        counted += weight * score * rest.joint_strength(holding, tables[:2])
    found = ev.BoardAnalysis(board, dead).joint_strength(holding, tables)
    assert found == pytest.approx(counted / total, rel=1e-12)


def test_joint_strength_by_hand():
    """Aces or jacks against queens: 36 and 36 ways to have both, 6 and 6 to have one kind twice."""
    table = pm.WeightTable.from_text("AA, JJ")
    assert ev.BoardAnalysis("9h5d2c").joint_strength("QcQh", [table, table]) == pytest.approx(6 / 84, rel=1e-14)
    assert ev.hand_strength("QcQh", "9h5d2c", [table, table]) == 0.25
    # three opponents cannot all have jacks: there are four
    assert ev.BoardAnalysis("9h5d2c").joint_strength("QcQh", [table, table, table]) == 0.0
    # on a board that nobody beats, each opponent ties: a half for each
    for opponents in (1, 2, 3):
        found = ev.BoardAnalysis("AsKsQsJsTs").joint_strength("2c2d", [None] * opponents)
        assert found == pytest.approx(0.5**opponents, rel=1e-14)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(3, 5), st.sampled_from([0.01, 0.2, 1.0]))
def test_joint_strength_has_these_properties(seed, board_cards, share):
    rng = np.random.default_rng(seed)
    holding, board, dead = random_case(rng, board_cards, seed % 4)
    analysis = ev.BoardAnalysis(board, dead)
    tables = np.where(rng.random((3, 1326)) < share, rng.random((3, 1326)), 0.0)
    alone = [analysis.joint_strength(holding, [table]) for table in tables]
    assert alone == pytest.approx([analysis.strength(holding, table) for table in tables], rel=1e-12)
    two, three = analysis.joint_strength(holding, tables[:2]), analysis.joint_strength(holding, tables)
    assert 0.0 <= two <= 1.0 + 1e-15
    assert 0.0 <= three <= 1.0 + 1e-15
    order = rng.permutation(3)
    assert analysis.joint_strength(holding, tables[order]) == pytest.approx(three, rel=1e-10)
    scaled = tables * np.array([[1e-290], [1e290], [3.0]])
    assert analysis.joint_strength(holding, scaled) == pytest.approx(three, rel=1e-10)
    # an opponent of whom all cards are known is a dead card or two and nothing else
    free = [card for card in CARDS if card not in {*holding, *board, *dead}]
    known = [free[0], free[1]]
    rest = ev.BoardAnalysis(board, [*dead, *known]).joint_strength(holding, tables[:2])
    score = analysis.strength(holding, only("".join(known)))
    together = analysis.joint_strength(holding, [only("".join(known)), *tables[:2]])
    assert together == pytest.approx(score * rest, rel=1e-10)


def test_joint_strength_of_opponents_without_weight():
    """They have any other holding alike, as where there is one opponent."""
    nothing, some = np.zeros(1326), np.random.default_rng(1).random(1326)
    expected = ev.BoardAnalysis("2c7d9h").joint_strength("AsKd", [None, some])
    assert ev.BoardAnalysis("2c7d9h").joint_strength("AsKd", [nothing, some]) == expected
    assert ev.BoardAnalysis("2c7d9h").joint_strength("AsKd", [only("AsKs"), some]) == expected  # the hero has the ace
    assert ev.BoardAnalysis("2c7d9h").joint_strength("AsKd", [pm.WeightTable.uniform(), some]) == expected


def test_joint_strength_in_threads():
    analysis, tables = ev.BoardAnalysis("Ts9s8d"), np.random.default_rng(2).random((12, 3, 1326))
    expected = [analysis.joint_strength("AsAd", each) for each in tables]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda each: analysis.joint_strength("AsAd", each), tables)) == expected


def test_threads_share_an_analysis():
    analysis = ev.BoardAnalysis("Ts9s8d")
    weights = np.random.default_rng(2).random((16, 1326))
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda w: analysis.evaluate(w, 1).ehs, weights))
    for table, w in zip(tables, weights, strict=True):
        np.testing.assert_array_equal(table, ev.BoardAnalysis("Ts9s8d").evaluate(w, 1).ehs)


def test_threads_may_ask_while_the_counts_are_made():
    """One holding is asked for by some threads while others have the pairs of all holdings counted."""
    expected = ev.BoardAnalysis("2c7d9h").potential("AsKd").counts
    for _ in range(5):
        analysis = ev.BoardAnalysis("2c7d9h")
        with ThreadPoolExecutor(8) as pool:
            whole = [pool.submit(analysis.evaluate) for _ in range(4)]
            single = [pool.submit(analysis.potential, "AsKd") for _ in range(40)]
            for future in single:
                np.testing.assert_array_equal(future.result().counts, expected)
            for future in whole:
                np.testing.assert_array_equal(future.result().counts[holding_index("AsKd")], expected)


FLOP = ev.BoardAnalysis("3h4cJh")


def only(holding):
    weights = np.zeros(1326)
    weights[holding_index(holding)] = 1
    return weights


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ev.hand_strength("AdQc", "3h4c"), "3 to 5 cards, got 2"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh2s9d7c"), "3 to 5 cards, got 6"),
        (lambda: ev.hand_strength("AdQc", "AdKcJh"), "shares a card with the board"),
        (lambda: ev.hand_strength("AdAd", "3h4cJh"), "duplicate card Ad"),
        (lambda: ev.hand_strength("AdQc2s", "3h4cJh"), "two cards, got 3"),
        (lambda: ev.hand_strength("AdQc", "3h3hJh"), "duplicate card 3h"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh", opponents=0), "from 1 to 22"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh", np.ones(169)), r"shape \(1326,\)"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh", -np.ones(1326)), "weight of 2d2c is -1.0"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh", np.full(1326, np.nan)), "weight of 2d2c is nan"),
        (lambda: ev.hand_strength("AdQc", "3h4cJh", np.full(1326, np.inf)), "weight of 2d2c is inf"),
        (lambda: ev.hand_potential("AdQc", "3h4cJh", lookahead=3), "lookahead must be 1 or 2"),
        (lambda: ev.hand_potential("AdQc", "3h4cJh", lookahead=0), "lookahead must be 1 or 2"),
        (lambda: ev.hand_potential("AdQc", "3h4cJh2s", lookahead=2), "lookahead must be 1 on"),
        (lambda: ev.BoardAnalysis("3h4cJh", "3h").evaluate(), "duplicate card 3h"),
        (lambda: ev.BoardAnalysis("3h4cJh", range(46)).evaluate(), "dead cards|duplicate"),
        (lambda: ev.BoardAnalysis("3h4cJh2s").evaluate(lookahead=2), "lookahead must be 1 on"),
        (lambda: FLOP.showdowns(only("AsKs"), only("AsQd")), "no holdings that can be dealt together"),
        (lambda: FLOP.showdowns(only("AsKs"), only("Jh2c")), "no holdings that can be dealt together"),
        (lambda: FLOP.showdowns(only("AsKs"), np.ones(169).tolist()), r"shape \(1326,\)"),
        (lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", []), "1 to 3 tables of opponents, got 0"),
        (lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", [None] * 4), "1 to 3 tables of opponents, got 4"),
        (
            lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", np.ones(1326)),
            "1 to 3 tables of opponents, got 1326",
        ),
        (lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", pm.WeightTable.uniform()), "one for each opponent"),
        (lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", [None, -np.ones(1326)]), "weight of 2d2c is -1.0"),
        (lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", [np.ones(169)]), r"shape \(1326,\)"),
        (lambda: ev.BoardAnalysis("AdKcJh").joint_strength("AdQc", [None]), "shares a card with the board"),
        (lambda: ev.BoardAnalysis("3h4c").joint_strength("AdQc", [None]), "3 to 5 cards, got 2"),
        (
            lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", [only("AsKs")] * 2),
            "no holdings that can be dealt together",
        ),
        (
            lambda: ev.BoardAnalysis("3h4cJh").joint_strength("AdQc", [only("AsKs"), only("9s8s"), only("AsKh")]),
            "dealt together",
        ),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_repr():
    assert repr(ev.BoardAnalysis("3h4cJh", "As")) == "BoardAnalysis('3h4cJh', dead='As')"
    assert cards_text(ev.BoardAnalysis("3h4cJh").board) == "3h4cJh"


def test_dead_cards_as_an_array():
    for dead in (np.array([5]), np.array([5, 6]), np.array([], dtype=np.int64), [5]):
        analysis = ev.BoardAnalysis("AsKsQs", dead)
        assert analysis.dead == tuple(int(card) for card in dead)
        again = pickle.loads(pickle.dumps(analysis))
        assert (again.board, again.dead) == (analysis.board, analysis.dead)


def test_too_few_cards_for_the_runout():
    cards = list(range(51, -1, -1))
    analysis = ev.BoardAnalysis(cards[:3], cards[3:47])  # five are left
    assert np.nanmax(analysis.evaluate(None, 1).hs) == pytest.approx(np.nanmax(analysis.strengths()))
    with pytest.raises(ValueError, match="two holdings and 2 more cards cannot be dealt from 5 that are unseen"):
        analysis.evaluate(None, 2)


@pytest.mark.parametrize("seed", range(12))
def test_strengths_against_all_alike_are_counted(seed):
    """To the bit those against weights that are alike, which are summed."""
    deck = np.random.default_rng(seed).permutation(52).tolist()
    n = 3 + seed % 3
    analysis = ev.BoardAnalysis(deck[:n], deck[n : n + (0, 1, 7, 52 - n - 5)[seed % 4]])
    np.testing.assert_array_equal(analysis.strengths(), analysis.strengths(np.ones(1326)))
    np.testing.assert_array_equal(analysis.uniform_strengths, analysis.strengths())


@pytest.mark.parametrize("opponents", [0, 23, 10**400, float("nan"), 1.5])
def test_numbers_of_opponents(opponents):
    with pytest.raises(ValueError, match="opponents must be a whole number from 1 to 22"):
        ev.hand_strength("AdQc", "3h4cJh", opponents=opponents)


@pytest.mark.parametrize("weights", ["AA", [10**400, *[1] * 1325]])
def test_weights_that_are_none(weights):
    with pytest.raises(ValueError, match="weights must be 1326 numbers"):
        ev.hand_strength("AdQc", "3h4cJh", weights)
