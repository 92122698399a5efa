"""``pokermodel read``: a hand step by step, and what everybody in it can hold."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from pokermodel._support.words import counted, printable
from pokermodel.cards import cards_text
from pokermodel.cli._completion import complete_book, complete_names
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HistoryPath, Skipped, index_option, open_source, say_left_out
from pokermodel.cli._listings import ListsReaders
from pokermodel.cli._numbers import Numbers, read_numbers
from pokermodel.cli._output import console_kind, open_console, raw_option, write_line
from pokermodel.cli._prior import prior_option, with_prior
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
from pokermodel.cli._workers import cluster_option, open_executor
from pokermodel.errors import HistoryError
from pokermodel.ranges import SOLVERS

if TYPE_CHECKING:
    from pokermodel.analysis.hand import HandReport
    from pokermodel.game import Hand
    from pokermodel.histories import HandFilter, HandSource
    from pokermodel.reading import OpponentModeler, ReaderKind

__all__ = ["read", "read_before"]

_DEALS = 2_000  # that the hero's equity is drawn from, where many hands are read: true to one per cent
_MOST = 4  # processes that are started unasked: each learns all hands, so that further ones gain less and less
_T = TypeVar("_T")
_CORRECTING = 200  # hands before the one shown that correct it: more hardly help, and these take half a second


class _Wanted(NamedTuple):
    """Which hands are to be shown."""

    numbers: Numbers | None  # None: the first one that is meant, or all of them
    id: str | None
    which: HandFilter
    hero: str | None
    every: bool

    def __call__(self, number: int, hand: Hand) -> bool:
        """Whether a hand is one of them."""
        if self.numbers is not None and number not in self.numbers:
            return False
        if self.every and self.hero is not None and not self._plays(hand):
            return False
        return (self.id is None or hand.id == self.id) and self.which(hand)

    def _plays(self, hand: Hand) -> bool:
        return self.hero in hand.players and hand.players.index(self.hero) in hand.holdings

    def __str__(self) -> str:
        if self.id is not None:
            return f"with the id {self.id!r}"
        return "that is selected" + ("" if self.numbers is None else f", from {self.numbers.first} on")


@click.command(cls=ListsReaders)
@click.argument("file", required=False, type=HistoryPath(exists=False))
@click.option(
    "--hand",
    "numbers",
    metavar="NUMBERS",
    callback=read_numbers,
    help="Number of the hand in FILE, by default 1; or of several, as '1-200' or '3,7,10-12'.",
)
@click.option("--id", "hand_id", metavar="ID", help="Read the hand that has this id in FILE, the first of several.")
@click.option("--all", "every", is_flag=True, help="Read all hands of FILE, or all that the options below select.")
@click.option(
    "--hero",
    metavar="NAME",
    help="A player whose cards are known: show what they should do and, but for Loki-1's models, the expected "
    "value of each act. Of several hands, those in which they are not known are left out. Default: whom the hand names "
    "as the player whose history it is, where their cards are known.",
)
@click.option("--no-hero", is_flag=True, help="Read hands as everybody saw them, whoever's cards the history has.")
@click.option(
    "--model",
    default="adaptive",
    show_default=True,
    metavar="MODEL",
    shell_complete=complete_names(ListsReaders.kinds),
    help="The model that infers the ranges, perhaps with options, as in 'loki2:som?contexts=previous&system=B'. "
    "Models are listed below. With --html there may be several, with commas between them.",
)
@click.option(
    "--book",
    metavar="BOOK",
    shell_complete=complete_book,
    help="A book made by `pokermodel learn`, which models that learn start from. Without it, they learn from the "
    "earlier hands of FILE.",
)
@with_prior
@click.option(
    "--skip-damaged",
    is_flag=True,
    help="Where no option says which hands: skip those that cannot be read, instead of stopping at the first one. With "
    "--all, --hand and others that select hands, that is done anyway, and what was left out is said at the end.",
)
@index_option
@with_filter
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Processes that read beside each other, where several hands are shown: the same is shown, in the same order. "
    f"Default: as many as there are processors, up to {_MOST}, for the hands of files, once they are many.",
)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object a line for each hand, as they are read.")
@click.option(
    "--parquet",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False),
    help='Write a Parquet file with a row for each action; needs pip install "pokermodel[parquet]".',
)
@click.option(
    "--html",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page to step through the hand in a browser, or to find and open one of several: one file that needs "
    "no network.",
)
@click.option(
    "--maps", is_flag=True, help="Show the range after every act as a map, with all that the model says of the act."
)
@click.option(
    "--weights", is_flag=True, help="Add the weights of all 1,326 holdings to every action in JSON or Parquet."
)
@click.option(
    "--ranges",
    type=click.Choice(SOLVERS),
    help="Write the range of every player at every node as this solver reads it, instead of the report: print it, or "
    "with --json or --jsonl as JSON, or write files to --out.",
)
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="With --ranges, write a file for each player and node to this folder, and a list of them, index.csv.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="With --ranges, leave out holdings of less than this share of the most probable one's weight.",
)
@click.option(
    "--top",
    type=click.FloatRange(0, 100, min_open=True),
    metavar="PERCENT",
    help="With --ranges, keep the most probable holdings that make this share of a range.",
)
@raw_option
@click.option(
    "--locks",
    metavar="SIZES",
    help="With --out, add node locks for PioSOLVER, for trees with these sizes of bets and raises in per cent of the "
    "pot, as '33,75,150'.",
)
def read(
    file: Path | None,
    numbers: Numbers | None,
    hand_id: str | None,
    every: bool,
    hero: str | None,
    no_hero: bool,
    model: str,
    book: str | None,
    prior: Path | None,
    skip_damaged: bool,
    index: bool,
    which: HandFilter,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    jsonl: bool,
    parquet: Path | None,
    html: Path | None,
    maps: bool,
    weights: bool,
    ranges: str | None,
    out: Path | None,
    least: float | None,
    top: float | None,
    raw: bool,
    locks: str | None,
) -> None:
    """Show, step by step, what every opponent in a hand can hold, and why.

    FILE is a hand history: PHH (.phh, .phhs), an ACPC dealer log, text of a poker site, or the IRC poker database (a
    folder or .tgz); or a folder or an archive of such files; - is standard input. Without FILE, the hand that ships
    with the package is read. `pokermodel list` shows the hands of a FILE with their numbers. Options as --player select
    a hand, too: the first one that fits all of them or, with --all, each.

    Beside each act stands how wide a range it leaves and what is likeliest in it; --maps shows ranges whole. By default
    the adaptive reader reads, which knows people in general before it meets any. The tables of Loki's models
    are too sure as they are. They are corrected by the outcome of earlier hands of FILE; the heading says whether, and
    'loki2?calibrated=0' leaves the correction out.
    """
    from pokermodel import example_hand

    if (as_json, jsonl, parquet is not None, html is not None).count(True) > 1:
        raise click.UsageError("--json, --jsonl, --parquet and --html exclude each other")
    if ranges is None and (out is not None or locks is not None):
        raise click.UsageError("--out and --locks need --ranges, which says how ranges are written")
    if locks is not None and out is None:
        raise click.UsageError("--locks writes files: expected --out FOLDER")
    if ranges is not None and (weights or parquet or html or (out is not None and (as_json or jsonl))):
        alone = "it excludes --weights, --parquet, --html, and --out also --json"
        raise click.UsageError(f"--ranges writes ranges alone: {alone}")
    if ranges is None and (least is not None or top is not None):
        raise click.UsageError("--least and --top need --ranges, from which they leave out what is rare")
    if no_hero and hero is not None:
        raise click.UsageError("--no-hero excludes --hero")
    bets = None if locks is None else _bets(locks)
    trim = (least or 0.0) / 100, (100.0 if top is None else top) / 100
    if maps and (as_json or jsonl or parquet or html or ranges):
        raise click.UsageError(
            "--maps is for the terminal: it excludes --json, --jsonl, --parquet, --html and --ranges"
        )
    if weights and not (as_json or jsonl or parquet is not None):
        raise click.UsageError("--weights needs --json, --jsonl or --parquet")
    several = every or (numbers is not None and numbers.several)
    if several and as_json:
        raise click.UsageError("--json prints one object: with several hands, expected --jsonl")
    if numbers is not None and (every or hand_id is not None):
        raise click.UsageError("--hand says which hands: it excludes --all and --id")
    if numbers is not None and which and not several:
        raise click.UsageError("--hand is one hand: it excludes the options that select hands, but for several (1-200)")
    if ((jobs or 1) > 1 or cluster is not None) and (not several or ranges is not None):
        raise click.UsageError("--jobs and --cluster are for the reports of several hands, as --all has them")
    students = _students([model] if html is None else model.split(","), book, prior, hero)
    source = None
    if file is None:
        if several or (numbers is not None and numbers.first != 1) or hand_id is not None or which:
            raise click.UsageError("--hand and what selects hands need a FILE: the hand of the package is only one")
        hands = iter([(1, example_hand())])
    else:
        # damage elsewhere has nothing to do with hands that are named or selected; it is said at the end
        strict = not (skip_damaged or several or hand_id is not None or numbers is not None or which)
        source = open_source(file, strict, index)
        if numbers is None and not (every or hand_id is not None or which):
            numbers = Numbers(((1, 1),), several=False)
        wanted = _Wanted(numbers, hand_id, which, hero, several)
        most = _jobs(file) if jobs is None and several and ranges is None else jobs or 1
        if most > 1 or cluster is not None:
            heroes = _Heroes(hero, nobody=no_hero, several=True)
            team = _Team(most, jobs is None, cluster)
            beside = _Beside(team, source, _taking(source, wanted, students), students, heroes)
            beside.show(numbers, jsonl=jsonl, parquet=parquet, html=html, weights=weights, maps=maps)
            return
        hands = _learning(source, wanted, students)
    found = _naming_option(hands, source)
    heroes = _Heroes(hero, nobody=no_hero, several=several)
    if html is not None:
        if several and source is not None:
            _write_hands(html, found, students, heroes, source, numbers)
            heroes.say_without()
        else:
            _write_page(html, [report for _, hand in found for report in heroes.read(hand, _sessions(students))])
        if source is not None:
            _say_left_out(source)
        return
    student = students[0]
    sessions = ((each, student.apart() if several else student.session) for each in found)
    if ranges is not None:
        _show_ranges(sessions, source, ranges, out, raw, bets, trim, as_json or jsonl)
        return
    reports = ((number, heroes.read(hand, [own])[0]) for (number, hand), own in sessions)
    _show(reports, source, as_json, jsonl, parquet, weights, maps)
    if several:
        heroes.say_without()


def read_before(
    file: Path, numbers: Numbers, model: str, book: str | None, prior: Path | None = None, *, index: bool = True
) -> tuple[Hand, OpponentModeler]:
    """A hand of a file, and a session that knows what was played before it, and has no hero.

    Raises
    ------
    ValueError
        If there is no such hand, or it cannot be read.
    click.UsageError
        If the model has no use for the book or the prior.
    """
    from pokermodel.histories import HandFilter

    students = _students([model], book, prior, None)
    source = open_source(file, False, index)
    wanted = _Wanted(numbers, None, HandFilter(), None, False)
    ((_, hand),) = _naming_option(_learning(source, wanted, students), source)
    return hand, students[0].session


def read_each(
    file: Path, numbers: Numbers | None, model: str, book: str | None, prior: Path | None = None
) -> tuple[HandSource, Iterator[tuple[int, Hand, OpponentModeler]]]:
    """Open a file, and read all its hands, or those with these numbers.

    Each comes with a session that knows what was played before it. What cannot be read is left out, and said at the
    end.

    Raises
    ------
    ValueError
        If there is no such hand.
    click.UsageError
        If the model has no use for the book.
    """
    from pokermodel.histories import HandFilter

    students = _students([model], book, prior, None)
    source = open_source(file)
    wanted = _Wanted(numbers, None, HandFilter(), None, True)

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
        Who is asked for.
    nobody : bool
        Whether nobody is to be it.
    several : bool
        Whether many hands are read: then the worth of the hero's acts where bets have sizes is left to ``study``, and
        an equity against several opponents is drawn from fewer deals.
    """

    def __init__(self, name: str | None, *, nobody: bool, several: bool = False) -> None:
        self._name = name
        self.options: dict[str, Any] = {"verdicts": not several, "deals": _DEALS if several else None}
        self._nobody = nobody
        self._named: Counter[str] = Counter()
        self._without = 0

    def read(self, hand: Hand, sessions: Sequence[OpponentModeler]) -> list[HandReport]:
        """Read a hand in each session."""
        return read_hand(hand, self.of(hand), sessions, self.options)

    def of(self, hand: Hand) -> str | None:
        """As whom a hand is read, which is counted."""
        from pokermodel.analysis.hero import hero_of

        if self._nobody or self._name is not None:
            return self._name
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


