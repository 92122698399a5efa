/* A subgame of hold'em for two, solved by discounted counterfactual regret minimisation in vector form.
 *
 * One walk of the betting tree for each player and iteration takes all holdings at once (Zinkevich, Johanson, Bowling and
 * Piccione 2007; Johanson, Waugh, Bowling and Zinkevich 2011). At iteration t, what was added to regrets before is
 * multiplied by t^a / (t^a + 1) where it is above 0, by t^b / (t^b + 1) where below, and to the average strategy by
 * (t / (t + 1))^g, with a = 1.5, b = 0, g = 2 (Brown and Sandholm 2019). Players take turns within an iteration.
 *
 * A walk is for one player. Street by street, the opponent's reach goes down the tree, which is when their average
 * strategy grows; then come the boards that a card leads to, and all ends of hands of the board in one go; then values go
 * up, which is when the player's own regrets grow. Regrets and averages lie board by board, and each is read and written
 * once a walk.
 *
 * A lock says what a player does at a node, and how far that is believed. With confidence c they play the lock's strategy
 * with probability c and else as they like (data-biased responses, Johanson and Bowling 2009; with one c everywhere
 * restricted Nash responses, Johanson, Zinkevich and Bowling 2007): regrets are those of the free part.
 */
#ifndef POKERMODEL_SOLVER_H
#define POKERMODEL_SOLVER_H

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "pokermodel/solving/boards.h"
#include "pokermodel/solving/sweep_kernels.h"

enum {
    PM_BATCH = 64, /* ends of hands that are worked out together on a river, so that their rows stay in the cache */
    PM_BATCH_NODES = 4 * PM_BATCH,
    PM_HUGE = 2 << 20 /* bytes of a large page */
};

/* What the player whose walk it is does. */
enum { PM_WALK_LEARN, PM_WALK_BEST, PM_WALK_PLAY };

typedef struct {
    float *model; /* (acts, places) */
    float confidence;
} pm_lock;

/* Regrets or averages: of each street the blocks of all boards, as floats or in 16 bits with a scale a decision. */
typedef struct {
    int half;
    float *wide[PM_STREETS];
    uint16_t *narrow[PM_STREETS];
    float *scale[PM_STREETS];
} pm_numbers;

typedef struct {
    pm_table table;
    pm_menu menu;
    int round; /* of the root */
    pm_betting_tree tree;
    pm_solving_boards boards;
    pm_numbers regret, average;
    int32_t *lock_of[PM_STREETS]; /* of board and decision; -1, and NULL where a street has none */
    pm_lock *lock;
    int32_t locks;
    int64_t iterations;
} pm_solver;

/* What one thread writes to. */
typedef struct {
    void *memory;
    float *reach[PM_STREETS], *value[PM_STREETS]; /* rows, one a node */
    const float **reach_of[PM_STREETS];           /* by place */
    int32_t base[PM_STREETS];                     /* the place that has the first row of values */
    int32_t used[PM_STREETS];                     /* rows of reach */
    float *scratch, *other_scratch;               /* (acts, places) */
    uint32_t *dither;                             /* of numbers of 16 bits */
    float *space;                                 /* of a sweep */
    float *nothing, *waste;                       /* rows for lanes that are not used */
    int32_t *ends;
    float **rows[PM_STREETS]; /* of deals */
} pm_arena;

typedef struct {
    const pm_solver *solver;
    const pm_solving_kernels *kernels;
    const pm_numbers *regret;     /* of both; PM_WALK_LEARN writes those of the player */
    const pm_numbers *average[2]; /* of each player, whose strategies are played; PM_WALK_LEARN writes the opponent's */
    int mode, own;
    int locked;                 /* whether PM_WALK_BEST keeps to the player's own locks */
    float above, below, keep;   /* discounts */
} pm_solver_walk;

static inline int pm_last_street(const pm_solver *s) { return s->tree.streets - 1; }

static inline const pm_tree_node *pm_node_at(const pm_solver *s, int street, int32_t place)
{
    return s->tree.node + s->tree.list[street][place];
}

/* Boards count from 0 in their street here. */
static inline const pm_board *pm_board_at(const pm_solver *s, int street, int32_t board)
{
    return s->boards.board + s->boards.first[street] + board;
}

static inline int32_t pm_boards_of(const pm_solver *s, int street)
{
    return s->boards.first[street + 1] - s->boards.first[street];
}

