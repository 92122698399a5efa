/* How often one holding beats, ties and loses to another over all runouts, for every two holdings of a field.
 *
 * The counts do not depend on weights: one pass serves every range on a board. Nor are they needed for every two
 * holdings. The flush suit is the suit, if any, in which one hole card can still make a flush; a card's type is its
 * rank and whether it is of that suit. If neither of two holdings can make a flush with both of its cards, the outcome
 * of a runout depends only on the types of its cards and of theirs; if they share no card, so does the number of
 * runouts of given types. Such holdings are "common": their kind is a pair of types, and one count stands for all
 * holdings of a kind. The others are "suited", and have counts of their own against every holding.
 *
 * Sums over common holdings have non-negative terms only: holdings that share a card are left out, not subtracted.
 */
#ifndef POKERMODEL_COUNTS_H
#define POKERMODEL_COUNTS_H

#include <stdlib.h>

#include "pokermodel/evaluation/cells.h"
#include "pokermodel/evaluation/field.h"
#include "pokermodel/evaluation/pairs.h"

#define PM_TYPES 26         /* ranks, and ranks in the flush suit */
#define PM_KINDS 260        /* pairs of ranks, and then 13*rank + rank with the first card in the flush suit */
#define PM_MEMBERS 16       /* most holdings of a kind */
#define PM_ROWS_AT_ONCE 24  /* right-hand rows that stay in the L1 cache while left-hand rows are compared with them */

typedef struct {
    int runouts; /* number of runouts of two holdings that share no card */
    int suited;  /* numbers of such holdings */
    int common;
    int kinds;                     /* number of kinds that occur */
    int flush_suit;                /* or -1 */
    int16_t position[PM_HOLDINGS]; /* list of positions: suited ones, weakest first, then common ones, kind by kind */
    int16_t place[PM_HOLDINGS];    /* place of a position in that list */
    int16_t suited_before[PM_HOLDINGS + 1]; /* number of suited positions before a position */
    int16_t kind[PM_KINDS];        /* the kinds that occur, weakest first */
    int16_t number[PM_KINDS];      /* place of a kind among them, or -1 */
    int16_t first[PM_KINDS + 1];   /* place of the first holding of each of them */
    int16_t weaker[PM_KINDS];      /* how many of them are weaker on the board as it is */
    int16_t not_stronger[PM_KINDS];
    uint16_t *win; /* suited rows of suited + common entries */
    uint16_t *tie;
    uint16_t *lose;
    uint16_t *kind_win; /* kinds rows of kinds entries */
    uint16_t *kind_tie;
    uint16_t *kind_lose;
} pm_counts;

static inline int pm_rank_pair(int high, int low)
{
    return high >= low ? high * (high + 1) / 2 + low : low * (low + 1) / 2 + high;
}

static inline int pm_type(const pm_counts *counts, int card)
{
    return (card >> 2) + ((card & 3) == counts->flush_suit ? 13 : 0);
}

/* Kind of two types, not both of the flush suit. */
static inline int pm_kind(int one, int other)
{
    if (one >= 13)
        return PM_RANK_PAIRS + 13 * (one - 13) + other;
    return other >= 13 ? PM_RANK_PAIRS + 13 * (other - 13) + one : pm_rank_pair(one, other);
}

static inline int pm_relation(unsigned other, unsigned hero)
{
    return other < hero ? PM_AHEAD : other == hero ? PM_TIED : PM_BEHIND;
}

static inline void pm_counts_free(pm_counts *counts)
{
    free(counts->win);
    memset(counts, 0, sizeof *counts);
}

/* Bytes of the counts themselves. */
static inline size_t pm_counts_size(const pm_counts *counts)
{
    size_t entries = (size_t)counts->suited * (size_t)(counts->suited + counts->common);
    return 3 * sizeof(uint16_t) * (entries + (size_t)counts->kinds * (size_t)counts->kinds);
}

/* ---- suited and common holdings */

