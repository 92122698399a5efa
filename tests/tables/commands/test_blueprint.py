"""``pokermodel blueprint``."""

import json

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli
from pokermodel.tables import blueprint as blueprints
from pokermodel.tables.blueprint import Blueprint, BlueprintGame
from pokermodel.tables.blueprint.blueprint import blueprint_path
from tests.common.blueprints import few_flops

SMALL = ("--buckets", "12/12/6", "--rounds", "2")


def run(*arguments):
    with few_flops():
        return CliRunner().invoke(cli, ["blueprint", *map(str, arguments)])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    path = tmp_path_factory.mktemp("blueprint") / "made" / "small.npz"
    found = run("build", *SMALL, "--out", path, "--json")
    assert found.exit_code == 0, found.output
    return path, json.loads(found.stdout)


def test_build(built):
    path, figures = built
    assert figures["file"] == str(path)
    assert figures["bytes"] == path.stat().st_size
    assert figures["buckets"] == list(Blueprint.load(path).sizes)
    assert [each.name for each in path.parent.iterdir()] == ["small.npz"]


def test_build_for_the_player_solver(built, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path))
    found = run("build", *SMALL, "--jobs", 2)
    assert found.exit_code == 0, found.output
    path = blueprint_path(BlueprintGame.limit())
    assert path.is_relative_to(tmp_path)
    assert str(path) in found.output
    assert path.read_bytes() == built[0].read_bytes()


def test_check(built):
    found = json.loads(run("check", built[0], "--subgames", 3, "--json").stdout)
    assert found["subgames"] == 3
    assert found["mean"] > 0
    again = run("check", built[0], "--subgames", 3)
    assert f"takes {found['mean']:.1f} +- " in again.output
    solved = json.loads(run("check", built[0], "--subgames", 3, "--resolved", "--json").stdout)
    assert solved["mean"] < found["mean"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "--buckets", "many"), "expected three numbers as 2000/1000/300"),
        (("build", "--buckets", "10/10"), "buckets must be three numbers"),
        (("build", "--game", "stud"), "game 'stud': expected limit, no-limit"),
        (("build", "--jobs", 2, "--cluster", "local:2"), "--jobs and --cluster both say what does the work"),
        (("check",), "make one with pokermodel blueprint build"),
    ],
)
def test_bad_input_is_refused(arguments, message, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path))
    found = run(*arguments)
    assert found.exit_code != 0
    assert message in (found.output if isinstance(found.exception, SystemExit) else str(found.exception))


def test_check_against_another(built, tmp_path, monkeypatch):
    for name in "win_rate_against", "solved_gain":
        measured, known = getattr(blueprints, name), {}

        def measured_once(one, other, *rest, measured=measured, known=known, **options):
            key = rest, repr(options)
            if key not in known:
                known[key] = measured(one, other, *rest, **options)
            return known[key]

        monkeypatch.setattr(blueprints, name, measured_once)
    other = tmp_path / "other.npz"
    assert run("build", "--out", other, "--seed", 5, "--buckets", "8/8/5", "--rounds", 1).exit_code == 0
    args = ("check", built[0], other, "--boards", 2)
    found = json.loads(run(*args, "--resolved", "--hands", 6, "--json").stdout)
    assert found["alone"]["boards"] == 2
    assert found["from"] == "river"
    assert set(found["resolved"]) == {"mean", "standard_error", "hands", "subgames"}
    text = run(*args, "--resolved", "--hands", 6).stdout
    assert f"the blueprint alone wins {found['alone']['mean']:.1f} +- " in text
    assert f"with each river solved again it wins {found['resolved']['mean']:.1f} +- " in text
    wrong = run(*args, "--resolved", "--from", "flop")
    assert wrong.exit_code == 2
    assert "--from flop: against OTHER a turn or a river is solved again" in wrong.output


def test_no_limit_is_built_and_checked(tmp_path):
    path = tmp_path / "short.npz"
    told = run("build", "--game", "no-limit:4", "--buckets", "8/8/4", "--rounds", 1, "--out", path,
                "--jobs", 1, "--json")  # fmt: skip
    assert told.exit_code == 0, told.output
    figures = json.loads(told.stdout)
    assert (figures["game"], figures["stack"]) == ("no-limit", 4)
    assert Blueprint.load(path).game == BlueprintGame.no_limit(4)
    checked = run("check", path, "--subgames", 2, "--json")
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.stdout)["subgames"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "--game", "limit:100"), "in limit stacks cover all bets"),
        (("build", "--game", "no-limit:deep"), "expected limit, no-limit, pot-limit"),
        (("build", "--game", "pot-limit"), "expected limit, or no-limit with stacks"),
        (("build", "--game", "no-limit:1"), "the stack must be 1.5 to 1000 big blinds"),
    ],
)
def test_stacks_are_refused_that_no_game_has(arguments, message):
    told = run(*arguments)
    assert told.exit_code == 2
    assert message in " ".join(told.stderr.split())
