"""What a player does with hands of each class: tables P(act | class, situation), and how they are learnt.

An opponent's cards are seen at showdowns only, and what is shown there is a choice sample: a hand that he folds, or
that we fold to, is never shown. Counting shown hands alone, as the Bayesian Poker Program does (Carlton 2000),
therefore converges to the wrong table: P(act | class) is multiplied by the probability of a showdown after the act.
Three estimators learn from the same hands:

- `showdown_only` counts what was shown;
- `inverse_probability` lets a shown action count once for each time that it could have been shown, and finds folds
  as what is missing;
- `expectation_maximization` counts all hands, those that were not shown once for each card that the opponent can
  have held, by its probability (Dempster, Laird and Rubin 1977). Given all actions and our own cards, whether cards
  are shown depends on nothing hidden, so that the sample is complete: missing at random.

Nothing here knows a game: a hand is a `HiddenHand`, a list of situations and acts and, for everything that the
player can have held, its class at each of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._arrays import Floats, Integers
from pokermodel.game import Act

__all__ = [
    "ActionTables",
    "Backoff",
    "Estimation",
    "HandSet",
    "HiddenHand",
    "OnlineLearner",
    "Survival",
    "expectation_maximization",
    "group_candidates",
    "inverse_probability",
    "showdown_only",
]


#: What stands for a probability of 0 where its logarithm is needed.
_LEAST = 1e-300
#: Entries that are worked on at a time: what fits into a cache.
_CHUNK = 1 << 18


# -------------------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True, eq=False)
class Backoff:
    """How far rows of a table with few observations rely on what is known of coarser groups of rows.

    A group of `n` observations gets the share ``1 - m**n`` of what the finer ones left, at most ``n / (n + 1)``, so
    that nothing becomes impossible; what the coarsest leaves goes to the prior (the idea is that of Billings 2006).

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

    def share(self, observations: ArrayLike) -> Floats:
        """Share of what is left that goes to groups with so many observations."""
        n = np.asarray(observations, dtype=np.float64)
        return np.minimum(1 - self.m**n, n / (n + 1))


