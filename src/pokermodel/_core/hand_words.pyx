"""The acts of a hand in the words of `pokermodel.learning.definitions`, as whole numbers, for `pokermodel.library`.

A hand is played by the rules once, without an object for each decision: an act becomes a row of numbers. What it means
to count one of them is said by the definitions, which are evaluated over the rows of many hands at once.
"""

from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.tuple cimport PyTuple_GET_SIZE
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

from pokermodel._core.rules cimport (
    PM_CALL,
    PM_DEEP,
    PM_FOLD,
    PM_LIMIT,
    PM_RAISE,
    PM_SEATS,
    pm_act,
    pm_act_to,
    pm_in_bets,
    pm_leave,
    pm_legal,
    pm_num_bets,
    pm_possible,
    pm_raise_range,
    pm_round_base,
    pm_state,
    pm_to_call,
    State,
)

cdef enum:
    SEAT, STREET, FOLDS, CALLS, RAISES, PUT_IN, TO_CALL, BETS, BETS_TO_CALL, CAN_RAISE, POSITION, PLAYERS
    UNOPENED, IS_OPENER, FACES_STEAL, RAISE_CALLED, LEADS, FACES_CBET, CHECKED, LAST_RAISER, ACTED, OWN_BET
    SIZE, SIZE_FACED, AGGRESSOR, AGGRESSOR_BEHIND, AGGRESSOR_CHECKED, CHECKED_THROUGH, POT
    WIDTH
    SMALL_BLIND = 0
    CUTOFF = 4
    BUTTON = 5
    S_FOLD, S_ACTS, S_MADE, S_FACED, S_WIDTH
    LETTERS = 63  # of a line, after which it is cut

#: The columns of a row of `play`: the number of the seat among all, the words, and the pot before the act.
WORDS = (
    "seat", "street", "folds", "calls", "raises", "put_in", "to_call", "bets", "bets_to_call", "can_raise",
    "position", "players", "unopened", "is_opener", "faces_steal", "raise_called", "leads", "faces_cbet", "checked",
    "last_raiser", "acted", "own_bet", "size", "size_faced", "aggressor", "aggressor_behind", "aggressor_checked",
    "checked_through", "pot",
)
#: The columns of a seat: the round in which it left the hand, or -1; its acts, 14 bits a round: check, bet, fold
#: without a bet, fold, calls (5 bits), raises (5 bits); the largest bet or raise after the flop that it made, and that
#: it faced, in per cent of the pot after a call.
SEAT_WORDS = ("fold", "acts", "made", "faced")
assert len(WORDS) == WIDTH and len(SEAT_WORDS) == S_WIDTH - S_FOLD


