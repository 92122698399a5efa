"""The table of hand histories in `tests/histories/sites`: what is read of each. `cases` says how to add one."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from pokermodel.histories import open_hands
from pokermodel.histories._sites import SITE_FORMATS, SITE_TEXT
from tests.common.formats import MODULES
from tests.fuzz.readers import READERS
from tests.histories.cases import CASES, FOLDER, Case, as_json, seats

HISTORIES = {name: case for name, case in CASES.items() if not case.variation}


def as_far_as(expected: Any, found: Any) -> Any:
    """What is found, errors only as far as they are expected: the ends of some are Python's."""
    if isinstance(expected, list) and isinstance(found, list):
        return [*map(as_far_as, expected, found), *found[len(expected) :]]
    return found[: len(expected)] if isinstance(expected, str) and isinstance(found, str) else found


def recognised(case: Case) -> bool:
    return bool(
        SITE_TEXT.found(case.data) if case.format in SITE_FORMATS else MODULES[case.format].sniff(case.data, "x")
    )


@pytest.mark.parametrize("name", CASES)
def test_what_is_read(name: str) -> None:
    """The hands and errors of the JSON; the same ones strictly, and by the grammar alone where there is a fast path."""
    case = CASES[name]
    expected, found = case.expected(), case.read()
    assert expected is not None, "nothing is expected yet: run python -m tests.histories.cases"
    assert as_far_as(expected, found) == expected
    assert seats(found) == seats(expected)
    assert isinstance(expected, str) or recognised(case)
    READERS[case.format].check_alike(case.data)


@pytest.mark.parametrize("name", HISTORIES)
def test_the_file_is_read(name: str) -> None:
    case = HISTORIES[name]
    source = open_hands(case.path, strict=False, index=False)
    assert source.format == case.format
    assert as_json([*source], source.skipped) == case.read()


def test_every_format_has_a_usual_hand() -> None:
    """By which `test_texts` tries what must hold of every format."""
    assert {f"{form}/usual" for form in SITE_FORMATS} <= HISTORIES.keys()


def test_nothing_else_is_expected() -> None:
    files = Counter(path.with_suffix("") for path in FOLDER.glob("*/*") if path.suffix != ".toml")
    assert files == dict.fromkeys((case.path.with_suffix("") for case in HISTORIES.values()), 2)
    assert files.keys() >= {path.with_suffix("") for path in FOLDER.glob("*/*.toml")}
    for path in FOLDER.glob("*/*.json"):
        name = f"{path.parent.name}/{path.stem}"
        for variation in json.loads(path.read_text("utf-8")).get("variations", ()):
            assert f"{name}: {variation}" in CASES
