"""Cards of players who folded, beside the sum over everything that they and the two players can hold."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import holding_cards
from pokermodel.evaluation import evaluate
from pokermodel.reading import OpponentModeler
from pokermodel.solving import Solution, Subgame, solve
from tests.common.six_handed import RIVER
from tests.common.solving import of_hand

RANGES = ("AK,QQ,A5s,T9s", "AQ,KK,JTs,77")
#: Raises that were folded: high cards are rarer.
FOLDED = "AA,KK,AK,AQ,A9s"


def game(board, **more):
    return Subgame(board, 100, 100, RANGES, bets=[], raises=[], **more)


def brute(board, tables):
    """OOP's share of the pot if nobody bets: over both players, everybody who folded, and the cards to come."""
    spot = game(board)
    held = [[(holding_cards(int(h)), table.values[h]) for h in np.flatnonzero(table.values)] for table in spot.ranges]
    gone = [[(holding_cards(int(h)), t.values[h]) for h in np.flatnonzero(t.values)] for t in tables]
    won = total = 0.0
    rank = cache(evaluate)
    for (a, b), (x, y) in ((pair, other) for pair in held[0] for other in held[1]):
        if {*a} & {*x}:
            continue
        for cards, chance in left(gone, {*spot.cards, *a, *x}):
            deck = [c for c in range(52) if c not in {*spot.cards, *a, *x, *cards}]
            runouts = list(combinations(deck, 5 - len(spot.cards)))
            for runout in runouts:
                shown = (*spot.cards, *runout)
                mine, theirs = (rank((*shown, *k)) for k in (a, x))
                weight = b * y * chance / len(runouts)
                won += weight * (mine > theirs) + weight * (mine == theirs) / 2
                total += weight
    return won / total


def left(gone, taken):
    """What everybody who folded can hold beside some cards, and how much of it there is."""
    if not gone:
        yield (), 1.0
        return
    whole = sum(weight for _, weight in gone[0])
    for cards, weight in gone[0]:
        if not {*cards} & taken:
            for more, chance in left(gone[1:], {*taken, *cards}):
                yield (*cards, *more), weight / whole * chance


@pytest.mark.parametrize(
    ("board", "folded", "near"),
    [
        ("QsJh2h8c3d", [FOLDED], 0.002),
        pytest.param("QsJh2h8c3d", [FOLDED, "AJs,KQ"], 0.015, marks=pytest.mark.slow),
        ("QsJh2h8c", [FOLDED], 0.003),
    ],
)
def test_beside_brute_force(board, folded, near):
    tables = Subgame(board, 1, 1, RANGES, folded=folded).folded
    wanted, without = brute(board, tables), brute(board, ())
    counted = Solution(game(board, folded=folded))
    counted.learn(1)
    plain = Solution(game(board))
    plain.learn(1)
    assert plain.value(0) / 100 == pytest.approx(without, abs=1e-4)
    assert abs(wanted - without) > 0.004  # something to count
    assert counted.value(0) / 100 == pytest.approx(wanted, abs=near)
    assert abs(counted.value(0) / 100 - wanted) < abs(without - wanted) / 4


def test_cards_that_cannot_come():
    """Who folded two aces for sure: no ace comes, and nobody has one of the two."""
    spot = game("QsJh2h8c", folded=["AsAh"])
    assert spot.deals[[51, 50]].tolist() == [0.0, 0.0] or sorted(np.flatnonzero(spot.deals == 0)) == [50, 51]
    solution = solve(spot)
    assert np.isnan(solution.ev().of_holdings[pm.cards.holding_index("AsKd")])
    values = solution.ev("r:0")
    both = solution.ev("r:0", 1)
    assert values.mean + both.mean == pytest.approx(100, abs=0.5)


def test_of_a_hand():
    session = OpponentModeler()
    plain = of_hand(RIVER, 12, session)
    counted = of_hand(RIVER, 12, session, folded=True)
    assert plain.folded == ()
    assert len(counted.folded) == 4
    assert session.folded_tables is False
    aces = pm.cards.holding_index("AdAc")
    # who folds before the flop seldom has an ace: they are likelier with those who stayed
    share, before = (spot.weights()[0][aces] / spot.weights()[0].sum() for spot in (counted, plain))
    assert share > before


def test_files(tmp_path):
    spot = game("QsJh2h8c", folded=["AA,KK:.5"])
    again = Subgame.from_toml(spot.to_toml())
    np.testing.assert_array_equal(again.deals, spot.deals)
    solution = solve(spot)
    solution.save(tmp_path / "saved")
    assert Solution.load(tmp_path / "saved").value(0) == solution.value(0)


@pytest.mark.parametrize(
    ("folded", "message"),
    [
        ("AA", "folded must be a list of tables"),
        (["QsJh"], "the table of a player who folded is dead on the board"),
        (["A"], "the table of a player who folded: "),
    ],
)
def test_what_is_refused(folded, message):
    with pytest.raises(ValueError, match=message):
        game("QsJh2h8c", folded=folded)
