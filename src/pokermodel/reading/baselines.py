"""Yardsticks: what any reader has to beat, from counts or from nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from pokermodel._support.arrays import Counts, Floats
from pokermodel._support.options import choice
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.adaptive.sizes import SIZE_CLASSES, size_class, size_room
from pokermodel.reading.contexts import ContextBook, ContextModel
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.features import RICH, WITH_PREVIOUS, Features
from pokermodel.reading.frequencies import BACK_OFF, ActionCounts, Context
from pokermodel.reading.reader import Reader, Spot, Update, has_sizes
from pokermodel.reading.registry import ReaderKind, register

__all__ = ["CallingReader", "ContextReader", "FrequencyReader", "PreviousActReader", "ShownHoldings", "Uniform"]

_SAYS_NOTHING = "this reader infers no holding from acts"
_SMOOTHING = 200  # holdings of every class shown, in proportion, before the first was


class _Forecaster(Reader):
    """Forecasts acts, and says nothing of holdings. Of sizes, each that there is room for is equally likely."""

    infers_holdings = False
    reads_sizes = True

    def forecast(self, spot: Spot) -> Floats:
        """How likely the player folds, calls and raises: float64 (3,)."""
        raise NotImplementedError

    def expect(self, spot: Spot) -> Expectation:
        """The forecast, the same with every holding."""
        return Expectation.alike(self.forecast(spot))

    def predict_sizes(self, spot: Spot) -> Floats:
        """Every class of sizes that there is room for is equally likely."""
        room = size_room(spot.situation).astype(np.float64)
        room /= room.sum()
        return room

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


_CONTEXTS = 4, 3, len(SIZE_CLASSES)  # rounds, bets to call, classes of sizes


class _SizeCounts:
    """How often which class of sizes was bet or raised to in each of the twelve contexts, where sizes are free.

    Counts of a player are mixed with those of everybody as those of acts are; the first observations of everybody are
    one of each class.
    """

    def __init__(self) -> None:
        self._everybody = np.ones(_CONTEXTS)
        self._own: defaultdict[str, Floats] = defaultdict(partial(np.zeros, _CONTEXTS))  # which can be pickled

    def shares(self, spot: Spot, player: str | None) -> Floats:
        """How likely each class is that there is room for, by everybody's counts or by a player's: float64 (7,)."""
        situation = spot.situation
        context = Context.of(situation.round, situation.bets_to_call)
        found: Floats = self._everybody[context] / self._everybody[context].sum()
        if player is not None and player in self._own:
            own = self._own[player][context]
            found = (own + BACK_OFF * found) / (own.sum() + BACK_OFF)
        found = found * size_room(situation)
        found /= found.sum()
        return found

    def count(self, decision: Decision) -> None:
        """Count the size of a bet or raise, if it was free."""
        situation = decision.situation
        if decision.act != Act.RAISE or decision.to is None or not has_sizes(situation):
            return
        place = *Context.of(situation.round, situation.bets_to_call), size_class(situation, decision.to)
        self._everybody[place] += 1
        self._own[decision.player][place] += 1


class FrequencyReader(_Forecaster):
    """How often everybody, or the player, did what in each of Loki-1's twelve contexts, and to what sizes.

    Parameters
    ----------
    own : bool
        The player's own counts, to which those of everybody are added as if they were 20 observations.
    known : mapping of str to ActionCounts, optional
        The knowledge of players. It is only read.
    """

    def __init__(self, own: bool = False, known: Mapping[str, ActionCounts] | None = None) -> None:
        self.learns = own
        # of limit, and of games in which bets have sizes, of which a book knows no such counts
        self._everybody = {fixed: ActionCounts(np.ones((4, 3, 3))) for fixed in (True, False)}
        self._sizes = _SizeCounts()
        self._own: dict[tuple[str, bool], ActionCounts] = {}
        for name in known or ():
            counts = (known or {})[name]
            self._everybody[True] += counts
            if own:
                self._own[name, True] = ActionCounts(counts.values)

    def forecast(self, spot: Spot) -> Floats:
        """By the counts."""
        situation = spot.situation
        context = Context.of(situation.round, situation.bets_to_call)
        fixed = situation.spec.structure.fixed
        counts = self._everybody[fixed].values[context]
        shares: Floats = counts / counts.sum()
        if not self.learns or (situation.player, fixed) not in self._own:
            return shares
        own = self._own[situation.player, fixed].values[context]
        mixed: Floats = (own + BACK_OFF * shares) / (own.sum() + BACK_OFF)
        return mixed

    def predict_sizes(self, spot: Spot) -> Floats:
        """By the counts."""
        return self._sizes.shares(spot, spot.player if self.learns else None)

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        self._sizes.count(decision)
        context = Context(features.round, features.bets)
        fixed = decision.situation.spec.structure.fixed
        self._everybody[fixed].add(context, decision.act)
        if self.learns:
            self._own.setdefault((decision.player, fixed), ActionCounts()).add(context, decision.act)


class ContextReader(_Forecaster):
    """The player's actions in contexts of all public information; see `ContextModel`.

    Parameters
    ----------
    known : ContextBook, optional
        The knowledge of players. It is only read.
    """

    learns = True

    def __init__(self, known: ContextBook | None = None) -> None:
        self._model, self._sized = ContextModel(known), ContextModel()  # of limit, and where bets have sizes
        self._sizes = _SizeCounts()

    def _model_of(self, fixed: bool) -> ContextModel:
        return self._model if fixed else self._sized

    def forecast(self, spot: Spot) -> Floats:
        """By the player's frequencies."""
        model = self._model_of(spot.situation.spec.structure.fixed)
        return model.frequencies(spot.player, RICH.encode(spot.features))

    def predict_sizes(self, spot: Spot) -> Floats:
        """By the player's counts in the twelve contexts."""
        return self._sizes.shares(spot, spot.player)

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        self._sizes.count(decision)
        model = self._model_of(decision.situation.spec.structure.fixed)
        model.learn(decision.player, RICH.encode(features), decision.act)


