"""What hands add to the counters of their players, as bytes and in sums, for `pokermodel.learning`.

`pokermodel.learning.statistics` says what is counted, and by which numbers; the C functions for sums are in
``pokermodel/readers/key_sums.h``.

What a hand adds is bytes: for each seat the winnings in millionths of a small bet (8 bytes), how many counters go up by
one (2), and their numbers (2 each), all of them little-endian.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cython cimport final
from libc.stdint cimport INT64_MAX, INT64_MIN, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from "pokermodel/readers/key_sums.h" nogil:
    ctypedef struct pm_key_sums:
        int64_t used

    bint pm_sums_init(pm_key_sums *t, int bits) noexcept
    void pm_sums_free(pm_key_sums *t) noexcept
    bint pm_sums_reserve(pm_key_sums *t, int64_t more) noexcept
    void pm_sums_add(pm_key_sums *t, int64_t key, int64_t more) noexcept
    void pm_sums_take(const pm_key_sums *t, int64_t *keys, int64_t *sums) noexcept


cdef enum:
    WON_SIZE = 8  # bytes
    HEAD = 10  # bytes before the counters of a seat
    ID = 4
    NOWHERE = 0xffff  # no counter

cdef int64_t MOST_WON = 10**13  # millionths, whose squares fit into 64 bits as they are kept


cdef int64_t whole(value, int64_t low, int64_t high, str what) except? -1:
    cdef int overflow = 0
    cdef int64_t found = 0
    if isinstance(value, int):
        found = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow and low <= found <= high:
            return found
    raise ValueError(f"{what} must be a whole number from {low} to {high}, got {value!r}")


cdef inline uint16_t short_at(const uint8_t *data) noexcept nogil:
    return <uint16_t> (data[0] | data[1] << 8)


cdef inline int64_t long_at(const uint8_t *data) noexcept:
    cdef uint64_t found = 0
    cdef int k
    for k in range(WON_SIZE):
        found |= <uint64_t> data[k] << 8 * k
    return <int64_t> found


cdef inline void put(uint8_t *data, uint64_t value, int size) noexcept nogil:
    cdef int k
    for k in range(size):
        data[k] = <uint8_t> (value >> 8 * k)


# ------------------------------------------------------------------------------------------------------ records


cdef Py_ssize_t next_seat(const uint8_t *data, Py_ssize_t place, Py_ssize_t size, Py_ssize_t before) except -1:
    """Where the next seat begins; `before` are bytes in front of the winnings."""
    cdef Py_ssize_t end = place + before + HEAD
    if end <= size:
        end += 2 * <Py_ssize_t> short_at(data + end - 2)
    if end > size:
        raise ValueError("what a hand added is cut short")
    return end


cdef uint8_t *put_counters(uint8_t *out, counters, int page) except NULL:
    """Write counters, and return where they end."""
    for counter in counters:
        put(out, <uint64_t> whole(counter, -page, 0xffff - page, "a counter") + page, 2)
        out += 2
    return out


cdef void sort_counters(uint8_t *first, const uint8_t *end) noexcept:
    """Put the few counters between two places in order."""
    cdef uint8_t *place = first
    cdef uint8_t *before
    cdef uint16_t counter
    while place < end:
        counter = short_at(place)
        before = place
        while before > first and short_at(before - 2) > counter:
            put(before, short_at(before - 2), 2)
            before -= 2
        put(before, counter, 2)
        place += 2


def pack(won not None, parts not None, int page=0):
    """Pack what a hand adds.

    Parameters
    ----------
    won : sequence of int
        Winnings of each seat.
    parts : sequence of sequence of (list of int or set of int)
        For each seat counters, which come one after the other: lists as they are, and sets sorted.
    page : int
        Is added to all counters.

    Returns
    -------
    bytes
        As this module has it.

    Raises
    ------
    ValueError
        If a number cannot be kept, or a part is not of as many seats.
    """
    cdef list seats = list(zip(won, *parts, strict=True))
    cdef tuple seat
    cdef bytes packed
    cdef uint8_t *out
    cdef uint8_t *end
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t n, k
    for seat in seats:
        n = 0
        for k in range(1, len(seat)):
            n += len(seat[k])
        if n > 0xffff:
            raise ValueError(f"a hand adds to 65,535 counters of a player at most, got {n}")
        size += HEAD + 2 * n
    packed = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t *> PyBytes_AS_STRING(packed)
    for seat in seats:
        put(out, <uint64_t> whole(seat[0], INT64_MIN, INT64_MAX, "what is won"), WON_SIZE)
        n = 0
        for k in range(1, len(seat)):
            n += len(seat[k])
        put(out + WON_SIZE, n, HEAD - WON_SIZE)
        out += HEAD
        for k in range(1, len(seat)):
            end = put_counters(out, seat[k], page)
            if isinstance(seat[k], set):
                sort_counters(out, end)
            out = end
    return packed


def with_numbers(bytes head not None, ids, bytes added not None):
    """Bytes of a record: what a hand adds, with the numbers of its players.

    Parameters
    ----------
    head : bytes
        What comes first.
    ids : sequence of int
        Below 2^32, one a seat.
    added : bytes
        As this module has it.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If there is not one number for each seat.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
    cdef Py_ssize_t first = PyBytes_GET_SIZE(head)
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end
    cdef bytes record = PyBytes_FromStringAndSize(NULL, first + size + ID * <Py_ssize_t> len(ids))
    cdef uint8_t *out = <uint8_t *> PyBytes_AS_STRING(record)
    memcpy(out, PyBytes_AS_STRING(head), first)
    out += first
    for id in ids:
        end = next_seat(data, place, size, 0)
        put(out, <uint64_t> whole(id, 0, 0xffffffff, "the number of a player"), ID)
        memcpy(out + ID, data + place, end - place)
        out += ID + end - place
        place = end
    if place != size:
        raise ValueError(f"{len(ids)} numbers do not fit what a hand added")
    return record


