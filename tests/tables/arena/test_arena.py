"""Tournaments: who sits where, what is added up, and what happens when something goes wrong."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.cli.main import cli, main
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import (
    Entrant,
    PlayerFailed,
    deal_cards,
    estimate,
    play_hand,
    seatings,
    t_quantile,
    tournament,
)
from pokermodel.tables.players import Kind, Player, kinds, make_player, register
from pokermodel.tables.players.registry import _REGISTRY
from tests.common.patience import PATIENCE


def same(one, two):
    return (
        one.payoffs.tobytes() == two.payoffs.tobytes()
        and one.squares.tobytes() == two.squares.tobytes()
        and one.to_dict() == two.to_dict()
    )


# ----------------------------------------------------------------------------------------------------- seatings


def test_the_published_seating():
    """Seat of player p in game r is r*p mod 11, all counted from 1 (Papp 1998, section 8.1)."""
    games = seatings(10)
    for game in range(1, 11):
        for player in range(1, 11):
            assert games[game - 1][game * player % 11 - 1] == player - 1
    # everybody is directly behind everybody else once, in betting order
    behind = {(seats[k], seats[k + 1]) for seats in games for k in range(9)}
    assert len(behind) == 90


@pytest.mark.parametrize("players", range(2, 24))
def test_everybody_sits_everywhere_once(players):
    games = seatings(players)
    assert len(games) == players
    for seats in (*games, *zip(*games, strict=True)):
        assert sorted(seats) == list(range(players))


class Recorder(Player):
    """Keeps the cards it gets, in a list that outlives it."""

    def __init__(self, notes):
        self.notes = notes

    def begin(self, start):
        self.notes.append((start.hand_id, start.seat, start.holding))

    def act(self, view):
        return Act.CALL


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
def test_everybody_holds_every_hand_once(players):
    notes = [[] for _ in range(players)]
    tournament([Entrant(f"p{k}", lambda k=k: Recorder(notes[k])) for k in range(players)], deals=2, seed=1)
    hands = [{(hand_id.split("-")[0], seat, holding) for hand_id, seat, holding in note} for note in notes]
    assert len(hands[0]) == 2 * players
    assert all(held == hands[0] for held in hands)


def test_cards_do_not_depend_on_the_players():
    notes = [[], []]
    for note, others in zip(notes, (["call", "raise"], ["random", "loki1"]), strict=True):
        tournament([Entrant("p", lambda note=note: Recorder(note)), *others], deals=5, seed=3, block=len(others[0]))
    assert notes[0] == notes[1]


def test_deals_are_uniform():
    """Every card is as likely in every place: chi-squared over 20,000 deals."""
    rng = np.random.default_rng(1)
    counts = np.zeros((52, 2))
    n = 20_000
    for _ in range(n):
        deal = deal_cards(3, rng)
        counts[list(deal.holdings[1]), 0] += 1
        counts[list(deal.board), 1] += 1
    expected = np.array([2, 5]) * n / 52
    chi = ((counts - expected) ** 2 / expected).sum(axis=0) / (1 - np.array([2, 5]) / 52)
    assert (chi < 100).all()  # 51 degrees of freedom: 1e-4 at 95.5


# --------------------------------------------------------------------------------------------------- adding up


ANYBODY = ("call", "raise", "random", "random?fold=0", "bpm", "bplx", "gom", "simple")


@settings(max_examples=25)
@given(st.lists(st.sampled_from(ANYBODY), min_size=2, max_size=10), st.integers(0, 2**64))
def test_nothing_is_won_from_nobody(players, seed):
    result = tournament(players, deals=2, seed=seed)
    assert abs(result.payoffs.sum(axis=1)).max() < 1e-9
    assert result.games == 2 * len(players)


def test_random_players_agree_with_the_rules_on_paper(tmp_path):
    """What a tournament of random players says is what replay of its hands says."""
    result = tournament("random*4", deals=30, seed=5, block=7, export=tmp_path)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files][::4] == ["deals-0000001-0000007.phhs", "deals-0000029-0000030.phhs"]
    hands = [hand for file in files for hand in pm.open_hands(file)]
    assert [hand.id for hand in hands] == [f"{deal}-{game}" for deal in range(1, 31) for game in range(1, 5)]
    won = {name: [] for name in result.names}
    for hand in hands:
        assert hand.stated_payoffs == pytest.approx(hand.payoffs)
        for name, chips in zip(hand.players, hand.payoffs, strict=True):
            won[name].append(chips / 2)
    for name, column in zip(result.names, np.array([won[name] for name in result.names]), strict=True):
        by_deal = column.reshape(30, 4).mean(axis=1)
        np.testing.assert_allclose(result.samples(name), by_deal, atol=1e-12)
        found = result.estimate(name)
        assert found.mean == pytest.approx(by_deal.mean(), abs=1e-12)
        assert found.standard_error == pytest.approx(by_deal.std(ddof=1) / math.sqrt(30))
        assert result.sd_per_game(name) == pytest.approx(column.std(ddof=1))
    everything = np.concatenate(list(won.values()))
    assert result.sd_per_game("random") == pytest.approx(everything.std(ddof=1))
    assert result.estimate("random").mean == pytest.approx(0, abs=1e-12)


def test_two_that_do_the_same_every_time_are_even():
    """Call against raise: both games of a deal go alike, with the cards swapped."""
    result = tournament("call,raise", deals=20, seed=1)
    assert not result.payoffs.any()
    assert result.sd_per_game("call") > 5  # 7 small bets a showdown is what the literature has for one game


def test_differences_of_kinds_are_paired():
    result = tournament("call*2,random*2", deals=10, seed=2)
    difference = result.estimate("call", minus="random")
    samples = result.samples("call") - result.samples("random")
    assert difference == estimate(samples)
    assert result.names == ("call#1", "call#2", "random#1", "random#2")
    with pytest.raises(ValueError, match="unknown player 'bob'"):
        result.estimate("bob")


def test_t_quantiles():
    """Student's table, and SciPy where it is there."""
    table = {1: 12.7062, 2: 4.3027, 5: 2.5706, 10: 2.2281, 30: 2.0423, 120: 1.9799, 1000: 1.9623}
    for degrees, value in table.items():
        assert t_quantile(degrees) == pytest.approx(value, abs=6e-5)
    assert t_quantile(10**9) == pytest.approx(1.959964, abs=1e-6)
    assert t_quantile(400) == pytest.approx(t_quantile(399), rel=1e-4)
    for bad in ((0, 0.95), (3, 0.0), (3, 1.0)):
        with pytest.raises(ValueError, match=r"inside must be|1 or more"):
            t_quantile(*bad)


