"""A hand read step by step: what the modeler made of each action, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokermodel._words import counted
from pokermodel.analysis.facts import fields
from pokermodel.analysis.price import Price
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, cards_text, holding_index, holding_text
from pokermodel.game import ROUNDS, Decision, Hand
from pokermodel.players.loki1 import Loki1, Recommendation
from pokermodel.reading.observation import Judgement, Observation
from pokermodel.reading.reader import Fact
from pokermodel.reading.session import OpponentModeler
from pokermodel.simulation import Advice, Position, Simulator
from pokermodel.weights import WeightTable

__all__ = ["HandReport", "Step", "top_classes"]

_TOP = 8
# fields of a step that are null where the reader has nothing to say
_FIELDS = ("context", "frequencies", "percentile", "mu", "sigma", "exempt", "borders", "predicted", "true_holding")


def top_classes(table: WeightTable, n: int) -> list[tuple[str, float]]:
    """The `n` most probable classes of holdings and their probabilities, falling."""
    totals = np.bincount(CLASS_OF_HOLDING, weights=table.probabilities(), minlength=N_CLASSES)
    return [(CLASSES[k], float(totals[k])) for k in np.argsort(-totals, kind="stable")[:n] if totals[k] > 0]


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One action and what it says.

    Attributes
    ----------
    observation : Observation
        What the reader made of the act.
    judgement : Judgement or None
        How probable the player's true holding was judged after it, where the cards are known.
    advice : Recommendation or None
        What the hero should do, where they act and their cards are known: before the flop by Loki-1's expert system;
        after it by simulation where the reader has triples, else by Loki-1's rules.
    simulation : Advice or None
        What that simulation found.
    adviser : str
        Who advises.
    price : Price or None
        What a call costs the hero and what it needs, where bets have sizes. There is no advice then.
    """

    observation: Observation
    judgement: Judgement | None
    advice: Recommendation | None
    simulation: Advice | None = None
    adviser: str = "Loki-1"
    price: Price | None = None

    @property
    def triple(self) -> tuple[float, float, float] | None:
        """What the reader expected of the player with their true holding: fold, call, raise.

        None where the cards are not known, or the act was not judged by that.
        """
        expected = self.observation.expected
        if expected is None or self.judgement is None:
            return None
        fold, call, raise_ = expected.triples[holding_index(self.judgement.holding)].tolist()
        return fold, call, raise_

    def facts(self) -> list[Fact]:
        """What is said of the step: what the reader went by, what it did to the table, and how true that is."""
        observation = self.observation
        entropy = {"before": observation.before.entropy_bits(), "after": observation.after.entropy_bits()}
        found = [
            Fact("reason", "", observation.reason),
            *observation.facts(),
            Fact("entropy", "entropy", entropy, "entropy"),
        ]
        if (judged := self.judgement) is not None:
            value = {
                "holding": judged.holding,
                "probability": judged.probability,
                "uniform": judged.uniform,
                "bits_gained": judged.bits_gained,
                "rank": judged.rank,
                "triple": None if self.triple is None else list(self.triple),
            }
            found.append(Fact("true_holding", "held", value, "judgement"))
        if self.price is not None:
            found.append(Fact("price", observation.decision.player, self.price.to_dict(), "price"))
        return found

    def to_dict(self, *, weights: bool = False) -> dict[str, Any]:
        """The step as plain data for JSON.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the act, by index, as ``weights``.
        """
        table = self.observation.after
        plain = self.without_table()
        advice = plain.pop("advice")
        return plain | {
            "top": [{"holding": holding, "probability": probability} for holding, probability in table.top(_TOP)],
            "top_classes": [{"class": name, "probability": p} for name, p in top_classes(table, _TOP)],
            "grid": [[None if np.isnan(x) else x for x in row] for row in table.grid().tolist()],
            "range": table.to_text(),
            **({"weights": table.values.tolist()} if weights else {}),
            "advice": advice,
        }

    def without_table(self) -> dict[str, Any]:
        """The step as `to_dict` has it, but for the player's table."""
        decision = self.observation.decision
        return {
            "index": decision.index,
            "round": ROUNDS[decision.round],
            "board": cards_text(decision.board),
            "seat": decision.seat,
            "player": decision.player,
            "action": decision.name,
            "pot": decision.pot,
            "to_call": decision.to_call,
            "put_in": decision.put_in,
            "to": decision.to,
            "bets_to_call": decision.bets_to_call,
            **dict.fromkeys(_FIELDS),
            **fields(self.facts()),
            "mu_unit": "milli small bets" if decision.round == 0 else "effective hand strength",
            "reweighted": self.observation.reweighted,
            "advice": None
            if self.advice is None
            else {
                "action": self.advice.name,
                "reason": self.advice.reason,
                **self.advice.numbers,
                **({} if self.simulation is None else self.simulation.to_dict()),
            },
        }


def _recommendation(decision: Decision, simulation: Advice) -> Recommendation:
    act = simulation.action
    worth = [
        f"{name} {ev:+.2f}" + (f" ± {error:.2f}" if error else "")
        for name, ev, error in zip(
            decision.situation.act_names, simulation.ev.tolist(), simulation.standard_error.tolist(), strict=True
        )
        if not np.isnan(ev)
    ]
    found = f"small bets expected, ± standard error: {', '.join(worth)}; {counted(simulation.trials, 'trial')}"
    return Recommendation(act, decision.situation.act_names[act], found, {})


