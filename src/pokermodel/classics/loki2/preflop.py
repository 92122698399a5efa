"""Betting by triples before the flop: the borders of Loki-1's pre-flop strategies, smoothed.

Loki-2 left pre-flop play as it was; triples there are named as a next step (Peña 1999, section 4.1; Billings et al.
2002). How they follow from Loki-1's thresholds is ours.
"""

from __future__ import annotations

from collections.abc import Mapping

from pokermodel.classics.loki1.preflop import Strategy
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds

__all__ = ["PREFLOP_HALF_WIDTH", "preflop_borders"]

#: How far borders lie from a threshold, in thousandths of a small bet (ours): about a third of the way from one
#: threshold of `PREFLOP_THRESHOLDS` to the next.
PREFLOP_HALF_WIDTH = 50.0


def preflop_borders(
    thresholds: Mapping[Strategy, float], *, num_bets: int, bets_put_in: int, half_width: float = PREFLOP_HALF_WIDTH
) -> BettingThresholds:
    """Borders around the income rates at which Loki-1 would change its act.

    Loki-1 raises to two bets from the threshold of Make2 and to the cap from that of Make4. It calls one bet from the
    threshold of Call1, two from that of Call2, and any number from that of Call1 if it has put a bet in.

    Parameters
    ----------
    thresholds : mapping of Strategy to float
        Least income rates of the strategies, in thousandths of a small bet; see `preflop_thresholds`.
    num_bets : int
        Bets and raises of this round by anybody, the big blind being the first.
    bets_put_in : int
        Bets that the player put in voluntarily in this round.
    half_width : float
        How far the borders lie from the thresholds, in thousandths of a small bet.

    Returns
    -------
    BettingThresholds
        In thousandths of a small bet.
    """
    raises = thresholds[Strategy.MAKE2 if num_bets < 2 else Strategy.MAKE4]
    one = min(thresholds[Strategy.CALL1], thresholds[Strategy.MAKE1])
    two = min(thresholds[Strategy.CALL2], thresholds[Strategy.MAKE2])
    calls = one, one, one if bets_put_in > 0 else two
    free = (min(one, raises) - 3 * half_width,) * 2  # with nothing to call, nobody folds
    borders = [(raises + half_width, raises - half_width, call + half_width, call - half_width) for call in calls]
    borders[0] = (*borders[0][:2], *free)
    return BettingThresholds(*borders)  # type: ignore[arg-type]  # which takes plain sequences
