"""Showdowns of players who never fold: of two by enumeration, of 23 by dealing.

All counts are integers, so that sums do not depend on the order in which chunks of work are finished.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from pokermodel._core.cards cimport refuse_row
from pokermodel._core.evaluator cimport (
    pm_evaluator,
    pm_hand,
    pm_hand_add,
    pm_hand_empty,
    pm_hand_rank,
    tables,
)
from pokermodel._core.rng cimport pm_random, pm_random_below, stream_init


cdef extern from "pokermodel/evaluation/cards.h" nogil:
    int PM_CLASSES
    int pm_different_cards(const uint8_t *cards, int n) noexcept
    int pm_holding_class(int a, int b) noexcept


cdef enum:
    HOLDINGS_ON_BOARD = 1081    # C(47, 2)
    BOARDS = 134459             # of five cards, up to suits
    LANES = 32                  # HANDS, padded to whole vectors

cdef unsigned char CLASS[52][52]


cdef void classes_init() noexcept:
    cdef int a, b
    for a in range(52):
        for b in range(52):
            CLASS[a][b] = <unsigned char> pm_holding_class(a, b) if a != b else 0


classes_init()


# ---------------------------------------------------------------------------------------- two hands, exactly

cdef int orbit_size(const int *suits) noexcept nogil:
    """Number of boards that differ from this one only in the names of suits, if it is the one that stands for them: the
    one with the masks of its suits in falling order. Otherwise 0."""
    cdef int same = 1
    cdef int orbit = 24
    cdef int k
    for k in range(1, 4):
        if suits[k - 1] < suits[k]:
            return 0
        same = same + 1 if suits[k - 1] == suits[k] else 1
        orbit //= same
    return orbit


cdef int canonical_boards(unsigned char *boards, unsigned char *orbits) noexcept nogil:
    """All boards of five cards up to suits, with the number of boards each stands for."""
    cdef int suits[4]
    cdef int card[BOARD]
    cdef int n = 0
    cdef int k, orbit
    for k in range(BOARD):
        card[k] = k
    while True:
        memset(suits, 0, sizeof(suits))
        for k in range(BOARD):
            suits[card[k] & 3] |= 1 << (card[k] >> 2)
        orbit = orbit_size(suits)
        if orbit:
            for k in range(BOARD):
                boards[BOARD * n + k] = <unsigned char> card[k]
            orbits[n] = <unsigned char> orbit
            n += 1
        # the next combination: move the first card that has room, and those below it back to the start
        k = 0
        while k < BOARD - 1 and card[k] + 1 == card[k + 1]:
            card[k] = k
            k += 1
        if card[k] == 51:
            return n
        card[k] += 1


cdef void sort_by_rank(uint32_t *items, uint32_t *scratch) noexcept nogil:
    """Sort by the rank in the upper half: 13 bits, in two passes."""
    cdef int start[2][129]
    cdef int k, digit
    memset(start, 0, sizeof(start))
    for k in range(HOLDINGS_ON_BOARD):
        start[0][((items[k] >> 16) & 127) + 1] += 1
        start[1][(items[k] >> 23) + 1] += 1
    for k in range(128):
        start[0][k + 1] += start[0][k]
        start[1][k + 1] += start[1][k]
    for k in range(HOLDINGS_ON_BOARD):
        digit = (items[k] >> 16) & 127
        scratch[start[0][digit]] = items[k]
        start[0][digit] += 1
    for k in range(HOLDINGS_ON_BOARD):
        digit = scratch[k] >> 23
        items[start[1][digit]] = scratch[k]
        start[1][digit] += 1


cdef void tally_board(
    const unsigned char *board, uint64_t orbit, uint64_t *wins, uint64_t *ties
) noexcept nogil:
    """Add, for the class of every holding on a board, how many others it beats and ties, `orbit` times.

    A holding meets those that share no card with it. So those with its first card and those with its second are
    subtracted from the weaker ones, of which none has both, and from the equal ones, of which the holding itself has.
    """
    cdef const pm_evaluator *e = tables()
    cdef uint32_t items[HOLDINGS_ON_BOARD]
    cdef uint32_t scratch[HOLDINGS_ON_BOARD]
    cdef int weaker[52]     # by card: holdings that are weaker than the present ones
    cdef int equal[52]      # by card: holdings as strong as the present ones
    cdef int live[52]
    cdef uint64_t taken = 0
    cdef pm_hand on_board = pm_hand_empty()
    cdef pm_hand with_first
    cdef int cards = 0
    cdef int n = 0
    cdef int i, j, k, a, b, start, end
    cdef uint32_t rank
    for k in range(BOARD):
        on_board = pm_hand_add(e, on_board, board[k])
        taken |= (<uint64_t> 1) << board[k]
    for k in range(52):
        if not (taken >> k) & 1:
            live[cards] = k
            cards += 1
    for i in range(cards):
        with_first = pm_hand_add(e, on_board, live[i])
        for j in range(i):
            rank = pm_hand_rank(e, pm_hand_add(e, with_first, live[j]))
            items[n] = rank << 16 | <uint32_t> (live[i] << 8 | live[j])
            n += 1
    sort_by_rank(items, scratch)
    memset(weaker, 0, sizeof(weaker))
    memset(equal, 0, sizeof(equal))
    start = 0
    while start < n:
        rank = items[start] >> 16
        end = start
        while end < n and items[end] >> 16 == rank:
            equal[(items[end] >> 8) & 255] += 1
            equal[items[end] & 255] += 1
            end += 1
        for k in range(start, end):
            a = (items[k] >> 8) & 255
            b = items[k] & 255
            wins[CLASS[a][b]] += orbit * <uint64_t> (start - weaker[a] - weaker[b])
            ties[CLASS[a][b]] += orbit * <uint64_t> (end - start - equal[a] - equal[b] + 1)
        for k in range(start, end):
            a = (items[k] >> 8) & 255
            b = items[k] & 255
            weaker[a] += 1
            weaker[b] += 1
            equal[a] = 0
            equal[b] = 0
        start = end


# ------------------------------------------------------------------------------------- many hands, by dealing

cdef void tally_deals(pm_random *random, uint64_t deals, uint64_t *tally) noexcept nogil:
    """Deal a board and 23 holdings repeatedly, and count for each holding how many of the other 22 it ties and beats:
    `tally[tied][class][beaten]`."""
    cdef const pm_evaluator *e = tables()
    cdef unsigned char deck[52]
    cdef int16_t rank[LANES]
    cdef unsigned char card
    cdef pm_hand on_board, whole
    cdef uint64_t _deal
    cdef int16_t beaten, tied
    cdef int i, j, hand
    for i in range(52):
        deck[i] = <unsigned char> i
    memset(rank, 0, sizeof(rank))     # the padding is weaker than any hand
    for _deal in range(deals):
        for i in range(BOARD + 2 * HANDS):      # a shuffle need not start from an ordered deck
            j = i + <int> pm_random_below(random, 52 - i)
            card = deck[i]
            deck[i] = deck[j]
            deck[j] = card
        on_board = pm_hand_empty()
        for i in range(BOARD):
            on_board = pm_hand_add(e, on_board, deck[i])
        for hand in range(HANDS):
            i = BOARD + 2 * hand
            whole = pm_hand_add(e, pm_hand_add(e, on_board, deck[i]), deck[i + 1])
            rank[hand] = <int16_t> pm_hand_rank(e, whole)
        for hand in range(HANDS):
            beaten = 0
            tied = 0
            for j in range(LANES):
                beaten = beaten + (rank[j] < rank[hand])
                tied = tied + (rank[j] == rank[hand])
            beaten = beaten - (LANES - HANDS)
            tied = tied - 1
            i = BOARD + 2 * hand
            tally[(tied * PM_CLASSES + CLASS[deck[i]][deck[i + 1]]) * HANDS + beaten] += 1


# ------------------------------------------------------------------------------------------------- for Python

def fill_canonical_boards(unsigned char[:, ::1] boards, unsigned char[::1] orbits):
    """List the boards of five cards up to suits.

    Parameters
    ----------
    boards : uint8 (134459, 5)
        Filled with card indices.
    orbits : uint8 (134459,)
        Filled with the number of boards each stands for, 1 to 24; they add up to C(52, 5).

    Raises
    ------
    ValueError
        If an array has another shape.
    """
    if boards.shape[0] != BOARDS or boards.shape[1] != BOARD or orbits.shape[0] != BOARDS:
        raise ValueError(
            f"there are {BOARDS} boards of {BOARD} cards, got room for "
            f"({boards.shape[0]}, {boards.shape[1]}) and {orbits.shape[0]} orbits"
        )
    with nogil:
        canonical_boards(&boards[0, 0], &orbits[0])


def count_heads_up(
    const unsigned char[:, ::1] boards,
    const unsigned char[::1] orbits,
    uint64_t[::1] wins,
    uint64_t[::1] ties,
):
    """Play every holding against every other on the given boards.

    Parameters
    ----------
    boards : uint8 (n, 5)
        Card indices.
    orbits : uint8 (n,)
        Multiplicity of each board.
    wins, ties : uint64 (169,)
        Increased by the showdowns that the holdings of each class win and tie.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a board is not five different cards; the message names the row.
    """
    cdef Py_ssize_t n = boards.shape[0]
    cdef Py_ssize_t row
    if boards.shape[1] != BOARD:
        raise ValueError(f"a board for a showdown has {BOARD} cards, got {boards.shape[1]}")
    if orbits.shape[0] != n:
        raise ValueError(f"{n} boards need as many orbits, got {orbits.shape[0]}")
    if wins.shape[0] != PM_CLASSES or ties.shape[0] != PM_CLASSES:
        raise ValueError(
            f"wins and ties must have shape (169,), got ({wins.shape[0]},) and ({ties.shape[0]},)"
        )
    for row in range(n):
        if not pm_different_cards(&boards[row, 0], BOARD):
            refuse_row(row, &boards[row, 0], BOARD)
    with nogil:
        for row in range(n):
            tally_board(&boards[row, 0], orbits[row], &wins[0], &ties[0])


def count_deals(const uint64_t[::1] words, uint64_t deals, uint64_t[:, :, ::1] tally):
    """Deal a board and 23 holdings `deals` times, and count how each holding fares among the others.

    Parameters
    ----------
    words : uint64 (4,)
        Start of the stream of random numbers.
    deals : int
        Number of deals.
    tally : uint64 (23, 169, 23)
        ``tally[tied, class, beaten]`` is increased by one for each holding dealt, by its class and by how many of the
        other 22 it ties and beats.

    Raises
    ------
    ValueError
        If there are not four words, or `tally` has another shape.
    """
    cdef pm_random random
    stream_init(&random, words)
    if tally.shape[0] != HANDS or tally.shape[1] != PM_CLASSES or tally.shape[2] != HANDS:
        raise ValueError(
            f"tally must have shape ({HANDS}, {PM_CLASSES}, {HANDS}), "
            f"got ({tally.shape[0]}, {tally.shape[1]}, {tally.shape[2]})"
        )
    with nogil:
        tally_deals(&random, deals, &tally[0, 0, 0])
