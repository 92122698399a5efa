/* What players may go by when they look at their two cards and the board: features of holdings, and the classes of
 * holdings that agree in all of them.
 *
 * Before the flop: the share of holdings that win less, the higher rank, the lower rank, and whether they are a pair,
 * suited or neither. After it: strength, draws, what is made with the board, and how strength has changed since the board
 * before. The borders are ours.
 */
#ifndef POKERMODEL_HOLDING_FEATURES_H
#define POKERMODEL_HOLDING_FEATURES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "pokermodel/evaluation/board_types.h"
#include "pokermodel/evaluation/cards.h"
#include "pokermodel/evaluation/evaluator.h"
#include "pokermodel/evaluation/outs.h"

enum {
    PM_HOLDING_FEATURES = 4,
    PM_STRENGTHS = 16,
    PM_DRAWS = 6,
    PM_MADE = 14,
    PM_CHANGES = 3,
    PM_SUITINGS = 3,
    PM_HOLDING_KEYS = PM_STRENGTHS * 13 * 13 * PM_SUITINGS, /* tuples of features there can be, of either sort */
    PM_PREFLOP_ROWS = PM_STRENGTHS + 13 + 13 + PM_SUITINGS,
    PM_POSTFLOP_ROWS = PM_STRENGTHS + PM_DRAWS + PM_MADE + PM_CHANGES,
    PM_HOLDING_ROWS = PM_PREFLOP_ROWS + 3 * PM_POSTFLOP_ROWS, /* of all features of all rounds */
    PM_NO_CLASS = 0xffff                                     /* of a holding that is not possible */
};

typedef struct {
    int n;
    int suit;                                               /* whose cards are apart on the board, or -1 */
    uint16_t of[PM_HOLDINGS];                               /* class of each holding */
    int16_t *rows;                                          /* rows of each class: its features, numbered through */
} pm_holding_classes;

static const double PM_STRENGTH_BORDERS[PM_STRENGTHS - 1] = {.1,  .2,  .3,  .4,  .5,   .6,   .68, .75,
                                                             .82, .87, .91, .94, .965, .985, .995};
static const double PM_CHANGE = .12; /* of strength, from which on it counts */

static inline int pm_bin(double value, const double *borders, int n)
{
    int bin = 0;
    while (bin < n && value >= borders[bin])
        bin++;
    return bin;
}

#define PM_NO_KEY PM_HOLDING_KEYS /* in place of a tuple, of a holding that is not possible */

/* What two cards make with a board of three to five cards: 0 no overcard, 1 an overcard, 2 ace high, 3 two overcards,
 * 4 a low pair, 5 a middle pair, 6 top pair, 7 top pair with a good kicker, 8 an overpair, 9 two pair, 10 three of a
 * kind, 11 a straight, 12 a flush, 13 a full house or better. What the board makes by itself does not count.
 */
static inline int pm_made(int a, int b, int top, int second, const int *rank_count, int category, int board_category,
                          int plays_board)
{
    int paired, kicker;
    if (!plays_board && category >= 6)
        return 13;
    if (!plays_board && category == 5)
        return 12;
    if (!plays_board && category == 4)
        return 11;
    if (category == 3 && board_category < 3)
        return 10;
    if (a == b)
        return a > top ? 8 : a > second ? 5 : 4;
    if (rank_count[a] && rank_count[b])
        return 9;
    if (rank_count[a] || rank_count[b]) {
        paired = rank_count[a] ? a : b;
        kicker = rank_count[a] ? b : a;
        if (paired == top)
            return kicker >= 10 ? 7 : 6;
        return paired == second ? 5 : 4;
    }
    if (b > top)
        return 3;
    if (a > top)
        return a == 12 ? 2 : 1;
    return 0;
}

/* What pairs of types beat on a board, for the board after it. */
typedef struct {
    int suit; /* as of pm_board_types */
    int16_t score[PM_TYPE_PAIRS];
} pm_board_scores;

/* Hand strength against anybody of each pair of types. */
static inline void pm_pair_strengths(const pm_board_scores *scores, int board_cards, double *strengths)
{
    const int unseen = PM_CARDS - board_cards - 2, pairs = scores->suit < 0 ? PM_RANK_PAIRS : PM_TYPE_PAIRS;
    const double others = unseen * (unseen - 1) / 2;
    for (int pair = 0; pair < pairs; pair++)
        strengths[pair] = scores->score[pair] / 2.0 / others;
}

/* What every pair of ranks makes without a flush, and its draws to a straight: 0 none, 1 one rank makes it, 2 two or more
 * do. Straights that the board has or gets by itself do not count. */
typedef struct {
    int rank_count[13];
    int top, second;      /* ranks of the board */
    int board_category;   /* of its pairs */
    unsigned board_rank;  /* on the river; 0 before it */
    uint8_t made[PM_RANK_PAIRS], draws[PM_RANK_PAIRS];
} pm_rank_features;

