"""``pokermodel fit``: add a kind of table to a prior."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._options import JSON, WHERE
from pokermodel.cli._progress import progress

if TYPE_CHECKING:
    from pokermodel.histories import Filter

__all__ = ["fit"]


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--kind", required=True, metavar="NAME", help="The name of the kind. It replaces a kind of the same name."
)
@click.option(
    "--out",
    required=True,
    metavar="PRIOR",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write. An existing file is replaced.",
)
@click.option(
    "--prior",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The prior that gets the kind.  [default: the one of the package]",
)
@WHERE
@JSON
def fit(files: tuple[Path, ...], kind: str, out: Path, prior: Path | None, which: Filter, as_json: bool) -> None:
    """Add a kind of table to what the adaptive reader knows of people in general, its prior.

    The hands of all FILEs make the kind: they tell how people act there. A table with the same site, money, seats,
    stacks and antes then begins with that, and other tables come to it if they are played like that. It takes 120 hands
    or more of limit, or of no limit and pot limit together.

    The new prior is used with --model adaptive?prior=PRIOR, and learnt with --for adaptive?prior=PRIOR. A book that was
    learnt with one prior cannot be read with another.
    """
    from pokermodel._support.files import write_bytes
    from pokermodel.reading.adaptive.levels import add_kind, whole_hand
    from pokermodel.reading.adaptive.prior import default_prior, read_prior

    skipped = Skipped()
    reading = HandReading(skipped, files, which)
    played = []
    with progress("hand", reading.share) as shown:
        for number, hand in enumerate(chain.from_iterable(map(reading.hands, files)), 1):
            try:
                played.append(whole_hand(hand))
            except ValueError as error:
                skipped.append(error)
            if shown is not None:
                shown(number)
    say_left_out(reading.report(), skipped)
    hands = [each for each in played if each is not None]
    click.echo(f"{counted(len(hands), 'hand')} to fit", err=True)
    found = add_kind(default_prior() if prior is None else read_prior(prior), hands, kind)
    write_bytes(out, found.to_bytes())
    kinds = {name: len(game.kinds or ()) for name, game in found.games.items()}
    if as_json:
        click.echo(json.dumps({"file": str(out), "hands": len(hands), "kinds": kinds, "digest": found.digest}))
    else:
        known = ", ".join(f"{number} kinds of {name}" for name, number in kinds.items())
        click.echo(f"{out}: {known}, {found.digest[:12]}")
