"""The adaptive reader: it knows people in general before it meets any, and learns populations and players as it goes.

Every act, folds and those before the flop included, multiplies the weight of each holding by the probability that this
player does it with such a holding in such a situation: a likelihood that is smooth in features of both (`Prior`), with
effects and factors of the population and the player on top (`PopulationModel`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pokermodel._core import sizes as kernels
from pokermodel._core.likelihood import HoldingClasses
from pokermodel._core.play_outs import Actors
from pokermodel._core.population import Expected
from pokermodel._core.summaries import HoldingGroups, best_division
from pokermodel._support.arrays import Floats
from pokermodel._support.records import made_quickly
from pokermodel.cards import N_HOLDINGS
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, GameSpec, Hand, Situation
from pokermodel.reading.adaptive.holdings import MADE, first_bin, holding_classes, made_and_draws, strength_bins
from pokermodel.reading.adaptive.kinds import TableLabels, labels_of
from pokermodel.reading.adaptive.polarity import GROUP_OF_CLASS, SIZE_GROUPS, first_on_river, size_group
from pokermodel.reading.adaptive.population import GamePopulation, PopulationModel, known_as, population
from pokermodel.reading.adaptive.prior import Prior, default_prior, read_prior
from pokermodel.reading.adaptive.situations import board_features
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    QUARTERS,
    SIZE_CLASSES,
    STRENGTHS,
    SizePrior,
    quarter,
    size_cell,
    size_context,
    size_habits,
    size_range,
)
from pokermodel.reading.adaptive.strategies import AdaptiveStrategies
from pokermodel.reading.observation import Observation
from pokermodel.reading.posterior import posterior
from pokermodel.reading.reader import Expectation, Fact, Reader, Reading, Update, has_sizes
from pokermodel.reading.registry import ReaderKind, register
from pokermodel.reading.spot import Spot
from pokermodel.reading.strategies import StrategyNode

__all__ = ["AdaptiveExpectation", "AdaptiveReader"]

#: Groups of holdings after the flop: the least that they make, as an index of `MADE`.
_TALKED_OF = (
    (4, "a pair or better"),
    (6, "top pair or better"),
    (9, "two pair or better"),
    (10, "three of a kind or better"),
)


class SizeEvidence(NamedTuple):
    """The size of a bet or raise, beside what was to be expected of the player.

    Attributes
    ----------
    of_pot : float
        What it adds to a call, by the pot after that call.
    size : str
        Its class.
    larger_than : float
        The share of this player's bets and raises in such situations that are smaller, those of the same size by half.
    """

    of_pot: float
    size: str
    larger_than: float


@made_quickly
@dataclass(frozen=True, eq=False, slots=True)
class AdaptiveExpectation(Expectation):
    """What the adaptive reader expects.

    Attributes
    ----------
    weights : ndarray of float64, shape (1326,)
        The player's weights before the act.
    known : bool
        Whether anything is known of the player.
    size : SizeEvidence or None
        What the size of a bet or raise says, where bets have sizes.
    """

    weights: Floats
    known: bool
    _others: Floats | None
    size: SizeEvidence | None = None
    _found: Expected | None = None  # what the kernel found, which works out what is asked for
    _sizes: Floats | Callable[[], Floats] | None = None
    _kept: tuple[int, Floats] | None = None  # what was asked of `after` last
    _polar: Floats | Callable[[], Floats] | None = None  # the triples, where `given` are those of the likelihood alone

    def with_polar(self, triples: Callable[[], Floats], shares: Callable[[], Floats] | None) -> AdaptiveExpectation:
        """Expect these triples and shares of sizes. What an act says stays as it is by the likelihood."""
        told = self.given, self.predicted, self.weights, self.known, self._others, self.size
        return AdaptiveExpectation(*told, self._found, shares, self._kept, triples)

    @property
    def triples(self) -> Floats:
        """Probability of fold, call and raise with each holding: float64 (1326, 3), nan where it is not possible."""
        if callable(self._polar):  # worked out when somebody asks
            object.__setattr__(self, "_polar", self._polar())
        return self._plain if self._polar is None else cast(Floats, self._polar)

    def with_size(self, size: SizeEvidence) -> AdaptiveExpectation:
        """Say also what the size of a bet or raise does."""
        told = self.given, self.predicted, self.weights, self.known, self._others, size
        return AdaptiveExpectation(*told, self._found, self._sizes, self._kept, self._polar)

    def __reduce__(self) -> tuple[Any, ...]:
        told = self._plain, self.predicted, self.weights, self.known, self.others, self.size
        polar = None if self._polar is None else self.triples
        return type(self), (*told, None, self.size_shares, None, polar)

    @property
    def _plain(self) -> Floats:
        """The triples by the likelihood alone."""
        return cast(Floats, Expectation.triples.fget(self))  # type: ignore[attr-defined]

    @property
    def size_shares(self) -> Floats | None:
        """Of a bet or raise, the probability of each class of sizes with each holding: float64 (1326, 7).

        What a player's sizes are by now, times what a size says of each holding, divided by the sum over sizes. Bayes'
        rule over holdings goes by what the size says alone, to which that sum does not belong.
        """
        if callable(self._sizes):  # worked out when somebody asks
            object.__setattr__(self, "_sizes", self._sizes())
        return cast("Floats | None", self._sizes)

    def with_holding(self, holding: int) -> tuple[float, float, float]:
        """The triple of one holding, without working out all of them."""
        if self._found is None or self._polar is not None:
            return Expectation.with_holding(self, holding)
        return self._found.triple(holding)

    @property
    def others(self) -> Floats:
        """The forecast of somebody of the population of whom nothing is known, with the same weights: float64 (3,)."""
        if self._others is None:  # worked out when somebody asks
            assert self._found is not None
            object.__setattr__(self, "_others", self._found.unknown())
        return cast(Floats, self._others)

    def after(self, act: Act) -> Floats:
        """The player's weights after an act, by Bayes' rule: float64 (1326,). Do not write to them."""
        if self._found is None:
            return posterior(self.weights, self._plain[:, act])
        kept = self._kept
        if kept is None or kept[0] != act:
            kept = act, self._found.after(act)
            object.__setattr__(self, "_kept", kept)
        return kept[1]

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """The forecast; how the player differs from others; and which holdings the act speaks for."""
        found = list(Expectation.facts(self, observation))
        _, _, _, situation, did, *_ = observation.decision
        if did not in situation.legal:
            return found
        act, made = situation.act_names[did], tuple.__new__  # half of the time that the class takes
        if self.known and (unknown := self.others.tolist())[did] > 0:
            beside = {"act": act, "times": round(float(self.predicted[did]) / unknown[did], 4)}
            found.append(made(Fact, ("unknown_player", "an unknown player here", unknown, "acts")))
            found.append(made(Fact, ("beside_others", "this player", beside, "beside_others")))
        if (told := self._speaks_for(did, act, situation.board)) is not None:
            found.append(made(Fact, ("speaks_for", "a", told, "speaks_for")))
        if self.size is not None:
            found.append(made(Fact, ("size", "size", {"act": act, **self.size._asdict()}, "size")))
        return found

    def _speaks_for(self, act: Act, name: str, board: tuple[int, ...]) -> dict[str, Any] | None:
        """Of the groups of holdings that people talk of, the one that the act divides best from the others."""
        weights = self.weights
        joint = self.after(act) if self._found is not None else weights * self._plain[:, act]
        labels, kinds = _groups(board)
        found = best_division(weights, joint, kinds)
        if found is None:
            return None
        group, times, share = found
        return {"act": name, "holdings": labels[group], "times": round(times, 4), "share": round(share, 4)}


@lru_cache(64)  # a board is there for several acts
def _groups(board: tuple[int, ...]) -> tuple[list[str], HoldingGroups]:
    """Groups of holdings that people talk of: names, those of more holdings first, and how many each holding is in."""
    if board:
        made, _ = made_and_draws(board)
        return [name for _, name in _TALKED_OF], HoldingGroups(_KINDS[made], len(_TALKED_OF) + 1)
    shares, best = income_shares(), (0.4, 0.2, 0.1, 0.05)
    kinds = np.zeros(N_HOLDINGS, dtype=np.uint8)
    for share in best:
        kinds += shares >= 1 - share
    return [f"one of the best {share:.0%} of holdings" for share in best], HoldingGroups(kinds, len(best) + 1)


#: In how many of `_TALKED_OF` holdings are, by what they make; the last is of those that are not possible.
_KINDS = np.array([*(sum(made >= least for least, _ in _TALKED_OF) for made in range(len(MADE))), 0], dtype=np.uint8)


#: Attributes of a reader that belong to the last situation, and are not copied.
_LAST = frozenset({"_board", "_game", "_labels", "_said"})


class AdaptiveReader(Reader):
    """Re-weights by a likelihood that adapts to population and player.

    Parameters
    ----------
    people : PopulationModel
        What is known, and added to.
    """

    public_tables: ClassVar[bool] = False
    reads_sizes: ClassVar[bool] = True
    learns = True

    def __init__(self, people: PopulationModel) -> None:
        self.people = people
        self._forget()

    def _forget(self) -> None:
        """Drop what belongs to the last situation."""
        self._game: tuple[GameSpec, PopulationModel, str, GamePopulation] | None = None
        self._labels: tuple[GameSpec, tuple[int | None, ...], TableLabels] | None = None
        self._board: tuple[tuple[int, ...], HoldingClasses] = (), holding_classes(())
        self._said: tuple[Situation, int, Floats, int] | None = None  # what was expected of a size, and when

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _LAST}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    def _people(self, spec: GameSpec) -> tuple[str, GamePopulation]:
        """The population of a game, and what is known of people in it."""
        game = self._game
        if game is None or game[0] is not spec or game[1] is not self.people:
            game = self._game = spec, self.people, population(spec), self.people.of(spec.structure)
        return game[2], game[3]

    def _said_of(self, situation: Situation) -> TableLabels:
        """What the table of a situation says of itself."""
        spec, stacks, labels = situation.spec, situation.stacks_before, self._labels
        if labels is None or labels[0] is not spec or labels[1] is not stacks:
            labels = self._labels = spec, stacks, labels_of(spec, stacks)
        return labels[2]

    def expect(self, spot: Spot) -> AdaptiveExpectation:
        """By the features of each holding."""
        situation = spot.situation
        polarity = self._people(situation.spec)[1].prior.polarity
        if polarity is None or Act.RAISE not in situation.legal or not first_on_river(situation):
            return self.played_out(spot)
        fixed, board = situation.spec.structure.fixed, situation.board
        shares = None if fixed else self._shares_now(spot)
        forecast, expected = self._forecast(spot)
        power = float(polarity.powers[int(situation.to_call > 0)])

        @cache
        def polar() -> tuple[Floats, NDArray[np.float32]]:
            parts = np.ones((1, STRENGTHS)) if shares is None else _in_groups(shares())
            return forecast.polar(parts, polarity.tilts, power, first_bin(board))

        sizes = (lambda: _by_holding(polar()[1], board)) if has_sizes(situation) else None
        return expected.with_polar(lambda: polar()[0], sizes)

    def played_out(self, spot: Spot) -> AdaptiveExpectation:
        """By the likelihood alone: play-outs follow no ranges, by which the river would be polar."""
        # sizes as they are known now, though nobody may ask how they differ by holding
        shares = self._shares_now(spot) if has_sizes(spot.situation) else None
        board = spot.situation.board
        return self._expect(spot, None if shares is None else lambda: _by_holding(shares(), board))

    def _shares_now(self, spot: Spot) -> Callable[[], Floats]:
        """What works out shares of sizes by bin of strength as they are now, whatever is learnt until somebody asks."""
        situation, features = spot.situation, spot.features
        among, people = self._people(situation.spec)
        context = size_context(features)
        player = known_as(situation.player, situation.spec)
        room, habits = size_range(situation), size_habits(features)
        told = people.sizes_told(among, player, context, room, habits)

        def work_out() -> Floats:
            rows = people.prior.table.rows(features, board_features(situation.board)).rows
            forecast = people.size_forecast_by(told, rows, room, habits)
            assert people.prior.sizes is not None
            return _size_shares(forecast, context, people.prior.sizes)

        return work_out

    def judged_by(self, spot: Spot) -> AdaptiveExpectation:
        """What is expected of the choice, unless somebody has asked for all: sizes are known as they were by then."""
        found: AdaptiveExpectation | None = spot.said.get(self)
        if found is None:
            found = spot.said.get(key := (self, "choice"))
            if found is None:
                found = spot.said[key] = self._expect(spot, None)
        return found

    def choices(self, spot: Spot) -> Floats:
        """Without the forecast of sizes, which takes half of the time."""
        return self._expect(spot, None).triples

    def _expect(self, spot: Spot, sizes: Callable[[], Floats] | None) -> AdaptiveExpectation:
        return self._forecast(spot, sizes)[1]

    def _forecast(self, spot: Spot, sizes: Callable[[], Floats] | None = None) -> tuple[Expected, AdaptiveExpectation]:
        """What the kernel found, and the expectation that it makes."""
        situation, weights = spot.situation, spot.weights
        among, people = self._people(situation.spec)
        player = known_as(situation.player, situation.spec)
        board, classes = self._board
        if board is not situation.board:
            board = situation.board
            classes = holding_classes(board)
            self._board = board, classes
        labels = self._said_of(situation)
        found = people.expect(among, player, spot.features, board, classes, situation.legal, weights, labels)
        known = player in people
        # the most that others ask is the forecast, and one act
        others = None if known else found.predicted
        return found, AdaptiveExpectation(found.triples, found.predicted, weights, known, others, None, found, sizes)

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """The likelihood once for both the forecast and the table."""
        if decision.act == Act.RAISE and not spot.situation.spec.structure.fixed:
            return super().step(spot, decision)
        expected = self._expect(spot, None)
        return Reading(expected.predicted, None, self.bayes(spot, decision.act, expected))

    def bayes(self, spot: Spot, act: Act, expected: Expectation) -> Update:
        """What an act says by Bayes' rule, given what was expected."""
        if not isinstance(expected, AdaptiveExpectation) or expected.weights is not spot.weights:
            update = super().bayes(spot, act, expected)
        else:
            update = Update(expected.after(act), _reason(spot.situation.act_names[act]), expected)
        if act == Act.RAISE and spot.situation.spec.structure.fixed:
            return self._on_the_river(spot.situation, update, 0)
        return update

    def _on_the_river(self, situation: Situation, update: Update, group: int) -> Update:
        """What a bet or raise of a group of sizes says besides, if it is a player's first money on the river."""
        polarity = self._people(situation.spec)[1].prior.polarity
        if polarity is None or update.weights is None or not first_on_river(situation):
            return update
        weights = polarity.after(update.weights, situation.board, group, situation.to_call > 0)
        return update._replace(weights=weights, reason=f"{update.reason}, and by how polar the river is")

    def predict_sizes(self, spot: Spot) -> Floats:
        """By what everybody, the population and the player did in such situations."""
        forecast, _, _ = self._sizes(spot)
        found: Floats = np.bincount(CLASS_OF, forecast, len(SIZE_CLASSES)).astype(np.float64)
        return found

    def _sizes(self, spot: Spot, rows: NDArray[np.int16] | None = None) -> tuple[Floats, int, SizePrior]:
        """The forecast of each cell of sizes, the context, and what is known of everybody.

        The rows of the situation are found unless somebody has them.
        """
        situation, features = spot.situation, spot.features
        among, people = self._people(situation.spec)
        assert people.prior.sizes is not None
        if self._said is not None and self._said[0] is situation and self._said[1] == people.learnt:
            return (*self._said[2:], people.prior.sizes)
        context = size_context(features)
        forecast = people.size_forecast(
            among,
            known_as(situation.player, situation.spec),
            people.prior.table.rows(features, board_features(situation.board)).rows if rows is None else rows,
            context,
            size_range(situation),
            size_habits(features),
        )
        self._said = situation, people.learnt, forecast, context
        return forecast, context, people.prior.sizes

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """By Bayes' rule, first for the choice, then for the size of a bet or raise."""
        situation = spot.situation
        update = super().judge(spot, act, put_in)
        if act != Act.RAISE or situation.spec.structure.fixed or update.weights is None:
            return update
        expected = cast(AdaptiveExpectation, update.detail)
        forecast, context, sizes = self._sizes(spot, None if expected._found is None else expected._found.rows)
        cell = size_cell(situation, situation.in_round + put_in)
        below = float(forecast[:cell].sum() + forecast[cell] / 2)
        tilt = sizes.tilt(context, quarter(forecast, cell))
        weights = np.empty(N_HOLDINGS)
        if not kernels.posterior(
            update.weights, holding_classes(situation.board), first_bin(situation.board), tilt, weights
        ):
            weights = update.weights
        added = (put_in - situation.to_call) / (situation.pot + situation.to_call)
        told = SizeEvidence(round(added, 4), SIZE_CLASSES[CLASS_OF[cell]], round(below, 4))
        update = Update(weights, f"{update.reason}, and by what the size says", expected.with_size(told))
        return self._on_the_river(situation, update, size_group(cell))

    def strategies(self, player: str, nodes: Sequence[StrategyNode]) -> AdaptiveStrategies:
        """By classes of holdings, all nodes of a street at once."""
        spec = nodes[0].situation.spec
        return AdaptiveStrategies(self._people(spec)[1], known_as(player, spec), nodes)

    def adviser(self, situation: Situation) -> str:
        """The package's own verdict."""
        return "verdict?fast=1"

    def actors(self, spot: Spot) -> Actors:
        """By the likelihood of one holding at a time."""
        situation = spot.situation
        among, people = self._people(situation.spec)
        names = [known_as(name, situation.spec) for name in situation.players]
        return people.actors(among, names, self._said_of(situation))

    def observations(self, player: str, nodes: Sequence[StrategyNode]) -> Floats:
        """Acts of theirs in the same round, with as many bets to call, after the same act of their own."""
        spec = nodes[0].situation.spec
        return self._people(spec)[1].observations(known_as(player, spec), [node.features for node in nodes])

    def learn(self, hand: Hand, decisions: Sequence[Decision]) -> None:
        """Learn what the hand says of population and players; see `PopulationModel`."""
        self.people.update([PopulationModel.evidence(hand, decisions)])


