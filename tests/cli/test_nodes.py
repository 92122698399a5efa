"""``pokermodel profile --nodes``: how often each choice is taken at each node of the betting."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli
from pokermodel.histories import phh
from tests.common.six_handed import HANDS


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "hands.phhs"
    path.write_text("".join(f"[{number}]\n{phh.dumps(hand)}\n" for number, hand in enumerate(HANDS, 1)))
    return path


def run(*args):
    return CliRunner().invoke(cli, ["profile", "--nodes", *map(str, args)])


def test_nodes_as_text_csv_and_json(file, tmp_path):
    text = run("--history", file, "--all")
    assert text.exit_code == 0, text.output
    assert text.stdout.startswith("5 hands, ")
    assert "BTN open 2.5bb, BB call | flop BB check -> BTN" in text.stdout
    assert "3 decisions" in text.stdout
    out = tmp_path / "nodes.csv"
    assert run("Bea", "--history", file, "--out", out).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert rows
    assert all(row["node"].endswith("-> BB") for row in rows)
    assert list(csv.DictReader(io.StringIO(run("Bea", "--history", file, "--out", "-.csv").stdout))) == rows
    assert run("--where", "hero=Bea", "--history", file, "--out", "-.csv").stdout == out.read_text()
    found = json.loads(run("--history", file, "--json").stdout)
    assert found["hands"] == 5
    assert any("BTN bet <40%" in node["node"] for node in found["nodes"])
    some = json.loads(run("--history", file, "--where", "street=river", "--json").stdout)
    assert some["hands"] < 5
    assert "nodes that are not shown" in run("--history", file).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--history", "{file}", "--out", "-.csv", "--json"], "both write"),
        (["Nobody", "--history", "{file}"], "no decision"),
        (["--history", "{file}", "--model", "loki1"], "no decision"),
        (["Bea"], "expected --history FILE"),
        (["Bea", "--history", "{file}", "--by", "position"], "--by is no part of --nodes"),
        (["Bea", "--history", "{file}", "--out", "x.html"], "nodes are written as .csv or .json"),
    ],
)
def test_nodes_that_cannot_be_counted(file, args, words):
    result = run(*(arg.format(file=file) for arg in args))
    assert result.exit_code
    assert words in result.output
