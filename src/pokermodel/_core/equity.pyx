"""Showdowns of several players: deals at random, or every board when all holdings are known."""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from pokermodel._core.dealing cimport (
    PM_BOARD,
    PM_WEIGH,
    Deals,
    pm_deal,
    pm_deal_next,
    pm_dealing,
    pm_deck,
    pm_deck_init,
)
from pokermodel._core.evaluator cimport (
    pm_evaluator,
    pm_hand,
    pm_hand_add,
    pm_hand_empty,
    pm_hand_join,
    pm_hand_rank,
    tables,
)
from pokermodel._core.rng cimport pm_random, stream_init


cdef enum:
    DEALS_AT_ONCE = 32      # so that ranking them is not held up by what dealing could not foresee


cdef inline pm_hand add_holding(const pm_evaluator *e, pm_hand hand, uint16_t holding) noexcept nogil:
    return pm_hand_add(e, pm_hand_add(e, hand, holding >> 8), holding & 255)


cdef inline void tally_ranks(
    const uint16_t *rank, int stride, int players, double weight, Tally *tally
) noexcept nogil:
    """Count one showdown; each player's rank stands `stride` after that of the one before."""
    cdef unsigned best = 0
    cdef int winners = 0
    cdef int winner = 0
    cdef int player
    for player in range(players):
        best = rank[player * stride] if rank[player * stride] > best else best
    for player in range(players):
        winners += rank[player * stride] == best
        winner = player if rank[player * stride] == best else winner
    tally.showdowns += weight
    tally.squares += weight * weight
    if winners == 1:
        tally.won[winner][1] += weight
        tally.won_squares[winner][1] += weight * weight
        return
    for player in range(players):
        if rank[player * stride] == best:
            tally.won[player][winners] += weight
            tally.won_squares[player][winners] += weight * weight


cdef inline void tally_two(const uint16_t *first, const uint16_t *second, int n, Tally *tally) noexcept nogil:
    """Count showdowns of two players that all weigh the same."""
    cdef int won = 0
    cdef int tied = 0
    cdef int k
    for k in range(n):
        won += first[k] > second[k]
        tied += first[k] == second[k]
    tally.showdowns += n
    tally.squares += n
    tally.won[0][1] += won
    tally.won_squares[0][1] += won
    tally.won[1][1] += n - won - tied
    tally.won_squares[1][1] += n - won - tied
    for k in range(2):
        tally.won[k][2] += tied
        tally.won_squares[k][2] += tied


cdef inline void tally_showdown(
    const pm_evaluator *e, pm_hand board, const uint16_t *holdings, int players, double weight, Tally *tally
) noexcept nogil:
    cdef uint16_t[23] rank
    cdef int player
    for player in range(players):
        rank[player] = <uint16_t> pm_hand_rank(e, add_holding(e, board, holdings[player]))
    tally_ranks(rank, 1, players, weight, tally)


cdef void showdown(
    const pm_evaluator *e, pm_hand board, const uint16_t *holdings, int players, double weight, Tally *tally
) noexcept nogil:
    """Count one showdown on a whole board; holdings as they are dealt, two cards in 16 bits."""
    tally_showdown(e, board, holdings, players, weight, tally)


cdef bint tally_deals(const pm_dealing *dealing, pm_random *random, uint64_t trials, Tally *tally) noexcept nogil:
    """Deal and count; false if a deal failed."""
    cdef const pm_evaluator *e = tables()
    cdef int players = dealing.players
    cdef pm_random stream = random[0]   # a copy that nothing else can change stays in registers
    cdef pm_deck deck
    cdef pm_deal[DEALS_AT_ONCE] deals
    cdef pm_hand[DEALS_AT_ONCE] boards
    cdef uint16_t[23 * DEALS_AT_ONCE] ranks
    cdef pm_hand board = pm_hand_empty()
    cdef pm_hand known
    cdef uint64_t dealt = 0
    cdef int n, t, k, player
    pm_deck_init(&deck, dealing.taken)
    for k in range(dealing.board_cards):
        board = pm_hand_add(e, board, dealing.board[k])
    while dealt < trials:
        n = <int> min(<uint64_t> DEALS_AT_ONCE, trials - dealt)
        for t in range(n):
            if not pm_deal_next(dealing, &stream, &deck, &deals[t]):
                return False
        for t in range(n):
            boards[t] = board
            for k in range(dealing.board_cards, PM_BOARD):
                boards[t] = pm_hand_add(e, boards[t], deals[t].board[k])
        for player in range(players):
            if dealing.known[player]:
                known.key = known.suits = 0
                known = add_holding(e, known, dealing.known[player])
                for t in range(n):
                    ranks[player * DEALS_AT_ONCE + t] = <uint16_t> pm_hand_rank(e, pm_hand_join(boards[t], known))
            else:
                for t in range(n):
                    ranks[player * DEALS_AT_ONCE + t] = <uint16_t> pm_hand_rank(
                        e, add_holding(e, boards[t], deals[t].holding[player])
                    )
        if players == 2 and dealing.method != PM_WEIGH:
            tally_two(ranks, ranks + DEALS_AT_ONCE, n, tally)
        else:
            for t in range(n):
                tally_ranks(&ranks[t], DEALS_AT_ONCE, players, deals[t].weight, tally)
        dealt += n
    random[0] = stream
    return True


