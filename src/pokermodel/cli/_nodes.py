"""``pokermodel profile --nodes``: how often each choice is taken at each node of the betting."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, Skipped, say_left_out
from pokermodel.cli._options import Known, Output
from pokermodel.cli._output import text_file, write_by_ending
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.analysis.nodes import NodeTable
    from pokermodel.game import Hand
    from pokermodel.histories import Filter

__all__ = ["show_nodes"]

_TOP = 20  # nodes that are printed, unless all are asked for


def show_nodes(
    name: str | None, files: tuple[Path, ...], which: Filter, known: Known, output: Output, *, every: bool
) -> None:
    """Count how often each choice and size is taken at each node, by a player or by all, beside what a model expects.

    The model foretells each action before it is seen, and learns every hand afterwards.
    """
    from pokermodel.analysis.nodes import count_nodes
    from pokermodel.reading import OpponentModeler, read_reader

    def counts(hand: Hand) -> bool:
        return name in (None, *hand.players) and which(hand, name)

    kind, _ = read_reader(known.model)
    session = OpponentModeler(known.model, known.open_book(), calibrated=kind.corrected)
    errors: list[ValueError] = []
    reading = HandReading(errors, files)
    with progress("hand", reading.share) as shown:
        table = count_nodes(
            chain.from_iterable(map(reading.hands, files)),
            session,
            players=() if name is None else (name,),
            which=counts,
            skipped=errors,
            progress=shown,
        )
    if not table.decisions:
        why = reading.refused or (errors[0] if errors else "no hand is selected")
        raise click.ClickException(f"no decision to count: {why}")
    skipped = Skipped()
    for error in errors:
        skipped.append(error)
    say_left_out(reading.report(), skipped)
    _show(table, known.model, output, every=every)


def _show(table: NodeTable, model: str, output: Output, *, every: bool) -> None:
    """Print nodes, those with the most decisions first, or write all of them."""
    from pokermodel.report.nodes import csv_text, node_text

    nodes = table.select()

    def text() -> str:
        figures: dict[str, Any] = {"hands": table.hands, "decisions": table.decisions, "model": model}
        return json.dumps({**figures, "nodes": [node.to_dict() for node in nodes]}, allow_nan=False)

    if output.out is not None:
        what = counted(len(nodes), "node")
        as_json = text_file(what, lambda: text() + "\n")
        write_by_ending(output.out, {".csv": text_file(what, lambda: csv_text(nodes)), ".json": as_json})
    if output.as_json:
        click.echo(text())
    elif output.as_text:
        where = f"{counted(table.decisions, 'decision')} at {counted(len(table), 'node')}"
        some = nodes if every else nodes[:_TOP]
        click.echo("\n\n".join([f"{counted(table.hands, 'hand')}, {where}", *map(node_text, some)]))
        if len(nodes) > len(some):
            click.echo(f"\nnodes that are not shown: {len(nodes) - len(some):,} (--all, --json and --out have all)")
