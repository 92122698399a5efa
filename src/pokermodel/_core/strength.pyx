"""Hand strength and potential, for one holding and for all holdings of a board.

Cells are the weighted counts of Papp 1998, section 5.3: ``[now][later]``, each ahead, tied, behind. All sums are
of non-negative terms in double precision; nothing is found by subtracting large sums from each other unless the
result is known to keep its digits.
"""

from cpython.long cimport PyLong_AsLong
from cython cimport critical_section, final
from libc.stdint cimport int8_t, int16_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from pokermodel._core.evaluator cimport (
    pm_evaluator,
    pm_hand,
    pm_hand_add,
    pm_hand_empty,
    pm_hand_join,
    PM_RANKS,
    pm_hand_rank,
    pm_hand_rank_no_flush,
    pm_lowest_bit,
    pm_rank_category,
    tables,
)
from pokermodel._core.simd cimport kernels, pm_add_pairs

cdef enum:
    AHEAD = 0
    TIED = 1
    BEHIND = 2
    ALIGNMENT = 64
    DIRECT_TIES = 24        # groups up to this size are added up term by term
    RANK_WORDS = 117        # 64-bit words with a bit for each of the ranks 0..7462
    ROWS_AT_ONCE = 24       # right-hand rows that stay in the first cache while all left-hand rows pass by


# ---------------------------------------------------------------------------------------------- the field

cdef inline uint64_t card_bit(int card) noexcept nogil:
    return (<uint64_t> 1) << card


cdef int number_ranks(const uint64_t *occurs, int16_t *number) noexcept nogil:
    """Number the ranks whose bits are set from 0, weakest first; returns how many there are."""
    cdef int word
    cdef int n = 0
    cdef uint64_t bits
    for word in range(RANK_WORDS):
        bits = occurs[word]
        while bits:
            number[64 * word + pm_lowest_bit(bits)] = <int16_t> n
            n += 1
            bits &= bits - 1
    return n


cdef void field_init(Field *field, const int *board, int board_cards, uint64_t dead) noexcept nogil:
    """Rank every holding that avoids the board and the dead cards, and sort (by counting: ranks are few)."""
    cdef const pm_evaluator *e = tables()
    cdef uint64_t occurs[RANK_WORDS]
    cdef int16_t number[PM_RANKS + 1]
    cdef int start[1327]
    cdef uint16_t rank[1326]
    cdef unsigned char cards[1326][2]
    cdef int high, low, k, position, groups, first, end
    cdef pm_hand half
    field.board = pm_hand_empty()
    field.board_cards = board_cards
    field.dead = dead
    for k in range(board_cards):
        field.board = pm_hand_add(e, field.board, board[k])
        field.dead |= card_bit(board[k])
        field.card[k] = board[k]
    memset(occurs, 0, sizeof(occurs))
    field.size = 0
    for high in range(52):
        if field.dead & card_bit(high):
            continue
        half = pm_hand_add(e, field.board, high)
        for low in range(high):
            if field.dead & card_bit(low):
                continue
            k = pm_hand_rank(e, pm_hand_add(e, half, low))
            rank[field.size] = <uint16_t> k
            cards[field.size][0] = <unsigned char> high
            cards[field.size][1] = <unsigned char> low
            occurs[k >> 6] |= (<uint64_t> 1) << (k & 63)
            field.size += 1
    groups = number_ranks(occurs, number)
    memset(start, 0, (groups + 1) * sizeof(int))
    for k in range(field.size):
        start[number[rank[k]] + 1] += 1
    for k in range(groups):
        start[k + 1] += start[k]
    for k in range(field.size):
        position = start[number[rank[k]]]
        start[number[rank[k]]] += 1
        field.rank[position] = rank[k]
        field.high[position] = cards[k][0]
        field.low[position] = cards[k][1]
        field.holding[position] = <int16_t> pm_holding(cards[k][0], cards[k][1])
    first = 0
    for k in range(groups):     # each start has moved on to the end of its group
        end = start[k]
        for position in range(first, end):
            field.group_start[position] = first
            field.group_end[position] = end
        first = end


