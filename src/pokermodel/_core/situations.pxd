"""Features of a situation as numbers of bins: the C functions of ``pokermodel/situations.h``."""

from libc.stdint cimport int16_t

from pokermodel._core.features cimport pm_features


cdef extern from "pokermodel/situations.h" nogil:
    enum:
        PM_LIMIT_FEATURES
        PM_SIZED_FEATURES
        PM_BOARD_FEATURES
        PM_SITUATION_BASIS
        PM_SITUATION_CELLS

    int pm_betting_values(const pm_features *f, int sized, int *value)
    void pm_situation_basis(const pm_features *f, int16_t *basis)
    void pm_situation_cells(const pm_features *f, int *cell)
