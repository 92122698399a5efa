"""How far the strengths that Loki-1 goes by against several opponents are from the exact one.

Papp (1998, section 5.2.1) compares two approximations with the enumeration of all that the opponents can hold
together: the field array, which is the mean of the opponents' tables, to the power of their number (Eq 5.3), and the
product of the strengths against each (Eq 5.4). It is not printed where his cases are from, nor how ties count. Ours are
all decisions after the flop in games of ten Loki-1, one after the other, and ties count as in
`BoardAnalysis.joint_strength`. An error is the approximation less the exact chance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Bools, Floats
from pokermodel.cards import holding_index, shared_live_holdings
from pokermodel.classics.experiments.measured import MeasuredExperiment, Measurement
from pokermodel.classics.experiments.registry import register
from pokermodel.classics.loki1.field import field_strengths
from pokermodel.classics.loki1.player import Loki1Player
from pokermodel.evaluation.boards import shared_analysis
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena.hand import deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge
from pokermodel.tables.players.player import Answer, View
from pokermodel.weights import WeightTable

_PLAYERS = 10
_SPOTS = 888
_OPPONENTS = {2: "two opponents", 3: "three opponents"}
_LARGE = 2.0  # per cent
_PRODUCT, _FIELD = "product", "field array"
_MEAN, _LARGEST, _ABOVE = "mean error", "largest error", "share of errors above 2%"
#: Published figures by number of opponents, in per cent.
_PUBLISHED = {
    2: {
        (_PRODUCT, _MEAN): 0.307,
        (_PRODUCT, _LARGEST): 2.19,
        (_FIELD, _MEAN): 0.671,
        (_FIELD, _LARGEST): 5.79,
        (_FIELD, _ABOVE): 100 * 59 / 888,
    },
    3: {(_PRODUCT, _MEAN): 0.502, (_FIELD, _MEAN): 0.751, (_FIELD, _LARGEST): 4.15},
}
_ROUNDS = {1: "flop", 2: "turn", 3: "river"}


class _Spot(NamedTuple):
    hand: int
    round: int
    exact: float
    product: float
    field: float
    apart: float  # most that the strengths against single opponents differ by
    holdings: float  # as many equally likely ones have the entropy of a table; geometric mean of the tables


class _Watched(Loki1Player):
    """A Loki-1 whose strength is measured at its decisions after the flop, while spots are wanted."""

    def __init__(self, spots: dict[int, list[_Spot]], run: Measurement) -> None:
        super().__init__()
        self._spots = spots
        self._run = run

    def act(self, view: View) -> Act | Answer:
        found = self._spots.get(len(view.opponents))
        if view.round > 0 and found is not None and len(found) < self._run.deals:
            found.append(_measure(self._run.games, view, self._shared().spot(view).opponents))
            self._run.count(1)
        return super().act(view)


def _measure(hand: int, view: View, tables: list[Floats]) -> _Spot:
    analysis, holding = shared_analysis(view.board), holding_index(view.holding)
    alone = [float(analysis.strengths(table)[holding]) for table in tables]
    _, of_field = field_strengths(analysis, tables, "mean")
    live = shared_live_holdings(view.board + view.holding)
    bits = [WeightTable(np.where(live, table, 0.0)).entropy_bits() for table in tables]
    return _Spot(
        hand,
        view.round,
        analysis.joint_strength(view.holding, tables),
        math.prod(alone),
        float(of_field[holding]),
        max(alone) - min(alone),
        2.0 ** (math.fsum(bits) / len(bits)),
    )


def _play(run: Measurement) -> dict[int, list[_Spot]]:
    """Play until there are as many spots of each number of opponents as are wanted."""
    spec = GameSpec.ring(_PLAYERS, 1, 2)
    spots: dict[int, list[_Spot]] = {opponents: [] for opponents in _OPPONENTS}
    players = [_Watched(spots, run) for _ in range(_PLAYERS)]
    names = [f"player {k}" for k in range(_PLAYERS)]
    common = CommonKnowledge()
    while any(len(found) < run.deals for found in spots.values()):
        number = run.games
        deal = deal_cards(_PLAYERS, np.random.default_rng(np.random.SeedSequence(run.seed, spawn_key=(0, number))))
        play_hand(
            spec,
            names,
            players,
            deal,
            hand_id=str(number),
            entropy=run.seed,
            streams=[(1, number, k) for k in range(_PLAYERS)],
            common=common,
        )
        run.games += 1
    return spots


class _Errors:
    """The errors at some spots, in per cent."""

    def __init__(self, spots: list[_Spot]) -> None:
        columns = np.array(spots, dtype=np.float64).T
        hand, self.round, exact, product, field, self.apart, self.holdings = columns
        self.by_method = {_PRODUCT: 100.0 * (product - exact), _FIELD: 100.0 * (field - exact)}
        _, self._hand = np.unique(hand, return_inverse=True)

    def samples(self, values: Floats, among: Bools | None = None) -> Floats:
        """One number for each hand, whose mean is that of the values at all spots, or at some of them.

        Hands are independent, the spots of one are not. The mean is a quotient, the sum of the values by the number of
        spots. The numbers are the contributions of each hand to it, to first order.
        """
        counted = np.ones(len(values)) if among is None else among.astype(np.float64)
        spots, sums = np.bincount(self._hand, counted), np.bincount(self._hand, values * counted)
        sums, spots = sums[spots > 0], spots[spots > 0]
        mean = sums.sum() / spots.sum()
        found: Floats = mean + (sums - mean * spots) / spots.mean()
        return found


def _strength(run: Measurement) -> None:
    played = {opponents: _Errors(spots) for opponents, spots in _play(run).items()}
    for opponents, errors in played.items():
        _show(run, opponents, errors)
    for opponents, errors in played.items():
        _claim(run, _OPPONENTS[opponents], errors)


def _show(run: Measurement, opponents: int, errors: _Errors) -> None:
    table = f"{_OPPONENTS[opponents]}, per cent"
    for method, error in errors.by_method.items():
        size = np.abs(error)
        for label, samples in (
            (_MEAN, errors.samples(size)),
            (_LARGEST, np.array([size.max()])),
            (_ABOVE, errors.samples(100.0 * (size > _LARGE))),
            ("mean overestimate", errors.samples(error)),
            ("share of overestimates", errors.samples(100.0 * (error > 0.0))),
        ):
            run.show(table, f"{method}: {label}", samples, _PUBLISHED[opponents].get((method, label)))
    rounds = {name: errors.round == number for number, name in _ROUNDS.items()}
    groups = {
        # few holdings have few cards, which the opponents take from each other
        _PRODUCT: {
            "tables of 600 holdings or more": errors.holdings >= 600.0,
            "tables of 300 to 600": (errors.holdings >= 300.0) & (errors.holdings < 600.0),
            "tables of less than 300": errors.holdings < 300.0,
        },
        # a mean of different strengths, squared, is more than their product
        _FIELD: {
            "strengths within .1": errors.apart < 0.1,
            "strengths .1 to .3 apart": (errors.apart >= 0.1) & (errors.apart < 0.3),
            "strengths .3 apart or more": errors.apart >= 0.3,
        },
    }
    for method, error in errors.by_method.items():
        for label, among in {**rounds, **groups[method]}.items():
            if among.any():
                samples = errors.samples(np.abs(error), among)
                run.show(f"{_OPPONENTS[opponents]}, mean error", f"{method}: {label}", samples)


def _claim(run: Measurement, name: str, errors: _Errors) -> None:
    product, field = (errors.by_method[method] for method in (_PRODUCT, _FIELD))
    run.claim(f"{name}: the product is truer than the field array", errors.samples(np.abs(field) - np.abs(product)))
    run.claim(f"{name}: the field array overestimates in the mean", errors.samples(field))
    run.claim(f"{name}: the field array overestimates more often than not", errors.samples((field > 0.0) - 0.5))


register(
    MeasuredExperiment(
        "hand-strength",
        "How true hand strength against several opponents is",
        "Papp 1998, section 5.2.1",
        _SPOTS,
        len(_OPPONENTS),
        _strength,
        Measurement,
        unit="spot",
    )
)
