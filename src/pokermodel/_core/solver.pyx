"""Betting trees of subgames for two players, and what solves them.

The C functions are in ``pokermodel/solving/``.
"""

from cython cimport final
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free as from_c_free, malloc
from libc.string cimport memcpy, memset

from threading import RLock

import numpy as np

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport tables
from pokermodel._core.rules cimport (
    PM_LIMIT,
    PM_MIN_LAST,
    PM_NO_LIMIT,
    PM_ODD_SPLIT,
    PM_POT_LIMIT,
    PM_REOPEN_HALF,
    PM_REOPEN_MINIMUM,
)
from pokermodel._core.simd cimport level_in_use
from pokermodel._core.strength cimport pm_field, pm_field_init


#: What a size of a menu is, by its number: a share of the pot after a call, the least, the most, geometric, times the
#: bet that is faced, put in on the street in all.
SIZES = ("pot", "least", "all-in", "geometric", "times", "to")
#: Most sizes of a menu's row.
MOST_SIZES = PM_MENU_SIZES
#: What a node is, by its number.
NODES = ("decision", "deal", "fold", "showdown")
#: What the player does whose walk it is.
LEARN, BEST, PLAY = PM_WALK_LEARN, PM_WALK_BEST, PM_WALK_PLAY

cdef enum:
    HOLDINGS = 1326
    MOST_NODES = 5_000_000

cdef dict STRUCTURES = {"limit": PM_LIMIT, "pot limit": PM_POT_LIMIT, "no limit": PM_NO_LIMIT}


cdef const pm_solving_kernels *solving_kernels() noexcept nogil:
    return pm_solving_kernels_at(level_in_use())


cdef int fill_sizes(sizes, pm_size *to) except -1:
    cdef int n = 0
    if len(sizes) > PM_MENU_SIZES:
        raise ValueError(f"a menu has at most {PM_MENU_SIZES} sizes in a row, got {len(sizes)}")
    for kind, share in sizes:
        to[n].kind = SIZES.index(kind)
        to[n].share = share
        n += 1
    return n


cdef int fill_betting(
    pm_table *t, pm_menu *m, str structure, bets, max_raises, menu, double all_in_share
) except -1:
    """The betting between two as the rules and a tree have it, but for blinds, stacks, dead money and rake.

    In every round seat 0 acts first.
    """
    cdef int r, p
    t.players = 2
    for r in range(4):
        t.bets[r] = bets[r]
        t.max_raises[r] = max_raises[r]
        t.first[r] = 0
        for p in range(2):
            row_bets, row_raises, donk = menu[r][p]
            m.of[r][p].bets = fill_sizes(row_bets, m.of[r][p].bet)
            m.of[r][p].raises = fill_sizes(row_raises, m.of[r][p].raise_)
            m.of[r][p].donk = bool(donk)
            m.of[r][p].leads = fill_sizes(row_bets if isinstance(donk, bool) else donk, m.of[r][p].lead)
    t.cap_heads_up = 1
    t.full_blind = 1
    t.structure = STRUCTURES[structure]
    t.reopen = PM_REOPEN_HALF if t.structure == PM_LIMIT else PM_REOPEN_MINIMUM
    t.odd_chips = PM_ODD_SPLIT
    t.min_raise = PM_MIN_LAST
    m.all_in_share = all_in_share
    return 0


cdef int count_nodes(
    pm_betting_tree *tree, const pm_table *t, const pm_menu *m, int round, int64_t most
) except -1:
    """Count a tree's nodes; raises `ValueError` if there are too many, or too many acts after each other."""
    cdef int found = pm_tree_count(tree, t, m, round, most)
    if found:
        what = f"more than {most:,} nodes" if found == -1 else f"lines of more than {PM_TREE_DEPTH} acts"
        raise ValueError(f"the betting tree has {what}: expected fewer or larger sizes")
    return 0


cdef dict nodes_of(const pm_betting_tree *tree):
    """A tree as arrays by node."""
    cdef int64_t k, n = tree.nodes
    cdef int p
    names = ("parent", "end", "kind", "player", "acts", "street", "act", "decision", "place")
    found = {name: np.empty(n, dtype=np.int64) for name in names}
    found["put"] = np.empty((n, 2), dtype=np.int64)
    cdef int64_t[::1] parent = found["parent"]
    cdef int64_t[::1] end = found["end"]
    cdef int64_t[::1] kind = found["kind"]
    cdef int64_t[::1] player = found["player"]
    cdef int64_t[::1] acts = found["acts"]
    cdef int64_t[::1] street = found["street"]
    cdef int64_t[::1] act = found["act"]
    cdef int64_t[::1] decision = found["decision"]
    cdef int64_t[::1] place = found["place"]
    cdef int64_t[:, ::1] put = found["put"]
    cdef const pm_tree_node *node
    for k in range(n):
        node = tree.node + k
        parent[k], end[k], kind[k], player[k] = node.parent, node.end, node.kind, node.player
        acts[k], street[k], act[k] = node.acts, node.street, node.act
        decision[k], place[k] = node.decision, node.place
        for p in range(2):
            put[k, p] = node.put[p]
    return found


