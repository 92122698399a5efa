/* Rows of a table by key, in the order in which keys came: a hash table that only grows. Keys are 0 or more. */
#ifndef POKERMODEL_KEY_ROWS_H
#define POKERMODEL_KEY_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t *key;  /* of each row */
    int32_t *slot; /* the hash table: rows, or -1 */
    int slot_bits; /* it has 1 << slot_bits, or none before the first row */
    int32_t rows, room;
} pm_key_rows;

static inline void pm_key_rows_free(pm_key_rows *k)
{
    free(k->key);
    free(k->slot);
}

/* The slot of a key: where it is, or where it would go. */
static inline size_t pm_key_rows_slot(const pm_key_rows *k, int64_t key)
{
    const size_t mask = ((size_t)1 << k->slot_bits) - 1;
    size_t at = (size_t)(((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - k->slot_bits));
    while (k->slot[at] >= 0 && k->key[k->slot[at]] != key)
        at = (at + 1) & mask;
    return at;
}

/* The row of a key, -1 if there is none. */
static inline int32_t pm_key_rows_find(const pm_key_rows *k, int64_t key)
{
    return k->slot ? k->slot[pm_key_rows_slot(k, key)] : -1;
}

/* The same, a new one if there is none; -1 if there is no memory. */
static inline int32_t pm_key_rows_make(pm_key_rows *k, int64_t key)
{
    size_t at;
    if (!k->slot || 2 * (int64_t)k->rows >= (int64_t)1 << k->slot_bits) {
        const int bits = k->slot ? k->slot_bits + 1 : 6;
        int32_t *before = k->slot, *slot = (int32_t *)malloc(((size_t)1 << bits) * sizeof *slot);
        if (!slot)
            return -1;
        memset(slot, 0xff, ((size_t)1 << bits) * sizeof *slot); /* -1 */
        k->slot = slot;
        k->slot_bits = bits;
        for (int32_t row = 0; row < k->rows; row++)
            slot[pm_key_rows_slot(k, k->key[row])] = row;
        free(before);
    }
    at = pm_key_rows_slot(k, key);
    if (k->slot[at] >= 0)
        return k->slot[at];
    if (k->rows == k->room) {
        const int32_t room = k->room ? 2 * k->room : 32;
        int64_t *keys = (int64_t *)realloc(k->key, (size_t)room * sizeof *keys);
        if (!keys)
            return -1;
        k->key = keys;
        k->room = room;
    }
    k->key[k->rows] = key;
    return k->slot[at] = k->rows++;
}

#endif
