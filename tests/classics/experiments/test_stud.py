"""The experiments in stud: that they run, and that what they claim at full length shows in short."""

from __future__ import annotations

import json
from typing import get_args

import numpy as np
import pytest
from click.testing import CliRunner

from pokermodel.classics.experiments import MeasuredExperiment, experiments, run_experiment
from pokermodel.classics.experiments.bpp import _blocks, rule_table
from pokermodel.classics.experiments.claims import Verdict
from pokermodel.classics.experiments.stud import StudRun
from pokermodel.cli.main import cli, main
from pokermodel.evaluation.hand_types import SCHEMES
from pokermodel.game import Act

STUD_EXPERIMENTS = {
    name: each
    for name, each in experiments().items()
    if isinstance(each, MeasuredExperiment) and each.measurement is StudRun
}


@pytest.mark.parametrize("name", STUD_EXPERIMENTS)
def test_command(name):
    parts = []
    outcome = run_experiment(name, 20, seed=2, progress=lambda done, of: parts.append((done, of)))
    assert parts[-1][0] == parts[-1][1]
    assert len(parts) == STUD_EXPERIMENTS[name].parts
    assert outcome.deals == 20
    found = CliRunner().invoke(cli, ["experiment", name, "--deals", "20", "--seed", "2", "--json"])
    report = json.loads(found.stdout)
    assert report["rows"] == json.loads(json.dumps(outcome.to_dict()))["rows"]
    assert {claim["verdict"] for claim in report["claims"]} <= {*get_args(Verdict)}
    text = str(outcome)
    assert all(claim["claim"] in text for claim in report["claims"])
    assert all(row["label"] in text for row in report["rows"])


def test_claims():
    run = StudRun(10, 1, 1, None)
    around = np.array([-1.0, 0.0, 1.0, 0.0] * 100)
    for shift, low, high, verdict in (
        (1.0, 0.0, np.inf, "held"),
        (-1.0, 0.0, np.inf, "failed"),
        (0.01, 0.0, np.inf, "in order within chance"),
        (-0.01, 0.0, np.inf, "open"),
        (0.0, -0.5, 0.5, "held"),
        (1.0, -0.5, 0.5, "failed"),
        (0.5, -0.5, 0.5, "open"),
    ):
        run.claim("it is so", around + shift, low, high)
        assert run.findings[-1].verdict == verdict


@pytest.mark.parametrize(
    ("situation", "state", "act"),
    [
        ("round 1, no bet", "9 high or less", Act.CALL),
        ("round 1, a bet", "9 high or less, flush draw", Act.FOLD),
        ("round 2, a bet", "A high, straight draw", Act.CALL),
        ("round 3, no bet", "K high", Act.CALL),
        ("round 3, a bet", "pair of 9 or less", Act.RAISE),
        ("round 4, the last bet", "two pair", Act.CALL),
        ("round 4, no bet", "full house", Act.RAISE),
    ],
)
def test_the_player_of_rules(situation, state, act):
    table = rule_table()
    number = [f"round {k}, {facing}" for k in (1, 2, 3, 4) for facing in ("no bet", "a bet", "the last bet")].index(
        situation
    )
    names = SCHEMES[17].states(number // 3 + 2)
    row = table[number, names.index(state)]
    assert row[act] == 1
    assert row.sum() == 1
    np.testing.assert_allclose(table.sum(axis=2), 1)
    assert (table[::3, :, Act.FOLD] == 0).all()  # nobody folds where they can pass
    assert (table[2::3, :, Act.RAISE] == 0).all()


def test_blocks():
    assert _blocks(20) == [20]
    assert _blocks(1200) == [50, 50, 100, 300, 500, 200]


def test_bad_input(capsys):
    with pytest.raises(ValueError, match="unknown experiment 'bpp'"):
        run_experiment("bpp")
    with pytest.raises(ValueError, match="2 or more"):
        run_experiment("bpp-types", 1)
    with pytest.raises(ValueError, match="seed must be 0 or more"):
        run_experiment("bpp-types", 2, seed=-1)
    with pytest.raises(SystemExit) as ended:
        main(["experiment", "bpp-types", "--jobs", "2"])
    assert ended.value.code == 2
    assert "one process" in capsys.readouterr().err


@pytest.mark.slow
def test_types_win_and_the_arc_is_about_even():
    findings = run_experiment("bpp-types", 5000).findings
    assert [found.verdict for found in findings if "alone win" in found.claim or "about even" in found.claim] == [
        "held"
    ] * 4


@pytest.mark.slow
def test_all_hands_beat_showdowns():
    """A short run of the bias: the error of the tables, and what follows from it."""
    rows = {(row["table"], row["label"]): row for row in run_experiment("bpp-bias", 500).to_dict()["rows"]}
    table = "mean error of the tables"
    assert rows[table, "EM, 1,000 hands"]["mean"] < rows[table, "showdowns only, 1,000 hands"]["mean"] / 1.4
    folds = "too many folds when facing a bet"
    assert rows[folds, "showdowns only"]["ci95"][1] < 0
    assert abs(rows[folds, "EM"]["mean"]) < 0.05
