/* The triples of all holdings by the rules for re-weighting (triples.h), and the forecast that they make. */
#ifndef POKERMODEL_EXPECTED_TRIPLES_H
#define POKERMODEL_EXPECTED_TRIPLES_H

#include "pokermodel/ranges/reweighting.h"
#include "pokermodel/vectors/simd.h"
#include "pokermodel/game/triples.h"

/* Triples as pm_triple_of gives them, to the bit, by a generator of the form PM_REWEIGHTING without table and tilts:
 * into `triples`, (3, n) by act. And their mean by the weights, to the bit that of pm_mean_triple. These are rows of
 * steps that do not branch, which compilers turn into vector instructions. Without `triples`, NULL, there is the mean
 * alone. */
static inline void pm_expected_triples(const pm_generator *g, const pm_spot *spot, const double *values,
                                       const double *potentials, const double *weights, ptrdiff_t n, double *triples,
                                       double *mean)
{
    PM_NO_CONTRACT
    const pm_borders at = g->at[spot->bets_to_call < 2 ? spot->bets_to_call : 2];
    const int river = spot->round == 3;
    const double *chances = river ? values : potentials; /* what is compared with the odds */
    const double odds = spot->to_call > 0 && (g->features & PM_POT_ODDS) ? pm_pot_odds(spot) : HUGE_VAL;
    const double raise_width = at.raise_high - at.raise_low, call_width = at.call_high - at.call_low;
    const double least = g->least, noise = g->noise, even = g->noise / 3.0;
    const int can_raise = spot->can_raise, to_call = spot->to_call > 0;
    pm_triple_sums sums = {{{0.0}}};
    for (ptrdiff_t first = 0; first < n; first += PM_BLOCK) {
        const ptrdiff_t some = n - first < PM_BLOCK ? n - first : PM_BLOCK;
        double fold[PM_BLOCK], call[PM_BLOCK], raise[PM_BLOCK], kept[3][PM_BLOCK];
        double *folds = triples ? triples + first : kept[0], *calls = triples ? triples + n + first : kept[1];
        double *raises = triples ? triples + 2 * n + first : kept[2];
        for (ptrdiff_t i = 0; i < some; i++) {
            const double value = values[first + i];
            const double raised = (value - at.raise_low) / raise_width, called = (value - at.call_low) / call_width;
            const double strong = pm_select(value > at.call_low, called, 0.0);
            const double has_odds = pm_select(chances[first + i] >= odds, 1.0, 0.0);
            const double either = has_odds + strong - strong * has_odds;
            double f = 0.99 * (1.0 - either), c = 0.99 * either, r = 0.01;
            f = pm_select(value > at.call_high, 0.01, f);
            c = pm_select(value > at.call_high, 0.98, c);
            f = pm_select(value > at.raise_low, 0.0, f);
            c = pm_select(value > at.raise_low, 1.0 - raised, c);
            r = pm_select(value > at.raise_low, raised, r);
            fold[i] = f;
            call[i] = pm_select(value > at.raise_high, 0.01, c);
            raise[i] = pm_select(value > at.raise_high, 0.99, r);
        }
        if (!can_raise)
            for (ptrdiff_t i = 0; i < some; i++) {
                call[i] += raise[i];
                raise[i] = 0.0;
            }
        if (!to_call)
            for (ptrdiff_t i = 0; i < some; i++) {
                call[i] += fold[i];
                fold[i] = 0.0;
            }
        for (ptrdiff_t i = 0; i < some; i++) {
            const double f = pm_select(fold[i] < least, least, fold[i]), c = pm_select(call[i] < least, least, call[i]);
            const double r = pm_select(raise[i] < least, least, raise[i]), sum = f + c + r;
            const double possible = pm_select(values[first + i] == values[first + i], 0.0, NAN);
            folds[i] = f / sum - f / sum * noise + even + possible;
            calls[i] = c / sum - c / sum * noise + even + possible;
            raises[i] = r / sum - r / sum * noise + even + possible;
        }
        pm_add_triples(&sums, weights + first, folds, calls, raises, some);
    }
    pm_mean_of_sums(&sums, mean);
}

/* The mean of triples, (3, n) by act, by the weights: to the bit that of pm_mean_triple. */
static inline void pm_mean_by_act(const double *weights, const double *triples, ptrdiff_t n, double *mean)
{
    pm_triple_sums sums = {{{0.0}}};
    for (ptrdiff_t first = 0; first < n; first += PM_BLOCK)
        pm_add_triples(&sums, weights + first, triples + first, triples + n + first, triples + 2 * n + first,
                       n - first < PM_BLOCK ? n - first : PM_BLOCK);
    pm_mean_of_sums(&sums, mean);
}

#endif
