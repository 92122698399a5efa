"""The decision that a simulation is about: the state of a hand and the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, cast

from pokermodel._core.rules import State
from pokermodel.cards import CardsLike, card_indices, cards_text
from pokermodel.game import BOARD_CARDS, Decision, GameSpec, Hand

__all__ = ["HasPosition", "Position", "check_position"]


class HasPosition(Protocol):
    """Anything with a state and a board: a `Position`, or the view of a player at a table."""

    @property
    def state(self) -> State:
        """The state of the hand."""

    @property
    def board(self) -> Sequence[int]:
        """The cards on the table."""


class Position(NamedTuple):
    """A decision to be simulated.

    Parameters
    ----------
    state : State
        The state of the hand: the hero is to act.
    board : tuple of int
        The cards on the table.
    """

    state: State
    board: tuple[int, ...]

    @classmethod
    def before(cls, hand: Hand, index: int) -> Position:
        """Return the position before an action of a hand.

        Parameters
        ----------
        hand : Hand
            The hand.
        index : int
            Index of the action, as `Decision.index`.

        Raises
        ------
        ValueError
            If there is no such action, or one before it is illegal.
        """
        if not 0 <= index < len(hand.actions):
            raise ValueError(f"hand {hand.id} has actions 0..{len(hand.actions) - 1}, got {index}")
        state = State(hand.spec, hand.stacks)
        for action in hand.actions[:index]:
            if action.out_of_turn:
                state.leave(action.seat)
            else:
                state.act(action.act, action.to)
        return cls(state, hand.board[: BOARD_CARDS[state.round]])

    @classmethod
    def after(
        cls, decisions: Iterable[Decision], board: CardsLike, stacks: Sequence[int | None] | None = None
    ) -> Position:
        """Return the position after the actions of a hand so far.

        Parameters
        ----------
        decisions : iterable of Decision
            The actions of the hand so far, from the first one on.
        board : cards
            The cards on the table now.
        stacks : sequence of int or None, optional
            Chips before antes and blinds, as for `Hand`.

        Raises
        ------
        ValueError
            If there is no action, or one is illegal.
        """
        state: State | None = None
        for decision in decisions:
            if state is None:
                state = State(decision.spec, stacks)
            if decision.out_of_turn:
                state.leave(decision.seat)
            else:
                state.act(decision.act, decision.to)
        if state is None:
            raise ValueError("a position after the flop has actions before it, got none")
        return cls(state, card_indices(board))


def check_position(state: HasPosition | tuple[State, CardsLike]) -> tuple[State, tuple[int, ...]]:
    """Return the state and the board of a position that can be simulated; `ValueError` says why it cannot."""
    if isinstance(state, tuple) and len(state) == 2:
        rules, cards = state[0], state[1]
    elif hasattr(state, "state") and hasattr(state, "board"):
        rules, cards = state.state, state.board
    else:
        raise ValueError(f"{state!r} is not a position: expected a State and the board, see Position")
    if not isinstance(rules, State):
        raise ValueError(f"{rules!r} is not the state of a hand: expected a State")
    cast("GameSpec", rules.spec).require_limit("a simulation")
    board = card_indices(cards)
    if rules.over:
        raise ValueError("the hand is over: there is nothing to decide")
    if rules.round == 0:
        raise ValueError(
            "decisions before the flop cannot be simulated: expected a decision on the flop, turn or river"
        )
    if len(board) != rules.round + 2:
        raise ValueError(f"round {rules.round} has {rules.round + 2} board cards, got {cards_text(board)!r}")
    return rules, board
