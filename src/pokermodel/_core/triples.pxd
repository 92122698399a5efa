# Probability triples for other kernels and other packages: the C functions of pokermodel/game/triples.h, and the class
# Generator, whose `c` can be copied into a loop that holds no GIL (keep the Generator alive: it owns the table).

from pokermodel._core.rules cimport pm_state


cdef extern from "pokermodel/game/triples.h" nogil:
    const double PM_SEMI_BLUFF_BETS

    enum:
        PM_PRINTED
        PM_OWN
        PM_REWEIGHTING
        PM_POT_ODDS
        PM_SHOWDOWN_ODDS
        PM_SEMI_BLUFF
        PM_TWO_BET_LIMIT

    ctypedef struct pm_triple:
        double p[3]

    ctypedef struct pm_borders:
        double raise_high
        double raise_low
        double call_high
        double call_low

    ctypedef struct pm_generator:
        pm_borders at[3]
        const double *table
        int bins
        int form
        unsigned features
        double least
        double noise
        bint tilted
        double tilt[3][3]

    ctypedef struct pm_spot:
        double pot
        double to_call
        double bet
        int bets_to_call
        int num_bets
        int round
        bint can_raise

    ctypedef struct pm_held:
        double value
        double potential
        double effective

    pm_spot pm_spot_of(const pm_state *s) noexcept
    double pm_odds_to_call(double pot, double chips) noexcept
    double pm_odds_to_call_down(double pot, double to_call, double bet, bint flop) noexcept
    double pm_odds_to_semi_bluff(double pot, double bet) noexcept
    double pm_pot_odds(const pm_spot *spot) noexcept
    double pm_showdown_odds(const pm_spot *spot) noexcept
    double pm_semi_bluff_odds(const pm_spot *spot) noexcept
    pm_triple pm_triple_printed(const pm_borders *at, double value, double odds) noexcept
    bint pm_has_odds(const pm_generator *g, const pm_spot *spot, const pm_held *held) noexcept
    bint pm_semi_bluff_lasts(const pm_spot *spot, bint begun) noexcept
    bint pm_semi_bluffs(const pm_generator *g, const pm_spot *spot, const pm_held *held, bint begun) noexcept
    pm_triple pm_triple_of_value(const pm_generator *g, const pm_spot *spot, const pm_held *held) noexcept
    bint pm_semi_bluff_after(
        const pm_generator *g, const pm_spot *spot, const pm_held *held, bint begun, int act) noexcept
    pm_triple pm_triple_of(
        const pm_generator *g, const pm_spot *spot, const pm_held *held, bint semi_bluff) noexcept


cdef class Generator:
    cdef pm_generator c
    cdef double *table


cdef class TripleSpot:
    cdef pm_spot c
