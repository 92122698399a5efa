"""How often a player folds, calls and raises: what the readers of Loki take for it.

A frequency model gives the frequencies in a situation and, as borders depend on them, those that it would give with
another number of bets to call. Those that learn players one by one count acts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from pokermodel._support.arrays import Counts, Floats
from pokermodel._support.checks import check_choice
from pokermodel.game import Act, Decision
from pokermodel.reading.contexts import ContextBook, ContextModel
from pokermodel.reading.features import (
    RICH,
    WITH_INVESTED,
    WITH_POSITION,
    WITH_PREVIOUS,
    WITH_RAISES,
    Features,
    Grid,
)
from pokermodel.reading.frequencies import (
    BACK_OFF,
    DEFAULT_FREQUENCIES,
    RECENT_ACTIONS,
    ActionCounts,
    Context,
    FadingCounts,
    Shares,
    mixed_frequencies,
    renewed_frequencies,
)

__all__ = ["Contexts", "FrequencyModel", "PlayerFrequencies", "frequency_model"]

#: Where acts are counted: in Loki-1's contexts; by the player's previous act as well; by all that the table sees; in
#: the 108 that Papp prints, by opponents and raises as well; by opponents and position; by what the player has put in.
Contexts: TypeAlias = Literal["twelve", "previous", "rich", "108", "position", "invested"]


def _back_off(own: Counts | Floats, twelve: Floats) -> Floats:
    """Counts in finer contexts, (3, 3), on frequencies in Loki-1's."""
    mixed: Floats = (own + BACK_OFF * twelve) / (own.sum(axis=1, keepdims=True) + BACK_OFF)
    return mixed


_CONTEXTS = [[Context(round, bets) for bets in range(3)] for round in range(4)]
_DEFAULT_SHARES = [Shares(*row) for row in DEFAULT_FREQUENCIES.tolist()]


#: Counts of a player: of acts that all count alike, or of such that fade.
_Counts: TypeAlias = ActionCounts | FadingCounts


def _same(frequencies: Floats) -> Floats:
    return frequencies


class FrequencyModel:
    """The generic model: everybody acts as `DEFAULT_FREQUENCIES` say (Papp 1998, section 7.1)."""

    #: Whether players are learnt one by one.
    learns = False

    def frequencies(self, player: str, features: Features) -> Floats:
        """Fold, call and raise frequencies: float64 (3, 3), by bets to call (0, 1, 2 or more). Do not write to them."""
        return DEFAULT_FREQUENCIES

    def facing(self, player: str, features: Features, bets: int) -> Shares:
        """Those with so many bets to call, 2 standing for two or more."""
        return Shares(*self.frequencies(player, features)[bets].tolist())

    def known(self, player: str, features: Features) -> Callable[[], Floats]:
        """A snapshot of the `frequencies`, which later counts do not change."""
        return partial(_same, self.frequencies(player, features))

    def count(self, decision: Decision, features: Features) -> None:
        """Count an act, if the model learns."""


class _Record:
    """What is known of a player until another act is counted, and the frequencies that follow.

    Parameters
    ----------
    counts : list
        `ActionCounts.values` as lists.
    recent : list of (Context, Act)
        The latest acts after the flop, at most 20; none if they do not count.
    """

    __slots__ = ("_counts", "_made", "_recent", "_rows")

    def __init__(self, counts: list[list[list[float]]], recent: list[tuple[Context, Act]]) -> None:
        self._counts = counts
        self._recent = recent
        self._rows: dict[tuple[int, int], Shares] = {}  # by round and bets to call
        self._made: dict[int, Floats] = {}  # by round

    def facing(self, round: int, bets: int) -> Shares:
        row = self._rows.get((round, bets))
        if row is None:
            row = mixed_frequencies(self._counts, round, bets)
            if self._recent and round > 0:
                row = renewed_frequencies(row, self._recent, bets)
            self._rows[round, bets] = row
        return row

    def frequencies(self, round: int) -> Floats:
        made = self._made.get(round)
        if made is None:
            made = np.array([self.facing(round, bets) for bets in range(3)])
            made.setflags(write=False)
            self._made[round] = made
        return made


