"""Several reports on a console: as if each had been printed for itself."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.report.terminal import print_report, print_reports
from tests.common.books import played_free


def reports() -> list[HandReport]:
    """Of hands with names that rich alone can draw, and of others."""
    session = pm.OpponentModeler()
    names = ("Ann", "Bob", "Cid"), ("Ann", "B\x1bob", "Cid"), ("Ann", "\u5f20\u4e09", "Cid")
    return [HandReport.of(played_free(k, k, names[k % 3]), session) for k in range(5)]


def console(options: dict[str, Any]) -> tuple[Console, io.StringIO]:
    told = io.StringIO()
    return Console(file=told, highlight=False, soft_wrap=False, **options), told


@pytest.mark.parametrize(
    "options",
    [
        {"width": 120},
        {"width": 44},
        {"width": 100, "force_terminal": True, "color_system": "truecolor"},
        {"width": 100, "force_terminal": True, "color_system": None},
    ],
)
@pytest.mark.parametrize("maps", [False, True])
def test_many_at_once_are_printed_as_one_by_one(options: dict[str, Any], maps: bool) -> None:
    found = reports()
    one, told = console(options)
    for count, report in enumerate(found):
        if count:
            one.print()
        print_report(report, one, maps=maps)
    many, at_once = console(options)
    print_reports(found, many, maps=maps)
    assert at_once.getvalue().count("\n") > 40
    assert at_once.getvalue() == told.getvalue()


def test_what_came_before_an_error_is_printed() -> None:
    found = reports()

    def some() -> Iterator[HandReport]:
        yield from found[:3]
        raise ValueError("damage")

    whole, told = console({"width": 100})
    print_reports(found[:3], whole)
    cut, before = console({"width": 100})
    with pytest.raises(ValueError, match="damage"):
        print_reports(some(), cut)
    assert before.getvalue() == told.getvalue()


def test_each_is_shown_at_once_on_a_terminal() -> None:
    found = reports()
    shown, told = console({"width": 100, "force_terminal": True})
    lengths = []

    def some() -> Iterator[HandReport]:
        for report in found:
            lengths.append(len(told.getvalue()))
            yield report

    print_reports(some(), shown)
    assert lengths[0] == 0
    assert all(first < second for first, second in itertools.pairwise(lengths))
