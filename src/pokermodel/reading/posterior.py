"""Bayes' rule for a weight table."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core import reweighting
from pokermodel._support.arrays import Floats

__all__ = ["posterior"]


def posterior(weights: ArrayLike, likelihoods: ArrayLike, least: float = 0.0) -> Floats:
    """Weights after an act: each holding's weight times the probability of the act with it.

    Parameters
    ----------
    weights : array_like of float, shape (n,)
        The weights before; 0 where a holding is not possible.
    likelihoods : array_like of float, shape (n,)
        Probability of the act with each holding; nan where a holding is not possible.
    least : float
        No possible holding falls below this share of the largest weight.

    Returns
    -------
    ndarray of float64, shape (n,)
        Divided by the largest, so that no long series of acts underflows. An act that no possible holding does says
        nothing: the weights stay, or all become `least`.

    Raises
    ------
    ValueError
        If the shapes differ.

    Examples
    --------
    >>> posterior([0.5, 1.0, 0.0], [0.4, 0.1, 0.9]).tolist()
    [1.0, 0.5, 0.0]
    """
    before = np.ascontiguousarray(weights, dtype=np.float64)
    chances = np.asarray(likelihoods, dtype=np.float64)
    if before.ndim != 1 or chances.shape != before.shape:
        raise ValueError(f"weights (n,) need as many likelihoods, got {before.shape} and {chances.shape}")
    after = np.empty(len(before))
    largest = reweighting.posterior(before, chances, least, after)
    return after if largest or least else before.copy()
