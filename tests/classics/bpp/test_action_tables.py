"""Learning what a player does with each class of hands, when most hands are never shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.classics.bpp.action_tables import ActionTables, Backoff
from pokermodel.classics.bpp.estimators import (
    _arrivals,
    expectation_maximization,
    inverse_probability,
    showdown_only,
)
from pokermodel.classics.bpp.hidden_hands import HandSet, HiddenHand, group_candidates

FLAT = np.full((1, 5, 3), 1 / 3)

# ---------------------------------------------------------------------------------------- the toy: five classes
# equally likely, weakest first; we call a raise with probability .35

TRUE = np.array([[0.70, 0.20, 0.10], [0.50, 0.45, 0.05], [0.25, 0.70, 0.05], [0.05, 0.65, 0.30], [0.00, 0.30, 0.70]])
CALL_A_RAISE = 0.35


def toy(n, seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(5, size=n)
    acts = (rng.random(n)[:, None] > np.cumsum(TRUE, axis=1)[classes]).sum(axis=1).clip(max=2)
    shown = (acts == 1) | ((acts == 2) & (rng.random(n) < CALL_A_RAISE))
    everything = np.arange(5)[:, None]
    kinds = {}
    for k, act, seen in zip(classes.tolist(), acts.tolist(), shown.tolist(), strict=True):
        kinds[k if seen else None, act] = kinds.get((k if seen else None, act), 0) + 1
    hands = [HiddenHand([0], [act], everything, np.ones(5), k, [CALL_A_RAISE if act == 2 else 1.0]) for k, act in kinds]
    return HandSet.of(hands, (1, 5, 3))._weighted(np.array(list(kinds.values()), dtype=float))


def errors(tables):
    off = np.abs(tables.probabilities()[0] - TRUE)
    return off.mean(), off.max()


def weakest_given(act, table):
    return table[0, act] / table[:, act].sum()


def test_the_toy_table():
    hands = toy(200_000, 1)
    tables = ActionTables(FLAT, strength=0)
    biased = tables.with_counts(showdown_only(hands))
    mean, worst = errors(biased)
    assert mean == pytest.approx(0.2599, abs=0.004)
    assert worst == pytest.approx(0.70, abs=0.01)
    assert weakest_given(2, biased.probabilities()[0]) == pytest.approx(0.186, abs=0.01)
    limit = [[0.851, 0.149], [0.963, 0.037], [0.976, 0.024], [0.861, 0.139], [0.551, 0.449]]
    np.testing.assert_allclose(biased.probabilities()[0][:, 1:], limit, atol=0.01)

    weighted = inverse_probability(hands, tables)
    subtracted = tables.with_counts(weighted.counts)
    assert errors(subtracted)[0] < 0.005
    flat = expectation_maximization(hands, tables, steps=20_000, tolerance=1e-6)
    near = expectation_maximization(hands, subtracted, steps=20_000, tolerance=1e-6)
    assert flat.converged
    assert near.converged
    assert near.steps < flat.steps
    for found in (flat, near):
        learnt = tables.with_counts(found.counts)
        assert errors(learnt)[0] < 0.005
        assert weakest_given(2, learnt.probabilities()[0]) == pytest.approx(weakest_given(2, TRUE), abs=0.01)
    assert flat.counts.sum() == pytest.approx(200_000)


def test_the_toys_limits():
    """What showdown-only counting converges to, and what belief follows from it."""
    reach = np.array([0.0, 1.0, CALL_A_RAISE])
    assert (TRUE * reach).sum() / 5 == pytest.approx(0.544)
    limit = TRUE * reach / (TRUE * reach).sum(axis=1, keepdims=True)
    assert np.abs(limit - TRUE).mean() == pytest.approx(0.2599, abs=5e-5)
    assert weakest_given(2, limit) == pytest.approx(0.186, abs=5e-4)
    assert weakest_given(2, TRUE) == pytest.approx(0.083, abs=5e-4)
    np.testing.assert_allclose(limit[:, 1] / limit[:, 1].sum(), [0.203, 0.229, 0.232, 0.205, 0.131], atol=5e-4)


# ----------------------------------------------------------------------------- against a textbook version, by hand


@st.composite
def hand_lists(draw):
    """Hands of several actions, some shown, with situation 0 that has no fold."""
    hands = []
    for _ in range(draw(st.integers(1, 6))):
        m, candidates = draw(st.integers(1, 4)), draw(st.integers(1, 5))
        z = draw(st.lists(st.integers(0, 2), min_size=m, max_size=m))
        acts = [draw(st.integers(0 if situation and last else 1, 2)) for last, situation in
                zip([*[False] * (m - 1), True], z, strict=True)]  # fmt: skip
        classes = np.array(
            draw(
                st.lists(st.lists(st.integers(0, 3), min_size=m, max_size=m), min_size=candidates, max_size=candidates)
            )
        )
        prior = np.array(draw(st.lists(st.floats(0.1, 2), min_size=candidates, max_size=candidates)))
        shown = draw(st.integers(0, candidates - 1)) if acts[-1] and draw(st.booleans()) else None
        survival = draw(st.lists(st.floats(0.2, 1), min_size=m, max_size=m))
        hands.append(HiddenHand(z, acts, classes, prior, shown, survival))
    return hands


SHAPE = (3, 4, 3)


def uneven_prior():
    prior = np.random.default_rng(5).dirichlet([2, 3, 2], size=SHAPE[:2])
    prior[0, :, 0] = 0
    return prior / prior.sum(axis=2, keepdims=True)


def textbook_step(hands, tables, table):
    counts = np.zeros(SHAPE)
    total = 0.0
    for hand in hands:
        prior = hand.prior / hand.prior.sum()
        joint = np.array([
            p * np.prod([table[z, k, b] for z, k, b in zip(hand.situations, row, hand.acts, strict=True)])
            for p, row in zip(prior, hand.classes, strict=True)
        ])  # fmt: skip
        share = joint / joint.sum()
        if hand.shown is not None:
            share = np.eye(len(prior))[hand.shown]
            total += np.log(joint[hand.shown] / prior[hand.shown])
        else:
            total += np.log(joint.sum())
        for r, row in zip(share, hand.classes, strict=True):
            for z, k, b in zip(hand.situations, row, hand.acts, strict=True):
                counts[z, k, b] += r
    return counts, total


@given(hand_lists())
def test_a_step_is_that_of_the_textbook(hands):
    tables = ActionTables(uneven_prior(), strength=3)
    expected, log_likelihood = textbook_step(hands, tables, tables.prior)
    found = expectation_maximization(HandSet.of(hands, SHAPE), tables, steps=1)
    np.testing.assert_allclose(found.counts, expected, atol=1e-12)
    assert found.log_likelihood == pytest.approx(log_likelihood)
    assert found.counts.sum() == pytest.approx(sum(len(hand.acts) for hand in hands))


@given(hand_lists())
def test_each_step_makes_the_hands_more_likely(hands):
    tables = ActionTables(uneven_prior(), strength=2)
    columns = HandSet.of(hands, SHAPE)
    table, last = tables.probabilities(), -np.inf
    for _ in range(8):
        found = expectation_maximization(columns, tables, start=table, steps=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            belief = np.nansum(2 * tables.prior * np.log(table))
        assert found.log_likelihood + belief >= last - 1e-9
        last = found.log_likelihood + belief
        table = tables.with_counts(found.counts).probabilities()


@given(hand_lists())
def test_grouping_and_collapsing_change_nothing(hands):
    tables = ActionTables(uneven_prior())
    whole = HandSet.of(hands * 2, SHAPE)
    grouped = [
        HiddenHand(hand.situations, hand.acts, *group_candidates(hand.classes, hand.prior, hand.shown), hand.survival)
        for hand in hands
    ]
    few = (HandSet.of(grouped, SHAPE) + HandSet.of(grouped, SHAPE)).collapse()
    assert len(few) <= len(hands)
    assert few.weights.sum() == len(whole)
    np.testing.assert_allclose(showdown_only(few), showdown_only(whole))
    one, other = (expectation_maximization(part, tables, steps=3).counts for part in (few, whole))
    np.testing.assert_allclose(one, other, atol=1e-9)
    one, other = (inverse_probability(part, tables, sweeps=3).counts for part in (few, whole))
    np.testing.assert_allclose(one, other, atol=1e-9)


@given(hand_lists())
def test_weights_of_what_was_shown(hands):
    tables = ActionTables(uneven_prior())
    table = tables.prior
    arrivals, counts = np.zeros(SHAPE[:2]), np.zeros(SHAPE)
    for hand in hands:
        prior = hand.prior / hand.prior.sum()
        for i, (z, b) in enumerate(zip(hand.situations, hand.acts, strict=True)):
            for row, share in zip(hand.classes, prior / prior.sum(), strict=True):
                arrivals[z, row[i]] += share
            prior = prior * table[z, hand.classes[:, i], b]
            if hand.shown is not None:
                held = hand.classes[hand.shown]
                later = [1 - table[z, k, 0] for z, k in zip(hand.situations[i + 1 :], held[i + 1 :], strict=True)]
                counts[z, held[i], b] += min(1 / (hand.survival[i] * np.prod(later)), 4.0)
    columns = HandSet.of(hands, SHAPE)
    np.testing.assert_allclose(_arrivals(columns, table), arrivals, atol=1e-12)
    found = inverse_probability(columns, tables, sweeps=1, cap=4.0).counts
    np.testing.assert_allclose(found[:, :, 1:], counts[:, :, 1:])
    missing = np.maximum(arrivals - counts.sum(axis=2), 0)
    missing[0] = 0
    np.testing.assert_allclose(found[:, :, 0], missing, atol=1e-12)


def test_many_parts_are_one(monkeypatch):
    rng = np.random.default_rng(2)
    hands = [
        HiddenHand([1, 2], [1, rng.integers(3)], rng.integers(4, size=(7, 2)), rng.random(7) + 0.1)
        for _ in range(40)
    ]  # fmt: skip
    columns, tables = HandSet.of(hands, SHAPE), ActionTables(uneven_prior())
    expected = expectation_maximization(columns, tables, steps=3)
    arrivals = _arrivals(columns, tables.prior)
    monkeypatch.setattr("pokermodel.classics.bpp.hidden_hands._CHUNK", 20)
    found = expectation_maximization(columns, tables, steps=3)
    np.testing.assert_allclose(found.counts, expected.counts)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood)
    np.testing.assert_allclose(_arrivals(columns, tables.prior), arrivals)


# --------------------------------------------------------------------------------------------------------- online


# --------------------------------------------------------------------------------------------------------- tables


def test_what_was_counted_of_other_hands_is_evidence():
    """Hands that are seen whole may as well have been counted before."""
    hands, tables = toy(2000, 3), ActionTables(FLAT)
    seen, hidden = (hands.select(np.flatnonzero(chosen)) for chosen in (hands.shown >= 0, hands.shown < 0))
    options = {"steps": 20_000, "tolerance": 1e-9}
    whole = expectation_maximization(hands, tables, **options)
    before = tables.with_counts(showdown_only(seen))
    rest = expectation_maximization(hidden, before, cumulative=True, **options)
    assert rest.counts.sum() == pytest.approx(hidden.weights.sum())
    before.add(rest.counts)
    np.testing.assert_allclose(before.counts, whole.counts, atol=1e-3)


def test_pseudo_counts():
    prior = np.array([[[0.2, 0.5, 0.3], [0.0, 0.6, 0.4]]])
    tables = ActionTables(prior, strength=5, counts=[[[1, 2, 0], [0, 0, 0]]])
    np.testing.assert_allclose(tables.probabilities(), [[[2 / 8, 4.5 / 8, 1.5 / 8], [0, 0.6, 0.4]]])
    nothing = ActionTables(prior, strength=0, counts=[[[1, 3, 0], [0, 0, 0]]])
    np.testing.assert_allclose(nothing.probabilities(), [[[0.25, 0.75, 0], [0, 0.6, 0.4]]])
    merged = tables + tables
    assert merged.counts.sum() == 6
    assert tables.counts.sum() == 3
    np.testing.assert_allclose(merged.probabilities()[0, 0], [3 / 11, 6.5 / 11, 1.5 / 11])


def test_shares_of_back_off():
    backoff = Backoff(())
    assert backoff.share([0, 5, 20, 75]).round(2).tolist() == [0.0, 0.23, 0.64, 0.98]
    assert backoff.share(1000) == pytest.approx(1000 / 1001)


def test_back_off_from_fine_to_coarse():
    # two situations of two classes: the classes of a situation are a group, and everything is one
    backoff = Backoff((np.array([[0, 0], [1, 1]]), np.zeros((2, 2), dtype=int)), m=0.5)
    counts = np.zeros((2, 2, 2))
    counts[0, 0] = [3, 1]
    counts[0, 1] = [0, 2]
    tables = ActionTables(np.full((2, 2, 2), 0.5), counts=counts, backoff=backoff)
    everything = 6 / 7 * np.array([3, 3]) / 6 + 1 / 7 * 0.5
    first = 6 / 7 * np.array([3, 3]) / 6 + 1 / 7 * everything
    share = 1 - 0.5**2
    found = tables.probabilities()
    np.testing.assert_allclose(found[0, 0], 4 / 5 * np.array([0.75, 0.25]) + 1 / 5 * first)
    np.testing.assert_allclose(found[0, 1], 2 / 3 * np.array([0, 1]) + 1 / 3 * first)
    assert share > 2 / 3  # the bound that keeps all acts possible
    np.testing.assert_allclose(found[1], [everything, everything])


def test_back_off_keeps_what_is_impossible():
    """Rows of one group can differ in what they allow: at the cap of bets nobody raises."""
    prior = [[[0.5, 0.5, 0.0]], [[0.2, 0.4, 0.4]]]
    tables = ActionTables(prior, backoff=Backoff((np.zeros((2, 1), dtype=int),), m=0.5))
    np.testing.assert_array_equal(tables.probabilities(), prior)
    tables.add([[[0, 0, 0]], [[1, 1, 18]]])
    found = tables.probabilities()
    np.testing.assert_allclose(found[0, 0], [0.5, 0.5, 0])  # of what the group has, it may do what was done 2 times
    coarse = 20 / 21 * np.array([1, 1, 18]) / 20 + 1 / 21 * np.array([0.2, 0.4, 0.4])
    np.testing.assert_allclose(found[1, 0], 20 / 21 * np.array([1, 1, 18]) / 20 + 1 / 21 * coarse)
    tables.add([[[0, 8, 0]], [[0, 0, 0]]])
    group = 10 / 11 * np.array([1, 9, 0]) / 10 + 1 / 11 * np.array([0.5, 0.5, 0])
    np.testing.assert_allclose(tables.probabilities()[0, 0], 8 / 9 * np.array([0, 1, 0]) + 1 / 9 * group)


def test_bad_input():
    with pytest.raises(ValueError, match="sum to 1"):
        ActionTables([[[0.5, 0.4]]])
    with pytest.raises(ValueError, match="shape"):
        ActionTables([0.5, 0.5])
    with pytest.raises(ValueError, match="strength"):
        ActionTables(FLAT, strength=-1)
    with pytest.raises(ValueError, match="do not fit"):
        ActionTables(FLAT, backoff=Backoff((np.zeros((2, 2)),)))
    with pytest.raises(ValueError, match="between 0 and 1"):
        Backoff((), m=1)
    with pytest.raises(ValueError, match="number of a group"):
        Backoff((np.array([[-1]]),))
    tables = ActionTables(FLAT)
    with pytest.raises(ValueError, match="shape"):
        tables.add([1.0])
    with pytest.raises(ValueError, match="0 or more"):
        tables.add(np.full((1, 5, 3), -1.0))
    with pytest.raises(ValueError, match="different priors"):
        tables + ActionTables(np.full((1, 5, 3), [0.5, 0.25, 0.25]))
    good = HiddenHand([0], [1], np.zeros((2, 1), int), np.ones(2))
    for change, message in (
        ({"situations": [1]}, "situation is out of range"),
        ({"acts": [3]}, "act is out of range"),
        ({"classes": np.full((2, 1), 5)}, "class is out of range"),
        ({"acts": [1, 2]}, "do not fit"),
        ({"prior": np.zeros(2)}, "one above 0"),
        ({"survival": [0.0]}, "survival"),
        ({"shown": 2}, "candidate 2 was held"),
    ):
        hand = HiddenHand(**{name: getattr(good, name) for name in good.__dataclass_fields__} | change)
        with pytest.raises(ValueError, match=f"hand 1: .*{message}"):
            HandSet.of([good, hand], (1, 5, 3))
    hands = HandSet.of([good], (1, 5, 3))
    with pytest.raises(ValueError, match="do not fit tables"):
        expectation_maximization(HandSet.of([good], (2, 5, 3)), tables)
    with pytest.raises(ValueError, match="step"):
        expectation_maximization(hands, tables, steps=0)
    with pytest.raises(ValueError, match="start"):
        expectation_maximization(hands, tables, start=[1.0])
    with pytest.raises(ValueError, match="cap"):
        inverse_probability(hands, tables, cap=0.5)
    with pytest.raises(ValueError, match="fold"):
        inverse_probability(hands, tables, fold=3)
    with pytest.raises(ValueError, match="1 sweep or more, got 0"):
        inverse_probability(hands, tables, sweeps=0)
    with pytest.raises(ValueError, match="candidate 1 was held, but has no prior"):
        group_candidates(np.zeros((2, 1), int), [1.0, 0.0], shown=1)
    with pytest.raises(ValueError, match="needs an action and a candidate"):
        replace(hands, first_action=np.array([0, 0]))
    with pytest.raises(ValueError, match=r"columns of \(1, 1, 2, 1, 1\) entries do not fit hands of \(1, 1, 2, 1, 2\)"):
        replace(hands, cells=hands.cells[:1])
    with pytest.raises(ValueError, match="no candidate"):
        group_candidates(np.zeros((1, 1), int), [0.0])
    with pytest.raises(ValueError, match="one shape"):
        _ = hands + HandSet.of([good], (2, 5, 3))


def test_no_hands():
    nothing = HandSet.of([], (1, 5, 3))
    tables = ActionTables(FLAT)
    assert showdown_only(nothing).sum() == 0
    assert expectation_maximization(nothing, tables).counts.sum() == 0
    assert inverse_probability(nothing, tables).counts.sum() == 0
    assert len(nothing.collapse()) == 0
