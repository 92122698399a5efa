"""How far measured differences are to be believed: by method, game, street, kind of error, and what is known of people.

A difference between two actions is measured against what the reader expects of people. People differ from that in ways
that no error of the reader's own knows. So a measured difference is multiplied by what is true of it on average, and
its error is widened by what is off besides: so much, in units, in shares of the pot and in shares of the difference.
Against strangers all of that is larger: on flops of no limit three times.

The numbers are those of the largest likelihood, from 4,785 differences of 2,567 decisions of generated sessions, in
which the reader has learnt up to 1,560 hands. They stay near those of the table before, which an earlier reader gave
(docs/study.md). Counts stand beside them. The alternative, one factor for everything, would make counted-out calls
timid and play-outs before the flop bold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["FITS", "NO_FIT", "RAISED", "SURE", "Fit", "fit_of", "stranger_of"]

#: Standard errors of half a 95% interval.
SURE = 1.96


#: The street before the flop, once somebody has raised: there less of a raise is believed.
RAISED = "pre-flop, raised"
#: Learnt acts of a player of whom half is known.
_HALF = 300.0


class Fit(NamedTuple):
    """How far differences of one sort are to be believed."""

    keep: float  #: Of a difference, what is true of it on average, and how much less of that against strangers.
    less: float
    #: `units`, `pot`, `part`: what it is off by besides, as standard deviations: in units, in shares of the pot, and in
    #: shares of itself.
    units: float
    pot: float
    part: float
    wide: float = 1.0  #: What its measured error is multiplied by, but for the part by the deals.
    strange: float = 1.0  #: What all of this is multiplied by against strangers.

    def loss(self, difference: float, stranger: float) -> float:
        """What is expected of a measured difference; `stranger` as of `error`."""
        return max(0.0, self.keep - self.less * stranger) * difference

    def error(self, difference: float, half: float, noise: float, pot: float, stranger: float) -> float:
        """Half the interval of a difference, by half its measured interval and the part of that by the deals.

        The pot is in units; `stranger_of` says how little is known of the opponents.
        """
        rest = self.wide * math.sqrt(max(0.0, half * half - noise * noise))
        besides = math.hypot(self.units, self.pot * pot, self.part * difference)
        return math.pow(self.strange, stranger) * math.hypot(noise, rest, SURE * besides)


#: Nothing is known: a difference is believed as it is measured.
NO_FIT = Fit(1.0, 0.0, 0.0, 0.0, 0.0)


def stranger_of(acts: Iterable[float]) -> float:
    """How little is known of opponents by their learnt acts: 1 of strangers; `ValueError` for no or negative ones."""
    counts = list(acts)
    if not counts or not min(counts) >= 0.0:
        raise ValueError(f"expected the learnt acts of each opponent, 0 or more, got {counts}")
    return math.fsum(_HALF / (_HALF + each) for each in counts) / len(counts)


#: By method, whether bets have one size, street and kind of error; an empty street or kind stands for any other one.
#: Beside each, from how many differences.
FITS: dict[tuple[str, bool, str, str], Fit] = {
    # written by tools/measure/calibrate.py
    ("simulated", False, "", ""): Fit(0.78, 0.14, 0.17, 0.273, 0.42, 0.53, 1.55),  # 3,578
    ("simulated", False, "flop", ""): Fit(0.97, -0.03, 0.21, 0.072, 0.11, 1.54, 3.01),  # 533
    ("simulated", False, "pre-flop", ""): Fit(0.71, 0.27, 0.30, 0.295, 0.47, 0.38, 1.05),  # 1,401
    ("simulated", False, "pre-flop, raised", ""): Fit(0.66, 0.01, 0.25, 0.310, 0.38, 0.74, 1.45),  # 1,285
    ("simulated", False, "river", ""): Fit(1.00, -0.00, 0.16, 0.164, 0.37, 0.64, 1.52),  # 64
    ("simulated", False, "turn", ""): Fit(1.00, 0.00, 0.23, 0.085, 0.14, 1.72, 2.50),  # 295
    ("simulated", False, "pre-flop", "call for fold"): Fit(0.85, 0.04, 0.23, 0.290, 0.16, 0.28, 1.01),  # 202
    ("simulated", False, "pre-flop", "call for raise"): Fit(0.48, 0.17, 0.27, 0.297, 0.19, 0.33, 1.04),  # 220
    ("simulated", False, "pre-flop", "fold for call"): Fit(0.75, 0.07, 0.26, 0.370, 0.34, 0.29, 1.85),  # 227
    ("simulated", False, "pre-flop", "fold for raise"): Fit(0.57, 0.09, 0.28, 0.490, 0.29, 0.32, 1.26),  # 134
    ("simulated", False, "pre-flop", "raise for call"): Fit(0.66, 0.50, 0.25, 0.306, 0.44, 0.27, 1.26),  # 352
    ("simulated", False, "pre-flop", "raise for fold"): Fit(0.78, 0.22, 0.27, 0.371, 0.13, 0.30, 1.01),  # 222
    ("simulated", False, "pre-flop, raised", "call for fold"): Fit(0.58, -0.13, 0.27, 0.281, 0.21, 0.63, 1.06),  # 214
    ("simulated", False, "pre-flop, raised", "call for raise"): Fit(0.19, 0.00, 0.26, 0.335, 0.34, 0.78, 1.08),  # 156
    ("simulated", False, "pre-flop, raised", "fold for call"): Fit(0.81, -0.09, 0.27, 0.300, 0.23, 0.73, 2.05),  # 246
    ("simulated", False, "pre-flop, raised", "fold for raise"): Fit(0.50, 0.02, 0.27, 0.415, 0.48, 1.00, 1.30),  # 156
    ("simulated", False, "pre-flop, raised", "raise for call"): Fit(1.00, 0.60, 0.27, 0.532, 0.29, 0.60, 1.43),  # 277
    ("simulated", False, "pre-flop, raised", "raise for fold"): Fit(0.64, -0.03, 0.27, 0.439, 0.20, 0.59, 1.21),  # 220
    ("simulated", True, "", ""): Fit(0.86, 0.26, 0.31, 0.059, 0.22, 0.89, 1.78),  # 947
    ("simulated", True, "flop", ""): Fit(0.99, 0.25, 0.23, 0.042, 0.11, 0.87, 2.08),  # 109
    ("simulated", True, "pre-flop", ""): Fit(0.72, 0.23, 0.31, 0.102, 0.32, 0.65, 1.33),  # 356
    ("simulated", True, "pre-flop, raised", ""): Fit(0.86, 0.23, 0.31, 0.122, 0.13, 0.57, 1.89),  # 380
    ("simulated", True, "turn", ""): Fit(1.00, 0.02, 0.26, 0.040, 0.12, 0.64, 2.08),  # 91
    ("solved", False, "", ""): Fit(1.00, 0.00, 0.14, 0.239, 0.25, 1.26, 3.02),  # 209
    ("solved", False, "river", ""): Fit(1.00, 0.00, 0.13, 0.238, 0.25, 1.25, 3.05),  # 209
    ("solved", True, "", ""): Fit(1.00, 0.00, 0.28, 0.039, 0.10, 0.82, 2.38),  # 51
    ("solved", True, "river", ""): Fit(1.00, 0.00, 0.25, 0.025, 0.08, 0.67, 2.20),  # 51
    # until here
}


def fit_of(method: str, fixed: bool, street: str, kind: str) -> Fit:
    """The fit of the most particular sort that there is one of."""
    for key in ((method, fixed, street, kind), (method, fixed, street, ""), (method, fixed, "", "")):
        if (found := FITS.get(key)) is not None:
            return found
    return NO_FIT