/* Whether both cards of a holding can be part of a flush on the river. */
static inline int pm_is_suited(const pm_field *field, int position, int lookahead)
{
    int suit = field->high[position] & 3;
    return suit == (field->low[position] & 3) && pm_on_board(field->board, suit) + lookahead >= 3;
}

static inline void pm_list_holdings(const pm_field *field, int lookahead, pm_counts *counts)
{
    int16_t common[PM_HOLDINGS]; /* positions, weakest first */
    int n = 0, n_common = 0;
    counts->flush_suit = -1;
    for (int suit = 0; suit < 4; suit++)
        if (pm_on_board(field->board, suit) + lookahead >= 4)
            counts->flush_suit = suit;
    for (int kind = 0; kind < PM_KINDS; kind++)
        counts->number[kind] = -1;
    for (int position = 0; position < field->size; position++) {
        counts->suited_before[position] = (int16_t)n;
        if (pm_is_suited(field, position, lookahead)) {
            counts->position[n++] = (int16_t)position;
        } else {
            int kind = pm_kind(pm_type(counts, field->high[position]), pm_type(counts, field->low[position]));
            if (counts->number[kind] < 0) {
                counts->number[kind] = (int16_t)counts->kinds;
                counts->kind[counts->kinds] = (int16_t)kind;
                counts->first[counts->kinds++] = 0;
            }
            counts->first[counts->number[kind]]++;
            common[n_common++] = (int16_t)position;
        }
    }
    counts->suited_before[field->size] = (int16_t)n;
    counts->suited = n;
    counts->common = n_common;
    for (int k = 0; k < counts->kinds; k++) { /* numbers of holdings become first places */
        int holdings = counts->first[k];
        counts->first[k] = (int16_t)n;
        n += holdings;
    }
    counts->first[counts->kinds] = (int16_t)n;
    for (int k = 0; k < n_common; k++) {
        int position = common[k];
        int kind = pm_kind(pm_type(counts, field->high[position]), pm_type(counts, field->low[position]));
        counts->position[counts->first[counts->number[kind]]++] = (int16_t)position;
    }
    for (int k = counts->kinds; k > 0; k--) /* each first place is now that of the next kind */
        counts->first[k] = counts->first[k - 1];
    counts->first[0] = (int16_t)counts->suited;
    for (int place = 0; place < field->size; place++)
        counts->place[counts->position[place]] = (int16_t)place;
    for (int k = 0, start = 0; k < counts->kinds; k++) {
        unsigned rank = field->rank[counts->position[counts->first[k]]];
        int end = k + 1;
        if (k == 0 || rank != field->rank[counts->position[counts->first[k - 1]]])
            start = k;
        while (end < counts->kinds && field->rank[counts->position[counts->first[end]]] == rank)
            end++;
        counts->weaker[k] = (int16_t)start;
        counts->not_stronger[k] = (int16_t)end;
    }
}

/* ---- rows of strengths over the runouts */

/* Rows, which are needed only while counting. */
typedef struct {
    int columns;                     /* all runouts, including those with a card of a holding */
    size_t stride;                   /* bytes of a row */
    int n_with[PM_CARDS];
    int16_t with[PM_CARDS][PM_CARDS]; /* runouts that bring a card */
    int8_t *of_kinds;                /* a row for each kind that occurs */
    int8_t *left;                    /* left-hand rows: of suited holdings, and one more */
    int8_t *right;                   /* right-hand rows, by place */
    char *memory;                     /* the allocation that holds them */
} pm_rows;

/* Write a column of the rows: the strengths of all holdings on one final board, numbered densely from -127. They go to
 * the rows of kinds, and those of flushes with two hole cards to the rows of their holdings. */
