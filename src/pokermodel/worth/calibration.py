"""How far measured differences are to be believed: by method, game, street and kind of error.

A difference between two actions is measured against what the reader expects of people. People differ from that in ways
that no error of the reader's own knows. So a measured difference is multiplied by what is true of it on average, and
its error is widened by what is off besides: so much, in units and in shares of the pot.

The numbers were set by hand after fits to the truth of generated sessions (docs/study.md). The alternative, one factor
for everything, would make counted-out calls timid and play-outs before the flop bold.
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

    def error(self, half: float, sure: float, pot: float) -> float:
        """Half the interval of a difference, by half its measured interval and the pot in units."""
        return math.hypot(self.keep * half, sure * self.units, sure * self.pot * pot)


#: Nothing is known: a difference is believed as it is measured.
NO_FIT = Fit(1.0, 0.0, 0.0)

#: By method, whether bets have one size, street and kind of error; an empty street or kind stands for any other one.
FITS: dict[tuple[str, bool, str, str], Fit] = {
    # written by tools/measure/calibrate.py
    ("simulated", False, "pre-flop", ""): Fit(0.75, 1.75, 0.175),
    ("simulated", False, "pre-flop", "call for raise"): Fit(0.4, 1.75, 0.175),
    ("simulated", False, "pre-flop", "raise for call"): Fit(0.4, 1.75, 0.175),
    ("simulated", False, "", ""): Fit(0.9, 1.2, 0.12),
    ("solved", False, "", ""): Fit(0.6, 1.2, 0.12),
    ("simulated", True, "pre-flop", "fold for raise"): Fit(0.45, 0.45, 0.045),
    ("simulated", True, "pre-flop", ""): Fit(0.7, 0.45, 0.045),
    ("simulated", True, "", ""): Fit(0.9, 0.25, 0.025),
    ("solved", True, "", ""): Fit(0.9, 0.3, 0.03),
    # until here
}


def fit_of(method: str, fixed: bool, street: str, kind: str) -> Fit:
    """The fit of the most particular sort that there is one of."""
    for key in ((method, fixed, street, kind), (method, fixed, street, ""), (method, fixed, "", "")):
        if (found := FITS.get(key)) is not None:
            return found
    return NO_FIT
