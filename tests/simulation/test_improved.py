"""Play-outs in which the hero's later acts are improved."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import Expectation, OpponentModeler, Reader, Spot
from pokermodel.simulation.improved import ImprovedPlayOuts
from pokermodel.simulation.myopic import myopic_advice
from pokermodel.simulation.play_outs import PlayOuts

BOARD = pm.cards.card_indices("2c7d9hJsQd")


class Known(Reader):
    """Folds by a number for each holding where there is a bet, else bets always or never; holds what it is told."""

    reads_sizes = True

    def __init__(self, table=None, *, folds=False, bets=False):
        self.table, self.folds, self.bets = table, folds, bets

    def prior(self, player):
        return self.table

    def expect(self, spot):
        situation = spot.situation
        found = np.zeros((1326, 3))
        if situation.to_call and self.folds:
            found[:, Act.FOLD] = np.random.default_rng(5).random(1326)
        bets = self.bets and not situation.to_call and Act.RAISE in situation.legal
        found[:, Act.RAISE if bets else Act.CALL] = 1 - found[:, Act.FOLD]
        return Expectation.of(found, spot.weights)


def spot_of(spec, reader, holding, street, board=BOARD):
    """The spot of the hero, who acts first after the flop, on a street to which everybody checked or called."""
    names, seat = tuple(f"p{k}" for k in range(spec.players)), spec.first[1]
    session = OpponentModeler(reader)
    session.start(names)
    state, index = State(spec), 0
    while state.round < street or state.seat != seat:
        situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
        session.observe(Decision("", "", index, situation, Act.CALL, state.act(Act.CALL)))
        index += 1
    situation = Situation.of(state, names, board[: (0, 3, 4, 5)[state.round]])
    return session.spot(situation).held(holding, state)


def only(*texts):
    table = np.zeros(1326)
    table[[holding_index(text) for text in texts]] = 1.0
    return table


@pytest.mark.parametrize("players", [2, 3])
def test_on_the_river_it_is_what_is_known_exactly(players):
    """Against those who fold or call, what acts are worth is exact in `myopic_advice`, which walks no tree."""
    spec = GameSpec.no_limit(players, 1, 2, stacks=(90,) * players)
    spot = spot_of(spec, Known(folds=True), "AcQc", 3)
    exact = myopic_advice(spot, deals=100_000, rng=1)
    acts = [(each.act, each.to) for each in exact.acts]
    found = ImprovedPlayOuts(spot, deals=400).run(acts, 1, most=32)
    for k, each in enumerate(exact.acts):
        error = np.hypot(found.errors[k, k] / 2, each.standard_error)
        assert found.ev[k] / 2 == pytest.approx(each.ev, abs=max(4 * error, 1e-9)), each
        assert found.errors[k, k] < 0.7


def test_later_acts_are_improved():
    """Who never bets by themselves bets the best hand later, if they see what that is worth."""
    spec = GameSpec.ring(3, 1, 2)
    spot = spot_of(spec, Known(), "QcQh", 1)
    check = [(Act.CALL, None)]
    plain = PlayOuts(spot).run(check, 1, most=64)
    found = ImprovedPlayOuts(spot).run(check, 1, most=16)
    assert plain.ev[0] < spot.situation.pot
    assert found.ev[0] > plain.ev[0] + 2 * 4  # bets of four on turn and river, called by two


def test_cards_to_come_are_not_seen():
    """A draw without the price is folded, whatever the river of the run-out is."""
    spec = GameSpec.ring(2, 1, 2)
    board = pm.cards.card_indices("2c7c9hJsQd")
    spot = spot_of(spec, Known(only("JcJh", "JdJh", "9c9d", "9d9s"), bets=True), "AcKc", 2, board)
    found = ImprovedPlayOuts(spot, deals=64).run([(Act.CALL, None)], 1, most=32)
    # a bet of 4 into 4 asks for a third of the pot, and the draw comes one time in five
    assert found.ev[0] == pytest.approx(0.0, abs=0.2)


def test_before_the_flop_it_ends_with_the_flop():
    spec = GameSpec.ring(6, 1, 2)
    spots = [spot_of(spec, Known(), holding, 0) for holding in ("AcAd", "7c2d")]
    best, worst = (ImprovedPlayOuts(spot).run([(Act.FOLD, None), (Act.CALL, None)], 1, most=32) for spot in spots)
    assert best.ev[0] == worst.ev[0] == 0.0
    assert best.ev[1] > 4
    assert worst.ev[1] < 0  # all see a flop, and it is behind
    assert best.deals == 32 * 64


def test_the_same_seed_gives_the_same_result():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, "adaptive", "AhAd", 1)
    acts = [(Act.CALL, None), (Act.RAISE, 300)]
    first, again = (ImprovedPlayOuts(spot, deals=32).run(acts, 7, most=16) for _ in range(2))
    np.testing.assert_array_equal(first.ev, again.ev)
    np.testing.assert_array_equal(first.errors, again.errors)
    assert first.deals == 16 * 32
    assert first.errors[0, 1] == pytest.approx(first.errors[1, 0])
    ended = ImprovedPlayOuts(spot, deals=32).run(acts, 7, most=64, enough=lambda ev, errors: True)
    assert ended.deals == 8 * 32


def test_what_it_cannot_play_out():
    spec = GameSpec.ring(2, 1, 2)
    spot = spot_of(spec, Known(), "AcQc", 3)
    with pytest.raises(ValueError, match="most"):
        ImprovedPlayOuts(spot).run([(Act.CALL, None)], 1, most=4)
    with pytest.raises(ValueError, match="deals"):
        ImprovedPlayOuts(spot, deals=4)
    with pytest.raises(ValueError, match="reader"):
        ImprovedPlayOuts(Spot.of([Decision("", "", 0, spot.situation, Act.CALL, 0)]).held("AcQc"))
    with pytest.raises(ValueError, match="no holding of p0"):
        ImprovedPlayOuts(spot_of(spec, Known(only("AcQh")), "AcQc", 3))
