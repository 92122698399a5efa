"""Every instruction set gives the same bits."""

from __future__ import annotations

import functools
import itertools
import os
import platform
import subprocess
import sys

import numpy as np
import pytest

import pokermodel.evaluation as ev
from pokermodel import simd
from pokermodel._core import simd as core
from pokermodel.classics.loki1.field import field_array
from pokermodel.classics.loki1.reweighting import ramp_forecast, reweight
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.triples import TripleSpot, expect_triples
from pokermodel.learning.thresholds import Threshold
from pokermodel.reading import posterior


@pytest.fixture(params=simd.LEVELS)
def level(request):
    if request.param not in simd.available():
        pytest.skip(f"this processor lacks {request.param}")
    before = simd.level()
    simd.use(request.param)
    yield request.param
    simd.use(before)


def aligned(rows, length, offset=0):
    memory = np.zeros(rows * length + 64 + offset, np.int8)
    start = -memory.ctypes.data % 64 + offset
    return memory[start : start + rows * length].reshape(rows, length)


@pytest.mark.parametrize("length", [0, 64, 128, 192, 960, 1216, 1280])
def test_rows_are_compared_entry_by_entry(level, length):
    for rows in (0, 1, 3, 8, 17):
        rng = np.random.default_rng([rows, length])
        left, right = aligned(5, length), aligned(rows, length)
        left[:] = rng.integers(-128, 128, left.shape)
        right[:] = rng.integers(-128, 128, right.shape)
        if rows and length:
            right[0] = left[0]  # all tied: the counters' highest value
            left[1], right[-1] = 127, -128  # all won
        wins, ties = np.empty((5, rows), np.uint16), np.empty((5, rows), np.uint16)
        core.compare_rows(left, right, wins, ties)
        np.testing.assert_array_equal(wins, (left[:, None] > right[None]).sum(axis=2), f"{rows} rows")
        np.testing.assert_array_equal(ties, (left[:, None] == right[None]).sum(axis=2), f"{rows} rows")


@pytest.mark.parametrize("width", [5, 6, 7])
def test_many_hands_are_ranked_one_by_one(level, width):
    for rows in (0, 1, 5, 15, 16, 17, 18, 31, 32, 33, 34, 63, 64, 65, 66, 127, 128, 1003):
        rng = np.random.default_rng([width, rows])
        dealt = np.argsort(rng.random((rows, 52)), axis=1)[:, :width]
        dealt[rows // 2 :: 7] = np.arange(width) * 4 + 1  # flushes, straight ones
        expected = [ev.evaluate(hand) for hand in dealt.tolist()]
        for offset in (0, 1, 3):
            # ends with the last card: a sanitizer sees what reads beyond
            memory = np.empty(offset + rows * width, np.uint8)
            hands = memory[offset:].reshape(rows, width)
            hands[:] = dealt
            assert ev.evaluate_many(hands).tolist() == expected, (rows, offset)


@pytest.mark.parametrize("row", [0, 15, 31, 32, 63, 64, 69])
def test_a_row_that_is_no_hand_is_named(level, row):
    hands = np.argsort(np.random.default_rng(row).random((70, 52)), axis=1)[:, :7].astype(np.uint8)
    for place, wrong in itertools.product(range(7), (52, 255, "twice")):
        mangled = hands.copy()
        mangled[row, place] = mangled[row, place - 1] if wrong == "twice" else wrong
        with pytest.raises(ValueError, match=f"row {row} is not 7 different cards"):
            ev.evaluate_many(mangled)


def some_weights(kind, rng, n):
    """Weights of several kinds, among them subnormal ones and such as hardly leave room for their products."""
    if kind == "mixed":
        return rng.random(n) * 10.0 ** rng.integers(-300, 1, n)
    return rng.random(n) * {"ordinary": 1.0, "tiny": 1e-310, "huge": 1e300, "none": 0.0}[kind]


def unaligned(array, start):
    """A copy that begins `start` elements after where an array would begin."""
    memory = np.empty(array.size + start, array.dtype)
    memory[start:] = array.ravel()
    return memory[start:].reshape(array.shape)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 1003])
def test_pairs_are_added_in_one_order(level, n):
    for kind in ("ordinary", "mixed", "tiny", "huge", "none"):
        pairs_are_added_in_one_order(n, kind)


def pairs_are_added_in_one_order(n, kind):
    rng = np.random.default_rng(n)
    counts = rng.choice(np.array([0, 1, 990, 65535], np.uint16), (3, n))
    weight, others = some_weights(kind, rng, n), some_weights(kind, rng, (3, n))
    hero, hero_weight = some_weights(kind, rng, 3), some_weights(kind, rng, 1)[0]

    lanes = np.zeros((3, 8))
    for j in range(n):
        lanes[:, j % 8] += weight[j] * counts[:, j]
    halves = lanes[:, :4] + lanes[:, 4:]
    expected_hero = hero + ((halves[:, 0] + halves[:, 2]) + (halves[:, 1] + halves[:, 3]))
    expected_others = others + hero_weight * counts[::-1].astype(float)

    for start in range(8):
        got_hero, got_others = hero.copy(), unaligned(others, start)
        core.add_pairs(unaligned(counts, start), unaligned(weight, start), hero_weight, got_hero, got_others)
        np.testing.assert_array_equal(got_hero, expected_hero, kind)
        np.testing.assert_array_equal(got_others, expected_others, kind)


@functools.cache
def evaluated(board, level):
    simd.use(level)
    ev.counts_cache.clear()  # of other levels
    weights = np.random.default_rng(1).random(1326)
    return ev.BoardAnalysis(board).evaluate(weights, lookahead=2 if len(board) == 6 else 1)