static inline void pm_rank_runout(const pm_evaluator *e, const pm_field *field, const pm_counts *counts,
                                  const int seen[13], pm_hand board, uint64_t taken, pm_rows *rows, int column)
{
    uint64_t occurs[PM_RANK_WORDS] = {0};
    int16_t number[PM_RANKS + 1];
    uint16_t of_ranks[PM_RANK_PAIRS], of_flush[13] = {0}, flush[PM_HOLDINGS];
    int16_t flushed[PM_HOLDINGS];
    int8_t *into = rows->of_kinds + column;
    int n = 0, suit = -1, on_board = 0;
    uint32_t board_ranks = 0;
    for (int s = 0; s < 4; s++)
        if (pm_on_board(board, s) >= 3) {
            suit = s;
            on_board = pm_on_board(board, s);
            board_ranks = (uint32_t)(board.suits >> (16 * s)) & 0x1fff;
        }
    pm_rank_pairs(e, board, seen, of_ranks);
    for (int pair = 0; pair < PM_RANK_PAIRS; pair++)
        if (of_ranks[pair]) {
            if (on_board == 5)
                of_ranks[pair] = e->flush[board_ranks];
            pm_mark_rank(occurs, of_ranks[pair]);
        }
    for (int rank = 0; on_board >= 4 && rank < 13; rank++)
        if (!(board_ranks >> rank & 1)) {
            of_flush[rank] = e->flush[board_ranks | 1u << rank];
            pm_mark_rank(occurs, of_flush[rank]);
        }
    for (int k = 0; on_board && k < counts->suited; k++) {
        int high = field->high[counts->position[k]], low = field->low[counts->position[k]];
        if ((high & 3) != suit || (taken & (pm_card_bit(high) | pm_card_bit(low))))
            continue;
        flush[n] = e->flush[board_ranks | 1u << (high >> 2) | 1u << (low >> 2)];
        pm_mark_rank(occurs, flush[n]);
        flushed[n++] = (int16_t)k;
    }
    pm_number_ranks(occurs, number);
    for (int pair = 0; pair < PM_RANK_PAIRS; pair++)
        into[(size_t)pair * rows->stride] = (int8_t)(of_ranks[pair] ? number[of_ranks[pair]] - 127 : 0);
    for (int k = 0; k < counts->kinds; k++) {
        int kind = counts->kind[k], own = (kind - PM_RANK_PAIRS) / 13, other = (kind - PM_RANK_PAIRS) % 13;
        unsigned rank;
        if (kind < PM_RANK_PAIRS)
            continue;
        rank = of_flush[own] ? of_flush[own] : of_ranks[pm_rank_pair(own, other)];
        into[(size_t)kind * rows->stride] = (int8_t)(rank ? number[rank] - 127 : 0);
    }
    for (int k = 0; k < n; k++)
        rows->right[(size_t)flushed[k] * rows->stride + (size_t)column] = (int8_t)(number[flush[k]] - 127);
}

/* Make a left-hand row from a right-hand one: the lowest value where the runout has a card of the holding. */
static inline void pm_left_row(const pm_rows *rows, int place, int8_t *left)
{
    const int8_t *right = rows->right + (size_t)place * rows->stride;
    for (size_t k = 0; k < rows->stride; k++)
        left[k] = (int8_t)(right[k] == PM_ROW_HIGHEST ? PM_ROW_LOWEST : right[k]);
}

