"""The winnings of each seat in a finished hand: by the rules, and on average for all-ins before the river."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence

from pokermodel._core.evaluator import evaluate
from pokermodel._core.rules import State
from pokermodel.game.pots import expected_winnings, uncalled
from pokermodel.game.rounds import BOARD_CARDS

__all__ = ["all_in_ev", "payoffs_of", "rake_paid", "showdown_ranks"]


def payoffs_of(
    end: State,
    boards: Sequence[tuple[int, ...]],
    holdings: Mapping[int, tuple[int, int]],
    mucked: Container[int],
) -> tuple[float, ...]:
    """Chips that each seat won or lost by the rules, before the rake.

    Where several boards were dealt, each gets the same part of every pot. Hands of `mucked` seats count as losing.
    `ValueError` if the hand is not finished, or cards of a showdown are not known.
    """
    if not end.showdown:
        return end.payoffs(None)
    of_boards = [end.payoffs(showdown_ranks(end, board, holdings, mucked)) for board in boards]
    if len(of_boards) == 1:
        return of_boards[0]
    return tuple([sum(shares) / len(of_boards) for shares in zip(*of_boards, strict=True)])


def showdown_ranks(
    end: State, board: tuple[int, ...], holdings: Mapping[int, tuple[int, int]], mucked: Container[int]
) -> list[int]:
    """Ranks of the hands of a showdown; 0 for those that did not show."""
    ranks = [0] * end.players
    showing = [seat for seat in end.active if seat not in mucked]
    if len(showing) == 1:  # wins without comparison
        ranks[showing[0]] = 1
        return ranks
    if showing and len(board) != 5:
        raise ValueError(f"a showdown with {len(board)} cards on the board, expected 5")
    for seat in showing:
        if seat not in holdings:
            raise ValueError(f"a showdown, but the cards of seat {seat} are not known")
        ranks[seat] = evaluate(board + holdings[seat])
    return ranks


def rake_paid(end: State, net: Sequence[float], rake: float) -> tuple[float, ...]:
    """Chips that each seat paid of the rake: in proportion to what it collected."""
    collected = [
        max(won + chips - back, 0.0) for won, chips, back in zip(net, end.committed, uncalled(end), strict=True)
    ]
    whole = math.fsum(collected)
    return tuple([rake * part / whole for part in collected]) if whole else (0.0,) * end.players


def all_in_ev(
    end: State,
    last: int | None,
    board: tuple[int, ...],
    holdings: Mapping[int, tuple[int, int]],
    net: tuple[float, ...],
) -> tuple[float | None, ...]:
    """Chips that each seat won on average over the cards that were to come after the last act.

    `last` is the round of that act, if it ended all betting, and `net` what each seat won or lost after the rake.
    The result is `net` where cards did not decide, and None for the players of an all-in where one of them has not
    shown.
    """
    if last is None or last == len(BOARD_CARDS) - 1 or not (end.showdown and end.all_in):
        return net
    found = expected_winnings(end, holdings, board[: BOARD_CARDS[last]])
    if found is None:
        return tuple([None if seat in end.active else won for seat, won in enumerate(net)])
    back = uncalled(end)
    matched = end.pot - sum(back)
    paid = (math.fsum(net) + matched) / matched if matched else 1.0
    return tuple(
        [
            paid * (found[seat] - back[seat]) + back[seat] - end.committed[seat] if seat in found else won
            for seat, won in enumerate(net)
        ]
    )
