"""Fitting sizes of bets and raises: what everybody chooses, and how much earlier choices of a person count.

1. What everybody chooses: a network by stochastic gradients of the log-likelihood of the chosen cells, over all raises
   in random order. No player counts for too many.
2. What counts are worth: a weight for each term of `pokermodel._core.sizes.terms`, by stochastic gradients likewise,
   over all raises with what had been counted before each. A network that has seen a raise, or others of the same
   population, leaves nothing for counts to explain, and a new population would be followed too slowly. So the weights
   are learnt beside blind forecasts: one way without the raise's half of the hands, the other way without its
   population. First come the weights of populations, with unknown players, then those of players beside the result.
3. What sizes say of holdings: by street, first or further raise and the quarter of the player's own sizes, how much
   likelier each bin of strength is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._support.arrays import Floats
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import GamePrior
from pokermodel.reading.adaptive.sizes import (
    QUARTERS,
    SIZE_CELLS,
    SIZE_INPUTS,
    STRENGTHS,
    Size,
    SizeCounts,
    SizePrior,
    quarter,
    share_below,
    size_places,
)
from tools.fit.ascent import Adam, Weights

__all__ = ["Slope", "bins_of", "fit_sizes", "mixing_slope", "network_slope", "shared", "with_tilts"]

Singles: TypeAlias = NDArray[np.float32]

_MOST_RAISES = 400  # of a player that count fully
_BATCH, _PASSES, _RATE, _DECAY = 256, 6, 3e-3, 1.0
_MIXING_BATCH, _MIXING_PASSES, _MIXING_RATE, _MIXING_DECAY, _MIXING_START = 512, 6, 8e-3, 0.02, 0.1
_MIXING_SHAPE = kernels.SIDES, kernels.TERMS, kernels.BINS
_BLOCKS = 4  # of populations
_TILT_STRENGTH = 40.0  # observations that no tilt is worth
_TILT_SHARE = 0.3  # of what sizes said of holdings, that somebody else's are taken to say


class Slope(NamedTuple):
    """The log-likelihood of sizes in nats, each by its worth, and its gradient."""

    total: float
    gradient: list[Singles]


@dataclass(frozen=True, eq=False, slots=True)
class _Raises:
    """Bets and raises, in the order in which they were made."""

    inputs: NDArray[np.int32]
    masks: Singles
    chosen: Singles
    worth: Singles
    hands: NDArray[np.intp]
    populations: NDArray[np.intp]
    players: NDArray[np.intp]
    sides: NDArray[np.intp]
    told: list[tuple[NDArray[np.int16], Size]]

    @classmethod
    def of(cls, hands: Sequence[PlayedHand], rows: int) -> _Raises:
        populations: dict[str, int] = {}
        players: dict[str, int] = {}
        who, inputs, told = [], [], []
        for number, hand in enumerate(hands):
            for acts in hand.players:
                for size in acts.sizes:
                    population = populations.setdefault(hand.population, len(populations))
                    who.append((number, population, players.setdefault(acts.name, len(players))))
                    told.append((acts.rows[size.act], size))
                    room = rows + size.range.low, rows + SIZE_CELLS + size.range.high
                    habits = [rows + 2 * SIZE_CELLS + cell for cell in size.habits]
                    inputs.append([*acts.rows[size.act].tolist(), *room, *habits, rows + SIZE_INPUTS - 1])
        masks = np.array([size.range.mask() for _, size in told], dtype=np.float32).reshape(-1, SIZE_CELLS)
        chosen = shared(np.eye(SIZE_CELLS)[[size.cell for _, size in told]]) * masks
        chosen /= chosen.sum(axis=1, keepdims=True)
        at = np.array(who, dtype=np.intp).reshape(-1, 3)
        raised = np.bincount(at[:, 2], minlength=1)
        worth = np.minimum(1.0, _MOST_RAISES / raised[at[:, 2]])
        return cls(
            inputs=np.array(inputs, dtype=np.int32).reshape(len(told), -1),
            masks=masks,
            chosen=chosen.astype(np.float32),
            worth=worth.astype(np.float32),
            hands=at[:, 0],
            populations=at[:, 1],
            players=at[:, 2],
            sides=np.array([size.habits[0] for _, size in told], dtype=np.intp),
            told=told,
        )


def shared(counts: Floats) -> Floats:
    """Counts, a part of each given to the cells beside it: float64 (..., 38)."""
    found = counts.copy()
    inner, gets = counts[..., 1:-1], found[..., 1:-1]
    gets[...] = (1 - 2 * kernels.SHARE) * inner
    gets[..., 1:] += kernels.SHARE * inner[..., :-1]
    gets[..., :-1] += kernels.SHARE * inner[..., 1:]
    gets[..., 0] += kernels.SHARE * inner[..., 0]
    gets[..., -1] += kernels.SHARE * inner[..., -1]
    return found


def fit_sizes(hands: Sequence[PlayedHand], rows: int, generator: np.random.Generator) -> SizePrior:
    """Fit what everybody chooses, and what counts are worth.

    Parameters
    ----------
    hands : sequence of PlayedHand
        In the order in which they were played.
    rows : int
        Rows of situations.
    generator : numpy.random.Generator

    Returns
    -------
    SizePrior
        Its tilts are 0.
    """
    inputs = rows + SIZE_INPUTS
    if not any(sizes for hand in hands for sizes in hand.sizes):
        hidden, out = np.zeros((inputs, kernels.HIDDEN)), np.zeros((kernels.HIDDEN, SIZE_CELLS))
        return _prior([np.zeros((inputs, SIZE_CELLS)), hidden, out])
    raises = _Raises.of(hands, rows)
    everybody = _fit_network(raises, np.ones(len(raises.told), dtype=bool), inputs, generator)
    halves = generator.integers(2, size=len(hands))[raises.hands]
    forecasts = [_blind(raises, parts, inputs, generator) for parts in (_blocks(raises.populations), halves)]
    mixing = []
    for numbers in (raises.populations, raises.players):  # each beside what those before it make of the forecasts
        found, forecasts = _fit_mixing(raises, numbers, forecasts, generator)
        mixing.append(found)
    return _prior(everybody, mixing)


def _prior(network: Weights, mixing: Weights | None = None) -> SizePrior:
    mixed = np.zeros((kernels.TIERS, *_MIXING_SHAPE)) if mixing is None else mixing
    weights, hidden, out = network
    return SizePrior(weights, hidden, out, mixed, np.zeros((4, 2, QUARTERS, STRENGTHS)))


def _blocks(populations: NDArray[np.intp]) -> NDArray[np.intp]:
    """Blocks of populations, of about as many raises each: the largest first, each to the block that has least."""
    sizes = [0] * _BLOCKS
    block = np.zeros(int(populations.max()) + 1, dtype=np.intp)
    for population, count in Counter(populations.tolist()).most_common():
        block[population] = least = sizes.index(min(sizes))
        sizes[least] += count
    return block[populations]


def _blind(raises: _Raises, parts: NDArray[np.intp], inputs: int, generator: np.random.Generator) -> Floats:
    """Forecasts of each raise by networks that have not seen its part: float64 (n, 38)."""
    found = np.empty(raises.masks.shape)
    for part in np.unique(parts).tolist():
        seen, asked = parts != part, np.flatnonzero(parts == part)
        network = _prior(_fit_network(raises, seen, inputs, generator))
        for k in asked.tolist():
            rows, size = raises.told[k]
            found[k] = network.forecast(rows, size.range, size.habits)
    return found


# ------------------------------------------------------------------------------------------------- the network


def _fit_network(raises: _Raises, which: NDArray[np.bool_], inputs: int, generator: np.random.Generator) -> Weights:
    """Weights past the hidden layer, to it, and from it."""
    weights: Weights = [
        np.zeros((inputs, SIZE_CELLS), dtype=np.float32),
        generator.normal(0, 0.15, (inputs, kernels.HIDDEN)).astype(np.float32),
        generator.normal(0, 0.1, (kernels.HIDDEN, SIZE_CELLS)).astype(np.float32),
    ]
    among = np.flatnonzero(which & (raises.masks.sum(axis=1) > 1))
    adam = Adam(weights, max(1, _PASSES * -(-len(among) // _BATCH)), _RATE, _DECAY, 0.0)
    for _ in range(_PASSES):
        order = generator.permutation(among)
        for first in range(0, len(order), _BATCH):
            part = order[first : first + _BATCH]
            found = network_slope(
                *(weights, raises.inputs[part], raises.masks[part], raises.chosen[part], raises.worth[part])
            )
            for to, each in zip(adam.gradient, found.gradient, strict=True):
                to += each
            adam.step(len(part))
    return weights


def network_slope(
    weights: Sequence[Singles], inputs: NDArray[np.int32], masks: Singles, chosen: Singles, worth: Singles
) -> Slope:
    """What everybody's sizes gain by each weight.

    Parameters
    ----------
    weights : sequence of ndarray
        Past the hidden layer, to it, and from it.
    inputs : ndarray of int32, shape (n, k)
    masks : ndarray of float32, shape (n, 38)
        1 for cells that there is room for.
    chosen : ndarray of float32, shape (n, 38)
        What was chosen; it adds up to 1.
    worth : ndarray of float32, shape (n,)
    """
    direct, hidden, out = weights
    given = np.zeros((len(inputs), len(direct)), dtype=direct.dtype)
    given[np.arange(len(inputs))[:, None], inputs] = 1.0
    units = np.tanh(given @ hidden)
    total, apart = _apart(given @ direct + units @ out, masks, chosen, worth)
    return Slope(total, [given.T @ apart, given.T @ ((apart @ out.T) * (1 - units * units)), units.T @ apart])


def _apart(logits: Singles, masks: Singles, chosen: Singles, worth: Singles) -> tuple[float, Singles]:
    """The log-likelihood, and by how much what was chosen differs from its forecast."""
    forecast, logs = _forecasts(logits, masks)
    return float(worth @ (chosen * logs).sum(axis=1)), (chosen - forecast) * worth[:, None]


def _forecasts(logits: Singles, masks: Singles) -> tuple[Singles, Singles]:
    """Probabilities of what there is room for, and their logarithms, 0 where there is none."""
    logits = np.where(masks > 0, logits, -np.inf)
    logits = logits - logits.max(axis=1, keepdims=True)
    forecast = np.exp(logits)
    sums = forecast.sum(axis=1, keepdims=True)
    return forecast / sums, np.where(masks > 0, logits - np.log(sums), 0.0)


# --------------------------------------------------------------------------------------------------- the counts


def bins_of(seen: NDArray[Any]) -> Singles:
    """How much of each bin what was seen is: float32 (..., 6), adding up to 1."""
    at = np.minimum(np.log2(1 + seen) / kernels.BIN_WIDTH, kernels.BINS - 1)[..., None]
    found: Singles = np.maximum(0.0, 1.0 - np.abs(at - np.arange(kernels.BINS))).astype(np.float32)
    return found


class _Told(NamedTuple):
    """What had been counted before each raise."""

    terms: NDArray[np.float16]
    seen: Singles
    logs: Singles


def _fit_mixing(
    raises: _Raises, numbers: NDArray[np.intp], forecasts: Sequence[Floats], generator: np.random.Generator
) -> tuple[Singles, list[Floats]]:
    """What terms are worth beside forecasts, float32 (4, 9, 6), and what becomes of these."""
    told = [_terms(raises, numbers, each) for each in forecasts]
    mixing = np.full(_MIXING_SHAPE, _MIXING_START, dtype=np.float32)
    free = np.flatnonzero(raises.masks.sum(axis=1) > 1)
    n = len(free)
    asked = np.arange(n * len(told))
    adam = Adam([mixing], max(1, _MIXING_PASSES * -(-len(asked) // _MIXING_BATCH)), _MIXING_RATE, _MIXING_DECAY, 0.0)
    for _ in range(_MIXING_PASSES):
        order = generator.permutation(asked)
        for first in range(0, len(order), _MIXING_BATCH):
            of, part = np.divmod(order[first : first + _MIXING_BATCH], n)
            at = free[part]
            found = mixing_slope(
                mixing, *_some(told, of, at), raises.sides[at], raises.masks[at], raises.chosen[at], raises.worth[at]
            )
            adam.gradient[0] += found.gradient[0]
            adam.step(len(part))
    after = []
    for each in told:
        given = np.empty(raises.masks.shape)
        for first in range(0, len(given), _MIXING_BATCH):
            some = slice(first, first + _MIXING_BATCH)
            weights = (mixing[raises.sides[some]] * bins_of(each.seen[some])).sum(axis=2)
            logits = each.logs[some] + np.matmul(weights[:, None], each.terms[some].astype(np.float32))[:, 0]
            given[some] = _forecasts(logits, raises.masks[some])[0]
        after.append(given)
    return mixing, after


def _some(told: Sequence[_Told], of: NDArray[np.intp], at: NDArray[np.intp]) -> tuple[Singles, Singles, Singles]:
    """Terms, bins and logits of some raises, each by one of the ways in which they were foretold."""
    pairs = list(zip(of.tolist(), at.tolist(), strict=True))
    terms = np.stack([told[way].terms[k] for way, k in pairs]).astype(np.float32)
    return (
        terms,
        bins_of(np.stack([told[way].seen[k] for way, k in pairs])),
        np.stack([told[way].logs[k] for way, k in pairs]),
    )


def _terms(raises: _Raises, numbers: NDArray[np.intp], forecasts: Floats) -> _Told:
    """What had been counted before each raise, of those who have a number."""
    known = SizeCounts()
    terms = np.empty((len(forecasts), kernels.TERMS, SIZE_CELLS), dtype=np.float16)
    seen = np.empty((len(forecasts), kernels.TERMS), dtype=np.float32)
    for k, ((_, size), number, forecast) in enumerate(zip(raises.told, numbers.tolist(), forecasts, strict=True)):
        places = size_places(size.context, size.range.low, size.habits)
        terms[k], seen[k] = kernels.terms(forecast, size.range, *known.told(number, places))
        known.add(number, places, size.cell, forecast)
    return _Told(terms, seen, np.log(forecasts + kernels.LEAST).astype(np.float32))


def mixing_slope(
    mixing: Singles,
    terms: Singles,
    bins: Singles,
    logs: Singles,
    sides: NDArray[np.intp],
    masks: Singles,
    chosen: Singles,
    worth: Singles,
) -> Slope:
    """What sizes gain by what terms are worth.

    Parameters
    ----------
    mixing : ndarray of float32, shape (4, 9, 6)
    terms : ndarray of float32, shape (n, 9, 38)
    bins : ndarray of float32, shape (n, 9, 6)
        As of `bins_of`.
    logs : ndarray of float32, shape (n, 38)
        Logarithms of the forecasts that are to be changed.
    sides : ndarray of int, shape (n,)
    masks, chosen, worth
        As of `network_slope`.
    """
    weights = (mixing[sides] * bins).sum(axis=2)
    total, apart = _apart(logs + np.matmul(weights[:, None], terms)[:, 0], masks, chosen, worth)
    each = np.matmul(terms, apart[:, :, None]) * bins
    gradient = np.stack([each[sides == side].sum(axis=0) for side in range(len(mixing))])
    return Slope(total, [gradient])


# ------------------------------------------------------------------------------------------------- the holdings


def with_tilts(hands: Sequence[PlayedHand], prior: GamePrior) -> SizePrior:
    """Fit what sizes say of holdings that are known, each in view of what was known of the player.

    Parameters
    ----------
    hands : sequence of PlayedHand
        In the order in which they were played.
    prior : GamePrior
        With sizes, whose tilts are 0.
    """
    sizes = prior.sizes
    assert sizes is not None
    people = GamePopulation(prior)
    counts = np.zeros((4, 2, QUARTERS, STRENGTHS))
    for hand in hands:
        for acts in hand.players:
            for size in acts.sizes if acts.holding >= 0 else ():
                street = acts.rounds[size.act]
                rows = acts.rows[size.act]
                forecast = people.size_forecast(hand.population, acts.name, rows, size.context, size.range, size.habits)
                strength = strength_bins(hand.board[: street + 2 if street else 0])[acts.holding]
                further = min(size.context // 3 % 3, 1)
                counts[street, further, quarter(share_below(forecast, size.cell)), strength] += 1
            people.learn_sizes(hand.population, acts)
    of_quarters = counts.sum(axis=3, keepdims=True) + 1.0
    of_quarters /= of_quarters.sum(axis=2, keepdims=True)
    of_strengths = counts.sum(axis=2, keepdims=True)
    tilts: Floats = _TILT_SHARE * np.log(
        (counts + _TILT_STRENGTH * of_quarters) / (of_strengths + _TILT_STRENGTH) / of_quarters
    )
    return SizePrior(sizes.weights, sizes.hidden, sizes.out, sizes.mixing, tilts)
