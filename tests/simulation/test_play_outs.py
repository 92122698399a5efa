"""Play-outs by the reader's strategy, beside what is known exactly."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import Expectation, OpponentModeler, Reader, Spot
from pokermodel.simulation.myopic import myopic_advice
from pokermodel.simulation.play_outs import PlayOuts, Rake

BOARD = pm.cards.card_indices("2c7d9hJsQd")


class Folding(Reader):
    """Folds by a number for each holding, and never raises."""

    reads_sizes = True

    def __init__(self, table=None):
        self.table = table

    def prior(self, player):
        return self.table

    def expect(self, spot):
        fold = np.random.default_rng(5).random((1326, 1)) if spot.situation.to_call else np.zeros((1326, 1))
        return Expectation.of(np.concatenate([fold, 1 - fold, 0 * fold], axis=1), spot.weights)


def spot_of(spec, reader, holding, board=BOARD, street=3, table=None, acts=()):
    """The spot of the first to act on a street to which everybody checked or called."""
    names = tuple(f"p{k}" for k in range(spec.players))
    session = OpponentModeler(reader)
    session.start(names)
    state, index, todo = State(spec), 0, list(acts)
    while state.round < street or todo:
        dealt = board[: (0, 3, 4, 5)[state.round]]
        situation = Situation.of(state, names, dealt)
        act, to = (Act.CALL, None) if state.round < street else todo.pop(0)
        session.observe(Decision("", "", index, situation, act, state.act(act, to)))
        index += 1
    situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
    return session.spot(situation).held(holding, state)


@pytest.mark.parametrize("holding", ["AcQc", "3h3s"])
def test_on_the_river_it_is_what_is_known_exactly(holding):
    """Against one who folds or calls, what acts are worth is exact in `myopic_advice`, which walks no tree."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), holding)
    exact = myopic_advice(spot)
    acts = [(each.act, each.to) for each in exact.acts]
    # prices below an eighth are answered by nobody's reader: sizes are usual ones
    found = PlayOuts(spot, deals=400).run(acts, 1, most=32)
    for k, each in enumerate(exact.acts):
        assert found.ev[k] / 2 == pytest.approx(each.ev, abs=max(4 * found.errors[k, k] / 2, 1e-9)), each
        assert found.errors[k, k] < 0.5


def test_without_bets_it_is_the_equity():
    spec = GameSpec.no_limit(3, 1, 2, stacks=(2, 2, 2))
    names = ("p0", "p1", "p2")
    session = OpponentModeler(Folding())
    session.start(names)
    state = State(spec)
    state_acts = []
    while state.seat != 0 or not state_acts:
        situation = Situation.of(state, names)
        state_acts.append(Decision("", "", len(state_acts), situation, Act.CALL, state.act(Act.CALL)))
        session.observe(state_acts[-1])
    spot = session.spot(Situation.of(state, names)).held("AhAd", state)
    found = PlayOuts(spot, deals=200).run([(Act.FOLD, None), (Act.CALL, None)], 1, most=32)
    share = equity(["AhAd", None, None], trials=200_000, rng=1).equity[0]
    assert found.ev[0] == 0
    assert found.errors[0, 0] == 0
    assert found.ev[1] == pytest.approx(share * 6 - 1, abs=max(0.06, 4 * found.errors[1, 1]))


def test_the_same_seed_gives_the_same_result_and_rake_is_taken():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    acts = [(Act.CALL, None), (Act.RAISE, 4)]
    first, again = (PlayOuts(spot).run(acts, 7, most=8) for _ in range(2))
    np.testing.assert_array_equal(first.ev, again.ev)
    raked = PlayOuts(spot, rake=Rake(0.1)).run(acts, 7, most=8)
    assert (raked.ev < first.ev).all()
    won = PlayOuts(spot, rake=Rake(0.1, cap=0.01)).run(acts, 7, most=8)
    assert (won.ev > raked.ev).all()


def test_stronger_ranges_are_worth_less():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "KdJh")
    strength = spot.analysis.uniform_strengths
    up = np.nan_to_num(2 * strength - 1)
    found = PlayOuts(spot, {1: up, 0: up}).run([(Act.CALL, None)], 1, most=16)
    assert found.stronger[0] < found.ev[0] < found.weaker[0]


def test_the_adaptive_reader_plays_all_streets_and_sizes():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "adaptive", "AhAd", street=0, acts=[(Act.RAISE, 250)])
    acts = [(Act.FOLD, None), (Act.CALL, None), (Act.RAISE, 800)]
    found = PlayOuts(spot, deals=32).run(acts, 1, most=16)
    assert found.ev[2] > 0  # aces
    assert found.ev[1] > 0
    assert found.deals == 8 * 16 + 8 * 32
    assert found.errors[0, 1] == pytest.approx(found.errors[1, 1])


def test_it_ends_where_it_is_clear():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    found = PlayOuts(spot, deals=32).run([(Act.CALL, None)], 1, most=64, enough=lambda ev, errors: True)
    assert found.deals == 8 * 16


def test_what_it_cannot_play_out():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 90))
    spot = spot_of(spec, Folding(), "AcQc")
    with pytest.raises(ValueError, match="most"):
        PlayOuts(spot).run([(Act.CALL, None)], 1, most=4)
    with pytest.raises(ValueError, match="reader"):
        PlayOuts(Spot.of([Decision("", "", 0, spot.situation, Act.CALL, 0)]).held("AcQc"))
    only = np.zeros(1326)
    only[holding_index("AcQh")] = 1.0
    with pytest.raises(ValueError, match="no holding of p"):
        PlayOuts(spot_of(spec, Folding(only), "AcQc"))
