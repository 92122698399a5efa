"""What solvers are given of a hand."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hand_nodes import bet_shares, hand_nodes, strategy_rows
from pokermodel.cards import live_holdings
from pokermodel.game import Act
from pokermodel.reading import OpponentModeler
from tests.common.books import played_free
from tests.common.six_handed import FLOP, RIVER, THREE


def test_nodes_have_the_tables_before_each_act():
    nodes = list(hand_nodes(RIVER, OpponentModeler()))
    session = OpponentModeler()
    session.start(RIVER.players)
    for node, decision in zip(nodes, RIVER.replay(), strict=True):
        session.deal(decision.board)
        assert set(node.tables) == {RIVER.players[seat] for seat in decision.active}
        for name, table in node.tables.items():
            assert table == session.table(name)
        session.observe(decision)


def test_the_end_of_a_hand_with_a_showdown():
    hand = next(hand for hand in (played_free(k, k, list("abc")) for k in range(50)) if hand.showdown)
    *nodes, end = hand_nodes(hand, OpponentModeler())
    assert len(nodes) == len(hand.actions)
    assert (end.player, end.pot, end.lock) == (None, None, None)
    assert len(end.tables) > 1
    assert "->" not in end.line


def test_nodes_of_pio():
    """Bets are what the player has put in since the flop, as PioSOLVER's documentation says."""
    found = [node.pio for node in hand_nodes(RIVER, OpponentModeler())]
    assert found[:6] == [None] * 6
    assert found[6:10] == ["r:0", "r:0:c", "r:0:c:b180", "r:0:c:b180:c:5d"]
    assert found[-1] == "r:0:c:b180:c:5d:c:c:9s:b580:b1780"
    assert not any(node.pio for node in hand_nodes(THREE, OpponentModeler()))


def test_locks_are_the_triples_of_the_model():
    session = OpponentModeler()
    nodes = list(hand_nodes(FLOP, session, bets=[0.33, 0.75]))
    assert all(node.lock is None for node in nodes[:6])
    lock = nodes[8].lock
    assert lock is not None
    assert lock.children == ("b75%", "b33%", "c", "f")
    again = OpponentModeler()
    again.start(FLOP.players)
    *before, last = FLOP.replay()
    for decision in before:
        again.observe(decision)
    triples, live = again.expect(last).triples, live_holdings(last.board)
    assert np.abs(lock.rows[3] - triples[:, Act.FOLD])[live].max() < 2e-4
    assert np.abs(lock.rows[:2].sum(axis=0) - triples[:, Act.RAISE])[live].max() < 2e-4
    assert lock.node == "r:0:c:b180"


def test_rows_sum_to_1_as_written():
    rng = np.random.default_rng(4)
    triples = rng.dirichlet((0.4, 1, 2), 1326)
    live = live_holdings("KhQd2c")
    triples[~live] = np.nan
    triples[5] = 0.0 if live[5] else np.nan
    rows = strategy_rows(triples, live, tuple(Act), np.array([0.2, 0.5, 0.3]))
    assert rows.shape == (5, 1326)
    assert (np.round(rows * 10_000).sum(axis=0) == np.where(live, 10_000, 0)).all()
    assert rows.min() >= 0
    assert (rows == np.round(rows, 4)).all()
    assert strategy_rows(triples, live, (Act.CALL, Act.RAISE), np.ones(1)).shape == (2, 1326)
    assert strategy_rows(triples, live, (Act.FOLD, Act.CALL), np.ones(1)).shape == (2, 1326)


def test_sizes_go_to_the_nearest_of_the_tree():
    situation = list(FLOP.replay())[7].situation
    sizes = [0.1, 0.2, 0.1, 0.3, 0.1, 0.1, 0.1]
    assert bet_shares(situation, sizes, [0.33, 0.75, 1.5]).tolist() == pytest.approx([0.3, 0.5, 0.2])
    assert bet_shares(situation, sizes, [0.5]).tolist() == [1.0]
    assert bet_shares(situation, None, [0.5, 1]).tolist() == [0.5, 0.5]
    for bad in ([], [0.0, 1.0], [1.0, 0.5]):
        with pytest.raises(ValueError, match="above 0 and rising"):
            bet_shares(situation, sizes, bad)


def test_the_shorter_stack_at_a_node():
    nodes = list(hand_nodes(FLOP, OpponentModeler()))
    for node, decision in zip(nodes, FLOP.replay(), strict=False):
        assert node.behind == min(decision.stacks[seat] for seat in decision.active)
    assert nodes[6].behind == 9750
    unknown = pm.Hand("x", "1", FLOP.spec, FLOP.players, FLOP.actions, FLOP.board, {}, (*FLOP.stacks[:-1], None))
    first = next(hand_nodes(unknown, OpponentModeler()))
    assert first.behind is None
