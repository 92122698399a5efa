"""Functions for hand strength and hand potential on a board.

`pokermodel.evaluation` defines the terms. For several questions about one board, `BoardAnalysis` is faster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike
from pokermodel.evaluation.board import BoardAnalysis, HoldingTable, Potential

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = ["effective_hand_strength", "evaluate_holdings", "hand_potential", "hand_strength", "joint_strength"]


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


def joint_strength(holding: CardsLike, board: CardsLike, tables: Sequence[WeightTable | ArrayLike | None]) -> float:
    """Chance that a holding is the best hand now against several opponents, who cannot hold the same card.

    `hand_strength` multiplies strengths against one opponent, as if the opponents' holdings were independent. Here
    every combination of holdings without a common card counts, by the product of its weights. Papp (1998, section
    5.2.1) measures the approximations by this enumeration.

    Parameters
    ----------
    holding : cards
        Two cards.
    board : cards
        Three to five cards.
    tables : sequence of WeightTable or array_like of float, shape (1326,), or None
        The weights of each of one to three opponents; uniform for None. They may have any scale. An opponent without
        weight beside the holding and the board has any other holding alike.

    Returns
    -------
    float
        The chance, 0..1. In each combination the holding counts 1 for an opponent whom it beats, 1/2 for one whom it
        ties and 0 for one whom it loses to, and against all of them the product of these, which a product of
        HS approximates. Against one opponent it is HS.

    Raises
    ------
    ValueError
        If cards occur twice or are too few or many, there are no tables or more than three, weights are wrong, or the
        opponents have no holdings that can be dealt together.

    Notes
    -----
    One pass over the holdings for two opponents, and one with some fifty steps for each holding for three: sums by card
    give what is left of one table beside a holding of another.

    Examples
    --------
    Each opponent has aces or jacks. If one has jacks, there is one way left for the other to have them, too, and six
    to have aces: queens are ahead of both less often than the product says.

    >>> from pokermodel import WeightTable
    >>> tables = [WeightTable.from_text("AA, JJ")] * 2
    >>> round(joint_strength("QcQh", "9h5d2c", tables), 6)
    0.071429
    >>> hand_strength("QcQh", "9h5d2c", tables)
    0.25
    """
    return BoardAnalysis(board).joint_strength(holding, tables)


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


def effective_hand_strength(
    holding: CardsLike,
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    opponents: int = 1,
    lookahead: int = 1,
    optimistic: bool = False,
) -> float:
    """Strength and potential in one number (Papp 1998, section 6.3).

    Parameters
    ----------
    holding, board, weights, lookahead
        As `hand_potential`, also in the errors.
    opponents : int
        Number of opponents; the potentials are used without correction for it.
    optimistic : bool
        Leave out the negative potential: EHS', used for betting and re-weighting.

    Returns
    -------
    float
        ``HSn + (1 - HSn)*PPOT - HSn*NPOT``, the last term not if `optimistic`.

    Examples
    --------
    >>> round(effective_hand_strength("AdQc", "3h4cJh"), 6)
    0.544969
    """
    _check_opponents(opponents)
    analysis = BoardAnalysis(board)
    strength = analysis.strength(holding, weights) ** opponents
    ppot, npot, _ = analysis.potential(holding, weights, lookahead)
    return strength + (1 - strength) * ppot - (0.0 if optimistic else strength * npot)


def evaluate_holdings(
    board: CardsLike,
    weights: WeightTable | ArrayLike | None = None,
    lookahead: int = 1,
    dead: CardsLike = (),
) -> HoldingTable:
    """Strength and potential of all holdings on a board against one weighted opponent.

    Parameters
    ----------
    board, weights, lookahead
        As `hand_potential`, also in the errors.
    dead : cards, optional
        Cards out of play.

    Returns
    -------
    HoldingTable
        Values are nan where a holding shares a card with the board or the dead cards.
    """
    return BoardAnalysis(board, dead).evaluate(weights, lookahead)
