"""Fit how far measured differences are to be believed: the table of `pokermodel.worth.calibration`.

    python -m tools.measure.calibrate --json ROWS --resume FILE      # measure, and print the table
    python -m tools.measure.calibrate --rows ROWS --write            # fit what was measured, and write the table

Generated players play sessions on seeds to tune by. Of each decision of the hero, every action is judged as if it had
been made. The difference to the best one is measured by verdicts, and simulated (`tools.measure.truth`) with an error
that is known. Then the numbers of each sort are those of the largest likelihood: the true difference is spread around
`keep` times the measured one as Student's distribution, and the verdict's interval holds 95% of that. A sort stays near
its line of the table in force, which an earlier reader gave, or near the coarser sort that it belongs to. Other seeds
choose among tables. Seeds of reports are looked at with `--fresh` alone, once all is chosen.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr, stdtrit

from pokermodel._support.version import fingerprint
from pokermodel.analysis.verdict import guessed
from pokermodel.executors import Processes
from pokermodel.game import ROUNDS, Act, Decision, Hand
from pokermodel.journal import Journal, digest, map_items
from pokermodel.reading import OpponentModeler
from pokermodel.reading.reader import Spot
from pokermodel.worth import calibration
from pokermodel.worth.calibration import Fit
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import METHODS, MISTAKES, SURE, Verdict, Worth, kind_of
from tools.measure.generated import CHOOSING, HERO, POLICIES, REPORTING, TUNING, Session
from tools.measure.truth import PlayedOn, rule_of

REVISION = 3
Row = dict[str, Any]


class _Wanted(NamedTuple):
    """A session whose differences are wanted."""

    session: Session
    learnt: tuple[int, ...]  # hands, after each of which some are judged
    hands: int  # that are judged after each, or learnt from alone
    every: int  # hand that is judged
    deals: int


def differences(item: _Wanted) -> list[Row]:
    """Judge every action of the hero's decisions, and simulate it, on a worker: a row for each decision."""
    session, adviser, found = OpponentModeler(hero=HERO), VerdictAdviser(fast=True), list[Row]()
    for number, hand in enumerate(item.session.play(max(item.learnt) + item.hands), 1):
        if any(0 < number - before <= item.hands for before in item.learnt) and number % item.every == 0:
            found += _of_hand(session, hand, number, item.session, adviser, item.deals)
        session.learn(hand)
    return found


def _of_hand(
    session: OpponentModeler, hand: Hand, number: int, played: Session, adviser: VerdictAdviser, deals: int
) -> Iterator[Row]:
    seat = hand.players.index(HERO)
    session.start(hand.players)
    session.hold(hand.holdings[seat])
    for decision in hand.replay():
        if decision.seat == seat and decision.act in decision.legal and len(decision.legal) > 1:
            begun = time.process_time()
            spot = session.spot(decision).held(hand.holdings[seat])
            seed = np.random.SeedSequence(0, spawn_key=(number, decision.index))
            row: Row = {"seed": played.seed, "number": number, "index": decision.index, "limit": played.limit}
            try:
                verdict = adviser.judge(spot, decision.act, decision.to, seed)
            except ValueError:  # no holding of an opponent is left
                verdict = None
            if verdict is not None and verdict.made is not None:
                row |= {"street": verdict.street, "pot": verdict.pot, "pairs": []}
                row["guess"] = guessed(session, decision.situation)
                row["stranger"] = verdict.stranger
                with believed({}):  # so that all are compared with the best one
                    row["pairs"] += [_pair(verdict.judge(each.act, each.to)) for each in verdict.acts if each.seen]
                row["seconds"] = time.process_time() - begun
                _simulate(row, hand, decision, played, deals, spot)
                yield row
        session.observe(decision)


def _pair(verdict: Verdict) -> Row:
    """An action beside the best one, and of a fold beside a call, too."""
    acts, made, best = verdict.acts, verdict.made, verdict.best
    assert made is not None
    assert verdict.noise is not None

    def beside(other: Worth) -> Row:
        half = {"half": verdict._off(other, made), "noise": float(verdict.noise[acts.index(other), acts.index(made)])}
        return {"difference": other.ev - made.ev, "method": max(other.method, made.method, key=METHODS.index), **half}

    found = {"act": int(made.act), "to": made.to, "ev": made.ev, "best": made is best, "kind": verdict.kind}
    found |= {**beside(best), "difference": verdict.difference, "made": False}
    if made.act == Act.FOLD:
        found["call"] = {**beside(verdict.worth(Act.CALL)), "kind": kind_of(Act.FOLD, Act.CALL)}
    return found


