/* How often one holding beats, ties and loses to another over all runouts, for every two holdings of a field.
 *
 * The counts do not depend on weights, so that one pass serves every range on a board. They need not be made for
 * every two holdings: while neither can make a flush with a card of his own, the outcome of a runout depends on the
 * ranks alone; and for holdings that share no card, so does the number of runouts that bring certain ranks. Such
 * holdings are "plain", and one count stands for all of them with the same two ranks. The others are "suited": they
 * keep counts against every holding.
 *
 * Every sum over plain holdings is one of non-negative terms: holdings that share a card are left out, not taken off.
 */
#ifndef POKERMODEL_COUNTS_H
#define POKERMODEL_COUNTS_H

#include <stdlib.h>

#include "pokermodel/cells.h"
#include "pokermodel/field.h"
#include "pokermodel/pairs.h"

#define PM_RANK_PAIRS 91    /* pairs of ranks, high*(high+1)/2 + low */
#define PM_ROWS_AT_ONCE 24  /* right-hand rows that stay in the first cache while left-hand rows pass by */

/* Runouts won, tied and lost. */
typedef struct {
    uint16_t win, tie, lose;
} pm_outcomes;

typedef struct {
    int runouts; /* that any two holdings can see */
    int suited;  /* numbers of holdings of each kind */
    int plain;
    int16_t position[PM_HOLDINGS];  /* of the suited, weakest first, then of the plain */
    int16_t place[PM_HOLDINGS];     /* of a position in that list */
    int16_t suited_before[PM_HOLDINGS + 1]; /* how many of the positions before are suited */
    uint8_t ranks[PM_HOLDINGS];     /* pair of ranks of each position */
    uint16_t rank_now[PM_RANK_PAIRS]; /* of the plain holdings of a pair of ranks; 0 without any */
    pm_outcomes of_ranks[PM_RANK_PAIRS][PM_RANK_PAIRS];
    uint8_t now[PM_RANK_PAIRS][PM_RANK_PAIRS]; /* what the second is to the first as it is */
    uint16_t *win;                  /* suited rows of suited + plain entries */
    uint16_t *tie;
    uint16_t *lose;
} pm_counts;