class PlayerFrequencies(FrequencyModel):
    """The specific model: each player by their own acts in Loki-1's twelve contexts.

    Parameters
    ----------
    known : mapping of str to ActionCounts
        The knowledge of players before. It is only read.
    recent : bool
        Whether a player's latest acts after the flop count besides all of them; see `specific_frequencies`. They are
        known before if `known` knows them, as a `Book` does.
    recency : float, optional
        Acts in a context after which an earlier one counts half; see `FadingCounts`. Without, all count alike.

    Raises
    ------
    ValueError
        If `recency` is not positive.
    """

    learns = True

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool, recency: float | None = None) -> None:
        if recency is not None:
            FadingCounts(recency)  # a half-life that is none is refused here
        self._known = known
        self._recency = recency
        self._counts: dict[str, _Counts] = {}  # with setdefault: threads may count side by side
        self._unknown: set[str] = set()
        self._records: dict[str, _Record] = {}  # until an act is counted
        self._recent: dict[str, deque[tuple[Context, Act]]] | None = {} if recent else None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_records": {}}

    def _new_counts(self, values: Counts | None = None) -> _Counts:
        return ActionCounts(values) if self._recency is None else FadingCounts(self._recency, values)

    def counts(self, player: str) -> _Counts | None:
        """The acts of a player so far; None if there are none. Do not write to them."""
        counts = self._counts.get(player)
        if counts is None and player not in self._unknown:
            known = self._known.get(player)
            if known is None:
                self._unknown.add(player)
            else:
                counts = self._counts.setdefault(player, self._new_counts(known.values))
        return counts

    def _latest(self, player: str) -> deque[tuple[Context, Act]]:
        assert self._recent is not None
        if player not in self._recent:
            known = self._known.recent(player) if isinstance(self._known, ContextBook) else ()
            self._recent.setdefault(player, deque(known, maxlen=RECENT_ACTIONS))
        return self._recent[player]

    def record(self, player: str) -> _Record | None:
        """The knowledge of a player by now, which does not change any more; None if nothing is."""
        found = self._records.get(player)
        if found is None and (counts := self.counts(player)) is not None:
            recent = [] if self._recent is None else list(self._latest(player))
            found = self._records[player] = _Record(counts.values.tolist(), recent)
        return found

    def frequencies(self, player: str, features: Features) -> Floats:
        """Fold, call and raise frequencies, float64 (3, 3); the defaults of a player who is not known."""
        record = self.record(player)
        return DEFAULT_FREQUENCIES if record is None else record.frequencies(features.round)

    def facing(self, player: str, features: Features, bets: int) -> Shares:
        """Frequencies with so many bets to call, 2 standing for two or more."""
        record = self._records.get(player) or self.record(player)
        return _DEFAULT_SHARES[bets] if record is None else record.facing(features.round, bets)

    def known(self, player: str, features: Features) -> Callable[[], Floats]:
        """A snapshot of the frequencies, which later counts do not change; computed on demand."""
        record = self.record(player)
        return partial(_same, DEFAULT_FREQUENCIES) if record is None else partial(record.frequencies, features.round)

    def count(self, decision: Decision, features: Features) -> None:
        """Count an act of the player's."""
        situation, act = decision.situation, decision.act
        player = situation.players[situation.seat]
        counts = self._counts.get(player) or self.counts(player)
        if counts is None:
            counts = self._counts.setdefault(player, self._new_counts())
        context = _CONTEXTS[features.round][features.bets]
        counts.add(context, act)
        if self._recent is not None and context.round > 0:
            self._latest(player).append((context, act))
        self._records.pop(player, None)


class _PreviousActs(PlayerFrequencies):
    """Each player by their own acts, told apart by the act before and whether it faced a bet (Davidson et al. 2000)."""

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool) -> None:
        super().__init__(known, recent)
        self._model = ContextModel(known if isinstance(known, ContextBook) else None)

    def facing(self, player: str, features: Features, bets: int) -> Shares:
        return FrequencyModel.facing(self, player, features, bets)

    def known(self, player: str, features: Features) -> Callable[[], Floats]:
        return FrequencyModel.known(self, player, features)

    def frequencies(self, player: str, features: Features) -> Floats:
        twelve = super().frequencies(player, features)
        round, _, previous, faced = WITH_PREVIOUS.values(WITH_PREVIOUS.encode(features))
        return _back_off(self._model.counts(player).coarse[round, :, previous, faced], twelve)

    def count(self, decision: Decision, features: Features) -> None:
        super().count(decision, features)
        self._model.learn(decision.player, RICH.encode(features), decision.act)


