/* Random numbers for dealing and playouts: xoshiro256** (Blackman and Vigna 2021), period 2^256 - 1.
 *
 * The four words of the state come from Python (numpy.random.SeedSequence), one set for each chunk of work, so
 * that a result depends on the seed and not on the number of threads.
 */
#ifndef POKERMODEL_RANDOM_H
#define POKERMODEL_RANDOM_H

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} pm_random;

/* Start a stream. Four zero words, which the generator would never leave, are replaced by another state. */
static inline void pm_random_seed(pm_random *random, const uint64_t words[4])
{
    for (int k = 0; k < 4; k++)
        random->s[k] = words[k];
    if (!(words[0] | words[1] | words[2] | words[3]))
        random->s[0] = 0x9e3779b97f4a7c15ULL;
}

static inline uint64_t pm_rotate_left(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

/* 64 random bits. */
static inline uint64_t pm_random_next(pm_random *random)
{
    uint64_t *s = random->s;
    uint64_t result = pm_rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = pm_rotate_left(s[3], 45);
    return result;
}

/* An integer 0..n-1, n >= 1, uniformly distributed, from 32 random bits: multiply, and replace the few surplus draws
 * (Lemire 2019). */
static inline uint32_t pm_random_scale(pm_random *random, uint32_t n, uint32_t bits)
{
    uint64_t product = (uint64_t)bits * n;
    if ((uint32_t)product < n) {
        uint32_t surplus = (0u - n) % n;
        while ((uint32_t)product < surplus)
            product = (pm_random_next(random) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

static inline uint32_t pm_random_below(pm_random *random, uint32_t n)
{
    return pm_random_scale(random, n, (uint32_t)(pm_random_next(random) >> 32));
}

/* The stream of a key with a certain number, so that what it draws needs nothing that came before. SplitMix64 fills the
 * four words, as Blackman and Vigna advise. */
static inline pm_random pm_random_numbered(uint64_t key, uint64_t number)
{
    pm_random random;
    uint64_t words[4], start = 0;
    for (int k = -1; k < 4; k++) {
        uint64_t x = k < 0 ? key + UINT64_C(0x9e3779b97f4a7c15) * (number + 1)
                           : start + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(k + 1);
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
        if (k < 0)
            start = x;
        else
            words[k] = x;
    }
    pm_random_seed(&random, words);
    return random;
}

/* A multiple of 2^-53 in [0, 1). */
static inline double pm_random_double(pm_random *random)
{
    return (double)(pm_random_next(random) >> 11) * (1.0 / 9007199254740992.0);
}

#endif
