/* Sizes of bets and raises in cells: what is expected of a player, and what is learnt of one.
 *
 * What is meant stands in pokermodel.reading.adaptive.sizes. */
#ifndef POKERMODEL_SIZES_H
#define POKERMODEL_SIZES_H

#include <math.h>
#include <stdint.h>

enum {
    PM_SIZE_CELLS = 38,
    PM_SIZE_HIDDEN = 32,
    PM_SIZE_KINDS = 4, /* of habits */
    PM_SIZE_HABITS = 166,
    PM_SIZE_SIDES = 4, /* before or after the flop, first or further raise */
    PM_SIZE_DIVISIONS = 7,
    PM_SIZE_COMPARED = 2,
    PM_SIZE_TIERS = 2, /* population, then player */
    PM_SIZE_TERMS = PM_SIZE_DIVISIONS + PM_SIZE_COMPARED,
    PM_SIZE_BINS = 6
};
#define PM_SIZE_STRENGTH 4.0   /* observations that everybody's forecast is worth where counts are added to it */
#define PM_SIZE_LEAST 2.5e-5   /* added to probabilities, so that no logarithm is without end */
#define PM_SIZE_SHARE 0.08    /* of an observation, to each of the cells beside it */
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

/* How sizes differ from a forecast: terms of [PM_SIZE_CELLS], and for each how much was seen. Of each division, by how much a
 * forecast changes that counts are added to, as so many more as it is worth PM_SIZE_STRENGTH; then of the compared ones, what
 * was chosen by what was expected. */
static inline void pm_size_terms(const pm_size_range *range, const double *forecast, const pm_size_told *told,
                                 double *terms, double *seen)
{
    double scale[PM_SIZE_CELLS], more[PM_SIZE_CELLS];
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        scale[c] = 1.0 / (PM_SIZE_STRENGTH * (forecast[c] + PM_SIZE_LEAST));
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
 * it is worth, in a line between bins of how much was seen. */
static inline void pm_size_mix(const pm_size_network *network, const pm_size_range *range, int tier, int side,
                               const double *terms, const double *seen, double *forecast)
{
    const float *weights = network->mixing + PM_SIZE_TERMS * PM_SIZE_BINS * (PM_SIZE_SIDES * tier + side);
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] = log(forecast[c] + PM_SIZE_LEAST);
    for (int k = 0; k < PM_SIZE_TERMS; k++) {
        const float *own = weights + PM_SIZE_BINS * k;
        const double at = log2(1.0 + seen[k]) / PM_SIZE_BIN_WIDTH;
        const int low = at < PM_SIZE_BINS - 1 ? (int)at : PM_SIZE_BINS - 2;
        const double part = at < PM_SIZE_BINS - 1 ? at - low : 1.0;
        const double weight = own[low] * (1.0 - part) + own[low + 1] * part;
        for (int c = 0; c < PM_SIZE_CELLS; c++)
            forecast[c] += weight * terms[PM_SIZE_CELLS * k + c];
    }
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

#endif