cdef inline bint share_card(const Field *field, int i, int j) noexcept nogil:
    return (field.high[i] == field.high[j] or field.high[i] == field.low[j]
            or field.low[i] == field.high[j] or field.low[i] == field.low[j])


# ------------------------------------------------------------------------------------------ hand strength

# Running sums over holdings, in total and by card, so that the holdings that share a card with a given one can
# be left out of a sum by two subtractions.
cdef struct Running:
    double total
    double card[52]
    int n                   # holdings, and holdings with weight, likewise
    int n_card[52]
    int positive
    int positive_card[52]


cdef inline void running_add(Running *running, int high, int low, double weight) noexcept nogil:
    running.total += weight
    running.card[high] += weight
    running.card[low] += weight
    running.n += 1
    running.n_card[high] += 1
    running.n_card[low] += 1
    if weight > 0:
        running.positive += 1
        running.positive_card[high] += 1
        running.positive_card[low] += 1


cdef double sum_term_by_term(const Field *field, const double *weight, int hero, int start, int end) noexcept nogil:
    """Weight of the positions start..end that avoid hero's cards."""
    cdef int position
    cdef double found = 0.0
    for position in range(start, end):
        if not share_card(field, hero, position):
            found += weight[position]
    return found


cdef double disjoint_sum(
    const Field *field, const double *weight, const Running *running, int hero, int start, int end
) noexcept nogil:
    """Weight of the positions start..end, all of them in `running`, that avoid hero's cards."""
    cdef int high = field.high[hero]
    cdef int low = field.low[hero]
    cdef bint inside = start <= hero < end      # then hero's own holding is taken off with each of its cards
    cdef double found
    if running.positive - running.positive_card[high] - running.positive_card[low] + (inside and weight[hero] > 0) == 0:
        return 0.0
    found = running.total - running.card[high] - running.card[low]
    if inside:
        found += weight[hero]
    # where too many digits cancelled, the terms themselves are added up
    return found if found > 1e-4 * running.total else sum_term_by_term(field, weight, hero, start, end)


cdef void field_strength(const Field *field, const double *weights, double *cells) noexcept nogil:
    """Weight ahead of, tied with and behind each position, `cells` (size, 3); uniform where no weight is left.

    `weights` are by position. A sweep from below finds what each holding beats, one from above what beats it.
    """
    cdef Running below, above, group
    cdef int n_below[1326]
    cdef int start, end, k, high, low
    cdef double tied
    cdef int n_tied, n_above
    memset(&below, 0, sizeof(Running))
    memset(&above, 0, sizeof(Running))
    start = 0
    while start < field.size:
        end = field.group_end[start]
        for k in range(start, end):
            high = field.high[k]
            low = field.low[k]
            cells[3 * k + AHEAD] = disjoint_sum(field, weights, &below, k, 0, start)
            n_below[k] = below.n - below.n_card[high] - below.n_card[low]
        for k in range(start, end):
            running_add(&below, field.high[k], field.low[k], weights[k])
        start = end
    end = field.size
    while end > 0:
        start = field.group_start[end - 1]
        memset(&group, 0, sizeof(Running))
        for k in range(start, end):
            running_add(&group, field.high[k], field.low[k], weights[k])
        for k in range(start, end):
            high = field.high[k]
            low = field.low[k]
            tied, n_tied = 0.0, 0
            if end - start > 1:
                if end - start > DIRECT_TIES:
                    tied = disjoint_sum(field, weights, &group, k, start, end)
                else:
                    tied = sum_term_by_term(field, weights, k, start, end)
                n_tied = group.n - group.n_card[high] - group.n_card[low] + 1
            cells[3 * k + TIED] = tied
            cells[3 * k + BEHIND] = disjoint_sum(field, weights, &above, k, end, field.size)
            if cells[3 * k] + tied + cells[3 * k + BEHIND] <= 0:
                n_above = above.n - above.n_card[high] - above.n_card[low]
                cells[3 * k + AHEAD] = n_below[k]
                cells[3 * k + TIED] = n_tied
                cells[3 * k + BEHIND] = n_above
        for k in range(start, end):
            running_add(&above, field.high[k], field.low[k], weights[k])
        end = start


# ---------------------------------------------------------------------------------------------- potential

