"""Text histories of PKR. All hands here are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import PKR, acts, check_real, stated
from tests.histories.test_sites import read

ANTES_ONLY = """\
Starting Hand #77
Game Type: HOLD'EM
Limit Type: NO LIMIT
Table Type: TOURNAMENT
Money Type: Tournament chips
Blinds are now 0 / 0
Button is at seat 1
Seat 1: Ann - 10
Seat 2: Bob - 10
Ann posts ante of 10 (all-in)
Bob posts ante of 10 (all-in)
Dealing Cards
Dealing [qs][2s] to Ann
Ann shows [qs][2s]
Bob shows [5s][4d]
Dealing Flop [4s][qc][2c]
Dealing Turn [4c]
Dealing River [6d]
Bob wins 20 with: Three of a Kind: 4s
"""

DISCONNECTED = """\
Starting Hand #78
Game Type: HOLD'EM
Limit Type: NO LIMIT
Table Type: RING
Money Type: PLAY MONEY
Blinds are now $1 / $2
Button is at seat 3
Seat 1: Ann - $50
Seat 2: Bob - $50
Seat 3: Cy - $50
Ann posts small blind ($1)
Bob posts big blind ($2)
Dealing Cards
Cy calls $2
Ann folds
Bob raises to $10
Cy has become disconnected and has 10 seconds to reconnect
Cy has disconnected and has been granted disconnection protection
Returning $8 to Bob uncalled
Dealing Flop [Kh][7s][2c]
Dealing Turn [5d]
Dealing River [9s]
Cy shows [Ac][Kd]
Cy wins $5 with: One Pair: Kings
"""


def test_act_by_act() -> None:
    (hand,) = read(PKR, "pkr")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.currency, hand.id) == ("USD", "76")
    assert hand.spec.blinds == (5, 10, 10, 0)
    assert hand.spec.antes == (1, 1, 6, 1)
    assert acts(hand) == [
        ("Ann", Act.RAISE, 20),
        ("Bob B", Act.RAISE, 99.9),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.board == card_indices("Kh7s2c5d9s")
    assert hand.payoffs == (-76, -11, 582, -495)  # before the rake


def test_uncalled_bet_that_is_left_out() -> None:
    assert read(PKR.replace("Returning $50.50 to Bob B uncalled\n", ""), "pkr") == read(PKR, "pkr")


def test_pot_that_is_divided() -> None:
    text = PKR.replace("[Q s][Q h]", "[A h][K s]").replace(
        "Ann wins $83.80 from", "Ann ties side pot #1, and wins $41.90 from"
    )
    text = text.replace(
        "Ann wins $23.40 with: One Pair: Kings",
        "Bob B ties side pot #1, and wins $41.90 with: One Pair: Kings\nAnn ties, and wins $11.70 with: One Pair: Kings"
        "\nBob B ties, and wins $11.70 with: One Pair: Kings",
    )
    (hand,) = read(text, "pkr")
    assert stated(hand) == pytest.approx({"Cy": -7.6, "Dan": -1.1, "Ann": 3.6, "Bob B": 4.1})


def test_antes_without_blinds() -> None:
    (hand,) = read(ANTES_ONLY, "pkr")
    assert hand.actions == ()
    assert stated(hand) == {"Ann": -10, "Bob": 10}
    assert hand.payoffs == hand.stated_payoffs


def test_disconnection() -> None:
    (hand,) = read(DISCONNECTED, "pkr")
    assert stated(hand) == {"Ann": -1, "Bob": -2, "Cy": 3}
    assert hand.currency == ""
    limited = DISCONNECTED.replace(
        "Cy wins $5 with", "Bob wins $3\nCy wins $2, disconnection protection limited from $5 with"
    )
    (other,) = read(limited, "pkr")
    assert stated(other) == {"Ann": -1, "Bob": 1, "Cy": 0}
    assert other.payoffs == hand.payoffs  # by the rules of the game


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Limit Type: NO LIMIT", "Limit Type: FIXED LIMIT", "Ann bets or raises to 20, expected 2"),
        ("Game Type: HOLD'EM", "Game Type: OMAHA", "only hold'em is supported"),
        ("Blinds are now $0.50 / $1\n", "", "does not say how much a bet is"),
        ("Taking Rake of $1", "Taking Rake of $2", "a rake of 2"),
        ("to $99.90 (all-in)", "to $98.90", "50.5 to Bob B is returned as uncalled, expected 49.5"),
        ("Cy shows [J c][J d]", "Cy shows [J c][J x]", "are not cards"),
    ],
)
def test_what_is_wrong(old: str, new: str, what: str) -> None:
    assert old in PKR
    with pytest.raises(HistoryError, match=what):
        read(PKR.replace(old, new), "pkr")


def test_real_hands(data_dir: Path) -> None:
    refused = {"expected the first line of a hand": 1}
    protected = ["2138526544"]  # a player who was disconnected, and wins less
    check_real(data_dir, "pkr", 48, refused, rake=0.11, by_other_rules=protected)
