"""How somebody plays, counted."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.arena import Style, deal_cards, play_hand, playing_styles
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.players import CommonKnowledge, make_player


def test_counts_by_hand():
    spec = GameSpec.ring(3, 1, 2)
    actions = [
        Action(2, Act.RAISE), Action(0, Act.FOLD), Action(1, Act.CALL),
        Action(1, Act.RAISE), Action(2, Act.RAISE), Action(1, Act.FOLD),
    ]  # fmt: skip
    hand = Hand("s", "1", spec, "abc", actions, "2c3d4h")
    styles = playing_styles([hand.replay()])
    assert styles == {"a": Style(1, 0, 0, 0, 0), "b": Style(1, 1, 0, 2, 1), "c": Style(1, 1, 1, 1, 1)}
    assert (styles["c"].vpip, styles["c"].pfr, styles["b"].aggression) == (1.0, 1.0, 0.5)
    assert math.isnan(styles["a"].aggression)
    assert sum(styles.values(), Style()) == Style(3, 2, 1, 3, 2)
    assert playing_styles([]) == {}
    assert math.isnan(Style().vpip)


def test_the_example_hand():
    styles = playing_styles([pm.example_hand().replay()])
    assert sum(style.hands for style in styles.values()) == 6


@pytest.mark.parametrize(("kind", "share"), [("tightness=tight", 0.21), ("tightness=loose&shift=-100", 0.32)])
def test_tight_and_loose(kind, share):
    """Ten of a kind play so many hands: figures of a simulation of the pre-flop rules alone."""
    players = [make_player(f"loki1?{kind}") for _ in range(10)]
    names, common, spec = [str(k) for k in range(10)], CommonKnowledge(), GameSpec.ring(10, 1, 2)
    played = [
        play_hand(spec, names, players, deal_cards(10, np.random.default_rng(k)), hand_id=str(k), common=common)
        for k in range(300)
    ]
    total = sum(playing_styles(hand.decisions for hand in played).values(), Style())
    assert total.hands == 3000
    assert total.vpip == pytest.approx(share, abs=0.03)
    assert total.pfr < total.vpip
