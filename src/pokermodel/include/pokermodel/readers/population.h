/* What is known of populations and players: Gaussian beliefs about their effects, and factors by context.
 *
 * There are two tiers, populations and players, each numbered from 0. Beliefs are kept by number, covariances by columns.
 * Factors are rows of one table: of each act, the logarithm times its precision, and what was expected, of which the
 * precision is made; so what two have learnt is added. A hash table finds rows by tier, number and cell. Rows are never
 * removed, so that they stand in the order in which they were made. Habits, factors of what is done with holdings of a
 * group, are rows of the same table, with cells after those of the factors of all holdings.
 *
 * A population is of some kind, each of which has levels: effects, and logarithms of factors by cell. As long as it is
 * open which, levels are means by the shares that kinds have in it. A mixture of forecasts in place of one of levels
 * would cost a likelihood for each kind at every act; kinds differ so little that it says the same (see `pm_kind_judge`).
 */
#ifndef POKERMODEL_POPULATION_H
#define POKERMODEL_POPULATION_H

#include <stdlib.h>

#include "pokermodel/readers/follow.h"

enum {
    PM_TIERS = 2,
    PM_GRIDS = 4,                                   /* factors of an act, on each tier */
    PM_FACTOR = 2 * PM_ACTS,                        /* a row: logarithms times precisions, what was expected */
    PM_COVARIANCE = PM_EFFECTS * PM_EFFECTS,
    PM_HOLDING_BYTES = (PM_HOLDINGS + 7) / 8,       /* a set of holdings, the first in the highest bit */
    PM_TABLE_KINDS = 32,
    PM_NARROW_CELLS = (12 + 4) * PM_GROUPS, /* of habits by narrow group: by round and bets, by side and facing a bet */
    PM_NARROW = 2,
    PM_CELL_WORDS = 8, /* 512 bits: an act makes some forty rows */
    PM_HABIT_ROWS = PM_GRIDS + PM_NARROW
};

typedef struct {
    int cells; /* of factors of all holdings, of each population or player */
    int habits; /* whether habits are learnt */
    double scale[PM_TIERS];                  /* standard deviation of effects that nothing is known of */
    double strength[PM_TIERS * PM_GRIDS];    /* observations that the beginning of a factor is worth */
    double *mean[PM_TIERS], *columns[PM_TIERS];
    int known[PM_TIERS], room[PM_TIERS];
    uint64_t *made[PM_TIERS]; /* of each: bits of the cells of which there are rows, see `pm_cell_bit`; PM_CELL_WORDS */
    int64_t *key; /* of each row: 2 (number pm_kept_cells + cell) + tier */
    double *table;
    int rows, row_room;
    int32_t *slot; /* the hash table: rows, or -1 */
    int slot_bits; /* it has 1 << slot_bits, or none before the first row */
    int kinds;     /* PM_TABLE_KINDS at most */
    float *kind_effects; /* (kinds, PM_EFFECTS) */
    float *kind_logs;    /* (kinds, cells, PM_ACTS) */
    double *kind_told;   /* (populations, kinds): what hands said of the kind, log-likelihoods */
} pm_people;

static inline void pm_people_free(pm_people *people)
{
    for (int tier = 0; tier < PM_TIERS; tier++) {
        free(people->mean[tier]);
        free(people->columns[tier]);
        free(people->made[tier]);
    }
    free(people->key);
    free(people->table);
    free(people->slot);
    free(people->kind_effects);
    free(people->kind_logs);
    free(people->kind_told);
}

/* Have so many kinds, with levels that are copied; before any population is known. -1 if there is no memory. */
static inline int pm_people_kinds(pm_people *people, int kinds, const float *effects, const float *logs)
{
    const size_t one = (size_t)kinds * PM_EFFECTS, other = (size_t)kinds * (size_t)people->cells * PM_ACTS;
    people->kind_effects = (float *)malloc(one * sizeof(float));
    people->kind_logs = (float *)malloc(other * sizeof(float));
    if (!people->kind_effects || !people->kind_logs)
        return -1;
    memcpy(people->kind_effects, effects, one * sizeof(float));
    memcpy(people->kind_logs, logs, other * sizeof(float));
    people->kinds = kinds;
    return 0;
}

/* Know so many of a tier, the new ones from the beginning; -1 if there is no memory. */
static inline int pm_people_number(pm_people *people, int tier, int n)
{
    if (n > people->room[tier]) {
        const int room = n > 2 * people->room[tier] ? n : 2 * people->room[tier];
        uint64_t *made = (uint64_t *)realloc(people->made[tier], (size_t)room * PM_CELL_WORDS * sizeof *made);
        if (!made)
            return -1;
        people->made[tier] = made;
        double *grown = (double *)realloc(people->mean[tier], (size_t)room * PM_EFFECTS * sizeof(double));
        if (!grown)
            return -1;
        people->mean[tier] = grown;
        grown = (double *)realloc(people->columns[tier], (size_t)room * PM_COVARIANCE * sizeof(double));
        if (!grown)
            return -1;
        people->columns[tier] = grown;
        if (tier == 0 && people->kinds) {
            grown = (double *)realloc(people->kind_told, (size_t)room * (size_t)people->kinds * sizeof(double));
            if (!grown)
                return -1;
            people->kind_told = grown;
        }
        people->room[tier] = room;
    }
    for (; people->known[tier] < n; people->known[tier]++) {
        double *columns = people->columns[tier] + PM_COVARIANCE * (size_t)people->known[tier];
        memset(people->mean[tier] + PM_EFFECTS * (size_t)people->known[tier], 0, PM_EFFECTS * sizeof(double));
        memset(columns, 0, PM_COVARIANCE * sizeof(double));
        memset(people->made[tier] + PM_CELL_WORDS * (size_t)people->known[tier], 0, PM_CELL_WORDS * sizeof(uint64_t));
        for (int i = 0; i < PM_EFFECTS; i++)
            columns[(PM_EFFECTS + 1) * i] = people->scale[tier] * people->scale[tier];
        if (tier == 0 && people->kinds)
            memset(people->kind_told + (size_t)people->kinds * (size_t)people->known[tier], 0,
                   (size_t)people->kinds * sizeof(double));
    }
    return 0;
}

