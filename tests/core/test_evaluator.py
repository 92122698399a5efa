from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import eval7
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator.evaluator import _pheval

import pokermodel.evaluation as ev
from pokermodel._core import evaluator as core
from pokermodel.cards import CARDS
from tests.common import textbook
from tests.common.patience import PATIENCE

STARTS = [1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7463]

# high card, pair, two pair, trips, straight, flush, full house, quads, straight flush
CATEGORY_COUNTS = {
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40],
    6: [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584],
}


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_every_hand_falls_into_its_category(cards):
    counts = np.zeros(7463, dtype=np.uint64)
    core.count_ranks(cards, counts)
    assert [int(counts[a:b].sum()) for a, b in pairwise(STARTS)] == CATEGORY_COUNTS[cards]
    assert counts[0] == 0
    if cards == 5:
        assert (counts[1:] > 0).all()  # each of the 7,462 ranks is some five-card hand's


def random_hands(n, cards, seed):
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((n, 52)), axis=1)[:, :cards].astype(np.uint8)


@pytest.mark.native
@pytest.mark.parametrize("cards", [5, 6, 7])
@pytest.mark.parametrize("many", [60_000, pytest.param(334_000, marks=pytest.mark.slow)])  # slow: a million in all
def test_agrees_with_two_other_evaluators(cards, many):
    hands = random_hands(many, cards, seed=cards)
    ranks = ev.evaluate_many(hands)
    evaluate = getattr(_pheval, f"evaluate_{cards}cards")
    rows = hands.tolist()
    theirs = np.array([evaluate(*row) for row in rows])
    np.testing.assert_array_equal(ranks, 7463 - theirs)
    deck = [eval7.Card(text) for text in CARDS]
    others = np.array([eval7.evaluate([deck[card] for card in row]) for row in rows])
    # another scale, the same order: each of our ranks is one of theirs, and increasing
    order = np.argsort(ranks, kind="stable")
    steps_ours, steps_theirs = np.diff(ranks[order].astype(int)), np.diff(others[order].astype(np.int64))
    assert ((steps_ours > 0) == (steps_theirs > 0)).all()
    assert (steps_theirs >= 0).all()


@pytest.mark.native
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(CARDS), min_size=5, max_size=7, unique=True),
    st.lists(st.sampled_from(CARDS), min_size=5, max_size=7, unique=True),
)
def test_orders_hands_as_the_textbook(first, second):
    ours = np.sign(ev.evaluate(first) - ev.evaluate(second))
    one, two = textbook.hand_value(first), textbook.hand_value(second)
    assert ours == (one > two) - (one < two)
    assert ev.category(ev.evaluate(first)) == ev.CATEGORIES[one[0]]


def test_ace_low_and_high():
    assert ev.category(ev.evaluate("As2c3d4h5s")) == "straight"
    assert ev.category(ev.evaluate("AsKcQdJhTs")) == "straight"
    assert ev.category(ev.evaluate("QsKcAd2h3s")) == "high card"
    assert ev.evaluate("As2c3d4h5s") < ev.evaluate("2c3d4h5s6s")
    assert ev.evaluate("As2s3s4s5s") == 7453


