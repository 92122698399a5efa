"""The bias of tables that are learnt from showdowns alone, a question that Carlton (2000) left open.

Carlton learns an opponent's tables from showdowns alone and suspects that they are biased. Here the opponents act by
known tables, and the tables found by each estimator are compared with these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokermodel._support.arrays import Bools, Floats, Integers
from pokermodel.classics.experiments.estimators import EM, ESTIMATORS, PUBLISHED, SHOWDOWNS
from pokermodel.classics.experiments.registry import register
from pokermodel.classics.experiments.stud import StudRun, stud_experiment
from pokermodel.classics.stud.defaults import default_tables, prior_of
from pokermodel.classics.stud.match import Games
from pokermodel.classics.stud.players import STYLES, Acting, Reader, StudPlayer
from pokermodel.evaluation import evaluate_many

#: Shares of the full number of hands after which the tables are compared.
_SHARES = (0.025, 0.1, 0.25, 1.0)
_BINS = 20
_RUNS = 3
#: The opponent's last act in the hand, at decisions of the observer.
_LAST = ("nothing yet", "pass", "bet", "call", "raise")


@dataclass(frozen=True, slots=True)
class _Test:
    """Decisions of the observer, at which probabilities of winning are compared with outcomes."""

    decisions: Bools  # (games, acts)
    outcome: Floats  # 1, .5 or 0 by decision
    last: Integers  # the opponent's last act in the hand, by decision
    final: Bools  # whether the decision is in the last round

    @classmethod
    def of(cls, games: Games) -> _Test:
        ranks = evaluate_many(games.cards.reshape(-1, 5)).reshape(-1, 2).astype(np.int64)
        outcome = (np.sign(ranks[:, 0] - ranks[:, 1]) + 1) / 2
        acts = games.acts.astype(np.intp)
        there = np.arange(acts.shape[1]) < (games.lengths & 127)[:, None]
        ours = there & ((acts >> 2 & 1) == 0)
        last = np.zeros_like(acts)  # 0, or 1 + kind of the opponent's last act
        current = np.zeros(len(acts), dtype=np.intp)
        for k in range(acts.shape[1]):
            last[:, k] = current
            kind = 1 + ((acts[:, k] & 3) == 2) + 2 * (acts[:, k] >> 5 & 1)
            current = np.where((acts[:, k] >> 2 & 1) == 1, kind, current)
        return cls(
            ours, np.repeat(outcome[:, None], acts.shape[1], axis=1)[ours], last[ours], (acts >> 3 & 3)[ours] == 3
        )

    def calibration(self, wins: Floats, final: bool = False) -> float:
        """Mean absolute difference of probability and outcome, over bins; optionally of the last round only."""
        chosen = self.final | (not final)
        found = wins[self.decisions][chosen]
        bins = np.minimum((found * _BINS).astype(np.intp), _BINS - 1)
        off = np.bincount(bins, weights=found - self.outcome[chosen], minlength=_BINS)
        return float(np.abs(off).sum() / len(found)) if len(found) else 0.0

    def lean(self, wins: Floats, right: Floats) -> Floats:
        """Mean difference from the right probability, by the opponent's last act: float64 (5,)."""
        found = (wins - right)[self.decisions]
        number = np.bincount(self.last, minlength=len(_LAST))
        return np.asarray(np.bincount(self.last, weights=found, minlength=len(_LAST)) / np.maximum(number, 1))


