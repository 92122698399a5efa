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

#include "pokermodel/cards.h"

#define PM_TABLE_CLASSES 22
#define PM_TABLE_SITUATIONS 12 /* round, bets to call */
#define PM_TABLE_GROUPS 6      /* of classes */
#define PM_TABLE_CELLS 5       /* of an action: its situation, and its place in each division that all players share */
#define PM_TABLE_DIVISIONS 6   /* four that all players share, and two of each player */
#define PM_TABLE_ROUNDS 4

typedef double pm_class_row[PM_TABLE_CLASSES][3];

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
    pm_division division[PM_TABLE_DIVISIONS];
} pm_class_tables;

/* What a finished hand says; see ObservedHand. */
typedef struct {
    ptrdiff_t actions, players, candidates, masses, rounds;
    const ptrdiff_t *actor, *round, *act, *cells, *shown;
    const double *legal, *mass;
    const uint8_t *classes;
} pm_observed_hand;

/* Where an action is to be found in each division; `number` is that of the player. */
static inline void pm_table_places(const ptrdiff_t *cells, ptrdiff_t number, ptrdiff_t *places)
{
    const ptrdiff_t situation = cells[0];
    memcpy(places, cells + 1, (PM_TABLE_CELLS - 1) * sizeof(*places));
    places[4] = 4 * number + 2 * (situation >= 3) + (situation % 3 > 0);
    places[5] = PM_TABLE_SITUATIONS * number + situation;
}

/* Rows of a base for an action. */
static inline void pm_table_begin(const double *probabilities, ptrdiff_t situation, const double *legal,
                                  pm_class_row table)
{
    const double *row = probabilities + situation * PM_TABLE_CLASSES * 3;
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
        for (int act = 0; act < 3; act++)
            table[class_][act] = row[3 * class_ + act] * legal[act];
}

static inline void pm_table_times(const pm_division *d, ptrdiff_t place, const ptrdiff_t *groups, pm_class_row table)
{
    const double *factors = d->factors + place * d->groups * 3;
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
        for (int act = 0; act < 3; act++)
            table[class_][act] *= factors[(d->groups > 1 ? 3 * groups[class_] : 0) + act];
}

static inline void pm_table_scale(pm_class_row table)
{
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++) {
        const double sum = (table[class_][0] + table[class_][1]) + table[class_][2];
        for (int act = 0; act < 3; act++)
            table[class_][act] /= sum;
    }
}

/* P(act | class) of an action; `groups` are those of classes before the flop and after it. */
static inline void pm_class_table(const pm_class_tables *t, const ptrdiff_t *cells, ptrdiff_t number,
                                  const double *legal, const ptrdiff_t *groups, pm_class_row table)
{
    ptrdiff_t places[PM_TABLE_DIVISIONS];
    const ptrdiff_t *of = groups + (cells[0] >= 3) * PM_TABLE_CLASSES;
    pm_table_places(cells, number, places);
    pm_table_begin(t->probabilities, cells[0], legal, table);
    for (int k = 0; k < PM_TABLE_DIVISIONS; k++)
        pm_table_times(&t->division[k], places[k], of, table);
    pm_table_scale(table);
}

/* The row of each holding's class: not numbers where it is not live. Their mean by the weights goes to `mean`. */
static inline void pm_class_spread(const double *table, const uint8_t *classes, const uint8_t *live,
                                   const double *weights, ptrdiff_t holdings, double *triples, double *mean)
{
    double mass[PM_TABLE_CLASSES] = {0.0}, total = 0.0;
    for (ptrdiff_t i = 0; i < holdings; i++) {
        mass[classes[i]] += weights[i];
        for (int act = 0; act < 3; act++)
            triples[3 * i + act] = live[i] ? table[3 * classes[i] + act] : NAN;
    }
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++) {
        total += mass[class_];
        for (int act = 0; act < 3; act++)
            mean[act] += mass[class_] * table[3 * class_ + act];
    }
    for (int act = 0; act < 3; act++)
        mean[act] /= total;
}

/* Beliefs about the class at each action, in hindsight: `likelihood` is that of what was done, by action and class.
 * `weights` has room for the candidates. Actions that do not count get no belief. */
