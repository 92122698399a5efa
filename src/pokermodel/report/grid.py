"""The content of a 13 x 13 map of a weight table, for any surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel._support.words import counted
from pokermodel.analysis.range import class_changes, class_sums
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, CardsLike, class_index, holding_index
from pokermodel.report.palette import CHANGE_ON_DARK, CHANGE_ON_LIGHT, WEIGHT_ON_DARK, WEIGHT_ON_LIGHT, Ramp
from pokermodel.weights import WeightTable

__all__ = [
    "STRONGEST_BITS",
    "Cell",
    "ClassMap",
    "chance_grid",
    "change_grid",
    "count_grid",
    "weight_grid",
]

#: A change by this many bits, a factor of eight, has the strongest colour.
STRONGEST_BITS = 3.0


@dataclass(frozen=True, slots=True)
class Cell:
    """One class of holdings."""

    name: str  #: The class, as ``"AKs"``.
    level: float | None  #: Place on the colour ramp, 0..1; None where the class has no live holding.
    number: str  #: The value in at most three characters.
    sign: str  #: The value in one character.
    title: str  #: The value in words.
    marked: bool  #: Whether the reader's attention is asked for.


@dataclass(frozen=True, slots=True)
class ClassMap:
    """A map: 169 cells, row by row, and how to read it."""

    cells: tuple[Cell, ...]  #: By class index.
    #: `on_dark`, `on_light`: colours for a dark and for a light surface.
    on_dark: Ramp
    on_light: Ramp
    #: `low`, `high`, `unit`: what the ends of the ramp and the colours between them mean.
    low: str
    high: str
    unit: str
    #: `key`, `short_key`: what the numbers and what the signs mean.
    key: str
    short_key: str


def _marked_class(mark: CardsLike | None) -> int | None:
    """Class of a class text or a holding."""
    if mark is None:
        return None
    if isinstance(mark, str) and len(mark.replace("10", "T")) < 4:
        return class_index(mark)
    return int(CLASS_OF_HOLDING[holding_index(mark)])


def weight_grid(table: WeightTable, *, scale: float | None = None, mark: CardsLike | None = None) -> ClassMap:
    """Map the mean weight of every class.

    Parameters
    ----------
    scale : float, optional
        The weight with the strongest colour, to compare maps; by default the largest mean weight.
    mark : str or cards, optional
        A class or a holding to point at.

    Raises
    ------
    ValueError
        If the scale is not a finite number above 0, or the mark is neither class nor holding.
    """
    means = table.grid().ravel()
    counts = table.grid_combos().ravel().tolist()
    if scale is None:
        scale = float(np.nanmax(means)) if any(counts) else 0.0
    elif not 0.0 < scale < float("inf"):
        raise ValueError(f"the scale is {scale}: expected a finite weight above 0")
    chances = class_sums(table.shares) if table.values.any() else np.zeros(N_CLASSES)
    marked = _marked_class(mark)
    cells = []
    for index, (mean, count) in enumerate(zip(means.tolist(), counts, strict=True)):
        if count == 0:
            level, number, sign = None, "-", " "
            title = f"{CLASSES[index]}: no live holding"
        else:
            level = min(1.0, mean / scale) if scale else 0.0
            number, sign = (f"{100 * level:.0f}", f"{min(9, int(10 * level))}") if mean else (".", ".")
            chance = f"probability {100 * chances[index]:.2g}%"
            title = f"{CLASSES[index]}: weight {mean:.3g}, {counted(count, 'holding')}, {chance}"
        cells.append(Cell(CLASSES[index], level, number, sign, title, index == marked))
    return ClassMap(
        tuple(cells),
        WEIGHT_ON_DARK,
        WEIGHT_ON_LIGHT,
        low="0",
        high=f"{scale:.3g}",
        unit="mean weight",
        key=f"100 = mean weight {scale:.3g}, . = 0, - = no live holding",
        short_key=f"tenths of {scale:.3g}, . = 0",
    )


def count_grid(counts: Integers) -> ClassMap:
    """Map how often every class was shown, as counts: int64, shape (169,); from 1,000 on in thousands, as ``"12k"``."""
    most = int(counts.max())
    cells = []
    for name, count in zip(CLASSES, counts.tolist(), strict=True):
        number = "." if not count else str(count) if count < 1000 else f"{min(count // 1000, 99)}k"
        sign = number if count < 10 else "+"
        title = f"{name}: shown {count:,} time{'' if count == 1 else 's'}"
        cells.append(Cell(name, count / most if most else 0.0, number, sign, title, False))
    return ClassMap(
        tuple(cells),
        WEIGHT_ON_DARK,
        WEIGHT_ON_LIGHT,
        low="0",
        high=f"{most:,}",
        unit="times shown",
        key="number = times shown, . = never",
        short_key="times shown, + = more than 9",
    )


def chance_grid(chances: Floats, act: str) -> ClassMap:
    """Map how often something is done with every class, in per cent.

    Parameters
    ----------
    chances : ndarray of float64, shape (169,)
        Chances by class, 0 to 1.
    act : str
        The action, as ``"raises"``.
    """
    cells = []
    for name, chance in zip(CLASSES, chances.tolist(), strict=True):
        per_cent = f"{100 * chance:.0f}"
        number = "." if per_cent == "0" else per_cent
        sign = "." if per_cent == "0" else f"{min(9, int(10 * chance))}"
        cells.append(Cell(name, min(chance, 1.0), number, sign, f"{name}: {act} {chance:.1%}", False))
    return ClassMap(
        tuple(cells),
        WEIGHT_ON_DARK,
        WEIGHT_ON_LIGHT,
        low="0%",
        high="100%",
        unit=act,
        key=f"number = {act} so many times in 100, . = less than 0.5",
        short_key=f"{act} so many times in 10",
    )


def change_grid(table: WeightTable, previous: WeightTable, *, mark: CardsLike | None = None) -> ClassMap:
    """Map how much more or less probable a holding of every class has become since the previous table.

    The change is the binary logarithm of the mean probability of the live holdings of a class now over that before, so
    that scale and card removal do not matter. A class or holding to point at may be marked.

    Raises
    ------
    ValueError
        If a table has no positive weight, or the mark is neither class nor holding.
    """
    counts = table.grid_combos().ravel()
    bits = class_changes(table, previous)
    marked = _marked_class(mark)
    cells = []
    for index, (change, count) in enumerate(zip(bits.tolist(), counts.tolist(), strict=True)):
        name = CLASSES[index]
        if count == 0:
            cells.append(Cell(name, None, "-", " ", f"{name}: no live holding", index == marked))
            continue
        level = float(np.clip(0.5 + 0.5 * change / STRONGEST_BITS, 0.0, 1.0))
        tenths = round(10 * max(-9.9, min(9.9, change)))
        sign = "+" if tenths > 0 else "-" if tenths < 0 else "."
        if change == float("inf"):
            number, words = "new", "possible now, impossible before"
        elif change == -float("inf"):
            number, words = "out", "impossible now, possible before"
        else:
            number = f"{tenths:+d}" if tenths else "."
            words = f"a holding is {2.0**change:.3g} times as probable as before"
        cells.append(Cell(name, level, number, sign, f"{name}: {words}", index == marked))
    return ClassMap(
        tuple(cells),
        CHANGE_ON_DARK,
        CHANGE_ON_LIGHT,
        low=f"1/{2**STRONGEST_BITS:.0f}",
        high=f"x{2**STRONGEST_BITS:.0f}",
        unit="as probable as before",
        key="+10 = twice, -10 = half as probable as before",
        short_key="+ more, - less probable",
    )
