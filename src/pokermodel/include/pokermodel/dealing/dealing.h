/* Deals: a holding for each of several players, by their weights, and the rest of the board.
 *
 * `_core/dealing.pyx` prepares a pm_dealing once. A deal then allocates nothing and takes a bounded time.
 */
#ifndef POKERMODEL_DEALING_H
#define POKERMODEL_DEALING_H

#include <stdint.h>
#include <string.h>

#include "pokermodel/dealing/alias.h"

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

/* Cards of the board that are stratified, at most: a turn and its river. */
enum { PM_RUNOUT = 2 };

/* Stands in arrays of cards where a deal has no holding. */
enum { PM_NO_CARD = 255 };

/* What a stratified deal has to know of a player's table beyond the alias table. */
typedef struct {
    double card[PM_CARDS];     /* probability of the holdings with a card */
    double share[PM_HOLDINGS]; /* of each holding, by its index */
    double undo[PM_CARDS];     /* the table's own weight is its share times these factors of its two cards */
} pm_shares;

typedef struct {
    pm_deal_method method;
    int players, drawn, flat, board_cards;
    int stratified;                 /* cards of the board that are stratified, see pm_cycle_next */
    uint8_t drawn_player[PM_SEATS]; /* players who are dealt from their tables */
    uint8_t flat_player[PM_SEATS];  /* players who can hold any two cards left, each pair as likely */
    uint16_t known[PM_SEATS];       /* the only holding that a player can have; 0 if there are others */
    uint64_t taken;                 /* board, dead cards and known holdings */
    uint8_t board[PM_BOARD];
    double scale;            /* brings weights near 1, so that their squares can be summed */
    const pm_alias *table;   /* by player */
    int tries;               /* of stratified holdings, of which one is dealt, see pm_deal_after_runout */
    const pm_shares *shares; /* by player, if the board is stratified */
} pm_dealing;

