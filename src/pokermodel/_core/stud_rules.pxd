# The rules of five-card stud for the other kernels of that game.

from libc.stdint cimport uint8_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/stud/stud_rules.h" nogil:
    ctypedef struct pm_stud_spec:
        int ante
        int bet[4]
        int max_bets

    ctypedef struct pm_stud:
        pm_stud_spec spec
        uint8_t card[2][5]
        int tie
        int round
        int seat
        int bets
        int acts
        int folded
        int chips[2]

    unsigned pm_stud_showing(const uint8_t *up, int n) noexcept
    void pm_stud_begin(pm_stud *s) noexcept
    int pm_stud_owed(const pm_stud *s) noexcept
    int pm_stud_capped(const pm_stud *s) noexcept
    void pm_stud_act(pm_stud *s, int act) noexcept
    int pm_stud_payoff(const pm_stud *s, const pm_evaluator *e) noexcept


cdef int take_spec(int ante, object bets, int max_bets, pm_stud_spec *spec) except -1
cdef int check_player(int player) except -1


cdef class StudState:
    cdef pm_stud c
