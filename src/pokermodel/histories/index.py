"""Where the hands of a source are, so that a hand is found without reading those before it.

A source is read once. Meanwhile it is noted how many hands each file has, what was left out, and every `_EVERY` hands
where reading can go on. If there are many hands, this is kept in the user's cache, in a file named after the source's
path: histories are the user's, and nothing of ours is left among them. It holds for the files as they were, by size,
times, device and number on it, and for this version of the package; one that does not, or is damaged, is passed over
and replaced. The cache keeps the indexes that were used last.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pokermodel._support.files import cache_folder, write_text
from pokermodel._support.version import release
from pokermodel.errors import HistoryError

__all__ = ["Index", "ReaderMark", "Stretch", "index_path", "state_of"]

_EVERY = 64  # hands from one place where reading can go on to the next
_LEAST = 2000  # hands for which an index is kept
_MOST_ERRORS = 10_000  # that are kept
_LARGEST = 1 << 26  # bytes of an index that is read
_MOST_KEPT = 500  # indexes
_SETTLED = 2.0  # seconds since the last change of a file, within which another one might not show
_FORM = 3  # of the file

#: Names, sizes, times of change of content and of the rest, devices and numbers of files; None where there is a pipe.
_State = tuple[tuple[str, int, int, int, int, int], ...] | None


@dataclass
class ReaderMark:
    """The place where a reader of a format continues, and its current place."""

    #: Where to go on: what `at` was. Empty for the beginning. The first number of it is the place of the next byte in
    #: the file, for formats that are read from one file.
    start: tuple[int, ...] = ()
    #: Where the hand that was read last begins; empty if reading cannot go on there, because it takes what was before.
    at: tuple[int, ...] = ()


class _Mark(NamedTuple):
    """A place where reading can go on, and how many hands and errors are before it."""

    hands: int = 0
    errors: int = 0
    at: tuple[int, ...] = ()


@dataclass
class Stretch:
    """The knowledge of the hands of one file, or of a month of the IRC database."""

    hands: int = 0  #: Hands that were found so far.
    errors: list[HistoryError] = field(default_factory=list)  #: The left-out part.
    marks: list[_Mark] = field(default_factory=lambda: [_Mark()])  #: Places where reading can go on.
    done: bool = False  #: Whether it was read to its end.
    lost: bool = False  #: Whether nothing is known, because too much was left out.

    def note(self, hands: int, errors: int, at: tuple[int, ...]) -> None:
        """Note a hand: how many hands there are with it, the errors before it, and where it begins."""
        if hands <= self.hands or self.lost:
            return
        self.hands = hands
        if at and hands - 1 >= self.marks[-1].hands + _EVERY:
            self.marks.append(_Mark(hands - 1, errors, at))

    def finish(self) -> None:
        """Note that it was read to its end."""
        self.done = not self.lost

    def lose(self) -> None:
        """Forget everything for good."""
        self.hands, self.errors, self.marks, self.done, self.lost = 0, [], [_Mark()], False, True

    def before(self, number: int) -> _Mark:
        """Return the last place that is not behind a hand, counted from 0."""
        low, high = 0, len(self.marks)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.marks[middle].hands <= number else (low, middle)
        return self.marks[low]


class Index:
    """The knowledge of the hands of a source.

    Parameters
    ----------
    state : tuple or None
        Of the files on disk, as `state_of` returns it.
    """

    def __init__(self, parts: int, state: _State) -> None:
        self.state = state
        self.stretches = [Stretch() for _ in range(parts)]
        self._kept = 0  # hands that the file knows
        self._errors = 0

    @property
    def hands(self) -> int:
        """Hands that were found so far."""
        return sum(stretch.hands for stretch in self.stretches)

    @property
    def used(self) -> bool:
        """Whether anything is known."""
        return any(stretch.hands or stretch.errors or stretch.done or stretch.lost for stretch in self.stretches)

    def note_error(self, stretch: Stretch, number: int, error: HistoryError) -> None:
        """Note an error, if it is new, given the number of errors of a stretch with it. Too many are not kept."""
        if number <= len(stretch.errors) or stretch.lost:
            return
        stretch.errors.append(error)
        self._errors += 1
        if self._errors > _MOST_ERRORS:
            for each in self.stretches:
                each.lose()

    def load(self, path: Path, names: Sequence[str], root: str) -> None:
        """Take over what is kept, if it holds for these files.

        Parameters
        ----------
        root : str
            Beginning of the paths in errors.
        """
        try:
            if self.state is None or path.is_symlink() or path.stat().st_size > _LARGEST:
                return
            head, _, body = path.read_text(encoding="utf-8").partition("\n")
            if head != _head(body):
                return
            os.utime(path)  # it was used
            content = json.loads(body)
            if content["parts"] != list(names) or [tuple(each) for each in content["state"]] != list(self.state):
                return
            found = [_stretch(each, root) for each in content["stretches"]]
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            return
        if len(found) == len(names) and sum(each.hands for each in found) > self.hands:
            self.stretches = found
            self._kept = self.hands
            self._errors = sum(len(stretch.errors) for stretch in found)

    def keep(self, path: Path, names: Sequence[str], root: str) -> None:
        """Write it, if that helps and can be done; parameters as `load`."""
        if self.hands < max(_LEAST, self._kept + 1) or self.state is None:
            return
        errors = (error for stretch in self.stretches for error in stretch.errors)
        if not all((error.path or "").startswith(root) for error in errors):
            return
        newest = max(max(changed) for _, _, *changed, _, _ in self.state)
        if newest / 1e9 > time.time() - _SETTLED:
            return
        content = {
            "parts": list(names),
            "state": self.state,
            "stretches": [_plain(stretch, root) for stretch in self.stretches],
        }
        body = json.dumps(content, separators=(",", ":"))
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.is_symlink():  # through which another's file would be written
                path.unlink()
            write_text(path, f"{_head(body)}\n{body}")
            self._kept = self.hands
            _forget_oldest(path.parent)


def index_path(source: Path) -> Path:
    """Return where the index of a file or a folder is kept: named after its path, in the user's cache."""
    import hashlib

    digest = hashlib.blake2b(os.fsencode(os.path.realpath(source)), digest_size=16).hexdigest()
    return cache_folder() / "indexes" / f"{digest}.index"


