"""The compiled walk through a hand counts what plain Python counts, to the last counter."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core.hand_counts import Counters, Tally, rich_context, seats, with_numbers, without_numbers
from pokermodel.game import Act, Action, Decision, GameSpec, Hand, Situation
from pokermodel.learning.bet_sizes import SIZES
from pokermodel.learning.statistics import _COUNTERS, Contribution, HandCounts, PlayerStatistics, contributions, totals
from pokermodel.reading.features import RICH, Features, Replay

from ..common.books import HANDS, played_free
from ..common.counting import packed, textbook_contributions
from ..common.random_hands import plain_hand, wild_hand

FOLD, CALL, RAISE = Act


@pytest.mark.parametrize("make", [plain_hand, wild_hand])
@settings(max_examples=150)
@given(st.integers(0, 10**9))
def test_random_hands(make, seed):
    hand = make(random.Random(seed))
    decisions = list(hand.replay())
    assert contributions(hand, decisions) == textbook_contributions(hand, decisions)


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("irc-199504/sample300", 150),
        ("acpc-2014-3p-limit", 150),
        ("sites-limit", 150),
        ("sites-nolimit", 150),
        ("bovada-limit", 150),
        ("phh/pluribus.dev.tgz", 150),
        ("handhq-nl", 150),
    ],
)
def test_real_hands(data_dir, path, number):
    found = 0
    for hand in islice(pm.open_hands(data_dir / path, strict=False), number):
        decisions = Replay.of(hand, None)
        assert contributions(hand, decisions) == textbook_contributions(hand, decisions)
        found += 1
    assert found > 20


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_sizes_of_large_and_small_chips(seed):
    """Fractions are exact whatever the chips: beyond 53 bits, and at the edges of classes and bins."""
    rng = random.Random(seed)
    big = rng.choice([2, 3, 7, 100, 10**9 + 7, 10**14 + 1])
    spec = GameSpec.no_limit(2, big // 2, big)
    size = rng.choice([scale for kind in SIZES.values() for scale in (*kind.scale.edges, kind.scale.turn)])
    nudge = rng.choice([0, 0, 1, -1, rng.randint(-5, 5)])
    first = max(int(size * big) + nudge, 2 * big)
    flop = max(int(size * 2 * first) + nudge, big)
    actions = [Action(0, RAISE, to=first), Action(1, CALL), Action(1, RAISE, to=flop), Action(0, FOLD)]
    hand = Hand("t", "1", spec, ("Ann", "Bob"), actions, "2c7d9h")
    decisions = list(hand.replay())
    assert contributions(hand, decisions) == textbook_contributions(hand, decisions)


def test_a_bet_into_an_empty_pot_is_no_share_of_it():
    spec = GameSpec((0, 0), (10,) * 4, (0, 1, 1, 1), structure="no limit", stacks=(100, 100))
    hand = Hand("t", "1", spec, ("Ann", "Bob"), [Action(0, RAISE, to=25), Action(1, FOLD)])
    decisions = list(hand.replay())
    (ann, _) = contributions(hand, decisions)
    assert (ann, _) == textbook_contributions(hand, decisions)
    with pm.Book("sqlite://") as book:
        assert book.learn([hand], kinds=["statistics"]) == (1, 0)
        profile = book.profile("Ann")
        assert profile.sizes["open_size"].median == 2.5
        assert profile.sizes["preflop_raise_size"].number == 0


def test_hands_without_an_act():
    """All chips are in by the blinds."""
    for spec in GameSpec.ring(3, 5, 10), GameSpec.no_limit(3, 5, 10):
        cards = {0: "AsAh", 1: "KsKh", 2: "QsQh"}
        hand = Hand("t", "1", spec, ("Ann", "Bob", "Cid"), [(2, FOLD)], "2c7d9hTsKd", cards, (5, 10, 100))
        decisions = list(hand.replay())
        assert contributions(hand, decisions) == textbook_contributions(hand, decisions)
    spec = GameSpec((5, 10), (10, 10, 20, 20), (0, 1, 1, 1), antes=(5, 0))
    hand = Hand("t", "1", spec, ("Ann", "Bob"), [], "2c7d9hTsKd", {0: "AsAh", 1: "KsKh"}, (8, 10))
    assert not list(hand.replay())
    assert contributions(hand, []) == textbook_contributions(hand, [])


@given(st.integers(0, 10**9))
def test_contexts(seed):
    rng = random.Random(seed)
    odds = rng.choice([0.0, 0.12, 0.2, rng.random()])
    sizes = {"round": 4, "bets": 3, "previous": 3, "faced": 2, "aggressor": 3, "players": 24, "num_bets": 6}
    values = {name: rng.randrange(size) for name, size in (sizes | {"position": 23}).items()}
    values |= {"odds": odds, "pot": rng.choice([0.0, 3.0, 6.0, 8 * rng.random()])}
    features = Features(**{name: values.get(name, 0) for name in Features._fields})
    assert rich_context(features) == RICH.encode(features)


def test_rich_is_as_large_as_the_kernel_has_it():
    top = Features(*[10] * 25)._replace(round=3, bets=2, previous=2, faced=1, aggressor=2, num_bets=3)
    assert rich_context(top) == RICH.encode(top) == RICH.size - 1
    with pytest.raises(ValueError, match="no context"):
        rich_context(top._replace(round=4))
    with pytest.raises(ValueError, match="25 features"):
        rich_context((1, 2))


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


#: What is said of anything that is no hand.
REFUSED = r"must be|expected|has two cards|is there twice|is 0, 1 or 2|too much"


def count(hand, decisions=None, **other):
    decisions = Replay(hand.replay()) if decisions is None else decisions
    arguments = {
        "structure": 0 if hand.spec.structure.fixed else 2,
        "small_bet": hand.spec.small_bet,
        "straddled": False,
        "positions": (0, 1, 5),
        "decisions": decisions,
        "features": decisions.features if isinstance(decisions, Replay) else None,
        "payoffs": hand.payoffs,
        "stacks": hand.stacks,
        "forced": (),
        "shown": {},
        "board": hand.board,
    }
    return _COUNTERS.count(**(arguments | other))


FREE = next(
    hand for k in range(99) if (hand := played_free(1, k, ("Ann", "Bob", "Cid"))).showdown and len(hand.actions) > 9
)


@pytest.mark.parametrize("hand", [HANDS[3], FREE])
def test_what_is_no_hand_is_refused(hand):
    """Nothing that Python can hand over is taken for numbers that it is not."""
    assert count(hand)
    replay = Replay(hand.replay())
    for name, wrong in [
        *[("structure", 3), ("structure", -1), ("small_bet", 0), ("small_bet", 2**60), ("small_bet", "1")],
        *[("positions", (0,) * 24), ("positions", (0,)), ("positions", (0, 1, 6)), ("positions", [0, 1, 5])],
        *[("payoffs", (1.0,)), ("payoffs", (1e300, 0.0, 0.0)), ("payoffs", (float("nan"), 0.0, 0.0))],
        *[("stacks", (1,)), ("stacks", (1, 2, -3)), ("stacks", (1, 2, 2**80))],
        *[("shown", {3: (0, 1)}), ("shown", {0: (0, 52)}), ("shown", {0: (0, 0)}), ("shown", {0: (0,)})],
        *[("decisions", [1]), ("decisions", [(1, 2, 3, 4, 5, 6, 7)])],
    ]:
        with pytest.raises(ValueError, match=REFUSED):
            count(hand, **{name: wrong})
    if hand.spec.structure.fixed:
        with pytest.raises(ValueError, match="features of"):
            count(hand, features=replay.features[1:])
        with pytest.raises(ValueError, match="features of"):
            count(hand, features=None)
    for field, values in {
        "seat": (-1, 3, 10**30, None),
        "round": (-1, 4, "0"),
        "to_call": (-1, 2**60),
        "num_bets": (-1, 1.5),
        "bets_to_call": (-1, None),
        "legal": (None,),
        "committed": ((), (-1, 0, 0)),
    }.items():
        for value in values:
            first, last = replay[0], replay[-1]
            for one in first, last:
                changed = Decision(*one[:3], one.situation._replace(**{field: value}), *one[4:])
                some = [changed if each is one else each for each in replay]
                if field == "committed" and one is first:
                    continue  # it is looked at where the hand ends
                with pytest.raises(ValueError, match=REFUSED):
                    count(hand, some, features=replay.features)
    for place, values in {4: (3, -1, "call"), 5: (-1, 2**60, None)}.items():
        for value in values:
            changed = Decision(*replay[0][:place], value, *replay[0][place + 1 :])
            with pytest.raises(ValueError, match=REFUSED):
                count(hand, [changed, *replay[1:]], features=replay.features)


def test_a_showdown_needs_its_board():
    hand = next(each for each in HANDS if each.showdown)
    shown = dict(hand.holdings)
    replay = Replay(hand.replay())
    assert count(hand, replay, shown=shown)
    assert replay[-1].round == 3
    with pytest.raises(ValueError, match="too short"):
        count(hand, replay, shown=shown, board=hand.board[:4])


def test_what_the_kernel_reads_stands_where_it_did():
    """Decisions, situations and features are read by their places."""
    assert Decision._fields[3:7] == ("situation", "act", "put_in", "out_of_turn")
    places = {"seat": 2, "round": 5, "pot": 6, "to_call": 7, "bets_to_call": 9, "num_bets": 10}
    places |= {"committed": 14, "in_round": 15, "legal": 17, "stacks_before": 19}
    assert {name: Situation._fields.index(name) for name in places} == places
    assert Features._fields[:11] == (
        *("round", "bets", "previous", "faced", "aggressor", "leader", "players", "num_bets", "odds", "pot"),
        "position",
    )


def test_counters_need_all_of_their_numbers():
    with pytest.raises(ValueError, match="3 structures"):
        Counters([0], {}, {}, coarse=1, stealing=(), blinds=(), depth_edges=(), sizes=(), types=np.zeros(1, np.uint8))
    sizes = [(0, 0, 0, kind.scale) for kind in SIZES.values()]
    few = np.zeros(9, np.uint8)
    with pytest.raises(ValueError, match="25 types"):
        Counters([0, 1, 2], {}, {}, coarse=1, stealing=(), blinds=(), depth_edges=(), sizes=sizes, types=few)


def test_totals_are_those_of_a_tally():
    hand = HandCounts(("Ann",), packed((1_500_000, (5, 1, 302))))
    (added,) = hand.players
    assert (added.name, added.won, added.counters) == ("Ann", 1_500_000, (5, 1, 302))
    assert sum(totals([added]).values()) > 0
    assert Fraction(3, 2) == added.won / Fraction(10**6)
