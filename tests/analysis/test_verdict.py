"""The verdict on one action, and whom a mistake is one against."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.book_study import study
from pokermodel.analysis.coach import Coach
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.verdict import judged, verdict
from pokermodel.game import Act
from pokermodel.report.words import advice_words
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict, Worth
from tests.common.studied import FOLDED, GUESSED


def asked(adviser, learnt=0):
    """What `judged` makes of the last decision of the hero of a hand, after some hands were learnt."""
    session = pm.OpponentModeler(hero="Hero")
    for _ in range(learnt):
        session.learn(FOLDED)
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
    found = asked(adviser, learnt=3)
    assert (found.average, found.hands) == (average, {"Bob": 3})
    plain = found.to_dict()
    assert (plain["word"], plain["average"], plain["hands"]) == (found.word, average, {"Bob": 3})
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


def test_nothing_is_judged_against_a_range_that_is_a_guess():
    """Bob leads, raises and leads again: fewer than one hand in a thousand. It counts with what cannot be told."""
    reason = "Bob took a line that hardly anyone takes, so that the range is a guess"
    made = study([GUESSED])
    *before, last = [each.not_judged for each in made.decisions]
    assert (set(before[:2]), last) == ({""}, reason)
    found = made.decisions[-1]
    assert (found.word, found.lost, found.ci95, found.kind) == ("not judged", None, None, None)
    total = made.total()
    words = [each.word for each in made.decisions]
    assert total.not_judged == words.count("not judged") > 0
    assert total.unclear == words.count("not judged") + words.count("cannot tell")
    report = HandReport.of(GUESSED, pm.OpponentModeler(hero="Hero"), "Hero")
    advised = [step for step in report.steps if step.verdict is not None]
    assert f"Not judged: {reason}." in advice_words(advised[-1], "Hero")
    assert advised[-1].to_dict()["advice"]["not_judged"] == reason


def test_a_coach_judges_nothing_against_a_guess():
    coach, decisions = Coach("Hero"), list(GUESSED.replay())
    coach.begin(GUESSED.players, GUESSED.holdings[2])
    *before, last = [each for each in decisions if each.player == "Hero"]
    for each in decisions[: last.index]:
        coach.observe(each)
    found = coach.verdict(coach.spot(last)).judge(last.act, last.to)
    assert (found.guess, found.word) == ("Bob", "not judged")
    assert before
