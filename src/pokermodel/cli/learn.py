"""``pokermodel learn``: hand histories into a book."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pokermodel._parallel import map_processes
from pokermodel.cli._hands import read_hands
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.learning.book import Book
    from pokermodel.learning.lessons import Lesson

__all__ = ["learn"]

_LISTED = 20  # kinds of damage that are listed
_KINDS = 1000  # that are told apart


class _Skipped:
    """Hands that were left out: how many, and for each kind of damage how often and where first."""

    def __init__(self, copies: Mapping[Path, Path] | None = None) -> None:
        self.kinds: dict[str, tuple[int, str]] = {}
        self._copies = copies or {}  # and what to call them

    def append(self, error: ValueError) -> None:
        """Note one."""
        message = " ".join(str(error).split())
        reason = " ".join(error.reason.split()) if isinstance(error, HistoryError) else message
        self._note(re.sub(r"'.*'|\"[^\"]*\"|[0-9.,]+", "", reason), 1, message)

    def add(self, other: _Skipped) -> None:
        """Note those of another file."""
        for kind, (count, first) in other.kinds.items():
            self._note(kind, count, first)

    def add_more(self, again: _Skipped) -> None:
        """Note what was wrong with the same files when they were read again, as far as it had not been before."""
        for kind, (count, first) in again.kinds.items():
            before, _ = self.kinds.get(kind, (0, ""))
            if count > before:
                self._note(kind, count - before, first)

    def _note(self, kind: str, count: int, first: str) -> None:
        if kind not in self.kinds and len(self.kinds) >= _KINDS:
            kind = ""  # of all others
        before, known = self.kinds.get(kind, (0, first))
        for copy, path in self._copies.items():
            known = known.replace(str(copy), str(path))
        self.kinds[kind] = before + count, known

    def __len__(self) -> int:
        return sum(count for count, _ in self.kinds.values())

    def most(self) -> list[tuple[int, str]]:
        """How often and where first, the most frequent kind of damage first."""
        return sorted(self.kinds.values(), key=lambda found: -found[0])


class _Read(NamedTuple):
    """A file that was read: where its lessons are, and what was wrong with the hands left out."""

    lessons: Path
    skipped: _Skipped


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@click.option("--book", required=True, metavar="BOOK", help="A file, made if there is none, or a PostgreSQL URL.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that read files side by side, those of a folder as well.",
)
@click.option("--bpp", is_flag=True, help="Learn BPP's tables, too: what is done with which holdings. Takes longer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def learn(files: tuple[Path, ...], book: str, jobs: int, bpp: bool, as_json: bool) -> None:
    """Learn the players of hand histories into a book.

    A hand is learnt once, however often and in whatever file it is met, so that a run that was ended can simply be
    repeated. Hands that cannot be read are left out, and the reasons listed. Every FILE is a history, or a folder or
    an archive of them, as for `pokermodel read`.
    """
    from pokermodel.learning.book import Book

    with Book(book) as open_book, _lasting(files) as places:
        skipped = _Skipped({place: path for place, path in zip(places, files, strict=True) if place != path})
        new = known = 0
        show = sys.stderr.isatty()
        with closing(_read_all(places, skipped, jobs)) as sources:
            for path, lessons in zip(files, sources, strict=True):
                done = new + known
                report = _reporter(path, done) if show else None
                found = open_book.add(lessons, progress=report)
                new, known = new + found.new, known + found.known
                if show:
                    click.echo("\r\x1b[K", nl=False, err=True)
                click.echo(f"{path}: {found.new:,} new hands, {found.known:,} known", err=True)
        if bpp:
            _learn_tables(open_book, files, places, skipped, show)
        players = len(open_book)
    if as_json:
        reasons = [{"hands": count, "first": first} for count, first in skipped.most()]
        figures = {"hands": new + known, "new": new, "known": known, "players": players, "skipped": len(skipped)}
        click.echo(json.dumps(figures | {"reasons": reasons}))
    else:
        click.echo(f"{new + known:,} hands read: {new:,} new, {known:,} known already")
        click.echo(f"{len(skipped):,} hands skipped{':' if skipped else ''}")
        for line in _reasons(skipped):
            click.echo(f"  {line}")
        click.echo(f"{players:,} players in the book")
    if skipped and not new + known:
        raise click.ClickException("no hand could be read")


@contextmanager
def _lasting(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Where the files can be read more than once, and by other processes: what is in a pipe, in a copy of it."""
    with ExitStack() as stack:
        places = list(files)
        for k, path in enumerate(files):
            if path.is_file() or path.is_dir():
                continue
            try:
                pipe = path.open("rb")
            except OSError:  # will be noted by who tries to read it
                continue
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pokermodel-"))
            places[k] = Path(folder) / path.name
            with pipe, places[k].open("wb") as file:
                shutil.copyfileobj(pipe, file)
        yield places


