# Records of games of five-card stud for the other kernels of that game.

from libc.stdint cimport uint8_t

from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.rng cimport pm_random
from pokermodel._core.stud_player cimport pm_stud_player
from pokermodel._core.stud_rules cimport pm_stud


cdef extern from "pokermodel/stud/stud_play.h" nogil:
    enum: PM_STUD_MOST_ACTS

    ctypedef struct pm_stud_record:
        uint8_t card[2][5]
        uint8_t acts[24]
        double p[24][3]
        double win[24]
        int n
        int payoff
        int showdown

    uint8_t pm_stud_code(const pm_stud *s, int act, int bluffed) noexcept
    void pm_stud_play(
        pm_stud *s, const pm_stud_player **player, const pm_evaluator *e, pm_random *random,
        pm_stud_record *record) noexcept


# The number of games in some columns; ValueError if these do not fit each other.
cdef Py_ssize_t count_games(
    const uint8_t[:, :, ::1] cards, const uint8_t[:, ::1] acts, const uint8_t[::1] lengths
) except -1

# Raises the ValueError for columns of another shape.
cdef int refuse_shape() except -1
