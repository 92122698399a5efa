"""``pokermodel solve``."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest
from click.testing import CliRunner

from pokermodel.cli._solution import seconds_left
from pokermodel.cli.main import cli
from pokermodel.reading.width import Width
from pokermodel.report.words import width_words
from pokermodel.solving import Check
from tests.common import desk
from tests.report.parsed import Parsed

SPOT = """
board = "QsJh2h8c3d"
pot = 200
stack = 900
ranges = ["QQ,AK,98s,22", "JJ,KK:.5,T9s,AA"]
bets = ["50%", "all-in"]
raises = ["60%"]
"""


@pytest.fixture
def spot(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    return path


def run(*arguments):
    return CliRunner().invoke(cli, ["solve", *map(str, arguments)])


def test_json(spot):
    found = json.loads(run(spot, "--target", 0.05, "--json").stdout)
    assert list(found) == ["exploitability", "ev", "iterations", "seconds", "memory", "root", "target"]
    assert found["exploitability"] <= 0.05 == found["target"]
    assert sum(found["ev"]) == pytest.approx(200, abs=0.01)
    assert [(act["act"], act["to"]) for act in found["root"]] == [("check", None), ("bet", 100.0), ("bet", 900.0)]
    assert sum(act["frequency"] for act in found["root"]) == pytest.approx(1)
    mean = sum(act["frequency"] * (act["ev"] or 0) for act in found["root"])
    assert mean == pytest.approx(found["ev"][0], abs=0.01)


def test_rake(spot):
    spot.write_text(SPOT + "rake = .05\nrake_cap = 3\n")
    found = json.loads(run(spot, "--json").stdout)
    assert 197 <= sum(found["ev"]) < 200


def test_text(spot):
    text = run(spot, "--node", "r:0:b100").stdout
    assert text.startswith("QsJh2h8c3d, pot 200: exploitable by 0.")
    assert "r:0:b100, player in position: EV" in text
    assert "raise to 340" in text


def test_locks(spot):
    spot.write_text(SPOT + '[[lock]]\nnode = "r:0:b100"\nstrategy = { f = 1.0, c = 0.0, b340 = 0 }\nconfidence = .5\n')
    found = json.loads(run(spot, "--json").stdout)
    assert found["worst_case"][0] < found["ev"][0]
    text = run(spot).stdout
    assert "out of position against in position as locked at 1 node, confidence 0.50:" in text
    assert "  if that is right " in text
    assert "  in the worst case " in text
    safe = json.loads(run(spot, "--risk", 1, "--json").stdout)
    assert found["worst_case"][0] < safe["worst_case"][0]
    assert found["ev"][0] > safe["worst_case"][0]


def test_save_and_continue(spot, tmp_path):
    saved = tmp_path / "saved.npz"
    first = json.loads(run(spot, "--target", 5, "--out", saved, "--json").stdout)
    more = json.loads(run(saved, "--target", 0.1, "--json").stdout)
    assert more["iterations"] > first["iterations"]
    assert more["exploitability"] <= 0.1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPOT.replace("200", "-1"), "pot must be above 0"),
        (SPOT.replace('"QQ,AK,98s,22"', '"QsQh"'), "is dead on the board"),
        ("board = 1", "pot is missing"),
        (SPOT.replace("900", "0"), "a stack must be above 0, got 0"),
        (SPOT.replace("stack = 900\n", ""), "stack is missing: what each player has behind"),
        (SPOT.replace('"60%"', '"150%"') + 'structure = "pot limit"\n', "raises 150% have no legal size"),
        (SPOT.replace('["60%"]', '"60%"'), "raises must be a list of sizes, got '60%'"),
        (
            SPOT.replace('"QQ,AK,98s,22", "JJ,KK:.5,T9s,AA"', '"AsAh", "AsKs"'),
            "no two holdings of the ranges go together",
        ),
        (SPOT + '[[lock]]\nnode = "r:0:b7"\nstrategy = [1, 0]\n', "there is no node 'r:0:b7'"),
        (
            SPOT + '[[lock]]\nnode = "r:0"\nstrategy = [1, 0]\n',
            "the lock of r:0 must have shape (3,) or (1326, 3), got (2,)",
        ),
        (SPOT.replace("8c3d", "2h3d"), "duplicate card 2h"),
    ],
)
def test_errors_are_one_line(spot, text, message):
    spot.write_text(text)
    found = run(spot)
    assert isinstance(found.exception, ValueError)
    assert message in str(found.exception)
    assert "\n" not in str(found.exception)


def test_errors_of_files_and_memory(spot, tmp_path):
    """What cannot be solved or read says so in a line; where nothing could be written, before it is solved."""
    said = str(run(spot, "--memory", 0.0001).exception)
    assert re.fullmatch(
        r"solving needs .* MB, or .* MB with 16 bits: there are 0 MB; expected fewer sizes or more memory", said
    )
    saved = tmp_path / "saved.npz"
    run(spot, "--out", saved)
    whole = saved.read_bytes()
    saved.write_bytes(whole[: len(whole) // 2])
    assert str(run(saved).exception) == f"{saved}: not a solution that pokermodel saved"
    arrays = dict(np.load(io.BytesIO(whole)))
    about = json.loads(arrays["about"].tobytes())
    for change, message in (
        ({"version": 99}, f"{saved}: a solution of version 99, and this pokermodel reads version 1"),
        ({"spot": "pot = 3"}, f"{saved}: a damaged solution: its digest is another"),
    ):
        arrays["about"] = np.frombuffer(json.dumps(about | change).encode(), dtype=np.uint8)
        with saved.open("wb") as file:
            np.savez(file, **arrays)
        assert str(run(saved).exception) == message
    del arrays["ranges"]
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with saved.open("wb") as file:
        np.savez(file, **arrays)
    assert str(run(saved).exception) == f"{saved}: a damaged solution: its digest is another"
    for name in "x.npz", "x.html", "x.json":
        assert "there is no folder" in run(spot, "--out", tmp_path / "no" / name).stderr
    desk.lay(tmp_path)
    message = "of a hand history --act and --hero, or --street, say what to solve"
    assert message in str(run(tmp_path / "no-limit.txt").exception)


def test_usage(spot):
    assert "Missing argument" in run().stderr
    assert "--target" in run("--help").stdout


@pytest.fixture
def history(tmp_path):
    desk.lay(tmp_path)
    return tmp_path / "no-limit.txt"


OF_HAND = ("--hand", 2, "--hero", "Robin")


def test_an_act_of_a_hand(history):
    text = run(history, *OF_HAND, "--act", 14).stdout
    assert text.startswith("Robin with 6d6c on Jd3d2hJsJc, first to bet in a pot of 37 USD: ")
    assert "bet 24.50" in text
    assert ": cannot tell which is best (" in text.splitlines()[0]
    assert "(what was done)" in text
    assert "  Blake            EV " in text


def test_an_act_of_a_hand_as_json(history):
    found = json.loads(run(history, *OF_HAND, "--act", 14, "--json").stdout)
    hand = found["hand"]
    assert (hand["hero"], hand["holding"], hand["node"], hand["done"]) == ("Robin", "6d6c", "r:0:c", "b24.5")
    assert sum(act["frequency"] for act in hand["acts"]) == pytest.approx(1)
    assert sum(found["ev"]) == pytest.approx(37, abs=0.01)
    few = json.loads(run(history, *OF_HAND, "--act", 14, "--least", 20, "--json").stdout)
    assert 0 < max(few["left_out"]) < 0.5
    sizes = json.loads(run(history, *OF_HAND, "--act", 14, "--bets", "all-in", "--raises", "", "--json").stdout)
    assert [act["to"] for act in sizes["hand"]["acts"]] == [None, 24.5, 39.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*OF_HAND, "--act", 15), "act 15 is one of Blake: expected one of Robin after the flop (8, 11, 14)"),
        ((*OF_HAND, "--act", 3), "is before the flop"),
        ((*OF_HAND, "--act", 99), "the hand has no act 99: it has 15"),
        (("--hand", 2, "--act", 13, "--hero", "Blake"), "the cards of Blake are not known in the hand"),
        (("--hand", 2, "--act", 13, "--hero", "Zoe"), "'Zoe' is not in the hand"),
        (("--hand", 2, "--hero", "Robin"), "--hand is for a hand: expected FILE --hand N --act K --hero NAME"),
    ],
)
def test_acts_that_cannot_be_solved(history, arguments, message):
    found = run(history, *arguments)
    assert message in found.stderr + str(found.exception)


def test_of_a_hand_thin_holdings_are_left_out_with_their_bound(history):
    at = (history, *OF_HAND, "--act", 14)
    one = json.loads(run(*at, "--json").stdout)
    whole = json.loads(run(*at, "--least", 0, "--json").stdout)
    assert "left_out" not in whole
    assert one["left_out"] == json.loads(run(*at, "--least", 1, "--json").stdout)["left_out"]
    for few, all_, bound in zip(one["ev"], whole["ev"], one["left_out_bound"], strict=True):
        assert abs(few - all_) <= bound + 0.01 * 37  # both are solved to half a per cent of the pot
    assert "of the range left out; EVs may change by" in run(*at).stdout


def test_another_runout(history):
    """With the board of the hand nothing changes; with others the river is solved behind the same acts."""
    at = (history, *OF_HAND, "--act", 14, "--json")
    whole = json.loads(run(*at).stdout)
    same = json.loads(run(*at, "--board", "Jd3d2hJsJc").stdout)
    assert (same["ev"], same["hand"]) == (whole["ev"], whole["hand"])
    other = json.loads(run(*at, "--board", "Jd3d2hJs6h").stdout)
    assert (other["hand"]["node"], other["hand"]["done"]) == (whole["hand"]["node"], whole["hand"]["done"])
    assert other["hand"]["ev"] > whole["hand"]["ev"]  # a full house is more than a pair under three jacks
    assert "on Jd3d2hJs6h, first to bet" in run(*at[:-1], "--board", "Jd3d2hJs6h").stdout


@pytest.mark.parametrize(("board", "message"), [("Jd3d2hJs", "expected 5 cards"), ("Jd3d2hJs6d", "6d"), ("x", "card")])
def test_runouts_that_cannot_be(history, board, message):
    found = run(history, *OF_HAND, "--act", 14, "--board", board)
    assert message in found.stderr + str(found.exception)
    assert found.exit_code != 0


def test_sizes_of_a_hand_as_people_write_them(history):
    at = (history, *OF_HAND, "--act", 14, "--json")
    given = ("--bets", "20,50%", "--raises", "3x", "--donk", "33%", "--most-raises", 1, "--all-in-share", 50)
    acts = json.loads(run(*at, *given).stdout)["hand"]["acts"]
    assert [act["to"] for act in acts] == [None, 18.5, 20.0, 24.5]
    found = run(*at, "--raises", "3y")
    assert "unknown size '3y': expected a share of the pot such as '50%'" in found.stderr + str(found.exception)
    assert "no bet is faced" in str(run(*at, "--bets", "3x").exception)


def test_thin_holdings_of_a_spot(spot):
    text = run(spot, "--least", 60).stdout
    assert "  in position      18.75% of the range left out; EVs may change by 0 for" in text
    assert "  out of position  0.00% of the range left out; EVs may change by 3" in text
    found = json.loads(run(spot, "--least", 60, "--json").stdout)
    assert found["left_out_bound"][0] > found["left_out_bound"][1] == 0
    saved = spot.with_name("saved.npz")
    run(spot, "--out", saved)
    assert "--least is for a new solution" in run(saved, "--least", 60).stderr


def test_which_size(spot):
    found = json.loads(run(spot, "--sizes", "--target", 0.05, "--json").stdout)
    assert found["exploitability"] <= 0.05
    rows = [each for each in found["sizes"] if (each["player"], each["row"]) == (1, "bets")]
    assert len(rows) >= 2
    for each in rows:
        assert each["loss"] == pytest.approx(found["ev"][1] - each["ev"])
    assert [each["loss"] for each in rows] == sorted(each["loss"] for each in rows)
    text = run(spot, "--sizes", "--target", 0.05).stdout
    assert "river, bets of in position: EV " in text
    assert " alone " in text
    assert re.search(
        r"EV [\d.]+, loses [\d.]+, off by [\d.]+$|EV [\d.]+, loses no more than the error: [\d.]+$", text, re.M
    )
    assert "+-" not in text  # these always mean 95%
    assert "--lock fits one menu" in run(spot, "--sizes", "--lock", "r:0 c=1").stderr


def test_a_page(spot, tmp_path):
    spot.write_text(SPOT + '[[lock]]\nnode = "r:0:b100"\nstrategy = { f = 1.0, c = 0.0, b340 = 0 }\nconfidence = .5\n')
    page = tmp_path / "page.html"
    found = run(spot, "--out", page, "--node", "r:0:b100")
    assert found.stderr == f"page written to {page}\n"
    text = page.read_text()
    assert "Beside the equilibrium the answer to the locks gains out of position" in text
    assert '"start":"r:0:b100"' in text
    turn = tmp_path / "turn.toml"
    turn.write_text(SPOT.replace("8c3d", "8c"))
    assert json.loads(run(turn, "--out", page, "--cards", "8h,Ac", "--json").stdout)
    assert "and what lies behind 8h, Ac." in page.read_text()
    assert "8c cannot be dealt on QsJh2h8c" in str(run(turn, "--out", page, "--cards", "8c").exception)
    assert "--cards is for a page" in run(turn, "--cards", "8h").stderr


def test_a_page_of_a_hand(tmp_path):
    desk.lay(tmp_path)
    page = tmp_path / "page.html"
    found = run(tmp_path / "no-limit.txt", "--hand", 2, "--act", 14, "--hero", "Robin", "--out", page)
    assert found.exit_code == 0
    data = Parsed(page.read_text()).data
    assert data["names"] == ["Blake", "Robin"]
    assert data["lines"][0].startswith("Robin with 6d6c on Jd3d2hJsJc, first to bet")
    assert data["lines"] == [found.stdout.splitlines()[0]]
    assert re.search(
        r"cannot tell which is best \(.*\), worth [\d.]+ \(a best response: [\d.]+ more\)\.$", data["lines"][0]
    )
    # a range is as wide as in the other commands: Blake's is that after the call on the turn
    root = json.loads(zlib.decompress(base64.b64decode(data["nodes"]["r:0"])))
    hand = tmp_path / "no-limit.txt", "--hand", "2", "--json"
    nodes, steps = (
        json.loads(CliRunner().invoke(cli, [command, *map(str, hand), *more]).stdout)[name]
        for command, name, more in (("convert", "nodes", ["--to", "pio"]), ("read", "steps", []))
    )
    widths = [Width(**nodes[12]["widths"][name]) for name in data["names"]]
    assert root["widths"] == [width_words(each, False) for each in widths]
    assert widths[0].share_here == pytest.approx(steps[11]["share_here"])
    assert (steps[11]["player"], steps[11]["action"], steps[12]["round"]) == ("Blake", "call", "river")


def test_a_folder(tmp_path):
    folder = tmp_path / "spots"
    folder.mkdir()
    (folder / "a.toml").write_text(SPOT)
    (folder / "b.toml").write_text("pot = 3")
    (folder / "c.toml").write_text(SPOT.replace("pot = 200", "pot = 100"))
    out = tmp_path / "out.jsonl"
    first = run(folder, "--resume", out, "--jobs", 1)
    assert first.exit_code == 0
    assert first.stdout.splitlines()[-1] == f"2 spots solved, 1 spot left out, in {out}"
    assert "b.toml: board is missing" in first.stderr
    assert len(out.read_text().splitlines()) == 4  # what is asked, two results and an error
    again = json.loads(run(folder, "--resume", out, "--json", "--jobs", 1).stdout)
    assert [entry.get("done_before") for entry in again["spots"]] == [True, True, None]
    assert sum(again["spots"][1]["ev"]) == pytest.approx(100, abs=0.01)
    several = run(folder / "a.toml", folder / "c.toml", "--jobs", 2)
    assert several.stdout.splitlines()[-1] == "2 spots solved"


def test_rivers_of_a_session(tmp_path):
    desk.lay(tmp_path)
    file = tmp_path / "no-limit.txt"
    found = json.loads(run(file, "--street", "river", "--hand", "1-12", "--json", "--jobs", 1).stdout)["spots"]
    assert [entry["number"] for entry in found] == [1, 2, 10, 11, 12]
    assert all(entry["exploitability"] <= 0.5 for entry in found)
    # ranges are what `solve` has of that hand alone, which learns from the same hands before
    (theirs,) = json.loads(
        run(file, "--street", "river", "--hand", "2", "--hero", "Robin", "--json", "--jobs", 2).stdout
    )["spots"]
    alone = json.loads(run(file, "--hand", 2, "--act", theirs["act_number"], "--hero", "Robin", "--json").stdout)
    assert theirs["hand"]["holding"] == "6d6c"
    assert theirs["hand"]["acts"] == alone["hand"]["acts"]
    assert theirs["ev"] == alone["ev"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", "--act", 3, "--street", "river"), "--act is for a single spot"),
        (("a", "--out", "x.npz", "--street", "river"), "expected a file that ends in .json or .jsonl"),
        (("spots", "--hero", "Ann"), "--hero is for hands: it needs --street"),
        (("spots",), "there is no spot file in the folder"),
        (("a", "spots", "--street", "river"), "--street is for the hands of one FILE"),
        (("a", "--resume", "x"), "--resume is for several spots"),
        (("a", "--hand", "1-3", "--act", 3, "--hero", "Ann"), "--hand has several hands only with --street"),
    ],
)
def test_what_many_spots_refuse(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text(SPOT)
    (tmp_path / "spots").mkdir()
    found = run(*arguments)
    assert found.exit_code != 0
    assert message in found.stderr + str(found.exception)


def test_a_killed_run_goes_on(tmp_path):
    """Killed while it is at work, and started again, it has what one run has, each spot once."""
    folder, out = tmp_path / "spots", tmp_path / "out.jsonl"
    folder.mkdir()
    for k in range(6):
        (folder / f"{k}.toml").write_text(SPOT.replace("8c3d", "8c").replace("pot = 200", f"pot = {200 + k}"))
    command = [sys.executable, "-m", "pokermodel", "solve", str(folder), "--resume", str(out), "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith(str(folder / "0.toml"))
    process.kill()
    process.communicate()
    before = len(out.read_text().splitlines()) - 1  # the first line says what is asked
    assert 1 <= before < 6
    again = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert sum(entry["done_before"] for entry in again["spots"]) >= before - 1
    assert len(out.read_text().splitlines()) == 1 + 6


def test_the_time_that_is_left():
    """By a power law, as it falls; nothing while it does not."""
    checks = [Check(10 * k, 10.0 / k, 1.0 * k) for k in range(1, 9)]
    assert seconds_left(checks, 0.5) == pytest.approx(12)
    assert seconds_left(checks[:2], 0.5) is None
    assert seconds_left([Check(10 * k, 1.0, 1.0 * k) for k in range(1, 9)], 0.5) is None


def test_a_lock_on_the_command_line(spot, tmp_path):
    """A lock of the option does what the same one in the spot file does, and shows its gain with its worst case."""
    lock = "r:0:b100 f=1,c=0,b340=0 @.5"
    found = json.loads(run(spot, "--lock", lock, "--json").stdout)
    written = tmp_path / "locked.toml"
    written.write_text(
        SPOT + '[[lock]]\nnode = "r:0:b100"\nstrategy = { f = 1.0, c = 0.0, b340 = 0 }\nconfidence = .5\n'
    )
    same = json.loads(run(written, "--json").stdout)
    assert found["ev"] == same["ev"]
    gain = found["against_locks"]
    assert gain == same["against_locks"]
    assert gain["player"] == 0
    assert gain["gain"] == pytest.approx(gain["against_model"] - gain["equilibrium_against_model"])
    assert gain["loss"] == pytest.approx(gain["equilibrium"] - gain["worst_case"])
    assert gain["gain"] > 0 < gain["loss"]
    assert gain["gain_percent"] == pytest.approx(gain["gain"] / 2)
    assert (gain["confidence"], gain["locks"]) == ([0.5, 0.5], 1)


@pytest.mark.parametrize("lock", ["r:0:b100", "r:0:b100 f", "r:0:b100 f=x", "r:0:b100 f=1 @x", "r:0:b100 f=1 @2"])
def test_locks_that_cannot_be_read(spot, lock):
    found = run(spot, "--lock", lock)
    assert found.exit_code == 2
    assert "expected a node, its acts" in found.stderr or "must be 0 to 1" in found.stderr


def test_against_the_model(history):
    """The opponent of the hand's hero is locked at all of their nodes, and a risk is kept to."""
    at = (history, "--hand", 2, "--act", 14, "--hero", "Robin", "--lock", "model", "--json")
    full = json.loads(run(*at, "--target", 0.01, "--risk", 100).stdout)
    safe = json.loads(run(*at, "--risk", 0.01).stdout)
    gain, kept = full["against_locks"], safe["against_locks"]
    assert gain["player"] == 1  # Robin is in position
    assert gain["locks"] == kept["locks"] > 3
    assert 0 <= gain["confidence"][0] <= gain["confidence"][1] < 1
    assert gain["gain"] > 0
    assert kept["loss_percent"] <= 0.012 < gain["loss_percent"]
    assert kept["confidence"][1] < gain["confidence"][1]
    usual = json.loads(run(*at).stdout)["against_locks"]
    assert usual == json.loads(run(*at, "--risk", 2).stdout)["against_locks"]
    assert usual["loss_percent"] <= 2.4
    text = run(*at[:-1]).stdout
    assert "Robin against Blake as locked at" in text


