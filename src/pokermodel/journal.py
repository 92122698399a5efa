"""The journal of a long run: what the run has finished, so that the same command goes on after an interruption.

A journal is a text file. Its first line names the kind of run, and the options that all results depend on. Each further
line is a finished item: a key, which is a digest of the item's inputs, and the result as JSON. Every line begins with a
checksum of its rest.

A line is on disk before the next one is written. A process that is killed at any instant therefore leaves whole lines,
and at most one that is cut short. That one is dropped when the journal is opened again, and its item is done again.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pokermodel._support.files import append_text, write_text
from pokermodel._support.patterns import regex
from pokermodel.executors import Executor

__all__ = ["Finished", "Journal", "check_same_run", "digest", "map_items"]

T = TypeVar("T")
R = TypeVar("R")

_FORMAT = "pokermodel journal 1"
_KEY = regex("[!-~]+")


def digest(*parts: bytes | str) -> str:
    """Return the digest of an item's inputs: 32 letters.

    Examples
    --------
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    found = blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()


class Journal:
    """The finished part of a run, in a file. Iteration gives the keys in the order of the file.

    Parameters
    ----------
    path : path-like
        The file. It is created if it does not exist.
    kind : str
        The kind of run, as "study".
    options : mapping of str to object
        The options that all results depend on, as JSON has them. The options of a run that goes on must be the same.

    Raises
    ------
    ValueError
        If the file is no journal, a damaged one, or one of another run; the message names the line, or the option that
        differs.
    OSError
        If the file cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str], kind: str, options: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._results: dict[str, str] = {}  # JSON, which is parsed when it is needed
        if self.path.exists() and not self.path.is_file():
            raise ValueError(f"{path} is no ordinary file, as a journal is")
        about = {"format": _FORMAT, "kind": kind, "options": dict(options)}
        first = _line(json.dumps(about, allow_nan=False))
        content = self.path.read_bytes() if self.path.exists() else b""
        *lines, cut = content.split(b"\n")
        if not lines and first.encode().startswith(cut):
            write_text(self.path, first)
            return
        found = _about(lines)
        if found is None:
            raise ValueError(f"{path} is no journal that --resume has written, or its first line is damaged")
        if found.get("kind") != kind:
            raise ValueError(f"{path} is the journal of another kind of run: {found.get('kind')}, not {kind}")
        check_same_run(path, kind, found["options"], json.loads(json.dumps(about["options"])))
        whole = self._read(lines, cut)
        if whole < len(content):
            with self.path.open("r+b") as file:
                file.truncate(whole)

    def _read(self, lines: list[bytes], cut: bytes) -> int:
        """Read the items. Return the number of bytes up to a last line that is cut short or damaged."""
        whole = len(lines[0]) + 1
        for number, line in enumerate(lines[1:], 2):
            text = _rest(line)
            if text is None and number == len(lines) and not cut:  # the system went down while it was written
                break
            key, _, result = (text or "").partition(" ")
            if not result:
                raise ValueError(f"{self.path}, line {number}: damaged, expected a result with its checksum")
            self._results[key] = result
            whole += len(line) + 1
        return whole

    @staticmethod
    def read_options(path: str | os.PathLike[str]) -> dict[str, Any]:
        """Return the options in the first line of a journal; none if there is no such file, or it is no journal."""
        if not Path(path).is_file():
            return {}
        with open(path, "rb") as file:
            about = _about([file.readline().rstrip(b"\n")])
        return {} if about is None else dict(about["options"])

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: object) -> bool:
        return key in self._results

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def find(self, key: str) -> Any:
        """Return the result of an item, as JSON has it; None if the item is not finished.

        `ValueError` if the line has the right checksum, but no JSON.
        """
        text = self._results.get(key)
        try:
            return None if text is None else json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(f"{self.path}: the result of {key} is no JSON") from None

    def add(self, key: str, result: Any) -> None:
        """Append a finished item, and wait until it is on disk. A later result of a key replaces an earlier one.

        Raises
        ------
        ValueError
            If JSON cannot express the result, or the key has other letters than visible ones of ASCII.
        OSError
            If the file cannot be written.
        """
        if _KEY.fullmatch(key) is None:
            raise ValueError(f"a key has visible letters of ASCII alone, got {key!r}")
        text = json.dumps(result, allow_nan=False)
        append_text(self.path, _line(f"{key} {text}"))
        self._results[key] = text


def _line(text: str) -> str:
    return f"{_checksum(text.encode())} {text}\n"


def _checksum(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def _rest(line: bytes) -> str | None:
    """Return a line without its checksum; None if the checksum is wrong."""
    checksum, _, rest = line.partition(b" ")
    return rest.decode("ascii", "replace") if checksum == _checksum(rest).encode() else None


def _about(lines: list[bytes]) -> dict[str, Any] | None:
    """Return what the first line of a journal has; None if it is the first line of something else."""
    try:
        about = json.loads(_rest(lines[0]) or "")
        return about if about["format"] == _FORMAT and isinstance(about["options"], dict) else None
    except (ValueError, RecursionError, LookupError, TypeError):
        return None


def check_same_run(
    path: str | os.PathLike[str], kind: str, found: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    """Raise `ValueError`, which names what differs, if a file is of a run with other options."""
    for name in [*expected, *found]:
        if found.get(name) != expected.get(name):
            differs = f"its {name} is {found.get(name)!r}, expected {expected.get(name)!r}"
            raise ValueError(f"{path} is the journal of another {kind}: {differs}")


class Finished(NamedTuple, Generic[R]):
    """The result of an item, and whether the journal had it before."""

    result: R
    before: bool


def map_items(
    journal: Journal | None,
    executor: Executor,
    function: Callable[[T], R],
    items: Iterable[T],
    key: Callable[[T], str],
) -> Generator[Finished[R], None, None]:
    """Map a function over the items that a journal does not have, and add each result to it.

    Parameters
    ----------
    function : callable
        Pure, as for `Executor.map`. Its results are plain data, as JSON has them.
    items : iterable
        Taken as they are needed.
    key : callable
        Given an item, returns the digest of all that its result depends on beside the options of the journal.

    Yields
    ------
    Finished
        In the order of the items.
    """
    if journal is None:
        with closing(executor.map(function, items)) as results:
            yield from (Finished(result, False) for result in results)
        return
    taken: deque[tuple[str, bool]] = deque()  # items without a result so far: the key, and whether the journal has it

    def missing() -> Iterator[T]:
        for item in items:
            name = key(item)
            taken.append((name, name in journal))
            if not taken[-1][1]:
                yield item

    def known() -> Iterator[Finished[R]]:
        while taken and taken[0][1]:
            yield Finished(journal.find(taken.popleft()[0]), True)

    rest = missing()
    first = list(islice(rest, 1))
    yield from known()  # before anything is computed
    with closing(executor.map(function, chain(first, rest))) as results:
        for result in results:
            yield from known()
            journal.add(taken.popleft()[0], result)
            yield Finished(result, False)
    yield from known()
