"""Sums of what is measured, against Python that adds them one by one."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._core import measures as kernel
from pokermodel.game import Act
from pokermodel.scoring import LEAST_PROBABILITY, LEAST_SHARE, Score
from pokermodel.scoring.measures import Mean
from tests.common.copies import WAYS, content

NAMES = ("Ann", "Bob", "Cid")


class TextbookMean:
    """What a mean and its error are made of."""

    def __init__(self):
        self.hands = {}

    def add(self, hand, value):
        self.hands.setdefault(hand, []).append(value)

    def sums(self):
        squares = cross = counts = total = 0.0
        for values in self.hands.values():
            of_hand = 0.0
            for value in values:
                of_hand += value
                total += value
            squares += of_hand * of_hand
            cross += of_hand * len(values)
            counts += len(values) ** 2
        return total, (len(self.hands), squares, cross, counts)


hands_of_values = st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), max_size=8)


@given(hands_of_values, st.sampled_from(list(WAYS)))
def test_sums_of_a_mean(hands, way):
    """To the bit, wherever it is copied."""
    mean, expected = Mean(), TextbookMean()
    for number, values in enumerate(hands):
        for value in values:
            mean.add(number, value)
            expected.add(number, value)
            mean = WAYS[way](mean)
            assert type(mean) is Mean
    assert content((mean.total, mean.over_hands())) == content(expected.sums())
    assert mean.n == sum(map(len, hands))


def textbook_losses(legal, predicted, act):
    """The loss, whether it was a hit, and the probabilities of the legal acts."""
    given_ = [float(predicted[each]) for each in legal]
    total = given_[0]
    for each in given_[1:]:
        total += each
    floored = [max(each / total if total else 0.0, LEAST_PROBABILITY) for each in given_]
    total = floored[0]
    for each in floored[1:]:
        total += each
    shares = [each / total for each in floored]
    share, highest = shares[legal.index(act)], max(shares)
    ties = sum(each >= highest - 1e-12 for each in shares)
    return -math.log(share), (share >= highest - 1e-12) / ties, shares


def chances(least=0.0):
    return st.one_of(st.floats(least, 1), st.sampled_from([least, 0.25, 0.5, 1.0, 1e300]))


@st.composite
def forecasts(draw):
    legal = draw(st.sampled_from([(0, 1, 2), (1, 2), (0, 1), (1,)]))
    predicted = np.array(draw(st.lists(chances(), min_size=3, max_size=3)))
    return tuple(map(Act, legal)), predicted, Act(draw(st.sampled_from(legal)))


@given(st.lists(st.tuples(st.booleans(), forecasts(), st.integers(0, 3), st.sampled_from(NAMES), st.integers(0, 3000))))
def test_losses_of_acts(said):
    """Of everything, by round, player and number of hands seen; and by tenth of probability."""
    found, number = Score("made"), 0
    expected = {}
    tenths = np.zeros((3, 10, 3))
    for goes_on, (legal, predicted, act), round, player, seen in said:
        number += not goes_on
        found.add_action(number, round, player, seen, legal, predicted, act)
        loss, hit, shares = textbook_losses(legal, predicted, act)
        step = max(k for k, each in enumerate((0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)) if each <= seen)
        for part in (None, round, player, ("step", step)):
            for mean, value in zip(
                expected.setdefault(part, [TextbookMean() for _ in range(3)]),
                (loss, hit, math.log(len(legal))),
                strict=True,
            ):
                mean.add(number, value)
        for each, share in zip(legal, shares, strict=True):
            tenths[each, min(int(share * 10), 9)] += 1, share, each == act
    parts = {None: found._actions, **dict(enumerate(found._streets))}
    parts |= {player: own for player, (own, _) in found._players.items()}
    parts |= {("step", k): own for k, (own, _) in enumerate(found._experience)}
    for part, sums in parts.items():
        means = expected.get(part, [TextbookMean() for _ in range(3)])
        told = [content((each.total, each.over_hands())) for each in (sums.loss, sums.hits, sums.uniform)]
        assert told == [content(each.sums()) for each in means]
    calibration = found._calibration
    np.testing.assert_array_equal(calibration.counts, tenths[..., 0])
    np.testing.assert_array_equal(calibration.predicted, tenths[..., 1])
    np.testing.assert_array_equal(calibration.observed, tenths[..., 2])


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_losses_of_sizes(seed, classes):
    rng = np.random.default_rng(seed)
    predicted, room = rng.dirichlet(np.ones(classes)) * (rng.random(classes) < 0.8), rng.random(classes) < 0.7
    chosen = int(rng.integers(classes))
    room[chosen] = True
    total = predicted[room].sum()
    floored = np.maximum(predicted / total if total else predicted, LEAST_PROBABILITY)
    found = kernel.size_loss(predicted, room.view(np.uint8), chosen, LEAST_PROBABILITY)
    assert found == pytest.approx((-math.log(floored[chosen] / floored[room].sum()), math.log(room.sum())), rel=1e-12)


@given(st.integers(0, 2**32), st.integers(1, 1400))
def test_bits_of_a_holding(seed, holdings):
    """For tables of any length, by an exact sum."""
    rng = np.random.default_rng(seed)
    weights, live = rng.random(holdings) * (rng.random(holdings) < 0.9), rng.random(holdings) < 0.9
    live[0], weights[0] = True, 0.5
    weights[~live] = rng.choice([0.0, -1.0, np.nan])  # not looked at
    holding = int(rng.choice(np.flatnonzero(live)))
    share = weights[holding] / math.fsum(weights[live]) * live.sum()
    found = kernel.holding_bits(weights, live.view(np.uint8), holding, LEAST_SHARE)
    assert found == pytest.approx(math.log2(max(share, LEAST_SHARE)), rel=1e-12, abs=1e-12)


@given(st.lists(st.tuples(forecasts(), st.sampled_from(NAMES)), max_size=20), st.integers(0, 20))
def test_scores_go_on_after_a_pickle(said, cut):
    one, other = Score("made"), Score("made")
    for number, ((legal, predicted, act), player) in enumerate(said):
        if number == cut:
            other = pickle.loads(pickle.dumps(other))
        for each in one, other:
            each.add_action(number // 2, 0, player, number, legal, predicted, act)
            each.add_holding(number // 2, player, number, True, False, [(0, 0.5), (1, float(number))])
    assert content(one.to_dict()) == content(other.to_dict())
    one.absorb(other)  # whose arrays are its own
    if said:
        assert one.decisions == 2 * other.decisions
        assert one._calibration.counts.sum() == 2 * other._calibration.counts.sum()


THIRDS = np.full(3, 1 / 3)
FLAT, LIVE = np.ones(9), np.ones(9, np.uint8)


def add_act(legal=(0, 1, 2), predicted=THIRDS, act=1, parts=(), tenths=None):
    made = tenths or kernel.Tenths(np.zeros((3, 10), np.int64), np.zeros((3, 10)), np.zeros((3, 10), np.int64))
    return kernel.add_act(parts, made, 0, legal, predicted, act, 1e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: add_act(act=3), "act 3 is not among the legal ones, 0b111"),
        (lambda: add_act((1, 2), act=0), "act 0 is not among the legal ones, 0b110"),
        (lambda: add_act((1, 7)), "there is no act 7"),
        (lambda: add_act(predicted=np.ones(2)), "predicted must have shape (3,), got (2,)"),
        (
            lambda: kernel.Tenths(np.zeros((3, 9), np.int64), np.zeros((3, 10)), np.zeros((3, 10), np.int64)),
            "counts must have shape (3, 10), got (3, 9)",
        ),
        (lambda: kernel.size_loss(FLAT, LIVE[:3], 0, 1e-3), "room must have shape (9,), got (3,)"),
        (lambda: kernel.size_loss(FLAT, LIVE, 9, 1e-3), "no room for the class of sizes 9"),
        (lambda: kernel.size_loss(FLAT, 0 * LIVE, 2, 1e-3), "no room for the class of sizes 2"),
        (lambda: kernel.holding_bits(FLAT, LIVE, 9, 1e-6), "there is no holding 9 among 9"),
        (lambda: kernel.holding_bits(FLAT, LIVE[:8], 0, 1e-6), "live must have shape (9,), got (8,)"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1e-9])
def test_what_is_no_forecast_adds_nothing(bad):
    sums = kernel.ActSums(Mean(), Mean(), Mean())
    assert add_act(predicted=np.array([0.5, bad, 0.5]), parts=(sums,)) is None
    assert sums.loss.n == 0
    assert kernel.size_loss(np.array([0.5, bad]), LIVE[:2], 0, 1e-3) is None
    assert kernel.holding_bits(np.array([0.5, bad]), LIVE[:2], 0, 1e-6) is None
    assert add_act((0, 2), np.array([0.5, bad, 0.5]), 0, (sums,)) is not None  # nobody may do it


@pytest.mark.parametrize("least", [float("nan"), -1.0, -1e308, 1.5, float("inf")])
def test_a_least_probability_is_one(least):
    """Or cells outside the table of tenths would be written."""
    parts = (kernel.ActSums(kernel.Sums(), kernel.Sums(), kernel.Sums()),)
    tenths = kernel.Tenths(np.zeros((3, 10), np.int64), np.zeros((3, 10)), np.zeros((3, 10), np.int64))
    with pytest.raises(ValueError, match="the least must be 0 to 1"):
        kernel.add_act(parts, tenths, 1, (0, 1, 2), np.array([0.2, 0.3, 0.5]), 1, least)
    assert kernel.add_act(parts, tenths, 1, (0, 1), np.zeros(3), 1, 0.0) is None
    for wrong in (-1.0, np.nan, np.inf, 1e308):
        assert kernel.add_act(parts, tenths, 1, (0, 1, 2), np.array([wrong, 1e308, 1e308]), 1, 1e-6) is None
