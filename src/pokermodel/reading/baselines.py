"""Yardsticks: what any reader has to beat, from counts or from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from pokermodel._support.arrays import Counts, Floats
from pokermodel._support.options import choice
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.contexts import ContextBook, ContextModel
from pokermodel.reading.features import RICH, WITH_PREVIOUS, Features
from pokermodel.reading.frequencies import ActionCounts, Context
from pokermodel.reading.loki.frequency_models import BACK_OFF
from pokermodel.reading.reader import Expectation, Reader, Update
from pokermodel.reading.registry import ReaderKind, register
from pokermodel.reading.spot import Spot

__all__ = ["CallingReader", "ContextReader", "FrequencyReader", "PreviousActReader", "ShownHoldings", "Uniform"]

_SAYS_NOTHING = "this reader infers no holding from acts"
_SMOOTHING = 200  # holdings of every class shown, in proportion, before the first was


class _Forecaster(Reader):
    """Forecasts acts, and says nothing of holdings."""

    infers_holdings = False

    def forecast(self, spot: Spot) -> Floats:
        """How likely the player folds, calls and raises: float64 (3,)."""
        raise NotImplementedError

    def expect(self, spot: Spot) -> Expectation:
        """The forecast, the same with every holding."""
        return Expectation.alike(self.forecast(spot))

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """Nothing is learnt of the holding."""
        return Update(None, _SAYS_NOTHING, self.expected(spot))


class Uniform(_Forecaster):
    """Every legal act is equally likely, and every holding."""

    infers_holdings = True

    def forecast(self, spot: Spot) -> Floats:
        """One over the number of legal acts, for each of them."""
        legal = spot.situation.legal
        chances = np.zeros(3)
        chances[list(legal)] = 1.0 / len(legal)
        return chances


class CallingReader(_Forecaster):
    """Everybody checks and calls. The log-loss of it is mostly that of the least probability scored."""

    def forecast(self, spot: Spot) -> Floats:
        """A call."""
        return np.array([0.0, 1.0, 0.0])


class FrequencyReader(_Forecaster):
    """How often everybody, or the player, did what in each of Loki-1's twelve contexts.

    Parameters
    ----------
    own : bool
        The player's own counts, to which those of everybody are added as if they were 20 observations.
    known : mapping of str to ActionCounts, optional
        What is known of players. It is only read.
    """

    def __init__(self, own: bool = False, known: Mapping[str, ActionCounts] | None = None) -> None:
        self.learns = own
        self._everybody = ActionCounts(np.ones((4, 3, 3)))
        self._own: dict[str, ActionCounts] = {}
        for name in known or ():
            counts = (known or {})[name]
            self._everybody += counts
            if own:
                self._own[name] = ActionCounts(counts.values)

    def forecast(self, spot: Spot) -> Floats:
        """By the counts."""
        situation = spot.situation
        context = Context.of(situation.round, situation.bets_to_call)
        counts = self._everybody.values[context]
        shares: Floats = counts / counts.sum()
        if not self.learns or situation.player not in self._own:
            return shares
        own = self._own[situation.player].values[context]
        mixed: Floats = (own + BACK_OFF * shares) / (own.sum() + BACK_OFF)
        return mixed

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        context = Context(features.round, features.bets)
        self._everybody.add(context, decision.act)
        if self.learns:
            self._own.setdefault(decision.player, ActionCounts()).add(context, decision.act)


class ContextReader(_Forecaster):
    """What the player does in contexts that have all that the table sees; see `ContextModel`.

    Parameters
    ----------
    known : ContextBook, optional
        What is known of players. It is only read.
    """

    learns = True

    def __init__(self, known: ContextBook | None = None) -> None:
        self._model = ContextModel(known)

    def forecast(self, spot: Spot) -> Floats:
        """By the player's frequencies."""
        return self._model.frequencies(spot.player, RICH.encode(spot.features))

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        self._model.learn(decision.player, RICH.encode(features), decision.act)


