"""Checks of card indices that come from Python: the one place where kernels refuse them.

`where` ends the message about a card that occurs twice, such as ``" among board and dead cards"``.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset


cdef int refuse_card(long long card, str where) except -1:
    if not 0 <= card < 52:
        raise ValueError(f"card index {card} is out of range: expected 0..51")
    raise ValueError(f"duplicate card: index {card} occurs twice{where}")


cdef int refuse_row(Py_ssize_t row, const uint8_t *cards, int n) except -1:
    raise ValueError(f"row {row} is not {n} different cards 0..51: {[cards[k] for k in range(n)]}")


cdef int take_cards(
    object cards, uint8_t *into, int least, int most, str what, uint64_t *seen, str where
) except -1:
    cdef Py_ssize_t n = len(cards)
    cdef int k = 0
    if not least <= n <= most:
        wanted = f"{least} to {most}" if 0 < least < most else f"{most}" if least else f"up to {most}"
        raise ValueError(f"{what} has {wanted} cards, got {n}")
    for item in cards:
        if k == n:
            raise ValueError(f"{what} has more cards than its length says, {n}")
        into[k] = <uint8_t> take_card(item, seen, where)
        k += 1
    return k


cdef uint64_t add_cards(object cards, uint64_t seen, str where) except? 0:
    for item in cards:
        take_card(item, &seen, where)
    return seen


def are_cards(cards):
    """Whether something is a tuple of different card indices that are plain integers, and so needs no further look."""
    cdef uint64_t seen = 0
    cdef long long card
    cdef int overflow
    if type(cards) is not tuple:
        return False
    for item in <tuple> cards:
        if type(item) is not int:
            return False
        overflow = 0
        card = PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow or not 0 <= card < 52 or seen >> card & 1:
            return False
        seen |= (<uint64_t> 1) << card
    return True


def live_holdings(cards):
    """Which holdings have none of some cards.

    Parameters
    ----------
    cards : sequence of int

    Returns
    -------
    bytes, length 1326
        By `holding_index`: 1 or 0.

    Raises
    ------
    ValueError
        If a card is out of range or occurs twice.
    """
    cdef uint64_t dead = add_cards(cards, 0, "")
    cdef bytes found = PyBytes_FromStringAndSize(NULL, 1326)
    cdef char *to = PyBytes_AS_STRING(found)
    cdef int high, low
    for high in range(1, 52):
        if dead >> high & 1:
            memset(to, 0, high)
        else:
            for low in range(high):
                to[low] = not dead >> low & 1
        to += high
    return found
