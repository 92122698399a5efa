"""What readers learn from the hands of a book, in pieces: only those that a hand touches are read and written.

A kind of knowledge has learnt all hands up to a number. Hands are learnt in the order in which they were added, so that
the same book gives the same bits, in however many steps it grew.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import chain, islice

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import open_hands
from pokermodel.histories._index import Bookmark
from pokermodel.learning.knowledge import InPieces, structures_of
from pokermodel.library.book import Book
from pokermodel.library.rows import Place, rows_of
from pokermodel.reading.features import Replay

__all__ = ["hands_of_file", "learn"]

_AT_ONCE = 500  # hands in one transaction


def learn(book: Book, kind: type[InPieces], *, progress: Callable[[int], None] | None = None) -> int:
    """Have a kind of knowledge learn the hands of a book that it has not learnt.

    They are read again from their files. Hands that no file has any more are passed over.

    Parameters
    ----------
    kind : type
        A kind that divides into pieces: `pokermodel.reading.PopulationModel`.
    progress : callable, optional
        Called after every batch with the number of hands that were learnt.

    Returns
    -------
    int
        How many hands were learnt.

    Raises
    ------
    BookError
        If the book cannot be read or written, or has pieces of another version.
    """
    done = 0
    while True:
        since = book.learnt(kind.kind)
        hands = _stored(book, since)
        superseded = False
        while batch := list(islice(hands, _AT_ONCE)):
            evidence = [
                kind.evidence(hand, Replay.of(hand, None))
                for _, hand in batch
                if hand.spec.structure in structures_of(kind)
            ]
            found = [each for each in evidence if each is not None]
            names = list(dict.fromkeys(name for each in found for name in kind.piece_names(each)))
            changed = kind.learn_pieces(book.pieces(kind.kind, kind.piece_version, names), found)
            upto = batch[-1][0]
            if not book.put_pieces(kind.kind, kind.piece_version, changed, upto=upto, since=since):
                superseded = True  # another process was quicker: go on behind what it has learnt
                break
            since, done = upto, done + len(batch)
            if progress is not None:
                progress(done)
        if not superseded:
            return done


def _stored(book: Book, since: int) -> Iterator[tuple[int, Hand]]:
    """The hands behind a number, in the order of their numbers."""
    paths = dict.fromkeys(each.path for each in book.files() if each.hands)
    return heapq.merge(*(hands_of_file(book, path, since) for path in paths), key=lambda each: each[0])


def hands_of_file(book: Book, path: str, since: int) -> Iterator[tuple[int, Hand]]:
    """Read the hands of a file behind a number again: with the number of each, so many at a time in order."""
    start = book.begins(path, since)
    if start is None:
        return
    try:
        parts = [part.read for part in open_hands(path, strict=False, index=False)._parts if part.read is not None]
    except HistoryError:
        return
    ignored: list[HistoryError] = []
    source = chain.from_iterable(read(ignored, Bookmark(start)) for read in parts)
    while some := list(islice(source, _AT_ONCE)):
        errors: list[ValueError] = []
        rows = rows_of([(hand, Place(None, place)) for place, hand in enumerate(some)], book.bits, errors)
        numbers = book.numbers(path, [row.identity for row in rows.hands])
        found = [(number, some[row.place.at]) for row in rows.hands if (number := numbers.get(row.identity, 0)) > since]
        yield from sorted(found, key=lambda each: each[0])
