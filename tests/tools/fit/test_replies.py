"""Fitting replies to limps."""

from __future__ import annotations

import numpy as np

from pokermodel.cards import class_index
from tools.fit.replies import Reply, likeliest

EARLY, LATE = 2, 5  # the big blind faces a limp
ALIKE = np.tile(np.log([0.5, 0.3, 0.2]), (169, 1))


def replies(row: int, acts: list[int], *texts: str) -> list[Reply]:
    """Replies with one of some classes, of all of which the likelihood says the same."""
    held = np.zeros(169)
    held[[class_index(text) for text in texts]] = 1 / len(texts)
    return [Reply(row, act, 1.0, ALIKE, held) for act in acts]


def fitted(*some: list[Reply]) -> np.ndarray:
    return likeliest([each for part in some for each in part]).astype(float)


def test_of_no_reply_nothing_changes() -> None:
    assert (fitted() == 1).all()


def test_a_table_follows_what_was_done_and_what_is_alike() -> None:
    found = fitted(replies(EARLY, 60 * [2] + 20 * [1] + 20 * [0], "87s"))
    raised = found[EARLY, :, 2]
    assert (found[0] == 1).all()
    assert (found[:, :, 0] == 1).all()
    assert raised[class_index("87s")] > 2
    assert raised[class_index("87s")] > raised[class_index("98s")] > raised[class_index("K2o")]
    assert raised[class_index("87s")] > found[LATE, class_index("87s"), 2] > 1


def test_holdings_that_are_not_known_count_by_how_likely_they_are() -> None:
    """Those who go on show their hands, those who fold do not: the level is that of all."""
    shown = replies(EARLY, 20 * [2] + 20 * [1], "AA")
    found, alone = fitted(shown, replies(EARLY, 60 * [0], "AA", "72o"))[EARLY], fitted(shown)[EARLY]
    assert found[class_index("72o"), 1] < 0.6 < 1 < alone[class_index("72o"), 1]
    assert alone[class_index("AA"), 2] > found[class_index("AA"), 2] > 1