class ActionTables:
    """Tables P(act | class, situation), as counts and what is believed before anything is counted.

    Parameters
    ----------
    prior : array_like of float, shape (situations, classes, acts)
        Probabilities of the acts before anything was seen. An act of prior 0 is not possible, whatever was seen in
        other rows. Rows that are not in use (a situation with fewer classes) may hold anything that sums to 1.
    strength : float
        How many observations the prior counts for: the sum of a Dirichlet distribution's parameters. Without use
        if there is `backoff`.
    counts : array_like of float, shape (situations, classes, acts), optional
        Observations, perhaps expected ones; zeros without.
    decay : float
        What an observation is worth after one more hand.
    backoff : Backoff, optional
        How rows with few observations rely on others; without, they rely on the prior alone.

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

    __slots__ = ("_known", "backoff", "counts", "decay", "prior", "strength")

    def __init__(
        self,
        prior: ArrayLike,
        *,
        strength: float = 10.0,
        counts: ArrayLike | None = None,
        decay: float = 1.0,
        backoff: Backoff | None = None,
    ) -> None:
        believed = np.array(prior, dtype=np.float64)
        if believed.ndim != 3 or 0 in believed.shape:
            raise ValueError(f"a prior has situations, classes and acts, got an array of shape {believed.shape}")
        if not ((believed >= 0).all() and np.allclose(believed.sum(axis=2), 1, rtol=0, atol=1e-9)):
            raise ValueError("each row of a prior must hold probabilities that sum to 1")
        if not (np.isfinite(strength) and strength >= 0):
            raise ValueError(f"the strength of the prior must be 0 or more, got {strength}")
        if not 0 < decay <= 1:
            raise ValueError(f"the decay must be above 0 and at most 1, got {decay}")
        if backoff is not None and backoff.levels and backoff.levels[0].shape != believed.shape[:2]:
            raise ValueError(f"levels of shape {backoff.levels[0].shape} do not fit a prior of {believed.shape}")
        believed.setflags(write=False)
        #: What is believed before anything is counted: float64 (situations, classes, acts), not to be written to.
        self.prior: Floats = believed
        #: Observations the prior counts for.
        self.strength = float(strength)
        #: What an observation is worth after one more hand.
        self.decay = float(decay)
        #: How rows with few observations rely on others.
        self.backoff = backoff
        #: Observations: float64 (situations, classes, acts). To change them use `add` and `fade`.
        self.counts: Floats = np.zeros(believed.shape)
        self._known: Floats | None = None
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

    def with_counts(self, counts: ArrayLike | None = None) -> ActionTables:
        """Tables of the same prior with other counts, none if nothing is given."""
        return ActionTables(self.prior, strength=self.strength, counts=counts, decay=self.decay, backoff=self.backoff)

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
        self._known = None

    def fade(self, hands: int = 1) -> None:
        """Let observations lose the worth that they lose in so many hands."""
        if self.decay < 1:
            self.counts *= self.decay**hands
            self._known = None

    def __add__(self, other: ActionTables) -> ActionTables:
        """What two sources have seen of the same player; the prior counts once."""
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
                pooled = _count(cells.ravel(), self.counts.ravel(), (groups, acts))[level]
            pooled = pooled * possible
            seen = pooled.sum(axis=2, keepdims=True)
            share = backoff.share(seen)
            known = share * pooled / np.where(seen > 0, seen, 1) + (1 - share) * known
        return np.array(known)


# ------------------------------------------------------------------------------------------------- observed hands


@dataclass(frozen=True, eq=False)
class HiddenHand:
    """What one hand shows of one player: what he did, and what he can have held.

    Attributes
    ----------
    situations, acts : sequence of int, shape (actions,)
        What he did, in order; at least one action.
    classes : ndarray of int, shape (candidates, actions)
        For everything he can have held, its class at each action. Candidates with the same classes may be one row:
        see `group_candidates`.
    prior : ndarray of float, shape (candidates,)
        How likely each was before his actions, given all cards that are known, ours too; of any scale, above 0 for
        at least one. A player who lost a showdown without showing cannot have held what wins: give that 0.
    shown : int, optional
        The candidate that he held, where that is known.
    survival : sequence of float, shape (actions,), optional
        For each action the probability that none of our own later decisions in the hand would be a fold, as it was
        when we made them: the product of 1 - P(fold). Only `inverse_probability` asks for it. 1 without.
    """

    situations: Sequence[int] | NDArray[np.integer]
    acts: Sequence[int] | NDArray[np.integer]
    classes: NDArray[np.integer]
    prior: NDArray[np.floating]
    shown: int | None = None
    survival: Sequence[float] | NDArray[np.floating] | None = None


def group_candidates(
    classes: NDArray[np.integer], prior: ArrayLike, shown: int | None = None
) -> tuple[Integers, Floats, int | None]:
    """Make one row of all candidates that have the same classes.

    Parameters
    ----------
    classes : ndarray of int, shape (candidates, actions)
        Not negative.
    prior : array_like of float, shape (candidates,)
        Candidates with 0 are left out.
    shown : int, optional
        The candidate that was held.

    Returns
    -------
    classes : ndarray of intp, shape (rows, actions)
    prior : ndarray of float64, shape (rows,)
        Sums of the candidates' priors.
    shown : int or None
        The row of the candidate that was held.

    Raises
    ------
    ValueError
        If no candidate is left, or the one that was held is left out.

    Examples
    --------
    >>> group_candidates(np.array([[3, 1], [2, 1], [3, 1]]), [0.2, 0.5, 0.3], 2)
    (array([[2, 1],
           [3, 1]]), array([0.5, 0.5]), 1)
    """
    table = np.asarray(classes, dtype=np.intp)
    mass = np.asarray(prior, dtype=np.float64)
    live = np.flatnonzero(mass > 0)
    if not len(live):
        raise ValueError("no candidate has a prior above 0")
    if shown is not None and not mass[shown] > 0:
        raise ValueError(f"candidate {shown} was held, but has no prior")
    base = int(table.max(initial=0)) + 1
    if base ** table.shape[1] < 2**62:
        keys = np.zeros(len(live), dtype=np.int64)
        for column in table[live].T:
            keys = keys * base + column
        _, first, row = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, row = np.unique(table[live], axis=0, return_index=True, return_inverse=True)
    row = row.reshape(-1)
    held = None if shown is None else int(row[np.searchsorted(live, shown)])
    return table[live[first]], _count(row, mass[live], (len(first),)), held


class _Part(NamedTuple):
    """Hands whose entries are worked on together."""

    hands: slice
    rows: slice
    entries: slice


@dataclass(frozen=True, eq=False)
class HandSet:
    """Many hands of a player, as columns: what the estimators work on.

    An entry is one action with one candidate. Entries are in order of hands, then candidates, then actions.

    Attributes
    ----------
    shape : tuple of int
        Situations, classes and acts of the tables.
    weights : ndarray of float64, shape (hands,)
        How often each hand counts.
    shown : ndarray of intp, shape (hands,)
        The candidate held, counted from the hand's first; -1 if that is not known.
    prior : ndarray of float64, shape (candidates of all hands,)
        Sums to 1 in each hand, and is above 0.
    survival : ndarray of float64, shape (actions of all hands,)
        See `HiddenHand`.
    cells : ndarray of intp, shape (entries,)
        ``(situation * classes + class) * acts + act``.
    first_row, first_action : ndarray of intp, shape (hands + 1,)
        Where each hand's candidates and actions begin.
    """

    shape: tuple[int, int, int]
    weights: Floats
    shown: Integers
    prior: Floats
    survival: Floats
    cells: Integers
    first_row: Integers
    first_action: Integers
    first_entry: Integers = field(init=False)

    def __post_init__(self) -> None:
        rows, actions = np.diff(self.first_row), np.diff(self.first_action)
        object.__setattr__(self, "first_entry", np.concatenate([[0], np.cumsum(rows * actions)]).astype(np.intp))
        if not ((rows > 0).all() and (actions > 0).all()):
            raise ValueError("each hand needs an action and a candidate")
        sizes = (len(self.weights), len(self.shown), len(self.prior), len(self.survival), len(self.cells))
        hands = len(rows)
        expected = (hands, hands, self.first_row[-1], self.first_action[-1], self.first_entry[-1])
        if sizes != expected:
            raise ValueError(f"columns of {sizes} entries do not fit hands of {tuple(map(int, expected))}")

    @classmethod
    def of(cls, hands: Iterable[HiddenHand], shape: tuple[int, int, int]) -> HandSet:
        """Put hands into columns.

        Parameters
        ----------
        hands : iterable of HiddenHand
        shape : tuple of int
            Situations, classes and acts of the tables.

        Raises
        ------
        ValueError
            If a hand has no action or candidate, a number in it is out of range, or the candidate that was held has
            no prior; the message names the hand by its place.
        """
        situations, classes, acts = shape
        cells, priors, survivals, shown = [], [], [], []
        rows, actions = [0], [0]
        for number, hand in enumerate(hands):
            z, b = np.asarray(hand.situations, dtype=np.intp), np.asarray(hand.acts, dtype=np.intp)
            k, prior = np.asarray(hand.classes, dtype=np.intp), np.asarray(hand.prior, dtype=np.float64)
            m = len(z)
            survival = np.ones(m) if hand.survival is None else np.asarray(hand.survival, dtype=np.float64)
            if m == 0 or b.shape != (m,) or survival.shape != (m,) or k.shape != (len(prior), m):
                raise ValueError(
                    f"hand {number}: {m} situations, {len(b)} acts, {len(survival)} survivals, {len(prior)} candidates"
                    f" and classes of shape {k.shape} do not fit"
                )
            for what, values, bound in (("situation", z, situations), ("act", b, acts), ("class", k, classes)):
                if values.min(initial=0) < 0 or values.max(initial=0) >= bound:
                    raise ValueError(f"hand {number}: a {what} is out of range, expected 0..{bound - 1}")
            if not (np.isfinite(prior).all() and (prior >= 0).all() and prior.any()):
                raise ValueError(f"hand {number}: priors must be 0 or more, and one above 0")
            if not ((survival > 0).all() and (survival <= 1).all()):
                raise ValueError(f"hand {number}: a survival must be above 0 and at most 1")
            held = -1
            live = prior > 0
            if hand.shown is not None:
                if not (0 <= hand.shown < len(prior) and live[hand.shown]):
                    raise ValueError(f"hand {number}: candidate {hand.shown} was held, but has no prior")
                held = int(live[: hand.shown].sum())
            shown.append(held)
            if not live.all():
                k, prior = k[live], prior[live]
            cells.append(((z * classes + k) * acts + b).ravel())
            priors.append(prior / prior.sum())
            survivals.append(survival)
            rows.append(rows[-1] + len(prior))
            actions.append(actions[-1] + m)
        return cls(
            shape,
            np.ones(len(shown)),
            np.array(shown, dtype=np.intp),
            np.concatenate([np.empty(0), *priors]),
            np.concatenate([np.empty(0), *survivals]),
            np.concatenate([np.empty(0, dtype=np.intp), *cells]),
            np.array(rows, dtype=np.intp),
            np.array(actions, dtype=np.intp),
        )

    def __len__(self) -> int:
        return len(self.weights)

    def __add__(self, other: HandSet) -> HandSet:
        """The hands of two sets, one behind the other."""
        if not isinstance(other, HandSet):
            return NotImplemented
        return HandSet.join([self, other])

    @classmethod
    def join(cls, sets: Sequence[HandSet]) -> HandSet:
        """The hands of one or more sets, one behind the other; `ValueError` if their tables differ in shape."""
        if len({part.shape for part in sets}) != 1:
            raise ValueError("only sets of hands for tables of one shape can be joined")
        rows = np.concatenate([[0], *(np.diff(part.first_row) for part in sets)])
        actions = np.concatenate([[0], *(np.diff(part.first_action) for part in sets)])
        return cls(
            sets[0].shape,
            np.concatenate([part.weights for part in sets]),
            np.concatenate([part.shown for part in sets]),
            np.concatenate([part.prior for part in sets]),
            np.concatenate([part.survival for part in sets]),
            np.concatenate([part.cells for part in sets]),
            np.cumsum(rows).astype(np.intp),
            np.cumsum(actions).astype(np.intp),
        )

    def select(self, hands: NDArray[np.bool_] | NDArray[np.integer]) -> HandSet:
        """Some of the hands: places, or a mask."""
        chosen = np.arange(len(self))[hands]
        rows, actions, entries = (
            _ranges(first[chosen], first[chosen + 1]) for first in (self.first_row, self.first_action, self.first_entry)
        )
        return HandSet(
            self.shape,
            self.weights[chosen],
            self.shown[chosen],
            self.prior[rows],
            self.survival[actions],
            self.cells[entries],
            np.concatenate([[0], np.cumsum(np.diff(self.first_row)[chosen])]).astype(np.intp),
            np.concatenate([[0], np.cumsum(np.diff(self.first_action)[chosen])]).astype(np.intp),
        )

    def faded(self, decay: float) -> HandSet:
        """The same hands, each worth less by a factor for every hand behind it."""
        ages = np.arange(len(self) - 1, -1, -1)
        return self._weighted(self.weights * decay**ages)

    def _weighted(self, weights: Floats) -> HandSet:
        return HandSet(
            self.shape, weights, self.shown, self.prior, self.survival, self.cells, self.first_row, self.first_action
        )

    def collapse(self) -> HandSet:
        """The same hands with those that are alike in everything counted as one."""
        places: dict[bytes, int] = {}
        weights = np.zeros(len(self))
        for hand in range(len(self)):
            rows = slice(self.first_row[hand], self.first_row[hand + 1])
            actions = slice(self.first_action[hand], self.first_action[hand + 1])
            entries = slice(self.first_entry[hand], self.first_entry[hand + 1])
            content = hashlib.blake2b(digest_size=16)
            for column in (self.prior[rows], self.survival[actions], self.cells[entries], self.shown[hand : hand + 1]):
                content.update(len(column).to_bytes(8, "little"))
                content.update(column.tobytes())
            weights[places.setdefault(content.digest(), hand)] += self.weights[hand]
        return self._weighted(weights).select(np.array(list(places.values()), dtype=np.intp))

    def _parts(self) -> Iterable[_Part]:
        """Cut the hands into parts of about `_CHUNK` entries."""
        first = 0
        while first < len(self):
            stop = int(np.searchsorted(self.first_entry, self.first_entry[first] + _CHUNK, side="right")) - 1
            stop = max(stop, first + 1)
            yield _Part(
                slice(first, stop),
                slice(self.first_row[first], self.first_row[stop]),
                slice(self.first_entry[first], self.first_entry[stop]),
            )
            first = stop

    def _complete(self) -> tuple[Integers, Integers]:
        """Of what was shown, by action: its cell, and the action's place among all."""
        known = np.flatnonzero(self.shown >= 0)
        length = np.diff(self.first_action)[known]
        start = self.first_entry[known] + self.shown[known] * length
        return self.cells[_ranges(start, start + length)], _ranges(
            self.first_action[known], self.first_action[known] + length
        )

    def _action_weights(self) -> Floats:
        return np.repeat(self.weights, np.diff(self.first_action))


