"""Cards, holdings and classes: every one of them, both ways."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel import cards

GRID = "AKQJT98765432"


@pytest.mark.parametrize("index", range(52))
def test_every_card(index):
    text = cards.CARDS[index]
    assert text == "23456789TJQKA"[index // 4] + "cdhs"[index % 4]
    assert cards.card_text(index) == text
    for spelling in (text, text.lower(), text.upper(), f" {text} ", text.replace("T", "10")):
        assert cards.card_index(spelling) == index
        assert type(cards.card_index(spelling)) is int
    assert type(cards.card_index(np.uint8(index))) is int


def test_the_order_is_pokerkits():
    assert [repr(card) for card in pokerkit.Deck.STANDARD] == list(cards.CARDS)


def test_every_holding():
    pairs = [(hi, lo) for hi in range(52) for lo in range(hi)]
    assert len(pairs) == cards.N_HOLDINGS == 1326
    for index, (hi, lo) in enumerate(pairs):
        text = cards.CARDS[hi] + cards.CARDS[lo]
        assert cards.HOLDINGS[index] == cards.holding_text(index) == text
        assert cards.holding_index(text) == cards.holding_index((lo, hi)) == index
        assert cards.holding_index(cards.CARDS[lo] + " " + cards.CARDS[hi]) == index
        assert cards.holding_cards(index) == (hi, lo)
    assert cards.HOLDING_CARDS.tolist() == [list(pair) for pair in pairs]
    # The beginning of PioSOLVER's hand list.
    assert cards.HOLDINGS[:6] == ("2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h")


def test_every_class():
    for index, (row, col) in enumerate(itertools.product(range(13), repeat=2)):
        high, low = GRID[min(row, col)], GRID[max(row, col)]
        suffix = "" if row == col else "s" if row < col else "o"
        text = high + low + suffix
        assert cards.CLASSES[index] == text
        for spelling in (text, text.lower(), low + high + suffix, text.replace("T", "10")):
            assert cards.class_index(spelling) == index
        members = cards.HOLDINGS_OF_CLASS[index]
        assert len(members) == {"": 6, "s": 4, "o": 12}[suffix]
        for holding in members.tolist():
            name = cards.HOLDINGS[holding]
            assert {name[0], name[2]} == {high, low}
            assert (name[1] == name[3]) == (suffix == "s")
            assert cards.CLASS_OF_HOLDING[holding] == index
    assert sorted(np.concatenate(cards.HOLDINGS_OF_CLASS).tolist()) == list(range(1326))


@pytest.mark.parametrize("array", [cards.HOLDING_CARDS, cards.CLASS_OF_HOLDING, cards.HOLDINGS_OF_CLASS[0]])
def test_tables_cannot_be_changed(array):
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0


@pytest.mark.parametrize(
    ("given_cards", "expected"),
    [
        ("AsKd", (51, 45)),
        ("As Kd", (51, 45)),
        (" As,\tKd\n", (51, 45)),
        ("10s10d", (35, 33)),
        (["As", 45], (51, 45)),
        ((51, 45), (51, 45)),
        (np.array([51, 45], dtype=np.uint8), (51, 45)),
        ("", ()),
        ([], ()),
        (7, (7,)),
    ],
)
def test_several_cards(given_cards, expected):
    found = cards.card_indices(given_cards)
    assert found == expected
    assert all(type(card) is int for card in found)


@pytest.mark.parametrize(
    ("suit", "sign"), [(s, sign) for s, signs in zip("cdhs", ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True) for sign in signs]
)
@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
def test_signs_of_suits(suit, sign, selector):
    for rank in ("A", "k", "10", "T", "2"):
        assert cards.card_index(f" {rank}{sign}{selector} ") == cards.card_index(rank + suit)
    expected = cards.card_indices(f"A{suit}T{suit}2{suit}")
    assert cards.card_indices(f"A{sign}{selector} 10{sign}{selector},2{suit}") == expected
    assert cards.card_indices([f"A{sign}{selector}", f"T{suit}", f"2{sign}"]) == expected
    assert cards.holding_text(f"2{sign}{selector}A{sign}") == f"A{suit}2{suit}"


@pytest.mark.parametrize(
    ("bad", "quoted"),
    [
        ("X♠", "'X♠' is not a card"),
        ("A♠X♥", "'X♥' is not a card"),
        ("A♠X♥\ufe0f", "'X♥\ufe0f' is not a card"),
        ("A♠K", "'A♠K' is not a list of cards"),
        ("A♠\ufe0f\ufe0fK♠", "'A♠\ufe0f\ufe0fK♠' is not a list of cards"),
        ("A\ufe0fs", "'A\ufe0fs' is not a"),
        ("♠A", "'♠A' is not a card"),
        ("A♠A♤", "duplicate card As in AsAs"),
    ],
)
def test_bad_text_is_quoted_as_it_was_given(bad, quoted):
    with pytest.raises(ValueError, match=re.escape(quoted)):
        cards.card_indices(bad)


def test_duplicates_only_where_asked():
    assert cards.card_indices("AsAs", unique=False) == (51, 51)
    with pytest.raises(ValueError, match="duplicate card As in AsKdAs"):
        cards.card_indices("AsKdAs")


@pytest.mark.parametrize("bad", ["", "A", "1s", "Ax", "sA", "AsK", "0", "1 0s", "\u212as", "A\u017f", "10", "?\u00df"])
def test_bad_card_text(bad):
    with pytest.raises(ValueError, match="is not a card: expected a rank of 23456789TJQKA and a suit of cdhs"):
        cards.card_index(bad)


@pytest.mark.parametrize("bad", [3.0, None, b"As", np.float64(3), (1,), np.array([3])])
@pytest.mark.parametrize("function", [cards.card_index, cards.card_text])
def test_what_is_no_card_at_all(function, bad):
    with pytest.raises(ValueError, match=r"is not a card: expected text such as 'As' or an index 0\.\.51"):
        function(bad)


@pytest.mark.parametrize("bad", [-1, 52, np.int64(1000)])
def test_card_index_out_of_range(bad):
    with pytest.raises(ValueError, match=r"out of range: expected 0\.\.51"):
        cards.card_index(bad)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("As", "a holding is two cards, got 1"),
        ("AsKdQc", "a holding is two cards, got 3"),
        ("AsAs", "duplicate card As"),
        ("AsK", "two characters a card"),
        (1326, "out of range"),
        (-1, "out of range"),
        (2.0, "not a holding"),
        (None, "not a holding"),
        ((1, 52), "out of range"),
    ],
)
@pytest.mark.parametrize("function", [cards.holding_index, cards.holding_cards, cards.holding_text])
def test_bad_holdings(function, bad, words):
    with pytest.raises(ValueError, match=words):
        function(bad)


@pytest.mark.parametrize("bad", ["", "A", "AAs", "AAo", "AK", "AKx", "AKso", "1K", "AhKh", "AK s"])
def test_bad_class_text(bad):
    with pytest.raises(ValueError, match="not a class of holdings"):
        cards.class_index(bad)


@given(st.sets(st.integers(0, 51), max_size=9))
def test_live_holdings(dead):
    live = cards.live_holdings(dead)
    assert live.tolist() == [not dead & set(pair) for pair in cards.HOLDING_CARDS.tolist()]
    left = 52 - len(dead)
    assert live.sum() == left * (left - 1) // 2


def test_live_holdings_are_the_callers_own():
    cards.live_holdings("As")[:] = False
    assert cards.live_holdings("As").sum() == 51 * 50 // 2


@given(st.text(max_size=8))
def test_any_text_is_a_card_or_a_value_error(text):
    """Either outcome is right, but an error must say something, and what is read must come back as text."""
    back = {
        cards.card_index: cards.card_text,
        cards.card_indices: cards.cards_text,
        cards.holding_index: cards.holding_text,
        cards.class_index: lambda index: cards.CLASSES[index],
    }
    for read, write in back.items():
        try:
            found = read(text)
        except ValueError as error:
            assert str(error)  # noqa: PT017
        else:
            assert read(write(found)) == found
    try:
        live = cards.live_holdings(text)
    except ValueError as error:
        assert str(error)  # noqa: PT017
    else:
        left = 52 - len(cards.card_indices(text))
        assert live.sum() == left * (left - 1) // 2


@given(st.lists(st.integers(0, 51), unique=True, max_size=7))
def test_cards_round_trip(indices):
    assert cards.card_indices(cards.cards_text(indices)) == tuple(indices)
    assert cards.card_indices(cards.cards_text(indices, ", ").replace("T", "10")) == tuple(indices)
