"""Flops: all of them but for names of suits, and small weighted subsets that stand for all.

A subset was chosen so that weighted means over it are near those over all flops for many functions at once: the worth
of each of the 169 hands, how uneven it is, suits, pairs, ranks, straights (``tools/flop_subsets.py``). Its error is in
the documentation.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from itertools import combinations, permutations

from pokermodel.cards import cards_text

__all__ = ["FLOPS", "FLOP_SUBSETS", "all_flops", "flop_subset", "usual_flop"]

FLOPS = 22_100  #: flops of 52 cards
FLOP_SUBSETS = (25, 49, 95, 184)  #: flops of each subset


def usual_flop(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The first of the flops that differ from one by names of suits or order, highest rank first.

    Examples
    --------
    >>> from pokermodel.cards import card_indices, cards_text
    >>> cards_text(usual_flop(card_indices("2h7hQs")))
    'Qc7d2d'
    """
    return min(
        tuple(sorted((4 * (card // 4) + names[card % 4] for card in cards), key=lambda card: (-(card // 4), card)))
        for names in permutations(range(4))
    )


@cache
def all_flops() -> dict[str, int]:
    """The 1,755 flops that differ by more than names of suits, and how many of the 22,100 each stands for."""
    found: dict[str, int] = {}
    for cards in combinations(range(52), 3):
        name = cards_text(usual_flop(cards))
        found[name] = found.get(name, 0) + 1
    return found


@cache
def flop_subset(number: int) -> dict[str, int]:
    """A subset: its flops, and how many of the 22,100 each stands for.

    Raises
    ------
    ValueError
        If there is none with so many flops.

    Examples
    --------
    >>> sum(flop_subset(25).values())
    22100
    """
    if isinstance(number, bool) or number not in FLOP_SUBSETS:
        raise ValueError(f"flops must be {', '.join(map(str, FLOP_SUBSETS))}, got {number!r}")
    text = resources.files("pokermodel").joinpath("data", "flop_subsets.csv").read_text(encoding="utf-8")
    rows = (line.split(",") for line in text.splitlines()[1:])
    return {flop: int(weight) for size, flop, weight in rows if int(size) == number}
