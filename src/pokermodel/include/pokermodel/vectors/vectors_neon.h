/* Vectors of 16 bytes, which every AArch64 has. What each macro stands for is said in kernels_template.h. */
#define PM_LEVEL neon
#define PM_KERNEL static inline

static inline float64x2_t pm_two_doubles_neon(uint32x2_t numbers) { return vcvtq_f64_u64(vmovl_u32(numbers)); }

static inline void pm_convert_counts_neon(const uint16_t *from, float64x2_t to[4])
{
    uint16x8_t counts = vld1q_u16(from);
    uint32x4_t low = vmovl_u16(vget_low_u16(counts)), high = vmovl_u16(vget_high_u16(counts));
    to[0] = pm_two_doubles_neon(vget_low_u32(low));
    to[1] = pm_two_doubles_neon(vget_high_u32(low));
    to[2] = pm_two_doubles_neon(vget_low_u32(high));
    to[3] = pm_two_doubles_neon(vget_high_u32(high));
}

static inline uint8x16_t pm_low_pairs_neon(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

static inline uint8x16_t pm_high_pairs_neon(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

static inline uint8x16_t pm_two_digits_neon(uint8x16_t bytes)
{
    uint16x8_t both = vreinterpretq_u16_u8(bytes);
    return vreinterpretq_u8_u16(vmlaq_n_u16(vandq_u16(both, vdupq_n_u16(255)), vshrq_n_u16(both, 8), 32));
}

static inline uint8x16_t pm_four_digits_neon(uint8x16_t pairs)
{
    uint32x4_t both = vreinterpretq_u32_u8(pairs);
    return vreinterpretq_u8_u32(vmlaq_n_u32(vandq_u32(both, vdupq_n_u32(65535)), vshrq_n_u32(both, 16), 1024));
}

static inline uint8x16_t pm_five_digits_neon(uint8x16_t quads, uint8x16_t top)
{
    uint32x4_t shifted = vshlq_n_u32(vreinterpretq_u32_u8(top), 20);
    return vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(quads), shifted));
}

static inline uint32_t pm_which_neon(uint8x16_t a)
{
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vtstq_u8(a, a), vld1q_u8(bit));
    return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#define PM_BYTES uint8x16_t
#define PM_BYTES_SIZE 16
#define PM_COUNTERS 2
#define PM_LOAD_BYTES(from) vld1q_u8((const uint8_t *)(from))
#define PM_ZERO_BYTES() vdupq_n_u8(0)
#define PM_COUNT_GREATER(counter, a, b) \
    vsubq_u8(counter, vcgtq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
#define PM_COUNT_EQUAL(counter, a, b) vsubq_u8(counter, vceqq_u8(a, b))
#define PM_SUM_COUNTERS(one, two) \
    ((uint64_t)vaddlvq_u8((one)[0]) + vaddlvq_u8((one)[1]) + \
     ((uint64_t)((uint32_t)vaddlvq_u8((two)[0]) + vaddlvq_u8((two)[1])) << 32))

#define PM_DOUBLES float64x2_t
#define PM_DOUBLES_SIZE 2
#define PM_LOAD_DOUBLES(from) vld1q_f64(from)
#define PM_STORE_DOUBLES(to, a) vst1q_f64(to, a)
#define PM_SET_DOUBLES(number) vdupq_n_f64(number)
#define PM_ADD_DOUBLES(a, b) vaddq_f64(a, b)
#define PM_MULTIPLY_DOUBLES(a, b) vmulq_f64(a, b)
#define PM_CONVERT_COUNTS(from, to) pm_convert_counts_neon(from, to)

#define PM_LOOK_UP(table, at) vqtbl1q_u8(table, at)
#define PM_TABLE(from) vld1q_u8(from)
#define PM_LOAD_ROWS(row, apart) vcombine_u8(vld1_u8(row), vld1_u8((row) + (apart)))
#define PM_SET_BYTES(number) vdupq_n_u8(number)
#define PM_ADD_BYTES(a, b) vaddq_u8(a, b)
#define PM_AND(a, b) vandq_u8(a, b)
#define PM_OR(a, b) vorrq_u8(a, b)
#define PM_MAX_BYTES(a, b) vmaxq_u8(a, b)
#define PM_ABOVE(a, b) vqsubq_u8(a, b)
#define PM_CARD_RANKS(cards) vshrq_n_u8(cards, 2)
#define PM_LOW_BYTES(a, b) vzip1q_u8(a, b)
#define PM_HIGH_BYTES(a, b) vzip2q_u8(a, b)
#define PM_LOW_PAIRS(a, b) pm_low_pairs_neon(a, b)
#define PM_HIGH_PAIRS(a, b) pm_high_pairs_neon(a, b)
#define PM_LOW_HALF(a, b) vcombine_u8(vget_low_u8(a), vget_low_u8(b))
#define PM_HIGH_HALF(a, b) vcombine_u8(vget_high_u8(a), vget_high_u8(b))
#define PM_TWO_DIGITS(bytes) pm_two_digits_neon(bytes)
#define PM_FOUR_DIGITS(pairs) pm_four_digits_neon(pairs)
#define PM_FIVE_DIGITS(quads, top) pm_five_digits_neon(quads, top)
#define PM_STORE_KEYS(to, keys) vst1q_u32(to, vreinterpretq_u32_u8(keys))
#define PM_ANY(a) (vmaxvq_u8(a) != 0)
#define PM_WHICH(a) pm_which_neon(a)
