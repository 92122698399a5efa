"""The width of a range: the share of all hands with which a player makes the choices that they made.

Weights are relative. The width needs the product itself: for each holding, the probability of all choices so far, as in
Billings et al. (1999), where a weight of .7 and a call of probability .2 give .14. Choices are fold, check or call, and
bet or raise. The size of a bet is none: it moves the shape of a range and keeps the total.

The product is the weights times one number, its scale, since each choice takes the total to the total times the
forecast of the choice. The public cards alone decide what is counted, so that a range is as wide for the hero as for
anybody else. Readers without forecasts, such as Loki-1, have the scale 1: their weights are their product.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.cards import shared_live_holdings
from pokermodel.game import Act, Decision
from pokermodel.reading.expectation import Observation
from pokermodel.reading.followed_hand import FollowedHand

__all__ = ["Width", "Widths"]

_FEWEST = 1.0  # combos
_SMALLEST = 0.001  # of all hands


class Width(NamedTuple):
    """How wide a range is.

    Attributes
    ----------
    share : float
        Of all hands that the public cards allow, the share with which this player makes these choices.
    share_here : float
        The same of the hands that reached their last decision.
    usual_share : float or None
        As `share`, for an unknown player of the population; None where the reader does not know one.
    combos : float
        The range as a number of holdings, without those that the hero's cards rule out.
    """

    share: float
    share_here: float
    usual_share: float | None
    combos: float

    @property
    def guessed(self) -> bool:
        """Whether hardly anyone makes these choices, so that the range is a guess."""
        return self.combos < _FEWEST or self.share < _SMALLEST


class _Chosen(NamedTuple):
    """A choice: its forecast for the player and for an unknown one, and the weights before and after it."""

    chance: float | None
    usual: float | None
    before: Floats
    after: Floats

    @classmethod
    def of(cls, made: Observation) -> _Chosen:
        act = made.decision.act
        of_player, of_others = (getattr(made.detail, name, None) for name in ("predicted", "others"))
        chance, usual = (None if each is None else float(each[act]) for each in (of_player, of_others))
        return cls(chance, usual, made.prior, made.posterior)

    @property
    def factor(self) -> float:
        """The factor of the scale."""
        total = float(self.after.sum())
        return 1.0 if self.chance is None or not total else self.chance * float(self.before.sum()) / total


class Widths:
    """The choices of the players of a hand, read once more along the hand.

    Parameters
    ----------
    observe : callable
        Reads its actions in order, for an observer without any cards.
    """

    def __init__(self, followed: FollowedHand, observe: Callable[[Decision], Observation]) -> None:
        self.followed, self._observe = followed, observe
        self._read = 0
        self._chosen: defaultdict[int, list[_Chosen]] = defaultdict(list)

    def catch_up(self) -> None:
        """Read what was done since the last time."""
        for decision in self.followed.acts[self._read :]:
            made = self._observe(decision)
            if decision.act != Act.FOLD:
                self._chosen[decision.seat].append(_Chosen.of(made))
        self._read = len(self.followed.acts)

    def product(self, seat: int, board: tuple[int, ...]) -> Floats:
        """With each holding, the probability of all choices of a player: float64 (1326,), 0 where the board is."""
        chosen, live = self._chosen[seat], shared_live_holdings(board)
        if not chosen:
            return live.astype(np.float64)
        found: Floats = np.where(live, chosen[-1].after, 0.0) * math.prod(each.factor for each in chosen)
        return found

    def of(self, seat: int, board: tuple[int, ...], hero_cards: tuple[int, ...] = ()) -> Width | None:
        """The width of a player's range; None before they have chosen anything."""
        chosen = self._chosen[seat]
        if not chosen:
            return None
        product, last = self.product(seat, board), chosen[-1]
        here = last.chance
        if here is None:
            before = float(last.before.sum())
            here = float(last.after.sum()) / before if before else 0.0
        usual = [each.usual for each in chosen if each.usual is not None]
        return Width(
            float(product.sum()) / int(np.count_nonzero(shared_live_holdings(board))),
            here,
            math.prod(usual) if len(usual) == len(chosen) else None,
            float(product[shared_live_holdings(board + hero_cards)].sum()),
        )
