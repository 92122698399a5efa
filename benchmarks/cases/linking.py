"""What kernels cost in another package, which compiles them itself, and what they cost in ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType

import numpy as np

from benchmarks.cases.boards import flops
from benchmarks.cases.simulation import HERO, limped, tables
from benchmarks.compiled import outside_module
from benchmarks.registry import Case, Run, UnavailableError, at_least, case
from pokermodel._core.dealing import Deals
from pokermodel._core.evaluator import count_ranks
from pokermodel._core.strength import Analysis
from pokermodel.classics.simulation import Simulator, StrengthCache

INSIDE = "inside"
ADVISED, LESS = "-O3", "-O2"  # what setup.py says in docs/howto/link.md, and what some Pythons say without
WORDS = np.arange(1, 5, dtype=np.uint64)


def outside(flags: str) -> ModuleType:
    try:
        return outside_module(flags)
    except (FileNotFoundError, RuntimeError) as error:
        raise UnavailableError(str(error)) from None


def both(name: str, unit: str, run: Callable[[ModuleType | None], Run]) -> Case:
    """Add a case: the same loop in another package, as it is advised to be built and with less, and in ours."""
    found = case(f"linking: {name}", unit, at_least(0.9, INSIDE), same=True)
    found.ours(lambda: run(outside(ADVISED)))
    found.peer(f"outside, {LESS}")(lambda: run(outside(LESS)))
    found.peer(INSIDE)(lambda: run(None))
    return found


def ranks(module: ModuleType | None) -> Run:
    counts = np.zeros(7463, np.uint64)
    count = module.count_ranks if module else count_ranks

    def work() -> np.ndarray:
        count(6, counts)
        return counts

    return Run(work, 20_358_520)


def deals(players: int) -> Callable[[ModuleType | None], Run]:
    n = 20_000

    @cache
    def prepared() -> tuple[Deals, np.ndarray, np.ndarray, np.ndarray]:
        """The same memory for all contenders."""
        ready = Deals(np.random.default_rng(1).random((players, 1326)), next(flops("rainbow")), (), True)
        return ready, np.empty((n, players, 2), np.uint8), np.empty((n, 5), np.uint8), np.empty(n)

    def run(module: ModuleType | None) -> Run:
        ready, holdings, boards, weights = prepared()

        def work() -> np.ndarray:
            if module:
                module.deal(ready, WORDS, holdings, boards, weights)
            else:
                ready.deal(WORDS, holdings, boards, weights)
            return holdings

        return Run(work, n)

    return run


def ranges(module: ModuleType | None) -> Run:
    board, weights, cells = next(flops("two-tone")), np.random.default_rng(1).random(1326), np.zeros((1326, 9))

    def work() -> np.ndarray:
        if module:
            module.cells(board, 2, weights, cells)
        else:
            analysis = Analysis(board, ())
            analysis.keep(analysis.count(2))
            analysis.cells(weights, 2, cells)
        return cells

    return Run(work)


def policies(name: str) -> Callable[[ModuleType | None], Run]:
    n = 20_000
    position, weights = (limped(4), next(flops("two-tone", apart_from=HERO))), tables(4)
    memory = cache(StrengthCache)  # one for all contenders

    def run(module: ModuleType | None) -> Run:
        policy = getattr(module, f"{name}_policy")() if module else name
        simulator = Simulator(policy=policy, stop="none", cache=memory())
        simulator.run(position, HERO, weights, 100_000, 1)
        return Run(lambda: simulator.run(position, HERO, weights, n, 2).ev, n)

    return run


both("all hands of six cards, ranked one by one", "hand", ranks)
both("2 weighted holdings", "deal", deals(2))
both("9 weighted holdings", "deal", deals(9))
both("a first range on a flop", "range", ranges)
both("play-outs by a policy that calls", "trial", policies("call"))
both("play-outs by Loki-1's rules", "trial", policies("loki1"))
