# The likelihood of a choice, for other kernels.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/readers/holding_features.h" nogil:
    enum:
        PM_HOLDING_FEATURES
        PM_HOLDING_ROWS
        PM_NO_CLASS

    ctypedef struct pm_holding_classes:
        int n
        int suit
        uint16_t of[1326]
        int16_t *rows

    ctypedef struct pm_board_scores:
        int suit

    void pm_holding_keys(
        const pm_evaluator *e, const int *board, int board_cards, const pm_board_scores *before,
        pm_board_scores *scores, uint16_t *keys) noexcept
    void pm_holding_keys_preflop(const double *shares, uint16_t *keys) noexcept
    void pm_holding_classes_of(const uint16_t *keys, int board_cards, pm_holding_classes *classes) noexcept


cdef extern from "pokermodel/readers/likelihood.h" nogil:
    enum:
        PM_HIDDEN
        PM_MIXED
        PM_OUT
        PM_EFFECTS
        PM_BASIS
        PM_PLACE
        PM_REPLIES
        PM_STANDINGS
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
        const float *replies
        const float *standings

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

    int pm_side_row(int side, int cell) noexcept
    int pm_padded_classes(int n) noexcept
    void pm_levels_narrow(double *covariance, const int16_t *basis, const double *slope, double worth) noexcept

    ctypedef struct pm_likelihood_kernels:
        pass

    pm_likelihood_kernels pm_likelihood_kernels_at(int level) noexcept


cdef extern from "pokermodel/readers/follow.h" nogil:
    double pm_gather(const pm_holding_classes *classes, const double *weights, double *masses) noexcept

    ctypedef struct pm_step:
        const pm_holding_classes *classes
        const int16_t *rows
        const int16_t *basis
        const float *legal
        int act
        float *h
        float *m
        float *p
        bint known
        const float *habits

    ctypedef struct pm_class_masses:
        pass

    ctypedef struct pm_act_told:
        pass

    ctypedef struct pm_walk:
        const pm_likelihood *net
        pm_likelihood_kernels kernels
        pm_step *steps
        int n
        int features
        bint made[2]

    void pm_pairs_in_order(const pm_step *step) noexcept
    void pm_step_chances(
        pm_walk *walk, pm_step *step, const double *levels, const double *effects, const double *offsets) noexcept
    void pm_standings_apply(const pm_likelihood *net, const pm_step *step, const double *shares) noexcept
    double pm_follow_ahead(
        pm_walk *walk, const double *levels, const double *effects, const double *offsets, double *weights,
        const pm_class_masses *before, int shown, double *forecasts, double *directions, double *kept,
        pm_act_told *told, double *ends) noexcept
    void pm_follow_back(
        const pm_walk *walk, const float *transposed, const double *effects, const double *weights,
        const double *ends, int shown, double *gradient, pm_likelihood_gradient *learnt, double *kept,
        const pm_act_told *told, double *hindsight) noexcept
    void pm_shares_of_classes(const double *weights, const uint16_t *of, int classes, double *shares) noexcept
    void pm_predicted(const double *shares, int classes, const float *p, double *predicted) noexcept
    void pm_believe(
        pm_likelihood_kernels kernels, double *mean, double *columns, const double *gradient,
        const double *directions, const double *forecasts, int n) noexcept


cdef extern from "pokermodel/readers/population.h" nogil:
    ctypedef struct pm_kept_units:
        const pm_holding_classes *classes
        unsigned now

    void pm_kept_free(pm_kept_units *units) noexcept
    void pm_factor_logs(
        const double *table, const double *strength, const int32_t *rows, int n, double *offsets) noexcept
    void pm_factor_learn(
        double *table, const double *strength, const int32_t *rows, int n, int act, const double *forecast) noexcept


cdef class HoldingClasses:
    cdef pm_holding_classes c
    cdef pm_board_scores scores
    cdef int board_cards
    cdef int board[5]


cdef class Likelihood:
    cdef pm_likelihood net
    cdef float transposed[512]  # PM_MIXED rows of PM_HIDDEN
    cdef int situation_rows
    cdef pm_kept_units units   # of situations before the flop
    cdef HoldingClasses of_units
    cdef readonly tuple weights
    cdef readonly object replies  # of PM_OUT numbers a class
    cdef readonly object standings

    cdef void keep_units(self, HoldingClasses classes) noexcept
    cdef int check(self, const int16_t[:, ::1] rows, const int16_t[:, ::1] basis) except -1
    cdef void begin(self, pm_walk *walk, pm_step *steps, int n, int features) noexcept
