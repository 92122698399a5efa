"""``pokermodel experiment``: a table of the sources, played again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pokermodel.arena.experiments import Experiment, Outcome
    from pokermodel.stud.experiments import StudExperiment

__all__ = ["experiment"]


@click.command()
@click.argument("name", required=False)
@click.option("--deals", type=click.IntRange(min=2), help="Deals of each tournament; as many as published without.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of cards and players.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder that keeps finished deals; go on from there.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def experiment(
    name: str | None, deals: int | None, seed: int, jobs: int, checkpoint: Path | None, as_json: bool
) -> None:
    """Play an experiment of the sources again: ours beside the published figures, in small bets per game.

    Behind the table stands, for each claim that must hold, whether it did. "open" means that ours speaks against it,
    but not beyond chance at this number of deals. Without NAME, the experiments are listed. Those in five-card stud
    (bpp-...) take minutes: they run in one process and keep no checkpoint.
    """
    from pokermodel.arena.experiments import EXPERIMENTS, run_experiment
    from pokermodel.stud.experiments import STUD_EXPERIMENTS

    every: dict[str, Experiment | StudExperiment] = {**EXPERIMENTS, **STUD_EXPERIMENTS}
    if name is None:
        if as_json:
            listed = [
                {"experiment": known.name, "title": known.title, "source": known.source, "deals": known.deals}
                for known in every.values()
            ]
            click.echo(json.dumps(listed))
            return
        width = max(map(len, every))
        for known in every.values():
            click.echo(f"{known.name:{width}}  {known.title} ({known.source}; {known.deals:,} deals)")
        return
    if name not in every:
        raise ValueError(f"unknown experiment {name!r}: expected one of {', '.join(every)}")
    if name in STUD_EXPERIMENTS:
        if jobs > 1 or checkpoint is not None:
            raise click.UsageError(f"{name} runs in one process and keeps no checkpoint")
        _stud(name, deals, seed, as_json)
        return
    chosen = EXPERIMENTS[name]
    total = len(chosen.parts) * (deals or chosen.deals)
    with click.progressbar(length=total, label="deals", file=sys.stderr) as bar:
        outcome = run_experiment(
            chosen,
            deals,
            seed=seed,
            jobs=jobs,
            checkpoint=checkpoint,
            progress=lambda done, of: bar.update(done - bar.pos),
        )
    if as_json:
        click.echo(json.dumps(outcome.to_dict(), allow_nan=False))
    else:
        _print(outcome)


def _stud(name: str, deals: int | None, seed: int, as_json: bool) -> None:
    from pokermodel.stud.experiments import STUD_EXPERIMENTS, run_stud_experiment

    chosen = STUD_EXPERIMENTS[name]
    with click.progressbar(length=chosen.parts * (deals or chosen.deals), label="deals", file=sys.stderr) as bar:
        outcome = run_stud_experiment(chosen, deals, seed=seed, progress=lambda done, of: bar.update(done - bar.pos))
    click.echo(json.dumps(outcome.to_dict(), allow_nan=False) if as_json else str(outcome))


def _print(outcome: Outcome) -> None:
    report = outcome.to_dict()
    click.echo(f"{report['title']} ({report['source']})")
    click.echo(
        f"{report['deals']:,} deals, {report['games']:,} games, seed {report['seed']}, {report['seconds']:.0f} s"
    )
    sources = list(dict.fromkeys(source for row in report["rows"] for source in row["published"]))
    width = max(len(row["label"]) for row in report["rows"])
    click.echo()
    click.echo(f"{'sb/game':{width}}     ours  95 % interval       sd/game  {'  '.join(sources)}")
    for row in report["rows"]:
        low, high = row["ci95"]
        published = "  ".join(
            f"{row['published'][source]:+.3f}".center(len(source)) if source in row["published"] else " " * len(source)
            for source in sources
        )
        line = f"{row['label']:{width}}  {row['small_bets_per_game']:+.4f}  {low:+.4f} to {high:+.4f}"
        click.echo(f"{line}  {row['sd_per_game']:6.3f}  {published}".rstrip())
    click.echo()
    for found in report["claims"]:
        click.echo(f"{found['verdict']:6}  {found['claim']}")
        click.echo(f"{'':6}  {found['detail']}")
