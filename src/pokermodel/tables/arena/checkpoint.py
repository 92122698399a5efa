"""Progress of a tournament on disk, which survives a process that is killed at any instant."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pokermodel._support.files import append_text, write_text

__all__ = ["Checkpoint"]

_FORMAT = "pokermodel tournament 2"


class Checkpoint:
    """Finished blocks of a tournament: a line that describes the tournament, then one JSON object per block.

    A last line that was cut short when the process was killed is dropped, and its block is played again.

    Parameters
    ----------
    path : Path
        The file, which is created if it does not exist.
    header : dict
        Parameters of the tournament; an existing file must have the same.

    Raises
    ------
    ValueError
        If the file is not a checkpoint, or belongs to another tournament.
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is not a checkpoint of a tournament, but no ordinary file")
        first = json.dumps({"format": _FORMAT, **header})
        data = path.read_bytes() if path.exists() else b""
        lines = data.split(b"\n")
        cut = lines.pop()  # empty, if the last line is whole
        try:
            self._lines = [line.decode() for line in lines]
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not a checkpoint of a tournament") from None
        if not self._lines:
            if not first.encode().startswith(cut):
                raise ValueError(f"{path} is not a checkpoint of a tournament")
            self._lines = [first]
        elif self._lines[0] != first:
            raise ValueError(f"{path} {_difference(self._lines[0], {'format': _FORMAT, **header})}")
        if cut or not data:
            write_text(path, "".join(f"{line}\n" for line in self._lines))

    @staticmethod
    def seed(path: Path) -> int | None:
        """Return the seed of the tournament of a checkpoint, or None if the file is missing or not a checkpoint."""
        if not path.is_file():
            return None
        try:
            with path.open(encoding="utf-8") as file:
                found = json.loads(file.readline())["seed"]
        except (ValueError, KeyError, TypeError):
            return None
        return found if type(found) is int and found >= 0 else None

    def entries(self, players: int) -> Iterator[dict[str, Any]]:
        """Yield the blocks: ``first``, ``stop``, ``payoffs`` and ``squares`` by deal and player, ``acts`` by player.

        Raises
        ------
        ValueError
            If a line is damaged.
        """
        for number, line in enumerate(self._lines[1:], 2):
            try:
                entry = json.loads(line)
                size = entry["stop"] - entry["first"]
                tables = entry["payoffs"], entry["squares"]
                good = set(entry) == {"first", "stop", "payoffs", "squares", "acts"} and all(
                    len(table) == size and all(len(row) == players and all(map(math.isfinite, row)) for row in table)
                    for table in tables
                )
                acts = np.array(entry["acts"])
                good = good and acts.shape == (players, 4, 3, 3) and acts.dtype == np.int64 and bool((acts >= 0).all())
            except (ValueError, KeyError, TypeError):
                good = False
            if not good:
                raise ValueError(f"{self.path}, line {number}: damaged, expected a block of deals")
            yield entry

    def add(self, first: int, stop: int, payoffs: Sequence[Any], squares: Sequence[Any], acts: Sequence[Any]) -> None:
        """Append a block.

        Raises
        ------
        OSError
            If it cannot be written; the error names the file.
        """
        line = json.dumps({"first": first, "stop": stop, "payoffs": payoffs, "squares": squares, "acts": acts})
        append_text(self.path, f"{line}\n")


def _difference(line: str, header: dict[str, Any]) -> str:
    """Describe how the first line of a file differs from the expected header."""
    try:
        found = json.loads(line)
        if found["format"] != _FORMAT:
            return f"is a checkpoint of {found['format']!r}, expected {_FORMAT!r}"
    except (ValueError, KeyError, TypeError):
        return "is not a checkpoint of a tournament"
    for key, value in header.items():
        if found.get(key) != value:
            return f"is the checkpoint of another tournament: its {key} is {found.get(key)}, expected {value}"
    return "is the checkpoint of another tournament"
