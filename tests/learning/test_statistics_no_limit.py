"""What is counted of players in no limit and pot limit, and how structures are kept apart."""

from __future__ import annotations

import json
import random
from bisect import bisect
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.game import Action, BettingStructure
from pokermodel.learning import kinds
from pokermodel.learning.bet_sizes import BIG_BLINDS, POT, SIZES
from pokermodel.learning.definitions import statistics
from pokermodel.learning.evidence import check_hand
from pokermodel.learning.identity import identity
from pokermodel.learning.knowledge import structures_of
from pokermodel.learning.profile import PROFILE_COLUMNS, _median_ranks, profile_rows
from pokermodel.learning.statistics import DEPTHS
from tests.common.books import FREE, HANDS, NAMES, POTS, STATISTICS, contents, exported, learnt, played_free

from .test_statistics import tracker

on_both = pytest.mark.usefixtures("backend")
FOLD, CALL, RAISE = pm.Act.FOLD, pm.Act.CALL, pm.Act.RAISE
LIMIT, POT_LIMIT, NO_LIMIT = BettingStructure


def hand(number, names, actions, stacks, board="", holdings=None, **changes):
    """A hand of no limit with blinds of 50 and 100; a number is a bet or raise to it."""
    spec = pm.GameSpec.no_limit(len(names), 50, 100)
    for name, value in changes.items():
        object.__setattr__(spec, name, value)
    acts = [Action(seat, what) if isinstance(what, pm.Act) else Action(seat, RAISE, to=what) for seat, what in actions]
    return pm.Hand("t", str(number), spec, names, acts, board, holdings or {}, stacks)


THREE = hand(
    *(1, ("Ann", "Bob", "Cid")),
    # Cid opens, Ann re-raises and bets the flop, where Cid is all-in for less than a raise
    [(2, 250), (0, 900), (1, FOLD), (2, CALL), (0, 500), (2, 600), (0, CALL)],
    (10_000, 4_000, 1_500),
    "2c7d9hTsKd",
    {0: "AsAh", 2: "QsJs"},
)
FOUR = hand(
    *(2, ("Bob", "Dee", "Ann", "Cid")),
    [(2, 300), (3, CALL), (0, 1200), (1, FOLD), (2, 3000), (3, FOLD), (0, FOLD)],
    (10_000, 5_000, None, 12_000),
)
TWO = hand(
    *(3, ("Ann", "Bob")),
    [(0, CALL), (1, CALL), (1, 100), (0, CALL), (1, 600), (0, CALL), (1, 3200), (0, FOLD)],
    (20_000, 20_000),
    "2c7d9hTsKd",
)


def made(profile):
    return {key: (each.numerator, each.denominator) for key, each in profile.statistics.items() if each.denominator}


# ------------------------------------------------------------------------------------------------- what is counted


