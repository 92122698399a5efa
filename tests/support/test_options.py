"""Registries of kinds by name."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from pokermodel._support import options
from pokermodel._support.options import Registry


class Kind(NamedTuple):
    name: str


class Entry(NamedTuple):
    name: str = "late"


def test_two_threads_that_look_a_name_up_at_once(monkeypatch):
    """The second one waits for the modules that the first one imports."""
    registry: Registry[Kind] = Registry("kind", "?", "pokermodel.tests")
    begun, both = threading.Event(), threading.Event()

    def load(entry: Entry) -> None:
        begun.set()
        both.wait(0.2)
        registry.register(Kind("late"))

    monkeypatch.setattr(options, "entry_points", lambda group: [Entry()])
    monkeypatch.setattr(options, "is_own", lambda entry: True)
    monkeypatch.setattr(options, "load_own", load)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(registry.__getitem__, "late")
        begun.wait()
        second = pool.submit(registry.__getitem__, "late")
        assert second.result() == first.result() == Kind("late")
