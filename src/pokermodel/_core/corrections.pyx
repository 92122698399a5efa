"""Forecasts and tables corrected by what came of earlier ones, for `pokermodel.reading.calibration`.

The C functions are in ``pokermodel/ranges/reweighting.h`` and ``pokermodel/ranges/sums.h``.
"""

from cpython.tuple cimport PyTuple_GET_SIZE
from libc.math cimport log
from libc.stdint cimport uint8_t

from pokermodel._core.measures cimport pm_largest, pm_live_weights, pm_log_moments
from pokermodel._core.reweighting cimport PM_CORRECTIONS, pm_correct, pm_learn_act


cdef enum:
    ACTS = 3
    ROUNDS = 4
    FACING = 3
    FORECAST = 3  # fields of a forecast, a decision and a situation
    DECISION = 7
    SITUATION = 20


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef tuple named(given, Py_ssize_t fields, str what):
    """Take a named tuple for what it is."""
    if not isinstance(given, tuple) or PyTuple_GET_SIZE(given) != fields:
        raise ValueError(f"expected a {what}, got {given!r}")
    return <tuple> given  # or a class of its own


cdef int context(tuple situation, int *round, int *facing) except -1:
    """Find out where a `Situation` is corrected; return its legal acts, as a mask."""
    cdef int legal = 0, act
    round[0] = situation[5]
    facing[0] = 2 if situation[9] > 2 else situation[9]
    if not (0 <= round[0] < ROUNDS and facing[0] >= 0):
        raise ValueError(f"expected round 0 to 3 and 0 or more bets to call, got {situation[5]} and {situation[9]}")
    for each in situation[17]:
        act = each
        if not 0 <= act < ACTS:
            raise ValueError(f"there is no act {act}")
        legal |= 1 << act
    return legal


cdef int check_theta(const double[:, :, ::1] theta) except -1:
    return check_shape("theta", (theta.shape[0], theta.shape[1], theta.shape[2]), (ROUNDS, FACING, PM_CORRECTIONS))


def forecast(const double[:, :, ::1] theta, situation, const double[::1] predicted, double[::1] out):
    """Write a forecast as corrected: legal acts have a chance, the others 0.

    Parameters
    ----------
    theta : ndarray of float64, shape (4, 3, 4)
        The corrections by round and bets to call.
    situation : Situation
    predicted, out : ndarray of float64, shape (3,)

    Raises
    ------
    ValueError
        If a shape does not fit, or it is no situation.
    """
    cdef double logs[ACTS]
    cdef int round, facing, legal
    check_theta(theta)
    check_shape("predicted", (predicted.shape[0],), (ACTS,))
    check_shape("out", (out.shape[0],), (ACTS,))
    legal = context(named(situation, SITUATION, "situation"), &round, &facing)
    pm_correct(&theta[round, facing, 0], &predicted[0], legal, logs, &out[0])


def learn_acts(double[:, :, ::1] theta, double[:, :, :, ::1] information, said):
    """Correct the corrections, by one Newton step for each act that was forecast.

    Parameters
    ----------
    theta : ndarray of float64, shape (4, 3, 4)
    information : ndarray of float64, shape (4, 3, 4, 4)
        Both are overwritten.
    said : iterable of Forecast
        In order; those that have no forecast of an act are passed over.

    Raises
    ------
    ValueError
        If a shape does not fit, an act was not legal, or there is something else than forecasts.
    """
    cdef const double[::1] predicted
    cdef tuple told, decision
    cdef int round, facing, legal, act
    check_theta(theta)
    check_shape(
        "information",
        (information.shape[0], information.shape[1], information.shape[2], information.shape[3]),
        (ROUNDS, FACING, PM_CORRECTIONS, PM_CORRECTIONS),
    )
    for each in said:
        told = named(each, FORECAST, "forecast")
        if told[1] is None:
            continue
        decision = named(told[0], DECISION, "decision")
        legal = context(named(decision[3], SITUATION, "situation"), &round, &facing)
        act = decision[4]
        if not (0 <= act < ACTS and legal >> act & 1):
            raise ValueError(f"act {act} is not among the legal ones, {legal:#b}")
        predicted = told[1]
        check_shape("a forecast", (predicted.shape[0],), (ACTS,))
        pm_learn_act(&theta[round, facing, 0], &information[round, facing, 0, 0], &predicted[0], legal, act)


def live_weights(const double[::1] weights, const uint8_t[::1] live, double[::1] out):
    """Write weights, 0 where a holding is not possible.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
    live : ndarray of uint8, shape (n,)
        Whether each holding is possible.
    out : ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        If a shape does not fit.
    """
    cdef Py_ssize_t n = weights.shape[0]
    check_shape("live", (live.shape[0],), (n,))
    check_shape("out", (out.shape[0],), (n,))
    if n:
        pm_live_weights(&weights[0], &live[0], n, &out[0])


def shares_of_largest(const double[::1] weights, const uint8_t[::1] live, double[::1] out):
    """Write weights by the largest of a holding that is possible, 0 where it is not; return the largest.

    Where none is larger than 0, so are all.

    Parameters
    ----------
    weights, live, out
        As `live_weights`.

    Raises
    ------
    ValueError
        If a shape does not fit.
    """
    cdef Py_ssize_t i
    cdef Py_ssize_t n = weights.shape[0]
    cdef double largest
    live_weights(weights, live, out)
    largest = pm_largest(&out[0], n, 0.0) if n else 0.0
    if largest > 0.0:
        for i in range(n):
            out[i] /= largest
    return largest


def log_information(const double[::1] weights, const uint8_t[::1] live, Py_ssize_t holding, double exponent):
    """Return how far a holding's logarithm of its weight lies from the mean, and their variance.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
        The mean is over those that are positive.
    live : ndarray of uint8, shape (n,)
        Whether each holding is possible.
    holding : int
        One that is possible, and has a positive weight.
    exponent : float
        The mean is by this power of the weights.

    Returns
    -------
    (float, float)

    Raises
    ------
    ValueError
        If a shape does not fit, or the holding has no positive weight.
    """
    cdef Py_ssize_t n = weights.shape[0]
    cdef double largest, mean, square
    check_shape("live", (live.shape[0],), (n,))
    if not (0 <= holding < n and live[holding] and weights[holding] > 0):
        raise ValueError(f"holding {holding} has no positive weight")
    largest = pm_log_moments(&weights[0], &live[0], n, exponent, &mean, &square)
    return log(weights[holding] / largest) - mean, square - mean * mean
