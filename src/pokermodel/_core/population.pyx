"""What is known of populations and players, and what a finished hand says of them.

The C functions are in ``pokermodel/readers/population.h``.
"""

from cython cimport critical_section, final
from libc.math cimport NAN
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from pokermodel._core.cards cimport take_card, take_cards
from pokermodel._core.evaluator cimport pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
from pokermodel._core.features cimport pm_features, take_features
from pokermodel._core.likelihood cimport (
    PM_ACTS,
    PM_PLACE,
    PM_EFFECTS,
    PM_MIXED,
    PM_NO_CLASS,
    PM_OUT,
    HoldingClasses,
    Likelihood,
    PM_HOLDING_FEATURES,
    pm_factor_logs,
    pm_gather,
    pm_padded_classes,
    pm_pairs_in_order,
    pm_predicted,
    pm_shares_of_classes,
    pm_standings_apply,
    pm_step,
    pm_step_chances,
    pm_walk,
)
from pokermodel._core.situations cimport (
    PM_BOARD_FEATURES,
    PM_LIMIT_FEATURES,
    PM_SIZED_FEATURES,
    pm_board_features,
    pm_situation_rows,
)


cdef extern from "pokermodel/readers/strategies.h" nogil:
    enum:
        PM_SIZE_CELLS
        PM_SIZE_QUARTERS
        PM_SIZE_STRENGTHS
        PM_POLAR_GROUPS

    void pm_raise_shares(
        const double *forecast, const uint8_t *column_of, int columns, const double *tilts, double *shares) noexcept
    void pm_polar_strategy(
        float *p, const int16_t *rows, int first, int n, const double *held, int raises, int groups,
        const double *shares, const float *tilts, double power, float *of_raises) noexcept
    void pm_strategy_of_classes(
        const float *p, const int16_t *rows, int first, int n, int fold, int raises, const float *shares,
        float *to) noexcept


cdef enum:
    HOLDINGS = 1326
    SEATS = 64      # of those who act in a hand, the highest
    KEY = 40        # rows of a situation, at most
    HALF = 136      # entries of a covariance on and above its diagonal
    DECISION = 7    # fields of a `Decision`
    LEGAL = 17      # the place among those of a `Situation` of what is offered


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef int take_legal(legal, float *into) except -1:
    """1 for fold, call and raise if it is in a tuple of acts, else 0."""
    cdef int act
    memset(into, 0, PM_ACTS * sizeof(float))
    for each in legal:
        act = each
        if not 0 <= act < PM_ACTS:
            raise ValueError(f"an act must be 0 to 2, got {act}")
        into[act] = 1.0
    return 0


# -------------------------------------------------------------------------------------------- what a hand says

def gather(decisions, features, bint sized, const int16_t[::1] firsts, const int16_t[::1] contexts):
    """Gather the acts of a hand that were done in turn and offered, player by player.

    Parameters
    ----------
    decisions : sequence of Decision
    features : sequence of Features
        Of the situation of each.
    sized : bool
        Whether bets have sizes.
    firsts : ndarray of int16
        The first row of each feature of a situation, as of `pokermodel._core.situations.rows`.
    contexts : ndarray of int16, shape (4,)
        The first cell of each division of the factors' contexts.

    Returns
    -------
    tuple or None
        The seats of the players in the order of their first acts; the board as it was seen last; how many acts each
        has, int32 (players,); and of each act its place among the decisions, the round, uint8 (n,), rows, int16 (n,
        features), basis, int16 (n, 5), cells, int16 (n, 4), what was offered, float32 (n, 3), and the act, int16 (n,).
        None if nobody did anything that was offered.

    Raises
    ------
    ValueError
        If a shape does not fit, or there is something else than features.
    """
    cdef Py_ssize_t many = len(decisions)
    cdef int width = (PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES) + PM_BOARD_FEATURES
    cdef int32_t place[SEATS]
    cdef int32_t next_of[SEATS]
    cdef int shown[PM_BOARD_FEATURES]
    cdef uint8_t cards[5]
    cdef uint64_t unseen
    cdef pm_features f
    cdef Py_ssize_t k, each, at, n = 0
    cdef int seat, act, round, g, total = 0
    cdef list seats = [], boards = []
    cdef tuple decision, situation
    check_shape("features", (len(features),), (many,))
    check_shape("firsts", (firsts.shape[0],), (width,))
    check_shape("contexts", (contexts.shape[0],), (PM_GRIDS,))
    memset(place, -1, sizeof(place))
    memset(next_of, 0, sizeof(next_of))
    # in the order of the hand: which decisions count, whose they are, and what was offered and done
    kept, whose = np.empty(many, dtype=np.int32), np.empty(many, dtype=np.int32)
    met, did = np.empty(many, dtype=np.uint8), np.empty(many, dtype=np.int16)
    could = np.empty((many, PM_ACTS), dtype=np.float32)
    cdef int32_t[::1] kept_ = kept
    cdef int32_t[::1] whose_ = whose
    cdef uint8_t[::1] met_ = met
    cdef int16_t[::1] did_ = did
    cdef float[:, ::1] could_ = could
    for k in range(many):
        given = decisions[k]
        if not isinstance(given, tuple) or len(given) != DECISION:
            raise ValueError(f"expected a decision, got {given!r}")
        decision = <tuple> given
        if not isinstance(decision[3], tuple) or len(decision[3]) < LEGAL + 1:
            raise ValueError(f"expected a situation, got {decision[3]!r}")
        situation = <tuple> decision[3]
        if decision[6]:  # out of turn
            continue
        act = decision[4]
        take_legal(situation[LEGAL], &could_[n, 0])
        if not 0 <= act < PM_ACTS or could_[n, act] == 0:
            continue
        seat, round = situation[2], situation[5]
        if not (0 <= seat < SEATS and 0 <= round < 4):
            raise ValueError(f"expected seats 0 to {SEATS - 1} and rounds 0 to 3, got seat {seat} in round {round}")
        if place[seat] < 0:
            place[seat] = <int32_t> len(seats)
            seats.append(seat)
        next_of[place[seat]] += 1
        kept_[n], whose_[n], met_[n], did_[n] = <int32_t> k, place[seat], <uint8_t> round, <int16_t> act
        boards.append(situation[4])
        n += 1
    if n == 0:
        return None
    counts = np.empty(len(seats), dtype=np.int32)
    places, rounds = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.uint8)
    rows, acts = np.empty((n, width), dtype=np.int16), np.empty(n, dtype=np.int16)
    basis, cells = np.empty((n, PM_PLACE), dtype=np.int16), np.empty((n, PM_GRIDS), dtype=np.int16)
    offered = np.empty((n, PM_ACTS), dtype=np.float32)
    cdef int32_t[::1] counts_ = counts
    cdef int32_t[::1] places_ = places
    cdef uint8_t[::1] rounds_ = rounds
    cdef int16_t[:, ::1] rows_ = rows
    cdef int16_t[:, ::1] basis_ = basis
    cdef int16_t[:, ::1] cells_ = cells
    cdef int16_t[::1] acts_ = acts
    cdef float[:, ::1] offered_ = offered
    for k in range(len(seats)):
        counts_[k] = next_of[k]
        next_of[k] = total
        total += counts_[k]
    board = None
    for each in range(n):
        at = next_of[whose_[each]]
        next_of[whose_[each]] += 1
        if boards[each] is not board:
            board = boards[each]
            unseen = 0
            pm_board_features(cards, take_cards(board, cards, 0, 5, "a board", &unseen, ""), shown)
        take_features(features[kept_[each]], &f)
        pm_situation_rows(&f, shown, sized, &firsts[0], &rows_[at, 0], &basis_[at, 0], &cells_[at, 0])
        for g in range(PM_GRIDS):
            cells_[at, g] += contexts[g]
        memcpy(&offered_[at, 0], &could_[each, 0], PM_ACTS * sizeof(float))
        places_[at], rounds_[at], acts_[at] = kept_[each], met_[each], did_[each]
    return seats, board, counts, places, rounds, rows, basis, cells, offered, acts


