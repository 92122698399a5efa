"""Charts as text: SVG without scripts, and the same figures as a table.

Shapes have classes, to which ``templates/chart.css`` gives colours, line styles and type; the colours are those of
`pokermodel.report.palette`. No chart depends on them alone: series differ in the style of lines and the shape of marks,
too.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from pokermodel._support.words import counted
from pokermodel.report.document import asset
from pokermodel.report.markup import markup, shortened, visible
from pokermodel.report.palette import ON_LIGHT, color_rules

__all__ = [
    "CalibrationPoint",
    "Chart",
    "Interval",
    "Series",
    "calibration_chart",
    "interval_chart",
    "line_chart",
    "round_ticks",
]

# Lengths in pixels, at the size at which charts are drawn; pages scale them to the room that there is.
_WIDTH = 460
_BROAD = 960  # of charts that have a page's width for themselves
_HEIGHT = 250  # between the ends of the vertical axis
_LEFT, _RIGHT, _TOP = 60, 14, 12
_AXIS = 44  # below a horizontal axis: numbers and what they are
_LINE = 20  # of a legend
_SWATCH = 26
_LETTER, _WIDE_LETTER = 8.0, 20.0  # widths at the size that telephones get, which is the larger one
_COLORS, _DASHES = 6, 4
_RADIUS = 3.5


class Series(NamedTuple):
    """A line of a chart: values at places, without those that are None, and their intervals if there are any."""

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    intervals: Sequence[tuple[float, float] | None] = ()


class CalibrationPoint(NamedTuple):
    """A point of a calibration: shares that were predicted and observed, and of how many."""

    series: str
    predicted: float
    observed: float
    n: int


class Interval(NamedTuple):
    """A figure with its interval and figures to compare it with, by where they are from."""

    label: str
    value: float | None
    interval: tuple[float, float] | None
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Chart:
    """A chart."""

    #: `title`, `description`: what it shows, in a few words and in a sentence or two for those who do not see it.
    title: str
    description: str
    #: `width`, `height`: its size in pixels.
    width: float
    height: float
    shapes: str  #: What it is made of, as SVG.
    #: `columns`, `rows`: the same figures as a table; without rows, it stands elsewhere.
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: Width, height and shapes of the same chart where there is twice as much room.
    broad: tuple[float, float, str] | None = None

    def svg(self) -> Markup:
        """The chart as an element of a page, which has the rules of style."""
        return self._svg("", "")

    def picture(self) -> str:
        """The chart as an SVG file with a light surface, which needs nothing else."""
        style = color_rules(dark=False)
        size = f' xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" height="{self.height:g}"'
        rules = f"<style>{markup(style + asset('chart.css'))}</style>"
        paper = f'<rect width="{self.width:g}" height="{self.height:g}" fill="{ON_LIGHT["panel"]}"/>'
        return f"{self._svg(size, rules + paper)}\n"

    def figure(self, *, alone: bool = False) -> Markup:
        """The chart with its title, and its figures as a table that can be opened, for a page.

        If it has the page's width for itself (`alone`), it uses it where that is large, by a drawing of its own, so
        that letters stay as they are.
        """
        name = markup(self.title)
        drawn, kind = self.svg(), "chart"
        if alone and self.broad is not None:
            width, height, shapes = self.broad
            box, said = f"0 0 {width:g} {height:g}", markup(f"{self.title}. {self.description}")
            drawn += Markup(
                f'\n<svg class="plot broad" viewBox="{box}" role="img" aria-label="{said}">\n{shapes}\n</svg>'
            )
            kind = "chart alone"
        return Markup(
            f'<figure class="{kind}">\n<figcaption class="name">{name}</figcaption>\n{drawn}\n'
            f"{self._table() if self.rows else ''}</figure>"
        )

    def _table(self) -> str:
        head = "".join(f'<th scope="col">{markup(name)}</th>' for name in self.columns)
        body = "\n".join(
            f'<tr><th scope="row"><bdi class="name">{markup(first)}</bdi></th>'
            + "".join(f"<td>{markup(cell)}</td>" for cell in rest)
            + "</tr>"
            for first, *rest in self.rows
        )
        region = f'class="wide" role="region" aria-label="{markup(self.title)}" tabindex="0"'
        return (
            f"<details><summary>The figures as a table</summary>\n<div {region}>"
            f'<table class="figures">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
            "</details>\n"
        )

    def _svg(self, attributes: str, before: str) -> Markup:
        return Markup(
            f'<svg class="plot" viewBox="0 0 {self.width:g} {self.height:g}" role="img"{attributes}>'
            f"<title>{markup(self.title)}</title><desc>{markup(self.description)}</desc>{before}\n"
            f"{self.shapes}\n</svg>"
        )


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from the last below to the first above a range, 1, 2 or 5 times a power of ten apart.

    They are as close to each other as they can be for the range to be at most `most` steps long.

    Examples
    --------
    >>> round_ticks(-3, 17)
    [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]
    >>> round_ticks(0.612, 0.65)
    [0.61, 0.62, 0.63, 0.64, 0.65]
    """
    if not low < high:
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    apart = next(power * step for step in (1, 2, 5, 10) if (high - low) / (power * step) <= most)
    digits = max(0, -math.floor(math.log10(apart)) + 1)
    first, last = math.floor(low / apart + 1e-9), math.ceil(high / apart - 1e-9)
    return [round(k * apart, digits) + 0.0 for k in range(first, last + 1)]


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    x_label: str,
    y_label: str,
    places: Sequence[str] = (),
    number: Callable[[float], str] = "{:.3f}".format,
    bands: bool = True,
    around: tuple[float, float] | None = None,
) -> Chart:
    """Draw lines.

    Raises `ValueError` if there is no value.

    Parameters
    ----------
    series : sequence of Series
        The lines. One alone that is called as the chart is not named again.
    places : sequence of str
        Names of the places 0, 1, ... along the horizontal axis; without them it has round numbers.
    bands : bool
        Draw intervals as bands; otherwise as whiskers beside each other, with a dot at each value.
    around : (float, float), optional
        Values that the vertical axis covers, so that several charts share it; by default the values.
    """
    heights = [value for each in series for value in each.y if value is not None]
    heights += [end for each in series for interval in each.intervals if interval is not None for end in interval]
    if not heights:
        raise ValueError(f"{title!r} has nothing to show: expected a value")
    heights += around or ()
    across = [place for each in series for place in each.x]
    if places:
        x_axis = _Axis(-0.5, len(places) - 0.5, list(enumerate(places)))
    else:
        x_axis = _Axis.of(min(across), max(across), fits=True)
    y_axis = _Axis.of(min(heights), max(heights))
    alone = [each.name for each in series] == [title]

    def drawn(width: float) -> tuple[float, float, str]:
        legend = _Legend([] if alone else [each.name for each in series], width)
        frame = _Frame(x_axis, y_axis, x_label, y_label, legend.height, width)
        shapes = [*legend.shapes(_line_key if bands else _dot_key), *frame.shapes()]
        if bands:
            for k, each in enumerate(series):
                shapes += [f'<path class="band {_color(k)}" d="{area}"/>' for area in _areas(frame, each)]
            for k, each in enumerate(series):
                shapes += [f'<path class="line {_style(k)}" d="{path}"/>' for path in _paths(frame, each)]
        else:
            for k, each in enumerate(series):
                shapes += _whiskers(frame, each, k, len(series))
        return width, frame.height, "\n".join(shapes)

    rows = []
    for each in series:
        intervals = each.intervals or [None] * len(each.x)
        for place, value, interval in zip(each.x, each.y, intervals, strict=True):
            if value is not None:
                at = places[int(place)] if places else f"{place:,.12g}"
                rows.append((*([] if alone else [each.name]), at, number(value), _ends(interval, number)))
    what = ", ".join(shortened(each.name, 60) for each in series[:8]) + (", ..." if len(series) > 8 else "")
    spoken = f"{y_label} by {x_label}: {counted(len(series), 'line')} ({what})."
    columns = (*([] if alone else ["series"]), x_label, y_label, "95% interval")
    return Chart(title, spoken, *drawn(_WIDTH), columns, tuple(rows), drawn(_BROAD))


