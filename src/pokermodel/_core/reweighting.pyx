"""What an act makes of a weight table, and forecasts corrected by earlier ones.

The C functions are in ``pokermodel/ranges/reweighting.h``, and compiled for vectors in ``table_kernels.h``.
"""

from libc.math cimport INFINITY, NAN, isnan

from pokermodel._core.simd cimport level_in_use


cdef enum:
    ACTS = 3


cdef int check_length(str name, Py_ssize_t found, Py_ssize_t wanted) except -1:
    if found != wanted:
        raise ValueError(f"{name} must have {wanted} entries, got {found}")
    return 0


cdef pm_ramp ramp(double mu, double sigma, bint compensate, bint falling=False) except *:
    if not sigma > 0:
        raise ValueError(f"sigma must be positive, got {sigma}")
    return pm_make_falling_ramp(mu, sigma, compensate) if falling else pm_make_ramp(mu, sigma, compensate)


cdef pm_ramp ramp_of(given, bint compensate) except *:
    """The ramp of a threshold, (percentile, mu, sigma), or 1 throughout for None."""
    cdef pm_ramp line
    if given is not None:
        _, mu, sigma = given
        return ramp(mu, sigma, compensate)
    line = pm_make_ramp(0.0, 1.0, False)
    line.always = True
    return line


def factors(const double[::1] values, double mu, double sigma, bint compensate, bint falling, double[::1] out):
    """Write the factor of a ramp for each value: .01 to 1."""
    cdef pm_ramp line = ramp(mu, sigma, compensate, falling)
    cdef Py_ssize_t n = values.shape[0]
    check_length("out", out.shape[0], n)
    if n:
        with nogil:
            pm_ramp_factors(&line, &values[0], n, &out[0])


def triples(
    const double[::1] values,
    raises,
    calls,
    const unsigned char[::1] exempt,
    bint compensate,
    bint may_raise,
    double[:, ::1] out,
):
    """Write ramps as triples: of raises and of calls, each a `Threshold`, or None where every holding would do it.

    Where nobody may raise, those who would do so call.
    """
    cdef pm_ramp raising = ramp_of(raises, compensate)
    cdef pm_ramp staying = ramp_of(calls, compensate)
    cdef bint exempts = exempt is not None
    cdef Py_ssize_t i
    cdef Py_ssize_t n = values.shape[0]
    cdef double stays
    check_length("out", out.shape[0], n)
    check_length("a triple", out.shape[1], ACTS)
    if exempts:
        check_length("exempt", exempt.shape[0], n)
    with nogil:
        for i in range(n):
            if isnan(values[i]):
                out[i, 0] = out[i, 1] = out[i, 2] = NAN
                continue
            stays = 1.0 if exempts and exempt[i] else pm_ramp_factor(&staying, values[i])
            pm_ramp_triple(
                pm_ramp_factor(&raising, values[i]), stays, may_raise, &out[i, 0], &out[i, 1], &out[i, 2]
            )


def forecast(
    const double[::1] values,
    const double[::1] potentials,
    const double[::1] weights,
    raises,
    calls,
    odds,
    bint compensate,
    bint may_raise,
    double[::1] out,
):
    """Write the mean of the same triples by weights, which are 0 where a holding is not possible.

    Holdings whose potential is `odds` or more stay whatever their value; none if it is None.
    """
    cdef const pm_table_kernels *kernels = pm_table_kernels_at(level_in_use())
    cdef pm_ramp_acts acts
    cdef Py_ssize_t n = values.shape[0]
    acts.raising = ramp_of(raises, compensate)
    acts.staying = ramp_of(calls, compensate)
    acts.may_raise = may_raise
    acts.odds = INFINITY if odds is None else odds
    check_length("potentials", potentials.shape[0], n)
    check_length("weights", weights.shape[0], n)
    check_length("out", out.shape[0], ACTS)
    with nogil:
        kernels.ramp_forecast(&acts, &values[0], &potentials[0], &weights[0], n, &out[0])


def reweight(
    const double[::1] weights,
    const double[::1] values,
    double mu,
    double sigma,
    const unsigned char[::1] exempt,
    const unsigned char[::1] live,
    bint compensate,
    bint falling,
    double least,
    double[::1] out,
):
    """Write weights times the factors of a ramp, at least `least`; 0 where a holding is not possible or not live.

    Those that are exempt stay as they are. None stands for no holding that is exempt, and for all that are live.
    """
    cdef const pm_table_kernels *kernels = pm_table_kernels_at(level_in_use())
    cdef pm_ramp line = ramp(mu, sigma, compensate, falling)
    cdef Py_ssize_t n = values.shape[0]
    cdef const unsigned char *exempts = NULL
    cdef const unsigned char *alive = NULL
    check_length("weights", weights.shape[0], n)
    check_length("out", out.shape[0], n)
    if exempt is not None:
        check_length("exempt", exempt.shape[0], n)
    if live is not None:
        check_length("live", live.shape[0], n)
    if not n:
        return
    if exempt is not None:
        exempts = &exempt[0]
    if live is not None:
        alive = &live[0]
    with nogil:
        kernels.ramp_weights(&line, &values[0], &weights[0], exempts, alive, least, n, &out[0])


def posterior(const double[::1] weights, const double[:] likelihoods, double least, double[::1] out):
    """Write weights times likelihoods, divided by the largest, which is returned; 0 where that is not positive.

    Where a holding is possible, `least` at least.
    """
    cdef const pm_table_kernels *kernels = pm_table_kernels_at(level_in_use())
    cdef Py_ssize_t n = weights.shape[0]
    cdef double largest
    check_length("likelihoods", likelihoods.shape[0], n)
    check_length("out", out.shape[0], n)
    if likelihoods.strides[0] % sizeof(double):
        raise ValueError("likelihoods must lie a whole number of entries apart")
    with nogil:
        largest = kernels.posterior(
            &weights[0], &likelihoods[0], likelihoods.strides[0] // <Py_ssize_t> sizeof(double), n, least, &out[0]
        ) if n else 0.0
    return largest


def mean_triple(const double[::1] weights, const double[:, ::1] triples, double[::1] out):
    """Write the mean of triples by weights, of holdings that have any; nan if none has.

    Returns whether it is three finite numbers, 0 or more.
    """
    cdef Py_ssize_t n = weights.shape[0]
    check_length("triples", triples.shape[0], n)
    check_length("a triple", triples.shape[1], ACTS)
    check_length("out", out.shape[0], ACTS)
    with nogil:
        pm_mean_triple(&weights[0], &triples[0, 0], n, &out[0])
    return 0 <= out[0] < INFINITY and 0 <= out[1] < INFINITY and 0 <= out[2] < INFINITY


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
