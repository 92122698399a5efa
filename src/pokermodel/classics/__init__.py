"""The classic programs as printed: Loki-1 (Papp 1998), Loki-2 (Peña 1999), BPP (Carlton 2000), and their experiments.

Nothing else in the package imports this wing. Its readers, players, advisers and commands are found by entry points.
"""

from typing import TYPE_CHECKING

from pokermodel._support.forms import made_by
from pokermodel._support.later import imported_later

if TYPE_CHECKING:
    from pokermodel.classics.experiments.registry import run_experiment
    from pokermodel.classics.simulation.simulator import Simulator

__all__ = ["Simulator", "run_experiment"]

made_by("html", "pokermodel.classics.report.notebook")

if not TYPE_CHECKING:
    __getattr__ = imported_later(
        __name__,
        {
            "run_experiment": "pokermodel.classics.experiments.registry",
            "Simulator": "pokermodel.classics.simulation.simulator",
        },
    )
