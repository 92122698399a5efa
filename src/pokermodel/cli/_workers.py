"""Options that say what does the work: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from pokermodel.executors import Executor

__all__ = ["cluster_option", "jobs_option", "open_executor"]

_LOGGERS = ("distributed", "tornado", "asyncio")
_F = TypeVar("_F", bound=Callable[..., Any])


def jobs_option(what: str) -> Callable[[_F], _F]:
    """Add ``--jobs``, which is 1 by default, with its help."""
    return click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help=what)


def cluster_option(command: _F) -> _F:
    """Add ``--cluster``, which goes without ``--jobs``."""

    def alone(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and context.get_parameter_source("jobs") is ParameterSource.COMMANDLINE:
            raise click.UsageError("--jobs and --cluster both say what does the work: expected one of them")
        return value

    return click.option(
        "--cluster",
        metavar="ADDRESS",
        callback=alone,
        help="Dask scheduler whose workers do the work, as tcp://host:8786; or local:4, four workers on this machine.",
    )(command)


def open_executor(jobs: int | None, cluster: str | None) -> Executor:
    """Return what does the work of a command, at whose end it is closed: the cluster, if one is named, or processes."""
    from pokermodel.executors import Dask, Processes

    if cluster is None:
        return Processes(jobs)
    _silence()
    try:
        return click.get_current_context().with_resource(Dask(cluster))
    except ModuleNotFoundError as error:
        raise click.ClickException(str(error)) from None


def _silence() -> None:
    """Let Dask and what it stands on log nothing: the command says in one line what is wrong.

    Dask gives each of its loggers a level and a handler when it is imported, so that the level of their root does not
    count.
    """
    import logging  # here, since most commands start without it

    with suppress(ModuleNotFoundError):
        import distributed  # noqa: F401
    for name in ("asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
