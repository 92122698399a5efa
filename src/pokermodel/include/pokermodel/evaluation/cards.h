/* Cards and holdings as integers. Card: 4*rank + suit, deuce = 0, suits cdhs. */
#ifndef POKERMODEL_CARDS_H
#define POKERMODEL_CARDS_H

#include <stdint.h>

enum { PM_CARDS = 52, PM_HOLDINGS = 1326, PM_CLASSES = 169 };
enum { PM_SEATS = 23 }; /* most players of a game: 2 * 23 + 5 <= 52 */

static inline int pm_card_rank(int card) { return card >> 2; }

static inline int pm_card_suit(int card) { return card & 3; }

/* Index of a holding from its two cards, in any order. */
static inline int pm_holding(int a, int b)
{
    return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

/* Index of the hand class: 13*row + col, ace first, suited above the diagonal. */
static inline int pm_holding_class(int a, int b)
{
    int i = 12 - (a >> 2), j = 12 - (b >> 2);
    int high = i < j ? i : j, low = i < j ? j : i;
    return (a & 3) == (b & 3) ? 13 * high + low : 13 * low + high;
}

/* Number of cards in a set of cards. Plain C: wheels must run on processors without popcnt. */
static inline int pm_count_cards(uint64_t cards)
{
    cards -= (cards >> 1) & 0x5555555555555555ULL;
    cards = (cards & 0x3333333333333333ULL) + ((cards >> 2) & 0x3333333333333333ULL);
    cards = (cards + (cards >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((cards * 0x0101010101010101ULL) >> 56);
}

/* Whether `n` bytes are different cards. */
static inline int pm_different_cards(const uint8_t *cards, int n)
{
    uint64_t seen = 0;
    unsigned all = 0;
    for (int k = 0; k < n; k++) {
        seen |= (uint64_t)1 << (cards[k] & 63);
        all |= cards[k];
    }
    return all < 64 && seen >> PM_CARDS == 0 && pm_count_cards(seen) == n;
}

/* Position of the lowest bit that is set; `bits` must not be 0. */
static inline int pm_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(bits);
#else
    return pm_count_cards((bits & (0 - bits)) - 1);
#endif
}

#endif
