"""Loki-1 as a reader: thresholds from action frequencies re-weight the table (Papp 1998, chapter 7).

A call or raise gives a threshold mu, from how often this player acts so in this context, and multiplies the weights
that the round began with by a ramp around mu. Only the highest threshold of a round counts. Folds, checks and blinds
say nothing. Tables come from public information alone: board cards are ruled out, no player's own cards are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from pokermodel._arrays import Bools, Floats
from pokermodel._checks import check_choice
from pokermodel._core.triples import pot_odds
from pokermodel._options import choice, number, switch
from pokermodel._records import Record
from pokermodel.cards import holding_index, live_holdings
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, Hand, Situation
from pokermodel.reading.features import Features
from pokermodel.reading.frequencies import ActionCounts, Shares
from pokermodel.reading.loki.decision_thresholds import BettingBorders
from pokermodel.reading.loki.field import CrudePotential, FieldMethod
from pokermodel.reading.loki.frequency_models import Contexts, FrequencyModel, frequency_model
from pokermodel.reading.loki.initial import Initial, income_weights
from pokermodel.reading.loki.reweighting import ramp_forecast, ramp_triples, reweight, reweighting_factors
from pokermodel.reading.loki.showdowns import ShowdownShifts, ShowdownSpreads, shift_thresholds
from pokermodel.reading.loki.thresholds import Threshold, thresholds
from pokermodel.reading.loki.triples import TripleGenerator
from pokermodel.reading.observation import Observation
from pokermodel.reading.reader import Expectation, Fact, Reader, Reading, Update
from pokermodel.reading.registry import ReaderKind, register
from pokermodel.reading.session import OpponentModeler

__all__ = ["Loki1Reader", "RampDetail", "RoundState", "Sigma"]

#: What the spread around a threshold is: as printed, or as much wider or narrower as the player's showdowns say.
Sigma: TypeAlias = Literal["printed", "observed"]


class RoundState(NamedTuple):
    """Which acts of a round a table goes by.

    Attributes
    ----------
    round : int
        The round.
    highest : float
        The highest percentile from below that re-weighted in it; -1 for none.
    upper : Threshold or None
        With inverse re-weighting, the lowest threshold from above since the player's last raise.
    table : ndarray of float64, shape (1326,), or None
        With inverse re-weighting, the weights by `highest` alone; None for those of the round's beginning.
    """

    round: int
    highest: float = -1.0
    upper: Threshold | None = None
    table: Floats | None = None


@dataclass(frozen=True, eq=False, slots=True)
class RampDetail(Record):
    """What Loki-1 went by.

    Attributes
    ----------
    frequencies : Shares
        Fold, call and raise frequencies of the player in this context.
    threshold : Threshold or None
        What the act says; None where nearly every holding would do it.
    values : ndarray of float64, shape (1326,)
        What the threshold is compared with: income rates before the flop (thousandths of a small bet), effective
        strength after it. nan where a holding is not possible.
    exempt : ndarray of bool, shape (1326,), or None
        Holdings whose weight stays because they have the pot odds for the act.
    upper : Threshold or None
        With inverse re-weighting, the threshold to raise that the table goes by from above: of this act, or of an
        earlier one of the round.
    state : RoundState or None
        What counts in the round after the act, where that changed.
    """

    frequencies: Shares
    threshold: Threshold | None
    values: Floats
    exempt: Bools | None
    upper: Threshold | None = None
    state: RoundState | None = None

    def facts(self, observation: Observation) -> Sequence[Fact]:
        """What a report says of it."""
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
        How several opponents are merged into one; see `pokermodel.reading.field_strengths`.
    crude_potential : {"outs", "exact1"}
        What stands for the potential in re-weighting: the count of outs, as in the original, or the exact one-card
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

    simulates = False
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
        """As `Reader`: only where the frequencies are learnt."""
        return self.frequencies.learns

    def start(self, session: OpponentModeler) -> None:
        """As `Reader`."""
        self._states.clear()
        for learnt in (self.showdowns, self.spreads):
            if learnt is not None:
                learnt.begin()

    def prior(self, session: OpponentModeler, seat: int) -> Floats | None:
        """As `Reader`: the same for everybody."""
        return income_weights() if self.initial == "income" else None

    def count(self, decision: Decision, features: Features) -> None:
        """As `Reader`."""
        self.frequencies.count(decision, features)

    def generator(self, session: OpponentModeler, situation: Situation, player: str) -> TripleGenerator:
        """As `Reader`: around the thresholds that follow from the player's frequencies."""
        frequencies = self.frequencies.frequencies(player, session.features(situation))
        return TripleGenerator(
            BettingBorders.from_frequencies(frequencies),
            form="reweighting",
            field=self.field,
            crude_potential=self.crude_potential,
        )

    def _ramps(self, session: OpponentModeler, situation: Situation) -> _Ramps:
        """What everything that it says of a situation follows from."""
        features = session.features(situation)
        frequencies = self.frequencies.facing(situation.players[situation.seat], features, features.bets)
        shifted: ArrayLike = frequencies
        if self.showdowns is not None:
            shifts = self.showdowns.of(situation.player, situation.round)
            shifted = shift_thresholds(frequencies, shifts[features.bets])
        raises, calls = thresholds(shifted, preflop=situation.round == 0)
        if self.spreads is not None:
            multiple = self.spreads.multiple(situation.player, situation.round)
            raises, calls = _spread(raises, multiple), _spread(calls, multiple)
        values, potentials = session.crude_values(situation.seat, self.field, self.crude_potential)
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

    def expect(self, session: OpponentModeler, situation: Situation) -> Expectation:
        """Its ramps, read as probabilities; see `ramp_triples`.

        A player who would raise where the rules leave no room for it is expected to call.
        """
        _, raises, calls, values, potentials = self._ramps(session, situation)
        triples = ramp_triples(
            values,
            raises,
            calls if situation.to_call else None,
            exempt=self._exempt(situation, potentials, situation.to_call),
            compensate=situation.round > 0,
            may_raise=Act.RAISE in situation.legal,
        )
        return Expectation.of(triples, session.posterior(situation.seat))

    def predict(self, session: OpponentModeler, situation: Situation) -> Floats:
        """As `Reader`: what `expect` predicts, without the triples."""
        return self._forecast(session, situation, self._ramps(session, situation))

    def _forecast(self, session: OpponentModeler, situation: Situation, ramps: _Ramps) -> Floats:
        _, raises, calls, values, potentials = ramps
        return ramp_forecast(
            values,
            potentials,
            session.posterior(situation.seat),
            raises,
            calls if situation.to_call else None,
            odds=self._odds(situation, situation.to_call),
            compensate=situation.round > 0,
            may_raise=Act.RAISE in situation.legal,
        )

    def judge(self, session: OpponentModeler, situation: Situation, act: Act, put_in: int) -> Update:
        """Re-weight from the start of the round, by a ramp around the threshold (Papp 1998, section 7.2)."""
        return self._judged(session, situation, act, put_in, None)

    def step(self, session: OpponentModeler, decision: Decision) -> Reading:
        """As `Reader`."""
        situation = decision.situation
        ramps = self._ramps(session, situation)
        predicted = self._forecast(session, situation, ramps)
        return Reading(predicted, None, self._judged(session, situation, decision.act, decision.put_in, ramps))

    def _judged(
        self, session: OpponentModeler, situation: Situation, act: Act, put_in: int, ramps: _Ramps | None
    ) -> Update:
        if act == Act.FOLD:
            return _FOLDED
        if self.inverse:
            return self._judged_from_both_sides(session, situation, act, put_in, ramps)
        if act == Act.CALL and situation.to_call == 0:
            return _CHECKED
        frequencies, raises, calls, values, potentials = ramps or self._ramps(session, situation)
        threshold = raises if act == Act.RAISE else calls
        exempt = self._exempt(situation, potentials, put_in)
        detail = RampDetail(frequencies, threshold, values, exempt)
        if threshold is None:
            return Update(
                None, f"a {situation.act_names[act]} says nothing: more than 95 % of all holdings do this", detail
            )
        if threshold.percentile <= self._state(situation).highest:
            return Update(None, "table unchanged: an earlier action this round already implied a stronger hand", detail)
        weights = self._reweighted(session, situation, None, values, threshold, exempt)
        detail = replace(detail, state=RoundState(situation.round, threshold.percentile))
        return Update(weights, f"a {situation.act_names[act]}: holdings below the threshold lose weight", detail)

    def _state(self, situation: Situation) -> RoundState:
        """Which acts of this round the table of the player to act goes by."""
        found = self._states.get(situation.seat)
        return found if found is not None and found.round == situation.round else RoundState(situation.round)

    @staticmethod
    def _reweighted(
        session: OpponentModeler,
        situation: Situation,
        table: Floats | None,
        values: Floats,
        threshold: Threshold,
        exempt: Bools | None = None,
        *,
        falling: bool = False,
    ) -> Floats:
        """A table, or that of the round's beginning, times the ramp of a threshold."""
        return reweight(
            session.round_start(situation.seat) if table is None else table,
            values,
            threshold.mu,
            threshold.sigma,
            exempt=exempt,
            live=None if session.public_models else session.live(situation.seat),  # values have no dead holdings
            compensate=situation.round > 0,
            falling=falling,
        )

    def _judged_from_both_sides(
        self, session: OpponentModeler, situation: Situation, act: Act, put_in: int, ramps: _Ramps | None
    ) -> Update:
        """What an act says with inverse re-weighting: a check or call also that the player did not raise."""
        frequencies, raises, calls, values, potentials = ramps or self._ramps(session, situation)
        before, name = self._state(situation), situation.act_names[act]
        lower = raises if act == Act.RAISE else calls if situation.to_call else None
        exempt = self._exempt(situation, potentials, put_in)
        highest, table, upper = before.highest, before.table, before.upper
        if lower is not None and lower.percentile > highest:
            highest, table = lower.percentile, self._reweighted(session, situation, None, values, lower, exempt)
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
            frequencies, lower, values, exempt, upper, RoundState(situation.round, highest, upper, table)
        )
        if upper is not None:
            weights = self._reweighted(session, situation, table, values, upper, falling=True)
            return Update(weights, f"a {name}: holdings that would have raised lose weight", detail)
        # where nothing is known from below, a raise only takes back what a check or call had said
        weights = session.round_start(situation.seat) if table is None else table
        return Update(weights, f"a {name}: holdings below the threshold lose weight", detail)

    def note(self, decision: Decision, update: Update) -> None:
        """As `Reader`: remembers the threshold of an act that re-weighted, and what acts were judged by."""
        detail = update.detail
        if not isinstance(detail, RampDetail):
            return
        situation = decision.situation
        if detail.state is not None:
            if (
                self.spreads is not None
                and detail.threshold is not None
                and detail.state.highest > self._state(situation).highest
            ):
                self.spreads.note(situation.player, situation.round, detail.threshold, detail.values, detail.exempt)
            self._states[situation.seat] = detail.state
        if self.showdowns is not None:
            values = detail.values if situation.round else income_shares()
            self.showdowns.note(
                situation.player, situation.round, situation.facing, decision.act, values, detail.exempt
            )

    def learn_shown(self, session: OpponentModeler, hand: Hand) -> None:
        """As `Reader`: learns how far thresholds lie elsewhere, and how sharply players keep to them."""
        live = live_holdings(hand.board)
        for seat, cards in hand.holdings.items():
            weights = np.where(live, session.posterior(seat), 0.0)
            for learnt in (self.showdowns, self.spreads):
                if learnt is not None:
                    learnt.learn(hand.players[seat], holding_index(cards), weights)

    def fold_likelihoods(self, session: OpponentModeler, situation: Situation) -> Floats:
        """One minus the ramp of a call; 0 where the player hardly ever folds."""
        _, _, threshold, values, _ = self._ramps(session, situation)
        if threshold is None:
            return np.zeros(len(values))
        staying = reweighting_factors(values, threshold.mu, threshold.sigma, compensate=situation.round > 0)
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
