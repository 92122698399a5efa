"""A hand read step by step: what the modeler made of each action, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, N_CLASSES, cards_text, holding_index, holding_text
from pokermodel.game import ROUNDS, Decision, Hand
from pokermodel.players.loki1 import Loki1, Verdict
from pokermodel.reading.session import Judgement, Observation, OpponentModeler
from pokermodel.simulation import Advice, Position, SeatTables, Simulator
from pokermodel.weights import WeightTable

__all__ = ["HandReport", "Step", "top_classes"]

_TOP = 8


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
        What the modeler made of the action.
    judgement : Judgement or None
        How probable the actor's true holding was judged after it, where the cards are known.
    advice : Verdict or None
        What Loki would have done, where the hero acts and his cards are known: Loki-1 by its rules; Loki-2, where the
        modeler reads as it, before the flop likewise and then by simulation.
    simulation : Advice or None
        What that simulation found.
    """

    observation: Observation
    judgement: Judgement | None
    advice: Verdict | None
    simulation: Advice | None = None

    @property
    def triple(self) -> tuple[float, float, float] | None:
        """What the model held the actor to do with his true holding: fold, call, raise.

        None where his cards are not known, or he was not judged by triples.
        """
        expected = self.observation.expected
        if expected is None or self.judgement is None:
            return None
        fold, call, raise_ = expected.triples[holding_index(self.judgement.holding)].tolist()
        return fold, call, raise_

    def to_dict(self) -> dict[str, Any]:
        """The step as plain data for JSON."""
        observation = self.observation
        decision, table = observation.decision, observation.after
        threshold = observation.threshold
        expected = observation.expected
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
            "bets_to_call": decision.bets_to_call,
            "context": None if observation.context is None else list(observation.context),
            "frequencies": None if observation.frequencies is None else observation.frequencies.tolist(),
            "percentile": None if threshold is None else threshold.percentile,
            "mu": None if threshold is None else threshold.mu,
            "sigma": None if threshold is None else threshold.sigma,
            "mu_unit": "milli small bets" if decision.round == 0 else "effective hand strength",
            "exempt": None if observation.exempt is None else int(observation.exempt[table.live].sum()),
            "borders": None
            if expected is None or expected.borders is None
            else dict(zip(("raise", "min_raise", "call", "min_call"), expected.borders, strict=True)),
            "predicted": None if expected is None else expected.predicted.tolist(),
            "reweighted": observation.reweighted,
            "reason": observation.reason,
            "entropy_bits_before": observation.before.entropy_bits(),
            "entropy_bits": table.entropy_bits(),
            "top": [{"holding": holding, "probability": probability} for holding, probability in table.top(_TOP)],
            "top_classes": [{"class": name, "probability": p} for name, p in top_classes(table, _TOP)],
            "grid": [[None if np.isnan(x) else x for x in row] for row in table.grid().tolist()],
            "range": table.to_text(),
            "true_holding": None
            if self.judgement is None
            else {
                "holding": self.judgement.holding,
                "probability": self.judgement.probability,
                "uniform": self.judgement.uniform,
                "bits_gained": self.judgement.bits_gained,
                "rank": self.judgement.rank,
                "triple": None if self.triple is None else list(self.triple),
            },
            "advice": None
            if self.advice is None
            else {
                "action": self.advice.name,
                "reason": self.advice.reason,
                **self.advice.numbers,
                **({} if self.simulation is None else self.simulation.to_dict()),
            },
        }


def _act_names(decision: Decision) -> tuple[str, str, str]:
    return "fold", "call" if decision.to_call else "check", "raise" if decision.num_bets else "bet"


def _verdict(decision: Decision, simulation: Advice) -> Verdict:
    act = simulation.action
    worth = [
        f"{name} {ev:+.2f}" + (f" ({error:.2f})" if error else "")
        for name, ev, error in zip(
            _act_names(decision), simulation.ev.tolist(), simulation.standard_error.tolist(), strict=True
        )
        if not np.isnan(ev)
    ]
    found = f"worth in small bets (standard error): {', '.join(worth)}; {simulation.trials} trials"
    return Verdict(act, _act_names(decision)[act], found, {})


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
        Finds what his acts are worth after the flop, if the modeler reads as Loki-2.
    seed : int
        Of the simulations: the same one makes the same report.

    Raises
    ------
    ValueError
        If the hand has no player of that name, or his cards are not known.
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
    def sees_hero(self) -> bool:
        """Whether the tables of the others are without the hero's cards."""
        return self.hero is not None and self.hero == self.modeler.hero and not self.modeler.public_models

    def steps(self) -> Iterator[Step]:
        """Replay the hand, reading each action.

        The true holdings are only compared with the tables; they never enter them, save for the hero's, which a
        model that is not public takes out of the tables of the others.
        """
        adviser = Loki1()
        seats = SeatTables(self.modeler)
        self.modeler.start(self.hand.players)
        if self.hero is not None and self.sees_hero:
            self.modeler.hold(self.hand.holdings[self.hand.players.index(self.hero)])
        for decision in self.hand.replay():
            advice, simulation = None, None
            if decision.player == self.hero and not decision.out_of_turn:
                if self.modeler.uses_triples and decision.round > 0:
                    simulation = self._simulate(decision, seats)
                    advice = _verdict(decision, simulation)
                else:
                    advice = adviser.advise(decision, self.hand.holdings[decision.seat], self.modeler)
            observation = seats.observe(decision)
            holding = self.hand.holdings.get(decision.seat)
            judgement = None if holding is None else self.modeler.showdown(decision.seat, holding)
            yield Step(observation, judgement, advice, simulation)

    def _simulate(self, decision: Decision, seats: SeatTables) -> Advice:
        self.modeler.deal(decision.board)
        seed = np.random.SeedSequence(self.seed, spawn_key=(decision.index,))
        position = Position.before(self.hand, decision.index)
        return self.simulator.run(position, self.hand.holdings[decision.seat], seats.tables(), rng=seed)

    def to_dict(self) -> dict[str, Any]:
        """The whole report as plain data for JSON."""
        hand = self.hand
        steps = [step.to_dict() for step in self.steps()]
        small_bet = hand.spec.bets[0]
        payoffs = hand.payoffs
        return {
            "source": hand.source,
            "id": hand.id,
            "model": self.modeler.model,
            "hero": self.hero,
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
