"""``pokermodel versus``: who won how much from whom, and how others play against a player."""

from __future__ import annotations

import json
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pokermodel._support.words import counted
from pokermodel.cli._filters import with_filter
from pokermodel.cli._hands import HandReading, HistoryPath, Skipped, say_left_out
from pokermodel.cli._output import open_console

if TYPE_CHECKING:
    from pokermodel.histories import HandFilter

__all__ = ["versus"]

_PEEKED = 200  # hands by which it is known whom a history names


@click.command()
@click.argument("files", nargs=-1, required=True, type=HistoryPath(), metavar="FILE...")
@click.option(
    "--hero",
    metavar="NAME",
    help="The player. By default the one whose cards the histories have in all of their hands.",
)
@click.option("--against", metavar="NAME", help="Show how this player plays against the hero.")
@with_filter
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def versus(files: tuple[Path, ...], hero: str | None, against: str | None, as_json: bool, which: HandFilter) -> None:
    """Show from whom the hero won how much, and how others play against them.

    One line for each who played with the hero: hands together, what the hero won from them in big blinds (in limit in
    small bets), for a hundred hands with a 95 % interval, and in money, after the rake. With --against NAME, the
    statistics of that player against the hero: of acts that face a bet or raise of the hero's, and otherwise while the
    hero is in the hand; beside them those of all acts in the same hands.

    Every FILE is a history or a folder of them, as for `pokermodel read`. Options select hands.
    """
    from pokermodel.analysis.hero import HeroFinder
    from pokermodel.analysis.versus import Versus
    from pokermodel.histories import SourceReport

    skipped = Skipped()
    reading = HandReading(skipped, files, which)
    hands = (hand for path in files for hand in reading.hands(path))
    first = list(islice(hands, _PEEKED))
    if not first:
        say_left_out(SourceReport(reading.files), skipped)
        if reading.passed:
            raise click.ClickException(f"none of {counted(reading.passed, 'hand')} is selected")
        raise click.ClickException("no hand could be read" + (f": {reading.refused}" if reading.refused else ""))
    if hero is None:
        finder = HeroFinder()
        for hand in first:
            finder.see(hand)
        named = {name for hand in first if (name := finder.of(hand)) is not None}
        if len(named) != 1:
            whom = (
                f"the hands name {', '.join(sorted(named))}"
                if named
                else "the hands name no player whose cards they have"
            )
            say_left_out(SourceReport(reading.files), skipped)
            raise click.ClickException(f"{whom}: expected --hero NAME")
        (hero,) = named
    found = Versus(hero)
    for hand in chain(first, hands):
        found.add(hand)
    say_left_out(SourceReport(reading.files), skipped)
    if not found.hands:
        raise click.ClickException(f"{hero!r} plays in none of the hands")
    if against is not None:
        found.statistics(against)  # says whether they have played
    if as_json:
        whole = {"hero": hero, "hands": found.hands, "net_bb": found.net_bb}
        opponents = [each.to_dict() for each in found.opponents() if against in (None, each.name)]
        if against is not None:
            of_structure = found.statistics(against).items()
            opponents[0]["statistics"] = {
                str(structure): {each.key: each.to_dict() for each in rows} for structure, rows in of_structure
            }
        click.echo(json.dumps({**whole, "opponents": opponents}, allow_nan=False))
        return
    from pokermodel.report.versus import print_opponents, print_versus

    if against is None:
        print_opponents(found, open_console())
    else:
        print_versus(found, against, open_console())
