"""What is known of a player, as data."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.player import _bets, _known, _where, class_means
from pokermodel.cards import CLASSES
from pokermodel.game import Act
from pokermodel.reading import PopulationModel
from pokermodel.reading.adaptive.names import population
from tests.common.books import played


def test_means_of_classes():
    chances = np.zeros((1326, 3))
    chances[pm.cards.holding_index("AsKs"), Act.CALL] = 1
    means = dict(zip(CLASSES, class_means(chances, Act.CALL), strict=True))
    assert means["AKs"] == 0.25
    assert sum(means.values()) == 0.25


@pytest.mark.parametrize(
    ("stake", "bets"),
    [
        ("8/16 USD", (8, 16)),
        ("2/4 USD", (2, 4)),
        ("0.5/1 USD", (5, 10)),
        ("0.02/0.04 USD", (2, 4)),
        ("1,000/2,000", (1000, 2000)),
        ("", (10, 20)),
    ],
)
def test_bets_of_a_stake(stake, bets):
    assert _bets(stake) == bets


def test_a_player_is_asked_about_where_they_play():
    """By the site that their name is of, and the stake, or in a tournament."""
    people = PopulationModel()
    hands = [played(k, k, ("Ann", "Bob", "Cid")) for k in range(3)]
    people.update([PopulationModel.evidence(hand) for hand in hands])
    known = people.of(pm.game.BettingStructure.LIMIT)
    assert _known("Ann", known) == _known("Ann@test", known) == ("Ann", "test")
    assert _known("Zoe", known) == ("Zoe", "")
    spec = pm.GameSpec.ring(3, 5, 10)
    assert population(_where(spec, "test", "10/20", known.populations)) == "test limit chips"
    assert population(_where(spec, "", "2/4 USD", known.populations)) == "limit 2/4 USD"