def _simulate(row: Row, hand: Hand, decision: Decision, played: Session, deals: int, spot: Spot) -> None:
    """Add what actions are truly worth."""
    begun = time.process_time()
    policies = {seat: POLICIES[played.opponents[name]] for seat, name in enumerate(hand.players) if name != HERO}
    fixed = played.limit
    options = [(Act(each["act"]), None if fixed else each["to"]) for each in row["pairs"]]
    rest = PlayedOn(hand, decision.index, policies, rule_of(spot), options)
    rng = np.random.default_rng([played.seed, row["number"], row["index"]])
    truth, values = rest.sample(rng, (deals,))
    row["truth"] = {name: getattr(truth, name) for name in ("word", "difference", "low", "high", "lost")}
    places = [rest.options.index(option) for option in options]
    best = next(place for place, each in zip(places, row["pairs"], strict=True) if each["best"])
    for place, each in zip(places, row["pairs"], strict=True):
        each["made"], each["worth"] = rest.options[place] == rest.made, truth.values[place]
        each |= _truly(values[:, best] - values[:, place])
        if "call" in each:
            each["call"] |= _truly(values[:, rest.options.index((Act.CALL, None))] - values[:, place])
    row["truth_seconds"] = time.process_time() - begun


def _truly(more: np.ndarray) -> Row:
    return {"true": float(more.mean()), "error": float(more.std(ddof=1)) / len(more) ** 0.5}


def measure(
    seeds: Iterable[int],
    learnt: Sequence[int],
    hands: int,
    every: int,
    deals: int,
    journal: Journal | None,
    jobs: int,
) -> list[Row]:
    """Measure the differences of sessions."""
    items = [_Wanted(Session(seed, hands), tuple(learnt), hands, every, deals) for seed in seeds]
    found: list[Row] = []
    with Processes(jobs) as executor, closing(map_items(journal, executor, differences, items, _key)) as results:
        for result in results:
            found += result.result
            print(f"{len(found):,} decisions", file=sys.stderr)
    return found


def _key(item: _Wanted) -> str:
    return digest("differences", repr(item), fingerprint())


# --------------------------------------------------------------------------------------------------------------- fits

#: A sort needs so many differences for a line of its own.
LEAST = 60
#: Degrees of freedom: some differences are off by many deviations. And half an interval of 95%, in scales.
TAILS = 4.0
HALF = float(stdtrit(TAILS, 0.975))
#: How far `keep` and the logarithms of the others of a sort may be from those of the coarser one: deviations.
NEAR = (0.2, 0.1, 0.3, 0.3, 0.3, 0.3, 0.2)
#: Of the coarsest sort: before anything is measured, and how far it may be from that.
FIRST, FREE = Fit(0.8, 0.0, 0.3, 0.1, 0.2, 1.0, 2.0), (0.3, 0.2, 0.7, 0.7, 0.7, 0.5, 0.7)
#: The least factor against strangers: nobody is known better for not having been seen.
STRANGE = 1.01
#: The most that is kept of some sorts, whatever generated players say. Against strangers play-outs prefer a call with
#: aces to a raise. Generated players call too much, so that their truth agrees; people do not.
MOST = {("simulated", False, street, "raise for call"): 0.4 for street in (ROUNDS[0], calibration.RAISED)}
Sort = tuple[str, bool, str, str]  # method, whether bets have one size, street and kind; empty for any


class Difference(NamedTuple):
    """A difference as verdicts measure it, and as it truly is, in units."""

    sort: Sort
    measured: float
    error: float  # the standard error that the verdict knows of
    noise: float  # the part of it by the deals
    pot: float
    stranger: float
    true: float
    of_truth: float  # its standard error
    made: bool  # whether it is of the action that was made


def of_rows(rows: Iterable[Row]) -> list[Difference]:
    """The differences of decisions that are not known exactly."""
    return [
        Difference(
            (each["method"], row["limit"], row["street"], each["kind"]),
            each["difference"],
            each["half"] / SURE,
            each["noise"] / SURE,
            row["pot"],
            row["stranger"],
            each["true"],
            each["error"],
            each["made"],
        )
        for row in rows
        for each in row.get("pairs", ())
        if each["kind"] and each["method"] != "exact"
    ]


