"""What happened in one hand, and its replay into decisions."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from pokermodel.game.spec import GameSpec

__all__ = ["Act", "Action", "Decision", "Hand"]


class Act(IntEnum):
    """What a player did. A check is a call of nothing, a bet a raise of nothing."""

    FOLD = 0
    CALL = 1
    RAISE = 2


class Action(NamedTuple):
    """One action of a hand: who, what. `amount` is for ..."""

    seat: int
    act: Act


class Decision(NamedTuple):
    """One action with its context, as everybody at the table saw it. Hidden cards are not in it."""

    hand_id: str
    index: int  # 0, 1, ... within the hand


class Hand:
    """..."""

    spec: GameSpec
