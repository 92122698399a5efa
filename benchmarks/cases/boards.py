"""Boards of every kind, in turn."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, cycle

from pokermodel.cards import card_indices
from pokermodel.evaluation import counts_cache

KINDS = ("rainbow", "two-tone", "monotone", "paired", "trips")


def keep_no_counts() -> None:
    """Turn the package's memory of boards off: what is called a first range must be one."""
    counts_cache.resize(0)


def flops(kind: str, apart_from: str = "") -> Iterator[tuple[int, ...]]:
    """Flops of one kind without end, no two of a round alike up to suits.

    There are 286 or more but for trips, of which there are 13.
    """
    suits = {"rainbow": (0, 1, 2), "two-tone": (0, 0, 1), "monotone": (0, 0, 0)}.get(kind, (0, 1, 2))
    if kind == "paired":
        ranks = [(pair, pair, kicker) for pair in range(13) for kicker in range(13) if kicker != pair]
    elif kind == "trips":
        ranks = [(rank, rank, rank) for rank in range(13)]
    else:
        ranks = list(combinations(range(13), 3))
    gone = set(card_indices(apart_from))
    boards = [tuple(4 * rank + suit for rank, suit in zip(three, suits, strict=True)) for three in ranks]
    boards = [board for board in boards if not gone & set(board)]
    random.Random(1).shuffle(boards)
    return cycle(boards)


def longer_boards(cards: int) -> Iterator[tuple[int, ...]]:
    """Random turns (4) or rivers (5) without end; a thousand of them."""
    rng = random.Random(cards)
    return cycle([tuple(rng.sample(range(52), cards)) for _ in range(1000)])
