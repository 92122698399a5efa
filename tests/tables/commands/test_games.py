"""``--game`` of the commands that deal."""

from __future__ import annotations

import json

import pytest
from click import UsageError
from click.testing import CliRunner

from pokermodel.cli.main import cli
from pokermodel.game import GameSpec
from pokermodel.tables.commands._games import read_game


def play(*args):
    return CliRunner().invoke(cli, ["tournament", "--deals", "3", "--seed", "1", "--players", *args])


def test_texts():
    assert read_game("limit", 3) == GameSpec.ring(3, 1, 2)
    assert read_game("no-limit", 3) == GameSpec.no_limit(3, 1, 2, stacks=(200, 200, 200))
    assert read_game("pot-limit:50", 2) == GameSpec.pot_limit(2, 1, 2, stacks=(100, 100))
    assert read_game("limit:10", 2).stacks == (20, 20)


def test_a_game_definition(tmp_path):
    path = tmp_path / "holdem.nolimit.2p.game"
    text = GameSpec.no_limit(2, 50, 100, stacks=(20000, 20000)).to_acpc()
    path.write_text(text)
    assert read_game(str(path), 2) == GameSpec.from_acpc(text)
    with pytest.raises(UsageError, match="a game of 2, and there are 3 players"):
        read_game(str(path), 3)
    path.write_text("GAMEDEF\nnolimit\n")
    with pytest.raises(UsageError, match=r"2p\.game: "):
        read_game(str(path), 2)


@pytest.mark.parametrize("text", ["omaha", "no-limit:0", "no-limit:-3", "no-limit:x", ""])
def test_what_is_no_game(text):
    with pytest.raises(UsageError, match="expected"):
        read_game(text, 2)


def test_a_tournament_of_no_limit():
    result = play("random,call", "--game", "no-limit:20", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["games"] == 6
    result = play("loki1,call", "--game", "no-limit")
    assert isinstance(result.exception, ValueError)
    assert str(result.exception) == "loki1 plays limit, and this game is no limit"


def test_a_solver_without_a_blueprint_says_what_it_plays(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = CliRunner().invoke(cli, ["tournament", "--players", "solver,call", "--deals", "1", "--game", "no-limit:20"])
    assert found.exit_code == 0, found.output
    assert found.stderr.startswith("solver: no blueprint for this game: plays as myopic does")
    assert found.stderr.count("no blueprint") == 1
