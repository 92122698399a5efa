"""Tables P(act | class of holding, situation, player), and one expectation step of EM.

The C functions are in ``pokermodel/readers/class_tables.h``.
"""

from cython cimport final
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int16_t, uint8_t
from libc.stdlib cimport free, malloc

from pokermodel._core.observed_hands cimport pm_observed_hand, take_acts, take_hand
from pokermodel._core.situations cimport PM_SITUATION_CELLS, take_cells

CLASSES = PM_TABLE_CLASSES
SITUATIONS = PM_TABLE_SITUATIONS
GROUPS = PM_TABLE_GROUPS
CELLS = PM_TABLE_CELLS
DIVISIONS = PM_TABLE_DIVISIONS


cdef enum:
    ACTS = 3


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
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
    groups : ndarray of intp, shape (2, 22)
        Group of each class before the flop and after it.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is no such group.
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
        const ptrdiff_t[:, ::1] groups,
    ):
        cdef double[:, :, ::1] done, expected, factors
        cdef int side, k
        cdef tuple wanted = (PM_TABLE_SITUATIONS, PM_TABLE_CLASSES, ACTS)
        check_shape("a prior", (<object> prior).shape, wanted)
        check_shape("counts", (<object> counts).shape, wanted)
        if probabilities is not None:
            check_shape("probabilities", (<object> probabilities).shape, wanted)
        if len(divisions) != PM_TABLE_DIVISIONS:
            raise ValueError(f"there must be {PM_TABLE_DIVISIONS} divisions, got {len(divisions)}")
        check_shape("groups", (<object> groups).shape, (2, PM_TABLE_CLASSES))
        for side in range(2):
            for k in range(PM_TABLE_CLASSES):
                if not 0 <= groups[side, k] < PM_TABLE_GROUPS:
                    raise ValueError(f"a group must be 0 to {PM_TABLE_GROUPS - 1}, got {groups[side, k]}")
                self.c.group[side][k] = <uint8_t> groups[side, k]
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


cdef int make_table(Tables tables, const int *cells, ptrdiff_t number, object legal, double *out) except -1:
    """Write the rows of an action."""
    cdef int16_t at[PM_TABLE_CELLS]
    cdef int offered = take_acts(legal)
    cdef int k
    if tables.c.probabilities == NULL:
        raise ValueError("tables without probabilities cannot be asked")
    for k in range(PM_TABLE_CELLS):
        at[k] = <int16_t> cells[k] if 0 <= cells[k] < 0x7fff else -1
    if not pm_table_has(&tables.c, at, number):
        raise ValueError(f"the tables have no cells {[cells[k] for k in range(PM_TABLE_CELLS)]} of player {number}")
    pm_class_table(&tables.c, at, number, <unsigned> offered, out)
    return 0


def table(Tables tables not None, given not None, ptrdiff_t number, legal, double[:, ::1] out):
    """Write P(act | class) of an action of a player, by its cells: (22, 3)."""
    cdef int cells[PM_TABLE_CELLS]
    cdef int k
    check_shape("cells", (len(given),), (PM_TABLE_CELLS,))
    check_shape("out", (out.shape[0], out.shape[1]), (PM_TABLE_CLASSES, ACTS))
    for k in range(PM_TABLE_CELLS):
        cells[k] = given[k]
    make_table(tables, cells, number, legal, &out[0, 0])


cdef int check_classes(const uint8_t[::1] classes) except -1:
    cdef Py_ssize_t k
    cdef uint8_t most = 0
    for k in range(classes.shape[0]):
        most = max(most, classes[k])
    if most >= PM_TABLE_CLASSES:
        raise ValueError(f"a class must be 0 to {PM_TABLE_CLASSES - 1}, got {most}")
    return 0


cdef int check_act(int act) except -1:
    if not 0 <= act < ACTS:
        raise ValueError(f"an act must be 0 to {ACTS - 1}, got {act}")
    return 0


def expect(
    Tables tables not None,
    features,
    ptrdiff_t number,
    legal,
    const uint8_t[::1] classes,
    const double[::1] weights,
    double[:, ::1] out,
    double[::1] predicted,
    int act=-1,
    double[::1] after=None,
):
    """Write what a player is expected to do with each class, and the mean of it by the weights of holdings.

    Parameters
    ----------
    tables : Tables
    features : Features
        Of the situation.
    number : int
        The player's.
    legal : tuple of int
        What the rules offer.
    classes : ndarray of uint8, shape (n,)
        Of each holding.
    weights : ndarray of float64, shape (n,)
    out : ndarray of float64, shape (22, 3)
        Overwritten: P(act | class).
    predicted : ndarray of float64, shape (3,)
        Overwritten.
    act : int
        What was done, for `after`.
    after : ndarray of float64, shape (n,), optional
        Overwritten by the weights after it, as `posterior` has them where all holdings are live.

    Returns
    -------
    bool
        Whether any holding with a weight does that act. Without `after` False.

    Raises
    ------
    ValueError
        If a shape does not fit, or something is beyond the tables.
    """
    cdef int cells[PM_SITUATION_CELLS]
    cdef ptrdiff_t n = classes.shape[0]
    cdef double largest = 0.0
    cdef double *to = NULL
    check_shape("weights", (weights.shape[0],), (n,))
    check_shape("out", (out.shape[0], out.shape[1]), (PM_TABLE_CLASSES, ACTS))
    check_shape("predicted", (predicted.shape[0],), (ACTS,))
    check_classes(classes)
    take_cells(features, cells)
    make_table(tables, cells, number, legal, &out[0, 0])
    if not n:
        raise ValueError("there are no holdings")
    if after is not None:
        check_shape("after", (after.shape[0],), (n,))
        check_act(act)
        to = &after[0]
    with nogil:
        pm_class_mean(&out[0, 0], &classes[0], &weights[0], n, &predicted[0])
        if to != NULL:
            largest = pm_class_posterior(&out[0, 0], act, &classes[0], NULL, &weights[0], n, to)
    return largest > 0


