"""Everything that the project does, against what pokermodel's own Python says."""

from __future__ import annotations

import holdemtools
import numpy as np
import pokermodel as pm
import pytest
from pokermodel._core.dealing import Deals
from pokermodel.evaluation.dealing import Dealer
from pokermodel.game import Act, GameSpec, State
from pokermodel.classics.simulation import Simulator

RNG = np.random.default_rng(1)
WEIGHTS = RNG.random(1326)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_ranks(cards):
    hands = np.argsort(RNG.random((3_000, 52)), axis=1)[:, :cards].astype(np.uint8)
    ranks = np.empty(len(hands), np.int32)
    holdemtools.rank_many(hands, ranks)
    np.testing.assert_array_equal(ranks, pm.evaluate_many(hands))


def test_best_cards():
    assert holdemtools.best_cards(pm.cards.card_indices("TsJsQsKs2c2d")) == [pm.cards.card_index("As")]
    straight = holdemtools.best_cards(pm.cards.card_indices("5c6d7h8s"))
    assert [pm.cards.card_text(card) for card in straight] == ["9c", "9d", "9h", "9s"]


@pytest.mark.parametrize("board", ["2c7d9h", "Ts9s8d4s", "KhKd5s5c2h"])
def test_strengths_of_a_range(board):
    analysis = pm.BoardAnalysis(board)
    found = np.full(1326, np.nan)
    holdemtools.strengths(analysis.board, WEIGHTS, found)
    np.testing.assert_allclose(found, analysis.strengths(WEIGHTS), rtol=1e-13)  # sums are in another order there


@pytest.mark.parametrize(("board", "lookahead"), [("2c7d9h", 1), ("2c7d9h", 2), ("Ts9s8d4s", 1)])
def test_potentials_of_a_range(board, lookahead):
    expected = pm.BoardAnalysis(board).evaluate(WEIGHTS, lookahead)
    found = np.full((2, 1326), np.nan)
    holdemtools.potentials(expected.board, WEIGHTS, lookahead, found)
    np.testing.assert_array_equal(found, [expected.ppot, expected.npot])
    with pytest.raises(ValueError, match="cards to come"):
        holdemtools.potentials(expected.board, WEIGHTS, 3, found)


@pytest.mark.parametrize("joint", [True, False])
def test_weighted_deals(joint):
    tables = RNG.random((4, 1326))
    board = pm.cards.card_indices("2c7d9h")
    deals = Deals(tables, board, (), joint)
    words = np.arange(1, 5, dtype=np.uint64)
    n = 500
    holdings, boards, weights = np.empty((n, 4, 2), np.uint8), np.empty((n, 5), np.uint8), np.empty(n)
    deals.deal(words, holdings, boards, weights)
    found, counts = np.empty((n, 4), np.uint16), np.empty(n)
    holdemtools.deal(deals, words, found, counts)
    high, low = np.moveaxis(holdings.astype(int), 2, 0)
    np.testing.assert_array_equal(found, high * (high - 1) // 2 + low)
    np.testing.assert_array_equal(counts, weights)


def test_other_things_are_no_deals():
    with pytest.raises(TypeError, match="expected Deals, got Dealer"):
        holdemtools.deal(Dealer([None, None], rng=1), np.ones(4, np.uint64), np.empty((1, 2), np.uint16), np.empty(1))


@pytest.fixture(scope="module")
def position():
    state = State(GameSpec.heads_up(1, 2))
    while state.round < 2:
        state.act(Act.CALL)
    return (state, pm.cards.card_indices("Tc8c2h5d")), RNG.random((2, 1326))


def simulate(position, policy, **options):
    root, tables = position
    return Simulator(policy=policy, stop="none").run(root, "Jh9h", tables, rng=2, **options)


def test_a_policy_that_always_calls_is_the_calling_one(position):
    ours, theirs = (simulate(position, policy) for policy in (holdemtools.threshold_policy(2.0, -1.0), "call"))
    np.testing.assert_array_equal(ours.ev, theirs.ev)
    np.testing.assert_array_equal(ours.acts, theirs.acts)


def test_a_policy_does_what_python_would(position):
    to_raise, to_call = 0.6, 0.4
    log = simulate(position, holdemtools.threshold_policy(to_raise, to_call), trials=40, log=True).log
    root, tables = position
    seen = dict.fromkeys(Act, 0)
    for cards, board, branches in zip(log.cards.tolist(), log.boards.tolist(), log.acts, strict=True):
        for first, *later in branches:
            state = root[0].copy()
            state.act(first)
            for act in later:
                seat = state.seat
                strength = pm.hand_strength(cards[seat], board[: state.round + 2], tables[1 - seat])
                wanted = Act.RAISE if strength >= to_raise else Act.CALL if strength >= to_call else Act.FOLD
                if min(abs(strength - to_raise), abs(strength - to_call)) > 1e-4:  # single precision in play-outs
                    assert act == (wanted if wanted in state.legal() else Act.CALL)
                    seen[act] += 1
                state.act(act)
    assert min(seen.values()) > 0
