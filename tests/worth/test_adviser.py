"""Advisers by name: each is asked in the same way, of a spot that no session made."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.coach import Coach
from pokermodel.analysis.hand import HandReport
from pokermodel.classics.loki1.player import Loki1
from pokermodel.classics.simulation import Position, Simulator
from pokermodel.game import Act, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.reading.adaptive.reader import AdaptiveReader
from pokermodel.reading.registry import make_reader, read_reader
from pokermodel.report.words import advice_words
from pokermodel.worth import adviser as advisers
from pokermodel.worth.adviser import Adviser, AdviserKind, Advisers, kinds, make_adviser, register
from pokermodel.worth.worth import Verdict, Worth
from tests.common.books import HANDS

HAND = pm.example_hand()
HERO = "Eve"
SEAT = HAND.players.index(HERO)
DECISIONS = [decision for decision in HAND.replay() if decision.player == HERO]


def reader(text="adaptive"):
    kind, options = read_reader(text)
    return make_reader(kind, None, **options)


def spot_of(decision, who=None):
    """A spot of the hero's, made of acts alone."""
    acts = list(HAND.replay())[: decision.index + 1]
    found = reader() if who is None else who
    found.start(HAND.players)
    return Spot.of(acts, reader=found).held(HAND.holdings[SEAT])


@pytest.fixture
def registry(monkeypatch):
    monkeypatch.setattr(advisers._REGISTRY, "_kinds", dict(kinds()))


@pytest.mark.parametrize("name", ["loki1", "simulation", "myopic", "verdict?fast=1&deals=64"])
@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: f"act {decision.index}")
def test_every_adviser_in_the_same_way(name, decision):
    adviser, spot = make_adviser(name), spot_of(decision)
    if name == "simulation" and decision.round == 0:
        with pytest.raises(ValueError, match="flop"):
            adviser.advise(spot, 1)
        return
    verdict = adviser.advise(spot, 1)
    again = make_adviser(name).advise(spot_of(decision), 1)
    assert isinstance(verdict, Verdict)
    assert verdict.to_dict() == again.to_dict()
    situation = decision.situation
    judged = make_adviser(name).judge(spot_of(decision), decision.act, decision.to, 1)
    if verdict.acts:
        assert [each.act for each in verdict.acts] == sorted(situation.legal)
        best = max(verdict.acts, key=lambda each: (each.ev, each.act))
        assert verdict.recommended == (best.act, best.to)
        for each in verdict.acts:
            if verdict.halves is None:
                assert verdict.judge(each.act, each.to).loss == pytest.approx(best.ev - each.ev)
            assert verdict.worth(each.act) == verdict.worth(each.act, each.to) == each
            assert each.ev == 0 or each.act != Act.FOLD
            assert (each.to is None) == (each.act != Act.RAISE)
        at_best = verdict.judge(best.act, best.to)
        assert (at_best.loss, at_best.loss_error) == (0.0, 0.0)
        assert judged.made.act == decision.act
        if verdict.halves is None:  # else the deals depend on the action that was made
            assert judged.loss == verdict.judge(decision.act).loss
        with pytest.raises(ValueError, match="raise to 1: the values are those of"):
            verdict.worth(Act.RAISE, 1)
    else:
        assert judged.made is verdict.loss is None
        assert verdict.recommended[0] in situation.legal
        assert verdict.reason
        with pytest.raises(ValueError, match="the values are those of none"):
            verdict.worth(Act.CALL)


def test_a_spot_of_acts_says_what_a_session_says():
    """The state is that of the hand, and ranges are those of the session, which has the same tables."""
    session = OpponentModeler("adaptive", learning=False)
    for decision in HAND.replay():
        if decision.player == HERO and decision.round > 0:
            spot = session.spot(decision).held(HAND.holdings[SEAT])
            position = Position.before(HAND, decision.index)
            assert Situation.of(spot.state, HAND.players, decision.board) == decision.situation
            for mine, theirs in zip(spot.ranges(), session.simulation_tables(), strict=True):
                assert (mine is theirs is None) or np.array_equal(mine, theirs)
            for seat in decision.active:
                assert np.array_equal(spot.range(seat).values, session.table(seat).values)
            found = make_adviser("simulation?trials=64").advise(spot, 3)
            alone = Simulator().run(position, HAND.holdings[SEAT], session.simulation_tables(), trials=64, rng=3)
            assert found.to_dict() == alone.to_dict()
            assert found.found == "64 trials"
        session.observe(decision)


def test_states_of_hands_with_all_kinds_of_acts():
    from tests.common.books import FREE, POTS

    for hand in (*HANDS, *FREE, *POTS):
        acts = list(hand.replay())
        for number, decision in enumerate(acts):
            spot = Spot.of(acts[: number + 1])
            assert Situation.of(spot.state, hand.players, decision.board) == decision.situation