def test_what_is_for_a_hand(history, tmp_path):
    """A model with options is read as by the other commands; its locks need a hand."""
    at = (history, "--hand", 2, "--act", 14, "--hero", "Robin")
    assert run(*at, "--where", "hero=Robin").exit_code == 2
    found = run(*at, "--model", "uniform?prior=x")
    assert "unknown option 'prior' of model uniform" in str(found.exception)
    assert "--lock model is for a hand" in run(tmp_path / "spot.toml", "--lock", "model ").stderr


MANY = SPOT.replace('board = "QsJh2h8c3d"', 'boards = ["QsJh2h8c3d", "7c7d2s8h3h", "AsKsQs2d4c"]')


def test_many_boards_make_one_report(spot, tmp_path):
    spot.write_text(MANY)
    text = run(spot).stdout
    assert re.search(r"^all +3 boards ", text, re.M)
    assert re.search(r"^7c7d2s8h3h +1 ", text, re.M)
    found = json.loads(run(spot, "--json", "--jobs", 2).stdout)
    spot.write_text(SPOT)
    alone = json.loads(run(spot, "--json").stdout)
    assert [found["boards"][0][f"ev_{side}"] for side in ("oop", "ip")] == alone["ev"]
    assert [row["board"] for row in found["boards"]] == ["QsJh2h8c3d", "7c7d2s8h3h", "AsKsQs2d4c"]


