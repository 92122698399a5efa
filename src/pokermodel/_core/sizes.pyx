"""Sizes of bets and raises in cells: what is expected of a player, and what is learnt of one.

The C functions are in ``pokermodel/readers/sizes.h``; what is meant stands in `pokermodel.reading.adaptive.sizes`.
"""

from cython cimport critical_section
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy

import numpy as np

from pokermodel._core.features cimport pm_features, take_features
from pokermodel._core.likelihood cimport PM_HOLDING_FEATURES, PM_NO_CLASS, HoldingClasses
from pokermodel._core.reweighting cimport pm_table_kernels_at
from pokermodel._core.simd cimport level_in_use


cdef extern from "pokermodel/readers/polarity.h" nogil:
    enum:
        PM_POLAR_GROUPS
        PM_POLAR_WEAK
    double PM_POLAR_LEAST
    void pm_polar_factors(const double *masses, const float *tilts, double power, double *factors) noexcept


CELLS, EXPECTED, HIDDEN, HABITS, SIDES = PM_SIZE_CELLS, PM_SIZE_EXPECTED, PM_SIZE_HIDDEN, PM_SIZE_HABITS, PM_SIZE_SIDES
TIERS, DIVISIONS, COMPARED, TERMS, BINS = (
    PM_SIZE_TIERS, PM_SIZE_DIVISIONS, PM_SIZE_COMPARED, PM_SIZE_TERMS, PM_SIZE_BINS
)
CONTEXTS, PLACES, QUARTERS, STRENGTHS = PM_SIZE_CONTEXTS, PM_SIZE_PLACES, PM_SIZE_QUARTERS, PM_SIZE_STRENGTHS
SHARE, BIN_WIDTH, LEAST = PM_SIZE_SHARE, PM_SIZE_BIN_WIDTH, PM_SIZE_FLOOR
GROUPS, WEAK, LEAST_MASS = PM_POLAR_GROUPS, PM_POLAR_WEAK, PM_POLAR_LEAST


cdef enum:
    HOLDINGS = 1326


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef pm_size_range take_range(room) except *:
    cdef pm_size_range found
    found.low, found.high, found.least, found.most = room
    if not (0 <= found.low < PM_SIZE_CELLS and 0 <= found.high < PM_SIZE_CELLS):
        raise ValueError(f"cells are 0 to {PM_SIZE_CELLS - 1}, got room from {found.low} to {found.high}")
    return found


cdef int take_habits(habits, int *to) except -1:
    cdef int k, cell
    if len(habits) != PM_SIZE_KINDS:
        raise ValueError(f"a situation has {PM_SIZE_KINDS} habits, got {len(habits)}")
    for k in range(PM_SIZE_KINDS):
        cell = habits[k]
        if not 0 <= cell < PM_SIZE_HABITS:
            raise ValueError(f"habits are 0 to {PM_SIZE_HABITS - 1}, got {cell}")
        to[k] = cell
    return 0


cdef const float *row_of(const float[:, ::1] table, int row) except? NULL:
    if row < 0:
        return NULL
    if row >= table.shape[0]:
        raise ValueError(f"a row must be below {table.shape[0]}, got {row}")
    return &table[row, 0]


cdef double find_terms(
    const pm_size_range *room, const double *forecast, const float[:, ::1] chosen, const float[:, ::1] expected, at,
    double *terms, double *seen
) except -1:
    cdef pm_size_told told
    cdef int k
    check_shape("counts", (chosen.shape[1],), (PM_SIZE_CELLS,))
    check_shape("expectations", (expected.shape[1],), (PM_SIZE_EXPECTED,))
    check_shape("places", (len(at),), (PM_SIZE_TERMS,))
    for k in range(PM_SIZE_DIVISIONS):
        told.chosen[k] = row_of(chosen, at[k])
    for k in range(PM_SIZE_COMPARED):
        told.expected[k] = row_of(expected, at[PM_SIZE_DIVISIONS + k])
    pm_size_terms(room, forecast, &told, terms, seen)
    return pm_size_power(told.expected[0])


