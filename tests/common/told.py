"""All that a reader says of a text, so that two ways of reading can be compared, types of numbers included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from pokermodel.errors import HistoryError
from pokermodel.game import Hand
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark

__all__ = ["Reading", "facts", "told"]

#: Reads a text that it knows: given a sink of errors, or None, and a bookmark, yields hands.
Reading: TypeAlias = Callable[[Sink | None, ReaderMark], Iterator[Hand]]


def facts(hand: Hand) -> tuple[Any, ...]:
    """All that a hand says, and of what types."""
    actions = [(type(action), *map(type, action)) for action in hand.actions]
    cards = [type(card) for cards in (hand.board, *hand.holdings.values()) for card in cards]
    end = (hand.payoffs, hand.pot, hand.showdown, hand._end and hand._end.stacks)
    try:
        decisions: Any = list(hand.replay())
    except ValueError as error:
        decisions = str(error)
    holdings, stated = list(hand.holdings.items()), repr(hand.stated_payoffs)
    return hand._content(), type(hand.unit), actions, cards, holdings, decisions, end, stated


def error_facts(error: HistoryError) -> tuple[Any, ...]:
    """What an error says, and of what."""
    return str(error), error.path, error.line, error.hand


def told(read: Reading, start: Sequence[int] = ()) -> list[Any]:
    """Of hands everything, in order, and where each begins; and of what is left out why."""
    skipped: list[HistoryError] = []
    mark = ReaderMark(tuple(start))
    found = [(facts(hand), mark.at) for hand in read(skipped, mark)]
    return [found, [*map(error_facts, skipped)]]
