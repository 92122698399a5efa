"""Players: how the programs that the models come from choose their actions."""

from pokermodel._support.options import choice, number, switch, whole
from pokermodel.players.common import CommonKnowledge
from pokermodel.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View
from pokermodel.players.registry import Kind, kinds, make_player, parse_players, register
from pokermodel.players.seat import IllegalAct, Seat

__all__ = [
    "ALL_STRUCTURES",
    "Answer",
    "CommonKnowledge",
    "HandEnd",
    "HandStart",
    "IllegalAct",
    "Kind",
    "Player",
    "Seat",
    "View",
    "choice",
    "kinds",
    "make_player",
    "number",
    "parse_players",
    "register",
    "switch",
    "whole",
]
