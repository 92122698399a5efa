"""Ranks, hand strength, hand potential and equity.

Definitions are Papp's (1998, sections 5.2, 5.3 and 6.3). With ``ahead``, ``tied`` and ``behind`` the weight of the
opponent's holdings that a holding beats, ties and loses to now:

- hand strength ``HS = (ahead + tied/2) / (ahead + tied + behind)``, against n opponents ``HS**n``;
- positive potential, the chance to come from behind, and negative potential, the chance to fall behind::

    PPOT = (HP[behind][ahead] + HP[behind][tied]/2 + HP[tied][ahead]/2) / (T[behind] + T[tied]/2)
    NPOT = (HP[ahead][behind] + HP[ahead][tied]/2 + HP[tied][behind]/2) / (T[ahead] + T[tied]/2)

  where ``HP[now][later]`` counts weight times runouts and ``T`` is its sum over ``later``;
- effective hand strength ``EHS = HS + (1 - HS)*PPOT - HS*NPOT``, and without the last term the optimistic EHS'.

Weights need not be normalised and may have any scale. Where no weight is left for the opponent, every
possible holding counts the same.
"""

from pokermodel.evaluation.board import BoardAnalysis, HoldingTable, Potential, counts_cache
from pokermodel.evaluation.preflop import income_rate, income_rates
from pokermodel.evaluation.ranks import CATEGORIES, category, evaluate, evaluate_many
from pokermodel.evaluation.strength import (
    hand_potential,
    hand_strength,
)

__all__ = [
    "CATEGORIES",
    "BoardAnalysis",
    "HoldingTable",
    "Potential",
    "category",
    "counts_cache",
    "evaluate",
    "evaluate_many",
    "hand_potential",
    "hand_strength",
    "income_rate",
    "income_rates",
]