# Pair counts over all runouts, for positions i < j in one row after the other: i beats j, ties j, loses to j.
cdef struct Pairs:
    int runouts             # that any one pair of holdings can see
    uint16_t *win
    uint16_t *tie
    uint16_t *lose


cdef inline Py_ssize_t row_start(int size, int i) noexcept nogil:
    """Where the row of position i starts; entry (i, j) is at row_start + j - i - 1."""
    return <Py_ssize_t> i * (2 * size - i - 1) // 2


cdef void pairs_free(Pairs *pairs) noexcept nogil:
    free(pairs.win)
    free(pairs.tie)
    free(pairs.lose)
    memset(pairs, 0, sizeof(Pairs))


cdef void rank_runout(
    const Field *field, const pm_hand *holding, pm_hand board, uint64_t taken, int8_t *column, int stride
) noexcept nogil:
    """Strength of every possible position on one final board, dense from -127, into a column of the rows."""
    cdef const pm_evaluator *e = tables()
    cdef uint64_t occurs[RANK_WORDS]
    cdef int16_t number[PM_RANKS + 1]
    cdef uint16_t rank[1326]
    cdef int position
    memset(occurs, 0, sizeof(occurs))
    for position in range(field.size):
        rank[position] = 0
        if not taken & (card_bit(field.high[position]) | card_bit(field.low[position])):
            rank[position] = <uint16_t> pm_hand_rank(e, pm_hand_join(board, holding[position]))
            occurs[rank[position] >> 6] |= (<uint64_t> 1) << (rank[position] & 63)
    number_ranks(occurs, number)
    for position in range(field.size):
        if rank[position]:
            column[<Py_ssize_t> position * stride] = <int8_t> (number[rank[position]] - 127)


cdef void clear_overlaps(Pairs *pairs, const Field *field) noexcept nogil:
    """Set the counts of positions that share a card to 0: they never meet."""
    cdef int16_t at[52][51]     # positions that contain a card
    cdef int n[52]
    cdef int position, card, first, second
    cdef Py_ssize_t k
    memset(n, 0, sizeof(n))
    for position in range(field.size):
        for k in range(2):
            card = field.low[position] if k else field.high[position]
            at[card][n[card]] = <int16_t> position
            n[card] += 1
    for card in range(52):
        for first in range(n[card]):
            for second in range(first + 1, n[card]):
                k = row_start(field.size, at[card][first]) + at[card][second] - at[card][first] - 1
                pairs.win[k] = pairs.tie[k] = pairs.lose[k] = 0


cdef int pairs_init(Pairs *pairs, const Field *field, int lookahead) noexcept nogil:
    """Count, for every pair of positions, the runouts of `lookahead` cards that each wins; -1 without memory."""
    cdef const pm_evaluator *e = tables()
    cdef int size = field.size
    cdef int unseen[52]
    cdef int n = 0
    cdef int first, second, column, stride, i, block, start, end
    cdef Py_ssize_t k
    cdef Py_ssize_t entries = <Py_ssize_t> size * (size - 1) // 2
    cdef pm_hand holding[1326]
    cdef pm_hand board
    cdef char *memory
    cdef int8_t *left
    cdef int8_t *right
    for first in range(52):
        if not field.dead & card_bit(first):
            unseen[n] = first
            n += 1
    column = n if lookahead == 1 else n * (n - 1) // 2
    pairs.runouts = n - 4 if lookahead == 1 else (n - 4) * (n - 5) // 2
    stride = (column + PM_ROW_LANES - 1) // PM_ROW_LANES * PM_ROW_LANES
    memory = <char *> malloc(2 * <size_t> size * stride + ALIGNMENT)
    pairs.win = <uint16_t *> malloc((entries + 1) * sizeof(uint16_t))
    pairs.tie = <uint16_t *> malloc((entries + 1) * sizeof(uint16_t))
    pairs.lose = <uint16_t *> malloc((entries + 1) * sizeof(uint16_t))
    if not memory or not pairs.win or not pairs.tie or not pairs.lose:
        free(memory)
        pairs_free(pairs)
        return -1
    left = <int8_t *> memory + (ALIGNMENT - <size_t> memory % ALIGNMENT)
    right = left + <size_t> size * stride
    memset(left, PM_ROW_LOWEST, <size_t> size * stride)
    for i in range(size):
        holding[i] = pm_hand_join(e.card[field.high[i]], e.card[field.low[i]])

    column = 0
    for first in range(n):
        board = pm_hand_add(e, field.board, unseen[first])
        if lookahead == 1:
            rank_runout(field, holding, board, card_bit(unseen[first]), left + column, stride)
            column += 1
        else:
            for second in range(first):
                rank_runout(field, holding, pm_hand_add(e, board, unseen[second]),
                            card_bit(unseen[first]) | card_bit(unseen[second]), left + column, stride)
                column += 1

    for k in range(<Py_ssize_t> size * stride):
        right[k] = <int8_t> PM_ROW_HIGHEST if left[k] == PM_ROW_LOWEST else left[k]

    block = 0
    while block < size:
        end = min(block + ROWS_AT_ONCE, size)
        for i in range(end - 1):
            start = max(block, i + 1)
            k = row_start(size, i) + start - i - 1
            kernels().compare_rows(left + <Py_ssize_t> i * stride, right + <Py_ssize_t> start * stride, stride,
                                   end - start, pairs.win + k, pairs.tie + k)
        block = end
    free(memory)
    for k in range(entries):
        pairs.lose[k] = <uint16_t> (pairs.runouts - pairs.win[k] - pairs.tie[k])
    clear_overlaps(pairs, field)
    return 0


