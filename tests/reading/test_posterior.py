"""Bayes' rule for a weight table, against the rule written out holding by holding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel.reading import posterior

probabilities = st.one_of(st.just(0.0), st.floats(1e-6, 1))
tables = st.lists(
    st.tuples(st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), st.one_of(st.just(np.nan), probabilities)),
    min_size=1,
    max_size=30,
)


@given(tables)
def test_the_rule_holding_by_holding(table):
    """P(holding | act) = P(holding) P(act | holding) / sum of these."""
    weights, likelihoods = np.transpose(table)
    joint = [w * p if w > 0 and not np.isnan(p) else 0.0 for w, p in table]
    found = posterior(weights, likelihoods)
    if sum(joint) == 0:  # an act that no possible holding does says nothing
        np.testing.assert_array_equal(found, weights)
        return
    assert found.max() == 1
    np.testing.assert_allclose(found / found.sum(), np.array(joint) / sum(joint), rtol=1e-12, atol=0)


@given(tables, st.floats(1e-9, 0.5))
def test_the_least_share(table, least):
    weights, likelihoods = np.transpose(table)
    found = posterior(weights, likelihoods, least)
    joint = np.array([w * p if w > 0 and not np.isnan(p) else 0.0 for w, p in table])
    largest = joint.max()
    for k, (w, p) in enumerate(table):
        if w == 0 or np.isnan(p):
            assert found[k] == 0
        else:
            share = joint[k] / largest if largest > 0 else 0.0
            assert found[k] == pytest.approx(max(share, least), rel=1e-12)


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), min_size=1, max_size=6))
def test_act_by_act_is_all_at_once(likelihoods):
    weights = np.array([0.5, 0.0, 1.0, 0.25, 2.0])
    one_by_one = weights
    for each in likelihoods:
        one_by_one = posterior(one_by_one, each)
    at_once = posterior(weights, np.prod(likelihoods, axis=0))
    np.testing.assert_allclose(one_by_one, at_once, rtol=1e-9)


def test_nothing_is_written_to():
    weights, likelihoods = np.array([1.0, 0.5]), np.array([0.1, np.nan])
    for arrays in (weights, likelihoods):
        arrays.setflags(write=False)
    assert posterior(weights, likelihoods).tolist() == [1.0, 0.0]
    silent = posterior(weights, np.zeros(2))
    silent[:] = 7  # a copy
    assert weights.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(("weights", "likelihoods"), [(np.ones(3), np.ones(2)), (np.ones((2, 2)), np.ones((2, 2)))])
def test_bad_input(weights, likelihoods):
    with pytest.raises(ValueError, match=r"weights \(n,\) need as many likelihoods"):
        posterior(weights, likelihoods)