def _students(models: list[str], book: str | None, prior: Path | None, hero: str | None) -> list[Student]:
    """Begin a session of each model; book and prior are for those of several that can use them."""
    from pokermodel.reading import read_reader

    kinds = [read_reader(model)[0] for model in models]
    learning = [kind for kind in kinds if kind.needs] or kinds  # where none learns, the first one says so
    adapting = [kind for kind in kinds if "prior" in kind.options] or kinds
    return [
        _student(model, kind, book if kind in learning else None, prior if kind in adapting else None, hero)
        for model, kind in zip(models, kinds, strict=True)
    ]


def _student(model: str, kind: ReaderKind, book: str | None, prior: Path | None, hero: str | None) -> Student:
    """Begin a session of a model."""
    from pokermodel.reading import OpponentModeler

    options = prior_option(kind, prior)
    known = None
    if book is not None:
        from pokermodel.learning.store import Book

        if not kind.needs:
            raise click.UsageError(f"model {model!r} judges everybody alike: --book is for {_learners()}")
        known = click.get_current_context().with_resource(Book(book, create=False))
    session = OpponentModeler(model, known, hero, calibrated=kind.corrected, **options)
    return Student(session, bool(kind.needs) and known is None)


def _write_page(path: Path, reports: list[HandReport]) -> None:
    """Write the page of a hand, of which there is a report for each model."""
    from pokermodel._support.files import write_text
    from pokermodel.report.page import hand_page

    page = hand_page(reports)
    write_text(path, page)
    click.echo(f"1 hand written to {path}")


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
            raise ValueError(f"{error}; --hand 1-200 or options as --player select fewer") from None
    click.echo(f"{counted(count, 'hand')} written to {path}")


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

    def show(
        self,
        numbers: Numbers | None,
        *,
        jsonl: bool,
        parquet: Path | None,
        html: Path | None,
        weights: bool,
        maps: bool,
    ) -> None:
        """Show them in the form that is asked for, as one process does."""
        if html is not None:
            from pokermodel.report.hands_page import write_contents

            share = _Share(self.source, numbers)
            with self._shown(PageHand(), share.at) as shown:
                contents = ((each.what, each.share) for each in shown)
                _write_page_of_several(html, partial(write_contents, contents=contents), self.source, numbers, share)
            self.heroes.say_without()
            _say_left_out(self.source)
            return
        if parquet is not None:
            from pokermodel.report.table import write_rows

            with self._shown(Rows(weights)) as tables:
                count = write_rows(parquet, (row for each in tables for row in each.what), weights=weights)
            _say_rows(count, parquet)
        elif jsonl:
            with self._shown(JsonLine(weights)) as lines:
                for each in lines:
                    write_line(each.what)
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
    click.echo(f"{counted(rows, 'action')} written to {path}")


