"""Ranks of hands of five to seven cards, and the nine categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core import evaluator as _evaluator
from pokermodel.cards import CardsLike, card_indices

__all__ = ["CATEGORIES", "category", "evaluate", "evaluate_many"]

#: Names of the nine categories, weakest first.
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


def evaluate(cards: CardsLike) -> int:
    """Rank of a hand of five to seven cards.

    Parameters
    ----------
    cards : str or sequence of int or str
        Five to seven different cards.

    Returns
    -------
    int
        1 (seven high) to 7462 (royal flush): stronger hands are higher, equal hands equal.

    Raises
    ------
    ValueError
        If it is not five to seven different cards.

    Examples
    --------
    >>> evaluate("AsKsQsJsTs"), evaluate("7c5d4h3s2c")
    (7462, 1)
    """
    try:
        return _evaluator.evaluate(cards)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        return _evaluator.evaluate(card_indices(cards))


def evaluate_many(cards: ArrayLike) -> NDArray[np.uint16]:
    """Ranks of many hands.

    Parameters
    ----------
    cards : array_like of int, shape (n, 5), (n, 6) or (n, 7)
        Card indices, a hand a row. A contiguous ``uint8`` array is used as it is.

    Returns
    -------
    ndarray of uint16, shape (n,)
        As `evaluate`.

    Raises
    ------
    ValueError
        If the array has another shape or type, or a row is not that many different cards.
    """
    array = np.asarray(cards)
    if array.ndim != 2 or array.shape[1] not in (5, 6, 7):
        raise ValueError(f"cards must have shape (n, 5), (n, 6) or (n, 7), got {array.shape}")
    if array.dtype != np.uint8:
        if array.size and array.dtype.kind not in "iu":
            raise ValueError(f"cards must be integers, got dtype {array.dtype}")
        if array.size and (array.min() < 0 or array.max() > 51):
            row = int(np.flatnonzero(((array < 0) | (array > 51)).any(axis=1))[0])
            raise ValueError(f"row {row} holds a card index outside 0..51: {array[row].tolist()}")
    ranks = np.empty(len(array), dtype=np.uint16)
    _evaluator.evaluate_many(np.ascontiguousarray(array, dtype=np.uint8), ranks)
    return ranks


def category(rank: int) -> str:
    """Name of the category of a rank (one of `CATEGORIES`).

    Raises
    ------
    ValueError
        If the rank is not 1..7462.

    Examples
    --------
    >>> category(evaluate("AdQc3h4cJh"))
    'high card'
    """
    if not 1 <= rank <= 7462:
        raise ValueError(f"rank {rank} is out of range: expected 1..7462")
    return CATEGORIES[_evaluator.category(rank)]
