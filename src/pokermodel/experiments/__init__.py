"""Published experiments, played again: our figures beside the published ones, and checks of the published claims.

`run_experiment` plays an experiment by its name. The experiments with Loki are data: tournaments, rows of figures, and
claims about the rows (`TournamentExperiment`). Those with the Bayesian Poker Program are matches in five-card stud
(`StudExperiment`). `register` adds another one to ``pokermodel experiment``.
"""

from pokermodel.experiments import loki1, loki2, bpp, bias  # noqa: F401, I001 - they register, in the order of lists
from pokermodel.experiments.claims import Above, Additive, Claim, Even, Finding, Order, Size, Verdict
from pokermodel.experiments.registry import (
    Experiment,
    Outcome,
    experiments,
    get_experiment,
    register,
    run_experiment,
)
from pokermodel.experiments.stud import StudExperiment, StudOutcome, StudRun
from pokermodel.experiments.tournaments import Part, Row, TournamentExperiment, TournamentOutcome

__all__ = [
    "Above",
    "Additive",
    "Claim",
    "Even",
    "Experiment",
    "Finding",
    "Order",
    "Outcome",
    "Part",
    "Row",
    "Size",
    "StudExperiment",
    "StudOutcome",
    "StudRun",
    "TournamentExperiment",
    "TournamentOutcome",
    "Verdict",
    "experiments",
    "get_experiment",
    "register",
    "run_experiment",
]
