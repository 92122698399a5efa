"""``pokermodel learn``: learn from hand histories, and keep it in a book."""

from __future__ import annotations

import gzip
import json
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, closing, contextmanager
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pokermodel._parallel import map_processes
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._hands import read_hands
from pokermodel.cli._listings import ListsKnowledge
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.learning.evidence import HandEvidence
    from pokermodel.learning.knowledge import FromHands
    from pokermodel.learning.store import Book, Learnt

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
    """A file that was read: where the evidence of its hands is, and what was wrong with the hands left out."""

    evidence: Path
    skipped: _Skipped


class _Task(NamedTuple):
    """A file to read into another, in a process that may have been started in another folder."""

    path: Path
    to: Path
    folder: Path
    book: str
    kinds: Mapping[str, type[FromHands]]


def _split(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else value.split(",")


@click.command(cls=ListsKnowledge)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@click.option(
    "--book",
    required=True,
    metavar="BOOK",
    shell_complete=complete_book,
    help="A file, which is created if there is none, or a PostgreSQL URL.",
)
@click.option(
    "--for",
    "wanted",
    metavar="KIND,...",
    shell_complete=complete_names(ListsKnowledge.kinds, several=True),
    callback=_split,
    help="Kinds of knowledge to learn, separated by commas; by default all. They are listed below.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of processes; each reads one file at a time, including the files of a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def learn(files: tuple[Path, ...], book: str, wanted: list[str] | None, jobs: int, as_json: bool) -> None:
    """Learn player statistics from hand histories and store them in a book.

    What models learn is stored there, too. Each FILE is a hand history, or a folder or an archive of hand histories,
    as for `pokermodel read`. Files are read once, and each hand is learnt once for each kind of knowledge, in whatever
    file it is found and however often: a run that was interrupted can simply be repeated. Hands that cannot be read
    are skipped, and the reasons listed.
    """
    from pokermodel.learning import kinds
    from pokermodel.learning.store import Book

    chosen = kinds(wanted)
    with Book(book) as open_book, _lasting(files) as places:
        skipped = _Skipped({place: path for place, path in zip(places, files, strict=True) if place != path})
        new = known = 0
        new_to = dict.fromkeys(chosen, 0)
        show = sys.stderr.isatty()
        with closing(_readers(open_book, book, places, chosen, skipped, jobs)) as readers:
            for path, learn_file in zip(files, readers, strict=True):
                found = learn_file(progress=_reporter(path, new + known) if show else None)
                new, known = new + found.new, known + found.known
                for kind in chosen:
                    new_to[kind] += found.new_to[kind]
                if show:
                    click.echo("\r\x1b[K", nl=False, err=True)
                more = f" ({_by_kind(found.new_to)})" if len(chosen) > 1 else ""
                click.echo(f"{path}: {found.new:,} new hands, {found.known:,} known{more}", err=True)
        players = len(open_book)
    if as_json:
        reasons = [{"hands": count, "first": first} for count, first in skipped.most()]
        figures = {"hands": new + known, "new": new, "known": known, "new_to": new_to, "players": players}
        click.echo(json.dumps(figures | {"skipped": len(skipped), "reasons": reasons}))
    else:
        click.echo(f"{new + known:,} hands read: {new:,} new, {known:,} known already")
        click.echo(f"{len(skipped):,} hands skipped{':' if skipped else ''}")
        for line in _reasons(skipped):
            click.echo(f"  {line}")
        click.echo(f"{players:,} players in the book")
    if skipped and not new + known:
        raise click.ClickException("no hand could be read")


def _by_kind(new_to: Mapping[str, int]) -> str:
    return "new to " + ", ".join(f"{kind}: {hands:,}" for kind, hands in new_to.items())


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


def _reasons(skipped: _Skipped) -> Iterator[str]:
    """What was wrong, in a line for each kind."""
    kinds = skipped.most()
    for count, first in kinds[:_LISTED]:
        yield f"{count:,} times: {first}" if count > 1 else f"once: {first}"
    if len(kinds) > _LISTED:
        yield f"and {len(kinds) - _LISTED:,} more kinds of damage (--json lists them)"


def _reporter(path: Path, before: int) -> Callable[[int], None]:
    return lambda done: click.echo(f"\r\x1b[K{path}: {before + done:,} hands", nl=False, err=True)


# --------------------------------------------------------------------------------------------------------- reading


def _readers(
    book: Book, where: str, files: Sequence[Path], kinds: Mapping[str, type[FromHands]], skipped: _Skipped, jobs: int
) -> Generator[Callable[..., Learnt], None, None]:
    """What learns each file, in order. What is learnt does not depend on the number of processes."""
    if jobs == 1:
        for path in files:
            yield partial(book.learn, read_hands(path, skipped), kinds=kinds.values(), skipped=skipped)
        return
    # evidence waits in files, so that memory does not grow with the histories
    with tempfile.TemporaryDirectory(prefix="pokermodel-") as folder:
        parts = [_parts(path) for path in files]
        tasks = (_Task(part, Path(folder) / str(k), Path.cwd(), where, kinds) for k, part in enumerate(chain(*parts)))
        with closing(map_processes(_spool, tasks, jobs)) as done:
            for of_path in parts:
                yield partial(book.learn_evidence, _unspool(islice(done, len(of_path)), skipped), kinds.values())


def _parts(path: Path) -> list[Path]:
    """What can be read side by side."""
    from pokermodel.histories import open_hands

    try:
        return open_hands(path).parts
    except ValueError:  # will be noted by who tries to read it
        return [path]


@lru_cache(maxsize=1)
def _book(where: str, folder: Path) -> Book:
    """The book of a task, opened once in each process."""
    from pokermodel.learning.store import Book

    return Book(where)


def _spool(task: _Task) -> _Read:
    """Read one file into another: what each of its hands says that the book does not know."""
    from pokermodel.learning.evidence import gather
    from pokermodel.learning.identity import identity
    from pokermodel.learning.store import BATCH

    skipped = _Skipped()
    with chdir(task.folder), gzip.open(task.to, "wb", compresslevel=1) as file:
        book = _book(task.book, task.folder)
        hands = read_hands(task.path, skipped)
        while batch := list(islice(hands, BATCH)):
            identities = list(map(identity, batch))
            known = book.known(task.kinds.values(), identities)
            for each in gather(batch, identities, task.kinds, known, skipped):
                pickle.dump(each, file, pickle.HIGHEST_PROTOCOL)
        book.close()  # it opens again for the next file
    return _Read(task.to, skipped)


def _unspool(done: Iterable[_Read], skipped: _Skipped) -> Iterator[HandEvidence | None]:
    for read in done:
        skipped.add(read.skipped)
        with gzip.open(read.evidence, "rb") as file:
            while True:
                try:
                    yield pickle.load(file)
                except EOFError:
                    break
        read.evidence.unlink()
