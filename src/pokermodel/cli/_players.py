"""Names of players who are one, and what a book says of the statistics that it does not have of all hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pokermodel.errors import UnknownPlayerError

if TYPE_CHECKING:
    from pokermodel.library import Book

__all__ = ["again_line", "join_names"]

#: So many statistics are named in a line.
_NAMED = 6


def join_names(book: Book, aliases: tuple[str, ...]) -> list[str]:
    """Keep in a book which names are one player's, and return a line on each that says so.

    It is a usage error if a text has no ``=`` or there is no such player; a ValueError if several players have a name,
    or both are those of one player already.
    """
    lines = []
    for text in aliases:
        if "=" not in text:
            raise click.UsageError(f"{text!r}: expected NAME=OTHER")
        name, other = _parts(book, text)
        try:
            book.alias(name, other or None)
        except UnknownPlayerError as error:
            raise click.UsageError(f"{text}: the book has no player {error.name!r}") from None
        lines.append(f"{other} is another name of {name}" if other else f"{name} is a player of their own")
    return lines


def _parts(book: Book, text: str) -> tuple[str, str]:
    """The two names: cut at the first ``=`` where both are known, since names may have one of their own."""
    cuts = [place for place, letter in enumerate(text) if letter == "="]
    for place in cuts:
        name, other = text[:place], text[place + 1 :]
        if name in book and (not other or other in book):
            return name, other
    return text[: cuts[0]], text[cuts[0] + 1 :]


def again_line(keys: tuple[str, ...], where: str) -> str:
    """Say which statistics are to be learnt again, given their keys."""
    if not keys:
        return ""
    from pokermodel.learning.definitions import registry

    names = {each.key: each.name for each in registry()}
    named = [names.get(key, key) for key in keys]
    what = ", ".join(named) if len(named) <= _NAMED else f"{', '.join(named[:_NAMED])} and {len(named) - _NAMED} more"
    return f"not counted in all hands, and to be learnt again: {what} (pokermodel learn FILES --book {where})"
