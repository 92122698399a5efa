"""Rank of hands of five to seven cards: 1..7462, stronger hands higher.

The C functions are in ``pokermodel/evaluation/evaluator.h``; this module owns their tables, filled once at import.
"""

from libc.stdint cimport uint16_t, uint64_t

from pokermodel._core.cards cimport refuse_row, take_card
from pokermodel._core.simd cimport kernels


cdef extern from "pokermodel/evaluation/evaluator_tables.h" nogil:
    void pm_evaluator_init(pm_evaluator *e) noexcept


cdef pm_evaluator TABLES
pm_evaluator_init(&TABLES)


cdef const pm_evaluator *tables() noexcept nogil:
    return &TABLES


def evaluate(cards):
    """Rank of one hand.

    Parameters
    ----------
    cards : list or tuple of int
        Five to seven different card indices.

    Returns
    -------
    int
        1 (seven high) to 7462 (royal flush).

    Raises
    ------
    TypeError
        If it is not a list or tuple of integers.
    ValueError
        If there are not 5 to 7 cards, one is out of range, or one occurs twice.
    """
    cdef pm_hand hand = pm_hand_empty()
    cdef uint64_t seen = 0
    cdef Py_ssize_t n
    if type(cards) is tuple:
        n = len(<tuple> cards)
    elif type(cards) is list:
        n = len(<list> cards)
    else:
        raise TypeError(f"cards must be a list or tuple of int, got {type(cards).__name__}")
    if n < 5 or n > 7:
        raise ValueError(f"a hand to evaluate has 5 to 7 cards, got {n}")
    for item in cards:
        hand = pm_hand_add(&TABLES, hand, take_card(item, &seen, ""))
    return pm_hand_rank(&TABLES, hand)


def evaluate_many(const unsigned char[:, ::1] cards, uint16_t[::1] ranks):
    """Rank the rows of `cards` (n, 5..7) into `ranks` (n,).

    Raises
    ------
    ValueError
        If the shapes do not fit, or a row has an index above 51 or a card twice; the message names the row.
    """
    cdef Py_ssize_t n = cards.shape[0]
    cdef Py_ssize_t bad = -1
    cdef int width = <int> cards.shape[1]
    if width < 5 or width > 7:
        raise ValueError(f"a hand to evaluate has 5 to 7 cards, got {width}")
    if ranks.shape[0] != n:
        raise ValueError(f"{n} hands need as many ranks, got room for {ranks.shape[0]}")
    if n:
        with nogil:
            bad = kernels().rank_rows(&TABLES, &cards[0, 0], width, n, &ranks[0])
    if bad >= 0:
        refuse_row(bad, &cards[bad, 0], width)


cdef void count_from(pm_hand hand, int first, int left, uint64_t *counts) noexcept nogil:
    cdef int card
    if left == 1:
        for card in range(first, 52):
            counts[pm_hand_rank(&TABLES, pm_hand_add(&TABLES, hand, card))] += 1
        return
    for card in range(first, 52 - left + 1):
        count_from(pm_hand_add(&TABLES, hand, card), card + 1, left - 1, counts)


def count_ranks(int cards, uint64_t[::1] counts):
    """Count how often each rank occurs among all hands of `cards` cards, into `counts` (7463,) by rank.

    Raises
    ------
    ValueError
        If `cards` is not 5 to 7 or `counts` has another length.
    """
    if cards < 5 or cards > 7:
        raise ValueError(f"a hand to evaluate has 5 to 7 cards, got {cards}")
    if counts.shape[0] != PM_RANKS + 1:
        raise ValueError(f"counts must have length {PM_RANKS + 1}, got {counts.shape[0]}")
    counts[:] = 0
    with nogil:
        count_from(pm_hand_empty(), 0, cards, &counts[0])


def category(unsigned rank):
    """Category of a rank: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush,
    6 full house, 7 four of a kind, 8 straight flush.

    Raises
    ------
    ValueError
        If the rank is not 1..7462.
    """
    if rank < 1 or rank > PM_RANKS:
        raise ValueError(f"rank {rank} is out of range: expected 1..{PM_RANKS}")
    return pm_rank_category(rank)
