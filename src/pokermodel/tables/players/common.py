"""The common knowledge of a table's players, which follows from public information.

Loki's models are public: they ignore the reader's own cards. Ten copies of it at a table would compute the same tables
ten times; here it is done once, when a player first asks. The play is the same as with a session of one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.game import Action, Decision, GameSpec, Hand, LiveHand
from pokermodel.reading.session import OpponentModeler

__all__ = ["CommonKnowledge"]

T = TypeVar("T")

#: Boards of which notes are kept. The games of a duplicate deal see three.
_BOARDS = 12


class _About(NamedTuple):
    source: str
    hand_id: str
    spec: GameSpec
    stacks: tuple[int | None, ...] | None


class CommonKnowledge:
    """Sessions and other results of public information, computed once for all players of a table.

    A table tells it what happens (`begin`, `end`). It may outlive a hand: sessions that learn go on from hand to hand.

    Nothing private may be put in here, be it under a private key: everybody at the table has the same object.

    Parameters
    ----------
    book : Book or mapping of str to ActionCounts, optional
        The players' knowledge of each other at the start. It is only read.

    Attributes
    ----------
    book
        As given: what a player's session begins with, as the argument of `OpponentModeler`.
    """

    def __init__(self, book: Mapping[str, Any] | None = None) -> None:
        self.book = book
        self._notes: dict[tuple[int, ...], dict[Hashable, object]] = {}
        self._sessions: dict[Hashable, OpponentModeler] = {}
        self._seen: dict[Hashable, int] = {}  # decisions that each session has observed
        self._players: tuple[str, ...] = ()
        self._decisions: list[Decision] = []
        self._about: _About | None = None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The actions of the hand so far."""
        return tuple(self._decisions)

    def begin(self, hand: LiveHand) -> None:
        """Begin a hand; of one that was not ended, nothing is learnt from its end."""
        self._players = hand.players
        self._decisions = hand.decisions
        self._about = _About(hand.source, hand.hand_id, hand.spec, hand.stacks)  # no more: the board may be known to it
        for key, session in self._sessions.items():
            session.start(hand.players)
            self._seen[key] = 0

    def end(self, board: tuple[int, ...], shown: Mapping[int, tuple[int, int]]) -> None:
        """End the hand: sessions that learn do so.

        Parameters
        ----------
        board : tuple of int
            As far as it was dealt.
        shown : mapping of int to (int, int)
            Holdings of a showdown by seat.

        Raises
        ------
        ValueError
            As `hand`.
        """
        hand: Hand | None = None
        for key, session in self._sessions.items():
            if session.reader.learns_acts:
                self._catch_up(key, session)
            if session.learns_hands:
                hand = hand or self.hand(board, shown)
                session.learn(hand, self._decisions)

    def hand(self, board: tuple[int, ...], shown: Mapping[int, tuple[int, int]]) -> Hand:
        """The hand that was played, as everybody saw it.

        Parameters
        ----------
        board, shown
            As `end`.

        Raises
        ------
        ValueError
            If no hand has begun, or the cards do not fit together.
        """
        if self._about is None:
            raise ValueError("no hand has begun: call begin() first")
        source, hand_id, spec, stacks = self._about
        actions = [Action.of(decision) for decision in self._decisions]
        return Hand(source, hand_id, spec, self._players, actions, board, shown, stacks)

    def _catch_up(self, key: Hashable, session: OpponentModeler) -> None:
        for decision in self._decisions[self._seen[key] :]:
            session.observe(decision)
        self._seen[key] = len(self._decisions)

    def session(self, key: Hashable, make: Callable[[], OpponentModeler]) -> OpponentModeler:
        """A session that has seen every act of the hand so far.

        Parameters
        ----------
        key : hashable
            Its identity, such as the model's name and options. Calls with the same key get the same session.
        make : callable
            Makes it at the first call. A late session has not seen earlier hands: call at the beginning of a hand for a
            session that learns.

        Returns
        -------
        OpponentModeler
            For reading only: it is everybody's.

        Raises
        ------
        ValueError
            If its tables are not public: a player who uses their own cards needs a session of their own.
        """
        session = self._sessions.get(key)
        if session is None:
            session = make()
            if not session.public_models:
                raise ValueError(f"a session that knows a player's cards cannot be shared: {session.model!r}")
            self._sessions[key] = session
            session.start(self._players)
            self._seen[key] = 0
        self._catch_up(key, session)
        return session

    @staticmethod
    def analysis(board: tuple[int, ...]) -> BoardAnalysis:
        """The analysis of a board; raises as `BoardAnalysis` does."""
        return shared_analysis(board)

    def note(self, board: tuple[int, ...], key: Hashable, make: Callable[[], T]) -> T:
        """Something that depends on nothing but a board and the key, made when first asked for.

        Forgotten when twelve other boards have been asked for.
        """
        notes = self._notes.get(board)
        if notes is None:
            while len(self._notes) >= _BOARDS:
                del self._notes[next(iter(self._notes))]
            notes = self._notes[board] = {}
        if key not in notes:
            notes[key] = make()
        return notes[key]  # type: ignore[return-value]  # what is under a key is what its maker made
