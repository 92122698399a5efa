/* Types of hands of five cards and states of fewer, as the Bayesian Poker Program classifies them.
 *
 * Two to four cards: 4 * class + draw without a pair, draw = 2 * (all of one suit) + (all within a straight); then
 * pairs by class, two pair (of four cards), three of a kind (of three or four), four of a kind. One card: its class.
 */
#ifndef POKERMODEL_HAND_TYPES_H
#define POKERMODEL_HAND_TYPES_H

#include <stdint.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/evaluation/evaluator.h"

enum { PM_STATES = 36 }; /* of four cards in the finest scheme */

typedef struct {
    uint8_t type_of_rank[PM_RANKS + 1];
    uint8_t state_of_ranks[8192]; /* without a pair: 4 * class + (all within a straight), by the mask of ranks */
    uint8_t busted_class[13];
    uint8_t pair_state[13];
    uint8_t made_state; /* the first above the pairs */
} pm_type_scheme;

static inline int pm_highest_rank(unsigned ranks)
{
    int rank = 0;
    while (ranks >>= 1)
        rank++;
    return rank;
}

/* Fill in what follows from the classes of high cards and of pairs. */
static inline void pm_type_scheme_init(pm_type_scheme *scheme, int busted, int pairs, const uint8_t pair_class[13],
                                       int wheel)
{
    for (int rank = 0; rank < 13; rank++)
        scheme->pair_state[rank] = (uint8_t)(4 * busted + pair_class[rank]);
    scheme->made_state = (uint8_t)(4 * busted + pairs);
    scheme->state_of_ranks[0] = 0;
    for (unsigned ranks = 1; ranks < 8192; ranks++) {
        int straight = wheel && (ranks & ~0x100fu) == 0;
        for (int low = 0; low < 9; low++)
            straight |= (ranks & ~(0x1fu << low)) == 0;
        scheme->state_of_ranks[ranks] = (uint8_t)(4 * scheme->busted_class[pm_highest_rank(ranks)] + straight);
    }
}

/* The state of one to five different cards; that of five is their type. */
static inline int pm_hand_state(const pm_type_scheme *scheme, const pm_evaluator *e, const uint8_t *cards, int n)
{
    unsigned once = 0, twice = 0, thrice = 0, four = 0, suit = (unsigned)cards[0] & 3, other = 0;
    if (n == 5) {
        pm_hand hand = pm_hand_empty();
        for (int k = 0; k < 5; k++)
            hand = pm_hand_add(e, hand, cards[k]);
        return scheme->type_of_rank[pm_hand_rank(e, hand)];
    }
    if (n == 1)
        return scheme->busted_class[cards[0] >> 2];
    for (int k = 0; k < n; k++) {
        unsigned bit = 1u << (cards[k] >> 2);
        four |= thrice & bit;
        thrice |= twice & bit;
        twice |= once & bit;
        once |= bit;
        other |= suit ^ ((unsigned)cards[k] & 3);
    }
    if (!twice)
        return scheme->state_of_ranks[once] + (other ? 0 : 2);
    if (four)
        return scheme->made_state + 2;
    if (thrice)
        return scheme->made_state + (n == 4);
    if (twice & (twice - 1))
        return scheme->made_state;
    return scheme->pair_state[pm_lowest_bit(twice)];
}

#endif