class _Arrays(NamedTuple):
    """Differences as arrays."""

    measured: np.ndarray
    error: np.ndarray
    noise: np.ndarray
    pot: np.ndarray
    stranger: np.ndarray
    true: np.ndarray
    of_truth: np.ndarray

    @classmethod
    def of(cls, some: Sequence[Difference]) -> _Arrays:
        _, *numbers, _ = zip(*some, strict=True)
        return cls(*(np.array(each, dtype=float) for each in numbers))

    def away(self, by: Fit) -> tuple[np.ndarray, np.ndarray]:
        """By how much the true ones are off, and the variance that a fit expects of that."""
        known = self.noise**2 + by.wide**2 * np.maximum(self.error**2 - self.noise**2, 0.0)
        wide = known + by.units**2 + (by.pot * self.pot) ** 2 + (by.part * self.measured) ** 2
        kept = np.maximum(0.0, by.keep - by.less * self.stranger)
        return self.true - kept * self.measured, by.strange ** (2.0 * self.stranger) * wide

    def unlikely(self, by: Fit) -> float:
        """The logarithm of the likelihood, with the sign changed: of Student's distribution."""
        off, wide = self.away(by)
        wide = (SURE / HALF) ** 2 * wide + self.of_truth**2
        each = np.log(wide) / 2.0 + (TAILS + 1.0) / 2.0 * np.log1p(off**2 / (TAILS * wide))
        return float(each.sum())

    def inside(self, by: Fit) -> np.ndarray:
        """How probably each is in its 95% interval."""
        off, wide = self.away(by)
        sure, error = SURE * np.sqrt(wide), np.maximum(self.of_truth, 1e-9)
        return np.asarray(ndtr((sure - off) / error) - ndtr((-sure - off) / error))


def fit(some: _Arrays, near: Fit, free: tuple[float, ...]) -> Fit:
    """The fit of the largest likelihood times that of being near another one."""
    begin = np.array([*near[:2], *np.log(near[2:])])

    def of(at: np.ndarray) -> Fit:
        *rest, strange = np.exp(at[2:]).tolist()
        return Fit(float(np.clip(at[0], 0.0, 1.0)), float(at[1]), *rest, max(STRANGE, strange))

    def worse(at: np.ndarray) -> float:
        return some.unlikely(of(at)) + float((((at - begin) / free) ** 2).sum() / 2.0)

    return of(minimize(worse, begin, method="L-BFGS-B").x)


def fits_of(
    differences: Iterable[Difference], before: Mapping[Sort, Fit] | None = None, least: int = LEAST
) -> dict[Sort, tuple[Fit, int]]:
    """The fit of every sort of which there are enough, and of how many it is.

    Parameters
    ----------
    before : dict of Sort to Fit, optional
        The table in force: a sort stays near its line. Others stay near the coarser sort.
    """
    found: dict[Sort, tuple[Fit, int]] = {}
    by: dict[Sort, list[Difference]] = defaultdict(list)
    before = {} if before is None else before
    for each in differences:
        method, fixed, street, _ = each.sort
        kind = [each.sort] if street.startswith(ROUNDS[0]) and not fixed else []  # elsewhere they are alike
        for sort in [(method, fixed, "", ""), (method, fixed, street, ""), *kind]:
            by[sort].append(each)
    for sort in sorted({*by, *before}, key=lambda each: (each[:2], bool(each[2]) + bool(each[3]), each)):
        method, fixed, street, kind = sort
        coarser = found.get((method, fixed, street if kind else "", "")) or found.get((method, fixed, "", ""))
        near, free = before.get(sort, None if coarser is None else coarser[0]), NEAR
        if near is None:
            near, free = FIRST, FREE
        if len(by[sort]) >= least or (coarser is None and by[sort]):
            found[sort] = fit(_Arrays.of(by[sort]), near, free), len(by[sort])
        elif sort in before:
            found[sort] = near, len(by[sort])
    for sort, (each, count) in found.items():
        found[sort] = each._replace(less=max(each.less, each.keep - MOST.get(sort, 1.0))), count
    return found


