"""Corrections of tables and forecasts; how they are learnt is in the tests of scores, with what they are for."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.cards import live_holdings
from pokermodel.game import Act, GameSpec, Hand
from pokermodel.reading import Calibration
from pokermodel.reading.calibration import Forecast, corrected

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
