"""The statistics of a book: which are to be counted again, and that they then are as if they had always been there."""

from __future__ import annotations

import random
from pathlib import Path

from pokermodel.learning.definitions import Statistic, other_statistics, registry
from pokermodel.library import Book
from tests.common.books import rows
from tests.common.random_hands import wild_hand

HANDS = [wild_hand(random.Random(seed), seed) for seed in range(24)]


def big_raise(least: int) -> Statistic:
    return Statistic("big_raise", "Big raise", "large / raises", "raises", f"size > {least}", streets=(1,))


def test_a_new_statistic_is_filled_from_the_hands(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    with Book(path) as book:
        book.add(HANDS[:12])
        assert book.statistics.to_fill == book.statistics.to_learn_again == ()
    with other_statistics(*registry(), big_raise(60)), Book(path) as book:
        book.add(HANDS[12:])
        assert book.statistics.to_fill == book.statistics.to_learn_again == ("big_raise",)
        assert book.statistics.fill(HANDS[:12]) == 12
        assert book.statistics.to_fill == ("big_raise",)  # of the others nobody knows
        assert book.statistics.fill(HANDS) == len(HANDS)
        assert book.statistics.to_fill == ()
        found = rows(book)
        with Book("sqlite://") as other:
            other.add(HANDS)
            assert rows(other) == found
        assert len(book.columns.seats["did_0"])
    with other_statistics(*registry(), big_raise(20)), Book(path) as book:
        assert book.statistics.to_fill == ("big_raise",)
