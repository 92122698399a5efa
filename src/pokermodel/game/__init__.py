"""Texas hold'em: the game's parameters, the state of a table, hands that are played or were, and their replay.

The rules themselves live in `pokermodel._core.rules`; everything here describes and walks them.
"""

from pokermodel._core.rules import Act, State
from pokermodel.game.action import Action
from pokermodel.game.hand import Hand
from pokermodel.game.live import LiveHand
from pokermodel.game.positions import POSITIONS, SEATS, TABLE_SIZES, position_names, positions, seat_names, table_size
from pokermodel.game.rounds import BOARD_CARDS, ROUNDS
from pokermodel.game.situation import Decision, Situation
from pokermodel.game.spec import GameSpec
from pokermodel.game.structure import BettingStructure

__all__ = [
    "BOARD_CARDS",
    "POSITIONS",
    "ROUNDS",
    "SEATS",
    "TABLE_SIZES",
    "Act",
    "Action",
    "BettingStructure",
    "Decision",
    "GameSpec",
    "Hand",
    "LiveHand",
    "Situation",
    "State",
    "position_names",
    "positions",
    "seat_names",
    "table_size",
]