/* Fill the rows; PM_ROW_LOWEST marks what is not yet written. */
static inline void pm_fill_rows(const pm_evaluator *e, const pm_field *field, const pm_counts *counts, int lookahead,
                                pm_rows *rows)
{
    int unseen[PM_CARDS], seen[13] = {0};
    int n = 0, column = 0;
    for (int card = 0; card < PM_CARDS; card++)
        if (!(field->dead & pm_card_bit(card)))
            unseen[n++] = card;
    for (int k = 0; k < field->board_cards; k++)
        seen[field->card[k] >> 2]++;
    memset(rows->n_with, 0, sizeof rows->n_with);
    memset(rows->right, PM_ROW_LOWEST, (size_t)counts->suited * rows->stride);
    for (int i = 0; i < n; i++) {
        pm_hand board = pm_hand_add(e, field->board, unseen[i]);
        seen[unseen[i] >> 2]++;
        if (lookahead == 1) {
            pm_rank_runout(e, field, counts, seen, board, pm_card_bit(unseen[i]), rows, column);
            rows->with[unseen[i]][rows->n_with[unseen[i]]++] = (int16_t)column++;
        } else {
            for (int j = 0; j < i; j++) {
                seen[unseen[j] >> 2]++;
                pm_rank_runout(e, field, counts, seen, pm_hand_add(e, board, unseen[j]),
                               pm_card_bit(unseen[i]) | pm_card_bit(unseen[j]), rows, column);
                rows->with[unseen[i]][rows->n_with[unseen[i]]++] = (int16_t)column;
                rows->with[unseen[j]][rows->n_with[unseen[j]]++] = (int16_t)column++;
                seen[unseen[j] >> 2]--;
            }
        }
        seen[unseen[i] >> 2]--;
    }
    for (int place = 0; place < field->size; place++) {
        int high = field->high[counts->position[place]], low = field->low[counts->position[place]];
        int kind = place < counts->suited ? pm_rank_pair(high >> 2, low >> 2)
                                          : pm_kind(pm_type(counts, high), pm_type(counts, low));
        const int8_t *usual = rows->of_kinds + (size_t)kind * rows->stride;
        int8_t *row = rows->right + (size_t)place * rows->stride;
        if (place < counts->suited)
            for (int k = 0; k < rows->columns; k++)
                row[k] = row[k] == PM_ROW_LOWEST ? usual[k] : row[k];
        else
            memcpy(row, usual, (size_t)rows->columns);
        memset(row + rows->columns, PM_ROW_HIGHEST, rows->stride - (size_t)rows->columns);
        for (int side = 0; side < 2; side++) {
            int card = side ? low : high;
            for (int k = 0; k < rows->n_with[card]; k++)
                row[rows->with[card][k]] = PM_ROW_HIGHEST;
        }
    }
}

/* ---- the counts */

/* Count the outcomes of suited holdings against all. */
static inline void pm_count_suited(const pm_field *field, const pm_rows *rows, pm_compare_rows compare,
                                   pm_counts *counts)
{
    const int suited = counts->suited;
    const size_t length = (size_t)field->size, stride = rows->stride;
    for (int block = 0, end; block < field->size; block = end) {
        end = block + PM_ROWS_AT_ONCE < field->size ? block + PM_ROWS_AT_ONCE : field->size;
        if (block < suited && end > suited)
            end = suited;
        for (int k = 0; k < suited && k < end; k++) {
            int start = block < suited && k + 1 > block ? k + 1 : block;
            size_t at = (size_t)k * length + (size_t)start;
            if (start < end)
                compare(rows->left + (size_t)k * stride, rows->right + (size_t)start * stride, (int)stride, end - start,
                        counts->win + at, counts->tie + at);
        }
    }
    for (int k = 0; k < suited; k++) {
        uint16_t *win = counts->win + (size_t)k * length, *tie = counts->tie + (size_t)k * length;
        uint16_t *lose = counts->lose + (size_t)k * length;
        win[k] = tie[k] = lose[k] = 0;
        for (int j = k + 1; j < field->size; j++)
            lose[j] = (uint16_t)(counts->runouts - win[j] - tie[j]);
        for (int j = k + 1; j < field->size; j++) /* holdings that share a card never meet */
            if (pm_share_card(field, counts->position[k], counts->position[j]))
                win[j] = tie[j] = lose[j] = 0;
    }
    for (int k = 0; k < suited; k++) /* a win of one is a loss of the other */
        for (int j = 0; j < k; j++) {
            size_t here = (size_t)k * length + (size_t)j, there = (size_t)j * length + (size_t)k;
            counts->win[here] = counts->lose[there];
            counts->tie[here] = counts->tie[there];
            counts->lose[here] = counts->win[there];
        }
}

