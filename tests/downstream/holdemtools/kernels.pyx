"""The evaluator, whole ranges, weighted deals and a policy for play-outs, from another package's Cython."""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_New, PyCapsule_SetContext
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from pokermodel._core.abi cimport require_abi
from pokermodel._core.dealing cimport dealing_of, pm_deal, pm_deal_next, pm_dealer, pm_dealer_init, pm_dealing
from pokermodel._core.evaluator cimport pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
from pokermodel._core.playout cimport pm_against, pm_turn, pm_turn_worth
from pokermodel._core.rng cimport pm_random, pm_random_seed
from pokermodel._core.rules cimport PM_CALL, PM_FOLD, PM_RAISE
from pokermodel._core.simd cimport kernels
from pokermodel._core.strength cimport (
    pm_counts,
    pm_counts_cells,
    pm_counts_free,
    pm_counts_init,
    pm_field,
    pm_field_init,
    pm_field_strength,
    pm_potentials,
    pm_strength,
)

require_abi()

cdef extern from *:
    """
    #ifdef __cplusplus
    #define HOLDEMTOOLS_LANGUAGE "c++"
    #else
    #define HOLDEMTOOLS_LANGUAGE "c"
    #endif
    """
    const char *HOLDEMTOOLS_LANGUAGE

LANGUAGE = HOLDEMTOOLS_LANGUAGE.decode()


# ------------------------------------------------------------------------------------------------- the evaluator

cdef void rank_rows(const uint8_t *cards, Py_ssize_t n, int width, int32_t *ranks) noexcept nogil:
    cdef const pm_evaluator *e = tables()
    cdef pm_hand hand
    cdef Py_ssize_t row
    cdef int k
    for row in range(n):
        hand = pm_hand_empty()
        for k in range(width):
            hand = pm_hand_add(e, hand, cards[row * width + k])
        ranks[row] = <int32_t> pm_hand_rank(e, hand)


def rank_many(const uint8_t[:, ::1] cards, int32_t[::1] ranks):
    """Ranks of hands of 5 to 7 different cards, a row each."""
    if not 5 <= cards.shape[1] <= 7 or ranks.shape[0] != cards.shape[0]:
        raise ValueError("expected cards (n, 5..7) and ranks (n,)")
    if cards.shape[0]:
        with nogil:
            rank_rows(&cards[0, 0], cards.shape[0], <int> cards.shape[1], &ranks[0])


def best_cards(cards):
    """The further cards with which these four to six make the best hand."""
    cdef const pm_evaluator *e = tables()
    cdef pm_hand hand = pm_hand_empty()
    cdef unsigned rank, highest = 0
    cdef int card
    best = []
    for card in cards:
        hand = pm_hand_add(e, hand, card)
    for card in range(52):
        if card not in cards:
            rank = pm_hand_rank(e, pm_hand_add(e, hand, card))
            if rank > highest:
                highest = rank
                best = []
            if rank == highest:
                best.append(card)
    return best


# -------------------------------------------------------------------------------------------------- whole ranges

cdef int read_field(pm_field *field, board) except -1:
    cdef int cards[5]
    cdef int k
    if not 3 <= len(board) <= 5:
        raise ValueError(f"a board has 3 to 5 cards, got {len(board)}")
    for k in range(len(board)):
        cards[k] = board[k]
    pm_field_init(tables(), field, cards, <int> len(board), 0)
    return 0


def strengths(board, const double[::1] weights, double[::1] out):
    """Hand strength of every holding against weights (1326,); entries of impossible holdings are left alone."""
    cdef pm_field field
    cdef double by_position[1326]
    cdef double cells[3 * 1326]
    cdef int k
    read_field(&field, board)
    if weights.shape[0] != 1326 or out.shape[0] != 1326:
        raise ValueError("expected arrays of 1,326")
    with nogil:
        memset(by_position, 0, sizeof(by_position))
        for k in range(field.size):
            by_position[k] = weights[field.holding[k]]
        pm_field_strength(&field, by_position, cells)
        for k in range(field.size):
            out[field.holding[k]] = pm_strength(cells + 3 * k)


