"""What the table sees of a situation: the C functions of ``pokermodel/readers/features.h``."""

from libc.stdint cimport int64_t


cdef extern from "pokermodel/readers/features.h" nogil:
    enum:
        PM_FEATURES
        PM_BIN_EDGES

    ctypedef struct pm_features:
        int round
        int bets
        int previous
        int faced
        int aggressor
        int leader
        int players
        int num_bets
        int position
        int acted
        int put_in
        int dealt
        int callers
        int preflop
        int before
        int raised
        int raised_preflop
        int called
        int last
        int all_in
        int invested
        int seat
        int raiser
        double odds
        double pot
        double share
        double level
        double depth

    ctypedef struct pm_faced:
        int round
        int seat
        int bets_to_call
        int num_bets
        int put_in
        int players
        int position
        int all_in
        int sized
        double pot
        double to_call
        double bet_size
        double in_round
        double stack
        int64_t invested
        int64_t small_bet

    ctypedef struct pm_seat_acts:
        int previous
        int faced
        int called
        int raised
        int raised_preflop

    ctypedef struct pm_betting:
        int players
        int round
        int last
        int before
        int raiser
        int leader
        int acted
        int calls
        int raises[4]
        pm_seat_acts by[23]

    ctypedef struct pm_binned:
        int field
        int less
        int edges
        double edge[4]
        const pm_binned *otherwise

    void pm_betting_begin(pm_betting *b, int players)
    void pm_betting_features(const pm_betting *b, const pm_faced *s, pm_features *f)
    void pm_betting_add(pm_betting *b, const pm_faced *s, int act, int out_of_turn)
    void pm_features_values(const pm_features *f, double *values)
    int pm_features_bin(const pm_binned *b, const double *values)


cdef int take_features(given, pm_features *f) except -1
cdef object made_features(type kind, const pm_features *f)


cdef class Betting:
    cdef pm_betting c
    cdef pm_faced s
    cdef object faced  # the situation that `s` is of
    cdef object spec  # of the last situation
    cdef int sized
    cdef int64_t small_bet
    cdef const pm_faced *face(self, given) except NULL
    cdef int follow(self, tuple decision) except -1


cdef class Bin:
    cdef pm_binned c
    cdef Bin otherwise
