"""Loki-1's re-weighting: a ramp over the holdings' values (Papp 1998, chapter 7).

An action is evidence that the holding was probably worth more than a threshold. A ramp around that threshold turns this
into factors: 1 above, little below, and a straight line between. This is not Bayes' rule, because the factors are not
probabilities. They start anew from the tables of the beginning of the round, and only the highest threshold counts,
since a second action of a round adds little to the first. Loki-2 uses Bayes' rule with the probability of the action
(`pokermodel.classics.loki2.reader`). No factor is below .01, because a holding excluded by mistake could not come back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core import reweighting as kernels
from pokermodel._support.arrays import Floats
from pokermodel.learning.thresholds import Threshold

__all__ = ["LEAST_WEIGHT", "ramp_forecast", "ramp_triples", "reweight", "reweighting_factors"]


#: No possible holding's weight falls below this (Papp 1998, Fig 7.1).
LEAST_WEIGHT = 0.01


def reweighting_factors(
    values: ArrayLike, mu: float, sigma: float, *, compensate: bool = True, falling: bool = False
) -> Floats:
    """Factor by which an action changes the weight of holdings of given values.

    The factor rises linearly from .01 at ``mu - sigma`` to 1 at ``mu + sigma``. Where the band would reach below
    zero (``sigma > mu``), it is replaced by a line from r at zero to 1 at ``mu + sigma`` that keeps the area
    below it, ``r = 1 - 2*mu/(mu + sigma)`` (Papp 1998, Fig 7.1 and Eq 7.8).

    Parameters
    ----------
    values : array_like of float
        Effective hand strengths, or income rates before the flop.
    mu, sigma : float
        The threshold and half the width of the band, in the same units.
    compensate : bool
        Replace the band where it reaches below zero; not meant for income rates, which can be negative.
    falling : bool
        What a player who did not act so says: the factor falls, from 1 at ``mu - sigma`` to .01 at ``mu + sigma``, by
        the mirrored band. Where the band is replaced, it falls from 1 at zero. Papp (1998, sections 8.4.2 and 9)
        proposes such inverse re-weighting; the shape of the ramp is ours.

    Returns
    -------
    ndarray of float64, of the shape of `values`
        .01 to 1.

    Raises
    ------
    ValueError
        If `sigma` is not positive.

    Examples
    --------
    >>> reweighting_factors([0.91, 0.74, 0.64, 0.48, 0.22], 0.6, 0.2).round(2).tolist()
    [1.0, 0.85, 0.6, 0.2, 0.01]
    >>> reweighting_factors([0.91, 0.74, 0.64, 0.48, 0.22], 0.6, 0.2, falling=True).round(2).tolist()
    [0.01, 0.15, 0.4, 0.8, 1.0]
    """
    v = np.asarray(values, dtype=np.float64)
    factors = np.empty(v.shape)
    kernels.factors(np.ravel(v), mu, sigma, compensate, falling, factors.reshape(-1))
    return factors


def reweight(
    weights: ArrayLike,
    values: ArrayLike,
    mu: float,
    sigma: float,
    *,
    exempt: ArrayLike | None = None,
    live: ArrayLike | None = None,
    compensate: bool = True,
    falling: bool = False,
) -> Floats:
    """Weights after an action (Papp 1998, Fig 7.1).

    Parameters
    ----------
    weights : array_like of float, shape (n,)
        The weights to start from: those of the start of the betting round.
    values : array_like of float, shape (n,)
        The holdings' values; nan where a holding is not possible.
    mu, sigma, compensate, falling
        As `reweighting_factors`.
    exempt : array_like of bool, shape (n,), optional
        Holdings that had the odds for the action at any value: their weights stay (Papp 1998, Fig 7.3).
    live : array_like of bool, shape (n,), optional
        Holdings that the player can have, of those that are possible. All without.

    Returns
    -------
    ndarray of float64, shape (n,)
        No holding that the player can have falls below .01; the others are 0.

    Raises
    ------
    ValueError
        If `sigma` is not positive.
    """
    before, v = _floats(weights), _floats(values)
    after = np.empty(v.shape)
    kernels.reweight(before, v, mu, sigma, _flags(exempt), _flags(live), compensate, falling, LEAST_WEIGHT, after)
    return after


def ramp_triples(
    values: ArrayLike,
    raises: Threshold | None,
    calls: Threshold | None,
    *,
    exempt: ArrayLike | None = None,
    compensate: bool = True,
    may_raise: bool = True,
) -> Floats:
    """Loki-1's forecast for each holding: its ramps read as probabilities (ours).

    Loki-1 has no triples. But the factor by which it multiplies the weight of a holding after a raise can only mean
    how likely that holding raises, and the one after a call how likely it does not fold.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        The holdings' values; nan where a holding is not possible.
    raises, calls : Threshold or None
        Thresholds of a raise and of a call; None if every holding would do it.
    exempt : array_like of bool, shape (n,), optional
        Holdings that have the odds to call at any value.
    compensate : bool
        As `reweighting_factors`.
    may_raise : bool
        Whether there is room for a raise. Where there is none, those who would raise call.

    Returns
    -------
    ndarray of float64, shape (n, 3)
        Fold, call, raise; nan where a holding is not possible.

    Raises
    ------
    ValueError
        If a sigma is not positive.

    Examples
    --------
    >>> ramp_triples([0.2, 0.6, 0.9], Threshold(0.8, 0.8, 0.1), Threshold(0.5, 0.5, 0.2)).round(2).tolist()
    [[0.99, 0.0, 0.01], [0.25, 0.74, 0.01], [0.0, 0.0, 1.0]]
    """
    v = _floats(values)
    triples = np.empty((len(v), 3))
    kernels.triples(v, raises, calls, _flags(exempt), compensate, may_raise, triples)
    return triples


def ramp_forecast(
    values: Floats,
    potentials: Floats,
    weights: Floats,
    raises: Threshold | None,
    calls: Threshold | None,
    *,
    odds: float | None = None,
    compensate: bool = True,
    may_raise: bool = True,
) -> Floats:
    """The mean of `ramp_triples` by weights, without the triples.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        The holdings' values; nan where a holding is not possible.
    potentials : ndarray of float64, shape (n,)
        Their chances to improve, likewise.
    weights : ndarray of float64, shape (n,)
        The player's; 0 where a holding is not possible.
    raises, calls, compensate, may_raise
        As `ramp_triples`.
    odds : float, optional
        Holdings with at least this chance to improve call at any value. Without, none does.

    Returns
    -------
    ndarray of float64, shape (3,)
        Fold, call, raise; nan if all weights are 0.

    Raises
    ------
    ValueError
        If a sigma is not positive, or lengths differ.
    """
    mean = np.empty(3)
    kernels.forecast(values, potentials, weights, raises, calls, odds, compensate, may_raise, mean)
    return mean


def _floats(values: ArrayLike) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)


def _flags(values: ArrayLike | None) -> NDArray[np.uint8] | None:
    return None if values is None else np.ascontiguousarray(values, dtype=np.bool_).view(np.uint8)
