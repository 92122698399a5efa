/* Sizes of bets and raises in cells: what is expected of a player, and what is learnt of one.
 *
 * What is meant stands in pokermodel.reading.adaptive.sizes. Sums go in the order of NumPy's. */
#ifndef POKERMODEL_SIZES_H
#define POKERMODEL_SIZES_H

#include <stdint.h>

enum { PM_SIZE_CELLS = 38, PM_SIZE_LANES = 8 };

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

/* Sums of PM_SIZE_CELLS numbers as NumPy has them: in eight lanes, then their sums, then the rest. */
#define PM_SUM_OF_CELLS(name, real) \
    static inline real name(const real *a) \
    { \
        real lane[PM_SIZE_LANES], sum; \
        int i; \
        for (i = 0; i < PM_SIZE_LANES; i++) \
            lane[i] = a[i]; \
        for (; i + PM_SIZE_LANES <= PM_SIZE_CELLS; i += PM_SIZE_LANES) \
            for (int k = 0; k < PM_SIZE_LANES; k++) \
                lane[k] += a[i + k]; \
        sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7])); \
        for (; i < PM_SIZE_CELLS; i++) \
            sum += a[i]; \
        return sum; \
    }
PM_SUM_OF_CELLS(pm_sum_of_cells, double)
PM_SUM_OF_CELLS(pm_sum_of_cells_f, float)

/* Logits of all cells, the largest of those that there is room for being 0: sums of rows of weights, and the last row. */
static inline void pm_size_logits(const float *weights, int last, const int16_t *rows, int n,
                                  const pm_size_range *range, double *logits)
{
    double most = -1e300;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        logits[c] = weights[PM_SIZE_CELLS * (size_t)rows[0] + (size_t)c];
    for (int f = 1; f < n; f++)
        for (int c = 0; c < PM_SIZE_CELLS; c++)
            logits[c] += weights[PM_SIZE_CELLS * (size_t)rows[f] + (size_t)c];
    for (int c = 0; c < PM_SIZE_CELLS; c++) {
        logits[c] += weights[PM_SIZE_CELLS * (size_t)last + (size_t)c];
        if (pm_size_room(range, c) && logits[c] > most)
            most = logits[c];
    }
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        logits[c] -= most;
}

static inline void pm_size_normalize(double *forecast)
{
    const double sum = pm_sum_of_cells(forecast);
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] /= sum;
}

/* The forecast of a population, given the exponentials of the logits; what it chose in such a context, `counts`, may be
 * NULL, and everybody's forecast is worth so many observations beside it. */
static inline void pm_size_population(double *forecast, const pm_size_range *range, const double *counts,
                                      double strength)
{
    double own[PM_SIZE_CELLS], sum;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] *= pm_size_room(range, c);
    pm_size_normalize(forecast);
    if (!counts)
        return;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        own[c] = counts[c] * pm_size_room(range, c);
    sum = pm_sum_of_cells(own) + strength;
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        forecast[c] = (own[c] + strength * forecast[c]) / sum;
}

/* The forecast by one more habit: `told` are what was chosen and what was expected. */
static inline void pm_size_habit(double *forecast, const float *told, float least, float strength)
{
    const float n = pm_sum_of_cells_f(told);
    for (int c = 0; c < PM_SIZE_CELLS; c++) {
        const float factor = (told[c] + least) / (told[PM_SIZE_CELLS + c] + least) * n;
        forecast[c] *= (double)(factor + strength);
    }
    pm_size_normalize(forecast);
}

/* One observation, a part of it given to the cells beside it. */
static inline void pm_size_shared(int cell, double *chosen)
{
    for (int c = 0; c < PM_SIZE_CELLS; c++)
        chosen[c] = 0.0;
    if (cell == 0 || cell == PM_SIZE_CELLS - 1) {
        chosen[cell] = 1.0;
        return;
    }
    chosen[cell] = 0.6;
    if (cell + 1 < PM_SIZE_CELLS - 1)
        chosen[cell + 1] += 0.2;
    else
        chosen[cell] += 0.2;
    if (cell > 1)
        chosen[cell - 1] += 0.2;
    else
        chosen[cell] += 0.2;
}

#endif