@on_both
def test_hands_counted_by_hand():
    book = learnt([THREE, FOUR, TWO])
    assert THREE.payoffs == (-1500, -100, 1600)
    ann, bob, cid = map(book.profile, ("Ann", "Bob", "Cid"))
    evs = [31 * share - 15 for share in pm.equity(["AsAh", "QsJs"], "2c7d9h").equity]
    assert {profile.structure for profile in (ann, bob, cid)} == {NO_LIMIT}
    assert made(ann) == {
        "vpip": (3, 3),
        "pfr": (2, 3),
        "rfi": (1, 2),
        "limp": (1, 2),
        "three_bet": (1, 1),
        "fold_to_three_bet": (0, 1),  # she raised again
        "four_bet": (1, 1),
        "steal": (1, 2),  # she completed on the button between two
        "fold_to_steal": (0, 1),
        "cbet": (1, 1),
        "small_cbet": (1, 1),
        "medium_cbet": (0, 1),
        "large_cbet": (0, 1),
        "w_sd_three_bet": (0, 1),
        "af": (1, 3),
        "afq": (1, 5),
        "wtsd": (1, 2),
        "w_sd": (0, 1),
        "wwsf": (0, 2),
        "big_blinds": (pytest.approx(-15 + 16 - 8), 3),
        "ev_big_blinds": (pytest.approx(evs[0] + 16 - 8, abs=1e-5), 3),
        "showdown_big_blinds": (pytest.approx(-15), 1),
        "other_big_blinds": (pytest.approx(8), 2),
    }
    assert made(cid) == {
        "vpip": (2, 2),
        "pfr": (1, 2),
        "rfi": (1, 1),
        "limp": (0, 1),
        "cold_call": (1, 1),
        "three_bet": (0, 1),
        "fold_to_three_bet": (0, 1),
        "four_bet": (0, 1),
        "steal": (1, 1),
        "fold_to_cbet": (0, 1),
        "fold_to_small_cbet": (0, 1),
        "raise_cbet": (1, 1),
        "w_sd_three_bet": (1, 1),
        "afq": (1, 1),
        "wtsd": (1, 1),
        "w_sd": (1, 1),
        "wwsf": (1, 1),
        "big_blinds": (pytest.approx(16 - 3), 2),
        "ev_big_blinds": (pytest.approx(evs[1] - 3, abs=1e-5), 2),
        "showdown_big_blinds": (pytest.approx(16), 1),
        "other_big_blinds": (pytest.approx(-3), 1),
    }
    assert made(bob)["squeeze"] == (1, 1)
    assert made(bob)["four_bet"] == (0, 1)  # in the first hand, from the big blind
    assert made(book.profile("Dee"))["four_bet"] == (0, 1)  # the re-raise had been called by nobody
    assert "squeeze" not in made(book.profile("Dee"))
    free = statistics(NO_LIMIT)
    assert ann.totals.pair(free["four_bet"]) == (1, 1)
    assert [ann.totals.pair(free["cbet"], street) for street in (1, 2, 3)] == [(1, 1), (0, 0), (0, 0)]
    assert np.array(ann.totals.acts).sum(axis=1).tolist() == [[0, 1, 3], [0, 2, 1], [0, 1, 0], [1, 0, 0]]
    assert ann.recent == ()  # are those of limit
    assert pm.cards.CLASSES[ann.totals.showdowns.argmax()] == "AA"
    assert ann.totals.positions.sum() == ann.hands == 3


def sizes(profile, key):
    """The sizes that were found of a kind: by class, and how many all-ins."""
    found = profile.sizes[key]
    return {name: each.numerator for name, each in found.classes.items() if each.numerator}, found.all_in.numerator


def test_sizes_counted_by_hand():
    book = learnt([THREE, FOUR, TWO])
    ann, bob, cid = map(book.profile, ("Ann", "Bob", "Cid"))
    assert sizes(cid, "open_size") == ({"2.5-3": 1}, 0)
    assert sizes(cid, "preflop_raise_size") == ({"1/2-2/3": 1}, 0)  # by 150 into 250
    assert cid.sizes["preflop_raise_size"].median == 0.6
    assert sizes(cid, "flop_raise_size") == ({}, 1)
    assert cid.sizes["flop_raise_size"].median is None
    assert sizes(ann, "open_size") == ({"3-3.5": 1}, 0)
    # by 650 into 600, by 200 into 250 and by 1,800 into 2,800
    assert sizes(ann, "preflop_raise_size") == ({"1-1.5": 1, "2/3-1": 1, "1/2-2/3": 1}, 0)
    assert ann.sizes["preflop_raise_size"].median == 0.8
    assert sizes(ann, "flop_bet_size") == ({"<1/3": 1}, 0)  # 500 into 1,900
    assert sizes(bob, "flop_bet_size") == ({"1/2-2/3": 1}, 0)  # exactly half
    assert sizes(bob, "turn_bet_size") == ({"1-1.5": 1}, 0)  # exactly one and a half
    assert sizes(bob, "river_bet_size") == ({">1.5": 1}, 0)
    assert bob.sizes["river_bet_size"].median == 2.0
    assert bob.sizes["river_bet_size"].low is None
    assert "open_size" in bob.sizes_by_round()["pre-flop"]
    assert list(bob.sizes_by_round()["turn"]) == ["turn_bet_size", "turn_raise_size"]


