"""Finished hands as tables by class of holding see them: the C functions of ``pokermodel/readers/observed_hands.h``."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int PM_HOLDINGS
    int PM_CARDS
    int PM_SEATS
    int pm_holding(int a, int b)


cdef extern from "pokermodel/evaluation/board_classes.h" nogil:
    enum:
        PM_MOST_SCORE

    ctypedef struct pm_class_borders:
        uint8_t by_score[3][PM_MOST_SCORE + 1]
        double draw
        int made
        int draws

    void pm_board_classes(
        const pm_evaluator *e, const int *board, int n, const pm_class_borders *borders, uint8_t *classes
    )


cdef extern from "pokermodel/readers/observed_hands.h" nogil:
    enum:
        PM_TABLE_CLASSES
        PM_TABLE_CELLS
        PM_TABLE_ROUNDS

    ctypedef struct pm_observed_head:
        int16_t actions
        int16_t players
        int16_t masses
        int16_t rounds
        int16_t nodes[PM_TABLE_ROUNDS]

    ctypedef struct pm_observed_hand:
        int actions
        int players
        int masses
        int rounds
        int all_nodes
        int nodes[PM_TABLE_ROUNDS]
        int first[PM_TABLE_ROUNDS]
        const int16_t *cells
        const uint16_t *parent
        const uint16_t *mass
        const uint8_t *actor
        const uint8_t *round
        const uint8_t *act
        const uint8_t *legal
        const int8_t *shown
        const uint8_t *classes

    ctypedef struct pm_nodes:
        int n
        uint16_t parent[1326]
        uint16_t mass[1326]
        uint16_t lost[1326]
        uint8_t class_[1326]

    ctypedef int pm_round_board[5]
    ctypedef uint8_t pm_round_classes[1326]

    size_t pm_observed_size(const pm_observed_hand *h)
    void pm_observed_parts(pm_observed_hand *h, const uint8_t *bytes)
    const char *pm_observed_read(pm_observed_hand *h, const uint8_t *bytes, size_t size)
    int pm_observed_tree(
        const pm_evaluator *e,
        pm_round_board *board,
        const int *on_board,
        int rounds,
        const uint8_t *preflop,
        const pm_class_borders *borders,
        uint64_t dead,
        const uint8_t *losing,
        pm_round_classes *classes,
        pm_nodes *nodes
    )
    int pm_losing_holdings(
        const pm_evaluator *e, const int *board, uint64_t dead, unsigned best, uint8_t *losing
    )


# Points to the parts of the bytes of a hand, as `observe` writes them; raises the ValueError for anything else.
cdef int take_hand(object content, pm_observed_hand *hand) except -1

# Bits of the acts in a tuple; raises the ValueError for what is no act.
cdef int take_acts(object acts) except -1
