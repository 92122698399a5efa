"""``pokermodel profile --against``: who won how much from whom, and how others play against a player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, Skipped, say_left_out
from pokermodel.cli._options import Output
from pokermodel.cli._output import open_console, text_file, write_by_ending

if TYPE_CHECKING:
    from pokermodel.analysis.versus import Versus
    from pokermodel.histories import Filter

__all__ = ["show_versus"]


def show_versus(name: str | None, hero: str, files: tuple[Path, ...], which: Filter, output: Output) -> None:
    """Show how a player plays against the hero; or, without a name, from whom the hero won how much."""
    from pokermodel.analysis.versus import Versus

    skipped = Skipped()
    reading = HandReading(skipped, files)
    found = Versus(hero)
    left_out = 0
    for path in files:
        for hand in reading.hands(path):
            if which(hand, name or hero):
                found.add(hand)
            else:
                left_out += 1
    report = reading.report()
    say_left_out(report, skipped)
    if not report.hands:
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))
    if left_out == report.hands:
        raise click.ClickException(f"none of {counted(left_out, 'hand')} is selected")
    if not found.hands:
        raise click.ClickException(f"{hero!r} plays in none of the hands")
    if name is not None:
        found.statistics(name)  # says whether they have played
    if output.out is not None:
        write_by_ending(output.out, {".json": text_file("opponents", lambda: _text(found, name) + "\n")})
    if output.as_json:
        click.echo(_text(found, name))
    elif output.as_text:
        _print(found, name)


def _text(found: Versus, name: str | None) -> str:
    """What was found, as JSON."""
    opponents = [each.to_dict() for each in found.opponents() if name in (None, each.name)]
    if name is not None:
        of_structure = found.statistics(name).items()
        opponents[0]["statistics"] = {
            str(structure): {each.key: each.to_dict() for each in rows} for structure, rows in of_structure
        }
    whole = {"hero": found.hero, "hands": found.hands, "net_bb": found.net_bb}
    return json.dumps({**whole, "opponents": opponents}, allow_nan=False)


def _print(found: Versus, name: str | None) -> None:
    from pokermodel.report.versus import print_opponents, print_versus

    if name is None:
        print_opponents(found, open_console())
    else:
        print_versus(found, name, open_console())
