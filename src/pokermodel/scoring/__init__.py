"""How true readers are: forecasts of acts and of hidden cards, scored on hands in the order they were played.

`score` walks through the hands. A reader says before each act what will be done, and after it what the player can hold;
what it said is compared with what happened.
"""

from pokermodel.scoring.measures import LEAST_PROBABILITY, LEAST_SHARE, Score
from pokermodel.scoring.walk import Scores, score

__all__ = ["LEAST_PROBABILITY", "LEAST_SHARE", "Score", "Scores", "score"]
