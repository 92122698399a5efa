"""A player who does what a reader expects of people: the reader's strategy, drawn from with the player's own cards.

It is the opponent that the reader believes in. Who plays against it sees whether the belief is worth something, and a
measure of strength can be tried on it, since what it does with each holding is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import holding_index
from pokermodel.game import Act, GameSpec, Situation
from pokermodel.reading.adaptive.sizes import CLASS_ENDS
from pokermodel.reading.expectation import Choice
from pokermodel.reading.reader import Reader
from pokermodel.reading.registry import make_reader, reader_kinds
from pokermodel.reading.session import OpponentModeler
from pokermodel.tables.players.player import ALL_STRUCTURES, Answer, HandStart, Player, View

__all__ = ["FrozenSession", "TypicalPlayer"]

#: Where classes of sizes between the least and the most begin and end, by the pot after a call.
_ENDS = (0.08, *CLASS_ENDS, 4.0)


class FrozenSession(OpponentModeler):
    """A session that learns nothing: all hands are read alike."""

    learns_hands = False  # whatever its reader could learn

    def __init__(self, model: str | Reader, **options: Any) -> None:
        super().__init__(model, public_models=True, learning=False, **options)


class TypicalPlayer(Player):
    """Does what a reader expects of somebody whom it knows nothing of.

    It learns nothing, so that all hands are played alike.

    Parameters
    ----------
    model : str
        Name of a reader that infers holdings.
    """

    strategy_is_exact = True

    def __init__(self, model: str = "adaptive") -> None:
        self.model = model
        if make_reader(reader_kinds()[model]).reads_sizes:
            self.structures = ALL_STRUCTURES
        self._start: HandStart | None = None

    def strategy(self, name: str, spec: GameSpec) -> Reader:  # noqa: D102
        return make_reader(reader_kinds()[self.model])

    def begin(self, start: HandStart) -> None:  # noqa: D102
        self._start = start

    def act(self, view: View) -> Answer:  # noqa: D102
        start = self._start
        assert start is not None, "act before begin"
        session = start.common.session(("typical", self.model), lambda: FrozenSession(self.model))
        expected = session.reader.expected(session.spot(view.situation))
        choice = _drawn(expected.strategy[holding_index(view.holding)], expected.actions, start.rng)
        return Answer(choice.act, _amount(view.situation, choice, start.rng))


def _drawn(chances: Floats, actions: tuple[Choice, ...], rng: np.random.Generator) -> Choice:
    """One of the actions, by their probabilities for a holding."""
    ends = np.cumsum(np.nan_to_num(chances))
    return actions[min(int(np.searchsorted(ends, rng.random() * ends[-1], side="right")), len(actions) - 1)]


def _amount(situation: Situation, choice: Choice, rng: np.random.Generator) -> int | None:
    """What a bet or raise goes to: drawn evenly within its class, in logarithms; None for other acts."""
    if choice.act != Act.RAISE or situation.raise_range is None:
        return None
    least, most = situation.raise_range
    if choice.size is None or choice.size == 0:
        return least
    if choice.size == len(_ENDS):
        return least if most is None else most
    low, high = _ENDS[choice.size - 1 : choice.size + 1]
    share = float(low * (high / low) ** rng.random())
    amount = round(situation.in_round + situation.to_call + share * (situation.pot + situation.to_call))
    return max(least, amount if most is None else min(most, amount))
