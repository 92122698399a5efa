"""Exact counts of showdowns of two players with cards to come (``pokermodel/evaluation/matchup.h``)."""

from cython cimport critical_section, final
from libc.stdint cimport INT32_MIN, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from pokermodel._core.cards cimport add_cards
from pokermodel._core.evaluator cimport pm_count_cards, pm_evaluator, tables

cdef extern from "pokermodel/evaluation/cards.h" nogil:
    enum: PM_HOLDINGS
    int pm_holding(int a, int b) noexcept


cdef extern from "pokermodel/evaluation/matchup.h" nogil:
    ctypedef struct pm_table_cards:
        uint16_t board[4]
        uint16_t taken[4]
        int to_come

    ctypedef struct pm_showdowns:
        int32_t win
        int32_t tie

    ctypedef struct pm_matchup:
        int at

    uint32_t pm_choose(int n, int k) noexcept
    void pm_table_init(pm_table_cards *table, const pm_evaluator *e, uint64_t board, uint64_t taken) noexcept
    void pm_matchup_init(
        pm_matchup *m, const pm_evaluator *e, const pm_table_cards *table, const uint8_t *rank
    ) noexcept
    pm_showdowns pm_bare_showdowns(const pm_matchup *m) noexcept
    pm_showdowns pm_suit_correction(const pm_matchup *m, int suit, unsigned own) noexcept


# ----------------------------------------------------------------------------------------- holdings of two ranks

cdef enum:
    RANK_PAIRS = 91         # hi*(hi+1)/2 + lo
    MATCHUPS = 4186         # of two rank pairs, first*(first+1)/2 + second, first >= second


cdef struct Suited:
    uint16_t holding
    uint8_t suit[2]
    uint64_t cards


cdef struct RankPair:
    uint8_t rank[2]
    int size
    Suited suited[16]


cdef RankPair[91] RANK_PAIR


cdef void fill_rank_pairs() noexcept:
    cdef RankPair *pair = RANK_PAIR
    cdef Suited *suited
    cdef int high, low, a, b
    for high in range(13):
        for low in range(high + 1):
            pair.rank[0] = <uint8_t> high
            pair.rank[1] = <uint8_t> low
            pair.size = 0
            for a in range(4):
                for b in range(4 if high > low else a):
                    suited = &pair.suited[pair.size]
                    suited.holding = <uint16_t> pm_holding(4 * high + a, 4 * low + b)
                    suited.suit[0] = <uint8_t> a
                    suited.suit[1] = <uint8_t> b
                    suited.cards = (<uint64_t> 1) << (4 * high + a) | (<uint64_t> 1) << (4 * low + b)
                    pair.size += 1
            pair += 1


fill_rank_pairs()


# ------------------------------------------------------------------------------------------------------ showdowns

cdef struct Sums:
    double win
    double tie
    double lose


# The outcomes of two rank pairs are a row. Its first entry is the bare outcome. The others are corrections, by kind of
# suit and by which of the four cards are of the suit. Suits are of one kind if they have the same ranks among the taken
# cards and on the board.
cdef struct Layout:
    pm_table_cards table
    uint64_t taken
    int kind[4]             # by suit
    int row                 # entries of a row
    int32_t runouts         # number of runouts of two holdings


cdef inline int row_of(uint16_t matchup) noexcept nogil:
    """Row in the table; a matchup has its first rank pair in the upper byte, its second in the lower byte."""
    cdef int first = matchup >> 8
    return first * (first + 1) // 2 + (matchup & 255)


cdef inline bint unknown(const pm_showdowns *entry) noexcept nogil:
    return entry.win == INT32_MIN


