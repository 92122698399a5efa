# The table of kernels for the instruction set in use: `from pokermodel._core.simd cimport kernels`.

from libc.stdint cimport int8_t, uint16_t


cdef extern from "pokermodel/pairs.h" nogil:
    ctypedef void (*pm_compare_rows)(
        const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins, uint16_t *ties
    ) noexcept nogil


cdef struct Kernels:
    pm_compare_rows compare_rows


cdef const Kernels *kernels() noexcept nogil
