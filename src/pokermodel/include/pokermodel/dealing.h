/* Deals: a holding for each of several players, by their weights, and the rest of the board.
 *
 * `_core/dealing.pyx` prepares a pm_dealing once. A deal then allocates nothing and takes a bounded time.
 */
#ifndef POKERMODEL_DEALING_H
#define POKERMODEL_DEALING_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/alias.h"

enum { PM_BOARD = 5 };

/* From so many holdings from tables on, dealing them in two halves is faster. */
enum { PM_DEAL_HALVES = 7 };

/* Tries of a half that are made at once, and most holdings of a half. */
enum { PM_HALF_TRIES = 32, PM_HALF_HOLDINGS = (PM_SEATS + 1) / 2 };

/* Tries of a deal before it is given up. PM_REJECT is used only if it needs a few thousand tries or fewer on average,
 * and the dead ends of the other methods are far rarer than that. */
enum { PM_DEAL_TRIES = 1 << 24, PM_DEAD_ENDS = 1 << 14 };

typedef enum {
    PM_REJECT,   /* all tables at once, rejecting deals in which two holdings share a card: exact */
    PM_WEIGH,    /* one after the other in random order, with a weight that makes the deals exact */
    PM_IN_ORDER, /* one after the other in seat order, without weights (Pena 1999, 5.1.1) */
} pm_deal_method;

typedef struct {
    pm_deal_method method;
    int players, drawn, flat, board_cards;
    int stratified;                 /* whether the next card of the board is stratified, see pm_deal_stratified */
    uint8_t drawn_player[PM_SEATS]; /* players who are dealt from their tables */
    uint8_t flat_player[PM_SEATS];  /* players who can hold any two cards left, each pair as likely */
    uint16_t known[PM_SEATS];       /* the only holding that a player can have; 0 if there are others */
    uint64_t taken;                 /* board, dead cards and known holdings */
    uint8_t board[PM_BOARD];
    double scale;          /* for PM_WEIGH: brings weights near 1, so that their squares can be summed */
    const pm_alias *table; /* by player */
} pm_dealing;

typedef struct {
    uint16_t holding[PM_SEATS];
    uint8_t board[PM_BOARD];
    double weight; /* 1, except for PM_WEIGH */
} pm_deal;

/* The cards that are not taken from the start, in any order. A deal shuffles as many of them as it needs. */
typedef struct {
    uint8_t card[PM_CARDS];
    int size;
} pm_deck;

/* Tries of the holdings of half the players; those without a card twice are used one after the other. */
typedef struct {
    int next, end;
    uint8_t good[PM_HALF_TRIES]; /* numbers of these tries; those from `next` on are unused */
    uint64_t taken[PM_HALF_TRIES];
    uint16_t drawn[PM_HALF_HOLDINGS][PM_HALF_TRIES];
} pm_half;

/* The state that changes from deal to deal. */
typedef struct {
    pm_deck deck;
    pm_half half[2];
    int stratum, strata; /* deals of a cycle done, and all of them, if a card is stratified; 0 before the first */
    uint8_t order[PM_CARDS];  /* of the cards in this cycle */
    uint8_t wanted[PM_CARDS]; /* by deal of the cycle, which of the cards left it takes */
} pm_dealer;

static inline void pm_deck_init(pm_deck *deck, uint64_t taken)
{
    deck->size = 0;
    for (int k = 0; k < PM_CARDS; k++)
        if (!(taken >> k & 1))
            deck->card[deck->size++] = (uint8_t)k;
}

static inline void pm_dealer_init(pm_dealer *dealer, const pm_dealing *dealing)
{
    pm_deck_init(&dealer->deck, dealing->taken);
    for (int k = 0; k < 2; k++)
        dealer->half[k].next = dealer->half[k].end = 0;
    dealer->stratum = dealer->strata = 0;
}

/* The next card that is not taken, drawn by 32 random bits; `at` counts the cards drawn since the shuffle began. */
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

/* Draw the holdings of players who are dealt from tables, here of some of them. Each of these functions adds the
 * cards to `taken`, and returns 0 at a dead end. */
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

/* Try the holdings of half the players, many times. Every try is completed: holdings drawn in vain cost less than
 * branches that cannot be predicted. The stream is passed by value, so that the caller's stays in registers. */
static inline pm_random pm_half_fill(pm_half *half, const pm_dealing *dealing, int first, int end, pm_random random)
{
    uint64_t twice[PM_HALF_TRIES] = {0};
    for (int t = 0; t < PM_HALF_TRIES; t++)
        half->taken[t] = dealing->taken;
    for (int k = first; k < end; k++) {
        const pm_alias *table = &dealing->table[dealing->drawn_player[k]];
        for (int t = 0; t < PM_HALF_TRIES; t++) {
            unsigned drawn = pm_alias_draw(table, &random);
            uint64_t cards = pm_drawn_cards(drawn);
            twice[t] |= half->taken[t] & cards;
            half->taken[t] |= cards;
            half->drawn[k - first][t] = (uint16_t)drawn;
        }
    }
    half->next = half->end = 0;
    for (int t = 0; t < PM_HALF_TRIES; t++) {
        half->good[half->end] = (uint8_t)t;
        half->end += !twice[t];
    }
    return random;
}

/* Draw the holdings of many players in two halves, each by itself until it has no card twice. If the two halves then
 * share a card, both are rejected. The halves are independent, so the distribution is that of drawing all at once, and
 * fewer holdings are drawn in vain. No half is used twice. */
