"""Measure how true verdicts are, on sessions by players of known policy.

    python -m tools.measure.instrument tune --sessions 2 --hands 60               # on the seeds to tune by
    python -m tools.measure.instrument report --full --jobs 8 --resume FILE       # on seeds kept for reports
    python -m tools.measure.instrument report --sessions 40 --json OUT            # the tables as data, too

Players of `tools.measure.generated` play sessions; a third of them are limit, in half of them the hero blunders now and
then, and in half of them the reader learns as many hands before. The hero is judged as by `study`, but each hand is
learnt before the next one: by the fast way with two seeds, and with `--full` by the slow way. `tools.measure.truth`
simulates what every action is worth. A mistake is *true* if the interval of its true loss is above 0, *false* if it is
at or below 0, and else *open*. Rates have 95% intervals over hands. `--resume` keeps what is finished; `--jobs`
changes no figure.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from pokermodel._support.version import fingerprint
from pokermodel.analysis.study import HandWanted, StudiedDecision, study_hand
from pokermodel.executors import Processes
from pokermodel.game import ROUNDS, Act, Hand
from pokermodel.journal import Journal, digest, map_items
from pokermodel.randomness import RandomLike
from pokermodel.reading import OpponentModeler
from pokermodel.reading.reader import Spot
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import MISTAKES, WORDS, Verdict
from tools.measure.generated import HERO, POLICIES, REPORTING, TUNING, Option, Policy, Session
from tools.measure.truth import LOOKS, PlayedOn, rule_of

#: Raised when players or the simulation change: what was kept is then done again.
REVISION = 3
LARGE = 10.0  # units in a pot whose decisions should be judged
Row = dict[str, Any]


def word_of(decision: StudiedDecision) -> str:
    """The word of a verdict."""
    return decision.word


class _Studied(NamedTuple):
    """A session, and the way in which it is studied."""

    session: Session
    every: int  # hand: the others are learnt from
    fast: bool
    seed: int


class _Advised(VerdictAdviser):
    """Keeps by which rule the hero would go on after each decision."""

    def __init__(self) -> None:
        super().__init__(fast=True)
        self.rules: dict[int, list[Any]] = {}  # by the index of the decision

    def judge(self, spot: Spot, act: Act, to: int | None = None, rng: RandomLike = None) -> Verdict:
        found = super().judge(spot, act, to, rng)
        if len(spot.acts) not in self.rules:  # a mistake is judged against average players, too
            self.rules[len(spot.acts)] = rule_of(spot).round(4).tolist()
        return found


class _Wanted(NamedTuple):
    """A decision whose truth is wanted."""

    session: Session
    hand: Hand
    place: int  # of the decision in it
    also: tuple[Option, ...]
    looks: tuple[int, ...]
    rule: list[Any]  # of the hero


def studied(item: _Studied) -> Row:
    """Study a session, on a worker: its decisions, and the processor time."""
    begun, hands = time.process_time(), item.session.play()
    first = item.session.before
    adviser = _Advised() if item.seed else VerdictAdviser(fast=item.fast)  # so that it costs the first seed no time
    reader = OpponentModeler(hero=HERO)
    found: list[Row] = []
    for k, hand in enumerate(hands, 1):
        if k > first and k % item.every == 0:
            judged, _ = study_hand(HandWanted("generated", k, hand), reader, HERO, adviser, item.seed, (k - 1,))
            for each in judged.decisions:
                found.append({**each.to_dict(), "word": word_of(each)})
                if isinstance(adviser, _Advised):
                    found[-1]["rule"] = adviser.rules[each.index - 1]
            if isinstance(adviser, _Advised):
                adviser.rules.clear()
        reader.learn(hand)
    return {"decisions": found, "seconds": time.process_time() - begun}


def simulated(item: _Wanted) -> Row:
    """Simulate what the actions of a decision are worth, on a worker."""
    begun = time.process_time()
    policies: dict[int, Policy] = {
        seat: POLICIES[item.session.opponents[name]] for seat, name in enumerate(item.hand.players) if name != HERO
    }
    rng = np.random.default_rng([item.session.seed, int(item.hand.id), item.place])
    truth = PlayedOn(item.hand, item.place, policies, np.array(item.rule), item.also).measure(rng, item.looks)
    return {**truth._asdict(), "word": truth.word, "seconds": time.process_time() - begun}


def _key(item: _Studied | _Wanted) -> str:
    """The digest of all that a result depends on.

    A change of the package asks for all verdicts again, and for the truths whose hero goes on by another rule.
    """
    if isinstance(item, _Studied):
        return digest("study", repr(item), fingerprint())
    return digest("truth", repr(item.session), repr((item.hand.__reduce__(), *item[2:])))


def measure(
    sessions: Iterable[Session], full: bool, jobs: int, journal: Journal | None, most: int, every: int = 1
) -> Row:
    """Study sessions, or some of their hands, and simulate their decisions.

    Returns
    -------
    dict
        ``decisions``: a row for each, with the verdicts by way (``fast``, ``again``, ``full``) and the ``truth``;
        ``left_out``: how many more have no verdict by some way;
        ``seconds``: the mean processor time of a decision, by way and of the truth.
    """
    played = {each.seed: each for each in sessions}
    ways = {"fast": (True, 0), "again": (True, 1), **({"full": (False, 0)} if full else {})}
    items = [(name, _Studied(each, every, *way)) for each in played.values() for name, way in ways.items()]
    rows: dict[tuple[int, int, int], Row] = {}
    times: dict[str, list[float]] = defaultdict(list)
    with Processes(jobs) as executor:
        with closing(map_items(journal, executor, studied, [each for _, each in items], _key)) as results:
            for (name, item), result in zip(items, results, strict=True):
                times[name].append(result.result["seconds"] / max(1, len(result.result["decisions"])))
                for each in result.result["decisions"]:
                    key = item.session.seed, each["number"], each["index"]
                    rows.setdefault(key, {"seed": item.session.seed, "limit": item.session.limit})[name] = each
        whole = [row for row in rows.values() if all(name in row for name in ways)]
        wanted = list(_wanted(played, rows, ways, tuple(look for look in LOOKS if look <= most)))
        with closing(map_items(journal, executor, simulated, wanted, _key)) as results:
            for row, result in zip(whole, results, strict=True):
                row["truth"] = result.result
                times["truth"].append(result.result["seconds"])
    left_out = len(rows) - len(whole)  # of which a way gives no verdict at all
    return {
        "decisions": whole,
        "left_out": left_out,
        "seconds": {name: math.fsum(some) / len(some) for name, some in times.items() if some},
    }


def _wanted(
    played: dict[int, Session], rows: dict[tuple[int, int, int], Row], ways: Iterable[str], looks: tuple[int, ...]
) -> Iterator[_Wanted]:
    """Decisions to simulate: with the sizes that any verdict names."""
    hands: list[Hand] = []
    seed = None
    for key, row in rows.items():
        if not all(name in row for name in ways):
            continue
        if key[0] != seed:
            seed, hands = key[0], played[key[0]].play()
        best = {_best(row[name]) for name in ways}
        also = tuple(sorted((each for each in best if each[1] is not None), key=lambda each: each[1] or 0))
        yield _Wanted(played[key[0]], hands[key[1] - 1], key[2] - 1, also, looks, row["again"].pop("rule"))


def _best(verdict: Row) -> Option:
    """The action that a verdict prefers, and what it goes to in chips."""
    to = verdict["best_to"]
    return Act[_plain(verdict["best"])], None if to is None else round(to * verdict["unit"])


def _plain(name: str) -> str:
    return {"check": "CALL", "bet": "RAISE"}.get(name, name.upper())


# ------------------------------------------------------------------------------------------------------------- tables


class Rate(NamedTuple):
    """A mean over decisions with its 95% interval over hands."""

    value: float
    error: float

    @classmethod
    def of(
        cls, rows: Sequence[Row], value: Callable[[Row], float], weight: Callable[[Row], float] | None = None
    ) -> Rate:
        """The mean of a value, or the share of a weight that has it."""
        if not rows:
            return cls(math.nan, math.nan)
        weights = np.array([1.0 if weight is None else weight(row) for row in rows])
        values, total = np.array([value(row) for row in rows]), float(weights.sum())
        if total <= 0.0:
            return cls(math.nan, math.nan)
        mean = float(values @ weights) / total
        off: dict[tuple[int, int], float] = defaultdict(float)
        for row, each in zip(rows, weights * (values - mean), strict=True):
            off[row["seed"], row["verdict"]["number"]] += each
        clusters = math.sqrt(math.fsum(each * each for each in off.values()))
        return cls(mean, 1.96 * clusters / total)

    def text(self, percent: bool = True) -> str:
        """The mean and its interval, or a dash."""
        if math.isnan(self.value):
            return "–"
        return f"{self.value:.1%} ± {self.error:.1%}" if percent else f"{self.value:+.2f} ± {self.error:.2f}"


Table = tuple[str, list[str], list[list[str]]]


def _true(word: str) -> Callable[[Row], float]:
    return lambda row: float(row["truth"]["word"] == word)


def _is(*words: str) -> Callable[[Row], float]:
    return lambda row: float(row["verdict"]["word"] in words)


def _truths(rows: Sequence[Row]) -> list[str]:
    return [Rate.of(rows, _true(word)).text() for word in ("true", "open", "false")]


def _lost(row: Row) -> float:
    return float(row["verdict"]["lost"] or 0.0)


def _cells(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Rows by method and street, by method, and all."""
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        method, street = row["verdict"]["method"], row["verdict"]["street"]
        for key in ((method, street), (method, "all"), ("all", "all")):
            by[key].append(row)
    order = (*ROUNDS, "all")
    for method, street in sorted(by, key=lambda each: (each[0] == "all", each[0], order.index(each[1]))):
        yield method, street, by[method, street]


