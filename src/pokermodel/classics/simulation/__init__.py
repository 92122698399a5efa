"""Simulation: the value of fold, call and raise at a decision after the flop (Peña 1999, section 5.1).

A trial deals holdings to all other players by their weight tables and plays the hand out twice, once after a check or
call and once after a bet or raise. Every later act, those of the hero included, is drawn from the probability triple of
the holding in the simulated situation. The mean of the hero's results from the decision on is the expected value (EV)
of the action; the EV of a fold is 0. Billings et al. (1999) call the method selective sampling.

Where the sources leave a choice:

- Both branches see the same cards. In both, the i-th later decision of a player gets the same random number (ours), so
  that common noise cancels in their difference.
- Strength and potential are computed anew with each card. The tables do not change with the acts of a play-out (Peña
  1999, section 5.1). Whether strength is against these tables or against any holding is ambiguous in the sources;
  ``strength`` has both. ``potential`` has the exact potential, the crude one and none.
- Contrary to the sources, the opponents can take the hero's first act into account, which is the same in all trials of
  a branch (`OpponentModeler.imagine`). Without it they fold to that act less often than real ones do.
- ``dealing="published"`` deals in the published way, ``"joint"`` by the product of the tables; see
  `pokermodel.evaluation.dealing`.
- ``stop="published"`` ends a simulation when the best act leads by more than the sum of the standard deviations of
  single trials of both acts; ``"paired"`` (ours) when it leads by three standard errors of the difference. Both rules
  are checked after 64, 128, 256, ... trials only, so that the result does not depend on the number of threads.
- ``stratified`` has every turn card come once in each cycle of trials, and its rivers without replacement, as Peña
  (1999, section 5.1.1) proposes. Trials then have weights, see `pokermodel.evaluation.dealing.Dealer`.
- ``seconds`` ends a simulation that takes longer (Billings et al. 1999, ICML, section 5); what it says then depends on
  the machine.
"""

from typing import TYPE_CHECKING

from pokermodel._support.later import imported_later

if TYPE_CHECKING:
    from pokermodel._core.playout import Loki1Rules
    from pokermodel.classics.simulation.advice import Advice, StopRule, TrialLog, close_acts
    from pokermodel.classics.simulation.feedback import Feedback
    from pokermodel.classics.simulation.position import Position
    from pokermodel.classics.simulation.simulator import Simulator, TrialStrength
    from pokermodel.classics.simulation.strengths import StrengthCache, TrialPotential, strength_cache

__all__ = [
    "Advice",
    "Feedback",
    "Loki1Rules",
    "Position",
    "Simulator",
    "StopRule",
    "StrengthCache",
    "TrialLog",
    "TrialPotential",
    "TrialStrength",
    "close_acts",
    "strength_cache",
]

# the price of a call needs no simulator
if not TYPE_CHECKING:
    __getattr__ = imported_later(
        __name__,
        {
            "Loki1Rules": "pokermodel._core.playout",
            **dict.fromkeys(("Advice", "StopRule", "TrialLog", "close_acts"), "pokermodel.classics.simulation.advice"),
            "Feedback": "pokermodel.classics.simulation.feedback",
            "Position": "pokermodel.classics.simulation.position",
            **dict.fromkeys(("Simulator", "TrialStrength"), "pokermodel.classics.simulation.simulator"),
            **dict.fromkeys(
                ("StrengthCache", "TrialPotential", "strength_cache"), "pokermodel.classics.simulation.strengths"
            ),
        },
    )
