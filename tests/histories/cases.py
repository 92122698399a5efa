"""The table of hand histories in `tests/histories/sites`: histories, variations of them, and what is read of each.

A case is two files in the folder of its format: the history, which we made up, and JSON of the same name. Below
``read`` the JSON has what is read of the history:

- an object: the only hand, in the form of `tests.common.plain.plain`;
- a text: the error with its line, or the beginning of it;
- a list: several hands and errors, the errors last.

A third file, ``.toml``, may have variations of the history. Each is a table whose name says what it shows. Its keys are
old texts, its values new ones; every old text must occur, and is replaced wherever it occurs. Below ``variations`` the
JSON has what is read of them. An object there has only the differences from the hand of the history: ``{}`` is the same
hand, and null is for what is gone.

To add a case, add a history or a variation, and run ``python -m tests.histories.cases``. It writes what is read of new
cases, and changes nothing else: check it before you commit. What is to be written anew has to be deleted first.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories._sites import SITE_FORMATS, SITE_TEXT
from tests.common.formats import MODULES
from tests.common.plain import json_text, plain

__all__ = ["CASES", "FOLDER", "Case", "as_json", "histories", "seats"]

FOLDER = Path(__file__).parent / "sites"
_BESIDE = {".json", ".toml"}


@dataclass(frozen=True)
class Case:
    """A history, or a variation of one.

    Attributes
    ----------
    path : Path
        The file of the history.
    data : bytes
        What there is to read.
    variation : str
        What it shows; empty for the history itself.
    """

    path: Path
    data: bytes
    variation: str = ""

    @property
    def format(self) -> str:
        """The name of the format, which its folder has."""
        return self.path.parent.name

    @property
    def text(self) -> str:
        """The history as text."""
        return self.data.decode()

    def __str__(self) -> str:
        name = f"{self.format}/{self.path.stem}"
        return f"{name}: {self.variation}" if self.variation else name

    def read(self) -> Any:
        """Read the history, and return what is found as the JSON has it."""
        read = SITE_TEXT.hands if self.format in SITE_FORMATS else MODULES[self.format].hands
        skipped: list[HistoryError] = []
        return as_json([*read(self.path, BufferedReader(BytesIO(self.data)), skipped)], skipped)

    def expected(self) -> Any:
        """What is expected, as the JSON has it; None if it is not there yet."""
        known = _expected(self.path)
        if not self.variation:
            return known.get("read")
        found = known.get("variations", {}).get(self.variation)
        if isinstance(found, list):
            return [_merged(known["read"], each) for each in found]
        return _merged(known.get("read"), found)


def histories(form: str) -> list[Case]:
    """The histories of a format without their variations."""
    return [case for case in CASES.values() if case.format == form and not case.variation]


def as_json(hands: Iterable[Hand], errors: Iterable[HistoryError]) -> Any:
    """Hands and errors of a history as its JSON has them."""
    found: list[Any] = [*map(plain, hands), *(str(error).removeprefix(f"{error.path}:").strip() for error in errors)]
    return found[0] if len(found) == 1 else found


def seats(read: Any) -> list[list[str]]:
    """The players in the order of their seats, of each hand that is read of a case."""
    return [list(each["seats"]) for each in (read if isinstance(read, list) else [read]) if isinstance(each, dict)]


def _cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*/*")):
        if path.suffix in _BESIDE:
            continue
        data = path.read_bytes()
        yield Case(path, data)
        variations = path.with_suffix(".toml")
        if variations.exists():
            for name, changes in tomllib.loads(variations.read_text("utf-8")).items():
                yield Case(path, _varied(data.decode(), changes, f"{variations}: {name}").encode(), name)


def _varied(text: str, changes: Mapping[str, str], where: str) -> str:
    for old, new in changes.items():
        if old not in text:
            raise ValueError(f"{where}: {old!r} does not occur")
        text = text.replace(old, new)
    return text


@cache
def _expected(path: Path) -> dict[str, Any]:
    beside = path.with_suffix(".json")
    return json.loads(beside.read_text("utf-8")) if beside.exists() else {}


def _merged(base: Any, patch: Any) -> Any:
    """A value with a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    base = base if isinstance(base, dict) else {}
    merged = base | {name: _merged(base.get(name), value) for name, value in patch.items()}
    return {name: value for name, value in merged.items() if value is not None}


def _difference(base: Any, found: Any) -> Any:
    """The merge patch that makes one value another."""
    if not isinstance(base, dict) or not isinstance(found, dict):
        return found
    gone = dict.fromkeys(name for name in base if name not in found)
    return gone | {name: _difference(base.get(name), value) for name, value in found.items() if value != base.get(name)}


#: All cases by name, ``format/history`` or ``format/history: variation``.
CASES = {str(case): case for case in _cases()}


def write_new(path: Path) -> list[str]:
    """Write what is expected of a history and of its variations, where that is not there yet; return their names."""
    known = dict(_expected(path))
    new = [case for case in CASES.values() if case.path == path and case.expected() is None]
    for case in new:
        found = case.read()
        if not case.variation:
            known = {"read": found, **known}
            continue
        several = isinstance(found, list)
        changes = [_difference(known["read"], each) for each in (found if several else [found])]
        known.setdefault("variations", {})[case.variation] = changes if several else changes[0]
        if seats([_merged(known["read"], each) for each in changes]) != seats(found):
            raise ValueError(f"{case}: the seats are in another order: make it a history of its own")
    if new:
        path.with_suffix(".json").write_text(json_text(known) + "\n", "utf-8")
    return [*map(str, new)]


if __name__ == "__main__":
    for path in dict.fromkeys(case.path for case in CASES.values()):
        for name in write_new(path):
            print(name)
