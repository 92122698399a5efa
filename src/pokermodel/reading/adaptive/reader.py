"""The adaptive reader: it knows people in general before it meets any, and learns populations and players as it goes.

Every act, folds and those before the flop included, multiplies the weight of each holding by the probability that this
player does it with such a holding in such a situation: a likelihood that is smooth in features of both (`Prior`), with
effects and factors of the population and the player on top (`PopulationModel`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._core.play_outs import Actors
from pokermodel._core.population import Expected
from pokermodel._support.arrays import Floats
from pokermodel.cards import N_HOLDINGS
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.reading.adaptive.expectation import AdaptiveExpectation, PolarExpectation, SizeEvidence
from pokermodel.reading.adaptive.holdings import first_bin, holding_classes
from pokermodel.reading.adaptive.kinds import TableLabels, labels_of
from pokermodel.reading.adaptive.knowledge import PopulationModel
from pokermodel.reading.adaptive.names import known_as, population
from pokermodel.reading.adaptive.polarity import first_on_river, size_group
from pokermodel.reading.adaptive.population import GamePopulation
from pokermodel.reading.adaptive.prior import Prior, default_prior, read_prior
from pokermodel.reading.adaptive.situations import board_features
from pokermodel.reading.adaptive.size_shares import SizeShares
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    SIZE_CLASSES,
    quarter,
    share_below,
    size_cell,
    size_context,
    size_habits,
    size_range,
)
from pokermodel.reading.adaptive.strategies import AdaptiveStrategies
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.reader import Reader, Reading, Spot, Update, has_sizes
from pokermodel.reading.registry import ReaderKind, register
from pokermodel.reading.strategies import StrategyNode

__all__ = ["AdaptiveReader"]

#: Raised when the values of the reader change: journals then do the work again.
REVISION = 5


class _Table(NamedTuple):
    """A table, and what is known of people who play there: the name of their population, and the part for the game."""

    spec: GameSpec
    stacks: tuple[int | None, ...]
    people: PopulationModel
    population: str
    known: GamePopulation
    labels: TableLabels


class AdaptiveReader(Reader):
    """Re-weights by a likelihood that adapts to population and player.

    Parameters
    ----------
    people : PopulationModel
        The knowledge, which it adds to.
    """

    public_tables: ClassVar[bool] = False
    reads_sizes: ClassVar[bool] = True
    learns = True

    #: The table of the last situation.
    _last: _Table | None = None

    def __init__(self, people: PopulationModel) -> None:
        self.people = people

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_last"}

    def _table(self, situation: Situation) -> _Table:
        """The table of a situation, found once as long as it stays the same."""
        spec, stacks, last = situation.spec, situation.stacks_before, self._last
        if last is None or last.spec is not spec or last.stacks is not stacks or last.people is not self.people:
            known, labels = self.people.of(spec.structure), labels_of(spec, stacks)
            last = self._last = _Table(spec, stacks, self.people, population(spec), known, labels)
        return last

    # --------------------------------------------------------------------------------------------- expectation

    def expect(self, spot: Spot) -> AdaptiveExpectation:
        """By the features of each holding; a player's first money on the river is polar."""
        situation = spot.situation
        polarity = self._table(situation).known.prior.polarity
        if polarity is None or Act.RAISE not in situation.legal or not first_on_river(situation):
            return self._by_likelihood(spot, self._size_shares(spot))
        forecast, known = self._forecast(spot)
        return PolarExpectation(forecast, spot.weights, known, self._size_shares(spot), polarity, situation)

    def played_out(self, spot: Spot) -> AdaptiveExpectation:
        """By the likelihood alone: play-outs follow no ranges, by which holdings have places and the river is polar."""
        forecast, known = self._forecast(spot, standings=False)
        return AdaptiveExpectation(forecast, spot.weights, known, self._size_shares(spot))

    def judged_by(self, spot: Spot) -> AdaptiveExpectation:
        """The expectation of the choice alone, unless there is one with sizes already."""
        found: AdaptiveExpectation | None = spot.forecasts.get(self)
        if found is None:
            found = spot.forecasts.get(key := (self, "choice"))
            if found is None:
                found = spot.forecasts[key] = self._by_likelihood(spot)
        return found

    def choices(self, spot: Spot) -> Floats:
        """Without the forecast of sizes, which takes half of the time."""
        return self._forecast(spot, standings=False)[0].triples()

    def _by_likelihood(self, spot: Spot, sizes: SizeShares | None = None) -> AdaptiveExpectation:
        forecast, known = self._forecast(spot)
        return AdaptiveExpectation(forecast, spot.weights, known, sizes)

    def _forecast(self, spot: Spot, standings: bool = True) -> tuple[Expected, bool]:
        """What the kernel finds, and whether anything is known of the player."""
        situation = spot.situation
        table, board = self._table(situation), situation.board
        player = known_as(situation.player, situation.spec)
        found = table.known.expect(
            table.population,
            player,
            spot.features,
            board,
            holding_classes(board),
            situation.legal,
            spot.weights,
            table.labels,
            standings,
        )
        return found, player in table.known

    def _size_shares(self, spot: Spot) -> SizeShares | None:
        """Shares of sizes as they are known now; None where sizes are not free."""
        situation = spot.situation
        if not has_sizes(situation):
            return None
        table = self._table(situation)
        assert table.known.sizes is not None
        numbers = table.known.numbers(table.population, known_as(situation.player, situation.spec))
        return SizeShares(table.known.sizes, numbers, table.known.prior.table, situation, spot.features)

    def predict_sizes(self, spot: Spot) -> Floats:
        """By what everybody, the population and the player did in such situations."""
        found: Floats = np.bincount(CLASS_OF, self._size_forecast(spot), len(SIZE_CLASSES)).astype(np.float64)
        return found

    def _size_forecast(self, spot: Spot, rows: Sequence[int] | NDArray[np.int16] | None = None) -> Floats:
        """The forecast of each cell of sizes, worked out once, by the rows of the situation: float64 (38,)."""
        found: Floats | None = spot.forecasts.get(key := (self, "sizes"))
        if found is None:
            situation, features = spot.situation, spot.features
            table = self._table(situation)
            if rows is None:
                rows = table.known.prior.table.rows(features, board_features(situation.board)).rows
            found = spot.forecasts[key] = table.known.size_forecast(
                table.population,
                known_as(situation.player, situation.spec),
                rows,
                size_context(features),
                size_range(situation),
                size_habits(features),
            )
        return found

    # --------------------------------------------------------------------------------------------- judgement

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """The likelihood once for both the forecast and the table."""
        if decision.act == Act.RAISE and not spot.situation.spec.structure.fixed:
            return super().step(spot, decision)
        expected = self._by_likelihood(spot)
        return Reading(expected.predicted, None, self.bayes(spot, decision.act, expected))

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """By Bayes' rule, first for the choice, then for the size of a bet or raise."""
        situation = spot.situation
        update = super().judge(spot, act, put_in)
        if act != Act.RAISE or situation.spec.structure.fixed or update.weights is None:
            return update
        cell = size_cell(situation, situation.in_round + put_in)
        return self._on_the_river(situation, self._by_size(spot, update, cell, put_in), size_group(cell))

    def bayes(self, spot: Spot, act: Act, expected: Expectation) -> Update:
        """The evidence of an action by Bayes' rule, given what was expected."""
        if not isinstance(expected, AdaptiveExpectation) or expected.weights is not spot.weights:
            update = super().bayes(spot, act, expected)
        else:
            update = Update(expected.after(act), _reason(spot.situation.act_names[act]), expected)
        if act == Act.RAISE and spot.situation.spec.structure.fixed:
            return self._on_the_river(spot.situation, update, 0)
        return update

    def _by_size(self, spot: Spot, update: Update, cell: int, put_in: int) -> Update:
        """What the size of a bet or raise says besides."""
        situation, expected = spot.situation, cast(AdaptiveExpectation, update.detail)
        forecast = self._size_forecast(spot, expected.rows)
        sizes = self._table(situation).known.prior.sizes
        assert sizes is not None
        assert update.weights is not None
        below = share_below(forecast, cell)
        tilt = sizes.tilt(size_context(spot.features), quarter(below))
        weights, board = np.empty(N_HOLDINGS), situation.board
        if not kernels.posterior(update.weights, holding_classes(board), first_bin(board), tilt, weights):
            weights = update.weights
        evidence = SizeEvidence(
            of_pot=round((put_in - situation.to_call) / (situation.pot + situation.to_call), 4),
            size=SIZE_CLASSES[CLASS_OF[cell]],
            larger_than=round(below, 4),
        )
        return Update(weights, f"{update.reason}, and by what the size says", expected.with_size(evidence))

    def _on_the_river(self, situation: Situation, update: Update, group: int) -> Update:
        """What a bet or raise of a group of sizes says besides, if it is a player's first money on the river."""
        polarity = self._table(situation).known.prior.polarity
        if polarity is None or update.weights is None or not first_on_river(situation):
            return update
        weights = polarity.after(update.weights, situation.board, group, situation.to_call > 0)
        return update._replace(weights=weights, reason=f"{update.reason}, and by how polar the river is")

    # ------------------------------------------------------------------------------------- trees and play-outs

    def strategies(self, player: str, nodes: Sequence[StrategyNode]) -> AdaptiveStrategies:
        """By classes of holdings, all nodes of a street at once."""
        situation = nodes[0].situation
        return AdaptiveStrategies(self._table(situation).known, known_as(player, situation.spec), nodes)

    def adviser(self, situation: Situation) -> str:
        """The package's own verdict."""
        return "verdict?fast=1"

    def actors(self, spot: Spot) -> Actors:
        """By the likelihood of one holding at a time."""
        situation = spot.situation
        table = self._table(situation)
        names = [known_as(name, situation.spec) for name in situation.players]
        return table.known.actors(table.population, names, table.labels)

    def acts_learnt(self, player: str, situation: Situation) -> float:
        """Those that their factors were learnt from."""
        return self._table(situation).known.acts_learnt(known_as(player, situation.spec))

    def observations(self, player: str, nodes: Sequence[StrategyNode]) -> Floats:
        """Acts of theirs in the same round, with as many bets to call, after the same act of their own."""
        situation = nodes[0].situation
        known = self._table(situation).known
        return known.observations(known_as(player, situation.spec), [node.features for node in nodes])

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn what the hand says of population and players; see `PopulationModel`."""
        self.people.update([PopulationModel.evidence(hand, decisions)])


@cache
def _reason(name: str) -> str:
    return f"a {name}: each weight is multiplied by the probability of a {name} with that holding"


def _adaptive(
    known: Mapping[str, Any] | None, *, prior: str | Prior | None = None, people: PopulationModel | None = None
) -> AdaptiveReader:
    if people is not None:
        if prior is not None:
            raise ValueError("people that are handed in have a prior of their own")
        return AdaptiveReader(people)
    chosen = default_prior() if prior is None else prior if isinstance(prior, Prior) else read_prior(prior)
    made = PopulationModel(chosen)
    if known is not None and hasattr(known, "knowledge"):
        before = known.knowledge(PopulationModel.with_prior(chosen))
        if before is not None:
            made.merge(before)
    return AdaptiveReader(made)


register(
    ReaderKind(
        "adaptive",
        _adaptive,
        "knows people before it meets them, and adapts to the population and the player",
        {"prior": str},
        accepts=("people",),
        needs=("adaptive",),
        knowledge=(PopulationModel,),
    )
)
