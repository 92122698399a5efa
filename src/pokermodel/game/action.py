"""An action of a hand."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from pokermodel._core.rules import Act
from pokermodel.game.situation import Decision

__all__ = ["Action", "as_action"]


class _Action(NamedTuple):
    """The fields of an `Action`."""

    seat: int
    act: Act
    out_of_turn: bool = False
    to: int | None = None


class Action(_Action):
    """One action of a hand: who did what.

    Rare fields must be named: a third number, as in ``Action(seat, act, 30)``, would mean that the player left,
    where the amount of a raise was intended.

    Parameters
    ----------
    seat : int
        Who.
    act : Act
        What.
    out_of_turn : bool
        Left the hand (quit, was kicked) when it was somebody else's turn: always a fold.
    to : int, optional
        The total of a bet or raise, in chips counted from the beginning of the round (add `State.round_base` for the
        amount over the whole hand). None for other acts, and where there is only one amount, as in limit.
    """

    __slots__ = ()

    def __new__(cls, seat: int, act: Act, *, out_of_turn: bool = False, to: int | None = None) -> Self:  # noqa: D102
        return super().__new__(cls, seat, act, out_of_turn, to)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._make, (tuple(self),)

    @classmethod
    def of(cls, decision: Decision) -> Self:
        """Return what was done, without the situation it was done in."""
        to = None if decision.spec.structure.fixed else decision.to
        return cls(decision.seat, decision.act, out_of_turn=decision.out_of_turn, to=to)


def as_action(action: Sequence[Any]) -> Action:
    """Make an action of its fields, in order; `ValueError` if they are none."""
    try:
        seat, act, out_of_turn, to = _Action(*action)
        to = None if to is None else operator.index(to)
        return Action(operator.index(seat), Act(act), out_of_turn=bool(out_of_turn), to=to)
    except (TypeError, ValueError):
        raise ValueError(f"{action!r} is not an action, expected seat, act, and perhaps out_of_turn and to") from None
