"""Solving: equilibria, best answers and safe answers in subgames of hold'em for two.

A `Subgame` says board, pot, stacks, sizes and both ranges; `solve` gives a `Solution`, with the strategy and the worth
of every act with every holding at every node, and how far each of these may be off.

>>> spot = Subgame("QsJh2h8c3d", pot=200, stacks=900, ranges=("QQ,AK,98s", "JJ,KK,T9s"), bets=["50%", "all-in"])
>>> solution = solve(spot)
>>> solution.exploitability < .5
True
"""

from pokermodel.solving.bounds import EVBounds, ev_bounds
from pokermodel.solving.gain import Gain, gain_of
from pokermodel.solving.lock import BoardStrategy, Lock
from pokermodel.solving.menu import Menu
from pokermodel.solving.played_street import PlayedNode
from pokermodel.solving.readers import locks_from
from pokermodel.solving.size_choice import SizeChoice, compare_sizes
from pokermodel.solving.solution import BestResponse, Check, Solution
from pokermodel.solving.solver import solve
from pokermodel.solving.subgame import Subgame, SubgameSize
from pokermodel.solving.three_way import three_way_shares
from pokermodel.solving.values import NodeValues

__all__ = [
    "BestResponse",
    "BoardStrategy",
    "Check",
    "EVBounds",
    "Gain",
    "Lock",
    "Menu",
    "NodeValues",
    "PlayedNode",
    "SizeChoice",
    "Solution",
    "Subgame",
    "SubgameSize",
    "compare_sizes",
    "ev_bounds",
    "gain_of",
    "locks_from",
    "solve",
    "three_way_shares",
]
