/* Sizes of bets and raises in cells: what is expected of a player, and what is learnt of one.
 *
 * What is meant stands in pokermodel.reading.adaptive.sizes. */
#ifndef POKERMODEL_SIZES_H
#define POKERMODEL_SIZES_H

#include <math.h>
#include <stdint.h>

#include "pokermodel/readers/features.h"
#include "pokermodel/readers/key_rows.h"

enum {
    PM_SIZE_CELLS = 38,
    PM_SIZE_HIDDEN = 32,
    PM_SIZE_KINDS = 4, /* of habits */
    PM_SIZE_HABITS = 166,
    PM_SIZE_SIDES = 4, /* before or after the flop, first or further raise */
    PM_SIZE_DIVISIONS = 7,
    PM_SIZE_COMPARED = 2,
    PM_SIZE_EXPECTED = PM_SIZE_CELLS + 2, /* expectations, and what a power of forecasts is learnt by */
    PM_SIZE_TIERS = 2, /* population, then player */
    PM_SIZE_TERMS = PM_SIZE_DIVISIONS + PM_SIZE_COMPARED,
    PM_SIZE_BINS = 6,
    PM_SIZE_CONTEXTS = 36,
    PM_SIZE_QUARTERS = 4,   /* of what is to be expected of a player */
    PM_SIZE_STRENGTHS = 16, /* bins of hand strength */
    PM_SIZE_CLASSES = 7     /* of cells, as sizes are talked of */
};
#define PM_SIZE_STRENGTH 4.0   /* observations that everybody's forecast is worth where counts are added to it */
#define PM_SIZE_FLOOR 2.5e-5   /* added to probabilities, so that no logarithm is without end */
#define PM_SIZE_SHARE 0.08    /* of an observation, to each of the cells beside it */
#define PM_SIZE_SURE 45.0     /* nats squared that a power of 1 is worth */
#define PM_SIZE_LEAST_POWER 0.3
#define PM_SIZE_BIN_WIDTH 1.7  /* of how much was seen, by its logarithm to base 2 */

/* The cells that there is room for: the inner ones from low to high, and whether the least and the most are choices. */
typedef struct {
    int low, high, least, most;
} pm_size_range;

static inline int pm_size_room(const pm_size_range *range, int cell)
{
    if (cell == 0)
        return range->least;
    if (cell == PM_SIZE_CELLS - 1)
        return range->most;
    return range->low <= cell && cell <= range->high;
}

static inline void pm_size_normalize(double *forecast)
{
    double sum = 0.0;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        sum += forecast[c];
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] /= sum;
}

/* The cells that there is room for where one may raise from `least` to `most`, below 0 if nothing is known to bound it: amounts
 * of one round, as is `stay`, what it takes to stay. `borders` are those between inner cells, by the pot after a call. */
static inline pm_size_range pm_size_room_of(const double *borders, int64_t least, int64_t most, int64_t stay, double after)
{
    enum { INNER = PM_SIZE_CELLS - 2 };
    pm_size_range room = {1, 0, 0, 1};
    if (most >= 0 && most <= least)
        return room;
    room.least = 1;
    room.most = most >= 0;
    room.low = 1 + pm_bin_among(borders, INNER - 1, (double)(least + room.most - stay) / after);
    room.high = INNER;
    if (room.most)
        room.high = most - least > 1 ? 1 + pm_bin_among(borders, INNER - 1, (double)(most - 1 - stay) / after) : room.low - 1;
    return room;
}

/* The context of a bet or raise: the round, the first bet or raise or a further one, and the stack by the pot. */
static inline int pm_size_context(const pm_features *f)
{
    static const double ratios[] = {1.5, 5};
    const int raised = f->num_bets - !f->round, further = raised > 2 ? 2 : raised > 0 ? raised : 0;
    const int ratio = f->depth < 0 ? 2 : pm_bin_among(ratios, 2, (f->depth - f->share) / (f->pot + f->share));
    return (f->round * 3 + further) * 3 + ratio;
}

/* The cells of a player's habits that a bet or raise counts for, each within its division: before or after the flop and first
 * or further; position, or who acts before and after; what it takes to stay, or the pot; callers, or players and who led. */
