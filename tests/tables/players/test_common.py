"""What players of a table share is what each would work out alone."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.game import GameSpec, LiveHand
from pokermodel.tables.players import CommonKnowledge
from tests.common.engine import random_hand

SPEC = GameSpec.ring(4, 5, 10)
READERS = {
    "gom": {},
    "som": {},
    "bpp": {"public_models": True},
    "loki2:som": {"public_models": True},
    "loki2:contexts": {"public_models": True},
    "shown": {},
    "som?calibrated=1": {},
    "som?showdowns=1": {},
    "loki2:som?showdowns=1": {"public_models": True},
}


@pytest.mark.parametrize("model", READERS)
@pytest.mark.parametrize("asked", ["often", "at the end of a hand"])
def test_a_shared_session_is_one_of_ones_own(model, asked):
    """Table by table and forecast by forecast, through hands with all-ins and players who leave out of turn."""
    options = READERS[model]
    common, alone = CommonKnowledge(), pm.OpponentModeler(model, **options)
    compared = 0
    for number in range(12):
        stacks = [15, 60, None, 35] if number % 2 else None
        hand, _ = random_hand(number, SPEC, stacks=stacks, leaving=0.1)
        live = LiveHand(SPEC, hand.players, source=hand.source, hand_id=hand.id, stacks=stacks)
        live.deal(hand.board)
        common.begin(live)
        shared = common.session(model, lambda: pm.OpponentModeler(model, **options))
        alone.start(hand.players)
        decisions = list(hand.replay())
        for action, decision in zip(hand.actions, decisions, strict=True):
            if asked == "often":
                assert common.session(model, lambda: pytest.fail("there is one")) is shared
                for seat in range(4):
                    np.testing.assert_array_equal(shared.weights(seat), alone.weights(seat))
                if not decision.out_of_turn and shared.reader.predicts_acts:
                    np.testing.assert_array_equal(shared.predict(decision), alone.predict(decision))
                    compared += 1
            alone.observe(decision)
            assert (live.leave(action.seat) if action.out_of_turn else live.act(action.act)) == decision
        assert common.decisions == tuple(decisions)
        public = hand.public()
        assert common.hand(public.board, public.holdings) == public
        common.end(public.board, public.holdings)
        alone.learn(hand, decisions)
    assert compared > 50 or asked != "often" or model == "shown"
    shared = common.session(model, lambda: pytest.fail("there is one"))
    last, _ = random_hand(99, SPEC)  # what was learnt shows in the next hand
    for session in (shared, alone):
        session.start(last.players)
    for decision in last.replay():
        if shared.reader.predicts_acts:
            np.testing.assert_array_equal(shared.predict(decision), alone.predict(decision))
        shared.observe(decision)
        alone.observe(decision)
        np.testing.assert_array_equal(shared.weights(decision.seat), alone.weights(decision.seat))


@pytest.mark.parametrize(
    "model",
    ["som", "loki2:som", "bpp", "loki2:contexts", "shown", "som?showdowns=1", "loki2:som?showdowns=1&contexts=108"],
)
def test_learning_act_by_act_or_at_the_end_of_a_hand(model):
    """A hand that was observed act by act, and one that was not, leave the same behind."""
    observing, reading = pm.OpponentModeler(model), pm.OpponentModeler(model)
    for number in range(10):
        hand, _ = random_hand(number, SPEC, leaving=0.1)
        decisions = list(hand.replay())
        observing.start(hand.players)
        for decision in decisions:
            observing.observe(decision)
        observing.learn(hand, decisions)
        reading.learn(hand)
    last, _ = random_hand(99, SPEC)
    for session in (observing, reading):
        session.start(last.players)
    for decision in last.replay():
        one, other = observing.observe(decision), reading.observe(decision)
        np.testing.assert_array_equal(one.posterior, other.posterior)


def test_hidden_cards_are_not_learnt():
    """`Seat` and arena hand over what was shown; a hand with all its cards teaches the same."""
    known, shown = pm.OpponentModeler("bpp"), pm.OpponentModeler("bpp")
    for number in range(10):
        hand, _ = random_hand(number, SPEC)
        assert len(hand.holdings) == 4
        known.learn(hand)
        shown.learn(hand.public())
    assert known.reader.tables.to_bytes() == shown.reader.tables.to_bytes()


def test_a_session_that_knows_cards_is_not_shared():
    common = CommonKnowledge()
    common.begin(LiveHand(SPEC, "abcd"))
    with pytest.raises(ValueError, match="a session that knows a player's cards cannot be shared: 'loki2'"):
        common.session("mine", lambda: pm.OpponentModeler("loki2", hero="a"))
    with pytest.raises(ValueError, match="cannot be shared"):  # and is not kept
        common.session("mine", lambda: pm.OpponentModeler("loki2", hero="a"))


def test_notes_are_kept_for_a_dozen_boards():
    common, made = CommonKnowledge(), []
    boards = [(0, 1, card) for card in range(2, 15)]
    for board in boards:
        assert common.note(board, "key", lambda board=board: made.append(board) or board) == board
    assert common.note(boards[1], "key", lambda: pytest.fail("kept")) == boards[1]
    assert common.note(boards[0], "key", lambda: "anew") == "anew"
    assert common.note(boards[-1], "another", lambda: 1) == 1
    assert made == boards


def test_board_analyses_are_shared():
    assert CommonKnowledge.analysis((0, 5, 9)) is CommonKnowledge.analysis((0, 5, 9))
    with pytest.raises(ValueError, match="board"):
        CommonKnowledge.analysis((0, 5))
