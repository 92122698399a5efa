/* Ranks of many hands, a row of card indices each. */
#ifndef POKERMODEL_BATCH_H
#define POKERMODEL_BATCH_H

#include <stddef.h>

#include "pokermodel/evaluator.h"
#include "pokermodel/simd.h"

/* Rank `n` rows of `width` cards, 5 to 7. Index of the first row that is not so many different cards, or -1. */
typedef ptrdiff_t (*pm_rank_rows)(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                  uint16_t *ranks);

static inline unsigned pm_rank_row(const pm_evaluator *e, const uint8_t *row, int width)
{
    pm_hand hand = pm_hand_empty();
    for (int k = 0; k < width; k++)
        hand = pm_hand_add(e, hand, row[k]);
    return pm_hand_rank(e, hand);
}

/* Row by row. Only the 3 % with a flush need the ranks by suit. */
#define PM_RANK_ROWS(width)                                                                                           \
    for (ptrdiff_t row = 0; row < n; row++, cards += (width)) {                                                       \
        uint64_t key = pm_hand_empty().key, seen = 0;                                                                 \
        unsigned wrong = 0;                                                                                           \
        for (int k = 0; k < (width); k++) {                                                                           \
            unsigned card = cards[k] < PM_CARDS ? cards[k] : 0;                                                       \
            wrong |= card ^ cards[k];                                                                                 \
            key += e->card[card].key;                                                                                 \
            seen |= (uint64_t)1 << card;                                                                              \
        }                                                                                                             \
        if (wrong || pm_count_cards(seen) != (width))                                                                 \
            return row;                                                                                               \
        if (key & PM_FLUSH_BITS) {                                                                                    \
            ranks[row] = (uint16_t)pm_rank_row(e, cards, (width));                                                    \
        } else {                                                                                                      \
            pm_hand hand = {key, 0};                                                                                  \
            ranks[row] = (uint16_t)pm_hand_rank_no_flush(e, hand);                                                    \
        }                                                                                                             \
    }                                                                                                                 \
    return -1;

static inline ptrdiff_t pm_rank_rows_portable(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                              uint16_t *ranks)
{
    if (width == 7) {
        PM_RANK_ROWS(7)
    }
    if (width == 6) {
        PM_RANK_ROWS(6)
    }
    PM_RANK_ROWS(5)
}

#undef PM_RANK_ROWS

#ifdef PM_SIMD_X86

/* Thirty-two hands at a time. The cards are transposed to a vector for each place in the row; look-ups by shuffles
 * give the digits of each card's rank key to base 32, whose sums stay below 256, and its suit as one of four 4-bit
 * counters. The digits make the key of the table look-up, which is done hand by hand. */
#define PM_BATCH 32
#define PM_BATCH_READS 8 /* bytes read of each row, whatever its width */

PM_TARGET("avx2") static inline __m256i pm_both_lanes(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

/* Rows i and i + 8 of the first sixteen hands, and of the second. */
PM_TARGET("avx2") static inline __m256i pm_four_rows(const uint8_t *cards, int width, int i)
{
    const uint8_t *row = cards + i * width;
    __m128i first = _mm_loadl_epi64((const __m128i *)row);
    __m128i second = _mm_loadl_epi64((const __m128i *)(row + 16 * width));
    first = _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(first), (const __m64 *)(row + 8 * width)));
    second = _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(second), (const __m64 *)(row + 24 * width)));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

