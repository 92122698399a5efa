"""Text histories of GGPoker. All hands here are made up."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure
from tests.histories.site_texts import GGPOKER, acts, check_real, stated
from tests.histories.test_sites import read

TOURNAMENT = """\
Poker Hand #TM72: Tournament #5, $5 No Limit Hold'em [A] Hold'em No Limit - Level10(1,000/2,000) - 2024/01/02 03:04:05
Table '7' 8-max Seat #1 is the button
Seat 1: Hero (9,000 in chips)
Seat 2: a1b2 (20,000 in chips)
Seat 3: c3d4 (20,000 in chips)
Hero: posts the ante 250
a1b2: posts the ante 250
c3d4: posts the ante 250
a1b2: posts small blind 1,000
c3d4: posts big blind 2,000
*** HOLE CARDS ***
Dealt to Hero [Ac Kd]
Hero: raises 6,750 to 8,750 and is all-in
a1b2: folds
c3d4: calls 6,750
*** FLOP *** [Ad 7d 9d]
*** TURN *** [7d 9d Ad] [2s]
*** RIVER *** [7d 9d Ad 2s] [4h]
Hero: shows [Kd Ac] (Pair of Aces)
c3d4: shows [Qs Qc] (Pair of Queens)
*** SHOWDOWN ***
Hero collected 19,250 from pot
*** SUMMARY ***
Total pot 19,250
Board [7d 9d Ad 2s 4h]
"""


def test_straddle_two_boards_and_a_cash_drop() -> None:
    (hand,) = read(GGPOKER, "ggpoker")
    assert hand.players == ("Hero", "c3d4", "e5f6", "a1b2")
    assert hand.spec.structure is BettingStructure.NO_LIMIT
    assert hand.unit == Fraction(1, 10)
    assert hand.spec.blinds == (5, 10, 20, 0)
    assert hand.spec.antes == (1, 1, 1, 1)
    assert hand.spec.first == (3, 0, 0, 0)
    assert acts(hand) == [
        ("a1b2", Act.RAISE, 32),
        ("Hero", Act.CALL, None),
        ("c3d4", Act.CALL, None),
        ("e5f6", Act.FOLD, None),
    ]
    assert hand.board == card_indices("Ad7c2s8h3c")
    assert hand.second_board == card_indices("9h5c2dJc4s")
    assert hand.payoffs == (50.5, 50.5, -21, -80)
    assert sum(stated(hand).values()) == pytest.approx(1 - 2.1)  # the cash drop, rake and fee


def test_straddle_of_the_big_blind_is_its_total() -> None:
    text = GGPOKER.replace("e5f6: straddle $2", "c3d4: straddle $2").replace("c3d4: calls $6.9", "c3d4: calls $5.9")
    text = text.replace("e5f6: folds\n", "").replace("a1b2: raises", "e5f6: folds\na1b2: raises")
    for old, new in ("$51.1", "$49.1"), ("$25", "$24"), ("$13", "$12"):
        text = text.replace(old, new)
    (hand,) = read(text, "ggpoker")
    assert hand.spec.blinds == (5, 20, 0, 0)
    assert hand.spec.first[0] == 2
    assert [name for name, _, _ in acts(hand)] == ["e5f6", "a1b2", "Hero", "c3d4"]


def test_missed_blind() -> None:
    text = GGPOKER.replace("e5f6: straddle $2", "e5f6: posts missed blind $0.5\ne5f6: posts big blind $1")
    text = text.replace("a1b2: raises", "e5f6: checks\na1b2: raises").replace("$30 to $32", "$31 to $32")
    for old, new in ("$51.1", "$50.6"), ("$25", "$24.75"), ("$13", "$12.75"):
        text = text.replace(old, new)
    (hand,) = read(text, "ggpoker")
    assert hand.spec.blinds == (10, 20, 20, 0)
    assert hand.spec.antes == (2, 2, 12, 2)


def test_tournament_and_a_flop_in_two_orders() -> None:
    (hand,) = read(TOURNAMENT, "ggpoker")
    assert stated(hand) == {"a1b2": -1250, "c3d4": -9000, "Hero": 10250}
    assert (hand.currency, hand.board) == ("", card_indices("7d9dAd2s4h"))
    assert hand.spec.blinds == (1000, 2000, 0)
    with pytest.raises(HistoryError, match="7 cards on the board"):
        read(TOURNAMENT.replace("[7d 9d Ad] [2s]", "[7d 2d Ad] [2s]"), "ggpoker")
    with pytest.raises(HistoryError, match="the board is"):
        read(TOURNAMENT.replace("Board [7d 9d Ad 2s 4h]", "Board [7d 9d Ad 4h 2s]"), "ggpoker")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Hold'em No Limit ($0.5/$1)", "ShortDeck No Limit ($1)", "only hold'em is supported"),
        ("Hold'em No Limit", "PLO", "only hold'em is supported"),
        ("Hold'em No Limit", "Omaha Pot Limit", "only hold'em is supported"),
        ("*** FIRST SHOW", "*** FOURTH FLOP ***  [2h 3h 4h]\n*** FIRST SHOW", "run up to three times"),
        ("| Jackpot $0.1", "| Jackpot $0.2", "50 collected and a rake of 2.2, the replay a pot of 51.1"),
        ("Cash Drop to Pot : total $1", "Cash Drop to Pot : total $2", "the replay a pot of 51.1"),
    ],
)
def test_what_is_wrong(old: str, new: str, what: str) -> None:
    assert old in GGPOKER
    with pytest.raises(HistoryError, match=what):
        read(GGPOKER.replace(old, new), "ggpoker")


def test_real_hands(data_dir: Path) -> None:
    check_real(data_dir, "ggpoker", 2, {"only hold'em is supported": 123, "the file is empty": 1})


def test_no_colon_behind_the_number() -> None:
    assert read(GGPOKER.replace("#RC71: ", "#RC71 "), "ggpoker") == read(GGPOKER, "ggpoker")
