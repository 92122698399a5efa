"""Shares of the pot of a known holding against each other holding: equity against any range is their mean.

They depend on no range, so that one row serves all opponents, and all that happens on a street. Before the flop, where
a row takes 20 milliseconds to count out, all of them ship with the package (``data/preflop_shares.bin``, which
``tools/preflop_shares.py`` writes).
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from importlib import resources
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.matchups import Matchups
from pokermodel._core.summaries import fill_preflop_shares
from pokermodel._support.arrays import Floats
from pokermodel.cards import (
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    HOLDINGS_OF_CLASS,
    N_CLASSES,
    N_HOLDINGS,
    CardsLike,
    card_indices,
    cards_text,
    holding_index,
    shared_live_holdings,
)
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import BOARD_CARDS

__all__ = ["holding_shares", "suit_orders"]

_REPRESENTATIVES: NDArray[np.int64] = np.array([of[0] for of in HOLDINGS_OF_CLASS], dtype=np.int64)
_CLASSES: NDArray[np.int64] = CLASS_OF_HOLDING.astype(np.int64)


@cache
def suit_orders() -> NDArray[np.int64]:
    """The number of each holding with other names of suits: int64 (24, 1326)."""
    orders = np.array(list(permutations(range(4))))
    cards = 4 * (HOLDING_CARDS // 4) + orders[:, HOLDING_CARDS % 4]
    high, low = cards.max(axis=2).astype(np.int64), cards.min(axis=2).astype(np.int64)
    return np.ascontiguousarray(high * (high - 1) // 2 + low)


def read_told() -> NDArray[np.uint32]:
    """The array that ships with the package, as `fill_preflop_shares` takes it."""
    packed = resources.files("pokermodel").joinpath("data", "preflop_shares.bin").read_bytes()
    planes = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(3, -1).astype(np.uint32)
    told: NDArray[np.uint32] = planes[0] | planes[1] << np.uint32(8) | planes[2] << np.uint32(16)
    return told


@cache
def _preflop() -> Floats:
    """Shares before the flop: float64 (169, 1326), by class of the holding, of which the first one is meant."""
    table = np.empty((N_CLASSES, N_HOLDINGS))
    fill_preflop_shares(read_told(), _REPRESENTATIVES, _CLASSES, suit_orders(), table)
    return table


@lru_cache(128)  # a holding is asked about at all its decisions on a street
def _shares(holding: int, board: tuple[int, ...]) -> Floats:
    found: Floats
    if not board:
        of = _CLASSES[holding]
        order = np.flatnonzero(suit_orders()[:, holding] == _REPRESENTATIVES[of])[0]
        found = _preflop()[of][suit_orders()[order]]
    elif len(board) < 5:
        found = np.empty(N_HOLDINGS)
        Matchups(board).against(holding, found)
    else:
        others = np.flatnonzero(shared_live_holdings((*board, *HOLDING_CARDS[holding].tolist())))
        hands = np.empty((len(others) + 1, 7), dtype=np.uint8)
        hands[:, :5], hands[:-1, 5:], hands[-1, 5:] = board, HOLDING_CARDS[others], HOLDING_CARDS[holding]
        ranks = evaluate_many(hands)
        found = np.zeros(N_HOLDINGS)
        found[others] = (ranks[:-1] < ranks[-1]) + 0.5 * (ranks[:-1] == ranks[-1])
    found.flags.writeable = False
    return found


def holding_shares(holding: CardsLike, board: CardsLike = ()) -> Floats:
    """Mean share of the pot of a holding against each other one, if both stay to the end; exact.

    Raises `ValueError` if a card is not valid or occurs twice, or the board has another number of cards.

    Parameters
    ----------
    board : cards
        None, three, four or five.

    Returns
    -------
    ndarray of float64, shape (1326,)
        0 for holdings that have a card of it or of the board. It is read-only: others are given the same one.

    Examples
    --------
    >>> round(float(holding_shares("AsAh")[holding_index("KdKc")]), 4)
    0.8126
    """
    cards, own = card_indices(board), holding_index(holding)
    card_indices((*cards, *HOLDING_CARDS[own].tolist()))  # no card twice
    if len(cards) not in BOARD_CARDS:
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, got {len(cards)}: {cards_text(cards)!r}")
    return _shares(own, cards)
