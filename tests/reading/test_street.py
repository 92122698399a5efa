"""The street of a decision: ranges and reader as it began."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.reading import OpponentModeler, Reader, Spot, spot_of
from pokermodel.reading.street import street_reader, street_tables
from tests.common.six_handed import CHECKED, RIVER

MODELS = ["adaptive", "loki1", "loki2", "som"]


def follow(session, hand, index, holding=None):
    """The spot of a decision, in a session that may know its hero's cards."""
    session.start(hand.players)
    if holding is not None:
        session.hold(holding)
    for decision in hand.replay():
        if decision.index == index:
            return session.spot(decision)
        session.observe(decision)
    raise AssertionError("no such decision")


@pytest.mark.parametrize("model", MODELS)
def test_ranges_as_a_street_began(model):
    """They are those of the session when the cards were dealt, whatever was done on the street since."""
    hand = pm.example_hand()
    decisions = list(hand.replay())
    last = decisions[-1]
    first = next(decision for decision in decisions if decision.round == last.round)
    begun = follow(OpponentModeler(model, learning=False), hand, first.index).tables
    tables = street_tables(follow(OpponentModeler(model, learning=False), hand, last.index))
    assert tables.board == last.board
    assert tables.active == first.active
    for mine, theirs in zip(tables.weights, begun, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("model", MODELS)
def test_nobody_s_cards_are_known_in_them(model):
    """A session that has ruled the hero's cards out reads the streets before again."""
    hand = pm.example_hand()
    index = len(list(hand.replay())) - 2
    plain = street_tables(spot_of(OpponentModeler(model, learning=False), hand, index))
    session = OpponentModeler(model, hero="Eve", public_models=False, learning=False)
    held = follow(session, hand, index, hand.holdings[hand.players.index("Eve")])
    found = street_tables(held)
    for mine, theirs in zip(found.weights, plain.weights, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert street_tables(held).weights is found.weights  # once for the street
    own = pm.cards.holding_index(hand.holdings[hand.players.index("Eve")])
    assert held.tables[0][own] == 0 < found.weights[0][own]


def test_an_earlier_street():
    spot = spot_of(OpponentModeler(), RIVER, 12)
    flop = next(decision for decision in RIVER.replay() if decision.round == 1)
    tables = street_tables(spot, 1)
    assert tables.board == flop.board
    assert tables.active == flop.active
    expected = follow(OpponentModeler(learning=False), RIVER, flop.index).tables
    for seat in flop.active:
        np.testing.assert_array_equal(tables.weights[seat], expected[seat])


def test_a_reader_that_keeps_something_of_the_hand_is_read_again():
    hand = pm.example_hand()
    spot = spot_of(OpponentModeler("loki1", learning=False), hand, 25)
    assert spot.reader.follows_hands
    assert street_reader(spot, 3) is not spot.reader
    adaptive = spot_of(OpponentModeler(learning=False), hand, 25)
    assert street_reader(adaptive, 3) is adaptive.reader
    assert not Reader().follows_hands


def test_spots_of_decisions():
    session = OpponentModeler(hero="Dee")
    first = next(iter(RIVER.replay()))
    session.observe(first)
    before = session.table("Bea")
    spot = spot_of(session, RIVER, 12, folded=True)
    assert spot.situation == list(RIVER.replay())[12].situation
    assert len(spot.acts) == 12
    assert set(spot.folded) == {seat for seat in range(6) if seat not in spot.active}
    assert session.table("Bea") == before
    assert session.folded_tables is False


def test_what_is_refused():
    hand = pm.example_hand()
    for decision, message in [
        (99, "has no act 100"),
        ("x", "expected a decision of the hand or its index"),
        (True, "expected a decision of the hand or its index"),
        (next(iter(CHECKED.replay())), "is not one of hand 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            spot_of(OpponentModeler(), hand, decision)
    outside = Spot.of(list(hand.replay())[:26])
    with pytest.raises(ValueError, match="expected a spot with a reader"):
        street_reader(outside, 3)
    with pytest.raises(ValueError, match="expected a spot with a reader"):
        street_tables(outside, 1)


def test_villains_are_held_against_the_hero_s_cards():
    hand = pm.example_hand()
    decision = next(each for each in hand.replay() if each.player == "Eve" and each.round == 1)
    spot = spot_of(OpponentModeler(), hand, decision)
    with pytest.raises(ValueError, match="no advice without the cards of Eve"):
        spot.villains()
    held = spot.held("9h8h")
    found = held.villains()
    assert list(found) == [seat for seat in decision.active if seat != decision.seat]
    assert held.own_cards == pm.cards.card_indices("9h8h")
    for seat, weights in found.items():
        assert weights[pm.cards.holding_index("9h2c")] == 0
        live = weights > 0
        np.testing.assert_array_equal(weights[live], spot.likely(seat)[live])
