"""The command group, and how errors reach the user: one line on standard error, exit status 2."""

from __future__ import annotations

import gc
import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib import import_module
from typing import Any, NoReturn

import click

from pokermodel._support.version import release
from pokermodel._support.words import error_words
from pokermodel.errors import ClusterWarning, DamagedBookError, PluginWarning

__all__ = ["cli", "main"]

_COMPLETING = "_POKERMODEL_COMPLETE"  # the variable by which a shell asks for completions


#: Commands in the order in which they are listed, and where each is: the module of its name, or another and its name.
_COMMANDS = {
    "read": "read",
    "sample": "sample",
    "list": "list:list_hands",
    "convert": "convert",
    "learn": "learn",
    "profile": "profile",
    "versus": "versus",
    "nodes": "nodes",
    "book": "book",
    "score": "score",
    "fit": "fit",
    "equity": "equity",
    "range": "range:show_range",
    "study": "study",
    "solve": "solve",
    "blueprint": "blueprint",
    "play": "play",
    "tournament": "tournament",
    "exploit": "exploit",
    "experiment": "experiment",
    "acpc": "acpc",
    "acpc-dealer": "acpc:acpc_dealer",
    "income-rates": "income_rates",
}


class _Commands(click.Group):
    """Commands that are imported when they are asked for, so that none waits for what another one needs."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, _, command = _COMMANDS[name].partition(":")
        found = getattr(import_module(f"pokermodel.cli.{module}"), command or module)
        assert isinstance(found, click.Command)
        return found


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"pokermodel, version {release()}")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_say_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Infer what poker opponents can hold from what they did."""


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
    if _COMPLETING in os.environ:
        import_module("pokermodel.cli._completion")  # before click looks for the shell
    # what is made of a hand goes as soon as nobody has it: there is little that goes in circles, and looking for it
    # every 700 objects takes one part in forty of reading many hands. What is there by now stays, and is not looked at
    gc.freeze()
    gc.set_threshold(50_000)
    try:
        status = cli.main(args=args, prog_name="pokermodel", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort as abort:
        click.echo(str(abort) or "Aborted.", err=True)
        sys.exit(130)
    except (ValueError, OSError) as error:
        more = " (`pokermodel book check` says what can be saved)" if isinstance(error, DamagedBookError) else ""
        click.echo(f"Error: {' '.join(error_words(error).split())}{more}", err=True)
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)
