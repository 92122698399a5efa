"""What a reader is given: by itself, and as a session makes it."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading import Expectation, HandTables, OpponentModeler, Reader, Spot, make_reader, read_reader
from pokermodel.reading.features import BettingHistory
from tests.common.books import HANDS

READERS = ("loki1", "som", "loki2", "loki2:contexts", "bpp", "adaptive", "contexts", "uniform")


@pytest.mark.parametrize("name", READERS)
def test_a_reader_needs_no_session(name):
    """Before anybody has acted, a spot without a session says what one with it does."""
    for hand in HANDS[:4]:
        first, *_ = hand.replay()
        session = OpponentModeler(name)
        session.start(hand.players)
        reader = make_reader(read_reader(name)[0])
        reader.start(hand.players)
        np.testing.assert_array_equal(
            reader.expect(Spot.of([first])).predicted, session.expect(first).predicted, strict=True
        )


def test_a_spot_of_decisions_has_what_was_before_them():
    hand = pm.example_hand()
    decisions = list(hand.replay())
    history, gone = BettingHistory(len(hand.players)), []
    for number, decision in enumerate(decisions):
        spot = Spot.of(decisions[: number + 1])
        assert spot.acts == tuple(decisions[:number])
        assert spot.features == history.features(decision.situation)
        assert spot.active == tuple(seat for seat in range(len(hand.players)) if seat not in gone)
        assert (spot.player, spot.dead) == (decision.player, decision.board)
        assert (spot.analysis is None) == (decision.round == 0)
        assert len(spot.opponents) == len(spot.active) - 1
        assert not spot.weights[~pm.cards.live_holdings(decision.board)].any()
        history.add(decision)
        if decision.act == Act.FOLD:
            gone.append(decision.seat)
    with pytest.raises(ValueError, match="a spot needs a decision to be made: got none"):
        Spot.of([])


def test_a_spot_stays_as_it_was():
    """Whatever the session sees later; nothing of it is written to."""
    hand = pm.example_hand()
    session = OpponentModeler("loki2")
    session.start(hand.players)
    seen = []
    for decision in hand.replay():
        spot = session.spot(decision)
        opponents = [each.tobytes() for each in spot.opponents]
        seen.append((spot, spot.features, spot.acts, spot.weights.tobytes(), opponents))
        session.observe(decision)
    for spot, features, acts, weights, opponents in seen:
        assert (spot.features, spot.acts, spot.weights.tobytes()) == (features, acts, weights)
        assert [each.tobytes() for each in spot.opponents] == opponents


def test_the_heros_cards_are_dead_to_the_others_alone():
    hand = pm.example_hand()
    hero = hand.players[0]
    session = OpponentModeler("bpp", hero=hero)
    session.start(hand.players)
    session.hold("AsKs")
    for decision in hand.replay():
        spot = session.spot(decision)
        assert spot.dead == decision.board + (() if decision.player == hero else pm.cards.card_indices("AsKs"))
        session.observe(decision)
    public = OpponentModeler("loki1", hero=hero)
    public.start(hand.players)
    public.hold("AsKs")
    assert public.spot(next(hand.replay())).dead == ()


def test_what_a_reader_says_is_asked_once():
    class Counting(Reader):
        asked = 0

        def expect(self, spot):
            self.asked += 1
            return Expectation.alike([0.2, 0.5, 0.3])

    reader, hand = Counting(), pm.example_hand()
    session = OpponentModeler(reader, learning=False)
    decisions = list(hand.replay())
    session.start(hand.players)
    for decision in decisions:
        session.predict(decision)
        session.expect(decision)
        session.observe(decision)
    assert reader.asked == len(decisions)


def test_elsewhere_in_the_round():
    """After acts that nobody has done, a spot has the features that it would have had after them."""
    live = pm.game.LiveHand(pm.GameSpec.ring(3, 1, 2), ("Ann", "Bob", "Cid"))
    session = OpponentModeler("uniform")
    session.start(live.players)
    situation = live.situation()
    spot = session.spot(situation)
    state = live.state.copy()
    act = Decision("", "", 0, situation, Act.RAISE, state.act(Act.RAISE))
    after = Situation.of(state, live.players)
    imagined = spot.at(after, [act])
    done = live.act(Act.RAISE)
    session.observe(done)
    assert imagined.features == session.spot(live.situation()).features
    assert (imagined.acts, spot.acts) == ((act,), ())
    assert imagined.weights is spot.tables[after.seat]


def test_tables_that_are_handed_in():
    hand = pm.example_hand()
    decisions = list(hand.replay())
    tables = HandTables(hand.players)
    best = pm.WeightTable.from_text("AA,KK").values
    tables.put(decisions[0].seat, best)
    spot = Spot.of(decisions[:1], tables)
    np.testing.assert_array_equal(spot.weights, best)
    assert repr(spot) == f"<Spot of {decisions[0].player}, 6 players in, 0 acts before>"


def test_situations_that_follow_and_others():
    """A session takes any situation that is next in its hand, and refuses others."""
    hand = Hand("test", "1", pm.GameSpec.ring(2, 1, 2), "AB", [(0, Act.CALL)])
    session = OpponentModeler()
    session.start(hand.players)
    (decision,) = hand.replay()
    assert session.spot(decision) is session.spot(decision.situation)
    with pytest.raises(ValueError, match="unknown player 'Zoe': the hand has A, B"):
        session.spot(decision.situation._replace(player="Zoe"))
