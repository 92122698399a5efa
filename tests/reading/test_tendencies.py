"""What a session says of a player in situations that are made for the purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, State, position_names
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.reading import PopulationModel
from pokermodel.reading.tendencies import STRENGTHS, open_to, postflop_tendencies, preflop_tendencies
from tests.common.books import HANDS

SPECS = [
    pm.GameSpec.ring(2, 5, 10),
    pm.GameSpec.ring(3, 5, 10),
    pm.GameSpec.ring(9, 5, 10),
    pm.GameSpec.no_limit(2, 50, 100, stacks=[10_000] * 2),
    pm.GameSpec.no_limit(6, 50, 100, stacks=[3000] * 6),
    pm.GameSpec.pot_limit(6, 50, 100),
]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.players} {spec.structure}")
def test_all_positions_are_asked_about(spec):
    session = pm.OpponentModeler()
    found = preflop_tendencies(session, "Ann", spec)
    first_in = [each.position for each in found if each.raiser is None]
    after_a_raise = [each.position for each in found if each.raiser is not None]
    names = position_names(spec)
    (big,) = {"big blind", "BB"} & set(names)
    assert set(first_in) == set(names) - {big}
    assert len(set(first_in)) == len(first_in)
    assert big in after_a_raise
    assert {each.raiser for each in found} <= {None, *names}
    for each in found:
        assert np.allclose(each.chances.sum(axis=1), 1)
        assert np.allclose(each.chances.mean(axis=0), each.acts)  # all holdings are still as probable
        assert np.allclose(each.acts, each.others)  # nobody knows Ann
        assert (
            each.chances[pm.cards.holding_index("AsAh"), Act.RAISE]
            > each.chances[pm.cards.holding_index("7d2c"), Act.RAISE]
        )
    assert session.learning


def test_first_in_is_what_the_session_forecasts():
    """The button of three acts first: nobody has done anything yet."""
    spec, names = pm.GameSpec.ring(3, 5, 10), ("a", "b", "Ann")
    session = pm.OpponentModeler()
    session.start(names)
    expected = session.expect(pm.game.Situation.of(State(spec), names))
    (found,) = [
        each
        for each in preflop_tendencies(pm.OpponentModeler(), "Ann", spec)
        if (each.position, each.raiser) == ("button", None)
    ]
    assert np.array_equal(found.chances, expected.triples)


def test_what_is_known_of_a_player_counts():
    people = PopulationModel()
    calls = [(seat, Act.CALL) for seat in (2, 0, 1)]
    checks = [(seat, Act.CALL) for seat in (0, 1, 2)] * 3
    spec = HANDS[0].spec
    hand = pm.Hand("test", "1", spec, ("Ann", "Bob", "Cid"), calls + checks, "2c7d9hKs3s", {})
    for _ in range(40):
        people.update([PopulationModel.evidence(hand)])
    session = pm.OpponentModeler("adaptive", people=people)
    before = people.to_bytes()
    found = preflop_tendencies(session, "Ann", spec)
    for each in found:
        assert each.acts[Act.CALL] > each.others[Act.CALL]
    after = postflop_tendencies(session, "Ann", spec, boards=2)
    nobody = postflop_tendencies(session, "Zoe", spec, boards=2)
    for known, other in zip(after, nobody, strict=True):
        assert known.acts[Act.RAISE] < other.acts[Act.RAISE]
    assert people.to_bytes() == before  # nothing was learnt


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.players} {spec.structure}")
def test_after_the_flop(spec):
    found = postflop_tendencies(pm.OpponentModeler(), "Ann", spec, boards=3)
    assert [(each.round, each.facing) for each in found] == [(k, f) for k in (1, 2, 3) for f in (False, True)]
    for each in found:
        assert each.shares.sum() == pytest.approx(1)
        assert each.acts.sum() == pytest.approx(1)
        held = each.shares > 0
        assert np.allclose(each.shares[held] @ each.chances[held], each.acts)
        assert np.isnan(each.chances[~held]).all()
        assert (each.acts[Act.FOLD] > 0) == each.facing
        assert each.chances[-1, Act.RAISE] > each.acts[Act.RAISE]
    again = postflop_tendencies(pm.OpponentModeler(), "Ann", spec, boards=3)
    assert all(np.array_equal(a.acts, b.acts) for a, b in zip(found, again, strict=True))
    with pytest.raises(ValueError, match="boards must be 1 or more"):
        postflop_tendencies(pm.OpponentModeler(), "Ann", spec, boards=0)


SHORT = [
    pm.GameSpec.no_limit(2, 50, 100, stacks=[1500] * 2),
    replace(pm.GameSpec.no_limit(6, 50, 100, stacks=[1500] * 6), antes=(10,) * 6),
    pm.GameSpec.pot_limit(6, 50, 100, stacks=[3500] * 6),
]


@pytest.mark.parametrize("size", [3.7, 5, 15, 80])
@pytest.mark.parametrize("spec", SHORT, ids=lambda spec: f"{spec.players} {spec.structure}")
def test_who_opens_for_much_has_decisions_up_to_the_river(spec, size):
    """They ended with "the hand is over": a half-pot bet on flop or turn was all that was left."""
    before = preflop_tendencies(pm.OpponentModeler(), "Ann", spec, open_size=size)
    assert {each.raiser for each in before} >= {None}
    after = postflop_tendencies(pm.OpponentModeler(), "Ann", spec, open_size=size, boards=1)
    assert [(each.round, each.facing) for each in after] == [(k, f) for k in (1, 2, 3) for f in (False, True)]
    assert all(each.acts.sum() == pytest.approx(1) for each in after)


def test_stacks_that_do_not_last_for_the_least_bets():
    spec = pm.GameSpec.no_limit(2, 50, 100, stacks=[300] * 2)
    with pytest.raises(ValueError, match=r"stacks of \(300, 300\) chips are too small"):
        postflop_tendencies(pm.OpponentModeler(), "Ann", spec, boards=1)


def test_a_first_raise_is_smaller_only_where_stacks_would_not_last():
    spec = pm.GameSpec.no_limit(2, 50, 100, stacks=[1500] * 2)
    assert open_to(spec, 80) == 8000
    assert open_to(spec, 3, bets=2) == 300
    # 374 + 374 + 748 leaves 4 of 1500
    assert open_to(spec, 80, bets=2) == 374


def test_strength_classes_against_a_hand_played_out():
    """One board, heads-up, done with a session by hand: first bets, then calls."""
    spec, board = (
        SPECS[0],
        tuple(np.random.default_rng(np.random.SeedSequence(1)).choice(52, 5, replace=False).tolist()),
    )
    found = postflop_tendencies(pm.OpponentModeler(), "Ann", spec, boards=1, rng=1)
    compared = 0
    for facing in (False, True):
        names = ("x", "Ann") if facing else ("Ann", "x")  # the button has the small blind
        session, state = pm.OpponentModeler(), State(spec)
        session.start(names)
        for index, act in enumerate((Act.RAISE, Act.CALL, *(Act.CALL, Act.RAISE, Act.CALL) * 3)):
            situation = pm.game.Situation.of(state, names, board[: BOARD_CARDS[state.round]])
            here = [each for each in found if (each.round, each.facing) == (state.round, facing)]
            is_asked = situation.player == "Ann" and act == (Act.CALL if facing else Act.RAISE)
            if here and is_asked and bool(situation.to_call) is facing:
                weights, triples = session.spot(situation).weights, session.expect(situation).triples
                strengths = pm.BoardAnalysis(situation.board).strengths()
                for k in range(len(STRENGTHS)):
                    inside = (weights > 0) & (strengths >= k / 5) & ((strengths < (k + 1) / 5) | (k == 4))
                    assert here[0].shares[k] == pytest.approx(weights[inside].sum() / weights.sum())
                    if inside.any():
                        mean = weights[inside] @ triples[inside] / weights[inside].sum()
                        assert np.allclose(here[0].chances[k], mean)
                compared += 1
            session.observe(pm.game.Decision("by hand", "1", index, situation, act, state.act(act)))
    assert compared == 6
