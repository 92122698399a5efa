"""Map a function over items: on threads for kernels that release the GIL, in processes for Python."""

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

#: Called with the number of items done and the number of all items.
Progress = Callable[[int, int], None]


def map_threads(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """``map(function, items)`` on `jobs` threads: results in the order of the items.

    Only a few items are in progress at a time, so that results do not pile up. An exception, ``KeyboardInterrupt``
    included, is raised when these are done.
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

    Only a few items are in progress at a time. ``close`` ends the map without waiting for them; their results are lost.
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
        with warnings.catch_warnings():  # joblib warns that results are lost
            warnings.filterwarnings("ignore", message=r".*adjusting the input task", category=UserWarning)
            results.close()
