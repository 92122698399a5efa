"""Tables P(act | class of holding, situation, player), and one expectation step of EM.

The C functions are in ``pokermodel/class_tables.h``.
"""

from cython cimport final
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

CLASSES = PM_TABLE_CLASSES
SITUATIONS = PM_TABLE_SITUATIONS
GROUPS = PM_TABLE_GROUPS
CELLS = PM_TABLE_CELLS
DIVISIONS = PM_TABLE_DIVISIONS


cdef enum:
    ACTS = 3
    SHARED = 4  # divisions that all players share


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef int check_range(str name, ptrdiff_t value, ptrdiff_t below, ptrdiff_t least=0) except -1:
    if not least <= value < below:
        raise ValueError(f"{name} must be {least} to {below - 1}, got {value}")
    return 0


cdef int check_cells(const ptrdiff_t *cells, ptrdiff_t number, const pm_class_tables *t) except -1:
    """See to it that an action is within the divisions."""
    cdef int k
    check_range("a situation", cells[0], PM_TABLE_SITUATIONS)
    for k in range(SHARED):
        check_range("a cell", cells[1 + k], t.division[k].cells)
    check_range("the number of a player", number, min(
        t.division[SHARED].cells // 4, t.division[SHARED + 1].cells // PM_TABLE_SITUATIONS
    ))
    return 0


@final
cdef class Tables:
    """The arrays of tables, for the C functions: they are read and written in place.

    Parameters
    ----------
    prior, counts : ndarray of float64, shape (12, 22, 3)
    strength : float
        What the prior is worth; above 0.
    probabilities : ndarray of float64, shape (12, 22, 3), or None
        Kept up to date as hands are counted. None where nobody asks for them.
    divisions : sequence of (counts, expected, factors, believed)
        Six, each with arrays of float64, shape (cells, groups, 3), and the observations of each act that a factor of 1
        is worth.

    Raises
    ------
    ValueError
        If a shape does not fit.
    """

    cdef pm_class_tables c
    cdef object kept

    def __cinit__(
        self,
        const double[:, :, ::1] prior,
        double strength,
        double[:, :, ::1] counts,
        double[:, :, ::1] probabilities,
        divisions,
    ):
        cdef double[:, :, ::1] done, expected, factors
        cdef int k
        cdef tuple wanted = (PM_TABLE_SITUATIONS, PM_TABLE_CLASSES, ACTS)
        check_shape("a prior", (<object> prior).shape, wanted)
        check_shape("counts", (<object> counts).shape, wanted)
        if probabilities is not None:
            check_shape("probabilities", (<object> probabilities).shape, wanted)
        if len(divisions) != PM_TABLE_DIVISIONS:
            raise ValueError(f"there must be {PM_TABLE_DIVISIONS} divisions, got {len(divisions)}")
        self.kept = prior, counts, probabilities, divisions  # as long as their memory is used
        self.c.prior, self.c.strength, self.c.counts = &prior[0, 0, 0], strength, &counts[0, 0, 0]
        self.c.probabilities = NULL if probabilities is None else &probabilities[0, 0, 0]
        for k, (first, second, third, believed) in enumerate(divisions):
            done, expected, factors = first, second, third
            if done.shape[1] not in (1, PM_TABLE_GROUPS) or done.shape[2] != ACTS or done.shape[0] < 1:
                raise ValueError(f"a division has cells, 1 or {PM_TABLE_GROUPS} groups and 3 acts, got {first.shape}")
            check_shape("expected", second.shape, first.shape)
            check_shape("factors", third.shape, first.shape)
            self.c.division[k].counts = &done[0, 0, 0]
            self.c.division[k].expected = &expected[0, 0, 0]
            self.c.division[k].factors = &factors[0, 0, 0]
            self.c.division[k].cells = done.shape[0]
            self.c.division[k].groups = <int> done.shape[1]
            self.c.division[k].believed = believed


cdef const ptrdiff_t *take_groups(const ptrdiff_t[:, ::1] groups) except NULL:
    cdef Py_ssize_t side, k
    check_shape("groups", (<object> groups).shape, (2, PM_TABLE_CLASSES))
    for side in range(2):
        for k in range(PM_TABLE_CLASSES):
            check_range("a group", groups[side, k], PM_TABLE_GROUPS)
    return &groups[0, 0]


def table(
    Tables tables not None,
    const ptrdiff_t[::1] cells,
    ptrdiff_t number,
    const double[::1] legal,
    const ptrdiff_t[:, ::1] groups,
    double[:, ::1] out,
):
    """Write P(act | class) of an action of a player: (22, 3)."""
    check_shape("cells", (<object> cells).shape, (PM_TABLE_CELLS,))
    check_shape("legal", (<object> legal).shape, (ACTS,))
    check_shape("out", (<object> out).shape, (PM_TABLE_CLASSES, ACTS))
    if tables.c.probabilities == NULL:
        raise ValueError("tables without probabilities cannot be asked")
    check_cells(&cells[0], number, &tables.c)
    pm_class_table(&tables.c, &cells[0], number, &legal[0], take_groups(groups), <pm_class_row> &out[0, 0])


