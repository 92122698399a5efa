"""``pokermodel experiment``: a table of the sources, played again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_names
from pokermodel.cli._interrupts import goes_on_from, resume_option
from pokermodel.cli._pages import page_option, write_page
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, jobs_option, open_executor

if TYPE_CHECKING:
    from pokermodel.classics.experiments import Experiment


def _names() -> Iterable[str]:
    from pokermodel.classics.experiments import experiments

    return experiments()


def _unit(known: Experiment) -> str:
    """What an experiment counts: deals, unless it says otherwise."""
    return str(getattr(known, "unit", "deal"))


@click.command()
@click.argument("name", required=False, shell_complete=complete_names(_names))
@click.option(
    "--deals",
    type=click.IntRange(min=2),
    help="Number of deals of each part, of spots in hand-strength; by default as published.",
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="PART",
    help="Play this part alone; can be given several times. Claims about other parts are left out.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of cards and players.")
@jobs_option("Number of processes.")
@cluster_option
@resume_option
@page_option("the outcome, beside the published figures,")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def experiment(
    name: str | None,
    deals: int | None,
    parts: tuple[str, ...],
    seed: int,
    jobs: int,
    cluster: str | None,
    resume: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Repeat a published experiment and compare the figures.

    Our figures stand beside the published ones, in small bets per game. Below them, each claim of the source is judged
    by ours: it held, failed, or is open, which means that they speak against it, but not beyond chance at this number
    of deals. Without NAME, the experiments are listed. Those in five-card stud (bpp-...) take minutes; they,
    trials and hand-strength run in one process and keep no journal.
    """
    from pokermodel.classics.experiments import TournamentExperiment, experiments, get_experiment

    if name is None:
        if html is not None:
            raise click.UsageError("--html writes one experiment: expected its NAME")
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
        return
    chosen = get_experiment(name)
    if parts:
        if not isinstance(chosen, TournamentExperiment):
            raise click.UsageError(f"experiment {name} has no parts: expected no --part")
        chosen = chosen.only(parts)
    executor = None if cluster is None else open_executor(jobs, cluster)
    with goes_on_from(resume), progress(_unit(chosen)) as shown:
        if shown is not None:
            shown(0, chosen.total(deals))
        outcome = chosen.run(deals, seed=seed, jobs=jobs, resume=resume, progress=shown, executor=executor)
    click.echo(json.dumps(outcome.to_dict(), allow_nan=False) if as_json else str(outcome))
    if html is not None:
        from pokermodel.classics.report.experiment_page import experiment_page

        write_page(html, experiment_page(outcome), as_json)
