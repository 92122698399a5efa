"""Copies and pickles of what people hand to other processes, or branch off to ask what if."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._support.records import Record
from pokermodel.classics.loki1.field import spot_strengths
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.simulation import Loki1Rules, Position, Simulator
from pokermodel.evaluation.dealing import Dealer
from pokermodel.game import Act, Action, GameSpec, State
from pokermodel.game.live import LiveHand
from pokermodel.reading import OpponentModeler, reader_kinds
from tests.common.copies import WAYS, content, pickled

NAMES = ("Ann", "Bob", "Cid", "Dan")
ways = pytest.mark.parametrize("again", WAYS.values(), ids=WAYS)


# ------------------------------------------------------------------------------------------------- records of arrays


@dataclass(frozen=True, eq=False, slots=True)
class Two(Record):
    fixed: np.ndarray
    free: np.ndarray
    name: str = ""


class More(Two):
    """Without slots, and no data class."""


@ways
@pytest.mark.parametrize("kind", [Two, More])
def test_arrays_that_cannot_be_written_to_stay_so(again, kind):
    fixed = np.arange(3.0)
    fixed.setflags(write=False)
    record = kind(fixed, np.arange(2), "x")
    if kind is More:
        object.__setattr__(record, "note", "kept")
    other = again(record)
    assert type(other) is kind
    assert content(other) == content(record)
    assert (other.fixed.flags.writeable, other.free.flags.writeable) == (False, True)
    assert getattr(other, "note", "kept") == "kept"
    with pytest.raises(FrozenInstanceError):
        other.name = "y"
    assert np.shares_memory(other.free, record.free) == (again is copy.copy)


# ------------------------------------------------------------------------------------------- hands, made up at random


def play(live: LiveHand, rng: np.random.Generator, acts: int = 1000) -> LiveHand:
    """Let the players of a hand do so many acts by chance."""
    for _ in range(acts):
        if live.state.over:
            break
        legal = live.state.legal()
        chances = np.array([{Act.FOLD: 0.15, Act.CALL: 0.5, Act.RAISE: 0.35}[act] for act in legal])
        live.act(legal[rng.choice(len(legal), p=chances / chances.sum())])
    return live


def begin(rng: np.random.Generator, number: int) -> tuple[LiveHand, dict[int, tuple[int, ...]]]:
    """A hand before its first act, and everybody's cards."""
    n = int(rng.integers(2, 5))
    deck = rng.permutation(52).tolist()
    live = LiveHand(GameSpec.ring(n, 5, 10), NAMES[:n], hand_id=str(number))
    live.deal(deck[:5])
    return live, {seat: tuple(deck[5 + 2 * seat : 7 + 2 * seat]) for seat in range(n)}


def finished(live: LiveHand, holdings: dict[int, tuple[int, ...]]) -> pm.Hand:
    actions = [Action.of(decision) for decision in live.decisions]
    return pm.Hand(live.source, live.hand_id, live.spec, live.players, actions, live.dealt, holdings)


# --------------------------------------------------------------------------------------------- sessions in mid-hand

MODELS = [
    *reader_kinds(),
    "loki1?initial=income&calibrated=1",
    "som?contexts=108&showdowns=1&calibrated=1",
    "som?contexts=previous",
    "som?contexts=invested&inverse=1&sigma=observed&recency=8&calibrated=1",
    "loki1?inverse=1",
    "loki2:som?contexts=position&recency=30",
    "loki2?preflop=product&system=B&calibrated=1",
    "loki2:som?contexts=rich&showdowns=1",
    "loki2:contexts?calibrated=1",
    "own?contexts=previous",
    "bpp?estimator=showdown_only&decay=0.9&calibrated=1",
]


def follow(session: OpponentModeler, decisions: list[pm.game.Decision]) -> list[Any]:
    """All that a session says while it observes some acts."""
    said: list[Any] = []
    for decision in decisions:
        said.append(session.predict(decision))
        observation = session.observe(decision)
        said += [
            observation,
            observation.facts(),
            *map(session.table, session.tables.players),
            session.simulation_tables(),
        ]
    return [content(each) for each in said]


def view(session: OpponentModeler) -> list[Any]:
    """What can be seen of a session between two acts."""
    seen: list[Any] = [session.tables.players, session.tables.board, session.tables.active, session.simulation_tables()]
    for player in session.tables.players:
        seen += [session.table(player), session.tables.weights, session.tables.live(session.tables.seat(player))]
    return [content(each) for each in seen]


