/* P(choice | holding, situation, player): a small network over features, with effects of populations and players.
 *
 * A situation and a holding are given by the rows that their features stand for in tables of weights. With the class k
 * of holdings, in situation x,
 *
 *     h = max(0, sum of W[x] + sum of E[k])          PM_HIDDEN
 *     m = max(0, h Q + q)                            PM_MIXED
 *     z = m V + v + sum of D[x] + sum of C[k]        fold, call, raise
 *     P = softmax of z over what is offered
 *
 * Who acts changes V and v and nothing else, by levels B of the population and by effects u of the player,
 *
 *     V + B[side] + L[side] u,   v + sum of B[cell] + (sum of L[cell]) u
 *
 * with rows for m before the flop and after it, the two sides, and for three cells that the situation lies in. Where a
 * limp or a raise is faced before the flop, the odds of acts are then multiplied by what the row of replies has for the
 * class; after the flop, where the player's range is known, by what the class's place in that range has. Beliefs about B,
 * act by act and side by side, and about u are Gaussian. The network is in single precision; exp is our own, so that all
 * machines get the same bits.
 */
#ifndef POKERMODEL_LIKELIHOOD_H
#define POKERMODEL_LIKELIHOOD_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/readers/holding_features.h"
#include "pokermodel/vectors/simd.h"

enum {
    PM_HIDDEN = 32,
    PM_MIXED = 16,
    PM_OUT = 4,                   /* fold, call, raise, and nothing: rows of four are quicker */
    PM_EFFECTS = 16,              /* length of u */
    PM_BASIS = 4,                 /* 0 before the flop or 1 after it, and three cells */
    PM_PLACE = PM_BASIS + 1,      /* the same, and the row of replies */
    PM_REPLIES = 112,             /* rows of replies; the first stands for none */
    PM_REPLY = 169 * PM_OUT,      /* a row of replies: of each class before the flop, what odds are multiplied by */
    PM_STANDINGS = 12,            /* places in a range, from its weakest to its strongest, that odds are known at */
    PM_STANDING = PM_STANDINGS * PM_OUT,
    PM_ACTS = 3,
    PM_SLOPE = PM_MIXED + 1,      /* what an effect acts on: m, and 1 */
    PM_CELLS_BEFORE = 17,         /* cells before the flop, which come first */
    PM_CELLS_AFTER = 23,
    PM_CELLS = PM_CELLS_BEFORE + PM_CELLS_AFTER,
    PM_LEVELS = 2 * PM_MIXED + PM_CELLS, /* rows of B and L */
    PM_SIDE = PM_MIXED + PM_CELLS_AFTER  /* rows of a side, at most: those of m and of its cells */
};

typedef struct {
    const float *situation;        /* W: rows of PM_HIDDEN */
    const float *holding;          /* E: rows of PM_HIDDEN */
    const float *mix;              /* Q: PM_HIDDEN rows of PM_MIXED */
    const float *mix_bias;         /* q */
    const float *out;              /* V: PM_MIXED rows of PM_OUT */
    const float *out_bias;         /* v */
    const float *direct_situation; /* D: rows of PM_OUT */
    const float *direct_holding;   /* C: rows of PM_OUT */
    const double *loadings;        /* L: PM_LEVELS rows, of both sides and then of cells, of PM_ACTS rows of PM_EFFECTS */
    const float *replies;          /* PM_REPLIES rows; NULL where there are none */
    const float *standings;        /* logarithms of odds: by street, with nothing to call and facing a bet; or NULL */
} pm_likelihood;

/* Sums of what was added for each parameter, shaped as they are. */
typedef struct {
    float *situation, *holding, *mix, *mix_bias, *out, *out_bias, *direct_situation, *direct_holding;
    double *loadings;
} pm_likelihood_gradient;

/* exp(x) for x <= 0, to 2 units in the last place. */
PM_ALWAYS_INLINE float pm_expf(float x)
{
    union {
        float f;
        int32_t i;
    } scale;
    float n, r, p;
    if (x < -80.0f)
        return 0.0f;
    n = (float)(int32_t)(x * 1.44269504f - 0.5f); /* rounds to the nearest: x is not positive */
    r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    scale.i = ((int32_t)n + 127) << 23;
    return p * scale.f;
}

