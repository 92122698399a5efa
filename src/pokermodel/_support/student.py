"""Quantiles of Student's t distribution, for intervals of means."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from pokermodel._support.checks import check_least

__all__ = ["t_quantile"]

#: Degrees of freedom from which on the expansion of the 95 and 99% quantiles is exact to 1e-9.
_MANY = 400


def _t_inside(t: float, degrees: int) -> float:
    """Probability that Student's t is between -t and t (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    theta = math.atan2(t, math.sqrt(degrees))
    cosine = math.cos(theta)
    odd = degrees % 2
    term, total = (cosine if odd else 1.0), 0.0
    for k in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cosine**2 * (k - 1) / k
    total *= math.sin(theta)
    return 2 / math.pi * (theta + total) if odd else total


@lru_cache(1000)
def t_quantile(degrees: int, inside: float = 0.95) -> float:
    """Two-sided quantile of Student's t distribution.

    Raises `ValueError` if a parameter is out of range.

    Parameters
    ----------
    degrees : int
        Degrees of freedom, 1 or more.
    inside : float
        Probability that t lies between the quantile and its negative, between 0 and 1.

    Examples
    --------
    >>> round(t_quantile(9), 4), round(t_quantile(10_000), 4)
    (2.2622, 1.9602)
    """
    check_least("degrees of freedom", degrees, 1)
    if not 0 < inside < 1:
        raise ValueError(f"inside must be a probability between 0 and 1, got {inside}")
    if degrees >= _MANY:  # Cornish and Fisher's expansion (Abramowitz and Stegun 1964, 26.7.5)
        x = NormalDist().inv_cdf((1 + inside) / 2)
        terms = (
            x,
            (x**3 + x) / 4,
            (5 * x**5 + 16 * x**3 + 3 * x) / 96,
            (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        )
        return math.fsum(term / degrees**k for k, term in enumerate(terms))
    low, high = 0.0, 1.0
    while _t_inside(high, degrees) < inside:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if _t_inside(middle, degrees) < inside:
            low = middle
        else:
            high = middle
    return (low + high) / 2
