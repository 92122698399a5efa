"""Lines of texts, decoded one by one and all at once."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pokermodel.cards import card_indices
from pokermodel.histories._lines import MARGIN, decoded_lines, lines_of
from pokermodel.histories._sites import SITE_FORMATS
from pokermodel.histories._words import ONE, amount, cards
from pokermodel.histories.blocks import TextFormats
from pokermodel.histories.seats import Seats

PARTS = [b"Seat 1: ", b"\xc3\xa9", b"\xe9", b"\n", b"\r\n", b"\r", b"\x0c", b"\x1c", b"\x85", b"\xc2\x85", b" ", b"\0"]
PARTS += ["\u2028".encode(), "\ufeff".encode(), "\xef\xbb\xbf".encode(), b""]


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join), st.booleans())
@example(b"a\x0c", True)
@example(b"a\n\x0c", True)
@example("a\u2028".encode(), False)
def test_lines_that_are_decoded_at_once_are_those_that_are_decoded_one_by_one(content: bytes, begin: bool) -> None:
    raws = content.splitlines(keepends=True)
    found = decoded_lines(raws, begin=begin)
    assert found == [line.text.strip(MARGIN) for line in lines_of(raws, 0, 0 if begin else 7)]


TAGS = [
    "<game id=1>",
    "</game>",
    "<game>",
    "<games>",
    "<session ",
    "</session>",
    "<HISTORY\t",
    "x",
    " ",
    "<",
    "</",
    "game>",
]


@given(st.lists(st.sampled_from(TAGS), max_size=10).map("".join))
def test_xml_is_cut_where_elements_of_hands_begin_and_end(text: str) -> None:
    formats = TextFormats(SITE_FORMATS)
    names = ["HAND", "game", "session", "HISTORY", "Game", "description"]
    assert set(formats._ends) == {f"</{name}>" for name in names}
    between = re.compile("|".join([*(rf"(?=<{name}[\s>])" for name in names), *(f"(?<=</{name}>)" for name in names)]))
    assert [piece for piece in formats._elements(text) if piece] == [piece for piece in between.split(text) if piece]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$12.50", 1250),
        ("12", 1200),
        ("0.05", 5),
        ("€3.20", 320),
        ("1,500.25", 150_025),
        ("1 500", 150_000),
        ("126,50", 12_650),
        ("12.", 1200),
        ("$0", 0),
        ("$0.5.", 50),
        ("1,077", 107_700),
        ("\u20ac0,02", 2),
        ("30,112.50", 3_011_250),
        ("1.234,50", 123_450),
        ("1,000,000", 100_000_000),
    ],
)
def test_amounts(text: str, expected: int) -> None:
    assert amount(text) == expected * ONE // 100


@pytest.mark.parametrize("text", ["", "$", ".", "$.", "1.2.3", "\u0661", "1" * 16, "1.2345678", "-5"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount"):
        amount(text)


@pytest.mark.parametrize("text", ["[As Kd 10h]", "As, Kd, Th", "asKDth", "As - Kd - 10H", "[As Kd] [Th]"])
def test_cards(text: str) -> None:
    assert cards(text) == card_indices("AsKdTh")


def test_cards_that_occur_twice_or_are_none() -> None:
    assert cards("[]") == ()
    with pytest.raises(ValueError, match="duplicate card As"):
        cards("[As As]")
    with pytest.raises(ValueError, match="are not cards"):
        cards("[As Xd]")


@pytest.mark.parametrize(
    ("names", "line", "separator", "expected"),
    [
        (["Ann", "Bob"], "Bob: folds ", ": ", ("Bob", "folds")),
        (["Ann", "Bob"], "Bo: folds", ": ", None),
        (["Ann", "Ann: b"], "Ann: b: folds", ": ", ("Ann: b", "folds")),
        (["Ann", "Ann:"], "Ann:: folds", ": ", ("Ann:", "folds")),
        (["a b", "a"], "a b folds", " ", ("a b", "folds")),
        (["ab", "a"], "a  folds", " ", ("a", "folds")),
        (["ab", "a"], "ab", " ", None),
    ],
)
def test_who_a_line_is_about(names: list[str], line: str, separator: str, expected: tuple[str, str] | None) -> None:
    seats = Seats()
    for number, name in enumerate(names, 1):
        seats.sit(number, name, None)
    assert seats.subject(line, separator) == expected
