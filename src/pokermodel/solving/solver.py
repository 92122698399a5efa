"""Solve a subgame: iterate down to a target exploitability."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pokermodel._support.checks import check_jobs, check_least
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.solution import Check, Solution, locked_player, with_confidence
from pokermodel.solving.subgame import Subgame, SubgameSize

__all__ = ["solve", "solve_whole"]

_CHECK = 10  # iterations between two checks
_BREATH = 0.1  # seconds of iterations in one call, after which an interrupt is heard
_USUAL_ACTS = 4  # of a node
_HALVINGS = 6  # of the share of confidences, to keep within a risk


def solve(
    subgame: Subgame,
    target: float = 0.5,
    seconds: float | None = None,
    memory: int | None = None,
    locks: Iterable[Lock] = (),
    *,
    risk: float | None = None,
    bits: int | None = None,
    jobs: int | None = None,
    iterations: int = 100_000,
    callback: Callable[[Check], object] | None = None,
    start: Solution | None = None,
) -> Solution:
    """Find strategies that cannot be exploited by much.

    Discounted counterfactual regret minimisation (Brown and Sandholm 2019). Every tenth iteration computes the
    exploitability exactly, over all holdings. The same input gives the same result for any number of threads, unless
    time ends it. Ctrl-C ends it, too; the solution then is the current one, with ``interrupted`` set.

    Parameters
    ----------
    target : float
        Exploitability in per cent of the pot at which to stop.
    seconds : float, optional
        Time after which to stop in any case.
    memory : int, optional
        Most bytes for regrets and averages. Where 32 bits need more, 16 are used. Default: the machine's memory.
    locks : iterable of Lock
        Believed strategies of players, besides the locks of the subgame.
    risk : float, optional
        In per cent of the pot, what the answer to the locks may lose in the worst case, beside the equilibrium. Where
        it would lose more, all confidences are lowered alike, as far as it takes (bisection, some seven solutions).
    bits : {32, 16}, optional
        Of the numbers that are kept; default: 32 where they fit.
    jobs : int, optional
        Threads, which share the cards of the first deal; default: one per processor.
    iterations : int
        Most iterations.
    callback : callable, optional
        Called with each `Check`; if it returns true, this is the last one.
    start : Solution, optional
        A solution of the same subgame to go on from; it is changed. Its locks stay.

    Raises
    ------
    ValueError
        If an argument is wrong, a lock does not fit, the tree is too large, or it needs more memory.
    """
    if not isinstance(subgame, Subgame):
        raise ValueError(f"what is solved is a Subgame, got {subgame!r}")
    if not target > 0:
        raise ValueError(f"target must be above 0 per cent of the pot, got {target!r}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds must be above 0, got {seconds!r}")
    if bits not in (None, 16, 32):
        raise ValueError(f"bits must be 16 or 32, got {bits!r}")
    check_least("iterations", iterations, 1)
    jobs = check_jobs(jobs)
    until = _Until(target, seconds, iterations, callback)
    if start is not None:
        return until.learn(lambda: start)
    subgame = subgame.with_locks((*subgame.locks, *locks))
    if risk is not None:
        return _within_risk(subgame, risk, memory, _bits(subgame, memory, bits), jobs, until)
    return until.learn(lambda: _made(subgame, memory, bits, jobs))


def solve_whole(subgame: Subgame, *arguments: Any, **options: Any) -> Solution:
    """Solve a subgame whose solution is a step of something larger, which Ctrl-C is to end as well.

    Parameters are those of `solve`. Raises `KeyboardInterrupt` if the user interrupted it: what there is by then is no
    answer, and `ValueError` as `solve`.
    """
    found = solve(subgame, *arguments, **options)
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _made(subgame: Subgame, memory: int | None, bits: int | None, jobs: int) -> Solution:
    bits = _bits(subgame, memory, bits)
    try:
        return Solution(subgame, bits=bits, jobs=jobs)
    except MemoryError:
        size = subgame.size()
        needed = size.bytes_16 if bits == 16 else size.bytes_32
        raise ValueError(f"there is no memory: solving needs {needed / 1e6:,.0f} MB with {bits} bits") from None


def _bits(subgame: Subgame, memory: int | None, bits: int | None) -> int:
    """How many bits fit."""
    size = subgame.size()
    limit = _machine() if memory is None else memory
    locked = _bytes_of_locks(subgame, size)
    if locked:
        needed = f"the locks need {locked / 1e6:,.0f} MB: there are {limit / 1e6:,.0f} MB"
        if locked > limit:
            raise ValueError(f"{needed}; expected fewer nodes with a lock, or more memory")
        limit -= locked
    if bits is None:
        bits = 32 if size.bytes_32 <= limit else 16
    if (size.bytes_16 if bits == 16 else size.bytes_32) > limit:
        needs = f"{size.bytes_32 / 1e6:,.0f} MB, or {size.bytes_16 / 1e6:,.0f} MB with 16 bits"
        raise ValueError(f"solving needs {needs}: there are {limit / 1e6:,.0f} MB; expected fewer sizes or more memory")
    return bits


def _bytes_of_locks(subgame: Subgame, size: SubgameSize) -> int:
    """What the strategies of locks on all boards take beside regrets and averages."""
    total = 0
    for lock in subgame.locks:
        acts = len(lock.strategy.parts) if isinstance(lock.strategy, BoardStrategy) else _USUAL_ACTS
        street = min(lock.node.count("*"), len(size.boards) - 1)
        total += 4 * size.boards[street] * acts * max(size.holdings) if lock.confidence > 0 else 0
    return total


def _machine() -> float:
    """Bytes of memory that the machine has; infinite where nobody says."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return float("inf")


