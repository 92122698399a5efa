"""Tournaments: tables, duplicate deals, and statistics over deals."""

from pokermodel.tables.arena.hand import Deal, Failure, PlayerFailed, TableHand, deal_cards, play_hand
from pokermodel.tables.arena.random_hands import RandomHands, random_hands
from pokermodel.tables.arena.statistics import Estimate, estimate, t_quantile
from pokermodel.tables.arena.tournament import Entrant, TournamentResult, seatings, tournament

__all__ = [
    "Deal",
    "Entrant",
    "Estimate",
    "Failure",
    "PlayerFailed",
    "RandomHands",
    "TableHand",
    "TournamentResult",
    "deal_cards",
    "estimate",
    "play_hand",
    "random_hands",
    "seatings",
    "t_quantile",
    "tournament",
]
