"""The table at the moments of a hand: pot, bets, stacks, and the remaining players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pokermodel.game import BOARD_CARDS, Decision, Hand, State

__all__ = ["Moment", "moments_of"]


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """The table at a moment of a hand: before the first action, after each, and at the end.

    Where everybody who is left is all-in, there is a moment for every street that is dealt after that. Amounts are in
    chips, by seat.
    """

    round: int
    board: tuple[int, ...]
    #: The act before it; None before the first act, where a street is dealt after an all-in, and at the end.
    decision: Decision | None
    over: bool  #: Whether the hand is over: no card is dealt, and no bet made any more.
    pot: int  #: All that was put in; at the end what was matched, since an uncalled bet goes back.
    bets: tuple[int, ...]  #: What was put in in this round, antes aside.
    stacks: tuple[int | None, ...]  #: What is left; None where it is not known.
    #: `folded`, `all_in`: seats, those that folded in the order in which they did.
    folded: tuple[int, ...]
    all_in: tuple[int, ...]


def moments_of(hand: Hand, decisions: Sequence[Decision]) -> Iterator[Moment]:
    """Before the first act, after each, at each street that is dealt after an all-in, and at the end."""
    committed = State(hand.spec, hand.stacks).committed
    antes = hand.spec.antes or (0,) * len(committed)  # which are no bet of the round
    bets = [total - ante for total, ante in zip(committed, antes, strict=True)]
    left = [
        None if stack is None else stack - total
        for stack, total in zip(hand.stacks or (None,) * len(committed), committed, strict=True)
    ]
    pot, now = sum(committed), 0
    folded: list[int] = []

    def moment(board: tuple[int, ...], decision: Decision | None = None, *, over: bool = False) -> Moment:
        return Moment(
            now,
            board,
            decision,
            over,
            hand.pot_chips if over else pot,
            tuple(bets),
            tuple(left),
            tuple(folded),
            tuple([seat for seat, chips in enumerate(left) if chips == 0 and seat not in folded]) if 0 in left else (),
        )

    yield moment(())
    for decision in decisions:
        situation, seat, put_in = decision.situation, decision.situation.seat, decision.put_in
        if situation.round != now:
            now, bets = situation.round, [0] * len(bets)
        pot, bets[seat] = pot + put_in, bets[seat] + put_in
        if (chips := left[seat]) is not None:
            left[seat] = chips - put_in
        if decision.name == "fold":
            folded.append(seat)
        yield moment(situation.board, decision)
    streets = BOARD_CARDS[now + 1 :] if len(folded) < len(left) - 1 else ()  # dealt to a showdown, without an act
    for cards in streets:
        if cards <= len(hand.board):
            now, bets = now + 1, [0] * len(bets)
            yield moment(hand.board[:cards])
    yield moment(hand.board, over=True)
