"""Experiments in five-card stud: matches of the Bayesian Poker Program's players.

All winnings are units per game, a unit being a bet of the first round; intervals are over deals unless said otherwise.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokermodel._arrays import Floats
from pokermodel._checks import check_least
from pokermodel._parallel import Progress
from pokermodel.arena.statistics import Estimate, estimate
from pokermodel.experiments.claims import Finding, Verdict
from pokermodel.stud.match import Games, play_match
from pokermodel.stud.players import StudPlayer

__all__ = ["StudExperiment", "StudOutcome", "StudRun"]


@dataclass(frozen=True, slots=True)
class StudOutcome:
    """What came of an experiment.

    Attributes
    ----------
    experiment : StudExperiment
    seed, deals, games : int
        Deals of each part; games of all.
    seconds : float
    figures : mapping of str to mapping of str to Estimate
        By table and row.
    findings : tuple of Finding
        What came of the claims.
    """

    experiment: StudExperiment
    seed: int
    deals: int
    games: int
    seconds: float
    figures: Mapping[str, Mapping[str, Estimate]]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON; what is not known is None."""

        def plain(value: float) -> float | None:
            return None if math.isnan(value) else value

        return {
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "rows": [
                {
                    "table": table,
                    "label": label,
                    "mean": plain(found.mean),
                    "standard_error": plain(found.standard_error),
                    "ci95": [plain(found.low), plain(found.high)],
                }
                for table, rows in self.figures.items()
                for label, found in rows.items()
            ],
            "claims": [
                {"claim": found.claim, "verdict": found.verdict, "detail": found.detail} for found in self.findings
            ],
        }

    def __str__(self) -> str:
        lines = [
            f"{self.experiment.title} ({self.experiment.source})",
            f"{self.deals:,} deals, {self.games:,} games, seed {self.seed}, {self.seconds:.0f} s",
        ]
        width = max(len(label) for rows in self.figures.values() for label in rows)
        for table, rows in self.figures.items():
            lines += ["", f"{table:{width}}      ours  95 % interval"]
            lines += [
                f"{label:{width}}  {found.mean:+8.4f}  {found.low:+.4f} to {found.high:+.4f}"
                for label, found in rows.items()
            ]
        lines.append("")
        for found in self.findings:
            lines += [f"{found.verdict:6}  {found.claim}", f"{'':6}  {found.detail}"]
        return "\n".join(lines)


class StudRun:
    """An experiment while it runs: counts games, keeps figures and findings."""

    def __init__(self, deals: int, seed: int, parts: int, progress: Progress | None) -> None:
        self.deals, self.seed = deals, seed
        self.games = 0
        self.figures: dict[str, dict[str, Estimate]] = {}
        self.findings: list[Finding] = []
        self._parts, self._done, self._progress = parts, 0, progress

    def finished(self) -> None:
        """A part is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done * self.deals, self._parts * self.deals)

    def play(self, one: StudPlayer, two: StudPlayer, deals: int, seed: Sequence[int]) -> tuple[Floats, Games]:
        """A match: units per game by deal, and the games."""
        match = play_match(one, two, deals, seed=seed)
        self.games += 2 * deals
        return match.samples, match.games

    def show(self, table: str, label: str, samples: Floats) -> None:
        """A row of a table."""
        self.figures.setdefault(table, {})[label] = estimate(samples)

    def claim(self, claim: str, samples: Floats, low: float = 0.0, high: float = math.inf) -> None:
        """That a mean is between two bounds, with 95 % confidence; open where chance allows both."""
        found = estimate(samples)
        verdict: Verdict = "open"
        if low < found.low and found.high < high:
            verdict = "held"
        elif found.high < low or high < found.low:
            verdict = "failed"
        self.findings.append(Finding(claim, verdict, str(found)))


@dataclass(frozen=True, slots=True)
class StudExperiment:
    """An experiment in stud.

    Attributes
    ----------
    name : str
        As it is asked for.
    title, source : str
        What it shows, and who did it first.
    deals : int
        The full length of each part; a deal is two games.
    parts : int
        How often progress is told.
    play : callable
        Plays it.
    """

    name: str
    title: str
    source: str
    deals: int
    parts: int
    play: Callable[[StudRun], None]

    def total(self, deals: int | None = None) -> int:
        """Deals of all parts, the parts counting alike; the full length without."""
        return self.parts * (self.deals if deals is None else deals)

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> StudOutcome:
        """Play it, in one process and without checkpoints: as `run_experiment`."""
        length = self.deals if deals is None else deals
        check_least("deals", length, 2)
        check_least("seed", seed, 0)
        if checkpoint is not None or jobs not in (None, 1):
            raise ValueError(f"{self.name} runs in one process and keeps no checkpoint")
        start = time.monotonic()
        run = StudRun(length, seed, self.parts, progress)
        self.play(run)
        seconds = time.monotonic() - start
        return StudOutcome(self, seed, length, run.games, seconds, run.figures, tuple(run.findings))
