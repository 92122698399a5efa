"""Ranges and tables by class: how large they are, what is likeliest in them, and how they change."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, cards_text
from pokermodel.weights import WeightTable

__all__ = ["class_changes", "class_sums", "range_summary", "top_classes"]


def range_summary(table: WeightTable) -> dict[str, Any]:
    """Count what is in a range.

    Parameters
    ----------
    table : WeightTable
        The range.

    Returns
    -------
    dict
        As JSON has it. ``holdings`` and ``classes`` count those with a weight above 0, ``live_holdings`` and
        ``live_classes`` those without dead cards. In ``weighted_holdings`` a holding counts its weight, or that over
        the largest where this is above 1; ``share`` is this by ``live_holdings``, None if there are none. ``weights``
        has each holding of the range by its text, ``class_weights`` the mean over the live holdings of each class.
    """
    largest = max(1.0, float(table.values.max()))
    weighted = float((table.values / largest).sum())
    live = int(table.live.sum())
    means = table.grid().ravel().tolist()
    known = table.grid_combos().ravel() > 0
    return {
        "dead": cards_text(table.dead),
        "holdings": len(table),
        "live_holdings": live,
        "classes": sum(mean > 0.0 for mean in means),
        "live_classes": int(np.count_nonzero(known)),
        "weighted_holdings": weighted,
        "share": weighted / live if live else None,
        "class_weights": {CLASSES[k]: means[k] for k in range(N_CLASSES) if known[k] and means[k] > 0.0},
        "weights": dict(table),
    }


def class_sums(values: Floats) -> Floats:
    """Sums of values of holdings by class: float64 (169,)."""
    return np.bincount(CLASS_OF_HOLDING, values, minlength=N_CLASSES).astype(np.float64)


def top_classes(table: WeightTable, n: int) -> list[tuple[str, float]]:
    """The `n` most probable classes of holdings and their probabilities, falling."""
    totals = class_sums(table.probabilities())
    return [(CLASSES[k], float(totals[k])) for k in np.argsort(-totals, kind="stable")[:n] if totals[k] > 0]


def class_changes(table: WeightTable, previous: WeightTable) -> Floats:
    """How much more or less probable a holding of every class has become, in bits.

    Parameters
    ----------
    table, previous : WeightTable
        The weights now and before.

    Returns
    -------
    ndarray of float64, shape (169,)
        By class: the binary logarithm of the mean probability of its live holdings now over that before. It is 0 where
        both are 0, and infinite where one of them is.

    Raises
    ------
    ValueError
        If a table has no positive weight.
    """
    now, before = (
        class_sums(one.probabilities()) / np.maximum(one.grid_combos().ravel(), 1) for one in (table, previous)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.log2(now) - np.log2(before)
    bits[(now == 0.0) & (before == 0.0)] = 0.0
    return bits