#: 1 for the cells of each class of sizes: float64 (7, 38).
_OF_CLASS = (np.arange(len(SIZE_CLASSES))[:, None] == CLASS_OF).astype(np.float64)


def _size_shares(forecast: Floats, context: int, sizes: SizePrior) -> Floats:
    """Of a bet or raise, how likely each class of sizes is with each bin of strength: float64 (7, 16)."""
    below = np.cumsum(forecast) - forecast / 2
    quarters = np.minimum((QUARTERS * below).astype(np.intp), QUARTERS - 1)
    by_bin = _OF_CLASS @ (forecast[:, None] * sizes.tilts_of(context)[quarters])
    found: Floats = by_bin / by_bin.sum(axis=0)
    return found


def _in_groups(shares: Floats) -> Floats:
    """Shares of classes of sizes as those of classes and groups, each class being of one: float64 (28, 16)."""
    found = np.zeros((len(SIZE_CLASSES), SIZE_GROUPS, STRENGTHS))
    found[np.arange(len(SIZE_CLASSES)), GROUP_OF_CLASS] = shares
    return found.reshape(-1, STRENGTHS)


def _by_holding(shares: NDArray[Any], board: tuple[int, ...]) -> Floats:
    """Shares by bin of strength as those of holdings: float64 (1326, 7), nan where one is not possible."""
    bins = strength_bins(board)
    found = shares.astype(np.float64).T[bins]
    found[bins < 0] = np.nan
    return found


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