def calibration_chart(points: Sequence[CalibrationPoint], *, title: str) -> Chart:
    """Draw how often something happened beside how often it was predicted; the area of a point is as its number.

    Raises `ValueError` if there is no point.
    """
    if not points:
        raise ValueError(f"{title!r} has nothing to show: expected a point")
    names = list(dict.fromkeys(point.series for point in points))
    shares = [(share / 100, f"{share}%") for share in range(0, 101, 20)]
    legend = _Legend(names)
    frame = _Frame(
        _Axis(0, 1, shares), _Axis(0, 1, shares), "predicted", "happened", legend.height, height=_WIDTH - 100
    )
    most = max(point.n for point in points)
    shapes = [*legend.shapes(_mark_key), *frame.shapes()]
    ends = frame.x(0), frame.y(0), frame.x(1), frame.y(1)
    shapes.append('<line class="ideal" x1="{:g}" y1="{:g}" x2="{:g}" y2="{:g}"/>'.format(*ends))
    for point in sorted(points, key=lambda point: -point.n):  # small ones in front
        k = names.index(point.series)
        radius = max(2.5, 16 * math.sqrt(point.n / most))
        said = f"{point.series}: predicted {point.predicted:.1%}, happened {point.observed:.1%} of {point.n:,}"
        mark = _mark(k, frame.x(point.predicted), frame.y(point.observed), radius)
        shapes.append(f'<path class="bubble {_color(k)}" d="{mark}"><title>{markup(said)}</title></path>')
    rows = tuple((point.series, f"{point.predicted:.1%}", f"{point.observed:.1%}", f"{point.n:,}") for point in points)
    off = sum(abs(point.predicted - point.observed) * point.n for point in points) / sum(point.n for point in points)
    spoken = (
        f"How often acts were done beside how often they were predicted: {len(points)} points, the larger the more"
        f" decisions; they are {off:.1%} off the diagonal on average."
    )
    columns = ("series", "predicted", "happened", "decisions")
    return Chart(title, spoken, _WIDTH, frame.height, "\n".join(shapes), columns, rows)