/* Count the outcomes of every two kinds, from two of their holdings that share no card, if there are such. */
static inline void pm_count_kinds(const pm_field *field, const pm_rows *rows, pm_compare_rows compare,
                                  pm_counts *counts)
{
    int8_t *left = rows->left + (size_t)counts->suited * rows->stride;
    int ready = -1; /* the position whose row is in `left` */
    memset(counts->kind_win, 0, 3 * (size_t)counts->kinds * (size_t)counts->kinds * sizeof(uint16_t));
    for (int own = 0; own < counts->kinds; own++)
        for (int other = 0; other <= own; other++) {
            size_t here = (size_t)own * (size_t)counts->kinds + (size_t)other;
            size_t there = (size_t)other * (size_t)counts->kinds + (size_t)own;
            int hero = counts->first[own], villain = counts->first[other], found = 0;
            while (hero < counts->first[own + 1] && !found) {
                found = !pm_share_card(field, counts->position[hero], counts->position[villain]);
                if (!found && ++villain == counts->first[other + 1]) {
                    villain = counts->first[other];
                    hero++;
                }
            }
            if (!found)
                continue;
            if (ready != hero)
                pm_left_row(rows, hero, left);
            ready = hero;
            compare(left, rows->right + (size_t)villain * rows->stride, (int)rows->stride, 1, counts->kind_win + here,
                    counts->kind_tie + here);
            counts->kind_lose[here] =
                (uint16_t)(counts->runouts - counts->kind_win[here] - counts->kind_tie[here]);
            counts->kind_win[there] = counts->kind_lose[here];
            counts->kind_tie[there] = counts->kind_tie[here];
            counts->kind_lose[there] = counts->kind_win[here];
        }
}

/* List the holdings and make their rows, to be freed by pm_rows_free; -1 if there is no memory. */
static inline int pm_rows_init(const pm_evaluator *e, const pm_field *field, int lookahead, pm_counts *counts,
                               pm_rows *rows)
{
    int unseen = PM_CARDS - pm_count_cards(field->dead);
    pm_list_holdings(field, lookahead, counts);
    rows->columns = lookahead == 1 ? unseen : unseen * (unseen - 1) / 2;
    counts->runouts = lookahead == 1 ? unseen - 4 : (unseen - 4) * (unseen - 5) / 2;
    rows->stride = (size_t)((rows->columns + PM_ROW_LANES - 1) / PM_ROW_LANES * PM_ROW_LANES);
    rows->memory = (char *)malloc((size_t)(field->size + counts->suited + 1 + PM_KINDS) * rows->stride + PM_ROW_LANES);
    if (!rows->memory)
        return -1;
    rows->right = (int8_t *)rows->memory + (PM_ROW_LANES - (size_t)rows->memory % PM_ROW_LANES);
    rows->left = rows->right + (size_t)field->size * rows->stride;
    rows->of_kinds = rows->left + (size_t)(counts->suited + 1) * rows->stride;
    pm_fill_rows(e, field, counts, lookahead, rows);
    return 0;
}

static inline void pm_rows_free(pm_rows *rows)
{
    free(rows->memory);
    rows->memory = NULL;
}

/* Count the runouts of `lookahead` cards; -1 if there is no memory, and then nothing is allocated. */
static inline int pm_counts_init(const pm_evaluator *e, const pm_field *field, int lookahead, pm_compare_rows compare,
                                 pm_counts *counts)
{
    pm_rows rows;
    size_t entries, kinds;
    memset(counts, 0, sizeof *counts);
    if (pm_rows_init(e, field, lookahead, counts, &rows))
        return -1;
    entries = (size_t)counts->suited * (size_t)field->size;
    kinds = (size_t)counts->kinds * (size_t)counts->kinds;
    counts->win = (uint16_t *)malloc(pm_counts_size(counts) + 1);
    if (!counts->win) {
        pm_rows_free(&rows);
        pm_counts_free(counts);
        return -1;
    }
    counts->tie = counts->win + entries;
    counts->lose = counts->tie + entries;
    counts->kind_win = counts->lose + entries;
    counts->kind_tie = counts->kind_win + kinds;
    counts->kind_lose = counts->kind_tie + kinds;
    for (int k = 0; k < counts->suited; k++)
        pm_left_row(&rows, k, rows.left + (size_t)k * rows.stride);
    pm_count_suited(field, &rows, compare, counts);
    pm_count_kinds(field, &rows, compare, counts);
    pm_rows_free(&rows);
    return 0;
}

/* ---- sums over weights; weights and results are by place in the list */