static inline int pm_rank_pair(int high, int low)
{
    return high >= low ? high * (high + 1) / 2 + low : low * (low + 1) / 2 + high;
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

/* ---- rank rows */

/* What is needed while the counts are made. */
typedef struct {
    int columns;                     /* runouts, those included that meet a holding's own cards */
    int stride;                      /* bytes of a row */
    int n_with[PM_CARDS];
    int16_t with[PM_CARDS][PM_CARDS]; /* runouts that bring a card */
    int8_t *of_ranks;                /* a row for each pair of ranks */
    int8_t *left;                    /* one row of the left side, made when needed, for each suited and one more */
    int8_t *right;                   /* a row for each entry of the list, of the right side */
    void *memory;                    /* where they are */
} pm_rows;

/* The holdings that can make a flush with a card of their own, some time until the last card. */
static inline int pm_may_flush(const pm_field *field, int position, int lookahead)
{
    for (int suit = 0; suit < 4; suit++) {
        int seen = (int)(field->board.key >> (32 + 4 * suit) & 15) - 3 + lookahead;
        int own = ((field->high[position] & 3) == suit) + ((field->low[position] & 3) == suit);
        if (own && seen + own >= 5)
            return 1;
    }
    return 0;
}

static inline void pm_list_positions(const pm_field *field, int lookahead, pm_counts *counts)
{
    int n = 0;
    for (int position = 0; position < field->size; position++) {
        counts->suited_before[position] = (int16_t)n;
        counts->place[position] = (int16_t)(pm_may_flush(field, position, lookahead) ? n++ : -1);
    }
    counts->suited_before[field->size] = (int16_t)n;
    counts->suited = n;
    counts->plain = field->size - n;
    for (int position = 0; position < field->size; position++) {
        if (counts->place[position] < 0)
            counts->place[position] = (int16_t)n++;
        counts->position[counts->place[position]] = (int16_t)position;
    }
    memset(counts->rank_now, 0, sizeof counts->rank_now);
    for (int position = 0; position < field->size; position++) {
        counts->ranks[position] = (uint8_t)pm_rank_pair(field->high[position] >> 2, field->low[position] >> 2);
        if (counts->place[position] >= counts->suited)
            counts->rank_now[counts->ranks[position]] = field->rank[position];
    }
    for (int own = 0; own < PM_RANK_PAIRS; own++)
        for (int other = 0; other < PM_RANK_PAIRS; other++)
            counts->now[own][other] = (uint8_t)pm_relation(counts->rank_now[other], counts->rank_now[own]);
}

/* Strength of everybody on one final board, dense from -127, into a column of the rows: by ranks, and for those who
 * have a flush with own cards into their own rows. */
static inline void pm_rank_runout(const pm_evaluator *e, const pm_field *field, const pm_counts *counts,
                                  const int seen[13], pm_hand board, uint64_t taken, pm_rows *rows, int column)
{
    uint64_t occurs[PM_RANK_WORDS] = {0};
    int16_t number[PM_RANKS + 1];
    uint16_t rank[PM_RANK_PAIRS], flush[PM_HOLDINGS];
    int16_t flushed[PM_HOLDINGS];
    int n = 0, suit = 0, on_board = 0, pair = 0;
    unsigned board_flush = 0;
    for (int s = 0; s < 4; s++) {
        int held = (int)(board.key >> (32 + 4 * s) & 15) - 3;
        if (held >= 3) {
            suit = s;
            on_board = held;
        }
    }
    if (on_board == 5)
        board_flush = pm_hand_rank(e, board);
    for (int high = 0; high < 13; high++)
        for (int low = 0; low <= high; low++, pair++) {
            /* nobody holds what would make five cards of one rank, and the hash does not know it */
            if (seen[high] + 1 + (high == low) > 4 || seen[low] + 1 > 4) {
                rank[pair] = 0;
                continue;
            }
            if (board_flush) {
                rank[pair] = (uint16_t)board_flush;
            } else {
                pm_hand hand = {board.key + (uint32_t)e->card[4 * high].key + (uint32_t)e->card[4 * low].key, 0};
                rank[pair] = (uint16_t)pm_hand_rank_no_flush(e, hand);
            }
            pm_mark_rank(occurs, rank[pair]);
        }
    if (on_board) {
        uint32_t board_ranks = (uint32_t)(board.suits >> (16 * suit)) & 0x1fff;
        for (int k = 0; k < counts->suited; k++) {
            int high = field->high[counts->position[k]], low = field->low[counts->position[k]];
            int high_suited = (high & 3) == suit, low_suited = (low & 3) == suit;
            if (high_suited + low_suited == 0 || on_board + high_suited + low_suited < 5 ||
                (taken & (pm_card_bit(high) | pm_card_bit(low))))
                continue;
            flush[n] = e->flush[board_ranks | (uint32_t)high_suited << (high >> 2) |
                                (uint32_t)low_suited << (low >> 2)];
            pm_mark_rank(occurs, flush[n]);
            flushed[n++] = (int16_t)k;
        }
    }
    pm_number_ranks(occurs, number);
    for (pair = 0; pair < PM_RANK_PAIRS; pair++)
        rows->of_ranks[(size_t)pair * (size_t)rows->stride + (size_t)column] =
            (int8_t)(rank[pair] ? number[rank[pair]] - 127 : 0);
    for (int k = 0; k < n; k++)
        rows->right[(size_t)flushed[k] * (size_t)rows->stride + (size_t)column] = (int8_t)(number[flush[k]] - 127);
}

/* A row of the left side: as that of the right, but the lowest value where the holding cannot be. */
static inline void pm_left_row(const pm_rows *rows, int place, int8_t *left)
{
    const int8_t *right = rows->right + (size_t)place * (size_t)rows->stride;
    for (int k = 0; k < rows->stride; k++)
        left[k] = (int8_t)(right[k] == PM_ROW_HIGHEST ? PM_ROW_LOWEST : right[k]);
}

/* Fill the rows; PM_ROW_LOWEST stands for "not yet written". */
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
    memset(rows->right, PM_ROW_LOWEST, (size_t)counts->suited * (size_t)rows->stride);
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
        int position = counts->position[place];
        const int8_t *plain = rows->of_ranks + (size_t)counts->ranks[position] * (size_t)rows->stride;
        int8_t *row = rows->right + (size_t)place * (size_t)rows->stride;
        if (place < counts->suited)
            for (int k = 0; k < rows->columns; k++)
                row[k] = row[k] == PM_ROW_LOWEST ? plain[k] : row[k];
        else
            memcpy(row, plain, (size_t)rows->columns);
        memset(row + rows->columns, PM_ROW_HIGHEST, (size_t)(rows->stride - rows->columns));
        for (int side = 0; side < 2; side++) {
            int card = side ? field->low[position] : field->high[position];
            for (int k = 0; k < rows->n_with[card]; k++)
                row[rows->with[card][k]] = PM_ROW_HIGHEST;
        }
    }
}

