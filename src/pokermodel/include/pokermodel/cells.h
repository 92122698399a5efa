/* Weighted sums over the pair counts: the nine cells of strength and potential, for both sides of each pair.
 *
 * Every level adds in the same order, so that it gives the same bits: entry j goes to lane j % 8, and the lanes are
 * added up at the end as a tree. Products are rounded before they are added (see simd.h).
 */
#ifndef POKERMODEL_CELLS_H
#define POKERMODEL_CELLS_H

#include <stdint.h>

#include "pokermodel/simd.h"

#define PM_CELL_LANES 8

/* Add `n` pairs to both sides. `hero` (3) takes the sums of weight times win, tie and lose; entry j of `won`, `tied`
 * and `lost` takes the hero's weight times what that pair is from the other side: lose, tie and win. */
typedef void (*pm_add_pairs)(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                             double hero_weight, int n, double *hero, double *won, double *tied, double *lost);

/* The same for one side: only `hero` takes sums. */
typedef void (*pm_sum_pairs)(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                             int n, double *hero);

static inline double pm_add_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Entries from `start` on, and the end of the sums. */
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

static inline void pm_add_pairs_portable(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                         const double *weight, double hero_weight, int n, double *hero, double *won,
                                         double *tied, double *lost)
{
    PM_NO_CONTRACT
    double lane[3][PM_CELL_LANES] = {{0}};
    int start = 0;
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES)
        for (int k = 0; k < PM_CELL_LANES; k++) {
            int j = start + k;
            double w = win[j], t = tie[j], l = lose[j];
            lane[0][k] += weight[j] * w;
            lane[1][k] += weight[j] * t;
            lane[2][k] += weight[j] * l;
            won[j] += hero_weight * l;
            tied[j] += hero_weight * t;
            lost[j] += hero_weight * w;
        }
    pm_add_pairs_rest(win, tie, lose, weight, hero_weight, start, n, hero, won, tied, lost, lane);
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

static inline void pm_sum_pairs_portable(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                         const double *weight, int n, double *hero)
{
    PM_NO_CONTRACT
    double lane[3][PM_CELL_LANES] = {{0}};
    int start = 0;
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES)
        for (int k = 0; k < PM_CELL_LANES; k++) {
            lane[0][k] += weight[start + k] * win[start + k];
            lane[1][k] += weight[start + k] * tie[start + k];
            lane[2][k] += weight[start + k] * lose[start + k];
        }
    pm_sum_pairs_rest(win, tie, lose, weight, start, n, hero, lane);
}

#ifdef PM_SIMD_X86

/* A number below 2^52 in the lowest bits of the double 2^52 is that much more. */
PM_TARGET("avx2") static inline __m256d pm_four_doubles(const uint16_t *numbers)
{
    const __m256i offset = _mm256_set1_epi64x(0x4330000000000000LL);
    __m256i bits = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)numbers));
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(bits, offset)), _mm256_castsi256_pd(offset));
}

PM_TARGET("avx2")
static inline void pm_sum_pairs_avx2(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                     const double *weight, int n, double *hero)
{
    const uint16_t *counts[3] = {win, tie, lose};
    __m256d sum[3][2];
    double lane[3][PM_CELL_LANES];
    int start = 0;
    for (int k = 0; k < 3; k++)
        sum[k][0] = sum[k][1] = _mm256_setzero_pd();
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES) {
        __m256d low_weight = _mm256_loadu_pd(weight + start), high_weight = _mm256_loadu_pd(weight + start + 4);
        for (int k = 0; k < 3; k++) {
            __m256d low = pm_four_doubles(counts[k] + start), high = pm_four_doubles(counts[k] + start + 4);
            sum[k][0] = _mm256_add_pd(sum[k][0], _mm256_mul_pd(low_weight, low));
            sum[k][1] = _mm256_add_pd(sum[k][1], _mm256_mul_pd(high_weight, high));
        }
    }
    for (int k = 0; k < 3; k++) {
        _mm256_storeu_pd(lane[k], sum[k][0]);
        _mm256_storeu_pd(lane[k] + 4, sum[k][1]);
    }
    pm_sum_pairs_rest(win, tie, lose, weight, start, n, hero, lane);
}

