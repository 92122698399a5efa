"""Belief over single cards, and the probability of winning by enumeration: what the networks approximate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokermodel._core.stud_counts import win_by_cards
from pokermodel.cards import N_CARDS, CardsLike, card_indices
from pokermodel.classics.stud.tables import kernel_types
from pokermodel.evaluation.hand_types import SCHEMES

__all__ = ["exact_win", "read_cards"]

Floats = NDArray[np.float64]


def read_cards(
    own: CardsLike, up: CardsLike, acts: Sequence[tuple[int, int, int]], table: ArrayLike, scheme: int = 25
) -> Floats:
    """Return the belief about the opponent's card face down.

    Parameters
    ----------
    own, up : cards
        The player's two to five cards, and the opponent's cards face up, one card fewer.
    acts : sequence of (round, situation, kind of act)
        Acts of the opponent so far, with their rows and columns of `table`.
    table : array_like of float, shape (situations, 36, kinds of acts)
        P(act | situation, state) of the opponent.
    scheme : int
        Scheme of the states.

    Returns
    -------
    ndarray of float64, shape (52,)
        Probability of each card; 0 for cards that are seen.

    Raises
    ------
    ValueError
        If the cards or acts are impossible.
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
    """Return the probability of winning, ties half, over all cards that can come, without types or networks.

    Parameters
    ----------
    own, up : cards
        The player's two to five cards, and the opponent's cards face up, one card fewer.
    belief : array_like of float, shape (52,)
        How likely each card is the opponent's card face down, as by `read_cards`.
    deck : cards, optional
        All cards of the game, by default 52.

    Raises
    ------
    ValueError
        If the cards or the belief are impossible.
    """
    cards = list(range(N_CARDS)) if deck is None else card_indices(deck)
    return win_by_cards(card_indices(own), card_indices(up), np.asarray(belief, dtype=np.float64), cards)
