"""The walk through files, folders and archives: what each file is, and how it is cut into parts for many readers.

A file is recognised by its first bytes alone, before it is read. Damage is reported for its file, and the walk goes on.
"""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pokermodel._support.words import counted
from pokermodel.errors import HistoryError, PluginWarning
from pokermodel.game import Hand
from pokermodel.histories._sniff import irc_table, irc_tables, own_format
from pokermodel.histories.files import (
    DEPTH,
    Files,
    Piece,
    Sink,
    is_archive,
    natural,
    other_archive,
)
from pokermodel.histories.index import Index, ReaderMark, Stretch
from pokermodel.histories.registry import (
    _REGISTRY,
    HEAD,
    TEXT,
    HistoryFormat,
    NoHistoryError,
    own_module,
    readable,
)
from pokermodel.histories.report import HistoryFile
from pokermodel.histories.spans import Places, pieces

if TYPE_CHECKING:
    from pokermodel.histories.blocks import TextFormats

MONTHS_AT_ONCE = 8  # of the IRC database that are enough to be read beside each other


class Part(NamedTuple):
    """A file, or a month of the IRC database: how it is read, or why it is not."""

    # where it is, and the file or the folder on disk in which that is; None for what `files` and `name` say: of many
    # small files, to make paths of them takes as long as to find them
    at: Path | None
    at_on_disk: Path | None
    format: str = ""
    read: Callable[[Sink | None, ReaderMark], Iterator[Hand]] | None = None
    error: HistoryError | None = None
    reason: str = ""
    files: Files | None = None  # among which it is, with a name; None where it is read from no file
    name: str = ""
    form: str | HistoryFormat = ""  # as `Span.form`

    @property
    def path(self) -> Path:
        """Where it is, within an archive, too."""
        if self.at is not None:
            return self.at
        assert self.files is not None
        return self.files.path / self.name

    @property
    def on_disk(self) -> Path:
        """The file or the folder in which it is."""
        if self.at_on_disk is not None:
            return self.at_on_disk
        return self.path if self.files is None or self.files.on_disk is None else self.files.on_disk

    @property
    def place(self) -> str:
        """The text of `on_disk`."""
        if self.at_on_disk is None and self.files is not None and self.files.on_disk is None and self.name:
            return f"{self.files.path}{os.sep}{self.name}"
        return str(self.on_disk)


class SpanTally:
    """The result of reading a span, without the hands; it can be pickled if its sink can.

    Parameters
    ----------
    sink : Sink, optional
        Receives the errors.

    Attributes
    ----------
    hands, skipped : int
        Hands that were read, and that were left out.
    damaged : bool
        Whether the file cannot be read further: what comes after the span is to be left out.
    reason : str
        Of the first error.
    """

    def __init__(self, sink: Sink | None = None) -> None:
        self.sink = sink
        self.hands = self.skipped = 0
        self.damaged = False
        self.reason = ""

    def append(self, error: HistoryError) -> None:
        """Receive an error."""
        if error.line is None:  # of the file
            self.damaged = True
            self.reason = error.reason
        else:
            self.skipped += 1
            self.reason = self.reason or error.reason
        if self.sink is not None:
            self.sink.append(error)

    def apart(self) -> SpanTally:
        """Return the same without the sink."""
        found = SpanTally()
        found.hands, found.skipped, found.damaged, found.reason = self.hands, self.skipped, self.damaged, self.reason
        return found


class Tally(SpanTally):
    """The result of reading one part: it also notes errors that are not known yet, and raises them without a sink."""

    def __init__(self, sink: Sink | None, index: Index | None = None, stretch: Stretch | None = None) -> None:
        super().__init__(sink)
        self.errors = 0
        self.done = False
        self._index, self._stretch = index, stretch  # notes on hands, and the stretch that they are about

    def append(self, error: HistoryError) -> None:
        """Receive an error; raises it where errors are not wanted."""
        if self.sink is None:
            raise error
        self.errors += 1
        if self._index is not None and self._stretch is not None:
            self._index.note_error(self._stretch, self.errors, error)
        super().append(error)


class ReadHands(Iterator[Hand]):
    """An iteration over hands, which can be asked to read them all before the first one is taken."""

    def __init__(self, hands: Iterator[Hand]) -> None:
        self._hands = hands
        self._ahead: deque[Hand] = deque()
        self.begun = False

    def __next__(self) -> Hand:
        self.begun = True
        return self._ahead.popleft() if self._ahead else next(self._hands)

    def read_all(self) -> None:
        """Read all hands, and keep them."""
        self.begun = True
        self._ahead.extend(self._hands)


def parts_of(path: Path, files: Files) -> list[Part]:
    """Return the files of a path in the order of their names; raises `HistoryError` if there is nothing to read."""
    if not path.is_dir():
        head = files.head("", HEAD)
        if not is_archive(head):
            part = _file(files, "", head)
            if part.read is None:
                raise _nothing([part], path)
            return [part]
        files = files.archive("")
        files.names  # noqa: B018  # raises an error of the archive
    parts = list(_walk(files))
    if files.damage is not None:
        parts.append(Part(path, files.on_disk or path, error=files.damage))
    if not any(part.format for part in parts):
        raise _nothing(parts, path)
    return parts


