"""How a prior is fitted."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SCALES", "FitOptions"]

#: How much people differ in each game, as a `GamePrior` has it.
SCALES = {
    "limit": {"population": 2.0, "player": 1.0, "population_strength": 10.0, "player_strength": 30.0},
    "no limit": {"population": 1.0, "player": 1.0, "population_strength": 90.0, "player_strength": 30.0},
}


@dataclass(frozen=True, slots=True)
class FitOptions:
    """Passes and steps of a fit.

    Attributes
    ----------
    passes : int
        Over the hands, for the network alone.
    joint_passes : int
        For the network together with the effects of players.
    strangers : float
        What share of the hands is taken, in the passes of the network together with effects, as if nobody had been met
        before: so a likelihood at rest is what is said of somebody in the first hand ever seen.
    batch : int
        Hands of players between two steps.
    rate, joint_rate : float
        Length of the steps; it falls towards the end.
    decay : float
        Weight decay, in units of the length of a step.
    """

    passes: int = 6
    joint_passes: int = 5
    strangers: float = 0.5
    batch: int = 256
    rate: float = 3e-3
    joint_rate: float = 2e-3
    decay: float = 1.0
