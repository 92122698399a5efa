"""Triples by the rank of a holding among all that the player can have (ours).

Loki-2's thresholds are values of holdings. A player who raises 20% is assumed to raise with holdings above a fixed
value, independent of their current range. If their table is strong, that is nearly always, and the forecast is far from
their frequency. By rank a player who raises 20% raises with the best 20% of their range, so the mean of the triples
is their frequency. Thresholds by value are the published ones, and stay the default.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats
from pokermodel.classics.loki2.decision_thresholds import check_frequencies
from pokermodel.game import Act

__all__ = ["RANK_HALF_WIDTH", "RANK_NOISE", "ranked_triples"]

#: Half the width of the band around a share of holdings in which an act gives way to another (ours, chosen for the
#: holdings shown in 1,200 hands of the IRC poker database, April 1995, as `RANK_NOISE` was).
RANK_HALF_WIDTH = 0.25
#: Share of a player's acts that have nothing to do with the rank of their holding.
RANK_NOISE = 0.45

_BINS = 100


def ranked_triples(
    frequencies: ArrayLike,
    values: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    half_width: float = RANK_HALF_WIDTH,
    noise: float = RANK_NOISE,
) -> Floats:
    """Triples of a player who acts so often, by the rank of the holding among all they can have (ours).

    It is `BettingThresholds.ranked` with the band taken in shares of holdings, not in their values, and so narrow that
    it ends with the best and the worst of them. So the mean of the triples is the player's frequency. A share of the
    actions does not depend on the holding.

    Parameters
    ----------
    frequencies : array_like of float, shape (3, 3)
        Shares of fold, call and raise, by bets to call (0, 1, 2 or more).
    values : array_like of float, shape (n,)
        Values of the holdings, 0 to 1; nan for those that are not possible.
    weights : array_like of float, shape (n,), optional
        How much each counts; all the same without.
    half_width : float
        Half the width of the band, 0 to 1.
    noise : float
        The share of acts for which the holding does not matter, 0 to 1.

    Returns
    -------
    ndarray of float64, shape (3, 100, 3)
        For the `table` of a `TripleGenerator`: by bets to call, value in 100 equal bins, and act.

    Raises
    ------
    ValueError
        If the frequencies are none, a number is out of range, or no holding counts.

    Examples
    --------
    >>> values = np.linspace(0.005, 0.995, 100)
    >>> table = ranked_triples([[0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]], values, half_width=0.1, noise=0.5)
    >>> table[1, [5, 50, 95]].round(3).tolist()  # raises the best fifth every other time, and sometimes others
    [[0.75, 0.15, 0.1], [0.488, 0.412, 0.1], [0.25, 0.15, 0.6]]
    >>> table.mean(axis=1).round(3).tolist()
    [[0.0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    """
    shares = check_frequencies(frequencies)
    if not (0 <= half_width <= 1 and 0 <= noise <= 1):
        raise ValueError(f"half_width and noise must be 0 to 1, got {half_width} and {noise}")
    ranks = _ranks_of_bins(np.asarray(values, dtype=np.float64), weights)

    def doing(share: float) -> Floats:
        """How likely the best holdings, so large a share of them, are acted on, by rank."""
        band = max(min(half_width, share, 1.0 - share), 1e-9)
        return np.clip((ranks - (1.0 - share) + band) / (2.0 * band), 0.0, 1.0)

    table = np.empty((3, _BINS, 3))
    for bets, (_, call, raising) in enumerate(shares.tolist()):
        raised = doing(raising)
        # with nothing to call nobody folds
        stayed = np.maximum(doing(min(call + raising, 1.0)), raised) if bets else np.ones(_BINS)
        table[bets] = np.stack([1.0 - stayed, stayed - raised, raised], axis=1)
    table *= 1.0 - noise
    table += noise * shares[:, None]
    table[0, :, Act.CALL] += table[0, :, Act.FOLD]
    table[0, :, Act.FOLD] = 0.0
    return table


def _ranks_of_bins(values: Floats, weights: ArrayLike | None) -> Floats:
    """The mean rank, from 0 to 1, of holdings whose value is in a bin."""
    counted = np.ones(values.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or counted.shape != values.shape:
        raise ValueError(f"values and weights must be of one length, got {values.shape} and {counted.shape}")
    possible = ~np.isnan(values)
    bins = np.clip((values[possible] * _BINS).astype(np.intp), 0, _BINS - 1)
    mass = np.bincount(bins, counted[possible], _BINS)
    running = np.cumsum(mass)
    if not running[-1] > 0:
        raise ValueError("there is no holding with weight to rank")
    ranks: Floats = (running - mass / 2) / running[-1]
    return ranks
