"""Cards of players who folded: what is likely to be gone is rarer in both ranges, and comes more rarely.

The exact weight of a pair of holdings is the chance that no folded player holds any of its cards, which is not a
product of two weights. A solver takes a weight for each holding of each player. So the weights are chosen such that
each holding of both players has the right total over all holdings of the other. The probability of a dealt card is the
chance that no folded player has it, scaled so that over all pairs they sum to 1. Correlations of two holdings, and of
holdings with later cards, are neglected.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokermodel._support.arrays import Floats, Integers
from pokermodel.cards import N_HOLDINGS, holding_cards
from pokermodel.weights import WeightTable

__all__ = ["beside", "card_chances", "pair_chances"]

_CARDS = 52
_ROUNDS = 8  # of fitting: the factors are steady to four digits after half of them
_CARDS_OF = np.array([holding_cards(holding) for holding in range(N_HOLDINGS)], dtype=np.intp)


def _by_card(values: Floats) -> Floats:
    """How much of a table has each card: float64 (52,)."""
    return np.bincount(_CARDS_OF.ravel(), np.repeat(values, 2), minlength=_CARDS).astype(np.float64)


def _gone(values: Floats) -> Floats:
    """How much of a table that sums to 1 has a card of each holding: float64 (1326,)."""
    found: Floats = _by_card(values)[_CARDS_OF].sum(axis=1) - values
    return found


def _apart(folded: Sequence[WeightTable]) -> list[Floats]:
    """The tables, each by what the others leave of it, since they share no card either: they sum to 1."""
    tables = [np.asarray(table.values) / table.total for table in folded]
    found = []
    for k, values in enumerate(tables):
        left = values.copy()
        for other in (*tables[:k], *tables[k + 1 :]):
            left *= np.maximum(1.0 - _gone(other), 0.0)
        found.append(left / left.sum() if left.sum() > 0 else values)
    return found


def pair_chances(folded: Sequence[WeightTable], first: Integers, second: Integers) -> Floats:
    """The chance that players who folded have left both of two holdings: float64 (first, second).

    Each of them by themselves, by what the others who folded leave of their table.
    """
    found = np.ones((len(first), len(second)))
    for values in _apart(folded):
        gone = _gone(values)  # of who folded, what has a card of a holding
        both = np.zeros((_CARDS, _CARDS))  # and what has two cards
        both[_CARDS_OF[:, 0], _CARDS_OF[:, 1]] = both[_CARDS_OF[:, 1], _CARDS_OF[:, 0]] = values
        of_first = both[_CARDS_OF[first, 0]] + both[_CARDS_OF[first, 1]]
        shared = of_first[:, _CARDS_OF[second, 0]] + of_first[:, _CARDS_OF[second, 1]]
        found *= np.maximum(1.0 - gone[first][:, None] - gone[second][None, :] + shared, 0.0)
    return found


def beside(folded: Sequence[WeightTable], weights: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Factors of the weights of two players that account for players who folded.

    The factors are those with which each holding has the weight, over all that the other player can hold beside it,
    that the chances of the pairs give it: proportions are fitted to both players in turn.

    Parameters
    ----------
    weights : pair of ndarray of float64, each of shape (1326,)

    Returns
    -------
    pair of ndarray of float64, each of shape (1326,)
        1 where a holding has no weight.
    """
    held = [np.flatnonzero(each > 0) for each in weights]
    own = [each[some] for each, some in zip(weights, held, strict=True)]
    cards = [_CARDS_OF[some] for some in held]
    apart = np.ones((len(held[0]), len(held[1])))
    for i in range(2):
        for j in range(2):
            apart[cards[0][:, i][:, None] == cards[1][:, j][None, :]] = 0.0
    wanted = apart * pair_chances(folded, *held)
    sums = wanted @ own[1], own[0] @ wanted
    factors = [np.ones(len(some)) for some in held]
    for _ in range(_ROUNDS):
        for player in range(2):
            others = own[1 - player] * factors[1 - player]
            there = others @ apart if player else apart @ others
            factors[player] = np.divide(sums[player], there, out=np.zeros_like(there), where=there > 0)
    found = np.ones(N_HOLDINGS), np.ones(N_HOLDINGS)
    for each, some, factor in zip(found, held, factors, strict=True):
        each[some] = factor / max(factor.max(), 1e-300)
    return found


def card_chances(folded: Sequence[WeightTable], board: Sequence[int], weights: Sequence[Floats]) -> Floats:
    """How much likelier each card is dealt than if all were alike: float64 (52,).

    Parameters
    ----------
    board : sequence of int
        The cards on the board; their factor is 1.
    weights : pair of ndarray of float64, each of shape (1326,)
        Weights of the two players' holdings; the mean over them sums to 1.
    """
    found = np.ones(_CARDS)
    for values in _apart(folded):
        found *= 1.0 - _by_card(values)
    found = np.maximum(found, 0.0)
    held = sum(_by_card(each) / each.sum() for each in weights)
    there = np.isin(np.arange(_CARDS), board)
    left = float((found * (1.0 - held))[~there].sum())
    found *= (_CARDS - 4 - len(board)) / left
    found[there] = 1.0
    return found
