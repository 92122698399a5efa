"""Hand strength and potential, for one holding and for all holdings of a board.

Cells are the weighted counts of Papp 1998, section 5.3: ``[now][later]``, each ahead, tied, behind. All sums have
non-negative terms, in double precision. Large sums are subtracted from each other only if the result is known to keep
its digits. The C functions are in ``field.h``, ``joint.h``, ``counts.h``, ``runouts.h`` and ``outs.h``.
"""

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer
from cython cimport critical_section, final
from libc.float cimport DBL_MAX
from libc.math cimport NAN, frexp, ldexp
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from pokermodel._core.cards cimport add_cards, take_cards
from pokermodel._core.evaluator cimport tables
from pokermodel._core.reweighting cimport pm_table_kernels, pm_table_kernels_at
from pokermodel._core.simd cimport kernels, level_in_use


cdef extern from "pokermodel/evaluation/prefix_sums.h" nogil:
    ctypedef struct pm_beginnings:
        int width

    void pm_beginnings_init(const pm_field *field, pm_beginnings *beginnings) noexcept
    void pm_prefix_strengths(
        const pm_field *field, const pm_beginnings *beginnings, const double *weights, double *strengths
    ) noexcept


cdef extern from "pokermodel/evaluation/joint.h" nogil:
    enum: PM_JOINT_MOST

    ctypedef struct pm_joint:
        double weight[3][1326]

    double pm_joint_strength(const pm_field *field, int hero, int opponents, pm_joint *joint) noexcept


cdef enum:
    TABLE_ROWS = 5
    MOST_OPPONENTS = 22


# --------------------------------------------------------------------------------------------- for Python

def first_bad(const double[::1] weights):
    """Index of the first weight that is negative, infinite or not a number; -1 if there is none.

    Raises
    ------
    ValueError
        If there are not 1,326 weights.
    """
    cdef int k
    if weights.shape[0] != PM_HOLDINGS:
        raise ValueError(f"weights must have shape (1326,), got ({weights.shape[0]},)")
    for k in range(PM_HOLDINGS):
        if not (weights[k] >= 0 and weights[k] <= DBL_MAX):
            return k
    return -1


cdef int check_length(str name, const double[::1] column) except -1:
    if column.shape[0] != PM_HOLDINGS:
        raise ValueError(f"{name} must have shape (1326,), got ({column.shape[0]},)")
    return 0


cdef double load(const double *weights, const uint16_t *holdings, int n, double *into) noexcept nogil:
    """Reorder weights, and scale them so that their sums neither overflow nor vanish; return the factor."""
    cdef double largest = 0.0
    cdef double factor = 1.0
    cdef int exponent
    cdef int k
    for k in range(n):
        into[k] = weights[holdings[k]]
        largest = into[k] if into[k] > largest else largest
    if largest != 0 and not 1e-200 < largest < 1e200:
        frexp(largest, &exponent)
        factor = ldexp(1.0, -max(-1000, min(1000, exponent)))
        for k in range(n):
            into[k] *= factor
    return factor


def merge(list opponents not None, bint maximum, double[::1] merged):
    """Merge the weights of several opponents into one array; see `Analysis.against`.

    Raises
    ------
    ValueError
        If a table is no contiguous array of 1,326 finite weights, 0 or more, or there is none.
    """
    cdef const pm_table_kernels *here = pm_table_kernels_at(level_in_use())
    cdef Py_buffer views[MOST_OPPONENTS]
    cdef const double *weights[MOST_OPPONENTS]
    cdef double scaled[1326]
    cdef int count = <int> len(opponents)
    cdef int taken = 0
    cdef int k
    cdef bint good
    check_length("merged", merged)
    if not 1 <= count <= MOST_OPPONENTS:
        raise ValueError(f"there must be 1 to {MOST_OPPONENTS} tables of opponents, got {count}")
    try:
        for table in opponents:
            PyObject_GetBuffer(table, &views[taken], PyBUF_ND | PyBUF_FORMAT)
            taken += 1
            if views[taken - 1].format != b"d" or views[taken - 1].len != <Py_ssize_t> (PM_HOLDINGS * sizeof(double)):
                raise ValueError("a table of weights must be a contiguous array of 1,326 float64")
            weights[taken - 1] = <const double *> views[taken - 1].buf
        with nogil:
            good = here.merge_tables(weights, count, maximum, PM_HOLDINGS, scaled, &merged[0])
    finally:
        for k in range(taken):
            PyBuffer_Release(&views[k])
    if not good:
        raise ValueError("weights must be finite and 0 or more")


