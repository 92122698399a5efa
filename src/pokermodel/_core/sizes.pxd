# Sizes of bets and raises, for other kernels.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

from pokermodel._core.features cimport pm_features


cdef extern from "pokermodel/readers/key_rows.h" nogil:
    ctypedef struct pm_key_rows:
        int64_t *key
        int32_t rows

    void pm_key_rows_free(pm_key_rows *rows) noexcept
    int32_t pm_key_rows_find(const pm_key_rows *rows, int64_t key) noexcept
    int32_t pm_key_rows_make(pm_key_rows *rows, int64_t key) noexcept


cdef extern from "pokermodel/readers/sizes.h" nogil:
    enum:
        PM_SIZE_CELLS
        PM_SIZE_HIDDEN
        PM_SIZE_KINDS
        PM_SIZE_HABITS
        PM_SIZE_SIDES
        PM_SIZE_DIVISIONS
        PM_SIZE_COMPARED
        PM_SIZE_EXPECTED
        PM_SIZE_TERMS
        PM_SIZE_TIERS
        PM_SIZE_BINS
        PM_SIZE_CONTEXTS
        PM_SIZE_PLACES
        PM_SIZE_QUARTERS
        PM_SIZE_STRENGTHS
        PM_SIZE_CLASSES
    const int PM_SIZE_FIRST_HABIT[PM_SIZE_KINDS]
    double PM_SIZE_SHARE
    double PM_SIZE_BIN_WIDTH
    double PM_SIZE_FLOOR

    ctypedef struct pm_size_range:
        int low
        int high
        int least
        int most

    ctypedef struct pm_size_network:
        const float *weights
        const float *hidden
        const float *out
        const float *mixing
        int rows

    ctypedef struct pm_size_told:
        const float *chosen[PM_SIZE_DIVISIONS]
        const float *expected[PM_SIZE_COMPARED]

    void pm_size_everybody(
        const pm_size_network *network, const int16_t *rows, int n, const pm_size_range *range, const int *habits,
        double *forecast) noexcept
    void pm_size_terms(
        const pm_size_range *range, const double *forecast, const pm_size_told *told, double *terms,
        double *seen) noexcept
    void pm_size_mix(
        const pm_size_network *network, const pm_size_range *range, int tier, int side, const double *terms,
        const double *seen, double power, double *forecast) noexcept
    double pm_size_power(const float *expected) noexcept
    void pm_size_learn_power(const double *forecast, const uint8_t *class_of, int cell, float *expected) noexcept
    void pm_size_count(int cell, float *chosen) noexcept

    ctypedef struct pm_size_counts:
        const pm_key_rows *rows[2]
        const float *table[2]

    pm_size_range pm_size_room_of(
        const double *borders, int64_t least, int64_t most, int64_t stay, double after) noexcept
    int pm_size_context(const pm_features *f) noexcept
    void pm_size_habits(const pm_features *f, int *habits) noexcept
    void pm_size_places(int context, int low, const int *habits, int *places) noexcept


cdef class KeyRows:
    cdef pm_key_rows c


cdef class SizeNetwork:
    cdef pm_size_network c
    cdef const float[:, ::1] weights
    cdef const float[:, ::1] hidden
    cdef const float[:, ::1] out
    cdef const float[:, :, :, ::1] mixing
