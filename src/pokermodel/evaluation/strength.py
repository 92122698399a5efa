"""Functions for hand strength and hand potential on a board.

`pokermodel.evaluation` defines the terms. For several questions about one board, `BoardAnalysis` is faster.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike
from pokermodel.evaluation.board import BoardAnalysis, Potential

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = ["hand_potential", "hand_strength"]


def _check_opponents(opponents: int) -> None:
    if opponents not in range(1, 23):
        raise ValueError(f"opponents must be a whole number from 1 to 22, got {opponents!r}")


def hand_strength(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    opponents: int = 1,
) -> float:
    """Chance that a holding is the best hand now (Papp 1998, Eq 5.3 and 5.4).

    Parameters
    ----------
    holding : cards
        Two cards.
    board : cards
        Three to five cards.
    weights : WeightTable, array_like of float, shape (1326,) or (k, 1326), or sequence of WeightTable, optional
        The opponents' weights; uniform by default. One table is used for every opponent; several tables, one per
        opponent, give the product of the strengths against each.
    opponents : int
        Number of opponents: the strength against one opponent is raised to this power. Not allowed with several tables.

    Returns
    -------
    float
        HSn, 0..1.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, or the weights are wrong.

    Examples
    --------
    >>> round(hand_strength("AdQc", "3h4cJh"), 6)
    0.585106
    >>> round(hand_strength("AdQc", "3h4cJh", opponents=5), 3)
    0.069
    """
    _check_opponents(opponents)
    analysis = BoardAnalysis(board)
    tables = _several(weights)
    if tables is None:
        return analysis.strength(holding, weights) ** opponents
    if opponents not in (1, len(tables)):
        raise ValueError(f"{len(tables)} weight tables do not go with opponents={opponents}")
    return math.prod(analysis.strength(holding, table) for table in tables)


def _several(weights: WeightTable | ArrayLike | None) -> Floats | None:
    """Return several tables as an array (k, 1326); None for a single one."""
    try:
        array = None if weights is None else np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None  # refused where a single table is read
    return array if array is not None and array.ndim == 2 else None


def hand_potential(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    lookahead: int = 1,
) -> Potential:
    """Chances that a holding overtakes, or is overtaken, in the cards to come (Papp 1998, section 5.3).

    Parameters
    ----------
    holding : cards
        Two cards.
    board : cards
        Three to five cards.
    weights : WeightTable or array_like of float, shape (1326,), optional
        The opponent's weights; uniform by default.
    lookahead : {1, 2}
        Number of cards to come.

    Returns
    -------
    Potential
        ``(ppot, npot, counts)``.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, the weights are wrong, or `lookahead` goes beyond the river.

    Examples
    --------
    >>> ppot, npot, counts = hand_potential("AdQc", "3h4cJh", lookahead=2)
    >>> round(ppot, 6), round(npot, 6)
    (0.208324, 0.273693)
    >>> counts[0].astype(int).tolist()
    [449005, 3211, 169504]
    """
    return BoardAnalysis(board).potential(holding, weights, lookahead)
