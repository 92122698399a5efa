"""Exact equity beside pokerfast, simulation beside eval7, weighted deals: ``python -m benchmarks.equity``."""

from __future__ import annotations

import eval7
import numpy as np

from benchmarks import best_times, report
from pokermodel.dealing import Dealer
from pokermodel.equity import _preflop, equity

TRIALS = 1_000_000
EVERYTHING = "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32"
SOME = "22+, A2s+, KTs+, QJo"


def exact(title: str, ranges: list[str], board: str, rounds: int = 7) -> None:
    def cold() -> object:
        _preflop.cache_clear()
        return equity(ranges, board, exact=True, jobs=1)

    cases = {"pokermodel.equity": lambda: equity(ranges, board, exact=True, jobs=1)}
    if not board:
        cases["pokermodel.equity, nothing known yet"] = cold
    try:
        from pokerfast import equity as pokerfast
    except ImportError:
        print("pokerfast is not installed")
    else:
        cases["pokerfast.equity"] = lambda: pokerfast.equity([text.replace(" ", "") for text in ranges], board)
    report(title, best_times(cases, rounds), dict.fromkeys(cases, 1), "call")


def all_before_the_flop() -> None:
    equity([None, None], exact=True)
    cases = {"all against all before the flop, known": lambda: equity([None, None], exact=True, jobs=1)}
    report("two ranges of 1,326 holdings", best_times(cases), dict.fromkeys(cases, 1), "call")


def simulated(title: str, theirs: str, ours: str | None, board: str) -> None:
    cards = [eval7.Card(board[k : k + 2]) for k in range(0, len(board), 2)]
    hand, villain = [eval7.Card("As"), eval7.Card("Kd")], eval7.HandRange(theirs)
    cases = {
        "pokermodel.equity": lambda: equity(["AsKd", ours], board, trials=TRIALS, exact=False, rng=1, jobs=1),
        "eval7.py_hand_vs_range_monte_carlo": lambda: eval7.py_hand_vs_range_monte_carlo(hand, villain, cards, TRIALS),
    }
    report(title, best_times(cases), dict.fromkeys(cases, TRIALS), "trial")


def several_players() -> None:
    cases = {
        f"{players} random players": lambda players=players: equity(
            [None] * players, trials=TRIALS, exact=False, rng=1, jobs=1
        )
        for players in (2, 3, 6, 9)
    }
    times = best_times(cases)
    report("before the flop, nobody's holding known", times, dict.fromkeys(cases, TRIALS), "trial")
    for name, runs in times.items():
        print(f"  {name:<44} {TRIALS / min(runs) / 1e6:14.1f} million trials/s at best")


def deals() -> None:
    weights = np.random.default_rng(1).random((9, 1326))
    cases = {}
    for mode in ("joint", "published"):
        for players in (2, 5, 9):
            dealer = Dealer(list(weights[:players]), "2c7d9h", "AsKd", mode, rng=1)
            cases[f"{mode}, {players} weighted holdings"] = lambda dealer=dealer: dealer.deal(100_000)
    report("deals on a flop", best_times(cases), dict.fromkeys(cases, 100_000), "deal")


def main() -> None:
    exact("a hand against a hand, before the flop", ["AhKd", "QsQh"], "")
    exact("a hand against a range, before the flop", ["AhKd", SOME], "", 3)
    exact("a hand against a random one, before the flop", ["AhKd", "random"], "", 3)
    exact("three hands, before the flop", ["AhKd", "QsQh", "7c6c"], "")
    exact("a hand against a random one, on a flop", ["AhKd", "random"], "2c7d9h")
    exact("a hand against a range, on a flop", ["AhKd", SOME], "2c7d9h")
    exact("a range against a range, on a flop", [SOME, SOME], "2c7d9h")
    all_before_the_flop()
    simulated("a hand against a random one, before the flop", EVERYTHING, None, "")
    simulated("a hand against a range, before the flop", SOME, SOME, "")
    simulated("a hand against a range, on a flop", SOME, SOME, "2c7d9h")
    several_players()
    deals()


if __name__ == "__main__":
    main()
