"""Counts of showdowns of several players: by random deals, or on every board if all holdings are known."""

from libc.math cimport sqrt
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from pokermodel._core.dealing cimport (
    PM_BOARD,
    PM_WEIGH,
    Deals,
    pm_deal,
    pm_deal_next,
    pm_dealer,
    pm_dealer_init,
    pm_dealing,
    pm_drawn_cards,
)
from pokermodel._core.evaluator cimport (
    pm_count_cards,
    pm_evaluator,
    pm_hand,
    pm_hand_add,
    pm_hand_empty,
    pm_hand_join,
    pm_hand_rank,
    tables,
)
from pokermodel._core.rng cimport pm_random, stream_init


cdef extern from "pokermodel/evaluation/matchup.h" nogil:
    const uint8_t PM_CHOOSE[5][5]
    unsigned pm_rank_of_key(const pm_evaluator *e, uint32_t key) noexcept
    uint32_t pm_rank_key(const pm_evaluator *e, int rank) noexcept


cdef enum:
    DEALS_AT_ONCE = 32      # so that mispredicted branches of dealing do not hold up ranking


cdef inline pm_hand add_holding(const pm_evaluator *e, pm_hand hand, uint16_t holding) noexcept nogil:
    return pm_hand_add(e, pm_hand_add(e, hand, holding >> 8), holding & 255)


cdef inline void tally_ranks(
    const uint16_t *rank, int stride, int players, double weight, double square, Tally *tally
) noexcept nogil:
    """Count showdowns with the same ranks; those of the players are `stride` apart.

    `weight` is the sum of the showdowns' weights, `square` that of their squares.
    """
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
    tally.squares += square
    if winners == 1:
        tally.won[winner][1] += weight
        tally.won_squares[winner][1] += square
        return
    for player in range(players):
        if rank[player * stride] == best:
            tally.won[player][winners] += weight
            tally.won_squares[player][winners] += square


cdef inline void tally_two(const uint16_t *first, const uint16_t *second, int n, Tally *tally) noexcept nogil:
    """Count showdowns of two players, all of weight 1."""
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


cdef inline void tally_alike(const uint16_t *ranks, int n, int players, Tally *tally) noexcept nogil:
    """Count `n` showdowns, all of weight 1, as `tally_ranks` does one by one: in loops over them without a branch."""
    cdef uint16_t[DEALS_AT_ONCE] best
    cdef uint16_t[DEALS_AT_ONCE] winners
    cdef const uint16_t *rank
    cdef int player, t, alone
    cdef int shared = 0
    memset(best, 0, sizeof(best))
    memset(winners, 0, sizeof(winners))
    for player in range(players):
        rank = ranks + player * DEALS_AT_ONCE
        for t in range(n):
            best[t] = rank[t] if rank[t] > best[t] else best[t]
    for player in range(players):
        rank = ranks + player * DEALS_AT_ONCE
        for t in range(n):
            winners[t] += rank[t] == best[t]
    for player in range(players):
        rank = ranks + player * DEALS_AT_ONCE
        alone = 0
        for t in range(n):
            alone += (rank[t] == best[t]) & (winners[t] == 1)
        tally.won[player][1] += alone
        tally.won_squares[player][1] += alone
    for t in range(n):
        shared += winners[t] > 1
    if shared:
        for t in range(n):
            if winners[t] > 1:
                for player in range(players):
                    if ranks[player * DEALS_AT_ONCE + t] == best[t]:
                        tally.won[player][winners[t]] += 1
                        tally.won_squares[player][winners[t]] += 1
    tally.showdowns += n
    tally.squares += n


cdef bint tally_deals(const pm_dealing *dealing, pm_random *random, uint64_t trials, Tally *tally) noexcept nogil:
    """Deal and count; false if a deal failed."""
    cdef const pm_evaluator *e = tables()
    cdef int players = dealing.players
    cdef pm_random stream = random[0]   # a copy, which the compiler can keep in registers
    cdef pm_dealer dealer
    cdef pm_deal[DEALS_AT_ONCE] deals
    cdef pm_hand[DEALS_AT_ONCE] boards
    cdef uint16_t[23 * DEALS_AT_ONCE] ranks
    cdef pm_hand board = pm_hand_empty()
    cdef pm_hand known
    cdef uint64_t dealt = 0
    cdef int n, t, k, player
    pm_dealer_init(&dealer, dealing)
    for k in range(dealing.board_cards):
        board = pm_hand_add(e, board, dealing.board[k])
    while dealt < trials:
        n = <int> min(<uint64_t> DEALS_AT_ONCE, trials - dealt)
        for t in range(n):
            if not pm_deal_next(dealing, &stream, &dealer, &deals[t]):
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
        if dealing.method != PM_WEIGH:
            if players == 2:
                tally_two(ranks, ranks + DEALS_AT_ONCE, n, tally)
            else:
                tally_alike(ranks, n, players, tally)
        else:
            for t in range(n):
                tally_ranks(
                    &ranks[t], DEALS_AT_ONCE, players, deals[t].weight, deals[t].weight * deals[t].weight, tally
                )
        dealt += n
    random[0] = stream
    return True


