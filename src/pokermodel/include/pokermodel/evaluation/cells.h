/* Weighted sums over the pair counts: the nine cells of strength and potential, for both sides of each pair.
 *
 * Every level adds in the same order, and so gives the same bits: entry j is added to lane j % 8, and the lanes are
 * added as a tree at the end. Products are rounded before they are added (see simd.h).
 */
#ifndef POKERMODEL_CELLS_H
#define POKERMODEL_CELLS_H

#include <stdint.h>

#include "pokermodel/vectors/simd.h"

#define PM_CELL_LANES 8

/* Add `n` pairs to both sides. The sums of weight times win, tie and lose are added to `hero` (3). The hero's weight
 * times lose, tie and win, which is what the pair is for the other side, is added to entry j of `won`, `tied` and
 * `lost`. */
typedef void (*pm_add_pairs)(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                             double hero_weight, int n, double *hero, double *won, double *tied, double *lost);

/* Add `n` pairs to the hero's side only. */
typedef void (*pm_sum_pairs)(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                             int n, double *hero);

static inline double pm_add_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Add the entries from `start` on, and the lanes to `hero`. */
static inline void pm_add_pairs_rest(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                     const double *weight, double hero_weight, int start, int n, double *hero,
                                     double *won, double *tied, double *lost, double lane[3][PM_CELL_LANES])
{
    PM_NO_CONTRACT
    for (int j = start; j < n; j++) {
        double w = win[j], t = tie[j], l = lose[j];
        lane[0][j - start] += weight[j] * w;
        lane[1][j - start] += weight[j] * t;
        lane[2][j - start] += weight[j] * l;
        won[j] += hero_weight * l;
        tied[j] += hero_weight * t;
        lost[j] += hero_weight * w;
    }
    for (int k = 0; k < 3; k++)
        hero[k] += pm_add_lanes(lane[k]);
}

static inline void pm_sum_pairs_rest(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                     const double *weight, int start, int n, double *hero,
                                     double lane[3][PM_CELL_LANES])
{
    PM_NO_CONTRACT
    for (int j = start; j < n; j++) {
        lane[0][j - start] += weight[j] * win[j];
        lane[1][j - start] += weight[j] * tie[j];
        lane[2][j - start] += weight[j] * lose[j];
    }
    for (int k = 0; k < 3; k++)
        hero[k] += pm_add_lanes(lane[k]);
}

#endif
