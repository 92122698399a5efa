"""Hands played out by what the adaptive reader expects of everybody, for `pokermodel.worth.play_outs`.

The C functions are in ``acting.h`` and ``play_outs.h`` of ``pokermodel/readers``.
"""

from cython cimport final
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from pokermodel._core.evaluator cimport pm_evaluator, tables
from pokermodel._core.features cimport Betting, pm_betting
from pokermodel._core.likelihood cimport Likelihood, pm_likelihood
from pokermodel._core.population cimport PM_GRIDS, KnownPopulation, pm_people
from pokermodel._core.rng cimport pm_random, pm_random_double
from pokermodel._core.rules cimport (
    PM_FOLD,
    PM_ODD_SPLIT,
    PM_RAISE,
    PM_SEATS,
    State,
    pm_legal,
    pm_raise_range,
    pm_round_base,
    pm_state,
    pm_table,
)
from pokermodel._core.situations cimport PM_BOARD_FEATURES, PM_LIMIT_FEATURES, PM_SIZED_FEATURES
from pokermodel._core.sizes cimport (
    PM_SIZE_CELLS,
    PM_SIZE_CLASSES,
    PM_SIZE_EXPECTED,
    PM_SIZE_QUARTERS,
    PM_SIZE_STRENGTHS,
    PM_SIZE_TIERS,
    KeyRows,
    SizeNetwork,
    pm_size_counts,
    pm_size_network,
)


cdef extern from "pokermodel/readers/holding_features.h" nogil:
    enum:
        PM_PREFLOP_ROWS
    void pm_holding_keys_preflop(const double *shares, uint16_t *keys) noexcept
    void pm_feature_rows(int key, int postflop, int first, int16_t *rows) noexcept


cdef extern from "pokermodel/dealing/random.h" nogil:
    pm_random pm_random_numbered(uint64_t key, uint64_t number) noexcept


cdef extern from "pokermodel/readers/play_outs.h" nogil:
    enum:
        PM_PAIRS

    enum:
        PM_LATER_KINDS
        PM_LATER_ACTS
        PM_LATER_BASIS
        PM_LATER_NODES

    ctypedef struct pm_later_rule:
        const double *worth
        double share
        double *gram
        double *moment

    ctypedef struct pm_crowd:
        const pm_likelihood *net
        const pm_people *people
        const int16_t *firsts
        const int16_t *contexts
        const int16_t *pairs
        int sized
        int features
        pm_size_network sizes
        pm_size_counts counts[2]
        const double *borders
        const double *tilts
        const uint8_t *class_of

    ctypedef struct pm_person:
        int number[2]

    ctypedef struct pm_play_out:
        const pm_crowd *crowd
        const pm_person *person
        const pm_evaluator *evaluator
        const uint16_t *preflop
        pm_table table
        pm_state state
        pm_betting betting
        int hero
        int longest
        int64_t put
        double fold_odds
        double raise_odds
        double least_price
        double rake
        double cap
        double of_pot[7]
        const pm_later_rule *rule
        int raiser

    ctypedef struct pm_streets:
        int board[5]

    void pm_person_begin(const pm_crowd *crowd, pm_person *person, const double *begin) noexcept
    void pm_streets_begin(pm_streets *streets) noexcept
    void pm_streets_deal(pm_streets *streets, const uint8_t *board) noexcept
    double pm_play_out_ranks(
        const pm_play_out *play, const pm_streets *streets, const int16_t *holding, int32_t *ranks) noexcept
    double pm_play_out_deal(
        const pm_play_out *play, pm_streets *streets, const int16_t *holding, const int32_t *ranks, uint64_t key,
        uint64_t deal, int act, int64_t to, int explore, double weight) noexcept


cdef enum:
    HOLDINGS = 1326
    ROUNDS = 4


#: Kinds of later decisions, and what their worth is a function of.
LATER_KINDS, LATER_BASIS = PM_LATER_KINDS, PM_LATER_BASIS


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


def uniforms(uint64_t key, uint64_t deal, int n):
    """What a deal of a key draws for its first n acts after the one that is valued: for the act and a size, (n, 2)."""
    cdef pm_random random = pm_random_numbered(key, deal)
    cdef int k
    found = np.empty((n, 2))
    cdef double[:, ::1] to = found
    for k in range(n):
        to[k, 0] = pm_random_double(&random)
        to[k, 1] = pm_random_double(&random)
    return found


