"""Choice of the vector instructions at run time: one table of function pointers for the whole process."""

from libc.stdint cimport int8_t, uint16_t


cdef extern from "pokermodel/vectors/simd.h" nogil:
    enum: PM_SIMD_LEVELS
    int pm_simd_supported() noexcept
    int pm_simd_supports(int level) noexcept


cdef extern from "pokermodel/evaluation/pairs.h" nogil:
    int PM_ROW_LANES
    int PM_ROW_MOST


cdef extern from "pokermodel/vectors/kernels.h" nogil:
    ctypedef struct pm_kernels:
        pm_rank_rows rank_rows
        pm_compare_rows compare_rows
        pm_add_pairs add_pairs
        pm_sum_pairs sum_pairs

    pm_kernels pm_kernels_at(int level) noexcept


cdef extern from *:
    """
    /* Threads ask for the table while another one chooses it: a pointer that is written and read whole, as any 64-bit
       processor does with one that is aligned; the compiler has to be told. */
    #if defined(__GNUC__)
    #define pm_publish(to, table) __atomic_store_n(&(to), (table), __ATOMIC_RELEASE)
    #define pm_published(from) __atomic_load_n(&(from), __ATOMIC_ACQUIRE)
    #else
    #define pm_publish(to, table) (*(const void *volatile *)&(to) = (table))
    #define pm_published(from) (*(const void *volatile *)&(from))
    #endif
    """
    void pm_publish(const Kernels *to, const Kernels *table) noexcept nogil
    const Kernels *pm_published(const Kernels *table) noexcept nogil


# One table a level, which never changes once it may be in use: a table that is filled anew would be read half.
cdef Kernels[PM_SIMD_LEVELS] TABLES
cdef const Kernels *IN_USE = NULL


cdef const Kernels *kernels() noexcept nogil:
    return pm_published(IN_USE)


cdef int level_in_use() noexcept nogil:
    return <int> (pm_published(IN_USE) - &TABLES[0])


def available():
    """Return the levels that this processor supports: 0 portable, 1 SSE2, 2 AVX2, 3 AVX-512, 4 NEON."""
    return tuple([wanted for wanted in range(PM_SIMD_LEVELS) if pm_simd_supports(wanted)])


def level():
    """Return the level in use."""
    return level_in_use()


def use(int wanted):
    """Use a level from now on, in all threads.

    Raises
    ------
    ValueError
        If this processor does not support the level.
    """
    if not pm_simd_supports(wanted):
        raise ValueError(f"SIMD level {wanted} is not supported here: expected one of {available()}")
    pm_publish(IN_USE, &TABLES[wanted])


def compare_rows(const int8_t[:, ::1] left, const int8_t[:, ::1] right, uint16_t[:, ::1] wins, uint16_t[:, ::1] ties):
    """Count the entries in which each row of `left` beats and ties each row of `right`.

    Parameters
    ----------
    left, right : buffer of int8, shape (m, length) and (n, length)
        Rows; `length` is a multiple of 64 up to 1280, and the first byte is aligned to 64.
    wins, ties : buffer of uint16, shape (m, n)
        Filled.

    Raises
    ------
    ValueError
        If shapes or alignment do not fit.
    """
    cdef int length = <int> left.shape[1]
    cdef Py_ssize_t m = left.shape[0]
    cdef Py_ssize_t n = right.shape[0]
    cdef Py_ssize_t row
    if right.shape[1] != length or length % PM_ROW_LANES or length > PM_ROW_MOST:
        raise ValueError(f"rows must have one length, a multiple of {PM_ROW_LANES} up to {PM_ROW_MOST}")
    if wins.shape[0] != m or wins.shape[1] != n or ties.shape[0] != m or ties.shape[1] != n:
        raise ValueError(f"wins and ties must have shape ({m}, {n})")
    if m == 0 or n == 0 or length == 0:
        wins[:] = 0
        ties[:] = 0
        return
    if <size_t> &left[0, 0] % 64 or <size_t> &right[0, 0] % 64:
        raise ValueError("rows must begin at a multiple of 64 bytes")
    with nogil:
        for row in range(m):
            kernels().compare_rows(&left[row, 0], &right[0, 0], length, <int> n, &wins[row, 0], &ties[row, 0])


def add_pairs(
    const uint16_t[:, ::1] counts, const double[::1] weight, double hero_weight, double[::1] hero, double[:, ::1] others
):
    """Add the pairs of one holding, the hero, with `n` others to the sums of both sides.

    Parameters
    ----------
    counts : buffer of uint16, shape (3, n)
        How often the hero wins, ties and loses.
    weight : buffer of float64, shape (n,)
        The others' weights.
    hero_weight : float
        The hero's weight.
    hero : buffer of float64, shape (3,)
        Increased by the sums of the others' weights times each row of counts.
    others : buffer of float64, shape (3, n)
        Increased by the hero's weight times the losses, ties and wins of the hero.

    Raises
    ------
    ValueError
        If shapes do not fit.
    """
    cdef Py_ssize_t n = weight.shape[0]
    if counts.shape[0] != 3 or counts.shape[1] != n or others.shape[0] != 3 or others.shape[1] != n:
        raise ValueError(f"counts and others must have shape (3, {n})")
    if hero.shape[0] != 3:
        raise ValueError(f"hero must have shape (3,), got ({hero.shape[0]},)")
    if n == 0:
        return
    with nogil:
        kernels().add_pairs(
            &counts[0, 0], &counts[1, 0], &counts[2, 0], &weight[0], hero_weight, <int> n, &hero[0],
            &others[0, 0], &others[1, 0], &others[2, 0],
        )


cdef void fill_tables() noexcept:
    cdef pm_kernels found
    for number in range(PM_SIMD_LEVELS):
        if pm_simd_supports(number):
            found = pm_kernels_at(number)
            TABLES[number].rank_rows = found.rank_rows
            TABLES[number].compare_rows = found.compare_rows
            TABLES[number].add_pairs = found.add_pairs
            TABLES[number].sum_pairs = found.sum_pairs


fill_tables()
use(pm_simd_supported())
