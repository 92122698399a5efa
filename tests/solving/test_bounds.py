"""Bounds on what holdings that were left out do to EVs: solved both ways."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.solving import Lock, Solution, Subgame, ev_bounds, solve
from tests.common.solving import IP, OOP

WIDE = ("QQ,AK,98s:.5,22:.05,A2s:.03", "JJ,KK:.5,T9s,AA,33:.06,K2s:.02")


def spot(board="QsJh2h8c3d", ranges=WIDE, **more):
    return Subgame(board, 200, 400, ranges, bets=["75%"], raises=["all-in"], **more)


def in_whole_game(thin, whole, others):
    """The whole game, where holdings that were kept play as in the thin one, and the others as they like."""
    found = Solution(whole)
    rng = np.random.default_rng(others)
    locks = []
    for node in range(len(found.tree)):
        if not found.tree.is_decision(node):
            continue
        name = found.tree.name(node)
        player, acts = int(found.tree.player[node]), len(found.tree.parts(node))
        for place in found.tree.places(name):
            strategy = rng.dirichlet(np.full(acts, 0.3), size=1326)
            given = thin.strategy(place.name)
            kept = (thin.subgame.ranges[player].values > 0) & ~np.isnan(given).any(axis=1)
            strategy[kept] = given[kept]
            locks.append(Lock(place.name, strategy))
    return found.with_strategy(locks)


@pytest.mark.parametrize("board", ["QsJh2h8c3d", "QsJh2h8c"])
def test_whatever_the_others_do(board):
    whole = spot(board).with_locks([Lock("r:0", np.full((1326, 2), 0.5), 0.0)])  # suits are told apart
    thin = solve(whole.trim(0.1), 0.3)
    assert np.count_nonzero(thin.subgame.ranges[0].values) < np.count_nonzero(whole.ranges[0].values)
    games = [in_whole_game(thin, whole, others) for others in range(2)]
    for node in ("r:0", "r:0:c:b150"):
        for player in (0, 1):
            found = ev_bounds(thin, node, player)
            ev = thin.ev(node, player).of_holdings
            assert 0 < found.mean < 20
            for game in games:
                worth = game.ev(node, player).of_holdings
                both = ~np.isnan(ev) & ~np.isnan(worth)
                assert both.sum() > 10
                assert (worth[both] >= found.low[both] - 0.01).all()
                assert (worth[both] <= found.high[both] + 0.01).all()
                assert (found.low[both] <= ev[both]).all()
                assert (ev[both] <= found.high[both]).all()


def test_solving_both_ways():
    """The values of the two games differ by no more than the bounds of both players say."""
    sizes = {"bets": ["50%", "100%"], "raises": ["60%"]}
    whole = Subgame("QsJh2h8c3d", 200, 900, (OOP, IP), **sizes)
    thin = whole.trim(0.3)
    full, few = solve(whole, 0.05), solve(thin, 0.05)
    bounds = [ev_bounds(few, "r:0", player).mean for player in (0, 1)]
    assert abs(full.value(0) - few.value(0)) <= sum(bounds) + 0.2
    assert bounds[0] == 0  # of the player in position nothing was left out
    assert 0 < bounds[1] < 40


def test_nothing_left_out():
    solution = solve(spot())
    found = ev_bounds(solution)
    ev = solution.ev().of_holdings
    np.testing.assert_array_equal(found.low, ev)
    assert found.mean == 0
    assert solution.subgame.whole is None


def test_it_is_saved(tmp_path):
    thin = solve(spot().trim(0.1))
    thin.save(tmp_path / "saved")
    assert ev_bounds(Solution.load(tmp_path / "saved")).mean == ev_bounds(thin).mean > 0
