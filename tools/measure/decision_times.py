"""How long decisions of the player `solver` take by the clock, on a machine that others use.

    python -m tools.measure.decision_times [--game limit] [--seconds 1] [--decisions 100] [--busy 4]

It needs a blueprint of the game (`limit` or `no-limit:100`) in the cache. The player meets one who calls, with
`seconds` for a decision, while other processes keep the processors busy. Decisions before the turn, and those that an
earlier one solved, do not count. The bound holds if 99 of 100 decisions end within 1.2 times `seconds`; else the
status is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from time import perf_counter

import numpy as np

from pokermodel.game import GameSpec
from pokermodel.tables.arena import tournament
from pokermodel.tables.players.player import Answer, View
from pokermodel.tables.players.solver import SolverPlayer

_LEAST = 0.01  # seconds of a decision that solves something


def _work() -> None:
    while True:
        sum(range(100_000))


def main() -> int:
    """Measure, and print the share of decisions that ended in time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="limit")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--busy", type=int, default=4)
    asked = parser.parse_args()
    spec = GameSpec.heads_up(5, 10)
    if asked.game != "limit":
        stack = 100 * int(asked.game.removeprefix("no-limit:"))
        spec = GameSpec.no_limit(2, 50, 100, stacks=(stack, stack))
    times: list[float] = []
    act = SolverPlayer.act

    def timed(self: SolverPlayer, view: View) -> Answer:
        begin = perf_counter()
        answer = act(self, view)
        took = perf_counter() - begin
        if view.round >= self.first and took > _LEAST:
            times.append(took)
        return answer

    SolverPlayer.act = timed  # type: ignore[method-assign]
    busy = [multiprocessing.Process(target=_work, daemon=True) for _ in range(asked.busy)]
    for process in busy:
        process.start()
    deals = 0
    while len(times) < asked.decisions:
        tournament([f"solver?seconds={asked.seconds}", "call"], deals=4, seed=deals, spec=spec)
        deals += 4
    found = np.sort(times[: asked.decisions]) / asked.seconds
    for process in busy:
        process.terminate()
    late = float(np.mean(found > 1.2))
    print(
        f"{len(found)} decisions of {asked.seconds:g} s, {asked.busy} busy processes: median {np.median(found):.2f}, "
        f"99th of 100 {found[int(0.99 * len(found)) - 1]:.2f}, latest {found[-1]:.2f} times the bound; {late:.0%} late"
    )
    return int(late > 0.01)


if __name__ == "__main__":
    sys.exit(main())
