"""Files that grow: each is read from its bookmark on, and a last hand that is not yet whole waits for the next time.

A bookmark says where the last hand of a file begins, and what stood before it. As long as that is unchanged, reading
goes on there: the last hand is read once more, since it may have been written only in part, and replaced if it has
changed. Any other change of a file means that all of it is read again; hands that are known stay as they are, and hands
that no file has any more stay without a source.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories import NoHistoryError, open_hands
from pokermodel.histories._index import Bookmark as ReaderMark
from pokermodel.library.book import BATCH, Added, Book, Bookmark
from pokermodel.library.rows import Place, rows_of
from pokermodel.library.watching import Stop, looks

__all__ = ["Update", "stored_hands", "update", "watch"]

_DIGESTED = 1 << 12  # bytes at the beginning of a file, and before its last hand
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK\x03\x04", b"PK\x05\x06")
_IRC = frozenset(("hdb", "hroster", "pdb"))
_PATIENCE = 5.0  # seconds after which files are looked at, whether or not an event came


class Update(NamedTuple):
    """What came of looking at files.

    Attributes
    ----------
    added : Added
        Hands that were new, and that were there already.
    read, unchanged, gone : int
        Files that were read, that have not changed since they were, and that are no longer there.
    errors : tuple of ValueError
        What is wrong with hands and files that were left out. A last hand that is not yet whole is no error.
    """

    added: Added
    read: int
    unchanged: int
    gone: int
    errors: tuple[ValueError, ...]


def update(book: Book, *paths: str | os.PathLike[str], progress: Callable[[int], None] | None = None) -> Update:
    """Bring a book up to date with files and folders.

    Parameters
    ----------
    paths : path-like
        Histories, and folders of them, which are searched to any depth. Files whose name begins with a dot are not
        looked at; neither are links that lead out of a folder.
    progress : callable, optional
        Called with the number of hands that were dealt with so far.

    Raises
    ------
    HistoryError
        If there is no such file or folder.
    BookError
        If the book cannot be written.
    """
    known: dict[str, list[Bookmark]] = {}
    for each in book.files():
        known.setdefault(each.path, []).append(each)
    found = _Found(book, progress)
    places = [path.absolute() for path in map(Path, paths)]
    for place in places:
        if not place.exists() and str(place) not in known:
            raise HistoryError("there is no such file or folder", str(place))
    units = list(dict.fromkeys(unit for place in places for unit in _units(place)))
    there = set(map(str, units))
    for name in known.keys() - there:  # first, since a file that was renamed is found again under its new name
        if any(name == str(place) or name.startswith(f"{place}{os.sep}") for place in places):
            book.forget_file(name)
            found.gone += 1
    for unit in units:
        found.look_at(unit, known.get(str(unit), []))
    if found.forgotten or found.gone:  # hands of them may be in other files, too
        for name in book.shadowed():
            if name in there:
                found.look_at(Path(name), [])
    return Update(found.added, found.read, found.unchanged, found.gone, tuple(found.errors))


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
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            place = os.path.join(above, name)
            inside = not os.path.islink(place) or os.path.realpath(place).startswith(root + os.sep)
            if not name.startswith(".") and inside and os.path.isfile(place):
                yield Path(place)


class _Found:
    def __init__(self, book: Book, progress: Callable[[int], None] | None) -> None:
        self._book, self._progress = book, progress
        self.added = Added(0, 0)
        self.read = self.unchanged = self.gone = 0
        self.forgotten = False
        self.errors: list[ValueError] = []

    def look_at(self, path: Path, known: Sequence[Bookmark]) -> None:
        """Read what is new in a file."""
        try:
            state = _state(path)
        except OSError:
            return  # it went this moment: next time it is gone
        if known and all((each.size, each.changed, each.node) == state for each in known):
            self.unchanged += 1
            return
        self.read += 1
        start = _go_on(path, known)
        if known and start is None:
            self._book.forget_file(path)
            self.forgotten = True
        try:
            source = open_hands(path, strict=False, index=False)
        except NoHistoryError:
            self._finish(_Reading(path, state, ""))  # no history, or not yet
            return
        except HistoryError as error:
            self.errors.append(error)
            return
        for part in source._parts:
            member = "" if part.path == path else str(part.path)[len(str(path)) + 1 :]
            if part.error is not None:
                self.errors.append(part.error)
            if part.read is not None:
                self._read(_Reading(path, state, member, start or ()), part.read)

    def _read(self, reading: _Reading, read: Callable[..., Iterator[Hand]]) -> None:
        mark, errors = ReaderMark(reading.start), list[HistoryError]()
        reported = 0
        batch: list[tuple[Hand, Place]] = []
        drop = reading.start[0] if reading.start else None
        for hand in read(errors, mark):
            if len(batch) == BATCH:
                self._add(batch, reading, drop)
                batch, drop = [], None
            reported = len(errors)
            reading.at, reading.hands = mark.at, reading.hands + 1
            batch.append((hand, Place(None, mark.at[0] if mark.at else -1)))
        # the last hand of a file that can grow may be half written
        waits = len(errors) > reported and reading.grows
        self.errors += errors[:-1] if waits else errors
        self._add(batch, reading, drop, last=True)

    def _add(self, batch: list[tuple[Hand, Place]], reading: _Reading, drop: int | None, *, last: bool = False) -> None:
        rows = rows_of(batch, self._book.bits, self.errors)
        self.added += self._book.add_rows(rows, reading.bookmark(last=last), drop_from=drop)
        if self._progress is not None:
            self._progress(sum(self.added))

    def _finish(self, reading: _Reading) -> None:
        self._book.add_rows(rows_of([], self._book.bits), reading.bookmark(last=True))


class _Reading:
    """A file that is being read."""

    def __init__(self, path: Path, state: tuple[int, int, int], member: str, start: tuple[int, ...] = ()) -> None:
        self.path, self.state, self.member, self.start = path, state, member, start
        self.at, self.hands = start, 0
        self.grows = not member and path.is_file() and not _head(path, 6).startswith(_COMPRESSED)

    def bookmark(self, *, last: bool) -> Bookmark:
        """How far it is read; before the end in such a way that it counts as changed."""
        at = self.at if self.grows else ()
        state = self.state if last else (-1, -1, -1)
        head, tail = _digests(self.path, at[0]) if at else (b"", b"")
        return Bookmark(str(self.path), self.member, *state, at, self.hands, head, tail)


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


def stored_hands(book: Book, errors: list[HistoryError] | None = None) -> Iterator[Hand]:
    """Read the hands of all files of a book again, as they are now.

    Parameters
    ----------
    errors : list of HistoryError, optional
        Takes what cannot be read.
    """
    for path in dict.fromkeys(each.path for each in book.files()):
        try:
            source = open_hands(path, strict=False, index=False)
        except HistoryError as error:
            if errors is not None and not isinstance(error, NoHistoryError):
                errors.append(error)
            continue
        yield from source
        if errors is not None:
            errors += source.skipped


def watch(
    book: Book,
    folders: Sequence[str | os.PathLike[str]],
    stop: Stop,
    *,
    poll: bool = False,
    patience: float = _PATIENCE,
) -> Iterator[Update]:
    """Keep a book up to date with folders until it is to stop.

    Files are looked at when the system says that they have changed and, since not every file system does, every few
    seconds as well.

    Parameters
    ----------
    folders : sequence of path-like
        What `update` takes.
    stop : threading.Event
    poll : bool
        Only look at files every so often. Otherwise `watchfiles` is needed (``pip install "pokermodel[desk]"``).
    patience : float
        Seconds between looks.

    Yields
    ------
    Update
        First of the state at the beginning, and then after every change.

    Raises
    ------
    ValueError
        If there is no `watchfiles`, and `poll` is not given.
    HistoryError
        If there is no such file or folder at the beginning.
    """
    first = True
    for _ in looks([*map(Path, folders)], stop, poll=poll, patience=patience):
        try:
            found = update(book, *folders)
        except HistoryError:
            if first:
                raise
            continue  # a folder that has gone may come back
        if first or found.read or found.gone:
            yield found
        first = False
