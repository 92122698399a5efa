"""What the players of a table can share, since it follows from what all of them see.

Loki's models are public: they leave the reader's own cards in. Ten copies of it at a table would compute the same
tables ten times over; here it is done once, when somebody first asks. The play is the same as with a modeler of
one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from pokermodel.cards import CardsLike, card_indices
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Action, Decision, Hand
from pokermodel.reading.session import OpponentModeler

__all__ = ["Commons"]

T = TypeVar("T")

#: Boards kept. The games of a duplicate deal see three; a deal of them has come and gone long before.
_BOARDS = 12


class Commons:
    """Board analyses, modelers and whatever else follows from public information, computed once.

    A table tells it what happens (`begin`, `observe`, `end`). It may outlive a hand: modelers that learn go on from
    hand to hand, and analyses of boards are kept for the next game on the same cards.

    Nothing private may be put in here, be it under a private key: everybody at the table has the same object.
    """

    def __init__(self) -> None:
        self._boards: dict[tuple[int, ...], BoardAnalysis] = {}
        self._notes: dict[tuple[int, ...], dict[Hashable, object]] = {}
        self._modelers: dict[Hashable, OpponentModeler] = {}
        self._behind: dict[Hashable, int] = {}
        self._players: tuple[str, ...] = ()
        self._decisions: list[Decision] = []

    def begin(self, players: tuple[str, ...]) -> None:
        """Begin a hand of these players, by seat."""
        self._players = players
        self._decisions = []
        for key, modeler in self._modelers.items():
            modeler.start(players)
            self._behind[key] = 0

    def observe(self, decision: Decision) -> None:
        """See an action."""
        self._decisions.append(decision)

    def end(self, board: tuple[int, ...], shown: Mapping[int, tuple[int, int]]) -> None:
        """End the hand: modelers that learn do so.

        Parameters
        ----------
        board : tuple of int
            As far as it was dealt.
        shown : mapping of int to (int, int)
            Holdings of a showdown by seat.
        """
        hand: Hand | None = None
        for key, modeler in self._modelers.items():
            if modeler.tables is not None:  # learns whole hands
                hand = hand or self._hand(board, shown)
                modeler.learn(hand, self._decisions)
            elif modeler.specific:
                self._catch_up(key, modeler)

    def _hand(self, board: tuple[int, ...], shown: Mapping[int, tuple[int, int]]) -> Hand:
        first = self._decisions[0]
        actions = [Action(decision.seat, decision.act, decision.out_of_turn) for decision in self._decisions]
        return Hand(first.source, first.hand_id, first.spec, self._players, actions, board, shown)

    def _catch_up(self, key: Hashable, modeler: OpponentModeler) -> None:
        for decision in self._decisions[self._behind[key] :]:
            modeler.observe(decision)
        self._behind[key] = len(self._decisions)

    def modeler(self, key: Hashable, make: Callable[[], OpponentModeler]) -> OpponentModeler:
        """A modeler that has seen every action of the hand so far.

        Parameters
        ----------
        key : hashable
            What tells it from others, such as the model's name and options. Who asks with the same key gets the
            same modeler.
        make : callable
            Makes it when it is first asked for. One that is made late has seen nothing of earlier hands: ask at the
            beginning of a hand for a modeler that learns.

        Returns
        -------
        OpponentModeler
            For reading only: it is everybody's.

        Raises
        ------
        ValueError
            If its tables are not public: who knows his own cards needs a modeler of his own.
        """
        modeler = self._modelers.get(key)
        if modeler is None:
            modeler = make()
            if not modeler.public_models:
                raise ValueError(f"a modeler that knows somebody's cards cannot be shared: {modeler.model!r}")
            self._modelers[key] = modeler
            modeler.analyze = self.analysis
            modeler.start(self._players)
            self._behind[key] = 0
        self._catch_up(key, modeler)
        return modeler

    def analysis(self, board: CardsLike) -> BoardAnalysis:
        """The analysis of a board; raises as `BoardAnalysis` does."""
        cards = board if type(board) is tuple else card_indices(board)
        analysis = self._boards.get(cards)
        if analysis is None:
            while len(self._boards) >= _BOARDS:
                oldest = next(iter(self._boards))
                del self._boards[oldest]
                self._notes.pop(oldest, None)
            analysis = self._boards[cards] = BoardAnalysis(cards)
        return analysis

    def note(self, board: tuple[int, ...], key: Hashable, make: Callable[[], T]) -> T:
        """Something that depends on nothing but a board and the key, made when first asked for.

        Forgotten together with the board.
        """
        self.analysis(board)
        notes = self._notes.setdefault(board, {})
        if key not in notes:
            notes[key] = make()
        return notes[key]  # type: ignore[return-value]  # what is under a key is what its maker made