def _learn_tables(book: Book, files: Sequence[Path], places: Sequence[Path], skipped: _Skipped, show: bool) -> None:
    """Read the files once more for BPP. Of what is wrong with them, only that is noted which has not been."""
    again = _Skipped()
    for path, place in zip(files, places, strict=True):
        hands = read_hands(place, again)
        found = book.learn_tables(hands, progress=_reporter(path, 0) if show else None)
        if show:
            click.echo("\r\x1b[K", nl=False, err=True)
        click.echo(f"{path}: {found.new:,} hands new to BPP, {found.known:,} known", err=True)
    skipped.add_more(again)


def _reasons(skipped: _Skipped) -> Iterator[str]:
    """What was wrong, in a line for each kind."""
    kinds = skipped.most()
    for count, first in kinds[:_LISTED]:
        yield f"{count:,} times: {first}" if count > 1 else f"once: {first}"
    if len(kinds) > _LISTED:
        yield f"and {len(kinds) - _LISTED:,} more kinds of damage (--json lists them)"


def _reporter(path: Path, before: int) -> Callable[[int], None]:
    return lambda done: click.echo(f"\r\x1b[K{path}: {before + done:,} hands", nl=False, err=True)


def _read_all(files: Sequence[Path], skipped: _Skipped, jobs: int) -> Generator[Iterator[Lesson], None, None]:
    """The lessons of each file, in order whatever the number of processes."""
    if jobs == 1:
        for path in files:
            yield _lessons(path, skipped)
        return
    # lessons wait in files, so that memory does not grow with the histories
    with tempfile.TemporaryDirectory(prefix="pokermodel-") as folder:
        parts = [_parts(path) for path in files]
        tasks = ((part, Path(folder) / str(k)) for k, part in enumerate(chain(*parts)))
        with closing(map_processes(partial(_spool, within=Path.cwd()), tasks, jobs)) as done:
            for of_path in parts:
                yield _unspool(islice(done, len(of_path)), skipped)


def _parts(path: Path) -> list[Path]:
    """What can be read side by side."""
    from pokermodel.histories import open_hands

    try:
        return open_hands(path).parts
    except ValueError:  # will be noted by who tries to read it
        return [path]


def _lessons(path: Path, skipped: _Skipped) -> Iterator[Lesson]:
    """What the hands of a file teach; those that cannot be learnt are noted."""
    from pokermodel.learning.lessons import lesson

    for hand in read_hands(path, skipped):
        try:
            learnt = lesson(hand)
        except ValueError as error:
            skipped.append(error)
        else:
            yield learnt


def _spool(task: tuple[Path, Path], within: Path) -> _Read:
    """Read one file into another, in a process that may have been started in another folder than `within`."""
    path, to = task
    skipped = _Skipped()
    with chdir(within), to.open("wb") as file:
        for each in _lessons(path, skipped):
            pickle.dump(each, file, pickle.HIGHEST_PROTOCOL)
    return _Read(to, skipped)


def _unspool(done: Iterable[_Read], skipped: _Skipped) -> Iterator[Lesson]:
    for read in done:
        skipped.add(read.skipped)
        with read.lessons.open("rb") as file:
            while True:
                try:
                    yield pickle.load(file)
                except EOFError:
                    break
        read.lessons.unlink()
