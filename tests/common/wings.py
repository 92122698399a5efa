"""The tests of the main part where the package's wings, `classics` and `tables`, were left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

#: Whether the package has its wings.
PRESENT = find_spec("pokermodel.classics") is not None

_IMPORT = re.compile(r"^\s*(from|import) pokermodel\.(classics|tables)\b|\bpm\.(classics|tables)\b", re.MULTILINE)
_NAMES = re.compile(r"(loki1|loki2|gom|som|bpp|simulation)\b")


def imported_by(test: Path) -> bool:
    """Whether a module of tests, or one of `tests.common` that it imports, imports a wing."""
    text = test.read_text(encoding="utf-8")
    shared = re.findall(r"^from tests\.common\.(\w+) import|^from tests\.common import (\w+)", text, re.MULTILINE)
    beside = [Path(__file__).with_name(f"{a or b}.py") for a, b in shared]
    return any(_IMPORT.search(each.read_text(encoding="utf-8")) for each in (test, *beside) if each.is_file())


def skipping(get: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """`Registry.__getitem__` that skips the test when somebody asks for a name that a wing registers."""

    def ask(registry: Any, name: str) -> Any:
        if isinstance(name, str) and _NAMES.match(name) and name not in registry.kinds():
            pytest.skip(f"{name} is registered by a wing, which was left out")
        return get(registry, name)

    return ask
