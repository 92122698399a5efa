"""Loki-1 as a reader: inverse re-weighting, by which a check or a call says something of strong holdings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.cards import live_holdings
from pokermodel.classics.loki1.field import spot_values
from pokermodel.evaluation.preflop import income_rates_by_holding
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.learning.thresholds import postflop_threshold, preflop_threshold
from pokermodel.reading import OpponentModeler
from tests.common.books import HANDS

F, C, R = Act.FOLD, Act.CALL, Act.RAISE
SPEC = GameSpec.ring(3, 1, 2)
NAMES = ("Ann", "Bob", "Cid")
OPENED = [(2, R), (0, F), (1, C)]  # before the flop Cid raises, and Bob calls: he is first from then on
BOARD = "3h4cJh2s9d"


def hand(actions, board=BOARD, id="1"):
    return Hand("test", id, SPEC, NAMES, actions, board)


def textbook(start, values, lower, upper, exempt, compensate):
    """Weights of the round's beginning times a ramp that rises around one threshold, and one that falls around another.

    Each threshold is (mu, sigma), or None.
    """
    after = []
    for weight, value, free in zip(start, values, exempt, strict=True):
        if np.isnan(value):
            after.append(0.0)
            continue
        if lower is not None and not free:
            mu, sigma = lower
            factor = (value - mu + sigma) / (2 * sigma)
            if compensate and sigma > mu:
                least = 1 - 2 * mu / (mu + sigma)
                factor = least + (1 - least) * value / (mu + sigma)
            weight = max(weight * min(max(factor, 0.01), 1), 0.01)
        if upper is not None:
            mu, sigma = upper
            factor = (mu + sigma - value) / (2 * sigma)
            if compensate and sigma > mu:
                factor = 1 - value / (mu + sigma)
            weight = max(weight * min(max(factor, 0.01), 1), 0.01)
        after.append(weight)
    return np.array(after)


def follow(modeler, played):
    """What stands before each act: the round's beginning, values, potentials; and the observation."""
    modeler.learning = False
    modeler.start(played.players)
    found, starts = [], {}
    for decision in played.replay():
        spot = modeler.spot(decision)
        start = starts.setdefault((decision.seat, decision.round), spot.weights)
        values, potentials = spot_values(spot)
        found.append((start, values, potentials, modeler.observe(decision)))
    return found


#: Thresholds of the generic model after the flop: to bet; to call one bet and to raise it.
BET, CALL, RAISE = (0.5, 0.2), (0.5, 0.2), (0.8, 0.08)


@pytest.mark.parametrize(
    ("acts", "stands", "lower", "upper"),
    [
        ([(1, C)], 0, None, BET),
        ([(1, R)], 0, BET, None),
        ([(1, C), (2, C)], 0, None, BET),
        ([(1, C), (2, R)], 0, BET, None),
        ([(1, R), (2, C)], 0, CALL, RAISE),
        ([(1, R), (2, R)], 0, RAISE, None),
        ([(1, C), (2, R), (1, C)], 0, CALL, BET),  # the lowest from above stays: they did not bet before
        ([(1, C), (2, R), (1, R)], 0, RAISE, None),  # the check was a trap
        ([(1, R), (2, R), (1, C)], 1, None, RAISE),  # bet, and called a raise: as high from below as before
        ([(1, C), (2, R), (1, R), (2, C)], 2, None, RAISE),
        ([(1, R), (2, R), (1, R), (2, C)], 2, None, RAISE),  # raised once, but not again
    ],
)
def test_thresholds_from_both_sides(acts, stands, lower, upper):
    """On the flop, against loops over the holdings; what is known from below may stand since an earlier act."""
    found = follow(OpponentModeler("loki1?inverse=1"), hand([*OPENED, *acts], BOARD[:6]))
    start, values, potentials, last = found[-1]
    decision, put_in = last.decision, last.decision.put_in
    if stands:
        start = found[len(OPENED) + stands - 1][-1].weights_after
        assert found[len(OPENED) + stands - 1][-1].decision.seat == decision.seat
    exempt = potentials >= (put_in / (decision.pot + put_in) if put_in else np.inf)
    np.testing.assert_allclose(last.weights_after, textbook(start, values, lower, upper, exempt, True), rtol=1e-9)
    if upper is None:
        assert last.detail.upper is None
    else:
        assert last.detail.upper[1:] == pytest.approx(upper)
        assert [fact.value["mu"] for fact in last.detail.facts(last) if fact.key == "upper"] == [last.detail.upper.mu]


