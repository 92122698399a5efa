"""Claims of the sources about the rows of an experiment, and their verdicts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, Protocol, TypeAlias

from pokermodel.tables.arena.statistics import Estimate

__all__ = [
    "CLOSE",
    "Above",
    "Additive",
    "Claim",
    "ClaimFigures",
    "Even",
    "Finding",
    "Order",
    "Verdict",
    "WithinTolerance",
]

Verdict: TypeAlias = Literal["held", "failed", "open"]

#: Difference in small bets per game below which neighbours may be in the wrong order (ours, by the precision of the
#: printed curves).
CLOSE = 0.010


@dataclass(frozen=True, slots=True)
class Finding:
    """Verdict on a claim.

    Attributes
    ----------
    claim : str
        The claim.
    verdict : {"held", "failed", "open"}
        ``open``: the figures contradict the claim, but not beyond chance at this number of deals.
    detail : str
        The figures behind the verdict.
    """

    claim: str
    verdict: Verdict
    detail: str


class ClaimFigures(Protocol):
    """What a claim asks an outcome for: the figures of rows, by their labels."""

    def estimate(self, label: str) -> Estimate:
        """Estimate of a row."""

    def difference(self, one: str, two: str) -> Estimate:
        """Estimate of the difference of two rows."""

    def combination(self, factors: Mapping[str, float]) -> Estimate:
        """Estimate of a linear combination of rows."""

    def published(self, source: str) -> Mapping[str, float]:
        """Published figures of a source, by row; rows for which it has none are left out."""


class Claim(Protocol):
    """A claim about an outcome."""

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge the claim by an outcome."""

    def among(self, rows: Collection[str]) -> Claim | None:
        """Return what the claim says of some rows alone, given their labels; None if that is nothing."""


def _worst(verdicts: list[Verdict]) -> Verdict:
    return "failed" if "failed" in verdicts else "open" if "open" in verdicts else "held"


@dataclass(frozen=True, slots=True)
class Order:
    """Rows in order, from best to worst; neighbours that are closer than `CLOSE` may be swapped."""

    labels: tuple[str, ...]

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether the means are in order."""
        verdicts: list[Verdict] = []
        details = []
        for better, worse in pairwise(self.labels):
            found = outcome.difference(better, worse)
            verdicts.append("held" if found.mean > -CLOSE else "failed" if found.high < 0 else "open")
            swapped = ", swapped" if found.mean <= 0 else ""
            details.append(f"{better} - {worse} {found}{swapped}")
        return Finding(" > ".join(self.labels), _worst(verdicts), "; ".join(details))

    def among(self, rows: Collection[str]) -> Order | None:
        """Return the order of those among the rows, if there are two."""
        labels = tuple(label for label in self.labels if label in rows)
        return replace(self, labels=labels) if len(labels) > 1 else None


@dataclass(frozen=True, slots=True)
class Above:
    """Each of several rows above each of others, or above 0.

    Attributes
    ----------
    labels, others : tuple of str
        Labels of the rows; empty `others` stand for 0.
    confident : bool
        Whether the differences must be positive with 95 % confidence; otherwise the means decide, and rows closer than
        `CLOSE` may be swapped.
    """

    labels: tuple[str, ...]
    others: tuple[str, ...] = ()
    confident: bool = True

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether all differences are above 0."""
        verdicts: list[Verdict] = []
        details = []
        for label in self.labels:
            for other in self.others or ("",):
                found = outcome.difference(label, other) if other else outcome.estimate(label)
                held = found.low > 0 if self.confident else found.mean > -CLOSE
                verdicts.append("held" if held else "failed" if found.high < 0 else "open")
                details.append(f"{label} - {other} {found}" if other else f"{label} {found}")
        claim = f"{', '.join(self.labels)} above {', '.join(self.others) or '0'}"
        if self.confident:
            claim += ", with 95 % confidence"
        return Finding(claim, _worst(verdicts), "; ".join(details))

    def among(self, rows: Collection[str]) -> Above | None:
        """Return the comparison of those among the rows, if there are any on both sides."""
        labels, others = (tuple(label for label in side if label in rows) for side in (self.labels, self.others))
        return replace(self, labels=labels, others=others) if labels and (others or not self.others) else None


@dataclass(frozen=True, slots=True)
class Even:
    """Two rows that do not differ significantly, or by no more than a tolerance."""

    one: str
    two: str
    tolerance: float = CLOSE

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether 0 is in the interval of the difference, or the difference is small."""
        found = outcome.difference(self.one, self.two)
        even = found.low <= 0 <= found.high or abs(found.mean) <= self.tolerance
        return Finding(
            f"{self.one} and {self.two} do not differ significantly, or by no more than {self.tolerance:g}",
            "held" if even else "failed",
            f"{self.one} - {self.two} {found}",
        )

    def among(self, rows: Collection[str]) -> Even | None:
        """Return the claim, if both are among the rows."""
        return self if {self.one, self.two} <= set(rows) else None


@dataclass(frozen=True, slots=True)
class Additive:
    """A row that equals the sum of others, or is below it.

    Attributes
    ----------
    label : str
        Label of the row.
    parts : tuple of str
        Labels of the rows that are added up.
    tolerance : float
        Largest difference from the sum. Without it, the row must be below the sum with 95 % confidence.
    """

    label: str
    parts: tuple[str, ...]
    tolerance: float | None = None

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge the row by the sum."""
        found = outcome.combination({self.label: 1.0} | dict.fromkeys(self.parts, -1.0))
        whole = " + ".join(f"({part})" if "+" in part else part for part in self.parts)
        detail = f"{self.label} - ({whole}) {found}"
        if self.tolerance is None:
            verdict: Verdict = "held" if found.high < 0 else "failed" if found.low > 0 else "open"
            return Finding(f"{self.label} below {whole}, with 95 % confidence", verdict, detail)
        off = abs(found.mean)
        verdict = "held" if off <= self.tolerance else "failed" if off - found.half_width > self.tolerance else "open"
        return Finding(f"{self.label} within {self.tolerance:g} of {whole}", verdict, detail)

    def among(self, rows: Collection[str]) -> Additive | None:
        """Return the claim, if all are among the rows."""
        return self if {self.label, *self.parts} <= set(rows) else None


@dataclass(frozen=True, slots=True)
class WithinTolerance:
    """All published figures of a source reproduced within a tolerance."""

    source: str
    tolerance: float

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether the means are within the tolerance; a miss by less than half the interval is open."""
        verdicts: list[Verdict] = []
        details = []
        for label, published in outcome.published(self.source).items():
            found = outcome.estimate(label)
            off = abs(found.mean - published)
            sure = off - found.half_width > self.tolerance
            verdicts.append("held" if off <= self.tolerance else "failed" if sure else "open")
            if off > self.tolerance:
                details.append(f"{label} {found}, published {published:+.3f}")
        claim = f"within {self.tolerance:g} of {self.source}"
        return Finding(claim, _worst(verdicts), "; ".join(details) or "all are")

    def among(self, rows: Collection[str]) -> WithinTolerance:
        """Return the claim: it is about whatever rows there are."""
        return self