/* One batch; whether all rows are hands. `digits` are those of the rank keys, lowest first. */
PM_TARGET("avx2")
static inline int pm_rank_batch(const pm_evaluator *e, uint8_t digits[5][16], const uint8_t *cards, int width,
                                uint16_t *ranks)
{
    static const uint8_t suit_bits[2][16] = {{0x01, 0x10, 0, 0}, {0, 0, 0x01, 0x10}};
    const __m256i zero = _mm256_setzero_si256(), three = _mm256_set1_epi8(3), last = _mm256_set1_epi8(PM_CARDS - 1);
    const __m256i nibble = _mm256_set1_epi8(15), five = _mm256_set1_epi8((char)0x88), from = _mm256_set1_epi8(0x33);
    const __m256i pairs = _mm256_set1_epi16(1 | 32 << 8), quads = _mm256_set1_epi32(1 | 1024 << 16);
    __m256i row[8], half[8], at[8], digit[5], sum[5], suits[2], highest = zero, same = zero, low, high;
    uint32_t key[PM_BATCH];
    uint32_t flushes;
    for (int d = 0; d < 5; d++) {
        digit[d] = pm_both_lanes(digits[d]);
        sum[d] = zero;
    }
    suits[0] = suits[1] = zero;
    for (int i = 0; i < 8; i++)
        row[i] = pm_four_rows(cards, width, i);
    for (int i = 0; i < 4; i++) {
        half[i] = _mm256_unpacklo_epi8(row[i], row[i + 4]);
        half[i + 4] = _mm256_unpackhi_epi8(row[i], row[i + 4]);
    }
    for (int i = 0; i < 2; i++)
        for (int rows = 0; rows < 2; rows++) { /* 0: rows 0 to 7, 1: rows 8 to 15 */
            row[4 * rows + 2 * i] = _mm256_unpacklo_epi8(half[4 * rows + i], half[4 * rows + i + 2]);
            row[4 * rows + 2 * i + 1] = _mm256_unpackhi_epi8(half[4 * rows + i], half[4 * rows + i + 2]);
        }
    for (int rows = 0; rows < 2; rows++)
        for (int i = 0; i < 2; i++) { /* places 0 to 3, 4 to 7 */
            half[4 * rows + 2 * i] = _mm256_unpacklo_epi8(row[4 * rows + i], row[4 * rows + i + 2]);
            half[4 * rows + 2 * i + 1] = _mm256_unpackhi_epi8(row[4 * rows + i], row[4 * rows + i + 2]);
        }
    for (int i = 0; i < 4; i++) {
        at[2 * i] = _mm256_unpacklo_epi64(half[i], half[4 + i]);
        at[2 * i + 1] = _mm256_unpackhi_epi64(half[i], half[4 + i]);
    }
    for (int k = 0; k < width; k++) {
        __m256i rank = _mm256_and_si256(_mm256_srli_epi16(at[k], 2), nibble), suit = _mm256_and_si256(at[k], three);
        highest = _mm256_max_epu8(highest, at[k]);
        for (int other = 0; other < k; other++)
            same = _mm256_or_si256(same, _mm256_cmpeq_epi8(at[k], at[other]));
        for (int d = 0; d < 5; d++)
            sum[d] = _mm256_add_epi8(sum[d], _mm256_shuffle_epi8(digit[d], rank));
        for (int h = 0; h < 2; h++)
            suits[h] = _mm256_add_epi8(suits[h], _mm256_shuffle_epi8(pm_both_lanes(suit_bits[h]), suit));
    }
    same = _mm256_or_si256(same, _mm256_subs_epu8(highest, last));
    if (!_mm256_testz_si256(same, same))
        return 0;
    for (int part = 0; part < 2; part++) { /* the first and the last eight hands of each lane */
        low = part ? _mm256_unpackhi_epi8(sum[0], sum[1]) : _mm256_unpacklo_epi8(sum[0], sum[1]);
        high = part ? _mm256_unpackhi_epi8(sum[2], sum[3]) : _mm256_unpacklo_epi8(sum[2], sum[3]);
        low = _mm256_maddubs_epi16(low, pairs);
        high = _mm256_maddubs_epi16(high, pairs);
        for (int quarter = 0; quarter < 2; quarter++) {
            __m256i four = quarter ? _mm256_unpackhi_epi16(low, high) : _mm256_unpacklo_epi16(low, high);
            __m256i top = part ? _mm256_unpackhi_epi8(sum[4], zero) : _mm256_unpacklo_epi8(sum[4], zero);
            top = quarter ? _mm256_unpackhi_epi16(top, zero) : _mm256_unpacklo_epi16(top, zero);
            four = _mm256_add_epi32(_mm256_madd_epi16(four, quads), _mm256_slli_epi32(top, 20));
            _mm_storeu_si128((__m128i *)(key + 8 * part + 4 * quarter), _mm256_castsi256_si128(four));
            _mm_storeu_si128((__m128i *)(key + 16 + 8 * part + 4 * quarter), _mm256_extracti128_si256(four, 1));
        }
    }
    for (int i = 0; i < PM_BATCH; i++) {
        pm_hand hand = {key[i], 0};
        ranks[i] = (uint16_t)pm_hand_rank_no_flush(e, hand);
    }
    suits[0] = _mm256_or_si256(_mm256_add_epi8(suits[0], from), _mm256_add_epi8(suits[1], from));
    flushes = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(suits[0], five), zero));
    for (; flushes; flushes &= flushes - 1) {
        int i = pm_lowest_bit(flushes);
        ranks[i] = (uint16_t)pm_rank_row(e, cards + i * width, width);
    }
    return 1;
}

PM_TARGET("avx2")
static inline ptrdiff_t pm_rank_rows_avx2(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                          uint16_t *ranks)
{
    static const uint32_t keys[13] = PM_RANK_KEYS;
    uint8_t digits[5][16] = {{0}};
    ptrdiff_t done = 0, bad;
    for (int rank = 0; rank < 13; rank++)
        for (int d = 0; d < 5; d++)
            digits[d][rank] = (uint8_t)(keys[rank] >> (5 * d) & 31);
    /* the last rows of a batch are read beyond their ends */
    for (; (done + PM_BATCH) * width + PM_BATCH_READS - width <= n * width; done += PM_BATCH) {
        const uint8_t *batch = cards + done * width;
        int fine = width == 7   ? pm_rank_batch(e, digits, batch, 7, ranks + done)
                   : width == 6 ? pm_rank_batch(e, digits, batch, 6, ranks + done)
                                : pm_rank_batch(e, digits, batch, 5, ranks + done);
        if (!fine)
            break;
    }
    bad = pm_rank_rows_portable(e, cards + done * width, width, n - done, ranks + done);
    return bad < 0 ? bad : done + bad;
}

#endif

static inline pm_rank_rows pm_rank_rows_at(int level)
{
#ifdef PM_SIMD_X86
    if (level >= PM_SIMD_AVX2)
        return pm_rank_rows_avx2;
#endif
    (void)level;
    return pm_rank_rows_portable;
}

#endif