cdef void forget(pm_showdowns *entries, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        entries[k].win = INT32_MIN


cdef void layout_init(Layout *layout, uint64_t board, uint64_t dead) noexcept nogil:
    cdef pm_table_cards *table = &layout.table
    cdef int first[4]           # suit of each kind
    cdef int suit, kind
    cdef int kinds = 0
    layout.taken = board | dead
    pm_table_init(table, tables(), board, layout.taken)
    for suit in range(4):
        kind = 0
        while kind < kinds and (
            table.taken[first[kind]] != table.taken[suit] or table.board[first[kind]] != table.board[suit]
        ):
            kind += 1
        if kind == kinds:
            first[kind] = suit
            kinds += 1
        layout.kind[suit] = kind
    layout.row = 1 + 16 * kinds
    layout.runouts = <int32_t> pm_choose(48 - pm_count_cards(layout.taken), table.to_come)


cdef void find_showdowns(
    const Layout *layout, uint16_t matchup, const Suited *first, const Suited *second, pm_matchup *ranks,
    pm_showdowns *row, pm_showdowns *found
) noexcept nogil:
    """Find the runouts that the first holding wins and ties, from a row; missing entries of the row are computed.

    `ranks` serves the whole row and is prepared when first needed: until then ``ranks.at`` is 0.
    """
    cdef uint8_t[4] rank
    cdef pm_showdowns *entry = row
    cdef int own, suit
    found.win = 0
    found.tie = 0
    for suit in range(-1, 4):       # -1 stands for the bare outcome
        own = 0
        if suit >= 0:
            own = (
                (first.suit[0] == suit) | (first.suit[1] == suit) << 1
                | (second.suit[0] == suit) << 2 | (second.suit[1] == suit) << 3
            )
            entry = &row[1 + 16 * layout.kind[suit] + own]
        if unknown(entry):
            if not ranks.at:
                memcpy(&rank[0], RANK_PAIR[matchup >> 8].rank, 2)
                memcpy(&rank[2], RANK_PAIR[matchup & 255].rank, 2)
                pm_matchup_init(ranks, tables(), &layout.table, rank)
            entry[0] = pm_bare_showdowns(ranks) if suit < 0 else pm_suit_correction(ranks, suit, own)
        found.win += entry.win
        found.tie += entry.tie


cdef void add_matchup(
    const Layout *layout, uint16_t matchup, const double *weights, const double *opponent, pm_showdowns *row,
    Sums *sums
) noexcept nogil:
    """Add the weighted showdowns of all holdings of two rank pairs, with either player holding either pair."""
    cdef const RankPair *pair = &RANK_PAIR[matchup >> 8]
    cdef const RankPair *other_pair = &RANK_PAIR[matchup & 255]
    cdef const Suited *first
    cdef const Suited *second
    cdef pm_matchup ranks
    cdef pm_showdowns found
    cdef double forth
    cdef double back = 0
    cdef int32_t lose
    cdef int i, j
    ranks.at = 0
    for i in range(pair.size):
        first = &pair.suited[i]
        if first.cards & layout.taken:
            continue
        for j in range(other_pair.size):
            second = &other_pair.suited[j]
            if second.cards & (first.cards | layout.taken):
                continue
            forth = weights[first.holding] * opponent[second.holding]
            if pair != other_pair:
                back = weights[second.holding] * opponent[first.holding]
            if not forth + back > 0:
                continue
            find_showdowns(layout, matchup, first, second, &ranks, row, &found)
            lose = layout.runouts - found.win - found.tie
            sums.win += forth * found.win + back * lose
            sums.tie += (forth + back) * found.tie
            sums.lose += forth * lose + back * found.win


# -------------------------------------------------------------------------------------------------- for Python

N_MATCHUPS = MATCHUPS


cdef int check_length(const double[::1] weights, const double[::1] opponent) except -1:
    if weights.shape[0] != PM_HOLDINGS or opponent.shape[0] != PM_HOLDINGS:
        raise ValueError(f"weights must have length {PM_HOLDINGS}, got {weights.shape[0]} and {opponent.shape[0]}")
    return 0


def list_matchups(const double[::1] weights, const double[::1] opponent, uint16_t[::1] out):
    """List the rank pairs that two players can hold, for `Matchups.tally`.

    Parameters
    ----------
    weights, opponent : float64 (1326,)
        The players' weights.
    out : uint16 (4186,)
        Filled from the front with one number for every two rank pairs, with either player holding either pair.

    Returns
    -------
    int
        Number of entries filled.

    Raises
    ------
    ValueError
        If an array has another length.
    """
    cdef bint[91] own
    cdef bint[91] others
    cdef int first, second, k
    cdef int n = 0
    check_length(weights, opponent)
    if out.shape[0] != MATCHUPS:
        raise ValueError(f"out must have length {MATCHUPS}, got {out.shape[0]}")
    for first in range(RANK_PAIRS):
        own[first] = others[first] = False
        for k in range(RANK_PAIR[first].size):
            own[first] |= weights[RANK_PAIR[first].suited[k].holding] > 0
            others[first] |= opponent[RANK_PAIR[first].suited[k].holding] > 0
        for second in range(first + 1):
            if own[first] and others[second] or own[second] and others[first]:
                out[n] = <uint16_t> (first << 8 | second)
                n += 1
    return n


@final
cdef class Matchups:
    """Showdowns of two holdings after all runouts.

    Results without a board and dead cards are kept, in 570 kB; there are too many other boards to keep theirs. Safe to
    share between threads.

    Parameters
    ----------
    board, dead : sequence of int
        Card indices: none, three or four on the board.

    Raises
    ------
    ValueError
        If a card is invalid or occurs twice, the board has another number of cards, or too few cards are left for two
        holdings and a board.
    """

    cdef Layout layout
    cdef pm_showdowns *table

    def __cinit__(self, board=(), dead=()):
        cdef uint64_t board_cards = add_cards(board, 0, "")
        cdef uint64_t dead_cards = add_cards(dead, board_cards, " among board and dead cards") & ~board_cards
        if pm_count_cards(board_cards) not in (0, 3, 4):
            raise ValueError(f"a board on which cards are to come has 0, 3 or 4 cards, got {len(board)}")
        if pm_count_cards(dead_cards) > 43:
            raise ValueError("two holdings and a board cannot be dealt from fewer than 9 cards")
        layout_init(&self.layout, board_cards, dead_cards)
        if self.layout.taken == 0:
            self.table = <pm_showdowns *> malloc(MATCHUPS * self.layout.row * sizeof(pm_showdowns))
            if self.table is NULL:
                raise MemoryError
            forget(self.table, MATCHUPS * self.layout.row)

    def __dealloc__(self):
        free(self.table)

    def tally(
        self, const double[::1] weights, const double[::1] opponent, const uint16_t[::1] matchups, double[::1] sums
    ):
        """Sum showdowns over every two holdings that share no card and every runout.

        Parameters
        ----------
        weights, opponent : float64 (1326,)
            Finite weights >= 0 whose products stay below 1e290. Those of impossible holdings are ignored.
        matchups : uint16 (n,)
            Some of the numbers that `list_matchups` gives; only these are summed.
        sums : float64 (3,)
            Filled with the products of the weights times the number of runouts that the first player wins, ties and
            loses. They depend on the arguments alone, not on what is kept.

        Raises
        ------
        ValueError
            If an array has another length, or a number is none of `list_matchups`.
        """
        cdef Py_ssize_t n = matchups.shape[0]
        cdef Py_ssize_t row = self.layout.row
        cdef Py_ssize_t k, entry
        cdef pm_showdowns *rows
        cdef pm_showdowns *known
        cdef Sums found = Sums(0.0, 0.0, 0.0)
        check_length(weights, opponent)
        if sums.shape[0] != 3:
            raise ValueError(f"sums must have length 3, got {sums.shape[0]}")
        for k in range(n):
            if matchups[k] >> 8 >= RANK_PAIRS or matchups[k] & 255 > matchups[k] >> 8:
                raise ValueError(f"there is no matchup {matchups[k]}")
        rows = <pm_showdowns *> malloc((n * row + 1) * sizeof(pm_showdowns))
        if rows is NULL:
            raise MemoryError
        # Every thread fills rows of its own; others that fill the same rows find the same values.
        if self.table is NULL:
            forget(rows, n * row)
        else:
            with critical_section(self):
                for k in range(n):
                    memcpy(&rows[k * row], &self.table[row_of(matchups[k]) * row], row * sizeof(pm_showdowns))
        with nogil:
            for k in range(n):
                add_matchup(&self.layout, matchups[k], &weights[0], &opponent[0], &rows[k * row], &found)
        if self.table is not NULL:
            with critical_section(self):
                for k in range(n):
                    known = &self.table[row_of(matchups[k]) * row]
                    for entry in range(row):
                        if unknown(&known[entry]):
                            known[entry] = rows[k * row + entry]
        free(rows)
        sums[0] = found.win
        sums[1] = found.tie
        sums[2] = found.lose

    def against(self, int holding, double[::1] out):
        """Find the mean share of the pot of a holding against each other one, over all runouts.

        Parameters
        ----------
        holding : int
            Index 0..1325, of cards that are not taken.
        out : float64 (1326,)
            Overwritten; 0 for holdings that share a card with it or with those that are taken.

        Raises
        ------
        ValueError
            If the array has another length, or the holding is none that can be dealt.
        """
        cdef const RankPair *pair
        cdef const Suited *own = NULL
        cdef const Suited *other
        cdef pm_matchup ranks
        cdef pm_showdowns *row
        cdef pm_showdowns found
        cdef uint16_t matchup
        cdef int first = 0
        cdef int second, k
        cdef bint turned
        if out.shape[0] != PM_HOLDINGS:
            raise ValueError(f"out must have length {PM_HOLDINGS}, got {out.shape[0]}")
        for second in range(RANK_PAIRS):
            for k in range(RANK_PAIR[second].size):
                if RANK_PAIR[second].suited[k].holding == holding:
                    own, first = &RANK_PAIR[second].suited[k], second
        if own is NULL or own.cards & self.layout.taken:
            raise ValueError(f"holding {holding} cannot be dealt: expected 0 to {PM_HOLDINGS - 1}, of other cards")
        row = <pm_showdowns *> malloc(self.layout.row * sizeof(pm_showdowns))
        if row is NULL:
            raise MemoryError
        out[:] = 0.0
        with nogil:
            for second in range(RANK_PAIRS):
                pair = &RANK_PAIR[second]
                turned = second > first
                matchup = <uint16_t> (second << 8 | first if turned else first << 8 | second)
                forget(row, self.layout.row)
                ranks.at = 0
                for k in range(pair.size):
                    other = &pair.suited[k]
                    if other.cards & (own.cards | self.layout.taken):
                        continue
                    if turned:
                        find_showdowns(&self.layout, matchup, other, own, &ranks, row, &found)
                        found.win = self.layout.runouts - found.win - found.tie
                    else:
                        find_showdowns(&self.layout, matchup, own, other, &ranks, row, &found)
                    out[other.holding] = (found.win + 0.5 * found.tie) / self.layout.runouts
        free(row)
