"""The command ``pokermodel equity``, as a user meets it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli, main
from pokermodel.evaluation.equity import equity


def run(*args):
    return CliRunner().invoke(cli, ["equity", *args], catch_exceptions=False)


def test_two_players_as_data():
    report = json.loads(run("AsKd", "22+, A2s+", "--board", "2c7d9h", "--json").output)
    found = equity(["AsKd", "22+, A2s+"], "2c7d9h")
    for name in ("equity", "win", "tie", "lose"):
        assert report[name] == getattr(found, name).tolist()
    assert report["ranges"] == ["AsKd", "22+, A2s+"]
    assert report["standard_error"] == [0, 0]
    assert report["trials"] == 0


def test_several_players_as_data():
    args = ("QQ", "random", "22+", "--trials", "20000", "--seed", "1", "--json")
    report = json.loads(run(*args).output)
    assert [len(report[name]) for name in ("equity", "win", "tie", "lose", "standard_error")] == [3] * 5
    assert report["ranges"] == ["QQ", "random", "22+"]
    assert list(report) == list(json.loads(run("QQ", "AKs", "--json").output))  # however many players
    assert sum(report["equity"]) == pytest.approx(1)
    assert report["trials"] == 20_000
    assert json.loads(run(*args, "--jobs", "2").output) == report  # whatever the number of threads


def test_text():
    exact = run("AsAh", "KdKc", "--board", "2c7d9h").output
    assert "91.616%" in exact
    assert exact.endswith("exact\n")
    assert "85.204%" in run("AA", "random").output
    simulated = run("AA", "random", "random", "--trials", "1000", "--seed", "1").output
    assert "+-" in simulated
    assert "1,000 deals simulated" in simulated


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["AA"], "two ranges"),
        (["AA", "KK, ZZ"], "range 2, 'KK, ZZ': column 5: expected"),
        (["AA", "KK", "--board", "2c2c3d"], "duplicate card 2c"),
        (["AA", "KK", "--board", "2c7d"], "board"),
        (["AsKs", "AsQs"], "no holdings for all players that share no card"),
        (["AA", "KK", "QsQh", "--board", "QsQdQc"], "player 3, 'QsQh', has no holding"),
        (["AA", "KK", "--trials", "1"], "--trials"),
    ],
)
def test_bad_input_gives_one_line(args, words, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["equity", *args])
    assert stop.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = [x for x in printed.err.splitlines() if x and not x.startswith(("Usage:", "Try "))]
    assert words in line
