/* Hand strength and potential on a flop and on every board that may follow, computed and kept on request.
 *
 * A field is an array of weights, which stands for opponents. A row has the values of all 1,326 holdings against one
 * field on one board: HS, PPOT and NPOT for one card to come, or HS alone on the river. The first requests for a row
 * compute single entries, and the whole row is filled once that would have been as cheap.
 *
 * Weights are whole numbers, small enough that all their sums are exact (PM_FIELD_TOTAL). So no entry depends on the
 * way in which it was computed, on the instructions used, or on earlier requests.
 *
 * Not safe to share between threads that run at the same time.
 */
#ifndef POKERMODEL_STRENGTHS_H
#define POKERMODEL_STRENGTHS_H

#include "pokermodel/evaluation/counts.h"
#include "pokermodel/evaluation/outs.h"

#define PM_FIELD_TOTAL (INT64_C(1) << 46) /* largest sum of a field's weights; times 46 runouts it is below 2^52 */
#define PM_SINGLE_STRENGTHS 12             /* of a row, computed alone before the whole row is; measured */
#define PM_LAST_OF_GROUP 0x8000           /* flag in an order: the last of equally strong holdings */

/* Boards by number: the flop, those with a turn card, those with two more cards. */
enum { PM_POTENTIAL_BOARDS = 1 + PM_CARDS, PM_BOARDS = PM_POTENTIAL_BOARDS + PM_HOLDINGS };

/* What stands for the potential on flop and turn: PPOT and NPOT by enumeration, PPOTc by counting outs (NPOT is 0), or
 * nothing. */
enum { PM_EXACT_POTENTIAL, PM_CRUDE_POTENTIAL, PM_NO_POTENTIAL };

/* A flop or turn, for any field. */
typedef struct {
    pm_field field;
    pm_rows rows;
    pm_counts counts; /* only the list of holdings until `counted` is set */
    int counted;
    uint16_t holding[PM_HOLDINGS]; /* by place in the list of the counts */
    int16_t place[PM_HOLDINGS];    /* place of a holding in that list */
    uint64_t outside_dead;         /* cards of the board, in the caller's suits */
} pm_potential_board;

typedef struct {
    const pm_evaluator *evaluator;
    pm_compare_rows compare_rows;
    pm_add_pairs add_pairs;
    pm_sum_pairs sum_pairs;
    int kind; /* of the potential */
    int fields;
    double *weights;  /* (fields + 1, PM_HOLDINGS); the last field is every holding alike */
    int64_t *whole;   /* the same numbers */
    float **row;      /* (PM_BOARDS, fields), NULL without a request so far; HS < 0 stands for not known */
    uint16_t *asked;  /* (PM_BOARDS, fields): requests for single entries of a row */
    pm_potential_board *potential[PM_POTENTIAL_BOARDS];
    float *outs[PM_POTENTIAL_BOARDS]; /* PPOTc by holding, if that is the kind of the potential */
    uint16_t *order[PM_BOARDS]; /* holdings on a board, weakest first, if potentials are not exact or it is a river */
    size_t board_bytes;         /* memory that depends on boards alone */
    size_t row_bytes;
    uint8_t high[PM_HOLDINGS]; /* cards of a holding */
    uint8_t low[PM_HOLDINGS];
    double by_place[PM_HOLDINGS];
    uint16_t outcome[3][PM_HOLDINGS];
    double column[9 * PM_HOLDINGS];
} pm_strengths;

/* Number of a board, by the cards that have come since the flop. */
static inline int pm_board_number(const uint8_t *come, int n)
{
    return n == 0 ? 0 : n == 1 ? 1 + come[0] : PM_POTENTIAL_BOARDS + pm_holding(come[0], come[1]);
}

static inline size_t pm_strengths_bytes(const pm_strengths *s)
{
    return s->board_bytes + s->row_bytes;
}

static inline void pm_strengths_clear_rows(pm_strengths *s)
{
    for (int k = 0; s->row && k < PM_BOARDS * s->fields; k++) {
        free(s->row[k]);
        s->row[k] = NULL;
    }
    if (s->asked)
        memset(s->asked, 0, (size_t)(PM_BOARDS * s->fields) * sizeof *s->asked);
    s->row_bytes = 0;
}

