"""Commands that go on after an interruption: the option that names their journal, and what they say when they end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pokermodel.cli._pages import in_a_folder

__all__ = ["aborted", "goes_on_from", "resume_option"]

#: ``--resume`` of commands that keep a journal.
resume_option = click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=in_a_folder,
    help="Keep what is finished in this file, and go on from it if it is there.",
)


def aborted(kept: Path | str | None) -> click.Abort:
    """The exception that ends an interrupted command, with what is said then.

    Parameters
    ----------
    kept : Path, str or None
        What has the work that is done, from which the same command goes on: a file, if there is one by then, or words;
        None if nothing has.
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
