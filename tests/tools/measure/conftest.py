"""Compiled players are needed once, and compile in half the time if they need not be quick."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def compiled_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CFLAGS", "-O1")
        yield
