"""Tables P(act | class, situation): what a player does with hands of each class, as counts and a prior.

Nothing here knows a game: situations, classes and acts are numbers. How the counts are learnt where cards are seen at
showdowns only stands in `pokermodel.classics.bpp.estimators`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats, Integers

__all__ = ["ActionTables", "Backoff", "count_cells"]


def count_cells(cells: Integers, weights: Floats, shape: tuple[int, ...]) -> Floats:
    """Sums of weights by cell, of the given shape: float64."""
    counted = np.bincount(cells, weights=weights, minlength=int(np.prod(shape)))
    return counted.reshape(shape).astype(np.float64, copy=False)  # without any cells they are integers


@dataclass(frozen=True, eq=False)
class Backoff:
    """How far rows of a table with few observations rely on what is known of coarser groups of rows.

    A group of `n` observations gets the share ``1 - m**n`` of the rest of the finer ones, at most ``n / (n + 1)``, so
    that nothing becomes impossible. The rest of the coarsest goes to the prior (after Billings 2006).

    Attributes
    ----------
    levels : tuple of ndarray of intp, shape (situations, classes)
        The group of each row, from fine to coarse. The rows themselves are the finest level, and are not among them.
    m : float
        Between 0 and 1: the smaller, the sooner a group is believed. .95 gives 5 observations a share of .23, 20 one
        of .64, and 75 one of .98.
    """

    levels: tuple[Integers, ...]
    m: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.m < 1:
            raise ValueError(f"m must be between 0 and 1, got {self.m}")
        levels = tuple(np.array(level, dtype=np.intp) for level in self.levels)
        for level in levels:
            if level.ndim != 2 or level.shape != levels[0].shape or (level < 0).any():
                raise ValueError("each level must give each (situation, class) the number of a group, 0 or more")
            level.setflags(write=False)
        object.__setattr__(self, "levels", levels)

    def __reduce__(self) -> tuple[type[Backoff], tuple[tuple[Integers, ...], float]]:
        return type(self), (self.levels, self.m)

    def share(self, observations: ArrayLike) -> Floats:
        """Share of the rest that goes to groups with `n` observations."""
        n = np.asarray(observations, dtype=np.float64)
        return np.minimum(1 - self.m**n, n / (n + 1))


class ActionTables:
    """Tables P(act | class, situation), as counts and what is believed before anything is counted.

    Parameters
    ----------
    prior : array_like of float, shape (situations, classes, acts)
        Probabilities of the actions without observations. An action of prior 0 is impossible, even if other rows have
        it. Unused rows (a situation with fewer classes) may hold anything that sums to 1.
    strength : float
        Weight of the prior in observations: the sum of a Dirichlet distribution's parameters. Unused with `backoff`.
    counts : array_like of float, shape (situations, classes, acts), optional
        Observations, perhaps expected ones; zeros without.
    backoff : Backoff, optional
        The use of other rows for rows with few observations; without, they rely on the prior alone.

    Raises
    ------
    ValueError
        If shapes do not fit, a row of the prior does not sum to 1, or a number is out of range.

    Examples
    --------
    >>> tables = ActionTables([[[0.2, 0.5, 0.3]]], strength=10)
    >>> tables.add([[[0.0, 0.0, 10.0]]])
    >>> tables.probabilities()[0, 0].round(2).tolist()
    [0.1, 0.25, 0.65]
    >>> (tables + tables).observations().tolist()
    [[20.0]]
    """

    __slots__ = ("_kept", "_known", "backoff", "counts", "prior", "strength")

    def __init__(
        self,
        prior: ArrayLike,
        *,
        strength: float = 10.0,
        counts: ArrayLike | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        believed = np.array(prior, dtype=np.float64)
        if believed.ndim != 3 or 0 in believed.shape:
            raise ValueError(f"a prior has situations, classes and acts, got an array of shape {believed.shape}")
        if not ((believed >= 0).all() and np.allclose(believed.sum(axis=2), 1, rtol=0, atol=1e-9)):
            raise ValueError("each row of a prior must hold probabilities that sum to 1")
        if not (np.isfinite(strength) and strength >= 0):
            raise ValueError(f"the strength of the prior must be 0 or more, got {strength}")
        if backoff is not None and backoff.levels and backoff.levels[0].shape != believed.shape[:2]:
            raise ValueError(f"levels of shape {backoff.levels[0].shape} do not fit a prior of {believed.shape}")
        believed.setflags(write=False)
        #: What is believed before anything is counted: float64 (situations, classes, acts), not to be written to.
        self.prior: Floats = believed
        #: Observations the prior counts for.
        self.strength = float(strength)
        #: How rows with few observations rely on others.
        self.backoff = backoff
        #: Observations: float64 (situations, classes, acts). To change them use `add`.
        self.counts: Floats = np.zeros(believed.shape)
        self._known: Floats | None = None
        self._kept: Floats | None = None  # what a kernel keeps true
        if counts is not None:
            self.add(counts)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Situations, classes and acts."""
        situations, classes, acts = self.prior.shape
        return situations, classes, acts

    def __repr__(self) -> str:
        situations, classes, acts = self.shape
        seen = self.counts.sum()
        return f"ActionTables({situations} situations, {classes} classes, {acts} acts, {seen:.6g} observations)"

    def __reduce__(self) -> tuple[Callable[..., ActionTables], tuple[Floats]]:
        options: dict[str, Any] = {
            "strength": self.strength,
            "counts": self.counts,
            "backoff": self.backoff,
        }
        return partial(type(self), **options), (self.prior,)

    def with_counts(self, counts: ArrayLike | None = None) -> ActionTables:
        """Tables of the same prior with other counts, none if nothing is given."""
        return ActionTables(self.prior, strength=self.strength, counts=counts, backoff=self.backoff)

    def copy(self) -> ActionTables:
        """Tables that can be changed without changing these."""
        return self.with_counts(self.counts)

    def add(self, counts: ArrayLike) -> None:
        """Add observations: float (situations, classes, acts).

        Raises
        ------
        ValueError
            If the shape is another one, or an observation is negative or not finite.
        """
        values = np.asarray(counts, dtype=np.float64)
        if values.shape != self.prior.shape:
            raise ValueError(f"counts must have shape {self.prior.shape}, got {values.shape}")
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise ValueError("counts must be 0 or more")
        self.counts += values
        self._known = self._kept = None

    def in_place(self, *, asked: bool = True) -> tuple[Floats, Floats | None]:
        """The counts, and what `probabilities` are by now, for a kernel that counts in them and keeps both true.

        Parameters
        ----------
        asked : bool
            Whether probabilities are wanted. Without, they are worked out again when somebody asks.

        Raises
        ------
        ValueError
            If there is back-off, or the prior is worth nothing: a kernel could not keep them.
        """
        if self.backoff is not None or not self.strength > 0:
            raise ValueError("counts in place need a prior of some strength, and no back-off")
        if not asked:
            self._known = self._kept = None
            return self.counts, None
        if self._kept is None:
            self._kept = self.probabilities().copy()
        self._known = None
        return self.counts, self._kept

    def __add__(self, other: ActionTables) -> ActionTables:
        """The counts of two sources on the same player; the prior counts once."""
        if not isinstance(other, ActionTables):
            return NotImplemented
        if self.prior.shape != other.prior.shape or not np.array_equal(self.prior, other.prior):
            raise ValueError("tables with different priors cannot be added")
        merged = self.copy()
        merged.add(other.counts)
        return merged

    def observations(self) -> Floats:
        """How often each row was seen: float64 (situations, classes)."""
        seen: Floats = self.counts.sum(axis=2)
        return seen

    def probabilities(self) -> Floats:
        """P(act | class, situation): float64 (situations, classes, acts), not to be written to.

        Rows sum to 1. Without back-off a row is ``(S * prior + n) / (S + sum(n))``, S the `strength`.
        """
        if self._known is None:
            if self._kept is not None:
                known = self._kept.copy()
            else:
                known = self._dirichlet() if self.backoff is None else self._backed_off(self.backoff)
            known.setflags(write=False)
            self._known = known
        return self._known

    def _dirichlet(self) -> Floats:
        if self.strength == 0:
            seen = self.counts.sum(axis=2, keepdims=True)
            return np.asarray(np.where(seen > 0, self.counts / np.where(seen > 0, seen, 1), self.prior))
        posterior = self.strength * self.prior + self.counts
        return np.asarray(posterior / posterior.sum(axis=2, keepdims=True))

    def _backed_off(self, backoff: Backoff) -> Floats:
        acts = self.prior.shape[2]
        known: Floats = self.prior
        possible = self.prior > 0  # rows of a group can differ in it
        for level in (*reversed(backoff.levels), None):
            if level is None:
                pooled = self.counts
            else:
                groups = int(level.max()) + 1
                cells = level.reshape(-1, 1) * acts + np.arange(acts)
                pooled = count_cells(cells.ravel(), self.counts.ravel(), (groups, acts))[level]
            pooled = pooled * possible
            seen = pooled.sum(axis=2, keepdims=True)
            share = backoff.share(seen)
            known = share * pooled / np.where(seen > 0, seen, 1) + (1 - share) * known
        return np.array(known)
