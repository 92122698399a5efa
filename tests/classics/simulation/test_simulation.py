"""Simulations against exact enumeration, and play-outs act for act."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import signal
import subprocess
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core import simd
from pokermodel._core.dealing import Deals
from pokermodel._core.playout import FIELD_TOTAL, Scene, Strengths
from pokermodel.cards import CARDS, HOLDING_CARDS, N_HOLDINGS, card_indices, cards_text, holding_index, live_holdings
from pokermodel.classics.loki1.field import crude_values, field_array
from pokermodel.classics.loki1.postflop import PostflopFeatures, postflop_action
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.simulation import Advice, Loki1Rules, Position, Simulator, StrengthCache
from pokermodel.classics.simulation import simulator as simulator_module
from pokermodel.classics.simulation.advice import BranchEstimate
from pokermodel.evaluation import BoardAnalysis
from pokermodel.evaluation.equity import equity
from pokermodel.game import Act, Action, GameSpec, Hand, Situation, State
from pokermodel.learning.thresholds import postflop_threshold
from pokermodel.reading import DEFAULT_FREQUENCIES
from tests.common import textbook
from tests.common.situations import situation

SWITCHES = ("pot_odds", "showdown_odds", "semi_bluff")


def play(spec, acts):
    state = State(spec)
    for act in acts:
        state.act(act)
    return state


def limped(players, then=()):
    """A flop that everybody saw for one bet, and what was done on it."""
    state = State(GameSpec.ring(players, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    for act in then:
        state.act(act)
    return state


def random_tables(rng, n, sharp=2.0):
    return list(np.maximum(rng.random((n, N_HOLDINGS)) ** sharp, 0.01))


def core_scene(state, holding="AhKh", board="7c8c2h", seats=None, policies=None):
    """A scene of the kernels; `seats` are the fields in each branch."""
    fields = [[0] * state.players] * 2 if seats is None else seats
    policies = [None] * state.players if policies is None else policies
    return Scene(state, card_indices(holding), card_indices(board), fields, policies, False)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"state": play(GameSpec.ring(3, 1, 2), [Act.FOLD, Act.FOLD])}, "the hand is over"),
    ({"state": State(GameSpec.ring(3, 1, 2))}, "before the flop"),
    ({"board": "7c8c2h3d"}, "round 1 has 3 board cards, got 4"),
    ({"holding": "Ah"}, "expected two cards, .* got 1 cards"),
    ({"seats": [[0, 0, 0]] * 3}, "two fields and a policy for each of 3 seats"),
    ({"seats": [[0, 0, 0], [0, 0]]}, "two fields and a policy for each of 3 seats"),
    ({"policies": [None] * 2}, "two fields and a policy for each of 3 seats"),
    ({"holding": "Ah7c"}, "duplicate card"),
    ({"seats": [[0, 99, 0]] * 2}, "field 99 of seat 1 is out of range"),
    ({"seats": [[0, 0, 0], [0, 0, -1]]}, "seat 2 has not folded"),
    ({"policies": [None, "call", None]}, "policy"),
])  # fmt: skip
def test_core_refuses_a_scene(arguments, message):
    core_scene(limped(3))
    with pytest.raises(ValueError, match=message):
        core_scene(**{"state": limped(3)} | arguments)


def test_core_refuses_to_play():
    board, own = card_indices("7c8c2h"), card_indices("AhKh")
    scene, words = core_scene(limped(3)), np.arange(4, dtype=np.uint64)
    strengths = Strengths(board)
    strengths.bind(np.ones((1, N_HOLDINGS)))

    def play(scene=scene, strengths=strengths, players=2, dealt=board, chips=(5, 2), weights=5, folded=2, **logs):
        deals = Deals(np.ones((players, N_HOLDINGS)), dealt, own, True)
        acts = np.zeros((2, 3, 4, 3, 3), np.uint64)
        scene.play(
            deals, strengths, words, np.empty(chips), np.empty(weights), acts, np.zeros(folded, np.uint64), **logs
        )
        return int(acts.sum())

    assert play() > 0
    assert play(chips=(0, 2), weights=0) == 0
    log = {
        "log_acts": np.empty((5, 2, 512), np.int8),
        "log_cards": np.empty((5, 23, 2), np.uint8),
        "log_boards": np.empty((5, 5), np.uint8),
    }
    assert play(**log) > 0
    for arguments, message in (
        ({"strengths": Strengths(card_indices("7c8c2d"))}, "of another flop"),
        ({"players": 3}, "expected deals to 2 players on 3 board cards, got 3 and 3"),
        ({"dealt": card_indices("7c8c2h3d")}, "expected deals to 2 players on 3 board cards, got 2 and 4"),
        ({"scene": core_scene(limped(3), seats=[[0, 0, 1]] * 2)}, "there is no field 1, which seat 2 plays against"),
        ({"chips": (5, 3)}, "5 trials of 3 players have other shapes"),
        ({"weights": 4}, "5 trials of 3 players have other shapes"),
        ({"folded": 1}, "5 trials of 3 players have other shapes"),
        (log | {"log_acts": np.empty((5, 2, 511), np.int8)}, "the log of 5 trials"),
        (log | {"log_cards": None}, "the log of 5 trials"),
        (log | {"log_boards": np.empty((4, 5), np.uint8)}, "the log of 5 trials"),
    ):
        with pytest.raises(ValueError, match=message):
            play(**arguments)


# ----------------------------------------------------------------------------------------------------- strengths


def whole(weights):
    share = weights / weights.sum()
    return np.where(share > 0, np.maximum(np.floor(share * (FIELD_TOTAL - N_HOLDINGS)), 1), 0)


@pytest.mark.parametrize(
    "flop", ["7c8d2h", "QcTc2c", *(pytest.param(flop, marks=pytest.mark.native) for flop in ("7c8c2h", "9s9h9d"))]
)
def test_strengths_are_those_of_the_hand_evaluator(flop):
    rng = np.random.default_rng(5)
    fields = np.array([whole(rng.random(N_HOLDINGS) ** 6 * live_holdings(card_indices(flop))) for _ in range(3)])
    few = np.zeros(N_HOLDINGS)
    few[[holding_index("AhKh"), holding_index("AhQs")]] = 1, 2
    fields = np.vstack([fields, few])
    strengths = Strengths(card_indices(flop))
    strengths.bind(fields)
    for come in ("", "3s", "As", "2d", "Kh4d", "3s7s", "Ah4c"):
        board = card_indices(flop + come)
        analysis = pm.BoardAnalysis(board)
        live = np.flatnonzero(analysis.live)
        for k, weights in enumerate(fields):
            table = analysis.evaluate(weights)
            expected = np.column_stack([table.hs, table.ppot, table.npot])[live]
            found = [strengths.worth(int(h), board[3:], k) for h in live]
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_entries_do_not_depend_on_how_they_came_about():
    rng = np.random.default_rng(6)
    flop = card_indices("7c8c2h")
    fields = np.array([whole(rng.random(N_HOLDINGS) ** 6 * live_holdings(flop)) for _ in range(2)])
    asked_all, asked_one = Strengths(flop), Strengths(flop)
    asked_all.bind(fields)
    for come in ((), card_indices("3c"), card_indices("Jd")):
        live = np.flatnonzero(live_holdings((*flop, *come))).tolist()
        rows = {}
        for _ in range(2):  # by the end of the first pass rows are filled whole
            rows.update({h: asked_all.worth(h, come, 1) for h in live})
        before = simd.level()
        try:
            for level in simd.available():
                simd.use(level)
                for h in live[::97]:
                    asked_one.clear()
                    asked_one.bind(fields)
                    assert asked_one.worth(h, come, 1) == rows[h]
        finally:
            simd.use(before)


def test_strengths_reject_bad_input():
    strengths = Strengths(card_indices("7c8c2h"))
    with pytest.raises(ValueError, match="shape"):
        strengths.bind(np.ones((1, 5)))
    with pytest.raises(ValueError, match="whole number"):
        strengths.bind(np.full((1, N_HOLDINGS), 0.5))
    with pytest.raises(ValueError, match="whole number"):
        strengths.bind(np.full((1, N_HOLDINGS), np.nan))
    with pytest.raises(ValueError, match="at most"):
        strengths.bind(np.full((1, N_HOLDINGS), 2.0**40))
    strengths.bind(np.ones((1, N_HOLDINGS)))
    with pytest.raises(ValueError, match="field 1"):
        strengths.worth(0, (), 1)
    with pytest.raises(ValueError, match="shares a card"):
        strengths.worth(holding_index("7cAs"), (), 0)
    with pytest.raises(ValueError, match="duplicate"):
        strengths.worth(0, card_indices("7c"), 0)
    for holding in -1, N_HOLDINGS:
        with pytest.raises(ValueError, match=f"holding {holding} is out of range"):
            strengths.worth(holding, (), 0)
    with pytest.raises(ValueError, match="3 cards"):
        Strengths(card_indices("7c8c2h3d"))
    with pytest.raises(ValueError, match="a flop has 3 cards, got 2"):
        Strengths(card_indices("7c8c"))
    with pytest.raises(ValueError, match="card index 52 is out of range"):
        Strengths([0, 1, 52])


# ------------------------------------------------------------------------------------------------------- Loki-1

unit = st.floats(0, 1)


@given(
    street=st.integers(1, 3),
    pot=st.integers(2, 60),
    bets=st.integers(0, 3),
    num_bets=st.integers(0, 4),
    put_in=st.integers(0, 2),
    strength=unit,
    ppot=unit,
    npot=unit,
    semi_bluff=st.booleans(),
    switches=st.tuples(*[st.booleans()] * 5),
)
def test_loki1_in_c_acts_as_in_python(street, pot, bets, num_bets, put_in, strength, ppot, npot, semi_bluff, switches):
    bet = 2 if street == 1 else 4
    owed = bets * bet
    features = PostflopFeatures(*switches)
    act, flag, _ = postflop_action(
        situation(street, pot, owed, bet, bets, num_bets, put_in),
        strength=strength,
        ppot=ppot,
        npot=npot,
        semi_bluff=semi_bluff,
        features=features,
    )
    rules = Loki1Rules(0.50, 0.85, *switches)
    spot = TripleSpot(street, pot, owed, bet, bets, num_bets, True)
    assert rules.act(spot, put_in > 0, strength, ppot, npot, semi_bluff) == (act, flag)


# ------------------------------------------------------------------------------------------------- enumeration

HEADS_UP = GameSpec.heads_up(1, 2)
TO_RIVER = {
    "free": [Act.CALL] * 2 + [Act.CALL] * 4,
    "behind": [Act.CALL] * 2 + [Act.CALL] * 4 + [Act.CALL],
    "bet": [Act.CALL] * 2 + [Act.CALL] * 4 + [Act.RAISE],
    "raised": [Act.RAISE, Act.CALL] + [Act.RAISE, Act.CALL] + [Act.CALL] * 2 + [Act.RAISE, Act.RAISE],
}
TO_TURN = {name: acts[:-2] if name == "free" else acts for name, acts in TO_RIVER.items()} | {
    "free": [Act.CALL] * 2 + [Act.CALL] * 2,
    "behind": [Act.CALL] * 2 + [Act.CALL] * 2 + [Act.CALL],
    "bet": [Act.CALL] * 2 + [Act.CALL] * 2 + [Act.RAISE],
    "raised": [Act.RAISE, Act.CALL] * 2 + [Act.RAISE] * 2,
}


class HeadsUpSpot:
    """A random decision heads-up, for the simulator and for the textbook."""

    def __init__(self, seed, cards, holdings):
        rng = np.random.default_rng(seed)
        deck = rng.permutation(CARDS).tolist()
        self.board, self.own = deck[:cards], deck[cards : cards + 2]
        rest = deck[cards : cards + 12]  # both ranges are over a dozen cards, so that they meet
        ranges = []
        for _ in range(2):
            pairs = list(combinations(rest, 2))
            chosen = rng.choice(len(pairs), holdings, replace=False)
            ranges.append({tuple(pairs[k]): float(rng.integers(1, 100)) for k in chosen})
        self.tables = ranges
        line = list(TO_RIVER if cards == 5 else TO_TURN)[int(rng.integers(4))]
        self.state = play(HEADS_UP, (TO_RIVER if cards == 5 else TO_TURN)[line])
        situation = self.state.situation()
        self.pot, self.owed, self.raises = situation[1], situation[2], situation[5]
        self.checked = line == "behind"

    def weights(self):
        found = []
        for table in self.tables:
            row = np.zeros(N_HOLDINGS)
            for holding, weight in table.items():
                row[holding_index(holding)] = weight
            found.append(row)
        return found

    def exact(self):
        borders = BettingThresholds.own().array.tolist()
        tree = textbook.HeadsUp(self.board, self.state.seat, self.own, self.tables, borders, HEADS_UP.bets, 4, SWITCHES)
        return np.array([tree.ev(act, self.pot, self.owed, self.raises, self.checked) for act in (1, 2)]) / 2

    def simulate(self, simulator, trials, rng):
        return simulator.run(
            (self.state, card_indices("".join(self.board))), "".join(self.own), self.weights(), trials, rng
        )


def spots(n, cards, holdings, seed):
    """Random spots in which everybody has somebody to be compared with."""
    found = []
    while len(found) < n:
        seed += 1
        spot = HeadsUpSpot(seed, cards, holdings)
        try:
            found.append((spot, spot.exact()))
        except (ValueError, ZeroDivisionError):
            continue
    return found


@pytest.fixture(scope="module")
def exact_spots():
    return spots(170, 5, 12, 1000) + spots(30, 4, 5, 5000)


@pytest.mark.slow
def test_expected_values_are_those_of_the_enumeration(exact_spots):
    simulator = Simulator(stop="none")
    assert len(exact_spots) == 200
    scores = []
    for k, (spot, exact) in enumerate(exact_spots):
        advice = spot.simulate(simulator, 3000, k)
        error = np.maximum(advice.standard_error[1:], 1e-6)  # all trials may have one outcome
        scores.extend(((advice.ev[1:] - exact) / error).tolist())
    scores = np.abs(scores)
    # of 400 differences one is expected beyond three standard errors
    assert (scores > 3).sum() <= 4
    assert scores.max() < 4.5
    assert 0.85 < np.mean(scores**2) < 1.15


@pytest.mark.slow
def test_intervals_cover_as_often_as_they_say(exact_spots):
    simulator = Simulator(stop="none")
    covered = []
    for k, (spot, exact) in enumerate(exact_spots[::5]):
        for run in range(40):
            advice = spot.simulate(simulator, 500, 1000 * k + run)
            if (advice.deviation[1:] == 0).any():
                break
            difference = advice.ev[2] - advice.ev[1] - (exact[1] - exact[0])
            covered.append(
                [
                    *(np.abs(advice.ev[1:] - exact) < 1.96 * advice.standard_error[1:]).tolist(),
                    abs(difference) < 1.96 * advice.paired_standard_error,
                ]
            )
    assert len(covered) > 1000
    share = np.mean(covered, axis=0)
    assert ((share > 0.93) & (share < 0.97)).all(), share


# ------------------------------------------------------------------------------------------------ act for act


def walk(state, acts):
    """The states before each act of a branch, and what was done."""
    state = state.copy()
    for act in acts:
        yield state, act
        state.act(act)
    assert state.over


def field_of(state, seat, tables, board):
    live = live_holdings(board)
    return field_array([tables[other] * live for other in state.active if other != seat])


@pytest.mark.parametrize("noticed", [False, True])
def test_play_outs_use_current_opponents_cards_and_fields(noticed):
    # a generator without chance in it: fold below .3, call, raise from .6 on
    bins = np.zeros((3, 10, 3))
    bins[:, :3, 0], bins[:, 3:6, 1], bins[:, 6:, 2] = 1, 1, 1
    generator = TripleGenerator(table=bins, pot_odds=False, showdown_odds=False, semi_bluff=False)
    rng = np.random.default_rng(8)
    tables = random_tables(rng, 5)
    root = limped(5, [Act.CALL])
    board = card_indices("7c8c2h")
    images = tuple(random_tables(rng, 2)) if noticed else None
    advice = Simulator(generator=generator).run(
        (root, board), "Ah9h", tables, trials=64, rng=3, images=images, log=True
    )
    log, analyses, seen = advice.log, {}, set()
    fields = []
    for image in images or [tables[root.seat]] * 2:
        known = [*tables[: root.seat], image, *tables[root.seat + 1 :]]
        fields.append({seat: field_of(root, seat, known, board) for seat in range(5)})
    for trial in range(advice.trials):
        for branch, acts in enumerate(log.acts[trial]):
            for k, (state, act) in enumerate(walk(root, acts)):
                if k == 0:
                    continue
                cards = tuple(log.boards[trial, : state.round + 2].tolist())
                analysis = analyses.setdefault(cards, pm.BoardAnalysis(cards))
                holding = tuple(log.cards[trial, state.seat].tolist())
                field = fields[branch][state.seat]
                hs = analysis.strength(holding, field) ** (len(state.active) - 1)
                ppot = analysis.potential(holding, field).ppot
                value = hs + (1 - hs) * ppot
                if min(abs(value - 0.3), abs(value - 0.6)) < 1e-5:
                    continue
                expected = Act.FOLD if value < 0.3 else Act.CALL if value < 0.6 else Act.RAISE
                if expected not in state.legal():
                    expected = Act.CALL
                assert act == expected
                seen.add((state.round, act))
    assert len(seen) == 9


@pytest.mark.parametrize("switches", [{}, {"semi_bluff": False, "pot_odds": False}, {"simple": True}])
def test_loki1_plays_out_by_its_rules(switches):
    rng = np.random.default_rng(9)
    tables = random_tables(rng, 4)
    root = limped(4, [Act.CALL])
    board = card_indices("Tc8c2h")
    advice = Simulator(policy=Loki1Rules(**switches)).run((root, board), "Jh9h", tables, trials=40, rng=3, log=True)
    analyses = {}
    for trial in range(advice.trials):
        for acts in advice.log.acts[trial]:
            flags = [False] * 4
            for k, (state, act) in enumerate(walk(root, acts)):
                if k == 0:
                    continue
                seat = state.seat
                cards = tuple(advice.log.boards[trial, : state.round + 2].tolist())
                analysis = analyses.setdefault(cards, pm.BoardAnalysis(cards))
                holding = tuple(advice.log.cards[trial, seat].tolist())
                field = field_of(root, seat, tables, board)
                ppot, npot, _ = analysis.potential(holding, field)
                expected, flags[seat], _ = postflop_action(
                    Situation.of(state, tuple("abcd"), cards),
                    strength=analysis.strength(holding, field) ** (len(state.active) - 1),
                    ppot=ppot,
                    npot=npot,
                    semi_bluff=flags[seat],
                    features=PostflopFeatures(**switches),
                )
                assert act == (expected if expected in state.legal() else Act.CALL)


@pytest.mark.parametrize("dealing", ["joint", "published"])
def test_a_simulated_hand_replays_to_the_same_chips(dealing):
    rng = np.random.default_rng(10)
    spec = GameSpec.ring(6, 1, 2)
    before = [Act.CALL, Act.FOLD, Act.RAISE, Act.CALL, Act.CALL, Act.CALL, Act.CALL, Act.RAISE, Act.CALL]
    state = State(spec)
    seats = []
    for act in before:
        seats.append(state.seat)
        state.act(act)
    board = card_indices("Ks8d3d")
    tables = random_tables(rng, 6)
    put_in = state.committed[state.seat]
    advice = Simulator(dealing=dealing, stop="none").run((state, board), "KdQd", tables, 200, rng=4, log=True)
    log = advice.log
    assert (log.weights == 1).all()
    for trial in range(200):
        final = log.boards[trial].tolist()
        holdings = {seat: tuple(log.cards[trial, seat].tolist()) for seat in range(6)}
        assert holdings[state.seat] == card_indices("KdQd")
        for branch, acts in enumerate(log.acts[trial]):
            actions = [Action(seat, act) for seat, act in zip(seats, before, strict=True)]
            end = state.copy()
            for act in acts:
                actions.append(Action(end.seat, act))
                end.act(act)
            hand = Hand(
                "simulated",
                str(trial),
                spec,
                [f"p{k}" for k in range(6)],
                actions,
                final if end.showdown else final[: end.round + 2],
                holdings,
            )
            assert hand.payoffs[state.seat] + put_in == pytest.approx(2 * log.values[trial, branch])
    np.testing.assert_allclose(log.values.mean(axis=0), advice.ev[1:])


# -------------------------------------------------------------------------------------------------- the result


@pytest.fixture(scope="module")
def flop():
    rng = np.random.default_rng(12)
    return (limped(4, [Act.CALL, Act.RAISE]), card_indices("Tc8c2h")), random_tables(rng, 4)


def same(one: Advice, other: Advice):
    for name in ("ev", "standard_error", "deviation", "acts", "own_folds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.trials, one.action, one.stopped) == (other.trials, other.action, other.stopped)
    assert one.paired_standard_error == other.paired_standard_error


@pytest.mark.parametrize("stop", ["none", "paired"])
def test_any_number_of_threads_gives_the_same_result(flop, stop):
    position, tables = flop
    found = [
        Simulator(jobs=jobs, stop=stop, cache=StrengthCache()).run(position, "Jh9h", tables, 3000, rng=5)
        for jobs in (1, 2, 5)
    ]
    same(found[0], found[1])
    same(found[0], found[2])


def test_nothing_that_is_kept_changes_a_result(flop):
    position, tables = flop
    kept = Simulator(stop="none")
    first = kept.run(position, "Jh9h", tables, 700, rng=6)
    kept.run(position, "Jh9h", tables[::-1], 700, rng=7)
    kept.run(position, "AhAd", tables, 5000, rng=7)
    same(first, kept.run(position, "Jh9h", tables, 700, rng=6))
    same(first, Simulator(stop="none", cache=StrengthCache(0)).run(position, "Jh9h", tables, 700, rng=6))
    same(first, kept.run(position, "Jh9h", tables, 700, rng=6, log=True))


def test_the_cache_is_bounded(flop):
    position, tables = flop
    cache = StrengthCache(1 << 20)
    Simulator(stop="none", cache=cache).run(position, "Jh9h", tables, 2000, rng=6)
    assert cache.nbytes <= 1 << 20
    cache = StrengthCache()
    Simulator(stop="none", cache=cache).run(position, "Jh9h", tables, 500, rng=6)
    assert 1 << 20 < cache.nbytes < 64 << 20
    cache.clear()
    assert cache.nbytes == 0


def test_branches_share_cards_and_random_numbers(flop):
    position, tables = flop
    advice = Simulator(stop="none").run(position, "Jh9h", tables, 4000, rng=5)
    unpaired = math.hypot(*advice.standard_error[1:])
    assert advice.paired_standard_error < 0.75 * unpaired


def test_calling_always(flop):
    # against hands that all stay, a call wins the share of the pot and a raise one bet of everybody more
    position, tables = flop
    state, board = position
    advice = Simulator(policy="call", stop="none").run(position, "Jh9h", tables, 20_000, rng=5)
    assert (advice.own_folds == 0).all()
    ranges = [tables[seat] for seat in state.active if seat != state.seat]
    share = equity(["Jh9h", *ranges], board=board, trials=100_000, rng=6).equity[0]
    pot = state.pot
    call = share * (pot + 2 + 2 * 2) / 2 - 1  # the two behind the bettor call as well
    assert advice.ev[1] == pytest.approx(call, abs=4 * advice.standard_error[1] + 0.02)
    bet = share * (pot + 4 + 2 + 4 * 2) / 2 - 2
    assert advice.ev[2] == pytest.approx(bet, abs=4 * advice.standard_error[2] + 0.03)


def test_obvious_choices_stop_early():
    # the nuts on the river: raising wins more in every trial that differs
    state = limped(2, [Act.CALL, Act.CALL, Act.CALL, Act.CALL, Act.RAISE])
    board = card_indices("AsKsQs2d3c")
    paired = Simulator().run((state, board), "JsTs", [None, None], 5000, rng=1)
    assert (paired.stopped, paired.trials, paired.action) == ("obvious", 64, Act.RAISE)
    close = Simulator(stop="none").run((state, board), "JsTs", [None, None], 5000, rng=1)
    assert (close.stopped, close.trials) == ("trials", 5000)
    hopeless = Simulator(stop="published").run((state, board), "5h4h", [None, "JsTs"], 500, rng=1)
    assert hopeless.action == Act.FOLD
    assert hopeless.ev[0] == 0
    assert hopeless.ev[1] == -2  # a call of a big bet that always loses: no deviation, and the rule is met at once
    assert hopeless.trials in (64, 500)


def test_published_rule_adds_deviations():
    state = limped(2, [Act.CALL, Act.CALL, Act.CALL, Act.CALL, Act.RAISE])
    board = card_indices("AsKsQs2d3c")
    advice = Simulator(stop="published").run((state, board), "JsTs", [None, None], 500, rng=1)
    ranked = np.sort(advice.ev)
    met = ranked[2] - ranked[1] > advice.deviation[1:].sum()
    assert advice.stopped == ("obvious" if met else "trials")


class Clock:
    """Says one second more each time it is looked at."""

    def __init__(self, at=None, then=None):
        self.now, self.at, self.then = 0, at, then

    def __call__(self):
        self.now += 1
        if self.now == self.at:
            self.then()
        return self.now


# the clock is looked at once at the beginning and after each chunk: 64 trials up to 512, 512 up to 4096
@pytest.mark.parametrize(("seconds", "trials"), [(0.5, 64), (1, 64), (2.5, 192), (9, 1024), (10, 1536)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_simulation_ends_when_its_time_is_over(flop, monkeypatch, seconds, trials, jobs):
    position, tables = flop
    arguments = position, "Jh9h", tables
    monkeypatch.setattr(simulator_module, "_clock", Clock())
    found = Simulator(stop="none", seconds=seconds, jobs=jobs).run(*arguments, 3000, rng=5)
    assert (found.stopped, found.trials) == ("time", trials)
    same(dataclasses.replace(found, stopped="trials"), Simulator(stop="none").run(*arguments, trials, rng=5))
    monkeypatch.setattr(simulator_module, "_clock", Clock())
    same(found, Simulator(stop="none", seconds=100, jobs=jobs).run(*arguments, 3000, rng=5, seconds=seconds))


def test_a_simulation_that_has_time_is_not_changed(flop, monkeypatch):
    position, tables = flop
    clock = Clock()
    monkeypatch.setattr(simulator_module, "_clock", clock)
    plain = Simulator(stop="none").run(position, "Jh9h", tables, 500, rng=5)
    assert clock.now == 0  # nobody looked
    same(plain, Simulator(stop="none", seconds=1000).run(position, "Jh9h", tables, 500, rng=5))
    # what ends by itself at the last moment has all its trials; so has what has fewer than a look
    last = Simulator(stop="none", seconds=0.1).run(position, "Jh9h", tables, 64, rng=5)
    assert (last.stopped, last.trials) == ("trials", 64)
    few = Simulator(stop="none", seconds=0.1).run(position, "Jh9h", tables, 10, rng=5)
    assert (few.stopped, few.trials) == ("trials", 10)


def test_the_obvious_comes_before_the_time(monkeypatch):
    state = limped(2, [Act.CALL, Act.CALL, Act.CALL, Act.CALL, Act.RAISE])
    monkeypatch.setattr(simulator_module, "_clock", Clock())
    advice = Simulator(seconds=0.1).run((state, card_indices("AsKsQs2d3c")), "JsTs", [None, None], 5000, rng=1)
    assert (advice.stopped, advice.trials) == ("obvious", 64)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_timed_simulation_can_be_interrupted(flop, monkeypatch, jobs):
    position, tables = flop
    simulator = Simulator(stop="none", seconds=100, jobs=jobs)
    interrupt = Clock(4, lambda: signal.raise_signal(signal.SIGINT))
    with monkeypatch.context() as patch:
        patch.setattr(simulator_module, "_clock", interrupt)
        with pytest.raises(KeyboardInterrupt):
            simulator.run(position, "Jh9h", tables, 100_000, rng=5)
    assert interrupt.now == 4
    again, plain = (each.run(position, "Jh9h", tables, 500, rng=5) for each in (simulator, Simulator(stop="none")))
    same(again, plain)


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_a_time_must_be_positive(flop, seconds):
    position, tables = flop
    with pytest.raises(ValueError, match="seconds must be a positive number"):
        Simulator(seconds=seconds)
    with pytest.raises(ValueError, match="seconds must be a positive number"):
        Simulator().run(position, "Jh9h", tables, 500, rng=5, seconds=seconds)


def test_no_fold_where_checking_is_free_and_ties_go_to_the_aggressor():
    state = limped(2, [Act.CALL] * 4)
    board = card_indices("AsKsQs2d3c")
    advice = Simulator().run((state, board), "5h4h", {1 - state.seat: "JsTs"}, 100, rng=1)
    assert advice.action in (Act.CALL, Act.RAISE)
    assert advice.ev[1] <= 0
    # the board plays: whatever is done, everybody gets his chips back if all call
    state = limped(2, [Act.CALL] * 4)
    advice = Simulator(policy="call").run((state, card_indices("AsKsQsJsTs")), "5h4h", ["2c2d", "2c2d"], 100, rng=1)
    np.testing.assert_allclose(advice.ev[1:], 1.0)
    assert advice.action == Act.RAISE


def test_a_raise_that_is_not_allowed_has_no_value():
    state = limped(2, [Act.RAISE] * 4)
    advice = Simulator().run((state, card_indices("Tc8c2h")), "Jh9h", [None, None], 200, rng=1)
    assert np.isnan(advice.ev[2])
    assert np.isnan(advice.paired_standard_error)
    assert np.isfinite(advice.ev[:2]).all()
    assert advice.action in (Act.FOLD, Act.CALL)
    plain = advice.to_dict()
    assert plain["ev"]["raise"] is None
    assert plain["paired_standard_error"] is None


def test_own_folds_and_frequencies_show_the_loop_of_self_prediction(flop):
    # a hero who is held to fold a lot sees his calls lose; one who is held never to fold does not
    position, tables = flop
    state = position[0]
    timid = TripleGenerator(BettingThresholds.around((0.9, 0.95, 0.98), (0.0, 0.9, 0.95)), showdown_odds=False)
    never = np.zeros((3, 1, 3))
    never[..., 1] = 1
    stubborn = TripleGenerator(table=never)
    folds, values = [], []
    for generator in (timid, stubborn):
        advice = Simulator(stop="none").run(position, "Jh9h", tables, 4000, rng=5, generators={state.seat: generator})
        folds.append(advice.own_folds[0])
        values.append(advice.ev[1])
        own = advice.acts[0, state.seat]
        assert advice.own_folds[0] == own[..., Act.FOLD].sum() / 4000
    assert folds[0] > 0.2
    assert folds[1] == 0
    frequencies = advice.frequencies()
    assert frequencies.shape == (2, 4, 3, 3)
    known = ~np.isnan(frequencies[..., 0])
    np.testing.assert_allclose(frequencies[known].sum(axis=-1), 1.0)
    assert np.isnan(advice.frequencies([state.seat])[:, 0]).all()
    with pytest.raises(ValueError, match="seats"):
        advice.frequencies([9])


def test_a_predicted_fold_rate_ten_points_off_turns_a_bluff_around():
    # river, six big bets in the pot, a missed draw: EV(bet) is 6f - (1 - f) with fold rate f (Davidson 2002, 6.1)
    spec = GameSpec((1, 2), (2, 2, 2, 2), (0, 1, 1, 1))
    state = play(spec, [Act.RAISE, Act.RAISE, Act.CALL] + [Act.CALL] * 2 + [Act.CALL] * 2)
    assert state.pot == 12
    board = card_indices("AsKsQs2d3c")
    for fold, expected in ((0.2, 0.4), (0.1, -0.3)):
        triples = np.zeros((3, 1, 3))
        triples[..., 0], triples[..., 1] = fold, 1 - fold
        opponent = TripleGenerator(table=triples, form="printed")
        other = 1 - state.seat
        advice = Simulator(stop="none").run(
            (state, board), "5h4h", {other: "JsTs"}, 20_000, rng=1, generators={other: opponent}
        )
        assert advice.ev[2] == pytest.approx(expected, abs=4 * advice.standard_error[2])
        assert advice.frequencies([other])[1, 3, 1, 0] == pytest.approx(fold, abs=0.02)


def test_narrow_tables_are_weighed(flop):
    position, _ = flop
    rng = np.random.default_rng(1)
    cards = [k for k in range(52) if k not in position[1]][-9:-1]
    pairs = np.isin(HOLDING_CARDS, cards).all(axis=1)
    tables = [rng.random(N_HOLDINGS) ** 20 * pairs for _ in range(4)]
    advice = Simulator(stop="none").run(position, "2c2d", tables, 200, rng=1)
    assert np.isfinite(advice.ev).all()


def test_trial_weights_count():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(1000, 2))
    plain = BranchEstimate.of(values, np.ones(1000))
    assert plain.mean == pytest.approx(values.mean(axis=0))
    assert plain.deviation == pytest.approx(values.std(axis=0, ddof=1))
    assert plain.error == pytest.approx(values.std(axis=0, ddof=1) / np.sqrt(1000))
    assert plain.difference_error == pytest.approx((values[:, 1] - values[:, 0]).std(ddof=1) / np.sqrt(1000))
    weights = rng.integers(0, 4, 1000).astype(float)
    weighed = BranchEstimate.of(values, weights)
    repeated = np.repeat(values, weights.astype(int), axis=0)
    assert weighed.mean == pytest.approx(repeated.mean(axis=0))
    assert weighed.deviation == pytest.approx(repeated.std(axis=0), rel=1e-3)
    assert (weighed.error > plain.error).all()


# ----------------------------------------------------------------------------------------- policies from outside

POLICY = """
#include "pokermodel/dealing/playout.h"

