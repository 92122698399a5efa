"""``pokermodel income-rates``: the package's table of pre-flop income rates, made again."""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path

import click

from pokermodel._support.files import write_text
from pokermodel._support.version import release
from pokermodel.cli._progress import progress
from pokermodel.cli._workers import cluster_option, open_executor
from pokermodel.evaluation import rollout


@click.command(name="income-rates", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--deals",
    type=click.IntRange(min=rollout.MIN_DEALS),
    default=rollout.DEALS,
    show_default=True,
    help="Number of deals of 23 holdings.",
)
@click.option("--seed", type=click.IntRange(min=0), default=rollout.SEED, show_default=True, help="Seed of the deals.")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of threads; by default one per processor.")
@cluster_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, allow_dash=True),
    default="-",
    help="File to write; by default standard output.",
)
def income_rates(deals: int, seed: int, jobs: int | None, cluster: str | None, output: str) -> None:
    """Compute the table of pre-flop income rates for 2 to 23 players.

    With the default deals and seed, the result is the table that ships with the package, for any number of threads or
    workers.
    """
    if output == "-":
        if sys.stdout is None:
            raise click.UsageError("standard output is closed: name a file by --output")
    elif not os.access(Path(output).absolute().parent, os.W_OK):  # not after hours of work
        raise click.UsageError(f"{output} cannot be written: no such folder, or a read-only one")
    executor = None if cluster is None else open_executor(jobs, cluster)
    with progress("part", label="two players, exactly: ") as shown:
        counts = rollout.heads_up_counts(jobs, shown, executor)
    with progress("part", label="2 to 23 players, by dealing: ") as shown:
        table = rollout.simulate_rates(deals, seed, jobs, shown, executor)
    table.rates[0], table.errors[0] = rollout.heads_up_rates(counts), 0.0
    comment = (
        f"Pre-flop income rates in milli small bets per hand, all players staying to the end "
        f"(Papp 1998, section 5.1).\n"
        f"Two players by enumeration of all boards, more from {deals} deals of 23 holdings, seed {seed}.\n"
        f"Made by pokermodel {release() or '(not installed)'}: pokermodel income-rates --deals {deals} --seed {seed}"
    )
    if output == "-":
        rollout.write_table(table, sys.stdout, comment)
    else:
        text = StringIO()
        rollout.write_table(table, text, comment)
        write_text(Path(output), text.getvalue())
