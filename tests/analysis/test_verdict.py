"""The verdict on one action, and whom a mistake is one against."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.verdict import judged, verdict
from pokermodel.game import Act
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict, Worth
from tests.common.studied import FOLDED


def asked(adviser):
    """What `judged` makes of the last decision of the hero of a hand."""
    session = pm.OpponentModeler(hero="Hero")
    session.start(FOLDED.players)
    seat = FOLDED.players.index("Hero")
    session.hold(FOLDED.holdings[seat])
    decisions = list(FOLDED.replay())
    at = max(k for k, each in enumerate(decisions) if each.seat == seat)
    for each in decisions[:at]:
        session.observe(each)
    return judged(adviser, session, decisions[:at], decisions[at], FOLDED.holdings[seat], 1)


class Accuser(VerdictAdviser):
    """Finds a mistake against some players."""

    def __init__(self, against):
        super().__init__()
        self.against, self.seen = against, []

    def judge(self, spot, act, to=None, rng=None):
        players = spot.situation.players
        self.seen.append(players)
        loss = 3.0 if self.against(players) else 0.0
        acts = Worth(Act.FOLD, None, 0.0, "exact"), Worth(Act.CALL, None, loss, "exact")
        return Verdict(acts, np.zeros((2, 2))).judge(Act.FOLD if loss else Act.CALL)


@pytest.mark.parametrize("average", [True, False])
def test_every_mistake_is_judged_against_average_players_too(average):
    adviser = Accuser(lambda players: average or "Bob" in players)
    assert asked(adviser).average is average
    known, strangers = adviser.seen
    assert set(known) & set(strangers) == {"Hero"}
    assert len(set(strangers)) == len(known)


def test_what_is_no_mistake_is_judged_once():
    adviser = Accuser(lambda players: False)
    assert asked(adviser).average is None
    assert len(adviser.seen) == 1


def test_the_front_door_says_whom_a_mistake_is_one_against():
    at = max(k for k, each in enumerate(FOLDED.replay(), 1) if each.player == "Hero")
    found = verdict(FOLDED, at, fast=True)
    assert found.word == "big mistake"
    assert found.average is True  # nothing is known of Bob
    assert found.to_dict()["average"] is True
