"""The commands that people who use solvers need: ``pokermodel nodes``, and ranges from ``pokermodel read``."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli
from pokermodel.histories import phh
from pokermodel.ranges import from_dialect
from tests.common.six_handed import HANDS, RIVER


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "hands.phhs"
    path.write_text("".join(f"[{number}]\n{phh.dumps(hand)}\n" for number, hand in enumerate(HANDS, 1)))
    return path


def run(*args):
    return CliRunner().invoke(cli, [*map(str, args)])


def test_nodes_as_text_csv_and_json(file, tmp_path):
    text = run("nodes", file, "--node", "flop BB check -> BTN", "--least", 2)
    assert text.exit_code == 0, text.output
    assert text.stdout.startswith("5 hands, ")
    assert "BTN open 2.5bb, BB call | flop BB check -> BTN" in text.stdout
    assert "3 decisions" in text.stdout
    out = tmp_path / "nodes.csv"
    assert run("nodes", file, "--player", "Bea", "--csv", out).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert rows
    assert all(row["node"].endswith("-> BB") for row in rows)
    assert list(csv.DictReader(io.StringIO(run("nodes", file, "--player", "Bea", "--csv", "-").stdout))) == rows
    found = json.loads(run("nodes", file, "--json", "--exact").stdout)
    assert found["hands"] == 5
    assert any("BTN bet 33%" in node["node"] for node in found["nodes"])
    assert "nodes that are not shown" in run("nodes", file, "--top", 1).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--csv", "-", "--json"], "exclude"),
        (["--player", "Nobody"], "no decision"),
        (["--node", "nowhere"], "none of"),
        (["--model", "loki1"], "no decision"),
    ],
)
def test_nodes_that_cannot_be_counted(file, args, words):
    result = run("nodes", file, *args)
    assert result.exit_code
    assert words in result.output


def test_ranges_of_a_hand(file, tmp_path):
    text = run("read", file, "--hand", 1, "--ranges", "gto+")
    assert text.exit_code == 0, text.output
    assert "\n  BB Bea: " in text.stdout
    found = json.loads(run("read", file, "--hand", 1, "--ranges", "texassolver", "--json").stdout)
    assert [node["index"] for node in found["nodes"]] == list(range(len(RIVER.actions)))
    for node in found["nodes"]:
        for told in node["ranges"].values():
            assert from_dialect(told, "texassolver").max() == 1
    every = run("read", file, "--all", "--ranges", "pio", "--jsonl").stdout.splitlines()
    assert [json.loads(line)["number"] for line in every] == [1, 2, 3, 4, 5]
    out = tmp_path / "spots"
    written = run("read", file, "--all", "--ranges", "pio", "--out", out, "--locks", "33,75")
    assert written.exit_code == 0, written.output
    listed = {row["file"] for row in csv.DictReader(io.StringIO((out / "index.csv").read_text()))}
    assert {path.name for path in out.iterdir()} == {*listed, "index.csv"}
    assert sum(name.endswith(".lock.txt") for name in listed) == 8 + 3 + 4


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--out", "x"], "--ranges"),
        (["--ranges", "pio", "--locks", "33"], "--out"),
        (["--ranges", "pio", "--weights", "--json"], "excludes"),
        (["--ranges", "pio", "--out", "x", "--json"], "excludes"),
        (["--ranges", "pio", "--out", "x", "--locks", "a"], "per cent"),
        (["--ranges", "pio", "--out", "x", "--locks", "0"], "per cent"),
        (["--ranges", "flopzilla"], "gto+"),
    ],
)
def test_options_of_ranges_that_do_not_go_together(file, args, words):
    result = run("read", file, *args)
    assert result.exit_code
    assert words in result.output