cdef class SizeNetwork:
    """What everybody is expected to choose, and how much what somebody chose says of what they will.

    Parameters
    ----------
    weights : float32 (inputs, 38)
        Of the inputs, past the hidden layer. Inputs are the rows of situations, the first and the last cell that there
        is room for (38 each), the cells of habits (166), and one for all.
    hidden : float32 (inputs, 32)
    out : float32 (32, 38)
    mixing : float32 (2, 4, 9, 6)
        What each term is worth, of populations and of players, by side and by how much was seen.

    Raises
    ------
    ValueError
        If an array has another shape.
    """

    def __init__(
        self, const float[:, ::1] weights, const float[:, ::1] hidden, const float[:, ::1] out,
        const float[:, :, :, ::1] mixing
    ):
        cdef Py_ssize_t inputs = weights.shape[0], rows = inputs - (2 * PM_SIZE_CELLS + PM_SIZE_HABITS + 1)
        if rows < 1:
            raise ValueError(f"weights must have rows of situations, got {inputs} rows")
        check_shape("weights", (inputs, weights.shape[1]), (inputs, PM_SIZE_CELLS))
        check_shape("hidden", (hidden.shape[0], hidden.shape[1]), (inputs, PM_SIZE_HIDDEN))
        check_shape("out", (out.shape[0], out.shape[1]), (PM_SIZE_HIDDEN, PM_SIZE_CELLS))
        check_shape(
            "mixing", (mixing.shape[0], mixing.shape[1], mixing.shape[2], mixing.shape[3]),
            (PM_SIZE_TIERS, PM_SIZE_SIDES, PM_SIZE_TERMS, PM_SIZE_BINS)
        )
        self.weights, self.hidden, self.out, self.mixing = weights, hidden, out, mixing
        self.c.weights, self.c.hidden = &weights[0, 0], &hidden[0, 0]
        self.c.out, self.c.mixing = &out[0, 0], &mixing[0, 0, 0, 0]
        self.c.rows = <int> rows

    def everybody(self, const int16_t[::1] rows, room, habits):
        """The probability of each cell, of everybody: float64 (38,).

        Parameters
        ----------
        rows : int16 (n,)
            Of the situation.
        room : (int, int, bool, bool)
            As `pokermodel.reading.adaptive.sizes.SizeRange`.
        habits : (int, int, int, int)
            As `pokermodel.reading.adaptive.sizes.size_habits`.

        Raises
        ------
        ValueError
            If an array has another shape, or a number is out of range.
        """
        cdef pm_size_range range_ = take_range(room)
        cdef int cells[PM_SIZE_KINDS]
        cdef Py_ssize_t k
        take_habits(habits, cells)
        forecast = np.empty(PM_SIZE_CELLS)
        cdef double[::1] to = forecast
        if rows.shape[0] < 1:
            raise ValueError("a situation has rows")
        for k in range(rows.shape[0]):
            if not 0 <= rows[k] < self.c.rows:
                raise ValueError(f"rows must be 0 to {self.c.rows - 1}, got {rows[k]}")
        pm_size_everybody(&self.c, &rows[0], <int> rows.shape[0], &range_, cells, &to[0])
        return forecast

    def known(
        self, const double[::1] forecast, room, int tier, int side, const float[:, ::1] chosen,
        const float[:, ::1] expected, at
    ):
        """The probability of each cell, of somebody of whom something is known: float64 (38,).

        Parameters
        ----------
        forecast : float64 (38,)
            Of somebody of whom nothing is.
        room
            As of `everybody`.
        tier : int
            0 of a population, 1 of a player.
        side : int
            Before or after the flop, first or further raise: 0 to 3.
        chosen : float32 (n, 38)
            Counts.
        expected : float32 (m, 40)
            What had been expected, and after that of the first division what a power of forecasts is learnt by.
        at : sequence of int
            The rows of the situation's divisions among counts, seven, and among expectations, two; -1 for nothing.

        Raises
        ------
        ValueError
            If an array has another shape, or a number is out of range.
        """
        cdef pm_size_range range_ = take_range(room)
        cdef double terms_of[PM_SIZE_TERMS * PM_SIZE_CELLS]
        cdef double seen[PM_SIZE_TERMS]
        check_shape("the forecast", (forecast.shape[0],), (PM_SIZE_CELLS,))
        if not (0 <= tier < PM_SIZE_TIERS and 0 <= side < PM_SIZE_SIDES):
            raise ValueError(f"there is no tier {tier} with a side {side}")
        found = np.array(forecast)
        cdef double[::1] to = found
        cdef double power = find_terms(&range_, &to[0], chosen, expected, at, terms_of, seen)
        pm_size_mix(&self.c, &range_, tier, side, terms_of, seen, power, &to[0])
        return found