cdef void pairs_cells(const Pairs *pairs, const Field *field, const double *weights, double *columns) noexcept nogil:
    """The nine cells of every position against `weights`, as nine columns (9, size), [now][later]."""
    cdef int size = field.size
    cdef int i, end, after
    cdef Py_ssize_t k
    cdef double hero[3]
    cdef pm_add_pairs add_pairs = kernels().add_pairs
    memset(columns, 0, 9 * size * sizeof(double))
    for i in range(size):
        end = field.group_end[i]
        after = i + 1
        k = row_start(size, i)
        memset(hero, 0, sizeof(hero))
        add_pairs(pairs.win + k, pairs.tie + k, pairs.lose + k, weights + after, weights[i], end - after, hero,
                  columns + 3 * size + after, columns + 4 * size + after, columns + 5 * size + after)
        columns[3 * size + i] += hero[0]
        columns[4 * size + i] += hero[1]
        columns[5 * size + i] += hero[2]
        k += end - after
        memset(hero, 0, sizeof(hero))
        # the later positions are stronger: ahead of this one, which is what they hold behind them
        add_pairs(pairs.win + k, pairs.tie + k, pairs.lose + k, weights + end, weights[i], size - end, hero,
                  columns + end, columns + size + end, columns + 2 * size + end)
        columns[6 * size + i] += hero[0]
        columns[7 * size + i] += hero[1]
        columns[8 * size + i] += hero[2]


cdef void pairs_one(
    const Pairs *pairs, const Field *field, int hero, const double *weights, double *cells
) noexcept nogil:
    """The nine cells of one position, from its entries of the pair counts."""
    cdef int other, now
    cdef Py_ssize_t k
    memset(cells, 0, 9 * sizeof(double))
    for other in range(field.size):
        if other == hero:
            continue
        now = TIED
        if field.rank[other] < field.rank[hero]:
            now = AHEAD
        elif field.rank[other] > field.rank[hero]:
            now = BEHIND
        if hero < other:
            k = row_start(field.size, hero) + other - hero - 1
            cells[3 * now + AHEAD] += weights[other] * pairs.win[k]
            cells[3 * now + BEHIND] += weights[other] * pairs.lose[k]
        else:
            k = row_start(field.size, other) + hero - other - 1
            cells[3 * now + AHEAD] += weights[other] * pairs.lose[k]
            cells[3 * now + BEHIND] += weights[other] * pairs.win[k]
        cells[3 * now + TIED] += weights[other] * pairs.tie[k]


cdef inline int outcome_of(unsigned other, unsigned hero) noexcept nogil:
    return AHEAD if other < hero else TIED if other == hero else BEHIND


