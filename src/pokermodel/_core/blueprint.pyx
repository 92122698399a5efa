"""Strategies for a whole game between two, over buckets of holdings: trees, buckets, learning.

The C functions are in ``pokermodel/solving/blueprint.h``.
"""

from cython cimport final
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport pm_evaluator, tables
from pokermodel._core.rng cimport pm_random
from pokermodel._core.rules cimport pm_table
from pokermodel._core.solver cimport (
    PM_NODE_DECISION,
    count_nodes,
    fill_betting,
    nodes_of,
    pm_betting_tree,
    pm_menu,
    pm_solving_kernels,
    pm_tree_free,
    pm_tree_make,
    solving_kernels,
)


cdef extern from "pokermodel/evaluation/field.h" nogil:
    ctypedef struct pm_field:
        pass

cdef extern from "pokermodel/solving/blueprint.h" nogil:
    int PM_HALVES

    ctypedef struct pm_moments:
        double flop[2][1326]
        int32_t turn[52][2][1326]

    ctypedef struct pm_bucket_borders:
        int outer
        int inner
        const double *square
        const double *mean

    ctypedef struct pm_blueprint:
        const pm_betting_tree *tree
        const int64_t *offset
        int rivers
        pm_bucket_borders borders[2]
        const uint8_t *preflop
        double stake

    ctypedef struct pm_training:
        const pm_solving_kernels *kernels
        float *regret
        float *average
        pm_random random
        float weight

    void pm_river_halves(const pm_evaluator *e, pm_field *field, const int *board, int16_t *halves) noexcept
    void pm_turn_moments(const pm_evaluator *e, const int *board, int32_t (*sums)[1326]) noexcept
    void pm_flop_moments(const pm_evaluator *e, const int *flop, pm_moments *m) noexcept
    int pm_bucket_of(const pm_bucket_borders *b, double mean, double square) noexcept
    double pm_mean_of(double total, int rivers) noexcept
    double pm_square_of(double total, int rivers) noexcept
    pm_random pm_random_numbered(uint64_t key, uint64_t number) noexcept
    pm_training *pm_training_make(const pm_blueprint *blueprint, int64_t nodes) noexcept
    void pm_training_free(pm_training *t) noexcept
    void pm_train(pm_training *t, const pm_evaluator *e, int flops, int boards) noexcept


cdef enum:
    HOLDINGS = 1326
    MOST_NODES = 2_000_000

cdef int take_board(board, int n, int *to) except -1:
    cdef uint8_t cards[5]
    cdef uint64_t seen = 0
    take_cards(board, cards, n, n, "a board", &seen, "")
    for k in range(n):
        to[k] = cards[k]
    return 0


def flop_moments(flop):
    """Moments of the strengths that holdings come to have, after a flop and after each of its turns.

    Parameters
    ----------
    flop : sequence of int
        Three card indices.

    Returns
    -------
    ndarray of float64, shape (53, 2, 1326)
        Mean and mean square of the share of holdings that is beaten on the river: after the turn with each card, and
        last after the flop. Of holdings and cards that the board excludes they mean nothing.
    """
    cdef int cards[3]
    cdef pm_moments *moments
    cdef int c, k
    take_board(flop, 3, cards)
    found = np.zeros((53, 2, HOLDINGS))
    cdef double[:, :, ::1] to = found
    moments = <pm_moments *> malloc(sizeof(pm_moments))
    if moments == NULL:
        raise MemoryError
    with nogil:
        pm_flop_moments(tables(), cards, moments)
        for k in range(HOLDINGS):
            for c in range(52):
                to[c, 0, k] = pm_mean_of(moments.turn[c][0][k], 46)
                to[c, 1, k] = pm_square_of(moments.turn[c][1][k], 46)
            to[52, 0, k] = pm_mean_of(moments.flop[0][k], 1081)
            to[52, 1, k] = pm_square_of(moments.flop[1][k], 1081)
    free(moments)
    return found


def turn_moments(board):
    """Moments of the strengths that holdings come to have on the river, after one turn.

    Parameters
    ----------
    board : sequence of int
        Four card indices.

    Returns
    -------
    ndarray of float64, shape (2, 1326)
        Mean and mean square, as `flop_moments` has them after each turn.
    """
    cdef int cards[4]
    cdef int32_t sums[2][1326]
    cdef int k
    take_board(board, 4, cards)
    found = np.zeros((2, HOLDINGS))
    cdef double[:, ::1] to = found
    with nogil:
        pm_turn_moments(tables(), cards, sums)
        for k in range(HOLDINGS):
            to[0, k] = pm_mean_of(sums[0][k], 46)
            to[1, k] = pm_square_of(sums[1][k], 46)
    return found


