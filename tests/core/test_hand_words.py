"""The acts of a hand in words, beside its replay."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core.hand_words import SEAT_WORDS, WORDS, play
from pokermodel.game import State, positions
from pokermodel.reading.features import Replay
from tests.common.random_hands import wild_hand


def played(hand, room=200, actions=None, board=None):
    acts = np.full((room, len(WORDS)), 7, dtype=np.int64)
    seats = np.full((len(hand.players) + 3, len(SEAT_WORDS)), 7, dtype=np.int64)
    given_actions = hand.actions if actions is None else actions
    cards = len(hand.board) if board is None else board
    found = play(State(hand.spec, hand.stacks), given_actions, cards, positions(hand.spec), acts, 1, seats, 2)
    return found, acts, seats


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_words_are_those_of_the_replay(seed):
    hand = wild_hand(random.Random(seed))
    (count, lines, _), acts, seats = played(hand)
    counted, folds = Replay.of(hand, None).counted
    rows = [dict(zip(WORDS, row, strict=True)) for row in acts[1 : 1 + count].tolist()]
    assert count == len(counted)
    for row, (seat, street, act, to_call, bets, bets_to_call, can_raise, put_in, _, pot) in zip(
        rows, counted, strict=True
    ):
        assert (row["seat"], row["street"], row["to_call"], row["pot"]) == (seat + 2, street, to_call, pot)
        assert (row["bets"], row["bets_to_call"], row["can_raise"]) == (bets, bets_to_call, can_raise)
        assert (row["put_in"], row["players"]) == (put_in, len(hand.players))
        assert [row["folds"], row["calls"], row["raises"]] == [act == 0, act == 1, act == 2]
        assert row["position"] == positions(hand.spec)[seat]
    assert [seats[2 + seat, 0] for seat in range(len(hand.players))] == [
        folds.get(seat, -1) for seat in range(len(hand.players))
    ]
    assert len(lines) == len(hand.players)
    assert (acts[0] == 7).all()
    assert (acts[1 + count :] == 7).all()
    assert (seats[:2] == 7).all()


def test_what_the_rules_do_not_allow_is_not_played():
    hand = pm.example_hand()
    (count, lines, line), *_ = played(hand)
    assert count == len(hand.actions)
    assert lines
    assert line.startswith("o c 3b c c c / x")
    call, fold = pm.Act.CALL, pm.Act.FOLD
    first = hand.actions[0].seat
    for actions in (
        (pm.Action(first + 1, call),),  # not their turn
        (pm.Action(first, fold, out_of_turn=True),),  # it is
        (pm.Action(99, fold),),
        (pm.Action(first, call, to=20),),
        (pm.Action(first, pm.Act.RAISE, to=10**30),),
        ((first, 7, False, None),),
        ((first, "call", False, None),),
        ((first, call),),
        (None,),
        (*hand.actions, hand.actions[-1]),  # behind the end
    ):
        assert played(hand, actions=actions)[0] == (-1, None, None)
    assert played(hand, board=3)[0] == (-1, None, None)  # too few cards for the turn
    assert played(hand, room=5)[0] == (-1, None, None)


def test_arrays_of_other_shapes_are_refused():
    hand = pm.example_hand()
    where = positions(hand.spec)
    acts, seats = np.zeros((60, len(WORDS)), dtype=np.int64), np.zeros((6, 4), dtype=np.int64)

    def attempt(where=where, acts=acts, seats=seats, at=0):
        play(State(hand.spec), hand.actions, 5, where, acts, 0, seats, at)

    for wrong in (
        {"where": where[:-1]},
        {"at": 1},
        {"at": -1},
        {"seats": np.zeros((6, 5), dtype=np.int64)},
        {"acts": np.zeros((60, 3), dtype=np.int64)},
    ):
        with pytest.raises(ValueError, match="expected"):
            attempt(**wrong)
