/* Sums of what is measured of a forecaster: means with what their errors over hands need, and losses of forecasts. */
#ifndef POKERMODEL_MEASURES_H
#define POKERMODEL_MEASURES_H

#include <math.h>
#include <stdint.h>

#define PM_TENTHS 10
#define PM_TIE 1e-12 /* forecasts that differ by less are equally likely */

/* Values of decisions, which are not independent within a hand. */
typedef struct {
    int64_t n;
    double total;
    int64_t hand;  /* the one at hand; -1 none */
    int64_t hands; /* before it */
    double sum;    /* of the hand at hand */
    int64_t count;
    double squares, cross, counts; /* of the hands before it: sums squared, sums times counts, counts squared */
} pm_mean;

static inline void pm_mean_begin(pm_mean *m)
{
    m->n = m->hands = m->count = 0;
    m->hand = -1;
    m->total = m->sum = m->squares = m->cross = m->counts = 0.0;
}

/* Count the hand at hand among those before it. */
static inline void pm_mean_close(pm_mean *m, int64_t next)
{
    m->hands += m->count > 0;
    m->squares += m->sum * m->sum;
    m->cross += m->sum * (double)m->count;
    m->counts += (double)(m->count * m->count);
    m->hand = next;
    m->sum = 0.0;
    m->count = 0;
}

/* Add a value of a hand; those of one hand come one after the other. */
static inline void pm_mean_add(pm_mean *m, int64_t hand, double value)
{
    if (hand != m->hand)
        pm_mean_close(m, hand);
    m->n++;
    m->total += value;
    m->sum += value;
    m->count++;
}

/* Add those of other hands. */
static inline void pm_mean_absorb(pm_mean *m, pm_mean *other)
{
    pm_mean_close(m, -1);
    pm_mean_close(other, -1);
    m->n += other->n;
    m->total += other->total;
    m->hands += other->hands;
    m->squares += other->squares;
    m->cross += other->cross;
    m->counts += other->counts;
}

/* What a forecast of three acts cost. */
typedef struct {
    double loss, hit, uniform;
    double chance[3]; /* of the legal acts */
} pm_act_loss;

/* The losses of a forecast of any sum, given the acts in the mask `legal`, among which is the one that was done.
 * Returns 0 if it is no forecast: not finite, below 0, or all 0 where nothing is the least. */
static inline int pm_lose_act(const double *predicted, int legal, int act, double least, pm_act_loss *found)
{
    double total = 0.0, floored = 0.0, highest = 0.0;
    int k, n = 0, ties = 0;
    for (k = 0; k < 3; k++)
        if (legal >> k & 1) {
            if (!(predicted[k] >= 0.0))
                return 0;
            total += predicted[k];
            n++;
        }
    if (!isfinite(total))
        return 0;
    for (k = 0; k < 3; k++)
        if (legal >> k & 1) {
            double share = total != 0.0 ? predicted[k] / total : 0.0;
            found->chance[k] = share > least ? share : least;
            floored += found->chance[k];
        }
    if (!(floored > 0.0))
        return 0;
    for (k = 0; k < 3; k++)
        if (legal >> k & 1) {
            found->chance[k] /= floored;
            highest = found->chance[k] > highest ? found->chance[k] : highest;
        }
    for (k = 0; k < 3; k++)
        ties += (legal >> k & 1) && found->chance[k] >= highest - PM_TIE;
    found->loss = -log(found->chance[act]);
    found->hit = (double)(found->chance[act] >= highest - PM_TIE) / ties;
    found->uniform = log(n);
    return 1;
}

static inline int pm_tenth(double chance)
{
    int tenth = (int)(chance * PM_TENTHS);
    return tenth < PM_TENTHS - 1 ? tenth : PM_TENTHS - 1;
}

#endif
