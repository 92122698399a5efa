# The likelihood of a choice, for other kernels.

from libc.stdint cimport int16_t, uint8_t, uint16_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/holding_features.h" nogil:
    enum:
        PM_HOLDING_FEATURES
        PM_HOLDING_ROWS
        PM_NO_CLASS

    ctypedef struct pm_holding_classes:
        int n
        uint16_t of[1326]
        int16_t rows[1326 * 4]

    void pm_holding_codes(
        const pm_evaluator *e, const int *board, int board_cards, const double *strengths, const double *before,
        uint8_t *codes) noexcept
    void pm_holding_codes_preflop(const double *shares, uint8_t *codes) noexcept
    void pm_holding_classes_of(
        const uint8_t *codes, const double *strengths, int board_cards, pm_holding_classes *classes) noexcept


cdef extern from "pokermodel/likelihood.h" nogil:
    enum:
        PM_HIDDEN
        PM_MIXED
        PM_OUT
        PM_EFFECTS
        PM_BASIS
        PM_ACTS
        PM_SLOPE
        PM_CELLS_BEFORE
        PM_CELLS_AFTER
        PM_CELLS
        PM_LEVELS
        PM_SIDE

    ctypedef struct pm_likelihood:
        const float *situation
        const float *holding
        const float *mix
        const float *mix_bias
        const float *out
        const float *out_bias
        const float *direct_situation
        const float *direct_holding
        const double *loadings

    ctypedef struct pm_likelihood_gradient:
        float *situation
        float *holding
        float *mix
        float *mix_bias
        float *out
        float *out_bias
        float *direct_situation
        float *direct_holding
        double *loadings

    void pm_likelihood_effects(
        const pm_likelihood *net, const int16_t *basis, const double *levels, const double *u, const double *offsets,
        float *out, float *bias) noexcept
    int pm_side_row(int side, int cell) noexcept
    void pm_levels_narrow(double *covariance, const int16_t *basis, const double *slope, double worth) noexcept
    void pm_likelihood_by_effects(
        const pm_likelihood *net, const int16_t *basis, const double *slope, double *to) noexcept
    void pm_likelihood_by_loadings(const int16_t *basis, const double *slope, const double *u, double *to) noexcept
    void pm_gaussian_narrow(double *covariance, const double *direction, double worth) noexcept
    void pm_likelihood_situation(
        const pm_likelihood *net, const int16_t *rows, int n, const float *bias, float *hidden, float *direct) noexcept
    void pm_likelihood_slope(double a, const float *m, double *row) noexcept
    void pm_likelihood_back(
        const pm_likelihood *net, const float *mix_transposed, const float *out, const int16_t *rows, const float *h,
        const float *m, const float *by_z, pm_likelihood_gradient *to, float *passed) noexcept

    ctypedef void (*pm_likelihood_classes)(
        const pm_likelihood *net, const float *hidden, const float *direct, const float *out, const int16_t *rows,
        int n, const float *legal, float *h, float *m, float *p
    ) noexcept nogil
    ctypedef void (*pm_likelihood_sums)(
        const double *belief, int n, const float *p, const float *m, double (*sums)[17]
    ) noexcept nogil

    ctypedef struct pm_likelihood_kernels:
        pm_likelihood_classes classes
        pm_likelihood_sums sums

    pm_likelihood_kernels pm_likelihood_kernels_at(int level) noexcept


cdef class HoldingClasses:
    cdef pm_holding_classes c


cdef class Likelihood:
    cdef pm_likelihood net
    cdef float transposed[512]  # PM_MIXED rows of PM_HIDDEN
    cdef int situation_rows
    cdef readonly tuple weights

    cdef int check(self, const int16_t[:, ::1] rows, const int16_t[:, ::1] basis) except -1
