"""Showdowns counted: two hands exactly, many by dealing."""

from __future__ import annotations

from itertools import permutations
from math import comb

import eval7
import numpy as np
import pytest

from pokermodel._core import rollout as core
from pokermodel.cards import CARDS, CLASS_OF_HOLDING, HOLDING_CARDS, holding_index

COMBINATIONS = np.bincount(CLASS_OF_HOLDING)
EVAL7 = [eval7.Card(card) for card in CARDS]


@pytest.fixture(scope="module")
def boards():
    boards, orbits = np.empty((134_459, 5), dtype=np.uint8), np.empty(134_459, dtype=np.uint8)
    core.fill_canonical_boards(boards, orbits)
    return boards, orbits


def test_boards_up_to_suits(boards):
    cards, orbits = boards
    assert (np.diff(cards.astype(int), axis=1) > 0).all()
    assert orbits.sum(dtype=int) == comb(52, 5)
    assert len(np.unique(cards, axis=0)) == 134_459


def test_orbits_by_permuting_suits(boards):
    cards, orbits = boards
    stand_for = {tuple(board): orbit for board, orbit in zip(cards.tolist(), orbits.tolist(), strict=True)}
    for board in np.random.default_rng(2).permuted(np.tile(np.arange(52), (300, 1)), axis=1)[:, :5].tolist():
        orbit = {tuple(sorted(4 * (card // 4) + suits[card % 4] for card in board)) for suits in permutations(range(4))}
        (representative,) = orbit & stand_for.keys()
        assert stand_for[representative] == len(orbit)


def count_with_eval7(board):
    """Wins and ties by class on one board, every holding against every other that is possible beside it."""
    live = [(a, b) for a, b in HOLDING_CARDS.tolist() if a not in board and b not in board]
    on_board = [EVAL7[card] for card in board]
    ranks = np.array([eval7.evaluate([*on_board, EVAL7[a], EVAL7[b]]) for a, b in live])
    held = np.zeros((len(live), 52), dtype=np.int64)
    for row, holding in enumerate(live):
        held[row, list(holding)] = 1
    apart = held @ held.T == 0
    wins, ties = np.zeros(169, dtype=np.uint64), np.zeros(169, dtype=np.uint64)
    classes = CLASS_OF_HOLDING[[holding_index(holding) for holding in live]]
    np.add.at(wins, classes, ((ranks[:, None] > ranks) & apart).sum(axis=1).astype(np.uint64))
    np.add.at(ties, classes, ((ranks[:, None] == ranks) & apart).sum(axis=1).astype(np.uint64))
    return wins, ties


@pytest.mark.parametrize("orbit", [1, 24])
@pytest.mark.parametrize(
    "board",
    ["2c7d9hJsKc", "AsKsQsJsTs", "5c5d5h5s2c", "AcAdKcKdQh", "2h3h4h5h6h", "8c8d8h3s3c", "2d6d9dQdAh"],
)
def test_a_board_counted_with_eval7(board, orbit):
    cards = [CARDS.index(board[k : k + 2]) for k in range(0, 10, 2)]
    expected = count_with_eval7(cards)
    counts = np.zeros((2, 169), dtype=np.uint64)
    core.count_heads_up(np.array([cards], dtype=np.uint8), np.array([orbit], dtype=np.uint8), counts[0], counts[1])
    np.testing.assert_array_equal(counts, orbit * np.array(expected))


@pytest.mark.native
def test_random_boards_counted_with_eval7():
    boards = np.random.default_rng(3).permuted(np.tile(np.arange(52, dtype=np.uint8), (25, 1)), axis=1)[:, :5]
    counts = np.zeros((2, 169), dtype=np.uint64)
    core.count_heads_up(boards.copy(), np.ones(25, dtype=np.uint8), counts[0], counts[1])
    np.testing.assert_array_equal(counts, sum(np.array(count_with_eval7(board)) for board in boards.tolist()))


def test_bad_boards():
    counts = np.zeros((2, 169), dtype=np.uint64)
    once = np.ones(2, dtype=np.uint8)
    good = [0, 1, 2, 3, 4]
    for bad, message in [
        ([good, [0, 1, 2, 3, 52]], r"row 1 is not 5 different cards 0..51: \[0, 1, 2, 3, 52\]"),
        ([good, [0, 1, 2, 3, 0]], "row 1 is not 5 different cards"),
        ([[*good, 5], [*good, 6]], "has 5 cards, got 6"),
        ([good], "1 boards need as many orbits, got 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            core.count_heads_up(np.array(bad, dtype=np.uint8), once, counts[0], counts[1])
    with pytest.raises(ValueError, match=r"must have shape \(169,\)"):
        core.count_heads_up(np.array([good, good], dtype=np.uint8), once, counts[0], counts[1, :168])
    assert not counts.any()
    with pytest.raises(ValueError, match="134459 boards"):
        core.fill_canonical_boards(np.zeros((2, 5), dtype=np.uint8), once)


def tally(deals, words=(1, 2, 3, 4)):
    counts = np.zeros((23, 169, 23), dtype=np.uint64)
    core.count_deals(np.array(words, dtype=np.uint64), deals, counts)
    return counts


def test_tally_of_one_deal_is_that_of_23_hands():
    for seed in range(1, 50):
        counts = tally(1, (seed, 2, 3, 4))
        fates = [(int(b), int(t)) for t, _, b in np.argwhere(counts) for _ in range(counts[t, _, b])]
        assert len(fates) == 23
        # from the weakest up, each group of equals beats all that came before it
        beaten = 0
        for below, tied in sorted(set(fates)):
            assert below == beaten
            assert fates.count((below, tied)) == tied + 1
            beaten += tied + 1
        assert beaten == 23


def test_tally_deals_every_holding_alike():
    deals = 60_000
    dealt = tally(deals).sum(axis=(0, 2))
    expected = 23 * deals * COMBINATIONS / 1326
    # 46 of the 47 cards beside the board are dealt, so that holdings scatter like a Poisson count at most
    assert ((dealt - expected) ** 2 / expected).mean() < 1.5
    assert (abs(dealt - expected) < 6 * np.sqrt(expected)).all()


def test_bad_tallies():
    with pytest.raises(ValueError, match=r"shape \(23, 169, 23\), got \(23, 169, 22\)"):
        core.count_deals(np.ones(4, dtype=np.uint64), 1, np.zeros((23, 169, 22), dtype=np.uint64))
    with pytest.raises(ValueError, match="4 words, got 5"):
        core.count_deals(np.ones(5, dtype=np.uint64), 1, np.zeros((23, 169, 23), dtype=np.uint64))
