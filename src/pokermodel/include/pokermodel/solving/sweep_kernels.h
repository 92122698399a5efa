/* The vector kernels of the solver at every level, and the table of them: sweep_template.h, compiled for each page of
 * macros.
 *
 *   PM_SOLVING_LEVEL               the level's name
 *   PM_SOLVING_KERNEL              what it is compiled for
 *   PM_FLOATS, PM_FLOATS_SIZE      a vector of floats, and how many: a divisor of 16
 *   PM_LOAD_FLOATS(from), PM_STORE_FLOATS(to, a), PM_SET_FLOATS(number)
 *   PM_ADD_FLOATS(a, b), PM_SUBTRACT_FLOATS, PM_MULTIPLY_FLOATS, PM_DIVIDE_FLOATS, PM_MAX_FLOATS, PM_MIN_FLOATS
 *   PM_IF_POSITIVE(x, a, b)        a where x > 0, else b
 *   PM_PREFETCH(from)              what is there will be read
 *   PM_LOAD_HALVES(from)           from floats of 16 bits
 *   PM_STORE_HALVES(to, a)         to those, rounded to the nearest; none is above PM_HALF_MOST
 *   PM_DITHER(a, from)             each number, its bits plus those at `from`, without the 13 bits that floats of 16 lack
 *   PM_TRANSPOSE(rows)             as many vectors as each has numbers, in place
 *
 * Ends of hands (`ends`): all lines of betting that end on a board, a lane of a vector each, in one sweep over the
 * holdings of both players in the order of their strength. A running sum of the opponent's reach and the 52 sums by card
 * are vectors over lanes; the sum less those of the two cards, plus the reach of the holding itself, which was taken away
 * twice, is the reach of what can be held beside a holding. Read before a group of equal strength it is what the holding
 * beats, after it what it does not lose to. A tie is worth the mean of winning and losing, so that a line's value is
 *
 *     (win - lose) / 2 (beaten + beaten or tied) + lose all
 *
 * and a fold is a lane of which only the last term is left. Where the own player folds or calls, both ends have one
 * reach, and share a lane. The alternative, a sweep for each line (Johanson, Waugh, Bowling and Zinkevich 2011), has the
 * same sums, but one after the other.
 */
#ifndef POKERMODEL_SOLVING_KERNELS_H
#define POKERMODEL_SOLVING_KERNELS_H

#include <stddef.h>
#include <string.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/solving/betting_tree.h"
#include "pokermodel/vectors/simd.h"

#define PM_TINY_REGRET 1e-18f
#define PM_HALF_MOST 32768.0f
#define PM_HALF_LEAST 1e-30f /* bounds of numbers of 16 bits are not below */
enum { PM_LANES_MOST = 16, PM_DITHERS = 1024, PM_DITHERED = 13 /* bits that are rounded away */ };

/* The holdings of a board, for one sweep. */
typedef struct {
    const uint16_t *own_order, *other_order, *own_group, *other_group, *same;
    const uint8_t *own_high, *own_low, *other_high, *other_low;
    const float *own_alive; /* 1 or 0 */
    int groups, other_alive, own_pad, other_pad;
} pm_ends_of;

/* The numbers of one decision, (acts, n): as floats, or in 16 bits with a scale, where `dither` is a table. */
typedef struct {
    float *wide;
    uint16_t *narrow;
    float *scale;
    const uint32_t *dither; /* PM_DITHERS numbers below 2^13, from the one at `from` on, and round again */
    uint32_t from;          /* a multiple of 16 */
} pm_numbers_at;

