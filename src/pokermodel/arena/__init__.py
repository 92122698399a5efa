"""Tournaments: duplicate deals, statistics over deals, and the experiments of the sources."""

from pokermodel.arena.statistics import Estimate, estimate, t_quantile
from pokermodel.arena.table import Deal, Failure, PlayedHand, PlayerFailed, deal_cards, play_hand
from pokermodel.arena.tournament import Entrant, TournamentResult, seatings, tournament

__all__ = [
    "Deal",
    "Entrant",
    "Estimate",
    "Failure",
    "PlayedHand",
    "PlayerFailed",
    "TournamentResult",
    "deal_cards",
    "estimate",
    "play_hand",
    "seatings",
    "t_quantile",
    "tournament",
]
