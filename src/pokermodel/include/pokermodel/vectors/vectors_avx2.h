/* Vectors of 32 bytes. What each macro stands for is said in kernels_template.h. */
#define PM_LEVEL avx2
#define PM_KERNEL PM_TARGET("avx2") static inline

PM_KERNEL uint64_t pm_sum_counters_avx2(const __m256i one[2], const __m256i two[2])
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_sad_epu8(_mm256_add_epi8(one[0], one[1]), zero);
    __m256i high = _mm256_sad_epu8(_mm256_add_epi8(two[0], two[1]), zero);
    __m256i sums = _mm256_add_epi64(low, _mm256_slli_epi64(high, 32));
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
}

/* A number below 2^52 in the lowest bits of the double 2^52 is that much more. */
PM_KERNEL __m256d pm_four_doubles_avx2(const uint16_t *numbers)
{
    const __m256i offset = _mm256_set1_epi64x(0x4330000000000000LL);
    __m256i bits = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)numbers));
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(bits, offset)), _mm256_castsi256_pd(offset));
}

PM_KERNEL __m128i pm_two_rows_avx2(const uint8_t *row, int apart)
{
    __m128 first = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)row));
    return _mm_castps_si128(_mm_loadh_pi(first, (const __m64 *)(row + apart)));
}

PM_KERNEL __m256i pm_load_rows_avx2(const uint8_t *row, int apart)
{
    __m256i first = _mm256_castsi128_si256(pm_two_rows_avx2(row, apart));
    return _mm256_inserti128_si256(first, pm_two_rows_avx2(row + 2 * apart, apart), 1);
}

PM_KERNEL void pm_store_keys_avx2(uint32_t *to, __m256i keys)
{
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(keys));
    _mm_storeu_si128((__m128i *)(to + 16), _mm256_extracti128_si256(keys, 1));
}

#define PM_BYTES __m256i
#define PM_BYTES_SIZE 32
#define PM_COUNTERS 2
#define PM_LOAD_BYTES(from) _mm256_load_si256((const __m256i *)(from))
#define PM_ZERO_BYTES() _mm256_setzero_si256()
#define PM_COUNT_GREATER(counter, a, b) _mm256_sub_epi8(counter, _mm256_cmpgt_epi8(a, b))
#define PM_COUNT_EQUAL(counter, a, b) _mm256_sub_epi8(counter, _mm256_cmpeq_epi8(a, b))
#define PM_SUM_COUNTERS(one, two) pm_sum_counters_avx2(one, two)

#define PM_DOUBLES __m256d
#define PM_DOUBLES_SIZE 4
#define PM_LOAD_DOUBLES(from) _mm256_loadu_pd(from)
#define PM_STORE_DOUBLES(to, a) _mm256_storeu_pd(to, a)
#define PM_SET_DOUBLES(number) _mm256_set1_pd(number)
#define PM_ADD_DOUBLES(a, b) _mm256_add_pd(a, b)
#define PM_MULTIPLY_DOUBLES(a, b) _mm256_mul_pd(a, b)
#define PM_CONVERT_COUNTS(from, to) ((to)[0] = pm_four_doubles_avx2(from), (to)[1] = pm_four_doubles_avx2((from) + 4))

#define PM_LOOK_UP(table, at) _mm256_shuffle_epi8(table, at)
#define PM_TABLE(from) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(from)))
#define PM_LOAD_ROWS(row, apart) pm_load_rows_avx2(row, apart)
#define PM_SET_BYTES(number) _mm256_set1_epi8(number)
#define PM_ADD_BYTES(a, b) _mm256_add_epi8(a, b)
#define PM_AND(a, b) _mm256_and_si256(a, b)
#define PM_OR(a, b) _mm256_or_si256(a, b)
#define PM_MAX_BYTES(a, b) _mm256_max_epu8(a, b)
#define PM_ABOVE(a, b) _mm256_subs_epu8(a, b)
#define PM_CARD_RANKS(cards) _mm256_and_si256(_mm256_srli_epi16(cards, 2), _mm256_set1_epi8(15))
#define PM_LOW_BYTES(a, b) _mm256_unpacklo_epi8(a, b)
#define PM_HIGH_BYTES(a, b) _mm256_unpackhi_epi8(a, b)
#define PM_LOW_PAIRS(a, b) _mm256_unpacklo_epi16(a, b)
#define PM_HIGH_PAIRS(a, b) _mm256_unpackhi_epi16(a, b)
#define PM_LOW_HALF(a, b) _mm256_unpacklo_epi64(a, b)
#define PM_HIGH_HALF(a, b) _mm256_unpackhi_epi64(a, b)
#define PM_TWO_DIGITS(bytes) _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(1 | 32 << 8))
#define PM_FOUR_DIGITS(pairs) _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 | 1024 << 16))
#define PM_FIVE_DIGITS(quads, top) _mm256_add_epi32(quads, _mm256_slli_epi32(top, 20))
#define PM_STORE_KEYS(to, keys) pm_store_keys_avx2(to, keys)
#define PM_ANY(a) (!_mm256_testz_si256(a, a))
#define PM_WHICH(a) ((uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, _mm256_setzero_si256())))
