/* Deals: a holding for each of several players, by their weights, and the cards that the board lacks.
 *
 * What can be dealt, and how, is settled once (`_core/dealing.pyx`); a deal then allocates nothing and takes a
 * bounded time.
 */
#ifndef POKERMODEL_DEALING_H
#define POKERMODEL_DEALING_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/alias.h"

enum { PM_BOARD = 5 };

/* From so many holdings on that are dealt from tables, two halves are quicker than one go. */
enum { PM_DEAL_HALVES = 7 };

/* Tries of a deal before it is given up. Tables that need more than a few thousand on average are dealt in
 * another way, and dead ends are far rarer than that. */
enum { PM_DEAL_TRIES = 1 << 24, PM_DEAD_ENDS = 1 << 14 };

typedef enum {
    PM_REJECT,   /* all tables at once, rejecting deals in which two holdings share a card: exact */
    PM_WEIGH,    /* one after the other in random order, with a weight that makes up for it */
    PM_IN_ORDER, /* one after the other in seat order, without (Pena 1999, 5.1.1) */
} pm_deal_method;

typedef struct {
    pm_deal_method method;
    int players, drawn, flat, board_cards;
    uint8_t drawn_player[PM_SEATS]; /* who is dealt from a table */
    uint8_t flat_player[PM_SEATS];  /* who can hold any two cards that the others leave */
    uint16_t known[PM_SEATS];       /* the holding of a player who can hold no other; otherwise 0 */
    uint64_t taken;                 /* board, dead cards and known holdings */
    uint8_t board[PM_BOARD];
    double scale;          /* for PM_WEIGH: brings weights near 1, where their squares can be summed */
    const pm_alias *table; /* by player */
} pm_dealing;

typedef struct {
    uint16_t holding[PM_SEATS];
    uint8_t board[PM_BOARD];
    double weight; /* 1, except for PM_WEIGH */
} pm_deal;

/* The cards that are not taken from the start, in any order. Dealing shuffles as much of them as it needs. */
typedef struct {
    uint8_t card[PM_CARDS];
    int size;
} pm_deck;

static inline void pm_deck_init(pm_deck *deck, uint64_t taken)
{
    deck->size = 0;
    for (int k = 0; k < PM_CARDS; k++)
        if (!(taken >> k & 1))
            deck->card[deck->size++] = (uint8_t)k;
}

/* Next card that is not taken, by 32 random bits; `at` counts the cards turned since the shuffle began. */
static inline unsigned pm_deck_next(pm_deck *deck, int *at, uint64_t taken, pm_random *random, uint32_t bits)
{
    for (;; bits = (uint32_t)(pm_random_next(random) >> 32)) {
        int other = *at + (int)pm_random_scale(random, (uint32_t)(deck->size - *at), bits);
        uint8_t card = deck->card[other];
        deck->card[other] = deck->card[*at];
        deck->card[(*at)++] = card;
        if (!(taken >> card & 1))
            return card;
    }
}

/* The holdings of those who are dealt from tables, here of some of them. Each of these functions adds their cards to
 * `taken`, and returns 0 when it came to a dead end. */
static inline int pm_try_reject(const pm_dealing *dealing, int first, int end, pm_random *random, pm_deal *deal,
                                uint64_t *taken)
{
    uint64_t gone = dealing->taken;
    for (int k = first; k < end; k++) {
        int player = dealing->drawn_player[k];
        unsigned drawn = pm_alias_draw(&dealing->table[player], random);
        if (pm_drawn_cards(drawn) & gone)
            return 0;
        gone |= pm_drawn_cards(drawn);
        deal->holding[player] = (uint16_t)drawn;
    }
    *taken = gone;
    return 1;
}

/* The same until it succeeds. Many are dealt in two halves, each by itself until it has no card twice; only then are
 * they held together, and if they share a card, both are dealt anew: the halves know nothing of each other, so that the
 * distribution is the same, and less is drawn for nothing. */
