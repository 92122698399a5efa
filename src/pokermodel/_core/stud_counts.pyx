"""Exact counts for five-card stud, over all sets of cards that can be dealt.

How states of a hand's cards go together (`card_tables`), and the probability of winning without types
(`win_by_cards`). Pairs of sets that share no card are counted by inclusion and exclusion over what they may share.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport (
    PM_RANKS, pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
)
from pokermodel._core.hand_types cimport PM_STATES, Types, pm_hand_state, pm_type_scheme


# -------------------------------------------------------------------------------------------------- sets of cards

cdef uint64_t CHOOSE[53][6]


cdef void choose_init() noexcept:
    cdef int n, k
    for n in range(53):
        CHOOSE[n][0] = 1
        for k in range(1, 6):
            CHOOSE[n][k] = 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


choose_init()


cdef inline size_t place(const uint8_t *cards, int n) noexcept nogil:
    """The place of a set of cards, given in ascending order, among all sets of its size."""
    cdef size_t at = 0
    cdef int k
    for k in range(n):
        at += CHOOSE[cards[k]][k + 1]
    return at


cdef inline bint next_set(uint8_t *chosen, int n, int size) noexcept nogil:
    """Turn a set of `n` of the numbers 0..size-1, in ascending order, into the next one; false after the last."""
    cdef int k = 0
    cdef int j
    while k < n and chosen[k] + 1 == (chosen[k + 1] if k + 1 < n else size):
        k += 1
    if k == n:
        return False
    chosen[k] += 1
    for j in range(k):
        chosen[j] = <uint8_t> j
    return True


cdef inline void pick(const uint8_t *deck, const uint8_t *chosen, int n, uint8_t *cards) noexcept nogil:
    """The cards of a deck at the chosen places."""
    cdef int k
    for k in range(n):
        cards[k] = deck[chosen[k]]


cdef inline void part_of(const uint8_t *cards, int n, int mask, uint8_t *out) noexcept nogil:
    """The cards whose bits are set."""
    cdef int k
    cdef int m = 0
    for k in range(n):
        if mask >> k & 1:
            out[m] = cards[k]
            m += 1


cdef int BITS[32]
for _mask in range(32):
    BITS[_mask] = bin(_mask).count("1")


# ------------------------------------------------------------------------------------------------- tables of states

cdef int count_tables(
    const pm_type_scheme *scheme, int types, const uint8_t *deck, int size,
    int64_t *current, int64_t *upcards, int64_t *pairs
) noexcept nogil:
    """Fill the arrays of `card_tables`; -1 if there is no memory."""
    cdef const pm_evaluator *e = tables()
    cdef uint8_t *states[5]
    cdef uint16_t *holding[5]
    cdef int64_t singles[52][32]
    cdef int64_t finals[32]
    cdef uint8_t chosen[16]
    cdef uint8_t cards[5]
    cdef uint8_t some[5]
    cdef size_t at
    cdef size_t most
    cdef int64_t sign, product
    cdef int n, mask, k, i, j, ending, status
    cdef bint more
    status = 0
    for n in range(5):
        states[n] = NULL
        holding[n] = NULL
    for n in range(1, 5):
        states[n] = <uint8_t *> calloc(CHOOSE[52][n], 1)
        holding[n] = <uint16_t *> calloc(CHOOSE[52][n] * <size_t> types, sizeof(uint16_t))
        if states[n] == NULL or holding[n] == NULL:
            status = -1
    if status == 0:
        for n in range(1, 5):
            for k in range(n):
                chosen[k] = <uint8_t> k
            more = True
            while more:
                pick(deck, chosen, n, cards)
                states[n][place(cards, n)] = <uint8_t> pm_hand_state(scheme, e, cards, n)
                more = next_set(chosen, n, size)
        for i in range(32):
            finals[i] = 0
            for k in range(52):
                singles[k][i] = 0
        for k in range(5):
            chosen[k] = <uint8_t> k
        more = True
        while more:
            pick(deck, chosen, 5, cards)
            ending = pm_hand_state(scheme, e, cards, 5)
            finals[ending] += 1
            for mask in range(1, 31):
                n = BITS[mask]
                part_of(cards, 5, mask, some)
                if n == 1:
                    singles[some[0]][ending] += 1
                    continue
                at = place(some, n)
                holding[n][at * <size_t> types + <size_t> ending] += 1
                if n == 4:
                    upcards[(3 * PM_STATES + ending) * PM_STATES + states[4][at]] += 1
            more = next_set(chosen, 5, size)
        for n in range(2, 5):
            for k in range(n):
                chosen[k] = <uint8_t> k
            more = True
            while more:
                pick(deck, chosen, n, cards)
                at = place(cards, n)
                k = states[n][at]
                for ending in range(types):
                    current[((n - 2) * PM_STATES + k) * PM_STATES + ending] += holding[n][at * <size_t> types + ending]
                for i in range(n):
                    part_of(cards, n, (1 << n) - 1 - (1 << i), some)
                    upcards[((n - 2) * PM_STATES + k) * PM_STATES + states[n - 1][place(some, n - 1)]] += 1
                more = next_set(chosen, n, size)
        for i in range(types):
            current[(3 * PM_STATES + i) * PM_STATES + i] = finals[i]
            for j in range(types):
                pairs[i * types + j] = finals[i] * finals[j] - (finals[i] if i == j else 0)
                for k in range(52):
                    pairs[i * types + j] -= singles[k][i] * singles[k][j]
        sign = 1
        for n in range(2, 5):
            most = CHOOSE[52][n]
            for at in range(most):
                for i in range(types):
                    product = sign * holding[n][at * <size_t> types + <size_t> i]
                    if product:
                        for j in range(types):
                            pairs[i * types + j] += product * holding[n][at * <size_t> types + <size_t> j]
            sign = -sign
    for n in range(1, 5):
        free(states[n])
        free(holding[n])
    return status


def card_tables(
    Types types, deck, int64_t[:, :, ::1] current, int64_t[:, :, ::1] upcards, int64_t[:, ::1] pairs
):
    """Count how states of a hand's cards go together, over all hands of five cards of a deck.

    Parameters
    ----------
    types : Types
    deck : sequence of int
        10 to 52 different cards, in ascending order.
    current : int64 (4, 36, 36)
        Filled with the number of pairs of a hand and a subset of it of 2, 3, 4 and 5 cards, by the subset's state and
        the hand's type.
    upcards : int64 (4, 36, 36)
        Filled with the number of pairs of a set of 2, 3, 4 and 5 cards and a card of it face down, by the state of the
        set and of the rest.
    pairs : int64 (types, types)
        Filled with the number of ordered pairs of hands without a common card, by their types.

    Raises
    ------
    ValueError
        If the deck is none of these, or an array has another shape.
    MemoryError
        If there is no memory for the counts of subsets.
    """
    cdef uint8_t cards[52]
    cdef uint64_t seen = 0
    cdef int size = take_cards(deck, cards, 10, 52, "a deck", &seen, "")
    cdef int k, status
    for k in range(1, size):
        if cards[k] < cards[k - 1]:
            raise ValueError("the deck must be in ascending order")
    if not (
        current.shape[0] == upcards.shape[0] == 4
        and current.shape[1] == current.shape[2] == upcards.shape[1] == upcards.shape[2] == PM_STATES
    ):
        raise ValueError(f"tables of states must have shape (4, {PM_STATES}, {PM_STATES})")
    if pairs.shape[0] != types.types or pairs.shape[1] != types.types:
        raise ValueError(f"the table of pairs must have shape ({types.types}, {types.types})")
    current[:] = 0
    upcards[:] = 0
    with nogil:
        status = count_tables(
            &types.c, types.types, cards, size, &current[0, 0, 0], &upcards[0, 0, 0], &pairs[0, 0])
    if status:
        raise MemoryError("no memory for the tables of a deck")


# -------------------------------------------------------------------------------------------------- without types

cdef int64_t doubled_wins(const uint16_t *a, const uint16_t *b, int n, int32_t *upto) noexcept nogil:
    """Twice the number of pairs in which the first is larger, plus the number of those that are equal."""
    cdef int64_t total = 0
    cdef int k, j
    if n <= 64:
        for k in range(n):
            for j in range(n):
                total += (a[k] > b[j]) + (a[k] >= b[j])
        return total
    for k in range(PM_RANKS + 1):
        upto[k] = 0
    for j in range(n):
        upto[b[j]] += 1
    for k in range(1, PM_RANKS + 1):
        upto[k] += upto[k - 1]
    for k in range(n):
        total += upto[a[k]] + upto[a[k] - 1]
    return total


cdef double share_of_wins(
    const pm_evaluator *e, pm_hand own, pm_hand other, const uint8_t *rest, int size, int missing, uint16_t *room
) noexcept nogil:
    """Share of wins, ties half, over all ways to complete both hands from the rest of the deck."""
    cdef int sets = <int> CHOOSE[size][missing]
    cdef uint16_t *ours = room
    cdef uint16_t *others = room + sets
    cdef uint16_t *some = others + sets
    cdef uint16_t *more_of_them = some + sets
    cdef int32_t upto[7463]
    cdef uint8_t chosen[16]
    cdef uint8_t shared[16]
    cdef uint8_t left[52]
    cdef uint8_t merged[4]
    cdef int64_t wins = 0
    cdef int64_t sign = 1
    cdef size_t at
    cdef int k, j, n, common
    cdef pm_hand one, two
    cdef bint more, again
    if missing == 0:
        k = <int> pm_hand_rank(e, own)
        j = <int> pm_hand_rank(e, other)
        return ((k > j) + (k >= j)) / 2.0
    for k in range(missing):
        chosen[k] = <uint8_t> k
    more = True
    while more:
        one = own
        two = other
        for k in range(missing):
            one = pm_hand_add(e, one, rest[chosen[k]])
            two = pm_hand_add(e, two, rest[chosen[k]])
        at = place(chosen, missing)
        ours[at] = <uint16_t> pm_hand_rank(e, one)
        others[at] = <uint16_t> pm_hand_rank(e, two)
        more = next_set(chosen, missing, size)
    for common in range(missing + 1):
        for k in range(common):
            shared[k] = <uint8_t> k
        more = True
        while more:
            n = 0
            for k in range(size):
                j = 0
                while j < common and shared[j] != k:
                    j += 1
                if j == common:
                    left[n] = <uint8_t> k
                    n += 1
            for k in range(missing - common):
                chosen[k] = <uint8_t> k
            n = 0
            again = True
            while again:
                merge(shared, common, left, chosen, missing - common, merged)
                at = place(merged, missing)
                some[n] = ours[at]
                more_of_them[n] = others[at]
                n += 1
                again = missing > common and next_set(chosen, missing - common, size - common)
            wins += sign * doubled_wins(some, more_of_them, n, upto)
            more = common > 0 and next_set(shared, common, size)
        sign = -sign
    return <double> wins / (2.0 * <double> (CHOOSE[size][missing] * CHOOSE[size - missing][missing]))


cdef inline void merge(
    const uint8_t *shared, int common, const uint8_t *left, const uint8_t *chosen, int others, uint8_t *out
) noexcept nogil:
    """Merge two ascending lists of places."""
    cdef int i = 0
    cdef int j = 0
    while i < common or j < others:
        if j == others or (i < common and shared[i] < left[chosen[j]]):
            out[i + j] = shared[i]
            i += 1
        else:
            out[i + j] = left[chosen[j]]
            j += 1


def win_by_cards(own, up, const double[::1] weights, deck):
    """Return the probability of winning, ties half, over everything that can still be dealt.

    Parameters
    ----------
    own : sequence of int
        The player's two to five cards.
    up : sequence of int
        The opponent's cards face up, one card fewer.
    weights : float64 (52,)
        How likely each card is the opponent's card face down, of any scale; cards that are seen do not count.
    deck : sequence of int
        All cards of the game.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there are too few cards, a card occurs twice, or the opponent can have no card face down.
    MemoryError
        If there is no memory for the ranks of completed hands.
    """
    cdef const pm_evaluator *e = tables()
    cdef uint8_t known[10]
    cdef uint8_t cards[52]
    cdef uint8_t rest[52]
    cdef int n = len(own)
    cdef uint64_t in_deck = 0
    cdef uint64_t seen = 0
    cdef int size = take_cards(deck, cards, 10, 52, "a deck", &in_deck, "")
    cdef double total = 0.0
    cdef double win = 0.0
    cdef pm_hand ours = pm_hand_empty()
    cdef pm_hand shown = pm_hand_empty()
    cdef uint16_t *room
    cdef int k, d, left
    if not 2 <= n <= 5 or len(up) != n - 1:
        raise ValueError(f"two to five cards and one fewer of the opponent are expected, got {n} and {len(up)}")
    take_cards([*own, *up], known, 2 * n - 1, 2 * n - 1, "a hand of two players", &seen, "")
    if weights.shape[0] != 52:
        raise ValueError(f"there must be a weight for each of 52 cards, got {weights.shape[0]}")
    for k in range(2 * n - 1):
        if k < n:
            ours = pm_hand_add(e, ours, known[k])
        else:
            shown = pm_hand_add(e, shown, known[k])
    room = <uint16_t *> calloc(4 * CHOOSE[52][5 - n] + 4, sizeof(uint16_t))
    if room == NULL:
        raise MemoryError("no memory for the ranks of completed hands")
    with nogil:
        for d in range(size):
            if seen >> cards[d] & 1 or not weights[cards[d]] > 0:
                continue
            left = 0
            for k in range(size):
                if k != d and not seen >> cards[k] & 1:
                    rest[left] = cards[k]
                    left += 1
            total += weights[cards[d]]
            win += weights[cards[d]] * share_of_wins(
                e, ours, pm_hand_add(e, shown, cards[d]), rest, left, 5 - n, room)
        free(room)
    if not total > 0:
        raise ValueError("the opponent can have no card face down")
    return win / total
