"""Fitting what is known of sizes: gradients against differences, and what is found in sizes that were made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokermodel._core import sizes as kernels
from pokermodel.game import GameSpec
from pokermodel.reading.adaptive.evidence import PlayedHand, play
from pokermodel.reading.adaptive.situations import SIZED_TABLE
from pokermodel.reading.adaptive.sizes import SIZE_CELLS, SizeCounts, SizePrior, size_places
from tests.common.engine import random_hand
from tools.fit.sizes import bins_of, fit_sizes, mixing_slope, network_slope, shared


def some_raises(rng: np.random.Generator, n: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    masks = (rng.random((n, SIZE_CELLS)) < 0.6).astype(float)
    masks[:, :2] = 1
    chosen = rng.random((n, SIZE_CELLS)) * masks
    return masks, chosen / chosen.sum(axis=1, keepdims=True), rng.random(n)


def check(slope, weights: list[np.ndarray], rng: np.random.Generator) -> None:
    """The gradient against differences, in random directions."""
    found = slope()
    for each, gradient in zip(weights, found.gradient, strict=True):
        assert each.shape == gradient.shape
        for _ in range(3):
            direction = rng.normal(0, 1, each.shape)
            each += 1e-5 * direction
            more = slope().total
            each -= 2e-5 * direction
            less = slope().total
            each += 1e-5 * direction
            assert (gradient * direction).sum() == pytest.approx((more - less) / 2e-5, rel=1e-5, abs=1e-6)


def test_the_gradient_of_the_network_is_right() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.permuted(np.tile(np.arange(12), (7, 1)), axis=1)[:, :5]
    weights = [rng.normal(0, 0.5, shape) for shape in ((12, SIZE_CELLS), (12, 6), (6, SIZE_CELLS))]
    told = some_raises(rng)
    check(lambda: network_slope(weights, inputs, *told), weights, rng)


def test_the_gradient_of_the_mixing_is_right() -> None:
    rng = np.random.default_rng(2)
    mixing = rng.normal(0, 0.3, (4, 9, 6))
    terms, bins = rng.normal(0, 1, (7, 9, SIZE_CELLS)), bins_of(rng.random((7, 9)) * 50)
    logs, sides = rng.normal(0, 1, (7, SIZE_CELLS)), rng.integers(0, 4, 7)
    told = some_raises(rng)
    check(lambda: mixing_slope(mixing, terms, bins, logs, sides, *told), [mixing], rng)


def test_bins_add_up() -> None:
    seen = np.array([0.0, 0.5, 3, 40, 1e3, 1e6])
    found = bins_of(seen)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-6)
    assert found[0, 0] == found[-1, -1] == 1
    np.testing.assert_allclose(found @ np.arange(6), np.minimum(np.log2(1 + seen) / kernels.BIN_WIDTH, 5), rtol=1e-6)


def test_counts_are_shared_with_the_cells_beside() -> None:
    counts = np.eye(SIZE_CELLS)
    found = shared(counts)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found[0, 0] == found[-1, -1] == 1  # the least and the most are what they are
    np.testing.assert_allclose(found[5, 4:7], [0.08, 0.84, 0.08])


def habitual(seed: int, largest: bool) -> list[PlayedHand]:
    """Hands in which everybody raises as much as they can, or as little."""
    spec = GameSpec.no_limit(4, 5, 10, stacks=(1000,) * 4)
    found = []
    for number in range(60):
        hand = play(random_hand(1000 * seed + number, spec)[0], all_cards=True)
        assert hand is not None
        players = [
            replace(
                acts,
                name=f"{acts.name} {seed}",
                sizes=tuple(
                    size._replace(cell=SIZE_CELLS - 1 if largest or not size.range.least else 0) for size in acts.sizes
                ),
            )
            for acts in hand.players
        ]
        found.append(hand.of(f"population {seed}", hand.board, players, hand.live, hand.losing, hand.game))
    return found


def test_the_same_seed_gives_the_same_sizes() -> None:
    hands = habitual(0, largest=False)
    first, again = (fit_sizes(hands, SIZED_TABLE.size, np.random.default_rng(3)) for _ in range(2))
    for name in ("weights", "hidden", "out", "mixing"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))


def test_a_population_is_followed() -> None:
    """Of populations that do one thing or the other: at first both are likely, after twenty raises what it does."""
    hands = [hand for seed in range(8) for hand in habitual(seed, seed % 2 > 0)]
    prior = fit_sizes(hands, SIZED_TABLE.size, np.random.default_rng(3))

    def expected(largest: bool, after: int) -> float:
        counts, done, found = SizeCounts(), 0, []
        for acts in (acts for hand in habitual(90 + largest, largest) for acts in hand.players):
            for size in acts.sizes:
                places = size_places(size.context, size.range.low, size.habits)
                everybody = prior.forecast(acts.rows[size.act], size.range, size.habits)
                forecast = prior.known(everybody, size.range, 0, size.habits[0], counts.told(0, places))
                if size.range.mask().sum() > 1 and after <= done < after + 20:
                    found.append(float(forecast[size.cell]))
                counts.add(0, places, size.cell, everybody)
                done += 1
        return float(np.mean(found))

    assert 0.2 < expected(True, 0) < expected(True, 20)
    for largest in (False, True):
        assert expected(largest, 20) > 0.7


def test_without_a_raise_there_is_nothing_to_know() -> None:
    prior = fit_sizes([], SIZED_TABLE.size, np.random.default_rng(1))
    assert isinstance(prior, SizePrior)
    assert prior.rows == SIZED_TABLE.size
    assert not prior.weights.any()
