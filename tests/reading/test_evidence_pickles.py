"""What hands say is sent between processes: the copy is the same."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.classics.bpp.observed_hands import NOTHING, observe_hand
from pokermodel.game import Hand
from pokermodel.reading.adaptive.evidence import PlayedHand, play
from tests.common.books import HANDS, played_free
from tests.common.six_handed import HANDS as SIX_HANDED

EVERY = [
    pm.example_hand(),
    *HANDS[:10],
    *SIX_HANDED[:3],
    played_free(1, 1, ("Ann", "Bob", "Cid"), stacks=(900, 80, 70)),
]


def assert_same(one: Any, two: Any) -> None:
    assert type(one) is type(two)
    if isinstance(one, np.ndarray):
        assert one.dtype == two.dtype
        assert one.shape == two.shape
        assert one.flags.writeable == two.flags.writeable
        assert two.flags.c_contiguous
        np.testing.assert_array_equal(one, two)
    elif hasattr(one, "__dataclass_fields__"):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(two, field.name))
    elif isinstance(one, list | tuple):
        assert len(one) == len(two)
        for each, other in zip(one, two, strict=True):
            assert_same(each, other)
    else:
        assert one == two


@pytest.mark.parametrize("hand", EVERY)
def test_a_pickle_is_the_same(hand: Hand) -> None:
    found = [play(hand, all_cards=True), observe_hand(hand) if hand.spec.structure.fixed else None]
    assert isinstance(found[0], PlayedHand)
    for each in found:
        assert_same(each, pickle.loads(pickle.dumps(each)))


def test_a_pickle_of_nothing() -> None:
    nobody = PlayedHand.of("", (), (), np.zeros(166, dtype=np.uint8))
    for each in nobody, NOTHING:
        assert_same(each, pickle.loads(pickle.dumps(each)))