class _Divided(PlayerFrequencies):
    """Each player by their own acts, in contexts that divide the twelve, with whose frequencies those there are mixed.

    They are counted as long as the model lives. What is known before goes into the frequencies in the twelve.
    """

    #: The contexts: Loki-1's by further features.
    grid: ClassVar[Grid]

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool, recency: float | None = None) -> None:
        super().__init__(known, recent, recency)
        self._parts: dict[tuple[str, int], _Counts] = {}  # by player, and which part of each of the twelve it is

    def facing(self, player: str, features: Features, bets: int) -> Shares:
        return FrequencyModel.facing(self, player, features, bets)

    def known(self, player: str, features: Features) -> Callable[[], Floats]:
        return FrequencyModel.known(self, player, features)

    def _part(self, features: Features) -> int:
        return self.grid.encode(features) % self.grid.neighbours(2)

    def frequencies(self, player: str, features: Features) -> Floats:
        twelve = super().frequencies(player, features)
        own = self._parts.get((player, self._part(features)))
        return twelve if own is None else _back_off(own.values[features.round], twelve)

    def count(self, decision: Decision, features: Features) -> None:
        super().count(decision, features)
        key = decision.player, self._part(features)
        counts = self._parts.get(key) or self._parts.setdefault(key, self._new_counts())
        counts.add(_CONTEXTS[features.round][features.bets], decision.act)


class _Raises(_Divided):
    """In the 108 contexts that Papp (1998, section 7.1.2) gives as an example."""

    grid = WITH_RAISES


class _Positions(_Divided):
    """By the number of opponents and the position (ours)."""

    grid = WITH_POSITION


class _Invested(_Divided):
    """By what the player has put in so far in this hand (proposed by Peña 1999, section 7.4)."""

    grid = WITH_INVESTED


class _RichContexts(FrequencyModel):
    """Each player by all that the table sees, see `ContextModel`."""

    learns = True

    def __init__(self, known: Mapping[str, ActionCounts]) -> None:
        self._model = ContextModel(known if isinstance(known, ContextBook) else None)

    def frequencies(self, player: str, features: Features) -> Floats:
        return self._model.frequencies_of(player, RICH.varied(RICH.encode(features), "bets"))

    def count(self, decision: Decision, features: Features) -> None:
        self._model.learn(decision.player, RICH.encode(features), decision.act)


_MODELS: Mapping[str, type[PlayerFrequencies]] = {
    "twelve": PlayerFrequencies,
    "108": _Raises,
    "position": _Positions,
    "invested": _Invested,
}


def frequency_model(
    contexts: Contexts, known: Mapping[str, ActionCounts] | None, *, recent: bool, recency: float | None = None
) -> FrequencyModel:
    """Make a model that learns players one by one.

    Parameters
    ----------
    contexts : {"twelve", "previous", "rich", "108", "position", "invested"}
        Where acts are counted.
    known : mapping of str to ActionCounts, optional
        The knowledge of players before.
    recent : bool
        As `PlayerFrequencies`.
    recency : float, optional
        As `PlayerFrequencies`. Not with ``previous`` and ``rich``: their counts are sums without an order.

    Raises
    ------
    ValueError
        If there are no such contexts, or their acts cannot fade.
    """
    check_choice("contexts", contexts, get_args(Contexts))
    before = {} if known is None else known
    if contexts in _MODELS:
        return _MODELS[contexts](before, recent, recency)
    if recency is not None:
        raise ValueError(f"recency goes with contexts {', '.join(_MODELS)}, not with {contexts!r}")
    return _RichContexts(before) if contexts == "rich" else _PreviousActs(before, recent)
