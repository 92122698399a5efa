"""What terminals and pages say in words."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.analysis.hand import StepFindings
from pokermodel.game import Act, GameSpec, Situation, State
from pokermodel.reading.width import Width
from pokermodel.report.page import page_data
from pokermodel.report.words import (
    about_words,
    advice_words,
    amount,
    effort_words,
    headline,
    in_bets,
    judged_words,
    price_words,
    verdict_words,
    width_words,
    worth_rows,
)
from pokermodel.worth.price import Price
from pokermodel.worth.worth import Verdict, Worth

from . import pages

FOLD, CALL, RAISE = pm.Act.FOLD, pm.Act.CALL, pm.Act.RAISE


def advised(*worths):
    """A report of the hand without limit, in which a solver advises the hero's bet on the flop over a menu of sizes."""
    report = pages.report(pages.no_limit(), hero="Cy")
    steps = list(report.steps)
    known = tuple(Worth(act, to, ev, "solved", error) for act, to, ev, error in worths)
    verdict = Verdict(known, np.full((len(known), len(known)), 0.1)).judge(RAISE, 500)
    steps[4] = dataclasses.replace(steps[4], verdict=verdict, adviser="a solver")
    return dataclasses.replace(report, steps=tuple(steps))


def text(pieces):
    return "".join(part for _, part in pieces)


def test_amounts_have_no_more_digits_than_money_has():
    """Chips are as whole as cents are: only shares of them, as all-in EV, have a fraction."""
    hand = pages.no_limit()
    assert hand.unit == 1
    assert [amount(hand, chips, "+") for chips in (-24.7715861202, 390.0, 2732.5)] == ["-24.77", "+390", "+2732.50"]


def test_amounts_in_bets_are_never_powers_of_ten():
    hand, bet = pages.no_limit(), pages.no_limit().spec.small_bet
    shown = [in_bets(hand, bets * bet, "+") for bets in (3.4565e-07, -0.09386, 12.346, 9999.5, 123456.7)]
    assert shown == [" (+0 bb)", " (-0.0939 bb)", " (+12.35 bb)", " (+10000 bb)", " (+123457 bb)"]


def test_acts_of_every_size_are_told_apart():
    report = advised((CALL, None, 1.5, 0.0), (RAISE, 300, 2.25, 0.1), (RAISE, 500, 2.0, 0.1))
    rows = worth_rows(report.steps[4], report.hand)
    assert [row["words"] for row in rows] == ["check", "bet 300", "bet 500"]
    assert [row["done"] for row in rows] == [False, False, True]
    assert [row["best"] for row in rows] == [False, True, False]
    assert [row["ev"] for row in rows] == [1.5, 2.25, 2.0]
    assert page_data([report])["readers"][0]["steps"][4]["worths"] == rows
    assert report.loss == pytest.approx(0.25)
    assert report.key_step == 4
    assert worth_rows(report.steps[2], report.hand) == []  # of another player


def test_a_headline_says_what_an_act_cost():
    report = advised((CALL, None, 1.5, 0.0), (RAISE, 300, 2.25, 0.1), (RAISE, 500, 2.0, 0.1))
    step = report.steps[4]
    said = text(headline(step, StepFindings.of(step), report))
    assert said.startswith(
        "Flop: Cy bets 500. Mistake: betting 5 bb lost about 0.25 bb (0.15 to 0.35); bet 3 bb. Ann: "
    )
    assert said.endswith("if nobody bets again.")
    best = advised((CALL, None, 1.5, 0.0), (RAISE, 500, 2.0, 0.0))
    assert text(headline(best.steps[4], StepFindings.of(best.steps[4]), best)).startswith(
        "Flop: Cy bets 500. Right: bet 5 bb. Ann: "
    )
    other = text(headline(report.steps[5], StepFindings.of(report.steps[5]), report))
    assert other.startswith("Flop: Ann raises to 1700 · ")
    assert re.search(r"\d% of what reached this point · \d+ combos: .* · \([\d.]+% of all hands\)\.$", other)
    assert text(headline(report.steps[2], StepFindings.of(report.steps[2]), report)) == "Pre-flop: Bo folds."


