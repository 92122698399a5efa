"""What a reader or an adviser is given of a situation: a `Spot`.

A session pushes it, so that nobody has to reach back into the session for what they go by. A reader can therefore be
tried without one: a spot is made of a situation and tables. The alternative, to hand over the session itself, was
there before. It made every reader depend on sixty methods, and nobody could say what a reader looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from pokermodel._support.arrays import Floats
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Decision, Situation
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.tables import HandTables

__all__ = ["Spot"]


class Spot:
    """A situation, and all that is known in it. Immutable: what a session sees later makes another one.

    Attributes
    ----------
    situation : Situation
        What everybody at the table sees.
    features : Features
        The same as numbers, with the betting before it.
    tables : tuple of ndarray of float64, each of shape (1326,)
        Weights of every seat, before any correction; of those who folded, the last ones. Do not write to them.
    active : tuple of int
        Seats that have not folded.
    analysis : BoardAnalysis or None
        Of the board; None before the flop.
    memo : dict
        What was worked out from these tables, for whoever asks next; the keys begin with a name of who did.
    said : dict
        What readers said of it, so that nothing is worked out twice; see `Reader.expected`.

    See Also
    --------
    pokermodel.reading.OpponentModeler.spot : makes one of a hand that a session follows.
    """

    __slots__ = (
        *("_acts", "_done", "_hidden", "active", "analysis", "features", "memo", "said", "situation", "tables"),
    )

    def __init__(self, situation: Situation, features: Features, tables: HandTables, acts: list[Decision]) -> None:
        self.situation = situation
        self.features = features
        self.tables = tables.weights
        self.active = tables.active
        self._hidden = tables.hidden
        self.analysis: BoardAnalysis | None = tables.analysis
        self.memo: dict[Any, Any] = tables.memo
        self.said: dict[Any, Any] = {}
        # the list of a hand only grows: so much of it is what had been done, without a copy for every act
        self._acts, self._done = acts, len(acts)

    @classmethod
    def of(cls, decisions: Sequence[Decision], tables: HandTables | None = None) -> Self:
        """The spot of the last of some decisions, with tables of nothing known unless some are given.

        Parameters
        ----------
        decisions : sequence of Decision
            The replay of a hand up to it; what was done in the last one is not looked at.
        tables : HandTables, optional
            Of the hand. They see the board of the situation.

        Raises
        ------
        ValueError
            If there is no decision, or the board is none that the tables could see next.
        """
        if not decisions:
            raise ValueError("a spot needs a decision to be made: got none")
        *before, last = decisions
        situation = last.situation
        found = HandTables(situation.players) if tables is None else tables
        for decision in before if tables is None else ():
            if decision.act == 0:
                found.fold(decision.seat)
        found.deal(situation.board)
        return cls(situation, _features(situation, before), found, before)

    def __repr__(self) -> str:
        return f"<Spot of {self.situation.player}, {len(self.active)} players in, {self._done} acts before>"

    @property
    def player(self) -> str:
        """The player to act."""
        return self.situation.player

    @property
    def weights(self) -> Floats:
        """Weights of the player to act, before any correction: float64 (1326,). Do not write to them."""
        return self.tables[self.situation.seat]

    @property
    def dead(self) -> tuple[int, ...]:
        """Cards that this table rules out: the board's, and the hero's where it knows them."""
        hero, cards = self._hidden
        board = self.situation.board
        return board + cards if cards and self.situation.player != hero else board

    @property
    def opponents(self) -> list[Floats]:
        """Weights of their opponents that have not folded, each float64 (1326,)."""
        tables, own = self.tables, self.situation.seat
        return [tables[seat] for seat in self.active if seat != own]

    @property
    def acts(self) -> tuple[Decision, ...]:
        """What was done in the hand before."""
        return tuple(self._acts[: self._done])

    def at(self, situation: Situation, decisions: Iterable[Decision] = ()) -> Self:
        """The spot of another situation of the same round, with the same tables.

        Parameters
        ----------
        situation : Situation
            In another's place, for instance, or after acts that nobody has done yet.
        decisions : iterable of Decision
            These acts, the first of which is the one that the player to act might do.

        Returns
        -------
        Spot
        """
        acts = [*self._acts[: self._done], *decisions]
        other = object.__new__(type(self))
        other.situation, other.features = situation, _features(situation, acts)
        other.tables, other.active, other.analysis, other.memo = self.tables, self.active, self.analysis, self.memo
        other._hidden, other.said = self._hidden, {}
        other._acts, other._done = acts, len(acts)
        return other


def _features(situation: Situation, acts: Iterable[Decision]) -> Features:
    """The features of a situation after these acts of the hand."""
    history = BettingHistory(len(situation.players))
    for decision in acts:
        history.add(decision)
    return history.features(situation)
