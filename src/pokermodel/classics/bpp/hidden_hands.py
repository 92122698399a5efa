"""Hands as an observer of one player sees them: what they did, and everything they can have held.

Most holdings are never shown, and those that are shown are the better ones. So a hand that ended without a showdown
is not left out: it stands here with every candidate for the holding, and the estimators decide what to make of them
(`pokermodel.classics.bpp.estimators`). To learn from showdowns alone, as the sources did, is one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._support.arrays import Floats, Integers
from pokermodel.classics.bpp.action_tables import count_cells

__all__ = ["HandSet", "HiddenHand", "group_candidates", "ranges"]

#: Entries that are worked on at a time: what fits into a cache.
_CHUNK = 1 << 18


@dataclass(frozen=True, eq=False)
class HiddenHand:
    """The evidence of one hand on one player: their actions, and their possible holdings.

    Attributes
    ----------
    situations, acts : sequence of int, shape (actions,)
        The player's actions, in order; at least one.
    classes : ndarray of int, shape (candidates, actions)
        For everything they can have held, its class at each action. Candidates with the same classes may be one row:
        see `group_candidates`.
    prior : ndarray of float, shape (candidates,)
        How likely each was before the actions, given all cards that are known, ours too; of any scale, above 0 for
        at least one. A player who lost a showdown without showing cannot have held what wins: give that 0.
    shown : int, optional
        The candidate that they held, where that is known.
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
    return table[live[first]], count_cells(row, mass[live], (len(first),)), held


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
            ranges(first[chosen], first[chosen + 1]) for first in (self.first_row, self.first_action, self.first_entry)
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

    def _weighted(self, weights: Floats) -> HandSet:
        return HandSet(
            self.shape, weights, self.shown, self.prior, self.survival, self.cells, self.first_row, self.first_action
        )

    def collapse(self) -> HandSet:
        """Return these hands with those that are alike in everything counted as one."""
        import hashlib  # which takes long to load, and hardly anybody needs

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
        return self.cells[ranges(start, start + length)], ranges(
            self.first_action[known], self.first_action[known] + length
        )

    def _action_weights(self) -> Floats:
        return np.repeat(self.weights, np.diff(self.first_action))


def ranges(starts: NDArray[np.integer], stops: NDArray[np.integer]) -> Integers:
    """All integers of some ranges, one range behind the other."""
    lengths = stops - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(starts - (ends - lengths), lengths), dtype=np.intp)
