"""Five-card stud for two, and the Bayesian Poker Program, which plays it."""

from pokermodel.classics.stud.defaults import default_counts, default_tables
from pokermodel.classics.stud.exact import exact_win, read_cards
from pokermodel.classics.stud.game import StudDecision, StudHand, StudSpec, StudState
from pokermodel.classics.stud.match import Games, Match, play_match
from pokermodel.classics.stud.network import StudNetwork
from pokermodel.classics.stud.opponents import learn_opponent, opponent_tables
from pokermodel.classics.stud.players import STYLES, Acting, Choice, Reader, StudPlayer
from pokermodel.classics.stud.tables import CardTables, card_tables, hand_state

__all__ = [
    "STYLES",
    "Acting",
    "CardTables",
    "Choice",
    "Games",
    "Match",
    "Reader",
    "StudDecision",
    "StudHand",
    "StudNetwork",
    "StudPlayer",
    "StudSpec",
    "StudState",
    "card_tables",
    "default_counts",
    "default_tables",
    "exact_win",
    "hand_state",
    "learn_opponent",
    "opponent_tables",
    "play_match",
    "read_cards",
]
