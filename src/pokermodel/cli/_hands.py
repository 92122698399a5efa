"""Hands of the files that a command was given, and what it says of those that it leaves out."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.patterns import regex
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.game import Hand
    from pokermodel.histories import Filter, HandSource, HistoryFile, SourceReport
    from pokermodel.histories.files import Sink

__all__ = ["HandReading", "HistoryPath", "Skipped", "open_source", "say_left_out"]

_LISTED = 20  # kinds of damage, and files, that are listed
_KINDS = 1000  # that are told apart
_VARIABLE = regex(r"'.*'|\"[^\"]*\"|[0-9.,]+")  # what differs between hands with the same damage
_PATIENCE = 1.0  # seconds without input after which it is said that it is waited for


class HistoryPath(click.Path):
    """FILE of the commands that take hand histories: a file or a folder; a dash is standard input."""

    def __init__(self, exists: bool = True) -> None:
        super().__init__(exists=exists, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        # by the name that the system has for it, it is a pipe or a file as any other
        return super().convert("/dev/stdin" if value == "-" else value, param, ctx)


class _Kind(NamedTuple):
    """Hands that were left out for one reason: how many, what was said of the first of them, and where that is."""

    hands: int
    first: str
    path: str | None
    line: int | None
    hand: str | None
    reason: str


class Skipped:
    """Hands that were left out: how many, and for each kind of damage how often and where first.

    Errors of files, which are in the reports of their sources, are not noted.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}

    def append(self, error: ValueError) -> None:
        """Note one."""
        first = _line(str(error))
        kind = _Kind(1, first, None, None, None, first)
        if isinstance(error, HistoryError):
            if error.line is None:
                return
            kind = _Kind(1, first, error.path, error.line, error.hand, _line(error.reason))
        self._note(_VARIABLE.sub("", kind.reason.partition(", got ")[0]), kind)

    def add(self, other: Skipped) -> None:
        """Note those of other files."""
        for name, kind in other._kinds.items():
            self._note(name, kind)

    def _note(self, name: str, kind: _Kind) -> None:
        if name not in self._kinds and len(self._kinds) >= _KINDS:
            name = ""  # of all others
        known = self._kinds.get(name)
        self._kinds[name] = kind if known is None else known._replace(hands=known.hands + kind.hands)

    def __len__(self) -> int:
        return sum(kind.hands for kind in self._kinds.values())

    def most(self) -> list[_Kind]:
        """Return the kinds of damage, the most frequent one first."""
        return sorted(self._kinds.values(), key=lambda kind: -kind.hands)

    def to_list(self) -> list[dict[str, Any]]:
        """For each kind of damage how many hands, and file, line, hand and reason of the first: data for JSON."""
        return [kind._asdict() for kind in self.most()]


