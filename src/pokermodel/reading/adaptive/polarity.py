"""The evidence of bets and raises on the river beyond the likelihood: they are polar.

Before a player acts on the river their table is true. After a bet it is not, by the likelihood alone, in two ways.

- A likelihood that is smooth in strength is too smooth. Players bet small with middling holdings, and large with the
  best and the worst. So the table is multiplied by a factor for each bin of hand strength, by the size of the bet.
- A likelihood gives a weak holding the same chance of a bluff in any range. But bluffs are in some proportion to value
  bets: a player with few weak holdings bluffs with more of them, and a player with many with fewer. So the weight of
  each side of the table, below and above a strength of a half, is raised to a power below 1, and to a lower one after a
  raise.

A table is multiplied by both. In a strategy (`pokermodel.reading.adaptive.strategies`) they are factors of the odds of
a bet, with one number for each group of sizes besides, by which bets stay as frequent over the range as foretold.

*Why not* features of the likelihood: it sees no sizes and is one for all streets; its thousands of weights are moved
little by a thousand river bets. *Why not* a power of the whole table: tables are too sure of whether it is a bluff, and
not of the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._support.arrays import Floats
from pokermodel.game import Situation
from pokermodel.reading.adaptive.holdings import first_bin, holding_classes, strength_bins
from pokermodel.reading.adaptive.sizes import CLASS_OF, STRENGTHS

__all__ = [
    "GROUP_OF_CELL",
    "GROUP_OF_CLASS",
    "RIVER",
    "SIZE_GROUPS",
    "Polarity",
    "first_on_river",
    "size_group",
    "strength_masses",
]

#: The round.
RIVER = 3
#: Groups of sizes: below .6 of the pot after a call or the least, to .85, to 1.25, and more or the most.
SIZE_GROUPS = kernels.GROUPS
#: The group of each class of sizes: uint8 (7,).
GROUP_OF_CLASS: NDArray[np.uint8] = np.array((0, 0, 0, 1, 2, 3, 3), dtype=np.uint8)


def first_on_river(situation: Situation) -> bool:
    """Whether the first money that a player puts in on the river would be what they do."""
    return situation.round == RIVER and not situation.in_round


def size_group(cell: int) -> int:
    """The group of sizes that a cell belongs to."""
    return int(GROUP_OF_CELL[cell])


#: The group of each cell of sizes: uint8 (38,).
GROUP_OF_CELL: NDArray[np.uint8] = GROUP_OF_CLASS[CLASS_OF]


def strength_masses(weights: Floats, board: tuple[int, ...]) -> Floats:
    """The weight of a table in each bin of hand strength: float64 (16,), of sum 1, or all 0 if it is empty."""
    found = np.bincount(strength_bins(board) + 1, weights, STRENGTHS + 1)[1:].astype(np.float64)
    total = found.sum()
    return found / total if total > 0 else found


class Polarity:
    """The knowledge of bets and raises on the river, for unknown players.

    Parameters
    ----------
    tilts : array_like, shape (groups, 16)
        By group of sizes and bin of hand strength, the logarithm of the factor; one group where bets have no sizes.
    powers : array_like, shape (2,)
        The powers for the weight of each side of the table, after bets and after raises.

    Raises
    ------
    ValueError
        If an array has another shape, or is not finite.
    """

    def __init__(self, tilts: Any, powers: Any) -> None:
        self.tilts: NDArray[np.float32] = np.array(tilts, dtype=np.float32)
        self.powers: NDArray[np.float32] = np.array(powers, dtype=np.float32)
        if self.tilts.shape not in (shapes := [(groups, STRENGTHS) for groups in (1, SIZE_GROUPS)]):
            raise ValueError(f"tilts of the river have shape {shapes[0]} or {shapes[1]}, got {self.tilts.shape}")
        if self.powers.shape != (2,):
            raise ValueError(f"powers of the river have shape (2,), got {self.powers.shape}")
        for name, each in vars(self).items():
            if not np.isfinite(each).all():
                raise ValueError(f"{name} of the river must be finite")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tilts, self.powers)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it, by name."""
        return {"river_tilts": self.tilts, "river_powers": self.powers}

    def factors(self, masses: Floats, group: int, raised: bool) -> Floats:
        """The factor of each bin of strength after a bet, or a raise of one: float64 (16,).

        `masses`, float64 (16,), is the share of the table in each bin, by the likelihood; `group` is one of sizes.
        """
        return kernels.polar_factors(masses, self.tilts[group], float(self.powers[int(raised)]))

    def after(self, weights: Floats, board: tuple[int, ...], group: int, raised: bool) -> Floats:
        """A player's weights after a bet on the river: float64 (1326,), divided by the largest.

        `weights` are those by the likelihood alone; `group` is one of sizes; `raised` if the bet raised another one.
        """
        factors = self.factors(strength_masses(weights, board), group, raised)
        found = np.empty(len(weights))
        if not kernels.posterior(weights, holding_classes(board), first_bin(board), factors, found):
            return weights
        return found
