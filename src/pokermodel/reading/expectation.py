"""A reader's forecasts for a player, and its result for the action, each with its evidence for reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from pokermodel._core import reweighting
from pokermodel._support.arrays import Floats
from pokermodel._support.forms import text_of
from pokermodel._support.records import Record
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act, Decision
from pokermodel.reading.calibration import corrected
from pokermodel.reading.frequencies import Context
from pokermodel.reading.posterior import posterior
from pokermodel.weights import WeightTable

__all__ = ["Choice", "Detail", "Expectation", "Fact", "Observation"]


class Fact(NamedTuple):
    """Something that a report says.

    Attributes
    ----------
    key : str
        Its name in JSON.
    label : str
        Its description, in words.
    value : object
        Plain data: text, a number, or lists and dictionaries of them.
    kind : str
        How it is shown: "text", "number", "count", "share", "acts" (probabilities of fold, call and raise), or a kind
        that `pokermodel.report` knows besides.
    """

    key: str
    label: str
    value: Any
    kind: str = "text"


class Detail(Protocol):
    """A reader's evidence for its judgement of an action, which it can put into words."""

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """Its evidence, for reports."""


class Choice(NamedTuple):
    """One of the actions of a strategy.

    Attributes
    ----------
    act : Act
    size : int or None
        The class of the size of a bet or raise, as an index of `pokermodel.reading.SIZE_CLASSES`; None where there is
        none to choose.
    """

    act: Act
    size: int | None = None


#: The actions where sizes are not free.
_TRIPLE = (Choice(Act.FOLD), Choice(Act.CALL), Choice(Act.RAISE))


@dataclass(frozen=True, eq=False)
class Expectation(Record):
    """A reader's forecasts for a player in a situation: a strategy, and the frequencies that follow from it.

    A person's habits and the answer of a solver are the same thing: for a situation with its list of actions, the
    probability of each with each holding. Choice and size are factors of it, kept apart because readers know them
    apart and their log-losses add; `strategy` is their product, and `triples` its view without sizes, by which the
    classics go. The alternative, one array from the beginning, would have every reader of limit carry sizes that there
    are not, and work them out for every act. A subclass may work the triples out when they are needed.

    Attributes
    ----------
    triples : ndarray of float64, shape (1326, 3)
        Probability of fold, call and raise with each holding, nan where it is not possible.
    predicted : ndarray of float64, shape (3,)
        Their mean by the player's weights: the forecast of the act.
    """

    triples: Floats
    predicted: Floats

    def with_holding(self, holding: int) -> tuple[float, float, float]:
        """The triple of one holding, given by its index."""
        fold, call, raise_ = self.triples[holding].tolist()
        return fold, call, raise_

    @property
    def size_shares(self) -> Floats | None:
        """Of a bet or raise, the probability of each class of sizes with each holding: float64 (1326, sizes).

        nan where a holding is not possible. None where the size is not free, or the reader says nothing of sizes.
        """
        return None

    @property
    def actions(self) -> tuple[Choice, ...]:
        """The actions of the strategy, in the order of its columns."""
        shares = self.size_shares
        if shares is None:
            return _TRIPLE
        return (*_TRIPLE[:2], *(Choice(Act.RAISE, size) for size in range(shares.shape[1])))

    @property
    def strategy(self) -> Floats:
        """Probability of each action with each holding: float64 (1326, actions), nan where it is not possible."""
        triples, shares = self.triples, self.size_shares
        if shares is None:
            return triples
        return np.concatenate([triples[:, :2], triples[:, 2:] * shares], axis=1)

    @classmethod
    def of(cls, triples: Floats, weights: Floats, **more: Any) -> Self:
        """The expectation that follows from triples and a player's weights, which have a positive sum.

        `more` are further attributes of a subclass. `ValueError` if a holding with a weight has no probabilities.
        """
        predicted = np.empty(3)
        if not reweighting.mean_triple(np.ascontiguousarray(weights), np.ascontiguousarray(triples), predicted):
            raise ValueError(f"triples forecast {predicted.tolist()}: expected finite probabilities, 0 or more")
        return cls(triples, predicted, **more)

    @classmethod
    def alike(cls, chances: Sequence[float] | Floats) -> Self:
        """The expectation of a reader that expects the same acts with every holding: float (3,)."""
        predicted = np.asarray(chances, dtype=np.float64)
        return cls(np.broadcast_to(predicted, (N_HOLDINGS, 3)), predicted)

    def posterior(self, weights: Floats, act: Act, least: float = 0.0) -> Floats:
        """A player's weights after an act, as `pokermodel.reading.posterior` has them: float64 (1326,)."""
        return posterior(weights, self.triples[:, act], least)

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """The forecast, for reports: as corrected by earlier hands, where it is."""
        forecast = self.predicted if observation.corrected_forecast is None else observation.corrected_forecast
        return [Fact("predicted", "predicted by the table", forecast.tolist(), "acts")]


@dataclass(eq=False, slots=True)  # not frozen: one is made for every action, and frozen ones take three times as long
class Observation(Record):
    """A reader's result for one action.

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
        The reader's evidence.
    exponent : float
        The correction of the weights, see `Calibration`.
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
        """The forecast for the player, if the action was judged by it."""
        return self.detail if isinstance(self.detail, Expectation) else None

    def facts(self) -> list[Fact]:
        """The reader's evidence, for reports."""
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
