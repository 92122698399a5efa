# The generator of every kernel that deals or plays: `from pokermodel._core.rng cimport pm_random_below`.

from libc.stdint cimport uint32_t, uint64_t


cdef extern from "pokermodel/dealing/random.h" nogil:
    ctypedef struct pm_random:
        uint64_t s[4]

    void pm_random_seed(pm_random *random, const uint64_t *words) noexcept
    uint64_t pm_random_next(pm_random *random) noexcept
    uint32_t pm_random_below(pm_random *random, uint32_t n) noexcept
    double pm_random_double(pm_random *random) noexcept


cdef int stream_init(pm_random *random, const uint64_t[::1] words) except -1
