"""Experiments that consist of tournaments.

Figures are in small bets per game.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.parallel import Progress
from pokermodel._support.words import counted
from pokermodel.classics.experiments.claims import Claim, Finding
from pokermodel.executors import Executor
from pokermodel.game import GameSpec
from pokermodel.journal import Journal
from pokermodel.tables.arena.statistics import Estimate, estimate
from pokermodel.tables.arena.tournament import BLOCK, TournamentResult, tournament

__all__ = ["FigureRow", "Part", "TournamentExperiment", "TournamentOutcome"]


@dataclass(frozen=True, slots=True)
class Part:
    """A tournament of an experiment.

    Attributes
    ----------
    name : str
        Name of the part.
    players : str
        Players, in the form that `tournament` takes.
    block : int
        Number of deals after which the players are created anew.
    spec : GameSpec, optional
        The game; by default that of `tournament`.
    """

    name: str
    players: str
    block: int = BLOCK
    spec: GameSpec | None = None


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure: the winnings of a kind of player in a part, or their difference from those of another kind.

    Attributes
    ----------
    label : str
        Label in the source.
    part : str
        Name of a part.
    player : str or tuple of str
        A kind of player of the part, without copies, or several kinds, over which the mean is taken.
    published : mapping of str to float
        Published figures by source, in small bets per game.
    minus : str or tuple of str
        The kind of player to compare with, or as many kinds as there are players; empty for no comparison.
    control : str
        The kind of player that the figure is also shown relative to, and whose betting is shown beside that of
        `player`; empty for none. Sources that give a difference from "the baseline" may mean either.
    """

    label: str
    part: str
    player: str | tuple[str, ...]
    published: Mapping[str, float] = field(default_factory=dict)
    minus: str | tuple[str, ...] = ""
    control: str = ""

    @property
    def players(self) -> tuple[str, ...]:
        """The kinds of players, as a tuple."""
        return (self.player,) if isinstance(self.player, str) else self.player

    @property
    def twins(self) -> tuple[str, ...]:
        """The kinds of players to compare with, as a tuple."""
        return ((self.minus,) if self.minus else ()) if isinstance(self.minus, str) else self.minus


