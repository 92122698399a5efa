"""Features of holdings on a board, by which players may decide, and classes by these features.

Holdings that agree in all features are a class. There are 169 classes before the flop and some hundred on a board.
The features are counted out in ``pokermodel/readers/holding_features.h``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import HoldingClasses
from pokermodel._support.arrays import Bools
from pokermodel._support.cache import Cache
from pokermodel.evaluation.preflop import income_shares

__all__ = [
    "MADE",
    "PREFLOP_HOLDINGS",
    "first_bin",
    "holding_classes",
    "holdings_cache",
    "made_and_draws",
    "made_at_least",
    "strength_bins",
]

#: What two cards make with the board, weakest first. What the board makes by itself does not count.
MADE = (
    "no overcard",
    "an overcard",
    "ace high",
    "two overcards",
    "a low pair",
    "a middle pair",
    "top pair",
    "top pair with a good kicker",
    "an overpair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house or better",
)

_STRENGTHS, _DRAWS, _CHANGES = 16, 6, 3
_DRAWN, _MADE = 1, 2  # their places among the features after the flop
_PREFLOP_ROWS = _STRENGTHS + 13 + 13 + 3
_POSTFLOP_ROWS = _STRENGTHS + _DRAWS + len(MADE) + _CHANGES

#: The classes before the flop.
PREFLOP_HOLDINGS = HoldingClasses((), shares=np.ascontiguousarray(income_shares()))

#: Classes of the boards last seen; ``holdings_cache.resize(0)`` keeps none.
holdings_cache: Cache[tuple[int, ...], HoldingClasses] = Cache(8 << 20)


def holding_classes(board: tuple[int, ...]) -> HoldingClasses:
    """The classes of holdings on a board of no card, or of three to five in the order of dealing.

    The object is shared by all callers. `ValueError` if it is no board.
    """
    if not board:
        return PREFLOP_HOLDINGS
    classes = holdings_cache.get(board)
    if classes is None:
        classes = HoldingClasses(board, before=holding_classes(board[:-1]) if len(board) > 3 else None)
        holdings_cache.put(board, classes, classes.nbytes)
    return classes


def first_bin(board: tuple[int, ...]) -> int:
    """The row of the first bin of strength among the features of holdings."""
    return _PREFLOP_ROWS + (len(board) - 3) * _POSTFLOP_ROWS if board else 0


def strength_bins(board: tuple[int, ...]) -> NDArray[np.int16]:
    """The bin of each holding's strength among the features of holdings: int16 (1326,), -1 where it is not possible."""
    return holding_classes(board).column(0, first_bin(board))


def made_at_least(board: tuple[int, ...], made: int) -> Bools:
    """Which holdings make at least an entry of `MADE`, given by its index, with a board: bool (1326,)."""
    return made_and_draws(board)[0] >= made


def made_and_draws(board: tuple[int, ...]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The made hand and the draw of each holding on a board of three to five cards: int16 (1326,) each.

    The first are indices of `MADE`. The second are 0 for no draw, 1 if one rank makes a straight, 2 if two or more do,
    and 3 more with a flush draw. Both are -1 where a holding is not possible.
    """
    classes = holding_classes(board)
    first = first_bin(board) + _STRENGTHS
    return classes.column(_MADE, first + _DRAWS), classes.column(_DRAWN, first)