def possible(board, holdings, bint mucked):
    """What players can have held in a finished hand who did not show: sets of holdings, uint8 (166,), 1,326 bits.

    Parameters
    ----------
    board : sequence of int
    holdings : sequence of (int, int)
        Those that were shown.
    mucked : bool
        Whether somebody lost without showing.

    Returns
    -------
    live : ndarray of uint8, shape (166,)
        Holdings without a card that was seen.
    losing : ndarray of uint8, shape (166,), or None
        Those of them that lose to a holding that was shown. None where nothing follows, or nobody mucked.

    Raises
    ------
    ValueError
        If something is not a card, or a card occurs twice.
    """
    cdef uint8_t cards[5]
    cdef uint64_t seen = 0
    cdef int n = take_cards(board, cards, 0, 5, "a board", &seen, "")
    cdef int k, high, low, holding = 0
    cdef unsigned best = 0
    cdef bint any = False
    cdef pm_hand on_board = pm_hand_empty()
    cdef pm_hand one
    for k in range(n):
        on_board = pm_hand_add(tables(), on_board, cards[k])
    for each in holdings:
        one = on_board
        for card in each:
            one = pm_hand_add(tables(), one, take_card(card, &seen, ""))
        if n == 5:
            best = max(best, pm_hand_rank(tables(), one))
    live = np.empty(PM_HOLDING_BYTES, dtype=np.uint8)
    cdef uint8_t[::1] live_ = live
    pm_unseen_holdings(seen, &live_[0])
    if not (mucked and n == 5 and best):
        return live, None
    losing = np.zeros(PM_HOLDING_BYTES, dtype=np.uint8)
    cdef uint8_t[::1] losing_ = losing
    for high in range(1, 52):
        one = pm_hand_add(tables(), on_board, high)
        for low in range(high):
            if not (seen >> high & 1 or seen >> low & 1):
                if pm_hand_rank(tables(), pm_hand_add(tables(), one, low)) < best:
                    losing_[holding >> 3] |= <uint8_t> (128 >> (holding & 7))
                    any = True
            holding += 1
    return live, losing if any else None


# ---------------------------------------------------------------------------------------------- a situation

