"""Duplicate matches of five-card stud (``pokermodel/stud/stud_play.h``)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from pokermodel._core.evaluator cimport pm_evaluator, tables
from pokermodel._core.rng cimport pm_random, pm_random_below, pm_random_next, pm_random_seed, stream_init
from pokermodel._core.stud_games cimport (
    PM_STUD_MOST_ACTS, count_games, pm_stud_play, pm_stud_record, refuse_shape
)
from pokermodel._core.stud_player cimport Player, pm_stud_player
from pokermodel._core.stud_rules cimport pm_stud, take_spec


def play(
    Player one,
    Player two,
    int ante,
    bets,
    int max_bets,
    const uint64_t[::1] words,
    int32_t[:, ::1] payoffs,
    uint8_t[:, :, ::1] cards=None,
    uint8_t[:, ::1] acts=None,
    uint8_t[::1] lengths=None,
    double[:, :, ::1] chances=None,
    double[:, ::1] wins=None,
):
    """Play each deal twice, the second time with the players' cards exchanged.

    With the same cards a player draws the same random numbers, so a player wins exactly nothing against itself.

    Parameters
    ----------
    one, two : Player
    ante, bets, max_bets
        See `StudState`.
    words : uint64 (4,)
        Start of the stream of random numbers.
    payoffs : int32 (deals, 2)
        Filled with the chips that the first player wins in both games of each deal.
    cards : uint8 (2 * deals, 2, 5), optional
        Filled, as are `acts` and `lengths`, with the games: see `pokermodel._core.stud_games`. All five columns are
        given, or none.
    acts : uint8 (2 * deals, 24), optional
    lengths : uint8 (2 * deals,), optional
    chances : float64 (2 * deals, 24, 3), optional
        Filled with the probabilities of fold, call and raise from which each act was drawn.
    wins : float64 (2 * deals, 24), optional
        Filled with the acting player's probability of winning.

    Raises
    ------
    ValueError
        If an array has another shape, or a number is out of range.
    """
    cdef const pm_evaluator *e = tables()
    cdef const pm_stud_player *players[2]
    cdef pm_stud table
    cdef pm_stud_record record
    cdef pm_random random
    cdef pm_random own[2]
    cdef uint64_t seeds[2][4]
    cdef int deck[52]
    cdef Py_ssize_t deals = payoffs.shape[0]
    cdef Py_ssize_t deal, g
    cdef int game, k, j, other, card
    cdef bint keep = cards is not None
    take_spec(ante, bets, max_bets, &table.spec)
    stream_init(&random, words)
    if payoffs.shape[1] != 2:
        raise ValueError("each deal is played twice: payoffs must have two columns")
    if keep:
        if acts is None or lengths is None or chances is None or wins is None:
            raise ValueError("cards, acts, lengths, chances and wins are kept together: expected all of them or none")
        g = count_games(cards, acts, lengths)
        if not (
            chances.shape[0] == wins.shape[0] == g and chances.shape[2] == 3
            and chances.shape[1] == wins.shape[1] == PM_STUD_MOST_ACTS
        ):
            refuse_shape()
        if g != 2 * deals:
            raise ValueError(f"{deals} deals are {2 * deals} games, got columns of {g}")
    players[0] = &one.c
    players[1] = &two.c
    for k in range(52):
        deck[k] = k
    with nogil:
        for deal in range(deals):
            for k in range(10):
                other = k + <int> pm_random_below(&random, 52 - k)
                card = deck[other]
                deck[other] = deck[k]
                deck[k] = card
            for k in range(2):
                for j in range(4):
                    seeds[k][j] = pm_random_next(&random)
            for game in range(2):
                for k in range(2):
                    for j in range(5):
                        table.card[k][j] = <uint8_t> deck[5 * (k ^ game) + j]
                    pm_random_seed(&own[k], seeds[k ^ game])
                table.tie = <int> (deal & 1) ^ game
                pm_stud_play(&table, players, e, own, &record)
                payoffs[deal, game] = record.payoff
                if keep:
                    g = 2 * deal + game
                    memcpy(&cards[g, 0, 0], record.card, 10)
                    memcpy(&acts[g, 0], record.acts, PM_STUD_MOST_ACTS)
                    memcpy(&chances[g, 0, 0], record.p, sizeof(record.p))
                    memcpy(&wins[g, 0], record.win, sizeof(record.win))
                    lengths[g] = <uint8_t> (record.n + 128 * record.showdown)
