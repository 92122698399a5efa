"""JSON, against the standard library's."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pokermodel._core.json_text import dumps
from pokermodel.game import Act, Action, BettingStructure

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters())
    | st.text('"\\ az\x1f\x7f\n', max_size=5)
    | st.sampled_from([*Act, *BettingStructure]),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=30,
)


@given(values)
@example([[-(2**63), 2**63, -1, 0, 10]])
@example(["a" * 2000, "\ud800", "ß"])
def test_text_is_that_of_the_standard_library(value):
    assert dumps(value) == json.dumps(value).encode()


def test_a_tuple_may_lose_its_end():
    acts = [Action(3, Act.RAISE, False, None), Action(2, Act.CALL, False, 7), (1, None)]
    assert dumps(acts, Action) == b"[[3, 2, false], [2, 1, false, 7], [1, null]]"
    assert dumps(acts) == json.dumps(acts).encode()


def test_deep_and_endless_lists():
    deep: list[object] = []
    for _ in range(300):
        deep = [deep]
    assert dumps(deep) == json.dumps(deep).encode()
    deep[0] = deep
    with pytest.raises(ValueError, match="Circular"):
        dumps(deep)
    with pytest.raises(TypeError, match="not JSON serializable"):
        dumps([object()])