/* V of somebody of a population with the levels B, which are 0 if NULL, who has the effects u; on one side. */
static inline void pm_likelihood_effects(const pm_likelihood *net, int side, const double *levels, const double *u,
                                         float *out)
{
    for (int j = 0; j < PM_MIXED; j++) {
        for (int c = 0; c < PM_ACTS; c++) {
            const double *l = net->loadings + ((size_t)(side * PM_MIXED + j) * PM_ACTS + c) * PM_EFFECTS;
            double sum = levels ? levels[(side * PM_MIXED + j) * PM_ACTS + c] : 0.0;
            for (int e = 0; e < PM_EFFECTS; e++)
                sum += l[e] * u[e];
            out[PM_OUT * j + c] = (float)(net->out[PM_OUT * j + c] + sum);
        }
        out[PM_OUT * j + 3] = 0.0f;
    }
}

/* The same of v, in a situation; `offsets` are further logits. */
static inline void pm_likelihood_bias(const pm_likelihood *net, const int16_t *basis, const double *levels,
                                      const double *u, const double *offsets, float *bias)
{
    for (int c = 0; c < PM_ACTS; c++) {
        double sum = 0.0;
        for (int b = 1; b < PM_BASIS; b++) {
            const double *l = net->loadings + ((size_t)(2 * PM_MIXED + basis[b]) * PM_ACTS + c) * PM_EFFECTS;
            sum += levels ? levels[(2 * PM_MIXED + basis[b]) * PM_ACTS + c] : 0.0;
            for (int e = 0; e < PM_EFFECTS; e++)
                sum += l[e] * u[e];
        }
        bias[c] = (float)(net->out_bias[c] + offsets[c] + sum);
    }
    bias[3] = 0.0f;
}

/* Add to the gradient by the loadings. */
static inline void pm_likelihood_by_loadings(const int16_t *basis, const double *slope, const double *u, double *to)
{
    for (int j = 0; j < PM_MIXED; j++)
        for (int c = 0; c < PM_ACTS; c++)
            for (int e = 0; e < PM_EFFECTS; e++)
                to[((size_t)(basis[0] * PM_MIXED + j) * PM_ACTS + c) * PM_EFFECTS + e] += slope[PM_OUT * j + c] * u[e];
    for (int b = 1; b < PM_BASIS; b++)
        for (int c = 0; c < PM_ACTS; c++)
            for (int e = 0; e < PM_EFFECTS; e++)
                to[((size_t)(2 * PM_MIXED + basis[b]) * PM_ACTS + c) * PM_EFFECTS + e] +=
                    slope[PM_OUT * PM_MIXED + c] * u[e];
}

/* The row of a side that a cell has. */
static inline int pm_side_row(int side, int cell)
{
    return PM_MIXED + cell - (side ? PM_CELLS_BEFORE : 0);
}

/* A Gaussian belief about the levels of one act on one side after an observation that is worth so much, the slope of
 * which is by m and, on the rows of three cells, by 1: the covariance alone, PM_SIDE rows of it.
 */
static inline void pm_levels_narrow(double *covariance, const int16_t *basis, const double *slope, double worth)
{
    const int n = PM_MIXED + (basis[0] ? PM_CELLS_AFTER : PM_CELLS_BEFORE);
    double v[PM_SIDE], s = 0.0;
    int row[PM_BASIS];
    for (int b = 1; b < PM_BASIS; b++)
        row[b] = pm_side_row(basis[0], basis[b]);
    for (int i = 0; i < n; i++) {
        const double *line = covariance + PM_SIDE * i;
        v[i] = 0.0;
        for (int b = 1; b < PM_BASIS; b++)
            v[i] += line[row[b]];
        v[i] *= slope[PM_OUT * PM_MIXED];
    }
    for (int j = 0; j < PM_MIXED; j++) { /* symmetric: row by row, so that the compiler can take several at once */
        const double *line = covariance + PM_SIDE * j, a = slope[PM_OUT * j];
        for (int i = 0; i < n; i++)
            v[i] += a * line[i];
    }
    for (int j = 0; j < PM_MIXED; j++)
        s += v[j] * slope[PM_OUT * j];
    for (int b = 1; b < PM_BASIS; b++)
        s += v[row[b]] * slope[PM_OUT * PM_MIXED];
    s = worth / (1.0 + worth * s);
    for (int i = 0; i < n; i++) {
        double *line = covariance + PM_SIDE * i;
        const double a = s * v[i];
        for (int j = 0; j < n; j++)
            line[j] -= a * v[j];
    }
}

