"""``--html``: results as a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = ["in_a_folder", "page_option", "write_page"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def page_option(what: str) -> Callable[[_Command], _Command]:
    """Give a command the option ``--html``, which says where `what` is written to as a page."""
    return click.option(
        "--html",
        metavar="OUT",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=in_a_folder,
        help=f"Also write {what} as a page for a browser: one file that needs no network.",
    )


def in_a_folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a place at which nothing could be written, before there is much to lose."""
    if path is not None and not path.resolve().parent.is_dir():
        raise click.BadParameter(f"{path}: there is no folder {path.parent}", context, option)
    return path


def write_page(path: Path, page: str, as_json: bool) -> None:
    """Write a page, and say so unless standard output is for JSON."""
    from pokermodel._support.files import write_text

    write_text(path, page)
    if not as_json:
        click.echo(f"page written to {path}")