def potentials(board, const double[::1] weights, int lookahead, double[:, ::1] out, int passes=1):
    """PPOT and NPOT of every holding, into `out` (2, 1326); entries of impossible holdings are left alone."""
    cdef pm_field field
    cdef pm_counts counts
    cdef double *columns
    cdef double cells[9]
    cdef int k, c, status
    read_field(&field, board)
    if not 1 <= lookahead <= 5 - len(board):
        raise ValueError(f"{lookahead} cards to come are too few or too many")
    if weights.shape[0] != 1326 or out.shape[0] != 2 or out.shape[1] != 1326:
        raise ValueError("expected weights (1326,) and out (2, 1326)")
    columns = <double *> malloc(10 * 1326 * sizeof(double))
    if columns is NULL:
        raise MemoryError
    with nogil:
        status = pm_counts_init(tables(), &field, lookahead, kernels().compare_rows, &counts)
        if status == 0:
            for k in range(field.size):
                columns[9 * 1326 + k] = weights[field.holding[counts.position[k]]]
            for k in range(passes):
                pm_counts_cells(
                    &field, &counts, columns + 9 * 1326, kernels().add_pairs, kernels().sum_pairs, columns
                )
            for k in range(field.size):
                for c in range(9):
                    cells[c] = columns[c * field.size + k]
                c = field.holding[counts.position[k]]
                pm_potentials(cells, &out[0, c], &out[1, c])
            pm_counts_free(&counts)
        free(columns)
    if status:
        raise MemoryError


# ------------------------------------------------------------------------------------------------ weighted deals

def deal(deals, const uint64_t[::1] words, uint16_t[:, ::1] holdings, double[::1] weights):
    """Deal by a `pokermodel._core.dealing.Deals`: indices of the holdings (n, players), and what each deal counts."""
    cdef const pm_dealing *dealing = dealing_of(deals)
    cdef Py_ssize_t n = weights.shape[0]
    cdef Py_ssize_t row
    cdef pm_random random
    cdef pm_dealer dealer
    cdef pm_deal found
    cdef bint dealt = True
    cdef int player, high, low
    if words.shape[0] != 4 or holdings.shape[0] != n or holdings.shape[1] != dealing.players:
        raise ValueError(f"expected 4 words, holdings ({n}, {dealing.players}) and weights ({n},)")
    pm_random_seed(&random, &words[0])
    with nogil:
        pm_dealer_init(&dealer, dealing)
        for row in range(n):
            dealt = pm_deal_next(dealing, &random, &dealer, &found)
            if not dealt:
                break
            for player in range(dealing.players):
                high, low = found.holding[player] >> 8, found.holding[player] & 255
                holdings[row, player] = <uint16_t> (high * (high - 1) // 2 + low)
            weights[row] = found.weight
    if not dealt:
        raise ValueError("the tables hardly admit a deal")


# ----------------------------------------------------------------------------------------- a policy for play-outs

cdef struct Thresholds:
    double to_raise
    double to_call


cdef int act(const pm_turn *turn, void *context) noexcept nogil:
    """Raise with a high hand strength, call with a middling one, fold the rest."""
    cdef const Thresholds *thresholds = <const Thresholds *> context
    cdef double strength = 0
    cdef double ppot = 0
    cdef double npot = 0
    if pm_turn_worth(turn, &strength, &ppot, &npot):
        return -1
    strength = pm_against(strength, turn.opponents)
    if strength >= thresholds.to_raise:
        return PM_RAISE
    return PM_CALL if strength >= thresholds.to_call else PM_FOLD


cdef void forget(object capsule) noexcept:
    free(PyCapsule_GetContext(capsule))


def threshold_policy(double to_raise, double to_call):
    """A policy for `pokermodel.Simulator`: by hand strength against all opponents."""
    cdef Thresholds *thresholds = <Thresholds *> malloc(sizeof(Thresholds))
    if thresholds is NULL:
        raise MemoryError
    thresholds.to_raise, thresholds.to_call = to_raise, to_call
    capsule = PyCapsule_New(<void *> act, b"pokermodel.policy", forget)
    PyCapsule_SetContext(capsule, thresholds)
    return capsule
