/* Tables P(act | class of holding, situation, player), of a base and factors on it, and one expectation step of EM.
 *
 * A table's row for an action is the base's row for its situation, times a factor of each division of situations, over
 * the sum of the acts that were offered. What a hand says is counted in the base, and then in one division after the
 * other, beside what the table with all divisions before it expected.
 */
#ifndef POKERMODEL_CLASS_TABLES_H
#define POKERMODEL_CLASS_TABLES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/readers/observed_hands.h"
#include "pokermodel/vectors/simd.h"

#define PM_TABLE_SITUATIONS 12 /* round, bets to call */
#define PM_TABLE_GROUPS 6      /* of classes */
#define PM_TABLE_DIVISIONS 6   /* four that all players share, and two of each player */
#define PM_TABLE_SHARED 4

/* A division of situations: what was done in each cell and group of classes, what was expected, and their quotient. */
typedef struct {
    double *counts, *expected, *factors;
    ptrdiff_t cells;
    int groups;     /* 1, or PM_TABLE_GROUPS */
    double believed; /* observations of each act that a factor of 1 is worth */
} pm_division;

typedef struct {
    double *counts;         /* situation, class, act */
    double *probabilities;  /* likewise; NULL if nobody asks for them */
    const double *prior;
    double strength;
    uint8_t group[2][PM_TABLE_CLASSES]; /* of each class before the flop and after it */
    pm_division division[PM_TABLE_DIVISIONS];
} pm_class_tables;

/* The rows of an action: of all classes, or of some. */
typedef struct {
    int classes;
    unsigned legal; /* bits of the acts that were offered */
    uint8_t class_[PM_TABLE_CLASSES], group[PM_TABLE_CLASSES];
    double p[3][PM_TABLE_CLASSES];       /* in proportion to the probabilities of the acts */
    double sum[PM_TABLE_CLASSES];        /* of these */
    double belief[PM_TABLE_CLASSES];     /* that the player had each class */
    double likelihood[PM_TABLE_CLASSES]; /* of what was done */
    double done[PM_TABLE_GROUPS], all;   /* sums of the beliefs */
} pm_action_rows;

/* Where an action is to be found in each division; `number` is that of the player. */
static inline void pm_table_places(const int16_t *cells, ptrdiff_t number, ptrdiff_t *places)
{
    const ptrdiff_t situation = cells[0];
    for (int k = 0; k < PM_TABLE_SHARED; k++)
        places[k] = cells[1 + k];
    places[4] = 4 * number + 2 * (situation >= 3) + (situation % 3 > 0);
    places[5] = PM_TABLE_SITUATIONS * number + situation;
}

/* Whether an action of a player is within the tables. */
static inline int pm_table_has(const pm_class_tables *t, const int16_t *cells, ptrdiff_t number)
{
    ptrdiff_t places[PM_TABLE_DIVISIONS];
    int has = cells[0] >= 0 && cells[0] < PM_TABLE_SITUATIONS && number >= 0;
    if (!has)
        return 0;
    pm_table_places(cells, number, places);
    for (int k = 0; k < PM_TABLE_DIVISIONS; k++)
        has &= places[k] >= 0 && places[k] < t->division[k].cells;
    return has;
}

/* Rows of the base. */
static inline void pm_rows_begin(const pm_class_tables *t, ptrdiff_t situation, unsigned legal, pm_action_rows *r)
{
    const double *base = t->probabilities + situation * PM_TABLE_CLASSES * 3;
    r->legal = legal;
    for (int act = 0; act < 3; act++)
        for (int k = 0; k < r->classes; k++)
            r->p[act][k] = legal >> act & 1 ? base[3 * r->class_[k] + act] : 0.0;
}

static inline void pm_rows_times(const pm_division *d, ptrdiff_t place, pm_action_rows *r)
{
    const double *factors = d->factors + place * d->groups * 3;
    for (int act = 0; act < 3; act++) {
        const double *of = factors + act;
        if (!(r->legal >> act & 1))
            continue;
        if (d->groups > 1)
            for (int k = 0; k < r->classes; k++)
                r->p[act][k] *= of[3 * r->group[k]];
        else
            for (int k = 0; k < r->classes; k++)
                r->p[act][k] *= of[0];
    }
}

static inline void pm_rows_sum(pm_action_rows *r)
{
    for (int k = 0; k < r->classes; k++)
        r->sum[k] = (r->p[0][k] + r->p[1][k]) + r->p[2][k];
}

