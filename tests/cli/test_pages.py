"""``--out FILE.html`` of commands that print results: a page beside what they print."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli.main import cli, main
from pokermodel.histories import phh


def run(*args):
    return CliRunner().invoke(cli, list(map(str, args)), catch_exceptions=False)


@pytest.fixture
def history(tmp_path):
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all([pm.example_hand()] * 2))
    return path


@pytest.fixture
def commands(history):
    return {
        "score": ("score", history, "--model", "contexts"),
        "tournament": ("tournament", "--players", "call,random", "--deals", 3, "--seed", 1),
        "experiment": ("experiment", "gom", "--deals", 2),
    }


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("score", lambda report: f"{report['action_log_loss']:.3f}"),
        ("tournament", lambda report: f"{report['players'][0]['small_bets_per_game']:+.4f}"),
        ("experiment", lambda report: f"{report['rows'][0]['small_bets_per_game']:+.4f}"),
    ],
)
def test_a_page_beside_what_is_printed(commands, tmp_path, name, figure):
    out = tmp_path / "out.html"
    printed = run(*commands[name], "--out", out)
    assert printed.stderr.splitlines()[-1] == f"page written to {out}"
    out.unlink()
    as_json = run(*commands[name], "--out", out, "--json")
    report = json.loads(as_json.stdout)
    page = out.read_text(encoding="ascii")
    assert page.startswith("<!DOCTYPE html>")
    assert figure(report) in page
    assert figure(report) in printed.stdout


def test_places_where_no_page_can_be_written(commands, tmp_path, capsys):
    """They are refused before anything is played."""
    for name, command in commands.items():
        with pytest.raises(SystemExit) as ended:
            main([*map(str, command), "--out", str(tmp_path / "none" / "out.html")])
        assert ended.value.code == 2, name
        out, err = capsys.readouterr()
        assert out == ""
        assert "there is no folder" in err
        with pytest.raises(SystemExit):
            main([*map(str, command), "--out", str(tmp_path / "out.txt")])
        assert "expected a file whose name ends in .html or .json" in capsys.readouterr().err


def test_a_page_of_no_experiment():
    refused = run("experiment", "--out", "out.html")
    assert refused.exit_code == 2
    assert "--out writes one experiment: expected its NAME" in refused.stderr
