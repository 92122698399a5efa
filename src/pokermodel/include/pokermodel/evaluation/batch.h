/* Ranks of many hands, each a row of card indices. */
#ifndef POKERMODEL_BATCH_H
#define POKERMODEL_BATCH_H

#include <stddef.h>

#include "pokermodel/evaluation/evaluator.h"

/* Rank `n` rows of `width` cards, 5 to 7. Returns the index of the first row that is not so many different cards, or
 * -1. */
typedef ptrdiff_t (*pm_rank_rows)(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                  uint16_t *ranks);

static inline unsigned pm_rank_row(const pm_evaluator *e, const uint8_t *row, int width)
{
    pm_hand hand = pm_hand_empty();
    for (int k = 0; k < width; k++)
        hand = pm_hand_add(e, hand, row[k]);
    return pm_hand_rank(e, hand);
}

/* Rank rows one by one. Only the 3% with a flush need the ranks by suit. */
#define PM_RANK_ROWS(width)                                                                                           \
    for (ptrdiff_t row = 0; row < n; row++, cards += (width)) {                                                       \
        uint64_t key = pm_hand_empty().key, seen = 0;                                                                 \
        unsigned wrong = 0;                                                                                           \
        for (int k = 0; k < (width); k++) {                                                                           \
            unsigned card = cards[k] < PM_CARDS ? cards[k] : 0;                                                       \
            wrong |= card ^ cards[k];                                                                                 \
            key += e->card[card].key;                                                                                 \
            seen |= (uint64_t)1 << card;                                                                              \
        }                                                                                                             \
        if (wrong || pm_count_cards(seen) != (width))                                                                 \
            return row;                                                                                               \
        if (key & PM_FLUSH_BITS) {                                                                                    \
            ranks[row] = (uint16_t)pm_rank_row(e, cards, (width));                                                    \
        } else {                                                                                                      \
            pm_hand hand = {key, 0};                                                                                  \
            ranks[row] = (uint16_t)pm_hand_rank_no_flush(e, hand);                                                    \
        }                                                                                                             \
    }                                                                                                                 \
    return -1;

static inline ptrdiff_t pm_rank_row_by_row(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                           uint16_t *ranks)
{
    if (width == 7) {
        PM_RANK_ROWS(7)
    }
    if (width == 6) {
        PM_RANK_ROWS(6)
    }
    PM_RANK_ROWS(5)
}

#undef PM_RANK_ROWS

#endif