/* ---- the counts */

/* Count for the suited rows. */
static inline void pm_count_suited(const pm_field *field, const pm_rows *rows, pm_compare_rows compare,
                                   pm_counts *counts)
{
    const int length = field->size, suited = counts->suited;
    const size_t stride = (size_t)rows->stride;
    for (int block = 0, end; block < length; block = end) {
        end = block + PM_ROWS_AT_ONCE < length ? block + PM_ROWS_AT_ONCE : length;
        if (block < suited && end > suited)
            end = suited;
        for (int k = 0; k < suited && k < end; k++) {
            int start = block < suited && k + 1 > block ? k + 1 : block;
            size_t at = (size_t)k * (size_t)length + (size_t)start;
            if (start < end)
                compare(rows->left + (size_t)k * stride, rows->right + (size_t)start * stride, rows->stride,
                        end - start, counts->win + at, counts->tie + at);
        }
    }
    for (int k = 0; k < suited; k++) {
        size_t row = (size_t)k * (size_t)length;
        counts->win[row + (size_t)k] = counts->tie[row + (size_t)k] = counts->lose[row + (size_t)k] = 0;
        for (int j = k + 1; j < length; j++)
            counts->lose[row + (size_t)j] =
                (uint16_t)(counts->runouts - counts->win[row + (size_t)j] - counts->tie[row + (size_t)j]);
    }
    /* those who share a card never meet */
    for (int k = 0; k < suited; k++)
        for (int j = k + 1; j < length; j++)
            if (pm_share_card(field, counts->position[k], counts->position[j])) {
                size_t at = (size_t)k * (size_t)length + (size_t)j;
                counts->win[at] = counts->tie[at] = counts->lose[at] = 0;
            }
    /* and what one wins the other loses */
    for (int k = 0; k < suited; k++)
        for (int j = 0; j < k; j++) {
            size_t here = (size_t)k * (size_t)length + (size_t)j, there = (size_t)j * (size_t)length + (size_t)k;
            counts->win[here] = counts->lose[there];
            counts->tie[here] = counts->tie[there];
            counts->lose[here] = counts->win[there];
        }
}

