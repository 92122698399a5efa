"""The runner of commands, and the display of errors: one line on standard error, exit status 2.

A defect of the package is one line, too, with exit status 70, and a traceback with ``--traceback``.

Click, and the group of commands that is made with it, are imported when there is a command to run: to say the version
takes a part of the time that this takes.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from pokermodel._support.version import about
from pokermodel._support.words import error_words
from pokermodel.errors import ClusterWarning, PluginWarning

if TYPE_CHECKING:
    from pokermodel.cli._commands import cli

__all__ = ["cli", "main"]

_COMPLETING = "_POKERMODEL_COMPLETE"  # the variable by which a shell asks for completions
_TRACEBACK = "--traceback"  # anywhere among the arguments
_DEFECT = 70  # the exit status of a defect, as sysexits.h has it


# Hidden from type checkers, which would take every name of the module for defined by it.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "cli":  # the group of commands
            from pokermodel.cli._commands import cli

            return cli
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main(args: list[str] | None = None) -> None:
    """Run the command line, by default with the arguments of the process."""
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
            from click import echo

            echo(f"Warning: {' '.join(str(message).split())}", err=True)

    return show


def _run_command(args: list[str] | None) -> NoReturn:
    given = sys.argv[1:] if args is None else args
    if _COMPLETING not in os.environ and given == ["--version"]:
        _say_version()
    args = [each for each in given if each != _TRACEBACK]
    # NumPy's OpenBLAS looks here when NumPy is first imported, which is below. Its threads take a tenth of a second of
    # processor time to start, for linear algebra that few commands do; and they add up in another order than one, so
    # that last digits would depend on the number of processors
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    import click

    from pokermodel._support.options import package_at_fault
    from pokermodel.cli._commands import cli

    if _COMPLETING in os.environ:
        import_module("pokermodel.cli._completion")  # before click looks for the shell
    # Reference counts free what is made of a hand, and few objects refer to each other in a circle. To look for circles
    # every 700 objects takes 7 to 10% of a command.
    gc.set_threshold(50_000)
    try:
        status = cli.main(args=args, prog_name="pokermodel", standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"Error: {' '.join(error.format_message().split())}", err=True)
        sys.exit(2)
    except click.Abort as abort:
        click.echo(str(abort) or "Aborted.", err=True)
        sys.exit(130)
    except (ValueError, OSError) as error:
        if _TRACEBACK in given:
            raise
        package = package_at_fault(error)
        words = " ".join(error_words(error).split())
        click.echo(f"Error: {package + ': ' if package else ''}{words}", err=True)
        sys.exit(2)
    except Exception as error:  # of which none is expected
        if _TRACEBACK in given:
            raise
        command = " ".join(["pokermodel", *[each for each in args if not each.startswith("-")][:1]])
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        package = package_at_fault(error)
        source = "it" if package else "pokermodel"
        where = f"please report it where you have {source} from, with what {_TRACEBACK} prints"
        click.echo(f"Error: a defect of {package or 'pokermodel'} ends {command}: {what}; {where}", err=True)
        sys.exit(_DEFECT)
    sys.exit(status if isinstance(status, int) else 0)


def _say_version() -> None:
    """Say the version and end; what cannot be written is left to click, which knows what to do then."""
    try:
        print(about(), flush=True)
    except OSError:
        return
    sys.exit(0)
