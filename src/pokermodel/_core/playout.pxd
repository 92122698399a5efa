# Simulations for other kernels and other packages. A policy of one's own is a C function
#
#     cdef int act(const pm_turn *turn, void *context) noexcept nogil
#
# which Python hands to pokermodel.Simulator in a capsule: PyCapsule_New(<void *> act, b"pokermodel.policy", NULL); the
# capsule's context is what it gets as `context`.

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from pokermodel._core.dealing cimport pm_dealing
from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.rng cimport pm_random
from pokermodel._core.rules cimport pm_state
from pokermodel._core.simd cimport pm_add_pairs, pm_compare_rows, pm_sum_pairs
from pokermodel._core.triples cimport pm_spot


cdef extern from "pokermodel/game/loki1.h" nogil:
    enum:
        PM_SIMPLE
        PM_MAKE0

    ctypedef struct pm_loki1:
        double make1
        double make2
        unsigned features

    int pm_loki1_act(
        const pm_loki1 *loki, const pm_spot *spot, bint put_in, double strength, double ppot, double npot,
        int *semi_bluff
    ) noexcept


cdef extern from "pokermodel/evaluation/strengths.h" nogil:
    const int64_t PM_FIELD_TOTAL

    enum:
        PM_EXACT_POTENTIAL
        PM_CRUDE_POTENTIAL
        PM_NO_POTENTIAL

    ctypedef struct pm_strengths:
        const pm_evaluator *evaluator
        pm_compare_rows compare_rows
        pm_add_pairs add_pairs
        pm_sum_pairs sum_pairs
        int kind
        int fields

    int pm_board_number(const uint8_t *come, int n) noexcept
    int pm_strengths_bind(pm_strengths *s, const double *weights, int fields) noexcept
    void pm_strengths_unbind(pm_strengths *s) noexcept
    void pm_strengths_clear(pm_strengths *s) noexcept
    size_t pm_strengths_bytes(const pm_strengths *s) noexcept
    const float *pm_strengths_worth(
        pm_strengths *s, int number, int field, int holding, const uint8_t *board, int board_cards) noexcept


cdef extern from "pokermodel/dealing/playout.h" nogil:
    enum:
        PM_PLAYOUT_ACTS
        PM_TRIALS_DONE
        PM_TRIALS_NO_DEAL
        PM_TRIALS_NO_ACT

    ctypedef struct pm_turn:
        const pm_state *state
        pm_spot spot
        int seat
        int opponents
        int holding
        const uint8_t *cards
        const uint8_t *board
        int board_cards
        int board_number
        int field
        pm_strengths *strengths
        double u
        int *semi_bluff

    ctypedef int (*pm_policy)(const pm_turn *turn, void *context) noexcept nogil

    ctypedef struct pm_player:
        pm_policy policy
        void *context
        int field[2]

    ctypedef struct pm_scene:
        pm_state root
        uint8_t board[5]
        int board_cards
        uint8_t cards[2]
        int semi_bluff
        int dealt[23]
        pm_player player[23]

    ctypedef struct pm_tally:
        uint64_t acts[2][23][4][3][3]
        uint64_t folded[2]

    ctypedef struct pm_trials:
        double (*chips)[2]
        double *weights
        pm_tally *tally
        int8_t (*acts)[2][512]
        uint8_t (*cards)[23][2]
        uint8_t (*boards)[5]
        uint64_t key
        int64_t first

    int pm_turn_worth(const pm_turn *turn, double *strength, double *ppot, double *npot) noexcept
    double pm_against(double strength, int opponents) noexcept
    int pm_play_call(const pm_turn *turn, void *context) noexcept
    int pm_play_triple(const pm_turn *turn, void *context) noexcept
    int pm_play_loki1(const pm_turn *turn, void *context) noexcept
    int pm_play_trials(
        const pm_scene *scene, const pm_dealing *dealing, pm_random *random, pm_strengths *strengths, int64_t n,
        const pm_trials *trials
    ) noexcept


# What holdings are worth on the boards that may follow a flop; for one thread at a time.
cdef class Strengths:
    cdef pm_strengths *c
    cdef readonly tuple flop
    cdef readonly str potential
    cdef void choose_kernels(self) noexcept


# A decision to be simulated; never changed.
cdef class Scene:
    cdef pm_scene c
    cdef object keep      # what the pointers point to
    cdef int dealt
