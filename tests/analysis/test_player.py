"""What is known of a player, as data."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.player import _bets, class_means
from pokermodel.cards import CLASSES
from pokermodel.game import Act


def test_means_of_classes():
    chances = np.zeros((1326, 3))
    chances[pm.holding_index("AsKs"), Act.CALL] = 1
    means = dict(zip(CLASSES, class_means(chances, Act.CALL), strict=True))
    assert means["AKs"] == 0.25
    assert sum(means.values()) == 0.25


@pytest.mark.parametrize(
    ("stake", "populations", "bets"),
    [
        ("8/16 USD", ["10-10-20-20", "800-800-1600-1600"], (800, 1600)),
        ("10/20", ["10-10-20-20", "no limit"], (10, 20)),
        ("2/4 USD", ["10-10-20-20"], (2, 4)),
        ("0.5/1 USD", ["10-10-20-20"], (10, 20)),
        ("1,000/2,000", [], (1000, 2000)),
        ("", [], (10, 20)),
    ],
)
def test_bets_of_a_stake(stake, populations, bets):
    assert _bets(stake, populations) == bets
