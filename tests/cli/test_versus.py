"""``pokermodel profile --against``: who won how much from whom, and how others play against a player."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.analysis.versus import Versus
from pokermodel.cli.main import cli

PATH = resources.files("pokermodel").joinpath("data", "samples", "no-limit.txt")


@pytest.fixture(scope="module")
def robin():
    versus = Versus("Robin")
    for hand in pm.open_hands(PATH):
        versus.add(hand)
    return versus


def run(path, *arguments, status=0):
    result = CliRunner().invoke(cli, ["profile", "--history", str(path), *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result.output


def test_from_whom_how_much(robin):
    text = run(PATH, "--against", "Robin")
    assert text.startswith(f"Robin: {robin.net_bb:+.1f} bb in 40 hands\n")
    lines = [line.split() for line in text.splitlines() if line.endswith("USD")]
    assert [line[0] for line in lines] == [each.name for each in robin.opponents()]
    assert [line[2] for line in lines] == [f"{each.won_bb:+.1f}" for each in robin.opponents()]
    found = json.loads(run(PATH, "--against", "Robin", "--json"))
    assert found["hero"] == "Robin"
    assert found["opponents"] == json.loads(json.dumps([each.to_dict() for each in robin.opponents()]))


def test_the_unit_of_bets_is_said(tmp_path):
    limit = PATH.parent.joinpath("limit.txt")
    text = run(limit, "--against", "Robin")
    assert text.startswith("Robin: -7.0 sb in 40 hands\n")
    assert " sb  sb/100 " in text
    assert "1.6 sb of what was lost went to the site, as rake." in text
    assert run(limit, "Gale", "--against", "Robin").startswith("Robin won +6.8 sb from Gale")
    assert run(PATH, "--history", limit, "--against", "Robin").startswith("Robin: +42.9 bets in 80 hands\n")


@pytest.mark.parametrize("options", [(), ("Ash",)])
def test_files_without_hands_are_what_is_wrong(tmp_path, options):
    """Not that a player is not named in them."""
    (tmp_path / "notes.txt").write_text("hello\n")
    text = run(tmp_path, "--against", "Robin", *options, status=1)
    assert "no hand could be read" in text
    assert text.count("expected PHH") + text.count("pokermodel reads PHH") == 1
    none = run(PATH, "--against", "Robin", "--where", "size>=1000000", *options, status=1)
    assert "none of 40 hands is selected" in none


def test_how_one_plays_against_the_hero(robin):
    text = run(PATH, "Ash", "--against", "Robin")
    assert text.startswith("Robin won ")
    ((structure, rows),) = robin.statistics("Ash").items()
    found = json.loads(run(PATH, "Ash", "--against", "Robin", "--json"))["opponents"]
    assert [each["name"] for each in found] == ["Ash"]
    assert list(found[0]["statistics"][str(structure)]) == [each.key for each in rows]
    for each in rows:
        assert f"{each.against.numerator} / {each.against.denominator}" in text
        assert each.all.denominator >= each.against.denominator


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--against", "Zoe"), "'Zoe' plays in none of the hands"),
        (("Zoe", "--against", "Robin"), "'Zoe' and 'Robin' have played no hand together"),
        (("--against", "Robin", "--all"), "--all is no part of --against"),
        (("--against", "Robin", "--out", "x.csv"), "is written as .json"),
    ],
)
def test_what_is_refused(arguments, expected):
    result = CliRunner().invoke(cli, ["profile", "--history", str(PATH), *arguments])
    assert result.exit_code != 0
    assert expected in str(result.exception) + result.output
