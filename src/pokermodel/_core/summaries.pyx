"""What tables of weights are like in a few numbers, each found in one pass over the holdings."""

from cpython.buffer cimport PyBUF_WRITABLE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cython cimport final
from libc.math cimport fabs, log
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from pokermodel._core.simd cimport level_in_use


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    enum: PM_HOLDINGS
    int pm_holding(int a, int b) noexcept

cdef extern from "pokermodel/ranges/summaries.h" nogil:
    ctypedef struct pm_summary_kernels:
        int (*checked)(const double *weights, const uint8_t *live, Py_ssize_t n, double *to) noexcept nogil
        int (*shares)(const double *weights, Py_ssize_t n, double *out) noexcept nogil

    const pm_summary_kernels *pm_summary_kernels_at(int level) noexcept
    double pm_entropy_bits(const double *shares, Py_ssize_t n) noexcept
    enum: PM_PACKED_MOST, PM_PACKED_STEPS, PM_PACKED_EACH
    Py_ssize_t pm_packed_weights(
        const double *weights, const uint8_t *live, const int64_t *order, const uint8_t *classes, double *largest,
        uint8_t *out) noexcept


cdef int check_holdings(str name, Py_ssize_t n) except -1:
    if n != PM_HOLDINGS:
        raise ValueError(f"{name} must have length {PM_HOLDINGS}, got {n}")
    return 0


@final
cdef class HoldingGroups:
    """Holdings in groups, each in the order of its holdings: sums by group wait for nothing but their own group.

    Parameters
    ----------
    labels : uint8 (1326,)
        The group of each holding, 0 to n - 1.
    n : int
        How many there are, 256 at most.

    Raises
    ------
    ValueError
        If the array has another length, or a label is out of range.
    """

    cdef int n
    cdef int first[257]             # where each group begins
    cdef int16_t order[1326]        # the holdings, group by group

    def __init__(self, const uint8_t[::1] labels, int n):
        cdef int place[256]
        cdef int k
        check_holdings("labels", labels.shape[0])
        if not 0 < n <= 256:
            raise ValueError(f"there can be 1 to 256 labels, got {n}")
        memset(place, 0, sizeof(place))
        for k in range(PM_HOLDINGS):
            if labels[k] >= n:
                raise ValueError(f"labels must be 0 to {n - 1}, got {labels[k]}")
            place[labels[k]] += 1
        self.n = n
        self.first[0] = 0
        for k in range(n):
            self.first[k + 1] = self.first[k] + place[k]
            place[k] = self.first[k]
        for k in range(PM_HOLDINGS):
            self.order[place[labels[k]]] = k
            place[labels[k]] += 1

    cdef void add(self, const double *values, double *sums) noexcept:
        cdef double sum
        cdef int group, k
        for group in range(self.n):
            sum = 0.0
            for k in range(self.first[group], self.first[group + 1]):
                sum += values[self.order[k]]
            sums[group] = sum

    def sums(self, const double[::1] values):
        """Add values of holdings, float64 (1326,), by group: list of float, length n."""
        cdef double[256] sums
        cdef int k
        check_holdings("values", values.shape[0])
        self.add(&values[0], sums)
        return [sums[k] for k in range(self.n)]


