"""Sums of what is measured of a forecaster: the C functions of ``pokermodel/readers/measures.h``."""

from libc.stdint cimport int64_t, uint8_t


cdef extern from "pokermodel/readers/measures.h" nogil:
    enum:
        PM_TENTHS

    ctypedef struct pm_mean:
        int64_t n
        double total
        int64_t hand
        int64_t hands
        double sum
        int64_t count
        double squares
        double cross
        double counts

    ctypedef struct pm_act_loss:
        double loss
        double hit
        double uniform
        double chance[3]

    void pm_mean_begin(pm_mean *m)
    void pm_mean_close(pm_mean *m, int64_t next)
    void pm_mean_add(pm_mean *m, int64_t hand, double value)
    void pm_mean_absorb(pm_mean *m, pm_mean *other)
    bint pm_lose_act(const double *predicted, int legal, int act, double least, pm_act_loss *found)
    int pm_tenth(double chance)

cdef extern from "pokermodel/ranges/sums.h" nogil:
    double pm_pairwise_sum(const double *values, ptrdiff_t n)
    double pm_largest(const double *values, ptrdiff_t n, double least)
    double pm_smallest(const double *values, ptrdiff_t n, double most)
    void pm_live_weights(const double *weights, const uint8_t *live, ptrdiff_t n, double *out)
    ptrdiff_t pm_possible_weights(const double *weights, const uint8_t *live, ptrdiff_t n, double *out)
    double pm_log_moments(
        const double *weights, const uint8_t *live, ptrdiff_t n, double exponent, double *mean, double *square
    )


cdef class Sums:
    cdef pm_mean c


cdef class ActSums:
    cdef readonly Sums loss
    cdef readonly Sums hits
    cdef readonly Sums uniform


cdef class Tenths:
    cdef int64_t[:, ::1] counts
    cdef double[:, ::1] predicted
    cdef int64_t[:, ::1] observed
