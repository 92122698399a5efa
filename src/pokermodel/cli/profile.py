"""``pokermodel profile``: what a book knows of a player."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pokermodel.cli._completion import complete_book
from pokermodel.cli._output import open_console

if TYPE_CHECKING:
    from pokermodel.learning.store import Book

__all__ = ["profile"]


@click.command()
@click.argument("name", required=False)
@click.option("--book", required=True, metavar="BOOK", shell_complete=complete_book, help="Made by `pokermodel learn`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def profile(name: str | None, book: str, as_json: bool) -> None:
    """Show what a book knows of a player: the usual statistics, with 95 % intervals.

    For each of Loki-1's twelve contexts, a second table shows how often the player folded, called and raised, and the
    threshold mu and spread sigma that a call or raise of theirs implies. Without NAME, all players are listed, those
    with the most hands first.
    """
    from pokermodel.learning.store import Book

    with Book(book, create=False) as open_book:
        if name is None:
            _list(open_book, as_json)
            return
        try:
            found = open_book.profile(name)
        except KeyError:
            raise click.ClickException(_unknown(open_book, name)) from None
    if as_json:
        click.echo(json.dumps(found.to_dict(), allow_nan=False))
        return
    from pokermodel.report.profile import print_profile

    print_profile(found, open_console())


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
