"""``pokermodel solve``: an equilibrium of a spot after the flop, and what every act is worth in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel.cli._hands import HistoryPath
from pokermodel.cli._locks import LOCK, Locks, gain_data
from pokermodel.cli._options import LEAST, MAYBE_WHERE, RESUME, Output, Work, output, refuse, subject, together, work
from pokermodel.cli._output import text_file, write_by_ending
from pokermodel.cli._spots import OF_HANDS, At, OfHand, of_hand, spot_file, spots_of_boards

if TYPE_CHECKING:
    from pokermodel.histories import Filter
    from pokermodel.solving import Gain, SizeChoice, Solution, Subgame
    from pokermodel.solving.many import Spot

__all__ = ["solve"]

_SAVED = ".npz"
_OF_BOARDS = ".csv", ".parquet"
_LEAST = 1.0  # per cent of the likeliest holding's weight: without it rivers of hands take some four times as long
_RISK = 2.0  # per cent of the pot that an answer to the model may lose


class _Several(NamedTuple):
    """The street that is solved of every hand, and of which hands."""

    street: str | None
    which: Filter | None


class _How(NamedTuple):
    """How far a spot is solved, and what is believed."""

    target: float
    seconds: float | None
    memory: float | None
    least: float | None
    locks: Locks
    risk: float | None

    @property
    def bytes(self) -> int | None:
        """Most memory."""
        return None if self.memory is None else int(self.memory * 1e6)

    def least_of(self, *, of_hand: bool) -> float:
        """In per cent, which holdings are left out: of hands, whose tables have something everywhere, the thinnest."""
        return (_LEAST if of_hand else 0.0) if self.least is None else self.least

    @property
    def kept_risk(self) -> float | None:
        """In per cent of the pot; a model of the opponent is never trusted without a bound."""
        return _RISK if self.risk is None and self.locks.model else self.risk


class _View(NamedTuple):
    """What is shown of a solution."""

    node: str | None
    cards: str | None
    sizes: bool


@click.command()
@click.argument("files", metavar="[SPOT.toml... | FILE | SAVED.npz]", type=HistoryPath(), nargs=-1, required=True)
@of_hand
@together(
    "several",
    _Several,
    click.option(
        "--street",
        type=click.Choice(["flop", "turn", "river"]),
        help="Solve this street of every hand of FILE that two players begin; with --hero, of theirs.",
    ),
    MAYBE_WHERE,
)
@together(
    "how",
    _How,
    click.option(
        "--target",
        default=0.5,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        metavar="PERCENT",
        help="Exploitability to reach, in per cent of the pot.",
    ),
    click.option(
        "--seconds",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Stop after this time in any case.",
    ),
    click.option(
        "--memory", type=click.FloatRange(min=0, min_open=True), metavar="MB", help="Most memory to use, in MB."
    ),
    LEAST,
    LOCK,
    click.option(
        "--risk",
        type=click.FloatRange(min=0, min_open=True),
        metavar="PERCENT",
        help="What the answer to locks may lose in the worst case, in per cent of the pot.  [default: 2 with --lock "
        "model]",
    ),
)
@work(None)
@together(
    "view",
    _View,
    click.option(
        "--node", metavar="NODE", help="Node to show, such as r:0:c:b100. By default the root, or that of the action."
    ),
    click.option("--cards", metavar="CARDS", help="Behind which cards a page has the next street: as 8h,Ac, or all."),
    click.option("--sizes", is_flag=True, help="What each player loses with one or two of their sizes instead of all."),
)
@RESUME
@output("the solution", ".html", _SAVED, ".json", ".jsonl", *_OF_BOARDS)
def solve(
    files: tuple[Path, ...],
    asked: OfHand,
    several: _Several,
    how: _How,
    work: Work,
    view: _View,
    resume: Path | None,
    output: Output,
) -> None:
    """Solve a spot after the flop between two players.

    SPOT.toml says board, pot, stack, both ranges (out of position first) and sizes:

    \b
        board = "QsJh2h8c3d"
        pot = 200
        stack = 900
        ranges = ["QQ,AK,98s", "JJ,KK,T9s"]
        bets = ["50%", "all-in"]
        raises = ["60%"]

    FILE is a hand history, as read takes it. With --act and --hero the street of that action is solved, from what the
    model makes of the streets before, and the answer is for the hero's two cards. The model does not see them: the hero
    has a whole range in the eyes of the opponent. Holdings of less than 1% of the likeliest one's weight are left out,
    and what that may change is shown (--least). With --board the same acts are solved on another turn or river.

    SAVED.npz is a solution that --out saved: it is solved on.

    With --lock model the opponent's nodes are locked to what the model expects of them there, each as far as the
    acts behind it bear it out; --lock and the locks of a spot file say what else is believed. What the answer gains if
    that is right is shown with what it loses in the worst case; --risk keeps the loss within bounds.

    Several files, a folder of them, or a street of a session of hands (--street) are solved one beside the other; with
    --resume each result is kept as soon as it is there.

    With boards = ["QsJh2h", "7c7d2s"] or flops = 25, 49, 95 or 184 in place of board, SPOT.toml is solved on each of
    these, or on a weighted subset that stands for all flops, and the report is by board and by class of flop: as a
    table, a page that sorts and filters with a page for each board (--out FILE.html), or values (.csv, .parquet).

    --sizes solves the spot again with one and with two of the sizes of each player and street, and shows what that
    loses beside all of them.

    Amounts are in the units of the file. Each act is shown with how often it is taken and what it is worth to those who
    take it, in chips that they get back from there on.
    """  # noqa: D301 (a backspace, by which click keeps the lines of a paragraph)
    asked = asked._replace(hero=subject(asked.hero, several.which))
    if several.street is not None or len(files) > 1 or (files[0].is_dir() and asked.act is None):
        _solve_many(files, asked, several, how, work, resume, output)
        return
    file = files[0]
    if asked.act is None and file.suffix == ".toml" and (spots := spots_of_boards(file, how.least_of(of_hand=False))):
        _solve_boards(spots, how, work, resume, output)
        return
    if output.ending in _OF_BOARDS:
        raise click.UsageError(f"--out {output.out}: a table is for a spot with boards or flops")
    refuse("is for several spots: expected a folder, several files or --street", "--cluster", "--resume", "--where")
    if output.ending != ".html":
        refuse("is for a page: expected --out FILE.html", "--cards")
    saved = file.suffix == _SAVED
    if saved:
        refuse("is for a new solution: SAVED.npz has its own", "--least", "--lock", "--risk", "--sizes", *OF_HANDS)
    elif asked.act is None:
        refuse("is for a hand: expected FILE --hand N --act K --hero NAME", *OF_HANDS)
        if how.locks.model:
            raise click.UsageError("--lock model is for a hand: expected FILE --hand N --act K --hero NAME")
    if asked.numbers is not None and asked.numbers.several:
        raise click.UsageError("--hand has several hands only with --street")
    _solve_one(_Spot.of(file, asked, how, work.jobs or 1), how, work, view, output)


class _Spot(NamedTuple):
    """A spot, or a solution to go on from."""

    subgame: Subgame
    at: At | None = None
    start: Solution | None = None
    left_out: list[float] | None = None  # shares of the ranges

    @classmethod
    def of(cls, file: Path, asked: OfHand, how: _How, jobs: int) -> _Spot:
        """That of a file."""
        if file.suffix == _SAVED:
            from pokermodel.solving import Solution

            start = Solution.load(file, jobs=jobs)
            return cls(start.subgame, start=start)
        at = None if asked.act is None else At.of(file, asked)
        whole = spot_file(file) if at is None else at.subgame
        least = how.least_of(of_hand=at is not None)
        if not least:
            return cls(whole, at)
        few = whole.trim(least / 100, None if at is None else {at.played.player: at.holding})
        shares = [1 - part.total / all_.total for part, all_ in zip(few.ranges, whole.ranges, strict=True)]
        return cls(few, at, left_out=shares)

    def locks(self, given: Locks) -> tuple[Any, ...]:
        """The belief about the players."""
        return (*(self.at.opponent() if given.model and self.at is not None else ()), *given.given)


def _solve_one(spot: _Spot, how: _How, work: Work, view: _View, output: Output) -> None:
    """Solve a spot, and show it."""
    from pokermodel.cli._solution import Shown, print_row, print_sizes, print_solution
    from pokermodel.solving import compare_sizes
    from pokermodel.solving import solve as compute

    cards = _runs(view.cards)
    shown = Shown(how.target) if sys.stderr.isatty() else None
    choices: list[SizeChoice] | None = None
    if view.sizes:
        refuse("fits one menu: expected --sizes without it", "--lock", "--risk")
        found, choices = compare_sizes(
            spot.subgame, target=how.target, seconds=how.seconds, memory=how.bytes, jobs=work.jobs, callback=shown
        )
    else:
        found = compute(
            spot.subgame,
            how.target,
            how.seconds,
            how.bytes,
            spot.locks(how.locks),
            risk=how.kept_risk,
            jobs=work.jobs,
            callback=shown,
            start=spot.start,
        )
    gain = _gain(found, work.jobs or 1)
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    data = _figures(found, spot, gain)
    if choices is not None:
        data["sizes"] = [each._asdict() for each in choices]
    figures = json.dumps(data)
    if output.out is not None:

        def save(path: Path) -> str:
            found.save(path)
            return "solution"

        page = text_file("page", lambda: _page(found, spot.at, view.node, cards, gain))
        text = text_file("solution", lambda: figures + "\n")
        write_by_ending(output.out, {".html": page, _SAVED: save, ".json": text})
    at = spot.at
    if output.as_json:
        click.echo(figures)
    elif output.as_text:
        names = ("out of position", "in position") if at is None else at.played.names
        if at is not None:
            print_row(at, found)
        print_solution(found, view.node or "r:0" if at is None else view.node, names, spot.left_out, gain)
        if choices is not None:
            print_sizes(found, choices, names)
    if found.interrupted:
        raise click.Abort


def _figures(found: Solution, spot: _Spot, gain: Gain | None) -> dict[str, Any]:
    """What is said of a solution, as JSON has it."""
    from pokermodel.solving import ev_bounds

    figures: dict[str, Any] = dict(found.summary())
    if spot.left_out is not None:
        figures["left_out"] = spot.left_out
        figures["left_out_bound"] = [ev_bounds(found, "r:0", player).mean for player in (0, 1)]
    if gain is not None:
        figures["against_locks"] = gain_data(found, gain)
    return figures if spot.at is None else {**figures, "hand": spot.at.to_dict(found)}


def _gain(found: Solution, jobs: int) -> Gain | None:
    """What the answer to locks gains and risks beside the equilibrium.

    None without locks or with those of both players, and of a solution that was interrupted.
    """
    from pokermodel.solving import gain_of
    from pokermodel.solving import solve as compute

    players = {int(found.tree.player[found.tree.number(lock.node)]) for lock in found.subgame.locks}
    if len(players) != 1 or found.interrupted:
        return None
    free = compute(found.subgame.with_locks(()), found.target, bits=found.bits, jobs=jobs)
    if free.interrupted:
        found.interrupted = True
        return None
    return gain_of(found, free)


def _solve_many(
    files: tuple[Path, ...],
    asked: OfHand,
    several: _Several,
    how: _How,
    work: Work,
    resume: Path | None,
    output: Output,
) -> None:
    """Solve several spots."""
    from pokermodel.cli._many import solve_many
    from pokermodel.cli._reading import read_each
    from pokermodel.cli._spots import spot_files, spots_of_files, spots_of_hands
    from pokermodel.histories import Filter
    from pokermodel.journal import Journal
    from pokermodel.solving.many import Options

    refuse("is for a single spot", "--act", "--board", "--node", "--cards", "--sizes", "--lock")
    if output.ending not in ("", ".json", ".jsonl"):
        raise click.UsageError(f"--out {output.out}: of several spots expected a file that ends in .json or .jsonl")
    options = Options(how.target, how.seconds, how.bytes, how.risk)
    trim = how.least_of(of_hand=several.street is not None) / 100 or None
    journal = None if resume is None else Journal(resume, "solve", options._asdict())
    if several.street is None:
        refuse("is for hands: it needs --street, or --act and --hero of one of them", *OF_HANDS, "--where")
        named = spot_files(files)
        solve_many(spots_of_files(named, trim), work.executor(), options, journal, output, number=len(named))
        return
    if len(files) != 1:
        raise click.UsageError("--street is for the hands of one FILE, which may be a folder")
    which = several.which or Filter()
    if asked.hero and which.needs_hero:
        which = which.with_hero(asked.hero)
    source, hands = read_each(files[0], asked.numbers, asked.known, which)
    spots = spots_of_hands(hands, files[0], several.street, asked, trim)
    solve_many(spots, work.executor(), options, journal, output, share=lambda: source.share_read)


def _solve_boards(spots: list[Spot], how: _How, work: Work, resume: Path | None, output: Output) -> None:
    """Solve a spot on many boards."""
    from pokermodel.cli._boards import solve_boards
    from pokermodel.journal import Journal
    from pokermodel.solving.many import Options

    refuse(
        "is for a single board", "--node", "--cards", "--sizes", "--lock", "--risk", "--street", *OF_HANDS, "--where"
    )
    if output.ending == _SAVED:
        raise click.UsageError(f"--out {output.out}: of many boards expected .html, .csv, .parquet, .json or .jsonl")
    options = Options(how.target, how.seconds, how.bytes)
    journal = None if resume is None else Journal(resume, "solve", options._asdict())
    solve_boards(spots, work.executor(), options, journal, output)


def _runs(text: str | None) -> list[tuple[int, ...]] | None:
    """The cards that a page has nodes behind; None for all."""
    from pokermodel.cards import card_indices

    return None if text == "all" else [card_indices(part) for part in (text or "").split(",") if part.strip()]


def _page(
    found: Solution, at: At | None, node: str | None, cards: list[tuple[int, ...]] | None, gain: Gain | None
) -> str:
    """The page of a solution."""
    from pokermodel.analysis.solution import solution_report
    from pokermodel.cli._solution import sentence
    from pokermodel.report.solution_page import solution_page

    names = ("out of position", "in position") if at is None else at.played.names
    start = node or ("r:0" if at is None else at.played.node)
    lines = () if at is None else (sentence(at, found),)
    widths = (None, None) if at is None else at.widths()
    report = solution_report(found, cards=cards, names=names, start=start, gain=gain, widths=widths)
    return solution_page(report, lines=lines)
