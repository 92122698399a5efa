"""What tables of weights are like in a few numbers, each found in one pass over the holdings."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport fabs, log
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc

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


def checked(const double[::1] weights, const uint8_t[::1] live):
    """Copy weights to where nobody can write to them, 0 where a holding is not possible.

    Parameters
    ----------
    weights : float64 (1326,)
    live : uint8 (1326,)
        Whether each holding is possible.

    Returns
    -------
    bytes or None
        As float64, without negative zeros. None if a weight of a possible holding is negative, infinite or no number.

    Raises
    ------
    ValueError
        If an array has another length.
    """
    cdef bytes found = PyBytes_FromStringAndSize(NULL, PM_HOLDINGS * sizeof(double))
    cdef double *to = <double *> PyBytes_AS_STRING(found)
    check_holdings("weights", weights.shape[0])
    check_holdings("live", live.shape[0])
    return found if pm_summary_kernels_at(level_in_use()).checked(&weights[0], &live[0], PM_HOLDINGS, to) else None


def shares(const double[::1] weights, double[::1] out):
    """Divide weights by their sum, by way of the largest, so that no sum overflows.

    Parameters
    ----------
    weights : float64 (1326,)
        Finite, >= 0.
    out : float64 (1326,)
        Overwritten; unless all weights are 0.

    Returns
    -------
    bool
        Whether a weight is above 0.

    Raises
    ------
    ValueError
        If an array has another length.
    """
    cdef bint found
    check_holdings("weights", weights.shape[0])
    check_holdings("out", out.shape[0])
    with nogil:
        found = pm_summary_kernels_at(level_in_use()).shares(&weights[0], PM_HOLDINGS, &out[0])
    return found


def entropy_bits(const double[::1] shares):
    """How uncertain probabilities leave it, in bits.

    Parameters
    ----------
    shares : float64 (1326,)
        Probabilities.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there are not 1,326.
    """
    check_holdings("shares", shares.shape[0])
    return pm_entropy_bits(&shares[0], PM_HOLDINGS)


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


cdef list find_largest(const double *values, Py_ssize_t n, Py_ssize_t most, bint early):
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
    told = [(places[k], values[places[k]]) for k in range(found)]
    free(places)
    return told


def largest_of(const double[::1] values, Py_ssize_t most, bint early=False):
    """Find the largest values that are above 0.

    Parameters
    ----------
    values : float64 (n,)
    most : int
        How many are wanted.
    early : bool
        Which of equal values is first: the earlier one, or the later.

    Returns
    -------
    list of (int, float)
        Places and values, falling; as many as there are.
    """
    return find_largest(&values[0], values.shape[0], most, early) if values.shape[0] else []


cdef int add_by_label(const double[::1] values, const uint8_t[::1] labels, int n, double *sums) except -1:
    cdef Py_ssize_t k
    check_holdings("values", values.shape[0])
    check_holdings("labels", labels.shape[0])
    if not 0 < n <= 256:
        raise ValueError(f"there can be 1 to 256 labels, got {n}")
    for k in range(256):
        sums[k] = 0.0
    for k in range(PM_HOLDINGS):
        sums[labels[k]] += values[k]
    for k in range(n, 256):
        if sums[k] != 0.0:
            raise ValueError(f"labels must be 0 to {n - 1}, got {k}")
    return 0


def label_sums(const double[::1] values, const uint8_t[::1] labels, int n):
    """Add values by label, in the order of holdings.

    Parameters
    ----------
    values : float64 (1326,)
    labels : uint8 (1326,)
        0 to n - 1; others may have values of 0 alone.
    n : int
        How many there are, 256 at most.

    Returns
    -------
    list of float, length n

    Raises
    ------
    ValueError
        If an array has another length, or a label is out of range.
    """
    cdef double[256] sums
    cdef int k
    add_by_label(values, labels, n, sums)
    return [sums[k] for k in range(n)]


def largest_sums(const double[::1] values, const uint8_t[::1] labels, int n, Py_ssize_t most):
    """Find the labels with the largest sums of values above 0, of equal ones the earlier first.

    Parameters
    ----------
    values, labels, n
        As `label_sums`.
    most : int
        How many are wanted.

    Returns
    -------
    list of (int, float)
        Labels and sums, falling; as many as there are.

    Raises
    ------
    ValueError
        As `label_sums`.
    """
    cdef double[256] sums
    add_by_label(values, labels, n, sums)
    return find_largest(sums, n, most, True)


def rank_of(const double[::1] values, Py_ssize_t place, double slack):
    """One plus how many values are larger than the one at a place, by more than a share of it.

    Parameters
    ----------
    values : float64 (n,)
    place : int
    slack : float
        Values that are larger by less than this share count as equal.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If there is no such place.
    """
    cdef double least
    cdef int larger = 0
    cdef Py_ssize_t k
    if not 0 <= place < values.shape[0]:
        raise ValueError(f"there is no place {place} among {values.shape[0]} values")
    least = values[place] * (1.0 + slack)
    for k in range(values.shape[0]):
        larger += values[k] > least
    return 1 + larger


def best_division(const double[::1] weights, const double[::1] joint, const uint8_t[::1] kinds, int n):
    """Of groups of holdings, each a part of the one before it, find the one that an act divides best from the others.

    A group has the holdings of a kind and above. How well it is divided is how much likelier the act is with its
    holdings, as a logarithm, times the shares of both parts.

    Parameters
    ----------
    weights : float64 (1326,)
        Before the act. What is no number counts as 0, as in `joint`.
    joint : float64 (1326,)
        These times the probability of the act with each holding, of any scale.
    kinds : uint8 (1326,)
        The number of groups that each holding is in, 0 to `n`.
    n : int
        How many groups there are, 15 at most.

    Returns
    -------
    (int, float, float) or None
        The group, how many times as likely the act is with its holdings, and their share; of equally good ones the
        first. None if no group is divided.

    Raises
    ------
    ValueError
        If an array has another length, or a kind is out of range.
    """
    cdef double held[17]
    cdef double likely[17]
    cdef double share, within, without, quality
    cdef double best = 0.0
    cdef int k
    cdef object found = None
    if not 0 < n < 16:
        raise ValueError(f"there can be 1 to 15 groups, got {n}")
    check_holdings("weights", weights.shape[0])
    check_holdings("joint", joint.shape[0])
    check_holdings("kinds", kinds.shape[0])
    for k in range(n + 2):
        held[k] = likely[k] = 0.0
    for k in range(PM_HOLDINGS):
        if kinds[k] > n:
            raise ValueError(f"kinds must be 0 to {n}, got {kinds[k]}")
        held[kinds[k]] += weights[k] if weights[k] == weights[k] else 0.0
        likely[kinds[k]] += joint[k] if joint[k] == joint[k] else 0.0
    for k in range(n - 1, -1, -1):     # from sums of kinds to those of groups
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
