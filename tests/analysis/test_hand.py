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
            assert list(step.triple) == observation.expected.triples[pm.cards.holding_index(held)].tolist()
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
    assert [each.pot for each in moments] == [150, 450, 700, 700, 700, 1200, 2900, *[4100] * 4]
    assert moments[0].bets == (50, 100, 0)
    assert moments[2].stacks == (9_700, 7_900, 1_700)
    assert moments[4].bets == (0, 0, 0)  # the flop's
    assert moments[6].bets == (1700, 0, 500)
    assert {each.all_in for each in moments[-4:]} == {(2,)}
    assert [each.over for each in moments] == [False] * 10 + [True]
    assert [len(each.board) for each in moments[-4:]] == [3, 4, 5, 5]  # dealt street by street
    assert [each.round for each in moments[-4:]] == [1, 2, 3, 3]
    assert moments[-2].bets == (0, 0, 0)
    assert (moments[0].board, len(moments[4].board), moments[-1].board) == ((), 3, report.hand.board)
    assert [each.decision for each in moments[1:-3]] == [step.observation.decision for step in report.steps]
    assert moments[0].decision is moments[-3].decision is moments[-1].decision is None


@pytest.mark.parametrize("number", range(8))
def test_moments_add_up(number):
    hand = played_free(number, number, list("abcd"))
    report = HandReport.of(hand, pm.OpponentModeler())
    for earlier, later in zip(report.moments[:-1], report.moments[1:-1], strict=False):
        decision = later.decision
        if decision is None:  # a street that is dealt after an all-in
            assert (later.pot, later.stacks, later.folded) == (earlier.pot, earlier.stacks, earlier.folded)
            assert later.round == earlier.round + 1
            continue
        assert later.pot == earlier.pot + decision.put_in
        assert earlier.pot == decision.pot
        assert later.folded == earlier.folded + ((decision.seat,) if decision.name == "fold" else ())
        for seat, (before, after) in enumerate(zip(earlier.stacks, later.stacks, strict=True)):
            paid = decision.put_in if seat == decision.seat else 0
            assert before is None or before == after + paid


def test_the_act_to_look_at_first():
    """The hero's dearest act; else the last one of a showdown; else the last."""
    hand = pm.example_hand()
    advised = HandReport.of(hand, pm.OpponentModeler(hero="Eve"), "Eve")
    losses = {k: step.loss for k, step in enumerate(advised.steps) if step.loss is not None}
    assert advised.key_step == max(losses, key=losses.get)
    assert advised.loss == losses[advised.key_step] > 0
    decisions = [step.observation.decision for step in advised.steps]
    unlimited = HandReport.of(all_in(), pm.OpponentModeler(hero="Cy"), "Cy")
    own = [k for k, step in enumerate(unlimited.steps) if step.observation.decision.player == "Cy"]
    assert all(unlimited.steps[k].loss is None for k in own) or unlimited.loss is not None
    if unlimited.loss is None:
        assert unlimited.key_step == max(own, key=lambda k: unlimited.steps[k].observation.decision.put_in)
    without = HandReport.of(hand, pm.OpponentModeler())
    shown = [k for k, decision in enumerate(decisions) if decision.seat in hand.shown]
    assert without.key_step == shown[-1]
    folded = pm.Hand("made up", "1", pm.GameSpec.ring(3, 5, 10), ["a", "b", "c"], [(2, pm.Act.FOLD), (0, pm.Act.FOLD)])
    assert HandReport.of(folded, pm.OpponentModeler()).key_step == 1


def test_equities_of_a_moment():
    """Of ranges, of known cards against ranges, and of cards against cards: as `equity` has them."""
    report = HandReport.of(all_in(), pm.OpponentModeler())
    hand, steps = report.hand, report.steps
    flop = report.equities(7)  # after the last act
    tables = {0: steps[5].after, 2: steps[6].after}
    board = hand.board[:3]
    found = pm.equity(list(tables.values()), board).equity.tolist()
    assert list(flop.ranges.values()) == pytest.approx(found)
    assert flop.errors == {0: 0.0, 2: 0.0}
    own = {seat: pm.cards.holding_text(hand.holdings[seat]) for seat in (0, 2)}
    assert flop.held[0] == pytest.approx(pm.equity([own[0], tables[2]], board).equity[0])
    assert flop.held[2] == pytest.approx(pm.equity([tables[0], own[2]], board).equity[1])
    assert list(flop.cards_up.values()) == pytest.approx(pm.equity(list(own.values()), board).equity.tolist())
    drawn = HandReport.of(hand, pm.OpponentModeler(), deals=2_000).equities(7)  # as of many hands
    assert 0.0 < drawn.errors[0] < 0.04
    assert drawn.ranges[0] == pytest.approx(flop.ranges[0], abs=2 * drawn.errors[0])
    assert drawn.held == pytest.approx(flop.held)
    end = report.equities(len(report.moments) - 1)
    assert sorted(end.cards_up.values()) == [0.0, 1.0]
    before = report.equities(0)  # three players, of whom nothing is known
    assert before.cards_up == {}
    assert list(before.ranges.values()) == pytest.approx([1 / 3] * 3, abs=0.02)
    assert report.equities(0) == before
    folded = pm.Hand("made up", "1", pm.GameSpec.ring(2, 5, 10), ["a", "b"], [(0, pm.Act.FOLD)])
    assert HandReport.of(folded, pm.OpponentModeler()).equities(1) is None


def test_who_cannot_be_advised():
    hand = pm.example_hand()
    with pytest.raises(ValueError, match="no player 'Nobody' in hand"):
        HandReport.of(hand, pm.OpponentModeler(), "Nobody")
    unknown = next(name for seat, name in enumerate(hand.players) if seat not in hand.holdings)
    with pytest.raises(ValueError, match="are not known: no advice"):
        HandReport.of(hand, pm.OpponentModeler(), unknown)


def test_equity_of_cards_against_one_range():
    """Shares of the cards against each holding give what `equity` counts out."""
    report = HandReport.of(all_in(), pm.OpponentModeler("adaptive"))
    tables = {step.observation.decision.seat: step.after for step in report.steps}
    found = report.equities(len(report.steps))
    assert report.moments[len(report.steps)].board
    for seat, other in ((0, 2), (2, 0)):
        expected = pm.equity([pm.cards.holding_text(report.hand.holdings[seat]), tables[other]], "2h7dKs", exact=True)
        assert found.held[seat] == pytest.approx(expected.equity[0], abs=1e-12)


@pytest.mark.parametrize("kept", [False, True])
def test_a_report_leaves_a_session_as_it_was_asked_for(kept):
    """What those can hold who folded is kept for a simulation, and not for all hands that come after."""
    session = pm.OpponentModeler("loki2", hero="Alice", folded_tables=kept)
    hand = pm.example_hand()
    hero = next(hand.players[seat] for seat in hand.holdings)
    session.hero = hero
    HandReport.of(hand, session, hero, verdicts=False)
    assert session.followed.folded
    assert session.folded_tables is kept
