"""Tables P(act | class of holding, situation, player): the C functions of ``pokermodel/class_tables.h``."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t


cdef extern from "pokermodel/cards.h" nogil:
    int PM_HOLDINGS


cdef extern from "pokermodel/class_tables.h" nogil:
    enum:
        PM_TABLE_CLASSES
        PM_TABLE_SITUATIONS
        PM_TABLE_GROUPS
        PM_TABLE_CELLS
        PM_TABLE_DIVISIONS
        PM_TABLE_ROUNDS

    ctypedef double pm_class_row[PM_TABLE_CLASSES][3]

    ctypedef struct pm_division:
        double *counts
        double *expected
        double *factors
        ptrdiff_t cells
        int groups
        double believed

    ctypedef struct pm_class_tables:
        double *counts
        double *probabilities
        const double *prior
        double strength
        pm_division division[PM_TABLE_DIVISIONS]

    ctypedef struct pm_observed_hand:
        ptrdiff_t actions, players, candidates, masses, rounds
        const ptrdiff_t *actor
        const ptrdiff_t *round
        const ptrdiff_t *act
        const ptrdiff_t *cells
        const ptrdiff_t *shown
        const double *legal
        const double *mass
        const uint8_t *classes

    void pm_class_table(
        const pm_class_tables *t,
        const ptrdiff_t *cells,
        ptrdiff_t number,
        const double *legal,
        const ptrdiff_t *groups,
        pm_class_row table
    )
    void pm_class_spread(
        const double *table,
        const uint8_t *classes,
        const uint8_t *live,
        const double *weights,
        ptrdiff_t holdings,
        double *triples,
        double *mean
    )
    void pm_class_beliefs(
        const pm_observed_hand *h,
        double (*likelihood)[PM_TABLE_CLASSES],
        int hidden_count,
        double *weights,
        double (*beliefs)[PM_TABLE_CLASSES],
        uint8_t *counts
    )
    void pm_class_fade(pm_class_tables *t, ptrdiff_t number, double worth)
    void pm_class_count(
        pm_class_tables *into,
        const pm_class_tables *judge,
        const pm_observed_hand *h,
        const ptrdiff_t *numbers,
        const ptrdiff_t *own,
        const ptrdiff_t *groups,
        double (*beliefs)[PM_TABLE_CLASSES],
        const uint8_t *counts,
        pm_class_row *tables
    )
    void pm_strength_classes(
        const double *strengths,
        const double *potentials,
        const double *borders,
        int n,
        double draw,
        int made,
        uint8_t *classes
    )
    int pm_candidates(
        const uint8_t *classes,
        int rounds,
        const uint8_t *live,
        const uint8_t *losing,
        uint8_t *found,
        double *mass,
        double *lost
    )
