"""Experiments that are tournaments: what is played, what is shown, and what must hold.

Figures are small bets per game.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pokermodel._arrays import Floats
from pokermodel._parallel import Progress
from pokermodel.arena.statistics import Estimate, estimate
from pokermodel.arena.tournament import BLOCK, TournamentResult, tournament
from pokermodel.experiments.claims import Claim, Finding

__all__ = ["Part", "Row", "TournamentExperiment", "TournamentOutcome"]


@dataclass(frozen=True, slots=True)
class Part:
    """A tournament of an experiment.

    Attributes
    ----------
    name : str
        Within the experiment.
    players : str
        As `tournament` takes them.
    block : int
        Deals after which players are made anew.
    """

    name: str
    players: str
    block: int = BLOCK


@dataclass(frozen=True, slots=True)
class Row:
    """A figure: what a kind of player wins in a part, perhaps less what another one does.

    Attributes
    ----------
    label : str
        What the source calls it.
    part : str
        Name of a part.
    player : str or tuple of str
        A kind of player in it, without copies, or several, of which the mean is taken.
    published : mapping of str to float
        Small bets per game by source.
    minus : str or tuple of str
        The kind of player that is compared with, or as many as there are players; none if empty.
    """

    label: str
    part: str
    player: str | tuple[str, ...]
    published: Mapping[str, float] = field(default_factory=dict)
    minus: str | tuple[str, ...] = ""

    @property
    def players(self) -> tuple[str, ...]:
        """The kinds of players, also if it is only one."""
        return (self.player,) if isinstance(self.player, str) else self.player

    @property
    def twins(self) -> tuple[str, ...]:
        """Who they are compared with."""
        return ((self.minus,) if self.minus else ()) if isinstance(self.minus, str) else self.minus


@dataclass(frozen=True, slots=True)
class TournamentExperiment:
    """A table of a source, played again: tournaments, rows read off them, claims about the rows.

    All tournaments use the same deals, so that rows of different ones are compared deal by deal.

    Attributes
    ----------
    name : str
        As it is asked for.
    title, source : str
        What it shows, and who did it first.
    deals : int
        The full length, as published.
    parts, rows, claims
        What is played, what is shown, what must hold.
    """

    name: str
    title: str
    source: str
    deals: int
    parts: tuple[Part, ...]
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]

    def total(self, deals: int | None = None) -> int:
        """Deals of all parts, if each has so many; the published length without."""
        return len(self.parts) * (self.deals if deals is None else deals)

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> TournamentOutcome:
        """Play it: as `run_experiment`."""
        length = self.deals if deals is None else deals
        folder = None if checkpoint is None else Path(checkpoint)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        results = {}
        for number, part in enumerate(self.parts):
            result = tournament(
                part.players,
                length,
                seed=seed,
                jobs=jobs,
                block=part.block,
                checkpoint=None if folder is None else folder / f"{self.name}-{part.name}.jsonl",
                progress=_shifted(progress, number * length, len(self.parts) * length),
            )
            if result.failure is not None:
                raise RuntimeError(str(result.failure))
            if result.interrupted:
                raise KeyboardInterrupt
            results[part.name] = result
        return TournamentOutcome(self, results, time.monotonic() - start)


@dataclass(frozen=True, eq=False, slots=True)
class TournamentOutcome:
    """An experiment and what came of its tournaments.

    Attributes
    ----------
    experiment : TournamentExperiment
        What was played.
    results : mapping of str to TournamentResult
        By part.
    seconds : float
        How long it took; of a run that went on from a checkpoint, only since then.
    """

    experiment: TournamentExperiment
    results: Mapping[str, TournamentResult]
    seconds: float

    @property
    def deals(self) -> int:
        """How many deals all parts have; some may have more."""
        return min(result.deals for result in self.results.values())

    def row(self, label: str) -> Row:
        """A row by its label; `ValueError` if there is none."""
        for row in self.experiment.rows:
            if row.label == label:
                return row
        raise ValueError(f"experiment {self.experiment.name} has no row {label!r}")

    def samples(self, label: str) -> Floats:
        """What a row says of each deal, in small bets per game: float64 (deals,)."""
        row = self.row(label)
        result = self.results[row.part]
        values = np.mean([result.samples(player) for player in row.players], axis=0)
        if row.twins:
            values = values - np.mean([result.samples(player) for player in row.twins], axis=0)
        return np.asarray(values)

    def estimate(self, label: str) -> Estimate:
        """A row, in small bets per game."""
        return estimate(self.samples(label))

    def difference(self, one: str, two: str) -> Estimate:
        """A row less another, deal by deal, as far as both were played."""
        return self.combination({one: 1.0, two: -1.0})

    def combination(self, factors: Mapping[str, float]) -> Estimate:
        """Rows times factors, added up deal by deal, as far as all were played."""
        samples = [factor * self.samples(label) for label, factor in factors.items()]
        deals = min(map(len, samples))
        return estimate(np.sum([values[:deals] for values in samples], axis=0))

    def findings(self) -> list[Finding]:
        """What came of the claims."""
        return [claim.judge(self) for claim in self.experiment.claims]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON; what is not known is None."""
        rows = []
        for row in self.experiment.rows:
            result = self.results[row.part]
            found = self.estimate(row.label)
            numbers = {
                "small_bets_per_game": found.mean,
                "standard_error": found.standard_error,
                "sd_per_game": float(np.mean([result.sd_per_game(player) for player in row.players])),
            }
            rows.append(
                {
                    "label": row.label,
                    "player": ", ".join(row.players),
                    "minus": ", ".join(row.twins) or None,
                    "copies": sum(len(result.columns(player)) for player in row.players),
                    "deals": result.deals,
                    "published": dict(row.published),
                    **{key: None if math.isnan(value) else value for key, value in numbers.items()},
                    "ci95": [None if math.isnan(value) else value for value in (found.low, found.high)],
                }
            )
        first = next(iter(self.results.values()))
        return {
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "deals": self.deals,
            "games": sum(result.games for result in self.results.values()),
            "seed": first.seed,
            "blocks": {part.name: part.block for part in self.experiment.parts},
            "seconds": self.seconds,
            "rows": rows,
            "claims": [
                {"claim": found.claim, "verdict": found.verdict, "detail": found.detail} for found in self.findings()
            ],
        }

    def __str__(self) -> str:
        report = self.to_dict()
        sources = list(dict.fromkeys(source for row in report["rows"] for source in row["published"]))
        width = max(len(row["label"]) for row in report["rows"])
        lines = [
            f"{report['title']} ({report['source']})",
            f"{report['deals']:,} deals, {report['games']:,} games, seed {report['seed']}, {report['seconds']:.0f} s",
            "",
            f"{'sb/game':{width}}     ours  95 % interval       sd/game  {'  '.join(sources)}",
        ]
        for row in report["rows"]:
            low, high = row["ci95"]
            published = "  ".join(
                f"{row['published'][each]:+.3f}".center(len(each)) if each in row["published"] else " " * len(each)
                for each in sources
            )
            line = f"{row['label']:{width}}  {row['small_bets_per_game']:+.4f}  {low:+.4f} to {high:+.4f}"
            lines.append(f"{line}  {row['sd_per_game']:6.3f}  {published}".rstrip())
        lines.append("")
        for found in report["claims"]:
            lines += [f"{found['verdict']:6}  {found['claim']}", f"{'':6}  {found['detail']}"]
        return "\n".join(lines)


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    tell: Callable[[int, int], None] = progress
    return lambda done, _: tell(before + done, total)
