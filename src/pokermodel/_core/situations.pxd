"""Features of a situation as numbers of bins: the C functions of ``pokermodel/readers/situations.h``."""

from libc.stdint cimport int16_t, uint8_t

from pokermodel._core.features cimport pm_features


cdef extern from "pokermodel/readers/situations.h" nogil:
    enum:
        PM_LIMIT_FEATURES
        PM_SIZED_FEATURES
        PM_BOARD_FEATURES
        PM_SITUATION_PLACE
        PM_SITUATION_REPLIES
        PM_SITUATION_CELLS

    void pm_situation_cells(const pm_features *f, int *cell)
    void pm_board_features(const uint8_t *board, int n, int *value) noexcept
    void pm_situation_rows(
        const pm_features *f, const int *board, int sized, const int16_t *firsts, int16_t *rows, int16_t *basis,
        int16_t *contexts) noexcept


# Writes the contexts of `Features` that corrections go by; raises the ValueError for what are none.
cdef int take_cells(object given, int *cell) except -1
