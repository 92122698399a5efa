/* Types of cards on a board, and what pairs of them beat.
 *
 * What a holding beats depends on the ranks of its cards, and where a suit has three cards or more on the board, also
 * on which of its cards are of that suit. So cards are of 13 types or 26, and pairs of types are compared, not
 * holdings. All counts are whole numbers.
 */
#ifndef POKERMODEL_BOARD_TYPES_H
#define POKERMODEL_BOARD_TYPES_H

#include <string.h>

#include "pokermodel/evaluation/field.h"

#define PM_CARD_TYPES 26
#define PM_TYPE_PAIRS (PM_CARD_TYPES * (PM_CARD_TYPES + 1) / 2)

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
        if (end == first + 1) { /* most pairs tie with none */
            const int pair = order[first], i = high[pair], j = low[pair], other = i == j ? 0 : b->live[i];
            const int mine = i == j ? b->live[i] - 1 : b->live[j];
            const int below = total - with[i] - with[j];
            total += i == j ? b->live[i] * mine / 2 : b->live[i] * mine;
            with[i] += mine;
            with[j] += other;
            b->score[pair] = (int16_t)(below + total - with[i] - with[j] + 1);
            first = end;
            continue;
        }
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

#endif
