"""Reports in a pipe or a file: nothing is cut, and lines have no blanks at their ends."""

from __future__ import annotations

import io
import json
import sys

import click
import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli._output import open_console, out_option, write_by_ending
from pokermodel.cli.main import cli
from tests.common import desk


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    desk.lay(folder)
    with pm.Book(folder / "players.db") as book:
        book.learn(pm.open_hands(folder / "hands.phh"), kinds=["statistics"])
    return folder


def printed(folder, monkeypatch, *args, columns=None):
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, args, catch_exceptions=False, env={"COLUMNS": columns})
    assert result.exit_code == 0, result.output
    return result.stdout


MODELS = "loki2:som?field=maximum&crude_potential=exact1&noise=.4&calibrated=0,som?contexts=previous"
COMMANDS = [
    ("read", "hands.phh", "--model", "loki2", "--hero", "Farid"),
    ("read", "match.log", "--hand", "2"),
    ("score", "hands.phh", "match.log", "--model", MODELS),
    ("score", "match.log"),
    ("profile", "--book", "players.db"),
    ("profile", "Eve", "--book", "players.db"),
    ("profile", "Eve", "--book", "players.db", "--all"),
    ("equity", "AsAh", "QQ+", "random", "--trials", "1000"),
    ("tournament", "--players", "call,raise", "--deals", "2", "--seed", "1"),
    ("experiment",),
    ("experiment", "gom", "--deals", "2"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("columns", [None, "80"])
def test_lines_have_no_blanks_at_their_ends(folder, monkeypatch, command, columns):
    text = printed(folder, monkeypatch, *command, columns=columns)
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert text.endswith("\n")
    if columns and command[0] == "read":
        assert max(map(len, text.splitlines())) <= 80


def test_a_pipe_has_no_width(folder, monkeypatch):
    text = printed(folder, monkeypatch, "score", "match.log", "--model", MODELS)
    for model in MODELS.split(","):
        assert f"\n {model} " in text
    assert "…" not in text
    assert "…" in printed(folder, monkeypatch, "score", "match.log", "--model", MODELS, columns="80")
    for line in printed(folder, monkeypatch, "profile", "Eve", "--book", "players.db", "--all").splitlines():
        assert "…" not in line


def test_one_is_not_several(folder, monkeypatch):
    assert printed(folder, monkeypatch, "profile", "--book", "players.db").startswith("1 hand, 6 players\n")
    assert printed(folder, monkeypatch, "profile", "Eve", "--book", "players.db").startswith("Eve: 1 hand\n")
    assert printed(folder, monkeypatch, "score", "hands.phh").startswith("1 hand scored, 0 learnt before\n")
    text = printed(folder, monkeypatch, "tournament", "--players", "call,raise", "--deals", "1", "--seed", "1")
    assert text.startswith("1 deal, 2 games, seed 1, ")


@pytest.mark.parametrize(
    "pieces", [("a  \n", "b \n"), ("a", "  ", "\n", "b", " ", "\n"), ("a ", " \nb \n"), ("a  \nb \n",)]
)
def test_blanks_that_come_piece_by_piece(pieces, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    file = open_console().file
    for piece in pieces:
        assert file.write(piece) == len(piece)
    file.flush()
    assert stream.getvalue() == "a\nb\n"
    file.write("  c  d\n")
    assert stream.getvalue() == "a\nb\n  c  d\n"


def test_the_ending_of_a_file_says_how_it_is_written(tmp_path):
    @click.command()
    @out_option("the table", ".txt", ".csv")
    def command(out):
        if out is not None:
            write_by_ending(out, {".txt": lambda path: f"{path.write_text('text')} letters", ".csv": str})

    def said(*args):
        result = CliRunner().invoke(command, list(map(str, args)))
        return result.exit_code, result.stdout, result.stderr.splitlines()[-1]

    path = tmp_path / "table.TXT"
    assert said("--out", path) == (0, "", f"4 letters written to {path}")
    assert path.read_text() == "text"
    other = tmp_path / "table.html"
    code, _, error = said("--out", other)
    assert (code, error) == (2, f"Error: --out {other}: expected a file whose name ends in .txt or .csv")
    code, _, error = said("--out", tmp_path / "none" / "table.csv")
    assert code == 2
    assert "there is no folder" in error
    assert "Its ending says how: .txt or .csv." in " ".join(CliRunner().invoke(command, ["--help"]).stdout.split())


@pytest.mark.parametrize(
    "command",
    [
        ("range", "22+"),
        ("score", "match.log"),
        ("profile", "--history", "no-limit.txt", "--against", "Robin"),
        ("solve", "spot.toml", "--target", "5"),
    ],
    ids=" ".join,
)
def test_json_on_standard_output_is_alone(folder, monkeypatch, command):
    assert isinstance(json.loads(printed(folder, monkeypatch, *command, "--out", "-.json")), dict)


def test_endings_are_read_in_any_case(folder, monkeypatch):
    monkeypatch.chdir(folder)
    found = CliRunner().invoke(cli, ["profile", "Eve", "--book", "players.db", "--out", "x.CSV"])
    assert found.exit_code == 0, found.output
    assert (folder / "x.CSV").read_text().startswith("player,")
