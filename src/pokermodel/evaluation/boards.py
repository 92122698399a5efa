"""Analyses of the boards last seen, the same for everybody who reads a hand."""

from __future__ import annotations

from functools import lru_cache

from pokermodel.cards import CardsLike, card_indices
from pokermodel.evaluation.board import BoardAnalysis

__all__ = ["shared_analysis"]

#: Boards that are kept. The games of a duplicate deal see three; a deal of them has come and gone long before.
_BOARDS = 16


def shared_analysis(board: CardsLike) -> BoardAnalysis:
    """The analysis of a board, without dead cards; the same object while the board is among the last 16 asked for.

    The order of the cards counts. `ValueError` as `BoardAnalysis`.
    """
    return _analysis(board if type(board) is tuple else card_indices(board))


@lru_cache(maxsize=_BOARDS)
def _analysis(board: tuple[int, ...]) -> BoardAnalysis:
    return BoardAnalysis(board)
