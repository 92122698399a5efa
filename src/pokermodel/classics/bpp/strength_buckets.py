"""Classes of holdings by what they are worth: what tables P(act | class) of hold'em are made for.

Before the flop a class is a range of income rates among all holdings; after it, a range of hand strengths against
a uniform opponent, that is of shares of holdings beaten, with drawing hands in classes of their own. Classes are
narrow at the top, where players begin to act differently.

The borders were chosen by how well tables learnt from the first 9,000 hands of the IRC database's April 1995
(#holdem) foretold the next 3,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.observed_hands import MOST_SCORE, BucketBorders
from pokermodel._support.cache import Cache
from pokermodel.cards import N_CARDS, N_HOLDINGS
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_shares

__all__ = [
    "BORDERS",
    "DRAW",
    "GROUPS",
    "N_STRENGTH_CLASSES",
    "POSTFLOP_BORDERS",
    "PREFLOP_BORDERS",
    "PREFLOP_CLASSES",
    "board_classes",
    "class_ranges",
    "classes_cache",
    "strength_classes",
]

Classes = NDArray[np.uint8]

#: Shares of the holdings, by income rate, at which one class ends and the next begins.
PREFLOP_BORDERS = (0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.78, 0.84, 0.89, 0.93, 0.96, 0.98)
#: The same after the flop, by hand strength.
POSTFLOP_BORDERS = (0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.87, 0.92, 0.955, 0.98)
#: From this potential on (`BoardAnalysis.crude_potentials`) a holding is a draw.
DRAW = 0.14
_MADE = 9  # classes of hands that can be draws; stronger ones are what they are
_STRENGTHS = len(POSTFLOP_BORDERS) + 1
#: Classes of a round, numbered from 0, weakest first; after the flop the draws follow those of made hands.
N_STRENGTH_CLASSES = _STRENGTHS + _MADE


def _preflop() -> Classes:
    classes = np.digitize(income_shares(), PREFLOP_BORDERS).astype(np.uint8)
    classes.setflags(write=False)
    return classes


#: Class of each holding before the flop: uint8 (1326,).
PREFLOP_CLASSES = _preflop()


def class_ranges(preflop: bool) -> NDArray[np.float64]:
    """Shares of the holdings between which each class lies.

    Parameters
    ----------
    preflop : bool
        Before the flop, or after it.

    Returns
    -------
    ndarray of float64, shape (22, 2)
        Draws as made hands halfway to the best. Rows not in use (before the flop) span everything.
    """
    borders = (0.0, *(PREFLOP_BORDERS if preflop else POSTFLOP_BORDERS), 1.0)
    ranges = np.empty((N_STRENGTH_CLASSES, 2))
    ranges[:] = 0.0, 1.0
    made = np.column_stack([borders[:-1], borders[1:]])
    ranges[: len(made)] = made
    if not preflop:
        ranges[_STRENGTHS:] = (1 + made[:_MADE]) / 2
    return ranges


def _groups() -> NDArray[np.intp]:
    groups = np.zeros((2, N_STRENGTH_CLASSES), dtype=np.intp)
    for row, borders, coarse in (
        (groups[0], PREFLOP_BORDERS, (0.30, 0.60, 0.84, 0.96)),
        (groups[1], POSTFLOP_BORDERS, (0.30, 0.60, 0.80, 0.92)),
    ):
        row[: len(borders) + 1] = np.searchsorted(coarse, (0.0, *borders), side="right")
    groups[1, _STRENGTHS:] = np.where(groups[1, :_MADE] < 2, 5, groups[1, :_MADE])
    groups.setflags(write=False)
    return groups


#: Coarse group (0 to 5) of each class before the flop and after it: intp (2, 22). Weak draws are a group.
GROUPS = _groups()


def _borders() -> BucketBorders:
    by_score = np.empty((3, MOST_SCORE + 1), dtype=np.uint8)
    for row, board_cards in zip(by_score, (3, 4, 5), strict=True):
        against = comb(N_CARDS - board_cards - 2, 2)  # what an opponent can hold
        row[:] = np.digitize(np.arange(MOST_SCORE + 1) / 2 / against, POSTFLOP_BORDERS)
    return BucketBorders(by_score, DRAW, _MADE, _STRENGTHS)


#: The classes after the flop, as kernels go by them.
BORDERS = _borders()

#: Classes of the boards last seen, at most 8 MiB; ``classes_cache.resize(0)`` keeps none.
classes_cache: Cache[tuple[int, ...], Classes] = Cache(8 << 20)


def board_classes(board: Sequence[int]) -> Classes:
    """Class of each holding on a board without dead cards.

    Parameters
    ----------
    board : sequence of int
        Three to five cards.

    Returns
    -------
    ndarray of uint8, shape (1326,)
        0 where the holding is not possible. Shared: do not write to it.

    Raises
    ------
    ValueError
        If it is no such board.
    """
    key = tuple(board)
    classes = classes_cache.get(key)
    if classes is None:
        classes = np.empty(N_HOLDINGS, dtype=np.uint8)
        BORDERS.classes(key, classes)
        classes.setflags(write=False)
        classes_cache.put(key, classes, classes.nbytes)
    return classes


def strength_classes(analysis: BoardAnalysis | None) -> Classes:
    """Class of each holding on a board.

    Parameters
    ----------
    analysis : BoardAnalysis or None
        Of the board; None before the flop.

    Returns
    -------
    ndarray of uint8, shape (1326,)
        0 where the holding is not possible. Shared: do not write to it.
    """
    if analysis is None:
        return PREFLOP_CLASSES
    if not analysis.dead:
        return board_classes(analysis.board)
    classes = np.digitize(np.where(analysis.live, analysis.strengths(), 0.0), POSTFLOP_BORDERS).astype(np.uint8)
    if len(analysis.board) < 5:
        draws = np.where(analysis.live, analysis.crude_potentials(), 0.0) >= DRAW
        classes[draws & (classes < _MADE)] += _STRENGTHS
    return classes
