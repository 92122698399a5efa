# Weighted deals: `from pokermodel._core.dealing cimport dealing_of, pm_deal_next`.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from pokermodel._core.rng cimport pm_random


cdef extern from "pokermodel/dealing/alias.h" nogil:
    ctypedef struct pm_alias_slot:
        uint16_t own

    ctypedef struct pm_alias:
        int size
        pm_alias_slot slot[1326]
        double share[1326]

    uint64_t pm_drawn_cards(unsigned drawn) noexcept
    int pm_alias_init(pm_alias *alias, const double *weights, uint64_t dead) noexcept
    unsigned pm_alias_draw(const pm_alias *alias, pm_random *random) noexcept
    double pm_alias_left(const pm_alias *alias, uint64_t taken) noexcept
    unsigned pm_alias_pick(const pm_alias *alias, pm_random *random, uint64_t taken, double left) noexcept
    unsigned pm_alias_draw_apart(const pm_alias *alias, pm_random *random, uint64_t taken) noexcept


cdef extern from "pokermodel/dealing/dealing.h" nogil:
    enum:
        PM_SEATS
        PM_BOARD
        PM_RUNOUT
        PM_NO_CARD

    ctypedef enum pm_deal_method:
        PM_REJECT
        PM_WEIGH
        PM_IN_ORDER

    ctypedef struct pm_shares:
        double card[52]
        double share[1326]
        double undo[52]

    ctypedef struct pm_cycle:
        uint64_t key
        int64_t trial

    ctypedef struct pm_dealing:
        pm_deal_method method
        int players
        int drawn
        int flat
        int board_cards
        int stratified
        uint8_t drawn_player[23]
        uint8_t flat_player[23]
        uint16_t known[23]
        uint64_t taken
        uint8_t board[5]
        double scale
        const pm_alias *table
        int tries
        const pm_shares *shares

    ctypedef struct pm_deal:
        uint16_t holding[23]
        uint8_t board[5]
        double weight

    ctypedef struct pm_dealer:
        pm_cycle cycle

    void pm_dealer_init(pm_dealer *dealer, const pm_dealing *dealing) noexcept
    void pm_dealer_at(pm_dealer *dealer, uint64_t key, int64_t trial) noexcept
    void pm_cycle_next(pm_cycle *cycle, uint64_t taken, int cards, uint8_t *board) noexcept
    void pm_shares_init(pm_shares *shares, const pm_alias *alias) noexcept
    bint pm_try_reject(
        const pm_dealing *dealing, int first, int end, pm_random *random, pm_deal *deal, uint64_t *taken
    ) noexcept
    bint pm_deal_next(const pm_dealing *dealing, pm_random *random, pm_dealer *dealer, pm_deal *deal) noexcept


# Tables that are ready to deal from. Never changed after construction: threads can share it.
cdef class Deals:
    cdef pm_dealing dealing
    cdef pm_alias *tables
    cdef pm_shares *shares
    cdef int prepare_runouts(self, bint joint) except -1


# The deals of a `Deals`, valid for as long as it lives; TypeError for other objects.
cdef const pm_dealing *dealing_of(object deals) except NULL
