"""How far measured differences are to be believed: by method, game, street, kind of error, and what is known of people.

A difference between two actions is measured against what the reader expects of people. People differ from that in ways
that no error of the reader's own knows. So a measured difference is multiplied by what is true of it on average, and
its error is widened by what is off besides: so much, in units, in shares of the pot and in shares of the difference.
Against strangers all of that is larger: after the flop of no limit nearly three times.

The numbers are those of the largest likelihood, from 4,789 differences of 2,580 decisions of generated sessions, in
which the reader has learnt up to 3,060 hands (docs/study.md). Counts stand beside them. The alternative, one factor for
everything, would make counted-out calls timid and play-outs before the flop bold.
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
    ("simulated", False, "", ""): Fit(0.75, 0.00, 0.27, 0.369, 0.27, 0.53, 1.87),  # 3,116
    ("simulated", False, "flop", ""): Fit(0.97, -0.03, 0.27, 0.144, 0.14, 0.98, 2.88),  # 424
    ("simulated", False, "pre-flop", ""): Fit(0.65, 0.08, 0.27, 0.407, 0.21, 0.32, 1.59),  # 1,233
    ("simulated", False, "pre-flop, raised", ""): Fit(0.69, -0.04, 0.27, 0.454, 0.34, 0.86, 1.58),  # 1,187
    ("simulated", False, "turn", ""): Fit(1.00, -0.00, 0.26, 0.186, 0.17, 0.97, 2.59),  # 234
    ("simulated", False, "pre-flop", "call for fold"): Fit(0.16, 0.16, 0.26, 0.526, 0.19, 0.24, 1.34),  # 185
    ("simulated", False, "pre-flop", "call for raise"): Fit(0.28, 0.12, 0.27, 0.375, 0.19, 0.36, 1.55),  # 169
    ("simulated", False, "pre-flop", "fold for call"): Fit(0.84, -0.06, 0.27, 0.500, 0.20, 0.30, 1.78),  # 213
    ("simulated", False, "pre-flop", "fold for raise"): Fit(0.50, 0.03, 0.27, 0.409, 0.21, 0.32, 1.49),  # 103
    ("simulated", False, "pre-flop", "raise for call"): Fit(0.84, 0.44, 0.26, 0.399, 0.16, 0.32, 1.68),  # 325
    ("simulated", False, "pre-flop", "raise for fold"): Fit(0.55, 0.19, 0.26, 0.385, 0.14, 0.26, 1.05),  # 202
    ("simulated", False, "pre-flop, raised", "call for fold"): Fit(0.57, 0.02, 0.27, 0.379, 0.26, 0.64, 1.21),  # 192
    ("simulated", False, "pre-flop, raised", "call for raise"): Fit(0.00, -0.00, 0.27, 0.431, 0.40, 1.02, 1.57),  # 149
    ("simulated", False, "pre-flop, raised", "fold for call"): Fit(0.85, -0.12, 0.27, 0.492, 0.21, 0.72, 1.62),  # 227
    ("simulated", False, "pre-flop, raised", "fold for raise"): Fit(0.00, -0.03, 0.27, 0.435, 0.47, 1.04, 1.33),  # 149
    ("simulated", False, "pre-flop, raised", "raise for call"): Fit(1.00, 0.60, 0.27, 0.681, 0.28, 0.72, 1.78),  # 258
    ("simulated", False, "pre-flop, raised", "raise for fold"): Fit(0.81, -0.02, 0.27, 0.452, 0.21, 0.63, 1.31),  # 199
    ("simulated", True, "", ""): Fit(0.75, 0.21, 0.36, 0.064, 0.21, 0.71, 1.82),  # 1,429
    ("simulated", True, "flop", ""): Fit(0.96, 0.21, 0.27, 0.041, 0.12, 0.75, 1.89),  # 181
    ("simulated", True, "pre-flop", ""): Fit(0.40, 0.13, 0.29, 0.063, 0.26, 0.65, 1.34),  # 532
    ("simulated", True, "pre-flop, raised", ""): Fit(0.86, 0.21, 0.43, 0.131, 0.13, 0.54, 1.94),  # 538
    ("simulated", True, "turn", ""): Fit(0.96, 0.07, 0.32, 0.054, 0.11, 0.58, 2.22),  # 153
    ("solved", False, "", ""): Fit(1.00, 0.00, 0.15, 0.133, 0.19, 1.07, 2.92),  # 162
    ("solved", False, "river", ""): Fit(1.00, 0.00, 0.14, 0.133, 0.19, 1.06, 2.97),  # 162
    ("solved", True, "", ""): Fit(1.00, -0.00, 0.25, 0.028, 0.09, 0.72, 2.13),  # 82
    ("solved", True, "river", ""): Fit(1.00, 0.00, 0.25, 0.025, 0.08, 0.67, 2.20),  # 82
    # until here
}


def fit_of(method: str, fixed: bool, street: str, kind: str) -> Fit:
    """The fit of the most particular sort that there is one of."""
    for key in ((method, fixed, street, kind), (method, fixed, street, ""), (method, fixed, "", "")):
        if (found := FITS.get(key)) is not None:
            return found
    return NO_FIT
