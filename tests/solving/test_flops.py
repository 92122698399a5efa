"""Flops but for names of suits, and the subsets that stand for all."""

import numpy as np
import pytest

from pokermodel.cards import card_indices
from pokermodel.solving.flops import FLOP_SUBSETS, FLOPS, all_flops, flop_subset, usual_flop


def test_all_flops_are_counted():
    assert len(all_flops()) == 1755
    assert sum(all_flops().values()) == FLOPS == 22_100
    assert set(all_flops().values()) == {4, 12, 24}


@pytest.mark.parametrize("number", FLOP_SUBSETS)
def test_a_subset_stands_for_all_flops(number):
    """Its weights sum to all of them, and shares of suits, pairs and ranks are nearly those of all."""
    subset = flop_subset(number)
    assert len(subset) == number
    assert sum(subset.values()) == FLOPS
    assert subset.keys() <= all_flops().keys()
    assert min(subset.values()) >= 1
    whole, part = _shares(all_flops()), _shares(subset)
    assert part == pytest.approx(whole, abs={25: 0.05, 49: 0.02, 95: 0.01, 184: 0.005}[number])


def _shares(flops):
    found = np.zeros(19)
    for flop, weight in flops.items():
        cards = card_indices(flop)
        found[len({card % 4 for card in cards}) - 1] += weight
        found[3 + len({card // 4 for card in cards}) - 1] += weight
        found[6 + max(cards) // 4] += weight
    return found / FLOPS


def test_names_of_suits_and_order_make_no_other_flop():
    assert usual_flop(card_indices("2h7hQs")) == usual_flop(card_indices("QcJd7d"[:2] + "7s2s"))
    assert usual_flop(card_indices("2h7hQs")) != usual_flop(card_indices("2h7hQh"))


def test_a_number_that_is_no_subset():
    for number in (50, True, "25", 25.5):
        with pytest.raises(ValueError, match="flops must be 25, 49, 95, 184, got"):
            flop_subset(number)
