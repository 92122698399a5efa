"""What any model has to beat: forecasts from counts, or from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pokermodel._arrays import Floats
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.game import Decision, GameSpec, Hand, Situation
from pokermodel.reading.parts.frequencies import ActionCounts, Context

__all__ = ["BACK_OFF", "AlwaysCall", "Frequencies", "ShownHoldings", "Uniform"]


#: Observations of everybody that a player's own are mixed with.
BACK_OFF = 20
_SMOOTHING = 200  # holdings of every class shown, in proportion, before the first was


class _Still:
    """A forecaster that neither looks nor learns."""

    def start(self, spec: GameSpec, players: Sequence[str]) -> None:
        """Nothing to do."""

    def predict(self, situation: Situation) -> Floats | None:
        """No prediction."""
        return None

    def observe(self, decision: Decision) -> None:
        """Nothing to do."""

    def table(self, seat: int) -> Floats | None:
        """No table."""
        return None

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Nothing to do."""


class Uniform(_Still):
    """Holds every legal act equally likely, and every holding."""

    def __init__(self) -> None:
        self._table = np.ones(len(CLASS_OF_HOLDING))

    def predict(self, situation: Situation) -> Floats:
        """The same for each."""
        return np.ones(3)

    def table(self, seat: int) -> Floats:
        """The same for each."""
        return self._table


class AlwaysCall(_Still):
    """Is sure that everybody checks or calls. Its log-loss is mostly that of the least probability scored."""

    def predict(self, situation: Situation) -> Floats:
        """A call."""
        return np.array([0.0, 1.0, 0.0])


class Frequencies(_Still):
    """How often everybody, or the player himself, did what in each of Loki-1's twelve contexts.

    Parameters
    ----------
    own : bool
        The player's own counts, to which those of everybody are added as if they were 20 observations.
    book : mapping of str to ActionCounts, optional
        What is known of players by name. It is copied.
    """

    def __init__(self, own: bool = False, book: Mapping[str, ActionCounts] | None = None) -> None:
        self._by_player = own
        self._everybody = ActionCounts(np.ones((4, 3, 3)))
        self._own: dict[str, ActionCounts] = {}
        for name in book or ():
            counts = (book or {})[name]
            self._everybody += counts
            if own:
                self._own[name] = ActionCounts(counts.values)

    def predict(self, situation: Situation) -> Floats:
        """By the counts."""
        context = Context.of(situation.round, situation.bets_to_call)
        counts = self._everybody.values[context]
        shares: Floats = counts / counts.sum()
        if not self._by_player or situation.player not in self._own:
            return shares
        own = self._own[situation.player].values[context]
        mixed: Floats = (own + BACK_OFF * shares) / (own.sum() + BACK_OFF)
        return mixed

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count."""
        for decision in decisions:
            if decision.out_of_turn:
                continue
            context = Context.of(decision.round, decision.bets_to_call)
            self._everybody.add(context, decision.act)
            if self._by_player:
                self._own.setdefault(decision.player, ActionCounts()).add(context, decision.act)


class ShownHoldings(_Still):
    """How often each class of holdings was shown, by anybody and whatever the betting.

    Parameters
    ----------
    counts : ndarray of int, shape (169,), optional
        How often each class was shown before.
    """

    def __init__(self, counts: NDArray[np.int64] | None = None) -> None:
        size = np.bincount(CLASS_OF_HOLDING, minlength=169)
        self._size = size
        self._counts = size * (_SMOOTHING / size.sum()) + (0 if counts is None else counts)
        self._table: Floats | None = None

    def table(self, seat: int) -> Floats:
        """By the counts, the same within a class."""
        if self._table is None:
            self._table = (self._counts / self._size)[CLASS_OF_HOLDING]
        return self._table

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count."""
        for cards in hand.holdings.values():
            self._counts[CLASS_OF_HOLDING[holding_index(cards)]] += 1
            self._table = None
