/* Groups of holdings that habits of players go by, and what a habit does to a forecast.
 *
 * What a holding makes of a situation is the same for everybody but for sixteen directions in which people differ. Whoever
 * acts as nobody does, as programs do, has habits besides: factors of what they do with holdings of a group. Groups are steps
 * of strength, few enough for a player to be seen with each, and after the flop draws that are weak by what they have made.
 */
#ifndef POKERMODEL_HABITS_H
#define POKERMODEL_HABITS_H

#include "pokermodel/readers/likelihood.h"

enum {
    PM_GROUPS = 12,     /* narrow groups; nine of them are in use before the flop */
    PM_WIDE_GROUPS = 4, /* weak, middling, strong, and draws: three narrow groups each */
    PM_HABITS = PM_GROUPS * PM_OUT
};

/* The narrow group of a class, by its rows. */
static inline int pm_group(const int16_t *rows)
{
    static const uint8_t preflop[PM_STRENGTHS] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 7, 8};
    static const uint8_t made[PM_STRENGTHS] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
    static const uint8_t drawing[PM_STRENGTHS] = {9, 9, 9, 10, 10, 10, 11, 11, 11, 4, 5, 5, 6, 6, 7, 7};
    int strength = rows[0];
    if (strength < PM_PREFLOP_ROWS)
        return preflop[strength];
    strength = (strength - PM_PREFLOP_ROWS) % PM_POSTFLOP_ROWS;
    return (rows[1] - (rows[0] - strength) > PM_STRENGTHS ? drawing : made)[strength];
}

static inline int pm_wide_group(int group)
{
    return group / 3;
}

/* Multiply the odds of acts by what a habit says of them. */
static inline void pm_habit_apply(const float *times, float *p)
{
    PM_NO_CONTRACT
    float sum = 0.0f;
    for (int c = 0; c < PM_ACTS; c++)
        sum += p[c] *= times[c];
    for (int c = 0; c < PM_ACTS; c++)
        p[c] /= sum;
}

/* Multiply the odds of acts with n classes before the flop by what the row of replies has; of row 0 nothing changes. */
static inline void pm_replies_apply(const pm_likelihood *net, int reply, const int16_t *rows, int n, float *p)
{
    const int any = net->replies && reply && rows[0] < PM_PREFLOP_ROWS;
    for (int k = 0; any && k < n; k++, rows += PM_HOLDING_FEATURES, p += PM_OUT) {
        const int high = PM_STRENGTHS + 12 - rows[1], low = PM_STRENGTHS + 13 + 12 - rows[2]; /* 0 is an ace */
        const int suited = rows[3] == PM_STRENGTHS + 13 + 13 + 1;
        pm_habit_apply(net->replies + PM_REPLY * reply + PM_OUT * (suited ? 13 * high + low : 13 * low + high), p);
    }
}

/* The same for all classes, given rows of PM_OUT by group. */
static inline void pm_habits_apply(const pm_holding_classes *classes, const float *habits, float *p)
{
    for (int k = 0; k < classes->n; k++)
        pm_habit_apply(habits + PM_OUT * pm_group(classes->rows + PM_HOLDING_FEATURES * k), p + PM_OUT * (size_t)k);
}

#endif
