"""``pokermodel experiment``: a table of the sources, played again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from pokermodel._words import counted


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
    from pokermodel.experiments import experiments, get_experiment

    if name is None:
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
            click.echo(f"{known.name:{width}}  {known.title} ({known.source}; {counted(known.deals, 'deal')})")
        return
    chosen = get_experiment(name)
    with click.progressbar(length=chosen.total(deals), label="deals", file=sys.stderr) as bar:
        outcome = chosen.run(
            deals,
            seed=seed,
            jobs=jobs,
            checkpoint=checkpoint,
            progress=lambda done, of: bar.update(done - bar.pos),
        )
    click.echo(json.dumps(outcome.to_dict(), allow_nan=False) if as_json else str(outcome))
