# The table of kernels for the instruction set in use: `from pokermodel._core.simd cimport kernels`.

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int8_t, uint8_t, uint16_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/evaluation/pairs.h" nogil:
    ctypedef void (*pm_compare_rows)(
        const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins, uint16_t *ties
    ) noexcept nogil


cdef extern from "pokermodel/evaluation/cells.h" nogil:
    ctypedef void (*pm_add_pairs)(
        const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight, double hero_weight, int n,
        double *hero, double *won, double *tied, double *lost
    ) noexcept nogil

    ctypedef void (*pm_sum_pairs)(
        const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight, int n, double *hero
    ) noexcept nogil


cdef extern from "pokermodel/evaluation/batch.h" nogil:
    ctypedef ptrdiff_t (*pm_rank_rows)(
        const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n, uint16_t *ranks
    ) noexcept nogil


cdef struct Kernels:
    pm_rank_rows rank_rows
    pm_compare_rows compare_rows
    pm_add_pairs add_pairs
    pm_sum_pairs sum_pairs


cdef const Kernels *kernels() noexcept nogil

# The level of vector instructions in use, by its number in pokermodel/vectors/simd.h.
cdef int level_in_use() noexcept nogil
