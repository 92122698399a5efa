"""Types of hands and states of incomplete hands (``hand_types.h``), for `pokermodel.evaluation`."""

from cython cimport final

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport tables


STATES = PM_STATES


@final
cdef class Types:
    """A scheme of types, as the kernels take it.

    Parameters
    ----------
    type_of_rank : uint8 (7463,)
        Type of each rank of five cards.
    busted_class, pair_class : uint8 (13,)
        Class of each rank of a highest card and of a pair.
    wheel : bool
        Whether A-2-3-4-5 is a straight.

    Attributes
    ----------
    types : int
        Number of types.

    Raises
    ------
    ValueError
        If an array has another shape, or the numbers of classes and types do not fit each other.
    """

    def __cinit__(
        self,
        const uint8_t[::1] type_of_rank,
        const uint8_t[::1] busted_class,
        const uint8_t[::1] pair_class,
        bint wheel,
    ):
        cdef int busted, pairs
        if type_of_rank.shape[0] != 7463 or busted_class.shape[0] != 13 or pair_class.shape[0] != 13:
            raise ValueError("types need tables of 7463, 13 and 13 entries")
        self.types = type_of_rank[7462] + 1
        busted = busted_class[12] + 1
        pairs = pair_class[12] + 1
        if self.types != busted + pairs + 7 or 4 * busted + pairs + 3 > PM_STATES:
            raise ValueError(f"{self.types} types do not fit {busted} of high cards and {pairs} of pairs")
        memcpy(self.c.type_of_rank, &type_of_rank[0], 7463)
        memcpy(self.c.busted_class, &busted_class[0], 13)
        pm_type_scheme_init(&self.c, busted, pairs, &pair_class[0], wheel)

    def state(self, cards):
        """Return the state of one to five cards; that of five is their type.

        Raises
        ------
        ValueError
            If there are not 1 to 5 different cards.
        """
        cdef uint8_t held[5]
        cdef uint64_t seen = 0
        cdef int n = take_cards(cards, held, 1, 5, "a hand", &seen, "")
        return pm_hand_state(&self.c, tables(), held, n)