def test_before_the_flop_rates_are_compared():
    start, values, _, last = follow(OpponentModeler("loki1?inverse=1"), hand(OPENED, ""))[-1]
    np.testing.assert_array_equal(values, income_rates_by_holding(7))
    lower, upper = (preflop_threshold([0.5, 0.3, 0.2], act) for act in (C, R))
    expected = textbook(start, values, lower[1:], upper[1:], np.zeros(1326, dtype=bool), False)
    np.testing.assert_allclose(last.weights_after, expected, rtol=1e-9)
    likely = last.after["Ts8s"]
    assert likely > 10 * last.after["AsAd"] > 0
    assert likely > 10 * last.after["7s2d"] > 0


def test_who_nearly_always_raises_says_nothing_by_not_raising():
    """Before the flop a threshold below .05 says nothing, from above neither."""
    always = Hand("test", "0", SPEC, NAMES, [Action(2, R), Action(0, F), Action(1, F)])
    modeler = OpponentModeler("som?inverse=1")
    for number in range(40):
        modeler.learn(Hand("test", str(number), SPEC, NAMES, always.actions))
    assert preflop_threshold(modeler.reader.frequencies.counts("Cid").values[0, 1] / 40, R) is None
    last = follow(modeler, hand([(2, C), (0, F), (1, C)], ""))[0][-1]
    assert last.detail is None or last.detail.upper is None
    assert not last.reweighted


def test_those_who_cannot_raise_are_not_asked():
    """On the river of a capped round, the caller loses nothing from above."""
    capped = [(2, R), (0, F), (1, R), (2, R), (1, C), *[(1, C), (2, C)] * 2, (1, R), (2, R), (1, R), (2, R), (1, C)]
    for model in ("loki1?inverse=1", "som?inverse=1"):
        found = follow(OpponentModeler(model), hand(capped))
        call = found[-1][-1]
        assert R not in call.decision.legal
        assert call.detail.upper is None


@given(st.integers(0, len(HANDS) - 1), st.sampled_from(["loki1", "som", "som?contexts=108&sigma=observed&recency=5"]))
def test_weights_stay_within_their_bounds(number, model):
    """From .01 to 1, and 0 where a holding is not possible; and tables are finite."""
    modeler = OpponentModeler(f"{model}{'&' if '?' in model else '?'}inverse=1")
    for decision in HANDS[number].replay():
        weights, live = modeler.observe(decision).weights_after, live_holdings(decision.board)
        assert (weights[live] >= 0.01).all()
        assert (weights <= 1).all()
        assert not weights[~live].any()
    modeler.learn(HANDS[number], HANDS[number].replay())


@given(st.integers(0, len(HANDS) - 1), st.sampled_from(["gom", "som"]))
def test_off_is_as_it_was(number, model):
    """To the bit, and where nobody checks or calls it is the same on, too."""
    sessions = [OpponentModeler(text) for text in (model, f"{model}?inverse=0", f"{model}?inverse=1")]
    alike = True
    for decision in HANDS[number].replay():
        weights = [session.observe(decision).weights_after for session in sessions]
        np.testing.assert_array_equal(weights[0], weights[1])
        alike = alike and decision.act != C
        if alike:
            np.testing.assert_array_equal(weights[0], weights[2])


def test_imagining_an_act_changes_nothing():
    modeler, played = OpponentModeler("loki1?inverse=1"), hand([*OPENED, (1, C), (2, R), (1, C)], BOARD[:6])
    plain = [each[-1].weights_after for each in follow(OpponentModeler("loki1?inverse=1"), played)]
    modeler.learning = False
    modeler.start(played.players)
    for decision, expected in zip(played.replay(), plain, strict=True):
        for act in (C, R):
            modeler.reader.judge(modeler.spot(decision), act, decision.to_call)
        np.testing.assert_array_equal(modeler.observe(decision).weights_after, expected)


def test_the_generic_thresholds_are_those_of_this_file():
    for (shares, act), expected in zip(
        (([0, 0.5, 0.5], R), ([0.5, 0.3, 0.2], C), ([0.5, 0.3, 0.2], R)), (BET, CALL, RAISE), strict=True
    ):
        assert postflop_threshold(shares, act)[1:] == pytest.approx(expected)