def test_a_report_goes_on_and_its_rows_open_pages(spot, tmp_path):
    spot.write_text(MANY)
    journal, page = tmp_path / "boards.journal", tmp_path / "many boards.html"
    first = run(spot, "--resume", journal, "--out", tmp_path / "boards.csv")
    assert first.exit_code == 0
    again = run(spot, "--resume", journal, "--out", page)
    assert "3 spots solved, 3 of them before" in again.stdout
    for link in re.findall(r'href="(many%20boards/[^"]+)"', page.read_text()):
        assert (tmp_path / link.replace("%20", " ")).read_text().startswith("<!DOCTYPE html>")
    assert len(list((tmp_path / "many boards").iterdir())) == 3
    assert (tmp_path / "boards.csv").read_text().count("\n") == 4


def test_a_subset_of_flops(spot, monkeypatch):
    """Flops take long, and so only what is solved is looked at."""
    from pokermodel.solving.many import board_spots

    spots = board_spots(SPOT.replace('board = "QsJh2h8c3d"', "flops = 49"))
    assert len(spots) == 49
    assert sum(each.about["weight"] for each in spots) == 22_100
    assert {len(each.subgame.cards) for each in spots if each.subgame} == {3}


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("boards = []", "boards must be a list of texts"),
        ('boards = ["QsJh2h", "Qs2hJh"]', "boards must be different, and all of one street"),
        ('boards = ["QsJh2h", "QsJh2h8c"]', "boards must be different, and all of one street"),
        ("flops = 50", "flops must be 25, 49, 95, 184, got 50"),
        ('flops = 25\nboards = ["QsJh2h"]', "a spot has boards or flops, not both"),
        ('board = "QsJh2h"\nflops = 25', "a spot has board or flops, not both"),
    ],
)
def test_boards_that_cannot_be(spot, key, message):
    spot.write_text(SPOT.replace('board = "QsJh2h8c3d"', key))
    found = run(spot)
    assert message in str(found.exception)


def test_what_many_boards_refuse(spot, tmp_path):
    for out in ("x.csv", "x.parquet"):
        assert "a table is for a spot with boards or flops" in run(spot, "--out", tmp_path / out).stderr
    spot.write_text(MANY)
    for arguments in (["--node", "r:0"], ["--sizes"], ["--risk", 1], ["--out", tmp_path / "x.npz"]):
        found = run(spot, *arguments)
        assert (found.exit_code == 2 and "boards" in found.stderr) or "single board" in found.stderr
    assert "it has several boards" in run(spot, spot).stderr
