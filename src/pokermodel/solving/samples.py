"""Samples of cards that stand for all that can be dealt.

A dozen cards are few. Taken evenly by how strong they make a holding, they were eight diamonds where an ace of diamonds
met a flop with two, since cards of one strength stood in the order of their suits; a solution of the sample then says
that the ace is worth more than the pot. So a sample has to be right in three ways: suits come as often as they should;
ranks come about once each, so that a pair is made as often; and the holding that is asked about wins what it should.

Samples are drawn that are right in the first two, and of these the best one by the third is taken. The draws are the
same each time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel.cards import HOLDING_CARDS
from pokermodel.evaluation.ranks import evaluate_many

__all__ = ["dealt_scale", "sampled_cards", "shares_by_card"]

_CARDS, _SUITS = 52, 4
_DRAWN = 256  # samples of which the best is taken
_AGAINST = 120  # holdings that stand for a range in it: the heaviest


def sampled_cards(board: tuple[int, ...], own: tuple[int, ...], weights: Floats, most: int) -> tuple[int, ...]:
    """Draw a sample of the cards that can be dealt.

    Parameters
    ----------
    board : tuple of int
        Three cards or four.
    weights : ndarray of float64, shape (1326,)
        The opponent's range.

    Returns
    -------
    tuple of int
        In rising order.
    """
    left = np.array([card for card in range(_CARDS) if card not in {*board, *own}])
    shares = shares_by_card(board, own, weights, left)
    drawn = _drawn(left, most)
    both = shares[drawn[:, :, None], drawn[:, None, :]]  # 0 for a pair of one card
    off = _moments(both) - _moments(shares[None])
    # what it wins has to be right, how unevenly is the second thing
    best = int(np.argmin(off[0] ** 2 + 0.25 * off[1] ** 2))
    return tuple(sorted(left[drawn[best]].tolist()))


def dealt_scale(
    dealt: tuple[int, ...], board: tuple[int, ...], ranges: tuple[Floats, Floats], before: int = 0
) -> float:
    """The mean number of possible cards for each card of a sample.

    Parameters
    ----------
    ranges : pair of ndarray of float64, shape (1326,)
        Weights of both players' holdings, which have some of the sample.
    """
    some = np.isin(HOLDING_CARDS, dealt).sum(axis=1)
    held = sum(float((weights * some).sum() / weights.sum()) for weights in ranges)
    return (_CARDS - 4 - len(board) - before) / (len(dealt) - held - before)


def shares_by_card(board: tuple[int, ...], own: tuple[int, ...], weights: Floats, left: NDArray[np.intp]) -> Floats:
    """A holding's share of the pot against a range, by the cards to come.

    Returns
    -------
    ndarray of float64, shape (cards, cards)
        By turn and river, 0 on the diagonal. On a turn all columns but the one of the same card are alike.
    """
    n = len(left)
    there = np.where(np.isin(HOLDING_CARDS, [*board, *own]).any(axis=1), 0.0, weights)
    held = np.argsort(-there, kind="stable")[:_AGAINST]
    held = held[there[held] > 0.0]
    first, second = np.triu_indices(n, 1) if len(board) == 3 else (np.arange(n), np.arange(n))
    dealt = left[np.stack([first, second][: 5 - len(board)], axis=1)]
    boards = np.concatenate([np.tile(board, (len(dealt), 1)), dealt], axis=1)
    mine = evaluate_many(np.concatenate([boards, np.tile(own, (len(boards), 1))], axis=1).astype(np.uint8))
    met = np.concatenate([np.repeat(boards, len(held), axis=0), np.tile(HOLDING_CARDS[held], (len(boards), 1))], axis=1)
    hit = (dealt[:, None, :, None] == HOLDING_CARDS[held][None, :, None, :]).any(axis=(2, 3))
    # boards on which a card is there twice are not looked at: any other cards stand in their place
    met[hit.ravel()] = np.concatenate([board, [card for card in range(_CARDS) if card not in board][: 7 - len(board)]])
    theirs = evaluate_many(met.astype(np.uint8)).reshape(len(boards), len(held))
    counted = np.where(hit, 0.0, there[held])
    won = (mine[:, None] > theirs) + 0.5 * (mine[:, None] == theirs)
    total = counted.sum(axis=1)
    share = np.divide((won * counted).sum(axis=1), total, out=np.full(len(boards), 0.5), where=total > 0.0)
    found = np.zeros((n, n))
    if len(board) == 3:
        found[first, second] = found[second, first] = share
    else:
        found[:] = share[:, None]
        np.fill_diagonal(found, 0.0)
    return found


def _moments(shares: Floats) -> Floats:
    """The mean share, and its standard deviation from one turn card to the next: float64 (2, samples)."""
    by_card = shares.sum(axis=2) / (shares.shape[2] - 1)
    return np.stack([by_card.mean(axis=1), by_card.std(axis=1)])


def _drawn(left: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Samples with suits as often as they should come and ranks about once each: places in what is left.

    How many cards of a suit there are is rounded up or down by chance, and in the order of ranks, drawn anew each time,
    each takes a card of the suit of which most are wanted.
    """
    rng = np.random.default_rng(0)
    suits, ranks = left % _SUITS, left // _SUITS
    wanted = np.bincount(suits, minlength=_SUITS) * most / len(left)
    found = np.empty((_DRAWN, most), dtype=np.intp)
    for sample in found:
        places = wanted + rng.random(_SUITS) - 0.5
        free = np.ones(len(left), dtype=bool)
        count = 0
        while count < most:
            for rank in rng.permutation(_CARDS // _SUITS).tolist():
                some = np.flatnonzero(free & (ranks == rank))
                if count == most or not len(some):
                    continue
                taken = some[int(np.argmax(places[suits[some]]))]
                sample[count] = taken
                places[suits[taken]] -= 1.0
                free[taken] = False
                count += 1
    return found
