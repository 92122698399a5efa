"""Measure contenders in turn, and say how many times as fast ours is."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple

from benchmarks.registry import OURS, Case, Run, Target, UnavailableError

BATCH = 2e-4  # seconds: shorter calls are timed several at once
ROUND = 0.03  # seconds of each contender in each round, if one call takes no longer
REPEATS = 10  # batches a round at most, of which the quickest counts


class Interval(NamedTuple):
    """A median, and order statistics around it that hold the true median with a probability."""

    median: float
    low: float
    high: float
    coverage: float


def interval(values: Sequence[float], wanted: float = 0.95) -> Interval:
    """Median with the narrowest symmetric pair of order statistics that covers it; all of them if too few do.

    No distribution is assumed: the number of values below the true median is binomial.
    """
    ordered = sorted(values)
    n = len(ordered)

    def coverage(k: int) -> float:
        return 1 - 2 * sum(comb(n, i) for i in range(k + 1)) / float(2**n)

    k = 0
    while 2 * (k + 1) < n and coverage(k + 1) >= wanted:
        k += 1
    return Interval(statistics.median(ordered), ordered[k], ordered[n - 1 - k], max(coverage(k), 0.0))


def verdict(target: Target, found: Interval) -> str:
    """Whether a bound is reached; "unclear" if it lies within the interval."""
    if target.peer is None:
        sure, never = found.high <= target.bound, found.low > target.bound
    else:
        sure, never = found.low >= target.bound, found.high < target.bound
    return "reached" if sure else "not reached" if never else "unclear"


class Sampler:
    """Times one contender: seconds a unit, the quickest of several batches.

    The clock is the processor time of this process, all its threads together, which does not run while others have
    the processor.
    """

    def __init__(self, run: Run, clock: Callable[[], float] | None = None) -> None:
        self.run = run
        self.clock = clock or (time.perf_counter if run.wall else time.process_time)
        self.number = self.repeats = 1
        self.batch()  # not counted: it fills what is filled at the first call
        while (taken := self.batch()) < BATCH and not run.timed:
            self.number *= max(2, min(100, int(BATCH / max(taken, 1e-7))))
        if taken < ROUND:
            self.repeats = min(REPEATS, max(1, int(ROUND / max(taken, 1e-9))))

    def batch(self) -> float:
        call = self.run.call
        if self.run.timed:
            return float(call())  # type: ignore[arg-type]
        start = self.clock()
        for _ in range(self.number):
            call()
        return self.clock() - start

    def sample(self) -> float:
        return min(self.batch() for _ in range(self.repeats)) / self.number / self.run.units


@dataclass
class Result:
    """A measured case."""

    case: Case
    #: Seconds a unit, round by round, by contender.
    seconds: dict[str, list[float]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    #: Why contenders were not measured.
    absent: dict[str, str] = field(default_factory=dict)

    def time(self, name: str) -> Interval:
        return interval(self.seconds[name])

    def ratio(self, name: str) -> Interval:
        """How many times as long as ours another takes, compared round by round."""
        both = zip(self.seconds[name], self.seconds[OURS], strict=True)
        return interval([theirs / ours for theirs, ours in both])

    def verdicts(self) -> list[tuple[Target, str]]:
        found = []
        for target in self.case.targets:
            name = target.peer or OURS
            if OURS not in self.seconds or name not in self.seconds:
                found.append((target, "not measured"))
            else:
                found.append((target, verdict(target, self.ratio(name) if target.peer else self.time(OURS))))
        return found


def measure(case: Case, rounds: int, rng: random.Random) -> Result:
    """Measure all contenders of a case that are there, in random order within each round."""
    result = Result(case)
    samplers = {}
    for name in case.names:
        try:
            run = case.contenders[name]()
            samplers[name] = Sampler(run)
        except ModuleNotFoundError as error:
            result.absent[name] = f"{error.name} is not installed"
        except UnavailableError as error:
            result.absent[name] = str(error)
        else:
            result.seconds[name] = []
            if run.note:
                result.notes[name] = run.note
    for _ in range(min(rounds, case.rounds or rounds)):
        for name in rng.sample(sorted(samplers), len(samplers)):
            result.seconds[name].append(samplers[name].sample())
    return result
