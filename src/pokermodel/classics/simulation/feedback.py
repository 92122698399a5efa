"""Feedback: what players did, held against what simulations expected of them.

Peña (1999) names it as future work to feed what a simulation expects of the opponents back into their models
where it proves wrong. How that is done is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.classics.simulation.advice import Advice
from pokermodel.game import Decision

__all__ = ["Feedback"]

#: Acts after which the step of an update has halved.
_SLOW = 20
#: Step of the first update, in units of the logarithm of a factor.
_STEP = 0.2
_LARGEST = 5.0  # of the logarithm of a factor
_FEWEST = 10  # acts in trials without which nothing is expected


class Feedback:
    """Factors of fold, call and raise that make the players of a trial act as often as the real ones do.

    After a simulation, the acts of each opponent in the trials are the forecast of their next acts, by round and bets
    to call. When the opponent acts, the logarithms of their factors move by a step times what they did minus what was
    expected. That is the gradient of the logarithm of the likelihood, so that the expected frequencies approach those
    observed. The step is ``0.2/(1 + n/20)`` for the n-th act.

    Examples
    --------
    >>> Feedback().tilts("Ann").tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """

    def __init__(self) -> None:
        self._logs: dict[str, Floats] = {}
        self._seen: dict[str, list[int]] = {}  # acts by bets to call
        self._players: tuple[str, ...] = ()
        self._forecast: Floats | None = None  # (players, 4, 3, 3)

    def begin(self) -> None:
        """Begin a hand: nothing is expected yet."""
        self._forecast = None

    def expect(self, players: Sequence[str], advice: Advice, branch: int) -> None:
        """Take the acts of the trials as a forecast.

        Parameters
        ----------
        players : sequence of str
            Names by seat.
        advice : Advice
            The result of the simulation.
        branch : {0, 1}
            Branch of the act that was chosen: 0 check or call, 1 bet or raise.
        """
        self._players = tuple(players)
        counts = advice.acts[branch].astype(np.float64)
        counts[advice.seat] = 0.0
        total = counts.sum(axis=-1, keepdims=True)
        self._forecast = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total >= _FEWEST)

    def observe(self, decision: Decision) -> None:
        """Learn from an action with a forecast."""
        if self._forecast is None or decision.out_of_turn:
            return
        situation = decision.situation
        expected = self._forecast[situation.seat, situation.round, situation.facing]
        if np.isnan(expected[0]) or self._players[situation.seat] != situation.player:
            return
        logs = self._logs.setdefault(situation.player, np.zeros((3, 3)))
        seen = self._seen.setdefault(situation.player, [0, 0, 0])
        done = np.zeros(3)
        done[decision.act] = 1.0
        step = _STEP / (1.0 + seen[situation.facing] / _SLOW)
        logs[situation.facing] = np.clip(logs[situation.facing] + step * (done - expected), -_LARGEST, _LARGEST)
        seen[situation.facing] += 1

    def tilts(self, player: str) -> Floats:
        """Return the factors of a player, for `TripleGenerator`: float64 (3, 3), by bets to call and act."""
        return np.exp(self._logs.get(player, np.zeros((3, 3))))
