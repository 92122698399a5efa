"""Simulation: what fold, call and raise are worth at a decision after the flop (Peña 1999, section 5.1).

A trial deals cards to everybody else, by what each can hold, and plays the hand out twice, once after a check or call
and once after a bet or raise, by the rules of the game. Every later act, the hero's own as well, is drawn from the
probability triple of the cards dealt in the simulated situation. The mean over the trials of what the hero wins or
loses from the decision on is the expected value (EV) of the act; that of a fold is 0. Billings et al. (1999) call it
selective sampling.

What is published, and what is not:

- Both branches see the same cards. That the i-th later decision of a player gets the same random number in both is
  ours: what they have in common then cancels in their difference.
- Strength and potential are computed anew with each card, by the weight tables of the decision. That tables change
  with the acts of a play-out is not published, and would cost far more than the play-out itself. On request the others
  take note of the hero's first act, which is the same in all trials of a branch (`OpponentModeler.imagine`):
  without, they hardly fold to it.
- ``dealing="published"`` deals in the printed way, ``"joint"`` by the product of the tables, see
  `pokermodel.evaluation.dealing`.
- ``stop="published"`` ends a simulation when the best act leads by more than the standard deviations of both acts
  added up, which are those of single trials; ``"paired"`` (ours) when it leads by three standard errors of the
  difference. Both look after 64, 128, 256, ... trials only, so that the result does not depend on the number of
  threads.
"""

from pokermodel._core.playout import Loki1Rules
from pokermodel.simulation.advice import Advice, StopRule, TrialLog
from pokermodel.simulation.position import Position
from pokermodel.simulation.simulator import Simulator
from pokermodel.simulation.strengths import StrengthCache, strength_cache

__all__ = [
    "Advice",
    "Loki1Rules",
    "Position",
    "Simulator",
    "StopRule",
    "StrengthCache",
    "TrialLog",
    "strength_cache",
]
