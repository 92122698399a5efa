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
 * with rows for m before the flop and after it, the two sides, and for three cells that the situation lies in. Beliefs
 * about B, act by act and side by side, and about u are Gaussian. The network is in single precision; exp is our own, so
 * that all machines get the same bits.
 */
#ifndef POKERMODEL_LIKELIHOOD_H
#define POKERMODEL_LIKELIHOOD_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/cards.h"
#include "pokermodel/holding_features.h"
#include "pokermodel/simd.h"

/* What is compiled for several instruction sets has to be part of the function that is. */
#if defined(_MSC_VER) && !defined(__clang__)
#define PM_ALWAYS_INLINE static __forceinline
#else
#define PM_ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

enum {
    PM_HIDDEN = 32,
    PM_MIXED = 16,
    PM_OUT = 4,                   /* fold, call, raise, and nothing: rows of four are quicker */
    PM_EFFECTS = 16,              /* length of u */
    PM_BASIS = 4,                 /* 0 before the flop or 1 after it, and three cells */
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

/* V and v of somebody of a population with the levels B who has the effects u; `offsets` are further logits. */
static inline void pm_likelihood_effects(const pm_likelihood *net, const int16_t *basis, const double *levels,
                                         const double *u, const double *offsets, float *out, float *bias)
{
    for (int j = 0; j <= PM_MIXED; j++)
        for (int c = 0; c < PM_ACTS; c++) {
            double sum = 0.0;
            if (j < PM_MIXED) {
                sum = levels[(basis[0] * PM_MIXED + j) * PM_ACTS + c];
                const double *l = net->loadings + ((size_t)(basis[0] * PM_MIXED + j) * PM_ACTS + c) * PM_EFFECTS;
                for (int e = 0; e < PM_EFFECTS; e++)
                    sum += l[e] * u[e];
                out[PM_OUT * j + c] = (float)(net->out[PM_OUT * j + c] + sum);
                continue;
            }
            for (int b = 1; b < PM_BASIS; b++) {
                const double *l = net->loadings + ((size_t)(2 * PM_MIXED + basis[b]) * PM_ACTS + c) * PM_EFFECTS;
                sum += levels[(2 * PM_MIXED + basis[b]) * PM_ACTS + c];
                for (int e = 0; e < PM_EFFECTS; e++)
                    sum += l[e] * u[e];
            }
            bias[c] = (float)(net->out_bias[c] + offsets[c] + sum);
        }
    for (int j = 0; j < PM_MIXED; j++)
        out[PM_OUT * j + 3] = 0.0f;
    bias[3] = 0.0f;
}

/* Add to `to` the gradient by u, given the gradient by V (rows of PM_OUT) and, as the last row, by v. */
static inline void pm_likelihood_by_effects(const pm_likelihood *net, const int16_t *basis, const double *slope,
                                            double *to)
{
    for (int j = 0; j < PM_MIXED; j++)
        for (int c = 0; c < PM_ACTS; c++) {
            const double *l = net->loadings + ((size_t)(basis[0] * PM_MIXED + j) * PM_ACTS + c) * PM_EFFECTS;
            for (int e = 0; e < PM_EFFECTS; e++)
                to[e] += l[e] * slope[PM_OUT * j + c];
        }
    for (int b = 1; b < PM_BASIS; b++)
        for (int c = 0; c < PM_ACTS; c++) {
            const double *l = net->loadings + ((size_t)(2 * PM_MIXED + basis[b]) * PM_ACTS + c) * PM_EFFECTS;
            for (int e = 0; e < PM_EFFECTS; e++)
                to[e] += l[e] * slope[PM_OUT * PM_MIXED + c];
        }
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

/* A Gaussian belief after an observation that is worth so much along a direction: the covariance alone. */
static inline void pm_gaussian_narrow(double *covariance, const double *direction, double worth)
{
    double v[PM_EFFECTS], s = 0.0;
    for (int i = 0; i < PM_EFFECTS; i++) {
        v[i] = 0.0;
        for (int j = 0; j < PM_EFFECTS; j++)
            v[i] += covariance[PM_EFFECTS * i + j] * direction[j];
        s += v[i] * direction[i];
    }
    s = worth / (1.0 + worth * s);
    for (int i = 0; i < PM_EFFECTS; i++)
        for (int j = 0; j < PM_EFFECTS; j++)
            covariance[PM_EFFECTS * i + j] -= s * v[i] * v[j];
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

/* Activations and probabilities of one class. `legal` holds 1 for what is offered, else 0. */
PM_ALWAYS_INLINE void pm_likelihood_class(const pm_likelihood *net, const float *hidden, const float *direct,
                                       const float *out, const int16_t *rows, const float *legal,
                                       float *h, float *m, float *p)
{
    float z[PM_OUT], sums[PM_MIXED], most = -1e30f, sum = 0.0f;
    const float *e[PM_HOLDING_FEATURES];
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
    for (int c = 0; c < PM_OUT; c++)
        z[c] = direct[c];
    for (int f = 0; f < PM_HOLDING_FEATURES; f++)
        for (int c = 0; c < PM_OUT; c++)
            z[c] += net->direct_holding[PM_OUT * (size_t)rows[f] + c];
    for (int j = 0; j < PM_MIXED; j++) {
        const float a = sums[j] > 0 ? sums[j] : 0;
        m[j] = a;
        for (int c = 0; c < PM_OUT; c++)
            z[c] += a * out[PM_OUT * j + c];
    }
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

/* Add up (m, 1) over classes, times belief and the probabilities of fold and call, fold and raise, call and raise. */
PM_ALWAYS_INLINE void pm_likelihood_products(double belief, const float *p, const float *m, double (*sums)[PM_SLOPE])
{
    const double units[PM_ACTS] = {(double)p[0] * p[1] * belief, (double)p[0] * p[2] * belief,
                                   (double)p[1] * p[2] * belief};
    for (int d = p[0] > 0 ? 0 : PM_ACTS - 1; d < PM_ACTS; d++) {
        const double a = units[d];
        double *row = sums[d];
        for (int j = 0; j < PM_MIXED; j++)
            row[j] += a * m[j];
        row[PM_MIXED] += a;
    }
}

/* Add a times (m, 1). */
PM_ALWAYS_INLINE void pm_likelihood_slope(double a, const float *m, double *row)
{
    for (int j = 0; j < PM_MIXED; j++)
        row[j] += a * m[j];
    row[PM_MIXED] += a;
}

/* Add to a gradient what one class adds, given the gradient by its z; `passed` gets what goes on to the situation. */
static inline void pm_likelihood_back(const pm_likelihood *net, const float *mix_transposed, const float *out,
                                      const int16_t *rows, const float *h, const float *m, const float *by_z,
                                      pm_likelihood_gradient *to, float *passed)
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

enum { PM_LEAST_BELIEF = 1000000 }; /* classes that are held with less than 1 in so many are left out of sums */

/* Activations and probabilities of n classes, in rows of PM_HIDDEN, PM_MIXED and PM_OUT. */
typedef void (*pm_likelihood_classes)(const pm_likelihood *net, const float *hidden, const float *direct,
                                      const float *out, const int16_t *rows, int n, const float *legal,
                                      float *h, float *m, float *p);
/* `pm_likelihood_products` of n classes. */
typedef void (*pm_likelihood_sums)(const double *belief, int n, const float *p, const float *m,
                                   double (*sums)[PM_SLOPE]);

typedef struct {
    pm_likelihood_classes classes;
    pm_likelihood_sums sums;
} pm_likelihood_kernels;

/* Four floats of one class: fold, call, raise, and nothing. */
#ifdef PM_SIMD_X86
#define PM_QUADS 1
typedef __m128 pm_four;
#define PM_LOAD_FOUR(from) _mm_loadu_ps(from)
#define PM_STORE_FOUR(to, a) _mm_storeu_ps(to, a)
#define PM_SET_FOUR(number) _mm_set1_ps(number)
#define PM_ADD_FOUR(a, b) _mm_add_ps(a, b)
#define PM_MULTIPLY_FOUR(a, b) _mm_mul_ps(a, b)
#define PM_DIVIDE_FOUR(a, b) _mm_div_ps(a, b)
#define PM_MAX_FOUR(a, b) _mm_max_ps(a, b)
#define PM_ABOVE_FOUR(a, b) _mm_cmpgt_ps(a, b) /* a mask */
#define PM_AND_FOUR(a, mask) _mm_and_ps(a, mask)
#define PM_ELSE_FOUR(a, mask) _mm_andnot_ps(mask, a) /* where the mask is not */
#define PM_LANE_FOUR(a, lane) _mm_shuffle_ps(a, a, (lane) * 0x55)
#define PM_WHOLE_FOUR(a) _mm_cvtepi32_ps(_mm_cvttps_epi32(a))
#define PM_POWER_FOUR(n) _mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(_mm_cvttps_epi32(n), _mm_set1_epi32(127)), 23))
#elif defined(PM_SIMD_ARM)
#define PM_QUADS 1
typedef float32x4_t pm_four;
#define PM_BITS_FOUR(a) vreinterpretq_u32_f32(a)
#define PM_LOAD_FOUR(from) vld1q_f32(from)
#define PM_STORE_FOUR(to, a) vst1q_f32(to, a)
#define PM_SET_FOUR(number) vdupq_n_f32(number)
#define PM_ADD_FOUR(a, b) vaddq_f32(a, b)
#define PM_MULTIPLY_FOUR(a, b) vmulq_f32(a, b)
#define PM_DIVIDE_FOUR(a, b) vdivq_f32(a, b)
#define PM_MAX_FOUR(a, b) vmaxq_f32(a, b)
#define PM_ABOVE_FOUR(a, b) vreinterpretq_f32_u32(vcgtq_f32(a, b))
#define PM_AND_FOUR(a, mask) vreinterpretq_f32_u32(vandq_u32(PM_BITS_FOUR(a), PM_BITS_FOUR(mask)))
#define PM_ELSE_FOUR(a, mask) vreinterpretq_f32_u32(vbicq_u32(PM_BITS_FOUR(a), PM_BITS_FOUR(mask)))
#define PM_LANE_FOUR(a, lane) vdupq_laneq_f32(a, lane)
#define PM_WHOLE_FOUR(a) vcvtq_f32_s32(vcvtq_s32_f32(a))
#define PM_POWER_FOUR(n) vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23))
#endif

#ifdef PM_QUADS
/* The softmax of z over what is offered, `legal` being a mask: as pm_likelihood_class has it, to the bit. */
PM_ALWAYS_INLINE pm_four pm_softmax_four(pm_four z, pm_four legal)
{
    PM_NO_CONTRACT
    const pm_four offered = PM_ADD_FOUR(PM_AND_FOUR(z, legal), PM_ELSE_FOUR(PM_SET_FOUR(-1e30f), legal));
    const pm_four most =
        PM_MAX_FOUR(PM_MAX_FOUR(PM_LANE_FOUR(offered, 0), PM_LANE_FOUR(offered, 1)), PM_LANE_FOUR(offered, 2));
    const pm_four x = PM_ADD_FOUR(z, PM_MULTIPLY_FOUR(most, PM_SET_FOUR(-1.0f)));
    const pm_four n =
        PM_WHOLE_FOUR(PM_ADD_FOUR(PM_MULTIPLY_FOUR(x, PM_SET_FOUR(1.44269504f)), PM_SET_FOUR(-0.5f)));
    const pm_four r = PM_ADD_FOUR(PM_ADD_FOUR(x, PM_MULTIPLY_FOUR(n, PM_SET_FOUR(-0.693359375f))),
                                  PM_MULTIPLY_FOUR(n, PM_SET_FOUR(2.12194440e-4f)));
    pm_four p = PM_SET_FOUR(1.9875691500e-4f);
    p = PM_ADD_FOUR(PM_MULTIPLY_FOUR(p, r), PM_SET_FOUR(1.3981999507e-3f));
    p = PM_ADD_FOUR(PM_MULTIPLY_FOUR(p, r), PM_SET_FOUR(8.3334519073e-3f));
    p = PM_ADD_FOUR(PM_MULTIPLY_FOUR(p, r), PM_SET_FOUR(4.1665795894e-2f));
    p = PM_ADD_FOUR(PM_MULTIPLY_FOUR(p, r), PM_SET_FOUR(1.6666665459e-1f));
    p = PM_ADD_FOUR(PM_MULTIPLY_FOUR(p, r), PM_SET_FOUR(5.0000001201e-1f));
    p = PM_ADD_FOUR(PM_ADD_FOUR(PM_MULTIPLY_FOUR(PM_MULTIPLY_FOUR(p, r), r), r), PM_SET_FOUR(1.0f));
    p = PM_MULTIPLY_FOUR(p, PM_POWER_FOUR(n));
    p = PM_ELSE_FOUR(PM_AND_FOUR(p, legal), PM_ABOVE_FOUR(PM_SET_FOUR(-80.0f), x));
    return PM_DIVIDE_FOUR(
        p, PM_ADD_FOUR(PM_ADD_FOUR(PM_LANE_FOUR(p, 0), PM_LANE_FOUR(p, 1)), PM_LANE_FOUR(p, 2)));
}
#endif

#define PM_LIKELIHOOD_SUMS(level, target)                                                                              \
    target static void pm_likelihood_sums_##level(const double *belief, int n, const float *p, const float *m,         \
                                                  double (*sums)[PM_SLOPE])                                            \
    {                                                                                                                  \
        PM_NO_CONTRACT                                                                                                 \
        for (int k = 0; k < n; k++)                                                                                    \
            if (belief[k] * PM_LEAST_BELIEF >= 1.0)                                                                    \
                pm_likelihood_products(belief[k], p + PM_OUT * k, m + PM_MIXED * k, sums);                             \
    }

/* One class after the other, in plain C. */
static void pm_likelihood_classes_portable(const pm_likelihood *net, const float *hidden, const float *direct,
                                           const float *out, const int16_t *rows, int n, const float *legal,
                                           float *h, float *m, float *p)
{
    PM_NO_CONTRACT
    for (int k = 0; k < n; k++)
        pm_likelihood_class(net, hidden, direct, out, rows + PM_HOLDING_FEATURES * k, legal, h + PM_HIDDEN * k,
                            m + PM_MIXED * k, p + PM_OUT * k);
}
PM_LIKELIHOOD_SUMS(portable, )

/* Several classes at once: as many as there are registers for. */
#ifdef PM_QUADS
#define PM_LIKELIHOOD_LEVEL quads
#define PM_LIKELIHOOD_KERNEL static
#define PM_TOGETHER 2
#define PM_FLOATS pm_four
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS PM_LOAD_FOUR
#define PM_STORE_FLOATS PM_STORE_FOUR
#define PM_SET_FLOATS PM_SET_FOUR
#define PM_ADD_FLOATS PM_ADD_FOUR
#define PM_MULTIPLY_FLOATS PM_MULTIPLY_FOUR
#define PM_MAX_FLOATS PM_MAX_FOUR
#include "pokermodel/likelihood_template.h"

PM_LIKELIHOOD_SUMS(quads, )
#endif
#ifdef PM_SIMD_X86
#define PM_LIKELIHOOD_LEVEL avx2
#define PM_LIKELIHOOD_KERNEL PM_TARGET("avx2") static
#define PM_TOGETHER 4
#define PM_FLOATS __m256
#define PM_FLOATS_SIZE 8
#define PM_LOAD_FLOATS(from) _mm256_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm256_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm256_set1_ps(number)
#define PM_ADD_FLOATS(a, b) _mm256_add_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm256_mul_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm256_max_ps(a, b)
#include "pokermodel/likelihood_template.h"

PM_LIKELIHOOD_SUMS(avx2, PM_TARGET("avx2"))
#endif

/* The kernels of a level. */
static inline pm_likelihood_kernels pm_likelihood_kernels_at(int level)
{
    pm_likelihood_kernels found = {pm_likelihood_classes_portable, pm_likelihood_sums_portable};
#ifdef PM_QUADS
    if (level > PM_SIMD_PORTABLE) {
        found.classes = pm_likelihood_classes_quads;
        found.sums = pm_likelihood_sums_quads;
    }
#endif
#ifdef PM_SIMD_X86
    if (level >= PM_SIMD_AVX2) {
        found.classes = pm_likelihood_classes_avx2;
        found.sums = pm_likelihood_sums_avx2;
    }
#endif
    (void)level;
    return found;
}

#endif