# ------------------------------------------------------------------------------------ every board, by its ranks

cdef inline uint64_t card_bit(int card) noexcept nogil:
    return (<uint64_t> 1) << card


cdef inline uint32_t suit_ranks(uint64_t cards, int suit) noexcept nogil:
    """Ranks of the cards of a suit, as bits."""
    cdef uint32_t ranks = 0
    cdef int rank
    for rank in range(13):
        ranks |= <uint32_t> ((cards >> (4 * rank + suit) & 1) << rank)
    return ranks


# Several known holdings. As in `matchup.h`, every multiset of ranks is visited once, as if suits meant
# nothing; then the boards on which a player has a flush are subtracted, and counted again with the flush.
cdef struct Runouts:
    const pm_evaluator *e
    Tally *tally
    int players
    uint32_t key[23]        # of the ranks of each holding and the board
    uint32_t held[23]       # ranks of the present suit in each holding and on the board
    uint32_t cards          # ranks of the suit that can come
    int unseen[13]          # by rank: cards that can come, if suits mean nothing
    int others[13]          # by rank: cards of other suits that can come


cdef void add_bare_boards(const Runouts *r, int first, int left, uint32_t key, int boards) noexcept nogil:
    """Count the boards that take `left` more cards, of rank `first` or higher, as if suits meant nothing."""
    cdef uint16_t[23] ranks
    cdef uint32_t next_key
    cdef int player, rank, n
    if left == 0:
        for player in range(r.players):
            ranks[player] = <uint16_t> pm_rank_of_key(r.e, key + r.key[player])
        tally_ranks(ranks, 1, r.players, boards, boards, r.tally)
        return
    for rank in range(first, 13):
        next_key = key
        for n in range(1, min(left, r.unseen[rank]) + 1):
            next_key += pm_rank_key(r.e, rank)
            add_bare_boards(r, rank + 1, left - n, next_key, boards * PM_CHOOSE[r.unseen[rank]][n])


cdef void correct_flushes(const Runouts *r, uint32_t key, uint32_t suited, int boards) noexcept nogil:
    cdef uint16_t[23] bare
    cdef uint16_t[23] ranks
    cdef uint16_t flush
    cdef bint any_flush = False
    cdef int player
    for player in range(r.players):
        bare[player] = <uint16_t> pm_rank_of_key(r.e, key + r.key[player])
        flush = r.e.flush[r.held[player] | suited]      # 0 if there are fewer than five
        ranks[player] = flush if flush else bare[player]
        any_flush |= flush > 0
    if any_flush:
        tally_ranks(bare, 1, r.players, -boards, -boards, r.tally)
        tally_ranks(ranks, 1, r.players, boards, boards, r.tally)


cdef void add_flushes(
    const Runouts *r, int first, int left, int needs, uint32_t key, uint32_t suited, int boards
) noexcept nogil:
    """Correct for flushes the boards that take `left` more cards, at least `needs` of them of the suit."""
    cdef uint32_t next_key
    cdef int rank, n, of_suit
    if left == 0:
        correct_flushes(r, key, suited, boards)
        return
    for rank in range(first, 13):
        for of_suit in range(1 + (r.cards >> rank & 1)):
            next_key = key + of_suit * pm_rank_key(r.e, rank)
            for n in range(min(left - max(needs, of_suit), r.others[rank]) + 1):
                if n:
                    next_key += pm_rank_key(r.e, rank)
                if n or of_suit:
                    add_flushes(
                        r, rank + 1, left - of_suit - n, needs - of_suit, next_key,
                        suited | <uint32_t> (of_suit << rank), boards * PM_CHOOSE[r.others[rank]][n],
                    )


