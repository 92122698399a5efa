"""Messages of the ACPC's protocol, and a player who follows them."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from itertools import count, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.game import BOARD_CARDS, Act, GameSpec
from pokermodel.histories.acpc import usual_game
from pokermodel.tables.connect.acpc import LogStep, MatchPlayer, PlayerError, ProtocolError, parse_reply, parse_state
from pokermodel.tables.connect.acpc.limits import Clock, TimeLimits
from pokermodel.tables.connect.acpc.protocol import MOST_LINE, Lines, MatchState
from pokermodel.tables.players import Answer, Player, make_player
from tests.common.engine import random_hand
from tests.common.patience import PATIENCE


def messages(seed, spec, position, number=0):
    """What the dealer tells a seat in a hand of random acts: one message for each state."""
    hand, _ = random_hand(seed, spec)
    state = MatchState(position, number, ((),), (), ())
    cards = hand.holdings
    rounds = [[]]
    decisions = list(hand.replay())
    for decision in [*decisions, None]:
        over = decision is None
        reached = hand.last_round if over and hand.showdown else None if over else decision.round
        if reached is not None:
            reached = 3 if over else reached
            rounds += [[] for _ in range(reached + 1 - len(rounds))]
        open_to = hand.shown if over else ()
        holdings = tuple(cards[k] if k == position or k in open_to else () for k in range(spec.players))
        board = hand.board[: BOARD_CARDS[len(rounds) - 1]]
        yield str(state._replace(rounds=tuple(map(tuple, rounds)), holdings=holdings, board=board))
        if not over:
            rounds[-1].append(LogStep(decision.act, None if spec.structure.fixed else decision.to_in_hand))


GAMES = [usual_game(players, structure) for players in (2, 3, 6) for structure in ("limit", "no limit")]
games = st.sampled_from(GAMES)


# ------------------------------------------------------------------------------------------------------ messages


def test_a_state():
    state = parse_state("MATCHSTATE:1:30:r300c/r900:|9hQd/8dAs8s")
    assert (state.position, state.number) == (1, 30)
    assert state.rounds == ((LogStep(Act.RAISE, 300), LogStep(Act.CALL)), (LogStep(Act.RAISE, 900),))
    assert state.holdings == ((), (30, 41))
    assert state.board == (25, 51, 27)


def test_a_reply():
    state, act = parse_reply("MATCHSTATE:0:0:cr:7d3d|:r20")
    assert (str(state), act) == ("MATCHSTATE:0:0:cr:7d3d|", "r20")
    with pytest.raises(ProtocolError, match="expected an act behind the state"):
        parse_reply("MATCHSTATE:0:0:cr:7d3d|")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "expected MATCHSTATE:position:hand:betting:cards, got ''"),
        ("VERSION:2.0.0", "expected MATCHSTATE"),
        ("MATCHSTATE:0:0:x:7d3d|", "expected MATCHSTATE"),
        ("MATCHSTATE:0:٣:c:7d3d|", "expected MATCHSTATE"),
        ("MATCHSTATE:0:0::7d3d|:c", "with ':c' behind it"),
        ("MATCHSTATE:0:0::7d3d|#", "with '#' behind it"),
        ("MATCHSTATE:2:0::7d3d|", "a position among them"),
        ("MATCHSTATE:0:0::7d3d", "two players or more"),
        ("MATCHSTATE:0:0::7d3|", "got '7d3' in"),
        ("MATCHSTATE:0:0::7d3d4d|", "two cards of each player, or none"),
        ("MATCHSTATE:0:0::7d7d|", "different cards"),
        ("MATCHSTATE:0:0:cc/:7d3d|", "expected 3 board cards"),
        ("MATCHSTATE:0:0:cc/:7d3d|/2c3c4c/5c", "expected 3 board cards"),
        ("MATCHSTATE:0:0:c:7d3d|/2c3c4c", "expected 0 board cards"),
        ("MATCHSTATE:0:0:cc/cc/cc/cc/:7d3d|/2c3c4c/5c/6c/8c", "at most 4 rounds"),
        ("A" * 5000, "'AAA.*A\\.\\.\\.'"),
    ],
)
def test_damaged_states(line, what):
    with pytest.raises(ProtocolError, match=what) as caught:
        parse_state(line)
    assert len(str(caught.value)) < 200


@settings(max_examples=50)
@given(st.integers(0, 10**6), games, st.data())
def test_messages_come_back(seed, spec, data):
    position = data.draw(st.integers(0, spec.players - 1))
    for line in messages(seed, spec, position, data.draw(st.integers(0, 10**9))):
        assert str(parse_state(line)) == line
        assert parse_reply(line + ":r100") == (parse_state(line), "r100")


def mangled(data, line):
    """The same line with some characters cut, dropped or put in."""
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line)))
        more = data.draw(
            st.sampled_from("fcr/:|0129A2cdhsTx\0é") | st.sampled_from(["7d", "AsKs", "/8d", "r99999999", "-"])
        )
        end = at + data.draw(st.integers(0, 4))
        line = line[:at] + data.draw(st.sampled_from(["", more])) + line[end:]
    return line


@settings(max_examples=60)
@given(st.integers(0, 10**6), games, st.data())
def test_a_player_follows_a_match_and_refuses_what_is_mangled(seed, spec, data):
    """Whatever comes, the player follows it, or says that the protocol is broken."""
    position = data.draw(st.integers(0, spec.players - 1))
    lines = list(messages(seed, spec, position))
    hands = []
    player = MatchPlayer(make_player("call"), name="Ann", game=spec, seed=1, finished=hands.append)
    for line in lines:
        player.see(line)
        if player.to_act:
            assert player.answer(PATIENCE) == line + ":c"
    assert player.hands == 1
    (hand,) = hands
    truth, _ = random_hand(seed, spec)
    assert hand.actions == truth.actions
    assert hand.payoffs == truth.payoffs
    assert hand.players[position] == "Ann"
    assert player.chips == truth.payoffs[position]
    player.close()

    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = mangled(data, lines[at])
    player = MatchPlayer(make_player("call"), name="Ann", game=spec, seed=1)
    with suppress(ProtocolError):
        for line in lines:
            player.see(line)
    player.close()


# ------------------------------------------------------------------------------------------------- following a match


def follow(*lines, **options):
    player = MatchPlayer(make_player("call"), name="Ann", **options)
    try:
        for line in lines:
            player.see(line)
    finally:
        player.close()
    return player


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["MATCHSTATE:0:0::|7d3d"], "own cards are hidden"),
        (["MATCHSTATE:0:0:rrrr:7d3d|"], "hand 0: seat 0 cannot raise"),
        (["MATCHSTATE:0:0:cr/:7d3d|/2c3c4c"], "round 1 is being played, and the betting is of 2"),
        (["MATCHSTATE:0:0:cc:7d3d|"], "round 2 is being played, and the betting is of 1"),
        (["MATCHSTATE:0:0:ccc/:7d3d|/2c3c4c"], "goes on after the end of round 1"),
        (["MATCHSTATE:0:0:r300:7d3d|"], "a raise to 300 in a game of limit"),
        (["MATCHSTATE:0:0:c:7d3d|", "MATCHSTATE:0:0:r:7d3d|"], "does not continue"),
        (["MATCHSTATE:0:0:c:7d3d|", "MATCHSTATE:0:0:cr:7d4d|"], "cards changed"),
        (["MATCHSTATE:0:0:c:7d3d|", "MATCHSTATE:1:0:cr:|7d3d"], "position or number of players changed"),
        (["MATCHSTATE:0:0:c:7d3d|", "MATCHSTATE:1:1::|7d3d"], "a new hand begins before the end of hand 0"),
        (["MATCHSTATE:0:0:f:7d3d|", "MATCHSTATE:0:1::7d3d||"], "3 players, and this is a game of 2"),
        (["MATCHSTATE:0:0:cc/cc/cc/cc:7d3d|/2c3c4c/5c/6c"], "a showdown of hidden cards"),
        (["MATCHSTATE:0:0:f:7d3d|", "MATCHSTATE:1:2:f:|7d3d"], "follows from no order of the seats"),
        (["MATCHSTATE:0:0:f:7d3d|", "MATCHSTATE:0:1:f:7d3d|", "MATCHSTATE:1:3::|7d3d"], "follows from no order"),
        (["MATCHSTATE:0:0::7d3d" + 11 * "|"], "12 players: expected 2 to 10"),
    ],
)
def test_what_a_dealer_cannot_say(lines, what):
    with pytest.raises(ProtocolError, match=what):
        follow(*lines)


def test_a_raise_without_an_amount_in_no_limit():
    with pytest.raises(ProtocolError, match="a raise without an amount in a game of no limit"):
        follow("MATCHSTATE:0:0:r:7d3d|", game="no limit")


def test_seats_keep_their_names():
    """Whether the button moves or stays."""
    names = []
    for positions in ((1, 0, 2, 1), (1, 1, 1, 1)):
        met = []
        holdings = ["|".join("7d3d" if k == position else "" for k in range(3)) for position in positions]
        lines = [f"MATCHSTATE:{p}:{n}:ff:{cards}" for n, (p, cards) in enumerate(zip(positions, holdings, strict=True))]
        follow(*lines, others=["Bob", "Cid"], finished=lambda hand, met=met: met.append(hand.players))
        names.append(met)
    moving, staying = names
    assert moving == [("Cid", "Ann", "Bob"), ("Ann", "Bob", "Cid"), ("Bob", "Cid", "Ann"), ("Cid", "Ann", "Bob")]
    assert staying == 4 * [("Cid", "Ann", "Bob")]


def test_names():
    with pytest.raises(ValueError, match="different names, got Ann, Ann"):
        MatchPlayer(make_player("call"), name="Ann", others=["Ann"])
    with pytest.raises(ProtocolError, match="2 players, and names of 2 opponents"):
        follow("MATCHSTATE:0:0::7d3d|", others=["Bob", "Cid"])


def test_games_that_a_player_cannot_play():
    for game in "no limit", GameSpec.no_limit(2, 1, 2):
        with pytest.raises(ValueError, match="plays limit, and this game is no limit"):
            MatchPlayer(make_player("loki1"), name="Ann", game=game)


class Odd(Player):
    """Does what it is told to."""

    def __init__(self, do):
        self.act = do


def asked(do, line="MATCHSTATE:1:0::|7d3d", within=PATIENCE, **options):
    player = MatchPlayer(Odd(do), name="Ann", **options)
    try:
        player.see(line)
        return player.answer(within)
    finally:
        player.close()


@pytest.mark.parametrize(
    ("do", "what"),
    [
        (lambda view: Answer(7), "player Ann failed in hand 0: act answered Answer.*, expected fold or call or raise"),
        (lambda view: 1 // 0, "player Ann failed in hand 0: ZeroDivisionError: integer division"),
        (lambda view: [][1], "failed in hand 0: IndexError"),
        (lambda view: exit(3), "failed in hand 0: SystemExit: 3"),
    ],
)
def test_players_who_fail(do, what):
    with pytest.raises(PlayerError, match=what):
        asked(do)


def test_a_player_who_fails_while_others_act():
    class Failing(Player):
        def observe(self, decision):
            raise RuntimeError("no")

    player = MatchPlayer(Failing(), name="Ann")
    player.see("MATCHSTATE:0:0:c:7d3d|")
    with pytest.raises(PlayerError, match="player Ann failed in hand 0: RuntimeError: no"):
        player.answer(PATIENCE)
    player.close()


def test_a_player_who_fails_at_the_end_of_a_hand():
    class Failing(Player):
        def end(self, end):
            raise RuntimeError("no")

    player = MatchPlayer(Failing(), name="Ann")

    def see():
        until = time.monotonic() + PATIENCE
        for number in takewhile(lambda _: time.monotonic() < until, count(0, 2)):  # it fails in a thread of its own
            player.see(f"MATCHSTATE:0:{number}:f:7d3d|")
            time.sleep(0.01)

    with pytest.raises(PlayerError, match=r"player Ann failed in hand .*: RuntimeError: no"):
        see()
    player.close()


def test_late_answers():
    """They fold, or check where that is free, and what is answered later does not count."""
    said = []

    def sleepy(view):
        time.sleep(0.15)
        return Act.RAISE

    player = MatchPlayer(Odd(sleepy), name="Ann", say=said.append)
    player.see("MATCHSTATE:1:0::|7d3d")
    assert player.answer(0.02) == "MATCHSTATE:1:0::|7d3d:f"
    player.see("MATCHSTATE:1:0:f:|7d3d")
    player.see("MATCHSTATE:0:1:c:7d3d|")
    assert player.answer(0.02) == "MATCHSTATE:0:1:c:7d3d|:c"
    player.see("MATCHSTATE:0:1:cc/:7d3d|/2c3c4c")
    assert player.answer(PATIENCE) == "MATCHSTATE:0:1:cc/:7d3d|/2c3c4c:r"
    player.see("MATCHSTATE:0:1:cc/rc/:7d3d|/2c3c4c/5c")
    assert player.answer(-0.02) == "MATCHSTATE:0:1:cc/rc/:7d3d|/2c3c4c/5c:c"
    assert player.late == 3
    assert said == [
        "hand 0: Ann has not answered within 0.02 s, and folds",
        "hand 1: Ann has not answered within 0.02 s, and checks",
        "hand 1: Ann has not answered within 0 s, and checks",
    ]
    player.close()


# ------------------------------------------------------------------------------------------------- lines, clocks


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Lines(ours), theirs


def test_lines(pair):
    lines, peer = pair
    peer.sendall(b"one\r\ntwo\nthr")
    soon = time.monotonic() + PATIENCE
    assert [lines.read(soon), lines.read(soon)] == ["one", "two"]
    with pytest.raises(TimeoutError):
        lines.read(time.monotonic() + 0.02)
    peer.sendall(b"ee\n\xff\0\n")
    assert [lines.read(soon), lines.read(soon)] == ["three", "\xff\0"]
    peer.sendall(b"ha")
    peer.close()
    with pytest.raises(ProtocolError, match="closed in the middle of a line: 'ha'"):
        lines.read(soon)


def test_a_closed_connection_ends_the_lines(pair):
    lines, peer = pair
    peer.sendall(b"one\n")
    peer.close()
    assert lines.read(time.monotonic() + PATIENCE) == "one"
    assert lines.read(time.monotonic() + PATIENCE) is None


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_lines_have_a_length(pair, end):
    lines, peer = pair
    peer.settimeout(PATIENCE)
    peer.sendall(b"x" * (MOST_LINE + 1) + end)
    with pytest.raises(ProtocolError, match="expected at most 65,536"):
        lines.read(time.monotonic() + PATIENCE)


def test_clocks():
    clock = Clock(TimeLimits(response=5, hand=8, per_hand=2))
    assert clock.left(10) == 5
    clock.take(4)
    assert clock.left(10) == 4
    clock.begin()
    assert clock.left(10) == 5
    clock.take(15)
    clock.begin()
    assert clock.left(10) == pytest.approx(1)
    assert clock.left(9) == pytest.approx(-1)
    assert clock.spare(9) == 0
    with pytest.raises(ValueError, match="time limit hand must be a positive number of seconds, got nan"):
        TimeLimits(hand=float("nan"))


def test_the_time_for_a_decision_follows_from_all_limits():
    assert TimeLimits().decision == 0.875
    assert TimeLimits(response=1).decision == 0.5
    assert TimeLimits(hand=4).decision == 0.5
