"""What was matched and went back, what the site took, what an all-in was worth: against slow versions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.dealing import Deals
from pokermodel._core.equity import count_runouts
from pokermodel.cards import card_indices
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.game.pots import _shares, expected_winnings, pots, uncalled
from pokermodel.histories import ohh, phh

R, C, F = Act.RAISE, Act.CALL, Act.FOLD


def hand_of(spec, acts, board="", holdings=None, **more):
    """A hand of acts, each an act, what a raise goes to, or all chips."""
    state = State(spec, more.get("stacks"))
    actions = []
    for each in acts:
        most = state.raise_range()
        act = each if each != "all-in" else C if most is None else most[1]
        raises = not isinstance(act, Act)
        actions.append(Action(state.seat, R if raises else act, to=act if raises else None))
        state.act(R if raises else act, act if raises else None)
    names = [f"p{seat}" for seat in range(spec.players)]
    return Hand("test", "1", spec, names, actions, board, holdings or {}, **more)


SIDE_POTS = {0: "AhAd", 1: "KhKd", 2: "QhQd", 3: "7c2d"}


def side_pots(**more):
    """Three are all-in for different stacks before the flop; the button has folded, the last bet is not called."""
    spec = GameSpec.no_limit(4, 1, 2, stacks=(30, 100, 250, 500))
    board = "3c4s8d9cJs"
    return hand_of(spec, [250, F, C, C], board, {k: SIDE_POTS[k] for k in (0, 1, 2)}, unit=Fraction(1, 100), **more)


def test_what_is_matched():
    """A bet that nobody calls is in no pot."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(200, 200, 200))
    hand = hand_of(spec, [6, F, C, C, 150, F], "2c3c4c")
    assert (hand.pot_chips, sum(hand.uncalled_chips)) == (13, 150)
    assert hand.uncalled_chips == (0, 0, 150)
    assert hand.payoffs == hand.net_chips == (-1, -6, 7)
    cents = hand_of(spec, [6, F, C, C, 150, F], "2c3c4c", unit=Fraction(1, 100), stated_payoffs=(-1, -6, 6))
    assert (cents.pot, cents.uncalled, cents.rake, cents.net) == (0.13, 1.5, 0.01, (-0.01, -0.06, 0.06))
    assert isinstance(cents.pot, float)
    walk = hand_of(spec, [F, F])
    assert (walk.pot_chips, walk.uncalled_chips, walk.net_chips) == (2, (0, 1, 0), (-1, 1, 0))


def test_rake_that_is_not_stated():
    hand = side_pots()
    assert hand.rake is hand.rake_chips is None
    assert hand.net == tuple([chips / 100 for chips in hand.payoffs])


def test_what_the_site_adds():
    """The rake is never negative: what a site adds to a pot is not a rake below nothing."""
    hand = side_pots(stated_payoffs=(100, 140, -100, 0), added=150)
    assert hand.rake_chips == 10
    again = phh.loads(hand.to_phh())
    assert (again.added, again.rake_chips) == (150, 10)


def test_pots_are_whose_they_can_be():
    hand = side_pots()
    end = hand._final()
    assert [(pot.chips, pot.seats) for pot in pots(end)] == [(90, (0, 1, 2)), (140, (1, 2)), (150, (2,))]
    assert uncalled(end) == [0, 0, 150, 0]
    assert (hand.pot_chips, sum(hand.uncalled_chips)) == (230, 150)


def slow_ev(hand, cards):
    """All-in EV, board by board, paid by the rules each time."""
    end = hand._final()
    board = hand.board[:cards]
    gone = {*board, *(card for seat in end.active for card in hand.holdings[seat])}
    deck = [card for card in range(52) if card not in gone]
    boards = list(combinations(deck, 5 - cards))
    sums = [0.0] * hand.spec.players
    for rest in boards:
        ranks = [0] * hand.spec.players
        for seat in end.active:
            ranks[seat] = pm.evaluate([*board, *rest, *hand.holdings[seat]])
        for seat, won in enumerate(end.payoffs(ranks)):
            sums[seat] += won
    return [each / len(boards) for each in sums]


