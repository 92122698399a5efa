"""The executors of commands: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pokermodel.executors import Executor

__all__ = ["open_executor"]

_LOGGERS = ("distributed", "tornado", "asyncio")


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
