"""What bets and raises on the river say of a holding beyond the probability of each: that they are polar.

Before a player acts on the river their table is true. After a bet it is not, by the likelihood alone, in two ways.

- What is smooth in strength is too smooth: small bets are made with middling holdings, large ones with the best and the
  worst. So the table is multiplied by a factor for each bin of hand strength, by the size of the bet.
- A likelihood takes a weak holding to be bluffed as often, whatever else the player may hold. But who hardly has one
  bluffs with more of them, and who has many with fewer: bluffs are in some proportion to what is bet for value. So what
  each side of the table has, below and above a half of strength, is taken to a power below 1, lower after a raise.

A table is multiplied by both. In a strategy (`pokermodel.reading.adaptive.strategies`) they are factors of the odds of
a bet, with one number for each group of sizes besides, by which bets stay as frequent over the range as foretold.

Both are fitted as a logistic model of the bin of the holding that was known, shrunken to nothing. *Why not* features of
the likelihood: it sees no sizes and is one for all streets; its thousands of weights are moved little by a thousand
river bets. *Why not* a power of the whole table: tables are too sure of whether it is a bluff, and not of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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
    "RiverBet",
    "first_on_river",
    "fit_polarity",
    "size_group",
    "strength_masses",
]

#: The round.
RIVER = 3
#: Groups of sizes: below .6 of the pot after a call or the least, to .85, to 1.25, and more or the most.
SIZE_GROUPS = kernels.GROUPS
#: The group of each class of sizes: uint8 (7,).
GROUP_OF_CLASS: NDArray[np.uint8] = np.array((0, 0, 0, 1, 2, 3, 3), dtype=np.uint8)
_WEAK = kernels.WEAK  # bins of strength, up to a half, that are the weak side
_LEAST_MASS = kernels.LEAST_MASS  # of a side, so that none comes from nowhere
#: Precisions of what is fitted: of each factor, of how it bends from bin to bin, and of powers.
_RIDGE, _COMMON_RIDGE, _BEND, _POWER_RIDGE = 20.0, 5.0, 20.0, 60.0
_STEPS, _CLOSE, _BLOCK = 50, 1e-6, 256


class RiverBet(NamedTuple):
    """A bet or raise on the river with a holding that is known.

    Attributes
    ----------
    masses : ndarray of float64, shape (16,)
        What the table says of each bin of strength, by the likelihood.
    strength : int
        The bin of the holding.
    group : int
        Of sizes; 0 where bets have none.
    raised : bool
        Whether it raised a bet.
    """

    masses: Floats
    strength: int
    group: int
    raised: bool


def first_on_river(situation: Situation) -> bool:
    """Whether the first money that a player puts in on the river would be what they do."""
    return situation.round == RIVER and not situation.in_round


def size_group(cell: int) -> int:
    """The group of sizes that a cell belongs to."""
    return int(GROUP_OF_CELL[cell])


#: The group of each cell of sizes: uint8 (38,).
GROUP_OF_CELL: NDArray[np.uint8] = GROUP_OF_CLASS[CLASS_OF]


def strength_masses(weights: Floats, board: tuple[int, ...]) -> Floats:
    """What a table says of each bin of hand strength: float64 (16,), of sum 1, or all 0 if the table is empty."""
    found = np.bincount(strength_bins(board) + 1, weights, STRENGTHS + 1)[1:].astype(np.float64)
    total = found.sum()
    return found / total if total > 0 else found


def _sides(masses: Floats) -> Floats:
    """The logarithm of what the side of each bin has: float64 (..., 16)."""
    weak = masses[..., :_WEAK].sum(axis=-1, keepdims=True)
    logs = np.log(np.maximum(np.concatenate([weak, 1.0 - weak], axis=-1), _LEAST_MASS))
    found: Floats = np.repeat(logs, (_WEAK, STRENGTHS - _WEAK), axis=-1)
    return found


class Polarity:
    """What is known of bets and raises on the river before anybody is met.

    Parameters
    ----------
    tilts : array_like, shape (groups, 16)
        By group of sizes and bin of hand strength, the logarithm of the factor; one group where bets have no sizes.
    powers : array_like, shape (2,)
        Of bets and of raises, the power of what each side of the table has.

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
        """What a bet says of each bin of strength, as factors: float64 (16,).

        Parameters
        ----------
        masses : ndarray of float64, shape (16,)
            As of `RiverBet`.
        group : int
            Of sizes.
        raised : bool
            Whether it raises a bet.
        """
        return kernels.polar_factors(masses, self.tilts[group], float(self.powers[int(raised)]))

    def after(self, weights: Floats, board: tuple[int, ...], group: int, raised: bool) -> Floats:
        """A player's weights after a bet, given those by the likelihood alone.

        Parameters
        ----------
        weights : ndarray of float64, shape (1326,)
        board : tuple of int
            Five card indices.
        group : int
            Of sizes.
        raised : bool
            Whether it raised a bet.

        Returns
        -------
        ndarray of float64, shape (1326,)
            Divided by the largest.
        """
        factors = self.factors(strength_masses(weights, board), group, raised)
        found = np.empty(len(weights))
        if not kernels.posterior(weights, holding_classes(board), first_bin(board), factors, found):
            return weights
        return found


