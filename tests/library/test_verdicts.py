"""Verdicts as a book keeps them, beside its hands."""

from __future__ import annotations

import pokermodel as pm
from pokermodel.library import Book
from pokermodel.library.book import StoredVerdict
from tests.common.desk import lay


def verdict(hand, loss: float, action: int = 1, stamp: str = "r one") -> StoredVerdict:
    words = "mistake", loss, 0.0, 9.0, "fold", "exact"
    return StoredVerdict("pokerstars", hand.id, action, stamp, *words, b"")


def test_verdicts_on_hands_follow_hands_and_verdicts(database, tmp_path):
    lay(tmp_path)
    hands = list(pm.open_hands(tmp_path / "no-limit.txt"))[:6]
    with Book(database) as book, Book(database) as other:

        def found() -> list[tuple[int, float]]:
            kept = book.verdicts.on_hands("r one")
            assert kept.hands.tolist() == sorted(kept.hands.tolist())
            return [(row, each.loss) for row, each in zip(kept.hands.tolist(), kept.rows, strict=True)]

        assert found() == []
        book.add(hands[:3])
        other.verdicts.put([verdict(hands[1], 2.0), verdict(hands[4], 3.0)])  # one of a hand that is not there yet
        assert found() == [(1, 2.0)]
        kept = book.verdicts.on_hands("r one")
        kept.memo["worked out"] = 1
        book.add(hands[3:4])  # without a verdict: what was worked out stands
        assert book.verdicts.on_hands("r one").memo == {"worked out": 1}
        other.add(hands[4:])
        assert found() == [(1, 2.0), (4, 3.0)]
        assert not book.verdicts.on_hands("r one").memo
        other.verdicts.put([verdict(hands[1], 5.0), verdict(hands[0], 1.0, 2), verdict(hands[0], 1.0, 2, "q two")])
        assert found() == [(0, 1.0), (1, 5.0), (4, 3.0)]
        assert book.verdicts.on_hands("r one").stamps == {"r one": 3, "q two": 1}


def test_whole_verdicts_stand_in_the_order_of_the_question(tmp_path):
    lay(tmp_path)
    first, second = list(pm.open_hands(tmp_path / "no-limit.txt"))[:2]
    rows = [verdict(second, 1.0), verdict(first, 2.0, 2), verdict(first, 3.0), verdict(first, 3.0, stamp="r two")]
    with Book("sqlite://") as book:
        book.verdicts.put(rows)
        assert book.verdicts.whole([rows[3], rows[0], rows[2]]) == [rows[3], rows[0], rows[2]]
        assert book.verdicts.whole([verdict(second, 1.0, 2), rows[1]]) == [rows[1]]
        assert book.verdicts.whole([]) == []
