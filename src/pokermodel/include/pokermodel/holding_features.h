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

#include "pokermodel/cards.h"
#include "pokermodel/evaluator.h"
#include "pokermodel/outs.h"

enum {
    PM_HOLDING_FEATURES = 4,
    PM_STRENGTHS = 16,
    PM_DRAWS = 6,
    PM_MADE = 14,
    PM_CHANGES = 3,
    PM_KINDS = 3,
    PM_HOLDING_KEYS = PM_STRENGTHS * 13 * 13 * PM_KINDS, /* tuples of features there can be, of either sort */
    PM_PREFLOP_ROWS = PM_STRENGTHS + 13 + 13 + PM_KINDS,
    PM_POSTFLOP_ROWS = PM_STRENGTHS + PM_DRAWS + PM_MADE + PM_CHANGES,
    PM_HOLDING_ROWS = PM_PREFLOP_ROWS + 3 * PM_POSTFLOP_ROWS, /* of all features of all rounds */
    PM_NO_CLASS = 0xffff                                     /* of a holding that is not possible */
};

typedef struct {
    int n;
    uint16_t of[PM_HOLDINGS];                               /* class of each holding */
    int16_t rows[PM_HOLDINGS * PM_HOLDING_FEATURES];        /* rows of each class: its features, numbered through */
} pm_holding_classes;

static const double PM_STRENGTH_BORDERS[PM_STRENGTHS - 1] = {.1,  .2,  .3,  .4,  .5,   .6,   .68, .75,
                                                             .82, .87, .91, .94, .965, .985, .995};
static const double PM_CHANGE = .12; /* of strength, from which on it counts */
static const int PM_PREFLOP_SIZES[PM_HOLDING_FEATURES] = {PM_STRENGTHS, 13, 13, PM_KINDS};
static const int PM_POSTFLOP_SIZES[PM_HOLDING_FEATURES] = {PM_STRENGTHS, PM_DRAWS, PM_MADE, PM_CHANGES};

static inline int pm_bin(double value, const double *borders, int n)
{
    int bin = 0;
    while (bin < n && value >= borders[bin])
        bin++;
    return bin;
}

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

/* Ranks of the next card that make a straight with the cards held, and would not with the board alone. */
static inline int pm_straight_outs(unsigned board_ranks, unsigned held_ranks)
{
    int outs = 0;
    if (pm_has_straight(board_ranks | held_ranks))
        return 0;
    for (int rank = 0; rank < 13; rank++) {
        const unsigned card = 1u << rank;
        outs += pm_has_straight(board_ranks | held_ranks | card) && !pm_has_straight(board_ranks | card);
    }
    return outs;
}

/* The features of all holdings on a board, each tuple as one number; PM_NO_CLASS where a holding is not possible. Strengths
 * are by holding, nan where it is not; `before` holds the strengths on the board before, or is NULL. Draws: 0 none, 1 one rank makes a straight, 2 two or more do, 3 one card is missing
 * for a flush, 4 and one rank makes a straight, 5 or two or more.
 */
