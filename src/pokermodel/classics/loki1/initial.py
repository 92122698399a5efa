"""The weights of holdings before a player has acted.

Papp begins with equal weights, because no player has acted. The alternative begins with the holdings that people stay
in with, as in later papers on Loki, for players whose first actions were not seen.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from pokermodel._support.arrays import Floats
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.evaluation.preflop import income_rates_by_holding

__all__ = ["INCOME_MU", "INCOME_SIGMA", "Initial", "income_weights"]

#: What tables begin with: 1 for every holding, or `income_weights`.
Initial: TypeAlias = Literal["one", "income"]

#: Middle and half the width of the ramp over income rates, in thousandths of a small bet: the whole numbers that fit
#: the weights of Billings et al. (AAAI 1998, Table 2) best.
INCOME_MU = 13.0
INCOME_SIGMA = 241.0


@cache
def income_weights() -> Floats:
    """Weights by the income rates of seven players: the range of a player who is still in the hand.

    Billings et al. (AAAI 1999, section 3; ICML 1999, section 6) begin with income rates; with Papp (1998, section
    7.1.1) every holding begins with 1. Nine weights are printed (AAAI 1998, Table 2): those of an opponent who called
    before the flop and bet after it, under a scheme in which pre-flop frequencies become the weights. A ramp over the
    income rates, as re-weighting has it, fits them with a root mean square error of .04; its least weight is .01. To
    take it for what anybody holds at first, and for the array of the basic players, is an inference of ours.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Read-only.

    Examples
    --------
    >>> from pokermodel.cards import holding_index
    >>> [round(float(income_weights()[holding_index(cards)]), 2) for cards in ("Jc4h", "5h2h", "5s5h", "AcQd")]
    [0.01, 0.22, 0.73, 1.0]
    """
    weights = reweighting_factors(income_rates_by_holding(), INCOME_MU, INCOME_SIGMA, compensate=False)
    weights.setflags(write=False)
    return weights
