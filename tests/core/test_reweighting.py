"""Kernels over weight tables, beside the same in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel._core import reweighting
from pokermodel.classics.loki1.reweighting import ramp_forecast, ramp_triples, reweight, reweighting_factors
from pokermodel.game import Act
from pokermodel.learning.thresholds import Threshold
from pokermodel.reading.expectation import Expectation
from pokermodel.reading.posterior import posterior

N = 1326
SHARES = st.floats(0.0, 1.0)
SEEDS = st.integers(0, 2**32 - 1)


def holdings(seed):
    """Values of holdings, a tenth of which are not possible."""
    rng = np.random.default_rng(seed)
    values = rng.random(N)
    values[rng.random(N) < 0.1] = np.nan
    return rng, values


def ramp(values, mu, sigma, compensate):
    if compensate and sigma > mu:
        top = mu + sigma
        if top <= 0:
            return np.ones_like(values)
        least = 1.0 - 2.0 * mu / top
        return np.clip(least + (1.0 - least) * values / top, 0.01, 1.0)
    return np.clip((values - mu + sigma) / (2.0 * sigma), 0.01, 1.0)


@settings(max_examples=40)
@given(SEEDS, st.floats(-0.5, 1.0), st.floats(1e-3, 1.0), st.booleans())
def test_a_ramp(seed, mu, sigma, compensate):
    _, values = holdings(seed)
    found, expected = reweighting_factors(values, mu, sigma, compensate=compensate), ramp(values, mu, sigma, compensate)
    assert np.array_equal(found, expected, equal_nan=True)


def falling(values, mu, sigma, compensate):
    """What falls instead of rising, from 1 at the lowest values."""
    if compensate and sigma > mu:
        return np.clip(1.0 - values / (mu + sigma), 0.01, 1.0) if mu + sigma > 0 else np.ones_like(values)
    return np.clip((mu + sigma - values) / (2.0 * sigma), 0.01, 1.0)


@settings(max_examples=40)
@given(SEEDS, st.floats(-0.5, 1.0), st.floats(1e-3, 1.0), st.booleans())
def test_a_falling_ramp(seed, mu, sigma, compensate):
    """It is what the rising one leaves, but for a factor of all holdings where that one keeps its area."""
    rng, values = holdings(seed)
    found = reweighting_factors(values, mu, sigma, compensate=compensate, falling=True)
    np.testing.assert_allclose(found, falling(values, mu, sigma, compensate), rtol=1e-9, atol=1e-12)
    assert np.nanmin(found) >= 0.01
    assert np.nanmax(found) <= 1.0
    rising = reweighting_factors(values, mu, sigma, compensate=compensate)
    between = (found > 0.01) & (found < 1.0) & (rising > 0.01) & (rising < 1.0)
    share = 2.0 * mu / (mu + sigma) if compensate and sigma > mu else 1.0
    np.testing.assert_allclose((1.0 - rising)[between], share * found[between], rtol=1e-6, atol=1e-9)
    before, live = rng.random(N), rng.random(N) < 0.7
    expected = np.where(live & ~np.isnan(values), np.maximum(before * found, 0.01), 0.0)
    after = reweight(before, values, mu, sigma, live=live, compensate=compensate, falling=True)
    assert np.array_equal(after, expected)


@settings(max_examples=40)
@given(SEEDS, SHARES, SHARES, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_triples_of_ramps(seed, raises, calls, all_call, exempts, compensate, may_raise):
    rng, values = holdings(seed)
    exempt = rng.random(N) < 0.3 if exempts else None
    found = ramp_triples(
        values,
        Threshold(raises, raises, 0.2),
        None if all_call else Threshold(calls, calls, 0.3),
        exempt=exempt,
        compensate=compensate,
        may_raise=may_raise,
    )
    always = np.where(np.isnan(values), np.nan, 1.0)
    raising = ramp(values, raises, 0.2, compensate)
    staying = always if all_call else ramp(values, calls, 0.3, compensate)
    if exempts:
        staying = np.where(exempt, always, staying)
    staying = np.maximum(staying, raising)
    calling = staying - raising
    expected = np.stack([1.0 - staying, calling, raising], axis=-1)
    if not may_raise:
        expected[:, 1] += expected[:, 2]
        expected[:, 2] = np.where(np.isnan(values), np.nan, 0.0)
    assert np.array_equal(found, expected, equal_nan=True)


@settings(max_examples=40)
@given(SEEDS, SHARES, SHARES, st.sampled_from([None, "raise", "call"]), st.sampled_from([None, 0.4]), st.booleans())
def test_the_forecast_of_ramps_is_the_mean_of_their_triples(seed, raises, calls, nobody, odds, may_raise):
    """To the bit: by whichever of the two a reader forecasts, it says the same."""
    rng, values = holdings(seed)
    weights = np.where(np.isnan(values) | (rng.random(N) < 0.2), 0.0, rng.random(N))
    potentials = np.where(np.isnan(values), np.nan, rng.random(N))
    ramps = (
        None if nobody == "raise" else Threshold(raises, raises, 0.2),
        None if nobody == "call" else Threshold(calls, calls, 0.3),
    )
    triples = ramp_triples(values, *ramps, exempt=None if odds is None else potentials >= odds, may_raise=may_raise)
    found = ramp_forecast(values, potentials, weights, *ramps, odds=odds, may_raise=may_raise)
    assert np.array_equal(found, Expectation.of(triples, weights).predicted)


def test_the_forecast_of_nobody():
    assert np.isnan(ramp_forecast(np.ones(5), np.ones(5), np.zeros(5), None, None)).all()


@settings(max_examples=40)
@given(SEEDS, SHARES, st.booleans(), st.booleans())
def test_reweighting(seed, mu, exempts, dead):
    rng, values = holdings(seed)
    before = rng.random(N)
    exempt = rng.random(N) < 0.3 if exempts else None
    live = rng.random(N) < 0.7 if dead else None
    factors = ramp(values, mu, 0.25, True)
    expected = np.maximum(before * factors, 0.01)
    if exempts:
        expected = np.where(exempt, before, expected)
    expected = np.where(np.isnan(factors), 0.0, expected)
    if dead:
        expected = np.where(live, expected, 0.0)
    assert np.array_equal(reweight(before, values, mu, 0.25, exempt=exempt, live=live), expected)


@settings(max_examples=40)
@given(SEEDS, st.sampled_from([0.0, 1e-6, 0.5]))
def test_bayes_rule(seed, least):
    rng, likelihoods = holdings(seed)
    before = rng.random(N) * (rng.random(N) < 0.8)
    both = np.stack([likelihoods, 1.0 - likelihoods], axis=-1)
    after = before * likelihoods
    after[~(after > 0)] = 0.0
    after /= after.max()
    if least:
        after = np.where((before > 0) & ~np.isnan(likelihoods), np.maximum(after, least), 0.0)
    for given_ in (likelihoods, both[:, 0], np.asfortranarray(both)[:, 0]):  # also where they lie apart
        assert np.array_equal(posterior(before, given_, least), after)


def test_bayes_rule_where_nothing_is_possible():
    assert posterior([0.5, 0.0], [0.0, 1.0]).tolist() == [0.5, 0.0]
    assert posterior([0.5, 0.0], [np.nan, 1.0]).tolist() == [0.5, 0.0]
    assert posterior([0.5, 0.25], [0.0, 0.0], 0.1).tolist() == [0.1, 0.1]
    assert posterior([], []).tolist() == []


@settings(max_examples=40)
@given(SEEDS)
def test_the_mean_of_triples(seed):
    rng, values = holdings(seed)
    weights = np.where(np.isnan(values), 0.0, rng.random(N))
    triples = np.where(np.isnan(values)[:, None], np.nan, rng.dirichlet([1, 1, 1], N))
    possible = weights > 0
    expected = weights[possible] @ triples[possible] / weights[possible].sum()
    for given_ in (triples, np.asfortranarray(triples)):
        assert Expectation.of(given_, weights).predicted == pytest.approx(expected, rel=1e-13)


LEGAL = ((Act.FOLD, Act.CALL, Act.RAISE), (Act.FOLD, Act.CALL), (Act.CALL, Act.RAISE), (Act.CALL,))


def design(predicted, legal):
    rows = np.zeros((len(legal), 4))
    chances = predicted[list(legal)]
    rows[:, 0] = np.log(np.maximum(chances / max(chances.sum(), 1e-300), 0.01))
    rows[range(len(legal)), [1 + act for act in legal]] = 1.0
    return rows


def softmax(values):
    powers = np.exp(values - values.max())
    return powers / powers.sum()


@settings(max_examples=10)
@given(SEEDS)
def test_corrections_are_newton_steps(seed):
    """A hundred acts, each a step with the information gathered so far: as linear algebra has it."""
    rng = np.random.default_rng(seed)
    theta, information = np.array([1.0, 0.0, 0.0, 0.0]), np.diag([10.0, 2.0, 2.0, 2.0])
    wanted, gathered = theta.copy(), information.copy()
    for _ in range(100):
        legal = LEGAL[rng.integers(len(LEGAL))]
        predicted = rng.dirichlet([0.3, 1, 1]) * rng.choice([0.0, 1.0, 2.0], p=[0.02, 0.9, 0.08])
        act = legal[rng.integers(len(legal))]
        mask = sum(1 << each for each in legal)
        rows = design(predicted, legal)
        chances = softmax(rows @ wanted)
        out = np.empty(3)
        reweighting.correct(theta, predicted, mask, out)
        assert out[list(legal)] == pytest.approx(chances, rel=1e-9)
        assert out.sum() == pytest.approx(1.0)
        off = -chances
        off[legal.index(act)] += 1.0
        gathered += (rows.T * chances) @ rows - np.outer(chances @ rows, chances @ rows)
        wanted += np.linalg.solve(gathered, off @ rows)
        reweighting.learn_act(theta, information, predicted, mask, act)
        assert theta == pytest.approx(wanted, rel=1e-8, abs=1e-10)
    assert information == pytest.approx(gathered, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("out must have 3 entries, got 2", lambda: reweighting.factors(np.ones(3), 0.5, 0.2, True, False, np.empty(2))),
        ("sigma must be positive, got 0", lambda: reweighting.factors(np.ones(3), 0.5, 0.0, True, False, np.empty(3))),
        ("sigma must be positive", lambda: reweighting_factors(np.ones(3), 0.5, float("nan"))),
        ("weights must have 3 entries", lambda: reweight(np.ones(2), np.ones(3), 0.5, 0.2)),
        ("exempt must have 3 entries", lambda: reweight(np.ones(3), np.ones(3), 0.5, 0.2, exempt=[True])),
        ("exempt must have 3 entries", lambda: ramp_triples(np.ones(3), None, None, exempt=[True])),
        ("live must have 3 entries", lambda: reweight(np.ones(3), np.ones(3), 0.5, 0.2, live=[True])),
        ("sigma must be positive", lambda: ramp_triples(np.ones(3), Threshold(0.5, 0.5, 0.0), None)),
        ("sigma must be positive", lambda: ramp_forecast(*[np.ones(3)] * 3, Threshold(0.5, 0.5, 0.0), None)),
        ("potentials must have 3", lambda: ramp_forecast(np.ones(3), np.ones(2), np.ones(3), None, None)),
        ("weights must have 3", lambda: ramp_forecast(np.ones(3), np.ones(3), np.ones(2), None, None)),
        ("triples must have 2 entries", lambda: Expectation.of(np.ones((3, 3)), np.ones(2))),
        ("a triple must have 3 entries", lambda: Expectation.of(np.ones((2, 2)), np.ones(2))),
        ("predicted must have 3", lambda: reweighting.correct(np.ones(4), np.ones(2), 7, np.empty(3))),
        ("theta must have 4", lambda: reweighting.correct(np.ones(3), np.ones(3), 7, np.empty(3))),
        (
            "act 0 is not among the legal ones, 0b110",
            lambda: reweighting.learn_act(np.ones(4), np.eye(4), np.ones(3), 6, 0),
        ),
        (
            "information must have 4",
            lambda: reweighting.learn_act(np.ones(4), np.eye(3), np.ones(3), 6, 1),
        ),
        (
            "likelihoods must have 3",
            lambda: reweighting.posterior(np.ones(3), np.ones(2), 0.0, np.empty(3)),
        ),
    ],
)
def test_bad_input(message, call):
    with pytest.raises(ValueError, match=message):
        call()