def spread(
    const double[:, ::1] table,
    const uint8_t[::1] classes,
    const uint8_t[::1] live,
    const double[::1] weights,
    double[:, ::1] triples,
    double[::1] predicted,
):
    """Write the row of each holding's class, nan where it is not live, and the mean of rows by the weights."""
    cdef ptrdiff_t i
    cdef ptrdiff_t n = classes.shape[0]
    check_shape("table", (table.shape[0], table.shape[1]), (PM_TABLE_CLASSES, ACTS))
    check_shape("live", (live.shape[0],), (n,))
    check_shape("weights", (weights.shape[0],), (n,))
    check_shape("triples", (triples.shape[0], triples.shape[1]), (n, ACTS))
    check_shape("predicted", (predicted.shape[0],), (ACTS,))
    for i in range(n):
        if classes[i] >= PM_TABLE_CLASSES:
            raise ValueError(f"a class must be 0 to {PM_TABLE_CLASSES - 1}, got {classes[i]}")
    if n:
        with nogil:
            pm_class_spread(
                &table[0, 0],
                &classes[0],
                &live[0],
                &weights[0],
                n,
                &triples[0, 0],
                &predicted[0],
            )


def count(
    Tables into not None,
    Tables judge not None,
    found,
    const ptrdiff_t[::1] numbers,
    const ptrdiff_t[::1] own,
    const ptrdiff_t[:, ::1] groups,
    bint hidden_count,
    double decay,
):
    """Count a hand into tables: one expectation step, by what `judge` says, which may be the same tables.

    Parameters
    ----------
    into, judge : Tables
    found : ObservedHand
    numbers, own : ndarray of intp
        Numbers of the players who acted, in either.
    groups : ndarray of intp, shape (2, 22)
    hidden_count : bool
        Whether hands count that were never shown.
    decay : float
        What is left of the players' own counts before this hand.

    Raises
    ------
    ValueError
        If a shape does not fit, or a number is out of range.
    """
    cdef const ptrdiff_t[::1] actor = found.actors
    cdef const ptrdiff_t[::1] round = found.rounds
    cdef const ptrdiff_t[::1] act = found.acts
    cdef const ptrdiff_t[:, ::1] cells = found.cells
    cdef const double[:, ::1] legal = found.legal
    cdef const uint8_t[:, ::1] classes = found.classes
    cdef const double[:, ::1] mass = found.mass
    cdef const ptrdiff_t[:, ::1] shown = found.shown
    cdef const ptrdiff_t *of = take_groups(groups)
    cdef ptrdiff_t n = actor.shape[0]
    cdef ptrdiff_t players = shown.shape[0]
    cdef ptrdiff_t candidates = classes.shape[0]
    cdef ptrdiff_t rounds = classes.shape[1]
    cdef ptrdiff_t a, k
    cdef pm_observed_hand h
    cdef pm_class_row *tables = NULL
    cdef double (*likelihood)[PM_TABLE_CLASSES]
    cdef double (*beliefs)[PM_TABLE_CLASSES]
    cdef double *weights = NULL
    cdef uint8_t *counts = NULL
    check_shape("rounds", (round.shape[0],), (n,))
    check_shape("acts", (act.shape[0],), (n,))
    check_shape("cells", (cells.shape[0], cells.shape[1]), (n, PM_TABLE_CELLS))
    check_shape("legal", (legal.shape[0], legal.shape[1]), (n, ACTS))
    check_shape("shown", (shown.shape[1],), (rounds,))
    check_shape("mass", (mass.shape[1],), (candidates,))
    check_shape("numbers", (numbers.shape[0],), (players,))
    check_shape("own", (own.shape[0],), (players,))
    check_range("rounds", rounds, PM_TABLE_ROUNDS + 1, 1)
    if judge.c.probabilities == NULL:
        raise ValueError("tables without probabilities cannot judge")
    if not n:
        return
    if not candidates or not mass.shape[0]:
        raise ValueError("there must be candidates, of which one is held")
    for a in range(n):
        check_range("an actor", actor[a], players)
        check_range("a round", round[a], rounds)
        check_range("an act", act[a], ACTS)
        check_cells(&cells[a, 0], numbers[actor[a]], &into.c)
        check_cells(&cells[a, 0], own[actor[a]], &judge.c)
    for a in range(candidates):
        for k in range(rounds):
            check_range("a class", classes[a, k], PM_TABLE_CLASSES)
    for a in range(players):
        for k in range(rounds):
            check_range("a class that was shown", shown[a, k], PM_TABLE_CLASSES, 0 if shown[a, 0] >= 0 else -1)
    h.actions, h.players, h.candidates, h.masses, h.rounds = n, players, candidates, mass.shape[0], rounds
    h.actor, h.round, h.act, h.cells = &actor[0], &round[0], &act[0], &cells[0, 0]
    h.shown, h.legal, h.mass, h.classes = &shown[0, 0], &legal[0, 0], &mass[0, 0], &classes[0, 0]
    tables = <pm_class_row *> malloc(n * sizeof(pm_class_row))
    likelihood = <double (*)[PM_TABLE_CLASSES]> malloc(n * PM_TABLE_CLASSES * sizeof(double))
    beliefs = <double (*)[PM_TABLE_CLASSES]> malloc(n * PM_TABLE_CLASSES * sizeof(double))
    weights = <double *> malloc(candidates * sizeof(double))
    counts = <uint8_t *> malloc(n)
    try:
        if tables == NULL or likelihood == NULL or beliefs == NULL or weights == NULL or counts == NULL:
            raise MemoryError("no memory to count a hand")
        with nogil:
            for a in range(n):
                pm_class_table(&judge.c, &cells[a, 0], own[actor[a]], &legal[a, 0], of, tables[a])
                for k in range(PM_TABLE_CLASSES):
                    likelihood[a][k] = tables[a][k][act[a]]
            pm_class_beliefs(&h, likelihood, hidden_count, weights, beliefs, counts)
            if decay < 1:
                for a in range(players):
                    pm_class_fade(&into.c, numbers[a], decay)
            pm_class_count(&into.c, &judge.c, &h, &numbers[0], &own[0], of, beliefs, counts, tables)
    finally:
        free(tables)
        free(likelihood)
        free(beliefs)
        free(weights)
        free(counts)


