# Showdowns of players who never fold.

from libc.stdint cimport uint64_t

from pokermodel._core.rng cimport pm_random


cdef enum:
    BOARD = 5
    HANDS = 23                  # as many as a deck serves beside a board
    TALLY = HANDS * 169 * HANDS

cdef int canonical_boards(unsigned char *boards, unsigned char *orbits) noexcept nogil
cdef void tally_board(
    const unsigned char *board, uint64_t orbit, uint64_t *wins, uint64_t *ties
) noexcept nogil
cdef void tally_deals(pm_random *random, uint64_t deals, uint64_t *tally) noexcept nogil