cdef void add_boards(
    const pm_evaluator *e, const pm_dealing *dealing, pm_hand board, int cards, int first, Tally *tally
) noexcept nogil:
    cdef int card
    if cards == PM_BOARD:
        tally_showdown(e, board, dealing.known, dealing.players, 1.0, tally)
        return
    for card in range(first, 52):
        if not dealing.taken >> card & 1:
            add_boards(e, dealing, pm_hand_add(e, board, card), cards + 1, card + 1, tally)


cdef void tally_runouts(const pm_dealing *dealing, Tally *tally) noexcept nogil:
    """Count known holdings on every board."""
    cdef const pm_evaluator *e = tables()
    cdef pm_hand board = pm_hand_empty()
    cdef int k
    for k in range(dealing.board_cards):
        board = pm_hand_add(e, board, dealing.board[k])
    add_boards(e, dealing, board, dealing.board_cards, 0, tally)


# -------------------------------------------------------------------------------------------------- for Python

cdef int check_shape(const pm_dealing *dealing, double[:, :, ::1] won) except -1:
    if won.shape[0] != 2 or won.shape[1] != dealing.players or won.shape[2] != dealing.players + 1:
        raise ValueError(
            f"won must have shape (2, {dealing.players}, {dealing.players + 1}), "
            f"got ({won.shape[0]}, {won.shape[1]}, {won.shape[2]})"
        )
    return 0


cdef void copy_tally(const Tally *tally, int players, double[:, :, ::1] won) noexcept:
    """Column 0 is what the player lost."""
    cdef int player, winners
    cdef double lost, lost_squares
    for player in range(players):
        lost = tally.showdowns
        lost_squares = tally.squares
        for winners in range(1, players + 1):
            won[0, player, winners] = tally.won[player][winners]
            won[1, player, winners] = tally.won_squares[player][winners]
            lost -= tally.won[player][winners]
            lost_squares -= tally.won_squares[player][winners]
        won[0, player, 0] = lost
        won[1, player, 0] = lost_squares


def count_deals(Deals deals not None, const uint64_t[::1] words, uint64_t trials, double[:, :, ::1] won):
    """Deal `trials` times and count who wins.

    Parameters
    ----------
    deals : Deals
        What to deal.
    words : uint64 (4,)
        Start of the stream of random numbers.
    trials : int
        Number of deals.
    won : float64 (2, players, players + 1)
        Filled: ``won[0, player, m]`` with the weight of the showdowns that he wins together with ``m - 1``
        others, and of those that he loses for ``m = 0``; ``won[1]`` with the same for the squares of the weights.

    Raises
    ------
    ValueError
        If there are not four words, the shape is another, or a deal failed very many times.
    """
    cdef pm_random random
    cdef Tally tally
    cdef bint dealt
    stream_init(&random, words)
    check_shape(&deals.dealing, won)
    memset(&tally, 0, sizeof(Tally))
    with nogil:
        dealt = tally_deals(&deals.dealing, &random, trials, &tally)
    if not dealt:
        raise ValueError("the ranges hardly admit a deal: gave up after very many tries")
    copy_tally(&tally, deals.dealing.players, won)


def count_runouts(Deals deals not None, double[:, :, ::1] won):
    """Count who wins on every board, all holdings being known.

    Parameters
    ----------
    deals : Deals
        The holdings and the board.
    won : float64 (2, players, players + 1)
        Filled as by `count_deals`.

    Raises
    ------
    ValueError
        If a holding is not known, or the shape is another.
    """
    cdef Tally tally
    cdef int player
    check_shape(&deals.dealing, won)
    for player in range(deals.dealing.players):
        if not deals.dealing.known[player]:
            raise ValueError(f"the holding of player {player} is not known")
    memset(&tally, 0, sizeof(Tally))
    with nogil:
        tally_runouts(&deals.dealing, &tally)
    copy_tally(&tally, deals.dealing.players, won)
