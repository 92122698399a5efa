"""Players: how the programs that the models come from choose their actions."""

from typing import TYPE_CHECKING

from pokermodel._support.later import imported_later

if TYPE_CHECKING:
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

# who is advised on a hand needs no players, which stand on simulation and solving
if not TYPE_CHECKING:
    __getattr__ = imported_later(
        __name__,
        {
            **dict.fromkeys(("choice", "number", "switch", "whole"), "pokermodel._support.options"),
            "CommonKnowledge": "pokermodel.players.common",
            **dict.fromkeys(
                ("ALL_STRUCTURES", "Answer", "HandEnd", "HandStart", "Player", "View"), "pokermodel.players.player"
            ),
            **dict.fromkeys(
                ("Kind", "kinds", "make_player", "parse_players", "register"), "pokermodel.players.registry"
            ),
            **dict.fromkeys(("IllegalAct", "Seat"), "pokermodel.players.seat"),
        },
    )
