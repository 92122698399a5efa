"""Processes that are forked while a test runs."""

from __future__ import annotations

import os

import pytest


def noted_forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of processes that are forked from now on."""
    pids: list[int] = []
    fork = os.fork

    def noted() -> int:
        pid = fork()
        pids.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", noted)
    return pids