def test_stack_depths():
    ann = learnt([THREE, FOUR, TWO]).profile("Ann")
    assert dict(zip(DEPTHS, ann.totals.depths.tolist(), strict=True)) == {
        "below 20": 0,
        "20 to 50": 1,  # 40, which is what Bob has
        "50 to 100": 0,
        "100 and more": 1,
        "unknown": 1,
    }
    edges = [
        ((1_999, 9_000, 9_000), "below 20"),
        ((2_000, 9_000, 9_000), "20 to 50"),
        ((5_000, 9_000, 9_000), "50 to 100"),
        ((10_000, 10_000, 100), "100 and more"),
        ((10_000, 9_999, 100), "50 to 100"),
        ((3_000, 3_000, None), "20 to 50"),  # whatever the other one has
        ((3_000, 2_999, None), "unknown"),
        ((None, 2_999, 3_000), "unknown"),
    ]
    for stacks, depth in edges:
        found = learnt([hand(9, ("Ann", "Bob", "Cid"), [(2, FOLD), (0, FOLD)], stacks)])
        assert list(found.breakdown("depth", "Ann")) == [depth]
    assert list(learnt([hand(9, ("Ann", "Bob"), [(0, FOLD)], None)]).breakdown("depth", "Ann")) == ["unknown"]


def test_a_straddle_is_no_measure_of_an_open():
    straddled = hand(
        *(4, ("Ann", "Bob", "Cid", "Dee"), [(3, 600), (0, FOLD), (1, FOLD), (2, FOLD)], None),
        blinds=(50, 100, 200, 0),
        first=(3, 0, 0, 0),
    )
    dee = learnt([straddled]).profile("Dee")
    assert sizes(dee, "open_size") == ({}, 0)
    assert sizes(dee, "preflop_raise_size") == ({"2/3-1": 1}, 0)  # by 400 into 550


def test_an_open_is_the_first_to_come_in():
    limped = hand(4, ("Ann", "Bob", "Cid"), [(2, CALL), (0, 500), (1, FOLD), (2, FOLD)], None)
    ann = learnt([limped]).profile("Ann")
    assert sizes(ann, "open_size") == ({}, 0)
    assert sizes(ann, "preflop_raise_size") == ({"1-1.5": 1}, 0)  # by 400 into 300


def brute(hands, name):
    """Sizes, depths and re-raises by what actions are called and an own account of the pot."""
    found = {key: [] for key in SIZES}
    all_in = dict.fromkeys(SIZES, 0)
    reraises = {"four_bet": [0, 0], "squeeze": [0, 0]}
    for each in hands:
        if name not in each.players:
            continue
        seat = each.players.index(name)
        left, bets = list(each.stacks), list(each.spec.blinds)
        left = [stack - min(stack, blind) for stack, blind in zip(left, bets, strict=True)]
        pot = sum(stack - rest for stack, rest in zip(each.stacks, left, strict=True))
        bets = [stack - rest for stack, rest in zip(each.stacks, left, strict=True)]
        street, line = 0, []
        offered, done = set(), set()
        for decision in each.replay():
            if decision.round != street:
                street, bets, line = decision.round, [0] * len(bets), []
            level = max(max(bets), 100 if street == 0 else 0)
            actor, what = decision.seat, decision.name
            if actor == seat and street == 0 and bets[seat] < level and RAISE in decision.legal:
                kind = (
                    {1: "squeeze" if "call" in line[line.index("raise") :] else "", 2: "four_bet"}.get(
                        line.count("raise"), ""
                    )
                    if "raise" in line
                    else ""
                )
                if kind:
                    offered.add(kind)
                    if what == "raise":
                        done.add(kind)
            if actor == seat and what in ("bet", "raise"):
                call = level - bets[seat]
                keys = [f"{('preflop', 'flop', 'turn', 'river')[street]}_{what}_size"]
                values = [Fraction(decision.put_in - call, pot + call)]
                if street == 0 and not {"call", "raise", "check"} & {*line}:
                    keys.append("open_size")
                    values.append(Fraction(decision.put_in + bets[seat], 100))
                for key, value in zip(keys, values, strict=True):
                    if decision.put_in == left[seat]:
                        all_in[key] += 1
                    else:
                        found[key].append(value)
            line.append(what)
            left[actor] -= decision.put_in
            bets[actor] += decision.put_in
            pot += decision.put_in
        for kind in offered:
            reraises[kind][1] += 1
            reraises[kind][0] += kind in done
    return found, all_in, {kind: tuple(pair) for kind, pair in reraises.items()}


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["no limit", "pot limit"]))
def test_figures_are_those_of_slow_counts(seed, structure):
    rng = random.Random(seed)
    hands = [played_free(k, rng.randrange(10**9), rng.sample(NAMES, rng.randint(2, 5)), structure) for k in range(12)]
    with pm.Book("sqlite://") as book:
        book.learn(hands, kinds=STATISTICS)
        for name in book:
            profile = book.profile(name)
            found, all_in, reraises = brute(hands, name)
            for key, each in profile.sizes.items():
                scale = SIZES[key].scale
                assert (each.number, each.all_in.numerator) == (len(found[key]), all_in[key])
                classes = [bisect(scale.edges, value) for value in found[key]]
                if scale is POT:
                    classes = [
                        5 if value > Fraction(3, 2) else min(k, 4) for value, k in zip(found[key], classes, strict=True)
                    ]
                assert [made.numerator for made in each.classes.values()] == [classes.count(k) for k in range(6)]
                if found[key] and max(found[key]) < scale.turn:
                    assert each.median == pytest.approx(float(np.median([float(x) for x in found[key]])), abs=0.00501)
            assert {key: made(profile).get(key, (0, 0)) for key in reraises} == reraises
            assert profile.totals.depths.sum() == profile.hands
            for key, expected in tracker(hands, name).items():
                if key != "three_bet":  # which goes by raises of limit there
                    found = profile.statistics[key]
                    assert (found.numerator, found.denominator) == expected


