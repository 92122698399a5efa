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
        others = {self._solver, *(each for each in more.values() if isinstance(each, SubgameSolver))}
        with ExitStack() as turns:
            for solver in sorted(others, key=id):  # in one order, so that no two threads wait for each other
                turns.enter_context(solver.turn)
            self._solver.begin(mode, own, **more)
            turns.callback(self._solver.drop)
            if self._pool is None:
                self._solver.share(0, 1)
                return self._solver.end()
            shares = [self._pool.submit(self._solver.share, thread, self._threads) for thread in range(self._threads)]
            try:
                for share in shares:
                    share.result()
            finally:
                wait(shares)  # an interrupt leaves no thread that still writes
            return self._solver.end()

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

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
