/* The holdings of two players and the boards of a subgame.
 *
 * A player's holdings are those with a weight that the root's board leaves; `place` counts them. Every later board has
 * the same places: holdings that a dealt card kills are left out where hands end, and so are worth 0 everywhere above.
 *
 * Suits may be renamed where neither the root's board nor a range (or a lock) notices. Of boards that only differ by
 * such a name one is solved; the others are its images, whose values are found by a permutation of places.
 */
#ifndef POKERMODEL_BOARDS_H
#define POKERMODEL_BOARDS_H

#include <stdlib.h>
#include <string.h>

#include "pokermodel/evaluation/field.h"

enum {
    PM_PLACES = 1328, /* most places, and rows end at a multiple of 16 */
    PM_RENAMINGS = 24,
    PM_DEALS = 2 /* most deals of a subgame */
};

/* Card `card` of a deal is the represented card by the renaming `renaming`. */
typedef struct {
    uint8_t card, renaming;
} pm_image;

/* A board that is solved. */
typedef struct {
    uint64_t cards;
    uint8_t dealt[PM_DEALS];
    uint8_t deals;      /* cards dealt since the root */
    float chance;       /* of the cards dealt since the root, beside that of cards that are alike likely */
    uint32_t symmetric; /* renamings that leave it alone */
    int32_t parent;
    int32_t first, children;   /* boards of the next street */
    int32_t images, image_end; /* of the card that was dealt last, itself first */
    uint16_t *order[2];        /* places that are alive: on the river weakest first, else rising */
    float *living[2];          /* 1 for those, 0 for the others */
    uint16_t *group[2];        /* on the river: where each group of equal strength ends in the order */
    int32_t alive[2], groups;
} pm_board;

typedef struct {
    int n[2], pad[2]; /* places, and rounded up to whole vectors */
    int cards;        /* of the root's board */
    float deal[PM_CARDS]; /* how much likelier each card is dealt than if all were alike; below 0 it is not looked at */
    float again;          /* the same of any card of a second deal, besides */
    uint16_t holding[2][PM_PLACES];
    uint8_t high[2][PM_PLACES], low[2][PM_PLACES];
    uint16_t same[2][PM_PLACES]; /* the other player's place of a holding, or their `pad` if they cannot have it */
    float weight[2][PM_PLACES];  /* sums to 1 */
    int16_t place[2][PM_HOLDINGS]; /* -1: not in the range */
    int renamings;
    uint8_t suit[PM_RENAMINGS][4];                   /* what a suit becomes */
    uint16_t *from[2][PM_RENAMINGS];                 /* whose value the place of an image has */
    pm_board *board;
    pm_image *image;
    int32_t boards, first[PM_DEALS + 2]; /* first board of each street */
} pm_solving_boards;

static inline void pm_boards_free(pm_solving_boards *b)
{
    for (int32_t k = 0; b->board && k < b->boards; k++) {
        free(b->board[k].order[0]);
        free(b->board[k].group[0]);
        free(b->board[k].living[0]);
    }
    for (int p = 0; p < 2; p++)
        for (int r = 0; r < PM_RENAMINGS; r++)
            free(b->from[p][r]);
    free(b->board);
    free(b->image);
    memset(b, 0, sizeof *b);
}

static inline int pm_renamed_card(const uint8_t suit[4], int card)
{
    return (card & ~3) | suit[card & 3];
}

static inline int pm_renamed_holding(const pm_solving_boards *b, int renaming, int holding_high, int holding_low)
{
    return pm_holding(pm_renamed_card(b->suit[renaming], holding_high), pm_renamed_card(b->suit[renaming], holding_low));
}

static inline uint64_t pm_renamed_cards(const uint8_t suit[4], uint64_t cards)
{
    uint64_t found = 0;
    for (; cards; cards &= cards - 1)
        found |= pm_card_bit(pm_renamed_card(suit, pm_lowest_bit(cards)));
    return found;
}