def _nothing(parts: list[Part], path: Path) -> HistoryError:
    """Return the error for a path without a hand history."""
    damaged = next((part.error for part in parts if part.error is not None), None)
    if damaged is not None:
        error = NoHistoryError(damaged.reason, damaged.path)
    elif len(parts) == 1 and parts[0].path == path:
        what = {"": "not a known hand history", _EMPTY: "the file is empty"}
        said = parts[0].reason
        error = NoHistoryError(
            f"{what.get(said, f'not a known hand history ({said})')}: expected {readable()}", str(path)
        )
    elif not parts:
        place = "folder" if path.is_dir() else "archive"
        error = NoHistoryError(f"the {place} is empty: expected {readable()}", str(path))
    else:
        error = NoHistoryError(f"no hand history found: expected {readable()}", str(path))
    error.files = tuple(outcome_of(part, Tally(None)) for part in parts)
    return error


def _walk(files: Files) -> Iterator[Part]:
    """Yield the files of a folder or an archive, and those of archives inside."""
    tables = irc_tables(files)
    months: set[str] = set()
    others = files.others
    for name in sorted({*files.names, *others}, key=natural) if others else files.names:
        if name in others:
            path = files.path / name
            yield Part(path, files.on_disk or path, reason=others[name])
            continue
        if (month := tables.get(name)) is not None:
            if month not in months:
                months.add(month)
                path = files.path / month
                read = partial(own_module("irc").hands, files, month)
                yield Part(path, files.on_disk or path, "irc", read, files=files, name=month, form="irc")
            continue
        try:
            head = files.head(name, HEAD)
            if is_archive(head):
                yield from _inside(files, name)
            else:
                yield _file(files, name, head)
        except HistoryError as error:
            path = files.path / name
            yield Part(path, files.on_disk or path, error=error)


def _inside(files: Files, name: str) -> Iterator[Part]:
    """Yield the files of an archive among others; it is one if none of them is a hand history."""
    path = files.path / name
    on_disk = files.on_disk or path
    if files.depth >= DEPTH:
        what = f"archives are only read up to {DEPTH} inside one another"
        yield Part(path, on_disk, error=HistoryError(what, str(path)))
        return
    archive = files.archive(name)
    archive.names  # noqa: B018  # raises an error of the archive
    parts = list(_walk(archive))
    if (damage := archive.damage) is not None:
        parts.append(Part(path, on_disk, error=damage))
    if any(part.format or part.error for part in parts):
        yield from parts
    else:
        what = f"an archive of {counted(len(parts), 'other file')}" if parts else "an empty archive"
        yield Part(path, on_disk, reason=what)


def _site_text() -> TextFormats:
    """What reads text of sites: thirty modules, for files that are in none of our own formats."""
    from pokermodel.histories._sites import SITE_TEXT

    return SITE_TEXT


def _file(files: Files, name: str, head: bytes) -> Part:
    """Recognise a file by its beginning."""
    own = name.rpartition("/")[2] or files.path.name
    if own.lower().endswith((".phh", ".phhs", ".ohh")) and (form := own_format(head, own)) is not None:
        return _readable(files, name, files.path / name, form, form)
    text = _site_text()
    if len(head) < HEAD and (found := text.only(head)) is not None:  # all of it is a hand
        names, hand = found
        read = _Kept(hand, files, name) if files.trade(name) else partial(read_part, files, name, text.hands)
        return Part(None, None, names, read, files=files, name=name, form=TEXT)
    path = files.path / name
    if (form := own_format(head, own)) is not None:
        return _readable(files, name, path, form, form)
    on_disk = files.on_disk or path
    if sites := text.found(head):
        return _readable(files, name, path, "+".join(sorted(sites)), TEXT)
    for other in _REGISTRY.kinds().values() if head.strip() else ():
        if _looks_like(other, head, own):
            return _readable(files, name, path, other.name, other)
    return Part(path, on_disk, reason=_reason(head))


class _Kept:
    """Reads a file of one hand, which was read to recognise it, and is kept until it is asked for."""

    __slots__ = ("_files", "_hand", "_name")

    def __init__(self, hand: Hand, files: Files, name: str) -> None:
        self._hand: Hand | None = hand
        self._files, self._name = files, name

    def __call__(self, skipped: Sink | None, mark: ReaderMark) -> Iterator[Hand]:
        hand, self._hand = self._hand, None
        if hand is None:
            return read_part(self._files, self._name, _site_text().hands, skipped, mark)
        self._files.let_go(self._name)
        mark.at = (0, 0)
        return iter((hand,))


