"""Text histories of the Everleaf network. All hands here are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokermodel.cards import card_indices
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure
from tests.histories.site_texts import EVERLEAF, acts, check_real, stated
from tests.histories.test_sites import read


def test_act_by_act() -> None:
    (hand,) = read(EVERLEAF, "everleaf")
    assert hand.players == ("Cy", "Dan", "Ann", "Bob B")
    assert (hand.currency, hand.id) == ("EUR", "77")
    assert hand.spec.blinds == (5, 10, 0, 0)
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
    assert hand.payoffs == (-76, -11, 587, -500)  # before the rake


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        (EVERLEAF.encode("cp1252"), "EUR"),
        (EVERLEAF.encode("cp1252").replace(b"\x80", b"\x88"), "EUR"),
        (EVERLEAF.replace("EURO", "EUR").replace("\u20ac ", " \u20ac "), "EUR"),
        (EVERLEAF.replace("\u20ac", "$").replace("EURO", "USD"), "USD"),
        (EVERLEAF.replace("\u20ac ", "").replace("\u20ac", "").replace(" EURO", ""), ""),
    ],
)
def test_signs_of_currencies(text: str | bytes, currency: str) -> None:
    (hand,) = read(text, "everleaf")
    assert hand.currency == currency
    assert stated(hand) == stated(read(EVERLEAF, "everleaf")[0])


def test_sister_sites() -> None:
    hand = read(EVERLEAF, "everleaf")
    for line in "Everleaf Gaming - Made Up - Game #77", "- - Made Up - Game #77":
        assert read(EVERLEAF.replace("Everleaf Gaming Game #77", line), "everleaf") == hand
    text = EVERLEAF.replace("Everleaf Gaming Game #77", "Partouche Poker Made Up")
    text = text.replace("***** Hand history for game #77 *****", "*** Historique des Mains pour la partie 77 ***")
    assert read(text, "everleaf") == hand


def test_pot_limit() -> None:
    text = EVERLEAF.replace("NL Hold'em", "PL Hold'em").replace(
        "Ann raises [\u20ac 10 EURO]", "Ann raises [\u20ac 3.90 EURO]"
    )
    text = text.replace("[\u20ac 80 EURO]", "[\u20ac 13.60 EURO]").replace("[\u20ac 39.90 EURO]", "[\u20ac 9.70 EURO]")
    text = text.replace("84.80", "12.20").replace("( \u20ac 50 EURO )", "( \u20ac 13.70 EURO )")
    (hand,) = read(text, "everleaf")
    assert hand.spec.structure is BettingStructure.POT_LIMIT
    with pytest.raises(HistoryError, match="expected 68 to 136"):
        read(text.replace("13.60", "13.70"), "everleaf")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("NL Hold'em", "PL Omaha", "only hold'em is supported"),
        ("NL Hold'em", "Hold'em", "Ann puts in 10, expected 2"),
        ("/\u20ac1 NL", " NL", "does not say what is played"),
        ("Dan folds\n", "", "it is the turn of Dan"),
        ("23.20", "24.20", "109 collected, the replay a pot of 108.7"),
    ],
)
def test_what_is_wrong(old: str, new: str, what: str) -> None:
    assert old in EVERLEAF
    with pytest.raises(HistoryError, match=what):
        read(EVERLEAF.replace(old, new), "everleaf")


def test_real_hands(data_dir: Path) -> None:
    check_real(data_dir, "everleaf", 20, {})