static inline void pm_class_beliefs(const pm_observed_hand *h, double (*likelihood)[PM_TABLE_CLASSES], int hidden_count,
                                    double *weights, double (*beliefs)[PM_TABLE_CLASSES], uint8_t *counts)
{
    memset(beliefs, 0, (size_t)h->actions * sizeof(*beliefs));
    for (ptrdiff_t player = 0; player < h->players; player++) {
        double by_round[PM_TABLE_ROUNDS][PM_TABLE_CLASSES], at[PM_TABLE_ROUNDS][PM_TABLE_CLASSES] = {{0.0}};
        const double *mass = h->mass + (player < h->masses ? player : h->masses - 1) * h->candidates;
        const ptrdiff_t *shown = h->shown + player * h->rounds;
        const int known = shown[0] >= 0;
        int in_round[PM_TABLE_ROUNDS] = {0}, last = 0;
        double total = 0.0;
        for (ptrdiff_t a = 0; a < h->actions; a++) {
            const ptrdiff_t round = h->round[a];
            if (h->actor[a] != player)
                continue;
            counts[a] = (uint8_t)(known || hidden_count);
            if (known)
                beliefs[a][shown[round]] = 1.0;
            last = (int)round;
            for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
                by_round[round][class_] = (in_round[round] ? by_round[round][class_] : 1.0) * likelihood[a][class_];
            in_round[round] = 1;
        }
        if (known || !hidden_count)
            continue;
        memcpy(weights, mass, (size_t)h->candidates * sizeof(*weights));
        for (int round = 0; round <= last; round++)
            if (in_round[round])
                for (ptrdiff_t c = 0; c < h->candidates; c++)
                    weights[c] *= by_round[round][h->classes[c * h->rounds + round]];
        for (ptrdiff_t c = 0; c < h->candidates; c++)
            total += weights[c];
        for (int round = 0; round <= last; round++)
            if (in_round[round])
                for (ptrdiff_t c = 0; c < h->candidates; c++)
                    at[round][h->classes[c * h->rounds + round]] += weights[c];
        for (ptrdiff_t a = 0; a < h->actions; a++)
            if (h->actor[a] == player)
                for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
                    beliefs[a][class_] = at[h->round[a]][class_] / total;
    }
}

/* What an action adds to a cell of a division, and what the table expected. */
static inline void pm_division_add(pm_division *d, ptrdiff_t place, ptrdiff_t act, const ptrdiff_t *groups,
                                   const double *belief, pm_class_row table)
{
    double *counts = d->counts + place * d->groups * 3, *expected = d->expected + place * d->groups * 3;
    double done[PM_TABLE_GROUPS] = {0.0}, sums[PM_TABLE_GROUPS][3] = {{0.0}};
    for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++) {
        const ptrdiff_t group = d->groups > 1 ? groups[class_] : 0;
        done[group] += belief[class_];
        for (int k = 0; k < 3; k++)
            sums[group][k] += belief[class_] * table[class_][k];
    }
    for (int group = 0; group < d->groups; group++) {
        counts[3 * group + act] += done[group];
        for (int k = 0; k < 3; k++)
            expected[3 * group + k] += sums[group][k];
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
        pm_division *d = &t->division[PM_TABLE_DIVISIONS - 2 + own];
        for (ptrdiff_t place = number * cells[own]; place < (number + 1) * cells[own]; place++) {
            for (ptrdiff_t k = place * d->groups * 3; k < (place + 1) * d->groups * 3; k++) {
                d->counts[k] *= worth;
                d->expected[k] *= worth;
            }
            pm_division_settle(d, place);
        }
    }
}

/* Count a hand, by its beliefs, into tables; what was expected is what `judge` says, which may be the same tables.
 * `numbers` and `own` are the players' in either; `tables` has room for the actions. */