static inline const pm_lock *pm_lock_at(const pm_solver *s, int street, int32_t board, const pm_tree_node *node)
{
    int32_t number;
    if (!s->lock_of[street])
        return NULL;
    number = s->lock_of[street][board * s->tree.decisions[street] + node->decision];
    return number < 0 ? NULL : s->lock + number;
}

static inline size_t pm_number_of(const pm_solver *s, int street, int32_t board, const pm_tree_node *node)
{
    return (size_t)board * (size_t)s->tree.block[street] + (size_t)node->offset;
}

static inline size_t pm_scale_of(const pm_solver *s, int street, int32_t board, const pm_tree_node *node)
{
    return (size_t)board * (size_t)s->tree.decisions[street] + (size_t)node->decision;
}

/* The numbers of a decision as floats, where they lie or in `scratch`. */
static inline float *pm_read_numbers(const pm_solver_walk *w, const pm_numbers *x, int street, int32_t board,
                                     const pm_tree_node *node, float *scratch)
{
    const size_t at = pm_number_of(w->solver, street, board, node);
    if (!x->half)
        return x->wide[street] + at;
    w->kernels->widen(x->narrow[street] + at, x->scale[street][pm_scale_of(w->solver, street, board, node)], scratch,
                      (ptrdiff_t)node->acts * w->solver->boards.pad[(int)node->player]);
    return scratch;
}

static inline void pm_write_numbers(const pm_solver_walk *w, const pm_numbers *x, int street, int32_t board,
                                    const pm_tree_node *node, const float *from)
{
    if (!x->half)
        return;
    x->scale[street][pm_scale_of(w->solver, street, board, node)] =
        w->kernels->narrow(from, x->narrow[street] + pm_number_of(w->solver, street, board, node),
                           (ptrdiff_t)node->acts * w->solver->boards.pad[(int)node->player]);
}

/* Where the numbers of a decision lie. */
static inline pm_numbers_at pm_find_numbers(const pm_solver *s, const pm_numbers *x, int street, int32_t board,
                                            const pm_tree_node *node, const uint32_t *dither)
{
    const size_t at = pm_number_of(s, street, board, node);
    pm_numbers_at found = {NULL, NULL, NULL, dither, 0};
    if (x->half) {
        uint32_t mixed = (uint32_t)s->iterations * UINT32_C(0x9e3779b1) + (uint32_t)board * UINT32_C(0x85ebca6b);
        mixed = (mixed ^ (mixed >> 15)) * UINT32_C(0x2c1b3c6d) + (uint32_t)node->decision * UINT32_C(0xc2b2ae35);
        found.from = (mixed ^ (mixed >> 13)) & (PM_DITHERS - 1) & ~UINT32_C(15);
        found.narrow = x->narrow[street] + at;
        found.scale = x->scale[street] + pm_scale_of(s, street, board, node);
    } else {
        found.wide = x->wide[street] + at;
    }
    return found;
}

/* -------------------------------------------------------------------------------------- decisions with a lock */

/* Places that are worked out together, act by act, so that the compiler can take several at once; rows end at a multiple
 * of them. */
enum { PM_LOCKED_PLACES = 16 };

/* What the free part of a strategy gives the holdings from a place on: alike where it has no parts, or as the model does
 * if there is one. */
PM_ALWAYS_INLINE void pm_free_parts(const float *numbers, int acts, int n, int first, const float *model,
                                    float part[PM_NODE_ACTS][PM_LOCKED_PLACES])
{
    float sum[PM_LOCKED_PLACES] = {0.0f};
    for (int a = 0; a < acts; a++)
        for (int k = 0; k < PM_LOCKED_PLACES; k++) {
            const float x = numbers[a * n + first + k];
            part[a][k] = x > 0.0f ? x : 0.0f;
            sum[k] += part[a][k];
        }
    for (int a = 0; a < acts; a++)
        for (int k = 0; k < PM_LOCKED_PLACES; k++) {
            const float none = model ? model[a * n + first + k] : 1.0f / (float)acts;
            const float shared = part[a][k] / (sum[k] > 0.0f ? sum[k] : 1.0f);
            part[a][k] = sum[k] > 0.0f ? shared : none;
        }
}