@pytest.mark.parametrize(
    ("acts", "cards", "last"), [([C] * 4 + ["all-in"] * 4, 3, 1), ([C] * 8 + ["all-in"] * 4, 4, 2)]
)
def test_all_in_ev_is_the_mean_over_all_boards(acts, cards, last):
    spec = GameSpec.no_limit(4, 1, 2, stacks=(20, 41, 62, 62))
    hand = hand_of(spec, acts, "3c4s8d9cJs", SIDE_POTS)
    assert hand.all_in == last
    assert hand.all_in_ev_chips == pytest.approx(slow_ev(hand, cards))
    assert math.fsum(hand.all_in_ev_chips) == pytest.approx(0)


def test_all_in_before_the_flop():
    """Equity of two, and of side pots: what `equity` says."""
    hand = side_pots()
    assert hand.all_in == 0
    three = pm.equity(["AhAd", "KhKd", "QhQd"]).equity
    two = pm.equity(["KhKd", "QhQd"], dead="AhAd").equity
    expected = [90 * three[0] - 30, 90 * three[1] + 140 * two[0] - 100, 90 * three[2] + 140 * two[1] - 100, 0]
    assert hand.all_in_ev_chips == pytest.approx(expected)


@pytest.mark.parametrize(("board", "dead"), [("", ""), ("", "3c4dAs"), ("2h7d9c", ""), ("2h7d9cJs", "AsKc")])
def test_two_holdings_as_several(board, dead):
    """The kernel that takes two holdings counts the same boards as the one that takes several."""
    holdings = tuple(sorted(card_indices("KhQh"))), tuple(sorted(card_indices("8s8d")))
    cards, gone = tuple(sorted(card_indices(board))), tuple(sorted(card_indices(dead)))
    weights = np.zeros((2, 1326))
    for row, holding in zip(weights, holdings, strict=True):
        row[pm.cards.holding_index(holding)] = 1.0
    won = np.empty((2, 2, 3))
    count_runouts(Deals(weights, cards, gone, True), won)
    expected = (won[0, :, 1] + won[0, :, 2] / 2) / won[0, 0].sum()
    assert _shares(holdings, cards, gone) == tuple(expected.tolist())


def test_rake_is_taken_in_proportion():
    hand = side_pots(stated_payoffs=(55, 35, -100, 0))
    assert hand.rake_chips == 10
    found = expected_winnings(hand._final(), hand.holdings, ())
    share = 220 / 230
    assert hand.all_in_ev_chips[2] == pytest.approx(share * (found[2] - 150) - 100)
    assert math.fsum(hand.all_in_ev_chips) == pytest.approx(-10)
    assert hand.all_in_ev[0] == pytest.approx(hand.all_in_ev_chips[0] / 100)


def test_cards_that_are_not_known():
    """Who is all-in has no EV where somebody has not shown; who has folded has."""
    spec = GameSpec.no_limit(4, 1, 2, stacks=(30, 100, 250, 500))
    hand = hand_of(spec, [250, F, C, C], "3c4s8d9cJs", {0: "AhAd"}, mucked=(1, 2), stated_payoffs=(200, -30, -170, 0))
    assert hand.all_in_ev == (None, None, None, 0)


def test_betting_that_was_open():
    """A bet on the river, or a side pot in which betting went on: what was won."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=(20, 100, 100))
    river = hand_of(spec, [C, C, C, *[C] * 6, 18, C, C], "3c4s8d9cJs", {0: "AhAd", 1: "KhKd", 2: "QhQd"})
    assert river.all_in is None
    assert river.all_in_ev_chips == river.net_chips
    goes_on = hand_of(spec, [20, C, C, *[C] * 6], "3c4s8d9cJs", {0: "AhAd", 1: "KhKd", 2: "QhQd"})
    assert goes_on.all_in is None
    assert goes_on.all_in_ev_chips == goes_on.payoffs


def test_limit_and_blinds_that_are_all_of_it():
    spec = GameSpec((5, 10), (10, 10, 20, 20), (0, 1, 1, 1))
    hand = hand_of(spec, [], "3c4s8d9cJs", {0: "AhAd", 1: "KhKd"}, stacks=(5, 5))
    assert hand.all_in == 0
    assert hand.all_in_ev_chips[0] == pytest.approx(10 * pm.equity(["AhAd", "KhKd"]).equity[0] - 5)


def test_what_is_added_is_written():
    hand = side_pots(stated_payoffs=(100, 140, -100, 0), added=150)
    again = ohh._hand(ohh.JSON.decode(hand.to_ohh()))
    assert (again.added, again.rake_chips) == (150, 10)