def test_input_forms_agree():
    texts = ["As", "Kd", "7c", "10h", "2s", "2d", "9h"]
    indices = [51, 45, 20, 34, 3, 1, 30]
    expected = ev.evaluate(" ".join(texts))
    assert expected == ev.evaluate(texts) == ev.evaluate(indices) == ev.evaluate(tuple(indices))
    assert expected == ev.evaluate(np.array(indices)) == ev.evaluate(iter(indices))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("AsKd", "5 to 7 cards, got 2"),
        ("2c3c4c5c6c7c8c9c", "5 to 7 cards, got 8"),
        ("AsAsKdQhJc", "duplicate card As"),
        ([1, 1, 2, 3, 4], "occurs twice"),
        ([1, 2, 3, 4, 52], "out of range"),
        ([1, 2, 3, 4, -1], "out of range"),
        ([1, 2, 3, 4, 2**40], "out of range"),
        ("AsKdQhJcXx", "not a card"),
        ([1, 2, 3, 4, None], "not a card"),
        ([1, 2, 3, 4, 5.5], "not a card"),
    ],
)
def test_bad_hands_are_refused(cards, message):
    with pytest.raises(ValueError, match=message):
        ev.evaluate(cards)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.uint16])
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_many_equals_one(dtype, cards):
    hands = random_hands(500, cards, seed=1).astype(dtype)
    ranks = ev.evaluate_many(hands)
    assert ranks.dtype == np.uint16
    assert ranks.tolist() == [ev.evaluate(row) for row in hands.tolist()]
    np.testing.assert_array_equal(ev.evaluate_many(hands[::-2]), ranks[::-2])
    assert ev.evaluate_many(hands[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 4), np.uint8), r"shape \(n, 5\)"),
        (np.zeros(7, np.uint8), "shape"),
        (np.arange(7, dtype=float)[None], "integers"),
        (np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 3]], np.uint8), "row 1 is not 5 different"),
        (np.array([[0, 1, 2, 3, 52]], np.uint8), "row 0"),
        (np.array([[0, 1, 2, 3, 255, 5, 6]], np.uint8), "row 0"),
        (np.array([[0, 1, 2, 3, -1]]), "row 0 holds a card index outside"),
        (np.array([[0, 1, 2, 3, 300]]), "row 0 holds a card index outside"),
    ],
)
def test_bad_arrays_are_refused(array, message):
    with pytest.raises(ValueError, match=message):
        ev.evaluate_many(array)


def test_core_refuses():
    cards, ranks = np.arange(16, dtype=np.uint8).reshape(2, 8), np.zeros(2, np.uint16)
    for width in 4, 8:
        with pytest.raises(ValueError, match=f"5 to 7 cards, got {width}"):
            core.evaluate_many(cards[:, :width].copy(), ranks)
        with pytest.raises(ValueError, match=f"5 to 7 cards, got {width}"):
            core.count_ranks(width, np.zeros(7463, np.uint64))
    with pytest.raises(ValueError, match="2 hands need as many ranks, got room for 1"):
        core.evaluate_many(cards[:, :7].copy(), ranks[:1])
    assert not ranks.any()
    with pytest.raises(ValueError, match="length 7463, got 7462"):
        core.count_ranks(5, np.zeros(7462, np.uint64))
    for rank in 0, 7463:
        with pytest.raises(ValueError, match=f"rank {rank} is out of range"):
            core.category(rank)


def test_every_pair_of_equal_cards_is_found():
    for width in (5, 6, 7):
        for i, j in combinations(range(width), 2):
            hand = np.arange(width, dtype=np.uint8)[None] * 7
            hand[0, i] = hand[0, j]
            with pytest.raises(ValueError, match="row 0"):
                ev.evaluate_many(hand)


@pytest.mark.parametrize("rank", [0, -1, 7463, 10**9])
def test_category_of_no_rank(rank):
    with pytest.raises(ValueError, match="out of range"):
        ev.category(rank)


@pytest.fixture
def generator():
    """The program that writes the header."""
    path = Path(__file__).parents[2] / "tools" / "generate_evaluator_hash.py"
    if not (path.parents[1] / "src").exists():
        pytest.skip("this is no checkout, into which the generator writes")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.native
def test_the_hash_header_packs_the_sums_of_its_keys(generator):
    text = generator.HEADER.read_text()
    keys = [int(key) for key in re.search(r"PM_RANK_KEYS \{(.+)\}", text)[1].split(", ")]
    assert generator.render(keys) == text
    with pytest.raises(AssertionError, match="not distinct"):
        generator.render([*keys[:-1], keys[-1] - 1])


@pytest.mark.native
@pytest.mark.slow
def test_the_hash_header_has_the_smallest_keys(generator):
    done = subprocess.run(
        [sys.executable, generator.__file__, "--check"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
