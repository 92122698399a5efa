"""What finished hands say for tables by class of holding, and the classes.

The C functions are in ``pokermodel/evaluation/board_classes.h`` and ``pokermodel/readers/observed_hands.h``.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cython cimport final
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport tables
from pokermodel._core.situations cimport PM_SITUATION_CELLS, take_cells

CLASSES = PM_TABLE_CLASSES
MOST_SCORE = PM_MOST_SCORE


cdef enum:
    ACTIONS = 0x7fff  # most of a hand
    SEATS = 64  # no fewer than any hand has
    FLOP = 3  # cards


cdef struct walked:
    uint8_t actor
    uint8_t round
    uint8_t act
    uint8_t legal
    int16_t cells[PM_TABLE_CELLS]


cdef int check_shape(str name, tuple shape, tuple wanted) except -1:
    if shape != wanted:
        raise ValueError(f"{name} must have shape {wanted}, got {shape}")
    return 0


cdef int take_board(object given, int *board) except -1:
    """Read a board of three to five cards; return how many."""
    cdef uint8_t cards[5]
    cdef uint64_t seen = 0
    cdef int n = take_cards(given, cards, FLOP, 5, "a board with classes", &seen, "")
    cdef int k
    for k in range(n):
        board[k] = cards[k]
    return n


cdef int take_acts(object acts) except -1:
    cdef int mask = 0
    cdef int act
    if not isinstance(acts, tuple):
        raise ValueError(f"expected a tuple of acts, got {acts!r}")
    for item in <tuple> acts:
        act = item
        if not 0 <= act < 3:
            raise ValueError(f"an act must be 0 to 2, got {act}")
        mask |= 1 << act
    return mask


@final
cdef class BucketBorders:
    """How the holdings of a board are divided into classes.

    Parameters
    ----------
    by_score : ndarray of uint8, shape (3, 2163)
        The class of each hand strength on boards of three, four and five cards, by twice the number of holdings that
        are beaten plus the number of those that tie.
    draw : float
        The least potential of a draw, at most 9/47: a flush draw with both cards is one.
    made : int
        Classes below it are divided by whether they are draws.
    draws : int
        What is added to the number of a class that is a draw.

    Raises
    ------
    ValueError
        If the shape does not fit, or there are too many classes.
    """

    cdef pm_class_borders c

    def __cinit__(self, const uint8_t[:, ::1] by_score, double draw, int made, int draws):
        cdef int k, score
        cdef int most = made - 1 + draws
        check_shape("classes by score", (by_score.shape[0], by_score.shape[1]), (3, PM_MOST_SCORE + 1))
        if not 0 < draw <= 9.0 / 47.0:
            raise ValueError(f"the potential of a draw must be above 0 and at most 9/47, got {draw}")
        for k in range(3):
            for score in range(PM_MOST_SCORE + 1):
                most = max(most, by_score[k, score])
        if made < 0 or draws < 0 or most >= PM_TABLE_CLASSES:
            raise ValueError(f"a class must be 0 to {PM_TABLE_CLASSES - 1}, got {most}")
        memcpy(&self.c.by_score[0][0], &by_score[0, 0], sizeof(self.c.by_score))
        self.c.draw, self.c.made, self.c.draws = draw, made, draws

    def classes(self, board, uint8_t[::1] out):
        """Class of each holding on a board, into `out` (1326,); 0 where it is not possible.

        Raises
        ------
        ValueError
            If it is no board of three to five cards, or the shape does not fit.
        """
        cdef int cards[5]
        cdef int n = take_board(board, cards)
        check_shape("out", (out.shape[0],), (PM_HOLDINGS,))
        with nogil:
            pm_board_classes(tables(), cards, n, &self.c, &out[0])


@final
cdef class _Walk:
    """The actions of a hand that were offered, and the boards that they were done on."""

    cdef int actions, players, rounds
    cdef int board[4][5]
    cdef int on_board[4]    # cards; -1 in a round without an action
    cdef int place[SEATS]   # of each seat, or -1
    cdef list seats
    cdef walked *done

    def __cinit__(self, Py_ssize_t most):
        cdef int k
        if most > ACTIONS:
            raise ValueError(f"a hand has up to {ACTIONS} actions, got {most}")
        self.done = <walked *> malloc((most + 1) * sizeof(walked))
        if self.done == NULL:
            raise MemoryError("no memory to walk through a hand")
        self.actions = self.players = self.rounds = 0
        self.seats = []
        memset(self.place, -1, sizeof(self.place))
        for k in range(4):
            self.on_board[k] = -1

    def __dealloc__(self):
        free(self.done)

    cdef int add(self, object given, object features) except -1:
        """Take note of a `Decision`, if the rules offered what was done."""
        cdef tuple decision, situation
        cdef int cells[PM_SITUATION_CELLS]
        cdef int seat, round, act, legal, k
        cdef walked *done = self.done + self.actions
        if not isinstance(given, tuple) or len(given) != 7:
            raise ValueError(f"expected a decision, got {given!r}")
        decision = <tuple> given
        if not isinstance(decision[3], tuple) or len(decision[3]) < 18:
            raise ValueError(f"expected a situation, got {decision[3]!r}")
        situation = <tuple> decision[3]
        act, legal = decision[4], take_acts(situation[17])
        if decision[6] or not 0 <= act < 3 or not legal >> act & 1:
            return 0
        seat, round = situation[2], situation[5]
        if not (0 <= seat < PM_SEATS and 0 <= round < PM_TABLE_ROUNDS):
            raise ValueError(f"there is no seat {seat} in round {round}")
        if self.on_board[round] < 0:
            self.on_board[round] = take_board(situation[4], self.board[round]) if round else 0
            if round and self.on_board[round] != round + 2:
                raise ValueError(f"{self.on_board[round]} cards on the board in round {round}, expected {round + 2}")
            self.rounds = max(self.rounds, round + 1)
        if self.place[seat] < 0:
            self.place[seat] = self.players
            self.players += 1
            self.seats.append(seat)
        take_cells(features, cells)
        for k in range(PM_TABLE_CELLS):
            if not 0 <= cells[k] < 0x7fff:
                raise ValueError(f"there is no cell {cells[k]}")
            done.cells[k] = <int16_t> cells[k]
        done.actor, done.round = <uint8_t> self.place[seat], <uint8_t> round
        done.act, done.legal = <uint8_t> act, <uint8_t> legal
        self.actions += 1
        return 0


def observe(
    decisions,
    features,
    board,
    known,
    mucked,
    unsigned best,
    const uint8_t[::1] preflop,
    BucketBorders borders not None,
):
    """Gather what a hand says.

    Parameters
    ----------
    decisions : list of Decision
    features : list of Features
        Of each.
    board : sequence of int
        The whole board.
    known : dict of int to sequence of int
        Two cards of each seat whose cards were seen.
    mucked : collection of int
        Seats whose cards lose to a hand of rank `best`.
    best : int
        0 where nothing follows.
    preflop : ndarray of uint8, shape (1326,)
        Classes of holdings before the flop.
    borders : BucketBorders
        What divides them after it.

    Returns
    -------
    (list of int, bytes) or None
        Seats of those who acted, and the hand as ``observed_hands.h`` has it; None if nobody did anything
        that was offered.

    Raises
    ------
    ValueError
        If something is not what it should be.
    """
    cdef _Walk walk = _Walk(len(decisions))
    cdef pm_nodes nodes[PM_TABLE_ROUNDS]
    cdef uint8_t classes[PM_TABLE_ROUNDS][1326]
    cdef uint8_t losing[1326]
    cdef uint8_t cards[5]
    cdef uint8_t pair[2]
    cdef int whole[5]
    cdef bint loses[SEATS]
    cdef uint64_t dead = 0
    cdef pm_observed_head head
    cdef pm_observed_hand h
    cdef int16_t *to_cells
    cdef uint16_t *to_words
    cdef const uint16_t *mass
    cdef uint8_t *to
    cdef int8_t *shown
    cdef bytes content
    cdef int k, n, seat, row, round, holding
    cdef int apart = 0
    if len(decisions) != len(features):
        raise ValueError(f"{len(decisions)} decisions need as many features, got {len(features)}")
    check_shape("classes", (preflop.shape[0],), (PM_HOLDINGS,))
    for k in range(PM_HOLDINGS):
        if preflop[k] >= PM_TABLE_CLASSES:
            raise ValueError(f"a class must be 0 to {PM_TABLE_CLASSES - 1}, got {preflop[k]}")
    for k in range(len(decisions)):
        walk.add(decisions[k], features[k])
    if not walk.actions:
        return None
    n = take_cards(board, cards, 0, 5, "a board", &dead, "")
    for k in range(n):
        whole[k] = cards[k]
    for holding_of in known.values():
        take_cards(holding_of, pair, 2, 2, "a holding", &dead, " among board and holdings")
    memset(loses, 0, sizeof(loses))
    if best and n == 5:
        if pm_losing_holdings(tables(), whole, dead, best, losing):
            for item in mucked:
                seat = item
                if 0 <= seat < SEATS and walk.place[seat] >= 0:
                    loses[walk.place[seat]] = apart = 1
    h.actions, h.players, h.rounds = walk.actions, walk.players, walk.rounds
    h.masses = walk.players if apart else 1
    with nogil:
        h.all_nodes = pm_observed_tree(
            tables(),
            walk.board,
            walk.on_board,
            h.rounds,
            &preflop[0],
            &borders.c,
            dead,
            losing if apart else NULL,
            classes,
            nodes,
        )
    content = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> pm_observed_size(&h))
    to = <uint8_t *> PyBytes_AS_STRING(content)
    memset(&head, 0, sizeof(head))
    head.actions, head.players = <int16_t> h.actions, <int16_t> h.players
    head.masses, head.rounds = <int16_t> h.masses, <int16_t> h.rounds
    for round in range(h.rounds):
        head.nodes[round] = <int16_t> nodes[round].n
    memcpy(to, &head, sizeof(head))
    pm_observed_parts(&h, to)
    to_cells, to_words = <int16_t *> h.cells, <uint16_t *> h.parent
    for k in range(h.actions):
        memcpy(to_cells + PM_TABLE_CELLS * k, walk.done[k].cells, sizeof(walk.done[k].cells))
        (<uint8_t *> h.actor)[k], (<uint8_t *> h.round)[k] = walk.done[k].actor, walk.done[k].round
        (<uint8_t *> h.act)[k], (<uint8_t *> h.legal)[k] = walk.done[k].act, walk.done[k].legal
    for round in range(h.rounds):
        memcpy(to_words, nodes[round].parent, nodes[round].n * sizeof(uint16_t))
        to_words += nodes[round].n
    for row in range(h.masses):
        for round in range(h.rounds):
            mass = &nodes[round].lost[0] if loses[row] else &nodes[round].mass[0]
            memcpy(to_words, mass, nodes[round].n * sizeof(uint16_t))
            to_words += nodes[round].n
    shown = <int8_t *> h.shown
    memset(shown, -1, h.players * h.rounds)
    for item, holding_of in known.items():
        seat = item
        if 0 <= seat < SEATS and walk.place[seat] >= 0:
            holding = pm_holding(holding_of[0], holding_of[1])
            for round in range(h.rounds):
                shown[walk.place[seat] * h.rounds + round] = <int8_t> classes[round][holding]
    to = <uint8_t *> h.classes
    for round in range(h.rounds):
        memcpy(to, nodes[round].class_, nodes[round].n)
        to += nodes[round].n
    return walk.seats, content


cdef int take_hand(object content, pm_observed_hand *hand) except -1:
    cdef const char *wrong
    if type(content) is not bytes:
        raise ValueError(f"expected the bytes of a hand, got {type(content).__name__}")
    wrong = pm_observed_read(hand, <const uint8_t *> PyBytes_AS_STRING(content), PyBytes_GET_SIZE(content))
    if wrong != NULL:
        raise ValueError(f"this is no hand as it is observed: {wrong.decode()}")
    return 0


def unpack(content):
    """Unpack the bytes of a hand into arrays.

    Raises
    ------
    ValueError
        If they are something else.
    """
    cdef pm_observed_hand h
    cdef int a, k, c, round, row, last, node
    take_hand(content, &h)
    last = h.rounds - 1
    columns = np.empty((3, h.actions), dtype=np.intp)
    cells = np.empty((h.actions, PM_TABLE_CELLS), dtype=np.intp)
    legal = np.empty((h.actions, 3))
    classes = np.empty((h.nodes[last], h.rounds), dtype=np.uint8)
    mass = np.empty((h.masses, h.nodes[last]))
    shown = np.empty((h.players, h.rounds), dtype=np.intp)
    for a in range(h.actions):
        columns[:, a] = h.actor[a], h.round[a], h.act[a]
        for c in range(PM_TABLE_CELLS):
            cells[a, c] = h.cells[a * PM_TABLE_CELLS + c]
        for c in range(3):
            legal[a, c] = h.legal[a] >> c & 1
    for k in range(h.nodes[last]):
        node = k
        for round in range(last, -1, -1):
            classes[k, round] = h.classes[h.first[round] + node]
            node = h.parent[h.first[round] + node]
        for row in range(h.masses):
            mass[row, k] = h.mass[row * h.all_nodes + h.first[last] + k]
    for a in range(h.players):
        for round in range(h.rounds):
            shown[a, round] = h.shown[a * h.rounds + round]
    actors, rounds, acts = (np.array(column) for column in columns)
    return actors, rounds, acts, cells, legal, classes, mass, shown
