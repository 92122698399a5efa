"""``pokermodel experiment``: a table of the sources, played again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.classics.commands import LINES
from pokermodel.cli._completion import complete_names
from pokermodel.cli._interrupts import goes_on_from
from pokermodel.cli._options import RESUME, Output, Work, output, seed, work
from pokermodel.cli._output import text_file, to_standard_output, write_by_ending
from pokermodel.cli._progress import progress
from pokermodel.tables.commands._games import deals

if TYPE_CHECKING:
    from pokermodel.classics.experiments import Experiment


def _names() -> Iterable[str]:
    from pokermodel.classics.experiments import experiments

    return experiments()


def _unit(known: Experiment) -> str:
    """What an experiment counts: deals, unless it says otherwise."""
    return str(getattr(known, "unit", "deal"))


@click.command(short_help=LINES["experiment"])
@click.argument("name", required=False, shell_complete=complete_names(_names))
@deals()
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="PART",
    help="Play this part alone; can be given several times. Claims about other parts are left out.",
)
@seed(1)
@work()
@RESUME
@output("the outcome, beside the published figures,", ".html", ".json")
def experiment(
    name: str | None,
    deals: int | None,
    parts: tuple[str, ...],
    seed: int,
    work: Work,
    resume: Path | None,
    output: Output,
) -> None:
    """Repeat a published experiment and compare the figures.

    Our figures stand beside the published ones, in small bets per game. Below them, each claim of the source gets one
    of four words, by 95% intervals. "held": every difference is as printed, beyond chance. "in order within chance":
    every mean is as printed, but chance alone could put one of them there. "open": a mean contradicts the claim, but
    not beyond chance. "failed": a difference contradicts it beyond chance. The number of deals is by default the
    published one (of spots in hand-strength).

    Without NAME, the experiments are listed. Those in five-card stud (bpp-...) take minutes; they, trials and
    hand-strength run in one process, and --resume keeps nothing of them.
    """
    from pokermodel.classics.experiments import TournamentExperiment, get_experiment

    if name is None:
        if output.out is not None:
            raise click.UsageError("--out writes one experiment: expected its NAME")
        _list(as_json=output.as_json)
        return
    if deals is not None and deals < 2:
        raise click.UsageError(f"--deals {deals}: expected 2 or more")
    chosen = get_experiment(name)
    if parts:
        if not isinstance(chosen, TournamentExperiment):
            raise click.UsageError(f"experiment {name} has no parts: expected no --part")
        chosen = chosen.only(parts)
    with goes_on_from(resume), progress(_unit(chosen)) as shown:
        if shown is not None:
            shown(0, chosen.total(deals))
        outcome = chosen.run(
            deals, seed=seed, jobs=work.jobs or 1, resume=resume, progress=shown, executor=work.remote()
        )
    text = json.dumps(outcome.to_dict(), allow_nan=False)
    if not to_standard_output(output.out):
        click.echo(text if output.as_json else str(outcome))
    if output.out is not None:
        from pokermodel.classics.report.experiment_page import experiment_page

        page = text_file("page", lambda: experiment_page(outcome))
        write_by_ending(output.out, {".html": page, ".json": text_file("outcome", lambda: text + "\n")})


def _list(*, as_json: bool) -> None:
    """List the experiments."""
    from pokermodel.classics.experiments import experiments

    every = experiments().values()
    if as_json:
        listed = [
            {"experiment": known.name, "title": known.title, "source": known.source, "deals": known.deals}
            for known in every
        ]
        click.echo(json.dumps(listed))
        return
    width = max(len(known.name) for known in every)
    for known in every:
        click.echo(f"{known.name:{width}}  {known.title} ({known.source}; {counted(known.deals, _unit(known))})")
