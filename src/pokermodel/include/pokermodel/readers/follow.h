/* A player followed through a hand: what was to be expected of each act, what they hold in the end, and gradients.
 *
 * Holdings of a class are alike. So weights are spread over single holdings only where a round ends: what is held with
 * the classes of one round is not held alike with those of the next. */
#ifndef POKERMODEL_FOLLOW_H
#define POKERMODEL_FOLLOW_H

#include <math.h>

#include "pokermodel/readers/habits.h"

/* One act: what the network takes, and where what it finds is kept. */
typedef struct {
    const pm_holding_classes *classes;
    const int16_t *rows;  /* of the situation */
    const int16_t *basis;
    const float *legal;
    int act;
    float *h, *m, *p; /* of the classes, with room for pm_padded_classes; h may be NULL */
    int known;        /* whether m is there already */
    const float *habits; /* what odds of acts are multiplied by: rows of PM_OUT by group of holdings; NULL for nothing */
} pm_step;

typedef struct {
    const pm_likelihood *net;
    pm_likelihood_kernels kernels;
    pm_step *steps;
    int n;
    int features;     /* rows of a situation */
    float out[2][PM_MIXED * PM_OUT]; /* V of the player before the flop and after it */
    int made[2];                     /* whether it is there */
} pm_walk;

/* What the forecast of an act says of levels, whatever became known of the holding later; see `pm_follow_back`. */
typedef struct {
    double level[PM_ACTS];               /* the gradient of the logarithm of what was foretold of the act, by v */
    double centre[PM_ACTS][PM_MIXED];    /* the mean of m, by how far v moves what is foretold of each act */
    double of_group[PM_GROUPS][PM_ACTS]; /* how far v moves it with holdings of each group */
} pm_act_told;

/* Weights of classes, and their sum. Those of a class are added in the order of the holdings.
 *
 * Of the four holdings with a higher card and a rank below it, three mostly are of one class, and the fourth, with a card
 * of the suit that counts, or else of the higher card's, is of it or apart. Those of one class are added at once. */
