"""Results of a simulation: the values of the acts, their errors, and the best act."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from pokermodel._support.arrays import Bytes, Floats, Words
from pokermodel._support.forms import text_of
from pokermodel.game import Act
from pokermodel.worth.worth import Worth

__all__ = ["Advice", "BranchEstimate", "StopRule", "Stopped", "TrialLog", "choose", "close_acts", "is_obvious"]

_SURE = 1.96  # standard errors of half a 95% interval

StopRule: TypeAlias = Literal["paired", "published", "none"]
Stopped: TypeAlias = Literal["trials", "obvious", "time"]

#: Standard errors by which the best act must lead under the paired rule (ours).
OBVIOUS_ERRORS = 3.0


@dataclass(frozen=True, eq=False, slots=True)
class TrialLog:
    """Every trial of a simulation.

    Attributes
    ----------
    values : ndarray of float64, shape (n, 2)
        Small bets that the hero won after check or call, and after bet or raise (nan where a raise is not allowed).
    weights : ndarray of float64, shape (n,)
        Weights of the trials.
    cards : ndarray of uint8, shape (n, players, 2)
        Holdings of all players, the hero included.
        A trial on a stratified board that no holdings went with has weight 0, cards 255 and no acts.
    boards : ndarray of uint8, shape (n, 5)
        The final board.
    acts : list of (tuple of Act, tuple of Act or None)
        The acts of each branch from the decision to the end of the hand, in order; the second is None where the hero
        could not raise.
    """

    values: Floats
    weights: Floats
    cards: Bytes
    boards: Bytes
    acts: list[tuple[tuple[Act, ...], tuple[Act, ...] | None]]


@dataclass(frozen=True, eq=False, slots=True)
class Advice:
    """Result of a simulation. Values are in small bets, from the decision on.

    Attributes
    ----------
    ev : ndarray of float64, shape (3,)
        Expected values of fold, check or call, and bet or raise: 0 for the fold, nan for a raise that is not allowed.
    standard_error : ndarray of float64, shape (3,)
        Standard errors of the expected values.
    deviation : ndarray of float64, shape (3,)
        Standard deviations of a single trial.
    paired_standard_error : float
        Standard error of EV(raise) - EV(call); nan where no raise is allowed.
    trials : int
        Number of trials done.
    action : Act
        The best act; of equal ones the more aggressive. It is never a fold where checking is free.
    stopped : {"trials", "obvious", "time"}
        Why the simulation ended: all trials were done, or the rule to stop held before, or the time was over.
    acts : ndarray of uint64, shape (2, players, 4, 3, 3)
        Counts of acts in the play-outs while the hero was in the hand: by branch (call, raise), seat, round, bets to
        call (0, 1, 2 or more) and act. The hero's first act is not counted. Each trial counts once, without its weight.
    own_folds : ndarray of float64, shape (2,)
        Share of the trials in which the hero folded later, by branch. A model of the hero that folds too often makes
        calls and raises look bad, which leads to more folds (Davidson 2002, section 6.1).
    seat : int
        The hero's seat.
    log : TrialLog or None
        All trials, if they were kept.
    legal : tuple of Act
        The legal actions.
    raise_to : int or None
        Total of a bet or raise, in chips counted from the beginning of the round.
    """

    ev: Floats
    standard_error: Floats
    deviation: Floats
    paired_standard_error: float
    trials: int
    action: Act
    stopped: Stopped
    acts: Words
    own_folds: Floats
    seat: int
    log: TrialLog | None = None
    legal: tuple[Act, ...] = tuple(Act)
    raise_to: int | None = None

    def worths(self) -> tuple[tuple[Worth, ...], Floats]:
        """The value of the legal actions, and half 95% intervals of their differences: float64 (actions, actions).

        Check or call and bet or raise were played out in the same trials.
        """
        found = tuple(
            Worth(act, self.raise_to if act == Act.RAISE else None, ev, "simulated", _SURE * error)
            for act, ev, error in zip(Act, self.ev.tolist(), self.standard_error.tolist(), strict=True)
            if act in self.legal
        )
        errors = np.array([[one.error if one is other else math.hypot(one.error, other.error) for other in found]
                           for one in found])  # fmt: skip
        if [each.act for each in found[-2:]] == [Act.CALL, Act.RAISE]:
            errors[-2, -1] = errors[-1, -2] = _SURE * self.paired_standard_error
        return found, errors

    def frequencies(self, seats: Sequence[int] | None = None) -> Floats:
        """Frequencies of fold, call and raise in the play-outs, by context, for comparison with real players.

        Parameters
        ----------
        seats : sequence of int, optional
            Seats to count; by default all but the hero.

        Returns
        -------
        ndarray of float64, shape (2, 4, 3, 3)
            By branch (call, raise), round and bets to call (0, 1, 2 or more): fold, call, raise; nan where no player
            acted.

        Raises
        ------
        ValueError
            If there is no such seat.
        """
        players = self.acts.shape[1]
        chosen = [seat for seat in range(players) if seat != self.seat] if seats is None else list(seats)
        if not all(0 <= seat < players for seat in chosen):
            raise ValueError(f"seats must be 0..{players - 1}, got {chosen}")
        counts = self.acts[:, chosen].sum(axis=1).astype(np.float64)
        total = counts.sum(axis=-1, keepdims=True)
        shares: Floats = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)
        return shares

    def to_dict(self) -> dict[str, Any]:
        """Return values and errors as plain data for JSON; None for an act that is not allowed."""

        def plain(values: Floats) -> dict[str, float | None]:
            return {
                name: None if np.isnan(value) else float(value)
                for name, value in zip(("fold", "call", "raise"), values.tolist(), strict=True)
            }

        paired = self.paired_standard_error
        return {
            "ev": plain(self.ev),
            "standard_error": plain(self.standard_error),
            "paired_standard_error": None if np.isnan(paired) else paired,
            "trials": self.trials,
            "stopped": self.stopped,
            "own_folds": self.own_folds.tolist(),
        }

    def _repr_html_(self) -> str:
        return text_of(self, "html")


class BranchEstimate(NamedTuple):
    """Means of the two branches over the first trials, in small bets."""

    mean: Floats  # (2,)
    error: Floats
    deviation: Floats
    difference_error: float

    @classmethod
    def of(cls, values: Floats, weights: Floats, runouts: Bytes | None = None) -> BranchEstimate:
        """Estimate the means of trials: values (n, 2) with weights (n,).

        `runouts` (n, 1 or 2) are the next cards of stratified boards. The means' errors are then those of stratified
        samples, once there are trials enough to tell, and until then those of independent trials, which are larger.
        """
        n = len(weights)
        total = weights.sum()
        mean = weights @ values / total
        from_mean = np.column_stack([values - mean, values[:, 1] - values[:, 0] - (mean[1] - mean[0])])
        correction = n / (n - 1)
        squares = from_mean * from_mean
        deviations = np.sqrt(weights @ squares / total * correction)
        variances = (weights * weights) @ squares * correction
        if runouts is not None:
            variances = _stratified_variances(weights[:, None] * from_mean, runouts, variances)
        errors = np.sqrt(variances) / total
        return cls(mean, errors[:2], deviations[:2], float(errors[2]))


def _stratified_variances(parts: Floats, runouts: Bytes, otherwise: Floats) -> Floats:
    """Variances of the sums of `parts` (n, 3) over cycles in which each card comes once in each place of the runout.

    This is Latin hypercube sampling: what a turn card adds, and what a river adds, sums up without chance over a whole
    cycle, so that only the spread around the sum of both counts (Stein 1987). That spread is taken from the least
    squares of all cards in each place. The last cycle, if it was cut short, adds the spread between cards, as of a
    sample without replacement. Trials that are fewer than twice the cards in all places give `otherwise`: too little
    would be left to judge by.
    """
    n, places = runouts.shape
    numbered = [np.unique(column, return_inverse=True) for column in runouts.T]
    sizes = [len(cards) for cards, _ in numbered]
    columns = [where + sum(sizes[:place]) for place, (_, where) in enumerate(numbered)]
    effects = sum(sizes)
    free = n - (effects - places + 1)
    if n < 2 * effects:
        return otherwise
    # normal equations, by counting; a trace on the diagonal makes up for the constants that the places share
    counts = np.zeros((effects, effects))
    sums = np.zeros((effects, parts.shape[1]))
    for one in columns:
        for k, column in enumerate(parts.T):
            sums[:, k] += np.bincount(one, column, effects)
        for other in columns:
            counts += np.bincount(one * effects + other, minlength=effects * effects).reshape(effects, effects)
    fitted = np.linalg.solve(counts + 1e-9 * np.eye(effects), sums)
    squares = (parts * parts).sum(axis=0)
    around = np.maximum(squares - (fitted * sums).sum(axis=0), 0.0) / free
    between = np.maximum(squares / (n - 1) - around, 0.0)
    rest = n % sizes[0]
    found: Floats = n * around + rest * (1 - rest / sizes[0]) * between
    return found


def choose(ev: Floats, can_fold: bool, can_raise: bool) -> Act:
    """Return the best act: of equal ones the more aggressive."""
    acts = [Act.FOLD] * can_fold + [Act.CALL] + [Act.RAISE] * can_raise
    return max(acts, key=lambda act: (ev[act], act))


def close_acts(ev: Floats, can_fold: bool, can_raise: bool, margin: float) -> list[Act]:
    """Return the acts whose expected value is at most `margin` small bets below the best, fold first."""
    acts = [Act.FOLD] * can_fold + [Act.CALL] + [Act.RAISE] * can_raise
    best = max(ev[act] for act in acts)
    return [act for act in acts if ev[act] >= best - margin]


def is_obvious(estimate: BranchEstimate, can_fold: bool, can_raise: bool, rule: StopRule) -> bool:
    """Whether the best act leads by so much that further trials are left out (see `pokermodel.classics.simulation`)."""
    call, raise_ = estimate.mean.tolist()
    ranked = sorted([(0.0, Act.FOLD)] * can_fold + [(call, Act.CALL)] + [(raise_, Act.RAISE)] * can_raise, reverse=True)
    if len(ranked) < 2:
        return True
    (best, first), (second, other) = ranked[:2]
    if rule == "published":
        return bool(best - second > estimate.deviation[: 1 + can_raise].sum())
    if Act.FOLD in (first, other):
        error = float(estimate.error[max(first, other) - 1])
    else:
        error = estimate.difference_error
    return bool(best - second > OBVIOUS_ERRORS * error)
