# Betting trees and the solver of subgames, for other kernels and other packages: the C functions of
# pokermodel/solving/.

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from pokermodel._core.evaluator cimport pm_evaluator
from pokermodel._core.rules cimport pm_state, pm_table
from pokermodel._core.strength cimport pm_field


cdef extern from "pokermodel/solving/betting_tree.h" nogil:
    enum:
        PM_SIZE_POT
        PM_SIZE_LEAST
        PM_SIZE_ALL_IN
        PM_SIZE_GEOMETRIC
        PM_SIZE_TIMES
        PM_SIZE_TO
        PM_NODE_DECISION
        PM_NODE_DEAL
        PM_NODE_FOLD
        PM_NODE_SHOWDOWN
        PM_MENU_SIZES
        PM_TREE_DEPTH
        PM_NODE_ACTS
        PM_STREETS

    ctypedef struct pm_size:
        int kind
        double share

    ctypedef struct pm_menu_sizes:
        int bets
        int raises
        int leads
        pm_size bet[12]
        pm_size raise_ "raise"[12]
        pm_size lead[12]
        int donk

    ctypedef struct pm_menu:
        pm_menu_sizes of[4][2]
        double all_in_share
        double rake
        double rake_cap

    ctypedef struct pm_tree_node:
        int32_t parent
        int32_t end
        int32_t place
        int32_t place_end
        int32_t lanes
        int32_t decision
        int8_t kind
        int8_t player
        int8_t acts
        int8_t street
        int8_t act
        int64_t put[2]
        int64_t offset
        float pay[2][3]

    ctypedef struct pm_betting_tree:
        int64_t nodes
        int streets
        int64_t most
        int64_t decisions[4]
        int64_t acts[4][2]
        int64_t block[4]
        int32_t *list[4]
        int32_t listed[4]
        pm_tree_node *node

    void pm_subgame_begin(pm_state *s, const pm_table *table, int round) noexcept
    int pm_tree_count(
        pm_betting_tree *t, const pm_table *table, const pm_menu *menu, int round, int64_t most
    ) noexcept
    int pm_tree_make(
        pm_betting_tree *t, const pm_table *table, const pm_menu *menu, int round, const int *pad
    ) noexcept
    void pm_tree_free(pm_betting_tree *t) noexcept


cdef extern from "pokermodel/solving/boards.h" nogil:
    ctypedef struct pm_image:
        uint8_t card
        uint8_t renaming

    ctypedef struct pm_board:
        uint64_t cards
        uint8_t dealt[2]
        uint8_t deals
        uint32_t symmetric
        int32_t parent
        float chance
        int32_t first
        int32_t children
        int32_t images
        int32_t image_end
        uint16_t *order[2]
        float *living[2]
        uint16_t *group[2]
        int32_t alive[2]
        int32_t groups

    ctypedef struct pm_solving_boards:
        int n[2]
        int pad[2]
        int cards
        float deal[52]
        float again
        uint16_t holding[2][1328]
        uint8_t high[2][1328]
        uint8_t low[2][1328]
        uint16_t same[2][1328]
        float weight[2][1328]
        int16_t place[2][1326]
        int renamings
        uint8_t suit[24][4]
        pm_board *board
        pm_image *image
        int32_t boards
        int32_t first[4]

    void pm_boards_places(pm_solving_boards *b, uint64_t board, const double *const *weights) noexcept
    int pm_boards_renamings(
        pm_solving_boards *b, uint64_t board, const double *const *weights, int wanted
    ) noexcept
    void pm_boards_list(
        pm_solving_boards *b, uint64_t root, int streets, int32_t *count, int32_t *images, int made
    ) noexcept
    int pm_boards_make(const pm_evaluator *e, pm_solving_boards *b, uint64_t root, int streets) noexcept
    void pm_boards_free(pm_solving_boards *b) noexcept


cdef extern from "pokermodel/solving/sweep_kernels.h" nogil:
    ctypedef struct pm_solving_kernels:
        int lanes

    const pm_solving_kernels *pm_solving_kernels_at(int level) noexcept