@contextmanager
def believed(fits: Mapping[Sort, Fit]) -> Iterator[None]:
    """Let verdicts go by other fits."""
    before = dict(calibration.FITS)
    calibration.FITS.clear()
    calibration.FITS.update(fits)
    try:
        yield
    finally:
        calibration.FITS.clear()
        calibration.FITS.update(before)


def other_of(row: Row, made: Row) -> Row | None:
    """Of a fold what it is beside a call, and the reverse; None of other actions."""
    fold = next((each for each in row["pairs"] if "call" in each), None)
    if fold is None or made["act"] == Act.RAISE:
        return None
    call = fold["call"]
    if made is fold:
        return dict(call)
    return {**call, "difference": -call["difference"], "true": -call["true"], "kind": kind_of(Act.CALL, Act.FOLD)}


def verdict_of(row: Row, made: Row) -> Verdict:
    """The verdict on one of the row's actions, as far as its word depends on it."""
    best = next(each for each in row["pairs"] if each["best"])
    worths, others = [Worth(Act(made["act"]), made["to"], made["ev"], "exact")], [] if best is made else [made]
    worths += [Worth(Act(best["act"]), best["to"], best["ev"], made["method"]) for _ in others]
    if best["act"] == Act.RAISE and (other := other_of(row, made)) is not None:
        act = Act.FOLD if made["act"] == Act.CALL else Act.CALL
        worths.append(Worth(act, None, made["ev"] + other["difference"], other["method"]))
        others.append(other)
    n = len(worths)
    errors, noise, chosen, measured = np.zeros((n, n)), np.zeros((n, n)), np.zeros((2, n)), np.zeros((2, n))
    for k, each in enumerate(others, 1):
        errors[0, k] = errors[k, 0] = each["half"]
        noise[0, k] = noise[k, 0] = each["noise"]
    chosen[:, min(1, n - 1)], measured[:, min(1, n - 1)] = 1.0, made["difference"]
    return Verdict(
        tuple(worths), errors, pot=row["pot"], made=worths[0], halves=(chosen, measured), street=row["street"],
        fixed=row["limit"], guess=row["guess"], noise=noise, stranger=row["stranger"],
    )  # fmt: skip


