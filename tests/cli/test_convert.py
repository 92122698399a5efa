"""``pokermodel convert``."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli.main import cli
from pokermodel.game import GameSpec
from pokermodel.histories import open_hands, phh
from pokermodel.ranges import from_dialect
from tests.common import desk
from tests.common.six_handed import HANDS, RIVER


@pytest.fixture
def folder(tmp_path):
    desk.lay(tmp_path)
    return tmp_path


def invoke(*args):
    return CliRunner().invoke(cli, ["convert", *map(str, args)])


def run(*args):
    result = invoke(*args)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("form", ["phh", "acpc", "ohh"])
def test_hands_come_back(folder, form):
    said = run(folder / "match.log", "--to", form, "--out", folder / "out")
    assert said.stdout == f"{folder / 'out'}: 3 hands\n"
    source = open_hands(folder / "out")
    assert source.format == form
    before = list(open_hands(folder / "match.log"))
    assert [hand.actions for hand in source] == [
        # PHH lists the big blind first, too
        hand.actions for hand in before
    ]  # fmt: skip
    assert [hand.payoffs for hand in source] == [hand.payoffs for hand in before]
    assert run(folder / "match.log", "--to", form).stdout_bytes == (folder / "out").read_bytes()


def test_only_the_hands_that_are_meant(folder):
    said = run(folder / "match.log", "--to", "ohh", "--where", "street=river showdown=no", "--out", folder / "x.ohh")
    assert said.stdout.endswith("x.ohh: 0 hands of 3\n")
    said = run(
        folder / "match.log", folder / "hands.phh", "--to", "ohh", "--where", "player=Ada", "--out", folder / "x.ohh"
    )
    assert said.stdout.endswith("x.ohh: 1 hand of 4\n")


def test_the_hero_and_stacks_of_trackers(folder):
    out = run(folder / "match.log", "--to", "ohh", "--hero", "Alice", "--stack", "1000").stdout
    hands = [json.loads(line)["ohh"] for line in out.split("\n\n")]
    assert [hand["players"][hand["hero_player_id"]]["name"] for hand in hands] == ["Alice"] * 3
    assert {player["starting_stack"] for hand in hands for player in hand["players"]} == {1000}
    assert "is for --to ohh, not for --to phh" in invoke(folder / "match.log", "--to", "phh", "--hero", "X").output
    assert "is not an amount of more than 0" in invoke(folder / "match.log", "--to", "ohh", "--stack", "-1").output


def mixed(folder):
    """A file with a damaged hand, and one that an ACPC log cannot express."""
    hand = pm.example_hand()
    ante = hand.to_phh().replace("antes = [0, 0, 0, 0, 0, 0]", "antes = [1, 1, 1, 1, 1, 1]")
    parts = [hand.to_phh(), "variant = 'FT'\n", ante, hand.to_phh()]
    path = folder / "mixed.phhs"
    path.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(parts, 1)))
    return path


def test_what_cannot_be_expressed_is_an_error_that_says_where(folder):
    path = mixed(folder)
    result = invoke(path, "--to", "acpc", "--out", folder / "out.log")
    expected = f"{path}: hand 2: hand 1: an ACPC log cannot express it: an ACPC game definition cannot have antes"
    assert str(result.exception) == expected
    assert not (folder / "out.log").exists()
    assert [name.name for name in folder.iterdir() if "out.log" in name.name] == []


def test_or_is_left_out_and_counted(folder):
    path = mixed(folder)
    said = run(path, "--to", "acpc", "--skip", "--out", folder / "out.log")
    assert said.stdout.endswith("out.log: 2 hands of 3\n")
    assert "1 hand left out, which acpc cannot express:\n  once: " in said.stderr
    assert "cannot have antes" in said.stderr
    assert "1 hand skipped" in said.stderr  # the damaged one
    assert len(open_hands(folder / "out.log")) == 2


def test_nothing_to_read(folder):
    (folder / "empty").mkdir()
    result = invoke(folder / "empty", "--to", "phh")
    assert result.exit_code
    assert "no hand could be read" in result.output


def test_memory_does_not_grow_with_what_is_written(folder, monkeypatch):
    """Hands are written as they are read: the first one is on its way before the last one is there."""
    spec = GameSpec.heads_up(5, 10)
    order = []

    def numbered(self, path):
        for number in range(3):
            order.append(f"read {number}")
            yield number, pm.Hand("x", str(number), spec, "AB", [pm.Action(0, pm.Act.FOLD)])

    monkeypatch.setattr("pokermodel.cli.convert.HandReading.numbered", numbered)

    @contextmanager
    def noted(path):
        yield lambda piece: order.append("written")

    monkeypatch.setattr("pokermodel.cli.convert.whole_file", noted)
    invoke(folder / "match.log", "--to", "acpc", "--out", folder / "x")
    assert order == ["read 0", "written", "read 1", "written", "read 2", "written"]


# ------------------------------------------------------------------------------------------------------ for solvers


def test_spots_for_solvers(folder):
    spot = folder / "spot.toml"
    assert "add_line " in run(spot, "--to", "pio").stdout
    assert run(spot, "--to", "texassolver").stdout.startswith("set_pot 200\nset_effective_stack 900\n")
    at = (folder / "no-limit.txt", "--hand", 2, "--act", 14, "--hero", "Robin")
    of_hand = run(*at, "--to", "gto+").stdout
    assert of_hand.startswith("board Jd3d2hJsJc\npot 37\n")
    found = json.loads(run(*at[:3], "--to", "gto+", "--json").stdout)["nodes"]
    (river,) = (node for node in found if node["round"] == "river" and node["index"] == 12)  # where it began
    widths = [(place, river["widths"][name]) for place, name in (("oop", "Blake"), ("ip", "Robin"))]
    comments = of_hand.splitlines()[-2:]
    assert comments == [f"#{place} {each['share']:.0%} of hands, {each['combos']:.0f} combos" for place, each in widths]
    for line in of_hand.splitlines()[-4:-2]:  # weights are relative to the largest
        assert from_dialect(line.partition("position ")[2], "gto+").max() == 1
    texas = run(*at, "--to", "texassolver").stdout.splitlines()[-2:]
    assert texas == [each.replace(" ", "_").replace("_", " ", 1) for each in comments]
    assert run(*at, "--to", "pio").stdout.splitlines()[-2:] == comments
    out = folder / "spot.txt"
    assert run(*at, "--to", "gto+", "--out", out).stdout == f"{out}: a spot for gto+\n"
    assert out.read_text() == of_hand
    few = run(*at, "--to", "gto+", "--least", 20).stdout
    assert len(few) < len(of_hand)
    trees = {run(*at, "--to", "pio", "--bets", bets, "--raises", "").stdout for bets in ("50%", "all-in")}
    assert len(trees) == 2


@pytest.fixture
def six_handed(tmp_path):
    path = tmp_path / "hands.phhs"
    path.write_text("".join(f"[{number}]\n{phh.dumps(hand)}\n" for number, hand in enumerate(HANDS, 1)))
    return path


def test_ranges_of_hands(six_handed, tmp_path):
    text = run(six_handed, "--hand", 1, "--to", "gto+")
    assert "\n  BB Bea: " in text.stdout
    assert re.search(r"  BB Bea: .*  # \d+% of hands, [\d.]+ combos\n", text.stdout)
    found = json.loads(run(six_handed, "--hand", 1, "--to", "texassolver", "--json").stdout)
    assert [node["index"] for node in found["nodes"]] == list(range(len(RIVER.actions)))
    for node in found["nodes"]:
        for told in node["ranges"].values():
            assert from_dialect(told, "texassolver").max() == 1
        assert list(node["widths"]) == list(node["ranges"])
    assert set(found["nodes"][0]["widths"].values()) == {None}
    assert found["nodes"][-1]["widths"]["Bea"].keys() == {"share", "share_here", "usual_share", "combos"}
    every = run(six_handed, "--to", "pio", "--json").stdout.splitlines()
    assert [json.loads(line)["number"] for line in every] == [1, 2, 3, 4, 5]
    some = run(six_handed, "--to", "pio", "--where", "street=river", "--json").stdout.splitlines()
    rivers = [number for number, _ in open_hands(six_handed).select("street=river").numbered()]
    assert [json.loads(line)["number"] for line in some] == rivers
    out = tmp_path / "spots"
    run(six_handed, "--to", "pio", "--out", out, "--bets", "75%,33%")
    listed = {row["file"] for row in csv.DictReader(io.StringIO((out / "index.csv").read_text()))}
    assert {path.name for path in out.iterdir()} == {*listed, "index.csv"}
    assert sum(name.endswith(".lock.txt") for name in listed) == 8 + 3 + 4


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--to", "phh", "--bets", "33%"], "--bets is for solvers"),
        (["--to", "phh", "--json"], "expected --out OUT"),
        (["--to", "pio", "--skip"], "--skip is for hands"),
        (["--to", "pio", "--bets", "33%"], "expected --to pio and --out FOLDER"),
        (["--to", "gto+", "--bets", "33%", "--out", "x"], "expected --to pio and --out FOLDER"),
        (["--to", "pio", "--bets", "all-in", "--out", "x"], "shares of the pot"),
        (["--to", "pio", "--bets", "a", "--out", "x"], "unknown size 'a'"),
        (["--to", "pio", "--out", "x", "--json"], "excludes --out"),
        (["--to", "pio", "--raises", "33%"], "--raises is for a spot"),
        (["--to", "pio", "--most-raises", "2"], "--most-raises is for a spot"),
        (["--to", "phh", "--donk", "33%"], "--donk is for solvers"),
        (["--to", "pio", "--act", 3], "needs --act K and --hero NAME"),
        (["--to", "flopzilla"], "gto+"),
    ],
)
def test_options_that_do_not_go_together(six_handed, args, words):
    result = invoke(six_handed, *args)
    assert result.exit_code
    assert words in result.output + str(result.exception)


def test_what_was_written_as_json(folder):
    out = folder / "out.phhs"
    found = json.loads(run(folder / "match.log", "--to", "phh", "--hand", "2-3", "--out", out, "--json").stdout)
    assert (found["file"], found["hands"], found["left_out"]) == (str(out), 2, 0)
    assert len(open_hands(out)) == 2
