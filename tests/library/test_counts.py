"""Statistics of any seats, beside what the same hands add up to by themselves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pokermodel.game import BettingStructure
from pokermodel.histories import Filter
from pokermodel.library import Book
from pokermodel.library.counts import Counts, _squares
from tests.library.test_selection import brute, hands


@pytest.mark.parametrize(
    "text", ["hero=Ann", "hero=Bob pot=3-bet,4-bet", "hero=Jo players>2 since=2031-02", "seat=BTN,BB"]
)
def test_figures_of_a_filter_are_those_of_its_hands(text):
    which = Filter(text)
    ids = set(brute(which))
    some = [hand for hand in hands() if hand.id in ids]
    with Book("sqlite://") as book, Book("sqlite://") as other:
        book.add(hands())
        other.add(some)
        found = book.counts(text)
        assert found
        if which.hero is not None:
            profiles = other.profiles(which.hero)
            assert found.keys() == profiles.keys()
            for structure, counts in found.items():
                assert counts.figures() == profiles[structure].statistics
        assert sum(counts["hands"] for counts in found.values()) == len(some)


def test_a_filter_without_a_hero_is_about_whose_histories_they_are():
    with Book("sqlite://") as book:
        book.add(hands())
        named = sum(1 for hand in hands() if hand.hero)
        assert sum(counts["hands"] for counts in book.counts("").values()) == named
        with pytest.raises(ValueError, match="is about no player: expected hero=NAME"):
            book.counts('hero=""')
        assert book.counts("hero=Nemo") == {}


def test_squares_of_large_amounts_are_exact():
    rng = random.Random(4)
    amounts = [rng.choice([-1, 1]) * rng.randrange(10 ** rng.randint(1, 12)) for _ in range(500)]
    expected = sum((each * each + 500_000_000) // 1_000_000_000 for each in amounts)
    assert _squares(np.array(amounts, dtype=np.int64)) == expected


def test_structures_are_counted_apart():
    with Book("sqlite://") as book:
        book.add(hands())
        found = book.counts("hero=Ann")
    assert all(isinstance(counts, Counts) and counts.structure is structure for structure, counts in found.items())
    assert set(found) <= set(BettingStructure)
