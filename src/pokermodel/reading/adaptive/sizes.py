"""How much people bet and raise, where the betting structure leaves it to them.

A size is by how much a bet or raise exceeds what there is to call, by the pot after that call. On a logarithmic scale
it lies in one of 36 cells; the least and the most that one may raise to are cells of their own, since people choose
them as such. What everybody does is a multinomial logistic model of the features of the situation, which the prior has.
What a population did is counted on top by context, the belief before being the beginning of the next:

    P(cell) = (n(cell) + S P'(cell)) / (n + S).

A player's habits are factors, one after the other in four divisions of the situations: with n raises of theirs, what
was chosen by what was expected, n(cell)/e(cell), counts as n observations beside S of a factor of 1.

Counts are shared with the cells beside them. A size says something of the holding by how large it is for this player:
absolute sizes say next to nothing of the cards of strangers.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._support.arrays import Floats, Integers
from pokermodel.game import Situation
from pokermodel.reading.features import Features, order

__all__ = [
    "CLASS_OF",
    "QUARTERS",
    "SIZE_CELLS",
    "SIZE_CLASSES",
    "SIZE_CONTEXTS",
    "SIZE_HABITS",
    "STRENGTHS",
    "Size",
    "SizePrior",
    "SizeRange",
    "by_habits",
    "quarter",
    "shared",
    "size_cell",
    "size_class",
    "size_context",
    "size_habits",
    "size_middles",
    "size_range",
    "size_room",
]

_INNER = 36
_BORDERS: list[float] = np.geomspace(0.08, 12, _INNER + 1).tolist()[1:-1]
#: The least, cells by size, the most.
SIZE_CELLS = _INNER + 2
_LEAST, _MOST = 0, SIZE_CELLS - 1
#: Sizes as `score` tells them apart: each cell is of one class.
SIZE_CLASSES = ("the least", "below .4", ".4 to .6", ".6 to .85", ".85 to 1.25", "above 1.25", "the most")
_CENTRES = np.geomspace(0.08, 12, 2 * _INNER + 1)[1::2]
CLASS_OF: Integers = np.array(
    [0, *(1 + bisect((0.4, 0.6, 0.85, 1.25), centre) for centre in _CENTRES), len(SIZE_CLASSES) - 1]
)
_RATIOS = (1.5, 5)
#: Round, first bet or raise or further raise, and the stack by the pot: below 1.5, below 5, more or not known.
SIZE_CONTEXTS = 4 * 3 * 3
_LEVELS = (2.01, 2.6, 3.1, 4.5, 8, 15, 30)
_POTS = (4, 6, 9, 14, 22, 35, 60)  # big blinds
# the divisions of situations that habits go by, numbered through: before or after the flop, first or further; position,
# or who acts before and after; what it takes to stay, or the pot; callers, or players and who led
_HABITS = (0, 4, 46, 118)
#: Cells of habits in all.
SIZE_HABITS = 166
QUARTERS = 4
_HABIT_STRENGTH = 10.0  # observations that a factor of 1 is worth
_LEAST_TOLD = 0.1  # so that no factor is without end
STRENGTHS = 16  # bins of hand strength: those of the features of holdings


class SizeRange(NamedTuple):
    """Which cells a situation leaves room for.

    Attributes
    ----------
    low, high : int
        The first and the last of the inner cells; none if `low` is greater.
    least, most : bool
        Whether the least and the most are choices. The most is none where the stack is not known.
    """

    low: int
    high: int
    least: bool
    most: bool

    def mask(self) -> Floats:
        """1 for cells that there is room for, else 0: float64 (38,)."""
        found = np.zeros(SIZE_CELLS)
        found[self.low : self.high + 1] = 1.0
        found[_LEAST], found[_MOST] = self.least, self.most
        return found


class Size(NamedTuple):
    """A bet or raise, as beliefs about sizes take it.

    Attributes
    ----------
    act : int
        Its place among the acts of the player.
    context : int
    range : SizeRange
    cell : int
        What was chosen.
    habits : tuple of int
        As `size_habits`.
    """

    act: int
    context: int
    range: SizeRange
    cell: int
    habits: tuple[int, ...]


def _inner(situation: Situation, to: int) -> int:
    """The inner cell of a bet or raise to an amount of this round."""
    stay = situation.in_round + situation.to_call
    return 1 + bisect(_BORDERS, (to - stay) / (situation.pot + situation.to_call))


def size_range(situation: Situation) -> SizeRange:
    """The cells that a situation leaves room for; `ValueError` if it has no raise."""
    if situation.raise_range is None:
        raise ValueError("the situation has no raise")
    least, most = situation.raise_range
    if most is None:
        return SizeRange(_inner(situation, least), _INNER, True, False)
    if most <= least:
        return SizeRange(1, 0, False, True)
    low, high = _inner(situation, least + 1), _inner(situation, most - 1)
    return SizeRange(low, high if most - least > 1 else low - 1, True, True)


def size_room(situation: Situation) -> NDArray[np.bool_]:
    """Which of `SIZE_CLASSES` a situation leaves room for: bool (7,); `ValueError` if it has no raise."""
    room: NDArray[np.bool_] = np.bincount(CLASS_OF, size_range(situation).mask(), len(SIZE_CLASSES)) > 0
    return room


def size_class(situation: Situation, to: int) -> int:
    """The place among `SIZE_CLASSES` of a bet or raise to an amount of this round."""
    return int(CLASS_OF[size_cell(situation, to)])


def size_cell(situation: Situation, to: int) -> int:
    """The cell of a bet or raise to an amount of this round."""
    assert situation.raise_range is not None
    least, most = situation.raise_range
    if most is not None and to >= most:
        return _MOST
    return _LEAST if to <= least else _inner(situation, to)


def size_context(features: Features) -> int:
    """The context of a bet or raise: 0 to 35."""
    further = min(max(features.num_bets - (not features.round), 0), 2)
    ratio = 2
    if features.depth >= 0:
        ratio = bisect(_RATIOS, (features.depth - features.share) / (features.pot + features.share))
    return (features.round * 3 + further) * 3 + ratio


def size_habits(features: Features) -> tuple[int, int, int, int]:
    """The cells of a player's habits that a bet or raise counts for."""
    street = features.round
    further = min(max(features.num_bets - (not street), 0), 2)
    if street:
        again, later = min(further, 1), street - 1
        place = 24 + 6 * later + 3 * again + order(features)
        price = 24 + 16 * later + 8 * again + bisect(_POTS, features.pot)
        company = 12 + 12 * later + 6 * again + 2 * min(features.players - 2, 2) + (features.aggressor == 1)
    else:
        place = 8 * further + min(features.position, 7)
        price = 8 * further + bisect(_LEVELS, features.level)
        company = 4 * min(features.callers, 2) + further
    group = 2 * (street > 0) + (further > 0)
    return _HABITS[0] + group, _HABITS[1] + place, _HABITS[2] + price, _HABITS[3] + company


