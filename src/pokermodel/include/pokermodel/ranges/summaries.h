/* What weight tables are like in a few numbers, and the few bits of each weight that pages need.
 *
 * Tables have few different weights, since holdings that a reader does not tell apart have the same: logarithms of the
 * latest are kept. Passes without logarithms are compiled for the levels of vector instructions that matter to them:
 * the same steps in the same order, and so the same bits.
 */
#ifndef POKERMODEL_SUMMARIES_H
#define POKERMODEL_SUMMARIES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/cards.h" /* PM_HOLDINGS */
#include "pokermodel/ranges/sums.h"
#include "pokermodel/vectors/simd.h"

/* Copy weights, 0 where a holding is not possible and for -0. Returns whether all are numbers from 0 on. */
PM_ALWAYS_INLINE int pm_checked_weights(const double *weights, const uint8_t *live, ptrdiff_t n, double *to)
{
    int wrong = 0;
    ptrdiff_t k;
    pm_live_weights(weights, live, n, to);
    for (k = 0; k < n; k++) {
        to[k] += 0.0;
        wrong |= !(to[k] >= 0.0) | !(to[k] < HUGE_VAL);
    }
    return !wrong;
}

/* Divide weights by their sum, by way of the largest, so that no sum overflows. Returns whether one is above 0. */
PM_ALWAYS_INLINE int pm_weight_shares(const double *weights, ptrdiff_t n, double *out)
{
    double largest = pm_largest(weights, n, 0.0), total = 0.0, other = 0.0;
    ptrdiff_t k;
    if (!(largest > 0.0))
        return 0;
    for (k = 0; k < n; k++)
        out[k] = weights[k] / largest;
    for (k = 0; k < n - n % 2; k += 2) { /* two sums: neither waits for the other */
        total += out[k];
        other += out[k + 1];
    }
    if (k < n)
        total += out[k];
    total += other;
    for (k = 0; k < n; k++)
        out[k] /= total;
    return 1;
}

#define PM_SUMMARY_BITS 8

/* The last place where a number was kept: 0 finds nothing, which no positive number is. */
typedef struct {
    uint64_t number;
    double found;
} pm_kept_number;

static inline pm_kept_number *pm_kept_place(pm_kept_number *kept, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return kept + (bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PM_SUMMARY_BITS));
}

static inline int pm_is_kept(pm_kept_number *place, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (place->number == bits)
        return 1;
    place->number = bits;
    return 0;
}

/* A share times its logarithm, and the one before it that was another. */
typedef struct {
    double share, term, share_before, term_before;
} pm_last_terms;

static inline double pm_entropy_term(pm_last_terms *last, pm_kept_number *kept, double share)
{
    double term = 0.0;
    if (share == last->share) /* neighbours are often alike, or in turns, as suited and offsuit are */
        return last->term;
    if (share == last->share_before)
        term = last->term_before;
    else if (share > 0.0) {
        pm_kept_number *place = pm_kept_place(kept, share);
        if (!pm_is_kept(place, share))
            place->found = share * log2(share);
        term = place->found;
    }
    last->share_before = last->share, last->term_before = last->term;
    last->share = share, last->term = term;
    return term;
}

/* The entropy of probabilities in bits. */
static inline double pm_entropy_bits(const double *shares, ptrdiff_t n)
{
    pm_kept_number kept[1 << PM_SUMMARY_BITS];
    pm_last_terms last = {0.0, 0.0, 0.0, 0.0};
    double even = 0.0, odd = 0.0;
    ptrdiff_t k;
    memset(kept, 0, sizeof kept);
    for (k = 0; k < n - n % 2; k += 2) { /* two sums: neither waits for the other */
        even -= pm_entropy_term(&last, kept, shares[k]);
        odd -= pm_entropy_term(&last, kept, shares[k + 1]);
    }
    if (k < n)
        even -= pm_entropy_term(&last, kept, shares[k]);
    even += odd;
    return even > 0.0 ? even : 0.0;
}

