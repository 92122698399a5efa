"""What bets on the river say beyond a likelihood: a logistic model of the bin of the holding, shrunken to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokermodel._core import sizes as kernels
from pokermodel._support.arrays import Floats
from pokermodel.game import Act
from pokermodel.reading.adaptive.evidence import PlayedHand, PlayerActs
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.polarity import RIVER, SIZE_GROUPS, Polarity, size_group, strength_masses
from pokermodel.reading.adaptive.population import NO_LEVELS, GamePopulation
from pokermodel.reading.adaptive.prior import GAMES, GamePrior
from pokermodel.reading.adaptive.sizes import STRENGTHS, quarter, share_below

__all__ = ["RiverBet", "fit_polarity", "river_polarity"]

_WEAK = kernels.WEAK  # bins of strength, up to a half, that are the weak side
_LEAST_MASS = kernels.LEAST_MASS  # of a side, so that none comes from nowhere
#: Precisions of what is fitted: of each factor, of how it bends from bin to bin, and of powers.
_RIDGE, _COMMON_RIDGE, _BEND, _POWER_RIDGE = 20.0, 5.0, 20.0, 60.0
_STEPS, _CLOSE, _BLOCK = 50, 1e-6, 256


class RiverBet(NamedTuple):
    """A bet or raise on the river with a holding that is known.

    Attributes
    ----------
    masses : ndarray of float64, shape (16,)
        What the table says of each bin of strength, by the likelihood.
    strength : int
        The bin of the holding.
    group : int
        Of sizes; 0 where bets have none.
    raised : bool
        Whether it raised a bet.
    """

    masses: Floats
    strength: int
    group: int
    raised: bool


def river_polarity(hands: Sequence[PlayedHand], prior: GamePrior) -> Polarity:
    """What bets on the river say beyond a prior's likelihood, by hands of which cards are known.

    Parameters
    ----------
    hands : sequence of PlayedHand
        Of the prior's game, in the order in which they were played.
    prior : GamePrior
    """
    people = GamePopulation(prior.with_polarity(None))
    bets = []
    for hand in hands:
        if len(hand.board) == 5:
            bets += [bet for acts in hand.players if (bet := _river_bet(hand, acts, people)) is not None]
        people.learn(hand)
    return fit_polarity(bets, 1 if GAMES[prior.game].fixed else SIZE_GROUPS)


def _river_bet(hand: PlayedHand, acts: PlayerActs, people: GamePopulation) -> RiverBet | None:
    """The bet or raise that a player's first money on the river is, if it is one and their cards are known."""
    if acts.holding < 0 or acts.rounds[-1] != RIVER:
        return None
    facing = acts.legal[:, Act.FOLD] > 0
    river = np.array(acts.rounds) == RIVER
    at = int(np.argmax(river & (facing | (acts.acts != Act.CALL))))  # the first that is no check
    if not river[at] or acts.acts[at] != Act.RAISE:
        return None
    prior = people.prior
    own, n = slice(at + 1), at + 1
    classes = hand.classes()
    weights, forecasts = (classes[RIVER].of >= 0).astype(np.float64), np.empty((n, 3))
    prior.likelihood.follow(
        acts.rows[own],
        acts.basis[own],
        NO_LEVELS,
        people.effects(hand.population, acts.name, hand.labels),
        people.offsets(hand.population, acts.name, acts.cells[own], hand.labels),
        acts.legal[own],
        acts.acts[own],
        [classes[round] for round in acts.rounds[own]],
        weights,
        -1,
        forecasts,
    )
    group = 0
    for size in acts.sizes:
        if size.act <= at:
            assert prior.sizes is not None
            rows, street = acts.rows[size.act], acts.rounds[size.act]
            forecast = people.size_forecast(hand.population, acts.name, rows, size.context, size.range, size.habits)
            bins = strength_bins(hand.board[: street + 2 if street else 0])
            weights *= prior.sizes.tilt(size.context, quarter(share_below(forecast, size.cell)))[np.maximum(bins, 0)]
            group = size_group(size.cell)
    strength = int(strength_bins(hand.board)[acts.holding])
    masses = strength_masses(weights, hand.board)
    return RiverBet(masses, strength, group, bool(facing[at])) if masses[strength] > 0 else None


def fit_polarity(bets: Sequence[RiverBet], groups: int) -> Polarity:
    """The likeliest tilts and powers, shrunken: by Newton's steps, of which each looks at all bets.

    Parameters
    ----------
    bets : sequence of RiverBet
    groups : int
        Of sizes.

    Returns
    -------
    Polarity
        Without any bet, one that changes nothing.
    """
    size = STRENGTHS * (groups + 1) + 2  # tilts of all sizes, of each group besides; a power, and more of it for raises
    bends = np.diff(np.eye(STRENGTHS), n=2, axis=0)
    known = _POWER_RIDGE * np.eye(size)
    for k in range(groups + 1):
        own = slice(STRENGTHS * k, STRENGTHS * (k + 1))
        ridge = _RIDGE if k else _COMMON_RIDGE
        known[own, own] = ridge * np.eye(STRENGTHS) + _BEND * bends.T @ bends
    found = np.zeros(size)
    for _ in range(_STEPS if bets else 0):
        gradient, information = -known @ found, known.copy()
        for first in range(0, len(bets), _BLOCK):
            some = bets[first : first + _BLOCK]
            masses, inputs = _inputs(some, size)
            chances = masses * np.exp(inputs @ found)
            chances /= chances.sum(axis=1, keepdims=True)
            means = np.einsum("nb,nbp->np", chances, inputs)
            seen = inputs[np.arange(len(some)), [bet.strength for bet in some]]
            gradient += (seen - means).sum(axis=0)
            information += np.einsum("nb,nbp,nbq->pq", chances, inputs, inputs, optimize=True) - means.T @ means
        step = np.linalg.solve(information, gradient)
        found += step
        if np.abs(step).max() < _CLOSE:
            break
    tilts = found[:-2].reshape(groups + 1, STRENGTHS)
    return Polarity(tilts[0] + tilts[1:], (1.0 + found[-2], 1.0 + found[-2] + found[-1]))


def _inputs(bets: Sequence[RiverBet], size: int) -> tuple[Floats, Floats]:
    """Masses of n bets, float64 (n, 16), and for each bin what it has of each number that is fitted, (n, 16, size)."""
    masses = np.array([bet.masses for bet in bets])
    found = np.zeros((len(bets), STRENGTHS, size))
    found[:, :, :STRENGTHS] = np.eye(STRENGTHS)
    for k, bet in enumerate(bets):
        own = STRENGTHS * (bet.group + 1)
        found[k, :, own : own + STRENGTHS] = np.eye(STRENGTHS)
    found[:, :, -2] = _sides(masses)
    found[:, :, -1] = found[:, :, -2] * np.array([[bet.raised] for bet in bets])
    return masses, found


def _sides(masses: Floats) -> Floats:
    """The logarithm of what the side of each bin has: float64 (..., 16)."""
    weak = masses[..., :_WEAK].sum(axis=-1, keepdims=True)
    logs = np.log(np.maximum(np.concatenate([weak, 1.0 - weak], axis=-1), _LEAST_MASS))
    found: Floats = np.repeat(logs, (_WEAK, STRENGTHS - _WEAK), axis=-1)
    return found
