"""Classes of holdings by their features, and P(choice | holding, situation, player) of a small network over them.

The C functions are in ``holding_features.h``, ``likelihood.h``, ``follow.h`` and
``pokermodel/readers/population.h``.
"""

from cython cimport critical_section, final
from libc.math cimport NAN
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport tables
from pokermodel._core.simd cimport level_in_use


HIDDEN = PM_HIDDEN
MIXED = PM_MIXED
OUT = PM_OUT
EFFECTS = PM_EFFECTS
PLACE = PM_PLACE
REPLIES = PM_REPLIES
STANDINGS = PM_STANDINGS
HOLDING_FEATURES = PM_HOLDING_FEATURES
HOLDING_ROWS = PM_HOLDING_ROWS
CELLS = (PM_CELLS_BEFORE, PM_CELLS_AFTER)
LEVELS = PM_LEVELS
SIDE = PM_SIDE

#: What the weights of a `Likelihood` are, in order.
WEIGHTS = (
    "situation", "holding", "mix", "mix_bias", "out", "out_bias", "direct_situation", "direct_holding", "loadings"
)


cdef enum:
    HOLDINGS = 1326
    BATCH = 169  # classes whose activations are kept on the stack
    GRIDS = 8  # factors that one act has, at most


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef int check_basis(const int16_t[:, ::1] basis) except -1:
    cdef Py_ssize_t k
    cdef int b, cell
    for k in range(basis.shape[0]):
        if not 0 <= basis[k, 0] <= 1:
            raise ValueError(f"the first of a basis must be 0 or 1, got {basis[k, 0]}")
        for b in range(1, PM_BASIS):
            cell = basis[k, b] - (PM_CELLS_BEFORE if basis[k, 0] else 0)
            if not 0 <= cell < (PM_CELLS_AFTER if basis[k, 0] else PM_CELLS_BEFORE):
                raise ValueError(f"there is no cell {basis[k, b]} on side {basis[k, 0]}")
        if not 0 <= basis[k, PM_BASIS] < PM_REPLIES:
            raise ValueError(f"rows of replies are 0 to {PM_REPLIES - 1}, got {basis[k, PM_BASIS]}")
    return 0