def without_numbers(bytes record not None, Py_ssize_t start):
    """Take the numbers of the players out of a record.

    Parameters
    ----------
    record : bytes
        As `with_numbers` returns it.
    start : int
        How many bytes come first.

    Returns
    -------
    ids : list of int
    added : bytes

    Raises
    ------
    ValueError
        If the record is cut short.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(record)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(record)
    cdef Py_ssize_t place = start
    cdef list ids = []
    cdef list parts = []
    cdef Py_ssize_t end
    if not 0 <= start <= size:
        raise ValueError("what a hand added is cut short")
    while place < size:
        end = next_seat(data, place, size, ID)
        ids.append(<uint32_t> (short_at(data + place) | <uint32_t> short_at(data + place + 2) << 16))
        parts.append(PyBytes_FromStringAndSize(<const char *> data + place + ID, end - place - ID))
        place = end
    return ids, b"".join(parts)


def seats(bytes added not None):
    """What a hand added, seat by seat.

    Returns
    -------
    list of (int, tuple of int)
        Winnings and counters.

    Raises
    ------
    ValueError
        If the bytes are cut short.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end, k
    cdef list found = []
    while place < size:
        end = next_seat(data, place, size, 0)
        counters = tuple([short_at(data + k) for k in range(place + HEAD, end, 2)])
        found.append((long_at(data + place), counters))
        place = end
    return found


cdef Py_ssize_t renumber_seat(
    const uint8_t *data, Py_ssize_t n, const uint16_t *table, uint8_t *out, Py_ssize_t used
) noexcept nogil:
    """Write what becomes of n counters behind those that are there, and return how many there are then."""
    cdef uint16_t counter
    cdef Py_ssize_t k
    for k in range(n):
        counter = table[short_at(data + 2 * k)]
        if counter != NOWHERE:
            put(out + 2 * used, counter, 2)
            used += 1
    return used


