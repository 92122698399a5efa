"""What an act makes of a weight table, and forecasts corrected by earlier ones.

The C functions are in ``pokermodel/reweighting.h``.
"""

from libc.math cimport NAN, isnan


cdef enum:
    ACTS = 3


cdef int check_length(str name, Py_ssize_t found, Py_ssize_t wanted) except -1:
    if found != wanted:
        raise ValueError(f"{name} must have {wanted} entries, got {found}")
    return 0


cdef pm_ramp ramp(double mu, double sigma, bint compensate) except *:
    if not sigma > 0:
        raise ValueError(f"sigma must be positive, got {sigma}")
    return pm_make_ramp(mu, sigma, compensate)


def factors(const double[::1] values, double mu, double sigma, bint compensate, double[::1] out):
    """Write the factor of a ramp for each value: .01 to 1."""
    cdef pm_ramp line = ramp(mu, sigma, compensate)
    cdef Py_ssize_t i
    check_length("out", out.shape[0], values.shape[0])
    with nogil:
        for i in range(values.shape[0]):
            out[i] = pm_ramp_factor(&line, values[i])


def triples(
    const double[::1] values,
    raises,
    calls,
    const unsigned char[::1] exempt,
    bint compensate,
    bint may_raise,
    double[:, ::1] out,
):
    """Write ramps as triples: of raises and of calls, each (mu, sigma), or None where every holding would do it.

    Where nobody may raise, those who would do so call.
    """
    cdef pm_ramp raising, staying
    cdef bint all_raise = raises is None
    cdef bint all_stay = calls is None
    cdef bint exempts = exempt is not None
    cdef Py_ssize_t i
    cdef Py_ssize_t n = values.shape[0]
    cdef double raised, stays
    check_length("out", out.shape[0], n)
    check_length("a triple", out.shape[1], ACTS)
    if exempts:
        check_length("exempt", exempt.shape[0], n)
    raising = ramp(0.0, 1.0, False) if all_raise else ramp(raises[0], raises[1], compensate)
    staying = ramp(0.0, 1.0, False) if all_stay else ramp(calls[0], calls[1], compensate)
    with nogil:
        for i in range(n):
            if isnan(values[i]):
                out[i, 0] = out[i, 1] = out[i, 2] = NAN
                continue
            raised = 1.0 if all_raise else pm_ramp_factor(&raising, values[i])
            stays = 1.0 if all_stay or exempts and exempt[i] else pm_ramp_factor(&staying, values[i])
            stays = max(stays, raised)
            out[i, 0] = 1.0 - stays
            out[i, 1] = stays - raised if may_raise else (stays - raised) + raised
            out[i, 2] = raised if may_raise else 0.0


def reweight(
    const double[::1] weights,
    const double[::1] values,
    double mu,
    double sigma,
    const unsigned char[::1] exempt,
    bint compensate,
    double least,
    double[::1] out,
):
    """Write weights times the factors of a ramp, at least `least`; 0 where a holding is not possible."""
    cdef pm_ramp line = ramp(mu, sigma, compensate)
    cdef bint exempts = exempt is not None
    cdef Py_ssize_t i
    cdef Py_ssize_t n = values.shape[0]
    cdef double after
    check_length("weights", weights.shape[0], n)
    check_length("out", out.shape[0], n)
    if exempts:
        check_length("exempt", exempt.shape[0], n)
    with nogil:
        for i in range(n):
            if isnan(values[i]):
                out[i] = 0.0
            elif exempts and exempt[i]:
                out[i] = weights[i]
            else:
                after = weights[i] * pm_ramp_factor(&line, values[i])
                out[i] = after if after > least else least


def posterior(const double[::1] weights, const double[:] likelihoods, double[::1] out):
    """Write weights times likelihoods, divided by the largest, which is returned; 0 where that is not positive."""
    cdef Py_ssize_t n = weights.shape[0]
    cdef double largest
    check_length("likelihoods", likelihoods.shape[0], n)
    check_length("out", out.shape[0], n)
    if likelihoods.strides[0] % sizeof(double):
        raise ValueError("likelihoods must lie a whole number of entries apart")
    with nogil:
        largest = pm_posterior(
            &weights[0], &likelihoods[0], likelihoods.strides[0] // <Py_ssize_t> sizeof(double), n, &out[0]
        ) if n else 0.0
    return largest


def mean_triple(const double[::1] weights, const double[:, ::1] triples, double[::1] out):
    """Write the mean of triples by weights, of holdings that have any; nan if none has."""
    cdef Py_ssize_t n = weights.shape[0]
    check_length("triples", triples.shape[0], n)
    check_length("a triple", triples.shape[1], ACTS)
    check_length("out", out.shape[0], ACTS)
    with nogil:
        pm_mean_triple(&weights[0], &triples[0, 0], n, &out[0])


def correct(const double[::1] theta, const double[::1] predicted, int legal, double[::1] out):
    """Write a forecast as corrected: acts in the mask `legal` have a chance, the others 0."""
    cdef double logs[ACTS]
    check_length("theta", theta.shape[0], PM_CORRECTIONS)
    check_length("predicted", predicted.shape[0], ACTS)
    check_length("out", out.shape[0], ACTS)
    pm_correct(&theta[0], &predicted[0], legal, logs, &out[0])


def learn_act(double[::1] theta, double[:, ::1] information, const double[::1] predicted, int legal, int act):
    """Correct the corrections, by one Newton step, for an act that was done."""
    check_length("theta", theta.shape[0], PM_CORRECTIONS)
    check_length("information", information.shape[0], PM_CORRECTIONS)
    check_length("a row of information", information.shape[1], PM_CORRECTIONS)
    check_length("predicted", predicted.shape[0], ACTS)
    if not (0 <= act < ACTS and legal >> act & 1):
        raise ValueError(f"act {act} is not among the legal ones, {legal:#b}")
    pm_learn_act(&theta[0], &information[0, 0], &predicted[0], legal, act)