@final
cdef class FixedWeights:
    """Weights of a table, which nobody can write to, and what is told of them, each worked out once, when asked for.

    `fixed_weights` makes one. As a buffer it is the weights: float64 (1326,), 0 where a holding is not possible. All
    that is told of one table is told here: to go through NumPy for each of it takes longer than to work it out.
    """

    cdef double *weights
    cdef double *chances            # behind them, the weights scaled to sum 1, once they were asked for
    cdef double bits                # their entropy, likewise
    cdef int found                  # whether there are chances: -1 while nobody has asked
    cdef bint weighed               # whether `bits` is there
    cdef bytes live
    cdef Py_ssize_t shape[1]
    cdef Py_ssize_t strides[1]

    def __init__(self):
        raise TypeError("fixed_weights makes fixed weights")

    def __dealloc__(self):
        PyMem_Free(self.weights)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if flags & PyBUF_WRITABLE:
            raise BufferError("the weights of a table are not changed")
        self.shape[0], self.strides[0] = PM_HOLDINGS, sizeof(double)
        buffer.buf = self.weights
        buffer.obj = self
        buffer.len = PM_HOLDINGS * sizeof(double)
        buffer.itemsize = sizeof(double)
        buffer.readonly = 1
        buffer.ndim = 1
        buffer.format = b"d"
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL
        buffer.internal = NULL

    cdef bint ask(self) noexcept:
        """Whether a weight is above 0, so that there are chances."""
        if self.found < 0:
            self.found = pm_summary_kernels_at(level_in_use()).shares(self.weights, PM_HOLDINGS, self.chances)
        return self.found

    cdef int need(self) except -1:
        if not self.ask():
            raise ValueError("every holding has weight 0: the table has no probabilities")
        return 0

    @property
    def values(self):
        """The weights, as a view that nobody can write to."""
        return memoryview(self)

    @property
    def possible(self):
        """Whether a weight is above 0."""
        return self.ask()

    @property
    def shares(self):
        """The weights, scaled to sum 1: as bytes of float64. `ValueError` if all are 0, as of all that follows."""
        self.need()
        return PyBytes_FromStringAndSize(<char *> self.chances, PM_HOLDINGS * sizeof(double))

    @property
    def entropy_bits(self):
        """How uncertain the weights leave it, in bits."""
        self.need()
        if not self.weighed:
            self.bits = pm_entropy_bits(self.chances, PM_HOLDINGS)
            self.weighed = True
        return self.bits

    def largest(self, Py_ssize_t most, tuple names):
        """The most probable holdings by their names, and how probable they are; of equal ones the later first.

        Parameters
        ----------
        most : int
            How many are wanted.
        names : tuple of str, length 1326

        Returns
        -------
        list of (str, float)
            Falling; as many as there are.
        """
        check_holdings("names", len(names))
        self.need()
        return find_largest(self.chances, PM_HOLDINGS, most, False, names)

    def largest_sums(self, Py_ssize_t most, HoldingGroups groups not None, tuple names):
        """The groups of holdings that are the most probable together; of equal ones the earlier first.

        Parameters
        ----------
        most : int
            How many are wanted.
        groups : HoldingGroups
        names : tuple of str
            Of the groups.

        Returns
        -------
        list of (str, float)
            Falling; as many as there are.

        Raises
        ------
        ValueError
            Also if there are not as many names as groups.
        """
        cdef double[256] sums
        if len(names) != groups.n:
            raise ValueError(f"{groups.n} groups have as many names, got {len(names)}")
        self.need()
        groups.add(self.chances, sums)
        return find_largest(sums, groups.n, most, True, names)

    def sums(self, HoldingGroups groups not None):
        """How probable the holdings of each group are together: list of float, length n."""
        cdef double[256] sums
        cdef int k
        self.need()
        groups.add(self.chances, sums)
        return [sums[k] for k in range(groups.n)]

    def judged(self, Py_ssize_t place, double slack):
        """How probable a holding is, one of how many, and how many are more probable.

        Parameters
        ----------
        place : int
            The holding.
        slack : float
            Others that are more probable by less than this share count as equal.

        Returns
        -------
        (float, int, int) or None
            The probability, the number of holdings that are possible by the cards that are dead, and one plus how many
            are more probable. None if it is not one of these.

        Raises
        ------
        ValueError
            Also if there is no such holding.
        """
        cdef double least
        cdef int larger = 0
        cdef int count = 0
        cdef Py_ssize_t k
        cdef const unsigned char *live = <const unsigned char *> PyBytes_AS_STRING(self.live)
        if not 0 <= place < PM_HOLDINGS:
            raise ValueError(f"a holding is 0 to {PM_HOLDINGS - 1}, got {place}")
        if not live[place]:
            return None
        self.need()
        least = self.chances[place] * (1.0 + slack)
        for k in range(PM_HOLDINGS):
            larger += self.chances[k] > least
            count += live[k] != 0
        return self.chances[place], count, 1 + larger


def fixed_weights(const double[::1] weights, bytes live not None):
    """Copy weights to where nobody can write to them, 0 where a holding is not possible, without negative zeros.

    Parameters
    ----------
    weights : float64 (1326,)
    live : bytes, length 1326
        Whether each holding is possible.

    Returns
    -------
    FixedWeights or None
        None if a weight of a possible holding is negative, infinite or no number.

    Raises
    ------
    ValueError
        If one of them has another length.
    """
    check_holdings("weights", weights.shape[0])
    check_holdings("live", len(live))
    cdef FixedWeights found = FixedWeights.__new__(FixedWeights)
    found.weights = <double *> PyMem_Malloc(2 * PM_HOLDINGS * sizeof(double))
    if found.weights is NULL:
        raise MemoryError
    found.chances = found.weights + PM_HOLDINGS
    if not pm_summary_kernels_at(level_in_use()).checked(
        &weights[0], <const uint8_t *> PyBytes_AS_STRING(live), PM_HOLDINGS, found.weights
    ):
        return None
    found.found, found.live = -1, live
    return found


