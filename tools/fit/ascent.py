"""Going up stochastic gradients: Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019)."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Adam", "Weights"]

Weights: TypeAlias = list[NDArray[Any]]

_BIASES = frozenset({3, 5})  # weights that do not decay


class Adam:
    """Steps by the mean and the spread of gradients.

    Parameters
    ----------
    weights : list of ndarray
        Changed in place. The fourth and the sixth do not decay: they are biases.
    steps : int
        How many there will be.
    rate, decay : float
        Length of the steps, and weight decay in units of it.
    hold : float
        For what share of the steps the length stays; from then on it falls to nothing.

    Attributes
    ----------
    gradient : list of ndarray
        To be added to.
    """

    def __init__(self, weights: Weights, steps: int, rate: float, decay: float, hold: float) -> None:
        self.weights = weights
        self.gradient: Weights = [np.zeros_like(each) for each in weights]
        self._mean: Weights = [np.zeros_like(each) for each in weights]
        self._square: Weights = [np.zeros_like(each) for each in weights]
        self._steps, self._rate, self._decay, self._hold = steps, rate, decay, hold
        self._done = 0

    def step(self, acts: int) -> None:
        """Go up the gradient of so many acts, and forget it."""
        self._done += 1
        left = 1 - self._done / self._steps
        rate = self._rate * min(1.0, left / (1 - self._hold)) + 1e-5
        first, second = 1 - 0.9**self._done, 1 - 0.999**self._done
        for k, (weights, gradient, mean, square) in enumerate(
            zip(self.weights, self.gradient, self._mean, self._square, strict=True)
        ):
            gradient /= acts
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            if k not in _BIASES:
                weights *= 1 - rate * self._decay
            weights += rate * (mean / first) / (np.sqrt(square / second) + 1e-8)
            gradient[...] = 0
