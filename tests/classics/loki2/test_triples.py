"""Probability triples: worked numbers, the textbook version, and what must hold for any of them."""

from __future__ import annotations

import copy
import ctypes
import pickle
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel import evaluation as ev
from pokermodel._core.triples import Generator
from pokermodel.cards import live_holdings
from pokermodel.classics.loki1.postflop import postflop_action, pot_odds, semi_bluff_odds, showdown_odds
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds, DecisionThresholds
from pokermodel.classics.loki2.decision_thresholds import borders_of as borders_facing
from pokermodel.classics.loki2.ranked import ranked_triples
from pokermodel.classics.loki2.triples import (
    TripleGenerator,
    TripleSpot,
    expect_triples,
    forecast_triples,
    multiply_by_triples,
    printed_triple,
    spot_of,
)
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.reading import DEFAULT_FREQUENCIES, ActionCounts, Context, specific_frequencies
from pokermodel.reading.expectation import Expectation
from tests.common import textbook

GOM = BettingThresholds.gom()
BET = TripleSpot(1, 6, 2, 2, 1, 1, True)  # a flop bet of 2 into 4
FREE = TripleSpot(1, 6, 0, 2, 0, 0, True)

# ------------------------------------------------------------------------------------------- worked numbers


@pytest.mark.parametrize(
    ("value", "odds", "expected"),
    [
        (0.95, 0, (0, 0.01, 0.99)),
        (0.80, 0, (0, 0.5, 0.5)),
        (0.72, 0, (0, 0.9, 0.1)),
        (0.65, 0, (0.01, 0.98, 0.01)),
        (0.50, 0, (0.495, 0.495, 0.01)),
        (0.50, 0.4, (0.297, 0.693, 0.01)),
        (0.30, 1, (0, 0.99, 0.01)),
        (0.30, 0, (0.99, 0, 0.01)),
    ],
)
def test_the_printed_rules_facing_one_bet(value, odds, expected):
    assert GOM.one_bet == (0.90, 0.70, 0.60, 0.40)
    assert printed_triple(GOM.array[1], value, odds) == pytest.approx(expected, abs=1e-15)


def test_comparisons_are_strict():
    borders = np.array(GOM.one_bet)
    assert printed_triple(borders, 0.90, 0) == pytest.approx((0, 0, 1))
    assert printed_triple(borders, 0.70, 0) == (0.01, 0.98, 0.01)
    assert printed_triple(borders, 0.60, 0) == pytest.approx((0, 0.99, 0.01))
    assert printed_triple(borders, 0.40, 0) == (0.99, 0, 0.01)


def test_no_entry_is_zero_in_reweighting():
    triple = TripleGenerator(form="reweighting").apply(BET, 0.95)
    np.testing.assert_allclose(triple, [0.009901, 0.009901, 0.980198], atol=5e-7)


def test_noise():
    table = np.zeros((3, 1, 3))
    table[:, 0] = [0.0, 0.2, 0.8]
    generator = TripleGenerator(form="reweighting", table=table, noise=0.5, least=0.0)
    np.testing.assert_allclose(generator.apply(BET, 0.5), [1 / 6, 0.8 / 3, 1.7 / 3], atol=1e-15)
    everything = TripleGenerator(form="reweighting", table=table, noise=1.0)
    np.testing.assert_allclose(everything.apply(BET, 0.5), [1 / 3] * 3, atol=1e-15)


def test_a_weight_times_a_triple():
    triples = [[0.0, 0.2, 0.8], [0.0, 0.8, 0.2]]
    after = multiply_by_triples([0.90, 0.7], triples, Act.CALL)
    assert after[0] / after[1] == pytest.approx(0.18 / 0.56)
    assert after.max() == 1
    assert multiply_by_triples([0.7], [[0.0, 0.2, 0.8]], Act.CALL) == [1.0]
    assert multiply_by_triples([0.7], [[0.0, 0.2, 0.8]], Act.CALL, product=True) == pytest.approx([0.14])
    assert multiply_by_triples([0.7, 0.0], [[0.0, 0.2, 0.8], [np.nan] * 3], Act.RAISE, product=True)[1] == 0.0


def test_reweighting_before_the_flop_by_product():
    """Davidson 2002: a raise with AsKc and Qd2d of weight .40 and .20 gives .12 and .18, a call .28 and .02."""
    after = multiply_by_triples([0.40, 0.20], [[0, 0.7, 0.3], [0, 0.1, 0.9]], Act.RAISE)
    np.testing.assert_allclose(after, [0.12 / 0.18, 1])
    after = multiply_by_triples([0.40, 0.20], [[0, 0.7, 0.3], [0, 0.1, 0.9]], Act.CALL)
    np.testing.assert_allclose(after, [1, 0.02 / 0.28])


def test_weights_have_a_floor():
    weights = np.array([1.0, 1e-5, 0.0, 0.5])
    triples = np.array([[0.01, 0.5, 0.49], [0.9, 0.01, 0.09], [0.3, 0.3, 0.4], [np.nan] * 3])
    np.testing.assert_array_equal(multiply_by_triples(weights, triples, Act.CALL), [1, 1e-6, 0, 0])
    for _ in range(200):
        weights = multiply_by_triples(weights, triples, Act.CALL)
    np.testing.assert_array_equal(weights, [1, 1e-6, 0, 0])


# --------------------------------------------------------------------------------------------------- borders


