"""The evidence of an action on the holding behind it: the mean threshold mu and its spread sigma.

A player who raises with the frequency f mostly raises with the best share f of their holdings. The threshold of an
action is therefore a percentile, and the decision is uncertain around it (Papp 1998, section 7.2.1).
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from pokermodel.evaluation.preflop import percentile_value
from pokermodel.game import Act
from pokermodel.reading.frequencies import frequency_shares

__all__ = [
    "LEAST_PERCENTILE",
    "PREFLOP_SIGMA",
    "Threshold",
    "percentile",
    "postflop_threshold",
    "preflop_threshold",
    "thresholds",
]

#: Spread before the flop, in thousandths of a bet won per hand (Papp 1998, section 7.2.2).
PREFLOP_SIGMA = 330.0
#: Below this percentile an action before the flop says nothing (Papp 1998, section 7.2.2).
LEAST_PERCENTILE = 0.05
_SIGMA_SLOPE = 0.4
_LEAST_SIGMA = 0.02


class Threshold(NamedTuple):
    """Where an action separates holdings, and how sharply."""

    #: The percentile: the share of holdings that are too weak for the action.
    percentile: float
    #: Mean threshold in the units of the holding's value: effective strength, or income rate before the flop.
    mu: float
    #: Half-width of the band around `mu` in which the decision is uncertain, in the same units.
    sigma: float


def percentile(frequencies: ArrayLike, act: Act) -> float:
    """Share of holdings that are too weak for a call or a raise.

    Parameters
    ----------
    frequencies : array_like of float, shape (3,)
        Of fold, call and raise.
    act : {Act.CALL, Act.RAISE}
        The action.

    Returns
    -------
    float
        ``1 - f[raise]`` for a raise, ``1 - f[raise] - f[call]`` for a call.

    Raises
    ------
    ValueError
        For a fold, which has no threshold of its own, or frequencies that are none.

    Examples
    --------
    >>> round(percentile([0.1, 0.7, 0.2], Act.RAISE), 6), round(percentile([0.1, 0.7, 0.2], Act.CALL), 6)
    (0.8, 0.1)
    """
    _, call, raising = frequency_shares(frequencies)
    if act == Act.FOLD:
        raise ValueError("a fold has no threshold: expected a call or a raise")
    return _percentile(raising if act == Act.RAISE else call + raising)


def _percentile(above: float) -> float:
    share = round((1.0 - above) * 1e14) / 1e14  # so that equal shares compare as equal
    return share if share > 0 else 0.0


def postflop_threshold(frequencies: ArrayLike, act: Act) -> Threshold:
    """Threshold of a call or raise after the flop: ``sigma = 0.4*(1 - mu)`` (Papp 1998, section 7.2.3).

    It is in units of effective hand strength; a sigma of zero is taken as .02. Arguments and errors are those of
    `percentile`.

    Examples
    --------
    >>> postflop_threshold([0.5, 0.3, 0.2], Act.CALL)
    Threshold(percentile=0.5, mu=0.5, sigma=0.2)
    """
    return _postflop(percentile(frequencies, act))


def _postflop(mu: float) -> Threshold:
    return Threshold(mu, mu, _SIGMA_SLOPE * (1.0 - mu) or _LEAST_SIGMA)


def preflop_threshold(frequencies: ArrayLike, act: Act) -> Threshold | None:
    """Threshold of a call or raise before the flop, as an income rate (Papp 1998, section 7.2.2).

    The percentile is looked up in the sorted income rates of all 1,326 holdings in the seven-player game. It is in
    thousandths of a bet per hand; None if the percentile is below .05, where the action says nothing. Arguments and
    errors are those of `percentile`.
    """
    return _preflop(percentile(frequencies, act))


def _preflop(share: float) -> Threshold | None:
    return None if share < LEAST_PERCENTILE else Threshold(share, percentile_value(share), PREFLOP_SIGMA)


def thresholds(frequencies: ArrayLike, *, preflop: bool) -> tuple[Threshold | None, Threshold | None]:
    """Thresholds of a raise and of a call: `preflop_threshold` or `postflop_threshold` of both at once.

    `ValueError` if they are no frequencies.
    """
    _, call, raising = frequency_shares(frequencies)
    of = _preflop if preflop else _postflop
    return of(_percentile(raising)), of(_percentile(call + raising))
