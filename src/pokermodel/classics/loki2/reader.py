"""Loki-2 as a reader: probability triples re-weight the table (Peña 1999; Billings et al. 1999).

After the flop every act but a fold, checks included, multiplies the weight of each holding by the probability that the
player does it with that holding. Before the flop it reads as Loki-1. The hero's cards, where they are known, are ruled
out in the tables of the other players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from numpy.typing import ArrayLike

from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.checks import check_choice
from pokermodel._support.options import Option, choice, number, switch
from pokermodel._support.records import Record
from pokermodel.classics.loki1.field import CrudePotential, FieldMethod, spot_values
from pokermodel.classics.loki1.frequency_models import Contexts, FrequencyModel, frequency_model
from pokermodel.classics.loki1.initial import Initial
from pokermodel.classics.loki1.reader import Loki1Reader
from pokermodel.classics.loki1.showdowns import ShowdownShifts, shift_thresholds
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds, DecisionThresholds, borders_of
from pokermodel.classics.loki2.ranked import RANK_NOISE, ranked_triples
from pokermodel.classics.loki2.triples import (
    LEAST_TRIPLE_WEIGHT,
    TripleGenerator,
    expect_triples,
    forecast_triples,
    spot_of,
)
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading.expectation import Expectation, Fact, Observation
from pokermodel.reading.features import Features
from pokermodel.reading.frequencies import ActionCounts, Shares
from pokermodel.reading.reader import Reader, Reading, Spot, Update
from pokermodel.reading.registry import ReaderKind, register

__all__ = ["Generators", "Loki2Reader", "Preflop", "System", "TripleExpectation"]

_BEFORE_FLOP = "before the flop, Loki-2 reads as Loki-1"

#: How frequencies become triples.
System: TypeAlias = Literal["A", "B", "B-weighted", "rank"]
#: How acts before the flop re-weight: by Loki-1's ramp, or by triples.
Preflop: TypeAlias = Literal["loki1", "product"]
#: How all players, or those named, decide after the flop.
Generators: TypeAlias = TripleGenerator | Mapping[str, TripleGenerator]


@dataclass(frozen=True, eq=False, slots=True)
class TripleExpectation(Expectation):
    """The forecasts of Loki-2.

    Attributes
    ----------
    decides : TripleGenerator, or callable that makes one
        How the player decides; see `generator`.
    frequencies : Shares or None
        Fold, call and raise frequencies behind it; None where a generator was handed in.
    borders : Borders or None
        Where one act gives way to another with so many bets to call; None for a generator with a table.
    values : ndarray of float64, shape (1326,)
        What is compared with the borders: income rates before the flop, effective strength after it. nan where a
        holding is not possible.
    potentials : ndarray of float64, shape (1326,)
        Chances to improve, which are compared with the pot odds; 0 before the flop. nan likewise.
    """

    decides: TripleGenerator | Callable[[], TripleGenerator]
    frequencies: Shares | None
    borders: DecisionThresholds | None
    values: Floats
    potentials: Floats

    @property
    def generator(self) -> TripleGenerator:
        """How the player decides. Its `core` can play them out."""
        return self.decides if isinstance(self.decides, TripleGenerator) else self.decides()

    def __reduce__(self) -> tuple[Any, ...]:
        made = self if isinstance(self.decides, TripleGenerator) else replace(self, decides=self.generator)
        return Record.__reduce__(made)

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """Its text in a report."""
        found = []
        if self.frequencies is not None:
            found.append(Fact("frequencies", "frequencies", list(self.frequencies), "acts"))
        if self.borders is not None:
            names = ("raise", "min_raise", "call", "min_call")
            value: dict[str, Any] = dict(zip(names, self.borders, strict=True))
            value["facing"] = observation.decision.to_call > 0
            value["unit"] = "strength" if observation.decision.round else "milli-bets"
            found.append(Fact("borders", "borders", value, "borders"))
        return [*found, *Expectation.facts(self, observation)]


class Loki2Reader(Reader):
    """Re-weights by probability triples.

    Parameters
    ----------
    frequencies : FrequencyModel
        How often players act.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `pokermodel.classics.loki1.field.field_strengths`.
    crude_potential : {"outs", "exact1"}
        The potential that is used in re-weighting.
    system : {"A", "B", "B-weighted", "rank"}
        Borders by the values of holdings, as in Loki-2 (A), or by their rank among all holdings of the board, as in
        Poki (B); ``B-weighted`` weighs them by the player's table, which is ours; see `BettingThresholds.ranked`.
        ``rank``, ours, too, goes by weighted ranks throughout, and reads folds; see `ranked_triples`.
    noise : float, optional
        Share of every triple that is spread evenly, 0 to 1 (Davidson 2002); by ``rank``, as the player's frequencies
        are. Default: 0; .45 by rank.
    preflop : {"loki1", "product"}
        Loki-1's ramp before the flop, or triples there too, as in Poki; see `BettingThresholds.preflop`.
    generators : TripleGenerator or mapping of str to TripleGenerator, optional
        How all players, or those named, decide after the flop, instead of by their frequencies (and of `field`,
        `crude_potential`, `system` and `noise`). Of the form ``reweighting``.
    initial : {"one", "income"}
        The first weights of tables; see `Loki1Reader`.
    showdowns : ShowdownShifts, optional
        Where it learns from showdowns how far a player's thresholds lie from those that their frequencies give. With
        system A only: elsewhere thresholds are ranks, and the frequencies of acts follow from them.

    Raises
    ------
    ValueError
        If an option is unknown or out of range, or `showdowns` stands beside another system.
    """

    public_tables: ClassVar[bool] = False
    adviser_titles: ClassVar[Mapping[str, str]] = {
        "simulation": "Loki-2",
        "loki1": "Loki-2, which plays as Loki-1 before the flop,",
    }
    least_weight: ClassVar[float] = LEAST_TRIPLE_WEIGHT

    def __init__(
        self,
        frequencies: FrequencyModel,
        *,
        field: FieldMethod = "mean",
        crude_potential: CrudePotential = "outs",
        system: System = "A",
        noise: float | None = None,
        preflop: Preflop = "loki1",
        generators: Generators | None = None,
        initial: Initial = "one",
        showdowns: ShowdownShifts | None = None,
    ) -> None:
        check_choice("system", system, get_args(System))
        check_choice("pre-flop re-weighting", preflop, get_args(Preflop))
        for generator in generators.values() if isinstance(generators, Mapping) else (generators,):
            if generator is not None and generator.form != "reweighting":
                raise ValueError(f"generators must be of the form 'reweighting', got one of {generator.form!r}")
        if showdowns is not None and system != "A":
            raise ValueError(f"showdowns shift thresholds of system 'A', not of system {system!r}")
        self._ramp = Loki1Reader(frequencies, field, crude_potential, initial=initial, showdowns=showdowns)
        self.frequencies = frequencies
        self.showdowns = showdowns
        self.learns = frequencies.learns
        self.learns_shown = showdowns is not None
        self.field: FieldMethod = field
        self.crude_potential: CrudePotential = crude_potential
        self.system: System = system
        self.noise = (RANK_NOISE if system == "rank" else 0.0) if noise is None else noise
        self.preflop: Preflop = preflop
        self.reads_folds = system == "rank"
        self._generators = generators
        self._generator(BettingThresholds.gom())  # whether all that generators are made of is in range

    @property
    def learns_acts(self) -> bool:
        """Whether the frequencies are learnt."""
        return self.frequencies.learns

    def adviser(self, situation: Situation) -> str:
        """Loki-1's rules before the flop, and the simulation after it."""
        return "simulation" if situation.round else "loki1"

    def start(self, players: tuple[str, ...]) -> None:
        """Forget the hand before."""
        self._ramp.start(players)

    def prior(self, player: str) -> Floats | None:
        """Weights before any act, which are everybody's."""
        return self._ramp.prior(player)

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act, where frequencies are learnt."""
        self.frequencies.count(decision, features)

    def _generator(self, borders: BettingThresholds) -> TripleGenerator:
        return TripleGenerator(
            borders,
            form="reweighting",
            noise=self.noise,
            field=self.field,
            crude_potential=self.crude_potential,
        )

    def _by_rank(self, frequencies: Floats, values: Floats, weights: Floats) -> TripleGenerator:
        return TripleGenerator(
            form="reweighting",
            table=ranked_triples(frequencies, values, weights, noise=self.noise),
            field=self.field,
            crude_potential=self.crude_potential,
        )

    def _handed_in(self, player: str) -> TripleGenerator | None:
        """How a player decides, if the user knows."""
        if isinstance(self._generators, Mapping):
            return self._generators.get(player)
        return self._generators

    def generator(self, spot: Spot, player: str) -> TripleGenerator:
        """A player's decision rule: as their actions are judged, but always by the values of holdings."""
        handed_in = self._handed_in(player)
        if handed_in is not None:
            return handed_in
        frequencies = self.frequencies.frequencies(player, spot.features)
        return self._generator(BettingThresholds.from_frequencies(frequencies))

    def expect(self, spot: Spot) -> TripleExpectation:
        """Triples, before the flop too, whether or not they re-weight there."""
        situation, analysis = spot.situation, spot.analysis
        handed_in = None if analysis is None or self._generators is None else self._handed_in(situation.player)
        if analysis is not None and handed_in is not None:
            values, potentials, _ = handed_in.evaluate(analysis, spot.opponents)
            return self._expected(spot, handed_in, None, values, potentials)
        values, potentials = spot_values(spot, self.field, self.crude_potential)
        if self._ranks(analysis):
            weights, features = spot.weights, spot.features
            frequencies = self.frequencies.frequencies(situation.player, features)
            if self.system == "rank":
                compared = income_shares() if analysis is None else values
                generator = self._by_rank(frequencies, compared, weights)
            else:
                compared, counted = values, weights if self.system == "B-weighted" else None
                generator = self._generator(BettingThresholds.ranked(frequencies, values, counted))
            row = Shares(*frequencies[situation.facing].tolist())
            return self._expected(spot, generator, row, values, potentials, compared)
        return self._by_borders(spot, values, potentials)

    def _expected(
        self,
        spot: Spot,
        generator: TripleGenerator,
        frequencies: Shares | None,
        values: Floats,
        potentials: Floats,
        compared: Floats | None = None,
    ) -> TripleExpectation:
        """What follows from a generator, which may compare something else than the values with its borders."""
        situation = spot.situation
        triples, predicted = generator.expect(
            spot_of(situation),
            values if compared is None else compared,
            potentials,
            spot.weights,
        )
        borders = generator.borders_at(situation.facing)
        return TripleExpectation(triples, predicted, generator, frequencies, borders, values, potentials)

    def _by_borders(self, spot: Spot, values: Floats, potentials: Floats) -> TripleExpectation:
        """What follows from frequencies by the values of holdings; a generator is only made if it is asked for."""
        situation = spot.situation
        frequencies, shifts, borders = self._borders(spot)
        triples, predicted = expect_triples(
            borders, spot_of(situation), values, potentials, spot.weights, noise=self.noise
        )
        known = self.frequencies.known(situation.player, spot.features)
        decides = partial(self._decides, known, shifts, situation.round == 0)
        return TripleExpectation(triples, predicted, decides, frequencies, borders, values, potentials)

    def _borders(self, spot: Spot) -> tuple[Shares, Floats | None, DecisionThresholds]:
        """The player's frequencies, the shifts of their thresholds, and the borders that follow."""
        situation = spot.situation
        facing = situation.facing
        frequencies = self.frequencies.facing(situation.player, spot.features, facing)
        shifted: ArrayLike = frequencies
        shifts = None if self.showdowns is None else self.showdowns.of(situation.player, situation.round)
        if shifts is not None:
            shifted = shift_thresholds(frequencies, shifts[facing])
        return frequencies, shifts, borders_of(shifted, facing, preflop=situation.round == 0)

    def _ranks(self, analysis: BoardAnalysis | None) -> bool:
        """Whether borders are ranks of holdings."""
        return self.system == "rank" or (self.system != "A" and analysis is not None)

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """Forecast an act and judge it; without triples where nothing but the forecast needs them."""
        situation, act = decision.situation, decision.act
        multiplies = self._multiplies(situation) and (act != Act.FOLD or self.reads_folds)
        if multiplies or self._generators is not None or self._ranks(spot.analysis):
            predicted = self.expected(spot).predicted
        else:  # no triple is asked for
            values, potentials = spot_values(spot, self.field, self.crude_potential)
            _, _, borders = self._borders(spot)
            weights = spot.weights
            predicted = forecast_triples(borders, spot_of(situation), values, potentials, weights, noise=self.noise)
        return Reading(predicted, None, self.judge(spot, act, decision.put_in))

    def _decides(self, known: Callable[[], Floats], shifts: Floats | None, preflop: bool) -> TripleGenerator:
        frequencies = known() if shifts is None else shift_thresholds(known(), shifts)
        return self._generator(
            (BettingThresholds.preflop if preflop else BettingThresholds.from_frequencies)(frequencies)
        )

    def _multiplies(self, situation: Situation) -> bool:
        return situation.round > 0 or self.preflop == "product"

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """Weights times the probability of the act with each holding; before the flop as Loki-1 by default.

        A raise that no player can call counts, too.
        """
        situation = spot.situation
        if act == Act.FOLD and not (self.reads_folds and self._multiplies(situation) and act in situation.legal):
            return Update(None, "a fold: the table is dropped")
        if not self._multiplies(situation):
            weights, reason, detail = self._ramp.judge(spot, act, put_in)
            return Update(weights, f"{reason} ({_BEFORE_FLOP})", detail)
        return self.bayes(spot, act, self.expected(spot))

    def note(self, decision: Decision, update: Update) -> None:
        """Remember by what acts were judged, where showdowns are learnt from."""
        self._ramp.note(decision, update)
        expected = update.detail
        if self.showdowns is None or not isinstance(expected, TripleExpectation) or expected.frequencies is None:
            return
        situation = decision.situation
        values = expected.values if situation.round else income_shares()
        self.showdowns.note(
            situation.player, situation.round, situation.facing, decision.act, values, _exempt(decision, expected)
        )

    def learn_shown(self, hand: Hand, tables: Sequence[Floats]) -> None:
        """Learn how far thresholds lie elsewhere."""
        self._ramp.learn_shown(hand, tables)

    def fold_likelihoods(self, spot: Spot) -> Floats:
        """By triples where they re-weight, else by Loki-1's ramp."""
        return super().fold_likelihoods(spot) if self._multiplies(spot.situation) else self._ramp.fold_likelihoods(spot)


