"""``pokermodel read``: a hand step by step, and what everybody in it can hold."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from pokermodel._support.words import counted, printable
from pokermodel.cli._hands import HistoryPath, Skipped, open_source, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._numbers import Numbers
from pokermodel.cli._options import (
    HAND,
    HERO,
    WHERE,
    Known,
    Output,
    Work,
    known,
    learnt_with,
    output,
    subject,
    together,
    work,
)
from pokermodel.cli._output import console_kind, open_console, opened
from pokermodel.cli._read_jobs import (
    JsonLine,
    PageHand,
    Rows,
    SharedHands,
    Shown,
    Student,
    Taken,
    Text,
    read_hand,
)
from pokermodel.cli._workers import open_executor
from pokermodel.errors import HistoryError

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.game import Hand
    from pokermodel.histories import Filter, HandSource
    from pokermodel.reading import OpponentModeler

__all__ = ["read", "read_before"]

_DEALS = 2_000  # that the hero's equity is drawn from, where many hands are read: true to one per cent
_MOST = 4  # processes that are started unasked: each learns all hands, so that further ones gain less and less
_T = TypeVar("_T")
_CORRECTING = 200  # hands before the one shown that correct it: more hardly help, and these take half a second


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


class _Wanted(NamedTuple):
    """Which hands are to be shown."""

    numbers: Numbers | None  # None: the first one that is meant, or all of them
    which: Filter
    hero: str | None
    every: bool

    def __call__(self, number: int, hand: Hand) -> bool:
        """Whether a hand is one of them."""
        if self.numbers is not None and number not in self.numbers:
            return False
        if self.every and self.hero and not self._plays(hand):
            return False
        return self.which(hand, self.hero)

    def _plays(self, hand: Hand) -> bool:
        return self.hero in hand.players and hand.players.index(self.hero) in hand.holdings

    @property
    def ids(self) -> Collection[str]:
        """The ids of hands that are asked for."""
        return self.which.values("id")

    def __str__(self) -> str:
        return "that is selected" + ("" if self.numbers is None else f", from {self.numbers.first} on")


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
        "--maps", is_flag=True, help="Show the range after every act as a map, with all that the model says of the act."
    ),
    click.option(
        "--weights", is_flag=True, help="Add the weights of all 1,326 holdings to every action in JSON or Parquet."
    ),
)
@work(None)
@output("what is shown", ".html", ".jsonl", ".parquet")
def read(file: Path | None, asked: _Asked, known: Known, view: _View, work: Work, output: Output) -> None:
    """Show, step by step, what every opponent in a hand can hold, and why.

    FILE is a hand history: PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or the IRC poker database (a
    folder or .tgz); or a folder or an archive of such files; - is standard input. Without FILE, the hand that ships
    with the package is read. `pokermodel list` shows the hands of a FILE with their numbers. --where selects a hand,
    too: the first one that fits or, with --all, each.

    For the hero it also shows what they should do and the expected value of each action. With --hero '' hands are read
    as everybody saw them. A page of one hand can show several models, with commas between them.

    Beside each act stands how wide a range it leaves and what is likeliest in it; --maps shows ranges whole. By default
    the adaptive reader reads, which knows people in general before it meets any. The tables of Loki's models
    are too sure as they are. They are corrected by the outcome of earlier hands of FILE; the heading says whether, and
    'loki2?calibrated=0' leaves the correction out.
    """
    from pokermodel import example_hand

    asked = asked._replace(hero=subject(asked.hero, asked.which))
    numbers, several = asked.numbers, asked.several
    ending = "" if output.out is None else output.out.suffix.lower()
    _check(asked, view, work, output)
    students = _students(known.model.split(",") if ending == ".html" else [known.model], known.book, asked.hero or None)
    source = None
    if file is None:
        if several or (numbers is not None and numbers.first != 1) or asked.which:
            raise click.UsageError("--hand and what selects hands need a FILE: the hand of the package is only one")
        hands = iter([(1, example_hand())])
    else:
        # damage elsewhere has nothing to do with hands that are named or selected; it is said at the end
        source = open_source(file, not (several or numbers is not None or asked.which))
        if numbers is None and not (asked.every or asked.which):
            numbers = Numbers(((1, 1),), several=False)
        wanted = _Wanted(numbers, asked.which, asked.hero, several)
        most = _jobs(file) if work.jobs is None and several else work.jobs or 1
        if most > 1 or work.cluster is not None:
            heroes = _Heroes(asked.hero, several=True)
            team = _Team(most, work.jobs is None, work.cluster)
            beside = _Beside(team, source, _taking(source, wanted, students), students, heroes)
            beside.show(numbers, output.out, weights=view.weights, maps=view.maps)
            return
        hands = _learning(source, wanted, students)
    found = _naming_option(hands, source)
    heroes = _Heroes(asked.hero, several=several)
    if output.out is not None and ending == ".html":
        if several and source is not None:
            _write_hands(output.out, found, students, heroes, source, numbers)
            heroes.say_without()
        else:
            _write_page(output.out, [report for _, hand in found for report in heroes.read(hand, _sessions(students))])
        if source is not None:
            _say_left_out(source)
        return
    student = students[0]
    sessions = ((each, student.apart() if several else student.session) for each in found)
    reports = ((number, heroes.read(hand, [own])[0]) for (number, hand), own in sessions)
    _show(reports, source, output, weights=view.weights, maps=view.maps)
    if several:
        heroes.say_without()


def _check(asked: _Asked, view: _View, work: Work, output: Output) -> None:
    """Refuse options that do not go together."""
    ending = "" if output.out is None else output.out.suffix.lower()
    if output.as_json and ending:
        raise click.UsageError("--json and --out exclude each other")
    if view.maps and (output.as_json or ending):
        raise click.UsageError("--maps is for the terminal: it excludes --json and --out")
    if view.weights and not (output.as_json or ending in (".jsonl", ".parquet")):
        raise click.UsageError("--weights needs --json, or --out FILE.jsonl or FILE.parquet")
    if asked.several and output.as_json:
        raise click.UsageError("--json prints one object: with several hands, expected --out FILE.jsonl")
    if asked.numbers is not None and asked.every:
        raise click.UsageError("--hand says which hands: it excludes --all")
    if asked.numbers is not None and asked.selects and not asked.several:
        raise click.UsageError("--hand is one hand: it excludes --where, but for several (1-200)")
    if ((work.jobs or 1) > 1 or work.cluster is not None) and not asked.several:
        raise click.UsageError("--jobs and --cluster are for the reports of several hands, as --all has them")


def read_before(file: Path, numbers: Numbers, known: Known) -> tuple[Hand, OpponentModeler]:
    """A hand of a file, and a session that knows what was played before it, and has no hero.

    Raises
    ------
    ValueError
        If there is no such hand, or it cannot be read.
    click.UsageError
        If the model has no use for the book.
    """
    from pokermodel.histories import Filter

    students = _students([known.model], known.book, None)
    source = open_source(file)
    wanted = _Wanted(numbers, Filter(), None, False)
    ((_, hand),) = _naming_option(_learning(source, wanted, students), source)
    return hand, students[0].session


def read_each(
    file: Path, numbers: Numbers | None, known: Known, which: Filter, hero: str | None = None
) -> tuple[HandSource, Iterator[tuple[int, Hand, OpponentModeler]]]:
    """Open a file, and read all its hands that fit a filter, or those with these numbers.

    Each comes with a session that knows what was played before it, and whose hero may be named. What cannot be read is
    left out, and said at the end.

    Raises
    ------
    ValueError
        If there is no such hand.
    click.UsageError
        If the model has no use for the book.
    """
    students = _students([known.model], known.book, hero or None)
    source = open_source(file)
    wanted = _Wanted(numbers, which, hero, True)

    def hands() -> Iterator[tuple[int, Hand, OpponentModeler]]:
        for number, hand in _naming_option(_learning(source, wanted, students), source):
            yield number, hand, students[0].apart()
        _say_left_out(source)

    return source, hands()


class _Heroes:
    """As whom hands are read: who is asked for, nobody or, by default, whom each hand names where it has their cards.

    Parameters
    ----------
    name : str or None
        Who is asked for; empty if nobody is to be it.
    several : bool
        Whether many hands are read: then the worth of the hero's acts where bets have sizes is left to ``study``, and
        an equity against several opponents is drawn from fewer deals.
    """

    def __init__(self, name: str | None, *, several: bool = False) -> None:
        self._name = name
        self.options: dict[str, Any] = {"verdicts": not several, "deals": _DEALS if several else None}
        self._named: Counter[str] = Counter()
        self._without = 0

    def read(self, hand: Hand, sessions: Sequence[OpponentModeler]) -> list[HandReport]:
        """Read a hand in each session."""
        return read_hand(hand, self.of(hand), sessions, self.options)

    def of(self, hand: Hand) -> str | None:
        """As whom a hand is read, which is counted."""
        from pokermodel.analysis.hero import hero_of

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


def _sessions(students: Iterable[Student]) -> list[OpponentModeler]:
    return [each.session for each in students]


def _students(models: list[str], book: str | None, hero: str | None) -> list[Student]:
    """Begin a session of each model; the book is for those of several that can use it."""
    from pokermodel.reading import read_reader

    kinds = [read_reader(model)[0] for model in models]
    learning = [kind for kind in kinds if kind.needs] or kinds  # where none learns, the first one says so
    return [
        _student(model, book if kind in learning else None, hero) for model, kind in zip(models, kinds, strict=True)
    ]


def _student(model: str, book: str | None, hero: str | None) -> Student:
    """Begin a session of a model."""
    from pokermodel.reading import OpponentModeler, read_reader

    kind, options = read_reader(model)
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        if not kind.needs:
            raise click.UsageError(f"model {model!r} judges everybody alike: --book is for {_learners()}")
        known = click.get_current_context().with_resource(Book(book, create=False))
        for need in kind.knowledge:
            if known.knowledge(learnt_with(need, options.get("prior"))) is None:
                raise click.UsageError(
                    f"{book} has nothing for model {kind.name!r}: `pokermodel learn --for {need.kind}` adds it"
                )
    session = OpponentModeler(model, known, hero, calibrated=options.get("calibrated", kind.corrected))
    return Student(session, bool(kind.needs) and known is None)


def _write_page(path: Path, reports: list[HandReport]) -> None:
    """Write the page of a hand, of which there is a report for each model."""
    from pokermodel._support.files import write_text
    from pokermodel.report.page import hand_page

    page = hand_page(reports)
    write_text(path, page)
    click.echo(f"1 hand written to {path}", err=True)


def _write_hands(
    path: Path,
    hands: Iterator[tuple[int, Hand]],
    students: Sequence[Student],
    heroes: _Heroes,
    source: HandSource,
    numbers: Numbers | None,
) -> None:
    """Write a page of several hands."""
    from pokermodel.report.hands_page import write_hands_page

    share = _Share(source, numbers)

    def reports() -> Iterator[tuple[int, Sequence[HandReport]]]:
        for number, hand in hands:
            share.note(number)
            yield number, heroes.read(hand, [each.apart() for each in students])

    _write_page_of_several(path, partial(write_hands_page, hands=reports(), share=share), source, numbers, share)


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


def _write_page_of_several(
    path: Path,
    write: Callable[..., int],
    source: HandSource,
    numbers: Numbers | None,
    share: Callable[[], float | None],
) -> None:
    """Write a page, given what writes the hands."""
    from pokermodel.cli._progress import progress
    from pokermodel.report.hands_page import PageSizeError

    title = f"Hands of {source.path.name}" + ("" if numbers is None else f", {numbers}")
    with progress("hand", share) as shown:
        try:
            count = write(path, title=title, progress=shown)
        except PageSizeError as error:
            raise ValueError(f"{error}; --hand 1-200 or --where select fewer") from None
    click.echo(f"{counted(count, 'hand')} written to {path}", err=True)


def _jobs(file: Path) -> int:
    """Processes for the hands of a file, if nobody said how many.

    Of what comes through a pipe, several processes would take hands ahead of those that are shown, and keep them back
    where no more comes for a while.
    """
    from pokermodel._support.followers import can_follow
    from pokermodel._support.processors import processors

    return min(processors(), _MOST) if can_follow() and (file.is_file() or file.is_dir()) else 1


class _Team(NamedTuple):
    """Who reads hands beside each other."""

    jobs: int
    unasked: bool
    cluster: str | None

    def read(self, hands: SharedHands[_T]) -> Generator[Shown[_T], None, None]:
        """Read them."""
        from pokermodel._support.followers import can_follow

        if self.cluster is None and can_follow():
            return hands.by_processes(self.jobs, thrifty=self.unasked)
        return hands.by_executor(open_executor(self.jobs, self.cluster))


class _Beside(NamedTuple):
    """Several hands that are read beside each other, and how they are shown."""

    team: _Team
    source: HandSource
    hands: Iterator[Taken]
    students: list[Student]
    heroes: _Heroes

    def show(self, numbers: Numbers | None, out: Path | None, *, weights: bool, maps: bool) -> None:
        """Show them in the form that is asked for, as one process does."""
        ending = "" if out is None else out.suffix.lower()
        if out is not None and ending == ".html":
            from pokermodel.report.hands_page import write_contents

            share = _Share(self.source, numbers)
            with self._shown(PageHand(), share.at) as shown:
                contents = ((each.what, each.share) for each in shown)
                _write_page_of_several(out, partial(write_contents, contents=contents), self.source, numbers, share)
            self.heroes.say_without()
            _say_left_out(self.source)
            return
        if out is not None and ending == ".parquet":
            from pokermodel.report.table import write_rows

            with self._shown(Rows(weights)) as tables:
                count = write_rows(out, (row for each in tables for row in each.what), weights=weights)
            _say_rows(count, out)
        elif out is not None:
            with self._shown(JsonLine(weights)) as lines, opened(out) as write:
                for each in lines:
                    write(each.what + "\n")
        else:
            console = open_console()
            with self._shown(Text(console_kind(console), maps)) as texts:
                for count, told in enumerate(texts):
                    console.file.write("\n" + told.what if count else told.what)
                    console.file.flush()
        _say_left_out(self.source)
        self.heroes.say_without()

    @contextmanager
    def _shown(
        self,
        show: Callable[[int, list[HandReport]], _T],
        share: Callable[[int], float | None] = lambda number: None,
    ) -> Iterator[Iterator[Shown[_T]]]:
        """What is shown of each hand; at the end of the block nobody reads on."""
        heroes = self.heroes

        def told(error: Exception) -> Exception:
            return _named(error, self.source) if isinstance(error, ValueError) else error

        hands = SharedHands(self.hands, self.students, heroes.of, heroes.options, show, share, told)
        with closing(self.team.read(hands)) as shown:
            yield shown


def _say_rows(rows: int, path: Path) -> None:
    click.echo(f"{counted(rows, 'action')} written to {path}", err=True)


def _show(
    reports: Iterator[tuple[int, HandReport]],
    source: HandSource | None,
    output: Output,
    *,
    weights: bool,
    maps: bool,
) -> None:
    """Show what was made of hands, in the form that is asked for."""
    from pokermodel._core.json_text import dumps

    out = output.out
    if out is not None and out.suffix.lower() == ".parquet":
        from pokermodel.report.table import write_reports

        _say_rows(write_reports(out, reports, weights=weights), out)
    elif out is not None:
        line = JsonLine(weights)
        with opened(out) as write:
            for number, report in reports:
                write(line(number, [report]) + "\n")
    elif output.as_json:
        ((_, report),) = reports
        click.echo(dumps(report.to_dict(weights=weights) | _read_so_far(source)))
    else:
        _print(reports, maps)
    if source is not None:
        _say_left_out(source)


def _print(reports: Iterator[tuple[int, HandReport]], maps: bool) -> None:
    from pokermodel.report.terminal import print_reports

    print_reports((report for _, report in reports), open_console(), maps=maps)


def _naming_option(hands: Iterator[_T], source: HandSource | None) -> Iterator[_T]:
    """Let errors name the option that leaves out what is damaged, and say what was left out."""
    try:
        yield from hands
    except ValueError as error:
        raise _named(error, source) from None


def _named(error: ValueError, source: HandSource | None) -> ValueError:
    """The error of a source, as it is told: see `_naming_option`."""
    if isinstance(error, HistoryError):
        if source is not None and not source.strict:  # the hand that is asked for
            return error
        what = f"{error.reason} (--hand 1 leaves out what cannot be read)"
        return HistoryError(what, error.path, error.line, error.hand)
    if source is not None:  # there is no such hand among those that can be read
        _say_left_out(source)
    return error


def _learning(source: HandSource, wanted: _Wanted, students: Sequence[Student]) -> Iterator[tuple[int, Hand]]:
    """Yield the hands that are wanted, with their numbers, after learning from those before each, as `_taking` says."""
    for number, hand, learnt in _taking(source, wanted, students):
        for earlier in learnt:
            for each in students:
                each.learn(earlier)
        yield number, hand


def _taking(source: HandSource, wanted: _Wanted, students: Sequence[Student]) -> Iterator[Taken]:
    """Yield the hands that are wanted, with those that are to be learnt before each: what the players do, if wanted.

    The latest of them also correct the sessions that can be corrected; where several hands are shown, all of those
    after the latest ones before the first of them do. What is before these is learnt here.
    """
    first, hands = 1, iter(source)
    if wanted.numbers is not None and not any(each.players for each in students):  # few hands before matter, or none
        before = 0 if all(each.session.calibration is None for each in students) else _CORRECTING
        first = max(1, wanted.numbers.first - before)
        hands = source.between(first, wanted.numbers.last)
    elif wanted.numbers is not None:
        hands = islice(hands, wanted.numbers.last)
    latest: deque[Hand] = deque()
    shown = False
    count = 0
    for count, hand in enumerate(hands, first):
        if wanted(count, hand):
            learnt = [*latest]
            latest.clear()
            yield Taken(count, hand, learnt)
            if not wanted.every:
                return
            shown = True
        latest.append(hand)
        if shown:
            continue
        if len(latest) > _CORRECTING:
            earlier = latest.popleft()
            for session, players in students:
                if players:
                    session.learn(earlier, calibrate=False)
    if shown:
        return
    if wanted.numbers is not None and count < wanted.numbers.first:
        source.hand(wanted.numbers.first)  # raises the error
    for error in source.skipped:
        if error.hand is not None and error.hand in wanted.ids:
            raise error
    raise ValueError(f"{source.path}: there is no hand {wanted}, of {count:,}")


def _say_left_out(source: HandSource) -> None:
    """Say on standard error what was left out up to the hand that is shown."""
    skipped = Skipped()
    for error in source.skipped:
        skipped.append(error)
    say_left_out(source.report(), skipped)


def _read_so_far(source: HandSource | None) -> dict[str, Any]:
    """What became of every file, as JSON has it."""
    return {} if source is None else {key: value for key, value in source.report().to_dict().items() if key != "hands"}


def _learners() -> str:
    """Readers that start from what is known of players."""
    from pokermodel.reading import reader_kinds

    return ", ".join(kind.name for kind in reader_kinds().values() if kind.needs)