def conclude(session: OpponentModeler, live: LiveHand, holdings: dict[int, tuple[int, ...]]) -> None:
    session.learn(finished(live, holdings), live.decisions)


def whole(session: OpponentModeler, live: LiveHand, holdings: dict[int, tuple[int, ...]]) -> list[Any]:
    session.start(live.players)
    said = follow(session, live.decisions)
    conclude(session, live, holdings)
    return said


def check_branches(model: str, way: str, seed: int) -> None:
    """A session that is copied in the middle of a hand, which ends in one way here and in another there."""
    rng = np.random.default_rng(seed)
    before = [begin(rng, number) for number in range(2)]
    for live, _ in before:
        play(live, rng)
    begun, holdings = begin(rng, 2)
    play(begun, rng, int(rng.integers(0, 9)))
    seen = list(begun.decisions)
    ends = [play(copy.deepcopy(begun), rng) for _ in range(2)]
    after, after_holdings = begin(rng, 3)
    play(after, rng)

    def session_so_far() -> OpponentModeler:
        session = OpponentModeler(model, hero="Ann", folded_tables=True)
        for live, held in before:
            whole(session, live, held)
        session.start(begun.players)
        session.hold(holdings[0])
        follow(session, seen)
        return session

    def go_on(session: OpponentModeler, end: LiveHand) -> list[Any]:
        said = follow(session, end.decisions[len(seen) :])
        conclude(session, end, holdings)
        return said + whole(session, after, after_holdings)

    one = session_so_far()
    if seen and not begun.state.over:
        one.predict(begun.situation())  # what is worked out ahead is not what goes wrong
    other = one.copy() if way == "method" else WAYS[way](one)
    assert type(other) is OpponentModeler
    assert content(other) == content(one)
    assert view(other) == view(one)
    separate = [go_on(session_so_far(), end) for end in ends]
    # in turn, so that one could disturb the other
    said: list[list[Any]] = [[], []]
    for session, end, into in zip((one, other), ends, said, strict=True):
        into += follow(session, end.decisions[len(seen) :])
    for session, end, into in zip((one, other), ends, said, strict=True):
        conclude(session, end, holdings)
        into += whole(session, after, after_holdings)
    assert said == separate


BRANCHING = ["pickle", "copy", "deepcopy", "method"]


@pytest.mark.parametrize(("number", "model"), list(enumerate(MODELS)))
def test_two_branches_of_a_session_are_two_sessions(number, model):
    check_branches(model, BRANCHING[number % len(BRANCHING)], number)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MODELS), st.sampled_from(BRANCHING), st.integers(0, 2**32))
def test_two_branches_are_two_sessions_whatever_the_hands(model, way, seed):
    check_branches(model, way, seed)


def test_what_a_session_works_out_is_not_pickled():
    hand = pm.example_hand()
    session = OpponentModeler("loki2")
    fresh = len(pickle.dumps(session))
    session.start(hand.players)
    for decision in hand.replay():
        session.predict(decision)
        session.observe(decision)
    spot = session.spot(decision)
    spot_strengths(spot)
    # weights of six players, now and at the round's start, and what was done
    assert len(pickle.dumps(session)) - fresh < 6 * 3 * 1326 * 8
    other = pickled(session)
    assert (session.tables.memo == {}, other.tables.memo) == (False, {})
    assert other.tables.analysis is session.tables.analysis  # of the boards last seen, shared by all
    np.testing.assert_array_equal(spot_strengths(other.spot(decision)), spot_strengths(spot))


@ways
def test_weights_that_sessions_share_cannot_be_written_to(again):
    for model in "loki1", "loki1?initial=income":
        session = OpponentModeler(model)
        session.start(NAMES)
        other = again(session)
        for of in session, other:
            with pytest.raises(ValueError, match="read-only"):
                of.weights("Ann")[0] = 2.0
        assert content(other) == content(session)


@ways
@pytest.mark.parametrize("model", MODELS)
def test_readers(again, model):
    """A reader alone, after a few acts."""
    session = OpponentModeler(model)
    for decision in list(pm.example_hand().replay())[:20]:
        session.observe(decision)
    assert content(again(session.reader)) == content(session.reader)