@final
cdef class HoldingClasses:
    """The holdings of a board in classes that agree in all features.

    Parameters
    ----------
    board : sequence of int
        None, or three to five card indices.
    shares : float64 (1326,), optional
        Before the flop, and only there: shares of the holdings that win less; nan where a holding is not possible.
    before : HoldingClasses, optional
        Of the board without its last card. Default: as if no strength had changed.

    Raises
    ------
    ValueError
        If it is no board, the shares have another shape or are for a board, or `before` is of another board.
    """

    def __cinit__(self, board, *, const double[::1] shares=None, HoldingClasses before=None):
        cdef uint8_t cards[5]
        cdef uint16_t keys[1326]
        cdef int16_t rows[1326 * 4]
        cdef const pm_board_scores *earlier = NULL
        cdef size_t size
        cdef uint64_t seen = 0
        cdef int n = take_cards(board, cards, 0, 5, "a board", &seen, "")
        cdef int k
        self.board_cards = n
        for k in range(n):
            self.board[k] = cards[k]
        if 0 < n < 3:
            raise ValueError(f"a board has 0 or 3 to 5 cards, got {n}")
        if n == 0 and shares is None or n > 0 and shares is not None:
            raise ValueError(f"shares are for holdings before the flop, which need them; the board has {n} cards")
        if before is not None:
            if n < 4 or before.board_cards != n - 1 or memcmp(before.board, self.board, (n - 1) * sizeof(int)):
                raise ValueError("the classes before must be those of the board without its last card")
            earlier = &before.scores
        if n == 0:
            check_shape("shares", (shares.shape[0],), (HOLDINGS,))
            pm_holding_keys_preflop(&shares[0], keys)
        else:
            pm_holding_keys(tables(), self.board, n, earlier, &self.scores, keys)
        self.c.rows = rows
        pm_holding_classes_of(keys, n, &self.c)
        self.c.suit = self.scores.suit if n else -1
        size = PM_HOLDING_FEATURES * self.c.n * sizeof(int16_t)
        self.c.rows = <int16_t *> malloc(size)
        if self.c.rows == NULL:
            raise MemoryError
        memcpy(self.c.rows, rows, size)

    def __dealloc__(self):
        free(self.c.rows)

    @property
    def nbytes(self):
        """Its size in bytes."""
        return sizeof(pm_holding_classes) + sizeof(pm_board_scores) + PM_HOLDING_FEATURES * self.c.n * sizeof(int16_t)

    def __len__(self):
        return self.c.n

    @property
    def of(self):
        """Class of each holding, -1 where it is not possible: intp (1326,)."""
        cdef int k
        found = np.empty(HOLDINGS, dtype=np.intp)
        cdef Py_ssize_t[::1] to = found
        for k in range(HOLDINGS):
            to[k] = -1 if self.c.of[k] == PM_NO_CLASS else self.c.of[k]
        return found

    def masses(self, const double[:, ::1] weights):
        """Weights of holdings added up by class: float64 (n, classes) of float64 (n, 1326)."""
        cdef Py_ssize_t k
        check_shape("weights", (weights.shape[0], weights.shape[1]), (weights.shape[0], HOLDINGS))
        found = np.empty((weights.shape[0], self.c.n))
        cdef double[:, ::1] to = found
        for k in range(weights.shape[0]):
            pm_gather(&self.c, &weights[k, 0], &to[k, 0])
        return found

    def column(self, int feature, int first=0):
        """The row that each holding has in one of the features, from a row on; -1 where it is not possible.

        Parameters
        ----------
        feature : int
            0 to 3.
        first : int
            Rows are counted from this one.

        Returns
        -------
        ndarray of int16, shape (1326,)

        Raises
        ------
        ValueError
            If there is no such feature.
        """
        cdef int holding, k
        if not 0 <= feature < PM_HOLDING_FEATURES:
            raise ValueError(f"features are 0 to {PM_HOLDING_FEATURES - 1}, got {feature}")
        found = np.empty(HOLDINGS, dtype=np.int16)
        cdef int16_t[::1] to = found
        for holding in range(HOLDINGS):
            k = self.c.of[holding]
            to[holding] = -1 if k == PM_NO_CLASS else <int16_t> (
                self.c.rows[PM_HOLDING_FEATURES * k + feature] - first
            )
        return found

    @property
    def strength_rows(self):
        """The row that each holding's strength has, -1 where it is not possible: int16 (1326,)."""
        return self.column(0)

    @property
    def rows(self):
        """Rows of the features of each class: intp (classes, 4)."""
        cdef int k
        flat = [self.c.rows[k] for k in range(PM_HOLDING_FEATURES * self.c.n)]
        return np.array(flat, dtype=np.intp).reshape(self.c.n, PM_HOLDING_FEATURES)


