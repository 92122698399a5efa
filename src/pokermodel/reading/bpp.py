"""The Bayesian Poker Program as a reader, carried to hold'em (Korb, Nicholson and Jitnah 1999; Carlton 2000).

Every act, folds and those before the flop included, multiplies the weight of each holding by the probability that this
player does it with a holding of its class. The tables are learnt from whole hands; see
`pokermodel.reading.parts.class_tables.BayesTables`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from pokermodel._arrays import Floats
from pokermodel._core import class_tables
from pokermodel._options import choice, number
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Decision, Hand, Situation
from pokermodel.reading.parts.class_tables import BayesTables, Estimator
from pokermodel.reading.parts.observed_hands import cells
from pokermodel.reading.parts.strength_classes import strength_classes
from pokermodel.reading.reader import Expectation, Reader
from pokermodel.reading.registry import ReaderKind, register
from pokermodel.reading.session import OpponentModeler

__all__ = ["BppReader", "ClassExpectation"]


@dataclass(frozen=True, eq=False, slots=True)
class ClassExpectation(Expectation):
    """What BPP expects.

    Attributes
    ----------
    values : ndarray of float64, shape (1326,)
        What the classes are made of: income rates before the flop, the strength against a uniform table after it. nan
        where a holding is not possible.
    """

    values: Floats


class BppReader(Reader):
    """Re-weights by tables P(act | class, situation, player).

    Parameters
    ----------
    tables : BayesTables
        What is known, and added to.
    """

    public_tables = False
    learns = True

    def __init__(self, tables: BayesTables) -> None:
        self.tables = tables

    def expect(self, session: OpponentModeler, situation: Situation) -> ClassExpectation:
        """By the class of each holding."""
        seat, analysis = situation.seat, session.analysis
        weights = session.posterior(seat)
        table = self.tables.table(cells(session.features(situation)), situation.legal, situation.player)
        triples, predicted = np.empty((N_HOLDINGS, 3)), np.empty(3)
        live = session.live(seat).view(np.uint8)
        class_tables.spread(table, strength_classes(analysis), live, weights, triples, predicted)
        return ClassExpectation(
            triples=triples,
            predicted=predicted,
            values=income_rates_by_holding() if analysis is None else analysis.strengths(),
        )

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
