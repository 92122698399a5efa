/* What bets and raises on the river say of a holding beyond the probability of each: that they are polar.
 *
 * What is meant, and how it is fitted, stands in pokermodel.reading.adaptive.polarity. A table is multiplied by a factor for
 * each bin of strength. A strategy cannot be: a factor above 1 would take a bet that is nearly certain past certainty. There
 * the odds of bets are multiplied, and besides by one number for each group of sizes, so that over the player's range bets of
 * that group stay as frequent as they are foretold. *Why not* to cut at 1: whoever holds the best would never check.
 */
#ifndef POKERMODEL_POLARITY_H
#define POKERMODEL_POLARITY_H

#include <math.h>
#include <stdint.h>

#include "pokermodel/readers/likelihood.h"
#include "pokermodel/readers/sizes.h"

enum {
    PM_POLAR_GROUPS = 4, /* of sizes */
    PM_POLAR_WEAK = 5,   /* bins of strength, up to a half, that are the weak side */
    PM_POLAR_STEPS = 12  /* at most, in which frequencies come to be what is foretold; four are usual */
};
#define PM_POLAR_LEAST 1e-4 /* of a side, so that none comes from nowhere */
#define PM_POLAR_CLOSE 1e-5 /* by its logarithm, of a factor to where it belongs */
#define PM_POLAR_SLOPE .05  /* of a frequency by the logarithm of its factor, at least */

/* The factor of each bin of strength for a bet of one group of sizes. `masses` are what the range that bets has in each bin, of
 * any sum. */
static inline void pm_polar_factors(const double *masses, const float *tilts, double power, double *factors)
{
    double weak = 0.0, sum = 0.0, sides[2];
    for (int b = 0; b < PM_SIZE_STRENGTHS; b++) {
        sum += masses[b];
        weak += b < PM_POLAR_WEAK ? masses[b] : 0.0;
    }
    sides[0] = sum > 0.0 ? weak / sum : 0.0;
    sides[1] = 1.0 - sides[0];
    for (int side = 0; side < 2; side++)
        sides[side] = (power - 1.0) * log(sides[side] > PM_POLAR_LEAST ? sides[side] : PM_POLAR_LEAST);
    for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
        factors[b] = exp((double)tilts[b] + sides[b >= PM_POLAR_WEAK]);
}

/* Make the strategy of n classes polar.
 *
 * `p` are the probabilities of fold, call and raise in rows of PM_OUT, `rows` the features of the classes, of which the first is
 * the bin of strength, counted from `first`, and `held` what the player's range has of each. `shares` are those of each raise
 * and group of sizes by bin, `of_raises` become those of each raise. */
static inline void pm_polar_strategy(float *p, const int16_t *rows, int first, int n, const double *held, int raises,
                                     int groups, const double *shares, const float *tilts, double power,
                                     float *of_raises)
{
    double by_group[PM_POLAR_GROUPS][PM_SIZE_STRENGTHS] = {{0.0}}, factors[PM_POLAR_GROUPS][PM_SIZE_STRENGTHS];
    double foretold[PM_POLAR_GROUPS], more[PM_SIZE_STRENGTHS];
    for (int r = 0; r < raises; r++)
        for (int g = 0; g < groups; g++)
            for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
                by_group[g][b] += shares[(r * groups + g) * PM_SIZE_STRENGTHS + b];
    for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
        more[b] = 0.0;
    for (int k = 0; k < n; k++)
        more[rows[PM_HOLDING_FEATURES * k] - first] += held[k] * (double)p[PM_OUT * k + 2];
    for (int g = 0; g < groups; g++) {
        double masses[PM_SIZE_STRENGTHS];
        foretold[g] = 0.0;
        for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
            foretold[g] += masses[b] = more[b] * by_group[g][b];
        if (foretold[g] > 0.0)
            pm_polar_factors(masses, tilts + PM_SIZE_STRENGTHS * g, power, factors[g]);
        else
            for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
                factors[g][b] = 1.0;
    }
    for (int step = 0; step < PM_POLAR_STEPS; step++) { /* of Newton's, each group by itself */
        double found[PM_SIZE_STRENGTHS] = {0.0}, squares[PM_SIZE_STRENGTHS] = {0.0}, off = 0.0;
        for (int b = 0; b < PM_SIZE_STRENGTHS; b++) {
            more[b] = 0.0;
            for (int g = 0; g < groups; g++)
                more[b] += by_group[g][b] * factors[g][b];
        }
        for (int k = 0; k < n; k++) { /* raises of a group are what is found, times shares and factors */
            const int b = rows[PM_HOLDING_FEATURES * k] - first;
            const double raise = (double)p[PM_OUT * k + 2], now = raise / (1.0 + raise * (more[b] - 1.0));
            found[b] += held[k] * now;
            squares[b] += held[k] * now * now;
        }
        for (int g = 0; g < groups; g++) {
            double now = 0.0, certain = 0.0, slope, change;
            for (int b = 0; b < PM_SIZE_STRENGTHS; b++) {
                const double times = by_group[g][b] * factors[g][b];
                now += found[b] * times;
                certain += squares[b] * times * times;
            }
            if (!(now > 0.0 && foretold[g] > 0.0))
                continue;
            slope = 1.0 - certain / now; /* a bet that is certain gets no likelier */
            change = log(foretold[g] / now) / (slope > PM_POLAR_SLOPE ? slope : PM_POLAR_SLOPE);
            off = fabs(change) > off ? fabs(change) : off;
            for (int b = 0; b < PM_SIZE_STRENGTHS; b++)
                factors[g][b] *= exp(change);
        }
        if (off < PM_POLAR_CLOSE)
            break;
    }
    for (int b = 0; b < PM_SIZE_STRENGTHS; b++) {
        more[b] = 0.0;
        for (int g = 0; g < groups; g++)
            more[b] += by_group[g][b] * factors[g][b];
        for (int r = 0; r < raises; r++) {
            double sum = 0.0;
            for (int g = 0; g < groups; g++)
                sum += shares[(r * groups + g) * PM_SIZE_STRENGTHS + b] * factors[g][b];
            of_raises[PM_SIZE_STRENGTHS * r + b] = (float)(sum / more[b]);
        }
    }
    for (int k = 0; k < n; k++) {
        float *at = p + PM_OUT * k;
        const double raise = (double)at[2], times = more[rows[PM_HOLDING_FEATURES * k] - first];
        const double whole = 1.0 + raise * (times - 1.0);
        at[0] = (float)(at[0] / whole);
        at[1] = (float)(at[1] / whole);
        at[2] = (float)(raise * times / whole);
    }
}

#endif
