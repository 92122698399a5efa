"""What an act makes of a weight table: the C functions of ``pokermodel/reweighting.h``."""

from libc.stddef cimport ptrdiff_t


cdef extern from "pokermodel/reweighting.h" nogil:
    enum:
        PM_CORRECTIONS

    ctypedef struct pm_ramp:
        bint always

    pm_ramp pm_make_ramp(double mu, double sigma, bint compensate)
    double pm_ramp_factor(const pm_ramp *ramp, double value)
    double pm_posterior(
        const double *weights, const double *p, ptrdiff_t stride, ptrdiff_t n, double *after
    )
    void pm_mean_triple(const double *weights, const double *triples, ptrdiff_t n, double *mean)
    void pm_correct(const double *theta, const double *predicted, int legal, double *logs, double *chances)
    void pm_learn_act(double *theta, double *information, const double *predicted, int legal, int act)
