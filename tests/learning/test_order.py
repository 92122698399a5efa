"""The order in which hands were played."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pokermodel.learning.order import by_number


def textbook(text):
    """Numbers without leading zeros, a byte before each that says how long it is."""
    found = b""
    for part in re.findall(rb"[0-9]+|[^0-9]+", text.encode(errors="backslashreplace")):
        if part.isdigit():
            part = part.lstrip(b"0") or b"0"
            found += bytes([min(len(part), 255)])
        found += part
    return found


@given(st.one_of(st.text(), st.integers(0, 10**300).map(str), st.from_regex(r"[a-z]{0,2}0*[0-9]{0,4}", fullmatch=True)))
def test_numbers_in_a_text(text):
    assert by_number(text) == textbook(text)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_ids_stand_in_the_order_of_their_numbers(one, other):
    assert (by_number(f"{one:05}") < by_number(str(other))) == (one < other)
