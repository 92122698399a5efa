"""``pokermodel range``: what a range consists of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._output import open_console
from pokermodel.errors import RangeError
from pokermodel.ranges import DIALECTS

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = ["show_range"]

_BOARDS = (0, 3, 4, 5)  # cards
_OUT = click.Path(path_type=Path, dir_okay=False)


@click.command("range")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option("--board", default="", metavar="CARDS", help="Three to five board cards, such as 2c7d9h.")
@click.option("--dead", default="", metavar="CARDS", help="Further cards that nobody can hold.")
@click.option(
    "--to",
    "dialect",
    type=click.Choice(DIALECTS),
    help="Print the range as this program reads it, and nothing else; weights are divided by the largest.",
)
@click.option("--svg", type=_OUT, metavar="OUT", help="Write a picture of the range to a file, as SVG.")
@click.option("--png", type=_OUT, metavar="OUT", help='The same as PNG; needs pip install "pokermodel[png]".')
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def show_range(
    texts: tuple[str, ...],
    board: str,
    dead: str,
    dialect: str | None,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
) -> None:
    """Show what a range consists of: how many holdings, what part of all, and a heat map.

    A range is written as in "QQ+, AKs:0.5", "15%", or as PioSOLVER, eval7, Flopzilla, GTO+, Equilab and
    HoldemResources Calculator write it; 1,326 numbers are weights in the order of PioSOLVER's hand list. Several TEXTs
    are one range. The line above the map is the same range in one spelling, before any card is ruled out.
    """
    from pokermodel.analysis.range import range_summary
    from pokermodel.cards import card_indices
    from pokermodel.ranges import format_range
    from pokermodel.report.heatmap import HeatMap
    from pokermodel.report.words import range_lines

    if dialect is not None and as_json:
        raise click.UsageError("--to and --json exclude each other")
    on_board = card_indices(board)
    if len(on_board) not in _BOARDS:
        raise click.ClickException(f"--board {board} has {counted(len(on_board), 'card')}: expected 3, 4 or 5")
    text = " ".join(texts)
    table = _table(text, (*on_board, *card_indices(dead)))
    canonical = format_range(_table(text).values, compact=True)
    summary = range_summary(table)
    _write_pictures(table, _title(canonical, summary["dead"]), svg, png)
    if dialect is not None:
        try:
            click.echo(table.to_text(dialect))
        except ValueError as reason:
            raise click.ClickException(f"the range cannot be written for {dialect}: {reason}") from None
        return
    if as_json:
        click.echo(json.dumps({"text": canonical, **summary}, allow_nan=False))
        return
    for line in range_lines(summary):
        click.echo(line)
    click.echo(canonical or "(no holding)")
    open_console().print(HeatMap(table))


def _table(text: str, dead: tuple[int, ...] = ()) -> WeightTable:
    """Read a range: text, or 1,326 numbers."""
    from pokermodel.cards import N_CLASSES
    from pokermodel.weights import WeightTable

    # a few are classes, as in "22 98"
    numbers = len(text.split()) > N_CLASSES and not re.search(r"[^\d.eE+\-\s]", text)
    try:
        return WeightTable.from_pio(text, dead) if numbers else WeightTable.from_text(text, dead)
    except RangeError as reason:
        raise click.ClickException(f"the range cannot be read: {reason}") from None


def _title(canonical: str, dead: str) -> str:
    return (canonical or "no holding") + (f" without {dead}" if dead else "")


def _write_pictures(table: WeightTable, title: str, svg: Path | None, png: Path | None) -> None:
    if svg is None and png is None:
        return
    from pokermodel._support.files import write_bytes, write_text
    from pokermodel.report.grid import weight_grid
    from pokermodel.report.picture import draw_png, draw_svg

    grid = weight_grid(table)
    if png is not None:
        try:
            picture = draw_png(grid, title=title)
        except ModuleNotFoundError as error:
            raise click.ClickException(str(error)) from None
        write_bytes(png, picture)
    if svg is not None:
        write_text(svg, draw_svg(grid, title=title))