def outcome(rows: Iterable[Row], *, every: bool = False) -> dict[str, Any]:
    """What the words of decisions are worth by the fits in force.

    Parameters
    ----------
    every : bool
        Whether every action is judged as if it had been made: so are many more mistakes. Shares of what was lost, and
        of decisions, are those of actions that were made.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    by_method: dict[str, Counter[str]] = defaultdict(Counter)
    of_units: Counter[str] = Counter()
    lost: dict[str, float] = defaultdict(float)
    covered: dict[tuple[str, str], list[float]] = defaultdict(list)
    off: dict[str, list[float]] = defaultdict(list)
    words: dict[str, Counter[str]] = defaultdict(Counter)
    rows = [row for row in rows if row.get("pairs")]
    for row in rows:
        before, large = row["street"].startswith(ROUNDS[0]), row["pot"] >= 10.0
        groups = ["all", *(["large"] if large and not before else [])]
        if not any(each["made"] for each in row["pairs"]):  # nobody has been seen to answer it
            for group in groups:
                words[group]["not judged"] += 1
        for done in row["pairs"]:
            if before and done["act"] != Act.FOLD:
                off[Act(done["act"]).name.lower()].append(done["ev"] - done["worth"])
            if not (every or done["made"]):
                continue
            verdict = verdict_of(row, done)
            of = done if verdict.rival is verdict.best else other_of(row, done)
            assert of is not None
            name = "named" if verdict.word in MISTAKES else verdict.word
            error, difference = of["error"], of["true"]
            # a lower end that is above 0 confirms it; the truth is of the better of the two actions
            truth = "true" if difference > 1.96 * error else "false" if difference < -1.96 * error else "open"
            counts[name][truth] += 1
            if name == "named":
                by_method[of["method"]][truth] += 1
                of_units[truth] += verdict.loss or 0.0
            if done["made"]:
                lost[name] += row["truth"]["lost"]
                for group in groups:
                    words[group][name] += 1
            if of["kind"] and of["method"] != "exact" and verdict.ci95 is not None:
                low, high = verdict.ci95
                inside = ndtr((high - difference) / max(error, 1e-9)) - ndtr((low - difference) / max(error, 1e-9))
                for key in ((of["method"], "all"), (of["method"], row["street"]), ("all", "all")):
                    covered[key].append(float(inside))
    differences = [each for each in of_rows(rows) if each.made]
    unlikely = math.fsum(_Arrays.of([each]).unlikely(calibration.fit_of(*each.sort)) for each in differences)
    total = math.fsum(lost.values())
    return {
        "counts": {name: dict(each) for name, each in counts.items()},
        "named by method": {name: dict(each) for name, each in by_method.items()},
        "named, units": dict(of_units),
        "share of what was lost": {name: each / total for name, each in lost.items()} if total else {},
        "inside": {" ".join(key): (sum(some) / len(some), len(some)) for key, some in sorted(covered.items())},
        "words": {name: dict(each) for name, each in words.items()},
        "values before the flop": {name: (math.fsum(some) / len(some), len(some)) for name, some in off.items()},
        "minus logarithm of the likelihood": unlikely,
    }


def table_text(fits: Mapping[Sort, tuple[Fit, int]]) -> str:
    """The fits as Python."""
    lines = []
    for (method, fixed, street, kind), ((keep, less, units, pot, part, wide, strange), count) in fits.items():
        numbers = f"{keep:.2f}, {less:.2f}, {units:.2f}, {pot:.3f}, {part:.2f}, {wide:.2f}, {strange:.2f}"
        lines.append(f'    ("{method}", {fixed}, "{street}", "{kind}"): Fit({numbers}),  # {count:,}')
    return "\n".join(lines)


def write(fits: Mapping[Sort, tuple[Fit, int]]) -> None:
    """Write the table into the package."""
    path = Path(calibration.__file__)
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(_BEGIN, 1)
    _, tail = rest.split(_END, 1)
    path.write_text(f"{head}{_BEGIN}\n{table_text(fits)}\n{_END}{tail}", encoding="utf-8")


_BEGIN, _END = "    # written by tools/measure/calibrate.py", "    # until here"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, fit, and say what comes of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=16, help="of seeds to tune by [%(default)s]")
    parser.add_argument("--others", type=int, default=8, help="of seeds to choose by [%(default)s]")
    parser.add_argument("--fresh", type=int, default=0, help="of seeds that are kept for reports [%(default)s]")
    parser.add_argument("--seen", type=int, default=68, help="of these, looked at before [%(default)s]")
    parser.add_argument(
        "--learnt", default="0,100,400,1500,3000", help="hands, after each of which some are judged [%(default)s]"
    )
    parser.add_argument("--hands", type=int, default=60, help="that come after each of these [%(default)s]")
    parser.add_argument("--every", type=int, default=4, help="hand that is judged, while all are learnt [%(default)s]")
    parser.add_argument("--deals", type=int, default=4096, help="of a decision [%(default)s]")
    parser.add_argument("--jobs", type=int, default=1, help="processes [%(default)s]")
    parser.add_argument("--resume", help="a journal of what is finished")
    parser.add_argument("--json", help="a file for what is measured")
    parser.add_argument("--rows", help="such a file, in place of measuring")
    parser.add_argument("--write", action="store_true", help="write the table into the package")
    given = parser.parse_args(arguments)
    if given.rows is not None:
        with open(given.rows, encoding="utf-8") as file:
            measured = json.load(file)
    else:
        journal = None if given.resume is None else Journal(given.resume, "calibrate", {"revision": REVISION})
        learnt = [int(each) for each in given.learnt.split(",")]
        how = learnt, given.hands, given.every, given.deals, journal, given.jobs
        measured = {
            "tuning": measure(TUNING[: given.sessions], *how),
            "choosing": measure(CHOOSING[: given.others], *how),
            "fresh": measure(REPORTING[given.seen : given.seen + given.fresh], *how),
        }
        if given.json is not None:
            with open(given.json, "w", encoding="utf-8") as file:
                json.dump(measured, file)
    fits = fits_of(of_rows(measured["tuning"]), calibration.FITS)
    print(table_text(fits))
    tables = {"before": dict(calibration.FITS), "after": {sort: each for sort, (each, _) in fits.items()}}
    for name, some in measured.items():
        for when, table in tables.items():
            with believed(table):
                of = {"made": outcome(some), "every action": outcome(some, every=True)}
            print(f"\n{name}: {when} {json.dumps(of, indent=1)}")
    if given.write:
        write(fits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
