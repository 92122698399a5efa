"""Loki-1's betting: worked examples from Papp 1998, chapter 6 and appendix B."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.classics.loki1 import postflop as loki1_postflop
from pokermodel.classics.loki1 import preflop as loki1_preflop
from pokermodel.classics.loki1.postflop import PostflopFeatures, postflop_action
from pokermodel.classics.loki1.preflop import Strategy
from pokermodel.classics.loki2.triples import TripleSpot
from pokermodel.classics.simulation import Loki1Rules
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import deal_cards, play_hand
from pokermodel.tables.players import make_player
from tests.common.situations import situation


def test_odds():
    assert loki1_postflop.pot_odds(20, 4) == pytest.approx(0.166667, abs=5e-7)
    assert loki1_postflop.semi_bluff_odds(12, 2) == pytest.approx(0.166667, abs=5e-7)
    assert loki1_postflop.showdown_odds(20, 4, 4, flop=False) == 0.25
    assert loki1_postflop.showdown_odds(10, 2, 2, flop=True) == pytest.approx(0.357143, abs=5e-7)
    assert loki1_postflop.pot_odds(0, 0) == 0


@pytest.mark.parametrize(
    ("odds", "amounts", "message"),
    [
        ("pot_odds", (-1, 2), "pot must be 0 or more chips, got -1"),
        ("pot_odds", (10, float("nan")), "chips must be 0 or more chips, got nan"),
        ("semi_bluff_odds", (10, 0), "bet must be positive, got 0"),
        ("semi_bluff_odds", (float("inf"), 2), "pot must be 0 or more chips, got inf"),
        ("showdown_odds", (10, -2, 2), "to_call must be 0 or more chips, got -2"),
        ("showdown_odds", (10, 2, -2), "bet must be 0 or more chips, got -2"),
    ],
)
def test_odds_of_what_is_no_amount(odds, amounts, message):
    more = {"flop": True} if odds == "showdown_odds" else {}
    with pytest.raises(ValueError, match=message):
        getattr(loki1_postflop, odds)(*amounts, **more)


def test_first_published_preflop_decision():
    """ATs, six players, tight, two folds before us, the button behind."""
    assert loki1_preflop.expected_players(3, 4) == pytest.approx(3.6)
    group = loki1_preflop.player_group(3, 4)
    thresholds = loki1_preflop.preflop_thresholds(group, "tight", 1)
    assert [thresholds[s] for s in (Strategy.MAKE1, Strategy.MAKE2, Strategy.MAKE4)] == [100, 250, 580]
    strategy = loki1_preflop.preflop_strategy("AsTs", guaranteed=3, in_pot=4, position=1, tightness="tight")
    assert strategy == Strategy.MAKE2


def test_second_published_preflop_decision():
    """A8s on the button, four in, moderate."""
    thresholds = loki1_preflop.preflop_thresholds("three to four", "moderate", 0)
    assert [thresholds[s] for s in (Strategy.MAKE1, Strategy.MAKE2, Strategy.MAKE4)] == [50, 200, 580]
    strategy = loki1_preflop.preflop_strategy("As8s", guaranteed=3, in_pot=4, position=0, tightness="moderate")
    assert strategy == Strategy.MAKE2


@pytest.mark.parametrize(("guaranteed", "in_pot", "group"), [
    (2, 2, "two"), (2, 3, "three to four"), (3, 5, "three to four"), (3, 6, "five or more"), (4, 5, "five or more"),
])  # fmt: skip
def test_groups(guaranteed, in_pot, group):
    assert loki1_preflop.player_group(guaranteed, in_pot) == group


def test_the_small_blind_calls_by_its_own_thresholds():
    kwargs = {"tightness": "moderate", "position": 5}
    plain = loki1_preflop.preflop_thresholds("five or more", **kwargs)
    small = loki1_preflop.preflop_thresholds("five or more", small_blind=True, **kwargs)
    assert plain[Strategy.CALL1] == plain[Strategy.MAKE1] == 250
    assert small[Strategy.CALL1] == 0
    assert small[Strategy.CALL2] == 450
    shifted = loki1_preflop.preflop_thresholds("five or more", small_blind=True, shift=-100, **kwargs)
    assert shifted[Strategy.CALL1] == -100
    two = loki1_preflop.preflop_thresholds("two", "moderate", 1, small_blind=True)
    assert two[Strategy.CALL1] == two[Strategy.MAKE1] == 0


@pytest.mark.parametrize(("strategy", "to_call", "bets_to_call", "num_bets", "put_in", "act"), [
    (Strategy.MAKE0, 0, 0, 1, 0, Act.CALL),
    (Strategy.MAKE0, 2, 1, 1, 0, Act.FOLD),
    (Strategy.CALL1, 2, 1, 1, 0, Act.CALL),
    (Strategy.CALL1, 4, 2, 2, 0, Act.FOLD),
    (Strategy.CALL1, 4, 2, 3, 1, Act.CALL),
    (Strategy.MAKE1, 0, 0, 0, 0, Act.RAISE),
    (Strategy.MAKE1, 0, 0, 1, 0, Act.CALL),  # the big blind is a bet: Make1 never opens before the flop
    (Strategy.CALL2, 8, 4, 4, 0, Act.CALL),
    (Strategy.MAKE2, 2, 1, 1, 0, Act.RAISE),
    (Strategy.MAKE2, 4, 2, 2, 0, Act.CALL),
    (Strategy.MAKE4, 6, 3, 3, 1, Act.RAISE),
])  # fmt: skip
def test_preflop_actions(strategy, to_call, bets_to_call, num_bets, put_in, act):
    assert loki1_preflop.preflop_action(
        strategy, to_call=to_call, bets_to_call=bets_to_call, num_bets=num_bets, bets_put_in=put_in
    ) == act  # fmt: skip


FLOP = situation(round=1, pot=10, to_call=2, bet_size=2, bets_to_call=1, num_bets=1, bets_put_in=0)


@pytest.mark.parametrize(("changes", "strength", "ppot", "npot", "act"), [
    ({}, 0.30, 0.10, 0.15, Act.FOLD),  # EHS .325 below the showdown odds .357
    ({}, 0.35, 0.10, 0.15, Act.CALL),  # EHS .3625
    ({}, 0.50, 0.0, 0.0, Act.CALL),
    ({"to_call": 4, "bets_to_call": 2, "num_bets": 2}, 0.60, 0.0, 0.0, Act.FOLD),
    ({"to_call": 4, "bets_to_call": 2, "num_bets": 2, "bets_put_in": 1}, 0.60, 0.0, 0.0, Act.CALL),
    ({"to_call": 4, "bets_to_call": 2, "num_bets": 2}, 0.90, 0.0, 0.0, Act.CALL),
    ({}, 0.90, 0.0, 0.0, Act.RAISE),
    ({}, 0.10, 0.20, 0.0, Act.CALL),  # pot odds 2/12
    ({"to_call": 0, "bets_to_call": 0, "num_bets": 0}, 0.60, 0.0, 0.0, Act.RAISE),
    ({"to_call": 0, "bets_to_call": 0, "num_bets": 0}, 0.10, 0.05, 0.0, Act.CALL),
])  # fmt: skip
def test_postflop_actions(changes, strength, ppot, npot, act):
    found, _, reason = postflop_action(FLOP._replace(**changes), strength=strength, ppot=ppot, npot=npot)
    assert found == act, reason


def test_effective_strengths_of_the_example():
    reason = postflop_action(FLOP, strength=0.35, ppot=0.10, npot=0.15)[2]
    assert "EHS 0.362" in reason or "EHS 0.363" in reason  # .3625
    reason = postflop_action(FLOP._replace(pot=12), strength=0.415, ppot=0.0)[2]
    assert reason.startswith("showdown odds")


def test_a_semi_bluff_is_carried_on_until_somebody_bets():
    free = situation(1, 12, 0, 2, 0, 0, 0)
    act, flag, _ = postflop_action(free, strength=0.1, ppot=0.17)
    assert (act, flag) == (Act.RAISE, True)
    turn = free._replace(round=2, pot=16, bet_size=4)
    assert postflop_action(turn, strength=0.1, ppot=0.0, semi_bluff=flag)[:2] == (Act.RAISE, True)
    river = free._replace(round=3, pot=24, bet_size=4)
    assert postflop_action(river, strength=0.1, semi_bluff=flag)[:2] == (Act.RAISE, True)
    bet_into = river._replace(to_call=4, bets_to_call=1, num_bets=1)
    assert postflop_action(bet_into, strength=0.01, semi_bluff=flag)[:2] == (Act.FOLD, False)
    assert postflop_action(free, strength=0.1, ppot=0.1, semi_bluff=True)[:2] == (Act.CALL, False)  # a new flop


def test_the_river_is_called_by_the_odds():
    river = situation(3, 20, 4, 4, 1, 1, 0)
    assert postflop_action(river, strength=0.17)[0] == Act.CALL
    assert postflop_action(river, strength=0.16)[0] == Act.FOLD
    assert postflop_action(river, strength=0.16, ppot=0.9)[0] == Act.FOLD  # there is no potential left


def test_without_pot_odds_the_river_is_not_called_by_them():
    """Papp 1998, Fig 6.3: the river is inside "check pot odds"; player C of experiment 8.1 "did not use pot odds"."""
    river, none = situation(3, 20, 4, 4, 1, 1, 0), PostflopFeatures(pot_odds=False)
    assert postflop_action(river, strength=0.45)[0] == Act.CALL
    assert postflop_action(river, strength=0.45, features=none)[0] == Act.FOLD
    assert postflop_action(river, strength=0.50, features=none)[0] == Act.CALL  # make1 calls one bet
    assert Loki1Rules(pot_odds=False).act(TripleSpot(3, 20, 4, 4, 1, 1, True), False, 0.45, 0, 0, False)[0] == Act.FOLD


def test_features_can_be_switched_off():
    assert postflop_action(FLOP, strength=0.35, ppot=0.1, features=PostflopFeatures(showdown_odds=False))[0] == Act.FOLD
    no_odds = PostflopFeatures(pot_odds=False, showdown_odds=False)
    assert postflop_action(FLOP, strength=0.1, ppot=0.3, features=no_odds)[0] == Act.FOLD
    free = situation(1, 12, 0, 2, 0, 0, 0)
    assert postflop_action(free, strength=0.1, ppot=0.3, features=PostflopFeatures(semi_bluff=False))[0] == Act.CALL
    simple = PostflopFeatures(simple=True)
    assert postflop_action(FLOP, strength=0.4, ppot=0.9, features=simple)[0] == Act.FOLD
    assert postflop_action(FLOP, strength=0.5, features=simple)[0] == Act.CALL
    assert postflop_action(FLOP, strength=0.85, features=simple)[0] == Act.RAISE
    assert postflop_action(free, strength=0.4, features=simple)[0] == Act.CALL


@pytest.mark.parametrize(("to_call", "bets_to_call", "put_in", "printed", "folding"), [
    (0, 0, 0, Act.CALL, Act.CALL),
    (0, 0, 1, Act.CALL, Act.CALL),
    (2, 1, 0, Act.FOLD, Act.FOLD),
    (2, 1, 1, Act.CALL, Act.FOLD),  # bet, was raised, and is weak now
    (4, 2, 1, Act.CALL, Act.FOLD),
    (4, 2, 0, Act.FOLD, Act.FOLD),
])  # fmt: skip
def test_make0_of_the_simple_strategy(to_call, bets_to_call, put_in, printed, folding):
    """Papp 1998, Fig 6.2: who has put in a bet voluntarily in this round calls instead of folding."""
    faced = FLOP._replace(
        to_call=to_call, bets_to_call=bets_to_call, num_bets=bets_to_call + put_in, bets_put_in=put_in
    )
    for make0, act in ((True, printed), (False, folding)):
        features = PostflopFeatures(simple=True, make0=make0)
        assert postflop_action(faced, strength=0.3, ppot=0.9, features=features)[0] == act
        rules = Loki1Rules(simple=True, make0=make0)
        spot = TripleSpot(1, 10, to_call, 2, bets_to_call, faced.num_bets, True)
        assert rules.act(spot, put_in > 0, 0.3, 0.9, 0.0, False) == (act, False)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="unknown tightness"):
        loki1_preflop.preflop_strategy("AsTs", guaranteed=2, in_pot=2, position=0, tightness="wild")
    with pytest.raises(ValueError, match="unknown group"):
        loki1_preflop.preflop_thresholds("six", "tight", 0)


def test_with_a_reader_of_sizes_it_plays_any_game():
    """Bets and raises are two thirds of the pot, as far as there are chips."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(60,) * 3)
    raises = []
    for number in range(12):
        players = [make_player("loki1?model=adaptive") for _ in range(3)]
        deal = deal_cards(3, np.random.default_rng(number))
        hand = play_hand(spec, ("Ann", "Bo", "Cy"), players, deal)
        raises += [decision for decision in hand.decisions if decision.act == Act.RAISE]
    assert len(raises) > 5
    for decision in raises:
        situation = decision.situation
        wanted = situation.in_round + situation.to_call + 2 / 3 * (situation.pot + situation.to_call)
        least, most = situation.raise_range
        assert decision.to == min(max(least, round(wanted)), most)
    with pytest.raises(ValueError, match="plays limit"):
        play_hand(spec, ("Ann", "Bo", "Cy"), [make_player("loki1")] * 3, deal)
