"""Who continues before the flop: how often all opponents fold, and the hero's equity against those who do not.

Equity against random hands of all who could still enter the pot is no measure of a price. Most of them fold, and the
others have better hands.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pokermodel.cards import holding_text, live_holdings
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Decision, Situation
from pokermodel.randomness import RandomLike
from pokermodel.reading.reader import Spot
from pokermodel.weights import WeightTable
from pokermodel.worth.answers import answer
from pokermodel.worth.price import Against

__all__ = ["Continuing"]

_TRIALS = 10_000
_GROUPS = 24  # of players who continue together, the likeliest; the others are left out


class Continuing(NamedTuple):
    """The reader's forecasts for the opponents after a pre-flop action of the hero."""

    left: int  #: Opponents who are still to answer it.
    all_fold: float  #: The probability that all of these fold, one after the other.
    #: The hero's share of the pot against those who continue, if nobody bets again; None where nobody does.
    equity: float | None

    @classmethod
    def of(cls, spot: Spot, act: Act, to: int | None, rng: RandomLike = None) -> Continuing:
        """Forecast the answers to an action; a fold counts as the call that the hero could have made.

        Each opponent answers as if those before them had folded.
        """
        situation, reader = spot.situation, spot.reader
        assert reader is not None
        act = Act.CALL if act == Act.FOLD else act
        state, asked = spot.state.copy(), situation
        put_in = state.act(act, None if situation.spec.structure.fixed else to)
        live = live_holdings(situation.board + spot.own_cards)
        weights = {seat: spot.likely(seat) * live for seat in situation.active if seat != situation.seat}
        stays = dict.fromkeys(weights, 1.0)
        made: list[Decision] = []
        while not state.over and state.round == situation.round and state.seat != situation.seat:
            made.append(Decision("", "", len(made), asked, act, put_in))
            asked = Situation.of(state, situation.players, situation.board)
            if (act := Act.FOLD if asked.to_call else Act.CALL) == Act.FOLD:
                own = weights[asked.seat]
                kept = own * (1.0 - answer(reader, spot.at(asked, made))[:, Act.FOLD])
                stays[asked.seat] = float(kept.sum() / own.sum()) if own.any() else 0.0
                weights[asked.seat] = kept
            put_in = state.act(act)
        left = len(made)
        all_fold = float(np.prod([1.0 - each for each in stays.values() if each < 1.0])) if left else 0.0
        return cls(left, all_fold, _against(spot.own_cards, stays, weights, rng))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return self._asdict()


def _against(own: tuple[int, ...], stays: dict[int, float], weights: dict[int, Any], rng: RandomLike) -> float | None:
    """The mean equity over groups that continue, by how likely each is."""
    tables = {seat: WeightTable.of_known(each, own) for seat, each in weights.items() if each.any()}
    groups = []
    for some in product(*[((False, 1.0 - stays[k]), (True, stays[k])) for k in tables]):
        chance = float(np.prod([share for _, share in some]))
        if chance and any(inside for inside, _ in some):
            groups.append((chance, [seat for seat, (inside, _) in zip(tables, some, strict=True) if inside]))
    groups = sorted(groups, key=lambda each: -each[0])[:_GROUPS]
    if not groups:
        return None
    high, low = own
    alone = Against((high, low), (), {str(seat): table for seat, table in tables.items()})
    hero, whole, found = WeightTable.from_text(holding_text(own)), sum(chance for chance, _ in groups), 0.0
    for chance, those in groups:
        if len(those) == 1:
            share = alone[str(those[0])]
        else:
            trials = max(round(_TRIALS * chance / whole), 100)
            share = float(equity([hero, *(tables[k] for k in those)], trials=trials, rng=rng, jobs=1).equity[0])
        found += chance / whole * share
    return found