def test_t_quantiles_beside_scipy():
    stats = pytest.importorskip("scipy.stats")
    for degrees in (1, 2, 3, 8, 57, 399, 400, 5000):
        for inside in (0.5, 0.95, 0.999):
            assert t_quantile(degrees, inside) == pytest.approx(stats.t.ppf((1 + inside) / 2, degrees), rel=1e-8)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_intervals(samples):
    found = estimate(samples)
    assert found.mean == pytest.approx(np.mean(samples), abs=1e-9)
    assert found.standard_error == pytest.approx(np.std(samples, ddof=1) / math.sqrt(len(samples)), abs=1e-9)
    assert found.half_width == pytest.approx(t_quantile(len(samples) - 1) * found.standard_error)


def test_one_deal_has_no_interval():
    result = tournament("call,random", deals=1, seed=1)
    assert result.to_dict()["players"][0]["ci95"] == [None, None]
    assert math.isnan(estimate([1.0]).low)
    with pytest.raises(ValueError, match="expected 1 sample or more"):
        estimate([])


@pytest.mark.parametrize(("arguments", "message"), [
    ({"players": "call"}, "2 to 23 players, got 1"),
    ({"players": "call*12,call*12"}, "2 to 23 players, got 24"),
    ({"players": [Entrant("a", Player), Entrant("a", Player)]}, "different names"),
    ({"deals": 0}, "deals must be 1 or more"),
    ({"block": 0}, "block must be 1 or more"),
    ({"seed": -1}, "0 or more"),
    ({"jobs": 0}, "jobs must be 1 or more"),
    ({"time_limit": 0}, "must be positive"),
    ({"spec": GameSpec.ring(3, 1, 2)}, "2 players do not fit a game of 3"),
])  # fmt: skip
def test_what_is_no_tournament(arguments, message):
    with pytest.raises(ValueError, match=message):
        tournament(**{"players": "call,raise", "deals": 1, **arguments})


# -------------------------------------------------------------------------------------- processes and interruptions

