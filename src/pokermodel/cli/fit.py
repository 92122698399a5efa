"""``pokermodel fit``: fit a prior to hand histories."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.histories import HandFilter
    from pokermodel.reading.adaptive.population import PlayedHand

__all__ = ["fit"]


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--out",
    required=True,
    metavar="PRIOR",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the prior is written to; a file that is there is replaced.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same prior.")
@click.option("--note", default="", help="What the prior says of itself, for example what the hands are.")
@click.option(
    "--passes", type=click.IntRange(min=1), help="How often the hands are gone over, everybody being taken alike."
)
@click.option(
    "--joint-passes", type=click.IntRange(min=0), help="How often they are gone over with what is known of players."
)
@click.option(
    "--kind",
    metavar="NAME",
    help="Add a kind of table by this name to a prior, the hands being of it; its likelihoods stay.",
)
@click.option(
    "--prior",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="With --kind, the prior it is added to.  [default: that of the package]",
)
@jobs_option("Number of processes that read the hands; the passes over them are of one.")
@cluster_option
@with_filter
def fit(
    files: tuple[Path, ...],
    out: Path,
    seed: int,
    passes: int | None,
    joint_passes: int | None,
    note: str,
    kind: str | None,
    prior: Path | None,
    jobs: int,
    cluster: str | None,
    which: HandFilter,
) -> None:
    """Fit the prior of the adaptive reader: what people do with their holdings, and how they differ.

    Each FILE is a hand history, or a folder or an archive of hand histories, as for `pokermodel read`; the hands of a
    FILE are taken in order. Hands that nobody showed count, too; of no limit and pot limit all cards are looked at that
    the history knows. Limit and the other two are fitted apart, each if there are hands of it: it needs some thousand,
    and players who are seen often. 15,000 hands take some minutes of one processor: passes over them are small steps,
    one after the other, in one process.

    With --kind nothing is fitted anew: a prior gets one kind of table more, whose levels are those of the hands. A
    table that says the same of itself (site, money, seats, stacks, antes) begins with them, and any other one comes to
    them if it is played like that. It takes seconds, and 120 hands or more.

    `read`, `score` and `learn` use the prior with --prior; what a book learnt with one prior cannot be read with
    another.
    """
    from pokermodel._support.files import write_bytes
    from pokermodel.histories import SourceReport
    from pokermodel.reading.adaptive.fitting import FitOptions, add_kind, fit_prior
    from pokermodel.reading.adaptive.prior import default_prior, read_prior

    if prior is not None and kind is None:
        raise click.UsageError("--prior is for --kind: what is fitted anew begins from nothing")
    if kind is not None and (passes is not None or joint_passes is not None):
        raise click.UsageError("--kind fits nothing anew: it has no --passes and no --joint-passes")

    skipped = Skipped()
    reading = HandReading(skipped, files, which)
    executor = open_executor(jobs, cluster)
    played: list[PlayedHand] = []
    with progress("hand", reading.share) as shown:

        def told(number: int) -> None:
            if shown is not None:
                shown(number)

        if executor.here:
            for number, hand in enumerate(chain.from_iterable(map(reading.hands, files)), 1):
                played += _play([hand], skipped)
                told(number)
        else:
            with closing(reading.share_out(executor, _play, skipped)) as found:
                for some in chain.from_iterable(found):
                    played += some
                    told(len(played))
    say_left_out(SourceReport(reading.files), skipped)
    click.echo(f"{counted(len(played), 'hand')} to fit", err=True)

    if kind is not None:
        try:
            more = add_kind(default_prior() if prior is None else read_prior(prior), played, kind)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
        write_bytes(out, more.to_bytes())
        known = ", ".join(f"{len(game.kinds or ())} kinds of {name}" for name, game in more.games.items())
        click.echo(f"{out}: {known}, {more.digest[:12]}")
        return
    asked = {"passes": passes, "joint_passes": joint_passes}
    options = FitOptions(**{name: value for name, value in asked.items() if value is not None})
    with progress("pass") as shown:

        def step(done: int, passes: int, loss: float) -> None:
            if shown is not None:
                shown.clear()
            click.echo(f"pass {done} of {passes}: {loss:.4f} nats an act", err=True)
            if shown is not None:
                shown(done, passes)

        if shown is not None:
            shown(0, options.passes + options.joint_passes)
        try:
            fitted = fit_prior(played, rng=seed, options=options, about={"note": note, "seed": seed}, step=step)
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    write_bytes(out, fitted.to_bytes())
    click.echo(f"{out}: {fitted.about['hands']:,} hands of {fitted.about['players']:,} players, {fitted.digest[:12]}")


def _play(hands: Iterable[Hand], skipped: Skipped) -> list[PlayedHand]:
    """What hands say of those who acted in them."""
    from pokermodel.reading.adaptive.population import play

    played = []
    for hand in hands:
        try:
            decisions = list(hand.replay())
            _ = hand.payoffs
            found = play(hand, decisions, all_cards=not hand.spec.structure.fixed)
        except ValueError as error:
            skipped.append(error)
            continue
        if found is not None:
            played.append(found)
    return played