/* What of a situation is the same for all classes: the sums of W and of D + v. */
static inline void pm_likelihood_situation(const pm_likelihood *net, const int16_t *rows, int n, const float *bias,
                                           float *hidden, float *direct)
{
    memset(hidden, 0, PM_HIDDEN * sizeof(float));
    for (int c = 0; c < PM_OUT; c++)
        direct[c] = bias[c];
    for (int f = 0; f < n; f++) {
        const float *w = net->situation + PM_HIDDEN * (size_t)rows[f];
        const float *d = net->direct_situation + PM_OUT * (size_t)rows[f];
        for (int i = 0; i < PM_HIDDEN; i++)
            hidden[i] += w[i];
        for (int c = 0; c < PM_OUT; c++)
            direct[c] += d[c];
    }
}

/* h and m of one class. */
PM_ALWAYS_INLINE void pm_likelihood_unit(const pm_likelihood *net, const float *hidden, const int16_t *rows, float *h,
                                         float *m)
{
    const float *e[PM_HOLDING_FEATURES];
    float sums[PM_MIXED];
    for (int f = 0; f < PM_HOLDING_FEATURES; f++)
        e[f] = net->holding + PM_HIDDEN * (size_t)rows[f];
    for (int i = 0; i < PM_HIDDEN; i++) {
        const float a = hidden[i] + ((e[0][i] + e[1][i]) + (e[2][i] + e[3][i]));
        h[i] = a > 0 ? a : 0;
    }
    for (int j = 0; j < PM_MIXED; j++)
        sums[j] = net->mix_bias[j];
    for (int i = 0; i < PM_HIDDEN; i++) {
        const float a = h[i], *q = net->mix + PM_MIXED * i;
        for (int j = 0; j < PM_MIXED; j++)
            sums[j] += a * q[j];
    }
    for (int j = 0; j < PM_MIXED; j++)
        m[j] = sums[j] > 0 ? sums[j] : 0;
}

/* The probabilities of one class. `legal` holds 1 for what is offered, else 0. */
PM_ALWAYS_INLINE void pm_likelihood_chance(const pm_likelihood *net, const float *direct, const float *out,
                                           const int16_t *rows, const float *legal, const float *m, float *p)
{
    float z[PM_OUT], most = -1e30f, sum = 0.0f;
    for (int c = 0; c < PM_OUT; c++)
        z[c] = direct[c];
    for (int f = 0; f < PM_HOLDING_FEATURES; f++)
        for (int c = 0; c < PM_OUT; c++)
            z[c] += net->direct_holding[PM_OUT * (size_t)rows[f] + c];
    for (int j = 0; j < PM_MIXED; j++)
        for (int c = 0; c < PM_OUT; c++)
            z[c] += m[j] * out[PM_OUT * j + c];
    for (int c = 0; c < 3; c++)
        most = legal[c] > 0 && z[c] > most ? z[c] : most;
    for (int c = 0; c < 3; c++) {
        p[c] = legal[c] > 0 ? pm_expf(z[c] - most) : 0.0f;
        sum += p[c];
    }
    for (int c = 0; c < 3; c++)
        p[c] /= sum;
    p[3] = 0.0f;
}

