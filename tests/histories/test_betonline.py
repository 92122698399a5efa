"""Text histories of BetOnline and its sister sites. All hands here are made up."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import BETONLINE, acts, check_real, stated
from tests.histories.test_sites import read

GEAR = """\
Gear Poker Game #76: Hold'em - 2024-01-02 03:04:05
Table 1-2 (Play Money) Seat #4 is the button
Seat 0: Ann (100.00 in Chips)
Seat 1: Bob B (100.00 in Chips)
Seat 3: Cy (100.00 in Chips)
Seat 4: Dan (100.00 in Chips)
Cy: Posts small blind 1.00.
Bob B: Posts big blind 2.00.
*** HOLE CARDS ***
Dealt To Ann [7S 7H]
Ann: Raises 6.00.
Dan: Folds.
Cy: Folds.
Bob B: Calls 4.00.
*** FLOP *** [AS QH 3S]
Bob B: Checks.
Ann: Bets 20.00.
Bob B: Folds.
*** SUMMARY ***
Total Pot 13.00 | Rake 0.00
Seat 0: Ann collected (13.00) from the Pot.
Seat 1: Bob B (Big Blind) Folded on the River
"""

CASH = """\
BetOnline Poker Game #77: Hold'em No Limit ($0.50/1.00) - 2024/01/02 03:04:05 GMT Daylight Time
Table 'Made Up' 10-Max, Seat #2684684 is the button
Seat 1: Ann (20.00 in chips)
Seat 2: Bob B (20.00 in chips)
Seat 4: Cy (2.00 in chips)
Seat 5: Dan (20.00 in chips) - Sitting out
Bob B: ante processed 0.00
Dan: ante processed 0.00
Bob B: posts small blind 0.50
Cy: posts big blind 1.00
Ann: post dead 0.00
*** HOLE CARDS ***
Dealt to Dan []
Dan has left the table
Ann: raises 4.00 to 4.00
Bob B: calls 3.50
Cy: calls 1.00 and is all in
*** FLOP *** [Ac 7d 2s]
Bob B: bets 5.00
Ann: folds
Uncalled bet (5.00) returned to Bob B
Total pot 3.80 | Rake 0.20
Cy shows Ah Kh
*** SUMMARY ***
Total pot 6.20 | Rake 0.50
Board [Ac 7d 2s 3c 4h]
Seat 2: Bob B collected (3.80)
Seat 4: Cy showed [Ah Kh] and won (6.20)
"""


def test_tournament() -> None:
    (hand,) = read(BETONLINE, "betonline")
    assert hand.players == ("Cy", "Dan", "Eve", "Ann", "Bob B")
    assert hand.time == datetime(2024, 1, 2, 8, 4, tzinfo=UTC)
    assert hand.spec.bets[0] == 60  # the header is a level behind
    assert hand.spec.blinds == (30, 60, 0, 0, 0)
    assert hand.spec.antes == (10,) * 5
    assert acts(hand) == [
        ("Eve", Act.FOLD, None),
        ("Ann", Act.RAISE, 200),
        ("Bob B", Act.RAISE, 1500),
        ("Dan", Act.FOLD, None),
        ("Cy", Act.CALL, None),
        ("Ann", Act.CALL, None),
    ]
    assert [action.out_of_turn for action in hand.actions] == [False, False, False, True, False, False]
    assert hand.payoffs == hand.stated_payoffs == (-160, -70, -10, 1240, -1000)


def test_side_pot_of_someone_else_and_what_is_missing_in_the_text() -> None:
    (hand,) = read(CASH, "betonline")
    assert hand.players == ("Bob B", "Cy", "Ann")  # the button is before the small blind
    assert hand.spec.antes == (0, 0, 5)  # a small blind, in tenths of a dollar
    assert hand.time == datetime(2024, 1, 2, 2, 4, 5, tzinfo=UTC)
    assert hand.currency == "USD"
    assert hand.mucked == {0}
    assert stated(hand) == pytest.approx({"Bob B": 3.8 - 4, "Cy": 6.2 - 2, "Ann": -4.5})
    assert hand.payoffs == (0, 45, -45)


def test_newcomers() -> None:
    for line, ante in ("post now 1.00", 0), ("post dead 1.00", 5):
        won = f"{5.7 + ante / 10:.2f}"
        text = CASH.replace("post dead 0.00", line).replace("6.20", won).replace("raises 4.00", "raises 3.00")
        (hand,) = read(text, "betonline")
        assert hand.spec.blinds == (5, 10, 10)
        assert (hand.spec.antes or (0, 0, 0))[2] == ante


def test_gear_goes_the_other_way_round() -> None:
    (hand,) = read(GEAR, "betonline")
    assert hand.players == ("Cy", "Bob B", "Ann", "Dan")
    assert acts(hand)[0] == ("Ann", Act.RAISE, 6)
    assert hand.holdings[2] == card_indices("7s7h")
    assert stated(hand) == {"Ann": 7, "Bob B": -6, "Cy": -1, "Dan": 0}
    for brand in "PayNoRake", "ActionPoker.com", "SportsBetting.ag", "Tiger Gaming":
        assert read(GEAR.replace("Gear Poker", brand), "betonline") == [hand]


@pytest.mark.parametrize(
    ("text", "old", "new", "what"),
    [
        (CASH, "Hold'em No Limit", "Omaha Pot Limit", "only hold'em is supported"),
        (CASH, "Hold'em No Limit", "Hold'em Limit", "Ann bets or raises to 4, expected 2"),
        (CASH, "Bob B (20.00", "Bob B (0.50", "it is the turn of Cy"),
        (CASH, "Seat 2: Bob B", "Seat 1: Bob B", "occurs twice in one hand"),
        (BETONLINE, "won (560.00)", "collected (0.00)", "does not say who wins"),
        (BETONLINE, "Total pot 1680.00\n", "", "560 collected, the replay a pot of 2240"),
        (BETONLINE, "Board [5d 10h 2s 3c 4c]\n", "", "a showdown with 0 cards on the board"),
    ],
)
def test_what_is_wrong(text: str, old: str, new: str, what: str) -> None:
    assert old in text
    with pytest.raises(HistoryError, match=what):
        read(text.replace(old, new), "betonline")


def test_real_hands(data_dir: Path) -> None:
    refused = {
        "1 player takes part": 1,
        "a showdown with 0 cards on the board": 1,
    }
    check_real(data_dir, "betonline", 43, refused)
