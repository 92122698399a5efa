"""How true readers are: forecasts of acts and of hidden cards, scored on hands in the order they were played.

`score` walks through the hands. Before each action a reader gives a forecast, and after it the player's range;
both are compared with the facts.
"""

from pokermodel.scoring.measures import LEAST_PROBABILITY, LEAST_SHARE, Score
from pokermodel.scoring.walk import Scores, score

__all__ = ["LEAST_PROBABILITY", "LEAST_SHARE", "Score", "Scores", "score"]
