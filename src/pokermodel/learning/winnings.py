"""A player's winnings: after the rake, with the EV of all-ins beside it, per hundred hands, and over their hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.learning.profile import Figure, Profile

__all__ = ["POINTS", "Winnings", "WinningsPoint", "winnings_course"]

#: How many points the course of winnings has at most, after the first.
POINTS = 200
_KEYS = ("small_bets", "big_blinds")


@dataclass(frozen=True, slots=True)
class Winnings:
    """A player's winnings in one betting structure, in small bets, or in big blinds where bets have sizes.

    Attributes
    ----------
    unit : str
        ``"small bets"`` or ``"big blinds"``.
    short : str
        ``"sb"`` or ``"bb"``.
    net : float
        Won, after the rake.
    rake : float
        The player's part of the rake: in proportion to the money that they collected.
    unstated_rakes : int
        Hands whose rake is not stated; what was won in them is before it.
    all_in_ev : float
        The same as `net`, but of all-ins what they were worth when the last money went in.
    all_ins, unknown_all_ins : int
        All-ins of the player with cards to come; and those in which the cards of somebody are not known, which count
        with what was won.
    per_100, ev_per_100 : Figure
        `net` and `all_in_ev` for 100 hands, with t intervals of 95%.
    """

    unit: str
    short: str
    hands: int
    net: float
    rake: float
    unstated_rakes: int
    all_in_ev: float
    all_ins: int
    unknown_all_ins: int
    per_100: Figure
    ev_per_100: Figure

    @classmethod
    def of(cls, profile: Profile) -> Winnings:
        """Those of a profile."""
        fixed, totals = profile.structure.fixed, profile.totals
        key, short = _KEYS[not fixed], "sb" if fixed else "bb"
        found, ev = profile.statistics[key], profile.statistics[f"ev_{key}"]
        known, unknown = totals.all_ins
        unit = key.replace("_", " ")
        return cls(
            *(unit, short, profile.hands, found.numerator, totals.rake, totals.unstated_rakes),
            *(ev.numerator, known + unknown, unknown),
            _per_100(found, f"{short}/100", f"{unit} won after the rake / 100 hands"),
            _per_100(ev, f"{short}/100, all-in EV", f"{unit} of all-in EV / 100 hands"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        names = ("unit", "hands", "net", "rake", "unstated_rakes", "all_in_ev", "all_ins", "unknown_all_ins")
        return {
            **{name: getattr(self, name) for name in names},
            "per_100": _ends(self.per_100),
            "all_in_ev_per_100": _ends(self.ev_per_100),
        }


def _per_100(each: Figure, name: str, meaning: str) -> Figure:
    def times(value: float | None) -> float | None:
        return None if value is None else 100 * value

    ends = times(each.value), times(each.low), times(each.high)
    return Figure(name, meaning, each.numerator, each.denominator / 100, *ends, "mean")


def _ends(each: Figure) -> dict[str, Any]:
    return {name: getattr(each, name) for name in ("value", "low", "high")}


class WinningsPoint(NamedTuple):
    """A player's winnings after a number of hands.

    Attributes
    ----------
    net, all_in_ev : float
        In small bets or big blinds.
    """

    hands: int
    net: float
    all_in_ev: float


def winnings_course(net: NDArray[np.int64], ev: NDArray[np.int64], points: int = POINTS) -> tuple[WinningsPoint, ...]:
    """Return what was won after so many hands, from none on.

    There are at most `points` after the first, at even distances; the last is after all hands.

    Parameters
    ----------
    net, ev : ndarray of int64, shape (hands,)
        The winnings in each, and with all-ins at their EV, in millionths of a small bet or big blind.
    """
    steps = min(points, len(net))
    at = [0, *sorted({round(k * len(net) / steps) for k in range(1, steps + 1)})] if steps else [0]
    sums = [np.concatenate([[0], np.cumsum(each, dtype=np.int64)])[at] / 1_000_000 for each in (net, ev)]
    return tuple(WinningsPoint(*each) for each in zip(at, *(each.tolist() for each in sums), strict=True))
