"""Equity: exact, and by simulation on one thread."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.cases.boards import flops
from benchmarks.registry import Run, at_least, at_most, case
from pokermodel.cards import CARDS, cards_text
from pokermodel.evaluation.equity import equity

MS = 1e-3
TRIALS = 1_000_000
EVERYTHING = "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"
SOME = "22+, A2s+, KTs+, QTs+, JTs, ATo+, KQo"
SOME_OMPEVAL = SOME.replace(" ", "")
FLOP = "2c7d9h"

# ------------------------------------------------------------------------------------------------------ exact


def ours_on_flops(ranges: list[str | None], jobs: int = 1) -> Run:
    boards = flops("rainbow", apart_from="AhKd")
    return Run(lambda: equity(ranges, next(boards), jobs=jobs), 1, "another flop each time")


def pokerfast_on_flops(ranges: list[str]) -> Run:
    from pokerfast import equity as pokerfast

    boards = (cards_text(board) for board in flops("rainbow", apart_from="AhKd"))
    return Run(lambda: pokerfast.equity(ranges, next(boards)), 1, "another flop each time")


hand_random = case("equity: hand against random range on a flop, exact", "call", at_least(3, "pokerfast"))
hand_random.ours(partial(ours_on_flops, ["AhKd", None]))
hand_random.peer("pokerfast, equity")(partial(pokerfast_on_flops, ["AhKd", "random"]))


@hand_random.peer("pokerfast")
def against_random() -> Run:
    from pokerfast import equity as pokerfast

    boards = (cards_text(board) for board in flops("rainbow", apart_from="AhKd"))
    return Run(lambda: pokerfast.equity_vs_random("AhKd", next(boards)), 1, "its quicker way, equity_vs_random")


hand_some = case("equity: hand against 16 % of holdings on a flop, exact", "call")
hand_some.ours(partial(ours_on_flops, ["AhKd", SOME]))
hand_some.peer("pokerfast")(partial(pokerfast_on_flops, ["AhKd", SOME_OMPEVAL]))

some_some = case("equity: 16 % against 16 % of holdings on a flop, exact", "call")
some_some.ours(partial(ours_on_flops, [SOME, SOME]))
some_some.peer("pokerfast")(partial(pokerfast_on_flops, [SOME_OMPEVAL, SOME_OMPEVAL]))

all_all = case("equity: all against all holdings on a flop, exact", "call", at_most(25 * MS), rounds=5)
all_all.ours(partial(ours_on_flops, [None, None]))
all_all.peer("pokerfast")(partial(pokerfast_on_flops, ["random", "random"]))

same_flop = case("equity: hand against 16 % of holdings on one flop, exact", "call", same=True)
before = case("equity: hand against hand before the flop, exact", "call", at_least(1, "pokerfast"), same=True)
three = case("equity: three hands before the flop, exact", "call", same=True)
for _case, _ranges, _board in (
    (same_flop, ["AhKd", SOME], FLOP),
    (before, ["AhAd", "KsKc"], ""),
    (three, ["AhAd", "KsKc", "QhJh"], ""),
):

    def _ours(ranges: list[str] = _ranges, board: str = _board) -> Run:
        return Run(lambda: equity(ranges, board, exact=True, jobs=1).equity)

    def _pokerfast(ranges: list[str] = _ranges, board: str = _board) -> Run:
        from pokerfast import equity as pokerfast

        return Run(lambda: pokerfast.equity([hand.replace(" ", "") for hand in ranges], board))

    _case.ours(_ours)
    _case.peer("pokerfast")(_pokerfast)

# -------------------------------------------------------------------------------------------------- simulated

for _players, _millions in ((2, 15), (3, 10), (6, 5), (9, None)):

    def _simulated(players: int = _players) -> Run:
        return Run(lambda: equity([None] * players, trials=TRIALS, exact=False, rng=1, jobs=1), TRIALS)

    _bounds = [at_most(1e-6 / _millions)] if _millions else []
    case(f"equity: simulation, {_players} random players before the flop", "trial", *_bounds).ours(_simulated)


def simulation(name: str, theirs: str, ours: str | None, board: str) -> None:
    both = case(f"equity: simulation, {name}", "trial", at_least(2, "eval7"))

    @both.ours
    def _() -> Run:
        return Run(lambda: equity(["AsKd", ours], board, trials=TRIALS, exact=False, rng=1, jobs=1), TRIALS)

    @both.peer("eval7")
    def _() -> Run:
        import eval7

        cards = [eval7.Card(board[k : k + 2]) for k in range(0, len(board), 2)]
        hand, villain = [eval7.Card("As"), eval7.Card("Kd")], eval7.HandRange(theirs)
        trials = TRIALS // 4
        return Run(lambda: eval7.py_hand_vs_range_monte_carlo(hand, villain, cards, trials), trials)


simulation("hand against a random one before the flop", EVERYTHING, None, "")
simulation("hand against a random one on a flop", EVERYTHING, None, FLOP)
simulation("hand against 16 % of holdings before the flop", SOME, SOME, "")
simulation("hand against 16 % of holdings on a flop", SOME, SOME, FLOP)

weighted = case("equity: simulation, 6 weighted ranges on a flop", "trial")


@weighted.ours
def six_weighted() -> Run:
    weights = np.random.default_rng(1).random((6, len(CARDS) * (len(CARDS) - 1) // 2))
    trials = TRIALS // 4
    return Run(lambda: equity(list(weights), FLOP, trials=trials, exact=False, rng=1, jobs=1), trials)
