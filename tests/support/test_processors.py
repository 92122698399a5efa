"""How many processors a process may use, in a container, too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokermodel._support import processors as module
from pokermodel._support.checks import check_jobs
from pokermodel._support.processors import processors
from pokermodel.executors import Processes


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the system says what a container may use: nothing so far; the machine has eight processors."""
    monkeypatch.setattr(module, "_GROUPS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda who: set(range(8)), raising=False)
    processors.cache_clear()
    yield tmp_path
    processors.cache_clear()


def test_all_there_are(groups: Path) -> None:
    assert processors() == 8


def test_where_no_system_says_which_are_ours(groups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    for there, expected in ((6, 6), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda there=there: there)
        processors.cache_clear()
        assert processors() == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [("max 100000", 8), ("150000 100000", 2), ("10000 100000", 1), ("1600000 100000", 8), ("", 8), ("many 1", 8)],
)
def test_a_container(groups: Path, told: str, expected: int) -> None:
    (groups / "cpu.max").write_text(told + "\n")
    assert processors() == expected


@pytest.mark.parametrize(("quota", "expected"), [("-1", 8), ("300000", 3), ("250000", 3)])
def test_a_container_of_the_older_kind(groups: Path, quota: str, expected: int) -> None:
    (groups / "cpu").mkdir()
    (groups / "cpu" / "cpu.cfs_quota_us").write_text(quota + "\n")
    (groups / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert processors() == expected


def test_as_many_threads_as_a_container_has(groups: Path) -> None:
    (groups / "cpu.max").write_text("300000 100000\n")
    assert check_jobs(None) == Processes().jobs == 3
