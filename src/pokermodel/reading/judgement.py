"""How probable a holding was judged that became known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokermodel.cards import HOLDINGS, CardsLike, cards_text, holding_index, holding_text
from pokermodel.weights import WeightTable

__all__ = ["Judgement"]

_EQUAL = 1e-12  # probabilities that differ by less, of one of them, do so by rounding


@dataclass(frozen=True, slots=True)
class Judgement:
    """How probable a holding was judged that became known.

    Attributes
    ----------
    holding : str
        The holding, as text.
    probability : float
        Its probability in the table.
    uniform : float
        One over the number of holdings that were possible.
    rank : int
        One plus the number of holdings that were judged more probable.
    """

    holding: str
    probability: float
    uniform: float
    rank: int

    @property
    def bits_gained(self) -> float:
        """Binary logarithm of probability over uniform: how much better than knowing nothing."""
        return float(np.log2(self.probability / self.uniform)) if self.probability > 0 else float("-inf")

    @classmethod
    def of(cls, table: WeightTable, holding: CardsLike) -> Judgement:
        """How probable a table has a holding; `ValueError` if it is not two cards, or the table rules them out."""
        index = holding_index(holding)
        judged = table.fixed.judged(index, _EQUAL)
        if judged is None:
            raise ValueError(f"{holding_text(index)} is not possible: the board is {cards_text(table.dead)}")
        probability, live, rank = judged
        return cls(HOLDINGS[index], probability, 1.0 / live, rank)
