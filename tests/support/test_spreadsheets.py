"""Comma-separated values in which nothing is a formula."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._support.spreadsheets import csv_text

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\uff1d1+1", '=LINK("x")']


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_begins_like_a_formula(name: str) -> None:
    assert read(csv_text(["player", "n"], [(name, 3)])) == [["player", "n"], [f"'{name}", "3"]]


@pytest.mark.parametrize("value", [-3, -0.25, 1e-9, "-3", "+4.5", "-", "3bet", "'x", "A=1", "", None, True])
def test_numbers_and_other_text_stay(value: object) -> None:
    expected = "" if value is None else f"'{value}" if value == "-" else str(value)
    assert read(csv_text(["a", "b"], [(value, 1)]))[1:] == [[expected, "1"]]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_no_cell_begins_behind_another_separator(separator: str) -> None:
    """A spreadsheet that parts cells at semicolons finds no formula behind one."""
    text = csv_text(["player"], [(f"a{separator}=1+1",)])
    (_, cells) = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    assert cells == [f"a{separator}=1+1"]


@given(st.lists(st.lists(st.one_of(st.text(), st.integers(), st.floats(allow_nan=False)), min_size=2, max_size=2)))
def test_what_is_written_is_read(rows: list[list[object]]) -> None:
    found = read(csv_text(["a", "b"], rows))[1:]
    for row, written in zip(rows, found, strict=True):
        for value, cell in zip(row, written, strict=True):
            assert cell in (str(value), f"'{value}")
            assert not cell.lstrip().startswith(("=", "@"))
