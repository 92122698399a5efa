"""Many spots at once: solved by an executor, and kept line by line, so that work that ends early is not done again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.files import append_text, write_text
from pokermodel.executors import Executor
from pokermodel.solving.solver import solve
from pokermodel.solving.subgame import Subgame

__all__ = ["Journal", "Options", "Spot", "solve_spots"]


class Options(NamedTuple):
    """How spots are solved; see `solve`."""

    target: float = 0.5
    seconds: float | None = None
    memory: int | None = None
    risk: float | None = None
    bits: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A spot of many.

    Parameters
    ----------
    name : str
        How it is called in the results.
    subgame : Subgame or None
        None if it cannot be solved.
    error : str or None
        Why not.
    about : dict
        What is said of it in the results, as JSON has it.
    row : tuple of int or None
        Two cards of the player who acts at the node that the subgame was made for, whose row is wanted.
    """

    name: str
    subgame: Subgame | None
    error: str | None = None
    about: dict[str, Any] = field(default_factory=dict)
    row: tuple[int, int] | None = None

    def key(self, options: Options) -> str:
        """A fingerprint of what is asked: spots with the same one have the same answer."""
        assert self.subgame is not None
        game = self.subgame
        digest = hashlib.sha256(game.with_locks(()).to_toml().encode())
        for table in game.ranges:
            digest.update(np.ascontiguousarray(table.values).tobytes())
        for lock in game.locks:
            digest.update(f"{lock.node} {lock.confidence!r} ".encode())
            given = lock.strategy
            digest.update(repr(dict(given)).encode() if isinstance(given, Mapping) else np.asarray(given).tobytes())
        digest.update(repr((self.name, self.row, options)).encode())
        return digest.hexdigest()[:20]


class Journal:
    """Results in a file, a JSON object a line, each on disk before the next is begun.

    A last line that was cut short when the process was killed is dropped, and its spot is solved again.

    Parameters
    ----------
    path : Path
        The file, which is made with the first result.

    Raises
    ------
    ValueError
        If it is no such file.
    OSError
        If it cannot be read or mended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is no list of solutions, but no ordinary file")
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        cut = lines.pop()  # empty, if the last line is whole
        self._known: dict[str, dict[str, Any]] = {}
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                key = entry["key"]
                if not isinstance(entry, dict) or not isinstance(key, str):
                    raise TypeError
            except (ValueError, KeyError, TypeError):
                raise ValueError(f"{path}, line {number}: no solution of many spots, which --out has written") from None
            self._known[key] = entry
        if cut:
            if not cut.startswith(b"{"):
                raise ValueError(f"{path}, line {len(lines) + 1}: no solution of many spots, which --out has written")
            write_text(path, "".join(f"{line.decode()}\n" for line in lines))

    def __len__(self) -> int:
        return len(self._known)

    def find(self, key: str) -> dict[str, Any] | None:
        """The result of a fingerprint; None where there is none yet."""
        return self._known.get(key)

    def add(self, entry: dict[str, Any]) -> None:
        """Append a result.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        append_text(self.path, json.dumps(entry, allow_nan=False) + "\n")
        self._known[entry["key"]] = entry


def solve_spots(
    spots: Iterable[Spot],
    executor: Executor,
    options: Options,
    journal: Journal | None = None,
    progress: Callable[[int], object] | None = None,
) -> Generator[dict[str, Any], None, None]:
    """Solve spots, each by one thread.

    Parameters
    ----------
    spots : iterable of Spot
        Taken as they are needed.
    executor : Executor
    options : Options
    journal : Journal, optional
        Keeps results; spots that it knows are not solved again.
    progress : callable, optional
        Called with the number of spots that are done, after each.

    Yields
    ------
    dict
        In the order of the spots: ``spot`` (its name), ``key``, what `Spot.about` has, ``done_before`` (whether the
        journal had it), and `Solution.summary`; with a row ``hand`` as `Solution.row` has it. Of a spot that cannot be
        solved ``spot`` and ``error`` alone.

    Raises
    ------
    KeyboardInterrupt
        If a solution was interrupted; what the journal has stays.
    OSError
        If the journal cannot be written.
    """
    known: dict[int, dict[str, Any]] = {}
    names: list[str] = []

    def asked() -> Iterator[tuple[int, Spot, str]]:
        for number, spot in enumerate(spots):
            names.append(spot.name)
            if spot.subgame is None:
                known[number] = {"spot": spot.name, "error": spot.error}
                continue
            key = spot.key(options)
            before = None if journal is None else journal.find(key)
            if before is not None:
                known[number] = before | {"done_before": True}
            else:
                yield number, spot, key

    done = 0

    def finish(entry: dict[str, Any]) -> dict[str, Any]:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done)
        return entry

    with closing(executor.map(partial(_solve, options), asked())) as found:
        for number, entry in found:
            while done < number:
                yield finish(known.pop(done))
            if entry.get("interrupted"):
                raise KeyboardInterrupt
            if journal is not None and "error" not in entry:
                journal.add(entry)
            yield finish(entry | ({} if "error" in entry else {"done_before": False}))
        while done < len(names):
            yield finish(known.pop(done))


def _solve(options: Options, asked: tuple[int, Spot, str]) -> tuple[int, dict[str, Any]]:
    """Solve one, on a worker."""
    number, spot, key = asked
    assert spot.subgame is not None
    try:
        found = solve(
            spot.subgame, options.target, options.seconds, options.memory, risk=options.risk, bits=options.bits, jobs=1
        )
        if found.interrupted:
            return number, {"interrupted": True}
        entry = {"spot": spot.name, "key": key, **spot.about, **found.summary()}
        if spot.row is not None and spot.subgame.played is not None:
            entry["hand"] = found.row(spot.row, spot.subgame.played.node)
    except ValueError as error:
        return number, {"spot": spot.name, "error": str(error)}
    return number, entry
