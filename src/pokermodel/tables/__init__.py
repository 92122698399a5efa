"""Tables: players, tournaments between them, blueprints, and the engines of other people.

The main part of the package never imports this wing. Its players and commands are found by entry points.
"""

from typing import TYPE_CHECKING

from pokermodel._support.forms import made_by
from pokermodel._support.later import imported_later

if TYPE_CHECKING:
    from pokermodel.tables.arena.tournament import Entrant, TournamentResult, tournament
    from pokermodel.tables.blueprint.blueprint import Blueprint
    from pokermodel.tables.players.player import Player, View
    from pokermodel.tables.players.registry import make_player
    from pokermodel.tables.players.seat import Seat

__all__ = ["Blueprint", "Entrant", "Player", "Seat", "TournamentResult", "View", "make_player", "tournament"]

made_by("html", "pokermodel.tables.report.notebook")

if not TYPE_CHECKING:
    __getattr__ = imported_later(
        __name__,
        {
            **dict.fromkeys(("Entrant", "TournamentResult", "tournament"), "pokermodel.tables.arena.tournament"),
            "Blueprint": "pokermodel.tables.blueprint.blueprint",
            **dict.fromkeys(("Player", "View"), "pokermodel.tables.players.player"),
            "make_player": "pokermodel.tables.players.registry",
            "Seat": "pokermodel.tables.players.seat",
        },
    )
