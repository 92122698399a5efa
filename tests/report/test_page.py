"""A hand as a page, without a browser: what it holds is what JSON and the terminal say, and none of it is markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.range import class_changes
from pokermodel.cards import HOLDINGS
from pokermodel.reading import Expectation, Reader, ReaderKind, reader_kinds, register
from pokermodel.reading import registry as readers
from pokermodel.report.page import hand_page, page_data

from . import pages
from .parsed import Parsed
from .test_facts import printed
from .test_facts import report as seen_once

TRUE = 3.5e-4  # to what share the weights of a page are true


@pytest.mark.parametrize("model", reader_kinds())
def test_page_json_and_terminal_say_the_same(model):
    """Every field of a step in JSON, its facts in the words of the terminal, and its table."""
    in_json = json.loads(json.dumps(seen_once(model).to_dict(weights=True)))["steps"]
    in_terminal = printed(seen_once(model))
    (reader,) = Parsed(hand_page([seen_once(model)])).data["readers"]
    assert len(reader["steps"]) == len(in_json) == 28
    for step, plain, text in zip(reader["steps"], in_json, in_terminal, strict=True):
        left_out = set(plain) - set(step)
        whole = {"grid", "range", "weights", "top_hands", "composition", "opponents"}
        assert left_out == whole | {"top", "top_classes", "player"}
        for name in set(plain) - left_out:
            assert step[name] == plain[name], name
        assert step["lines"][0][1] == plain["reason"]
        if plain["action"] != "fold":  # the terminal shows no table of those who are out
            for _, line in step["lines"]:
                assert line in text, line
        table = pages.unpacked(reader["tables"][step["after"]])
        np.testing.assert_allclose(table.values, plain["weights"], rtol=TRUE, atol=2.0**-63 * max(plain["weights"]))
        np.testing.assert_allclose(table.grid(), np.array(plain["grid"], dtype=float), rtol=TRUE, atol=1e-15)


def test_changes_are_those_of_the_heat_map():
    reader = page_data([pages.report(pm.example_hand(), "loki2")])["readers"][0]
    seen = set()
    for step, plain in zip(pages.report(pm.example_hand(), "loki2").steps, reader["steps"], strict=True):
        observation = step.observation
        seat = observation.decision.seat
        assert ("before" in plain) == (seat not in seen)
        if seat not in seen:
            before = pages.unpacked(reader["tables"][plain["before"]])
            np.testing.assert_allclose(before.values, observation.before.values, rtol=TRUE)
        seen.add(seat)
        if not observation.reweighted:
            assert plain["change"] is None
            continue
        bits = class_changes(observation.after, observation.before)
        counts = observation.after.grid_combos().ravel()
        for mine, theirs, count in zip(plain["change"], bits.tolist(), counts.tolist(), strict=True):
            assert mine is None if not count else mine == pytest.approx(theirs, abs=6e-4)


def test_names_are_no_markup():
    """Whatever players are called, the page has the same elements, and its JSON their names."""
    hand = pages.ten_handed()
    page = hand_page([pages.report(hand)])
    parsed, plain = Parsed(page), Parsed(hand_page([pages.report(pm.example_hand())]))
    assert parsed.tags == plain.tags
    assert [player["name"] for player in parsed.data["hand"]["players"]] == pages.NAMES
    assert page.isascii()
    embedded = parsed.one("script", id="data")
    assert not set("<>&") & set(embedded)
    assert "stolen" in embedded
    assert "stolen" not in page.replace(embedded, "")
    assert len(page) < 1_000_000


def test_a_page_asks_for_nothing_and_runs_nothing_else():
    page = hand_page([pages.report(pm.example_hand())])
    parsed = Parsed(page)
    policy = next(each["content"] for each in parsed.attributes if each.get("http-equiv"))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for rule, tag, attributes in (("style-src", "style", {}), ("script-src", "script", {"id": None})):
        digest = hashlib.sha256(parsed.one(tag, **attributes).encode()).digest()
        assert rules[rule] == f"'sha256-{base64.b64encode(digest).decode()}'"
    addresses = [each[name] for each in parsed.attributes for name in ("src", "href") if name in each]
    assert addresses == ["data:,"]
    assert not any(name.startswith("on") or name == "style" for each in parsed.attributes for name in each)
    assert set(re.findall(r"https?://[^\s\"')]+", page)) == {"http://www.w3.org/2000/svg"}
    script = parsed.one("script", id=None)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert word not in script


def test_a_page_is_the_same_whenever_it_is_made():
    first, second = (hand_page([pages.report(pm.example_hand(), hero="Eve")]) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("hand", [pm.example_hand(), pages.ten_handed(), pages.no_limit()], ids=["six", "ten", "no"])
def test_moments_are_those_of_the_replay(hand):
    """Chips and cards on the table, against what the players see before they act and at the end."""
    shown = page_data([pages.report(hand)])["hand"]
    decisions = list(hand.replay())
    moments = shown["moments"]
    dealt = 2 if hand.id == "2" else 0  # turn and river, after an all-in on the flop
    assert len(moments) == len(decisions) + 2 + dealt
    assert [moment["seat"] for moment in moments] == [None, *(each.seat for each in decisions), *[None] * (1 + dealt)]
    for moment, decision in zip(moments, decisions, strict=False):  # as it is before the act
        situation = decision.situation
        assert moment["pot"].split(" ")[0] == f"{situation.pot:g}"
        assert sorted({*range(len(hand.players))} - set(moment["folded"])) == sorted(situation.active)
        stacks = [None if chips is None else f"{chips:g}" for chips in situation.stacks]
        if hand.stacks is not None:
            assert moment["stacks"] == stacks
        assert set(moment["all_in"]) == set(situation.all_in)
        if moment["round"] == decision.round:
            assert moment["bets"][decision.seat] == (f"{situation.in_round:g}" if situation.in_round else "")
    for moment, decision in zip(moments[1:], decisions, strict=False):
        assert moment["board"] == pm.cards.cards_text(decision.board)
        assert moment["words"].startswith(f"{decision.name}s")
    assert moments[-1]["board"] == pm.cards.cards_text(hand.board)
    assert moments[-1]["pot"].split(" ")[0] == f"{hand.pot:g}"
    assert [player["won"] for player in shown["players"]] == [payoff > 0 for payoff in hand.payoffs]


def test_antes_are_no_bets():
    spec = pm.GameSpec((5, 10), (10, 10, 20, 20), (0, 1, 1, 1), antes=(1, 1))
    hand = pm.Hand("made up", "1", spec, ["Ann", "Bo"], [(0, pm.Act.FOLD)], stacks=(100, 100))
    moments = page_data([pages.report(hand, "uniform")])["hand"]["moments"]
    assert moments[0]["bets"] == ["5", "10"]
    assert moments[0]["stacks"] == ["94", "89"]
    assert moments[0]["pot"] == "17 (1.7 sb)"


def test_a_classic_reader_keeps_its_program_s_advice():
    steps = page_data([pages.report(pm.example_hand(), "loki2", hero="Eve")])["readers"][0]["steps"]
    simulated = [step for step in steps if step["advice"] and "ev" in step["advice"]]
    assert simulated
    for step in simulated:
        assert step["advice_words"].startswith("In Eve's place, Loki-2 would")
        assert step["advice"]["standard_error"]["call"] > 0


@pytest.mark.parametrize(("hand", "hero", "number"), [(pm.example_hand(), "Eve", 7), (pages.no_limit(), "Cy", 3)])
def test_the_hero_gets_verdicts(hand, hero, number):
    steps = page_data([pages.report(hand, hero=hero, verdicts=True)])["readers"][0]["steps"]
    own = [step for step in steps if step["advice"]]
    assert len(own) == number
    for step in own:
        # before the flop the line of the price says who is left to answer, and against whom the equity is
        assert ("ou need" in step["advice_words"]) == (step["to_call"] > 0 and step["round"] != "pre-flop")
        assert ": " in step["advice_words"]
        assert {act["method"] for act in step["advice"]["acts"]} <= {"exact", "solved", "simulated"}
        assert sum(row["done"] for row in step["worths"]) == 1
    prices = [line for step in steps for kind, line in step["lines"] if kind == "price"]
    assert len(prices) == number
    assert all(line.startswith(f"{hero} ") for line in prices)


def test_readers_stand_side_by_side():
    reports = [pages.report(pm.example_hand(), model) for model in ("adaptive", "loki1", "bpp")]
    assert [reader["model"] for reader in page_data(reports)["readers"]] == ["adaptive", "loki1", "bpp"]


def test_each_reader_says_what_it_knows():
    """Loki-1's tables are public: the hero's cards are not taken out of them."""
    reports = [pages.report(pm.example_hand(), model, "Eve") for model in ("adaptive", "loki1")]
    (own, *_), (public, *_) = (reader["notes"] for reader in page_data(reports)["readers"])
    assert own.startswith("The tables of the other players rule out Eve's cards")
    assert public == "The cards above are compared with the tables, but not used in them."


class Blind(Reader):
    """Rules out the holding that is there."""

    def expect(self, spot):
        triples = np.full((len(HOLDINGS), 3), 1 / 3)
        triples[pm.cards.holding_index("9h8h")] = (1.0, 0.0, 0.0)
        return Expectation.of(triples, spot.weights)


def test_a_holding_that_was_ruled_out(monkeypatch):
    """What is infinite is no JSON, on a page or elsewhere: the fact says so in words."""
    monkeypatch.setattr(readers._REGISTRY, "_kinds", reader_kinds())
    register(ReaderKind("blind", lambda known: Blind(), "rules out a holding"))
    steps = Parsed(hand_page([pages.report(pm.example_hand(), "blind")])).data["readers"][0]["steps"]
    ruled_out = [step for step in steps if step["true_holding"] and step["true_holding"]["probability"] == 0]
    assert ruled_out
    for step in ruled_out:
        assert step["true_holding"]["bits_gained"] is None
        assert ": 0.00%, 0 x chance, " in dict(step["lines"])["judgement"]
    in_json = json.loads(json.dumps(pages.report(pm.example_hand(), "blind").to_dict(), allow_nan=False))["steps"]
    assert [step["true_holding"] for step in in_json] == [step["true_holding"] for step in steps]


def test_reports_must_be_of_one_hand():
    with pytest.raises(ValueError, match="a page needs a report, got none"):
        page_data([])
    with pytest.raises(ValueError, match="one hand and hero"):
        page_data([pages.report(pm.example_hand()), pages.report(pages.no_limit())])
    with pytest.raises(ValueError, match="one hand and hero"):
        page_data([pages.report(pm.example_hand()), pages.report(pm.example_hand(), hero="Eve")])
