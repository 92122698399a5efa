"""How many hands players of different tightness play."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import GameSpec
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge, make_player


@pytest.mark.parametrize(("kind", "share"), [("tightness=tight", 0.21), ("tightness=loose&shift=-100", 0.32)])
def test_tight_and_loose(kind, share, tmp_path):
    """Ten of a kind play so many hands: figures of a simulation of the pre-flop rules alone."""
    players = [make_player(f"loki1?{kind}") for _ in range(10)]
    names, common, spec = [str(k) for k in range(10)], CommonKnowledge(), GameSpec.ring(10, 1, 2)
    played = [
        play_hand(spec, names, players, deal_cards(10, np.random.default_rng(k)), hand_id=str(k), common=common)
        for k in range(300)
    ]
    with pm.Book(tmp_path / "book.db") as book:
        book.learn(hand.to_hand() for hand in played)
        profiles = [book.profile(name) for name in names]
    hands = sum(profile.hands for profile in profiles)
    played_hands, raised = (
        sum(profile.statistics[statistic].numerator for profile in profiles) for statistic in ("vpip", "pfr")
    )
    assert hands == 3000
    assert played_hands / hands == pytest.approx(share, abs=0.03)
    assert 0 < raised < played_hands