FIELD = "som*2,gom,bpm,bplx,random"


def test_processes_change_nothing():
    """Learners among them, bit by bit."""
    one, two, three = (tournament(FIELD, deals=13, seed=7, block=3, jobs=jobs) for jobs in (1, 2, 3))
    assert same(one, two)
    assert same(one, three)


def test_blocks_change_nothing_but_learners():
    one, two = (tournament("gom*2,bpm,random", deals=6, seed=7, block=block) for block in (2, 6))
    assert same(one, two)
    one, two = (tournament("som*4", deals=60, seed=7, block=block) for block in (5, 60))
    assert one.payoffs.tobytes() != two.payoffs.tobytes()


def test_a_journal_cut_anywhere_is_gone_on_from(tmp_path):
    path = tmp_path / "run.journal"
    whole = tournament(FIELD, deals=6, seed=7, block=2, resume=path)
    data = path.read_bytes()
    lines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    assert len(lines) == 4
    played = []
    for size in [0, 1, int(lines[0]), int(lines[0]) + 1, int(lines[1]) + 30, int(lines[3]), len(data)]:
        path.write_bytes(data[:size])
        told = []
        again = tournament(FIELD, deals=6, seed=7, block=2, resume=path, progress=lambda *done, t=told: t.append(done))
        assert same(whole, again)
        assert path.read_bytes() == data
        played.append(len(told))
    assert played == [3, 3, 3, 3, 2, 1, 0]  # blocks that were left to play


def test_more_deals_later(tmp_path):
    path = tmp_path / "run.journal"
    tournament("som,gom,random", deals=5, seed=7, block=2, resume=path)
    told = []
    more = tournament("som,gom,random", deals=8, seed=7, block=2, resume=path, progress=lambda *done: told.append(done))
    assert told == [(6, 8), (8, 8)]
    assert same(more, tournament("som,gom,random", deals=8, seed=7, block=2))


def test_the_seed_of_a_journal_need_not_be_told(tmp_path):
    path = tmp_path / "run.journal"
    first = tournament("call,random", deals=4, block=2, resume=path)
    again = tournament("call,random", deals=6, block=2, resume=path)
    assert again.seed == first.seed
    assert again.payoffs[:4].tobytes() == first.payoffs.tobytes()
    assert same(again, tournament("call,random", deals=6, block=2, seed=first.seed))


def exported(folder):
    return [hand.id for hand in pm.open_hands(folder)]


def test_an_export_has_every_hand_once(tmp_path):
    """After more deals, in blocks of other ends; in another folder; where files were lost."""
    path, folder, other = tmp_path / "run.journal", tmp_path / "hands", tmp_path / "other"
    arguments = {"seed": 5, "block": 4, "resume": path}
    expected = [f"{deal}-{game}" for deal in range(1, 7) for game in (1, 2)]
    tournament("call,random", deals=2, **arguments, export=folder)
    assert exported(folder) == expected[:4]
    whole = tournament("call,random", deals=6, **arguments, export=folder)
    assert exported(folder) == expected
    again = tournament("call,random", deals=6, **arguments, export=other)
    assert same(again, whole)
    assert exported(other) == expected
    next(other.iterdir()).unlink()
    assert same(tournament("call,random", deals=6, **arguments, export=other), whole)
    assert exported(other) == expected
    assert same(tournament("call,random", deals=6, **arguments, export=other), whole)