@final
cdef class Likelihood:
    """The network, with loadings of the effects of who acts.

    Parameters
    ----------
    weights : sequence of array_like
        As `WEIGHTS` names them: (rows, 32), (holding rows, 32), (32, 16), (16,), (16, 4), (4,), (rows, 4),
        (holding rows, 4) and (72, 3, 16). Copied.
    replies : array_like, optional
        By row of replies and class, what the odds of acts are multiplied by: (112, 169, 3). Copied.
    standings : array_like, optional
        Logarithms of the same by street, whether a bet is faced, and place in the range: (3, 2, 12, 3). Copied.

    Attributes
    ----------
    weights : tuple of ndarray
        The copies: float32, the loadings float64. Whoever writes to them calls `refresh`.

    Raises
    ------
    ValueError
        If an array has another shape.
    """

    def __cinit__(self, weights, replies=None, standings=None):
        if len(weights) != len(WEIGHTS):
            raise ValueError(f"a likelihood has {len(WEIGHTS)} arrays of weights, got {len(weights)}")
        self.weights = (
            *(np.array(each, dtype=np.float32, order="C") for each in weights[:8]),
            np.array(weights[8], dtype=np.float64, order="C"),
        )
        rows = len(self.weights[0])
        expected = (
            (rows, PM_HIDDEN), (PM_HOLDING_ROWS, PM_HIDDEN), (PM_HIDDEN, PM_MIXED), (PM_MIXED,), (PM_MIXED, PM_OUT),
            (PM_OUT,), (rows, PM_OUT), (PM_HOLDING_ROWS, PM_OUT), (PM_LEVELS, PM_ACTS, PM_EFFECTS),
        )
        for name, each, shape in zip(WEIGHTS, self.weights, expected):
            check_shape(name, each.shape, shape)
        if rows < 1:
            raise ValueError("a likelihood needs rows of situations")
        self.situation_rows = rows
        cdef float[:, ::1] two
        cdef float[::1] one
        cdef double[:, :, ::1] three
        two = self.weights[0]
        self.net.situation = &two[0, 0]
        two = self.weights[1]
        self.net.holding = &two[0, 0]
        two = self.weights[2]
        self.net.mix = &two[0, 0]
        one = self.weights[3]
        self.net.mix_bias = &one[0]
        two = self.weights[4]
        self.net.out = &two[0, 0]
        one = self.weights[5]
        self.net.out_bias = &one[0]
        two = self.weights[6]
        self.net.direct_situation = &two[0, 0]
        two = self.weights[7]
        self.net.direct_holding = &two[0, 0]
        three = self.weights[8]
        self.net.loadings = &three[0, 0, 0]
        self.replies = None
        self.net.replies = NULL
        cdef float[:, :, ::1] times
        if replies is not None:
            check_shape("replies", np.shape(replies), (PM_REPLIES, 169, PM_ACTS))
            self.replies = np.ones((PM_REPLIES, 169, PM_OUT), dtype=np.float32)
            self.replies[:, :, :PM_ACTS] = replies
            times = self.replies
            self.net.replies = &times[0, 0, 0]
        self.standings = None
        self.net.standings = NULL
        cdef float[:, :, :, ::1] places
        if standings is not None:
            check_shape("standings", np.shape(standings), (3, 2, PM_STANDINGS, PM_ACTS))
            self.standings = np.zeros((3, 2, PM_STANDINGS, PM_OUT), dtype=np.float32)
            self.standings[..., :PM_ACTS] = standings
            places = self.standings
            self.net.standings = &places[0, 0, 0, 0]
        self.refresh()

    def refresh(self):
        """Take note that weights have changed."""
        cdef int i, j
        with critical_section(self):
            pm_kept_free(&self.units)
            self.of_units = None
        for i in range(PM_HIDDEN):
            for j in range(PM_MIXED):
                self.transposed[PM_HIDDEN * j + i] = self.net.mix[PM_MIXED * i + j]

    def __dealloc__(self):
        pm_kept_free(&self.units)

    cdef void keep_units(self, HoldingClasses classes) noexcept:
        """Keep what is worked out for situations before the flop, whose classes these are."""
        if classes is not self.of_units:
            pm_kept_free(&self.units)
            self.of_units = classes
            self.units.classes = &classes.c

    cdef int check(self, const int16_t[:, ::1] rows, const int16_t[:, ::1] basis) except -1:
        cdef Py_ssize_t k, f
        if basis.shape[0] != rows.shape[0] or basis.shape[1] != PM_PLACE:
            raise ValueError(f"the basis must have shape ({rows.shape[0]}, {PM_PLACE})")
        for k in range(rows.shape[0]):
            for f in range(rows.shape[1]):
                if not 0 <= rows[k, f] < self.situation_rows:
                    raise ValueError(f"rows must be 0 to {self.situation_rows - 1}, got {rows[k, f]}")
        return check_basis(basis)

    cdef void begin(self, pm_walk *walk, pm_step *steps, int n, int features) noexcept:
        """Make ready to follow n acts of a player; of the steps nothing is filled in."""
        walk.net = &self.net
        walk.kernels = pm_likelihood_kernels_at(level_in_use())
        walk.steps = steps
        walk.n = n
        walk.features = features
        walk.made[0] = walk.made[1] = False

    def judge(
        self,
        const int16_t[:, ::1] rows,
        const int16_t[:, ::1] basis,
        const double[:, ::1] levels,
        const double[::1] effects,
        const double[::1] offsets,
        const float[::1] legal,
        HoldingClasses classes not None,
        const double[::1] weights,
        double[::1] predicted,
        double[:, ::1] triples=None,
    ):
        """Write the probabilities of fold, call and raise: those of a player with given weights, and with each holding.

        Standings do not count.

        Parameters
        ----------
        rows : int16 (1, features)
            Rows of the situation.
        basis : int16 (1, 5)
            Side and cells of the situation, and its row of replies.
        levels : float64 (72, 3)
            Of the population.
        effects : float64 (16,)
            Of the player.
        offsets : float64 (3,)
            Logarithms of further factors.
        legal : float32 (3,)
            1 for what is offered, else 0; something is.
        classes : HoldingClasses
            Of the board.
        weights : float64 (1326,)
            Of the player.
        predicted : float64 (3,)
            Overwritten by the mean; of all holdings alike if no possible one has weight.
        triples : float64 (1326, 3), optional
            Overwritten by the probabilities with each holding; nan where it is not possible.

        Raises
        ------
        ValueError
            If an array has another shape, or a row is out of range.
        """
        cdef float m[1328 * 16]
        cdef float p[1328 * 4]
        cdef pm_walk walk
        cdef pm_step step
        cdef double shares[HOLDINGS]
        cdef double *into = NULL
        cdef int k, c, of
        self.check(rows, basis)
        check_shape("levels", (levels.shape[0], levels.shape[1]), (PM_LEVELS, PM_ACTS))
        check_shape("effects", (effects.shape[0],), (PM_EFFECTS,))
        check_shape("offsets", (offsets.shape[0],), (PM_ACTS,))
        check_shape("legal", (legal.shape[0],), (PM_ACTS,))
        check_shape("weights", (weights.shape[0],), (HOLDINGS,))
        check_shape("predicted", (predicted.shape[0],), (PM_ACTS,))
        if triples is not None:
            check_shape("triples", (triples.shape[0], triples.shape[1]), (HOLDINGS, PM_ACTS))
            into = &triples[0, 0]
        if rows.shape[0] != 1:
            raise ValueError(f"one situation is judged at a time, got {rows.shape[0]}")
        self.begin(&walk, &step, 1, <int> rows.shape[1])
        step.classes = &classes.c
        step.rows, step.basis, step.legal = &rows[0, 0], &basis[0, 0], &legal[0]
        step.h, step.m, step.p, step.known, step.habits = NULL, m, p, False, NULL
        with nogil:
            pm_step_chances(&walk, &step, &levels[0, 0], &effects[0], &offsets[0])
            pm_shares_of_classes(&weights[0], classes.c.of, classes.c.n, shares)
            pm_predicted(shares, classes.c.n, p, &predicted[0])
            if into != NULL:
                for k in range(HOLDINGS):
                    of = classes.c.of[k]
                    for c in range(PM_ACTS):
                        into[PM_ACTS * k + c] = NAN if of == PM_NO_CLASS else p[PM_OUT * of + c]

    def follow(
        self,
        const int16_t[:, ::1] rows,
        const int16_t[:, ::1] basis,
        const double[:, ::1] levels,
        const double[::1] effects,
        const double[:, ::1] offsets,
        const float[:, ::1] legal,
        const int16_t[::1] acts,
        list classes,
        double[::1] weights,
        int shown,
        double[:, ::1] forecasts,
        double[::1] gradient=None,
        double[:, :, ::1] directions=None,
        learnt=None,
        double[:, :, :, ::1] slopes=None,
    ):
        """Follow a player through a hand: what was to be expected, and what it says of them.

        Parameters
        ----------
        rows : int16 (n, features)
        basis : int16 (n, 5)
        levels : float64 (72, 3)
        effects : float64 (16,)
        offsets : float64 (n, 3)
        legal : float32 (n, 3)
            As of `triples`, by act.
        acts : int16 (n,)
            What was done: 0 fold, 1 call, 2 raise.
        classes : list of HoldingClasses
            By act.
        weights : float64 (1326,)
            What they can have held before; overwritten by the probabilities of each holding given all acts.
        shown : int
            The holding that they are known to have held; -1 if it is not known.
        forecasts : float64 (n, 3)
            Overwritten by the probabilities of each act, before it was seen, of somebody whose cards are not seen.
        gradient : float64 (16,), optional
            What the log-likelihood's gradient by the effects is added to.
        directions : float64 (n, 3, 16), optional
            Overwritten by the gradients of the logarithm of each forecast by the effects.
        learnt : tuple of ndarray, optional
            Shaped as `weights` of the likelihood: what the gradient by all of them is added to.
        slopes : float64 (n, 4, 17, 4), optional
            Overwritten by gradients by V (16 rows) and v (the last row), by act: of the logarithms of the three
            forecasts, and of the log-likelihood. With `gradient` or `learnt`.

        Returns
        -------
        float
            The log-likelihood of the acts; with a holding that is known, of the acts given it.

        Raises
        ------
        ValueError
            If an array has another shape, or a row, an act or the holding is out of range or not possible.
        """
        cdef int n = <int> rows.shape[0]
        cdef int total = 0
        cdef int k
        cdef double likelihood
        cdef HoldingClasses each
        cdef pm_likelihood_gradient to
        cdef float[:, ::1] two
        cdef float[::1] one
        cdef double[:, :, ::1] three
        cdef pm_walk walk
        cdef pm_step *steps
        cdef float *space
        cdef float *free_space
        cdef int each_class = PM_MIXED + PM_OUT + (0 if learnt is None else PM_HIDDEN)
        self.check(rows, basis)
        check_shape("levels", (levels.shape[0], levels.shape[1]), (PM_LEVELS, PM_ACTS))
        check_shape("effects", (effects.shape[0],), (PM_EFFECTS,))
        check_shape("offsets", (offsets.shape[0], offsets.shape[1]), (n, PM_ACTS))
        check_shape("legal", (legal.shape[0], legal.shape[1]), (n, PM_ACTS))
        check_shape("acts", (acts.shape[0],), (n,))
        check_shape("weights", (weights.shape[0],), (HOLDINGS,))
        check_shape("forecasts", (forecasts.shape[0], forecasts.shape[1]), (n, PM_ACTS))
        if len(classes) != n or n < 1:
            raise ValueError(f"there must be one act or more with classes each, got {n} acts and {len(classes)}")
        if gradient is not None:
            check_shape("gradient", (gradient.shape[0],), (PM_EFFECTS,))
        if directions is not None:
            check_shape("directions", (directions.shape[0], directions.shape[1], directions.shape[2]),
                        (n, PM_ACTS, PM_EFFECTS))
        if slopes is not None:
            check_shape("slopes", (slopes.shape[0], slopes.shape[1], slopes.shape[2], slopes.shape[3]),
                        (n, PM_ACTS + 1, PM_SLOPE, PM_OUT))
        if not -1 <= shown < HOLDINGS:
            raise ValueError(f"the holding must be -1 to {HOLDINGS - 1}, got {shown}")
        if learnt is not None:
            for name, grown, own in zip(WEIGHTS, learnt, self.weights):
                check_shape(name, grown.shape, own.shape)
            two = learnt[0]
            to.situation = &two[0, 0]
            two = learnt[1]
            to.holding = &two[0, 0]
            two = learnt[2]
            to.mix = &two[0, 0]
            one = learnt[3]
            to.mix_bias = &one[0]
            two = learnt[4]
            to.out = &two[0, 0]
            one = learnt[5]
            to.out_bias = &one[0]
            two = learnt[6]
            to.direct_situation = &two[0, 0]
            two = learnt[7]
            to.direct_holding = &two[0, 0]
            three = learnt[8]
            to.loadings = &three[0, 0, 0]
        for k in range(n):
            each = classes[k]
            if not (0 <= acts[k] < PM_ACTS and legal[k, acts[k]] > 0):
                raise ValueError(f"act {k} must be one that is offered, got {acts[k]}")
            if shown >= 0 and each.c.of[shown] == PM_NO_CLASS:
                raise ValueError(f"the holding {shown} is not possible at act {k}")
            total += pm_padded_classes(each.c.n)
        steps = <pm_step *> malloc(n * sizeof(pm_step))
        space = <float *> malloc(total * each_class * sizeof(float))
        if steps == NULL or space == NULL:
            free(steps)
            free(space)
            raise MemoryError
        self.begin(&walk, steps, n, <int> rows.shape[1])
        free_space = space
        for k in range(n):
            each = classes[k]
            total = pm_padded_classes(each.c.n)
            steps[k].classes = &each.c
            steps[k].rows, steps[k].basis, steps[k].legal = &rows[k, 0], &basis[k, 0], &legal[k, 0]
            steps[k].act = acts[k]
            steps[k].known, steps[k].habits = False, NULL
            steps[k].m = free_space
            steps[k].p = free_space + total * PM_MIXED
            steps[k].h = NULL if learnt is None else free_space + total * (PM_MIXED + PM_OUT)
            free_space += total * each_class
        with nogil:
            likelihood = pm_follow_ahead(
                &walk, &levels[0, 0], &effects[0], &offsets[0, 0], &weights[0], NULL, shown, &forecasts[0, 0],
                NULL if directions is None else &directions[0, 0, 0], NULL if slopes is None else &slopes[0, 0, 0, 0],
                NULL, NULL)
            if shown >= 0:
                for k in range(HOLDINGS):
                    weights[k] = 1.0 if k == shown else 0.0
            if learnt is not None or gradient is not None:
                pm_follow_back(
                    &walk, self.transposed, &effects[0], &weights[0], NULL, shown,
                    NULL if gradient is None else &gradient[0], NULL if learnt is None else &to,
                    NULL if slopes is None else &slopes[0, 0, 0, 0], NULL, NULL)
        free(steps)
        free(space)
        return likelihood


