"""Sizes of bets and raises in cells: what is expected of a player, and what is learnt of one.

The C functions are in ``pokermodel/readers/sizes.h``; what is meant stands in `pokermodel.reading.adaptive.sizes`.
"""

from libc.stdint cimport int16_t

import numpy as np

from pokermodel._core.likelihood cimport PM_HOLDING_FEATURES, PM_NO_CLASS, HoldingClasses
from pokermodel._core.reweighting cimport pm_table_kernels_at
from pokermodel._core.simd cimport level_in_use


cdef extern from "pokermodel/readers/sizes.h" nogil:
    enum:
        PM_SIZE_CELLS

    ctypedef struct pm_size_range:
        int low
        int high
        int least
        int most

    void pm_size_logits(
        const float *weights, int last, const int16_t *rows, int n, const pm_size_range *range, double *logits) noexcept
    void pm_size_population(
        double *forecast, const pm_size_range *range, const double *counts, double strength) noexcept
    void pm_size_habit(double *forecast, const float *told, float least, float strength) noexcept
    void pm_size_shared(int cell, double *chosen) noexcept


cdef enum:
    HOLDINGS = 1326


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef pm_size_range take_range(room) except *:
    cdef pm_size_range found
    found.low, found.high, found.least, found.most = room
    return found


def population(
    const float[:, ::1] weights, const int16_t[::1] rows, room, const double[::1] counts, double strength
):
    """What is expected of somebody of a population: float64 (38,).

    Parameters
    ----------
    weights : float32 (all rows + 1, 38)
    rows : int16 (n,)
        Of the situation.
    room : (int, int, bool, bool)
        As `pokermodel.reading.adaptive.sizes.SizeRange`.
    counts : float64 (38,) or None
        What the population chose in such a context.
    strength : float
        Observations that everybody's sizes are worth beside it.

    Raises
    ------
    ValueError
        If an array has another shape, or a row is out of range.
    """
    cdef pm_size_range range_ = take_range(room)
    cdef int last = <int> weights.shape[0] - 1
    cdef const double *chosen = NULL
    cdef Py_ssize_t k
    check_shape("weights", (weights.shape[0], weights.shape[1]), (weights.shape[0], PM_SIZE_CELLS))
    if counts is not None:
        check_shape("counts", (counts.shape[0],), (PM_SIZE_CELLS,))
        chosen = &counts[0]
    if rows.shape[0] < 1:
        raise ValueError("a situation has rows")
    for k in range(rows.shape[0]):
        if not 0 <= rows[k] < last:
            raise ValueError(f"rows must be 0 to {last - 1}, got {rows[k]}")
    forecast = np.empty(PM_SIZE_CELLS)
    cdef double[::1] to = forecast
    pm_size_logits(&weights[0, 0], last, &rows[0], <int> rows.shape[0], &range_, &to[0])
    np.exp(forecast, forecast)
    pm_size_population(&to[0], &range_, chosen, strength)
    return forecast


def habits(double[::1] forecast, told, float least, float strength, int cell=-1):
    """Overwrite a forecast by that of a player of the population, who has habits.

    Parameters
    ----------
    forecast : float64 (38,)
    told : iterable of ndarray of float32, shape (2, 38)
        What was chosen, and what was expected, one habit after the other.
    least : float
        What is added to both, so that no factor is without end.
    strength : float
        Observations that a factor of 1 is worth.
    cell : int
        What was chosen now, which is counted with each habit before it is gone by, against what those before it expect;
        -1 for nothing.

    Raises
    ------
    ValueError
        If an array has another shape, or there is no such cell.
    """
    cdef float[:, ::1] each
    cdef double chosen[PM_SIZE_CELLS]
    cdef int c
    check_shape("the forecast", (forecast.shape[0],), (PM_SIZE_CELLS,))
    if not -1 <= cell < PM_SIZE_CELLS:
        raise ValueError(f"a cell must be 0 to {PM_SIZE_CELLS - 1}, got {cell}")
    if cell >= 0:
        pm_size_shared(cell, chosen)
    for each in told:
        check_shape("a habit", (each.shape[0], each.shape[1]), (2, PM_SIZE_CELLS))
        if cell >= 0:
            for c in range(PM_SIZE_CELLS):
                each[0, c] = <float> (each[0, c] + chosen[c])
                each[1, c] = <float> (each[1, c] + forecast[c])
        pm_size_habit(&forecast[0], &each[0, 0], least, strength)


def posterior(
    const double[::1] weights, HoldingClasses classes not None, int first, const double[::1] factors, double[::1] after
):
    """Write weights after a size: each times the factor of its bin of strength, divided by the largest.

    Parameters
    ----------
    weights : float64 (1326,)
    classes : HoldingClasses
        Of the board.
    first : int
        The row of the first bin among the features of holdings.
    factors : float64 (bins,)
    after : float64 (1326,)
        Overwritten.

    Returns
    -------
    float
        The largest.

    Raises
    ------
    ValueError
        If an array has another shape, or a holding has a bin without a factor.
    """
    cdef double factor[HOLDINGS]
    cdef int k, bin
    check_shape("weights", (weights.shape[0],), (HOLDINGS,))
    check_shape("after", (after.shape[0],), (HOLDINGS,))
    for k in range(classes.c.n):
        bin = classes.c.rows[PM_HOLDING_FEATURES * k] - first
        if not 0 <= bin < factors.shape[0]:
            raise ValueError(f"expected {factors.shape[0]} bins, got {bin}")
    for k in range(HOLDINGS):
        factor[k] = 1.0
        if classes.c.of[k] != PM_NO_CLASS:
            factor[k] = factors[classes.c.rows[PM_HOLDING_FEATURES * classes.c.of[k]] - first]
    return pm_table_kernels_at(level_in_use()).posterior(&weights[0], factor, 1, HOLDINGS, 0.0, &after[0])
