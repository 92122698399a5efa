"""What a text says of the money, beside the replay."""

from __future__ import annotations

import re

import pytest

from pokermodel.histories._words import ONE
from pokermodel.histories.winnings import Replayed, Winnings

NAMES = ("Ann", "Bob")


def replayed(committed=(10, 10), uncalled=(0, 0), showdown=True, slack=0, left_out=(), spared=()):
    return Replayed(NAMES, committed, uncalled, ONE, showdown, slack, dict(left_out), dict(spared))


def said(**attributes):
    found = Winnings(NAMES, ONE)
    for name, value in attributes.items():
        setattr(found, name, value)
    return found


def test_rake_is_what_nobody_collects():
    winnings = said(pot=20 * ONE)
    winnings.collect("Ann", 19 * ONE)
    assert winnings.settle(replayed()) == [9.0, -10.0]
    assert winnings.rake == ONE


def test_a_summary_counts_if_no_line_above_does():
    winnings = said()
    winnings.collect("Bob", 20 * ONE, summary=True)
    assert winnings.settle(replayed()) == [-10.0, 10.0]
    winnings = said()
    winnings.collect("Ann", 19 * ONE)
    winnings.collect("Ann", 20 * ONE, summary=True)
    assert winnings.settle(replayed()) == [9.0, -10.0]


@pytest.mark.parametrize("included", [True, None])
def test_uncalled_bet_can_be_in_what_is_collected(included):
    winnings = said(uncalled_collected=included)
    winnings.collect("Ann", 25 * ONE)
    assert winnings.settle(replayed((15, 10), (5, 0), showdown=False)) == [10.0, -10.0]
    assert winnings.rake == 0


def test_nets_stand_for_what_is_collected():
    winnings = said()
    winnings.net("Ann", 10 * ONE)
    winnings.net("Bob", -10 * ONE)
    assert winnings.settle(replayed()) == [10.0, -10.0]


def test_winners_pay_a_rake_that_is_in_what_they_collect():
    winnings = said(rake=2 * ONE)
    winnings.collect("Ann", 15 * ONE)
    winnings.collect("Bob", 5 * ONE)
    winnings.take_rake_from_collected()
    assert dict(winnings.collected) == {"Ann": 13.5 * ONE, "Bob": 4.5 * ONE}


@pytest.mark.parametrize(
    ("attributes", "collected", "played", "message"),
    [
        ({}, {}, replayed(), "the text does not say who wins"),
        ({"pot": 30 * ONE}, {"Ann": 20 * ONE}, replayed(), "the text has a pot of 30, the replay one of 20"),
        ({}, {"Ann": 21 * ONE}, replayed(), "the text has 21 collected, the replay a pot of 20"),
        ({"rake": 3 * ONE}, {"Ann": 19 * ONE}, replayed(), "19 collected and a rake of 3, the replay a pot of 20"),
    ],
)
def test_sums_that_are_not_those_of_the_replay(attributes, collected, played, message):
    winnings = said(**attributes)
    for name, money in collected.items():
        winnings.collect(name, money)
    with pytest.raises(ValueError, match=re.escape(message)):
        winnings.settle(played)


def test_another_bet_is_returned():
    winnings = said()
    winnings.collect("Ann", 20 * ONE)
    winnings.give_back("Ann", 4 * ONE)
    with pytest.raises(ValueError, match="4 to Ann is returned as uncalled, expected 5 to Ann"):
        winnings.settle(replayed((15, 10), (5, 0)))


def test_a_pot_may_be_off_by_the_slack():
    winnings = said(pot=20 * ONE + 3)
    winnings.collect("Ann", 20 * ONE)
    assert winnings.settle(replayed(slack=3)) == [10.0, -10.0]
    winnings = said(pot=20 * ONE + 4)
    winnings.collect("Ann", 20 * ONE)
    with pytest.raises(ValueError, match="a pot of 20"):
        winnings.settle(replayed(slack=3))


def test_rounded_winnings_are_corrected():
    """Two halves of a pot of 21 chips that are rounded up."""
    winnings = said(rounding=ONE, rake=0)
    winnings.collect("Ann", 11 * ONE)
    winnings.collect("Bob", 11 * ONE)
    winnings.settle(replayed((11, 10)))
    assert sum(winnings.collected.values()) == 21 * ONE


def test_who_has_no_seat_collects_nothing():
    with pytest.raises(ValueError, match="Zoe has no seat"):
        said().collect("Zoe", ONE)
