"""Where reports are printed: on a terminal, or into a pipe or a file, which have no width."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import click

from pokermodel._support.files import MOST_NAME

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "console_kind",
    "console_like",
    "in_a_folder",
    "open_console",
    "opened",
    "out_option",
    "text_file",
    "to_standard_output",
    "write_by_ending",
]

_F = TypeVar("_F", bound=Callable[..., Any])

_UNBOUNDED = 1000  # columns, more than any line has
_HEIGHT = 25  # lines, which nothing depends on; with it, rich asks no terminal for a size


class _Unpadded:
    """A stream that drops the blanks at the ends of lines."""

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
    """The settings of text on a console, for `console_like` in another process."""
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


def out_option(what: str, *endings: str) -> Callable[[_F], _F]:
    """Add ``--out FILE``, which `write_by_ending` takes, for a result (in words) and its endings, such as ".html".

    A file with another ending, in a folder that is not there, with too long a name, or for which a package is missing,
    is refused before anything is computed.
    """

    def checked(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
        if path is not None:
            _check_ending(path, endings)
        if path is not None and path.suffix.lower() == ".parquet":
            from pokermodel._support.frames import check_parquet

            try:
                check_parquet()
            except ModuleNotFoundError as error:
                raise click.ClickException(str(error)) from None
        return in_a_folder(context, option, path)

    return click.option(
        "--out",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=checked,
        help=f"Write {what} to a file. Its ending says how: {_listed(endings)}.",
    )


def in_a_folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a place at which nothing could be written, before there is much to lose."""
    if path is not None and not path.resolve().parent.is_dir():
        raise click.BadParameter(f"{path}: there is no folder {path.parent}", context, option)
    if path is not None and len(os.fsencode(path.name)) > MOST_NAME:
        raise click.BadParameter(f"{path.name[:20]}...: expected a name of at most {MOST_NAME} bytes", context, option)
    return path


def write_by_ending(path: Path, writers: Mapping[str, Callable[[Path], str]]) -> None:
    """Write results to a file in the form that its ending names, and say so on standard error.

    By ending (".html"), a writer takes the path, and returns what it has written, in words: "40 hands".
    """
    _check_ending(path, writers)
    what = writers[path.suffix.lower()](path)
    if not to_standard_output(path):
        click.echo(f"{what} written to {path}", err=True)


def text_file(what: str, text: Callable[[], str]) -> Callable[[Path], str]:
    """The writer of a text to a file, for `write_by_ending`."""

    def write(path: Path) -> str:
        with opened(path) as put:
            put(text())
        return what

    return write


def to_standard_output(path: Path | None) -> bool:
    """Whether results go to standard output: their file has a dash for a name, as in ``-.csv``."""
    return path is not None and path.stem == "-"


def _put(text: str) -> None:
    """Write text to standard output at once, without a look for colours as `click.echo` has."""
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def opened(path: Path) -> Iterator[Callable[[str], object]]:
    """Open a file for text, which is written as a whole or not at all; or standard output, see `to_standard_output`."""
    from pokermodel._support.files import whole_file

    if to_standard_output(path):
        yield _put
    else:
        with whole_file(path) as write:
            yield lambda text: write(text.encode())


def _check_ending(path: Path, endings: Iterable[str]) -> None:
    if path.suffix.lower() not in endings:
        raise click.UsageError(f"--out {path}: expected a file whose name ends in {_listed(endings)}")


def _listed(endings: Iterable[str]) -> str:
    *some, last = endings
    return f"{', '.join(some)} or {last}" if some else last