def river_buckets(board, int rivers):
    """Buckets of all holdings on a river, uint16 (1326,): 0 where the board leaves none."""
    cdef int cards[5]
    cdef pm_field field
    cdef int16_t halves[1326]
    cdef int k
    take_board(board, 5, cards)
    found = np.zeros(HOLDINGS, dtype=np.uint16)
    cdef uint16_t[::1] to = found
    with nogil:
        pm_river_halves(tables(), &field, cards, halves)
        for k in range(HOLDINGS):
            if halves[k] > 0:
                to[k] = <uint16_t> (halves[k] * rivers // (PM_HALVES + 1))
    return found


def nested_buckets(const double[:, ::1] moments, const double[::1] square, const double[:, ::1] mean):
    """Buckets by the borders of mean squares and, within each, of means.

    Parameters
    ----------
    moments : float64 (2, n)
        Mean and mean square.
    square : float64 (outer - 1,)
        Rising.
    mean : float64 (outer, inner - 1)
        Each row rising.

    Returns
    -------
    ndarray of uint16, shape (n,)
    """
    cdef pm_bucket_borders borders
    cdef Py_ssize_t k
    fill_borders(&borders, square, mean)
    found = np.zeros(moments.shape[1], dtype=np.uint16)
    cdef uint16_t[::1] to = found
    for k in range(to.shape[0]):
        to[k] = <uint16_t> pm_bucket_of(&borders, moments[0, k], moments[1, k])
    return found


cdef int fill_borders(pm_bucket_borders *b, const double[::1] square, const double[:, ::1] mean) except -1:
    if mean.shape[0] != square.shape[0] + 1:
        raise ValueError(f"{square.shape[0]} borders need {square.shape[0] + 1} rows, got {mean.shape[0]}")
    b.outer = <int> mean.shape[0]
    b.inner = <int> mean.shape[1] + 1
    b.square = &square[0] if square.shape[0] else NULL
    b.mean = &mean[0, 0] if mean.shape[1] else NULL
    return 0


@final
cdef class GameTree:
    """The betting of a whole game between two, from the first act on.

    Seat 0 has the button: it posts the first blind, acts first before the flop and last after it.

    Parameters
    ----------
    blinds : sequence of int
        Of both seats.
    stack : int
        Chips of each before the blinds.
    structure : {"limit", "pot limit", "no limit"}
    bets, max_raises : sequence of int
        By round: a bet in limit, else the least bet; bets and raises.
    menu : sequence
        As `SubgameSolver` has it.
    all_in_share : float
        A bet that leaves at most this share of the pot after a call is all-in.

    Raises
    ------
    ValueError
        If the tree is too large.
    """

    cdef pm_table table
    cdef pm_menu menu
    cdef pm_betting_tree tree

    def __cinit__(self, blinds, int64_t stack, str structure, bets, max_raises, menu, double all_in_share):
        cdef int r, p
        cdef int pad[2]
        cdef pm_table *t = &self.table
        fill_betting(t, &self.menu, structure, bets, max_raises, menu, all_in_share)
        for p in range(2):
            t.blinds[p] = blinds[p]
            t.limit[p] = stack
        for r in range(1, 4):
            t.first[r] = 1
        count_nodes(&self.tree, t, &self.menu, 0, MOST_NODES)
        pad[0] = pad[1] = 1
        if pm_tree_make(&self.tree, t, &self.menu, 0, pad):
            raise MemoryError

    def __dealloc__(self):
        pm_tree_free(&self.tree)

    def nodes(self):
        """The tree as arrays by node, as `SubgameSolver.nodes` has them: a dict of int64 arrays."""
        return nodes_of(&self.tree)


def train(
    GameTree tree not None, const int64_t[::1] offsets, int rivers, borders, const uint8_t[::1] classes, double stake,
    float[::1] regret, float[::1] average, uint64_t key, uint64_t number, int flops, int boards, double weight,
):
    """Learn from so many flops, each with so many boards, in place.

    Parameters
    ----------
    tree : GameTree
    offsets : int64 (nodes,)
        Of each decision, the first of its (buckets, acts) numbers.
    rivers : int
        Buckets of the river.
    borders : sequence of pair
        Of flop and turn, as `nested_buckets` takes them.
    classes : uint8 (1326,)
        Class of each holding, its bucket before the flop.
    stake : float
        Chips that values are divided by.
    regret, average : float32
        What was learnt so far.
    key, number : int
        The stream of random numbers.
    flops, boards : int
    weight : float
        Of what is added.
    """
    cdef pm_blueprint b
    cdef pm_training *t
    cdef int k
    cdef const double[::1] square
    cdef const double[:, ::1] mean
    cdef int64_t last, size
    memset(&b, 0, sizeof(pm_blueprint))
    if offsets.shape[0] != tree.tree.nodes or classes.shape[0] != HOLDINGS or not 1 <= rivers <= 1981:
        raise ValueError("offsets of all nodes, classes of all holdings and buckets of the river are needed")
    if regret.shape[0] != average.shape[0]:
        raise ValueError("there must be as many regrets as averages")
    buckets = [169, 0, 0, rivers]
    kept = [(square, mean) for square, mean in borders]
    for k in range(2):
        square, mean = kept[k]
        fill_borders(&b.borders[k], square, mean)
        buckets[1 + k] = b.borders[k].outer * b.borders[k].inner
    for k in range(<int> tree.tree.nodes):
        if tree.tree.node[k].kind == PM_NODE_DECISION:
            size = buckets[tree.tree.node[k].street] * tree.tree.node[k].acts
            last = offsets[k] + size
            if offsets[k] < 0 or last > regret.shape[0]:
                raise ValueError("a decision lies outside the numbers")
    b.tree = &tree.tree
    b.offset = &offsets[0]
    b.rivers = rivers
    b.preflop = &classes[0]
    b.stake = stake
    t = pm_training_make(&b, tree.tree.nodes)
    if t == NULL:
        raise MemoryError
    t.kernels = solving_kernels()
    t.regret = &regret[0]
    t.average = &average[0]
    t.random = pm_random_numbered(key, number)
    t.weight = <float> weight
    with nogil:
        pm_train(t, tables(), flops, boards)
    pm_training_free(t)