/* Add to a gradient what one class adds, given the gradient by its z; `passed` gets what goes on to the situation. */
static inline void pm_likelihood_back(const float *mix_transposed, const float *out, const int16_t *rows,
                                      const float *h, const float *m, const float *by_z, pm_likelihood_gradient *to,
                                      float *passed)
{
    float by_m[PM_MIXED], by_h[PM_HIDDEN] = {0};
    for (int j = 0; j < PM_MIXED; j++) {
        float sum = 0.0f;
        for (int c = 0; c < PM_OUT; c++) {
            to->out[PM_OUT * j + c] += m[j] * by_z[c];
            sum += out[PM_OUT * j + c] * by_z[c];
        }
        by_m[j] = m[j] > 0 ? sum : 0.0f;
    }
    for (int j = 0; j < PM_MIXED; j++) {
        const float a = by_m[j], *q = mix_transposed + PM_HIDDEN * j;
        to->mix_bias[j] += a;
        if (a != 0)
            for (int i = 0; i < PM_HIDDEN; i++)
                by_h[i] += a * q[i];
    }
    for (int i = 0; i < PM_HIDDEN; i++) {
        float *q = to->mix + PM_MIXED * i;
        if (h[i] > 0)
            for (int j = 0; j < PM_MIXED; j++)
                q[j] += h[i] * by_m[j];
        else
            by_h[i] = 0.0f;
        passed[i] += by_h[i];
    }
    for (int f = 0; f < PM_HOLDING_FEATURES; f++) {
        float *e = to->holding + PM_HIDDEN * (size_t)rows[f];
        float *d = to->direct_holding + PM_OUT * (size_t)rows[f];
        for (int i = 0; i < PM_HIDDEN; i++)
            e[i] += by_h[i];
        for (int c = 0; c < PM_OUT; c++)
            d[c] += by_z[c];
    }
}

/* ------------------------------------------------------------------------------------------ all classes of a board */

enum {
    PM_LEAST_BELIEF = 1000000, /* classes that are held with less than 1 in so many are left out of sums */
    PM_LEAST_HELD = 100000,    /* and of gradients */
    PM_CLASSES_PADDED = 16     /* arrays of classes have room for a multiple of so many */
};

/* Classes with room for what kernels write past the last one. */
static inline int pm_padded_classes(int n)
{
    return (n + PM_CLASSES_PADDED - 1) / PM_CLASSES_PADDED * PM_CLASSES_PADDED;
}

/* h and m of n classes, in rows of PM_HIDDEN and PM_MIXED; h may be NULL. They depend on the situation and the board
 * alone, not on who acts. */
typedef void (*pm_likelihood_units)(const pm_likelihood *net, const float *hidden, const int16_t *rows, int n, float *h,
                                    float *m);
/* The probabilities of n classes, in rows of PM_OUT. */
typedef void (*pm_likelihood_chances)(const pm_likelihood *net, const float *direct, const float *out,
                                      const int16_t *rows, int n, const float *legal, const float *m, float *p);
/* The mean of P over n classes. With `sums`, moreover (m, 1) added up over classes, times belief and the probabilities
 * of fold and call, fold and raise, call and raise. */
typedef void (*pm_likelihood_means)(const double *belief, int n, const float *p, const float *m, double *mean,
                                    double (*sums)[PM_SLOPE]);
/* (m, 1) added up over classes, times the gradient by z of an act's log-likelihood, `belief` being what is held. */
typedef void (*pm_likelihood_slopes)(const double *belief, int n, const float *p, const float *m, int act,
                                     double (*sums)[PM_SLOPE]);
/* Add to n rows of PM_EFFECTS the gradients by u, given those by V and, as the last row, by v: n slopes, each of PM_SLOPE
 * rows of PM_OUT. */
typedef void (*pm_likelihood_directions)(const pm_likelihood *net, const int16_t *basis, const double *slopes, int n,
                                         double *to);
/* A Gaussian belief after an observation that is worth so much along a direction: the covariance alone, by columns. */
typedef void (*pm_likelihood_narrow)(double *columns, const double *direction, double worth);

typedef struct {
    pm_likelihood_units units;
    pm_likelihood_chances chances;
    pm_likelihood_means means;
    pm_likelihood_slopes slopes;
    pm_likelihood_directions directions;
    pm_likelihood_narrow narrow;
} pm_likelihood_kernels;

/* One class after the other, in plain C. */
static void pm_likelihood_units_portable(const pm_likelihood *net, const float *hidden, const int16_t *rows, int n,
                                         float *h, float *m)
{
    PM_NO_CONTRACT
    float scratch[PM_HIDDEN];
    for (int k = 0; k < n; k++)
        pm_likelihood_unit(net, hidden, rows + PM_HOLDING_FEATURES * k, h ? h + PM_HIDDEN * k : scratch,
                           m + PM_MIXED * k);
}

