/* What an act makes of a weight table: Loki-1's ramps (Papp 1998, chapter 7), Bayes' rule, and the mean of triples;
 * and forecasts corrected by what came of earlier ones.
 *
 * A value that is not a number marks a holding that is not possible.
 */
#ifndef POKERMODEL_REWEIGHTING_H
#define POKERMODEL_REWEIGHTING_H

#include <math.h>
#include <stddef.h>

#include "pokermodel/ranges/select.h"
#include "pokermodel/vectors/simd.h"

#define PM_LEAST_FACTOR 0.01
#define PM_LEAST_FORECAST 0.01 /* what is expected less often counts as that */
#define PM_CORRECTIONS 4       /* an exponent, and a summand for each act */

/* A line from `least` at 0, or one around `mu`, within .01 and 1; it falls where `width` is negative. */
typedef struct {
    double mu, sigma, width, least;
    int from_zero, always;
} pm_ramp;

static inline pm_ramp pm_make_ramp(double mu, double sigma, int compensate)
{
    pm_ramp ramp = {mu, sigma, 2.0 * sigma, 0.0, 0, 0};
    if (compensate && sigma > mu) { /* the band would reach below zero: a line that keeps the area below it (Eq 7.8) */
        ramp.width = mu + sigma;
        ramp.from_zero = 1;
        ramp.always = !(ramp.width > 0.0);
        ramp.least = 1.0 - 2.0 * mu / ramp.width;
    }
    return ramp;
}

/* The ramp of who did not do it: 1 less the other one, so that it falls from 1 to .01 around `mu`, or, where that one is a
 * line that keeps its area, from 1 at 0 to .01 at its end. What a ramp is multiplied by does not matter to a table. */
static inline pm_ramp pm_make_falling_ramp(double mu, double sigma, int compensate)
{
    pm_ramp ramp = {mu, -sigma, -2.0 * sigma, 0.0, 0, 0}; /* (v - mu - sigma)/(-2 sigma) */
    if (compensate && sigma > mu) {
        ramp.width = -(mu + sigma);
        ramp.always = !(ramp.width < 0.0);
    }
    return ramp;
}

static inline double pm_within_ramp(double factor)
{
    factor = pm_select(factor < PM_LEAST_FACTOR, PM_LEAST_FACTOR, factor); /* what is not a number stays so */
    return pm_select(factor > 1.0, 1.0, factor);
}

static inline double pm_ramp_factor(const pm_ramp *ramp, double value)
{
    const double factor = ramp->from_zero ? ramp->least + (1.0 - ramp->least) * value / ramp->width
                                          : (value - ramp->mu + ramp->sigma) / ramp->width;
    return ramp->always ? 1.0 : pm_within_ramp(factor);
}

/* The factors of a ramp for many values. */
static inline void pm_ramp_factors(const pm_ramp *ramp, const double *values, ptrdiff_t n, double *factors)
{
    PM_NO_CONTRACT
    const double mu = ramp->mu, sigma = ramp->sigma, width = ramp->width, least = ramp->least, rise = 1.0 - ramp->least;
    ptrdiff_t i;
    if (ramp->always)
        for (i = 0; i < n; i++)
            factors[i] = 1.0;
    else if (ramp->from_zero)
        for (i = 0; i < n; i++)
            factors[i] = pm_within_ramp(least + rise * values[i] / width);
    else
        for (i = 0; i < n; i++)
            factors[i] = pm_within_ramp((values[i] - mu + sigma) / width);
}

#define PM_BLOCK 64 /* holdings at a time, a multiple of 4 */

/* Sums of weighted triples in four lanes, which do not wait for each other: fold, call, raise, and the weight. */
typedef struct {
    double of[4][4];
} pm_triple_sums;

/* Add up to PM_BLOCK holdings, the first of which goes to the first lane. Those without weight add nothing. */
static inline void pm_add_triples(pm_triple_sums *sums, const double *weights, const double *folds,
                                  const double *calls, const double *raises, ptrdiff_t n)
{
    PM_NO_CONTRACT
    double fold[PM_BLOCK], call[PM_BLOCK], raise[PM_BLOCK], weight[PM_BLOCK];
    const ptrdiff_t whole = (n + 3) / 4 * 4;
    pm_triple_sums sum = *sums; /* a copy of its own, for registers */
    for (ptrdiff_t i = 0; i < n; i++) {
        const int any = weights[i] > 0.0;
        fold[i] = pm_select(any, weights[i] * folds[i], 0.0);
        call[i] = pm_select(any, weights[i] * calls[i], 0.0);
        raise[i] = pm_select(any, weights[i] * raises[i], 0.0);
        weight[i] = pm_select(any, weights[i], 0.0);
    }
    for (ptrdiff_t i = n; i < whole; i++)
        fold[i] = call[i] = raise[i] = weight[i] = 0.0;
    for (ptrdiff_t i = 0; i < whole; i += 4) {
        for (int k = 0; k < 4; k++)
            sum.of[0][k] += fold[i + k];
        for (int k = 0; k < 4; k++)
            sum.of[1][k] += call[i + k];
        for (int k = 0; k < 4; k++)
            sum.of[2][k] += raise[i + k];
        for (int k = 0; k < 4; k++)
            sum.of[3][k] += weight[i + k];
    }
    *sums = sum;
}

