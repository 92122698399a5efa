"""Tables in a few numbers, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._core import summaries
from pokermodel._core.matchups import Matchups
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS_OF_CLASS, live_holdings, shared_live_holdings


def weights(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    found = rng.random(1326) ** 6
    found[rng.random(1326) < 0.3] = 0.0
    return found


LIVE = bytes(np.ones(1326, np.uint8))
BY_CLASS = summaries.HoldingGroups(CLASS_OF_HOLDING.astype(np.uint8), 169)
BY_FEW = summaries.HoldingGroups(np.zeros(1326, np.uint8), 3)
PLACES = tuple(map(str, range(1326)))


def fixed(values: np.ndarray, live: bytes = LIVE) -> summaries.FixedWeights:
    found = summaries.fixed_weights(values, live)
    assert found is not None
    return found


def padded(values: list[int]) -> np.ndarray:
    return np.pad(np.array(values, dtype=np.float64), (0, 1326 - len(values)))


def test_fixed_weights_are_a_copy_without_what_is_not_possible() -> None:
    given_, live = weights(1), shared_live_holdings((0, 13, 51))
    given_[0] = -0.0
    found = np.frombuffer(fixed(given_, live.tobytes()).values)
    assert np.array_equal(found, np.where(live, given_, 0.0))
    assert not np.signbit(found).any()
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        found.setflags(write=True)
    assert fixed(given_).values.readonly
    dead = int(np.flatnonzero(~live)[0])
    possible = int(np.flatnonzero(live)[0])
    for wrong in (-1.0, np.inf, np.nan):
        given_[dead] = wrong
        assert summaries.fixed_weights(given_, live.tobytes()) is not None
        spoilt = given_.copy()
        spoilt[possible] = wrong
        assert summaries.fixed_weights(spoilt, live.tobytes()) is None
    with pytest.raises(TypeError, match="fixed_weights makes"):
        summaries.FixedWeights()


def test_shares_add_up_to_one() -> None:
    for scale in (1.0, 1e300, 1e-300):
        told = fixed(weights(2) * scale)
        shares = np.frombuffer(told.shares)
        assert told.possible
        assert shares.sum() == pytest.approx(1.0, abs=1e-12)
        assert np.allclose(shares, weights(2) / weights(2).sum(), rtol=1e-12)


def test_nothing_is_told_of_weights_of_zero() -> None:
    nothing = fixed(np.zeros(1326))
    assert not nothing.possible
    for asked in (
        lambda: nothing.shares,
        lambda: nothing.entropy_bits,
        lambda: nothing.largest(1, PLACES),
        lambda: nothing.largest_sums(1, BY_CLASS, CLASSES),
        lambda: nothing.sums(BY_CLASS),
        lambda: nothing.judged(0, 0.0),
    ):
        with pytest.raises(ValueError, match="every holding has weight 0"):
            asked()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12).filter(any), st.integers(-1, 15))
def test_the_largest_values(values: list[int], most: int) -> None:
    total = sum(values)
    late = sorted(range(len(values)), key=lambda k: (-values[k], -k))
    early = sorted(range(len(values)), key=lambda k: (-values[k], k))

    def expected(places: list[int]) -> object:
        return [(str(k), pytest.approx(values[k] / total)) for k in places if values[k] > 0][: max(most, 0)]

    told = fixed(padded(values))
    assert told.largest(most, PLACES) == expected(late)
    each = summaries.HoldingGroups(np.minimum(np.arange(1326), 99).astype(np.uint8), 100)
    assert told.largest_sums(most, each, PLACES[:100]) == expected(early)


def test_sums_by_group_are_those_of_bincount() -> None:
    held = weights(6)
    labels = np.random.default_rng(7).integers(0, 169, 1326).astype(np.uint8)
    groups = summaries.HoldingGroups(labels, 169)
    assert groups.sums(held) == np.bincount(labels, held, minlength=169).tolist()
    told = fixed(held)
    of_shares = groups.sums(np.frombuffer(told.shares))
    assert told.sums(groups) == of_shares
    largest = sorted(range(169), key=lambda k: -of_shares[k])[:8]
    assert told.largest_sums(8, groups, PLACES[:169]) == [(str(k), of_shares[k]) for k in largest]
    assert told.largest_sums(0, groups, PLACES[:169]) == []
    with pytest.raises(ValueError, match="169 groups have as many names, got 168"):
        told.largest_sums(1, groups, PLACES[:168])
    with pytest.raises(ValueError, match="names must have length 1326, got 5"):
        told.largest(1, PLACES[:5])


def test_groups_of_holdings_are_checked() -> None:
    labels = np.zeros(1326, np.uint8)
    labels[3] = 169
    assert summaries.HoldingGroups(labels, 170).sums(np.ones(1326))[::169] == [1325.0, 1.0]
    with pytest.raises(ValueError, match="labels must be 0 to 168, got 169"):
        summaries.HoldingGroups(labels, 169)
    for n in (0, 257):
        with pytest.raises(ValueError, match=f"1 to 256 labels, got {n}"):
            summaries.HoldingGroups(labels, n)


def test_how_a_holding_is_judged() -> None:
    values = padded([2, 4, 0, 1])
    values[2] = 4 * (1 + 1e-13)
    live = np.ones(1326, np.uint8)
    live[7] = 0
    told = fixed(values, live.tobytes())
    judged = [told.judged(k, 1e-12) for k in range(4)]
    assert [found[2] for found in judged if found is not None] == [3, 1, 1, 4]
    assert judged[0] == pytest.approx((2 / 11, 1325, 3))
    assert told.judged(1, 0.0) == pytest.approx((4 / 11, 1325, 2))
    assert told.judged(7, 0.0) is None
    with pytest.raises(ValueError, match="a holding is 0 to 1325, got 1326"):
        told.judged(1326, 0.0)


def test_the_group_that_an_act_divides_best() -> None:
    held, joint = weights(3), weights(4)
    joint[5] = np.nan
    kinds = np.random.default_rng(5).integers(0, 4, 1326).astype(np.uint8)
    expected, best = None, 0.0
    for group in range(3):
        inside = kinds > group
        share = held[inside].sum() / held.sum()
        within, without = np.nansum(joint[inside]) / share, np.nansum(joint[~inside]) / (1 - share)
        if (found := share * (1 - share) * abs(np.log(within / without))) > best:
            expected, best = (group, within / without, share), found
    assert expected is not None
    groups = summaries.HoldingGroups(kinds, 4)
    assert summaries.best_division(held, joint, groups) == pytest.approx(expected, rel=1e-12)
    assert summaries.best_division(held, joint, summaries.HoldingGroups(0 * kinds, 4)) is None
    assert summaries.best_division(np.zeros(1326), joint, groups) is None
    for n in (1, 17):
        with pytest.raises(ValueError, match=f"2 to 16 kinds of holdings, got {n}"):
            summaries.best_division(held, joint, summaries.HoldingGroups(0 * kinds, n))


@pytest.mark.parametrize(
    "call",
    [
        lambda short: summaries.fixed_weights(short, LIVE),
        lambda short: summaries.fixed_weights(np.ones(1326), LIVE[:3]),
        lambda short: summaries.best_division(np.ones(1326), short, BY_FEW),
        lambda short: BY_CLASS.sums(short),
        lambda short: summaries.HoldingGroups(short.astype(np.uint8), 2),
        lambda short: Matchups().against(0, short),
    ],
)
def test_arrays_of_another_length_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match="must have length 1326, got 3"):
        call(np.ones(3))  # type: ignore[operator]


def test_shares_before_the_flop_are_told_of_every_pair_once() -> None:
    from pokermodel.evaluation import shares

    rest = shares._REPRESENTATIVES, shares._CLASSES, shares.suit_orders(), np.empty((169, 1326))
    told = shares.read_told()
    with pytest.raises(ValueError, match="more pairs of holdings were expected than 47007"):
        summaries.fill_preflop_shares(told[:-1], *rest)
    with pytest.raises(ValueError, match="47009 pairs of holdings were told of, expected 47008"):
        summaries.fill_preflop_shares(np.append(told, np.uint32(0)), *rest)
    with pytest.raises(ValueError, match="holding 1325 cannot be dealt"):
        Matchups((51, 3, 7)).against(1325, np.empty(1326))


def test_entropy_in_bits() -> None:
    shares = weights(6)
    shares[::3] = 0.0
    shares[::7] = shares[1]
    shares /= shares.sum()
    some = shares[shares > 0]
    assert fixed(shares).entropy_bits == pytest.approx(-(some @ np.log2(some)), rel=1e-13)
    certain = np.zeros(1326)
    certain[5] = 1.0
    assert fixed(certain).entropy_bits == 0.0


def test_weights_in_sixteen_bits() -> None:
    order = np.argsort(CLASS_OF_HOLDING, kind="stable").astype(np.int64)
    live = live_holdings("AcAd2h").view(np.uint8)
    values = weights(8)
    aces, kings, both = HOLDINGS_OF_CLASS[0], HOLDINGS_OF_CLASS[14], HOLDINGS_OF_CLASS[1]
    values[kings] = values.max(), values.max() / 2, values.max() * 1e-300, 0.0, values.max(), 0.0
    values[aces] = 7.0  # one is possible
    values[both] = 0.0
    largest, packed = summaries.packed(values, live, order, CLASS_OF_HOLDING)
    assert largest == values.max()
    numbers = np.frombuffer(packed, dtype="<u2").tolist()
    most, steps, each = summaries.PACKING

    def number(value: float) -> int:
        return max(round(most + steps * math.log2(max(value / largest, 1e-300))), 1) if value > 0 else 0

    assert numbers[0] < each
    assert numbers[1] == 0  # of all suited ones
    place = 0
    for all_ in HOLDINGS_OF_CLASS:
        expected = [number(values[index]) for index in all_ if live[index]]
        if len(set(expected)) > 1:
            assert numbers[place] >= each
            found = [one - each for one in numbers[place : place + len(expected)]]
            place += len(expected)
        else:
            found = numbers[place : place + 1] * len(expected)
            place += bool(expected)
        assert np.abs(np.subtract(found, expected)).max(initial=0) <= 1
    assert place == len(numbers)
    assert summaries.packed(np.zeros(1326), live, order, CLASS_OF_HOLDING) == (0.0, bytes(2 * 169))
    assert summaries.packed(values, 0 * live, order, CLASS_OF_HOLDING)[1] == b""
    order[3] = 1326
    with pytest.raises(ValueError, match=r"a holding is 0 to 1325, got 1326"):
        summaries.packed(values, live, order, CLASS_OF_HOLDING)
    with pytest.raises(ValueError, match=r"classes must have length 1326, got 1325"):
        summaries.packed(values, live, order, CLASS_OF_HOLDING[1:])