static inline double pm_cells_total(const double cells[9])
{
    double total = 0.0;
    for (int k = 0; k < 9; k++)
        total += cells[k];
    return total;
}

/* HS of the nine cells. Every two holdings have the same number of runouts, so it does not matter here. */
static inline double pm_strength_of_cells(const double cells[9])
{
    double now[3];
    for (int k = 0; k < 3; k++)
        now[k] = cells[3 * k] + cells[3 * k + 1] + cells[3 * k + 2];
    return pm_strength(now);
}

/* PPOT and NPOT of the nine cells [now][later] (Papp 1998, section 5.3); 0 if the divisor is 0. */
static inline void pm_potentials(const double cells[9], double *ppot, double *npot)
{
    const double *ahead = cells, *tied = cells + 3, *behind = cells + 6;
    double half_tied = (tied[0] + tied[1] + tied[2]) / 2;
    double below = behind[0] + behind[1] + behind[2] + half_tied, above = ahead[0] + ahead[1] + ahead[2] + half_tied;
    *ppot = below != 0 ? (behind[PM_AHEAD] + behind[PM_TIED] / 2 + tied[PM_AHEAD] / 2) / below : 0.0;
    *npot = above != 0 ? (ahead[PM_BEHIND] + ahead[PM_TIED] / 2 + tied[PM_BEHIND] / 2) / above : 0.0;
}

/* Weights of common holdings, by cards and types. */
typedef struct {
    int n_of_type[PM_TYPES];           /* cards that are neither dead nor on the board */
    uint8_t of_type[PM_TYPES][4];
    uint8_t type[PM_CARDS];
    double cards[PM_CARDS][PM_CARDS];  /* of two cards */
    double others[PM_CARDS][PM_CARDS]; /* of the second card and any other card of the first one's type */
    double others_type[PM_CARDS][PM_TYPES]; /* of any other card of this card's type and any card of a type */
    double other_pair[PM_CARDS];       /* of two other cards of this card's type */
    double kinds[PM_KINDS];
} pm_common_weights;

static inline void pm_common_weights_init(const pm_field *field, const pm_counts *counts, const double *weights,
                                          pm_common_weights *common)
{
    memset(common, 0, sizeof *common);
    for (int card = 0; card < PM_CARDS; card++) {
        int type = pm_type(counts, card);
        common->type[card] = (uint8_t)type;
        if (!(field->dead & pm_card_bit(card)))
            common->of_type[type][common->n_of_type[type]++] = (uint8_t)card;
    }
    for (int kind = 0; kind < counts->kinds; kind++)
        for (int k = counts->first[kind]; k < counts->first[kind + 1]; k++) {
            int high = field->high[counts->position[k]], low = field->low[counts->position[k]];
            common->cards[high][low] = common->cards[low][high] = weights[k];
            common->kinds[kind] += weights[k];
        }
    for (int type = 0; type < PM_TYPES; type++)
        for (int k = 0; k < common->n_of_type[type]; k++) {
            int card = common->of_type[type][k];
            for (int m = 0; m < common->n_of_type[type]; m++) {
                int other = common->of_type[type][m];
                if (m == k)
                    continue;
                for (int c = 0; c < PM_CARDS; c++)
                    common->others[card][c] += common->cards[other][c];
                for (int l = 0; l < m; l++)
                    common->other_pair[card] += l != k ? common->cards[other][common->of_type[type][l]] : 0.0;
            }
            for (int c = 0; c < PM_CARDS; c++)
                common->others_type[card][common->type[c]] += common->others[card][c];
        }
}

/* Add the holdings of one kind, given by number, of a total weight, to the cells of a holding of another kind. */
static inline void pm_add_kind(const pm_counts *counts, int own, int other, double weight, double cells[9])
{
    PM_NO_CONTRACT
    size_t at = (size_t)own * (size_t)counts->kinds + (size_t)other;
    int relation = other < counts->weaker[own] ? PM_AHEAD : other < counts->not_stronger[own] ? PM_TIED : PM_BEHIND;
    double *now = cells + 3 * relation;
    now[PM_AHEAD] += weight * counts->kind_win[at];
    now[PM_TIED] += weight * counts->kind_tie[at];
    now[PM_BEHIND] += weight * counts->kind_lose[at];
}

