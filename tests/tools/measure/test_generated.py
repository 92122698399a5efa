"""Generated players of known policy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from pokermodel.cards import live_holdings
from pokermodel.game import Hand, State
from tools.measure.generated import HERO, PAIRS, POLICIES, REPORTING, TUNING, Facing, Policy, Session, strengths


@cache
def played(seed: int) -> list[Hand]:
    return Session(seed, 12).play()[:12]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_what_a_policy_does_is_a_distribution(policy: Policy) -> None:
    for seed in (100, 101):
        for hand in played(seed):
            state = State(hand.spec)
            for decision in hand.replay():
                facing, seen = Facing.of(state), strengths(decision.board)
                for holding in np.flatnonzero(live_holdings(decision.board))[::31].tolist():
                    chances = policy.chances(holding, seen, facing)
                    assert len(chances) == len(facing.options)
                    assert min(chances) >= 0.0, (PAIRS[holding], facing)
                    assert sum(chances) == pytest.approx(1.0)
                state.act(decision.act, decision.to)


def test_no_seed_is_both_for_tuning_and_for_reports() -> None:
    assert not set(TUNING) & set(REPORTING)


def test_a_session_follows_from_its_seed() -> None:
    one, other = Session(101, 8), Session(102, 8)
    assert (one.limit, one.blunders, one.before) == (True, 0.08, 0)
    assert (other.limit, other.blunders, other.before) == (False, 0.0, 8)
    assert "regular" in other.opponents.values()
    assert set(other.opponents.values()) <= set(POLICIES)
    hands = other.play()
    assert len(hands) == 16
    assert [hand.actions for hand in hands] == [hand.actions for hand in other.play()]
    assert all(HERO in hand.players and hand.players.index(HERO) in hand.holdings for hand in hands)