def _exempt(decision: Decision, expected: TripleExpectation) -> Bools | None:
    """Holdings that call whatever the threshold, as they have the odds; None for other acts, and before the flop."""
    situation = decision.situation
    if decision.act != Act.CALL or not (situation.round and situation.to_call):
        return None
    chances = expected.values if situation.round == 3 else expected.potentials
    exempt: Bools = chances >= situation.to_call / (situation.pot + situation.to_call)
    return exempt


_GENERIC: dict[str, Option] = {
    "field": choice(*get_args(FieldMethod)),
    "crude_potential": choice(*get_args(CrudePotential)),
    "system": choice(*get_args(System)),
    "noise": number,
    "preflop": choice(*get_args(Preflop)),
    "initial": choice(*get_args(Initial)),
}
_SPECIFIC: dict[str, Option] = {**_GENERIC, "contexts": choice(*get_args(Contexts))}


def _loki2(known: Mapping[str, ActionCounts] | None, **options: Any) -> Loki2Reader:
    return Loki2Reader(FrequencyModel(), **options)


def _of_players(
    known: Mapping[str, ActionCounts] | None,
    *,
    contexts: Contexts = "twelve",
    recency: float | None = None,
    showdowns: bool = False,
    **options: Any,
) -> Loki2Reader:
    frequencies = frequency_model(contexts, known, recent=True, recency=recency)
    return Loki2Reader(frequencies, showdowns=ShowdownShifts() if showdowns else None, **options)


def _by_contexts(
    known: Mapping[str, ActionCounts] | None,
    *,
    contexts: Contexts = "rich",
    system: System = "rank",
    preflop: Preflop = "product",
    **options: Any,
) -> Loki2Reader:
    return _of_players(known, contexts=contexts, system=system, preflop=preflop, **options)


for _kind in (
    ReaderKind(
        "loki2",
        _loki2,
        "Loki-2 (Peña 1999): probability triples after the flop, the same for all players",
        _GENERIC,
        accepts=("generators",),
        corrected=True,
    ),
    ReaderKind(
        "loki2:som",
        _of_players,
        "Loki-2 with each player judged by what they did before, and by their latest 20 acts",
        {**_SPECIFIC, "recency": number, "showdowns": switch},
        accepts=("generators",),
        needs=("statistics",),
        corrected=True,
    ),
    ReaderKind(
        "loki2:contexts",
        _by_contexts,
        "Loki-2 with each player judged given all that the table sees, by ranks of holdings; it reads folds, too",
        _SPECIFIC,
        accepts=("generators",),
        needs=("statistics",),
        corrected=True,
    ),
):
    register(_kind)
