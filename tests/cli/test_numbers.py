"""Numbers of hands on the command line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.cli._numbers import Numbers

PARTS = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 9)), min_size=1, max_size=6)


@given(PARTS)
def test_numbers_are_those_that_are_written(parts):
    text = ", ".join(str(first) if not more else f"{first} - {first + more}" for first, more in parts)
    expected = {number for first, more in parts for number in range(first, first + more + 1)}
    numbers = Numbers.read(text)
    assert {number for number in range(60) if number in numbers} == expected
    assert (numbers.first, numbers.last) == (min(expected), max(expected))
    assert Numbers.read(str(numbers)).parts == numbers.parts
    for number in range(60):
        done = sum(each <= number for each in expected)
        assert numbers.share(number) == pytest.approx(done / len(expected))


@pytest.mark.parametrize(("text", "shown", "several"), [
    ("7", "7", False), ("7-7", "7", True), ("10-12,3,7", "3,7,10-12", True), ("1-3,4,2-6", "1-6", True),
])  # fmt: skip
def test_numbers_as_text(text, shown, several):
    numbers = Numbers.read(text)
    assert (str(numbers), numbers.several) == (shown, several)


@pytest.mark.parametrize("text", ["", "0", "-3", "3-", "7-3", "1,,2", "1-2-3", "x", "1.5", "0-4", "\u0661", "9" * 5000])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match="expected numbers from 1 on and ranges of them, as '3,7,10-12'"):
        Numbers.read(text)