PM_ALWAYS_INLINE void pm_locked_other_here(const pm_lock *lock, int learn, int acts, const float *numbers,
                                           float *average, const float *reach, float *to, ptrdiff_t apart, int n,
                                           float keep)
{
    PM_NO_CONTRACT
    const float c = lock->confidence;
    for (int first = 0; first < n; first += PM_LOCKED_PLACES) {
        float part[PM_NODE_ACTS][PM_LOCKED_PLACES];
        pm_free_parts(numbers, acts, n, first, learn ? NULL : lock->model, part);
        for (int a = 0; a < acts; a++) {
            const float *model = lock->model + a * n + first;
            float *row = to + a * apart + first, *sums = learn ? average + a * n + first : NULL;
            for (int k = 0; k < PM_LOCKED_PLACES; k++)
                row[k] = reach[first + k] * (learn ? c * model[k] + (1.0f - c) * part[a][k] : part[a][k]);
            for (int k = 0; learn && k < PM_LOCKED_PLACES; k++)
                sums[k] = sums[k] * keep + row[k];
        }
    }
}

PM_ALWAYS_INLINE void pm_locked_own_here(const pm_solver_walk *w, const pm_lock *lock, int acts, float *numbers,
                                         const float *const *values, float *value, int n)
{
    PM_NO_CONTRACT
    const float c = lock->confidence, above = w->above, below = w->below;
    for (int first = 0; first < n; first += PM_LOCKED_PLACES) {
        float part[PM_NODE_ACTS][PM_LOCKED_PLACES], model[PM_LOCKED_PLACES] = {0.0f}, mean[PM_LOCKED_PLACES] = {0.0f};
        float best[PM_LOCKED_PLACES];
        memcpy(best, values[0] + first, sizeof best);
        pm_free_parts(numbers, acts, n, first, w->mode == PM_WALK_PLAY ? lock->model : NULL, part);
        for (int a = 0; a < acts; a++) {
            const float *given = lock->model + a * n + first, *of = values[a] + first;
            for (int k = 0; k < PM_LOCKED_PLACES; k++) {
                model[k] += given[k] * of[k];
                mean[k] += part[a][k] * of[k];
                best[k] = of[k] > best[k] ? of[k] : best[k];
            }
        }
        for (int a = 0; w->mode == PM_WALK_LEARN && a < acts; a++) {
            const float *of = values[a] + first;
            float *kept = numbers + a * n + first;
            for (int k = 0; k < PM_LOCKED_PLACES; k++) {
                const float x = kept[k] * (kept[k] > 0.0f ? above : below);
                kept[k] = ((x + PM_TINY_REGRET) - PM_TINY_REGRET) + (of[k] - mean[k]);
            }
        }
        if (w->mode == PM_WALK_PLAY)
            memcpy(value + first, mean, sizeof mean);
        else
            for (int k = 0; k < PM_LOCKED_PLACES; k++)
                value[first + k] = c * model[k] + (1.0f - c) * (w->mode == PM_WALK_BEST ? best[k] : mean[k]);
    }
}

/* The same for each number of acts that is usual, so that loops over acts are undone, and at each level of vectors, which
 * lanes tell: 16 are AVX-512's alone, 8 AVX2's. */
#define PM_LOCKED_BY_ACTS(call, acts) \
    switch (acts) { \
    case 2: call(2); break; \
    case 3: call(3); break; \
    case 4: call(4); break; \
    default: call(acts); \
    }
#define PM_LOCKED_LEVEL(level, target) \
    target static void pm_locked_other_##level(const pm_lock *lock, int learn, int acts, const float *numbers, \
                                               float *average, const float *reach, float *to, ptrdiff_t apart, int n, \
                                               float keep) \
    { \
        PM_LOCKED_BY_ACTS(PM_LOCKED_OTHER_CALL, acts) \
    } \
    target static void pm_locked_own_##level(const pm_solver_walk *w, const pm_lock *lock, int acts, float *numbers, \
                                             const float *const *values, float *value, int n) \
    { \
        PM_LOCKED_BY_ACTS(PM_LOCKED_OWN_CALL, acts) \
    }
#define PM_LOCKED_OTHER_CALL(acts) \
    if (learn) \
        pm_locked_other_here(lock, 1, acts, numbers, average, reach, to, apart, n, keep); \
    else \
        pm_locked_other_here(lock, 0, acts, numbers, average, reach, to, apart, n, keep)
#define PM_LOCKED_OWN_CALL(acts) pm_locked_own_here(w, lock, acts, numbers, values, value, n)

PM_LOCKED_LEVEL(plain, )
#ifdef PM_SIMD_X86
PM_LOCKED_LEVEL(avx2, PM_TARGET("avx2"))
PM_LOCKED_LEVEL(avx512, PM_TARGET("avx512f,avx512bw"))
#endif

