"""What the kernels of the solver refuse, and the halves of floats that they keep."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.solver import BEST, LEARN, SubgameSolver, three_way_shares
from pokermodel.cards import card_indices
from pokermodel.ranges import parse_range


def solver(board="QsJh2h8c3d", first="QQ,AK", second="JJ,T9s", **more):
    sizes = ([("pot", 0.5)], [("pot", 1.0)], True)
    return SubgameSolver(
        card_indices(board), 100, 300, "no limit", [1] * 4, [100] * 4, [(sizes, sizes)] * 4, 0.2, 0.0, float("inf"),
        parse_range(first), parse_range(second), True, **more,
    )  # fmt: skip


def test_nothing_is_learnt_before_there_is_memory():
    fresh = solver()
    assert fresh.size["decisions"] == (6,)
    assert fresh.memory(True) < fresh.memory(False)
    for ask in (fresh.nodes, lambda: fresh.learn(1), lambda: fresh.average(0, 0), lambda: fresh.begin(BEST, 0)):
        with pytest.raises(ValueError, match="this solver has no memory yet: call make first"):
            ask()
    fresh.make(False)
    with pytest.raises(ValueError, match="made already"):
        fresh.make(False)


def test_what_is_refused():
    made = solver()
    made.make(False)
    with pytest.raises(ValueError, match="there is no node 99"):
        made.average(99, 0)
    with pytest.raises(ValueError, match="there is no board 1 on street 0"):
        made.average(0, 1)
    leaf = int(np.flatnonzero(made.nodes()["kind"] == 2)[0])
    with pytest.raises(ValueError, match=f"nobody acts at node {leaf}"):
        made.average(leaf, 0)
    with pytest.raises(ValueError, match="there is no board 3 on street 0"):
        made.board(0, 3)
    with pytest.raises(ValueError, match="reach must have shape"):
        made.values(0, 0, BEST, 0, np.ones(2))
    with pytest.raises(ValueError, match="a mode that does not learn"):
        made.values(0, 0, LEARN, 0, np.ones(len(made.holdings(1))))
    with pytest.raises(ValueError, match="a strategy must have shape"):
        made.set_average(0, 0, np.ones((1, 1)))
    with pytest.raises(ValueError, match="a lock must have shape"):
        made.lock([(0, 0, np.ones((1, 1)), 1.0)])
    made.begin(BEST, 0)
    with pytest.raises(ValueError, match="there are 1 threads, got 1 of 2"):
        made.share(1, 2)
    made.drop()
    with pytest.raises(ValueError, match="regret must have 1 streets, got 0"):
        made.set_numbers("regret", [])
    with pytest.raises(ValueError, match="more than 5 nodes"):
        solver(most_nodes=5)
    with pytest.raises(ValueError, match="out of position is dead"):
        solver(first="QsQh")


def test_half_floats_are_those_of_numpy():
    """An average that is set and read back: rounded as NumPy rounds, below the normal numbers, too."""
    made = solver()
    made.make(True)
    strategy = np.exp(np.random.default_rng(1).uniform(-17, 0, made.average(0, 0).shape))
    made.set_average(0, 0, strategy)
    numbers, scales = made.numbers("average")[0]
    assert numbers.dtype == np.float16
    wanted = (strategy.astype(np.float32) * (np.float32(32768) / strategy.astype(np.float32).max())).astype(np.float16)
    width = strategy.shape[1]
    stride = (width + 15) // 16 * 16
    kept = np.array([numbers[a * stride : a * stride + width] for a in range(len(strategy))])
    np.testing.assert_array_equal(kept, wanted)
    assert scales[0] == strategy.astype(np.float32).max() / np.float32(32768)


def test_locks_by_classes():
    """What `lock` says by holding, `lock_classes` says by class: both go on alike. A strategy can be set so, too."""
    of = np.arange(1326, dtype=np.int64) % 7
    rng = np.random.default_rng(3)
    one, other = solver(), solver()
    for made in (one, other):
        made.make(False)
    nodes = one.nodes()
    mine = np.flatnonzero((nodes["kind"] == 0) & (nodes["player"] == 1))
    strategies = [rng.dirichlet(np.ones(nodes["acts"][node]), size=7).T.astype(np.float32) for node in mine]
    confidences = np.array([0.3, 0.0, 1.0], dtype=np.float32)[: len(mine)]
    assert len(mine) == 3
    held = one.holdings(1)
    rows = [
        (int(node), 0, rows[:, of[held]].astype(float), float(c))
        for node, rows, c in zip(mine, strategies, confidences, strict=True)
    ]
    one.lock([row for row in rows if row[3] > 0])
    other.lock([], room=3)
    whole = np.ascontiguousarray(np.concatenate(strategies))
    other.lock_classes(0, mine.astype(np.int64), confidences, of, whole)
    for made in (one, other):
        made.learn(20)
    for node in range(len(nodes["kind"])):
        if nodes["kind"][node] == 0:
            np.testing.assert_array_equal(one.average(node, 0), other.average(node, 0))
    other.set_classes(0, mine.astype(np.int64), of, whole)
    for node, each in zip(mine, strategies, strict=True):
        np.testing.assert_allclose(other.average(int(node), 0), each[:, of[held]], rtol=1e-5)


def test_classes_that_are_refused():
    made = solver()
    made.make(False)
    nodes = made.nodes()
    node = np.flatnonzero((nodes["kind"] == 0) & (nodes["player"] == 1))[:1].astype(np.int64)
    acts = int(nodes["acts"][node[0]])
    of, rows, sure = np.zeros(1326, dtype=np.int64), np.ones((acts, 1), dtype=np.float32), np.ones(1, np.float32)
    with pytest.raises(ValueError, match="there is room for 0 locks"):
        made.lock_classes(0, node, sure, of, rows)
    made.lock([], room=1)
    for arguments, message in [
        ((0, node, np.ones(2, np.float32), of, rows), "1 nodes need as many confidences, got 2"),
        ((0, node, sure, of[:5], rows), "of must have shape"),
        ((0, node, sure, of + 1, rows), "classes must be -1 to 0, got 1"),
        ((0, node, sure, of, rows[:1]), f"the nodes have {acts} acts, the strategies 1"),
        ((7, node, sure, of, rows), "there is no board 7"),
    ]:
        with pytest.raises(ValueError, match=message):
            made.lock_classes(*arguments)
    with pytest.raises(ValueError, match="deals must have shape"):
        solver(deals=np.ones(3))


def test_a_tree_without_memory():
    """The tree alone, before anything is allocated, is the tree that is solved."""
    grown, made = solver(), solver()
    grown.grow()
    made.make(False)
    for name, values in made.nodes().items():
        np.testing.assert_array_equal(grown.nodes()[name], values)
    grown.make(False)
    grown.learn(1)


def test_shares_of_three_that_are_refused():
    with pytest.raises(ValueError, match="weights must be 1326"):
        three_way_shares(card_indices("QsJh2h8c3d"), np.ones(3), np.ones(1326))
