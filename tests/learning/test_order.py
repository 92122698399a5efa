"""The order in which hands were played, and where."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.histories import SITES
from pokermodel.learning.order import _by_number, _source, played, site_of_place
from tests.common.books import HANDS, at


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
    assert _by_number(text) == textbook(text)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_ids_stand_in_the_order_of_their_numbers(one, other):
    assert (_by_number(f"{one:05}") < _by_number(str(other))) == (one < other)


@pytest.mark.parametrize("site", sorted(SITES))
def test_sites(site):
    place = played(at(site, HANDS[0])).place
    assert site_of_place(place) == site
    assert place.startswith(_source(site))


def test_what_is_of_no_site():
    for source in ("test", "phh", "pokerstarss", "pokerstar", "", "irc/folder"):
        assert site_of_place(played(at(source, HANDS[0])).place) == ""
    assert site_of_place(played(at("pokerstars/folder", HANDS[0])).place) == "pokerstars"
