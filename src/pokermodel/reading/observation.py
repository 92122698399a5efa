"""What came of an act, and how probable a holding was judged that became known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.forms import text_of
from pokermodel._support.records import Record
from pokermodel.cards import HOLDINGS, CardsLike, cards_text, holding_index, holding_text
from pokermodel.game import Decision
from pokermodel.reading.calibration import corrected
from pokermodel.reading.frequencies import Context
from pokermodel.reading.reader import Detail, Expectation, Fact
from pokermodel.weights import WeightTable

__all__ = ["Judgement", "Observation"]

_EQUAL = 1e-12  # probabilities that differ by less, of one of them, do so by rounding


@dataclass(frozen=True, eq=False, slots=True)
class Observation(Record):
    """What a reader made of one act.

    Attributes
    ----------
    decision : Decision
        The act, with its situation.
    reweighted : bool
        Whether the table changed.
    reason : str
        Why, or why not, in words.
    dead : tuple of int
        Cards that the player's table rules out.
    prior, posterior : ndarray of float64, shape (1326,)
        The player's weights before and after the act, before any correction. After a fold, the last weights of the
        player.
    detail : Detail or None
        What the reader went by.
    exponent : float
        What corrects the weights, see `Calibration`.
    corrected_forecast : ndarray of float64, shape (3,), or None
        How likely a fold, a call and a raise were, as corrected by earlier hands; None where nothing corrects it.
    """

    decision: Decision
    reweighted: bool
    reason: str
    dead: tuple[int, ...]
    prior: Floats
    posterior: Floats
    detail: Detail | None = None
    exponent: float = 1.0
    corrected_forecast: Floats | None = None

    @property
    def weights_before(self) -> Floats:
        """The player's weights before the act: float64 (1326,)."""
        return corrected(self.prior, self.decision.board, self.exponent)

    @property
    def weights_after(self) -> Floats:
        """The player's weights after the act: float64 (1326,)."""
        return corrected(self.posterior, self.decision.board, self.exponent)

    @property
    def before(self) -> WeightTable:
        """The player's table before the act."""
        return WeightTable(self.weights_before, dead=self.dead)

    @property
    def after(self) -> WeightTable:
        """The player's table after the act."""
        return WeightTable(self.weights_after, dead=self.dead)

    @property
    def expected(self) -> Expectation | None:
        """What the player was expected to do, where the act was judged by that."""
        return self.detail if isinstance(self.detail, Expectation) else None

    def facts(self) -> list[Fact]:
        """What the reader went by, for reports."""
        found = []
        if not self.decision.out_of_turn:
            situation = self.decision.situation
            context, words = _context(situation.round, situation.bets_to_call)
            found.append(Fact("context", "context", {"context": [*context], "words": words}, "context"))
        if self.detail is not None:
            found += self.detail.facts(self)
        return found

    def _repr_html_(self) -> str:
        return text_of(self, "html")


@cache  # of the few that there are
def _context(round: int, bets_to_call: int) -> tuple[Context, str]:
    """The context of a situation, and the same in words."""
    found = Context.of(round, bets_to_call)
    return found, str(found)


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
        """What a table says of a holding.

        Raises
        ------
        ValueError
            If the holding is not two cards, or the table rules its cards out.
        """
        index = holding_index(holding)
        judged = table.fixed.judged(index, _EQUAL)
        if judged is None:
            raise ValueError(f"{holding_text(index)} is not possible: the board is {cards_text(table.dead)}")
        probability, live, rank = judged
        return cls(HOLDINGS[index], probability, 1.0 / live, rank)