/* Forget everything but the fields. */
static inline void pm_strengths_clear(pm_strengths *s)
{
    pm_strengths_clear_rows(s);
    for (int k = 0; k < PM_BOARDS; k++) {
        free(s->order[k]);
        s->order[k] = NULL;
    }
    for (int k = 0; k < PM_POTENTIAL_BOARDS; k++) {
        if (s->potential[k]) {
            pm_counts_free(&s->potential[k]->counts);
            pm_rows_free(&s->potential[k]->rows);
        }
        free(s->potential[k]);
        s->potential[k] = NULL;
        free(s->outs[k]);
        s->outs[k] = NULL;
    }
    s->board_bytes = 0;
}

static inline void pm_strengths_unbind(pm_strengths *s)
{
    pm_strengths_clear_rows(s);
    free(s->row);
    free(s->asked);
    free(s->weights);
    free(s->whole);
    s->row = NULL;
    s->asked = NULL;
    s->weights = NULL;
    s->whole = NULL;
    s->fields = 0;
}

/* Replace the fields; what is known of boards is kept. `weights` (fields, PM_HOLDINGS) are whole numbers >= 0 that
 * sum to PM_FIELD_TOTAL at most. The structure must have been zeroed at first, and the evaluator, the three kernels
 * and the kind of the potential set. Returns -1 if there is no memory. */
