"""Learning of readers from the hands of a book, in pieces: a hand reads and writes only the pieces it touches.

A kind of knowledge has learnt hands by their numbers. Those of files are learnt in the order in which they were added,
so that the same book gives the same bits, in however many steps it grew. Knowledge that does not divide is kept whole.
"""

from __future__ import annotations

import heapq
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import sqlalchemy as sa

from pokermodel.errors import HistoryError
from pokermodel.game import BettingStructure, Hand
from pokermodel.histories import HistoryFile, open_hands
from pokermodel.histories._writing import ErrorSink
from pokermodel.histories.index import ReaderMark
from pokermodel.learning.knowledge import FromHands, Knowledge, structures_of
from pokermodel.learning.statistics import PlayerStatistics
from pokermodel.library.files import update
from pokermodel.library.pieces import WHOLE, write_pieces
from pokermodel.library.rows import BATCH, Place, Rows, rows_of
from pokermodel.library.schema import KNOWLEDGE, MET
from pokermodel.library.store import Learnt, Store
from pokermodel.reading.features import Replay

if TYPE_CHECKING:
    from pokermodel.executors import Executor

__all__ = ["hands_of_file", "learn", "learn_about", "learn_files", "learn_hands"]

T = TypeVar("T")

_AT_ONCE = 500  # hands in one transaction that learns in pieces
_LAST = (1 << 31) - 1  # number of a hand
_ABOUT = 4000  # hands in one that learns about a player


class _Numbered(NamedTuple):
    """A hand with its number, replayed once for all kinds."""

    number: int
    hand: Hand
    decisions: Replay


def learn(book: Store, kind: type[FromHands], *, progress: Callable[[int], None] | None = None) -> int:
    """Have a kind of knowledge learn the hands of a book that it has not learnt.

    They are read again from their files. Hands that no file has any more are passed over.

    Parameters
    ----------
    kind : type
        `pokermodel.reading.PopulationModel`, for instance.
    progress : callable, optional
        Called after every batch with the number of hands that were learnt.

    Returns
    -------
    int
        How many hands were learnt, without those of structures from which the kind does not learn.

    Raises
    ------
    BookError
        If the book cannot be read or written, or has pieces of another version.
    """
    done = 0
    hands = _stored(book, book.pieces.unlearnt(kind.kind), structures_of(kind))
    while some := list(islice(hands, _AT_ONCE if hasattr(kind, "learn_pieces") else BATCH)):
        numbered = [_Numbered(number, hand, Replay.of(hand, None)) for number, hand in some]
        done += _learn(book, kind, _meant(kind, numbered), partial(_evidence, kind, []))
        if progress is not None:
            progress(done)
    return done


def learn_files(
    book: Store,
    kinds: Mapping[str, type[FromHands]],
    *paths: str | os.PathLike[str],
    skipped: ErrorSink | None = None,
    progress: Callable[[int], None] | None = None,
    share: Callable[[float], object] | None = None,
    executor: Executor | None = None,
) -> tuple[Learnt, tuple[HistoryFile, ...]]:
    """Bring a book up to date with files and folders, and have kinds of knowledge learn all of its hands.

    Parameters
    ----------
    kinds : mapping of str to type
        By name, as `pokermodel.learning.select_kinds` has them.
    paths, skipped, progress, share, executor
        As of `pokermodel.library.files.update`.

    Returns
    -------
    learnt : Learnt
        The result for the hands of these files.
    files : tuple of HistoryFile
        The result for each file.
    """
    others = {name: kind for name, kind in kinds.items() if name != PlayerStatistics.kind}
    # knowledge in pieces learns hands as they are added, once it has learnt those that came before
    along = {name: kind for name, kind in others.items() if hasattr(kind, "learn_pieces")}
    new_to = {name: learn(book, kind) if name in along else 0 for name, kind in others.items()}

    def learner(rows: Rows, new: Sequence[int], evidence: Mapping[str, Sequence[Any]]) -> None:
        numbers = book.numbers([rows.hands[k].identity for k in new])
        structures = rows.of_hands["structure"]
        for name, kind in along.items():
            meant = [k for k in new if tuple(BettingStructure)[structures[k]] in structures_of(kind)]
            found = {numbers[rows.hands[k].identity]: evidence[name][k] for k in meant}
            new_to[name] += _learn(book, kind, found, lambda said: said)

    options: dict[str, Any] = {"skipped": skipped, "progress": progress, "share": share, "executor": executor}
    found = update(book, *paths, **options, kinds=along, learner=learner)
    new, total = found.added.new, sum(found.added)
    for name, kind in others.items():
        new_to[name] += learn(book, kind)
    new_to = {name: new_to.get(name, new) for name in kinds}
    left_out = {
        name: sum(n for each, n in found.structures.items() if BettingStructure(each) not in structures_of(kind))
        for name, kind in kinds.items()
    }
    left_out = {name: hands for name, hands in left_out.items() if hands}
    if len(left_out) == len(kinds):
        total -= min(left_out.values())
    new = min(total, max(new_to.values()))
    return Learnt(new, total - new, new_to, (), found.structures, left_out), found.files


