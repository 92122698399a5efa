"""Belief over single cards, and the probability of winning by enumeration: what the networks approximate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core.stud_counts import win_by_cards
from pokermodel.cards import N_CARDS, CardsLike, card_indices
from pokermodel.evaluation.hand_types import SCHEMES
from pokermodel.stud.tables import kernel_types

__all__ = ["exact_win", "read_cards"]

Floats = NDArray[np.float64]


def read_cards(
    own: CardsLike, up: CardsLike, acts: Sequence[tuple[int, int, int]], table: ArrayLike, scheme: int = 25
) -> Floats:
    """Belief over the opponent's card face down.

    Parameters
    ----------
    own, up : cards
        Our two to five cards, and what he shows, one card less.
    acts : sequence of (round, situation, kind of act)
        What he did so far, in rows and columns of `table`.
    table : array_like of float, shape (situations, 36, kinds of acts)
        What he does, by the state of his cards at the time.
    scheme : int
        Of the states.

    Returns
    -------
    ndarray of float64, shape (52,)
        Probabilities; 0 for cards that are seen.

    Raises
    ------
    ValueError
        If cards or acts are not possible.
    """
    ours, shown = card_indices(own), card_indices(up)
    if set(ours) & set(shown) or len(shown) != len(ours) - 1:
        raise ValueError(f"{len(ours)} cards and {len(shown)} different ones that show do not go together")
    types, values = kernel_types(SCHEMES[scheme]), np.asarray(table, dtype=np.float64)
    rounds, (situations, _, kinds) = len(shown), values.shape
    for number, (round, situation, kind) in enumerate(acts):
        if not (0 <= round < rounds and 0 <= situation < situations and 0 <= kind < kinds):
            raise ValueError(
                f"act {number} is {(round, situation, kind)}: expected a round 0 to {rounds - 1}, a situation 0 to"
                f" {situations - 1} and an act 0 to {kinds - 1}"
            )
    belief = np.ones(N_CARDS)
    belief[[*ours, *shown]] = 0
    for card in np.flatnonzero(belief):
        for round, situation, kind in acts:
            belief[card] *= values[situation, types.state([int(card), *shown[: round + 1]]), kind]
    total = belief.sum()
    if not total > 0:
        raise ValueError("the acts are impossible with every card")
    return np.asarray(belief / total)


def exact_win(own: CardsLike, up: CardsLike, belief: ArrayLike, deck: CardsLike | None = None) -> float:
    """Probability of winning, ties half, by enumerating all cards that can come: no types, no networks.

    Parameters
    ----------
    own, up : cards
        Our two to five cards, and what the opponent shows, one card less.
    belief : array_like of float, shape (52,)
        How likely each card is the one that he has face down: `read_cards`.
    deck : cards, optional
        All cards of the game.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If cards or belief are not possible.
    """
    cards = list(range(N_CARDS)) if deck is None else card_indices(deck)
    return win_by_cards(card_indices(own), card_indices(up), np.asarray(belief, dtype=np.float64), cards)
