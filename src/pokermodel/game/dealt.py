"""The cards of a hand, checked: those of a deck, each once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokermodel.cards import N_CARDS, CardsLike, card_indices, cards_text
from pokermodel.game.rounds import BOARD_CARDS

__all__ = ["board_and_holdings", "other_boards"]

_DECK = frozenset(range(N_CARDS))


def board_and_holdings(
    board: CardsLike, holdings: Mapping[int, CardsLike]
) -> tuple[tuple[int, ...], dict[int, tuple[int, int]]]:
    """Board and holdings as indices, all different."""
    cards = board if type(board) is tuple else card_indices(board)
    hole: dict[int, Any] = {
        seat: holding if type(holding) is tuple else card_indices(holding) for seat, holding in holdings.items()
    }
    dealt = [*cards]
    for holding in hole.values():
        dealt += holding
    if not (set(map(type, dealt)) <= {int} and _DECK.issuperset(dealt)):  # tuples of something else
        cards = card_indices(cards)
        hole = {seat: card_indices(holding) for seat, holding in hole.items()}
        dealt = [*cards]
        for holding in hole.values():
            dealt += holding
    if len(set(dealt)) != len(dealt):
        card_indices(dealt)
    if len(cards) not in BOARD_CARDS:
        raise ValueError(f"a board has 0, 3, 4 or 5 cards, got {len(cards)}: {cards_text(cards)!r}")
    for seat, holding in hole.items():
        if len(holding) != 2:
            raise ValueError(f"seat {seat} must hold two cards, got {len(holding)}: {cards_text(holding)!r}")
    return cards, hole


def other_boards(
    second: CardsLike, third: CardsLike, board: tuple[int, ...], holdings: Mapping[int, tuple[int, int]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The second of several boards, and the third, if there is one; `ValueError` if not all can have been dealt."""
    others = [card_indices(second), *([card_indices(third)] if third else [])]
    cards = [*board, *(card for holding in holdings.values() for card in holding)]
    for other in others:
        if len(other) != 5 or len(board) != 5:
            raise ValueError(f"two boards have five cards each, got {len(board)} and {len(other)}")
        shared = next((k for k in range(5) if board[k] != other[k]), 5)
        if shared not in (0, 3, 4):
            raise ValueError(
                f"two boards have the cards before the all-in in common, got {shared} of {cards_text(other)}"
            )
        cards += other[shared:]
    card_indices(cards)
    return others[0], others[1] if third else ()
