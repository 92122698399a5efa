# Checks of card indices that come from Python, for the other kernels.

from cpython.long cimport PyLong_AsLongLong   # takes integers only, where Cython would round a float
from libc.stdint cimport uint8_t, uint64_t


# Raises the ValueError for an index that is no card, or else for a card that was there before.
cdef int refuse_card(long long card, str where) except -1

# Raises the ValueError for a row of an array that is not `n` different cards.
cdef int refuse_row(Py_ssize_t row, const uint8_t *cards, int n) except -1

# Copies `least` to `most` different cards to `into` and adds them to `seen`; returns how many there are.
cdef int take_cards(
    object cards, uint8_t *into, int least, int most, str what, uint64_t *seen, str where
) except -1

# Adds different cards to a set; returns the union.
cdef uint64_t add_cards(object cards, uint64_t seen, str where) except? 0


cdef inline int take_card(object item, uint64_t *seen, str where) except -1:
    """Return a card index that is not in `seen`, and add it there."""
    cdef long long card = PyLong_AsLongLong(item)
    if not 0 <= card < 52 or seen[0] >> card & 1:
        refuse_card(card, where)
    seen[0] |= (<uint64_t> 1) << card
    return <int> card
