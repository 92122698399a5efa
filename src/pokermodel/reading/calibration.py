"""Forecasts and tables corrected by what came of earlier ones.

A reader can be right about the order of things, which holdings are likelier and which situations are more dangerous,
and yet be far too sure. Its tables then need an exponent, and its forecasts a factor for each act besides. Both are
learnt, hand by hand, from what is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from pokermodel._core import corrections
from pokermodel._support.arrays import Floats
from pokermodel.cards import shared_live_holdings
from pokermodel.game import Decision, Situation

__all__ = ["EVERY", "Calibration", "Forecast", "corrected"]

#: Of so many hands that are only learnt from, one is used to correct.
EVERY = 4
_PRIOR = np.diag([10.0, 2.0, 2.0, 2.0])  # how sure it is at first that nothing needs correction
_TABLE_PRIOR = 100.0
_MOST = 2.0  # exponent of a table


class Forecast(NamedTuple):
    """The forecasts around one action."""

    decision: Decision
    #: The forecast, (3,); None if there was none.
    predicted: Floats | None
    #: The player's weights after the act; None if the reader says nothing of holdings.
    weights: Floats | None


class Calibration:
    """A correction of tables and forecasts.

    A forecast p becomes proportional to ``exp(b) * p**w``: the exponent w and the three b are those of one of Loki-1's
    twelve contexts, by logistic regression on all acts so far (after Platt 1999). A table becomes ``table**t``, with an
    exponent for each round, by maximum likelihood of the holdings shown so far (after Guo et al. 2017). Every
    observation is one Newton step with the information gathered up to it, so that there is no learning rate, and
    nothing is kept but sums.

    Attributes
    ----------
    hands : int
        Number of learnt hands.
    forecasts : list of Forecast
        The forecasts of the current hand.
    """

    def __init__(self) -> None:
        self.hands = 0
        self.forecasts: list[Forecast] = []
        self._passed = 0  # hands that were not followed, since the last one of them that was learnt from
        self._theta = np.tile([1.0, 0.0, 0.0, 0.0], (4, 3, 1))  # w, b
        self._information = np.tile(_PRIOR, (4, 3, 1, 1))
        self._exponent = np.ones(4)
        self._table_information = np.full(4, _TABLE_PRIOR)

    @property
    def exponents(self) -> Floats:
        """The w: float64 (4, 3), by round and bets to call (0, 1, 2 or more)."""
        return self._theta[:, :, 0].copy()

    @property
    def factors(self) -> Floats:
        """The ``exp(b)`` of fold, call and raise: float64 (4, 3, 3), likewise."""
        factors: Floats = np.exp(self._theta[:, :, 1:])
        return factors

    @property
    def table_exponents(self) -> Floats:
        """The t: float64 (4,), by round."""
        return self._exponent.copy()

    def forecast(self, situation: Situation, predicted: Floats) -> Floats:
        """A corrected forecast: float64 (3,), 0 for acts that are not legal."""
        chances = np.empty(3)
        corrections.forecast(self._theta, situation, np.ascontiguousarray(predicted, dtype=np.float64), chances)
        return chances

    def exponent(self, round: int) -> float:
        """The exponent of tables in a round."""
        return float(self._exponent[round])

    def wants(self) -> bool:
        """Whether to follow a hand for learning alone: one in `EVERY`."""
        self._passed = (self._passed + 1) % EVERY
        return not self._passed

    def finish(self, holdings: Mapping[int, int]) -> None:
        """Learn from the forecasts of the hand, if any, and from the known holdings; then forget the forecasts."""
        if self.forecasts:
            self.learn_hand(self.forecasts, holdings)
            self.forecasts.clear()

    def learn_hand(self, said: Iterable[Forecast], holdings: Mapping[int, int]) -> None:
        """Learn from the forecasts of a finished hand, and from the known holdings: indices by seat."""
        told = list(said)
        corrections.learn_acts(self._theta, self._information, told)
        for forecast in told:
            holding = holdings.get(forecast.decision.situation.seat)
            if holding is not None and forecast.weights is not None:
                self._learn_holding(forecast.decision.situation, forecast.weights, holding)
        self.hands += 1

    def learn(self, said: Forecast, holding: int | None) -> None:
        """Learn from what came of a forecast, and of a table where the holding became known: its index."""
        corrections.learn_acts(self._theta, self._information, [said])
        if said.weights is not None and holding is not None:
            self._learn_holding(said.decision.situation, said.weights, holding)

    def _learn_holding(self, situation: Situation, weights: Floats, holding: int) -> None:
        live, round = shared_live_holdings(situation.board), situation.round
        if not (weights[holding] > 0 and live[holding]):
            return  # no exponent mends that
        given = np.ascontiguousarray(weights, dtype=np.float64)
        off, variance = corrections.log_information(given, live.view(np.uint8), holding, self._exponent[round])
        self._table_information[round] += variance
        step = off / self._table_information[round]
        self._exponent[round] = min(max(self._exponent[round] + step, 0.0), _MOST)


def corrected(weights: Floats, board: tuple[int, ...], exponent: float) -> Floats:
    """Weights to a power, those of holdings that meet the board 0: float64 (1326,); as they are for a power of 1."""
    if exponent == 1.0:
        return weights
    powers = np.empty(len(weights))
    given = np.ascontiguousarray(weights, dtype=np.float64)
    if not corrections.shares_of_largest(given, shared_live_holdings(board).view(np.uint8), powers) > 0:
        return powers
    dead = None if exponent > 0 else powers == 0  # a power of 0 makes them 1
    powers **= exponent
    if dead is not None:
        powers[dead] = 0.0
    return powers
