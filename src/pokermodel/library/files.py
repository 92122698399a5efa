"""Files that grow: each is read from its bookmark on, and a last hand that is not yet whole waits for the next time.

A bookmark says where the last hand of a file begins, and what stood before it. As long as that is unchanged, reading
goes on there: the last hand is read once more, since it may have been written only in part, and replaced if it has
changed. Any other change of a file means that all of it is read again; hands that are known stay as they are, and hands
that no file has any more stay without a source.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from hashlib import blake2b
from itertools import chain, groupby, islice, takewhile
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from pokermodel.errors import HistoryError
from pokermodel.game import BettingStructure, Hand
from pokermodel.histories import HandSource, HistoryFile, NoHistoryError, Span, SpanTally, open_hands
from pokermodel.histories._writing import ErrorSink
from pokermodel.histories.files import natural
from pokermodel.histories.index import ReaderMark
from pokermodel.histories.walks import Tally, outcome_of
from pokermodel.learning.knowledge import FromHands, structures_of
from pokermodel.library.bookmarks import Bookmark
from pokermodel.library.rows import BATCH, Place, Rows, rows_of
from pokermodel.library.store import Added, Store
from pokermodel.reading.features import Replay

if TYPE_CHECKING:
    from pokermodel.executors import Executor

__all__ = ["Update", "evidence_of", "stored_hands", "update"]

#: Gets rows that were added, which of them are new, and what every row says for each kind of knowledge.
Learner: TypeAlias = Callable[[Rows, Sequence[int], Mapping[str, Sequence[Any]]], object]
_DIGESTED = 1 << 12  # bytes at the beginning of a file, and before its last hand
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04", b"PK\x05\x06")
_IRC = frozenset(("hdb", "hroster", "pdb"))


class Update(NamedTuple):
    """The result of looking at files.

    Attributes
    ----------
    added : Added
        Hands that were new, and that were there already: those that were not read again, too.
    read, unchanged, gone : int
        Files that were read, that have not changed since they were, and that are no longer there.
    errors : tuple of ValueError
        What is wrong with hands and files that were left out, if there was no sink for it. A last hand that is not yet
        whole is no error.
    files : tuple of HistoryFile
        The result for each file.
    structures : dict of str to int
        Hands by betting structure; without a learner, of those alone that were read.
    """

    added: Added
    read: int
    unchanged: int
    gone: int
    errors: tuple[ValueError, ...]
    files: tuple[HistoryFile, ...] = ()
    structures: Mapping[str, int] = MappingProxyType({})


def update(
    book: Store,
    *paths: str | os.PathLike[str],
    skipped: ErrorSink | None = None,
    progress: Callable[[int], None] | None = None,
    share: Callable[[float], object] | None = None,
    executor: Executor | None = None,
    kinds: Mapping[str, type[FromHands]] = MappingProxyType({}),
    learner: Learner | None = None,
) -> Update:
    """Bring a book up to date with files and folders.

    Parameters
    ----------
    paths : path-like
        Histories, and folders of them, which are searched to any depth. Files whose name begins with a dot are not
        looked at; neither are links that lead out of a folder.
    skipped : ErrorSink, optional
        Receives what is wrong with hands and files that are left out, instead of `Update.errors`, and of a last hand
        that it is not yet whole.
    progress : callable, optional
        Called with the number of hands that were dealt with so far.
    share : callable, optional
        Called before it with the share of the bytes that were read, 0 to 1.
    executor : Executor, optional
        Reads files that are new or have changed otherwise than by growing, in pieces that are sent to it. The rows are
        the same with any. By default they are read here.
    kinds : mapping of str to type
        Kinds of knowledge that learn the hands as they are added, by name.
    learner : callable, optional
        Has them learn: a `Learner`.

    Raises
    ------
    HistoryError
        If there is no such file or folder.
    """
    known: dict[str, list[Bookmark]] = {}
    for each in book.bookmarks.all():
        known.setdefault(each.path, []).append(each)
    found = _Found(book, skipped, progress, share, kinds, learner)
    places = [path.absolute() for path in map(Path, paths)]
    for place in places:
        if not place.exists() and str(place) not in known:
            raise HistoryError("there is no such file or folder", str(place))
    units = list(dict.fromkeys(unit for place in places for unit in _units(place)))
    there = set(map(str, units))
    found.bytes = sum(map(_size, units)) if share is not None else 0
    for name in known.keys() - there:  # first, since a file that was renamed is found again under its new name
        if any(name == str(place) or name.startswith(f"{place}{os.sep}") for place in places):
            book.bookmarks.forget(name)
            found.gone += 1
    looks = (found.look_at(unit, known.get(str(unit), [])) for unit in units)
    if executor is None or executor.here:
        for look in looks:
            found.take(look, _chunks(look, book.bits, kinds))
    else:
        found.spread(looks, executor)
    if found.forgotten or found.gone:  # hands of them may be in other files, too
        for name in book.bookmarks.shadowed():
            if name in there:
                look = found.look_at(Path(name), [])
                found.take(look, _chunks(look, book.bits, kinds))
    return found.update()


def _units(path: Path) -> Iterator[Path]:
    """The files of a path; a folder of the IRC database is one."""
    if not path.is_dir():
        if path.exists():
            yield path
        return
    root = os.path.realpath(path)
    for above, folders, names in os.walk(path):
        if {*folders, *names} >= _IRC:
            folders.clear()
            yield Path(above)
            continue
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=natural)
        for name in sorted(names, key=natural):
            place = os.path.join(above, name)
            inside = not os.path.islink(place) or os.path.realpath(place).startswith(root + os.sep)
            if not name.startswith(".") and inside and os.path.isfile(place):
                yield Path(place)


class _Look(NamedTuple):
    """A file as it was found.

    Attributes
    ----------
    source : HandSource or None
        None if nothing is to be read.
    start, hands : tuple of int, int
        Where to go on, and how many hands are before; empty for the beginning.
    changed : bool
        Whether it was read before, and is another one now.
    error : HistoryError or None
        Why it cannot be read.
    """

    path: Path
    state: tuple[int, int, int] | None
    source: HandSource | None = None
    start: tuple[int, ...] = ()
    hands: int = 0
    changed: bool = False
    error: HistoryError | None = None


class _Chunk(NamedTuple):
    """What came of reading some hands of a part of a file, in any process.

    Attributes
    ----------
    hands : int
        How many were read, those that cannot be kept, too.
    at : tuple of int
        Where the last one begins.
    errors, refused : list of ValueError
        What is wrong with what cannot be read, and with hands that cannot be kept.
    late : bool
        Whether the last error came after the last hand.
    evidence : dict of str to list
        What each row says for each kind of knowledge.
    """

    part: int
    rows: Rows
    hands: int
    at: tuple[int, ...]
    errors: list[HistoryError]
    refused: list[ValueError]
    late: bool
    evidence: dict[str, list[Any]]


def _chunk(
    part: int,
    hands: Iterator[Hand],
    mark: ReaderMark,
    errors: list[HistoryError],
    bits: Mapping[str, int],
    kinds: Mapping[str, type[FromHands]],
    most: int | None = None,
    *,
    placed: bool = True,
) -> _Chunk:
    """Read some hands; `errors` is where their reader puts what is wrong, and is emptied."""
    some: list[tuple[Hand, Place]] = []
    reported, at, refused = 0, tuple[int, ...](), list[ValueError]()
    for hand in islice(hands, most):
        reported, at = len(errors), mark.at
        some.append((hand, Place(None, at[0] if at and placed else -1)))
    found = errors.copy()
    errors.clear()
    rows = rows_of(some, bits, refused)
    evidence = evidence_of(kinds, [some[k][0] for k in rows.kept])
    return _Chunk(part, rows, len(some), at, found, refused, len(found) > reported, evidence)


def evidence_of(kinds: Mapping[str, type[FromHands]], hands: Sequence[Hand]) -> dict[str, list[Any]]:
    """What hands say for kinds of knowledge; None if it is nothing."""
    found: dict[str, list[Any]] = {name: [None] * len(hands) for name in kinds}
    for k, hand in enumerate(hands if kinds else ()):
        decisions = Replay.of(hand, None)
        for name, kind in kinds.items():
            if hand.spec.structure in structures_of(kind):
                with suppress(ValueError):  # it cannot be learnt for this kind
                    found[name][k] = kind.evidence(hand, decisions)
    return found


def _chunks(look: _Look, bits: Mapping[str, int], kinds: Mapping[str, type[FromHands]]) -> Iterator[_Chunk]:
    """Read a file in this process."""
    for number, part in enumerate([] if look.source is None else look.source._parts):
        if part.read is not None:
            mark, errors = ReaderMark(look.start), list[HistoryError]()
            hands = part.read(errors, mark)
            hands_left = True
            while hands_left:
                chunk = _chunk(number, hands, mark, errors, bits, kinds, BATCH, placed=part.form != "irc")
                hands_left = chunk.hands == BATCH
                yield chunk


def _chunks_of(
    bits: Mapping[str, int], kinds: Mapping[str, type[FromHands]], spans: list[Span] | None
) -> list[_Chunk] | None:
    """Read spans on a worker."""
    if spans is None:
        return None
    found = []
    for span in spans:
        mark, errors = ReaderMark(), list[HistoryError]()
        found.append(
            _chunk(span.part, span.read(SpanTally(errors), mark), mark, errors, bits, kinds, placed=span.form != "irc")
        )
    return found


class _Found:
    def __init__(
        self,
        book: Store,
        skipped: ErrorSink | None,
        progress: Callable[[int], None] | None,
        share: Callable[[float], object] | None,
        kinds: Mapping[str, type[FromHands]],
        learner: Learner | None,
    ) -> None:
        self._book, self._progress, self._share = book, progress, share
        self._kinds, self._learner = kinds, learner
        self.bytes = self._passed = self._read_bytes = 0  # of all files, of those dealt with, and of all that is read
        self._added = Added(0, 0)
        self._read = self._unchanged = self.gone = 0
        self.forgotten = False
        self._errors: list[ValueError] = []
        self._skipped: ErrorSink = self._errors if skipped is None else skipped
        self._says_all = skipped is not None
        self._files: list[HistoryFile] = []
        self._structures: Counter[str] = Counter()
        self._known: dict[str, int | None] = {}  # files whose hands are not read again, or those before a byte

    def update(self) -> Update:
        """All of it."""
        if self._learner is not None:  # else nothing needs to go through all hands
            self._structures.update(self._book.bookmarks.structures(self._known))
        return Update(
            *(self._added, self._read, self._unchanged, self.gone, tuple(self._errors), tuple(self._files)),
            self._structures,
        )

    def look_at(self, path: Path, known: Sequence[Bookmark]) -> _Look:
        """Open a file if there is something new in it. Nothing is written."""
        try:
            state = _state(path)
        except OSError:
            return _Look(path, None)  # it went this moment: next time it is gone
        if known and all((each.size, each.changed, each.node) == state for each in known):
            return _Look(path, state, hands=sum(each.hands for each in known))
        start = _go_on(path, known)
        before = known[0].hands - 1 if start else 0  # the last one is read once more
        changed = bool(known) and start is None
        try:
            source = open_hands(path, strict=False, index=False)
        except HistoryError as error:
            return _Look(path, state, None, start or (), before, changed, error)
        return _Look(path, state, source, start or (), before, changed)

    def take(self, look: _Look, chunks: Iterable[_Chunk]) -> None:
        """Write what was read of a file."""
        self._take(look, chunks)
        self._passed += look.state[0] if look.state is not None else 0

    def _take(self, look: _Look, chunks: Iterable[_Chunk]) -> None:
        if look.state is None:
            return
        if look.source is None and look.error is None:
            self._unchanged += 1
            self._added += (0, look.hands)
            self._known[str(look.path)] = None
            self._files.append(HistoryFile(str(look.path), "unchanged", hands=look.hands))
            return
        self._read += 1
        if look.start:
            self._added += (0, look.hands)
            self._known[str(look.path)] = look.start[0]
        if look.changed:
            self._book.bookmarks.forget(look.path)
            self.forgotten = True
        if isinstance(look.error, NoHistoryError):  # no history, or not yet
            self._files += look.error.files or [HistoryFile(str(look.path), "unreadable", reason=look.error.reason)]
            reading = _Reading(look.path, look.state, "", None)
            self._book.add_rows(rows_of([], self._book.bits), reading.bookmark(last=True))
        elif look.error is not None:
            self._skipped.append(look.error)
            self._files.append(HistoryFile(str(look.path), "unreadable", reason=look.error.reason))
        assert look.source is not None or look.error is not None
        groups = groupby(chunks, key=attrgetter("part"))
        number, some = next(groups, (-1, iter(())))
        for place, part in enumerate([] if look.source is None else look.source._parts):
            tally = Tally(self._skipped)
            tally.hands = look.hands
            if part.error is not None:
                tally.append(part.error)
            elif part.read is not None:
                member = "" if part.path == look.path else str(part.path)[len(str(look.path)) + 1 :]
                reading = _Reading(look.path, look.state, member, look.source, look.start, look.hands)
                self._take_part(reading, some if number == place else iter(()), tally)
                tally.done = True
            if number == place:
                number, some = next(groups, (-1, iter(())))
            self._files.append(outcome_of(part, tally))

    def _take_part(self, reading: _Reading, chunks: Iterator[_Chunk], tally: Tally) -> None:
        drop = reading.start[0] if reading.start else None
        last: _Chunk | None = None
        waiting: HistoryError | None = None  # the last hand of a file that can grow may be half written
        for chunk in chunks:
            if tally.damaged:
                continue  # behind what cannot be read
            if last is not None:
                self._add(last, reading, drop, last=False)
                drop = None
            if waiting is not None and (chunk.hands or chunk.errors):
                tally.append(waiting)
                waiting = None
            errors = list(chunk.errors)
            if chunk.late and errors[-1].line is not None and reading.grows:
                waiting = errors.pop()
            for error in errors:
                tally.append(error)
            for refused in chunk.refused:
                self._skipped.append(refused)
            tally.hands += chunk.hands
            reading.hands += chunk.hands
            reading.at = chunk.at if chunk.hands else reading.at
            last = chunk
        if waiting is not None and self._says_all:
            tally.append(waiting)
        self._add(last or _chunk(0, iter(()), ReaderMark(), [], self._book.bits, {}), reading, drop, last=True)

    def _add(self, chunk: _Chunk, reading: _Reading, drop: int | None, *, last: bool) -> None:
        rows = chunk.rows
        new = self._book.add_rows(rows, reading.bookmark(last=last), drop_from=drop)
        if self._learner is not None and new:
            self._learner(rows, new, chunk.evidence)
        self._added += (len(new), len(rows.hands) - len(new))
        counts = np.bincount(rows.of_hands["structure"], minlength=len(BettingStructure)).tolist()
        self._structures.update({str(each): n for each, n in zip(BettingStructure, counts, strict=True) if n})
        if self._share is not None:
            self._read_bytes = max(self._read_bytes, self._passed + reading.passed(whole=last))
            self._share(min(self._read_bytes / max(self.bytes, 1), 1.0))
        if self._progress is not None:
            self._progress(sum(self._added))

    def spread(self, looks: Iterable[_Look], executor: Executor) -> None:
        """Read files by an executor; what has grown is read here."""
        opened: deque[_Look] = deque()

        def spans() -> Iterator[list[Span] | None]:
            for look in looks:
                opened.append(look)
                if look.source is not None and not look.start:
                    yield from look.source.spans()
                yield None  # ends the file

        with closing(executor.map(partial(_chunks_of, self._book.bits, self._kinds), spans())) as found:
            for first in found:
                look = opened.popleft()
                if look.start:
                    self.take(look, _chunks(look, self._book.bits, self._kinds))
                else:
                    some = takewhile(lambda each: each is not None, chain([first], found))
                    self.take(look, chain.from_iterable(cast(Iterator[list[_Chunk]], some)))
                    for _ in some:  # to its end
                        pass


class _Reading:
    """A file that is being read."""

    def __init__(
        self,
        path: Path,
        state: tuple[int, int, int],
        member: str,
        source: HandSource | None,
        start: tuple[int, ...] = (),
        hands: int = 0,
    ) -> None:
        self.path, self.state, self.member, self.source, self.start = path, state, member, source, start
        self.at, self.hands = start, hands
        self.grows = not member and path.is_file() and not _head(path, 6).startswith(_COMPRESSED)

    def passed(self, *, whole: bool) -> int:
        """How many bytes were read, roughly."""
        if (whole and not self.member) or self.source is None:
            return self.state[0]
        return self.at[0] if self.at and self.grows else int(self.source._reached.share * self.state[0])

    def bookmark(self, *, last: bool) -> Bookmark:
        """How far it is read; before the end in such a way that it counts as changed."""
        at = self.at if self.grows else ()
        state = self.state if last else (-1, -1, -1)
        head, tail = _digests(self.path, at[0]) if at else (b"", b"")
        return Bookmark(str(self.path), self.member, *state, at, self.hands, head, tail)


def _size(path: Path) -> int:
    with suppress(OSError):
        return _state(path)[0]
    return 0


def _state(path: Path) -> tuple[int, int, int]:
    """What tells that a file has changed: size, time and number on its device; of a folder, of all files in it."""
    status = path.stat()
    if not path.is_dir():
        return status.st_size, status.st_mtime_ns, status.st_ino
    found = [each.stat() for each in sorted(path.rglob("*")) if each.is_file()]
    newest = max([each.st_mtime_ns for each in found], default=0)
    return sum(each.st_size for each in found), newest, status.st_ino


def _go_on(path: Path, known: Sequence[Bookmark]) -> tuple[int, ...] | None:
    """Where reading can go on; None if the file is another one now."""
    if len(known) != 1 or known[0].member or not known[0].at:
        return None
    (mark,) = known
    try:
        if path.stat().st_size <= mark.at[0] or _digests(path, mark.at[0]) != (mark.head, mark.tail):
            return None
    except OSError:
        return None
    return mark.at


def _digests(path: Path, at: int) -> tuple[bytes, bytes]:
    """Digests of the beginning of a file, and of what stands before a byte."""
    with open(path, "rb") as file:
        head = file.read(min(_DIGESTED, at))
        file.seek(max(0, at - _DIGESTED))
        tail = file.read(at - max(0, at - _DIGESTED))
    return blake2b(head, digest_size=8).digest(), blake2b(tail, digest_size=8).digest()


def _head(path: Path, size: int) -> bytes:
    with suppress(OSError), open(path, "rb") as file:
        return file.read(size)
    return b""


def stored_hands(book: Store, errors: list[HistoryError] | None = None) -> Iterator[Hand]:
    """Read the hands of all files of a book again, as they are now.

    Parameters
    ----------
    errors : list of HistoryError, optional
        Takes what cannot be read.
    """
    for path in dict.fromkeys(each.path for each in book.bookmarks.all()):
        try:
            source = open_hands(path, strict=False, index=False)
        except HistoryError as error:
            if errors is not None and not isinstance(error, NoHistoryError):
                errors.append(error)
            continue
        yield from source
        if errors is not None:
            errors += source.skipped
