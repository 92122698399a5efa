# Hand strength and potential of whole ranges, for other kernels.

from libc.stdint cimport int8_t, int16_t, uint16_t, uint64_t

from pokermodel._core.evaluator cimport pm_hand


cdef extern from "pokermodel/cards.h" nogil:
    int PM_HOLDINGS
    int pm_holding(int a, int b) noexcept


cdef extern from "pokermodel/pairs.h" nogil:
    int PM_ROW_LOWEST
    int PM_ROW_HIGHEST
    int PM_ROW_LANES


# The holdings that are possible on a board, weakest first.
cdef struct Field:
    int size
    uint64_t dead             # cards of the board and dead cards, as bits
    pm_hand board
    int board_cards
    int card[5]               # of the board
    int16_t holding[1326]     # index of each holding, by position
    int high[1326]            # its cards
    int low[1326]
    int rank[1326]            # its rank on the board as it is now
    int group_start[1326]     # first position of the same rank
    int group_end[1326]       # position after the last of the same rank


cdef void field_init(Field *field, const int *board, int board_cards, uint64_t dead) noexcept nogil
cdef void field_strength(const Field *field, const double *weights, double *cells) noexcept nogil