def _bias(run: StudRun) -> None:
    reader = Reader.parse("carry+cards")
    base = default_tables(reader.scheme)
    me = StudPlayer(reader, Acting())
    error: dict[str, dict[float, list[float]]] = {name: {share: [] for share in _SHARES} for name in ESTIMATORS}
    folds: dict[str, list[float]] = {name: [] for name in ESTIMATORS}
    beliefs = (*ESTIMATORS, "defaults", "true tables")
    calibration: dict[str, list[float]] = {name: [] for name in beliefs}
    in_the_end: dict[str, list[float]] = {name: [] for name in beliefs}
    off: dict[str, list[float]] = {name: [] for name in beliefs}
    lean: dict[str, list[Floats]] = {name: [] for name in beliefs}
    won: dict[str, list[Floats]] = {name: [] for name in beliefs}
    shown = []
    styles = {**STYLES, "unshifted": Acting()}
    for k, acting in enumerate(styles.values()):
        # the opponent with known tables acts as the style does, by context and state
        _, games = run.play(me, StudPlayer(PUBLISHED, acting), 5 * run.deals, (run.seed, k, 0))
        truth = prior_of(games.true_counts(1, reader))
        robot = StudPlayer(reader, Acting(rule="table"), own=truth)
        _, games = run.play(me, robot, 5 * run.deals, (run.seed, k, 1))
        arrivals = games.true_counts(1, reader).sum(axis=2)
        arrivals /= arrivals.sum()
        facing = arrivals.reshape(4, 3, -1)[:, 1:].sum()
        for number in range(_RUNS):
            _, games = run.play(me, robot, run.deals, (run.seed, k, 2, number))
            shown.append(float(games.showdowns.mean()))
            tables = {"defaults": base.probabilities(), "true tables": truth}
            for share in _SHARES:
                part = games.first(max(2, round(share * len(games)) // 2 * 2))
                seen, cards = (part.observed(0, reader, reveal=reveal)[0] for reveal in (False, True))
                for name, estimator in ESTIMATORS.items():
                    found = base.with_counts(estimator(seen, cards, base, base)).probabilities()
                    error[name][share].append(float((np.abs(found - truth).mean(axis=2) * arrivals).sum()))
                    if share == _SHARES[-1]:
                        tables[name] = found
                        folds[name].append(float(((found - truth)[:, :, 0] * arrivals).sum() / facing))
            _, trial = run.play(me.knowing(truth), robot, 5 * run.deals, (run.seed, k, 3, number))
            test = _Test.of(trial)
            right = trial.judged(me.knowing(truth), 0)
            for name in beliefs:
                player = me.knowing(tables[name])
                wins = trial.judged(player, 0)
                calibration[name].append(test.calibration(wins))
                in_the_end[name].append(test.calibration(wins, final=True))
                off[name].append(float(np.abs(wins - right)[test.decisions].mean()))
                lean[name].append(test.lean(wins, right))
                found, _ = run.play(player, robot, 2 * run.deals, (run.seed, k, 4, number))
                won[name].append(found)
            run.finished()
    hands = [max(2, round(share * 2 * run.deals) // 2 * 2) for share in _SHARES]
    for name, by_share in error.items():
        for count, values in zip(hands, by_share.values(), strict=True):
            run.show("mean error of the tables", f"{name}, {count:,} hands", np.array(values))
    for name, values in folds.items():
        run.show("too many folds when facing a bet", name, np.array(values))
    for name in beliefs:
        run.show("calibration error of P(win), last round", name, np.array(in_the_end[name]))
    for name in beliefs:
        run.show("calibration error of P(win), all rounds", name, np.array(calibration[name]))
    for name in beliefs[:-1]:
        run.show("mean distance to P(win) by the true tables", name, np.array(off[name]))
    for name in beliefs[:-1]:
        for act, values in zip(_LAST, np.array(lean[name]).T, strict=True):
            run.show("P(win) above that by the true tables", f"{name}, after {act}", values)
    best = np.mean(won["true tables"], axis=0)
    cost = {name: np.mean(won[name], axis=0) - best for name in beliefs[:-1]}
    for name, samples in cost.items():
        run.show("units per game, beside the true tables", name, samples)
    run.show("share of hands that are shown", "all", np.array(shown))
    last = {name: np.array(error[name][_SHARES[-1]]) for name in ESTIMATORS}
    run.claim(f"after {hands[-1]:,} hands {EM}'s error is at most a third", last[SHOWDOWNS] / 3 - last[EM])
    for where, by_name in (("in the last round", in_the_end), ("in all rounds", calibration)):
        floor, one, two = (np.array(by_name[name]) for name in ("true tables", SHOWDOWNS, EM))
        claim = f"{EM}'s calibration error {where} is below half"
        run.claim(claim, one / 2 - two)
        run.claim(f"{claim}, beyond that of the true tables", (one - floor) / 2 - (two - floor))
    distance = {name: np.array(off[name]) for name in (SHOWDOWNS, EM)}
    run.claim(f"{EM}'s P(win) is at most half as far from the true one", distance[SHOWDOWNS] / 2 - distance[EM])
    run.claim(f"{EM} wins more than {SHOWDOWNS}", cost[EM] - cost[SHOWDOWNS])


register(
    stud_experiment(
        "bpp-bias",
        "How far tables learnt from showdowns alone are off, in which direction, and what it costs",
        "the question left open by Carlton 2000",
        10_000,
        5 * _RUNS,
        _bias,
    )
)
