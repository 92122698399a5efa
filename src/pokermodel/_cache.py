"""A bounded cache that threads can share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from pokermodel._checks import check_least

__all__ = ["Cache", "CacheInfo"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class CacheInfo(NamedTuple):
    """What a cache holds and how it has fared."""

    #: Look-ups that found something, and those that did not.
    hits: int
    misses: int
    #: Number of entries, and bytes that they take.
    entries: int
    nbytes: int
    #: Bytes that they may take.
    limit: int


class Cache(Generic[K, V]):
    """Values by key, as many as fit into a number of bytes; those not used for longest go first.

    Parameters
    ----------
    limit : int
        Bytes that the values may take together.

    Raises
    ------
    ValueError
        If `limit` is negative.
    """

    def __init__(self, limit: int) -> None:
        self._lock = Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._nbytes = self._hits = self._misses = 0
        self._limit = 0
        self.resize(limit)

    def get(self, key: K) -> V | None:
        """Value of a key, or None."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self._misses += 1
                return None
            self._hits += 1
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value of so many bytes; one larger than the whole cache is not kept."""
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
        """Let the values take so many bytes from now on.

        Raises
        ------
        ValueError
            If `limit` is negative.
        """
        check_least("the limit of a cache in bytes", limit, 0)
        with self._lock:
            self._limit = limit
            self._shrink()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._nbytes = self._hits = self._misses = 0

    def info(self) -> CacheInfo:
        """What it holds now."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, len(self._entries), self._nbytes, self._limit)