static inline int pm_deal_reject(const pm_dealing *dealing, pm_random *random, pm_deal *deal, uint64_t *taken)
{
    const int half = dealing->drawn / 2;
    uint64_t lower = 0, upper = 0;
    int begun = 0; /* whether the lower half is there */
    if (dealing->drawn < PM_DEAL_HALVES) {
        for (int tries = 0; tries < PM_DEAL_TRIES; tries++)
            if (pm_try_reject(dealing, 0, dealing->drawn, random, deal, taken))
                return 1;
        return 0;
    }
    for (int tries = 0; tries < PM_DEAL_TRIES; tries++) {
        if (!begun) {
            begun = pm_try_reject(dealing, 0, half, random, deal, &lower);
        } else if (pm_try_reject(dealing, half, dealing->drawn, random, deal, &upper)) {
            *taken = lower | upper;
            if ((lower & upper) == dealing->taken)
                return 1;
            begun = 0;
        }
    }
    return 0;
}

static inline int pm_try_in_order(const pm_dealing *dealing, pm_random *random, pm_deal *deal, uint64_t *taken)
{
    uint64_t gone = dealing->taken;
    for (int k = 0; k < dealing->drawn; k++) {
        int player = dealing->drawn_player[k];
        unsigned drawn = pm_alias_draw_apart(&dealing->table[player], random, gone);
        if (!drawn)
            return 0;
        gone |= pm_drawn_cards(drawn);
        deal->holding[player] = (uint16_t)drawn;
    }
    *taken = gone;
    return 1;
}

/* An order o and holdings h come up with probability prod w(h) / prod Z, where Z is what a player's table has
 * left at his turn: weighted by prod Z, every order gives each deal its share prod w(h). */
static inline int pm_try_weigh(const pm_dealing *dealing, pm_random *random, pm_deal *deal, uint64_t *taken)
{
    uint64_t gone = dealing->taken;
    uint8_t order[PM_SEATS];
    double weight = 1.0;
    for (int k = 0; k < dealing->drawn; k++)
        order[k] = dealing->drawn_player[k];
    for (int k = 0; k < dealing->drawn; k++) {
        int other = k + (int)pm_random_below(random, (uint32_t)(dealing->drawn - k));
        int player = order[other];
        double left = pm_alias_left(&dealing->table[player], gone);
        order[other] = order[k];
        weight *= left;
        if (!(weight > 0.0))
            return 0;
        unsigned drawn = pm_alias_pick(&dealing->table[player], random, gone, left);
        gone |= pm_drawn_cards(drawn);
        deal->holding[player] = (uint16_t)drawn;
    }
    deal->weight = weight * dealing->scale;
    *taken = gone;
    return 1;
}

static inline int pm_deal_tables(const pm_dealing *dealing, pm_random *random, pm_deal *deal, uint64_t *taken)
{
    deal->weight = 1.0;
    if (dealing->method == PM_REJECT)
        return pm_deal_reject(dealing, random, deal, taken);
    for (int tries = 0; tries < PM_DEAD_ENDS; tries++)
        if (dealing->method == PM_WEIGH ? pm_try_weigh(dealing, random, deal, taken)
                                        : pm_try_in_order(dealing, random, deal, taken))
            return 1;
    return 0;
}

/* Deal everybody's holding and the board; the deck starts without what `dealing` takes. Returns 0 when nothing came of
 * very many tries. */
static inline int pm_deal_next(const pm_dealing *dealing, pm_random *random, pm_deck *deck, pm_deal *deal)
{
    uint64_t taken = dealing->taken;
    int at = 0;
    deal->weight = 1.0;
    memcpy(deal->holding, dealing->known, sizeof deal->holding); /* fixed sizes: quicker than what is needed */
    memcpy(deal->board, dealing->board, sizeof deal->board);
    if (dealing->drawn && !pm_deal_tables(dealing, random, deal, &taken))
        return 0;
    for (int k = 0; k < dealing->flat; k++) {
        uint64_t bits = pm_random_next(random);
        unsigned a = pm_deck_next(deck, &at, taken, random, (uint32_t)(bits >> 32));
        unsigned b = pm_deck_next(deck, &at, taken, random, (uint32_t)bits);
        unsigned high = a > b ? a : b;
        deal->holding[dealing->flat_player[k]] = (uint16_t)(high << 8 | (a ^ b ^ high));
    }
    for (int card = dealing->board_cards; card < PM_BOARD; card += 2) {
        uint64_t bits = pm_random_next(random);
        deal->board[card] = (uint8_t)pm_deck_next(deck, &at, taken, random, (uint32_t)(bits >> 32));
        if (card + 1 < PM_BOARD)
            deal->board[card + 1] = (uint8_t)pm_deck_next(deck, &at, taken, random, (uint32_t)bits);
    }
    return 1;
}

#endif