def _ranges(starts: NDArray[np.integer], stops: NDArray[np.integer]) -> Integers:
    """All integers of some ranges, one range behind the other."""
    lengths = stops - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - lengths), lengths), dtype=np.intp)


# ----------------------------------------------------------------------------------------------------- estimators


def _check(hands: HandSet, tables: ActionTables) -> None:
    if hands.shape != tables.shape:
        raise ValueError(f"hands for tables of shape {hands.shape} do not fit tables of shape {tables.shape}")


def _count(cells: Integers, weights: Floats, shape: tuple[int, ...]) -> Floats:
    counted = np.bincount(cells, weights=weights, minlength=int(np.prod(shape)))
    return counted.reshape(shape).astype(np.float64, copy=False)  # without any cells they are integers


def showdown_only(hands: HandSet) -> Floats:
    """Count what was shown, and nothing else (Carlton 2000).

    Parameters
    ----------
    hands : HandSet

    Returns
    -------
    ndarray of float64, shape (situations, classes, acts)
        Each action credited to the class held then. No fold is ever among them.
    """
    cells, actions = hands._complete()
    return _count(cells, hands._action_weights()[actions], hands.shape)


class Survival(NamedTuple):
    """What `inverse_probability` found: counts that stand for all hands."""

    counts: Floats
    #: Passes over the hands until nothing changed by more than the tolerance; the bound if that did not happen.
    sweeps: int


