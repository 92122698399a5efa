"""Where reports are printed: on a terminal, or into a pipe or a file, which have no width."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console_kind", "console_like", "open_console", "raw_option", "write_csv", "write_line"]

_UNBOUNDED = 1000  # columns, more than any line has
_HEIGHT = 25  # lines, which nothing depends on; with it, rich asks no terminal for a size


class _Unpadded:
    """A stream that drops the blanks at the ends of lines.

    Parameters
    ----------
    stream : file
        Where the text goes.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._held = ""  # blanks that are dropped if the line ends there

    def write(self, text: str) -> int:
        """Write text."""
        whole = self._held + text
        kept = whole.rstrip(" ")
        self._held = whole[len(kept) :]
        self._stream.write(re.sub(r" +\n", "\n", kept))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def open_console() -> Console:
    """Return a console on standard output.

    In a pipe or a file, lines are neither cut nor wrapped, unless the variable COLUMNS says how long they may be, and
    have no blanks at their ends.
    """
    from rich.console import Console

    if sys.stdout is None or sys.stdout.isatty():
        return Console(highlight=False, soft_wrap=False)
    width = None if os.environ.get("COLUMNS", "").isdigit() else _UNBOUNDED
    file = cast("IO[str]", _Unpadded(sys.stdout))
    return Console(file=file, width=width, height=_HEIGHT, highlight=False, soft_wrap=False)


def console_kind(console: Console) -> dict[str, Any]:
    """What decides how text looks on a console, for `console_like` in another process."""
    return {
        "width": console.width,
        "height": console.height,
        "color_system": console.color_system,
        "force_terminal": console.is_terminal,
        "legacy_windows": console.legacy_windows,
        "no_color": console.no_color,
        "encoding": console.encoding,
    }


class _Told(io.StringIO):
    """Text that is kept, in the encoding of where it goes later."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of where the text goes."""
        return self._encoding


def console_like(kind: Mapping[str, Any]) -> tuple[Console, io.StringIO]:
    """Return a console of a kind, and the text that is printed on it."""
    from rich.console import Console

    told = _Told(kind["encoding"])
    options = {name: value for name, value in kind.items() if name != "encoding"}
    return Console(file=told, highlight=False, soft_wrap=False, **options), told


def write_line(text: str) -> None:
    """Write a line of JSON to standard output, where whoever reads it gets it at once.

    `click.echo` looks for colours to take out, which takes longer than to write: JSON has none.
    """
    if sys.stdout is not None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


#: ``--raw`` of commands that write comma-separated values.
raw_option = click.option(
    "--raw",
    is_flag=True,
    help="Write CSV without the ' that goes before names such as =1+1, which a spreadsheet would take for formulas.",
)


def write_csv(to: Path, text: str) -> None:
    """Write comma-separated values to a file, or to standard output for ``-``."""
    from pokermodel._support.files import write_text

    if str(to) == "-":
        click.echo(text, nl=False)
    else:
        write_text(to, text)
