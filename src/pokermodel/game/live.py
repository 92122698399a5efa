"""A hand while it is played: what everybody at the table sees of it."""

from __future__ import annotations

from collections.abc import Sequence

from pokermodel._core.rules import Act, State
from pokermodel.cards import CardsLike, card_indices, cards_text
from pokermodel.game.places import placed
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.game.situation import Decision, Situation
from pokermodel.game.spec import GameSpec

__all__ = ["LiveHand"]


class LiveHand:
    """A hand that is being played: the state of the betting, the board, and what was done so far.

    Parameters
    ----------
    spec : GameSpec
        The game.
    players : sequence of str
        Names by seat.
    source, hand_id : str
        For the decisions.
    stacks : sequence of int or None, optional
        Chips of each seat before antes and blinds, as for `Hand`.

    Raises
    ------
    ValueError
        If names or stacks do not fit the game.

    Attributes
    ----------
    spec, players, source, hand_id, stacks
        As given.
    state : State
        The state of the betting. Do not change it.
    board : tuple of int
        Every board card that was dealt, perhaps more than the round has seen.
    decisions : list of Decision
        The actions so far.

    Examples
    --------
    >>> hand = LiveHand(GameSpec.heads_up(1, 2), ("Ann", "Bob"))
    >>> hand.act(Act.CALL).name, hand.act(Act.CALL).name
    ('call', 'check')
    >>> hand.deal("2c7d9h")
    >>> hand.situation().player, hand.situation().round
    ('Bob', 1)
    """

    __slots__ = ("board", "decisions", "hand_id", "players", "source", "spec", "stacks", "state")

    def __init__(
        self,
        spec: GameSpec,
        players: Sequence[str],
        *,
        source: str = "table",
        hand_id: str = "1",
        stacks: Sequence[int | None] | None = None,
    ) -> None:
        names = tuple(players)
        if len(names) != spec.players or len(set(names)) != len(names):
            raise ValueError(f"a game of {spec.players} needs as many players with different names, got {names}")
        self.spec = spec = placed(spec, source)
        self.players = names
        self.source = source
        self.hand_id = hand_id
        self.stacks = (spec.stacks or None) if stacks is None else tuple(stacks)
        self.state = State(spec, self.stacks)
        self.board: tuple[int, ...] = ()
        self.decisions: list[Decision] = []

    def __repr__(self) -> str:
        return f"<LiveHand {self.hand_id}: {len(self.decisions)} actions, {self.state!r}>"

    @property
    def dealt(self) -> tuple[int, ...]:
        """The board cards of the rounds reached so far."""
        return self.board[: BOARD_CARDS[self.state.round]]

    def deal(self, board: CardsLike) -> None:
        """See the board: all cards so far, or all that will come.

        `ValueError` if it is not 0, 3, 4 or 5 different cards, or does not begin with those seen before.
        """
        cards = card_indices(board)
        if len(cards) not in BOARD_CARDS:
            raise ValueError(f"a board has 0, 3, 4 or 5 cards, got {len(cards)}: {cards_text(cards)!r}")
        if cards[: len(self.board)] != self.board:
            raise ValueError(f"board {cards_text(cards)!r} does not continue {cards_text(self.board)!r}")
        self.board = cards

    def situation(self) -> Situation:
        """The situation of the seat to act; `ValueError` if the hand is over or the board is too short."""
        return Situation.of(self.state, self.players, self.board)

    def act(self, act: Act, to: int | None = None) -> Decision:
        """Let the seat to act do something; `to` is that of `State.act`.

        `ValueError` if the hand is over, the board is too short, or the rules do not allow it.
        """
        situation = self.situation()
        put_in = self.state.act(act, to)
        return self._done(situation, Act(act), put_in)

    def leave(self, seat: int) -> Decision:
        """Let a player leave the hand, in turn or out of it; `ValueError` if they are not in it."""
        situation = Situation.of(self.state, self.players, self.board, seat)
        out_of_turn = seat != self.state.seat
        self.state.leave(seat)
        return self._done(situation, Act.FOLD, 0, out_of_turn)

    def _done(self, situation: Situation, act: Act, put_in: int, out_of_turn: bool = False) -> Decision:
        decision = Decision(self.source, self.hand_id, len(self.decisions), situation, act, put_in, out_of_turn)
        self.decisions.append(decision)
        return decision
