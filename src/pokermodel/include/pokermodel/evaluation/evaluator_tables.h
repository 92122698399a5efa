/* Fills a pm_evaluator. Only the module that owns the tables includes this header. */
#ifndef POKERMODEL_EVALUATOR_TABLES_H
#define POKERMODEL_EVALUATOR_TABLES_H

#include <stdlib.h>
#include <string.h>

#include "pokermodel/evaluation/evaluator.h"
#define PM_HASH_OFFSETS_WANTED
#include "pokermodel/evaluation/evaluator_hash.h"

/* A made hand as a number that can be compared: category, the ranks that make it, kickers (rank masks). */
static inline uint32_t pm_code(int category, uint32_t made, uint32_t kickers)
{
    return (uint32_t)category << 26 | made << 13 | kickers;
}

static inline int pm_top_bit(uint32_t mask)
{
    int bit = mask ? 0 : -1;
    for (int step = 8; step; step >>= 1) /* of 14 bits at most */
        if (mask >> step) {
            mask >>= step;
            bit += step;
        }
    return bit;
}

/* The n highest ranks of a mask. */
static inline uint32_t pm_top_ranks(uint32_t mask, int n)
{
    uint32_t top = 0;
    for (; n > 0 && mask; n--) {
        uint32_t bit = 1u << pm_top_bit(mask);
        top |= bit;
        mask ^= bit;
    }
    return top;
}

/* Highest card of the best straight among these ranks, or -1; the ace is also low. */
static inline int pm_straight_top(uint32_t mask)
{
    uint32_t with_low_ace = mask << 1 | mask >> 12;
    uint32_t run = with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4;
    return run ? pm_top_bit(run) + 3 : -1;
}

static inline uint32_t pm_code_of_suit(uint32_t mask)
{
    int top = pm_straight_top(mask);
    return top >= 0 ? pm_code(8, 1u << top, 0) : pm_code(5, pm_top_ranks(mask, 5), 0);
}

/* Of the ranks that are held at least 0 to 4 times, the first of which says nothing. */
static inline uint32_t pm_code_of_ranks(const uint32_t at_least[5])
{
    int top = pm_straight_top(at_least[1]);
    if (at_least[4]) {
        uint32_t quads = pm_top_ranks(at_least[4], 1);
        return pm_code(7, quads, pm_top_ranks(at_least[1] & ~quads, 1));
    }
    if (at_least[3]) {
        uint32_t trips = pm_top_ranks(at_least[3], 1), pairs = at_least[2] & ~trips;
        if (pairs)
            return pm_code(6, trips, pm_top_ranks(pairs, 1));
        if (top < 0)
            return pm_code(3, trips, pm_top_ranks(at_least[1] & ~trips, 2));
    }
    if (top >= 0)
        return pm_code(4, 1u << top, 0);
    if (at_least[2]) {
        uint32_t pairs = pm_top_ranks(at_least[2], 2);
        int two = (pairs & (pairs - 1)) != 0;
        return pm_code(two ? 2 : 1, pairs, pm_top_ranks(at_least[1] & ~pairs, two ? 1 : 3));
    }
    return pm_code(0, 0, pm_top_ranks(at_least[1], 5));
}

typedef void (*pm_multiset_visitor)(const uint32_t at_least[5], uint32_t key, void *context);

static inline void pm_visit_multisets(const uint32_t before[5], int rank, int left, uint32_t key,
                                      pm_multiset_visitor visit, void *context)
{
    static const uint32_t keys[13] = PM_RANK_KEYS;
    uint32_t at_least[5];
    if (left == 0) {
        visit(before, key, context);
        return;
    }
    if (left > 4 * (13 - rank))
        return;
    memcpy(at_least, before, sizeof at_least);
    for (int n = 0; n <= 4 && n <= left; n++) {
        at_least[n] |= 1u << rank;
        pm_visit_multisets(at_least, rank + 1, left - n, key + (uint32_t)n * keys[rank], visit, context);
    }
}

typedef struct {
    pm_evaluator *evaluator;
    uint32_t code[PM_RANKS];
    int codes;
} pm_table_builder;

static inline void pm_collect_code(const uint32_t at_least[5], uint32_t key, void *context)
{
    pm_table_builder *builder = (pm_table_builder *)context;
    (void)key;
    builder->code[builder->codes++] = pm_code_of_ranks(at_least);
}

static inline int pm_compare_codes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline uint16_t pm_rank_of_code(const pm_table_builder *builder, uint32_t code)
{
    int low = 0, high = PM_RANKS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (builder->code[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint16_t)(low + 1);
}

static inline void pm_store_rank(const uint32_t at_least[5], uint32_t key, void *context)
{
    const pm_table_builder *builder = (const pm_table_builder *)context;
    pm_evaluator *e = builder->evaluator;
    e->rank[(key >> PM_HASH_ROW_BITS) + e->offset[key & (PM_HASH_ROWS - 1)]] =
        pm_rank_of_code(builder, pm_code_of_ranks(at_least));
}

static inline void pm_evaluator_init(pm_evaluator *e)
{
    static const uint32_t keys[13] = PM_RANK_KEYS;
    const uint32_t none[5] = {0};
    pm_table_builder builder;

    memset(e, 0, sizeof *e);
    memcpy(e->offset, PM_HASH_OFFSETS, sizeof e->offset);
    for (int card = 0; card < PM_CARDS; card++) {
        e->card[card].key = keys[pm_card_rank(card)] + (1ULL << (32 + 4 * pm_card_suit(card)));
        e->card[card].suits = 1ULL << (16 * pm_card_suit(card) + pm_card_rank(card));
    }

    /* the 7,462 strengths are those of five cards: 6,175 multisets of ranks and 1,287 flushes */
    builder.evaluator = e;
    builder.codes = 0;
    pm_visit_multisets(none, 0, 5, 0, pm_collect_code, &builder);
    for (uint32_t mask = 0; mask < 8192; mask++)
        if (mask == pm_top_ranks(mask, 5) && mask != pm_top_ranks(mask, 4))
            builder.code[builder.codes++] = pm_code_of_suit(mask);
    qsort(builder.code, PM_RANKS, sizeof builder.code[0], pm_compare_codes);

    for (int cards = 5; cards <= 7; cards++)
        pm_visit_multisets(none, 0, cards, 0, pm_store_rank, &builder);
    for (uint32_t mask = 0; mask < 8192; mask++)
        if (mask != pm_top_ranks(mask, 4)) /* five ranks or more */
            e->flush[mask] = pm_rank_of_code(&builder, pm_code_of_suit(mask));
}

#endif