typedef struct {
    uint16_t holding[PM_SEATS];
    uint8_t board[PM_BOARD];
    double weight; /* 1, except for PM_WEIGH and stratified boards; 0 if no holdings were found for the board */
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

/* A cycle of trials, in which every card comes to the board once, see pm_cycle_next. */
typedef struct {
    uint64_t key;   /* of the streams from which the order of the cards is drawn */
    int keyed;      /* whether there is a key */
    int64_t trial;  /* number of the next one */
    int64_t number; /* of the cycle for which what follows was drawn; -1 before the first */
    int cards;      /* that can come */
    uint8_t label[PM_CARDS], apart[PM_CARDS], order[PM_CARDS];
} pm_cycle;

/* The state that changes from deal to deal. */
typedef struct {
    pm_deck deck;
    pm_half half[2];
    pm_cycle cycle;
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
    dealer->cycle.keyed = 0;
    dealer->cycle.trial = 0;
    dealer->cycle.number = -1;
}

/* Deal the trials from a number on, in the order of a key, if the board is stratified. Without it a dealer begins at
 * trial 0, with a key of its own. Dealers with one key that share out the trials deal what one alone would deal. */
static inline void pm_dealer_at(pm_dealer *dealer, uint64_t key, int64_t trial)
{
    dealer->cycle.key = key;
    dealer->cycle.keyed = 1;
    dealer->cycle.trial = trial;
    dealer->cycle.number = -1;
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

/* Draw the order of the cards for a cycle of trials. */
static inline void pm_cycle_draw(pm_cycle *r, uint64_t taken, int64_t number)
{
    const int n = r->cards, rivers = n > 1 ? n - 1 : 1;
    const int64_t square = number / rivers;
    pm_random random;
    if (r->number < 0 || r->number / rivers != square) {
        for (int k = 0, card = 0; card < PM_CARDS; card++)
            if (!(taken >> card & 1))
                r->label[k++] = (uint8_t)card;
        for (int k = 1; k < n; k++)
            r->apart[k - 1] = (uint8_t)k;
        random = pm_random_numbered(r->key, 2 * (uint64_t)square + 1);
        pm_shuffle(r->label, n, &random);
        pm_shuffle(r->apart, n - 1, &random);
    }
    for (int k = 0; k < n; k++)
        r->order[k] = (uint8_t)k;
    random = pm_random_numbered(r->key, 2 * (uint64_t)number);
    pm_shuffle(r->order, n, &random);
    r->number = number;
}

/* The next cards of the board, one or two: those of the next trial, a function of the key and the trial's number alone.
 *
 * With n cards that can come, a cycle of n trials has each of them as the first one exactly once, and n - 1 cycles have
 * each ordered pair exactly once (Pena 1999, 5.1.1, where n is 47). The cards stand in a circle, in random order, and
 * the second one is a fixed number of places on from the first, another number in each cycle. So each card is the
 * second one exactly once in a cycle, too, which drawing rivers for each turn card by itself would not give. */
static inline void pm_cycle_next(pm_cycle *r, uint64_t taken, int cards, uint8_t *board)
{
    if (r->number < 0) {
        r->cards = PM_CARDS - pm_count_cards(taken);
        pm_cycle_draw(r, taken, r->trial / r->cards);
    } else if (r->trial == (r->number + 1) * r->cards) {
        pm_cycle_draw(r, taken, r->number + 1);
    }
    const int n = r->cards, first = r->order[r->trial - r->number * n];
    r->trial++;
    board[0] = r->label[first];
    if (cards > 1) {
        int second = first + r->apart[r->number % (n - 1)];
        board[1] = r->label[second < n ? second : second - n];
    }
}

static inline void pm_shares_init(pm_shares *shares, const pm_alias *alias)
{
    memset(shares, 0, sizeof *shares);
    for (int k = 0; k < alias->size; k++) {
        unsigned own = alias->slot[k].own;
        shares->share[pm_holding((int)(own >> 8), (int)(own & 255))] = alias->share[k];
        shares->card[own >> 8] += alias->share[k];
        shares->card[own & 255] += alias->share[k];
    }
    for (int k = 0; k < PM_CARDS; k++)
        shares->undo[k] = 1.0;
}

/* Probability that a holding avoids n cards: all, less those with each of the cards, and those with two of them were
 * left out twice. What rounding could spoil is summed anew. */
static inline double pm_shares_left(const pm_shares *shares, const pm_alias *alias, const uint8_t *gone, int n)
{
    double left = 1.0;
    uint64_t taken = 0;
    for (int k = 0; k < n; k++) {
        left -= shares->card[gone[k]];
        for (int j = 0; j < k; j++)
            left += shares->share[pm_holding(gone[k], gone[j])];
    }
    if (left > 1e-4)
        return left;
    for (int k = 0; k < n; k++)
        taken |= UINT64_C(1) << gone[k];
    return pm_alias_left(alias, taken);
}

/* Draw holdings that avoid the runout, `gone`, one player after the other. The weight makes the law of holdings and
 * board that of dealing the holdings first, by the method:
 *
 * Of joint deals, each deal should come with its share prod w(h), whatever the runout. It comes with prod w'(h) / Z',
 * where Z' is what is left of the table at the player's turn. (w' is w times a factor for each card, which is the
 * smaller, the more likely later players hold it. It makes the weights nearly alike.) So it counts prod Z' w / w'.
 *
 * Of published deals, each should come with prod w(h) / Z, where Z is what earlier holdings leave of the table, and
 * comes with prod w(h) / Z', where Z' is what these and the runout leave. So it counts prod Z' / Z.
 *
 * Returns 0 at a dead end, which counts nothing. */
static inline double pm_try_after_runout(const pm_dealing *dealing, pm_random *random, const uint8_t *runout,
                                         uint16_t *holding, uint64_t *taken)
{
    uint8_t gone[PM_RUNOUT + 2 * PM_SEATS];
    uint64_t cards = *taken;
    const int joint = dealing->method != PM_IN_ORDER;
    int n = dealing->stratified;
    double weight = 1.0;
    memcpy(gone, runout, (size_t)n);
    for (int k = 0; k < dealing->drawn; k++) {
        const int player = dealing->drawn_player[k];
        const pm_alias *alias = &dealing->table[player];
        const pm_shares *shares = &dealing->shares[player];
        double left = pm_shares_left(shares, alias, gone, n);
        unsigned drawn = left > 0.0 ? pm_alias_draw_apart(alias, random, cards) : 0;
        if (!drawn)
            return 0.0;
        weight *= left;
        if (joint)
            weight *= shares->undo[drawn >> 8] * shares->undo[drawn & 255];
        else
            weight /= pm_shares_left(shares, alias, gone + dealing->stratified, n - dealing->stratified);
        gone[n++] = (uint8_t)(drawn >> 8);
        gone[n++] = (uint8_t)(drawn & 255);
        cards |= pm_drawn_cards(drawn);
        holding[player] = (uint16_t)drawn;
    }
    *taken = cards;
    return weight;
}

/* Draw holdings that avoid the runout, and what they count. Of several tries, which narrow tables need, one is taken,
 * each with a chance proportional to its weight, and counts their mean: any number of tries leaves the law as it is.
 * (Trying until one succeeds would not: runouts at which most tries fail would count too much.) */
static inline void pm_deal_after_runout(const pm_dealing *dealing, pm_random *random, const uint8_t *runout,
                                        pm_deal *deal, uint64_t *taken)
{
    const uint64_t before = *taken;
    uint16_t holding[PM_SEATS] = {0};
    double total = 0.0;
    for (int k = 0; k < dealing->drawn; k++)
        deal->holding[dealing->drawn_player[k]] = 0;
    for (int k = 0; k < dealing->tries; k++) {
        uint64_t cards = before;
        double weight = pm_try_after_runout(dealing, random, runout, holding, &cards);
        total += weight;
        if (weight > 0.0 && (dealing->tries == 1 || pm_random_double(random) * total < weight)) {
            for (int j = 0; j < dealing->drawn; j++)
                deal->holding[dealing->drawn_player[j]] = holding[dealing->drawn_player[j]];
            *taken = cards;
        }
    }
    deal->weight = total / dealing->tries * dealing->scale;
}

/* Deal the holdings of all players and the board; the dealer must have been made for `dealing`. Returns 0 if very many
 * tries failed. A stratified deal of weight 0 has no holdings: those drawn from tables are 0. */
static inline int pm_deal_next(const pm_dealing *dealing, pm_random *random, pm_dealer *dealer, pm_deal *deal)
{
    pm_deck *deck = &dealer->deck;
    uint64_t taken = dealing->taken;
    int at = 0;
    deal->weight = 1.0;
    memcpy(deal->holding, dealing->known, sizeof deal->holding); /* all of it: a fixed size is faster */
    memcpy(deal->board, dealing->board, sizeof deal->board);
    int card = dealing->board_cards;
    if (dealing->stratified) {
        uint8_t *runout = deal->board + card;
        if (!dealer->cycle.keyed)
            pm_dealer_at(dealer, pm_random_next(random), dealer->cycle.trial);
        pm_cycle_next(&dealer->cycle, taken, dealing->stratified, runout);
        for (int k = 0; k < dealing->stratified; k++, card++)
            taken |= UINT64_C(1) << runout[k];
        if (dealing->drawn)
            pm_deal_after_runout(dealing, random, runout, deal, &taken);
    } else if (dealing->drawn && !pm_deal_tables(dealing, random, dealer, deal, &taken))
        return 0;
    for (int k = 0; k < dealing->flat; k++) {
        uint64_t bits = pm_random_next(random);
        unsigned a = pm_deck_next(deck, &at, taken, random, (uint32_t)(bits >> 32));
        unsigned b = pm_deck_next(deck, &at, taken, random, (uint32_t)bits);
        unsigned high = a > b ? a : b;
        deal->holding[dealing->flat_player[k]] = (uint16_t)(high << 8 | (a ^ b ^ high));
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