cdef int check_table(double[:, ::1] table, double[:, ::1] cells) except -1:
    if table.shape[0] != TABLE_ROWS or table.shape[1] != PM_HOLDINGS:
        raise ValueError(f"table must have shape ({TABLE_ROWS}, 1326), got ({table.shape[0]}, {table.shape[1]})")
    if cells.shape[0] != PM_HOLDINGS or cells.shape[1] != 9:
        raise ValueError(f"cells must have shape (1326, 9), got ({cells.shape[0]}, {cells.shape[1]})")
    return 0


@final
cdef class Counts:
    """How often one holding beats another over the runouts of a board. `Analysis.count` makes it; it is never changed.

    Attributes
    ----------
    lookahead : int
        Cards to come.
    key : bytes
        Key of the board and the dead cards; see `Analysis.key`.
    """

    cdef pm_counts counts
    cdef readonly int lookahead
    cdef readonly bytes key

    def __dealloc__(self):
        pm_counts_free(&self.counts)

    @property
    def nbytes(self):
        """Bytes that the counts take."""
        return sizeof(pm_counts) + pm_counts_size(&self.counts)


@final
cdef class Analysis:
    """What can be computed of a board without weights: see `pokermodel.evaluation.BoardAnalysis`.

    Methods with weights do not check their values: use `first_bad`.

    Parameters
    ----------
    board : sequence of int
        Three to five card indices.
    dead : sequence of int
        Further cards that no holding contains and no runout brings.
    """

    cdef pm_field field
    cdef Counts one         # counts for one card to come and for two, once they are made
    cdef Counts two
    cdef pm_beginnings *beginnings  # once strengths were asked for
    cdef int position[1326]  # of a holding, or -1
    cdef int board[5]
    cdef uint64_t dead

    def __cinit__(self, board, dead=()):
        cdef uint8_t cards[5]
        cdef int n = take_cards(board, cards, 3, 5, "a board to analyse", &self.dead, "")
        cdef int k
        for k in range(n):
            self.board[k] = cards[k]
        if len(dead) > 52 - n - 4:
            raise ValueError(f"{len(dead)} dead cards leave fewer than two holdings")
        self.dead = add_cards(dead, self.dead, " among board and dead cards")
        pm_field_init(tables(), &self.field, self.board, n, self.dead)
        memset(self.position, -1, sizeof(self.position))
        for k in range(self.field.size):
            self.position[self.field.holding[k]] = k

    def __dealloc__(self):
        free(self.beginnings)

    @property
    def key(self):
        """The board and the dead cards up to the names of suits, bytes; boards with equal keys have equal counts."""
        return (<char *> self.field.suit_key)[:sizeof(self.field.suit_key)]

    cdef int check_lookahead(self, int lookahead) except -1:
        if lookahead < 1 or lookahead > 5 - self.field.board_cards:
            raise ValueError(
                f"lookahead must be 1..{5 - self.field.board_cards} on a board of {self.field.board_cards} cards, "
                f"got {lookahead}"
            )
        return 0

    cdef Counts need(self, int lookahead):
        counts = self.counts(lookahead)
        if counts is None:
            raise ValueError(f"there are no counts for {lookahead} cards to come yet")
        return counts

    cdef int position_of(self, int holding) except -1:
        if holding < 0 or holding >= PM_HOLDINGS or self.position[holding] < 0:
            raise ValueError(f"holding {holding} shares a card with the board or the dead cards")
        return self.position[holding]

    def counts(self, int lookahead):
        """Return the counts for so many cards to come, or None if there are none yet."""
        self.check_lookahead(lookahead)
        with critical_section(self):
            return self.one if lookahead == 1 else self.two

    def keep(self, Counts counts not None):
        """Use these counts from now on.

        Raises
        ------
        ValueError
            If the counts are of another board.
        """
        if counts.key != self.key:
            raise ValueError("these counts are of another board")
        self.check_lookahead(counts.lookahead)
        with critical_section(self):
            if counts.lookahead == 1:
                self.one = counts
            else:
                self.two = counts

    def count(self, int lookahead):
        """Make the counts for so many cards to come."""
        cdef Counts counts = Counts()
        cdef int status
        self.check_lookahead(lookahead)
        counts.lookahead = lookahead
        counts.key = self.key
        with nogil:
            status = pm_counts_init(tables(), &self.field, lookahead, kernels().compare_rows, &counts.counts)
        if status:
            raise MemoryError("no memory for the counts of a board")
        return counts

    def strengths(self, const double[::1] weights, double[::1] out):
        """Hand strength of every holding, into `out` (1326,); nan where it is not possible.

        A holding against which all weights are zero is compared with every holding alike.
        """
        check_length("out", out)
        check_length("weights", weights)
        self.strengths_of(&weights[0], &out[0])

    def against(self, list opponents not None, bint maximum, const double[::1] potentials, double[::1] merged,
                double[::1] strengths, double[::1] values):
        """Hand strength of every holding against one of several opponents, and its worth with a potential.

        Parameters
        ----------
        opponents : list of float64 (1326,)
            Their weights, at least one table.
        maximum : bool
            Whether weights are merged by their maximum, or by their mean.
        potentials : float64 (1326,)
            Of each holding.
        merged, strengths, values : float64 (1326,)
            Filled: the merged weights, HS against them, and ``HS + (1 - HS)*potential``; nan where a holding is not
            possible.

        Raises
        ------
        ValueError
            If a table is no contiguous array of 1,326 finite weights, 0 or more, or there is none.
        """
        cdef int k
        cdef double hs
        merge(opponents, maximum, merged)
        check_length("potentials", potentials)
        check_length("strengths", strengths)
        check_length("values", values)
        self.strengths_of(&merged[0], &strengths[0])
        with nogil:
            for k in range(PM_HOLDINGS):
                hs = strengths[k]
                values[k] = hs + (1.0 - hs) * potentials[k]

    cdef int strengths_of(self, const double *weights, double *out) except -1:
        cdef double by_position[1326]
        cdef double found[1326]
        cdef int k
        load(weights, self.field.holding, self.field.size, by_position)
        self.find_beginnings()
        with nogil:
            pm_prefix_strengths(&self.field, self.beginnings, by_position, found)
            for k in range(PM_HOLDINGS):
                out[k] = NAN
            for k in range(self.field.size):
                out[self.field.holding[k]] = found[k]
        return 0

    cdef int find_beginnings(self) except -1:
        cdef pm_beginnings *beginnings
        with critical_section(self):
            if self.beginnings is NULL:
                beginnings = <pm_beginnings *> malloc(sizeof(pm_beginnings))
                if beginnings is NULL:
                    raise MemoryError("no memory for the order of a board")
                pm_beginnings_init(&self.field, beginnings)
                self.beginnings = beginnings
        return 0

    def joint(self, int holding, list opponents not None):
        """Hand strength of one holding against several opponents, who cannot hold the same card.

        Parameters
        ----------
        holding : int
            Index of the holding.
        opponents : list of float64 (1326,)
            Their weights, one to three tables. Against one without weight beside the holding, all others count alike.

        Returns
        -------
        float
            See `pokermodel.evaluation.joint_strength`.

        Raises
        ------
        ValueError
            If there are too few or many tables, one has another length, the holding is not possible, or no holdings of
            the opponents go together.
        """
        cdef const double[::1] weights
        cdef pm_joint *joint
        cdef int position = self.position_of(holding)
        cdef int count = <int> min(len(opponents), PM_JOINT_MOST + 1)
        cdef int i, k
        cdef double found
        if not 1 <= count <= PM_JOINT_MOST:
            raise ValueError(f"there must be 1 to {PM_JOINT_MOST} tables of opponents, got {len(opponents)}")
        joint = <pm_joint *> malloc(sizeof(pm_joint))
        if not joint:
            raise MemoryError("no memory for the holdings of several opponents")
        try:
            for i in range(count):
                weights = opponents[i]
                check_length("weights", weights)
                for k in range(self.field.size):
                    joint.weight[i][k] = weights[self.field.holding[k]]
            with nogil:
                found = pm_joint_strength(&self.field, position, count, joint)
        finally:
            free(joint)
        if found < 0:
            raise ValueError("the opponents have no holdings that can be dealt together")
        return found

    def uniform(self, double[::1] out):
        """Hand strength of every holding against all others alike, into `out` (1326,); nan where it is not possible."""
        cdef int k
        if out.shape[0] != PM_HOLDINGS:
            raise ValueError(f"out must have shape (1326,), got ({out.shape[0]},)")
        with nogil:
            for k in range(PM_HOLDINGS):
                out[k] = NAN
            pm_field_uniform(&self.field, &out[0])

    def masses(self, const double[::1] weights, double[:, ::1] out):
        """Weight ahead, tied, behind of every possible holding, into `out` (1326, 3); other rows are left alone."""
        cdef double by_position[1326]
        cdef double cells[3 * 1326]
        cdef int k, c
        if out.shape[0] != PM_HOLDINGS or out.shape[1] != 3:
            raise ValueError(f"out must have shape (1326, 3), got ({out.shape[0]}, {out.shape[1]})")
        check_length("weights", weights)
        load(&weights[0], self.field.holding, self.field.size, by_position)
        with nogil:
            pm_field_masses(&self.field, by_position, cells)
            for k in range(self.field.size):
                for c in range(3):
                    out[self.field.holding[k], c] = cells[3 * k + c]

    def cells(self, const double[::1] weights, int lookahead, double[:, ::1] out):
        """The nine cells of every possible holding, into `out` (1326, 9); other rows are left alone.

        A holding against which all weights are zero gets zeros. Needs the counts.
        """
        cdef Counts counts = self.need(lookahead)
        cdef uint16_t holdings[1326]
        cdef double *columns
        cdef int k, c
        if out.shape[0] != PM_HOLDINGS or out.shape[1] != 9:
            raise ValueError(f"out must have shape (1326, 9), got ({out.shape[0]}, {out.shape[1]})")
        columns = <double *> malloc(10 * PM_HOLDINGS * sizeof(double))
        if not columns:
            raise MemoryError("no memory for the cells of a board")
        try:
            for k in range(self.field.size):
                holdings[k] = self.field.holding[counts.counts.position[k]]
            check_length("weights", weights)
            load(&weights[0], holdings, self.field.size, columns + 9 * PM_HOLDINGS)
            with nogil:
                pm_counts_cells(&self.field, &counts.counts, columns + 9 * PM_HOLDINGS, kernels().add_pairs,
                                kernels().sum_pairs, columns)
                for k in range(self.field.size):
                    for c in range(9):
                        out[holdings[k], c] = columns[c * self.field.size + k]
        finally:
            free(columns)

    def table(self, const double[::1] weights, int lookahead, double[:, ::1] table, double[:, ::1] cells):
        """Strength and potential of every holding; nan where it is not possible.

        A holding against which all weights are zero is compared with every holding alike. Needs the counts
        unless `lookahead` is 0.

        Parameters
        ----------
        weights : float64 (1326,)
            The opponent's weights.
        lookahead : int
            Number of cards to come; with 0 the potentials are 0.
        table : float64 (5, 1326)
            Filled: HS, PPOT, NPOT, EHS and EHS' by holding.
        cells : float64 (1326, 9)
            Filled: the nine cells.
        """
        cdef Counts counts = None
        cdef uint16_t holdings[1326]
        cdef double by_position[1326]
        cdef double now[3 * 1326]
        cdef double *columns = NULL
        cdef double *weight
        cdef double factor
        cdef int k, c, empty
        check_table(table, cells)
        if lookahead:
            counts = self.need(lookahead)
        check_length("weights", weights)
        factor = load(&weights[0], self.field.holding, self.field.size, by_position)
        if lookahead:
            columns = <double *> malloc(10 * PM_HOLDINGS * sizeof(double))
            if not columns:
                raise MemoryError("no memory for the cells of a board")
        with nogil:
            for k in range(PM_HOLDINGS):
                if self.position[k] < 0:
                    for c in range(TABLE_ROWS):
                        table[c, k] = NAN
                    for c in range(9):
                        cells[k, c] = NAN
            if lookahead:
                weight = columns + 9 * PM_HOLDINGS
                for k in range(self.field.size):
                    holdings[k] = self.field.holding[counts.counts.position[k]]
                    weight[k] = by_position[counts.counts.position[k]]
                pm_counts_cells(&self.field, &counts.counts, weight, kernels().add_pairs, kernels().sum_pairs, columns)
                empty = 0
                for k in range(self.field.size):
                    for c in range(9):
                        cells[holdings[k], c] = columns[c * self.field.size + k]
                    empty += pm_cells_total(&cells[holdings[k], 0]) <= 0
                if empty:
                    for k in range(self.field.size):
                        weight[k] = 1.0
                    pm_counts_cells(&self.field, &counts.counts, weight, kernels().add_pairs, kernels().sum_pairs,
                                    columns)
                    for k in range(self.field.size):
                        if pm_cells_total(&cells[holdings[k], 0]) <= 0:
                            for c in range(9):
                                cells[holdings[k], c] = factor * columns[c * self.field.size + k]
            else:
                pm_field_strength(&self.field, by_position, now)
                for k in range(self.field.size):
                    for c in range(9):
                        cells[self.field.holding[k], c] = now[3 * k + c // 4] if c % 4 == 0 else 0.0
            for k in range(self.field.size):
                c = self.field.holding[k]
                table[0, c] = pm_strength_of_cells(&cells[c, 0])
                pm_potentials(&cells[c, 0], &table[1, c], &table[2, c])
                table[4, c] = table[0, c] + (1 - table[0, c]) * table[1, c]
                table[3, c] = table[4, c] - table[0, c] * table[2, c]
            if factor != 1:
                for k in range(PM_HOLDINGS):
                    for c in range(9):
                        cells[k, c] /= factor
            free(columns)

    def potential(self, int holding, const double[::1] weights, int lookahead, double[::1] cells):
        """Potential of one holding, ``(ppot, npot)``, and its nine cells into `cells` (9,).

        A holding against which all weights are zero is compared with every holding alike. The counts are used if
        there are any.
        """
        cdef double by_position[1326]
        cdef double ppot, npot, factor
        cdef int position = self.position_of(holding)
        cdef int k
        if cells.shape[0] != 9:
            raise ValueError(f"cells must have shape (9,), got ({cells.shape[0]},)")
        check_length("weights", weights)
        factor = load(&weights[0], self.field.holding, self.field.size, by_position)
        self.one_holding(position, by_position, lookahead, &cells[0])
        if pm_cells_total(&cells[0]) <= 0:
            factor = 1.0
            for k in range(self.field.size):
                by_position[k] = 1.0
            self.one_holding(position, by_position, lookahead, &cells[0])
        pm_potentials(&cells[0], &ppot, &npot)
        for k in range(9):
            cells[k] /= factor
        return ppot, npot

    def holding_cells(self, int holding, const double[::1] weights, int lookahead, double[::1] out):
        """The nine cells of one holding, into `out` (9,); zeros if all weights against it are zero."""
        cdef double by_position[1326]
        cdef int position = self.position_of(holding)
        if out.shape[0] != 9:
            raise ValueError(f"out must have shape (9,), got ({out.shape[0]},)")
        check_length("weights", weights)
        load(&weights[0], self.field.holding, self.field.size, by_position)
        self.one_holding(position, by_position, lookahead, &out[0])

    cdef int one_holding(self, int position, const double *weights, int lookahead, double *cells) except -1:
        cdef Counts counts = self.counts(lookahead)
        cdef double by_place[1326]
        cdef pm_runouts_scratch *scratch
        cdef int k
        if counts is not None:
            with nogil:
                for k in range(self.field.size):
                    by_place[k] = weights[counts.counts.position[k]]
                pm_counts_one(&self.field, &counts.counts, counts.counts.place[position], by_place, cells)
            return 0
        scratch = <pm_runouts_scratch *> malloc(sizeof(pm_runouts_scratch))
        if not scratch:
            raise MemoryError("no memory for the runouts of a holding")
        with nogil:
            pm_runouts_one(tables(), &self.field, position, lookahead, weights, scratch, cells)
            free(scratch)
        return 0

    def outs(self, double[::1] out):
        """Crude potential of every possible holding, into `out` (1326,); other entries are left alone."""
        if out.shape[0] != PM_HOLDINGS:
            raise ValueError(f"out must have shape (1326,), got ({out.shape[0]},)")
        if self.field.board_cards == 5:
            raise ValueError("there is no potential on the river: expected a board of 3 or 4 cards")
        with nogil:
            pm_outs(self.board, self.field.board_cards, self.dead, &out[0])
