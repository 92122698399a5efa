"""What is learnt from holdings that were shown: how far a player's thresholds lie from their frequencies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.cards import N_HOLDINGS, holding_index, live_holdings
from pokermodel.classics.loki1.field import spot_values
from pokermodel.classics.loki1.frequency_models import FrequencyModel
from pokermodel.classics.loki1.reader import Loki1Reader
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.classics.loki1.showdowns import SPREADS, ShowdownShifts, ShowdownSpreads, shift_thresholds
from pokermodel.classics.loki2.reader import Loki2Reader
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Action, GameSpec, Hand, LiveHand
from pokermodel.learning.thresholds import Threshold
from pokermodel.reading import OpponentModeler

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
MODELS = ("som", "loki2:som")
shares = st.lists(st.floats(0.001, 1), min_size=3, max_size=3).map(lambda x: np.array(x) / sum(x))
moves = st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3).map(np.array)


@given(shares, moves)
def test_thresholds_are_shifted_and_stay_thresholds(frequencies, shifts):
    fold, call, raising = shift_thresholds(frequencies, shifts)
    assert min(fold, call, raising) >= 0
    assert fold + call + raising == pytest.approx(1)
    to_raise = min(max(1 - frequencies[R] + shifts[R], 0), 1)
    assert 1 - raising == pytest.approx(to_raise)
    assert fold == pytest.approx(min(max(frequencies[F] + shifts[C], 0), to_raise))
    np.testing.assert_allclose(shift_thresholds(frequencies, np.zeros(3)), frequencies, atol=1e-12)
    np.testing.assert_array_equal(shift_thresholds([frequencies] * 2, [shifts] * 2)[1], [fold, call, raising])


# ------------------------------------------------------------------------------------------------------ of one hand

SPEC = GameSpec.ring(3, 1, 2)
NAMES = ("Ann", "Bob", "Cid")
# Cid opens, Bob calls; the flop is bet, raised and re-raised; the turn checked; Bob bets the river
ACTIONS = [(2, R), (0, F), (1, C), (1, R), (2, R), (1, R), (2, C), (1, C), (2, C), (1, R), (2, C)]
HOLDINGS = {1: "JcTc", 2: "AhKh"}
PLAYED = Hand("test", "1", SPEC, NAMES, ACTIONS, "3h4cJh2s9d", HOLDINGS)


@pytest.mark.parametrize("model", MODELS)
def test_a_hand_by_hand(model):
    """Against loops over the holdings; nothing has shifted yet."""
    session = OpponentModeler(model, showdowns=True)
    session.learning = False
    seen = []
    session.start(NAMES)
    for decision in PLAYED.replay():
        situation = decision.situation
        values, potentials = spot_values(session.spot(decision))
        if situation.round == 0:
            values = income_shares()
        seen.append((decision, values, potentials))
        session.observe(decision)
    expected = {}
    for decision, values, potentials in seen:
        situation, act = decision.situation, decision.act
        if act == F or (model == "som" and act == C and not situation.to_call):
            continue  # to Loki-1, a check says nothing
        price = decision.put_in / (situation.pot + decision.put_in)
        exempt = np.zeros(N_HOLDINGS, dtype=bool)
        if model == "som" and situation.round in (1, 2):
            exempt = potentials >= price
        elif model == "loki2:som" and situation.round and act == C and situation.to_call:
            exempt = (values if situation.round == 3 else potentials) >= price
        held = holding_index(HOLDINGS[decision.seat])
        if exempt[held]:
            continue
        table = session.tables.weights[decision.seat]
        mass = total = 0.0
        for holding in range(N_HOLDINGS):
            if live_holdings(PLAYED.board)[holding] and not exempt[holding]:
                mass += table[holding]
                total += table[holding] * values[holding]
        key = decision.player, min(situation.round, 1), situation.facing, act if situation.to_call else R
        expected.setdefault(key, []).append(values[held] - total / mass)
    session.learn(PLAYED)
    shifts = session.reader.showdowns
    found = {
        (player, street, bets, act)
        for player in NAMES
        for street in (0, 1)
        for bets in range(3)
        for act in Act
        if shifts.of(player, street)[bets, act]
    }
    assert found == set(expected)
    assert len(found) >= 5
    for (player, street, bets, act), differences in expected.items():
        shift = sum(differences) / (len(differences) + 20)
        assert shifts.of(player, street)[bets, act] == pytest.approx(shift, abs=1e-12)
    assert not shifts.of("Ann", 1).any()
    before = shifts.of("Bob", 1)
    session.learn(Hand("test", "2", SPEC, NAMES, PLAYED.actions, PLAYED.board))  # nothing is shown
    np.testing.assert_array_equal(shifts.of("Bob", 1), before)


def test_the_shift_comes_to_rest_where_the_threshold_is():
    """With holdings spread evenly above it, of which the table knows all but the shift."""
    rng, values = np.random.default_rng(1), np.linspace(0, 1, N_HOLDINGS)
    shifts = ShowdownShifts()
    for _ in range(5000):
        shifts.begin()
        shifts.note("Ann", 1, 0, R, values)
        shifts.learn("Ann", int(rng.integers(0.6 * 1325, 1326)), values > 0.8 + shifts.of("Ann", 1)[0, R])
    assert shifts.of("Ann", 3)[0, R] == pytest.approx(-0.2, abs=0.03)
    assert not shifts.of("Ann", 1)[0, C]
    assert not shifts.of("Ann", 0).any()
    assert not shifts.of("Bob", 1).any()


def test_checks_tell_of_the_threshold_to_bet():
    """Weak bets and strong checks do not make another threshold; weak bets and weak checks do."""
    values, noisy, loose = np.linspace(0, 1, N_HOLDINGS), ShowdownShifts(), ShowdownShifts()
    for shifts, checked in (noisy, 600), (loose, 200):
        for act, holding, table in (R, 928, values > 0.8), (C, checked, values < 0.6):
            shifts.note("Ann", 1, 0, act, values)
            shifts.learn("Ann", holding, table)  # bets .7 where .9 was expected, checks .45 or .15 where .3 was
            shifts.begin()
    assert noisy.of("Ann", 1)[0, R] == pytest.approx(-0.05 / 22, abs=0.001)
    assert loose.of("Ann", 1)[0, R] == pytest.approx(-0.35 / 22, abs=0.001)
    assert not noisy.of("Ann", 1)[:, C].any()


def test_acts_of_another_hand_say_nothing():
    shifts, values = ShowdownShifts(), np.linspace(0, 1, N_HOLDINGS)
    shifts.note("Ann", 1, 1, C, values)
    shifts.begin()
    shifts.learn("Ann", 0, np.ones(N_HOLDINGS))
    shifts.note("Ann", 1, 1, F, values)
    shifts.note("Ann", 1, 1, C, values, values < 0.5)  # with the odds
    shifts.note("Ann", 1, 1, R, np.where(values < 0.5, np.nan, values))  # not possible
    shifts.learn("Ann", 0, np.ones(N_HOLDINGS))
    shifts.note("Ann", 1, 1, C, values)
    shifts.learn("Ann", 1000, values < 0)  # a table without weight
    assert not shifts.of("Ann", 1).any()


def test_thresholds_of_ranks_are_not_shifted():
    for system in "B", "B-weighted", "rank":
        with pytest.raises(ValueError, match=f"of system 'A', not of system '{system}'"):
            OpponentModeler(f"loki2:som?showdowns=1&system={system}")
    with pytest.raises(ValueError, match="unknown option 'showdowns' of model loki2:contexts"):
        OpponentModeler("loki2:contexts?showdowns=1")


@pytest.mark.parametrize("model", MODELS)
def test_only_readers_that_learn_from_showdowns_follow_hands_that_were_not_observed(model):
    plain, learning = OpponentModeler(model), OpponentModeler(f"{model}?showdowns=1")
    assert not plain.learns_hands
    assert learning.learns_hands
    for session in plain, learning:
        session.learn(PLAYED)
    assert plain.tables.players == ()
    assert learning.tables.players == NAMES


# --------------------------------------------------------------------------------------------- how sharply they decide


def ramp(value, mu, sigma, after_flop):
    if after_flop and sigma > mu:
        least = 1 - 2 * mu / (mu + sigma)
        return min(max(least + (1 - least) * value / (mu + sigma), 0.01), 1)
    return min(max((value - mu + sigma) / (2 * sigma), 0.01), 1)


def multiple(seen):
    """The multiple of sigma after showdowns, by Bayes' rule and with loops.

    Each of them is the threshold's mu and sigma, the values and weights of holdings that it counts for, which of them
    was shown, and whether it was after the flop.
    """
    logs, used = [-0.5 * (np.log2(k) / 0.5) ** 2 for k in SPREADS], 1.0
    for mu, sigma, values, weights, shown, after_flop in seen:
        for number, k in enumerate(SPREADS):
            chances = [
                weight * ramp(value, mu, k * sigma, after_flop) / ramp(value, mu, used * sigma, after_flop)
                for value, weight in zip(values, weights, strict=True)
            ]
            logs[number] += np.log(chances[shown] / sum(chances))
        p = np.exp(np.array(logs) - max(logs))
        used = 2 ** (p @ np.log2(SPREADS) / p.sum())
    return used


def test_five_holdings_by_hand():
    """One in the upper half of the band, and then one below it, which a sharp player does not show."""
    values, weights = np.array([0.1, 0.68, 0.78, 0.85, 0.95]), np.array([0.01, 0.01, 0.375, 0.8125, 1.0])
    spreads, seen = ShowdownSpreads(), []
    for shown in (3, 1):
        used = spreads.multiple("Ann", 2)
        seen.append((0.8, 0.08, values, weights, shown, True))
        spreads.begin()
        spreads.note("Ann", 2, Threshold(0.8, 0.8, 0.08 * used), values)
        spreads.learn("Ann", shown, weights)
        assert spreads.multiple("Ann", 1) == pytest.approx(multiple(seen), rel=1e-12)
    assert spreads.multiple("Ann", 1) > 1.2
    assert spreads.multiple("Ann", 0) == pytest.approx(1.0, abs=1e-15)
    assert spreads.multiple("Bob", 1) == 1.0
    # in hands: 1.0 exactly of who has shown nothing, so that the printed sigma is used to the bit
    assert OpponentModeler("som?sigma=observed").reader.spreads.multiple("Bob", 0) == 1.0


def test_before_the_flop_rates_are_not_kept_above_zero():
    """There the band may reach below zero: no line takes its place."""
    values, weights = np.array([-400.0, -100.0, 150.0, 900.0]), np.array([0.02, 0.3, 0.6, 1.0])
    spreads = ShowdownSpreads()
    spreads.note("Ann", 0, Threshold(0.6, 21.0, 330.0), values)
    spreads.learn("Ann", 0, weights)
    assert spreads.multiple("Ann", 0) == pytest.approx(multiple([(21.0, 330.0, values, weights, 0, False)]), rel=1e-12)


def test_what_says_nothing_of_sigma():
    values, spreads = np.linspace(0, 1, N_HOLDINGS), ShowdownSpreads()
    threshold, table = Threshold(0.8, 0.8, 0.08), np.ones(N_HOLDINGS)
    spreads.note("Ann", 1, threshold, values)
    spreads.begin()
    spreads.learn("Ann", 600, table)  # of another hand
    spreads.note("Ann", 1, threshold, values, values < 0.5)
    spreads.learn("Ann", 600, table)  # with the odds
    spreads.note("Ann", 1, threshold, np.where(values < 0.5, np.nan, values))
    spreads.learn("Ann", 600, table)  # not possible
    spreads.note("Ann", 1, threshold, values)
    spreads.learn("Ann", 600, table * (values > 0.7))  # a table that rules it out
    assert spreads.multiple("Ann", 1) == 1.0
    for mu in (0.3, 0.8):  # the second of a round takes the place of the first
        spreads.note("Ann", 1, Threshold(mu, mu, 0.1), values)
    spreads.learn("Ann", 1000, table)
    alone = ShowdownSpreads()
    alone.note("Ann", 1, Threshold(0.8, 0.8, 0.1), values)
    alone.learn("Ann", 1000, table)
    assert spreads.multiple("Ann", 1) == alone.multiple("Ann", 1) != 1.0


@pytest.mark.parametrize("truth", [0.25, 1.0, 3.0])
def test_how_sharp_a_player_is_is_found(truth):
    """Who raises with holdings by a ramp that is narrower or wider than the printed one."""
    rng, values, spreads = np.random.default_rng(2), np.linspace(0, 1, N_HOLDINGS), ShowdownSpreads()
    chances = reweighting_factors(values, 0.7, 0.12 * truth)
    for _ in range(800):
        used = spreads.multiple("Ann", 1)
        spreads.begin()
        spreads.note("Ann", 1, Threshold(0.7, 0.7, 0.12 * used), values)
        held = rng.choice(N_HOLDINGS, p=chances / chances.sum())
        spreads.learn("Ann", held, reweighting_factors(values, 0.7, 0.12 * used))
    assert spreads.multiple("Ann", 3) == pytest.approx(truth, rel=0.15)


@pytest.mark.parametrize("inverse", [0, 1])
def test_spreads_of_a_hand_by_hand(inverse):
    """Acts that re-weighted and were not surpassed in their round; the next hand is read by what was learnt."""
    session = OpponentModeler(f"som?sigma=observed&inverse={inverse}")
    session.learning = False
    session.start(NAMES)
    stands, highest = {}, {}
    for decision in PLAYED.replay():
        found = session.observe(decision)
        key = decision.player, decision.round
        if found.detail is None or found.detail.threshold is None:
            continue
        if found.detail.threshold.percentile > highest.get(key, -1):
            highest[key] = found.detail.threshold.percentile
            stands[key] = found.detail
    expected = {}
    for (player, round), detail in stands.items():
        held = holding_index(HOLDINGS[NAMES.index(player)]) if NAMES.index(player) in HOLDINGS else None
        if held is None or (detail.exempt is not None and detail.exempt[held]):
            continue
        table = np.where(live_holdings(PLAYED.board), session.tables.weights[NAMES.index(player)], 0.0)
        counted = np.flatnonzero(~np.isnan(detail.values) & (True if detail.exempt is None else ~detail.exempt))
        _, mu, sigma = detail.threshold
        shown = int(np.flatnonzero(counted == held)[0])
        seen = mu, sigma, detail.values[counted], table[counted], shown, round > 0
        expected.setdefault((player, int(round > 0)), []).append(seen)
    assert len(expected) == 4
    session.learn(PLAYED)
    spreads = session.reader.spreads
    for (player, street), seen in expected.items():
        logs = np.array([-0.5 * (np.log2(k) / 0.5) ** 2 for k in SPREADS])
        for mu, sigma, values, weights, shown, after_flop in seen:  # all of them were read with the printed sigma
            for number, k in enumerate(SPREADS):
                chances = [
                    weight * ramp(value, mu, k * sigma, after_flop) / ramp(value, mu, sigma, after_flop)
                    for value, weight in zip(values, weights, strict=True)
                ]
                logs[number] += np.log(chances[shown] / sum(chances))
        p = np.exp(logs - logs.max())
        assert spreads.multiple(player, street) == pytest.approx(2 ** (p @ np.log2(SPREADS) / p.sum()), rel=1e-9)
        assert spreads.multiple(player, street) != 1.0
    opened = session.observe(next(PLAYED.replay())._replace(hand_id="2"))
    assert opened.detail.threshold.sigma == pytest.approx(330 * spreads.multiple("Cid", 0))


def test_what_sigma_can_be():
    with pytest.raises(ValueError, match="option 'sigma' of model som is 'wide': expected one of printed, observed"):
        OpponentModeler("som?sigma=wide")
    with pytest.raises(ValueError, match="unknown sigma 'wide': expected one of printed, observed"):
        OpponentModeler("som", sigma="wide")
    assert OpponentModeler("som?sigma=printed").reader.spreads is None


# ------------------------------------------------------------------------------------------------- of many hands

HEADS_UP = GameSpec.heads_up(1, 2)


class Fixed(FrequencyModel):
    """What players do is known."""

    learns = True

    def __init__(self, frequencies):
        self._frequencies = frequencies

    def frequencies(self, player, features):
        return self._frequencies[player]


def reader(model, frequencies, showdowns=None):
    return (Loki1Reader if model == "som" else Loki2Reader)(Fixed(frequencies), showdowns=showdowns)


def play(truth, number, rng):
    """A hand in which both players act as a session expects of them, after a call and a check before the flop."""
    deck = rng.permutation(52)[:9].tolist()
    holdings = {0: tuple(deck[:2]), 1: tuple(deck[2:4])}
    live = LiveHand(HEADS_UP, ("Ann", "Bob"), hand_id=str(number))
    live.deal(deck[4:])
    truth.start(live.players)
    while not live.state.over:
        situation = live.situation()
        act = C
        if situation.round:
            triple = truth.expect(situation).triples[holding_index(holdings[situation.seat])]
            legal = [act if act in situation.legal else C for act in Act]
            act = legal[rng.choice(3, p=triple)]
        truth.observe(live.act(act))
    actions = [Action.of(decision) for decision in live.decisions]
    return Hand("test", str(number), HEADS_UP, live.players, actions, live.dealt, holdings)


def log_likelihood(session, hand):
    """Of the holding that Ann shows, under her table at the end."""
    for decision in hand.replay():
        session.observe(decision)
    table = session.tables.weights[0] * live_holdings(hand.board)
    return np.log(table[holding_index(hand.holdings[0])] / table.sum())


#: Neither of them folds much, so that much is shown.
LOOSE = np.array([[0.0, 0.6, 0.4], [0.15, 0.6, 0.25], [0.2, 0.6, 0.2]])


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("move", [-0.2, 0.2])
def test_shifted_thresholds_are_found(model, move):
    """Ann raises, or bets, with other holdings than her frequencies would say; Bob plays as his do."""
    rng = np.random.default_rng(3)
    shifts = np.zeros((3, 3))
    shifts[:2, R] = move
    truth = OpponentModeler(reader(model, {"Ann": shift_thresholds(LOOSE, shifts), "Bob": LOOSE}))
    same = {"Ann": LOOSE, "Bob": LOOSE}
    learning, plain = OpponentModeler(reader(model, same, ShowdownShifts())), OpponentModeler(reader(model, same))
    gained = []
    for number in range(1000):
        hand = play(truth, number, rng)
        if hand.shown:
            found = [log_likelihood(session, hand) for session in (learning, plain)]
            if number >= 500:
                gained.append(found[0] - found[1])
            learning.learn(hand)
    of_ann, of_bob = (learning.reader.showdowns.of(name, 1)[0, R] for name in ("Ann", "Bob"))
    assert np.sign(of_ann) == np.sign(move)
    assert 0.07 < abs(of_ann) < 0.25
    assert abs(of_bob) < 0.06
    assert np.mean(gained) > 1.96 * np.std(gained) / np.sqrt(len(gained))
