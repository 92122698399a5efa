"""What must hold of whatever is found in a file of our own: the fuzz targets of the doors by which these are read.

A file is taken, or refused by a `ValueError` in one line. What is taken can be used, and a journal goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pokermodel as pm
from pokermodel._support import saved
from pokermodel.histories import index as indexes
from pokermodel.histories import phh
from pokermodel.journal import Journal
from pokermodel.solving import menu
from tests.common.books import HANDS
from tests.fuzz.readers import MOST, READERS, ReaderTarget, raising

__all__ = ["DOORS", "TARGETS", "DoorTarget"]

SPOT = b'board = "QsJh2h8c3d"\npot = 200\nstack = 900\nranges = ["QQ,AK", "JJ,T9s"]\nbets = ["50%", "all-in"]\n'
MORE = b"""most_raises = 2
folded = ["AA:.5"]
[river.oop]
donk = false
[[lock]]
node = "r:0:c"
strategy = { c = .5, b100 = "AA:.5" }
"""
LIMIT = b'board = "QsJh2h8c"\npot = 4\nranges = ["QQ", "JJ"]\nstructure = "limit"\nsmall_bet = 1\nbig_bet = 2\n'


@dataclass(frozen=True)
class DoorTarget:
    """A door, and what must hold of it.

    Attributes
    ----------
    take : callable
        Reads a file of some bytes and uses it; raises `ValueError` for what is none.
    make : callable
        Returns what a search begins with.
    planted : callable
        Returns a context in which the door has a defect that must be found.
    """

    name: str
    take: Callable[[bytes], None]
    make: Callable[[], list[bytes]]
    planted: Callable[[], AbstractContextManager[object]]

    def check(self, data: bytes) -> int:
        """Check an input; returns whether it was taken."""
        try:
            self.take(data[:MOST])
        except ValueError as error:
            if "\n" in str(error) or not str(error):
                raise AssertionError(f"expected one line, got {str(error)!r}") from error
            return 0
        return 1


def _file(name: str, read: Callable[[Path], None], data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        read(path)


def _spot(path: Path) -> None:
    pm.Subgame.from_toml(path).size()


def _solution(path: Path) -> None:
    found = pm.Solution.load(path)
    assert found.strategy().shape[0] == 1326
    assert found.measure() >= -1e-3


@cache
def _solved() -> list[bytes]:
    """A solution of very few holdings, so that it is small."""
    spot = pm.Subgame("QsJh2h8c3d", 200, 100, ("QhQd", "JcJd"), bets=["all-in"], raises=[])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "spot"
        pm.solve(spot, iterations=4).save(path)
        return [path.read_bytes()]


def _journal(path: Path) -> None:
    begun = Journal(path, "study", {"seed": 1})
    found = {key: begun.find(key) for key in begun}
    begun.add("more", 1)
    again = Journal(path, "study", {"seed": 1})
    assert {key: again.find(key) for key in again} == found | {"more": 1}, "another journal the second time"


def _journals() -> list[bytes]:
    found = [b""]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "some"
        begun = Journal(path, "study", {"seed": 1})
        for key in "ab":
            begun.add(key, {"ev": [1.5, None, key]})
            found.append(path.read_bytes())
    return [*found, found[-1][:-5]]


@cache
def _history() -> bytes:
    return phh.dumps_all(HANDS[:4] * 40).encode()


def _read_index(data: bytes, path: Path) -> None:
    """The index is of this file, and has its checksum: what it says is what is searched."""
    path.write_bytes(_history())
    names, root = [" phh"], str(path)
    body = data.decode("utf-8", "replace")
    with suppress(ValueError, TypeError, RecursionError):
        body = json.dumps(json.loads(body) | {"parts": names, "state": indexes.state_of([path])})
    kept = path.with_name("kept")
    kept.write_text(f"{indexes._head(body)}\n{body}", encoding="utf-8")
    known = indexes.Index(1, indexes.state_of([path]))
    known.load(kept, names, root)
    if not known.used:
        raise ValueError("not taken")
    stretch = known.stretches[0]
    for number in (0, stretch.hands // 2, stretch.hands):
        mark = stretch.before(number)
        assert 0 <= mark.hands <= max(number, 0)
        with path.open("rb") as file, suppress(pm.HistoryError):
            next(phh.hands(path, file, [], indexes.ReaderMark(mark.at)), None)


def _indexes() -> list[bytes]:
    plain = [[160, True, [], [[64, 0, 900, 40], [128, 0, 1800, 80]]], [9, False, [["", 3, "7", "x"]], []]]
    return [json.dumps({"parts": [], "state": [], "stretches": [each]}).encode() for each in plain]


def _careless(module: Any, name: str) -> AbstractContextManager[object]:
    return patch.object(module, name, raising(getattr(module, name), RuntimeError))


def _doors() -> Iterator[DoorTarget]:
    spots = [SPOT, SPOT + MORE, LIMIT]
    yield DoorTarget("spot", partial(_file, "spot.toml", _spot), lambda: spots, partial(_careless, menu, "read_size"))
    yield DoorTarget(
        "npz", partial(_file, "a.npz", _solution), _solved, partial(patch.object, saved, "read_arrays", _hoping)
    )
    differs = partial(_careless, Journal, "_read")
    yield DoorTarget("journal", partial(_file, "journal", _journal), _journals, differs)
    read = partial(_file, "hands.phhs")
    yield DoorTarget(
        "index",
        lambda data: read(partial(_read_index, data), b""),
        _indexes,
        partial(patch.object, indexes, "_stretch", _trusting),
    )


def _hoping(content: bytes) -> Any:
    """What begins as an archive is taken for a sound one."""
    return (raising(_ARRAYS, RuntimeError) if content.startswith(b"PK") else _ARRAYS)(content)


def _trusting(plain: list[Any], root: str) -> indexes.Stretch:
    """Types are not looked at."""
    hands, done, _, marks = plain
    return indexes.Stretch(
        hands, [], [indexes._Mark(), *(indexes._Mark(m[0], m[1], tuple(m[2:])) for m in marks)], done
    )


_ARRAYS = saved.read_arrays
#: The fuzz targets of doors, by what is read.
DOORS: dict[str, DoorTarget] = {target.name: target for target in _doors()}
#: All fuzz targets in Python.
TARGETS: dict[str, ReaderTarget | DoorTarget] = {**READERS, **DOORS}
