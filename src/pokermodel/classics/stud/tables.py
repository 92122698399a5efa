"""How the cards of a stud hand go together: exact tables over the types of hands.

The published program took these tables from ten million dealt hands; here every hand is counted, in about a second
for each scheme of types.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokermodel._core import stud_counts
from pokermodel._core.hand_types import STATES, Types
from pokermodel._support.arrays import Counts, Floats
from pokermodel.cards import N_CARDS, CardsLike, card_indices
from pokermodel.evaluation.hand_types import SCHEMES, TypeScheme

__all__ = ["CardTables", "card_tables", "get_scheme", "hand_state", "kernel_types"]


def get_scheme(scheme: int | TypeScheme) -> TypeScheme:
    """A scheme by its number of types, or itself; `ValueError` if there is none."""
    if isinstance(scheme, TypeScheme):
        return scheme
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {scheme!r}: expected one of {', '.join(map(str, SCHEMES))}")
    return SCHEMES[scheme]


@lru_cache(maxsize=16)
def kernel_types(scheme: TypeScheme) -> Types:
    """A scheme as the kernels take it."""
    return Types(scheme.type_of_rank, scheme.busted_class, scheme.pair_class, scheme.wheel)


def hand_state(cards: CardsLike, scheme: int | TypeScheme = 25) -> int:
    """The state of one to five cards, as an index of `TypeScheme.states`.

    Raises
    ------
    ValueError
        If there are not one to five different cards, or there is no such scheme.

    Examples
    --------
    >>> SCHEMES[25].states(4)[hand_state("9s8s7s6s")]
    '9 to J high, straight and flush draw'
    """
    return kernel_types(get_scheme(scheme)).state(card_indices(cards))


@dataclass(frozen=True, eq=False)
class CardTables:
    """Counts over all hands of a deck, and the probabilities that follow.

    Rounds are those of stud, with 2, 3, 4 and 5 cards. States that a round does not have stay empty.

    Attributes
    ----------
    scheme : TypeScheme
    finals : ndarray of int64, shape (types,)
        Hands of five cards by type.
    subsets : ndarray of int64, shape (4, 36, types)
        Pairs of a hand of five cards and its cards of a round, by the state of those cards and the type of the hand.
    rests : ndarray of int64, shape (4, 36, 36)
        Sets of as many cards as a round has and one of them face down, by state of the set and of the rest.
    pairs : ndarray of int64, shape (types, types)
        Ordered pairs of hands that have no card in common.
    """

    scheme: TypeScheme
    finals: Counts
    subsets: Counts
    rests: Counts
    pairs: Counts

    @property
    def final(self) -> Floats:
        """P(type of five cards): float64 (types,)."""
        return np.asarray(self.finals / self.finals.sum())

    @property
    def current(self) -> Floats:
        """P(state in a round | type in the end): float64 (4, 36, types)."""
        return _shares(self.subsets, axis=1)

    @property
    def upcards(self) -> Floats:
        """P(state of the open cards | state): float64 (4, 36, 36), by round, state and state of the open cards."""
        return _shares(self.rests, axis=2)

    @property
    def opponent(self) -> Floats:
        """P(type of one hand | type of the other): float64 (types, types), by the other's type and its own."""
        return _shares(self.pairs, axis=1)


def _shares(counts: Counts, axis: int) -> Floats:
    sums = counts.sum(axis=axis, keepdims=True)
    return np.asarray(counts / np.where(sums > 0, sums, 1))


@lru_cache(maxsize=8)
def _counted(scheme: TypeScheme, deck: tuple[int, ...]) -> CardTables:
    types = kernel_types(scheme)
    current = np.zeros((4, STATES, STATES), dtype=np.int64)
    rests = np.zeros_like(current)
    pairs = np.zeros((types.types, types.types), dtype=np.int64)
    stud_counts.card_tables(types, deck, current, rests, pairs)
    subsets = np.ascontiguousarray(current[:, :, : types.types])
    tables = (subsets[3].sum(axis=0), subsets, rests, pairs)
    for table in tables:
        table.setflags(write=False)
    return CardTables(scheme, *tables)


def card_tables(scheme: int | TypeScheme = 25, deck: CardsLike | Iterable[int] | None = None) -> CardTables:
    """Count all hands of a deck; kept for the next time.

    Parameters
    ----------
    scheme : int or TypeScheme
        9, 17 or 25, or a scheme of your own.
    deck : cards, optional
        At least ten; all 52 without.

    Raises
    ------
    ValueError
        If there is no such scheme, or the deck is too small or has a card twice.

    Examples
    --------
    >>> int(card_tables(9).pairs.sum()) == 2_598_960 * 1_533_939
    True
    """
    cards = tuple(range(N_CARDS)) if deck is None else tuple(sorted(card_indices(deck)))
    return _counted(get_scheme(scheme), cards)
