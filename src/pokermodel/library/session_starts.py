"""The knowledge at the start of a session: with it, a verdict on a hand has the same bits at any later time.

Hands are learnt once more in the order of their time. Where a session begins, the pieces of those who sit there are
kept before anything of the session is learnt. A session is hands of one player less than 30 minutes apart. Hands
without a time belong to none, and are never learnt here.

All of it can be made again from the files. How far the order is learnt stands in a state, with a sum over the numbers
of the hands that it has passed: where hands came that were played before its end, everything begins anew. What is kept
of a session says likewise which hands were before it.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Hand
from pokermodel.learning.knowledge import InPieces, structures_of
from pokermodel.library.book import Book
from pokermodel.library.columns import NO_TIME
from pokermodel.library.knowledge import hands_of_file
from pokermodel.library.selection import SESSION, ends_of, sessions
from pokermodel.reading.features import Replay

__all__ = ["begun_at", "known_then", "learn_then", "to_learn"]

_AT_ONCE = 200  # hands in one transaction
_STATE = ("state", "")


class _Ordered(NamedTuple):
    """The hands with a time, in the order in which they were played."""

    id: NDArray[np.int64]
    time: NDArray[np.int64]

    @classmethod
    def of(cls, book: Book) -> _Ordered:
        columns = book.columns
        found = columns.memo.get("in order")
        if found is None:
            time, number = columns.hands["time"].astype(np.int64), columns.hands["id"].astype(np.int64)
            timed = np.flatnonzero(time != NO_TIME)
            order = timed[np.lexsort((number[timed], time[timed]))]
            found = columns.memo["in order"] = cls(number[order], time[order])
        made: _Ordered = found
        return made

    def passed(self, count: int) -> list[int]:
        """The key of the same first hands: their number, and a sum over their numbers."""
        numbers = self.id[:count]
        return [count, int((numbers * (numbers + 7919)).sum() % (1 << 53))]


def begun_at(book: Book, number: int) -> int | None:
    """When the session began that has a hand of a book, in seconds since 1970; None without a time or a hero."""
    columns = book.columns
    row = int(np.searchsorted(columns.hands["id"], number))
    at = int(np.searchsorted(columns.own["hand"], row))
    if at == len(columns.own) or columns.own["hand"][at] != row:
        return None
    start = int(_own_starts(book)[0][at])
    return None if start == NO_TIME else start


def _own_starts(book: Book) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of the seats of heroes, when the session of each began, and the time of its hand."""
    columns = book.columns
    if "begun" not in columns.memo:
        time = columns.hands["time"].astype(np.int64)[columns.own["hand"]]
        columns.memo["begun"] = ends_of(sessions(columns.own["player"], time), time)[0], time
    found: tuple[NDArray[np.int64], NDArray[np.int64]] = columns.memo["begun"]
    return found


def known_then(
    book: Book, kind: type[InPieces], start: int | None, names: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], bytes] | None:
    """The knowledge of some people when a session began.

    Parameters
    ----------
    start : int or None
        When it began, as `begun_at` has it; None: nothing is known then.
    names : sequence of (str, str)
        The pieces that are wanted, as `InPieces.pieces_of_hand` has them.

    Returns
    -------
    dict or None
        Those that there are; None if the book has not learnt so far, or not of these people: `learn_then` does.
    """
    if start is None:
        return {}
    ordered = _Ordered.of(book)
    before = ordered.passed(int(np.searchsorted(ordered.time, start)))
    wanted = dict.fromkeys([_STATE, *names])
    found = book.pieces.read(_kind_at(kind, start), kind.piece_version, wanted)
    state = found.pop(_STATE, None)
    if state is None or json.loads(state) != before or len(found) < len(wanted) - 1:
        return None
    return {name: found[name] for name in names if found[name]}


def learn_then(book: Book, kind: type[InPieces]) -> int:
    """Have a kind of knowledge learn the hands of a book in the order in which they were played; return how many."""
    done = 0
    own = f"{kind.kind} then"
    while True:
        ordered = _Ordered.of(book)
        state = book.pieces.read(own, kind.piece_version, [_STATE]).get(_STATE)
        first = _first(ordered, state)
        if first == len(ordered.id):
            return done
        sittings = _sittings(*_own_starts(book))
        hands = _in_order(book, ordered, first)
        anew = first == 0
        whole = True
        bounds = np.unique(sittings[:, 0])

        def segment(each: tuple[int, Hand | None], ordered: _Ordered = ordered, bounds: Any = bounds) -> int:
            return int(np.searchsorted(bounds, ordered.time[each[0]], side="right"))

        for _, some in groupby(hands, segment):
            while batch := list(islice(some, _AT_ONCE)):
                upto = batch[-1][0] + 1
                now = json.dumps(ordered.passed(upto)).encode()
                pieces = _learnt(book, kind, own, ordered, sittings, batch, anew=anew)
                pieces[own, *_STATE] = now
                dropped = [own] if anew else []
                guard = (own, *_STATE)
                if not book.pieces.swap(kind.piece_version, pieces, guard=guard, before=state, dropped=dropped):
                    whole = False  # another process was quicker: go on behind what it has learnt
                    break
                state, anew, done = now, False, done + len(batch)
            if not whole:
                break


