"""The knowledge of players: statistics, and what models learn, kept in a book."""

from pokermodel.learning.knowledge import FromHands, Knowledge, kinds, register, select_kinds
from pokermodel.learning.statistics import PlayerStatistics

__all__ = ["FromHands", "Knowledge", "kinds", "register", "select_kinds"]

register(PlayerStatistics)
