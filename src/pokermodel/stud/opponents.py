"""Tables of opponents, kept between sessions in a book.

The book keeps counts, of shown hands and expected ones, for each opponent, scheme of types, form of acts and estimator.
Hands keep their full weight in them.
"""

from __future__ import annotations

import hashlib
from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pokermodel._arrays import Floats
from pokermodel.reading.parts.action_tables import ActionTables, expectation_maximization, showdown_only
from pokermodel.stud.defaults import default_tables
from pokermodel.stud.match import Games
from pokermodel.stud.players import Reader

if TYPE_CHECKING:
    from pokermodel.learning.book import Book, Learnt

__all__ = ["ESTIMATORS", "learn_opponent", "opponent_tables"]


#: How opponents can be learnt: by EM over all hands, or from what was shown alone, as published.
ESTIMATORS = ("em", "showdown_only")


def _kind(reader: Reader, estimator: str) -> str:
    if estimator not in ESTIMATORS:
        raise ValueError(f"unknown estimator {estimator!r}: expected one of {', '.join(ESTIMATORS)}")
    return f"stud {reader.scheme} {reader.form} {estimator}"


def _identities(games: Games, observer: int) -> list[bytes]:
    """Identity of each game: a hash of stakes, cards, acts and observer."""
    head = repr((astuple(games.spec), observer)).encode()
    acts = games.acts & 127  # without whether they were bluffs
    return [
        hashlib.blake2b(head + cards.tobytes() + row[: length & 127].tobytes(), digest_size=16).digest()
        for cards, row, length in zip(games.cards, acts, games.lengths.tolist(), strict=True)
    ]


def learn_opponent(
    book: Book, name: str, games: Games, reader: Reader | None = None, *, observer: int = 0, estimator: str = "em"
) -> Learnt:
    """Add to a book what games show of an opponent, counting each game once.

    Games with the same stakes, cards and acts are the same game. A match that is dealt again from the same seed adds
    only the games that went differently.

    Parameters
    ----------
    book : Book
    name : str
        The opponent's.
    games : Games
        Games against the opponent.
    reader : Reader, optional
        Its scheme and form are those of the tables.
    observer : int
        The player who observes the opponent, 0 or 1.
    estimator : {"em", "showdown_only"}
        How hands that were not shown count. With EM, hands that the book has already serve as evidence; their counts
        are not estimated again.

    Returns
    -------
    Learnt
        Number of games that were new, and of those known before.

    Raises
    ------
    ValueError
        If the name cannot be kept, there is no such player or estimator, or a game breaks the rules.
    BookError
        If the database cannot be written. Batches of games that were finished before are kept.

    Examples
    --------
    >>> from pokermodel import Book
    >>> from pokermodel.stud import StudPlayer, play_match
    >>> book, program = Book("sqlite://"), StudPlayer()
    >>> games = play_match(program, program, deals=50).games
    >>> learn_opponent(book, "Ann", games)
    Learnt(new=100, known=0)
    >>> player = StudPlayer(opponent=opponent_tables(book, "Ann"))
    """
    reader = reader or Reader()
    tables = default_tables(reader.scheme, reader.form)
    kind = _kind(reader, estimator)
    hands, places = games.observed(observer, reader)

    def count(new: NDArray[np.intp], before: Floats) -> Floats:
        chosen = hands.select(np.flatnonzero(np.isin(places, new)))
        if estimator == "showdown_only":
            return showdown_only(chosen).ravel()
        known = tables.with_counts(before.reshape(tables.shape))
        return expectation_maximization(chosen, known, cumulative=True, steps=100, tolerance=2e-3).counts.ravel()

    return book.learn_sums(kind, name, _identities(games, observer), tables.counts.size, count)


def opponent_tables(
    book: Book, name: str | None = None, reader: Reader | None = None, *, estimator: str = "em"
) -> ActionTables:
    """Return the tables of an opponent, for ``opponent=`` of `StudPlayer`: the program's defaults, and a book's counts.

    Parameters
    ----------
    book : Book
    name : str, optional
        Name of the opponent; an unknown one has the defaults. By default, all opponents together: generic tables.
    reader : Reader, optional
        Its scheme and form are those of the tables.
    estimator : {"em", "showdown_only"}
        How they were learnt.

    Raises
    ------
    ValueError
        If there is no such estimator.
    BookError
        If the book cannot be read.
    """
    reader = reader or Reader()
    tables = default_tables(reader.scheme, reader.form)
    counts = book.sums(_kind(reader, estimator), name, tables.counts.size)
    return tables.with_counts(counts.reshape(tables.shape))