static inline void pm_locked_other(const pm_solver_walk *w, const pm_lock *lock, int learn, int acts,
                                   const float *numbers, float *average, const float *reach, float *to, ptrdiff_t apart,
                                   int n, float keep)
{
#ifdef PM_SIMD_X86
    if (w->kernels->lanes >= 16)
        pm_locked_other_avx512(lock, learn, acts, numbers, average, reach, to, apart, n, keep);
    else if (w->kernels->lanes >= 8)
        pm_locked_other_avx2(lock, learn, acts, numbers, average, reach, to, apart, n, keep);
    else
#endif
        pm_locked_other_plain(lock, learn, acts, numbers, average, reach, to, apart, n, keep);
    (void)w;
}

static inline void pm_locked_own(const pm_solver_walk *w, const pm_lock *lock, int acts, float *numbers,
                                 const float *const *values, float *value, int n)
{
#ifdef PM_SIMD_X86
    if (w->kernels->lanes >= 16)
        pm_locked_own_avx512(w, lock, acts, numbers, values, value, n);
    else if (w->kernels->lanes >= 8)
        pm_locked_own_avx2(w, lock, acts, numbers, values, value, n);
    else
#endif
        pm_locked_own_plain(w, lock, acts, numbers, values, value, n);
}

/* -------------------------------------------------------------------------------------------------- a walk */

static inline float *pm_value_row(const pm_solver_walk *w, const pm_arena *m, int street, int32_t place)
{
    return m->value[street] + (ptrdiff_t)(place - m->base[street]) * w->solver->boards.pad[w->own];
}

/* The reach of all nodes of a range of places on a board; that of the nodes at which it is entered is known. */
static inline void pm_walk_down(const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from, int32_t to)
{
    const pm_solver *s = w->solver;
    const int pad = s->boards.pad[!w->own];
    m->base[street] = from;
    m->used[street] = 0;
    for (int32_t place = from; place < to; place++) {
        const pm_tree_node *node = pm_node_at(s, street, place);
        const float *reach = m->reach_of[street][place];
        const pm_lock *lock;
        float *row, *numbers;
        int32_t next = place + 1;
        ptrdiff_t apart = pad;
        if (node->kind != PM_NODE_DECISION)
            continue;
        if (node->player == w->own) {
            for (int a = 0; a < node->acts; a++, next = pm_node_at(s, street, next)->place_end)
                m->reach_of[street][next] = reach;
            continue;
        }
        lock = pm_lock_at(s, street, board, node);
        row = m->reach[street] + (ptrdiff_t)m->used[street] * pad;
        m->used[street] += node->acts;
        if (w->mode == PM_WALK_LEARN && lock) {
            float *average = pm_read_numbers(w, w->average[!w->own], street, board, node, m->other_scratch);
            numbers = pm_read_numbers(w, w->regret, street, board, node, m->scratch);
            pm_locked_other(w, lock, 1, node->acts, numbers, average, reach, row, apart, pad, w->keep);
            pm_write_numbers(w, w->average[!w->own], street, board, node, average);
        } else if (w->mode == PM_WALK_LEARN) {
            const pm_numbers_at regret = pm_find_numbers(s, w->regret, street, board, node, m->dither);
            const pm_numbers_at average = pm_find_numbers(s, w->average[!w->own], street, board, node, m->dither);
            w->kernels->other_node(node->acts, &regret, &average, reach, row, apart, pad, w->keep);
        } else {
            numbers = pm_read_numbers(w, w->average[!w->own], street, board, node, m->scratch);
            if (lock)
                pm_locked_other(w, lock, 0, node->acts, numbers, NULL, reach, row, apart, pad, 0.0f);
            else
                w->kernels->other_fixed(node->acts, numbers, reach, row, apart, pad);
        }
        for (int a = 0; a < node->acts; a++, next = pm_node_at(s, street, next)->place_end)
            m->reach_of[street][next] = row + (ptrdiff_t)a * pad;
    }
}

/* Whether a node is the player's own fold, followed by their call, which is a showdown: both have one reach. */
static inline int pm_call_beside(const pm_solver_walk *w, int street, int32_t place)
{
    const pm_tree_node *fold = pm_node_at(w->solver, street, place), *call = fold + 1;
    return fold->kind == PM_NODE_FOLD && fold->player == w->own && call->kind == PM_NODE_SHOWDOWN &&
           call->parent == fold->parent;
}

/* The values of all ends of hands of the range. Showdowns come first, so that folds fill what they leave of a vector, and
 * the others need no order of holdings. */
