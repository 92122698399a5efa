"""Scores by several processes are those of one, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pokermodel.executors import Processes
from pokermodel.game import Hand
from pokermodel.histories import Filter
from pokermodel.scoring import score, walk
from pokermodel.scoring.measures import Mean
from tests.common.books import HANDS, played_free
from tests.common.six_handed import HANDS as SIX_HANDED

MODELS = "adaptive,som,loki2:som,bpp,own"
FREE = [played_free(k, k, ("Ann", "Bob", "Cid"), stacks=(9000, 8000, 7000)) for k in range(12)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few hands suffice."""
    monkeypatch.setattr(walk, "_SPAN", 7)


def figures(hands: list[Hand], models: str, **options: Any) -> list[Any]:
    told: list[int] = []
    found = score(hands, models, progress=told.append, **options)
    return [found.to_dict(), list(map(str, found.skipped)), told]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"frozen": True},
        {"frozen": True, "warmup": 9},
        {"warmup": 9, "which": Filter("player=Ann")},
        {"frozen": True, "warmup": 5, "which": Filter("player=Ann")},
        {"warmup": 100},
    ],
)
def test_the_number_of_processes_changes_nothing(options: dict[str, Any]) -> None:
    hands = [*HANDS[:10], FREE[0], *HANDS[10:30]]  # some of the models do not read no limit
    one, two = (figures(hands, MODELS, jobs=jobs, **options) for jobs in (1, 2))
    assert one == two
    assert one[1] == []
    assert one[2] == list(range(1, 32))


@pytest.mark.parametrize("frozen", [False, True])
def test_sizes_by_several_processes(frozen: bool) -> None:
    one, two = (figures([*SIX_HANDED, *FREE], "adaptive", jobs=jobs, frozen=frozen, warmup=3) for jobs in (1, 2))
    assert one == two
    assert one[0]["models"][0]["size_log_loss"] > 0


def test_spans_add_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for rounding."""
    in_spans = figures(HANDS, "som", frozen=True)[0]
    monkeypatch.setattr(walk, "_SPAN", 1000)
    whole = figures(HANDS, "som", frozen=True)[0]
    close(in_spans, whole)


def close(one: Any, two: Any) -> None:
    if isinstance(one, dict):
        assert list(one) == list(two)
        one, two = list(one.values()), list(two.values())
    if isinstance(one, list):
        assert len(one) == len(two)
        for each, other in zip(one, two, strict=True):
            close(each, other)
    else:
        assert one == (pytest.approx(two, rel=1e-12) if isinstance(two, float) else two)


def test_means_are_added() -> None:
    rng = np.random.default_rng(3)
    whole, parts = Mean(), [Mean() for _ in range(3)]
    for number in range(30):
        for value in rng.normal(size=rng.integers(1, 5)):
            whole.add(number, value)
            parts[number // 10].add(number, value)
    total = Mean()
    for part in parts:
        total.absorb(part)
    assert total.n == whole.n
    assert total.value == pytest.approx(whole.value)
    assert total.ci95 == pytest.approx(whole.ci95)
    total.add(0, 1.0)  # of another hand, whatever its number
    assert total.n == whole.n + 1
    assert total.over_hands()[0] == 31


@pytest.mark.parametrize("frozen", [False, True])
def test_an_interruption_keeps_what_is_whole(frozen: bool) -> None:
    """All models have the same hands then."""

    def interrupted() -> Iterator[Hand]:
        yield from HANDS[:24]
        raise KeyboardInterrupt

    found = score(interrupted(), "som,loki1", warmup=2, frozen=frozen, jobs=2)
    assert found.interrupted
    assert found.learnt == 2
    assert found.learnt + found.hands in (2, 2 + 7, 2 + 14, 2 + 21, 7, 14, 21)
    expected = score(HANDS[: found.learnt + found.hands], "som,loki1", warmup=2, frozen=frozen)
    for name in expected:
        assert found[name].to_dict() == expected[name].to_dict()


def test_an_error_of_a_reader_is_raised() -> None:
    with Processes(2) as processes, pytest.raises(ValueError, match="unknown model 'sam'"):
        score(HANDS, "som,sam", executor=processes)