/* Rows of an action as the table has them, but for their sums. */
static inline void pm_rows_all(const pm_class_tables *t, const int16_t *cells, ptrdiff_t number, unsigned legal,
                               pm_action_rows *r)
{
    ptrdiff_t places[PM_TABLE_DIVISIONS];
    pm_table_places(cells, number, places);
    pm_rows_begin(t, cells[0], legal, r);
    for (int k = 0; k < PM_TABLE_DIVISIONS; k++)
        pm_rows_times(&t->division[k], places[k], r);
    pm_rows_sum(r);
}

/* The classes of an action's rows. */
static inline void pm_rows_of(const pm_class_tables *t, ptrdiff_t situation, const uint8_t *classes, int n,
                              pm_action_rows *r)
{
    r->classes = n;
    for (int k = 0; k < n; k++) {
        r->class_[k] = classes[k];
        r->group[k] = t->group[situation >= 3][classes[k]];
    }
}

/* P(act | class) of an action, by class and act. */
static inline void pm_class_table(const pm_class_tables *t, const int16_t *cells, ptrdiff_t number, unsigned legal,
                                  double *table)
{
    pm_action_rows r;
    uint8_t classes[PM_TABLE_CLASSES];
    for (int k = 0; k < PM_TABLE_CLASSES; k++)
        classes[k] = (uint8_t)k;
    pm_rows_of(t, cells[0], classes, PM_TABLE_CLASSES, &r);
    pm_rows_all(t, cells, number, legal, &r);
    for (int k = 0; k < PM_TABLE_CLASSES; k++)
        for (int act = 0; act < 3; act++)
            table[3 * k + act] = r.p[act][k] / r.sum[k];
}

/* The row of each holding's class: not numbers where it is not live. */
static inline void pm_class_spread(const double *table, const uint8_t *classes, const uint8_t *live,
                                   ptrdiff_t holdings, double *triples)
{
    for (ptrdiff_t i = 0; i < holdings; i++)
        for (int act = 0; act < 3; act++)
            triples[3 * i + act] = live[i] ? table[3 * classes[i] + act] : NAN;
}

/* The mean of the rows of holdings' classes by weights. */
static inline void pm_class_mean(const double *table, const uint8_t *classes, const double *weights,
                                 ptrdiff_t holdings, double *mean)
{
    PM_NO_CONTRACT
    double mass[PM_TABLE_CLASSES] = {0.0}, total = 0.0;
    for (ptrdiff_t i = 0; i < holdings; i++)
        mass[classes[i]] += weights[i];
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++) {
        total += mass[class_];
        for (int act = 0; act < 3; act++)
            mean[act] += mass[class_] * table[3 * class_ + act];
    }
    for (int act = 0; act < 3; act++)
        mean[act] /= total;
}

/* Weights times the probability of an act by the holdings' classes, over the largest, which is returned; 0 where that
 * is not positive, and where a holding is not live. `live` may be NULL: then all are. */
static inline double pm_class_posterior(const double *table, int act, const uint8_t *classes, const uint8_t *live,
                                        const double *weights, ptrdiff_t holdings, double *after)
{
    double chance[PM_TABLE_CLASSES], largest = 0.0;
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
        chance[class_] = table[3 * class_ + act];
    for (ptrdiff_t i = 0; i < holdings; i++) {
        const double product = live == NULL || live[i] ? weights[i] * chance[classes[i]] : 0.0;
        after[i] = product > 0.0 ? product : 0.0;
        largest = after[i] > largest ? after[i] : largest;
    }
    if (largest > 0.0)
        for (ptrdiff_t i = 0; i < holdings; i++)
            after[i] /= largest;
    return largest;
}

/* Beliefs of a hidden player about the class at each action, in hindsight, by the likelihoods of what was done. A node's
 * chance is its parent's times the likelihood of the round's actions; masses come back up from the last round. `room`
 * is twice as many numbers as there are nodes. */