class HandReport:
    """A hand as a model reads it.

    Parameters
    ----------
    hand : Hand
        The hand.
    modeler : OpponentModeler
        Reads it; what it learns stays with it.
    hero : str, optional
        Name of the player to advise.
    simulator : Simulator, optional
        Finds what the acts are worth after the flop, if the reader is one that simulates.
    seed : int
        Of the simulations: the same one makes the same report.

    Raises
    ------
    ValueError
        If the hand has no player of that name, or their cards are not known.
    """

    def __init__(
        self,
        hand: Hand,
        modeler: OpponentModeler,
        hero: str | None = None,
        *,
        simulator: Simulator | None = None,
        seed: int = 0,
    ) -> None:
        if hero is not None:
            if hero not in hand.players:
                raise ValueError(f"no player {hero!r} in hand {hand.id}: expected one of {', '.join(hand.players)}")
            if hand.players.index(hero) not in hand.holdings:
                raise ValueError(f"the cards of {hero!r} in hand {hand.id} are not known: no advice can be given")
        self.hand = hand
        self.modeler = modeler
        self.hero = hero
        self.simulator = Simulator() if simulator is None else simulator
        self.seed = seed

    @property
    def calibration(self) -> dict[str, Any] | None:
        """What corrects the tables: the number of earlier hands it was learnt from, and the exponent of each round.

        None where nothing is to be corrected.
        """
        calibration = self.modeler.calibration
        if calibration is None:
            return None
        exponents = dict(zip(ROUNDS, calibration.table_exponents.tolist(), strict=True))
        return {"hands": calibration.hands, "table_exponents": exponents}

    @property
    def corrected(self) -> bool:
        """Whether the tables are corrected by what came of earlier hands."""
        calibration = self.modeler.calibration
        return calibration is not None and bool((calibration.table_exponents != 1.0).any())

    @property
    def sees_hero(self) -> bool:
        """Whether the tables of the others are without the hero's cards."""
        return self.hero is not None and self.hero == self.modeler.hero and not self.modeler.public_models

    def steps(self) -> Iterator[Step]:
        """Replay the hand, reading each act.

        The true holdings are only compared with the tables; they never enter them, save for the hero's, which a
        model that is not public takes out of the tables of the other players.
        """
        loki, session = Loki1(), self.modeler
        reader = session.reader
        session.folded_tables = session.folded_tables or self.hero is not None
        session.start(self.hand.players)
        if self.hero is not None and self.sees_hero:
            session.hold(self.hand.holdings[self.hand.players.index(self.hero)])
        for decision in self.hand.replay():
            advice, simulation, adviser, price = None, None, reader.adviser, None
            if decision.player == self.hero and not decision.out_of_turn:
                if not decision.spec.structure.fixed:
                    price = self._price(decision)
                elif reader.simulates and decision.round > 0:
                    simulation = self._simulate(decision)
                    advice = _recommendation(decision, simulation)
                else:
                    adviser = reader.rules_adviser
                    advice = loki.advise(decision.situation, self.hand.holdings[decision.seat], session)
            observation = session.observe(decision)
            holding = self.hand.holdings.get(decision.seat)
            judgement = None if holding is None else session.showdown(decision.seat, holding)
            yield Step(observation, judgement, advice, simulation, adviser, price)

    def _price(self, decision: Decision) -> Price:
        self.modeler.deal(decision.board)
        others = [self.hand.players[seat] for seat in decision.active if seat != decision.seat]
        tables = {name: self.modeler.table(name) for name in others}
        seed = np.random.SeedSequence(self.seed, spawn_key=(decision.index,))
        return Price.of(decision.situation, self.hand.holdings[decision.seat], tables, seed)

    def _simulate(self, decision: Decision) -> Advice:
        self.modeler.deal(decision.board)
        seed = np.random.SeedSequence(self.seed, spawn_key=(decision.index,))
        position = Position.before(self.hand, decision.index)
        tables = self.modeler.simulation_tables()
        return self.simulator.run(position, self.hand.holdings[decision.seat], tables, rng=seed)

    def to_dict(self, *, weights: bool = False) -> dict[str, Any]:
        """The whole report as plain data for JSON.

        Parameters
        ----------
        weights : bool
            Add to every step the weights of all 1,326 holdings after the act, by index, as ``weights``.
        """
        hand = self.hand
        steps = [step.to_dict(weights=weights) for step in self.steps()]
        small_bet = hand.spec.bets[0]
        payoffs = hand.payoffs
        return {
            "source": hand.source,
            "id": hand.id,
            "model": self.modeler.model,
            "corrected": self.corrected,
            "calibration": self.calibration,
            "hero": self.hero,
            "structure": str(hand.spec.structure),
            "stake": hand.stake,
            "small_bet": small_bet,
            "chip": float(hand.unit),
            "currency": hand.currency,
            "board": cards_text(hand.board),
            "players": [
                {
                    "seat": seat,
                    "name": name,
                    "holding": holding_text(hand.holdings[seat]) if seat in hand.holdings else None,
                    "payoff": payoffs[seat],
                    "payoff_small_bets": payoffs[seat] / small_bet,
                }
                for seat, name in enumerate(hand.players)
            ],
            "steps": steps,
        }

    def to_frame(self, *, weights: bool = False, library: str | None = None) -> Any:
        """Return a data frame with a row for each action: the situation, what was done, and what the model made of it.

        Parameters
        ----------
        weights : bool
            Add the weights of all 1,326 holdings after the action, by index, as a column ``weights`` of arrays.
        library : {"pandas", "polars"}, optional
            Default: whichever is installed, pandas first.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Amounts are in the money of the source, and times in UTC.

        Raises
        ------
        ValueError
            If `library` is none of these.
        ModuleNotFoundError
            If it is not installed.
        """
        from pokermodel.analysis.table import steps_to_frame

        return steps_to_frame(self, weights=weights, library=library)
