"""Games whose values are known, as subgames of hold'em: Kuhn's poker and Leduc, by the solver's own kernels."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.solver import BEST, PLAY, SubgameSolver
from pokermodel.cards import card_indices, holding_index
from pokermodel.ranges import parse_range
from pokermodel.solving import Subgame, solve

NO_SIZES = ((), (), True)


def test_kuhn():
    """Three cards, a pot of 2, one bet of 1: the first player loses 1/18 (Kuhn 1950).

    A card of the deck is a pair, the same two cards for both players, so that they cannot have the same.
    """
    deck = "AsAh,KsKh,QsQh"
    spot = Subgame("2c7d9c3h5d", pot=2, stacks=1, ranges=(deck, deck), bets=["all-in"], raises=[])
    solution = solve(spot, 0.002)
    assert solution.value(0) == pytest.approx(1 - 1 / 18, abs=1e-4)
    king, queen, ace = (holding_index(cards) for cards in ("KsKh", "QsQh", "AsAh"))
    bets, calls = solution.strategy("r:0")[:, 1], solution.strategy("r:0:b1")[:, 1]
    assert bets[ace] == pytest.approx(3 * bets[queen], abs=0.02)
    assert bets[king] == pytest.approx(0, abs=0.02)
    assert (calls[ace], calls[queen]) == pytest.approx((1, 0), abs=0.01)
    assert calls[king] == pytest.approx(1 / 3, abs=0.02)


def leduc():
    """Two suits of king, queen and jack, one card each and one for all; bets of 2 and 4, two each round.

    Cards of the deck come with one that never counts. Only they can be dealt: each of the four that are left with the
    same chance.
    """
    deck = ["Ks2c", "Kh2d", "Qs3c", "Qh3d", "Js4c", "Jh4d"]
    cards = ",".join(deck)
    dealt = np.zeros(52)
    dealt[list(card_indices("KsKhQsQhJsJh"))] = 44 / 4
    solver = SubgameSolver(
        card_indices("Tc9d7c6s"), 2, 100, "limit", [2, 2, 2, 4], [2] * 4, [(NO_SIZES, NO_SIZES)] * 4, 0.0, 0.0,
        float("inf"), parse_range(cards), parse_range(cards), False, deals=dealt,
    )  # fmt: skip
    solver.make(False)
    return solver


def value(solver, mode, player):
    """What the player wins on average, in chips."""
    solver.begin(mode, player)
    solver.share(0, 1)
    # of 36 pairs of holdings 6 share a card
    return float(solver.end() @ solver.weights(player)) / (5 / 6)


def test_leduc():
    """The first player loses .0856 chips (Southey et al. 2005 have the game; the value is OpenSpiel's)."""
    solver = leduc()
    assert solver.size["decisions"][1] > solver.size["decisions"][0]
    solver.learn(3000)
    gap = (value(solver, BEST, 0) + value(solver, BEST, 1)) / 2
    assert 0 <= gap < 0.002
    assert value(solver, PLAY, 0) == pytest.approx(-0.0856, abs=0.001)
    assert value(solver, PLAY, 1) == pytest.approx(0.0856, abs=0.001)


def test_cards_that_are_never_dealt_cost_nothing():
    """Boards that cannot come are not walked, and their strategies not known."""
    solver = leduc()
    solver.learn(5)
    nodes = solver.nodes()
    first = int(np.flatnonzero((nodes["street"] == 1) & (nodes["kind"] == 0))[0])
    known = [not np.isnan(solver.average(first, board)).all() for board in range(solver.size["boards"][1])]
    assert sum(known) == 6
