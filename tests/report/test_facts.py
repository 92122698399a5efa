"""What reports say of a step: terminal, JSON and pages render the same facts."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from rich.console import Console

import pokermodel as pm
from pokermodel.analysis.hand import HandReport
from pokermodel.analysis.step import fields
from pokermodel.reading import Context, Expectation, Fact, Reader, ReaderKind, reader_kinds, register
from pokermodel.reading import registry as readers
from pokermodel.report.facts import KINDS, fact_lines
from pokermodel.report.page import page_data
from pokermodel.report.terminal import print_report
from pokermodel.report.words import said_of

from . import pages


def report(model, hand=None, hero=None):
    """A report of a hand, by default the one that ships with the package, by a reader that has seen it once.

    A verdict is the same whoever reads, and takes seconds where little is ruled out: that of one reader will do.
    """
    hand = hand or pm.example_hand()
    session = pm.OpponentModeler(model, None, hero)
    session.learn(hand)
    return HandReport.of(hand, session, hero, verdicts=model == "adaptive")


def printed(seen):
    """A report in the terminal, step by step: what stands below each heading."""
    console = Console(width=400, file=io.StringIO(), force_terminal=False)
    print_report(seen, console, maps=True)
    _, _, text = console.file.getvalue().partition("Pre-flop")
    heading = re.compile(rf"^ *\d+ (?:{'|'.join(seen.hand.players)}) ", re.MULTILINE)
    return heading.split(text)[1:]


def from_json(kind, key, step):
    """The value of a fact, from the fields of a step in JSON."""
    unit = "strength" if step["mu_unit"] == "effective hand strength" else "milli-bets"
    if kind == "context":
        return {"context": step["context"], "words": str(Context(*step["context"]))}
    if kind == "threshold":
        return {**{name: step[name] for name in ("percentile", "mu", "sigma")}, "unit": unit}
    if kind == "borders":
        return {**step[key], "facing": step["to_call"] > 0, "unit": unit}
    return step[key]


@cache
def compared(model, hand=None, hero=None):
    """Compare what terminal, JSON and page say; return the kinds of the facts that were compared in all three.

    Every fact of a step, put into words from what JSON says, stands in the terminal and on the page.
    """
    seen = report(model, hand, hero)
    in_json = json.loads(json.dumps(seen.to_dict()))["steps"]
    in_terminal = printed(seen)
    (page,) = page_data([seen])["readers"]
    kinds = set()
    for step, plain, text, on_page in zip(seen.steps, in_json, in_terminal, page["steps"], strict=True):
        facts = step.facts
        assert [tuple(each) for each in on_page["lines"]] == said_of(facts, step.observation.decision)
        for name, value in fields(facts).items():
            assert plain[name] == json.loads(json.dumps(value)), name
            assert on_page[name] == plain[name], name
        for fact, (kind, line) in zip(facts, said_of(facts, step.observation.decision), strict=True):
            assert kind == fact.kind
            value = from_json(kind, fact.key, plain)
            again = said_of([fact._replace(value=value)], step.observation.decision)
            assert again == [(kind, line)]
            if plain["action"] != "fold":  # the terminal shows no table of those who are out
                assert line in text, line
                kinds.add(kind)
        said = {fact.key for fact in facts}
        for key in ("frequencies", "exempt", "borders", "predicted", "true_holding"):
            assert (plain[key] is None) == (key not in said), key
    return kinds


NO_LIMIT = pages.no_limit()
#: Readers of games without limit, too.
SIZED = {"adaptive", "uniform", "call", "frequencies", "own", "contexts", "shown"}


@pytest.mark.parametrize("model", reader_kinds())
def test_terminal_json_and_page_say_the_same(model):
    assert {"text", "context", "judgement"} <= compared(model)
    if model in SIZED:
        kinds = {"price", "judgement"} | ({"size"} if model == "adaptive" else set())
        assert kinds <= compared(model, NO_LIMIT, "Ann")
    else:
        with pytest.raises(ValueError, match="needs limit betting"):
            report(model, NO_LIMIT)


def test_every_kind_of_fact_is_compared():
    """But those that readers of other packages may use, see below."""
    kinds = set().union(*map(compared, ("loki1", "loki2", "adaptive")), compared("adaptive", NO_LIMIT, "Ann"))
    assert kinds == set(KINDS) - {"number", "share"}


def test_what_loki_goes_by_is_in_its_facts():
    """Thresholds of Loki-1, borders of Loki-2, in the words and the numbers of the observation."""
    first = report("loki1").steps[0]
    detail = first.observation.detail
    by_key = {fact.key: fact for fact in first.facts}
    assert list(by_key) == ["reason", "context", "frequencies", "threshold"]
    assert by_key["frequencies"].value == list(detail.frequencies)
    assert by_key["threshold"].value == {**detail.threshold._asdict(), "unit": "milli-bets"}
    step = next(step for step in report("loki2").steps if step.observation.decision.round == 1)
    by_key = {fact.key: fact for fact in step.facts}
    assert by_key["predicted"].value == step.observation.expected.predicted.tolist()
    borders = step.observation.expected.borders
    names = ("raise", "min_raise", "call", "min_call")
    assert [by_key["borders"].value[name] for name in names] == list(borders)
    assert by_key["borders"].value["unit"] == "strength"


@dataclass(frozen=True, eq=False, slots=True)
class Guess(Expectation):
    """An expectation that has more to say."""

    mood: str

    def facts(self, observation):
        return [
            Fact("mood", "in a mood of", self.mood),
            Fact("nerve", "nerve", 0.12345, "number"),
            Fact("hands", "hands of patience", 1234, "count"),
            Fact("tilt", "on tilt", 0.256, "share"),
            *Expectation.facts(self, observation),
        ]


class Moody(Reader):
    """Expects the same of everybody, and says in which mood."""

    def expect(self, spot):
        weights = spot.weights
        triples = np.broadcast_to(np.array([0.2, 0.5, 0.3]), (len(weights), 3))
        return Guess.of(triples, weights, mood=f"{spot.player}'s own")


def test_facts_of_another_reader_are_shown(monkeypatch):
    """A reader's own facts need nothing but the method `facts` of what it returns."""
    monkeypatch.setattr(readers._REGISTRY, "_kinds", reader_kinds())
    register(ReaderKind("moody", lambda known: Moody(), "expects the same of everybody"))
    seen = report("moody")
    step, text = seen.to_dict()["steps"][0], printed(seen)[0]
    assert (step["mood"], step["nerve"], step["hands"], step["tilt"]) == ("Carmen's own", 0.12345, 1234, 0.256)
    assert step["predicted"] == pytest.approx([0.2, 0.5, 0.3])
    for words in (
        "in a mood of Carmen's own",
        "nerve 0.123",
        "1,234 hands of patience",
        "on tilt 25.6%",
        "predicted by the table: fold 0.20, call 0.50, raise 0.30",
    ):
        assert words in text


def test_a_kind_that_nobody_knows():
    with pytest.raises(ValueError, match="fact 'face' is of unknown kind 'picture': expected one of text, number"):
        fact_lines([Fact("face", "looks", "grim", "picture")])