@final
cdef class LaterActs:
    """What the player does at later decisions of play-outs, and what came of them (``later_acts.h`` says why).

    Parameters
    ----------
    share : float
        Of the pot after a call that the player's later bets and raises have, where there are sizes: above 0.

    Attributes
    ----------
    gram : ndarray of float64, shape (kinds, 2, basis, basis)
        Sums of products, of calls and of raises.
    moment : ndarray of float64, shape (kinds, 2, basis)

    Raises
    ------
    ValueError
        If the share is out of range.
    """

    cdef pm_later_rule c
    cdef readonly object gram, moment
    cdef object _worth

    def __cinit__(self, double share):
        cdef double[:, :, :, ::1] gram
        cdef double[:, :, ::1] moment
        if not 0 < share < 1e6:
            raise ValueError(f"the share of the pot must be above 0 and finite, got {share}")
        self.gram = gram = np.zeros((PM_LATER_KINDS, PM_LATER_ACTS, PM_LATER_BASIS, PM_LATER_BASIS))
        self.moment = moment = np.zeros((PM_LATER_KINDS, PM_LATER_ACTS, PM_LATER_BASIS))
        self.gram, self.moment = np.asarray(gram), np.asarray(moment)
        self.c.share, self.c.gram, self.c.moment = share, &gram[0, 0, 0, 0], &moment[0, 0, 0]
        self.c.worth = NULL

    def decide(self, const double[:, :, ::1] worth not None):
        """Let coefficients decide, (kinds, 2, basis); until then the player does as the reader expects."""
        check_shape("coefficients", (worth.shape[0], worth.shape[1], worth.shape[2]),
                    (PM_LATER_KINDS, PM_LATER_ACTS, PM_LATER_BASIS))
        self._worth = worth
        self.c.worth = &worth[0, 0, 0]


