"""Winnings after the rake, all-in EV and the rake of books, against sums over the hands themselves."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._support.student import t_quantile
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.learning.winnings import Winnings, winnings_course

NAMES = ("Ann", "Bob", "Cid")
STATISTICS = ["statistics"]


def played(number: int, rng: random.Random) -> Hand:
    """A hand of three in which many are all-in, and the site takes a twentieth of the pot."""
    spec = GameSpec.no_limit(3, 1, 2, stacks=tuple(rng.choice((15, 40, 100)) for _ in NAMES))
    state, actions = State(spec), []
    while not state.over:
        most = state.raise_range()
        what = rng.choice((Act.FOLD, Act.CALL, Act.CALL, Act.RAISE, Act.RAISE))
        if what is Act.RAISE and most is not None:
            to = rng.choice(most)
            actions.append(Action(state.seat, what, to=to))
            state.act(what, to)
        else:
            what = Act.CALL if what is Act.RAISE or not state.to_call else what
            actions.append(Action(state.seat, what))
            state.act(what)
    deck = rng.sample(range(52), 11)
    hand = Hand("test", str(number), spec, NAMES, actions, deck[:5], {k: deck[5 + 2 * k : 7 + 2 * k] for k in range(3)})
    if number % 3 == 0:
        return hand  # whose rake is not stated
    stated = list(hand.payoffs)
    winner = max(range(3), key=lambda seat: stated[seat])
    stated[winner] -= hand.pot_chips / 20
    return Hand(*hand._content()[:8], stated, *hand._content()[9:])


HANDS = [played(number, random.Random(number)) for number in range(300)]


def mean(values):
    """The mean for 100 of them, and its interval."""
    n, middle = len(values), math.fsum(values) / len(values)
    half = t_quantile(n - 1) * math.sqrt(math.fsum((x - middle) ** 2 for x in values) / (n - 1) / n)
    return [100 * middle, 100 * (middle - half), 100 * (middle + half)]


@pytest.fixture(scope="module")
def book():
    with pm.Book("sqlite://") as book:
        book.learn(HANDS, kinds=STATISTICS)
        yield book


@pytest.mark.parametrize("name", NAMES)
def test_a_book_says_what_hands_say(book, name):
    seat = NAMES.index(name)
    net = [hand.net_chips[seat] / 2 for hand in HANDS]
    ev = [hand.all_in_ev_chips[seat] / 2 for hand in HANDS]
    found = Winnings.of(book.profile(name))
    assert (found.unit, found.short, found.hands, found.unstated_rakes) == ("big blinds", "bb", 300, 100)
    assert found.net == pytest.approx(math.fsum(net))
    assert found.all_in_ev == pytest.approx(math.fsum(ev), abs=1e-3)
    assert found.all_in_ev != pytest.approx(found.net, abs=1)
    paid = [hand.rake_paid_chips for hand in HANDS]
    assert found.rake == pytest.approx(math.fsum(each[seat] / 2 for each in paid if each is not None), abs=1e-3)
    all_ins = [hand for hand in HANDS if hand.all_in is not None and seat in hand._final().active]
    assert (found.all_ins, found.unknown_all_ins) == (len(all_ins), 0)
    for figure, values in (found.per_100, net), (found.ev_per_100, ev):
        assert [figure.value, figure.low, figure.high] == pytest.approx(mean(values), abs=1e-2)
    assert found.to_dict()["per_100"]["value"] == found.per_100.value


def test_the_course_ends_with_the_sums(book):
    course = book.course("Ann").winnings
    assert (course[0], len(course)) == ((0, 0, 0), 201)
    assert course[-1].hands == 300
    assert course[-1].net == pytest.approx(math.fsum(hand.net_chips[0] / 2 for hand in HANDS))
    assert course[-1].all_in_ev == pytest.approx(math.fsum(hand.all_in_ev_chips[0] / 2 for hand in HANDS), abs=1e-3)
    assert winnings_course(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)) == ((0, 0, 0),)


def test_order_and_merging_change_nothing(book):
    """What is merged from two books is what one has learnt, to the bit."""
    with pm.Book("sqlite://") as one, pm.Book("sqlite://") as other:
        one.learn(HANDS[200:], kinds=STATISTICS)
        other.learn(HANDS[:250], kinds=STATISTICS)
        one.merge(other)
        for name in NAMES:
            assert Winnings.of(one.profile(name)) == Winnings.of(book.profile(name))
        one.check()


def test_cards_that_are_not_known_are_counted():
    hand = next(hand for hand in HANDS if hand.all_in is not None and hand.stated_payoffs is not None)
    left = hand._final().active
    content = list(hand._content())
    content[6] = {left[0]: hand.holdings[left[0]]}
    content[9] = left[1:]
    with pm.Book("sqlite://") as book:
        book.learn([Hand(*content)], kinds=STATISTICS)
        found = Winnings.of(book.profile(NAMES[left[0]]))
    assert (found.all_ins, found.unknown_all_ins) == (1, 1)
    assert found.all_in_ev == found.net
