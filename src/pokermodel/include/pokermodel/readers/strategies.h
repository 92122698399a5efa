/* What a player does at the nodes of a tree, which has some sizes alone: a strategy by class of holdings.
 *
 * The likelihood says how often a class folds, calls and raises; sizes are a factor of a raise. Cells of sizes
 * (sizes.h) are counted for the raise of the tree that is nearest to them. A size says something of the holding by the
 * quarter of the player's sizes that it lies in, so that the shares of the raises differ by bin of strength.
 *
 * The first money that a player puts in on the river is polar besides (polarity.h), given the range that they come with.
 */
#ifndef POKERMODEL_STRATEGIES_H
#define POKERMODEL_STRATEGIES_H

#include "pokermodel/readers/follow.h"
#include "pokermodel/readers/likelihood.h"
#include "pokermodel/readers/polarity.h"
#include "pokermodel/readers/sizes.h"

/* The share of each column by bin of strength, `columns` rows of PM_SIZE_STRENGTHS that sum to 1. `column_of` has for each cell
 * the column that it is counted for: a raise, or a raise and a group of sizes. `tilts` have by quarter and bin what a size is
 * likelier by with such a holding. */
static inline void pm_raise_shares(const double *forecast, const uint8_t *column_of, int columns, const double *tilts,
                                   double *shares)
{
    double below = 0.0;
    for (int k = 0; k < columns * PM_SIZE_STRENGTHS; k++)
        shares[k] = 0.0;
    for (int c = 0; c < PM_SIZE_CELLS; c++) {
        const int quarter = (int)(PM_SIZE_QUARTERS * (below + forecast[c] / 2));
        const double *tilt = tilts + PM_SIZE_STRENGTHS * (quarter < PM_SIZE_QUARTERS ? quarter : PM_SIZE_QUARTERS - 1);
        for (int s = 0; s < PM_SIZE_STRENGTHS; s++)
            shares[PM_SIZE_STRENGTHS * column_of[c] + s] += forecast[c] * tilt[s];
        below += forecast[c];
    }
    for (int s = 0; s < PM_SIZE_STRENGTHS; s++) {
        double sum = 0.0;
        for (int r = 0; r < columns; r++)
            sum += shares[PM_SIZE_STRENGTHS * r + s];
        for (int r = 0; r < columns; r++)
            shares[PM_SIZE_STRENGTHS * r + s] /= sum;
    }
}

/* The strategy of n classes, a row for each act: fold, if there is one, call, and the raises by their shares. `p` are
 * the probabilities of fold, call and raise in rows of PM_OUT, `rows` the features of the classes, of which the first
 * is the bin of strength, counted from `first`. */
static inline void pm_strategy_of_classes(const float *p, const int16_t *rows, int first, int n, int fold, int raises,
                                          const float *shares, float *to)
{
    for (int k = 0; k < n; k++) {
        const int bin = rows[PM_HOLDING_FEATURES * k] - first;
        float *at = to + k;
        if (fold) {
            *at = p[PM_OUT * k];
            at += n;
        }
        *at = p[PM_OUT * k + 1];
        for (int r = 0; r < raises; r++)
            *(at += n) = p[PM_OUT * k + 2] * (raises > 1 ? shares[PM_SIZE_STRENGTHS * r + bin] : 1.0f);
    }
}

#endif