def to_learn(book: Book, kind: type[InPieces]) -> int:
    """How many hands `learn_then` has to pass."""
    ordered = _Ordered.of(book)
    state = book.pieces.read(f"{kind.kind} then", kind.piece_version, [_STATE]).get(_STATE)
    return len(ordered.id) - _first(ordered, state)


def _first(ordered: _Ordered, state: bytes | None) -> int:
    """From which place on hands are to be learnt: the first one if others were before it than are now."""
    if state is None:
        return 0
    passed: list[int] = json.loads(state)
    return passed[0] if passed == ordered.passed(passed[0]) else 0


def _kind_at(kind: type[InPieces], start: int) -> str:
    return f"{kind.kind} at {start}"


def _sittings(starts: NDArray[np.int64], time: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sessions of all heroes: when each began, and until when hands can still belong to it; int64 (n, 2)."""
    timed = starts != NO_TIME
    begun, of = np.unique(starts[timed], return_inverse=True)
    last = np.full(len(begun), NO_TIME, dtype=np.int64)
    np.maximum.at(last, of, time[timed])
    return np.stack([begun, last + SESSION], axis=1)


def _learnt(
    book: Book,
    kind: type[InPieces],
    own: str,
    ordered: _Ordered,
    sittings: NDArray[np.int64],
    batch: Sequence[tuple[int, Hand | None]],
    *,
    anew: bool,
) -> dict[tuple[str, str, str], bytes]:
    """Learn hands that no session begins between: the pieces that change, and what is kept of sessions."""
    hands = [hand for _, hand in batch if hand is not None and hand.spec.structure in structures_of(kind)]
    names = list(dict.fromkeys(name for hand in hands for name in kind.pieces_of_hand(hand)))
    before = {} if anew else book.pieces.read(own, kind.piece_version, names)
    found: dict[tuple[str, str, str], bytes] = {}
    time = int(ordered.time[batch[0][0]])
    for start in sittings[(sittings[:, 0] <= time) & (sittings[:, 1] > time), 0].tolist():
        at = _kind_at(kind, start)
        state = json.dumps(ordered.passed(int(np.searchsorted(ordered.time, start)))).encode()
        kept = book.pieces.read(at, kind.piece_version, [_STATE, *names])
        if kept.pop(_STATE, None) != state:
            kept = {}
        found[at, *_STATE] = state
        found |= {(at, *name): before.get(name, b"") for name in names if name not in kept}
    evidence = [each for hand in hands if (each := kind.evidence(hand, Replay.of(hand, None))) is not None]
    changed = kind.learn_pieces(before, evidence)
    return found | {(own, *name): content for name, content in changed.items()}


def _in_order(book: Book, ordered: _Ordered, first: int) -> Iterator[tuple[int, Hand | None]]:
    """The hands from a place of the order on, each with its place; None for a hand that no file has any more."""
    if book.holds:
        yield from ((k, book.held(number)) for k, number in enumerate(ordered.id[first:].tolist(), first))
        return
    place = {number: k for k, number in enumerate(ordered.id[first:].tolist(), first)}
    since = min(place, default=1) - 1

    def of(path: str) -> Iterator[tuple[int, Hand]]:
        found = ((place[number], hand) for number, hand in hands_of_file(book, path, since) if number in place)
        files = [number for number, _ in book.bookmarks.of(path).values()]
        inside = book.columns.hands["id"][np.isin(book.columns.hands["file"], files)].tolist()
        places = [place[number] for number in inside if number in place]
        in_order = all(one < other for one, other in pairwise(places))
        return found if in_order else iter(sorted(found, key=lambda each: each[0]))

    paths = dict.fromkeys(each.path for each in book.bookmarks.all() if each.hands)
    expected = first
    for k, hand in heapq.merge(*map(of, paths), key=lambda each: each[0]):
        if k < expected:
            continue  # a copy
        yield from ((gone, None) for gone in range(expected, k))
        yield k, hand
        expected = k + 1
    yield from ((gone, None) for gone in range(expected, len(ordered.id)))
