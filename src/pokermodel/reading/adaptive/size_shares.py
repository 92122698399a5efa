"""How likely each class of sizes is with each holding, where a player bets or raises."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.game import Situation
from pokermodel.reading.adaptive.holdings import strength_bins
from pokermodel.reading.adaptive.known_sizes import KnownSizes, Numbers
from pokermodel.reading.adaptive.polarity import GROUP_OF_CLASS, SIZE_GROUPS
from pokermodel.reading.adaptive.situations import SituationTable, board_features
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    QUARTERS,
    SIZE_CLASSES,
    STRENGTHS,
    size_context,
    size_habits,
    size_range,
)
from pokermodel.reading.features import Features

__all__ = ["SizeShares", "shares_by_group", "shares_by_holding"]

#: 1 for the cells of each class of sizes: float64 (7, 38).
_OF_CLASS = (np.arange(len(SIZE_CLASSES))[:, None] == CLASS_OF).astype(np.float64)


class SizeShares:
    """Shares of the classes of sizes, by what is known of a player when this is made.

    They are worked out when they are needed; what is learnt until then does not change them.

    Parameters
    ----------
    numbers : tuple of int
        Of the population and the player.
    """

    def __init__(
        self, known: KnownSizes, numbers: Numbers, table: SituationTable, situation: Situation, features: Features
    ) -> None:
        self._known, self._table, self._situation, self._features = known, table, situation, features
        self._context = size_context(features)
        self._room, self._habits = size_range(situation), size_habits(features)
        self._told = known.told(numbers, self._context, self._room, self._habits)

    @cached_property
    def by_strength(self) -> Floats:
        """With each bin of hand strength: float64 (7, 16).

        The player's forecast times what a size says of each bin, divided by the sum over sizes.
        """
        rows = self._table.rows(self._features, board_features(self._situation.board)).rows
        forecast = self._known.forecast(self._told, rows, self._room, self._habits)
        below = np.cumsum(forecast) - forecast / 2
        quarters = np.minimum((QUARTERS * below).astype(np.intp), QUARTERS - 1)
        found = _OF_CLASS @ (forecast[:, None] * self._known.prior.tilts_of(self._context)[quarters])
        shares: Floats = found / found.sum(axis=0)
        return shares

    @property
    def by_holding(self) -> Floats:
        """With each holding: float64 (1326, 7), nan where it is not possible."""
        return shares_by_holding(self.by_strength, self._situation.board)


def shares_by_group(by_strength: Floats) -> Floats:
    """Shares of classes of sizes as those of classes and groups, where each class is in one: float64 (28, 16)."""
    found = np.zeros((len(SIZE_CLASSES), SIZE_GROUPS, STRENGTHS))
    found[np.arange(len(SIZE_CLASSES)), GROUP_OF_CLASS] = by_strength
    return found.reshape(-1, STRENGTHS)


def shares_by_holding(by_strength: NDArray[Any], board: tuple[int, ...]) -> Floats:
    """Shares by bin of strength as those of holdings: float64 (1326, 7), nan where one is not possible."""
    bins = strength_bins(board)
    found = by_strength.astype(np.float64).T[bins]
    found[bins < 0] = np.nan
    return found
