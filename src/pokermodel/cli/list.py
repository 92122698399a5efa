"""``pokermodel list``: the hands of histories, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, Skipped, index_option, say_left_out

if TYPE_CHECKING:
    from pokermodel.histories import HandFilter

__all__ = ["list_hands"]

_AT_ONCE = 100  # lines


@click.command("list")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@with_filter
@index_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object a line for each hand, as they are read.")
def list_hands(files: tuple[Path, ...], index: bool, as_json: bool, jsonl: bool, which: HandFilter) -> None:
    """List the hands of histories, one a line.

    Number, id, time (UTC, where the history has it), small and big bet, number of players, pot (what was matched),
    rake, the last betting round, who showed which cards, and who won how much after the rake, with all-in EV beside
    it. The number is the one that `pokermodel read FILE --hand` takes; each FILE has its own. Amounts are in the money
    of the history.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. Options select hands; a hand has to fit all of them.
    """
    from pokermodel.histories import SourceReport
    from pokermodel.report.listing import hand_lines

    if as_json and jsonl:
        raise click.UsageError("--json and --jsonl exclude each other")
    skipped = Skipped()
    reading = HandReading(skipped, files, which, keep_index=index)
    listed = 0
    rows: list[dict[str, Any]] = []
    unstated: list[int] = []
    for path in files:
        if as_json:
            rows += _rows(reading, path)
            listed = len(rows)
        elif jsonl:
            listed += _print(json.dumps(row, allow_nan=False) for row in _rows(reading, path))
        else:
            if len(files) > 1:
                click.echo(f"{path}:")
            lines = hand_lines(_without_rake(_frame_rows(reading, path), unstated))
            listed += max(0, _print(lines) - 1)  # of headings
    report = SourceReport(reading.files)
    if as_json:
        figures = {"hands": rows, "not_selected": reading.passed, "skipped": len(skipped)}
        figures |= {"reasons": skipped.to_list(), "files": report.to_dict()["files"]}
        click.echo(json.dumps(figures, allow_nan=False))
    elif not jsonl:
        total = f"{counted(listed, 'hand')} of {report.hands:,}" if which else counted(listed, "hand")
        before = "; where the rake is ?, the history does not say it, and results are before it" if unstated else ""
        click.echo(total + before)
    say_left_out(report, skipped)
    if not report.hands:
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))


def _rows(reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
    """What JSON has of each hand."""
    for row in _frame_rows(reading, path):
        yield {"file": str(path), **row, "time": _iso(row["time"])}


def _frame_rows(reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
    from pokermodel.histories import hand_row

    for number, hand in reading.numbered(path):
        yield hand_row(number, hand)


def _without_rake(rows: Iterator[dict[str, Any]], found: list[int]) -> Iterator[dict[str, Any]]:
    """Note the numbers of rows whose rake is not stated, and pass all of them on."""
    for row in rows:
        if row["rake"] is None:
            found.append(row["number"])
        yield row


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _print(lines: Iterator[str]) -> int:
    """Print lines, several at a time; return their number."""
    count = 0
    while some := list(islice(lines, _AT_ONCE)):
        count += len(some)
        click.echo("\n".join(some))
    return count