def inside(row: Row) -> float | None:
    """The probability that the true difference is in the verdict's interval; None where there is no difference."""
    best, interval = _best(row["verdict"]), row["verdict"]["ci95"]
    truth = row["truth"]
    option = [int(best[0]), best[1]]
    if interval is None or option not in truth["options"]:
        return None
    mean, error = truth["more"][truth["options"].index(option)]
    low, high = interval
    if error == 0.0:  # the same action, or both are known exactly
        return float(low <= mean <= high) if low != high or mean else None
    return 0.5 * (math.erf((high - mean) / error / math.sqrt(2.0)) - math.erf((low - mean) / error / math.sqrt(2.0)))


def tables(decisions: Sequence[Row], way: str) -> Iterator[Table]:
    """The tables of one way to study."""
    rows = [{**row, "verdict": row[way]} for row in decisions]
    by_word = {word: [row for row in rows if row["verdict"]["word"] == word] for word in WORDS}
    named = [row for word in MISTAKES for row in by_word[word]]
    head = ["method", "street", "mistakes", "true", "open", "false", "false, of bb"]
    lines = [
        [method, street, str(len(some)), *_truths(some), Rate.of(some, _true("false"), _lost).text()]
        for method, street, some in _cells(named)
    ]
    yield "Named mistakes", head, lines

    total = math.fsum(row["truth"]["lost"] for row in rows)
    lines = []
    for word, some in {**by_word, "named mistakes": named, "all": rows}.items():
        truly = math.fsum(row["truth"]["lost"] for row in some)
        expected = f"{math.fsum(_lost(row) for row in some):.1f}"
        lines.append(
            [word, str(len(some)), *_truths(some), expected, f"{truly:.1f}", f"{truly / total:.1%}" if total else "–"]
        )
    head = ["verdict", "decisions", "a true mistake", "open", "none", "lost by verdict, bb", "truly lost, bb", "share"]
    yield "Every word", head, lines

    known = [(row, share) for row in rows if (share := inside(row)) is not None]
    covered = [{**row, "inside": share} for row, share in known]
    lines = [
        [method, street, str(len(some)), Rate.of(some, lambda row: row["inside"]).text()]
        for method, street, some in _cells(covered)
    ]
    yield "True differences in the interval", ["method", "street", "differences", "inside"], lines

    large = [row for row in rows if row["verdict"]["street"] != ROUNDS[0] and row["verdict"]["pot"] >= LARGE]
    lines = [
        [name, str(len(some)), *(Rate.of(some, _is(*words)).text() for words in (WORDS[3:4], WORDS[5:], WORDS[3::2]))]
        for name, some in (("after the flop, pots of 10 and more", large), ("all", rows))
    ]
    yield "Without a verdict", ["decisions", "count", WORDS[3], WORDS[5], "both"], lines

    biases: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["verdict"]["street"] == ROUNDS[0]:
            for key, off in _off(row):
                biases[key].append({**row, "off": off})
    lines = [
        [name, str(len(some)), Rate.of(some, lambda row: row["off"]).text(percent=False)]
        for name, some in sorted(biases.items())
    ]
    yield "Values before the flop, less the true ones", ["action", "values", "bb"], lines


