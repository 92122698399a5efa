"""Checksums of what a book keeps, so that damage is found where it is read.

A database does not notice when a byte of a value changes. Rows have a checksum of their own. What is spread over many
rows, as the counters of a player and the hands that a piece has learnt, has a sum that grows with it, whatever the
order in which rows are written.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokermodel.learning.layout import ACTIONS, CONTEXTS

__all__ = ["PARTS", "Sums", "add_sums", "checksum", "counter_sums", "identity_sum", "name_sum", "part_of"]

#: Sums of a player's counters: of actions; of all else below `CONTEXTS`; of the richer contexts.
Sums: TypeAlias = tuple[int, int, int]
PARTS = 3
_MODULUS = 1 << 64
_IDENTITIES = 1 << 128


def checksum(*values: bytes | str | int | None) -> int:
    """CRC-32 of values, which also tells where one ends and the next begins."""
    crc = 0
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "backslashreplace")
        crc = zlib.crc32(data, zlib.crc32(b"%d:" % len(data), crc))
    return crc


def identity_sum(identities: Iterable[bytes], start: int = 0) -> int:
    """Sum of the identities of hands, which are 16 bytes each, in 16 bytes."""
    return sum((int.from_bytes(identity, "little") for identity in identities), start) % _IDENTITIES


def name_sum(names: Iterable[str], start: int = 0) -> int:
    """Sum of the checksums of names, in eight bytes."""
    return sum(map(checksum, names), start) % _MODULUS


@cache
def _weights() -> NDArray[np.uint64]:
    """A factor for each of the 65,536 counters: odd, so that no change of a count is lost (Steele et al. 2014)."""
    z = (np.arange(1, (1 << 16) + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) | np.uint64(1)


def part_of(counters: NDArray[np.int64]) -> NDArray[np.int64]:
    """The part, by its place in `Sums`, that each counter belongs to."""
    return (counters >= ACTIONS).astype(np.int64) + (counters >= CONTEXTS)


def counter_sums(
    counters: NDArray[np.int64], counts: NDArray[np.int64], rows: NDArray[np.int64] | None = None, number: int = 1
) -> list[Sums]:
    """Sums of counters by player.

    Parameters
    ----------
    counters, counts : ndarray of int64, shape (n,)
    rows : ndarray of int64, shape (n,), optional
        Which player each belongs to, 0 to ``number - 1``; all to one without.
    number : int
        How many players there are.
    """
    products = _weights()[counters] * counts.astype(np.uint64)
    at = part_of(counters) + (0 if rows is None else PARTS * rows)
    sums = np.zeros(PARTS * number, dtype=np.uint64)
    np.add.at(sums, at, products)
    return [(int(a), int(b), int(c)) for a, b, c in sums.reshape(number, PARTS)]


def add_sums(one: Sums, other: Sums) -> Sums:
    """Add sums."""
    return (
        (one[0] + other[0]) % _MODULUS,
        (one[1] + other[1]) % _MODULUS,
        (one[2] + other[2]) % _MODULUS,
    )
