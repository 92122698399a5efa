"""Ranges and tables by class: how large they are, what is likeliest in them, and how they change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.summaries import HoldingGroups
from pokermodel._support.arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, cards_text
from pokermodel.reading.adaptive.holdings import MADE, made_and_draws
from pokermodel.weights import WeightTable

__all__ = [
    "FEW_GROUPS",
    "FEW_GROUPS_RIVER",
    "GROUPS",
    "RangeShape",
    "class_changes",
    "class_sums",
    "composition",
    "holding_groups",
    "range_summary",
    "top_classes",
    "top_hands",
]

# what two cards are with a board: the first index of `MADE` of each group of made hands, strongest first; draws without
# a pair by the numbers of `made_and_draws`; and what is left
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
_DRAWS = ((3, 6, "flush draw"), (2, 3, "open-ender"), (1, 2, "gutshot"))
_HIGH_CARDS = ("two overcards", "ace high")
#: What two cards are with a board, strongest first: made hands, draws without a pair, high cards, nothing.
GROUPS = (*(name for _, name in _MADE_GROUPS), *(name for *_, name in _DRAWS), *_HIGH_CARDS, "nothing")
#: The same in fewer words, by which ranges are compared in a row: each with those of `GROUPS` that it stands for. On
#: the river, where nothing is a draw any more, made hands are told apart instead.
FEW_GROUPS = (
    ("set+", GROUPS[:4]),
    ("two pair", ("two pair",)),
    ("overpair", ("overpair",)),
    ("top pair", ("top pair",)),
    ("lower pair", ("middle pair", "low pair")),
    ("flush draw", ("flush draw",)),
    ("straight draw", ("open-ender", "gutshot")),
    ("air", (*_HIGH_CARDS, "nothing")),
)
FEW_GROUPS_RIVER = (
    ("full house+", GROUPS[:1]),
    ("flush", ("flush",)),
    ("straight", ("straight",)),
    ("three of a kind", ("three of a kind",)),
    *FEW_GROUPS[1:5],
    FEW_GROUPS[-1],
)


# hands whose suits do not matter, and that of each holding: "AK" for AKs and AKo
_HANDS = tuple(dict.fromkeys(name[:2] for name in CLASSES))
_BY_HAND = HoldingGroups(
    np.array([_HANDS.index(name[:2]) for name in CLASSES])[CLASS_OF_HOLDING].astype(np.uint8), len(_HANDS)
)
_BY_CLASS = HoldingGroups(CLASS_OF_HOLDING.astype(np.uint8), N_CLASSES)


@dataclass(frozen=True, slots=True)
class RangeShape:
    """A range, in a few numbers."""

    tops: tuple[tuple[str, float], ...]  #: The likeliest hands, as `top_hands` has them.
    #: What it makes with the board, as `composition` has it; empty before the flop.
    composition: tuple[tuple[str, float], ...]
    river: bool = False  #: Whether the board is complete.

    @classmethod
    def of(cls, table: WeightTable, board: tuple[int, ...], most: int = 8) -> Self | None:
        """The shape of a range on a board, with so many of its likeliest hands; None where no holding is left."""
        if not table.possible:
            return None
        parts = composition(table, board) if board else ()
        return cls(tuple(top_hands(table, most)), tuple(parts), len(board) == 5)

    def few(self) -> list[tuple[str, float]]:
        """The composition by `FEW_GROUPS`, or on the river by `FEW_GROUPS_RIVER`: all of them, 0 among them."""
        shares = dict(self.composition)
        groups = FEW_GROUPS_RIVER if self.river else FEW_GROUPS
        return [(name, sum(shares.get(each, 0.0) for each in parts)) for name, parts in groups]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; without a composition before the flop."""
        return {
            "top_hands": [{"hand": name, "probability": p} for name, p in self.tops],
            "composition": dict(self.composition) or None,
        }


def range_summary(table: WeightTable) -> dict[str, Any]:
    """Count what is in a range, as JSON has it.

    ``holdings`` and ``classes`` count those with a weight above 0, ``live_holdings`` and ``live_classes`` those without
    dead cards. In ``weighted_holdings`` a holding counts its weight, or that over the largest where this is above 1;
    ``share`` is this by ``live_holdings``, None if there are none. ``weights`` has each holding of the range by its
    text, ``class_weights`` the mean over the live holdings of each class.
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
    return np.array(_BY_CLASS.sums(np.ascontiguousarray(values, dtype=np.float64)))


def top_classes(table: WeightTable, n: int) -> list[tuple[str, float]]:
    """The `n` most probable classes of holdings and their probabilities, falling; of equal ones, the earlier first."""
    return table.fixed.largest_sums(n, _BY_CLASS, CLASSES)


def top_hands(table: WeightTable, n: int) -> list[tuple[str, float]]:
    """The `n` most probable hands and their probabilities, falling: suited and offsuit together, as ``"AK"``."""
    return table.fixed.largest_sums(n, _BY_HAND, _HANDS)


def _groups_of_pairs() -> NDArray[np.int8]:
    """The group of each pair of what a holding makes and what it draws to, as `made_and_draws` numbers them."""
    made, draws = (each.ravel() for each in np.indices((len(MADE), _DRAWS[0][1])))
    inside = [made >= least for least, _ in _MADE_GROUPS]
    inside += [(draws >= least) & (draws < most) for least, most, _ in _DRAWS]
    inside += [made == MADE.index(name) for name in _HIGH_CARDS]
    found = np.select(inside, range(len(inside)), len(inside)).astype(np.int8)
    return found.reshape(len(MADE), -1)


_GROUP_OF = _groups_of_pairs()


@lru_cache(64)  # a board is there for several acts
def holding_groups(board: tuple[int, ...]) -> NDArray[np.int8]:
    """The made hand or draw of each holding, as an index into `GROUPS`: int8, shape (1326,), -1 if impossible.

    What the board makes by itself does not count. A holding is in the first group that it belongs to: a draw is one
    without a pair. The array is read-only: others are given the same one.

    Raises
    ------
    ValueError
        If it is no board of three to five cards.
    """
    made, draws = made_and_draws(board)
    found = _GROUP_OF[made, draws]
    found[made < 0] = -1
    found.flags.writeable = False
    return found


def composition(table: WeightTable, board: tuple[int, ...]) -> list[tuple[str, float]]:
    """The composition of a range on a board: made hands, then draws, high cards and nothing, each with its share.

    Holdings that the board rules out do not count. Groups have the names of `GROUPS`, and shares above 0, strongest
    first; together 1.

    Raises
    ------
    ValueError
        If no holding is left, or it is no board of three to five cards.
    """
    sums = np.array(table.fixed.sums(_places(board))[:-1])
    whole = float(sums.sum())
    if not whole:
        raise ValueError(f"no holding of the range is possible on {cards_text(board)}")
    return [(name, share) for name, share in zip(GROUPS, (sums / whole).tolist(), strict=True) if share > 0.0]


@lru_cache(64)
def _places(board: tuple[int, ...]) -> HoldingGroups:
    """The groups; those that are not possible come after all others."""
    groups = holding_groups(board)
    return HoldingGroups(np.where(groups < 0, len(GROUPS), groups).astype(np.uint8), len(GROUPS) + 1)


def class_changes(table: WeightTable, previous: WeightTable) -> Floats:
    """How much more or less probable a holding of every class has become since the previous table, in bits.

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
    now, before = (class_sums(one.shares) / np.maximum(one.grid_combos().ravel(), 1) for one in (table, previous))
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.log2(now) - np.log2(before)
    bits[(now == 0.0) & (before == 0.0)] = 0.0
    return bits
