"""What hands add to the counters of their players, for `pokermodel.learning`.

The C functions are in ``pokermodel/hand_counts.h`` and ``pokermodel/key_sums.h``; `pokermodel.learning.statistics` says
what is counted, and by which numbers.

What a hand adds is bytes: for each seat the winnings in millionths of a small bet (8 bytes), how many counters go up by
one (2), and their numbers (2 each), all of them little-endian.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.tuple cimport PyTuple_GET_SIZE
from cython cimport final
from libc.math cimport fabs, rint
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from pokermodel._core.evaluator cimport PM_RANKS, pm_evaluator, tables
from pokermodel._core.rules cimport PM_FOLD, PM_LIMIT, PM_RAISE, PM_ROUNDS, PM_SEATS


cdef extern from "pokermodel/cards.h" nogil:
    bint pm_different_cards(const uint8_t *cards, int n) noexcept


cdef extern from "pokermodel/hand_counts.h" nogil:
    enum:
        PM_HANDS_ONCE
        PM_LINES
        PM_SIZE_EDGES
        PM_SIZE_KINDS
        PM_DEPTH_EDGES
        PM_COUNTER_TYPES
        PM_SEAT_COUNTERS
        PM_ACT_COUNTERS

    ctypedef struct pm_size_kind:
        int32_t first
        int32_t all_in
        int32_t bins
        int32_t n
        int32_t closed
        int32_t above[8]
        int32_t below[8]
        int32_t fine
        int32_t coarse
        int32_t turn
        int32_t end
        int32_t n_bins

    ctypedef struct pm_counters:
        int32_t page[3]
        int32_t hands
        int32_t positions
        int32_t depths
        int32_t acts
        int32_t sizes
        int32_t shown
        int32_t shown_preflop
        int32_t shown_postflop
        int32_t contexts
        int32_t coarse
        int32_t once[20]
        int32_t order[20]
        int32_t lines[6]
        int32_t depth_edges[8]
        int32_t n_depth_edges
        uint32_t stealing
        uint32_t blinds
        pm_size_kind kinds[8]
        uint8_t type_of_rank[7463]

    ctypedef struct pm_counted_act:
        int64_t to_call
        int64_t put_in
        int64_t in_round
        int64_t pot
        int64_t stack
        int32_t context
        int8_t round
        int8_t seat
        int8_t act
        int8_t out_of_turn
        int8_t num_bets
        int8_t bets
        int8_t can_raise

    ctypedef struct pm_counted_hand:
        int players
        int structure
        int straddled
        int64_t small_bet
        int8_t position[23]
        int64_t stacks[23]
        int64_t invested[23]
        double payoffs[23]
        uint32_t shown
        uint8_t cards[23][2]
        uint8_t board[5]
        int n
        const pm_counted_act *acts

    ctypedef struct pm_seat_counts:
        uint16_t *at[23]
        int n[23]

    ctypedef struct pm_features:
        int round
        int bets
        int previous
        int faced
        int aggressor
        int players
        int num_bets
        int position
        double odds
        double pot

    int pm_rich_context(const pm_features *f) noexcept
    void pm_count_hand(
        const pm_counters *c, const pm_evaluator *e, const pm_counted_hand *h, pm_seat_counts *s
    ) noexcept


cdef extern from "pokermodel/key_sums.h" nogil:
    ctypedef struct pm_key_sums:
        int64_t used

    bint pm_sums_init(pm_key_sums *t, int bits) noexcept
    void pm_sums_free(pm_key_sums *t) noexcept
    bint pm_sums_reserve(pm_key_sums *t, int64_t more) noexcept
    void pm_sums_add(pm_key_sums *t, int64_t key, int64_t more) noexcept
    void pm_sums_take(const pm_key_sums *t, int64_t *keys, int64_t *sums) noexcept


#: Names of the counters that go up at most once a hand, as `Counters` wants them.
ONCE = (
    *("vpip", "vpip_chances", "pfr", "pfr_chances", "three_bets", "three_bet_chances"),
    *("folds_to_three_bet", "three_bets_faced", "four_bets", "four_bet_chances", "squeezes", "squeeze_chances"),
    *("steals", "steal_chances", "folds_to_steal", "steals_faced"),
    *("flops", "flops_won", "showdowns", "showdowns_won"),
)
#: Names of those of each round from the flop on.
LINES = ("cbets", "cbet_chances", "folds_to_cbet", "cbets_faced", "check_raises", "check_raise_chances")
assert len(ONCE) == PM_HANDS_ONCE and len(LINES) == PM_LINES

cdef enum:
    CONTEXTS = 15552  # of RICH
    WON_SIZE = 8  # bytes
    HEAD = 10  # bytes before the counters of a seat
    ID = 4
    # where things stand in a Decision, in a Situation and in Features
    IN_SITUATION = 3
    IN_ACT = 4
    IN_PUT_IN = 5
    IN_OUT_OF_TURN = 6
    OF_DECISION = 7
    AT_SEAT = 2
    AT_ROUND = 5
    AT_POT = 6
    AT_TO_CALL = 7
    AT_BETS = 9
    AT_NUM_BETS = 10
    AT_COMMITTED = 14
    AT_IN_ROUND = 15
    AT_LEGAL = 17
    AT_STACKS = 19
    OF_SITUATION = 20
    OF_FEATURES = 25

cdef int64_t MOST_CHIPS = <int64_t> 1 << 55  # products of chips and bins of sizes fit into 64 bits
cdef int64_t MOST_WON = 10**13  # millionths, whose squares fit into 64 bits as they are kept


cdef int64_t whole(value, int64_t low, int64_t high, str what) except? -1:
    cdef int overflow = 0
    cdef int64_t found = 0
    if isinstance(value, int):
        found = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow and low <= found <= high:
            return found
    raise ValueError(f"{what} must be a whole number from {low} to {high}, got {value!r}")


cdef inline int64_t chips(value, str what) except? -1:
    return whole(value, 0, MOST_CHIPS, what)


cdef tuple entries(values, Py_ssize_t n, str what):
    if not isinstance(values, tuple) or PyTuple_GET_SIZE(values) < n:
        raise ValueError(f"expected {what}, got {values!r}")
    return <tuple> values


cdef inline uint16_t short_at(const uint8_t *data) noexcept:
    return <uint16_t> (data[0] | data[1] << 8)


cdef inline int64_t long_at(const uint8_t *data) noexcept:
    cdef uint64_t found = 0
    cdef int k
    for k in range(WON_SIZE):
        found |= <uint64_t> data[k] << 8 * k
    return <int64_t> found


cdef inline void put(uint8_t *data, uint64_t value, int size) noexcept:
    cdef int k
    for k in range(size):
        data[k] = <uint8_t> (value >> 8 * k)


cdef int take_context(given, pm_features *f) except -1:
    """The number in RICH of a situation, of which these are the features."""
    cdef tuple features = entries(given, OF_FEATURES, "the 25 features of a situation")
    cdef int number
    f.round, f.bets, f.previous, f.faced, f.aggressor = features[0], features[1], features[2], features[3], features[4]
    f.players, f.num_bets, f.odds, f.pot, f.position = features[6], features[7], features[8], features[9], features[10]
    number = pm_rich_context(f)
    if not 0 <= number < CONTEXTS:
        raise ValueError(f"there is no context of the features {given!r}")
    return number


def rich_context(features):
    """The number of a situation in the grid `pokermodel.reading.features.RICH`.

    Parameters
    ----------
    features : Features

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If these are no features.
    """
    cdef pm_features f
    return take_context(features, &f)


@final
cdef class Counters:
    """Numbers of the counters, and what they are counted by.

    Parameters
    ----------
    pages : sequence of int
        Where the counters of limit, pot limit and no limit begin.
    first : mapping of str to int
        The first number of what is counted by place: ``"positions"``, ``"depths"``, ``"acts"``, ``"sizes"``,
        ``"showdowns"``, ``"shown_preflop"``, ``"shown_postflop"`` and ``"contexts"``.
    at : mapping of str to int
        The number of ``"hands"``, of what `ONCE` has, and of what `LINES` has on the flop; the numbers of `LINES` in
        later rounds are six larger each.
    coarse : int
        How many contexts have the same coarse one, by which actions are counted, too.
    stealing, blinds : collection of int
        Positions from which a first raise is a steal, and those at which it is aimed.
    depth_edges : sequence of int
        Where classes of depths begin, but for the first: big blinds.
    sizes : sequence of (int, int, int, Scale)
        Of each kind of bets and raises (first raise of a hand, raise before the flop; bet and raise on the flop, the
        turn and the river) the counters of the first class, of all-ins and of the first bin, and the scale.
    types : bytes
        The type of each rank of a hand, 0 to 24; rank 0 is not used.

    Raises
    ------
    ValueError
        If there are too many or too few of something.
    """

    cdef pm_counters c

    def __cinit__(self, pages, first, at, *, coarse, stealing, blinds, depth_edges, sizes, const uint8_t[::1] types):
        cdef pm_counters *c = &self.c
        cdef pm_size_kind *kind
        cdef int k, edge
        memset(c, 0, sizeof(pm_counters))
        if len(pages) != 3 or len(sizes) != PM_SIZE_KINDS or len(depth_edges) > PM_DEPTH_EDGES:
            raise ValueError("there are 3 structures, 8 kinds of sizes, and at most 8 edges of depths")
        if types.shape[0] != PM_RANKS + 1 or max(types) >= PM_COUNTER_TYPES:
            raise ValueError(f"expected one of {PM_COUNTER_TYPES} types for each of {PM_RANKS + 1} ranks")
        for k in range(3):
            c.page[k] = pages[k]
        c.positions, c.depths, c.acts, c.sizes = first["positions"], first["depths"], first["acts"], first["sizes"]
        c.shown, c.contexts = first["showdowns"], first["contexts"]
        c.shown_preflop, c.shown_postflop = first["shown_preflop"], first["shown_postflop"]
        c.hands = at["hands"]
        c.coarse = <int32_t> whole(coarse, 1, CONTEXTS, "the contexts of a coarse one")
        for k in range(PM_HANDS_ONCE):
            c.once[k] = at[ONCE[k]]
        for k, edge in enumerate(sorted(range(PM_HANDS_ONCE), key=lambda k: at[ONCE[k]])):
            c.order[k] = edge
        for k in range(PM_LINES):
            c.lines[k] = at[LINES[k]]
        c.stealing = sum(1 << each for each in stealing)
        c.blinds = sum(1 << each for each in blinds)
        c.n_depth_edges = len(depth_edges)
        for k in range(c.n_depth_edges):
            c.depth_edges[k] = depth_edges[k]
        for k in range(PM_SIZE_KINDS):
            kind = &c.kinds[k]
            kind.first, kind.all_in, kind.bins, scale = sizes[k]
            kind.n = <int32_t> whole(len(scale.edges), 1, PM_SIZE_EDGES, "the edges of a scale")
            for edge in range(kind.n):
                kind.above[edge] = scale.edges[edge].numerator
                kind.below[edge] = <int32_t> whole(scale.edges[edge].denominator, 1, 100, "what an edge is divided by")
            kind.closed, kind.fine, kind.coarse, kind.turn, kind.end, kind.n_bins = (
                scale.closed, scale.fine, scale.coarse, scale.turn, scale.end, scale.bins
            )
            whole(scale.fine, 1, 100, "the bins of a unit")
            whole(scale.coarse, 1, 100, "the bins of a unit")
            whole(scale.turn, 1, 100, "where bins become wider")
        memcpy(c.type_of_rank, &types[0], PM_RANKS + 1)

    def count(
        self,
        int structure,
        small_bet,
        bint straddled,
        positions,
        decisions,
        features,
        payoffs,
        stacks,
        forced,
        shown,
        board,
    ):
        """Count a hand.

        Parameters
        ----------
        structure : int
            0 limit, 1 pot limit, 2 no limit.
        small_bet : int
            In chips; outside limit the big blind.
        straddled : bool
            Whether a blind is larger than that.
        positions : tuple of int
            Where each seat sits.
        decisions : list of Decision
            The hand's replay.
        features : list of Features or None
            Of each situation; looked at in limit alone.
        payoffs : tuple of float
            Chips that each seat won or lost.
        stacks : tuple of (int or None), or None
            Chips of each seat before antes and blinds, as far as they are known.
        forced : tuple of int
            Chips that each seat put in before the first act. Looked at only where nobody acts.
        shown : mapping of int to (int, int)
            The holdings that were shown, by seat.
        board : tuple of int
            All cards on the board.

        Returns
        -------
        bytes
            What the hand adds, as this module has it.

        Raises
        ------
        ValueError
            If something has another form, or is too large to be counted.
        """
        cdef pm_counted_hand h
        cdef pm_counted_act *acts = NULL
        cdef uint16_t *room = NULL
        cdef int n
        if not isinstance(decisions, list):
            decisions = list(decisions)
        n = <int> whole(len(decisions), 0, 1 << 16, "the number of acts")
        if not PM_LIMIT <= structure <= 2:
            raise ValueError(f"a structure is 0, 1 or 2, got {structure}")
        h.structure, h.straddled, h.n = structure, straddled, n
        h.players = <int> whole(len(positions), 2, PM_SEATS, "the number of players")
        h.small_bet = whole(small_bet, 1, MOST_CHIPS, "the small bet")
        acts = <pm_counted_act *> PyMem_Malloc((n + 1) * sizeof(pm_counted_act))
        room = <uint16_t *> PyMem_Malloc(
            (<size_t> PM_SEAT_COUNTERS * h.players + <size_t> PM_ACT_COUNTERS * n) * sizeof(uint16_t)
        )
        try:
            if acts == NULL or room == NULL:
                raise MemoryError
            h.acts = acts
            take_acts(&h, acts, <list> decisions, features)
            take_seats(&h, entries(positions, h.players, "positions"), payoffs, stacks)
            take_invested(&h, <list> decisions, forced)
            take_shown(&h, shown, board)
            return counted(&self.c, &h, room)
        finally:
            PyMem_Free(acts)
            PyMem_Free(room)


cdef int take_acts(pm_counted_hand *h, pm_counted_act *acts, list decisions, features) except -1:
    cdef tuple decision, situation, legal, stacks, committed
    cdef pm_counted_act *a
    cdef pm_features f
    cdef int k, last = 0
    if h.structure == PM_LIMIT and (not isinstance(features, list) or len(features) != h.n):
        raise ValueError(f"expected the features of {h.n} situations, got {features!r}")
    for k in range(h.n):
        a = &acts[k]
        decision = entries(decisions[k], OF_DECISION, "a decision")
        situation = entries(decision[IN_SITUATION], OF_SITUATION, "a situation")
        a.out_of_turn = bool(decision[IN_OUT_OF_TURN])
        a.act = <int8_t> whole(decision[IN_ACT], PM_FOLD, PM_RAISE, "an act")
        a.put_in = chips(decision[IN_PUT_IN], "what an act puts in")
        a.seat = <int8_t> whole(situation[AT_SEAT], 0, h.players - 1, "a seat")
        a.round = <int8_t> whole(situation[AT_ROUND], last, PM_ROUNDS - 1, "a round")
        a.to_call = chips(situation[AT_TO_CALL], "what there is to call")
        a.bets = <int8_t> min(whole(situation[AT_BETS], 0, MOST_CHIPS, "the bets to call"), 2)
        a.num_bets = <int8_t> min(whole(situation[AT_NUM_BETS], 0, MOST_CHIPS, "the number of bets"), 100)
        legal = entries(situation[AT_LEGAL], 0, "what is legal")
        # some raises are made that nobody can call any more
        offered = legal[PyTuple_GET_SIZE(legal) - 1] if PyTuple_GET_SIZE(legal) else PM_FOLD  # a raise comes last
        a.can_raise = a.act == PM_RAISE or offered == PM_RAISE
        last = a.round
        if h.structure == PM_LIMIT:
            a.context = take_context((<list> features)[k], &f) if not a.out_of_turn else 0
            continue
        a.in_round = chips(situation[AT_IN_ROUND], "what the player has in")
        a.pot = whole(situation[AT_POT], 0, PM_SEATS * MOST_CHIPS, "the pot")
        if a.act == PM_RAISE and a.put_in < a.to_call:
            raise ValueError(f"a raise puts in more than a call of {a.to_call}, got {a.put_in}")
        a.stack = -1
        stacks = entries(situation[AT_STACKS], 0, "stacks")
        if PyTuple_GET_SIZE(stacks) == h.players and stacks[a.seat] is not None:
            committed = entries(situation[AT_COMMITTED], h.players, "what each seat has in")
            a.stack = chips(stacks[a.seat], "a stack") - chips(committed[a.seat], "what a seat has in")
    return 0


cdef int take_seats(pm_counted_hand *h, tuple positions, payoffs, stacks) except -1:
    cdef int seat
    if len(payoffs) != h.players or (stacks is not None and len(stacks) != h.players):
        raise ValueError(f"expected payoffs and stacks of {h.players} seats, got {payoffs!r} and {stacks!r}")
    for seat in range(h.players):
        h.position[seat] = <int8_t> whole(positions[seat], 0, 5, "a position")
        h.payoffs[seat] = payoffs[seat]
        h.stacks[seat] = -1
        if stacks is not None and stacks[seat] is not None:
            h.stacks[seat] = chips(stacks[seat], "a stack")
    return 0


cdef int take_invested(pm_counted_hand *h, list decisions, forced) except -1:
    """Chips that each seat put in."""
    cdef int seat
    cdef tuple put_in
    if h.n:
        forced = (<tuple> (<tuple> decisions[h.n - 1])[IN_SITUATION])[AT_COMMITTED]
    put_in = entries(forced, h.players, "what each seat has in")
    for seat in range(h.players):
        h.invested[seat] = chips(put_in[seat], "what a seat has in")
    if h.n:
        h.invested[h.acts[h.n - 1].seat] += h.acts[h.n - 1].put_in
    return 0


cdef int take_shown(pm_counted_hand *h, shown, board) except -1:
    cdef uint8_t cards[2 * PM_SEATS + 5]
    cdef int n = 0
    cdef int seat, k
    h.shown = 0
    memset(h.board, 0, 5)
    if not shown:
        return 0
    for k in range(<int> whole(len(board), 0, 5, "the number of cards on the board")):
        h.board[k] = cards[n] = <uint8_t> whole(board[k], 0, 51, "a card")
        n += 1
    if h.n and n < (h.acts[h.n - 1].round + 2 if h.acts[h.n - 1].round else 0):
        raise ValueError(f"the board {board!r} is too short for round {h.acts[h.n - 1].round}")
    for each, holding in shown.items():
        seat = <int> whole(each, 0, h.players - 1, "a seat")
        h.shown |= <uint32_t> 1 << seat
        if len(holding) != 2:
            raise ValueError(f"a holding has two cards, got {holding!r}")
        for k in range(2):
            h.cards[seat][k] = cards[n] = <uint8_t> whole(holding[k], 0, 51, "a card")
            n += 1
    if not pm_different_cards(cards, n):
        raise ValueError("a card is there twice")
    return 0


cdef bytes counted(const pm_counters *c, const pm_counted_hand *h, uint16_t *room):
    """Count a hand, given room for the counters of all seats."""
    cdef pm_seat_counts s
    cdef int acts[PM_SEATS]
    cdef int seat, k
    cdef Py_ssize_t size = 0
    cdef double won
    cdef bytes added
    cdef uint8_t *data
    memset(acts, 0, sizeof(acts))
    for k in range(h.n):
        acts[h.acts[k].seat] += 1
    for seat in range(h.players):
        s.at[seat] = room
        room += PM_SEAT_COUNTERS + PM_ACT_COUNTERS * acts[seat]
    pm_count_hand(c, tables(), h, &s)
    for seat in range(h.players):
        if s.n[seat] > 0xffff:
            raise ValueError(f"seat {seat} acts too often to be counted")
        size += HEAD + 2 * s.n[seat]
    added = PyBytes_FromStringAndSize(NULL, size)
    data = <uint8_t *> PyBytes_AS_STRING(added)
    for seat in range(h.players):
        won = rint(h.payoffs[seat] * 1000000 / <double> h.small_bet)
        if not fabs(won) < 9e18:
            raise ValueError(f"seat {seat} wins or loses too much to be counted: {h.payoffs[seat]}")
        put(data, <uint64_t> <int64_t> won, WON_SIZE)
        put(data + WON_SIZE, <uint64_t> s.n[seat], 2)
        data += HEAD
        for k in range(s.n[seat]):
            put(data, s.at[seat][k], 2)
            data += 2
    return added


# ------------------------------------------------------------------------------------------------------ records


cdef Py_ssize_t next_seat(const uint8_t *data, Py_ssize_t place, Py_ssize_t size, Py_ssize_t before) except -1:
    """Where the next seat begins; `before` are bytes in front of the winnings."""
    cdef Py_ssize_t end = place + before + HEAD
    if end <= size:
        end += 2 * <Py_ssize_t> short_at(data + end - 2)
    if end > size:
        raise ValueError("what a hand added is cut short")
    return end


def with_numbers(bytes head not None, ids, bytes added not None):
    """Bytes of a record: what a hand adds, with the numbers of its players.

    Parameters
    ----------
    head : bytes
        What comes first.
    ids : sequence of int
        Below 2^32, one a seat.
    added : bytes
        As `Counters.count` returns it.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If there is not one number for each seat.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
    cdef Py_ssize_t first = PyBytes_GET_SIZE(head)
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end
    cdef bytes record = PyBytes_FromStringAndSize(NULL, first + size + ID * <Py_ssize_t> len(ids))
    cdef uint8_t *out = <uint8_t *> PyBytes_AS_STRING(record)
    memcpy(out, PyBytes_AS_STRING(head), first)
    out += first
    for id in ids:
        end = next_seat(data, place, size, 0)
        put(out, <uint64_t> whole(id, 0, 0xffffffff, "the number of a player"), ID)
        memcpy(out + ID, data + place, end - place)
        out += ID + end - place
        place = end
    if place != size:
        raise ValueError(f"{len(ids)} numbers do not fit what a hand added")
    return record


