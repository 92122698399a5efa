"""Loki-1 as a reader: thresholds from action frequencies re-weight the table (Papp 1998, chapter 7).

A call or raise gives a threshold mu, from how often this player acts so in this context, and multiplies the weights
that the round began with by a ramp around mu. Only the highest threshold of a round counts. Folds, checks and blinds
say nothing. Tables come from public information alone: board cards are ruled out, no player's own cards are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._core.triples import pot_odds
from pokermodel._support.arrays import Bools, Floats
from pokermodel._support.checks import check_choice
from pokermodel._support.options import choice, number, switch
from pokermodel._support.records import Record
from pokermodel.cards import holding_index, live_holdings, shared_live_holdings
from pokermodel.classics.loki1.field import CrudePotential, FieldMethod, spot_values
from pokermodel.classics.loki1.frequency_models import Contexts, FrequencyModel, frequency_model
from pokermodel.classics.loki1.initial import Initial, income_weights
from pokermodel.classics.loki1.reweighting import ramp_forecast, ramp_triples, reweight, reweighting_factors
from pokermodel.classics.loki1.showdowns import ShowdownShifts, ShowdownSpreads, shift_thresholds
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.triples import TripleGenerator
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.learning.thresholds import Threshold, thresholds
from pokermodel.reading.expectation import Expectation, Fact, Observation
from pokermodel.reading.features import Features
from pokermodel.reading.frequencies import ActionCounts, Shares
from pokermodel.reading.reader import Reader, Reading, Spot, Update
from pokermodel.reading.registry import ReaderKind, register

__all__ = ["Loki1Reader", "RampDetail", "RoundState", "Sigma"]

#: What the spread around a threshold is: as printed, or as much wider or narrower as the player's showdowns say.
Sigma: TypeAlias = Literal["printed", "observed"]


@dataclass(frozen=True, eq=False, slots=True)
class RoundState(Record):
    """Which acts of a round a table goes by.

    Attributes
    ----------
    round : int
        The round.
    start : ndarray of float64, shape (1326,)
        The weights that the round began with.
    highest : float
        The highest threshold of the round that re-weighted from below, as a percentile; -1 for none.
    upper : Threshold or None
        With inverse re-weighting, the lowest threshold from above since the player's last raise.
    table : ndarray of float64, shape (1326,), or None
        With inverse re-weighting, the weights by `highest` alone; None for those of the round's beginning.
    """

    round: int
    start: Floats
    highest: float = -1.0
    upper: Threshold | None = None
    table: Floats | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RampDetail(Record):
    """Loki-1's evidence.

    Attributes
    ----------
    frequencies : Shares
        Fold, call and raise frequencies of the player in this context.
    threshold : Threshold or None
        The evidence of the action; None if nearly every holding would do it.
    values : ndarray of float64, shape (1326,)
        What the threshold is compared with: income rates before the flop (thousandths of a small bet), effective
        strength after it. nan where a holding is not possible.
    exempt : ndarray of bool, shape (1326,), or None
        Holdings whose weight stays because they have the pot odds for the act.
    upper : Threshold or None
        With inverse re-weighting, the threshold to raise that the table goes by from above: of this act, or of an
        earlier one of the round.
    state : RoundState or None
        The state of the round after the action, if it changed.
    """

    frequencies: Shares
    threshold: Threshold | None
    values: Floats
    exempt: Bools | None
    upper: Threshold | None = None
    state: RoundState | None = None

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """Its text in a report."""
        found = [Fact("frequencies", "frequencies", list(self.frequencies), "acts")]
        if self.threshold is not None:
            unit = "strength" if observation.decision.round else "milli-bets"
            found.append(Fact("threshold", "threshold", {**self.threshold._asdict(), "unit": unit}, "threshold"))
        if self.upper is not None:
            unit = "strength" if observation.decision.round else "milli-bets"
            found.append(Fact("upper", "threshold from above", {**self.upper._asdict(), "unit": unit}, "threshold"))
        if self.exempt is not None:
            exempt = self.exempt[observation.after.live]
            found.append(Fact("exempt", "holdings exempt by pot odds", int(exempt.sum()), "count"))
        return found


#: What Loki-1 goes by in a situation: frequencies, thresholds of a raise and of a call, values and potentials.
_Ramps: TypeAlias = tuple[Shares, Threshold | None, Threshold | None, Floats, Floats]

_FOLDED = Update(None, "a fold: the table is dropped")
_CHECKED = Update(None, "a check says nothing")


class Loki1Reader(Reader):
    """Re-weights by one threshold per act.

    Parameters
    ----------
    frequencies : FrequencyModel
        How often players act.
    field : {"mean", "maximum", "product"}
        How several opponents are merged into one; see `pokermodel.classics.loki1.field.field_strengths`.
    crude_potential : {"outs", "exact1"}
        The potential that is used in re-weighting: the count of outs, as in the original, or the exact one-card
        potential against uniform weights.
    initial : {"one", "income"}
        What tables begin with: 1 for every holding (Papp 1998, section 7.1.1), or `income_weights` (Billings et al.,
        AAAI 1998).
    showdowns : ShowdownShifts, optional
        Where it learns from showdowns how far a player's thresholds lie from those that their frequencies give. It
        learns nothing from them without.
    spreads : ShowdownSpreads, optional
        Where it learns from showdowns how sharply a player keeps to thresholds. Without, sigma is as printed.
    inverse : bool
        Whether those who check or call without raising lose weight where they would have raised (proposed by Papp 1998,
        sections 8.4.2 and 9). The weights of the round's beginning are then multiplied by two ramps at most: by that of
        the highest threshold from below, and by the mirrored one of the lowest threshold to raise at which the player
        did not raise although they could. A raise takes the second back, for it shows that the player waited; and one
        that lies below the first does not count. Potential that pays for a call exempts from the first alone: it says
        why weak holdings call, not why strong ones do not raise.

    Raises
    ------
    ValueError
        If an option is unknown.
    """

    reads_folds = False

    def __init__(
        self,
        frequencies: FrequencyModel,
        field: FieldMethod = "mean",
        crude_potential: CrudePotential = "outs",
        *,
        initial: Initial = "one",
        showdowns: ShowdownShifts | None = None,
        spreads: ShowdownSpreads | None = None,
        inverse: bool = False,
    ) -> None:
        check_choice("field method", field, get_args(FieldMethod))
        check_choice("crude potential", crude_potential, get_args(CrudePotential))
        check_choice("initial weights", initial, get_args(Initial))
        self.frequencies = frequencies
        self.field: FieldMethod = field
        self.crude_potential: CrudePotential = crude_potential
        self.initial: Initial = initial
        self.showdowns = showdowns
        self.learns = frequencies.learns
        self.spreads = spreads
        self.inverse = inverse
        self.learns_shown = showdowns is not None or spreads is not None
        self._states: dict[int, RoundState] = {}  # by seat

    @property
    def learns_acts(self) -> bool:
        """Whether the frequencies are learnt."""
        return self.frequencies.learns

    def adviser(self, situation: Situation) -> str:
        """Loki-1's own rules."""
        return "loki1"

    def start(self, players: tuple[str, ...]) -> None:
        """Forget the hand before."""
        self._states.clear()
        for learnt in (self.showdowns, self.spreads):
            if learnt is not None:
                learnt.begin()

    def prior(self, player: str) -> Floats | None:
        """Weights before any act, which are everybody's."""
        return income_weights() if self.initial == "income" else None

    def count(self, decision: Decision, features: Features) -> None:
        """Count the act, where frequencies are learnt."""
        self.frequencies.count(decision, features)

    def generator(self, spot: Spot, player: str) -> TripleGenerator:
        """Triples around the thresholds that follow from the player's frequencies."""
        frequencies = self.frequencies.frequencies(player, spot.features)
        return TripleGenerator(
            BettingThresholds.from_frequencies(frequencies),
            form="reweighting",
            field=self.field,
            crude_potential=self.crude_potential,
        )

    def _ramps(self, spot: Spot) -> _Ramps:
        """What everything that it says of a situation follows from."""
        situation = spot.situation
        features = spot.features
        frequencies = self.frequencies.facing(situation.players[situation.seat], features, features.bets)
        shifted: ArrayLike = frequencies
        if self.showdowns is not None:
            shifts = self.showdowns.of(situation.player, situation.round)
            shifted = shift_thresholds(frequencies, shifts[features.bets])
        raises, calls = thresholds(shifted, preflop=situation.round == 0)
        if self.spreads is not None:
            multiple = self.spreads.multiple(situation.player, situation.round)
            raises, calls = _spread(raises, multiple), _spread(calls, multiple)
        values, potentials = spot_values(spot, self.field, self.crude_potential)
        return frequencies, raises, calls, values, potentials

    def _odds(self, situation: Situation, put_in: int) -> float | None:
        """The potential from which on so many chips pay whatever the value; None where there is none."""
        return None if situation.round in (0, 3) or not put_in else pot_odds(situation.pot, put_in)

    def _exempt(self, situation: Situation, potentials: Floats, put_in: int) -> Bools | None:
        """Holdings whose potential pays for so many chips; None where there is none."""
        odds = self._odds(situation, put_in)
        if odds is None:
            return None
        exempt: Bools = potentials >= odds
        return exempt

    def expect(self, spot: Spot) -> Expectation:
        """Its ramps, read as probabilities; see `ramp_triples`.

        A player who would raise where the rules leave no room for it is expected to call.
        """
        situation = spot.situation
        _, raises, calls, values, potentials = self._ramps(spot)
        triples = ramp_triples(
            values,
            raises,
            calls if situation.to_call else None,
            exempt=self._exempt(situation, potentials, situation.to_call),
            compensate=situation.round > 0,
            may_raise=Act.RAISE in situation.legal,
        )
        return Expectation.of(triples, spot.weights)

    def predict(self, spot: Spot) -> Floats:
        """How likely a player folds, calls and raises: what `expect` predicts, without its triples."""
        return self._forecast(spot, self._ramps(spot))

    def _forecast(self, spot: Spot, ramps: _Ramps) -> Floats:
        situation = spot.situation
        _, raises, calls, values, potentials = ramps
        return ramp_forecast(
            values,
            potentials,
            spot.weights,
            raises,
            calls if situation.to_call else None,
            odds=self._odds(situation, situation.to_call),
            compensate=situation.round > 0,
            may_raise=Act.RAISE in situation.legal,
        )

    def judge(self, spot: Spot, act: Act, put_in: int) -> Update:
        """Re-weight from the start of the round, by a ramp around the threshold (Papp 1998, section 7.2)."""
        return self._judged(spot, act, put_in, None)

    def step(self, spot: Spot, decision: Decision) -> Reading:
        """Forecast an act and judge it, by thresholds that are worked out once."""
        ramps = self._ramps(spot)
        predicted = self._forecast(spot, ramps)
        return Reading(predicted, None, self._judged(spot, decision.act, decision.put_in, ramps))

    def _judged(self, spot: Spot, act: Act, put_in: int, ramps: _Ramps | None) -> Update:
        if act == Act.FOLD:
            return _FOLDED
        if self.inverse:
            return self._judged_from_both_sides(spot, act, put_in, ramps)
        situation = spot.situation
        if act == Act.CALL and situation.to_call == 0:
            return _CHECKED
        frequencies, raises, calls, values, potentials = ramps or self._ramps(spot)
        threshold = raises if act == Act.RAISE else calls
        exempt = self._exempt(situation, potentials, put_in)
        if threshold is None:
            detail = RampDetail(frequencies, threshold, values, exempt)
            return Update(
                None, f"a {situation.act_names[act]} says nothing: more than 95% of all holdings do this", detail
            )
        before = self._states.get(situation.seat)
        start, highest = spot.weights, -1.0  # nothing has re-weighted yet: the table is as the round began
        if before is not None and before.round == situation.round:
            start, highest = before.start, before.highest
        if threshold.percentile <= highest:
            detail = RampDetail(frequencies, threshold, values, exempt)
            return Update(None, "table unchanged: an earlier action this round already implied a stronger hand", detail)
        weights = self._reweighted(spot, start, values, threshold, exempt)
        state = RoundState(situation.round, start, threshold.percentile)
        detail = RampDetail(frequencies, threshold, values, exempt, None, state)
        return Update(weights, f"a {situation.act_names[act]}: holdings below the threshold lose weight", detail)

    def _state(self, spot: Spot) -> RoundState:
        """Which acts of this round the table of the player to act goes by.

        Where none has re-weighted it yet, it is as the round began.
        """
        situation = spot.situation
        found = self._states.get(situation.seat)
        if found is None or found.round != situation.round:
            return RoundState(situation.round, spot.weights)
        return found

    @staticmethod
    def _reweighted(
        spot: Spot,
        table: Floats,
        values: Floats,
        threshold: Threshold,
        exempt: Bools | None = None,
        *,
        falling: bool = False,
    ) -> Floats:
        """A table times the ramp of a threshold."""
        dead = spot.dead
        return reweight(
            table,
            values,
            threshold.mu,
            threshold.sigma,
            exempt=exempt,
            # values are nan where the board rules a holding out
            live=None if dead == spot.situation.board else shared_live_holdings(dead),
            compensate=spot.situation.round > 0,
            falling=falling,
        )

    def _judged_from_both_sides(self, spot: Spot, act: Act, put_in: int, ramps: _Ramps | None) -> Update:
        """What an act says with inverse re-weighting: a check or call also that the player did not raise."""
        frequencies, raises, calls, values, potentials = ramps or self._ramps(spot)
        situation, before = spot.situation, self._state(spot)
        name = situation.act_names[act]
        lower = raises if act == Act.RAISE else calls if situation.to_call else None
        exempt = self._exempt(situation, potentials, put_in)
        highest, table, upper = before.highest, before.table, before.upper
        if lower is not None and lower.percentile > highest:
            highest, table = lower.percentile, self._reweighted(spot, before.start, values, lower, exempt)
        if act == Act.RAISE:
            upper = None
        elif raises is not None and Act.RAISE in situation.legal and not _lies_below(upper, raises.percentile):
            upper = raises
        if _lies_below(upper, highest):
            upper = None
        if (highest, upper) == (before.highest, before.upper):
            detail = RampDetail(frequencies, lower, values, exempt, upper)
            return Update(None, f"table unchanged: a {name} says no more than what is known of the round", detail)
        detail = RampDetail(
            frequencies, lower, values, exempt, upper, replace(before, highest=highest, upper=upper, table=table)
        )
        known = before.start if table is None else table
        if upper is not None:
            weights = self._reweighted(spot, known, values, upper, falling=True)
            return Update(weights, f"a {name}: holdings that would have raised lose weight", detail)
        # where nothing is known from below, a raise only takes back what a check or call had said
        return Update(known, f"a {name}: holdings below the threshold lose weight", detail)

    def note(self, decision: Decision, update: Update) -> None:
        """Remember the threshold of an act that re-weighted, and what acts were judged by."""
        detail = update.detail
        if not isinstance(detail, RampDetail):
            return
        situation = decision.situation
        if detail.state is not None:
            before = self._states.get(situation.seat)
            highest = before.highest if before is not None and before.round == situation.round else -1.0
            if self.spreads is not None and detail.threshold is not None and detail.state.highest > highest:
                self.spreads.note(situation.player, situation.round, detail.threshold, detail.values, detail.exempt)
            self._states[situation.seat] = detail.state
        if self.showdowns is not None:
            values = detail.values if situation.round else income_shares()
            self.showdowns.note(
                situation.player, situation.round, situation.facing, decision.act, values, detail.exempt
            )

    def learn_shown(self, hand: Hand, tables: Sequence[Floats]) -> None:
        """Learn how far thresholds lie elsewhere, and how sharply players keep to them."""
        live = live_holdings(hand.board)
        for seat, cards in hand.holdings.items():
            weights = np.where(live, tables[seat], 0.0)
            for learnt in (self.showdowns, self.spreads):
                if learnt is not None:
                    learnt.learn(hand.players[seat], holding_index(cards), weights)

    def fold_likelihoods(self, spot: Spot) -> Floats:
        """One minus the ramp of a call; 0 where the player hardly ever folds."""
        _, _, threshold, values, _ = self._ramps(spot)
        if threshold is None:
            return np.zeros(len(values))
        staying = reweighting_factors(values, threshold.mu, threshold.sigma, compensate=spot.situation.round > 0)
        return np.nan_to_num(1.0 - staying)


