/* Features of a situation as numbers of bins: rows of the tables of a likelihood, cells of effects and of factors.
 *
 * Names and sizes are in pokermodel.reading.adaptive.situations, in the same order. Features that matter together are
 * crossed. The bins are ours.
 */
#ifndef POKERMODEL_SITUATIONS_H
#define POKERMODEL_SITUATIONS_H

#include <stdint.h>

#include "pokermodel/readers/features.h"

#define PM_LIMIT_FEATURES 22 /* of the betting */
#define PM_SIZED_FEATURES 27
#define PM_BOARD_FEATURES 5
#define PM_SITUATION_BASIS 4 /* the side, and a cell of each of three features */
#define PM_SITUATION_PLACE (PM_SITUATION_BASIS + 1) /* the same, and the row of replies */
#define PM_SITUATION_REPLIES 112
#define PM_SITUATION_CELLS 5 /* contexts that corrections go by; the first is the situation */

#define PM_BIN(edges, value) pm_bin_among(edges, (int)(sizeof(edges) / sizeof(*(edges))), value)

/* Players left, from two to `most`, from 0. */
static inline int pm_opponents_bin(const pm_features *f, int most)
{
    return f->players < 2 ? 0 : pm_least(f->players, most) - 2;
}

/* The place in the order of later rounds: 0 first, 1 between, 2 last. */
static inline int pm_order_bin(const pm_features *f)
{
    return f->position == 0 ? 2 : f->position < f->players - 1;
}

/* Pot odds; with nothing to call the size of the pot. */
static inline int pm_price_bin(const pm_features *f)
{
    static const double odds[] = {0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.24, 0.3, 0.36};
    static const double pot[] = {2, 3, 4, 5, 6, 8, 10, 14};
    if (f->odds == 0)
        return PM_BIN(pot, f->pot);
    return 10 + PM_BIN(odds, f->odds) + (f->round > 0 ? 10 : 0);
}

/* Pot odds where bets have sizes; 0 with nothing to call. Half a pot to call is odds of .25, a pot a third. */
static inline int pm_sized_odds_bin(const pm_features *f)
{
    static const double odds[] = {0.05, 0.1,  0.14, 0.18, 0.21, 0.24, 0.265,
                                  0.29, 0.31, 0.33, 0.35, 0.38, 0.41, 0.45};
    return f->odds == 0 ? 0 : PM_BIN(odds, f->odds) + 1;
}

static inline int pm_sized_price_bin(const pm_features *f)
{
    static const double pot[] = {2, 3, 4, 6, 9, 14, 22, 35, 60, 100}; /* big blinds */
    const int found = f->odds == 0 ? PM_BIN(pot, f->pot) : (int)(sizeof(pot) / sizeof(*pot)) + pm_sized_odds_bin(f);
    return 2 * found + (f->round > 0);
}

static inline int pm_level_bin(const pm_features *f)
{
    static const double levels[] = {1.01, 2.01, 2.3, 2.6, 3.1, 3.6, 4.5, 6, 8, 11, 15, 20, 30, 50, 100};
    return PM_BIN(levels, f->level);
}

static inline int pm_depth_bin(const pm_features *f)
{
    static const double depths[] = {5, 10, 15, 20, 30, 45, 70, 95, 130, 250};
    return f->depth < 0 ? 0 : 1 + PM_BIN(depths, f->depth);
}

/* The effective stack by the pot, both after a call: 0 not known, 1 nothing is left. */
static inline int pm_stack_to_pot_bin(const pm_features *f)
{
    static const double ratios[] = {0.3, 0.6, 1, 1.5, 2.5, 4, 6, 9, 14, 25};
    const double left = f->depth - f->share;
    if (f->depth < 0)
        return 0;
    return left > 1e-9 ? 2 + PM_BIN(ratios, left / (f->pot + f->share)) : 1;
}

/* The share of the effective stack that a call takes: 0 not known, 1 none. */
static inline int pm_commitment_bin(const pm_features *f)
{
    static const double parts[] = {0.05, 0.1, 0.2, 0.33, 0.5, 0.75};
    if (f->depth < 0)
        return 0;
    return f->share != 0 && f->depth != 0 ? 2 + PM_BIN(parts, f->share / f->depth) : 1;
}

static inline int pm_to_call_bin(const pm_features *f)
{
    static const double shares[] = {1, 1 + 1e-9, 2, 2 + 1e-9};
    return f->share == 0 ? 0 : PM_BIN(shares, f->share) + 1;
}

