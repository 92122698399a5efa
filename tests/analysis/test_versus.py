"""Who won how much from whom, and how others play against one of them: against slow versions."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.analysis.versus import Versus, _asked, won_from
from pokermodel.game import BettingStructure
from tests.common.books import FREE, HANDS, SIX
from tests.learning.test_definitions import CASES
from tests.library.test_bits import facts_of

FOLD, CALL, RAISE = pm.Act


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=9), st.floats(0, 1))
def test_all_that_is_won_is_won_from_somebody(net, part):
    rake = part * sum(each for each in net if each > 0)
    for seat, own in enumerate(net):
        found = won_from(net, seat)
        assert found[seat] == 0
        assert all(each * other <= 0 for each, other in zip(found, net, strict=True))
        assert abs(sum(found)) <= abs(own) + 1e-9
    if sum(net) == 0:
        for seat, own in enumerate(net):
            assert sum(won_from(net, seat)) == pytest.approx(own)
    table = [won_from(net, seat) for seat in range(len(net))]
    for a in range(len(net)):
        for b in range(len(net)):
            assert table[a][b] == pytest.approx(-table[b][a])  # what one won the other lost
    assert rake >= 0


def test_one_winner_takes_from_all():
    assert won_from((-100, 300, -200), 1) == [100, 0, 200]
    assert won_from((-100, 300, -200), 0) == [0, -100, 0]
    # of 300 that were lost 15 went to the site: each loser lost a part of it to nobody
    assert won_from((-100, 285, -200), 1) == pytest.approx([95, 0, 190])
    assert won_from((0, 0), 0) == [0, 0]


def against_slowly(statistic, hand, hero):
    """Success and opportunity against a player, by seat and round, worked out anew at each act."""
    seat, found = hand.players.index(hero), {}
    decisions = [each for each in hand.replay() if not each.out_of_turn]
    for number, (decision, facts) in enumerate(facts_of(hand)):
        if decision.round not in statistic.streets or decision.seat == seat:
            continue
        before = decisions[:number]
        raises = [each for each in before if each.round == decision.round and each.act is RAISE]
        if decision.to_call and raises:
            theirs = raises[-1].seat == seat
        else:
            theirs = not any(each.seat == seat and each.act is FOLD for each in before)
        if theirs and eval(statistic.opportunity, {}, dict(facts)):
            where = decision.player, decision.round if statistic.by_street else None
            found[where] = found.get(where, False) or bool(eval(statistic.success, {}, dict(facts)))
    return found


@pytest.mark.parametrize("structure", [BettingStructure.LIMIT, BettingStructure.NO_LIMIT])
def test_what_is_done_against_a_player(structure):
    cases = [hand for hand, _ in CASES.values()]
    hands = [hand for hand in [*HANDS, *FREE, *SIX[::4], *cases] if hand.spec.structure is structure]
    total = 0
    for hand in hands:
        hero = hand.players[0]
        versus = Versus(hero)
        versus.add(hand)
        fast = {}
        for name in hand.players[1:]:
            for each in versus.statistics(name)[structure]:
                fast[name, each.key] = each.against.numerator, each.against.denominator
        slow = {}
        for statistic in _asked(structure):
            rounds = against_slowly(statistic, hand, hero)
            for key, street in statistic.figures().items():
                for name in hand.players[1:]:
                    made = [did for (who, round), did in rounds.items() if who == name and street in (None, round)]
                    if made:
                        slow[name, key] = sum(made), len(made)
        assert fast == slow, hand.id
        total += len(slow)
    assert total > 100


def test_a_hand_counted_by_hand():
    """The button opens, the big blind calls: against the small blind, who folded, nothing is done after that."""
    hand, _ = CASES["a continuation bet, then none; a probe of the river"]

    def found(hero, name):
        versus = Versus(hero)
        versus.add(hand)
        rows = versus.statistics(name)[BettingStructure.NO_LIMIT]
        return {each.key: (each.against.numerator, each.against.denominator) for each in rows}

    bea = found("Dee", "Bea")
    assert bea["fold_to_cbet"] == (0, 1)
    assert bea["vpip"] == (1, 1)
    assert bea["probe_river"] == (1, 1)
    assert bea["fold_to_bet_river"] == (1, 1)
    dee = found("Sam", "Dee")
    assert dee["rfi"] == (1, 1)  # with the small blind still to act
    assert "cbet" not in dee
    assert "fold_to_steal" not in found("Sam", "Bea")  # that was the button's


def test_hands_that_ship():
    path = resources.files("pokermodel").joinpath("data", "samples", "no-limit.txt")
    hands = list(pm.open_hands(path))
    versus = Versus("Robin")
    for hand in hands:
        versus.add(hand)
    net = sum(hand.net_chips[hand.players.index("Robin")] / hand.spec.small_bet for hand in hands)
    assert versus.hands == 40
    assert versus.net_bb == pytest.approx(net)
    opponents = versus.opponents()
    assert [each.won_bb for each in opponents] == sorted((each.won_bb for each in opponents), reverse=True)
    rake = sum(
        -hand.net_chips[seat] * hand.rake_chips / lost / hand.spec.small_bet
        for hand in hands
        if hand.net_chips[seat := hand.players.index("Robin")] < 0
        and (lost := -sum(each for each in hand.net_chips if each < 0))
    )
    assert sum(each.won_bb for each in opponents) == pytest.approx(net + rake)
    for each in opponents:
        other = Versus(each.name)
        for hand in hands:
            other.add(hand)
        (back,) = (one for one in other.opponents() if one.name == "Robin")
        assert back.won_bb == pytest.approx(-each.won_bb)
        assert each.low < each.per_100 < each.high
        assert each.to_dict()["won_bb_per_100"] == each.per_100
    with pytest.raises(ValueError, match="'Zoe' and 'Robin' have played no hand together"):
        versus.statistics("Zoe")


def test_a_hand_without_the_player_is_passed_over():
    versus = Versus("Zoe")
    versus.add(HANDS[0])
    assert (versus.hands, versus.opponents()) == (0, [])
