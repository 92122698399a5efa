"""Answers at a price: folds vanish where next to nothing is left to call."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.worth.answers import LEAST_PRICE, answer, price_of, price_seen

NAMES = ("Ann", "Bob")
BOARD = pm.cards.card_indices("QsJh2h8c3d")


def facing(bet, pot=250, spec=None):
    """Bob's spot on the river, facing a bet."""
    spec = GameSpec.no_limit(2, 50, 100, stacks=(400_000, 400_000)) if spec is None else spec
    state, acts = State(spec), []
    session = OpponentModeler()
    while True:
        board = BOARD[: (0, 3, 4, 5)[state.round]]
        situation = Situation.of(state, NAMES, board)
        if state.round == 3 and situation.to_call:
            acts.append(Decision("", "", len(acts), situation, Act.CALL, 0))
            return session.reader, Spot.of(acts, reader=session.reader)
        act, to = Act.CALL, None
        if state.round == 0 and situation.raise_range is not None and not acts:
            act, to = Act.RAISE, pot if not spec.structure.fixed else None
        if state.round == 3:
            act, to = Act.RAISE, bet
        acts.append(Decision("", "", len(acts), situation, act, state.act(act, to)))


def folds(bet):
    reader, spot = facing(bet)
    triples = answer(reader, spot)
    weights = np.where(np.isfinite(spot.reader.expect(spot).triples[:, 0]), 1.0, 0.0)
    return float(weights @ triples[:, Act.FOLD] / weights.sum()), price_of(spot.situation)


def test_nobody_folds_for_next_to_nothing():
    # a bet of 100 into half a million is the least that the rules allow
    reader, spot = facing(100, pot=200_000)
    price = price_of(spot.situation)
    assert price < 0.001
    triples = answer(reader, spot)
    assert triples[:, Act.FOLD].max() < 0.005
    live = np.isfinite(reader.expect(spot).triples[:, 0])
    np.testing.assert_allclose(triples[live].sum(axis=1), 1.0, rtol=1e-6)  # of float32
    assert not price_seen(spot.situation)


def test_what_is_often_offered_is_left_as_the_reader_has_it():
    reader, spot = facing(250)
    assert price_of(spot.situation) > LEAST_PRICE
    found = reader.played_out(spot).triples
    np.testing.assert_array_equal(answer(reader, spot), np.where(found > 0, found, 0.0))
    assert price_seen(spot.situation)


def test_folds_rise_with_the_price():
    """From next to nothing to twice the pot, in steps that are larger than the bins of the reader."""
    bets = [100, 250, 500, 1000, 5000]
    found = [folds(bet)[0] for bet in bets]
    assert found == sorted(found)
    reader, spot = facing(100, pot=2000)
    small = answer(reader, spot)[:, Act.FOLD].mean()
    assert price_of(spot.situation) < LEAST_PRICE
    assert small < found[0]


@pytest.mark.parametrize("bet", [250, 2000])
def test_choices_are_those_that_are_played_out(bet):
    """Which on the river leaves out what ranges say of a bet."""
    reader, spot = facing(bet)
    np.testing.assert_array_equal(reader.choices(spot), reader.played_out(spot).triples)
    assert not np.array_equal(reader.choices(spot), reader.expect(spot).triples, equal_nan=True)


def test_huge_bets_are_not_seen():
    _, spot = facing(390_000)
    assert not price_seen(spot.situation)


def test_in_limit_all_prices_are_seen():
    _, spot = facing(None, spec=GameSpec.heads_up(5, 10))
    assert price_seen(spot.situation)
