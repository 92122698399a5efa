"""A hand while it is played."""

from __future__ import annotations

import pytest

from pokermodel.game import Act, Action, GameSpec, LiveHand, Situation
from pokermodel.tables.players import CommonKnowledge
from tests.common.engine import random_hand

TWO = GameSpec.heads_up(1, 2)
GAMES = [
    (GameSpec.heads_up(1, 2), None),
    (GameSpec.heads_up(5, 10), [23, 78]),
    (GameSpec.ring(3, 5, 10), [11, None, 64]),
    (GameSpec.ring(6, 1, 2), [3, 9, 40, 1, 17, 6]),
    (GameSpec.ring(10, 1, 2), None),
]


@pytest.mark.parametrize("leaving", [0.0, 0.2])
@pytest.mark.parametrize(("spec", "stacks"), GAMES)
def test_it_is_what_a_replay_of_the_hand_is(spec, stacks, leaving):
    """Act by act, all-ins and those who leave out of turn included."""
    all_in = out_of_turn = 0
    for seed in range(30):
        hand, end = random_hand(seed, spec, stacks=stacks, leaving=leaving)
        live = LiveHand(spec, hand.players, source=hand.source, hand_id=hand.id, stacks=stacks)
        for action, decision in zip(hand.actions, hand.replay(), strict=True):
            live.deal(hand.board[: len(decision.board)])
            if not action.out_of_turn:
                assert live.situation() == decision.situation
            done = live.leave(action.seat) if action.out_of_turn else live.act(action.act)
            assert done == decision
            out_of_turn += action.out_of_turn
        live.deal(hand.board)
        assert live.dealt == live.board == hand.board
        assert live.decisions == list(hand.replay())
        assert tuple(map(Action.of, live.decisions)) == hand.actions
        assert (live.state.over, live.state.showdown) == (True, end.showdown)
        assert live.state.committed == end.committed
        all_in += bool(end.all_in)
    assert (all_in > 0) == (stacks is not None)
    assert (out_of_turn > 0) == (leaving > 0)


def test_the_whole_board_may_be_known_from_the_start():
    live = LiveHand(TWO, "ab")
    live.deal("2c7d9hJsQd")
    seen = []
    while not live.state.over:
        seen.append(len(live.situation().board))
        assert live.dealt == live.board[: seen[-1]]
        live.act(Act.CALL)
    assert seen == [0, 0, 3, 3, 4, 4, 5, 5]


def test_acts_are_acts_whatever_they_are_given_as():
    live = LiveHand(TWO, "ab")
    decision = live.act(1)
    assert type(decision.act) is Act
    assert decision.name == "call"


def test_sizes_are_kept_where_there_are_any():
    """So that the hand can be written down: by what a bet or raise goes to, as a history does."""
    live = LiveHand(GameSpec.no_limit(2, 50, 100), "ab")
    live.deal("2c7d9hJsQd")
    told = [Action(0, Act.RAISE, to=300), Action(1, Act.RAISE, to=900), Action(0, Act.CALL)]
    told += [Action(1, Act.CALL), Action(0, Act.RAISE, to=1100), Action(1, Act.FOLD)]
    for action in told:
        live.act(action.act, action.to)
    assert list(map(Action.of, live.decisions)) == told
    common = CommonKnowledge()
    common.begin(live)
    hand = common.hand(live.dealt, {})
    assert list(hand.replay()) == live.decisions


def test_who_leaves_in_turn_folds():
    live = LiveHand(GameSpec.ring(3, 1, 2), "abc")
    decision = live.leave(2)
    assert (decision.act, decision.out_of_turn, decision.put_in) == (Act.FOLD, False, 0)
    assert decision.situation == Situation.of(LiveHand(GameSpec.ring(3, 1, 2), "abc").state, ("a", "b", "c"))


@pytest.mark.parametrize(
    ("players", "stacks", "message"),
    [
        ("abc", None, "a game of 2 needs as many players with different names"),
        ("aa", None, "a game of 2 needs as many players with different names"),
        ("ab", [1], "stacks must have 2 entries, got 1"),
        ("ab", [0, 5], "the stack of seat 0 must be 1 to"),
    ],
)
def test_what_is_no_hand(players, stacks, message):
    with pytest.raises(ValueError, match=message):
        LiveHand(TWO, players, stacks=stacks)


def test_what_is_refused_changes_nothing():
    live = LiveHand(TWO, ("Ann", "Bob"))

    def refused(message, call, *args):
        before = live.decisions.copy(), live.board, live.state.situation() if not live.state.over else None
        with pytest.raises(ValueError, match=message):
            call(*args)
        assert before == (live.decisions, live.board, live.state.situation() if not live.state.over else None)

    refused("a board has 0, 3, 4 or 5 cards, got 2: '2c3c'", live.deal, "2c3c")
    refused("duplicate card", live.deal, "2c2c3c")
    refused("duplicate card", live.deal, (0, 0, 1))
    refused("an act must be 0 to 2, got 3", live.act, 3)
    refused("the seat must be 0 to 1, got 2", live.leave, 2)
    live.act(Act.CALL)
    live.act(Act.CALL)
    refused("0 cards on the board on the flop, expected 3", live.act, Act.CALL)
    refused("0 cards on the board on the flop, expected 3", live.leave, 0)
    live.deal("2c7d9h")
    refused("board '2c7d9sJs' does not continue '2c7d9h'", live.deal, "2c7d9sJs")
    refused("board '' does not continue '2c7d9h'", live.deal, "")
    for _ in range(5):
        live.act(Act.RAISE) if Act.RAISE in live.situation().legal else None
    refused("cannot raise: expected fold or call", live.act, Act.RAISE)
    live.act(Act.FOLD)
    refused("the hand is over", live.act, Act.CALL)
    refused("the hand is over", live.situation)
    refused("the hand is over", live.leave, 0)
    assert repr(live) == f"<LiveHand 1: {len(live.decisions)} actions, {live.state!r}>"
