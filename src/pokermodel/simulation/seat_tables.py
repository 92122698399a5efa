"""The tables of all seats of a hand, read from what the players did, for a simulation."""

from __future__ import annotations

import numpy as np

from pokermodel._arrays import Floats
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Decision, Situation
from pokermodel.reading.parts.reweighting import reweighting_factors
from pokermodel.reading.parts.thresholds import postflop_threshold, preflop_threshold
from pokermodel.reading.session import Observation, OpponentModeler

__all__ = ["SeatTables"]


class SeatTables:
    """What every seat of a hand can hold, as a simulation wants it: the modeler's tables, and those of who folded.

    Who folded holds cards too. His table is the last one he had, times the probability that he folds with each
    holding: by the triples of a model that has them, else by one minus the ramp of Loki-1's threshold to call.

    Parameters
    ----------
    modeler : OpponentModeler
        Reads the hand. Let this object show it the actions.
    """

    def __init__(self, modeler: OpponentModeler) -> None:
        self.modeler = modeler
        self._folded: dict[int, Floats] = {}

    def observe(self, decision: Decision) -> Observation:
        """Show an action to the modeler.

        Parameters
        ----------
        decision : Decision
            The next action of the hand, or the first of another one.

        Returns
        -------
        Observation
            What the modeler made of it.

        Raises
        ------
        ValueError
            If the decision does not follow the one before.
        """
        observation = self.modeler.observe(decision)
        if decision.index == 0:
            self._folded.clear()
        if decision.act == Act.FOLD:
            table = observation.after if self.modeler.reads_folds else observation.before
            weights = np.array(table.values)
            if not (decision.out_of_turn or self.modeler.reads_folds):
                weights *= self._fold_probabilities(decision)
            if weights.any():
                self._folded[decision.seat] = weights
        return observation

    def _fold_probabilities(self, decision: Decision) -> Floats | float:
        modeler = self.modeler
        chances: Floats
        if modeler.uses_triples and decision.round > 0:
            chances = modeler.expect(decision).triples[:, Act.FOLD]
            return np.nan_to_num(chances)
        frequencies = modeler.frequencies(decision.seat, decision)
        values: Floats
        if decision.round == 0:
            threshold = preflop_threshold(frequencies, Act.CALL)
            values = income_rates_by_holding()
        else:
            threshold = postflop_threshold(frequencies, Act.CALL)
            values, _ = modeler.values(decision.seat)
        if threshold is None:
            return 0.0  # he hardly ever folds: nothing is known
        chances = 1.0 - reweighting_factors(values, threshold.mu, threshold.sigma, compensate=decision.round > 0)
        return np.nan_to_num(chances)

    def tables(self) -> list[Floats | None]:
        """Weights of each seat, (1326,), for `Simulator.run`; None for one who folded and of whom nothing is known."""
        modeler = self.modeler
        return [
            np.array(modeler.table(seat).values) if seat in modeler.active else self._folded.get(seat)
            for seat in range(len(modeler.players))
        ]

    def images(self, situation: Situation) -> tuple[Floats, Floats]:
        """What the others will think of who is to act, for `Simulator.run`.

        Parameters
        ----------
        situation : Situation
            His, before the next action of the hand.

        Returns
        -------
        after_call, after_raise : ndarray of float64, shape (1326,)
            His table once he has checked or called, and once he has bet or raised. Nothing is learnt from it.
        """
        return self.modeler.imagine(situation, Act.CALL), self.modeler.imagine(situation, Act.RAISE)