static inline void pm_walk_ends(const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from, int32_t to)
{
    const pm_solver *s = w->solver;
    const pm_solving_boards *b = &s->boards;
    const pm_board *on = pm_board_at(s, street, board);
    const int own = w->own, other = !own, lanes = w->kernels->lanes, river = street == pm_last_street(s);
    const pm_ends_of e = {on->order[own], on->order[other], on->group[own], on->group[other], b->same[own],
                          b->high[own], b->low[own], b->high[other], b->low[other], on->living[own],
                          on->groups, on->alive[other], b->pad[own], b->pad[other]};
    double dealt = 1.0; /* the chance of each deal, of two given holdings */
    int32_t n = 0, beside, showdowns;
    for (int deal = 0; deal < street; deal++)
        dealt /= PM_CARDS - 4 - b->cards - deal;
    dealt *= on->chance;
    for (int32_t place = from; river && place < to; place++)
        if (pm_call_beside(w, street, place))
            m->ends[n++] = place + 1;
    beside = n;
    for (int32_t place = from; river && place < to; place++)
        if (pm_node_at(s, street, place)->kind == PM_NODE_SHOWDOWN &&
            !(place > from && pm_call_beside(w, street, place - 1)))
            m->ends[n++] = place;
    showdowns = n;
    for (int32_t place = from; place < to; place++)
        if (pm_node_at(s, street, place)->kind == PM_NODE_FOLD && !(river && pm_call_beside(w, street, place)))
            m->ends[n++] = place;
    for (int32_t first = 0; first < n; first += lanes) {
        const float *reach[PM_LANES_MOST];
        float *value[PM_LANES_MOST], *fold[PM_LANES_MOST], pay[3 * PM_LANES_MOST];
        for (int lane = 0; lane < lanes; lane++) {
            const int32_t end = first + lane, place = end < n ? m->ends[end] : -1;
            const float *of = place < 0 ? NULL : pm_node_at(s, street, place)->pay[own];
            reach[lane] = of ? m->reach_of[street][place] : m->nothing;
            value[lane] = of ? pm_value_row(w, m, street, place) : m->waste;
            fold[lane] = end < beside ? pm_value_row(w, m, street, place - 1) : m->waste;
            pay[lane] = end < showdowns ? (float)(((double)of[2] - of[0]) * 0.5 * dealt) : 0.0f;
            pay[lanes + lane] = of ? (float)(of[0] * dealt) : 0.0f;
            pay[2 * lanes + lane] =
                end < beside ? (float)(pm_node_at(s, street, place - 1)->pay[own][0] * dealt) : 0.0f;
        }
        w->kernels->ends(&e, reach, pay, first >= showdowns, value, first < beside ? fold : NULL, m->space);
    }
}

/* The values of all nodes of the range; those of deals are known. */
static inline void pm_walk_up(const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from, int32_t to)
{
    const pm_solver *s = w->solver;
    const int pad = s->boards.pad[w->own];
    for (int32_t place = to - 1; place >= from; place--) {
        const pm_tree_node *node = pm_node_at(s, street, place);
        const float *values[PM_NODE_ACTS];
        float *value = pm_value_row(w, m, street, place), *numbers;
        const pm_lock *lock;
        int32_t next = place + 1;
        if (node->kind != PM_NODE_DECISION)
            continue;
        for (int a = 0; a < node->acts; a++, next = pm_node_at(s, street, next)->place_end)
            values[a] = pm_value_row(w, m, street, next);
        if (node->player != w->own) {
            w->kernels->sum_rows(node->acts, values, value, pad);
            continue;
        }
        lock = w->mode == PM_WALK_BEST && !w->locked ? NULL : pm_lock_at(s, street, board, node);
        if (w->mode == PM_WALK_BEST) {
            if (lock)
                pm_locked_own(w, lock, node->acts, lock->model, values, value, pad);
            else
                w->kernels->own_best(node->acts, values, value, pad);
        } else if (w->mode == PM_WALK_PLAY) {
            numbers = pm_read_numbers(w, w->average[w->own], street, board, node, m->scratch);
            if (lock)
                pm_locked_own(w, lock, node->acts, numbers, values, value, pad);
            else
                w->kernels->own_fixed(node->acts, numbers, values, value, pad);
        } else if (lock) {
            numbers = pm_read_numbers(w, w->regret, street, board, node, m->scratch);
            pm_locked_own(w, lock, node->acts, numbers, values, value, pad);
            pm_write_numbers(w, w->regret, street, board, node, numbers);
        } else {
            const pm_numbers_at regret = pm_find_numbers(s, w->regret, street, board, node, m->dither);
            w->kernels->own_node(node->acts, &regret, values, value, pad, w->above, w->below);
        }
    }
}

