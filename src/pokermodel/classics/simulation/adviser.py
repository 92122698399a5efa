"""Advice by simulation: what acts are worth after the flop of limit, by playing the hand out many times.

The simulation itself is `pokermodel.classics.simulation.Simulator` (Billings, Peña, Schaeffer and Szafron 1999); here
it is given what a spot knows. The ranges are those of the reader, and everybody acts by triples. Loki-2 as a player
simulates more: with what its first act makes the others think, and with other triples for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from pokermodel._support.checks import check_least
from pokermodel._support.words import counted
from pokermodel.classics.simulation.simulator import Simulator
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot
from pokermodel.worth.adviser import Adviser
from pokermodel.worth.worth import Verdict

__all__ = ["SimulationAdviser"]


class SimulationAdviser(Adviser):
    """Simulates decisions after the flop of limit.

    Parameters
    ----------
    simulator : Simulator, optional
        By which; one with its defaults without.
    trials : int
        Largest number of trials of a decision, 2 or more.

    Raises
    ------
    ValueError
        If there are fewer than 2 trials.
    """

    def __init__(self, simulator: Simulator | None = None, trials: int = 500) -> None:
        self.simulator = Simulator() if simulator is None else simulator
        self.trials = check_least("trials", trials, 2)

    def advise(self, spot: Spot, rng: RandomLike = None, *, also: Iterable[int] = ()) -> Verdict:  # noqa: D102
        position = spot.state, spot.situation.board
        found = self.simulator.run(position, spot.own_cards, spot.ranges(), self.trials, rng=rng)
        worths, errors = found.worths()
        return Verdict(worths, errors, found=counted(found.trials, "trial"), details=found.to_dict())
