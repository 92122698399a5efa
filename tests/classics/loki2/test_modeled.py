"""How modelled players act in a simulation."""

from __future__ import annotations

import numpy as np

import pokermodel as pm
from pokermodel.classics.loki1.field import spot_values
from pokermodel.classics.loki2.modeled import modeled_generator
from pokermodel.classics.loki2.triples import TripleSpot


def test_a_simulation_draws_acts_from_its_triples() -> None:
    """By values, the mean of what it expects; folds only of those who face a bet, raises of the strong."""
    hand = pm.example_hand()
    session = pm.OpponentModeler()
    for decision in hand.replay():
        if decision.round == 1:
            break
        session.observe(decision)
    session.deal(decision.board)
    situation = decision.situation
    others = [hand.players[seat] for seat in situation.active if seat != situation.seat]
    spot = session.spot(situation)
    generator = modeled_generator(session.reader, spot, others[0])
    values, _ = spot_values(spot.at(situation._replace(seat=hand.players.index(others[0]), player=others[0])))
    facts = {"round": 1, "pot": 60, "bet": 10, "can_raise": True}
    free = generator.apply(TripleSpot(to_call=0, bets_to_call=0, num_bets=0, **facts), values)
    live = ~np.isnan(values)
    np.testing.assert_allclose(free[live].sum(axis=1), 1)
    facing = generator.apply(TripleSpot(to_call=10, bets_to_call=1, num_bets=1, **facts), values)
    strong, weak = live & (values > 0.9), live & (values < 0.3)
    assert free[live, 0].max() < 0.05
    assert facing[weak, 0].mean() > facing[strong, 0].mean() + 0.1
    assert facing[strong, 2].mean() > facing[weak, 2].mean() + 0.1
    fresh = pm.OpponentModeler()
    fresh.start(hand.players)
    assert modeled_generator(fresh.reader, fresh.spot(next(iter(hand.replay()))), others[0]) is None