def _lies_below(threshold: Threshold | None, percentile: float) -> bool:
    """Whether there is a threshold, and it is lower."""
    return threshold is not None and threshold.percentile < percentile


def _spread(threshold: Threshold | None, multiple: float) -> Threshold | None:
    """A threshold with so much of its sigma."""
    return None if threshold is None else threshold._replace(sigma=threshold.sigma * multiple)


_OPTIONS = {
    "field": choice(*get_args(FieldMethod)),
    "crude_potential": choice(*get_args(CrudePotential)),
    "initial": choice(*get_args(Initial)),
    "inverse": switch,
}


def _generic(known: Mapping[str, ActionCounts] | None, **options: Any) -> Loki1Reader:
    return Loki1Reader(FrequencyModel(), **options)


def _specific(
    known: Mapping[str, ActionCounts] | None,
    *,
    contexts: Contexts = "twelve",
    recency: float | None = None,
    showdowns: bool = False,
    sigma: Sigma = "printed",
    **options: Any,
) -> Loki1Reader:
    check_choice("sigma", sigma, get_args(Sigma))
    return Loki1Reader(
        frequency_model(contexts, known, recent=False, recency=recency),
        showdowns=ShowdownShifts() if showdowns else None,
        spreads=ShowdownSpreads() if sigma == "observed" else None,
        **options,
    )


register(
    ReaderKind(
        "loki1",
        _generic,
        "Loki-1 (Papp 1998): one threshold per act, the same for all players",
        _OPTIONS,
        corrected=True,
    )
)
register(
    ReaderKind("gom", _generic, "another name of loki1, after its generic opponent model", _OPTIONS, corrected=True)
)
register(
    ReaderKind(
        "som",
        _specific,
        "Loki-1 with specific opponent models: each player judged by what they did before",
        {
            **_OPTIONS,
            "contexts": choice(*get_args(Contexts)),
            "recency": number,
            "showdowns": switch,
            "sigma": choice(*get_args(Sigma)),
        },
        needs=("statistics",),
        corrected=True,
    )
)
