"""What the Bayesian Poker Program's sources claim, played again, and the question they left open.

Carlton (2000) learns an opponent's tables from showdowns alone, suspects that this biases them, and leaves it there.
`bpp-bias` plays against opponents whose tables are known and measures how far each estimator is off.

All winnings are units per game, a unit being a bet of the first round; intervals are over deals unless said otherwise.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel._arrays import Floats, Integers
from pokermodel._parallel import Progress
from pokermodel.arena.experiments import Finding, Verdict
from pokermodel.arena.statistics import Estimate, estimate
from pokermodel.evaluation import evaluate_many
from pokermodel.reading.parts.action_tables import (
    ActionTables,
    HandSet,
    expectation_maximization,
    inverse_probability,
    showdown_only,
)
from pokermodel.stud.defaults import default_tables, prior_of
from pokermodel.stud.match import Games, play_match
from pokermodel.stud.players import STYLES, Acting, Reader, StudPlayer

__all__ = ["STUD_EXPERIMENTS", "StudExperiment", "StudOutcome", "run_stud_experiment"]


#: Who the learners play against reads hands as the published program does.
_PUBLISHED = Reader(17, arc=True)
_BLUFFER = Acting(bluffing="context", bluffs=0.25)


@dataclass(frozen=True, slots=True)
class StudOutcome:
    """What came of an experiment.

    Attributes
    ----------
    experiment : StudExperiment
    seed, deals, games : int
        Deals of each part; games of all.
    seconds : float
    figures : mapping of str to mapping of str to Estimate
        By table and row.
    findings : tuple of Finding
        What came of the claims.
    """

    experiment: StudExperiment
    seed: int
    deals: int
    games: int
    seconds: float
    figures: Mapping[str, Mapping[str, Estimate]]
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON; what is not known is None."""

        def plain(value: float) -> float | None:
            return None if math.isnan(value) else value

        return {
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "rows": [
                {
                    "table": table,
                    "label": label,
                    "mean": plain(found.mean),
                    "standard_error": plain(found.standard_error),
                    "ci95": [plain(found.low), plain(found.high)],
                }
                for table, rows in self.figures.items()
                for label, found in rows.items()
            ],
            "claims": [
                {"claim": found.claim, "verdict": found.verdict, "detail": found.detail} for found in self.findings
            ],
        }

    def __str__(self) -> str:
        lines = [
            f"{self.experiment.title} ({self.experiment.source})",
            f"{self.deals:,} deals, {self.games:,} games, seed {self.seed}, {self.seconds:.0f} s",
        ]
        width = max(len(label) for rows in self.figures.values() for label in rows)
        for table, rows in self.figures.items():
            lines += ["", f"{table:{width}}      ours  95 % interval"]
            lines += [
                f"{label:{width}}  {found.mean:+8.4f}  {found.low:+.4f} to {found.high:+.4f}"
                for label, found in rows.items()
            ]
        lines.append("")
        for found in self.findings:
            lines += [f"{found.verdict:6}  {found.claim}", f"{'':6}  {found.detail}"]
        return "\n".join(lines)


