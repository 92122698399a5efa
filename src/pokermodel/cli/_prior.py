"""The option that says what is known of people in general."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pokermodel.reading import ReaderKind

__all__ = ["learnt_with", "prior_option", "with_prior"]

F = TypeVar("F", bound=Callable[..., Any])


def with_prior(command: F) -> F:
    """Give a command the option ``--prior``."""
    option = click.option(
        "--prior",
        metavar="PRIOR",
        type=click.Path(path_type=Path, dir_okay=False),
        help="What the adaptive reader knows of people in general: a file made by `pokermodel fit`. By default the one "
        "that ships with the package.",
    )
    return option(command)


def prior_option(kind: ReaderKind, prior: Path | None) -> dict[str, Any]:
    """Options of a reader that begin it with a prior.

    Raises
    ------
    click.UsageError
        If the reader has none.
    """
    if prior is None:
        return {}
    if "prior" not in kind.options:
        raise click.UsageError(f"model {kind.name!r} has no prior: --prior is for the adaptive reader")
    return {"prior": prior}


def learnt_with(knowledge: Any, prior: Path | None) -> Any:
    """A kind of knowledge as it is learnt with a prior, where it has one."""
    if prior is None or not hasattr(knowledge, "with_prior"):
        return knowledge
    from pokermodel.reading import read_prior

    return knowledge.with_prior(read_prior(prior))
