/* Hand strength against several opponents at once, who cannot hold the same card.
 *
 * Holdings of the opponents go together if no two of them share a card; they weigh the product of their weights. A
 * holding counts 1 for each opponent whom it beats, 1/2 for each whom it ties and 0 for the others, and against all of
 * them the product of these: a product of strengths against one opponent is its expectation, if the opponents are taken
 * to be independent. (The share of the pot would be another thing: 1/3 for a tie of three, not 1/4.)
 *
 * Both the weight of all holdings that go together and the part of it that is beaten are sums of products over disjoint
 * holdings. With two opponents, what is left for the second beside a holding of the first is the total without those
 * with one of its cards: one pass over the holdings (field.h). With three, the same formula holds for the second and
 * third in the deck that lacks the holding of the first, where a sum by card loses two terms: some fifty steps for each
 * holding of the first, where an enumeration has a million.
 */
#ifndef POKERMODEL_JOINT_H
#define POKERMODEL_JOINT_H

#include <math.h>
#include <string.h>

#include "pokermodel/evaluation/field.h"
#include "pokermodel/vectors/simd.h"

#define PM_JOINT_MOST 3          /* opponents */
#define PM_JOINT_LEAST_LEFT 1e-2 /* share of the products of three that has to be disjoint: else digits cancel */

/* What the functions below work in; too large for the stack of a small thread. */
typedef struct {
    double weight[PM_JOINT_MOST][PM_HOLDINGS]; /* by opponent and position */
    double beaten[PM_JOINT_MOST][PM_HOLDINGS];
    double left[2][PM_HOLDINGS];
    double together[2][PM_CARDS][PM_CARDS]; /* weight of the second and third by their two cards, in either order */
} pm_joint;

/* Sum of the products of two opponents' weights over holdings that share no card. */
static inline double pm_disjoint_pairs(const pm_field *field, const double *first, const double *second)
{
    PM_NO_CONTRACT
    pm_running running;
    double sum = 0.0;
    memset(&running, 0, sizeof running);
    for (int k = 0; k < field->size; k++)
        if (second[k] > 0.0)
            pm_running_add(&running, field->high[k], field->low[k], second[k]);
    for (int k = 0; k < field->size; k++)
        if (first[k] > 0.0)
            sum += first[k] * pm_disjoint_sum(field, second, &running, k, 0, field->size);
    return sum;
}

/* The same for three opponents, in terms of which none is negative: slow, for tables that leave little together. */
static inline double pm_disjoint_triples_added(const pm_field *field, const double *first, const double *second,
                                               const double *third, double left[2][PM_HOLDINGS])
{
    PM_NO_CONTRACT
    double sum = 0.0;
    for (int k = 0; k < field->size; k++)
        if (first[k] > 0.0) {
            for (int i = 0; i < field->size; i++) {
                const int apart = !pm_share_card(field, k, i);
                left[0][i] = apart ? second[i] : 0.0;
                left[1][i] = apart ? third[i] : 0.0;
            }
            sum += first[k] * pm_disjoint_pairs(field, left[0], left[1]);
        }
    return sum;
}

/* The same for three opponents: for each holding of the first, the pairs of the others in the deck without its cards.
 * Of all products, those of holdings that share a card are taken away by card, the same holding for both twice. */
