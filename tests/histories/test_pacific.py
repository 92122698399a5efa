"""Text histories of 888poker and the sites that share its tables. All hands here are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act
from tests.histories.site_texts import PACIFIC, acts, check_real, stated
from tests.histories.test_sites import read


def test_amounts_and_suits_of_spain() -> None:
    (hand,) = read(PACIFIC, "888")
    assert hand.players == ("Cy", "Dan D", "Ann", "Bob")
    assert hand.stacks == (76, 500, 11005, 201)  # tenths of a dollar
    assert (hand.currency, hand.id) == ("USD", "72")
    assert hand.spec.blinds == (5, 10, 10, 0)
    assert hand.spec.antes == (1, 1, 6, 1)
    assert acts(hand) == [
        ("Ann", Act.RAISE, 40),
        ("Bob", Act.CALL, None),
        ("Cy", Act.CALL, None),
        ("Dan D", Act.FOLD, None),
    ]
    assert hand.board == card_indices("Kd7s2c5d9s")
    assert dict(hand.holdings) == {0: card_indices("JcJd"), 2: card_indices("AsKh"), 3: card_indices("QsQh")}
    assert hand.mucked == {0}
    assert hand.payoffs == pytest.approx((-76, -11, 288, -201))  # before the rake


def test_german_suits() -> None:
    german = {"p": "Pik", "t": "Kreuz", "d": "Karo", "c": "Herz"}
    text = "\n".join(
        "".join(
            german.get(letter, letter) if before in "23456789TJQKA" else letter
            for before, letter in zip(" " + line, line, strict=False)
        )
        if line.endswith("]") and ("**" in line or "[ " in line) and "collected" not in line
        else line
        for line in PACIFIC.splitlines()
    )
    assert "[ APik, KHerz ]" in text
    assert read(text, "888")[0].holdings == read(PACIFIC, "888")[0].holdings


def test_uncalled_bet_that_is_left_out() -> None:
    (hand,) = read(PACIFIC.replace("Ann collected [ 20 $ ]\n", ""), "888")
    assert hand == read(PACIFIC, "888")[0]


def test_chips() -> None:
    text = PACIFIC.replace(" $", "").replace("0,50/1 Blinds", "0,50/1 Blinds")
    for table in "Table Made Up (Practice Play)", "Tournament #5 10 + 1 - Table #1 (Real Money)":
        (hand,) = read(text.replace("Table Made Up 6 Max (Real Money)", table), "888")
        assert hand.currency == ""
        assert stated(hand) == stated(read(PACIFIC, "888")[0])
    (hand,) = read(PACIFIC.replace("Made Up 6 Max (Real Money)", "Made Up (Practice Play)"), "888")
    assert hand.currency == ""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("No Limit Holdem", "Fixed Limit Holdem", "Ann puts in 39, expected 1"),
        ("No Limit Holdem", "Pot Limit Omaha", "only hold'em is supported"),
        ("Blinds", "blinds", "does not say what is played"),
        ("Ann collected [ 24,50 $ ]\n", "", "43.9 collected"),
    ],
)
def test_what_is_wrong(old: str, new: str, what: str) -> None:
    assert old in PACIFIC
    with pytest.raises(HistoryError, match=what):
        read(PACIFIC.replace(old, new), "888")


def test_real_hands(data_dir: Path) -> None:
    refused = {"0.24 collected, the replay a pot of 0.52": 1}
    check_real(data_dir, "888", 28, refused)
