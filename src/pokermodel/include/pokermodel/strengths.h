/* What every holding is worth on every board that may follow a given one, kept as it is asked for.
 *
 * Opponents are seen as fields: arrays of weights that stay as they are. A row has what all 1,326 holdings are worth
 * against one field on one board: HS, PPOT and NPOT for one card to come, or on the river HS alone. It is filled when
 * it is first asked for, whole, so that later on a question is one look-up.
 *
 * Weights are whole numbers, small enough that all sums of them are exact (PM_FIELD_TOTAL): no entry depends on the
 * order in which terms are added, on the instructions used, or on when it was asked for.
 *
 * Not to be shared by threads that run at the same time.
 */
#ifndef POKERMODEL_STRENGTHS_H
#define POKERMODEL_STRENGTHS_H

#include "pokermodel/counts.h"

#define PM_FIELD_TOTAL (INT64_C(1) << 46) /* of a field's weights; times 46 runouts it is below 2^52 */
#define PM_LAST_OF_GROUP 0x8000           /* in an order: the last of equally strong holdings */

/* Boards that may follow: the one as it is, those with one more card, those with two. */
enum { PM_BOARDS = 1 + PM_CARDS + PM_HOLDINGS };

typedef struct {
    const pm_evaluator *evaluator;
    pm_compare_rows compare_rows;
    pm_add_pairs add_pairs;
    pm_sum_pairs sum_pairs;
    int board_cards; /* of the board as it is */
    int fields;
    double *weights; /* (fields + 1, PM_HOLDINGS); the last field is every holding alike */
    int64_t *whole;  /* the same numbers */
    float **row;     /* (PM_BOARDS, fields), NULL where nobody asked */
    uint16_t **order; /* (PM_BOARDS): holdings on a river, weakest first */
    size_t nbytes;   /* of all rows and orders */
    uint8_t high[PM_HOLDINGS]; /* cards of a holding */
    uint8_t low[PM_HOLDINGS];
    pm_field field;  /* scratch */
    pm_counts counts;
    double column[2][9 * PM_HOLDINGS];
    double by_place[PM_HOLDINGS];
} pm_strengths;

/* Which board it is, by the cards that have come since. */
static inline int pm_board_number(const uint8_t *come, int n)
{
    return n == 0 ? 0 : n == 1 ? 1 + come[0] : 1 + PM_CARDS + pm_holding(come[0], come[1]);
}

/* Forget all rows. */
static inline void pm_strengths_clear(pm_strengths *s)
{
    if (s->row)
        for (int k = 0; k < PM_BOARDS * s->fields; k++) {
            free(s->row[k]);
            s->row[k] = NULL;
        }
    if (s->order)
        for (int k = 0; k < PM_BOARDS; k++) {
            free(s->order[k]);
            s->order[k] = NULL;
        }
    s->nbytes = 0;
}

static inline void pm_strengths_free(pm_strengths *s)
{
    pm_strengths_clear(s);
    free(s->row);
    free(s->order);
    free(s->weights);
    free(s->whole);
    s->row = NULL;
    s->order = NULL;
    s->weights = NULL;
    s->whole = NULL;
}

/* Begin with nothing known. `weights` (fields, PM_HOLDINGS) are whole numbers >= 0 that sum to PM_FIELD_TOTAL at
 * most. The evaluator and the three kernels have been set. Returns -1 without memory. */
static inline int pm_strengths_init(pm_strengths *s, int board_cards, const double *weights, int fields)
{
    size_t n = (size_t)fields * PM_HOLDINGS, all = n + PM_HOLDINGS;
    s->board_cards = board_cards;
    s->fields = fields;
    s->nbytes = 0;
    s->row = (float **)calloc((size_t)PM_BOARDS * (size_t)fields, sizeof *s->row);
    s->order = (uint16_t **)calloc(PM_BOARDS, sizeof *s->order);
    s->weights = (double *)malloc(all * sizeof *s->weights);
    s->whole = (int64_t *)malloc(all * sizeof *s->whole);
    if (!s->row || !s->order || !s->weights || !s->whole) {
        pm_strengths_free(s);
        return -1;
    }
    for (size_t k = 0; k < all; k++) {
        s->weights[k] = k < n ? weights[k] : 1.0;
        s->whole[k] = (int64_t)s->weights[k];
    }
    for (int high = 1; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++) {
            s->high[pm_holding(high, low)] = (uint8_t)high;
            s->low[pm_holding(high, low)] = (uint8_t)low;
        }
    return 0;
}

static inline void *pm_strengths_memory(pm_strengths *s, size_t nbytes)
{
    void *memory = calloc(1, nbytes);
    if (memory)
        s->nbytes += nbytes;
    return memory;
}

