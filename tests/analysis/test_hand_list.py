"""Lists of hands: every hand once, in order, with what the hands themselves add up to."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise

import pytest

from pokermodel.analysis.hand_list import SORTS, hand_list, hand_place
from pokermodel.game import Hand
from pokermodel.histories import Filter
from pokermodel.library import Book
from tests.common.random_hands import wild_hand

HERO = "Robin"


@cache
def hands() -> tuple[Hand, ...]:
    """Hands of Robin, of which some have the same time, and some none."""
    found = []
    for seed in range(150):
        rng = random.Random(seed)
        hand = wild_hand(rng, seed)
        names = [
            HERO,
            *rng.sample(["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gil", "Hal", "Ida"], len(hand.players) - 1),
        ]
        rng.shuffle(names)
        time = datetime(2031, 1, 2, seed % 5, tzinfo=UTC) if seed % 4 else None
        words = ("source", "id", "spec", "players", "actions", "board", "holdings")
        values = dict(zip(words, hand._content(), strict=False))
        more = {name: getattr(hand, name) for name in ("stacks", "stated_payoffs", "mucked", "added")}
        more |= {name: getattr(hand, name) for name in ("second_board", "third_board")}
        found.append(Hand(**{**values, "id": f"{seed}", "players": names}, **more, time=time, hero=HERO))
    return tuple(found)


@cache
def book() -> Book:
    found = Book("sqlite://")
    found.add(hands())
    return found


def net(hand: Hand) -> float:
    return hand.net_chips[hand.players.index(HERO)] / hand.spec.small_bet


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("where", ["", f"hero={HERO}", "won>5bb", "line!=f", "player=Ann"])
def test_every_hand_is_listed_once_in_order(where, sort):
    which = Filter(where)
    meant = {hand.id for hand in hands() if which(hand)}
    listed, after = [], None
    while True:
        found = hand_list(book(), where, sort=sort, after=after, most=23)
        assert (found.total, found.all, found.where) == (len(meant), len(hands()), str(which))
        listed += found.hands
        after = found.next
        if after is None:
            break
        assert len(found.hands) == 23
    assert len(listed) == len(meant)
    assert {hand.number for hand in listed} == meant
    none = -(10**18)
    keys = {
        "time": [(-(hand.time or none) if hand.time is not None else -none, -hand.hand) for hand in listed],
        "oldest": [(hand.time if hand.time is not None else none, -hand.hand) for hand in listed],
        "lost": [(hand.net, -hand.hand) for hand in listed],
        "won": [(-hand.net, -hand.hand) for hand in listed],
        "pot": [(-hand.pot, -hand.hand) for hand in listed],
    }[sort]
    assert keys == sorted(keys)
    for one, two in list(pairwise(listed))[::29]:
        place = hand_place(book(), two.site, two.number, where, sort=sort)
        assert place.before == (one.site, one.number)
        assert hand_place(book(), one.site, one.number, where, sort=sort).after == (two.site, two.number)
    if listed:
        assert hand_place(book(), listed[0].site, listed[0].number, where, sort=sort).before is None
        assert hand_place(book(), listed[-1].site, listed[-1].number, where, sort=sort).after is None


def test_what_was_won():
    """As the hands add up; no rate of few hands."""
    found = hand_list(book(), f"hero={HERO}")
    assert found.sums.net == pytest.approx(sum(map(net, hands())))
    assert found.sums.luck == pytest.approx(found.sums.net - found.sums.all_in_ev)
    assert found.sums.per_100 == pytest.approx(100 * found.sums.net / 150)
    low, high = found.sums.ci95
    assert low < found.sums.per_100 < high
    few = hand_list(book(), f"hero={HERO} pot=3-bet")
    assert 0 < few.total < 100
    assert few.sums.per_100 is None
    assert few.sums.ci95 is None
    assert hand_list(book(), "hero=Nobody").sums.net == 0
    assert hand_list(book(), 'hero=""').sums is None


def test_a_hand_as_its_hero_played_it():
    hand = next(hand for hand in hands() if hand.board)
    (line,) = hand_list(book(), f"id={hand.id}").hands
    assert (line.player, line.net) == (HERO, pytest.approx(net(hand), abs=1e-6))
    assert line.site == hand.source
    told = hand_list(book(), f"id={hand.id}").to_dict()
    assert told["hands"][0]["number"] == hand.id
    assert told["total"] == 1
    assert told["hands"][0]["time"] in (None, hand.time.isoformat() if hand.time else None)
    (line,) = hand_list(book(), f'hero="" id={hand.id}').hands
    assert (line.player, line.net, line.cards) == ("", None, None)


def test_hands_that_arrive_move_nothing():
    own = Book("sqlite://")
    own.add(hands()[:100])
    first = hand_list(own, f"hero={HERO}", sort="lost", most=30)
    expected = hand_list(own, f"hero={HERO}", sort="lost", after=first.next, most=30)
    own.add(hands()[100:])
    found = hand_list(own, f"hero={HERO}", sort="lost", after=first.next, most=100)
    assert set(expected.hands) <= set(found.hands)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"where": "hero"}, "hero"),
        ({"sort": "luck"}, "unknown order: 'luck', expected time, oldest, lost, won, pot"),
        ({"after": "x"}, "unknown place in a list: 'x'"),
        ({"after": "9999999999999999999.1"}, "unknown place"),
        ({"after": "1.99999999999"}, "unknown place"),
        ({"where": 'hero=""', "sort": "lost"}, "the order 'lost' is of a hero: expected hero=NAME"),
    ],
)
def test_what_is_no_list(options, words):
    with pytest.raises(ValueError, match=words):
        hand_list(book(), **options)


def test_no_such_hand():
    with pytest.raises(KeyError):
        hand_place(book(), "nowhere", "1")
    other = hands()[0]
    assert hand_place(book(), other.source, other.id, "id=none") == (
        hand_place(book(), other.source, other.id, "id=none")
    )


def test_an_empty_book():
    found = hand_list(Book("sqlite://"))
    assert (found.all, found.total, found.hands, found.next) == (0, 0, (), None)