cdef void tally_runouts(const pm_dealing *dealing, Tally *tally) noexcept nogil:
    """Count known holdings on every board."""
    cdef Runouts r
    cdef uint64_t board = 0
    cdef uint64_t held
    cdef int to_come = PM_BOARD - dealing.board_cards
    cdef int player, card, suit, rank, most
    r.e = tables()
    r.tally = tally
    r.players = dealing.players
    for card in range(dealing.board_cards):
        board |= card_bit(dealing.board[card])
    for rank in range(13):
        r.unseen[rank] = 4 - pm_count_cards(dealing.taken >> 4 * rank & 15)
    for player in range(r.players):
        held = board | pm_drawn_cards(dealing.known[player])
        r.key[player] = 0
        for rank in range(13):
            r.key[player] += pm_count_cards(held >> 4 * rank & 15) * pm_rank_key(r.e, rank)
    add_bare_boards(&r, 0, to_come, 0, 1)
    for suit in range(4):
        most = 0
        for player in range(r.players):
            r.held[player] = suit_ranks(board | pm_drawn_cards(dealing.known[player]), suit)
            most = max(most, pm_count_cards(r.held[player]))
        r.cards = 0x1fff & ~suit_ranks(dealing.taken, suit)
        for rank in range(13):
            r.others[rank] = r.unseen[rank] - (r.cards >> rank & 1)
        if 5 - most <= to_come:
            add_flushes(&r, 0, to_come, 5 - most, 0, 0, 1)


# -------------------------------------------------------------------------------------------------- for Python

cdef int check_shape(const pm_dealing *dealing, double[:, :, ::1] won) except -1:
    if won.shape[0] != 2 or won.shape[1] != dealing.players or won.shape[2] != dealing.players + 1:
        raise ValueError(
            f"won must have shape (2, {dealing.players}, {dealing.players + 1}), "
            f"got ({won.shape[0]}, {won.shape[1]}, {won.shape[2]})"
        )
    return 0


cdef void copy_tally(const Tally *tally, int players, double[:, :, ::1] won) noexcept:
    """Copy the counts; column 0 is what the player lost."""
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
        Tables to deal from.
    words : uint64 (4,)
        Start of the stream of random numbers.
    trials : int
        Number of deals.
    won : float64 (2, players, players + 1)
        Filled: ``won[0, player, m]`` with the weight of the showdowns that the player wins together with ``m - 1``
        others, or loses for ``m = 0``; ``won[1]`` with the sums of the squares of the weights.

    Raises
    ------
    ValueError
        If there are not four words, the array has another shape, or a deal failed very many times.
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


def summarize(const double[:, ::1] won, const double[:, ::1] squares, double trials):
    """Find equities by the weights of showdowns, and their standard errors as those of ratios of weighted sums.

    Parameters
    ----------
    won : float64 (players, players + 1)
        As `count_deals` fills it.
    squares : float64 (players, players + 1), or None
        Sums of the squares of the weights; None where all showdowns were counted.
    trials : float
        How many deals there were.

    Returns
    -------
    ndarray of float64, shape (5, players)
        Equities, their standard errors, and the chances to win alone, to share the pot, and to win nothing.

    Raises
    ------
    ValueError
        If an array has another shape.
    """
    cdef Py_ssize_t players = won.shape[0]
    cdef Py_ssize_t player, winners
    cdef double total = 0.0
    cdef double mean, tied, error
    if won.shape[1] != players + 1 or squares is not None and (
        squares.shape[0] != players or squares.shape[1] != players + 1
    ):
        raise ValueError(f"expected weights of {players} players and {players + 1} numbers of winners")
    found = np.zeros((5, players))
    cdef double[:, ::1] to = found
    for winners in range(players + 1):
        total += won[0, winners]
    for player in range(players):
        mean = tied = error = 0.0
        for winners in range(1, players + 1):
            mean += won[player, winners] * (1.0 / <double> winners)
        mean /= total
        for winners in range(2, players + 1):
            tied += won[player, winners] / total
        if squares is not None:
            error = squares[player, 0] * mean * mean
            for winners in range(1, players + 1):
                error += squares[player, winners] * (1.0 / <double> winners - mean) * (1.0 / <double> winners - mean)
            error = sqrt(error * trials / (trials - 1.0)) / total
        to[0, player], to[1, player] = mean, error
        to[2, player], to[3, player] = won[player, 1] / total, tied
        to[4, player] = max(won[player, 0] / total, 0.0)
    return found


def count_runouts(Deals deals not None, double[:, :, ::1] won):
    """Count who wins on every board. All holdings must be known.

    Parameters
    ----------
    deals : Deals
        The holdings and the board.
    won : float64 (2, players, players + 1)
        Filled as by `count_deals`.

    Raises
    ------
    ValueError
        If a holding is not known, or the array has another shape.
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
