"""What hands add, as bytes and in sums."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core.hand_counts import Tally, pack, renumbered, seats, with_numbers, without_numbers
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.learning._editions import Editions
from pokermodel.learning._players import _Batch
from pokermodel.learning.statistics import Contribution, PlayerStatistics, contributions, totals
from tests.common.added import packed
from tests.common.books import HANDS

FOLD, CALL, RAISE = Act


def test_a_bet_into_an_empty_pot_is_no_share_of_it():
    spec = GameSpec((0, 0), (10,) * 4, (0, 1, 1, 1), structure="no limit", stacks=(100, 100))
    hand = Hand("t", "1", spec, ("Ann", "Bob"), [Action(0, RAISE, to=25), Action(1, FOLD)])
    ann, _ = contributions(hand, list(hand.replay()))
    assert totals([ann])[0] == 0
    with pm.Book("sqlite://") as book:
        assert book.learn([hand], kinds=["statistics"]) == (1, 0)
        profile = book.profile("Ann")
        assert profile.sizes["open_size"].median == 2.5
        assert profile.sizes["preflop_raise_size"].number == 0


def test_records_are_what_they_say():
    hand = PlayerStatistics.evidence(HANDS[3], list(HANDS[3].replay()))
    record = with_numbers(b"head", [7, 2**32 - 1, 0], hand.added)
    assert without_numbers(record, 4) == ([7, 2**32 - 1, 0], hand.added)
    assert [Contribution(name, *each) for name, each in zip(hand.names, seats(hand.added), strict=True)] == [
        *hand.players
    ]
    for wrong in record[:-1], record[:7], record + b"\0":
        with pytest.raises(ValueError, match="cut short"):
            without_numbers(wrong, 4)
    with pytest.raises(ValueError, match="cut short"):
        without_numbers(record, len(record) + 1)
    for ids in [1, 2], [1, 2, 3, 4]:
        with pytest.raises(ValueError, match=r"cut short|do not fit"):
            with_numbers(b"", ids, hand.added)
    with pytest.raises(ValueError, match="number of a player"):
        with_numbers(b"", [1, 2, -1], hand.added)


counters = st.integers(0, 2**14)


@given(
    st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.lists(counters, max_size=9), st.sets(counters))),
    st.sampled_from([0, 1 << 11]),
)
def test_what_is_packed_is_read_again(players, page):
    added = [(won, [page + each for each in (*listed, *sorted(once))]) for won, listed, once in players]
    textbook = [struct.pack(f"<qH{len(found)}H", won, len(found), *found) for won, found in added]
    won, *parts = map(list, zip(*players, strict=True)) if players else ([], [], [])
    assert pack(won, parts, page) == b"".join(textbook)
    assert seats(pack(won, parts, page)) == [(won, tuple(found)) for won, found in added]


def test_what_cannot_be_packed():
    for won, found, match in [
        (2**63, [], "what is won must be"),
        (0.5, [], "what is won must be"),
        (0, [1, 65_536], "a counter must be"),
        (0, {-1}, "a counter must be"),
        (0, [1] * 65_536, "65,535 counters"),
    ]:
        with pytest.raises(ValueError, match=match):
            pack([0, won], [[[], found]])
    with pytest.raises(ValueError, match="a counter must be a whole number from -10 to 65525"):
        pack([0], [[[65_526]]], 10)
    with pytest.raises(ValueError, match="shorter"):
        pack([0, 1], [[[1]]])


def tally(**other):
    numbers = {"won": 300, "squares": 301, "showdown": 302, "showdown_won": 303, "showdown_squares": 304, "flops": 5}
    return Tally([0, 1 << 11, 1 << 12], **(numbers | {"letters": b"\0ab"} | other))


def taken(some):
    keys, counts = np.empty((2, len(some)), dtype=np.int64)
    some.take(keys, counts)
    return {(key >> 16, key & 0xFFFF): count for key, count in zip(keys.tolist(), counts.tolist(), strict=True)}


def test_a_tally_counts_money_and_actions():
    some = tally()
    many = (5, *[1, 2] * 50)
    assert some.learn([9, 4], packed((-1_500_000, (5, 1, 2, 302)), (10**12, many))) == [(9, "ab"), (4, "ab" * 50)]
    assert some.learn([9], packed((500_000, ((1 << 11) + 302, 1)))) == []  # no flop of limit
    some.add(4, 1, -50)
    nine = {5: 1, 1: 2, 2: 1, 302: 1, 300: -1_500_000, 301: 2250, 303: -1_500_000, 304: 2250}
    nine |= {2350: 1, 2348: 500_000, 2349: 250, 2351: 500_000, 2352: 250}
    four = {5: 1, 1: 0, 2: 50, 300: 10**12, 301: 10**15}
    assert taken(some) == {(id, counter): n for id, found in ((9, nine), (4, four)) for counter, n in found.items()}


@settings(max_examples=20)
@given(st.integers(0, 10**9))
def test_a_tally_adds_as_python_does(seed):
    rng = random.Random(seed)
    some, expected = tally(won=21, squares=22, showdown=3, showdown_won=23, showdown_squares=24), {}
    for _ in range(rng.choice([3, 300])):
        players = [(rng.randint(-(10**12), 10**12), (5, rng.randrange(6), rng.randrange(40_000))) for _ in range(3)]
        ids = rng.sample(range(10**6), 3)
        some.learn(ids, packed(*players))
        for id, (won, counters) in zip(ids, players, strict=True):
            square = (won * won + 500_000_000) // 1_000_000_000
            more = [*((counter, 1) for counter in counters), (21, won), (22, square)]
            more += [(23, won), (24, square)] if 3 in counters else []
            for counter, count in more:
                expected[id, counter] = expected.get((id, counter), 0) + count
    assert taken(some) == expected


def test_what_a_tally_refuses():
    some = tally()
    for ids, added, match in [
        ([1], packed((0, (1,)))[:-1], "cut short"),
        ([1, 2], packed((0, (1,))), "cut short"),
        ([1], packed((0, (1,)), (0, (1,))), "do not fit"),
        ([-1], packed((0, (1,))), "number of a player"),
        ([1], packed((10**14, (1,))), "more than can be kept"),
    ]:
        with pytest.raises(ValueError, match=match):
            some.learn(ids, added)
    with pytest.raises(ValueError, match="arrays of"):
        some.take(np.empty(len(some) + 1, dtype=np.int64), np.empty(len(some), dtype=np.int64))


def test_totals_are_those_of_a_tally():
    """A hand's counters come to the same, one by one and in a batch."""
    hand = PlayerStatistics.evidence(HANDS[3], list(HANDS[3].replay()))
    some = _Batch(None, Editions())._tally
    some.learn(range(len(hand.names)), hand.added)
    expected = {(id, counter): n for id, added in enumerate(hand.players) for counter, n in totals([added]).items()}
    assert taken(some) == expected


