"""How often a player folds, calls and raises: what the readers of Loki take for it.

A frequency model gives the frequencies in a situation and, as borders depend on them, those that it would give with
another number of bets to call. Those that learn players one by one count acts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from pokermodel._arrays import Counts, Floats
from pokermodel._checks import check_choice
from pokermodel.game import Act, Decision
from pokermodel.reading.features import RICH, WITH_POSITION, WITH_PREVIOUS, Features
from pokermodel.reading.parts.contexts import ContextBook, ContextModel
from pokermodel.reading.parts.frequencies import (
    DEFAULT_FREQUENCIES,
    RECENT_ACTIONS,
    ActionCounts,
    Context,
    specific_frequencies,
)

__all__ = ["BACK_OFF", "Contexts", "FrequencyModel", "PlayerFrequencies", "frequency_model"]

#: Where acts are counted: in Loki-1's contexts, by the player's previous act as well, by all that the table sees, or by
#: the number of opponents and the position as well.
Contexts: TypeAlias = Literal["twelve", "previous", "rich", "108"]

#: Observations that a player's frequencies in Loki-1's contexts are worth, where those in finer contexts are added
#: (ours).
BACK_OFF = 20


def _back_off(own: Counts, twelve: Floats) -> Floats:
    """Counts in finer contexts, (3, 3), on frequencies in Loki-1's."""
    mixed: Floats = (own + BACK_OFF * twelve) / (own.sum(axis=1, keepdims=True) + BACK_OFF)
    return mixed


class FrequencyModel:
    """The generic model: everybody acts as `DEFAULT_FREQUENCIES` say (Papp 1998, section 7.1)."""

    #: Whether players are learnt one by one.
    learns = False

    def frequencies(self, player: str, features: Features) -> Floats:
        """Fold, call and raise frequencies: float64 (3, 3), by bets to call (0, 1, 2 or more). Do not write to them."""
        return DEFAULT_FREQUENCIES

    def count(self, decision: Decision, features: Features) -> None:
        """Count an act, if the model learns."""


class PlayerFrequencies(FrequencyModel):
    """The specific model: each player by their own acts in Loki-1's twelve contexts.

    Parameters
    ----------
    known : mapping of str to ActionCounts
        What is known of players before. It is only read.
    recent : bool
        Whether a player's latest acts after the flop count besides all of them; see `specific_frequencies`. They are
        known before if `known` knows them, as a `Book` does.
    """

    learns = True

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool) -> None:
        self._known = known
        self._counts: dict[str, ActionCounts] = {}  # with setdefault: threads may count side by side
        self._unknown: set[str] = set()
        self._made: dict[tuple[str, int], Floats] = {}  # frequencies by player and round, until an act is counted
        self._recent: dict[str, deque[tuple[Context, Act]]] | None = {} if recent else None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": {}}

    def counts(self, player: str) -> ActionCounts | None:
        """The acts of a player so far; None if there are none. Do not write to them."""
        counts = self._counts.get(player)
        if counts is None and player not in self._unknown:
            known = self._known.get(player)
            if known is None:
                self._unknown.add(player)
            else:
                counts = self._counts.setdefault(player, ActionCounts(known.values))
        return counts

    def _latest(self, player: str) -> deque[tuple[Context, Act]]:
        assert self._recent is not None
        if player not in self._recent:
            known = self._known.recent(player) if isinstance(self._known, ContextBook) else ()
            self._recent.setdefault(player, deque(known, maxlen=RECENT_ACTIONS))
        return self._recent[player]

    def frequencies(self, player: str, features: Features) -> Floats:
        """As `FrequencyModel`."""
        counts = self.counts(player)
        if counts is None:
            return DEFAULT_FREQUENCIES
        made = self._made.get((player, features.round))
        if made is None:
            recent = self._latest(player) if self._recent is not None and features.round > 0 else ()
            made = specific_frequencies(counts, features.round, recent)
            made.setflags(write=False)
            self._made[player, features.round] = made
        return made

    def count(self, decision: Decision, features: Features) -> None:
        """As `FrequencyModel`."""
        counts = self.counts(decision.player)
        if counts is None:
            counts = self._counts.setdefault(decision.player, ActionCounts())
        context = Context(features.round, features.bets)
        counts.add(context, decision.act)
        for round in range(4):
            self._made.pop((decision.player, round), None)
        if self._recent is not None and context.round > 0:
            self._latest(decision.player).append((context, decision.act))


class _PreviousActs(PlayerFrequencies):
    """The same, told apart by the player's previous act and whether it faced a bet (Davidson et al. 2000)."""

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool) -> None:
        super().__init__(known, recent)
        self._model = ContextModel(known if isinstance(known, ContextBook) else None)

    def frequencies(self, player: str, features: Features) -> Floats:
        twelve = super().frequencies(player, features)
        round, _, previous, faced = WITH_PREVIOUS.values(WITH_PREVIOUS.encode(features))
        return _back_off(self._model.counts(player).coarse[round, :, previous, faced], twelve)

    def count(self, decision: Decision, features: Features) -> None:
        super().count(decision, features)
        self._model.learn(decision.player, RICH.encode(features), decision.act)


class _Positions(PlayerFrequencies):
    """The same, told apart by the number of opponents and the position, in 108 contexts (Papp 1998).

    They are counted as long as the model lives. What is known before goes into the frequencies in the twelve.
    """

    def __init__(self, known: Mapping[str, ActionCounts], recent: bool) -> None:
        super().__init__(known, recent)
        self._positions: dict[tuple[str, int, int], ActionCounts] = {}

    def frequencies(self, player: str, features: Features) -> Floats:
        twelve = super().frequencies(player, features)
        round, _, opponents, order = WITH_POSITION.values(WITH_POSITION.encode(features))
        own = self._positions.get((player, opponents, order))
        return twelve if own is None else _back_off(own.values[round], twelve)

    def count(self, decision: Decision, features: Features) -> None:
        super().count(decision, features)
        round, bets, opponents, order = WITH_POSITION.values(WITH_POSITION.encode(features))
        counts = self._positions.setdefault((decision.player, opponents, order), ActionCounts())
        counts.add(Context(round, bets), decision.act)


class _RichContexts(FrequencyModel):
    """Each player by all that the table sees, see `ContextModel`."""

    learns = True

    def __init__(self, known: Mapping[str, ActionCounts]) -> None:
        self._model = ContextModel(known if isinstance(known, ContextBook) else None)

    def frequencies(self, player: str, features: Features) -> Floats:
        return self._model.frequencies_of(player, RICH.varied(RICH.encode(features), "bets"))

    def count(self, decision: Decision, features: Features) -> None:
        self._model.learn(decision.player, RICH.encode(features), decision.act)


def frequency_model(contexts: Contexts, known: Mapping[str, ActionCounts] | None, *, recent: bool) -> FrequencyModel:
    """Make a model that learns players one by one.

    Parameters
    ----------
    contexts : {"twelve", "previous", "rich", "108"}
        Where acts are counted.
    known : mapping of str to ActionCounts, optional
        What is known of players before.
    recent : bool
        As `PlayerFrequencies`.

    Raises
    ------
    ValueError
        If there are no such contexts.
    """
    check_choice("contexts", contexts, get_args(Contexts))
    before = {} if known is None else known
    if contexts == "rich":
        return _RichContexts(before)
    models = {"twelve": PlayerFrequencies, "previous": _PreviousActs, "108": _Positions}
    return models[contexts](before, recent)
