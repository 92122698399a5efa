"""``pokermodel solve``: an equilibrium of a spot after the flop, and what every act is worth in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted

if TYPE_CHECKING:
    from pokermodel.solving import Check, Solution

__all__ = ["solve"]

_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("spot", metavar="SPOT.toml", type=_PATH, required=False)
@click.option(
    "--target", default=0.5, show_default=True, type=click.FloatRange(min=0, min_open=True),
    help="Exploitability to reach, in per cent of the pot.",
)  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after this time in any case.")
@click.option("--memory", type=click.FloatRange(min=0, min_open=True), help="Most memory to use, in MB.")
@click.option("--bits", type=click.Choice(["32", "16"]), help="Size of the numbers kept; 32 where they fit.")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of threads; by default one per processor.")
@click.option(
    "--risk", type=click.FloatRange(min=0, min_open=True),
    help="What the answer to locks may lose in the worst case, in per cent of the pot.",
)  # fmt: skip
@click.option("--node", default="r:0", show_default=True, help="Node to show, such as r:0:c:b100.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the solution to a file.")
@click.option("--continue", "saved", type=_PATH, metavar="SAVED", help="Go on from a solution that was saved.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def solve(
    spot: Path | None, target: float, seconds: float | None, memory: float | None, bits: str | None,
    jobs: int | None, risk: float | None, node: str, save: Path | None, saved: Path | None, as_json: bool,
) -> None:  # fmt: skip
    r"""Solve a spot after the flop between two players.

    SPOT.toml says board, pot, stack, both ranges (out of position first) and sizes:

    \b
        board = "QsJh2h8c3d"
        pot = 200
        stack = 900
        ranges = ["QQ,AK,98s", "JJ,KK,T9s"]
        bets = ["50%", "all-in"]
        raises = ["60%"]

    Amounts are in the units of the file. Each act is shown with how often it is taken and what it is worth to those who
    take it, in chips that they get back from there on.
    """
    from pokermodel.solving import Solution, Subgame
    from pokermodel.solving import solve as compute

    if (spot is None) == (saved is None):
        raise click.UsageError("solve needs a spot file, or a solution to go on from (--continue)")
    start = None if saved is None else Solution.load(saved, jobs=jobs or 1)
    subgame = Subgame.from_toml(spot) if start is None and spot is not None else start.subgame  # type: ignore[union-attr]
    found = compute(
        subgame,
        target,
        seconds,
        None if memory is None else int(memory * 1e6),
        risk=risk,
        bits=None if bits is None else int(bits),
        jobs=jobs,
        callback=_show_check if sys.stderr.isatty() else None,
        start=start,
    )
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    if save is not None:
        found.save(save)
    if as_json:
        click.echo(json.dumps(found.summary()))
        return
    _print(found, node)


def _show_check(check: Check) -> None:
    """Show in one line how far it is."""
    click.echo(
        f"\r\x1b[K{counted(check.iterations, 'iteration')}: {check.exploitability:.3g} % of the pot "
        f"after {check.seconds:.1f} s",
        nl=False,
        err=True,
    )


def _print(found: Solution, node: str) -> None:
    summary: dict[str, Any] = found.summary()
    cost = f"{summary['seconds']:.1f} s, {summary['memory'] / 1e6:.1f} MB"
    click.echo(
        f"{found.subgame.board}, pot {found.subgame.pot:g}: exploitable by {summary['exploitability']:.3g} % of it "
        f"after {counted(summary['iterations'], 'iteration')} ({cost})"
    )
    for who, value in zip(("out of position", "in position"), summary["ev"], strict=True):
        click.echo(f"  {who:15}  EV {value:.4g}")
    for who, value in zip(("out of position", "in position"), summary.get("worst_case", ()), strict=False):
        click.echo(f"  {who:15}  {value:.4g} in the worst case, if the locks are wrong")
    values = found.ev(node)
    click.echo(f"{values.node}, player {'in' if values.player else 'out of'} position: EV {values.mean:.4g} "
               f"+- {values.mean_gap:.2g}")  # fmt: skip
    for act, share, worth in zip(values.acts, values.frequencies, values.act_means, strict=True):
        ev = "" if worth != worth else f"  EV {worth:.4g}"
        click.echo(f"  {act!s:22}  {share:7.2%}{ev}")
