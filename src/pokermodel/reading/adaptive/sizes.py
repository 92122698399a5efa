"""How much people bet and raise, where the betting structure leaves it to them.

A size is by how much a bet or raise exceeds what there is to call, by the pot after that call. On a logarithmic scale
it lies in one of 36 cells; the least and the most that one may raise to are cells of their own, since people choose
them as such. What everybody does is a network of one hidden layer over the features of the situation, the room that
there is, and what habits go by, which the prior has.

What a population and a player did is counted in seven divisions of the situations, coarse and fine. Each count says by
how much a forecast changes to which it is added as so many observations more; how much of that is believed, depending
on how much was seen, the prior has learnt:

    log P(cell) = log P'(cell) + sum of w(n) log((n(cell) + S P'(cell)) / ((n + S) P'(cell))).

So everybody's forecast becomes a population's, and this a player's. Two divisions also compare the chosen sizes with
the expected ones, so that one situation teaches something about another, even in another room. Learnt weights mix fine
and coarse counts better than factors one after the other, or than a chain in which each count is the prior of the next.

Counts are shared with the cells beside them, which blurs the sizes of players who repeat theirs. So a player's forecast
is taken to a power that is learnt, for each group of situations. A size says something of the holding by how large it
is for this player: absolute sizes say next to nothing of the cards of strangers.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._support.arrays import Floats, Integers
from pokermodel.game import Situation
from pokermodel.reading.features import Features

__all__ = [
    "CLASS_ENDS",
    "CLASS_OF",
    "QUARTERS",
    "SIZE_BORDERS",
    "SIZE_CELLS",
    "SIZE_CLASSES",
    "SIZE_CONTEXTS",
    "SIZE_HABITS",
    "SIZE_INPUTS",
    "SIZE_PLACES",
    "STRENGTHS",
    "Size",
    "SizeCounts",
    "SizePrior",
    "SizeRange",
    "SizesTold",
    "quarter",
    "share_below",
    "size_cell",
    "size_class",
    "size_context",
    "size_habits",
    "size_middles",
    "size_places",
    "size_range",
    "size_room",
]

_INNER = 36
#: Between inner cells, by the pot after a call: float64 (35,).
SIZE_BORDERS: Floats = np.geomspace(0.08, 12, _INNER + 1)[1:-1].copy()
_BORDERS: list[float] = SIZE_BORDERS.tolist()
#: The least, cells by size, the most.
SIZE_CELLS = _INNER + 2
_LEAST, _MOST = 0, SIZE_CELLS - 1
#: Sizes as `score` tells them apart: each cell is of one class.
SIZE_CLASSES = ("the least", "below .4", ".4 to .6", ".6 to .85", ".85 to 1.25", "above 1.25", "the most")
#: Where classes between the least and the most end, but for the last one, by the pot after a call.
CLASS_ENDS = (0.4, 0.6, 0.85, 1.25)
_CENTRES = np.geomspace(0.08, 12, 2 * _INNER + 1)[1::2]
CLASS_OF: Integers = np.array([0, *(1 + bisect(CLASS_ENDS, centre) for centre in _CENTRES), len(SIZE_CLASSES) - 1])
#: Round, first bet or raise or further raise, and the stack by the pot: below 1.5, below 5, more or not known.
SIZE_CONTEXTS = kernels.CONTEXTS
#: Cells of habits in all.
SIZE_HABITS = kernels.HABITS
#: Inputs of the network past the rows of a situation: the first and the last cell of the room, habits, and one for all.
SIZE_INPUTS = 2 * SIZE_CELLS + SIZE_HABITS + 1
QUARTERS = kernels.QUARTERS
#: Places in the divisions that sizes are counted in, numbered through: groups of habits; contexts; position and price;
#: context and the least; position and company; price and company; position, price and the least.
SIZE_PLACES = kernels.PLACES
STRENGTHS = kernels.STRENGTHS  # bins of hand strength: those of the features of holdings

_CLASS_BYTES = CLASS_OF.astype(np.uint8)


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
        The chosen size.
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
    stay = situation.in_round + situation.to_call
    return SizeRange(*kernels.room(SIZE_BORDERS, least, most, stay, situation.pot + situation.to_call))


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
    return kernels.context(features)


def size_habits(features: Features) -> tuple[int, int, int, int]:
    """The cells of a player's habits that a bet or raise counts for."""
    return kernels.habits(features)