static inline void pm_mean_of_sums(const pm_triple_sums *sums, double *mean)
{
    double total[4];
    for (int c = 0; c < 4; c++)
        total[c] = (sums->of[c][0] + sums->of[c][1]) + (sums->of[c][2] + sums->of[c][3]);
    for (int c = 0; c < 3; c++)
        mean[c] = total[c] / total[3];
}

/* Ramps read as probabilities of acts. */
typedef struct {
    pm_ramp raising, staying;
    int may_raise; /* if nobody may, those who would do so call */
    double odds;   /* holdings of this potential stay whatever their value; infinite for none */
} pm_ramp_acts;

/* The triple of a holding, of the factors of both ramps. */
static inline void pm_ramp_triple(double raised, double stays, int may_raise, double *fold, double *call, double *raise)
{
    const double remains = pm_select(raised > stays, raised, stays), calls = remains - raised;
    *fold = 1.0 - remains;
    *call = may_raise ? calls : calls + raised;
    *raise = may_raise ? raised : 0.0;
}

/* The mean of these triples by the weights, to the bit what pm_mean_triple makes of the triples themselves. */
static inline void pm_ramp_forecast(const pm_ramp_acts *acts, const double *values, const double *potentials,
                                    const double *weights, ptrdiff_t n, double *mean)
{
    PM_NO_CONTRACT
    const double odds = acts->odds;
    const int may_raise = acts->may_raise;
    pm_triple_sums sums = {{{0.0}}};
    double raises[PM_BLOCK], calls[PM_BLOCK], folds[PM_BLOCK];
    for (ptrdiff_t first = 0; first < n; first += PM_BLOCK) {
        const ptrdiff_t some = n - first < PM_BLOCK ? n - first : PM_BLOCK;
        pm_ramp_factors(&acts->raising, values + first, some, raises);
        pm_ramp_factors(&acts->staying, values + first, some, calls);
        for (ptrdiff_t i = 0; i < some; i++) {
            const double stays = pm_select(potentials[first + i] >= odds, 1.0, calls[i]);
            pm_ramp_triple(raises[i], stays, may_raise, &folds[i], &calls[i], &raises[i]);
        }
        pm_add_triples(&sums, weights + first, folds, calls, raises, some);
    }
    pm_mean_of_sums(&sums, mean);
}

/* Each weight times the factor of a ramp, at least `least`; as it is where a holding is exempt, 0 where it is not possible
 * or not live. `exempt` may be NULL for none, `live` for all. */
static inline void pm_ramp_weights(const pm_ramp *ramp, const double *values, const double *weights,
                                   const unsigned char *exempt, const unsigned char *live, double least, ptrdiff_t n,
                                   double *after)
{
    PM_NO_CONTRACT
    ptrdiff_t i;
    pm_ramp_factors(ramp, values, n, after);
    for (i = 0; i < n; i++) {
        const double product = weights[i] * after[i];
        after[i] = pm_select(product > least, product, least);
    }
    if (exempt)
        for (i = 0; i < n; i++)
            after[i] = pm_select(exempt[i] != 0, weights[i], after[i]);
    for (i = 0; i < n; i++)
        after[i] = pm_select(values[i] == values[i], after[i], 0.0);
    if (live)
        for (i = 0; i < n; i++)
            after[i] = pm_select(live[i] != 0, after[i], 0.0);
}

/* Each weight times its likelihood, divided by the largest; 0 where that is not positive, and `least` at least where the
 * holding is possible. Returns the largest. */