/* raise with the stronger half of what could be held, else call; the context says how strong that is */
int act(const pm_turn *turn, void *context)
{
    double strength, ppot, npot;
    if (pm_turn_worth(turn, &strength, &ppot, &npot))
        return -1;
    return strength >= *(const double *)context ? PM_RAISE : PM_CALL;
}

int nothing(const pm_turn *turn, void *context)
{
    (void)turn, (void)context;
    return 7;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policy")
    (folder / "policy.c").write_text(POLICY)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", f"-I{pm.get_include()}"]
    try:
        subprocess.run([*command, str(folder / "policy.c"), "-o", str(folder / "policy.so")], check=True)
    except FileNotFoundError:
        pytest.skip("no C compiler")
    return ctypes.CDLL(str(folder / "policy.so"))


def capsule(function, context=None):
    new, put = ctypes.pythonapi.PyCapsule_New, ctypes.pythonapi.PyCapsule_SetContext
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    put.argtypes = [ctypes.py_object, ctypes.c_void_p]
    made = new(ctypes.cast(function, ctypes.c_void_p), b"pokermodel.policy", None)
    if context is not None:
        put(made, ctypes.cast(ctypes.byref(context), ctypes.c_void_p))
    return made


def test_a_policy_can_come_from_c(library, flop):
    position, tables = flop
    never, half = ctypes.c_double(2.0), ctypes.c_double(0.5)  # a capsule does not keep what its context points to
    from_c = Simulator(policy=capsule(library.act, never), stop="none")
    calling = Simulator(policy="call", stop="none")
    same(from_c.run(position, "Jh9h", tables, 300, rng=1), calling.run(position, "Jh9h", tables, 300, rng=1))
    advice = Simulator(policy=capsule(library.act, half), stop="none").run(position, "Jh9h", tables, 300, rng=1)
    assert advice.acts[..., Act.RAISE].sum() > 0
    with pytest.raises(MemoryError, match="no act"):
        Simulator(policy=capsule(library.nothing)).run(position, "Jh9h", tables, 300, rng=1)


# ------------------------------------------------------------------------------------------------ what goes in


def test_positions_of_a_hand():
    hand = pm.example_hand()
    decisions = list(hand.replay())
    for decision in decisions:
        position = Position.before(hand, decision.index)
        assert position.board == decision.board
        assert position.state.seat == decision.seat
        assert position.state.pot == decision.pot
        if decision.index:
            other = Position.after(decisions[: decision.index], decision.board, hand.stacks)
            assert other.board == position.board
            assert other.state.situation() == position.state.situation()
    with pytest.raises(ValueError, match="none"):
        Position.after([], "7c8d2h")
    with pytest.raises(ValueError, match="actions"):
        Position.before(hand, 99)


@pytest.mark.parametrize("model", ["loki1", "loki2"])
def test_seat_tables_follow_a_hand(model):
    hand = pm.example_hand()
    session = pm.OpponentModeler(model, folded_tables=True)
    folded = set()
    for decision in hand.replay():
        if decision.round > 0:
            tables = session.simulation_tables()
            assert len(tables) == len(hand.players)
            advice = Simulator().run(
                Position.before(hand, decision.index), hand.holdings.get(decision.seat, _unseen(hand)), tables, 64, 1
            )
            assert np.isfinite(advice.ev[:2]).all()
        session.observe(decision)
        if decision.act == Act.FOLD:
            folded.add(decision.seat)
    assert folded
    for seat in folded:
        weights = session.simulation_tables()[seat]
        before_flop = next(d for d in hand.replay() if d.seat == seat and d.act == Act.FOLD).round == 0
        if before_flop and weights is not None:
            assert weights[holding_index("7h2c")] > weights[holding_index("AhAd")]


def test_who_folded_is_judged_by_the_modelers_options():
    session = pm.OpponentModeler("gom", field="maximum", crude_potential="exact1", folded_tables=True)
    spec = GameSpec.ring(3, 1, 2)
    acts = [(2, Act.CALL), (0, Act.CALL), (1, Act.CALL), (0, Act.RAISE), (1, Act.RAISE), (2, Act.FOLD)]
    hand = Hand("test", "1", spec, "ABC", acts, "7c8d2h")
    *before, fold = hand.replay()
    for decision in before:
        session.observe(decision)
    values, _ = crude_values(BoardAnalysis(fold.board), session.tables.opponents(2), "maximum", "exact1")
    frequencies = DEFAULT_FREQUENCIES[fold.situation.facing]  # of everybody alike
    threshold = postflop_threshold(frequencies, Act.CALL)
    chances = 1 - np.nan_to_num(reweighting_factors(values, threshold.mu, threshold.sigma), nan=1.0)
    expected = session.weights(2) * chances
    session.observe(fold)
    np.testing.assert_allclose(session.simulation_tables()[2], expected, atol=1e-12)


@pytest.mark.parametrize("model", ["loki1", "loki2", "loki2:contexts", "bpp"])
def test_who_leaves_out_of_turn_keeps_their_table(model):
    """It says nothing of their cards; but they hold some."""
    session = pm.OpponentModeler(model, folded_tables=True)
    acts = [Action(2, Act.RAISE), Action(0, Act.RAISE), Action(0, Act.FOLD, out_of_turn=True), Action(1, Act.CALL)]
    *before, leaving, call = Hand("test", "1", GameSpec.ring(3, 1, 2), "ABC", acts).replay()
    for decision in before:
        session.observe(decision)
    weights = session.weights(0)
    assert np.ptp(weights) > 0
    session.observe(leaving)
    session.observe(call)
    assert session.tables.active == (1, 2)
    np.testing.assert_array_equal(session.simulation_tables()[0], weights)


def test_folded_tables_are_kept_for_those_who_ask():
    acts = [Action(2, Act.RAISE), Action(0, Act.FOLD)]
    decisions = list(Hand("test", "1", GameSpec.ring(3, 1, 2), "ABC", acts).replay())
    for kept in (False, True):
        session = pm.OpponentModeler("loki1", folded_tables=kept)
        for decision in decisions:
            session.observe(decision)
        assert [table is not None for table in session.simulation_tables()] == [kept, True, True]
        session.start("ABC")
        assert all((table == 1).all() for table in session.simulation_tables())


@pytest.mark.parametrize("model", ["loki1", "loki2"])
def test_who_sees_a_bet_folds_more_often(model):
    session = pm.OpponentModeler(model, folded_tables=True)
    spec = GameSpec.ring(3, 1, 2)
    acts = [Action(seat, Act.CALL) for seat in (2, 0, 1, 0, 1, 2)]
    hand = Hand("test", "1", spec, "ABC", acts, "7c8d2h")
    decisions = list(hand.replay())
    for decision in decisions[:3]:
        session.observe(decision)
    bettor = decisions[3]
    session.deal(bettor.board)
    tables = session.simulation_tables()
    images = session.imagine(bettor, Act.CALL), session.imagine(bettor, Act.RAISE)
    position = Position.before(hand, bettor.index)
    simulator = Simulator(policy=Loki1Rules(), stop="none")
    blind, seeing, again = (
        simulator.run(position, "Jh9h", tables, 1000, 1, images=seen)
        for seen in (None, images, (tables[bettor.seat],) * 2)
    )
    same(blind, again)
    folds = [advice.frequencies()[1, 1, 1, Act.FOLD] for advice in (blind, seeing)]
    assert folds[1] > folds[0] + 0.05
    assert seeing.ev[2] > blind.ev[2]


def _unseen(hand):
    taken = {card for cards in hand.holdings.values() for card in cards} | set(hand.board)
    return [card for card in range(52) if card not in taken][:2]


def test_bad_input(flop):
    position, tables = flop
    state, board = position
    simulator = Simulator()
    run = simulator.run
    with pytest.raises(ValueError, match="before the flop"):
        run((State(GameSpec.ring(4, 1, 2)), ()), "Jh9h", tables)
    over = limped(2, [Act.RAISE, Act.FOLD])
    with pytest.raises(ValueError, match="over"):
        run((over, board), "Jh9h", tables[:2])
    with pytest.raises(ValueError, match="board cards"):
        run((state, card_indices("Tc8c2h3d")), "Jh9h", tables)
    with pytest.raises(ValueError, match="shares a card"):
        run(position, "JhTc", tables)
    with pytest.raises(ValueError, match="trials"):
        run(position, "Jh9h", tables, 1)
    with pytest.raises(ValueError, match="each of 4 seats"):
        run(position, "Jh9h", tables[:3])
    with pytest.raises(ValueError, match="expected a table for each seat, got one weight table"):
        run(position, "Jh9h", pm.WeightTable())
    with pytest.raises(ValueError, match="images must be 2 ranges, after a call and after a raise, got 3"):
        run(position, "Jh9h", tables, images=[None] * 3)
    with pytest.raises(ValueError, match="for seats 0"):
        run(position, "Jh9h", {4: None})
    with pytest.raises(ValueError, match="generators"):
        run(position, "Jh9h", tables, generators={7: TripleGenerator()})
    with pytest.raises(ValueError, match="generators"):
        Simulator(policy="call").run(position, "Jh9h", tables, generators={1: TripleGenerator()})
    with pytest.raises(ValueError, match="no holding"):
        run(position, "Jh9h", dict.fromkeys(range(4), "TcTd"))
    with pytest.raises(ValueError, match="position"):
        run(state, "Jh9h", tables)
    with pytest.raises(ValueError, match="State"):
        run((1, board), "Jh9h", tables)
    with pytest.raises(ValueError, match="random"):
        run(position, "Jh9h", tables, rng="x")
    for options in ({"policy": "x"}, {"dealing": "x"}, {"stop": "x"}, {"field": "product"}, {"jobs": 0}):
        with pytest.raises(ValueError, match=r"expected|must"):
            Simulator(**options)
    with pytest.raises(ValueError, match="policy"):
        Simulator(policy=3).run(position, "Jh9h", tables)
    with pytest.raises(ValueError, match="memory"):
        StrengthCache(-1)


def test_missing_tables_are_anything(flop):
    position, _ = flop
    one = Simulator(stop="none").run(position, "Jh9h", {}, 300, rng=1)
    other = Simulator(stop="none").run(position, "Jh9h", [None] * 4, 300, rng=1)
    same(one, other)
    assert cards_text(position[1]) == "Tc8c2h"
