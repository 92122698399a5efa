"""Whose the chips of a hand are: pots, uncalled bets, and the worth of an all-in when the betting ended.

The rules give the winnings on a board (`State.payoffs`). The possible winnings follow from them, too: a seat whose hand
is the best wins every pot that it is in, and those sums are the borders of the pots. So side pots, antes and chips of
who folded are divided by the same rules as they are paid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pokermodel._core.rules import State

__all__ = ["Pot", "expected_winnings", "pots", "uncalled"]


class Pot(NamedTuple):
    """A main or side pot."""

    chips: float  #: The chips in it.
    seats: tuple[int, ...]


def uncalled(state: State) -> list[int]:
    """Return the uncalled chips of the highest bet, by seat; none if the player who bet them has left the hand."""
    antes = state.spec.antes or (0,) * state.players
    live = [max(chips - ante, 0) for chips, ante in zip(state.committed, antes, strict=True)]
    second, highest = sorted(live)[-2:]
    return [
        highest - second if chips == highest > second and seat in state.active else 0 for seat, chips in enumerate(live)
    ]


def pots(end: State) -> list[Pot]:
    """Return the pots of a showdown, the main pot first. An uncalled bet is a pot that only one seat can win.

    `end` is the state after the last act; `ValueError` if the hand is not over.
    """
    can_win = {}
    for seat in end.active:
        ranks = [int(other == seat) for other in range(end.players)]
        can_win[seat] = end.payoffs(ranks)[seat] + end.committed[seat]
    borders = [0.0, *sorted(set(can_win.values()))]
    return [
        Pot(above - below, tuple(seat for seat, chips in can_win.items() if chips >= above))
        for below, above in pairwise(borders)
    ]


def expected_winnings(
    end: State, holdings: Mapping[int, tuple[int, int]], board: Sequence[int]
) -> dict[int, float] | None:
    """Return what each seat of a showdown gets of all pots on average over the cards to come, in chips.

    Every board is counted, so that it is exact: two cards each leave at most 1,712,304 boards, and those with the same
    ranks are counted at once. Cards that were folded count as unknown, as at the table. An uncalled bet is counted,
    too. `board` has the cards dealt when the betting ended. None if the cards of a seat that is still in are not known;
    `ValueError` if the hand is not over.
    """
    if not all(seat in holdings for seat in end.active):
        return None
    own = {seat: tuple(sorted(holdings[seat])) for seat in end.active}
    found = dict.fromkeys(end.active, 0.0)
    for chips, seats in pots(end):
        if len(seats) == 1:
            found[seats[0]] += chips
            continue
        others = sorted(card for seat, cards in own.items() if seat not in seats for card in cards)
        shares = _shares(tuple([own[seat] for seat in seats]), tuple(sorted(board)), tuple(others))
        for seat, share in zip(seats, shares, strict=True):
            found[seat] += chips * share
    return found


@lru_cache(4096)
def _shares(holdings: tuple[tuple[int, ...], ...], board: tuple[int, ...], dead: tuple[int, ...]) -> tuple[float, ...]:
    """The mean share of a pot of each of some holdings, over all boards."""
    import numpy as np  # when it is needed: not everybody who plays a hand asks for it

    from pokermodel.cards import holding_index

    n = len(holdings)
    weights = np.zeros((n, 1326))
    for row, holding in zip(weights, holdings, strict=True):
        row[holding_index(holding)] = 1.0
    won = np.empty((2, n, n + 1))
    if n == 2 and len(board) < 5:  # before the flop, a quarter of the time that boards of several holdings take
        from pokermodel._core.matchups import N_MATCHUPS, Matchups, list_matchups

        listed, sums = np.empty(N_MATCHUPS, np.uint16), np.empty(3)
        one, other = weights
        Matchups(board, dead).tally(one, other, listed[: list_matchups(one, other, listed)], sums)
        win, tie, lose = sums.tolist()
        won[0] = [[lose, win, tie], [win, lose, tie]]
    else:
        from pokermodel._core.dealing import Deals
        from pokermodel._core.equity import count_runouts

        count_runouts(Deals(weights, board, dead, True), won)
    boards = won[0, 0].sum()
    shares = won[0, :, 1:] @ (1.0 / np.arange(1, n + 1))
    return tuple((shares / boards).tolist())