def test_generic_borders():
    assert GOM.no_bet == (0.60, 0.40, -1, -1)
    assert GOM.more == (0.99, 0.80, 0.80, 0.60)
    assert BettingThresholds.own().array.tolist() == [
        [0.50, 0.30, -1, -1],
        [0.85, 0.65, 0.60, 0.40],
        [0.95, 0.75, 0.80, 0.60],
    ]


def borders_of(*triple):
    """Borders facing one bet from counts of fold, call, raise."""
    counts = ActionCounts()
    counts.values[2, 1] = triple
    return BettingThresholds.som(counts, 2).one_bet


def test_borders_from_counts():
    assert borders_of(6, 8, 6) == pytest.approx((0.80, 0.60, 0.40, 0.20))  # mids .70 and .30
    assert borders_of(10, 70, 20) == pytest.approx((0.90, 0.70, 0.20, 0.00))  # .80 and .10
    assert borders_of(20, 0, 0) == pytest.approx((0.99, 0.90, 1.10, 0.90))  # never calls, never raises


def test_borders_from_a_short_record():
    counts = ActionCounts()
    counts.values[0, 1], counts.values[1, 1] = (5, 4, 1), (1, 2, 1)
    assert BettingThresholds.som(counts, 2).one_bet == pytest.approx((0.93, 0.73, 0.55, 0.35))  # mids .83 and .45
    assert BettingThresholds.som(ActionCounts(), 2) == GOM


def test_recent_actions_count_half():
    counts = ActionCounts()
    counts.values[1, 1] = (10, 70, 20)
    one, none = Context(1, 1), Context(3, 0)
    raises = [(one, Act.RAISE)] * 5 + [(none, Act.CALL)] * 15
    frequencies = specific_frequencies(counts, 1, raises)
    ending = (np.array([0, 0, 5]) + 15 * np.array([0.1, 0.7, 0.2])) / 20
    np.testing.assert_allclose(frequencies[1], (ending + np.array([0.1, 0.7, 0.2])) / 2)
    np.testing.assert_allclose(frequencies[0], [0, 0.5 * (0.5 + 0.25 * 0.5 + 0.75), 0.5 * (0.5 + 0.25 * 0.5)])
    np.testing.assert_array_equal(frequencies[2], DEFAULT_FREQUENCIES[2])
    # borders are linear: the mean of both records' borders is that of their mean
    mids = BettingThresholds.som(counts, 1, raises).one_bet
    assert mids.raise_low + 0.1 == pytest.approx((0.8 + (1 - ending[2])) / 2)
    assert mids.call_low + 0.1 == pytest.approx((0.1 + ending[0]) / 2)
    with pytest.raises(ValueError, match="at most 20"):
        specific_frequencies(counts, 1, [(one, Act.CALL)] * 21)


@given(st.lists(st.integers(0, 25), min_size=36, max_size=36), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_frequencies_as_linear_algebra_has_them(values, round, seed):
    """To the bit: the mean of the whole record and of its end, all numbers of bets to call at once."""
    rng = np.random.default_rng(seed)
    counts = ActionCounts(np.reshape(values, (4, 3, 3)))
    recent = [(Context(1, int(rng.integers(3))), Act(rng.integers(3))) for _ in range(rng.integers(1, 21))]
    whole = np.array([counts.frequencies(Context(round, bets)) for bets in range(3)])
    matching = np.zeros((3, 3))
    for (_, bets), act in recent:
        matching[bets, act] += 1
    ending = (matching + (20 - matching.sum(axis=1, keepdims=True)) * whole) / 20
    np.testing.assert_array_equal(specific_frequencies(counts, round, recent), (whole + ending) / 2)
    np.testing.assert_array_equal(specific_frequencies(counts, round), whole)


@given(st.lists(st.integers(0, 25), min_size=9, max_size=9))
def test_borders_for_one_number_of_bets_are_those_of_all(values):
    frequencies = np.add(np.reshape(values, (3, 3)), [[0, 1, 0], [1, 0, 1], [1, 0, 0]])
    frequencies = frequencies / frequencies.sum(axis=1, keepdims=True)
    before, after = BettingThresholds.preflop(frequencies), BettingThresholds.from_frequencies(frequencies)
    for bets, row in enumerate(frequencies):
        assert borders_facing(row, bets) == after.at(bets)
        assert borders_facing(row, bets, preflop=True) == before.at(bets)


@pytest.mark.parametrize("frequencies", [[0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 1.0], [np.nan, 0.5, 0.5]])
def test_borders_of_what_is_no_frequencies(frequencies):
    with pytest.raises(ValueError, match="sum to 1"):
        borders_facing(frequencies, 1)


@pytest.mark.parametrize("noise", [0.0, 0.4])
@pytest.mark.parametrize("can_raise", [True, False])
@pytest.mark.parametrize("round", [0, 1, 3])
@pytest.mark.parametrize("bets", [0, 1, 3])
def test_expected_triples_are_those_of_single_holdings(noise, can_raise, round, bets):
    """To the bit: the steps that do not branch, and the rules one by one."""
    rng = np.random.default_rng([bets, round])
    values, potentials, weights = rng.random((3, 1326))
    values[:4] = BettingThresholds.gom().at(bets)  # on the borders themselves
    values[100:200] = potentials[100:250] = np.nan
    values[200:250] = np.nan
    weights[50:250] = 0.0
    spot = TripleSpot(round, 7, 2 * bets, 2, bets, bets, can_raise)
    some = TripleGenerator(form="reweighting", noise=noise)
    table = ranked_triples(DEFAULT_FREQUENCIES, values, weights)
    for generator in (some, some.tilted(rng.uniform(0.5, 2, (3, 3))), TripleGenerator(form="reweighting", table=table)):
        expected = generator.apply(spot, values, potentials)
        triples, mean = generator.expect(spot, values, potentials, weights)
        np.testing.assert_array_equal(triples, expected)
        np.testing.assert_array_equal(mean, Expectation.of(expected, weights).predicted)
    triples, mean = expect_triples(GOM.at(bets), spot, values, potentials, weights, noise=noise)
    alone = forecast_triples(GOM.at(bets), spot, values, potentials, weights, noise=noise)
    np.testing.assert_array_equal(alone, mean)
    expected = some.apply(spot, values, potentials)
    np.testing.assert_array_equal(triples, expected)
    np.testing.assert_array_equal(mean, Expectation.of(expected, weights).predicted)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("of the form 'reweighting'", lambda ones: TripleGenerator().expect(BET, ones, ones, ones)),
        ("3 values need as many", lambda ones: expect_triples(GOM.one_bet, BET, ones, ones[:2], ones)),
        ("3 values need as many", lambda ones: expect_triples(GOM.one_bet, BET, ones, ones, ones[:2])),
        ("but no potential", lambda ones: expect_triples(GOM.one_bet, BET, ones, ones * np.nan, ones)),
        ("RAISE >= MINRAISE", lambda ones: expect_triples(DecisionThresholds(0.1, 0.2, 0, 0), BET, ones, ones, ones)),
        ("finite borders", lambda ones: expect_triples(DecisionThresholds(np.inf, 0.2, 0, 0), BET, ones, ones, ones)),
        ("noise must be 0 to 1", lambda ones: expect_triples(GOM.one_bet, BET, ones, ones, ones, noise=2.0)),
    ],
)
def test_what_cannot_be_expected(message, call):
    with pytest.raises(ValueError, match=message):
        call(np.ones(3))


