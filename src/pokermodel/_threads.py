"""Kernels that release the GIL, on several threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

__all__ = ["Progress", "check_jobs", "map_threads"]

T = TypeVar("T")
R = TypeVar("R")

#: Told after every chunk how many are done, and of how many.
Progress = Callable[[int, int], None]


def check_jobs(jobs: int | None) -> int:
    """Return the number of threads: `jobs`, or one for each processor if None; `ValueError` below 1."""
    if jobs is None:
        return os.cpu_count() or 1
    if jobs < 1:
        raise ValueError(f"jobs must be 1 or more, got {jobs}")
    return int(jobs)


def map_threads(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """``map(function, items)`` on `jobs` threads: results in the order of the items.

    No more than a few items are under way at a time, so that results do not pile up, and an exception
    (``KeyboardInterrupt`` among them) ends it when these few are done.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    rest = iter(items)
    with ThreadPoolExecutor(jobs) as pool:
        under_way: deque[Future[R]] = deque(pool.submit(function, item) for item in islice(rest, 2 * jobs))
        try:
            while under_way:
                yield under_way.popleft().result()
                under_way.extend(pool.submit(function, item) for item in islice(rest, 1))
        finally:
            for future in under_way:
                future.cancel()