class PreviousActReader(ContextReader):
    """The player's frequencies in Loki-1's contexts and by their previous action.

    That is the player's previous act in the hand and whether it faced a bet (Davidson et al. 2000). The counts there
    are added to the player's frequencies in the twelve contexts as if these were 20 observations, and the counts in the
    twelve to everybody's likewise.

    Parameters
    ----------
    known : ContextBook, optional
        The knowledge of players. It is only read.
    """

    def __init__(self, known: ContextBook | None = None) -> None:
        super().__init__(known)
        self._everybody = {fixed: ActionCounts(np.ones((4, 3, 3))) for fixed in (True, False)}
        if known is not None:
            self._everybody[True] += known.population().counts

    def forecast(self, spot: Spot) -> Floats:
        """By the player's counts."""
        features, fixed = spot.features, spot.situation.spec.structure.fixed
        round, bets, previous, faced = WITH_PREVIOUS.values(WITH_PREVIOUS.encode(features))
        everybody = self._everybody[fixed].values[round, bets]
        own = self._model_of(fixed).counts(spot.player).coarse[round, bets]
        found: Floats = everybody / everybody.sum()
        for counts in own.sum(axis=(0, 1)), own[previous, faced]:
            found = (counts + BACK_OFF * found) / (counts.sum() + BACK_OFF)
        return found

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act."""
        super().count(decision, features)
        fixed = decision.situation.spec.structure.fixed
        self._everybody[fixed].add(Context(features.round, features.bets), decision.act)


class ShownHoldings(Reader):
    """How often each class of holdings was shown, by any player after any betting.

    Parameters
    ----------
    counts : ndarray of int, shape (169,), optional
        How often each class was shown before.
    """

    predicts_acts = False
    reads_sizes = True

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
