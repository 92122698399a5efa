"""What the hero's cards win at a showdown, and how far ranges may be off."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_index
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, GameSpec, Situation, State
from pokermodel.reading import OpponentModeler, Spot
from pokermodel.worth.play_outs import Rake, joint_draws
from pokermodel.worth.showdown import Showdown, range_tilts

BOARD = pm.cards.card_indices("2c7d9hJsQd")
C, R = Act.CALL, Act.RAISE


def spot_of(spec, acts, holding):
    """The spot after some acts of a hand."""
    names = tuple(f"p{k}" for k in range(spec.players))
    session, state = OpponentModeler("adaptive"), State(spec)
    session.start(names)

    def asked():
        return Situation.of(state, names, BOARD[: (0, 3, 4, 5)[state.round]])

    for index, (act, to) in enumerate(acts):
        session.observe(Decision("", "", index, asked(), act, state.act(act, to)))
    return session.spot(asked()).held(holding, state)


def test_one_opponent_is_counted_out():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 60))
    spot = spot_of(spec, [(R, 6), (C, None), (C, None), (R, 8), (R, 54)], "JcTc")
    (seat,) = (each for each in spot.situation.active if each != spot.situation.seat)
    found = Showdown(spot, spot.villains())
    (share, *draws), error = found.shares([seat])
    assert error == 0
    assert np.corrcoef(draws, joint_draws(1)[:, 0])[0, 1] < -0.95  # a stronger range leaves less
    assert min(draws) < share < max(draws)
    table = spot.likely(seat)
    assert share == pytest.approx(float(equity(["JcTc", table], BOARD[:3]).equity[0]))
    assert found.share() == share
    call = found.call()
    assert call.ev == pytest.approx(share * 120 - spot.situation.to_call)
    assert Showdown(spot, spot.villains(), Rake(0.1)).call().ev == pytest.approx(share * 108 - spot.situation.to_call)


def test_a_call_that_leaves_chips_to_bet_has_no_value_of_its_own():
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 60))
    spot = spot_of(spec, [(R, 6), (C, None), (C, None), (R, 8)], "JcTc")
    assert Showdown(spot, spot.villains()).call() is None


def test_the_same_seed_deals_the_same():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, [(R, 250), (C, None)], "AhAd")
    one, two, other = (Showdown(spot, spot.villains(), rng=seed).share() for seed in (1, 1, 2))
    assert one == two != other
    assert one == pytest.approx(other, abs=0.02)


def test_a_range_that_the_cards_rule_out(monkeypatch):
    spec = GameSpec.no_limit(2, 1, 2, stacks=(60, 60))
    spot = spot_of(spec, [(R, 6), (C, None), (C, None), (R, 8), (R, 54)], "JcTc")
    monkeypatch.setattr(Spot, "likely", lambda *_: np.zeros(1326))
    with pytest.raises(ValueError, match=r"no holding of p. is left beside"):
        spot.villains()


def test_tilts_grow_with_what_a_player_did():
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000,) * 3)
    spot = spot_of(spec, [(R, 250), (C, None)], "AhAd")
    tilts = range_tilts(spot)
    assert set(tilts) == {0, 2}
    once = spot_of(spec, [(R, 250)], "AhAd")
    assert not range_tilts(once)[1].any()  # has done nothing yet
    aces, deuces = holding_index("AsAc"), holding_index("3c2d")
    assert tilts[2][aces] > 0 > tilts[2][deuces]
