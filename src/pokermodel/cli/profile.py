"""``pokermodel profile``: what a book knows of a player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from pokermodel.cli._completion import complete_book
from pokermodel.cli._output import open_console, raw_option, write_csv
from pokermodel.cli._pages import page_option, write_page
from pokermodel.cli._players import again_words, join_names, with_aliases
from pokermodel.cli._prior import with_prior
from pokermodel.game import BettingStructure

if TYPE_CHECKING:
    from pokermodel.analysis.player import Group, PlayerReport
    from pokermodel.learning.profile import Profile
    from pokermodel.learning.store import Book, By

__all__ = ["profile"]

_STREET = "street"  # is told apart within hands; the others tell hands apart
_STRUCTURE = "structure"


@click.command()
@click.argument("name", required=False)
@click.option("--book", required=True, metavar="BOOK", shell_complete=complete_book, help="Made by `pokermodel learn`.")
@click.option(
    "--by",
    type=click.Choice(("position", "table", _STREET, "stake", "month", "day", "depth", _STRUCTURE)),
    help="Show each statistic by position, by table size (heads-up, 6-max, full ring), by betting round, "
    "by stake, by month or day (UTC), by stack depth, or by betting structure.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Print all statistics of a player, sizes, what was shown, and a graph of the winnings; by default those that "
    "are looked at first.",
)
@click.option(
    "--structure",
    type=click.Choice([each.replace(" ", "-") for each in BettingStructure]),
    help="Show hands of this betting structure only. By default each structure is shown by itself.",
)
@click.option(
    "--csv",
    "csv",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write the statistics to a file instead, as comma-separated values; - for standard output.",
)
@raw_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@click.option(
    "--ranges",
    is_flag=True,
    help="With --json, add what the reader `adaptive` says that the player does with which holdings.",
)
@click.option(
    "--exploits",
    is_flag=True,
    help="Work out what each thing that exploits the player gains, and what it costs if they are not so: some "
    "ten seconds for each.",
)
@click.option(
    "--hero",
    metavar="NAME",
    help="Show this player as NAME, and what exploits them as leaks: for a look at oneself.",
)
@with_aliases
@page_option("what is known of the player")
@with_prior
def profile(
    name: str | None,
    book: str,
    by: str | None,
    every: bool,
    structure: str | None,
    csv: Path | None,
    raw: bool,
    as_json: bool,
    ranges: bool,
    exploits: bool,
    hero: str | None,
    aliases: tuple[str, ...],
    html: Path | None,
    prior: Path | None,
) -> None:
    """Show what a book knows of a player.

    That is the usual statistics, with 95 % intervals, what the player won, the rates in which they differ from others,
    and what exploits them, as far as it is sure by 95 %. With --hero these are said to the player.

    With --all come all statistics. In limit a second table shows, for each of Loki-1's twelve contexts, how often the
    player folded, called and raised, and the threshold mu and spread sigma that a call or raise of theirs implies. In
    no limit and pot limit it shows how large their bets and raises are.

    Without NAME, all players are listed, those with the most hands first. Where players of several poker sites have a
    name, it is written with the site, as Ann@pokerstars.
    """
    from pokermodel.learning.store import Book

    if hero is not None:
        if name not in (None, hero):
            raise click.UsageError("--hero shows one player: expected no other NAME")
        name = hero
    if csv is not None and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    if by is not None and name is None and csv is None and not as_json:
        raise click.UsageError("--by shows one player: expected a NAME, or --csv or --json for all of them")
    if every and (name is None or csv is not None or as_json):
        raise click.UsageError("--all prints one player: expected a NAME, and neither --csv nor --json, which have all")
    if html is not None and (name is None or by is not None or csv is not None):
        raise click.UsageError("--html writes the page of one player: expected a NAME, and neither --by nor --csv")
    if ranges and (name is None or by is not None or not as_json):
        raise click.UsageError("--ranges adds to the JSON of one player: expected a NAME and --json, without --by")
    if exploits and (name is None or by is not None or csv is not None):
        raise click.UsageError("--exploits works out answers to one player: expected a NAME, without --by and --csv")
    if prior is not None and not (ranges or exploits or html is not None):
        raise click.UsageError("--prior is for the reader that says ranges: expected --ranges, --exploits or --html")
    with Book(book, create=False) as open_book:
        join_names(open_book, aliases)
        if name is not None and name not in open_book:
            raise click.ClickException(_unknown(open_book, name))
        wanted = None if structure is None else BettingStructure(structure.replace("-", " "))
        names = list(open_book) if name is None else [name]
        if not as_json and (again := again_words(open_book, book)):
            click.echo(again, err=True)
        profiles = _profiles(open_book, names, wanted)
        if not profiles and wanted is not None:
            what = "the book has no hands" if name is None else f"{name!r} has played no hands"
            raise click.ClickException(f"{what} of {wanted}")
        if by is not None or csv is not None:
            groups = _groups(open_book, profiles, name, by)
            if csv is not None:
                from pokermodel.report.profile import csv_text

                write_csv(csv, csv_text(groups, raw))
            elif as_json:
                _print_json(open_book, groups, name, by)
            else:
                _print_groups(groups, every)
        elif name is None:
            _list(open_book, profiles, as_json)
        else:
            from pokermodel.analysis.player import PlayerReports

            reports = PlayerReports(open_book, ranges=ranges or html is not None, exploits=exploits, prior=prior)
            found = [reports.of(profile) for profile in profiles]
            _show(found, as_json, ranges, hero is not None, every)
            if html is not None:
                from pokermodel.report.player_page import player_page

                write_page(html, player_page(found, own=hero is not None), as_json)


def _profiles(book: Book, names: list[str], wanted: BettingStructure | None) -> list[Profile]:
    """Profiles of players, one for each betting structure that they have played, those with the most hands first."""
    profiles = [profile for name in names for profile in book.profiles(name).values()]
    if wanted is not None:
        profiles = [profile for profile in profiles if profile.structure is wanted]
    return sorted(profiles, key=lambda found: (-found.hands, found.name))


def _show(reports: list[PlayerReport], as_json: bool, ranges: bool, own: bool, every: bool) -> None:
    if as_json:
        first, *others = [_dict(report, ranges, own) for report in reports]
        click.echo(json.dumps({**first, "other_structures": others}, allow_nan=False))
        return
    from pokermodel.report.profile import print_findings, print_profile, print_winnings

    console = open_console()
    for number, report in enumerate(reports):
        if number:
            console.print()
        print_profile(report.profile, console, every=every)
        print_winnings(report, console, every=every)
        print_findings(report, console, own=own)
    if not every:
        console.print("\nAll statistics, sizes and what was shown: --all. By position and so on: --by.", style="dim")
        if any(report.exploits.found and report.computed is None for report in reports):
            console.print("What the advice gains, and what it costs if they are not so: --exploits.", style="dim")


def _dict(report: PlayerReport, ranges: bool, own: bool) -> dict[str, Any]:
    found = report.to_dict(ranges=ranges)
    if own:
        from pokermodel.report.player import leak_words

        found["leaks"] = [{"key": each.key, "leak": leak_words(each)[0]} for each in report.exploits.found]
    return found


def _groups(book: Book, profiles: list[Profile], name: str | None, by: str | None) -> list[Group]:
    """The statistics of profiles in their order, each as a whole or in groups."""
    from pokermodel.analysis.player import Group

    if by is None:
        return [
            Group(found.name, "", "", found.hands, found.structure, found.statistics, found.sizes) for found in profiles
        ]
    if by == _STREET:
        return [
            Group(found.name, by, street, None, found.structure, statistics, found.sizes_by_round()[street])
            for found in profiles
            for street, statistics in found.by_round().items()
        ]
    kind = cast("By", by)
    breakdowns = {
        structure: book.breakdown(kind, None, structure)
        if name is None
        else {name: book.breakdown(kind, name, structure)}
        for structure in {found.structure for found in profiles}
    }
    return [
        Group(found.name, by, group, each.hands, each.structure, each.statistics, each.sizes)
        for found in profiles
        for group, each in breakdowns[found.structure][found.name].items()
    ]


def _print_json(book: Book, groups: list[Group], name: str | None, by: str | None) -> None:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for group in groups:
        figures: dict[str, Any] = {} if group.hands is None else {"hands": group.hands}
        figures["statistics"] = {key: statistic.to_dict() for key, statistic in group.statistics.items()}
        if group.sizes:
            figures["sizes"] = {key: sizes.to_dict() for key, sizes in group.sizes.items()}
        which = group.player, "" if by == _STRUCTURE else str(group.structure)
        found.setdefault(which, {})[group.name] = figures
    players = [
        {"name": player, "by": by, **({"structure": structure} if structure else {}), "groups": of_player}
        for (player, structure), of_player in found.items()
    ]
    if name is None:
        whole = {"hands": book.hands, "to_learn_again": book.to_learn_again, "players": players}
        click.echo(json.dumps(whole, allow_nan=False))
    else:
        first, *others = players
        whole = {**first, "to_learn_again": book.to_learn_again, "other_structures": others}
        click.echo(json.dumps(whole, allow_nan=False))


def _print_groups(groups: list[Group], every: bool) -> None:
    from pokermodel.report.profile import print_groups

    console = open_console()
    together: dict[str, list[Group]] = {}
    for group in groups:
        together.setdefault("" if group.by == _STRUCTURE else str(group.structure), []).append(group)
    for number, some in enumerate(together.values()):
        if number:
            console.print()
        print_groups(some, console, every=every)
    if not every:
        console.print("\nAll statistics with 95 % intervals, and sizes: --all.", style="dim")


def _list(book: Book, profiles: list[Profile], as_json: bool) -> None:
    if as_json:
        players = [found.to_dict() for found in profiles]
        figures = {"hands": book.hands, "to_learn_again": book.to_learn_again, "players": players}
        click.echo(json.dumps(figures, allow_nan=False))
        return
    from pokermodel.report.profile import print_players

    print_players(book.hands, profiles, open_console())


def _unknown(book: Book, name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(book), cutoff=0.6)
    return f"the book has no player {name!r}" + (f": did you mean {' or '.join(map(repr, close))}?" if close else "")
