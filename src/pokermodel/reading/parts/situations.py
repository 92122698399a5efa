"""A situation as rows of the tables of a likelihood: binned features of what the table sees.

Where a model adds up weights, one for each value of each feature, features that matter together are crossed. The bins
are ours.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from pokermodel._core.likelihood import CELLS
from pokermodel.game import BettingStructure
from pokermodel.reading.features import Feature, Features, order
from pokermodel.reading.parts.observed_hands import cells

__all__ = [
    "BASIS",
    "BOARD",
    "FACTOR_CELLS",
    "LIMIT_TABLE",
    "SITUATION",
    "SIZED_SITUATION",
    "SIZED_TABLE",
    "BoardFeatures",
    "SituationRows",
    "SituationTable",
    "board_features",
    "situation_table",
]

_ODDS = (0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.24, 0.3, 0.36)
_POT = (2, 3, 4, 5, 6, 8, 10, 14)
_SHARES = (1, 1 + 1e-9, 2, 2 + 1e-9)


# where bets have sizes: half a pot to call is odds of .25, a pot a third
_SIZED_ODDS = (0.05, 0.1, 0.14, 0.18, 0.21, 0.24, 0.265, 0.29, 0.31, 0.33, 0.35, 0.38, 0.41, 0.45)
_SIZED_POT = (2, 3, 4, 6, 9, 14, 22, 35, 60, 100)  # big blinds
_LEVELS = (1.01, 2.01, 2.3, 2.6, 3.1, 3.6, 4.5, 6, 8, 11, 15, 20, 30, 50, 100)
_DEPTHS = (5, 10, 15, 20, 30, 45, 70, 95, 130, 250)
_RATIOS = (0.3, 0.6, 1, 1.5, 2.5, 4, 6, 9, 14, 25)
_PARTS = (0.05, 0.1, 0.2, 0.33, 0.5, 0.75)


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


def _odds(f: Features) -> int:
    """Pot odds where bets have sizes; 0 with nothing to call."""
    return bisect(_SIZED_ODDS, f.odds) + 1 if f.odds else 0


def _sized_price(f: Features) -> int:
    """Pot odds; with nothing to call the size of the pot."""
    found = len(_SIZED_POT) + _odds(f) if f.odds else bisect(_SIZED_POT, f.pot)
    return 2 * found + _post(f)


def _depth(f: Features) -> int:
    return 0 if f.depth < 0 else 1 + bisect(_DEPTHS, f.depth)


def _ratio(f: Features) -> int:
    """The effective stack by the pot, both after a call: 0 not known, 1 nothing is left."""
    if f.depth < 0:
        return 0
    left = f.depth - f.share
    return 2 + bisect(_RATIOS, left / (f.pot + f.share)) if left > 1e-9 else 1


def _commitment(f: Features) -> int:
    """The share of the effective stack that a call takes: 0 not known, 1 none."""
    if f.depth < 0:
        return 0
    return 2 + bisect(_PARTS, f.share / f.depth) if f.share and f.depth else 1


_ROUND_BETS = Feature("round, bets", 12, lambda f: 3 * f.round + f.bets)
_PREVIOUS = Feature("bets, previous act", 36, lambda f: ((f.bets * 3 + f.previous) * 2 + f.faced) * 2 + _post(f))
_WHO_LED = (
    Feature("round, aggressor", 12, lambda f: 3 * f.round + f.aggressor),
    Feature("leader, facing", 12, lambda f: (_post(f) * 3 + f.leader) * 2 + _facing(f)),
)
_BETS_MADE = (
    Feature("players", 16, lambda f: 2 * _players(f, 9) + _post(f)),
    Feature("bets made", 12, lambda f: 2 * min(f.num_bets, 5) + _post(f)),
)
_SINCE = (
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
#: The features of a situation that weights are added up for, in limit.
SITUATION: tuple[Feature, ...] = (
    _ROUND_BETS,
    _PREVIOUS,
    *_WHO_LED,
    *_BETS_MADE,
    Feature("price", 30, _price),
    Feature("to call", 6, lambda f: bisect(_SHARES, f.share) + 1 if f.share else 0),
    *_SINCE,
)
#: The same where bets have sizes.
SIZED_SITUATION: tuple[Feature, ...] = (
    _ROUND_BETS,
    _PREVIOUS,
    *_WHO_LED,
    *_BETS_MADE,
    Feature("price", 2 * (len(_SIZED_POT) + len(_SIZED_ODDS) + 2), _sized_price),
    Feature("level", 2 * (len(_LEVELS) + 1), lambda f: 2 * bisect(_LEVELS, f.level) + _post(f)),
    Feature("depth", 4 * (len(_DEPTHS) + 2), lambda f: 4 * _depth(f) + 2 * _facing(f) + _post(f)),
    Feature("stack to pot", 4 * (len(_RATIOS) + 3), lambda f: 4 * _ratio(f) + 2 * _facing(f) + _post(f)),
    Feature("commitment", 2 * (len(_PARTS) + 3), lambda f: 2 * _commitment(f) + _post(f)),
    Feature(
        "position before the flop, raises",
        41,
        lambda f: 0 if f.round else 1 + 4 * min(f.position, 9) + min(f.num_bets, 4) - 1 if f.num_bets else 0,
    ),
    Feature("round, price", 4 * (len(_SIZED_ODDS) + 2), lambda f: f.round * (len(_SIZED_ODDS) + 2) + _odds(f)),
    *_SINCE,
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


class SituationTable:
    """The rows of a game's situations: of features of the betting, then of those of the board.

    Parameters
    ----------
    features : tuple of Feature

    Attributes
    ----------
    features : tuple of Feature
    size : int
        Rows in all.
    """

    def __init__(self, features: tuple[Feature, ...]) -> None:
        self.features = features
        sizes = (*(feature.size for feature in features), *(2 * size for size in BOARD.values()))
        firsts = tuple(accumulate((0, *sizes[:-1])))
        self.size = sum(sizes)
        self._of = tuple(zip(firsts, (feature.of for feature in features), strict=False))
        self._board = firsts[len(features) :]
        self._betting_rows = lru_cache(maxsize=1 << 15)(self._find_rows)  # situations recur before the flop
        self._board_rows = lru_cache(maxsize=1 << 13)(self._find_board_rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return SituationTable, (self.features,)

    def rows(self, features: Features, board: BoardFeatures) -> SituationRows:
        """The rows of a situation."""
        rows, basis, factors = self._betting_rows(features)
        return SituationRows(rows + self._board_rows(board, features.bets > 0), basis, factors)

    def _find_rows(self, features: Features) -> tuple[list[int], list[int], list[int]]:
        """The rows of what the betting says."""
        rows = [first + of(features) for first, of in self._of]
        side = _post(features)
        basis = [
            side,
            *(first + feature.of(features) for first, feature in zip(_BASIS_FIRST[side], BASIS[side], strict=True)),
        ]
        found = cells(features)
        return rows, basis, [first + cell for first, cell in zip(_FACTOR_FIRST, found[1:], strict=True)]

    def _find_board_rows(self, board: BoardFeatures, facing: bool) -> list[int]:
        return [first + 2 * value + facing for first, value in zip(self._board, board, strict=True)]


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


LIMIT_TABLE, SIZED_TABLE = SituationTable(SITUATION), SituationTable(SIZED_SITUATION)


def situation_table(structure: BettingStructure) -> SituationTable:
    """The rows of a structure's situations."""
    return LIMIT_TABLE if structure.fixed else SIZED_TABLE