def _readable(files: Files, name: str, path: Path, names: str, form: str | HistoryFormat) -> Part:
    read = partial(read_part, files, name, hands_of(form), path=path)
    return Part(path, files.on_disk or path, names, read, files=files, name=name, form=form)


def hands_of(form: str | HistoryFormat) -> Callable[..., Iterator[Hand]]:
    """The reader of a file of a format, as `Span.form` has it."""
    if isinstance(form, HistoryFormat):
        return partial(_theirs, form)
    return _site_text().hands if form == TEXT else own_module(form).hands


def places_of(form: str | HistoryFormat) -> Places | None:
    """Where files of a format can be cut; None if they cannot."""
    if form == "phh":
        from pokermodel.histories.phh import Places as PhhPlaces

        return PhhPlaces()
    return _site_text().places() if form == TEXT else None


def cut(files: Files, name: str, places: Places | None, size: int) -> Iterator[Piece]:
    """Cut a file into pieces; one that cannot be opened is a piece of nothing, with the error."""
    try:
        behind: list[HistoryError] = []
        with files.open(name, behind=behind) as file:
            yield from pieces(file, places, size, behind)
    except HistoryError as error:
        yield Piece(b"", (), error)


def _looks_like(form: HistoryFormat, head: bytes, name: str) -> bool:
    """Whether a file looks like a format of another package, whose errors are no reason to stop."""
    try:
        return bool(form.sniff(head, name))
    except Exception as error:
        what = f"history format {form.name!r} of {_REGISTRY.package(form.name)} cannot tell what {name} is"
        warnings.warn(f"{what}: {type(error).__name__}: {error}", PluginWarning, stacklevel=2)
        return False


def _theirs(
    form: HistoryFormat, path: Path, file: BufferedReader, skipped: Sink | None, *, mark: ReaderMark
) -> Iterator[Hand]:
    """Yield hands of a format of another package; what is wrong with it is an error of the file."""
    try:
        yield from form.hands(path, file, skipped, mark=mark)
    except HistoryError:
        raise
    except Exception as error:
        what = f"history format {form.name!r} of {_REGISTRY.package(form.name)} failed"
        raise HistoryError(f"{what}: {type(error).__name__}: {error}", str(path)) from error


_EMPTY = "empty"


def _reason(head: bytes) -> str:
    """Return what a file is instead of a known hand history; empty if that is not known."""
    if not head.strip():
        return _EMPTY
    if irc_table(head):
        return "one table of an IRC poker database: open the folder that has hdb, hroster and pdb in it"
    if (kind := other_archive(head)) is not None:
        return f"a {kind} archive"
    return ""


def read_part(
    files: Files,
    name: str,
    hands: Callable[..., Iterator[Hand]],
    skipped: Sink | None,
    mark: ReaderMark,
    path: Path | None = None,
) -> Iterator[Hand]:
    """Read one file, single or one of several.

    Any failure in it is an error of this file from here on, and ends no walk over others. Readers raise `HistoryError`
    for known faults. Any other exception is a bug of ours and is reported with its name. Interruptions and a lack of
    memory are not errors of the file.
    """
    path = files.path / name if path is None else path
    try:
        behind: list[HistoryError] = []
        with files.open(name, mark.start[0] if mark.start else 0, behind) as file:
            yield from hands(path, file, skipped, mark=mark)
        if behind:
            raise behind[0]
    except HistoryError as error:
        if skipped is None:
            raise
        skipped.append(error)
    except MemoryError:
        raise
    except Exception as error:
        what = " ".join(f"cannot be read from here on: {type(error).__name__}: {error}".split())
        found = HistoryError(what, str(path))
        if skipped is None:
            raise found from error
        skipped.append(found)


def go_on(
    read: Callable[[Sink | None, ReaderMark], Iterator[Hand]], tally: Tally, stretch: Stretch, start: int, strict: bool
) -> Iterator[Hand]:
    """Yield the hands of a part, as few as possible of those before an index, and count all of them."""
    if stretch.done and stretch.hands <= start:
        tally.hands = stretch.hands
        for error in stretch.errors:
            tally.append(error)
        return
    known = stretch.before(start)
    mark = ReaderMark(known.at)
    tally.hands = known.hands
    for error in stretch.errors[: known.errors]:
        tally.append(error)
    for hand in read(None if strict else tally, mark):
        tally.hands += 1
        stretch.note(tally.hands, tally.errors, mark.at)
        yield hand
    stretch.finish()


def outcome_of(part: Part, tally: Tally) -> HistoryFile:
    """Return what became of a file, or of its part, when it was read."""
    if part.error is not None:
        return HistoryFile(str(part.path), "unreadable", part.format, reason=part.error.reason)
    if part.read is None:
        return HistoryFile(str(part.path), "foreign", reason=part.reason)
    status = "unreadable" if tally.damaged else "read" if tally.done else "open"
    return HistoryFile(str(part.path), status, part.format, tally.hands, tally.skipped, tally.reason)