class _Until(NamedTuple):
    """When learning ends; as the parameters of `solve`."""

    target: float
    seconds: float | None
    iterations: int
    callback: Callable[[Check], object] | None

    def learn(self, make: Callable[[], Solution]) -> Solution:
        """Go on from a solution until then."""
        solution = make()
        solution.target = self.target
        solution.interrupted = False
        before = solution.seconds
        begin = time.perf_counter()
        end = float("inf") if self.seconds is None else begin + self.seconds
        last = solution.iterations + self.iterations
        at_once = 1
        while True:
            to = min(last, (solution.iterations // _CHECK + 1) * _CHECK)
            try:
                while solution.iterations < to:
                    started = time.perf_counter()
                    number = min(at_once, to - solution.iterations)
                    solution.learn(number)
                    now = time.perf_counter()
                    if now >= end:
                        break
                    at_once = max(1, int(number * _BREATH / max(now - started, 1e-6)))
                exploitability = solution.measure()
            except KeyboardInterrupt:
                solution.interrupted = True
                exploitability = solution.measure()
            check = Check(solution.iterations, exploitability, before + time.perf_counter() - begin)
            solution.checks.append(check)
            if solution.interrupted:
                return solution
            stop = self.callback is not None and self.callback(check)
            if stop or check.exploitability <= self.target or solution.iterations >= last or time.perf_counter() >= end:
                return solution


def _within_risk(subgame: Subgame, risk: float, memory: int | None, bits: int, jobs: int, until: _Until) -> Solution:
    if not risk > 0:
        raise ValueError(f"risk must be above 0 per cent of the pot, got {risk!r}")
    until = until._replace(target=min(until.target, risk / 5))  # what is not solved counts as lost

    def answer(share: float) -> Solution:
        locked = subgame.with_locks(with_confidence(subgame.locks, share))
        return until.learn(lambda: _made(locked, memory, bits, jobs))

    free = answer(0.0)
    hero = 1 - locked_player(free, subgame.locks)
    least = free.value(hero) - risk / 100 * subgame.pot
    best, low, high = free, 0.0, 1.0
    share = 1.0
    for _ in range(1 + _HALVINGS):
        if best.interrupted:
            break
        found = answer(share)
        if found.interrupted:
            best.interrupted = True
            break
        if found.worst_case(hero) >= least:
            best, low = found, share
            if share == 1.0:
                break
        else:
            high = share
        share = (low + high) / 2
    return best
