/* A strategy for a whole game of hold'em between two, over buckets of holdings: what it is made of, and how it is learnt.
 *
 * Card abstraction. Before the flop a bucket is one of the 169 classes. On flop and turn a holding goes by the mean square
 * of its strength on the rivers that may come, and within that by the mean (nested buckets: Johanson 2007);
 * borders are quantiles, found once for all boards. What mean and square leave out, as which draw it is, costs strength;
 * histograms and their clusters (Johanson, Burch, Valenzano and Bowling 2013) would keep more of it, and would need tables
 * for all boards, where these moments of a flop and its 49 turns take one pass over its 1,176 rivers. On the river it is
 * the strength itself. Strengths count in halves of holdings beaten, so that sums are whole numbers, and boards that differ
 * by names of suits have the same buckets to the bit.
 *
 * Learning is counterfactual regret minimisation with sampling (Lanctot, Waugh, Zinkevich and Bowling 2009), between public
 * chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling 2012) and external sampling: a board is drawn, and all holdings
 * that it leaves are walked at once for both players; of the opponent's acts one is drawn, by how often their whole range
 * takes it, and their reach is divided by that. So every walk has all lines of the own player and one of the opponent's at
 * each of their nodes, and what is drawn is a line and no holding: weights stay within the chances of acts. External sampling
 * of single holdings touches fewer numbers in a walk, and each a thousand times more seldom.
 */
#ifndef POKERMODEL_BLUEPRINT_H
#define POKERMODEL_BLUEPRINT_H

#include <stdlib.h>
#include <string.h>

#include "pokermodel/dealing/random.h"
#include "pokermodel/evaluation/field.h"
#include "pokermodel/solving/sweep_kernels.h"

enum {
    PM_BOARD_HOLDINGS = 1081, /* that a board of five cards leaves */
    PM_BOARD_PAD = 1088,
    PM_HALVES = 1980, /* of holdings that one of them can beat on the river */
    PM_QUARTER = PM_BOARD_PAD / 4, /* neighbours in strength have one bucket: sums take them apart, or each waits for the last */
    PM_MOST_BUCKETS = 1 << 16
};

/* ------------------------------------------------------------------------------------------- card abstraction */

/* Strengths of all holdings on a river, in halves of holdings that are beaten, a tie being one: 0..1980; -1 where the board
 * leaves none. */
static inline void pm_river_halves(const pm_evaluator *e, pm_field *field, const int board[5], int16_t halves[PM_HOLDINGS])
{
    double strength[PM_HOLDINGS];
    pm_field_init(e, field, board, 5, 0);
    pm_field_uniform(field, strength);
    for (int k = 0; k < PM_HOLDINGS; k++)
        halves[k] = -1;
    for (int k = 0; k < field->size; k++)
        halves[field->holding[k]] = (int16_t)(strength[field->holding[k]] * PM_HALVES + 0.5);
}

/* Sums and sums of squares of a holding's strengths on the rivers that may come, for a flop and its turns. */
typedef struct {
    double flop[2][PM_HOLDINGS];
    int32_t turn[PM_CARDS][2][PM_HOLDINGS];
} pm_moments;

/* Of one turn, with `board` of four cards. */
static inline void pm_turn_moments(const pm_evaluator *e, const int board[4], int32_t sums[2][PM_HOLDINGS])
{
    pm_field field;
    int16_t halves[PM_HOLDINGS];
    int cards[5] = {board[0], board[1], board[2], board[3], 0};
    memset(sums, 0, 2 * PM_HOLDINGS * sizeof(int32_t));
    for (int card = 0; card < PM_CARDS; card++) {
        if (card == board[0] || card == board[1] || card == board[2] || card == board[3])
            continue;
        cards[4] = card;
        pm_river_halves(e, &field, cards, halves);
        for (int k = 0; k < PM_HOLDINGS; k++)
            if (halves[k] > 0) {
                sums[0][k] += halves[k];
                sums[1][k] += halves[k] * halves[k];
            }
    }
}

