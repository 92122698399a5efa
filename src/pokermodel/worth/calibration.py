"""How far measured differences are to be believed: by method, street and kind of error, as the instrument found.

A difference between two actions is measured against what the reader expects of people. People differ from that in ways
that no error of the reader's own knows. So a measured difference is multiplied by what is true of it on average, and
its error is widened by what is off besides: so much, in units and in shares of the pot.

``tools/measure/fit.py`` fits the numbers to the truth of generated sessions (docs/study.md). The alternative, one
factor for everything, would make counted-out calls timid and play-outs before the flop bold.
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

#: By method, street and kind of error; an empty street or kind stands for any other one.
FITS: dict[tuple[str, str, str], Fit] = {}


def fit_of(method: str, street: str, kind: str) -> Fit:
    """The fit of the most particular sort that there is one of."""
    for key in ((method, street, kind), (method, street, ""), (method, "", "")):
        if (found := FITS.get(key)) is not None:
            return found
    return NO_FIT