def test_what_is_missing_is_said():
    decision = DECISIONS[-1]
    outside = Spot.of(list(HAND.replay())[: decision.index + 1], reader=reader())
    for name in kinds():
        with pytest.raises(ValueError, match="no advice without the cards of Eve"):
            make_adviser(name).advise(outside)
    with pytest.raises(ValueError, match="expected a spot with a reader"):
        make_adviser("myopic").advise(Spot.of([DECISIONS[0]]).held("AsAd"))
    with pytest.raises(ValueError, match="expected a spot with a reader"):
        Advisers().named(Spot.of([DECISIONS[0]]))
    with pytest.raises(ValueError, match="shares a card with the board"):
        outside.held((outside.situation.board[0], 51))
    with pytest.raises(ValueError, match="unknown adviser 'oracle': expected one of verdict, myopic, loki1"):
        make_adviser("oracle")
    with pytest.raises(ValueError, match="adviser loki1"):
        make_adviser("loki1?tightness=mad")
    with pytest.raises(ValueError, match="trials must be 2 or more"):
        make_adviser("simulation?trials=1")
    with pytest.raises(ValueError, match="expected tables after the flop"):
        Loki1().choose(decision.situation, HAND.holdings[SEAT])


def test_the_reader_names_the_adviser():
    """The package's own verdict, unless the reader is one of a program that has an adviser."""
    own = ("verdict?fast=1", "verdict", "")
    fewer = ("verdict?fast=1&deals=256", "verdict", "")  # of readers without a quick way
    loki1 = ("loki1", "loki1", "Loki-1")
    names = {
        "adaptive": [own, own],
        "bpp": [fewer, fewer],
        "loki1": [loki1, loki1],
        "loki2": [
            ("loki1", "loki1", "Loki-2, which plays as Loki-1 before the flop,"),
            ("simulation", "simulation", "Loki-2"),
        ],
    }
    for text, expected in names.items():
        found = {decision.round > 0: Advisers().named(spot_of(decision, reader(text))) for decision in DECISIONS}
        assert [found[False], found[True]] == expected, text
    free = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    situation = Situation.of(State(free), ("Ann", "Bob"))
    assert reader("adaptive").adviser(situation) == "verdict?fast=1"


class Bold(Adviser):
    """Likes to raise, and remembers how many hands it has begun."""

    def __init__(self, nerve=1.0):
        self.nerve, self.hands = nerve, 0

    def begin(self):
        self.hands += 1

    def advise(self, spot, rng=None, *, also=()):
        assert len(spot.own_cards) == 2
        situation = spot.situation
        worths = [
            Worth(act, situation.least_raise if act == Act.RAISE else None, float(act), "simulated", 0.1)
            for act in sorted(situation.legal)
        ]
        return Verdict(tuple(worths), found="by gut")


class Trusting(AdaptiveReader):
    """Sends everybody to the bold one."""

    def adviser(self, situation):
        return "bold"


@pytest.mark.usefixtures("registry")
def test_another_adviser_is_one_class_and_one_registration():
    register(AdviserKind("bold", Bold, "a bold friend", "Raise."))
    with pytest.raises(ValueError, match="the adviser 'bold' is registered already"):
        register(AdviserKind("bold", Bold, "", ""))
    session = OpponentModeler(Trusting(reader().people), hero=HERO)
    report = HandReport.of(HAND, session, HERO)
    advised = [step for step in report.steps if step.verdict is not None]
    assert [step.observation.decision.index for step in advised] == [decision.index for decision in DECISIONS]
    for step in advised:
        said, verdict = step.to_dict()["advice"], step.verdict
        act = verdict.recommended[0]
        name = step.observation.decision.situation.act_names[act]
        assert said["action"] == name
        assert f"{name} {float(act):+.2f} ± 0.10; by gut" in said["reason"]
        assert [each["act"] for each in said["acts"]] == [each.act.name.lower() for each in verdict.acts]
        assert step.adviser == "a bold friend"
        assert advice_words(step, HERO) == f"In {HERO}'s place, a bold friend would {name} ({said['reason']})"
        lost = verdict.acts[-1].ev - verdict.worth(step.observation.decision.act).ev
        assert step.loss == (None if verdict.guess else lost)
    assert report.loss == max(step.loss for step in advised if step.loss is not None)
    coach = Coach(HERO)
    coach.session.reader = Trusting(reader().people)
    coach.begin(HAND.players, HAND.holdings[SEAT])
    for decision in HAND.replay():
        if decision.player == HERO:
            verdict = coach.verdict(coach.spot(decision))
            assert [each.act for each in verdict.acts] == sorted(decision.legal)
        coach.observe(decision)
    bold = coach._advisers["bold"]
    assert bold.hands == 0  # it came in the middle of its first hand
    coach.begin(HAND.players, HAND.holdings[SEAT])
    assert bold.hands == 1


def test_rules_are_forgotten_between_hands():
    """Loki-1 keeps the strategy of the first round of a hand, and not longer."""
    loki, first = make_adviser("loki1"), DECISIONS[0]
    one = loki.advise(spot_of(first))
    trash = spot_of(first).held("7h2c")
    assert loki.advise(trash).reason == one.reason  # of the same hand, as far as it knows
    loki.begin()
    assert loki.advise(trash).reason != one.reason
