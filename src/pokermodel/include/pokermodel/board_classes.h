/* Classes of all holdings on a board, by hand strength against anybody and with draws apart.
 *
 * What a holding beats depends on the ranks of its cards, and where a suit has three cards or more on the board, also
 * on which of its cards are of that suit. So cards are of 13 types or 26, and pairs of types are compared, not
 * holdings. The same holds of outs. All counts are whole numbers.
 */
#ifndef POKERMODEL_BOARD_CLASSES_H
#define POKERMODEL_BOARD_CLASSES_H

#include <string.h>

#include "pokermodel/field.h"
#include "pokermodel/outs.h"

#define PM_CARD_TYPES 26
#define PM_TYPE_PAIRS (PM_CARD_TYPES * (PM_CARD_TYPES + 1) / 2)
#define PM_MOST_SCORE 2162 /* twice the holdings that an opponent can have on a flop */

/* How classes are divided. */
typedef struct {
    uint8_t by_score[3][PM_MOST_SCORE + 1]; /* on boards of 3, 4 and 5 cards, by twice what is beaten plus what ties */
    double draw;                            /* the least potential of a draw */
    int made;                               /* classes below it are divided by whether they are draws */
    int draws;                              /* what is added to the number of a class that is a draw */
} pm_class_borders;

/* Pairs of types of cards on a board, `high*(high+1)/2 + low`. */
typedef struct {
    int types;
    int suit;                       /* of which the board has three cards or more, whose cards are types apart; or -1 */
    int on_board;                   /* how many it has */
    int seen[13];                   /* cards of each rank on the board */
    int live[PM_CARD_TYPES];        /* unseen cards of each type */
    uint8_t type[PM_CARDS];
    uint16_t of_ranks[PM_RANK_PAIRS]; /* without flushes; 0 if impossible */
    uint16_t rank[PM_TYPE_PAIRS];
    int16_t score[PM_TYPE_PAIRS];   /* twice the holdings that it beats, plus those that it ties; -1 if impossible */
} pm_board_types;

