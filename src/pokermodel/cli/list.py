"""``pokermodel list``: the hands of histories, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pokermodel._support.words import counted
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._options import WHERE, Output, output
from pokermodel.cli._output import opened, text_file, write_by_ending

if TYPE_CHECKING:
    from pokermodel.analysis.hero_hands import HeroTotals
    from pokermodel.game import Hand
    from pokermodel.histories import Filter, SourceReport

__all__ = ["list_hands"]

_AT_ONCE = 100  # lines
_PEEKED = 200  # hands by which it is known whom a history names
#: As `pokermodel.analysis.hero_hands.SORTS` has them, which is loaded when it is needed.
_SORTS = ("number", "time", "pot", "loss", "win", "loss-bb", "win-bb", "position", "holding")


@click.command("list")
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@WHERE
@click.option(
    "--sort",
    type=click.Choice(_SORTS),
    help="Sort the hands of each FILE: the largest loss, win or pot first. By default they are in their order.",
)
@output("the hands instead of printing them", ".json", ".jsonl")
def list_hands(files: tuple[Path, ...], which: Filter, sort: str | None, output: Output) -> None:
    """List the hands of histories, one a line.

    Number, id, time (UTC, where the history has it), small and big bet, number of players, pot (what was matched),
    rake, the last betting round, who showed which cards, and who won how much after the rake, with all-in EV beside
    it. The number is the one that `pokermodel read FILE --hand` takes; each FILE has its own. Amounts are in the money
    of the history.

    The hero is the player of hero= in FILTER, by default the one whose cards the history has in all of their hands.
    The lines then say what the hero saw: position, cards, board, the type of the pot by its raises before the flop, the
    last round that they were in, pot and rake, and what they won or lost after the rake, in money and in big blinds,
    and on average (EV) in all-ins before the river. A line at the end adds that up, and says how many of the hands are
    without their cards. With hero="" hands are listed as everybody saw them.

    Every FILE is a history or a folder of them, as for `pokermodel read`; what cannot be read is left out, counted, and
    listed on standard error.
    """
    from pokermodel.analysis.hero_hands import HeroTotals

    skipped, totals = Skipped(), HeroTotals()
    reading = HandReading(skipped, files, keep_index=True)
    listing = _Listing(which, sort, totals)
    if output.as_json or output.out is not None:
        _write(listing, reading, skipped, files, output)
    else:
        for path in files:
            if len(files) > 1:
                click.echo(f"{path}:")
            _print_rows(listing.rows(reading, path))
    report = reading.report()
    listing.check(report.hands)
    if output.as_text:
        _print_totals(totals, report, which)
    say_left_out(report, skipped)
    if not report.hands:
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))


class _Listing:
    """The hands that are listed, and whom the hands named, listed or not."""

    def __init__(self, which: Filter, sort: str | None, totals: HeroTotals) -> None:
        self._which = which
        self._sort = sort
        self._named: set[str] = set()
        self.totals = totals
        self.left_out = 0

    def rows(self, reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
        """Rows of the hands of a path, with the hero's figures in each; they are added up."""
        from pokermodel.analysis.hero_hands import sorted_rows

        found = self._rows(reading, path)
        for row in sorted_rows(found, self._sort) if self._sort else found:
            self.totals.add(row)
            yield row

    def _rows(self, reading: HandReading, path: Path) -> Iterator[dict[str, Any]]:
        from pokermodel.analysis.hero_hands import HeroFinder, HeroHand
        from pokermodel.histories import hand_row

        finder, hands = HeroFinder(self._which.hero), reading.numbered(path)
        first = list(islice(hands, _PEEKED))
        for _, hand in first:
            finder.see(hand)
        for place, (number, hand) in enumerate(chain(first, hands)):
            if place >= len(first):
                finder.see(hand)
            name = finder.of(hand)
            if name is not None:
                self._named.add(name)
            if self._is_meant(hand, name):
                row = hand_row(number, hand)
                yield {**row, "hero": None if name is None else HeroHand.of(hand, name, row).to_dict()}
            else:
                self.left_out += 1

    def _is_meant(self, hand: Hand, hero: str | None) -> bool:
        if hero is None and self._which.needs_hero:
            return False
        return self._which(hand, hero)

    def check(self, hands: int) -> None:
        """Raise `click.ClickException` if no hand has the hero that the filter is about."""
        if not hands or self._named:
            return
        if self._which.hero:
            raise click.ClickException(f"{self._which.hero!r} plays in none of {counted(hands, 'hand')}")
        if self._which.needs_hero:
            raise click.ClickException("the hands name no player whose cards they have: expected hero=NAME in --where")


def _write(listing: _Listing, reading: HandReading, skipped: Skipped, files: tuple[Path, ...], output: Output) -> None:
    """Write hands to a file, and all of them as JSON, as far as that is asked for."""
    rows: Iterable[dict[str, Any]] = (
        {"file": str(path), **row, "time": _iso(row["time"])} for path in files for row in listing.rows(reading, path)
    )

    def text() -> str:
        figures = {"hands": list(rows), "heroes": listing.totals.to_dict(), "not_selected": listing.left_out}
        figures |= {"skipped": len(skipped), "reasons": skipped.to_list()}
        return json.dumps(figures | {"files": reading.report().to_dict()["files"]}, allow_nan=False)

    def lines(path: Path) -> str:
        with opened(path) as write:
            for row in rows:
                write(json.dumps(row, allow_nan=False) + "\n")
        return counted(listing.totals.hands, "hand")

    if output.as_json:
        rows = list(rows)
    if output.out is not None:
        write_by_ending(output.out, {".json": text_file("list", lambda: text() + "\n"), ".jsonl": lines})
    if output.as_json:
        click.echo(text())


def _print_rows(rows: Iterator[dict[str, Any]]) -> None:
    """Print hands as lines of text, several at a time."""
    from pokermodel.report.listing import hand_lines

    some = list(islice(rows, _AT_ONCE))
    lines = hand_lines(chain(some, rows), hero=any(row["hero"] is not None for row in some))
    while told := list(islice(lines, _AT_ONCE)):
        click.echo("\n".join(told))


def _print_totals(totals: HeroTotals, report: SourceReport, which: Filter) -> None:
    """Print how many hands there are, and what the heroes won in them."""
    from pokermodel.report.listing import hero_words

    total = f"{counted(totals.hands, 'hand')} of {report.hands:,}" if which else counted(totals.hands, "hand")
    before = "; where the rake is ?, the history does not say it, and results are before it"
    click.echo(total + (before if totals.rake_unknown else ""))
    for name, of_one in totals.to_dict().items():
        click.echo(hero_words(name, of_one))


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()
