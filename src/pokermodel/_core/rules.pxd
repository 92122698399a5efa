# The rules of hold'em for other kernels and other packages: the C functions of pokermodel/game/rules.h, and
# the class State, whose `c` can be copied into a loop that holds no GIL (keep the State alive: it owns the
# table).

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t


cdef extern from "pokermodel/game/rules.h" nogil:
    const int64_t PM_DEEP

    enum:
        PM_SEATS
        PM_ROUNDS
        PM_FOLD
        PM_CALL
        PM_RAISE
        PM_LIMIT
        PM_POT_LIMIT
        PM_NO_LIMIT
        PM_ANTE_WHOLE
        PM_ANTE_MATCHED
        PM_MIN_LAST
        PM_MIN_CUMULATIVE
        PM_REOPEN_ANY
        PM_REOPEN_FULL
        PM_REOPEN_MINIMUM
        PM_REOPEN_HALF
        PM_REOPEN_WHOLE
        PM_ODD_SPLIT
        PM_ODD_FIRST

    ctypedef struct pm_table:
        int64_t blinds[23]
        int64_t dead[23]
        int64_t limit[23]
        int64_t bets[4]
        int32_t max_raises[4]
        int8_t first[4]
        int8_t players
        int8_t cap_heads_up
        int8_t full_blind
        int8_t reopen
        int8_t odd_chips
        int8_t structure
        int8_t min_raise
        int8_t short_ante

    ctypedef struct pm_state:
        const pm_table *table
        int64_t chips_in "in"[23]
        int64_t level
        int64_t base
        int64_t pot
        int64_t unit
        int64_t open
        uint32_t live
        uint32_t broke
        uint32_t pending
        uint32_t acted
        int32_t raises
        int8_t round
        int8_t seat

    int pm_count_seats(uint32_t seats) noexcept
    bint pm_is_over(const pm_state *s) noexcept
    bint pm_is_showdown(const pm_state *s) noexcept
    int64_t pm_bet_size(const pm_state *s) noexcept
    int64_t pm_stack(const pm_state *s, int seat) noexcept
    int64_t pm_to_call(const pm_state *s, int seat) noexcept
    int64_t pm_full_raise(const pm_state *s) noexcept
    int64_t pm_least_raise(const pm_state *s, int seat) noexcept
    int64_t pm_most_raise(const pm_state *s, int seat) noexcept
    bint pm_raise_range(const pm_state *s, int64_t *least, int64_t *most) noexcept
    int64_t pm_round_base(const pm_state *s) noexcept
    int64_t pm_in_bets(const pm_state *s, int64_t chips) noexcept
    int64_t pm_put_in_voluntarily(const pm_state *s, int seat) noexcept
    int pm_num_bets(const pm_state *s) noexcept
    int pm_position(const pm_state *s, int seat) noexcept
    unsigned pm_legal(const pm_state *s) noexcept
    unsigned pm_possible(const pm_state *s) noexcept
    void pm_begin(pm_state *s, const pm_table *table) noexcept
    int64_t pm_act(pm_state *s, int act) noexcept
    int64_t pm_act_to(pm_state *s, int act, int64_t to) noexcept
    void pm_leave(pm_state *s, int seat) noexcept
    void pm_winnings(const pm_state *s, const int32_t *ranks, double *won) noexcept


cdef class Table:
    cdef pm_table c
    cdef tuple begun  # the stacks before antes and blinds, None of a seat where it is not known; empty if none is


cdef class State:
    cdef readonly object spec
    cdef Table table
    cdef pm_state c
    cdef int seat_in_play(self, seat) except -1
