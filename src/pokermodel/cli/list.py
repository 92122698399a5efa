"""``pokermodel list``: the hands of histories, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, index_option, say_left_out

if TYPE_CHECKING:
    from pokermodel.analysis.hero import HeroHand, HeroTotals, Loss
    from pokermodel.histories import HandFilter

__all__ = ["list_hands"]

_AT_ONCE = 100  # lines
_PEEKED = 200  # hands by which it is known whom a history names
#: As `pokermodel.analysis.hero.SORTS` has them, which is loaded when it is needed.
_SORTS = ("number", "time", "pot", "loss", "win", "loss-bb", "win-bb", "position", "holding")


@click.command("list")
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--hero",
    metavar="NAME",
    help="List the hands of this player, as they saw them. By default that is the player whose cards the history has "
    "in all of their hands, if it has.",
)
@click.option("--no-hero", is_flag=True, help="List hands as everybody saw them, whoever's cards the history has.")
@click.option("--won", is_flag=True, help="Hands in which the hero won money.")
@click.option("--lost", is_flag=True, help="Hands in which the hero lost money.")
@click.option(
    "--min-loss",
    metavar="AMOUNT",
    help="Hands in which the hero lost so much or more, as 12.50, or 20bb for big blinds.",
)
@click.option(
    "--sort",
    type=click.Choice(_SORTS),
    help="Sort the hands of each FILE: the largest loss, win or pot first. By default they are in their order.",
)
@with_filter
@index_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object a line for each hand, as they are read.")
def list_hands(
    files: tuple[Path, ...],
    hero: str | None,
    no_hero: bool,
    won: bool,
    lost: bool,
    min_loss: str | None,
    sort: str | None,
    index: bool,
    as_json: bool,
    jsonl: bool,
    which: HandFilter,
) -> None:
    """List the hands of histories, one a line.

    Number, id, time (UTC, where the history has it), small and big bet, number of players, pot (what was matched),
    rake, the last betting round, who showed which cards, and who won how much after the rake, with all-in EV beside
    it. The number is the one that `pokermodel read FILE --hand` takes; each FILE has its own. Amounts are in the money
    of the history.

    Where there is a hero, the lines say what they saw: their position, their cards, the board, the type of the pot by
    its raises before the flop, the last round that they were in, pot and rake, and what they won or lost after the
    rake, in money and in big blinds, and on average (EV) in all-ins before the river. A line at the end adds that up,
    and says how many of the hands are without their cards.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error. Options select hands; a hand has to fit all of them.
    """
    from pokermodel.analysis.hero import HeroTotals, Loss
    from pokermodel.histories import SourceReport
    from pokermodel.report.listing import hand_lines, hero_words

    if as_json and jsonl:
        raise click.UsageError("--json and --jsonl exclude each other")
    if no_hero and (hero is not None or won or lost or min_loss is not None):
        raise click.UsageError("--no-hero excludes --hero, --won, --lost and --min-loss")
    if won and (lost or min_loss is not None):
        raise click.UsageError("--won excludes --lost and --min-loss")
    wanted = _Wanted(hero, no_hero, won, lost, None if min_loss is None else Loss.of(min_loss), sort)
    skipped = Skipped()
    reading = HandReading(skipped, files, which, keep_index=index)
    rows: list[dict[str, Any]] = []
    totals = HeroTotals()
    for path in files:
        found = _counted(wanted.rows(reading, path), totals)
        if as_json:
            rows += ({"file": str(path), **row, "time": _iso(row["time"])} for row in found)
        elif jsonl:
            _print(json.dumps({"file": str(path), **row, "time": _iso(row["time"])}, allow_nan=False) for row in found)
        else:
            if len(files) > 1:
                click.echo(f"{path}:")
            some = list(islice(found, _AT_ONCE))
            heroes = any(row["hero"] is not None for row in some)
            _print(hand_lines(chain(some, found), hero=heroes))
    report = SourceReport(reading.files)
    if report.hands and not wanted.named and not which:
        if hero is not None:
            raise click.ClickException(f"{hero!r} plays in none of {counted(report.hands, 'hand')}")
        if wanted.chosen:
            raise click.ClickException("the hands name no player whose cards they have: expected --hero NAME")
    heroes_found = totals.to_dict()
    if as_json:
        figures = {"hands": rows, "heroes": heroes_found, "not_selected": reading.passed, "skipped": len(skipped)}
        figures |= {"reasons": skipped.to_list(), "files": report.to_dict()["files"]}
        click.echo(json.dumps(figures, allow_nan=False))
    elif not jsonl:
        few = which or wanted.chosen or hero is not None
        total = f"{counted(totals.hands, 'hand')} of {report.hands:,}" if few else counted(totals.hands, "hand")
        before = "; where the rake is ?, the history does not say it, and results are before it"
        click.echo(total + (before if totals.rake_unknown else ""))
        for name, of_one in heroes_found.items():
            click.echo(hero_words(name, of_one))
    say_left_out(report, skipped)
    if not report.hands:
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))


def _counted(rows: Iterable[dict[str, Any]], totals: HeroTotals) -> Iterator[dict[str, Any]]:
    """Yield rows, each added up."""
    for row in rows:
        totals.add(row)
        yield row


@dataclass
class _Wanted:
    """Whose hands are listed, which, and in which order; and whom the hands named, listed or not."""

    hero: str | None
    nobody: bool
    won: bool
    lost: bool
    loss: Loss | None
    sort: str | None
    named: set[str] = field(default_factory=set)

    @property
    def chosen(self) -> bool:
        """Whether hands are chosen by what the hero won."""
        return self.won or self.lost or self.loss is not None

    def rows(self, reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
        """What is said of the hands of a path, with that of the hero in each."""
        from pokermodel.analysis.hero import sorted_rows

        found = self._rows(reading, path)
        return iter(sorted_rows(found, self.sort)) if self.sort else found

    def _rows(self, reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
        from pokermodel.analysis.hero import HeroFinder, HeroHand
        from pokermodel.histories import hand_row

        finder, hands = HeroFinder(self.hero), reading.numbered(path)
        first = list(islice(hands, _PEEKED))
        for _, hand in first:
            finder.see(hand)
        for place, (number, hand) in enumerate(chain(first, hands)):
            if place >= len(first):
                finder.see(hand)
            row, name = hand_row(number, hand), None if self.nobody else finder.of(hand)
            of_hero = None if name is None else HeroHand.of(hand, name, row)
            if name is not None:
                self.named.add(name)
            if self._is_meant(of_hero):
                yield {**row, "hero": None if of_hero is None else of_hero.to_dict()}

    def _is_meant(self, hero: HeroHand | None) -> bool:
        if hero is None:
            return self.hero is None and not self.chosen
        return (
            (not self.won or hero.net > 0)
            and (not self.lost or hero.net < 0)
            and (self.loss is None or self.loss.reached(hero))
        )


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _print(lines: Iterator[str]) -> int:
    """Print lines, several at a time; return their number."""
    count = 0
    while some := list(islice(lines, _AT_ONCE)):
        count += len(some)
        click.echo("\n".join(some))
    return count
