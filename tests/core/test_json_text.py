"""Plain data as JSON: the bytes of Python's own encoder, whatever is in it."""

import json
import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokermodel._core.json_text import dumps

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
)


class Kind(IntEnum):
    ONE = 1


class Pair(NamedTuple):
    one: int
    other: str


@given(PLAIN)
def test_it_is_what_python_writes(value: object) -> None:
    assert dumps(value) == json.dumps(value, allow_nan=False)
    assert dumps(value, compact=True) == json.dumps(value, allow_nan=False, separators=(",", ":"))


@given(FLOATS | st.floats(0, 1) | st.decimals(0, 10**9, places=3).map(float) | st.floats(0, 1, width=32))
def test_a_float_is_its_repr(value: float) -> None:
    assert dumps(value) == repr(value)


def test_floats_of_every_size_and_length() -> None:
    rng = np.random.default_rng(1)
    powers = np.exp2(np.arange(-1074.0, 1024.0))
    n = 20_000
    found = [
        *(0.0, -0.0, 5e-324, 1.7976931348623157e308, 1e16, 9999999999999998.0, 1e22, 1e-4, 1e-5, 0.1, 0.3, 2.5),
        *powers,
        *np.nextafter(powers, 0),
        *np.nextafter(powers, math.inf)[:-1],
        *(rng.integers(1, 10**6, n) / 2.0 ** rng.integers(0, 40, n)),  # some lie in the middle between two texts
        *(rng.integers(0, 10**17, n) / 10.0 ** rng.integers(1, 28, n)),
        *(10.0 ** rng.uniform(-40, 40, n)),
        *rng.random(n),
        *-rng.random(n),
        *rng.integers(0, 2**63, n).view(np.float64),
    ]
    values = [float(each) for each in found if math.isfinite(each)]
    assert dumps(values) == json.dumps(values)


@pytest.mark.parametrize(
    "value",
    [
        *({}, [], (), "", "\x7f", "a\x00b", "\u00e9\U0001f0a1", '"\\/', "\ud800", {"\u2660": "\n"}),
        *(2**63, -(2**63), 2**63 - 1, 1 - 2**63, 2**200, 0, -1),
        *({1: 2, None: True, 2.5: "x"}, {"a": 1, 2: 3}, Pair(1, "b"), [Kind.ONE], np.float64(0.1), "x" * 10_000),
        *({"deep": [[[{"more": [[(1, [2.5])]]}]]]}, [None, True, False]),
    ],
)
def test_what_is_rare_is_written_by_the_same_rules(value: object) -> None:
    assert dumps([value, value]) == json.dumps([value, value])


def test_what_is_deep_is_written() -> None:
    value: list[object] = []
    for _ in range(200):
        value = [value, {"in": 1.5}]
    assert dumps(value) == json.dumps(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"a": [value]})


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        dumps([object()])
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="Circular reference"):
        dumps(loop)
