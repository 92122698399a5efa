"""Sentences that JSON gives stand word by word in the terminal and on a page, in a real browser."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest
from rich.console import Console

from pokermodel.analysis.range import RangeShape
from pokermodel.reading.width import Width
from pokermodel.report.facts import continuing_words
from pokermodel.report.hands_page import hand_content, write_hands_page
from pokermodel.report.terminal import print_report
from pokermodel.report.words import composition_words, judged_words, likeliest, width_words
from pokermodel.worth.continuing import Continuing
from tests.common.studied import CALLED, FOLDED, GUESSED, RIVER, opened

from . import pages
from .test_hands_browser import wait_for_hand

#: By number: a blunder that is counted out, a bad call, a river that is solved, a guess, and a raise first in.
SOME = {1: FOLDED, 2: CALLED, 3: RIVER, 4: GUESSED, 5: opened(6, 2, "AsKs")}


@pytest.fixture(scope="module")
def reports():
    """By number; the blunder is one against Bob alone."""
    found = {number: pages.report(hand, hero="Hero", verdicts=True) for number, hand in SOME.items()}
    steps = [
        each if each.verdict is None else replace(each, verdict=replace(each.verdict, average=False, hands={"Bob": 47}))
        for each in found[1].steps
    ]
    return found | {1: replace(found[1], steps=tuple(steps))}


@pytest.fixture(scope="module")
def html(reports, tmp_path_factory):
    path = tmp_path_factory.mktemp("words") / "hands.html"
    write_hands_page(path, ((hand_content(number, [each]), None) for number, each in reports.items()), title="Some")
    return path.read_text(encoding="ascii")


def printed(report):
    """What the terminal says, in one line."""
    console = Console(width=400, file=io.StringIO(), force_terminal=False)
    for maps in (False, True):
        print_report(report, console, maps=maps)
    return " ".join(console.file.getvalue().split())


def _size(act, step):
    """An action of JSON as it is at the table, and what it goes to in big blinds."""
    names = {
        "fold": "fold",
        "call": "call" if step["to_call"] else "check",
        "raise": "raise" if step["to_call"] else "bet",
    }
    return names[act["act"]], None if act["to"] is None else act["to"] / 100


def verdict_of(step):
    """The verdict in words, by what JSON says of a step."""
    advice = step["advice"]
    made = next(
        each for each in advice["acts"] if _size(each, step)[0] == step["action"] and each["to"] in (None, step["to"])
    )
    best = max((each for each in advice["acts"] if each["seen"]), key=lambda each: each["ev"])
    whom = {"average": advice["average"], "hands": advice["hands"], "not_judged": advice["not_judged"]}
    return judged_words(
        advice["word"], _size(made, step), _size(best, step), advice["loss"], advice["ci95"], "bb", **whom
    )


def range_of(step):
    """How wide a range is and what is in it, in words, by what JSON says of a step."""
    width = Width(*(step[name] for name in Width._fields))
    tops = tuple((each["hand"], each["probability"]) for each in step["top_hands"])
    shape = RangeShape(tops, tuple((step["composition"] or {}).items()), len(step["board"]) == 10)
    if shape.composition:
        return width_words(width, False, composition_words(shape))
    return f"{width_words(width, True)}, most like {likeliest(shape)}"


def test_json_terminal_and_page_use_the_same_words(open_html, reports, html):
    said = {}
    with open_html(html) as page:
        for number, report in reports.items():
            page.evaluate(f"location.hash = '#hand-{number}'")
            wait_for_hand(page, number)
            text = printed(report)
            for step in json.loads(json.dumps(report.to_dict()))["steps"]:
                page.fill("#slider", str(step["index"] + 1))
                answer = page.inner_text("#answer")
                if step["action"] != "fold":
                    words = range_of(step)
                    assert words in text
                    assert any(words in each for each in page.locator(".like").all_inner_texts())
                    if step["player"] != "Hero":
                        assert words in answer
                        label = page.inner_text(".history [aria-current]")  # the share of all hands stands never alone
                        share, of = (
                            ("share_here", "of what reached this point") if step["board"] else ("share", "of hands")
                        )
                        assert label.endswith(f"{float(f'{100 * step[share]:.2g}'):g}% {of}")
                if step["advice"] is None:
                    continue
                advice = step["advice"]
                assert advice["ci95"] is None or advice["ci95"][0] <= advice["loss"] <= advice["ci95"][1]
                assert all(each["of_method"] == 0.0 for each in advice["acts"] if each["method"] == "exact")
                words = said[number, step["index"]] = verdict_of(step)
                assert words in text
                assert words in answer
                assert words in page.inner_text("#worth")
                if found := step["price"].get("continuing"):
                    words = "; ".join(continuing_words(Continuing(**found)))
                    assert words in text
                    assert words in answer
            assert not re.search(r"limit alone|big blinds|\b(bits|entropy)\b", text)
    assert said[1, 3].startswith("Big mistake: folding lost about ")
    assert said[1, 3].endswith("; call. Against Bob only (47 hands).")
    assert said[2, 3].endswith("; fold. Holds against an average player, too.")
    guess = "Not judged: Bob took a line that hardly anyone takes, so that the range is a guess."
    assert said[4, 9] == said[4, 11] == guess


def test_a_price_before_the_flop_is_against_those_who_continue(reports):
    """Not against random hands of all who could still come in: most of them fold."""
    found = reports[5].to_dict()["steps"][0]["price"]["continuing"]
    assert found["left"] == 5
    assert 0.0 < found["all_fold"] < 1.0
    assert found["equity"] < 0.65
