"""Text histories of Weplay. All hands here are made up."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure, position_names
from pokermodel.game.pot_types import pot_type
from pokermodel.histories import ohh
from pokermodel.scoring import score
from tests.histories.site_texts import WEPLAY, acts, stated
from tests.histories.test_sites import read

BOMB = """\
Weplay Hand #9:  Hold'em No Limit ($0.50/$1) - 2026/01/02 03:04:05 UTC
Table 'Made Up Bomb Pot (3BB-5BB) #1'(11403800) 8-max (Money 3) Seat #4 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($40.34 in chips)
Seat 4: Cy ($90 in chips)
Seat 5: Dan ($200 in chips)
Ann: posts the ante $4.34
Bob: posts the ante $4.34
Cy: posts the ante $4.34
Dan: posts the ante $4.34
*** HOLE CARDS ***
Dealt to Ann [9s 9c]
*** FLOP *** [Qc Th 4h]
Dan: checks
Ann: bets $8
Bob: raises $36 to $36 and is all-in
Cy: folds
Dan: folds
Ann: calls $28
*** TURN *** [Qc Th 4h] [7c]
*** RIVER *** [Qc Th 4h 7c] [4c]
*** SHOW DOWN ***
Ann: shows [9s 9c] (two pair)
Bob: shows [5h Kh] (a pair of Fours)
Ann collected $89.36 from pot
*** SUMMARY ***
Total pot $89.36 | Rake $4.36\u0020
Board [Qc Th 4h 7c 4c]
"""


def test_a_call_that_the_text_calls_a_raise() -> None:
    (hand,) = read(WEPLAY, "weplay")
    assert acts(hand)[2] == ("Cy", Act.CALL, None)
    assert (hand.rake, hand.pot) == (0.7, 108.7)


def test_the_rake_is_taken_from_what_is_collected() -> None:
    (hand,) = read(
        WEPLAY.replace("Bob B: shows [Qs Qh]", "Bob B: shows [Ad Kc]").replace(
            "Ann collected $108.70", "Ann collected $54.35 from pot\nBob B collected $54.35"
        ),
        "weplay",
    )
    assert stated(hand) == {"Ann": pytest.approx(4), "Bob B": pytest.approx(4), "Cy": pytest.approx(-7.6), "Dan": -1.1}


def test_one_card_that_is_not_shown() -> None:
    text = WEPLAY.replace("Dan: folds\n", "Dan: folds\nDan: shows [## Js] (high card)\n")
    assert read(text, "weplay") == read(WEPLAY, "weplay")


def test_the_ante_of_a_player_who_has_left() -> None:
    text = WEPLAY.replace("Cy: posts small", "Eve X: posts the ante $0.10\nCy: posts small").replace("108.70", "108.80")
    (hand,) = read(text, "weplay")
    assert stated(hand)["Ann"] == pytest.approx(58.1)
    assert len(hand.players) == 4


def test_blinds_of_a_tournament_are_those_that_are_posted() -> None:
    text = WEPLAY.replace(
        " Hold'em No Limit ($0.50/$1)", "Tournament (Made \u2013 Up)#12, $10+$1 Hold'em No Limit - Level VI (1/2)"
    )
    text = (
        text.replace("$", "")
        .replace("30.10", "3005")
        .replace("0.10", "5")
        .replace("0.50", "50")
        .replace("blind 1\n", "blind 100\n")
    )
    for old, new in (
        ("(50 in", "(5000 in"),
        ("(100 in", "(10000 in"),
        ("(7.60 in", "(760 in"),
        ("(40 in", "(4000 in"),
        ("raises 10 to 10", "raises 1000 to 1000"),
        ("raises 80 to 80", "raises 8000 to 8000"),
        ("raises 7 to 7.50", "raises 705 to 755"),
        ("39.90", "3995"),
        ("108.70", "10865"),
        ("Rake 0.70", "Rake 0"),
    ):
        text = text.replace(old, new)
    (hand,) = read(text, "weplay")
    unit = float(hand.unit)
    assert ([each * unit for each in hand.spec.blinds[:2]], hand.spec.bets[0] * unit) == ([50, 100], 100)
    assert hand.currency == ""


def test_a_bomb_pot() -> None:
    (hand,) = read(BOMB, "weplay")
    assert hand.spec.structure is BettingStructure.NO_LIMIT
    assert (hand.spec.blinds, hand.spec.max_raises[0]) == ((0, 0, 0, 0), 0)
    before = [each for each in hand.replay() if each.round == 0]
    assert [each.legal for each in before] == [(Act.CALL,)] * 4  # no choice, so that it says nothing
    assert hand.players[next(each for each in hand.replay() if each.round == 1).seat] == "Dan"
    assert dict(zip(hand.players, position_names(hand.spec), strict=True)) == {
        "Dan": "SB",
        "Ann": "BB",
        "Bob": "CO",
        "Cy": "BTN",
    }
    assert pot_type(hand) == "bomb"
    assert stated(hand) == {"Dan": -4.34, "Ann": pytest.approx(44.66), "Bob": -40.34, "Cy": -4.34}
    assert ohh.loads(ohh.dumps(hand)) == hand


def test_nothing_is_scored_and_nothing_learnt_where_nobody_has_a_choice() -> None:
    (hand,) = read(BOMB, "weplay")
    assert (
        score([hand], "uniform").to_frame()["decisions"].sum()
        == len([each for each in hand.replay() if len(each.legal) > 1])
        == 6
    )
    modeler = pm.OpponentModeler("adaptive")
    modeler.start(hand.players)
    for decision in hand.replay():
        if decision.round == 0:
            modeler.observe(decision)
    weights = np.asarray(modeler.table("Dan"))
    assert weights == pytest.approx(np.full(1326, weights[0]))


def test_a_hand_whose_acts_before_the_flop_are_lost_is_no_bomb_pot() -> None:
    text = BOMB.replace("*** HOLE", "Dan: posts small blind $0.50\nAnn: posts big blind $1\n*** HOLE")
    with pytest.raises(HistoryError, match="Dan acts, but it is the turn of Bob"):
        read(text.replace("89.36", "90.86"), "weplay")


def test_a_bomb_pot_between_two() -> None:
    text = BOMB.replace("Seat 1: Ann ($100 in chips)\n", "").replace("Seat 2: Bob ($40.34 in chips)\n", "")
    text = "\n".join(line for line in text.split("\n") if not line.startswith(("Ann:", "Bob:", "Dealt to Ann")))
    text = text.partition("Cy: folds")[0].replace("Dan: checks", "Dan: bets $5") + (
        "Cy: folds\nUncalled bet ($5) returned to Dan\nDan collected $8.68 from pot\n*** SUMMARY ***\n"
        "Total pot $8.68 | Rake $0\n"
    )
    (hand,) = read(text, "weplay")
    assert dict(zip(hand.players, position_names(hand.spec), strict=True)) == {"Dan": "BB", "Cy": "SB"}
    assert stated(hand) == {"Dan": 4.34, "Cy": -4.34}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Hold'em No Limit", "Omaha Pot Limit", "only hold'em is supported"),
        ("Dan: checks\n", "", "Ann acts, but it is the turn of Dan"),
        ("collected $89.36", "collected $80.36", "76 collected and a rake of 4.36"),
    ],
)
def test_what_is_refused(old: str, new: str, what: str) -> None:
    with pytest.raises(HistoryError, match=what):
        read(BOMB.replace(old, new), "weplay")
