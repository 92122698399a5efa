"""The Bayesian Poker Program as a reader, carried to hold'em (Korb, Nicholson and Jitnah 1999; Carlton 2000).

Every act, folds and those before the flop included, multiplies the weight of each holding by the probability that this
player does it with a holding of its class. The tables are learnt from whole hands; see
`pokermodel.classics.bpp.class_tables.BayesTables`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from pokermodel._core import class_tables
from pokermodel._support.arrays import Bytes, Floats
from pokermodel._support.options import choice, number
from pokermodel.cards import N_HOLDINGS, shared_live_holdings
from pokermodel.classics.bpp.class_tables import BayesTables, Estimator
from pokermodel.classics.bpp.strength_buckets import strength_classes
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader, Reading, Spot, Update, bayes_reason
from pokermodel.reading.registry import ReaderKind, register

__all__ = ["BppReader", "ClassExpectation"]


class ClassExpectation(Expectation):
    """The forecasts of BPP.

    Holding by holding it is worked out where somebody asks.

    Attributes
    ----------
    table : ndarray of float64, shape (22, 3)
        Probability of fold, call and raise with each class of holdings.
    classes : ndarray of uint8, shape (1326,)
        The class of each holding; read-only, since it is shared.
    dead : tuple of int
        Cards that no player can hold.
    analysis : BoardAnalysis or None
        Of the board; None before the flop.
    """

    __slots__ = ("analysis", "classes", "dead", "table")

    table: Floats
    classes: Bytes
    dead: tuple[int, ...]
    analysis: BoardAnalysis | None

    def __init__(
        self, table: Floats, predicted: Floats, classes: Bytes, dead: tuple[int, ...], analysis: BoardAnalysis | None
    ) -> None:
        classes.setflags(write=False)  # also after copying, which NumPy ends with arrays that can be written to
        put = object.__setattr__  # it is frozen
        put(self, "table", table)
        put(self, "predicted", predicted)
        put(self, "classes", classes)
        put(self, "dead", dead)
        put(self, "analysis", analysis)

    def __reduce__(self) -> tuple[Any, ...]:
        return ClassExpectation, (self.table, self.predicted, self.classes, self.dead, self.analysis)

    @property
    def triples(self) -> Floats:
        """Probability of fold, call and raise with each holding: float64 (1326, 3), new each time."""
        triples = np.empty((N_HOLDINGS, 3))
        class_tables.spread(self.table, self.classes, shared_live_holdings(self.dead).view(np.uint8), triples)
        return triples

    @property
    def values(self) -> Floats:
        """The values behind the classes: float64 (1326,), nan for impossible holdings.

        Income rates before the flop, the strength against a uniform table after it.
        """
        return income_rates_by_holding() if self.analysis is None else self.analysis.strengths()

    def posterior(self, weights: Floats, act: Act, least: float = 0.0) -> Floats:
        """A player's weights after an act, class by class: float64 (1326,)."""
        if least:
            return super().posterior(weights, act, least)
        after = np.empty(N_HOLDINGS)
        if class_tables.posterior(
            self.table, act, self.classes, shared_live_holdings(self.dead).view(np.uint8), weights, after
        ):
            return after
        return weights.copy()  # what no holding does says nothing


class BppReader(Reader):
    """Re-weights by tables P(act | class, situation, player).

    Parameters
    ----------
    tables : BayesTables
        The knowledge, which it adds to.
    """

    public_tables = False
    learns = True

    def __init__(self, tables: BayesTables) -> None:
        self.tables = tables

    def expect(self, spot: Spot) -> ClassExpectation:
        """By the class of each holding."""
        return self._said(spot, None)[0]

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """Forecast an act and judge it, by a table of classes that is worked out once."""
        expected, after = self._said(spot, decision.act)
        return Reading(expected.predicted, None, Update(after, bayes_reason(spot.situation, decision.act), expected))

    def _said(self, spot: Spot, act: Act | None) -> tuple[ClassExpectation, Floats | None]:
        """What is expected, and the player's weights after an act."""
        situation, analysis = spot.situation, spot.analysis
        classes = strength_classes(analysis)
        table, predicted, after = self.tables.expect(
            spot.features, situation.legal, situation.player, classes, spot.weights, act
        )
        return ClassExpectation(table, predicted, classes, spot.dead, analysis), after

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """One step of expectation-maximisation; see `BayesTables.learn`."""
        self.tables.learn(hand, decisions)


def _bpp(known: Mapping[str, Any] | None, *, tables: BayesTables | None = None, **options: Any) -> BppReader:
    if tables is not None:
        if options:
            raise ValueError(f"tables that are handed in have options of their own: got {', '.join(options)}, too")
        return BppReader(tables)
    made = BayesTables(**options)
    if known is not None and hasattr(known, "knowledge") and (before := known.knowledge(BayesTables)) is not None:
        made.merge(before)
    return BppReader(made)


register(
    ReaderKind(
        "bpp",
        _bpp,
        "the Bayesian Poker Program: how often each player does what with each class of holdings",
        {"estimator": choice(*get_args(Estimator)), "strength": number, "decay": number},
        accepts=("tables",),
        needs=("bpp",),
        knowledge=(BayesTables,),
    )
)