@dataclass(frozen=True, slots=True)
class TournamentExperiment:
    """A published table: tournaments, rows of figures, and claims about the rows.

    All tournaments use the same deals, so that rows of different tournaments are compared deal by deal.

    Attributes
    ----------
    name : str
        Name of the experiment.
    title, source : str
        Title, and the publication.
    deals : int
        Published number of deals.
    parts, rows, claims
        The tournaments, the rows, and the claims.
    """

    name: str
    title: str
    source: str
    deals: int
    parts: tuple[Part, ...]
    rows: tuple[FigureRow, ...]
    claims: tuple[Claim, ...]

    def only(self, parts: Iterable[str]) -> TournamentExperiment:
        """Return the experiment with some of its parts.

        Parameters
        ----------
        parts : iterable of str
            Names of parts.

        Returns
        -------
        TournamentExperiment
            With the rows of these parts, and with the claims as far as they are about these rows.

        Raises
        ------
        ValueError
            If there is no such part, or none is named.
        """
        names = set(parts)
        known = {part.name: part for part in self.parts}
        if unknown := sorted(names - set(known)):
            raise ValueError(f"experiment {self.name} has no part {unknown[0]!r}: expected one of {', '.join(known)}")
        if not names:
            raise ValueError(f"experiment {self.name}: expected the name of a part at least")
        rows = tuple(row for row in self.rows if row.part in names)
        labels = [row.label for row in rows]
        claims = (claim.among(labels) for claim in self.claims)
        return replace(
            self,
            parts=tuple(part for name, part in known.items() if name in names),
            rows=rows,
            claims=tuple(claim for claim in claims if claim is not None),
        )

    def total(self, deals: int | None = None) -> int:
        """Return the number of deals of all parts together, given those of each part."""
        return len(self.parts) * (self.deals if deals is None else deals)

    def run(
        self,
        deals: int | None = None,
        *,
        seed: int = 1,
        jobs: int | None = 1,
        resume: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> TournamentOutcome:
        """Play the experiment; see `run_experiment`."""
        length = self.deals if deals is None else deals
        options = {"experiment": self.name, "seed": seed}
        journal = None if resume is None else Journal(resume, "experiment", options)
        start = time.monotonic()
        results = {}
        for number, part in enumerate(self.parts):
            result = tournament(
                part.players,
                length,
                seed=seed,
                jobs=jobs,
                block=part.block,
                spec=part.spec,
                resume=journal,
                progress=_shifted(progress, number * length, len(self.parts) * length),
                executor=executor,
            )
            if result.interrupted:
                raise KeyboardInterrupt
            results[part.name] = result
        return TournamentOutcome(self, results, time.monotonic() - start)


@dataclass(frozen=True, eq=False, slots=True)
class TournamentOutcome:
    """Result of an experiment that consists of tournaments.

    Attributes
    ----------
    experiment : TournamentExperiment
        The experiment.
    results : mapping of str to TournamentResult
        Results of the tournaments, by part.
    seconds : float
        Running time; of a run that was interrupted, since it went on.
    """

    experiment: TournamentExperiment
    results: Mapping[str, TournamentResult]
    seconds: float

    @property
    def deals(self) -> int:
        """Number of deals that every part has; some may have more."""
        return min(result.deals for result in self.results.values())

    def row(self, label: str) -> FigureRow:
        """Return a row by its label; raises `ValueError` if there is no such row."""
        for row in self.experiment.rows:
            if row.label == label:
                return row
        raise ValueError(f"experiment {self.experiment.name} has no row {label!r}")

    def samples(self, label: str) -> Floats:
        """Figures of a row by deal, in small bets per game: float64 (deals,)."""
        row = self.row(label)
        result = self.results[row.part]
        values = np.mean([result.samples(player) for player in row.players], axis=0)
        if row.twins:
            values = values - np.mean([result.samples(player) for player in row.twins], axis=0)
        return np.asarray(values)

    def estimate(self, label: str) -> Estimate:
        """Estimate of a row, in small bets per game."""
        return estimate(self.samples(label))

    def above_control(self, label: str) -> Estimate | None:
        """Estimate of a row minus its control, in small bets per game; None for a row without a control."""
        row = self.row(label)
        if not row.control:
            return None
        return estimate(self.samples(label) - self.results[row.part].samples(row.control))

    def betting(self, label: str) -> dict[str, dict[str, list[float | None]]] | None:
        """How often the players of a row and their control bet and raise.

        Parameters
        ----------
        label : str
            The row.

        Returns
        -------
        dict or None
            By "own" and "control": "bets", the share of bets in unbet pots, and "raises", the share of raises facing a
            bet, each on the flop, turn and river. None for a row without a control.
        """
        row = self.row(label)
        result = self.results[row.part]
        if not row.control or result.acts is None:
            return None

        def of(kinds: tuple[str, ...]) -> dict[str, list[float | None]]:
            columns = [column for kind in kinds for column in result.columns(kind)]
            counts = result.acts[columns].sum(axis=0)[1:]  # type: ignore[index]  # which is not None here
            facing = np.stack([counts[:, 0], counts[:, 1:].sum(axis=1)], axis=1)
            shares = facing[:, :, 2] / np.maximum(facing.sum(axis=2), 1)
            seen = facing.sum(axis=2) > 0
            return {
                name: [float(share) if there else None for share, there in zip(shares[:, k], seen[:, k], strict=True)]
                for k, name in enumerate(("bets", "raises"))
            }

        return {"own": of(row.players), "control": of((row.control,))}

    def difference(self, one: str, two: str) -> Estimate:
        """Estimate of the difference of two rows, over the deals that both have."""
        return self.combination({one: 1.0, two: -1.0})

    def combination(self, factors: Mapping[str, float]) -> Estimate:
        """Estimate of a linear combination of rows, over the deals that all have."""
        samples = [factor * self.samples(label) for label, factor in factors.items()]
        deals = min(map(len, samples))
        return estimate(np.sum([values[:deals] for values in samples], axis=0))

    def published(self, source: str) -> dict[str, float]:
        """Published figures of a source, by row; rows for which it has none are left out."""
        return {row.label: row.published[source] for row in self.experiment.rows if source in row.published}

    def findings(self) -> list[Finding]:
        """Verdicts on the claims."""
        return [claim.judge(self) for claim in self.experiment.claims]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON; unknown values are None."""
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
                    **self._beside_control(row),
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

    def _beside_control(self, row: FigureRow) -> dict[str, Any]:
        found = self.above_control(row.label)
        if found is None:
            return {}
        interval = [None if math.isnan(value) else value for value in (found.low, found.high)]
        difference = {"small_bets_per_game": found.mean, "ci95": interval}
        return {"control": row.control, "above_control": difference, "betting": self.betting(row.label)}

    def _control_lines(self, rows: list[dict[str, Any]], width: int) -> list[str]:
        """The rows beside their controls: differences, and how often both bet and raise by round, in per cent."""

        def percent(shares: list[float | None]) -> str:
            return " ".join(" - " if share is None else f"{100 * share:3.0f}" for share in shares)

        lines = [
            "",
            f"{'':{width}}  minus control           bets: flop turn river   raises       (control in brackets)",
        ]
        for row in rows:
            low, high = row["above_control"]["ci95"]
            line = (
                f"{row['label']:{width}}  {row['above_control']['small_bets_per_game']:+.4f}  {low:+.4f} to {high:+.4f}"
            )
            if row["betting"] is not None:
                own, control = row["betting"]["own"], row["betting"]["control"]
                for kind in ("bets", "raises"):
                    line += f"  {percent(own[kind])} ({percent(control[kind])})"
            lines.append(line)
        return lines

    def __str__(self) -> str:
        report = self.to_dict()
        sources = list(dict.fromkeys(source for row in report["rows"] for source in row["published"]))
        width = max(len(row["label"]) for row in report["rows"])
        lines = [
            f"{report['title']} ({report['source']})",
            f"{counted(report['deals'], 'deal')}, {counted(report['games'], 'game')}, seed {report['seed']},"
            f" {report['seconds']:.0f} s",
            "",
            f"{'sb/game':{width}}     ours  95% interval        sd/game  {'  '.join(sources)}",
        ]
        for row in report["rows"]:
            low, high = row["ci95"]
            published = "  ".join(
                f"{row['published'][each]:+.3f}".center(len(each)) if each in row["published"] else " " * len(each)
                for each in sources
            )
            line = f"{row['label']:{width}}  {row['small_bets_per_game']:+.4f}  {low:+.4f} to {high:+.4f}"
            lines.append(f"{line}  {row['sd_per_game']:6.3f}  {published}".rstrip())
        beside = [row for row in report["rows"] if "control" in row]
        if beside:
            lines += self._control_lines(beside, width)
        lines.append("")
        for found in report["claims"]:
            lines += [f"{found['verdict']}: {found['claim']}", f"  {found['detail']}"]
        return "\n".join(lines)


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    tell: Callable[[int, int], None] = progress
    return lambda done, _: tell(before + done, total)
