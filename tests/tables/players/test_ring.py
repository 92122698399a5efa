"""The player for any table: play-outs, and solutions when two are left."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import pokermodel.tables.players.ring as module
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import tournament
from pokermodel.tables.players import Seat, make_player
from pokermodel.tables.players.ring import expected_loss
from pokermodel.worth.play_outs import Outcome

QUICK = "ring?trials=512"


def no_limit(players, stack=20):
    return GameSpec.no_limit(players, 1, 2, stacks=(2 * stack,) * players)


@pytest.mark.parametrize(
    ("others", "spec", "deals"),
    [
        ("call*2", GameSpec.ring(3, 1, 2), 12),
        ("call*2", no_limit(3), 12),
        ("random", GameSpec.ring(2, 1, 2), 40),
    ],
)
@pytest.mark.slow
def test_it_beats_simple_players(others, spec, deals):
    result = tournament(f"{QUICK},{others}", deals=deals, seed=1, spec=spec)
    estimate = result.estimate(QUICK)
    assert estimate.mean > 2 * estimate.standard_error > 0


@pytest.mark.parametrize("spec", [GameSpec.ring(3, 1, 2), no_limit(3, 100)])
def test_the_same_seed_is_the_same_play(spec):
    games = [tournament(f"{QUICK},call*2", deals=1, seed=5, spec=spec) for _ in range(2)]
    assert (games[0].payoffs == games[1].payoffs).all()
    assert (games[0].acts == games[1].acts).all()


def test_hopeless_hands_are_folded_at_once(monkeypatch):
    def never(*args, **options):
        raise AssertionError("nothing has to be played out")

    monkeypatch.setattr(module, "PlayOuts", never)
    seat = Seat(make_player("ring"))
    seat.begin(GameSpec.ring(10, 1, 2), [f"p{k}" for k in range(10)], 2, "7c2d", seed=1)
    assert seat.act().act == Act.FOLD


def test_what_a_look_says_is_a_little_worse_than_a_fold_is_played_out(monkeypatch):
    """The look one answer ahead knows of no bets to come: what it has a little behind a fold is played out."""
    look, played = module.myopic_verdict, []

    def pessimist(*args, **options):
        found = look(*args, **options)
        acts = tuple(each._replace(ev=0.0 if each.act == Act.FOLD else -0.3) for each in found.acts)
        return replace(found, acts=acts)

    class Counted(module.PlayOuts):
        def run(self, *args, **options):
            played.append(super().run(*args, **options))
            return played[-1]

    monkeypatch.setattr(module, "myopic_verdict", pessimist)
    monkeypatch.setattr(module, "PlayOuts", Counted)
    seat = Seat(make_player("ring"))
    seat.begin(GameSpec.ring(10, 1, 2), [f"p{k}" for k in range(10)], 9, "8c8d", seed=1)
    for k in range(7):
        seat.observe(Act.CALL if k < 4 else Act.FOLD)
    assert seat.act().act != Act.FOLD
    assert played[0].ev.max() > 3 * played[0].errors.max() > 0


@pytest.mark.parametrize(("error", "made"), [(1.0, Act.RAISE), (0.01, Act.CALL)])
def test_between_two_acts_that_play_outs_do_not_tell_apart_go_by_the_look(monkeypatch, error, made):
    """Aces before the flop, of which the play-outs have a call a little ahead."""

    def run(self, moves, *args, **options):
        ev = np.array([{Act.FOLD: 0.0, Act.CALL: 1.0, Act.RAISE: 0.9}[act] for act, _ in moves])
        none = np.zeros(len(ev))
        halves = np.tile(ev, (2, 1))
        return Outcome(ev, np.full((len(ev),) * 2, error), halves, halves, ev[None], none, none, 512)

    monkeypatch.setattr(module.PlayOuts, "run", run)
    seat = Seat(make_player("ring"))
    seat.begin(GameSpec.heads_up(1, 2), ["Ann", "Bo"], 0, "AcAd", seed=1)
    assert seat.act().act == made


@pytest.mark.parametrize(("away", "error"), [(0.0, 0.3), (0.2, 0.3), (1.0, 0.3), (0.5, 2.0)])
def test_what_is_lost_by_an_act_that_may_not_be_best(away, error):
    """With two acts it is the mean of how much the other one is better, where it is."""
    drawn = np.random.default_rng(1).normal(-away, error, 400_000).clip(min=0.0)
    errors = np.array([[0.1, error], [error, 0.2]])
    found = expected_loss(np.array([1.0 - away, 1.0]), errors)
    assert found == pytest.approx(drawn.mean(), abs=5 * drawn.std() / math.sqrt(len(drawn)))
    assert expected_loss(np.array([1.0]), errors[:1, :1]) == 0.0


def test_rivers_of_two_are_solved(monkeypatch):
    solved, solve = [], module.solve_whole
    monkeypatch.setattr(
        module, "solve_whole", lambda *args, **options: solved.append(options) or solve(*args, **options)
    )
    tournament(f"{QUICK}&solve=never,call", deals=2, seed=2, spec=GameSpec.heads_up(1, 2))
    assert not solved
    tournament(f"{QUICK},call", deals=2, seed=2, spec=GameSpec.heads_up(1, 2))
    assert solved
    assert all(len(options["locks"]) for options in solved)


def test_time_is_kept():
    seat = Seat(make_player("ring?seconds=.001"))
    seat.begin(GameSpec.ring(3, 1, 2), ("Ann", "Bob", "Cid"), 2, "AsAd", seed=1)
    assert seat.act().act in (Act.CALL, Act.RAISE)


def test_options():
    assert make_player("ring?trials=600&seconds=2&solve=never").trials == 600
    for options, words in (
        ("trials=100", "trials must be 512 or more"),
        ("seconds=0", "seconds must be above 0"),
        ("solve=flop", "turn, river or never|turn, river, never"),
    ):
        with pytest.raises(ValueError, match=words):
            make_player(f"ring?{options}")
