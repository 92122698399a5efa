"""A hand read step by step, as data."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hand import HandReport, Step
from pokermodel.analysis.range import class_changes
from pokermodel.game import GameSpec
from pokermodel.report.page import page_data
from tests.common.books import played_free


def all_in():
    """Three players, of whom one folds and two go all-in on the flop."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000, 8_000, 2_000))
    raises, call = pm.Act.RAISE, pm.Act.CALL
    actions = [(2, raises, False, 300), (0, call), (1, pm.Act.FOLD), (0, call), (2, raises, False, 500)]
    actions += [(0, raises, False, 1700), (2, call)]
    return pm.Hand("made up", "2", spec, ["Ann", "Bo", "Cy"], actions, "2h7dKsKc3d", {0: "7h7s", 2: "AsKd"})


def test_a_report_is_finished():
    """Whatever its session does later, and however often it is drawn."""
    hand, session = pm.example_hand(), pm.OpponentModeler("som")
    report = HandReport.of(hand, session)
    first = page_data([report])
    session.learn(hand)
    session.start(hand.players)
    assert page_data([report]) == first
    assert report.to_dict() == report.to_dict()
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.steps = ()


def test_steps_are_what_the_session_observes():
    hand, session = pm.example_hand(), pm.OpponentModeler("loki2")
    report = HandReport.of(hand, pm.OpponentModeler("loki2"))
    session.start(hand.players)
    for step, decision in zip(report.steps, hand.replay(), strict=True):
        observation = session.observe(decision)
        assert (step.before, step.after) == (observation.before, observation.after)
        held = hand.holdings.get(decision.seat)
        assert (step.judgement is None) == (held is None)
        if held is not None and observation.expected is not None:
            assert list(step.triple) == observation.expected.triples[pm.holding_index(held)].tolist()
        if observation.reweighted:
            live = step.after.grid_combos().ravel() > 0
            assert np.array_equal(step.changes[live], class_changes(step.after, step.before)[live])
            assert np.isnan(step.changes[~live]).all()
        else:
            assert step.changes is None


def test_a_step_without_a_holding_says_what_is_left():
    hand, session = pm.example_hand(), pm.OpponentModeler()
    observation = session.observe(next(iter(hand.replay())))
    step = Step(observation)
    assert step.triple is None
    assert [fact.key for fact in step.facts][:1] == ["reason"]
    assert "true_holding" not in {fact.key for fact in step.facts}


def test_moments_of_an_all_in():
    report = HandReport.of(all_in(), pm.OpponentModeler())
    moments = report.moments
    assert [each.pot for each in moments] == [150, 450, 700, 700, 700, 1200, 2900, 4100, 4100]
    assert moments[0].bets == (50, 100, 0)
    assert moments[2].stacks == (9_700, 7_900, 1_700)
    assert moments[4].bets == (0, 0, 0)  # the flop's
    assert moments[6].bets == (1700, 0, 500)
    assert moments[-2].all_in == moments[-1].all_in == (2,)
    assert [each.over for each in moments] == [False] * 8 + [True]
    assert (moments[0].board, len(moments[4].board), moments[-1].board) == ((), 3, report.hand.board)
    assert [each.decision for each in moments[1:-1]] == [step.observation.decision for step in report.steps]
    assert moments[0].decision is moments[-1].decision is None


@pytest.mark.parametrize("number", range(8))
def test_moments_add_up(number):
    hand = played_free(number, number, list("abcd"))
    report = HandReport.of(hand, pm.OpponentModeler())
    for earlier, later in zip(report.moments[:-1], report.moments[1:-1], strict=False):
        decision = later.decision
        assert later.pot == earlier.pot + decision.put_in
        assert earlier.pot == decision.pot
        assert later.folded == earlier.folded + ((decision.seat,) if decision.name == "fold" else ())
        for seat, (before, after) in enumerate(zip(earlier.stacks, later.stacks, strict=True)):
            paid = decision.put_in if seat == decision.seat else 0
            assert before is None or before == after + paid


def test_who_cannot_be_advised():
    hand = pm.example_hand()
    with pytest.raises(ValueError, match="no player 'Nobody' in hand"):
        HandReport.of(hand, pm.OpponentModeler(), "Nobody")
    unknown = next(name for seat, name in enumerate(hand.players) if seat not in hand.holdings)
    with pytest.raises(ValueError, match="are not known: no advice"):
        HandReport.of(hand, pm.OpponentModeler(), unknown)
