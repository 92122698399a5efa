"""Winnings of every holding against a range, without further betting: all holdings at once."""

from __future__ import annotations

from functools import cache

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.evaluation.shares import holding_shares

__all__ = ["stakes_won"]


@cache
def _before_flop() -> Floats:
    """Shares of the pot of each holding against each other: float64 (1326, 1326)."""
    return np.array([holding_shares(holding) for holding in range(N_HOLDINGS)])


def stakes_won(weights: Floats, beside: Floats, board: tuple[int, ...]) -> Floats:
    """Winnings of each holding from a stake of 1 against weights, 1 to -1 a pair, without betting: float64 (1326,).

    `weights`, float64 (1326,), are those of the opponent's holdings, 0 where the board excludes them. `beside`, of the
    same shape, is how much of these goes with each holding. The result is summed over the opponent's holdings.
    """
    if not board:
        return 2.0 * (_before_flop() @ weights) - beside
    counts = shared_analysis(board).evaluate(weights, lookahead=min(2, 5 - len(board))).counts
    later = np.nan_to_num(counts).sum(axis=1)
    total = later.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, (later[:, 0] - later[:, 2]) / total, 0.0) * beside