NOWHERE = 0xFFFF


def table_of(moves):
    """What becomes of counters: nothing but what is said."""
    table = np.full(1 << 16, NOWHERE, dtype=np.uint16)
    for counter, other in moves.items():
        table[counter] = other
    return table


moved = st.dictionaries(st.integers(0, 60), st.integers(0, NOWHERE - 1))
added = st.lists(st.tuples(st.integers(-(10**9), 10**9), st.lists(st.integers(0, 60), max_size=20)), max_size=5)


@given(players=added, one=moved, other=moved, data=st.data())
def test_counters_that_are_others(players, one, other, data):
    """One by one, as a dictionary would do it; of what a hand added before, what is kept comes last."""
    before = [(0, data.draw(st.lists(st.integers(0, 60), max_size=20))) for _ in players]

    def named(counters, moves):
        return tuple(moves[counter] for counter in counters if counter in moves)

    assert seats(renumbered(packed(*players), table_of(one))) == [(won, named(found, one)) for won, found in players]
    both = renumbered(packed(*players), table_of(one), packed(*before), table_of(other))
    assert seats(both) == [
        (won, named(found, one) + named(kept, other)) for (won, found), (_, kept) in zip(players, before, strict=True)
    ]


def test_what_renumbering_refuses():
    two, one = packed((5, [1, 2]), (-5, [3])), packed((5, [1]))
    same = table_of({counter: counter for counter in range(10)})
    assert renumbered(two, same) == two
    for cut in range(1, len(two)):
        if cut != 10 + 2 * 2:  # the end of the first seat
            with pytest.raises(ValueError, match="cut short"):
                renumbered(two[:cut], same)
    with pytest.raises(ValueError, match="of other seats than before"):
        renumbered(one, same, two, same)
    with pytest.raises(ValueError, match="cut short"):
        renumbered(two, same, one, same)
    with pytest.raises(ValueError, match="expected a table of 65,536 counters, got 10"):
        renumbered(two, same[:10])
    with pytest.raises(ValueError, match="expected a table of 65,536 counters, got 10"):
        renumbered(two, same, two, same[:10])
    with pytest.raises(ValueError, match="expected a table of 65,536 counters, got 0"):
        renumbered(two, same, two)
    many = pack([0], [[[1] * 40_000]])
    with pytest.raises(ValueError, match="65,535 counters of a player at most, got 80000"):
        renumbered(many, same, many, same)