#: What stands for the largest weight where weights are packed, how much less for half of it, and what is added to each
#: number of a class whose holdings have different ones.
PACKING = (PM_PACKED_MOST, PM_PACKED_STEPS, PM_PACKED_EACH)


def packed(
    const double[::1] weights, const uint8_t[::1] live, const int64_t[::1] order, const uint8_t[::1] classes
):
    """Pack weights as logarithms into 16 bits for each class whose holdings have the same one, or else each holding.

    Parameters
    ----------
    weights : float64 (1326,)
        Finite, >= 0.
    live : uint8 (1326,)
        Whether each holding is possible; others are left out.
    order : int64 (1326,)
        All holdings, class by class.
    classes : uint8 (1326,)
        The class of each holding.

    Returns
    -------
    (float, bytes)
        The largest weight, and unsigned 16-bit integers, low byte first. `PACKING` says what they stand for; weights
        are true to one part in 2,900, down to 2**-31 of the largest, and 0 stands for 0.

    Raises
    ------
    ValueError
        If an array has another length, or a holding is out of range.
    """
    cdef uint8_t out[2 * 1326]
    cdef double largest = 0.0
    cdef Py_ssize_t k, size
    check_holdings("weights", weights.shape[0])
    check_holdings("live", live.shape[0])
    check_holdings("order", order.shape[0])
    check_holdings("classes", classes.shape[0])
    for k in range(PM_HOLDINGS):
        if not 0 <= order[k] < PM_HOLDINGS:
            raise ValueError(f"a holding is 0 to {PM_HOLDINGS - 1}, got {order[k]}")
    with nogil:
        size = pm_packed_weights(&weights[0], &live[0], &order[0], &classes[0], &largest, out)
    return largest, (<char *> out)[:size]


cdef list find_largest(const double *values, Py_ssize_t n, Py_ssize_t most, bint early, tuple names):
    """The names of the largest values above 0, and these, falling; of equal ones the earlier or later first."""
    cdef Py_ssize_t found = 0
    cdef Py_ssize_t k, place
    cdef Py_ssize_t at = 0 if early else n - 1
    cdef Py_ssize_t step = 1 if early else -1   # whichever way it goes, the first of equal ones is found first
    cdef double least = 0.0
    cdef Py_ssize_t *places
    most = max(0, min(most, n))
    if most == 0:
        return []
    places = <Py_ssize_t *> malloc(most * sizeof(Py_ssize_t))
    if places is NULL:
        raise MemoryError
    with nogil:
        for _ in range(n):
            if values[at] > least:
                place = found if found < most else found - 1
                while place > 0 and values[places[place - 1]] < values[at]:
                    places[place] = places[place - 1]
                    place -= 1
                places[place] = at
                found += found < most
                if found == most:
                    least = values[places[found - 1]]
            at += step
    try:
        return [(names[places[k]], values[places[k]]) for k in range(found)]
    finally:
        free(places)


