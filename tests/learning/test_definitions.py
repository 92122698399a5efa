"""What a definition of a statistic may say, and what tells it from another one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

import pokermodel as pm
from pokermodel.game import POSITIONS, ROUNDS, Action, BettingStructure, GameSpec, positions
from pokermodel.learning.definitions import (
    ACT,
    HAND,
    RESERVED,
    Statistic,
    other_statistics,
    parsed,
    register,
    registry,
    statistics,
)
from tests.common.books import FREE, SIX
from tests.common.tools import load

LIMP = Statistic("open_limp", "Open limp", "calls first", "unopened and to_call", "calls", (0,))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"key": "Limp"}, "the statistic 'Limp': expected a key of small letters, digits and _"),
        ({"key": "limp:flop"}, "expected a key of small letters"),
        ({"opportunity": "luck"}, "opportunity: 'luck': unknown word 'luck': expected one of street, folds, calls"),
        ({"success": "raises +"}, r"success: 'raises \+' is no expression"),
        ({"success": "(" * 5000 + ")" * 5000}, "is no expression"),
        ({"success": "calls\0"}, "is no expression"),
        ({"success": "(raises,)"}, "several numbers, and nothing else, stand after in"),
        ({"success": "calls and (1, 2)"}, "several numbers, and nothing else, stand after in"),
        ({"success": "street in (1, (2, 3))"}, "several numbers, and nothing else, stand after in"),
        ({"success": "bets == (1, 2)"}, "several numbers, and nothing else, stand after in"),
        ({"success": "(bets, 1) in (1, 2)"}, "several numbers, and nothing else, stand after in"),
        ({"success": "bets in 5"}, "several numbers, and nothing else, stand after in"),
        ({"success": " * ".join(["put_in"] * 2000)}, "goes on for too long: expected 2000 letters at most"),
        ({"success": "*".join(["bets"] * 300)}, "goes on for too long"),
        ({"success": "not " * 400 + "calls"}, "goes on for too long"),
        ({"success": "- " * 900 + "1"}, "goes on for too long"),
        ({"success": "open('x')"}, r"has \"open\('x'\)\" in it: expected words, whole numbers, comparisons"),
        ({"success": "calls.real"}, "has 'calls.real' in it"),
        ({"success": "[calls][0]"}, "in it: expected words"),
        ({"success": "(lambda: 1)()"}, "in it: expected words"),
        ({"success": "street ** 9"}, "in it: expected words"),
        ({"success": "calls if folds else 1"}, "in it: expected words"),
        ({"success": "calls := 1"}, "is no expression"),
        ({"success": "'calls'"}, "has 'calls' in it: expected whole numbers"),
        ({"success": "put_in > 1.5"}, "has 1.5 in it: expected whole numbers"),
        ({"success": "put_in // 0 > 1"}, "divides by 0: expected a number that is not 0"),
        ({"success": "put_in % bets"}, "divides by bets: expected a number that is not 0"),
        ({"streets": (1, 0)}, r"streets are \(1, 0\): expected some of 0, 1, 2 and 3, in order"),
        ({"streets": (4,)}, "expected some of 0, 1, 2 and 3"),
        ({"streets": (0, 1)}, "before the flop is asked by itself"),
        ({"streets": ()}, "unknown word 'unopened': expected one of position"),
        ({"table": "cards"}, "table"),
        ({"table": "acts"}, "unknown word 'unopened': expected one of street, facing"),
        ({"shown": "mean"}, "a mean is of the table 'money', and nothing else is"),
        ({"table": "money"}, "a mean is of the table 'money'"),
        ({"shown": "percent"}, "shown"),
        ({"structures": frozenset()}, "structures are"),
        ({"structures": frozenset(["limit", "spread"])}, "structures are"),
    ],
)
def test_what_is_refused(changes, expected):
    with pytest.raises(ValueError, match=expected):
        replace(LIMP, **changes)


def test_a_fingerprint_is_of_the_meaning_that_is_written():
    def of(**changes):
        return replace(LIMP, **changes).fingerprint

    same = {LIMP.fingerprint, of(opportunity="(unopened)and to_call"), of(name="limps", meaning="", definition="x")}
    assert len(same) == 1
    others = [of(success="raises"), of(opportunity="to_call and unopened"), of(opportunity="to_call", streets=(1, 2))]
    others.append(of(opportunity="to_call", streets=(1,)))
    assert len({*others, LIMP.fingerprint}) == len(others) + 1


def test_all_statistics_have_words_for_people():
    for each in registry():
        assert all((each.name, each.meaning, each.definition, each.made))
        assert each.definition[0].isupper()
        assert each.definition.endswith((".", ".)"))
    for words in (ACT, HAND):
        assert all(words.values())


def test_structures():
    limit, free = statistics(BettingStructure.LIMIT), statistics(BettingStructure.NO_LIMIT)
    assert list(limit)[:3] == list(free)[:3] == ["vpip", "pfr", "rfi"]
    assert {"four_bet", "squeeze", "big_blinds"} <= free.keys() - limit.keys()
    assert {"small_bets", "shown_bluff"} <= limit.keys() - free.keys()
    assert statistics(BettingStructure.POT_LIMIT) == free


def test_registering():
    before = registry()
    with other_statistics(*before):
        register(LIMP)
        assert registry() == (*before, LIMP)
        with pytest.raises(ValueError, match="the statistic 'open_limp' is registered already"):
            register(LIMP)
        for name in sorted(RESERVED):
            with pytest.raises(ValueError, match="registered already"):
                register(replace(LIMP, key=name))
    assert registry() == before


def test_an_expression_is_the_same_for_everybody():
    words = tuple(ACT)
    assert parsed("calls and bets > 1", words) is parsed("calls and bets > 1", words)


def test_the_table_of_the_documentation_has_what_profiles_show(tmp_path):
    load("statistics_table").write(tmp_path)
    rows = (tmp_path / "statistics.txt").read_text(encoding="utf-8").splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [each.key for each in registry() if each.profile]
    assert all(row.count(" | ") == 3 for row in rows)


# ------------------------------------------------------------------------------------- hands that are counted by hand

F, C, R = pm.Act
SAM, BEA, UMA, HAL, CY, DEE = range(6)  # small blind, big blind, UTG, HJ, CO, button


def played(*acts, board="2c7d9hTsKd", stacks=(10_000,) * 6, holdings=None):
    """A hand of six of no limit with blinds of 50 and 100; a number is a bet or raise to it."""
    actions = [Action(seat, act) if isinstance(act, pm.Act) else Action(seat, R, to=act) for seat, act in acts]
    spec, names = GameSpec.no_limit(6, 50, 100), ("Sam", "Bea", "Uma", "Hal", "Cy", "Dee")
    return pm.Hand("made up", "1", spec, names, actions, board, holdings or {}, stacks)


def figures(hand):
    """By statistic: who had a chance, and who did it, as numerator and denominator."""
    found = {}
    with pm.Book("sqlite://") as book:
        book.add([hand])
        for name in hand.players:
            for key, figure in book.profile(name).statistics.items():
                if figure.denominator:
                    found.setdefault(key, {})[name] = (figure.numerator, figure.denominator)
    return found


OPEN = ((UMA, F), (HAL, F), (CY, F), (DEE, 250), (SAM, F), (BEA, C))  # 550
UTG = ((UMA, 300), (HAL, F), (CY, F), (DEE, C), (SAM, F), (BEA, F))  # 750
NO, YES = (0, 1), (1, 1)
CASES = {
    "a continuation bet, then none; a probe of the river": (
        played(*OPEN, (BEA, C), (DEE, 180), (BEA, C), (BEA, C), (DEE, C), (BEA, 400), (DEE, 1600), (BEA, F)),
        {
            "rfi": {"Uma": NO, "Hal": NO, "Cy": NO, "Dee": YES},
            "limp": {"Uma": NO, "Hal": NO, "Cy": NO, "Dee": NO},
            "cold_call": {},  # in the big blind
            "cbet": {"Dee": YES},
            "small_cbet": {"Dee": YES},  # 180 of 550
            "medium_cbet": {"Dee": NO},
            "large_cbet": {"Dee": NO},
            "cbet_turn": {"Dee": NO},
            "small_cbet_turn": {"Dee": NO},
            "cbet_river": {},  # there was none on the turn
            "fold_to_cbet": {"Bea": NO},
            "fold_to_small_cbet": {"Bea": NO},
            "fold_to_medium_cbet": {},
            "raise_cbet": {"Bea": NO},
            "donk": {"Bea": NO},
            "donk_turn": {"Bea": NO},
            "donk_river": {},  # nobody bet the turn
            "probe": {},
            "probe_river": {"Bea": YES},
            "float": {},
            "delayed_cbet": {},
            "fold_to_cbet_turn": {},
            "check_raise": {"Bea": NO},
        },
    ),
    "a probe of the turn": (
        played(*OPEN, (BEA, C), (DEE, C), (BEA, 300), (DEE, F), board="2c7d9hTs"),
        {
            "cbet": {"Dee": NO},
            "donk": {"Bea": NO},
            "donk_turn": {},
            "probe": {"Bea": YES},
            "delayed_cbet": {},  # he faced a bet
            "float_turn": {},
        },
    ),
    "a delayed continuation bet": (
        played(*OPEN, (BEA, C), (DEE, C), (BEA, C), (DEE, 300), (BEA, F), board="2c7d9hTs"),
        {
            "delayed_cbet": {"Dee": YES},
            "cbet_turn": {},
            "probe": {"Bea": NO},
            "float_turn": {},
            "fold_to_cbet_turn": {},
        },
    ),
    "no delayed continuation bet": (
        played(*OPEN, *[(BEA, C), (DEE, C)] * 3, holdings={BEA: "AsAh", DEE: "QsQh"}),
        {
            "delayed_cbet": {"Dee": NO},
            "probe": {"Bea": NO},
            "probe_river": {"Bea": NO},
            "w_sd": {"Bea": YES, "Dee": NO},
            "w_sd_single_raised": {"Bea": YES, "Dee": NO},
            "w_sd_limped": {},
            "wwsf": {"Bea": YES, "Dee": NO},
        },
    ),
    "a cold call, and a bet against a missed continuation bet": (
        played(*UTG, (UMA, C), (DEE, 400), (UMA, C), (UMA, C), (DEE, C), (UMA, C), (DEE, 900), (UMA, F)),
        {
            "rfi": {"Uma": YES},
            "limp": {"Uma": NO},
            "cold_call": {"Hal": NO, "Cy": NO, "Dee": YES},
            "cbet": {"Uma": NO},
            "donk": {},
            "donk_turn": {"Uma": NO},  # the button had bet the flop
            "float": {"Dee": YES},
            "float_turn": {},
            "probe_river": {"Uma": NO},
        },
    ),
    "a float of the turn": (
        played(*UTG, (UMA, 500), (DEE, C), (UMA, C), (DEE, 1000), (UMA, F), board="2c7d9hTs"),
        {
            "cbet": {"Uma": YES},
            "medium_cbet": {"Uma": YES},  # 500 of 750
            "fold_to_medium_cbet": {"Dee": NO},
            "cbet_turn": {"Uma": NO},
            "float": {},
            "float_turn": {"Dee": YES},
            "probe": {},
            "check_raise": {"Uma": NO},
        },
    ),
    "no float of the turn": (
        played(*UTG, (UMA, 500), (DEE, C), (UMA, C), (DEE, C), (UMA, 900), (DEE, F)),
        {"float_turn": {"Dee": NO}, "probe_river": {}, "delayed_cbet": {}, "cbet_river": {}},
    ),
    "a donk bet, raised by who raised before the flop": (
        played(*OPEN, (BEA, 200), (DEE, 700), (BEA, F), board="2c7d9h"),
        {"donk": {"Bea": YES}, "cbet": {}, "fold_to_cbet": {}, "raise_cbet": {}},
    ),
    "a donk bet of the turn into who raised the flop": (
        played(
            *(*UTG, (UMA, 300), (DEE, 900), (UMA, C), (UMA, 1500), (DEE, F)),
            board="2c7d9hTs",
        ),
        {"raise_cbet": {"Dee": YES}, "donk_turn": {"Uma": YES}, "cbet_turn": {}, "fold_to_cbet": {"Dee": NO}},
    ),
    "a limped pot": (
        played(
            *((UMA, C), (HAL, F), (CY, C), (DEE, F), (SAM, C), (BEA, C)),
            *((SAM, 200), (BEA, F), (UMA, C), (CY, F), (SAM, C), (UMA, C), (SAM, C), (UMA, C)),
            holdings={SAM: "AsAh", UMA: "QsQh"},
        ),
        {
            "rfi": {"Uma": NO},
            "limp": {"Uma": YES, "Hal": NO, "Cy": YES, "Dee": NO, "Sam": YES},
            "cold_call": {},
            "donk": {},
            "donk_turn": {},  # who bet the flop is the first to act
            "float": {},
            "float_turn": {"Uma": NO},
            "probe_river": {},
            "delayed_cbet": {},
            "w_sd_limped": {"Sam": YES, "Uma": NO},
            "w_sd_single_raised": {},
        },
    ),
    "a limp that raises": (
        played((UMA, C), (HAL, F), (CY, F), (DEE, 400), (SAM, F), (BEA, F), (UMA, 1300), (DEE, F)),
        {
            "rfi": {"Uma": NO},
            "limp": {"Uma": YES, "Hal": NO, "Cy": NO, "Dee": NO},
            "cold_call": {},  # Uma has called before
            "three_bet": {"Uma": YES, "Sam": NO, "Bea": NO},
            "fold_to_three_bet": {"Dee": YES},
        },
    ),
    "a fold to a 4-bet": (
        played((UMA, 300), (HAL, F), (CY, F), (DEE, 900), (SAM, F), (BEA, F), (UMA, 2200), (DEE, F)),
        {
            "cold_call": {"Hal": NO, "Cy": NO, "Dee": NO},
            "fold_to_three_bet": {"Uma": NO},
            "four_bet": {"Sam": NO, "Bea": NO, "Uma": YES},
            "fold_to_four_bet": {"Dee": YES},
        },
    ),
    "a cold 4-bet": (
        played(
            *((UMA, 300), (HAL, C), (CY, F), (DEE, 900), (SAM, F), (BEA, 2200), (UMA, F), (HAL, F), (DEE, C)),
            *((BEA, 9_900 - 2_200), (DEE, F)),
            board="2c7d9h",
        ),
        {
            "cold_call": {"Hal": YES, "Cy": NO, "Dee": NO},
            "fold_to_three_bet": {},  # Uma faced a fourth bet
            "fold_to_four_bet": {"Dee": NO},  # Uma and Hal had not made the third
            "large_cbet": {"Bea": YES},
            "fold_to_large_cbet": {"Dee": YES},
        },
    ),
    "calls of a 3-bet": (
        played(
            *((UMA, 300), (HAL, F), (CY, 900), (DEE, C), (SAM, F), (BEA, F), (UMA, C)),
            *((UMA, C), (CY, C), (DEE, C)) * 3,
            holdings={UMA: "AsAh", CY: "QsQh", DEE: "JcJd"},
        ),
        {
            "cold_call": {"Hal": NO, "Cy": NO, "Dee": YES},  # cold, of a 3-bet
            "donk": {"Uma": NO},
            "float": {"Dee": NO},
            "delayed_cbet": {"Cy": NO},
            "w_sd_three_bet": {"Uma": YES, "Cy": NO, "Dee": NO},
            "w_sd_four_bet": {},
        },
    ),
    "one who is all-in cannot be led into": (
        played(
            *((UMA, 300), (HAL, F), (CY, F), (DEE, C), (SAM, F), (BEA, C), (BEA, 400), (DEE, F)),
            stacks=(10_000, 10_000, 300, 10_000, 10_000, 10_000),
            holdings={UMA: "AsAh", BEA: "QsQh"},
        ),
        {"donk": {}, "float": {}, "cbet": {}, "cold_call": {"Hal": NO, "Cy": NO, "Dee": YES}},
    ),
    "all fold to a bet of the pot": (
        played(
            *((UMA, F), (HAL, F), (CY, F), (DEE, 220), (SAM, C), (BEA, C)),
            *((SAM, C), (BEA, C), (DEE, 660), (SAM, F), (BEA, F)),
            board="AhTd4s",
        ),
        {
            "large_cbet": {"Dee": YES},
            "fold_to_large_cbet": {"Sam": YES, "Bea": YES},
            "fold_to_small_cbet": {},
            "donk": {"Sam": NO, "Bea": NO},
            "wwsf": {"Sam": NO, "Bea": NO, "Dee": YES},
        },
    ),
    "a raise of a continuation bet, and its fold": (
        played(*OPEN, (BEA, C), (DEE, 180), (BEA, 600), (DEE, F), board="2c7d9h"),
        {
            "raise_cbet": {"Bea": YES},
            "fold_to_cbet": {"Bea": NO},
            "check_raise": {"Bea": YES},
            "fold_to_small_cbet": {"Bea": NO},
        },
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_trackers_count(name):
    """Who had an opportunity and who took it, in hands that are counted by hand: all others are not counted."""
    hand, expected = CASES[name]
    found = figures(hand)
    assert {key: found.get(key, {}) for key in expected} == expected


def test_edges_of_sizes():
    """A class begins at its edge."""
    for bet, key in ((219, "small"), (220, "medium"), (384, "medium"), (385, "large"), (9_000, "large")):
        found = figures(played(*OPEN, (BEA, C), (DEE, bet), (BEA, F), board="2c7d9h"))
        others = {"small", "medium", "large"} - {key}
        assert found[f"{key}_cbet"] == found["cbet"] == {"Dee": YES}
        assert found[f"fold_to_{key}_cbet"] == found["fold_to_cbet"] == {"Bea": YES}
        for each in others:
            assert found[f"{each}_cbet"] == {"Dee": NO}
            assert f"fold_to_{each}_cbet" not in found


def textbook(hand):
    """Count statistics of real hands by the names of acts: who had a chance, and who took it."""
    found, streets = {}, [[], [], [], []]
    for each in hand.replay():
        if not each.out_of_turn:
            streets[each.round].append(each)

    def count(key, decision, made):
        did, _ = found.setdefault(key, {}).get(decision.player, NO)
        found[key][decision.player] = (max(did, int(made)), 1)

    where = [POSITIONS[each] for each in positions(hand.spec)]
    # before the flop
    last = {}
    entered, raises = [], []
    for each in streets[0]:
        can = each.act is R or R in each.legal
        if not entered and can:
            count("rfi", each, each.act is R)
        if not raises and each.to_call:
            count("limp", each, each.act is C)
        first = each.seat not in [before.seat for before in streets[0][: streets[0].index(each)]]
        if raises and first and each.to_call and "blind" not in where[each.seat]:
            count("cold_call", each, each.act is C)
        if len(raises) == 3 and raises[1].seat == each.seat and each.to_call:
            count("fold_to_four_bet", each, each.act is F)
        if each.act is not F:
            entered.append(each)
        if each.act is R:
            raises.append(each)
    if raises:
        last[0] = raises[-1].seat
    # after it
    continued = {0: last.get(0)}
    for street in (1, 2, 3):
        acts, suffix = streets[street], "" if street == 1 else f"_{ROUNDS[street]}"
        of_before = last.get(street - 1)
        aggressor = next((last[k] for k in reversed(range(street)) if k in last), None)
        bets, first_of = [], {}
        for number, each in enumerate(acts):
            can = each.act is R or R in each.legal
            who = aggressor is not None and aggressor != each.seat
            if not bets and each.to_call == 0 and can:
                to_act = who and aggressor not in first_of and any(a.seat == aggressor for a in acts[number:])
                if of_before is not None and to_act:
                    count(f"donk{suffix}", each, each.act is R)
                if of_before is None and to_act:
                    count("probe" if street == 2 else f"probe_{ROUNDS[street]}", each, each.act is R)
                if of_before is not None and who and aggressor in first_of:
                    count(f"float{suffix}", each, each.act is R)
                if street == 2 and of_before is None and aggressor == each.seat:
                    count("delayed_cbet", each, each.act is R)
                if continued[street - 1] == each.seat and of_before == each.seat:
                    part = Fraction(each.put_in, each.pot)
                    count(f"cbet{suffix}", each, each.act is R)
                    if not hand.spec.structure.fixed:
                        count(f"small_cbet{suffix}", each, each.act is R and part < Fraction(2, 5))
                        count(f"large_cbet{suffix}", each, part >= Fraction(7, 10))
            if len(bets) == 1 and each.to_call and bets[0].seat == continued[street - 1] == of_before:
                part = Fraction(bets[0].put_in, bets[0].pot)
                size = "small" if part < Fraction(2, 5) else "medium" if part < Fraction(7, 10) else "large"
                count(f"fold_to_cbet{suffix}", each, each.act is F)
                if can:
                    count(f"raise_cbet{suffix}", each, each.act is R)
                if not hand.spec.structure.fixed:
                    count(f"fold_to_{size}_cbet{suffix}", each, each.act is F)
            first_of.setdefault(each.seat, each)
            if each.act is R:
                bets.append(each)
        if bets:
            last[street] = bets[-1].seat
        continued[street] = bets[0].seat if bets and bets[0].seat == continued[street - 1] == of_before else None
    return found


def compared(hands):
    """Compare all hands with the textbook version, and say how many opportunities there were by statistic."""
    seen = Counter()
    for hand in hands:
        slow, fast = textbook(hand), figures(hand)
        for key in COMPARED:
            assert fast.get(key, {}) == slow.get(key, {}), (key, hand.source, hand.id)
            seen[key] += len(slow.get(key, ()))
    return seen


STREETS = ("", "_turn", "_river")
COMPARED = (
    *("rfi", "limp", "cold_call", "fold_to_four_bet", "delayed_cbet", "probe", "probe_river"),
    *(f"{key}{street}" for key in ("donk", "float", "cbet", "fold_to_cbet", "raise_cbet") for street in STREETS),
    *(f"{size}_cbet{street}" for size in ("small", "large") for street in STREETS),
    *(f"fold_to_{size}_cbet{street}" for size in ("small", "medium", "large") for street in STREETS),
)


def test_made_up_hands_are_counted_as_in_the_textbook():
    cases = [hand for hand, _ in CASES.values()]
    some = [*FREE, *SIX[::3]]
    seen = compared([*cases, *(hand for hand in some if hand.spec.structure is BettingStructure.NO_LIMIT)])
    assert all(seen[key] for key in COMPARED if "_turn" not in key and "_river" not in key)


@pytest.mark.parametrize(
    ("many", "rare"),
    [(40, ("cbet", "donk", "float", "probe", "four_bet")), pytest.param(1500, (), marks=pytest.mark.slow)],
)
def test_real_hands_are_counted_as_in_the_textbook(data_dir, many, rare):
    hands = pm.open_hands(data_dir / "sites-nolimit", strict=False)
    seen = compared([hand for hand in islice(hands, many) if hand.spec.structure is BettingStructure.NO_LIMIT])
    assert all(seen[key] for key in COMPARED if not any(word in key for word in rare)), seen
