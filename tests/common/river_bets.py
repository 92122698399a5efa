"""Hands of two players who bet on the river."""

from __future__ import annotations

from pokermodel.game import Act, GameSpec, Hand

__all__ = ["DEEP", "river"]

DEEP = GameSpec.no_limit(2, 50, 100, stacks=(20_000, 20_000))
_CALL, _RAISE = Act.CALL, Act.RAISE


def river(first: int, then: Act = _CALL, second: int | None = None, cards: bool = True) -> Hand:
    """Heads-up, checked to the river; a bet to an amount there, and what comes of it."""
    last = [(0, then)] if second is None else [(0, _RAISE, False, second), (1, _CALL)]
    actions = [(0, _CALL), (1, _CALL), *((1, _CALL), (0, _CALL)) * 2, (1, _RAISE, False, first), *last]
    holdings = {1: "AsTs", 0: "KcQc"} if cards else {}
    return Hand("t", "1", DEEP, ["Ann", "Bob"], actions, "Kh9h4cQd2s", holdings)