static inline void pm_size_habits(const pm_features *f, int *habits)
{
    static const double levels[] = {2.01, 2.6, 3.1, 4.5, 8, 15, 30}, pots[] = {4, 6, 9, 14, 22, 35, 60}; /* big blinds */
    const int raised = f->num_bets - !f->round, further = raised > 2 ? 2 : raised > 0 ? raised : 0;
    const int again = further > 0, later = f->round - 1, order = f->position == 0 ? 2 : f->position < f->players - 1;
    const int more = f->players - 2 < 2 ? f->players - 2 : 2;
    habits[0] = 2 * (f->round > 0) + again;
    habits[1] = f->round ? 24 + 6 * later + 3 * again + order : 8 * further + pm_least(f->position, 7);
    habits[2] = f->round ? 24 + 16 * later + 8 * again + pm_bin_among(pots, 7, f->pot)
                         : 8 * further + pm_bin_among(levels, 7, f->level);
    habits[3] = f->round ? 12 + 12 * later + 6 * again + 2 * more + (f->aggressor == 1)
                         : 4 * pm_least(f->callers, 2) + further;
}

/* The first habit of each division, numbered through. */
static const int PM_SIZE_FIRST_HABIT[PM_SIZE_KINDS] = {0, 4, 46, 118};

/* Places in the divisions that sizes are counted in, numbered through: groups of habits; contexts; position and price; context
 * and the least; position and company; price and company; position, price and the least. */
enum {
    PM_SIZE_OF_GROUPS = 4,
    PM_SIZE_OF_CONTEXTS = PM_SIZE_OF_GROUPS + PM_SIZE_CONTEXTS,
    PM_SIZE_OF_BOTH = PM_SIZE_OF_CONTEXTS + 42 * 72,
    PM_SIZE_OF_LEAST = PM_SIZE_OF_BOTH + PM_SIZE_CONTEXTS * PM_SIZE_CELLS,
    PM_SIZE_OF_PLACES = PM_SIZE_OF_LEAST + 42 * 48,
    PM_SIZE_OF_PRICES = PM_SIZE_OF_PLACES + 72 * 48,
    PM_SIZE_PLACES = PM_SIZE_OF_PRICES + 42 * 72 * PM_SIZE_CELLS
};

/* Where a bet or raise is counted, of each division one place; habits are each within its division. */
static inline void pm_size_places(int context, int low, const int *habits, int *places)
{
    const int both = habits[1] * 72 + habits[2];
    places[0] = habits[0];
    places[1] = PM_SIZE_OF_GROUPS + context;
    places[2] = PM_SIZE_OF_CONTEXTS + both;
    places[3] = PM_SIZE_OF_BOTH + context * PM_SIZE_CELLS + low;
    places[4] = PM_SIZE_OF_LEAST + habits[1] * 48 + habits[3];
    places[5] = PM_SIZE_OF_PLACES + habits[2] * 48 + habits[3];
    places[6] = PM_SIZE_OF_PRICES + both * PM_SIZE_CELLS + low;
}

/* What everybody chooses: a hidden layer, and weights beside it, over rows that a situation has. The inputs are the rows of the
 * situation, the first and the last cell that there is room for, the cells of habits, and one for all. */
typedef struct {
    const float *weights; /* [inputs][PM_SIZE_CELLS], past the hidden layer */
    const float *hidden;  /* [inputs][PM_SIZE_HIDDEN] */
    const float *out;     /* [PM_SIZE_HIDDEN][PM_SIZE_CELLS] */
    const float *mixing;  /* [PM_SIZE_TIERS][PM_SIZE_SIDES][PM_SIZE_TERMS][PM_SIZE_BINS] */
    int rows;             /* of situations */
} pm_size_network;

/* The last input, and so one less than how many there are. */
static inline int pm_size_last(const pm_size_network *network)
{
    return network->rows + 2 * PM_SIZE_CELLS + PM_SIZE_HABITS;
}

static inline void pm_size_add(const pm_size_network *network, int input, double *logits, double *units)
{
    const float *weights = network->weights + PM_SIZE_CELLS * (size_t)input;
    const float *hidden = network->hidden + PM_SIZE_HIDDEN * (size_t)input;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        logits[c] += weights[c];
    for (int u = 0; u < PM_SIZE_HIDDEN; u++)
        units[u] += hidden[u];
}

/* Exponentials of logits that there is room for, by their sum. */
static inline void pm_size_softmax(const pm_size_range *range, double *logits)
{
    double most = -1e300;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        if (pm_size_room(range, c) && logits[c] > most)
            most = logits[c];
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        logits[c] = pm_size_room(range, c) ? exp(logits[c] - most) : 0.0;
    pm_size_normalize(logits);
}

