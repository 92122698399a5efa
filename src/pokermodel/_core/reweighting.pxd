"""What an act makes of a weight table: the C functions of ``reweighting.h`` and ``table_kernels.h``."""

from libc.stddef cimport ptrdiff_t

from pokermodel._core.triples cimport pm_generator, pm_spot


cdef extern from "pokermodel/ranges/reweighting.h" nogil:
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
    pm_ramp pm_make_falling_ramp(double mu, double sigma, bint compensate)
    double pm_ramp_factor(const pm_ramp *ramp, double value)
    void pm_ramp_factors(const pm_ramp *ramp, const double *values, ptrdiff_t n, double *factors)
    void pm_ramp_triple(double raised, double stays, bint may_raise, double *fold, double *call, double *raises)
    void pm_mean_triple(const double *weights, const double *triples, ptrdiff_t n, double *mean)
    void pm_correct(const double *theta, const double *predicted, int legal, double *logs, double *chances)
    void pm_learn_act(double *theta, double *information, const double *predicted, int legal, int act)


cdef extern from "pokermodel/ranges/table_kernels.h" nogil:
    ctypedef struct pm_table_kernels:
        void (*ramp_forecast)(
            const pm_ramp_acts *acts, const double *values, const double *potentials, const double *weights,
            ptrdiff_t n, double *mean
        ) noexcept nogil
        void (*ramp_weights)(
            const pm_ramp *ramp, const double *values, const double *weights, const unsigned char *exempt,
            const unsigned char *live, double least, ptrdiff_t n, double *after
        ) noexcept nogil
        double (*posterior)(
            const double *weights, const double *p, ptrdiff_t stride, ptrdiff_t n, double least, double *after
        ) noexcept nogil
        void (*expected_triples)(
            const pm_generator *g, const pm_spot *spot, const double *values, const double *potentials,
            const double *weights, ptrdiff_t n, double *triples, double *mean
        ) noexcept nogil
        bint (*merge_tables)(
            const double *const *tables, int count, bint maximum, ptrdiff_t n, double *scaled, double *merged
        ) noexcept nogil

    const pm_table_kernels *pm_table_kernels_at(int level) noexcept