def size_middles() -> list[float]:
    """The middle of each cell, by the pot after a call; the least and the most, which are no sizes, have any."""
    return [float(_CENTRES[0]), *_CENTRES.tolist(), float(_CENTRES[-1])]


def size_places(context: int, low: int, habits: Sequence[int]) -> tuple[int, ...]:
    """The place of a bet or raise in each division. `low` is the first inner cell that there is room for."""
    return kernels.places(context, low, habits)


#: What was counted in some places, as kernels take it: counts, expectations, and the rows of the places in them.
SizesTold: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32], Sequence[int]]


class SizeCounts:
    """The choices of populations, or players, and in the first divisions the expected ones.

    Each is known by a number.
    """

    def __init__(self) -> None:
        self._rows = kernels.KeyRows(), kernels.KeyRows()  # of counts and of expectations, by key
        self._tables = [np.zeros((16, SIZE_CELLS), np.float32), np.zeros((16, kernels.EXPECTED), np.float32)]

    def told(self, number: int, places: Sequence[int]) -> SizesTold:
        """Counts, expectations, and the rows of places among them, as the kernels take them."""
        first = number * SIZE_PLACES
        chosen, expected = self._rows
        rows = chosen.find_all(first, places) + expected.find_all(first, places[: kernels.COMPARED])
        return self._tables[0], self._tables[1], rows

    def kept(self, number: int, places: Sequence[int]) -> SizesTold:
        """Copy the counts, so that later ones are not in them."""
        chosen, expected = self._tables
        return kernels.keep(chosen, expected, *self._rows, number * SIZE_PLACES, places)

    def add(self, number: int, places: Sequence[int], cell: int, forecast: Floats) -> None:
        """Count what was chosen in places, and what everybody was expected to choose."""
        first = number * SIZE_PLACES
        chosen, expected = self._rows
        rows = chosen.add_all(first, places) + expected.add_all(first, places[: kernels.COMPARED])
        self._make_room()
        kernels.count(self._tables[0], self._tables[1], rows, cell, forecast)

    def learn_power(self, number: int, side: int, cell: int, forecast: Floats) -> None:
        """Learn how sure sizes are from one size and its forecast. `side` is the first of `size_habits`."""
        row = self._rows[1].find(number * SIZE_PLACES + side)
        kernels.learn_power(self._tables[1], row, cell, forecast, _CLASS_BYTES)

    def _row(self, kind: int, key: int) -> int:
        row: int = self._rows[kind].add(key)
        self._make_room()
        return row

    def _make_room(self) -> None:
        for kind, rows in enumerate(self._rows):
            while len(rows) > len(self._tables[kind]):
                self._tables[kind] = np.concatenate([self._tables[kind], np.zeros_like(self._tables[kind])])

    def merge(self, other: SizeCounts, numbers: Sequence[int]) -> None:
        """Add what others were seen to choose, whose numbers are these here."""
        for kind in range(2):
            for row, key in enumerate(other._rows[kind].keys().tolist()):
                number, place = divmod(key, SIZE_PLACES)
                at = self._row(kind, numbers[number] * SIZE_PLACES + place)
                self._tables[kind][at] += other._tables[kind][row]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        found: dict[str, NDArray[Any]] = {}
        for name, rows, table in zip(_KEPT, self._rows, self._tables, strict=True):
            found[f"{name}_keys"] = rows.keys()
            found[name] = table[: len(rows)].copy()
        return found

    @property
    def tables(self) -> tuple[tuple[kernels.KeyRows, NDArray[np.float32]], ...]:
        """Rows by key, a number times `SIZE_PLACES` plus a place, and the table: of counts, of expectations."""
        return tuple(zip(self._rows, self._tables, strict=True))

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> SizeCounts:
        """Read what `arrays` gave."""
        counts = cls()
        for kind, name in enumerate(_KEPT):
            for key, row in zip(arrays[f"{name}_keys"].tolist(), arrays[name], strict=True):
                at = counts._row(kind, key)
                counts._tables[kind][at] = row
        return counts


