"""Kernels and their bindings have no memory, at one allocation after the other: they say so, and nothing is spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.common.faults import preloaded
from tests.common.faults.allocations import CASES

QUICK = ["holdings on a flop", "an analysis of a board", "equities", "matchups", "deals", "a simulation"]

pytestmark = pytest.mark.skipif(preloaded.lacking() is not None, reason=str(preloaded.lacking()))


@pytest.mark.parametrize(("names", "step"), [(QUICK, 3), pytest.param(None, 1, marks=pytest.mark.slow)])
def test_allocations_that_fail(tmp_path: Path, names: list[str] | None, step: int) -> None:
    counts = preloaded.run("allocations", tmp_path, names, step)
    assert set(counts) == {f"in {name}" for name in names or CASES}
