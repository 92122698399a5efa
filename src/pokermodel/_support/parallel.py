"""Map a function over items on threads, for kernels that release the GIL."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Progress", "map_futures", "map_threads"]

T = TypeVar("T")
R = TypeVar("R")

#: Called with the number of items done and the number of all items.
Progress = Callable[[int, int], None]


def map_threads(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Generator[R, None, None]:
    """``map(function, items)`` on `jobs` threads: results in the order of the items.

    Only a few items are in progress at a time, so that results do not pile up. An exception, ``KeyboardInterrupt``
    included, is raised when these are done.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # which brings logging

    with ThreadPoolExecutor(jobs) as pool:
        yield from map_futures(lambda item: pool.submit(function, item), items, 2 * jobs)


def map_futures(
    submit: Callable[[T], Future[R]], items: Iterable[T], window: int, *, cancel: bool = True
) -> Generator[R, None, None]:
    """Results of the work submitted for each item, in the order of the items, at most `window` at a time.

    Items are taken by the caller's thread. What has not begun at the end is cancelled, if that is wanted.
    """
    rest = iter(items)
    under_way = deque(submit(item) for item in islice(rest, window))
    try:
        while under_way:
            yield under_way.popleft().result()
            under_way.extend(submit(item) for item in islice(rest, 1))
    finally:
        for future in under_way if cancel else ():
            future.cancel()
