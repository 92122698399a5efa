"""Locks: what is believed of a player, how far, and what it costs when it is wrong."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm
from pokermodel import simd
from pokermodel.reading import OpponentModeler, spot_of
from pokermodel.solving import Lock, Solution, Subgame, gain_of, locks_from, solve
from tests.common.solving import IP, OOP, of_hand
from tests.solving.test_played_street import played

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
def toy(tmp_path_factory):
    """An equilibrium that was stored, and locks of IP's answers to bets.

    Where a line is never taken any answer is as good as another in an equilibrium, and against somebody who takes it
    they differ: among equilibria of .02% what the full answer is worth against them goes from 22 to 51. What the
    table was measured against is like those that come of a beginning by chance, not of one at which all acts are alike.
    """
    begun = Solution(river())
    rng = np.random.default_rng(0)
    numbers = begun._solver.numbers("regret")
    begun._solver.set_numbers("regret", [((10 * rng.random(a.shape)).astype(np.float32), b) for a, b in numbers])
    begun._solver.iterations = 1
    path = tmp_path_factory.mktemp("toy") / "equilibrium"
    solve(river(), target=0.005, start=begun).save(path)
    equilibrium = Solution.load(path)
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
    assert found[1] == pytest.approx(wanted[1], abs=near)


def test_more_confidence_gains_more_and_risks_more(toy):
    equilibrium, locks = toy
    model = equilibrium.with_strategy(locks)
    gains, worst = [], []
    for confidence in (0.0, 0.1, 0.25, 0.5, 0.75, 1.0):
        answer = solve(river(), target=0.02, locks=[Lock(k.node, k.strategy, confidence) for k in locks])
        gains.append(answer.value(0, against=model))
        worst.append(answer.worst_case(0))
    assert gains == sorted(gains)
    assert worst == sorted(worst, reverse=True)


def test_no_confidence_is_the_equilibrium(toy):
    equilibrium, locks = toy
    free = solve(river(), target=0.1, locks=[Lock(k.node, k.strategy, 0.0) for k in locks])
    np.testing.assert_array_equal(free.strategy("r:0:b100"), solve(river(), target=0.1).strategy("r:0:b100"))
    assert free.value(0) == pytest.approx(equilibrium.value(0), abs=0.2)


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


def test_the_gain_and_the_worst_case(toy):
    """What an answer gains if the belief is right, and what it loses if it is wrong."""
    equilibrium, locks = toy
    answer = solve(river(), target=0.05, locks=[Lock(k.node, k.strategy, 0.5) for k in locks])
    found = gain_of(answer, equilibrium)
    assert found.player == 0
    assert found.against_model == pytest.approx(104.1, abs=0.7)
    assert found.gain == pytest.approx(104.1 - 86.7, abs=1)
    assert found.loss == pytest.approx(81.2 - 69.2, abs=1)
    assert found.worst_case == answer.worst_case(0)


def rivers_of(hands, players, seed):
    """Rivers of hands of two left, and who is locked there, in an order by a seed."""
    found = []
    for hand in hands:
        decisions = list(hand.replay())
        begin = next((d for d in decisions if d.round == 3), None)
        if begin is not None and len(begin.active) == 2 and not begin.all_in:
            found += [(hand, begin.index, player) for player in range(players)]
    order = np.random.default_rng(seed).permutation(len(found))
    return [found[k] for k in order]


def lost_at_risk(hand, index, player, session, risk=1.0):
    """What the answer to a reader in full belief, kept to a risk, loses in the worst case, in per cent of the pot."""
    spot = of_hand(hand, index, session, bets=["75%"], raises=["all-in"])
    locks = locks_from(spot_of(session, hand, index), spot, player, confidence=1.0)
    free = solve(spot, 0.1)
    safe = solve(spot, 0.2, locks=locks, risk=risk)
    hero = 1 - player
    return 100 * (free.value(hero) - safe.worst_case(hero)) / spot.pot


def check_rivers(hands, n, seed):
    session = OpponentModeler()
    found = [lost_at_risk(*each, session) for each in rivers_of(hands, 2, seed)[:n]]
    assert len(found) == n
    assert max(found) <= 1.2
    assert np.mean(np.array(found) > 0.1) > 0.3  # something is risked
    return found


def test_a_risk_is_kept_to_on_rivers():
    check_rivers([played("no limit", seed) for seed in range(20)], 10, seed=7)


@pytest.mark.slow
def test_a_risk_is_kept_to_on_rivers_of_shared_hands(data_dir: Path) -> None:
    """100 river nodes of shared hands, drawn with the seed 2026."""
    check_rivers(islice(pm.open_hands(data_dir / "phh" / "pluribus.dev.tgz"), 2000), 100, seed=2026)


@pytest.mark.parametrize("level", simd.available())
@pytest.mark.parametrize("bits", [32, 16])
def test_every_level_gives_the_same_bits(level, bits):
    """Decisions with locks, of two to six acts, while they are learnt, played and answered."""
    sizes = {"bets": ["33%", "66%", "100%", "150%", "all-in"], "raises": ["60%", "all-in"]}
    game = Subgame("QsJh2h8c3d", 200, 900, (OOP, IP), **sizes)
    bare = Solution(game).tree
    rng = np.random.default_rng(1)
    locks = [
        Lock(bare.name(node), rng.dirichlet(np.ones(len(bare.parts(node))), size=1326), 0.4)
        for node in range(len(bare))
        if bare.is_decision(node) and rng.random() < 0.8
    ]
    assert {len(lock.strategy[0]) for lock in locks} >= {2, 3, 4, 6}

    def found():
        solution = Solution(game.with_locks(locks), bits=bits)
        solution.learn(5)
        values = solution.best_response(0, locked=True).of_holdings, solution.best_response(1).of_holdings
        return [*values, solution.strategy("r:0"), solution.value(0)]

    before = simd.level()
    try:
        simd.use("portable")
        wanted = found()
        simd.use(level)
        for one, other in zip(found(), wanted, strict=True):
            np.testing.assert_array_equal(one, other)
    finally:
        simd.use(before)


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