def fit_polarity(bets: Sequence[RiverBet], groups: int) -> Polarity:
    """The likeliest tilts and powers, shrunken: by Newton's steps, of which each looks at all bets.

    Parameters
    ----------
    bets : sequence of RiverBet
    groups : int
        Of sizes.

    Returns
    -------
    Polarity
        Without any bet, one that changes nothing.
    """
    size = STRENGTHS * (groups + 1) + 2  # tilts of all sizes, of each group besides; a power, and more of it for raises
    bends = np.diff(np.eye(STRENGTHS), n=2, axis=0)
    known = _POWER_RIDGE * np.eye(size)
    for k in range(groups + 1):
        own = slice(STRENGTHS * k, STRENGTHS * (k + 1))
        ridge = _RIDGE if k else _COMMON_RIDGE
        known[own, own] = ridge * np.eye(STRENGTHS) + _BEND * bends.T @ bends
    found = np.zeros(size)
    for _ in range(_STEPS if bets else 0):
        gradient, information = -known @ found, known.copy()
        for first in range(0, len(bets), _BLOCK):
            some = bets[first : first + _BLOCK]
            masses, inputs = _inputs(some, size)
            chances = masses * np.exp(inputs @ found)
            chances /= chances.sum(axis=1, keepdims=True)
            means = np.einsum("nb,nbp->np", chances, inputs)
            seen = inputs[np.arange(len(some)), [bet.strength for bet in some]]
            gradient += (seen - means).sum(axis=0)
            information += np.einsum("nb,nbp,nbq->pq", chances, inputs, inputs, optimize=True) - means.T @ means
        step = np.linalg.solve(information, gradient)
        found += step
        if np.abs(step).max() < _CLOSE:
            break
    tilts = found[:-2].reshape(groups + 1, STRENGTHS)
    return Polarity(tilts[0] + tilts[1:], (1.0 + found[-2], 1.0 + found[-2] + found[-1]))


def _inputs(bets: Sequence[RiverBet], size: int) -> tuple[Floats, Floats]:
    """Masses of n bets, float64 (n, 16), and for each bin what it has of each number that is fitted, (n, 16, size)."""
    masses = np.array([bet.masses for bet in bets])
    found = np.zeros((len(bets), STRENGTHS, size))
    found[:, :, :STRENGTHS] = np.eye(STRENGTHS)
    for k, bet in enumerate(bets):
        own = STRENGTHS * (bet.group + 1)
        found[k, :, own : own + STRENGTHS] = np.eye(STRENGTHS)
    found[:, :, -2] = _sides(masses)
    found[:, :, -1] = found[:, :, -2] * np.array([[bet.raised] for bet in bets])
    return masses, found