# --------------------------------------------------------------------------------------------------- who acts

def narrow(
    double[::1] mean,
    double[:, ::1] covariance,
    const double[::1] gradient,
    const double[:, :, ::1] directions,
    const double[:, ::1] forecasts,
):
    """Update a Gaussian belief about effects by what a player did in a hand: one step of Newton's.

    The information of an act is what is expected of it: the outer products of the gradients of the logarithms of the
    forecasts, in the proportion of the forecasts.

    Parameters
    ----------
    mean : float64 (16,)
    covariance : float64 (16, 16)
        The belief, overwritten.
    gradient, directions, forecasts
        As `Likelihood.follow` leaves them.

    Raises
    ------
    ValueError
        If an array has another shape.
    """
    cdef Py_ssize_t n = forecasts.shape[0]
    cdef double columns[16 * 16]
    cdef int i, j
    check_shape("mean", (mean.shape[0],), (PM_EFFECTS,))
    check_shape("covariance", (covariance.shape[0], covariance.shape[1]), (PM_EFFECTS, PM_EFFECTS))
    check_shape("gradient", (gradient.shape[0],), (PM_EFFECTS,))
    check_shape("forecasts", (n, forecasts.shape[1]), (n, PM_ACTS))
    check_shape("directions", (directions.shape[0], directions.shape[1], directions.shape[2]),
                (n, PM_ACTS, PM_EFFECTS))
    with nogil:
        for i in range(PM_EFFECTS):
            for j in range(PM_EFFECTS):
                columns[PM_EFFECTS * j + i] = covariance[i, j]
        pm_believe(
            pm_likelihood_kernels_at(level_in_use()), &mean[0], columns, &gradient[0],
            &directions[0, 0, 0] if n else NULL, &forecasts[0, 0] if n else NULL, <int> n)
        for i in range(PM_EFFECTS):
            for j in range(PM_EFFECTS):
                covariance[i, j] = columns[PM_EFFECTS * j + i]