/* Values of the features of the betting, PM_LIMIT_FEATURES or, where bets have sizes, PM_SIZED_FEATURES; returns how
 * many. */
static inline int pm_betting_values(const pm_features *f, int sized, int *value)
{
    const int post = f->round > 0, facing = f->bets > 0;
    int n = 0;
    value[n++] = 3 * f->round + f->bets;
    value[n++] = ((f->bets * 3 + f->previous) * 2 + f->faced) * 2 + post;
    value[n++] = 3 * f->round + f->aggressor;
    value[n++] = (post * 3 + f->leader) * 2 + facing;
    value[n++] = 2 * pm_opponents_bin(f, 9) + post;
    value[n++] = 2 * pm_least(f->num_bets, 5) + post;
    if (sized) {
        value[n++] = pm_sized_price_bin(f);
        value[n++] = 2 * pm_level_bin(f) + post;
        value[n++] = 4 * pm_depth_bin(f) + 2 * facing + post;
        value[n++] = 4 * pm_stack_to_pot_bin(f) + 2 * facing + post;
        value[n++] = 2 * pm_commitment_bin(f) + post;
        value[n++] = post || !f->num_bets ? 0 : 4 * pm_least(f->position, 9) + pm_least(f->num_bets, 4);
        value[n++] = f->round * 16 + pm_sized_odds_bin(f);
    } else {
        value[n++] = pm_price_bin(f);
        value[n++] = pm_to_call_bin(f);
    }
    value[n++] = 2 * pm_least(f->position, 9) + post;
    value[n++] = 3 * pm_order_bin(f) + pm_opponents_bin(f, 4);
    value[n++] = pm_least(f->acted, 7);
    value[n++] = pm_least(f->put_in, 3);
    value[n++] = 2 * pm_least(f->preflop, 4) + post;
    value[n++] = 4 * pm_least(f->before, 3) + f->round;
    value[n++] = 3 * pm_least(f->raised, 3) + pm_least(f->raised_preflop, 2);
    value[n++] = pm_least(f->called, 2);
    value[n++] = (f->last * 2 + facing) * 2 + post;
    value[n++] = 2 * pm_least(f->callers, 5) + post;
    value[n++] = f->dealt < 2 ? 0 : pm_least(f->dealt, 10) - 2;
    value[n++] = pm_least(f->all_in, 2);
    value[n++] = 3 * (f->num_bets > !f->round ? pm_least(f->num_bets - !f->round, 4) : 0) + f->bets;
    value[n++] = 6 * pm_opponents_bin(f, 7) + 2 * pm_least(f->callers, 2) + facing;
    return n;
}

/* The side, 0 before the flop or 1 after it, and the cells of effects, numbered through. */
static inline void pm_situation_basis(const pm_features *f, int16_t *basis)
{
    const int post = f->round > 0, facing = f->bets > 0;
    const int first = post ? 17 : 0; /* cells before the flop */
    const int bets = post ? 9 : 3;
    basis[0] = (int16_t)post;
    basis[1] = (int16_t)(first + facing);
    basis[2] = (int16_t)(first + 2 + (post ? 3 * (f->round - 1) : 0) + f->bets);
    basis[3] = (int16_t)(first + 2 + bets + 6 * facing + 2 * f->previous + f->faced);
}

/* Where a seat is, by those dealt in who act after it in later rounds: 0 small blind, 1 big blind, 2 button, 3 the seat
 * before it, 4 the next one, 5 earlier. */
static inline int pm_seat_bin(int after, int dealt)
{
    return after >= dealt - 2 ? dealt - 1 - after : 2 + pm_least(after, 3);
}

/* The row of replies, where bets have sizes and a limp, a raise or an all-in is faced before the flop, else 0: at tables of
 * more than two by who limped first or raised last and who is to reply, and of an all-in by what it takes to call. */
