"""A weight table as a heat map in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from pokermodel._support.forms import makes
from pokermodel.cards import RANKS, CardsLike
from pokermodel.report.grid import Cell, ClassMap, change_grid, weight_grid
from pokermodel.report.palette import WEIGHT_ON_DARK, Ramp, ansi_rgb, ink
from pokermodel.weights import WeightTable

__all__ = ["HeatMap", "WeightKey"]

_GRID_RANKS = RANKS[::-1]
_LABEL = 2  # columns of the row labels
_WIDE, _NARROW = 4, 2  # columns of a cell
_BAR = 16  # columns of the colour bar in the legend


@makes("rich", WeightTable)
class HeatMap:
    """The 13 x 13 grid of a weight table, to be printed by rich.

    With 256 colours or more, a cell shows its class and the colour its mean weight: the higher, the brighter and the
    bluer, from near black on. Without (a file, a simple terminal, ``NO_COLOR``), it shows a number: per cent of the
    largest mean weight, or tenths of a bit for a change. Suited classes are above the diagonal. The map takes 52
    columns, or 54 with row labels; where there is less room, 28 with one character a class. Raises `ValueError` if the
    scale is not a finite number above 0, the mark is neither class nor holding, or a change is asked for where a table
    has no positive weight.

    Parameters
    ----------
    table : WeightTable or ClassMap
        The weights; or a map of anything else, for which there is neither change, nor scale, nor mark.
    previous : WeightTable, optional
        Show the change against this table instead: blue is less probable, orange more.
    scale : float, optional
        The weight with the strongest colour, to compare maps; by default the largest mean weight.
    mark : str or cards, optional
        A class or a holding to point at.
    legend : bool
        Whether a line below the map says what it shows.
    """

    def __init__(
        self,
        table: WeightTable | ClassMap,
        *,
        previous: WeightTable | None = None,
        scale: float | None = None,
        mark: CardsLike | None = None,
        title: str | None = None,
        legend: bool = True,
    ) -> None:
        if isinstance(table, ClassMap):
            self.grid = table
        elif previous is None:
            self.grid = weight_grid(table, scale=scale, mark=mark)
        else:
            self.grid = change_grid(table, previous, mark=mark)
        self.title = title
        self.legend = legend

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        depth = _depth(console)
        colored = depth is not None
        wide = options.max_width >= _width(colored, wide=True)
        width = min(options.max_width, _width(colored, wide))
        if self.title is not None:
            yield _line(self.title, width, "bold")
        if not (colored and wide):
            columns = _WIDE if wide else _NARROW
            yield Segment(" " * _LABEL + "".join(rank.rjust(columns) for rank in _GRID_RANKS))
            yield Segment.line()
        for row, rank in enumerate(_GRID_RANKS):
            if not (colored and wide):
                yield Segment(rank.ljust(_LABEL))
            for cell in self.grid.cells[13 * row : 13 * row + 13]:
                yield self._colored(cell, wide, depth == "256") if colored else _plain(cell, wide)
            yield Segment.line()
        if self.legend:
            if colored:
                yield from self._bar(wide, depth == "256")
                yield Segment.line()
            else:
                yield _line(self.grid.key if wide else self.grid.short_key, width, "none")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        colored = _depth(console) is not None
        widest = _width(colored, wide=True)
        return Measurement(_width(colored, wide=False), widest).with_maximum(options.max_width)

    def _colored(self, cell: Cell, wide: bool, ansi: bool) -> Segment:
        pointer = ">" if cell.marked else " "
        text = f"{pointer}{cell.name:<3}" if wide else f"{pointer} "
        if cell.level is None:
            return Segment(text, Style(dim=True))
        return Segment(text, _style(self.grid.on_dark, cell.level, ansi, bold=cell.marked))

    def _bar(self, wide: bool, ansi: bool) -> Iterator[Segment]:
        yield Segment(f"{self.grid.low} ")
        for style in _bar_styles(self.grid.on_dark, ansi):
            yield Segment(" ", style)
        yield Segment(f" {self.grid.high} {self.grid.unit}" if wide else f" {self.grid.high}")


class WeightKey:
    """How to read the maps of weights below, which have a scale each; to be printed by rich."""

    def __init__(self, columns: int) -> None:
        self.columns = columns

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        depth = _depth(console)
        key = Text(style="dim")
        if depth is not None:
            key.append("Colour of a class: its mean weight, from 0 ")
            for style in _bar_styles(WEIGHT_ON_DARK, depth == "256"):
                key.append(" ", style)
            key.append(" to the largest in the table")
        elif self.columns >= _width(colored=False, wide=True):
            key.append("Number of a class: its mean weight in per cent of the largest in the table, . for 0")
        else:
            key.append("Digit of a class: its mean weight in tenths of the largest in the table, . for 0")
        yield key.append("; > marks the class of the true holding.")


def _depth(console: Console) -> str | None:
    """How many colours there are, ``"truecolor"`` or ``"256"``; None for fewer."""
    depth = None if console.no_color else console.color_system
    return depth if depth in ("truecolor", "256") else None


def _style(ramp: Ramp, level: float, ansi: bool, bold: bool = False) -> Style:
    if ansi:
        index = ramp.ansi(level)
        background, rgb = Color.from_ansi(index), ansi_rgb(index)
        letters = Color.from_ansi(231 if ink(rgb) == (255, 255, 255) else 16)
    else:
        rgb = ramp.rgb(level)
        background = Color.from_triplet(ColorTriplet(*rgb))
        letters = Color.from_triplet(ColorTriplet(*ink(rgb)))
    return Style(color=letters, bgcolor=background, bold=bold)


def _bar_styles(ramp: Ramp, ansi: bool) -> list[Style]:
    return [_style(ramp, step / (_BAR - 1), ansi) for step in range(_BAR)]


def _width(colored: bool, wide: bool) -> int:
    if colored and wide:
        return 13 * _WIDE  # the cells name themselves
    return _LABEL + 13 * (_WIDE if wide else _NARROW)


def _plain(cell: Cell, wide: bool) -> Segment:
    value = cell.number.rjust(_WIDE - 1) if wide else cell.sign
    return Segment((">" if cell.marked else " ") + value)


def _line(content: str, width: int, style: str) -> Text:
    line = Text(content, style=style, no_wrap=True, end="\n")
    line.truncate(width, overflow="crop")
    return line