def context(features):
    """The context of a bet or raise: 0 to 35; `ValueError` if these are no features."""
    cdef pm_features f
    take_features(features, &f)
    return pm_size_context(&f)


def habits(features):
    """The cells of a player's habits that a bet or raise counts for: four; `ValueError` if these are no features."""
    cdef pm_features f
    cdef int found[PM_SIZE_KINDS]
    take_features(features, &f)
    pm_size_habits(&f, found)
    return tuple([PM_SIZE_FIRST_HABIT[k] + found[k] for k in range(PM_SIZE_KINDS)])


def places(int context, int low, habits):
    """Where a bet or raise is counted: of each division one place.

    Parameters
    ----------
    context : int
    low : int
        The first of the inner cells that there is room for.
    habits : (int, int, int, int)

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    cdef int cells[PM_SIZE_KINDS]
    cdef int found[PM_SIZE_DIVISIONS]
    cdef int k
    if not (0 <= context < PM_SIZE_CONTEXTS and 0 <= low < PM_SIZE_CELLS):
        raise ValueError(f"there is no context {context} with room from cell {low}")
    take_habits(habits, cells)
    for k in range(PM_SIZE_KINDS):
        cells[k] -= PM_SIZE_FIRST_HABIT[k]
        if cells[k] < 0:
            raise ValueError(f"habits stand in the order of their divisions, got {habits}")
    pm_size_places(context, low, cells, found)
    return tuple([found[k] for k in range(PM_SIZE_DIVISIONS)])


def room(const double[::1] borders, int64_t least, most, int64_t stay, double after):
    """The cells that there is room for: the first and the last inner one; whether the least and the most are choices.

    Parameters
    ----------
    borders : float64 (35,)
        Between inner cells, by the pot after a call.
    least : int
        What a bet or raise goes to at least, in chips of the round.
    most : int or None
        At most; None where nothing is known to bound it.
    stay : int
        What it takes to stay.
    after : float
        The pot after a call.

    Raises
    ------
    ValueError
        If the array has another shape.
    """
    cdef pm_size_range found
    check_shape("borders", (borders.shape[0],), (PM_SIZE_CELLS - 3,))
    found = pm_size_room_of(&borders[0], least, -1 if most is None else most, stay, after)
    return found.low, found.high, bool(found.least), bool(found.most)


cdef class KeyRows:
    """Rows of a table by key, in the order in which keys came.

    Parameters
    ----------
    keys : sequence of int
        Those of the first rows: 0 or more, each once.
    """

    def __cinit__(self, keys=()):
        for key in keys:
            self.add(key)

    def __dealloc__(self):
        pm_key_rows_free(&self.c)

    def __len__(self):
        return self.c.rows

    def __reduce__(self):
        return KeyRows, (self.keys(),)

    def keys(self):
        """The key of each row: int64 (rows,)."""
        cdef int32_t k
        found = np.empty(self.c.rows, dtype=np.int64)
        cdef int64_t[::1] to = found
        for k in range(self.c.rows):
            to[k] = self.c.key[k]
        return found

    def find(self, int64_t key):
        """The row of a key; -1 if there is none."""
        return pm_key_rows_find(&self.c, key)

    def find_all(self, int64_t first, places):
        """The rows of several keys, given by what is added to `first`: list of int, -1 where there is none."""
        cdef int64_t place
        found = []
        for place in places:
            found.append(pm_key_rows_find(&self.c, first + place))
        return found

    def add_all(self, int64_t first, places):
        """The rows of several keys, new ones where there is none: list of int; `ValueError` if a key is below 0."""
        cdef int64_t place
        cdef int32_t row
        found = []
        for place in places:
            if first + place < 0:
                raise ValueError(f"keys are 0 or more, got {first + place}")
            with critical_section(self):
                row = pm_key_rows_make(&self.c, first + place)
            if row < 0:
                raise MemoryError
            found.append(row)
        return found

    def add(self, int64_t key):
        """The row of a key, a new one if there is none; `ValueError` if the key is below 0."""
        if key < 0:
            raise ValueError(f"keys are 0 or more, got {key}")
        with critical_section(self):
            row = pm_key_rows_make(&self.c, key)
        if row < 0:
            raise MemoryError
        return row


def terms(const double[::1] forecast, room, const float[:, ::1] chosen, const float[:, ::1] expected, at):
    """How what somebody chose differs from a forecast.

    Parameters
    ----------
    forecast, room, chosen, expected, at
        As of `SizeNetwork.known`.

    Returns
    -------
    terms : ndarray of float64, shape (9, 38)
    seen : ndarray of float64, shape (9,)
        How much each is of.

    Raises
    ------
    ValueError
        If an array has another shape, or a number is out of range.
    """
    cdef pm_size_range range_ = take_range(room)
    check_shape("the forecast", (forecast.shape[0],), (PM_SIZE_CELLS,))
    found, seen = np.empty((PM_SIZE_TERMS, PM_SIZE_CELLS)), np.empty(PM_SIZE_TERMS)
    cdef double[:, ::1] to = found
    cdef double[::1] seen_to = seen
    find_terms(&range_, &forecast[0], chosen, expected, at, &to[0, 0], &seen_to[0])
    return found, seen


def count(float[:, ::1] chosen, float[:, ::1] expected, at, int cell, const double[::1] forecast):
    """Count what was chosen, and what was expected.

    Parameters
    ----------
    chosen : float32 (n, 38)
    expected : float32 (m, 40)
    at : sequence of int
        Rows of counts, seven, and of expectations, two.
    cell : int
        What was chosen.
    forecast : float64 (38,)
        What everybody was expected to choose.

    Raises
    ------
    ValueError
        If an array has another shape, or there is no such row or cell.
    """
    cdef int k, c, row
    check_shape("counts", (chosen.shape[1],), (PM_SIZE_CELLS,))
    check_shape("expectations", (expected.shape[1],), (PM_SIZE_EXPECTED,))
    check_shape("the forecast", (forecast.shape[0],), (PM_SIZE_CELLS,))
    check_shape("places", (len(at),), (PM_SIZE_TERMS,))
    if not 0 <= cell < PM_SIZE_CELLS:
        raise ValueError(f"a cell must be 0 to {PM_SIZE_CELLS - 1}, got {cell}")
    for k in range(PM_SIZE_TERMS):
        row = at[k]
        if not 0 <= row < (chosen if k < PM_SIZE_DIVISIONS else expected).shape[0]:
            raise ValueError(f"there is no row {row}")
        if k < PM_SIZE_DIVISIONS:
            pm_size_count(cell, &chosen[row, 0])
        else:
            for c in range(PM_SIZE_CELLS):
                expected[row, c] = <float> (expected[row, c] + forecast[c])


def learn_power(float[:, ::1] expected, int row, int cell, const double[::1] forecast, const uint8_t[::1] class_of):
    """Learn how sure sizes are, in a row of expectations, float32 (m, 40), by a cell, its forecast and cells' classes.

    `ValueError` if an array has another shape, or there is no such row, cell or class.
    """
    cdef int c, most = 0
    check_shape("expectations", (expected.shape[1],), (PM_SIZE_EXPECTED,))
    check_shape("the forecast", (forecast.shape[0],), (PM_SIZE_CELLS,))
    check_shape("classes", (class_of.shape[0],), (PM_SIZE_CELLS,))
    for c in range(PM_SIZE_CELLS):
        most = max(most, class_of[c])
    if not 0 <= cell < PM_SIZE_CELLS or not 0 <= row < expected.shape[0] or most >= PM_SIZE_CLASSES:
        raise ValueError(f"there is no cell {cell} in row {row}")
    pm_size_learn_power(&forecast[0], &class_of[0], cell, &expected[row, 0])


cdef list find_rows(KeyRows rows, int64_t first, int64_t[PM_SIZE_DIVISIONS] places, int n):
    return [pm_key_rows_find(&rows.c, first + places[k]) for k in range(n)]


cdef object copy_rows(const float[:, ::1] table, list at):
    """Copy those rows that are there, and number them anew in the list."""
    cdef Py_ssize_t of[PM_SIZE_DIVISIONS]
    cdef Py_ssize_t k, row, count = 0
    cdef float[:, ::1] to
    for k in range(len(at)):
        row = at[k]
        if row >= 0:
            if row >= table.shape[0]:
                raise ValueError(f"there is no row {row}")
            of[count] = row
            at[k] = count
            count += 1
    found = np.empty((count, table.shape[1]), dtype=np.float32)
    if count:
        to = found
        for k in range(count):
            memcpy(&to[k, 0], &table[of[k], 0], table.shape[1] * sizeof(float))
    return found


def keep(
    const float[:, ::1] chosen, const float[:, ::1] expected, KeyRows chosen_rows not None,
    KeyRows expected_rows not None, int64_t first, places,
):
    """Copy what was counted in the places of a situation.

    Parameters
    ----------
    chosen : float32 (n, 38)
        Counts.
    expected : float32 (m, 40)
        What had been expected.
    chosen_rows, expected_rows : KeyRows
        The row that each key has among them.
    first : int
        What is added to places to make keys.
    places : sequence of int
        Of the seven divisions; of expectations the first two count.

    Returns
    -------
    chosen, expected : ndarray of float32, shape (k, 38) and (k, 40)
        Copies of the rows that are there.
    at : list of int
        As of `SizeNetwork.known`.

    Raises
    ------
    ValueError
        If an array has another shape, or there is no such row.
    """
    cdef int64_t of[PM_SIZE_DIVISIONS]
    cdef int k
    check_shape("counts", (chosen.shape[1],), (PM_SIZE_CELLS,))
    check_shape("expectations", (expected.shape[1],), (PM_SIZE_EXPECTED,))
    check_shape("places", (len(places),), (PM_SIZE_DIVISIONS,))
    for k in range(PM_SIZE_DIVISIONS):
        of[k] = places[k]
    at = find_rows(chosen_rows, first, of, PM_SIZE_DIVISIONS)
    compared = find_rows(expected_rows, first, of, PM_SIZE_COMPARED)
    return copy_rows(chosen, at), copy_rows(expected, compared), at + compared


def polar_factors(const double[::1] masses, const float[::1] tilts, double power):
    """What a bet on the river says of each bin of strength: float64 (16,).

    Parameters
    ----------
    masses : float64 (16,)
        What the range that bets has in each bin, of any sum.
    tilts : float32 (16,)
        Logarithms of factors.
    power : float
        Of what each side has.

    Raises
    ------
    ValueError
        If an array has another shape.
    """
    check_shape("masses", (masses.shape[0],), (PM_SIZE_STRENGTHS,))
    check_shape("tilts", (tilts.shape[0],), (PM_SIZE_STRENGTHS,))
    found = np.empty(PM_SIZE_STRENGTHS)
    cdef double[::1] to = found
    pm_polar_factors(&masses[0], &tilts[0], power, &to[0])
    return found


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