/* Add the values of a board to those of its deal, and those of its images. */
static inline void pm_add_images(const pm_solver_walk *w, const pm_board *on, const float *from, float *to)
{
    PM_NO_CONTRACT
    const pm_solving_boards *b = &w->solver->boards;
    const int pad = b->pad[w->own];
    for (int k = 0; k < pad; k++)
        to[k] += from[k];
    for (int32_t image = on->images + 1; image < on->image_end; image++) {
        const uint16_t *place = b->from[w->own][b->image[image].renaming];
        for (int k = 0; k < pad; k++)
            to[k] += from[place[k]];
    }
}

static inline void pm_walk_range(const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from, int32_t to);

/* The next street on one board, for the deals of a range of places: what its holdings are worth is added to a row for
 * each deal. */
static inline void pm_walk_card(const pm_solver_walk *w, pm_arena *m, int street, int32_t child, int32_t from, int32_t to,
                                float *const *rows)
{
    const pm_solver *s = w->solver;
    const int river = street + 1 == pm_last_street(s);
    const pm_board *on = pm_board_at(s, street + 1, child);
    int32_t place = from, row = 0;
    if (on->chance == 0.0f) /* a card that is never dealt */
        return;
    for (;;) {
        int32_t first = -1, last = 0, lanes = 0;
        for (; place < to; place++) {
            const pm_tree_node *node = pm_node_at(s, street, place), *entry = node + 1;
            if (node->kind != PM_NODE_DEAL)
                continue;
            if (river && lanes && lanes + entry->lanes > PM_BATCH)
                break;
            m->reach_of[street + 1][entry->place] = m->reach_of[street][place];
            first = first < 0 ? entry->place : first;
            last = entry->place_end;
            lanes += entry->lanes;
        }
        if (first < 0)
            return;
        pm_walk_range(w, m, street + 1, child, first, last);
        for (int32_t entry = first; entry < last; entry = pm_node_at(s, street + 1, entry)->place_end)
            pm_add_images(w, on, pm_value_row(w, m, street + 1, entry), rows[row++]);
    }
}

/* All nodes of a range of places on a board, and what comes after them. */
static inline void pm_walk_range(const pm_solver_walk *w, pm_arena *m, int street, int32_t board, int32_t from, int32_t to)
{
    const pm_solver *s = w->solver;
    pm_walk_down(w, m, street, board, from, to);
    if (street < pm_last_street(s)) {
        const pm_board *on = pm_board_at(s, street, board);
        float **rows = m->rows[street];
        int32_t deals = 0;
        for (int32_t place = from; place < to; place++)
            if (pm_node_at(s, street, place)->kind == PM_NODE_DEAL) {
                rows[deals] = pm_value_row(w, m, street, place);
                memset(rows[deals++], 0, (size_t)s->boards.pad[w->own] * sizeof(float));
            }
        for (int32_t k = 0; deals && k < on->children; k++)
            pm_walk_card(w, m, street, on->first + k - s->boards.first[street + 1], from, to, rows);
    }
    pm_walk_ends(w, m, street, board, from, to);
    pm_walk_up(w, m, street, board, from, to);
}

/* ------------------------------------------------------------------------------------------------- memory */

static inline size_t pm_rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static inline void *pm_take(char **at, size_t bytes)
{
    void *found = *at;
    *at += pm_rounded(bytes);
    return found;
}

/* Places of a street that are walked at once, at most. */
static inline int32_t pm_walked_at_once(const pm_solver *s, int street)
{
    int32_t most = 0;
    if (street == 0 || street < pm_last_street(s))
        return s->tree.listed[street];
    for (int32_t place = 0; place < s->tree.listed[street]; place = pm_node_at(s, street, place)->place_end) {
        const int32_t size = pm_node_at(s, street, place)->place_end - place;
        most = size > most ? size : most;
    }
    return most + PM_BATCH_NODES < s->tree.listed[street] ? most + PM_BATCH_NODES : s->tree.listed[street];
}