static inline void pm_class_beliefs(const pm_observed_hand *h, int player, pm_action_rows *actions, double *room)
{
    PM_NO_CONTRACT
    double likelihood[PM_TABLE_ROUNDS][PM_TABLE_CLASSES], at[PM_TABLE_ROUNDS][PM_TABLE_CLASSES] = {{0.0}};
    const uint16_t *mass = h->mass + (player < h->masses ? player : h->masses - 1) * h->all_nodes;
    double *chance = room, *weight = room + h->all_nodes, total = 0.0;
    int in_round[PM_TABLE_ROUNDS] = {0}, last = 0;
    for (int a = 0; a < h->actions; a++) {
        const pm_action_rows *r = actions + a;
        double *of = likelihood[h->round[a]];
        if (h->actor[a] != player)
            continue;
        last = h->round[a] > last ? h->round[a] : last;
        for (int k = 0; k < r->classes; k++)
            of[r->class_[k]] = (in_round[h->round[a]] ? of[r->class_[k]] : 1.0) * r->likelihood[k];
        in_round[h->round[a]] = 1;
    }
    for (int round = 0; round <= last; round++)
        for (int k = h->first[round]; k < h->first[round] + h->nodes[round]; k++) {
            chance[k] = round ? chance[h->first[round - 1] + h->parent[k]] : 1.0;
            weight[k] = 0.0;
            if (in_round[round])
                chance[k] *= likelihood[round][h->classes[k]];
        }
    for (int k = h->first[last]; k < h->first[last] + h->nodes[last]; k++)
        weight[k] = mass[k] * chance[k];
    for (int round = last; round >= 0; round--)
        for (int k = h->first[round]; k < h->first[round] + h->nodes[round]; k++) {
            at[round][h->classes[k]] += weight[k];
            if (round)
                weight[h->first[round - 1] + h->parent[k]] += weight[k];
        }
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
        total += at[0][class_];
    for (int a = 0; a < h->actions; a++)
        if (h->actor[a] == player)
            for (int k = 0; k < actions[a].classes; k++)
                actions[a].belief[k] = at[h->round[a]][actions[a].class_[k]] / total;
}

/* What an action adds to a cell of a division, and what the table expected. */
static inline void pm_division_add(pm_division *d, ptrdiff_t place, int act, const pm_action_rows *r)
{
    PM_NO_CONTRACT
    double *counts = d->counts + place * d->groups * 3, *expected = d->expected + place * d->groups * 3;
    double share[PM_TABLE_CLASSES];
    for (int k = 0; k < r->classes; k++)
        share[k] = r->belief[k] / r->sum[k];
    if (d->groups > 1) {
        double sums[PM_TABLE_GROUPS][3] = {{0.0}};
        for (int k = 0; k < r->classes; k++) {
            double *of = sums[r->group[k]];
            of[0] += share[k] * r->p[0][k];
            of[1] += share[k] * r->p[1][k];
            of[2] += share[k] * r->p[2][k];
        }
        for (int group = 0; group < PM_TABLE_GROUPS; group++) {
            counts[3 * group + act] += r->done[group];
            for (int k = 0; k < 3; k++)
                expected[3 * group + k] += sums[group][k];
        }
    } else {
        double fold = 0.0, call = 0.0, raise = 0.0;
        for (int k = 0; k < r->classes; k++) {
            fold += share[k] * r->p[0][k];
            call += share[k] * r->p[1][k];
            raise += share[k] * r->p[2][k];
        }
        counts[act] += r->all;
        expected[0] += fold;
        expected[1] += call;
        expected[2] += raise;
    }
}

static inline void pm_division_settle(pm_division *d, ptrdiff_t place)
{
    const ptrdiff_t first = place * d->groups * 3;
    for (ptrdiff_t k = first; k < first + d->groups * 3; k++)
        d->factors[k] = (d->believed + d->counts[k]) / (d->believed + d->expected[k]);
}

/* Let what was counted of a player be worth less. */
static inline void pm_class_fade(pm_class_tables *t, ptrdiff_t number, double worth)
{
    static const int cells[2] = {4, PM_TABLE_SITUATIONS};
    for (int own = 0; own < 2; own++) {
        pm_division *d = &t->division[PM_TABLE_SHARED + own];
        for (ptrdiff_t place = number * cells[own]; place < (number + 1) * cells[own]; place++) {
            for (ptrdiff_t k = place * d->groups * 3; k < (place + 1) * d->groups * 3; k++) {
                d->counts[k] *= worth;
                d->expected[k] *= worth;
            }
            pm_division_settle(d, place);
        }
    }
}

/* Count actions in the base, and keep its probabilities. */
static inline void pm_base_count(pm_class_tables *t, const pm_observed_hand *h, const pm_action_rows *actions)
{
    PM_NO_CONTRACT
    uint32_t touched[PM_TABLE_SITUATIONS] = {0};
    for (int a = 0; a < h->actions; a++) {
        const ptrdiff_t situation = h->cells[a * PM_TABLE_CELLS];
        double *counts = t->counts + situation * PM_TABLE_CLASSES * 3 + h->act[a];
        for (int k = 0; k < actions[a].classes; k++) {
            counts[3 * actions[a].class_[k]] += actions[a].belief[k];
            touched[situation] |= (uint32_t)1 << actions[a].class_[k];
        }
    }
    if (t->probabilities == NULL)
        return;
    for (int situation = 0; situation < PM_TABLE_SITUATIONS; situation++)
        for (uint32_t left = touched[situation]; left; left &= left - 1) {
            const ptrdiff_t row = (situation * PM_TABLE_CLASSES + pm_lowest_bit(left)) * 3;
            double sum[3];
            for (int act = 0; act < 3; act++)
                sum[act] = t->strength * t->prior[row + act] + t->counts[row + act];
            for (int act = 0; act < 3; act++)
                t->probabilities[row + act] = sum[act] / ((sum[0] + sum[1]) + sum[2]);
        }
}

