"""``pokermodel nodes``: how often each choice is taken at each node of the betting."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._output import raw_option, write_csv
from pokermodel.cli._prior import prior_option, with_prior
from pokermodel.cli._progress import progress
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.histories import HandFilter

__all__ = ["nodes"]


@click.command(cls=ListsReaders)
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--model",
    default="adaptive",
    show_default=True,
    metavar="MODEL",
    shell_complete=complete_names(ListsReaders.kinds),
    help="The model whose forecast stands beside the counts. Models are listed below.",
)
@click.option(
    "--book",
    metavar="BOOK",
    shell_complete=complete_book,
    help="A book made by `pokermodel learn`, which the model starts from. It is only read.",
)
@with_prior
@click.option("--least", type=click.IntRange(min=1), default=1, show_default=True, help="Nodes with so many decisions.")
@click.option("--node", "containing", default="", metavar="TEXT", help="Nodes whose line contains this, as '| flop'.")
@click.option(
    "--exact", is_flag=True, help="Tell sizes in lines apart to a tenth of a big blind and one per cent of the pot."
)
@click.option(
    "--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many nodes are printed as text."
)
@click.option(
    "--csv",
    "csv",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write all nodes to a file instead, as comma-separated values; - for standard output.",
)
@raw_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text, with all nodes.")
@with_filter
def nodes(
    files: tuple[Path, ...],
    model: str,
    book: str | None,
    prior: Path | None,
    least: int,
    containing: str,
    exact: bool,
    top: int,
    csv: Path | None,
    raw: bool,
    as_json: bool,
    which: HandFilter,
) -> None:
    """Count how often each choice and size is taken at each node, beside what a model expects.

    A node is a line of betting and the position of the player to act, as 'BTN open 2.5bb, BB call | flop BB check ->
    BTN', among hands of the same betting structure, number of players and effective stack. Sizes are by how much a bet
    or raise exceeds a call, in per cent of the pot after the call. Intervals are 95 % intervals.

    With --player, the decisions of these players are counted, otherwise everybody's. The model foretells each act
    before it is seen, and learns every hand afterwards. Every FILE is a history or a folder of them, as for `pokermodel
    read`; what cannot be read is left out, counted, and listed on standard error.
    """
    from pokermodel.analysis.nodes import count_nodes
    from pokermodel.histories import SourceReport
    from pokermodel.reading import OpponentModeler, read_reader
    from pokermodel.report.nodes import csv_text, node_text

    if csv is not None and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    kind, _ = read_reader(model)
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        known = click.get_current_context().with_resource(Book(book, create=False))
    session = OpponentModeler(model, known, calibrated=kind.corrected, **prior_option(kind, prior))
    errors: list[ValueError] = []
    reading = HandReading(errors, files)
    with progress("hand", reading.share) as shown:
        table = count_nodes(
            chain.from_iterable(map(reading.hands, files)),
            session,
            players=tuple(which.player),
            which=which or None,
            exact=exact,
            skipped=errors,
            progress=shown,
        )
    report, skipped = SourceReport(reading.files), Skipped()
    for error in errors:
        if not isinstance(error, HistoryError) or error.line is not None:
            skipped.append(error)
    if not table.decisions:
        raise click.ClickException(
            f"no decision to count: {reading.refused or (errors[0] if errors else 'no hand is selected')}"
        )
    say_left_out(report, skipped)
    found = table.select(least, containing)
    if not found:
        raise click.ClickException(f"none of {counted(len(table), 'node')} fits --least and --node")
    if csv is not None:
        write_csv(csv, csv_text(found, raw))
        if str(csv) != "-":
            click.echo(f"{counted(len(found), 'node')} written to {csv}")
    elif as_json:
        figures: dict[str, Any] = {"hands": table.hands, "decisions": table.decisions, "model": model}
        click.echo(json.dumps({**figures, "nodes": [node.to_dict() for node in found]}, allow_nan=False))
    else:
        where = f"{counted(table.decisions, 'decision')} at {counted(len(table), 'node')}"
        click.echo("\n\n".join([f"{counted(table.hands, 'hand')}, {where}", *map(node_text, found[:top])]))
        if len(found) > top:
            click.echo(f"\nnodes that are not shown: {len(found) - top:,} (--top shows more, --csv and --json all)")
