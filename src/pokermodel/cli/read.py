"""``pokermodel read``: a hand step by step, and what everybody in it can hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import click

from pokermodel._support.words import counted, printable
from pokermodel.cli._hands import HistoryPath, open_source
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._numbers import Numbers
from pokermodel.cli._options import HAND, HERO, WHERE, Known, Output, Work, known, output, subject, together, work
from pokermodel.cli._output import console_kind, console_like, open_console, opened, text_file, write_by_ending
from pokermodel.cli._reading import (
    Learner,
    Shown,
    Taken,
    Wanted,
    begin,
    read_hand,
    read_several,
    say_skipped,
    take,
)

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.game import Hand
    from pokermodel.histories import Filter, HandSource

__all__ = ["read"]

T = TypeVar("T")

_DEALS = 2_000  # that the hero's equity is drawn from, where many hands are read: true to one per cent


class _Asked(NamedTuple):
    """Which hands are asked for, and as whom they are read."""

    numbers: Numbers | None
    every: bool
    which: Filter
    hero: str | None  # empty for no player

    @property
    def several(self) -> bool:
        """Whether several hands may be shown."""
        return self.every or (self.numbers is not None and self.numbers.several)

    @property
    def selects(self) -> bool:
        """Whether hands are selected by more than their hero."""
        return bool(self.which.keys - {"hero"})


class _View(NamedTuple):
    """What is shown of a hand."""

    maps: bool
    weights: bool


@click.command(cls=ListsReaders)
@click.argument("file", required=False, type=HistoryPath(exists=False))
@together(
    "asked",
    _Asked,
    HAND,
    click.option("--all", "every", is_flag=True, help="Read all hands of FILE, or all that fit --where."),
    WHERE,
    HERO,
)
@known(several=True)
@together(
    "view",
    _View,
    click.option(
        "--maps", is_flag=True, help="Show the range after every action as a map, with all that the model says of it."
    ),
    click.option(
        "--weights", is_flag=True, help="Add the weights of all 1,326 holdings to every action in JSON or Parquet."
    ),
)
@work()
@output("what is shown", ".html", ".json", ".jsonl", ".csv", ".parquet")
def read(file: Path | None, asked: _Asked, known: Known, view: _View, work: Work, output: Output) -> None:
    """Show, step by step, what every opponent in a hand can hold, and why.

    FILE is a hand history: PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or the IRC poker database (a
    folder or .tgz); or a folder or an archive of such files; - is standard input. Without FILE, the hand that ships
    with the package is read. `pokermodel list` shows the hands of a FILE with their numbers. --where selects a hand,
    too: the first one that fits or, with --all, each.

    For the hero it also shows what they should do and the expected value of each action. With --hero '' hands are read
    as everybody saw them. A page of one hand can show several models, with commas between them.

    Beside each action stands how wide a range it leaves and what is likeliest in it; --maps shows ranges whole. By
    default the adaptive reader reads, which knows people in general before it meets any. The tables of Loki's models
    are too sure as they are. They are corrected by the outcome of earlier hands of FILE; the heading says whether, and
    'loki2?calibrated=0' leaves the correction out.
    """
    asked = asked._replace(hero=subject(asked.hero, asked.which))
    _check(asked, view, work, output)
    models = known.model.split(",") if output.ending == ".html" else [known.model]
    learners = begin(models, known.book, asked.hero or None)
    source, hands = _hands(file, asked, learners)
    heroes = _Heroes(asked.hero, several=asked.several)
    if source is None or not asked.several:
        (taken,) = hands
        _show_one(taken.number, heroes.read(taken, learners), source, view, output)
    else:
        _show_several(_Several(source, asked.numbers, hands, learners, heroes, work), view, output.out)
    if source is not None:
        say_skipped(source)
    heroes.say_without()


def _hands(file: Path | None, asked: _Asked, learners: Sequence[Learner]) -> tuple[HandSource | None, Iterator[Taken]]:
    """The hands that are asked for, and where they come from: None for the hand of the package."""
    numbers, several = asked.numbers, asked.several
    if file is None:
        from pokermodel import example_hand

        if several or (numbers is not None and numbers.first != 1) or asked.which:
            raise click.UsageError("--hand and what selects hands need a FILE: the hand of the package is only one")
        return None, iter([Taken(1, example_hand(), ())])
    # damage elsewhere has nothing to do with hands that are named or selected; it is said at the end
    source = open_source(file, not (several or numbers is not None or asked.which))
    if numbers is None and not (asked.every or asked.which):
        numbers = Numbers(((1, 1),), several=False)
    return source, take(source, Wanted(numbers, asked.which, asked.hero, several), learners)


def _check(asked: _Asked, view: _View, work: Work, output: Output) -> None:
    """Refuse options that do not go together."""
    ending = output.ending
    if output.as_json and ending:
        raise click.UsageError("--json and --out exclude each other")
    if view.maps and (output.as_json or ending):
        raise click.UsageError("--maps is for the terminal: it excludes --json and --out")
    if view.weights and not (output.as_json or ending in (".json", ".jsonl", ".parquet")):
        raise click.UsageError("--weights needs --json, or --out with a file that ends in .json, .jsonl or .parquet")
    if asked.several and output.as_json:
        raise click.UsageError("--json prints one object: with several hands, expected --out FILE.jsonl")
    if asked.numbers is not None and asked.every:
        raise click.UsageError("--hand says which hands: it excludes --all")
    if asked.numbers is not None and asked.selects and not asked.several:
        raise click.UsageError("--hand is one hand: it excludes --where, but for several (1-200)")
    if (work.jobs != 1 or work.cluster is not None) and not asked.several:
        raise click.UsageError("--jobs and --cluster are for the reports of several hands, as --all has them")


class _Heroes:
    """As whom hands are read: one name, nobody (""), or by default the hero of each hand whose cards are known.

    Where many hands are read, the worth of the hero's acts where bets have sizes is left to ``study``, and an equity
    against several opponents is drawn from fewer deals.
    """

    def __init__(self, name: str | None, *, several: bool = False) -> None:
        self._name = name
        self.options: dict[str, Any] = {"verdicts": not several, "deals": _DEALS if several else None}
        self._named: Counter[str] = Counter()
        self._without = 0

    def read(self, taken: Taken, learners: Sequence[Learner]) -> list[HandReport]:
        """Read a hand with each of the models."""
        return read_hand(taken, self.of(taken.hand), learners, self.options)

    def of(self, hand: Hand) -> str | None:
        """As whom a hand is read, which is counted."""
        from pokermodel.analysis.hero_hands import hero_of

        if self._name is not None:
            return self._name or None
        hero = hero_of(hand)
        if hero is None:
            self._without += 1
        else:
            self._named[hero] += 1
        return hero

    def say_without(self) -> None:
        """Say on standard error how many hands were read without a hero, where others have one."""
        if self._named and self._without:
            (name, _), *others = self._named.most_common()
            whose = "a hero's" if others else f"{printable(name)}'s"
            known, unknown = counted(self._named.total(), "hand"), counted(self._without, "hand")
            click.echo(f"read with {whose} cards: {known}; without a hero, as these are not known: {unknown}", err=True)


# ------------------------------------------------------------------------------------------------ forms of a hand


@dataclass(frozen=True)
class _Line:
    """A hand as a line of JSON."""

    weights: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> str:
        from pokermodel._core.json_text import dumps

        return dumps({"number": number, **reports[0].to_dict(weights=self.weights, ranges=self.weights)})


@dataclass(frozen=True)
class _Rows:
    """A hand as rows of a table."""

    weights: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> list[dict[str, Any]]:
        return list(reports[0].rows(number, weights=self.weights))


@dataclass(frozen=True)
class _PageHand:
    """A hand as a part of a page."""

    def __call__(self, number: int, reports: Sequence[HandReport]) -> bytes:
        from pokermodel.report.hands_page import hand_content

        return hand_content(number, reports)


@dataclass(frozen=True)
class _Text:
    """A hand as text, for a console of this kind."""

    console: dict[str, Any]
    maps: bool

    def __call__(self, number: int, reports: Sequence[HandReport]) -> str:
        from pokermodel.report.terminal import print_report

        console, told = console_like(self.console)
        print_report(reports[0], console, maps=self.maps)
        return told.getvalue()


class _Read(Protocol):
    """Reads hands, and makes something of each; at the end of the block the workers end."""

    def __call__(self, show: Callable[[int, list[HandReport]], T], /) -> AbstractContextManager[Iterator[Shown[T]]]: ...


class _Several(NamedTuple):
    """Several hands of a source, and how they are read."""

    source: HandSource
    numbers: Numbers | None
    hands: Iterator[Taken]
    learners: list[Learner]
    heroes: _Heroes
    work: Work

    def read(
        self,
        show: Callable[[int, list[HandReport]], T],
        share: Callable[[int], float | None] = lambda number: None,
    ) -> AbstractContextManager[Iterator[Shown[T]]]:
        """Read them."""
        heroes, executor = self.heroes, self.work.executor()
        return closing(read_several(self.hands, self.learners, executor, show, heroes.of, heroes.options, share))


# ------------------------------------------------------------------------------------------------ how it is shown


def _show_one(number: int, reports: list[HandReport], source: HandSource | None, view: _View, output: Output) -> None:
    """Print the reports of a hand, one of each model, or write them to a file."""
    from pokermodel._core.json_text import dumps

    (report, *_) = reports
    if output.out is not None:
        from pokermodel.report.page import hand_page

        tables = _table_writers(lambda show: nullcontext(iter([Shown(show(number, reports), None)])), view.weights)
        page = text_file("1 hand", lambda: hand_page(reports))
        text = text_file("1 hand", lambda: dumps(report.to_dict(weights=view.weights)) + "\n")
        write_by_ending(output.out, {**tables, ".html": page, ".json": text})
    elif output.as_json:
        click.echo(dumps(report.to_dict(weights=view.weights) | _files(source)))
    else:
        from pokermodel.report.terminal import print_report

        print_report(report, open_console(), maps=view.maps)


def _files(source: HandSource | None) -> dict[str, Any]:
    """What became of every file, as JSON has it."""
    return {} if source is None else {key: value for key, value in source.report().to_dict().items() if key != "hands"}


def _show_several(several: _Several, view: _View, out: Path | None) -> None:
    """Print the reports of several hands, each as soon as it is there, or write them to a file."""
    if out is not None:
        writers = {**_table_writers(several.read, view.weights), ".html": lambda path: _write_page(path, several)}
        write_by_ending(out, writers)
        return
    console = open_console()
    with several.read(_Text(console_kind(console), view.maps)) as texts:
        for count, shown in enumerate(texts):
            console.file.write("\n" + shown.what if count else shown.what)
            console.file.flush()


def _table_writers(read: _Read, weights: bool) -> dict[str, Callable[[Path], str]]:
    """What writes hands as data, by the ending of the file."""

    def json(path: Path) -> str:
        hands = 0
        with read(_Line(weights)) as lines, opened(path) as write:
            for line in lines:
                write(f"{',' if hands else '['}\n{line.what}")
                hands += 1
            write("\n]\n")
        return counted(hands, "hand")

    def lines(path: Path) -> str:
        hands = 0
        with read(_Line(weights)) as lines, opened(path) as write:
            for line in lines:
                write(line.what + "\n")
                hands += 1
        return counted(hands, "hand")

    def csv(path: Path) -> str:
        from pokermodel._support.spreadsheets import csv_text
        from pokermodel.analysis.hand import STEP_COLUMNS

        with read(_Rows(False)) as tables:
            rows = [[row[name] for name in STEP_COLUMNS] for table in tables for row in table.what]
        with opened(path) as write:
            write(csv_text(list(STEP_COLUMNS), rows))
        return counted(len(rows), "action")

    def parquet(path: Path) -> str:
        from pokermodel._support.frames import write_parquet
        from pokermodel.analysis.hand import STEP_COLUMNS

        columns = {**STEP_COLUMNS, "weights": "weights"} if weights else STEP_COLUMNS
        with read(_Rows(weights)) as tables:
            rows = chain.from_iterable(table.what for table in tables)
            return counted(write_parquet(path, rows, columns), "action")

    return {".json": json, ".jsonl": lines, ".csv": csv, ".parquet": parquet}


def _write_page(path: Path, several: _Several) -> str:
    """Write a page of several hands."""
    from pokermodel.cli._progress import progress
    from pokermodel.report.hands_page import PageSizeError, write_hands_page

    share = _Share(several.source, several.numbers)
    title = f"Hands of {several.source.path.name}" + ("" if several.numbers is None else f", {several.numbers}")
    with progress("hand", share) as shown, several.read(_PageHand(), share.at) as contents:
        try:
            return counted(write_hands_page(path, contents, title=title, progress=shown), "hand")
        except PageSizeError as error:
            raise ValueError(f"{error}; --hand 1-200 or --where select fewer") from None


class _Share:
    """Share of the hands that has been read: by their numbers, or of what was left of the source."""

    def __init__(self, source: HandSource, numbers: Numbers | None) -> None:
        self._source, self._numbers = source, numbers
        self._now, self._begun = 0, 0.0

    def note(self, number: int) -> None:
        """Note the number of a hand that was taken."""
        if not self._now:
            self._begun = self._source.share_read
        self._now = number

    def __call__(self) -> float | None:
        rest = (self._source.share_read - self._begun) / (1.0 - self._begun) if self._begun < 1.0 else None
        return rest if self._numbers is None else max(rest or 0.0, self._numbers.share(self._now))

    def at(self, number: int) -> float | None:
        """The share, with a hand that was just taken."""
        self.note(number)
        return self()
