"""Hold'em helpers on pokermodel's kernels."""

from holdemtools.kernels import LANGUAGE, best_cards, deal, potentials, rank_many, strengths, threshold_policy

__all__ = ["LANGUAGE", "best_cards", "deal", "potentials", "rank_many", "strengths", "threshold_policy"]