def narrow_levels(
    double[:, ::1] mean,
    double[:, :, :, ::1] covariance,
    const int16_t[:, ::1] basis,
    const double[:, :, :, ::1] slopes,
    const double[:, ::1] forecasts,
):
    """Update a Gaussian belief about levels by what a player did in a hand: as `narrow`, act by act and side by side.

    Parameters
    ----------
    mean : float64 (72, 3)
    covariance : float64 (2, 3, 39, 39)
        The belief, overwritten; rows of a side are those of the 16 units, then those of its cells.
    basis, slopes, forecasts
        As `Likelihood.follow` takes and leaves them.

    Raises
    ------
    ValueError
        If an array has another shape, or a cell is out of range.
    """
    cdef Py_ssize_t n = forecasts.shape[0]
    cdef Py_ssize_t a
    cdef int side, act, outcome, b, i, j, row, size, first
    cdef double gradient[2][3][39]
    cdef double sum
    check_shape("mean", (mean.shape[0], mean.shape[1]), (PM_LEVELS, PM_ACTS))
    check_shape("covariance", (covariance.shape[0], covariance.shape[1], covariance.shape[2], covariance.shape[3]),
                (2, PM_ACTS, PM_SIDE, PM_SIDE))
    check_shape("basis", (basis.shape[0], basis.shape[1]), (n, PM_PLACE))
    check_shape("slopes", (slopes.shape[0], slopes.shape[1], slopes.shape[2], slopes.shape[3]),
                (n, PM_ACTS + 1, PM_SLOPE, PM_OUT))
    check_shape("forecasts", (n, forecasts.shape[1]), (n, PM_ACTS))
    check_basis(basis)
    with nogil:
        memset(gradient, 0, sizeof(gradient))
        for a in range(n):
            side = basis[a, 0]
            for act in range(PM_ACTS):
                for outcome in range(PM_ACTS):
                    if forecasts[a, outcome] > 0:
                        pm_levels_narrow(
                            &covariance[side, act, 0, 0], &basis[a, 0], &slopes[a, outcome, 0, act],
                            forecasts[a, outcome])
                for i in range(PM_MIXED):
                    gradient[side][act][i] += slopes[a, PM_ACTS, i, act]
                for b in range(1, PM_BASIS):
                    gradient[side][act][pm_side_row(side, basis[a, b])] += slopes[a, PM_ACTS, PM_MIXED, act]
        for side in range(2):
            size = PM_MIXED + (PM_CELLS_AFTER if side else PM_CELLS_BEFORE)
            first = 2 * PM_MIXED + (PM_CELLS_BEFORE if side else 0) - PM_MIXED
            for act in range(PM_ACTS):
                for i in range(size):
                    sum = 0.0
                    for j in range(size):
                        sum += covariance[side, act, i, j] * gradient[side][act][j]
                    row = side * PM_MIXED + i if i < PM_MIXED else first + i
                    mean[row, act] += sum