static void pm_likelihood_chances_portable(const pm_likelihood *net, const float *direct, const float *out,
                                           const int16_t *rows, int n, const float *legal, const float *m, float *p)
{
    PM_NO_CONTRACT
    for (int k = 0; k < n; k++)
        pm_likelihood_chance(net, direct, out, rows + PM_HOLDING_FEATURES * k, legal, m + PM_MIXED * k, p + PM_OUT * k);
}

#define PM_LIKELIHOOD_LEVEL portable
#define PM_LIKELIHOOD_KERNEL
#define PM_REALS double
#define PM_REALS_SIZE 1
#define PM_LOAD_REALS(from) (*(from))
#define PM_STORE_REALS(to, a) (*(to) = (a))
#define PM_SET_REALS(number) ((double)(number))
#define PM_ADD_REALS(a, b) ((a) + (b))
#define PM_SUBTRACT_REALS(a, b) ((a) - (b))
#define PM_MULTIPLY_REALS(a, b) ((a) * (b))
#define PM_REALS_OF_FLOATS(from) ((double)*(from))
#include "pokermodel/readers/likelihood_sums_template.h"

/* Several classes at once. A quad: of one class, fold, call, raise, and nothing. */
#ifdef PM_SIMD_X86
#define PM_QUAD_AT(table, rows, at, f, t) _mm_loadu_ps((table) + PM_OUT * (size_t)(rows)[(at)[t] + (f)])

#define PM_LIKELIHOOD_LEVEL quads
#define PM_LIKELIHOOD_KERNEL
#define PM_TOGETHER 2
#define PM_FLOATS __m128
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS(from) _mm_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm_set1_ps(number)
#define PM_LOAD_QUADS(from, apart) _mm_loadu_ps(from)
#define PM_SAME_QUADS(from) _mm_loadu_ps(from)
#define PM_GATHER_QUADS(table, rows, at, f) PM_QUAD_AT(table, rows, at, f, 0)
#define PM_LANE_FLOATS(a, lane) _mm_shuffle_ps(a, a, (lane) * 0x55)
#define PM_ADD_FLOATS(a, b) _mm_add_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm_max_ps(a, b)
#define PM_WHOLE_FLOATS(a) _mm_cvtepi32_ps(_mm_cvttps_epi32(a))
#define PM_POWER_FLOATS(n) _mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(_mm_cvttps_epi32(n), _mm_set1_epi32(127)), 23))
#define PM_MASK __m128
#define PM_ABOVE_FLOATS(a, b) _mm_cmpgt_ps(a, b)
#define PM_KEEP_FLOATS(a, mask) _mm_and_ps(a, mask)
#define PM_DROP_FLOATS(a, mask) _mm_andnot_ps(mask, a)
#define PM_BITS_OF_MASK(mask) _mm_movemask_ps(mask)
#include "pokermodel/readers/likelihood_template.h"

#define PM_LIKELIHOOD_LEVEL avx2
#define PM_LIKELIHOOD_KERNEL PM_TARGET("avx2")
#define PM_TOGETHER 4
#define PM_FLOATS __m256
#define PM_FLOATS_SIZE 8
#define PM_LOAD_FLOATS(from) _mm256_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm256_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm256_set1_ps(number)
#define PM_LOAD_QUADS(from, apart) \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps((from) + (apart)), 1)
#define PM_SAME_QUADS(from) _mm256_broadcast_ps((const __m128 *)(from))
#define PM_GATHER_QUADS(table, rows, at, f) \
    _mm256_insertf128_ps(_mm256_castps128_ps256(PM_QUAD_AT(table, rows, at, f, 0)), PM_QUAD_AT(table, rows, at, f, 1), 1)
