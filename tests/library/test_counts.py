"""Statistics of any seats, beside what the same hands add up to by themselves."""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np
import pytest

from pokermodel.game import BettingStructure
from pokermodel.histories import Filter
from pokermodel.learning.definitions import statistics
from pokermodel.learning.evidence import check_hand
from pokermodel.learning.profile import Profile
from pokermodel.learning.statistics import PlayerCounts, contributions, totals
from pokermodel.library import Book
from pokermodel.library.counts import Counts, _squares
from tests.library.test_selection import brute, hands


@pytest.mark.parametrize(
    "text", ["hero=Ann", "hero=Bob pot=3-bet,4-bet", "hero=Jo players>2 since=2031-02", "seat=BTN,BB"]
)
def test_figures_of_a_filter_are_those_of_its_hands(text):
    which = Filter(text)
    ids = set(brute(which))
    added = defaultdict(list)
    for hand in hands():
        if hand.id in ids:
            name = which.hero or hand.hero
            for one in contributions(hand, check_hand(hand)):
                if one.name == name:
                    added[hand.spec.structure].append(one._replace(name=""))
    with Book("sqlite://") as book:
        book.add(hands())
        found = book.counts(text)
    assert found.keys() == added.keys() != set()
    for structure, counts in found.items():
        profile = Profile("", PlayerCounts(totals(added[structure]), structure))
        expected = {
            key: figure for key, figure in profile.statistics.items()
            if statistics(structure).get(key) is None or statistics(structure)[key].table != "shown_postflop"
        }  # fmt: skip
        assert counts.figures() == expected
        assert counts.acts == profile.totals.acts.tolist()
        assert counts["hands"] == profile.hands
        assert counts["flops_won"] == profile.totals["flops_won"]


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
