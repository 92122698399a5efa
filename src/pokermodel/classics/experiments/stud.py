"""Experiments in five-card stud: matches of the Bayesian Poker Program's players.

Winnings are in units per game, where a unit is a bet of the first round. Intervals are over deals unless stated
otherwise. A deal is two games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pokermodel._support.arrays import Floats
from pokermodel.classics.experiments.measured import MeasuredExperiment, Measurement
from pokermodel.classics.stud.match import Games, play_match
from pokermodel.classics.stud.players import StudPlayer

__all__ = ["StudRun", "stud_experiment"]


class StudRun(Measurement):
    """A running experiment in stud."""

    def play(self, one: StudPlayer, two: StudPlayer, deals: int, seed: Sequence[int]) -> tuple[Floats, Games]:
        """Play a match; return the units per game by deal, and the games."""
        match = play_match(one, two, deals, seed=seed)
        self.games += 2 * deals
        return match.samples, match.games


def stud_experiment(
    name: str, title: str, source: str, deals: int, parts: int, play: Callable[[StudRun], None]
) -> MeasuredExperiment[StudRun]:
    """Return an experiment in five-card stud; see `MeasuredExperiment`."""
    return MeasuredExperiment(name, title, source, deals, parts, play, StudRun)