/* List the holdings of both players: those with a weight that the board leaves. */
static inline void pm_boards_places(pm_solving_boards *b, uint64_t board, const double *const weights[2])
{
    for (int p = 0; p < 2; p++) {
        double total = 0.0;
        int n = 0;
        for (int high = 1; high < PM_CARDS; high++)
            for (int low = 0; low < high; low++) {
                const int holding = pm_holding(high, low);
                b->place[p][holding] = -1;
                if (weights[p][holding] <= 0.0 || board & (pm_card_bit(high) | pm_card_bit(low)))
                    continue;
                b->place[p][holding] = (int16_t)n;
                b->holding[p][n] = (uint16_t)holding;
                b->high[p][n] = (uint8_t)high;
                b->low[p][n] = (uint8_t)low;
                total += weights[p][holding];
                n++;
            }
        b->n[p] = n;
        b->pad[p] = (n + 15) / 16 * 16;
        for (int k = 0; k < n; k++)
            b->weight[p][k] = (float)(weights[p][b->holding[p][k]] / total);
        for (int k = n; k < b->pad[p]; k++)
            b->weight[p][k] = 0.0f;
    }
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < b->n[p]; k++) {
            const int other = b->place[!p][b->holding[p][k]];
            b->same[p][k] = (uint16_t)(other < 0 ? b->pad[!p] : other);
        }
}

/* Find the renamings of suits that neither the board, a range nor a deal notices. `wanted` is false if there shall be none but
 * the one that renames nothing. Returns -1 if there is no memory. */
static inline int pm_boards_renamings(pm_solving_boards *b, uint64_t board, const double *const weights[2], int wanted)
{
    for (int code = 0; code < 256; code++) {
        const uint8_t suit[4] = {(uint8_t)(code & 3), (uint8_t)(code >> 2 & 3), (uint8_t)(code >> 4 & 3),
                                 (uint8_t)(code >> 6 & 3)};
        const int same = suit[0] == 0 && suit[1] == 1 && suit[2] == 2 && suit[3] == 3;
        int fine = (1 << suit[0] | 1 << suit[1] | 1 << suit[2] | 1 << suit[3]) == 15 && (same || wanted);
        if (!fine || pm_renamed_cards(suit, board) != board)
            continue;
        memcpy(b->suit[b->renamings], suit, 4);
        for (int card = 0; card < PM_CARDS && fine; card++)
            fine = board >> card & 1 || b->deal[pm_renamed_card(suit, card)] == b->deal[card];
        for (int p = 0; p < 2 && fine; p++)
            for (int k = 0; k < b->n[p] && fine; k++)
                fine = weights[p][pm_renamed_holding(b, b->renamings, b->high[p][k], b->low[p][k])] ==
                       weights[p][b->holding[p][k]];
        b->renamings += fine;
    }
    /* the one that renames nothing comes first */
    for (int r = 0; r < b->renamings; r++)
        if (b->suit[r][0] == 0 && b->suit[r][1] == 1 && b->suit[r][2] == 2 && b->suit[r][3] == 3) {
            uint8_t first[4];
            memcpy(first, b->suit[0], 4);
            memcpy(b->suit[0], b->suit[r], 4);
            memcpy(b->suit[r], first, 4);
        }
    for (int p = 0; p < 2; p++)
        for (int r = 0; r < b->renamings; r++) {
            b->from[p][r] = (uint16_t *)malloc((size_t)b->pad[p] * sizeof(uint16_t));
            if (!b->from[p][r])
                return -1;
            for (int k = 0; k < b->n[p]; k++)
                b->from[p][r][b->place[p][pm_renamed_holding(b, r, b->high[p][k], b->low[p][k])]] = (uint16_t)k;
            for (int k = b->n[p]; k < b->pad[p]; k++)
                b->from[p][r][k] = (uint16_t)k;
        }
    return 0;
}

/* How many boards each street has; the cards of a first deal that are solved are the boards of street 1. With `made`,
 * which has room for them, boards and images are filled. */
