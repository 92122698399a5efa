"""What a reader or an adviser is given of a situation: a `Spot`.

A session pushes it, so that nobody has to reach back into the session for what they go by. A reader can therefore be
tried without one: a spot is made of a situation and tables. The alternative, to hand over the session itself, was
there before. It made every reader depend on sixty methods, and nobody could say what a reader looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import CardsLike, card_indices, cards_text, holding_index, live_holdings
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Decision, Situation, State
from pokermodel.reading.calibration import corrected
from pokermodel.reading.features import BettingHistory, Features
from pokermodel.reading.tables import HandTables
from pokermodel.weights import WeightTable

if TYPE_CHECKING:
    from pokermodel.reading.reader import Reader

__all__ = ["Spot"]

#: Who reads, the exponent that corrects what is said, and what players who folded can hold, by seat.
_Reads: TypeAlias = "tuple[Reader | None, float, Mapping[int, Floats]]"
#: No cards, and no state, of anybody: those of spots in the eyes of who reads from outside.
_NOBODY: list[Any] = [(), None]


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
    streets : dict
        What `HandTables.streets` has; see `pokermodel.reading.street`.

    See Also
    --------
    pokermodel.reading.OpponentModeler.spot : makes one of a hand that a session follows.
    """

    __slots__ = (
        *("_acts", "_done", "_hidden", "_own", "_reads", "active", "analysis", "features", "memo", "said", "situation"),
        *("streets", "tables"),
    )

    def __init__(
        self,
        situation: Situation,
        features: Features,
        tables: HandTables,
        acts: list[Decision],
        reads: _Reads = (None, 1.0, {}),
    ) -> None:
        self.situation = situation
        self.features = features
        self.tables = tables.weights
        self.active = tables.active
        self._hidden = tables.hidden
        self.analysis: BoardAnalysis | None = tables.analysis
        self.memo: dict[Any, Any] = tables.memo
        self.streets = tables.streets
        self.said: dict[Any, Any] = {}
        # the list of a hand only grows: so much of it is what had been done, without a copy for every act
        self._acts, self._done = acts, len(acts)
        # what advisers alone ask for stands together: a spot is made for every act
        self._reads = reads
        self._own: list[Any] = _NOBODY

    @classmethod
    def of(cls, decisions: Sequence[Decision], tables: HandTables | None = None, reader: Reader | None = None) -> Self:
        """The spot of the last of some decisions, with tables of nothing known unless some are given.

        Parameters
        ----------
        decisions : sequence of Decision
            The replay of a hand up to it; what was done in the last one is not looked at.
        tables : HandTables, optional
            Of the hand. They see the board of the situation.
        reader : Reader, optional
            Who reads it.

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
        return cls(situation, _features(situation, before), found, before, (reader, 1.0, {}))

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
        other = self._copy()
        other.situation, other.features = situation, _features(situation, acts)
        other._acts, other._done = acts, len(acts)
        return other

    # ---------------------------------------------------------------------------------------- what advisers go by

    def held(self, holding: CardsLike, state: State | None = None) -> Self:
        """The spot in the eyes of the player to act, who knows their cards.

        Parameters
        ----------
        holding : cards
            The two cards.
        state : State, optional
            The state of the hand, where there is one already. It is not changed.

        Raises
        ------
        ValueError
            If it is not two cards, or one of them is on the board.
        """
        cards = card_indices(holding)
        holding_index(cards)
        if set(cards) & set(self.situation.board):
            raise ValueError(f"{cards_text(cards)} shares a card with the board {cards_text(self.situation.board)}")
        other = self._copy()
        other.features, other.said = self.features, self.said
        other._own = [cards, state]
        return other

    @property
    def reader(self) -> Reader | None:
        """Who reads the hand, for an adviser that asks how the others answer."""
        return self._reads[0]

    @property
    def holding(self) -> tuple[int, ...]:
        """The two cards of the player to act, where they are known by `held`: what an adviser goes by.

        Empty in what a reader is given, who reads from outside.
        """
        cards: tuple[int, ...] = self._own[0]
        return cards

    @property
    def own_cards(self) -> tuple[int, int]:
        """The two cards of the player to act; `ValueError` if they are not known."""
        if not self.holding:
            raise ValueError(f"no advice without the cards of {self.player}: expected spot.held(cards)")
        first, second = self.holding
        return first, second

    def villains(self) -> dict[int, Floats]:
        """What the opponents who are in can hold beside the board and the hero's cards: weights, float64 (1326,).

        Returns
        -------
        dict of int to ndarray
            By seat.

        Raises
        ------
        ValueError
            If the hero's cards are not known, or an opponent has no holding left.
        """
        own, situation = self.own_cards, self.situation
        live = live_holdings(situation.board + own)
        found = {seat: self.likely(seat) * live for seat in situation.active if seat != situation.seat}
        for seat, weights in found.items():
            if not weights.any():
                words = f"{cards_text(own)} and the board {cards_text(situation.board)}"
                raise ValueError(f"no holding of {situation.players[seat]} is left beside {words}")
        return found

    @property
    def folded(self) -> Mapping[int, Floats]:
        """What players who folded can hold, by seat, where the session keeps it (`OpponentModeler.folded_tables`)."""
        return self._reads[2]

    @property
    def exponent(self) -> float:
        """What corrects the weights: 1 where nothing does; see `Calibration`."""
        return self._reads[1]

    @property
    def state(self) -> State:
        """The state of the hand: the player is to act. Copy it before you play on."""
        state: State | None = self._own[1]
        if state is None:
            situation = self.situation
            state = State(situation.spec, situation.stacks_before or None)
            for decision in self.acts:
                if decision.out_of_turn:
                    state.leave(decision.seat)
                else:
                    state.act(decision.act, decision.to)
            if self._own is not _NOBODY:
                self._own[1] = state
        return state

    def range(self, seat: int) -> WeightTable:
        """What a player can hold, corrected if the session is: board cards are dead, and the hero's if they are known.

        Of a player who folded, the last table that they had.
        """
        weights, dead, board, exponent = self.seen_of(seat)
        return WeightTable(corrected(weights, board, exponent), dead=dead)

    def seen_of(self, seat: int) -> tuple[Floats, tuple[int, ...], tuple[int, ...], float]:
        """What `range` is made of: weights before any correction, cards that are ruled out, the board, what corrects.

        The weights are replaced when the session goes on, and not changed.
        """
        hero, cards = self._hidden
        board = self.situation.board
        dead = board + cards if cards and self.situation.players[seat] != hero else board
        return self.tables[seat], dead, board, self._reads[1]

    def likely(self, seat: int) -> Floats:
        """The weights of `range`, without what cards rule out since a player folded: float64 (1326,)."""
        return corrected(self.tables[seat], self.situation.board, self._reads[1])

    def ranges(self) -> list[Floats | None]:
        """Weights of every seat, each float64 (1326,), for a simulation: those of `range`, and of players who folded.

        The table of a player who folded is the last one they had, times the probability that they fold with each
        holding, unless they left out of turn; None where nothing is known, and if the session does not keep it.
        """
        active, folded = frozenset(self.active), self.folded
        seats = range(len(self.tables))
        return [np.array(self.range(seat).values) if seat in active else folded.get(seat) for seat in seats]

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        other.situation = self.situation
        other.tables, other.active, other.analysis, other.memo = self.tables, self.active, self.analysis, self.memo
        other.streets = self.streets
        other._hidden, other.said, other._own, other._reads = self._hidden, {}, _NOBODY, self._reads
        other._acts, other._done = self._acts, self._done
        return other


def _features(situation: Situation, acts: Iterable[Decision]) -> Features:
    """The features of a situation after these acts of the hand."""
    history = BettingHistory(len(situation.players))
    for decision in acts:
        history.add(decision)
    return history.features(situation)
