/* Hands of five to seven cards as an integer rank, 1..7462, stronger hands higher.
 *
 * A hand is two words that grow by addition, card by card:
 *   key   low half:  sum of the rank keys, unique for every multiset of 5 to 7 ranks
 *         high half: four 4-bit counters, one a suit, which start at 3 so that bit 3 says "five or more"
 *   suits four 16-bit masks of the ranks held in each suit
 * The rank is one look-up in a table packed by row displacement, or, for the 3% of hands with a flush, one in
 * the table of 13-bit masks. Flush and full house exclude each other up to seven cards.
 */
#ifndef POKERMODEL_EVALUATOR_H
#define POKERMODEL_EVALUATOR_H

#include <stdint.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/evaluation/evaluator_hash.h"

#define PM_RANKS 7462 /* distinct strengths; 0 stands for no hand */
#define PM_FLUSH_BITS 0x888800000000ULL

typedef struct {
    uint64_t key;
    uint64_t suits;
} pm_hand;

typedef struct {
    pm_hand card[PM_CARDS];
    uint32_t offset[PM_HASH_ROWS];
    uint16_t flush[8192];
    uint16_t rank[PM_HASH_SIZE];
} pm_evaluator;

/* The lowest rank of each category, high card to straight flush. */
static const uint16_t PM_CATEGORY_START[10] = {1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453, 7463};

static inline pm_hand pm_hand_empty(void)
{
    pm_hand hand = {0x333300000000ULL, 0};
    return hand;
}

static inline pm_hand pm_hand_join(pm_hand hand, pm_hand other)
{
    hand.key += other.key;
    hand.suits |= other.suits;
    return hand;
}

static inline pm_hand pm_hand_add(const pm_evaluator *e, pm_hand hand, int card)
{
    return pm_hand_join(hand, e->card[card]);
}

/* Rank by the ranks alone, for hands known to hold no flush. */
static inline unsigned pm_hand_rank_no_flush(const pm_evaluator *e, pm_hand hand)
{
    uint32_t key = (uint32_t)hand.key;
    return e->rank[(key >> PM_HASH_ROW_BITS) + e->offset[key & (PM_HASH_ROWS - 1)]];
}

static inline unsigned pm_hand_rank_flush(const pm_evaluator *e, pm_hand hand)
{
    uint64_t full = hand.key & PM_FLUSH_BITS;
    unsigned suit = (full >> 35) & 1 ? 0 : (full >> 39) & 1 ? 1 : (full >> 43) & 1 ? 2 : 3;
    return e->flush[(hand.suits >> (16 * suit)) & 0x1fff];
}

/* Rank of five to seven different cards. */
static inline unsigned pm_hand_rank(const pm_evaluator *e, pm_hand hand)
{
    if (hand.key & PM_FLUSH_BITS)
        return pm_hand_rank_flush(e, hand);
    return pm_hand_rank_no_flush(e, hand);
}

/* Category of a rank: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush, 6 full house,
 * 7 four of a kind, 8 straight flush. */
static inline int pm_rank_category(unsigned rank)
{
    int category = 0;
    for (int k = 1; k < 9; k++) /* without a jump that nobody foresees */
        category += rank >= PM_CATEGORY_START[k];
    return category;
}

#endif