class PreviousActReader(ContextReader):
    """What the player does in Loki-1's contexts, told apart by their previous act.

    That is the player's previous act in the hand and whether it faced a bet (Davidson et al. 2000). The counts there
    are added to the player's frequencies in the twelve contexts as if these were 20 observations, and the counts in the
    twelve to everybody's likewise.

    Parameters
    ----------
    known : ContextBook, optional
        What is known of players. It is only read.
    """

    def __init__(self, known: ContextBook | None = None) -> None:
        super().__init__(known)
        self._everybody = ActionCounts(np.ones((4, 3, 3)))
        if known is not None:
            self._everybody += known.population().counts

    def forecast(self, spot: Spot) -> Floats:
        """By the player's counts."""
        features = spot.features
        round, bets, previous, faced = WITH_PREVIOUS.values(WITH_PREVIOUS.encode(features))
        everybody = self._everybody.values[round, bets]
        own = self._model.counts(spot.player).coarse[round, bets]
        found: Floats = everybody / everybody.sum()
        for counts in own.sum(axis=(0, 1)), own[previous, faced]:
            found = (counts + BACK_OFF * found) / (counts.sum() + BACK_OFF)
        return found

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        super().count(decision, features)
        self._everybody.add(Context(features.round, features.bets), decision.act)


class ShownHoldings(Reader):
    """How often each class of holdings was shown, by anybody and whatever the betting.

    Parameters
    ----------
    counts : ndarray of int, shape (169,), optional
        How often each class was shown before.
    """

    predicts_acts = False

    def __init__(self, counts: Counts | None = None) -> None:
        size = np.bincount(CLASS_OF_HOLDING, minlength=169)
        self._size = size
        self._counts = size * (_SMOOTHING / size.sum()) + (0 if counts is None else counts)
        self._table: Floats | None = None

    def prior(self, player: str) -> Floats:
        """By the counts, the same within a class."""
        if self._table is None:
            self._table = (self._counts / self._size)[CLASS_OF_HOLDING]
        return self._table

    def expect(self, spot: Spot) -> Expectation:
        """Every legal act is equally likely with every holding: acts say nothing."""
        legal = spot.situation.legal
        chances = np.zeros(3)
        chances[list(legal)] = 1.0 / len(legal)
        return Expectation.alike(chances)

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """Acts say nothing."""
        return Update(None, _SAYS_NOTHING)

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Count what was shown."""
        for cards in hand.holdings.values():
            self._counts[CLASS_OF_HOLDING[holding_index(cards)]] += 1
            self._table = None


def _own(known: Any, *, contexts: Literal["twelve", "previous"] = "twelve") -> Reader:
    return PreviousActReader(_by_contexts(known)) if contexts == "previous" else FrequencyReader(True, known)


def _by_contexts(known: Any) -> ContextBook | None:
    """What is known by contexts; a plain mapping of counts knows nothing of them."""
    return known if isinstance(known, ContextBook) else None


def _shown(known: Any) -> Reader:
    if known is None or not hasattr(known, "profile"):
        return ShownHoldings()
    return ShownHoldings(np.sum([known.profile(name).totals.showdowns for name in known], axis=0))


for _kind in (
    ReaderKind("uniform", lambda known: Uniform(), "every legal act and every holding equally likely"),
    ReaderKind("call", lambda known: CallingReader(), "everybody checks and calls"),
    ReaderKind(
        "frequencies",
        lambda known: FrequencyReader(known=known),
        "how often all players fold, call and raise in twelve contexts",
        needs=("statistics",),
    ),
    ReaderKind(
        "own",
        _own,
        "how often the player does, in the same contexts",
        {"contexts": choice("twelve", "previous")},
        needs=("statistics",),
    ),
    ReaderKind(
        "contexts",
        lambda known: ContextReader(_by_contexts(known)),
        "how often the player does, given all that the table sees",
        needs=("statistics",),
    ),
    ReaderKind("shown", _shown, "how often each class of holdings is shown", needs=("statistics",)),
):
    register(_kind)