static inline void pm_class_count(pm_class_tables *into, const pm_class_tables *judge, const pm_observed_hand *h,
                                  const ptrdiff_t *numbers, const ptrdiff_t *own, const ptrdiff_t *groups,
                                  double (*beliefs)[PM_TABLE_CLASSES], const uint8_t *counts, pm_class_row *tables)
{
    double added[PM_TABLE_SITUATIONS][PM_TABLE_CLASSES][3] = {{{0.0}}};
    int touched[PM_TABLE_SITUATIONS] = {0};
    for (ptrdiff_t a = 0; a < h->actions; a++)
        if (counts[a]) {
            const ptrdiff_t situation = h->cells[a * PM_TABLE_CELLS];
            touched[situation] = 1;
            for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++)
                added[situation][class_][h->act[a]] += beliefs[a][class_];
        }
    for (int situation = 0; situation < PM_TABLE_SITUATIONS; situation++)
        if (touched[situation])
            for (int class_ = 0; class_ < PM_TABLE_CLASSES; class_++) {
                const ptrdiff_t row = (situation * PM_TABLE_CLASSES + class_) * 3;
                double sum[3];
                for (int act = 0; act < 3; act++) {
                    into->counts[row + act] += added[situation][class_][act];
                    sum[act] = into->strength * into->prior[row + act] + into->counts[row + act];
                }
                if (into->probabilities != NULL)
                    for (int act = 0; act < 3; act++)
                        into->probabilities[row + act] = sum[act] / ((sum[0] + sum[1]) + sum[2]);
            }
    for (ptrdiff_t a = 0; a < h->actions; a++) {
        pm_table_begin(judge->probabilities, h->cells[a * PM_TABLE_CELLS], h->legal + 3 * a, tables[a]);
        pm_table_scale(tables[a]);
    }
    for (int k = 0; k < PM_TABLE_DIVISIONS; k++) {
        ptrdiff_t places[PM_TABLE_DIVISIONS];
        pm_division *d = &into->division[k];
        for (int pass = 0; pass < 3; pass++) /* add, settle, go on to the next division */
            for (ptrdiff_t a = 0; a < h->actions; a++) {
                const ptrdiff_t *cells = h->cells + a * PM_TABLE_CELLS;
                const ptrdiff_t *of = groups + (cells[0] >= 3) * PM_TABLE_CLASSES;
                if (!counts[a])
                    continue;
                pm_table_places(cells, (pass < 2 ? numbers : own)[h->actor[a]], places);
                if (pass == 0)
                    pm_division_add(d, places[k], h->act[a], of, beliefs[a], tables[a]);
                else if (pass == 1)
                    pm_division_settle(d, places[k]);
                else {
                    pm_table_times(&judge->division[k], places[k], of, tables[a]);
                    pm_table_scale(tables[a]);
                }
            }
    }
}

/* Classes of holdings by their strengths after the flop: how many borders are not above it. With a potential of `draw`
 * or more the classes below `made` are draws, in classes of their own. 0 where the strength is nan. `potentials` may be
 * NULL. */
static inline void pm_strength_classes(const double *strengths, const double *potentials, const double *borders, int n,
                                       double draw, int made, uint8_t *classes)
{
    for (int holding = 0; holding < PM_HOLDINGS; holding++) {
        int found = 0;
        for (int k = 0; k < n; k++)
            found += strengths[holding] >= borders[k];
        classes[holding] = (uint8_t)found;
    }
    if (potentials != NULL)
        for (int holding = 0; holding < PM_HOLDINGS; holding++)
            if (potentials[holding] >= draw && classes[holding] < made)
                classes[holding] = (uint8_t)(classes[holding] + n + 1);
}

/* Holdings of the same classes in all rounds, as candidates in the order of their classes. `classes` has a row for each
 * round, `found` gets one for each candidate; `mass` how many of the holdings that are `live` each is, and `lost` how
 * many of those that are `losing`, too, if that is not NULL. Returns the number of candidates. */
static inline int pm_candidates(const uint8_t *classes, int rounds, const uint8_t *live, const uint8_t *losing,
                                uint8_t *found, double *mass, double *lost)
{
    int16_t candidate[PM_HOLDINGS] = {0}, number[PM_HOLDINGS * PM_TABLE_CLASSES];
    int n = 1;
    for (int round = 0; round < rounds; round++) { /* divides candidates so far by their classes in it */
        const uint8_t *of = classes + (size_t)round * PM_HOLDINGS;
        const int places = n * PM_TABLE_CLASSES;
        memset(number, 0, (size_t)places * sizeof(*number));
        for (int holding = 0; holding < PM_HOLDINGS; holding++)
            if (live[holding])
                number[candidate[holding] * PM_TABLE_CLASSES + of[holding]] = 1;
        n = 0;
        for (int place = 0; place < places; place++)
            if (number[place])
                number[place] = (int16_t)n++;
        for (int holding = 0; holding < PM_HOLDINGS; holding++)
            if (live[holding])
                candidate[holding] = number[candidate[holding] * PM_TABLE_CLASSES + of[holding]];
    }
    memset(mass, 0, (size_t)n * sizeof(*mass));
    if (losing != NULL)
        memset(lost, 0, (size_t)n * sizeof(*lost));
    for (int holding = 0; holding < PM_HOLDINGS; holding++)
        if (live[holding]) {
            const int k = candidate[holding];
            if (!mass[k])
                for (int round = 0; round < rounds; round++)
                    found[k * rounds + round] = classes[(size_t)round * PM_HOLDINGS + holding];
            mass[k] += 1.0;
            if (losing != NULL)
                lost[k] += losing[holding];
        }
    return n;
}

#endif