def three_way_shares(board, const double[::1] first, const double[::1] second):
    """What each holding wins of the pot at a showdown of three, as ``pokermodel/solving/three_way.h`` says.

    Parameters
    ----------
    board : sequence of int
        Five card indices.
    first, second : float64 (1326,)
        Weights of the two others.

    Returns
    -------
    ndarray of float64, shape (1326,)
        nan where a holding is not possible, or one of the others can hold nothing beside it.

    Raises
    ------
    ValueError
        If an array has another shape, or it is no such board.
    """
    cdef uint8_t cards[5]
    cdef int of[5]
    cdef uint64_t seen = 0
    cdef int n = take_cards(board, cards, 5, 5, "a board", &seen, "")
    cdef int k
    cdef pm_field *field
    cdef double *space
    if first.shape[0] != HOLDINGS or second.shape[0] != HOLDINGS:
        raise ValueError(f"weights must be {HOLDINGS}, got {first.shape[0]} and {second.shape[0]}")
    for k in range(n):
        of[k] = cards[k]
    found = np.full(HOLDINGS, np.nan)
    cdef double[::1] to = found
    field = <pm_field *> malloc(sizeof(pm_field))
    space = <double *> calloc(9 * HOLDINGS, sizeof(double))
    try:
        if field == NULL or space == NULL:
            raise MemoryError
        with nogil:
            pm_field_init(tables(), field, of, 5, 0)
            for k in range(field.size):
                space[k] = first[field.holding[k]]
                space[HOLDINGS + k] = second[field.holding[k]]
            pm_three_way_shares(field, space, space + HOLDINGS, space + 2 * HOLDINGS, space + 8 * HOLDINGS)
            for k in range(field.size):
                if space[8 * HOLDINGS + k] >= 0:
                    to[field.holding[k]] = space[8 * HOLDINGS + k]
    finally:
        from_c_free(field)
        from_c_free(space)
    return found