/* The probability of each cell, of everybody. */
static inline void pm_size_everybody(const pm_size_network *network, const int16_t *rows, int n,
                                     const pm_size_range *range, const int *habits, double *forecast)
{
    double units[PM_SIZE_HIDDEN] = {0.0};
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] = 0.0;
    for (int k = 0; k < n; k++)
        pm_size_add(network, rows[k], forecast, units);
    pm_size_add(network, network->rows + range->low, forecast, units);
    pm_size_add(network, network->rows + PM_SIZE_CELLS + range->high, forecast, units);
    for (int k = 0; k < PM_SIZE_KINDS; k++)
        pm_size_add(network, network->rows + 2 * PM_SIZE_CELLS + habits[k], forecast, units);
    pm_size_add(network, pm_size_last(network), forecast, units);
    for (int u = 0; u < PM_SIZE_HIDDEN; u++) {
        const double unit = tanh(units[u]);
        const float *out = network->out + PM_SIZE_CELLS * u;
        for (int c = 0; c < PM_SIZE_CELLS; c++)
            forecast[c] += unit * out[c];
    }
    pm_size_softmax(range, forecast);
}

/* What somebody chose and what was expected of them then, by division of the situations: NULL for nothing. Expectations are kept
 * of the first divisions alone. */
typedef struct {
    const float *chosen[PM_SIZE_DIVISIONS];
    const float *expected[PM_SIZE_COMPARED];
} pm_size_told;

/* How much surer somebody's sizes are than a forecast of them says: a power of it, 1 of those of whom nothing is known.
 * What it is learnt by stands after the expectations of the first division. */
static inline double pm_size_power(const float *expected)
{
    if (!expected)
        return 1.0;
    return fmax(PM_SIZE_LEAST_POWER, 1.0 + expected[PM_SIZE_CELLS] / (PM_SIZE_SURE + expected[PM_SIZE_CELLS + 1]));
}

/* Learn that power by the class of a size, and by a forecast in which it is: a Newton step of the log-likelihood. */
static inline void pm_size_learn_power(const double *forecast, const uint8_t *class_of, int cell, float *expected)
{
    double share[PM_SIZE_CLASSES] = {0.0}, log_of[PM_SIZE_CLASSES] = {0.0}, mean = 0.0, spread = 0.0;
    const double power = pm_size_power(expected);
    for (int c = 0; c < PM_SIZE_CELLS; c++) {
        const double part = forecast[c] + PM_SIZE_FLOOR;
        share[class_of[c]] += part;
        log_of[class_of[c]] += part * log(part) / power;
    }
    for (int k = 0; k < PM_SIZE_CLASSES; k++) {
        mean += log_of[k];
        spread += log_of[k] * log_of[k] / share[k];
    }
    spread -= mean * mean;
    mean = log_of[class_of[cell]] / share[class_of[cell]] - mean;
    expected[PM_SIZE_CELLS] += (float)(mean + spread * (power - 1.0));
    expected[PM_SIZE_CELLS + 1] += (float)spread;
}

/* How sizes differ from a forecast: terms of [PM_SIZE_CELLS], and for each how much was seen. Of each division, by how much a
 * forecast changes that counts are added to, as so many more as it is worth PM_SIZE_STRENGTH; then of the compared ones, what
 * was chosen by what was expected. */
static inline void pm_size_terms(const pm_size_range *range, const double *forecast, const pm_size_told *told,
                                 double *terms, double *seen)
{
    double scale[PM_SIZE_CELLS], more[PM_SIZE_CELLS];
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        scale[c] = 1.0 / (PM_SIZE_STRENGTH * (forecast[c] + PM_SIZE_FLOOR));
    for (int d = 0; d < PM_SIZE_DIVISIONS; d++) {
        const float *chosen = told->chosen[d];
        double *own = terms + PM_SIZE_CELLS * d, *compared = terms + PM_SIZE_CELLS * (PM_SIZE_DIVISIONS + d), less;
        const int compare = d < PM_SIZE_COMPARED;
        double n = 0.0;
        for (int c = 0; c < PM_SIZE_CELLS; c++) {
            more[c] = 0.0;
            if (chosen && chosen[c] > 0 && pm_size_room(range, c)) {
                n += chosen[c];
                more[c] = log1p(chosen[c] * scale[c]);
            }
        }
        seen[d] = n;
        less = log1p(n / PM_SIZE_STRENGTH);
        for (int c = 0; c < PM_SIZE_CELLS; c++)
            own[c] = pm_size_room(range, c) ? more[c] - less : 0.0;
        if (!compare)
            continue;
        seen[PM_SIZE_DIVISIONS + d] = n;
        for (int c = 0; c < PM_SIZE_CELLS; c++) {
            compared[c] = more[c];
            if (told->expected[d] && told->expected[d][c] > 0 && pm_size_room(range, c))
                compared[c] -= log1p(told->expected[d][c] * scale[c]);
        }
    }
}

