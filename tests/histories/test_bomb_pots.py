"""Bomb pots: everybody antes, and the betting begins on the flop."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hero_hands import pot_type
from pokermodel.game import Act, Hand, position_names
from pokermodel.histories import ohh, open_hands
from pokermodel.scoring import score
from tests.histories.cases import CASES


def hand_of(name: str) -> Hand:
    (hand,) = open_hands(CASES[name].path, index=False)
    return hand


def test_nobody_has_a_choice_before_the_flop() -> None:
    hand = hand_of("weplay/bomb-pot")
    assert (hand.spec.blinds, hand.spec.max_raises[0]) == ((0, 0, 0, 0), 0)
    assert [each.legal for each in hand.replay() if each.round == 0] == [(Act.CALL,)] * 4
    assert next(each.player for each in hand.replay() if each.round == 1) == "Dan"
    assert pot_type(hand) == "bomb"
    assert ohh.loads(ohh.dumps(hand)) == hand


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("weplay/bomb-pot", {"Dan": "SB", "Ann": "BB", "Bob": "CO", "Cy": "BTN"}),
        ("weplay/bomb-pot-of-two", {"Dan": "BB", "Cy": "SB"}),
    ],
)
def test_positions(name: str, positions: dict[str, str]) -> None:
    hand = hand_of(name)
    assert dict(zip(hand.players, position_names(hand.spec), strict=True)) == positions


def test_nothing_is_scored_and_nothing_learnt_where_nobody_has_a_choice() -> None:
    hand = hand_of("weplay/bomb-pot")
    decisions = [each for each in hand.replay() if len(each.legal) > 1]
    assert score([hand], "uniform").to_frame()["decisions"].sum() == len(decisions) == 6
    modeler = pm.OpponentModeler("adaptive")
    modeler.start(hand.players)
    for decision in hand.replay():
        if decision.round == 0:
            modeler.observe(decision)
    weights = np.asarray(modeler.table("Dan"))
    assert weights == pytest.approx(np.full(1326, weights[0]))