def inverse_probability(
    hands: HandSet,
    tables: ActionTables,
    *,
    cap: float = 20.0,
    fold: int = Act.FOLD,
    sweeps: int = 50,
    tolerance: float = 1e-6,
) -> Survival:
    """Weight what was shown by the inverse of the probability that it would be shown; folds are what is missing.

    A shown action counts once for each time that the hand, from there on, would have had to be played to be shown
    once: our later decisions must not be folds (`HiddenHand.survival`; exact, since we know our own probabilities),
    and neither must his, by the table itself. The number of times that each class came into a situation follows
    from the deal, less the hands that earlier acts make unlikely. What is left of it behind the acts that were
    shown is folds. Since the table is needed to find the table, it is repeated until nothing changes.

    Parameters
    ----------
    hands : HandSet
        All hands, shown or not.
    tables : ActionTables
        Prior and back-off; its counts are what the first pass goes by, and do not count otherwise.
    cap : float
        No action counts for more than this.
    fold : int
        Which act is a fold. Situations in which the prior has none lose nothing.
    sweeps : int
        Passes at most.
    tolerance : float
        The change of a probability at which to stop.

    Returns
    -------
    Survival

    Raises
    ------
    ValueError
        If tables and hands differ in shape, or a number is out of range.
    """
    _check(hands, tables)
    if cap < 1:
        raise ValueError(f"the cap must be 1 or more, got {cap}")
    if sweeps < 1:
        raise ValueError(f"there must be 1 sweep or more, got {sweeps}")
    acts = hands.shape[2]
    if not 0 <= fold < acts:
        raise ValueError(f"a fold is one of {acts} acts, got {fold}")
    can_fold = tables.prior[:, :, fold] > 0
    cells, actions = hands._complete()
    known = np.flatnonzero(hands.shown >= 0)
    lengths = np.diff(hands.first_action)[known]
    ours = hands.survival[actions]
    weights = hands._action_weights()
    table = tables.probabilities()
    counts = np.zeros(hands.shape)
    sweep, change = 0, np.inf
    while sweep < sweeps and change > tolerance:
        sweep += 1
        stays = np.where(can_fold, 1 - table[:, :, fold], 1.0).ravel()[cells // acts]
        survival = ours * np.exp(_sums_behind(np.log(np.maximum(stays, _LEAST)), lengths))
        counts = _count(cells, weights[actions] * np.minimum(1 / survival, cap), hands.shape)
        counts[:, :, fold] = 0
        missing = np.maximum(_arrivals(hands, table) - counts.sum(axis=2), 0)
        counts[:, :, fold] = np.where(can_fold, missing, 0)
        found = tables.with_counts(counts).probabilities()
        change = float(np.abs(found - table).max())
        table = found
    return Survival(counts, sweep)


def _sums_behind(values: Floats, lengths: Integers) -> Floats:
    """For each value of some rows laid end to end, the sum of those behind it in its row."""
    if not len(values):
        return values
    ends = np.cumsum(lengths)
    up_to = np.cumsum(values)
    return np.repeat(up_to[ends - 1], lengths) - up_to


def _arrivals(hands: HandSet, table: Floats) -> Floats:
    """How often each class is expected to have come into each situation, by what was done before."""
    acts = hands.shape[2]
    logarithms = np.log(np.maximum(table.ravel(), _LEAST))
    arrivals = np.zeros(hands.shape[:2]).ravel()
    for part in hands._parts():
        cells = hands.cells[part.entries]
        first_row, first_action = (
            first[part.hands.start : part.hands.stop + 1] - first[part.hands.start]
            for first in (hands.first_row, hands.first_action)
        )
        rows, actions = np.diff(first_row), np.diff(first_action)
        lengths = np.repeat(actions, rows)
        likelihood = logarithms[cells]
        # the sum of those before an entry in its row, and the action that it belongs to
        before = np.cumsum(likelihood) - likelihood
        before -= np.repeat(before[np.cumsum(lengths) - lengths], lengths)
        action = _ranges(np.repeat(first_action[:-1], rows), np.repeat(first_action[1:], rows))
        order = np.argsort(action, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.repeat(rows, actions))[:-1]])
        score = (before + np.repeat(np.log(hands.prior[part.rows]), lengths))[order]
        candidates = np.repeat(rows, actions)
        score = np.exp(score - np.repeat(np.maximum.reduceat(score, start), candidates))
        share = np.repeat(np.repeat(hands.weights[part.hands], actions) / np.add.reduceat(score, start), candidates)
        arrivals += np.bincount(cells[order] // acts, weights=score * share, minlength=len(arrivals))
    return arrivals.reshape(hands.shape[:2])


class Estimation(NamedTuple):
    """What `expectation_maximization` found."""

    #: Expected counts: float64 (situations, classes, acts).
    counts: Floats
    #: Steps that were made.
    steps: int
    #: Whether the last step changed no probability by more than the tolerance.
    converged: bool
    #: Of all hands, in nats, before the last step.
    log_likelihood: float


def _expected(hands: HandSet, table: Floats) -> tuple[Floats, float]:
    """Expected counts of hands that were not shown, and their log-likelihood."""
    logarithms = np.log(np.maximum(table.ravel(), _LEAST))
    counts = np.zeros(table.size)
    total = 0.0
    for part in hands._parts():
        cells = hands.cells[part.entries]
        first_row = hands.first_row[part.hands] - hands.first_row[part.hands.start]
        rows = np.diff(hands.first_row[part.hands.start : part.hands.stop + 1])
        lengths = np.repeat(np.diff(hands.first_action[part.hands.start : part.hands.stop + 1]), rows)
        score = np.add.reduceat(logarithms[cells], np.cumsum(lengths) - lengths) + np.log(hands.prior[part.rows])
        most = np.maximum.reduceat(score, first_row)
        score = np.exp(score - np.repeat(most, rows))
        sums = np.add.reduceat(score, first_row)
        weights = hands.weights[part.hands]
        total += float(weights @ (most + np.log(sums)))
        score *= np.repeat(weights / sums, rows)
        counts += np.bincount(cells, weights=np.repeat(score, lengths), minlength=len(counts))
    return counts.reshape(table.shape), total


def expectation_maximization(
    hands: HandSet,
    tables: ActionTables,
    *,
    start: ArrayLike | None = None,
    cumulative: bool = False,
    steps: int = 200,
    tolerance: float = 1e-4,
) -> Estimation:
    """Count all hands, those not shown once for each candidate by its probability, until nothing changes.

    Parameters
    ----------
    hands : HandSet
        All hands, shown or not, those that ended with a fold too.
    tables : ActionTables
        Prior and back-off; what it has counted is where it starts, and does not count otherwise unless `cumulative`.
    start : array_like of float, shape (situations, classes, acts), optional
        Where to start instead: probabilities.
    cumulative : bool
        Whether what the tables have counted is evidence from other hands, and stays. It is not counted again.
    steps : int
        Steps at most.
    tolerance : float
        The change of a probability at which to stop.

    Returns
    -------
    Estimation
        ``tables.with_counts(found.counts)`` are the new tables, or, if `cumulative`, ``tables.add(found.counts)`` makes
        them.

    Raises
    ------
    ValueError
        If shapes differ, or a number is out of range.
    """
    _check(hands, tables)
    if steps < 1:
        raise ValueError(f"there must be 1 step or more, got {steps}")
    table = tables.probabilities() if start is None else np.asarray(start, dtype=np.float64)
    if table.shape != tables.shape:
        raise ValueError(f"the start must have shape {tables.shape}, got {table.shape}")
    before = tables.counts if cumulative else np.zeros(tables.shape)
    complete = showdown_only(hands)
    hidden = hands.select(hands.shown < 0)
    cells, actions = hands._complete()
    weights = hands._action_weights()[actions]
    step, change = 0, np.inf
    while step < steps and change > tolerance:
        step += 1
        expected, log_likelihood = _expected(hidden, table)
        log_likelihood += float(weights @ np.log(np.maximum(table.ravel()[cells], _LEAST)))
        counts = complete + expected
        found = tables.with_counts(before + counts).probabilities()
        change = float(np.abs(found - table).max())
        table = found
    return Estimation(counts, step, change <= tolerance, log_likelihood)


class OnlineLearner:
    """Learns a player hand by hand: an expectation step for each, and all hands again from time to time.

    Parameters
    ----------
    tables : ActionTables
        What to begin with. They are changed: expected counts are added, older ones fade by `ActionTables.decay`.
        What they have counted before stays, and counts as evidence.
    every : int
        Hands after which all of them are gone over again, with tables that know more than those by which most of
        them were counted; 0 for never, and then no hand is kept.
    steps : int
        Steps of each such pass, see `expectation_maximization`.
    """

    def __init__(self, tables: ActionTables, *, every: int = 200, steps: int = 10) -> None:
        if every < 0 or steps < 1:
            raise ValueError(f"every must be 0 or more and steps 1 or more, got {every} and {steps}")
        #: The tables as they are now.
        self.tables = tables
        self.every = every
        self.steps = steps
        self._before = tables.copy()
        self._kept: list[HandSet] = []
        self._hands = 0

    def __len__(self) -> int:
        return self._hands

    def learn(self, hand: HiddenHand) -> None:
        """Learn a finished hand; `ValueError` if it does not fit the tables."""
        one = HandSet.of([hand], self.tables.shape)
        counts = showdown_only(one) if one.shown[0] >= 0 else _expected(one, self.tables.probabilities())[0]
        self.tables.fade()
        self.tables.add(counts)
        self._hands += 1
        if self.every:
            self._before.fade()
            self._kept.append(one)
            if self._hands % self.every == 0:
                self.revise()

    def revise(self) -> None:
        """Go over all hands that were kept again."""
        if not self._kept:
            return
        hands = HandSet.join(self._kept)
        self._kept = [hands]
        weighted = hands.faded(self.tables.decay) if self.tables.decay < 1 else hands
        complete = showdown_only(weighted)
        hidden = weighted.select(weighted.shown < 0)
        for _ in range(self.steps):
            expected, _ = _expected(hidden, self.tables.probabilities())
            self.tables.counts[...] = 0
            self.tables.add(self._before.counts + complete + expected)
