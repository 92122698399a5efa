"""Streams of random numbers for work that is done in chunks.

A simulation is split into chunks by its size alone, and chunk `i` draws from the `i`-th stream of the seed. The result
therefore does not depend on the number of threads, or on the order in which they finish.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from pokermodel._support.arrays import Words

__all__ = ["RandomLike", "as_seed_sequence", "stream_words"]

#: Sources of randomness. A string, so that reading a hand does not import `numpy.random`.
RandomLike: TypeAlias = "int | np.integer | np.random.Generator | np.random.SeedSequence | None"


def as_seed_sequence(rng: RandomLike = None) -> np.random.SeedSequence:
    """Return the seed of a simulation.

    Parameters
    ----------
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        A seed, 0 or more; a generator, from which 256 bits are drawn, so that the next call gets another
        seed; a seed sequence, taken as it is and not changed; or nothing, for a seed from the operating
        system.

    Raises
    ------
    ValueError
        If it is something else, or a negative integer.
    """
    if rng is None:
        return np.random.SeedSequence()
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(0, 2**32, size=8, dtype=np.uint32).tolist())
    if not isinstance(rng, (int, np.integer)) or isinstance(rng, bool) or rng < 0:
        raise ValueError(f"{rng!r} is not a source of randomness: expected a seed >= 0, a Generator or a SeedSequence")
    return np.random.SeedSequence(int(rng))


def stream_words(seed: np.random.SeedSequence, streams: int) -> Words:
    """Start the streams of a seed, one for each chunk of work: uint64 (streams, 4), read-only.

    The seed is not changed: the same one gives the same streams. The first do not depend on how many there are.
    """
    entropy, key = seed.entropy, seed.spawn_key
    if type(entropy) is int:
        return _words(entropy, key, seed.pool_size, streams)
    return _new_words(entropy, key, seed.pool_size, streams)


def _new_words(entropy: Any, key: tuple[int, ...], pool_size: int, streams: int) -> Words:
    words = np.empty((streams, 4), dtype=np.uint64)
    for index in range(streams):
        child = np.random.SeedSequence(entropy, spawn_key=(*key, index), pool_size=pool_size)
        words[index] = child.generate_state(4, np.uint64)
    words.setflags(write=False)
    return words


_words = lru_cache(256)(_new_words)  # simulations of many hands begin with the same few seeds
