"""Types of hands, by which the Bayesian Poker Program summarises one to five cards.

A hand of five cards has one of 9 types (in the original program), 17, or 25 (Nicholson, Korb and Boulton 2006), weakest
first. Two to four cards of an incomplete hand have a *state*: made hands as above, and hands without a pair by their
highest card and by whether they may become a flush, a straight, both or neither. The state of a single card is the
class of its rank.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokermodel._support.arrays import Bytes
from pokermodel.cards import RANKS

__all__ = ["DRAWS", "HAND_TYPES", "MADE", "SCHEMES", "TypeScheme", "hand_type"]

#: Draws of a hand without a pair, in the order of states, where all two to four cards fit the draw.
DRAWS = ("", "straight draw", "flush draw", "straight and flush draw")

#: Types above a pair, the same in all schemes.
MADE = ("two pair", "three of a kind", "straight", "flush", "full house", "four of a kind", "straight flush")

# The rank (1 to 7462) that ends each kind of hand: high cards from seven to ace, pairs, and the rest.
_HIGH_ENDS = (4, 18, 52, 121, 246, 455, 784, 1277)
_PAIR_ENDS = tuple(1277 + 220 * k for k in range(1, 14))
_MADE_ENDS = (4995, 5853, 5863, 7140, 7296, 7452, 7462)
_WHEEL, _STEEL_WHEEL = 5854, 7453


@dataclass(frozen=True)
class TypeScheme:
    """A scheme of types, by its classes of hands without a pair and of pairs.

    Attributes
    ----------
    name : str
        The number of types.
    busted : tuple of str
        Names of the classes of hands without a pair, weakest first.
    busted_tops : tuple of int
        The highest rank (0 to 12) of each.
    pairs : tuple of str
        Names of the classes of pairs, weakest first.
    pair_tops : tuple of int
        The highest rank (0 to 12) of each.
    wheel : bool
        Whether A-2-3-4-5 is a straight, as in the rules; the authors' own table fits hands in which it is not.

    Examples
    --------
    >>> SCHEMES[17].types[:7]
    ('9 high or less', '10 to J high', 'Q high', 'K high', 'A high', 'pair of 9 or less', 'pair of 10 or J')
    >>> [len(SCHEMES[25].states(cards)) for cards in (1, 2, 3, 4, 5)]
    [5, 33, 34, 36, 25]
    """

    name: str
    busted: tuple[str, ...]
    busted_tops: tuple[int, ...]
    pairs: tuple[str, ...]
    pair_tops: tuple[int, ...]
    wheel: bool = True

    @property
    def types(self) -> tuple[str, ...]:
        """Names of the types of five cards, weakest first."""
        return (*self.busted, *self.pairs, *MADE)

    def states(self, cards: int) -> tuple[str, ...]:
        """Names of the states of a number of cards; the states of five cards are the types.

        Raises
        ------
        ValueError
            If there are not 1 to 5 cards.
        """
        if not 1 <= cards <= 5:
            raise ValueError(f"a hand has 1 to 5 cards, got {cards}")
        if cards == 5:
            return self.types
        if cards == 1:
            return self.busted
        drawing = [f"{name}, {draw}" if draw else name for name in self.busted for draw in DRAWS]
        made: tuple[str, ...] = ((), (), (), ("three of a kind",), ("two pair", "three of a kind", "four of a kind"))[
            cards
        ]
        return (*drawing, *self.pairs, *made)

    @cached_property
    def busted_class(self) -> Bytes:
        """The class of a hand without a pair by the rank of its highest card: uint8 (13,)."""
        return np.searchsorted(self.busted_tops, np.arange(13)).astype(np.uint8)

    @cached_property
    def pair_class(self) -> Bytes:
        """The class of a pair by its rank: uint8 (13,)."""
        return np.searchsorted(self.pair_tops, np.arange(13)).astype(np.uint8)

    @cached_property
    def type_of_rank(self) -> Bytes:
        """The type of five cards by their rank, 1 to 7462: uint8 (7463,); the first entry is not used."""
        ends = [_HIGH_ENDS[top - 5] for top in self.busted_tops]
        ends += [_PAIR_ENDS[top] for top in self.pair_tops]
        ends += _MADE_ENDS
        table = np.searchsorted(ends, np.arange(7463)).astype(np.uint8)
        if not self.wheel:
            table[_WHEEL] = len(self.busted) - 1
            table[_STEEL_WHEEL] = self.types.index("flush")
        return table


def _each(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{rank}" for rank in RANKS)


#: The three schemes by their number of types.
SCHEMES = {
    9: TypeScheme("9", ("busted",), (12,), ("pair",), (12,)),
    17: TypeScheme(
        "17",
        ("9 high or less", "10 to J high", "Q high", "K high", "A high"),
        (7, 9, 10, 11, 12),
        ("pair of 9 or less", "pair of 10 or J", "pair of Q", "pair of K", "pair of A"),
        (7, 9, 10, 11, 12),
    ),
    25: TypeScheme(
        "25",
        ("8 high or less", "9 to J high", "Q high", "K high", "A high"),
        (6, 9, 10, 11, 12),
        _each("pair of "),
        tuple(range(13)),
    ),
}

#: Types of made hands, weakest first: the 25 of the Bayesian Poker Program (Nicholson, Korb and Boulton 2006).
HAND_TYPES = SCHEMES[25].types
_TYPE_ENDS = [int(end) for end in np.flatnonzero(np.diff(SCHEMES[25].type_of_rank))]


def hand_type(rank: int) -> int:
    """The type of a hand, as an index of `HAND_TYPES`, by its rank (1 to 7462)."""
    return bisect_right(_TYPE_ENDS, rank - 1)
