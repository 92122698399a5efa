/* Weight tables as wholes: what is possible, the largest weight, sums.
 *
 * Sums are NumPy's, to the bit; the largest and the smallest are those of several chains,
 * which do not wait for each other.
 */
#ifndef POKERMODEL_SUMS_H
#define POKERMODEL_SUMS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A sum of up to 128 values, by eight. */
static inline double pm_block_sum(const double *values, ptrdiff_t n)
{
    double part[8], sum = 0.0;
    ptrdiff_t i = 0;
    int k;
    if (n >= 8) {
        for (k = 0; k < 8; k++)
            part[k] = values[k];
        for (i = 8; i < n - n % 8; i += 8)
            for (k = 0; k < 8; k++)
                part[k] += values[i + k];
        sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }
    for (; i < n; i++)
        sum += values[i];
    return sum;
}

/* A sum of halves. */
static inline double pm_pairwise_sum(const double *values, ptrdiff_t n)
{
    ptrdiff_t half;
    if (n <= 128)
        return pm_block_sum(values, n);
    half = n / 2;
    half -= half % 8;
    return pm_pairwise_sum(values, half) + pm_pairwise_sum(values + half, n - half);
}

/* The largest value, or `least` if none is larger. */
static inline double pm_largest(const double *values, ptrdiff_t n, double least)
{
    double part[8];
    ptrdiff_t i;
    int k;
    for (k = 0; k < 8; k++)
        part[k] = least;
    for (i = 0; i < n - n % 8; i += 8)
        for (k = 0; k < 8; k++)
            part[k] = values[i + k] > part[k] ? values[i + k] : part[k];
    for (; i < n; i++)
        part[0] = values[i] > part[0] ? values[i] : part[0];
    for (k = 1; k < 8; k++)
        part[0] = part[k] > part[0] ? part[k] : part[0];
    return part[0];
}

/* The smallest value, or `most` if none is smaller. */
static inline double pm_smallest(const double *values, ptrdiff_t n, double most)
{
    double part[8];
    ptrdiff_t i;
    int k;
    for (k = 0; k < 8; k++)
        part[k] = most;
    for (i = 0; i < n - n % 8; i += 8)
        for (k = 0; k < 8; k++)
            part[k] = values[i + k] < part[k] ? values[i + k] : part[k];
    for (; i < n; i++)
        part[0] = values[i] < part[0] ? values[i] : part[0];
    for (k = 1; k < 8; k++)
        part[0] = part[k] < part[0] ? part[k] : part[0];
    return part[0];
}

/* Weights, 0 where a holding is not possible. */
static inline void pm_live_weights(const double *weights, const uint8_t *live, ptrdiff_t n, double *out)
{
    ptrdiff_t i;
    for (i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, weights + i, sizeof bits);
        bits &= 0 - (uint64_t)(live[i] != 0);
        memcpy(out + i, &bits, sizeof bits);
    }
}

/* The weights of possible holdings, one after the other; `out` has room for all. Returns their number. */
static inline ptrdiff_t pm_possible_weights(const double *weights, const uint8_t *live, ptrdiff_t n, double *out)
{
    ptrdiff_t i, found = 0;
    for (i = 0; i < n; i++) {
        out[found] = weights[i];
        found += live[i] != 0;
    }
    return found;
}

#define PM_KEPT_LOG_BITS 8

/* The mean of log(weight/largest) of possible holdings, and of its square, by weight**exponent. One of the weights must
 * be positive; returns the largest. Tables have few different weights: the latest are kept. */
static inline double pm_log_moments(const double *weights, const uint8_t *live, ptrdiff_t n, double exponent,
                                    double *mean, double *square)
{
    struct {
        uint64_t weight;
        double log, power;
    } kept[1 << PM_KEPT_LOG_BITS];
    double part[4] = {0.0}, largest = 0.0, total = 0.0, first = 0.0, second = 0.0;
    ptrdiff_t i;
    for (i = 0; i < n; i++)
        part[i & 3] = live[i] && weights[i] > part[i & 3] ? weights[i] : part[i & 3];
    for (i = 0; i < 4; i++)
        largest = part[i] > largest ? part[i] : largest;
    memset(kept, 0, sizeof kept); /* no positive weight has these bits */
    for (i = 0; i < n; i++) {
        uint64_t bits, place;
        if (!(live[i] && weights[i] > 0.0))
            continue;
        memcpy(&bits, weights + i, sizeof bits);
        place = bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PM_KEPT_LOG_BITS);
        if (kept[place].weight != bits) {
            kept[place].weight = bits;
            kept[place].log = log(weights[i] / largest);
            kept[place].power = exp(exponent * kept[place].log);
        }
        total += kept[place].power;
        first += kept[place].power * kept[place].log;
        second += kept[place].power * kept[place].log * kept[place].log;
    }
    *mean = first / total;
    *square = second / total;
    return largest;
}

#endif
