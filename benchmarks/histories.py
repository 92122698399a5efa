"""Reading hand histories: hands per second, read and replayed (no models) on one core.

``python -m benchmarks.histories PATH...`` with whatever `pokermodel.open_hands` opens; without PATH, an IRC month
and an ACPC match below the folder that the environment variable POKERMODEL_DATA names.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

import pokermodel as pm

ROUNDS = 5
USUAL = ("irc-199504/holdem.199504.dev.tgz", "acpc-2014-3p-limit")


def read_and_replay(path: Path) -> tuple[str, int, int, float]:
    """Format, hands, decisions and seconds of one pass over a source, payoffs included."""
    start = time.perf_counter()
    source = pm.open_hands(path, strict=False)
    hands = decisions = 0
    for hand in source:
        hands += 1
        for _ in hand.replay():
            decisions += 1
        _ = hand.payoffs
    return source.format, hands, decisions, time.perf_counter() - start


def main(paths: list[str]) -> None:
    if not paths and "POKERMODEL_DATA" not in os.environ:
        sys.exit("give files to read, or set POKERMODEL_DATA to the folder of the histories")
    for path in map(Path, paths or [os.path.join(os.environ["POKERMODEL_DATA"], name) for name in USUAL]):
        runs = [read_and_replay(path) for _ in range(ROUNDS)]
        form, hands, decisions, _ = runs[0]
        seconds = [run[-1] for run in runs]
        rates = f"{hands / statistics.median(seconds):,.0f} hands/s ({hands / max(seconds):,.0f} to "
        rates += f"{hands / min(seconds):,.0f}), {decisions / statistics.median(seconds):,.0f} decisions/s"
        print(f"{form:5} {path.name}: {hands:,} hands, {rates}")


if __name__ == "__main__":
    main(sys.argv[1:])
