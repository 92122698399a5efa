# Hand evaluation for other kernels and other packages: `from pokermodel._core.evaluator cimport tables`.

from libc.stdint cimport uint16_t, uint64_t


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int pm_count_cards(uint64_t cards) noexcept
    int pm_lowest_bit(uint64_t bits) noexcept


cdef extern from "pokermodel/evaluation/evaluator.h" nogil:
    enum: PM_RANKS
    const uint16_t PM_CATEGORY_START[10]

    ctypedef struct pm_hand:
        uint64_t key
        uint64_t suits

    ctypedef struct pm_evaluator:
        pm_hand card[52]
        uint16_t flush[8192]

    pm_hand pm_hand_empty() noexcept
    pm_hand pm_hand_join(pm_hand hand, pm_hand other) noexcept
    pm_hand pm_hand_add(const pm_evaluator *e, pm_hand hand, int card) noexcept
    unsigned pm_hand_rank(const pm_evaluator *e, pm_hand hand) noexcept
    unsigned pm_hand_rank_no_flush(const pm_evaluator *e, pm_hand hand) noexcept
    int pm_rank_category(unsigned rank) noexcept


cdef const pm_evaluator *tables() noexcept nogil
