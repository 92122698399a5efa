/* Sums by key: how often each counter of each player went up, as hands are counted one after the other. */
#ifndef POKERMODEL_KEY_SUMS_H
#define POKERMODEL_KEY_SUMS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Open addressing; no key is negative. */
typedef struct {
    int64_t *keys, *counts; /* of an empty place the key is -1 */
    uint64_t mask;          /* places but one */
    int64_t used;
} pm_key_sums;

/* Make room for 2^bits keys; 0 if there is no memory. */
static inline int pm_sums_init(pm_key_sums *t, int bits)
{
    const size_t places = (size_t)1 << bits;
    t->keys = (int64_t *)malloc(places * sizeof(int64_t));
    t->counts = (int64_t *)calloc(places, sizeof(int64_t));
    t->mask = places - 1;
    t->used = 0;
    if (!t->keys || !t->counts) {
        free(t->keys);
        free(t->counts);
        t->keys = t->counts = NULL;
        return 0;
    }
    memset(t->keys, 0xff, places * sizeof(int64_t));
    return 1;
}

static inline void pm_sums_free(pm_key_sums *t)
{
    free(t->keys);
    free(t->counts);
    t->keys = t->counts = NULL;
}

/* The place of a key, or the empty one where it goes. */
static inline uint64_t pm_sums_place(const pm_key_sums *t, int64_t key)
{
    const uint64_t mixed = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15); /* Knuth's multiplicative hashing */
    uint64_t place = (mixed >> 20) & t->mask;
    while (t->keys[place] != key && t->keys[place] >= 0)
        place = (place + 1) & t->mask;
    return place;
}

/* See to it that so many more keys have room; 0 if there is no memory, and then nothing is changed. */
static inline int pm_sums_reserve(pm_key_sums *t, int64_t more)
{
    pm_key_sums larger;
    int bits = 1;
    if (2 * (uint64_t)(t->used + more) <= t->mask)
        return 1;
    while (4 * (uint64_t)(t->used + more) > (uint64_t)1 << bits)
        bits++;
    if (!pm_sums_init(&larger, bits))
        return 0;
    for (uint64_t k = 0; k <= t->mask; k++)
        if (t->keys[k] >= 0) {
            const uint64_t place = pm_sums_place(&larger, t->keys[k]);
            larger.keys[place] = t->keys[k];
            larger.counts[place] = t->counts[k];
        }
    larger.used = t->used;
    pm_sums_free(t);
    *t = larger;
    return 1;
}

/* Add to the sum of a key, for which there must be room. */
static inline void pm_sums_add(pm_key_sums *t, int64_t key, int64_t count)
{
    const uint64_t place = pm_sums_place(t, key);
    if (t->keys[place] < 0) {
        t->keys[place] = key;
        t->used++;
    }
    t->counts[place] += count;
}

/* All keys and their sums, in no order. */
static inline void pm_sums_take(const pm_key_sums *t, int64_t *keys, int64_t *counts)
{
    int64_t n = 0;
    for (uint64_t k = 0; k <= t->mask; k++)
        if (t->keys[k] >= 0) {
            keys[n] = t->keys[k];
            counts[n++] = t->counts[k];
        }
}

#endif
