"""``pokermodel learn``: learn from hand histories, and keep it in a book."""

from __future__ import annotations

import gzip
import json
import pickle
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import chdir, closing
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from pokermodel._words import counted
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import Reading, Skipped, say_left_out
from pokermodel.cli._listings import ListsKnowledge
from pokermodel.cli._prior import learnt_with, with_prior
from pokermodel.cli._progress import Progress, progress
from pokermodel.executors import Processes
from pokermodel.game import BettingStructure

if TYPE_CHECKING:
    from pokermodel.errors import HistoryError
    from pokermodel.histories import HandFilter, HistoryFile
    from pokermodel.learning.evidence import HandEvidence
    from pokermodel.learning.knowledge import FromHands
    from pokermodel.learning.store import Book, Learnt

__all__ = ["learn"]


class _Read(NamedTuple):
    """A file that was read: where the evidence of its hands is, and what was left out."""

    evidence: Path
    skipped: Skipped
    files: list[HistoryFile]
    passed: int  # hands that are not meant


class _Task(NamedTuple):
    """A file to read into another, in a process that may have been started in another folder."""

    path: Path
    to: Path
    folder: Path
    book: str
    kinds: Mapping[str, type[FromHands]]
    which: HandFilter


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
@with_prior
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of processes; each reads one file at a time, including the files of a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@with_filter
def learn(
    files: tuple[Path, ...],
    book: str,
    wanted: list[str] | None,
    prior: Path | None,
    jobs: int,
    as_json: bool,
    which: HandFilter,
) -> None:
    """Learn player statistics from hand histories and store them in a book.

    What models learn is stored there, too. Each FILE is a hand history, or a folder or an archive of hand histories,
    as for `pokermodel read`. Files are read once, and each hand is learnt once for each kind of knowledge, in whatever
    file it is found and however often: a run that was interrupted can simply be repeated. Hands that cannot be read
    are skipped; what was left out, and why, is listed on standard error. Kinds of knowledge that are learnt from limit
    alone leave hands of no limit and pot limit out, which the summary says.
    """
    from pokermodel.histories import SourceReport
    from pokermodel.learning import kinds
    from pokermodel.learning.store import Book

    chosen = {name: learnt_with(kind, prior) for name, kind in kinds(wanted).items()}
    with Book(book) as open_book:
        skipped = Skipped()
        reading = Reading(skipped, files, which)
        new = known = 0
        new_to = dict.fromkeys(chosen, 0)
        structures: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        with (
            closing(_readers(open_book, book, files, chosen, reading, skipped, jobs, which)) as readers,
            progress("hand", reading.share) as shown,
        ):
            if shown is not None:
                shown(0)
            for path, learn_file in zip(files, readers, strict=True):
                found = learn_file(progress=_after(shown, new + known))
                new, known = new + found.new, known + found.known
                structures.update(found.structures)
                left_out.update(found.left_out)
                for kind in chosen:
                    new_to[kind] += found.new_to[kind]
                if shown is not None:
                    shown.clear()
                more = f" ({_by_kind(found.new_to)})" if len(chosen) > 1 else ""
                click.echo(f"{path}: {counted(found.new, 'new hand')}, {found.known:,} known{more}", err=True)
        players = len(open_book)
    report = SourceReport(reading.files)
    unlearnt = _unlearnt(chosen, structures, left_out)
    if as_json:
        figures = {"hands": new + known, "new": new, "known": known, "new_to": new_to, "players": players}
        figures |= {
            "structures": structures,
            "left_out": [each._asdict() for each in unlearnt],
            "not_selected": reading.passed,
            "skipped": len(skipped),
            "reasons": skipped.to_list(),
            "files": report.to_dict()["files"],
        }
        click.echo(json.dumps(figures))
    else:
        unfit, other = report.hands - reading.passed - structures.total(), structures.total() - new - known
        click.echo(report)
        more = f", {other:,} left out" if other else ""
        more += f", {unfit:,} that cannot be learnt" if unfit else ""
        more += f", {reading.passed:,} not selected" if which else ""
        click.echo(f"{new:,} new, {known:,} known already{more}")
        click.echo(f"{counted(players, 'player')} in the book")
        for each in unlearnt:
            click.echo(f"{each.what}: {counted(each.hands, 'hand')} left out: {each.reason}")
    say_left_out(report, skipped, counted=not as_json)
    if not new + known:
        if structures:
            raise click.ClickException("; ".join(f"{each.what}: {each.reason}" for each in unlearnt))
        if reading.passed:
            raise click.ClickException(f"none of {counted(reading.passed, 'hand')} is selected")
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))


class _Unlearnt(NamedTuple):
    """What is not learnt from some hands: of how many, and why."""

    what: str
    hands: int
    reason: str