/* Count for every two pairs of ranks, by two plain holdings of them that share no card, where there are such. */
static inline void pm_count_ranks(const pm_field *field, const pm_rows *rows, pm_compare_rows compare,
                                  pm_counts *counts)
{
    int16_t member[PM_RANK_PAIRS][16]; /* places */
    int members[PM_RANK_PAIRS] = {0};
    int8_t *left = rows->left + (size_t)counts->suited * (size_t)rows->stride;
    int ready = -1; /* whose row is in `left` */
    memset(counts->of_ranks, 0, sizeof counts->of_ranks);
    for (int place = counts->suited; place < field->size; place++) {
        int pair = counts->ranks[counts->position[place]];
        member[pair][members[pair]++] = (int16_t)place;
    }
    for (int own = 0; own < PM_RANK_PAIRS; own++)
        for (int theirs = 0; theirs <= own; theirs++) {
            pm_outcomes *here = &counts->of_ranks[own][theirs], *there = &counts->of_ranks[theirs][own];
            for (int meeting = 0; meeting < members[own] * members[theirs]; meeting++) {
                int hero = member[own][meeting / members[theirs]], other = member[theirs][meeting % members[theirs]];
                if (pm_share_card(field, counts->position[hero], counts->position[other]))
                    continue;
                if (ready != hero)
                    pm_left_row(rows, hero, left);
                ready = hero;
                compare(left, rows->right + (size_t)other * (size_t)rows->stride, rows->stride, 1, &here->win,
                        &here->tie);
                here->lose = (uint16_t)(counts->runouts - here->win - here->tie);
                there->win = here->lose;
                there->tie = here->tie;
                there->lose = here->win;
                break;
            }
        }
}

/* List the holdings and make their rows, in memory that pm_rows_free gives back; -1 without memory. */
static inline int pm_rows_init(const pm_evaluator *e, const pm_field *field, int lookahead, pm_counts *counts,
                               pm_rows *rows)
{
    int unseen = PM_CARDS - pm_count_cards(field->dead);
    size_t stride;
    pm_list_positions(field, lookahead, counts);
    rows->columns = lookahead == 1 ? unseen : unseen * (unseen - 1) / 2;
    counts->runouts = lookahead == 1 ? unseen - 4 : (unseen - 4) * (unseen - 5) / 2;
    rows->stride = (rows->columns + PM_ROW_LANES - 1) / PM_ROW_LANES * PM_ROW_LANES;
    stride = (size_t)rows->stride;
    rows->memory = malloc(((size_t)(field->size + counts->suited + 1 + PM_RANK_PAIRS)) * stride + PM_ROW_LANES);
    if (!rows->memory)
        return -1;
    rows->right = (int8_t *)rows->memory + (PM_ROW_LANES - (size_t)rows->memory % PM_ROW_LANES);
    rows->left = rows->right + (size_t)field->size * stride;
    rows->of_ranks = rows->left + (size_t)(counts->suited + 1) * stride;
    pm_fill_rows(e, field, counts, lookahead, rows);
    return 0;
}

static inline void pm_rows_free(pm_rows *rows)
{
    free(rows->memory);
    rows->memory = NULL;
}

/* Count the runouts of `lookahead` cards; -1 without memory, and then nothing is held. */
static inline int pm_counts_init(const pm_evaluator *e, const pm_field *field, int lookahead, pm_compare_rows compare,
                                 pm_counts *counts)
{
    pm_rows rows;
    size_t entries;
    memset(counts, 0, sizeof *counts);
    if (pm_rows_init(e, field, lookahead, counts, &rows))
        return -1;
    entries = (size_t)counts->suited * (size_t)field->size;
    counts->win = (uint16_t *)malloc((3 * entries + 1) * sizeof(uint16_t));
    if (!counts->win) {
        pm_rows_free(&rows);
        return -1;
    }
    counts->tie = counts->win + entries;
    counts->lose = counts->tie + entries;
    for (int k = 0; k < counts->suited; k++)
        pm_left_row(&rows, k, rows.left + (size_t)k * (size_t)rows.stride);
    pm_count_suited(field, &rows, compare, counts);
    pm_count_ranks(field, &rows, compare, counts);
    pm_rows_free(&rows);
    return 0;
}

/* ---- sums over weights, which are by place in the list, as are the results */

static inline double pm_cells_total(const double cells[9])
{
    double total = 0.0;
    for (int k = 0; k < 9; k++)
        total += cells[k];
    return total;
}