# Runouts by outcome for each of the 91 pairs of ranks an opponent may hold, flushes left out of account: all
# runouts, and those that bring a given card.
cdef struct Outcomes:
    int total[91][3]
    int bringing[52][91][3]
    signed char own[52][52]     # of the pair of ranks of two cards, when just these two come; -1 for none


cdef void runouts_one(const Field *field, int hero, int lookahead, const double *weights, double *cells) noexcept nogil:
    """The nine cells of one position, by going through its runouts: cheaper than the pairs of all positions when
    only one is asked for.

    On one board an opponent's rank depends on his two ranks alone, unless he has a flush. So the runouts are
    counted for each pair of ranks; an opponent's own count leaves out the runouts that bring one of his cards,
    and is mended where he has a flush.
    """
    cdef const pm_evaluator *e = tables()
    cdef uint64_t own = card_bit(field.high[hero]) | card_bit(field.low[hero])
    cdef uint64_t taken
    cdef Outcomes outcomes
    cdef signed char outcome[91]
    cdef int mended[1326][3]
    cdef int opponent[1326]
    cdef int16_t with_cards[3][4][1326]     # opponents with at least 0, 1, 2 cards of a suit
    cdef int n_with[3][4]
    cdef int in_suit
    cdef uint64_t rank_key[13]
    cdef int count[13]          # ranks on the board
    cdef int unseen[52]
    cdef int n = 0
    cdef int cards = 0
    cdef int k, first, second, now, suit, flush_suit, on_board, pair, high, low, position, extra
    cdef unsigned hero_rank
    cdef pm_hand hero_hand = pm_hand_join(e.card[field.high[hero]], e.card[field.low[hero]])
    cdef pm_hand board, hand
    memset(&outcomes, 0, sizeof(Outcomes))
    memset(outcomes.own, -1, sizeof(outcomes.own))
    memset(mended, 0, sizeof(mended))
    memset(n_with, 0, sizeof(n_with))
    memset(count, 0, sizeof(count))
    for first in range(13):
        rank_key[first] = <uint32_t> e.card[4 * first].key
    for first in range(52):
        if not (field.dead | own) & card_bit(first):
            unseen[cards] = first
            cards += 1
    for k in range(field.board_cards):
        count[field.card[k] >> 2] += 1
    for position in range(field.size):
        if not own & (card_bit(field.high[position]) | card_bit(field.low[position])):
            opponent[n] = position
            for suit in range(4):
                in_suit = ((field.high[position] & 3) == suit) + ((field.low[position] & 3) == suit)
                for k in range(in_suit + 1):
                    with_cards[k][suit][n_with[k][suit]] = <int16_t> n
                    n_with[k][suit] += 1
            n += 1

    for first in range(cards):
        count[unseen[first] >> 2] += 1
        for second in range(first if lookahead == 2 else 1):
            board = pm_hand_add(e, field.board, unseen[first])
            taken = card_bit(unseen[first])
            if lookahead == 2:
                board = pm_hand_add(e, board, unseen[second])
                taken |= card_bit(unseen[second])
                count[unseen[second] >> 2] += 1
            hero_rank = pm_hand_rank(e, pm_hand_join(board, hero_hand))
            pair = 0
            for high in range(13):
                for low in range(high + 1):
                    # nobody holds what would make five cards of one rank, and the hash does not know it
                    extra = 1 if high == low else 0
                    if count[high] + extra > 3 or count[low] > 3:
                        outcome[pair] = -1
                    else:
                        hand.key = board.key + rank_key[high] + rank_key[low]
                        now = outcome_of(pm_hand_rank_no_flush(e, hand), hero_rank)
                        outcome[pair] = <signed char> now
                        outcomes.total[pair][now] += 1
                        outcomes.bringing[unseen[first]][pair][now] += 1
                        if lookahead == 2:
                            outcomes.bringing[unseen[second]][pair][now] += 1
                    pair += 1
            if lookahead == 2:
                high = unseen[first] >> 2
                low = unseen[second] >> 2
                outcomes.own[unseen[first]][unseen[second]] = outcome[high * (high + 1) // 2 + low]
                count[low] -= 1
            flush_suit = -1
            on_board = 0
            for suit in range(4):
                k = <int> (board.key >> (32 + 4 * suit)) & 15
                if k >= 6:              # the counters start at 3
                    flush_suit = suit
                    on_board = k - 3
            if flush_suit < 0:
                continue
            for position in range(n_with[5 - on_board][flush_suit]):
                k = with_cards[5 - on_board][flush_suit][position]
                high = field.high[opponent[k]]
                low = field.low[opponent[k]]
                if taken & (card_bit(high) | card_bit(low)):
                    continue
                hand = pm_hand_add(e, pm_hand_add(e, board, high), low)
                high >>= 2
                low >>= 2
                mended[k][outcome[high * (high + 1) // 2 + low]] -= 1
                mended[k][outcome_of(pm_hand_rank(e, hand), hero_rank)] += 1
        count[unseen[first] >> 2] -= 1

    memset(cells, 0, 9 * sizeof(double))
    for k in range(n):
        high = field.high[opponent[k]]
        low = field.low[opponent[k]]
        pair = (high >> 2) * ((high >> 2) + 1) // 2 + (low >> 2)
        now = outcome_of(field.rank[opponent[k]], field.rank[hero])
        for first in range(3):
            second = (outcomes.total[pair][first] - outcomes.bringing[high][pair][first]
                      - outcomes.bringing[low][pair][first] + mended[k][first])
            if outcomes.own[high][low] == first:
                second += 1     # taken off with each of his cards
            cells[3 * now + first] += weights[opponent[k]] * second


# --------------------------------------------------------------------------------------- crude potential

cdef inline int rank_category_of_few(const int *count) noexcept nogil:
    """Category of fewer than five cards, by their ranks alone."""
    cdef int rank
    cdef int pairs = 0
    cdef int trips = 0
    cdef int quads = 0
    for rank in range(13):
        pairs += count[rank] == 2
        trips += count[rank] == 3
        quads += count[rank] == 4
    if quads:
        return 7
    if trips:
        return 3
    return 2 if pairs > 1 else pairs


cdef inline bint has_straight(unsigned mask) noexcept nogil:
    cdef unsigned low_ace = (mask << 1) | ((mask >> 12) & 1)
    return (low_ace & (low_ace >> 1) & (low_ace >> 2) & (low_ace >> 3) & (low_ace >> 4)) != 0


cdef double out_value(
    int high, int low, int card, int category_now, int category_then, int board_now, int board_then,
    const int *board, int board_cards
) noexcept nogil:
    """What one card to come is worth as an out (the rule of `outs_potential`)."""
    cdef int suit_count[4]
    cdef int own_ranks = (1 << (high >> 2)) | (1 << (low >> 2))
    cdef unsigned ranks
    cdef int k, suit, higher, in_suit, flush_rank
    cdef double pair_value
    if category_then <= category_now or (category_then == board_then and category_then >= 4):
        return 0.0
    if category_then == 5 or category_then == 8:
        memset(suit_count, 0, sizeof(suit_count))
        for k in range(board_cards):
            suit_count[board[k] & 3] += 1
        suit_count[card & 3] += 1
        suit_count[high & 3] += 1
        suit_count[low & 3] += 1
        suit = 0
        for k in range(4):
            if suit_count[k] >= 5:
                suit = k
        in_suit = ((high & 3) == suit) + ((low & 3) == suit)
        if in_suit == 2:
            return 1.0
        flush_rank = high >> 2 if (high & 3) == suit else low >> 2
        return 0.5 + 0.5 * flush_rank / 12.0
    if category_then == 4:
        ranks = 1 << (card >> 2)
        for k in range(board_cards):
            ranks |= 1 << (board[k] >> 2)
        if has_straight(ranks | (1 << (high >> 2))) or has_straight(ranks | (1 << (low >> 2))):
            return 0.75
        return 0.95
    if category_then == 6 or category_then == 7:
        return 0.65
    if category_then == 3:
        return 1.0 if board_then < 3 else 0.0
    if not own_ranks & (1 << (card >> 2)):
        return 0.0
    higher = 0
    for k in range(board_cards):
        higher += board[k] >> 2 > card >> 2
    pair_value = 0.8 if higher == 0 else 0.7 if higher == 1 else 0.6
    if category_then == 2 and not (category_now == 1 and board_now == 1):
        return 0.8
    return pair_value


cdef void outs(const int *board, int board_cards, uint64_t dead, double *potential) noexcept nogil:
    """Crude potential of every holding, by holding index; `dead` holds the board's cards too."""
    cdef const pm_evaluator *e = tables()
    cdef pm_hand on_board = pm_hand_empty()
    cdef pm_hand hand
    cdef int count[13]
    cdef int board_then[52]
    cdef int k, card, high, low, board_now, category_now
    cdef int unseen = -2        # without the holding's own two cards
    cdef double total
    memset(count, 0, sizeof(count))
    for k in range(board_cards):
        on_board = pm_hand_add(e, on_board, board[k])
        count[board[k] >> 2] += 1
    board_now = rank_category_of_few(count)
    for card in range(52):
        if dead & card_bit(card):
            continue
        unseen += 1
        if board_cards == 3:
            count[card >> 2] += 1
            board_then[card] = rank_category_of_few(count)
            count[card >> 2] -= 1
        else:
            board_then[card] = pm_rank_category(pm_hand_rank(e, pm_hand_add(e, on_board, card)))
    for high in range(52):
        for low in range(high):
            if dead & (card_bit(high) | card_bit(low)):
                continue
            hand = pm_hand_add(e, pm_hand_add(e, on_board, high), low)
            category_now = pm_rank_category(pm_hand_rank(e, hand))
            total = 0.0
            for card in range(52):
                if dead & card_bit(card) or card == high or card == low:
                    continue
                total += out_value(high, low, card, category_now,
                                   pm_rank_category(pm_hand_rank(e, pm_hand_add(e, hand, card))),
                                   board_now, board_then[card], board, board_cards)
            potential[pm_holding(high, low)] = total / unseen


# --------------------------------------------------------------------------------------------- for Python

cdef uint64_t read_cards(cards, int *into, int limit, uint64_t seen) except? 0:
    """Card indices into a C array; returns `seen` with their bits."""
    cdef int n = 0
    cdef long card
    for item in cards:
        card = PyLong_AsLong(item)
        if card < 0 or card >= 52:
            raise ValueError(f"card index {card} is out of range: expected 0..51")
        if seen & card_bit(<int> card):
            raise ValueError(f"duplicate card: index {card} occurs twice")
        if n >= limit:
            raise ValueError(f"too many cards: at most {limit}")
        seen |= card_bit(<int> card)
        into[n] = <int> card
        n += 1
    return seen


@final
cdef class Analysis:
    """What can be known of a board before any weights are: see `pokermodel.evaluation.BoardAnalysis`.

    Parameters
    ----------
    board : sequence of int
        Three to five card indices.
    dead : sequence of int
        Further cards that no holding contains and no runout brings.
    """

    cdef Field field
    cdef Pairs pairs[3]     # by cards to come; filled when first asked for
    cdef int position[1326]  # of a holding, or -1
    cdef int board[5]

    def __cinit__(self, board, dead=()):
        cdef int cards[52]
        cdef int k
        cdef int n = len(board)
        cdef uint64_t on_board
        memset(self.pairs, 0, sizeof(self.pairs))
        if n < 3 or n > 5:
            raise ValueError(f"a board to analyse has 3 to 5 cards, got {n}")
        on_board = read_cards(board, self.board, 5, 0)
        if len(dead) > 52 - n - 4:
            raise ValueError(f"{len(dead)} dead cards leave fewer than two holdings")
        dead_bits = read_cards(dead, cards, 52, on_board) if len(dead) else on_board
        field_init(&self.field, self.board, n, dead_bits)
        for k in range(1326):
            self.position[k] = -1
        for k in range(self.field.size):
            self.position[self.field.holding[k]] = k

    def __dealloc__(self):
        pairs_free(&self.pairs[1])
        pairs_free(&self.pairs[2])

    cdef int prepare(self, int lookahead) except -1:
        """Have the pair counts for this many cards to come."""
        cdef Pairs fresh
        cdef bint ready
        cdef int status
        if lookahead < 1 or lookahead > 5 - self.field.board_cards:
            raise ValueError(
                f"lookahead must be 1..{5 - self.field.board_cards} on a board of {self.field.board_cards} cards, "
                f"got {lookahead}"
            )
        with critical_section(self):
            ready = self.pairs[lookahead].win != NULL
        if not ready:
            memset(&fresh, 0, sizeof(Pairs))
            with nogil:
                status = pairs_init(&fresh, &self.field, lookahead)
            if status:
                raise MemoryError("no memory for the pair counts of a board")
            with critical_section(self):
                ready = self.pairs[lookahead].win != NULL   # another thread may have been faster
                if not ready:
                    self.pairs[lookahead] = fresh
            if ready:
                pairs_free(&fresh)
        return 0

    cdef int load(self, const double[::1] weights, double *by_position) except -1:
        cdef int k
        if weights.shape[0] != PM_HOLDINGS:
            raise ValueError(f"weights must have shape (1326,), got ({weights.shape[0]},)")
        for k in range(self.field.size):
            by_position[k] = weights[self.field.holding[k]]
        return 0

    def strength(self, const double[::1] weights, double[:, ::1] out):
        """Weight ahead, tied, behind for every live holding, into `out` (1326, 3); other rows are left alone."""
        cdef double by_position[1326]
        cdef double cells[3 * 1326]
        cdef int k, c
        if out.shape[0] != PM_HOLDINGS or out.shape[1] != 3:
            raise ValueError(f"out must have shape (1326, 3), got ({out.shape[0]}, {out.shape[1]})")
        self.load(weights, by_position)
        with nogil:
            field_strength(&self.field, by_position, cells)
            for k in range(self.field.size):
                for c in range(3):
                    out[self.field.holding[k], c] = cells[3 * k + c]

    def cells(self, const double[::1] weights, int lookahead, double[:, ::1] out):
        """The nine cells of every live holding, into `out` (1326, 9); other rows are left alone.

        A holding against which all weights are zero gets zeros.
        """
        cdef double by_position[1326]
        cdef double *columns
        cdef int k, c
        if out.shape[0] != PM_HOLDINGS or out.shape[1] != 9:
            raise ValueError(f"out must have shape (1326, 9), got ({out.shape[0]}, {out.shape[1]})")
        self.load(weights, by_position)
        self.prepare(lookahead)
        columns = <double *> malloc(9 * (self.field.size + 1) * sizeof(double))
        if not columns:
            raise MemoryError("no memory for the cells of a board")
        with nogil:
            pairs_cells(&self.pairs[lookahead], &self.field, by_position, columns)
            for k in range(self.field.size):
                for c in range(9):
                    out[self.field.holding[k], c] = columns[c * self.field.size + k]
            free(columns)

    def holding_cells(self, int holding, const double[::1] weights, int lookahead, double[::1] out):
        """The nine cells of one live holding, into `out` (9,)."""
        cdef double by_position[1326]
        cdef bint ready
        cdef int hero
        if holding < 0 or holding >= PM_HOLDINGS or self.position[holding] < 0:
            raise ValueError(f"holding {holding} shares a card with the board or the dead cards")
        if out.shape[0] != 9:
            raise ValueError(f"out must have shape (9,), got ({out.shape[0]},)")
        if lookahead < 1 or lookahead > 5 - self.field.board_cards:
            raise ValueError(f"lookahead must be 1..{5 - self.field.board_cards}, got {lookahead}")
        self.load(weights, by_position)
        hero = self.position[holding]
        # asked before the lock goes: another thread may be storing the counts just then
        with critical_section(self):
            ready = self.pairs[lookahead].win != NULL
        with nogil:
            if ready:
                pairs_one(&self.pairs[lookahead], &self.field, hero, by_position, &out[0])
            else:
                runouts_one(&self.field, hero, lookahead, by_position, &out[0])

    def outs(self, double[::1] out):
        """Crude potential of every live holding, into `out` (1326,); other entries are left alone."""
        if out.shape[0] != PM_HOLDINGS:
            raise ValueError(f"out must have shape (1326,), got ({out.shape[0]},)")
        if self.field.board_cards == 5:
            raise ValueError("there is no potential on the river: expected a board of 3 or 4 cards")
        with nogil:
            outs(self.board, self.field.board_cards, self.field.dead, &out[0])