def _learn(book: Store, kind: type[FromHands], hands: Mapping[int, T], evidence: Callable[[T], Any]) -> int:
    """Learn some hands by their numbers, and return how many the kind had not learnt; others may write meanwhile."""
    known: Any = kind
    while True:
        before = book.pieces.learnt(kind.kind)
        fresh = [number for number in hands if not before.has(number)]
        if not fresh:
            return 0
        said = [found for number in fresh if (found := evidence(hands[number])) is not None]
        if hasattr(kind, "learn_pieces"):
            names = list(dict.fromkeys(name for each in said for name in known.piece_names(each)))
            version = known.piece_version
            changed = known.learn_pieces(book.pieces.read(kind.kind, version, names), said)
        else:
            version = known.version
            whole = book.knowledge(known) or known()
            if said:
                whole.update(said)
            changed = {WHOLE: whole.to_bytes()}
        if book.pieces.put(kind.kind, version, changed, numbers=fresh, before=before):
            return len(fresh)


def _meant(kind: type[FromHands], hands: Iterable[_Numbered]) -> dict[int, _Numbered]:
    """The hands of structures that a kind learns from, by number."""
    return {each.number: each for each in hands if each.hand.spec.structure in structures_of(kind)}


def _evidence(kind: type[FromHands], skipped: ErrorSink | None, each: _Numbered) -> Any:
    try:
        return kind.evidence(each.hand, each.decisions)
    except ValueError as error:
        if skipped is None:
            raise
        skipped.append(error)
        return None


def _stored(
    book: Store, gaps: Sequence[tuple[int, int]], structures: Collection[BettingStructure]
) -> Iterator[tuple[int, Hand]]:
    """The hands with numbers in some spans, in the order of their numbers."""
    paths = dict.fromkeys(each.path for each in book.bookmarks.all() if each.hands) if gaps else ()
    return heapq.merge(*(_of_file(book, path, gaps, structures) for path in paths), key=lambda each: each[0])


def hands_of_file(book: Store, path: str, since: int) -> Iterator[tuple[int, Hand]]:
    """Read the hands of a file behind a number again: with the number of each, so many at a time in order."""
    return _of_file(book, path, [(since + 1, _LAST)], tuple(BettingStructure))


def _of_file(
    book: Store, path: str, gaps: Sequence[tuple[int, int]], structures: Collection[BettingStructure]
) -> Iterator[tuple[int, Hand]]:
    start = book.bookmarks.begins(path, gaps, structures)
    if start is None:
        return
    try:
        parts = [part.read for part in open_hands(path, strict=False, index=False)._parts if part.read is not None]
    except HistoryError:
        return
    ignored: list[HistoryError] = []
    source = chain.from_iterable(read(ignored, ReaderMark(start)) for read in parts)
    while some := list(islice(source, _AT_ONCE)):
        errors: list[ValueError] = []
        rows = rows_of([(hand, Place()) for hand in some], book.bits, errors)
        numbers = book.numbers([row.identity for row in rows.hands], path)
        found = [
            (number, some[place])
            for place, row in zip(rows.kept, rows.hands, strict=True)
            if any(first <= (number := numbers.get(row.identity, 0)) <= last for first, last in gaps)
        ]
        yield from sorted(found, key=lambda each: each[0])