#define PM_LANE_FLOATS(a, lane) _mm256_permute_ps(a, (lane) * 0x55)
#define PM_ADD_FLOATS(a, b) _mm256_add_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm256_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm256_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm256_max_ps(a, b)
#define PM_WHOLE_FLOATS(a) _mm256_cvtepi32_ps(_mm256_cvttps_epi32(a))
#define PM_POWER_FLOATS(n) \
    _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(_mm256_cvttps_epi32(n), _mm256_set1_epi32(127)), 23))
#define PM_MASK __m256
#define PM_ABOVE_FLOATS(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#define PM_KEEP_FLOATS(a, mask) _mm256_and_ps(a, mask)
#define PM_DROP_FLOATS(a, mask) _mm256_andnot_ps(mask, a)
#define PM_BITS_OF_MASK(mask) _mm256_movemask_ps(mask)
#include "pokermodel/readers/likelihood_template.h"

#define PM_LIKELIHOOD_LEVEL avx2
#define PM_LIKELIHOOD_KERNEL PM_TARGET("avx2")
#define PM_REALS __m256d
#define PM_REALS_SIZE 4
#define PM_LOAD_REALS(from) _mm256_loadu_pd(from)
#define PM_STORE_REALS(to, a) _mm256_storeu_pd(to, a)
#define PM_SET_REALS(number) _mm256_set1_pd(number)
#define PM_ADD_REALS(a, b) _mm256_add_pd(a, b)
#define PM_SUBTRACT_REALS(a, b) _mm256_sub_pd(a, b)
#define PM_MULTIPLY_REALS(a, b) _mm256_mul_pd(a, b)
#define PM_REALS_OF_FLOATS(from) _mm256_cvtps_pd(_mm_loadu_ps(from))
#include "pokermodel/readers/likelihood_sums_template.h"

#define PM_FOUR_QUADS(a, b, c, d) \
    _mm512_insertf32x4(_mm512_insertf32x4(_mm512_insertf32x4(_mm512_castps128_ps512(a), b, 1), c, 2), d, 3)
#define PM_LIKELIHOOD_LEVEL avx512
#define PM_LIKELIHOOD_KERNEL PM_TARGET("avx512f,avx512bw")
#define PM_TOGETHER 16
#define PM_FLOATS __m512
#define PM_FLOATS_SIZE 16
#define PM_LOAD_FLOATS(from) _mm512_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm512_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm512_set1_ps(number)
#define PM_LOAD_QUADS(from, apart) \
    PM_FOUR_QUADS(_mm_loadu_ps(from), _mm_loadu_ps((from) + (apart)), _mm_loadu_ps((from) + 2 * (apart)), \
                  _mm_loadu_ps((from) + 3 * (apart)))
#define PM_SAME_QUADS(from) _mm512_broadcast_f32x4(_mm_loadu_ps(from))
#define PM_GATHER_QUADS(table, rows, at, f) \
    PM_FOUR_QUADS(PM_QUAD_AT(table, rows, at, f, 0), PM_QUAD_AT(table, rows, at, f, 1), \
                  PM_QUAD_AT(table, rows, at, f, 2), PM_QUAD_AT(table, rows, at, f, 3))
#define PM_LANE_FLOATS(a, lane) _mm512_permute_ps(a, (lane) * 0x55)
#define PM_ADD_FLOATS(a, b) _mm512_add_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm512_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm512_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm512_max_ps(a, b)
#define PM_WHOLE_FLOATS(a) _mm512_cvtepi32_ps(_mm512_cvttps_epi32(a))
#define PM_POWER_FLOATS(n) \
    _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(_mm512_cvttps_epi32(n), _mm512_set1_epi32(127)), 23))
#define PM_MASK __mmask16
#define PM_ABOVE_FLOATS(a, b) _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ)
#define PM_KEEP_FLOATS(a, mask) _mm512_maskz_mov_ps(mask, a)
#define PM_DROP_FLOATS(a, mask) _mm512_maskz_mov_ps((__mmask16)~(mask), a)
#define PM_BITS_OF_MASK(mask) (mask)
#include "pokermodel/readers/likelihood_template.h"