_KEPT = ("chosen", "expected")


def share_below(forecast: Floats, cell: int) -> float:
    """The share of the expected sizes that are smaller than a cell, its own counted half."""
    return float(forecast[:cell].sum()) + float(forecast[cell]) / 2


def quarter(below: float) -> int:
    """The quarter of the expected sizes, 0 small to 3 large, that a size with this `share_below` lies in."""
    return min(int(QUARTERS * below), QUARTERS - 1)


class SizePrior:
    """The knowledge of sizes before anybody is met.

    Parameters
    ----------
    weights, hidden, out, mixing : array_like
        As of `pokermodel._core.sizes.SizeNetwork`: what each input adds to the logits, float (inputs, 38), and to the
        hidden layer, (inputs, 32); what this adds to the logits, (32, 38); and what each term of counts is worth,
        (2, 4, 9, 6).
    tilts : array_like, shape (4, 2, 4, 16)
        What a size says of the holding: by round, first or further bet, quarter of the player's sizes and bin of hand
        strength, the logarithm of how much likelier it is than for all holdings.

    Raises
    ------
    ValueError
        If an array has another shape, or is not finite.
    """

    def __init__(self, weights: Any, hidden: Any, out: Any, mixing: Any, tilts: Any) -> None:
        # as files have them
        self.weights, self.hidden, self.out, self.mixing = (
            np.array(each, dtype=np.float16).astype(np.float32) for each in (weights, hidden, out, mixing)
        )
        self.tilts: NDArray[np.float32] = np.array(tilts, dtype=np.float32)
        if self.tilts.shape != (shape := (4, 2, QUARTERS, STRENGTHS)):
            raise ValueError(f"tilts of sizes have shape {shape}, got {self.tilts.shape}")
        for name, each in vars(self).items():
            if not np.isfinite(each).all():
                raise ValueError(f"{name} of sizes must be finite")
        #: What sizes say of holdings, as factors: float64 (4, 2, 4, 16).
        self.factors: Floats = np.exp(self.tilts.astype(np.float64))
        try:
            self.network = kernels.SizeNetwork(self.weights, self.hidden, self.out, self.mixing)
        except ValueError as error:
            raise ValueError(f"sizes: {error}") from None

    @property
    def rows(self) -> int:
        """How many rows situations have."""
        return len(self.weights) - SIZE_INPUTS

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.weights, self.hidden, self.out, self.mixing, self.tilts)

    def forecast(self, rows: Sequence[int] | NDArray[np.int16], room: SizeRange, habits: Sequence[int]) -> Floats:
        """The probability of each cell, of everybody, by the rows of a situation: float64 (38,)."""
        found: Floats = self.network.everybody(np.asarray(rows, dtype=np.int16), room, habits)
        return found

    def known(
        self,
        forecast: Floats,
        room: SizeRange,
        tier: int,
        side: int,
        told: tuple[NDArray[np.float32], NDArray[np.float32], Sequence[int]],
    ) -> Floats:
        """The probability of each cell, of a population (tier 0) or a player (1) with counts: float64 (38,).

        `forecast` is that of everybody, or of the player's population; `side` is the first of `size_habits`.
        """
        if max(told[2]) < 0:
            return forecast
        found: Floats = self.network.known(forecast, room, tier, side, *told)
        return found

    def tilt(self, context: int, of_quarter: int) -> Floats:
        """The evidence of a size on each bin of hand strength, as factors: float64 (16,)."""
        factors: Floats = self.tilts_of(context)[of_quarter]
        return factors

    def tilts_of(self, context: int) -> Floats:
        """The evidence of sizes of each quarter on each bin of hand strength, as factors: float64 (4, 16)."""
        street, further = divmod(context // 3, 3)
        factors: Floats = self.factors[street, min(further, 1)]
        return factors