/* Lay out an arena at an address; returns how many bytes it takes. */
static inline size_t pm_arena_lay(const pm_solver *s, pm_arena *m, char *at)
{
    const char *begin = at;
    const size_t pad = (size_t)(s->boards.pad[0] > s->boards.pad[1] ? s->boards.pad[0] : s->boards.pad[1]);
    int32_t most = 1;
    for (int street = 0; street < s->tree.streets; street++) {
        const size_t rows = (size_t)pm_walked_at_once(s, street), listed = (size_t)s->tree.listed[street];
        most = (int32_t)rows > most ? (int32_t)rows : most;
        m->reach[street] = (float *)pm_take(&at, rows * pad * sizeof(float));
        m->value[street] = (float *)pm_take(&at, rows * pad * sizeof(float));
        m->reach_of[street] = (const float **)pm_take(&at, listed * sizeof(float *));
        m->rows[street] = (float **)pm_take(&at, listed * sizeof(float *));
    }
    m->scratch = (float *)pm_take(&at, PM_NODE_ACTS * pad * sizeof(float));
    m->other_scratch = (float *)pm_take(&at, PM_NODE_ACTS * pad * sizeof(float));
    m->dither = (uint32_t *)pm_take(&at, PM_DITHERS * sizeof(uint32_t));
    m->space = (float *)pm_take(&at, (PM_CARDS + 2 * pad + 17) * PM_LANES_MOST * sizeof(float));
    m->nothing = (float *)pm_take(&at, pad * sizeof(float));
    m->waste = (float *)pm_take(&at, pad * sizeof(float));
    m->ends = (int32_t *)pm_take(&at, (size_t)most * sizeof(int32_t));
    return (size_t)(at - begin);
}

static inline void *pm_zeroed(size_t bytes)
{
    char *memory = (char *)calloc(bytes + 128, 1), *at;
    if (!memory)
        return NULL;
    at = memory + 64 + (64 - (uintptr_t)memory % 64) % 64;
#ifdef MADV_HUGEPAGE
    if (bytes > PM_HUGE) { /* fewer look-ups of addresses, where the system has large pages; else nothing happens */
        char *page = memory + (PM_HUGE - (uintptr_t)memory % PM_HUGE) % PM_HUGE;
        (void)madvise(page, (size_t)(memory + bytes - page) / PM_HUGE * PM_HUGE, MADV_HUGEPAGE);
    }
#endif
    memcpy(at - sizeof memory, &memory, sizeof memory);
    return at;
}

static inline void pm_free_zeroed(void *at)
{
    void *memory;
    if (!at)
        return;
    memcpy(&memory, (char *)at - sizeof memory, sizeof memory);
    free(memory);
}

/* Returns NULL if there is no memory. */
static inline pm_arena *pm_arena_make(const pm_solver *s)
{
    pm_arena *m = (pm_arena *)calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->memory = pm_zeroed(pm_arena_lay(s, m, NULL));
    if (!m->memory) {
        free(m);
        return NULL;
    }
    pm_arena_lay(s, m, (char *)m->memory);
    for (uint32_t k = 0, x = 1; k < PM_DITHERS; k++) { /* a generator whose low bits are not used */
        x = x * UINT32_C(1664525) + UINT32_C(1013904223);
        m->dither[k] = x >> (32 - PM_DITHERED);
    }
    return m;
}

static inline void pm_arena_free(pm_arena *m)
{
    if (m)
        pm_free_zeroed(m->memory);
    free(m);
}

static inline void pm_numbers_free(pm_numbers *x)
{
    for (int street = 0; street < PM_STREETS; street++) {
        pm_free_zeroed(x->wide[street]);
        pm_free_zeroed(x->narrow[street]);
        pm_free_zeroed(x->scale[street]);
    }
    memset(x, 0, sizeof *x);
}

/* Returns -1 if there is no memory. */
static inline int pm_numbers_make(const pm_solver *s, pm_numbers *x, int half)
{
    memset(x, 0, sizeof *x);
    x->half = half;
    for (int street = 0; street < s->tree.streets; street++) {
        const size_t boards = (size_t)pm_boards_of(s, street), n = boards * (size_t)s->tree.block[street] + 1;
        if (half) {
            x->narrow[street] = (uint16_t *)pm_zeroed(n * sizeof(uint16_t));
            x->scale[street] = (float *)pm_zeroed((boards * (size_t)s->tree.decisions[street] + 1) * sizeof(float));
        } else {
            x->wide[street] = (float *)pm_zeroed(n * sizeof(float));
        }
        if (half ? !x->narrow[street] || !x->scale[street] : !x->wide[street]) {
            pm_numbers_free(x);
            return -1;
        }
    }
    return 0;
}

static inline void pm_solver_unlock(pm_solver *s)
{
    for (int32_t k = 0; k < s->locks; k++)
        free(s->lock[k].model);
    free(s->lock);
    s->lock = NULL;
    s->locks = 0;
    for (int street = 0; street < PM_STREETS; street++) {
        free(s->lock_of[street]);
        s->lock_of[street] = NULL;
    }
}