def _show(
    reports: Iterator[tuple[int, HandReport]],
    source: HandSource | None,
    as_json: bool,
    jsonl: bool,
    parquet: Path | None,
    weights: bool,
    maps: bool,
) -> None:
    """Show what was made of hands, in the form that is asked for."""
    from pokermodel._core.json_text import dumps

    if parquet is not None:
        from pokermodel.report.table import write_reports

        _say_rows(write_reports(parquet, reports, weights=weights), parquet)
    elif as_json:
        ((_, report),) = reports
        click.echo(dumps(report.to_dict(weights=weights) | _read_so_far(source)))
    elif jsonl:
        line = JsonLine(weights)
        for number, report in reports:
            write_line(line(number, [report]))
    else:
        _print(reports, maps)
    if source is not None:
        _say_left_out(source)


def _bets(text: str) -> list[float]:
    """Sizes in per cent of the pot as shares of it, rising."""
    try:
        found = sorted({float(each) / 100 for each in text.split(",")})
    except ValueError:
        found = []
    if not found or not all(0 < bet < math.inf for bet in found):
        raise click.UsageError(f"--locks {text!r}: expected sizes in per cent of the pot, as '33,75,150'")
    return found


def _show_ranges(
    sessions: Iterator[tuple[tuple[int, Hand], OpponentModeler]],
    source: HandSource | None,
    solver: str,
    out: Path | None,
    raw: bool,
    bets: list[float] | None,
    trim: tuple[float, float],
    as_json: bool,
) -> None:
    """Show ranges at the nodes of hands, or write them to a folder."""
    from pokermodel._core.json_text import dumps
    from pokermodel._support.files import write_text
    from pokermodel.analysis.solver import hand_nodes
    from pokermodel.report.solver import index_text, write_nodes

    rows = []
    for (number, hand), session in sessions:
        nodes = hand_nodes(hand, session, bets=bets, least=trim[0], top=trim[1])
        if out is not None:
            rows += write_nodes(out, number, hand, nodes, solver)
        elif as_json:
            told = {"number": number, "source": hand.source, "id": hand.id, "model": session.model, "solver": solver}
            click.echo(dumps({**told, "nodes": [node.to_dict(solver) for node in nodes]}))
        else:
            for node in nodes:
                click.echo(f"{node.line or '(end)'}  [{cards_text(node.board) or 'no board'}]")
                for name, table in node.tables.items():
                    click.echo(f"  {node.positions[name]} {name}: {table.to_text(solver)}")
    if out is not None:
        write_text(out / "index.csv", index_text(rows, raw))
        click.echo(f"{counted(len(rows), 'file')} written to {out}, listed in index.csv")
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
        what = f"{error.reason} (--skip-damaged leaves out what cannot be read)"
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
        if wanted.id is not None and error.hand == wanted.id:
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