def _unlearnt(
    kinds: Mapping[str, type[FromHands]], structures: Mapping[str, int], left_out: Mapping[str, int]
) -> list[_Unlearnt]:
    """What was left out of hands because of their betting structure, given how many there were of each."""
    from pokermodel.learning.knowledge import structures_of
    from pokermodel.learning.statistics import PlayerStatistics

    found = [
        _Unlearnt(kind, hands, f"is learnt from {' and '.join(structures_of(kinds[kind]))} alone")
        for kind, hands in left_out.items()
    ]
    unbound = sum(hands for name, hands in structures.items() if not BettingStructure(name).fixed)
    if unbound and PlayerStatistics.kind in kinds:
        what = "contexts of Loki-1"
        found.append(_Unlearnt(what, unbound, "they count bets to call, which have one size in limit alone"))
    return found


def _by_kind(new_to: Mapping[str, int]) -> str:
    return "new to " + ", ".join(f"{kind}: {hands:,}" for kind, hands in new_to.items())


def _after(shown: Progress | None, before: int) -> Callable[[int], None] | None:
    """Progress that counts what was done before."""
    return None if shown is None else lambda done: shown(before + done)


# --------------------------------------------------------------------------------------------------------- reading


def _readers(
    book: Book,
    where: str,
    files: Sequence[Path],
    kinds: Mapping[str, type[FromHands]],
    reading: Reading,
    skipped: Skipped,
    jobs: int,
    which: HandFilter,
) -> Generator[Callable[..., Learnt], None, None]:
    """What learns each file, in order. What is learnt does not depend on the number of processes."""
    if jobs == 1:
        for path in files:
            yield partial(book.learn, reading.hands(path), kinds=kinds.values(), skipped=skipped)
        return
    from pokermodel.learning.knowledge import find_kind

    # evidence waits in files, so that memory does not grow with the histories
    with tempfile.TemporaryDirectory(prefix="pokermodel-") as folder:
        plans = [_Plan.of(path) for path in files]
        parts = [part for plan in plans for part in plan.parts]
        # what hands say does not depend on a prior
        plain = {name: cast(Any, find_kind(name) or kind) for name, kind in kinds.items()}
        tasks = (_Task(part, Path(folder) / str(k), Path.cwd(), where, plain, which) for k, part in enumerate(parts))
        with closing(Processes(jobs).map(_spool, tasks)) as done:
            for path, plan in zip(files, plans, strict=True):
                reading.refused = reading.refused or plan.refused
                if plan.once:
                    yield partial(book.learn, reading.hands(path), kinds=kinds.values(), skipped=skipped)
                    continue
                read: list[_Read] = []
                evidence = _unspool(islice(done, len(plan.parts)), skipped, read)
                with reading.path(partial(_share, read, plan.parts)):
                    yield partial(book.learn_evidence, evidence, kinds.values())
                reading.files += plan.outcome(read)
                reading.passed += sum(each.passed for each in read)


def _share(some: Sized, of: Sized) -> float:
    return len(some) / max(len(of), 1)


class _Plan(NamedTuple):
    """What can be read side by side of a path, and all files that are there; or that it can be read only once."""

    parts: list[Path]
    files: list[HistoryFile]
    refused: HistoryError | None = None
    once: bool = False

    @classmethod
    def of(cls, path: Path) -> _Plan:
        """Look at a path."""
        if not (path.is_file() or path.is_dir()):
            return cls([], [], once=True)
        reading = Reading(Skipped())
        source = reading.open(path)
        if source is None:
            return cls([], reading.files, reading.refused)
        return cls(source.parts, list(source.report().files))

    def outcome(self, read: Iterable[_Read]) -> Iterator[HistoryFile]:
        """What became of the files, given what became of those in each part."""
        inside: dict[Path, Iterable[HistoryFile]] = dict(zip(self.parts, (each.files for each in read), strict=True))
        for file in self.files:
            path = Path(file.path)
            part = next((place for place in (path, *path.parents) if place in inside), None)
            if part is None:
                yield file
            else:
                yield from inside[part]
                inside[part] = ()


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

    skipped = Skipped()
    reading = Reading(skipped, which=task.which)
    with chdir(task.folder), gzip.open(task.to, "wb", compresslevel=1) as file:
        book = _book(task.book, task.folder)
        hands = reading.hands(task.path)
        while batch := list(islice(hands, BATCH)):
            identities = list(map(identity, batch))
            known = book.known(task.kinds.values(), identities)
            for each in gather(batch, identities, task.kinds, known, skipped):
                pickle.dump(each, file, pickle.HIGHEST_PROTOCOL)
        book.close()  # it opens again for the next file
    return _Read(task.to, skipped, reading.files, reading.passed)


def _unspool(done: Iterable[_Read], skipped: Skipped, met: list[_Read]) -> Iterator[HandEvidence | None]:
    for read in done:
        skipped.add(read.skipped)
        met.append(read)
        with gzip.open(read.evidence, "rb") as file:
            while True:
                try:
                    yield pickle.load(file)
                except EOFError:
                    break
        read.evidence.unlink()
