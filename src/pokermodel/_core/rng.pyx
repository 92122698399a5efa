"""Streams of random numbers (``pokermodel/dealing/random.h``), for tests of the generator."""

from libc.stdint cimport uint32_t, uint64_t


cdef int stream_init(pm_random *random, const uint64_t[::1] words) except -1:
    """Start a stream from four words."""
    if words.shape[0] != 4:
        raise ValueError(f"a stream starts from 4 words, got {words.shape[0]}")
    pm_random_seed(random, &words[0])
    return 0


def fill_words(const uint64_t[::1] words, uint64_t[::1] out):
    """Fill `out` with the first draws of 64 bits of the stream that starts from four `words`.

    Raises
    ------
    ValueError
        If there are not four words.
    """
    cdef pm_random random
    cdef Py_ssize_t k
    stream_init(&random, words)
    for k in range(out.shape[0]):
        out[k] = pm_random_next(&random)


def fill_below(const uint64_t[::1] words, uint32_t n, uint32_t[::1] out):
    """Fill `out` with integers 0..n-1.

    Raises
    ------
    ValueError
        If there are not four words, or `n` is 0.
    """
    cdef pm_random random
    cdef Py_ssize_t k
    stream_init(&random, words)
    if n == 0:
        raise ValueError("there is no integer below 0: expected n >= 1")
    for k in range(out.shape[0]):
        out[k] = pm_random_below(&random, n)


def fill_doubles(const uint64_t[::1] words, double[::1] out):
    """Fill `out` with numbers of [0, 1).

    Raises
    ------
    ValueError
        If there are not four words.
    """
    cdef pm_random random
    cdef Py_ssize_t k
    stream_init(&random, words)
    for k in range(out.shape[0]):
        out[k] = pm_random_double(&random)