#define PM_LIKELIHOOD_LEVEL avx512
#define PM_LIKELIHOOD_KERNEL PM_TARGET("avx512f,avx512bw")
#define PM_REALS __m512d
#define PM_REALS_SIZE 8
#define PM_LOAD_REALS(from) _mm512_loadu_pd(from)
#define PM_STORE_REALS(to, a) _mm512_storeu_pd(to, a)
#define PM_SET_REALS(number) _mm512_set1_pd(number)
#define PM_ADD_REALS(a, b) _mm512_add_pd(a, b)
#define PM_SUBTRACT_REALS(a, b) _mm512_sub_pd(a, b)
#define PM_MULTIPLY_REALS(a, b) _mm512_mul_pd(a, b)
#define PM_REALS_OF_FLOATS(from) _mm512_cvtps_pd(_mm256_loadu_ps(from))
#include "pokermodel/readers/likelihood_sums_template.h"
#elif defined(PM_SIMD_ARM)
#define PM_BITS_FOUR(a) vreinterpretq_u32_f32(a)

static inline unsigned pm_bits_of_four(uint32x4_t mask)
{
    static const uint32_t places[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(places)));
}

#define PM_LIKELIHOOD_LEVEL quads
#define PM_LIKELIHOOD_KERNEL
#define PM_TOGETHER 4
#define PM_FLOATS float32x4_t
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS(from) vld1q_f32(from)
#define PM_STORE_FLOATS(to, a) vst1q_f32(to, a)
#define PM_SET_FLOATS(number) vdupq_n_f32(number)
#define PM_LOAD_QUADS(from, apart) vld1q_f32(from)
#define PM_SAME_QUADS(from) vld1q_f32(from)
#define PM_GATHER_QUADS(table, rows, at, f) vld1q_f32((table) + PM_OUT * (size_t)(rows)[*(at) + (f)])
#define PM_LANE_FLOATS(a, lane) vdupq_laneq_f32(a, lane)
#define PM_ADD_FLOATS(a, b) vaddq_f32(a, b)
#define PM_MULTIPLY_FLOATS(a, b) vmulq_f32(a, b)
#define PM_DIVIDE_FLOATS(a, b) vdivq_f32(a, b)
#define PM_MAX_FLOATS(a, b) vmaxq_f32(a, b)
#define PM_WHOLE_FLOATS(a) vcvtq_f32_s32(vcvtq_s32_f32(a))
#define PM_POWER_FLOATS(n) vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23))
#define PM_MASK uint32x4_t
#define PM_ABOVE_FLOATS(a, b) vcgtq_f32(a, b)
#define PM_KEEP_FLOATS(a, mask) vreinterpretq_f32_u32(vandq_u32(PM_BITS_FOUR(a), mask))
#define PM_DROP_FLOATS(a, mask) vreinterpretq_f32_u32(vbicq_u32(PM_BITS_FOUR(a), mask))
#define PM_BITS_OF_MASK(mask) pm_bits_of_four(mask)
#include "pokermodel/readers/likelihood_template.h"
#endif

/* The kernels of a level. */
#define PM_LIKELIHOOD_UNITS(level) \
    found.units = pm_likelihood_units_##level; \
    found.chances = pm_likelihood_chances_##level
#define PM_LIKELIHOOD_SUMS(level) \
    found.means = pm_likelihood_means_##level; \
    found.slopes = pm_likelihood_slopes_##level; \
    found.directions = pm_likelihood_directions_##level; \
    found.narrow = pm_likelihood_narrow_##level

static inline pm_likelihood_kernels pm_likelihood_kernels_at(int level)
{
    pm_likelihood_kernels found;
    PM_LIKELIHOOD_UNITS(portable);
    PM_LIKELIHOOD_SUMS(portable);
#if defined(PM_SIMD_X86) || defined(PM_SIMD_ARM)
    if (level > PM_SIMD_PORTABLE) {
        PM_LIKELIHOOD_UNITS(quads);
    }
#endif
#ifdef PM_SIMD_X86
    if (level >= PM_SIMD_AVX2) {
        PM_LIKELIHOOD_UNITS(avx2);
        PM_LIKELIHOOD_SUMS(avx2);
    }
    if (level >= PM_SIMD_AVX512) {
        PM_LIKELIHOOD_UNITS(avx512);
        PM_LIKELIHOOD_SUMS(avx512);
    }
#endif
    (void)level;
    return found;
}

#endif