def shares(fold, raise_):
    return np.array([[fold, 1 - fold - raise_, raise_]] * 3)


def board_values():
    analysis = ev.BoardAnalysis("3h4cJh")
    strengths = analysis.strengths()
    return strengths + (1 - strengths) * analysis.crude_potentials()


def test_system_b_ranks_the_holdings_of_the_board():
    values = board_values()
    assert np.mean(values[~np.isnan(values)] >= 0.80) == pytest.approx(0.2338, abs=5e-5)
    third = BettingThresholds.ranked(shares(0.2, 0.3), values)
    fifth = BettingThresholds.ranked(shares(0.2, 0.2), values)
    assert third.one_bet.raise_low + 0.1 == pytest.approx(0.7283, abs=5e-5)
    assert fifth.one_bet.raise_low + 0.1 == pytest.approx(0.8242, abs=5e-5)
    assert third.one_bet.call_low + 0.1 == pytest.approx(0.2734, abs=5e-5)
    assert third.no_bet.call_high == -1


def test_system_b_weighted():
    values = board_values()
    np.testing.assert_array_equal(
        BettingThresholds.ranked(shares(0.2, 0.3), values, np.full(1326, 7.0)).array,
        BettingThresholds.ranked(shares(0.2, 0.3), values).array,
    )
    weights = np.random.default_rng(0).random(1326) ** 4
    found = BettingThresholds.ranked(shares(0.2, 0.3), values, weights).one_bet
    possible = ~np.isnan(values)
    above = weights[possible & (values > found.raise_low + 0.1 + 1e-9)].sum()
    from_there = weights[possible & (values > found.raise_low + 0.1 - 1e-9)].sum()
    assert above <= 0.3 * weights[possible].sum() <= from_there
    with pytest.raises(ValueError, match="no holding with weight"):
        BettingThresholds.ranked(shares(0.2, 0.3), values, np.zeros(1326))
    with pytest.raises(ValueError, match="of one length"):
        BettingThresholds.ranked(shares(0.2, 0.3), values, np.zeros(5))


@given(st.floats(0, 1), st.floats(0, 1))
def test_frequencies_come_back_as_shares_of_holdings(first, second):
    """By system B, a player who raises with f does so, but for what the band loses at either end.

    Values are their own percentiles here. In the band from .10 below the percentile to .10 above it, at most .99, the
    chance of a raise grows from 0 to 1; above it is .99, below .01. So the share of raises is an area of three parts.
    """
    low, high = sorted((first, second))
    frequencies = shares(low, 1 - high)
    values = np.linspace(0, 1, 2001)
    triples = TripleGenerator(BettingThresholds.ranked(frequencies, values), form="printed").apply(BET, values)
    top, bottom = min(high + 0.1, 0.99), high - 0.1
    below_zero = max(-bottom, 0) ** 2 / (2 * (top - bottom))
    expected = 0.01 * max(bottom, 0) + (top - bottom) / 2 - below_zero + 0.99 * (1 - top)
    assert triples[:, 2].mean() == pytest.approx(expected, abs=0.002)
    assert abs(expected - (1 - high)) < 0.065


