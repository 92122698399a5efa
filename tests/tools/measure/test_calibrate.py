"""How far measured differences are to be believed: the fit, and what becomes of words by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("Cython", reason="Cython is not installed")
pytest.importorskip("setuptools", reason="setuptools is not installed")
pytest.importorskip("scipy", reason="scipy is not installed")

from pokermodel.worth import calibration
from pokermodel.worth.calibration import Fit
from tools.measure import calibrate
from tools.measure.calibrate import Difference
from tools.measure.generated import CHOOSING, REPORTING, TUNING

PRE_FLOP = ("simulated", False, "pre-flop", "call for fold")


def some(count: int, by: Fit, sort: calibrate.Sort = PRE_FLOP, of_truth: float = 0.5) -> list[Difference]:
    """Differences that are as a fit says."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(count):
        measured, error, pot = rng.normal(1.0, 3.0), rng.uniform(0.1, 1.0), rng.choice([3.0, 10.0, 40.0])
        stranger = rng.uniform()
        known = (0.5 * error) ** 2 + by.wide**2 * 0.75 * error**2
        spread = known + by.units**2 + (by.pot * pot) ** 2 + (by.part * measured) ** 2
        spread = np.sqrt(by.strange ** (2.0 * stranger) * spread) * calibrate.SURE / calibrate.HALF
        true = by.loss(measured, stranger) + spread * rng.standard_t(calibrate.TAILS) + rng.normal(0.0, of_truth)
        found.append(Difference(sort, measured, error, 0.5 * error, pot, stranger, true, of_truth, True))
    return found


def row(measured: float, true: float, word: str = "true") -> dict[str, Any]:
    """A decision: a hand was folded, and a call is worth more."""
    each = {"to": None, "method": "simulated", "half": 0.5, "noise": 0.2, "ev": 0.0}
    fold = {**each, "act": 0, "made": True, "best": False, "kind": "fold for call"}
    call = {**each, "act": 1, "made": False, "best": True, "kind": "", "difference": 0.0, "true": 0.0, "error": 0.0}
    fold |= {"difference": measured, "true": true, "error": 0.1}
    call |= {"ev": measured}
    plain = {"seed": 1, "number": 1, "index": 1, "limit": False, "street": "flop", "pot": 10.0, "guess": ""}
    return {**plain, "stranger": 0.5, "pairs": [fold, call], "truth": {"word": word, "lost": max(0.0, true)}}


def test_a_fit_finds_what_differences_are_like() -> None:
    found = calibrate.fits_of(some(3000, Fit(0.5, 0.1, 1.5, 0.1, 0.1, strange=2.0)))[PRE_FLOP][0]
    assert found.loss(1.0, 0.5) == pytest.approx(0.45, abs=0.05)
    assert found.strange == pytest.approx(2.0, abs=0.2)
    assert found.units == pytest.approx(1.5, abs=0.2)
    assert found.pot == pytest.approx(0.1, abs=0.02)


def test_errors_of_the_truth_widen_nothing() -> None:
    by = Fit(0.8, 0.0, 0.5, 0.02, 0.1)
    sharp, dull = (calibrate.fits_of(some(3000, by, of_truth=each))[PRE_FLOP][0] for each in (0.1, 2.0))
    assert dull.units < sharp.units + 0.1


def test_few_differences_stay_near_the_coarser_sort() -> None:
    few = ("simulated", False, calibration.RAISED, "fold for call")
    many = some(2000, Fit(0.9, 0.0, 6.0, 0.05, 0.1))
    found = calibrate.fits_of([*many, *some(calibrate.LEAST, Fit(0.1, 0.0, 6.0, 0.05, 0.1), few)])
    assert 0.3 < found[few][0].keep < 0.8
    alone = calibrate.fits_of([*many, *some(calibrate.LEAST - 1, Fit(0.1, 0.0, 0.5, 0.05, 0.1), few)])
    assert few not in alone
    assert alone["simulated", False, "", ""][1] == 2000 + calibrate.LEAST - 1


def test_a_sort_stays_near_its_line_of_the_table_before() -> None:
    before = {PRE_FLOP: Fit(0.9, 0.0, 6.0, 0.05, 0.1)}
    few = some(calibrate.LEAST, Fit(0.1, 0.0, 6.0, 0.05, 0.1))
    alone, near = (calibrate.fits_of(few, each)[PRE_FLOP][0] for each in (None, before))
    assert alone.keep < near.keep < 0.8
    assert calibrate.fits_of(few[1:], before)[PRE_FLOP] == (before[PRE_FLOP], calibrate.LEAST - 1)


def test_kinds_of_errors_are_apart_before_the_flop_of_no_limit_alone() -> None:
    sorts = [("simulated", False, "turn", "fold for call"), ("simulated", True, "pre-flop", "fold for call")]
    found = calibrate.fits_of([each for sort in sorts for each in some(100, Fit(0.9, 0.0, 1.0, 0.05, 0.1), sort)])
    assert not {*sorts} & {*found}
    assert {(*sort[:3], "") for sort in sorts} < {*found}


