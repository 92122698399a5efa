"""The situation of a player who is about to act, and their action."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, cast

from pokermodel._core.rules import Act, State
from pokermodel.game.rounds import BOARD_CARDS, WHEN
from pokermodel.game.spec import GameSpec

__all__ = ["Decision", "Situated", "Situation"]


class Situation(NamedTuple):
    """The public information before an action. Hidden cards are not in it.

    The hand's source and number are not in it either, so that nothing can be looked up. Amounts are chips.

    Parameters
    ----------
    spec : GameSpec
        The game.
    players : tuple of str
        Names by seat.
    seat : int
        The seat to act.
    player : str
        The name of the player in that seat.
    board : tuple of int
        The cards on the table: 0, 3, 4 or 5.
    round : int
        0 pre-flop, 1 flop, 2 turn, 3 river.
    pot : int
        All chips put in so far, including antes and the bets of this round.
    to_call : int
        Chips needed to stay in, limited to the player's stack.
    bet_size : int
        Size of a bet in this round.
    bets_to_call : int
        `to_call` in bets, rounded up: the half bet of a small blind is one (Papp 1998, section 6.1).
    num_bets : int
        Bets and raises made in this round by any player; the big blind counts as one before the flop.
    bets_put_in : int
        Bets that the player put in voluntarily in this round, blinds excluded; rounded up as `bets_to_call` is.
    active : tuple of int
        Seats that have not folded, including the seat to act.
    position : int
        Number of players, neither folded nor all-in, who act after this one in later rounds; 0 on the button.
    committed : tuple of int
        Chips that each seat has put in during this hand.
    in_round : int
        Chips that the player has put in during this round, blinds included and antes not.
    all_in : tuple of int
        Seats without chips behind.
    legal : tuple of Act
        The legal actions: a fold only when there is something to call, a raise only when it could be called. A
        player who leaves out of turn can only fold.
    raise_range : (int, int or None) or None
        The least and the most that the player may bet or raise to, counted from the beginning of the round; the same
        amount twice in limit. The most is None in no limit if the player's stack is not known. None where `legal` has
        no raise.
    stacks_before : tuple of (int or None)
        Chips that each seat had before antes and blinds; None where they are not known. Empty: none are.

    Notes
    -----
    In pot limit and no limit, where bets have no fixed size, `bet_size` is the least bet, which is the big blind, and
    `bets_to_call` and `bets_put_in` are amounts in big blinds, rounded up.
    """

    spec: GameSpec
    players: tuple[str, ...]
    seat: int
    player: str
    board: tuple[int, ...]
    round: int
    pot: int
    to_call: int
    bet_size: int
    bets_to_call: int
    num_bets: int
    bets_put_in: int
    active: tuple[int, ...]
    position: int
    committed: tuple[int, ...]
    in_round: int
    all_in: tuple[int, ...]
    legal: tuple[Act, ...]
    raise_range: tuple[int, int | None] | None
    stacks_before: tuple[int | None, ...] = ()

    @property
    def stacks(self) -> tuple[int | None, ...]:
        """Chips that each seat has left; None where they are not known."""
        before = self.stacks_before or (None,) * len(self.committed)
        return tuple(
            [None if chips is None else chips - put_in for chips, put_in in zip(before, self.committed, strict=True)]
        )

    @property
    def least_raise(self) -> int | None:
        """The least that the player may bet or raise to in this round; None where there is no raise."""
        return self.raise_range[0] if self.raise_range else None

    @property
    def most_raise(self) -> int | None:
        """The most that the player may bet or raise to in this round; None without a raise or a known bound."""
        return self.raise_range[1] if self.raise_range else None

    @property
    def round_base(self) -> int:
        """Chips that the player put in during earlier rounds, antes not included.

        A raise to X in this round is a raise to X + `round_base` over the hand, as the ACPC's dealer counts.
        """
        antes = self.spec.antes
        return self.committed[self.seat] - self.in_round - (antes[self.seat] if antes else 0)

    @property
    def pot_to_win(self) -> int:
        """The pot without the chips that a call could not match: a player wins as much of a bet as they put in."""
        antes = self.spec.antes or (0,) * len(self.committed)
        level = self.committed[self.seat] - antes[self.seat] + self.to_call
        over = sum(max(0, put_in - ante - level) for put_in, ante in zip(self.committed, antes, strict=True))
        return self.pot - over

    @property
    def facing(self) -> int:
        """Bets to call as the sources tell them apart: 0, 1, or 2 for two or more."""
        bets = self.bets_to_call
        return bets if bets < 2 else 2

    @property
    def act_names(self) -> tuple[str, str, str]:
        """The three acts in poker's words: "fold", "check" or "call", "bet" or "raise"."""
        return "fold", "call" if self.to_call else "check", "raise" if self.num_bets or self.to_call else "bet"

    @classmethod
    def of(
        cls, state: State, players: tuple[str, ...], board: tuple[int, ...] = (), seat: int | None = None
    ) -> Situation:
        """Describe what a seat, by default the seat to act, faces.

        Later cards of the board are ignored. `ValueError` if the hand is over, the seat has folded, is all-in or does
        not exist, or the board is too short for the round.
        """
        facts = state.situation(seat)
        if seat is None:
            seat = state.seat
        expected = BOARD_CARDS[facts[0]]
        if len(board) > expected:
            board = board[:expected]
        elif len(board) < expected:
            raise ValueError(f"{len(board)} cards on the board {WHEN[facts[0]]}, expected {expected}")
        return cls(cast("GameSpec", state.spec), players, seat, players[seat], board, *facts)


