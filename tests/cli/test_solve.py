"""``pokermodel solve``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pokermodel.cli.main import cli
from tests.common import desk

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
    saved = tmp_path / "saved"
    first = json.loads(run(spot, "--target", 5, "--save", saved, "--json").stdout)
    more = json.loads(run("--continue", saved, "--target", 0.1, "--json").stdout)
    assert more["iterations"] > first["iterations"]
    assert more["exploitability"] <= 0.1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPOT.replace("200", "-1"), "pot must be above 0"),
        (SPOT.replace('"QQ,AK,98s,22"', '"QsQh"'), "is dead on the board"),
        ("board = 1", "pot is missing"),
    ],
)
def test_errors_are_one_line(spot, text, message):
    spot.write_text(text)
    found = run(spot)
    assert isinstance(found.exception, ValueError)
    assert message in str(found.exception)
    assert "\n" not in str(found.exception)


def test_usage(spot):
    assert "needs a spot file" in run().stderr
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


def test_thin_holdings_of_a_spot(spot):
    text = run(spot, "--least", 60).stdout
    assert "  in position      18.75% of the range left out" in text
    saved = spot.with_name("saved")
    run(spot, "--save", saved)
    assert "--least is for a new solution" in run("--continue", saved, "--least", 60).stderr
    assert "is a folder" in run(spot.parent).stderr


def test_a_lock_on_the_command_line(spot, tmp_path):
    """The same as in the file; the gain comes with the worst case."""
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
    at = (history, "--hand", 2, "--act", 14, "--hero", "Robin", "--against", "model", "--json")
    full = json.loads(run(*at, "--target", 0.01).stdout)
    safe = json.loads(run(*at, "--risk", 0.02).stdout)
    gain, kept = full["against_locks"], safe["against_locks"]
    assert gain["player"] == 1  # Robin is in position
    assert gain["locks"] == kept["locks"] > 3
    assert 0 <= gain["confidence"][0] <= gain["confidence"][1] < 1
    assert gain["gain"] > 0
    assert kept["loss_percent"] <= 0.03 < gain["loss_percent"]
    assert kept["confidence"][1] < gain["confidence"][1]
    text = run(*at[:-1]).stdout
    assert "Robin against Blake as locked at" in text


def test_a_prior_and_no_index(history, tmp_path):
    """As of read: a prior is for the adaptive reader, and no index is written."""
    at = (history, "--hand", 2, "--act", 14, "--hero", "Robin", "--no-index")
    assert run(*at).exit_code == 0
    found = run(*at, "--model", "uniform", "--prior", tmp_path / "none")
    assert found.exit_code == 2
    assert "has no prior" in found.stderr
    assert "is for a hand" in run(tmp_path / "no-limit.txt", "--against", "model").stderr
