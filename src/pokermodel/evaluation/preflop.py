"""Value of holdings before the flop: income rates.

The income rate of a holding is its gain, in thousandths of a small bet per hand, if every player puts in one bet
and stays to the end (Papp 1998, section 5.1). Loki-1 uses the rates of 2 players (against one opponent), 4 (two or
three) and 7 (four or more). The package has them for 2 to 23 players: exactly for two players, by simulation for more
(``tools/income_rates.py``).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._income_rates import MAX_PLAYERS, check_players, income_rates, rates_and_errors
from pokermodel._support.arrays import Floats
from pokermodel.cards import (
    CLASS_OF_HOLDING,
    N_CLASSES,
    N_HOLDINGS,
    CardsLike,
    class_index,
    holding_index,
)

__all__ = [
    "MAX_PLAYERS",
    "RANKING_PLAYERS",
    "income_rate",
    "income_rates",
    "income_rates_by_holding",
    "income_shares",
    "percentile_value",
    "standard_errors",
]


#: Number of players whose income rates rank the holdings, whatever the number of players at the table: Loki-1 ranks
#: them by the rates against four opponents or more (Papp 1998, section 7.2.2).
RANKING_PLAYERS = 7


def standard_errors(players: int) -> Floats:
    """Standard errors of `income_rates`, in the same units and with the same errors; 0 for two players."""
    errors: Floats = rates_and_errors()[1][check_players(players) - 2]
    return errors


def income_rate(holding: CardsLike, players: int) -> float:
    """Income rate of one holding.

    Parameters
    ----------
    holding : cards or str
        Two cards, or the text of a class (``"ATs"``).
    players : int
        Players dealt in, 2 to 23.

    Returns
    -------
    float
        Milli small bets per hand.

    Raises
    ------
    ValueError
        If `holding` is neither two different cards nor a class, or `players` is not 2..23.

    Examples
    --------
    >>> income_rate("AsAd", 2) == income_rate("AA", 2)
    True
    """
    rates = income_rates(players)
    if isinstance(holding, str) and len(text := holding.strip().replace("10", "T")) < 4:  # two cards take four
        return float(rates[class_index(text)])
    return float(rates[CLASS_OF_HOLDING[holding_index(holding)]])


@cache
def _by_holding(players: int) -> tuple[Floats, Floats]:
    """Rates by holding, and sorted."""
    rates = income_rates(players)[CLASS_OF_HOLDING]
    in_order = np.sort(rates)
    rates.setflags(write=False)
    return rates, in_order


@cache
def _in_order(players: int) -> list[float]:
    rates: list[float] = _by_holding(check_players(players))[1].tolist()
    return rates


def income_rates_by_holding(players: int = RANKING_PLAYERS) -> Floats:
    """`income_rates` of the 1,326 holdings: float64 (1326,), read-only; raises `ValueError` as `income_rates`."""
    return _by_holding(check_players(players))[0]


@cache
def income_shares(players: int = RANKING_PLAYERS) -> Floats:
    """Share of all holdings with a lower income rate: float64 (1326,), read-only.

    Those with the same rate count half. `ValueError` if the `players` of the rates are not 2 to 23.

    Examples
    --------
    >>> from pokermodel.cards import holding_index
    >>> round(float(income_shares()[holding_index("AsAh")]), 4)  # the six pairs of aces, by half
    0.9977
    """
    rates, in_order = _by_holding(check_players(players))
    shares: Floats = (np.searchsorted(in_order, rates, "left") + np.searchsorted(in_order, rates, "right")) / 2
    shares /= N_HOLDINGS
    shares.setflags(write=False)
    return shares


def percentile_value(mu: float, players: int = RANKING_PLAYERS, *, rates: ArrayLike | None = None) -> float:
    """Income rate that a share `mu` of all holdings stays below.

    Parameters
    ----------
    mu : float
        Share of the holdings, 0 to 1.
    players : int
        Players dealt in, 2 to 23.
    rates : array_like of float, shape (169,) or (1326,), optional
        Another table, by class or by holding, instead of the package's.

    Returns
    -------
    float
        Entry ``floor(1326*mu)`` of the sorted rates of all holdings, the last one for ``mu = 1``.

    Raises
    ------
    ValueError
        If `mu` or `players` is out of range, or `rates` has another shape.

    References
    ----------
    Papp 1998, section 7.2.2.

    Examples
    --------
    >>> percentile_value(0.5, rates=range(1326))
    663.0
    """
    if not 0 <= mu <= 1:  # nan is refused, too
        raise ValueError(f"mu is a share of the holdings: expected 0 to 1, got {mu}")
    index = min(int(mu * N_HOLDINGS + 5e-10), N_HOLDINGS - 1)  # 10/13 of them are 1,020, not a little less
    if rates is None:
        return _in_order(players)[index]
    table = np.asarray(rates, dtype=np.float64)
    if table.shape == (N_CLASSES,):
        table = table[CLASS_OF_HOLDING]
    if table.shape != (N_HOLDINGS,):
        raise ValueError(f"rates must have shape (169,) or (1326,), got {table.shape}")
    return float(np.partition(table, index)[index])