def test_names_are_apart_from_words():
    """So that a page can write them as names: whatever they have in them."""
    hand = pages.ten_handed()
    report = pages.report(hand, hero=hand.players[3], verdicts=True)
    for step in report.steps:
        for kind, part in headline(step, StepFindings.of(step), report):
            assert (kind == "name") == (part in hand.players)
            assert kind == "name" or not any(name in part for name in hand.players)


def test_a_price_in_words():
    def price(to_call, error):
        return Price(to_call, 75, 10, to_call / (75 + to_call), {"Ann": 0.4}, 0.4, error)

    assert price_words(price(25, 0.0)) == "needs 25.0% of the pot, has 40.0% if nobody bets again"
    assert price_words(price(25, 0.01)) == "needs 25.0% of the pot, has 40.0% ± 2.0% if nobody bets again"  # 95%
    assert price_words(price(0, 0.0)) == "has 40.0% if nobody bets again"


def test_what_a_hand_is():
    hand = pages.no_limit()
    assert about_words(hand) == ["3 players"]

    def at(time):
        return pm.Hand(
            hand.source, hand.id, hand.spec, hand.players, hand.actions, hand.board, hand.holdings, time=time
        )

    expected = ["3 players", "1 February 2031, 20:05 UTC"]
    assert about_words(at(datetime(2031, 2, 1, 20, 5, tzinfo=UTC))) == expected
    assert about_words(at(datetime(2031, 2, 1, 22, 5, tzinfo=timezone(timedelta(hours=2))))) == expected
    assert about_words(at(datetime(2031, 2, 1, 20, 5))) == expected  # one without a zone is in UTC


def test_a_verdict_in_a_sentence():
    """What a call needs, and what is worth most."""
    state = State(GameSpec.no_limit(2, 50, 100, stacks=(10_000, 10_000)))
    first = Situation.of(state, ("Ann", "Bob"))
    state.act(RAISE, 200)
    situation = Situation.of(state, ("Ann", "Bob"))
    acts = (
        Worth(Act.FOLD, None, 0.0, "exact", 0.0, 0.0, 0.0, True),
        Worth(Act.CALL, None, 21.2, "exact", 0.0, 0.4, 0.0, True),
        Worth(Act.RAISE, 250, 21.0, "simulated", 1.0, 0.4, 0.0, True),
    )
    sure = Verdict(acts[:2], np.zeros((2, 2)), 0.349, 0.849, 100.0)
    price = "You need 35%, have 85%. "
    assert verdict_words(sure, situation) == f"{price}Call is worth +21.20 bb."
    assert verdict_words(sure.judge(CALL), situation) == f"{price}Right: call. Call is worth +21.20 bb."
    folded = f"{price}Big mistake: folding lost 21.2 bb; call. Call is worth +21.20 bb."
    assert verdict_words(sure.judge(Act.FOLD), situation) == folded
    near = Verdict(acts, np.full((3, 3), 0.9), 0.349, 0.849, 100.0).judge(RAISE, 250)
    doubt = "Cannot tell: raising to 2.5 bb can have lost up to 1.1 bb; perhaps call. Call is worth +21.20 bb."
    assert verdict_words(near, situation) == f"{price}{doubt}"
    # who is still to answer a raise first in can fold, so that equity against any two cards is no price
    assert verdict_words(sure.judge(CALL), first) == "Right: call. Call is worth +21.20 bb."