cdef extern from "pokermodel/solving/solver.h" nogil:
    enum:
        PM_WALK_LEARN
        PM_WALK_BEST
        PM_WALK_PLAY

    ctypedef struct pm_lock:
        float *model
        float confidence

    ctypedef struct pm_gate:
        int player
        float sure
        float *prior
        float *away
        float *stay
        float *leave
        float *entry

    ctypedef struct pm_numbers:
        int half
        float *wide[4]
        uint16_t *narrow[4]
        float *scale[4]

    ctypedef struct pm_solver:
        pm_table table
        pm_menu menu
        int round
        pm_betting_tree tree
        pm_solving_boards boards
        pm_numbers regret
        pm_numbers average
        int32_t *lock_of[4]
        pm_lock *lock
        int32_t locks
        int64_t iterations
        pm_gate gate

    ctypedef struct pm_arena:
        const float **reach_of[4]
        float *scratch
        int32_t base[4]

    ctypedef struct pm_solver_walk:
        const pm_solver *solver
        const pm_solving_kernels *kernels
        const pm_numbers *regret
        const pm_numbers *average[2]
        int mode
        int own
        int locked
        float above
        float below
        float keep

    const pm_tree_node *pm_node_at(const pm_solver *s, int street, int32_t place) noexcept
    int32_t pm_boards_of(const pm_solver *s, int street) noexcept
    size_t pm_scale_of(const pm_solver *s, int street, int32_t board, const pm_tree_node *node) noexcept
    float *pm_read_numbers(
        const pm_solver_walk *w, const pm_numbers *x, int street, int32_t board, const pm_tree_node *node,
        float *scratch
    ) noexcept
    void pm_write_numbers(
        const pm_solver_walk *w, const pm_numbers *x, int street, int32_t board, const pm_tree_node *node,
        const float *from_
    ) noexcept
    float *pm_value_row(const pm_solver_walk *w, const pm_arena *m, int street, int32_t place) noexcept
    void pm_walk_range(
        const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from_, int32_t to
    ) noexcept
    size_t pm_arena_lay(const pm_solver *s, pm_arena *m, char *at) noexcept
    pm_arena *pm_arena_make(const pm_solver *s) noexcept
    void pm_arena_free(pm_arena *m) noexcept
    int pm_numbers_make(const pm_solver *s, pm_numbers *x, int half) noexcept
    void pm_numbers_free(pm_numbers *x) noexcept
    void pm_solver_unlock(pm_solver *s) noexcept
    void pm_solver_free(pm_solver *s) noexcept
    void pm_walk_discount(pm_solver_walk *w, int64_t iteration) noexcept
    void pm_walk_begin(const pm_solver_walk *w, pm_arena *m) noexcept
    int32_t pm_first_deals(const pm_solver *s) noexcept
    void pm_walk_board(const pm_solver_walk *w, pm_arena *m, const pm_arena *root, int32_t child, float *to) noexcept
    const float *pm_walk_end(const pm_solver_walk *w, pm_arena *m, const float *from_) noexcept
    void pm_gate_clear(pm_solver *s) noexcept
    int pm_gate_make(pm_solver *s, int player, float sure, const double *prior, const double *away) noexcept
    void pm_gate_learn(pm_solver *s, const pm_solver_walk *w, const float *values) noexcept
    void pm_solver_iterate(pm_solver *s, pm_solver_walk *w, pm_arena *m, float *rows) noexcept


cdef extern from "pokermodel/solving/three_way.h" nogil:
    void pm_three_way_shares(
        const pm_field *field, const double *first, const double *second, double *cells, double *shares
    ) noexcept


cdef const pm_solving_kernels *solving_kernels() noexcept nogil
cdef int count_nodes(pm_betting_tree *tree, const pm_table *t, const pm_menu *m, int round, int64_t most) except -1
cdef int fill_betting(
    pm_table *t, pm_menu *m, str structure, bets, max_raises, menu, double all_in_share
) except -1
cdef dict nodes_of(const pm_betting_tree *tree)