def test_borders_before_the_flop():
    """Facing one bet, one in five raises: with the best fifth of all holdings, give or take 330 thousandths."""
    rates = income_rates_by_holding(7)
    preflop = BettingThresholds.preflop(DEFAULT_FREQUENCIES)
    in_order = np.sort(rates)
    raises, calls = in_order[1060], in_order[663]  # .8 and .5 of 1,326 holdings are weaker
    assert preflop.one_bet == pytest.approx((raises + 330, raises - 330, calls + 330, calls - 330))
    assert np.mean(rates > raises) == pytest.approx(0.2, abs=12 / 1326)  # a class has as many holdings
    triples = TripleGenerator(preflop, form="printed").apply(TripleSpot(0, 3, 2, 2, 1, 1, True), rates)
    borders = [preflop.one_bet] * 3
    spot = {"round": 0, "pot": 3, "to_call": 2, "bet": 2, "bets_to_call": 1, "can_raise": True}
    expected = [textbook.triple("printed", borders, spot, rate, 0, 0) for rate in rates.tolist()]
    np.testing.assert_allclose(triples, expected, rtol=0, atol=1e-12)
    assert triples[pm.cards.holding_index("AsAd")].tolist() == [0, 0.01, 0.99]
    assert triples[pm.cards.holding_index("7s2d")].tolist() == [0.99, 0, 0.01]
    # the raises are those above the middle, and the fifths of a linear rise that lie on either side of it
    rise = np.clip((rates - raises + 330) / 660, 0, 1)
    assert triples[:, 2].mean() == pytest.approx(rise.mean(), abs=0.01)
    always = BettingThresholds.preflop([[0, 0, 1]] * 3)
    assert (rates > always.more.raise_high).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BettingThresholds.around((0.5, 0.8), (0, 0.5, 0.7)), "raises must be three"),
        (lambda: BettingThresholds.around((0.5, 0.8, 0.9), (0, np.nan, 0.7)), "calls must be three"),
        (lambda: BettingThresholds.around((0.5, 0.8, 0.9), (0, 0.5, 0.7), -0.1), "half_width"),
        (lambda: BettingThresholds.from_frequencies([0.5, 0.3, 0.2]), r"shape \(3, 3\)"),
        (lambda: BettingThresholds.from_frequencies(np.ones((3, 3))), "sum to 1"),
        (lambda: BettingThresholds((0.5, 0.6, 0.2, 0.1), GOM.one_bet, GOM.more), "RAISE >= MINRAISE"),
        (lambda: BettingThresholds((0.6, 0.5, 0.1, 0.2), GOM.one_bet, GOM.more), "CALL >= MINCALL"),
        (lambda: BettingThresholds((0.6, 0.5, 0.1), GOM.one_bet, GOM.more), "no_bet must be four"),
        (lambda: BettingThresholds((np.inf, 0.5, 0.1, 0), GOM.one_bet, GOM.more), "four finite"),
        (lambda: TripleGenerator(form="longest"), "unknown form"),
        (lambda: TripleGenerator(field="median"), "unknown field method"),
        (lambda: TripleGenerator(crude_potential="guess"), "unknown crude potential"),
        (lambda: TripleGenerator(noise=1.5), "noise must be 0 to 1"),
        (lambda: TripleGenerator(least=np.nan), "least must be 0 to 1"),
        (lambda: TripleGenerator(table=np.zeros((3, 3))), r"\(3, bins, 3\)"),
        (lambda: TripleGenerator(table=np.zeros((3, 0, 3))), r"\(3, bins, 3\)"),
        (lambda: TripleGenerator(table=np.ones((3, 4, 3))), "sums to 3.0, expected 1"),
        (lambda: TripleGenerator(table=np.full((3, 4, 3), [-1.0, 1.0, 1.0])), "is no triple"),
        (lambda: TripleGenerator(table=np.full((3, 4, 3), np.nan)), "is no triple"),
        (lambda: TripleGenerator().apply(BET, [0.5, 0.6], [0.1, np.nan]), "holding 1 has a value"),
        (lambda: TripleGenerator().apply(BET, [0.5, 0.6], [0.1, 0.2, 0.3]), "broadcast"),
        (lambda: TripleGenerator().triples(BET, ev.BoardAnalysis("3h4cJh"), []), "at least one"),
        (lambda: TripleGenerator().triple("3h4c", BET, ev.BoardAnalysis("3h4cJh"), [np.ones(1326)]), "not possible"),
        (lambda: TripleGenerator().triple("AhKh", TripleSpot(0, 3, 2, 2, 1, 1, True), ev.BoardAnalysis("3h4cJh"),
                                          [np.ones(1326)]), "begin on the flop"),
        (lambda: TripleSpot(4, 6, 2, 2, 1, 1, True), "round must be 0 to 3"),
        (lambda: TripleSpot(1.0, 6, 2, 2, 1, 1, True), "round must be a whole number"),
        (lambda: TripleSpot(1, -1, 2, 2, 1, 1, True), "pot must be"),
        (lambda: TripleSpot(1, 6, np.nan, 2, 1, 1, True), "to_call must be"),
        (lambda: TripleSpot(1, 6, 2, 0, 1, 1, True), "bet must be positive"),
        (lambda: TripleSpot(1, 6, 2, 2, 0, 1, True), "contradict each other"),
        (lambda: TripleSpot(1, 6, 0, 2, 1, 1, True), "contradict each other"),
        (lambda: multiply_by_triples(np.ones(3), np.ones((2, 3)), Act.CALL), r"need triples \(n, 3\)"),
        (lambda: printed_triple(np.ones(3), 0.5, 0), "four borders"),
        (lambda: printed_triple(np.ones(4), 0.5, 2), "odds must be 0 to 1"),
        (lambda: printed_triple(np.ones(4), np.nan, 0), "value must be"),
    ],
)  # fmt: skip
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# ------------------------------------------------------------------------------ against the textbook version

