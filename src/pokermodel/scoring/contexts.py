"""Frequencies in richer contexts as forecasters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Decision, GameSpec, Hand, Situation
from pokermodel.reading.parts.contexts import ContextBook, ContextModel, HandStory, RichContext
from pokermodel.reading.parts.frequencies import ActionCounts
from pokermodel.scoring.baselines import BACK_OFF

__all__ = ["ContextForecaster", "PreviousActions"]


class ContextForecaster:
    """What the player does in contexts that have all that the table sees, see `ContextModel`.

    Parameters
    ----------
    book : ContextBook, optional
        What is known of players. It is only read.
    """

    def __init__(self, book: ContextBook | None = None) -> None:
        self._model = ContextModel(book)
        self._story = HandStory(0)  # of the hand that is scored

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


class PreviousActions(ContextForecaster):
    """What the player himself does in Loki-1's contexts, told apart by his previous action.

    That is his previous action in the hand and whether it had bets to call (Davidson et al. 2000). His counts there
    are added to his frequencies in the twelve contexts as if these were 20 observations, and his counts in the twelve
    to everybody's likewise.

    Parameters
    ----------
    book : ContextBook, optional
        What is known of players. It is only read.
    """

    def __init__(self, book: ContextBook | None = None) -> None:
        super().__init__(book)
        self._everybody = ActionCounts(np.ones((4, 3, 3)))
        if book is not None:
            self._everybody += book.population().counts

    def predict(self, situation: Situation) -> NDArray[np.float64]:
        """By the player's counts."""
        round, bets, previous, had_bets = RichContext.of(self._story.context(situation))[:4]
        everybody = self._everybody.values[round, bets]
        own = self._model.counts(situation.player).coarse[round, bets]
        found: NDArray[np.float64] = everybody / everybody.sum()
        for counts in own.sum(axis=(0, 1)), own[previous, had_bets]:
            found = (counts + BACK_OFF * found) / (counts.sum() + BACK_OFF)
        return found

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count."""
        super().learn(hand, decisions)
        for decision in decisions:
            if not decision.out_of_turn:
                self._everybody.values[decision.round, min(decision.bets_to_call, 2), decision.act] += 1