static inline double pm_gather(const pm_holding_classes *classes, const double *weights, double *masses)
{
    static const uint8_t others[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    const uint16_t *of = classes->of;
    double sum = 0.0;
    memset(masses, 0, (size_t)classes->n * sizeof *masses);
    for (int high = 1; high < PM_CARDS; of += high, weights += high, high++) {
        const int apart = classes->suit < 0 ? high & 3 : classes->suit;
        const int x = others[apart][0], y = others[apart][1], z = others[apart][2];
        int low = 0;
        for (; low + 4 <= high; low += 4) {
            const uint16_t *k = of + low;
            const double *w = weights + low;
            if (k[x] != k[y] || k[x] != k[z]) {
                for (int t = 0; t < 4; t++)
                    if (k[t] != PM_NO_CLASS)
                        masses[k[t]] += w[t];
                continue;
            }
            if (k[x] == k[apart]) {
                if (*k != PM_NO_CLASS)
                    masses[*k] = masses[*k] + w[0] + w[1] + w[2] + w[3];
                continue;
            }
            if (k[x] != PM_NO_CLASS)
                masses[k[x]] = masses[k[x]] + w[x] + w[y] + w[z];
            if (k[apart] != PM_NO_CLASS)
                masses[k[apart]] += w[apart];
        }
        for (; low < high; low++)
            if (of[low] != PM_NO_CLASS)
                masses[of[low]] += weights[low];
    }
    for (int k = 0; k < classes->n; k++)
        sum += masses[k];
    return sum;
}

/* Masses as shares of their sum; all alike if it is 0. */
static inline void pm_normalize(double *masses, int classes, double sum)
{
    for (int k = 0; k < classes; k++)
        masses[k] = sum > 0 ? masses[k] / sum : 1.0 / classes;
}

/* What is held with the classes of a board: their weights, these as shares, and their sum. */
typedef struct {
    double masses[PM_HOLDINGS], belief[PM_HOLDINGS];
    double sum;
} pm_class_masses;

static inline void pm_class_masses_init(pm_class_masses *held, const pm_holding_classes *classes, const double *weights)
{
    held->sum = pm_gather(classes, weights, held->masses);
    memcpy(held->belief, held->masses, (size_t)classes->n * sizeof *held->belief);
    pm_normalize(held->belief, classes->n, held->sum);
}

/* Multiply the weight of each holding by the factor of its class, and a scale. */
static inline void pm_spread(const pm_holding_classes *classes, const double *factor, double scale, double *weights)
{
    const int n = classes->n;
    double times[PM_HOLDINGS + 1];
    for (int k = 0; k < n; k++)
        times[k] = factor[k] * scale;
    times[n] = 0.0; /* of holdings that are not possible: without a jump that nobody foresees */
    for (int i = 0; i < PM_HOLDINGS; i++)
        weights[i] *= times[classes->of[i] < n ? classes->of[i] : n];
}

/* Masses of classes whose holdings all have the weight 1, times a factor and a scale. Each is added by itself, as pm_gather
 * does, which rounds otherwise than a product. */
static inline void pm_repeated_sums(int classes, const double *holdings, const double *factor, double scale,
                                    double *masses)
{
    enum { FEW = 12 }; /* as many as classes have before the flop */
    for (int k = 0; k < classes; k++) {
        const double each = factor[k] * scale;
        const int n = (int)holdings[k];
        double sums[FEW + 1] = {0.0}, more;
        for (int i = 0; i < FEW; i++) /* all of them: without a jump that nobody foresees */
            sums[i + 1] = sums[i] + each;
        more = sums[FEW];
        for (int i = FEW; i < n; i++)
            more += each;
        masses[k] = n > FEW ? more : sums[n];
    }
}

/* After the flop, where the range is known as shares of the classes: multiply the odds of acts by what is known of the place
 * that a class's bin of strength has in the range, between two places that are known in proportion. Facing a raise nothing
 * changes: what money of the player's own says of their range is known less well. */
static inline void pm_standings_apply(const pm_likelihood *net, const pm_step *step, const double *shares)
{
    PM_NO_CONTRACT
    const int16_t *rows = step->classes->rows;
    const int n = step->classes->n, street = (rows[0] - PM_PREFLOP_ROWS) / PM_POSTFLOP_ROWS;
    const int first = PM_PREFLOP_ROWS + street * PM_POSTFLOP_ROWS;
    double held[PM_STRENGTHS] = {0.0}, below = 0.0;
    float times[PM_STRENGTHS][PM_OUT];
    const float *known;
    if (!net->standings || !step->basis[0] || (step->basis[2] - PM_CELLS_BEFORE - 2) % 3 > 1)
        return;
    known = net->standings + PM_STANDING * (2 * street + (step->legal[0] > 0));
    for (int k = 0; k < n; k++)
        held[rows[PM_HOLDING_FEATURES * k] - first] += shares[k];
    for (int bin = 0; bin < PM_STRENGTHS; below += held[bin++]) {
        const double place = (below + held[bin] / 2) * (PM_STANDINGS - 1);
        const int low = place < PM_STANDINGS - 2 ? (int)place : PM_STANDINGS - 2;
        const float part = (float)(place - low), *one = known + PM_OUT * low;
        for (int c = 0; c < PM_OUT; c++) {
            const float x = one[c] + part * (one[PM_OUT + c] - one[c]);
            times[bin][c] = x > 0 ? 1.0f / pm_expf(-x) : pm_expf(x);
        }
    }
    for (int k = 0; k < n; k++)
        pm_habit_apply(times[rows[PM_HOLDING_FEATURES * k] - first], step->p + PM_OUT * (size_t)k);
}

/* What the step's classes do: P. */
static inline void pm_step_chances(pm_walk *walk, pm_step *step, const double *levels, const double *effects,
                                   const double *offsets)
{
    float hidden[PM_HIDDEN], direct[PM_OUT], bias[PM_OUT];
    const int side = step->basis[0], n = step->classes->n;
    if (!walk->made[side])
        pm_likelihood_effects(walk->net, side, levels, effects, walk->out[side]);
    walk->made[side] = 1;
    pm_likelihood_bias(walk->net, step->basis, levels, effects, offsets, bias);
    pm_likelihood_situation(walk->net, step->rows, walk->features, bias, hidden, direct);
    if (!step->known)
        walk->kernels.units(walk->net, hidden, step->classes->rows, n, step->h, step->m);
    walk->kernels.chances(walk->net, direct, walk->out[side], step->classes->rows, n, step->legal, step->m, step->p);
    pm_replies_apply(walk->net, step->basis[PM_BASIS], step->classes->rows, n, step->p);
    if (step->habits)
        pm_habits_apply(step->classes, step->habits, step->p);
}

/* Before the flop, of the classes: let no pair fold more often than a weaker one, which the network does not know to be
 * so. Its calls and raises share what it does not fold as before. */
static inline void pm_pairs_in_order(const pm_step *step)
{
    float most = 1.0f;
    if (step->basis[0] != 0 || !(step->legal[0] > 0))
        return;
    for (int low = 0; low < PM_CARDS; low += 4) { /* the two lowest cards of each rank */
        const int k = step->classes->of[(low + 1) * low / 2 + low];
        float *p;
        if (k == PM_NO_CLASS)
            continue;
        p = step->p + PM_OUT * (size_t)k;
        if (p[0] > most) {
            const float rest = p[1] + p[2], scale = rest > 0 ? (1.0f - most) / rest : 0.0f;
            p[0] = rest > 0 ? most : p[0];
            p[1] *= scale;
            p[2] *= scale;
        }
        most = p[0];
    }
}

/* Gradients of the logarithms of the forecasts by V and v, PM_ACTS times PM_SLOPE rows of PM_OUT: P[d] times 1 where c
 * is d, less P[c], so that sums over all c are 0. `products` are as of pm_likelihood_means. */
static inline void pm_forecast_slopes(double (*products)[PM_SLOPE], const double *mean, double *slopes)
{
    for (int d = 0; d < PM_ACTS; d++) {
        const double *own[2] = {products[d < 2 ? 0 : 1], products[d == 0 ? 1 : 2]};
        double w[PM_SLOPE];
        for (int c = 0; c < PM_ACTS; c++) {
            double *to = slopes + PM_SLOPE * PM_OUT * d + c;
            if (mean[d] > 0)
                for (int j = 0; j < PM_SLOPE; j++) /* divisions beside each other */
                    w[j] = (c == d ? own[0][j] + own[1][j] : -products[c + d - 1][j]) / mean[d];
            for (int j = 0; j < PM_SLOPE; j++)
                to[PM_OUT * j] = mean[d] > 0 ? w[j] : 0.0;
        }
    }
}

/* What a forecast says of levels, given what is held before the act and the slopes of the forecasts. */
static inline void pm_act_tell(const pm_step *step, const double *belief, const double *slopes, pm_act_told *told)
{
    memset(told, 0, sizeof *told);
    for (int c = 0; c < PM_ACTS; c++) {
        const double *own = slopes + PM_SLOPE * PM_OUT * c + c, moves = own[PM_OUT * PM_MIXED];
        told->level[c] = slopes[PM_SLOPE * PM_OUT * step->act + PM_OUT * PM_MIXED + c];
        for (int j = 0; j < PM_MIXED && moves > 0; j++)
            told->centre[c][j] = own[PM_OUT * j] / moves;
    }
    for (int k = 0; k < step->classes->n; k++) {
        double *to = told->of_group[pm_group(step->classes->rows + PM_HOLDING_FEATURES * k)];
        const float *p = step->p + PM_OUT * (size_t)k;
        for (int c = 0; c < PM_ACTS; c++)
            to[c] += belief[k] * p[c] * (1.0 - p[c]);
    }
}

/* Forward through the acts. Returns the log-likelihood of the acts; with a holding that is known, of the acts given it.
 *
 * weights     of holdings, before; overwritten by what is held in the end, unless a holding is known. NULL if all were
 *             alike and `before` is there, and all steps have the same classes
 * before      what is held with the classes of the first step before it, or NULL: to be added up from the weights
 * shown       the holding that is known, or -1
 * forecasts   overwritten, rows of PM_ACTS
 * directions  PM_ACTS rows of PM_EFFECTS by act, the gradients of the logarithms of the forecasts; or NULL
 * kept        PM_ACTS + 1 slopes by act, of which the first PM_ACTS are overwritten; or NULL
 * told        by act, overwritten; with directions alone, or NULL
 * ends        without weights: overwritten by what is held in the end with each class */
static inline double pm_follow_ahead(pm_walk *walk, const double *levels, const double *effects, const double *offsets,
                                     double *weights, const pm_class_masses *before, int shown, double *forecasts,
                                     double *directions, double *kept, pm_act_told *told, double *ends)
{
    double belief[PM_HOLDINGS], factor[PM_HOLDINGS], slopes[PM_ACTS * PM_SLOPE * PM_OUT], products[PM_ACTS][PM_SLOPE];
    double sum = 0.0, likelihood = 0.0, w = 0.0;
    const pm_step *last = walk->steps + walk->n - 1;
    memset(slopes, 0, sizeof slopes);
    for (int a = 0; a < walk->n; a++) {
        pm_step *step = walk->steps + a;
        const int n = step->classes->n;
        double *mean = forecasts + PM_ACTS * a;
        pm_step_chances(walk, step, levels, effects, offsets + PM_ACTS * a);
        /* what they can hold before the act, and what is to be expected */
        if (a == 0 || step->classes != step[-1].classes) {
            if (a > 0)
                pm_spread(step[-1].classes, factor, 1.0, weights);
            if (a == 0 && before) {
                memcpy(belief, before->belief, (size_t)n * sizeof *belief);
                sum = before->sum;
            } else {
                sum = pm_gather(step->classes, weights, belief);
                pm_normalize(belief, n, sum);
            }
            for (int k = 0; k < n; k++)
                factor[k] = 1.0;
        }
        pm_standings_apply(walk->net, step, belief);
        walk->kernels.means(belief, n, step->p, step->m, mean, directions || kept ? products : NULL);
        if (directions || kept)
            pm_forecast_slopes(products, mean, slopes);
        if (told)
            pm_act_tell(step, belief, slopes, told + a);
        if (kept)
            memcpy(kept + (PM_ACTS + 1) * PM_SLOPE * PM_OUT * (size_t)a, slopes, sizeof slopes);
        if (directions) {
            memset(directions + PM_ACTS * PM_EFFECTS * (size_t)a, 0, PM_ACTS * PM_EFFECTS * sizeof *directions);
            walk->kernels.directions(walk->net, step->basis, slopes, PM_ACTS,
                                     directions + PM_ACTS * PM_EFFECTS * (size_t)a);
        }
        w = shown < 0 ? mean[step->act] : step->p[PM_OUT * step->classes->of[shown] + step->act];
        likelihood += log(w > 1e-30 ? w : 1e-30);
        if (mean[step->act] > 0)
            for (int k = 0; k < n; k++) {
                w = step->p[PM_OUT * k + step->act] / mean[step->act];
                belief[k] *= w;
                factor[k] *= w;
            }
    }
    if (shown >= 0)
        return likelihood;
    w = 0.0;
    for (int k = 0; k < last->classes->n; k++)
        w += belief[k];
    w *= sum;
    w = w > 0 ? 1.0 / w : 0.0;
    if (weights) {
        pm_spread(last->classes, factor, w, weights);
        return likelihood;
    }
    pm_repeated_sums(last->classes->n, before->masses, factor, w, ends);
    return likelihood;
}

/* Backward: by Fisher's identity, gradients of the log-likelihood are means over what is held in the end, which are
 * `weights`, or without them the masses `ends` of classes. `transposed` is Q with rows and columns exchanged.
 *
 * With `told`, `hindsight` gets besides what part of the gradient is of levels and known in hindsight alone: what the cards
 * that were shown, and later acts, say of how often somebody acts. Were the likelihood true, it would be 0 on average. It
 * never is quite, since a likelihood is smoother in strength than people are; and so it goes on pushing levels away from where
 * forecasts come true. What hindsight says of shapes, m less its centre, is no part of it. */
static inline void pm_follow_back(const pm_walk *walk, const float *transposed, const double *effects,
                                  const double *weights, const double *ends, int shown, double *gradient,
                                  pm_likelihood_gradient *learnt, double *kept, const pm_act_told *told,
                                  double *hindsight)
{
    double masses[PM_HOLDINGS], slope[PM_SLOPE * PM_OUT], rows[PM_ACTS][PM_SLOPE];
    const double *belief = weights ? masses : ends;
    for (int a = 0; a < walk->n; a++) {
        const pm_step *step = walk->steps + a;
        const int n = step->classes->n;
        if (shown >= 0) {
            const int k = step->classes->of[shown];
            double one = 1.0;
            walk->kernels.slopes(&one, 1, step->p + PM_OUT * k, step->m + PM_MIXED * k, step->act, rows);
        } else {
            if (weights && (a == 0 || step->classes != step[-1].classes))
                pm_gather(step->classes, weights, masses);
            walk->kernels.slopes(belief, n, step->p, step->m, step->act, rows);
        }
        memset(slope, 0, sizeof slope);
        for (int c = 0; c < PM_ACTS; c++)
            for (int j = 0; j < PM_SLOPE; j++)
                slope[PM_OUT * j + c] = rows[c][j];
        if (kept)
            memcpy(kept + ((PM_ACTS + 1) * (size_t)a + PM_ACTS) * PM_SLOPE * PM_OUT, slope, sizeof slope);
        if (gradient)
            walk->kernels.directions(walk->net, step->basis, slope, 1, gradient);
        if (told) {
            double level[PM_SLOPE * PM_OUT] = {0.0};
            for (int c = 0; c < PM_ACTS; c++) {
                const double more = slope[PM_OUT * PM_MIXED + c] - told[a].level[c];
                for (int j = 0; j < PM_MIXED; j++)
                    level[PM_OUT * j + c] = more * told[a].centre[c][j];
                level[PM_OUT * PM_MIXED + c] = more;
            }
            walk->kernels.directions(walk->net, step->basis, level, 1, hindsight);
        }
        if (learnt) {
            float passed[PM_HIDDEN] = {0}, sums[PM_OUT] = {0};
            pm_likelihood_by_loadings(step->basis, slope, effects, learnt->loadings);
            for (int k = 0; k < n; k++) {
                const double held = shown < 0 ? belief[k] : k == step->classes->of[shown];
                float by_z[PM_OUT] = {0};
                if (held < 1.0 / PM_LEAST_HELD)
                    continue;
                for (int c = 0; c < PM_ACTS; c++) {
                    by_z[c] = (float)(held * ((c == step->act) - (double)step->p[PM_OUT * k + c]));
                    sums[c] += by_z[c];
                }
                pm_likelihood_back(transposed, walk->out[step->basis[0]],
                                   step->classes->rows + PM_HOLDING_FEATURES * k, step->h + PM_HIDDEN * k,
                                   step->m + PM_MIXED * k, by_z, learnt, passed);
            }
            for (int c = 0; c < PM_OUT; c++)
                learnt->out_bias[c] += sums[c];
            for (int f = 0; f < walk->features; f++) {
                float *situation = learnt->situation + PM_HIDDEN * (size_t)step->rows[f];
                float *direct = learnt->direct_situation + PM_OUT * (size_t)step->rows[f];
                for (int j = 0; j < PM_HIDDEN; j++)
                    situation[j] += passed[j];
                for (int c = 0; c < PM_OUT; c++)
                    direct[c] += sums[c];
            }
        }
    }
}

/* Update a Gaussian belief about effects by what a player did in a hand: one step of Newton's. The information of an act
 * is what is expected of it: the outer products of the gradients of the logarithms of the forecasts, in the proportion
 * of the forecasts. The covariance is given by columns. */
static inline void pm_believe(pm_likelihood_kernels kernels, double *mean, double *columns, const double *gradient,
                              const double *directions, const double *forecasts, int n)
{
    for (int k = 0; k < PM_ACTS * n; k++)
        if (forecasts[k] > 0)
            kernels.narrow(columns, directions + PM_EFFECTS * (size_t)k, forecasts[k]);
    for (int j = 0; j < PM_EFFECTS; j++)
        for (int i = 0; i < PM_EFFECTS; i++)
            mean[i] += columns[PM_EFFECTS * j + i] * gradient[j];
}

/* Shares of classes by the weights of holdings; all alike if no possible holding has weight. */
static inline void pm_shares_of_classes(const double *weights, const uint16_t *of, int classes, double *shares)
{
    double sum = 0.0;
    memset(shares, 0, (size_t)classes * sizeof *shares);
    for (int i = 0; i < PM_HOLDINGS; i++)
        if (of[i] != PM_NO_CLASS) {
            shares[of[i]] += weights[i];
            sum += weights[i];
        }
    pm_normalize(shares, classes, sum);
}

/* The mean of P of classes by their shares. */
static inline void pm_predicted(const double *shares, int classes, const float *p, double *predicted)
{
    for (int c = 0; c < PM_ACTS; c++)
        predicted[c] = 0.0;
    for (int k = 0; k < classes; k++)
        for (int c = 0; c < PM_ACTS; c++)
            predicted[c] += shares[k] * p[PM_OUT * k + c];
}

/* Weights after an act, divided by the largest, which is returned; 0 if no possible holding does it. */
static inline double pm_posterior_of_classes(const double *weights, const uint16_t *of, int classes, const float *p,
                                             int act, double *after)
{
    double chance[PM_HOLDINGS + 1], largest[2] = {0.0, 0.0};
    for (int k = 0; k < classes; k++)
        chance[k] = p[PM_OUT * k + act];
    chance[classes] = 0.0; /* of holdings that are not possible: without a jump that nobody foresees */
    for (int i = 0; i < PM_HOLDINGS; i += 2)
        for (int t = 0; t < 2; t++) { /* two at a time: each waits for itself */
            const double product = weights[i + t] * chance[of[i + t] < classes ? of[i + t] : classes];
            after[i + t] = product > 0.0 ? product : 0.0;
            largest[t] = after[i + t] > largest[t] ? after[i + t] : largest[t];
        }
    if (largest[1] > largest[0])
        largest[0] = largest[1];
    for (int i = 0; largest[0] > 0.0 && i < PM_HOLDINGS; i++)
        after[i] /= largest[0];
    return largest[0];
}

#endif
