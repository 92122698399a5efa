"""``pokermodel convert``: hands, ranges and spots as other programs take them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel._support.files import whole_file, write_text
from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._options import JSON, LEAST, WHERE, refuse, subject, together, written_for
from pokermodel.cli._spots import OF_HANDS, At, OfHand, of_hand, spot_file

if TYPE_CHECKING:
    from pokermodel.analysis.hand_nodes import HandNode
    from pokermodel.game import Hand
    from pokermodel.histories import Filter

__all__ = ["convert"]

_AT_ONCE = 100  # hands
_HANDS = ("phh", "acpc", "ohh")
_SOLVERS = ("pio", "gto+", "texassolver")
_FOR_HANDS = ("--skip", "--stack")
_OF_TREES = ("--board", "--raises", "--donk", "--most-raises", "--all-in-share")  # as a list of ranges has none
_FOR_SOLVERS = ("--act", "--model", "--book", "--bets", "--least", *_OF_TREES)


def _money(context: click.Context, parameter: click.Parameter, value: str | None) -> Fraction | None:
    if value is None:
        return None
    try:
        money = Fraction(value)
    except (ValueError, ZeroDivisionError):
        money = Fraction()
    if money <= 0:
        raise click.BadParameter(f"{value!r} is not an amount of more than 0")
    return money


class _Written(NamedTuple):
    """How hands are written."""

    skip: bool
    stack: Fraction | None


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@written_for((*_HANDS, *_SOLVERS), required=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="File or, for ranges, folder to write to; by default standard output.",
)
@WHERE
@together(
    "written",
    _Written,
    click.option("--skip", is_flag=True, help="Leave out hands that the format cannot express, and say how many."),
    click.option(
        "--stack",
        metavar="AMOUNT",
        callback=_money,
        help="With --to ohh: what players begin with whose stacks are not known, which trackers need.",
    ),
)
@of_hand
@LEAST
@JSON
def convert(
    files: tuple[Path, ...],
    to: str,
    out: Path | None,
    which: Filter,
    written: _Written,
    asked: OfHand,
    least: float | None,
    as_json: bool,
) -> None:
    """Write hands, ranges and spots as other programs take them.

    phh is PHH (.phhs), which PokerKit reads; acpc a log of the ACPC dealer, with the game definition in comments; and
    ohh Open Hand History (.ohh), which trackers import, as the history of --hero. A hand that the format cannot express
    is an error, unless --skip is given; OUT is then not written.

    For the solvers pio, gto+ and texassolver, FILE is a spot (.toml) or a history. Of a history, --act K of --hero NAME
    is the spot that `pokermodel solve` would solve. Without --act the ranges of all players at every node are written,
    as the model reads the hands: printed, or with --out FOLDER a file for each and a list of them, index.csv. With --to
    pio and --bets, node locks for a tree with these sizes are written, too.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. With --json it prints what is in OUT, or the ranges of each hand.
    """
    asked = asked._replace(hero=subject(asked.hero, which))
    if to in _HANDS:
        refuse("is for solvers: expected --to pio, gto+ or texassolver", *_FOR_SOLVERS)
        if to != "ohh":
            refuse(f"is for --to ohh, not for --to {to}", "--stack", "--hero")
        if as_json and out is None:
            raise click.UsageError("--json says what was written to a file: expected --out OUT")
        _Hands(files, to, asked, which, written).write(out, as_json=as_json)
        return
    refuse("is for hands: expected --to phh, acpc or ohh", *_FOR_HANDS)
    if asked.act is None and not any(file.suffix == ".toml" for file in files):
        _write_ranges(files, to, out, which, asked, least, as_json=as_json)
        return
    if len(files) > 1 or as_json:
        raise click.UsageError("a spot is one FILE, whose text is written: expected no other FILE, and no --json")
    _write_spot(files[0], asked, least, to, out)


# --------------------------------------------------------------------------------------------------------- hands


class _Hands:
    """Hands that are written in a format."""

    def __init__(self, files: tuple[Path, ...], form: str, asked: OfHand, which: Filter, written: _Written) -> None:
        self._files, self._form, self._asked, self._written = files, form, asked, written
        self._selecting = bool(which) or asked.numbers is not None
        self._skipped, self._refused = Skipped(), _Refused()
        self._reading = HandReading(self._skipped, files, which)
        self._count = 0

    def write(self, out: Path | None, *, as_json: bool) -> None:
        """Write them, and say what was left out."""
        from pokermodel.histories import SourceReport

        if out is None:
            texts = self._pieces()
            while some := b"".join(islice(texts, _AT_ONCE)):
                click.echo(some, nl=False)
        else:
            with whole_file(out) as put:
                for piece in self._pieces():
                    put(piece)
        report = SourceReport(self._reading.files)
        if as_json:
            figures = {"file": str(out), "hands": self._count, "left_out": self._refused.count}
            figures |= {"not_selected": self._reading.passed, "skipped": len(self._skipped)}
            click.echo(json.dumps({**figures, "files": report.to_dict()["files"]}))
        elif out is not None:
            of = f" of {report.hands:,}" if self._selecting or self._refused.count else ""
            click.echo(f"{out}: {counted(self._count, 'hand')}{of}")
        self._refused.say(self._form)
        say_left_out(report, self._skipped)
        if not report.hands:
            refused = self._reading.refused
            raise click.ClickException("no hand could be read" + (f": {refused}" if refused else ""))

    def _pieces(self) -> Iterator[bytes]:
        from pokermodel.histories import ohh, writer

        write: Callable[..., Iterator[str]] = writer(self._form)
        if self._form == "ohh":
            write = partial(ohh.write, hero=self._asked.hero, stack=self._written.stack)
        hands = self._refused.located(self._reading, self._files, self._asked)
        try:
            for text in write(hands, self._refused if self._written.skip else None):
                self._count += 1
                yield text.encode()
        except ValueError as error:
            raise self._refused.named(error) from None


class _Refused:
    """Hands that the format cannot express, and where the current hand is."""

    def __init__(self) -> None:
        self._kinds = Skipped()
        self._where = ""

    @property
    def count(self) -> int:
        return len(self._kinds)

    def located(self, reading: HandReading, files: tuple[Path, ...], asked: OfHand) -> Iterator[Hand]:
        """Yield the hands that are asked for, and note where each is."""
        for path in files:
            for number, hand in reading.numbered(path):
                if asked.numbers is None or number in asked.numbers:
                    self._where = f"{path}: hand {number}"
                    yield hand

    def named(self, error: ValueError) -> ValueError:
        """Return an error that says which hand it is of."""
        return ValueError(f"{self._where}: {error}")

    def append(self, error: ValueError) -> None:
        """Note a hand that is left out."""
        self._kinds.append(self.named(error))

    def say(self, form: str) -> None:
        """Say on standard error what was left out, if anything was, and why."""
        if not self.count:
            return
        click.echo(f"{counted(self.count, 'hand')} left out, which {form} cannot express:", err=True)
        for kind in self._kinds.most():
            click.echo(f"  {f'{kind.hands:,} times, first' if kind.hands > 1 else 'once'}: {kind.first}", err=True)


# ------------------------------------------------------------------------------------------------------ for solvers


def _write_spot(file: Path, asked: OfHand, least: float | None, solver: str, out: Path | None) -> None:
    """Write a spot file, or the spot of an action of a hand, as a solver takes it."""
    from pokermodel.report.solver_files import subgame_text

    at = None if asked.act is None else At.of(file, asked)
    if at is None:
        refuse("is for a hand: expected a history", *OF_HANDS)
    game = spot_file(file) if at is None else at.subgame
    if least is not None:
        game = game.trim(least / 100, None if at is None else {at.played.player: at.holding})
    text = subgame_text(game, solver, widths=(None, None) if at is None else at.widths())
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)
        click.echo(f"{out}: a spot for {solver}")


def _write_ranges(
    files: tuple[Path, ...],
    solver: str,
    out: Path | None,
    which: Filter,
    asked: OfHand,
    least: float | None,
    *,
    as_json: bool,
) -> None:
    """Write the ranges at the nodes of hands, or show them."""
    from pokermodel._core.json_text import dumps
    from pokermodel.analysis.hand_nodes import hand_nodes
    from pokermodel.cli._reading import read_each
    from pokermodel.report.solver_files import index_text, write_nodes

    refuse("is for a spot: expected --act K --hero NAME", *_OF_TREES)
    bets = _shares(solver, asked.bets, out)
    if as_json and out is not None:
        raise click.UsageError("--json prints ranges: it excludes --out")
    rows = []
    for file in files:
        _, hands = read_each(file, asked.numbers, asked.known, which, asked.hero)
        for number, hand, session in hands:
            nodes = hand_nodes(hand, session, bets=bets, least=(least or 0.0) / 100)
            if out is not None:
                rows += write_nodes(out, number, hand, nodes, solver)
            elif as_json:
                told = {"number": number, "source": hand.source, "id": hand.id, "model": session.model}
                click.echo(dumps({**told, "solver": solver, "nodes": [node.to_dict(solver) for node in nodes]}))
            else:
                _print_nodes(nodes, solver)
    if out is not None:
        write_text(out / "index.csv", index_text(rows))
        click.echo(f"{counted(len(rows), 'file')} written to {out}, listed in index.csv")


def _print_nodes(nodes: Iterator[HandNode], solver: str) -> None:
    from pokermodel.cards import cards_text
    from pokermodel.report.solver_files import width_comment

    for node in nodes:
        click.echo(f"{node.line or '(end)'}  [{cards_text(node.board) or 'no board'}]")
        for name, table in node.tables.items():
            said = "" if (width := node.widths[name]) is None else f"  # {width_comment(width)}"
            click.echo(f"  {node.positions[name]} {name}: {table.to_text(solver)}{said}")


def _shares(solver: str, sizes: list[str] | None, out: Path | None) -> list[float] | None:
    """The sizes of a tree whose nodes are locked, rising, as shares of the pot; None for no locks."""
    from pokermodel.solving.menu import read_size

    if sizes is None:
        return None
    if solver != "pio" or out is None:
        raise click.UsageError("--bets of all nodes of a hand are for node locks: expected --to pio and --out FOLDER")
    found: dict[float, Any] = {}
    for size in sizes:
        kind, share = read_size(size)
        if kind != "pot":
            raise click.UsageError(f"--bets {size}: node locks take shares of the pot, as 33%,75%,150%")
        found[share] = size
    return sorted(found)
