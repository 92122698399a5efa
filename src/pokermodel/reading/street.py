"""The street of a decision: ranges and reader as it began; and the spot of a decision in a finished hand.

A solver solves whole streets. It takes the ranges at the beginning of the street, as an observer without any cards has
them: a player's own holding has a meaning only within their whole range. A session without known cards keeps these
ranges. A session with the hero's cards has removed them, so the streets before are read again, once for each street.
"""

from __future__ import annotations

from copy import deepcopy

from pokermodel._support.arrays import Floats
from pokermodel.game import BOARD_CARDS, Act, Decision, Hand
from pokermodel.reading.reader import Reader, Spot
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.tables import HandTables
from pokermodel.reading.width import Width

__all__ = ["decision_of", "spot_of", "street_reader", "street_tables", "street_weights", "street_widths"]


def street_tables(spot: Spot, round: int | None = None) -> HandTables:
    """All ranges at the beginning of a street, by default the spot's, before its first action.

    They are the tables of an observer without any cards, before any correction. `ValueError` if the streets before have
    to be read again and the spot has no reader.
    """
    weights = street_weights(spot, round)
    situation = spot.situation
    cards = BOARD_CARDS[situation.round if round is None else round]
    tables = HandTables(situation.players)
    tables.deal(situation.board[:cards])
    for decision in spot.acts:
        if decision.act == Act.FOLD and len(decision.board) < cards:
            tables.fold(decision.seat)
    tables.weights = weights
    return tables


def street_weights(spot: Spot, round: int | None = None) -> tuple[Floats, ...]:
    """The weights of `street_tables` alone, by seat: float64 (1326,) each. Do not write to them."""
    situation = spot.situation
    cards = BOARD_CARDS[situation.round if round is None else round]
    found = spot.streets.get(cards)
    if found is None:
        found = spot.streets[cards] = _read_again(spot, situation.board[:cards]).tables.weights
    return found


def street_widths(spot: Spot) -> tuple[Width | None, ...]:
    """The widths of all ranges at the beginning of a spot's street; None before the first choice.

    `ValueError` if the spot has no reader.
    """
    situation = spot.situation
    session = _read_again(spot, situation.board[: BOARD_CARDS[situation.round]])
    return tuple(session.width(seat) for seat in range(len(situation.players)))


def street_reader(spot: Spot, round: int) -> Reader:
    """The reader of a spot as it was when a street began: another one, if it keeps something of the hand.

    `ValueError` if the spot has no reader.
    """
    reader = spot.reader
    if reader is None:
        raise ValueError("nobody says what players do: expected a spot with a reader")
    if not reader.follows_hands:
        return reader
    return _read_again(spot, spot.situation.board[: BOARD_CARDS[round]]).reader


def _read_again(spot: Spot, board: tuple[int, ...]) -> OpponentModeler:
    """A session that has followed the hand until the board was dealt."""
    reader = spot.reader
    if reader is None:
        raise ValueError("nobody reads the streets before: expected a spot with a reader")
    session = OpponentModeler(deepcopy(reader) if reader.follows_hands else reader, learning=False)
    session.start(spot.situation.players)
    for decision in spot.acts:
        if len(decision.board) < len(board):
            session.observe(decision)
    session.deal(board)
    return session


def spot_of(session: OpponentModeler, hand: Hand, decision: Decision | int, *, folded: bool = False) -> Spot:
    """The spot of a decision in a finished hand, for an observer without any cards.

    Raises `ValueError` if the decision is not one of the hand, or is a fold out of turn, or the reader does not read
    the game.

    Parameters
    ----------
    session : OpponentModeler
        Reads the hand. It is copied, and learns nothing.
    folded : bool
        Whether what players who folded can hold is kept.

    Examples
    --------
    >>> import pokermodel as pm
    >>> spot_of(pm.OpponentModeler(), pm.example_hand(), 20).situation.player
    'Boris'
    """
    found = decision_of(hand, decision)
    reading = session.copy()  # the session may be in the middle of a hand
    reading.folded_tables = folded
    reading.start(hand.players)
    for each in hand.replay():
        if each.index == found.index:
            break
        reading.observe(each)
    return reading.spot(found)


def decision_of(hand: Hand, decision: Decision | int) -> Decision:
    """A decision of a hand, given by itself or by its index.

    `ValueError` if it is not one of the hand, or is a fold out of turn.
    """
    index = decision.index if isinstance(decision, Decision) else decision
    if isinstance(index, bool) or not isinstance(index, int):
        raise ValueError(f"expected a decision of the hand or its index, got {decision!r}")
    decisions = list(hand.replay())
    if not 0 <= index < len(decisions):
        raise ValueError(f"hand {hand.id} has no act {index + 1}: it has {len(decisions)}")
    found = decisions[index]
    if isinstance(decision, Decision) and decision.situation != found.situation:
        raise ValueError(f"the decision is not one of hand {hand.id}: act {index + 1} was made in another situation")
    if found.out_of_turn:
        raise ValueError(f"hand {hand.id}, act {index + 1} is a fold out of turn: there is nothing to decide")
    return found
