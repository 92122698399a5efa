/* Holdings drawn by weight: alias tables (Walker 1977, filled as in Vose 1991).
 *
 * A drawn holding is its two cards in 16 bits, the higher card in the upper byte; 0 is no holding. Holdings of
 * weight 0 have no slot and are never drawn. Chances have 32 bits: the error of a probability is below 2^-32.
 */
#ifndef POKERMODEL_ALIAS_H
#define POKERMODEL_ALIAS_H

#include <stdint.h>

#include "pokermodel/evaluation/cards.h"
#include "pokermodel/dealing/random.h"

typedef struct {
    uint32_t chance; /* chance to stay in this slot, times 2^32 */
    uint16_t other, own;
} pm_alias_slot;

typedef struct {
    int size; /* slots in use */
    pm_alias_slot slot[PM_HOLDINGS];
    double share[PM_HOLDINGS]; /* probability of each slot's own holding */
} pm_alias;

/* The two cards of a drawn holding, as bits. */
static inline uint64_t pm_drawn_cards(unsigned drawn)
{
    return (uint64_t)1 << (drawn >> 8) | (uint64_t)1 << (drawn & 255);
}

/* Fill a table from 1,326 finite weights >= 0 of any scale, leaving out holdings with a dead card. Returns the number
 * of holdings that can be drawn; if it is 0, the table must not be used. */
static inline int pm_alias_init(pm_alias *alias, const double *weights, uint64_t dead)
{
    double largest = 0.0, total = 0.0;
    int small[PM_HOLDINGS], large[PM_HOLDINGS];
    double fill[PM_HOLDINGS];
    int n = 0, n_small = 0, n_large = 0;
    for (int high = 1; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++)
            if (!(pm_drawn_cards((unsigned)(high << 8 | low)) & dead) && weights[pm_holding(high, low)] > largest)
                largest = weights[pm_holding(high, low)];
    for (int high = 1; high < PM_CARDS; high++)
        for (int low = 0; low < high; low++) {
            unsigned holding = (unsigned)(high << 8 | low);
            double weight = weights[pm_holding(high, low)];
            if (pm_drawn_cards(holding) & dead || !(weight > 0.0) || !(weight / largest > 0.0))
                continue;
            alias->slot[n].own = alias->slot[n].other = (uint16_t)holding;
            alias->slot[n].chance = UINT32_MAX;
            alias->share[n] = weight / largest;
            total += alias->share[n++];
        }
    alias->size = n;
    for (int k = 0; k < n; k++) {
        alias->share[k] /= total;
        fill[k] = alias->share[k] * n;
        if (fill[k] < 1.0)
            small[n_small++] = k;
        else
            large[n_large++] = k;
    }
    while (n_small && n_large) {
        int less = small[--n_small], more = large[n_large - 1];
        alias->slot[less].chance = (uint32_t)(fill[less] * 4294967296.0);
        alias->slot[less].other = alias->slot[more].own;
        fill[more] = fill[more] + fill[less] - 1.0;
        if (fill[more] < 1.0) {
            small[n_small++] = more;
            n_large--;
        }
    }
    return n; /* the slots left are full up to rounding, and their own alias */
}

/* Draw a holding. */
static inline unsigned pm_alias_draw(const pm_alias *alias, pm_random *random)
{
    uint32_t n = (uint32_t)alias->size;
    uint64_t bits = pm_random_next(random), product = (bits >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t surplus = (0u - n) % n;
        while ((uint32_t)product < surplus) {
            bits = pm_random_next(random);
            product = (bits >> 32) * n;
        }
    }
    const pm_alias_slot *slot = &alias->slot[product >> 32];
    /* without a branch, which could not be predicted; compilers load both at once */
    uint32_t both = (uint32_t)slot->own << 16 | slot->other;
    return (uint16_t)(both >> (16u & (0u - (unsigned)((uint32_t)bits < slot->chance))));
}

/* Probability that a holding avoids the cards that are taken. */
static inline double pm_alias_left(const pm_alias *alias, uint64_t taken)
{
    double left = 0.0;
    for (int k = 0; k < alias->size; k++)
        if (!(pm_drawn_cards(alias->slot[k].own) & taken))
            left += alias->share[k];
    return left;
}

/* Draw a holding that avoids the cards that are taken; `left` > 0 is the probability of such holdings. */
static inline unsigned pm_alias_pick(const pm_alias *alias, pm_random *random, uint64_t taken, double left)
{
    double point = left * pm_random_double(random), sum = 0.0;
    unsigned last = 0;
    for (int k = 0; k < alias->size; k++) {
        unsigned own = alias->slot[k].own;
        if (pm_drawn_cards(own) & taken)
            continue;
        sum += alias->share[k];
        last = own;
        if (sum > point)
            break;
    }
    return last;
}

/* Draw a holding that avoids the cards that are taken; 0 if there is none. */
static inline unsigned pm_alias_draw_apart(const pm_alias *alias, pm_random *random, uint64_t taken)
{
    for (int tries = 0; tries < 32; tries++) {
        unsigned drawn = pm_alias_draw(alias, random);
        if (!(pm_drawn_cards(drawn) & taken))
            return drawn;
    }
    double left = pm_alias_left(alias, taken);
    return left > 0.0 ? pm_alias_pick(alias, random, taken, left) : 0;
}

#endif