def _off(row: Row) -> Iterator[tuple[str, float]]:
    """By how much values of actions are too high."""
    truth, unit = row["truth"], row["verdict"]["unit"]
    for each in row["verdict"]["acts"]:
        act = Act[_plain(each["act"])]
        option = [int(act), None if each["to"] is None else round(each["to"] * unit)]
        if act != Act.FOLD and each["seen"] and option in truth["options"]:
            yield from (
                (name, each["ev"] - truth["values"][truth["options"].index(option)])
                for name in (act.name.lower(), "all")
            )


def kept(decisions: Sequence[Row], one: str, other: str) -> Table:
    """What another seed, or another way, makes of named mistakes."""
    rows = [{**row, "verdict": row[one]} for row in decisions if row[one]["word"] in MISTAKES]
    groups = {"still one": MISTAKES, WORDS[2]: WORDS[2:3], "taken back": WORDS[3:]}
    others = [{**row, "verdict": {**row["verdict"], "word": row[other]["word"]}} for row in rows]
    cells = [Rate.of(others, _is(*words)).text() for words in groups.values()]
    return f"Named mistakes of {one}, judged by {other}", ["mistakes", *groups], [[str(len(rows)), *cells]]


def all_tables(found: Row) -> Iterator[Table]:
    """All tables of what was measured."""
    decisions, ways = found["decisions"], [name for name in ("fast", "full") if name in found["seconds"]]
    for way in ways:
        for title, head, lines in tables(decisions, way):
            yield f"{title} ({way})", head, lines
    for other in ("again", *ways[1:]):
        yield kept(decisions, "fast", other)
    seconds = [[name, f"{each:.2f}"] for name, each in found["seconds"].items()]
    yield "Processor time of a decision", ["what", "seconds"], seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure sessions, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", choices=["tune", "report"], help="to tune by, or kept for reports")
    parser.add_argument("--sessions", type=int, help="how many; default: one for each seed")
    parser.add_argument("--seen", type=int, default=0, help="seeds that were looked at before [%(default)s]")
    parser.add_argument("--hands", type=int, default=200, help="of a session [%(default)s]")
    parser.add_argument("--every", type=int, default=1, help="hand that is judged, while all are learnt [%(default)s]")
    parser.add_argument("--full", action="store_true", help="study by the slow way, too")
    parser.add_argument("--deals", type=int, default=LOOKS[-1], help="most deals of a decision [%(default)s]")
    parser.add_argument("--jobs", type=int, default=1, help="processes [%(default)s]")
    parser.add_argument("--resume", help="a journal of what is finished")
    parser.add_argument("--json", help="a file for the tables as data")
    given = parser.parse_args(arguments)
    if given.every < 1:
        parser.error(f"--every: expected 1 or more, got {given.every}")
    if given.deals < LOOKS[0]:
        parser.error(f"--deals: expected {LOOKS[0]} or more, got {given.deals}")
    seeds = {"tune": TUNING, "report": REPORTING}[given.seeds][given.seen :][: given.sessions]
    journal = None if given.resume is None else Journal(given.resume, "instrument", {"revision": REVISION})
    found = measure(
        [Session(seed, given.hands) for seed in seeds], given.full, given.jobs, journal, given.deals, given.every
    )
    printed = list(all_tables(found))
    which = "kept for reports" if given.seeds == "report" else "to tune by: these figures are no report"
    print(f"{len(found['decisions']):,} decisions of {len(seeds)} sessions of {given.hands} hands, by seeds {which}.")
    print(f"Left out without any verdict: {found['left_out']}.")
    for title, head, lines in printed:
        print(f"\n{title}:\n\n| {' | '.join(head)} |\n{'|---' * len(head)}|")
        print("\n".join(f"| {' | '.join(line)} |" for line in lines))
    if given.json is not None:
        data = {title: [dict(zip(head, line, strict=True)) for line in lines] for title, head, lines in printed}
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"seeds": list(seeds), "tables": data, "decisions": found["decisions"]}, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
