"""Blueprints that are learnt quickly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


def quick_learning(game: BlueprintGame, about: Build) -> _Learning:
    """What learns such a blueprint."""
    with few_flops():
        return _Learning(game, about)
