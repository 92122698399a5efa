# What is known of populations and players.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from pokermodel._core.likelihood cimport pm_holding_classes, pm_kept_units, pm_step, pm_walk


cdef extern from "pokermodel/readers/population.h" nogil:
    enum:
        PM_TIERS
        PM_GRIDS
        PM_FACTOR
        PM_COVARIANCE
        PM_HOLDING_BYTES
        PM_TABLE_KINDS
        PM_GROUPS
        PM_HABITS

    ctypedef struct pm_people:
        int cells
        bint habits
        double scale[2]
        double strength[8]
        double *mean[2]
        double *columns[2]
        int known[2]
        int64_t *key
        double *table
        int rows
        int kinds
        float *kind_effects
        float *kind_logs
        double *kind_told

    ctypedef struct pm_played:
        int players
        int features
        int population
        const int32_t *number
        const int32_t *acts_of
        const int32_t *holding
        const uint8_t *mucked
        const int16_t *rows
        const int16_t *basis
        const int16_t *cells
        const int16_t *acts
        const float *legal
        const uint8_t *rounds
        const uint8_t *live
        const uint8_t *losing
        const pm_holding_classes *classes[4]
        const double *begin

    void pm_unseen_holdings(uint64_t seen, uint8_t *set) noexcept
    void pm_people_free(pm_people *people) noexcept
    int pm_people_kinds(pm_people *people, int kinds, const float *effects, const float *logs) noexcept
    void pm_kind_shares(
        const pm_people *people, int population, const double *begin, double *shares) noexcept
    void pm_kind_effects(const pm_people *people, const double *shares, double *effects) noexcept
    void pm_kind_offsets(
        const pm_people *people, const double *shares, const int16_t *cells, double *offsets) noexcept
    int pm_people_number(pm_people *people, int tier, int n) noexcept
    int64_t pm_factor_key(const pm_people *people, int tier, int number, int cell) noexcept
    int pm_factor_row(const pm_people *people, int64_t key) noexcept
    int pm_factor_make(pm_people *people, int64_t key) noexcept
    void pm_factor_rows(const pm_people *people, const int *number, const int16_t *cells, int32_t *rows) noexcept
    int pm_kept_cells(const pm_people *people) noexcept
    const float *pm_habits(
        const pm_people *people, const int *number, const int16_t *cells, float *habits) noexcept
    void pm_people_effects(const pm_people *people, const int *number, double *effects) noexcept
    int pm_people_learn(
        pm_people *people, pm_walk *walk, pm_kept_units *units, const pm_played *hand) noexcept
    float *pm_step_room(pm_step *step, pm_kept_units *units, int features, uint32_t since, float *space) noexcept
    double pm_posterior_of_classes(
        const double *weights, const uint16_t *of, int classes, const float *p, int act, double *after) noexcept


cdef class KnownPopulation:
    cdef pm_people c
    cdef object levels
    cdef const double *take_begin(self, const double[::1] begin) except? NULL
    cdef int check_tier(self, int tier) except -1
    cdef int check_number(self, int tier, int number, int least) except -1