@pytest.mark.parametrize("board", [
    "2c7d9h", "Ac7c4c", "3h4cJh2s",
    *(pytest.param(board, marks=pytest.mark.native) for board in ("Ts9s8d", "KhKd5s", "6c6d6h")),
])  # fmt: skip
def test_levels_give_the_same_bits(level, board):
    got, expected = evaluated(board, level), evaluated(board, "portable")
    for name in ("hs", "ppot", "npot", "ehs", "ehs_optimistic", "counts"):
        np.testing.assert_array_equal(getattr(got, name), getattr(expected, name))


def test_names():
    assert simd.available()[0] == "portable"
    assert simd.level() in simd.available()
    with pytest.raises(ValueError, match="unknown SIMD level 'mmx'"):
        simd.use("mmx")


def test_every_level_has_a_name_and_an_architecture():
    names = [name for name in simd.LEVELS if name in simd.available()]
    assert simd.available() == tuple(names) == tuple(simd.LEVELS[number] for number in core.available())
    assert not {"sse2", "neon"} <= set(simd.available())
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        assert simd.available()[1] == "sse2"
    elif machine in ("aarch64", "arm64"):
        assert simd.available() == ("portable", "neon")


@pytest.mark.parametrize("name", sorted(set(simd.LEVELS) - set(simd.available())))
def test_levels_of_other_processors_are_refused(name):
    with pytest.raises(ValueError, match=f"this processor lacks '{name}': expected one of portable"):
        simd.use(name)
    with pytest.raises(ValueError, match="not supported here: expected one of"):
        core.use(simd.LEVELS.index(name))


@pytest.mark.parametrize("number", [-1, len(simd.LEVELS), 99])
def test_numbers_of_no_level_are_refused(number):
    before = core.level()
    with pytest.raises(ValueError, match="not supported here"):
        core.use(number)
    assert core.level() == before


@pytest.mark.parametrize(
    "script",
    [
        "from pokermodel import simd; print(simd.level())",
        "from pokermodel._core import simd; print(['portable'][simd.level()])",
    ],
)
def test_environment(script):
    run = [sys.executable, "-c", script]
    forced = subprocess.run(run, env={**os.environ, "POKERMODEL_SIMD": "portable"}, capture_output=True, text=True)
    assert forced.stdout.strip() == "portable"
    wrong = subprocess.run(run, env={**os.environ, "POKERMODEL_SIMD": "mmx"}, capture_output=True, text=True)
    assert "RuntimeWarning: POKERMODEL_SIMD is not followed: unknown SIMD level 'mmx': expected one of" in wrong.stderr
    assert "ValueError" not in wrong.stderr


@pytest.mark.parametrize(
    ("shapes", "offset", "message"),
    [
        (((2, 64), (3, 128)), 0, "one length"),
        (((2, 60), (3, 60)), 0, "multiple of 64"),
        (((2, 1344), (3, 1344)), 0, "up to 1280"),
        (((2, 64), (3, 64)), 16, "multiple of 64 bytes"),
    ],
)
def test_bad_rows_are_refused(shapes, offset, message):
    left, right = (aligned(*shape, offset) for shape in shapes)
    out = np.empty((2, 3), np.uint16)
    with pytest.raises(ValueError, match=message):
        core.compare_rows(left, right, out, out.copy())
    with pytest.raises(ValueError, match="must have shape"):
        core.compare_rows(aligned(2, 64), aligned(3, 64), np.empty((2, 2), np.uint16), out)


@pytest.mark.parametrize(
    ("counts", "weight", "hero", "others", "message"),
    [
        ((2, 8), 8, 3, (3, 8), r"shape \(3, 8\)"),
        ((3, 7), 8, 3, (3, 8), r"shape \(3, 8\)"),
        ((3, 8), 8, 3, (3, 9), r"shape \(3, 8\)"),
        ((3, 8), 8, 4, (3, 8), r"hero must have shape \(3,\), got \(4,\)"),
    ],
)
def test_bad_pairs_are_refused(counts, weight, hero, others, message):
    with pytest.raises(ValueError, match=message):
        core.add_pairs(np.zeros(counts, np.uint16), np.zeros(weight), 1.0, np.zeros(hero), np.zeros(others))


def tables_of(seed):
    """What readers make of a weight table, by every kernel: bytes."""
    rng = np.random.default_rng(seed)
    values, potentials, weights = rng.random((3, 1326))
    values[rng.random(1326) < 0.1] = np.nan
    weights[np.isnan(values)] = 0.0
    opponents = [rng.random(1326) * (rng.random(1326) < 0.8) for _ in range(3)]
    high, low = Threshold(0.7, 0.7, 0.1), Threshold(0.1, 0.1, 0.4)
    spot = TripleSpot(1, 10, 2, 2, 1, 1, True)
    triples, mean = expect_triples(BettingThresholds.gom().one_bet, spot, values, potentials, weights, noise=0.1)
    return [
        ramp_forecast(values, potentials, weights, high, low, odds=0.8).tobytes(),
        reweight(weights, values, 0.7, 0.1, exempt=potentials > 0.8).tobytes(),
        reweight(weights, values, 0.1, 0.4, live=potentials > 0.1).tobytes(),
        triples.tobytes() + mean.tobytes(),
        posterior(weights, triples[:, 1], 1e-6).tobytes(),
        field_array(opponents).tobytes() + field_array(opponents, "maximum").tobytes(),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_weight_tables_are_the_same_at_every_level(level, seed):
    found = tables_of(seed)
    simd.use("portable")
    assert found == tables_of(seed)