/* PPOT and NPOT of the nine cells [now][later] (Papp 1998, section 5.3); 0 where there is nothing to divide by. */
static inline void pm_potentials(const double cells[9], double *ppot, double *npot)
{
    const double *ahead = cells, *tied = cells + 3, *behind = cells + 6;
    double half_tied = (tied[0] + tied[1] + tied[2]) / 2;
    double below = behind[0] + behind[1] + behind[2] + half_tied, above = ahead[0] + ahead[1] + ahead[2] + half_tied;
    *ppot = below != 0 ? (behind[PM_AHEAD] + behind[PM_TIED] / 2 + tied[PM_AHEAD] / 2) / below : 0.0;
    *npot = above != 0 ? (ahead[PM_BEHIND] + ahead[PM_TIED] / 2 + tied[PM_BEHIND] / 2) / above : 0.0;
}

static inline void pm_add_outcomes(double cells[9], int now, pm_outcomes n, double weight)
{
    cells[3 * now + PM_AHEAD] += weight * n.win;
    cells[3 * now + PM_TIED] += weight * n.tie;
    cells[3 * now + PM_BEHIND] += weight * n.lose;
}

/* Weights of plain holdings, by cards and ranks. */
typedef struct {
    double cards[PM_CARDS][PM_CARDS];  /* of two cards */
    double others[PM_CARDS][PM_CARDS]; /* of any other card of the first one's rank, and the second */
    double others_rank[PM_CARDS][13];  /* of any other card of this card's rank and any of a rank */
    double other_pair[PM_CARDS];       /* of two other cards of this card's rank */
    double ranks[PM_RANK_PAIRS];
} pm_plain_weights;

static inline void pm_plain_weights_init(const pm_field *field, const pm_counts *counts, const double *weights,
                                         pm_plain_weights *plain)
{
    memset(plain, 0, sizeof *plain);
    for (int k = counts->suited; k < field->size; k++) {
        int position = counts->position[k];
        int high = field->high[position], low = field->low[position];
        plain->cards[high][low] = plain->cards[low][high] = weights[k];
        plain->ranks[counts->ranks[position]] += weights[k];
    }
    for (int card = 0; card < PM_CARDS; card++) {
        const int first = card & ~3;
        for (int other = first; other < first + 4; other++) {
            if (other == card)
                continue;
            for (int k = 0; k < PM_CARDS; k++)
                plain->others[card][k] += plain->cards[other][k];
            for (int third = first; third < other; third++)
                plain->other_pair[card] += third != card ? plain->cards[other][third] : 0.0;
        }
        for (int k = 0; k < PM_CARDS; k++)
            plain->others_rank[card][k >> 2] += plain->others[card][k];
    }
}

/* The cells of the plain holdings against plain ones, nine columns of `size`. What two holdings without a common rank
 * give is the same for all of a pair of ranks; only where ranks are shared do the suits matter. */
