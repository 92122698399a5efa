"""``pokermodel book``: look after a book."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pokermodel.cli._completion import complete_book
from pokermodel.cli._options import JSON
from pokermodel.cli._players import again_line, join_names

if TYPE_CHECKING:
    from pokermodel.learning.salvage import Check

__all__ = ["book"]

_DAMAGED = 1  # exit status


@click.group()
def book() -> None:
    """Look after a book."""


@book.command()
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@click.option(
    "--save",
    "to",
    metavar="OUT",
    shell_complete=complete_book,
    help="Make a new book of what can be saved: a file that does not exist yet, or an empty PostgreSQL database.",
)
@JSON
def check(book: str, to: str | None, as_json: bool) -> int:
    """Say whether a book is sound, and if it is not, what can be saved.

    All of the BOOK is read, and it is left as it is, except that one of an older version is taken over first, as by
    every command. What is lost can be learnt again from the hand histories. The exit status is 0 for a book that is
    sound and 1 for one that is damaged.
    """
    from pokermodel.learning import salvage

    found = salvage.check(book) if to is None else salvage.save(book, to)
    if as_json:
        figures = found._asdict() | {"sound": not found.problems, "saved": to}
        click.echo(json.dumps(figures))
    else:
        for line in _lines(book, found, to):
            click.echo(line)
    return _DAMAGED if found.problems else 0


@book.command()
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@click.argument("aliases", nargs=-1, required=True, metavar="NAME=OTHER...")
@JSON
def alias(book: str, aliases: tuple[str, ...], as_json: bool) -> None:
    """Keep in a BOOK which names are one player's.

    NAME=OTHER makes OTHER another name of NAME, and NAME= makes it a player of its own again. Where players of several
    poker sites have a name, it is written with the site, as Ann@pokerstars. What is known of a player is the sum of all
    their names. Names keep their own counts: nothing needs to be learnt again.
    """
    from pokermodel.learning.store import Book

    with Book(book, create=False) as open_book:
        lines = join_names(open_book, aliases)
    click.echo(json.dumps({"joined": lines}) if as_json else "\n".join(lines))


def _lines(book: str, found: Check, to: str | None) -> list[str]:
    lines = [f"{book} is {'damaged' if found.problems else 'sound'}"]
    problems = (problem.removeprefix(f"{book} is damaged: ").removeprefix(f"{book}: ") for problem in found.problems)
    lines += [f"  {problem}" for problem in dict.fromkeys(problems)]
    if found.to_learn_again:
        lines.append(again_line(found.to_learn_again, book))
    whole = "" if found.lost is None else f" of {found.hands + found.lost:,}"
    hands = f"{found.hands:,}{whole} {'hand' if found.hands == 1 else 'hands'} of the statistics"
    if found.problems or to is not None:
        lines.append(
            f"{'can be saved' if to is None else f'saved in {to}'}: {', '.join([hands, *map(_name, found.kept)])}"
        )
    if found.left:
        lines.append(f"lost: {', '.join(map(_name, found.left))}")
    return lines


def _name(piece: tuple[str, str]) -> str:
    kind, name = piece
    return f"{kind!r} about {name!r}" if name else repr(kind)
