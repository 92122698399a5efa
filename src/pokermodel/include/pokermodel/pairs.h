/* How often one holding beats or ties others over all runouts, by comparing rows of strengths.
 *
 * On any one board the strengths of all live holdings are fewer than 254 (91 pairs of hole ranks, some 55
 * flushes), so each fits a byte. A row holds a holding's strengths over the runouts; where the runout takes one
 * of its cards the row of the left side says "lowest" and that of the right side "highest", so that the entry
 * neither wins nor ties. The counts do not depend on weights: one pass serves every range on that board.
 */
#ifndef POKERMODEL_PAIRS_H
#define POKERMODEL_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "pokermodel/simd.h"

#define PM_ROW_LOWEST (-128)
#define PM_ROW_HIGHEST 127
#define PM_ROW_LANES 64  /* rows are padded to a multiple of this, with the lowest and highest values */
#define PM_ROW_MOST 1280 /* longest row: two lanes' counters, which are bytes, take 1280/16 entries at most */

/* Count the entries in which row `left` beats and ties each of the `n` rows at `right`. Rows of `length` bytes
 * follow each other and begin at multiples of PM_ROW_LANES. */
typedef void (*pm_compare_rows)(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                uint16_t *ties);

static inline void pm_compare_rows_portable(const int8_t *left, const int8_t *right, int length, int n,
                                            uint16_t *wins, uint16_t *ties)
{
    for (int row = 0; row < n; row++, right += length) {
        unsigned won = 0, tied = 0;
        for (int k = 0; k < length; k++) {
            won += left[k] > right[k];
            tied += left[k] == right[k];
        }
        wins[row] = (uint16_t)won;
        ties[row] = (uint16_t)tied;
    }
}

#ifdef PM_SIMD_X86

/* One body for every x86 level: compare, subtract the masks (-1) from byte counters, add the counters up, wins and ties
 * at a time. Two counters each hide the latency of the subtraction. */
#define PM_COMPARE_ROWS_BODY(vector, bytes, load, zero, sub, gt, eq, sum)                                             \
    for (int row = 0; row < n; row++, right += length) {                                                              \
        vector won = zero(), won_too = zero(), tied = zero(), tied_too = zero();                                      \
        for (int k = 0; k < length; k += 2 * (bytes)) {                                                               \
            vector a = load((const vector *)(left + k)), b = load((const vector *)(right + k));                       \
            vector c = load((const vector *)(left + k + (bytes))), d = load((const vector *)(right + k + (bytes)));   \
            won = sub(won, gt(a, b));                                                                                 \
            tied = sub(tied, eq(a, b));                                                                               \
            won_too = sub(won_too, gt(c, d));                                                                         \
            tied_too = sub(tied_too, eq(c, d));                                                                       \
        }                                                                                                             \
        uint64_t sums = sum(won, won_too, tied, tied_too);                                                            \
        wins[row] = (uint16_t)sums;                                                                                   \
        ties[row] = (uint16_t)(sums >> 32);                                                                           \
    }

/* Sum of the first two byte vectors in the lower, of the others in the upper half. */
static inline uint64_t pm_sums_sse2(__m128i a, __m128i b, __m128i c, __m128i d)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i low = _mm_sad_epu8(_mm_add_epi8(a, b), zero), high = _mm_sad_epu8(_mm_add_epi8(c, d), zero);
    __m128i sums = _mm_add_epi64(low, _mm_slli_epi64(high, 32));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums)));
}

static inline void pm_compare_rows_sse2(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                        uint16_t *ties)
{
    PM_COMPARE_ROWS_BODY(__m128i, 16, _mm_load_si128, _mm_setzero_si128, _mm_sub_epi8, _mm_cmpgt_epi8,
                         _mm_cmpeq_epi8, pm_sums_sse2)
}

PM_TARGET("avx2") static inline uint64_t pm_sums_avx2(__m256i a, __m256i b, __m256i c, __m256i d)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_sad_epu8(_mm256_add_epi8(a, b), zero), high = _mm256_sad_epu8(_mm256_add_epi8(c, d), zero);
    __m256i sums = _mm256_add_epi64(low, _mm256_slli_epi64(high, 32));
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
}

PM_TARGET("avx2")
static inline void pm_compare_rows_avx2(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                        uint16_t *ties)
{
    PM_COMPARE_ROWS_BODY(__m256i, 32, _mm256_load_si256, _mm256_setzero_si256, _mm256_sub_epi8, _mm256_cmpgt_epi8,
                         _mm256_cmpeq_epi8, pm_sums_avx2)
}

#undef PM_COMPARE_ROWS_BODY

/* With AVX-512 a compare gives a bit mask, which steers an addition. */
PM_TARGET("avx512f,avx512bw")
static inline void pm_compare_rows_avx512(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                          uint16_t *ties)
{
    const __m512i one = _mm512_set1_epi8(1), zero = _mm512_setzero_si512();
    for (int row = 0; row < n; row++, right += length) {
        __m512i won = zero, tied = zero;
        for (int k = 0; k < length; k += 64) {
            __m512i a = _mm512_load_si512((const void *)(left + k)), b = _mm512_load_si512((const void *)(right + k));
            won = _mm512_mask_add_epi8(won, _mm512_cmpgt_epi8_mask(a, b), won, one);
            tied = _mm512_mask_add_epi8(tied, _mm512_cmpeq_epi8_mask(a, b), tied, one);
        }
        __m512i sums = _mm512_add_epi64(_mm512_sad_epu8(won, zero), _mm512_slli_epi64(_mm512_sad_epu8(tied, zero), 32));
        uint64_t both = (uint64_t)_mm512_reduce_add_epi64(sums);
        wins[row] = (uint16_t)both;
        ties[row] = (uint16_t)(both >> 32);
    }
}

#endif

#ifdef PM_SIMD_ARM

static inline void pm_compare_rows_neon(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                        uint16_t *ties)
{
    for (int row = 0; row < n; row++, right += length) {
        uint8x16_t won = vdupq_n_u8(0), won_too = won, tied = won, tied_too = won;
        for (int k = 0; k < length; k += 32) {
            int8x16_t a = vld1q_s8(left + k), b = vld1q_s8(right + k);
            int8x16_t c = vld1q_s8(left + k + 16), d = vld1q_s8(right + k + 16);
            won = vsubq_u8(won, vcgtq_s8(a, b));
            tied = vsubq_u8(tied, vceqq_s8(a, b));
            won_too = vsubq_u8(won_too, vcgtq_s8(c, d));
            tied_too = vsubq_u8(tied_too, vceqq_s8(c, d));
        }
        wins[row] = (uint16_t)(vaddlvq_u8(won) + vaddlvq_u8(won_too));
        ties[row] = (uint16_t)(vaddlvq_u8(tied) + vaddlvq_u8(tied_too));
    }
}

#endif

static inline pm_compare_rows pm_compare_rows_at(int level)
{
#ifdef PM_SIMD_ARM
    if (level == PM_SIMD_NEON)
        return pm_compare_rows_neon;
#endif
#ifdef PM_SIMD_X86
    switch (level) {
    case PM_SIMD_SSE2:
        return pm_compare_rows_sse2;
    case PM_SIMD_AVX2:
        return pm_compare_rows_avx2;
    case PM_SIMD_AVX512:
        return pm_compare_rows_avx512;
    }
#endif
    (void)level;
    return pm_compare_rows_portable;
}

#endif
