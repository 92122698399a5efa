/* Vectors of 16 bytes, which every x86-64 has. What each macro stands for is said in kernels_template.h. */
#define PM_LEVEL sse2
#define PM_KERNEL static inline

static inline uint64_t pm_sum_counters_sse2(const __m128i one[2], const __m128i two[2])
{
    const __m128i zero = _mm_setzero_si128();
    __m128i low = _mm_sad_epu8(_mm_add_epi8(one[0], one[1]), zero);
    __m128i high = _mm_sad_epu8(_mm_add_epi8(two[0], two[1]), zero);
    __m128i sums = _mm_add_epi64(low, _mm_slli_epi64(high, 32));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums)));
}

/* A number below 2^52 in the lowest bits of the double 2^52 is that much more. */
static inline void pm_convert_counts_sse2(const uint16_t *from, __m128d to[4])
{
    const __m128i zero = _mm_setzero_si128(), offset = _mm_set1_epi32(0x43300000);
    const __m128d base = _mm_set1_pd(4503599627370496.0);
    __m128i counts = _mm_loadu_si128((const __m128i *)from);
    __m128i low = _mm_unpacklo_epi16(counts, zero), high = _mm_unpackhi_epi16(counts, zero);
    to[0] = _mm_sub_pd(_mm_castsi128_pd(_mm_unpacklo_epi32(low, offset)), base);
    to[1] = _mm_sub_pd(_mm_castsi128_pd(_mm_unpackhi_epi32(low, offset)), base);
    to[2] = _mm_sub_pd(_mm_castsi128_pd(_mm_unpacklo_epi32(high, offset)), base);
    to[3] = _mm_sub_pd(_mm_castsi128_pd(_mm_unpackhi_epi32(high, offset)), base);
}

#define PM_BYTES __m128i
#define PM_BYTES_SIZE 16
#define PM_COUNTERS 2
#define PM_LOAD_BYTES(from) _mm_load_si128((const __m128i *)(from))
#define PM_ZERO_BYTES() _mm_setzero_si128()
#define PM_COUNT_GREATER(counter, a, b) _mm_sub_epi8(counter, _mm_cmpgt_epi8(a, b))
#define PM_COUNT_EQUAL(counter, a, b) _mm_sub_epi8(counter, _mm_cmpeq_epi8(a, b))
#define PM_SUM_COUNTERS(one, two) pm_sum_counters_sse2(one, two)

#define PM_DOUBLES __m128d
#define PM_DOUBLES_SIZE 2
#define PM_LOAD_DOUBLES(from) _mm_loadu_pd(from)
#define PM_STORE_DOUBLES(to, a) _mm_storeu_pd(to, a)
#define PM_SET_DOUBLES(number) _mm_set1_pd(number)
#define PM_ADD_DOUBLES(a, b) _mm_add_pd(a, b)
#define PM_MULTIPLY_DOUBLES(a, b) _mm_mul_pd(a, b)
#define PM_CONVERT_COUNTS(from, to) pm_convert_counts_sse2(from, to)
