"""Means with confidence intervals over deals.

The games of one deal are played with the same cards and are one sample, not several.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.student import t_quantile

__all__ = ["Estimate", "estimate", "t_quantile"]


class Estimate(NamedTuple):
    """A mean and its standard error.

    With a single sample, all fields but the mean are nan.
    """

    mean: float
    standard_error: float
    #: The 95% t interval.
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.mean:+.3f} +- {self.half_width:.3f}"


def estimate(samples: ArrayLike) -> Estimate:
    """Mean, standard error and 95% interval of independent samples.

    Parameters
    ----------
    samples : array_like of float, shape (n,)
        The samples, one or more.

    Raises
    ------
    ValueError
        If there is no sample.

    Examples
    --------
    >>> print(estimate([1.0, 2.0, 3.0, 2.0]))
    +2.000 +- 1.299
    """
    values = np.asarray(samples, dtype=np.float64)
    n = len(values)
    if n == 0:
        raise ValueError("expected 1 sample or more, got none")
    mean = math.fsum(values) / n
    if n == 1:
        return Estimate(mean, math.nan, math.nan, math.nan)
    error = math.sqrt(math.fsum((values - mean) ** 2) / (n - 1) / n)
    half = t_quantile(n - 1) * error
    return Estimate(mean, error, mean - half, mean + half)
