"""Features of a situation as numbers of bins: the C functions of ``pokermodel/readers/situations.h``."""

from libc.stdint cimport int16_t, uint8_t

from pokermodel._core.features cimport pm_features


cdef extern from "pokermodel/readers/situations.h" nogil:
    enum:
        PM_LIMIT_FEATURES
        PM_SIZED_FEATURES
        PM_BOARD_FEATURES
        PM_SITUATION_BASIS
        PM_SITUATION_CELLS

    int pm_betting_values(const pm_features *f, int sized, int *value)
    void pm_situation_basis(const pm_features *f, int16_t *basis)
    void pm_situation_cells(const pm_features *f, int *cell)
    void pm_board_features(const uint8_t *board, int n, int *value) noexcept


cdef inline void fill_rows(
    const pm_features *f, const int *board, bint sized, const int16_t *firsts, int16_t *rows, int16_t *basis,
    int16_t *contexts
) noexcept nogil:
    """Write a situation as a likelihood takes it."""
    cdef int betting = PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES
    cdef int value[PM_SIZED_FEATURES]
    cdef int cell[PM_SITUATION_CELLS]
    cdef int k
    pm_betting_values(f, sized, value)
    for k in range(betting):
        rows[k] = <int16_t> (firsts[k] + value[k])
    for k in range(PM_BOARD_FEATURES):
        rows[betting + k] = <int16_t> (firsts[betting + k] + 2 * board[k] + (f.bets > 0))
    pm_situation_basis(f, basis)
    pm_situation_cells(f, cell)
    for k in range(1, PM_SITUATION_CELLS):
        contexts[k - 1] = <int16_t> cell[k]


# Writes the contexts of `Features` that corrections go by; raises the ValueError for what are none.
cdef int take_cells(object given, int *cell) except -1
