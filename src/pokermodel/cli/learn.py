"""``pokermodel learn``: hand histories into a book."""

from __future__ import annotations

import json
import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.modeling.lessons import Lesson

__all__ = ["learn"]

_LISTED = 20  # kinds of damage that are listed


class _Read(NamedTuple):
    """A file that was read: where its lessons are, and what was wrong with the hands left out."""

    lessons: Path
    skipped: list[ValueError]


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@click.option("--book", required=True, metavar="BOOK", help="A file, made if there is none, or a PostgreSQL URL.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that read files side by side."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def learn(files: tuple[Path, ...], book: str, jobs: int, as_json: bool) -> None:
    """Learn the players of hand histories into a book.

    A hand is learnt once, however often and in whatever file it is met, so that a run that was ended can simply be
    repeated. Hands that cannot be read are left out and listed. Every FILE is a history or a folder of them, as for
    `pokermodel read`.
    """
    from pokermodel.modeling.book import Book

    skipped: list[ValueError] = []
    with Book(book) as open_book:
        new = known = 0
        show = sys.stderr.isatty()
        with closing(_read_all(files, skipped, jobs)) as sources:
            for path, lessons in sources:
                done = new + known
                report = _reporter(path, done) if show else None
                found = open_book.add(lessons, progress=report)
                new, known = new + found.new, known + found.known
                if show:
                    click.echo("\r\x1b[K", nl=False, err=True)
                click.echo(f"{path}: {found.new:,} new hands, {found.known:,} known", err=True)
        players = len(open_book)
    if as_json:
        reasons = [str(error) for error in skipped]
        figures = {"hands": new + known, "new": new, "known": known, "players": players, "skipped": reasons}
        click.echo(json.dumps(figures))
    else:
        click.echo(f"{new + known:,} hands read: {new:,} new, {known:,} known already")
        click.echo(f"{len(skipped):,} hands skipped{':' if skipped else ''}")
        for line in _reasons(skipped):
            click.echo(f"  {line}")
        click.echo(f"{players:,} players in the book")
    if skipped and not new + known:
        raise click.ClickException("no hand could be read")


def _reasons(skipped: list[ValueError]) -> Iterator[str]:
    """What was wrong, in a line for each kind: how often, and the first time."""
    kinds: dict[str, list[str]] = {}
    for error in skipped:
        message = " ".join(str(error).split())
        reason = " ".join(error.reason.split()) if isinstance(error, HistoryError) else message
        kinds.setdefault(re.sub(r"'.*'|\"[^\"]*\"|[0-9.,]+", "", reason), []).append(message)
    for messages in sorted(kinds.values(), key=len, reverse=True)[:_LISTED]:
        yield f"{len(messages):,} times: {messages[0]}" if len(messages) > 1 else f"once: {messages[0]}"
    if len(kinds) > _LISTED:
        yield f"and {len(kinds) - _LISTED:,} more kinds of damage (--json lists all hands)"


def _reporter(path: Path, before: int) -> Callable[[int], None]:
    return lambda done: click.echo(f"\r\x1b[K{path}: {before + done:,} hands", nl=False, err=True)


def _read_all(
    files: tuple[Path, ...], skipped: list[ValueError], jobs: int
) -> Generator[tuple[Path, Iterator[Lesson]], None, None]:
    """Files and their lessons, in order whatever the number of processes."""
    if jobs == 1 or len(files) == 1:
        for path in files:
            yield path, _lessons(path, skipped)
        return
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    # lessons wait in files, so that memory does not grow with the histories
    with tempfile.TemporaryDirectory(prefix="pokermodel-") as folder:
        tasks = (delayed(_spool)(path, Path(folder) / str(k)) for k, path in enumerate(files))
        with closing(
            Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)(tasks)
        ) as done:
            for path, read in zip(files, done, strict=True):
                skipped += read.skipped
                yield path, _unspool(read.lessons)
                read.lessons.unlink()


def _lessons(path: Path, skipped: list[ValueError]) -> Iterator[Lesson]:
    """What the hands of a file teach; those that cannot be learnt are noted."""
    from pokermodel.histories import open_hands
    from pokermodel.modeling.lessons import lesson

    try:
        hands = open_hands(path, strict=False)
    except ValueError as error:
        skipped.append(error)
        return
    try:
        for hand in hands:
            try:
                yield lesson(hand)
            except ValueError as error:
                skipped.append(error)
    except ValueError as error:  # of the file as a whole
        skipped.append(error)
    skipped += hands.skipped


def _spool(path: Path, to: Path) -> _Read:
    skipped: list[ValueError] = []
    with to.open("wb") as file:
        for each in _lessons(path, skipped):
            pickle.dump(each, file, pickle.HIGHEST_PROTOCOL)
    return _Read(to, skipped)


def _unspool(path: Path) -> Iterator[Lesson]:
    with path.open("rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return
