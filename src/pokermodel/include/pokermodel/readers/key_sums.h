/* Sums by key: how often each counter of each player went up, as hands are counted one after the other. */
#ifndef POKERMODEL_KEY_SUMS_H
#define POKERMODEL_KEY_SUMS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t key, sum; /* of an empty place the key is -1 */
} pm_key_sum;

/* Open addressing; no key is negative. */
typedef struct {
    pm_key_sum *places;
    uint64_t mask; /* places but one */
    int64_t used;
} pm_key_sums;

/* Make room for 2^bits keys; 0 if there is no memory. */
static inline int pm_sums_init(pm_key_sums *t, int bits)
{
    const size_t places = (size_t)1 << bits;
    t->places = (pm_key_sum *)malloc(places * sizeof(pm_key_sum));
    t->mask = places - 1;
    t->used = 0;
    if (t->places)
        memset(t->places, 0xff, places * sizeof(pm_key_sum));
    return t->places != NULL;
}

static inline void pm_sums_free(pm_key_sums *t)
{
    free(t->places);
    t->places = NULL;
}

/* The place of a key, or the empty one where it goes. Keys that differ in the last three bits stand together. */
static inline pm_key_sum *pm_sums_place(const pm_key_sums *t, int64_t key)
{
    const uint64_t mixed = (uint64_t)(key >> 3) * UINT64_C(0x9E3779B97F4A7C15); /* Knuth's multiplicative hashing */
    uint64_t place = (mixed >> 32 << 3 | (uint64_t)(key & 7)) & t->mask;
    while (t->places[place].key != key && t->places[place].key >= 0)
        place = (place + 1) & t->mask;
    return &t->places[place];
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
        if (t->places[k].key >= 0)
            *pm_sums_place(&larger, t->places[k].key) = t->places[k];
    larger.used = t->used;
    pm_sums_free(t);
    *t = larger;
    return 1;
}

/* Add to the sum of a key, for which there must be room. */
static inline void pm_sums_add(pm_key_sums *t, int64_t key, int64_t more)
{
    pm_key_sum *place = pm_sums_place(t, key);
    if (place->key < 0) {
        place->key = key;
        place->sum = 0;
        t->used++;
    }
    place->sum += more;
}

/* All keys and their sums, in no order. */
static inline void pm_sums_take(const pm_key_sums *t, int64_t *keys, int64_t *sums)
{
    int64_t n = 0;
    for (uint64_t k = 0; k <= t->mask; k++)
        if (t->places[k].key >= 0) {
            keys[n] = t->places[k].key;
            sums[n++] = t->places[k].sum;
        }
}

#endif