@pytest.mark.parametrize("scale", [POT, BIG_BLINDS])
def test_bins(scale):
    values = [scale.value_of(bin) for bin in range(scale.bins)]
    assert all(low < high for low, high in pairwise(values))
    assert (values[0], values[-1]) == (0, scale.end)
    for bin, value in enumerate(values):
        chips, unit = Fraction(value).limit_denominator(1000).as_integer_ratio()
        assert scale.bin_of(chips, unit) == scale.bin_of(6 * chips, 6 * unit) == bin
    for size in Fraction(1, 3), Fraction(2, 7), Fraction(39, 10), Fraction(399, 100), Fraction(57, 7):
        nearest = min(values, key=lambda value: abs(value - size))
        assert scale.value_of(scale.bin_of(*size.as_integer_ratio())) == nearest
    assert scale.bin_of(10**9, 1) == scale.bins - 1
    assert len(scale.classes) == len(scale.edges) + 1
    below = [scale.class_of(*(edge - Fraction(1, 10**6)).as_integer_ratio()) for edge in scale.edges]
    assert below == list(range(len(scale.edges)))
    at = [scale.class_of(6 * edge.numerator, 6 * edge.denominator) for edge in scale.edges]
    assert at == [*range(1, len(scale.edges)), len(scale.edges) - scale.closed]


def test_the_interval_of_a_median_covers_it():
    for number in 1, 5, 6, 17, 100, 1000, 1001, 5000:
        low, high = _median_ranks(number)
        if number < 6:
            assert low is high is None
            continue
        assert low + high == number + 1
        beyond = sum(comb(number, k) for k in range(low)) / 2**number if number <= 1000 else 0.025
        one_more = beyond + comb(number, low) / 2**number if number <= 1000 else 0.03
        assert beyond <= 0.025 < one_more
    assert abs(_median_ranks(1001)[0] - _median_ranks(1000)[0]) <= 1


# ------------------------------------------------------------------------------------------- structures kept apart


@on_both
def test_structures_are_never_added_up():
    book, limit, free = learnt([*HANDS, *FREE, *POTS]), learnt(HANDS), learnt(FREE)
    assert book.hands == len(HANDS) + len(FREE) + len(POTS)
    assert contents(limit)[None] == contents(book)[None]  # contexts of all together
    for name in NAMES:
        profiles = book.profiles(name)
        assert list(profiles) == [LIMIT, POT_LIMIT, NO_LIMIT]
        assert profiles[LIMIT].to_dict() == limit.profile(name).to_dict()
        assert profiles[NO_LIMIT].to_dict() == free.profile(name).to_dict()
        assert book[name] == limit[name]
        assert book.recent(name) == limit.recent(name)
        assert book.contexts(name) == limit.contexts(name)
        assert free[name] == pm.reading.ActionCounts()
        most = max(profiles.values(), key=lambda profile: profile.hands)
        assert book.profile(name).to_dict() == most.to_dict()
        for structure, profile in profiles.items():
            assert book.profile(name, str(structure)).to_dict() == profile.to_dict()
            for by in "position", "stake", "depth":
                groups = book.breakdown(by, name, structure)
                assert {group.structure for group in groups.values()} == {structure}
                assert sum(group.hands for group in groups.values()) == profile.hands
                for each in statistics(structure).values():
                    if each.shown != "mean":
                        pairs = [group.totals.pair(each) for group in groups.values()]
                        assert (sum(p[0] for p in pairs), sum(p[1] for p in pairs)) == profile.totals.pair(each)
                for key, sizes in profile.sizes.items():
                    assert sum(group.sizes[key].number for group in groups.values()) == sizes.number
        whole = book.breakdown("structure", name)
        assert {group: profile.to_dict() for group, profile in whole.items()} == {
            str(structure): profile.to_dict() | {"recent": []} for structure, profile in profiles.items()
        }
        assert list(book.breakdown("structure", name, "pot limit")) == ["pot limit"]
    book.check()
    everybody = book.breakdown("position", structure="no limit")
    assert everybody["Ann"].keys() == book.breakdown("position", "Ann", "no limit").keys()


