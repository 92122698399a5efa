"""Text histories of Winamax. All hands here are made up."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import WINAMAX, acts, check_real, stated
from tests.histories.test_sites import read

CASH = """\
Winamax Poker - CashGame - HandId: #7-8-18 - Holdem pot limit (0.50\u20ac/1\u20ac) - 2024/01/02 03:04:05 UTC
Table: 'Made Up' 5-max (real money) Seat 0000002 is the button
Seat 1: Ann (50\u20ac)
Seat 2: Bob B (20.50\u20ac)
Seat 4: Cy (10\u20ac)
*** ANTE/BLINDS ***
Cy posts small blind 0.50\u20ac
Ann posts big blind 1\u20ac
Bob B posts big blind 1\u20ac out of position
*** PRE-FLOP ***
Bob B checks
Cy calls 0.50\u20ac
Ann bets 3\u20ac
Bob B calls 3\u20ac
Cy folds
*** FLOP *** [Kh 7s 2c]
Ann bets 5\u20ac
Bob B raises 9\u20ac to 14\u20ac
Ann folds
Bob B collected 27.50\u20ac from pot
*** SUMMARY ***
Total pot 27.50\u20ac | Rake 0.50\u20ac
Board: [Kh 7s 2c]
Seat 2: Bob B (button) won 27.50\u20ac
"""


def test_halves_of_chips_and_winnings_in_whole_ones() -> None:
    (hand,) = read(WINAMAX, "winamax")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.unit, hand.currency, hand.id) == (Fraction(1, 2), "", "7-8-17")
    assert hand.spec.antes == (20, 20, 20, 20)
    assert acts(hand) == [
        ("Ann", Act.CALL, None),
        ("Bob B", Act.RAISE, 2990),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.payoffs == hand.stated_payoffs
    with pytest.raises(HistoryError, match=r"2844 collected and a rake of 0, the replay a pot of 2841\.5"):
        read(WINAMAX.replace("Ann collected 580", "Ann collected 582"), "winamax")


def test_bet_of_the_big_blind_before_the_flop() -> None:
    (hand,) = read(CASH, "winamax")
    assert acts(hand)[:5] == [
        ("Bob B", Act.CALL, None),
        ("Cy", Act.CALL, None),
        ("Ann", Act.RAISE, 4),
        ("Bob B", Act.CALL, None),
        ("Cy", Act.FOLD, None),
    ]
    assert hand.currency == "EUR"
    assert stated(hand) == pytest.approx({"Cy": -1, "Ann": -9, "Bob B": 27.5 - 18})
    assert hand.payoffs == (-2, -18, 20)  # half euros, before the rake


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Holdem pot limit", "Omaha pot limit", "only hold'em is supported"),
        ("Holdem pot limit", "Holdem fixed limit", "Ann puts in 3, expected 1"),
        ("Rake 0.50", "Rake 0.40", "a rake of 0.4"),
        ("Ann bets 3", "Ann bets 9", "expected 4 to 8"),
    ],
)
def test_what_is_wrong(old: str, new: str, what: str) -> None:
    assert old in CASH
    with pytest.raises(HistoryError, match=what):
        read(CASH.replace(old, new), "winamax")


def test_real_hands(data_dir: Path) -> None:
    check_real(data_dir, "winamax", 25, {"not a known hand history": 1})