static inline int pm_made_with(const pm_rank_features *r, int a, int b, unsigned rank)
{
    return pm_made(a, b, r->top, r->second, r->rank_count, pm_rank_category(rank), r->board_category,
                   rank == r->board_rank);
}

static inline void pm_rank_features_init(const pm_evaluator *e, pm_rank_features *r, const pm_board_types *types,
                                         const int *board, int board_cards)
{
    unsigned ranks = 0, on_board;
    pm_hand hand = pm_hand_empty();
    memcpy(r->rank_count, types->seen, sizeof r->rank_count);
    for (int k = 0; k < board_cards; k++) {
        ranks |= 1u << (board[k] >> 2);
        hand = pm_hand_add(e, hand, board[k]);
    }
    r->board_rank = board_cards == 5 ? pm_hand_rank(e, hand) : 0;
    r->board_category = 0;
    for (int rank = 0, pairs = 0; rank < 13; rank++) {
        pairs += r->rank_count[rank] == 2;
        if (r->rank_count[rank] == 4)
            r->board_category = 7;
        else if (r->rank_count[rank] == 3 && r->board_category < 3)
            r->board_category = 3;
        else if (pairs && r->board_category < 2)
            r->board_category = pairs;
    }
    r->top = 12;
    while (!r->rank_count[r->top])
        r->top--;
    r->second = r->top - 1;
    while (r->second > 0 && !r->rank_count[r->second])
        r->second--;
    on_board = pm_ranks_to_straight(ranks);
    for (int a = 0, pair = 0; a < 13; a++)
        for (int b = 0; b <= a; b++, pair++) {
            const unsigned held = ranks | 1u << a | 1u << b;
            unsigned outs = board_cards < 5 && !pm_has_straight(held) ? pm_ranks_to_straight(held) & ~on_board : 0;
            r->draws[pair] = (uint8_t)((outs != 0) + ((outs & (outs - 1)) != 0));
            r->made[pair] = types->of_ranks[pair] ? (uint8_t)pm_made_with(r, a, b, types->of_ranks[pair]) : 0;
        }
}

/* The features of all holdings on a board, each tuple as one number; PM_NO_KEY where a holding is not possible. Draws: 0
 * none, 1 one rank makes a straight, 2 two or more do, 3 one card is missing for a flush, 4 and one rank makes a straight,
 * 5 or two or more. `before` are the scores on the board without its last card, or NULL: no strength has changed. */
static inline void pm_holding_keys(const pm_evaluator *e, const int *board, int board_cards,
                                   const pm_board_scores *before, pm_board_scores *scores, uint16_t *keys)
{
    enum {
        STEPS = 128, /* fine enough that there is one border in each, at most */
        FLUSH_DRAW = 3 * PM_MADE * PM_CHANGES
    };
    pm_board_types types;
    pm_rank_features ranks;
    double strengths[PM_TYPE_PAIRS], earlier[PM_TYPE_PAIRS];
    uint16_t of_types[PM_CARD_TYPES][PM_CARD_TYPES], rows[PM_CARD_TYPES + 1][PM_CARDS];
    uint8_t first_bin[STEPS + 1];
    uint64_t dead = 0;
    int suited[4] = {0};
    for (int k = 0; k < board_cards; k++) {
        dead |= pm_card_bit(board[k]);
        suited[board[k] & 3]++;
    }
    pm_board_types_init(e, &types, board, board_cards);
    pm_board_types_compare(&types);
    pm_rank_features_init(e, &ranks, &types, board, board_cards);
    scores->suit = types.suit;
    memcpy(scores->score, types.score, sizeof scores->score);
    pm_pair_strengths(scores, board_cards, strengths);
    if (before)
        pm_pair_strengths(before, board_cards - 1, earlier);
    memset(first_bin, 0, sizeof first_bin);
    for (int bin = 0; bin < PM_STRENGTHS - 1; bin++) { /* steps that begin at a border or above it */
        const int first = (int)ceil(PM_STRENGTH_BORDERS[bin] * STEPS);
        memset(first_bin + first, bin + 1, sizeof first_bin - (size_t)first);
    }
    for (int i = 0, pair = 0; i < types.types; i++)
        for (int j = 0; j <= i; j++, pair++) {
            const int one = i < 13 ? i : i - 13, two = j < 13 ? j : j - 13, in_suit = (i >= 13) + (j >= 13);
            const int a = one > two ? one : two, b = one > two ? two : one, of_ranks = a * (a + 1) / 2 + b;
            const double strength = strengths[pair];
            double change = 0.0;
            int bin, draws = ranks.draws[of_ranks], makes = ranks.made[of_ranks];
            if (types.score[pair] < 0) {
                of_types[i][j] = of_types[j][i] = PM_NO_KEY;
                continue;
            }
            if (before)
                change = strength - earlier[before->suit < 0 ? of_ranks : pair];
            bin = first_bin[(int)(strength * STEPS)];
            bin += bin < PM_STRENGTHS - 1 && strength >= PM_STRENGTH_BORDERS[bin];
            if (types.suit >= 0 && types.on_board + in_suit >= 5)
                makes = pm_made_with(&ranks, a, b, types.rank[pair]);
            draws += board_cards < 5 && types.on_board == 3 && in_suit == 1 ? 3 : 0;
            of_types[i][j] = of_types[j][i] =
                (uint16_t)(((bin * PM_DRAWS + draws) * PM_MADE + makes) * PM_CHANGES + 1 - (change < -PM_CHANGE) +
                           (change > PM_CHANGE));
        }
    for (int type = 0; type < types.types; type++) {
        for (int rank = 0; rank < 13; rank++) {
            const uint64_t four = of_types[type][rank] * UINT64_C(0x0001000100010001);
            memcpy(rows[type] + 4 * rank, &four, sizeof four);
            if (types.suit >= 0)
                rows[type][4 * rank + types.suit] = of_types[type][rank + 13];
        }
        for (int k = 0; k < board_cards; k++)
            rows[type][board[k]] = PM_NO_KEY;
    }
    for (int card = 0; card < PM_CARDS; card++)
        rows[PM_CARD_TYPES][card] = PM_NO_KEY;
    for (int high = 1; high < PM_CARDS; high++) {
        const int row = dead & pm_card_bit(high) ? PM_CARD_TYPES : types.type[high];
        memcpy(keys + high * (high - 1) / 2, rows[row], (size_t)high * sizeof *keys);
    }
    for (int suit = 0; board_cards < 5 && suit < 4; suit++)
        if (suited[suit] == 2)
            for (int high = suit + 4; high < PM_CARDS; high += 4)
                for (int low = suit; low < high && !(dead & pm_card_bit(high)); low += 4)
                    if (!(dead & pm_card_bit(low)))
                        keys[pm_holding(high, low)] = (uint16_t)(keys[pm_holding(high, low)] + FLUSH_DRAW);
}