static inline int pm_reply_row(const pm_features *f, int sized)
{
    static const double levels[] = {6, 8.5, 11, 14, 18, 25, 40};
    const int raiser = pm_seat_bin(f->raiser, f->dealt), own = pm_seat_bin(f->seat, f->dealt), again = f->preflop > 1;
    const int late = raiser == 2 || raiser == 3, blind = pm_least(own, 2);
    if (!sized || f->round > 0 || f->raiser < 0 || f->raiser >= f->dealt || f->seat < 0 || f->seat >= f->dealt ||
        (f->dealt == 2 && (again || !f->preflop || !f->all_in)))
        return 0;
    if (!f->preflop) /* of several players, the small blind, late or early */
        return f->callers > 1 ? 8 + blind : raiser == 0 ? 7 : raiser < 4 ? 4 + blind : 1 + blind;
    if (f->all_in)
        return 72 + 8 * (again ? 4 : f->dealt == 2 ? 0 : raiser == 0 ? 1 : late ? 2 : 3) + PM_BIN(levels, f->level);
    return again ? 47 + 2 * (2 * raiser + (f->raised_preflop > 0)) + (f->preflop > 2) : f->callers ? 71 : 11 + 6 * raiser + own;
}

/* Contexts that corrections go by, each within a division of its own; the first is the situation. */
static inline void pm_situation_cells(const pm_features *f, int *cell)
{
    static const double odds[] = {0.10, 0.14, 0.18, 0.23, 0.30};
    const int situation = 3 * f->round + f->bets;
    cell[0] = situation;
    cell[1] = (situation * 3 + f->previous) * 2 + f->faced;
    cell[2] = (situation * 5 + pm_opponents_bin(f, 6)) * 3 + f->leader;
    cell[3] = (situation * 6 + PM_BIN(odds, f->odds)) * 5 + pm_least(f->num_bets, 4);
    cell[4] = ((situation * 4 + pm_least(f->position, 3)) * 4 + pm_least(f->acted, 3)) * 2 + (f->put_in > 0);
}

/* A situation as a likelihood takes it: rows of its features, of the betting and of what the board shows, given the first of
 * each; the side and cells of effects, and the row of replies; and contexts that corrections go by, but for the first. */
static inline void pm_situation_rows(const pm_features *f, const int *board, int sized, const int16_t *firsts,
                                     int16_t *rows, int16_t *basis, int16_t *contexts)
{
    int value[PM_SIZED_FEATURES], cell[PM_SITUATION_CELLS];
    const int betting = pm_betting_values(f, sized, value);
    for (int k = 0; k < betting; k++)
        rows[k] = (int16_t)(firsts[k] + value[k]);
    for (int k = 0; k < PM_BOARD_FEATURES; k++)
        rows[betting + k] = (int16_t)(firsts[betting + k] + 2 * board[k] + (f->bets > 0));
    pm_situation_basis(f, basis);
    basis[PM_SITUATION_BASIS] = (int16_t)pm_reply_row(f, sized);
    pm_situation_cells(f, cell);
    for (int k = 1; k < PM_SITUATION_CELLS; k++)
        contexts[k - 1] = (int16_t)cell[k];
}

/* What a board of n cards shows, PM_BOARD_FEATURES numbers, all 0 before the flop: pairs, 1 no pair, 2 a pair, 3 more; the
 * most cards of one suit; the highest card, 1 nine or less, 2 ten or jack, 3 queen or king, 4 ace; the most cards of five
 * ranks in a row, 1 two or fewer, 2 three, 3 four, 4 five; what the turn or river brought, 1 neither of these, 2 an
 * overcard, 3 a pair, 4 a third card of a suit or more. */
static inline void pm_board_features(const uint8_t *board, int n, int *value)
{
    static const uint8_t highest[13] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4};
    int ranks[13] = {0}, suits[4] = {0}, repeated = 0, high = -1, before = -1, most = 0, row = 0;
    for (int k = 0; k < PM_BOARD_FEATURES; k++)
        value[k] = 0;
    if (n == 0)
        return;
    for (int k = 0; k < n; k++) {
        const int rank = board[k] >> 2;
        repeated += ranks[rank]++ > 0;
        suits[board[k] & 3]++;
        before = high;
        high = rank > high ? rank : high;
    }
    for (int s = 0; s < 4; s++)
        most = suits[s] > most ? suits[s] : most;
    for (int low = -1; low < 9; low++) { /* an ace is at both ends */
        int placed = 0;
        for (int place = low; place < low + 5; place++)
            placed += ranks[place < 0 ? 12 : place] > 0;
        row = placed > row ? placed : row;
    }
    value[0] = 1 + pm_least(repeated, 2);
    value[1] = most;
    value[2] = highest[high];
    value[3] = 1 + (row > 2 ? row - 2 : 0);
    if (n > 3) {
        const int last = board[n - 1];
        value[4] = suits[last & 3] >= 3 ? 4 : ranks[last >> 2] > 1 ? 3 : last >> 2 > before ? 2 : 1;
    }
}

#endif