static inline int pm_deal_halves(const pm_dealing *dealing, pm_random *random, pm_half *half, pm_deal *deal,
                                 uint64_t *taken)
{
    const int middle = dealing->drawn / 2;
    pm_half *lower = &half[0], *upper = &half[1];
    int tries = 0;
    while (tries < PM_DEAL_TRIES) {
        if (lower->next == lower->end) {
            *random = pm_half_fill(lower, dealing, 0, middle, *random);
            tries += PM_HALF_TRIES;
        } else if (upper->next == upper->end) {
            *random = pm_half_fill(upper, dealing, middle, dealing->drawn, *random);
            tries += PM_HALF_TRIES;
        } else {
            int a = lower->good[lower->next++], b = upper->good[upper->next++];
            if ((lower->taken[a] & upper->taken[b]) != dealing->taken)
                continue;
            for (int k = 0; k < middle; k++)
                deal->holding[dealing->drawn_player[k]] = lower->drawn[k][a];
            for (int k = middle; k < dealing->drawn; k++)
                deal->holding[dealing->drawn_player[k]] = upper->drawn[k - middle][b];
            *taken = lower->taken[a] | upper->taken[b];
            return 1;
        }
    }
    return 0;
}

static inline int pm_deal_reject(const pm_dealing *dealing, pm_random *random, pm_dealer *dealer, pm_deal *deal,
                                 uint64_t *taken)
{
    if (dealing->drawn >= PM_DEAL_HALVES)
        return pm_deal_halves(dealing, random, dealer->half, deal, taken);
    for (int tries = 0; tries < PM_DEAL_TRIES; tries++)
        if (pm_try_reject(dealing, 0, dealing->drawn, random, deal, taken))
            return 1;
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

/* An order o and holdings h occur with probability prod w(h) / prod Z, where Z is the weight left in a player's
 * table at that player's turn. With the weight prod Z, each order gives each deal its share prod w(h). */
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

static inline int pm_deal_tables(const pm_dealing *dealing, pm_random *random, pm_dealer *dealer, pm_deal *deal,
                                 uint64_t *taken)
{
    deal->weight = 1.0;
    if (dealing->method == PM_REJECT)
        return pm_deal_reject(dealing, random, dealer, deal, taken);
    for (int tries = 0; tries < PM_DEAD_ENDS; tries++)
        if (dealing->method == PM_WEIGH ? pm_try_weigh(dealing, random, deal, taken)
                                        : pm_try_in_order(dealing, random, deal, taken))
            return 1;
    return 0;
}

static inline void pm_shuffle(uint8_t *cards, int n, pm_random *random)
{
    for (int k = n - 1; k > 0; k--) {
        int other = (int)pm_random_below(random, (uint32_t)(k + 1));
        uint8_t card = cards[k];
        cards[k] = cards[other];
        cards[other] = card;
    }
}

/* The next card of the board, given the cards taken: n are left. A cycle of n deals takes the first to the n-th card
 * left, in an order of the cards that is shuffled for each cycle, so that it takes nearly every card once. Whatever the
 * holdings are, each card left is as likely as any other in every single deal, so that means are unbiased. */
static inline uint8_t pm_deal_stratified(pm_dealer *dealer, uint64_t taken, pm_random *random)
{
    const pm_deck *deck = &dealer->deck;
    int left = 0, wanted;
    for (int k = 0; k < deck->size; k++)
        left += !(taken >> deck->card[k] & 1);
    if (dealer->stratum == dealer->strata || dealer->strata != left) {
        dealer->stratum = 0;
        dealer->strata = left;
        for (int k = 0; k < left; k++)
            dealer->wanted[k] = (uint8_t)k;
        memcpy(dealer->order, deck->card, (size_t)deck->size);
        pm_shuffle(dealer->wanted, left, random);
        pm_shuffle(dealer->order, deck->size, random);
    }
    wanted = dealer->wanted[dealer->stratum++];
    for (int k = 0;; k++)
        if (!(taken >> dealer->order[k] & 1) && wanted-- == 0)
            return dealer->order[k];
}

/* Deal the holdings of all players and the board; the dealer must have been made for `dealing`. Returns 0 if very many
 * tries failed. */
static inline int pm_deal_next(const pm_dealing *dealing, pm_random *random, pm_dealer *dealer, pm_deal *deal)
{
    pm_deck *deck = &dealer->deck;
    uint64_t taken = dealing->taken;
    int at = 0;
    deal->weight = 1.0;
    memcpy(deal->holding, dealing->known, sizeof deal->holding); /* all of it: a fixed size is faster */
    memcpy(deal->board, dealing->board, sizeof deal->board);
    if (dealing->drawn && !pm_deal_tables(dealing, random, dealer, deal, &taken))
        return 0;
    for (int k = 0; k < dealing->flat; k++) {
        uint64_t bits = pm_random_next(random);
        unsigned a = pm_deck_next(deck, &at, taken, random, (uint32_t)(bits >> 32));
        unsigned b = pm_deck_next(deck, &at, taken, random, (uint32_t)bits);
        unsigned high = a > b ? a : b;
        deal->holding[dealing->flat_player[k]] = (uint16_t)(high << 8 | (a ^ b ^ high));
    }
    int card = dealing->board_cards;
    if (dealing->stratified && card < PM_BOARD) {
        uint64_t gone = taken;
        for (int k = 0; k < at; k++)
            gone |= UINT64_C(1) << deck->card[k];
        deal->board[card] = pm_deal_stratified(dealer, gone, random);
        taken |= UINT64_C(1) << deal->board[card++];
    }
    for (; card < PM_BOARD; card += 2) {
        uint64_t bits = pm_random_next(random);
        deal->board[card] = (uint8_t)pm_deck_next(deck, &at, taken, random, (uint32_t)(bits >> 32));
        if (card + 1 < PM_BOARD)
            deal->board[card + 1] = (uint8_t)pm_deck_next(deck, &at, taken, random, (uint32_t)bits);
    }
    return 1;
}

#endif