unit = st.floats(0, 1)
FORMS = ("printed", "own", "reweighting")
SWITCHES = ("pot_odds", "showdown_odds", "semi_bluff", "two_bet_limit")


@st.composite
def spots(draw):
    bets = draw(st.integers(0, 4))
    bet = draw(st.sampled_from([1.0, 2.0, 20.0]))
    return {
        "round": draw(st.integers(1, 3)),
        "pot": draw(st.floats(bet, 60 * bet)),
        "to_call": bets * bet if draw(st.booleans()) else max(bets - 0.5, 0) * bet,
        "bet": bet,
        "bets_to_call": bets,
        "num_bets": draw(st.integers(bets, 4)) if bets else draw(st.integers(0, 3)),
        "can_raise": draw(st.booleans()),
    }


@st.composite
def borders(draw):
    mids = draw(st.lists(unit, min_size=6, max_size=6))
    return BettingThresholds.around(mids[:3], mids[3:], draw(st.floats(0, 0.3)))


@given(
    form=st.sampled_from(FORMS),
    given=st.one_of(st.just(GOM), st.just(BettingThresholds.own()), borders()),
    spot=spots(),
    held=st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=20),
    semi_bluff=st.booleans(),
    switches=st.sets(st.sampled_from(SWITCHES)),
    noise=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_equals_the_textbook(form, given, spot, held, semi_bluff, switches, noise):
    generator = TripleGenerator(given, form=form, noise=noise, **{name: name in switches for name in SWITCHES})
    values, potentials, effectives = np.transpose(held)
    got = generator.apply(TripleSpot(**spot), values, potentials, effectives, semi_bluff=semi_bluff)
    for row, (value, potential, effective) in zip(got, held, strict=True):
        expected = textbook.triple(
            form, given.array.tolist(), spot, value, potential, effective, semi_bluff, switches, noise=noise
        )
        np.testing.assert_allclose(row, expected, rtol=0, atol=1e-15)
        # one holding: the same code, the same bits
        assert row.tolist() == list(generator.core.triple(TripleSpot(**spot), value, potential, effective, semi_bluff))