@ways
@pytest.mark.parametrize("model", MODELS)
def test_observations(again, model):
    """With all that the reader went by; views of tables that many share stay read-only."""
    session = OpponentModeler(model)
    for number, decision in enumerate(pm.example_hand().replay()):
        observation = session.observe(decision)
        if number in (0, 7, 9):
            other = again(observation)
            assert content(other) == content(observation)
            assert other.prior.flags.writeable == observation.prior.flags.writeable
            assert other.after == observation.after
            assert other.facts() == observation.facts()


# ------------------------------------------------------------------------------------------------------ plain values


@ways
def test_what_hands_are_made_of(again):
    hand = pm.example_hand()
    table = pm.WeightTable.from_text("22+, AhKh:0.5", dead="AsKd7h")
    for value in (hand, hand.spec, table, *hand.replay(), *(decision.situation for decision in hand.replay())):
        other = again(value)
        assert type(other) is type(value)
        assert other == value
    other = again(table)
    assert not other.values.flags.writeable
    assert not other.live.flags.writeable
    assert again(hand).payoffs == hand.payoffs


numbers = st.floats(0, 1)


@st.composite
def generators(draw: st.DrawFn) -> TripleGenerator:
    form = draw(st.sampled_from(["own", "reweighting", "printed"]))
    table = tilts = None
    if draw(st.booleans()):
        table = np.random.default_rng(draw(st.integers(0, 99))).dirichlet([1, 1, 1], (3, draw(st.integers(1, 20))))
    if draw(st.booleans()):
        tilts = draw(st.lists(st.lists(st.floats(0.01, 10), min_size=3, max_size=3), min_size=3, max_size=3))
    switches = {name: draw(st.booleans()) for name in ("pot_odds", "showdown_odds", "semi_bluff", "two_bet_limit")}
    return TripleGenerator(
        form=form,
        table=table,
        tilts=tilts,
        least=draw(st.floats(0, 0.3)),
        noise=draw(numbers),
        field=draw(st.sampled_from(["mean", "maximum", "product"])),
        crude_potential=draw(st.sampled_from(["outs", "exact1"])),
        **switches,
    )


@st.composite
def spots(draw: st.DrawFn) -> TripleSpot:
    bets = draw(st.integers(0, 3))
    round = draw(st.integers(0, 3))
    return TripleSpot(
        round, draw(st.floats(0, 1e6)), 2.5 * bets, 2.5, bets, draw(st.integers(0, 4)), draw(st.booleans())
    )


@settings(max_examples=60, deadline=None)
@given(generators(), spots(), st.sampled_from(list(WAYS)), st.lists(numbers, min_size=1, max_size=20), st.booleans())
def test_generators(generator, spot, way, values, semi_bluff):
    other, core, there = WAYS[way](generator), WAYS[way](generator.core), WAYS[way](spot)
    assert there == spot
    assert content(other) == content(generator)
    assert content(core) == content(generator.core) == content(other.core)
    expected = generator.apply(spot, values, values[::-1], values, semi_bluff=semi_bluff)
    assert other.apply(there, values, values[::-1], values, semi_bluff=semi_bluff).tobytes() == expected.tobytes()
    again = np.empty((len(values), 3))
    held = np.array(values)
    core.triples(spot, held, held[::-1].copy(), held, semi_bluff, again)
    assert again.tobytes() == expected.tobytes()
    tilts = np.full((3, 3), 2.0)
    assert content(other.tilted(tilts)) == content(generator.tilted(tilts))


def test_a_generator_keeps_the_table_that_it_was_given():
    table = np.full((3, 1, 3), [0.2, 0.5, 0.3])
    generator = TripleGenerator(table=table)
    table[:] = [1.0, 0.0, 0.0]
    spot = TripleSpot(3, 6, 2, 2, 1, 1, True)
    for other in generator, pickled(generator), generator.tilted(np.ones((3, 3))):
        np.testing.assert_allclose(other.apply(spot, 0.1), [0.2, 0.5, 0.3])


@settings(max_examples=30, deadline=None)
@given(numbers, numbers, st.lists(st.booleans(), min_size=5, max_size=5), st.sampled_from(list(WAYS)), spots())
def test_loki1_rules(make1, make2, switches, way, spot):
    rules = Loki1Rules(make1, make2, *switches)
    other = WAYS[way](rules)
    assert content(other) == content(rules)
    if spot.round:
        for strength in np.linspace(0.0, 1.0, 21):
            arguments = spot, True, float(strength), 0.3, 0.1, False
            assert other.act(*arguments) == rules.act(*arguments)


