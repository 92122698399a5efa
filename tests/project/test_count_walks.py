"""`tools/count_walks.py`: how far somebody follows who reads the code."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


count_walks = load("count_walks")


def calls(*steps):
    """Calls from triples: function, module and the number of the caller before it, or None."""
    codes, found = {}, []
    for name, module, caller in steps:
        code = codes.setdefault(name, compile(name, module, "eval"))
        found.append(count_walks.Call(code, module, None if caller is None else found[caller]))
    return found


def test_functions_count_once_and_where_they_lead_on():
    walked = calls(
        ("draw", "page", None),
        ("word", "words", 0),
        ("facts", "hand", 0),
        ("cards", "cards", 2),
        ("cell", "page", 0),
        ("word", "words", 4),
        ("facts", "hand", 0),
    )
    assert count_walks.walk_of(walked).stays == ("page", "hand", "page")
    assert count_walks.walk_of(walked).returns == 1
    every = count_walks.walk_of(walked, every=True)
    assert every.stays == ("page", "words", "hand", "cards", "page")
    assert str(every) == "5 stays in 4 modules, 1 returns"


def test_calls_of_the_package_are_recorded_with_who_called():
    import pokermodel as pm
    from pokermodel.analysis import range as ranges

    table = pm.WeightTable()
    with count_walks.recorded() as found:
        ranges.range_summary(table)
    assert found[0].module == "analysis.range"
    assert found[0].caller is None
    by_name = {call.code.co_name: call for call in found}
    assert by_name["grid"].caller is found[0]
    assert by_name["live"].module == "weights"
    assert sys.getprofile() is None


def test_a_page_is_drawn_in_few_stays():
    """It is drawn from what was worked out before; money, stakes and positions are put into words as it is written."""
    walk = count_walks.walk_of(count_walks.calls_of(count_walks.WALKS["a page of a hand"]))
    assert len(walk.stays) <= 15
    assert not {"analysis.range", "evaluation.equity"} & set(walk.stays)
    assert not {"reading.session", "players.loki1", "simulation.simulator"} & set(walk.stays)


def test_walks_of_their_own_are_gone_past():
    from pokermodel.analysis.range import range_summary
    from pokermodel.weights import WeightTable

    def walk():
        range_summary(WeightTable())

    with count_walks.recorded({range_summary.__code__}) as found:
        walk()
    names = [call.code.co_name for call in found]
    assert "range_summary" in names
    assert "grid" not in names


@pytest.mark.parametrize(("name", "most"), [("a verdict", 22), ("a report of a hand", 29)])
def test_a_decision_is_judged_in_few_stays(name, most):
    """A turn spot of two: a spot has all that is needed, so that nobody asks a session. Two find what was learnt."""
    walk = count_walks.walk_of(count_walks.calls_of(count_walks.WALKS[name]))
    assert len(walk.stays) <= most, walk.stays
    if name == "a verdict":
        assert "reading.session" not in walk.stays
