"""``pokermodel learn``: learn from hand histories, and keep it in a book."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.words import counted
from pokermodel.cli._completion import complete_names
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._interrupts import goes_on_from
from pokermodel.cli._listings import ListsKnowledge
from pokermodel.cli._options import JSON, POLL, WHERE, Work, book, learnt_with, refuse, work
from pokermodel.cli._players import again_line
from pokermodel.cli._progress import Progress, progress
from pokermodel.errors import HistoryError
from pokermodel.game import BettingStructure

if TYPE_CHECKING:
    from pokermodel.executors import Executor
    from pokermodel.histories import Filter
    from pokermodel.learning.knowledge import FromHands
    from pokermodel.library import Book, Learnt

__all__ = ["learn"]

STATISTICS = "statistics"  # the kind that every book has


@click.command(cls=ListsKnowledge)
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@book(required=True)
@click.option(
    "--for",
    "wanted",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_names(ListsKnowledge.kinds),
    help="Learn this kind of knowledge, as 'bpp' or 'adaptive?prior=FILE', instead of the statistics and what the "
    "default reader starts from. Repeat the option to learn several. The kinds are listed below.",
)
@click.option("--watch", is_flag=True, help="Learn what comes into the folders, too, until you press Ctrl-C.")
@POLL
@WHERE
@work()
@JSON
def learn(
    files: tuple[Path, ...],
    book: str,
    wanted: tuple[str, ...],
    watch: bool,
    poll: bool,
    which: Filter,
    work: Work,
    as_json: bool,
) -> None:
    """Learn player statistics from hand histories and store them in a book.

    What the default reader learns is stored there, too; --for selects other kinds. BOOK is created if there is none.
    Each FILE is a hand history, or a folder or an archive of hand histories, as for `pokermodel read`. Files are read
    once. Each hand is learnt once for each kind of knowledge, even if several files contain it, so an
    interrupted run can simply be repeated. Hands that cannot be read are skipped, and listed with the reason on
    standard error. Kinds of knowledge that are learnt from limit alone leave out hands of no limit and pot limit.

    A file that has grown is read from where its last hand began, and a file that has not changed is not read again.
    A last hand that is not yet whole waits for the next time. With --where, and where FILE is a pipe, hands are kept
    without their file, one after the other.

    With --watch the command goes on: it learns each hand as soon as a file has it.

    With --cluster, workers receive the bytes of the files and send back rows. They need neither the files nor the
    book.
    """
    from pokermodel.library import Book
    from pokermodel.library.knowledge import learn_files

    if which:
        refuse("does not go with --where: hands are then read one after the other", "--jobs", "--cluster", "--watch")
    if poll and not watch:
        raise click.UsageError("--poll is for --watch")
    chosen = _chosen(wanted)
    executor = work.executor()
    if watch:
        refuse("does not go with --watch, which does not end", "--json")
        _follow(book, chosen, files, executor, poll=poll)
        return
    skipped = Skipped()
    reading = HandReading(skipped, files, which)
    done = _Done(chosen)
    sized = len(files) > 1 or files[0].is_file() or files[0].is_dir()  # of a pipe there is no share
    share = [0.0]  # of the path that is read
    with Book(book) as open_book:
        with goes_on_from("the book"), progress("hand", reading.share if sized else None) as shown:
            if shown is not None:
                shown(0)
            if open_book.statistics.to_fill:
                _fill(open_book)
            for path in files:
                before = _after(shown, done.new + done.known)
                if which or not (path.is_file() or path.is_dir()):
                    found = open_book.learn(
                        reading.hands(path), kinds=chosen.values(), skipped=skipped, progress=before
                    )
                else:
                    with reading.path(lambda: share[0]):
                        found, files_read = learn_files(
                            *(open_book, chosen, path),
                            skipped=skipped,
                            progress=before,
                            share=partial(share.__setitem__, 0),
                            executor=executor,
                        )
                    share[0] = 0.0
                    reading.note(files_read)
                done.add(found)
                if shown is not None:
                    shown.clear()
                more = f" ({_by_kind(found.new_to)})" if len(chosen) > 1 else ""
                click.echo(f"{path}: {counted(found.new, 'new hand')}, {found.known:,} known{more}", err=True)
        done.players, done.again = len(open_book), open_book.statistics.to_learn_again
    _say(done, reading, skipped, book, selecting=bool(which), as_json=as_json)
    if not done.new + done.known:
        raise click.ClickException(_nothing(done, reading, files))


def _follow(book: str, kinds: Mapping[str, Any], files: Sequence[Path], executor: Executor, *, poll: bool) -> None:
    """Learn what files and folders have, and what comes into them, until the user interrupts it."""
    from pokermodel.library import Book
    from pokermodel.library.knowledge import learn_files
    from pokermodel.library.watching import looks

    with Book(book) as open_book, goes_on_from("the book"):
        if open_book.statistics.to_fill:
            _fill(open_book)
        seen = False
        for _ in looks(files, threading.Event(), poll=poll):
            try:
                found, read = learn_files(open_book, kinds, *files, executor=executor)
            except HistoryError:
                if not seen:
                    raise
                continue  # a folder that has gone may come back
            if found.new or not seen:
                left_out = sum(file.skipped for file in read)
                more = f", {left_out:,} left out" if left_out else ""
                click.echo(f"{counted(found.new, 'new hand')}, {found.known:,} known{more}")
            seen = True


def _fill(book: Book) -> None:
    """Count statistics that the book has not, or by another definition, in the hands that can be read again."""
    from pokermodel.library.files import stored_hands

    book.statistics.fill(stored_hands(book, []), skipped=[])


def _chosen(wanted: tuple[str, ...]) -> dict[str, Any]:
    """The kinds of knowledge that are wanted; one that starts from a prior has it as an option."""
    from pokermodel._support.options import read_options
    from pokermodel.learning import select_kinds

    if not wanted:
        return dict(select_kinds())
    found: dict[str, Any] = {}
    for text in wanted:
        name, _, options = text.partition("?")
        kind: Any = select_kinds(name)[name]
        given = read_options(
            options, f"kind of knowledge {name}", {"prior": str} if hasattr(kind, "with_prior") else {}
        )
        found[name] = learnt_with(kind, given.get("prior"))
    return found


class _Done:
    """What was learnt.

    Attributes
    ----------
    new, known : int
        Hands that were learnt, and that the book had.
    new_to : dict of str to int
        New hands by kind of knowledge.
    structures, left_out : Counter
        Hands by betting structure, and by kind of knowledge that leaves their structure out.
    again : tuple of str
        Keys of statistics that are to be learnt again.
    """

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._kinds = kinds
        self.new = self.known = self.players = 0
        self.new_to = dict.fromkeys(kinds, 0)
        self.structures: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.again: tuple[str, ...] = ()

    def add(self, found: Learnt) -> None:
        """Add what was learnt from a file."""
        self.new, self.known = self.new + found.new, self.known + found.known
        self.structures.update(found.structures)
        self.left_out.update(found.left_out)
        for kind in self.new_to:
            self.new_to[kind] += found.new_to[kind]

    def unlearnt(self) -> list[_Unlearnt]:
        """Kinds that are not learnt from some hands."""
        return _unlearnt(self._kinds, self.structures, self.left_out)


def _say(done: _Done, reading: HandReading, skipped: Skipped, book: str, *, selecting: bool, as_json: bool) -> None:
    """Say what was learnt, and what was left out."""
    report = reading.report()
    new, known = done.new, done.known
    if as_json:
        figures = {
            "hands": new + known,
            "new": new,
            "known": known,
            "new_to": done.new_to,
            "players": done.players,
            "structures": done.structures,
            "left_out": [each._asdict() for each in done.unlearnt()],
            "to_learn_again": done.again,
            "not_selected": reading.passed,
            "skipped": len(skipped),
            "reasons": skipped.to_list(),
            "files": report.to_dict()["files"],
        }
        click.echo(json.dumps(figures))
    else:
        structures = done.structures.total()
        unfit, other = report.hands - reading.passed - structures, structures - new - known
        click.echo(report)
        more = f", {other:,} left out" if other else ""
        more += f", {unfit:,} that cannot be learnt" if unfit else ""
        more += f", {reading.passed:,} not selected" if selecting else ""
        click.echo(f"{new:,} new, {known:,} known already{more}")
        click.echo(f"{counted(done.players, 'player')} in the book")
        if done.again:
            click.echo(again_line(done.again, book))
        for each in done.unlearnt():
            click.echo(f"{each.what}: {counted(each.hands, 'hand')} left out: {each.reason}")
    say_left_out(report, skipped, counted=not as_json)


def _nothing(done: _Done, reading: HandReading, files: Sequence[Path]) -> str:
    """Why nothing was learnt."""
    if done.structures:
        return "; ".join(f"{each.what}: {each.reason}" for each in done.unlearnt())
    if reading.passed:
        return f"none of {counted(reading.passed, 'hand')} is selected"
    from pokermodel.histories import open_hands

    refused = reading.refused
    for path in files:  # a folder with nothing in it, for instance
        try:
            open_hands(path, index=False)
        except HistoryError as error:
            refused = error
            break
    return "no hand could be read" + (f": {refused}" if refused else "")


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

    found = [
        _Unlearnt(kind, hands, f"is learnt from {' and '.join(structures_of(kinds[kind]))} alone")
        for kind, hands in left_out.items()
    ]
    unbound = sum(hands for name, hands in structures.items() if not BettingStructure(name).fixed)
    if unbound and STATISTICS in kinds:
        what = "contexts of Loki-1"
        found.append(_Unlearnt(what, unbound, "they count bets to call, which have one size in limit alone"))
    return found


def _by_kind(new_to: Mapping[str, int]) -> str:
    return "new to " + ", ".join(f"{kind}: {hands:,}" for kind, hands in new_to.items())


def _after(shown: Progress | None, before: int) -> Callable[[int], None] | None:
    """Progress that counts what was done before."""
    return None if shown is None else lambda done: shown(before + done)