# ------------------------------------------------------------------------------------------------- hands in memory


def learn_hands(
    book: Store,
    hands: Iterable[Hand],
    kinds: Mapping[str, type[FromHands]],
    skipped: ErrorSink | None,
    progress: Callable[[int], None] | None = None,
) -> Learnt:
    """Add hands and learn from them; see `Book.learn`."""
    new = total = done = 0
    new_to = dict.fromkeys(kinds, 0)
    structures: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    filled: set[int] | None = (
        set() if PlayerStatistics.kind in kinds and book.bits and book.statistics.to_fill else None
    )
    given = iter(hands)
    while some := list(islice(given, BATCH)):
        rows = rows_of([(hand, Place()) for hand in some], book.bits, skipped)
        identities = [row.identity for row in rows.hands]
        added = book.add_rows(rows)
        if filled is not None:
            filled |= book.statistics.count(rows)
        now = book.numbers(identities)
        fresh: set[int] = set()
        if PlayerStatistics.kind in kinds:
            fresh = {now[identities[k]] for k in added}
            new_to[PlayerStatistics.kind] += len(fresh)
        others = {name: kind for name, kind in kinds.items() if name != PlayerStatistics.kind}
        if others:
            numbered = {
                now[identity]: _Numbered(now[identity], some[place], Replay.of(some[place], None))
                for place, identity in zip(rows.kept, identities, strict=True)
            }
            for name, kind in others.items():
                learnt = book.pieces.learnt(name)
                fits = _meant(kind, numbered.values())
                fresh |= {number for number in fits if not learnt.has(number)}
                new_to[name] += _learn(book, kind, fits, partial(_evidence, kind, skipped))
        for number in rows.of_hands["structure"].tolist():
            structure = tuple(BettingStructure)[number]
            structures[str(structure)] += 1
            left = [name for name, kind in kinds.items() if structure not in structures_of(kind)]
            left_out.update(left)
            total += len(left) < len(kinds)
        new, done = new + len(fresh), done + len(some)
        if progress is not None:
            progress(done)
    if filled:
        book.statistics.note(filled)
    return Learnt(new, total - new, new_to, (), structures, left_out)


def learn_about(book: Store, name: str, kind: type[Knowledge], evidence: Iterable[tuple[bytes, Any]]) -> Learnt:
    """Learn about a player; see `Book.learn_about`."""
    new = total = 0
    given = iter(evidence)
    while some := list(islice(given, _ABOUT)):
        total += len(some)
        found: dict[bytes, Any] = {}
        for identity, said in some:
            found.setdefault(identity, said)  # of copies the first counts
        new += _learn_about(book, name, kind, found)
    return Learnt(new, total - new, {kind.kind: new})


def _learn_about(book: Store, name: str, kind: type[Knowledge], evidence: Mapping[bytes, Any]) -> int:
    which = MET.c.kind == kind.kind, MET.c.name == name
    piece = KNOWLEDGE.c.kind == kind.kind, KNOWLEDGE.c.scope == "player", KNOWLEDGE.c.name == name
    revision = sa.select(KNOWLEDGE.c.revision).where(*piece)
    while True:
        with book._database.transaction() as connection:
            known = set(map(bytes, connection.scalars(sa.select(MET.c.identity).where(*which))))
            before = connection.scalar(revision)
        fresh = [identity for identity in evidence if identity not in known]
        if not fresh:
            return 0
        found = book.knowledge(kind, name) or kind()
        found.update([evidence[each] for each in fresh if evidence[each] is not None])
        with book._database.transaction(write=True) as connection:
            if connection.scalar(revision) == before:
                write_pieces(connection, kind.version, {(kind.kind, "player", name): found.to_bytes()})
                connection.execute(
                    MET.insert(), [{"kind": kind.kind, "name": name, "identity": each} for each in fresh]
                )
                return len(fresh)
