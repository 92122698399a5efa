"""How far measured differences are to be believed: by method, game, street and kind of error.

A difference between two actions is measured against what the reader expects of people. People differ from that in ways
that no error of the reader's own knows. So a measured difference is multiplied by what is true of it on average, and
its error is widened by what is off besides: so much, in units and in shares of the pot.

The numbers are those of the largest likelihood, from 873 differences of 459 decisions of generated sessions, in which
the reader has learnt up to 400 hands (docs/study.md). Counts stand beside them. The alternative, one factor for
everything, would make counted-out calls timid and play-outs before the flop bold.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["FITS", "NO_FIT", "Fit", "fit_of"]


class Fit(NamedTuple):
    """How far differences of one sort are to be believed."""

    keep: float  #: Of a difference, what is true of it on average.
    #: `units`, `pot`: what it is off by besides, as standard deviations: in units, and in shares of the pot.
    units: float
    pot: float
    wide: float = 1.0  #: What its measured error is multiplied by.

    def error(self, half: float, sure: float, pot: float) -> float:
        """Half the interval of a difference, by half its measured interval and the pot in units."""
        return math.hypot(self.wide * half, sure * self.units, sure * self.pot * pot)


#: Nothing is known: a difference is believed as it is measured.
NO_FIT = Fit(1.0, 0.0, 0.0)

#: By method, whether bets have one size, street and kind of error; an empty street or kind stands for any other one.
#: Beside each, from how many differences.
FITS: dict[tuple[str, bool, str, str], Fit] = {
    # written by tools/measure/calibrate.py
    ("simulated", False, "", ""): Fit(0.78, 0.29, 0.221, 1.96),  # 578
    ("simulated", False, "flop", ""): Fit(0.94, 0.26, 0.148, 2.68),  # 87
    ("simulated", False, "pre-flop", ""): Fit(0.72, 0.25, 0.333, 1.67),  # 436
    ("simulated", False, "turn", ""): Fit(1.00, 0.27, 0.160, 2.07),  # 45
    ("simulated", False, "pre-flop", "call for fold"): Fit(0.49, 0.24, 0.263, 1.35),  # 56
    ("simulated", False, "pre-flop", "call for raise"): Fit(0.21, 0.24, 0.228, 1.75),  # 71
    ("simulated", False, "pre-flop", "fold for call"): Fit(0.96, 0.25, 0.325, 1.45),  # 76
    ("simulated", False, "pre-flop", "fold for raise"): Fit(0.59, 0.24, 0.436, 1.80),  # 60
    ("simulated", False, "pre-flop", "raise for call"): Fit(0.40, 0.25, 0.657, 1.13),  # 97
    ("simulated", False, "pre-flop", "raise for fold"): Fit(0.54, 0.23, 0.359, 0.96),  # 59
    ("simulated", True, "", ""): Fit(0.68, 0.37, 0.098, 1.46),  # 252
    ("simulated", True, "pre-flop", ""): Fit(0.59, 0.26, 0.149, 1.46),  # 204
    ("simulated", True, "pre-flop", "call for raise"): Fit(0.57, 0.18, 0.168, 0.89),  # 77
    ("simulated", True, "pre-flop", "fold for raise"): Fit(0.51, 0.27, 0.152, 1.77),  # 72
    ("solved", False, "", ""): Fit(0.82, 0.34, 0.229, 0.81),  # 32
    ("solved", False, "river", ""): Fit(0.83, 0.30, 0.255, 0.69),  # 32
    ("solved", True, "", ""): Fit(0.94, 0.57, 0.069, 1.06),  # 11
    # until here
}


def fit_of(method: str, fixed: bool, street: str, kind: str) -> Fit:
    """The fit of the most particular sort that there is one of."""
    for key in ((method, fixed, street, kind), (method, fixed, street, ""), (method, fixed, "", "")):
        if (found := FITS.get(key)) is not None:
            return found
    return NO_FIT