@final
cdef class Expected:
    """What is expected of a player in a situation; `KnownPopulation.expect` makes it.

    Attributes
    ----------
    predicted : ndarray of float64, shape (3,)
        The probabilities of fold, call and raise, by the player's weights.
    rows : ndarray of int16, shape (features,)
        Of the situation.
    """

    cdef readonly object predicted
    cdef HoldingClasses classes
    cdef Likelihood likelihood
    cdef object weights
    cdef float *p               # of the classes; behind them what the situation makes of them, unless it is `kept`
    cdef bint kept              # by the likelihood
    cdef bint placed            # in the range
    cdef double *shares         # of the classes, by the weights
    cdef int features
    cdef int16_t told[KEY]      # rows
    cdef int16_t basis[5]
    cdef float legal[3]
    cdef double effects[16]     # of somebody of the population of whom nothing is known
    cdef double offsets[3]
    cdef float habits[48]       # theirs
    cdef const float *others    # the same, NULL if nothing is known

    def __dealloc__(self):
        free(self.p)
        free(self.shares)

    @property
    def rows(self):
        """Rows of the situation: int16 (features,)."""
        cdef int k
        return np.array([self.told[k] for k in range(self.features)], dtype=np.int16)

    def triples(self):
        """The probabilities with each holding: float64 (1326, 3), nan where it is not possible."""
        cdef int k, c, of
        found = np.empty((HOLDINGS, PM_ACTS))
        cdef double[:, ::1] to = found
        for k in range(HOLDINGS):
            of = self.classes.c.of[k]
            for c in range(PM_ACTS):
                to[k, c] = NAN if of == PM_NO_CLASS else self.p[PM_OUT * of + c]
        return found

    def triple(self, int holding):
        """The probabilities of fold, call and raise with one holding; nan where it is not possible."""
        if not 0 <= holding < HOLDINGS:
            raise ValueError(f"a holding must be 0 to {HOLDINGS - 1}, got {holding}")
        cdef int of = self.classes.c.of[holding]
        if of == PM_NO_CLASS:
            return NAN, NAN, NAN
        return <double> self.p[PM_OUT * of], <double> self.p[PM_OUT * of + 1], <double> self.p[PM_OUT * of + 2]

    def after(self, int act):
        """The player's weights after an act, as `pokermodel.reading.posterior` has them: float64 (1326,)."""
        if not 0 <= act < PM_ACTS:
            raise ValueError(f"an act must be 0 to 2, got {act}")
        found = np.empty(HOLDINGS)
        cdef double[::1] to = found
        cdef const double[::1] weights = self.weights
        if not pm_posterior_of_classes(&weights[0], self.classes.c.of, self.classes.c.n, self.p, act, &to[0]):
            return np.array(self.weights)
        return found

    def polar(self, const double[:, ::1] shares, const float[:, ::1] tilts, double power, int first):
        """What is done with each holding if it is a player's first money on the river.

        Parameters
        ----------
        shares : float64 (raises * groups, 16)
            Of the raises, those of a size together, and of each group of sizes the share by bin of strength.
        tilts : float32 (groups, 16)
            Logarithms of factors, as of `pokermodel.reading.adaptive.polarity.Polarity`.
        power : float
            Of what each side has.
        first : int
            The row of the first bin of strength.

        Returns
        -------
        triples : ndarray of float64, shape (1326, 3)
            nan where a holding is not possible.
        shares : ndarray of float32, shape (raises, 16)
            Of the raises.

        Raises
        ------
        ValueError
            If a shape does not fit.
        """
        cdef int groups = <int> tilts.shape[0]
        cdef int n = self.classes.c.n
        cdef int raises, k, c, of
        cdef double held[HOLDINGS]
        cdef const double[::1] weights = self.weights
        cdef float *p
        if not 1 <= groups <= PM_POLAR_GROUPS or shares.shape[0] == 0 or shares.shape[0] % groups:
            raise ValueError(f"shares of {shares.shape[0]} raises and groups do not go with {groups} groups of sizes")
        raises = <int> (shares.shape[0] // groups)
        check_shape("shares", (raises, shares.shape[1]), (raises, PM_SIZE_STRENGTHS))
        check_shape("tilts", (groups, tilts.shape[1]), (groups, PM_SIZE_STRENGTHS))
        for k in range(n):
            if not 0 <= self.classes.c.rows[PM_HOLDING_FEATURES * k] - first < PM_SIZE_STRENGTHS:
                raise ValueError(f"the bins of strength do not begin at {first}")
        triples, of_raises = np.empty((HOLDINGS, PM_ACTS)), np.empty((raises, PM_SIZE_STRENGTHS), dtype=np.float32)
        cdef double[:, ::1] to = triples
        cdef float[:, ::1] shares_to = of_raises
        p = <float *> malloc((n + 1) * PM_OUT * sizeof(float))
        if p == NULL:
            raise MemoryError
        memcpy(p, self.p, n * PM_OUT * sizeof(float))
        pm_gather(&self.classes.c, &weights[0], held)
        pm_polar_strategy(
            p, self.classes.c.rows, first, n, held, raises, groups, &shares[0, 0], &tilts[0, 0], power, &shares_to[0, 0]
        )
        for k in range(HOLDINGS):
            of = self.classes.c.of[k]
            for c in range(PM_ACTS):
                to[k, c] = NAN if of == PM_NO_CLASS else p[PM_OUT * of + c]
        free(p)
        return triples, of_raises

    def unknown(self):
        """The forecast of somebody of the population of whom nothing is known, with the same weights: float64 (3,)."""
        cdef float space[1328 * (4 + 16)]
        cdef pm_walk walk
        cdef pm_step step
        cdef Likelihood likelihood = self.likelihood
        found = np.empty(PM_ACTS)
        cdef double[::1] to = found
        self.begin(&walk, &step)
        if self.kept:  # unless something else has taken its place
            with critical_section(likelihood):
                pm_step_room(&step, &likelihood.units, self.features, likelihood.units.now, space)
                step.habits = self.others
                pm_step_chances(&walk, &step, NULL, self.effects, self.offsets)
        else:
            step.h, step.m, step.p = NULL, self.p + PM_OUT * pm_padded_classes(self.classes.c.n), space
            step.known, step.habits = True, self.others
            pm_step_chances(&walk, &step, NULL, self.effects, self.offsets)
        pm_pairs_in_order(&step)
        if self.placed:
            pm_standings_apply(&likelihood.net, &step, self.shares)
        pm_predicted(self.shares, self.classes.c.n, space, &to[0])
        return found

    cdef void begin(self, pm_walk *walk, pm_step *step) noexcept:
        self.likelihood.begin(walk, step, 1, self.features)
        step.classes = &self.classes.c
        step.rows, step.basis, step.legal = self.told, self.basis, self.legal


# ------------------------------------------------------------------------------------------------ what is known

def _restored(int cells, tuple scales, strengths, tiers, kinds, told, bint habits):
    """Make a `KnownPopulation` of its pickle."""
    people = KnownPopulation(cells, scales, strengths, kinds, habits)
    for tier, arrays in enumerate(tiers):
        people.put(tier, *arrays)
    people.add_told(told)
    return people


@final
cdef class KnownPopulation:
    """Beliefs about the effects of populations and players, and factors by context.

    There are two tiers: 0, populations, and 1, players. Both are numbered from 0.

    Parameters
    ----------
    cells : int
        Cells of factors, of each population or player.
    scales : (float, float)
        Standard deviations of effects that nothing is known of.
    strengths : float64 (8,)
        Observations that the beginning of a factor is worth: of the four of an act of the population, and of the
        player.
    kinds : tuple of ndarray, optional
        Levels of kinds of populations: effects, float32 (kinds, 16), and logarithms of factors by cell, float32
        (kinds, cells, 3).
    habits : bool
        Whether habits are learnt, of what is done with holdings of a group.

    Raises
    ------
    ValueError
        If an array has another shape, or there are more than 32 kinds.
    """

    def __cinit__(self, int cells, scales, const double[::1] strengths, kinds=None, bint habits=True):
        cdef int k
        cdef const float[:, ::1] effects
        cdef const float[:, :, ::1] logs
        check_shape("strengths", (strengths.shape[0],), (PM_TIERS * PM_GRIDS,))
        self.c.cells, self.c.habits = cells, habits
        self.c.scale[0], self.c.scale[1] = scales
        for k in range(PM_TIERS * PM_GRIDS):
            self.c.strength[k] = strengths[k]
        self.levels = kinds
        if kinds is not None:
            effects, logs = kinds
            k = <int> effects.shape[0]
            if not 1 <= k <= PM_TABLE_KINDS:
                raise ValueError(f"there are 1 to {PM_TABLE_KINDS} kinds, got {k}")
            check_shape("effects of kinds", (k, effects.shape[1]), (k, PM_EFFECTS))
            check_shape("logarithms of kinds", (logs.shape[0], logs.shape[1], logs.shape[2]), (k, cells, PM_ACTS))
            if pm_people_kinds(&self.c, k, &effects[0, 0], &logs[0, 0, 0]):
                raise MemoryError

    def __dealloc__(self):
        pm_people_free(&self.c)

    cdef const double *take_begin(self, const double[::1] begin) except? NULL:
        """What a table says of its kind; nothing where there are no kinds."""
        if not self.c.kinds:
            return NULL
        if begin is None:
            raise ValueError("what a table says of its kind is missing")
        check_shape("what a table says of its kind", (begin.shape[0],), (self.c.kinds,))
        return &begin[0]

    def __reduce__(self):
        """Pickle all that is known."""
        strengths = np.array([self.c.strength[k] for k in range(PM_TIERS * PM_GRIDS)])
        tiers = [(self.means(tier), self.covariances(tier), *self.factors(tier)) for tier in range(PM_TIERS)]
        return _restored, (
            self.c.cells, (self.c.scale[0], self.c.scale[1]), strengths, tiers, self.levels, self.told(), self.c.habits)

    cdef int check_tier(self, int tier) except -1:
        if not 0 <= tier < PM_TIERS:
            raise ValueError(f"a tier must be 0 or 1, got {tier}")
        return 0

    cdef int check_number(self, int tier, int number, int least) except -1:
        self.check_tier(tier)
        if not least <= number < self.c.known[tier]:
            raise ValueError(f"tier {tier} has numbers {least} to {self.c.known[tier] - 1}, got {number}")
        return 0

    def number(self, int tier, int n):
        """Know so many of a tier: the new ones from the beginning."""
        self.check_tier(tier)
        with critical_section(self):
            if pm_people_number(&self.c, tier, n):
                raise MemoryError

    # ---------------------------------------------------------------------------------------- in and out

    @property
    def kept(self):
        """Cells of each population or player in keys: of factors and of habits."""
        return pm_kept_cells(&self.c)

    def means(self, int tier):
        """Means of the beliefs of a tier: float64 (n, 16)."""
        self.check_tier(tier)
        found = np.empty((self.c.known[tier], PM_EFFECTS))
        cdef double[:, ::1] to = found
        if self.c.known[tier]:
            memcpy(&to[0, 0], self.c.mean[tier], self.c.known[tier] * PM_EFFECTS * sizeof(double))
        return found

    def covariances(self, int tier):
        """Covariances of the beliefs of a tier, row by row from the diagonal on: float64 (n, 136)."""
        cdef int k, i, j, at
        self.check_tier(tier)
        found = np.empty((self.c.known[tier], HALF))
        cdef double[:, ::1] to = found
        for k in range(self.c.known[tier]):
            at = 0
            for i in range(PM_EFFECTS):
                for j in range(i, PM_EFFECTS):
                    to[k, at] = self.c.columns[tier][PM_COVARIANCE * <Py_ssize_t> k + PM_EFFECTS * j + i]
                    at += 1
        return found

    def factors(self, int tier):
        """Factors of a tier in the order in which they were made.

        Returns
        -------
        keys : ndarray of int64, shape (n,)
            Numbers times `kept` plus cell. Cells after those of factors are of habits.
        table : ndarray of float64, shape (n, 2, 3)
            Of each act the logarithm times its precision, and what was expected.
        """
        cdef int row, n = 0
        self.check_tier(tier)
        for row in range(self.c.rows):
            n += self.c.key[row] % 2 == tier
        keys, table = np.empty(n, dtype=np.int64), np.empty((n, 2, PM_ACTS))
        cdef int64_t[::1] keys_ = keys
        cdef double[:, :, ::1] table_ = table
        n = 0
        for row in range(self.c.rows):
            if self.c.key[row] % 2 == tier:
                keys_[n] = self.c.key[row] // 2
                memcpy(&table_[n, 0, 0], self.c.table + PM_FACTOR * <Py_ssize_t> row, PM_FACTOR * sizeof(double))
                n += 1
        return keys, table

    def told(self):
        """What hands said of the kind of each population, as logarithms: float64 (populations, kinds)."""
        found = np.zeros((self.c.known[0], self.c.kinds))
        cdef double[:, ::1] to = found
        if found.size:
            memcpy(&to[0, 0], self.c.kind_told, found.size * sizeof(double))
        return found

    def add_told(self, const double[:, ::1] told):
        """Add to what hands said of the kind of each population.

        Raises
        ------
        ValueError
            If the array has another shape.
        """
        cdef Py_ssize_t k, i
        check_shape("what was said of kinds", (told.shape[0], told.shape[1]), (self.c.known[0], self.c.kinds))
        with critical_section(self):
            for k in range(told.shape[0]):
                for i in range(told.shape[1]):
                    self.c.kind_told[told.shape[1] * k + i] += told[k, i]

    def shares(self, int population, const double[::1] begin):
        """The shares of kinds in a population, of which the table itself says `begin`: float64 (kinds,)."""
        self.check_number(0, population, -1)
        found = np.empty(self.c.kinds)
        cdef double[::1] to = found
        cdef const double *first = self.take_begin(begin)
        if self.c.kinds:
            pm_kind_shares(&self.c, population, first, &to[0])
        return found

    def belief(self, int tier, int number):
        """The belief about one: its mean, float64 (16,), and its covariance, float64 (16, 16)."""
        cdef int i, j
        self.check_number(tier, number, 0)
        mean, covariance = np.empty(PM_EFFECTS), np.empty((PM_EFFECTS, PM_EFFECTS))
        cdef double[::1] mean_ = mean
        cdef double[:, ::1] covariance_ = covariance
        for i in range(PM_EFFECTS):
            mean_[i] = self.c.mean[tier][PM_EFFECTS * <Py_ssize_t> number + i]
            for j in range(PM_EFFECTS):
                covariance_[i, j] = self.c.columns[tier][PM_COVARIANCE * <Py_ssize_t> number + PM_EFFECTS * j + i]
        return mean, covariance

    def believe(self, int tier, int number, const double[::1] mean, const double[:, ::1] covariance):
        """Replace the belief about one."""
        cdef int i, j
        self.check_number(tier, number, 0)
        check_shape("mean", (mean.shape[0],), (PM_EFFECTS,))
        check_shape("covariance", (covariance.shape[0], covariance.shape[1]), (PM_EFFECTS, PM_EFFECTS))
        for i in range(PM_EFFECTS):
            self.c.mean[tier][PM_EFFECTS * <Py_ssize_t> number + i] = mean[i]
            for j in range(PM_EFFECTS):
                self.c.columns[tier][PM_COVARIANCE * <Py_ssize_t> number + PM_EFFECTS * j + i] = covariance[i, j]

    def put(
        self, int tier, const double[:, ::1] means, const double[:, ::1] covariances, const int64_t[::1] keys,
        const double[:, :, ::1] table,
    ):
        """Replace the beliefs of a tier, and add factors, as `means`, `covariances` and `factors` gave them.

        Raises
        ------
        ValueError
            If an array has another shape, or a key is of a number that is not known.
        """
        cdef Py_ssize_t n = means.shape[0]
        cdef Py_ssize_t k
        cdef int i, j, at
        cdef double *columns
        check_shape("means", (n, means.shape[1]), (n, PM_EFFECTS))
        check_shape("covariances", (covariances.shape[0], covariances.shape[1]), (n, HALF))
        self.check_tier(tier)
        self.number(tier, <int> n)
        for k in range(n):
            columns = self.c.columns[tier] + PM_COVARIANCE * k
            at = 0
            for i in range(PM_EFFECTS):
                self.c.mean[tier][PM_EFFECTS * k + i] = means[k, i]
                for j in range(i, PM_EFFECTS):
                    columns[PM_EFFECTS * i + j] = columns[PM_EFFECTS * j + i] = covariances[k, at]
                    at += 1
        self.add(tier, keys, table)

    def add(self, int tier, const int64_t[::1] keys, const double[:, :, ::1] table):
        """Add to factors, which are made where there are none.

        Raises
        ------
        ValueError
            As `put`.
        """
        cdef Py_ssize_t k
        cdef int row, c
        self.check_tier(tier)
        check_shape("the table", (table.shape[0], table.shape[1], table.shape[2]), (keys.shape[0], 2, PM_ACTS))
        with critical_section(self):
            for k in range(keys.shape[0]):
                if not 0 <= keys[k] < <int64_t> self.c.known[tier] * pm_kept_cells(&self.c):
                    raise ValueError(f"tier {tier} has no number {keys[k] // pm_kept_cells(&self.c)}")
                row = pm_factor_make(&self.c, 2 * keys[k] + tier)
                if row < 0:
                    raise MemoryError
                for c in range(PM_FACTOR):
                    self.c.table[PM_FACTOR * <Py_ssize_t> row + c] += (&table[k, 0, 0])[c]

    # ------------------------------------------------------------------------------------------- reading

    def effects(self, int population, int player, const double[::1] begin=None):
        """Effects of a player of a population: float64 (16,). Number -1 stands for nobody.

        `begin` is as of `expect`.
        """
        cdef int number[2]
        cdef double shares[PM_TABLE_KINDS]
        cdef const double *first = self.take_begin(begin)
        self.check_number(0, population, -1)
        self.check_number(1, player, -1)
        number[0], number[1] = population, player
        found = np.empty(PM_EFFECTS)
        cdef double[::1] to = found
        pm_people_effects(&self.c, number, &to[0])
        pm_kind_shares(&self.c, population, first, shares)
        pm_kind_effects(&self.c, shares, &to[0])
        return found

    def offsets(self, int population, int player, const int16_t[:, ::1] cells, const double[::1] begin=None):
        """Logarithms of all factors of a player of a population: float64 (n, 3). Number -1 stands for nobody.

        Parameters
        ----------
        population, player : int
        cells : int16 (n, 4)
            Those of n situations.
        begin
            As of `expect`.
        """
        cdef int number[2]
        cdef int32_t rows[8]
        cdef double shares[PM_TABLE_KINDS]
        cdef const double *first = self.take_begin(begin)
        cdef Py_ssize_t k
        cdef int f
        self.check_number(0, population, -1)
        self.check_number(1, player, -1)
        check_shape("cells", (cells.shape[0], cells.shape[1]), (cells.shape[0], PM_GRIDS))
        number[0], number[1] = population, player
        found = np.zeros((cells.shape[0], PM_ACTS))
        cdef double[:, ::1] to = found
        pm_kind_shares(&self.c, population, first, shares)
        for k in range(cells.shape[0]):
            for f in range(PM_GRIDS):
                if not 0 <= cells[k, f] < self.c.cells:
                    raise ValueError(f"cells must be 0 to {self.c.cells - 1}, got {cells[k, f]}")
            pm_factor_rows(&self.c, number, &cells[k, 0], rows)
            pm_factor_logs(self.c.table, self.c.strength, rows, PM_TIERS * PM_GRIDS, &to[k, 0])
            pm_kind_offsets(&self.c, shares, &cells[k, 0], &to[k, 0])
        return found

    def habits(self, int population, int player, const int16_t[::1] cells):
        """What the odds of a player's acts are multiplied by in a situation: float64 (12, 3), by group of holdings.

        Number -1 stands for nobody. `cells` are those of factors, int16 (4,).
        """
        cdef float told[PM_HABITS]
        cdef int number[2]
        cdef int f
        self.check_number(0, population, -1)
        self.check_number(1, player, -1)
        check_shape("cells", (cells.shape[0],), (PM_GRIDS,))
        for f in range(PM_GRIDS):
            if not 0 <= cells[f] < self.c.cells:
                raise ValueError(f"cells must be 0 to {self.c.cells - 1}, got {cells[f]}")
        number[0], number[1] = population, player
        found = np.ones((PM_GROUPS, PM_ACTS))
        cdef double[:, ::1] to = found
        if pm_habits(&self.c, number, &cells[0], told) != NULL:
            for f in range(PM_GROUPS * PM_ACTS):
                to[f // PM_ACTS, f % PM_ACTS] = told[PM_OUT * (f // PM_ACTS) + f % PM_ACTS]
        return found

    def expect(
        self,
        Likelihood likelihood not None,
        int population,
        int player,
        bint sized,
        features,
        board,
        const int16_t[::1] firsts,
        const int16_t[::1] contexts,
        legal,
        HoldingClasses classes not None,
        weights not None,
        const double[::1] begin=None,
        bint standings=True,
    ):
        """What is expected of a player in a situation.

        Parameters
        ----------
        likelihood : Likelihood
        population, player : int
            Their numbers; -1 stands for nobody.
        sized, firsts, contexts
            As of `gather`.
        features : Features
        board : sequence of int
        legal : sequence of int
            Acts that are offered; something is.
        classes : HoldingClasses
            Of the board.
        weights : ndarray of float64, shape (1326,)
            Of the player; not copied.
        begin : ndarray of float64, shape (kinds,)
            What the table says of its kind: logarithms of shares.
        standings : bool
            Whether places in the range count.

        Returns
        -------
        Expected

        Raises
        ------
        ValueError
            If a shape does not fit, or something is out of range.
        """
        cdef Expected found = Expected()
        cdef const double[::1] held = weights
        cdef int number[2]
        cdef int32_t rows[8]
        cdef int shown[PM_BOARD_FEATURES]
        cdef uint8_t cards[5]
        cdef uint64_t seen = 0
        cdef int16_t cells[4]
        cdef double effects[16]
        cdef double offsets[3]
        cdef double shares[PM_TABLE_KINDS]
        cdef const double *first = self.take_begin(begin)
        cdef float habits[PM_HABITS]
        cdef const float *known_habits
        cdef pm_features f
        cdef pm_walk walk
        cdef pm_step step
        cdef int k
        found.features = (PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES) + PM_BOARD_FEATURES
        self.check_number(0, population, -1)
        self.check_number(1, player, -1)
        check_shape("firsts", (firsts.shape[0],), (found.features,))
        check_shape("contexts", (contexts.shape[0],), (PM_GRIDS,))
        check_shape("weights", (held.shape[0],), (HOLDINGS,))
        take_features(features, &f)
        pm_board_features(cards, take_cards(board, cards, 0, 5, "a board", &seen, ""), shown)
        take_legal(legal, found.legal)
        if found.legal[0] + found.legal[1] + found.legal[2] == 0:
            raise ValueError("no act is offered")
        pm_situation_rows(&f, shown, sized, &firsts[0], found.told, found.basis, cells)
        for k in range(found.features):
            if not 0 <= found.told[k] < likelihood.situation_rows:
                raise ValueError(f"rows must be 0 to {likelihood.situation_rows - 1}, got {found.told[k]}")
        for k in range(PM_GRIDS):
            cells[k] += contexts[k]
            if not 0 <= cells[k] < self.c.cells:
                raise ValueError(f"cells must be 0 to {self.c.cells - 1}, got {cells[k]}")
        number[0], number[1] = population, player
        pm_kind_shares(&self.c, population, first, shares)
        pm_people_effects(&self.c, number, effects)
        pm_kind_effects(&self.c, shares, effects)
        pm_factor_rows(&self.c, number, cells, rows)
        memset(offsets, 0, sizeof(offsets))
        pm_factor_logs(self.c.table, self.c.strength, rows, PM_TIERS * PM_GRIDS, offsets)
        pm_kind_offsets(&self.c, shares, cells, offsets)
        known_habits = pm_habits(&self.c, number, cells, habits)
        number[1] = -1
        found.others = pm_habits(&self.c, number, cells, found.habits)
        if player >= 0:
            pm_people_effects(&self.c, number, found.effects)
            pm_kind_effects(&self.c, shares, found.effects)
            memset(found.offsets, 0, sizeof(found.offsets))
            pm_factor_logs(self.c.table, self.c.strength, rows, PM_GRIDS, found.offsets)
            pm_kind_offsets(&self.c, shares, cells, found.offsets)
        else:
            memcpy(found.effects, effects, sizeof(effects))
            memcpy(found.offsets, offsets, sizeof(offsets))
        found.classes, found.likelihood = classes, likelihood
        found.weights = weights
        found.predicted = np.empty(PM_ACTS)
        cdef double[::1] predicted = found.predicted
        found.p = <float *> malloc(pm_padded_classes(classes.c.n) * (PM_OUT + PM_MIXED) * sizeof(float))
        found.shares = <double *> malloc((classes.c.n + 1) * sizeof(double))
        if found.p == NULL or found.shares == NULL:
            raise MemoryError
        found.begin(&walk, &step)
        with critical_section(likelihood):
            if classes.board_cards == 0:
                likelihood.keep_units(classes)
            likelihood.units.now += 1
            pm_step_room(&step, &likelihood.units, found.features, likelihood.units.now, found.p)
            step.habits = known_habits
            pm_step_chances(&walk, &step, NULL, effects, offsets)
        found.kept = step.m != found.p + PM_OUT * pm_padded_classes(classes.c.n)
        pm_pairs_in_order(&step)
        pm_shares_of_classes(&held[0], classes.c.of, classes.c.n, found.shares)
        found.placed = standings
        if standings:
            pm_standings_apply(&likelihood.net, &step, found.shares)
        pm_predicted(found.shares, classes.c.n, found.p, &predicted[0])
        return found

    def observations(self, int player, const int16_t[::1] cells):
        """How many acts of a player were counted in each of some cells of factors: float64 (n,).

        Parameters
        ----------
        player : int
            Their number; -1 stands for nobody.
        cells : int16 (n,)
        """
        cdef int row, c
        cdef Py_ssize_t k
        self.check_number(1, player, -1)
        found = np.zeros(cells.shape[0])
        cdef double[::1] to = found
        for k in range(cells.shape[0]):
            if not 0 <= cells[k] < self.c.cells:
                raise ValueError(f"cells must be 0 to {self.c.cells - 1}, got {cells[k]}")
            row = -1 if player < 0 else pm_factor_row(&self.c, pm_factor_key(&self.c, 1, player, cells[k]))
            for c in range(PM_ACTS):
                to[k] += self.c.table[PM_FACTOR * <Py_ssize_t> row + PM_ACTS + c] if row >= 0 else 0.0
        return np.rint(found)  # forecasts of an act add up to 1

    def strategies(
        self,
        Likelihood likelihood not None,
        int population,
        int player,
        bint sized,
        features not None,
        const int16_t[::1] firsts,
        const int16_t[::1] contexts,
        const float[:, ::1] legal,
        const int32_t[::1] raises,
        sizes,
        boards not None,
        classes not None,
        const int32_t[::1] bins,
        const double[::1] begin=None,
        polar=None,
    ):
        """What a player does at n nodes on each of some boards of one street, by class of holdings.

        Parameters
        ----------
        likelihood, population, player, sized, firsts, contexts
            As of `expect`.
        features : sequence of Features, length n
        legal : float32 (n, 3)
            1 for a fold, a call and a raise where the tree has one, else 0.
        raises : int32 (n,)
            How many sizes a raise has.
        sizes : tuple or None
            Needed where a node has more than one raise, or is polar with groups of sizes: forecasts of sizes, float64
            (kinds of boards, n, 38); the kind of each board, int32 (boards,); which raise each cell is counted for,
            uint8 (n, 38); what a size is likelier by with a holding, by quarter and bin of strength, float64 (n, 4,
            16).
        boards : sequence of tuple of int
        classes : sequence of HoldingClasses
            Of the boards.
        bins : int32 (boards,)
            The row of the first bin of strength.
        begin
            As of `expect`.
        polar : tuple or None
            Of nodes with ranges: the tilts of bets, float32 (groups of sizes, 16); the group of each cell of sizes,
            uint8 (38,); the power of each node, float64 (n,), 0 if it is not polar; of each board the ranges that the
            player can come with, as shares of the classes, float64 (ranges, classes); which of them each node has,
            int32 (n,), -1 for none.

        Returns
        -------
        list of ndarray of float32, each of shape (all acts, classes)
            Of each board; acts of the nodes one after the other: fold, call, raises.

        Raises
        ------
        ValueError
            If a shape does not fit, or something is out of range.
        """
        cdef Py_ssize_t n = len(features)
        cdef Py_ssize_t many = len(boards)
        cdef int width = (PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES) + PM_BOARD_FEATURES
        cdef int number[2]
        cdef int32_t factor[8]
        cdef int shown[PM_BOARD_FEATURES]
        cdef uint8_t cards[5]
        cdef uint64_t seen
        cdef int16_t told[KEY]
        cdef int16_t basis[5]
        cdef int16_t cells[4]
        cdef double effects[16]
        cdef float of_raises[PM_SIZE_CELLS * PM_SIZE_STRENGTHS]
        cdef double shares[PM_SIZE_CELLS * PM_POLAR_GROUPS * PM_SIZE_STRENGTHS]
        cdef uint8_t columns[PM_SIZE_CELLS]
        cdef double of_kinds[PM_TABLE_KINDS]
        cdef const double *first = self.take_begin(begin)
        cdef pm_features *faced = NULL
        cdef double *offsets = NULL
        cdef float *space = NULL
        cdef float *habits = NULL
        cdef const float **of_node = NULL
        cdef float *at
        cdef HoldingClasses of
        cdef pm_walk walk
        cdef pm_step step
        cdef Py_ssize_t k, b, rows = 0
        cdef int f, h, most = 0, failed = 0
        cdef const double[:, :, ::1] forecasts
        cdef const int32_t[::1] kind
        cdef const uint8_t[:, ::1] raise_of
        cdef const double[:, :, ::1] tilts
        cdef bint has_sizes = sizes is not None
        cdef bint is_polar = polar is not None
        cdef const float[:, ::1] polar_tilts
        cdef const uint8_t[::1] group_of
        cdef const double[::1] powers
        cdef const double[:, ::1] held
        cdef const int32_t[::1] range_of
        cdef int groups = 1
        cdef float[:, ::1] to
        self.check_number(0, population, -1)
        self.check_number(1, player, -1)
        check_shape("firsts", (firsts.shape[0],), (width,))
        check_shape("contexts", (contexts.shape[0],), (PM_GRIDS,))
        check_shape("legal", (legal.shape[0], legal.shape[1]), (n, PM_ACTS))
        check_shape("raises", (raises.shape[0],), (n,))
        check_shape("classes", (len(classes),), (many,))
        check_shape("bins", (bins.shape[0],), (many,))
        if has_sizes:
            forecasts, kind, raise_of, tilts = sizes
            check_shape("forecasts", (forecasts.shape[1], forecasts.shape[2]), (n, PM_SIZE_CELLS))
            check_shape("kinds", (kind.shape[0],), (many,))
            check_shape("raise_of", (raise_of.shape[0], raise_of.shape[1]), (n, PM_SIZE_CELLS))
            check_shape("tilts", (tilts.shape[0], tilts.shape[1], tilts.shape[2]),
                        (n, PM_SIZE_QUARTERS, PM_SIZE_STRENGTHS))
            for b in range(many):
                if not 0 <= kind[b] < forecasts.shape[0]:
                    raise ValueError(f"kinds of boards must be 0 to {forecasts.shape[0] - 1}, got {kind[b]}")
        if is_polar:
            polar_tilts, group_of, powers, ranges, range_of = polar
            groups = <int> polar_tilts.shape[0]
            if groups not in (1, PM_POLAR_GROUPS):
                raise ValueError(f"there are 1 or {PM_POLAR_GROUPS} groups of sizes, got {groups}")
            check_shape("polar tilts", (groups, polar_tilts.shape[1]), (groups, PM_SIZE_STRENGTHS))
            check_shape("groups of cells", (group_of.shape[0],), (PM_SIZE_CELLS,))
            check_shape("powers", (powers.shape[0],), (n,))
            check_shape("ranges", (len(ranges),), (many,))
            check_shape("range_of", (range_of.shape[0],), (n,))
            for f in range(PM_SIZE_CELLS):
                if group_of[f] >= groups:
                    raise ValueError(f"groups of cells must be 0 to {groups - 1}, got {group_of[f]}")
            for b in range(many):
                held, of = ranges[b], classes[b]
                check_shape(f"ranges of board {b}", (held.shape[0], held.shape[1]), (held.shape[0], of.c.n))
                for k in range(n):
                    if not -1 <= range_of[k] < held.shape[0]:
                        raise ValueError(f"ranges of nodes must be -1 to {held.shape[0] - 1}, got {range_of[k]}")
        for k in range(n):
            if not (legal[k, 1] > 0 and raises[k] <= PM_SIZE_CELLS and (raises[k] > 0) == (legal[k, 2] > 0)):
                raise ValueError(f"node {k} must have a call, and raises where they are legal")
            if raises[k] > 1 or (raises[k] and groups > 1 and range_of[k] >= 0 and powers[k] > 0):
                if not has_sizes:
                    raise ValueError(f"node {k} has {raises[k]} raises and nothing is known of sizes")
                for f in range(PM_SIZE_CELLS):
                    if raise_of[k, f] >= raises[k]:
                        raise ValueError(f"cells are counted for raises 0 to {raises[k] - 1}, got {raise_of[k, f]}")
            rows += 1 + (legal[k, 0] > 0) + raises[k]
        for b in range(many):
            of = classes[b]
            most = max(most, of.c.n)
            for h in range(of.c.n):
                if not 0 <= of.c.rows[PM_HOLDING_FEATURES * h] - bins[b] < PM_SIZE_STRENGTHS:
                    raise ValueError(f"the bins of board {b} do not begin at {bins[b]}")
        number[0], number[1] = population, player
        pm_people_effects(&self.c, number, effects)
        pm_kind_shares(&self.c, population, first, of_kinds)
        pm_kind_effects(&self.c, of_kinds, effects)
        found = []
        try:
            faced = <pm_features *> malloc((n + 1) * sizeof(pm_features))
            offsets = <double *> malloc((n + 1) * PM_ACTS * sizeof(double))
            space = <float *> malloc(pm_padded_classes(most + 1) * (PM_OUT + PM_MIXED) * sizeof(float))
            habits = <float *> malloc((n + 1) * PM_HABITS * sizeof(float))
            of_node = <const float **> malloc((n + 1) * sizeof(float *))
            if faced == NULL or offsets == NULL or space == NULL or habits == NULL or of_node == NULL:
                raise MemoryError
            memset(shown, 0, sizeof(shown))
            for k in range(n):
                take_features(features[k], faced + k)
                pm_situation_rows(faced + k, shown, sized, &firsts[0], told, basis, cells)
                for f in range(PM_GRIDS):
                    cells[f] += contexts[f]
                pm_factor_rows(&self.c, number, cells, factor)
                memset(offsets + PM_ACTS * k, 0, PM_ACTS * sizeof(double))
                pm_factor_logs(self.c.table, self.c.strength, factor, PM_TIERS * PM_GRIDS, offsets + PM_ACTS * k)
                pm_kind_offsets(&self.c, of_kinds, cells, offsets + PM_ACTS * k)
                of_node[k] = pm_habits(&self.c, number, cells, habits + PM_HABITS * k)
            likelihood.begin(&walk, &step, 1, width)
            step.rows, step.basis, step.h, step.known = told, basis, NULL, False
            for b in range(many):
                of, seen = classes[b], 0
                pm_board_features(cards, take_cards(boards[b], cards, 3, 5, "a board", &seen, ""), shown)
                each = np.empty((rows, of.c.n), dtype=np.float32)
                found.append(each)
                to = each
                step.classes = &of.c
                step.p, step.m = space, space + PM_OUT * pm_padded_classes(of.c.n)
                at = &to[0, 0]
                if is_polar:
                    held = ranges[b]
                with nogil:
                    for k in range(n):
                        pm_situation_rows(faced + k, shown, sized, &firsts[0], told, basis, cells)
                        for f in range(width):
                            failed |= not 0 <= told[f] < likelihood.situation_rows
                        if failed:
                            break
                        step.legal, step.habits = &legal[k, 0], of_node[k]
                        pm_step_chances(&walk, &step, NULL, effects, offsets + PM_ACTS * k)
                        if is_polar and range_of[k] >= 0:
                            pm_standings_apply(&likelihood.net, &step, &held[range_of[k], 0])
                        if is_polar and range_of[k] >= 0 and powers[k] > 0 and raises[k]:
                            for h in range(PM_SIZE_STRENGTHS):
                                shares[h] = 1.0
                            if groups > 1:
                                for f in range(PM_SIZE_CELLS):
                                    columns[f] = <uint8_t> (raise_of[k, f] * groups + group_of[f])
                                pm_raise_shares(
                                    &forecasts[kind[b], k, 0], columns, raises[k] * groups, &tilts[k, 0, 0], shares
                                )
                            pm_polar_strategy(
                                step.p, of.c.rows, bins[b], of.c.n, &held[range_of[k], 0], raises[k], groups,
                                shares, &polar_tilts[0, 0], powers[k], of_raises
                            )
                        elif raises[k] > 1:
                            pm_raise_shares(
                                &forecasts[kind[b], k, 0], &raise_of[k, 0], raises[k], &tilts[k, 0, 0], shares
                            )
                            for h in range(raises[k] * PM_SIZE_STRENGTHS):
                                of_raises[h] = <float> shares[h]
                        pm_strategy_of_classes(
                            step.p, of.c.rows, bins[b], of.c.n, legal[k, 0] > 0, raises[k], of_raises, at
                        )
                        at += (1 + (legal[k, 0] > 0) + raises[k]) * <Py_ssize_t> of.c.n
                if failed:
                    raise ValueError(f"rows of situations must be 0 to {likelihood.situation_rows - 1}")
        finally:
            free(faced)
            free(offsets)
            free(space)
            free(habits)
            free(of_node)
        return found

    # ------------------------------------------------------------------------------------------ learning

    def learn(
        self,
        Likelihood likelihood not None,
        int population,
        const int32_t[::1] numbers,
        const int32_t[::1] counts,
        const int32_t[::1] holdings,
        const uint8_t[::1] mucked,
        const uint8_t[::1] rounds,
        const int16_t[:, ::1] rows,
        const int16_t[:, ::1] basis,
        const int16_t[:, ::1] cells,
        const float[:, ::1] legal,
        const int16_t[::1] acts,
        const uint8_t[::1] live,
        const uint8_t[::1] losing,
        classes,
        const double[::1] begin=None,
    ):
        """Learn what a hand says of those who acted in it, one after the other.

        Parameters
        ----------
        likelihood : Likelihood
        population : int
            Its number.
        numbers, counts, holdings : int32 (players,)
            Of each player: the number, how many acts they have, and what they showed, -1 if they did not.
        mucked : uint8 (players,)
            Whether they lost without showing.
        rounds : uint8 (n,)
            Of each act, those of a player one after the other.
        rows : int16 (n, features)
        basis : int16 (n, 5)
        cells : int16 (n, 4)
        legal : float32 (n, 3)
        acts : int16 (n,)
        live : uint8 (166,)
            What those who did not show can have held, 1,326 bits.
        losing : uint8 (166,) or None
            The same of those who mucked.
        classes : sequence of HoldingClasses or None
            By round that somebody acted in.
        begin
            As of `expect`.

        Raises
        ------
        ValueError
            If an array has another shape, or something in it is out of range.
        """
        cdef pm_played hand
        cdef pm_walk walk
        cdef HoldingClasses each
        cdef list kept = []
        cdef Py_ssize_t n = acts.shape[0]
        cdef Py_ssize_t players = numbers.shape[0]
        cdef Py_ssize_t k, total = 0, player
        cdef int f, failed
        self.check_number(0, population, 0)
        for name, length, wanted in (
            ("counts", counts.shape[0], players),
            ("holdings", holdings.shape[0], players),
            ("mucked", mucked.shape[0], players),
            ("rounds", rounds.shape[0], n),
            ("cells", cells.shape[0], n),
            ("legal", legal.shape[0], n),
            ("a row of cells", cells.shape[1], PM_GRIDS),
            ("a row of legal", legal.shape[1], PM_ACTS),
            ("live", live.shape[0], PM_HOLDING_BYTES),
            ("losing", PM_HOLDING_BYTES if losing is None else losing.shape[0], PM_HOLDING_BYTES),
        ):
            if length != wanted:
                raise ValueError(f"{name} must have {wanted} entries, got {length}")
        check_shape("rows", (rows.shape[0],), (n,))
        likelihood.check(rows, basis)
        hand.classes[0] = hand.classes[1] = hand.classes[2] = hand.classes[3] = NULL
        for k in range(min(len(classes), 4)):
            if classes[k] is not None:
                each = classes[k]
                kept.append(each)
                hand.classes[k] = &each.c
        k = 0
        for player in range(players):
            self.check_number(1, numbers[player], 0)
            total += counts[player]
            if counts[player] < 1 or total > n:
                raise ValueError(f"player {player} has {counts[player]} acts")
            if not -1 <= holdings[player] < HOLDINGS:
                raise ValueError(f"the holding must be -1 to {HOLDINGS - 1}, got {holdings[player]}")
            for k in range(k, total):
                if rounds[k] > 3 or hand.classes[rounds[k]] == NULL:
                    raise ValueError(f"act {k} is in round {rounds[k]}, of which there are no classes")
                if not (0 <= acts[k] < PM_ACTS and legal[k, acts[k]] > 0):
                    raise ValueError(f"act {k} must be one that is offered, got {acts[k]}")
                if holdings[player] >= 0 and hand.classes[rounds[k]].of[holdings[player]] == PM_NO_CLASS:
                    raise ValueError(f"the holding {holdings[player]} is not possible at act {k}")
                for f in range(PM_GRIDS):
                    if not 0 <= cells[k, f] < self.c.cells:
                        raise ValueError(f"cells must be 0 to {self.c.cells - 1}, got {cells[k, f]}")
            k = total
        if total != n:
            raise ValueError(f"the players have {total} acts, got {n}")
        if not n:
            return
        hand.players, hand.features, hand.population = <int> players, <int> rows.shape[1], population
        hand.number, hand.acts_of, hand.holding, hand.mucked = &numbers[0], &counts[0], &holdings[0], &mucked[0]
        hand.rows, hand.basis, hand.cells, hand.acts = &rows[0, 0], &basis[0, 0], &cells[0, 0], &acts[0]
        hand.legal, hand.rounds, hand.live = &legal[0, 0], &rounds[0], &live[0]
        hand.losing = NULL
        hand.begin = self.take_begin(begin)
        if losing is not None:
            hand.losing = &losing[0]
        likelihood.begin(&walk, NULL, 0, <int> rows.shape[1])
        with critical_section(self, likelihood):
            if hand.classes[0] != NULL:
                likelihood.keep_units(classes[0])
            failed = pm_people_learn(&self.c, &walk, &likelihood.units, &hand)
        if failed:
            raise MemoryError