static inline void pm_solver_free(pm_solver *s)
{
    pm_solver_unlock(s);
    pm_numbers_free(&s->regret);
    pm_numbers_free(&s->average);
    pm_tree_free(&s->tree);
    pm_boards_free(&s->boards);
}

/* ------------------------------------------------------------------------------------------------ learning */

/* Set the discounts of a walk of PM_WALK_LEARN, before the iteration with this number, counted from 0. */
static inline void pm_walk_discount(pm_solver_walk *w, int64_t iteration)
{
    const double t = (double)iteration, power = t > 0.0 ? t * pm_nth_root(t, 2) : 0.0, kept = t / (t + 1.0);
    w->above = (float)(power / (power + 1.0));
    w->below = iteration ? 0.5f : 0.0f;
    w->keep = (float)(kept * kept);
}

/* A walk from the root in three steps, so that the boards of the first deal can be shared among threads: reach, then each
 * board into rows of its own, then their sums in the order of the boards, so that no result depends on the threads. */
static inline void pm_walk_begin(const pm_solver_walk *w, pm_arena *m)
{
    m->reach_of[0][0] = w->solver->boards.weight[!w->own];
    pm_walk_down(w, m, 0, 0, 0, w->solver->tree.listed[0]);
}

/* Deals of the root's street. */
static inline int32_t pm_first_deals(const pm_solver *s)
{
    int32_t n = 0;
    for (int32_t place = 0; place < s->tree.listed[0]; place++)
        n += pm_node_at(s, 0, place)->kind == PM_NODE_DEAL;
    return n;
}

/* One board of the first deal: `m` is the thread's arena, `root` that of pm_walk_begin, `to` has a row for each deal. */
static inline void pm_walk_board(const pm_solver_walk *w, pm_arena *m, const pm_arena *root, int32_t child, float *to)
{
    const int32_t deals = pm_first_deals(w->solver), listed = w->solver->tree.listed[0];
    const int pad = w->solver->boards.pad[w->own];
    if (m != root)
        memcpy(m->reach_of[0], root->reach_of[0], (size_t)listed * sizeof(float *));
    memset(to, 0, (size_t)deals * (size_t)pad * sizeof(float));
    for (int32_t k = 0; k < deals; k++)
        m->rows[0][k] = to + (ptrdiff_t)k * pad;
    pm_walk_card(w, m, 0, child, 0, listed, m->rows[0]);
}

/* `from` has the rows of all boards; returns the values of the root. */
static inline const float *pm_walk_end(const pm_solver_walk *w, pm_arena *m, const float *from)
{
    PM_NO_CONTRACT
    const pm_solver *s = w->solver;
    const int pad = s->boards.pad[w->own];
    const int32_t deals = pm_first_deals(s), boards = s->tree.streets > 1 ? pm_boards_of(s, 1) : 0;
    int32_t deal = 0;
    for (int32_t place = 0; place < s->tree.listed[0]; place++)
        if (pm_node_at(s, 0, place)->kind == PM_NODE_DEAL) {
            float *row = pm_value_row(w, m, 0, place);
            memset(row, 0, (size_t)pad * sizeof(float));
            for (int32_t board = 0; board < boards; board++) {
                const float *add = from + ((ptrdiff_t)board * deals + deal) * pad;
                for (int k = 0; k < pad; k++)
                    row[k] += add[k];
            }
            deal++;
        }
    pm_walk_ends(w, m, 0, 0, 0, s->tree.listed[0]);
    pm_walk_up(w, m, 0, 0, 0, s->tree.listed[0]);
    return pm_value_row(w, m, 0, 0);
}

/* A whole walk on one thread; `rows` has room for the deals of all boards of street 1. Returns the values of the root. */
static inline const float *pm_walk_all(const pm_solver_walk *w, pm_arena *m, float *rows)
{
    const pm_solver *s = w->solver;
    const int32_t boards = s->tree.streets > 1 ? pm_boards_of(s, 1) : 0;
    const ptrdiff_t size = (ptrdiff_t)pm_first_deals(s) * s->boards.pad[w->own];
    pm_walk_begin(w, m);
    for (int32_t board = 0; board < boards; board++)
        pm_walk_board(w, m, m, board, rows + board * size);
    return pm_walk_end(w, m, rows);
}

/* One iteration: both players learn. The walk's mode is PM_WALK_LEARN. */
static inline void pm_solver_iterate(pm_solver *s, pm_solver_walk *w, pm_arena *m, float *rows)
{
    for (w->own = 0; w->own < 2; w->own++) {
        pm_walk_discount(w, s->iterations);
        pm_walk_all(w, m, rows);
    }
    s->iterations++;
}

#endif
