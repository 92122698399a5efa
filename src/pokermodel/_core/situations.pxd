"""Features of a situation as numbers of bins: the C functions of ``pokermodel/situations.h``."""

from libc.stdint cimport int16_t


cdef extern from "pokermodel/situations.h" nogil:
    enum:
        PM_LIMIT_FEATURES
        PM_SIZED_FEATURES
        PM_BOARD_FEATURES
        PM_SITUATION_BASIS
        PM_SITUATION_CELLS

    ctypedef struct pm_features:
        int round
        int bets
        int previous
        int faced
        int aggressor
        int leader
        int players
        int num_bets
        int position
        int acted
        int put_in
        int dealt
        int callers
        int preflop
        int before
        int raised
        int raised_preflop
        int called
        int last
        int all_in
        double odds
        double pot
        double share
        double level
        double depth

    int pm_betting_values(const pm_features *f, int sized, int *value)
    void pm_situation_basis(const pm_features *f, int16_t *basis)
    void pm_situation_cells(const pm_features *f, int *cell)