def test_a_fold_is_compared_with_a_call_where_less_of_a_raise_is_believed() -> None:
    fold = {**row(4.0, 3.0)["pairs"][0], "kind": "fold for raise"}
    call = {"difference": 3.0, "half": 0.4, "noise": 0.1, "method": "simulated", "kind": "fold for call"}
    fold["call"] = {**call, "true": -5.0, "error": 0.1}
    plain = row(4.0, 3.0)
    rows = [{**plain, "pairs": [fold, {**plain["pairs"][1], "act": 2, "to": 100, "ev": 4.0}]}]
    less = {("simulated", False, "flop", "fold for raise"): Fit(0.1, 0.0, 0.01, 0.0, 0.0)}
    with calibrate.believed({("simulated", False, "", ""): Fit(1.0, 0.0, 0.01, 0.0, 0.0)}):
        assert calibrate.outcome(rows)["counts"] == {"named": {"true": 1}}
        with calibrate.believed({**calibration.FITS, **less}):
            assert calibrate.verdict_of(rows[0], fold).loss == 3.0
            assert calibrate.outcome(rows)["counts"] == {"named": {"false": 1}}


def test_words_follow_the_fits_in_force() -> None:
    rows = [row(4.0, 3.0), row(4.0, -3.0, "false")]
    with calibrate.believed({("simulated", False, "", ""): Fit(1.0, 0.0, 0.01, 0.001, 0.0)}):
        bold = calibrate.outcome(rows)
    with calibrate.believed({("simulated", False, "", ""): Fit(1.0, 0.0, 5.0, 0.001, 0.0)}):
        timid = calibrate.outcome(rows)
    assert bold["counts"]["named"] == {"true": 1, "false": 1}
    assert set(timid["counts"]) == {"cannot tell"}
    assert bold["share of what was lost"]["named"] == 1.0
    assert timid["inside"]["all all"][0] > bold["inside"]["all all"][0]


def test_every_action_can_be_judged() -> None:
    """A decision with two actions is two judgements, of which one is counted as made; an unseen one is withheld."""
    (plain,) = [row(4.0, 3.0)]
    unseen = {**plain, "pairs": [{**each, "made": False} for each in plain["pairs"]]}
    with calibrate.believed({("simulated", False, "", ""): Fit(1.0, 0.0, 0.01, 0.001, 0.0)}):
        made, every = (calibrate.outcome([plain, unseen], every=each) for each in (False, True))
    assert made["counts"] == {"named": {"true": 1}}
    assert every["counts"] == {"named": {"true": 2}, "right": {"open": 2}}
    assert (
        made["words"]
        == every["words"]
        == {"all": {"named": 1, "not judged": 1}, "large": {"named": 1, "not judged": 1}}
    )
    assert every["named by method"] == {"simulated": {"true": 2}}
    assert every["named, units"] == {"true": 8.0}
    assert made["values before the flop"] == {}
    before = calibrate.outcome(
        [{**plain, "street": "pre-flop", "pairs": [{**each, "worth": 1.0} for each in plain["pairs"]]}]
    )
    assert before["values before the flop"] == {"call": (3.0, 1)}


def test_the_table_is_written_into_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "calibration.py"
    copy.write_bytes(Path(calibration.__file__).read_bytes())
    monkeypatch.setattr(calibration, "__file__", str(copy))
    calibrate.write({("simulated", True, "", ""): (Fit(0.5, 0.125, 0.25, 0.125, 0.375), 1234)})
    names: dict[str, Any] = {"__name__": "copy"}
    exec(compile(copy.read_text(encoding="utf-8"), "copy", "exec"), names)
    assert names["FITS"] == {("simulated", True, "", ""): (0.5, 0.12, 0.25, 0.125, 0.38, 1.0, 1.0)}
    assert "1,234" in copy.read_text(encoding="utf-8")


def test_seeds_are_kept_apart() -> None:
    assert not {*TUNING} & {*CHOOSING}
    assert not {*TUNING, *CHOOSING} & {*REPORTING}


@pytest.mark.parametrize("hands", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_decisions_are_judged_and_simulated(hands: int) -> None:
    rows = calibrate.measure(TUNING[:1], (0, 5), hands, 1, 256, None, 1)
    pairs = [each for row in rows for each in row["pairs"]]
    assert pairs
    assert {row["number"] for row in rows} <= {1, 2, 6, 7}
    assert rows[0]["stranger"] > rows[-1]["stranger"] > 0.9
    for row in rows:
        assert sum(each["made"] for each in row["pairs"]) <= 1
        (best,) = (each for each in row["pairs"] if each["best"])
        assert best["kind"] == ""
        assert best["true"] == 0.0
    assert all(each["error"] > 0.0 for each in pairs if not each["best"])