static inline void pm_plain_cells(const pm_field *field, const pm_counts *counts, const double *weights,
                                  double *columns)
{
    const int size = field->size;
    pm_plain_weights plain;
    double base[PM_RANK_PAIRS][9];
    double shared[PM_CARDS][13][9]; /* of a holding of this card and one of that rank, against those with its rank */
    pm_plain_weights_init(field, counts, weights, &plain);
    memset(base, 0, sizeof base);
    memset(shared, 0, sizeof shared);
    /* sums grow in turn, so that none waits for the last addition to it */
    for (int first = 0, other = 0; first < 13; first++)
        for (int second = 0; second <= first; second++, other++) {
            if (plain.ranks[other] == 0)
                continue;
            for (int high = 0, own = 0; high < 13; high++) {
                if (high == first || high == second) {
                    own += high + 1;
                    continue;
                }
                for (int low = 0; low <= high; low++, own++)
                    if (low != first && low != second)
                        pm_add_outcomes(base[own], counts->now[own][other], counts->of_ranks[own][other],
                                        plain.ranks[other]);
            }
        }
    for (int rank = 0; rank < 13; rank++)
        for (int partner = 0; partner < 13; partner++) {
            int own = pm_rank_pair(rank, partner);
            if (partner == rank || !counts->rank_now[own])
                continue;
            for (int third = 0; third < 13; third++) {
                int other = pm_rank_pair(rank, third);
                if (third == partner)
                    continue;
                for (int card = 4 * rank; card < 4 * rank + 4; card++)
                    pm_add_outcomes(shared[card][partner], counts->now[own][other], counts->of_ranks[own][other],
                                    third == rank ? plain.other_pair[card] : plain.others_rank[card][third]);
            }
        }
    for (int k = counts->suited; k < size; k++) {
        int a = field->high[counts->position[k]], b = field->low[counts->position[k]];
        int own = counts->ranks[counts->position[k]];
        double cells[9], left = 0.0; /* of those with the same ranks */
        if (a >> 2 == b >> 2) {
            int rank = a >> 2, free_cards[2], n_free = 0;
            for (int card = 4 * rank; card < 4 * rank + 4; card++)
                if (card != a && card != b)
                    free_cards[n_free++] = card;
            left = plain.cards[free_cards[0]][free_cards[1]];
            memcpy(cells, base[own], sizeof cells);
            for (int third = 0; third < 13; third++) {
                int other = pm_rank_pair(rank, third);
                double weight = 0.0;
                if (third == rank)
                    continue;
                for (int card = 4 * third; card < 4 * third + 4; card++)
                    weight += plain.cards[free_cards[0]][card] + plain.cards[free_cards[1]][card];
                pm_add_outcomes(cells, counts->now[own][other], counts->of_ranks[own][other], weight);
            }
        } else {
            const double *one = shared[a][b >> 2], *two = shared[b][a >> 2];
            for (int card = b & ~3; card < (b & ~3) + 4; card++)
                left += card != b ? plain.others[a][card] : 0.0;
            for (int c = 0; c < 9; c++)
                cells[c] = base[own][c] + one[c] + two[c];
        }
        pm_add_outcomes(cells, PM_TIED, counts->of_ranks[own][own], left);
        for (int c = 0; c < 9; c++)
            columns[c * size + k] = cells[c];
    }
}

/* The nine cells of every holding against `weights`, [now][later], as nine columns of `size`. Zeros where a holding
 * meets no weight. */
static inline void pm_counts_cells(const pm_field *field, const pm_counts *counts, const double *weights,
                                   pm_add_pairs add_pairs, pm_sum_pairs sum_pairs, double *columns)
{
    const int size = field->size, suited = counts->suited;
    pm_plain_cells(field, counts, weights, columns);
    for (int k = 0; k < suited; k++) {
        int weaker = field->group_start[counts->position[k]], not_stronger = field->group_end[counts->position[k]];
        int suited_ends[3] = {counts->suited_before[weaker], counts->suited_before[not_stronger], suited};
        int plain_ends[3] = {suited + weaker - suited_ends[0], suited + not_stronger - suited_ends[1], size};
        double hero[9] = {0};
        int start = 0;
        for (int plain = 0; plain < 2; plain++) {
            for (int now = PM_AHEAD; now <= PM_BEHIND; now++) {
                int end = plain ? plain_ends[now] : suited_ends[now];
                size_t at = (size_t)k * (size_t)size + (size_t)start;
                double *theirs = columns + 3 * (PM_BEHIND - now) * size + start; /* who is behind is ahead to them */
                if (plain)
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
    const int size = field->size, hero = counts->position[own];
    memset(cells, 0, 9 * sizeof(double));
    for (int k = 0; k < size; k++) {
        int other = counts->position[k];
        int now = pm_relation(field->rank[other], field->rank[hero]);
        pm_outcomes n;
        if (k == own)
            continue;
        if (own < counts->suited) {
            size_t at = (size_t)own * (size_t)size + (size_t)k;
            n.win = counts->win[at], n.tie = counts->tie[at], n.lose = counts->lose[at];
        } else if (k < counts->suited) {
            size_t at = (size_t)k * (size_t)size + (size_t)own;
            n.win = counts->lose[at], n.tie = counts->tie[at], n.lose = counts->win[at];
        } else if (pm_share_card(field, hero, other)) {
            continue;
        } else {
            n = counts->of_ranks[counts->ranks[hero]][counts->ranks[other]];
        }
        pm_add_outcomes(cells, now, n, weights[k]);
    }
}

#endif