class Situated:
    """Gives what has a `situation` the attributes of that `Situation`."""

    __slots__ = ()

    if TYPE_CHECKING:
        spec: GameSpec
        players: tuple[str, ...]
        seat: int
        player: str
        board: tuple[int, ...]
        round: int
        pot: int
        to_call: int
        bet_size: int
        bets_to_call: int
        num_bets: int
        bets_put_in: int
        active: tuple[int, ...]
        position: int
        committed: tuple[int, ...]
        in_round: int
        all_in: tuple[int, ...]
        legal: tuple[Act, ...]
        raise_range: tuple[int, int | None] | None
        stacks_before: tuple[int | None, ...]
        stacks: tuple[int | None, ...]
        least_raise: int | None
        most_raise: int | None
        round_base: int


for _name in (*Situation._fields, "stacks", "least_raise", "most_raise", "round_base"):
    setattr(Situated, _name, property(attrgetter(f"situation.{_name}"), doc=f"`{_name}` of the situation."))


class _Decision(NamedTuple):
    source: str
    hand_id: str
    index: int  # type: ignore[assignment]  # a tuple has a method of that name
    situation: Situation
    act: Act
    put_in: int
    out_of_turn: bool = False


class Decision(Situated, _Decision):
    """One action of a hand, with the situation it was taken in. Hidden cards are not in it.

    The attributes of the `Situation` are attributes of the decision, too: they describe the moment before the action.

    Parameters
    ----------
    source, hand_id : str
        Source and id of the hand.
    index : int
        0, 1, ... within the hand.
    situation : Situation
        The situation before the action.
    act : Act
        The action.
    put_in : int
        Chips that the action put in.
    out_of_turn : bool
        Whether the player left the hand when it was another player's turn.
    """

    __slots__ = ()

    @property
    def to(self) -> int | None:
        """The total of a bet or raise, in chips counted from the beginning of the round; None for other acts."""
        return self.situation.in_round + self.put_in if self.act == Act.RAISE else None

    @property
    def to_in_hand(self) -> int | None:
        """The total of a bet or raise over the whole hand, antes not included; None for other acts."""
        return self.situation.round_base + self.situation.in_round + self.put_in if self.act == Act.RAISE else None

    @property
    def name(self) -> str:
        """The action in poker's words: "fold", "check", "call", "bet" or "raise"."""
        return self.situation.act_names[self.act]
