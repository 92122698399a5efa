"""Locks: what is believed of a player, how far, and what it costs when it is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.solving import Lock, Subgame, solve
from tests.common.solving import IP, OOP

# OOP's EV against the model, against the equilibrium, and in the worst case, by the confidence: measured by another
# program, with IP folding to every bet 20 points more than in its equilibrium
TOY = {
    0.0: (86.7, 81.2, 81.2),
    0.10: (88.9, 81.2, 80.9),
    0.25: (92.5, 81.0, 79.7),
    0.50: (104.1, 78.8, 69.2),
    0.75: (169.8, 41.0, -85),
    1.0: (205.8, 25.7, -220),
}


def river():
    sizes = {"bets": ["50%", "100%", "all-in"], "raises": ["60%", "all-in"]}
    return Subgame("QsJh2h8c3d", 200, 900, (OOP, IP), **sizes)


@pytest.fixture(scope="module")
def toy():
    equilibrium = solve(river(), target=0.005)
    return equilibrium, folds_more(equilibrium, 0.2)


def folds_more(solution, points):
    """IP's answers to bets: so many more of them are folds, taken in equal parts from what continues."""
    locks = []
    tree = solution.tree
    for node in range(len(tree)):
        if not tree.is_decision(node) or tree.player[node] != 1 or "f" not in [act.part for act in tree.acts(node)]:
            continue
        name = name_of(tree, node)
        strategy = np.nan_to_num(solution.strategy(name), nan=1 / len(tree.acts(node)))
        weights = solution.range(name, 1).values
        folds = weights @ strategy[:, 0] / weights.sum()
        strategy[:, 1:] *= max(0.0, 1 - points / (1 - folds))
        strategy[:, 0] = 1 - strategy[:, 1:].sum(axis=1)
        locks.append(Lock(name, strategy))
    return locks


def name_of(tree, node):
    parts = []
    while tree.parent[node] >= 0:
        parts.append(tree.part(node))
        node = int(tree.parent[node])
    return ":".join(["r:0", *parts[::-1]])


@pytest.mark.parametrize("confidence", TOY)
def test_the_toy_table(toy, confidence):
    equilibrium, locks = toy
    answer = solve(river(), target=0.02, locks=[Lock(k.node, k.strategy, confidence) for k in locks])
    model = equilibrium.with_strategy(locks)
    found = answer.value(0, against=model), answer.value(0, against=equilibrium), answer.worst_case(0)
    near = 0.5 if confidence <= 0.5 else 5
    wanted = TOY[confidence]
    assert found[0] == pytest.approx(wanted[0], abs=near)
    assert found[2] == pytest.approx(wanted[2], abs=near)
    if confidence <= 0.5:  # beyond, many answers are worth the same against the model, and not against others
        assert found[1] == pytest.approx(wanted[1], abs=near)


def test_more_confidence_gains_more_and_risks_more(toy):
    equilibrium, locks = toy
    model = equilibrium.with_strategy(locks)
    gains, worst = [], []
    for confidence in (0.0, 0.1, 0.25, 0.5, 0.75):
        answer = solve(river(), target=0.02, locks=[Lock(k.node, k.strategy, confidence) for k in locks])
        gains.append(answer.value(0, against=model))
        worst.append(answer.worst_case(0))
    assert gains == sorted(gains)
    assert worst == sorted(worst, reverse=True)


def test_no_confidence_is_the_equilibrium(toy):
    equilibrium, locks = toy
    free = solve(river(), target=0.005, locks=[Lock(k.node, k.strategy, 0.0) for k in locks])
    np.testing.assert_array_equal(free.strategy("r:0:b100"), equilibrium.strategy("r:0:b100"))


def test_a_whole_strategy_is_answered_in_the_best_way(toy):
    equilibrium, _ = toy
    tree = equilibrium.tree
    names = [name_of(tree, node) for node in range(len(tree)) if tree.is_decision(node) and tree.player[node] == 1]
    locks = [
        Lock(name, np.nan_to_num(equilibrium.strategy(name), nan=1 / len(equilibrium.acts(name)))) for name in names
    ]
    answer = solve(river(), target=0.05, locks=locks, iterations=5_000)
    assert answer.value(0) == pytest.approx(equilibrium.best_response(0).value, abs=0.3)
    locked = answer.strategy("r:0:b100")
    wanted = equilibrium.strategy("r:0:b100")
    both = ~np.isnan(locked) & ~np.isnan(wanted)
    np.testing.assert_allclose(locked[both], wanted[both], atol=1e-5)


def test_a_risk_is_kept_to(toy):
    equilibrium, locks = toy
    model = equilibrium.with_strategy(locks)
    safe = solve(river(), locks=locks, risk=1)
    lost = (equilibrium.value(0) - safe.worst_case(0)) / 2
    assert 0 < lost <= 1.2
    assert safe.value(0, against=model) > equilibrium.value(0, against=model) + 3
    assert 0 < safe.subgame.locks[0].confidence < 1


def test_strategies_in_words():
    lock = Lock("r:0:b100", {"fold": "AA:.5", "call": 0.25})
    found = lock.probabilities(("f", "c", "b340"))
    assert found[-1].tolist() == [0.5, 0.25, 0.25]
    assert found[0].tolist() == [0.0, 0.25, 0.75]
    assert Lock("r:0", [0.5, 0.5]).probabilities(("c", "b100")).shape == (1326, 2)


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        ({"b7": 1.0}, "the lock of r:0 has no act 'b7': expected one of c, b100"),
        ({"c": 0.5, "b100": 0.6}, "must give each holding probabilities that sum to 1"),
        ([0.5, 0.3, 0.2], r"must have shape \(2,\) or \(1326, 2\), got \(3,\)"),
        ({"c": None}, "needs a probability or a range for 'c', got None"),
    ],
)
def test_strategies_that_are_none(strategy, message):
    with pytest.raises(ValueError, match=message):
        Lock("r:0", strategy).probabilities(("c", "b100"))
    with pytest.raises(ValueError, match="confidence of a lock must be 0 to 1"):
        Lock("r:0", strategy, 2)


def test_a_risk_is_run_against_one_player():
    with pytest.raises(ValueError, match="the locks are those of nobody"):
        solve(river(), risk=1)
    both = [Lock("r:0", [1, 0, 0, 0]), Lock("r:0:c", [1, 0, 0, 0])]
    with pytest.raises(ValueError, match="the locks are those of oop and ip"):
        solve(river(), risk=1, locks=both)