def best_division(const double[::1] weights, const double[::1] joint, HoldingGroups kinds not None):
    """Of parts of holdings, each a part of the one before it, find the one that an act divides best from the others.

    A part has the holdings of a kind and above. How well it is divided is how much likelier the act is with its
    holdings, as a logarithm, times the shares of both sides.

    Parameters
    ----------
    weights : float64 (1326,)
        Before the act. What is no number counts as 0, as in `joint`.
    joint : float64 (1326,)
        These times the probability of the act with each holding, of any scale.
    kinds : HoldingGroups
        By the number of parts that each holding is in; 16 at most.

    Returns
    -------
    (int, float, float) or None
        The part, how many times as likely the act is with its holdings, and their share; of equally good ones the
        first. None if no part is divided.

    Raises
    ------
    ValueError
        If an array has another length, or there are too many kinds.
    """
    cdef double held[17]
    cdef double likely[17]
    cdef double share, within, without, quality, one, other
    cdef double best = 0.0
    cdef int n = kinds.n - 1
    cdef int k, of
    cdef Py_ssize_t place
    cdef object found = None
    if not 0 < n < 16:
        raise ValueError(f"there can be 2 to 16 kinds of holdings, got {n + 1}")
    check_holdings("weights", weights.shape[0])
    check_holdings("joint", joint.shape[0])
    for k in range(n + 1):
        one = other = 0.0
        for place in range(kinds.first[k], kinds.first[k + 1]):
            of = kinds.order[place]
            one += weights[of] if weights[of] == weights[of] else 0.0
            other += joint[of] if joint[of] == joint[of] else 0.0
        held[k], likely[k] = one, other
    for k in range(n - 1, -1, -1):     # from sums of kinds to those of parts
        held[k] += held[k + 1]
        likely[k] += likely[k + 1]
    for k in range(1, n + 1):
        share = held[k] / held[0] if held[0] > 0.0 else 0.0
        if not 0.0 < share < 1.0:
            continue
        within = likely[k] / share
        without = (likely[0] - likely[k]) / (1.0 - share)
        if within <= 0.0 or without <= 0.0:
            continue
        quality = share * (1.0 - share) * fabs(log(within / without))
        if quality > best:
            best = quality
            found = k - 1, within / without, share
    return found


# ------------------------------------------------------------------------------------------ shares before the flop

cdef enum:
    CLASSES = 169
    SUIT_ORDERS = 24


def fill_preflop_shares(
    const uint32_t[::1] told, const int64_t[::1] representatives, const int64_t[::1] classes,
    const int64_t[:, ::1] orders, double[:, ::1] out,
):
    """Fill the table of shares of the pot before the flop from what was told of pairs that suits do not make equal.

    A pair of holdings is the same as another if other names of suits turn one into the other, and its shares are those
    of the pair the other way round. Of pairs that are the same, the first in the order of the table is told.

    Parameters
    ----------
    told : uint32 (n,)
        Twice the runouts that the first holding wins and once those that are tied.
    representatives : int64 (169,)
        A holding of each class.
    classes : int64 (1326,)
        The class of each holding.
    orders : int64 (24, 1326)
        What each holding becomes with other names of suits.
    out : float64 (169, 1326)
        Overwritten: by class of the first player, who has its representative, and holding of the second; 0 where both
        have a card.

    Raises
    ------
    ValueError
        If arrays have other shapes, or more or less was told than there are pairs.
    """
    cdef double runouts = 1712304.0     # of 48 cards, five
    cdef int64_t one, other, place, best, found
    cdef int k, order, hi, lo
    cdef Py_ssize_t read = 0
    cdef bint swapped, turned
    cdef int64_t cards[1326][2]
    if representatives.shape[0] != CLASSES or out.shape[0] != CLASSES or orders.shape[0] != SUIT_ORDERS:
        raise ValueError("expected 169 classes, and 24 orders of suits")
    check_holdings("classes", classes.shape[0])
    check_holdings("rows", out.shape[1])
    check_holdings("orders", orders.shape[1])
    for hi in range(52):
        for lo in range(hi):
            cards[pm_holding(hi, lo)][0] = hi
            cards[pm_holding(hi, lo)][1] = lo
    for k in range(CLASSES):
        one = representatives[k]
        for other in range(PM_HOLDINGS):
            if (
                cards[one][0] == cards[other][0] or cards[one][0] == cards[other][1]
                or cards[one][1] == cards[other][0] or cards[one][1] == cards[other][1]
            ):
                out[k, other] = 0.0
                continue
            place = best = k * PM_HOLDINGS + other
            swapped = False
            for order in range(SUIT_ORDERS):
                for turned in range(2):
                    if orders[order, other if turned else one] != representatives[classes[other if turned else one]]:
                        continue
                    found = classes[other if turned else one] * PM_HOLDINGS + orders[order, one if turned else other]
                    if found < best:
                        best = found
                        swapped = turned
            if best == place:
                if read == told.shape[0]:
                    raise ValueError(f"more pairs of holdings were expected than {told.shape[0]}")
                out[k, other] = told[read] / (2.0 * runouts)
                read += 1
            else:
                found = best % PM_HOLDINGS
                out[k, other] = out[best // PM_HOLDINGS, found]
                if swapped:
                    out[k, other] = 1.0 - out[k, other]
    if read != told.shape[0]:
        raise ValueError(f"{told.shape[0]} pairs of holdings were told of, expected {read}")
