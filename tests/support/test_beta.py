"""The beta distribution against scipy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._support.beta import beta_below, beta_quantile

special = pytest.importorskip("scipy.special")
PARAMETERS = st.floats(-2, 5).map(lambda power: 10**power)


@given(st.floats(0, 1, allow_subnormal=False), PARAMETERS, PARAMETERS)
def test_it_is_the_regularised_incomplete_beta_function(x, a, b):
    assert beta_below(x, a, b) == pytest.approx(special.betainc(a, b, x), abs=1e-9)


@pytest.mark.parametrize("x", [5e-324, 1e-310])
@pytest.mark.parametrize(("a", "b"), [(0.01, 10), (0.02, 3), (0.5, 2)])
def test_it_is_exact_down_to_the_least_number(x, a, b):
    """There scipy is up to a thousandth off, so it is held to the first term of its series, for whole b.

    1 / (a B(a, b)) is (a + 1) ... (a + b - 1) / (b - 1)!, and what follows the first term is below x.
    """
    rising = math.prod((a + k) / k for k in range(1, b))
    assert beta_below(x, a, b) == pytest.approx(math.exp(a * math.log(x)) * rising, rel=1e-12)


@given(st.floats(0.001, 0.999), st.floats(0.3, 1e4), st.floats(0.3, 1e4))
def test_quantiles_turn_it_round(share, a, b):
    assert beta_quantile(share, a, b) == pytest.approx(special.betaincinv(a, b, share), abs=1e-8)


@pytest.mark.parametrize("arguments", [(0.5, 0, 1), (0.5, 1, -1), (1.5, 1, 1), (math.nan, 1, 1), (0.5, math.inf, 1)])
def test_what_is_no_distribution(arguments):
    with pytest.raises(ValueError, match=r"above 0|from 0 to 1"):
        beta_below(*arguments)
    with pytest.raises(ValueError, match="probability"):
        beta_quantile(1.1, 1, 1)
