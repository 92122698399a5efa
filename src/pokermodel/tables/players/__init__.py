"""Players: how the programs that the models come from choose their actions."""

from typing import TYPE_CHECKING

from pokermodel._support.later import imported_later

if TYPE_CHECKING:
    from pokermodel._support.options import choice, number, switch, whole
    from pokermodel.tables.players.common import CommonKnowledge
    from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandEnd, HandStart, Player, View
    from pokermodel.tables.players.registry import Kind, kinds, make_player, parse_players, register
    from pokermodel.tables.players.seat import IllegalAct, Seat

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
            "CommonKnowledge": "pokermodel.tables.players.common",
            **dict.fromkeys(
                ("ALL_STRUCTURES", "Answer", "HandEnd", "HandStart", "Player", "View"),
                "pokermodel.tables.players.player",
            ),
            **dict.fromkeys(
                ("Kind", "kinds", "make_player", "parse_players", "register"), "pokermodel.tables.players.registry"
            ),
            **dict.fromkeys(("IllegalAct", "Seat"), "pokermodel.tables.players.seat"),
        },
    )