typedef struct {
    int lanes; /* of a vector */
    /* regrets give the reach of each child, rows `apart`; the average times `keep`, plus it */
    void (*other_node)(int acts, const pm_numbers_at *regret, const pm_numbers_at *average, const float *reach, float *to,
                       ptrdiff_t apart, int n, float keep);
    /* the value by the regrets; these times `above` or `below`, plus what each act is worth more than the value */
    void (*own_node)(int acts, const pm_numbers_at *regret, const float *const *values, float *value, int n, float above,
                     float below);
    void (*other_fixed)(int acts, const float *strategy, const float *reach, float *to, ptrdiff_t apart, int n);
    void (*own_fixed)(int acts, const float *strategy, const float *const *values, float *value, int n);
    void (*own_best)(int acts, const float *const *values, float *value, int n);
    void (*sum_rows)(int rows, const float *const *values, float *value, int n);
    void (*widen)(const uint16_t *from, float scale, float *to, ptrdiff_t n);
    float (*narrow)(const float *from, uint16_t *to, ptrdiff_t n);
    /* rows of reach and of values, one a lane; `to_fold` is NULL, or has rows for folds beside calls; `pay` has three
     * vectors: half of what is between winning and losing, losing (or a fold), and a fold beside a call; space for
     * (52 + places of both + 17) * lanes numbers */
    void (*ends)(const pm_ends_of *e, const float *const *reach, const float *pay, int folds, float *const *to,
                 float *const *to_fold, float *space);
} pm_solving_kernels;

/* ---------------------------------------------------------------------------------- floats of 16 bits */

typedef union {
    float number;
    uint32_t bits;
} pm_float_bits;

static inline float pm_float_of_half(uint16_t half)
{
    pm_float_bits x, least;
    x.bits = (uint32_t)(half & 0x7fff) << 13;
    if (x.bits < UINT32_C(0x00800000)) { /* below the normal ones */
        least.bits = UINT32_C(113) << 23;
        x.bits += least.bits;
        x.number -= least.number;
    } else {
        x.bits += UINT32_C(112) << 23;
    }
    x.bits |= (uint32_t)(half & 0x8000) << 16;
    return x.number;
}

/* Rounded to the nearest, ties to even, as processors do. */
static inline uint16_t pm_half_of_float(float number)
{
    pm_float_bits x;
    uint32_t sign;
    x.number = number;
    sign = x.bits >> 16 & 0x8000;
    x.bits &= UINT32_C(0x7fffffff);
    if (x.bits < UINT32_C(0x38800000)) { /* below the normal ones: an addition rounds */
        x.number += 0.5f;
        x.bits -= UINT32_C(0x3f000000);
    } else {
        x.bits += UINT32_C(0xc8000fff) + (x.bits >> 13 & 1);
        x.bits >>= 13;
    }
    return (uint16_t)(x.bits | sign);
}

/* --------------------------------------------------------------------------------------------- portable */

typedef struct {
    float of[4];
} pm_four_floats;

#define PM_FOUR_BY_FOUR(name, sign) \
    static inline pm_four_floats name(pm_four_floats a, pm_four_floats b) \
    { \
        pm_four_floats c; \
        for (int k = 0; k < 4; k++) \
            c.of[k] = a.of[k] sign b.of[k]; \
        return c; \
    }
PM_FOUR_BY_FOUR(pm_four_add, +)
PM_FOUR_BY_FOUR(pm_four_subtract, -)
PM_FOUR_BY_FOUR(pm_four_multiply, *)
PM_FOUR_BY_FOUR(pm_four_divide, /)
#undef PM_FOUR_BY_FOUR

static inline pm_four_floats pm_four_load(const float *from)
{
    pm_four_floats a;
    memcpy(a.of, from, sizeof a.of);
    return a;
}

static inline void pm_four_store(float *to, pm_four_floats a) { memcpy(to, a.of, sizeof a.of); }

static inline pm_four_floats pm_four_set(float number)
{
    pm_four_floats a = {{number, number, number, number}};
    return a;
}

static inline pm_four_floats pm_four_max(pm_four_floats a, pm_four_floats b)
{
    for (int k = 0; k < 4; k++)
        a.of[k] = a.of[k] > b.of[k] ? a.of[k] : b.of[k];
    return a;
}

static inline pm_four_floats pm_four_min(pm_four_floats a, pm_four_floats b)
{
    for (int k = 0; k < 4; k++)
        a.of[k] = a.of[k] < b.of[k] ? a.of[k] : b.of[k];
    return a;
}

static inline pm_four_floats pm_four_if_positive(pm_four_floats x, pm_four_floats a, pm_four_floats b)
{
    for (int k = 0; k < 4; k++)
        a.of[k] = x.of[k] > 0.0f ? a.of[k] : b.of[k];
    return a;
}

static inline pm_four_floats pm_four_load_halves(const uint16_t *from)
{
    pm_four_floats a;
    for (int k = 0; k < 4; k++)
        a.of[k] = pm_float_of_half(from[k]);
    return a;
}

