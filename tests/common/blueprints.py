"""Blueprints that are learnt quickly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from pokermodel.tables.blueprint import Blueprint, BlueprintGame
from pokermodel.tables.blueprint.blueprint import Build, _Learning

FLOPS_FITTED = "pokermodel.tables.blueprint.blueprint._FLOPS_FITTED"
FEW = 6


@contextmanager
def few_flops() -> Iterator[None]:
    """Let the borders of buckets be found on six flops: on the usual 120 that takes two seconds, each time.

    Other processes that are started by commands find them on 120.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FLOPS_FITTED, FEW)
        yield


def quick_blueprint(game: BlueprintGame | str = "limit", **options: Any) -> Blueprint:
    """`Blueprint.build` with few flops."""
    with few_flops():
        return Blueprint.build(game, **options)


@cache
def known_blueprint(stack: int | None = None) -> Blueprint:
    """A toy for tests that leave it as it is: learnt once a process, of limit, or of no limit with these stacks."""
    if stack is None:
        return quick_blueprint(seed=2, buckets=(30, 30, 12), rounds=8, flops=1, boards=8, jobs=1)
    game = BlueprintGame.no_limit(stack)
    return quick_blueprint(game, seed=2, buckets=(16, 16, 8), rounds=2, flops=1, boards=4, jobs=1)


class TickingClock:
    """A clock that goes on by as many seconds whenever it is read."""

    def __init__(self, step: float) -> None:
        self.step = step
        self.now = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def quick_learning(game: BlueprintGame, about: Build) -> _Learning:
    """What learns such a blueprint."""
    with few_flops():
        return _Learning(game, about)
