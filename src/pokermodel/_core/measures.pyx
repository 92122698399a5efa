"""Sums of what is measured of a forecaster, for `pokermodel.scoring`.

The C functions are in ``pokermodel/readers/measures.h``.
"""

from libc.math cimport isfinite, log, log2
from libc.stdlib cimport free, malloc

TENTHS = PM_TENTHS


cdef enum:
    ACTS = 3


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef class Sums:
    """Sums over decisions and over hands, of which a mean and its error are made.

    Attributes
    ----------
    n : int
        How many values there are.
    total : float
        Their sum.
    """

    def __cinit__(self):
        pm_mean_begin(&self.c)

    @property
    def n(self):
        return self.c.n

    @property
    def total(self):
        return self.c.total

    def add(self, int64_t hand, double value):
        """Add a value of a hand; those of one hand come one after the other."""
        pm_mean_add(&self.c, hand, value)

    def absorb(self, Sums other not None):
        """Add those of other hands."""
        pm_mean_absorb(&self.c, &other.c)

    def over_hands(self):
        """Return the number of hands, and the sums of their squares, their products with counts, and squared counts."""
        cdef pm_mean whole = self.c
        pm_mean_close(&whole, -1)
        return whole.hands, whole.squares, whole.cross, whole.counts

    def __reduce__(self):
        cdef const pm_mean *m = &self.c
        return type(self), (), (m.n, m.total, m.hand, m.hands, m.sum, m.count, m.squares, m.cross, m.counts)

    def __setstate__(self, state):
        cdef pm_mean m
        m.n, m.total, m.hand, m.hands, m.sum, m.count, m.squares, m.cross, m.counts = state
        self.c = m


cdef class ActSums:
    """Sums of what forecasts of acts cost.

    Parameters
    ----------
    loss, hits, uniform : Sums
        Of the logarithm of what came true, of whether it was the likeliest, and of the logarithm of a guess.
    """

    def __init__(self, Sums loss not None, Sums hits not None, Sums uniform not None):
        self.loss, self.hits, self.uniform = loss, hits, uniform

    def absorb(self, ActSums other not None):
        """Add those of other hands."""
        pm_mean_absorb(&self.loss.c, &other.loss.c)
        pm_mean_absorb(&self.hits.c, &other.hits.c)
        pm_mean_absorb(&self.uniform.c, &other.uniform.c)

    def __reduce__(self):
        return type(self), (self.loss, self.hits, self.uniform)


cdef class Tenths:
    """How often each act was foretold with each tenth of probability, and how often it was done.

    Parameters
    ----------
    counts : ndarray of int64, shape (3, 10)
    predicted : ndarray of float64, shape (3, 10)
    observed : ndarray of int64, shape (3, 10)
        All are added to.
    """

    def __init__(self, int64_t[:, ::1] counts, double[:, ::1] predicted, int64_t[:, ::1] observed):
        check_shape("counts", (counts.shape[0], counts.shape[1]), (ACTS, PM_TENTHS))
        check_shape("predicted", (predicted.shape[0], predicted.shape[1]), (ACTS, PM_TENTHS))
        check_shape("observed", (observed.shape[0], observed.shape[1]), (ACTS, PM_TENTHS))
        self.counts, self.predicted, self.observed = counts, predicted, observed