@final
cdef class SubgameSolver:
    """A subgame: its tree, its boards, and the strategies of both players while they are learnt.

    Parameters
    ----------
    board : sequence of int
        Three to five card indices.
    pot, stack : int
        Chips in the middle, and behind for each player.
    structure : {"limit", "pot limit", "no limit"}
    bets : sequence of int
        By round, from before the flop on: a bet in limit, else the least bet.
    max_raises : sequence of int
        Bets and raises of each round.
    menu : sequence
        For each round from before the flop on and each player ``(bets, raises, donk)``; the first two are sequences of
        ``(kind, share)`` with a kind of `SIZES`.
    all_in_share, rake, rake_cap : float
        A bet that leaves at most this share of the pot after a call is all-in; the share of the pot that the house
        takes, and the most chips of it.
    first, second : float64 (1326,)
        Weights of the player out of position and of the one in position.
    isomorphic : bool
        Whether boards that differ in names of suits may be solved once.
    most_nodes : int
        Where the tree would have more, it is refused.
    deals : float64 (52,), optional
        How much likelier each card is dealt than if all were alike; 0 for one that never is, and below 0 for one that
        is not looked at, whose boards take no time.
    again : float
        How much likelier any card of a second deal is, besides.

    Attributes
    ----------
    turn : RLock
        Held by a thread while it learns, walks or looks, where threads share a solver.

    Raises
    ------
    ValueError
        If a range is dead on the board, or the tree is too large.
    """

    cdef pm_solver c
    cdef pm_arena **arena
    cdef int arenas
    cdef float *rows
    cdef pm_solver_walk walk
    cdef SubgameSolver other  # kept alive while it is walked
    cdef uint64_t root
    cdef bint made
    cdef bint busy  # in a walk
    cdef readonly object turn
    cdef int32_t counts[3]
    cdef int32_t images
    cdef int32_t room  # for locks

    def __cinit__(
        self, board, int64_t pot, int64_t stack, str structure, bets, max_raises, menu, double all_in_share,
        double rake, double rake_cap, const double[::1] first, const double[::1] second, bint isomorphic,
        int64_t most_nodes=MOST_NODES, const double[::1] deals=None,
        double again=1.0,
    ):
        cdef uint8_t cards[5]
        cdef uint64_t seen = 0
        cdef int n = take_cards(board, cards, 3, 5, "a board", &seen, "")
        cdef int r, p
        cdef const double *weights[2]
        cdef pm_table *t = &self.c.table
        self.turn = RLock()
        if first.shape[0] != HOLDINGS or second.shape[0] != HOLDINGS:
            raise ValueError(f"ranges must have {HOLDINGS} weights, got {first.shape[0]} and {second.shape[0]}")
        self.root = seen
        self.c.round = n - 2
        t.dead[0] = pot - pot // 2
        t.dead[1] = pot // 2
        for p in range(2):
            t.limit[p] = stack
        fill_betting(t, &self.c.menu, structure, bets, max_raises, menu, all_in_share)
        self.c.menu.rake = rake
        self.c.menu.rake_cap = rake_cap
        count_nodes(&self.c.tree, t, &self.c.menu, self.c.round, most_nodes)
        self.c.boards.cards = n
        if deals is not None and deals.shape[0] != 52:
            raise ValueError(f"deals must have shape (52,), got ({deals.shape[0]},)")
        for r in range(52):
            self.c.boards.deal[r] = 1.0 if deals is None else deals[r]
        self.c.boards.again = again
        weights[0] = &first[0]
        weights[1] = &second[0]
        pm_boards_places(&self.c.boards, seen, weights)
        for p in range(2):
            if not self.c.boards.n[p]:
                who = "in" if p else "out of"
                raise ValueError(f"the range of the player {who} position is dead on the board")
        if pm_boards_renamings(&self.c.boards, seen, weights, isomorphic):
            raise MemoryError
        pm_boards_list(&self.c.boards, seen, self.c.tree.streets, self.counts, &self.images, 0)

    def __dealloc__(self):
        cdef int k
        for k in range(self.arenas):
            pm_arena_free(self.arena[k])
        self.drop_rows()
        if self.arena != NULL:
            from_c_free(self.arena)
        pm_solver_free(&self.c)

    cdef void drop_rows(self) noexcept:
        if self.rows != NULL:
            from_c_free(self.rows)
        self.rows = NULL

    # -------------------------------------------------------------------------------------- size

    @property
    def size(self):
        """Nodes, boards and decisions by street, and acts of both players' decisions: a dict of tuples."""
        cdef int s
        streets = range(self.c.tree.streets)
        return {
            "nodes": self.c.tree.nodes,
            "boards": tuple([self.counts[s] for s in streets]),
            "decisions": tuple([self.c.tree.decisions[s] for s in streets]),
            "acts": tuple([(self.c.tree.acts[s][0], self.c.tree.acts[s][1]) for s in streets]),
            "holdings": (self.c.boards.n[0], self.c.boards.n[1]),
            "renamings": self.c.boards.renamings,
        }

    def memory(self, bint half):
        """Bytes of regrets and averages, with 16 bits or 32."""
        cdef int s, p
        cdef int64_t total = 0
        cdef int64_t block
        for s in range(self.c.tree.streets):
            block = 0
            for p in range(2):
                block += self.c.tree.acts[s][p] * self.c.boards.pad[p]
            total += 2 * self.counts[s] * (block * (2 if half else 4) + (4 * self.c.tree.decisions[s] if half else 0))
        return total

    def grow(self):
        """Make the tree alone, for `nodes`: no boards, regrets or averages.

        Raises
        ------
        MemoryError
            If there is no memory.
        """
        if self.c.tree.node == NULL:
            if pm_tree_make(&self.c.tree, &self.c.table, &self.c.menu, self.c.round, self.c.boards.pad):
                raise MemoryError

    def make(self, bint half, int threads=1):
        """Allocate regrets, averages and what threads need.

        Raises
        ------
        MemoryError
            If there is no memory.
        """
        cdef int k
        cdef int64_t rows
        if self.made:
            raise ValueError("this solver is made already")
        self.grow()
        if pm_boards_make(tables(), &self.c.boards, self.root, self.c.tree.streets):
            raise MemoryError
        if pm_numbers_make(&self.c, &self.c.regret, half) or pm_numbers_make(&self.c, &self.c.average, half):
            raise MemoryError
        rows = 1
        if self.c.tree.streets > 1:
            rows += <int64_t> pm_first_deals(&self.c) * pm_boards_of(&self.c, 1)
        self.rows = <float *> malloc(<size_t> rows * max(self.c.boards.pad[0], self.c.boards.pad[1]) * sizeof(float))
        self.arena = <pm_arena **> calloc(threads, sizeof(pm_arena *))
        if self.rows == NULL or self.arena == NULL:
            raise MemoryError
        self.arenas = threads
        for k in range(threads):
            self.arena[k] = pm_arena_make(&self.c)
            if self.arena[k] == NULL:
                raise MemoryError
        self.made = True

    cdef int need(self) except -1:
        if not self.made:
            raise ValueError("this solver has no memory yet: call make first")
        return 0

    cdef int alone(self) except -1:
        self.need()
        if self.busy:
            raise ValueError("this solver is at work in another thread: expected one at a time")
        return 0

    @property
    def iterations(self):
        """Iterations so far."""
        return self.c.iterations

    @iterations.setter
    def iterations(self, int64_t number):
        self.c.iterations = number

    # -------------------------------------------------------------------------------------- the tree

    def nodes(self):
        """The tree as arrays by node: a dict of int64 arrays."""
        if self.c.tree.node == NULL:
            self.need()
        return nodes_of(&self.c.tree)

    def holdings(self, int player):
        """Indices of a player's holdings, by place: intp."""
        cdef int k
        return np.array([self.c.boards.holding[player][k] for k in range(self.c.boards.n[player])], dtype=np.intp)

    def weights(self, int player):
        """Their weights, which sum to 1: float64."""
        cdef int k
        return np.array([self.c.boards.weight[player][k] for k in range(self.c.boards.n[player])], dtype=np.float64)

    def board(self, int street, int number):
        """Cards that were dealt since the root, the number of the board before, and what the last card stands for.

        Returns
        -------
        tuple
            Dealt cards, the number in the street before (-1 of the root), and pairs of a card and what each suit of
            this board becomes on it.
        """
        cdef pm_board *b
        cdef int32_t k
        self.need()
        if not (0 <= street < self.c.tree.streets and 0 <= number < pm_boards_of(&self.c, street)):
            raise ValueError(f"there is no board {number} on street {street}")
        b = self.c.boards.board + self.c.boards.first[street] + number
        images = []
        for k in range(b.images, b.image_end):
            renaming = self.c.boards.image[k].renaming
            images.append((self.c.boards.image[k].card, tuple([self.c.boards.suit[renaming][s] for s in range(4)])))
        before = b.parent - self.c.boards.first[street - 1] if street else -1
        return tuple([b.dealt[k] for k in range(b.deals)]), before, images

    def children(self, int street, int number):
        """Numbers of the boards that a card leads to from a board, as a range of the next street."""
        cdef pm_board *b = self.c.boards.board + self.c.boards.first[street] + number
        cdef int32_t first = b.first - self.c.boards.first[street + 1]
        return range(first, first + b.children)

    # -------------------------------------------------------------------------------------- locks

    def lock(self, locks, int32_t room=0):
        """Replace all locks.

        Parameters
        ----------
        locks : sequence of tuple
            Node, board in its street, strategy as float64 (acts, holdings), confidence.
        room : int
            How many more `lock_classes` will add.
        """
        cdef int a, h, n, pad
        cdef pm_tree_node *node
        cdef const double[:, ::1] model
        cdef pm_lock *one
        self.need()
        pm_solver_unlock(&self.c)
        self.room = 0
        if not locks and not room:
            return
        self.c.lock = <pm_lock *> calloc(len(locks) + room, sizeof(pm_lock))
        if self.c.lock == NULL:
            raise MemoryError
        self.room = <int32_t> len(locks) + room
        for where, board, strategy, confidence in locks:
            node = self.node_of(where, board)
            n = self.c.boards.n[node.player]
            pad = self.c.boards.pad[node.player]
            model = np.ascontiguousarray(strategy, dtype=np.float64)
            if model.shape[0] != node.acts or model.shape[1] != n:
                raise ValueError(f"a lock must have shape ({node.acts}, {n}), got ({model.shape[0]}, {model.shape[1]})")
            one = self.new_lock(node, board, confidence)
            for a in range(node.acts):
                for h in range(n):
                    one.model[a * pad + h] = <float> model[a, h]

    cdef pm_lock *new_lock(self, pm_tree_node *node, int64_t board, float confidence) except NULL:
        """A lock of a node on a board, whose strategy is still to be filled in."""
        cdef int street = node.street
        cdef int64_t k, size
        cdef pm_lock *one
        if self.c.lock_of[street] == NULL:
            size = pm_boards_of(&self.c, street) * self.c.tree.decisions[street]
            self.c.lock_of[street] = <int32_t *> malloc(size * sizeof(int32_t))
            if self.c.lock_of[street] == NULL:
                raise MemoryError
            for k in range(size):
                self.c.lock_of[street][k] = -1
        if self.c.locks >= self.room:
            raise ValueError(f"there is room for {self.room} locks")
        one = &self.c.lock[self.c.locks]
        one.confidence = confidence
        one.model = <float *> calloc(node.acts * self.c.boards.pad[node.player], sizeof(float))
        if one.model == NULL:
            raise MemoryError
        self.c.lock_of[street][pm_scale_of(&self.c, street, board, node)] = self.c.locks
        self.c.locks += 1
        return one

    def lock_classes(
        self, int64_t board, const int64_t[::1] nodes, const float[::1] confidences, const int64_t[::1] of,
        const float[:, ::1] strategies,
    ):
        """Lock nodes of one street on one board, by strategies of classes of holdings.

        Parameters
        ----------
        board : int
            In the street of the nodes.
        nodes : int64 (n,)
        confidences : float32 (n,)
            Where it is 0 there is no lock.
        of : int64 (1326,)
            The class of each holding; -1 where it is not possible.
        strategies : float32 (all acts, classes)
            Acts of the nodes one after the other.

        Raises
        ------
        ValueError
            If a shape does not fit, there is no such node or class, or `lock` has left no room.
        """
        cdef Py_ssize_t k, row = 0
        cdef int a, h, n, pad
        cdef int64_t each
        cdef float alike
        cdef pm_tree_node *node
        cdef pm_lock *one
        cdef const float *given
        if confidences.shape[0] != nodes.shape[0]:
            raise ValueError(f"{nodes.shape[0]} nodes need as many confidences, got {confidences.shape[0]}")
        self.check_classes(board, nodes, of, strategies)
        for k in range(nodes.shape[0]):
            node = self.node_of(nodes[k], board)
            if confidences[k] > 0:
                one = self.new_lock(node, board, confidences[k])
                n, pad = self.c.boards.n[node.player], self.c.boards.pad[node.player]
                alike = <float> (1.0 / node.acts)  # of holdings that the board kills: they are worth nothing
                with nogil:
                    for a in range(node.acts):
                        given = &strategies[row + a, 0]
                        for h in range(n):
                            each = of[self.c.boards.holding[node.player][h]]
                            one.model[a * pad + h] = alike if each < 0 else given[each]
            row += node.acts

    def set_classes(
        self, int64_t board, const int64_t[::1] nodes, const int64_t[::1] of, const float[:, ::1] strategies
    ):
        """Set the average strategies of nodes of one street on one board, by classes of holdings; as `lock_classes`."""
        cdef Py_ssize_t k, row = 0
        cdef int a, h, n, pad
        cdef int64_t each
        cdef float alike
        cdef float *sums
        cdef pm_tree_node *node
        self.check_classes(board, nodes, of, strategies)
        self.set_walk(PM_WALK_PLAY, 0, True, None, None)
        for k in range(nodes.shape[0]):
            node = self.node_of(nodes[k], board)
            n, pad = self.c.boards.n[node.player], self.c.boards.pad[node.player]
            sums = pm_read_numbers(
                &self.walk, &self.c.average, node.street, <int32_t> board, node, self.arena[0].scratch
            )
            alike = <float> (1.0 / node.acts)
            for a in range(node.acts):
                for h in range(n):
                    each = of[self.c.boards.holding[node.player][h]]
                    sums[a * pad + h] = alike if each < 0 else strategies[row + a, each]
            pm_write_numbers(&self.walk, &self.c.average, node.street, <int32_t> board, node, sums)
            row += node.acts

    cdef int check_classes(
        self, int64_t board, const int64_t[::1] nodes, const int64_t[::1] of, const float[:, ::1] strategies
    ) except -1:
        cdef Py_ssize_t k, row = 0
        cdef int h
        if of.shape[0] != HOLDINGS:
            raise ValueError(f"of must have shape ({HOLDINGS},), got ({of.shape[0]},)")
        for h in range(HOLDINGS):
            if not -1 <= of[h] < strategies.shape[1]:
                raise ValueError(f"classes must be -1 to {strategies.shape[1] - 1}, got {of[h]}")
        for k in range(nodes.shape[0]):
            row += self.node_of(nodes[k], board).acts
        if row != strategies.shape[0]:
            raise ValueError(f"the nodes have {row} acts, the strategies {strategies.shape[0]}")
        return 0

    cdef pm_tree_node *node_of(self, int64_t number, int64_t board) except NULL:
        """The node, which must be a decision, on a board."""
        cdef pm_tree_node *node
        self.need()
        if not 0 <= number < self.c.tree.nodes:
            raise ValueError(f"there is no node {number}")
        node = self.c.tree.node + number
        if node.kind != PM_NODE_DECISION:
            raise ValueError(f"nobody acts at node {number}")
        if not 0 <= board < pm_boards_of(&self.c, node.street):
            raise ValueError(f"there is no board {board} on street {node.street}")
        return node

    # -------------------------------------------------------------------------------------- walks

    cdef int set_walk(self, int mode, int own, bint locked, SubgameSolver mine, SubgameSolver other) except -1:
        """`mine` has the strategy of the player, `other` that of their opponent; None for this solver."""
        self.alone()
        self.other = other
        for each in (mine, other):
            if each is not None:
                (<SubgameSolver> each).need()
                if (<SubgameSolver> each).size != self.size:
                    raise ValueError("the strategy is of another tree")
        memset(&self.walk, 0, sizeof(pm_solver_walk))
        self.walk.solver = &self.c
        self.walk.kernels = pm_solving_kernels_at(level_in_use())
        self.walk.regret = &self.c.regret
        self.walk.average[own] = &self.c.average if mine is None else &mine.c.average
        self.walk.average[1 - own] = &self.c.average if other is None else &other.c.average
        self.walk.mode = mode
        self.walk.own = own
        self.walk.locked = locked
        pm_walk_discount(&self.walk, self.c.iterations)
        return 0

    def learn(self, int iterations):
        """Learn so many iterations on one thread."""
        self.set_walk(PM_WALK_LEARN, 0, True, None, None)
        self.busy = True
        with nogil:
            for _ in range(iterations):
                pm_solver_iterate(&self.c, &self.walk, self.arena[0], self.rows)
        self.busy = False

    cdef int check_begun(self) except -1:
        if not self.busy:
            raise ValueError("no walk was begun: call begin first")
        return 0

    cdef float *row_of(self, int32_t board) noexcept nogil:
        return self.rows + <ptrdiff_t> board * pm_first_deals(&self.c) * self.c.boards.pad[self.walk.own]

    def begin(self, int mode, int own, bint locked=True, SubgameSolver mine=None, SubgameSolver other=None):
        """Begin a walk of a mode for a player.

        Call `share` for each of the threads, then `end`; threads begin when this returned, and the end comes when all
        are done.

        Parameters
        ----------
        mode : int
            `LEARN`, `BEST` or `PLAY`.
        own : int
            The player.
        locked : bool
            Whether a best response keeps to the player's own locks.
        mine, other : SubgameSolver, optional
            Whose average strategies are played by the player and by the opponent. Default: those learnt here.
        """
        self.set_walk(mode, own, locked, mine, other)
        self.busy = True
        with nogil:
            pm_walk_begin(&self.walk, self.arena[0])

    def drop(self):
        """Give up a walk that was begun, when no thread has a share of it any more."""
        self.busy = False
        self.other = None

    def share(self, int thread, int threads):
        """Walk one thread's share of the boards of the first deal."""
        cdef int32_t board
        self.check_begun()
        if not 0 <= thread < min(threads, self.arenas):
            raise ValueError(f"there are {self.arenas} threads, got {thread} of {threads}")
        if self.c.tree.streets == 1:
            return
        with nogil:
            board = thread
            while board < pm_boards_of(&self.c, 1):
                pm_walk_board(&self.walk, self.arena[thread], self.arena[0], board, self.row_of(board))
                board += threads

    def end(self):
        """End a walk.

        Returns
        -------
        ndarray of float64, shape (holdings,)
            What each holding of the player is worth at the root, summed over what the opponent holds by its weight;
            half of the pot is 0.
        """
        cdef const float *values
        cdef int k
        self.check_begun()
        with nogil:
            values = pm_walk_end(&self.walk, self.arena[0], self.rows)
            pm_gate_learn(&self.c, &self.walk, values)
        found = np.empty(self.c.boards.n[self.walk.own])
        cdef double[::1] to = found
        for k in range(to.shape[0]):
            to[k] = values[k]
        self.drop()
        return found

    def learnt(self):
        """Count an iteration that was walked in parts."""
        self.c.iterations += 1

    # -------------------------------------------------------------------------------------- safe answers

    def gate(self, int player, double sure, const double[::1] prior, const double[::1] away):
        """Let a player choose, with each holding, between coming to the root and staying away.

        Parameters
        ----------
        player : int
        sure : float
            Share of their range that comes in any case.
        prior : float64 (holdings,)
            Weights of the holdings with which they choose.
        away : float64 (holdings,)
            What staying away is worth, as `end` has values.
        """
        cdef int n = self.c.boards.n[player]
        if prior.shape[0] != n or away.shape[0] != n:
            raise ValueError(f"a gate needs {n} numbers, got {prior.shape[0]} and {away.shape[0]}")
        if pm_gate_make(&self.c, player, <float> sure, &prior[0], &away[0]):
            raise MemoryError

    def fill(self, int street, int64_t board, const int64_t[::1] offsets, const uint8_t[::1] numbers,
             const uint16_t[::1] buckets):
        """Set the average strategies of a board by buckets; for 32 bits.

        Parameters
        ----------
        street, board : int
        offsets : int64 (nodes,)
            Of each node of the tree, the first of its (buckets, acts) numbers; others than decisions are left out.
        numbers : uint8
            Probabilities, each distribution up to a factor.
        buckets : uint16 (1326,)
            Of each holding on the board.
        """
        cdef int32_t place
        cdef int a, k, n, pad
        cdef int64_t at
        cdef const pm_tree_node *node
        cdef float *to
        self.alone()
        if self.c.average.half or offsets.shape[0] != self.c.tree.nodes or buckets.shape[0] != HOLDINGS:
            raise ValueError("offsets of all nodes and buckets of all holdings are needed, and 32 bits")
        if not (0 <= street < self.c.tree.streets and 0 <= board < pm_boards_of(&self.c, street)):
            raise ValueError(f"there is no board {board} on street {street}")
        for place in range(self.c.tree.listed[street]):
            node = pm_node_at(&self.c, street, place)
            if node.kind != PM_NODE_DECISION:
                continue
            n = self.c.boards.n[node.player]
            pad = self.c.boards.pad[node.player]
            to = self.c.average.wide[street] + board * self.c.tree.block[street] + node.offset
            for k in range(n):
                at = offsets[self.c.tree.list[street][place]]
                at += <int64_t> buckets[self.c.boards.holding[node.player][k]] * node.acts
                if at < 0 or at + node.acts > numbers.shape[0]:
                    raise ValueError("a bucket lies outside the numbers")
                for a in range(node.acts):
                    to[a * pad + k] = numbers[at + a]

    def clear(self):
        """Forget what was learnt or filled in; locks and a gate stay."""
        cdef int s
        cdef pm_numbers *x
        self.alone()
        for which in range(2):
            x = &self.c.average if which else &self.c.regret
            for s in range(self.c.tree.streets):
                size = pm_boards_of(&self.c, s) * self.c.tree.block[s]
                memset(x.narrow[s] if x.half else <void *> x.wide[s], 0, size * (2 if x.half else 4))
        self.c.iterations = 0

    # -------------------------------------------------------------------------------------- results

    def average(self, int64_t number, int64_t board):
        """The average strategy of a node on a board: float64 (acts, holdings); nan where it was never reached."""
        cdef pm_tree_node *node = self.node_of(number, board)
        cdef int a, k
        cdef double total
        cdef int n = self.c.boards.n[node.player]
        cdef int pad = self.c.boards.pad[node.player]
        cdef const float *sums
        self.set_walk(PM_WALK_PLAY, 0, True, None, None)
        sums = pm_read_numbers(
            &self.walk, &self.c.average, node.street, <int32_t> board, node, self.arena[0].scratch
        )
        found = np.empty((node.acts, n))
        cdef double[:, ::1] to = found
        for k in range(n):
            total = 0.0
            for a in range(node.acts):
                total += max(sums[a * pad + k], 0.0)
            for a in range(node.acts):
                to[a, k] = max(sums[a * pad + k], 0.0) / total if total > 0 else float("nan")
        return found

    def set_average(self, int64_t number, int64_t board, const double[:, ::1] strategy):
        """Set the average strategy of a node on a board, of shape (acts, holdings)."""
        cdef pm_tree_node *node = self.node_of(number, board)
        cdef int a, k
        cdef int n = self.c.boards.n[node.player]
        cdef int pad = self.c.boards.pad[node.player]
        cdef float *sums
        if strategy.shape[0] != node.acts or strategy.shape[1] != n:
            raise ValueError(f"a strategy must have shape ({node.acts}, {n}), got {(<object> strategy).shape}")
        self.set_walk(PM_WALK_PLAY, 0, True, None, None)
        sums = pm_read_numbers(
            &self.walk, &self.c.average, node.street, <int32_t> board, node, self.arena[0].scratch
        )
        for a in range(node.acts):
            for k in range(n):
                sums[a * pad + k] = <float> strategy[a, k]
        pm_write_numbers(&self.walk, &self.c.average, node.street, <int32_t> board, node, sums)

    def values(
        self, int64_t number, int64_t board, int mode, int own, const double[::1] reach, bint locked=True
    ):
        """What a node on a board and each of its acts are worth to a player.

        Parameters
        ----------
        number, board : int
            The node, a decision, and the board in its street.
        mode : int
            `BEST` or `PLAY`.
        own : int
            The player, who need not be the one to act.
        reach : float64 (holdings,)
            Weights of the opponent's holdings at the node.
        locked : bool
            Whether a best response keeps to the player's own locks.

        Returns
        -------
        ndarray of float64, shape (1 + acts, holdings)
            Summed over what the opponent holds by its weight, times the chance of the cards that were dealt; half of
            the root's pot is 0.
        """
        cdef pm_tree_node *node = self.node_of(number, board)
        cdef int n = self.c.boards.n[own]
        cdef int k, row
        cdef int32_t place = node.place
        cdef int32_t next_place
        cdef const float *values
        cdef pm_arena *arena
        if reach.shape[0] != self.c.boards.n[1 - own]:
            raise ValueError(f"reach must have shape ({self.c.boards.n[1 - own]},), got ({reach.shape[0]},)")
        if mode == PM_WALK_LEARN:
            raise ValueError("values are asked for by a mode that does not learn")
        self.set_walk(mode, own, locked, None, None)
        arena = self.arena[0]
        entry_row = np.zeros(self.c.boards.pad[1 - own], dtype=np.float32)
        entry_row[: reach.shape[0]] = reach
        cdef float[::1] entry = entry_row
        arena.reach_of[node.street][place] = &entry[0]
        self.busy = True
        with nogil:
            pm_walk_range(&self.walk, arena, node.street, <int32_t> board, place, node.place_end)
        self.busy = False
        found = np.empty((1 + node.acts, n))
        cdef double[:, ::1] to = found
        next_place = place
        for row in range(1 + node.acts):
            values = pm_value_row(&self.walk, arena, node.street, next_place)
            for k in range(n):
                to[row, k] = values[k]
            next_place = place + 1 if row == 0 else pm_node_at(&self.c, node.street, next_place).place_end
        return found

    def numbers(self, str what):
        """Copies of all regrets or averages, by street.

        Parameters
        ----------
        what : {"regret", "average"}

        Returns
        -------
        list of tuple
            The numbers, float32 or float16, and the scales of 16 bits, float32; None without.
        """
        cdef int s
        cdef pm_numbers *x = &self.c.regret if what == "regret" else &self.c.average
        cdef int64_t n, scales
        self.alone()
        found = []
        for s in range(self.c.tree.streets):
            n = pm_boards_of(&self.c, s) * self.c.tree.block[s]
            scales = pm_boards_of(&self.c, s) * self.c.tree.decisions[s]
            if n == 0:
                found.append((np.empty(0, np.float16 if x.half else np.float32), np.empty(0, np.float32)))
            elif x.half:
                halves = np.asarray(<uint16_t[:n]> x.narrow[s]).copy().view(np.float16)
                found.append((halves, np.asarray(<float[:scales]> x.scale[s]).copy()))
            else:
                found.append((np.asarray(<float[:n]> x.wide[s]).copy(), np.empty(0, np.float32)))
        return found

    def set_numbers(self, str what, given):
        """Put back what `numbers` returned.

        Raises
        ------
        ValueError
            If shapes or types are not those of this solver.
        """
        cdef int s
        cdef pm_numbers *x = &self.c.regret if what == "regret" else &self.c.average
        now = self.numbers(what)
        if len(now) != len(given):
            raise ValueError(f"{what} must have {len(now)} streets, got {len(given)}")
        cdef const uint8_t[::1] raw
        for s in range(self.c.tree.streets):
            for mine, theirs in zip(now[s], given[s]):
                if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
                    raise ValueError(f"{what} of street {s} must be {mine.dtype} of shape {mine.shape}")
            numbers, scales = (np.ascontiguousarray(each) for each in given[s])
            if numbers.size:
                raw = numbers.view(np.uint8)
                memcpy(x.narrow[s] if x.half else <void *> x.wide[s], &raw[0], raw.shape[0])
            if scales.size:
                raw = scales.view(np.uint8)
                memcpy(x.scale[s], &raw[0], raw.shape[0])
