"""A hand as one of its players sees it in a list."""

from __future__ import annotations

from importlib import resources

import pytest

import pokermodel as pm
from pokermodel.analysis.hero_hands import SORTS, HeroFinder, HeroHand, HeroTotals, hero_of, sorted_rows
from pokermodel.game import Action, GameSpec
from pokermodel.game.pot_types import pot_type
from pokermodel.histories import hand_row

F, C, R = pm.Act
SAM, BEA, UMA, HAL, CY, DEE = range(6)
NAMES = ("Sam", "Bea", "Uma", "Hal", "Cy", "Dee")


def played(*acts, board="", holdings=None, number="1", **options):
    """A hand of six of no limit with blinds of 50 and 100; a number is a bet or raise to it."""
    actions = [Action(seat, act) if isinstance(act, pm.Act) else Action(seat, R, to=act) for seat, act in acts]
    stacks = (10_000,) * 6
    return pm.Hand(
        "made up", number, GameSpec.no_limit(6, 50, 100), NAMES, actions, board, holdings or {}, stacks, **options
    )


FOLDED = [(UMA, F), (HAL, F), (CY, F), (DEE, F)]
WALK = played(*FOLDED, (SAM, F), holdings={CY: "7c2d"})
LIMPED = played(*FOLDED, (SAM, C), (BEA, C), (SAM, 100), (BEA, F), board="2c7d9h", holdings={CY: "7c2d"})
OPENED = played((UMA, 300), *FOLDED[1:], (SAM, F), (BEA, F), holdings={CY: "7c2d"})
RERAISED = played((UMA, 300), (HAL, 900), (CY, F), (DEE, F), (SAM, F), (BEA, F), (UMA, F), holdings={CY: "7c2d"})
FOUR = played(
    (UMA, 300), (HAL, 900), (CY, 2500), (DEE, F), (SAM, F), (BEA, F), (UMA, F), (HAL, F), holdings={CY: "AcAd"}
)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [(WALK, "walk"), (LIMPED, "limped"), (OPENED, "single-raised"), (RERAISED, "3-bet"), (FOUR, "4-bet")],
)
def test_types_of_pots(hand, expected):
    assert pot_type(hand) == expected
    assert {each.pot_type for each in HeroHand.of_all(hand)} == {expected}


def test_blinds_that_put_players_all_in_are_no_walk():
    """The cards decide, though nobody called or raised."""
    spec = GameSpec.no_limit(2, 50, 100)
    both = pm.Hand("made up", "1", spec, NAMES[:2], [], "2c7d9hJsQs", {0: "AcAd", 1: "7c2d"}, (50, 1_000))
    assert pot_type(both) == "all-in blinds"
    assert HeroHand.of(both, "Bea").street == "river"
    folds = [Action(2, F)]
    third = pm.Hand(
        *("made up", "2", GameSpec.no_limit(3, 50, 100), NAMES[:3], folds),
        *("2c7d9hJsQs", {0: "AcAd", 1: "7c2d"}, (50, 100, 1_000)),
    )
    assert pot_type(third) == "all-in blinds"


def test_what_a_player_saw():
    cy = HeroHand.of(FOUR, "Cy")
    assert cy == ("Cy", "CO", "AdAc", "4-bet", "pre-flop", 1350.0, 1350.0, 13.5)
    sam, bea = HeroHand.of_all(LIMPED)[:2]
    assert (sam.position, bea.position, sam.street, bea.street) == ("SB", "BB", "flop", "flop")
    assert (sam.net, bea.net, sam.holding) == (100.0, -100.0, None)
    assert [each.position for each in HeroHand.of_all(FOUR)] == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
    assert HeroHand.of(RERAISED, "Uma").street == "pre-flop"
    with pytest.raises(ValueError, match="'Zoe' is not in hand 1: its players are Sam, Bea"):
        HeroHand.of(FOUR, "Zoe")


def test_the_hand_is_in_the_money_of_the_source():
    hand = played(*FOLDED, (SAM, C), (BEA, C), (SAM, 100), (BEA, F), board="2c7d9h", unit=0.01, currency="USD")
    sam = HeroHand.of(hand, "Sam")
    assert (sam.net, sam.net_bb) == (1.0, 1.0)


def test_whom_a_history_names():
    finder = HeroFinder()
    for hand in (WALK, LIMPED, OPENED):
        finder.see(hand)
        assert finder.of(hand) == "Cy"  # who folds, and whose cards are known all the same
    showdown = played(
        *FOLDED, (SAM, C), (BEA, C), *[(SAM, C), (BEA, C)] * 3, board="2c7d9hTsKd", holdings={0: "AsAh", 1: "QsQh"}
    )
    finder.see(showdown)
    assert finder.of(showdown) == "Cy"  # whose cards are not in this one


