# Types of hands for other kernels: `from pokermodel._core.hand_types cimport Types`.

from libc.stdint cimport uint8_t

from pokermodel._core.evaluator cimport pm_evaluator


cdef extern from "pokermodel/evaluation/hand_types.h" nogil:
    enum: PM_STATES

    ctypedef struct pm_type_scheme:
        uint8_t type_of_rank[7463]
        uint8_t busted_class[13]
        uint8_t made_state

    void pm_type_scheme_init(
        pm_type_scheme *scheme, int busted, int pairs, const uint8_t *pair_class, int wheel) noexcept
    int pm_hand_state(const pm_type_scheme *scheme, const pm_evaluator *e, const uint8_t *cards, int n) noexcept


# Never changed after its construction.
cdef class Types:
    cdef pm_type_scheme c
    cdef readonly int types
