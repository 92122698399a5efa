"""Walks through a subgame that threads share, one walk at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from typing import Any

from pokermodel._core.solver import LEARN, SubgameSolver
from pokermodel._support.arrays import Floats

__all__ = ["Walks"]


class Walks:
    """Walks that share the boards of the first deal among threads."""

    def __init__(self, solver: SubgameSolver, threads: int) -> None:
        self._solver = solver
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def walk(self, mode: int, own: int, **more: Any) -> Floats:
        """The values of the root by one walk."""
        if not more:
            with self._solver.turn:
                return self._walk(mode, own, more)
        others = {self._solver, *(each for each in more.values() if isinstance(each, SubgameSolver))}
        with ExitStack() as turns:
            for solver in sorted(others, key=id):  # in one order, so that no two threads wait for each other
                turns.enter_context(solver.turn)
            return self._walk(mode, own, more)

    def _walk(self, mode: int, own: int, more: dict[str, Any]) -> Floats:
        """A walk of somebody who has the turns of all solvers of it."""
        solver = self._solver
        solver.begin(mode, own, **more)
        try:
            if self._pool is None:
                solver.share(0, 1)
            else:
                shares = [self._pool.submit(solver.share, thread, self._threads) for thread in range(self._threads)]
                try:
                    for share in shares:
                        share.result()
                finally:
                    wait(shares)  # an interrupt leaves no thread that still writes
            return solver.end()
        except BaseException:
            solver.drop()
            raise

    def learn(self, iterations: int) -> None:
        """Learn so many iterations."""
        with self._solver.turn:
            if self._pool is None:
                self._solver.learn(iterations)
                return
            for _ in range(iterations):
                for own in range(2):
                    self.walk(LEARN, own)
                self._solver.learnt()