def strength_classes(
    const double[::1] strengths,
    const double[::1] potentials,
    const double[::1] borders,
    double draw,
    int made,
    uint8_t[::1] out,
):
    """Divide holdings into classes by strength, and draws among them into classes of their own.

    Parameters
    ----------
    strengths : ndarray of float64, shape (1326,)
        nan where a holding is not possible.
    potentials : ndarray of float64, shape (1326,), or None
        None where there are no draws.
    borders : ndarray of float64, shape (n,)
        The least strength of each class but the first, in order.
    draw : float
        The least potential of a draw.
    made : int
        How many classes have draws.
    out : ndarray of uint8, shape (1326,)
        Overwritten: 0 to n, draws of these classes from n + 1 on. 0 where a holding is not possible.

    Raises
    ------
    ValueError
        If a shape does not fit, or there are too many classes.
    """
    cdef int n = <int> borders.shape[0]
    cdef const double *of = NULL
    check_shape("strengths", (strengths.shape[0],), (PM_HOLDINGS,))
    check_shape("out", (out.shape[0],), (PM_HOLDINGS,))
    check_range("borders", n, PM_TABLE_CLASSES, 1)
    check_range("classes with draws", made, PM_TABLE_CLASSES - n)
    if potentials is not None:
        check_shape("potentials", (potentials.shape[0],), (PM_HOLDINGS,))
        of = &potentials[0]
    with nogil:
        pm_strength_classes(&strengths[0], of, &borders[0], n, draw, made, &out[0])


def candidates(
    const uint8_t[:, ::1] classes,
    const uint8_t[::1] live,
    const uint8_t[::1] losing,
    uint8_t[:, ::1] found,
    double[:, ::1] masses,
):
    """Gather holdings of the same classes in all rounds.

    Parameters
    ----------
    classes : ndarray of uint8, shape (rounds, 1326)
    live : ndarray of uint8, shape (1326,)
        1 for each holding that is one of the candidates, else 0.
    losing : ndarray of uint8, shape (1326,), or None
        1 for those of them that are counted apart, else 0.
    found : ndarray of uint8, shape (1326, rounds)
        Overwritten: the first n rows are the classes of the candidates, in order.
    masses : ndarray of float64, shape (2, 1326)
        Overwritten: the first n columns are how many holdings each candidate is, and with `losing` how many of
        these.

    Returns
    -------
    int
        n.

    Raises
    ------
    ValueError
        If a shape does not fit, or a number is out of range.
    """
    cdef Py_ssize_t rounds = classes.shape[0]
    cdef Py_ssize_t round, holding
    cdef const uint8_t *lost = NULL
    cdef int n
    cdef uint8_t most = 0
    check_range("rounds", rounds, PM_TABLE_ROUNDS + 1, 1)
    check_shape("classes", (rounds, classes.shape[1]), (rounds, PM_HOLDINGS))
    check_shape("live", (live.shape[0],), (PM_HOLDINGS,))
    check_shape("found", (found.shape[0], found.shape[1]), (PM_HOLDINGS, rounds))
    check_shape("masses", (masses.shape[0], masses.shape[1]), (2, PM_HOLDINGS))
    if losing is not None:
        check_shape("losing", (losing.shape[0],), (PM_HOLDINGS,))
        lost = &losing[0]
    for round in range(rounds):
        for holding in range(PM_HOLDINGS):
            most = max(most, classes[round, holding])
    check_range("a class", most, PM_TABLE_CLASSES)
    with nogil:
        n = pm_candidates(&classes[0, 0], <int> rounds, &live[0], lost, &found[0, 0], &masses[0, 0], &masses[1, 0])
    return n