/* What is believed of each action by what `judge` says; rows of actions that do not count get no classes. */
static inline void pm_class_expect(const pm_class_tables *judge, const pm_observed_hand *h, const ptrdiff_t *own,
                                   int hidden_count, pm_action_rows *actions, double *room)
{
    uint8_t classes[PM_TABLE_ROUNDS][PM_TABLE_CLASSES];
    int n[PM_TABLE_ROUNDS] = {0};
    for (int round = 0; round < h->rounds; round++) {
        uint32_t occurs = 0;
        for (int k = 0; k < h->nodes[round]; k++)
            occurs |= (uint32_t)1 << h->classes[h->first[round] + k];
        for (; occurs; occurs &= occurs - 1)
            classes[round][n[round]++] = (uint8_t)pm_lowest_bit(occurs);
    }
    for (int a = 0; a < h->actions; a++) {
        pm_action_rows *r = actions + a;
        const int16_t *cells = h->cells + a * PM_TABLE_CELLS;
        const int8_t shown = h->shown[h->actor[a] * h->rounds + h->round[a]];
        r->classes = 0;
        if (shown >= 0) {
            const uint8_t held = (uint8_t)shown;
            pm_rows_of(judge, cells[0], &held, 1, r);
            r->belief[0] = 1.0;
        } else if (hidden_count) {
            pm_rows_of(judge, cells[0], classes[h->round[a]], n[h->round[a]], r);
            pm_rows_all(judge, cells, own[h->actor[a]], h->legal[a], r);
            for (int k = 0; k < r->classes; k++)
                r->likelihood[k] = r->p[h->act[a]][k] / r->sum[k];
        }
    }
    for (int player = 0; hidden_count && player < h->players; player++)
        if (h->shown[player * h->rounds] < 0)
            pm_class_beliefs(h, player, actions, room);
    for (int a = 0; a < h->actions; a++) {
        pm_action_rows *r = actions + a;
        memset(r->done, 0, sizeof r->done);
        r->all = 0.0;
        for (int k = 0; k < r->classes; k++) {
            r->done[r->group[k]] += r->belief[k];
            r->all += r->belief[k];
        }
    }
}

/* Count a hand into tables: one expectation step, by what `judge` says, which may be the same tables. `numbers` and
 * `own` are those of the hand's players in either. What is left of the players' own counts before is `decay`. Factors
 * follow if the tables judge themselves; otherwise they do not. `actions` has room for the hand's, and `room` is twice
 * as many numbers as the hand has nodes. */
static inline void pm_class_count(pm_class_tables *into, const pm_class_tables *judge, const pm_observed_hand *h,
                                  const ptrdiff_t *numbers, const ptrdiff_t *own, int hidden_count, double decay,
                                  pm_action_rows *actions, double *room)
{
    const int online = into == judge;
    pm_class_expect(judge, h, own, hidden_count, actions, room);
    if (decay < 1)
        for (int player = 0; player < h->players; player++)
            pm_class_fade(into, numbers[player], decay);
    pm_base_count(into, h, actions);
    for (int a = 0; a < h->actions; a++) {
        pm_rows_begin(judge, h->cells[a * PM_TABLE_CELLS], h->legal[a], actions + a);
        pm_rows_sum(actions + a);
    }
    for (int k = 0; k < PM_TABLE_DIVISIONS; k++) {
        pm_division *d = &into->division[k];
        for (int pass = 0; pass < 3; pass++) /* add, settle, go on to the next division */
            for (int a = 0; a < h->actions; a++) {
                ptrdiff_t places[PM_TABLE_DIVISIONS];
                if (!actions[a].classes || (pass == 1 && !online) || (pass == 2 && k == PM_TABLE_DIVISIONS - 1))
                    continue;
                pm_table_places(h->cells + a * PM_TABLE_CELLS, (pass < 2 ? numbers : own)[h->actor[a]], places);
                if (pass == 0) {
                    pm_division_add(d, places[k], h->act[a], actions + a);
                } else if (pass == 1) {
                    pm_division_settle(d, places[k]);
                } else {
                    pm_rows_times(&judge->division[k], places[k], actions + a);
                    pm_rows_sum(actions + a);
                }
            }
    }
}

#endif