def test_the_same_acts_in_another_structure_are_another_hand():
    acts, names = [(2, FOLD), (0, CALL), (1, CALL), *[(0, CALL), (1, CALL)] * 3], ("Ann", "Bob", "Cid")
    holdings = {0: "AsAh", 1: "QsJs"}
    free = hand(1, names, acts, None, "2c7d9hTsKd", holdings)
    bound = hand(1, names, acts, None, "2c7d9hTsKd", holdings, structure=POT_LIMIT)
    assert identity(free) != identity(bound)
    book = learnt([free, bound])
    assert [profile.hands for profile in book.profiles("Ann").values()] == [1, 1]


def test_a_structure_that_was_not_played():
    book = learnt(FREE)
    empty = book.profile("Ann", "limit")
    assert (empty.hands, empty.structure) == (0, LIMIT)
    assert book.breakdown("position", "Ann", "limit") == {}
    assert book.profile("Ann", NO_LIMIT).hands == book.profile("Ann").hands > 0
    for call in book.profile, lambda name, structure: book.breakdown("stake", name, structure):
        with pytest.raises(ValueError, match="unknown structure 'draw': expected one of limit, pot limit, no limit"):
            call("Ann", "draw")
    with pytest.raises(KeyError):
        book.profile("nobody", "limit")
    with pytest.raises(KeyError):
        book.profiles("nobody")


@on_both
def test_merged_is_learnt_at_once():
    hands = [*HANDS[:10], *FREE, *POTS]
    whole, one, other = learnt(hands), learnt(hands[:30]), learnt(hands[20:])
    assert one.merge(other).new == len(hands) - 30
    assert exported(one) == exported(whole)
    one.check()
    random.Random(3).shuffle(hands)
    assert exported(learnt(hands)) == exported(whole)
    assert one.learn(hands, kinds=STATISTICS) == (0, len(hands))


def test_tables_have_all_figures():
    profile = learnt(FREE).profile("Ann")
    rows = list(profile_rows(profile))
    assert {tuple(row) for row in rows} == {PROFILE_COLUMNS}
    assert {row["structure"] for row in rows} == {"no limit"}
    by_key = {row["statistic"]: row for row in rows}
    assert list(by_key)[: len(profile.statistics)] == list(profile.statistics)
    assert by_key["flop_bet_size"]["value"] == profile.sizes["flop_bet_size"].median
    assert by_key["flop_bet_size:1/2-2/3"]["numerator"] == profile.sizes["flop_bet_size"].classes["1/2-2/3"].numerator
    assert by_key["flop_bet_size:all-in"]["denominator"] == profile.sizes["flop_bet_size"].all_in.denominator
    assert json.loads(json.dumps(profile.to_dict()))["sizes"]["open_size"]["unit"] == "bb"
    assert profile.threshold(pm.reading.Context(1, 1), RAISE) is None
    assert profile.to_dict()["contexts"] == []
    limit, free = (
        {key for each in statistics(which).values() if each.profile for key in each.figures()}
        for which in (LIMIT, NO_LIMIT)
    )
    assert limit - free == {"small_bets", "ev_small_bets", "showdown_small_bets", "other_small_bets"}
    assert free == {*profile.statistics}
    limit = learnt(HANDS).profile("Ann")
    assert limit.sizes == {}
    assert {"four_bet", "squeeze", "big_blinds"}.isdisjoint(limit.statistics)
    assert np.sum(limit.totals.acts, axis=0)[1].sum() == limit.counts.values[:, 1:].sum()
    assert learnt(HANDS).profile("Ann", "no limit").totals.sizes("open_size") == ([0] * 6, 0, {})