@pytest.mark.parametrize(
    ("word", "lost", "ci95", "sentence"),
    [
        ("mistake", 54.04, (43.9, 64.2), "Mistake: folding lost about 54 bb (44 to 64); bet 5 bb."),
        ("big mistake", 4.0, (4.0, 4.0), "Big mistake: folding lost 4 bb; bet 5 bb."),
        ("big mistake", 22.87, (22.71, 23.04), "Big mistake: folding lost about 23 bb (22.7 to 23.0); bet 5 bb."),
        (
            "probably a mistake",
            1.0,
            (-0.3, 2.3),
            "Probably a mistake: folding lost about 1 bb (-0.3 to 2.3); bet 5 bb.",
        ),
        ("cannot tell", 0.5, (-1.0, 2.0), "Cannot tell: folding can have lost up to 2 bb; perhaps bet 5 bb."),
        ("right", 0.0, (0.0, 0.0), "Right: fold."),
        ("not judged", None, None, "Not judged: the range is a guess."),
    ],
)
def test_the_words_of_a_verdict(word, lost, ci95, sentence):
    why = "the range is a guess"
    assert judged_words(word, ("fold", None), ("bet", 5.0), lost, ci95, "bb", not_judged=why) == sentence


@pytest.mark.parametrize(
    ("average", "hands", "words"),
    [
        (True, {"Casey": 47}, "Holds against an average player, too."),
        (False, {"Casey": 47}, "Against Casey only (47 hands)."),
        (False, {"Casey": 1}, "Against Casey only (1 hand)."),
        (False, {"Casey": 1200, "Robin": 0}, "Against Casey (1,200 hands) and Robin (0 hands) only."),
        (False, {"Casey": 4, "Robin": 5, "Ann": 6}, "Against Casey (4 hands), Robin (5 hands) and Ann (6 hands) only."),
    ],
)
def test_whom_a_mistake_is_one_against(average, hands, words):
    said = judged_words("mistake", ("fold", None), ("call", None), 54.0, (44.0, 64.0), "bb", average, hands)
    assert said == f"Mistake: folding lost about 54 bb (44 to 64); call. {words}"


def test_one_figure_is_said_of_what_the_hero_has():
    """The price and the verdict draw deals of their own against several opponents: 32% stood beside 33%."""
    acts = (Worth(Act.CALL, None, 1.0, "simulated", 0.1, 0.1, 0.0, True),)
    verdict = Verdict(acts, equity=0.331, unit=100.0)
    step = pages.report(pages.no_limit(), hero="Cy").steps[4]
    decision = step.observation.decision
    price = Price(0, decision.pot, 100, 0.0, {"Ann": 0.4}, 0.319, 0.001)
    told = SimpleNamespace(observation=step.observation, verdict=verdict, price=price, recommended="check", adviser="")
    assert "have 32% if nobody bets again" in advice_words(told, "Cy")
    assert price_words(price) == "has 31.9% if nobody bets again"
    told.price = None
    assert "have 33% if nobody bets again" in advice_words(told, "Cy")


@pytest.mark.parametrize(
    ("seconds", "memory", "text"),
    [(0.0281, 46_200, "0.028 s, 0.046 MB"), (2.26, 63_300_000, "2.3 s, 63.3 MB"), (75.04, 1.5e9, "75.0 s, 1500.0 MB")],
)
def test_effort(seconds, memory, text):
    assert effort_words(seconds, memory) == text


def test_how_wide_a_range_is():
    """The words of every screen: what a width is before the flop, after it, and where there is none."""
    assert width_words(None, True) == "any two cards"
    wide = Width(0.26, 0.53, 0.23, 345.0)
    assert width_words(wide, True) == "26% of hands (usual 23%) · 345 combos"
    assert width_words(wide._replace(usual_share=0.2604), True) == "26% of hands · 345 combos"
    narrow = Width(0.02, 0.53, None, 29.4)
    full = "71% full house or better, 29% air"
    assert width_words(narrow, False, full) == f"53% of what reached this point · 29 combos: {full} · (2% of all hands)"
    assert width_words(narrow._replace(share=0.0042), False).endswith("29 combos · (0.4% of all hands)")
    for rare in (narrow._replace(combos=0.9), narrow._replace(share=0.0009)):
        assert width_words(rare, False) == "a line hardly anyone takes: the range is a guess"