/* Sums of the kind `own` over holdings that have another card of one of its types, and none of its other type, by the
 * card of that type. The sums of different cards grow in turn, so that no addition waits for the one before. */
static inline void pm_shared_cells(const pm_counts *counts, const pm_common_weights *common, int own, int type,
                                   int partner, double cells[4][9])
{
    const int n = common->n_of_type[type];
    const uint8_t *cards = common->of_type[type];
    memset(cells, 0, 4 * sizeof cells[0]);
    for (int third = 0; third < PM_TYPES && n > 1; third++) {
        int number = third != partner && (type < 13 || third < 13) ? counts->number[pm_kind(type, third)] : -1;
        for (int k = 0; k < n && number >= 0; k++)
            pm_add_kind(counts, own, number,
                        third == type ? common->other_pair[cards[k]] : common->others_type[cards[k]][third],
                        cells[cards[k] & 3]);
    }
}

/* The cells of common holdings against common ones, nine columns of `size`. Two kinds without a common type give the
 * same to all of their holdings; which cards they are matters only if types are shared. */
static inline void pm_common_cells(const pm_field *field, const pm_counts *counts, const double *weights,
                                   pm_sum_pairs sum_pairs, double *columns)
{
    const int size = field->size, kinds = counts->kinds;
    pm_common_weights common;
    double apart[PM_KINDS]; /* weights of the kinds without a common type */
    pm_common_weights_init(field, counts, weights, &common);
    memcpy(apart, common.kinds, sizeof apart);
    for (int own = 0; own < kinds; own++) {
        const int first = counts->position[counts->first[own]];
        const int type[2] = {common.type[field->high[first]], common.type[field->low[first]]};
        const int ends[4] = {0, counts->weaker[own], counts->not_stronger[own], kinds};
        const size_t row = (size_t)own * (size_t)kinds;
        double base[9] = {0};
        double shared[2][4][9]; /* by the card of each type */
        for (int side = 0; side < 2; side++)
            for (int third = 0; third < (type[side] < 13 ? PM_TYPES : 13); third++)
                if (counts->number[pm_kind(type[side], third)] >= 0)
                    apart[counts->number[pm_kind(type[side], third)]] = 0.0;
        for (int now = PM_AHEAD; now <= PM_BEHIND; now++) {
            size_t at = row + (size_t)ends[now];
            sum_pairs(counts->kind_win + at, counts->kind_tie + at, counts->kind_lose + at, apart + ends[now],
                      ends[now + 1] - ends[now], base + 3 * now);
        }
        for (int side = 0; side < 2; side++)
            for (int third = 0; third < (type[side] < 13 ? PM_TYPES : 13); third++) {
                int number = counts->number[pm_kind(type[side], third)];
                if (number >= 0)
                    apart[number] = common.kinds[number];
            }
        for (int side = 0; side < 2 && type[0] != type[1]; side++)
            pm_shared_cells(counts, &common, own, type[side], type[1 - side], shared[side]);
        for (int k = counts->first[own]; k < counts->first[own + 1]; k++) {
            int a = field->high[counts->position[k]], b = field->low[counts->position[k]];
            double cells[9], left = 0.0; /* what is left is the weight of those of the same kind */
            if (type[0] == type[1]) {
                int free_cards[2] = {-1, -1}, n_free = 0;
                memcpy(cells, base, sizeof cells);
                for (int m = 0; m < common.n_of_type[type[0]]; m++)
                    if (common.of_type[type[0]][m] != a && common.of_type[type[0]][m] != b)
                        free_cards[n_free++] = common.of_type[type[0]][m];
                for (int third = 0; third < PM_TYPES; third++) {
                    double weight = 0.0;
                    for (int f = 0; f < n_free && third != type[0]; f++)
                        for (int m = 0; m < common.n_of_type[third]; m++)
                            weight += common.cards[free_cards[f]][common.of_type[third][m]];
                    if (weight > 0)
                        pm_add_kind(counts, own, counts->number[pm_kind(type[0], third)], weight, cells);
                }
                if (n_free == 2)
                    left = common.cards[free_cards[0]][free_cards[1]];
            } else {
                const int side = common.type[a] == type[0] ? 0 : 1;
                const double *one = shared[side][a & 3], *two = shared[1 - side][b & 3];
                for (int m = 0; m < common.n_of_type[common.type[b]]; m++)
                    if (common.of_type[common.type[b]][m] != b)
                        left += common.others[a][common.of_type[common.type[b]][m]];
                for (int c = 0; c < 9; c++)
                    cells[c] = base[c] + one[c] + two[c];
            }
            pm_add_kind(counts, own, own, left, cells);
            for (int c = 0; c < 9; c++)
                columns[c * size + k] = cells[c];
        }
    }
}