def factor_offsets(
    const double[:, :, ::1] table, const double[::1] strengths, const int32_t[:, ::1] places, double[:, ::1] offsets
):
    """Add up the logarithms of factors.

    Parameters
    ----------
    table : float64 (rows, 2, 3)
        Of each act the logarithm times its precision, and what was expected.
    strengths : float64 (factors,)
        Observations that each factor's beginning is worth.
    places : int32 (n, factors)
        Rows of the table, -1 for a factor of 1.
    offsets : float64 (n, 3)
        Overwritten.

    Raises
    ------
    ValueError
        If an array has another shape, or a row is out of range.
    """
    cdef Py_ssize_t a
    check_places(table, strengths, places, -1)
    check_shape("offsets", (offsets.shape[0], offsets.shape[1]), (places.shape[0], PM_ACTS))
    offsets[:] = 0.0
    for a in range(places.shape[0]):
        pm_factor_logs(
            &table[0, 0, 0] if table.shape[0] else NULL, &strengths[0], &places[a, 0], <int> places.shape[1],
            &offsets[a, 0])


def factor_update(
    double[:, :, ::1] table,
    const double[::1] strengths,
    const int32_t[:, ::1] places,
    const int16_t[::1] acts,
    const double[:, ::1] forecasts,
):
    """Learn from acts, one after the other, in the table of factors.

    Parameters
    ----------
    table, strengths, places
        As of `factor_offsets`; all places are rows. The table is changed.
    acts : int16 (n,)
    forecasts : float64 (n, 3)
        With all factors.

    Raises
    ------
    ValueError
        As `factor_offsets`.
    """
    cdef Py_ssize_t n = places.shape[0]
    cdef Py_ssize_t a
    check_places(table, strengths, places, 0)
    check_shape("acts", (acts.shape[0],), (n,))
    check_shape("forecasts", (forecasts.shape[0], forecasts.shape[1]), (n, PM_ACTS))
    for a in range(n):
        if not 0 <= acts[a] < PM_ACTS:
            raise ValueError(f"acts must be 0 to 2, got {acts[a]}")
        pm_factor_learn(
            &table[0, 0, 0], &strengths[0], &places[a, 0], <int> places.shape[1], acts[a], &forecasts[a, 0])


cdef int check_places(
    const double[:, :, ::1] table, const double[::1] strengths, const int32_t[:, ::1] places, int least
) except -1:
    cdef Py_ssize_t a, f
    check_shape("the table", (table.shape[0], table.shape[1], table.shape[2]), (table.shape[0], 2, PM_ACTS))
    check_shape("strengths", (strengths.shape[0],), (places.shape[1],))
    for a in range(places.shape[0]):
        for f in range(places.shape[1]):
            if not least <= places[a, f] < table.shape[0]:
                raise ValueError(f"places must be {least} to {table.shape[0] - 1}, got {places[a, f]}")
    return 0
