"""Text histories of Unibet since 2026. All hands here are made up."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import UNIBET, acts, stated
from tests.histories.test_sites import read

TOURNAMENT = """\
Unibet Hand #7, Tournament #8, \u20ac1 - 25.00/50.00 - No Limit Hold'Em - Total prize \u20ac4 - UTC 1:59:56 2026/06/05
Table "12" 3-max
*** Seated players ***
Seat 1: Ann (415)
Seat 3: Bob (315)
Seat 5: hero[Unibet_28204e] (770)
*** Blinds and button ***
Bob has the button
hero[Unibet_28204e] posts small blind 25
Ann posts big blind 50
*** Hole cards ***
Dealt to hero[Unibet_28204e] [8c Jc]
Dealt in Ann
Dealt in Bob
*** Preflop ***
Bob folds
hero[Unibet_28204e] calls 25
Ann checks
*** Flop *** [4s Tc 8d]
hero[Unibet_28204e] bets 50
Ann folds
Uncalled bet returned to hero[Unibet_28204e]: 50
hero[Unibet_28204e] wins 100
*** Summary ***
Total pot 100
"""


def test_act_by_act() -> None:
    (hand,) = read(UNIBET, "unibet")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.currency, hand.hero, hand.id) == ("EUR", "Ann", "80")
    assert hand.time == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert acts(hand) == [
        ("Ann", Act.RAISE, 10),
        ("Bob B", Act.RAISE, 80),
        ("Cy", Act.CALL, None),
        ("Dan", Act.FOLD, None),
        ("Ann", Act.CALL, None),
    ]
    assert hand.board == card_indices("Kh7s2c5d9s")
    assert (hand.pot, hand.rake) == (108.7, 0.7)


def test_a_tournament() -> None:
    (hand,) = read(TOURNAMENT, "unibet")
    assert (hand.currency, hand.hero) == ("", "hero")
    assert [each * float(hand.unit) for each in hand.spec.blinds] == [25, 50, 0]
    assert stated(hand) == {"hero": 50, "Ann": -50, "Bob": 0}


def test_a_text_that_ends_where_its_owner_folds() -> None:
    text = TOURNAMENT.partition("hero[Unibet_28204e] calls")[0] + "hero[Unibet_28204e] folds\n*** Summary ***\n"
    with pytest.raises(HistoryError, match="cut short"):
        read(text.replace("Bob folds\n", "Bob calls 50\n"), "unibet")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("No Limit Hold'Em", "Pot Limit Omaha", "only hold'em is supported"),
        ("Bob folds\n", "", "it is the turn of Bob"),
        ("wins 100", "wins 120", "120 collected"),
    ],
)
def test_what_is_refused(old: str, new: str, what: str) -> None:
    with pytest.raises(HistoryError, match=what):
        read(TOURNAMENT.replace(old, new), "unibet")