/* Of a flop and all its turns: each river counts for two of them. */
static inline void pm_flop_moments(const pm_evaluator *e, const int flop[3], pm_moments *m)
{
    pm_field field;
    int16_t halves[PM_HOLDINGS];
    int cards[5] = {flop[0], flop[1], flop[2], 0, 0};
    const uint64_t taken = pm_card_bit(flop[0]) | pm_card_bit(flop[1]) | pm_card_bit(flop[2]);
    memset(m, 0, sizeof *m);
    for (int high = 1; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++) {
            int32_t(*one)[PM_HOLDINGS] = m->turn[high], (*other)[PM_HOLDINGS] = m->turn[low];
            if (taken & (pm_card_bit(high) | pm_card_bit(low)))
                continue;
            cards[3] = high;
            cards[4] = low;
            pm_river_halves(e, &field, cards, halves);
            for (int k = 0; k < PM_HOLDINGS; k++) {
                const int32_t x = halves[k] > 0 ? halves[k] : 0, square = x * x;
                one[0][k] += x;
                one[1][k] += square;
                other[0][k] += x;
                other[1][k] += square;
                m->flop[0][k] += x;
                m->flop[1][k] += square;
            }
        }
}

/* Borders of nested buckets: `outer` - 1 of the mean square, and for each of these `inner` - 1 of the mean, rising. */
typedef struct {
    int outer, inner;
    const double *square, *mean;
} pm_bucket_borders;