@final
cdef class Actors:
    """How everybody at a table acts, by what is known of them.

    Parameters
    ----------
    likelihood : Likelihood
    known : KnownPopulation
    population : int
        Its number; -1 stands for none that is known.
    players : sequence of int
        Their numbers, by seat; -1 stands for nobody who is known.
    begin : ndarray of float64 (kinds,) or None
        What the table says of its kind.
    firsts : ndarray of int16
        The first row of each feature of a situation.
    contexts : ndarray of int16, shape (4,)
        The first cell of each division of the factors' contexts.
    shares : ndarray of float64, shape (1326,)
        Before the flop, shares of the holdings that win less.
    sizes : tuple or None
        Where bets have sizes: the `SizeNetwork`; what populations and what players chose, as pairs of (`KeyRows`,
        float32 (rows, 38)); borders of cells, float64 (35,); factors by round, first or further bet, quarter and bin
        of strength, float64 (4, 2, 4, 16); the class of each cell, uint8 (38,).

    Raises
    ------
    ValueError
        If an array has another shape, or a number is out of range.

    Notes
    -----
    Nothing is copied: what is learnt afterwards must not be added while hands are played out.
    """

    cdef pm_crowd crowd
    cdef pm_person person[PM_SEATS]
    cdef uint16_t preflop[HOLDINGS]
    cdef int16_t pairs[52]  # rows of four features
    cdef int seats
    cdef list kept  # what the pointers point into

    def __cinit__(
        self, Likelihood likelihood not None, KnownPopulation known not None, int population, players,
        const double[::1] begin, const int16_t[::1] firsts, const int16_t[::1] contexts, const double[::1] shares, sizes
    ):
        cdef int sized = sizes is not None
        cdef int tier, kind, seat, k
        cdef const double *first = known.take_begin(begin)
        cdef const float[:, ::1] table
        cdef KeyRows rows
        cdef SizeNetwork network
        cdef const double[:, :, :, ::1] tilts
        cdef const double[::1] borders
        cdef const uint8_t[::1] class_of
        self.crowd.sized = sized
        self.crowd.features = (PM_SIZED_FEATURES if sized else PM_LIMIT_FEATURES) + PM_BOARD_FEATURES
        check_shape("firsts", (firsts.shape[0],), (self.crowd.features,))
        check_shape("contexts", (contexts.shape[0],), (PM_GRIDS,))
        check_shape("shares", (shares.shape[0],), (HOLDINGS,))
        if len(players) > PM_SEATS:
            raise ValueError(f"a game has {PM_SEATS} players at most, got {len(players)}")
        known.check_number(0, population, -1)
        self.seats = len(players)
        self.kept = [likelihood, known, firsts, contexts, sizes]
        self.crowd.net, self.crowd.people = &likelihood.net, &known.c
        self.crowd.firsts, self.crowd.contexts = &firsts[0], &contexts[0]
        pm_holding_keys_preflop(&shares[0], self.preflop)
        for k in range(PM_PAIRS):  # the two lowest cards of each rank
            pm_feature_rows(self.preflop[(4 * k + 1) * 4 * k // 2 + 4 * k], False, 0, &self.pairs[4 * k])
        self.crowd.pairs = self.pairs
        if sized:
            network, counts, borders, tilts, class_of = sizes
            check_shape("borders", (borders.shape[0],), (PM_SIZE_CELLS - 3,))
            check_shape("tilts", (tilts.shape[0], tilts.shape[1], tilts.shape[2], tilts.shape[3]),
                        (ROUNDS, 2, PM_SIZE_QUARTERS, PM_SIZE_STRENGTHS))
            check_shape("classes of cells", (class_of.shape[0],), (PM_SIZE_CELLS,))
            for k in range(PM_SIZE_CELLS):
                if class_of[k] >= PM_SIZE_CLASSES:
                    raise ValueError(f"there are {PM_SIZE_CLASSES} classes of sizes, got {class_of[k]}")
            self.crowd.sizes = network.c
            self.crowd.borders, self.crowd.tilts = &borders[0], &tilts[0, 0, 0, 0]
            self.crowd.class_of = &class_of[0]
            self.kept += [borders, tilts, class_of]
            for tier in range(PM_SIZE_TIERS):
                for kind in range(2):
                    rows, table = counts[tier][kind]
                    check_shape("counts", (table.shape[1],), (PM_SIZE_EXPECTED if kind else PM_SIZE_CELLS,))
                    if table.shape[0] < max(1, len(rows)):
                        raise ValueError(f"{len(rows)} rows need as many counts, got {table.shape[0]}")
                    self.crowd.counts[tier].rows[kind] = &rows.c
                    self.crowd.counts[tier].table[kind] = &table[0, 0]
                    self.kept += [rows, table]
        for seat in range(self.seats):
            known.check_number(1, players[seat], -1)
            self.person[seat].number[0], self.person[seat].number[1] = population, players[seat]
            pm_person_begin(&self.crowd, &self.person[seat], first)

    def play(
        self,
        State state not None,
        Betting betting not None,
        acts,
        const uint8_t[:, ::1] boards,
        const int16_t[:, ::1] holdings,
        const uint64_t[::1] numbers,
        uint64_t key,
        int longest,
        double least_price,
        const double[::1] of_pot,
        double rake,
        double cap,
        double fold_odds=1.0,
        double raise_odds=1.0,
        LaterActs later=None,
        const int8_t[::1] explore=None,
        const double[::1] weights=None,
        int raiser=-1,
    ):
        """Play each act of the seat to act out in each of n deals.

        Parameters
        ----------
        state : State
        betting : Betting
            What of the betting so far features depend on.
        acts : sequence of (int, int or None)
            What is done first, and what a bet or raise goes to in chips of the round.
        boards : uint8 (n, 5)
            In the order in which cards come.
        holdings : int16 (n, seats)
            Indices of what everybody holds who is in the hand; others are not looked at.
        numbers : uint64 (n,)
            Of the deals: what a deal draws depends on the key and its number alone.
        key : int
        longest : int
            Acts after which nobody raises any more.
        least_price : float
            Below it folds are in proportion to the price of a call.
        of_pot : float64 (7,)
            What classes of sizes stand for, by the pot after a call; the last one is infinite.
        rake, cap : float
            Of a pot that saw a flop: its share, and the most in chips.
        fold_odds, raise_odds : float
            What odds of folds, and of bets and raises, of anybody else are multiplied by.
        later : LaterActs, optional
            What the player does later, and where it is added up what came of it; not to be shared by threads.
            Default: they do what the reader expects of them.
        explore : int8 (n,), optional
            With `later`: of each deal, the number of the later decision at which any act but a fold is tried; -1 for
            none.
        weights : float64 (n,), optional
            With `later`: of each deal.
        raiser : int
            With `later`: who bet or raised last so far; -1 for nobody.

        Returns
        -------
        ndarray of float64, shape (n, 1 + acts)
            The share of a pot that the player wins if nobody bets any more, then what each act is worth in chips, from
            the decision on.

        Raises
        ------
        ValueError
            If an array has another shape, a card or a holding is out of range, cards meet, or an act is not possible.
        """
        cdef Py_ssize_t n = boards.shape[0]
        cdef Py_ssize_t k
        cdef int many = len(acts)
        cdef int a, seat, card, high
        cdef uint32_t live = state.c.live
        cdef uint64_t cards
        cdef int act[64]
        cdef int64_t to[64]
        cdef int64_t least, most
        cdef int32_t ranks[PM_SEATS]
        cdef pm_play_out play
        cdef pm_streets *streets
        if state.c.seat < 0:
            raise ValueError("the hand is over: nobody is to act")
        if state.table.c.players != self.seats or betting.c.players != self.seats:
            raise ValueError(f"the state has {state.table.c.players} seats, expected {self.seats}")
        if (state.table.c.structure != 0) != bool(self.crowd.sized):
            raise ValueError("these players are known in another betting structure")
        for odds in (fold_odds, raise_odds):
            if not 0 < odds < 1e9:
                raise ValueError(f"odds must be above 0 and finite, got {odds}")
        if many > 64:
            raise ValueError(f"64 acts can be compared, got {many}")
        check_shape("boards", (n, boards.shape[1]), (n, 5))
        check_shape("holdings", (holdings.shape[0], holdings.shape[1]), (n, self.seats))
        check_shape("numbers", (numbers.shape[0],), (n,))
        check_shape("of_pot", (of_pot.shape[0],), (PM_SIZE_CLASSES,))
        if later is not None:
            if explore is None or weights is None:
                raise ValueError("later acts need to know which deals explore, and their weights")
            check_shape("explore", (explore.shape[0],), (n,))
            check_shape("weights", (weights.shape[0],), (n,))
        pm_raise_range(&state.c, &least, &most)
        for a in range(many):
            act[a], to[a] = acts[a][0], 0
            if not (PM_FOLD <= act[a] <= PM_RAISE and (act[a] == PM_FOLD or pm_legal(&state.c) >> act[a] & 1)):
                raise ValueError(f"act {act[a]} is not legal")
            if act[a] == PM_RAISE:
                to[a] = least if acts[a][1] is None else acts[a][1] + pm_round_base(&state.c)
                if not least <= to[a] <= most:
                    raise ValueError(f"a raise goes to {least} to {most} over the hand, got {to[a]}")
        for k in range(n):
            cards = 0
            for card in range(5):
                if boards[k, card] >= 52 or cards >> boards[k, card] & 1:
                    raise ValueError(f"board {k} is no board")
                cards |= <uint64_t> 1 << boards[k, card]
            for seat in range(self.seats):
                if live >> seat & 1:
                    if not 0 <= holdings[k, seat] < HOLDINGS:
                        raise ValueError(f"a holding must be 0 to {HOLDINGS - 1}, got {holdings[k, seat]}")
                    high = 1
                    while high * (high + 1) // 2 <= holdings[k, seat]:
                        high += 1
                    card = holdings[k, seat] - high * (high - 1) // 2
                    if cards >> high & 1 or cards >> card & 1:
                        raise ValueError(f"the cards of deal {k} meet")
                    cards |= <uint64_t> 1 << high | <uint64_t> 1 << card
        play.crowd, play.person = &self.crowd, self.person
        play.evaluator, play.preflop = tables(), self.preflop
        play.table, play.state, play.betting = state.table.c, state.c, betting.c
        play.table.odd_chips = PM_ODD_SPLIT
        play.state.table = &play.table
        play.hero, play.longest = state.c.seat, longest
        play.put = state.c.chips_in[state.c.seat] + state.table.c.dead[state.c.seat]
        play.fold_odds, play.raise_odds = fold_odds, raise_odds
        play.least_price, play.rake, play.cap = least_price, rake, cap
        play.rule, play.raiser = NULL if later is None else &later.c, raiser
        for k in range(PM_SIZE_CLASSES):
            play.of_pot[k] = of_pot[k]
        found = np.empty((n, 1 + many))
        cdef double[:, ::1] out = found
        streets = <pm_streets *> malloc(sizeof(pm_streets))
        if streets == NULL:
            raise MemoryError
        with nogil:
            pm_streets_begin(streets)
            for k in range(n):
                pm_streets_deal(streets, &boards[k, 0])
                out[k, 0] = pm_play_out_ranks(&play, streets, &holdings[k, 0], ranks)
                for a in range(many):
                    out[k, 1 + a] = 0.0
                    if act[a] != PM_FOLD:
                        out[k, 1 + a] = pm_play_out_deal(
                            &play, streets, &holdings[k, 0], ranks, key, numbers[k], act[a], to[a],
                            -1 if later is None else explore[k], 0.0 if later is None else weights[k])
        free(streets)
        return found