/* Cells of factors and of habits: of all holdings, of each wide group, and of each narrow group. */
static inline int pm_kept_cells(const pm_people *people)
{
    return people->cells * (1 + PM_WIDE_GROUPS) + PM_NARROW_CELLS;
}

static inline int64_t pm_factor_key(const pm_people *people, int tier, int number, int cell)
{
    return 2 * ((int64_t)number * pm_kept_cells(people) + cell) + tier;
}

/* The slot of a key: where it is, or where it would go. */
static inline size_t pm_factor_slot(const pm_people *people, int64_t key)
{
    const size_t mask = ((size_t)1 << people->slot_bits) - 1;
    size_t at = (size_t)(((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - people->slot_bits));
    while (people->slot[at] >= 0 && people->key[people->slot[at]] != key)
        at = (at + 1) & mask;
    return at;
}

/* The bit of a cell among those of somebody, and the word that it is in: of most cells in which they did nothing yet it says
 * so, and spares a look into a table that no cache holds. Whoever acted in many cells has all bits, and loses next to nothing
 * by them. */
static inline uint64_t pm_cell_bit(int cell, int *word)
{
    const uint32_t hash = (uint32_t)cell * UINT32_C(0x9E3779B1) >> 23;
    *word = (int)(hash >> 6);
    return UINT64_C(1) << (hash & 63);
}

/* The row of a factor, -1 if there is none. */
static inline int pm_factor_row(const pm_people *people, int64_t key)
{
    return people->slot ? people->slot[pm_factor_slot(people, key)] : -1;
}

/* The same, of somebody of a tier. */
static inline int pm_factor_row_of(const pm_people *people, int tier, int number, int cell)
{
    int word;
    const uint64_t bit = pm_cell_bit(cell, &word);
    if (!(people->made[tier][PM_CELL_WORDS * (size_t)number + (size_t)word] & bit))
        return -1;
    return pm_factor_row(people, pm_factor_key(people, tier, number, cell));
}

/* The same, a new one if there is none; -1 if there is no memory. */
static inline int pm_factor_make(pm_people *people, int64_t key)
{
    size_t at;
    uint64_t bit;
    int word;
    if (!people->slot || 2 * (int64_t)people->rows >= (int64_t)1 << people->slot_bits) {
        const int bits = people->slot ? people->slot_bits + 1 : 6;
        int32_t *before = people->slot, *slot = (int32_t *)malloc(((size_t)1 << bits) * sizeof *slot);
        if (!slot)
            return -1;
        memset(slot, 0xff, ((size_t)1 << bits) * sizeof *slot); /* -1 */
        people->slot = slot;
        people->slot_bits = bits;
        for (int row = 0; row < people->rows; row++)
            slot[pm_factor_slot(people, people->key[row])] = row;
        free(before);
    }
    at = pm_factor_slot(people, key);
    if (people->slot[at] >= 0)
        return people->slot[at];
    if (people->rows == people->row_room) {
        const int room = people->row_room ? 2 * people->row_room : 32;
        int64_t *keys = (int64_t *)realloc(people->key, (size_t)room * sizeof *keys);
        double *table;
        if (!keys)
            return -1;
        people->key = keys;
        table = (double *)realloc(people->table, (size_t)room * PM_FACTOR * sizeof *table);
        if (!table)
            return -1;
        people->table = table;
        people->row_room = room;
    }
    people->key[people->rows] = key;
    bit = pm_cell_bit((int)(key / 2 % pm_kept_cells(people)), &word);
    people->made[key % 2][PM_CELL_WORDS * (size_t)(key / 2 / pm_kept_cells(people)) + (size_t)word] |= bit;
    memset(people->table + PM_FACTOR * (size_t)people->rows, 0, PM_FACTOR * sizeof(double));
    return people->slot[at] = people->rows++;
}

/* What an act that is expected counts for in the precision of a factor. Several factors answer for every act, so that a
 * step by what one of them knows by itself would be too long. */
#define PM_OVERLAP 1.5

static inline double pm_factor_precision(const double *row, double strength, int c)
{
    return strength + PM_OVERLAP * row[PM_ACTS + c];
}

/* How much of what hindsight says of levels is left out, by what was expected of somebody in the situation. Where little is
 * known it is worth more than it misleads. Where much is, nothing else would be left that moves levels, always to the same
 * side, and factors would run after it: forecasts would stay wrong however much is learnt. */
#define PM_HINDSIGHT 200.0
static inline double pm_hindsight_left_out(const double *row)
{
    double known = 0.0;
    for (int c = 0; c < PM_ACTS; c++)
        known += row[PM_ACTS + c];
    return known / (known + PM_HINDSIGHT);
}

/* Add to `offsets` the logarithms of the factors in so many rows; those of row -1 are 1. */
static inline void pm_factor_logs(const double *table, const double *strength, const int32_t *rows, int n,
                                  double *offsets)
{
    for (int f = 0; f < n; f++) {
        const double *row;
        if (rows[f] < 0)
            continue;
        row = table + PM_FACTOR * (size_t)rows[f];
        for (int c = 0; c < PM_ACTS; c++)
            offsets[c] += row[c] / pm_factor_precision(row, strength[f], c);
    }
}

/* Learn from an act in so many rows at once. What is left of it is what the forecast did not expect, all levels being in
 * it: whatever one of them explains already, no other one learns. What they take of it together is what a belief as wide
 * as all of theirs would, each of them by its own width. */
static inline void pm_factor_learn(double *table, const double *strength, const int32_t *rows, int n, int act,
                                   const double *forecast)
{
    for (int c = 0; c < PM_ACTS; c++) {
        const double left = (c == act) - forecast[c];
        double width = 0.0, step;
        for (int f = 0; f < n; f++)
            width += 1.0 / pm_factor_precision(table + PM_FACTOR * (size_t)rows[f], strength[f], c);
        step = left / (1.0 + width * forecast[c]);
        for (int f = 0; f < n; f++) {
            double *row = table + PM_FACTOR * (size_t)rows[f];
            const double before = pm_factor_precision(row, strength[f], c), log_factor = (row[c] + step) / before;
            row[PM_ACTS + c] += forecast[c];
            row[c] = log_factor * pm_factor_precision(row, strength[f], c);
        }
    }
}

/* Rows of all factors of an act of somebody, -1 where there is none; number -1 stands for nobody. */
static inline void pm_factor_rows(const pm_people *people, const int *number, const int16_t *cells, int32_t *rows)
{
    for (int tier = 0; tier < PM_TIERS; tier++)
        for (int f = 0; f < PM_GRIDS; f++)
            rows[PM_GRIDS * tier + f] =
                number[tier] < 0 ? -1 : pm_factor_row_of(people, tier, number[tier], cells[f]);
}

/* ------------------------------------------------------------------------------------------------------------- habits */

/* Observations that the beginning of a habit is worth, of populations and of players. */
static const double PM_HABIT_STRENGTH[PM_TIERS] = {60.0, 20.0};
/* What acts with holdings of a group can be expected to weigh in the end: older ones fade, of a population sooner, since who
 * plays there changes. */
static const double PM_HABIT_LASTS[PM_TIERS] = {100.0, 500.0};
/* What an act counts for in the precision of habits if the holding was not seen: mostly it leaves open which group it is. */
static const double PM_HABIT_HIDDEN = 0.25;

/* Groups that are held with less than this say nothing: books would grow by rows of next to nothing. */
#define PM_HABIT_LEAST 0.001

/* The cell of habits of a wide group in a division of situations, of which `cell` is that of factors. */
static inline int pm_wide_cell(const pm_people *people, int cell, int group)
{
    return people->cells + PM_WIDE_GROUPS * cell + group;
}

/* The cells of habits of a narrow group in a situation, PM_NARROW of them, given those of factors, of which the first
 * division begins at 0. */
static inline void pm_narrow_cells(const pm_people *people, const int16_t *cells, int group, int *of)
{
    const int situation = cells[0] / 6, side = situation >= 3, facing = situation % 3 > 0;
    const int narrow = people->cells * (1 + PM_WIDE_GROUPS);
    of[0] = narrow + PM_GROUPS * situation + group;
    of[1] = narrow + PM_GROUPS * (12 + 2 * side + facing) + group;
}

/* The cells of habits of a group in a situation: of a player, the divisions of factors by wide group, which are many cells of
 * few groups, and two small ones by narrow group; of a population the small ones alone. So many are written. */
static inline int pm_habit_cells(const pm_people *people, int tier, const int16_t *cells, int group, int *of)
{
    int n = 0;
    for (int f = 0; tier && f < PM_GRIDS; f++)
        of[n++] = pm_wide_cell(people, cells[f], pm_wide_group(group));
    pm_narrow_cells(people, cells, group, of + n);
    return n + PM_NARROW;
}

/* Rows of habits of somebody and their strengths; row -1 where there is none, number -1 stands for nobody. So many are
 * written. */
static inline int pm_habit_rows(const pm_people *people, const int *number, const int16_t *cells, int group, int32_t *rows,
                                double *strengths)
{
    int of[PM_HABIT_ROWS], n = 0;
    for (int tier = 0; tier < PM_TIERS; tier++) {
        const int own = number[tier] < 0 ? 0 : pm_habit_cells(people, tier, cells, group, of);
        for (int k = 0; k < own; k++, n++) {
            rows[n] = pm_factor_row_of(people, tier, number[tier], of[k]);
            strengths[n] = PM_HABIT_STRENGTH[tier];
        }
    }
    return n;
}

/* What the odds of acts of somebody are multiplied by with holdings of a group, PM_OUT of them. Returns whether anything
 * is known. */
static inline int pm_habit(const pm_people *people, const int *number, const int16_t *cells, int group, float *times)
{
    int32_t rows[PM_TIERS * PM_HABIT_ROWS];
    double strengths[PM_TIERS * PM_HABIT_ROWS], logs[PM_ACTS] = {0};
    const int n = pm_habit_rows(people, number, cells, group, rows, strengths);
    int any = 0;
    for (int k = 0; k < n; k++)
        any |= rows[k] >= 0;
    for (int c = 0; c < PM_OUT; c++)
        times[c] = 1.0f;
    if (!any)
        return 0;
    pm_factor_logs(people->table, strengths, rows, n, logs);
    for (int c = 0; c < PM_ACTS; c++)
        times[c] = (float)exp(logs[c]);
    return 1;
}

/* The same with all groups; `habits` has PM_HABITS. Returns where they are, NULL if nothing is known. What a wide group says
 * is looked up and divided once for its narrow groups; the sums are those of `pm_habit`, in their order. */
static inline const float *pm_habits(const pm_people *people, const int *number, const int16_t *cells, float *habits)
{
    double wide[PM_WIDE_GROUPS][PM_GRIDS][PM_ACTS] = {{{0}}};
    int told[PM_WIDE_GROUPS] = {0}, any = 0;
    if (!people->habits)
        return NULL;
    for (int group = 0; number[1] >= 0 && group < PM_WIDE_GROUPS; group++)
        for (int f = 0; f < PM_GRIDS; f++) {
            const int32_t row = pm_factor_row_of(people, 1, number[1], pm_wide_cell(people, cells[f], group));
            pm_factor_logs(people->table, PM_HABIT_STRENGTH + 1, &row, 1, wide[group][f]);
            told[group] |= (row >= 0) << f;
        }
    for (int group = 0; group < PM_GROUPS; group++) {
        const int around = pm_wide_group(group);
        double logs[PM_ACTS] = {0};
        float *times = habits + PM_OUT * group;
        int own = told[around];
        for (int tier = 0; tier < PM_TIERS; tier++) {
            int32_t rows[PM_NARROW];
            int of[PM_NARROW];
            double strengths[PM_NARROW];
            if (number[tier] < 0)
                continue;
            for (int f = 0; tier && f < PM_GRIDS; f++)
                for (int c = 0; told[around] >> f & 1 && c < PM_ACTS; c++)
                    logs[c] += wide[around][f][c];
            pm_narrow_cells(people, cells, group, of);
            for (int k = 0; k < PM_NARROW; k++) {
                rows[k] = pm_factor_row_of(people, tier, number[tier], of[k]);
                strengths[k] = PM_HABIT_STRENGTH[tier];
                own |= rows[k] >= 0;
            }
            pm_factor_logs(people->table, strengths, rows, PM_NARROW, logs);
        }
        for (int c = 0; c < PM_OUT; c++)
            times[c] = own && c < PM_ACTS ? (float)exp(logs[c]) : 1.0f;
        any |= own;
    }
    return any ? habits : NULL;
}

/* Learn from an act how somebody acts with holdings of a group, of which they are held to have `mass` and to have done so
 * and so much with it, which is `expected`. Returns -1 if there is no memory.
 *
 * By Fisher's identity: what is left of the act is a mean over what they can have held in hindsight. Folds and hands that
 * were not shown have to be in it: those that are shown alone say that nobody ever folds. What hindsight says of levels is
 * not the group's affair: its `hindsight` is left out. `wide` keeps the rows of wide groups in the situation, -1 to begin with. */
static inline int pm_habit_learn(pm_people *people, const int *number, const int16_t *cells, int group, int act, double mass,
                                 const double *expected, const double *hindsight, double worth, int32_t (*wide)[PM_GRIDS])
{
    int32_t *around = wide[pm_wide_group(group)];
    int32_t rows[PM_TIERS * PM_HABIT_ROWS];
    double strengths[PM_TIERS * PM_HABIT_ROWS], lasts[PM_TIERS * PM_HABIT_ROWS];
    int of[PM_HABIT_ROWS], n = 0;
    for (int tier = 0; tier < PM_TIERS; tier++) {
        const int own = pm_habit_cells(people, tier, cells, group, of);
        for (int k = 0; k < own; k++, n++) {
            const int is_wide = tier && k < PM_GRIDS;
            rows[n] = is_wide && around[k] >= 0
                          ? around[k]
                          : pm_factor_make(people, pm_factor_key(people, tier, number[tier], of[k]));
            strengths[n] = PM_HABIT_STRENGTH[tier];
            lasts[n] = PM_HABIT_LASTS[tier];
            if (rows[n] < 0)
                return -1;
            if (is_wide)
                around[k] = rows[n];
        }
    }
    for (int c = 0; c < PM_ACTS; c++) {
        const double left = mass * (c == act) - expected[c] - hindsight[c];
        double width = 0.0, step;
        for (int k = 0; k < n; k++)
            width += 1.0 / pm_factor_precision(people->table + PM_FACTOR * (size_t)rows[k], strengths[k], c);
        step = left / (1.0 + width * worth * expected[c]);
        for (int k = 0; k < n; k++) {
            double *row = people->table + PM_FACTOR * (size_t)rows[k];
            const double log_factor = (row[c] + step) / pm_factor_precision(row, strengths[k], c);
            row[PM_ACTS + c] = (row[PM_ACTS + c] + worth * expected[c]) * (1.0 - expected[c] / lasts[k]);
            row[c] = log_factor * pm_factor_precision(row, strengths[k], c);
        }
    }
    return 0;
}

/* The effects of somebody of a population; number -1 stands for nobody. */
static inline void pm_people_effects(const pm_people *people, const int *number, double *effects)
{
    memset(effects, 0, PM_EFFECTS * sizeof *effects);
    for (int tier = 0; tier < PM_TIERS; tier++)
        for (int i = 0; number[tier] >= 0 && i < PM_EFFECTS; i++)
            effects[i] += people->mean[tier][PM_EFFECTS * (size_t)number[tier] + i];
}

/* -------------------------------------------------------------------------------------------------------------- kinds */

/* The shares of kinds in a population, of which the table itself says `begin`, logarithms, and hands more; -1 is a
 * population of which no hand was seen. */
static inline void pm_kind_shares(const pm_people *people, int population, const double *begin, double *shares)
{
    double most = -HUGE_VAL, sum = 0.0;
    for (int k = 0; k < people->kinds; k++) {
        shares[k] = begin[k] + (population < 0 ? 0.0 : people->kind_told[(size_t)people->kinds * (size_t)population + (size_t)k]);
        if (shares[k] > most)
            most = shares[k];
    }
    for (int k = 0; k < people->kinds; k++)
        sum += shares[k] = exp(shares[k] - most);
    for (int k = 0; k < people->kinds; k++)
        shares[k] /= sum;
}

/* Add the mean of the kinds' effects. */
static inline void pm_kind_effects(const pm_people *people, const double *shares, double *effects)
{
    for (int k = 0; k < people->kinds; k++)
        for (int i = 0; i < PM_EFFECTS; i++)
            effects[i] += shares[k] * (double)people->kind_effects[PM_EFFECTS * k + i];
}

/* Add one kind's logarithms of factors of an act. */
static inline void pm_kind_add(const pm_people *people, int kind, double share, const int16_t *cells, double *offsets)
{
    const float *logs = people->kind_logs + (size_t)kind * (size_t)people->cells * PM_ACTS;
    for (int f = 0; f < PM_GRIDS; f++)
        for (int c = 0; c < PM_ACTS; c++)
            offsets[c] += share * (double)logs[PM_ACTS * (size_t)cells[f] + (size_t)c];
}

/* Add the mean of the kinds' logarithms. */
static inline void pm_kind_offsets(const pm_people *people, const double *shares, const int16_t *cells, double *offsets)
{
    for (int k = 0; k < people->kinds; k++)
        if (shares[k] > 1e-6)
            pm_kind_add(people, k, shares[k], cells, offsets);
}

/* Add one kind's logarithms, of each so much as its factor leaves open. */
static inline void pm_kind_left(const pm_people *people, int kind, double share, const int16_t *cells,
                                double (*left)[PM_ACTS], double *offsets)
{
    const float *logs = people->kind_logs + (size_t)kind * (size_t)people->cells * PM_ACTS;
    for (int f = 0; f < PM_GRIDS; f++)
        for (int c = 0; c < PM_ACTS; c++)
            offsets[c] += share * left[f][c] * (double)logs[PM_ACTS * (size_t)cells[f] + (size_t)c];
}

/* Judge each kind by n acts that were foretold by the kinds' mean: add what they say to `told`.
 *
 * A forecast with a kind's levels is, to the first order of the logarithms, the forecast with the mean tilted by what
 * levels differ: so all kinds cost a scalar product each, where one more likelihood each would multiply the cost of a
 * hand. What a population was seen to do makes up for a wrong kind: what is left of the difference is what its own
 * levels leave open, so that later hands say little of the kind. What acts say counts by PM_KIND_SHARE: those of a hand
 * and of one player are less than as many tables. `rows` are those of factors. */
#define PM_KIND_SHARE 0.5
static inline void pm_kind_judge(const pm_people *people, int population, const double *shares, int n, const int16_t *cells,
                                 const int32_t *rows, const pm_step *steps, const double *forecasts,
                                 const double *directions)
{
    const double *columns = people->columns[0] + PM_COVARIANCE * (size_t)population;
    double *told = people->kind_told + (size_t)people->kinds * (size_t)population;
    double effects[PM_EFFECTS] = {0}, open = 0.0;
    pm_kind_effects(people, shares, effects);
    for (int i = 0; i < PM_EFFECTS; i++)
        open += columns[(PM_EFFECTS + 1) * i] / (PM_EFFECTS * people->scale[0] * people->scale[0]);
    for (int a = 0; a < n; a++) {
        const int16_t *of = cells + PM_GRIDS * a;
        const double *forecast = forecasts + PM_ACTS * a, *slope = directions + PM_ACTS * PM_EFFECTS * (size_t)a;
        double left[PM_GRIDS][PM_ACTS], mean[PM_ACTS] = {0};
        for (int f = 0; f < PM_GRIDS; f++) {
            const double *row = people->table + PM_FACTOR * (size_t)rows[PM_TIERS * PM_GRIDS * a + f];
            for (int c = 0; c < PM_ACTS; c++)
                left[f][c] = people->strength[f] / (people->strength[f] + row[PM_ACTS + c]);
        }
        for (int k = 0; k < people->kinds; k++)
            pm_kind_left(people, k, shares[k], of, left, mean);
        for (int k = 0; k < people->kinds; k++) {
            double tilt[PM_ACTS] = {0}, sum = 0.0;
            pm_kind_left(people, k, 1.0, of, left, tilt);
            for (int c = 0; c < PM_ACTS; c++) {
                if (forecast[c] <= 0)
                    continue;
                tilt[c] -= mean[c];
                for (int i = 0; i < PM_EFFECTS; i++)
                    tilt[c] += open * slope[PM_EFFECTS * c + i] *
                               ((double)people->kind_effects[PM_EFFECTS * k + i] - effects[i]);
                tilt[c] = tilt[c] > 2.0 ? 2.0 : tilt[c] < -2.0 ? -2.0 : tilt[c]; /* as far as a tangent is to be trusted */
                sum += forecast[c] * exp(tilt[c]);
            }
            if (forecast[steps[a].act] > 0)
                told[k] += PM_KIND_SHARE * (tilt[steps[a].act] - log(sum));
        }
    }
}

/* -------------------------------------------------------------------------------------------------- a hand is learnt */

/* A finished hand: its acts, those of a player one after the other, player by player. */
typedef struct {
    int players, features, population;
    const int32_t *number;  /* of each player */
    const int32_t *acts_of; /* how many acts they have: 1 or more */
    const int32_t *holding; /* what they showed, or -1 */
    const uint8_t *mucked;
    const int16_t *rows, *basis, *cells, *acts;
    const float *legal;
    const uint8_t *rounds;
    const uint8_t *live, *losing;         /* sets of holdings; `losing` may be NULL */
    const pm_holding_classes *classes[4]; /* by round that somebody acted in */
    const double *begin;                  /* what the table says of its kind */
} pm_played;

/* The holdings without a card of `seen`, as a set. */
static inline void pm_unseen_holdings(uint64_t seen, uint8_t *set)
{
    uint8_t bytes[PM_HOLDING_BYTES + 8] = {0};
    uint64_t unseen = 0; /* the lowest card in the highest bit */
    for (int card = 0; card < PM_CARDS; card++)
        unseen |= (~seen >> card & 1) << (63 - card);
    for (int high = 1; high < PM_CARDS; high++) {
        const int first = high * (high - 1) / 2;
        const uint64_t row = seen >> high & 1 ? 0 : unseen & ~(~(uint64_t)0 >> high);
        for (int k = 0; k < 8; k++) /* no row has more than 51 holdings */
            bytes[(first >> 3) + k] |= (uint8_t)(row >> (first & 7) >> (56 - 8 * k));
    }
    memcpy(set, bytes, PM_HOLDING_BYTES);
}

/* What somebody can have held: the weight of each holding, 0 or 1, and those of the classes by round. */
typedef struct {
    double weights[PM_HOLDINGS];
    int made[4];
    pm_class_masses held[4];
} pm_could_hold;

static inline void pm_could_hold_begin(pm_could_hold *possible, const uint8_t *bits)
{
    memset(possible->made, 0, sizeof possible->made);
    for (int k = 0; k < PM_HOLDINGS; k++)
        possible->weights[k] = bits[k >> 3] >> (7 - (k & 7)) & 1;
}

static inline const pm_class_masses *pm_could_hold_round(pm_could_hold *possible, int round, const pm_holding_classes *classes)
{
    if (!possible->made[round])
        pm_class_masses_init(possible->held + round, classes, possible->weights);
    possible->made[round] = 1;
    return possible->held + round;
}

/* Memory for one hand. */
typedef struct {
    pm_could_hold possible[2];
    double weights[PM_HOLDINGS], ends[PM_HOLDINGS];
    pm_step *steps;
    int32_t *rows;
    double *offsets, *forecasts, *directions;
    float *space;
    float (*habits)[PM_HABITS]; /* by act */
    pm_act_told *told;          /* by act */
} pm_learning;

/* Activations before the flop, by situation: situations recur, and do not depend on who acts. */
enum { PM_KEPT_BITS = 10, PM_KEPT_WAYS = 2, PM_KEPT_KEY = 40 };

typedef struct {
    int16_t rows[PM_KEPT_KEY];
    float *m;
    uint32_t asked; /* when last */
} pm_kept;

typedef struct {
    const pm_holding_classes *classes; /* of which they are */
    pm_kept *kept;                     /* PM_KEPT_WAYS of each value of the hash */
    uint32_t now;
} pm_kept_units;

static inline void pm_kept_free(pm_kept_units *units)
{
    for (int k = 0; units->kept && k < PM_KEPT_WAYS << PM_KEPT_BITS; k++)
        free(units->kept[k].m);
    free(units->kept);
    units->kept = NULL;
    units->classes = NULL;
}

/* Where the activations of a situation are, and whether they are `known`; NULL if there is no place for them. What was
 * asked for since `since` keeps its place. */
static inline float *pm_kept_units_place(pm_kept_units *units, const int16_t *rows, int features, uint32_t since, int *known)
{
    uint64_t hash = 0;
    pm_kept *kept, *oldest;
    if (features > PM_KEPT_KEY)
        return NULL;
    if (!units->kept && !(units->kept = (pm_kept *)calloc(PM_KEPT_WAYS << PM_KEPT_BITS, sizeof *kept)))
        return NULL;
    for (int f = 0; f < features; f++)
        hash = (hash ^ (uint64_t)(uint16_t)rows[f]) * UINT64_C(0x9E3779B97F4A7C15);
    kept = oldest = units->kept + PM_KEPT_WAYS * (size_t)(hash >> (64 - PM_KEPT_BITS));
    for (int k = 0; k < PM_KEPT_WAYS; k++, kept++) {
        if (kept->m && !memcmp(kept->rows, rows, (size_t)features * sizeof *rows)) {
            kept->asked = units->now;
            *known = 1;
            return kept->m;
        }
        if (!kept->m || (oldest->m && (int32_t)(kept->asked - oldest->asked) < 0))
            oldest = kept;
    }
    *known = 0;
    if (!oldest->m)
        oldest->m = (float *)malloc((size_t)pm_padded_classes(units->classes->n) * PM_MIXED * sizeof(float));
    else if ((int32_t)(oldest->asked - since) >= 0)
        return NULL;
    if (!oldest->m)
        return NULL;
    memcpy(oldest->rows, rows, (size_t)features * sizeof *rows);
    oldest->asked = units->now;
    return oldest->m;
}

/* Give a step room for its activations: among those that are kept, or in `space`. Returns the room left. */
static inline float *pm_step_room(pm_step *step, pm_kept_units *units, int features, uint32_t since, float *space)
{
    const int n = pm_padded_classes(step->classes->n);
    step->h = step->m = NULL;
    step->known = 0;
    if (step->classes == units->classes)
        step->m = pm_kept_units_place(units, step->rows, features, since, &step->known);
    step->p = space;
    space += PM_OUT * n;
    if (!step->m) {
        step->m = space;
        space += PM_MIXED * n;
    }
    return space;
}

/* What hindsight says of levels in an act, of which habits expected so much of each group: so much of it as is to be left
 * out, shared among groups by how far levels move them. */
static inline void pm_habit_hindsight(const pm_act_told *told, int act, double left_out,
                                      const double (*expected)[PM_ACTS], double (*hindsight)[PM_ACTS])
{
    for (int c = 0; c < PM_ACTS; c++) {
        double more = (c == act) - told->level[c], moves = 0.0;
        for (int group = 0; group < PM_GROUPS; group++) {
            more -= expected[group][c];
            moves += told->of_group[group][c];
        }
        for (int group = 0; group < PM_GROUPS; group++)
            hindsight[group][c] = moves > 0 ? left_out * more * told->of_group[group][c] / moves : 0.0;
    }
}

/* Learn habits of a player whose acts were followed to the end, of which `weights`, or without them `ends`, or the holding
 * shown, is what they held; -1 if there is no memory. */
static inline int pm_people_learn_habits(pm_people *people, const pm_walk *walk, const int *number, const int16_t *cells,
                                         const double *weights, const double *ends, int shown, const pm_act_told *told,
                                         double left_out)
{
    double masses[PM_HOLDINGS];
    const double *belief = weights ? masses : ends;
    for (int a = 0; a < walk->n; a++) {
        const pm_step *step = walk->steps + a;
        double mass[PM_GROUPS] = {0.0}, expected[PM_GROUPS][PM_ACTS] = {{0.0}}, hindsight[PM_GROUPS][PM_ACTS];
        int32_t wide[PM_WIDE_GROUPS][PM_GRIDS];
        memset(wide, 0xff, sizeof wide); /* -1 */
        if (shown < 0 && weights && (a == 0 || step->classes != step[-1].classes))
            pm_gather(step->classes, weights, masses);
        for (int k = shown < 0 ? 0 : step->classes->of[shown]; k < step->classes->n; k++) {
            const double held = shown < 0 ? belief[k] : 1.0;
            const int group = pm_group(step->classes->rows + PM_HOLDING_FEATURES * k);
            mass[group] += held;
            for (int c = 0; c < PM_ACTS; c++)
                expected[group][c] += held * step->p[PM_OUT * (size_t)k + c];
            if (shown >= 0)
                break;
        }
        pm_habit_hindsight(told + a, step->act, left_out, expected, hindsight);
        for (int group = 0; group < PM_GROUPS; group++) {
            double says = mass[group];
            for (int c = 0; c < PM_ACTS; c++)
                says += fabs(hindsight[group][c]);
            if (says >= PM_HABIT_LEAST &&
                pm_habit_learn(people, number, cells + PM_GRIDS * a, group, step->act, mass[group], expected[group],
                               hindsight[group], shown < 0 ? PM_HABIT_HIDDEN : 1.0, wide))
                return -1;
        }
    }
    return 0;
}

/* Learn what the acts of one player say; -1 if there is no memory. */
static inline int pm_people_learn_player(pm_people *people, pm_walk *walk, pm_kept_units *units, const pm_played *hand,
                                         int player, int first, const double *shares, pm_learning *work)
{
    const int n = hand->acts_of[player], shown = hand->holding[player];
    const int number[PM_TIERS] = {hand->population, hand->number[player]};
    pm_could_hold *possible = work->possible + (hand->mucked[player] && hand->losing != NULL);
    double effects[PM_EFFECTS], gradient[PM_EFFECTS] = {0}, hindsight[PM_EFFECTS] = {0}, left_out[PM_TIERS] = {0};
    double *weights = NULL;
    const pm_class_masses *before;
    float *space = work->space;
    const uint32_t since = ++units->now;
    for (int a = 0; a < n; a++)
        for (int tier = 0; tier < PM_TIERS; tier++)
            for (int f = 0; f < PM_GRIDS; f++) {
                const int cell = hand->cells[PM_GRIDS * (size_t)(first + a) + (size_t)f];
                const int row = pm_factor_make(people, pm_factor_key(people, tier, number[tier], cell));
                if (row < 0)
                    return -1;
                work->rows[PM_TIERS * PM_GRIDS * a + PM_GRIDS * tier + f] = row;
                if (f == 0) /* the mean over acts */
                    left_out[tier] += pm_hindsight_left_out(people->table + PM_FACTOR * (size_t)row) / n;
            }
    pm_people_effects(people, number, effects);
    pm_kind_effects(people, shares, effects);
    memset(work->offsets, 0, (size_t)n * PM_ACTS * sizeof(double));
    for (int a = 0; a < n; a++) {
        pm_step *step = work->steps + a;
        const int round = hand->rounds[first + a];
        pm_factor_logs(people->table, people->strength, work->rows + PM_TIERS * PM_GRIDS * a, PM_TIERS * PM_GRIDS,
                       work->offsets + PM_ACTS * a);
        pm_kind_offsets(people, shares, hand->cells + PM_GRIDS * (size_t)(first + a), work->offsets + PM_ACTS * a);
        step->classes = hand->classes[round];
        step->rows = hand->rows + (size_t)hand->features * (size_t)(first + a);
        step->basis = hand->basis + PM_PLACE * (size_t)(first + a);
        step->legal = hand->legal + PM_ACTS * (size_t)(first + a);
        step->act = hand->acts[first + a];
        space = pm_step_room(step, units, hand->features, since, space);
        step->habits = pm_habits(people, number, hand->cells + PM_GRIDS * (size_t)(first + a), work->habits[a]);
        if (step->classes != work->steps->classes)
            weights = work->weights;
    }
    if (weights)
        memcpy(weights, possible->weights, sizeof possible->weights);
    walk->n = n;
    walk->made[0] = walk->made[1] = 0;
    before = pm_could_hold_round(possible, hand->rounds[first], hand->classes[hand->rounds[first]]);
    pm_follow_ahead(walk, NULL, effects, work->offsets, weights, before, shown, work->forecasts, work->directions, NULL,
                    work->told, work->ends);
    pm_follow_back(walk, NULL, NULL, weights, work->ends, shown, gradient, NULL, NULL, work->told, hindsight);
    if (people->kinds)
        pm_kind_judge(people, hand->population, shares, n, hand->cells + PM_GRIDS * (size_t)first, work->rows, work->steps,
                      work->forecasts, work->directions);
    for (int a = 0; a < n; a++)
        pm_factor_learn(people->table, people->strength, work->rows + PM_TIERS * PM_GRIDS * a, PM_TIERS * PM_GRIDS,
                        work->steps[a].act, work->forecasts + PM_ACTS * a);
    if (people->habits &&
        pm_people_learn_habits(people, walk, number, hand->cells + PM_GRIDS * (size_t)first, weights, work->ends, shown,
                               work->told, left_out[1]))
        return -1;
    for (int tier = 0; tier < PM_TIERS; tier++) {
        double own[PM_EFFECTS];
        for (int i = 0; i < PM_EFFECTS; i++)
            own[i] = gradient[i] - left_out[tier] * hindsight[i];
        pm_believe(walk->kernels, people->mean[tier] + PM_EFFECTS * (size_t)number[tier],
                   people->columns[tier] + PM_COVARIANCE * (size_t)number[tier], own, work->directions,
                   work->forecasts, n);
    }
    return 0;
}

/* Learn what a hand says of those who acted in it, who are numbered; -1 if there is no memory. */
static inline int pm_people_learn(pm_people *people, pm_walk *walk, pm_kept_units *units, const pm_played *hand)
{
    pm_learning *work;
    double shares[PM_TABLE_KINDS];
    size_t most = 0, classes = 0;
    int first = 0, done = -1;
    pm_kind_shares(people, hand->population, hand->begin, shares);
    for (int player = 0; player < hand->players; player++)
        if ((size_t)hand->acts_of[player] > most)
            most = (size_t)hand->acts_of[player];
    for (int round = 0; round < 4; round++)
        if (hand->classes[round] && (size_t)hand->classes[round]->n > classes)
            classes = (size_t)hand->classes[round]->n;
    work = (pm_learning *)malloc(sizeof *work);
    if (!work)
        return -1;
    work->steps = (pm_step *)malloc(most * sizeof *work->steps);
    work->rows = (int32_t *)malloc(most * PM_TIERS * PM_GRIDS * sizeof *work->rows);
    work->offsets = (double *)malloc(most * (2 + PM_EFFECTS) * PM_ACTS * sizeof(double));
    work->habits = (float (*)[PM_HABITS])malloc(most * sizeof *work->habits);
    work->told = (pm_act_told *)malloc(most * sizeof *work->told);
    work->space = (float *)malloc(most * (classes + PM_CLASSES_PADDED) * (PM_MIXED + PM_OUT) * sizeof(float));
    if (work->steps && work->rows && work->offsets && work->habits && work->told && work->space) {
        done = 0;
        work->forecasts = work->offsets + PM_ACTS * most;
        work->directions = work->forecasts + PM_ACTS * most;
        walk->steps = work->steps;
        walk->features = hand->features;
        pm_could_hold_begin(work->possible, hand->live);
        if (hand->losing)
            pm_could_hold_begin(work->possible + 1, hand->losing);
    }
    for (int player = 0; !done && player < hand->players; first += hand->acts_of[player++])
        done = pm_people_learn_player(people, walk, units, hand, player, first, shares, work);
    free(work->space);
    free(work->told);
    free(work->habits);
    free(work->offsets);
    free(work->rows);
    free(work->steps);
    free(work);
    return done;
}

#endif
