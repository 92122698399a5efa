"""Experiments that measure figures one by one, by table and row, and judge claims about them."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel._support.parallel import Progress
from pokermodel._support.words import counted
from pokermodel.classics.experiments.claims import Finding, Verdict
from pokermodel.executors import Executor
from pokermodel.tables.arena.statistics import Estimate, estimate

__all__ = ["MeasuredExperiment", "MeasuredOutcome", "Measurement"]

RunT = TypeVar("RunT", bound="Measurement")


@dataclass(frozen=True, slots=True)
class MeasuredOutcome:
    """Result of an experiment that measures figures.

    Attributes
    ----------
    experiment : MeasuredExperiment
        The experiment.
    seed, deals, games : int
        Seed, number of deals (or what else the experiment counts) of each part, and number of all games.
    seconds : float
        Running time.
    figures : mapping of str to mapping of str to Estimate
        Estimates by table and row.
    published : mapping of (str, str) to float
        Published figures by table and row.
    findings : tuple of Finding
        Verdicts on the claims.
    """

    experiment: MeasuredExperiment[Any]
    seed: int
    deals: int
    games: int
    seconds: float
    figures: Mapping[str, Mapping[str, Estimate]]
    published: Mapping[tuple[str, str], float]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON; unknown values are None."""

        def plain(value: float) -> float | None:
            return None if math.isnan(value) else value

        return {
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "deals": self.deals,
            "unit": self.experiment.unit,
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
                    **({"published": self.published[table, label]} if (table, label) in self.published else {}),
                }
                for table, rows in self.figures.items()
                for label, found in rows.items()
            ],
            "claims": [
                {"claim": found.claim, "verdict": found.verdict, "detail": found.detail} for found in self.findings
            ],
        }

    def __str__(self) -> str:
        played = f"{counted(self.deals, self.experiment.unit)}, {counted(self.games, 'game')}"
        lines = [
            f"{self.experiment.title} ({self.experiment.source})",
            f"{played}, seed {self.seed}, {self.seconds:.0f} s",
        ]
        width = max(len(label) for rows in self.figures.values() for label in rows)
        for table, rows in self.figures.items():
            told = any((table, label) in self.published for label in rows)
            lines += ["", f"{table:{width}}      ours  95% interval{'        published' if told else ''}"]
            for label, found in rows.items():
                figure = self.published.get((table, label))
                interval = "" if math.isnan(found.low) else f"{found.low:+.4f} to {found.high:+.4f}"
                line = f"{label:{width}}  {found.mean:+8.4f}  {interval}"
                lines.append(line.rstrip() if figure is None else f"{line:{width + 30}}  {figure:+.4f}")
        lines.append("")
        for finding in self.findings:
            lines += [f"{finding.verdict}: {finding.claim}", f"  {finding.detail}"]
        return "\n".join(lines)


class Measurement:
    """A running experiment: counts games, and collects figures and findings."""

    def __init__(self, deals: int, seed: int, parts: int, progress: Progress | None) -> None:
        self.deals, self.seed = deals, seed
        self.games = 0
        self.figures: dict[str, dict[str, Estimate]] = {}
        self.published: dict[tuple[str, str], float] = {}
        self.findings: list[Finding] = []
        self._parts, self._done, self._progress = parts, 0, progress

    def finished(self) -> None:
        """Report that a part is done."""
        self.count(self.deals)

    def count(self, deals: int) -> None:
        """Report that deals of a part are done."""
        self._done += deals
        if self._progress is not None:
            self._progress(self._done, self._parts * self.deals)

    def show(self, table: str, label: str, samples: Floats, published: float | None = None) -> None:
        """Add a row to a table: the mean of samples, and the published figure. One sample alone has no interval."""
        self.figures.setdefault(table, {})[label] = estimate(samples)
        if published is not None:
            self.published[table, label] = published

    def claim(self, claim: str, samples: Floats, low: float = 0.0, high: float = math.inf) -> None:
        """Judge whether a mean is between two bounds."""
        found = estimate(samples)
        if low < found.low and found.high < high:
            verdict: Verdict = "held"
        elif low < found.mean < high:
            verdict = "in order within chance"
        else:
            verdict = "failed" if found.high < low or high < found.low else "open"
        self.findings.append(Finding(claim, verdict, str(found)))


@dataclass(frozen=True, slots=True)
class MeasuredExperiment(Generic[RunT]):
    """An experiment that measures figures.

    Attributes
    ----------
    name : str
        Name of the experiment.
    title, source : str
        Title, and the publication.
    deals : int
        Number of deals of each part, as published if known.
    parts : int
        Number of parts; progress is reported after each.
    play : callable
        Function that plays the experiment, given a `Measurement`.
    measurement : type of Measurement
        Its argument type.
    unit : str
        The name of its deals, if it counts other things.
    """

    name: str
    title: str
    source: str
    deals: int
    parts: int
    play: Callable[[RunT], None]
    measurement: Callable[[int, int, int, Progress | None], RunT]
    unit: str = "deal"

    def total(self, deals: int | None = None) -> int:
        """Return the number of deals of all parts together, given those of each part."""
        return self.parts * (self.deals if deals is None else deals)

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        resume: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> MeasuredOutcome:
        """Play the experiment in one process, without a journal; see `run_experiment`."""
        length = self.deals if deals is None else deals
        check_least("deals", length, 2)
        check_least("seed", seed, 0)
        if resume is not None or executor is not None or jobs not in (None, 1):
            raise ValueError(f"{self.name} runs in one process and keeps no journal")
        start = time.monotonic()
        run = self.measurement(length, seed, self.parts, progress)
        self.play(run)
        seconds = time.monotonic() - start
        return MeasuredOutcome(self, seed, length, run.games, seconds, run.figures, run.published, tuple(run.findings))