enum {
    PM_PACKED_MOST = 32767,  /* stands for the largest weight */
    PM_PACKED_STEPS = 1024,  /* so much less for half of it, 1 at least; 0 for 0 */
    PM_PACKED_EACH = 32768   /* added where each holding of a class has a number of its own */
};

/* Weights in 15 bits, as logarithms, class by class, low bytes first: one number for a class whose holdings have the same
 * weight, as nearly all have before the flop, else one for each. `order` has the holdings class by class, of which those
 * that are possible count. Returns how many bytes there are, 2 * PM_HOLDINGS at most, and the largest weight. */
static inline ptrdiff_t pm_packed_weights(const double *weights, const uint8_t *live, const int64_t *order,
                                          const uint8_t *classes, double *largest, uint8_t *out)
{
    pm_kept_number kept[1 << PM_SUMMARY_BITS];
    unsigned numbers[PM_HOLDINGS];
    ptrdiff_t k = 0, size = 0;
    double most = 0.0;
    for (k = 0; k < PM_HOLDINGS; k++)
        most = weights[k] > most ? weights[k] : most;
    *largest = most;
    memset(kept, 0, sizeof kept);
    k = 0;
    while (k < PM_HOLDINGS) {
        uint8_t now = classes[order[k]];
        ptrdiff_t n = 0, each;
        unsigned same = 1;
        for (; k < PM_HOLDINGS && classes[order[k]] == now; k++) {
            double weight = weights[order[k]];
            unsigned packed = 0;
            if (!live[order[k]])
                continue;
            if (weight > 0.0) {
                pm_kept_number *place = pm_kept_place(kept, weight);
                if (!pm_is_kept(place, weight)) {
                    double share = weight / most;
                    double found = rint(log2(share > DBL_MIN ? share : DBL_MIN) * PM_PACKED_STEPS) + PM_PACKED_MOST;
                    place->found = found > 1.0 ? found : 1.0;
                }
                packed = (unsigned)place->found;
            }
            numbers[n++] = packed;
            same &= packed == numbers[0];
        }
        for (each = 0; each < (same ? n > 0 : n); each++) {
            unsigned packed = numbers[each] + (same ? 0 : PM_PACKED_EACH);
            out[size++] = (uint8_t)packed;
            out[size++] = (uint8_t)(packed >> 8);
        }
    }
    return size;
}

typedef struct {
    int (*checked)(const double *weights, const uint8_t *live, ptrdiff_t n, double *to);
    int (*shares)(const double *weights, ptrdiff_t n, double *out);
} pm_summary_kernels;

#define PM_SUMMARY_KERNELS(level, target)                                                                              \
    target static int pm_checked_weights_##level(const double *weights, const uint8_t *live, ptrdiff_t n, double *to)  \
    {                                                                                                                  \
        return pm_checked_weights(weights, live, n, to);                                                               \
    }                                                                                                                  \
    target static int pm_weight_shares_##level(const double *weights, ptrdiff_t n, double *out)                        \
    {                                                                                                                  \
        return pm_weight_shares(weights, n, out);                                                                      \
    }                                                                                                                  \
    static const pm_summary_kernels pm_summary_kernels_##level = {pm_checked_weights_##level,                          \
                                                                  pm_weight_shares_##level};

PM_SUMMARY_KERNELS(portable, )

#ifdef PM_SIMD_X86
PM_SUMMARY_KERNELS(avx2, PM_TARGET("avx2"))
#endif

/* The kernels of a level. */
static inline const pm_summary_kernels *pm_summary_kernels_at(int level)
{
#ifdef PM_SIMD_X86
    if (level == PM_SIMD_AVX2 || level == PM_SIMD_AVX512)
        return &pm_summary_kernels_avx2;
#else
    (void)level;
#endif
    return &pm_summary_kernels_portable;
}

#endif