/* HS of every holding on a river. Returns how many meet no weight; their entries are left. */
static inline int pm_river_strengths(const pm_strengths *s, const uint16_t *order, const int64_t *weights, float *row)
{
    enum { SIZE = 1081 };
    int64_t total = 0, of_card[PM_CARDS] = {0}; /* all, and those with a card */
    int64_t below = 0, below_of_card[PM_CARDS] = {0};
    int64_t group, group_of_card[PM_CARDS];
    int empty = 0;
    for (int k = 0; k < SIZE; k++) {
        int holding = order[k] & (PM_LAST_OF_GROUP - 1);
        total += weights[holding];
        of_card[s->high[holding]] += weights[holding];
        of_card[s->low[holding]] += weights[holding];
    }
    for (int start = 0, end; start < SIZE; start = end) {
        group = 0;
        memset(group_of_card, 0, sizeof group_of_card);
        end = start;
        do {
            int holding = order[end] & (PM_LAST_OF_GROUP - 1);
            group += weights[holding];
            group_of_card[s->high[holding]] += weights[holding];
            group_of_card[s->low[holding]] += weights[holding];
        } while (!(order[end++] & PM_LAST_OF_GROUP));
        for (int k = start; k < end; k++) {
            int holding = order[k] & (PM_LAST_OF_GROUP - 1), a = s->high[holding], b = s->low[holding];
            int64_t left = total - of_card[a] - of_card[b] + weights[holding];
            int64_t ahead = below - below_of_card[a] - below_of_card[b];
            int64_t tied = group - group_of_card[a] - group_of_card[b] + weights[holding];
            if (left > 0)
                row[holding] = (float)((double)(2 * ahead + tied) / (double)(2 * left));
            else
                empty++;
        }
        for (int k = start; k < end; k++) {
            int holding = order[k] & (PM_LAST_OF_GROUP - 1);
            below_of_card[s->high[holding]] += weights[holding];
            below_of_card[s->low[holding]] += weights[holding];
        }
        below += group;
    }
    return empty;
}

/* The row of one field on a river; NULL without memory. */
static inline const float *pm_fill_river(pm_strengths *s, int number, int field, const int board[5])
{
    uint16_t *order = s->order[number];
    float *row;
    if (!order) {
        order = (uint16_t *)pm_strengths_memory(s, 1081 * sizeof *order);
        if (!order)
            return NULL;
        pm_field_init(s->evaluator, &s->field, board, 5, 0);
        for (int k = 0; k < s->field.size; k++)
            order[k] = (uint16_t)(s->field.holding[k] | (s->field.group_end[k] == k + 1 ? PM_LAST_OF_GROUP : 0));
        s->order[number] = order;
    }
    row = (float *)pm_strengths_memory(s, PM_HOLDINGS * sizeof *row);
    if (!row)
        return NULL;
    if (pm_river_strengths(s, order, s->whole + field * PM_HOLDINGS, row)) {
        /* where no weight is left, every holding counts the same */
        pm_river_strengths(s, order, s->whole + s->fields * PM_HOLDINGS, row);
        pm_river_strengths(s, order, s->whole + field * PM_HOLDINGS, row);
    }
    s->row[number * s->fields + field] = row;
    return row;
}

static inline void pm_field_columns(pm_strengths *s, int field, double *columns)
{
    for (int k = 0; k < s->field.size; k++)
        s->by_place[k] = s->weights[field * PM_HOLDINGS + s->field.holding[s->counts.position[k]]];
    pm_counts_cells(&s->field, &s->counts, s->by_place, s->add_pairs, s->sum_pairs, columns);
}

/* The rows of all fields on a flop or turn, whose counts are only made once; -1 without memory. */
static inline int pm_fill_potentials(pm_strengths *s, int number, const int *board, int board_cards)
{
    int uniform = 0, size;
    for (int field = 0; field < s->fields; field++) {
        float **row = &s->row[number * s->fields + field];
        if (!*row)
            *row = (float *)pm_strengths_memory(s, 3 * PM_HOLDINGS * sizeof **row);
        if (!*row)
            return -1;
    }
    pm_field_init(s->evaluator, &s->field, board, board_cards, 0);
    if (pm_counts_init(s->evaluator, &s->field, 1, s->compare_rows, &s->counts))
        return -1;
    size = s->field.size;
    for (int field = 0; field < s->fields; field++) {
        float *row = s->row[number * s->fields + field];
        pm_field_columns(s, field, s->column[0]);
        for (int k = 0; k < size; k++) {
            float *worth = row + 3 * s->field.holding[s->counts.position[k]];
            double cells[9], total, ppot, npot;
            for (int c = 0; c < 9; c++)
                cells[c] = s->column[0][c * size + k];
            total = pm_cells_total(cells);
            if (!(total > 0)) { /* where no weight is left, every holding counts the same */
                if (!uniform)
                    pm_field_columns(s, s->fields, s->column[1]);
                uniform = 1;
                for (int c = 0; c < 9; c++)
                    cells[c] = s->column[1][c * size + k];
                total = pm_cells_total(cells);
            }
            pm_potentials(cells, &ppot, &npot);
            worth[0] = (float)((cells[0] + cells[1] + cells[2] + (cells[3] + cells[4] + cells[5]) / 2) / total);
            worth[1] = (float)ppot;
            worth[2] = (float)npot;
        }
    }
    pm_counts_free(&s->counts);
    return 0;
}

/* What all holdings are worth against a field: HS, PPOT, NPOT of each in turn, on the river HS alone. `number` is that
 * of the board; NULL without memory. */
static inline const float *pm_strengths_row(pm_strengths *s, int number, int field, const uint8_t *board,
                                            int board_cards)
{
    float **row = &s->row[number * s->fields + field];
    int cards[5];
    if (*row)
        return *row;
    for (int k = 0; k < board_cards; k++)
        cards[k] = board[k];
    if (board_cards == 5)
        return pm_fill_river(s, number, field, cards);
    if (pm_fill_potentials(s, number, cards, board_cards)) {
        for (int k = 0; k < s->fields; k++) { /* half filled */
            free(s->row[number * s->fields + k]);
            s->row[number * s->fields + k] = NULL;
        }
        return NULL;
    }
    return *row;
}

#endif
