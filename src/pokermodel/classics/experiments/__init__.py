"""Published experiments, played again: our figures beside the published ones, and checks of the published claims.

`run_experiment` plays an experiment by its name. The experiments with Loki are data: tournaments, rows of figures, and
claims about the rows (`TournamentExperiment`). Those with the Bayesian Poker Program are matches in five-card stud,
and measure their figures one by one (`MeasuredExperiment`). `register` adds another one to ``pokermodel experiment``.
"""

from pokermodel.classics.experiments import loki1, strength, loki2, trials, bpp, bias  # noqa: F401, I001 - they register, in the order of lists
from pokermodel.classics.experiments.claims import (
    Above,
    Additive,
    Claim,
    Even,
    Finding,
    Order,
    WithinTolerance,
    Verdict,
)
from pokermodel.classics.experiments.measured import MeasuredExperiment, MeasuredOutcome, Measurement
from pokermodel.classics.experiments.registry import (
    Experiment,
    Outcome,
    experiments,
    get_experiment,
    register,
    run_experiment,
)
from pokermodel.classics.experiments.tournaments import Part, FigureRow, TournamentExperiment, TournamentOutcome

__all__ = [
    "Above",
    "Additive",
    "Claim",
    "Even",
    "Experiment",
    "FigureRow",
    "Finding",
    "MeasuredExperiment",
    "MeasuredOutcome",
    "Measurement",
    "Order",
    "Outcome",
    "Part",
    "TournamentExperiment",
    "TournamentOutcome",
    "Verdict",
    "WithinTolerance",
    "experiments",
    "get_experiment",
    "register",
    "run_experiment",
]
