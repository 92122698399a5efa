"""``pokermodel range``: what a range consists of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._options import BOARD, DEAD, Output, output, written_for
from pokermodel.cli._output import open_console, text_file, write_by_ending
from pokermodel.errors import RangeError

if TYPE_CHECKING:
    from pokermodel.weights import WeightTable

__all__ = ["show_range"]

_BOARDS = (0, 3, 4, 5)  # cards
# those of `pokermodel.ranges`, which --help does not wait for
_DIALECTS = ("pio", "pio-numbers", "gto+", "texassolver", "flopzilla", "equilab", "holdem resources")


@click.command("range")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@BOARD
@DEAD
@written_for(_DIALECTS)
@output("the range", ".svg", ".png", ".json")
def show_range(texts: tuple[str, ...], board: str, dead: str, to: str | None, output: Output) -> None:
    """Show what a range consists of: how many holdings, what part of all, and a heat map.

    A range is written as in "QQ+, AKs:0.5", "15%", or as PioSOLVER, eval7, Flopzilla, GTO+, Equilab and
    HoldemResources Calculator write it; 1,326 numbers are weights in the order of PioSOLVER's hand list. Several TEXTs
    are one range. The line above the map is the same range in one spelling, before any card is ruled out.

    With --to the range is printed as that program reads it, and nothing else; weights are divided by the largest. A
    picture is a file that ends in .svg or, with pip install "pokermodel[png]", in .png.
    """
    from pokermodel.analysis.range import range_summary
    from pokermodel.cards import card_indices
    from pokermodel.ranges import format_range
    from pokermodel.report.heatmap import HeatMap
    from pokermodel.report.words import range_lines

    if to is not None and output.as_json:
        raise click.UsageError("--to and --json exclude each other")
    on_board = card_indices(board)
    if len(on_board) not in _BOARDS:
        raise click.ClickException(f"--board {board} has {counted(len(on_board), 'card')}: expected 3, 4 or 5")
    text = " ".join(texts)
    table = _table(text, (*on_board, *card_indices(dead)))
    canonical = format_range(_table(text).values, compact=True)
    summary = range_summary(table)
    figures = json.dumps({"text": canonical, **summary}, allow_nan=False)
    if output.out is not None:
        _write(output.out, table, _title(canonical, summary["dead"]), figures)
    if to is not None:
        try:
            click.echo(table.to_text(to))
        except ValueError as reason:
            raise click.ClickException(f"the range cannot be written for {to}: {reason}") from None
    elif output.as_json:
        click.echo(figures)
    elif output.as_text:
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


def _write(path: Path, table: WeightTable, title: str, figures: str) -> None:
    """Write a range as a picture or as JSON."""
    from pokermodel._support.files import write_bytes
    from pokermodel.report.grid import weight_grid
    from pokermodel.report.picture import draw_png, draw_svg

    def png(path: Path) -> str:
        try:
            picture = draw_png(weight_grid(table), title=title)
        except ModuleNotFoundError as error:
            raise click.ClickException(str(error)) from None
        write_bytes(path, picture)
        return "picture"

    svg = text_file("picture", lambda: draw_svg(weight_grid(table), title=title))
    write_by_ending(path, {".svg": svg, ".png": png, ".json": text_file("range", lambda: figures + "\n")})