def test_a_hand_that_names_its_hero_is_believed():
    finder = HeroFinder()
    named = played(*FOLDED, (SAM, F), holdings={DEE: "AsAh"}, hero="Dee")
    for hand in (WALK, LIMPED, OPENED, named):  # the others would name Cy
        finder.see(hand)
    assert finder.of(named) == "Dee"
    assert finder.of(WALK) == "Dee"  # who plays there, too, without cards that are known
    elsewhere = pm.Hand("made up", "9", GameSpec.no_limit(2, 50, 100), ("Ann", "Cy"), [Action(0, F)], hero="Ann")
    finder.see(elsewhere)
    assert finder.of(elsewhere) == "Ann"
    assert HeroFinder("Bea").of(named) == "Bea"
    strangers = pm.Hand(
        "made up", "10", GameSpec.no_limit(2, 50, 100), ("Flo", "Cy"), [Action(0, F)], holdings={1: "7c2d"}
    )
    assert finder.of(strangers) is None


def test_as_whom_a_hand_is_read():
    assert hero_of(WALK) is None  # only known, not named
    assert hero_of(played(*FOLDED, (SAM, F), holdings={CY: "7c2d"}, hero="Cy")) == "Cy"
    assert hero_of(played(*FOLDED, (SAM, F), holdings={CY: "7c2d"}, hero="Dee")) is None


def test_who_showed_is_nobody_that_is_named():
    showdown = played(
        *FOLDED, (SAM, C), (BEA, C), *[(SAM, C), (BEA, C)] * 3, board="2c7d9hTsKd", holdings={0: "AsAh", 1: "QsQh"}
    )
    finder = HeroFinder()
    finder.see(showdown)
    assert finder.of(showdown) is None
    shown_once = played(*FOLDED, (SAM, 300), (BEA, F), holdings={SAM: "AsAh"})  # of his own will
    for hand in (shown_once, *[played(*FOLDED, (SAM, F))] * 3):
        finder.see(hand)
    assert finder.of(shown_once) is None


def test_a_source_that_has_all_cards_names_nobody():
    finder = HeroFinder()
    deck = {SAM: "AsAh", BEA: "QsQh", UMA: "2c3c", CY: "7c2d"}
    for hand in (played(*FOLDED, (SAM, F), holdings=deck), played(*FOLDED, (SAM, F), holdings={SAM: "AsAh"})):
        finder.see(hand)
    assert finder.of(hand) is None


def test_who_is_asked_for():
    finder = HeroFinder("Bea")
    finder.see(WALK)
    assert finder.of(WALK) == "Bea"
    assert HeroFinder("Zoe").of(WALK) is None


def rows(name):
    found = []
    for number, hand in enumerate((WALK, LIMPED, OPENED, RERAISED, FOUR), 1):
        hero = HeroHand.of(hand, name).to_dict() if number != 1 else None
        found.append(hand_row(number, hand) | {"hero": hero})
    return found


def test_sorting():
    def order(by, name="Uma"):
        return [row["number"] for row in sorted_rows(rows(name), by)]

    assert order("loss") == [4, 5, 2, 3, 1]  # who lost as much stays in order, and what is not known is last
    assert order("win") == [3, 2, 4, 5, 1]
    assert order("loss-bb") == order("loss")
    assert order("pot")[0] == 5
    assert order("number") == [1, 2, 3, 4, 5]
    assert {row["number"] for row in sorted_rows(rows("Cy"), "holding")} == {1, 2, 3, 4, 5}
    for by in SORTS:
        assert len(sorted_rows(rows("Sam"), by)) == 5


def test_totals():
    totals = HeroTotals()
    for row in rows("Cy"):
        totals.add(row)
    assert totals.hands == 5
    cy = totals.to_dict()["Cy"]
    assert (cy["hands"], cy["net"], cy["net_bb"]) == (4, {"": 1350.0}, 13.5)
    assert cy["without_cards"]["hands"] == 0
    totals = HeroTotals()
    for row in rows("Uma"):
        totals.add(row)
    assert totals.to_dict()["Uma"]["without_cards"]["hands"] == 4


def test_hands_that_ship():
    """In all 40 hands the history names Robin."""
    for name in ("no-limit.txt", "limit.txt"):
        path = resources.files("pokermodel").joinpath("data", "samples", name)
        finder, hands = HeroFinder(), list(pm.open_hands(path))
        for hand in hands:
            finder.see(hand)
        assert {finder.of(hand) for hand in hands} == {"Robin"}
        assert all(HeroHand.of(hand, "Robin").holding for hand in hands)
