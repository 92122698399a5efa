"""How true a model is: forecasts of actions and of hidden cards, scored on hands in the order they were played.

`score` walks through the hands. A `Forecaster` says before each action what will be done, and after it what the
player can hold; what it said is compared with what happened. `forecaster` makes one by name; a new one is a class
with the five methods of `Forecaster`.
"""

from pokermodel.scoring.baselines import AlwaysCall, Frequencies, ShownHoldings, Uniform
from pokermodel.scoring.calibrated import Calibrated
from pokermodel.scoring.forecaster import Forecaster
from pokermodel.scoring.measures import LEAST_PROBABILITY, LEAST_SHARE, Score
from pokermodel.scoring.modelers import ModelerForecaster
from pokermodel.scoring.registry import forecaster, kinds, register
from pokermodel.scoring.walk import Scores, public_hand, score

__all__ = [
    "LEAST_PROBABILITY",
    "LEAST_SHARE",
    "AlwaysCall",
    "Calibrated",
    "Forecaster",
    "Frequencies",
    "ModelerForecaster",
    "Score",
    "Scores",
    "ShownHoldings",
    "Uniform",
    "forecaster",
    "kinds",
    "public_hand",
    "register",
    "score",
]
