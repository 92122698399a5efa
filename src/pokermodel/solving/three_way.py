"""Showdowns of three players: what each holding of one of them wins of the pot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokermodel._core.solver import three_way_shares as shares_of
from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike, card_indices
from pokermodel.weights import WeightTable

__all__ = ["three_way_shares"]


def three_way_shares(board: CardsLike, others: Sequence[WeightTable]) -> Floats:
    """The mean share of the pot of each holding at a showdown against two others.

    The chances against each of them are multiplied, as if they were independent; a pot that is tied is shared. In
    raised pots that is about .003 of the pot too high on average, some .025 at most: the two others share no card, and
    what one of them holds the other does not. Games of three are not solved yet.

    Parameters
    ----------
    board : cards
        Five.
    others : sequence of WeightTable
        The ranges of the two others.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Shares of the pot; nan where a holding is not possible, or one of the others can hold nothing beside it.

    Raises
    ------
    ValueError
        If it is no board of five cards, or there are not two others.

    Examples
    --------
    >>> from pokermodel.cards import holding_index
    >>> others = [WeightTable.from_text("KK,QQ"), WeightTable.from_text("JJ,72o")]
    >>> shares = three_way_shares("Kh8d5c4s2h", others)
    >>> float(shares[holding_index("AsAd")]), float(shares[holding_index("KsKd")])
    (0.6666666666666666, 1.0)
    """
    if len(others) != 2:
        raise ValueError(f"expected the ranges of two others, got {len(others)}")
    first, second = (np.ascontiguousarray(table.values) for table in others)
    return shares_of(card_indices(board), first, second)
