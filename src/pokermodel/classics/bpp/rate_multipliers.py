"""Corrections of a table P(act | class, situation) for what its situations leave out, or for who acts.

A table by class and rich situation, let alone one for each player, would need more hands than anybody has. A factor
keeps the table's shape over the classes and multiplies it, in each cell of some other division of the situations, by
one factor for each act: this player raises half as often on the turn as the table expects. What was done in the cell
is compared with what was expected there::

    factor(act, cell) = (S/3 + n(act, cell)) / (S/3 + e(act, cell))

This is the mean of a Gamma distribution that begins at 1 and is worth S observations. Where the cells are the
table's own situations it amounts to counting. RateMultipliers are counts, and are merged by addition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats, Integers

__all__ = ["RateMultipliers"]


class RateMultipliers:
    """Factors by which acts are likelier or less likely than a table has it.

    Parameters
    ----------
    cells, groups : int
        Cells, and groups of classes that have factors of their own.
    strength : float
        Observations that a factor of 1 is worth.

    Raises
    ------
    ValueError
        If a number is out of range.

    Attributes
    ----------
    counts, expected : ndarray of float64, shape (cells, groups, 3)
        How often each act was done, and how often the table expected it.
    factors : ndarray of float64, shape (cells, groups, 3)

    Examples
    --------
    >>> factors = RateMultipliers(1, 1, strength=30)
    >>> factors.add(np.array([0]), np.array([[[0.0, 0.0, 40.0]]]), np.array([[[10.0, 20.0, 10.0]]]))
    >>> factors.factors[0, 0].round(2).tolist()
    [0.5, 0.33, 2.5]
    """

    __slots__ = ("counts", "expected", "factors", "strength")

    def __init__(self, cells: int, groups: int, strength: float) -> None:
        if cells < 1 or groups < 1:
            raise ValueError(f"there must be cells and groups, got {cells} and {groups}")
        if not (np.isfinite(strength) and strength > 0):
            raise ValueError(f"the strength of a factor must be above 0, got {strength}")
        self.strength = float(strength)
        self.counts: Floats = np.zeros((cells, groups, 3))
        self.expected: Floats = np.zeros((cells, groups, 3))
        self.factors: Floats = np.ones((cells, groups, 3))

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            # joblib maps large arrays into its workers, where they cannot be written to
            setattr(self, name, np.require(value, requirements="W") if isinstance(value, np.ndarray) else value)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def groups(self) -> int:
        """Groups of classes."""
        return int(self.counts.shape[1])

    def add(self, cells: Integers, counts: Floats, expected: Floats) -> None:
        """Count what was done in some cells, and what was expected there.

        Parameters
        ----------
        cells : ndarray of intp, shape (n,)
            One may occur several times.
        counts, expected : ndarray of float64, shape (n, groups, 3)
        """
        np.add.at(self.counts, cells, counts)
        np.add.at(self.expected, cells, expected)
        self.settle(cells)

    def put(self, cells: Integers | slice, counts: Floats, expected: Floats) -> None:
        """Take over the counts of some cells, each given once, and clear them."""
        self.counts[cells], self.expected[cells] = counts, expected
        self.settle(cells)

    def copy(self) -> RateMultipliers:
        """Factors that can be changed without changing these."""
        other = RateMultipliers(1, self.groups, self.strength)
        other.counts, other.expected, other.factors = self.counts.copy(), self.expected.copy(), self.factors.copy()
        return other

    def fade(self, cells: Integers | slice, worth: float) -> None:
        """Let what was counted in some cells be worth less."""
        self.counts[cells] *= worth
        self.expected[cells] *= worth
        self.settle(cells)

    def settle(self, cells: Integers | slice = slice(None)) -> None:
        """Compute factors from the counts of some cells, by default of all."""
        prior = self.strength / 3
        self.factors[cells] = (prior + self.counts[cells]) / (prior + self.expected[cells])

    def grow(self, cells: int) -> None:
        """Have at least so many cells."""
        missing = cells - len(self)
        if missing > 0:
            missing = max(missing, len(self))  # doubled, so that growing step by step costs little
            for name, value in (("counts", 0.0), ("expected", 0.0), ("factors", 1.0)):
                more = np.full((missing, self.groups, 3), value)
                setattr(self, name, np.concatenate([getattr(self, name), more]))
