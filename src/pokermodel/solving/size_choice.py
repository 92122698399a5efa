"""Which size? What a player loses with fewer sizes beside all sizes of their menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

from pokermodel._support.checks import check_least
from pokermodel.solving.menu import PLAYERS, STREETS
from pokermodel.solving.solution import Solution
from pokermodel.solving.solver import solve_whole
from pokermodel.solving.subgame import Subgame

__all__ = ["SizeChoice", "compare_sizes"]

_ROWS = ("bets", "raises")


class SizeChoice(NamedTuple):
    """The value of the spot to a player with some of the sizes that they have on a street.

    Attributes
    ----------
    street : str
    player : int
        0 out of position, 1 in position.
    row : {"bets", "raises"}
    sizes : tuple of str
    ev : float
        EV of the spot in its unit, with the other menus of both players unchanged.
    loss : float
        Beside all sizes. Without rake it is at least 0, but for the error.
    error : float
        How far the loss may be off, since both solutions are exploitable.
    """

    street: str
    player: int
    row: str
    sizes: tuple[str, ...]
    ev: float
    loss: float
    error: float


def compare_sizes(
    subgame: Subgame, most: int = 2, progress: Callable[[], object] | None = None, **options: Any
) -> tuple[Solution, list[SizeChoice]]:
    """Solve a subgame with all sizes, and with some of them, by street and player.

    Parameters
    ----------
    most : int
        Sizes of the largest menu that is looked at beside all sizes.
    progress : callable, optional
        Called after each solution.
    **options
        Of `solve`, as `target`.

    Returns
    -------
    solution : Solution
        With all sizes.
    choices : list of SizeChoice
        By street, player and row, the smallest loss first. Rows of one size have none.

    Raises
    ------
    ValueError
        As `solve`, in limit, or if the subgame has locks.
    KeyboardInterrupt
        If the user interrupted it.
    """
    check_least("most", most, 1)
    if subgame.structure.fixed:
        raise ValueError("limit has one size: expected a spot of no limit or pot limit")
    if subgame.locks:
        raise ValueError("a lock fits one menu: expected a spot without locks")

    def solved(game: Subgame) -> tuple[Solution, float]:
        found = solve_whole(game, **options)
        if progress is not None:
            progress()
        return found, found.checks[-1].exploitability / 100 * game.pot

    whole, gap = solved(subgame)
    choices: list[SizeChoice] = []
    for street, player, row, menus in _rows(subgame, most):
        of_row = []
        for sizes in menus:
            menu = replace(subgame.menu(street, PLAYERS[player]), **{row: sizes})
            found, own_gap = solved(subgame.with_menu(street, PLAYERS[player], menu))
            ev = found.value(player)
            of_row.append(SizeChoice(street, player, row, sizes, ev, whole.value(player) - ev, gap + own_gap))
        choices += sorted(of_row, key=lambda each: each.loss)
    return whole, choices


def _rows(subgame: Subgame, most: int) -> Iterator[tuple[str, int, str, list[tuple[str, ...]]]]:
    for street in STREETS[subgame.first_street :]:
        for player, name in enumerate(PLAYERS):
            for row in _ROWS:
                sizes = tuple(dict.fromkeys(getattr(subgame.menu(street, name), row)))
                fewer = range(1, min(most, len(sizes) - 1) + 1)
                menus = [menu for number in fewer for menu in combinations(sizes, number)]
                if menus:
                    yield street, player, row, menus
