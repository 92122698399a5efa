# Players of five-card stud for the other kernels of that game.

from libc.stdint cimport uint8_t

from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.hand_types cimport pm_type_scheme
from pokermodel._core.stud_rules cimport pm_stud


cdef extern from "pokermodel/stud/stud_belief.h" nogil:
    enum: PM_STUD_SITUATIONS
    enum: PM_STUD_ACTS
    enum: PM_BY_CONTEXT
    enum: PM_TWO_CLASSES
    enum: PM_FOUR_CLASSES

    ctypedef struct pm_stud_reader:
        pm_type_scheme types
        int form
        int carries
        int by_cards
        const double *winning
        const double *both
        const double *upcards
        const double *opponent

    ctypedef struct pm_stud_belief:
        double likelihood[36]
        double card[52]

    int pm_stud_situation(int form, int round, int facing, int capped) noexcept
    int pm_stud_column(int form, int facing, int act) noexcept
    void pm_stud_new_round(
        const pm_stud_reader *reader, const pm_evaluator *e, const pm_stud *s, int me, pm_stud_belief *belief) noexcept
    void pm_stud_observe(const pm_stud_reader *reader, const pm_stud *s, int act, pm_stud_belief *belief) noexcept


cdef extern from "pokermodel/stud/stud_player.h" nogil:
    enum: PM_STUD_CURVES
    enum: PM_STUD_DETERMINISTIC
    enum: PM_STUD_RANDOMISED
    enum: PM_STUD_TABLE
    enum: PM_STUD_HONEST
    enum: PM_STUD_LAST_ROUND
    enum: PM_STUD_BY_CONTEXT

    ctypedef struct pm_stud_acting:
        int rule
        double steepness
        double fold[4]
        double call[4]
        double bet[4]
        double sharpness
        double later
        int bluffing
        double bluffs
        double explores

    ctypedef struct pm_stud_player:
        pm_stud_reader reader
        const double *own
        pm_stud_acting acting

    ctypedef struct pm_stud_choice:
        double p[3]
        double plain[3]
        double bluff
        double win

    void pm_stud_decide(
        const pm_stud_player *player, const pm_evaluator *e, const pm_stud *s, const pm_stud_belief *belief,
        int first, pm_stud_choice *choice) noexcept


# The number of a form of acts by its name; ValueError if there is none.
cdef int form_of(str form) except -1


# Never changed after its construction; keeps the arrays that `c` points to.
cdef class Player:
    cdef pm_stud_player c
    cdef object kept
