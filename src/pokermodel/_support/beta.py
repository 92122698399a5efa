"""The beta distribution: what is known of a proportion, given how often something was done."""

from __future__ import annotations

import math

__all__ = ["beta_below", "beta_quantile"]

_TINY = 1e-300
_PRECISION = 1e-14
_MOST_STEPS = 10_000
_STEP = 2.0**-34  # quantiles are middles of such steps


def beta_below(x: float, a: float, b: float) -> float:
    """Probability that a proportion is below a number: the regularised incomplete beta function.

    Raises `ValueError` if a parameter is out of range.

    Parameters
    ----------
    x : float
        From 0 to 1.
    a, b : float
        Parameters of the distribution, above 0.

    Returns
    -------
    float
        By the continued fraction of DLMF 8.17.22, evaluated by Lentz's method as modified by Thompson and Barnett
        (1986).

    Examples
    --------
    >>> round(beta_below(0.5, 2, 2), 12), round(beta_below(0.25, 1, 1), 12)
    (0.5, 0.25)
    """
    if not (a > 0 and b > 0 and math.isfinite(a) and math.isfinite(b)):
        raise ValueError(f"the parameters of a beta distribution are above 0, got {a} and {b}")
    if not 0 <= x <= 1:
        raise ValueError(f"a proportion is from 0 to 1, got {x}")
    if x in (0, 1):
        return float(x)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 1.0 - beta_below(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x) - math.log(a)
    )
    return min(front * _fraction(x, a, b), 1.0)


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _MOST_STEPS):
        before = value
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(value - before) <= _PRECISION * abs(value):
            break
    return value


def beta_quantile(share: float, a: float, b: float) -> float:
    """The number below which a proportion is with a given probability.

    Raises `ValueError` if a parameter is out of range.

    Parameters
    ----------
    share : float
        The probability, from 0 to 1.
    a, b : float
        As `beta_below`.

    Returns
    -------
    float
        To 1e-10.

    Examples
    --------
    >>> round(beta_quantile(0.025, 8.5, 2.5), 4)
    0.4972
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a probability is from 0 to 1, got {share}")
    guess = _guess(share, a, b)
    low = math.floor(guess / _STEP) * _STEP
    high = low + _STEP
    if not (low >= 0 and high <= 1 and beta_below(low, a, b) < share <= beta_below(high, a, b)):
        low, high = 0.0, 1.0
        while high - low > _STEP:
            middle = (low + high) / 2
            if beta_below(middle, a, b) < share:
                low = middle
            else:
                high = middle
    return (low + high) / 2


def _guess(share: float, a: float, b: float) -> float:
    """Where the probability is a share, by Newton's method, which a bracket keeps from leaving it."""
    low, high, x = 0.0, 1.0, a / (a + b)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(40):
        below = beta_below(x, a, b) - share
        low, high = (x, high) if below < 0 else (low, x)
        density = math.exp(scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)) if 0 < x < 1 else 0.0
        after = x - below / density if density > _TINY else -1.0
        after = after if low < after < high else (low + high) / 2
        if abs(after - x) < _STEP / 1000:
            return after
        x = after
    return x
