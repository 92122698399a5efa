"""Types of hands: the published counts, and one example of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.evaluator import count_ranks
from pokermodel.evaluation.hand_types import HAND_TYPES, MADE, SCHEMES, hand_type


def test_types_of_hands():
    cases = {
        "2c3d4h5s7c": "8 high or less",
        "2c3d4h5s8c": "8 high or less",
        "2c3d4h5s9c": "9 to J high",
        "9cTdJh8s3c": "9 to J high",
        "Qc2d3h4s5c": "Q high",
        "KcQdJhTs8c": "K high",
        "AcKdQhJs9c": "A high",
        "2c2d3h4s5c": "pair of 2",
        "AcAdKhQsJc": "pair of A",
        "2c2d3h3s4c": "two pair",
        "AcAdAhKsKc": "full house",
        "As2d3h4s5c": "straight",
        "2c2d2h4s5c": "three of a kind",
        "2c3c4c5c7c": "flush",
        "2c2d2h2s3c": "four of a kind",
        "2c3c4c5c6c": "straight flush",
    }
    for cards, name in cases.items():
        assert HAND_TYPES[hand_type(pm.evaluate(cards))] == name
    sizes = Counter(map(hand_type, range(1, 7463)))
    assert sorted(sizes) == list(range(25))
    assert [sizes[k] for k in range(5)] == [18, 228, 209, 329, 493]


def counts(scheme):
    ranks = np.zeros(7463, dtype=np.uint64)
    count_ranks(5, ranks)
    return dict(zip(scheme.types, np.bincount(scheme.type_of_rank[1:], weights=ranks[1:]).astype(int), strict=True))


def test_how_many_hands_have_each_type():
    made = dict(zip(MADE, (123_552, 54_912, 10_200, 5_108, 3_744, 624, 40), strict=True))
    high = {"Q high": 213_180, "K high": 335_580, "A high": 502_860}
    pairs = {f"pair of {rank}": 84_480 for rank in "QKA"}
    assert counts(SCHEMES[9]) == {"busted": 1_302_540, "pair": 1_098_240, **made}
    assert counts(SCHEMES[17]) == {
        "9 high or less": 53_040,
        "10 to J high": 197_880,
        **high,
        "pair of 9 or less": 675_840,
        "pair of 10 or J": 168_960,
        **pairs,
        **made,
    }
    assert counts(SCHEMES[25]) == {
        "8 high or less": 18_360,
        "9 to J high": 232_560,
        **high,
        **{f"pair of {rank}": 84_480 for rank in "23456789TJQKA"},
        **made,
    }


def test_without_the_wheel():
    scheme = replace(SCHEMES[17], wheel=False)
    found, usual = counts(scheme), counts(SCHEMES[17])
    assert found["straight"] == usual["straight"] - 1_020
    assert found["A high"] == usual["A high"] + 1_020
    assert found["flush"] == usual["flush"] + 4


def test_numbers_of_states():
    assert [[len(SCHEMES[k].states(n)) for n in range(1, 6)] for k in (9, 17, 25)] == [
        [1, 5, 6, 8, 9],
        [5, 25, 26, 28, 17],
        [5, 33, 34, 36, 25],
    ]
    with pytest.raises(ValueError, match="1 to 5 cards"):
        SCHEMES[9].states(6)
