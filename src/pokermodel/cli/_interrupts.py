"""The message of a command after an interruption: the place of its results so far, if there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

__all__ = ["aborted", "goes_on_from"]


def aborted(kept: Path | str | None) -> click.Abort:
    """The exception that ends an interrupted command, and says from what the same command goes on.

    `kept` is a file, if there is one by then, or words; None if nothing has the work that is done.
    """
    if kept is None or (isinstance(kept, Path) and not kept.exists()):
        return click.Abort()
    return click.Abort(f"Aborted: {kept} keeps what is done, and the same command goes on from there.")


@contextmanager
def goes_on_from(kept: Path | str | None) -> Iterator[None]:
    """Say of an interrupt within the block where the work is kept that is done; see `aborted`."""
    try:
        yield
    except KeyboardInterrupt:
        raise aborted(kept) from None
