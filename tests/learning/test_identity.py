"""What tells a hand from all others."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.learning.identity import identity
from pokermodel.library import Learnt
from tests.common import books
from tests.common.books import HANDS, STATISTICS


def test_identity_is_of_the_hand_not_of_the_file():
    hand = HANDS[0]
    parts = list(hand._content())
    moved = pm.Hand("another folder", *parts[1:])
    assert identity(moved) == identity(hand)
    renamed = [pm.Hand("phh", name, *parts[2:]) for name in ("a", "b", "7", "8")]
    assert len({identity(each) for each in renamed}) == 3
    assert len({identity(each) for each in HANDS}) == len(HANDS)


def test_an_identity_is_for_ever():
    """A change here would have every hand learnt a second time."""
    assert identity(pm.example_hand()).hex() == "3224823d5e29169706e56583c363bc1d"


@pytest.mark.parametrize("batch", [1, 2, 10])
def test_the_first_of_copies_is_learnt(monkeypatch, batch):
    # the same hand at a site of anonymous tables, kept by two players
    hand = HANDS[3]
    parts = hand.spec, hand.players, hand.actions, hand.board, hand.holdings
    first = pm.Hand("bovada", "1", *parts)
    second = pm.Hand("bovada", "1", hand.spec, ("Xia", "Yul", "Zoe"), *parts[2:])
    assert identity(first) == identity(second)
    books.in_batches_of(batch, monkeypatch)
    book = books.empty_book()
    assert book.learn([first, second], kinds=STATISTICS) == Learnt(1, 1)
    assert set(book) == set(hand.players)


def test_a_hand_that_is_no_hand_has_an_identity():
    """It is refused when it is replayed, with all others that are wrong."""
    parts = list(HANDS[0]._content())
    broken = pm.Hand(*parts[:7], [1.5, 2.5, 3.5])
    with pm.Book("sqlite://") as book:
        skipped = []
        assert book.learn([broken, HANDS[0]], kinds=STATISTICS, skipped=skipped) == Learnt(1, 0)
        assert len(skipped) == 1