def _about(value: float, low: float, high: float, number: Callable[[float], str]) -> str:
    """The interval of a value: half of it where both halves are written alike, else both ends."""
    below, above = (number(each).lstrip("+") for each in (value - low, high - value))
    return f" ± {above}" if below == above else f" ({number(low)} to {number(high)})"


def interval_chart(
    rows: Sequence[Interval],
    *,
    title: str,
    value_label: str,
    number: Callable[[float], str] = "{:+.4f}".format,
    zero: bool = True,
) -> Chart:
    """Draw bars with intervals, one below the other, and marks for what they are compared with.

    Raises `ValueError` if there is no value.

    Parameters
    ----------
    zero : bool
        Begin bars at 0; otherwise there are none, and the axis shows the values alone.
    """
    values = [each.value for each in rows if each.value is not None]
    values += [end for each in rows if each.interval is not None for end in each.interval]
    values += [other for each in rows for _, other in each.others]
    if not values:
        raise ValueError(f"{title!r} has nothing to show: expected a value")
    sources = list(dict.fromkeys(name for each in rows for name, _ in each.others))
    axis = _Axis.of(min([0.0, *values] if zero else values), max([0.0, *values] if zero else values))

    def drawn(width: float) -> tuple[float, float, str]:
        legend = _Legend(["here", *sources] if sources else [], width)
        row, top = 38, legend.height + 4
        bottom = top + row * len(rows)

        def x(value: float) -> float:
            return 10 + axis.part(value) * (width - 20)

        shapes = list(legend.shapes(_bar_key))
        for value, name in axis.ticks:
            kind, at = "zero" if value == 0 and zero else "rule", f"{x(value):.1f}"
            shapes.append(f'<line class="{kind}" x1="{at}" x2="{at}" y1="{top:g}" y2="{bottom:g}"/>')
            shapes.append(_text(x(value), bottom + 16, name, f"tick {_anchor(x(value), width)}"))
        shapes.append(_text(width / 2, bottom + 36, value_label, "axis middle"))
        for k, each in enumerate(rows):
            line, middle = top + row * k + 13, top + row * k + 26
            figure = "" if each.value is None else number(each.value)
            about = "" if each.value is None or each.interval is None else _about(each.value, *each.interval, number)
            shapes.append(_text(4, line, _fitting(each.label, width - 170), "over start"))
            if each.value is not None:
                shapes.append(_text(width - 4, line, figure + about, "over end"))
                if zero:
                    left, long = min(x(0), x(each.value)), abs(x(each.value) - x(0))
                    box = f'x="{left:.1f}" y="{middle - 5:g}" width="{long:.1f}" height="10"'
                    shapes.append(f'<rect class="bar s0" {box}/>')
                if each.interval is not None:
                    low, high = map(x, each.interval)
                    shapes.append(_whisker(low, high, middle, "s0"))
                shapes.append(f'<path class="dot s0" d="{_mark(0, x(each.value), middle, _RADIUS)}"/>')
            for name, other in each.others:
                source = sources.index(name) + 1
                said = f"<title>{markup(f'{name}: {number(other)}')}</title>"
                mark = _mark(source, x(other), middle, 5)
                shapes.append(f'<path class="open {_color(source)}" d="{mark}">{said}</path>')
        return width, bottom + _AXIS, "\n".join(shapes)

    table = tuple(
        (
            each.label,
            "" if each.value is None else number(each.value),
            _ends(each.interval, number),
            *(next((number(other) for name, other in each.others if name == source), "") for source in sources),
        )
        for each in rows
    )
    spoken = f"{value_label} with 95% intervals, {len(rows)} in number."
    columns = ("row", value_label, "95% interval", *sources)
    return Chart(title, spoken, *drawn(_WIDTH), columns, table, drawn(_BROAD))


