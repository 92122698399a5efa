"""Text histories of the Winning network. All hands here are made up."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import WINNING, WINNING_OLD, acts, check_real, stated
from tests.histories.test_sites import read


def test_new_format() -> None:
    (hand,) = read(WINNING, "winning")
    assert hand.players == ("Cy", "Dan", "Eve", "Ann", "Bob B")
    assert (hand.currency, hand.id) == ("USD", "73")
    assert hand.spec.blinds == (1, 2, 2, 0, 0)
    assert hand.spec.antes == (0, 0, 1, 0, 0)
    assert hand.stacks == (15, 60, 18, 40, 60)  # half dollars: at most 30 big blinds can be lost
    assert acts(hand) == [
        ("Eve", Act.CALL, None),
        ("Ann", Act.RAISE, 4),
        ("Bob B", Act.RAISE, 30),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Eve", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.payoffs == (-15, -2, -3, 60, -40)  # before rake and fee


def test_old_format() -> None:
    (hand,) = read(WINNING_OLD, "winning")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.currency, hand.id, hand.time) == ("", "74", datetime(2016, 8, 8, 16, 6, 1))
    assert hand.spec.antes == (5, 5, 5, 5)
    assert acts(hand) == [
        ("Ann", Act.RAISE, 60),
        ("Bob B", Act.RAISE, 600),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.holdings[3] == card_indices("QsQh")
    assert hand.mucked == {3}
    assert hand.payoffs == hand.stated_payoffs == (-75, -25, 600, -500)


def test_both_formats_in_one_file() -> None:
    hands = read(WINNING + WINNING_OLD + "\n\n" + WINNING, "winning")
    assert [hand.id for hand in hands] == ["73", "74", "73"]


def test_walk_whose_uncalled_blind_is_won() -> None:
    text = """\
Hand #75 - Holdem(No Limit) - $0.50/$1.00 - 2024/01/02 03:04:05 UTC
Made Up 6-max Seat #1 is the button
Seat 1: Ann ($20.00)
Seat 2: Bob ($100.00)
Ann posts the small blind $0.50
Bob posts the big blind $1.00
*** HOLE CARDS ***
Ann folds
Bob does not show
*** SUMMARY ***
Total pot $1.50
Seat 1: Ann (small blind) folded on the Pre-Flop
Seat 2: Bob (big blind) did not show and won $1.50
"""
    (hand,) = read(text, "winning")
    assert stated(hand) == {"Ann": -0.5, "Bob": 0.5}


@pytest.mark.parametrize(
    ("posts", "live", "dead"),
    [
        (["posts dead $0.50"], 0, 0.5),
        (["posts $1.00"], 1, 0),
        (["posts $1.00", "posts $0.50 as a dead bet"], 1, 0.5),
        (["posts the straddle $2.00"], 2, 0),
    ],
)
def test_posts(posts: list[str], live: float, dead: float) -> None:
    lines = "".join(f"Eve {post}\n" for post in posts)
    text = WINNING.replace("Eve posts dead $1.50\n", lines)
    if live == 0:
        text = text.replace("Eve checks", "Eve calls $1.00")
        live_in_pot = 1.0
    elif live == 2:  # speaks last
        text = text.replace("Eve checks\n", "").replace("$3.00 to", "$2.00 to")
        live_in_pot = 2.0
    else:
        live_in_pot = live
    won = 50 - 1.5 + live_in_pot + dead - 2.5
    (hand,) = read(text.replace("$47.50", f"${won:.2f}"), "winning")
    eve = hand.players.index("Eve")
    assert hand.spec.blinds[eve] == live / hand.unit
    assert (hand.spec.antes or (0,) * 5)[eve] == dead / hand.unit


@pytest.mark.parametrize(
    ("text", "old", "new", "what"),
    [
        (WINNING, "Holdem(No", "Omaha(Pot", "only hold'em is supported"),
        (WINNING, "No Limit", "Fixed Limit", "Ann bets or raises to 4, expected 2"),
        (WINNING, "caps $30.00", "caps $25.00", "returned as uncalled, expected 5 to Bob B"),
        (WINNING, "JP Fee $0.50", "JP Fee $0.25", "a pot of 49.75, the replay one of 50"),
        (WINNING_OLD, "(Hold'em)", "(Six Plus Hold'em)", "only hold'em is supported, got .Six Plus"),
        (WINNING_OLD, "(Hold'em)", "(Omaha)", "only hold'em is supported"),
        (WINNING_OLD, "Collects: 1100", "Collects: 1000", "1000 collected"),
        (WINNING_OLD, "Game ID: 74 10/20", "Game ID: 74", "does not say"),
    ],
)
def test_what_is_wrong(text: str, old: str, new: str, what: str) -> None:
    assert old in text
    with pytest.raises(HistoryError, match=what):
        read(text.replace(old, new), "winning")


def test_real_hands(data_dir: Path) -> None:
    check_real(data_dir, "winning", 81, {"only hold'em is supported, got \"Six Plus": 2})
