/* Several opponents seen as one: their weight tables merged (Papp 1998, section 7.3.1; Billings et al. 2002, section 5). */
#ifndef POKERMODEL_OPPONENTS_H
#define POKERMODEL_OPPONENTS_H

#include <float.h>
#include <stddef.h>

#include "pokermodel/vectors/simd.h"
#include "pokermodel/ranges/sums.h"

#define PM_SAFE_WEIGHT 1e300 /* weights up to it have a sum */

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
            const double largest = pm_largest(table, n, 0.0);
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
