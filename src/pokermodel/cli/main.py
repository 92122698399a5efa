"""The command group, and how errors reach the user: one line on standard error, exit status 2."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any, NoReturn

import click

from pokermodel._support.words import error_words
from pokermodel.cli.acpc import acpc, acpc_dealer
from pokermodel.cli.book import book
from pokermodel.cli.convert import convert
from pokermodel.cli.equity import equity
from pokermodel.cli.experiment import experiment
from pokermodel.cli.fit import fit
from pokermodel.cli.income_rates import income_rates
from pokermodel.cli.learn import learn
from pokermodel.cli.list import list_hands
from pokermodel.cli.nodes import nodes
from pokermodel.cli.play import play
from pokermodel.cli.profile import profile
from pokermodel.cli.range import show_range
from pokermodel.cli.read import read
from pokermodel.cli.score import score
from pokermodel.cli.tournament import tournament
from pokermodel.errors import ClusterWarning, DamagedBookError, PluginWarning

__all__ = ["cli", "main"]

_COMPLETING = "_POKERMODEL_COMPLETE"  # the variable by which a shell asks for completions


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="pokermodel")
def cli() -> None:
    """Infer what poker opponents can hold from what they did."""


cli.add_command(read)
cli.add_command(list_hands)
cli.add_command(convert)
cli.add_command(learn)
cli.add_command(profile)
cli.add_command(nodes)
cli.add_command(book)
cli.add_command(score)
cli.add_command(fit)
cli.add_command(equity)
cli.add_command(show_range)
cli.add_command(play)
cli.add_command(tournament)
cli.add_command(experiment)
cli.add_command(acpc)
cli.add_command(acpc_dealer)
cli.add_command(income_rates)


def main(args: list[str] | None = None) -> None:
    """Run the command line.

    Parameters
    ----------
    args : list of str, optional
        Arguments; those of the process without.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what an encoding lacks is shown by its number, and ends nothing
            stream.reconfigure(errors="backslashreplace")
    if sys.stderr is not None:
        _run(args)
    # closed; progress bars would turn to standard output, and worker processes would not start
    with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere):
        os.set_inheritable(nowhere.fileno(), True)  # it has got the free number 2, theirs
        _run(args)


def _run(args: list[str] | None) -> NoReturn:
    with warnings.catch_warnings():
        warnings.showwarning = _in_a_line(warnings.showwarning)
        _run_command(args)


def _in_a_line(shown: Callable[..., None]) -> Callable[..., None]:
    """Show warnings about other packages and about clusters in one line, and all others as before."""

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, (ClusterWarning, PluginWarning)):
            shown(message, category, *where, **more)
        elif _COMPLETING not in os.environ:
            click.echo(f"Warning: {' '.join(str(message).split())}", err=True)

    return show


def _run_command(args: list[str] | None) -> NoReturn:
    try:
        status = cli.main(args=args, prog_name="pokermodel", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        click.echo("Aborted.", err=True)
        sys.exit(130)
    except (ValueError, OSError) as error:
        more = " (`pokermodel book check` says what can be saved)" if isinstance(error, DamagedBookError) else ""
        click.echo(f"Error: {' '.join(error_words(error).split())}{more}", err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
