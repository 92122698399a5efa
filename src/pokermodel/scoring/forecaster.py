"""What is scored: something that forecasts actions, and says what players can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Decision, GameSpec, Hand, Situation

__all__ = ["Forecaster"]


class Forecaster(Protocol):
    """A model, as `score` asks it.

    For every hand that is scored: `start`; for each action `predict`, `observe`, `table` in this order; at last
    `learn`. For a hand that is only learnt from: `learn` alone. Where learning has ended, `learn` is not called any
    more, so that whatever outlives a hand belongs there.

    Nothing that is handed over has hidden cards in it. Not every action is predicted: not those out of turn, nor
    the few that the rules did not offer, as the fold of a player who could have checked.

    Examples
    --------
    >>> import numpy as np, pokermodel as pm
    >>> class Cautious:
    ...     "Thinks that everybody folds to bets as often as not, and never bets."
    ...     def start(self, spec, players): pass
    ...     def predict(self, situation): return np.array([0.5, 0.5, 0.0] if situation.to_call else [0.0, 1.0, 0.0])
    ...     def observe(self, decision): pass
    ...     def table(self, seat): return None
    ...     def learn(self, hand, decisions): pass
    >>> from pokermodel.scoring import score
    >>> score([pm.example_hand()], {"cautious": Cautious()})["cautious"].decisions
    28
    """

    def start(self, spec: GameSpec, players: Sequence[str]) -> None:
        """Begin a hand: the game, and the players by seat."""

    def predict(self, situation: Situation) -> NDArray[np.float64] | None:
        """How likely the player folds, calls (or checks) and raises (or bets).

        Returns
        -------
        ndarray of float64, shape (3,), or None
            At least 0, of any sum: they are divided by their sum over the acts that are legal. None if the model
            does not predict actions; then it must never do so.
        """

    def observe(self, decision: Decision) -> None:
        """See what was done."""

    def table(self, seat: int) -> NDArray[np.float64] | None:
        """What a player can hold, after the action just seen, by all that is public.

        Returns
        -------
        ndarray of float64, shape (1326,), or None
            Weights, at least 0, of any sum; those of holdings that meet the board do not count. None if the model
            does not say.
        """

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn from a finished hand, in which only the holdings shown are known; `decisions` is its replay."""
