"""A situation as rows of the tables of a likelihood: binned features of what the table sees.

Where a model adds up weights, one for each value of each feature, features that matter together are crossed. The bins
are ours.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pokermodel._core.likelihood import CELLS
from pokermodel.reading.features import Feature, Features, order
from pokermodel.reading.parts.observed_hands import cells

__all__ = [
    "BASIS",
    "BOARD",
    "FACTOR_CELLS",
    "SITUATION",
    "SITUATION_ROWS",
    "BoardFeatures",
    "SituationRows",
    "board_features",
    "situation_rows",
]

_ODDS = (0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.24, 0.3, 0.36)
_POT = (2, 3, 4, 5, 6, 8, 10, 14)
_SHARES = (1, 1 + 1e-9, 2, 2 + 1e-9)


def _post(f: Features) -> int:
    return int(f.round > 0)


def _facing(f: Features) -> int:
    return int(f.bets > 0)


def _players(f: Features, most: int) -> int:
    return min(max(f.players, 2), most) - 2


def _price(f: Features) -> int:
    """Pot odds; with nothing to call the size of the pot."""
    if not f.odds:
        return bisect(_POT, f.pot)
    return 10 + bisect(_ODDS, f.odds) + (10 if f.round else 0)


#: The features of a situation that weights are added up for.
SITUATION: tuple[Feature, ...] = (
    Feature("round, bets", 12, lambda f: 3 * f.round + f.bets),
    Feature("bets, previous act", 36, lambda f: ((f.bets * 3 + f.previous) * 2 + f.faced) * 2 + _post(f)),
    Feature("round, aggressor", 12, lambda f: 3 * f.round + f.aggressor),
    Feature("leader, facing", 12, lambda f: (_post(f) * 3 + f.leader) * 2 + _facing(f)),
    Feature("players", 16, lambda f: 2 * _players(f, 9) + _post(f)),
    Feature("bets made", 12, lambda f: 2 * min(f.num_bets, 5) + _post(f)),
    Feature("price", 30, _price),
    Feature("to call", 6, lambda f: bisect(_SHARES, f.share) + 1 if f.share else 0),
    Feature("position", 20, lambda f: 2 * min(f.position, 9) + _post(f)),
    Feature("order, players", 9, lambda f: 3 * order(f) + _players(f, 4)),
    Feature("acts in the round", 8, lambda f: min(f.acted, 7)),
    Feature("bets put in", 4, lambda f: min(f.put_in, 3)),
    Feature("raises before the flop", 10, lambda f: 2 * min(f.preflop, 4) + _post(f)),
    Feature("bets in the round before", 16, lambda f: 4 * min(f.before, 3) + f.round),
    Feature("own raises", 12, lambda f: 3 * min(f.raised, 3) + min(f.raised_preflop, 2)),
    Feature("own calls in the round", 3, lambda f: min(f.called, 2)),
    Feature("last to raise, facing", 12, lambda f: (f.last * 2 + _facing(f)) * 2 + _post(f)),
    Feature("callers", 12, lambda f: 2 * min(f.callers, 5) + _post(f)),
    Feature("players dealt in", 9, lambda f: min(max(f.dealt, 2), 10) - 2),
    Feature("players all-in", 3, lambda f: min(f.all_in, 2)),
    Feature("raises made, bets", 15, lambda f: 3 * min(max(f.num_bets - (not f.round), 0), 4) + f.bets),
    Feature("players, callers", 36, lambda f: 6 * _players(f, 7) + 2 * min(f.callers, 2) + _facing(f)),
)


class BoardFeatures(NamedTuple):
    """What a board shows, 0 before the flop.

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
        What the turn or river brought: 1 neither of these, 2 an overcard, 3 a pair, 4 a third card of a suit or more.
    """

    pairs: int
    suited: int
    high: int
    straight: int
    came: int


def board_features(board: Sequence[int]) -> BoardFeatures:
    """The features of a board of up to five cards."""
    if not board:
        return BoardFeatures(0, 0, 0, 0, 0)
    ranks, suits = [card >> 2 for card in board], [card & 3 for card in board]
    present = frozenset(ranks)
    repeated = len(ranks) - len(present)
    came = 0
    if len(board) > 3:
        if suits.count(suits[-1]) >= 3:
            came = 4
        elif ranks.count(ranks[-1]) > 1:
            came = 3
        else:
            came = 2 if ranks[-1] > max(ranks[:-1]) else 1
    return BoardFeatures(
        pairs=1 + min(repeated, 2),
        suited=max(map(suits.count, suits)),
        high=1 + bisect((8, 10, 12), max(ranks)),
        straight=1 + min(max(_of_five_in_a_row(present) - 2, 0), 3),
        came=came,
    )


@lru_cache(maxsize=1 << 13)  # there are not more
def _of_five_in_a_row(ranks: frozenset[int]) -> int:
    """The most cards that a straight has among the ranks of a board."""
    placed = {rank + 1 for rank in ranks} | ({0} if 12 in ranks else set())  # an ace is at both ends
    return max(sum(low <= place < low + 5 for place in placed) for low in range(10))


#: Sizes of the features of the board. Each is crossed with whether there is a bet to call.
BOARD = {"pairs": 4, "suited": 6, "high": 5, "straight": 5, "came": 5}

_SIZES = (*(feature.size for feature in SITUATION), *(2 * size for size in BOARD.values()))
_FIRST = tuple(accumulate((0, *_SIZES[:-1])))
_FEATURES: tuple[tuple[int, Callable[[Features], int]], ...] = tuple(
    zip(_FIRST, (feature.of for feature in SITUATION), strict=False)
)
_BOARD_FIRST = _FIRST[len(SITUATION) :]
#: Rows that the features of a situation are numbered through.
SITUATION_ROWS = sum(_SIZES)

#: What levels of populations and effects of players go by besides the likelihood's own units: a cell of each feature,
#: numbered through, first those before the flop and then those after it.
BASIS: tuple[tuple[Feature, ...], tuple[Feature, ...]] = (
    (
        Feature("facing", 2, _facing),
        Feature("bets", 3, lambda f: f.bets),
        Feature("facing, previous act", 12, lambda f: 6 * _facing(f) + 2 * f.previous + f.faced),
    ),
    (
        Feature("facing", 2, _facing),
        Feature("round, bets", 9, lambda f: 3 * (f.round - 1) + f.bets),
        Feature("facing, previous act", 12, lambda f: 6 * _facing(f) + 2 * f.previous + f.faced),
    ),
)
_BASIS_CELLS = tuple(sum(feature.size for feature in side) for side in BASIS)
if _BASIS_CELLS != CELLS:
    raise ImportError(f"the kernels have {CELLS} cells, the basis {_BASIS_CELLS}")
_BASIS_FIRST = tuple(
    tuple(accumulate((start, *(feature.size for feature in side[:-1]))))
    for start, side in zip((0, CELLS[0]), BASIS, strict=True)
)

#: Contexts of the factors of populations and players, numbered through: see `cells`.
_FACTOR_FIRST = (0, 72, 252, 612)
FACTOR_CELLS = 996


class SituationRows(NamedTuple):
    """A situation as a likelihood takes it.

    Attributes
    ----------
    rows : list of int
        Rows of its features.
    basis : list of int
        0 before the flop or 1 after it, and the cells of effects.
    factors : list of int
        Cells of factors.
    """

    rows: list[int]
    basis: list[int]
    factors: list[int]


def situation_rows(features: Features, board: BoardFeatures) -> SituationRows:
    """The rows of a situation."""
    rows, basis, factors = _betting_rows(features)
    return SituationRows(rows + _board_rows(board, features.bets > 0), basis, factors)


@lru_cache(maxsize=1 << 13)
def _board_rows(board: BoardFeatures, facing: bool) -> list[int]:
    return [first + 2 * value + facing for first, value in zip(_BOARD_FIRST, board, strict=True)]


@lru_cache(maxsize=1 << 15)  # situations recur, above all before the flop
def _betting_rows(features: Features) -> tuple[list[int], list[int], list[int]]:
    """The rows of what the betting says."""
    rows = [first + of(features) for first, of in _FEATURES]
    side = _post(features)
    basis = [
        side,
        *(first + feature.of(features) for first, feature in zip(_BASIS_FIRST[side], BASIS[side], strict=True)),
    ]
    found = cells(features)
    return rows, basis, [first + cell for first, cell in zip(_FACTOR_FIRST, found[1:], strict=True)]
