"""Text histories of CoinPoker, of both kinds. All hands here are made up."""

from __future__ import annotations

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import COINPOKER, acts, stated
from tests.histories.test_sites import read

OLD = """\
CoinPoker Hand #7: Hold'em No Limit (0.50/1 ) 2025/01/02 03:04:05 GMT
Table 'NL \u20ae1 IV' 7-max Seat #2 is the button
Seat 1: Ann (50.00 in chips)
Seat 2: Bob B (100.00 in chips)
Seat 4: Cy (7.50 in chips)
Seat 5: Dan (40.00 in chips)
Seat 6: Eve (9.00 in chips) out of hand
Cy: posts small blind 0.50
Eve: didn't post big blind
Dan: posts big blind 1.00
*** HOLE CARDS ***
Dealt to Ann [Ac Kd]
Ann: raises 9.00 to 10.00
Bob B: raises 100.00 and is all-in
Cy: calls 7.00 and is all-in
Dan: folds
Ann: folds
*** FLOP *** [Kh 7s 2c]
*** TURN *** [Kh 7s 2c] [5d]
*** RIVER *** [Kh 7s 2c 5d] [9s]
*** SHOW DOWN ***
Bob B: shows [Qs Qh] (a pair of Queens)
Cy: mucks hand
Bob B collected 115.50 from pot
*** SUMMARY ***
Total pot 118.50 | Rake 3.00
Board [ Kh 7s 2c 5d 9s ]
Game ended: 2025/01/02 03:05:05 GMT
"""
TOURNAMENT = """\
CoinPoker Hand #8: Tournament #12, Made Up, 15 GTD Hold'em No Limit (50/100 ante 13 play) 2025/01/02 03:04:05 GMT
Table '2' 7-max Seat #2 is the button
Seat 1: Ann (5000 in chips)
Seat 3: Bob (5000 in chips)
Seat 4: Cy (5000 in chips) is sitting out
Ann: posts the ante 13
Bob: posts the ante 13
Cy: posts the ante 13
Bob: posts small blind 50
Cy: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [6s 3c]
Ann: raises 200 to 300
Bob: raises 4937 and is all-in
Cy: folds
Ann: folds
Bob collected 5426 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot 5426 | Rake 0
Board [ ]
"""


def test_acts_in_capitals() -> None:
    (hand,) = read(COINPOKER, "coinpoker")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.currency, hand.id, hand.unit) == ("USDT", "78", hand.unit)
    assert hand.spec.antes == (1, 1, 1, 1)
    assert acts(hand) == [
        ("Ann", Act.RAISE, 10),
        ("Bob B", Act.RAISE, 80),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.board == card_indices("Kh7s2c5d9s")
    assert hand.mucked == {0}


def test_an_all_in_is_what_is_put_in_and_what_is_uncalled_is_collected() -> None:
    (hand,) = read(OLD, "coinpoker")
    assert hand.currency == "USDT"
    assert acts(hand)[:2] == [("Ann", Act.RAISE, 10), ("Bob B", Act.RAISE, 100)]
    assert stated(hand) == {"Cy": -7.5, "Dan": -1, "Ann": -10, "Bob B": 15.5}
    assert hand.pot == 28.5  # of 118.50, 90 were not called


def test_a_tournament() -> None:
    (hand,) = read(TOURNAMENT, "coinpoker")
    assert (hand.currency, hand.board) == ("", ())
    assert stated(hand) == {"Bob": 426, "Cy": -113, "Ann": -313}


def test_a_splash_is_money_of_the_site() -> None:
    text = COINPOKER.replace("*** HOLE CARDS ***", "MEGA SPLASH dropped \u20ae5.00\n*** HOLE CARDS ***")
    text = text.replace("collected \u20ae108", "collected \u20ae113").replace("pot \u20ae108.70", "pot \u20ae113.70")
    (hand,) = read(text, "coinpoker")
    assert stated(hand)["Ann"] == 63


def test_a_straddle() -> None:
    text = OLD.replace("*** HOLE", "Ann: STRADDLE 2.00\n*** HOLE").replace("Ann: raises 9.00 to 10.00\n", "")
    text = text.replace("118.50", "110.50").replace("115.50", "107.50")
    (hand,) = read(text, "coinpoker")
    assert acts(hand)[0] == ("Bob B", Act.RAISE, 100)
    assert stated(hand) == {"Cy": -7.5, "Dan": -1, "Ann": -2, "Bob B": 7.5}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("*** SHOW DOWN ***", "*** HAND CANCELLED ***", "cancelled the hand"),
        ("Hold'em No Limit", "Omaha Pot Limit", "only hold'em is supported"),
        ("100.00 and is all-in", "99.00 and is all-in", "a pot of 118.5, the replay one of 28.5"),
    ],
)
def test_what_is_refused(old: str, new: str, what: str) -> None:
    with pytest.raises(HistoryError, match=what):
        read(OLD.replace(old, new), "coinpoker")


def test_bomb_pots_with_two_boards_are_another_game() -> None:
    text = COINPOKER.replace("NLH (", "NLH BombPot (").replace("*** TURN", "*** SECOND FLOP *** [Qd 5h 8c]\n*** TURN")
    with pytest.raises(HistoryError, match="two boards are dealt from the flop on"):
        read(text, "coinpoker")
