"""``pokermodel book``: look after a book."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pokermodel.cli._completion import complete_book
from pokermodel.cli._options import JSON
from pokermodel.cli._players import again_line, join_names
from pokermodel.errors import DamagedBookError

__all__ = ["book"]

_DAMAGED = 1  # exit status


@click.group()
def book() -> None:
    """Look after a book."""


@book.command()
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@JSON
def check(book: str, as_json: bool) -> int:
    """Check whether a book is sound.

    The database checks its file, and that every hand has all of its seats. The histories of a damaged book have to be
    learnt again. The exit status is 0 for a sound book and 1 for a damaged one.
    """
    from pokermodel.library import Book

    again: tuple[str, ...] = ()
    problems: list[str] = []
    try:
        with Book(book, create=False) as open_book:
            open_book.check()
            again = open_book.statistics.to_learn_again
    except DamagedBookError as error:
        problems = [error.reason]
    if as_json:
        click.echo(json.dumps({"sound": not problems, "problems": problems, "to_learn_again": again}))
    else:
        click.echo(f"{book} is damaged; learn its histories again" if problems else f"{book} is sound")
        for problem in dict.fromkeys(problems):
            click.echo(f"  {problem}")
        if again:
            click.echo(again_line(again, book))
    return _DAMAGED if problems else 0


@book.command()
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@click.argument("aliases", nargs=-1, required=True, metavar="NAME=OTHER...")
@JSON
def alias(book: str, aliases: tuple[str, ...], as_json: bool) -> None:
    """Keep in a BOOK which names are one player's.

    NAME=OTHER makes OTHER another name of NAME, and NAME= makes it a player of its own again. Where players of several
    poker sites have a name, it is written with the site, as Ann@pokerstars. What is known of a player is the sum of all
    their names: nothing needs to be learnt again.
    """
    from pokermodel.library import Book

    with Book(book, create=False) as open_book:
        lines = join_names(open_book, aliases)
    click.echo(json.dumps({"joined": lines}) if as_json else "\n".join(lines))


@book.command("export")
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@click.option("--mine", "target", required=True, type=click.Path(path_type=Path), metavar="FILE", help="File to write.")
def export(book: str, target: Path) -> None:
    """Write what you wrote into a BOOK as text: tags, notes, joined names, saved filters and settings.

    `pokermodel book import` takes it over into any book. Everything else comes back from the histories.
    """
    from pokermodel._support.files import write_text
    from pokermodel.library import Book

    with Book(book, create=False) as open_book:
        text = open_book.mine.to_text()
    write_text(target, text)
    click.echo(f"{text.count(chr(10)) - 1} entries written to {target}")


@book.command("import")
@click.argument("book", metavar="BOOK", shell_complete=complete_book)
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def import_(book: str, source: Path) -> None:
    """Take over what `pokermodel book export` wrote into FILE.

    The BOOK is made if there is none. An entry takes the place of one about the same hand, player or name.
    """
    from pokermodel.library import Book

    with Book(book) as open_book:
        try:
            number = open_book.mine.take(source.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise ValueError(f"{source}: {error}") from None
    click.echo(f"{number} entries taken over into {book}")
