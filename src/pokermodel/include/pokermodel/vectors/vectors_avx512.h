/* Vectors of 64 bytes. What each macro stands for is said in kernels_template.h. */
#define PM_LEVEL avx512
#define PM_KERNEL PM_TARGET("avx512f,avx512bw") static inline

PM_KERNEL uint64_t pm_sum_counters_avx512(__m512i one, __m512i two)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i low = _mm512_sad_epu8(one, zero), high = _mm512_sad_epu8(two, zero);
    return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(low, _mm512_slli_epi64(high, 32)));
}

PM_KERNEL __m512d pm_eight_doubles_avx512(const uint16_t *numbers)
{
    return _mm512_cvtepi32_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)numbers)));
}

PM_KERNEL __m128i pm_two_rows_avx512(const uint8_t *row, int apart)
{
    __m128 first = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)row));
    return _mm_castps_si128(_mm_loadh_pi(first, (const __m64 *)(row + apart)));
}

PM_KERNEL __m512i pm_load_rows_avx512(const uint8_t *row, int apart)
{
    __m512i rows = _mm512_castsi128_si512(pm_two_rows_avx512(row, apart));
    rows = _mm512_inserti32x4(rows, pm_two_rows_avx512(row + 2 * apart, apart), 1);
    rows = _mm512_inserti32x4(rows, pm_two_rows_avx512(row + 4 * apart, apart), 2);
    return _mm512_inserti32x4(rows, pm_two_rows_avx512(row + 6 * apart, apart), 3);
}

PM_KERNEL void pm_store_keys_avx512(uint32_t *to, __m512i keys)
{
    _mm_storeu_si128((__m128i *)to, _mm512_castsi512_si128(keys));
    _mm_storeu_si128((__m128i *)(to + 16), _mm512_extracti32x4_epi32(keys, 1));
    _mm_storeu_si128((__m128i *)(to + 32), _mm512_extracti32x4_epi32(keys, 2));
    _mm_storeu_si128((__m128i *)(to + 48), _mm512_extracti32x4_epi32(keys, 3));
}

#define PM_BYTES __m512i
#define PM_BYTES_SIZE 64
#define PM_COUNTERS 1
#define PM_LOAD_BYTES(from) _mm512_load_si512((const void *)(from))
#define PM_ZERO_BYTES() _mm512_setzero_si512()
/* a comparison gives a bit mask, which steers an addition */
#define PM_COUNT_GREATER(counter, a, b) \
    _mm512_mask_add_epi8(counter, _mm512_cmpgt_epi8_mask(a, b), counter, _mm512_set1_epi8(1))
#define PM_COUNT_EQUAL(counter, a, b) \
    _mm512_mask_add_epi8(counter, _mm512_cmpeq_epi8_mask(a, b), counter, _mm512_set1_epi8(1))
#define PM_SUM_COUNTERS(one, two) pm_sum_counters_avx512((one)[0], (two)[0])

#define PM_DOUBLES __m512d
#define PM_DOUBLES_SIZE 8
#define PM_LOAD_DOUBLES(from) _mm512_loadu_pd(from)
#define PM_STORE_DOUBLES(to, a) _mm512_storeu_pd(to, a)
#define PM_SET_DOUBLES(number) _mm512_set1_pd(number)
#define PM_ADD_DOUBLES(a, b) _mm512_add_pd(a, b)
#define PM_MULTIPLY_DOUBLES(a, b) _mm512_mul_pd(a, b)
#define PM_CONVERT_COUNTS(from, to) ((to)[0] = pm_eight_doubles_avx512(from))

#define PM_LOOK_UP(table, at) _mm512_shuffle_epi8(table, at)
#define PM_TABLE(from) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(from)))
#define PM_LOAD_ROWS(row, apart) pm_load_rows_avx512(row, apart)
#define PM_SET_BYTES(number) _mm512_set1_epi8(number)
#define PM_ADD_BYTES(a, b) _mm512_add_epi8(a, b)
#define PM_AND(a, b) _mm512_and_si512(a, b)
#define PM_OR(a, b) _mm512_or_si512(a, b)
#define PM_MAX_BYTES(a, b) _mm512_max_epu8(a, b)
#define PM_ABOVE(a, b) _mm512_subs_epu8(a, b)
#define PM_CARD_RANKS(cards) _mm512_and_si512(_mm512_srli_epi16(cards, 2), _mm512_set1_epi8(15))
#define PM_LOW_BYTES(a, b) _mm512_unpacklo_epi8(a, b)
#define PM_HIGH_BYTES(a, b) _mm512_unpackhi_epi8(a, b)
#define PM_LOW_PAIRS(a, b) _mm512_unpacklo_epi16(a, b)
#define PM_HIGH_PAIRS(a, b) _mm512_unpackhi_epi16(a, b)
#define PM_LOW_HALF(a, b) _mm512_unpacklo_epi64(a, b)
#define PM_HIGH_HALF(a, b) _mm512_unpackhi_epi64(a, b)
#define PM_TWO_DIGITS(bytes) _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(1 | 32 << 8))
#define PM_FOUR_DIGITS(pairs) _mm512_madd_epi16(pairs, _mm512_set1_epi32(1 | 1024 << 16))
#define PM_FIVE_DIGITS(quads, top) _mm512_add_epi32(quads, _mm512_slli_epi32(top, 20))
#define PM_STORE_KEYS(to, keys) pm_store_keys_avx512(to, keys)
#define PM_ANY(a) (_mm512_test_epi8_mask(a, a) != 0)
#define PM_WHICH(a) ((uint64_t)_mm512_test_epi8_mask(a, a))