static inline void pm_boards_list(pm_solving_boards *b, uint64_t root, int streets, int32_t count[PM_DEALS + 1],
                                  int32_t *images, int made)
{
    int32_t boards = 1, pictured = 0, begin = 0, end = 1;
    pm_board all[1 + PM_CARDS]; /* enough to count two deals */
    pm_board *board = made ? b->board : all;
    memset(&board[0], 0, sizeof board[0]);
    board[0].cards = root;
    board[0].parent = -1;
    board[0].chance = 1.0f;
    board[0].symmetric = (UINT32_C(1) << b->renamings) - 1;
    count[0] = 1;
    for (int deal = 1; deal < streets; deal++) {
        int32_t next = 0;
        for (int32_t k = begin; k < end; k++) {
            board[k].first = boards;
            for (int card = 0; card < PM_CARDS; card++) {
                uint64_t orbit = 0;
                uint32_t keeps = 0;
                int32_t first = pictured;
                if (board[k].cards >> card & 1 || b->deal[card] < 0.0f)
                    continue;
                for (int r = 0; r < b->renamings; r++)
                    if (board[k].symmetric >> r & 1) {
                        const int to = pm_renamed_card(b->suit[r], card);
                        if (to == card)
                            keeps |= UINT32_C(1) << r;
                        if (orbit >> to & 1)
                            continue;
                        orbit |= pm_card_bit(to);
                        if (made) {
                            b->image[pictured].card = (uint8_t)to;
                            b->image[pictured].renaming = (uint8_t)r;
                        }
                        pictured++;
                    }
                if (pm_lowest_bit(orbit) < card) { /* an image of a card that came before */
                    pictured = first;
                    continue;
                }
                if (made || deal == 1) {
                    pm_board *child = board + boards;
                    memset(child, 0, sizeof *child);
                    child->cards = board[k].cards | pm_card_bit(card);
                    child->symmetric = keeps;
                    child->chance = board[k].chance * b->deal[card] * (deal == 2 ? b->again : 1.0f);
                    memcpy(child->dealt, board[k].dealt, sizeof child->dealt);
                    child->dealt[deal - 1] = (uint8_t)card;
                    child->deals = (uint8_t)deal;
                    child->parent = k;
                    child->images = first;
                    child->image_end = pictured;
                }
                board[k].children++;
                boards++;
                next++;
            }
        }
        count[deal] = next;
        begin = end;
        end = boards;
    }
    *images = pictured;
}

/* Order the holdings on every board. Returns -1 if there is no memory. */
static inline int pm_boards_order(const pm_evaluator *e, pm_solving_boards *b, int streets)
{
    for (int32_t k = 0; k < b->boards; k++) {
        pm_board *board = b->board + k;
        const int river = board->deals == streets - 1;
        uint16_t *space = (uint16_t *)malloc((size_t)(b->pad[0] + b->pad[1]) * sizeof *space);
        float *living = (float *)calloc((size_t)(b->pad[0] + b->pad[1]), sizeof *living);
        board->order[0] = space;
        board->living[0] = living;
        if (!space || !living)
            return -1;
        board->order[1] = space + b->pad[0];
        board->living[1] = living + b->pad[0];
        for (int p = 0; p < 2; p++)
            for (int place = 0; place < b->n[p]; place++) {
                if (board->cards & (pm_card_bit(b->high[p][place]) | pm_card_bit(b->low[p][place])))
                    continue;
                board->living[p][place] = 1.0f;
                if (!river)
                    board->order[p][board->alive[p]++] = (uint16_t)place;
            }
        if (river) {
            pm_field field;
            int cards[5], n = 0;
            for (uint64_t left = board->cards; left; left &= left - 1)
                cards[n++] = pm_lowest_bit(left);
            pm_field_init(e, &field, cards, 5, 0);
            board->group[0] = (uint16_t *)malloc((size_t)(2 * (field.size + 1)) * sizeof *space);
            if (!board->group[0])
                return -1;
            board->group[1] = board->group[0] + field.size + 1;
            for (int at = 0; at < field.size;) {
                const int before = board->alive[0] + board->alive[1];
                int to = field.group_end[at];
                for (; at < to; at++)
                    for (int p = 0; p < 2; p++) {
                        const int place = b->place[p][field.holding[at]];
                        if (place >= 0)
                            board->order[p][board->alive[p]++] = (uint16_t)place;
                    }
                if (board->alive[0] + board->alive[1] == before)
                    continue;
                for (int p = 0; p < 2; p++)
                    board->group[p][board->groups] = (uint16_t)board->alive[p];
                board->groups++;
            }
        }
    }
    return 0;
}

/* Everything about the boards of a subgame whose places are listed and whose renamings are found. Returns -1 if there is
 * no memory. */
static inline int pm_boards_make(const pm_evaluator *e, pm_solving_boards *b, uint64_t root, int streets)
{
    int32_t count[PM_DEALS + 1] = {0}, images;
    pm_boards_list(b, root, streets, count, &images, 0);
    for (int deal = 0; deal < streets; deal++) {
        b->first[deal] = b->boards;
        b->boards += count[deal];
    }
    b->first[streets] = b->boards;
    b->board = (pm_board *)calloc((size_t)b->boards, sizeof *b->board);
    b->image = (pm_image *)malloc(((size_t)images + 1) * sizeof *b->image);
    if (!b->board || !b->image)
        return -1;
    pm_boards_list(b, root, streets, count, &images, 1);
    return pm_boards_order(e, b, streets);
}

#endif