class HandReading:
    """Reads the hands of several files.

    Parameters
    ----------
    skipped : Sink
        Receives the errors of hands that are left out, and of files that cannot be read.
    paths : sequence of Path
        All that is going to be read, for `share`.
    which : Filter, optional
        The hands that are meant. By default all.
    keep_index : bool
        Whether what is known of where hands are is kept, for a command that asks for one of them.

    Attributes
    ----------
    refused : HistoryError or None
        The error of the first path in which nothing can be read.
    """

    def __init__(
        self,
        skipped: Sink,
        paths: Sequence[Path] = (),
        which: Filter | None = None,
        *,
        keep_index: bool = False,
    ) -> None:
        self._keep_index = keep_index
        self.passed = 0
        self._which = which
        self.files: list[HistoryFile] = []
        self.refused: HistoryError | None = None
        self._skipped = skipped
        self._paths = paths
        self._done = 0  # paths that have been read
        self._inside: Callable[[], float] = _nothing  # share of the one that is being read

    @cached_property
    def _sizes(self) -> list[int]:
        return [max(1, _size(path)) for path in self._paths]

    def report(self) -> SourceReport:
        """The result for every file, as one report."""
        from pokermodel.histories import SourceReport

        return SourceReport(self.files)

    def share(self) -> float:
        """Share of all paths that has been read so far, by their sizes: 0 to 1."""
        if self._done >= len(self._paths):
            return 1.0
        read = sum(self._sizes[: self._done]) + self._inside() * self._sizes[self._done]
        return read / sum(self._sizes)

    @contextmanager
    def path(self, inside: Callable[[], float]) -> Iterator[None]:
        """Count a path as read at the end of the block, and within it by the share that `inside` returns."""
        self._inside = inside
        try:
            yield
        finally:
            self._done += 1
            self._inside = _nothing

    def hands(self, path: Path) -> Iterator[Hand]:
        """Read what can be read of a history, a folder or an archive, and is meant."""
        return (hand for _, hand in self.numbered(path))

    def numbered(self, path: Path) -> Iterator[tuple[int, Hand]]:
        """Read like `hands`, with the numbers of the hands in the path, from 1."""
        source = self.open(path)
        if source is None:
            self._done += 1
            return
        with self.path(lambda: source.share_read):
            try:
                for number, hand in enumerate(source.read(self._skipped), 1):
                    if not self._which or self._which(hand):
                        yield number, hand
                    else:
                        self.passed += 1
                if self._keep_index:
                    source.keep_index()
            finally:
                self.files += source.report().files

    def open(self, path: Path) -> HandSource | None:
        """Open a history; return None, and note why, if there is nothing to read."""
        try:
            return open_source(path)
        except HistoryError as error:
            self._refuse(path, error)
            return None

    def note(self, files: Iterable[HistoryFile]) -> None:
        """Note what became of files that were read by others."""
        from pokermodel.histories import NoHistoryError

        some = list(files)
        self.files += some
        for file in some:
            if (
                file.status in ("foreign", "unreadable")
                and self.refused is None
                and not any(each.hands for each in some)
            ):
                self.refused = NoHistoryError(file.reason or "it is no hand history", file.path)

    def _refuse(self, path: Path, error: HistoryError) -> None:
        """Note why there is nothing to read."""
        from pokermodel.histories import HistoryFile, NoHistoryError

        self.refused = self.refused or error
        files = error.files if isinstance(error, NoHistoryError) else ()
        self.files += files or [HistoryFile(str(path), "unreadable", reason=error.reason)]


def open_source(path: Path, strict: bool = False) -> HandSource:
    """Open a history, as `open_hands` does; raises `HistoryError`. Standard error says that input is waited for."""
    from pokermodel.histories import open_hands

    with _waiting(path):
        return open_hands(path, strict)


def _nothing() -> float:
    return 0.0


def _size(path: Path) -> int:
    """Bytes of a file, or of the files of a folder; 0 where they cannot be read."""
    try:
        return sum(map(_size, path.iterdir())) if path.is_dir() else path.stat().st_size
    except OSError:
        return 0


@contextmanager
def _waiting(path: Path) -> Iterator[None]:
    """Say after a while that nothing has come through a pipe."""
    if path.is_dir() or path.is_file() or not path.exists():
        yield
        return
    timer = threading.Timer(_PATIENCE, click.echo, (f"{path}: waiting for input",), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def say_left_out(report: SourceReport, skipped: Skipped, counted: bool = False) -> None:
    """Say on standard error what was left out and why, with a line that counts the files if there is none yet."""
    from pokermodel.histories import readable

    if not report.complete and not counted:
        # what is read is said once: below, or by the error that ends a command for which there is no hand
        click.echo(_line(str(report)).replace(f": expected {readable()}", ""), err=True)
    if report.hands and any(file.status == "foreign" for file in report.files):
        click.echo(f"pokermodel reads {readable()}", err=True)
    kinds = skipped.most()
    if kinds:
        click.echo("skipped:", err=True)
    for kind in kinds[:_LISTED]:
        click.echo(f"  {f'{kind.hands:,} times, first' if kind.hands > 1 else 'once'}: {kind.first}", err=True)
    if len(kinds) > _LISTED:
        click.echo(f"  and {len(kinds) - _LISTED:,} more kinds of damage (--json lists them)", err=True)
    by_file = Counter({file.path: file.skipped for file in report.files if file.skipped})
    if len(by_file) > 1:
        click.echo("skipped, by file:", err=True)
        for path, hands in by_file.most_common(_LISTED):
            click.echo(f"  {hands:,}: {_line(path)}", err=True)
        if len(by_file) > _LISTED:
            click.echo(f"  and {len(by_file) - _LISTED:,} more files (--json lists them)", err=True)


def _line(text: str) -> str:
    return " ".join(text.split())
