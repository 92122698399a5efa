/* The triples of all holdings by the rules for re-weighting (triples.h), and the forecast that they make. */
#ifndef POKERMODEL_EXPECTED_TRIPLES_H
#define POKERMODEL_EXPECTED_TRIPLES_H

#include "pokermodel/reweighting.h"
#include "pokermodel/simd.h"
#include "pokermodel/triples.h"

/* Triples as pm_triple_of gives them, to the bit, by a generator of the form PM_REWEIGHTING without table and tilts:
 * into `triples`, (3, n), by act. Rows of steps that do not branch, which compilers turn into vector instructions. */
static inline void pm_reweighting_triples(const pm_generator *g, const pm_spot *spot, const double *values,
                                          const double *potentials, ptrdiff_t n, double *triples)
{
    PM_NO_CONTRACT
    const pm_borders at = g->at[spot->bets_to_call < 2 ? spot->bets_to_call : 2];
    const int river = spot->round == 3;
    const double *chances = river ? values : potentials; /* what is compared with the odds */
    const double odds = spot->to_call > 0 && (river || (g->features & PM_POT_ODDS)) ? pm_pot_odds(spot) : HUGE_VAL;
    const double raise_width = at.raise_high - at.raise_low, call_width = at.call_high - at.call_low;
    const double least = g->least, noise = g->noise, even = g->noise / 3.0;
    const int can_raise = spot->can_raise, to_call = spot->to_call > 0;
    double *folds = triples, *calls = triples + n, *raises = triples + 2 * n;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double value = values[i];
        const double raised = (value - at.raise_low) / raise_width, called = (value - at.call_low) / call_width;
        const double strong = value > at.call_low ? called : 0.0, has_odds = chances[i] >= odds ? 1.0 : 0.0;
        const double either = has_odds + strong - strong * has_odds;
        double fold = 0.99 * (1.0 - either), call = 0.99 * either, raise = 0.01;
        fold = value > at.call_high ? 0.01 : fold;
        call = value > at.call_high ? 0.98 : call;
        fold = value > at.raise_low ? 0.0 : fold;
        call = value > at.raise_low ? 1.0 - raised : call;
        raise = value > at.raise_low ? raised : raise;
        call = value > at.raise_high ? 0.01 : call;
        raise = value > at.raise_high ? 0.99 : raise;
        folds[i] = fold;
        calls[i] = call;
        raises[i] = raise;
    }
    if (!can_raise)
        for (ptrdiff_t i = 0; i < n; i++) {
            calls[i] += raises[i];
            raises[i] = 0.0;
        }
    if (!to_call)
        for (ptrdiff_t i = 0; i < n; i++) {
            calls[i] += folds[i];
            folds[i] = 0.0;
        }
    for (ptrdiff_t i = 0; i < n; i++) {
        const double fold = folds[i] < least ? least : folds[i], call = calls[i] < least ? least : calls[i];
        const double raise = raises[i] < least ? least : raises[i], sum = fold + call + raise;
        const double possible = values[i] == values[i] ? 0.0 : NAN;
        const double f = fold / sum, c = call / sum, r = raise / sum;
        folds[i] = f - f * noise + even + possible;
        calls[i] = c - c * noise + even + possible;
        raises[i] = r - r * noise + even + possible;
    }
}

/* The mean of triples, (3, n) by act, by the weights, of holdings that have any: to the bit that of pm_mean_triple. */
static inline void pm_mean_by_act(const double *weights, const double *triples, ptrdiff_t n, double *mean)
{
    PM_NO_CONTRACT
    const double *folds = triples, *calls = triples + n, *raises = triples + 2 * n;
    double sums[4][4] = {{0.0}};
    for (ptrdiff_t i = 0; i < n; i++) {
        double *sum = sums[i & 3];
        const int counts = weights[i] > 0.0;
        sum[0] += counts ? weights[i] * folds[i] : 0.0;
        sum[1] += counts ? weights[i] * calls[i] : 0.0;
        sum[2] += counts ? weights[i] * raises[i] : 0.0;
        sum[3] += counts ? weights[i] : 0.0;
    }
    pm_mean_of_sums(sums, mean);
}

#endif
