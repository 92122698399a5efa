"""Claims of the sources about the rows of an experiment, and their verdicts.

A verdict is one of four words, by the 95% intervals of the differences that a claim names:

- ``held``: every difference is as printed, beyond chance;
- ``in order within chance``: every mean is as printed, but chance alone could put at least one of them there;
- ``open``: a mean contradicts the claim, but not beyond chance;
- ``failed``: a difference contradicts the claim beyond chance.

A claim that two figures agree within a tolerance has no order: it held if they do, failed if they differ by more than
that beyond chance, and is open between these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, Protocol, TypeAlias, get_args

from pokermodel.tables.arena.statistics import Estimate

__all__ = [
    "Above",
    "Additive",
    "Claim",
    "ClaimFigures",
    "Even",
    "Finding",
    "Order",
    "Verdict",
    "WithinTolerance",
    "order_verdict",
]

Verdict: TypeAlias = Literal["held", "in order within chance", "open", "failed"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Verdict on a claim.

    Attributes
    ----------
    claim : str
        The claim.
    verdict : {"held", "in order within chance", "open", "failed"}
    detail : str
        The figures behind the verdict.
    """

    claim: str
    verdict: Verdict
    detail: str


class ClaimFigures(Protocol):
    """The view of an outcome for claims: the figures of rows, by their labels."""

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


def order_verdict(difference: Estimate) -> Verdict:
    """Return the verdict on a difference that should be above 0."""
    if difference.low > 0:
        return "held"
    if difference.mean > 0:
        return "in order within chance"
    return "failed" if difference.high < 0 else "open"


def _closeness(off: float, half_width: float, tolerance: float) -> Verdict:
    """Return the verdict on a difference, without its sign, that should be within a tolerance."""
    return "held" if off <= tolerance else "failed" if off - half_width > tolerance else "open"


def _worst(verdicts: list[Verdict]) -> Verdict:
    return max(verdicts, key=get_args(Verdict).index, default="held")


@dataclass(frozen=True, slots=True)
class Order:
    """Rows in order, from best to worst."""

    labels: tuple[str, ...]

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether each row is above the next."""
        found = [(better, worse, outcome.difference(better, worse)) for better, worse in pairwise(self.labels)]
        details = [f"{better} - {worse} {difference}" for better, worse, difference in found]
        return Finding(" > ".join(self.labels), _worst([order_verdict(each) for *_, each in found]), "; ".join(details))

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
    """

    labels: tuple[str, ...]
    others: tuple[str, ...] = ()

    def judge(self, outcome: ClaimFigures) -> Finding:
        """Judge whether all differences are above 0."""
        verdicts: list[Verdict] = []
        details = []
        for label in self.labels:
            for other in self.others or ("",):
                found = outcome.difference(label, other) if other else outcome.estimate(label)
                verdicts.append(order_verdict(found))
                details.append(f"{label} - {other} {found}" if other else f"{label} {found}")
        claim = f"{', '.join(self.labels)} above {', '.join(self.others) or '0'}"
        return Finding(claim, _worst(verdicts), "; ".join(details))

    def among(self, rows: Collection[str]) -> Above | None:
        """Return the comparison of those among the rows, if there are any on both sides."""
        labels, others = (tuple(label for label in side if label in rows) for side in (self.labels, self.others))
        return replace(self, labels=labels, others=others) if labels and (others or not self.others) else None


@dataclass(frozen=True, slots=True)
class Even:
    """Two rows that do not differ significantly, or by no more than a tolerance in small bets a game."""

    one: str
    two: str
    tolerance: float = 0.010

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
        Largest difference from the sum. Without it, the row must be below the sum.
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
            below = outcome.combination({self.label: -1.0} | dict.fromkeys(self.parts, 1.0))
            return Finding(f"{self.label} below {whole}", order_verdict(below), detail)
        verdict = _closeness(abs(found.mean), found.half_width, self.tolerance)
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
        """Judge whether the means are within the tolerance."""
        verdicts: list[Verdict] = []
        details = []
        for label, published in outcome.published(self.source).items():
            found = outcome.estimate(label)
            off = abs(found.mean - published)
            verdicts.append(_closeness(off, found.half_width, self.tolerance))
            if off > self.tolerance:
                details.append(f"{label} {found}, published {published:+.3f}")
        claim = f"within {self.tolerance:g} of {self.source}"
        return Finding(claim, _worst(verdicts), "; ".join(details) or "all are")

    def among(self, rows: Collection[str]) -> WithinTolerance:
        """Return the claim, which applies to all rows."""
        return self
