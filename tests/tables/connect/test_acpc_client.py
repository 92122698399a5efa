"""Our players at dealers of the ACPC's protocol, good and bad, and the two commands."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.game import Act
from pokermodel.histories import open_hands
from pokermodel.histories.acpc import usual_game
from pokermodel.tables.commands.acpc import _each_hand, _stopped_by_signals
from pokermodel.tables.connect.acpc import (
    Listener,
    LocalSeat,
    MatchPlayer,
    TimeLimits,
    client,
    deal_match,
    join_match,
    parse_state,
)
from pokermodel.tables.connect.acpc.protocol import Lines
from pokermodel.tables.players import Player, make_player
from tests.common.acpc import dealt, free_ports, joining
from tests.common.patience import PATIENCE

FIRST = "MATCHSTATE:1:0::|7d3d\r\n"


@contextmanager
def dealing(script):
    """The port of a dealer who does what a test says, with the connection of the first who comes."""
    server = socket.create_server(("127.0.0.1", 0))

    def run():
        with server, suppress(OSError):
            server.settimeout(PATIENCE)
            connection, _ = server.accept()
            with connection:
                connection.settimeout(PATIENCE)
                script(connection)

    thread = threading.Thread(target=run)
    thread.start()
    yield server.getsockname()[1]
    thread.join(PATIENCE)
    assert not thread.is_alive()


def joined(script, player="call", **options):
    """What a match at such a dealer came to."""
    ours = MatchPlayer(make_player(player) if isinstance(player, str) else player, name="ours", seed=1)
    with dealing(script) as port:
        result = join_match("127.0.0.1", port, ours, **options)
    ours.close()
    assert "\n" not in result.reason
    assert len(result.reason) < 250
    return result


# --------------------------------------------------------------------------------------------------- bad dealers


def says(*texts):
    def script(connection):
        for text in texts:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
        connection.shutdown(socket.SHUT_WR)
        with suppress(OSError):
            while connection.recv(1 << 16):
                pass

    return script


@pytest.mark.parametrize(
    ("texts", "hands", "reason"),
    [
        ([], 0, "the dealer closed the connection after 0 hands"),
        (["# welcome\n; comment\r\n"], 0, "the dealer closed the connection after 0 hands"),
        ([FIRST], 0, "the dealer closed the connection in hand 0"),
        (
            [FIRST, "MATCHSTATE:1:0:f:|7d3d\n", "MATCHSTATE:0:1::7d3d|\n"],
            1,
            "the dealer closed the connection in hand 1",
        ),
        ([FIRST[:9]], 0, "the dealer broke the protocol: closed in the middle of a line: 'MATCHSTAT'"),
        (["HTTP/1.1 400\r\n"], 0, "the dealer broke the protocol: expected MATCHSTATE.*, got 'HTTP/1.1 400'"),
        ([b"\xff\xfe\0\n"], 0, "the dealer broke the protocol: expected MATCHSTATE"),
        ([FIRST, "VERSION:2.0.0\r\n"], 0, "expected MATCHSTATE:position:hand:betting:cards, got 'VERSION:2.0.0'"),
        ([FIRST, "MATCHSTATE:1:0:rrrr:|7d3d\n"], 0, "hand 0: seat 0 cannot raise: expected fold or call, in 'MATCH"),
        ([FIRST, "MATCHSTATE:1:0:r300:|7d3d\n"], 0, r"a raise to 300 in a game of limit \(is the game another one\?\)"),
        ([b"x" * 300_000], 0, "bytes without the end of a line: expected at most 65,536"),
    ],
)
def test_why_a_match_ended(texts, hands, reason):
    result = joined(says(*texts))
    assert result.hands == hands
    assert not result.complete
    assert re.search(reason, result.reason), result.reason


def test_silence(monkeypatch):
    def script(connection):
        connection.sendall(FIRST.encode())
        with suppress(OSError):
            while connection.recv(1 << 16):
                pass

    class Begun(Lines):
        """A connection at which the first line may take its time: the dealer is a thread on a busy machine."""

        first = True

        def read(self, deadline):
            deadline, self.first = deadline + PATIENCE * self.first, False
            return super().read(deadline)

    monkeypatch.setattr(client, "Lines", Begun)
    result = joined(script, silence=0.1)
    assert result.reason == "the dealer sent nothing for 0.1 s in hand 0"


def test_a_broken_connection():
    def script(connection):
        connection.sendall(FIRST.encode())
        connection.recv(100)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # closes by a reset

    assert joined(script).reason in (
        "the dealer closed the connection in hand 0",
        "the connection broke in hand 0: Connection reset by peer",
    )


def test_nobody_there():
    (port,) = free_ports(1)
    ours = MatchPlayer(make_player("call"), name="ours")
    with pytest.raises(ConnectionError, match=f"no connection to 127.0.0.1, port {port}: Connection refused"):
        join_match("127.0.0.1", port, ours)
    ours.close()


def test_slow_players_answer_in_time():
    """A player who takes longer than the dealer allows."""

    class Slow(Player):
        def act(self, view):
            time.sleep(0.3)
            return Act.RAISE

    limits = TimeLimits(response=0.1)  # what the client is told, and less than the dealer allows
    listener = Listener("slow")
    said = []
    ours = MatchPlayer(Slow(), name="slow", seed=1, say=said.append)
    results = []
    thread = threading.Thread(
        target=lambda: results.append(join_match("127.0.0.1", listener.port, ours, limits=limits))
    )
    thread.start()
    seats = [LocalSeat(MatchPlayer(make_player("call"), name="call")), listener.accept(PATIENCE)]
    score = deal_match(usual_game(2), seats, 2, 1)
    for seat in seats:
        seat.close()
    thread.join(PATIENCE)
    ours.close()
    assert score.hands == 2
    (result,) = results
    assert result.complete
    assert result.late == len(said) > 1
    assert re.fullmatch(r"hand 0: slow has not answered within 0(\.0\d*)? s, and folds", said[0])


# ------------------------------------------------------------------------------------------------- the commands


@pytest.fixture
def run(capsys):
    def run(*args):
        with pytest.raises(SystemExit) as left:
            main([*map(str, args)])
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return run


def match(*kinds, hands=60, structure="limit", each=None):
    """The port of a match that has one seat left, the first."""
    return dealt(usual_game(len(kinds) + 1, structure), kinds, hands, each)


def test_a_match_by_the_command(run):
    with match("raise", "random") as (port, scores):
        status, out, err = run("acpc", "play", "127.0.0.1", port, "--player", "loki2:br", "--seed", 1)
    assert (status, err) == (0, "")
    first, second = out.splitlines()
    chips = scores[0].chips[0]
    assert first == f"loki2:br: 60 hands, {chips / 600:+.3f} small bets a hand ({chips:+g} chips)"
    assert second == "The dealer closed the connection after 60 hands."


def test_no_limit_by_the_command(run, tmp_path):
    game = tmp_path / "some.game"
    game.write_text(usual_game(2, "no limit").to_acpc())
    found = []
    for text in "no-limit", game:
        with match("random", structure="no limit") as (port, scores):
            status, out, _ = run(
                "acpc", "play", "127.0.0.1", port, "--player", "random", "--seed", 1, "--game", text, "--json"
            )
        assert status == 0
        found.append(json.loads(out))
        assert found[-1]["chips"] == scores[0].chips[0]
    assert found[0] == found[1]
    assert (found[0]["hands"], found[0]["unit"], found[0]["complete"]) == (60, "big blinds", True)
    with match("random", structure="no limit") as (port, _):
        status, out, err = run("acpc", "play", "127.0.0.1", port, "--player", "call", "--json")
    assert status == 2
    assert "in a game of limit (is the game another one?)" in err
    assert not json.loads(out)["complete"]


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["--player", "nobody"], "unknown player 'nobody'"),
        (["--player", "call", "--game", "omaha"], "game 'omaha': expected limit, no-limit, or a file"),
        (["--player", "loki1", "--game", "no-limit"], "plays limit, and this game is no limit"),
        (["--player", "call", "--names", "Ann,Ann"], "different names"),
        (["--player", "call", "--no-learn", "--book", "nowhere"], "nowhere"),
        (["--player", "call", "--response-time", "0"], "response-time"),
        (["--player", "call"], "no connection to 127.0.0.1, port"),
    ],
)
def test_what_the_client_refuses(run, args, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (port,) = free_ports(1)
    status, out, err = run("acpc", "play", "127.0.0.1", port, *args)
    assert (status, out) == (2, "")
    assert what in err
    assert "Traceback" not in err


# ------------------------------------------------------------------------------------------------------ the book


def test_hands_are_learnt_and_known_the_next_time(run, tmp_path):
    book = tmp_path / "players"
    names = ["--names", "Ann,Bob", "--book", book, "--seed", 1]
    with match("raise", "bpl", hands=55) as (port, _):
        status, out, _ = run("acpc", "play", "127.0.0.1", port, "--player", "som", *names)
    assert status == 0
    assert out.splitlines()[0].endswith("55 new hands in the book")
    with pm.Book(book) as known:
        assert set(known) == {"som", "Ann", "Bob"}
        assert known.hands == 55
        before = known.profile("Ann").counts
        ours = MatchPlayer(make_player("som"), name="som", others=["Ann", "Bob"], book=known, seed=1)
        with match("raise", "bpl", hands=2) as (port, _):
            join_match("127.0.0.1", port, ours)
        ours.close()
        (session,) = ours._seat.common._sessions.values()
        learnt = session.reader.frequencies.counts("Ann")
        assert learnt.values.sum() > known["Ann"].values.sum() > 50  # what was known, and the two hands
        assert known.profile("Ann").counts == before
    with match("raise", "bpl", hands=5) as (port, _):
        status, out, _ = run("acpc", "play", "127.0.0.1", port, "--player", "som", *names, "--no-learn", "--json")
    assert (status, json.loads(out)["learnt"]) == (0, None)
    with pm.Book(book) as known:
        assert known.hands == 55


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_match_that_is_interrupted_loses_nothing(run, tmp_path):
    """By a request to terminate, or by the keyboard."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are handled in the main thread")
    before = signal.getsignal(signal.SIGTERM)
    for number, request in enumerate((signal.SIGTERM, signal.SIGINT)):
        book = tmp_path / f"players{number}"

        def each(hands, request=request):
            if hands == 61:  # the client has answered in this hand, and seen the end of the one before
                os.kill(os.getpid(), request)

        with match("call", hands=10_000, each=each) as (port, scores):
            status, out, err = run("acpc", "play", "127.0.0.1", port, "--player", "call", "--book", book, "--seed", 1)
        assert (status, out, scores) == (130, "", [])
        assert re.match("interrupted after 6[0-2] hands", err)
        with pm.Book(book, create=False) as known:
            assert known.hands in (60, 61, 62)
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("request_", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_that_is_lost_ends_the_match_after_the_hand(request_):
    """As in a finaliser, whose exceptions the interpreter prints and forgets."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are handled in the main thread")
    before = signal.getsignal(request_)
    shown = []
    with _stopped_by_signals() as check:
        each = _each_hand(check, lambda *numbers: shown.append(numbers))
        each(1)
        with suppress(KeyboardInterrupt):
            signal.raise_signal(request_)
        with pytest.raises(KeyboardInterrupt):
            each(2)
    assert (shown, signal.getsignal(request_)) == ([(1,)], before)


def test_an_interrupt_while_the_player_thinks_is_none_of_theirs():
    player = MatchPlayer(make_player("call"), name="call")
    with pytest.raises(KeyboardInterrupt):
        player._fail(KeyboardInterrupt())
    player.close()


# --------------------------------------------------------------------------------------------------- the dealer


def test_a_match_of_ours_by_the_command(run, tmp_path):
    log = tmp_path / "some match.log"
    args = ["acpc", "deal", "--players", "loki2:br, call*2", "--hands", 5, "--seed", 4]
    status, out, err = run(*args, "--log", log)
    assert (status, err) == (0, "")
    lines = log.read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed some_match holdem.limit.3p.game 5 4"
    assert out == lines[-1] + "\n"
    assert lines[-1].endswith(":loki2-br|call-1|call-2")
    assert len(list(open_hands(log))) == 5
    again = run(*args, "--names", "a,b,c", "--json")
    found = json.loads(again[1])
    assert [row["name"] for row in found["players"]] == ["a", "b", "c"]
    assert out.startswith("SCORE:" + "|".join(f"{row['chips']:g}" for row in found["players"]))
    assert (found["hands"], found["seed"]) == (5, 4)


def test_no_limit_of_six_by_the_command(run, tmp_path):
    log = tmp_path / "six.log"
    args = ["--players", "random*6", "--hands", 20, "--seed", 4, "--log", log]
    status, out, _ = run("acpc", "deal", "--game", "no-limit", *args)
    assert status == 0
    hands = list(open_hands(log))
    assert len(hands) == 20
    assert {hand.spec.structure for hand in hands} == {"no limit"}
    first = log.read_text()
    assert run("acpc", "deal", "--game", "no-limit", *args)[1] == out
    assert log.read_text() == first


def test_a_remote_seat_of_the_command(capfd):
    """The ports are printed at once, on one line."""
    (port,) = free_ports(1)
    with joining([port], "limit") as results, pytest.raises(SystemExit) as left:
        main(["acpc", "deal", "--players", "raise,remote", "--hands", "3", "--seed", "1", "--ports", str(port)])
    out = capfd.readouterr().out.splitlines()
    assert left.value.code == 0
    assert out[0] == str(port)
    assert out[1].startswith("SCORE:")
    assert out[1].endswith(":raise|remote")
    assert results[0].hands == 3


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["--players", "call"], "a game has 2 to 23 players|1 players: expected 2 to 10"),
        (["--players", "call,nobody"], "unknown player 'nobody'"),
        (["--game", "no-limit", "--players", "call,loki1"], "plays limit, and this game is no limit"),
        (["--game", "pot-limit", "--players", "call,call"], "game 'pot-limit': expected limit, no-limit, or a file"),
        (["--players", "call,call", "--names", "a"], "1 name for 2 players"),
        (["--players", "call,call", "--names", "a,a"], "different names"),
        (["--players", "call,call", "--names", "a,b:c"], "the name 'b:c' cannot be in a log"),
        (["--players", "call,remote", "--ports", "1,2"], "2 ports for 1 remote player"),
        (["--players", "call,remote", "--ports", "x"], "expected numbers from 0 to 65535"),
        (["--players", "call,remote", "--start-time", "0.05"], "remote has not connected within 0.05 s"),
        (["--players", "call,call", "--log", "nowhere/x.log"], "nowhere"),
    ],
)
def test_what_the_dealer_refuses(run, args, what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = run("acpc", "deal", *args, "--hands", 1)
    assert status == 2
    assert re.search(what, err)
    assert "Traceback" not in err


def test_what_a_seat_is_told_can_be_answered_by_anybody():
    """The protocol as a program of a few lines speaks it."""
    turns = []

    def script(connection):
        file = connection.makefile("rw", newline="\n")
        assert file.readline() == "VERSION:2.0.0\r\n"
        for line in (FIRST, "MATCHSTATE:1:0:c:|7d3d\r\n", "MATCHSTATE:1:0:cr:|7d3d\r\n"):
            file.write(line)
            file.flush()
            if parse_state(line.strip()).rounds[0][-1:] != ((Act.CALL, None),):
                turns.append(file.readline())
        file.close()

    result = joined(script)
    assert turns == [FIRST.replace("\r\n", ":c\r\n"), "MATCHSTATE:1:0:cr:|7d3d:c\r\n"]
    assert result.reason == "the dealer closed the connection in hand 0"