static inline int pm_type_pair(int i, int j)
{
    return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/* Divide the cards into types, and rank the pairs. */
static inline void pm_board_types_init(const pm_evaluator *e, pm_board_types *b, const int *board, int n)
{
    pm_hand hand = pm_hand_empty();
    uint64_t dead = 0;
    unsigned flush_ranks = 0;
    memset(b->seen, 0, sizeof b->seen);
    memset(b->live, 0, sizeof b->live);
    b->suit = -1;
    b->on_board = 0;
    for (int k = 0; k < n; k++) {
        hand = pm_hand_add(e, hand, board[k]);
        dead |= pm_card_bit(board[k]);
        b->seen[board[k] >> 2]++;
    }
    for (int suit = 0; suit < 4; suit++)
        if (pm_on_board(hand, suit) >= 3) {
            b->suit = suit;
            b->on_board = pm_on_board(hand, suit);
            flush_ranks = (unsigned)(hand.suits >> (16 * suit)) & 0x1fff;
        }
    b->types = b->suit < 0 ? 13 : PM_CARD_TYPES;
    for (int card = 0; card < PM_CARDS; card++) {
        b->type[card] = (uint8_t)((card >> 2) + ((card & 3) == b->suit ? 13 : 0));
        b->live[b->type[card]] += !(dead & pm_card_bit(card));
    }
    pm_rank_pairs(e, hand, b->seen, b->of_ranks);
    for (int i = 0, pair = 0; i < b->types; i++)
        for (int j = 0; j <= i; j++, pair++) {
            const int one = i % 13, two = j % 13, in_suit = (i >= 13) + (j >= 13);
            if (b->suit >= 0 && b->on_board + in_suit >= 5)
                b->rank[pair] = e->flush[flush_ranks | (i >= 13 ? 1u << one : 0) | (j >= 13 ? 1u << two : 0)];
            else
                b->rank[pair] = b->of_ranks[pm_type_pair(one, two)];
        }
}

/* Compare the pairs: a sweep from below counts holdings, and those with a card of each type. */
static inline void pm_board_types_compare(pm_board_types *b)
{
    uint64_t occurs[PM_RANK_WORDS] = {0};
    int16_t number[PM_RANKS + 1];
    uint16_t start[PM_TYPE_PAIRS + 1] = {0}, order[PM_TYPE_PAIRS];
    uint8_t high[PM_TYPE_PAIRS], low[PM_TYPE_PAIRS];
    int with[PM_CARD_TYPES] = {0}; /* holdings so far that have a certain card of the type */
    int total = 0, groups, first = 0;
    for (int i = 0, pair = 0; i < b->types; i++)
        for (int j = 0; j <= i; j++, pair++) {
            const int possible = i == j ? b->live[i] > 1 : b->live[i] && b->live[j];
            high[pair] = (uint8_t)i;
            low[pair] = (uint8_t)j;
            b->score[pair] = (int16_t)(possible - 1);
            if (possible)
                pm_mark_rank(occurs, b->rank[pair]);
        }
    groups = pm_number_ranks(occurs, number);
    for (int pair = 0; pair < b->types * (b->types + 1) / 2; pair++)
        if (b->score[pair] >= 0)
            start[number[b->rank[pair]] + 1]++;
    for (int k = 0; k < groups; k++)
        start[k + 1] = (uint16_t)(start[k + 1] + start[k]);
    for (int pair = 0; pair < b->types * (b->types + 1) / 2; pair++)
        if (b->score[pair] >= 0)
            order[start[number[b->rank[pair]]]++] = (uint16_t)pair;
    for (int k = 0; k < groups; k++) { /* each start is now the end of its group */
        const int end = start[k];
        for (int place = first; place < end; place++) {
            const int pair = order[place];
            b->score[pair] = (int16_t)(total - with[high[pair]] - with[low[pair]]);
        }
        for (int place = first; place < end; place++) {
            const int i = high[order[place]], j = low[order[place]];
            total += i == j ? b->live[i] * (b->live[i] - 1) / 2 : b->live[i] * b->live[j];
            with[i] += i == j ? b->live[i] - 1 : b->live[j];
            if (i != j)
                with[j] += b->live[i];
        }
        for (int place = first; place < end; place++) { /* the holding itself is among those with each of its cards */
            const int pair = order[place];
            b->score[pair] = (int16_t)(b->score[pair] + total - with[high[pair]] - with[low[pair]] + 1);
        }
        first = end;
    }
}

/* Outs of a pair of ranks that make no flush. */
typedef struct {
    double all;      /* the values of all unseen cards */
    double in_suit;  /* of those of the flush suit that are not on the board, be they the holding's own */
    double own[2];   /* of a card of the higher rank, and of the lower */
} pm_pair_outs;

static inline pm_pair_outs pm_outs_of_pair(const pm_board_types *b, pm_outs_board *board, unsigned flush_ranks, int high,
                                           int low)
{
    pm_pair_outs found = {0.0, 0.0, {0.0, 0.0}};
    pm_rank_outs outs;
    pm_outs_of_ranks(board, high, low, &outs);
    for (int rank = 0; rank < 13; rank++) {
        const int cards = 4 - b->seen[rank] - (rank == high) - (rank == low);
        const double value = outs.value[rank];
        if (cards <= 0 || value <= 0)
            continue;
        found.all += cards * value;
        found.in_suit += flush_ranks >> rank & 1 ? 0.0 : value;
        found.own[0] = rank == high ? value : found.own[0];
        found.own[1] = rank == low ? value : found.own[1];
    }
    return found;
}

/* Which pairs of types are draws: those with a potential (see outs.h) of `least` or more. Flush draws with both cards
 * of a suit of which the board has two are not among them. */
static inline void pm_draws_of_types(const pm_board_types *b, const int *board, int n, double least,
                                     const uint8_t *classes, int made, uint8_t *draws)
{
    const int unseen = PM_CARDS - n - 2, in_flush = 13 - b->on_board;
    unsigned flush_ranks = 0;
    pm_outs_board on_board;
    pm_outs_board_init(&on_board, board, n);
    for (int k = 0; k < n; k++)
        flush_ranks |= (board[k] & 3) == b->suit ? 1u << (board[k] >> 2) : 0;
    for (int high = 0; high < 13; high++)
        for (int low = 0; low <= high; low++) {
            const int suited = b->suit >= 0;
            const int pairs[4] = {pm_type_pair(high, low), pm_type_pair(high + 13, low), pm_type_pair(high, low + 13),
                                  pm_type_pair(high + 13, low + 13)};
            pm_pair_outs outs;
            int asked = 0;
            for (int k = 0; k < (suited ? 4 : 1); k++) {
                draws[pairs[k]] = 0;
                asked |= b->score[pairs[k]] >= 0 && classes[pairs[k]] < made;
            }
            if (!asked)
                continue;
            outs = pm_outs_of_pair(b, &on_board, flush_ranks, high, low);
            /* a card of four in a suit on the board makes everybody's flush */
            draws[pairs[0]] = (outs.all - (b->on_board == 4 ? outs.in_suit : 0.0)) / unseen >= least;
            for (int k = 1; suited && b->on_board == 3 && k < 3; k++) {
                const int rank = k == 1 ? high : low;
                const double flush = (in_flush - 1) * pm_flush_out_value(1, rank);
                draws[pairs[k]] = (outs.all - (outs.in_suit - outs.own[k - 1]) + flush) / unseen >= least;
            }
        }
}

/* Class of each holding on a board of three to five cards, 0 where it is not possible. */
static inline void pm_board_classes(const pm_evaluator *e, const int *board, int n, const pm_class_borders *borders,
                                    uint8_t *classes)
{
    pm_board_types b;
    uint8_t of_pair[PM_TYPE_PAIRS], draws[PM_TYPE_PAIRS];
    uint8_t rows[PM_CARD_TYPES][PM_CARDS];
    uint64_t dead = 0;
    int suited[4] = {0};
    const uint8_t *by_score = borders->by_score[n - 3];
    for (int k = 0; k < n; k++) {
        dead |= pm_card_bit(board[k]);
        suited[board[k] & 3]++;
    }
    pm_board_types_init(e, &b, board, n);
    pm_board_types_compare(&b);
    for (int pair = 0; pair < b.types * (b.types + 1) / 2; pair++)
        of_pair[pair] = b.score[pair] < 0 ? 0 : by_score[b.score[pair]];
    if (n < 5) {
        pm_draws_of_types(&b, board, n, borders->draw, of_pair, borders->made, draws);
        for (int pair = 0; pair < b.types * (b.types + 1) / 2; pair++)
            if (draws[pair] && of_pair[pair] < borders->made)
                of_pair[pair] = (uint8_t)(of_pair[pair] + borders->draws);
    }
    for (int type = 0; type < b.types; type++)
        for (int rank = 0; rank < 13; rank++) {
            memset(rows[type] + 4 * rank, of_pair[pm_type_pair(type, rank)], 4);
            if (b.suit >= 0)
                rows[type][4 * rank + b.suit] = of_pair[pm_type_pair(type, rank + 13)];
        }
    for (int k = 0; k < n; k++)
        for (int type = 0; type < b.types; type++)
            rows[type][board[k]] = 0;
    for (int high = 1; high < PM_CARDS; high++) {
        uint8_t *to = classes + high * (high - 1) / 2;
        if (dead & pm_card_bit(high))
            memset(to, 0, (size_t)high);
        else
            memcpy(to, rows[b.type[high]], (size_t)high);
    }
    for (int suit = 0; n < 5 && suit < 4; suit++)
        if (suited[suit] == 2) /* nine outs, each of the highest value */
            for (int high = suit + 4; high < PM_CARDS; high += 4)
                for (int low = suit; low < high && !(dead & pm_card_bit(high)); low += 4) {
                    uint8_t *class_ = classes + pm_holding(high, low);
                    if (!(dead & pm_card_bit(low)) && *class_ < borders->made)
                        *class_ = (uint8_t)(*class_ + borders->draws);
                }
}

#endif