def renumbered(bytes added not None, const uint16_t[::1] table not None, bytes more=None, other=None):
    """What a hand adds, by other counters.

    Parameters
    ----------
    added : bytes
        As this module has it.
    table : ndarray of uint16, shape (65536,)
        What each counter becomes; 65,535: it is left out.
    more : bytes, optional
        What the same hand was found to add before, of which some is to be kept. Winnings are those of `added`.
    other : ndarray of uint16, shape (65536,), optional
        What becomes of its counters, which come last.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If bytes are cut short, a table is of another shape, or there are other seats in `more`.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
    cdef const uint8_t *data2 = NULL
    cdef Py_ssize_t size2 = 0
    cdef const uint16_t[::1] table2
    cdef Py_ssize_t place = 0, place2 = 0, end, end2 = 0, n, n2
    cdef uint8_t *out
    if table.shape[0] != 0x10000:
        raise ValueError(f"expected a table of 65,536 counters, got {table.shape[0]:,}")
    if more is not None:
        table2 = other
        if table2.shape[0] != 0x10000:
            raise ValueError(f"expected a table of 65,536 counters, got {table2.shape[0]:,}")
        data2, size2 = <const uint8_t *> PyBytes_AS_STRING(more), PyBytes_GET_SIZE(more)
    cdef uint8_t *first = <uint8_t *> PyMem_Malloc(size + size2 + 1)
    if first == NULL:
        raise MemoryError
    try:
        out = first
        while place < size:
            end = next_seat(data, place, size, 0)
            n = renumber_seat(data + place + HEAD, (end - place - HEAD) // 2, &table[0], out + HEAD, 0)
            if more is not None:
                end2 = next_seat(data2, place2, size2, 0)
                n2 = (end2 - place2 - HEAD) // 2
                n = renumber_seat(data2 + place2 + HEAD, n2, &table2[0], out + HEAD, n)
                place2 = end2
            if n > 0xffff:
                raise ValueError(f"a hand adds to 65,535 counters of a player at most, got {n}")
            memcpy(out, data + place, WON_SIZE)
            put(out + WON_SIZE, n, HEAD - WON_SIZE)
            out += HEAD + 2 * n
            place = end
        if place2 != size2:
            raise ValueError("what a hand added is of other seats than before")
        return PyBytes_FromStringAndSize(<char *> first, out - first)
    finally:
        PyMem_Free(first)


# ------------------------------------------------------------------------------------------------------- a batch


cdef int64_t square(int64_t won) except -1:
    """The square of winnings in millionths of a small bet, in thousandths."""
    cdef int64_t billions, rest
    if won < 0:
        won = -won
    if not 0 <= won <= MOST_WON:
        raise ValueError(f"{won} millionths of a small bet are more than can be kept")
    billions, rest = won // 1000000000, won % 1000000000
    return billions * billions * 1000000000 + 2 * billions * rest + (rest * rest + 500000000) // 1000000000


@final
cdef class Tally:
    """By how much the counters of players go up, in a batch of hands.

    Parameters
    ----------
    pages : sequence of int
        Where the counters of each betting structure begin, in rising order.
    won, squares, showdown, showdown_won, showdown_squares, flops : int
        Counters of `pokermodel.learning.statistics`.
    letters : bytes
        For each of the first counters, which are actions, the letter that stands for it, or 0.
    """

    cdef pm_key_sums c
    cdef int pages[3]
    cdef int won, squares, showdown, showdown_won, showdown_squares, flops
    cdef bytes letters

    def __cinit__(
        self, pages, *, won, squares, showdown, showdown_won, showdown_squares, flops, bytes letters not None
    ):
        self.pages[0], self.pages[1], self.pages[2] = pages
        self.won, self.squares, self.flops, self.letters = won, squares, flops, letters
        self.showdown, self.showdown_won, self.showdown_squares = showdown, showdown_won, showdown_squares
        if not pm_sums_init(&self.c, 16):
            raise MemoryError

    def __dealloc__(self):
        pm_sums_free(&self.c)

    def __len__(self):
        return self.c.used

    def learn(self, ids, bytes added not None):
        """Count a hand.

        Parameters
        ----------
        ids : sequence of int
            Numbers of its players, below 2^32.
        added : bytes
            As this module has it.

        Returns
        -------
        list of (int, str)
            Players who acted after the flop, and their actions, a letter each.

        Raises
        ------
        ValueError
            If there is not one number for each seat, or what is won is too much to be kept.
        """
        cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
        cdef Py_ssize_t place = 0
        cdef Py_ssize_t end
        cdef int64_t player
        cdef list found = []
        if not pm_sums_reserve(&self.c, size // 2 + 4 * <int64_t> len(ids)):
            raise MemoryError
        for id in ids:
            player = whole(id, 0, 0xffffffff, "the number of a player")
            end = next_seat(data, place, size, 0)
            done = self.learn_seat(player << 16, data + place, (end - place - HEAD) // 2)
            if done is not None:
                found.append((id, done))
            place = end
        if place != size:
            raise ValueError(f"{len(ids)} numbers do not fit what a hand added")
        return found

    cdef learn_seat(self, int64_t player, const uint8_t *data, Py_ssize_t n):
        """Count what one player did, and return their actions after the flop; None if there are none."""
        cdef char usual[64]
        cdef char *text = usual
        cdef Py_ssize_t length = 0
        cdef int64_t won = long_at(data)
        cdef int64_t squared = square(won)
        cdef const char *letters = PyBytes_AS_STRING(self.letters)
        cdef int n_letters = <int> PyBytes_GET_SIZE(self.letters)
        cdef bint saw_flop = False
        cdef bint at_showdown = False
        cdef int counter, page = 0
        cdef Py_ssize_t k
        data += HEAD
        if n > 64:
            text = <char *> PyMem_Malloc(n)
            if text == NULL:
                raise MemoryError
        for k in range(n):
            counter = short_at(data + 2 * k)
            if k == 0:
                page = self.pages[0 if counter < self.pages[1] else 1 if counter < self.pages[2] else 2]
            pm_sums_add(&self.c, player | counter, 1)
            saw_flop |= counter == self.flops
            at_showdown |= counter == page + self.showdown
            if counter < n_letters and letters[counter]:
                text[length] = letters[counter]
                length += 1
        pm_sums_add(&self.c, player | (page + self.won), won)
        pm_sums_add(&self.c, player | (page + self.squares), squared)
        if at_showdown:
            pm_sums_add(&self.c, player | (page + self.showdown_won), won)
            pm_sums_add(&self.c, player | (page + self.showdown_squares), squared)
        try:
            return text[:length].decode("ascii") if saw_flop and length else None
        finally:
            if text != usual:
                PyMem_Free(text)

    def add(self, player, counter, count):
        """Add to a counter of a player."""
        if not pm_sums_reserve(&self.c, 1):
            raise MemoryError
        pm_sums_add(
            &self.c,
            whole(player, 0, 0xffffffff, "the number of a player") << 16 | whole(counter, 0, 0xffff, "a counter"),
            count,
        )

    def take(self, int64_t[::1] keys not None, int64_t[::1] counts not None):
        """Write all counters that went up or down, and by how much, in no order.

        Parameters
        ----------
        keys : ndarray of int64, shape (n,)
            Overwritten by 65,536 times the player, plus the counter. `len` of the tally is n.
        counts : ndarray of int64, shape (n,)
            Overwritten.

        Raises
        ------
        ValueError
            If a shape is another one.
        """
        if keys.shape[0] != self.c.used or counts.shape[0] != self.c.used:
            raise ValueError(f"expected arrays of {self.c.used} numbers, got {keys.shape[0]} and {counts.shape[0]}")
        if self.c.used:
            pm_sums_take(&self.c, &keys[0], &counts[0])
