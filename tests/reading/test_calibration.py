"""Corrections of tables and forecasts; how they are learnt is in the tests of scores, with what they are for."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core import corrections as kernel
from pokermodel.cards import live_holdings
from pokermodel.game import Act, GameSpec, Hand
from pokermodel.reading import Calibration
from pokermodel.reading.calibration import Forecast, corrected
from tests.common.books import HANDS

BOARD = (0, 5, 10)


def test_a_power_of_the_live_weights():
    weights = np.random.default_rng(1).random(1326)
    weights[100] = 0.0
    live = live_holdings(BOARD)
    assert corrected(weights, BOARD, 1.0) is weights
    for exponent in 0.0, 0.5, 1.7:
        found = corrected(weights, BOARD, exponent)
        assert not found[~live].any()
        assert found[100] == 0  # what is not possible stays so, by a power of 0 too
        possible = live & (weights > 0)
        expected = weights[possible] ** exponent
        np.testing.assert_allclose(found[possible] / found.max(), expected / expected.max(), rtol=1e-12)
        assert (found[possible] > 0).all()


def test_a_table_without_weight_stays_so():
    """As that of a player who folded, once the board has what they can have held."""
    weights = np.where(live_holdings(BOARD), 0.0, 1.0)
    for exponent in 0.0, 0.5:
        assert corrected(weights, BOARD, exponent).tolist() == [0.0] * 1326


def test_nothing_is_corrected_at_first():
    calibration = Calibration()
    spec = GameSpec.ring(2, 1, 2)
    hand = Hand(
        "t", "1", spec, "ab", [(0, Act.CALL), (1, Act.CALL), (1, Act.CALL), (0, Act.RAISE), (1, Act.FOLD)], "2c7d9h"
    )
    for decision in hand.replay():
        found = calibration.forecast(decision.situation, np.array([0.2, 0.5, 0.3]))
        shares = np.where([act in decision.legal for act in Act], [0.2, 0.5, 0.3], 0.0)
        np.testing.assert_allclose(found, shares / shares.sum(), rtol=1e-12)
    assert (calibration.exponents == 1).all()
    assert (calibration.factors == 1).all()
    assert (calibration.table_exponents == 1).all()


def test_what_is_given_away_is_a_copy():
    calibration = Calibration()
    for array in calibration.exponents, calibration.factors, calibration.table_exponents:
        array[:] = 7
    assert (calibration.exponents == 1).all()
    assert (calibration.factors == 1).all()
    assert (calibration.table_exponents == 1).all()


def test_one_act_is_learnt_in_its_context():
    """What is done oftener than forecast gets a factor above one, in the context of the act and no other."""
    spec = GameSpec.ring(2, 1, 2)
    first = next(Hand("t", "1", spec, "ab", [(0, Act.RAISE), (1, Act.FOLD)]).replay())
    calibration = Calibration()
    calibration.learn(Forecast(first, np.array([0.4, 0.4, 0.2]), None), None)
    fold, call, raise_ = calibration.factors[0, 1]
    assert raise_ > 1 > call == pytest.approx(fold)
    assert (np.delete(calibration.factors.reshape(12, 3), 1, axis=0) == 1).all()
    assert calibration.forecast(first.situation, np.array([0.4, 0.4, 0.2]))[2] > 0.2
    assert (calibration.table_exponents == 1).all()


def test_a_table_that_was_right_is_sharpened_and_one_that_was_wrong_is_flattened():
    spec = GameSpec.ring(2, 1, 2)
    first = next(Hand("t", "1", spec, "ab", [(0, Act.RAISE), (1, Act.FOLD)]).replay())
    weights = np.linspace(0.01, 1, 1326)
    for holding, change in (1325, 1), (0, -1):
        calibration = Calibration()
        calibration.learn(Forecast(first, None, weights), holding)
        assert np.sign(calibration.exponent(0) - 1) == change
        assert calibration.table_exponents.tolist() == [calibration.exponent(0), 1, 1, 1]
        calibration.learn(Forecast(first, None, weights), None)  # never shown: nothing to learn from
        calibration.learn(Forecast(first, None, np.where(np.arange(1326) == holding, 0.0, weights)), holding)
        assert np.sign(calibration.exponent(0) - 1) == change
    for _ in range(300):
        calibration.learn(Forecast(first, None, weights), 0)
    assert calibration.exponent(0) == 0


def test_a_session_can_be_corrected_without_the_reader_learning():
    hand = pm.example_hand()
    session = pm.OpponentModeler("som", calibrated=True)
    session.calibrate(hand)
    assert session.calibration.hands == 1
    assert (session.calibration.table_exponents != 1).any()
    asked = next(iter(hand.replay()))
    plain = pm.OpponentModeler("som")
    for each in session, plain:
        each.start(hand.players)
    np.testing.assert_array_equal(session.expect(asked).predicted, plain.expect(asked).predicted)
    session.learn(hand, calibrate=False)
    assert session.calibration.hands == 1
    session.start(hand.players)
    assert session.expect(asked).predicted[2] > plain.expect(asked).predicted[2]  # they raised


def test_correcting_by_a_hand_is_what_learning_from_an_observed_hand_does():
    hand = pm.example_hand()
    observed = pm.OpponentModeler("loki2", calibrated=True)
    for decision in hand.replay():
        observed.observe(decision)
    observed.learn(hand)
    session = pm.OpponentModeler("loki2", calibrated=True)
    session.calibrate(hand)
    for name in "exponents", "factors", "table_exponents":
        np.testing.assert_array_equal(getattr(session.calibration, name), getattr(observed.calibration, name))
    with pytest.raises(ValueError, match="the session is not calibrated"):
        pm.OpponentModeler("loki2").calibrate(hand)


def test_an_observation_says_what_was_forecast_once_something_corrects_it():
    hand = pm.example_hand()
    session = pm.OpponentModeler("loki2", calibrated=True)
    assert all(session.observe(decision).corrected_forecast is None for decision in hand.replay())
    session.learn(hand)
    asked = pm.OpponentModeler("loki2", calibrated=True)
    asked.calibrate(hand)
    asked.start(hand.players)
    for decision in hand.replay():
        forecast = asked.predict(decision)
        asked.observe(decision)
        found = session.observe(decision)
        np.testing.assert_array_equal(found.corrected_forecast, forecast)
        if found.expected is not None:
            (said,) = [fact.value for fact in found.facts() if fact.key == "predicted"]
            assert said == forecast.tolist()


# --------------------------------------------------------------------------------------- against the textbook


class TextbookCorrections:
    """How forecasts of acts are corrected, by Newton's method in NumPy."""

    def __init__(self):
        self.theta = np.tile([1.0, 0.0, 0.0, 0.0], (4, 3, 1))
        self.information = np.tile(np.diag([10.0, 2.0, 2.0, 2.0]), (4, 3, 1, 1))

    def chances(self, situation, predicted):
        """Those of the legal acts, and the logarithms that they come of."""
        legal = list(situation.legal)
        theta = self.theta[situation.round, min(situation.bets_to_call, 2)]
        shares = predicted[legal] / max(predicted[legal].sum(), 1e-300)
        logs = np.log(np.maximum(shares, 0.01))
        powers = np.exp(theta[0] * logs + theta[1:][legal])
        return powers / powers.sum(), logs

    def learn(self, situation, predicted, act):
        legal = list(situation.legal)
        place = situation.round, min(situation.bets_to_call, 2)
        chances, logs = self.chances(situation, predicted)
        design = np.zeros((len(legal), 4))
        design[:, 0] = logs
        design[np.arange(len(legal)), 1 + np.array(legal)] = 1
        self.information[place] += design.T @ (np.diag(chances) - np.outer(chances, chances)) @ design
        step = design.T @ (np.array([each == act for each in legal]) - chances)
        self.theta[place] += np.linalg.solve(self.information[place], step)