# ------------------------------------------------------------------------------------------ dealers and simulators


@ways
@pytest.mark.parametrize(
    ("tables", "options"),
    [
        ((["AA, KK", None], "AsKd7h", "QsQh"), {}),
        ((["AsAh", "KK, QQ:0.3", pm.WeightTable.from_text("22+")],), {"mode": "published"}),
        ((["AsAh,KsKh", "AsAh,KsKh"], "2c7d9h"), {"stratified": True}),
    ],
)
def test_dealers(again, tables, options):
    dealer = Dealer(*tables, **options, rng=7)
    dealer.deal(10)
    other = again(dealer)
    assert content(other) == content(dealer)
    assert content(other.deal(20)) == content(dealer.deal(20))
    third = again(other)
    assert content(third.deal(5)) == content(dealer.deal(5)) == content(other.deal(5))
    assert (other.board, other.dead, other.mode, other.weighs) == (
        dealer.board,
        dealer.dead,
        dealer.mode,
        dealer.weighs,
    )


def decision_on_the_flop():
    hand = pm.example_hand()
    session = OpponentModeler("loki2", folded_tables=True)
    for decision in hand.replay():
        if decision.round == 1:
            return Position.before(hand, decision.index), hand.holdings[decision.seat], session.simulation_tables()
        session.observe(decision)
    raise AssertionError


@ways
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"policy": Loki1Rules(0.4, 0.8), "dealing": "published", "stop": "none", "field": "maximum"},
        {"policy": "call", "jobs": 2, "stratified": True},
        {"generator": TripleGenerator(noise=0.2), "strength": "uniform", "potential": "crude"},
        {"cache": pm.classics.Simulator().cache.__class__(1 << 20)},
    ],
)
def test_simulators(again, options):
    position, holding, tables = decision_on_the_flop()
    simulator = Simulator(**options)
    expected = simulator.run(position, holding, tables, trials=100, rng=3)
    other = again(simulator)
    found = other.run(again(position), holding, tables, trials=100, rng=3)
    assert content(found) == content(expected)
    assert content(again(found)) == content(expected)
    assert content(other.__getstate__()) == content(simulator.__getstate__())
    assert (other.cache is Simulator().cache) == ("cache" not in options)
    assert other.cache.memory == simulator.cache.memory


def test_a_policy_in_c_is_copied_but_not_pickled():
    import ctypes

    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = make(ctypes.cast(ctypes.pythonapi.PyLong_FromLong, ctypes.c_void_p), b"pokermodel.policy", None)
    simulator = Simulator(policy=capsule)
    for again in copy.copy, copy.deepcopy:
        assert again(simulator).policy is capsule
    with pytest.raises(TypeError, match="PyCapsule"):
        pickle.dumps(simulator)


# ------------------------------------------------------------------------------------------------- results of others


@ways
def test_results(again):
    """What workers send back."""
    scores = pm.score([pm.example_hand()], "loki1,som")
    result = pm.tables.tournament("call,raise", deals=2, seed=1)
    assert again(scores).to_dict() == scores.to_dict()
    assert again(result).to_dict() == result.to_dict()
    assert content(again(pm.equity(["AA", "KK"], "2c7d9h"))) == content(pm.equity(["AA", "KK"], "2c7d9h"))


def test_another_process_takes_everything():
    """Which has imported nothing before."""
    position, holding, tables = decision_on_the_flop()
    session = OpponentModeler("loki2:som?calibrated=1")
    for decision in list(pm.example_hand().replay())[:9]:
        observation = session.observe(decision)
    things = (
        session,
        observation,
        Simulator(),
        Dealer(["AA", None], rng=1),
        position,
        holding,
        tables,
        State(position.state.spec),
    )
    code = """if True:
        import pickle, sys
        session, observation, simulator, dealer, position, holding, tables, state = pickle.load(sys.stdin.buffer)
        advice = simulator.run(position, holding, tables, trials=64, rng=1)
        found = session.table(0), observation.after, dealer.deal(2), advice.ev.tolist(), repr(state)
        sys.stdout.buffer.write(pickle.dumps(found))
    """
    run = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(things), capture_output=True, check=True)
    advice = Simulator().run(position, holding, tables, trials=64, rng=1)
    expected = session.table(0), observation.after, things[3].deal(2), advice.ev.tolist(), repr(things[7])
    assert content(pickle.loads(run.stdout)) == content(expected)