def state_of(paths: Iterable[Path | str]) -> _State:
    """Return what tells whether files have changed, and those of folders, which are months of the IRC database."""
    found = []
    for path in paths:
        try:
            status = os.stat(path)  # which takes half as long as a path's own method
            for file in _files_of(path) if stat.S_ISDIR(status.st_mode) else (path,):
                if file is not path:
                    status = os.stat(file)
                if not stat.S_ISREG(status.st_mode):
                    return None
                times = status.st_mtime_ns, status.st_ctime_ns
                found.append((os.path.basename(file), status.st_size, *times, status.st_dev, status.st_ino))
        except OSError:
            return None
    return tuple(found)


def _files_of(folder: Path | str) -> Iterator[str]:
    for above, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(above, name) for name in sorted(names) if not name.startswith("."))


def _head(body: str) -> str:
    """First line of the file: what it is, by which version, and a checksum of the rest."""
    import hashlib

    digest = hashlib.blake2b(body.encode(), digest_size=16).hexdigest()
    return f"pokermodel index {_FORM} {release()} {digest}"


def _plain(stretch: Stretch, root: str) -> list[Any]:
    errors = [[(error.path or "")[len(root) :], error.line, error.hand, error.reason] for error in stretch.errors]
    marks = [[mark.hands, mark.errors, *mark.at] for mark in stretch.marks[1:]]
    return [stretch.hands, stretch.done, errors, marks]


def _stretch(plain: list[Any], root: str) -> Stretch:
    hands, done, errors, marks = plain
    numbers = [hands, *chain.from_iterable(marks), *(line for _, line, _, _ in errors if line is not None)]
    texts = [text for path, _, hand, reason in errors for text in (path, hand or "", reason)]
    places = [(before, wrong) for before, wrong, *_ in marks]
    if not (
        type(hands) is int
        and type(done) is bool
        and all(isinstance(number, int) and 0 <= number < 1 << 62 for number in numbers)
        and all(type(text) is str for text in texts)
        and all(before < after and wrong <= more for (before, wrong), (after, more) in pairwise([(0, 0), *places]))
        and all(before < hands and wrong <= len(errors) for before, wrong in places)
    ):
        raise ValueError("an index with other types or in another order")
    return Stretch(
        hands,
        [HistoryError(reason, root + path, line, hand) for path, line, hand, reason in errors],
        [_Mark(), *(_Mark(before, wrong, tuple(at)) for before, wrong, *at in marks)],
        done,
    )


def _forget_oldest(folder: Path) -> None:
    """Delete the indexes whose use is longest ago, if there are too many."""
    found = sorted(folder.glob("*.index"), key=lambda path: path.stat().st_mtime)
    for path in found[:-_MOST_KEPT]:
        path.unlink(missing_ok=True)
