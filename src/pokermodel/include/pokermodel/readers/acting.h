/* How somebody acts with one holding: what the adaptive reader expects of it, in a situation as the rules have it.
 *
 * The same as the likelihood of all classes (follow.h, population.h), for one of them. Who plays a hand out knows what everybody
 * holds, so that one class is all that is asked for, where a reader asks for all.
 */
#ifndef POKERMODEL_ACTING_H
#define POKERMODEL_ACTING_H

#include "pokermodel/readers/population.h"
#include "pokermodel/readers/situations.h"
#include "pokermodel/readers/sizes.h"

enum { PM_ACTING_ROWS = PM_SIZED_FEATURES + PM_BOARD_FEATURES, PM_PAIRS = 13 };

/* What is known of everybody at the table. */
typedef struct {
    const pm_likelihood *net;
    const pm_people *people;
    const int16_t *firsts;        /* the first row of each feature of a situation */
    const int16_t *contexts;      /* the first cell of each division of factors */
    const int16_t *pairs;         /* before the flop, rows of the features of pairs, from deuces on */
    int sized, features;          /* whether bets have sizes; how many features a situation has */
    pm_size_network sizes;        /* where they have */
    pm_size_counts counts[PM_SIZE_TIERS];
    const double *borders;        /* between inner cells of sizes */
    const double *tilts;          /* factors by round, first or further bet, quarter and bin of strength */
    const uint8_t *class_of;      /* of each cell */
} pm_crowd;

/* Somebody. Number -1 stands for nobody. */
typedef struct {
    int number[PM_TIERS];
    double effects[PM_EFFECTS], shares[PM_TABLE_KINDS];
    float out[2][PM_MIXED * PM_OUT];
} pm_person;

/* Make ready somebody whose numbers are there; `begin` is what the table says of its kind. */
static inline void pm_person_begin(const pm_crowd *crowd, pm_person *person, const double *begin)
{
    pm_kind_shares(crowd->people, person->number[0], begin, person->shares);
    pm_people_effects(crowd->people, person->number, person->effects);
    pm_kind_effects(crowd->people, person->shares, person->effects);
    for (int side = 0; side < 2; side++)
        pm_likelihood_effects(crowd->net, side, NULL, person->effects, person->out[side]);
}

/* The probabilities of fold, call and raise, of those that are legal, with a holding that has these features. Pairs are in order
 * before the flop, as pm_pairs_in_order has them. `told` is overwritten by the rows of the situation. */
static inline void pm_person_acts(const pm_crowd *crowd, const pm_person *person, const pm_features *f, const int *board,
                                  unsigned legal, const int16_t *holding, int pair, int16_t *told, double *chances)
{
    PM_NO_CONTRACT
    int16_t basis[PM_SITUATION_PLACE], cells[PM_GRIDS];
    int32_t factors[PM_TIERS * PM_GRIDS];
    double offsets[PM_ACTS] = {0};
    float offered[PM_ACTS], bias[PM_OUT], hidden[PM_HIDDEN], direct[PM_OUT], h[PM_HIDDEN], m[PM_MIXED], p[PM_OUT];
    float times[PM_OUT];
    float most = 1.0f;
    pm_situation_rows(f, board, crowd->sized, crowd->firsts, told, basis, cells);
    for (int g = 0; g < PM_GRIDS; g++)
        cells[g] = (int16_t)(cells[g] + crowd->contexts[g]);
    pm_factor_rows(crowd->people, person->number, cells, factors);
    pm_factor_logs(crowd->people->table, crowd->people->strength, factors, PM_TIERS * PM_GRIDS, offsets);
    pm_kind_offsets(crowd->people, person->shares, cells, offsets);
    pm_likelihood_bias(crowd->net, basis, NULL, person->effects, offsets, bias);
    pm_likelihood_situation(crowd->net, told, crowd->features, bias, hidden, direct);
    for (int c = 0; c < PM_ACTS; c++)
        offered[c] = (float)(legal >> c & 1);
    if (f->round > 0 || !(legal >> PM_FOLD & 1))
        pair = -1;
    for (int rank = pair < 0 ? pair : 0; rank <= pair; rank++) { /* no pair folds more often than a weaker one */
        const int16_t *rows = rank < 0 || rank == pair ? holding : crowd->pairs + PM_HOLDING_FEATURES * rank;
        pm_likelihood_unit(crowd->net, hidden, rows, h, m);
        pm_likelihood_chance(crowd->net, direct, person->out[basis[0]], rows, offered, m, p);
        pm_replies_apply(crowd->net, basis[PM_BASIS], rows, 1, p);
        if (pm_habit(crowd->people, person->number, cells, pm_group(rows), times))
            pm_habit_apply(times, p);
        if (rank >= 0 && p[0] > most) {
            const float rest = p[1] + p[2], scale = rest > 0 ? (1.0f - most) / rest : 0.0f;
            p[0] = rest > 0 ? most : p[0];
            p[1] *= scale;
            p[2] *= scale;
        }
        most = p[0];
    }
    for (int c = 0; c < PM_ACTS; c++)
        chances[c] = p[c];
}

/* Of a bet or raise, the probability of each class of sizes with a holding whose strength is in a bin; `told` is of
 * pm_person_acts. */
static inline void pm_person_sizes(const pm_crowd *crowd, const pm_person *person, const pm_features *f, const int16_t *told,
                                   const pm_size_range *room, int bin, double *shares)
{
    PM_NO_CONTRACT
    double forecast[PM_SIZE_CELLS], terms[PM_SIZE_TERMS * PM_SIZE_CELLS], seen[PM_SIZE_TERMS];
    int habits[PM_SIZE_KINDS], cells[PM_SIZE_KINDS], places[PM_SIZE_DIVISIONS];
    const int context = pm_size_context(f), further = context / 3 % 3 > 0;
    pm_size_told known;
    pm_size_habits(f, habits);
    for (int k = 0; k < PM_SIZE_KINDS; k++)
        cells[k] = PM_SIZE_FIRST_HABIT[k] + habits[k];
    pm_size_places(context, room->low, habits, places);
    pm_size_everybody(&crowd->sizes, told, crowd->features, room, cells, forecast);
    for (int tier = 0; tier < PM_SIZE_TIERS; tier++)
        if (person->number[tier] >= 0 && pm_size_tell(crowd->counts + tier, person->number[tier], places, &known)) {
            pm_size_terms(room, forecast, &known, terms, seen);
            pm_size_mix(&crowd->sizes, room, tier, habits[0], terms, seen, pm_size_power(known.expected[0]), forecast);
        }
    pm_size_shares(forecast,
                   crowd->tilts + (f->round * 2 + further) * PM_SIZE_QUARTERS * PM_SIZE_STRENGTHS + bin,
                   crowd->class_of, shares);
}

#endif
