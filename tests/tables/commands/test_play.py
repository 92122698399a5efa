"""The command ``pokermodel play``, as somebody meets it who sits down."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import pokermodel as pm
from pokermodel.cli.main import cli
from pokermodel.histories import phh
from pokermodel.tables.blueprint import BlueprintGame
from pokermodel.tables.blueprint.blueprint import blueprint_path
from pokermodel.tables.commands.play import _usual_opponents
from tests.common.blueprints import quick_blueprint
from tests.common.patience import PATIENCE

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "play.md"
QUICK = ("--players", "call,random", "--seed", "3")
NO_LIMIT = ("--players", "myopic?deals=50,call", "--game", "no-limit:50", "--warm-up", "0", "--seed", "3")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POKERMODEL_HOME", str(tmp_path))
    return tmp_path


def play(keys, *args, status=0):
    text = "".join(f"{key}\n" for key in (keys.split() if isinstance(keys, str) else keys))
    result = CliRunner().invoke(cli, ["play", *map(str, args)], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert bool(result.exit_code) == bool(status), result.output
    return result.output


def anew(keys, *args):
    """What is said with a history that is made anew."""
    Path("new.phhs").unlink(missing_ok=True)
    return play(keys, *args, "--out", "new.phhs")


def test_the_session_of_the_documentation():
    (block,) = re.findall(r"```text\n\$ pokermodel (play .*?)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    command, shown = block
    keys = re.findall(r"^> (\S+)$", shown, re.MULTILINE)
    assert play(keys, *command.split()[1:]) == shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("game", [QUICK, NO_LIMIT])
def test_hands_are_written_and_read_again(game):
    said = play("c " * 100, *game, "--hands", 6)
    hands = list(pm.open_hands("play.phhs"))
    assert [hand.id for hand in hands] == list("123456")
    won = 0.0
    for hand in hands:
        assert hand.payoffs == hand.stated_payoffs
        own = hand.players.index("You")
        won += hand.payoffs[own] / hand.spec.small_bet
        assert set(hand.holdings) == set(hand.shown) | {own}
        assert hand.time is not None
    assert f"6 hands played: {won:+.4g} " in said
    again = CliRunner().invoke(cli, ["read", "play.phhs", "--hand", "6", "--hero", "You"])
    assert again.exit_code == 0


def test_hands_are_added():
    play("c " * 50, *QUICK, "--hands", 2)
    said = play("c " * 50, *QUICK, "--hands", 1)
    assert "after the 2 hands there" in " ".join(said.split())
    hands = list(pm.open_hands("play.phhs"))
    assert [hand.id for hand in hands] == ["1", "2", "3"]
    assert hands[0].actions == hands[2].actions
    assert hands[0].board == hands[2].board


def test_nothing_is_lost_when_somebody_leaves():
    """By q, by the end of the input, and by an interrupt: what was played is there, the rest does not count."""
    for keys in ("c " * 8 + "q", "c " * 8):
        said = play(keys, *QUICK, "--out", "one.phhs", "--book", "one.db")
        played = int(re.search(r"(\d+) hands? played", said)[1])
        assert 1 <= played == len(list(pm.open_hands("one.phhs")))
        with pm.Book("one.db") as book:
            assert book.profile("You").hands == played
        Path("one.phhs").unlink()
        Path("one.db").unlink()


def test_an_interrupt_leaves_the_table(monkeypatch):
    typed = iter("ccccccccc")

    def read(prompt):
        for key in typed:
            return key
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    said = play("", *QUICK, "--book", "players.db")
    assert re.search(r"\d hands? played", said)
    assert "The book has learnt" in said
    assert list(pm.open_hands("play.phhs"))


def test_any_opponent_starts_from_the_book_of_a_session():
    """Whatever it needs, and whoever played before."""
    play("c " * 50, *QUICK, "--hands", 1, "--book", "players.db")
    for name in "bpp", "som", "follower":
        assert "1 hand played" in play("c " * 50, "--players", name, "--hands", 1, "--book", "players.db")


def test_the_book_goes_on_another_day():
    play("c " * 50, *NO_LIMIT, "--hands", 2, "--book", "players.db")
    alone = anew("v c " * 50, *NO_LIMIT, "--hands", 1, "--seed", 9)
    with_book = play("v c " * 50, *NO_LIMIT, "--hands", 1, "--seed", 9, "--book", "players.db")
    assert alone.split("> ")[1] != with_book.split("> ")[1]  # values of the first decision: it knows its opponents
    with pm.Book("players.db") as book:
        assert book.profile("You").hands == 3
        assert book.learn(pm.open_hands("play.phhs")) == (0, 3)  # it knows them from the history, too


def test_the_same_seed_is_the_same_play():
    keys = "c r f c v o c "
    first, second = (anew(keys, *NO_LIMIT, "--coach") for _ in range(2))
    assert first == second
    other = anew(keys, *NO_LIMIT, "--coach", "--seed", 4)
    assert first != other
    assert not Path("play.phhs").exists()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["x"], "'x' is no key: expected one of f, c, r, o, v, t, h, q"),
        ([""], "type a key, then Enter"),
        (["f 3"], "'f 3': nothing was expected after f"),
        (["r"], "raise to what? Expected 4 to 100, as in r 8, or r min (4), r half (5), r pot (8), r all (100)"),
        (["r 3"], "raise to what? Expected 4 to 100"),
        (["r 1e9"], "raise to what? Expected 4 to 100"),
        (["r 9" + "9" * 5000], "raise to what? Expected 4 to 100"),
        (["r ٣"], "raise to what? Expected 4 to 100"),
        (["o 7"], "'7' is nobody who is in the hand: expected 1 (myopic?deals=50), 2 (call)"),
        (["h"], "leave the table; the hand being played does not count"),
        (["t"], "* You SB 99 blind 1"),
        (["O CALL"], "'CALL' is nobody"),
        (["o call"], "What call can hold"),
        (["o 2"], "What call can hold"),
        (["R POT"], "You raise to "),
        (["r12"], "You raise to 12"),
        (["raise 12"], "You raise to 12"),
        (["r all"], "You raise to 100, all-in"),
        (["call"], "You call "),
        (["fold"], "You fold"),
        (["r 12\x1b[2J"], "> r 12\\x1b[2J raise to what?"),
    ],
)
def test_keys(keys, expected):
    said = play(keys, *NO_LIMIT)
    assert expected in " ".join(said.split())


def test_where_there_is_nothing_to_choose():
    said = play(["c", "f", "r 9", "r", *"c" * 30], "--players", "call", "--seed", 1, "--hands", 1)
    assert "there is nothing to call: c checks" in said
    assert re.search(r"r alone is a bet to \d, the only size", said)
    said = play("c r r c", "--players", "raise", "--seed", 1)
    assert "there is no raise any more: c calls" in said


def test_values_and_costs():
    said = play("v c v c " * 10, *NO_LIMIT, "--coach", "--hands", 2)
    assert "in big blinds, played out many times" in said
    verdicts = "Right|Cannot tell|Probably a mistake"
    costs = re.findall(rf"Coach: (?:Big m|M)istake: [^;]* lost (?:about )?([0-9.]+)|Coach: (?:{verdicts}):", said)
    made, total = re.search(r"Coach: (\d+) decisions? cost ([0-9.]+) bb", said).groups()
    assert int(made) == len(costs)
    # the coach says two digits of a cost
    assert float(total) == pytest.approx(sum(float(cost) for cost in costs if cost), rel=0.05, abs=0.01 * len(costs))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--players", "nobody"), "unknown player 'nobody'"),
        (("--players", "loki1", "--game", "no-limit"), "--players loki1: loki1 plays limit"),
        (("--players", "call", "--hero", "call"), "expected a name that no opponent has"),
        (("--game", "stud"), "game 'stud': expected limit, no-limit"),
        (("--out", "nowhere/play.phhs"), "there is no folder nowhere"),
        (("--out", "notes.txt"), "expected a file whose name ends in .phhs"),
        (("--out", "notes.phhs"), "notes.phhs is no file of several hands in PHH"),
        (("--game", "notes.txt"), "expected --players, who else plays it"),
    ],
)
def test_what_is_refused(args, expected):
    for name in "notes.txt", "notes.phhs":
        Path(name).write_text("remember the milk\n")
    result = CliRunner().invoke(cli, ["play", *args])
    assert result.exit_code
    assert expected in " ".join((result.output + str(result.exception)).split())
    assert Path("notes.txt").read_text() == Path("notes.phhs").read_text() == "remember the milk\n"


def test_names_that_could_steer_a_terminal():
    said = play("c " * 20, *QUICK, "--hero", "An\x1b[31mn", "--hands", 1)
    assert "\x1b[31m" not in said
    (hand,) = pm.open_hands("play.phhs")
    assert "An\x1b[31mn" in hand.players


def test_a_game_of_two_and_a_game_file():
    definition = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 400 400\nblind = 10 5\n"
    definition += (
        "firstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    Path("two.game").write_text(definition)
    for game in ("two.game", "no-limit:20", "limit", "pot-limit"):
        play("c " * 60, "--players", "random", "--game", game, "--seed", 2, "--hands", 4, "--book", "players.db")
    hands = list(pm.open_hands("play.phhs"))
    assert len(hands) == 16
    assert all(hand.payoffs == hand.stated_payoffs for hand in hands)
    with pm.Book("players.db") as book:
        assert book.learn(hands) == (0, 16)


@pytest.mark.parametrize("history", ["", "# a comment\n"])
def test_an_empty_history_is_gone_on_with(history):
    Path("play.phhs").write_text(history)
    play("c " * 20, *QUICK, "--hands", 1)
    assert len(list(pm.open_hands("play.phhs"))) == phh.count_tables("play.phhs") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are those of POSIX")
@pytest.mark.parametrize(("setting", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_in_a_terminal_of_80_columns(setting, colours):
    import fcntl
    import pty
    import struct
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    unset = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    environment = {**unset, "TERM": "xterm-256color", **setting}
    command = [sys.executable, "-m", "pokermodel", "play", *NO_LIMIT, "--hands", "1"]
    command += ["--coach"] if colours else []  # what takes longest
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        shown, typed, keys = b"", 0, iter(["o", "v", "c", "o 2"] + ["c"] * 40)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not select.select([leader], [], [], 1)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                shown += os.read(leader, 1 << 16)
            except OSError:  # as Linux says that the other end is closed
                break
            if shown.count(b"> ") > typed and shown.endswith(b"> "):
                typed = shown.count(b"> ")
                os.write(leader, f"{next(keys)}\n".encode())
        assert process.wait(PATIENCE) == 0, shown.decode()
    os.close(leader)
    text = shown.decode()
    assert ("\x1b[3" in text or "\x1b[48;5" in text) == colours
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r\n", "\n")
    assert max(map(len, plain.splitlines())) <= 80
    assert "1 hand played" in plain
    assert ("100 = mean weight" in plain) != colours


def test_the_coach_does_not_send_anybody_all_in_where_nobody_can_fold():
    """15 are left to call into 392. The coach once called it a blunder not to go all-in there with five-high."""
    said = play("c c c c c c c c", "--seed", 5, "--game", "no-limit", "--coach", "--hands", 1)
    told = [line for line in said.splitlines() if "Coach:" in line]
    assert len(told) > 3
    assert not any("raise to 109" in line for line in told)


def test_the_solver_is_the_usual_opponent_of_no_limit_where_it_has_a_blueprint(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path))
    assert _usual_opponents("no-limit:60") == "myopic*5"
    game = BlueprintGame.no_limit(105)
    path = blueprint_path(game)
    quick_blueprint(game, buckets=(4, 4, 4), rounds=1, boards=1, jobs=1).save(path)
    assert _usual_opponents("no-limit:60") == "solver"
    assert _usual_opponents("no-limit:100") == "solver"
    assert _usual_opponents("no-limit:201") == "myopic*5"  # whose blueprint would do, and it is not known to be ahead
    assert _usual_opponents("no-limit:53") == "solver"
    assert _usual_opponents("no-limit:52") == "myopic*5"  # no blueprint is near
    assert _usual_opponents("pot-limit:60") == "myopic*5"
    assert _usual_opponents("limit") == "loki2:sbr*5"