class _Run:
    """An experiment while it runs: counts games, keeps figures and findings."""

    def __init__(self, deals: int, seed: int, parts: int, progress: Progress | None) -> None:
        self.deals, self.seed = deals, seed
        self.games = 0
        self.figures: dict[str, dict[str, Estimate]] = {}
        self.findings: list[Finding] = []
        self._parts, self._done, self._progress = parts, 0, progress

    def finished(self) -> None:
        """A part is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done * self.deals, self._parts * self.deals)

    def play(self, one: StudPlayer, two: StudPlayer, deals: int, seed: Sequence[int]) -> tuple[Floats, Games]:
        """A match: units per game by deal, and the games."""
        match = play_match(one, two, deals, seed=seed)
        self.games += 2 * deals
        return match.samples, match.games

    def show(self, table: str, label: str, samples: Floats) -> None:
        """A row of a table."""
        self.figures.setdefault(table, {})[label] = estimate(samples)

    def claim(self, claim: str, samples: Floats, low: float = 0.0, high: float = math.inf) -> None:
        """That a mean is between two bounds, with 95 % confidence; open where chance allows both."""
        found = estimate(samples)
        verdict: Verdict = "open"
        if low < found.low and found.high < high:
            verdict = "held"
        elif found.high < low or high < found.low:
            verdict = "failed"
        self.findings.append(Finding(claim, verdict, str(found)))


# ------------------------------------------------------------------------------------- hand types, arc, decisions


def _types(run: _Run) -> None:
    matches = (
        ("arc alone", "net9+arc", "net9"),
        ("types alone", "net17", "net9"),
        ("both", "net17+arc", "net9"),
        ("both, against types alone", "net17+arc", "net17"),
        ("25 types, against 17", "net25", "net17"),
        ("belief carried, against 25 types with the arc", "carry", "net25+arc"),
    )
    for table, form in (("acts in two classes, as published", "/act2"), ("acts by context", "")):
        won = {}
        for label, one, two in matches:
            first, second = (StudPlayer(Reader.parse(name + form)) for name in (one, two))
            won[label], _ = run.play(first, second, run.deals, (run.seed,))
            run.show(table, label, won[label])
            run.finished()
        run.claim(f"{table}: the arc alone is about even, between -.05 and +.02", won["arc alone"], -0.05, 0.02)
        run.claim(f"{table}: types alone win", won["types alone"])
        run.claim(f"{table}: both win", won["both"])
        run.claim(f"{table}: both win more than types alone", won["both, against types alone"])


def _decision(run: _Run) -> None:
    curves, best, drawn = (
        StudPlayer(_PUBLISHED, Acting(rule=rule, bluffing="none")) for rule in ("curves", "deterministic", "randomised")
    )
    matches = {
        "best expected winnings, against curves": (best, curves),
        "drawn, against curves": (drawn, curves),
        "best, against drawn": (best, drawn),
        "for comparison: 17 types and the arc, against 9": (curves, StudPlayer(Reader(9), curves.acting)),
    }
    won = {}
    for label, (one, two) in matches.items():
        won[label], _ = run.play(one, two, run.deals, (run.seed,))
        run.show("units per game", label, won[label])
        run.finished()
    first, second, _, types = won.values()
    run.claim("the decision network wins, deterministic", first)
    run.claim("the decision network wins, randomised", second)
    run.claim("it is the largest improvement: more than types and arc", first - types)


# --------------------------------------------------------------------------------------------- learning opponents

_Estimator: TypeAlias = Callable[[HandSet, HandSet, ActionTables, ActionTables], Floats]


def _from_showdowns(seen: HandSet, _shown: HandSet, _base: ActionTables, _last: ActionTables) -> Floats:
    return showdown_only(seen)


def _from_weights(seen: HandSet, _shown: HandSet, base: ActionTables, _last: ActionTables) -> Floats:
    return inverse_probability(seen, base, sweeps=20, tolerance=1e-3).counts


def _from_all_hands(seen: HandSet, _shown: HandSet, base: ActionTables, last: ActionTables) -> Floats:
    return expectation_maximization(seen, base, start=last.probabilities(), steps=100, tolerance=2e-3).counts


def _from_all_cards(_seen: HandSet, shown: HandSet, _base: ActionTables, _last: ActionTables) -> Floats:
    return showdown_only(shown)


_SHOWDOWNS, _WEIGHTS, _EM, _OPEN = "showdowns only", "inverse probability", "EM", "all cards seen"
_ESTIMATORS: Mapping[str, _Estimator] = {
    _SHOWDOWNS: _from_showdowns,
    _WEIGHTS: _from_weights,
    _EM: _from_all_hands,
    _OPEN: _from_all_cards,
}

#: Deals after which a learner learns: early ones matter more.
_LESSONS = (50, 50, 100, 300)
_LATER = 500


def _blocks(deals: int) -> list[int]:
    blocks: list[int] = []
    for size in (*_LESSONS, *[_LATER] * (deals // _LATER + 1)):
        blocks.append(min(size, deals - sum(blocks)))
    return [size for size in blocks if size > 0]


class _Learner:
    """A player with tables for each opponent, or one for all."""

    def __init__(self, player: StudPlayer, estimator: str, specific: bool) -> None:
        self.player = player
        self.estimator = _ESTIMATORS.get(estimator)
        self.specific = specific
        self.tables = dict.fromkeys(STYLES, default_tables(player.reader.scheme))
        self._seen: dict[str, list[tuple[HandSet, HandSet]]] = {}

    def learn(self, games: Mapping[str, Games]) -> None:
        """Take in a block of games against each opponent."""
        if self.estimator is None:
            return
        reader = self.player.reader
        for opponent, played in games.items():
            hands = tuple(played.observed(0, reader, reveal=reveal)[0] for reveal in (False, True))
            kept = self._seen.setdefault(opponent if self.specific else "", [])
            kept.append((hands[0], hands[1]))
        base = default_tables(reader.scheme)
        for group, parts in self._seen.items():
            seen, shown = HandSet.join([part[0] for part in parts]), HandSet.join([part[1] for part in parts])
            self._seen[group] = [(seen, shown)]
            members = [group] if self.specific else list(STYLES)
            learnt = base.with_counts(self.estimator(seen, shown, base, self.tables[members[0]]))
            self.tables |= dict.fromkeys(members, learnt)


_REPLICATES = 2


def _specific(run: _Run) -> None:
    kinds = {
        "never learns": ("", True),
        f"generic, {_SHOWDOWNS}": (_SHOWDOWNS, False),
        f"generic, {_EM}": (_EM, False),
        f"specific, {_SHOWDOWNS}": (_SHOWDOWNS, True),
        f"specific, {_EM}": (_EM, True),
        f"specific, {_OPEN}": (_OPEN, True),
    }
    opponents = {style: StudPlayer(_PUBLISHED, acting) for style, acting in STYLES.items()}
    for table, reader in (("17 types with the arc", _PUBLISHED), ("belief carried, 25 types", Reader.parse("carry"))):
        won: dict[str, list[Floats]] = {label: [] for label in kinds}  # by replicate and style: (style, deals)
        for replicate in range(_REPLICATES):
            for label, (estimator, specific) in kinds.items():
                learner = _Learner(StudPlayer(reader, _BLUFFER), estimator, specific)
                samples: dict[str, list[Floats]] = {style: [] for style in STYLES}
                for number, deals in enumerate(_blocks(run.deals)):
                    games = {}
                    for k, (style, opponent) in enumerate(opponents.items()):
                        player = learner.player.knowing(learner.tables[style])
                        seed = (run.seed, replicate, k, number)
                        found, games[style] = run.play(player, opponent, deals, seed)
                        samples[style].append(found)
                    learner.learn(games)
                won[label].append(np.array([np.concatenate(samples[style]) for style in STYLES]))
            run.finished()
        whole = {label: np.concatenate(parts, axis=1) for label, parts in won.items()}
        for label, values in whole.items():
            run.show(table, f"{label}, mean of four styles", values.mean(axis=0))
            for style, row in zip(STYLES, values, strict=True):
                run.show(table, f"{label}, {style}", row)
        mean = {label: values.mean(axis=0) for label, values in whole.items()}
        for one, two in (
            (f"specific, {_SHOWDOWNS}", f"generic, {_SHOWDOWNS}"),
            (f"specific, {_EM}", f"generic, {_EM}"),
            (f"specific, {_EM}", f"generic, {_SHOWDOWNS}"),
            (f"specific, {_EM}", f"specific, {_SHOWDOWNS}"),
        ):
            run.claim(f"{table}: {one} above {two}", mean[one] - mean[two])


# ---------------------------------------------------------------------------------------------------- the bias

#: Share of the full number of hands at which the tables are looked at.
_SHARES = (0.025, 0.1, 0.25, 1.0)
_BINS = 20
_RUNS = 3
#: What his last act in the hand was, when we act.
_LAST = ("nothing yet", "pass", "bet", "call", "raise")


@dataclass(frozen=True, slots=True)
class _Test:
    """Decisions of ours by which probabilities of winning are judged."""

    decisions: NDArray[np.bool_]  # (games, acts)
    outcome: Floats  # 1, .5 or 0 by decision
    last: Integers  # his last act in the hand, by decision
    final: NDArray[np.bool_]  # whether it is made in the last round, by decision

    @classmethod
    def of(cls, games: Games) -> _Test:
        ranks = evaluate_many(games.cards.reshape(-1, 5)).reshape(-1, 2).astype(np.int64)
        outcome = (np.sign(ranks[:, 0] - ranks[:, 1]) + 1) / 2
        acts = games.acts.astype(np.intp)
        there = np.arange(acts.shape[1]) < (games.lengths & 127)[:, None]
        ours = there & ((acts >> 2 & 1) == 0)
        last = np.zeros_like(acts)  # 0, or 1 + kind of his last act
        current = np.zeros(len(acts), dtype=np.intp)
        for k in range(acts.shape[1]):
            last[:, k] = current
            kind = 1 + ((acts[:, k] & 3) == 2) + 2 * (acts[:, k] >> 5 & 1)
            current = np.where((acts[:, k] >> 2 & 1) == 1, kind, current)
        return cls(
            ours, np.repeat(outcome[:, None], acts.shape[1], axis=1)[ours], last[ours], (acts >> 3 & 3)[ours] == 3
        )

    def calibration(self, wins: Floats, final: bool = False) -> float:
        """Mean difference of belief and outcome in bins of belief, without its sign; of the last round, if asked."""
        chosen = self.final | (not final)
        found = wins[self.decisions][chosen]
        bins = np.minimum((found * _BINS).astype(np.intp), _BINS - 1)
        off = np.bincount(bins, weights=found - self.outcome[chosen], minlength=_BINS)
        return float(np.abs(off).sum() / len(found)) if len(found) else 0.0

    def lean(self, wins: Floats, right: Floats) -> Floats:
        """Mean difference of a belief and the right one by his last act: float64 (5,)."""
        found = (wins - right)[self.decisions]
        number = np.bincount(self.last, minlength=len(_LAST))
        return np.asarray(np.bincount(self.last, weights=found, minlength=len(_LAST)) / np.maximum(number, 1))


def _bias(run: _Run) -> None:
    reader = Reader.parse("carry+cards")
    base = default_tables(reader.scheme)
    me = StudPlayer(reader, Acting())
    error: dict[str, dict[float, list[float]]] = {name: {share: [] for share in _SHARES} for name in _ESTIMATORS}
    folds: dict[str, list[float]] = {name: [] for name in _ESTIMATORS}
    beliefs = (*_ESTIMATORS, "defaults", "true tables")
    calibration: dict[str, list[float]] = {name: [] for name in beliefs}
    in_the_end: dict[str, list[float]] = {name: [] for name in beliefs}
    off: dict[str, list[float]] = {name: [] for name in beliefs}
    lean: dict[str, list[Floats]] = {name: [] for name in beliefs}
    won: dict[str, list[Floats]] = {name: [] for name in beliefs}
    shown = []
    styles = {**STYLES, "unshifted": Acting()}
    for k, acting in enumerate(styles.values()):
        # what the style does, by context and state, is what the opponent of known tables does
        _, games = run.play(me, StudPlayer(_PUBLISHED, acting), 5 * run.deals, (run.seed, k, 0))
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
                for name, estimator in _ESTIMATORS.items():
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
    last = {name: np.array(error[name][_SHARES[-1]]) for name in _ESTIMATORS}
    run.claim(f"after {hands[-1]:,} hands {_EM}'s error is at most a third", last[_SHOWDOWNS] / 3 - last[_EM])
    for where, by_name in (("in the last round", in_the_end), ("in all rounds", calibration)):
        floor, one, two = (np.array(by_name[name]) for name in ("true tables", _SHOWDOWNS, _EM))
        claim = f"{_EM}'s calibration error {where} is below half"
        run.claim(claim, one / 2 - two)
        run.claim(f"{claim}, beyond that of the true tables", (one - floor) / 2 - (two - floor))
    distance = {name: np.array(off[name]) for name in (_SHOWDOWNS, _EM)}
    run.claim(f"{_EM}'s P(win) is at most half as far from the true one", distance[_SHOWDOWNS] / 2 - distance[_EM])
    run.claim(f"{_EM} wins more than {_SHOWDOWNS}", cost[_EM] - cost[_SHOWDOWNS])


# ------------------------------------------------------------------------------------------------ the experiments


@dataclass(frozen=True, slots=True)
class StudExperiment:
    """An experiment in stud.

    Attributes
    ----------
    name : str
        As it is asked for.
    title, source : str
        What it shows, and who did it first.
    deals : int
        The full length of each part; a deal is two games.
    parts : int
        How often progress is told.
    play : callable
        Plays it.
    """

    name: str
    title: str
    source: str
    deals: int
    parts: int
    play: Callable[[_Run], None]


#: All experiments by name.
STUD_EXPERIMENTS: Mapping[str, StudExperiment] = {
    experiment.name: experiment
    for experiment in (
        StudExperiment(
            "bpp-types",
            "What finer types of hands and the dependence of the hands are worth to the Bayesian Poker Program",
            "Carlton 2000, chapter 4",
            50_000,
            12,
            _types,
        ),
        StudExperiment(
            "bpp-decision",
            "The decision network against betting curves",
            "Carlton 2000, chapter 4",
            50_000,
            4,
            _decision,
        ),
        StudExperiment(
            "bpp-specific",
            "Tables for each opponent against tables for all, learnt from showdowns or from all hands",
            "after Carlton 2000",
            10_000,
            2 * _REPLICATES,
            _specific,
        ),
        StudExperiment(
            "bpp-bias",
            "How far tables learnt from showdowns alone are off, in which direction, and what it costs",
            "the question left open by Carlton 2000",
            10_000,
            5 * _RUNS,
            _bias,
        ),
    )
}


def run_stud_experiment(
    experiment: str | StudExperiment, deals: int | None = None, *, seed: int = 1, progress: Progress | None = None
) -> StudOutcome:
    """Play an experiment.

    Parameters
    ----------
    experiment : str or StudExperiment
        Its name, or one of your own.
    deals : int, optional
        Of each part; the full length without.
    seed : int
        0 or more.
    progress : callable, optional
        Told how many deals are done, and of how many, the parts counting alike.

    Returns
    -------
    StudOutcome

    Raises
    ------
    ValueError
        If there is no such experiment, or a number is out of range.
    """
    if isinstance(experiment, str):
        if experiment not in STUD_EXPERIMENTS:
            known = ", ".join(STUD_EXPERIMENTS)
            raise ValueError(f"unknown experiment {experiment!r}: expected one of {known}")
        experiment = STUD_EXPERIMENTS[experiment]
    length = experiment.deals if deals is None else deals
    if length < 2:
        raise ValueError(f"deals must be 2 or more, got {length}")
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, got {seed}")
    start = time.monotonic()
    run = _Run(length, seed, experiment.parts, progress)
    experiment.play(run)
    seconds = time.monotonic() - start
    return StudOutcome(experiment, seed, length, run.games, seconds, run.figures, tuple(run.findings))