PM_TARGET("avx2")
static inline void pm_add_pairs_avx2(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                     const double *weight, double hero_weight, int n, double *hero, double *won,
                                     double *tied, double *lost)
{
    const uint16_t *counts[3] = {win, tie, lose};
    double *other[3] = {lost, tied, won};
    const __m256d own = _mm256_set1_pd(hero_weight);
    __m256d sum[3][2];
    double lane[3][PM_CELL_LANES];
    int start = 0;
    for (int k = 0; k < 3; k++)
        sum[k][0] = sum[k][1] = _mm256_setzero_pd();
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES) {
        __m256d low_weight = _mm256_loadu_pd(weight + start), high_weight = _mm256_loadu_pd(weight + start + 4);
        for (int k = 0; k < 3; k++) {
            __m256d low = pm_four_doubles(counts[k] + start), high = pm_four_doubles(counts[k] + start + 4);
            double *column = other[k] + start;
            sum[k][0] = _mm256_add_pd(sum[k][0], _mm256_mul_pd(low_weight, low));
            sum[k][1] = _mm256_add_pd(sum[k][1], _mm256_mul_pd(high_weight, high));
            _mm256_storeu_pd(column, _mm256_add_pd(_mm256_loadu_pd(column), _mm256_mul_pd(own, low)));
            _mm256_storeu_pd(column + 4, _mm256_add_pd(_mm256_loadu_pd(column + 4), _mm256_mul_pd(own, high)));
        }
    }
    for (int k = 0; k < 3; k++) {
        _mm256_storeu_pd(lane[k], sum[k][0]);
        _mm256_storeu_pd(lane[k] + 4, sum[k][1]);
    }
    pm_add_pairs_rest(win, tie, lose, weight, hero_weight, start, n, hero, won, tied, lost, lane);
}

#endif

#ifdef PM_SIMD_ARM

static inline float64x2_t pm_two_counts(uint32x2_t counts) { return vcvtq_f64_u64(vmovl_u32(counts)); }

static inline void pm_add_pairs_neon(const uint16_t *win, const uint16_t *tie, const uint16_t *lose,
                                     const double *weight, double hero_weight, int n, double *hero, double *won,
                                     double *tied, double *lost)
{
    PM_NO_CONTRACT
    const uint16_t *counts[3] = {win, tie, lose};
    double *other[3] = {lost, tied, won};
    const float64x2_t own = vdupq_n_f64(hero_weight);
    float64x2_t sum[3][PM_CELL_LANES / 2];
    double lane[3][PM_CELL_LANES];
    int start = 0;
    for (int k = 0; k < 3; k++)
        for (int pair = 0; pair < PM_CELL_LANES / 2; pair++)
            sum[k][pair] = vdupq_n_f64(0.0);
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES)
        for (int k = 0; k < 3; k++) {
            uint16x8_t whole = vld1q_u16(counts[k] + start);
            uint32x4_t low = vmovl_u16(vget_low_u16(whole)), high = vmovl_u16(vget_high_u16(whole));
            const float64x2_t count[PM_CELL_LANES / 2] = {
                pm_two_counts(vget_low_u32(low)), pm_two_counts(vget_high_u32(low)),
                pm_two_counts(vget_low_u32(high)), pm_two_counts(vget_high_u32(high))};
            for (int pair = 0; pair < PM_CELL_LANES / 2; pair++) {
                double *column = other[k] + start + 2 * pair;
                float64x2_t weights = vld1q_f64(weight + start + 2 * pair);
                sum[k][pair] = vaddq_f64(sum[k][pair], vmulq_f64(weights, count[pair]));
                vst1q_f64(column, vaddq_f64(vld1q_f64(column), vmulq_f64(own, count[pair])));
            }
        }
    for (int k = 0; k < 3; k++)
        for (int pair = 0; pair < PM_CELL_LANES / 2; pair++)
            vst1q_f64(lane[k] + 2 * pair, sum[k][pair]);
    pm_add_pairs_rest(win, tie, lose, weight, hero_weight, start, n, hero, won, tied, lost, lane);
}

#endif

static inline pm_add_pairs pm_add_pairs_at(int level)
{
#ifdef PM_SIMD_ARM
    if (level == PM_SIMD_NEON)
        return pm_add_pairs_neon;
#endif
#ifdef PM_SIMD_X86
    if (level >= PM_SIMD_AVX2)
        return pm_add_pairs_avx2;
#endif
    (void)level;
    return pm_add_pairs_portable;
}

static inline pm_sum_pairs pm_sum_pairs_at(int level)
{
#ifdef PM_SIMD_X86
    if (level >= PM_SIMD_AVX2)
        return pm_sum_pairs_avx2;
#endif
    (void)level;
    return pm_sum_pairs_portable;
}

#endif
