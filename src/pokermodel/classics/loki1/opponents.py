"""Loki-1's ranges of its opponents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice
from pokermodel.cards import N_HOLDINGS
from pokermodel.classics.loki1.field import FieldMethod, spot_field, spot_strengths
from pokermodel.classics.loki1.initial import income_weights
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.evaluation import Potential
from pokermodel.evaluation.preflop import income_rates_by_holding, percentile_value
from pokermodel.game import Situation
from pokermodel.learning.thresholds import PREFLOP_SIGMA
from pokermodel.reading.reader import Spot
from pokermodel.reading.registry import read_reader
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.common import CommonKnowledge

__all__ = [
    "UNIFORM",
    "FixedArray",
    "FixedTables",
    "SpotTables",
    "Tables",
    "caller_weights",
    "fixed_weights",
    "reading_session",
]

#: The weights of players without a model.
FixedArray: TypeAlias = Literal["reasonable", "caller", "uniform"]


def reading_session(model: str, options: Mapping[str, Any], **about: Any) -> OpponentModeler:
    """A session for a player who goes by its tables.

    Parameters
    ----------
    model : str
        Name of a reader, with options as for `OpponentModeler`.
    options : mapping of str to object
        The player's settings; options that the reader does not have are left out.
    **about
        Further arguments of `OpponentModeler`.

    Raises
    ------
    ValueError
        If there is no such reader, or it says nothing of holdings.
    """
    kind, _ = read_reader(model)
    fitting = {name: value for name, value in options.items() if name in kind.options}
    session = OpponentModeler(model, **about, **fitting)
    if not session.reader.infers_holdings:
        raise ValueError(f"model {model!r} says nothing of holdings: a player needs one that does")
    return session


class Tables(Protocol):
    """Loki-1's view of the opponents of the player to act."""

    def strength(self, situation: Situation, holding: int, method: FieldMethod) -> float:
        """Hand strength of a holding, by its index, against one of the opponents."""

    def potential(self, situation: Situation, holding: int, method: FieldMethod) -> Potential:
        """One-card potential of a holding against the opponents seen as one."""


class SpotTables:
    """The tables of a spot."""

    __slots__ = ("spot",)

    def __init__(self, spot: Spot) -> None:
        self.spot = spot

    def strength(self, situation: Situation, holding: int, method: FieldMethod) -> float:  # noqa: D102
        return float(spot_strengths(self.spot, method)[holding])

    def potential(self, situation: Situation, holding: int, method: FieldMethod) -> Potential:  # noqa: D102
        assert self.spot.analysis is not None
        return self.spot.analysis.potential(holding, spot_field(self.spot, method))


@cache
def caller_weights() -> Floats:
    """The weights that the generic model gives to a caller of one bet before the flop.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Read-only.
    """
    weights = reweighting_factors(income_rates_by_holding(), percentile_value(0.5), PREFLOP_SIGMA, compensate=False)
    weights.setflags(write=False)
    return weights


#: Any holding is as likely as any other: float64 (1326,), read-only.
UNIFORM: Floats = np.ones(N_HOLDINGS)
UNIFORM.setflags(write=False)


def fixed_weights(array: FixedArray) -> Floats:
    """The weights of players without a model, by name.

    The "reasonable" array of Papp's (1998, section 8.4.1) basic players is not printed. Ours is fitted to nine weights
    of Billings et al. (AAAI 1998, Table 2), which are those of an opponent who called before the flop and bet after
    it, under a scheme in which pre-flop frequencies become the weights; here it is everybody's array.

    Parameters
    ----------
    array : {"reasonable", "caller", "uniform"}
        `income_weights`, `caller_weights`, or the same for every holding.

    Returns
    -------
    ndarray of float64, shape (1326,)
        Read-only.

    Raises
    ------
    ValueError
        If there is no such array.
    """
    check_choice("array", array, get_args(FixedArray))
    if array == "uniform":
        return UNIFORM
    return income_weights() if array == "reasonable" else caller_weights()


class FixedTables:
    """Gives every opponent the same weights after any actions.

    Parameters
    ----------
    name : str
        Of the weights: what is computed with them is kept under it, for everybody at the table.
    weights : ndarray of float64, shape (1326,)
        The weights.
    common : CommonKnowledge
        Where it is kept.
    """

    __slots__ = ("common", "name", "weights")

    def __init__(self, name: str, weights: Floats, common: CommonKnowledge) -> None:
        self.name = name
        self.weights = weights
        self.common = common

    def strength(self, situation: Situation, holding: int, method: FieldMethod) -> float:  # noqa: D102
        board, weights = situation.board, self.weights
        hs1 = self.common.note(board, self.name, lambda: self.common.analysis(board).strengths(weights))
        return float(hs1[holding])

    def potential(self, situation: Situation, holding: int, method: FieldMethod) -> Potential:  # noqa: D102
        # not noted in common: which holding somebody asks about is private
        return self.common.analysis(situation.board).potential(holding, self.weights)