static inline void pm_four_store_halves(uint16_t *to, pm_four_floats a)
{
    for (int k = 0; k < 4; k++)
        to[k] = pm_half_of_float(a.of[k]);
}

static inline pm_four_floats pm_four_dither(pm_four_floats a, const uint32_t *from)
{
    for (int k = 0; k < 4; k++) {
        pm_float_bits x;
        x.number = a.of[k];
        x.bits = (x.bits + from[k]) >> PM_DITHERED << PM_DITHERED;
        a.of[k] = x.number;
    }
    return a;
}

static inline void pm_four_transpose(pm_four_floats rows[4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            const float kept = rows[i].of[j];
            rows[i].of[j] = rows[j].of[i];
            rows[j].of[i] = kept;
        }
}

#define PM_SOLVING_LEVEL portable
#define PM_SOLVING_KERNEL
#define PM_FLOATS pm_four_floats
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS(from) pm_four_load(from)
#define PM_STORE_FLOATS(to, a) pm_four_store(to, a)
#define PM_SET_FLOATS(number) pm_four_set(number)
#define PM_ADD_FLOATS(a, b) pm_four_add(a, b)
#define PM_SUBTRACT_FLOATS(a, b) pm_four_subtract(a, b)
#define PM_MULTIPLY_FLOATS(a, b) pm_four_multiply(a, b)
#define PM_DIVIDE_FLOATS(a, b) pm_four_divide(a, b)
#define PM_MAX_FLOATS(a, b) pm_four_max(a, b)
#define PM_MIN_FLOATS(a, b) pm_four_min(a, b)
#define PM_IF_POSITIVE(x, a, b) pm_four_if_positive(x, a, b)
#define PM_PREFETCH(from) ((void)(from))
#define PM_LOAD_HALVES(from) pm_four_load_halves(from)
#define PM_STORE_HALVES(to, a) pm_four_store_halves(to, a)
#define PM_DITHER(a, from) pm_four_dither(a, from)
#define PM_TRANSPOSE(rows) pm_four_transpose(rows)
#include "pokermodel/solving/sweep_template.h"

#ifdef PM_SIMD_X86

/* ------------------------------------------------------------------------------------------------- SSE2 */

static inline __m128 pm_if_positive_sse2(__m128 x, __m128 a, __m128 b)
{
    const __m128 mask = _mm_cmpgt_ps(x, _mm_setzero_ps());
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}

static inline __m128 pm_load_halves_sse2(const uint16_t *from)
{
    return _mm_setr_ps(pm_float_of_half(from[0]), pm_float_of_half(from[1]), pm_float_of_half(from[2]),
                       pm_float_of_half(from[3]));
}

static inline void pm_store_halves_sse2(uint16_t *to, __m128 a)
{
    float lane[4];
    _mm_storeu_ps(lane, a);
    for (int k = 0; k < 4; k++)
        to[k] = pm_half_of_float(lane[k]);
}

#define PM_SOLVING_LEVEL sse2
#define PM_SOLVING_KERNEL
#define PM_FLOATS __m128
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS(from) _mm_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm_set1_ps(number)
#define PM_ADD_FLOATS(a, b) _mm_add_ps(a, b)
#define PM_SUBTRACT_FLOATS(a, b) _mm_sub_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm_max_ps(a, b)
#define PM_MIN_FLOATS(a, b) _mm_min_ps(a, b)
#define PM_IF_POSITIVE(x, a, b) pm_if_positive_sse2(x, a, b)
#define PM_PREFETCH(from) _mm_prefetch((const char *)(from), _MM_HINT_T0)
#define PM_LOAD_HALVES(from) pm_load_halves_sse2(from)
#define PM_STORE_HALVES(to, a) pm_store_halves_sse2(to, a)
#define PM_DITHER(a, from) \
    _mm_castsi128_ps(_mm_slli_epi32(_mm_srli_epi32(_mm_add_epi32(_mm_castps_si128(a), \
                                                                 _mm_loadu_si128((const __m128i *)(from))), \
                                                   PM_DITHERED), PM_DITHERED))
#define PM_TRANSPOSE(rows) _MM_TRANSPOSE4_PS((rows)[0], (rows)[1], (rows)[2], (rows)[3])
#include "pokermodel/solving/sweep_template.h"

