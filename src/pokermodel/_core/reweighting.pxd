"""What an act makes of a weight table: the C functions of ``pokermodel/reweighting.h``."""

from libc.stddef cimport ptrdiff_t


cdef extern from "pokermodel/reweighting.h" nogil:
    enum:
        PM_CORRECTIONS

    ctypedef struct pm_ramp:
        bint always

    ctypedef struct pm_ramp_acts:
        pm_ramp raising
        pm_ramp staying
        bint may_raise
        double odds

    pm_ramp pm_make_ramp(double mu, double sigma, bint compensate)
    double pm_ramp_factor(const pm_ramp *ramp, double value)
    void pm_ramp_factors(const pm_ramp *ramp, const double *values, ptrdiff_t n, double *factors)
    void pm_ramp_triple(double raised, double stays, bint may_raise, double *triple)
    void pm_ramp_forecast(
        const pm_ramp_acts *acts, const double *values, const double *potentials, const double *weights, ptrdiff_t n,
        double *mean
    )
    void pm_ramp_weights(
        const pm_ramp *ramp, const double *values, const double *weights, const unsigned char *exempt,
        const unsigned char *live, double least, ptrdiff_t n, double *after
    )
    double pm_posterior(
        const double *weights, const double *p, ptrdiff_t stride, ptrdiff_t n, double least, double *after
    )
    void pm_mean_triple(const double *weights, const double *triples, ptrdiff_t n, double *mean)
    void pm_correct(const double *theta, const double *predicted, int legal, double *logs, double *chances)
    void pm_learn_act(double *theta, double *information, const double *predicted, int legal, int act)
