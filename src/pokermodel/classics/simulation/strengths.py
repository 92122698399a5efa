"""Strengths of holdings on the boards of play-outs, against the merged opponents of each player.

Trials of a decision meet the same boards again and again: 47 turns, and 46 rivers of each. So the inputs of a player's
triple are computed for all holdings at once at the first decision on a board, and kept for later decisions with the
same tables. To work it out for the one holding of a trial each time would do the same work over and over.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Literal, TypeAlias

import numpy as np

from pokermodel._core.playout import FIELD_TOTAL, Strengths
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel.cards import N_HOLDINGS
from pokermodel.classics.loki1.field import field_array

__all__ = ["FieldArray", "StrengthCache", "TrialPotential", "merge_fields", "strength_cache", "uniform_field"]

FieldArray: TypeAlias = Literal["mean", "maximum"]
#: What stands for the potential in trials: PPOT and NPOT, PPOTc without NPOT, or 0.
TrialPotential: TypeAlias = Literal["exact", "crude", "none"]


class StrengthCache:
    """Cache of the values of holdings on boards, from one simulation to the next.

    A simulation takes an entry out, adds to it and puts it back, so that simulators and threads can share a cache.
    Entries put back last are found first and dropped last. A copy has the same limit and begins empty.

    Parameters
    ----------
    memory : int
        Largest number of bytes to keep.

    Raises
    ------
    ValueError
        If `memory` is negative.
    """

    def __init__(self, memory: int = 256 << 20) -> None:
        self.memory = check_least("memory", memory, 0)
        self._idle: list[tuple[Strengths, Floats]] = []
        self._lock = Lock()

    def __reduce__(self) -> str | tuple[type[StrengthCache], tuple[int]]:
        """Pickle the limit only; the process's own cache stands for that of the process where it is unpickled."""
        return "strength_cache" if self is strength_cache else (type(self), (self.memory,))

    @property
    def nbytes(self) -> int:
        """Number of bytes kept."""
        with self._lock:
            return sum(strengths.nbytes for strengths, _ in self._idle)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._idle.clear()

    def take(self, flop: tuple[int, ...], weights: Floats, potential: TrialPotential = "exact") -> Strengths:
        """Take out the strengths of a flop against these fields, or new ones."""
        with self._lock:
            same = [
                k
                for k, (strengths, _) in enumerate(self._idle)
                if strengths.flop == flop and strengths.potential == potential
            ]
            for k in reversed(same):
                if self._idle[k][1] is weights or np.array_equal(self._idle[k][1], weights):
                    return self._idle.pop(k)[0]
            found = self._idle.pop(same[0])[0] if same else Strengths(flop, potential)
        found.bind(weights)
        return found

    def give(self, strengths: Strengths, weights: Floats) -> None:
        """Put strengths back, with the fields that they are for."""
        with self._lock:
            self._idle.append((strengths, weights))
            kept = 0
            for k in reversed(range(len(self._idle))):
                kept += self._idle[k][0].nbytes
                if kept > self.memory:
                    del self._idle[: k + 1]
                    break


#: The cache of all simulators that are not given another one.
strength_cache = StrengthCache()


def merge_fields(
    branches: tuple[Floats, Floats], active: Sequence[int], method: FieldArray
) -> tuple[Floats, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Merge the opponents of each player: distinct fields as whole numbers (fields, 1326), and seats' by branch."""
    known: dict[bytes, int] = {}
    distinct: list[Floats] = []
    number: dict[tuple[int, ...], int] = {}
    rows: list[Floats] = []

    def numbers(tables: Floats) -> tuple[int, ...]:
        kinds = {}
        for seat in active:
            kind = known.setdefault(tables[seat].tobytes(), len(known))
            if kind == len(distinct):
                distinct.append(tables[seat])
            kinds[seat] = kind
        fields = [-1] * len(tables)
        for seat in active:
            # in this order, so that the same opponents give the same sums
            opponents = tuple(sorted(kinds[other] for other in active if other != seat))
            if opponents not in number:
                number[opponents] = len(rows)
                rows.append(_whole(field_array([distinct[kind] for kind in opponents], method)))
            fields[seat] = number[opponents]
        return tuple(fields)

    fields = numbers(branches[0]), numbers(branches[1])
    return np.array(rows), fields


def uniform_field(live: Floats, active: Sequence[int], players: int) -> tuple[Floats, tuple[tuple[int, ...], ...]]:
    """Return what `merge_fields` does where every possible holding counts the same for everybody."""
    fields = tuple(0 if seat in active else -1 for seat in range(players))
    return _whole(live)[np.newaxis], (fields, fields)


def _whole(weights: Floats) -> Floats:
    """Scale weights to whole numbers whose sums are exact."""
    total = weights.sum()
    share = weights / total if total > 0 else weights
    whole = np.floor(share * (FIELD_TOTAL - N_HOLDINGS))
    return np.where(share > 0, np.maximum(whole, 1.0), 0.0)
