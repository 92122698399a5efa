"""Frequencies in richer contexts as a forecaster."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Decision, GameSpec, Hand, Situation
from pokermodel.modeling.contexts import ContextBook, ContextModel, HandStory

__all__ = ["ContextForecaster"]


class ContextForecaster:
    """What the player does in contexts that have all that the table sees, see `ContextModel`.

    Parameters
    ----------
    book : ContextBook, optional
        What is known of players. It is only read.
    """

    def __init__(self, book: ContextBook | None = None) -> None:
        self._model = ContextModel(book)
        self._story = HandStory(0)

    def start(self, spec: GameSpec, players: Sequence[str]) -> None:
        """Begin its story."""
        self._story = HandStory(len(players))

    def predict(self, situation: Situation) -> NDArray[np.float64]:
        """By the player's frequencies."""
        return self._model.frequencies(situation.player, self._story.context(situation))

    def observe(self, decision: Decision) -> None:
        """Go on with the story."""
        self._story.see(decision)

    def table(self, seat: int) -> None:
        """Nothing: it does not look at cards."""

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count."""
        self._model.learn_hand(decisions)