/* The same before the flop; shares are of the holdings that win less. */
static inline void pm_holding_keys_preflop(const double *shares, uint16_t *keys)
{
    for (int high = 1, holding = 0; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++, holding++) {
            const int kind = high >> 2 == low >> 2 ? 0 : (high & 3) == (low & 3) ? 1 : 2;
            const int bin = pm_bin(shares[holding], PM_STRENGTH_BORDERS, PM_STRENGTHS - 1);
            keys[holding] = isnan(shares[holding])
                                ? PM_NO_KEY
                                : (uint16_t)(((bin * 13 + (high >> 2)) * 13 + (low >> 2)) * PM_SUITINGS + kind);
        }
}

/* The rows of the features that a number stands for; `first` is the first of them. */
static inline void pm_feature_rows(int key, int postflop, int first, int16_t *rows)
{
    if (postflop) {
        rows[3] = (int16_t)(first + PM_STRENGTHS + PM_DRAWS + PM_MADE + key % PM_CHANGES);
        rows[2] = (int16_t)(first + PM_STRENGTHS + PM_DRAWS + key / PM_CHANGES % PM_MADE);
        rows[1] = (int16_t)(first + PM_STRENGTHS + key / (PM_CHANGES * PM_MADE) % PM_DRAWS);
        rows[0] = (int16_t)(first + key / (PM_CHANGES * PM_MADE * PM_DRAWS));
    } else {
        rows[3] = (int16_t)(first + PM_STRENGTHS + 13 + 13 + key % PM_SUITINGS);
        rows[2] = (int16_t)(first + PM_STRENGTHS + 13 + key / PM_SUITINGS % 13);
        rows[1] = (int16_t)(first + PM_STRENGTHS + key / (PM_SUITINGS * 13) % 13);
        rows[0] = (int16_t)(first + key / (PM_SUITINGS * 13 * 13));
    }
}

/* Number the classes of holdings that agree in all features, in the order in which they occur; their rows have room for
 * as many as there are holdings. */
static inline void pm_holding_classes_of(const uint16_t *keys, int board_cards, pm_holding_classes *classes)
{
    enum { NEW = 0xfefe };
    uint16_t numbers[PM_HOLDING_KEYS + 1];
    const int first = board_cards ? PM_PREFLOP_ROWS + (board_cards - 3) * PM_POSTFLOP_ROWS : 0;
    memset(numbers, 0xfe, sizeof numbers);
    numbers[PM_NO_KEY] = PM_NO_CLASS;
    classes->n = 0;
    for (int holding = 0; holding < PM_HOLDINGS; holding++) {
        const int key = keys[holding];
        if (numbers[key] == NEW) {
            pm_feature_rows(key, board_cards > 0, first, classes->rows + PM_HOLDING_FEATURES * classes->n);
            numbers[key] = (uint16_t)classes->n++;
        }
        classes->of[holding] = numbers[key];
    }
}

#endif
