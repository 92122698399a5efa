"""How well known tables are found again from observed hands: the figures of docs/experiments.md.

``python -m tools.measure.recovery [HANDS [SEEDS]]`` plays 20,000 hands against each of four styles, with two seeds.
"""

from __future__ import annotations

import sys

from pokermodel.classics.experiments.recovery import STYLES, Recovery, known_table, recover
from pokermodel.tables.arena.statistics import estimate


def main(hands: int = 20_000, seeds: int = 2) -> None:
    """Play against the four styles, and print how well each estimator does."""
    rows: list[Recovery] = []
    for style, (fold, raises) in STYLES.items():
        for seed in range(1, seeds + 1):
            rows.append(recover(known_table(fold, raises), hands, seed=seed))
            errors = ", ".join(f"{name} {error:.4f}" for name, error in rows[-1].errors.items())
            wins = ", ".join(
                f"{name} {error:.4f} ({rows[-1].optimism[name]:+.4f})" for name, error in rows[-1].calibration.items()
            )
            print(f"{style}, seed {seed}: shown {rows[-1].shown:.3f}; error {errors}; P(win) {wins}", flush=True)
    for what in ("errors", "calibration", "optimism"):
        for name in getattr(rows[0], what):
            values = [getattr(row, what)[name] for row in rows]
            found = estimate(values)
            print(f"{what}, {name}: {found.mean:+.4f} ({found.low:+.4f} to {found.high:+.4f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