static inline double pm_posterior(const double *weights, const double *p, ptrdiff_t stride, ptrdiff_t n, double least,
                                  double *after)
{
    PM_NO_CONTRACT
    double largests[4] = {0.0}, largest;
    ptrdiff_t i;
    for (i = 0; i < n; i++) {
        const double product = weights[i] * p[i * stride];
        after[i] = pm_select(product > 0.0, product, 0.0);
    }
    for (i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            largests[k] = pm_select(after[i + k] > largests[k], after[i + k], largests[k]);
    for (; i < n; i++)
        largests[0] = pm_select(after[i] > largests[0], after[i], largests[0]);
    largest = largests[0];
    for (int k = 1; k < 4; k++)
        largest = largests[k] > largest ? largests[k] : largest;
    if (largest > 0.0)
        for (i = 0; i < n; i++)
            after[i] /= largest;
    if (least > 0.0)
        for (i = 0; i < n; i++) {
            const double at_least = pm_select(after[i] > least, after[i], least);
            after[i] = pm_select((weights[i] > 0.0) & (p[i * stride] == p[i * stride]), at_least, 0.0);
        }
    return largest;
}

/* The mean of triples by the weights, of holdings that have any. */
static inline void pm_mean_triple(const double *weights, const double *triples, ptrdiff_t n, double *mean)
{
    PM_NO_CONTRACT
    pm_triple_sums sums = {{{0.0}}};
    for (ptrdiff_t i = 0; i < n; i++)
        if (weights[i] > 0.0) {
            for (int c = 0; c < 3; c++)
                sums.of[c][i & 3] += weights[i] * triples[3 * i + c];
            sums.of[3][i & 3] += weights[i];
        }
    pm_mean_of_sums(&sums, mean);
}

/* A forecast p of the acts in the mask `legal`, corrected to be in proportion to exp(theta[1 + act]) * p**theta[0].
 * The logarithms that it went by go to `logs`; acts that are not legal have a chance of 0. */
static inline void pm_correct(const double *theta, const double *predicted, int legal, double *logs, double *chances)
{
    double total = 0.0, largest = -HUGE_VAL, sum = 0.0;
    int act;
    for (act = 0; act < 3; act++)
        if (legal >> act & 1)
            total += predicted[act];
    total = total > 1e-300 ? total : 1e-300;
    for (act = 0; act < 3; act++) {
        double share = predicted[act] / total;
        logs[act] = chances[act] = 0.0;
        if (legal >> act & 1) {
            logs[act] = log(share > PM_LEAST_FORECAST ? share : PM_LEAST_FORECAST);
            chances[act] = theta[0] * logs[act] + theta[1 + act];
            largest = chances[act] > largest ? chances[act] : largest;
        }
    }
    for (act = 0; act < 3; act++)
        if (legal >> act & 1)
            sum += chances[act] = exp(chances[act] - largest);
    for (act = 0; act < 3; act++)
        chances[act] = legal >> act & 1 ? chances[act] / sum : 0.0;
}

/* One Newton step of the corrections, for an act that was done: `information` is positive definite, and grows. */
static inline void pm_learn_act(double *theta, double *information, const double *predicted, int legal, int act)
{
    double logs[3], chances[3], step[PM_CORRECTIONS] = {0.0}, root[PM_CORRECTIONS][PM_CORRECTIONS];
    double mean = 0.0;
    int i, j, k;
    pm_correct(theta, predicted, legal, logs, chances);
    for (k = 0; k < 3; k++)
        mean += chances[k] * logs[k];
    for (k = 0; k < 3; k++) {
        double off = (k == act) - chances[k];
        if (!(legal >> k & 1))
            continue;
        step[0] += off * logs[k];
        step[1 + k] += off;
        information[0] += chances[k] * (logs[k] - mean) * (logs[k] - mean);
        information[1 + k] += chances[k] * (logs[k] - mean);
        information[PM_CORRECTIONS * (1 + k)] += chances[k] * (logs[k] - mean);
        for (j = 0; j < 3; j++)
            information[PM_CORRECTIONS * (1 + k) + 1 + j] += chances[k] * ((k == j) - chances[j]);
    }
    for (i = 0; i < PM_CORRECTIONS; i++) { /* Cholesky's factor, and forward substitution */
        for (j = 0; j <= i; j++) {
            double sum = information[PM_CORRECTIONS * i + j];
            for (k = 0; k < j; k++)
                sum -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrt(sum) : sum / root[j][j];
        }
        for (k = 0; k < i; k++)
            step[i] -= root[i][k] * step[k];
        step[i] /= root[i][i];
    }
    for (i = PM_CORRECTIONS - 1; i >= 0; i--) {
        for (k = i + 1; k < PM_CORRECTIONS; k++)
            step[i] -= root[k][i] * step[k];
        step[i] /= root[i][i];
        theta[i] += step[i];
    }
}

#endif
