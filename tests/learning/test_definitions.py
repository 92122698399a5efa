"""What a definition of a statistic may say, and what tells it from another one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pokermodel.game import BettingStructure
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

ROOT = Path(__file__).resolve().parents[2]
LIMP = Statistic("limp", "Limp", "calls first", "unopened and to_call", "calls", (0,))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"key": "Limp"}, "the statistic 'Limp': expected a key of small letters, digits and _"),
        ({"key": "limp:flop"}, "expected a key of small letters"),
        ({"opportunity": "luck"}, "opportunity: 'luck': unknown word 'luck': expected one of street, folds, calls"),
        ({"success": "raises +"}, r"success: 'raises \+' is no expression"),
        ({"success": "(" * 5000 + ")" * 5000}, "is no expression"),
        ({"success": "calls\0"}, "is no expression"),
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
    assert list(limit)[:3] == list(free)[:3] == ["vpip", "pfr", "three_bet"]
    assert {"four_bet", "squeeze", "big_blinds"} <= free.keys() - limit.keys()
    assert {"small_bets", "shown_bluff"} <= limit.keys() - free.keys()
    assert statistics(BettingStructure.POT_LIMIT) == free


def test_registering():
    before = registry()
    with other_statistics(*before):
        register(LIMP)
        assert registry() == (*before, LIMP)
        with pytest.raises(ValueError, match="the statistic 'limp' is registered already"):
            register(LIMP)
        for name in sorted(RESERVED):
            with pytest.raises(ValueError, match="registered already"):
                register(replace(LIMP, key=name))
    assert registry() == before


def test_an_expression_is_the_same_for_everybody():
    words = tuple(ACT)
    assert parsed("calls and bets > 1", words) is parsed("calls and bets > 1", words)


def test_the_table_of_the_documentation_is_what_the_definitions_say():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/statistics_table.py"), "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