@given(
    form=st.sampled_from(FORMS),
    given=borders(),
    spot=spots(),
    potential=unit,
    semi_bluff=st.booleans(),
    values=st.lists(unit, min_size=2, max_size=40),
)
def test_properties(form, given, spot, potential, semi_bluff, values):
    """Entries are probabilities; a better holding raises no less and folds no more, but for the printed steps."""
    generator = TripleGenerator(given, form=form)
    values = np.sort(values)
    triples = generator.apply(TripleSpot(**spot), values, potential, values, semi_bluff=semi_bluff)
    assert (triples >= 0).all()
    np.testing.assert_allclose(triples.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (np.diff(triples[:, 2]) >= -0.01 - 1e-12).all()
    assert (np.diff(triples[:, 0]) <= 0.01 + 1e-12).all()
    if form == "reweighting":
        assert triples.min() > 0.0097
    if form == "own":
        assert spot["to_call"] > 0 or (triples[:, 0] == 0).all()
        assert spot["can_raise"] or (triples[:, 2] == 0).all()


@given(st.lists(unit, min_size=2, max_size=60), unit)
def test_properties_of_the_printed_rules(values, odds):
    values = np.sort(values)
    for bets in range(3):
        triples = np.array([printed_triple(GOM.array[bets], value, odds) for value in values])
        assert (np.diff(triples[:, 2]) >= -0.01 - 1e-12).all()
        assert (np.diff(triples[:, 0]) <= 0.01 + 1e-12).all()


def test_impossible_holdings_have_no_triple():
    triples = TripleGenerator().apply(BET, [np.nan, 0.5], [np.nan, 0.1])
    assert np.isnan(triples[0]).all()
    assert triples[1].sum() == pytest.approx(1)


# ------------------------------------------------------------------------------- Loki-1 in the limit


SITUATION = next(Hand("t", "1", GameSpec.ring(2, 1, 2), "ab", [Action(0, Act.FOLD)]).replay()).situation


def facing(spot):
    """A situation in which the player has put nothing in of free will."""
    names = {"bet": "bet_size"}
    return SITUATION._replace(bets_put_in=0, **{names.get(name, name): value for name, value in spot.items()})


@given(
    round=st.integers(1, 3),
    num_bets=st.integers(0, 3),
    pot=st.floats(2, 120),
    strength=unit,
    ppot=st.floats(0, 0.6),
    npot=st.floats(0, 0.6),
    semi_bluff=st.booleans(),
)
def test_own_play_is_loki_1_with_soft_borders(round, num_bets, pot, strength, ppot, npot, semi_bluff):
    """With the narrowest bands and its two-bet limit, the likeliest act facing at most one bet is Loki-1's."""
    bets = min(num_bets, 1)
    spot = {"round": round, "pot": pot, "to_call": 2 * bets, "bet": 2, "bets_to_call": bets, "num_bets": num_bets}
    if round == 3:
        ppot = npot = 0.0
    value = strength + (1 - strength) * ppot
    narrow = BettingThresholds.around((0.50, 0.85, 0.95), (0, 0.50, 0.70), 0.0)
    assume(not any(mid - 1e-6 < value < mid + 0.0201 for mid in (0.50, 0.85)))
    generator = TripleGenerator(narrow, two_bet_limit=True)
    act, flag, _ = postflop_action(facing(spot), strength=strength, ppot=ppot, npot=npot, semi_bluff=semi_bluff)
    held = (value, ppot, value - strength * npot)
    there = TripleSpot(**spot, can_raise=True)
    triple = generator.apply(there, *held, semi_bluff=semi_bluff)
    assert triple.argmax() == act
    assert generator.core.semi_bluff_after(there, *held, semi_bluff, act) == flag


def test_a_semi_bluff_goes_on_until_somebody_bets():
    core = TripleGenerator().core
    flop, turn, river = (TripleSpot(round, 12, 0, 2, 0, 0, True) for round in (1, 2, 3))
    draw, nothing = (0.3, 0.17, 0.2), (0.1, 0.0, 0.1)
    assert core.triple(flop, *draw, False) == pytest.approx((0, 0.1, 0.9))
    assert core.semi_bluff_after(flop, *draw, False, Act.RAISE)
    assert not core.semi_bluff_after(flop, *draw, False, Act.CALL)
    assert core.triple(flop, *nothing, True)[2] == 0.01  # on the flop none can have begun
    assert core.triple(turn, *nothing, True)[2] == 0.9
    assert core.triple(river, *nothing, True)[2] == 0.9
    assert core.triple(river, *draw, False)[2] == 0.01
    assert core.semi_bluff_after(turn, *nothing, True, Act.CALL)
    assert not core.semi_bluff_after(turn, 0.7, 0.3, 0.7, False, Act.RAISE)  # a bet for value begins none
    assert not core.semi_bluff_after(TripleSpot(2, 16, 4, 4, 1, 1, True), *nothing, True, Act.CALL)


def test_odds_are_lokis():
    turn, flop, free = (
        TripleSpot(2, 20, 4, 4, 1, 1, True),
        TripleSpot(1, 10, 2, 2, 1, 1, True),
        TripleSpot(1, 12, 0, 2, 0, 0, True),
    )
    assert turn.pot_odds == pot_odds(20, 4)
    assert turn.showdown_odds == showdown_odds(20, 4, 4, flop=False) == 0.25
    assert flop.showdown_odds == showdown_odds(10, 2, 2, flop=True)
    assert free.semi_bluff_odds == semi_bluff_odds(12, 2)
    assert free.pot_odds == 0


# ----------------------------------------------------------------------------------------- spots and tables


def test_spots_of_a_hand():
    """The situation as replay gives it to Python, and as the rules give it to C."""
    spec = GameSpec.ring(3, 1, 2)
    acts = [(2, Act.RAISE), (0, Act.CALL), (1, Act.RAISE), (2, Act.CALL), (0, Act.CALL), (0, Act.CALL), (1, Act.RAISE)]
    acts += [
        (2, Act.RAISE),
        (0, Act.FOLD),
        (1, Act.RAISE),
        (2, Act.RAISE),
        (1, Act.CALL),
        (1, Act.RAISE),
        (2, Act.FOLD),
    ]
    hand = Hand("test", "1", spec, list("abc"), acts, "3h4cJh2s")
    state = State(spec)
    for decision in hand.replay():
        assert TripleSpot.of(state) == spot_of(decision.situation)
        state.act(decision.act)
    with pytest.raises(ValueError, match="hand is over"):
        TripleSpot.of(state)


def test_more_bets_to_call_than_an_int_holds():
    spec = GameSpec((1, 3_000_000_000), (1, 1, 1, 1), (0, 1, 1, 1))
    spot = TripleSpot.of(State(spec))
    assert "bets_to_call=1000000," in repr(spot)
    hand = Hand("test", "1", spec, list("ab"), [Action(0, Act.CALL), Action(1, Act.CALL)], "3h4cJh")
    assert spot_of(next(hand.replay()).situation) == spot
    for form in ("printed", "own", "reweighting"):
        generator = TripleGenerator(form=form)
        two = TripleSpot(0, 3_000_000_001, 2_999_999_999, 1, 2, 1, True)
        assert generator.core.triple(spot, 0.3, 0.0, 0.3, False) == generator.core.triple(two, 0.3, 0.0, 0.3, False)


def test_spots_are_values():
    assert TripleSpot(1, 6, 2, 2, 1, 1, True) == BET
    assert TripleSpot(1, 6, 2, 2, 1, 1, False) != BET
    assert pickle.loads(pickle.dumps(BET)) == BET
    assert copy.deepcopy(BET) == BET
    assert repr(BET) == "TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)"
    assert BET != 1
    assert [BET.round, BET.pot, BET.to_call, BET.bet, BET.bets_to_call, BET.num_bets, BET.can_raise] == [
        1, 6, 2, 2, 1, 1, True,
    ]  # fmt: skip


def test_a_table_takes_the_place_of_the_rules():
    rng = np.random.default_rng(3)
    table = rng.dirichlet([1, 1, 1], size=(3, 8))
    generator = TripleGenerator(form="printed", table=table)
    values = np.array([-1.0, 0.0, 0.124, 0.125, 0.5, 0.999, 1.0, 2.0])
    np.testing.assert_array_equal(generator.apply(BET, values), table[1, [0, 0, 0, 1, 4, 7, 7, 7]])
    np.testing.assert_array_equal(generator.apply(FREE, values), table[0, [0, 0, 0, 1, 4, 7, 7, 7]])
    more = TripleSpot(1, 10, 6, 2, 3, 3, True)
    np.testing.assert_array_equal(generator.apply(more, 0.3), table[2, 2])
    capped = TripleGenerator(form="own", table=table).apply(TripleSpot(1, 10, 6, 2, 3, 4, False), 0.3)
    np.testing.assert_allclose(capped, [table[2, 2, 0], table[2, 2, 1] + table[2, 2, 2], 0])
    assert generator.borders_at(1) is None
    assert TripleGenerator().borders_at(5) == BettingThresholds.own().more
    assert isinstance(TripleGenerator().borders_at(0), DecisionThresholds)


# ------------------------------------------------------------------------------------------ with the evaluator


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJh2s", "3h4cJh2s9d"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("field", ["mean", "maximum", "product"])
def test_all_holdings_and_one(board, form, field):
    rng = np.random.default_rng(5)
    tables = [rng.random(1326) * live_holdings(board) for _ in range(2)]
    analysis = ev.BoardAnalysis(board)
    generator = TripleGenerator(form=form, field=field)
    spot = TripleSpot(len(board) // 2 - 2, 9, 2, 2, 1, 1, True)
    triples = generator.triples(spot, analysis, tables)
    assert triples.shape == (1326, 3)
    np.testing.assert_array_equal(np.isnan(triples[:, 0]), ~live_holdings(board))
    for holding in ("AdQc", "5h6h", "2c2d", "KsTs"):
        one = generator.triple(holding, spot, analysis, tables)
        np.testing.assert_allclose(one, triples[pm.cards.holding_index(holding)], rtol=0, atol=1e-12)


@pytest.mark.native
def test_values_by_the_textbook():
    rng = np.random.default_rng(6)
    board = ["3h", "4c", "Jh"]
    tables = [rng.random(1326) * live_holdings(board) for _ in range(2)]
    analysis = ev.BoardAnalysis(board)
    field = sum(table / table.sum() for table in tables) / 2
    values = textbook.Values()
    for holding in (["Ad", "Qc"], ["5h", "6h"]):
        index = textbook.holding_number(holding)
        hs = textbook.strength(holding, board, field, (), values)
        ppot, npot = textbook.potentials(textbook.potential_counts(holding, board, field, 1, (), values))
        own = [column[index] for column in TripleGenerator().evaluate(analysis, tables)]
        e = hs**2 + (1 - hs**2) * ppot
        np.testing.assert_allclose(own, [e, ppot, e - hs**2 * npot], rtol=1e-9)
        crude = textbook.crude_potential(holding, board)
        reweighting = [column[index] for column in TripleGenerator(form="reweighting").evaluate(analysis, tables)]
        np.testing.assert_allclose(reweighting[:2], [hs + (1 - hs) * crude, crude], rtol=1e-9)


# ------------------------------------------------------------------------------------------------------ by rank

any_shares = st.lists(st.floats(0.01, 1), min_size=9, max_size=9).map(
    lambda x: np.reshape(x, (3, 3)) / np.reshape(x, (3, 3)).sum(axis=1, keepdims=True)
)


@given(any_shares, st.floats(0, 1), st.floats(0, 1), st.integers(0, 99))
def test_ranked_triples_are_what_a_player_does(frequencies, half_width, noise, seed):
    rng = np.random.default_rng(seed)
    values, weights = rng.random(5000) ** 2, rng.random(5000)
    values[:10] = np.nan
    table = ranked_triples(frequencies, values, weights, half_width=half_width, noise=noise)
    assert table.shape == (3, 100, 3)
    assert (table >= -1e-12).all()
    np.testing.assert_allclose(table.sum(axis=2), 1)
    generator = TripleGenerator(form="reweighting", table=table, least=0.0)
    for bets in range(3):
        spot = TripleSpot(2, 8.0, 2.0 * bets, 2.0, bets, bets, True)
        triples = generator.apply(spot, values, 0.0)
        found = weights[10:] @ triples[10:] / weights[10:].sum()
        expected = frequencies[bets].copy()
        if bets == 0:  # nobody folds
            expected = np.array([0, expected[0] + expected[1], expected[2]])
        # a table goes by a hundred values, and an act begins with all that share one: of squares, the lowest tenth do
        near = np.bincount((values[10:] * 100).astype(int), weights[10:]).max() / weights[10:].sum() + 1e-9
        assert found[2] == pytest.approx(expected[2], abs=near)
        # the bands of calls and raises can meet, and what does both is a raise
        assert found == pytest.approx(expected, abs=near + max(half_width - abs(1 - frequencies[bets, 1]), 0))
        best, worst = triples[np.nanargmax(values)], triples[np.nanargmin(values)]
        assert best[2] >= worst[2] - 1e-12
        assert best[0] <= worst[0] + 1e-12


def test_ranked_triples_by_hand():
    values = (np.arange(1000) + 0.5) / 1000
    table = ranked_triples([[0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.25, 0.05]], values, half_width=0.1, noise=0.0)
    raises = table[1, :, 2]
    assert raises[69] == 0
    assert raises[75] == pytest.approx((0.755 - 0.7) / 0.2)  # from .70 to .90
    assert raises[90] == 1
    assert table[2, 94, 2] == pytest.approx(0.45)  # the band ends with the best: from .90 to 1
    assert table[2, 89, 2] == 0
    assert table[1, 50, 0] == pytest.approx(1 - (0.505 - 0.4) / 0.2)
    assert table[0, :, 0].tolist() == [0] * 100
    # a share of acts has nothing to do with cards
    noisy = ranked_triples([[0, 0.8, 0.2], [0.5, 0.3, 0.2], [0.7, 0.25, 0.05]], values, half_width=0.1, noise=0.4)
    np.testing.assert_allclose(noisy[1], 0.6 * table[1] + 0.4 * np.array([0.5, 0.3, 0.2]))
    # values that are all the same have one rank
    same = ranked_triples([[0, 0.8, 0.2]] * 3, np.full(10, 0.3), half_width=0.5, noise=0.0)
    assert same[1, 30].tolist() == pytest.approx([0, 1, 0])
    for bad, message in (
        ({"half_width": 2.0}, "0 to 1"),
        ({"noise": -0.1}, "0 to 1"),
        ({"weights": np.zeros(1000)}, "no holding"),
        ({"weights": np.ones(3)}, "one length"),
    ):
        with pytest.raises(ValueError, match=message):
            ranked_triples([[0, 0.8, 0.2]] * 3, values, **bad)


# ---------------------------------------------------------------------------------------------- from plain C

C_SOURCE = """
#include "pokermodel/game/triples.h"

void triple(const double *borders, int features, int round, const double *chips, int bets, int num_bets,
            const double *held, int semi_bluff, double *out)
{
    pm_generator g = {{{0, 0, 0, 0}}, 0, 0, PM_OWN, 0, 0, 0, 0, {{0}}};
    pm_spot spot = {chips[0], chips[1], chips[2], bets, num_bets, round, 1};
    pm_held cards = {held[0], held[1], held[2]};
    pm_triple t;
    int k;
    memcpy(g.at, borders, sizeof(g.at));
    g.features = (unsigned)features;
    t = pm_triple_of(&g, &spot, &cards, semi_bluff);
    for (k = 0; k < 3; k++)
        out[k] = t.p[k];
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_the_header_is_plain_c(tmp_path):
    source, library = tmp_path / "triple.c", tmp_path / "triple.so"
    source.write_text(C_SOURCE)
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-ffp-contract=off"]
    subprocess.run(["cc", *strict, "-shared", "-fPIC", f"-I{pm.get_include()}", source, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).triple
    doubles = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
    function.argtypes = [doubles, *[ctypes.c_int] * 2, doubles, *[ctypes.c_int] * 2, doubles, ctypes.c_int, doubles]
    function.restype = None
    rng = np.random.default_rng(9)
    borders, generator = BettingThresholds.own().array, TripleGenerator()
    for _ in range(500):
        round, bets, semi_bluff = int(rng.integers(1, 4)), int(rng.integers(0, 3)), int(rng.integers(0, 2))
        chips, held, out = np.array([rng.uniform(2, 40), 2.0 * bets, 2.0]), rng.random(3), np.empty(3)
        function(borders, 1 | 2 | 4, round, chips, bets, bets, held, semi_bluff, out)
        expected = generator.core.triple(TripleSpot(round, *chips, bets, bets, True), *held, bool(semi_bluff))
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-15)


def core_generator(borders=((0.8, 0.7, 0.4, 0.3),) * 3, form="own"):
    return Generator(form, np.array(borders, np.float64), None, True, True, True, True, 0.01, 0.1)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"form": "theirs"}, "unknown form 'theirs': expected one of .*printed"),
    ({"borders": np.zeros((3, 3))}, r"shape \(3, 4\), got \(3, 3\)"),
    ({"borders": [(0.8, 0.7, 0.4, 0.3)] * 2 + [(0.8, np.nan, 0.4, 0.3)]}, "finite, got nan for 2 bets to call"),
    ({"borders": [(0.8, 0.7, 0.4, 0.3)] + [(0.7, 0.8, 0.4, 0.3)] * 2}, "RAISE >= MINRAISE .* for 1 bets to call"),
    ({"borders": [(0.8, 0.7, 0.3, 0.4)] * 3}, r"CALL >= MINCALL for 0 bets to call, got \[0.8, 0.7, 0.3, 0.4\]"),
])  # fmt: skip
def test_core_refuses_to_make_a_generator(arguments, message):
    core_generator()
    with pytest.raises(ValueError, match=message):
        core_generator(**arguments)


def test_core_refuses_other_lengths():
    spot, core, two = BET, core_generator(), np.full(2, 0.5)
    for arguments in (two, two[:1], two), (two, two, two[:1]), (two[:1], two, two):
        with pytest.raises(ValueError, match="need as many potentials and effective strengths"):
            core.triples(spot, *arguments, False, np.empty((len(arguments[0]), 3)))
    for shape in (3, 3), (2, 2):
        with pytest.raises(ValueError, match=r"an array \(2, 3\) for the triples"):
            core.triples(spot, two, two, two, False, np.empty(shape))
    for held in (np.inf, 0.5, 0.5), (0.5, np.nan, 0.5), (0.5, 0.5, np.nan):
        with pytest.raises(ValueError, match="must be finite, got"):
            core.triple(spot, *held, False)