/* Overwrite a forecast by that of a tier of which something is known: it is changed by each term as much as was learnt that
 * it is worth, in a line between bins of how much was seen, and taken to a power. */
static inline void pm_size_mix(const pm_size_network *network, const pm_size_range *range, int tier, int side,
                               const double *terms, const double *seen, double power, double *forecast)
{
    const float *weights = network->mixing + PM_SIZE_TERMS * PM_SIZE_BINS * (PM_SIZE_SIDES * tier + side);
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] = log(forecast[c] + PM_SIZE_FLOOR);
    for (int k = 0; k < PM_SIZE_TERMS; k++) {
        const float *own = weights + PM_SIZE_BINS * k;
        const double at = log2(1.0 + seen[k]) / PM_SIZE_BIN_WIDTH;
        const int low = at < PM_SIZE_BINS - 1 ? (int)at : PM_SIZE_BINS - 2;
        const double part = at < PM_SIZE_BINS - 1 ? at - low : 1.0;
        const double weight = own[low] * (1.0 - part) + own[low + 1] * part;
        for (int c = 0; c < PM_SIZE_CELLS; c++)
            forecast[c] += weight * terms[PM_SIZE_CELLS * k + c];
    }
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] *= power;
    pm_size_softmax(range, forecast);
}

/* Count one observation, a part of it given to the cells beside it. */
static inline void pm_size_count(int cell, float *chosen)
{
    const int inner = cell > 0 && cell < PM_SIZE_CELLS - 1;
    chosen[cell] += inner ? (float)(1.0 - 2 * PM_SIZE_SHARE) : 1.0f;
    if (inner) {
        chosen[cell > 1 ? cell - 1 : cell] += (float)PM_SIZE_SHARE;
        chosen[cell + 1 < PM_SIZE_CELLS - 1 ? cell + 1 : cell] += (float)PM_SIZE_SHARE;
    }
}

/* What populations, or players, chose, and what was expected of them: rows by key, which is the number of somebody times
 * PM_SIZE_PLACES plus a place. */
typedef struct {
    const pm_key_rows *rows[2];
    const float *table[2];
} pm_size_counts;

/* What is known of somebody in some places; false if it is nothing. */
static inline int pm_size_tell(const pm_size_counts *counts, int number, const int *places, pm_size_told *told)
{
    int any = 0;
    for (int d = 0; d < PM_SIZE_DIVISIONS; d++) {
        const int64_t key = (int64_t)number * PM_SIZE_PLACES + places[d];
        int32_t row = pm_key_rows_find(counts->rows[0], key);
        told->chosen[d] = row < 0 ? NULL : counts->table[0] + PM_SIZE_CELLS * (size_t)row;
        any |= row >= 0;
        if (d >= PM_SIZE_COMPARED)
            continue;
        row = pm_key_rows_find(counts->rows[1], key);
        told->expected[d] = row < 0 ? NULL : counts->table[1] + PM_SIZE_EXPECTED * (size_t)row;
        any |= row >= 0;
    }
    return any;
}

/* Of a bet or raise, how likely each class of sizes is with a holding, whose strength is in the bin `tilts` is of: factors by
 * quarter of the player's sizes, PM_SIZE_STRENGTHS apart. */
static inline void pm_size_shares(const double *forecast, const double *tilts, const uint8_t *class_of, double *shares)
{
    double below = 0.0, sum = 0.0;
    memset(shares, 0, PM_SIZE_CLASSES * sizeof *shares);
    for (int c = 0; c < PM_SIZE_CELLS; c++) {
        const int quarter = (int)(PM_SIZE_QUARTERS * (below + forecast[c] / 2));
        shares[class_of[c]] +=
            forecast[c] * tilts[PM_SIZE_STRENGTHS * (quarter < PM_SIZE_QUARTERS ? quarter : PM_SIZE_QUARTERS - 1)];
        below += forecast[c];
    }
    for (int k = 0; k < PM_SIZE_CLASSES; k++)
        sum += shares[k];
    for (int k = 0; k < PM_SIZE_CLASSES; k++)
        shares[k] /= sum;
}

#endif
