"""A weight table as a heat map for web pages and notebooks."""

from __future__ import annotations

from pokermodel._support.forms import makes
from pokermodel.cards import CardsLike
from pokermodel.report.grid import Cell, ClassMap, change_grid, weight_grid
from pokermodel.report.markup import markup
from pokermodel.report.palette import ON_LIGHT, hex_code, ink
from pokermodel.weights import WeightTable

__all__ = ["grid_figure", "heat_map"]

# Notebooks bring style sheets of their own for tables; what must not depend on them stands in each cell.
_CELL = "padding:2px 3px;text-align:center;border:0"
_TABLE = "border-collapse:collapse;border:0;width:auto;font:11px/1.3 monospace"


@makes("html", WeightTable)
def heat_map(
    table: WeightTable,
    *,
    previous: WeightTable | None = None,
    scale: float | None = None,
    mark: CardsLike | None = None,
    title: str | None = None,
) -> str:
    """Draw the 13 x 13 grid of a weight table as an HTML table: one ``<figure>`` element with inline styles only.

    Every cell says its numbers when pointed at. Arguments and errors are those of `pokermodel.report.heatmap.HeatMap`.
    """
    if previous is None:
        grid = weight_grid(table, scale=scale, mark=mark)
    else:
        grid = change_grid(table, previous, mark=mark)
    return grid_figure(grid, title=title)


def grid_figure(grid: ClassMap, *, title: str | None = None) -> str:
    """Draw a map as an HTML table."""
    rows = (grid.cells[start : start + 13] for start in range(0, len(grid.cells), 13))
    body = "\n".join(f"<tr>{''.join(_cell(grid, cell) for cell in row)}</tr>" for row in rows)
    caption = "" if title is None else f"<div><b>{markup(title)}</b></div>\n"
    return (
        f'<figure style="margin:0;display:inline-block;font:11px/1.3 monospace">\n{caption}'
        f'<table style="{_TABLE}">\n{body}\n</table>\n<figcaption>{_bar(grid)}</figcaption>\n</figure>'
    )


def _cell(grid: ClassMap, cell: Cell) -> str:
    frame = f";outline:2px solid {ON_LIGHT['held']};outline-offset:-2px" if cell.marked else ""
    if cell.level is None:
        colors = f"background:none;color:{ON_LIGHT['faint']}"
    else:
        background = grid.on_light.rgb(cell.level)
        colors = f"background:{hex_code(background)};color:{hex_code(ink(background))}"
    return f'<td title="{markup(cell.title)}" style="{_CELL};{colors}{frame}">{markup(cell.name)}</td>'


def _bar(grid: ClassMap) -> str:
    colors = ",".join(hex_code(grid.on_light.rgb(step / 8)) for step in range(9))
    bar = (
        '<span style="display:inline-block;width:8em;height:0.8em;'
        f'background:linear-gradient(to right,{colors})"></span>'
    )
    return f"{markup(grid.low)} {bar} {markup(grid.high)} {markup(grid.unit)}"
