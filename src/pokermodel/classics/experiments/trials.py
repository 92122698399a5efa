"""How many trials a simulation needs: choices that more trials change, and what single trials spread over.

Peña (1999, chapter 5) reports these figures of simulations with Loki-1's tables. That they are of decisions of all
rounds after the flop, in a field of Loki-1, is our reading.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokermodel._support.arrays import Bools, Floats
from pokermodel.classics.experiments.measured import MeasuredExperiment, Measurement
from pokermodel.classics.experiments.registry import register
from pokermodel.classics.loki2.player import Loki2Player, Parts, TrialOptions
from pokermodel.classics.simulation.advice import BranchEstimate, choose, is_obvious
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena.hand import deal_cards, play_hand
from pokermodel.tables.players import CommonKnowledge, make_player
from pokermodel.tables.players.player import View

#: Trials whose choice is compared with that of the last, which stands for any number.
_COUNTS = (100, 500, 5_000)
_CHANGED = {100: 0.046, 500: 0.005}  # of choices, as published
_PLAYERS = 10


class _Decision(NamedTuple):
    choices: tuple[Act, ...]  # by `_COUNTS`
    deviation: tuple[float, float]  # of a trial, after a call and after a raise
    lead: float  # of the best act over the second
    stopped: bool  # whether the published rule stops before 500 trials


class _Recorder(Loki2Player):
    """A simulating player that keeps how its choices depend on the number of trials."""

    def __init__(self) -> None:
        super().__init__(Parts(False, False), simulating=TrialOptions(dealing="published", stop="none"))
        self.decisions: list[_Decision] = []

    def act(self, view: View) -> Act:
        if view.round == 0:
            return super().act(view)
        log = self.simulate(view, _COUNTS[-1], log=True).log
        assert log is not None
        legal = view.situation.legal
        can_fold, can_raise = Act.FOLD in legal, Act.RAISE in legal
        choices = []
        for count in _COUNTS:
            estimate = BranchEstimate.of(log.values[:count], log.weights[:count])
            ev = np.concatenate([[0.0], estimate.mean])
            choices.append(choose(ev, can_fold, can_raise))
        values = sorted([0.0] * can_fold + [ev[Act.CALL]] + [ev[Act.RAISE]] * can_raise)
        if can_raise:
            self.decisions.append(
                _Decision(
                    tuple(choices),
                    (float(estimate.deviation[0]), float(estimate.deviation[1])),
                    float(values[-1] - values[-2]),
                    _stops(log.values, log.weights, can_fold),
                )
            )
        return choices[1]


def _stops(values: Floats, weights: Floats, can_fold: bool) -> bool:
    """Whether the published rule ends a simulation of 500 trials early."""
    count = 64
    while count < _COUNTS[1]:
        if is_obvious(BranchEstimate.of(values[:count], weights[:count]), can_fold, True, "published"):
            return True
        count *= 2
    return False


def _trials(run: Measurement) -> None:
    spec = GameSpec.ring(_PLAYERS, 1, 2)
    recorder = _Recorder()
    players = [recorder, *(make_player("loki1") for _ in range(_PLAYERS - 1))]
    names = [f"player {k}" for k in range(_PLAYERS)]
    common = CommonKnowledge()
    for number in range(run.deals):
        deal = deal_cards(_PLAYERS, np.random.default_rng(np.random.SeedSequence(run.seed, spawn_key=(0, number))))
        for game in range(_PLAYERS):
            order = [(seat + game) % _PLAYERS for seat in range(_PLAYERS)]
            play_hand(
                spec,
                [names[k] for k in order],
                [players[k] for k in order],
                deal,
                hand_id=f"{number}-{game}",
                entropy=run.seed,
                streams=[(1, number, game, k) for k in order],
                common=common,
            )
            run.games += 1
        run.count(1)
    found = recorder.decisions
    if len(found) < 2:
        raise ValueError(f"{run.deals} deals have {len(found)} decisions that can be simulated: expected more deals")
    for k, (count, published) in enumerate(_CHANGED.items()):
        changed = np.array([each.choices[k] != each.choices[-1] for each in found])
        run.show("share of choices that more trials change", f"after {count} trials", _share(changed), published)
    spread = np.array([each.deviation for each in found])
    for k, (act, published) in enumerate((("check or call", 6.0), ("bet or raise", 8.0))):
        run.show("small bets: standard deviation of a trial", act, spread[:, k], published)
    leads = np.array([each.lead for each in found])
    run.show("share of decisions", "the best act leads by 2 small bets at most", _share(leads <= 2.0))
    run.show(
        "share of decisions", "the published rule stops before 500 trials", _share(np.array([e.stopped for e in found]))
    )
    run.claim(
        "fewer than 5% of the simulations stop early by the published rule",
        0.05 - _share(np.array([e.stopped for e in found])),
    )


def _share(found: Bools) -> Floats:
    return found.astype(np.float64)


register(
    MeasuredExperiment(
        "trials",
        "How many trials a simulation needs",
        "Peña 1999, chapter 5",
        200,
        1,
        _trials,
        Measurement,
    )
)