def spread(
    const double[:, ::1] table, const uint8_t[::1] classes, const uint8_t[::1] live, double[:, ::1] triples
):
    """Write the row of each holding's class, nan where it is not live."""
    cdef ptrdiff_t n = classes.shape[0]
    check_shape("table", (table.shape[0], table.shape[1]), (PM_TABLE_CLASSES, ACTS))
    check_shape("live", (live.shape[0],), (n,))
    check_shape("triples", (triples.shape[0], triples.shape[1]), (n, ACTS))
    check_classes(classes)
    if n:
        with nogil:
            pm_class_spread(&table[0, 0], &classes[0], &live[0], n, &triples[0, 0])


def posterior(
    const double[:, ::1] table,
    int act,
    const uint8_t[::1] classes,
    const uint8_t[::1] live,
    const double[::1] weights,
    double[::1] out,
):
    """Write weights times the probability of an act with each holding's class, divided by the largest.

    Parameters
    ----------
    table : ndarray of float64, shape (22, 3)
    act : int
    classes : ndarray of uint8, shape (n,)
    live : ndarray of uint8, shape (n,)
        1 for each holding that is possible, else 0.
    weights : ndarray of float64, shape (n,)
    out : ndarray of float64, shape (n,)
        Overwritten; 0 where a holding is not possible.

    Returns
    -------
    float
        The largest product; where it is not positive, `out` is 0.

    Raises
    ------
    ValueError
        If a shape does not fit, or a number is out of range.
    """
    cdef ptrdiff_t n = classes.shape[0]
    cdef double largest
    check_shape("table", (table.shape[0], table.shape[1]), (PM_TABLE_CLASSES, ACTS))
    check_shape("live", (live.shape[0],), (n,))
    check_shape("weights", (weights.shape[0],), (n,))
    check_shape("out", (out.shape[0],), (n,))
    check_classes(classes)
    check_act(act)
    if not n:
        return 0.0
    with nogil:
        largest = pm_class_posterior(&table[0, 0], act, &classes[0], &live[0], &weights[0], n, &out[0])
    return largest


@final
cdef class _Room:
    """Memory to count hands in, which grows as they need it."""

    cdef pm_action_rows *rows
    cdef double *numbers
    cdef ptrdiff_t *players
    cdef int actions, nodes, seats

    def __dealloc__(self):
        free(self.rows)
        free(self.numbers)
        free(self.players)

    cdef int need(self, const pm_observed_hand *h) except -1:
        if h.actions > self.actions or h.all_nodes > self.nodes or h.players > self.seats:
            self.actions = max(self.actions, 2 * h.actions)
            self.nodes = max(self.nodes, 2 * h.all_nodes)
            self.seats = max(self.seats, 2 * h.players)
            free(self.rows)
            free(self.numbers)
            free(self.players)
            self.rows = <pm_action_rows *> malloc(self.actions * sizeof(pm_action_rows))
            self.numbers = <double *> malloc(2 * self.nodes * sizeof(double))
            self.players = <ptrdiff_t *> malloc(2 * self.seats * sizeof(ptrdiff_t))
            if self.rows == NULL or self.numbers == NULL or self.players == NULL:
                self.actions = self.nodes = self.seats = 0
                raise MemoryError("no memory to count a hand")
        return 0


def count(
    Tables into not None,
    Tables judge not None,
    hands,
    dict numbers not None,
    dict own not None,
    bint hidden_count,
    double decay,
):
    """Count hands into tables, one after the other: one expectation step each.

    Parameters
    ----------
    into, judge : Tables
        What counts, and what says how likely cards are that were not seen. They may be the same: then the factors
        follow each hand. Otherwise those of `into` stay behind.
    hands : iterable of ObservedHand
    numbers, own : dict of str to int
        Numbers of the players in either; 0 of those who are not in `own`.
    hidden_count : bool
        Whether hands count that were never shown.
    decay : float
        What is left of the players' own counts before each of their hands.

    Raises
    ------
    ValueError
        If a hand is none, or beyond the tables. Those before it are counted.
    """
    cdef _Room room = _Room()
    cdef pm_observed_hand h
    cdef tuple names
    cdef object content
    cdef ptrdiff_t *number
    cdef ptrdiff_t *judged
    cdef int a, k
    if judge.c.probabilities == NULL:
        raise ValueError("tables without probabilities cannot judge")
    for found in hands:
        names, content = found.names, found.content
        take_hand(content, &h)
        if len(names) != h.players:
            raise ValueError(f"a hand of {h.players} players needs as many names, got {len(names)}")
        room.need(&h)
        number, judged = room.players, room.players + h.players
        for k in range(h.players):
            number[k], judged[k] = numbers[names[k]], own.get(names[k], 0)
        for a in range(h.actions):
            k = h.actor[a]
            if not (
                pm_table_has(&into.c, h.cells + a * PM_TABLE_CELLS, number[k])
                and pm_table_has(&judge.c, h.cells + a * PM_TABLE_CELLS, judged[k])
            ):
                raise ValueError(f"action {a} of {names[k]} is beyond the tables")
        with nogil:
            pm_class_count(&into.c, &judge.c, &h, number, judged, hidden_count, decay, room.rows, room.numbers)
