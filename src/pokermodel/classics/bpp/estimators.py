"""How tables P(act | class, situation) are learnt where cards are seen at showdowns only.

What is shown there is a selected sample: a hand that the player folds, or that the observer folds to, is never shown.
Counting shown hands alone, as the Bayesian Poker Program does (Carlton 2000), therefore converges to the wrong table:
P(act | class) is multiplied by the probability of a showdown after the act. Three estimators learn from the same hands:

- `showdown_only` counts what was shown;
- `inverse_probability` lets a shown action count once for each time that it could have been shown, and finds folds
  as what is missing;
- `expectation_maximization` counts all hands, those that were not shown once for each holding that the player can
  have held, by its probability (Dempster, Laird and Rubin 1977). Given all actions and the observer's cards, whether
  cards are shown depends on nothing hidden, so that the sample is complete: missing at random.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._support.arrays import Floats, Integers
from pokermodel.classics.bpp.action_tables import ActionTables, count_cells
from pokermodel.classics.bpp.hidden_hands import HandSet, ranges
from pokermodel.game import Act

__all__ = [
    "Estimation",
    "Survival",
    "expectation_maximization",
    "inverse_probability",
    "showdown_only",
]

#: What stands for a probability of 0 where its logarithm is needed.
_LEAST = 1e-300


def _check(hands: HandSet, tables: ActionTables) -> None:
    if hands.shape != tables.shape:
        raise ValueError(f"hands for tables of shape {hands.shape} do not fit tables of shape {tables.shape}")


def showdown_only(hands: HandSet) -> Floats:
    """Count what was shown, and nothing else (Carlton 2000).

    Returns
    -------
    ndarray of float64, shape (situations, classes, acts)
        Each action credited to the class held then. No fold is ever among them.
    """
    cells, actions = hands._complete()
    return count_cells(cells, hands._action_weights()[actions], hands.shape)


class Survival(NamedTuple):
    """The result of `inverse_probability`: counts that stand for all hands."""

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
    """Weight shown hands by the inverse of their probability of being shown; folds make up the missing hands.

    A shown action counts once for each time that the hand, from there on, would have had to be played to be shown
    once: our later decisions must not be folds (`HiddenHand.survival`; exact, since we know our own probabilities),
    and neither must the player's, by the table itself. The number of times that each class came into a situation
    follows from the deal, less the hands that earlier acts make unlikely. What is left of it behind the acts that were
    shown is folds. Since the table is needed to find the table, it is repeated until nothing changes.

    Parameters
    ----------
    hands : HandSet
        All hands, shown or not.
    tables : ActionTables
        Prior and back-off; its counts start the first pass, and do not count otherwise.
    cap : float
        The largest weight of an action.
    fold : int
        The index of a fold. Situations whose prior has none have no missing hands.
    sweeps : int
        Largest number of passes.
    tolerance : float
        The change of a probability at which to stop.

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
        counts = count_cells(cells, weights[actions] * np.minimum(1 / survival, cap), hands.shape)
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
        action = ranges(np.repeat(first_action[:-1], rows), np.repeat(first_action[1:], rows))
        order = np.argsort(action, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.repeat(rows, actions))[:-1]])
        score = (before + np.repeat(np.log(hands.prior[part.rows]), lengths))[order]
        candidates = np.repeat(rows, actions)
        score = np.exp(score - np.repeat(np.maximum.reduceat(score, start), candidates))
        share = np.repeat(np.repeat(hands.weights[part.hands], actions) / np.add.reduceat(score, start), candidates)
        arrivals += np.bincount(cells[order] // acts, weights=score * share, minlength=len(arrivals))
    return arrivals.reshape(hands.shape[:2])


class Estimation(NamedTuple):
    """The result of `expectation_maximization`."""

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