static inline void pm_holding_keys(const pm_evaluator *e, const int *board, int board_cards, const double *strengths,
                                   const double *before, uint16_t *keys)
{
    enum { STEPS = 128 }; /* fine enough that there is one border in each, at most */
    uint8_t made[13][13], draws[13][13], first_bin[STEPS + 1], flush[4][4], four[4][4];
    int rank_count[13] = {0}, suit_count[4] = {0}, board_category, board_flush, top = 12, second;
    unsigned ranks = 0;
    unsigned board_rank = 0;
    pm_hand hand = pm_hand_empty();
    for (int k = 0; k < board_cards; k++) {
        rank_count[board[k] >> 2]++;
        suit_count[board[k] & 3]++;
        ranks |= 1u << (board[k] >> 2);
        hand = pm_hand_add(e, hand, board[k]);
    }
    board_flush = suit_count[board[0] & 3] == 5;
    board_category = 0;
    for (int rank = 0, pairs = 0; rank < 13; rank++) {
        pairs += rank_count[rank] == 2;
        if (rank_count[rank] == 4)
            board_category = 7;
        else if (rank_count[rank] == 3 && board_category < 3)
            board_category = 3;
        else if (pairs && board_category < 2)
            board_category = pairs;
    }
    while (!rank_count[top])
        top--;
    second = top - 1;
    while (second > 0 && !rank_count[second])
        second--;
    if (board_cards == 5)
        board_rank = pm_hand_rank(e, hand);
    /* by ranks, without flushes */
    for (int a = 0; a < 13; a++)
        for (int b = 0; b <= a; b++) {
            int straight = 0;
            made[a][b] = draws[a][b] = 0;
            if (rank_count[a] + 1 + (a == b) > 4 || rank_count[b] + 1 > 4)
                continue; /* there are no such cards */
            if (board_cards < 5)
                straight = pm_straight_outs(ranks, 1u << a | 1u << b);
            draws[a][b] = (uint8_t)(straight > 1 ? 2 : straight);
            {
                const pm_hand all = pm_hand_add(e, pm_hand_add(e, hand, 4 * a), 4 * b);
                const unsigned rank = pm_hand_rank_no_flush(e, all);
                made[a][b] = (uint8_t)pm_made(a, b, top, second, rank_count, pm_rank_category(rank), board_category,
                                              rank == board_rank);
            }
        }
    memset(first_bin, 0, sizeof first_bin);
    for (int bin = 0; bin < PM_STRENGTHS - 1; bin++) { /* steps that begin at a border or above it */
        const int first = (int)ceil(PM_STRENGTH_BORDERS[bin] * STEPS);
        memset(first_bin + first, bin + 1, sizeof first_bin - (size_t)first);
    }
    for (int s = 0; s < 4; s++)
        for (int t = 0; t < 4; t++) {
            const int most = suit_count[s] > suit_count[t] ? suit_count[s] : suit_count[t];
            flush[s][t] = (uint8_t)(board_flush || most + 1 + (s == t) >= 5);
            four[s][t] = (uint8_t)(board_cards < 5 && (s == t ? suit_count[s] == 2 : most == 3));
        }
    for (int high = 1, holding = 0; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++, holding++) {
            const double strength = strengths[holding], change = before ? strength - before[holding] : 0.0;
            const int s = high & 3, t = low & 3, a = high >> 2, b = low >> 2;
            int bin, makes = made[a][b];
            if (isnan(strength)) {
                keys[holding] = PM_NO_CLASS;
                continue;
            }
            bin = first_bin[strength < 1 ? strength > 0 ? (int)(strength * STEPS) : 0 : STEPS];
            bin += bin < PM_STRENGTHS - 1 && strength >= PM_STRENGTH_BORDERS[bin];
            if (flush[s][t]) {
                const unsigned rank = pm_hand_rank(e, pm_hand_add(e, pm_hand_add(e, hand, high), low));
                makes = pm_made(a, b, top, second, rank_count, pm_rank_category(rank), board_category,
                                rank == board_rank);
            }
            keys[holding] = (uint16_t)(((bin * PM_DRAWS + 3 * four[s][t] + draws[a][b]) * PM_MADE + makes) * PM_CHANGES +
                                       1 - (change < -PM_CHANGE) + (change > PM_CHANGE));
        }
}

/* The same before the flop; shares are of the holdings that win less. */
static inline void pm_holding_keys_preflop(const double *shares, uint16_t *keys)
{
    for (int high = 1, holding = 0; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++, holding++) {
            const int kind = high >> 2 == low >> 2 ? 0 : (high & 3) == (low & 3) ? 1 : 2;
            const int bin = pm_bin(shares[holding], PM_STRENGTH_BORDERS, PM_STRENGTHS - 1);
            keys[holding] = isnan(shares[holding])
                                ? PM_NO_CLASS
                                : (uint16_t)(((bin * 13 + (high >> 2)) * 13 + (low >> 2)) * PM_KINDS + kind);
        }
}

/* Number the classes of holdings that agree in all features, in the order in which they occur. */
static inline void pm_holding_classes_of(const uint16_t *keys, int board_cards, pm_holding_classes *classes)
{
    const int *sizes = board_cards ? PM_POSTFLOP_SIZES : PM_PREFLOP_SIZES;
    int16_t numbers[PM_HOLDING_KEYS];
    int first[PM_HOLDING_FEATURES], row = board_cards ? PM_PREFLOP_ROWS + (board_cards - 3) * PM_POSTFLOP_ROWS : 0;
    for (int f = 0; f < PM_HOLDING_FEATURES; f++) {
        first[f] = row;
        row += sizes[f];
    }
    memset(numbers, 0xff, (size_t)(sizes[0] * sizes[1] * sizes[2] * sizes[3]) * sizeof *numbers); /* -1 */
    classes->n = 0;
    for (int holding = 0; holding < PM_HOLDINGS; holding++) {
        int key = keys[holding];
        if (key == PM_NO_CLASS) {
            classes->of[holding] = PM_NO_CLASS;
            continue;
        }
        if (numbers[key] < 0) {
            numbers[key] = (int16_t)classes->n++;
            for (int f = PM_HOLDING_FEATURES - 1, rest = key; f >= 0; rest /= sizes[f--])
                classes->rows[PM_HOLDING_FEATURES * numbers[key] + f] = (int16_t)(first[f] + rest % sizes[f]);
        }
        classes->of[holding] = (uint16_t)numbers[key];
    }
}

#endif