/* The nine cells [now][later] of every holding against `weights`, as nine columns of `size`; zeros if all weights
 * against a holding are 0. */
static inline void pm_counts_cells(const pm_field *field, const pm_counts *counts, const double *weights,
                                   pm_add_pairs add_pairs, pm_sum_pairs sum_pairs, double *columns)
{
    const int size = field->size, suited = counts->suited;
    pm_common_cells(field, counts, weights, sum_pairs, columns);
    for (int k = 0; k < suited; k++) {
        int weaker = field->group_start[counts->position[k]], not_stronger = field->group_end[counts->position[k]];
        int suited_ends[3] = {counts->suited_before[weaker], counts->suited_before[not_stronger], suited};
        int common_ends[3] = {suited + weaker - suited_ends[0], suited + not_stronger - suited_ends[1], size};
        double hero[9] = {0};
        int start = 0;
        for (int common = 0; common < 2; common++) {
            for (int now = PM_AHEAD; now <= PM_BEHIND; now++) {
                int end = common ? common_ends[now] : suited_ends[now];
                size_t at = (size_t)k * (size_t)size + (size_t)start;
                double *theirs = columns + 3 * (PM_BEHIND - now) * size + start; /* to the others, behind is ahead */
                if (common)
                    add_pairs(counts->win + at, counts->tie + at, counts->lose + at, weights + start, weights[k],
                              end - start, hero + 3 * now, theirs, theirs + size, theirs + 2 * size);
                else
                    sum_pairs(counts->win + at, counts->tie + at, counts->lose + at, weights + start, end - start,
                              hero + 3 * now);
                start = end;
            }
        }
        for (int c = 0; c < 9; c++)
            columns[c * size + k] = hero[c];
    }
}

/* The nine cells of the holding at one place. */
static inline void pm_counts_one(const pm_field *field, const pm_counts *counts, int own, const double *weights,
                                 double cells[9])
{
    PM_NO_CONTRACT
    const size_t size = (size_t)field->size;
    const int hero = counts->position[own], suited = counts->suited;
    int own_kind = 0;
    memset(cells, 0, 9 * sizeof(double));
    while (own >= suited && own >= counts->first[own_kind + 1])
        own_kind++;
    for (int k = 0, kind = 0; k < field->size; k++) {
        int other = counts->position[k];
        double *now = cells + 3 * pm_relation(field->rank[other], field->rank[hero]);
        size_t at = own < suited ? (size_t)own * size + (size_t)k : (size_t)k * size + (size_t)own;
        if (k >= suited && k >= counts->first[kind + 1])
            kind++;
        if (own < suited) {
            now[PM_AHEAD] += weights[k] * counts->win[at];
            now[PM_TIED] += weights[k] * counts->tie[at];
            now[PM_BEHIND] += weights[k] * counts->lose[at];
        } else if (k < suited) {
            now[PM_AHEAD] += weights[k] * counts->lose[at];
            now[PM_TIED] += weights[k] * counts->tie[at];
            now[PM_BEHIND] += weights[k] * counts->win[at];
        } else if (k != own && !pm_share_card(field, hero, other)) {
            pm_add_kind(counts, own_kind, kind, weights[k], cells);
        }
    }
}

#endif