/* How many of n rising borders are not above x. */
static inline int pm_borders_below(const double *border, int n, double x)
{
    int low = 0;
    while (low < n) {
        const int middle = (low + n) / 2;
        if (border[middle] <= x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static inline int pm_bucket_of(const pm_bucket_borders *b, double mean, double square)
{
    const int outer = pm_borders_below(b->square, b->outer - 1, square);
    return outer * b->inner + pm_borders_below(b->mean + (ptrdiff_t)outer * (b->inner - 1), b->inner - 1, mean);
}

/* Means of 46 rivers after the turn, 1,081 after the flop. */
static inline double pm_mean_of(double sum, int rivers) { return sum / ((double)PM_HALVES * rivers); }
static inline double pm_square_of(double sum, int rivers) { return sum / ((double)PM_HALVES * PM_HALVES * rivers); }

/* ------------------------------------------------------------------------------------------- learning */

/* A decision's numbers are (buckets of its street, acts), one decision after the other; `offset` is by node. */
typedef struct {
    const pm_betting_tree *tree;
    const int64_t *offset;
    int rivers; /* buckets of the river */
    pm_bucket_borders borders[2]; /* of flop and turn */
    const uint8_t *preflop; /* class of each holding */
    double stake; /* what values are divided by */
} pm_blueprint;

typedef struct {
    const float *reach; /* of the opponent, by place */
    float *value;
    int32_t node, parent; /* the parent by its place in the list */
    int32_t child[PM_NODE_ACTS]; /* by its place in the list; -1: not drawn */
} pm_visited;

/* What one thread learns with. */
typedef struct {
    const pm_blueprint *blueprint;
    const pm_solving_kernels *kernels;
    float *regret, *average;
    pm_random random;
    float weight;
    int own;
    pm_field field;
    pm_moments moments;
    /* Holdings have places in the order of their strength on the river. By street: the buckets that occur, numbered as
     * they come up, and by place the number of the holding's. A strategy is worked out once for each. */
    uint16_t bucket[PM_ROUNDS][PM_BOARD_PAD], number[PM_ROUNDS][PM_BOARD_PAD];
    int buckets[PM_ROUNDS];
    uint16_t number_of[PM_MOST_BUCKETS]; /* 1 more than that of the bucket; 0: none */
    uint16_t flop_bucket[PM_HOLDINGS], same[PM_BOARD_PAD], group[PM_BOARD_PAD];
    int16_t halves[PM_HOLDINGS];
    uint8_t high[PM_BOARD_PAD], low[PM_BOARD_PAD];
    float alive[PM_BOARD_PAD], nothing[PM_BOARD_PAD], waste[PM_BOARD_PAD], start[PM_BOARD_PAD];
    float strategy[PM_NODE_ACTS][PM_BOARD_PAD], sums[PM_NODE_ACTS][PM_BOARD_PAD]; /* by number of a bucket */
    int groups;
    pm_visited *visited; /* of the walk, parents first */
    int32_t visits, most, *ends;
    float *rows; /* of reach, then of values */
    int64_t used, room;
    float *space;
} pm_training;

static inline void pm_training_free(pm_training *t)
{
    if (!t)
        return;
    free(t->visited);
    free(t->ends);
    free(t->rows);
    free(t->space);
    free(t);
}

/* Returns NULL if there is no memory. A walk has two rows at most for each node. */
static inline pm_training *pm_training_make(const pm_blueprint *blueprint, int64_t nodes)
{
    pm_training *t = (pm_training *)calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->blueprint = blueprint;
    t->most = (int32_t)nodes;
    t->room = 2 * nodes;
    t->visited = (pm_visited *)malloc((size_t)nodes * sizeof *t->visited);
    t->ends = (int32_t *)malloc((size_t)nodes * sizeof *t->ends);
    t->rows = (float *)malloc((size_t)t->room * PM_BOARD_PAD * sizeof(float));
    t->space = (float *)malloc((size_t)((PM_CARDS + 2 * PM_BOARD_PAD + 17) * PM_LANES_MOST) * sizeof(float));
    if (!t->visited || !t->ends || !t->rows || !t->space) {
        pm_training_free(t);
        return NULL;
    }
    return t;
}

static inline float *pm_training_row(pm_training *t)
{
    return t->rows + PM_BOARD_PAD * t->used++;
}

/* The strategies of the buckets of a street that occur, by their regrets. */
static inline void pm_by_regrets(pm_training *t, int street, int64_t offset, int acts)
{
    for (int k = 0; k < t->buckets[street]; k++) {
        const float *regret = t->regret + offset + (int64_t)t->bucket[street][k] * acts;
        float sum = 0.0f, scale;
        for (int a = 0; a < acts; a++)
            sum += regret[a] > 0.0f ? regret[a] : 0.0f;
        scale = sum > 0.0f ? 1.0f / sum : 0.0f;
        for (int a = 0; a < acts; a++)
            t->strategy[a][k] = sum > 0.0f ? (regret[a] > 0.0f ? regret[a] * scale : 0.0f) : 1.0f / (float)acts;
    }
}

/* The opponent's node: their average strategy grows, and one act is drawn; returns its number, and the reach after it. */
static inline int pm_draw_act(pm_training *t, const pm_tree_node *node, int64_t offset, const float *reach, float **after)
{
    const int acts = node->acts, street = node->street;
    const uint16_t *number = t->number[street];
    const float *strategy;
    float *held = t->sums[0];
    double mass[PM_NODE_ACTS] = {0.0}, total = 0.0, drawn;
    float *row, scale;
    int chosen = 0;
    pm_by_regrets(t, street, offset, acts);
    memset(held, 0, (size_t)t->buckets[street] * sizeof *held);
    for (int k = 0; k < PM_QUARTER; k++)
        for (int place = k; place < PM_BOARD_HOLDINGS; place += PM_QUARTER)
            held[number[place]] += reach[place];
    for (int k = 0; k < t->buckets[street]; k++) {
        float *average = t->average + offset + (int64_t)t->bucket[street][k] * acts;
        for (int a = 0; a < acts; a++) {
            const float x = held[k] * t->strategy[a][k];
            average[a] += t->weight * x;
            mass[a] += x;
        }
    }
    for (int a = 0; a < acts; a++)
        total += mass[a];
    drawn = pm_random_double(&t->random) * total;
    while (chosen < acts - 1 && (drawn >= mass[chosen] || mass[chosen] <= 0.0))
        drawn -= mass[chosen++];
    while (chosen > 0 && mass[chosen] <= 0.0)
        chosen--;
    *after = row = pm_training_row(t);
    scale = mass[chosen] > 0.0 ? (float)(total / mass[chosen]) : 0.0f;
    strategy = t->strategy[chosen];
    for (int k = 0; k < PM_BOARD_HOLDINGS; k++)
        row[k] = reach[k] * (strategy[number[k]] * scale);
    for (int k = PM_BOARD_HOLDINGS; k < PM_BOARD_PAD; k++)
        row[k] = 0.0f;
    return chosen;
}

/* List what is walked below a node, and the opponent's reach; returns its place in the list. */
static inline int32_t pm_training_down(pm_training *t, int32_t number, int32_t parent, const float *reach)
{
    const pm_tree_node *node = t->blueprint->tree->node + number;
    const int32_t at = t->visits++;
    pm_visited *v = t->visited + at;
    int chosen = -1, a = 0;
    float *after = NULL;
    v->node = number;
    v->parent = parent;
    v->reach = reach;
    v->value = NULL;
    if (node->kind == PM_NODE_DEAL) {
        v->child[0] = pm_training_down(t, number + 1, at, reach);
        return at;
    }
    if (node->kind != PM_NODE_DECISION)
        return at;
    if (node->player != t->own)
        chosen = pm_draw_act(t, node, t->blueprint->offset[number], reach, &after);
    for (int32_t child = number + 1; child < node->end; child = t->blueprint->tree->node[child].end, a++)
        v->child[a] = chosen < 0 ? pm_training_down(t, child, at, reach)
                      : a == chosen ? pm_training_down(t, child, at, after)
                                    : -1;
    return at;
}

/* What all ends of hands are worth: showdowns first, then folds, a lane of a vector each. */
static inline void pm_training_ends(pm_training *t)
{
    const int own = t->own, lanes = t->kernels->lanes;
    const pm_ends_of e = {t->same, t->same, t->group, t->group, t->same, t->high, t->low, t->high, t->low, t->alive,
                          t->groups, PM_BOARD_HOLDINGS, PM_BOARD_PAD, PM_BOARD_PAD};
    int32_t n = 0, showdowns = 0;
    for (int kind = PM_NODE_SHOWDOWN; kind >= PM_NODE_FOLD; kind--) {
        for (int32_t at = 0; at < t->visits; at++)
            if (t->blueprint->tree->node[t->visited[at].node].kind == kind)
                t->ends[n++] = at;
        if (kind == PM_NODE_SHOWDOWN)
            showdowns = n;
    }
    for (int32_t first = 0; first < n; first += lanes) {
        const float *reach[PM_LANES_MOST];
        float *value[PM_LANES_MOST], pay[3 * PM_LANES_MOST];
        for (int lane = 0; lane < lanes; lane++) {
            pm_visited *v = first + lane < n ? t->visited + t->ends[first + lane] : NULL;
            const float *of = v ? t->blueprint->tree->node[v->node].pay[own] : NULL;
            const double scale = 1.0 / t->blueprint->stake;
            if (v)
                v->value = pm_training_row(t);
            reach[lane] = v ? v->reach : t->nothing;
            value[lane] = v ? v->value : t->waste;
            pay[lane] = v && first + lane < showdowns ? (float)(((double)of[2] - of[0]) * 0.5 * scale) : 0.0f;
            pay[lanes + lane] = v ? (float)(of[0] * scale) : 0.0f;
            pay[2 * lanes + lane] = 0.0f;
        }
        t->kernels->ends(&e, reach, pay, first >= showdowns, value, NULL, t->space);
    }
}

/* The values of all nodes, and the own player's regrets. */
static inline void pm_training_up(pm_training *t)
{
    for (int32_t at = t->visits - 1; at >= 0; at--) {
        pm_visited *v = t->visited + at;
        const pm_tree_node *node = t->blueprint->tree->node + v->node;
        const int acts = node->acts, street = node->street;
        const uint16_t *number = t->number[street];
        const int64_t offset = t->blueprint->offset[v->node];
        if (node->kind == PM_NODE_DEAL)
            v->value = t->visited[v->child[0]].value;
        if (node->kind != PM_NODE_DECISION)
            continue;
        if (node->player != t->own) {
            for (int a = 0; a < acts; a++)
                if (v->child[a] >= 0)
                    v->value = t->visited[v->child[a]].value;
            continue;
        }
        v->value = pm_training_row(t);
        pm_by_regrets(t, street, offset, acts);
        for (int a = 0; a < acts; a++) {
            const float *value = t->visited[v->child[a]].value, *strategy = t->strategy[a];
            float *sums = t->sums[a];
            memset(sums, 0, (size_t)t->buckets[street] * sizeof *sums);
            for (int k = 0; k < PM_QUARTER; k++)
                for (int place = k; place < PM_BOARD_HOLDINGS; place += PM_QUARTER)
                    sums[number[place]] += value[place];
            for (int k = 0; k < PM_BOARD_HOLDINGS; k++)
                v->value[k] = (a ? v->value[k] : 0.0f) + strategy[number[k]] * value[k];
        }
        for (int k = 0; k < t->buckets[street]; k++) { /* holdings of a bucket have one strategy, and so one regret */
            float *regret = t->regret + offset + (int64_t)t->bucket[street][k] * acts, mean = 0.0f;
            for (int a = 0; a < acts; a++)
                mean += t->strategy[a][k] * t->sums[a][k];
            for (int a = 0; a < acts; a++)
                regret[a] += t->weight * (t->sums[a][k] - mean);
        }
    }
}

/* Set up a flop. */
static inline void pm_training_flop(pm_training *t, const pm_evaluator *e, const int flop[3])
{
    pm_flop_moments(e, flop, &t->moments);
    for (int k = 0; k < PM_HOLDINGS; k++)
        t->flop_bucket[k] = (uint16_t)pm_bucket_of(&t->blueprint->borders[0], pm_mean_of(t->moments.flop[0][k], 1081),
                                                   pm_square_of(t->moments.flop[1][k], 1081));
}

/* The bucket of the holding at a place of a street. */
static inline void pm_training_bucket(pm_training *t, int street, int place, int bucket)
{
    if (!t->number_of[bucket]) {
        t->bucket[street][t->buckets[street]] = (uint16_t)bucket;
        t->number_of[bucket] = (uint16_t)++t->buckets[street];
    }
    t->number[street][place] = (uint16_t)(t->number_of[bucket] - 1);
}

/* Set up a river: places, buckets, and the order of strength. */
static inline void pm_training_board(pm_training *t, const pm_evaluator *e, const int board[5])
{
    const pm_blueprint *b = t->blueprint;
    const int32_t(*turn)[PM_HOLDINGS] = (const int32_t(*)[PM_HOLDINGS])t->moments.turn[board[3]];
    pm_river_halves(e, &t->field, board, t->halves);
    t->groups = 0;
    for (int n = 0; n < PM_BOARD_PAD; n++) {
        const int there = n < t->field.size;
        t->high[n] = there ? t->field.high[n] : 1;
        t->low[n] = there ? t->field.low[n] : 0;
        t->same[n] = (uint16_t)n;
        t->alive[n] = there ? 1.0f : 0.0f;
        t->start[n] = there ? 1.0f / 990.0f : 0.0f;
        if (there && t->field.group_end[n] == n + 1)
            t->group[t->groups++] = (uint16_t)(n + 1);
    }
    for (int street = 0; street < PM_ROUNDS; street++) {
        t->buckets[street] = 0;
        for (int n = 0; n < t->field.size; n++) {
            const int holding = t->field.holding[n];
            pm_training_bucket(t, street, n,
                               street == 0   ? b->preflop[holding]
                               : street == 1 ? t->flop_bucket[holding]
                               : street == 2 ? pm_bucket_of(&b->borders[1], pm_mean_of(turn[0][holding], 46),
                                                            pm_square_of(turn[1][holding], 46))
                                             : t->halves[holding] * b->rivers / (PM_HALVES + 1));
        }
        for (int k = 0; k < t->buckets[street]; k++)
            t->number_of[t->bucket[street][k]] = 0;
    }
}

/* Learn from so many flops, each with so many boards: two walks a board. */
static inline void pm_train(pm_training *t, const pm_evaluator *e, int flops, int boards)
{
    for (int f = 0; f < flops; f++) {
        int cards[PM_CARDS], board[5];
        for (int k = 0; k < PM_CARDS; k++)
            cards[k] = k;
        for (int k = 0; k < 3; k++) {
            const int other = k + (int)pm_random_below(&t->random, (uint32_t)(PM_CARDS - k)), card = cards[other];
            cards[other] = cards[k];
            cards[k] = board[k] = card;
        }
        pm_training_flop(t, e, board);
        for (int b = 0; b < boards; b++) {
            for (int k = 3; k < 5; k++) {
                const int other = k + (int)pm_random_below(&t->random, (uint32_t)(PM_CARDS - k)), card = cards[other];
                cards[other] = cards[k];
                cards[k] = board[k] = card;
            }
            pm_training_board(t, e, board);
            for (t->own = 0; t->own < 2; t->own++) {
                t->visits = 0;
                t->used = 0;
                pm_training_down(t, 0, -1, t->start);
                pm_training_ends(t);
                pm_training_up(t);
            }
        }
    }
}

#endif
