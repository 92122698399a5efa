# What the kernels that read texts of hands share: pieces of text, and what a hand pays when its cards are known.

from libc.stdint cimport int8_t, uint8_t, uint32_t

from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.rules cimport pm_state


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    bint pm_different_cards(const uint8_t *cards, int n) noexcept


cdef extern from "pokermodel/texts/text.h" nogil:
    ctypedef struct pm_text:
        const char *text
        int length

    bint pm_text_same(pm_text a, pm_text b) noexcept


cdef extern from "pokermodel/game/payoffs.h" nogil:
    bint pm_payoffs(
        const pm_state *s,
        const pm_evaluator *evaluator,
        const int8_t *board,
        int cards,
        const int8_t (*hole)[2],
        uint32_t known,
        uint32_t mucked,
        double *payoffs
    ) noexcept