static inline double pm_disjoint_triples(const pm_field *field, const double *first, const double *second,
                                         const double *third, pm_joint *joint)
{
    PM_NO_CONTRACT
    double of_card[2][PM_CARDS] = {{0}}, same_of_card[PM_CARDS] = {0};
    double of_first = 0.0, total[2] = {0.0, 0.0}, same = 0.0, sum = 0.0;
    memset(joint->together, 0, sizeof joint->together);
    for (int k = 0; k < field->size; k++) {
        const int high = field->high[k], low = field->low[k];
        const double weight[2] = {second[k], third[k]}, both = second[k] * third[k];
        for (int i = 0; i < 2; i++) {
            joint->together[i][high][low] = joint->together[i][low][high] = weight[i];
            of_card[i][high] += weight[i];
            of_card[i][low] += weight[i];
            total[i] += weight[i];
        }
        of_first += first[k];
        same += both;
        same_of_card[high] += both;
        same_of_card[low] += both;
    }
    for (int k = 0; k < field->size; k++) {
        const int high = field->high[k], low = field->low[k];
        const double *one_high = joint->together[0][high], *one_low = joint->together[0][low];
        const double *two_high = joint->together[1][high], *two_low = joint->together[1][low];
        const double one = second[k], two = third[k];
        double shared[4] = {0.0, 0.0, 0.0, 0.0}, all, twice; /* by suit: four sums that do not wait for each other */
        if (!(first[k] > 0.0))
            continue;
        for (int card = 0; card < PM_CARDS; card += 4)
            for (int s = 0; s < 4; s++)
                shared[s] += (of_card[0][card + s] - one_high[card + s] - one_low[card + s]) *
                             (of_card[1][card + s] - two_high[card + s] - two_low[card + s]);
        shared[high & 3] -= (of_card[0][high] - one) * (of_card[1][high] - two);
        shared[low & 3] -= (of_card[0][low] - one) * (of_card[1][low] - two);
        all = (total[0] - of_card[0][high] - of_card[0][low] + one) *
              (total[1] - of_card[1][high] - of_card[1][low] + two);
        twice = same - same_of_card[high] - same_of_card[low] + one * two;
        sum += first[k] * (all - ((shared[0] + shared[1]) + (shared[2] + shared[3])) + twice);
    }
    if (of_first == 0.0 || total[0] == 0.0 || total[1] == 0.0)
        return 0.0;
    if (sum > PM_JOINT_LEAST_LEFT * (of_first * total[0] * total[1]))
        return sum;
    return pm_disjoint_triples_added(field, first, second, third, joint->left);
}

static inline double pm_disjoint_products(const pm_field *field, double weight[PM_JOINT_MOST][PM_HOLDINGS],
                                          int opponents, pm_joint *joint)
{
    double sum = 0.0;
    if (opponents == 2)
        return pm_disjoint_pairs(field, weight[0], weight[1]);
    if (opponents == 3)
        return pm_disjoint_triples(field, weight[0], weight[1], weight[2], joint);
    for (int k = 0; k < field->size; k++)
        sum += weight[0][k];
    return sum;
}

/* Take the hero's cards from an opponent, and scale the weights so that products of them neither overflow nor vanish.
 * An opponent to whom no weight is left holds anything alike. */
static inline void pm_joint_opponent(const pm_field *field, int hero, double *weight)
{
    double largest = 0.0, factor, second_factor;
    int exponent;
    for (int k = 0; k < field->size; k++) {
        weight[k] = pm_share_card(field, hero, k) ? 0.0 : weight[k];
        largest = weight[k] > largest ? weight[k] : largest;
    }
    if (largest == 0.0) {
        for (int k = 0; k < field->size; k++)
            weight[k] = pm_share_card(field, hero, k) ? 0.0 : 1.0;
        return;
    }
    frexp(largest, &exponent); /* the largest becomes .5 to 1; by two factors, since one might overflow */
    factor = ldexp(1.0, -exponent / 2);
    second_factor = ldexp(1.0, -exponent - -exponent / 2);
    for (int k = 0; k < field->size; k++)
        weight[k] = weight[k] * factor * second_factor;
}

/* Strength of a position against the opponents whose weights are in `joint->weight`, 0 or more, by position; they are
 * changed. -1 if the opponents have no holdings that go together. */
static inline double pm_joint_strength(const pm_field *field, int hero, int opponents, pm_joint *joint)
{
    const int start = field->group_start[hero], end = field->group_end[hero];
    double all;
    for (int i = 0; i < opponents; i++) {
        pm_joint_opponent(field, hero, joint->weight[i]);
        memset(joint->beaten[i], 0, sizeof joint->beaten[i]);
        memcpy(joint->beaten[i], joint->weight[i], (size_t)start * sizeof(double));
        for (int k = start; k < end; k++)
            joint->beaten[i][k] = joint->weight[i][k] / 2;
    }
    all = pm_disjoint_products(field, joint->weight, opponents, joint);
    if (!(all > 0.0))
        return -1.0;
    all = pm_disjoint_products(field, joint->beaten, opponents, joint) / all;
    return all < 1.0 ? all : 1.0;
}

#endif
