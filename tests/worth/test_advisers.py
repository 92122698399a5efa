"""Advisers by name: each is asked in the same way, of a spot that no session made."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.coach import Coach
from pokermodel.analysis.hand import HandReport
from pokermodel.classics.loki1.player import Loki1, Recommendation
from pokermodel.classics.simulation import Position, Simulator
from pokermodel.game import Act, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.reading.registry import make_reader, read_reader
from pokermodel.tables.players import View
from pokermodel.worth import advisers
from pokermodel.worth.adviser import Advice, Adviser, Cost, Worth
from pokermodel.worth.advisers import AdviserKind, adviser_of, kinds, make_adviser, register
from pokermodel.worth.myopic import MyopicAdvice
from pokermodel.worth.price import Price
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


@pytest.mark.parametrize("name", ["price", "loki1", "simulation", "myopic", "verdict?deals=64"])
@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: f"act {decision.index}")
def test_every_adviser_in_the_same_way(name, decision):
    adviser, spot = make_adviser(name), spot_of(decision)
    if name == "simulation" and decision.round == 0:
        with pytest.raises(ValueError, match="flop"):
            adviser.advise(spot, 1)
        return
    advice = adviser.advise(spot, 1)
    again = make_adviser(name).advise(spot_of(decision), 1)
    assert isinstance(advice, Advice)
    assert advice.to_dict() == again.to_dict()
    situation = decision.situation
    if advice.worths:
        assert [each.act for each in advice.worths] == sorted(situation.legal)
        best = max(advice.worths, key=lambda each: (each.ev, each.act))
        assert advice.recommended == (best.act, best.to)
        for each in advice.worths:
            cost = advice.cost(each.act, each.to)
            assert cost.best == advice.recommended
            assert cost.value == pytest.approx(best.ev - each.ev)
            assert advice.worth(each.act) == advice.worth(each.act, each.to) == each
            assert each.ev == 0 or each.act != Act.FOLD
            assert (each.to is None) == (each.act != Act.RAISE)
        assert advice.cost(best.act, best.to) == Cost(0.0, 0.0, (best.act, best.to))
        with pytest.raises(ValueError, match="raise to 1: the values are those of"):
            advice.worth(Act.RAISE, 1)
    else:
        assert advice.cost(Act.CALL) is None
        assert (advice.recommended is None) == (name == "price")
        with pytest.raises(ValueError, match="the values are those of none"):
            advice.worth(Act.CALL)


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
            assert isinstance(make_adviser("price").advise(spot, 3), Price)
            assert isinstance(make_adviser("myopic").advise(spot, 3), MyopicAdvice)
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
        adviser_of(Spot.of([DECISIONS[0]]))
    with pytest.raises(ValueError, match="shares a card with the board"):
        outside.held((outside.situation.board[0], 51))
    with pytest.raises(ValueError, match="unknown adviser 'oracle': expected one of price, loki1, simulation, myopic"):
        make_adviser("oracle")
    with pytest.raises(ValueError, match="adviser loki1"):
        make_adviser("loki1?tightness=mad")
    with pytest.raises(ValueError, match="trials must be 2 or more"):
        make_adviser("simulation?trials=1")
    with pytest.raises(ValueError, match="expected tables after the flop"):
        Loki1().choose(decision.situation, HAND.holdings[SEAT])


def test_who_advises_is_the_readers_affair():
    titles = {
        "adaptive": ["Loki-1", "a simulation"],
        "loki1": ["Loki-1", "Loki-1"],
        "loki2": ["Loki-2, which plays as Loki-1 before the flop,", "Loki-2"],
        "bpp": ["Loki-1", "a simulation"],
    }
    for text, expected in titles.items():
        found = {decision.round > 0: adviser_of(spot_of(decision, reader(text)))[1] for decision in DECISIONS}
        assert [found[False], found[True]] == expected, text
    free = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
    situation = Situation.of(State(free), ("Ann", "Bob"))
    assert reader("adaptive").adviser(situation) == "verdict?fast=1"
    assert reader("loki1").adviser(situation) == "price"


class Table(Advice):
    """What a solver might find."""

    __slots__ = ("situation",)

    def __init__(self, situation):
        self.situation = situation

    @property
    def worths(self):
        return tuple(
            Worth(act, self.situation.least_raise if act == Act.RAISE else None, float(act), 0.1)
            for act in sorted(self.situation.legal)
        )

    @property
    def recommended(self):
        best = self.worths[-1]
        return best.act, best.to

    def cost(self, act, to=None):
        return Cost(self.worths[-1].ev - self.worth(act, to).ev, 0.1, self.recommended)


class Bold(Adviser):
    """Likes to raise, and remembers of which hand it was asked."""

    def __init__(self, nerve=1.0):
        self.nerve, self.hands = nerve, 0

    def begin(self):
        self.hands += 1

    def advise(self, spot, rng=None, *, also=()):
        assert len(spot.holding) == 2
        return Table(spot.situation)


def trusting():
    """A reader who sends everybody to the bold one."""
    found = reader()
    found.advisers = ("bold", "bold", "bold")
    return found


@pytest.mark.usefixtures("registry")
def test_another_adviser_is_one_class_and_one_registration():
    register(AdviserKind("bold", Bold, "a bold friend", "Raise."))
    with pytest.raises(ValueError, match="the adviser 'bold' is registered already"):
        register(AdviserKind("bold", Bold, "", ""))
    session = OpponentModeler(trusting(), hero=HERO)
    report = HandReport.of(HAND, session, HERO)
    advised = [step for step in report.steps if step.advice is not None]
    assert [step.observation.decision.index for step in advised] == [decision.index for decision in DECISIONS]
    for step in advised:
        said = step.to_dict()["advice"]
        names = step.observation.decision.situation.act_names
        act = step.advice.recommended[0]
        assert said["action"] == names[act]
        assert f"{names[act]} {float(act):+.2f} ± 0.10" in said["reason"]
        assert [each["act"] for each in said["worths"]] == [each.act.name.lower() for each in step.advice.worths]
        assert step.adviser == "a bold friend"
    assert report.loss == max(
        step.advice.worths[-1].ev - step.advice.worth(step.observation.decision.act).ev for step in advised
    )
    coach = Coach(HERO)
    coach.session.reader = trusting()
    coach.begin(HAND.players, HAND.holdings[SEAT])
    for decision in HAND.replay():
        if decision.player == HERO:
            before = tuple(HAND.replay())[: decision.index]
            state = Position.before(HAND, decision.index).state
            view = View(HAND.source, HAND.id, decision.index, decision.situation, HAND.holdings[SEAT], before, state)
            opinion = coach.opinion(view)
            assert opinion.acts == Table(decision.situation).worths
            assert opinion.rule is opinion.simulation is None
        coach.observe(decision)
    (bold,) = [each for each in coach._advisers.values() if isinstance(each, Bold)]
    assert bold.hands == 0  # it came in the middle of its first hand
    coach.begin(HAND.players, HAND.holdings[SEAT])
    assert bold.hands == 1


def test_rules_are_forgotten_between_hands():
    """Loki-1 keeps the strategy of the first round of a hand, and not longer."""
    loki, first = make_adviser("loki1"), DECISIONS[0]
    one = loki.advise(spot_of(first))
    assert isinstance(one, Recommendation)
    trash = spot_of(first).held("7h2c")
    assert loki.advise(trash) == one  # of the same hand, as far as it knows
    loki.begin()
    assert loki.advise(trash).reason != one.reason
