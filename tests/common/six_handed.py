"""Hands of no limit for six that were made up."""

from __future__ import annotations

from collections.abc import Sequence

import pokermodel as pm
from pokermodel.game import Act, Action, GameSpec

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
NAMES = ("Sam", "Bea", "Uma", "Hal", "Cy", "Dee")


def hand(
    number: int, acts: Sequence[tuple[int, Act, int | None]], board: str = "", stacks: Sequence[int] = (10_000,) * 6
) -> pm.Hand:
    """A hand of six with blinds of 50 and 100; seats are SB, BB, UTG, HJ, CO, BTN."""
    actions = [Action(seat, act, to=to) for seat, act, to in acts]
    return pm.Hand("made up", str(number), GameSpec.no_limit(6, 50, 100), NAMES, actions, board, {}, stacks)


_OPEN = [(2, F, None), (3, F, None), (4, F, None), (5, R, 250), (0, F, None), (1, C, None)]

#: The button opens, the big blind calls; a third of the pot on the flop; a raise on the river.
RIVER = hand(
    1,
    [
        *_OPEN,
        *[(1, C, None), (5, R, 180), (1, C, None)],
        *[(1, C, None), (5, C, None)],
        *[(1, R, 400), (5, R, 1600), (1, F, None)],
    ],
    "Kh7h2c5d9s",
)
#: The same to the flop, where the big blind folds.
FLOP = hand(2, [*_OPEN, (1, C, None), (5, R, 180), (1, F, None)], "Qh7h2c")
#: The same to the flop, where the button checks.
CHECKED = hand(
    3,
    [*_OPEN, (1, C, None), (5, C, None), (1, R, 300), (5, F, None)],
    "Qh8h2c3c",
)
#: A limp, a raise, a 3-bet all-in.
ALL_IN = hand(
    4,
    [(2, C, None), (3, R, 450), (4, F, None), (5, F, None), (0, F, None), (1, R, 1500), (2, F, None), (3, F, None)],
    stacks=(10_000, 1500, 10_000, 10_000, 10_000, 10_000),
)
#: Three see the flop.
THREE = hand(
    5,
    [
        *[(2, F, None), (3, F, None), (4, F, None), (5, R, 220), (0, C, None), (1, C, None)],
        *[(0, C, None), (1, C, None), (5, R, 660), (0, F, None), (1, F, None)],
    ],
    "AhTd4s",
)
HANDS = (RIVER, FLOP, CHECKED, ALL_IN, THREE)
