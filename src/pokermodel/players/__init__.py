"""Players: how the programs that the models come from choose their actions."""

from pokermodel.players.commons import Commons
from pokermodel.players.player import HandEnd, HandStart, Player, View
from pokermodel.players.registry import Kind, kinds, make_player, parse_players, register

__all__ = [
    "Commons",
    "HandEnd",
    "HandStart",
    "Kind",
    "Player",
    "View",
    "kinds",
    "make_player",
    "parse_players",
    "register",
]
