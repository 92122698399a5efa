"""Ranges and tables by class: how large they are, what is likeliest in them, and how they change."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, cards_text
from pokermodel.reading.adaptive.holdings import MADE, made_and_draws
from pokermodel.weights import WeightTable

__all__ = [
    "class_changes",
    "class_sums",
    "composition",
    "range_share",
    "range_summary",
    "top_classes",
    "top_hands",
]

# what a range is made of, strongest first: the first index of `MADE` of each group of made hands
_MADE_GROUPS = (
    (MADE.index("a full house or better"), "full house or better"),
    (MADE.index("a flush"), "flush"),
    (MADE.index("a straight"), "straight"),
    (MADE.index("three of a kind"), "three of a kind"),
    (MADE.index("two pair"), "two pair"),
    (MADE.index("an overpair"), "overpair"),
    (MADE.index("top pair"), "top pair"),
    (MADE.index("a middle pair"), "middle pair"),
    (MADE.index("a low pair"), "low pair"),
)
_DRAWS = ((3, 6, "flush draw"), (2, 3, "open straight draw"), (1, 2, "gutshot"))  # without a pair


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


def top_hands(table: WeightTable, n: int) -> list[tuple[str, float]]:
    """The `n` most probable hands and their probabilities, falling: suited and offsuit together, as ``"AK"``."""
    totals: dict[str, float] = {}
    for name, total in zip(CLASSES, class_sums(table.probabilities()).tolist(), strict=True):
        totals[name[:2]] = totals.get(name[:2], 0.0) + total
    falling = sorted(totals.items(), key=lambda each: -each[1])
    return [(name, total) for name, total in falling[:n] if total > 0]


def range_share(table: WeightTable) -> float:
    """How wide a range is: as a share of all live holdings, by how many equally likely ones it is as uncertain as.

    The number is two to the power of the entropy in bits, its perplexity: 1 where all live holdings are equally likely,
    and where some are and the others are not possible, the share of these.

    Raises
    ------
    ValueError
        If every weight is 0.
    """
    return float(2.0 ** table.entropy_bits()) / int(table.live.sum())


def composition(table: WeightTable, board: tuple[int, ...]) -> list[tuple[str, float]]:
    """What a range makes with a board: groups of made hands, then draws, then nothing, each with its share.

    What the board makes by itself does not count. A holding is in the first group that it belongs to: a draw is one
    without a pair.

    Parameters
    ----------
    table : WeightTable
        The range.
    board : tuple of int
        Three to five card indices.

    Returns
    -------
    list of (str, float)
        Shares that are above 0, strongest first; together 1.

    Raises
    ------
    ValueError
        If every weight is 0, or it is no board.
    """
    shares = table.probabilities()
    made, draws = made_and_draws(board)
    left = made >= 0
    found = []
    for least, name in _MADE_GROUPS:
        found.append((name, left & (made >= least)))
        left = left & (made < least)
    for least, most, name in _DRAWS:
        inside = left & (draws >= least) & (draws < most)
        found.append((name, inside))
        left = left & ~inside
    for name in ("two overcards", "ace high"):
        inside = left & (made == MADE.index(name))
        found.append((name, inside))
        left = left & ~inside
    found.append(("nothing", left))
    told = [(name, float(shares[inside].sum())) for name, inside in found]
    return [(name, share) for name, share in told if share > 0.0]


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
