"""A 13 x 13 map as a picture: SVG, which needs nothing else, and PNG, which Pillow draws."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from pokermodel.report.grid import ClassMap
from pokermodel.report.markup import markup
from pokermodel.report.palette import ON_LIGHT, RGB, hex_code, ink, rgb_of

__all__ = ["draw_png", "draw_svg"]

# Lengths in pixels.
_CELL = 40
_GAP = 1
_MARGIN = 12
_LINE = 24  # height of the title's line and of the legend's
_BAR = 160
_STEPS = 32  # of the bar's colours
_WIDTH = 2 * _MARGIN + 13 * _CELL
_LETTERS = 64  # of a title, which are as many as the width has room for

_PAPER, _INK, _FRAME = (rgb_of(ON_LIGHT[name]) for name in ("panel", "ink", "held"))
_EMPTY = rgb_of(ON_LIGHT["faint"])  # names of classes without a live holding


class _Box(NamedTuple):
    """A rectangle, in a frame or not, and what is said of it."""

    left: float
    top: float
    width: float
    height: float
    fill: RGB
    framed: bool = False
    title: str = ""


class _Label(NamedTuple):
    """A line of text in the middle of its height; `anchor` says which part of it is at `left`."""

    left: float
    middle: float
    text: str
    size: int
    color: RGB
    anchor: str = "start"


def _height(title: str | None) -> int:
    return 2 * _MARGIN + 13 * _CELL + _LINE + (0 if title is None else _LINE)


def _shapes(grid: ClassMap, title: str | None) -> Iterator[_Box | _Label]:
    """What the picture consists of, from back to front."""
    top = float(_MARGIN)
    if title is not None:
        text = title if len(title) <= _LETTERS else title[: _LETTERS - 1] + "…"
        yield _Label(_MARGIN, top + _LINE / 2 - 3, text, 14, _INK)
        top += _LINE
    for index, cell in enumerate(grid.cells):
        row, column = divmod(index, 13)
        left, upper = _MARGIN + column * _CELL, top + row * _CELL
        background = _PAPER if cell.level is None else grid.on_light.rgb(cell.level)
        yield _Box(left, upper, _CELL - _GAP, _CELL - _GAP, background, cell.marked, cell.title)
        color = _EMPTY if cell.level is None else ink(background)
        yield _Label(left + (_CELL - _GAP) / 2, upper + (_CELL - _GAP) / 2, cell.name, 13, color, "middle")
    bar, middle = _MARGIN + 40, top + 13 * _CELL + _LINE / 2 + 3
    yield _Label(bar - 6, middle, grid.low, 12, _INK, "end")
    for step in range(_STEPS):
        width = _BAR / _STEPS
        yield _Box(bar + step * width, middle - 6, width, 12, grid.on_light.rgb(step / (_STEPS - 1)))
    yield _Label(bar + _BAR + 6, middle, f"{grid.high} {grid.unit}", 12, _INK)


def draw_svg(grid: ClassMap, *, title: str | None = None) -> str:
    """Draw a map as SVG, with a title above it: a long one is cut.

    The document is 544 pixels wide, without scripts, style sheets or references to anything outside. Every class says
    its numbers when pointed at.
    """
    height = _height(title)
    name = markup("Map of the 169 classes of holdings" if title is None else title)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'role="img" font-family="sans-serif"><title>{name}</title>',
        f'<rect width="{_WIDTH}" height="{height}" fill="{hex_code(_PAPER)}"/>',
    ]
    for shape in _shapes(grid, title):
        if isinstance(shape, _Box):
            place = f'x="{shape.left:g}" y="{shape.top:g}" width="{shape.width:g}" height="{shape.height:g}"'
            frame = f' stroke="{hex_code(_FRAME)}" stroke-width="3"' if shape.framed else ""
            said = f"<title>{markup(shape.title)}</title>" if shape.title else ""
            lines.append(f'<rect {place} fill="{hex_code(shape.fill)}"{frame}>{said}</rect>')
        else:
            # Names of classes let the pointer through to the title of the rectangle behind them.
            lines.append(
                f'<text x="{shape.left:g}" y="{shape.middle:g}" font-size="{shape.size}" text-anchor="{shape.anchor}" '
                f'dominant-baseline="central" fill="{hex_code(shape.color)}" pointer-events="none">'
                f"{markup(shape.text)}</text>"
            )
    return "\n".join([*lines, "</svg>", ""])


def draw_png(grid: ClassMap, *, title: str | None = None, scale: int = 2) -> bytes:
    """Draw a map as PNG, with a title above it; `scale` is in pixels to one of `draw_svg`. Needs Pillow.

    Raises
    ------
    ModuleNotFoundError
        If Pillow is not installed.
    """
    if find_spec("PIL") is None:
        raise ModuleNotFoundError('PNG pictures need Pillow: expected pip install "pokermodel[png]"')
    image_module, draw_module, font_module = (
        import_module(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont")
    )
    image = image_module.new("RGB", (_WIDTH * scale, _height(title) * scale), _PAPER)
    pen = draw_module.Draw(image)
    anchors = {"start": "lm", "middle": "mm", "end": "rm"}
    for shape in _shapes(grid, title):
        if isinstance(shape, _Box):
            right, bottom = shape.left + shape.width, shape.top + shape.height
            corners = [round(scale * value) for value in (shape.left, shape.top, right, bottom)]
            corners[2:] = [value - 1 for value in corners[2:]]  # Pillow's rectangles have their right and lower edge
            outline, width = (_FRAME, 3 * scale) if shape.framed else (None, 0)
            pen.rectangle(corners, fill=shape.fill, outline=outline, width=width)
        else:
            at = scale * shape.left, scale * shape.middle
            font = font_module.load_default(scale * shape.size)
            pen.text(at, shape.text, fill=shape.color, font=font, anchor=anchors[shape.anchor])
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
