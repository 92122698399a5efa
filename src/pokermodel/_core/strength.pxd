# Hand strength and potential of whole ranges, for other kernels.

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator, pm_hand
from pokermodel._core.simd cimport pm_add_pairs, pm_compare_rows, pm_sum_pairs


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int PM_HOLDINGS
    int pm_holding(int a, int b) noexcept


cdef extern from "pokermodel/evaluation/field.h" nogil:
    ctypedef struct pm_field:
        int size
        int board_cards
        uint64_t dead
        pm_hand board
        uint32_t suit_key[4]
        uint8_t card[5]
        uint8_t high[1326]
        uint8_t low[1326]
        uint16_t holding[1326]
        uint16_t rank[1326]
        uint16_t group_start[1326]
        uint16_t group_end[1326]

    uint64_t pm_card_bit(int card) noexcept
    void pm_field_init(
        const pm_evaluator *e, pm_field *field, const int *board, int board_cards, uint64_t dead
    ) noexcept
    int pm_field_masses(const pm_field *field, const double *weights, double *cells) noexcept
    void pm_field_strength(const pm_field *field, const double *weights, double *cells) noexcept
    void pm_field_uniform(const pm_field *field, double *strengths) noexcept
    double pm_strength(const double *cells) noexcept


cdef extern from "pokermodel/evaluation/outs.h" nogil:
    void pm_outs(const int *board, int board_cards, uint64_t dead, double *potential) noexcept


cdef extern from "pokermodel/evaluation/counts.h" nogil:
    ctypedef struct pm_counts:
        int runouts
        int suited
        int common
        int16_t position[1326]
        int16_t place[1326]

    int pm_counts_init(
        const pm_evaluator *e, const pm_field *field, int lookahead, pm_compare_rows compare, pm_counts *counts
    ) noexcept
    void pm_counts_free(pm_counts *counts) noexcept
    size_t pm_counts_size(const pm_counts *counts) noexcept
    void pm_counts_cells(
        const pm_field *field, const pm_counts *counts, const double *weights, pm_add_pairs add_pairs,
        pm_sum_pairs sum_pairs, double *columns
    ) noexcept
    void pm_counts_one(
        const pm_field *field, const pm_counts *counts, int own, const double *weights, double *cells
    ) noexcept
    double pm_cells_total(const double *cells) noexcept
    double pm_strength_of_cells(const double *cells) noexcept
    void pm_potentials(const double *cells, double *ppot, double *npot) noexcept


cdef extern from "pokermodel/evaluation/runouts.h" nogil:
    ctypedef struct pm_runouts_scratch:
        pass

    void pm_runouts_one(
        const pm_evaluator *e, const pm_field *field, int hero, int lookahead, const double *weights,
        pm_runouts_scratch *scratch, double *cells
    ) noexcept