/* ------------------------------------------------------------------------------------------------- AVX2 */

PM_TARGET("avx2") static inline void pm_transpose_avx2(__m256 rows[8])
{
    __m256 half[8], quarter[8];
    for (int i = 0; i < 8; i += 2) {
        half[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
        half[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            quarter[i + 2 * j] = _mm256_shuffle_ps(half[i + j], half[i + j + 2], 0x44);
            quarter[i + 2 * j + 1] = _mm256_shuffle_ps(half[i + j], half[i + j + 2], 0xee);
        }
    for (int i = 0; i < 4; i++) {
        rows[i] = _mm256_permute2f128_ps(quarter[i], quarter[i + 4], 0x20);
        rows[i + 4] = _mm256_permute2f128_ps(quarter[i], quarter[i + 4], 0x31);
    }
}

#define PM_SOLVING_LEVEL avx2
#define PM_SOLVING_KERNEL PM_TARGET("avx2,f16c")
#define PM_FLOATS __m256
#define PM_FLOATS_SIZE 8
#define PM_LOAD_FLOATS(from) _mm256_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm256_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm256_set1_ps(number)
#define PM_ADD_FLOATS(a, b) _mm256_add_ps(a, b)
#define PM_SUBTRACT_FLOATS(a, b) _mm256_sub_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm256_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm256_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm256_max_ps(a, b)
#define PM_MIN_FLOATS(a, b) _mm256_min_ps(a, b)
#define PM_IF_POSITIVE(x, a, b) _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ))
#define PM_PREFETCH(from) _mm_prefetch((const char *)(from), _MM_HINT_T0)
#define PM_LOAD_HALVES(from) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from)))
#define PM_STORE_HALVES(to, a) \
    _mm_storeu_si128((__m128i *)(to), _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#define PM_DITHER(a, from) \
    _mm256_castsi256_ps(_mm256_and_si256(_mm256_add_epi32(_mm256_castps_si256(a), \
                                                          _mm256_loadu_si256((const __m256i *)(from))), \
                                         _mm256_set1_epi32(-(1 << PM_DITHERED))))
#define PM_TRANSPOSE(rows) pm_transpose_avx2(rows)
#include "pokermodel/solving/sweep_template.h"

/* ---------------------------------------------------------------------------------------------- AVX-512 */

PM_TARGET("avx512f,avx512bw") static inline void pm_transpose_avx512(__m512 rows[16])
{
    __m512 half[16], quarter[16], eighth[16];
    for (int i = 0; i < 16; i += 2) {
        half[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
        half[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 16; i += 4)
        for (int j = 0; j < 2; j++) {
            quarter[i + 2 * j] = _mm512_shuffle_ps(half[i + j], half[i + j + 2], 0x44);
            quarter[i + 2 * j + 1] = _mm512_shuffle_ps(half[i + j], half[i + j + 2], 0xee);
        }
    for (int i = 0; i < 4; i++) {
        eighth[i] = _mm512_shuffle_f32x4(quarter[i], quarter[i + 4], 0x88);
        eighth[i + 4] = _mm512_shuffle_f32x4(quarter[i], quarter[i + 4], 0xdd);
        eighth[i + 8] = _mm512_shuffle_f32x4(quarter[i + 8], quarter[i + 12], 0x88);
        eighth[i + 12] = _mm512_shuffle_f32x4(quarter[i + 8], quarter[i + 12], 0xdd);
    }
    for (int i = 0; i < 8; i++) {
        rows[i] = _mm512_shuffle_f32x4(eighth[i], eighth[i + 8], 0x88);
        rows[i + 8] = _mm512_shuffle_f32x4(eighth[i], eighth[i + 8], 0xdd);
    }
}

#define PM_SOLVING_LEVEL avx512
#define PM_SOLVING_KERNEL PM_TARGET("avx512f,avx512bw")
#define PM_FLOATS __m512
#define PM_FLOATS_SIZE 16
#define PM_LOAD_FLOATS(from) _mm512_loadu_ps(from)
#define PM_STORE_FLOATS(to, a) _mm512_storeu_ps(to, a)
#define PM_SET_FLOATS(number) _mm512_set1_ps(number)
#define PM_ADD_FLOATS(a, b) _mm512_add_ps(a, b)
#define PM_SUBTRACT_FLOATS(a, b) _mm512_sub_ps(a, b)
#define PM_MULTIPLY_FLOATS(a, b) _mm512_mul_ps(a, b)
#define PM_DIVIDE_FLOATS(a, b) _mm512_div_ps(a, b)
#define PM_MAX_FLOATS(a, b) _mm512_max_ps(a, b)
#define PM_MIN_FLOATS(a, b) _mm512_min_ps(a, b)
#define PM_IF_POSITIVE(x, a, b) \
    _mm512_mask_mov_ps(b, _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ), a)
#define PM_PREFETCH(from) _mm_prefetch((const char *)(from), _MM_HINT_T0)
#define PM_LOAD_HALVES(from) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(from)))
#define PM_STORE_HALVES(to, a) \
    _mm256_storeu_si256((__m256i *)(to), _mm512_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
#define PM_DITHER(a, from) \
    _mm512_castsi512_ps(_mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(a), _mm512_loadu_si512(from)), \
                                         _mm512_set1_epi32(-(1 << PM_DITHERED))))
#define PM_TRANSPOSE(rows) pm_transpose_avx512(rows)
#include "pokermodel/solving/sweep_template.h"

#endif

#ifdef PM_SIMD_ARM

static inline void pm_transpose_neon(float32x4_t rows[4])
{
    const float32x4x2_t low = vtrnq_f32(rows[0], rows[1]), high = vtrnq_f32(rows[2], rows[3]);
    rows[0] = vcombine_f32(vget_low_f32(low.val[0]), vget_low_f32(high.val[0]));
    rows[1] = vcombine_f32(vget_low_f32(low.val[1]), vget_low_f32(high.val[1]));
    rows[2] = vcombine_f32(vget_high_f32(low.val[0]), vget_high_f32(high.val[0]));
    rows[3] = vcombine_f32(vget_high_f32(low.val[1]), vget_high_f32(high.val[1]));
}

#define PM_SOLVING_LEVEL neon
#define PM_SOLVING_KERNEL
#define PM_FLOATS float32x4_t
#define PM_FLOATS_SIZE 4
#define PM_LOAD_FLOATS(from) vld1q_f32(from)
#define PM_STORE_FLOATS(to, a) vst1q_f32(to, a)
#define PM_SET_FLOATS(number) vdupq_n_f32(number)
#define PM_ADD_FLOATS(a, b) vaddq_f32(a, b)
#define PM_SUBTRACT_FLOATS(a, b) vsubq_f32(a, b)
#define PM_MULTIPLY_FLOATS(a, b) vmulq_f32(a, b)
#define PM_DIVIDE_FLOATS(a, b) vdivq_f32(a, b)
#define PM_MAX_FLOATS(a, b) vmaxq_f32(a, b)
#define PM_MIN_FLOATS(a, b) vminq_f32(a, b)
#define PM_IF_POSITIVE(x, a, b) vbslq_f32(vcgtq_f32(x, vdupq_n_f32(0.0f)), a, b)
#define PM_PREFETCH(from) ((void)(from))
#define PM_LOAD_HALVES(from) vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from)))
#define PM_STORE_HALVES(to, a) vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32(a)))
#define PM_DITHER(a, from) \
    vreinterpretq_f32_u32(vandq_u32(vaddq_u32(vreinterpretq_u32_f32(a), vld1q_u32(from)), \
                                    vdupq_n_u32(~((UINT32_C(1) << PM_DITHERED) - 1))))
#define PM_TRANSPOSE(rows) pm_transpose_neon(rows)
#include "pokermodel/solving/sweep_template.h"

#endif

/* The kernels of a level; the portable ones for a level of another architecture. */
static inline const pm_solving_kernels *pm_solving_kernels_at(int level)
{
    switch (level) {
#ifdef PM_SIMD_X86
    case PM_SIMD_SSE2:
        return &pm_solving_kernels_sse2;
    case PM_SIMD_AVX2:
        return &pm_solving_kernels_avx2;
    case PM_SIMD_AVX512:
        return &pm_solving_kernels_avx512;
#endif
#ifdef PM_SIMD_ARM
    case PM_SIMD_NEON:
        return &pm_solving_kernels_neon;
#endif
    default:
        return &pm_solving_kernels_portable;
    }
}

#endif