static inline int pm_strengths_bind(pm_strengths *s, const double *weights, int fields)
{
    size_t n = (size_t)fields * PM_HOLDINGS, all = n + PM_HOLDINGS;
    pm_strengths_unbind(s);
    s->row = (float **)calloc((size_t)PM_BOARDS * (size_t)fields, sizeof *s->row);
    s->asked = (uint16_t *)calloc((size_t)PM_BOARDS * (size_t)fields, sizeof *s->asked);
    s->weights = (double *)malloc(all * sizeof *s->weights);
    s->whole = (int64_t *)malloc(all * sizeof *s->whole);
    if (!s->row || !s->asked || !s->weights || !s->whole) {
        pm_strengths_unbind(s);
        return -1;
    }
    s->fields = fields;
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

/* Holdings that are possible on a board. */
static inline int pm_board_holdings(int board_cards)
{
    const int left = PM_CARDS - board_cards;
    return left * (left - 1) / 2;
}

/* HS of each of n holdings on a board, weakest first, into every `step`-th place of a row. Returns the number of
 * holdings against which all weights are 0; their entries are left alone. */
static inline int pm_ordered_strengths(const pm_strengths *s, const uint16_t *order, int n, const int64_t *weights,
                                       float *row, int step)
{
    int64_t total = 0, of_card[PM_CARDS] = {0}; /* of all holdings, and of those with a card */
    int64_t below = 0, below_of_card[PM_CARDS] = {0};
    int64_t group, group_of_card[PM_CARDS];
    int empty = 0;
    for (int k = 0; k < n; k++) {
        int holding = order[k] & (PM_LAST_OF_GROUP - 1);
        total += weights[holding];
        of_card[s->high[holding]] += weights[holding];
        of_card[s->low[holding]] += weights[holding];
    }
    for (int start = 0, end; start < n; start = end) {
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
                row[step * holding] = (float)((double)(2 * ahead + tied) / (double)(2 * left));
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

/* The holdings on a board, weakest first, made at the first request; NULL if there is no memory. */
static inline const uint16_t *pm_order_of(pm_strengths *s, int number, const uint8_t *board, int board_cards)
{
    const int n = pm_board_holdings(board_cards);
    uint16_t *order = s->order[number];
    pm_field ranked;
    int cards[5];
    if (order)
        return order;
    order = (uint16_t *)malloc((size_t)n * sizeof *order);
    if (!order)
        return NULL;
    for (int k = 0; k < board_cards; k++)
        cards[k] = board[k];
    pm_field_init(s->evaluator, &ranked, cards, board_cards, 0);
    for (int k = 0; k < ranked.size; k++)
        order[k] = (uint16_t)(ranked.holding[k] | (ranked.group_end[k] == k + 1 ? PM_LAST_OF_GROUP : 0));
    s->order[number] = order;
    s->board_bytes += (size_t)n * sizeof *order;
    return order;
}

/* PPOTc of the holdings on a flop or turn, made at the first request; NULL if there is no memory. */
static inline const float *pm_outs_of(pm_strengths *s, int number, const uint8_t *board, int board_cards)
{
    float *outs = s->outs[number];
    double potential[PM_HOLDINGS];
    int cards[5];
    uint64_t dead = 0;
    if (outs)
        return outs;
    outs = (float *)malloc(PM_HOLDINGS * sizeof *outs);
    if (!outs)
        return NULL;
    for (int k = 0; k < board_cards; k++) {
        cards[k] = board[k];
        dead |= pm_card_bit(cards[k]);
    }
    memset(potential, 0, sizeof potential);
    pm_outs(cards, board_cards, dead, potential);
    for (int k = 0; k < PM_HOLDINGS; k++)
        outs[k] = (float)potential[k];
    s->outs[number] = outs;
    s->board_bytes += PM_HOLDINGS * sizeof *outs;
    return outs;
}

/* Compute all entries of a row without exact potentials. */
static inline void pm_whole_ordered_row(pm_strengths *s, const uint16_t *order, int n, int field, float *row, int step)
{
    if (pm_ordered_strengths(s, order, n, s->whole + field * PM_HOLDINGS, row, step)) {
        /* where no weight is left, every holding counts the same */
        pm_ordered_strengths(s, order, n, s->whole + s->fields * PM_HOLDINGS, row, step);
        pm_ordered_strengths(s, order, n, s->whole + field * PM_HOLDINGS, row, step);
    }
}

/* HS of one holding on a board, as `pm_ordered_strengths` has it; -1 if all weights against it are 0. */
static inline float pm_single_strength(pm_strengths *s, const uint16_t *order, int n, int field, int holding)
{
    int64_t *weights = s->whole + field * PM_HOLDINGS, kept[2 * PM_CARDS];
    int64_t below = 0, tied = 0, above = 0;
    int start = 0, end = 0, at = 0, saved = 0;
    while ((order[at] & (PM_LAST_OF_GROUP - 1)) != holding)
        at++;
    for (start = at; start > 0 && !(order[start - 1] & PM_LAST_OF_GROUP); start--)
        ;
    for (end = at; !(order[end++] & PM_LAST_OF_GROUP);)
        ;
    /* opponents cannot have a card of the holding: its weights are set to 0 and put back */
    for (int side = 0; side < 2; side++) {
        int card = side ? s->low[holding] : s->high[holding];
        for (int other = 0; other < PM_CARDS; other++)
            if (other != card) {
                int64_t *weight = weights + pm_holding(card, other);
                kept[saved++] = *weight;
                *weight = 0;
            }
    }
    for (int k = 0; k < start; k++)
        below += weights[order[k] & (PM_LAST_OF_GROUP - 1)];
    for (int k = start; k < end; k++)
        tied += weights[order[k] & (PM_LAST_OF_GROUP - 1)];
    for (int k = end; k < n; k++)
        above += weights[order[k] & (PM_LAST_OF_GROUP - 1)];
    for (int side = 1; side >= 0; side--) {
        int card = side ? s->low[holding] : s->high[holding];
        for (int other = PM_CARDS - 1; other >= 0; other--)
            if (other != card)
                weights[pm_holding(card, other)] = kept[--saved];
    }
    if (below + tied + above == 0)
        return -1.0f;
    return (float)((double)(2 * below + tied) / (double)(2 * (below + tied + above)));
}

/* Find the strength of a holding on a board without exact potentials that is not known yet: alone, until so many of the
 * row have been requested that filling the whole row would have been as cheap. Returns -1 if there is no memory. */
static inline int pm_find_strength(pm_strengths *s, int number, int field, int holding, const uint8_t *board,
                                   int board_cards, float *row, int step)
{
    const int n = pm_board_holdings(board_cards);
    const uint16_t *order = pm_order_of(s, number, board, board_cards);
    float found;
    if (!order)
        return -1;
    if (++s->asked[number * s->fields + field] <= PM_SINGLE_STRENGTHS) {
        found = pm_single_strength(s, order, n, field, holding);
        if (found < 0) /* where no weight is left, every holding counts the same */
            found = pm_single_strength(s, order, n, s->fields, holding);
        row[step * holding] = found;
    } else {
        pm_whole_ordered_row(s, order, n, field, row, step);
    }
    return 0;
}

/* The row of one field on a board without exact potentials, at its first request; NULL if there is no memory. */
static inline float *pm_begin_row(pm_strengths *s, int number, int field, const uint8_t *board, int board_cards)
{
    const int step = board_cards < 5 ? 3 : 1;
    const float *outs = NULL;
    float *row;
    if (board_cards < 5 && s->kind == PM_CRUDE_POTENTIAL) {
        outs = pm_outs_of(s, number, board, board_cards);
        if (!outs)
            return NULL;
    }
    row = (float *)malloc((size_t)step * PM_HOLDINGS * sizeof *row);
    if (!row)
        return NULL;
    for (int k = 0; k < PM_HOLDINGS; k++) {
        row[step * k] = -1.0f;
        if (step == 3) {
            row[3 * k + 1] = outs ? outs[k] : 0.0f;
            row[3 * k + 2] = 0.0f;
        }
    }
    s->row[number * s->fields + field] = row;
    s->row_bytes += (size_t)step * PM_HOLDINGS * sizeof *row;
    return row;
}

/* A flop or turn, made at the first request; NULL if there is no memory. */
static inline pm_potential_board *pm_potential_of(pm_strengths *s, int number, const uint8_t *board, int board_cards)
{
    pm_potential_board *found = s->potential[number];
    int cards[5];
    if (found)
        return found;
    found = (pm_potential_board *)calloc(1, sizeof *found);
    if (!found)
        return NULL;
    for (int k = 0; k < board_cards; k++)
        cards[k] = board[k];
    for (int k = 0; k < board_cards; k++)
        found->outside_dead |= pm_card_bit(cards[k]);
    pm_field_init(s->evaluator, &found->field, cards, board_cards, 0);
    if (pm_rows_init(s->evaluator, &found->field, 1, &found->counts, &found->rows)) {
        free(found);
        return NULL;
    }
    for (int k = 0; k < found->field.size; k++) {
        found->holding[k] = found->field.holding[found->counts.position[k]];
        found->place[found->holding[k]] = (int16_t)k;
    }
    s->potential[number] = found;
    s->board_bytes += sizeof *found + (size_t)found->field.size * found->rows.stride;
    return found;
}

/* An entry of a row, from the nine cells. */
static inline void pm_set_worth(float *worth, const double cells[9])
{
    double ppot, npot;
    pm_potentials(cells, &ppot, &npot);
    worth[0] = (float)pm_strength_of_cells(cells);
    worth[1] = (float)ppot;
    worth[2] = (float)npot;
}

static inline void pm_order_weights(pm_strengths *s, const pm_potential_board *board, int field)
{
    const double *weights = s->weights + field * PM_HOLDINGS;
    for (int k = 0; k < board->field.size; k++)
        s->by_place[k] = weights[board->holding[k]];
}

/* Compute the entry of one holding, from its row and those of all others. */
static inline void pm_single_worth(pm_strengths *s, const pm_potential_board *board, int field, int holding,
                                   float *worth)
{
    const pm_counts *counts = &board->counts;
    const int size = board->field.size, own = board->place[holding], position = counts->position[own];
    const int suited = counts->suited;
    const int weaker = board->field.group_start[position], not_stronger = board->field.group_end[position];
    const int ends[2][3] = {
        {counts->suited_before[weaker], counts->suited_before[not_stronger], suited},
        {suited + weaker - counts->suited_before[weaker], suited + not_stronger - counts->suited_before[not_stronger],
         size}};
    int8_t space[3 * PM_ROW_LANES], *left = space + (PM_ROW_LANES - (size_t)space % PM_ROW_LANES);
    uint16_t *win = s->outcome[0], *tie = s->outcome[1], *lose = s->outcome[2];
    double cells[9];
    pm_left_row(&board->rows, own, left);
    s->compare_rows(left, board->rows.right, (int)board->rows.stride, size, win, tie);
    for (int k = 0; k < size; k++)
        lose[k] = (uint16_t)(counts->runouts - win[k] - tie[k]);
    for (int twice = 0; twice < 2; twice++) {
        int start = 0;
        pm_order_weights(s, board, field);
        for (int side = 0; side < 2; side++) { /* opponents cannot have a card of the holding */
            int card = side ? s->low[holding] : s->high[holding];
            for (int other = 0; other < PM_CARDS; other++)
                if (other != card && !(board->outside_dead >> other & 1))
                    s->by_place[board->place[pm_holding(card, other)]] = 0.0;
        }
        memset(cells, 0, sizeof cells);
        for (int common = 0; common < 2; common++)
            for (int now = PM_AHEAD; now <= PM_BEHIND; now++) {
                int end = ends[common][now];
                s->sum_pairs(win + start, tie + start, lose + start, s->by_place + start, end - start,
                             cells + 3 * now);
                start = end;
            }
        if (pm_cells_total(cells) > 0)
            break;
        field = s->fields; /* where no weight is left, every holding counts the same */
    }
    pm_set_worth(worth, cells);
}

/* Compute all entries of a row. */
static inline void pm_whole_row(pm_strengths *s, const pm_potential_board *board, int field, float *row)
{
    const int size = board->field.size;
    pm_order_weights(s, board, field);
    pm_counts_cells(&board->field, &board->counts, s->by_place, s->add_pairs, s->sum_pairs, s->column);
    for (int k = 0; k < size; k++) {
        float *worth = row + 3 * board->holding[k];
        double cells[9];
        for (int c = 0; c < 9; c++)
            cells[c] = s->column[c * size + k];
        if (pm_cells_total(cells) > 0)
            pm_set_worth(worth, cells);
        else
            pm_single_worth(s, board, field, board->holding[k], worth);
    }
}

/* Compute an entry that is not known yet: alone, until so many entries of the row have been requested that filling
 * the whole row would have been as cheap. Measured, in microseconds: 4 for an entry alone, 120 for a row, and 400 to
 * count a board before the first of its rows. Returns -1 if there is no memory. */
static inline int pm_find_worth(pm_strengths *s, int number, int field, int holding, const uint8_t *cards,
                                int board_cards, float *row)
{
    pm_potential_board *board = pm_potential_of(s, number, cards, board_cards);
    if (!board)
        return -1;
    if (4 * ++s->asked[number * s->fields + field] < 120 + (board->counted ? 0 : 400 / s->fields)) {
        pm_single_worth(s, board, field, holding, row + 3 * holding);
        return 0;
    }
    if (!board->counted) {
        if (pm_counts_init(s->evaluator, &board->field, 1, s->compare_rows, &board->counts))
            return -1;
        board->counted = 1;
        s->board_bytes += pm_counts_size(&board->counts);
    }
    pm_whole_row(s, board, field, row);
    return 0;
}

/* Find what pm_strengths_worth does not know yet. NULL if there is no memory. */
static inline const float *pm_strengths_find(pm_strengths *s, int number, int field, int holding, const uint8_t *board,
                                             int board_cards)
{
    float *row = s->row[number * s->fields + field];
    if (board_cards == 5 || s->kind != PM_EXACT_POTENTIAL) {
        const int step = board_cards < 5 ? 3 : 1;
        if (!row)
            row = pm_begin_row(s, number, field, board, board_cards);
        if (!row || pm_find_strength(s, number, field, holding, board, board_cards, row, step))
            return NULL;
        return row + step * holding;
    }
    if (!row) {
        row = (float *)malloc(3 * PM_HOLDINGS * sizeof *row);
        if (!row)
            return NULL;
        for (int k = 0; k < 3 * PM_HOLDINGS; k++)
            row[k] = -1.0f;
        s->row[number * s->fields + field] = row;
        s->row_bytes += 3 * PM_HOLDINGS * sizeof *row;
    }
    if (pm_find_worth(s, number, field, holding, board, board_cards, row))
        return NULL;
    return row + 3 * holding;
}

/* HS, PPOT and NPOT of a holding against a field, or HS alone on the river. `number` is that of the board. NULL if
 * there is no memory. */
static inline const float *pm_strengths_worth(pm_strengths *s, int number, int field, int holding,
                                              const uint8_t *board, int board_cards)
{
    const float *row = s->row[number * s->fields + field];
    if (row) {
        row += board_cards < 5 ? 3 * holding : holding;
        if (*row >= 0)
            return row;
    }
    return pm_strengths_find(s, number, field, holding, board, board_cards);
}

/* Prefetch an entry, if it is known. */
static inline void pm_strengths_prefetch(const pm_strengths *s, int number, int field, int holding)
{
#if defined(__GNUC__) || defined(__clang__)
    const float *row = s->row[number * s->fields + field];
    if (row)
        __builtin_prefetch(row + (number < PM_POTENTIAL_BOARDS ? 3 * holding : holding));
#else
    (void)s, (void)number, (void)field, (void)holding;
#endif
}

#endif
