/* Hand strength of all holdings of a field, by sums over the beginnings of its order.
 *
 * What a holding beats stands before it in the order. The weight there that shares no card with it is the sum over the
 * beginning of the order, without those over the beginnings of the lists of holdings that have one of its cards. Where
 * these beginnings end does not depend on weights, and is kept.
 *
 * Sums are subtracted from each other, so that what is left has the errors of what it was taken from. Where too many
 * digits cancel, the terms are added, as in field.h: strengths differ from those by less than 1e-12, and small ones by a
 * small part of that. Sums of whole numbers are exact.
 */
#ifndef POKERMODEL_PREFIX_SUMS_H
#define POKERMODEL_PREFIX_SUMS_H

#include "pokermodel/evaluation/field.h"
#include "pokermodel/vectors/simd.h"

#define PM_LISTED (PM_CARDS - 1) /* most holdings that have a card in common */
#define PM_LEAST_LEFT 0.02       /* share of all weight that has to be left beside a holding's cards */
#define PM_LEAST_BEATEN 1e-3     /* share of the weight up to a holding that it has to beat */
#define PM_MOST_TERMS 20000      /* that are added where it does not; where there are more, field.h is quicker */

/* Where beginnings end, as places in a table of sums with a row for each length and a column for each live card. */
typedef struct {
    int width; /* columns */
    uint16_t position[PM_LISTED * PM_CARDS]; /* of the holdings of all lists, in the order of that table */
    /* by position: the whole list of the holding's high card, its beginning before the holdings of the same rank, and
     * the one with them; and that of the low card likewise */
    uint16_t high[PM_HOLDINGS], high_start[PM_HOLDINGS], high_end[PM_HOLDINGS];
    uint16_t low[PM_HOLDINGS], low_start[PM_HOLDINGS], low_end[PM_HOLDINGS];
} pm_beginnings;

static inline void pm_beginnings_init(const pm_field *field, pm_beginnings *beginnings)
{
    int n = 0, last;
    uint16_t column[PM_CARDS], next[PM_CARDS]; /* by card; `next` is where its list goes on */
    for (int card = 0; card < PM_CARDS; card++)
        column[card] = next[card] = (uint16_t)(field->dead & pm_card_bit(card) ? 0 : n++);
    beginnings->width = n;
    last = n * (n - 1);
    for (int start = 0, end; start < field->size; start = end) {
        end = field->group_end[start];
        for (int k = start; k < end; k++) {
            beginnings->high_start[k] = next[field->high[k]];
            beginnings->low_start[k] = next[field->low[k]];
        }
        for (int k = start; k < end; k++) {
            uint16_t *high = &next[field->high[k]], *low = &next[field->low[k]];
            beginnings->position[*high] = beginnings->position[*low] = (uint16_t)k;
            *high = (uint16_t)(*high + n);
            *low = (uint16_t)(*low + n);
        }
        for (int k = start; k < end; k++) {
            const int high = field->high[k], low = field->low[k];
            beginnings->high_end[k] = next[high];
            beginnings->low_end[k] = next[low];
            beginnings->high[k] = (uint16_t)(last + column[high]);
            beginnings->low[k] = (uint16_t)(last + column[low]);
        }
    }
}

/* HS of each position against weights, 0 or more. */
static inline void pm_prefix_strengths(const pm_field *field, const pm_beginnings *b, const double *weights,
                                       double *strengths)
{
    PM_NO_CONTRACT
    const int size = field->size, width = b->width; /* each holding is in two lists */
    double of_all[PM_HOLDINGS + 1], of_card[(PM_LISTED + 1) * PM_CARDS], sum = 0.0, least;
    uint16_t again[PM_HOLDINGS];
    int n_again = 0, terms = 0, little = 0;
    for (int c = 0; c < width; c++)
        of_card[c] = 0.0;
    for (int k = 0; k < 2 * size; k++)
        of_card[k + width] = of_card[k] + weights[b->position[k]];
    for (int k = 0; k < size; k++) {
        of_all[k] = sum;
        sum += weights[k];
    }
    of_all[size] = sum;
    least = PM_LEAST_LEFT * sum;
    for (int k = 0; k < size; k++) {
        const double before = of_all[field->group_start[k]], with = of_all[field->group_end[k]];
        const double high = of_card[b->high_start[k]], high_with = of_card[b->high_end[k]];
        const double low = of_card[b->low_start[k]], low_with = of_card[b->low_end[k]];
        const double left = sum - of_card[b->high[k]] - of_card[b->low[k]] + weights[k];
        double ahead = before - high - low, beaten, strength;
        double tied = with - before - (high_with - high) - (low_with - low) + weights[k];
        ahead = ahead > 0.0 ? ahead : 0.0;
        tied = tied > 0.0 ? tied : 0.0;
        beaten = ahead + 0.5 * tied;
        strength = beaten / left;
        strengths[k] = strength < 1.0 ? strength : 1.0;
        little |= !(left > least);
        again[n_again] = (uint16_t)k;
        n_again += !(beaten > PM_LEAST_BEATEN * with) & (with > 0.0);
    }
    for (int i = 0; i < n_again; i++)
        terms += field->group_end[again[i]];
    if (little || terms > PM_MOST_TERMS) {
        double cells[3 * PM_HOLDINGS];
        pm_field_strength(field, weights, cells);
        for (int k = 0; k < size; k++)
            strengths[k] = pm_strength(cells + 3 * k);
        return;
    }
    for (int i = 0; i < n_again; i++) {
        const int k = again[i], start = field->group_start[k];
        const double left = sum - of_card[b->high[k]] - of_card[b->low[k]] + weights[k];
        const double ahead = pm_sum_terms(field, weights, k, 0, start);
        strengths[k] = (ahead + 0.5 * pm_sum_terms(field, weights, k, start, field->group_end[k])) / left;
    }
}

#endif
