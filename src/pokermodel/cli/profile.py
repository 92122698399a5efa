"""``pokermodel profile``: what a book knows of a player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from pokermodel.cli._completion import complete_book
from pokermodel.cli._output import open_console

if TYPE_CHECKING:
    from pokermodel.learning.store import Book, By
    from pokermodel.report.profile import Group

__all__ = ["profile"]

_STREET = "street"  # is told apart within hands; the others tell hands apart


@click.command()
@click.argument("name", required=False)
@click.option("--book", required=True, metavar="BOOK", shell_complete=complete_book, help="Made by `pokermodel learn`.")
@click.option(
    "--by",
    type=click.Choice(("position", _STREET, "stake", "month", "day")),
    help="Show each statistic by position, by betting round, by stake, or by month or day (UTC).",
)
@click.option(
    "--csv",
    "csv",
    metavar="OUT",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write the statistics to a file instead, as comma-separated values; - for standard output.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def profile(name: str | None, book: str, by: str | None, csv: Path | None, as_json: bool) -> None:
    """Show what a book knows of a player: the usual statistics, with 95 % intervals.

    For each of Loki-1's twelve contexts, a second table shows how often the player folded, called and raised, and the
    threshold mu and spread sigma that a call or raise of theirs implies. Without NAME, all players are listed, those
    with the most hands first.
    """
    from pokermodel.learning.store import Book

    if csv is not None and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    if by is not None and name is None and csv is None and not as_json:
        raise click.UsageError("--by shows one player: expected a NAME, or --csv or --json for all of them")
    with Book(book, create=False) as open_book:
        if name is not None and name not in open_book:
            raise click.ClickException(_unknown(open_book, name))
        if by is not None or csv is not None:
            groups = _groups(open_book, name, by)
            if csv is not None:
                _write_csv(groups, csv)
            elif as_json:
                _print_json(open_book, groups, name, by)
            else:
                _print_groups(open_book, groups, name)
        elif name is None:
            _list(open_book, as_json)
        else:
            _show(open_book, name, as_json)


def _show(book: Book, name: str, as_json: bool) -> None:
    found = book.profile(name)
    if as_json:
        click.echo(json.dumps(found.to_dict(), allow_nan=False))
        return
    from pokermodel.report.profile import print_profile

    print_profile(found, open_console())


def _groups(book: Book, name: str | None, by: str | None) -> list[Group]:
    """The statistics of a player, or of all players, those with the most hands first."""
    from pokermodel.report.profile import Group

    names = list(book) if name is None else [name]
    profiles = sorted(map(book.profile, names), key=lambda found: (-found.hands, found.name))
    if by is None:
        return [Group(found.name, "", "", found.hands, found.statistics) for found in profiles]
    if by == _STREET:
        rounds = ((found.name, *each) for found in profiles for each in found.by_round().items())
        return [Group(player, by, round, None, statistics) for player, round, statistics in rounds]
    kind = cast("By", by)
    groups = book.breakdown(kind) if name is None else {name: book.breakdown(kind, name)}
    return [
        Group(found.name, by, group, of_group.hands, of_group.statistics)
        for found in profiles
        for group, of_group in groups[found.name].items()
    ]


def _write_csv(groups: list[Group], to: Path) -> None:
    from pokermodel._files import write_text
    from pokermodel.report.profile import csv_text

    if str(to) == "-":
        click.echo(csv_text(groups), nl=False)
    else:
        write_text(to, csv_text(groups))


def _print_json(book: Book, groups: list[Group], name: str | None, by: str | None) -> None:
    players: dict[str, dict[str, Any]] = {}
    for group in groups:
        figures: dict[str, Any] = {} if group.hands is None else {"hands": group.hands}
        figures["statistics"] = {key: statistic.to_dict() for key, statistic in group.statistics.items()}
        players.setdefault(group.player, {})[group.name] = figures
    found = [{"name": player, "by": by, "groups": of_player} for player, of_player in players.items()]
    click.echo(json.dumps({"hands": book.hands, "players": found} if name is None else found[0], allow_nan=False))


def _print_groups(book: Book, groups: list[Group], name: str | None) -> None:
    from pokermodel.report.profile import print_groups

    assert name is not None
    print_groups(groups, book.profile(name).incomplete, open_console())


def _list(book: Book, as_json: bool) -> None:
    profiles = sorted(map(book.profile, book), key=lambda found: (-found.hands, found.name))
    if as_json:
        click.echo(
            json.dumps({"hands": book.hands, "players": [found.to_dict() for found in profiles]}, allow_nan=False)
        )
        return
    from pokermodel.report.profile import print_players

    print_players(book.hands, profiles, open_console())


def _unknown(book: Book, name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(book), cutoff=0.6)
    return f"the book has no player {name!r}" + (f": did you mean {' or '.join(map(repr, close))}?" if close else "")
