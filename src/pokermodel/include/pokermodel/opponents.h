/* Several opponents seen as one: their weight tables merged (Papp 1998, section 7.3.1; Billings et al. 2002, section 5). */
#ifndef POKERMODEL_OPPONENTS_H
#define POKERMODEL_OPPONENTS_H

#include <float.h>
#include <stddef.h>

#include "pokermodel/simd.h"

#define PM_SAFE_WEIGHT 1e300 /* weights up to it have a sum */

/* A sum in the order in which NumPy adds, to the bit. */
static inline double pm_pairwise_sum(const double *values, ptrdiff_t n)
{
    double sums[8], sum = 0.0;
    ptrdiff_t i, half;
    if (n > 128) {
        half = n / 2;
        half -= half % 8;
        return pm_pairwise_sum(values, half) + pm_pairwise_sum(values + half, n - half);
    }
    if (n < 8) {
        for (i = 0; i < n; i++)
            sum += values[i];
        return sum;
    }
    for (int k = 0; k < 8; k++)
        sums[k] = values[k];
    for (i = 8; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            sums[k] += values[i + k];
    sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < n; i++)
        sum += values[i];
    return sum;
}

static inline double pm_largest(const double *values, ptrdiff_t n)
{
    double largest[4] = {values[0], values[0], values[0], values[0]};
    ptrdiff_t i;
    for (i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            largest[k] = values[i + k] > largest[k] ? values[i + k] : largest[k];
    for (; i < n; i++)
        largest[0] = values[i] > largest[0] ? values[i] : largest[0];
    for (int k = 1; k < 4; k++)
        largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
    return largest[0];
}

/* Whether all are finite and 0 or more. */
static inline int pm_valid_weights(const double *weights, ptrdiff_t n)
{
    int bad = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        bad |= !(weights[i] >= 0.0) | !(weights[i] <= DBL_MAX);
    return !bad;
}

/* Merge tables of n weights each: the mean of tables that are divided by their sums or, where
 * `maximum` is set, the maximum of tables that are divided by their largest weights. A table without weight adds
 * nothing. `scaled` has room for n numbers. Returns whether all weights are finite and 0 or more; without them, nothing
 * is made of them. */
static inline int pm_merge_tables(const double *const *tables, int count, int maximum, ptrdiff_t n, double *scaled,
                                   double *merged)
{
    PM_NO_CONTRACT
    for (int t = 0; t < count; t++)
        if (!pm_valid_weights(tables[t], n))
            return 0;
    for (int t = 0; t < count; t++) {
        const double *table = tables[t];
        double scale = 0.0;
        ptrdiff_t i;
        if (maximum || (scale = pm_pairwise_sum(table, n)) > PM_SAFE_WEIGHT) {
            const double largest = pm_largest(table, n);
            scale = maximum ? largest : scale;
            if (largest > PM_SAFE_WEIGHT) {
                for (i = 0; i < n; i++)
                    scaled[i] = table[i] / largest;
                table = scaled;
                scale = maximum ? 1.0 : pm_pairwise_sum(table, n);
            }
        }
        scale = scale > 0.0 ? scale : 1.0;
        if (t == 0)
            for (i = 0; i < n; i++)
                merged[i] = table[i] / scale;
        else if (maximum)
            for (i = 0; i < n; i++) {
                const double weight = table[i] / scale;
                merged[i] = weight > merged[i] ? weight : merged[i];
            }
        else
            for (i = 0; i < n; i++)
                merged[i] += table[i] / scale;
    }
    if (!maximum)
        for (ptrdiff_t i = 0; i < n; i++)
            merged[i] /= count;
    return 1;
}

#endif
