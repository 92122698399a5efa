"""A bounded cache that threads can share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from pokermodel._support.checks import check_least

__all__ = ["Cache", "CacheInfo"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class CacheInfo(NamedTuple):
    """Contents and statistics of a cache."""

    #: Numbers of look-ups that found a value, and that did not.
    hits: int
    misses: int
    #: Number of entries, and their size in bytes.
    entries: int
    nbytes: int
    #: Largest size in bytes.
    limit: int


class Cache(Generic[K, V]):
    """A cache of values by key, limited in bytes; the least recently used values are dropped first.

    Raises `ValueError` if `limit` is negative.

    Parameters
    ----------
    limit : int
        Largest size of all values together, in bytes.
    """

    def __init__(self, limit: int) -> None:
        self._lock = Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._nbytes = self._hits = self._misses = 0
        self._limit = 0
        self.resize(limit)

    def get(self, key: K) -> V | None:
        """Return the value of a key, or None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self._misses += 1
                return None
            self._hits += 1
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value of a size in bytes; a value larger than the limit is not kept."""
        with self._lock:
            if nbytes > self._limit:
                return
            self._nbytes -= self._entries.pop(key, (None, 0))[1]
            self._entries[key] = value, nbytes
            self._nbytes += nbytes
            self._shrink()

    def _shrink(self) -> None:
        while self._nbytes > self._limit:
            self._nbytes -= self._entries.popitem(last=False)[1][1]

    def resize(self, limit: int) -> None:
        """Change the limit in bytes; raises `ValueError` if `limit` is negative."""
        check_least("the limit of a cache in bytes", limit, 0)
        with self._lock:
            self._limit = limit
            self._shrink()

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()
            self._nbytes = self._hits = self._misses = 0

    def info(self) -> CacheInfo:
        """Return the current contents and statistics."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, len(self._entries), self._nbytes, self._limit)