@given(st.integers(0, 2**32))
def test_corrections_of_hands_are_the_textbooks(seed):
    rng = np.random.default_rng(seed)
    calibration, textbook = Calibration(), TextbookCorrections()
    for played in (HANDS[k] for k in rng.integers(0, len(HANDS), 4)):
        said = []
        for decision in played.replay():
            predicted = rng.dirichlet([0.5, 1, 1]) if rng.random() < 0.9 else None
            said.append(Forecast(decision, predicted, None))
            if predicted is not None:
                found = calibration.forecast(decision.situation, predicted)
                expected, _ = textbook.chances(decision.situation, predicted)
                np.testing.assert_allclose(found[list(decision.legal)], expected, rtol=1e-9)
                assert np.count_nonzero(found) == len(decision.legal)
        calibration.learn_hand(said, {})
        for decision, predicted, _ in said:
            if predicted is not None:
                textbook.learn(decision.situation, predicted, decision.act)
        np.testing.assert_allclose(calibration.exponents, textbook.theta[..., 0], rtol=1e-8)
        np.testing.assert_allclose(calibration.factors, np.exp(textbook.theta[..., 1:]), rtol=1e-8)


def test_a_hand_is_learnt_forecast_by_forecast():
    """Tables, too, to the bit, and whatever kind of floats a reader gives."""
    rng = np.random.default_rng(4)
    one, other = Calibration(), Calibration()
    for played in [each for each in HANDS if each.holdings] or [pm.example_hand()]:
        said = [
            Forecast(decision, rng.dirichlet([1, 1, 1]), rng.random(2652).astype(np.float32)[::2])
            for decision in played.replay()
        ]
        holdings = {seat: int(rng.choice(np.flatnonzero(live_holdings(played.board)))) for seat in played.holdings}
        one.learn_hand(said, holdings)
        for each in said:
            other.learn(each, holdings.get(each.decision.seat))
    assert (one.table_exponents != 1).any()
    for name in "exponents", "factors", "table_exponents":
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@given(st.integers(0, 2**32), st.integers(0, 1400))
def test_weights_of_possible_holdings(seed, holdings):
    rng = np.random.default_rng(seed)
    weights, live = rng.normal(size=holdings) * (rng.random(holdings) < 0.8), rng.random(holdings) < 0.9
    out = np.empty(holdings)
    kernel.live_weights(weights, live.view(np.uint8), out)
    expected = np.where(live, weights, 0.0)
    assert out.tolist() == expected.tolist()
    largest = expected.max(initial=0.0)
    assert kernel.shares_of_largest(weights, live.view(np.uint8), out) == largest
    assert out.tolist() == (expected / (largest or 1.0)).tolist()