def add_act(
    tuple parts not None,
    Tenths tenths not None,
    int64_t hand,
    tuple legal not None,
    const double[::1] predicted,
    int act,
    double least,
):
    """Add what a forecast of an act cost.

    Parameters
    ----------
    parts : tuple of ActSums
        To each of these.
    tenths : Tenths
        And to this.
    hand : int
        Number of the hand.
    legal : tuple of int
        The legal acts, in order.
    predicted : ndarray of float64, shape (3,)
        Fold, call, raise, of any sum.
    act : int
        What was done.
    least : float
        No legal act counts as less likely than this.

    Returns
    -------
    (float, float) or None
        The loss and that of a guess; None if these are no forecasts, and then nothing is added.

    Raises
    ------
    ValueError
        If an act is none, or was not legal, or the least is no probability.
    """
    cdef pm_act_loss found
    cdef ActSums part
    cdef int mask = 0
    cdef int k, tenth
    check_shape("predicted", (predicted.shape[0],), (ACTS,))
    for each in legal:
        k = each
        if not 0 <= k < ACTS:
            raise ValueError(f"there is no act {k}")
        mask |= 1 << k
    if not (0 <= act < ACTS and mask >> act & 1):
        raise ValueError(f"act {act} is not among the legal ones, {mask:#b}")
    if not 0.0 <= least <= 1.0:
        raise ValueError(f"the least must be 0 to 1, got {least}")
    if not pm_lose_act(&predicted[0], mask, act, least, &found):
        return None
    for each in parts:
        part = <ActSums?> each
        pm_mean_add(&part.loss.c, hand, found.loss)
        pm_mean_add(&part.hits.c, hand, found.hit)
        pm_mean_add(&part.uniform.c, hand, found.uniform)
    for k in range(ACTS):
        if mask >> k & 1:
            tenth = pm_tenth(found.chance[k])
            tenths.counts[k, tenth] += 1
            tenths.predicted[k, tenth] += found.chance[k]
            tenths.observed[k, tenth] += k == act
    return found.loss, found.uniform


def size_loss(const double[::1] predicted, const uint8_t[::1] room, Py_ssize_t chosen, double least):
    """Return what a forecast of a size cost, and a guess among those that there was room for.

    Parameters
    ----------
    predicted : ndarray of float64, shape (n,)
        By class of sizes, of any sum.
    room : ndarray of uint8, shape (n,)
        Whether there was room for each.
    chosen : int
        The class that was chosen.
    least : float
        No class that there was room for counts as less likely than this.

    Returns
    -------
    (float, float) or None
        None if these are no forecasts.

    Raises
    ------
    ValueError
        If there was no room for what was chosen.
    """
    cdef Py_ssize_t n = predicted.shape[0]
    cdef Py_ssize_t found = 0, place = 0, k
    cdef double total, floored
    cdef bint fine = True
    check_shape("room", (room.shape[0],), (n,))
    if not (0 <= chosen < n and room[chosen]):
        raise ValueError(f"there is no room for the class of sizes {chosen}")
    cdef double *kept = <double *> malloc(n * sizeof(double))
    if not kept:
        raise MemoryError
    for k in range(n):
        if room[k]:
            fine = fine and isfinite(predicted[k]) and predicted[k] >= 0
            place = found if k == chosen else place
            kept[found] = predicted[k]
            found += 1
    total = pm_pairwise_sum(kept, found)
    for k in range(found):
        kept[k] = max(kept[k] / total if total else kept[k], least)
    floored = kept[place] / pm_pairwise_sum(kept, found)
    free(kept)
    return (-log(floored), log(<double> found)) if fine else None


def holding_bits(const double[::1] weights, const uint8_t[::1] live, Py_ssize_t holding, double least):
    """Return the binary logarithm of a holding's share of the weights by that of a uniform table.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
    live : ndarray of uint8, shape (n,)
        Whether each holding is possible.
    holding : int
        The true one.
    least : float
        It counts as no less likely than this share of uniform.

    Returns
    -------
    float or None
        None if the weights are below 0, not finite or add up to nothing.

    Raises
    ------
    ValueError
        If there is no such holding.
    """
    cdef Py_ssize_t n = weights.shape[0]
    cdef ptrdiff_t possible
    cdef double total, least_weight
    check_shape("live", (live.shape[0],), (n,))
    if not 0 <= holding < n:
        raise ValueError(f"there is no holding {holding} among {n}")
    cdef double *kept = <double *> malloc(n * sizeof(double))
    if not kept:
        raise MemoryError
    possible = pm_possible_weights(&weights[0], &live[0], n, kept)
    total, least_weight = pm_pairwise_sum(kept, possible), pm_smallest(kept, possible, 0.0)
    free(kept)
    if not (least_weight == 0 and isfinite(total) and total > 0):
        return None
    return log2(max(weights[holding] / total * <double> possible, least))
