"""A situation as rows of the tables of a likelihood: binned features of the public state.

Where a model adds up weights, one for each value of each feature, features that matter together are crossed. The bins
are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import situations as kernels
from pokermodel._core.likelihood import CELLS, REPLIES
from pokermodel.game import BettingStructure
from pokermodel.reading.features import Features

__all__ = [
    "BASIS",
    "BOARD",
    "FACTOR_CELLS",
    "FACTOR_FIRST",
    "LIMIT_TABLE",
    "SITUATION",
    "SIZED_SITUATION",
    "SIZED_TABLE",
    "Binned",
    "BoardFeatures",
    "SituationRows",
    "SituationTable",
    "board_features",
    "situation_table",
]

Rows: TypeAlias = NDArray[np.int16]


class Binned(NamedTuple):
    """A binned feature: a whole number from 0 to ``size - 1``, which ``pokermodel/readers/situations.h`` works out."""

    name: str
    size: int


_BETTING = (
    Binned("round, bets", 12),
    Binned("bets, previous act", 36),
    Binned("round, aggressor", 12),
    Binned("leader, facing", 12),
    Binned("players", 16),
    Binned("bets made", 12),
)
_SINCE = (
    Binned("position", 20),
    Binned("order, players", 9),
    Binned("acts in the round", 8),
    Binned("bets put in", 4),
    Binned("raises before the flop", 10),
    Binned("bets in the round before", 16),
    Binned("own raises", 12),
    Binned("own calls in the round", 3),
    Binned("last to raise, facing", 12),
    Binned("callers", 12),
    Binned("players dealt in", 9),
    Binned("players all-in", 3),
    Binned("raises made, bets", 15),
    Binned("players, callers", 36),
)
#: The features of a situation that weights are added up for, in limit.
SITUATION: tuple[Binned, ...] = (
    *_BETTING,
    Binned("price", 30),
    Binned("to call", 6),
    *_SINCE,
)
#: The same where bets have sizes.
SIZED_SITUATION: tuple[Binned, ...] = (
    *_BETTING,
    Binned("price", 52),
    Binned("level", 32),
    Binned("depth", 48),
    Binned("stack to pot", 52),
    Binned("commitment", 18),
    Binned("position before the flop, raises", 41),
    Binned("round, price", 64),
    *_SINCE,
)


class BoardFeatures(NamedTuple):
    """The texture of a board, 0 before the flop.

    Attributes
    ----------
    pairs : int
        1 no pair, 2 a pair, 3 more.
    suited : int
        The most cards of one suit.
    high : int
        The highest card: 1 nine or less, 2 ten or jack, 3 queen or king, 4 ace.
    straight : int
        The most cards of five ranks in a row: 1 two or fewer, 2 three, 3 four, 4 five.
    came : int
        The effect of the turn or river: 1 neither of these, 2 an overcard, 3 a pair, 4 a third card of a suit or more.
    """

    pairs: int
    suited: int
    high: int
    straight: int
    came: int


@lru_cache(maxsize=16)
def board_features(board: tuple[int, ...]) -> BoardFeatures:
    """The features of a board of up to five cards."""
    return BoardFeatures(*kernels.board_features(board))


#: Sizes of the features of the board. Each is crossed with whether there is a bet to call.
BOARD = {"pairs": 4, "suited": 6, "high": 5, "straight": 5, "came": 5}


class SituationTable:
    """The rows of a game's situations: of features of the betting, then of those of the board.

    Parameters
    ----------
    features : tuple of Binned
        `SITUATION` or `SIZED_SITUATION`.

    Attributes
    ----------
    size : int
        Rows in all.
    firsts : ndarray of int16, shape (features,)
        The first row of each feature, of the betting and then of the board.
    """

    def __init__(self, features: tuple[Binned, ...]) -> None:
        self.features = features
        sizes = (*(feature.size for feature in features), *(2 * size for size in BOARD.values()))
        self.size = sum(sizes)
        self._sized = features == SIZED_SITUATION
        self.firsts = np.array(tuple(accumulate((0, *sizes[:-1]))), dtype=np.int16)
        self._known = lru_cache(maxsize=1 << 13)(self._find)  # situations recur before the flop

    def __reduce__(self) -> tuple[Any, ...]:
        return SituationTable, (self.features,)

    def rows(self, features: Features, board: BoardFeatures) -> SituationRows:
        """The rows of a situation. Do not change them: they are the same for everybody."""
        return self._known(features, board)

    def _find(self, features: Features, board: BoardFeatures) -> SituationRows:
        rows, basis, factors = self.arrays([features], [board])
        return SituationRows(rows[0].tolist(), basis[0].tolist(), factors[0].tolist())

    def arrays(self, features: Sequence[Features], boards: Sequence[BoardFeatures]) -> tuple[Rows, Rows, Rows]:
        """The rows of n situations.

        Returns
        -------
        rows : ndarray of int16, shape (n, features)
        basis, factors : ndarray of int16, shape (n, 5) and (n, 4)
            As `SituationRows` has them.
        """
        n = len(features)
        rows, basis = np.empty((n, len(self.firsts)), dtype=np.int16), np.empty((n, kernels.PLACE), dtype=np.int16)
        factors = np.empty((n, len(FACTOR_FIRST)), dtype=np.int16)
        kernels.rows(self._sized, features, boards, self.firsts, rows, basis, factors)
        factors += FACTOR_FIRST
        return rows, basis, factors


#: What levels of populations and effects of players go by besides the likelihood's own units: a cell of each feature,
#: numbered through, first those before the flop and then those after it.
BASIS: tuple[tuple[Binned, ...], tuple[Binned, ...]] = (
    (
        Binned("facing", 2),
        Binned("bets", 3),
        Binned("facing, previous act", 12),
    ),
    (
        Binned("facing", 2),
        Binned("round, bets", 9),
        Binned("facing, previous act", 12),
    ),
)
_BASIS_CELLS = tuple(sum(feature.size for feature in side) for side in BASIS)
if (_BASIS_CELLS, kernels.REPLIES) != (CELLS, REPLIES):
    raise ImportError(f"the kernels have {CELLS} cells, the basis {_BASIS_CELLS}")

#: Contexts of the factors of populations and players, numbered through: see `cells`.
FACTOR_FIRST = np.array((0, 72, 252, 612), dtype=np.int16)
FACTOR_CELLS = 996


class SituationRows(NamedTuple):
    """A situation as a likelihood takes it.

    Attributes
    ----------
    rows : list of int
        Rows of its features.
    basis : list of int
        0 before the flop or 1 after it, the cells of effects, and the row of replies, 0 where no limp is faced.
    factors : list of int
        Cells of factors.
    """

    rows: list[int]
    basis: list[int]
    factors: list[int]


LIMIT_TABLE, SIZED_TABLE = SituationTable(SITUATION), SituationTable(SIZED_SITUATION)


def situation_table(structure: BettingStructure) -> SituationTable:
    """The rows of a structure's situations."""
    return LIMIT_TABLE if structure.fixed else SIZED_TABLE
