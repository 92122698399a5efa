"""``pokermodel equity``: the share of the pot of holdings and ranges that all stay to the end."""

from __future__ import annotations

import json
import re

import click

from pokermodel._support.words import counted
from pokermodel.cli._options import BOARD, DEAD, JSON, jobs, seed
from pokermodel.errors import RangeError

__all__ = ["equity"]


@click.command()
@click.argument("ranges", nargs=-1, required=True, metavar="HOLDING-OR-RANGE RANGE...")
@BOARD
@DEAD
@click.option(
    "--trials", default=1_000_000, show_default=True, type=click.IntRange(min=2), help="Number of deals to simulate."
)
@seed()
@jobs(None)
@JSON
def equity(
    ranges: tuple[str, ...], board: str, dead: str, trials: int, seed: int | None, jobs: int | None, as_json: bool
) -> None:
    """Show each player's share of the pot if all stay to the end.

    A range is written as in "QQ+, AKs:0.5"; "random" is any holding. The result is exact for two players,
    and for more players with known holdings. Otherwise it is simulated and has a 95% interval.

    With --json, every figure is a list with one entry for each player.
    """
    from pokermodel.evaluation.equity import equity as compute
    from pokermodel.ranges import parse_range

    if len(ranges) < 2:
        raise click.UsageError("equity needs two ranges or more")
    weights = []
    for number, text in enumerate(ranges, 1):
        try:
            weights.append(parse_range(text))
        except RangeError as reason:
            raise click.ClickException(f"range {number}, {text!r}: {reason}") from None
    try:
        found = compute(weights, board, dead, trials=trials, rng=seed, jobs=jobs)
    except ValueError as reason:
        raise click.ClickException(_name_player(str(reason), ranges)) from None
    if as_json:
        rows = {name: getattr(found, name).tolist() for name in ("equity", "win", "tie", "lose", "standard_error")}
        click.echo(json.dumps({"ranges": ranges, **rows, "trials": found.trials}))
        return
    width = max(len(text) for text in ranges)
    click.echo(f"{'':{width}}   equity      win      tie     lose")
    for k, text in enumerate(ranges):
        error = f"   +- {1.96 * found.standard_error[k]:.3%}" if found.trials else ""
        figures = "  ".join(f"{values[k]:7.3%}" for values in (found.equity, found.win, found.tie, found.lose))
        click.echo(f"{text:{width}}  {figures}{error}")
    click.echo(f"{counted(found.trials, 'deal')} simulated; intervals of 95%" if found.trials else "exact")


def _name_player(message: str, ranges: tuple[str, ...]) -> str:
    """Say whom a message means that begins with a player's index, which counts from 0."""
    return re.sub(r"^player (\d+)", lambda found: f"player {int(found[1]) + 1}, {ranges[int(found[1])]!r},", message)
