"""One function for many items: on threads for kernels that release the GIL, in processes for Python."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

__all__ = ["Progress", "map_processes", "map_threads"]

T = TypeVar("T")
R = TypeVar("R")

#: Told after every chunk how many are done, and of how many.
Progress = Callable[[int, int], None]


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


def map_processes(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Generator[R]:
    """``map(function, items)`` by joblib in `jobs` processes: results in the order of the items.

    No more than a few items are under way at a time. ``close`` ends it without waiting for them; what they would have
    given is lost.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from joblib import Parallel, delayed  # type: ignore[import-untyped]

    run = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)
    results = run(delayed(function)(item) for item in items)
    try:
        for result in results:  # noqa: UP028 - `yield from` would close it before `finally` is reached
            yield result
    finally:
        with warnings.catch_warnings():  # joblib tells whoever ends it early that work was in vain
            warnings.filterwarnings("ignore", message=r".*adjusting the input task", category=UserWarning)
            results.close()
