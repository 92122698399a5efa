# Counts of showdowns of several players.

from libc.stdint cimport uint64_t

from pokermodel._core.dealing cimport pm_dealing
from pokermodel._core.rng cimport pm_random


# Weight of the showdowns that a player wins alone (1), shares with one other (2), ...; index 0 is not used.
cdef struct Tally:
    double showdowns
    double squares              # of their weights
    double won[23][24]
    double won_squares[23][24]

cdef bint tally_deals(const pm_dealing *dealing, pm_random *random, uint64_t trials, Tally *tally) noexcept nogil
cdef void tally_runouts(const pm_dealing *dealing, Tally *tally) noexcept nogil
