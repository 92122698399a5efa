"""Return the kind of pot, by its raises before the flop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pokermodel._core.rules import Act
from pokermodel.game.hand import Hand

__all__ = ["pot_type"]


def pot_type(hand: Hand, preflop: Iterable[Act] | None = None) -> str:
    """Return the kind of pot, by its raises before the flop.

    ``"walk"`` if all folded to the big blind, ``"limped"``, ``"single-raised"``, ``"3-bet"``, ``"4-bet"`` and so on;
    ``"bomb"`` where all post an ante and see the flop without any betting before it, and ``"all-in blinds"`` where
    blinds and antes put players all-in, so that the cards decide without a call or raise. `preflop` are the actions
    before the flop, by default by replay; `ValueError` if the hand breaks the rules.
    """
    if not hand.spec.max_raises[0]:
        return "bomb"
    if preflop is None:
        preflop = [decision.act for decision in hand.replay() if decision.round == 0]
    acts = Counter(preflop)
    raises = acts[Act.RAISE]
    if raises > 1:
        return f"{raises + 1}-bet"
    if raises or acts[Act.CALL]:
        return "single-raised" if raises else "limped"
    # without a call or a raise two are left only where somebody was all-in before the first act
    return "walk" if acts[Act.FOLD] == len(hand.players) - 1 else "all-in blinds"
