"""Loops of pokermodel's own modules, word for word but for their checks, as another package would compile them."""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_New, PyCapsule_SetContext
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from pokermodel._core.abi cimport require_abi
from pokermodel._core.dealing cimport PM_BOARD, dealing_of, pm_deal, pm_deal_next, pm_dealer, pm_dealer_init, pm_dealing
from pokermodel._core.evaluator cimport pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
from pokermodel._core.playout cimport pm_loki1, pm_play_call, pm_play_loki1
from pokermodel._core.rng cimport pm_random, pm_random_seed
from pokermodel._core.simd cimport kernels
from pokermodel._core.strength cimport (
    PM_HOLDINGS,
    pm_counts,
    pm_counts_cells,
    pm_counts_free,
    pm_counts_init,
    pm_field,
    pm_field_init,
)
from pokermodel._core.triples cimport PM_POT_ODDS, PM_SEMI_BLUFF, PM_SHOWDOWN_ODDS

require_abi()


cdef void count_from(const pm_evaluator *e, pm_hand hand, int first, int left, uint64_t *counts) noexcept nogil:
    cdef int card
    if left == 1:
        for card in range(first, 52):
            counts[pm_hand_rank(e, pm_hand_add(e, hand, card))] += 1
        return
    for card in range(first, 52 - left + 1):
        count_from(e, pm_hand_add(e, hand, card), card + 1, left - 1, counts)


def count_ranks(int cards, uint64_t[::1] counts):
    """As `pokermodel._core.evaluator.count_ranks`."""
    counts[:] = 0
    with nogil:
        count_from(tables(), pm_hand_empty(), 0, cards, &counts[0])


def deal(deals, const uint64_t[::1] words, uint8_t[:, :, ::1] holdings, uint8_t[:, ::1] boards, double[::1] weights):
    """As `pokermodel._core.dealing.Deals.deal`."""
    cdef const pm_dealing *dealing = dealing_of(deals)
    cdef Py_ssize_t row
    cdef pm_random random
    cdef pm_dealer dealer
    cdef pm_deal found
    cdef int player, k
    pm_random_seed(&random, &words[0])
    with nogil:
        pm_dealer_init(&dealer, dealing)
        for row in range(weights.shape[0]):
            if not pm_deal_next(dealing, &random, &dealer, &found):
                break
            for player in range(dealing.players):
                holdings[row, player, 0] = found.holding[player] >> 8
                holdings[row, player, 1] = found.holding[player] & 255
            for k in range(PM_BOARD):
                boards[row, k] = found.board[k]
            weights[row] = found.weight


def cells(board, int lookahead, const double[::1] weights, double[:, ::1] out):
    """As `pokermodel._core.strength.Analysis`, its `count` and its `cells`."""
    cdef pm_field field
    cdef pm_counts counts
    cdef int cards[5]
    cdef int n = <int> len(board)
    cdef int k, c
    cdef double *columns = <double *> malloc(10 * PM_HOLDINGS * sizeof(double))
    if columns is NULL:
        raise MemoryError
    for k in range(n):
        cards[k] = board[k]
    with nogil:
        pm_field_init(tables(), &field, cards, n, 0)
        if pm_counts_init(tables(), &field, lookahead, kernels().compare_rows, &counts) == 0:
            for k in range(field.size):
                columns[9 * PM_HOLDINGS + k] = weights[field.holding[counts.position[k]]]
            pm_counts_cells(
                &field, &counts, columns + 9 * PM_HOLDINGS, kernels().add_pairs, kernels().sum_pairs, columns
            )
            for k in range(field.size):
                for c in range(9):
                    out[field.holding[counts.position[k]], c] = columns[c * field.size + k]
            pm_counts_free(&counts)
    free(columns)


def call_policy():
    """As the policy "call"."""
    return PyCapsule_New(<void *> pm_play_call, b"pokermodel.policy", NULL)


cdef void forget(object capsule) noexcept:
    free(PyCapsule_GetContext(capsule))


def loki1_policy():
    """As the policy "loki1"."""
    cdef pm_loki1 *rules = <pm_loki1 *> malloc(sizeof(pm_loki1))
    if rules is NULL:
        raise MemoryError
    rules.make1, rules.make2 = 0.50, 0.85
    rules.features = PM_POT_ODDS | PM_SHOWDOWN_ODDS | PM_SEMI_BLUFF
    capsule = PyCapsule_New(<void *> pm_play_loki1, b"pokermodel.policy", forget)
    PyCapsule_SetContext(capsule, rules)
    return capsule