# ------------------------------------------------------------------------------------------- kinds of knowledge


class Biggest:
    """The most chips that a player has won in a hand of no limit."""

    kind, version, structures = "biggest", 1, (NO_LIMIT,)

    def __init__(self, chips=0):
        self.chips = chips

    @staticmethod
    def evidence(hand, decisions):
        return max(hand.payoffs)

    def update(self, evidence):
        self.chips = max(self.chips, *evidence)

    def to_bytes(self):
        return json.dumps(self.chips).encode()

    @classmethod
    def from_bytes(cls, content):
        return cls(json.loads(content))


def test_kinds_say_what_they_learn_from():
    by_name = kinds()
    assert set(structures_of(by_name["statistics"])) == {*BettingStructure}
    assert set(structures_of(by_name["bpp"])) == {LIMIT}
    with pm.Book("sqlite://") as book:
        found = book.learn([*HANDS[:3], *FREE[:4], POTS[0]], kinds=["statistics", "bpp", Biggest])
        assert found == (8, 0)
        assert found.new_to == {"statistics": 8, "bpp": 3, "biggest": 4}
        assert found.structures == {"limit": 3, "no limit": 4, "pot limit": 1}
        assert found.left_out == {"bpp": 5, "biggest": 4}
        assert book.knowledge(Biggest).chips == max(max(each.payoffs) for each in FREE[:4])
        again = book.learn([*HANDS[:3], *FREE[:5]], kinds=["statistics", "bpp", Biggest])
        assert (again, again.new_to) == ((1, 7), {"statistics": 1, "bpp": 0, "biggest": 1})
        # hands that are left out were not learnt, and can be later
        everything = type("Everything", (Biggest,), {"structures": tuple(BettingStructure)})
        assert book.learn([*HANDS[:3], *FREE[:5]], kinds=[everything]).new_to == {"biggest": 3}


def test_hands_that_all_kinds_leave_out_are_neither_new_nor_known():
    with pm.Book("sqlite://") as book:
        found = book.learn([*HANDS[:2], *FREE[:3]], kinds=["bpp"])
        assert (found, found.left_out, found.structures) == ((2, 0), {"bpp": 3}, {"limit": 2, "no limit": 3})
        assert book.learn(FREE[:3], kinds=["bpp"]) == (0, 0)
        assert book.hands == 5


def test_hands_that_cannot_be_learnt():
    deep = hand(1, ("Ann", "Bob"), [(0, 200_000_000), (1, FOLD)], None)
    lost = hand(1, ("Ann", "Bob"), [(0, 200_000_000), (1, 400_000_000), (0, FOLD)], None)
    assert check_hand(deep)[0].to == 200_000_000
    with pytest.raises(ValueError, match="a player wins or loses more than 1,000,000 big blinds"):
        check_hand(lost)
    unfinished = hand(2, ("Ann", "Bob"), [(0, 300)], None)
    skipped = []
    with pm.Book("sqlite://") as book:
        found = book.learn([lost, unfinished, TWO], kinds=STATISTICS, skipped=skipped)
        assert (found, found.structures, len(skipped)) == ((1, 0), {"no limit": 1}, 2)


# -------------------------------------------------------------------------------------------------------- real data


@pytest.mark.parametrize(("path", "hands"), [("acpc-dealer/2p.nolimit.log", 300), ("acpc-dealer/3p.nolimit.log", 200)])
def test_real_hands(data_dir, path, hands):
    found = list(pm.open_hands(data_dir / path))
    with pm.Book("sqlite://") as book:
        assert book.learn(found) == (hands, 0)
        book.check()
        for name in book:
            profile = book.profile(name)
            won = [each.payoffs[each.players.index(name)] / 100 for each in found if name in each.players]
            assert profile.hands == len(won)
            assert profile.statistics["big_blinds"].numerator == pytest.approx(sum(won))
            raises = sum(
                decision.player == name and decision.act is RAISE for each in found for decision in each.replay()
            )
            kinds_of_raises = [each for key, each in profile.sizes.items() if key != "open_size"]
            assert (
                sum(each.all_in.denominator for each in kinds_of_raises)
                == raises
                == np.array(profile.totals.acts)[..., 2].sum()
            )
