"""What the kernels of the solver refuse, and the halves of floats that they keep."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.solver import BEST, LEARN, SubgameSolver
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
