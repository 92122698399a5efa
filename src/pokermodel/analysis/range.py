"""A range: how many holdings it has, and what part of all that is."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokermodel.cards import CLASSES, N_CLASSES, cards_text
from pokermodel.weights import WeightTable

__all__ = ["range_summary"]


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
