/* The shortest text that is read as the same float64, as Python's repr writes it: probabilities in JSON are most of it.
 *
 * Adams (2018), "Ryu: fast float-to-string conversion", section 2, without its tables of powers. A float is m * 2^e, and
 * all that is nearer to it than to its neighbours lies within half a step of m. Brought to 18 digits or more by 10^k,
 * with k up to 27, that interval and the float itself are whole numbers of 119 bits over a power of two: exact in two
 * words. Digits are taken off for as long as the interval has a shorter number. What is smaller than 2^-33 or larger
 * than 10^16 is left to the caller, and so are infinity and what is no number: too rare for a table.
 */
#ifndef POKERMODEL_FLOATS_H
#define POKERMODEL_FLOATS_H

#include <stdint.h>
#include <string.h>

#define PM_FLOAT_TEXT 32 /* bytes that suffice for a text */
#define PM_FLOAT_FIVES 28
#define PM_FLOAT_LEAST (1.0 / 8589934592.0) /* 2^-33: with what is smaller, 5^k has more than a word */

static const uint64_t pm_fives[PM_FLOAT_FIVES] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* The product of two words by 2^-s, rounded down, where that fits a word; s from 1 to 127. Says whether it is exact. */
static inline uint64_t pm_scaled_product(uint64_t a, uint64_t b, int s, int *exact)
{
    const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    const uint64_t corner = a_low * b_low, one = a_high * b_low + (corner >> 32);
    const uint64_t other = a_low * b_high + (uint32_t)one;
    const uint64_t high = a_high * b_high + (one >> 32) + (other >> 32), low = other << 32 | (uint32_t)corner;
    if (s >= 64) {
        *exact = !low && !(high & ((UINT64_C(1) << (s - 64)) - 1));
        return high >> (s - 64);
    }
    *exact = !(low & ((UINT64_C(1) << s) - 1));
    return low >> s | high << (64 - s);
}

/* Digits of a number, the last one before `end`; returns where they begin. */
static inline char *pm_digits_before(char *end, uint64_t number)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return end;
}

/* Write a float of 2^-33 to 10^16, or 0, of either sign; returns how many bytes it has, or 0 for another one. */
static inline int pm_float_text(double value, char *out)
{
    char digits[24], *first, *to = out;
    uint64_t bits, m, low, high, number;
    int e, k, s, n, point, even, low_exact, exact, high_exact, last = 0;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) {
        *to++ = '-';
        bits &= ~(UINT64_C(1) << 63);
        value = -value;
    }
    if (value < 1e16 && value == (double)(int64_t)value) { /* whole numbers, zero among them */
        first = pm_digits_before(digits + sizeof digits, (uint64_t)value);
        n = (int)(digits + sizeof digits - first);
        memcpy(to, first, (size_t)n);
        memcpy(to + n, ".0", 2);
        return (int)(to - out) + n + 2;
    }
    if (!(value >= PM_FLOAT_LEAST && value < 1e16))
        return 0;
    m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    e = (int)(bits >> 52) - 1075;
    even = !(m & 1);
    /* 18 digits before the point, of which the last is to round by: log10(2) is 0.30103, and m has 53 bits */
    k = 17 - ((e + 52) * 30103 - (e + 52 < 0 ? 99999 : 0)) / 100000;
    s = 2 - e - k;
    low = pm_scaled_product(4 * m - 1 - (m != UINT64_C(1) << 52), pm_fives[k], s, &low_exact);
    number = pm_scaled_product(4 * m, pm_fives[k], s, &exact);
    high = pm_scaled_product(4 * m + 2, pm_fives[k], s, &high_exact);
    low_exact &= even; /* of neighbours at the same distance, the even one is read */
    if (!even)
        high -= (uint64_t)high_exact;
    point = -k;
    while (high / 10 > low / 10) {
        low_exact &= low % 10 == 0;
        exact &= last == 0;
        last = (int)(number % 10);
        number /= 10, low /= 10, high /= 10;
        point++;
    }
    while (low_exact && low % 10 == 0) {
        exact &= last == 0;
        last = (int)(number % 10);
        number /= 10, low /= 10;
        point++;
    }
    if (exact && last == 5 && number % 2 == 0)
        last = 4; /* in the middle between two texts: the even one */
    number += (number == low && !low_exact) || last >= 5;
    while (number % 10 == 0) {
        number /= 10;
        point++;
    }
    first = pm_digits_before(digits + sizeof digits, number);
    n = (int)(digits + sizeof digits - first);
    point += n; /* digits before the point */
    if (point > 0) {
        memcpy(to, first, (size_t)point);
        to += point;
        *to++ = '.';
        memcpy(to, first + point, (size_t)(n - point));
        return (int)(to - out) + n - point;
    }
    if (point > -4) {
        memcpy(to, "0.000", 5);
        to += 2 - point;
        memcpy(to, first, (size_t)n);
        return (int)(to - out) + n;
    }
    *to++ = *first;
    if (n > 1) {
        *to++ = '.';
        memcpy(to, first + 1, (size_t)(n - 1));
        to += n - 1;
    }
    memcpy(to, "e-", 2);
    to[2] = (char)('0' + (1 - point) / 10);
    to[3] = (char)('0' + (1 - point) % 10);
    return (int)(to - out) + 4;
}

#endif
