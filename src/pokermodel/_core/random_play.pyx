"""Hands between players who choose legal acts at random: the rules of the game at full speed."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator, pm_hand, pm_hand_add, pm_hand_empty, pm_hand_rank, tables
from pokermodel._core.rng cimport pm_random, pm_random_below, stream_init
from pokermodel._core.rules cimport PM_SEATS, State, pm_act, pm_legal, pm_state, pm_winnings


cdef enum:
    BOARD = 5

# The acts in a mask of 1 << act, and how many they are. A call is always among them.
cdef int CHOICES[8][3]
cdef int N_CHOICES[8]


cdef void choices_init() noexcept:
    cdef int mask, act
    for mask in range(8):
        N_CHOICES[mask] = 0
        for act in range(3):
            if mask >> act & 1:
                CHOICES[mask][N_CHOICES[mask]] = act
                N_CHOICES[mask] += 1


choices_init()


cdef inline int draw_card(int *deck, int dealt, pm_random *random) noexcept nogil:
    """The next card of a deck of which the first `dealt` have been dealt. The deck may be in any order at first."""
    cdef int other = dealt + <int> pm_random_below(random, <uint32_t> (52 - dealt))
    cdef int card = deck[other]
    deck[other] = deck[dealt]
    deck[dealt] = card
    return card


cdef inline void showdown(
    const pm_state *state, const pm_evaluator *evaluator, int *deck, pm_random *random, int32_t *ranks
) noexcept nogil:
    """Deal the board and the holdings of players who have not folded, and rank them."""
    cdef pm_hand board = pm_hand_empty()
    cdef pm_hand hand
    cdef int dealt = 0
    cdef int seat = 0
    while dealt < BOARD:
        board = pm_hand_add(evaluator, board, draw_card(deck, dealt, random))
        dealt += 1
    while state.live >> seat:
        if state.live >> seat & 1:
            hand = pm_hand_add(evaluator, board, draw_card(deck, dealt, random))
            hand = pm_hand_add(evaluator, hand, draw_card(deck, dealt + 1, random))
            ranks[seat] = <int32_t> pm_hand_rank(evaluator, hand)
            dealt += 2
        seat += 1


cdef int64_t play(
    const pm_state *start, pm_random *random, Py_ssize_t hands, double *payoffs, int64_t *acts
) noexcept nogil:
    """Play hands from a state on; returns how many ended in a showdown."""
    cdef const pm_evaluator *evaluator = tables()
    cdef pm_state state
    cdef int deck[52]
    cdef int32_t ranks[PM_SEATS]
    cdef double won[PM_SEATS]
    cdef int players = start.table.players
    cdef int64_t showdowns = 0
    cdef Py_ssize_t number
    cdef unsigned legal
    cdef int k, act
    for k in range(52):
        deck[k] = k
    for number in range(hands):
        state = start[0]
        while state.seat >= 0:
            legal = pm_legal(&state)
            act = CHOICES[legal][pm_random_below(random, <uint32_t> N_CHOICES[legal])]
            acts[3 * state.round + act] += 1
            pm_act(&state, act)
        if state.live & (state.live - 1):
            showdowns += 1
            showdown(&state, evaluator, deck, random, ranks)
        pm_winnings(&state, ranks, won)
        for k in range(players):
            payoffs[players * number + k] = won[k] - <double> (state.chips_in[k] + state.table.dead[k])
    return showdowns


def random_hands(State state, const uint64_t[::1] words, double[:, ::1] payoffs, int64_t[:, ::1] acts):
    """Play hands from a state on, between players to whom all legal acts are equally likely.

    Cards are dealt at showdowns only: nothing else depends on them.

    Parameters
    ----------
    state : State
        Where each hand begins; not changed.
    words : uint64 (4,)
        Start of the stream of random numbers.
    payoffs : float64 (hands, players)
        Filled with the chips that each seat wins or loses.
    acts : int64 (4, 3)
        Increased by the number of each act, by round.

    Returns
    -------
    int
        Hands that went to a showdown.

    Raises
    ------
    ValueError
        If the hand is over, there are not four words, or an array has another shape.
    """
    cdef pm_random random
    cdef int64_t showdowns
    cdef pm_state start = state.c
    stream_init(&random, words)
    if start.seat < 0:
        raise ValueError("the hand is over")
    if payoffs.shape[1] != state.table.c.players:
        raise ValueError(f"payoffs must have a column for each of {state.table.c.players} seats")
    if acts.shape[0] != 4 or acts.shape[1] != 3:
        raise ValueError(f"acts must have shape (4, 3), got ({acts.shape[0]}, {acts.shape[1]})")
    if payoffs.shape[0] == 0:
        return 0
    with nogil:
        showdowns = play(&start, &random, payoffs.shape[0], &payoffs[0, 0], &acts[0, 0])
    return showdowns