@given(st.integers(0, 2**32), st.integers(1, 1400), st.sampled_from([3, 100, 10_000]), st.floats(0, 2))
def test_information_of_a_table(seed, holdings, different, exponent):
    """Whether a table has many different weights or few."""
    rng = np.random.default_rng(seed)
    weights = (rng.random(different) ** 4 * (rng.random(different) < 0.9))[rng.integers(0, different, holdings)]
    live = rng.random(holdings) < 0.9
    holding = int(rng.integers(holdings))
    weights[~live] *= 1e250  # not looked at
    weights[holding], live[holding] = 0.5, True
    kept = weights[live & (weights > 0)]
    logs, powers = np.log(kept), kept**exponent
    mean = np.average(logs, weights=powers)
    variance = np.average((logs - mean) ** 2, weights=powers)
    found = kernel.log_information(weights, live.view(np.uint8), holding, exponent)
    np.testing.assert_allclose(found, (math.log(0.5) - mean, variance), rtol=1e-9, atol=1e-12)


DECISION = next(pm.example_hand().replay())
THIRDS, THETA, INFORMATION = np.full(3, 1 / 3), np.zeros((4, 3, 4)), np.tile(np.eye(4), (4, 3, 1, 1))


def forecast(situation=DECISION.situation, predicted=THIRDS, theta=THETA, out=None):
    return kernel.forecast(theta, situation, predicted, np.empty(3) if out is None else out)


def learn_acts(*said, information=INFORMATION):
    return kernel.learn_acts(THETA.copy(), information.copy(), said)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: forecast(theta=THETA[:3]), "theta must have shape (4, 3, 4), got (3, 3, 4)"),
        (lambda: forecast(predicted=np.ones(2)), "predicted must have shape (3,), got (2,)"),
        (lambda: forecast(out=np.ones(2)), "out must have shape (3,), got (2,)"),
        (lambda: forecast(DECISION), "expected a situation, got "),
        (lambda: forecast(DECISION.situation._replace(round=4)), "expected round 0 to 3"),
        (lambda: forecast(DECISION.situation._replace(bets_to_call=-1)), "expected round 0 to 3 and 0 or more"),
        (lambda: forecast(DECISION.situation._replace(legal=(1, 3))), "there is no act 3"),
        (lambda: learn_acts(information=INFORMATION[:1]), "information must have shape (4, 3, 4, 4)"),
        (lambda: learn_acts(DECISION), "expected a forecast, got "),
        (lambda: learn_acts(Forecast(DECISION.situation, THIRDS, None)), "expected a decision, got "),
        (lambda: learn_acts(Forecast(DECISION._replace(act=3), THIRDS, None)), "act 3 is not among the legal ones"),
        (lambda: learn_acts(Forecast(DECISION, np.ones(2), None)), "a forecast must have shape (3,), got (2,)"),
        (lambda: kernel.live_weights(THIRDS, np.ones(2, np.uint8), THIRDS), "live must have shape (3,), got (2,)"),
        (lambda: kernel.live_weights(THIRDS, np.ones(3, np.uint8), np.ones(4)), "out must have shape (3,), got (4,)"),
        (lambda: kernel.log_information(THIRDS, np.ones(3, np.uint8), 3, 1.0), "holding 3 has no positive weight"),
        (lambda: kernel.log_information(THIRDS, np.zeros(3, np.uint8), 0, 1.0), "holding 0 has no positive weight"),
        (lambda: kernel.log_information(THIRDS, np.ones(2, np.uint8), 0, 1.0), "live must have shape (3,), got (2,)"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()
