"""Sizes of bets and raises outside limit, as counts in classes and in narrow bins.

A size is counted in one of six exact classes, and in one of many bins for the median. A bet of all the player's chips
is counted as all-in instead, because its size depends on their stack. All counts are whole numbers that can be added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from pokermodel.game import ROUNDS

__all__ = ["BIG_BLINDS", "POT", "SIZES", "SIZE_NUMBERS", "Scale", "SizeKind", "size_numbers"]


class Scale(NamedTuple):
    """A kind of bet, with the unit of its sizes and their classes and bins.

    Attributes
    ----------
    unit : str
        One of them in words.
    edges : tuple of Fraction
        Where classes meet. An edge belongs to the class above it, the last edge to the one below if `closed`.
    classes : tuple of str
        Names of the classes.
    closed : bool
    fine, coarse : int
        Bins in a unit: `fine` below `turn` units, `coarse` from there to `end`. The last bin has all larger sizes.
    turn, end : int
    """

    unit: str
    edges: tuple[Fraction, ...]
    classes: tuple[str, ...]
    closed: bool
    fine: int
    coarse: int
    turn: int
    end: int

    @property
    def bins(self) -> int:
        """How many bins there are."""
        return self.turn * self.fine + (self.end - self.turn) * self.coarse + 1

    def class_of(self, chips: int, unit: int) -> int:
        """The class of a size in chips, as an index into `classes`; `unit` chips make one unit."""
        reached = 0
        for edge in self.edges:
            beyond = chips * edge.denominator - unit * edge.numerator
            if beyond < 0 or (beyond == 0 and self.closed and edge is self.edges[-1]):
                break
            reached += 1
        return reached

    def bin_of(self, chips: int, unit: int) -> int:
        """The bin whose value is nearest to a size, the larger one of two."""
        number = _rounded(chips * self.fine, unit)
        if number < self.turn * self.fine:
            return number
        beyond = max(_rounded((chips - self.turn * unit) * self.coarse, unit), 0)
        return min(self.turn * self.fine + beyond, self.bins - 1)

    def value_of(self, bin: int) -> float:
        """The size that a bin stands for."""
        beyond = bin - self.turn * self.fine
        return bin / self.fine if beyond < 0 else self.turn + beyond / self.coarse


def _rounded(number: int, unit: int) -> int:
    """A number of units, as a whole number of them."""
    return (2 * number + unit) // (2 * unit)


#: Fractions of the pot after a call: a bet of what is there, or a raise by what is there when the bet is called, is 1.
POT = Scale(
    "pot",
    (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1), Fraction(3, 2)),
    ("<1/3", "1/3-1/2", "1/2-2/3", "2/3-1", "1-1.5", ">1.5"),
    closed=True,
    fine=100,
    coarse=10,
    turn=4,
    end=10,
)
#: What a raise goes to, in big blinds.
BIG_BLINDS = Scale(
    "bb",
    (Fraction(5, 2), Fraction(3), Fraction(7, 2), Fraction(4), Fraction(5)),
    ("<2.5", "2.5-3", "3-3.5", "3.5-4", "4-5", ">=5"),
    closed=False,
    fine=100,
    coarse=2,
    turn=10,
    end=100,
)


class SizeKind(NamedTuple):
    """Bets and raises whose sizes are counted together.

    Attributes
    ----------
    name : str
    meaning : str
        The counted case.
    round : int
        The betting round.
    scale : Scale
    first : int
        The first of its numbers: one for each class, one for all-in, one for each bin.
    """

    name: str
    meaning: str
    round: int
    scale: Scale
    first: int

    @property
    def all_in(self) -> int:
        """The number of all-ins."""
        return self.first + len(self.scale.classes)

    @property
    def bins(self) -> int:
        """The number of the first bin."""
        return self.all_in + 1


def _kinds() -> Iterator[tuple[str, SizeKind]]:
    first = 0
    found = [
        ("open_size", "Open", "raised first, all before folded; to, in big blinds", 0, BIG_BLINDS),
        ("preflop_raise_size", "Raise pre-flop", "raises / pot after a call", 0, POT),
    ]
    for round, name in enumerate(ROUNDS[1:], 1):
        found.append((f"{name}_bet_size", f"Bet {name}", "bets / pot", round, POT))
        found.append((f"{name}_raise_size", f"Raise {name}", "raises / pot after a call", round, POT))
    for key, name, meaning, round, scale in found:
        yield key, SizeKind(name, meaning, round, scale, first)
        first += len(scale.classes) + 1 + scale.bins


#: The kinds of sizes, by key.
SIZES: Mapping[str, SizeKind] = dict(_kinds())
#: How many numbers they have.
SIZE_NUMBERS = sum(len(kind.scale.classes) + 1 + kind.scale.bins for kind in SIZES.values())
_OPEN, _PREFLOP, *_LATER = SIZES.values()


def size_numbers(
    street: int, more: int, pot: int, *, raises: bool, to: int | None, unit: int, all_in: bool
) -> Iterator[int]:
    """Yield the numbers of the size of a bet or raise: of its class and its bin, or of all-ins.

    Parameters
    ----------
    street : int
        The betting round.
    more : int
        Chips beyond a call.
    pot : int
        Chips in the pot after a call; 0 without blinds, when there is nothing that a bet is a share of.
    raises : bool
        Whether there was a bet before, after the flop.
    to : int or None
        The total of a first raise before the flop; None if it is no such raise, or a straddle was posted.
    unit : int
        Chips of a big blind.
    all_in : bool
    """
    if to is not None:
        yield from _numbers(_OPEN, to, unit, all_in)
    if pot:
        yield from _numbers(_LATER[2 * (street - 1) + raises] if street else _PREFLOP, more, pot, all_in)


def _numbers(kind: SizeKind, chips: int, unit: int, all_in: bool) -> Iterator[int]:
    if all_in:
        yield kind.all_in
    else:
        yield kind.first + kind.scale.class_of(chips, unit)
        yield kind.bins + kind.scale.bin_of(chips, unit)