# ---------------------------------------------------------------------------------------------------- parts


class _Axis(NamedTuple):
    """From where to where an axis goes, and its marks with their names."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    @classmethod
    def of(cls, low: float, high: float, *, fits: bool = False) -> _Axis:
        """An axis with round numbers; if it fits, it ends where the values do."""
        ticks = round_ticks(low, high)
        named = [(tick, f"{tick:,.12g}".replace("-", "\N{MINUS SIGN}")) for tick in ticks]
        if fits and low < high:
            return cls(low, high, [(tick, name) for tick, name in named if low <= tick <= high])
        return cls(ticks[0], ticks[-1], named)

    def part(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


class _Frame:
    """A pair of axes."""

    def __init__(
        self,
        across: _Axis,
        up: _Axis,
        x_label: str,
        y_label: str,
        top: float,
        width: float = _WIDTH,
        height: float = _HEIGHT,
    ) -> None:
        self.across, self.up, self.x_label, self.y_label, self.width = across, up, x_label, y_label, width
        self.top = top + _LINE + _TOP  # the name of the vertical axis stands above it
        self.bottom = self.top + height
        self.height = self.bottom + _AXIS

    def x(self, value: float) -> float:
        return _LEFT + self.across.part(value) * (self.width - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return self.bottom - self.up.part(value) * (self.bottom - self.top)

    def shapes(self) -> Iterator[str]:
        """The axes: rules with their numbers, and what they are."""
        for value, name in self.up.ticks:
            kind, y = "zero" if value == 0 else "rule", f"{self.y(value):.1f}"
            yield f'<line class="{kind}" x1="{_LEFT}" x2="{self.width - _RIGHT:g}" y1="{y}" y2="{y}"/>'
            yield _text(_LEFT - 6, self.y(value) + 4, name, "tick end")
        yield _text(4, self.top - _TOP, self.y_label, "axis start")
        for value, name in self.across.ticks:
            x = f"{self.x(value):.1f}"
            yield f'<line class="rule" x1="{x}" x2="{x}" y1="{self.bottom:g}" y2="{self.bottom + 4:g}"/>'
            yield _text(self.x(value), self.bottom + 18, name, f"tick {_anchor(self.x(value), self.width)}")
        yield _text((_LEFT + self.width - _RIGHT) / 2, self.bottom + 38, self.x_label, "axis middle")


class _Legend:
    """What the series are called, in as many columns as there is room for; nothing of a single one without a name."""

    def __init__(self, names: Sequence[str], width: float = _WIDTH) -> None:
        self.width = width - 8
        self.names = list(names) if any(names) else []
        widest = max((_width(name) for name in self.names), default=0.0)
        self.columns = max(1, min(4, int(self.width / (widest + _SWATCH + 14))))
        self.height = _LINE * math.ceil(len(self.names) / self.columns)

    def shapes(self, key: Callable[[int, float, float], str]) -> Iterator[str]:
        """The names, each beside what `key` draws of its series."""
        width = self.width / self.columns
        for k, name in enumerate(self.names):
            left, middle = 4 + width * (k % self.columns), _LINE * (k // self.columns) + _LINE / 2
            yield key(k, left, middle)
            yield _text(left + _SWATCH, middle + 4, _fitting(name, width - _SWATCH - 6), "start")


def _line_key(k: int, left: float, middle: float) -> str:
    return f'<path class="line {_style(k)}" d="M{left:g} {middle:g}h20"/>'


def _dot_key(k: int, left: float, middle: float) -> str:
    mark = f'<path class="dot {_color(k)}" d="{_mark(k, left + 10, middle, _RADIUS + 0.5)}"/>'
    return _line_key(k, left, middle) + mark


def _mark_key(k: int, left: float, middle: float) -> str:
    return f'<path class="bubble {_color(k)}" d="{_mark(k, left + 10, middle, 6)}"/>'


def _bar_key(k: int, left: float, middle: float) -> str:
    kind, size = ("open", 5.0) if k else ("dot", _RADIUS)
    return f'<path class="{kind} {_color(k)}" d="{_mark(k, left + 10, middle, size)}"/>'


def _color(k: int) -> str:
    return f"s{k % _COLORS}"


def _style(k: int) -> str:
    """Colour and line style: another pair for each of 24 series."""
    return f"{_color(k)} d{(k + k // (_COLORS * _DASHES // 2)) % _DASHES}"


def _mark(k: int, x: float, y: float, size: float) -> str:
    """A circle, a square, a triangle or a diamond of about the same area."""
    shape, size = k % 4, round(size, 1)  # an arc whose ends are nearer than its diameter is no half circle
    if shape == 0:
        arc = f"a{size:.1f} {size:.1f} 0 1 0 "
        return f"M{x - size:.1f} {y:.1f}{arc}{2 * size:.1f} 0{arc}{-2 * size:.1f} 0z"
    if shape == 1:
        half = 0.886 * size
        return f"M{x - half:.1f} {y - half:.1f}h{2 * half:.1f}v{2 * half:.1f}h{-2 * half:.1f}z"
    if shape == 2:
        half = 1.35 * size
        return f"M{x:.1f} {y - 1.15 * half:.1f}l{half:.1f} {1.73 * half:.1f}h{-2 * half:.1f}z"
    half = 1.25 * size
    return f"M{x - half:.1f} {y:.1f}l{half:.1f} {half:.1f}l{half:.1f} {-half:.1f}l{-half:.1f} {-half:.1f}z"


def _runs(series: Series) -> Iterator[list[int]]:
    """Indices of values that follow each other without a gap."""
    run: list[int] = []
    for k, value in enumerate(series.y):
        if value is not None:
            run.append(k)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _paths(frame: _Frame, series: Series) -> Iterator[str]:
    for run in _runs(series):
        points = (f"{frame.x(series.x[k]):.1f} {frame.y(series.y[k] or 0.0):.1f}" for k in run)
        yield "M" + "L".join(points) + ("h0.1" if len(run) == 1 else "")


def _areas(frame: _Frame, series: Series) -> Iterator[str]:
    if not series.intervals:
        return
    ends = [(series.x[k], interval) for k, interval in enumerate(series.intervals) if interval is not None]
    if len(ends) > 1:
        above = [f"{frame.x(x):.1f} {frame.y(high):.1f}" for x, (_, high) in ends]
        below = [f"{frame.x(x):.1f} {frame.y(low):.1f}" for x, (low, _) in reversed(ends)]
        yield f"M{'L'.join(above + below)}z"


def _whisker(low: float, high: float, middle: float, style: str) -> str:
    """An interval along a horizontal axis."""
    path = f"M{low:.1f} {middle - 4:g}v8m0 -4H{high:.1f}m0 -4v8"
    return f'<path class="whisker {style}" d="{path}"/>'


def _whiskers(frame: _Frame, series: Series, k: int, lines: int) -> Iterator[str]:
    """Values with their intervals, a little beside those of the other lines, and lines between them."""
    step = frame.x(1) - frame.x(0) if len(frame.across.ticks) > 1 else 0.0
    beside = (k - (lines - 1) / 2) * min(8.0, 0.7 * step / lines)
    intervals = series.intervals or [None] * len(series.x)
    for run in _runs(series):
        points = (f"{frame.x(series.x[j]) + beside:.1f} {frame.y(series.y[j] or 0.0):.1f}" for j in run)
        yield f'<path class="line {_style(k)}" d="M{"L".join(points)}"/>'
    for x, value, interval in zip(series.x, series.y, intervals, strict=True):
        if value is None:
            continue
        at = frame.x(x) + beside
        if interval is not None:
            low, high = frame.y(interval[0]), frame.y(interval[1])
            path = f"M{at - 3:.1f} {low:.1f}h6m-3 0V{high:.1f}m-3 0h6"
            yield f'<path class="whisker {_color(k)}" d="{path}"/>'
        yield f'<path class="dot {_color(k)}" d="{_mark(k, at, frame.y(value), _RADIUS)}"/>'


def _anchor(x: float, width: float) -> str:
    return "start" if x < 20 else "end" if x > width - 20 else "middle"


def _ends(interval: tuple[float, float] | None, number: Callable[[float], str]) -> str:
    return "" if interval is None else f"{number(interval[0])} to {number(interval[1])}"


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{markup(text)}</text>'


def _letters(text: str) -> Iterable[float]:
    return (_WIDE_LETTER if unicodedata.east_asian_width(sign) in "WF" else _LETTER for sign in text)


def _width(text: str) -> float:
    """About how wide a text is, at most."""
    return sum(_letters(text[:100]))


def _fitting(text: str, width: float) -> str:
    """Return as much of a text as there is room for."""
    text = visible(text)
    room, most = width, 0
    for letter in _letters(text):
        room -= letter
        if room < 0:
            break
        most += 1
    return text if most == len(text) else shortened(text, max(1, most))
