"""Estimators of the tables of an opponent in stud, by what they use of the hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.action_tables import ActionTables
from pokermodel.classics.bpp.estimators import expectation_maximization, inverse_probability, showdown_only
from pokermodel.classics.bpp.hidden_hands import HandSet
from pokermodel.classics.stud.players import Reader

__all__ = ["ALL_CARDS", "EM", "ESTIMATORS", "PUBLISHED", "SHOWDOWNS", "WEIGHTS", "Estimator"]

#: The opponents of the learners read hands as the published program does.
PUBLISHED = Reader(17, arc=True)

Estimator: TypeAlias = Callable[[HandSet, HandSet, ActionTables, ActionTables], Floats]


def _from_showdowns(seen: HandSet, _shown: HandSet, _base: ActionTables, _last: ActionTables) -> Floats:
    return showdown_only(seen)


def _from_weights(seen: HandSet, _shown: HandSet, base: ActionTables, _last: ActionTables) -> Floats:
    return inverse_probability(seen, base, sweeps=20, tolerance=1e-3).counts


def _from_all_hands(seen: HandSet, _shown: HandSet, base: ActionTables, last: ActionTables) -> Floats:
    return expectation_maximization(seen, base, start=last.probabilities(), steps=100, tolerance=2e-3).counts


def _from_all_cards(_seen: HandSet, shown: HandSet, _base: ActionTables, _last: ActionTables) -> Floats:
    return showdown_only(shown)


SHOWDOWNS, WEIGHTS, EM, ALL_CARDS = "showdowns only", "inverse probability", "EM", "all cards seen"
ESTIMATORS: Mapping[str, Estimator] = {
    SHOWDOWNS: _from_showdowns,
    WEIGHTS: _from_weights,
    EM: _from_all_hands,
    ALL_CARDS: _from_all_cards,
}