def without_numbers(bytes record not None, Py_ssize_t start):
    """Take the numbers of the players out of a record.

    Parameters
    ----------
    record : bytes
        As `with_numbers` returns it.
    start : int
        How many bytes come first.

    Returns
    -------
    ids : list of int
    added : bytes

    Raises
    ------
    ValueError
        If the record is cut short.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(record)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(record)
    cdef Py_ssize_t place = start
    cdef list ids = []
    cdef list parts = []
    cdef Py_ssize_t end
    if not 0 <= start <= size:
        raise ValueError("what a hand added is cut short")
    while place < size:
        end = next_seat(data, place, size, ID)
        ids.append(<uint32_t> (short_at(data + place) | <uint32_t> short_at(data + place + 2) << 16))
        parts.append(PyBytes_FromStringAndSize(<const char *> data + place + ID, end - place - ID))
        place = end
    return ids, b"".join(parts)


def seats(bytes added not None):
    """What a hand added, seat by seat.

    Returns
    -------
    list of (int, tuple of int)
        Winnings and counters.

    Raises
    ------
    ValueError
        If the bytes are cut short.
    """
    cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t end, k
    cdef list found = []
    while place < size:
        end = next_seat(data, place, size, 0)
        counters = tuple([short_at(data + k) for k in range(place + HEAD, end, 2)])
        found.append((long_at(data + place), counters))
        place = end
    return found


# ------------------------------------------------------------------------------------------------------- a batch


cdef int64_t square(int64_t won) except -1:
    """The square of winnings in millionths of a small bet, in thousandths."""
    cdef int64_t billions, rest
    if won < 0:
        won = -won
    if not 0 <= won <= MOST_WON:
        raise ValueError(f"{won} millionths of a small bet are more than can be kept")
    billions, rest = won // 1000000000, won % 1000000000
    return billions * billions * 1000000000 + 2 * billions * rest + (rest * rest + 500000000) // 1000000000


@final
cdef class Tally:
    """By how much the counters of players go up, in a batch of hands.

    Parameters
    ----------
    pages : sequence of int
        Where the counters of each betting structure begin, in rising order.
    won, squares, showdown, showdown_won, showdown_squares, flops : int
        Counters of `pokermodel.learning.statistics`.
    letters : bytes
        For each of the first counters, which are actions, the letter that stands for it, or 0.
    """

    cdef pm_key_sums c
    cdef int pages[3]
    cdef int won, squares, showdown, showdown_won, showdown_squares, flops
    cdef bytes letters

    def __cinit__(
        self, pages, *, won, squares, showdown, showdown_won, showdown_squares, flops, bytes letters not None
    ):
        self.pages[0], self.pages[1], self.pages[2] = pages
        self.won, self.squares, self.flops, self.letters = won, squares, flops, letters
        self.showdown, self.showdown_won, self.showdown_squares = showdown, showdown_won, showdown_squares
        if not pm_sums_init(&self.c, 16):
            raise MemoryError

    def __dealloc__(self):
        pm_sums_free(&self.c)

    def __len__(self):
        return self.c.used

    def learn(self, ids, bytes added not None):
        """Count a hand.

        Parameters
        ----------
        ids : sequence of int
            Numbers of its players, below 2^32.
        added : bytes
            As `Counters.count` returns it.

        Returns
        -------
        list of (int, str)
            Players who acted after the flop, and their actions, a letter each.

        Raises
        ------
        ValueError
            If there is not one number for each seat, or what is won is too much to be kept.
        """
        cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(added)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(added)
        cdef Py_ssize_t place = 0
        cdef Py_ssize_t end
        cdef int64_t player
        cdef list found = []
        if not pm_sums_reserve(&self.c, size // 2 + 4 * <int64_t> len(ids)):
            raise MemoryError
        for id in ids:
            player = whole(id, 0, 0xffffffff, "the number of a player")
            end = next_seat(data, place, size, 0)
            done = self.learn_seat(player << 16, data + place, (end - place - HEAD) // 2)
            if done is not None:
                found.append((id, done))
            place = end
        if place != size:
            raise ValueError(f"{len(ids)} numbers do not fit what a hand added")
        return found

    cdef learn_seat(self, int64_t player, const uint8_t *data, Py_ssize_t n):
        """Count what one player did, and return their actions after the flop; None if there are none."""
        cdef char usual[64]
        cdef char *text = usual
        cdef Py_ssize_t length = 0
        cdef int64_t won = long_at(data)
        cdef int64_t squared = square(won)
        cdef const char *letters = PyBytes_AS_STRING(self.letters)
        cdef int n_letters = <int> PyBytes_GET_SIZE(self.letters)
        cdef bint saw_flop = False
        cdef bint at_showdown = False
        cdef int counter, page = 0
        cdef Py_ssize_t k
        data += HEAD
        if n > 64:
            text = <char *> PyMem_Malloc(n)
            if text == NULL:
                raise MemoryError
        for k in range(n):
            counter = short_at(data + 2 * k)
            if k == 0:
                page = self.pages[0 if counter < self.pages[1] else 1 if counter < self.pages[2] else 2]
            pm_sums_add(&self.c, player | counter, 1)
            saw_flop |= counter == self.flops
            at_showdown |= counter == page + self.showdown
            if counter < n_letters and letters[counter]:
                text[length] = letters[counter]
                length += 1
        pm_sums_add(&self.c, player | (page + self.won), won)
        pm_sums_add(&self.c, player | (page + self.squares), squared)
        if at_showdown:
            pm_sums_add(&self.c, player | (page + self.showdown_won), won)
            pm_sums_add(&self.c, player | (page + self.showdown_squares), squared)
        try:
            return text[:length].decode("ascii") if saw_flop and length else None
        finally:
            if text != usual:
                PyMem_Free(text)

    def add(self, player, counter, count):
        """Add to a counter of a player."""
        if not pm_sums_reserve(&self.c, 1):
            raise MemoryError
        pm_sums_add(
            &self.c,
            whole(player, 0, 0xffffffff, "the number of a player") << 16 | whole(counter, 0, 0xffff, "a counter"),
            count,
        )

    def take(self, int64_t[::1] keys not None, int64_t[::1] counts not None):
        """Write all counters that went up or down, and by how much, in no order.

        Parameters
        ----------
        keys : ndarray of int64, shape (n,)
            Overwritten by 65,536 times the player, plus the counter. `len` of the tally is n.
        counts : ndarray of int64, shape (n,)
            Overwritten.

        Raises
        ------
        ValueError
            If a shape is another one.
        """
        if keys.shape[0] != self.c.used or counts.shape[0] != self.c.used:
            raise ValueError(f"expected arrays of {self.c.used} numbers, got {keys.shape[0]} and {counts.shape[0]}")
        if self.c.used:
            pm_sums_take(&self.c, &keys[0], &counts[0])
