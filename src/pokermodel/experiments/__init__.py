"""Tables of the sources, played again: ours beside the published figures, and whether what they claim holds.

An experiment has a name, and `run_experiment` plays it. Those of Loki are data: tournaments, rows read off them, claims
about the rows (`TournamentExperiment`). Those of the Bayesian Poker Program are matches in five-card stud
(`StudExperiment`). `register` makes another one known to ``pokermodel experiment``.
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
