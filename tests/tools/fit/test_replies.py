"""Fitting replies before the flop."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import class_index
from tools.fit.replies import Reply, likeliest

#: The big blind faces a raise of the button, one of the earliest seats, and a limp of those.
BUTTON, EARLY, LIMP = 11 + 6 * 2 + 1, 11 + 6 * 5 + 1, 2
ALIKE = np.tile(np.log([0.5, 0.3, 0.2]), (169, 1))


def replies(row: int, text: str, acts: list[int]) -> list[Reply]:
    """Replies with a class of holdings, of which the likelihood says always the same."""
    return [Reply(row, np.eye(3)[act], 1.0, class_index(text), ALIKE) for act in acts]


def fitted(*some: list[Reply]) -> np.ndarray:
    forecasts = np.broadcast_to(np.exp(ALIKE), (112, 169, 3))
    return likeliest([each for part in some for each in part], forecasts).odds.astype(float)


def test_of_no_reply_nothing_changes() -> None:
    assert (fitted() == 1).all()


def test_a_table_follows_what_was_done_and_what_is_alike() -> None:
    found = fitted(replies(BUTTON, "87s", 60 * [2] + 20 * [1] + 20 * [0]))
    raised = found[BUTTON, :, 2]
    assert (found[0] == 1).all()
    assert (found[:, :, 0] == 1).all()
    assert raised[class_index("87s")] > 3
    assert raised[class_index("87s")] > raised[class_index("98s")] > raised[class_index("K2o")]
    assert raised[class_index("87s")] > found[BUTTON + 6, class_index("87s"), 2] > 1  # from the seat before the button


def test_holdings_that_are_not_known_count_by_how_likely_they_are() -> None:
    """Those who go on show their hands, those who fold do not: the level is that of all."""
    held = np.zeros(169)
    held[[class_index("AA"), class_index("72o")]] = 0.5
    hidden = [Reply(LIMP, np.eye(3)[0], 1.0, -1, ALIKE, held) for _ in range(60)]
    found = fitted(replies(LIMP, "AA", 20 * [2] + 20 * [1]), hidden)[LIMP]
    alone = fitted(replies(LIMP, "AA", 20 * [2] + 20 * [1]))[LIMP]
    assert found[class_index("72o"), 1] < 0.5 < 1 < alone[class_index("72o"), 1]
    assert alone[class_index("AA"), 2] > found[class_index("AA"), 2] > 1


def test_half_of_what_is_said_of_levels_is_kept_of_raises() -> None:
    counts = np.array([6 if k % 14 == 0 else 4 if k // 13 < k % 13 else 12 for k in range(169)])
    acts, levels = 40 * [2] + 10 * [0], {}
    for row in (LIMP, EARLY):
        found = fitted(*(replies(row, text, acts) for text in ("AA", "KQo", "87s", "72o")))[row]
        chances = np.exp(ALIKE) * found
        fold, _, raise_ = counts @ (chances / chances.sum(axis=1, keepdims=True)) / 1326
        levels[row] = np.log(raise_ / fold) - (ALIKE[0, 2] - ALIKE[0, 0])
    assert levels[EARLY] == pytest.approx(levels[LIMP] / 2, rel=0.15)
    assert levels[EARLY] > 0.3