cdef inline bint whole(value, int64_t *found):
    cdef int overflow = 0
    if not isinstance(value, int):
        return False
    found[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow


cdef inline int64_t pack_act(int64_t acts, int street, int act, bint facing):
    """The acts of a seat with one more; calls and raises stop at 31 a round, which no real hand reaches."""
    cdef int at = 14 * street
    if act == PM_FOLD:
        return acts | <int64_t> 1 << (at + 2 + facing)
    if not facing:
        return acts | <int64_t> 1 << (at + (act == PM_RAISE))
    at += 4 if act == PM_CALL else 9
    return acts if acts >> at & 31 == 31 else acts + (<int64_t> 1 << at)


def play(State state not None, tuple actions not None, Py_ssize_t board, tuple positions not None,
         int64_t[:, ::1] acts not None, Py_ssize_t first, int64_t[:, ::1] seats not None, Py_ssize_t at):
    """Play a hand, and write its acts and its seats.

    Parameters
    ----------
    state : State
        At the beginning of the hand; it is played to the end.
    actions : tuple of Action
    board : int
        How many cards there are on it.
    positions : tuple of int
        Where each seat sits, as `pokermodel.game.positions` has it.
    acts : ndarray of int64, shape (n, 29)
        Overwritten from row `first` on, by `WORDS`, a row for each act in turn.
    seats : ndarray of int64, shape (m, 4)
        Overwritten from row `at` on, by `SEAT_WORDS`, a row for each seat.

    Returns
    -------
    int
        How many rows were written; -1 if the rules do not allow an action, or there is no room for it.
    list of bytes
        The line of each seat: ``f`` fold, ``x`` check, ``c`` call, ``b`` bet, ``r`` raise, and ``/`` between rounds.
    str
        The betting without folds before the flop: ``"o2.5 c / x b2.75 f"``, bets with what they go to, in small bets or
        big blinds.
    """
    cdef pm_state *s = &state.c
    cdef int n = state.table.c.players
    cdef tuple action
    cdef int64_t to, least, most, put_in, owed, pot, size
    cdef int64_t seat = -1
    cdef int64_t what = -1
    cdef unsigned legal
    cdef bint leaves
    cdef Py_ssize_t k, j, row = first
    cdef char lines[PM_SEATS][LETTERS + 1]
    cdef int lengths[PM_SEATS]
    cdef int rounds[PM_SEATS]
    cdef int where[PM_SEATS]
    cdef int64_t own[PM_SEATS]
    cdef uint32_t acting[4]
    cdef uint32_t acted = 0, checked = 0
    cdef int street, now = 0
    cdef int stealer = -1, opener = -1, raiser = -1, leader = -1, bettor = -1, aggressor = -1, behind = -1, passed = -1
    cdef bint unopened = True, called = False, through = False, facing
    cdef int64_t faced = 0
    cdef int64_t put[PM_SEATS]
    cdef int64_t bet = max(state.table.c.bets[0], 1)
    cdef bint fixed = state.table.c.structure == PM_LIMIT
    cdef int raises = 0
    cdef list betting = []
    cdef int64_t *w
    cdef char letter
    if not (0 <= first and 0 <= at and at + n <= seats.shape[0] and PyTuple_GET_SIZE(positions) == n):
        raise ValueError(f"expected {n} positions, and room for as many seats")
    if acts.shape[1] != WIDTH or seats.shape[1] != S_WIDTH - S_FOLD:
        raise ValueError(f"expected rows of {WIDTH} and {S_WIDTH - S_FOLD}, got {acts.shape[1]} and {seats.shape[1]}")
    memset(acting, 0, sizeof(acting))
    memset(own, 0, sizeof(own))
    for k in range(n):
        where[k] = positions[k]
        lengths[k] = rounds[k] = 0
        seats[at + k, 0], seats[at + k, 1], seats[at + k, 2], seats[at + k, 3] = -1, 0, 0, 0
    for k in range(PyTuple_GET_SIZE(actions)):
        if row >= acts.shape[0] or s.seat < 0 or not isinstance(actions[k], tuple):
            return -1, None, None
        action = <tuple> actions[k]
        if PyTuple_GET_SIZE(action) != 4 or not (whole(action[0], &seat) and whole(action[1], &what)):
            return -1, None, None
        if not 0 <= seat < n or board < (s.round + 2 if s.round else 0):
            return -1, None, None
        leaves = bool(action[2])
        street = s.round
        if leaves:
            if what != PM_FOLD or action[3] is not None or seat == s.seat or not s.live & ~s.broke & 1u << seat:
                return -1, None, None
            pm_leave(s, <int> seat)
            seats[at + seat, 0] = street
            continue
        if seat != s.seat or what < 0 or what > PM_RAISE or not pm_possible(s) >> what & 1:
            return -1, None, None
        legal = pm_legal(s)
        to = 0
        if what == PM_RAISE:
            pm_raise_range(s, &least, &most)
            to = least
            if action[3] is not None:
                if not whole(action[3], &to) or not -PM_DEEP <= to <= PM_DEEP:
                    return -1, None, None
                to += pm_round_base(s)
            elif least != most:
                return -1, None, None
            if not least <= to <= most:
                return -1, None, None
        elif action[3] is not None:
            return -1, None, None
        owed, pot = pm_to_call(s, <int> seat), s.pot
        w = &acts[row, 0]
        w[SEAT], w[STREET], w[TO_CALL], w[POT] = at + seat, street, owed, pot
        w[FOLDS], w[CALLS], w[RAISES] = what == PM_FOLD, what == PM_CALL, what == PM_RAISE
        w[BETS], w[BETS_TO_CALL] = pm_num_bets(s), min(pm_in_bets(s, owed), 2)
        w[CAN_RAISE] = what == PM_RAISE or legal >> PM_RAISE & 1
        w[POSITION], w[PLAYERS] = where[seat], n
        put_in = pm_act_to(s, <int> what, to) if what == PM_RAISE else pm_act(s, <int> what)
        w[PUT_IN] = put_in
        acting[street] |= 1u << seat
        row += 1
        # of the seat
        facing = owed > 0
        if what == PM_FOLD:
            seats[at + seat, 0] = street
        seats[at + seat, 1] = pack_act(seats[at + seat, 1], street, <int> what, facing)
        if what == PM_FOLD:
            letter = b"f"
        elif what == PM_CALL:
            letter = b"c" if facing else b"x"
        else:
            letter = b"r" if facing else b"b"
        while rounds[seat] < street and lengths[seat] < LETTERS:
            lines[seat][lengths[seat]] = b"/"
            lengths[seat] += 1
            rounds[seat] += 1
        if lengths[seat] < LETTERS:
            lines[seat][lengths[seat]] = letter
            lengths[seat] += 1
    for k in range(n):
        put[k] = state.table.c.blinds[k]
    # what was before each act: a second walk, since some of it depends on who acts later in the round
    for j in range(first, row):
        w = &acts[j, 0]
        seat, street, what = w[SEAT] - at, <int> w[STREET], 0 if w[FOLDS] else 1 if w[CALLS] else 2
        owed, put_in = w[TO_CALL], w[PUT_IN]
        if street != now:
            leader = raiser if now == 0 or raiser == bettor else -1
            bettor = -1
            if raiser >= 0:
                aggressor = raiser
            behind = aggressor if aggressor >= 0 and acting[street] >> aggressor & 1 else -1
            passed = -1
            through = raiser < 0
            raiser, called, faced, acted, checked = -1, False, 0, 0, 0
            memset(put, 0, sizeof(put))
            raises = 0
            while now < street:
                betting.append("/")
                now += 1
            memset(own, 0, sizeof(own))
        size = 100 * (put_in - owed) // max(w[POT] + owed, 1) if what == 2 else 0
        w[RAISE_CALLED], w[LAST_RAISER], w[ACTED] = called, seat == raiser, acted >> seat & 1
        w[OWN_BET], w[SIZE], w[SIZE_FACED] = own[seat], size, faced
        if street == 0:
            w[UNOPENED], w[IS_OPENER], w[FACES_STEAL] = unopened, seat == opener, stealer >= 0
            w[LEADS] = w[FACES_CBET] = w[CHECKED] = w[AGGRESSOR] = 0
            w[AGGRESSOR_BEHIND] = w[AGGRESSOR_CHECKED] = w[CHECKED_THROUGH] = 0
            if what:
                if unopened and what == 2 and w[CAN_RAISE] and where[seat] in (SMALL_BLIND, CUTOFF, BUTTON):
                    stealer = <int> seat
                else:
                    stealer = -1
                unopened = False
                if w[BETS] > 1 and put_in:
                    called = True
        else:
            w[UNOPENED] = w[IS_OPENER] = w[FACES_STEAL] = 0
            w[LEADS], w[FACES_CBET] = seat == leader, raiser == bettor and bettor >= 0
            w[CHECKED], w[AGGRESSOR] = checked >> seat & 1, seat == aggressor
            w[AGGRESSOR_BEHIND] = behind >= 0 and behind != seat
            w[AGGRESSOR_CHECKED] = passed >= 0 and passed != seat
            w[CHECKED_THROUGH] = through
            if owed and faced > seats[at + seat, 3]:
                seats[at + seat, 3] = faced
            if size > seats[at + seat, 2]:
                seats[at + seat, 2] = size
            if seat == behind:
                behind = -1
                if what == 1 and not owed:
                    passed = <int> seat
            if owed:
                checked &= ~(1u << seat)
            elif what == 1:
                checked |= 1u << seat
            if what and w[BETS] and put_in:
                called = True
        acted |= 1u << seat
        put[seat] += put_in
        raises += what == 2
        if what == 1:
            betting.append("c" if owed else "x")
        elif what == 0 and street:
            betting.append("f")
        elif what == 2:
            word = ("r" if owed else "b") if street else "o" if raises == 1 else f"{raises + 1}b"
            betting.append(word if fixed else f"{word}{<double> put[seat] / <double> bet:.4g}")
        if what == 2:
            if street == 0 and w[BETS] == 1:
                opener = <int> seat
            if street and seat == leader and not owed:
                bettor = <int> seat
            called, own[seat], faced, raiser = False, w[BETS] + 1, size, <int> seat
    return row - first, [lines[k][:lengths[k]] for k in range(n)], " ".join(betting)