def size_middles() -> list[float]:
    """The middle of each cell, by the pot after a call; the least and the most, which are no sizes, have any."""
    return [float(_CENTRES[0]), *_CENTRES.tolist(), float(_CENTRES[-1])]


def shared(counts: Floats) -> Floats:
    """Counts, a part of each given to the cells beside it: float64 (..., 38)."""
    found = counts.copy()
    inner, gets = counts[..., 1:-1], found[..., 1:-1]
    gets[...] = 0.6 * inner
    gets[..., 1:] += 0.2 * inner[..., :-1]
    gets[..., :-1] += 0.2 * inner[..., 1:]
    gets[..., 0] += 0.2 * inner[..., 0]
    gets[..., -1] += 0.2 * inner[..., -1]
    return found


def by_habits(forecast: Floats, told: Iterable[NDArray[np.float32]], cell: int = -1) -> None:
    """Overwrite the forecast of a population by that of a player who has habits.

    Parameters
    ----------
    forecast : ndarray of float64, shape (38,)
    told : iterable of ndarray of float32, shape (2, 38)
        What was chosen, and what was expected, one habit after the other.
    cell : int
        What was chosen now, which is counted with each habit before it is gone by, against what those before it
        expect; -1 for nothing.
    """
    kernels.habits(forecast, told, _LEAST_TOLD, _HABIT_STRENGTH, cell)


def quarter(forecast: Floats, cell: int) -> int:
    """In which quarter of what was to be expected a size lies: 0 small to 3 large."""
    below = float(forecast[:cell].sum()) + float(forecast[cell]) / 2
    return min(int(QUARTERS * below), QUARTERS - 1)


class SizePrior:
    """What is known of sizes before anybody is met.

    Parameters
    ----------
    weights : array_like, shape (rows + 1, 38)
        Added up for the rows of a situation, and the last one for all, they give the logit of each cell.
    tilts : array_like, shape (4, 2, 4, 16)
        What a size says of the holding: by round, first or further bet, quarter of the player's sizes and bin of hand
        strength, the logarithm of how much likelier it is than for all holdings.

    Raises
    ------
    ValueError
        If an array has another shape, or is not finite.
    """

    def __init__(self, weights: Any, tilts: Any) -> None:
        self.weights: NDArray[np.float32] = np.array(weights, dtype=np.float16).astype(np.float32)  # as files have it
        self.tilts: NDArray[np.float32] = np.array(tilts, dtype=np.float32)
        for name, each, shape in (
            ("weights", self.weights, (len(self.weights), SIZE_CELLS)),
            ("tilts", self.tilts, (4, 2, QUARTERS, STRENGTHS)),
        ):
            if each.shape != shape:
                raise ValueError(f"{name} of sizes have shape {shape}, got {each.shape}")
            if not np.isfinite(each).all():
                raise ValueError(f"{name} of sizes must be finite")

    def forecast(self, rows: Sequence[int] | NDArray[np.int16], room: SizeRange) -> Floats:
        """The probability of each cell, of everybody.

        Parameters
        ----------
        rows : sequence of int
            Of the situation.
        room : SizeRange

        Returns
        -------
        ndarray of float64, shape (38,)
        """
        return self.of_population(rows, room, None, 0.0)

    def of_population(
        self, rows: Sequence[int] | NDArray[np.int16], room: SizeRange, counts: Floats | None, strength: float
    ) -> Floats:
        """The probability of each cell, of a population.

        Parameters
        ----------
        rows, room
            As of `forecast`.
        counts : ndarray of float64, shape (38,), or None
            What the population chose in such a context.
        strength : float
            Observations that everybody's sizes are worth beside it.
        """
        return kernels.population(self.weights, np.asarray(rows, dtype=np.int16), room, counts, strength)

    def tilt(self, context: int, of_quarter: int) -> Floats:
        """What a size says of each bin of hand strength, as factors: float64 (16,)."""
        factors: Floats = self.tilts_of(context)[of_quarter]
        return factors

    def tilts_of(self, context: int) -> Floats:
        """What sizes of each quarter say of each bin of hand strength, as factors: float64 (4, 16)."""
        street, further = divmod(context // 3, 3)
        factors: Floats = np.exp(self.tilts[street, min(further, 1)].astype(np.float64))
        return factors
