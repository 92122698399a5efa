"""Benchmarks: ours and public peers interleaved in one run, printed as ratios. ``python -m benchmarks.NAME``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def best_times(cases: dict[str, Callable[[], object]], rounds: int = 7) -> dict[str, list[float]]:
    """Seconds of each case, round by round in turn, so that a drift of the machine meets all alike."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for run in cases.values():
        run()
    for _ in range(rounds):
        for name, run in cases.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return times


def report(title: str, times: dict[str, list[float]], units: dict[str, int], unit: str) -> None:
    """Print the median time per unit of each case, and how many times the first one's it is (and the spread)."""
    print(title)
    first = next(iter(times))
    for name, runs in times.items():
        each = statistics.median(runs) / units[name]
        ratios = sorted(
            (theirs / units[name]) / (ours / units[first]) for theirs, ours in zip(runs, times[first], strict=True)
        )
        print(
            f"  {name:<44} {each * 1e9:>14,.1f} ns/{unit}"
            f"   x{statistics.median(ratios):<9.3g} ({ratios[0]:.3g} to {ratios[-1]:.3g})"
        )
