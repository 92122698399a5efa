"""Tables P(act | class of holding, situation, player): the C functions of ``pokermodel/readers/class_tables.h``."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int16_t, uint8_t

from pokermodel._core.observed_hands cimport PM_TABLE_CELLS, PM_TABLE_CLASSES, pm_observed_hand


cdef extern from "pokermodel/readers/class_tables.h" nogil:
    enum:
        PM_TABLE_SITUATIONS
        PM_TABLE_GROUPS
        PM_TABLE_DIVISIONS
        PM_TABLE_SHARED

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
        uint8_t group[2][PM_TABLE_CLASSES]
        pm_division division[PM_TABLE_DIVISIONS]

    ctypedef struct pm_action_rows:
        int classes

    bint pm_table_has(const pm_class_tables *t, const int16_t *cells, ptrdiff_t number)
    void pm_class_table(
        const pm_class_tables *t, const int16_t *cells, ptrdiff_t number, unsigned legal, double *table
    )
    void pm_class_spread(
        const double *table, const uint8_t *classes, const uint8_t *live, ptrdiff_t holdings, double *triples
    )
    void pm_class_mean(
        const double *table, const uint8_t *classes, const double *weights, ptrdiff_t holdings, double *mean
    )
    double pm_class_posterior(
        const double *table,
        int act,
        const uint8_t *classes,
        const uint8_t *live,
        const double *weights,
        ptrdiff_t holdings,
        double *after
    )
    void pm_class_count(
        pm_class_tables *into,
        const pm_class_tables *judge,
        const pm_observed_hand *h,
        const ptrdiff_t *numbers,
        const ptrdiff_t *own,
        bint hidden_count,
        double decay,
        pm_action_rows *actions,
        double *room
    )