def test_an_export_is_not_mixed_with_another(tmp_path):
    tournament("call,random", deals=6, seed=5, block=4, export=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match=r"deals-0000005-0000006\.phhs belongs to another tournament"):
        tournament("call,raise", deals=4, seed=5, block=4, export=tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(("change", "message"), [
    ({"seed": 8}, "its seed is 7, expected 8"),
    ({"block": 3}, "its block is 2, expected 3"),
    ({"players": "call,random"}, "another tournament: its players is"),
    ({"export": "hands"}, "its export is False, expected True"),
    ({"spec": replace(GameSpec.ring(2, 1, 2), cap_heads_up=False)}, "its cap_heads_up is True, expected False"),
    ({"spec": replace(GameSpec.ring(2, 1, 2), odd_chips="first")}, "its odd_chips is 'split', expected 'first'"),
])  # fmt: skip
def test_the_journal_of_another_tournament(tmp_path, monkeypatch, change, message):
    monkeypatch.chdir(tmp_path)
    arguments = {"players": "call,raise", "deals": 2, "seed": 7, "block": 2, "resume": "run.journal"}
    tournament(**arguments)
    with pytest.raises(ValueError, match=message):
        tournament(**{**arguments, **change})


def test_a_damaged_journal(tmp_path):
    path = tmp_path / "run.journal"
    tournament("call,raise", deals=4, seed=7, block=2, resume=path)
    lines = path.read_text().split("\n")
    path.write_text("\n".join([lines[0], lines[1].replace("4", "5"), *lines[2:]]))
    with pytest.raises(ValueError, match=r"line 2: damaged"):
        tournament("call,raise", deals=4, seed=7, block=2, resume=path)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_killed_and_gone_on(tmp_path, jobs):
    path, export = tmp_path / "run.journal", tmp_path / "hands"
    command = [sys.executable, "-m", "pokermodel", "tournament", "--players", "som*2,random", "--deals", "2000",
               "--seed", "7", "--block", "20", "--jobs", str(jobs), "--resume", str(path), "--json"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + PATIENCE
    while not (path.exists() and path.read_bytes().count(b"\n") > 3) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = path.read_bytes().count(b"\n") - 1
    assert kept >= 3
    deals = 20 * (kept + 3)  # a few blocks beyond what was kept
    command[command.index("2000")] = str(deals)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == tournament("som*2,random", deals=deals, seed=7, block=20).to_dict()
    assert not list(tmp_path.glob(".*"))
    assert not export.exists()


def test_interrupted_by_hand():
    class Impatient(Player):
        def act(self, view):
            if view.hand_id == "6-1":
                raise KeyboardInterrupt
            return Act.CALL

    result = tournament([Entrant("i", Impatient), "call"], deals=9, seed=1, block=2)
    assert result.interrupted
    assert result.deals == 4
    assert result.payoffs.tobytes() == tournament("call,call", deals=4, seed=1, block=2).payoffs.tobytes()


# --------------------------------------------------------------------------------------------- players that fail


class Faulty(Player):
    """Calls, and does something wrong in a hand."""

    def __init__(self, fault="", hand="3-2", method="act"):
        self.fault, self.hand, self.method = fault, hand, method
        self.now = ""

    def wrong(self, method):
        if self.now != self.hand or method != self.method:
            return Act.CALL
        if self.fault == "crash":
            raise RuntimeError("out of\n cheese")
        if self.fault == "exit":
            sys.exit(3)
        if self.fault == "loop":
            while True:
                pass
        if self.fault == "stubborn":
            while True:
                with contextlib.suppress(Exception):
                    time.sleep(10)
        return {"none": None, "word": "call", "fold": Act.FOLD, "float": 1.0, "big": 7}[self.fault]

    def begin(self, start):
        self.now = start.hand_id
        self.wrong("begin")

    def act(self, view):
        return Act.CALL if view.to_call else self.wrong("act")

    def observe(self, decision):
        self.wrong("observe")

    def end(self, end):
        self.wrong("end")


@pytest.mark.parametrize(("fault", "reason"), [
    ("crash", "act raised RuntimeError: out of cheese (test_arena.py, line "),
    ("exit", "act raised SystemExit: 3 (test_arena.py, line "),
    ("loop", "act took longer than 1 s"),
    ("stubborn", "act took longer than 1 s"),
    ("none", "act answered None, expected call or raise"),
    ("word", "act answered 'call', expected call or raise"),
    ("fold", "act answered <Act.FOLD: 0>, expected call or raise"),
    ("float", "act answered 1.0, expected call or raise"),
    ("big", "act answered 7, expected call or raise"),
])  # fmt: skip
def test_a_player_that_fails(tmp_path, fault, reason):
    """Is reported by name and hand; the hand is kept, and the deals before it count."""
    players = [Entrant("good", lambda: make_player("call")), Entrant("bad", lambda: Faulty(fault))]
    limit = 1 if "took longer" in reason else None  # which nobody else takes, however busy the machine is
    result = tournament(players, deals=9, seed=1, block=5, time_limit=limit, export=tmp_path, on_failure="stop")
    failure = result.failure
    assert failure is not None
    assert (failure.player, failure.hand_id) == ("bad", "3-2")
    assert failure.reason.startswith(reason)
    assert str(failure) == f"player bad failed in hand 3-2: {failure.reason}"
    assert result.deals == 2
    fine = tournament([players[0], Entrant("bad", lambda: make_player("call"))], deals=2, seed=1)
    assert result.payoffs.tobytes() == fine.payoffs.tobytes()
    report = result.to_dict()
    assert report["failure"] == {"player": "bad", "hand": "3-2", "reason": failure.reason}
    (kept,) = pm.open_hands(tmp_path / "failed-3-2.phh")
    assert kept.id == "3-2"
    done = [decision.act for decision in failure.hand.decisions]
    assert [action.act for action in kept.actions] == [*done, Act.FOLD]
    assert f"broken off after {len(done)} actions" in (tmp_path / "failed-3-2.phh").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deals-0000001-0000005.phhs", "failed-3-2.phh"]
    assert len(list(pm.open_hands(tmp_path / "deals-0000001-0000005.phhs"))) == 5


@pytest.mark.parametrize("method", ["begin", "observe", "end"])
def test_a_player_that_fails_elsewhere(method):
    players = [Entrant("bad", lambda: Faulty("crash", method=method)), "call"]
    result = tournament(players, deals=5, seed=1, on_failure="stop")
    assert str(result.failure).startswith(f"player bad failed in hand 3-2: {method} raised RuntimeError")
    assert result.deals == 2


def test_the_first_failure_counts_whoever_finds_it(tmp_path):
    """With several processes too, and a journal keeps what came before."""
    results = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.journal"
        players = [Entrant("bad", _FailsLate), Entrant("worse", _FailsLater), "call"]
        result = tournament(players, deals=40, seed=1, block=2, jobs=jobs, resume=path, on_failure="stop")
        results.append((result.to_dict(), path.read_bytes()))
    assert results[0] == results[1]
    assert results[0][0]["failure"]["hand"] == "8-1"
    assert results[0][0]["deals"] == 7
    assert results[0][1].count(b"\n") == 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_is_raised_unless_asked_not_to(tmp_path, jobs):
    """With what the player raised behind it, in this process; the journal and the folder have what there is."""
    path, folder = tmp_path / "run.jsonl", tmp_path / "hands"
    arguments = {"deals": 9, "seed": 1, "block": 2, "jobs": jobs, "resume": path, "export": folder}
    with pytest.raises(PlayerFailed, match="player bad failed in hand 8-1: act raised RuntimeError: out of") as caught:
        tournament([Entrant("bad", _FailsLate), "call"], **arguments)
    error = caught.value
    assert (error.failure.player, error.failure.hand_id) == ("bad", "8-1")
    assert isinstance(error.__cause__, RuntimeError) == (jobs == 1)
    assert path.read_bytes().count(b"\n") == 4  # three blocks, and what they are of
    assert (folder / "failed-8-1.phh").exists()
    mended = tournament([Entrant("bad", Faulty), "call"], **arguments)
    assert mended.deals == 9
    with pytest.raises(ValueError, match="unknown way to deal with failures 'ignore': expected one of raise, stop"):
        tournament("call,raise", deals=1, on_failure="ignore")


class _FailsLate(Faulty):
    def __init__(self):
        super().__init__("crash", "8-1")


class _FailsLater(Faulty):
    def __init__(self):
        super().__init__("crash", "11-1")


def test_no_alarm_is_left_behind():
    before = signal.getsignal(signal.SIGALRM) if hasattr(signal, "SIGALRM") else None
    tournament("call,random", deals=2, seed=1, time_limit=PATIENCE)
    if before is not None:
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_hand_that_fails_says_so():
    deal = deal_cards(2, np.random.default_rng(1))
    players = [Faulty("crash", "1"), make_player("call")]
    with pytest.raises(PlayerFailed, match="player a failed in hand 1: act raised RuntimeError"):
        play_hand(GameSpec.heads_up(1, 2), ["a", "b"], players, deal)


# ------------------------------------------------------------------------------------------------- the command


def run(*args):
    return CliRunner().invoke(cli, ["tournament", *args], catch_exceptions=False)


def test_command_as_data():
    args = ("--players", "loki1,bpm*2", "--deals", "4", "--seed", "5")
    found = run(*args, "--json")
    report = json.loads(found.stdout)
    assert set(report) == {"deals", "games", "players", "seed"}
    assert (report["deals"], report["games"], report["seed"]) == (4, 12, 5)
    for player in report["players"]:
        assert set(player) == {"name", "small_bets_per_game", "standard_error", "ci95"}
        low, high = player["ci95"]
        assert low <= player["small_bets_per_game"] <= high
    assert [player["name"] for player in report["players"]] == ["loki1", "bpm#1", "bpm#2"]
    assert report == tournament("loki1,bpm*2", deals=4, seed=5).to_dict()
    text = run(*args).stdout
    assert "4 deals, 12 games, seed 5" in text
    assert "all bpm" in text


def test_winnings_over_the_deals():
    result = tournament("call,random*2,raise", deals=30, seed=4)
    for player in ("call", "random", "random#2"):
        samples = result.samples(player) * result.games_per_deal
        rows = list(result.course(player))
        assert [row["deals"] for row in rows] == list(range(31))
        assert [row["won"] for row in rows] == pytest.approx([math.fsum(samples[:k]) for k in range(31)])
        half = t_quantile(29) * np.std(samples, ddof=1)
        for row in rows:
            wide = half * math.sqrt(row["deals"])
            assert [row["low"], row["high"]] == pytest.approx([row["won"] - wide, row["won"] + wide])
        found = result.estimate(player)
        assert rows[-1]["high"] == pytest.approx(found.high * result.games)
        few = list(result.course(player, points=7))
        assert len(few) == 8
        assert few == [rows[row["deals"]] for row in few]
        assert few[-1]["deals"] == 30
    one = replace(result, payoffs=result.payoffs[:1], squares=result.squares[:1])
    assert [(row["low"], row["high"]) for row in one.course("call")] == [(None, None)] * 2
    none = replace(result, payoffs=result.payoffs[:0], squares=result.squares[:0])
    assert list(none.course("call")) == [{"deals": 0, "won": 0.0, "low": 0.0, "high": 0.0}]
    with pytest.raises(ValueError, match="points must be 1 or more"):
        list(result.course("call", points=0))


def test_command_draws_a_seed_and_tells_it():
    args = ("--players", "random,call", "--deals", "3", "--json")
    one = json.loads(run(*args).stdout)
    assert json.loads(run(*args, "--seed", str(one["seed"])).stdout) == one


def test_command_and_a_player_that_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    register(Kind("faulty", lambda: Faulty("crash")))
    try:
        with pytest.raises(SystemExit) as ended:
            main(["tournament", "--players", "faulty,call", "--deals", "5", "--seed", "1", "--json"])
    finally:
        del _REGISTRY._kinds["faulty"]
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["deals"] == 2
    assert "player faulty failed in hand 3-2" in err
    assert [path.name for path in Path().iterdir()] == ["failed-3-2.phh"]
    assert "faulty" not in kinds()


def test_command_and_a_hand_that_cannot_be_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("failed-3-2.phh").mkdir()
    register(Kind("faulty", lambda: Faulty("crash")))
    try:
        with pytest.raises(SystemExit):
            main(["tournament", "--players", "faulty,call", "--deals", "5", "--seed", "1", "--json"])
    finally:
        del _REGISTRY._kinds["faulty"]
    err = capsys.readouterr().err
    assert "player faulty failed in hand 3-2" in err
    assert "the hand could not be kept" in err
    assert "failed-3-2.phh: it is a folder" in err


@pytest.mark.parametrize("args", [
    ("--players", "bob,call", "--deals", "1"),
    ("--players", "call,call", "--deals", "0"),
    ("--players", "call", "--deals", "1"),
])  # fmt: skip
def test_command_errors(args, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["tournament", *args])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Error: " in err


def test_acts_are_counted_by_player_round_and_bets_to_call(tmp_path):
    played = [tournament("call,raise", 6, seed=1, block=2, resume=tmp_path / "x.jsonl", jobs=jobs) for jobs in (1, 2)]
    again = tournament("call,raise", 6, seed=1, block=2, resume=tmp_path / "x.jsonl")
    for result in (*played, again):
        caller, raiser = result.frequencies("call"), result.frequencies("raise")
        assert np.nansum(caller[..., (0, 2)]) == 0
        assert (raiser[1:, 0, 2] == 1).all()
        np.testing.assert_array_equal(result.acts, played[0].acts)
    hands = 12
    assert played[0].acts.sum() > 8 * hands  # four rounds, two players
